/* A shot over a layered medium, by acoustic3d, as a practitioner takes it.
 *
 *   stencilc --target=c --header=acoustic3d.h -o acoustic3d.c ../acoustic3d.stn
 *   cc -O3 -march=native -fopenmp shot-main.c acoustic3d.c -o shot -lm
 *   ./shot
 *
 * or on a GPU, where nothing else changes:
 *
 *   stencilc --header=acoustic3d.h -o acoustic3d.cu ../acoustic3d.stn
 *   nvcc -O3 -arch=native shot-main.c acoustic3d.cu -o shot
 *
 * shot [N M K [STEPS]]: cells along x, y and depth, and steps.  It writes
 * shot.bin, the receivers' traces one after the other as floats, which Seismic
 * Unix takes as they are (xwigb n1=STEPS <shot.bin), and shot.pgm, a picture.
 */
#include "acoustic3d.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SOURCES 2
#define RECEIVERS 96

static const double distance = 10;	/* of cells, in metres */
static const double fastest = 3000;	/* of the layers, in m/s */
static const double frequency = 12;	/* of the wavelets' peak, in Hz */
static const double pi = 3.14159265358979323846;

struct shot {
	int n, m, k, steps;
	int sponge;				/* cells at each edge */
	double dt;				/* of a step, in s */
	float sx[SOURCES], sy[SOURCES], sz[SOURCES];
	float rx[RECEIVERS], ry[RECEIVERS], rz[RECEIVERS];
	float *wavelet, *v2, *keep, *p, *record;
};

static float *floats(size_t count)
{
	float *a = (float *) calloc(count, sizeof(*a));

	if (!a) {
		perror("shot");
		exit(1);
	}
	return a;
}

/* In m/s: three layers, the lower border of the second one sinks along x. */
static double speed(const struct shot *s, int i, int k)
{
	if (3 * k < s->k)
		return 1500;
	return 20 * k < 11 * s->k + 3 * s->k * i / s->n ? 2200 : fastest;
}

/* How many cells "i" of "n" is within the sponge. */
static int depth_in_sponge(const struct shot *s, int i, int n)
{
	const int edge = i < n - 1 - i ? i : n - 1 - i;

	return edge < s->sponge ? s->sponge - edge : 0;
}

static void fill_medium(struct shot *s)
{
	const double unit = s->dt / distance;
	float *v2 = s->v2, *keep = s->keep;

	for (int i = 0; i < s->n; i++)
		for (int j = 0; j < s->m; j++)
			for (int k = 0; k < s->k; k++) {
				const double v = speed(s, i, k) * unit;
				const int x = depth_in_sponge(s, i, s->n);
				const int y = depth_in_sponge(s, j, s->m);
				const int z = depth_in_sponge(s, k, s->k);
				const double all = x * x + y * y + z * z;

				*v2++ = (float) (v * v);
				*keep++ = (float) exp(-0.0001 * all);
			}
}

static double ricker(double seconds)
{
	const double a = pi * frequency * seconds;

	return (1 - 2 * a * a) * exp(-a * a);
}

/* Two guns near the middle, the second weaker and a little late. */
static void place_sources(struct shot *s)
{
	const double v = 1500 * s->dt / distance;

	for (int g = 0; g < SOURCES; g++) {
		s->sx[g] = 0.5f * (float) s->n + 0.3f;
		s->sy[g] = 0.5f * (float) s->m + 1.25f * (float) g;
		s->sz[g] = (float) s->sponge + 1.6f;
	}
	for (int t = 0; t < s->steps; t++)
		for (int g = 0; g < SOURCES; g++) {
			const double late = 1.2 / frequency + 0.004 * g;

			s->wavelet[t * SOURCES + g] = (float) (v * v
				* (g ? 0.4 : 1) * ricker(t * s->dt - late));
		}
}

/* A line along x, between the cells. */
static void place_receivers(struct shot *s)
{
	const float first = (float) s->sponge + 0.5f;
	const float all = (float) (s->n - 2 * s->sponge) - 2;

	for (int r = 0; r < RECEIVERS; r++) {
		s->rx[r] = first + all * (float) r / RECEIVERS;
		s->ry[r] = 0.5f * (float) s->m + 3.7f;
		s->rz[r] = (float) s->sponge + 2.4f;
	}
}

