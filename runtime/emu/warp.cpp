/* Warp-wide functions: the lanes named by a mask meet, then all continue. */
#include "block.h"

namespace stencilc_emu {

static const char *const names[] = {
	"__syncwarp", "__ballot_sync", "__any_sync", "__all_sync",
	"__match_any_sync", "__shfl_sync", "__shfl_up_sync",
	"__shfl_down_sync", "__shfl_xor_sync"
};

static unsigned warp_of(const thread *t)
{
	return t->id >> warp_shift;
}

static thread *lane_of(unsigned warp, unsigned lane)
{
	unsigned id = (warp << warp_shift) + lane;

	return id < now->threads.size() ? &now->threads[id] : nullptr;
}

static bool is_live(const thread *t)
{
	return t && t->state != state::done;
}

/* Does "t" wait for lane "i"? */
static bool waits_for(const thread *t, unsigned i)
{
	const thread *o = lane_of(warp_of(t), i);

	return t->mask >> i & 1 && is_live(o) && (o->state != state::at_warp ||
		o->op != t->op || o->mask != t->mask);
}

/* The lanes of "t"'s meeting, if all that have not ended have arrived.  Usually one is missing,
 * so the one that was missing last is tested first, then those after "t".
 */
static lane_set present(const thread *t)
{
	unsigned &missing = lane_of(warp_of(t), 0)->missing;
	lane_set lanes = 0;

	if (waits_for(t, missing))
		return 0;
	for (unsigned n = 1; n <= warp_lanes; n++) {
		unsigned i = (t->id + n) & (warp_lanes - 1);

		if (waits_for(t, i)) {
			missing = i;
			return 0;
		}
		if (t->mask >> i & 1 &&
		    is_live(lane_of(warp_of(t), i)))
			lanes |= (lane_set) 1 << i;
	}
	return lanes;
}

static lane_set lanes_where(unsigned warp, lane_set lanes, uint64_t value)
{
	lane_set found = 0;

	for (unsigned i = 0; i < warp_lanes; i++)
		if (lanes >> i & 1 && lane_of(warp, i)->value == value)
			found |= (lane_set) 1 << i;
	return found;
}

static void report_absent(const thread *t)
{
	finding f = { "warp-lane", t->pc, "" };
	const thread *from = lane_of(warp_of(t), t->from);

	f.text = format("thread %s of block %s takes the value of lane %d in "
		"%s with mask 0x%08llx: this lane %s",
		thread_name(t->id).c_str(), block_name(now->index).c_str(),
		t->from, names[(int) t->op],
		(unsigned long long) t->mask,
		!(t->mask >> t->from & 1) ? "is not in the mask" :
		!from ? "does not exist" : "has ended");
	f.line = t->line;
	add(f);
}

/* On a GPU the value of a lane that takes no part is undefined; here it is a
 * NaN.
 */
static uint64_t shuffled(const thread *t, lane_set lanes)
{
	if (lanes >> t->from & 1)
		return lane_of(warp_of(t), t->from)->value;
	if (checking)
		report_absent(t);
	return ~(uint64_t) 0;
}

/* The result for "t". */
static uint64_t answer(const thread *t, lane_set lanes)
{
	unsigned warp = warp_of(t);

	switch (t->op) {
	case meeting::sync:
		return 0;
	case meeting::ballot:
		return lanes & ~lanes_where(warp, lanes, 0);
	case meeting::any:
		return lanes_where(warp, lanes, 0) != lanes;
	case meeting::all:
		return lanes_where(warp, lanes, 0) == 0;
	case meeting::match:
		return lanes_where(warp, lanes, t->value);
	case meeting::shuffle:
	case meeting::shuffle_up:
	case meeting::shuffle_down:
	case meeting::shuffle_xor:
		return shuffled(t, lanes);
	}
	return 0;
}

static void complete(unsigned warp, lane_set lanes)
{
	for (unsigned i = 0; i < warp_lanes; i++) {
		if (!(lanes >> i & 1))
			continue;
		thread *t = lane_of(warp, i);
		t->answer = answer(t, lanes);
	}
	for (unsigned i = 0; i < warp_lanes; i++) {
		if (!(lanes >> i & 1))
			continue;
		thread *t = lane_of(warp, i);
		now->at_warp--;
		if (t == self)
			t->state = state::ready;
		else
			now->make_ready(t);
	}
	check_warp(warp, lanes);
}

void leave_warp(thread *ended)
{
	unsigned warp = warp_of(ended);

	for (unsigned i = 0; i < warp_lanes; i++) {
		thread *t = lane_of(warp, i);
		if (!t || t->state != state::at_warp)
			continue;
		lane_set lanes = present(t);
		if (lanes)
			complete(warp, lanes);
	}
}

/* Why "t" waits, in words. */
static void report_missing(const thread *t)
{
	finding f = { "warp-mask", t->pc, "" };

	f.text = format("thread %s of block %s waits for ever in %s with mask "
		"0x%08llx", thread_name(t->id).c_str(),
		block_name(now->index).c_str(), names[(int) t->op],
		(unsigned long long) t->mask);
	f.line = t->line;
	for (unsigned i = 0; i < warp_lanes; i++) {
		const thread *o = lane_of(warp_of(t), i);
		if (!(t->mask >> i & 1) || !is_live(o))
			continue;
		if (o->state == state::at_warp && o->op == t->op &&
		    o->mask == t->mask)
			continue;
		f.other_pc = o->pc;
		f.other_line = o->line;
		if (o->state == state::at_warp)
			f.other_text = format("lane %u is in %s with mask "
				"0x%08llx", i, names[(int) o->op], (unsigned long long) o->mask);
		else
			f.other_text = format("lane %u is at a barrier", i);
		break;
	}
	add(f);
}

void break_warps()
{
	for (thread &t : now->threads)
		if (t.state == state::at_warp)
			report_missing(&t);
	for (thread &t : now->threads) {
		if (t.state != state::at_warp)
			continue;
		t.answer = t.value;
		now->at_warp--;
		now->make_ready(&t);
	}
}

static uint64_t meet(meeting op, lane_set mask, uint64_t value, int from,
	int line, const void *pc)
{
	lane_set own = (lane_set) 1 << (self->id & (warp_lanes - 1));

	if (!(mask & own)) {
		finding f = { "warp-mask", pc, "" };
		f.text = format("the mask 0x%08llx of %s does not name lane %u, "
			"which calls it, thread %s of block %s",
			(unsigned long long) mask,
			names[(int) op], self->id % warp_lanes,
			thread_name(self->id).c_str(),
			block_name(now->index).c_str());
		f.line = line;
		add(f);
		mask |= own;
	}
	self->op = op;
	self->mask = mask;
	self->value = value;
	self->from = from;
	self->line = line;
	self->pc = pc;
	self->state = state::at_warp;
	now->at_warp++;
	lane_set lanes = present(self);
	if (lanes)
		complete(warp_of(self), lanes);
	else
		wait();
	return self->answer;
}

}

