/* What the files of verify/ share.
 *
 * Sets use the checker's own names: parameters are p0, p1, .. in the program's
 * order, whatever the user calls them, so that formulas can be written as text.
 */
#ifndef STENCILC_VERIFY_CHECKER_H
#define STENCILC_VERIFY_CHECKER_H

#include "verify/numbers.h"
#include "verify/verify.h"

struct statement {
	const struct scop_stmt *plan_stmt;
	const struct stmt *stmt;
	const char *name;
	int number;
	bool is_copy, is_brief;
	const struct plan *plan;	/* the statement that executes it */
	isl_set *domain;	/* { [t, x] } by the program; for a copy
				 * statement by the plan */
};

struct right_stores;
struct found_dependence;

struct checker {
	struct region *mem;
	isl_ctx *ctx;
	const struct program *prog;
	const struct scop *scop;	/* copies of fields, statements */
	const struct plan *plan;
	int n_plans;
	const struct form_proof *form;	/* of the plans */
	isl_set **shape;	/* see shape_at */
	int n_stmts;
	struct statement *stmt;
	int n_params;
	const struct param **param;	/* p0, p1, .. */
	isl_set *context;	/* { params : the function runs } */
	struct text claims, sets;	/* of the certificate */
	const struct right_stores *right_stores;	/* state of code/stores.c */
	const struct found_dependence *dependences;	/* state of
							 * tiles/distance.c */
	int n_sets, n_formulas;
	struct text formula;	/* of the current set, if any */
	const struct shown_formula *shown;	/* state of report.c */
	struct text failure;	/* the first thing that failed */
};

/* report.c ---------------------------------------------------------------*/

void section(struct checker *c, const char *title);
/* Add a line to the certificate. */
void claim(struct checker *c, const char *fmt, ...) BASE_PRINTF(2, 3);
/* Record what failed, unless something failed before.  False. */
bool refute(struct checker *c, const char *fmt, ...) BASE_PRINTF(2, 3);
/* Report that "what" is wrong, and how, unless all was "shown"; frees the texts; returns
 * "shown".
 */
bool checker_end(struct checker *c, struct diags *d, const char *what,
	bool shown);
/* The next set to examine: "formula", intersected with the shape of the tiles
 * of "plan".
 */
void note_formula(struct checker *c, const struct plan *plan,
	const char *formula);
/* Is "set" empty?  If so the certificate records it. */
bool is_shown_empty(struct checker *c, __isl_take isl_set *set);
/* Record "formula"; if it has been shown for "plan" before, it holds again. */
bool was_shown_empty(struct checker *c, const struct plan *plan,
	const char *formula);
/* A point of "set" with small parameters, or NULL. */
__isl_give isl_point *example_of(struct checker *c, __isl_keep isl_set *set);
/* "T = 3, N = 5" */
const char *sizes_of_point(struct checker *c, __isl_keep isl_point *p);
int64_t coordinate_of_point(__isl_keep isl_point *p, int pos);
/* "S0[t=1, i=2]" of the coordinates from "pos" on */
const char *instance_of_point(struct checker *c, const struct statement *s,
	__isl_keep isl_point *p, int pos);

/* Space dimensions as a bit set: what a tile does in one of them depends only
 * on time and that dimension, so most questions concern few.
 */
typedef unsigned dims;

enum { ALL_DIMS = (1 << IR_MAX_DIMS) - 1 };

bool has_dim(dims which, int d);
int count_dims(const struct plan *plan, dims which);
/* Append ", NAME0, NAME1, .." of the dimensions "which" of "n". */
void put_dims(struct text *t, const char *name, int n, dims which);

/* simpler.c ---------------------------------------------------------------*/

/* "set", coalesced unless it has parities: see set_coalesce. */
__isl_give isl_set *fewer_pieces(__isl_take isl_set *set);
/* The same set with fewer existentially quantified variables, if isl can eliminate some. */
__isl_give isl_set *with_fewer_locals(__isl_take isl_set *set);

/* sets.c: the program as sets --------------------------------------------*/

/* The statement that writes "f", or -1. */
int writer_of(const struct program *prog, const struct field *f);
/* "set", which lives as long as the checker. */
__isl_keep isl_set *keep_in_checker(struct checker *c,
	__isl_take isl_set *set);
/* { [dims] } without constraints, with the program's parameters. */
__isl_give isl_space *space_of_dims(struct checker *c, int n);
/* { [t, x] in "space" : "e" holds } */
__isl_give isl_set *where(struct checker *c, __isl_keep isl_space *space,
	const struct expr *e);
/* { [t, x] in "space" : t is a step, x a point of the grid that "s" writes } */
__isl_give isl_set *grid_points(struct checker *c,
	__isl_keep isl_space *space, const struct stmt *s);
