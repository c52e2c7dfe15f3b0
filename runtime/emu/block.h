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
	size_t bytes;			/* bytes written, zeros included */
	size_t read_bytes;
	unsigned group;			/* the commit it belongs to */
	const void *pc;
};

/* An arrival at a barrier in shared memory: of bytes that a thread copies in bulk, or, without
 * bytes, of the thread.
 */
struct bulk_copy {
	void *to;
	const void *from;
	size_t bytes;
	unsigned thread;
	const void *pc;
	uint64_t stamp;			/* the checker's stamp of its arrival */
};

struct mbarrier {
	address at;
	unsigned count, missing;	/* threads of a phase; of these, those
					 * that have not arrived */
	int64_t bytes;			/* expected bytes that have not arrived */
	unsigned phase;			/* number of the current phase */
	std::vector<bulk_copy> copies;	/* on their way */
	std::vector<bulk_copy> coming, seen;	/* arrived in this phase, and in
						 * the last one */
};

struct thread {
	fiber context;
	stack own;
	uint3 index;
	unsigned id;
	enum state state;
	int line;			/* where it waits */
	const void *pc;

	/* what it gives to its warp, and gets back */
	meeting op;
	lane_set mask;
	uint64_t value;
	int from;
	uint64_t answer;
	unsigned missing;		/* of a warp's first thread: the last
					 * lane for which a meeting waited */

	std::vector<async_copy> copies;
	unsigned groups;		/* committed */
};

struct block {
	uint64_t number;
	dim3 index;
	std::vector<thread> threads;
	dim3 shape;			/* bounds of the threads' indices */
	unsigned live, at_barrier, at_warp, at_grid;
	std::vector<thread *> queue;	/* ring of threads that can run */
	size_t head, tail, ring;

	const thread *first_waiting;	/* the first one at the barrier */
	bool diverged;			/* and reported */
	int votes;
	int count;			/* of the last barrier */

	std::vector<mbarrier> barriers;	/* in shared memory */
	unsigned idle;			/* waits there in vain since somebody
					 * last did something else */

	std::vector<char> shared;	/* saved while another block runs */
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

/* Is "a" on the stack of the thread that runs? */
inline bool on_own_stack(address a)
{
	return a - (address) self->own.start < self->own.bytes;
}

/* Let other threads run until this one is ready again. */
void wait();
/* Let the other ready threads run. */
void pass();

/* async.cpp: is [p, p + bytes) shared memory? */
bool is_shared(const void *p, size_t bytes);

/* bulk.cpp: was "byte" copied in bulk without having arrived?  Copies still on
 * their way when the block ends are reported.
 */
bool is_on_its_way(address byte);
void bulk_block_ends();

/* check.cpp: the meaning of copies in bulk. */
void check_use(const void *p, size_t bytes, bool is_write, const void *pc);
void check_bulk_done(const bulk_copy &c);
/* The stamp up to which others see what "thread" did, by its arrival. */
uint64_t check_release(unsigned thread);
/* The current thread sees what "c" did, and the thread that started it. */
void check_acquire(const bulk_copy &c);

/* "t" has ended: lanes of its warp may have waited only for it. */
void leave_warp(thread *t);

/* No thread of the block can run: report it, and let those run that wait for
 * their warp.
 */
void break_warps();

}

#endif
