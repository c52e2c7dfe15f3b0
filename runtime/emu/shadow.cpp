/* The checker's memory: where it lies and how it is set. */
#include "block.h"
#include "shadow.h"

#include <string.h>
#include <sys/mman.h>

namespace stencilc_emu {

shadow arena_shadow, data_shadow;

/* Addresses without memory; the first touch brings memory. */
static void *reserve(size_t bytes)
{
	void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? nullptr : p;
}

/* One page more: an access may end behind the range. */
bool reserve_shadow(shadow &s, address start, size_t bytes)
{
	s.start = start & ~(address) 15;
	s.bytes = start + bytes - s.start;
	s.cells = (cell *) reserve(s.bytes / 4 * sizeof(cell) + 4096);
	if (!s.cells)
		return false;
	s.byte_cells = (cell *) reserve(s.bytes * sizeof(cell) + 4096);
	return s.byte_cells;
}

shadow *shadow_of(address a)
{
	if (a - arena_shadow.start < arena_shadow.bytes)
		return &arena_shadow;
	if (a - data_shadow.start < data_shadow.bytes)
		return &data_shadow;
	return nullptr;
}

/* Mark bytes "mask" of "c" as written, by nobody and before everything. */
static void set_written(cell &c, record mask)
{
	c.write = (c.write & all_bytes) | mask;
	c.read = 0;
}

static void mark_part(shadow &s, address a, size_t bytes)
{
	size_t offset = a - s.start;
	cell &c = s.cells[offset / 4];
	record mask = ((1u << bytes) - 1) << offset % 4;

	if (c.read & is_split) {
		for (size_t i = 0; i < bytes; i++)
			s.byte_cells[offset + i] = { all_bytes, 0 };
		return;
	}
	set_written(c, mask);
}

void mark_written(address start, size_t bytes)
{
	shadow *s = shadow_of(start);

	if (!s)
		return;
	for (; bytes && start % 4; start++, bytes--)
		mark_part(*s, start, 1);
	cell *c = s->cells + (start - s->start) / 4;
	for (size_t i = 0; i < bytes / 4; i++)
		c[i] = { all_bytes, 0 };
	if (bytes % 4)
		mark_part(*s, start + bytes / 4 * 4, bytes % 4);
}

/* Part of a word: other variables may have its other bytes. */
static void mark_bytes_unwritten(shadow &s, address from, address to)
{
	for (address b = from; b < to; b++)
		split(s, s.cells + b / 4)[b % 4] = cell();
}

void mark_unwritten(address start, size_t bytes)
{
	shadow *s = shadow_of(start);

	if (!s)
		return;
	address from = start - s->start, to = from + bytes;
	address first = (from + 3) / 4 * 4, last = to / 4 * 4;

	if (first > last) {
		mark_bytes_unwritten(*s, from, to);
		return;
	}
	mark_bytes_unwritten(*s, from, first);
	memset(s->cells + first / 4, 0, (last - first) / 4 * sizeof(cell));
	mark_bytes_unwritten(*s, last, to);
}

void copy_cells(address to, address from, size_t bytes)
{
	shadow &s = data_shadow;
	const size_t a = (from - s.start) / 4, b = (to - s.start) / 4;
	const size_t n = (from % 4 + bytes + 3) / 4;

	for (size_t i = 0; i < n; i++) {
		s.cells[b + i] = s.cells[a + i];
		if (s.cells[a + i].read & is_split)
			memcpy(&s.byte_cells[4 * (b + i)],
				&s.byte_cells[4 * (a + i)], 4 * sizeof(cell));
	}
}

/* Return whole pages of shadow to the system, clear the rest. */
void forget(address start, size_t bytes)
{
	shadow *s = shadow_of(start);
	const address page = 4096;

	if (!s)
		return;
	address from = (address) (s->cells + (start - s->start) / 4);
	address to = from + (bytes + 3) / 4 * sizeof(cell);
	address first = (from + page - 1) & ~(page - 1), last = to & ~(page - 1);
	if (first >= last) {
		mark_unwritten(start, bytes);
		return;
	}
	memset((void *) from, 0, first - from);
	madvise((void *) first, last - first, MADV_DONTNEED);
	memset((void *) last, 0, to - last);
}

/* The cells for the 4 bytes of "c", created from "c" on first use. */
cell *split(shadow &s, cell *c)
{
	cell *bytes = s.byte_cells + (c - s.cells) * 4;

	if (c->read & is_split)
		return bytes;
	for (unsigned i = 0; i < 4; i++) {
		bool written = c->write >> i & 1;
		bytes[i].write = (c->write & ~all_bytes) |
			(written ? all_bytes : 0);
		bytes[i].read = c->read;
	}
	c->read |= is_split;
	return bytes;
}

static void each_of(shadow &s, address start, size_t bytes, void (*f)(cell &))
{
	size_t first = (start - s.start) / 4;
	size_t last = (start + bytes - s.start + 3) / 4;

	for (size_t i = first; i < last; i++) {
		f(s.cells[i]);
		for (int k = 0; s.cells[i].read & is_split && k < 4; k++)
			f(s.byte_cells[4 * i + k]);
	}
}

static void (*visit)(cell &);

static void visit_allocation(const allocation &a)
{
	if (shadow *s = shadow_of(a.start))
		each_of(*s, a.start, a.bytes, visit);
}

static void visit_window(address start, size_t bytes)
{
	each_of(data_shadow, start, bytes, visit);
}

/* Call "f" for each cell in use. */
void each_cell(void (*f)(cell &))
{
	visit = f;
	each_window(visit_window);
	each_allocation(visit_allocation);
	for (const variable &v : variables())
		each_of(data_shadow, v.start, v.bytes, f);
	each_of(data_shadow, (address) stencilc_emu_dynamic_shared,
		max_dynamic_bytes, f);
}

}
