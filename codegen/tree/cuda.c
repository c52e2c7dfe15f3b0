/* The printer of CUDA files. */
#include "codegen/tree/gpu.h"
#include "codegen/tree/harness-cuda-text.h"
#include "codegen/tree/harness-mpi-cuda-text.h"
#include "codegen/tree/mpi-cuda-text.h"

#define THIS_CLUSTER "cooperative_groups::this_cluster()."

const struct spelling spelling_cuda = {
	.builtin = {
		[B_THREAD] = "threadIdx.", [B_BLOCK] = "blockIdx.",
		[B_BLOCKS] = "gridDim.", [B_EXTENTS] = "dim3(",
		[B_COPY_AHEAD] = "__pipeline_memcpy_async(",
		[B_END_COPIES] = "__pipeline_commit(",
		[B_WAIT_FOR_COPIES] = "__pipeline_wait_prior(",
		[B_BLOCK_BARRIER] = "__syncthreads(",
		[B_FENCE] = "__threadfence(",
		[B_WARP_BARRIER] = "__syncwarp(",
		[B_GRID_BARRIER] = "cooperative_groups::this_grid().sync(",
		[B_CLUSTER_BARRIER] = THIS_CLUSTER "sync(",
		[B_CLUSTER_ARRIVE] = THIS_CLUSTER "barrier_arrive(",
		[B_CLUSTER_WAIT] = THIS_CLUSTER "barrier_wait(",
		[B_CLUSTER_RANK] = THIS_CLUSTER "block_rank(",
		[B_CLUSTER_SHARED] = THIS_CLUSTER "map_shared_rank(",
		[B_FROM_LANE_BEFORE] = "__shfl_up_sync(0xffffffffu, ",
		[B_FROM_LANE_AFTER] = "__shfl_down_sync(0xffffffffu, ",
		[B_ALL_LANES] = "__all_sync(0xffffffffu, ",
		[RT_NEW] = "cudaMallocAsync(", [RT_DELETE] = "cudaFreeAsync(",
		[RT_COPY] = "cudaMemcpyAsync(",
		[RT_COPY_ROWS] = "cudaMemcpy2DAsync(",
		[RT_SET] = "cudaMemsetAsync(",
		[RT_WAIT_FOR_STREAM] = "cudaStreamSynchronize(",
		[RT_LAST_ERROR] = "cudaGetLastError(",
		[RT_ALLOCATE] = "cudaMalloc(", [RT_FREE] = "cudaFree(",
		[RT_COPY_NOW] = "cudaMemcpy(",
		[RT_WAIT_FOR_DEVICE] = "cudaDeviceSynchronize(",
		[RT_NEW_STREAM] = "cudaStreamCreateWithFlags(",
		[RT_DELETE_STREAM] = "cudaStreamDestroy(",
		[RT_BEGIN_CAPTURE] = "cudaStreamBeginCapture(",
		[RT_END_CAPTURE] = "cudaStreamEndCapture(",
		[RT_IS_CAPTURING] = "cudaStreamIsCapturing(",
		[RT_DELETE_GRAPH] = "cudaGraphDestroy(",
		[RT_PREPARE_GRAPH] = "cudaGraphInstantiateWithFlags(",
		[RT_LAUNCH_GRAPH] = "cudaGraphLaunch(",
		[RT_DELETE_GRAPH_RUN] = "cudaGraphExecDestroy(",
		[RT_SET_ATTRIBUTE] = "cudaFuncSetAttribute(",
		[RT_DEVICE] = "cudaGetDevice(",
		[RT_ASK_DEVICE] = "cudaDeviceGetAttribute(",
		[RT_BLOCKS_THAT_FIT] =
			"cudaOccupancyMaxActiveBlocksPerMultiprocessor(",
		[RT_LAUNCH_TOGETHER] = "cudaLaunchCooperativeKernel(",
		[W_SUCCESS] = "cudaSuccess", [W_ANY_WAY] = "cudaMemcpyDefault",
		[W_TO_DEVICE] = "cudaMemcpyHostToDevice",
		[W_TO_HOST] = "cudaMemcpyDeviceToHost",
		[W_NON_BLOCKING] = "cudaStreamNonBlocking",
		[W_OF_THREAD] = "cudaStreamCaptureModeThreadLocal",
		[W_NOT_CAPTURING] = "cudaStreamCaptureStatusNone",
		[W_DYNAMIC_BYTES] =
			"cudaFuncAttributeMaxDynamicSharedMemorySize",
		[W_COOPERATIVE] = "cudaDevAttrCooperativeLaunch",
		[W_MULTIPROCESSORS] = "cudaDevAttrMultiProcessorCount",
		[W_LANES] = "cudaDevAttrWarpSize",
	},
	.stream = "cudaStream_t", .error = "cudaError_t", .dropped = "",
	.graph = "cudaGraph_t", .graph_run = "cudaGraphExec_t",
	.capturing = "cudaStreamCaptureStatus",
	.restricted = "__restrict__",
	.shared = "__shared__ ", .aligned = "__align__(16) ",
	.runtime = "CUDART_VERSION",
	.half = "__half", .bfloat = "__nv_bfloat16",
	.harness = { harness_cuda_text, HARNESS_CUDA_LINES },
	.harness_of_ranks = { harness_mpi_cuda_text, HARNESS_MPI_CUDA_LINES },
};

