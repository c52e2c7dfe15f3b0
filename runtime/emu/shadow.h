/* What the checker knows of each 4 bytes that device code may touch: who wrote
 * them last, and who has read them since.
 *
 * Time is counted in stamps.  A launch, a block, a barrier interval, or what a
 * warp does after a __syncwarp(), takes a new stamp when it begins.  Since
 * blocks run one after the other, the stamps of a block are consecutive, and
 *
 *	before "launch_first"	it happened in an earlier launch: no race
 *	before "block_first"	in another block of this launch: a race, unless a
 *				barrier of their cluster lies between
 *	before "interval_first"	in this block before the last barrier: none
 *	otherwise		in this interval: a race unless it was the
 *				same thread, or the warp met in between
 *
 * A record is a stamp, a thread, a place and four flags in 64 bits, with the
 * stamp highest, so that records compare as stamps do.  The first reader is
 * kept: a write that races with a later reader races with it, too, unless it is
 * the writer itself; so a flag says that there were others.
 */
#ifndef SHADOW_H
#define SHADOW_H

#include "emu.h"

namespace stencilc_emu {

typedef uint64_t record;

const unsigned stamp_shift = 36, thread_shift = 26, pc_shift = 4;
const record pc_mask = (record) 0x3fffff << pc_shift;

/* flags of a write record: byte n of the 4 has been written */
const record all_bytes = 15;

/* flags of a read record */
const record many_lanes = 1;		/* others of the warp read, too */
const record many_warps = 2;		/* so did other warps */
const record was_atomic = 4;		/* the last write was atomic */
const record is_split = 8;		/* see byte_cells */

struct cell {
	record write, read;
};

/* A range of addresses with a cell for each 4 bytes and, for smaller accesses,
 * a cell for each byte.
 */
struct shadow {
	address start;
	size_t bytes;
	cell *cells;
	cell *byte_cells;
};

extern shadow arena_shadow;		/* device memory */
extern shadow data_shadow;		/* the program's variables */

extern record check_me;			/* current stamp and thread */
extern record check_stamps[max_block_threads];
extern record launch_first, block_first, interval_first;
extern address text_start;

inline void check_thread(unsigned thread)
{
	check_me = check_stamps[thread];
}

inline unsigned thread_of(record r)
{
	return r >> thread_shift & (max_block_threads - 1);
}

inline bool same_stamp_and_thread(record a, record b)
{
	return (a ^ b) >> thread_shift == 0;
}

/* The place of a call that returns to "pc".  Calls are longer than 4 bytes, so
 * dropping two bits loses none.
 */
inline record encode_pc(const void *pc)
{
	address offset = ((address) pc - text_start) >> 2;

	return offset < 0x3fffff ? (record) offset << pc_shift : pc_mask;
}

const void *decode_pc(record r);

/* shadow.cpp */
bool reserve_shadow(shadow &s, address start, size_t bytes);
shadow *shadow_of(address a);
void mark_written(address start, size_t bytes);
void mark_unwritten(address start, size_t bytes);
/* Let "to" have the cells of [from, from + bytes), at the same distance from a multiple of 4. */
void copy_cells(address to, address from, size_t bytes);
void forget(address start, size_t bytes);	/* returns memory to the system */
cell *split(shadow &s, cell *c);
void each_cell(void (*f)(cell &));

/* check.cpp */
bool is_ordered(record r);	/* by the warp, before the current thread */
extern bool in_cluster;
/* Did "r" happen in another block of the launch, or an earlier turn of this one, and no barrier of
 * the cluster lies between?
 */
bool is_beside(record r);
bool is_of_cluster(record r);

/* race.cpp: decide, report, record */
struct access {
	address at;
	unsigned bytes;
	bool is_write, is_atomic;
	const void *pc;
};
void slow_access(shadow &s, const access &a);
void outside_access(const access &a);
void host_access(const access &a);

/* Keep a reader of another block, then the first of this interval. */
inline void note_read(cell *c, record r, record mine)
{
	if (r >= interval_first) {
		if (r & many_warps || same_stamp_and_thread(r, mine))
			return;
		if ((thread_of(r) ^ thread_of(mine)) >> warp_shift) {
			c->read = r | many_warps;
			return;
		}
		if (thread_of(r) != thread_of(mine) && !is_ordered(r)) {
			c->read = r | many_lanes;
			return;
		}
	} else if (r >= launch_first && r < block_first &&
	    (!in_cluster || is_beside(r))) {
		return;
	}
	c->read = mine | (r & (was_atomic | is_split));
}

/* The frequent case: a whole cell, written before, no conflict in sight.
 * False: nothing was recorded, take the slow way.
 */
inline bool quick_read(cell *c, record mine)
{
	record w = c->write, r = c->read;

	if ((w & all_bytes) != all_bytes || r & is_split)
		return false;
	if (w >= launch_first && !same_stamp_and_thread(w, mine) &&
	    (w < block_first || w >= interval_first))
		return false;
	note_read(c, r, mine);
	return true;
}

inline bool quick_write(cell *c, record mine)
{
	record w = c->write, r = c->read;

	if ((w & all_bytes) != all_bytes || r & (is_split | was_atomic))
		return false;
	if (w >= launch_first && !same_stamp_and_thread(w, mine) &&
	    (w < block_first || w >= interval_first))
		return false;
	if (r >= launch_first && (r < block_first || r >= interval_first) &&
	    (!same_stamp_and_thread(r, mine) || r & (many_lanes | many_warps)))
		return false;
	c->write = mine | all_bytes;
	return true;
}

template <unsigned bytes, bool is_write>
inline bool quick_access(shadow &s, size_t offset, record mine)
{
	cell *c = s.cells + offset / 4;

	if (offset % 4)
		return false;
	for (unsigned i = 0; i < bytes / 4; i++) {
		bool done = is_write ? quick_write(c + i, mine) :
			quick_read(c + i, mine);
		if (!done)
			return false;
	}
	return true;
}

}

#endif
