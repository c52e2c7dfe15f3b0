/* The printer of HIP files. */
#include "codegen/tree/gpu.h"
#include "codegen/tree/harness-hip-text.h"
#include "codegen/tree/harness-mpi-hip-text.h"
#include "codegen/tree/mpi-hip-text.h"

/* Where there is no mask, all lanes of a warp take part.  No copy to shared
 * memory runs beside its thread.
 */
const struct spelling spelling_hip = {
	.builtin = {
		[B_THREAD] = "threadIdx.", [B_BLOCK] = "blockIdx.",
		[B_BLOCKS] = "gridDim.", [B_EXTENTS] = "dim3(",
		[B_BLOCK_BARRIER] = "__syncthreads(",
		[B_FENCE] = "__threadfence(",
		[B_GRID_BARRIER] = "cooperative_groups::this_grid().sync(",
		[B_FROM_LANE_BEFORE] = "__shfl_up(",
		[B_FROM_LANE_AFTER] = "__shfl_down(",
		[B_ALL_LANES] = "__all(",
		[RT_NEW] = "hipMallocAsync(", [RT_DELETE] = "hipFreeAsync(",
		[RT_COPY] = "hipMemcpyAsync(",
		[RT_COPY_ROWS] = "hipMemcpy2DAsync(",
		[RT_SET] = "hipMemsetAsync(",
		[RT_WAIT_FOR_STREAM] = "hipStreamSynchronize(",
		[RT_LAST_ERROR] = "hipGetLastError(",
		[RT_ALLOCATE] = "hipMalloc(", [RT_FREE] = "hipFree(",
		[RT_COPY_NOW] = "hipMemcpy(",
		[RT_WAIT_FOR_DEVICE] = "hipDeviceSynchronize(",
		[RT_NEW_STREAM] = "hipStreamCreateWithFlags(",
		[RT_DELETE_STREAM] = "hipStreamDestroy(",
		[RT_BEGIN_CAPTURE] = "hipStreamBeginCapture(",
		[RT_END_CAPTURE] = "hipStreamEndCapture(",
		[RT_IS_CAPTURING] = "hipStreamIsCapturing(",
		[RT_DELETE_GRAPH] = "hipGraphDestroy(",
		[RT_PREPARE_GRAPH] = "hipGraphInstantiateWithFlags(",
		[RT_LAUNCH_GRAPH] = "hipGraphLaunch(",
		[RT_DELETE_GRAPH_RUN] = "hipGraphExecDestroy(",
		[RT_SET_ATTRIBUTE] = "hipFuncSetAttribute((const void *)",
		[RT_DEVICE] = "hipGetDevice(",
		[RT_ASK_DEVICE] = "hipDeviceGetAttribute(",
		[RT_BLOCKS_THAT_FIT] =
			"hipOccupancyMaxActiveBlocksPerMultiprocessor(",
		[RT_LAUNCH_TOGETHER] = "hipLaunchCooperativeKernel(",
		[W_SUCCESS] = "hipSuccess", [W_ANY_WAY] = "hipMemcpyDefault",
		[W_TO_DEVICE] = "hipMemcpyHostToDevice",
		[W_TO_HOST] = "hipMemcpyDeviceToHost",
		[W_NON_BLOCKING] = "hipStreamNonBlocking",
		[W_OF_THREAD] = "hipStreamCaptureModeThreadLocal",
		[W_NOT_CAPTURING] = "hipStreamCaptureStatusNone",
		[W_DYNAMIC_BYTES] =
			"hipFuncAttributeMaxDynamicSharedMemorySize",
		[W_COOPERATIVE] = "hipDeviceAttributeCooperativeLaunch",
		[W_MULTIPROCESSORS] = "hipDeviceAttributeMultiprocessorCount",
		[W_LANES] = "hipDeviceAttributeWarpSize",
	},
	.stream = "hipStream_t", .error = "hipError_t", .dropped = "(void)",
	.graph = "hipGraph_t", .graph_run = "hipGraphExec_t",
	.capturing = "hipStreamCaptureStatus",
	.restricted = "__restrict__",
	.shared = "__shared__ ", .aligned = "__align__(16) ",
	.runtime = "HIP_VERSION",
	.half = "__half",
	.harness = { harness_hip_text, HARNESS_HIP_LINES },
	.harness_of_ranks = { harness_mpi_hip_text, HARNESS_MPI_HIP_LINES },
};

static void print_includes(struct text *t, const struct kunit *unit)
{
	text_puts(t, "#include <hip/hip_runtime.h>\n");
	if (unit_has_type(unit, TYPE_HALF))
		text_puts(t, "#include <hip/hip_fp16.h>\n");
	if (unit_uses(unit, B_GRID_BARRIER))
		text_puts(t, "#include <hip/hip_cooperative_groups.h>\n");
}

/* Some compilers know how many lanes the warps have that they compile for; the
 * code asks the device, too.
 */
static void print_demands(struct text *t, const struct kunit *unit)
{
	if (unit->lanes)
		text_printf(t, "#if defined(__HIP_DEVICE_COMPILE__) && "
			"defined(__AMDGCN_WAVEFRONT_SIZE)\n"
			"#if __AMDGCN_WAVEFRONT_SIZE != %d\n"
			"#error \"made for warps of %d threads: "
			"stencilc --arch names the device\"\n"
			"#endif\n#endif\n\n", unit->lanes, unit->lanes);
}

static void print_no_helpers(struct text *t, const struct kunit *unit)
{
	(void) t;
	(void) unit;
}

/* AMD's instruction set manuals: an error of a unit in the last place; for doubles, 2^29 of
 * them.
 */
static void print_seed(struct text *t, enum builtin builtin,
	enum scalar scalar)
{
	bool is_double = scalar == CT_DOUBLE;
	const char *name = builtin == B_INVERSE ? "rcp" :
		builtin == B_OVER_ROOT || is_double ? "rsq" : "sqrt";

	text_printf(t, "\tconst %s y = __builtin_amdgcn_%s%s(x);\n",
		is_double ? "double" : "float", name, is_double ? "" : "f");
}

/* How many warps, of 64 threads, each of a processor's four SIMD units holds. */
static int resident(int blocks, int threads)
{
	return larger(1, blocks * threads / (4 * 64));
}

void print_hip(struct text *t, const struct kunit *unit)
{
	/* Fewer than 2^32 threads, in blocks of up to 1024. */
	static const struct gpu_language hip = {
		.say = &spelling_hip, .print_includes = print_includes,
		.print_demands = print_demands,
		.print_helpers = print_no_helpers,
		.print_seed = print_seed, .resident = resident,
		.mpi = mpi_hip_text, .mpi_lines = MPI_HIP_LINES,
		.max_grid_x = "4194303",
		.error_text = "hipGetErrorString((hipError_t)",
		.dynamic = "extern __shared__ __align__(128) ",
	};

	gpu_print(t, &hip, unit);
}