static bool uses_clusters(const struct kunit *unit)
{
	return unit_uses(unit, B_CLUSTER_BARRIER) ||
		unit_uses(unit, B_CLUSTER_RANK);
}

static void print_includes(struct text *t, const struct kunit *unit)
{
	if (unit_uses(unit, B_GRID_BARRIER) || uses_clusters(unit))
		text_puts(t, "#include <cooperative_groups.h>\n");
	if (unit_uses(unit, B_END_COPIES))
		text_puts(t, "#include <cuda_pipeline.h>\n");
	text_puts(t, "#include <cuda_runtime.h>\n");
	if (unit_has_type(unit, TYPE_HALF))
		text_puts(t, "#include <cuda_fp16.h>\n");
	if (unit_has_type(unit, TYPE_BFLOAT))
		text_puts(t, "#include <cuda_bf16.h>\n");
	if (unit_uses(unit, B_BULK_COPY))
		text_puts(t, "#include <cuda/ptx>\n");
}

static void print_demand(struct text *t, const char *what)
{
	text_printf(t, "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900\n"
		"#error \"%s need sm_90 or newer: nvcc -arch=sm_90\"\n"
		"#endif\n\n", what);
}

static void print_demands(struct text *t, const struct kunit *unit)
{
	if (unit_uses(unit, B_BULK_COPY))
		print_demand(t, "copies in bulk (stencilc --async=bulk)");
	if (uses_clusters(unit))
		print_demand(t, "clusters of blocks (stencilc --tile=c=N)");
}

/* Barriers in shared memory at which the bytes of a row copied in bulk arrive: one thread says
 * how many to expect, and starts the copy.
 */
static void print_bulk_helpers(struct text *t, const struct kunit *unit)
{
	if (!unit_uses(unit, B_BULK_COPY))
		return;
	text_puts(t, "/* A barrier for copies that one thread announces. */\n"
		DEVICE_FUNCTION " void stencilc_begin_arrivals(uint64_t *arrived)\n{\n"
		"\tcuda::ptx::mbarrier_init(arrived, 1);\n"
		"\tcuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release,\n"
		"\t\tcuda::ptx::scope_cluster);\n}\n\n");
	text_puts(t, "/* The next phase of the barrier is for so many bytes. */"
		"\n" DEVICE_FUNCTION " void stencilc_expect_bytes(uint64_t *arrived, "
		"uint32_t bytes)\n{\n"
		"\tcuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release,"
		"\n\t\tcuda::ptx::scope_cta, cuda::ptx::space_shared, arrived, "
		"bytes);\n}\n\n");
	text_puts(t, DEVICE_FUNCTION " void stencilc_copy_bytes(void *to, "
		"const void *from,\n"
		"\tuint32_t bytes, uint64_t *arrived)\n{\n"
		"\tcuda::ptx::cp_async_bulk(cuda::ptx::space_cluster,\n"
		"\t\tcuda::ptx::space_global, to, from, bytes, arrived);\n}\n\n");
	text_puts(t, "/* Wait for the bytes of the phase of this parity. */\n"
		DEVICE_FUNCTION " void stencilc_wait_for_bytes(uint64_t *arrived, "
		"int parity)\n{\n"
		"\twhile (!cuda::ptx::mbarrier_try_wait_parity(arrived, parity))"
		"\n\t\t;\n}\n\n");
	if (unit_uses(unit, B_BULK_FENCE))
		text_puts(t,
			"/* Copies in bulk see what was stored before. */\n"
			DEVICE_FUNCTION " void stencilc_order_copies(void)\n{\n"
			"\tcuda::ptx::fence_proxy_async();\n}\n\n");
}

/* The PTX manual: rsqrt errs by up to 2^-22.9 of the value, sqrt by 2^-23, rcp by a unit in the
 * last place.  For doubles they read and return only the upper 32 bits: an error of 2^-20 each.
 */
static void print_seed(struct text *t, enum builtin builtin,
	enum scalar scalar)
{
	bool is_double = scalar == CT_DOUBLE;
	const char *name = builtin == B_INVERSE ? "rcp" :
		builtin == B_OVER_ROOT || is_double ? "rsqrt" : "sqrt";

	text_printf(t, "\t%s y;\n\n"
		"\tasm(\"%s.approx.ftz.%s %%0, %%1;\" : \"=%c\"(y) : \"%c\"(x));"
		"\n", is_double ? "double" : "float", name,
		is_double ? "f64" : "f32", is_double ? 'd' : 'f',
		is_double ? 'd' : 'f');
}

static int resident(int blocks, int threads)
{
	(void) threads;
	return blocks;
}

void print_cuda(struct text *t, const struct kunit *unit)
{
	static const struct gpu_language cuda = {
		.say = &spelling_cuda, .print_includes = print_includes,
		.print_demands = print_demands,
		.print_helpers = print_bulk_helpers,
		.print_seed = print_seed, .resident = resident,
		.mpi = mpi_cuda_text, .mpi_lines = MPI_CUDA_LINES,
		.max_grid_x = "2147483647",
		.error_text = "cudaGetErrorString((cudaError_t)",
		.dynamic = "extern __shared__ __align__(128) ",
	};

	gpu_print(t, &cuda, unit);
}