using namespace stencilc_emu;

#define PC __builtin_return_address(0)

extern "C" {

void stencilc_emu_syncwarp(unsigned long long mask, int line)
{
	meet(meeting::sync, mask, 0, 0, line, PC);
}

unsigned long long stencilc_emu_ballot(unsigned long long mask, int predicate, int line)
{
	return meet(meeting::ballot, mask, predicate != 0, 0, line, PC);
}

int stencilc_emu_any(unsigned long long mask, int predicate, int line)
{
	return meet(meeting::any, mask, predicate != 0, 0, line, PC);
}

int stencilc_emu_all(unsigned long long mask, int predicate, int line)
{
	return meet(meeting::all, mask, predicate != 0, 0, line, PC);
}

unsigned long long stencilc_emu_match(unsigned long long mask, unsigned long long value, int line)
{
	return meet(meeting::match, mask, value, 0, line, PC);
}

unsigned long long stencilc_emu_shuffle(int function, unsigned long long mask,
	unsigned long long value, int from, int line)
{
	static const meeting of[] = { meeting::shuffle, meeting::shuffle_up,
		meeting::shuffle_down, meeting::shuffle_xor };

	return meet(of[function], mask, value, from & (warp_lanes - 1), line, PC);
}

/* All lanes that have not ended: apart from these a warp never diverges here. */
unsigned long long stencilc_emu_activemask(void)
{
	lane_set lanes = 0;

	for (unsigned i = 0; i < warp_lanes; i++)
		if (is_live(lane_of(warp_of(self), i)))
			lanes |= (lane_set) 1 << i;
	return lanes;
}

int stencilc_emu_lane(void)
{
	return self->id % warp_lanes;
}

}
