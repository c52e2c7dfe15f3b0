/* The program as sets, its dependences and their cone. isl in, isl out.
 *
 * Symbols are those of Grosser et al., "Hybrid Hexagonal/Classical Tiling for
 * GPUs" (CGO 2014), called [CGO] in comments, with the corrections that
 * doc/formulas.md lists.
 */
#ifndef STENCILC_SCHEDULE_SCOP_H
#define STENCILC_SCHEDULE_SCOP_H

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include "base/base.h"
#include "ir/join.h"
#include "ir/reduction.h"
#include "model/model.h"
#include "schedule/scop/access.h"

/* keep.c: isl objects that live as long as a region ---------------------- */

__isl_keep isl_set *keep_set(struct region *r, __isl_take isl_set *set);
__isl_keep isl_pw_aff *keep_pw_aff(struct region *r,
	__isl_take isl_pw_aff *value);

/* scop.c: the program as sets --------------------------------------------
 *
 * An instance S[t, x0, .., xn-1] runs at 0 <= t < steps.  A value is
 * F[v, x0, ..]: version v of a cell of the state F, version 0 being the
 * newest that the caller passes; a field without time is F[x0, ..].
 */
struct scop_stmt {
	const struct stmt *stmt;
	const char *name;	/* of the tuple: "S0"; "S0_copy" */
	bool is_copy;		/* copies A[t] to A[t+1] where stmt does not
				 * write; see copy_domain */
	bool is_brief;		/* .. at most once for each copy, at first */
	int number;		/* i of L_i[t, s] -> [k*t + i, s] */
	int n_reads;		/* of stmt; for a copy, what it copies */
	const struct access *const *read;
	isl_set *domain;	/* { S[t, x] } */
	bool is_mapped;		/* a boundary may stand in for its reads */
	bool in_full;		/* has instances in full tiles, .. */
	bool is_guarded;	/* .. not all of which run */
	int period[IR_MAX_DIMS];	/* in full tiles it runs at x exactly
					 * if it runs so many points further
					 * along; 0: unknown */
	bool takes_turns;	/* others write its cells at other times */
	isl_set *inside;	/* { S[t, x] : it and all its reads lie in the
				 * grid }: a polyhedron */
	isl_set *hull;		/* a superset of the domain, of simple shape */
	isl_map *write;		/* { S[t, x] -> F[v, y] } */
};

struct scop_field {
	const struct field *field;
	int buffers;		/* of a state: copies that the code rotates;
				 * version v lives in copy v mod buffers */
	bool always_copied;	/* copy statements run at each step */
	isl_set *cells;		/* { F[y] : y in the grid }, without version;
				 * for a temp only cells with a value */
};

/* What anybody asked so far. */
struct known {
	struct region *mem;
	const struct reach *reaches;	/* access.c: how far accesses reach */
	const struct area *areas;	/* apart.c: which instances are how */
	const struct apart *apart;	/* far apart */
	const struct instants *instants;	/* distances.c: the same */
};

struct scop {
	struct region *mem;
	isl_ctx *ctx;
	const struct program *prog;
	int k;			/* statements of a step, 3.2 of [CGO] */
	int n_dims;		/* space dimensions of the schedule */
	int n_stmts;		/* copy statements included */
	struct scop_stmt *stmt;
	struct scop_field *field;	/* by field.index */
	const struct range *range;	/* see program_range */
	struct deps *deps;
	isl_set *misses;	/* parameters for which a step would read an
				 * element beyond an input */
	isl_set *context;	/* parameters for which there is work */
	struct known *known;
	const struct scop **together;	/* scop_together(), once asked for */
	bool is_guarded;	/* in a full tile some instance may not run */
	bool is_idle;		/* there is no instance at all */
	bool computes;		/* some instance does more than copy */
};

/* For a program in which each read counts, see passes.h.  NULL after an error. */
struct scop *scop_build(struct region *mem, isl_ctx *ctx, struct diags *d,
	const struct program *prog);
/* Does something read a value of "field", if only to keep it where no statement
 * computes it?
 */
bool scop_reads(const struct scop *scop, const struct field *field);

/* parts.c: points divided by what is chosen there ------------------------- */

enum { SCOP_MOST_PARTS = 8, SCOP_MOST_SHARED = 24 };

/* Divide "s" by the conditions on the point that choose values, as i == si && j == sj ? w[t] :
 * 0, and decide these in "parts", as long as there are at most "most" convex pieces.
 * Returns the number of parts; "s" alone if nothing is decided.  Parts where a condition fails
 * come first.
 */
int scop_parts(const struct scop *scop, const struct scop_stmt *s, int most,
	struct scop_stmt *parts);

/* far.c: "s" as points far from all edges are computed, where choices are decided that points
 * near an edge make otherwise, as j == 1 ? 1.0 : u[t][i][j-1]; "inside" loses the latter.  "s"
 * itself if there are none.
 */
struct scop_stmt scop_far(const struct scop *scop, const struct scop_stmt *s);

/* The number of the first statement that writes "field", or -1. */
int program_writer(const struct program *prog, const struct field *field);
/* Do values of "field" have a version? */
static inline bool has_version(const struct field *field)
{
	return field->kind == FIELD_STATE;
}

