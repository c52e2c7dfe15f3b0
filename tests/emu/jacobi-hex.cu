/* A Jacobi stencil on a plane in hexagonal tiles, by hand: hexagons in time
 * and i, skewed rectangles in time and j, one block a hexagon, shared memory,
 * exact copy-in, results written through.
 *
 *	./jacobi-hex [N [M [STEPS]]]
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>

#ifndef H
#define H 2
#endif
#ifndef W0
#define W0 3
#endif
#ifndef W1
#define W1 32
#endif
#define PERIOD (2 * H + 2)		/* in time */
#define WIDTH (2 * W0 + 2 + 2 * H)	/* of a hexagon and its neighbour */
#define ROWS (2 * H + W0 + 3)
#define COLS (W1 + 2 * H + 3)
#define THREAD_ROWS 4

/* The first and last row of a hexagon at its time a. */
__host__ __device__ static inline int low(int a)
{
	return a - H - 1 > H - a ? a - H - 1 : H - a;
}

__host__ __device__ static inline int high(int a)
{
	return 3 * H + 1 + W0 - a < a + W0 + H ? 3 * H + 1 + W0 - a :
		a + W0 + H;
}

/* Whether the tile computes what its time a reads at row b, column c - a. */
__device__ static inline bool is_made(int a, int b, int c, int t, int i,
	int j, int N, int M)
{
	return a > 0 && t > 0 && b >= low(a - 1) && b <= high(a - 1) &&
		c >= 1 && c <= W1 && i > 0 && i < N - 1 && j > 0 && j < M - 1;
}

/* Whether time a of the tile reads row b, column c - a. */
__device__ static inline bool is_read(int a, int b, int c)
{
	int center = b >= low(a) && b <= high(a);

	return b >= low(a) - 1 && b <= high(a) + 1 && c >= -center &&
		c < W1 + center;
}

__global__ void __launch_bounds__(32 * THREAD_ROWS)
hexagons(float *A, int N, int M, int STEPS, int t0, int s0)
{
	__shared__ float s[2][ROWS][COLS];
	int first = s0 + (int) blockIdx.x * WIDTH;
	int tiles = (M + 2 * H + W1) / W1;

	for (int tile = 0; tile != tiles; tile++) {
		int j0 = tile * W1;
		for (int a = 0; a < PERIOD; a++) {
			int t = t0 + a;
			if (t < 0 || t >= STEPS)
				continue;
			for (int b = low(a) - 1 + (int) threadIdx.y;
			    b <= high(a) + 1; b += THREAD_ROWS) {
				int i = first + b;
				int center = b >= low(a) && b <= high(a);
				if (i < 0 || i >= N)
					continue;
				for (int c = (int) threadIdx.x - center;
				    c < W1 + center; c += 32) {
					int j = j0 - a + c;
					if (j < 0 || j >= M)
						continue;
					if (is_made(a, b, c, t, i, j, N, M))
						continue;
					if (a > 1 && t > 1 &&
					    is_read(a - 2, b, c - 2) &&
					    !is_made(a - 2, b, c - 2, t - 2, i,
						j, N, M))
						continue;
					s[t & 1][b + 1][c - a + 2 * H + 2] =
						A[((size_t) (t & 1) * N + i) *
						M + j];
				}
			}
		}
		__syncthreads();
		/* steps */
		for (int a = 0; a < PERIOD; a++) {
			int t = t0 + a, k = (int) threadIdx.x - a + 2 * H + 2;
			int j = j0 - a + (int) threadIdx.x, p = t & 1;
			if (t < 0 || t >= STEPS)
				continue;
			for (int b = low(a) + (int) threadIdx.y; b <= high(a);
			    b += THREAD_ROWS) {
				int i = first + b, r = b + 1;
				if (i < 1 || i >= N - 1 || j < 1 || j >= M - 1)
					continue;
				float v = 0.2f * (s[p][r][k] + s[p][r - 1][k] +
					s[p][r + 1][k] + s[p][r][k - 1] +
					s[p][r][k + 1]);
				s[1 - p][r][k] = v;
				A[((size_t) (1 - p) * N + i) * M + j] = v;
			}
			__syncthreads();
		}
		/* end of steps */
	}
}

static void jacobi(float *A, int N, int M, int STEPS)
{
	dim3 block(32, THREAD_ROWS);
	int blocks = N / WIDTH + 2;

	for (int t0 = 0; t0 < STEPS + H + 1; t0 += PERIOD) {
		hexagons<<<blocks, block>>>(A, N, M, STEPS, t0 - H - 1,
			-(H + W0 + 1));
		if (t0 < STEPS)
			hexagons<<<blocks, block>>>(A, N, M, STEPS, t0,
				-WIDTH);
	}
}

static void plain(float *A, int N, int M, int STEPS)
{
	for (int t = 0; t < STEPS; t++) {
		float *to = A + (size_t) ((t + 1) & 1) * N * M;
		const float *from = A + (size_t) (t & 1) * N * M;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				const float *f = from + (size_t) i * M + j;
				to[(size_t) i * M + j] = 0.2f * (f[0] + f[-M] +
					f[M] + f[-1] + f[1]);
			}
	}
}

int main(int argc, char **argv)
{
	int N = argc > 1 ? atoi(argv[1]) : 70;
	int M = argc > 2 ? atoi(argv[2]) : 101;
	int STEPS = argc > 3 ? atoi(argv[3]) : 13;
	size_t cells = 2 * (size_t) N * M, bytes = cells * sizeof(float);
	float *a = (float *) malloc(bytes), *b = (float *) malloc(bytes);
	float *device;
	int wrong = 0;
	double sum = 0;

	for (size_t i = 0; i < cells; i++)
		a[i] = b[i] = (float) (i % (cells / 2) * 7919 % 1000) / 1000;
	if (cudaMalloc(&device, bytes) != cudaSuccess ||
	    cudaMemcpy(device, a, bytes, cudaMemcpyHostToDevice) !=
	    cudaSuccess)
		return 2;
	clock_t start = clock();
	jacobi(device, N, M, STEPS);
	double seconds = (double) (clock() - start) / CLOCKS_PER_SEC;
	if (cudaGetLastError() != cudaSuccess ||
	    cudaMemcpy(a, device, bytes, cudaMemcpyDeviceToHost) !=
	    cudaSuccess || cudaFree(device) != cudaSuccess)
		return 2;
	plain(b, N, M, STEPS);
	for (size_t i = 0; i < cells; i++) {
		wrong += !(a[i] == b[i]);
		sum += a[i];
	}
	printf("sum %.6f, %d wrong\n", sum, wrong);
	if (argc > 4)
		fprintf(stderr, "%.3g updates per CPU second\n",
			(double) (N - 2) * (M - 2) * STEPS / seconds);
	free(a);
	free(b);
	return wrong != 0;
}
