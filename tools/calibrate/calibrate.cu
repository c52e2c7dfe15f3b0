/* Micro-benchmarks of a GPU; prints the lines of a machine file for stencilc.
 * "--quick" measures little, for a try.
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "calibrate: %s: %s\n", what,
		cudaGetErrorString(error));
	exit(1);
}

static int attribute(cudaDeviceAttr which)
{
	int value = 0;

	check(cudaDeviceGetAttribute(&value, which, 0), "attributes");
	return value;
}

/* Kernels ------------------------------------------------------------------*/

__global__ void nothing()
{
}

__global__ void copy(const float4 *from, float4 *to, size_t n)
{
	const size_t step = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += step)
		to[i] = from[i];
}

/* Reads "n" values "turns" times; "out" is never written, but may be. */
__global__ void read(const float4 *from, size_t n, int turns, float *out)
{
	const size_t step = (size_t)gridDim.x * blockDim.x;
	float sum = 0;

	for (int turn = 0; turn < turns; ++turn)
		for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
		     i < n; i += step) {
			const float4 x = __ldcg(&from[i]);

			sum += x.x + x.y + x.z + x.w;
		}
	if (sum == -1)
		*out = sum;
}

/* Each thread reads a column of shared memory, without bank conflicts. */
__global__ void read_shared(int turns, float *out)
{
	__shared__ float values[4096];
	float sum = 0;

	for (int i = threadIdx.x; i < 4096; i += blockDim.x)
		values[i] = (float)i;
	__syncthreads();
	for (int turn = 0; turn < turns; ++turn)
		for (int i = 0; i < 8; ++i)
			sum += ((volatile float *)values)[
				(threadIdx.x + 512 * i + 32 * turn) & 4095];
	if (sum == -1)
		*out = sum;
}

/* Each block reads its own 4096 values, which the cache of an SM holds, by the
 * path that the code of sweeps uses.
 */
__global__ void read_cached(const float *from, int turns, float *out)
{
	const float *own = from + 4096 * blockIdx.x;
	float sum = 0;

	for (int turn = 0; turn < turns; ++turn)
		for (int i = 0; i < 8; ++i)
			sum += __ldg(&own[
				(threadIdx.x + 512 * i + 32 * turn) & 4095]);
	if (sum == -1)
		*out = sum;
}

/* One thread follows "hops" links, each known when the last was loaded. */
__global__ void follow(const int *next, int hops, int *out)
{
	int at = 0;

	for (int hop = 0; hop < hops; ++hop)
		at = __ldg(&next[at]);
	*out = at;
}

__global__ void synchronize(int turns)
{
	for (int turn = 0; turn < turns; ++turn)
		__syncthreads();
}

__global__ void synchronize_grid(int turns)
{
	for (int turn = 0; turn < turns; ++turn)
		cooperative_groups::this_grid().sync();
}

/* Times --------------------------------------------------------------------*/

struct stopwatch {
	cudaEvent_t first, last;
};

static void start(struct stopwatch *w)
{
	check(cudaEventCreate(&w->first), "an event");
	check(cudaEventCreate(&w->last), "an event");
	check(cudaEventRecord(w->first, 0), "an event");
}

static double stop(struct stopwatch *w)
{
	float ms = 0;

	check(cudaGetLastError(), "a launch");
	check(cudaEventRecord(w->last, 0), "an event");
	check(cudaEventSynchronize(w->last), "a kernel");
	check(cudaEventElapsedTime(&ms, w->first, w->last), "an event");
	check(cudaEventDestroy(w->first), "an event");
	check(cudaEventDestroy(w->last), "an event");
	return ms * 1e-3;
}

struct sizes {
	int blocks;		/* that fill the device */
	size_t copied, cached;	/* float4s */
	int turns, launches;
	int hops;		/* of a thread that follows links */
	int threads;		/* of a block that waits at barriers */
	float4 *from, *to;
};

/* The least time of several runs. */
static double least(double (*run)(const struct sizes *s),
	const struct sizes *s)
{
	double best = run(s);

	for (int i = 0; i < 4; ++i) {
		const double seconds = run(s);

		best = seconds < best ? seconds : best;
	}
	return best;
}

static double run_copy(const struct sizes *s)
{
	struct stopwatch w;

	start(&w);
	copy<<<8 * s->blocks, 256>>>(s->from, s->to, s->copied);
	return stop(&w);
}