/* { [t, x] in "space" : the indices of the element "acc" of an input lie in the input } */
__isl_give isl_set *element_inside(struct checker *c,
	__isl_keep isl_space *space, const struct access *acc);
/* elements.c: the "sizes" for which no instance reads beyond an input. */
__isl_give isl_set *without_misses(struct checker *c,
	__isl_take isl_set *sizes);
/* Does each element of a series get the value of at most one instance, where all are recorded? */
bool records_are_once(struct checker *c);
/* A planner's "set" in the checker's names, without its tuple. */
__isl_give isl_set *adopt(struct checker *c, __isl_keep isl_set *set);
/* The value of "e" on the [t, x] of a space. */
__isl_give isl_pw_aff *value_of(struct checker *c, __isl_keep isl_space *space,
	const struct expr *e);
/* Find the parameters, and the sizes for which the function runs. */
void find_parameters(struct checker *c);
/* statements.c: .. and statements and their domains; false if the plan's statements are not the
 * program's.
 */
bool find_program(struct checker *c);
/* floor((stride*x + offset) / divisor) of dimension "d" of what "acc" reads */
__isl_give isl_pw_aff *subscript_of(__isl_take isl_pw_aff *x,
	const struct access *acc, int d);
/* { [x] -> [y] } in one dimension: the cells in field dimension "d" that "acc"
 * reads at the points 0 <= x < size of what "s" writes, boundary included.
 */
__isl_give isl_map *reads_along(struct checker *c, const struct stmt *s,
	const struct access *acc, int d);
/* { [x] : the reads of "s" along "dim" that need it lie in their grids } */
__isl_give isl_set *inside_along(struct checker *c,
	__isl_keep isl_space *space, const struct stmt *s, int dim);
/* .. at those of them at which what "s" reads without a boundary lies in the grids along "x", or at
 * all where these are none
 */
__isl_give isl_set *cells_read_along(struct checker *c, const struct stmt *s,
	const struct access *acc, int d);
/* Least and greatest y - x of that; false if it has none. */
bool reach_along(struct checker *c, const struct stmt *s,
	const struct access *acc, int d, int64_t *low, int64_t *high);
/* Is "v" an integer? */
bool take_int(__isl_take isl_val *v, int64_t *value);
/* What stands for the cell "at" beyond "side" of "size" cells; NULL: no cell. */
__isl_give isl_pw_aff *stand_in(enum boundary_kind kind,
	__isl_keep isl_pw_aff *at, __isl_keep isl_pw_aff *size,
	enum side side);
/* Does a boundary have to stand in for a read of "acc"?  At one side, or at any. */
bool is_mapped_at(const struct stmt *s, const struct access *acc, int d,
	enum side side);
bool is_mapped_along(const struct stmt *s, const struct access *acc, int d);
/* { [t, ..] in "space" : 0 <= t < end - begin } */
__isl_give isl_set *points_in_time(struct checker *c,
	__isl_keep isl_space *space);
/* { [t, x] : all that "s" touches lies in the grid }, or, if "mapped", has a
 * meaning by a boundary.
 */
__isl_give isl_set *points_inside(struct checker *c, const struct stmt *s,
	bool mapped);
/* { x -> [x[pos]] } of the sets of "space", and a + b. */
__isl_give isl_pw_aff *coordinate(__isl_keep isl_space *space, int pos);
__isl_give isl_pw_aff *plus(__isl_take isl_pw_aff *a, int64_t b);
/* { [.., x at "pos", ..] in "space" : x + offset is not an index of "size" cells } */
__isl_give isl_set *points_beyond(struct checker *c,
	__isl_keep isl_space *space, int pos, int64_t offset,
	const struct expr *size);
/* { [t, x] : an instance of the program }: no read with a fixed boundary lies
 * outside, the temps that it reads have values, and the conditions hold.
 */
__isl_give isl_set *instances_of(struct checker *c, const struct stmt *s);
/* { [t, x] -> [v, y] } of a read at the instances "domain"; no v without time.
 */
__isl_give isl_map *read_relation(struct checker *c, const struct statement *s,
	const struct access *acc);

/* forms.c: questions about plans of each form ----------------------------- */

