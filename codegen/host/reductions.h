/* Reductions, and the segments into which they divide a run; see
 * ir/reduction.h.
 */
#ifndef STENCILC_CODEGEN_REDUCTIONS_H
#define STENCILC_CODEGEN_REDUCTIONS_H

#include "codegen/host/host.h"

/* A reduction on its way to code: its points are first[d] <= x[d] < end[d], if there are any;
 * pieces cut the last dimension, the others make up rows.
 */
struct reduced {
	const struct host *h;
	const struct reduction *r;
	int number;
	const struct kx *first[IR_MAX_DIMS];	/* reduction numbers */
	const struct kx *end[IR_MAX_DIMS];
	int last;			/* dimension */
	bool by_bits;			/* see reduced_is_of_magnitudes() */
	/* Variables: those bounds, values of lanes, the number of pieces of a row, the end of a
	 * piece.
	 */
	const char *end_name[IR_MAX_DIMS], *lane, *pieces, *piece_end;
};

struct reduced reduced_of(const struct host *h, int number);
/* Do tiles compute reduction "number" at steps where it is due? */
bool reduced_in_tiles(const struct host *h, int number);
/* The number of the row of the point that iterators name; NULL if there are no rows. */
const struct kx *reduced_row(const struct reduced *r);
/* Declare ends, those that "user" has, and pieces. */
void reduced_declare(const struct reduced *r, struct ks *b,
	const struct ks *user);
const char *reduced_index(const struct reduced *r, int d);
/* Rows of its points, in "c_type", and pieces of a row, each at least 0; a reduction of one
 * dimension has no rows: NULL.
 */
const struct kx *reduced_rows(const struct reduced *r, struct ctype c_type);
const struct kx *reduced_pieces(const struct reduced *r);
/* Is it the greatest of values that are not negative, whose bits can be compared? */
bool reduced_is_of_magnitudes(const struct reduced *r);
/* The type in which values are joined. */
enum type reduced_type(const struct reduced *r);
/* B_JOIN .. of its kind and type. */
const struct kx *reduced_call(const struct reduced *r, enum builtin b, int n,
	const struct kx *const *arg);
/* A binding whose time, called names->time, is the user's; without reads. */
struct binding reduced_in_users_time(const struct host *h);
/* if (the conditions hold) to = join(to, the value), at the point that the iterators name. */
struct ks *reduced_point(const struct reduced *r, const struct kx *to,
	struct binding b);
/* "e, the max over (i, j)", and with how that is taken, for comments. */
const char *reduced_subject(const struct reduced *r);
const char *reduced_comment(const struct reduced *r);

/* Segments: the variables "first" and "end" of one. */

const struct kx *segment_first(const struct host *h);
const struct kx *segment_end(const struct host *h);
const struct kx *whole_begin(const struct host *h);
const struct kx *whole_end(const struct host *h);
/* Are the results computed that decide whether the loop ends?  NULL: always.  If so, does it
 * end?  "result" is the newest value of a result, for the element "e".
 */
const struct kx *loop_may_end(const struct host *h);
const struct kx *loop_condition(const struct host *h, const struct kx *(*result)(
	const struct binding *b, const struct expr *e));

/* gpu_reduce.c: the kernel of reduction "i". */
struct kfunc *gpu_reduction(const struct host *h, int i);
/* gpu_segments.c: parts of a run: declarations for segments; all segments; its end. */
void gpu_declare_segments(const struct host *h, struct ks *b);
void gpu_add_segments(const struct host *h, struct ks *b,
	struct kfunc *const *kernels);
/* The parts of a run's memory that hold its values. */
const struct kx *gpu_segments_bytes(const struct host *h);
void gpu_free_segments(const struct host *h, struct ks *b);
/* Return if no step does anything, with 0 steps done; in device memory. */
void gpu_return_without_steps(const struct host *h, struct ks *b);
/* if (it is due) "reduce"; for each reduction that somebody sees; those that nobody sees,
 * behind the step "end".
 */
typedef struct ks *reduce_at(const struct host *h, int i, const struct kx *end,
	const struct kx *at);
void segment_reduce(const struct host *h, struct ks *b, reduce_at *reduce);
void end_reduce(const struct host *h, struct ks *b, const struct kx *end,
	reduce_at *reduce);
/* Variables: does the loop end, and the number of steps done; for (first: segments) { end; body
 * }
 */