static double run_read(const struct sizes *s)
{
	struct stopwatch w;

	start(&w);
	read<<<2 * s->blocks, 1024>>>(s->from, s->cached, s->turns,
		(float *)s->to);
	return stop(&w);
}

static double run_shared(const struct sizes *s)
{
	struct stopwatch w;

	start(&w);
	read_shared<<<2 * s->blocks, 1024>>>(s->turns, (float *)s->to);
	return stop(&w);
}

static double run_cached(const struct sizes *s)
{
	struct stopwatch w;

	start(&w);
	read_cached<<<2 * s->blocks, 1024>>>((const float *)s->from, s->turns,
		(float *)s->to);
	return stop(&w);
}

static double run_follow(const struct sizes *s)
{
	struct stopwatch w;

	start(&w);
	follow<<<1, 1>>>((const int *)s->from, s->hops, (int *)s->to);
	return stop(&w);
}

static double run_synchronize(const struct sizes *s)
{
	struct stopwatch w;

	start(&w);
	synchronize<<<s->blocks, s->threads>>>(s->turns);
	return stop(&w);
}

/* Less the launch: blocks of strips are that large. */
static double run_grid(const struct sizes *s)
{
	struct stopwatch w;
	int turns = s->turns;
	void *arguments[] = { &turns };

	start(&w);
	check(cudaLaunchCooperativeKernel((const void *)synchronize_grid,
		dim3(s->blocks), dim3(128), arguments, 0, 0), "a launch");
	return stop(&w);
}

static double run_launch(const struct sizes *s)
{
	struct stopwatch w;

	start(&w);
	for (int i = 0; i < s->launches; ++i)
		nothing<<<s->blocks, 256>>>();
	return stop(&w);
}

/* The machine file ---------------------------------------------------------*/

static int lanes(int major, int minor)
{
	const int version = 10 * major + minor;

	if (version < 30)
		return version == 20 ? 32 : 48;
	if (version < 50)
		return 192;
	return version == 60 || (version >= 70 && version < 80) ||
		version == 80 ? 64 : 128;
}

static void print(const char *name, double value, const char *source)
{
	printf("%s = %.9g\t# %s\n", name, value, source);
}

static void print_attributes()
{
	static const char source[] = "reported by the driver";

	print("sm_count", attribute(cudaDevAttrMultiProcessorCount), source);
	print("lanes_per_sm", lanes(
		attribute(cudaDevAttrComputeCapabilityMajor),
		attribute(cudaDevAttrComputeCapabilityMinor)),
		"by the compute capability");
	print("clock_hz", 1e3 * attribute(cudaDevAttrClockRate), source);
	print("shared_bytes_per_sm", attribute(
		cudaDevAttrMaxSharedMemoryPerMultiprocessor), source);
	print("shared_bytes_per_block", attribute(
		cudaDevAttrMaxSharedMemoryPerBlockOptin), source);
	print("shared_reserved_bytes", attribute(
		cudaDevAttrReservedSharedMemoryPerBlock), source);
	print("registers_per_sm", attribute(
		cudaDevAttrMaxRegistersPerMultiprocessor), source);
	print("max_blocks_per_sm", attribute(
		cudaDevAttrMaxBlocksPerMultiprocessor), source);
	print("max_threads_per_sm", attribute(
		cudaDevAttrMaxThreadsPerMultiProcessor), source);
	print("max_threads_per_block", attribute(
		cudaDevAttrMaxThreadsPerBlock), source);
	print("warp_size", attribute(cudaDevAttrWarpSize), source);
	print("l2_bytes", attribute(cudaDevAttrL2CacheSize), source);
}

/* Seconds of a load that waits for the one before, in a ring of "bytes" with a
 * link every "stride" of them; a first turn brings it as near as it gets.
 */
static double latency(struct sizes s, size_t bytes, size_t stride)
{
	const size_t n = bytes / stride, words = stride / sizeof(int);
	int *next = (int *)malloc(bytes);
	double seconds;

	if (next == NULL) {
		fprintf(stderr, "calibrate: out of memory\n");
		exit(1);
	}
	for (size_t i = 0; i < n; ++i)
		next[i * words] = (int)((i + 1) % n * words);
	check(cudaMemcpy(s.from, next, bytes, cudaMemcpyHostToDevice),
		"a copy");
	free(next);
	seconds = least(run_follow, &s) / s.hops;
	check(cudaMemset(s.from, 0, bytes), "memory");
	return seconds;
}