struct form_proof {
	bool (*prove)(struct checker *c);
	/* The sizes of the plans, for the certificate. */
	void (*describe)(struct text *t, const struct checker *c);
	const char *tiles;	/* what sets say of them; NULL: they have shapes */
	bool has_statements;	/* a plan has statements of its own */
	bool has_own_points;	/* a tile must have points 0 <= x < pitch only */
	bool all_in_grid;	/* the box of every field lies in the grid if
				 * the tile is full */
	/* { [t, x] : a tile must have x of "s" }; NULL: none. */
	__isl_give isl_set *(*points_needed)(struct checker *c,
		const struct statement *s);
	/* Can the checker read the code of such a plan?  The cells { [T, copy, x] } of "f" that it
	 * stores; else all that its statements write.
	 */
	bool (*is_read)(const struct plan *plan);
	bool (*cells_stored)(struct checker *c, const struct plan *plan,
		const struct field *f, isl_set **cells);
	/* Are the plans strips?  Their numbers; or NULL. */
	bool (*find_strip)(struct checker *c, const struct plan *plan,
		struct strip_numbers *s);
	/* What tiles keep in arrays, if the code of tiles in general is read; NULL: nothing. */
	struct kept_numbers (*find_kept)(struct checker *c,
		const struct plan *plan);
	/* Tiles on one grid: their numbers; { [x] }, enum grid_part "part" of a row; or NULL. */
	struct grid_numbers (*find_grid)(const struct plan *plan);
	__isl_give isl_set *(*cells_of_part)(struct checker *c, int part);
};

extern const struct form_proof tiles_proof, strips_proof, groups_proof,
	pipeline_proof, one_grid_proof;
const struct form_proof *form_proof(enum form form);
/* "tiles of dimension 0: ..": where the tiles of a launch lie. */
void describe_pitches(struct text *t, const struct checker *c);

/* lattice.c: where tiles lie ---------------------------------------------*/

/* Append "(a + 12*T - 3)": row a of phase "p", in tau; for T = S = 0 if "tt" is
 * NULL, else for the tile "tt" and, if it matters, "tile0", ..
 */
void put_tau(struct text *t, const struct plan *plan, int p, const char *a,
	const char *tt, const char *tile);
/* Append coordinate "d", given the local one called "x". */
void put_x(struct text *t, const struct plan *plan, int p, int d,
	const char *x, const char *tt, const char *tile);
/* The dimension whose tiles depend on time most, if there is one. */
dims hex_dims(const struct plan *plan);
/* "which", plus the dimension on which times depend, if there is one. */
dims with_time(const struct plan *plan, dims which);
/* The shape of "plan" in these dimensions, as dimensions "first".. of "n". */
__isl_give isl_set *shape_at(struct checker *c, const struct plan *plan,
	dims which, int first, int n);
/* { [a, x] of the shape of "plan" : a = number mod k } */
__isl_give isl_set *rows_of(struct checker *c, const struct plan *plan,
	int number);
/* The least or greatest coordinate "d" of "set". */
int64_t edge_of_set(__isl_keep isl_set *set, int d, bool last);

/* domains.c --------------------------------------------------------------*/

/* Each point of "more" is in "less"; one that is not has "what". */
bool has_no_more(struct checker *c, const struct statement *s,
	__isl_take isl_set *more, isl_set *less, const char *what);
/* The instances that run are the program's, except for copy statements. */
bool check_domains(struct checker *c);
/* Where no statement computes a cell of a state, its value is copied. */
bool check_copy_statements(struct checker *c);

/* waves.c: is a program in waves the one that the user wrote? */
bool check_waves(struct checker *c);
/* { .. in "space" : the program as written has a step } */
__isl_give isl_set *has_written_steps(struct checker *c,
	__isl_keep isl_space *space);

/* launches.c ------------------------------------------------------------- */

bool check_launches(struct checker *c, const struct plan *plan);

/* full.c -----------------------------------------------------------------*/

/* Does shared memory hold "f"?  It holds states that some statement reads. */
bool is_shared_state(struct checker *c, const struct plan *plan,
	const struct field *f);
/* Full tiles, or strips, of a plan. */
bool check_full(struct checker *c, const struct plan *plan);

/* code/ ------------------------------------------------------------------*/

/* Check what the kernels of "unit" load and store. */
struct kunit;
bool check_code(struct checker *c, const struct kunit *unit);
/* Lengths are chosen by stencilc_length(.., least, step), as the plans of n variants have them. */
bool check_lengths(struct checker *c, const struct plan *const *variants, int n,
	const struct kunit *unit);
/* Kernel and run of the variant in "all" that has the width of "plan", which "one" is for, are
 * those of "one" if the width is that.
 */
struct tile_variants;
bool check_width(struct checker *c, const struct tile_variants *variants,
	const struct plan *plan, const struct kunit *all,
	const struct kunit *one);
/* Variants get only widths that were shown. */
bool check_chosen_widths(struct checker *c, const struct tile_variants *variants,
	const struct kunit *all);
/* C: what functions for rows of tiles in time compute. */
bool check_rows(struct checker *c, const struct kunit *unit);
/* Of a program with reductions: the segments of its steps, as the file has them. */
bool check_segments(struct checker *c, const struct kunit *unit);

#endif
