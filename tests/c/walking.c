// args: --no-alias
/* Pointers and subscripts that advance with the loops. */
#include <stdio.h>

#define N 40
#define M 36

static double a[N * M], b[N * M];

static void rows(int steps, double *a, double *b, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++) {
			double *p = b + i * m + 1;
			const double *q = a + i * m + 1;

			for (int j = 1; j < m - 1; j++) {
				*p++ = 0.25 * (q[-m] + q[m] + q[-1] + q[1]);
				q++;
			}
		}
		for (int i = n - 2; i >= 1; i--) {
			double *p = a + i * m + m - 1, *q = b + i * m + m - 2;

			for (int j = m - 2; j >= 1; j--)
				*--p = *q--;
		}
	}
#pragma endscop
}

static void grids(int steps, double *a, double *b, int n, int m)
{
	double *p, *q;
#pragma scop
	for (int t = 0; t < steps; t++) {
		p = b + m + 1;
		q = a + m + 1;
		for (int i = 1; i < n - 1; i++) {
			for (int j = 1; j < m - 1; j++)
				*p++ = 0.2 * (q[-m] + q[m] + q[0] + q[-1] + q[1]), q++;
			p += 2;
			q = q + 2;
		}
		int k = m + 1;
		for (int i = 1; i < n - 1; i++, k += 2)
			for (int j = 1; j < m - 1; j++)
				a[k] = b[k], k++;
	}
#pragma endscop
}

static void smooth(double *to, const double *from, int n)
{
	for (int j = 0; j < n; j++, from++)
		*to++ = 0.3 * (from[-1] + from[0] + from[1]);
}

static void ends(int steps, double *a, double *b, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			smooth(b + i * m + 1, a + i * m + 1, m - 2);
		for (int i = 1; i < n - 1; i++) {
			const double *q = b + i * m;

			for (double *p = a + i * m + 1; p != a + i * m + m - 1; p++)
				*p = *++q;
		}
	}
#pragma endscop
}

/* A number that counts iterations. */
static void counted(int steps, double *a, double *b, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		int c = 0;

		for (int i = 0; i < n; i++) {
			b[i] = c * a[i];
			c++;
		}
		for (int i = 1; i < n; i++)
			a[i] = a[i] - b[i - 1] * 1e-4;
	}
#pragma endscop
}

static void show(void)
{
	double sum = 0;

	for (int k = 0; k < N * M; k++)
		sum = sum * 0.99 + a[k] + 3 * b[k];
	printf("%.17g\n", sum);
}

int main(void)
{
	for (int k = 0; k < N * M; k++)
		a[k] = b[k] = k * 7 % 23 * 0.5;
	rows(9, a, b, N, M);
	show();
	grids(7, a, b, N, M);
	show();
	grids(3, a, b, 9, 2);	/* no column within */
	grids(3, a, b, 5, 1);	/* and one fewer */
	show();
	ends(5, a, b, N, M);
	show();
	counted(3, a, b, 50);
	show();
	return 0;
}