/* Would "s" copy cells to themselves?  A state with one copy copies nothing. */
bool scop_is_idle(const struct scop *scop, const struct scop_stmt *s);
/* Is there an instance of statement "number", or of its copy statement? */
bool scop_statement_runs(const struct scop *scop, int number);
/* The space of parameters of "scop". */
__isl_give isl_space *scop_param_space(const struct scop *scop);
/* An integer expression of parameters. */
__isl_give isl_pw_aff *scop_affine_of_params(const struct scop *scop,
	const struct expr *e);
/* steps = end - begin, as a function of the parameters. */
__isl_give isl_pw_aff *scop_steps(const struct scop *scop);
/* { params : a segment lies in the whole time range }; without segments all */
__isl_give isl_set *scop_segment_bounds(const struct scop *scop);
/* L: { S_i[t, x] -> [k*t + i, x0, .., xn-1] }, missing dimensions 0. */
__isl_give isl_map *scop_canonical(const struct scop *scop,
	const struct scop_stmt *s);

/* { [t, x] : t a step, x a cell of "f" }, in the space of "like" */
__isl_give isl_set *scop_cells_at_steps(const struct scop *scop,
	__isl_keep isl_set *like, const struct field *f);

/* copies.c: the copies of a state that the code rotates ------------------ */

/* "scop" for tiles that recompute what other tiles of a step compute, and store
 * only their own part.  No version that a step reads lies in the copy that it
 * writes, and where no statement writes a value that its own step reads, a copy
 * statement does.
 */
struct scop *scop_for_overlap(const struct scop *scop);

/* "scop" with one number, a row of tiles, for statements that share most of what they read. */
const struct scop *scop_together(const struct scop *scop);

/* May a step read an element beyond an input, for some parameters? */
bool scop_may_miss(const struct scop *scop);
/* Is the element "e" of an input the same for all points of a step, and does it exist for each
 * step, read or not?
 */
bool scop_has_element(const struct scop *scop, const struct expr *e);
/* May a step that computes no point miss "e", so that the function does not refuse the call? */
bool scop_misses_unseen(const struct scop *scop, const struct expr *e);

/* sets.c -----------------------------------------------------------------*/

/* "set" in fewer pieces, disjoint ones if necessary.  From overlapping pieces
 * with parities, isl 0.25 may make too large a set: of 0 <= x <= 1 and x >= 0
 * even it makes x >= 0.
 */
__isl_give isl_set *set_coalesce(__isl_take isl_set *set);
/* Does "set" certainly have a point? */
bool set_has_points(__isl_take isl_set *set);
/* { x in "set" : low <= x[pos] <= high } */
__isl_give isl_set *set_between(__isl_take isl_set *set, int pos, int low,
	int high);
/* The least, or the last and greatest, x[pos]; false if there is none. */
bool set_edge(__isl_keep isl_set *set, int pos, bool last, int64_t *edge);
bool set_edges(__isl_keep isl_set *set, int pos, int64_t *low, int64_t *high);
/* "set" moved by "by" in dimension "pos". */
__isl_give isl_set *shift_dim(__isl_take isl_set *set, int pos, int by);

/* affine.c: { x in space, that of a statement's instances : the condition "e" holds } */
__isl_give isl_set *set_of_condition(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e);

/* range.c: where statements run, ignoring their conditions ----------------- */

/* first <= x, and stride*x < size - offset for each end */
struct range {
	int64_t first;
	int n_ends;
	struct range_end {
		const struct expr *size;
		int64_t stride, offset;
	} *end;
};
/* The ranges of all statements; of these, the range of index "dim" of "s". */
const struct range *program_ranges(struct region *r,
	const struct program *prog);
const struct range *program_range(const struct range *all,
	const struct stmt *s, int dim);

/* deps.c: dependences and their cone -------------------------------------*/

/* NULL while the scop is built. */
struct deps {
	isl_set *distance;	/* { [dtau, dx0, ..] } of all, canonical */
};

/* The dependences one by one, for display. */
struct deps_relations {
	isl_union_map *flow;	/* write of a value -> its reads */
	isl_union_map *anti;	/* read of a value -> the write over it */
	isl_union_map *output;	/* write of a value -> the write over it */
};

/* delta0[i] = max dx_i/dtau and delta1[i] = max -dx_i/dtau over all distances,
 * each at least 0 (3.3.1 of [CGO]; the clamp is an erratum).
 */
struct cone {
	int n_dims;
	struct rational delta0[IR_MAX_DIMS], delta1[IR_MAX_DIMS];
	bool is_open[IR_MAX_DIMS];	/* distances along it are unbounded */
};

struct deps *deps_compute(const struct scop *scop);
struct deps_relations deps_relations(const struct scop *scop);
/* Does each distance advance in the canonical time? */
bool deps_advance(const struct deps *deps);
/* False if one does not, or if they are unbounded. */
bool cone_of_deps(const struct deps *deps, int n_dims, struct cone *cone);

/* print.c ----------------------------------------------------------------*/

/* The user's name of a dimension. */
const char *scop_dim_name(const struct scop *scop, int dim);
void rational_print(struct text *t, struct rational r);
void deps_print(struct text *t, const struct scop *scop);
/* "S0 in wave 4*t + 2*i + j", a line for each statement of sweeps. */
void deps_print_waves(struct text *t, const struct program *prog);
void cone_print(struct text *t, const struct scop *scop,
	const struct cone *cone);

#endif
