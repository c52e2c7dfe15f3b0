/* What the files of the C target share. */
#ifndef STENCILC_CODEGEN_CPU_H
#define STENCILC_CODEGEN_CPU_H

#include "codegen/host/host.h"
#include "codegen/tile.h"

struct cpu {
	struct host h;
	struct builder b;	/* finds cells: versions by the time */
	struct plan sweeps;	/* its plan: a step of time is a tile */
};

static inline bool cpu_has_tiles(const struct host *h)
{
	return h->plan && h->plan->form == FORM_PIPELINE;
}

static inline bool cpu_has_hexagons(const struct host *h)
{
	return h->plan && h->plan->tiles.hex_dim >= 0;
}

/* Does the code keep "f" in memory of its own? */
static inline bool cpu_is_owned(const struct field *f)
{
	return f->kind == FIELD_STATE || f->kind == FIELD_TEMP;
}

/* cpu.c ----------------------------------------------------------------- */

/* Copies of "f" in memory of our own, that is as many as the code allocates and
 * tells apart there; tiles use the caller's, too.
 */
int cpu_copies(const struct host *h, const struct field *f);
/* Has our memory of "f" rows of its own, and not those of the caller's? */
bool cpu_is_padded(const struct host *h, const struct field *f);
/* The bytes of all copies of "f" if it has. */
const struct kx *cpu_padded_bytes(const struct host *h, const struct field *f);

/* An array of "copies" copies of "f" as a parameter: in the memory that the
 * code owns, whose rows are padded, or of the caller.
 */
struct kparam cpu_array(const struct host *h, const struct field *f,
	const char *var, int copies, bool owned);
void cpu_add_array(const struct host *h, struct kfunc *to,
	const struct field *f, const char *var, int copies, bool owned);
/* static void NAME_run_SUFFIX(params): a function that the run calls */
struct kfunc *cpu_function(const struct host *h, const char *suffix);
/* The caller's cells of a state. */
const char *cpu_user_name(const struct host *h, const struct field *f);

/* An instance of b->stmt at the names of its time and point. */
struct ks *cpu_instance(struct builder *b);
/* { [t, x] } as { [x] }, t a parameter; without a time loop it is 0 */
__isl_give isl_set *cpu_at_time(const struct cpu *cpu,
	__isl_take isl_set *set);
/* { S[t, x] : 0 <= t < steps } of the statement at hand.  That it has a point
 * in the grid is not known: a grid may be too small for its reads.
 */
__isl_give isl_set *cpu_all_steps(const struct cpu *cpu);
/* The point of "f" in array "var", in copy "copy" if it has several. */
const struct kx *cpu_cell(const struct host *h, const struct field *f,
	const char *var, int copies, const struct kx *copy);
/* "assignments" for each cell of "f", shared out as the statements are: what a
 * thread touches first lies in its memory.
 */
void cpu_add_copies(const struct host *h, struct ks *block,
	const struct field *f, struct ks *assignments);
/* Nests whose instances may run in any order, for all threads: outer loops are
 * shared out, what has no loop is for one thread.  Each has its own of what is
 * declared.
 */
struct ks *cpu_share_out(const struct host *h, struct ks *s);

/* "s", its loops without a loop inside for vectors. */
struct ks *cpu_vectorise(const struct host *h, struct ks *s);

/* cpu_entry.c ----------------------------------------------------------- */

/* The functions for users; "run" is what does all steps, or NULL: there is
 * nothing to compute.  NULL, the first two, if it takes no memory.
 */
struct kfunc *cpu_memory_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run);
struct kfunc *cpu_entry_with_memory(const struct host *h,
	const struct kfunc *check, const struct kfunc *run);
struct kfunc *cpu_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run, const struct kfunc *memory,
	const struct kfunc *with_memory);

/* fused.c --------------------------------------------------------------- */

/* The tiles of a group of stages, shared out to the threads. */
void fused_add_group(struct cpu *cpu, struct ks *block,
	const struct plan *plan);

/* hex/cpu.c ------------------------------------------------------------- */

enum { CPU_HEX_ROWS = 4 };	/* computed at a time, at most */

