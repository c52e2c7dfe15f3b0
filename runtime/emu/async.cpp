/* cp.async: copies arrive when the thread waits for them.  Until then their
 * target holds nothing reliable.
 */
#include <string.h>
#include <time.h>

#include "block.h"

namespace stencilc_emu {

bool is_shared(const void *p, size_t bytes)
{
	address a = (address) p;
	address d = (address) stencilc_emu_dynamic_shared;
	const variable *v = variable_at(a);

	return a - d < max_dynamic_bytes ||
		(v && v->where == space::shared &&
		a + bytes <= v->start + v->bytes);
}

static void fault(const void *pc, const std::string &text)
{
	add({ "async-copy", pc, text + ", thread " + thread_name(self->id) +
		" of block " + block_name(now->index) });
}

static bool judge(const void *to, const void *from, size_t bytes,
	size_t zfill, const void *pc)
{
	if ((bytes != 4 && bytes != 8 && bytes != 16) || zfill > bytes) {
		fault(pc, format("an asynchronous copy of %zu bytes, %zu of "
			"them zeros: 4, 8 or 16 are possible", bytes, zfill));
		return false;
	}
	if (((address) to | (address) from) % bytes) {
		add({ "misaligned", pc, format("an asynchronous copy of %zu "
			"bytes from or to an address that is no multiple of "
			"it, thread %s of block %s", bytes,
			thread_name(self->id).c_str(),
			block_name(now->index).c_str()) });
		return false;
	}
	if (!is_shared(to, bytes)) {
		fault(pc, "an asynchronous copy to what is not shared memory");
		return false;
	}
	return true;
}

static void arrive(const async_copy &c)
{
	check_async_done(c.to, c.bytes, c.from, c.read_bytes, c.pc);
	memcpy(c.to, c.from, c.read_bytes);
	memset((char *) c.to + c.read_bytes, 0, c.bytes - c.read_bytes);
}

/* Let the copies of all but the last "keep" committed groups arrive. */
static void wait_for(size_t keep)
{
	std::vector<async_copy> later;

	for (const async_copy &c : self->copies) {
		if (c.group + keep < self->groups)
			arrive(c);
		else
			later.push_back(c);
	}
	self->copies.swap(later);
}

}

using namespace stencilc_emu;

extern "C" {

void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
	size_t zfill)
{
	const void *pc = __builtin_return_address(0);

	if (!judge(to, from, bytes, zfill, pc))
		return;
	async_copy c = { to, from, bytes, bytes - zfill, self->groups, pc };
	check_async_issue(to, bytes, from, c.read_bytes, pc);
	if (measuring && c.read_bytes)
		metrics_access(from, c.read_bytes, false, pc);
	memset(to, 0xff, bytes);
	self->copies.push_back(c);
}

void __pipeline_commit(void)
{
	self->groups++;
}

void __pipeline_wait_prior(size_t groups)
{
	wait_for(groups);
}

int stencilc_emu_is_shared(const void *p)
{
	return is_shared(p, 1);
}

int stencilc_emu_is_global(const void *p)
{
	return allocation_at((address) p) != nullptr;
}

/* Only the low bits matter, since a program must use 16-byte steps. */
size_t __cvta_generic_to_shared(const void *p)
{
	return (address) p & 0xffffffff;
}

long long clock64(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

}
