/* What the code of hexagons for processors shares. */
#ifndef STENCILC_CODEGEN_HEX_H
#define STENCILC_CODEGEN_HEX_H

#include "codegen/host/cpu.h"

enum { CPU_HEX_ROWS = 4 };	/* rows computed at a time, at most */

/* The functions that compute columns of a statement: for several rows, and for one; see
 * columns.h.
 */
struct columns_of_stmt {
	const struct scop_stmt *stmt;	/* NULL: none yet */
	const struct column_plan *plan;
	const struct kfunc *rows, *one;
};

/* The functions that compute rows of a statement by vectors; see rows.h. */
struct vectors_of_stmt {
	const struct scop_stmt *stmt;	/* NULL: none yet */
	const struct ks *assign;	/* NULL: vectors do not compute it */
	int n_rows;			/* rows computed at a time */
	bool alone;			/* rows share none of the cells that
					 * they read */
	bool is_star;			/* neighbours are read by one row each */
	bool pay;			/* where shifts do, more than columns */
	bool keep;			/* elsewhere, too, if each cell is
					 * loaded once */
	bool lines;			/* as many rows, by lines of the cache
					 * where these have two vectors */
	bool sums;			/* CPU_HEX_ROWS rows by sums where vectors
					 * are no lines */
	struct kfunc *part, *one, *rows, *keeping, *by_lines, *by_sums;	/* NULL: no call
					 * so far */
};

/* Numbers, or names and expressions of them; by dimension. */
struct sizes_of_tile {
	const struct kx *h, *f[2];	/* f0, f1 of the hexagons */
	const struct kx *width[IR_MAX_DIMS];	/* w0, or of a classical tile */
	const struct kx *pitch[IR_MAX_DIMS];	/* distance from tile to tile */
	const struct kx *half, *time_pitch;	/* steps of half a tile, of a
						 * whole one */
	const struct kx *drift, *shift;	/* of hexagons: per T; of phase 0 */
};

/* Statements of equal points that a function computes at once, as a whole and by parts, see
 * scop_parts().
 */
struct together {
	int n, n_parts;
	const struct scop_stmt **whole;
	struct scop_stmt **parts;
};

struct cpu_hex {
	const struct host *h;
	struct place place;
	struct cursor c;	/* there */
	const struct plan *plan;
	struct sizes_of_tile size;
	const struct kernel_names *names;
	const char *low[IR_MAX_DIMS], *high[IR_MAX_DIMS];	/* of a row */
	const char *row[CPU_HEX_ROWS];	/* places of rows computed at a time;
					 * the first is for the remaining ones */
	struct kfunc *function;		/* of the current rows .. */
	struct together together;	/* .. and what they compute: .. */
	int part;			/* .. which part of it */
	struct kfunc **functions;	/* functions so far, with room for more */
	int n_functions;
	struct columns_of_stmt columns;
	struct vectors_of_stmt vectors;
	const struct field *copied;	/* our own copy gets cells of it */
	int n_dims, line;
	bool in_one_grid;		/* versions lie in one array, one by one
					 * over the other: so do rows go */
	bool walks_planes;		/* a statement has columns, or rows in
					 * their place */
};

/* The caller's copies of a state and our own, through which its versions rotate. */
static inline int cpu_hex_copies(const struct host *h, const struct field *f)
{
	return h->scop->field[f->index].buffers;
}

/* The statement in blocks that have one child and no scope. */
static inline struct ks *only_child(const struct ks *s)
{
	while (s->kind == KS_BLOCK && !s->scope && s->n_children == 1)
		s = s->child[0];
	return (struct ks *) s;
}

/* A function that functions behind it call. */
static inline void cpu_hex_append(struct cpu_hex *x, struct kfunc *f)
{
	x->functions[x->n_functions++] = f;
}

static inline const struct kx *plus(const struct cpu_hex *x, const struct kx *a,
	const struct kx *b)
{
	return op(x->h, OP_ADD, a, b);
}

/* cpu_sizes.c ------------------------------------------------------- */

/* Fill in x->size. */
void cpu_hex_find_sizes(struct cpu_hex *x);
/* Declare what "user" needs beside the sizes that are arguments. */
void cpu_hex_declare_sizes(const struct cpu_hex *x, struct ks *block,
	const struct ks *user);
/* floor((r.num * a + in - less) / r.den) + out; "less" may be NULL */
struct offset_of_row {
	const struct kx *in, *less, *out;
};

const struct kx *cpu_hex_scaled(const struct cpu_hex *x, struct rational r,
	const struct kx *a, struct offset_of_row by);
/* floor(r * a) */
const struct kx *cpu_hex_floor(const struct cpu_hex *x, struct rational r,
	const struct kx *a);
/* "value" in phase 0, else 0 */
const struct kx *cpu_hex_in_phase_0(const struct cpu_hex *x,
	const struct kx *value);
/* The first or last tile along "d", of the phase at hand. */
const struct kx *cpu_hex_edge(const struct cpu_hex *x, int d, bool last);

/* Row a of a tile, as if no dimension went around. */
struct row_of_tile {
	const struct kx *low[IR_MAX_DIMS], *high[IR_MAX_DIMS];
	const struct kx *lead[IR_MAX_DIMS];	/* floor(lead*a) */
};

/* cpu_around.c: dimensions that go around, see schedule/plan.h ------- */

