/* Copies and fills between host and device. */
#include <string.h>

#include "call.h"

namespace stencilc_emu {

/* Is [p, p + bytes) device memory of one allocation or variable? */
static bool is_device(const void *p, size_t bytes)
{
	address a = (address) p;
	const allocation *m = allocation_at(a);
	const variable *v = m ? nullptr : variable_at(a);

	if (m)
		return a + bytes <= m->start + m->bytes &&
			(!m->on_host || m->is_managed);
	return v && v->where != space::shared &&
		a + bytes <= v->start + v->bytes;
}

static bool is_host(const void *p)
{
	const allocation *m = in_arena(p) ? allocation_at((address) p) :
		nullptr;

	return p && (!in_arena(p) || (m && m->on_host));
}

static bool fits(const void *p, size_t bytes, bool device, bool any)
{
	if (any)
		return is_host(p) || is_device(p, bytes);
	return device ? is_device(p, bytes) : is_host(p);
}

/* Copy one row; "site" is the place of "call". */
static cudaError_t copy(void *to, const void *from, size_t bytes,
	cudaMemcpyKind kind, const void *site, const char *call)
{
	bool any = kind == cudaMemcpyDefault;
	bool to_device = kind == cudaMemcpyHostToDevice ||
		kind == cudaMemcpyDeviceToDevice;
	bool from_device = kind == cudaMemcpyDeviceToHost ||
		kind == cudaMemcpyDeviceToDevice;

	if ((unsigned) kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (!bytes)
		return cudaSuccess;
	if (!fits(to, bytes, to_device, any) ||
	    !fits(from, bytes, from_device, any))
		return cudaErrorInvalidValue;
	check_copy(to, from, bytes, site, call);
	memmove(to, from, bytes);
	return cudaSuccess;
}

static cudaError_t copy_rows(char *to, size_t to_pitch, const char *from,
	size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
	const void *site, const char *call)
{
	if (width > to_pitch || width > from_pitch)
		return cudaErrorInvalidPitchValue;
	for (size_t i = 0; i < height; i++) {
		cudaError_t e = copy(to + i * to_pitch, from + i * from_pitch,
			width, kind, site, call);
		if (e != cudaSuccess)
			return e;
	}
	return cudaSuccess;
}

static cudaError_t fill(void *to, int byte, size_t bytes)
{
	if (!bytes)
		return cudaSuccess;
	if (!is_device(to, bytes))
		return cudaErrorInvalidValue;
	memset(to, byte, bytes);
	check_host_write(to, bytes);
	return cudaSuccess;
}

}

using namespace stencilc_emu;

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
	cudaMemcpyKind kind)
{
	INJECT("cudaMemcpy", cudaErrorIllegalAddress);
	FORBID("cudaMemcpy");
	RETURN("cudaMemcpy", copy(to, from, bytes, kind, SITE, "cudaMemcpy"));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
	cudaMemcpyKind kind, cudaStream_t stream)
{
	INJECT("cudaMemcpyAsync", cudaErrorIllegalAddress);
	if (!is_stream(stream))
		RETURN("cudaMemcpyAsync", cudaErrorInvalidResourceHandle);
	const void *site = SITE;
	RETURN("cudaMemcpyAsync", give(stream, "cudaMemcpyAsync", SITE, [=]() {
		return copy(to, from, bytes, kind, site, "cudaMemcpyAsync");
	}));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
	size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind)
{
	INJECT("cudaMemcpy2D", cudaErrorIllegalAddress);
	FORBID("cudaMemcpy2D");
	RETURN("cudaMemcpy2D", copy_rows((char *) to, to_pitch,
		(const char *) from, from_pitch, width, height, kind, SITE,
		"cudaMemcpy2D"));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
	size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
	cudaStream_t stream)
{
	INJECT("cudaMemcpy2DAsync", cudaErrorIllegalAddress);
	if (!is_stream(stream))
		RETURN("cudaMemcpy2DAsync", cudaErrorInvalidResourceHandle);
	const void *site = SITE;
	RETURN("cudaMemcpy2DAsync", give(stream, "cudaMemcpy2DAsync", SITE,
		[=]() {
		return copy_rows((char *) to, to_pitch, (const char *) from,
			from_pitch, width, height, kind, site,
			"cudaMemcpy2DAsync");
	}));
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
	INJECT("cudaMemset", cudaErrorIllegalAddress);
	FORBID("cudaMemset");
	RETURN("cudaMemset", fill(to, byte, bytes));
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes,
	cudaStream_t stream)
{
	INJECT("cudaMemsetAsync", cudaErrorIllegalAddress);
	if (!is_stream(stream))
		RETURN("cudaMemsetAsync", cudaErrorInvalidResourceHandle);
	RETURN("cudaMemsetAsync", give(stream, "cudaMemsetAsync", SITE, [=]() {
		return fill(to, byte, bytes);
	}));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width,
	size_t height)
{
	cudaError_t e = cudaSuccess;

	INJECT("cudaMemset2D", cudaErrorIllegalAddress);
	FORBID("cudaMemset2D");
	for (size_t i = 0; i < height && e == cudaSuccess; i++)
		e = fill((char *) to + i * pitch, byte, width);
	RETURN("cudaMemset2D", e);
}

cudaError_t stencilc_emu_to_symbol(const void *symbol, size_t symbol_bytes,
	const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
	INJECT("cudaMemcpyToSymbol", cudaErrorInvalidSymbol);
	FORBID("cudaMemcpyToSymbol");
	const variable *v = variable_at((address) symbol);
	if (!v || v->where == space::shared)
		RETURN("cudaMemcpyToSymbol", cudaErrorInvalidSymbol);
	if (offset > symbol_bytes || bytes > symbol_bytes - offset)
		RETURN("cudaMemcpyToSymbol", cudaErrorInvalidValue);
	RETURN("cudaMemcpyToSymbol", copy((char *) symbol + offset, from,
		bytes, kind, SITE, "cudaMemcpyToSymbol"));
}

cudaError_t stencilc_emu_from_symbol(void *to, const void *symbol,
	size_t symbol_bytes, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
	INJECT("cudaMemcpyFromSymbol", cudaErrorInvalidSymbol);
	FORBID("cudaMemcpyFromSymbol");
	const variable *v = variable_at((address) symbol);
	if (!v || v->where == space::shared)
		RETURN("cudaMemcpyFromSymbol", cudaErrorInvalidSymbol);
	if (offset > symbol_bytes || bytes > symbol_bytes - offset)
		RETURN("cudaMemcpyFromSymbol", cudaErrorInvalidValue);
	RETURN("cudaMemcpyFromSymbol", copy(to, (char *) symbol + offset,
		bytes, kind, SITE, "cudaMemcpyFromSymbol"));
}
