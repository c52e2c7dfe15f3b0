/* Streams and events.  Work is done when it is issued, one of the orders that a
 * GPU may choose.
 */
#include <time.h>

#include <map>

#include "call.h"

struct CUstream_st {
	const void *site;
	unsigned flags;
};

struct CUevent_st {
	const void *site;
	bool timed, recorded;
	double at_ms;
};

namespace stencilc_emu {

static std::map<cudaStream_t, bool> &streams()
{
	static auto *s = new std::map<cudaStream_t, bool>();
	return *s;
}

static std::map<cudaEvent_t, bool> &events()
{
	static auto *e = new std::map<cudaEvent_t, bool>();
	return *e;
}

bool is_stream(cudaStream_t s)
{
	return !s || s == cudaStreamLegacy || s == cudaStreamPerThread ||
		streams().count(s);
}

bool stream_blocks(cudaStream_t s)
{
	return streams().count(s) && !(s->flags & cudaStreamNonBlocking);
}

void each_stream_leak()
{
	for (auto &s : streams())
		add({ "leak", s.first->site,
			"this stream was never destroyed" });
	for (auto &e : events())
		add({ "leak", e.first->site,
			"this event was never destroyed" });
}

static cudaError_t create(cudaStream_t *stream, unsigned flags,
	const void *site)
{
	if (!stream)
		return cudaErrorInvalidValue;
	*stream = new CUstream_st { site, flags };
	streams()[*stream] = true;
	return cudaSuccess;
}

static double now_ms()
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

}

using namespace stencilc_emu;

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	INJECT("cudaStreamCreate", cudaErrorMemoryAllocation);
	RETURN("cudaStreamCreate", create(stream, cudaStreamDefault, SITE));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
	unsigned int flags)
{
	INJECT("cudaStreamCreateWithFlags", cudaErrorMemoryAllocation);
	RETURN("cudaStreamCreateWithFlags", create(stream, flags, SITE));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
	unsigned int flags, int)
{
	INJECT("cudaStreamCreateWithPriority", cudaErrorMemoryAllocation);
	RETURN("cudaStreamCreateWithPriority", create(stream, flags, SITE));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	bool fails = must_fail("cudaStreamDestroy", SITE);

	FORBID("cudaStreamDestroy", stream);

	if (!streams().erase(stream))
		RETURN("cudaStreamDestroy", cudaErrorInvalidResourceHandle);
	delete stream;
	RETURN("cudaStreamDestroy",
		fails ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	INJECT("cudaStreamSynchronize", cudaErrorLaunchFailure);
	FORBID("cudaStreamSynchronize", stream);
	RETURN("cudaStreamSynchronize", is_stream(stream) ? cudaSuccess :
		cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	INJECT("cudaStreamQuery", cudaErrorLaunchFailure);
	FORBID("cudaStreamQuery", stream);
	RETURN("cudaStreamQuery", is_stream(stream) ? cudaSuccess :
		cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
	unsigned int)
{
	INJECT("cudaStreamWaitEvent", cudaErrorInvalidResourceHandle);
	RETURN("cudaStreamWaitEvent",
		is_stream(stream) && events().count(event) ? cudaSuccess :
		cudaErrorInvalidResourceHandle);
}

cudaError_t cudaDeviceSynchronize(void)
{
	INJECT("cudaDeviceSynchronize", cudaErrorLaunchFailure);
	FORBID("cudaDeviceSynchronize");
	return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	INJECT("cudaEventCreate", cudaErrorMemoryAllocation);
	if (!event)
		RETURN("cudaEventCreate", cudaErrorInvalidValue);
	*event = new CUevent_st { SITE, !(flags & cudaEventDisableTiming),
		false, 0 };
	events()[*event] = true;
	return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	bool fails = must_fail("cudaEventDestroy", SITE);

	if (!events().erase(event))
		RETURN("cudaEventDestroy", cudaErrorInvalidResourceHandle);
	delete event;
	RETURN("cudaEventDestroy",
		fails ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	INJECT("cudaEventRecord", cudaErrorLaunchFailure);
	if (!events().count(event) || !is_stream(stream))
		RETURN("cudaEventRecord", cudaErrorInvalidResourceHandle);
	if (is_captured(stream))
		return cudaSuccess;
	event->recorded = true;
	event->at_ms = now_ms();
	return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	INJECT("cudaEventSynchronize", cudaErrorLaunchFailure);
	RETURN("cudaEventSynchronize", events().count(event) ? cudaSuccess :
		cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
	INJECT("cudaEventQuery", cudaErrorLaunchFailure);
	RETURN("cudaEventQuery", events().count(event) ? cudaSuccess :
		cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
	INJECT("cudaEventElapsedTime", cudaErrorLaunchFailure);
	if (!ms)
		RETURN("cudaEventElapsedTime", cudaErrorInvalidValue);
	if (!events().count(from) || !events().count(to) ||
	    !from->recorded || !to->recorded || !from->timed || !to->timed)
		RETURN("cudaEventElapsedTime", cudaErrorInvalidResourceHandle);
	*ms = to->at_ms - from->at_ms;
	return cudaSuccess;
}
