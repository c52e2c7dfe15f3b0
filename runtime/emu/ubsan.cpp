/* The functions that -fsanitize=bounds and the like call.  Only kernels are
 * judged.
 */
#include <stdint.h>

#include "block.h"

namespace stencilc_emu {

/* With the compilers' layouts. */
struct source_place {
	const char *file;
	uint32_t line, column;
};

struct type {
	uint16_t kind, info;
	char name[1];
};

static long long signed_value(const type *t, uintptr_t v)
{
	unsigned bits = 1u << (t->info >> 1);

	if (t->kind != 0 || bits >= 64 || !(t->info & 1))
		return (long long) v;
	return (long long) ((uint64_t) v << (64 - bits)) >> (64 - bits);
}

static void fault(const char *kind, const void *pc, const std::string &text)
{
	if (!self || !checking || !is_new(kind, pc, nullptr))
		return;
	add({ kind, pc, format("%s, thread %s of block %s", text.c_str(),
		thread_name(self->id).c_str(),
		block_name(now->index).c_str()) });
}

struct out_of_bounds_data {
	source_place place;
	const type *array, *index;
};

struct mismatch_data {
	source_place place;
	const type *of;
	unsigned char log_alignment;
	unsigned char kind;
};

struct assumption_data {
	source_place place, of_assumption;
	const type *of;
};

static void misaligned(const mismatch_data *d, uintptr_t p, const void *pc)
{
	fault("misaligned", pc, format("address %#zx is not a multiple of %u, "
		"as %s needs", (size_t) p, 1u << d->log_alignment,
		d->of->name));
}

}

using namespace stencilc_emu;

#define PC __builtin_return_address(0)

extern "C" {

void __ubsan_handle_out_of_bounds(out_of_bounds_data *d, uintptr_t index)
{
	fault("out-of-bounds", PC, format("index %lld is out of bounds for %s",
		signed_value(d->index, index), d->array->name));
}

void __ubsan_handle_type_mismatch_v1(mismatch_data *d, uintptr_t p)
{
	if (p & ((1u << d->log_alignment) - 1))
		misaligned(d, p, PC);
}

void __ubsan_handle_alignment_assumption(assumption_data *, uintptr_t p,
	uintptr_t alignment, uintptr_t offset)
{
	fault("misaligned", PC, format("address %#zx is not a multiple of %zu, "
		"as the program says", (size_t) (p - offset),
		(size_t) alignment));
}

#define OVERFLOW(name, sign) \
	void __ubsan_handle_##name##_overflow(void *, uintptr_t, uintptr_t) \
	{ \
		fault("overflow", PC, "an integer overflows in " sign); \
	}

OVERFLOW(add, "+")
OVERFLOW(sub, "-")
OVERFLOW(mul, "*")

void __ubsan_handle_negate_overflow(void *, uintptr_t)
{
	fault("overflow", PC, "an integer overflows in -");
}

void __ubsan_handle_divrem_overflow(void *, uintptr_t, uintptr_t)
{
	fault("overflow", PC, "an integer division by zero or overflow");
}

void __ubsan_handle_shift_out_of_bounds(void *, uintptr_t, uintptr_t)
{
	fault("overflow", PC, "a shift by more bits than there are");
}

}
