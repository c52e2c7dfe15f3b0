/* The threads of a block; for block.cpp, warp.cpp, async.cpp and bulk.cpp. */
#ifndef BLOCK_H
#define BLOCK_H

#include "emu.h"
#include "fiber.h"

namespace stencilc_emu {

enum class state {
	fresh, ready, at_barrier, at_warp, at_grid, at_cluster, done
};
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
	bool arrived;			/* at the cluster's barrier, for which it
					 * has not waited */
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
	struct {
		unsigned at;		/* threads at the cluster's barrier */
		uint64_t interval;	/* stamp of the last barrier interval of
					 * its last turn, for the checker */
	} cluster;
	std::vector<thread *> queue;	/* ring of threads that can run */
	size_t head, tail, ring;

	const thread *first_waiting;	/* the first one at the barrier */
	bool diverged;			/* and reported */
	int votes;
	int count;			/* of the last barrier */

	std::vector<mbarrier> barriers;	/* in shared memory */
	unsigned idle;			/* waits there in vain since somebody
					 * last did something else */

	struct {			/* saved while another block runs */
		std::vector<char> shared, checked;
	} saved;

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
extern "C" uint3 threadIdx, blockIdx;

/* Is "a" on the stack of the thread that runs? */
inline bool on_own_stack(address a)
{
	return a - (address) self->own.start < self->own.bytes;
}

/* block.cpp: begin block "number"; put its threads in state "which" into the queue; run it until all
 * its threads have ended (true) or wait for the grid or the cluster.
 */
void begin_block(block &b, uint64_t number, const request &r);
void enqueue(enum state which);
bool run_block();

/* cluster.cpp: run the blocks of a launch whose kernel has clusters. */
void run_clusters(const kernel &k, const request &r);
/* A block of a cluster whose shared memory is at "a" while others run; -1: there is none. */
int rank_at(address a);
/* .. where the block itself has it, .. */
address own_address(address a);
/* .. its index, and why nobody may use it now; NULL: others may. */
dim3 block_at(address a);
const char *why_not_there(address a);
/* Call "f" for each piece of shared memory there. */
void each_window(void (*f)(address start, size_t bytes));

/* check.cpp: clusters of blocks run in turns, one of each block for each phase of the barrier. */
void check_cluster_begins();
void check_cluster_phase(unsigned phase);
void check_turn();			/* of the block "now" */
void check_turn_ends();
void check_arrive();			/* of the thread, at the barrier */
/* The block has ended: report those that may still use its memory at "start". */
void check_leaves(address start, size_t bytes);

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
