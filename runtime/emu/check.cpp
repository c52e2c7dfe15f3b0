/* The checker's clock, and the events that the rest of the runtime reports to
 * it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "block.h"
#include "shadow.h"

namespace stencilc_emu {

bool checking;
record check_me, check_stamps[max_block_threads];
record launch_first, block_first, interval_first;
address text_start;

static uint64_t stamp, last_stamp;

/* When the blocks of this launch began, for reports. */
struct block_start {
	uint64_t stamp, block;
};
static std::vector<block_start> &starts = *new std::vector<block_start>();

/* What lanes of warp w did up to this stamp happened before what any of them does now: all
 * met.  After meetings of some, what lane j did up to known[w][i][j] happened before what
 * lane i does now.  Stamps of the current interval only.
 */
static uint32_t all_met[max_block_threads / 32];
static uint32_t known[max_block_threads / 32][max_lanes][max_lanes];
static bool some_met;

bool in_cluster;
static uint64_t cluster_first;
static unsigned phase;			/* of the cluster's barrier */

/* Stamps from this one on are those of a block in a phase, by threads that had arrived at its
 * barrier, "late", or not.  What is late happened, for others, in the next phase.
 */
struct span {
	uint64_t stamp, block;
	unsigned phase;
	bool late;
};
static std::vector<span> &spans = *new std::vector<span>();

void check_start()
{
	const char *s = getenv("STENCILC_EMU_STAMPS");	/* for our tests */
	address start = 0, end = 0;

	if (!data_segment(start, end))
		return;
	if (!checking) {		/* enough for metrics */
		data_shadow = { start, end - start, nullptr, nullptr };
		arena_shadow = { stencilc_emu_arena_start,
			stencilc_emu_arena_bytes, nullptr, nullptr };
		return;
	}
	last_stamp = s ? strtoull(s, nullptr, 0) : (1u << 28) - 1;
	if (!reserve_shadow(data_shadow, start, end - start) ||
	    !reserve_shadow(arena_shadow, stencilc_emu_arena_start,
		stencilc_emu_arena_bytes)) {
		say("error: no addresses for the checker");
		_exit(9);
	}
	text_start = text_segment() & ~(address) 3;
}

/* Device variables have values from the start. */
static void mark_variables()
{
	static bool marked;

	if (marked)
		return;
	marked = true;
	for (const variable &v : variables())
		if (v.where != space::shared)
			mark_written(v.start, v.bytes);
}

const void *decode_pc(record r)
{
	if ((r & pc_mask) == pc_mask)
		return nullptr;
	return (const void *) (text_start + ((r & pc_mask) >> pc_shift << 2));
}

bool is_ordered(record r)
{
	unsigned me = thread_of(check_me), other = thread_of(r);
	unsigned warp = me >> warp_shift;

	return warp == other >> warp_shift && (r >> stamp_shift <= all_met[warp] ||
		(some_met && r >> stamp_shift <=
		known[warp][me % warp_lanes][other % warp_lanes]));
}

/* Stamps are used up: restart with small ones.  Only their order within the
 * launch matters, and within the interval.  In clusters it then is as if a
 * barrier came before.
 */
static uint64_t renumbered(uint64_t s)
{
	uint64_t interval = interval_first >> stamp_shift;

	if (s < (in_cluster ? block_first : launch_first) >> stamp_shift)
		return 0;
	if (s < block_first >> stamp_shift)
		return 1;
	return s < interval ? 2 : s - interval + 3;
}

static record renumbered_record(record r)
{
	const record low = ((record) 1 << stamp_shift) - 1;

	return renumbered(r >> stamp_shift) << stamp_shift | (r & low);
}

static void renumber_cell(cell &c)
{
	c.write = renumbered_record(c.write);
	c.read = renumbered_record(c.read);
}

static void renumber()
{
	each_cell(renumber_cell);
	for (uint32_t &m : all_met)
		m = m ? renumbered(m) : 0;
	for (auto &warp : known)
		for (auto &lane : warp)
			for (uint32_t &k : lane)
				k = k ? renumbered(k) : 0;
	for (record &s : check_stamps)
		s = renumbered_record(s);
	check_me = renumbered_record(check_me);
	stamp = renumbered(stamp);
	starts.clear();
	starts.push_back({ 2, now ? now->number : 0 });
	launch_first = (record) 1 << stamp_shift;
	block_first = (record) 2 << stamp_shift;
	interval_first = (record) 3 << stamp_shift;
	cluster_first = 1;
	spans.clear();
}

static record next_stamp()
{
	if (stamp >= last_stamp)
		renumber();
	return ++stamp << stamp_shift;
}

