/* Launches: refuse what a GPU refuses, then run. */
#include <memory>

#include "call.h"

namespace stencilc_emu {

/* Dynamic shared memory, the same for each block: blocks run one after the
 * other.
 */
extern "C" {
__attribute__((aligned(1024)))
char stencilc_emu_dynamic_shared[max_dynamic_bytes];
}

static std::string dim(dim3 d)
{
	return format("(%u, %u, %u)", d.x, d.y, d.z);
}

static cudaError_t judge_grid(const request &r, std::string &why)
{
	const int *most = device_properties().maxGridSize;

	if (!r.grid.x || !r.grid.y || !r.grid.z)
		why = "a grid of 0 blocks, " + dim(r.grid);
	else if (r.grid.x > (unsigned) most[0] ||
	    r.grid.y > (unsigned) most[1] || r.grid.z > (unsigned) most[2])
		why = "the grid is too large, " + dim(r.grid);
	else if (is_hip && ((uint64_t) r.grid.x * r.block.x >> 32 ||
	    (uint64_t) r.grid.y * r.block.y >> 32))
		why = "2^32 threads or more in a dimension, blocks " +
			dim(r.grid) + " of " + dim(r.block);
	else
		return cudaSuccess;
	return cudaErrorInvalidConfiguration;
}

static cudaError_t judge_block(const kernel &k, const request &r,
	std::string &why)
{
	const int *most = device_properties().maxThreadsDim;
	uint64_t threads = (uint64_t) r.block.x * r.block.y * r.block.z;

	if (!threads)
		why = "a block of 0 threads, " + dim(r.block);
	else if (r.block.x > (unsigned) most[0] ||
	    r.block.y > (unsigned) most[1] ||
	    r.block.z > (unsigned) most[2] || threads > max_block_threads)
		why = "the block is too large, " + dim(r.block);
	else if (threads > k.max_threads) {
		why = format("%u threads, but the kernel's launch bound is %u",
			(unsigned) threads, k.max_threads);
		return cudaErrorLaunchOutOfResources;
	} else
		return cudaSuccess;
	return cudaErrorInvalidConfiguration;
}

static cudaError_t judge_shared(const kernel &k, const request &r,
	std::string &why)
{
	const size_t most = device_properties().sharedMemPerBlock;

	if (k.static_bytes > most) {
		why = format("%zu bytes of static shared memory, %zu are "
			"possible", k.static_bytes, most);
		return cudaErrorInvalidValue;
	}
	if (r.dynamic_bytes > k.max_dynamic) {
		why = format("%zu bytes of dynamic shared memory, allowed are "
			"%zu (cudaFuncAttributeMaxDynamicSharedMemorySize)",
			r.dynamic_bytes, k.max_dynamic);
		return cudaErrorInvalidValue;
	}
	if (k.static_bytes + r.dynamic_bytes >
	    device_properties().sharedMemPerBlockOptin) {
		why = format("%zu bytes of shared memory, %zu are possible",
			k.static_bytes + r.dynamic_bytes,
			device_properties().sharedMemPerBlockOptin);
		return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

static cudaError_t judge_clusters(const kernel &k, const request &r,
	std::string &why)
{
	const dim3 c = k.cluster;

	if (!has_clusters(k))
		return cudaSuccess;
	if (cluster_blocks(k) > max_cluster_blocks)
		why = format("a cluster of %u blocks, %u are possible",
			cluster_blocks(k), max_cluster_blocks);
	else if (r.grid.x % c.x || r.grid.y % c.y || r.grid.z % c.z)
		why = "the grid, " + dim(r.grid) + ", is no multiple of the "
			"cluster, " + dim(c);
	else if (r.cooperative) {
		why = "a cooperative launch of clusters, which the emulator "
			"has not";
		return cudaErrorNotSupported;
	} else
		return cudaSuccess;
	return cudaErrorInvalidClusterSize;
}

static cudaError_t judge_cooperation(const kernel &k, const request &r,
	std::string &why)
{
	uint64_t blocks = (uint64_t) r.grid.x * r.grid.y * r.grid.z;
	uint64_t most = device_properties().multiProcessorCount;

	if (!r.cooperative)
		return cudaSuccess;
	most *= resident_blocks(k, r.block.x * r.block.y * r.block.z,
		r.dynamic_bytes);
	if (blocks <= most)
		return cudaSuccess;
	why = format("%llu blocks, %llu can be resident at once",
		(unsigned long long) blocks, (unsigned long long) most);
	return cudaErrorCooperativeLaunchTooLarge;
}

static cudaError_t judge(const kernel &k, const request &r, std::string &why)
{
	cudaError_t e = !is_stream(r.stream) ? cudaErrorInvalidResourceHandle :
		is_captured(r.stream) ? cudaSuccess :
		capture_forbids("a launch", nullptr, r.stream);

	if (e == cudaSuccess)
		e = judge_grid(r, why);
	if (e == cudaSuccess)
		e = judge_block(k, r, why);
	if (e == cudaSuccess)
		e = judge_shared(k, r, why);
	if (e == cudaSuccess)
		e = judge_clusters(k, r, why);
	if (e == cudaSuccess)
		e = judge_cooperation(k, r, why);
	return e;
}

static std::string launch_of(const kernel &k)
{
	return "the launch of " + k.name;
}

static cudaError_t try_launch(const request &r, void (*body)(void *),
	void *closure, const void *site, std::string &why)
{
	kernel &k = kernel_at(r.kernel, r.name);

	if (must_fail(launch_of(k).c_str(), site))
		return cudaErrorLaunchOutOfResources;
	cudaError_t e = judge(k, r, why);
	if (e == cudaSuccess)
		launch_blocks(k, r, body, closure);
	return e;
}

cudaError_t run(const request &r, void (*body)(void *), void *closure)
{
	std::string why;
	cudaError_t e = try_launch(r, body, closure, SITE, why);

	if (e != cudaSuccess && checking && !why.empty())
		say("note: " + launch_of(kernel_at(r.kernel, r.name)) +
			" fails: " + why);
	RETURN("cudaLaunchKernel", e);
}

void run_unasked(const request &r, void (*body)(void *), void *closure)
{
	std::string why;
	cudaError_t e = try_launch(r, body, closure, SITE, why);

	if (e == cudaSuccess)
		return;
	result("a launch", SITE, e);
	unseen_error(launch_of(kernel_at(r.kernel, r.name)), SITE, e, why);
}

/* If the stream is being captured, let the capture have the launch, with
 * "closure".
 */
static cudaError_t try_take_down(const request &r, void (*body)(void *),
	const std::shared_ptr<void> &closure, const void *site,
	std::string &why)
{
	kernel &k = kernel_at(r.kernel, r.name);

	if (must_fail(launch_of(k).c_str(), site))
		return cudaErrorLaunchOutOfResources;
	cudaError_t e = judge(k, r, why);
	if (e != cudaSuccess)
		return e;
	kernel *launched = &k;
	return give(r.stream, "cudaLaunchKernel", site, [=]() {
		launch_blocks(*launched, r, body, closure.get());
		return cudaSuccess;
	});
}

bool is_taken_down(const request &r)
{
	return is_captured(r.stream);
}

cudaError_t take_down(const request &r, void (*body)(void *), void *closure,
	void (*drop)(void *), bool is_asked)
{
	std::string why;
	std::shared_ptr<void> kept(closure, drop);
	cudaError_t e = try_take_down(r, body, kept, SITE, why);

	if (e == cudaSuccess || is_asked)
		RETURN("cudaLaunchKernel", e);
	result("a launch", SITE, e);
	unseen_error(launch_of(kernel_at(r.kernel, r.name)), SITE, e, why);
	return e;
}

/* A launch by address alone. */
struct packed {
	unpacked_call call;
	const void *kernel;
	void **arguments;
};

static void run_packed(void *closure)
{
	packed *p = (packed *) closure;

	p->call(p->kernel, p->arguments);
}

cudaError_t launch_registered(const void *entry, void **arguments,
	const request &r)
{
	if (!entry || !is_program_text((address) entry) ||
	    !kernel_at(entry, nullptr).call)
		RETURN("cudaLaunchKernel", cudaErrorInvalidDeviceFunction);
	if (is_captured(r.stream))
		RETURN("cudaLaunchKernel", capture_forbids("cudaLaunchKernel "
			"without the kernel's type", SITE, r.stream));
	packed p = { kernel_at(entry, nullptr).call, entry, arguments };
	return run(r, run_packed, &p);
}

}
