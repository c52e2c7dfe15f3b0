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
	/* Variables: those bounds, values of lanes, the number of pieces of a row, the end of a
	 * piece.
	 */
	const char *end_name[IR_MAX_DIMS], *lane, *pieces, *piece_end;
};

struct reduced reduced_of(const struct host *h, int number);
/* Declare the bounds, as far as "user" uses them, and the pieces. */
void reduced_declare(const struct reduced *r, struct ks *b,
	const struct ks *user);
const char *reduced_index(const struct reduced *r, int d);
/* Rows of its points, in "c_type", and pieces of a row, each at least 0; a reduction of one
 * dimension has no rows: NULL.
 */
const struct kx *reduced_rows(const struct reduced *r, struct ctype c_type);
const struct kx *reduced_pieces(const struct reduced *r);
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
/* "e, the max over (i, j): ..", for comments. */
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

/* gpu_segments.c: the kernel of reduction "i"; the kernel that moves kept versions to the
 * copies from which a run begins, NULL where each segment ends with them there.
 */
struct kfunc *gpu_reduction(const struct host *h, int i);
struct kfunc *gpu_turn(const struct host *h);
/* Parts of a run: declarations for segments; all segments; its end. */
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

#endif