/* The same, of threads that are "late" if blocks form clusters. */
static record next_stamp_of(bool late)
{
	const record r = next_stamp();

	if (in_cluster && (spans.empty() || spans.back().late != late ||
	    spans.back().block != now->number || spans.back().phase != phase))
		spans.push_back({ stamp, now->number, phase, late });
	return r;
}

static void begin_interval()
{
	record late;

	interval_first = late = next_stamp_of(false);
	if (in_cluster)
		late = next_stamp_of(true);
	for (size_t i = 0; i < now->threads.size(); i++)
		check_stamps[i] = (now->threads[i].arrived ? late :
			interval_first) | (record) i << thread_shift;
	memset(all_met, 0, sizeof all_met);
	if (some_met)
		memset(known, 0, sizeof known);
	some_met = false;
}

static void begin_block()
{
	block_first = next_stamp();
	starts.push_back({ stamp, now->number });
	begin_interval();
}

static void clear_shared()
{
	for (const variable &v : running->shared)
		mark_unwritten(v.start, v.bytes);
	mark_unwritten((address) stencilc_emu_dynamic_shared,
		dynamic_bytes());
}

void check_launch(uint64_t)
{
	if (!checking)
		return;
	mark_variables();
	launch_first = block_first = interval_first = next_stamp();
	in_cluster = false;
	starts.clear();
}

void check_block(uint64_t)
{
	if (!checking)
		return;
	clear_shared();
	begin_block();
}

void check_interval()
{
	if (checking)
		begin_interval();
}

/* All blocks met: what they did before precedes what comes. */
void check_grid_phase()
{
	if (!checking)
		return;
	launch_first = block_first = interval_first = next_stamp();
	starts.clear();
}

/* All lanes that warp "w" began with. */
static lane_set all_lanes(unsigned w)
{
	size_t n = now->threads.size() - ((size_t) w << warp_shift);

	return ~(lane_set) 0 >> (max_lanes - (n < warp_lanes ? n : warp_lanes));
}

/* Some lanes met: each one knows what every other knew and did. */
static void join(unsigned warp, lane_set lanes)
{
	uint32_t joined[max_lanes] = { 0 };
	unsigned first = warp << warp_shift;

	some_met = true;
	for (unsigned i = 0; i < warp_lanes; i++) {
		if (!(lanes >> i & 1))
			continue;
		for (unsigned j = 0; j < warp_lanes; j++)
			if (known[warp][i][j] > joined[j])
				joined[j] = known[warp][i][j];
	}
	for (unsigned i = 0; i < warp_lanes; i++)
		if (lanes >> i & 1)
			joined[i] = check_stamps[first + i] >> stamp_shift;
	for (unsigned i = 0; i < warp_lanes; i++)
		if (lanes >> i & 1)
			memcpy(known[warp][i], joined, sizeof joined);
}

/* "lanes" met. */
void check_warp(unsigned warp, lane_set lanes)
{
	unsigned first = warp << warp_shift;

	if (!checking)
		return;
	record fresh = next_stamp_of(self->arrived);
	if (lanes == all_lanes(warp))
		all_met[warp] = (fresh >> stamp_shift) - 1;
	else
		join(warp, lanes);
	for (unsigned i = 0; i < warp_lanes; i++)
		if (lanes >> i & 1)
			check_stamps[first + i] = fresh |
				(record) (first + i) << thread_shift;
	check_me = check_stamps[self->id];
}

/* Block "b" had the stamp of number "r". */
uint64_t block_of(record r)
{
	uint64_t b = 0;

	for (const block_start &s : starts) {
		if (s.stamp > r >> stamp_shift)
			break;
		b = s.block;
	}
	return b;
}

/* The cells of [a, a + bytes), each followed by the cells of its bytes if it is split. */
static void save(std::vector<char> &state, address a, size_t bytes)
{
	size_t first = (a - data_shadow.start) / 4;

	for (size_t i = first; i < first + (bytes + 3) / 4; i++) {
		const char *c = (const char *) &data_shadow.cells[i];
		const char *b = (const char *) &data_shadow.byte_cells[4 * i];

		state.insert(state.end(), c, c + sizeof(cell));
		if (data_shadow.cells[i].read & is_split)
			state.insert(state.end(), b, b + 4 * sizeof(cell));
	}
}

void check_block_saved(std::vector<char> &state)
{
	if (!checking)
		return;
	state.clear();
	for (const variable &v : running->shared)
		save(state, v.start, v.bytes);
	save(state, (address) stencilc_emu_dynamic_shared, dynamic_bytes());
}

