/* Runs the threads of a block, and block after block of a launch. */
#include "block.h"
#include "shadow.h"

#include <string.h>

using namespace stencilc_emu;

/* In a section of their own, so that the checker can tell them from what it
 * must check.
 */
#define INDEX __attribute__((section("stencilc_emu_indices")))

extern "C" {
INDEX uint3 threadIdx, blockIdx;
INDEX dim3 blockDim, gridDim;
}

namespace stencilc_emu {

thread *self;
const kernel *running;
block *now;

static fiber scheduler;
static void (*thread_body)(void *);
static void *thread_closure;
static std::vector<unsigned> order;
static bool cooperative;
static size_t shared_bytes;

unsigned current_thread()
{
	return self->id;
}

dim3 current_block()
{
	return now->index;
}

size_t dynamic_bytes()
{
	return shared_bytes;
}

dim3 thread_index(unsigned thread, dim3 size)
{
	return dim3(thread % size.x, thread / size.x % size.y,
		thread / size.x / size.y);
}

dim3 block_index(uint64_t block, dim3 grid)
{
	return dim3(block % grid.x, block / grid.x % grid.y,
		block / grid.x / grid.y);
}

void block::begin(uint64_t number, dim3 index, dim3 size)
{
	unsigned n = size.x * size.y * size.z;

	this->number = number;
	this->index = index;
	if (threads.size() != n || size.x != shape.x || size.y != shape.y) {
		threads.resize(n);
		for (unsigned i = 0; i < n; i++) {
			threads[i].id = i;
			threads[i].index = thread_index(i, size);
		}
		shape = size;
	}
	for (thread &t : threads) {
		t.state = state::fresh;
		t.arrived = false;
		t.groups = 0;
		t.copies.clear();
	}
	live = n;
	at_barrier = at_warp = at_grid = cluster.at = 0;
	diverged = false;
	barriers.clear();
	idle = 0;
	ring = n + 1;
	queue.resize(ring);
	head = tail = 0;
}

/* The next thread that can run, or NULL. */
static inline thread *take_next()
{
	if (now->head == now->tail)
		return nullptr;
	thread *t = now->queue[now->head];
	now->head = now->head + 1 == now->ring ? 0 : now->head + 1;
	return t;
}

static inline void become(thread *t)
{
	self = t;
	threadIdx = t->index;
	check_thread(t->id);
}

/* The function of a fiber: it runs a thread, and then each thread that can
 * start on the same stack.
 */
static void run_threads()
{
	for (;;) {
		thread_body(thread_closure);
		thread *ended = self;
		ended->state = state::done;
		now->live--;
		now->idle = 0;
		if (now->at_warp)
			leave_warp(ended);
		thread *t = take_next();
		if (t && t->state == state::fresh) {
			t->own = ended->own;
			become(t);
			continue;
		}
		give_stack(ended->own);
		if (!t)
			fiber_switch(ended->context, scheduler);
		become(t);
		fiber_switch(ended->context, t->context);
	}
}

static inline void start(thread *t)
{
	t->own = take_stack();
	fiber_prepare(t->context, t->own.start, t->own.bytes, run_threads);
}

/* Continue with the next thread that can run. */
static void leave()
{
	thread *from = self, *t = take_next();

	if (!t) {
		fiber_switch(from->context, scheduler);
		return;
	}
	if (t->state == state::fresh)
		start(t);
	become(t);
	if (t != from)
		fiber_switch(from->context, t->context);
}

void wait()
{
	now->idle = 0;
	leave();
}

void pass()
{
	now->make_ready(self);
	leave();
}

/* Put all threads in state "which" into the queue, in the order of the interval
 * that begins.
 */
void enqueue(enum state which)
{
	order_threads(order, now->threads.size());
	for (unsigned i : order) {
		thread &t = now->threads[i];
		if (t.state != which)
			continue;
		if (which == state::fresh) {
			now->queue[now->tail] = &t;
			now->tail++;
			if (now->tail == now->ring)
				now->tail = 0;
		} else {
			now->make_ready(&t);
		}
	}
}

static void report_absent()
{
	const thread *w = now->first_waiting;
	finding f = { "barrier-divergence", w->pc, "" };

	if (now->diverged)
		return;
	f.text = format("barrier divergence: %u of %u threads of block %s "
		"ended without reaching this barrier",
		(unsigned) (now->threads.size() - now->live),
		(unsigned) now->threads.size(),
		block_name(now->index).c_str());
	add(f);
}

static void report_two_barriers(const thread *a, const thread *b)
{
	finding f = { "barrier-divergence", b->pc, "" };

	now->diverged = true;
	f.text = format("barrier divergence: thread %s of block %s waits at "
		"this barrier, of line %d", thread_name(b->id).c_str(),
		block_name(now->index).c_str(), b->line);
	f.other_pc = a->pc;
	f.other_text = format("while thread %s waits at this one, of line %d",
		thread_name(a->id).c_str(), a->line);
	add(f);
}

static void release_barrier()
{
	if (now->live < now->threads.size())
		report_absent();
	now->count = now->votes;
	now->votes = 0;
	now->at_barrier = 0;
	now->diverged = false;
	metrics_interval(true);
	check_interval();
	enqueue(state::at_barrier);
}

static void report_stuck()
{
	for (const thread &t : now->threads) {
		if (t.state != state::at_grid && t.state != state::at_cluster)
			continue;
		finding f = { "barrier-divergence", t.pc, "" };
		f.text = format("barrier divergence: thread %s of block %s "
			"waits for the %s", thread_name(t.id).c_str(),
			block_name(now->index).c_str(),
			t.state == state::at_grid ? "grid" : "cluster");
		f.other_pc = now->first_waiting->pc;
		f.other_text = "while others wait at this barrier";
		add(f);
		return;
	}
}

bool run_block()
{
	for (;;) {
		thread *t = take_next();
		if (t) {
			if (t->state == state::fresh)
				start(t);
			become(t);
			fiber_switch(scheduler, t->context);
			self = nullptr;
			continue;
		}
		if (!now->live) {
			bulk_block_ends();
			return true;
		}
		if (now->at_barrier == now->live) {
			release_barrier();
		} else if (now->cluster.at == now->live) {
			return false;
		} else if (now->at_grid == now->live) {
			if (now->live < now->threads.size()) {
				now->first_waiting = nullptr;
				for (const thread &t : now->threads)
					if (t.state == state::at_grid)
						now->first_waiting = &t;
				report_absent();
			}
			return false;
		} else if (now->at_warp) {
			break_warps();
		} else {
			report_stuck();
			release_barrier();
		}
	}
}

static void poison(address start, size_t bytes)
{
	memset((void *) start, 0xff, bytes);
}

/* Shared memory holds nothing reliable: all bits are set, which is a NaN. */
static void poison_shared()
{
	for (const variable &v : running->shared)
		poison(v.start, v.bytes);
	poison((address) stencilc_emu_dynamic_shared, shared_bytes);
}

static void save_shared()
{
	std::vector<char> &s = now->saved.shared;
	char *d = stencilc_emu_dynamic_shared;

	s.clear();
	for (const variable &v : running->shared)
		s.insert(s.end(), (char *) v.start,
			(char *) v.start + v.bytes);
	s.insert(s.end(), d, d + shared_bytes);
	check_block_saved(now->saved.checked);
}

static void restore_shared()
{
	const char *s = now->saved.shared.data();

	for (const variable &v : running->shared) {
		memcpy((void *) v.start, s, v.bytes);
		s += v.bytes;
	}
	memcpy(stencilc_emu_dynamic_shared, s, shared_bytes);
	check_block_restored(now->saved.checked, now->number);
}

void begin_block(block &b, uint64_t number, const request &r)
{
	now = &b;
	b.begin(number, block_index(number, r.grid), r.block);
	blockIdx = b.index;
	poison_shared();
	check_block(number);
	enqueue(state::fresh);
}

/* Each block is a cluster of its own. */
static void run_alone(const request &r, const block_order &numbers, uint64_t n)
{
	static block b;

	for (uint64_t i = 0; i < n; i++) {
		begin_block(b, numbers[i], r);
		while (!run_block()) {
			metrics_interval(true);
			check_interval();
			now->cluster.at = 0;
			enqueue(state::at_cluster);
		}
		metrics_interval(false);
		metrics_block();
	}
}

/* Run the current block of a cooperative launch until it ends, or waits for
 * the grid and is one of "waiting".
 */
static void take_turn(std::vector<block *> &waiting, bool is_barrier)
{
	bool ended = run_block();

	if (!ended) {
		save_shared();
		waiting.push_back(now);
	}
	metrics_interval(is_barrier);
	if (ended)
		metrics_block();
}

/* All blocks of a cooperative launch live at once; each runs until it waits
 * for the grid.
 */
static void run_together(const request &r, const block_order &numbers,
	uint64_t n)
{
	std::vector<block> blocks(n);
	std::vector<block *> waiting, next;

	for (uint64_t i = 0; i < n; i++) {
		begin_block(blocks[i], numbers[i], r);
		take_turn(next, false);
	}
	while (!next.empty()) {
		check_grid_phase();
		waiting.swap(next);
		next.clear();
		for (block *b : waiting) {
			now = b;
			blockIdx = b->index;
			b->at_grid = 0;
			restore_shared();
			enqueue(state::at_grid);
			take_turn(next, true);
		}
	}
}

/* Run "body(closure)" for each thread of a legal launch "r" of "k". */
void launch_blocks(const kernel &k, const request &r, void (*body)(void *),
	void *closure)
{
	uint64_t n = (uint64_t) r.grid.x * r.grid.y * r.grid.z;
	block_order numbers(n);

	running = &k;
	cooperative = r.cooperative;
	shared_bytes = r.dynamic_bytes;
	thread_body = body;
	thread_closure = closure;
	blockDim = r.block;
	gridDim = r.grid;
	check_launch(n);
	metrics_launch(k, n, r.block.x * r.block.y * r.block.z,
		shared_bytes);
	if (has_clusters(k))
		run_clusters(k, r);
	else if (cooperative)
		run_together(r, numbers, n);
	else
		run_alone(r, numbers, n);
	metrics_launch_end();
	self = nullptr;
	running = nullptr;
}

/* The calling thread arrives at the barrier of "line". */
static void arrive(int line, const void *pc)
{
	self->state = state::at_barrier;
	self->line = line;
	self->pc = pc;
	if (now->at_barrier++ == 0)
		now->first_waiting = self;
	else if (now->first_waiting->line != line && !now->diverged)
		report_two_barriers(now->first_waiting, self);
}

}

extern "C" {

void stencilc_emu_barrier(int line)
{
	arrive(line, __builtin_return_address(0));
	wait();
}

int stencilc_emu_barrier_count(int line, int predicate)
{
	now->votes += predicate != 0;
	arrive(line, __builtin_return_address(0));
	wait();
	return now->count;
}

int stencilc_emu_barrier_or(int line, int predicate)
{
	now->votes += predicate != 0;
	arrive(line, __builtin_return_address(0));
	wait();
	return now->count != 0;
}

int stencilc_emu_barrier_and(int line, int predicate)
{
	now->votes += predicate == 0;
	arrive(line, __builtin_return_address(0));
	wait();
	return now->count == 0;
}

int stencilc_emu_grid_is_valid(void)
{
	return cooperative;
}

void stencilc_emu_grid_sync(int line)
{
	if (!cooperative) {
		finding f = { "grid-sync", __builtin_return_address(0), "" };
		f.text = "grid.sync() in a launch that is not cooperative";
		add(f);
		return;
	}
	self->state = state::at_grid;
	self->line = line;
	self->pc = __builtin_return_address(0);
	now->at_grid++;
	wait();
}

}
