/* Cooperative groups: grid, cluster, block and tiles of a warp. */
#ifndef STENCILC_EMU_COOPERATIVE_GROUPS_H
#define STENCILC_EMU_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

extern "C" void stencilc_emu_grid_sync(int line);
extern "C" int stencilc_emu_grid_is_valid(void);
extern "C" void stencilc_emu_cluster_arrive(int line);
extern "C" void stencilc_emu_cluster_wait(int line);
extern "C" unsigned stencilc_emu_cluster_rank(void);
extern "C" unsigned stencilc_emu_cluster_extent(int axis);
extern "C" void *stencilc_emu_map_shared(const void *p, unsigned rank);
extern "C" unsigned stencilc_emu_shared_rank(const void *p);

namespace cooperative_groups {

class grid_group {
public:
	void sync(int line = __builtin_LINE()) const
	{
		stencilc_emu_grid_sync(line);
	}
	bool is_valid() const { return stencilc_emu_grid_is_valid(); }
	unsigned long long num_blocks() const
	{
		return (unsigned long long) gridDim.x * gridDim.y * gridDim.z;
	}
	unsigned long long block_rank() const
	{
		return blockIdx.x + (unsigned long long) gridDim.x *
			(blockIdx.y + (unsigned long long) gridDim.y *
			blockIdx.z);
	}
	unsigned long long num_threads() const
	{
		return num_blocks() * blockDim.x * blockDim.y * blockDim.z;
	}
	unsigned long long size() const { return num_threads(); }
	unsigned long long thread_rank() const
	{
		return block_rank() * blockDim.x * blockDim.y * blockDim.z +
			threadIdx.x + blockDim.x * (threadIdx.y +
			blockDim.y * threadIdx.z);
	}
	dim3 group_dim() const { return gridDim; }
	dim3 block_index() const { return blockIdx; }
};

/* A kernel without __cluster_dims__ has clusters of one block. */
class cluster_group {
public:
	struct arrival_token {};

	__attribute__((always_inline))
	static arrival_token barrier_arrive(int line = __builtin_LINE())
	{
		stencilc_emu_cluster_arrive(line);
		return arrival_token();
	}
	__attribute__((always_inline))
	static void barrier_wait(int line = __builtin_LINE())
	{
		stencilc_emu_cluster_wait(line);
	}
	__attribute__((always_inline))
	static void barrier_wait(arrival_token &&,
		int line = __builtin_LINE())
	{
		stencilc_emu_cluster_wait(line);
	}
	__attribute__((always_inline))
	static void sync(int line = __builtin_LINE())
	{
		stencilc_emu_cluster_arrive(line);
		stencilc_emu_cluster_wait(line);
	}
	template <class T> __attribute__((always_inline))
	static T *map_shared_rank(T *p, int rank)
	{
		return (T *) stencilc_emu_map_shared(p, rank);
	}
	static unsigned query_shared_rank(const void *p)
	{
		return stencilc_emu_shared_rank(p);
	}
	static dim3 dim_blocks()
	{
		return dim3(stencilc_emu_cluster_extent(0),
			stencilc_emu_cluster_extent(1),
			stencilc_emu_cluster_extent(2));
	}
	static unsigned num_blocks()
	{
		const dim3 n = dim_blocks();
		return n.x * n.y * n.z;
	}
	static unsigned block_rank() { return stencilc_emu_cluster_rank(); }
	static dim3 block_index()
	{
		const dim3 n = dim_blocks();
		return dim3(blockIdx.x % n.x, blockIdx.y % n.y,
			blockIdx.z % n.z);
	}
	static unsigned num_threads()
	{
		return num_blocks() * blockDim.x * blockDim.y * blockDim.z;
	}
	static unsigned size() { return num_threads(); }
	static unsigned thread_rank()
	{
		return block_rank() * blockDim.x * blockDim.y * blockDim.z +
			threadIdx.x + blockDim.x * (threadIdx.y +
			blockDim.y * threadIdx.z);
	}
};

class thread_block {
public:
	__attribute__((always_inline))
	static void sync(int line = __builtin_LINE())
	{
		stencilc_emu_barrier(line);
	}
	static unsigned thread_rank()
	{
		return threadIdx.x + blockDim.x * (threadIdx.y +
			blockDim.y * threadIdx.z);
	}
	static unsigned num_threads()
	{
		return blockDim.x * blockDim.y * blockDim.z;
	}
	static unsigned size() { return num_threads(); }
	static dim3 group_index() { return blockIdx; }
	static dim3 thread_index() { return threadIdx; }
	static dim3 group_dim() { return blockDim; }
	static dim3 dim_threads() { return blockDim; }
};

/* "N" consecutive lanes of a warp, N a power of 2. */
template <unsigned N> class thread_block_tile {
	static_assert(N && N <= STENCILC_EMU_LANES && (N & (N - 1)) == 0,
		"a tile is a warp, or a half, a quarter, .. of one");
	static unsigned rank() { return thread_block::thread_rank(); }
	static stencilc_emu_lanes mask()
	{
		stencilc_emu_lanes all = N == 64 ? ~0ull :
			(1ull << N % 64) - 1;
		return all << (rank() % STENCILC_EMU_LANES / N * N);
	}
public:
	void sync(int line = __builtin_LINE()) const
	{
		stencilc_emu_syncwarp(mask(), line);
	}
	unsigned thread_rank() const { return rank() % N; }
	unsigned num_threads() const { return N; }
	unsigned size() const { return N; }
	unsigned meta_group_rank() const { return rank() / N; }
	unsigned meta_group_size() const
	{
		return (thread_block::size() + N - 1) / N;
	}
	template <class T>
	T shfl(T v, int from, int line = __builtin_LINE()) const
	{
		return __shfl_sync(mask(), v, from, N, line);
	}
	template <class T>
	T shfl_up(T v, unsigned d, int line = __builtin_LINE()) const
	{
		return __shfl_up_sync(mask(), v, d, N, line);
	}
	template <class T>
	T shfl_down(T v, unsigned d, int line = __builtin_LINE()) const
	{
		return __shfl_down_sync(mask(), v, d, N, line);
	}
	template <class T>
	T shfl_xor(T v, int lanes, int line = __builtin_LINE()) const
	{
		return __shfl_xor_sync(mask(), v, lanes, N, line);
	}
	int any(int p, int line = __builtin_LINE()) const
	{
		return __any_sync(mask(), p, line);
	}
	int all(int p, int line = __builtin_LINE()) const
	{
		return __all_sync(mask(), p, line);
	}
	stencilc_emu_lanes ballot(int p, int line = __builtin_LINE()) const
	{
		return stencilc_emu_ballot(mask(), p, line) >>
			(rank() % STENCILC_EMU_LANES / N * N);
	}
};

inline grid_group this_grid() { return grid_group(); }
inline cluster_group this_cluster() { return cluster_group(); }
inline thread_block this_thread_block() { return thread_block(); }

template <unsigned N>
inline thread_block_tile<N> tiled_partition(const thread_block &)
{
	return thread_block_tile<N>();
}

template <class G>
inline __attribute__((always_inline))
void sync(const G &g, int line = __builtin_LINE())
{
	g.sync(line);
}

}

#endif