struct cpu_hex {
	struct cpu *cpu;
	const struct host *h;
	const struct plan *plan;
	const struct kernel_names *names;
	const char *low[IR_MAX_DIMS], *high[IR_MAX_DIMS];	/* of a row */
	const char *row[CPU_HEX_ROWS];	/* places of rows computed at a time;
					 * the first is of those left */
	struct kfunc *function;		/* of the rows at hand */
	int n_dims, line;
};

/* The caller's copies of a state, and our own, of which versions go to one after
 * the other.
 */
static inline int cpu_hex_copies(const struct host *h, const struct field *f)
{
	return h->scop->field[f->index].buffers;
}

/* All steps by hexagonal tiles, in the parallel region "region"; "functions",
 * which ends with NULL, are those that it calls.
 */
void cpu_hex_add_run(struct cpu *cpu, struct ks *region,
	struct kfunc ***functions);

/* hex/cpu_tile.c -------------------------------------------------------- */

/* static void NAME_run_tile(params, steps, t0, x, A, A_user, ..): all that
 * "rows", a function for each statement or NULL, compute in a tile.
 */
struct kfunc *cpu_hex_tile(const struct cpu_hex *x, struct kfunc **rows);

/* hex/cpu_rows.c -------------------------------------------------------- */

/* static void NAME_run_rows(params, t, i_low, i_high, .., A_old, A_new): the
 * instances of "s", statement "i", at t and low <= x <= high.
 */
struct kfunc *cpu_hex_rows(struct cpu_hex *x, const struct scop_stmt *s,
	int i);

/* hex/cpu_vectors.c ----------------------------------------------------- */

/* "s", its innermost loops for vectors, and of several rows where that goes. */
struct ks *cpu_hex_vectorise(const struct cpu_hex *x, struct ks *s);

/* sums.c ---------------------------------------------------------------- */

/* Does it have a sum of so many terms that rows are better added side by side?
 */
bool has_long_sum(const struct kx *x);
/* Add the longest sum of each of the values of "rows" rows, alike but for the
 * row, to "block", a few terms of each at a time, and use it in value[row].
 * False, and nothing is done, if it is short.
 */
bool sums_side_by_side(struct region *r, const struct program *prog,
	struct ks *block, const struct kx **value, int rows);

/* overlap.c ------------------------------------------------------------- */

struct overlap {
	struct cpu *cpu;
	const struct host *h;
	const struct pipeline *p;
	const struct kernel_names *names;
	int n_dims, last;
	const char *front;	/* the row that the pipeline is at */
	const char *count;	/* steps of this tile */
	const char *t0;		/* before its first step */
	const char *block, *blocks;	/* of steps */
	const char *begin[IR_MAX_DIMS], *end[IR_MAX_DIMS];	/* the tile */
	const char *base[IR_MAX_DIMS];	/* where a row kept begins */
	const char *low, *high;	/* what a stage computes of a row */
	const struct stmt *stmt;
};

/* The grids that a block of steps reads and writes. */
const char *overlap_old_name(const struct host *h, const struct field *f);
const char *overlap_new_name(const struct host *h, const struct field *f);
/* first <= x[d] < end: the points of the statement; is the end before that of
 * the grid?
 */
int64_t overlap_first_point(const struct overlap *o, const struct stmt *s,
	int d);
const struct kx *overlap_end_point(const struct overlap *o,
	const struct stmt *s, int d);
bool overlap_ends_early(const struct overlap *o, const struct stmt *s, int d);

/* lanes.c: the body of the function for a tile of one dimension. */
struct ks *lanes_tile(const struct overlap *o);
const char *lanes_comment(const struct overlap *o);

/* All steps by overlapping tiles, in the parallel region "region", before which
 * "body" declares what it needs; "out" copies the other grid to the caller's,
 * "tile" becomes the function for a tile, "failed" is the variable that says
 * that a thread got no memory.
 */
void overlap_add_run(struct cpu *cpu, struct ks *body, struct ks *region,
	struct kfunc **tile, const char *failed, struct ks *out);

#endif
