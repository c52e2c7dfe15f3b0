// Arrays of long long, which C tells apart from int64_t, beside a region of int64_t; and both in one region.
#include <stdint.h>
#include "data.h"

#define N 26
#define M 17

struct cell { long long weight; float heat; };

static long long sum[2][N][M];
static unsigned long long hash[2][N][M];
static int64_t own[2][N][M];
static struct cell cell[2][N];

static void add(int steps, long long most)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				long long far = sum[t % 2][i][j - 1] * 3 - i;
				unsigned long long h = hash[t % 2][i][j] ^ hash[t % 2][i - 1][j + 1];

				h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
				sum[(t + 1) % 2][i][j] = far > most ? far % 1000003 : sum[t % 2][i - 1][j] - far;
				hash[(t + 1) % 2][i][j] = h + (h > hash[t % 2][i][j - 1]);
			}
#pragma endscop
}

static void mix(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				own[(t + 1) % 2][i][j] = own[t % 2][i][j - 1] * 5 ^ own[t % 2][i + 1][j];
#pragma endscop
}

static void weigh(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++) {
			cell[(t + 1) % 2][i].weight = cell[t % 2][i - 1].weight * 7 + cell[t % 2][i + 1].weight;
			cell[(t + 1) % 2][i].heat = 0.5f * cell[t % 2][i].heat + cell[t % 2][i - 1].heat;
		}
#pragma endscop
}

static void both(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				sum[1][i][j] = own[0][i - 1][j] ^ own[0][i][j + 1] >> 3 ^ (long) hash[0][i][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				own[0][i][j] = sum[1][i][j] >> 1 ^ own[0][i][j];
	}
#pragma endscop
}

int main(void)
{
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < N; i++) {
			cell[k][i] = (struct cell) { i * 1000000007LL, (float) i };
			for (int j = 0; j < M; j++) {
				sum[k][i][j] = (long long) data_next() * 1000000007;
				hash[k][i][j] = (unsigned long long) i * 0x9e3779b97f4a7c15u + (unsigned) j;
				own[k][i][j] = i * 1000003 + j;
			}
		}
	add(9, 1000000000);
	mix(8);
	weigh(7);
	sum_bytes("sum", sum, sizeof(sum));
	sum_bytes("hash", hash, sizeof(hash));
	sum_bytes("own", own, sizeof(own));
	both(11);
	sum_bytes("sum", sum, sizeof(sum));
	sum_bytes("own", own, sizeof(own));
	for (int i = 0; i < N; i++)
		printf("%lld %a\n", cell[1][i].weight, (double) cell[1][i].heat);
	return 0;
}
