/* What emitted code asks of the machine, of a GPU's run-time library and of the
 * small functions emitted with it.  Each printer has a word for each; the
 * operands follow in the order given here.
 */
#ifndef STENCILC_BUILTIN_H
#define STENCILC_BUILTIN_H

#include "ir/reduction.h"

enum { REDUCE_THREADS = 256 };	/* of the blocks of reductions on a GPU */

enum builtin {
	B_NONE,

	/* Indices, of an axis. */
	B_THREAD,		/* of a thread in its block */
	B_BLOCK,		/* of a block in its launch */
	B_BLOCKS,		/* how many there are */
	B_EXTENTS,		/* x, y, z: of a launch or block */

	/* Arithmetic. */
	B_MIN, B_MAX,
	B_FLOOR_DIV,		/* floor(a / b), b > 0 */
	B_WRAP,			/* x mod n, for 0 <= x < 2*n */
	B_MODULO,		/* x mod n */
	B_PARITY,		/* x mod 2 */
	B_ROW_OF_TURN, B_COLUMN_OF_TURN,	/* y, x, last y, last x: a tile for
				 * each turn, those at sides first */
	B_OVER_ROOT, B_ROOT, B_INVERSE,	/* 1 / sqrt(x), sqrt(x), 1 / x, of
					 * c_type, approximated */

	/* Memory. */
	B_DEREFERENCE,		/* *pointer */
	B_LOAD, B_STORE,	/* to, from: c_type, by vectors; the other
				 * operand is an array of cells */
	B_COPY,			/* to, from: both are vectors */
	B_LOAD_LANES,		/* from: a vector of the processor, c_type */
	B_KEEP_LANES,		/* from: the same, once for all uses */
	B_BESIDE_LANES,		/* from: the same where neighbours are shifted */
	B_LAST_LANES,		/* end, n: a vector whose last lanes are the n
				 * cells before "end" */
	B_LEFT_LANES,		/* n, before, here, at: the cells n to the left
				 * of those of "here", which are at "at" */
	B_RIGHT_LANES,		/* n, here, after, at: the same to the right */
	B_SHIFTED_LANES,	/* before, here, otherwise: the last lane of one,
				 * all others of the other, where lanes shift */
	B_JOINT_LANES,		/* before, here: the last half of one, the first
				 * half of the other, where a line has two vectors */
	B_LEFT_OF_JOINT_LANES,	/* n, joint, here, at: the cells n to the left
				 * of those of "here", which lie at "at" */
	B_RIGHT_OF_JOINT_LANES,	/* n, here, joint, at: the same to the right */
	B_ONE_LANES,		/* a vector of ones that compilers do not see through */
	B_FUSED_SUM_LANES,	/* a, b, one: a + b, where it pays as a * one + b */
	B_FUSED_DIFFERENCE_LANES,	/* a, b, one: likewise a - b */
	B_ROOT_LANES,		/* x: the root of each lane */
	B_LARGE_ROOT_LANES,	/* x: the same, no lane too small for its
				 * remainder to be a number */
	B_DIVIDER_ROOT_LANES, B_DIVIDER_LARGE_ROOT_LANES,	/* least, x: by the
				 * divider where that is so fast */
	B_OVER_ROOT_LANES,	/* x: 1 / B_LARGE_ROOT_LANES, without a fast
				 * divider's time */
	B_TO_LANES,		/* to, from, part: so many cells into each of
				 * the lanes that fill a line, or as many as it
				 * says */
	B_FROM_LANES,		/* to, through, from, part, before, after: the
				 * way back, but for the first and last cells */
	B_STORE_LANES,		/* to, value: the same */
	B_STORE_PART_LANES,	/* to, value, first, count: so many lanes from
				 * "first" on */
	B_CELLS_TO_LANES,	/* at: how many cells lie before the next
				 * aligned vector */
	B_CELLS_TO_LINE_LANES,	/* at: .. before the next line of the cache */
	B_STORE_LAST_LANES,	/* to, value, first: the lanes from "first" on */
	B_WHOLE_LINES,		/* bytes, rounded up to a multiple of a line */
	B_HALF_PAGE_APART,	/* own, user: bytes that put them in different
				 * sets */
	B_NEW, B_NEW_ALIGNED,	/* bytes; alignment, bytes */
	B_NEW_ZEROED,		/* number, bytes of one */
	B_NEW_OR_END,		/* bytes; without memory the harness ends */
	B_NEW_LARGE,		/* bytes, on lines and large pages */
	B_DELETE,		/* pointer */
	B_COPY_BYTES,		/* to, from, bytes */

	/* For reductions, in the order of enum reduce: a, b: two values of c_type joined into
	 * one; the value of no values; lane: an array of REDUCE_LANES joined, which is
	 * overwritten; values, n: an array of n joined, likewise.
	 */
	B_JOIN, B_NOTHING = B_JOIN + REDUCE_SUM + 1,
	B_JOIN_LANES = B_NOTHING + REDUCE_SUM + 1,
	B_JOIN_ALL = B_JOIN_LANES + REDUCE_SUM + 1,
	/* On a GPU, for all threads of a block: lanes, value: the values of REDUCE_LANES
	 * adjacent threads joined; lanes, values, n: n values joined that blocks have passed
	 * on.
	 */
	B_JOIN_THREADS = B_JOIN_ALL + REDUCE_SUM + 1,
	B_JOIN_HANDED = B_JOIN_THREADS + REDUCE_SUM + 1,
	B_LAST_JOIN = B_JOIN_HANDED + REDUCE_SUM,
	B_JOIN_MAGNITUDES,	/* a, b: the greater one, neither being negative; or a
				 * NaN */
	B_HAND_ON,		/* to, value: visible to other blocks, of c_type */
	B_LAST_BLOCK,		/* arrived: is this block the last one to ask? */
	B_FENCE,		/* stores before it are visible before those
				 * after it */

