/* Arrays of integers of all sizes, with and without signs, and operations on their bits. */
#include <stdbool.h>
#include <stdint.h>
#include "data.h"

#define N 22
#define M 19

static unsigned char image[N][M], bright[2][N][M];
static signed char small[N][M], smaller[N][M];
static uint16_t heat[N][M], warm[N][M];
static short deep[2][N][M];
static uint32_t noise[2][N][M], few[N][M];
static int64_t sum[N][M], next[N][M];
static uint64_t hash[2][N][M];
static int life[2][N][M], signs[N][M];
static bool dead[N][M];

/* Sums of bytes are ints, and wrap where they are stored. */
static void smooth(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				unsigned char low = image[i][j] & 0x0f;
				signed char half = (signed char) (image[i][j] * 3) / 2;

				bright[(t + 1) % 2][i][j] = (bright[t % 2][i - 1][j] + bright[t % 2][i + 1][j]
					+ bright[t % 2][i][j - 1] + bright[t % 2][i][j + 1] + 2) / 4 + low - half;
			}
#pragma endscop
}

/* Bits of bytes, chosen and shifted, in place of what was there. */
static void dilate(int steps, int by)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				smaller[i][j] = (small[i - 1][j] | small[i + 1][j]) ^ (small[i][j - 1] & ~small[i][j + 1])
					^ ((small[i][j] & 63) << 2) ^ (small[i][j] >> by);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				small[i][j] = smaller[i][j];
			}
	}
#pragma endscop
}

/* What is added to an element, under conditions on data; reals become integers. */
static void warmer(int steps, float q)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				warm[i][j] = heat[i][j] > 30000 ? heat[i][j] >> 1 : q * heat[i - 1][j] + heat[i + 1][j] % 7;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				if (warm[i][j] & 1)
					heat[i][j] += warm[i][j] * 5;
	}
#pragma endscop
}

static void deeper(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				short d = deep[t % 2][i][j] * 3 + i;

				deep[(t + 1) % 2][i][j] = d < 0 ? -d : d - deep[t % 2][i][j - 1];
			}
#pragma endscop
}

/* Unsigned numbers wrap, and loops count with unsigned and long counters. */
static void mix(int steps, unsigned seed)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (unsigned i = 1; i < N - 1; i++)
			for (long j = 1; j < M - 1; j++) {
				uint32_t x = noise[t % 2][i][j] * 1664525u + 1013904223u + seed;

				x ^= noise[t % 2][i - 1][j] << 13;
				x ^= x >> 17;
				x -= i;
				noise[(t + 1) % 2][i][j] = x > noise[t % 2][i][j + 1] ? x / 3 : x - noise[t % 2][i + 1][j] % 10;
			}
#pragma endscop
}

static void add_up(int steps, long big)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (long i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				int64_t product = (int64_t) few[i][j] * signs[i][j];
				long far = sum[i][j - 1] - big * i;

				next[i][j] = product + far / 3 + (2 * i + j) * big - (few[i][j] - signs[i][j]);
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				sum[i][j] = next[i][j] > 1000000000000 ? next[i][j] % 1000003 : -next[i][j];
	}
#pragma endscop
}

static void hashes(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				uint64_t h = hash[t % 2][i][j] ^ hash[t % 2][i - 1][j + 1];

				h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
				h *= 6364136223846793005ul;
				if (h % 4 > 2)
					h = -h;
				hash[(t + 1) % 2][i][j] = h + ~hash[t % 2][i][j - 1] + (h < 0x8000000000000000u);
			}
#pragma endscop
}

/* Of int alone: the game of life by bits. */
static void lives(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				unsigned char inner = i > 2 && j < M - 2;
				int n = life[t & 1][i - 1][j] + life[t & 1][i + 1][j] + life[t & 1][i][j - 1]
					+ life[t & 1][i][j + 1];

				if (inner)
					life[(t + 1) & 1][i][j] = ((0x0c >> n & 1) | (life[t & 1][i][j] & (n ^ 2))) & !dead[i][j];
			}
#pragma endscop
}

static void fill_bytes(void *a, size_t size)
{
	unsigned char *byte = (unsigned char *) a;

	for (size_t i = 0; i < size; i++)
		byte[i] = (unsigned char) (data_next() * 16);
}

int main(void)
{
	for (int steps = 0; steps < 5; steps++) {
		fill_bytes(image, sizeof(image));
		fill_bytes(bright, sizeof(bright));
		fill_bytes(small, sizeof(small));
		fill_bytes(heat, sizeof(heat));
		fill_bytes(deep, sizeof(deep));
		fill_bytes(noise, sizeof(noise));
		fill_bytes(few, sizeof(few));
		fill_bytes(hash, sizeof(hash));
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++) {
				sum[i][j] = (int64_t) data_next() * 1000000007;
				dead[i][j] = i * j % 11 == 3;
				signs[i][j] = (i + j) % 5 - 2;
				life[0][i][j] = life[1][i][j] = data_next() > 0;
			}
		smooth(steps);
		dilate(steps, 3);
		warmer(steps, 0.75f);
		deeper(steps);
		mix(steps, 77);
		add_up(steps, 123456);
		hashes(steps);
		lives(steps);
		sum_bytes("bright", bright, sizeof(bright));
		sum_bytes("small", small, sizeof(small));
		sum_bytes("heat", heat, sizeof(heat));
		sum_bytes("warm", warm, sizeof(warm));
		sum_bytes("deep", deep, sizeof(deep));
		sum_bytes("noise", noise, sizeof(noise));
		sum_bytes("sum", sum, sizeof(sum));
		sum_bytes("next", next, sizeof(next));
		sum_bytes("hash", hash, sizeof(hash));
		sum_bytes("life", life, sizeof(life));
	}
	return 0;
}
