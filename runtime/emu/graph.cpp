/* Stream capture and graphs: a capture records what its stream gets, and each
 * launch of the graph does it.  A call that a capture forbids fails, ends the
 * capture as in CUDA, and is reported.
 */
#include <map>

#include "call.h"

struct CUgraph_st {
	const void *site;
	std::vector<stencilc_emu::piece> pieces;
};

struct CUgraphExec_st {
	const void *site;
	std::vector<stencilc_emu::piece> pieces;
};

namespace stencilc_emu {

struct capture {
	cudaStreamCaptureMode mode;
	cudaGraph_t graph;
	bool is_valid;
};

static std::map<cudaStream_t, capture> &captures()
{
	static auto *c = new std::map<cudaStream_t, capture>();
	return *c;
}

static std::map<cudaGraph_t, bool> &graphs()
{
	static auto *g = new std::map<cudaGraph_t, bool>();
	return *g;
}

static std::map<cudaGraphExec_t, bool> &executables()
{
	static auto *e = new std::map<cudaGraphExec_t, bool>();
	return *e;
}

void each_graph_leak()
{
	for (auto &c : captures())
		add({ "leak", c.second.graph->site,
			"this capture was never ended" });
	for (auto &g : graphs())
		add({ "leak", g.first->site,
			"this graph was never destroyed" });
	for (auto &e : executables())
		add({ "leak", e.first->site,
			"this executable graph was never destroyed" });
}

bool is_captured(cudaStream_t stream)
{
	return !captures().empty() && captures().count(stream);
}

static cudaError_t refuse(capture &c, const std::string &text,
	const void *site, cudaError_t e)
{
	c.is_valid = false;
	if (checking)
		add({ "capture", site, text });
	return e;
}

cudaError_t capture_forbids(const char *call, const void *site)
{
	for (auto &c : captures())
		if (c.second.mode != cudaStreamCaptureModeRelaxed)
			return refuse(c.second, std::string(call) + " while a "
				"stream is captured", site,
				cudaErrorStreamCaptureUnsupported);
	return cudaSuccess;
}

/* The legacy stream waits for all streams except those created not to. */
static cudaError_t legacy_forbids(const char *call, const void *site)
{
	for (auto &c : captures())
		if (stream_blocks(c.first))
			return refuse(c.second, std::string(call) + " on the "
				"stream that waits for all others, one of "
				"which is captured", site,
				cudaErrorStreamCaptureImplicit);
	return cudaSuccess;
}

cudaError_t capture_forbids(const char *call, const void *site,
	cudaStream_t stream)
{
	if (captures().empty())
		return cudaSuccess;
	if (!is_captured(stream))
		return stream && stream != cudaStreamLegacy ? cudaSuccess :
			legacy_forbids(call, site);
	return refuse(captures()[stream], std::string(call) + " of a stream "
		"that is captured", site, cudaErrorStreamCaptureUnsupported);
}

cudaError_t give(cudaStream_t stream, const char *call, const void *site,
	const piece &p)
{
	if (captures().empty())
		return p();
	if (is_captured(stream)) {
		capture &c = captures()[stream];

		if (!c.is_valid)
			return cudaErrorStreamCaptureInvalidated;
		c.graph->pieces.push_back(p);
		return cudaSuccess;
	}
	if (!stream || stream == cudaStreamLegacy)
		if (cudaError_t e = legacy_forbids(call, site))
			return e;
	return p();
}

static cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode,
	const void *site)
{
	if (!is_stream(stream))
		return cudaErrorInvalidResourceHandle;
	if (!stream || stream == cudaStreamLegacy)
		return cudaErrorStreamCaptureUnsupported;
	if ((unsigned) mode > cudaStreamCaptureModeRelaxed)
		return cudaErrorInvalidValue;
	if (is_captured(stream))
		return cudaErrorIllegalState;
	captures()[stream] = { mode, new CUgraph_st { site, {} }, true };
	return cudaSuccess;
}

static cudaError_t end(cudaStream_t stream, cudaGraph_t *graph)
{
	if (!is_captured(stream))
		return cudaErrorIllegalState;
	capture c = captures()[stream];
	captures().erase(stream);
	*graph = nullptr;
	if (!c.is_valid) {
		delete c.graph;
		return cudaErrorStreamCaptureInvalidated;
	}
	graphs()[c.graph] = true;
	*graph = c.graph;
	return cudaSuccess;
}

static cudaError_t do_all(cudaGraphExec_t e)
{
	cudaError_t error = cudaSuccess;

	for (auto &p : e->pieces)
		if (error == cudaSuccess)
			error = p();
	return error;
}

}

using namespace stencilc_emu;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
	cudaStreamCaptureMode mode)
{
	INJECT("cudaStreamBeginCapture", cudaErrorMemoryAllocation);
	RETURN("cudaStreamBeginCapture", begin(stream, mode, SITE));
}

/* The capture has ended, despite the injected failure. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
	if (!graph)
		RETURN("cudaStreamEndCapture", cudaErrorInvalidValue);
	if (must_fail("cudaStreamEndCapture", SITE) && is_captured(stream))
		captures()[stream].is_valid = false;
	RETURN("cudaStreamEndCapture", end(stream, graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
	cudaStreamCaptureStatus *status)
{
	INJECT("cudaStreamIsCapturing", cudaErrorInvalidResourceHandle);
	if (!status)
		RETURN("cudaStreamIsCapturing", cudaErrorInvalidValue);
	if (!is_stream(stream))
		RETURN("cudaStreamIsCapturing",
			cudaErrorInvalidResourceHandle);
	if (!stream || stream == cudaStreamLegacy)
		if (cudaError_t e = legacy_forbids("cudaStreamIsCapturing",
		    SITE))
			RETURN("cudaStreamIsCapturing", e);
	*status = !is_captured(stream) ? cudaStreamCaptureStatusNone :
		captures()[stream].is_valid ? cudaStreamCaptureStatusActive :
		cudaStreamCaptureStatusInvalidated;
	return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable,
	cudaGraph_t graph, unsigned long long)
{
	INJECT("cudaGraphInstantiateWithFlags", cudaErrorMemoryAllocation);
	if (!executable || !graphs().count(graph))
		RETURN("cudaGraphInstantiateWithFlags", cudaErrorInvalidValue);
	*executable = new CUgraphExec_st { SITE, graph->pieces };
	executables()[*executable] = true;
	return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
	INJECT("cudaGraphLaunch", cudaErrorLaunchFailure);
	if (!executables().count(executable))
		RETURN("cudaGraphLaunch", cudaErrorInvalidValue);
	if (!is_stream(stream))
		RETURN("cudaGraphLaunch", cudaErrorInvalidResourceHandle);
	RETURN("cudaGraphLaunch", give(stream, "cudaGraphLaunch", SITE,
		[executable]() { return do_all(executable); }));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	bool fails = must_fail("cudaGraphDestroy", SITE);

	if (!graphs().erase(graph))
		RETURN("cudaGraphDestroy", cudaErrorInvalidValue);
	delete graph;
	RETURN("cudaGraphDestroy",
		fails ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
	bool fails = must_fail("cudaGraphExecDestroy", SITE);

	if (!executables().erase(executable))
		RETURN("cudaGraphExecDestroy", cudaErrorInvalidValue);
	delete executable;
	RETURN("cudaGraphExecDestroy",
		fails ? cudaErrorLaunchFailure : cudaSuccess);
}