	B_DEAL_TILES,		/* sets what OMP_RUNTIME means, for this thread */
	B_TILES_AHEAD,		/* where the thread's next tile lies by OMP_RUNTIME */
	B_FETCH_TO_READ,	/* from, bytes, part, parts: their part is
				 * fetched into the cache, parts count from 1 */
	B_FETCH_TO_WRITE,	/* the same */
	B_FETCH_BEHIND,		/* from, bytes: the line that lies so many bytes
				 * behind "from" is fetched */

	/* Copies to shared memory beside the running thread. */
	B_COPY_AHEAD,		/* to, from, bytes */
	B_END_COPIES,		/* makes a group of the copies begun */
	B_WAIT_FOR_COPIES,	/* waits for all groups but the last n */
	B_BULK_BEGIN,		/* &arrivals */
	B_BULK_EXPECT,		/* &arrivals, bytes */
	B_BULK_COPY,		/* to, from, bytes, &arrivals */
	B_BULK_WAIT,		/* &arrivals, parity */
	B_BULK_FENCE,		/* orders copies behind stores of other blocks */

	/* Threads together. */
	B_BLOCK_BARRIER, B_WARP_BARRIER, B_GRID_BARRIER,
	B_CLUSTER_BARRIER,	/* of the blocks of a cluster, or in halves: */
	B_CLUSTER_ARRIVE, B_CLUSTER_WAIT,
	B_CLUSTER_RANK,		/* of a block in its cluster */
	B_CLUSTER_SHARED,	/* array, rank: that block's, in shared memory */
	B_FROM_LANE_BEFORE,	/* value, n: the value of lane - n */
	B_FROM_LANE_AFTER,	/* value, n: the value of lane + n */
	B_ALL_LANES,		/* condition: does it hold in each lane? */

	/* x, n: the cell among 0 .. n-1 that stands for x at a boundary, in the
	 * order of the kinds; in kernels -n <= x < 2*n, in the plain loops of a
	 * harness x is any.
	 */
	B_STAND_IN,
	B_ANY_STAND_IN = B_STAND_IN + BOUNDARY_KINDS,
	B_LAST_STAND_IN = B_ANY_STAND_IN + BOUNDARY_KINDS - 1,
	B_IS_INSIDE,		/* 0 <= x < n */
	B_COPY_OF,		/* from, bytes: new memory with a copy of them */

	/* Calls of the run-time library; "stream" orders them. */
	RT_NEW,			/* &pointer, bytes, stream */
	RT_DELETE,		/* pointer, stream */
	RT_COPY,		/* to, from, bytes, way, stream */
	RT_COPY_ROWS,		/* to, its pitch, from, its pitch, bytes of a
				 * row, rows, way, stream */
	RT_SET,			/* to, byte, bytes, stream */
	RT_WAIT_FOR_STREAM,	/* stream */
	RT_LAST_ERROR,
	RT_ALLOCATE, RT_FREE,	/* &pointer, bytes; pointer: outside streams, .. */
	RT_COPY_NOW,		/* .. as to, from, bytes, way */
	RT_WAIT_FOR_DEVICE,
	RT_NEW_STREAM, RT_DELETE_STREAM,	/* &stream, kind; stream */
	RT_BEGIN_CAPTURE,	/* stream, whose: its work becomes a graph */
	RT_END_CAPTURE,		/* stream, &graph */
	RT_IS_CAPTURING,	/* stream, &answer */
	RT_DELETE_GRAPH,	/* graph */
	RT_PREPARE_GRAPH,	/* &run, graph, flags */
	RT_LAUNCH_GRAPH, RT_DELETE_GRAPH_RUN,	/* run, stream; run */
	RT_SET_ATTRIBUTE,	/* kernel, attribute, value */
	RT_DEVICE,		/* &device */
	RT_ASK_DEVICE,		/* &value, attribute, device */
	RT_BLOCKS_THAT_FIT,	/* &blocks, kernel, threads, bytes: blocks of a
				 * multiprocessor */
	RT_LAUNCH_TOGETHER,	/* launches blocks that wait for each other */

	/* Constants, of the library and of the emitted file. */
	W_SUCCESS, W_ANY_WAY, W_TO_DEVICE, W_TO_HOST,
	W_NON_BLOCKING,			/* a kind of stream */
	W_OF_THREAD,			/* a mode: which calls a capture checks */
	W_NOT_CAPTURING,		/* an answer */
	W_DYNAMIC_BYTES, W_COOPERATIVE,
	W_MULTIPROCESSORS, W_LANES,
	W_NULL,
	W_MAX_GRID_X, W_MAX_GRID_YZ,	/* blocks of a launch */
	W_ENOUGH_BLOCKS,		/* enough to keep the machine busy */
	W_SHIFTS,			/* are shifts of vectors faster? */
	W_HALVES,			/* .. at lines, which have two vectors? */

	N_BUILTINS
};

#endif