/* The cache that loads of an SM go through: it ends where a ring takes more of
 * the way to the latency of L2 than a quarter.  What it loads at a time is told
 * by neighbouring loads beyond it, of which one in so many waits for L2.
 */
static void print_cache(const struct sizes *s, bool quick)
{
	const size_t first = 4096, most = quick ? 16384 : 512 * 1024;
	const double near = latency(*s, first, 128);
	const double far = latency(*s, 2 * most, 128);
	const double bytes = 8 * (far - near) /
		(latency(*s, 2 * most, 8) - near);
	size_t size = first, line = 32;

	while (size + size / 8 <= most &&
	       latency(*s, size + size / 8 / 128 * 128, 128) <
	       near + (far - near) / 4)
		size += size / 8 / 128 * 128;
	while (line < 256 && line * 1.5 < bytes)
		line *= 2;
	print("l1_bytes_per_sm", (double)size,
		"measured: where a ring of dependent loads becomes slower");
	print("l1_line_bytes", (double)line,
		"measured: of neighbouring loads beyond it");
}

/* A ring that L2 does not hold, and by half more, as other loads are on their way
 * where time matters.
 */
static void print_latency(const struct sizes *s)
{
	const size_t wanted = 16 * s->cached;
	const size_t cells = wanted < s->copied ? wanted : s->copied;

	print("memory_latency_s", 1.5 * latency(*s, cells * sizeof(float4),
		256), "measured: a ring of dependent loads, and by half more");
}

/* tau_sync, and of blocks of which sizes. */
static void print_barriers(struct sizes s)
{
	char name[32];

	s.threads = 256;
	print("sync_s", least(run_synchronize, &s) / s.turns,
		"measured: tau_sync, 256 threads");
	for (s.threads = 32; s.threads <= 1024; s.threads *= 2) {
		snprintf(name, sizeof(name), "sync_%d_s", s.threads);
		print(name, least(run_synchronize, &s) / s.turns,
			"measured: tau_sync of so many threads");
	}
}

static void print_measurements(const struct sizes *s)
{
	const double cells = 2.0 * s->blocks * 1024;
	const double idle = least(run_launch, s) / s->launches;

	print("bandwidth_bytes_per_s", 2.0 * sizeof(float4) *
		(double)s->copied / least(run_copy, s),
		"measured: a copy, bytes both ways; L is 1 over this");
	print("l2_bandwidth_bytes_per_s", (double)sizeof(float4) *
		(double)s->cached * s->turns / least(run_read, s),
		"measured: reads of a quarter of L2");
	print("l1_bandwidth_bytes_per_s", 4.0 * 8 * s->turns * cells /
		least(run_cached, s), "measured: loads that L1 holds");
	print("smem_bandwidth_bytes_per_s", 4.0 * 8 * s->turns * cells /
		least(run_shared, s), "measured: reads of shared memory");
	print_barriers(*s);
	print("launch_s", idle, "measured: T_sync, of many launches");
	if (attribute(cudaDevAttrCooperativeLaunch))
		print("grid_sync_s", least(run_grid, s) / s->turns,
			"measured: a block of 128 threads on each SM");
}

int main(int argc, char **argv)
{
	const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
	struct sizes s = {};
	int devices = 0;

	if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
		fprintf(stderr, "calibrate: there is no CUDA device\n");
		return 1;
	}
	s.blocks = quick ? 2 : attribute(cudaDevAttrMultiProcessorCount);
	s.cached = quick ? 1024 :
		(size_t)attribute(cudaDevAttrL2CacheSize) / 4 / sizeof(float4);
	s.copied = quick ? 4096 : (size_t)1 << 26;
	s.turns = quick ? 4 : 1000;
	s.launches = quick ? 4 : 1000;
	s.hops = quick ? 64 : 1 << 17;
	check(cudaMalloc((void **)&s.from, s.copied * sizeof(float4)),
		"memory");
	check(cudaMalloc((void **)&s.to, s.copied * sizeof(float4)), "memory");
	check(cudaMemset(s.from, 0, s.copied * sizeof(float4)), "memory");
	check(cudaMemset(s.to, 0, s.copied * sizeof(float4)), "memory");
	print_attributes();
	print_measurements(&s);
	print_cache(&s, quick);
	print_latency(&s);
	check(cudaFree(s.from), "memory");
	check(cudaFree(s.to), "memory");
	return 0;
}