const char *loop_ends_name(const struct host *h);
const char *loop_done_name(const struct host *h);
void loop_declare(const struct host *h, struct ks *b);
struct ks *segment_loop(const struct host *h, struct ks *body);

/* Return 0 if no step does anything, with 0 steps done; in the caller's memory. */
void host_return_without_steps(const struct host *h, struct ks *b);

/* As C: cpu_reduce.c, cpu_segments.c --------------------------------------- */

/* NAME_reduceN(params, arrays, values): the value of reduction "i". */
struct kfunc *cpu_reduction(const struct host *h, int i);
/* Its parts: how to read a cell, the host being the user of the binding; a parallel region that
 * makes a value of each piece; the number of pieces; the value of all.  Last the parameter for
 * the values.
 */
typedef const struct kx *cpu_read(const struct binding *b,
	const struct access *acc);
/* The subscripts of "acc" at the point of "b"; the cell with these of its version in the run's array,
 * which has a copy for each.
 */
void cpu_bound_cell(const struct binding *b, const struct access *acc,
	const struct kx **cell);
const struct kx *cpu_version_at(const struct host *h, const struct access *acc,
	const struct kx *const *cell);
struct ks *cpu_region_of_pieces(const struct reduced *r, cpu_read *read);
const struct kx *cpu_count_of_values(const struct reduced *r);
const struct kx *cpu_join_pieces(const struct reduced *r,
	const struct kx *values, const struct kx *n);
void cpu_add_values(const struct reduced *r, struct kfunc *f);
/* cpu_reduce.c: reductions in tiles, see reduced_in_tiles().  A step where one is due has
 * a slot, in which each row has a value of each piece; of a sum, when that is done, until when
 * the row has lanes, those of the piece that tiles are at.
 */
bool cpu_keeps_lanes(const struct host *h, int i);

struct cpu_reduced_box {
	const char *const *low, *const *high;	/* parameters: ends of the box */
	const char *slot;			/* likewise */
};

/* Add the points of the box, of which rows are computed from their first point on. */
struct ks *cpu_reduction_of_box(const struct host *h, int i,
	const struct cpu_reduced_box *box);
/* NAME_run_reducedN(params, slot, values): what the values of a slot come to. */
struct kfunc *cpu_tile_reduction(const struct host *h, int i, const char *slot);
/* Memory of all slots, and the parameters for it. */
const char *cpu_lanes_name(const struct host *h, int i);
const char *cpu_tile_values_name(const struct host *h, int i);
void cpu_add_tile_values(const struct host *h, struct kfunc *f, int i);
/* .. and for results, of a run of which tiles reduce. */
void cpu_add_results(const struct host *h, struct kfunc *f);
/* How many slots a run has. */
int cpu_slots(const struct host *h, int i);
/* The run's own array of a result; "value" to its element "at". */
const char *cpu_result_name(const struct host *h, const struct field *f);
struct ks *cpu_set_result(const struct host *h, const struct reduction *r,
	const struct kx *at, const struct kx *value);
/* Declare what all of them have in memory, from "at" on. */
void cpu_declare_values(const struct host *h, struct ks *b, const struct kx *at);

/* The bytes for values that reductions join; where they are in memory behind "before". */
const struct kx *cpu_values_bytes(const struct host *h);
const char *cpu_values_name(const struct host *h);
/* const int brokenN = value, of a check: is it more than 0? */
const struct kx *cpu_find_broken(const struct host *h, struct ks *b, int i,
	const struct kx *value);
/* What "until" needs behind a segment: does the loop end, and after how many steps? */
void cpu_test_end(const struct host *h, struct ks *body);
/* All segments, and what follows them. */
struct cpu_segments {
	struct ks *loop;	/* over segments; NULL: there is one, of .. */
	struct ks *steps;
	reduce_at *reduce;
	/* The array of a result, for the user. */
	const struct kx *(*result)(const void *user, const struct field *f);
	const void *user;
};
void cpu_run_segments(const struct host *h, struct ks *b,
	const struct cpu_segments *all);
/* Segment after segment, each followed by its reductions. */
void cpu_add_segments(const struct host *h, struct ks *b,
	const struct kfunc *run);
/* One, whose "steps" also reduce. */
void cpu_add_one_segment(const struct host *h, struct ks *b, struct ks *steps);

#endif