static const char *restore(const char *from, address a, size_t bytes)
{
	size_t first = (a - data_shadow.start) / 4;

	for (size_t i = first; i < first + (bytes + 3) / 4; i++) {
		memcpy(&data_shadow.cells[i], from, sizeof(cell));
		from += sizeof(cell);
		if (!(data_shadow.cells[i].read & is_split))
			continue;
		memcpy(&data_shadow.byte_cells[4 * i], from, 4 * sizeof(cell));
		from += 4 * sizeof(cell);
	}
	return from;
}

void check_block_restored(const std::vector<char> &state, uint64_t)
{
	const char *from = state.data();

	if (!checking)
		return;
	for (const variable &v : running->shared)
		from = restore(from, v.start, v.bytes);
	restore(from, (address) stencilc_emu_dynamic_shared, dynamic_bytes());
	begin_block();
}

void check_allocated(const allocation &a, bool initialised)
{
	if (checking && initialised)
		mark_written(a.start, a.bytes);
}

void check_freed(const allocation &a)
{
	if (checking)
		forget(a.start, a.bytes);
}

void check_host_write(void *to, size_t bytes)
{
	if (checking)
		mark_written((address) to, bytes);
}

/* The state of the device's data at "a".  Variables of the host may lie between
 * those of the device.
 */
static shadow *device_shadow_of(address a)
{
	shadow *s = shadow_of(a);

	return s == &data_shadow && !variable_at(a) ? nullptr : s;
}

/* The first byte of [a, a + bytes) never written, or "bytes". */
static size_t first_unwritten(address a, size_t bytes)
{
	shadow *s = device_shadow_of(a);

	for (size_t i = 0; s && i < bytes;) {
		size_t offset = a + i - s->start;
		const cell &c = s->cells[offset / 4];
		if (c.read & is_split) {
			if (!(s->byte_cells[offset].write & all_bytes))
				return i;
			i++;
		} else if (offset % 4 == 0 && bytes - i >= 4 &&
		    (c.write & all_bytes) == all_bytes) {
			i += 4;
		} else if (!(c.write >> offset % 4 & 1)) {
			return i;
		} else {
			i++;
		}
	}
	return bytes;
}

/* A copy by the host: the target counts as written; an unwritten source is an
 * error, unless the copy stays on the device.
 */
void check_copy(void *to, const void *from, size_t bytes, const void *site,
	const char *call)
{
	if (!checking)
		return;
	bool to_device = device_shadow_of((address) to);
	size_t at = first_unwritten((address) from, bytes);
	if (to_device && at == bytes)
		mark_written((address) to, bytes);
	if (at == bytes)
		return;
	if (to_device) {
		for (size_t i = 0; i < bytes; i++)
			if (first_unwritten((address) from + i, 1))
				mark_written((address) to + i, 1);
		return;
	}
	add({ "uninitialized", site, format("%s copies %zu bytes to the host; "
		"byte %zu was never written", call, bytes, at) });
}

/* An asynchronous copy began: its target holds nothing yet. */
void check_async_issue(void *to, size_t bytes, const void *from,
	size_t read_bytes, const void *pc)
{
	if (!checking)
		return;
	shadow *s = shadow_of((address) to);
	shadow *f = shadow_of((address) from);
	slow_access(*s, { (address) to, (unsigned) bytes, true, false, pc });
	if (f && read_bytes)
		slow_access(*f, { (address) from, (unsigned) read_bytes,
			false, false, pc });
	for (size_t i = 0; i < bytes / 4; i++)
		s->cells[((address) to - s->start) / 4 + i].write &=
			~all_bytes;
}

/* A thread waited for it: it may have read and written until now. */
void check_async_done(void *to, size_t bytes, const void *from,
	size_t read_bytes, const void *pc)
{
	if (!checking)
		return;
	shadow *f = shadow_of((address) from);
	if (f && read_bytes)
		slow_access(*f, { (address) from, (unsigned) read_bytes,
			false, false, pc });
	slow_access(*shadow_of((address) to), { (address) to,
		(unsigned) bytes, true, false, pc });
}

void check_use(const void *p, size_t bytes, bool is_write, const void *pc)
{
	shadow *s = checking ? shadow_of((address) p) : nullptr;

	if (s)
		slow_access(*s, { (address) p, (unsigned) bytes, is_write,
			false, pc });
}

/* The thread that issued it may have read and written until now. */
void check_bulk_done(const bulk_copy &c)
{
	record mine = check_me;

	if (!checking)
		return;
	check_me = check_stamps[c.thread];
	check_async_done(c.to, c.bytes, c.from, c.bytes, c.pc);
	check_me = mine;
}

