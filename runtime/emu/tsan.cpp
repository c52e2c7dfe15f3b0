/* The functions that the compiler's -fsanitize=thread calls for each access. */
#include <string.h>

#include "block.h"
#include "shadow.h"

namespace stencilc_emu {

extern "C" char __start_stencilc_emu_indices[], __stop_stencilc_emu_indices[];

/* threadIdx and the like, which nobody writes. */
static inline bool is_index(address a)
{
	return a - (address) __start_stencilc_emu_indices < (address)
		(__stop_stencilc_emu_indices - __start_stencilc_emu_indices);
}

__attribute__((noinline))
static void elsewhere(const access &a)
{
	if (checking)
		outside_access(a);
}

__attribute__((noinline))
static void slowly(shadow &s, const access &a)
{
	slow_access(s, a);
}

template <unsigned bytes, bool is_write>
static inline void note(void *p, const void *pc)
{
	address at = (address) p;
	size_t offset = at - arena_shadow.start;
	shadow *s = &arena_shadow;

	if (!self) {
		if (offset < arena_shadow.bytes && checking)
			host_access({ at, bytes, is_write, false, pc });
		return;
	}
	if (offset >= arena_shadow.bytes) {
		if (on_own_stack(at) || is_index(at))
			return;
		offset = at - data_shadow.start;
		s = &data_shadow;
		if (offset >= data_shadow.bytes) {
			elsewhere({ at, bytes, is_write, false, pc });
			return;
		}
	}
	if (measuring)
		metrics_access(p, bytes, is_write, pc);
	if (!checking)
		return;
	if (bytes >= 4 && quick_access<bytes, is_write>(*s, offset,
	    check_me | encode_pc(pc)))
		return;
	slowly(*s, { at, bytes, is_write, false, pc });
}

/* Treated as consecutive accesses of smaller kinds. */
static void note_range(void *p, size_t bytes, bool is_write, const void *pc)
{
	char *c = (char *) p;

	while (bytes) {
		size_t n = ((address) c % 4 == 0 && bytes >= 4) ? 4 : 1;
		if (n == 4 && is_write)
			note<4, true>(c, pc);
		else if (n == 4)
			note<4, false>(c, pc);
		else if (is_write)
			note<1, true>(c, pc);
		else
			note<1, false>(c, pc);
		c += n;
		bytes -= n;
	}
}

}

using namespace stencilc_emu;

#define PC __builtin_return_address(0)

#define SIZED(bytes) \
	void __tsan_read##bytes(void *p) { note<bytes, false>(p, PC); } \
	void __tsan_write##bytes(void *p) { note<bytes, true>(p, PC); } \
	void __tsan_volatile_read##bytes(void *p) \
	{ note<bytes, false>(p, PC); } \
	void __tsan_volatile_write##bytes(void *p) \
	{ note<bytes, true>(p, PC); } \
	void __tsan_unaligned_read##bytes(void *p) \
	{ note_range(p, bytes, false, PC); } \
	void __tsan_unaligned_write##bytes(void *p) \
	{ note_range(p, bytes, true, PC); } \
	void __tsan_unaligned_volatile_read##bytes(void *p) \
	{ note_range(p, bytes, false, PC); } \
	void __tsan_unaligned_volatile_write##bytes(void *p) \
	{ note_range(p, bytes, true, PC); } \
	void __tsan_read_write##bytes(void *p) \
	{ note<bytes, false>(p, PC); note<bytes, true>(p, PC); } \
	void __tsan_unaligned_read_write##bytes(void *p) \
	{ note_range(p, bytes, false, PC); note_range(p, bytes, true, PC); }

extern "C" {

SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)

void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

/* Guards of static variables, as those of class type may have. */
unsigned char __tsan_atomic8_load(const volatile unsigned char *p, int order)
{
	return __atomic_load_n(p, order);
}

void __tsan_read_range(void *p, size_t bytes)
{
	note_range(p, bytes, false, PC);
}

void __tsan_write_range(void *p, size_t bytes)
{
	note_range(p, bytes, true, PC);
}

/* Calls that the compiler cannot see through: stencilc-emu renames the
 * program's calls to the first kind, clang itself makes the second kind.
 */
#define COPY(name, call) \
	void *name(void *to, const void *from, size_t bytes) \
	{ \
		if (self && (checking || measuring)) { \
			note_range((void *) from, bytes, false, PC); \
			note_range(to, bytes, true, PC); \
		} \
		return call(to, from, bytes); \
	}

#define FILL(name) \
	void *name(void *to, int byte, size_t bytes) \
	{ \
		if (self && (checking || measuring)) \
			note_range(to, bytes, true, PC); \
		return memset(to, byte, bytes); \
	}

COPY(stencilc_emu_memcpy, memcpy)
COPY(stencilc_emu_memmove, memmove)
FILL(stencilc_emu_memset)
COPY(__tsan_memcpy, memcpy)
COPY(__tsan_memmove, memmove)
FILL(__tsan_memset)

void stencilc_emu_give(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
}

}