/* As long a step as acoustic3d allows, 0.2 for v2. */
static void prepare(struct shot *s)
{
	const size_t cells = (size_t) s->n * (size_t) s->m
		* (size_t) s->k;
	const int least = s->n < s->m ? s->n : s->m;
	const int quarter = (least < s->k ? least : s->k) / 4;

	s->sponge = quarter < 20 ? quarter : 20;
	s->dt = 0.999 * sqrt(0.2) * distance / fastest;
	s->wavelet = floats((size_t) s->steps * SOURCES);
	s->v2 = floats(cells);
	s->keep = floats(cells);
	s->p = floats(2 * cells);		/* two instants of silence */
	s->record = floats((size_t) s->steps * RECEIVERS);
	fill_medium(s);
	place_sources(s);
	place_receivers(s);
}

static double now(void)
{
	struct timespec t;

	(void) timespec_get(&t, TIME_UTC);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The seconds that it took. */
static double run(struct shot *s)
{
	const double start = now();
	const int error = acoustic3d(s->steps, s->n, s->m, s->k, SOURCES,
		RECEIVERS, s->sx, s->sy, s->sz, s->wavelet, s->rx, s->ry,
		s->rz, s->v2, s->keep, s->p, s->record);

	if (error) {
		fprintf(stderr, "shot: %s\n", acoustic3d_strerror(error));
		exit(1);
	}
	return now() - start;
}

static float sample(const struct shot *s, int t, int r)
{
	return s->record[t * RECEIVERS + r];
}

/* Waves that come later are weaker, as they have spread: the gain is the time. */
static double gained(const struct shot *s, int t, int r)
{
	return sample(s, t, r) * (t * s->dt);
}

/* Of a value in the picture: grey is none, what is above a tenth of the largest
 * value is black or white.
 */
static int grey(double value, double largest)
{
	const double part = 10 * value / largest;

	return (int) (127.5 + 127.5 * (part < -1 ? -1 : part > 1 ? 1 : part));
}

/* Four pixels a receiver, one for two steps; time goes down. */
static void write_picture(const struct shot *s, FILE *file)
{
	double largest = 1e-30;

	for (int t = 0; t < s->steps; t++)
		for (int r = 0; r < RECEIVERS; r++)
			largest = fmax(largest, fabs(gained(s, t, r)));
	fprintf(file, "P5 %d %d 255\n", 4 * RECEIVERS, s->steps / 2);
	for (int t = 0; t < s->steps / 2 * 2; t += 2)
		for (int x = 0; x < 4 * RECEIVERS; x++)
			putc(grey(gained(s, t, x / 4), largest), file);
}

static void write_traces(const struct shot *s, FILE *file)
{
	for (int r = 0; r < RECEIVERS; r++)
		for (int t = 0; t < s->steps; t++) {
			const float value = sample(s, t, r);

			fwrite(&value, sizeof(value), 1, file);
		}
}

static void write_file(const struct shot *s, const char *name,
	void (*write)(const struct shot *, FILE *))
{
	FILE *file = fopen(name, "wb");
	bool failed = !file;

	if (file) {
		write(s, file);
		failed = ferror(file);
		failed |= fclose(file) != 0;
	}
	if (failed) {
		perror(name);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct shot s = { .n = 160, .m = 80, .k = 110, .steps = 600 };
	int *sizes[] = { &s.n, &s.m, &s.k, &s.steps };

	for (int a = 1; a < argc && a <= 4; a++)
		*sizes[a - 1] = atoi(argv[a]);
	if (s.n < 40 || s.m < 40 || s.k < 40 || s.steps < 2 || argc > 5) {
		fputs("usage: shot [N M K [STEPS]], from 40 cells on\n", stderr);
		return 2;
	}
	prepare(&s);
	const double seconds = run(&s);
	const double points = (double) s.n * s.m * s.k * s.steps;

	printf("%d x %d x %d cells of %g m, %d steps of %.3f ms, %d sources, "
		"%d receivers\n", s.n, s.m, s.k, distance, s.steps,
		1e3 * s.dt, SOURCES, RECEIVERS);
	printf("%.2f s, %.3g GPoints/s\n", seconds, 1e-9 * points / seconds);
	write_file(&s, "shot.bin", write_traces);
	write_file(&s, "shot.pgm", write_picture);
	return 0;
}