uint64_t check_release(unsigned thread)
{
	uint64_t before = check_stamps[thread] >> stamp_shift;

	if (!checking)
		return 0;
	check_stamps[thread] = next_stamp_of(now->threads[thread].arrived) |
		(record) thread << thread_shift;
	check_me = check_stamps[self->id];
	return before;
}

void check_cluster_begins()
{
	if (!checking)
		return;
	in_cluster = true;
	spans.clear();
	cluster_first = next_stamp() >> stamp_shift;
}

void check_cluster_phase(unsigned number)
{
	phase = number;
	spans.erase(spans.begin(), std::find_if(spans.begin(), spans.end(),
		[](const span &s) { return s.phase + 1 >= phase; }));
}

void check_turn()
{
	if (checking)
		begin_block();
}

void check_turn_ends()
{
	now->cluster.interval = interval_first >> stamp_shift;
}

void check_arrive()
{
	if (!checking)
		return;
	check_stamps[self->id] = next_stamp_of(true) |
		(record) self->id << thread_shift;
	check_me = check_stamps[self->id];
}

bool is_of_cluster(record r)
{
	return in_cluster && r >> stamp_shift >= cluster_first;
}

/* When "r" happened; NULL: before the last phase. */
static const span *span_of(record r)
{
	auto i = std::upper_bound(spans.begin(), spans.end(), r >> stamp_shift,
		[](uint64_t stamp, const span &s) { return stamp < s.stamp; });

	return i == spans.begin() ? nullptr : &*(i - 1);
}

/* Lanes of a warp wait for a barrier together. */
bool is_beside(record r)
{
	const span *s = is_of_cluster(r) ? span_of(r) : nullptr;

	if (!is_of_cluster(r))
		return true;
	if (!s || s->phase + s->late < phase)
		return false;
	return s->block != now->number || (r >> stamp_shift >=
		now->cluster.interval && thread_of(r) >> warp_shift !=
		thread_of(check_me) >> warp_shift);
}

/* Did another block do it, and may it do so now? */
static bool is_of_others(record r)
{
	const span *s = r >= launch_first && is_of_cluster(r) ? span_of(r) :
		nullptr;

	return s && s->block != now->number && s->phase + s->late >= phase;
}

static void report_leaving(record r, bool was_write)
{
	const void *pc = decode_pc(r);

	if (is_new("cluster", pc, nullptr))
		add({ "cluster", pc, format("thread %s of block %s %s shared "
			"memory of block %s, which may have ended, as no "
			"barrier of the cluster comes behind", thread_name(
			thread_of(r)).c_str(), block_name(block_index(
			block_of(r), gridDim)).c_str(), was_write ? "writes" :
			"reads", block_name(now->index).c_str()) });
}

static void check_cell_left(const cell &c)
{
	if (is_of_others(c.write))
		report_leaving(c.write, true);
	if (is_of_others(c.read))
		report_leaving(c.read, false);
}

void check_leaves(address start, size_t bytes)
{
	size_t first = (start - data_shadow.start) / 4;

	for (size_t i = 0; checking && i < (bytes + 3) / 4; i++) {
		const cell &c = data_shadow.cells[first + i];

		check_cell_left(c);
		for (int k = 0; c.read & is_split && k < 4; k++)
			check_cell_left(data_shadow.byte_cells[4 * (first + i) +
				k]);
	}
}

/* For lanes of other warps, what was written counts as written before the
 * barrier, as "known" covers only the lanes of a warp.
 */
static void acquire_from_other_warp(const bulk_copy &c)
{
	shadow *s = shadow_of((address) c.to);

	for (size_t i = 0; s && i < c.bytes / 4; i++) {
		record &w = s->cells[((address) c.to - s->start) / 4 + i].write;
		if (w >> stamp_shift == c.stamp && thread_of(w) == c.thread)
			w = block_first | (w & (((record) 1 << stamp_shift) -
				1));
	}
}

void check_acquire(const bulk_copy &c)
{
	unsigned warp = self->id / warp_lanes;

	if (!checking || c.stamp < interval_first >> stamp_shift)
		return;
	if (c.thread / warp_lanes != warp) {
		acquire_from_other_warp(c);
		return;
	}
	uint32_t &k = known[warp][self->id % warp_lanes]
		[c.thread % warp_lanes];
	some_met = true;
	if (c.stamp > k)
		k = c.stamp;
}

void check_atomic(void *p, size_t bytes, const void *pc)
{
	shadow *s = shadow_of((address) p);
	access a = { (address) p, (unsigned) bytes, true, true, pc };

	if (!checking)
		return;
	if (s)
		slow_access(*s, a);
	else if (!on_own_stack(a.at))
		outside_access(a);
}

}