/* How many points a row has, in all rows of the tile, beside those of its hexagon. */
const char *cpu_hex_more_name(const struct cpu_hex *x);
/* Declare the first and last hexagon of a phase; the origin and "more" of one. */
void cpu_hex_declare_around(const struct cpu_hex *x, struct ks *phase,
	struct ks *tile);
/* "loop" over the tiles along "d", preceded by what it needs to know of all of them. */
struct ks *cpu_hex_with_moves(const struct cpu_hex *x, int d, struct ks *loop);
/* "call" for "row", once for each turn around the grid that the row touches; the sides of its
 * box are cpu_hex_side_of_turn.
 */
struct ks *cpu_hex_each_turn(const struct cpu_hex *x,
	const struct row_of_tile *row, struct ks *call);
const struct kx *cpu_hex_side_of_turn(const struct cpu_hex *x, int d,
	bool last);

/* cpu_arrays.c ------------------------------------------------------ */

/* All fields as the functions for rows get them: an array for each version of a
 * state.
 */
void cpu_hex_add_arrays(const struct cpu_hex *x, struct kfunc *f);

/* cpu_reduce.c: what tiles reduce, see reduced_in_tiles() -------------- */

/* NAME_run_reduceN(params, t, slot, i_low, i_high, .., A_old, A_new, lanes, values): the
 * points of a box of a step.
 */
struct kfunc *cpu_hex_reduction(const struct cpu_hex *x, int i);
/* Is it due at the step at hand?  NULL: always. */
const struct kx *cpu_hex_reduction_due(const struct cpu_hex *x, int i);
/* An argument of its own, or NULL. */
const struct kx *cpu_hex_argument_of_reduction(const struct cpu_hex *x, int i,
	const char *param);
/* Parameters for the memory that it takes. */
void cpu_hex_add_values(const struct host *h, struct kfunc *f);
/* The results of the steps that are done behind a band, by one thread. */
struct ks *cpu_hex_values(struct cpu_hex *x);

/* cpu_tile.c -------------------------------------------------------- */

/* Functions for boxes, by statement, reduction or field; or NULL. */
struct boxes_of_tile {
	struct kfunc **rows, **lists, **reduce, **fetch;
};

/* The least or greatest x[d] of row "a" of the tile. */
const struct kx *cpu_hex_side_of_row(const struct cpu_hex *x, int d,
	const struct kx *a, bool last);
/* The array that has version 1 - "back" of the step at hand. */
const struct kx *cpu_hex_array(const struct cpu_hex *x, const struct field *f,
	int back);

/* static void NAME_run_tile(params, steps, t0, x, A, A_user, ..): all that
 * "rows" compute in a tile, and what "lists" do at the points of each row.
 */
struct kfunc *cpu_hex_tile(const struct cpu_hex *x,
	const struct boxes_of_tile *boxes);

/* cpu_fetch.c ------------------------------------------------------- */

/* static void NAME_run_fetchK(params, i_low, i_high, .., array): fetch the cells of a box, those
 * outside the grid left out; NULL: tiles fetch none of the field.
 */
struct kfunc *cpu_hex_fetch(const struct cpu_hex *x, const struct field *f);
/* Calls that fetch what the next step is the first one of the tile to touch: planes on both sides
 * of the hexagon.
 */
void cpu_hex_add_fetches(const struct cpu_hex *x,
	const struct boxes_of_tile *boxes, struct ks *calls);

/* cpu_together.c ---------------------------------------------------- */

/* "s" and what a function may compute with it: statements behind it. */
struct together cpu_hex_together(const struct cpu_hex *x,
	const struct scop_stmt *s);
/* Note that the function of the others computes them: by their places in the scop. */
void cpu_hex_mark_joined(const struct cpu_hex *x, bool *joined);
/* The instances at hand of x->together. */
struct ks *cpu_hex_instances(const struct cpu_hex *x);

/* cpu_rows.c -------------------------------------------------------- */

/* static void NAME_run_rows(params, t, i_low, i_high, .., A_old, A_new): the
 * instances of "s", statement "i", and what x->together says, at t and low <= x <= high.
 */
struct kfunc *cpu_hex_rows(struct cpu_hex *x, const struct scop_stmt *s,
	int i);
/* Likewise NAME_run_lists: what the lists of "s" do at the points of the box; NULL: nothing. */
struct kfunc *cpu_hex_lists(struct cpu_hex *x, const struct scop_stmt *s);

/* cpu_vectors.c ----------------------------------------------------- */

/* "s" by columns where possible, else by rows. */
struct ks *cpu_hex_vectorise(struct cpu_hex *x, struct ks *s);
/* "s", with its innermost loops in vectors, several rows at a time where
 * possible.
 */
struct ks *cpu_hex_vectorise_rows(struct cpu_hex *x, struct ks *s);

/* cpu_row_vectors.c ------------------------------------------------- */

/* Do vectors compute "row", a loop over cells of a row of x->c.stmt? */
bool cpu_hex_takes_vectors(struct cpu_hex *x, const struct ks *row);
/* "row", or the loop "outer" over it, by these vectors; NULL: rows are computed one at a time. */
struct ks *cpu_hex_vector_row(struct cpu_hex *x, const struct ks *row);
struct ks *cpu_hex_vector_rows(struct cpu_hex *x, const struct ks *outer);

/* cpu_columns.c ----------------------------------------------------- */

/* "nest", over instances of x->c.stmt, by columns of vectors; NULL if its points form no box,
 * or vectors do not compute it.
 */
struct ks *cpu_hex_columns(struct cpu_hex *x, struct ks *nest);

#endif
