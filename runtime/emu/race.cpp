/* The slow path of an access: checks everything that can be wrong with it. */
#include "block.h"
#include "shadow.h"

namespace stencilc_emu {

uint64_t block_of(record r);

static const char *verb(const access &a)
{
	return a.is_atomic ? "updates" : a.is_write ? "writes" : "reads";
}

/* "thread (1,0,0) of block (2,0,0) reads 4 bytes" */
static std::string deed(const access &a)
{
	return format("thread %s of block %s %s %u byte%s",
		thread_name(self->id).c_str(), block_name(now->index).c_str(),
		verb(a), a.bytes, a.bytes == 1 ? "" : "s");
}

static const char *space_name(space s)
{
	switch (s) {
	case space::shared: return "shared";
	case space::constant: return "constant";
	default: return "global";
	}
}

/* "of shared 's', 12 bytes into it" */
static std::string location(address a)
{
	address d = (address) stencilc_emu_dynamic_shared;

	if (const allocation *m = allocation_at(a))
		return format("of global memory, %zu bytes into an allocation "
			"of %zu", a - m->start, m->bytes);
	if (const variable *v = variable_at(a))
		return format("of %s '%s', %zu bytes into it",
			space_name(v->where), v->name.c_str(), a - v->start);
	if (a - d < max_dynamic_bytes)
		return format("of dynamic shared memory, %zu bytes into it",
			a - d);
	if (rank_at(a) >= 0)
		return location(own_address(a)) + ", of block " +
			block_name(block_at(a));
	return "of unknown memory";
}

/* May device code touch byte "a" at all? */
static bool is_valid(address a)
{
	address d = (address) stencilc_emu_dynamic_shared;
	const variable *v;

	if (in_arena((void *) a))
		return allocation_at(a);
	if (a - d < max_dynamic_bytes)
		return a - d < dynamic_bytes();
	if (rank_at(a) >= 0)
		return own_address(a) != 0;
	v = variable_at(a);
	if (!v || v->where != space::shared)
		return v;
	for (const variable &s : running->shared)
		if (s.start == v->start)
			return true;
	return false;
}

static void report(const char *kind, const access &a, const std::string &text)
{
	add({ kind, a.pc, text });
}

/* For the message: the allocation or variable that ends before "a". */
static std::string neighbour(address a)
{
	const variable *near = nullptr;
	address d = (address) stencilc_emu_dynamic_shared;

	if (const allocation *f = freed_at(a))
		return format("in an allocation of %zu bytes that was freed",
			f->bytes);
	if (in_arena((void *) a)) {
		const allocation *m = allocation_before(a);
		if (!m)
			return "before all allocations";
		return format("%zu bytes behind an allocation of %zu bytes",
			a - m->start - m->bytes, m->bytes);
	}
	if (a - d < max_dynamic_bytes)
		return format("%zu bytes into dynamic shared memory, of which "
			"the launch asked for %zu", a - d, dynamic_bytes());
	if (const symbol *s = symbol_at(a))
		if (!variable_at(a))
			return "in the host's '" + s->name() + "'";
	for (const variable &v : variables())
		if (v.start <= a)
			near = &v;
	if (near)
		return format("%zu bytes behind '%s'",
			a - near->start - near->bytes, near->name.c_str());
	return "in memory of the host";
}

static void out_of_bounds(const access &a, address byte)
{
	if (!is_new("out-of-bounds", a.pc, nullptr))
		return;
	report("out-of-bounds", a, deed(a) + " out of bounds, " +
		neighbour(byte));
}

static bool is_pending(address byte)
{
	for (const thread &t : now->threads)
		for (const async_copy &c : t.copies)
			if (byte - (address) c.to < c.bytes)
				return true;
	return is_on_its_way(byte);
}

static void unwritten(const access &a, address byte)
{
	if (!is_new("uninitialized", a.pc, nullptr))
		return;
	report("uninitialized", a, deed(a) + " " + location(byte) +
		(is_pending(byte) ? ", before the asynchronous copy to it was "
		"waited for" : ", never written"));
}

static void race(const access &a, address byte, record other, bool was_write,
	bool someone_else)
{
	bool within = other >= block_first || (is_of_cluster(other) &&
		block_of(other) == now->number);
	const void *pc = decode_pc(other);
	const char *kind = within ? "race-block" : is_of_cluster(other) ?
		"race-cluster" : "race-grid";

	if (!is_new(kind, a.pc, pc))
		return;
	finding f = { kind, a.pc, "", pc, "" };
	dim3 b = within ? now->index :
		block_index(block_of(other), gridDim);
	f.text = format("%s: %s %s",
		within ? "race between threads of a block, no barrier between"
		: is_of_cluster(other) ? "race between blocks of a cluster, no "
		"barrier of it between" : "race between blocks",
		deed(a).c_str(),
		location(byte).c_str());
	f.other_text = format("%s %s it%s here",
		someone_else ? "another thread" :
		("thread " + thread_name(thread_of(other)) + " of block " +
		block_name(b)).c_str(),
		was_write ? "wrote" : "read",
		someone_else ? ", as did this one," : "");
	add(f);
}

/* Did "r" happen in this launch, possibly at the same time as what the current
 * thread does now?
 */
static bool is_concurrent(record r)
{
	if (r < launch_first)
		return false;
	if (r < block_first)
		return !in_cluster || is_beside(r);
	return r >= interval_first && thread_of(r) != thread_of(check_me) &&
		!is_ordered(r);
}

static void judge_write(const access &a, address byte, const cell *c)
{
	if (is_concurrent(c->write) &&
	    !(a.is_atomic && c->read & was_atomic))
		race(a, byte, c->write, true, false);
}

/* Others have read, besides the recorded reader. */
static bool has_concurrent_reader(record r)
{
	if (r < interval_first)
		return false;
	if (r & many_warps)
		return true;
	return r & many_lanes && !is_ordered(r);
}

static void judge_read(const access &a, address byte, const cell *c)
{
	if (is_concurrent(c->read))
		race(a, byte, c->read, false, false);
	else if (c->read >= block_first && has_concurrent_reader(c->read))
		race(a, byte, c->read, false, true);
}

/* Check and record an access to one cell: 4 bytes, or one if split. */
static void touch(cell *c, const access &a, address byte)
{
	record mine = check_me | encode_pc(a.pc);

	judge_write(a, byte, c);
	if (!a.is_write) {
		note_read(c, c->read, mine);
		return;
	}
	judge_read(a, byte, c);
	c->write = mine | (c->write & all_bytes);
	c->read = (c->read & ~was_atomic) | (a.is_atomic ? was_atomic : 0);
}

/* The bytes "mask" of the 4 at "base". */
static void touch_bytes(shadow &s, cell *c, const access &a, address base,
	unsigned mask)
{
	cell *bytes = split(s, c);

	for (unsigned i = 0; i < 4; i++) {
		if (!(mask >> i & 1))
			continue;
		if (!is_valid(base + i)) {
			out_of_bounds(a, base + i);
			continue;
		}
		if (!(bytes[i].write & all_bytes) &&
		    (!a.is_write || a.is_atomic))
			unwritten(a, base + i);
		touch(&bytes[i], a, base + i);
		if (a.is_write)
			bytes[i].write |= all_bytes;
	}
}

static void touch_whole(cell *c, const access &a, address base)
{
	if ((c->write & all_bytes) != all_bytes) {
		for (unsigned i = 0; i < 4; i++)
			if (!is_valid(base + i)) {
				out_of_bounds(a, base + i);
				return;
			}
		if (!a.is_write || a.is_atomic)
			unwritten(a, base);
	}
	touch(c, a, base);
	if (a.is_write)
		c->write |= all_bytes;
}

/* Shared memory of another block of the cluster, where that may not be there now. */
static bool is_absent(const access &a)
{
	const char *why = rank_at(a.at) >= 0 ? why_not_there(a.at) : nullptr;

	if (why && is_new("cluster", a.pc, nullptr))
		report("cluster", a, deed(a) + format(" in shared memory of "
			"block %s, %s", block_name(block_at(a.at)).c_str(),
			why));
	return why;
}

void slow_access(shadow &s, const access &a)
{
	address end = a.at + a.bytes;

	if (is_absent(a))
		return;
	for (address base = a.at & ~(address) 3; base < end; base += 4) {
		cell *c = s.cells + (base - s.start) / 4;
		unsigned mask = 0;
		for (unsigned i = 0; i < 4; i++)
			if (base + i >= a.at && base + i < end)
				mask |= 1u << i;
		if (mask == all_bytes && !(c->read & is_split))
			touch_whole(c, a, base);
		else
			touch_bytes(s, c, a, base, mask);
	}
}

/* An address that is neither device memory nor a variable, nor on the stack of the
 * thread.  A thread may read the program's constants.
 */
void outside_access(const access &a)
{
	if (!a.is_write && is_program_constant(a.at))
		return;
	if (!is_new("out-of-bounds", a.pc, nullptr))
		return;
	report("out-of-bounds", a, deed(a) + (a.at < 4096 ?
		" through a null pointer" : " out of bounds, in memory of the "
		"host or of another thread's stack"));
}

void host_access(const access &a)
{
	const allocation *m = allocation_at(a.at);

	if ((m && m->on_host) || !is_new("host-access", a.pc, nullptr))
		return;
	report("host-access", a, format("the host %s %u bytes of device "
		"memory", verb(a), a.bytes));
}

}
