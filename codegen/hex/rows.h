/* Rows of vectors: a loop over a row of cells, or over several rows,
 *
 *	for k: A_new[i][j][k] = ..
 *
 * becomes a function that computes vectors side by side.  Cells k + n of one row lie in two
 * adjacent vectors, "here" and the one before or after it.  The code shifts them out of these
 * where that takes less time than a load across lines of the cache.
 */
#ifndef STENCILC_CODEGEN_ROWS_H
#define STENCILC_CODEGEN_ROWS_H

#include "codegen/hex/vectors.h"

/* A row of cells that the code reads. */
struct line {
	const struct kx *at;	/* one of the cells */
	int low, high;		/* cells k + low to k + high are read */
	int reads;		/* how many reads are at k */
	bool shifted;		/* do its neighbours come from adjacent vectors? */
	bool loads_right;	/* do those to the right come by loads? */
	const char *name;	/* name of the vector at k, or NULL: not kept */
	bool kept[3];		/* are cells k - 1, k, k + 1 loaded once by now? */
	bool is_past;		/* were those at k, for sums side by side? */
	bool joined;		/* does the square of the difference of k and k + 1
				 * serve the vector to the right, too? */
	bool left_by_square;	/* .. which alone reads k - 1? */
	bool behind;		/* do values behind read cells at k? */
};

/* Rows computed together where each cell is loaded once, and these are few. */
enum { ROWS_THAT_KEEP = 6, MOST_KEPT = 12 };

struct rows {
	const struct cpu_hex *x;
	int n;			/* rows computed together */
	int row;		/* which of them is at hand */
	int n_lines;
	struct line *line;
	int n_beside;
	const struct kx **beside;	/* cells read beside the point's */
	bool fits;
	bool alone;		/* for a vector without a neighbour */
	bool keeps;		/* loads each cell once, and shifts none */
	bool by_lines;		/* of the cache, which have two vectors */
	int half;		/* of the line: which of these is at hand */
	bool by_sums;		/* which go on side by side */
	bool by_roots;		/* which go behind what they are of */
	bool behind;		/* is the vector before that at k at hand? */
	bool by_steps;		/* is 1 / root computed without the divider? */
	const struct kx *known;	/* a part of the value, or NULL, and the variable
				 * that has it */
	const char *known_name;
	struct vector_units *units;	/* which share the sums; or NULL */
};

static inline bool rows_are_of_floats(const struct rows *r)
{
	return r->x->c.stmt->stmt->write->field->type == TYPE_FLOAT;
}

/* row_plan.c -------------------------------------------------------- */

/* What "n" rows of "assign" read; false: vectors do not compute it, or it takes more registers
 * than there are.
 */
bool rows_find(const struct cpu_hex *x, const struct ks *assign, int n,
	struct rows *r);
/* Plan x->vectors for the current statement, as many rows at a time as share lines and have
 * registers; false: vectors do not compute "assign".
 */
bool rows_plan(struct cpu_hex *x, const struct ks *assign);
struct line *rows_line_of(const struct rows *r, const struct kx *cell);
bool rows_have_root(const struct kx *value);
/* Let rows keep what "part" of their values reads alone: the rest loads what it reads. */
void rows_keep_only(struct rows *r, const struct ks *assign, const struct kx *part);
/* Let rows that reach a neighbour at most keep all that they load. */
void rows_keep(struct rows *r);
/* Let sums go on side by side. */
void rows_by_sums(struct rows *r);
/* Let rows go by lines of the cache that have two vectors. */
void rows_by_lines(struct rows *r);
/* Does "assign" read the array that it writes?  No cell may be computed twice then. */
bool rows_are_in_place(const struct rows *r, const struct ks *assign);
/* How far a cell lies from the point along its row. */
int rows_place(const struct cpu_hex *x, const struct kx *cell);
/* Does a row go on behind a tile?  So it does but along hexagons, whose neighbours other threads
 * compute.
 */
bool rows_go_on(const struct cpu_hex *x);
/* The innermost dimension, and "form" of it. */
const char *rows_innermost(const struct cpu_hex *x);
const char *rows_name(const struct cpu_hex *x, const char *form);
/* The sum of "value" that has most terms, "n". */
const struct kx *rows_longest_sum(const struct kx *value, int *n);
/* "value" for the row "row" rows further on. */
const struct kx *rows_value(const struct cpu_hex *x, const struct kx *value,
	int row);

