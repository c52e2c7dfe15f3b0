/* Barriers in shared memory (mbarrier), and bulk copies whose bytes arrive at
 * them (cp.async.bulk).  A phase of a barrier ends once as many threads as it
 * was made for have arrived, and as many bytes as these told it to expect.
 * Bytes arrive when somebody waits for them; until then their target holds
 * nothing reliable.
 */
#include <string.h>

#include "block.h"

namespace stencilc_emu {

static const size_t unit = 16;			/* of copies, bytes */
static const uint64_t most_bytes = (1 << 20) - 1;	/* of a phase */

static std::string who()
{
	return ", thread " + thread_name(self->id) + " of block " +
		block_name(now->index);
}

static void fault(const void *pc, const std::string &text)
{
	add({ "mbarrier", pc, text + who() });
}

static mbarrier *find(const uint64_t *at)
{
	for (mbarrier &b : now->barriers)
		if (b.at == (address) at)
			return &b;
	return nullptr;
}

/* The barrier at "at" for the thread; NULL after a report. */
static mbarrier *use(uint64_t *at, const void *pc)
{
	mbarrier *b = find(at);

	if (b)
		check_use(at, sizeof *at, false, pc);
	else
		fault(pc, "a barrier in shared memory that is not initialised");
	return b;
}

static void end_phase(mbarrier &b)
{
	b.phase++;
	b.missing = b.count;
	b.bytes = 0;
	b.seen.swap(b.coming);
	b.coming.clear();
}

static void end_phase_if_complete(mbarrier &b)
{
	if (b.missing == 0 && b.bytes == 0)
		end_phase(b);
}

/* Let the oldest copy on its way to "b" arrive. */
static void arrive_first(mbarrier &b)
{
	bulk_copy c = b.copies.front();

	b.copies.erase(b.copies.begin());
	check_bulk_done(c);
	memcpy(c.to, c.from, c.bytes);
	b.bytes -= c.bytes;
	c.stamp = check_release(c.thread);
	b.coming.push_back(c);
}

/* Let bytes arrive until the phase ends, or all have. */
static void let_arrive(mbarrier &b)
{
	unsigned phase = b.phase;

	while (b.phase == phase && b.missing == 0 && !b.copies.empty()) {
		arrive_first(b);
		end_phase_if_complete(b);
	}
}

/* No other thread can continue: the phase would never end. */
static void break_wait(mbarrier &b, const void *pc)
{
	fault(pc, b.missing ? format("a wait that never ends: %u of %u threads "
		"have not arrived at the barrier", b.missing, b.count) :
		b.bytes > 0 ? format("a wait that never ends: %lld bytes more "
		"are expected than are copied", (long long) b.bytes) :
		format("a wait that never ends: %lld bytes more are copied "
		"than are expected", (long long) -b.bytes));
	while (!b.copies.empty())
		arrive_first(b);
	end_phase(b);
}

/* Let the others run; false: none of them could. */
static bool let_others_run()
{
	if (now->idle++ > now->live) {
		now->idle = 0;
		return false;
	}
	pass();
	return true;
}

static bool is_copy(const void *to, const void *from, size_t bytes,
	const void *pc)
{
	if (bytes == 0 || bytes % unit) {
		add({ "async-copy", pc, format("a copy in bulk of %zu bytes, "
			"no multiple of %zu", bytes, unit) + who() });
		return false;
	}
	if (((address) to | (address) from) % unit) {
		add({ "misaligned", pc, format("a copy in bulk from or to an "
			"address that is no multiple of %zu", unit) + who() });
		return false;
	}
	if (!is_shared(to, bytes) || is_shared(from, 1) ||
	    !(in_arena(from) || variable_at((address) from))) {
		add({ "async-copy", pc, "a copy in bulk that is not from "
			"global to shared memory" + who() });
		return false;
	}
	return true;
}

static void expect(mbarrier &b, uint32_t bytes, const void *pc)
{
	b.bytes += bytes;
	if (b.bytes > (int64_t) most_bytes)
		fault(pc, format("%lld bytes are expected of a phase, at most "
			"%llu are possible", (long long) b.bytes,
			(unsigned long long) most_bytes));
}

void bulk_block_ends()
{
	for (const mbarrier &b : now->barriers)
		for (const bulk_copy &c : b.copies)
			add({ "mbarrier", c.pc, "a copy in bulk that nobody "
				"waited for when block " + block_name(
				now->index) + " ended" });
}

bool is_on_its_way(address byte)
{
	for (const mbarrier &b : now->barriers)
		for (const bulk_copy &c : b.copies)
			if (byte - (address) c.to < c.bytes)
				return true;
	return false;
}

}

using namespace stencilc_emu;

extern "C" {

void stencilc_emu_mbarrier_init(uint64_t *at, uint32_t count)
{
	const void *pc = __builtin_return_address(0);
	mbarrier *b = find(at);

	if ((address) at % sizeof *at || !is_shared(at, sizeof *at) || !count) {
		fault(pc, "a barrier of no threads, or not in shared memory at "
			"a multiple of 8 bytes");
		return;
	}
	check_use(at, sizeof *at, true, pc);
	if (!b) {
		now->barriers.push_back(mbarrier());
		b = &now->barriers.back();
	}
	*b = mbarrier();
	b->at = (address) at;
	b->count = b->missing = count;
}

void stencilc_emu_mbarrier_expect(uint64_t *at, uint32_t bytes)
{
	const void *pc = __builtin_return_address(0);
	mbarrier *b = use(at, pc);

	if (b)
		expect(*b, bytes, pc);
}

uint64_t stencilc_emu_mbarrier_arrive(uint64_t *at, uint32_t bytes)
{
	const void *pc = __builtin_return_address(0);
	mbarrier *b = use(at, pc);

	if (!b)
		return 0;
	if (b->missing == 0) {
		fault(pc, format("more threads arrive at a barrier than the "
			"%u that it is for", b->count));
		return b->phase;
	}
	expect(*b, bytes, pc);
	b->missing--;
	b->coming.push_back({ nullptr, nullptr, 0, self->id, pc,
		check_release(self->id) });
	end_phase_if_complete(*b);
	now->idle = 0;
	return b->phase;
}

int stencilc_emu_mbarrier_wait(uint64_t *at, uint32_t parity)
{
	const void *pc = __builtin_return_address(0);
	mbarrier *b = use(at, pc);

	if (!b)
		return 1;
	if ((b->phase & 1) == parity)
		let_arrive(*b);
	if ((b->phase & 1) == parity) {
		if (let_others_run())
			return 0;
		break_wait(*b, pc);
	}
	for (const bulk_copy &c : b->seen)
		check_acquire(c);
	return 1;
}

void stencilc_emu_copy_bulk(void *to, const void *from, uint32_t bytes,
	uint64_t *at)
{
	const void *pc = __builtin_return_address(0);
	mbarrier *b = use(at, pc);

	if (!b || !is_copy(to, from, bytes, pc))
		return;
	check_async_issue(to, bytes, from, bytes, pc);
	metrics_bulk(from, bytes);
	memset(to, 0xff, bytes);
	b->copies.push_back({ to, from, bytes, self->id, pc, 0 });
	now->idle = 0;
}

}
