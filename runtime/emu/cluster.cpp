/* Clusters: blocks that live at once and use each other's shared memory.
 *
 * Blocks of a cluster take turns, each until all its threads wait for the cluster's barrier or have
 * ended; when each has had its turn, a phase of the barrier ends.  Shared memory lies at the same
 * addresses for all blocks.  While other blocks run, a block's lies in its window, and that is where
 * map_shared_rank() leads them.
 */
#include <string.h>
#include <unistd.h>

#include "block.h"
#include "shadow.h"

namespace stencilc_emu {

const size_t window_bytes = 512 * 1024;
const size_t window_alignment = 128;

extern "C" {
__attribute__((aligned(1024)))
char stencilc_emu_windows[max_cluster_blocks][window_bytes];
}

/* A variable in shared memory, or the dynamic part, and its place in a window. */
struct part {
	address start;
	size_t bytes, place;
};

static dim3 extent;			/* of clusters, in blocks */
static unsigned n_blocks = 1, running_rank, phase;
static std::vector<block> &blocks = *new std::vector<block>();
static std::vector<part> &parts = *new std::vector<part>();

static address window(unsigned rank)
{
	return (address) stencilc_emu_windows[rank];
}

static void find_parts(const kernel &k)
{
	size_t place = 0;

	parts.clear();
	parts.push_back({ (address) stencilc_emu_dynamic_shared,
		dynamic_bytes(), 0 });
	place = dynamic_bytes();
	for (const variable &v : k.shared) {
		place += (v.start - place) % window_alignment;
		parts.push_back({ v.start, v.bytes, place });
		place += v.bytes;
	}
	if (place > window_bytes) {
		say(format("error: clusters with %zu bytes of shared variables "
			"in a block; at most %zu are possible here", place,
			window_bytes));
		_exit(9);
	}
}

static const part *part_at(address a)
{
	for (const part &p : parts)
		if (a - p.start < p.bytes)
			return &p;
	return nullptr;
}

static const part *part_in_window(size_t place)
{
	for (const part &p : parts)
		if (place - p.place < p.bytes)
			return &p;
	return nullptr;
}

int rank_at(address a)
{
	size_t offset = a - window(0);

	return n_blocks > 1 && offset < n_blocks * window_bytes ?
		(int) (offset / window_bytes) : -1;
}

address own_address(address a)
{
	size_t place = (a - window(0)) % window_bytes;
	const part *p = part_in_window(place);

	return p ? p->start + (place - p->place) : 0;
}

dim3 block_at(address a)
{
	return blocks[rank_at(a)].index;
}

const char *why_not_there(address a)
{
	const block &b = blocks[rank_at(a)];

	return phase == 0 ? "which may not have begun, as no barrier of the "
		"cluster came before" : b.live == 0 ? "which has ended" :
		(unsigned) rank_at(a) == running_rank ? "which is the one that "
		"runs" : nullptr;
}

void each_window(void (*f)(address start, size_t bytes))
{
	for (unsigned i = 0; n_blocks > 1 && i < n_blocks; i++)
		for (const part &p : parts)
			f(window(i) + p.place, p.bytes);
}

/* Nothing is there, and nobody has written it. */
static void empty_window(unsigned rank)
{
	for (const part &p : parts) {
		memset((void *) (window(rank) + p.place), 0xff, p.bytes);
		if (checking)
			mark_unwritten(window(rank) + p.place, p.bytes);
	}
}

static void move(address to, address from, size_t bytes)
{
	memcpy((void *) to, (void *) from, bytes);
	if (checking)
		copy_cells(to, from, bytes);
}

static void put_away(unsigned rank)
{
	for (const part &p : parts)
		move(window(rank) + p.place, p.start, p.bytes);
}

static void bring_back(unsigned rank)
{
	for (const part &p : parts)
		move(p.start, window(rank) + p.place, p.bytes);
}

/* The number of the block of this rank in a cluster. */
static uint64_t number_of(uint64_t cluster, unsigned rank, dim3 grid)
{
	const dim3 all = dim3(grid.x / extent.x, grid.y / extent.y,
		grid.z / extent.z);
	const dim3 c = block_index(cluster, all), b = block_index(rank, extent);
	const uint64_t x = c.x * extent.x + b.x, y = c.y * extent.y + b.y,
		z = c.z * extent.z + b.z;

	return x + grid.x * (y + grid.y * z);
}

static void begin_turn(unsigned rank)
{
	now = &blocks[rank];
	blockIdx = now->index;
	bring_back(rank);
	for (thread &t : now->threads)
		t.arrived = t.arrived && t.state != state::at_cluster;
	now->cluster.at = 0;
	check_turn();
	enqueue(state::at_cluster);
}

static void leave_cluster(unsigned rank)
{
	for (const part &p : parts)
		check_leaves(p.start, p.bytes);
	empty_window(rank);
	metrics_interval(false);
	metrics_block();
}

static void take_turn(unsigned rank)
{
	running_rank = rank;
	if (run_block()) {
		leave_cluster(rank);
		return;
	}
	check_turn_ends();
	put_away(rank);
	metrics_interval(true);
}

/* Each block that has not ended takes a turn; false: all have. */
static bool run_phase(uint64_t cluster, const request &r)
{
	static std::vector<unsigned> order;
	bool any = false;

	check_cluster_phase(phase);
	order_threads(order, n_blocks);
	for (unsigned rank : order) {
		if (phase > 0 && !blocks[rank].live)
			continue;
		if (phase == 0)
			begin_block(blocks[rank], number_of(cluster, rank,
				r.grid), r);
		else
			begin_turn(rank);
		take_turn(rank);
		any = any || blocks[rank].live;
	}
	return any;
}

void run_clusters(const kernel &k, const request &r)
{
	const uint64_t n = (uint64_t) r.grid.x * r.grid.y * r.grid.z;

	extent = k.cluster;
	n_blocks = cluster_blocks(k);
	blocks.resize(max_cluster_blocks);
	find_parts(k);
	const block_order clusters(n / n_blocks);
	for (uint64_t i = 0; i < n / n_blocks; i++) {
		for (unsigned rank = 0; rank < n_blocks; rank++) {
			blocks[rank].index = block_index(number_of(clusters[i],
				rank, r.grid), r.grid);
			empty_window(rank);
		}
		check_cluster_begins();
		phase = 0;
		while (run_phase(clusters[i], r))
			phase++;
	}
	n_blocks = 1;
}

static void fault(const void *pc, const std::string &text)
{
	add({ "cluster", pc, text + ", thread " + thread_name(self->id) +
		" of block " + block_name(now->index) });
}

}