/* row_loads.c ------------------------------------------------------- */

/* "builtin" has vectors for its result. */
static inline struct kx *rows_builtin(const struct rows *r, struct kx *builtin)
{
	builtin->c_type = vector_type_of(r->x);
	return builtin;
}

/* The variable for how many cells a vector has. */
const struct kx *rows_lanes(const struct rows *r);
/* The place of the vector at hand, k or k + lanes. */
const struct kx *rows_place_at_hand(const struct rows *r);
/* &A_old[i][j][k + ..] where k is "k", "by" cells on */
const struct kx *rows_address(const struct rows *r, const struct line *line,
	const struct kx *k, int by);
void rows_declare(const struct rows *r, struct ks *block, bool is_const,
	const char *name, const struct kx *value);
/* The vector of a cell. */
const struct kx *rows_cell(const struct rows *r, const struct kx *cell);
/* Declare what the first vector finds: the vector before it and its own. */
void rows_declare_first(const struct rows *r, struct ks *block);
/* Declare what a vector loads, or, where rows keep that, the cells of "value" that "block" has
 * not got yet.
 */
void rows_declare_loads(const struct rows *r, struct ks *block);
void rows_declare_kept(const struct rows *r, const struct kx *value,
	struct ks *block);
/* What is at hand for a vector is before the next one. */
void rows_add_moves(const struct rows *r, struct ks *block);

/* The cells "by" cells away from those at k, of a line that is shifted or loads these. */
const struct kx *rows_neighbour(const struct rows *r, const struct line *line,
	int by);

/* row_squares.c ----------------------------------------------------- */

/* The square of the difference of cells of two lines, the first line first, as two of the rows
 * that are computed together may have it; NULL: "value" is no such square, or as it should be.
 */
const struct kx *rows_square_in_order(const struct rows *r,
	const struct kx *value);
/* Let squares of differences along a row, in "part" of the values, be computed once. */
void rows_join_squares(struct rows *r, const struct kx *part);
/* The vector of such a square "value"; NULL: it is none. */
const struct kx *rows_joined_square(const struct rows *r, const struct kx *value);
/* Declare those before the first vector, and those of the vector at hand, which are before the next
 * one.
 */
void rows_declare_first_squares(const struct rows *r, struct ks *block);
void rows_declare_squares(const struct rows *r, struct ks *block);
void rows_move_squares(const struct rows *r, struct ks *block);

/* row_values.c ------------------------------------------------------ */

/* "value" of vectors at k, and what stores it in row "row". */
const struct kx *rows_vectors(const struct rows *r, const struct kx *value);
void rows_add_store(const struct rows *r, const struct ks *assign, int row,
	const struct kx *value, struct ks *block);

/* row_roots.c ------------------------------------------------------- */

/* Let the roots of several rows, one in each value, go behind what they are of. */
void rows_by_roots(struct rows *r, const struct ks *assign);
/* All whole vectors of rows whose roots go behind. */
void rows_add_roots(const struct rows *r, const struct ks *assign,
	struct ks *block);

/* row_lines.c ------------------------------------------------------- */

/* Declare what goes on from one line to the next, as the first one finds it. */
void rows_declare_joints(const struct rows *r, struct ks *block);
/* The cells "by" cells away from the vector at hand. */
const struct kx *rows_cell_of_line(const struct rows *r, const struct line *line,
	int by);
/* All rows of a line. */
void rows_add_line(struct rows *r, const struct ks *assign, struct ks *block);

/* row_sums.c -------------------------------------------------------- */

/* The vectors of all rows, by sums. */
void rows_add_sums(const struct rows *r, const struct ks *assign, struct ks *block);

/* row_code.c -------------------------------------------------------- */

/* The function that computes "n" rows of the planned statement, 1 or x->vectors.n_rows; made on
 * first use.
 */
struct kfunc *rows_function(struct cpu_hex *x, int n);
/* The one that computes ROWS_THAT_KEEP rows, which keep what they load. */
struct kfunc *rows_that_keep(struct cpu_hex *x);
/* The one that computes CPU_HEX_ROWS rows by sums. */
struct kfunc *rows_of_sums(struct cpu_hex *x);
/* The one that computes x->vectors.n_rows rows by lines. */
struct kfunc *rows_of_lines(struct cpu_hex *x);

#endif
