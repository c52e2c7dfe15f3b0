/* How each function of the runtime API begins and ends. */
#ifndef CALL_H
#define CALL_H

#include "emu.h"

#define SITE __builtin_return_address(0)

/* Return "e" from "call" and remember it as CUDA does. */
#define RETURN(call, e) return stencilc_emu::result(call, SITE, e)

/* Fail with "e" if STENCILC_FAIL selects this call. */
#define INJECT(call, e) \
	do { \
		if (stencilc_emu::must_fail(call, SITE)) \
			RETURN(call, e); \
	} while (0)

/* Fail if a capture forbids the call. */
#define FORBID(call, ...) \
	do { \
		cudaError_t e = capture_forbids(call, SITE, ##__VA_ARGS__); \
		if (e != cudaSuccess) \
			RETURN(call, e); \
	} while (0)

#endif
