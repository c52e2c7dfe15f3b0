/* The threads of a block; for block.cpp, warp.cpp, async.cpp and bulk.cpp. */
#ifndef BLOCK_H
#define BLOCK_H

#include "emu.h"
#include "fiber.h"

namespace stencilc_emu {

enum class state { fresh, ready, at_barrier, at_warp, at_grid, done };
enum class meeting {
	sync, ballot, any, all, match, shuffle, shuffle_up, shuffle_down,
	shuffle_xor
};

struct async_copy {
	void *to;
	const void *from;
	size_t bytes;			/* written, zeros included */
	size_t read_bytes;
	unsigned group;			/* the commit it belongs to */
	const void *pc;
};

/* What arrives at a barrier in shared memory: bytes that a thread copies in bulk,
 * or, without bytes, the thread.
 */
struct bulk_copy {
	void *to;
	const void *from;
	size_t bytes;
	unsigned thread;
	const void *pc;
	uint64_t stamp;			/* the checker's, of its arrival */
};

struct mbarrier {
	address at;
	unsigned count, missing;	/* threads of a phase, yet to arrive */
	int64_t bytes;			/* expected that have not arrived */
	unsigned phase;			/* that goes on */
	std::vector<bulk_copy> copies;	/* on their way */
	std::vector<bulk_copy> coming, seen;	/* arrived in this phase, in
						 * the last */
};

struct thread {
	fiber context;
	stack own;
	uint3 index;
	unsigned id;
	enum state state;
	int line;			/* where it waits */
	const void *pc;

	/* what it brings to its warp, and takes home */
	meeting op;
	lane_set mask;
	uint64_t value;
	int from;
	uint64_t answer;
	unsigned missing;		/* of a warp's first thread: the lane
					 * that a meeting waited for last */

	std::vector<async_copy> copies;
	unsigned groups;		/* committed */
};

struct block {
	uint64_t number;
	dim3 index;
	std::vector<thread> threads;
	dim3 shape;			/* that their indices are of */
	unsigned live, at_barrier, at_warp, at_grid;
	std::vector<thread *> queue;	/* who may run, a ring */
	size_t head, tail, ring;

	const thread *first_waiting;	/* at the barrier */
	bool diverged;			/* and reported */
	int votes;
	int count;			/* of the last barrier */

	std::vector<mbarrier> barriers;	/* in shared memory */
	unsigned idle;			/* waits there without success since
					 * somebody did something else */

	std::vector<char> shared;	/* while another block runs */
	std::vector<char> checked;

	void begin(uint64_t number, dim3 index, dim3 size);
	void make_ready(thread *t)
	{
		t->state = state::ready;
		queue[tail] = t;
		tail = tail + 1 == ring ? 0 : tail + 1;
	}
};

extern block *now;
extern "C" dim3 blockDim, gridDim;

/* Let another thread run until this one is ready again. */
void wait();
/* Let the others that are ready run. */
void pass();

/* async.cpp: whether [p, p + bytes) is shared memory. */
bool is_shared(const void *p, size_t bytes);

/* bulk.cpp: whether "byte" is one that is copied in bulk and has not arrived;
 * copies that never did when the block ends are reported.
 */
bool is_on_its_way(address byte);
void bulk_block_ends();

/* check.cpp: what copies in bulk mean. */
void check_use(const void *p, size_t bytes, bool is_write, const void *pc);
void check_bulk_done(const bulk_copy &c);
/* The stamp up to which "thread" did what others will see by its arrival. */
uint64_t check_release(unsigned thread);
/* The current thread sees what "c" did, and the thread that it is of. */
void check_acquire(const bulk_copy &c);

/* "t" ended: lanes of its warp may have waited for nobody else. */
void leave_warp(thread *t);

/* No thread of the block can go on: say so, and let those go on that wait
 * for their warp.
 */
void break_warps();

}

#endif
