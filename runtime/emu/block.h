/* The threads of a block; for block.cpp, warp.cpp and async.cpp. */
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
	uint32_t mask;
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

/* "t" ended: lanes of its warp may have waited for nobody else. */
void leave_warp(thread *t);

/* No thread of the block can go on: say so, and let those go on that wait
 * for their warp.
 */
void break_warps();

}

#endif