using namespace stencilc_emu;

extern "C" {

void stencilc_emu_cluster_arrive(int line)
{
	self->line = line;
	if (self->arrived)
		fault(__builtin_return_address(0), "a thread arrives at the "
			"barrier of the cluster, and has not waited for it "
			"since it arrived before");
	self->arrived = true;
	check_arrive();
}

void stencilc_emu_cluster_wait(int line)
{
	self->line = line;
	self->pc = __builtin_return_address(0);
	if (!self->arrived)
		fault(self->pc, "a thread waits for the barrier of the cluster "
			"without having arrived there");
	self->state = state::at_cluster;
	now->cluster.at++;
	wait();
	self->arrived = false;
}

unsigned stencilc_emu_cluster_rank(void)
{
	return n_blocks > 1 ? running_rank : 0;
}

unsigned stencilc_emu_cluster_extent(int axis)
{
	return n_blocks <= 1 ? 1 : axis == 0 ? extent.x : axis == 1 ? extent.y :
		extent.z;
}

void *stencilc_emu_map_shared(const void *p, unsigned rank)
{
	const void *pc = __builtin_return_address(0);
	const part *at = n_blocks > 1 ? part_at((address) p) : nullptr;

	if (rank >= n_blocks)
		fault(pc, format("map_shared_rank: there is no block of rank "
			"%u in a cluster of %u", rank, n_blocks));
	else if (n_blocks > 1 ? !at : !is_shared(p, 1))
		fault(pc, "map_shared_rank of an address that is not in shared "
			"memory of the block");
	else if (n_blocks > 1 && rank != running_rank)
		return (void *) (window(rank) + at->place +
			((address) p - at->start));
	return (void *) p;
}

unsigned stencilc_emu_shared_rank(const void *p)
{
	const int rank = rank_at((address) p);

	return rank >= 0 ? rank : stencilc_emu_cluster_rank();
}

}
