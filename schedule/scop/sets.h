/* What the files of schedule/scop share; nobody outside calls it. */
#ifndef STENCILC_SCHEDULE_SCOP_SETS_H
#define STENCILC_SCHEDULE_SCOP_SETS_H

#include "schedule/scop/scop.h"

/* keep.c, sets.c ---------------------------------------------------------*/

__isl_keep isl_map *keep_map(struct region *r, __isl_take isl_map *map);
__isl_keep isl_union_map *keep_union_map(struct region *r,
	__isl_take isl_union_map *umap);
/* { x : 0 <= at(x) < bound(x) } */
__isl_give isl_set *set_below(__isl_take isl_pw_aff *at,
	__isl_take isl_pw_aff *bound);

/* affine.c: integer expressions of the program as isl objects ------------*/

/* Where the variables of an expression stand: in an instance space the set
 * dimensions are [t, x0, .., xn-1]; the program's parameters are parameters of
 * "space".
 */
__isl_give isl_pw_aff *affine_of_expr(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e);

/* choices.c --------------------------------------------------------------*/

/* The first expression in "e", lets opened, for which "is" holds; or NULL. */
const struct expr *expr_find(const struct expr *e,
	bool (*is)(const void *user, const struct expr *e), const void *user);
/* The condition under which the point tells the truth of "e", or NULL. */
const struct expr *expr_condition_in(const struct expr *e);
/* Conditions that stay: many values use one that is chosen, and each is asked about once. */
struct open_choice {
	const struct expr *condition;
	const struct open_choice *next;
};
bool choice_is_open(const struct open_choice *all, const struct expr *condition);
void choice_leave_open(struct region *mem, struct open_choice **all,
	const struct expr *condition);

/* parts.c: does "e" have a quotient or a remainder of the point? */
bool expr_has_remainder(const struct expr *e);

/* join.c: "set" of instances, however their statement is called, for the sizes that may be. */
__isl_give isl_set *scop_unnamed(const struct scop *scop,
	__isl_take isl_set *set);
/* "prog" with the domains and ranges of its statements. */
struct scop scop_with_domains(struct region *mem, isl_ctx *ctx,
	const struct program *prog);

/* in_place.c: "prog", if no statement reads, at the step that it writes, what it or a later one
 * writes; NULL after a diagnostic.  "scop" gives memory and temps.  Reads of values that stay
 * become reads of the step before, if no earlier statement writes the field.
 */
const struct program *program_settle_reads(const struct scop *scop,
	struct diags *d, const struct program *prog);

/* spaces.c ---------------------------------------------------------------*/

/* The space of a tuple name[.., n dimensions]. */
__isl_give isl_space *scop_tuple_space(const struct scop *scop,
	const char *name, int n);
/* The space of the instances [t, x0, .., xn-1] of a statement. */
__isl_give isl_space *scop_instance_space(const struct scop *scop,
	const struct stmt *stmt);
/* The space of the values F[v, y0, ..] of a field. */
__isl_give isl_space *scop_value_space(const struct scop *scop,
	const struct field *field);
/* { params : the program as written has a step }, for segments, too */
__isl_give isl_set *scop_has_steps(const struct scop *scop);
/* { S[t, x] : 0 <= t < steps } */
__isl_give isl_set *scop_time_range(const struct scop *scop,
	__isl_keep isl_space *space);

/* elements.c -------------------------------------------------------------*/

/* { params : a step would read beyond an input, where no subscript is an index } */
__isl_give isl_set *scop_misses(const struct scop *scop);
/* An access that reads beyond an input, or writes beyond a series, for all parameters in "all";
 * field NULL: none is known.
 */
struct miss {
	const struct field *field;
	struct span at;
};
struct miss scop_miss_of_all(const struct scop *scop, __isl_keep isl_set *all);
/* Does "l", a record of all that "s" computes, write each element once? */
bool scop_records_once(const struct scop *scop, const struct stmt *s,
	const struct listed *l);
/* Do "l" of "s" and such a record of "other" have no element in common? */
bool scop_records_are_apart(const struct scop *scop, const struct stmt *s,
	const struct listed *l, const struct stmt *other,
	const struct listed *of_other);

/* lists.c ----------------------------------------------------------------*/

/* Does one point of its list write each element of a series, or one point and step where all
 * points are recorded?  False after a diagnostic.
 */
bool scop_series_are_apart(const struct scop *scop, struct diags *d);
/* Do conditions let statements compute all that is recorded, at points that have all they read?
 * False after a diagnostic.
 */
bool scop_records_are_computed(const struct scop *scop, struct diags *d);

/* access.c ---------------------------------------------------------------*/

/* { S[t, x] in "set" : the cell of "acc" lies in the grid of its field }; unless "mapped", only
 * sides with a fixed boundary count.
 */
__isl_give isl_set *set_inside(const struct scop *scop,
	__isl_take isl_set *set, const struct access *acc, bool mapped);
/* { S[t, x] in "space" : it does in dimension "d" }, whatever its boundary. */
__isl_give isl_set *access_inside_along(const struct scop *scop,
	__isl_keep isl_space *space, const struct access *acc, int d);
/* { S[t, x] in "set" : it does in dimension "d", or a boundary stands in for it } */
__isl_give isl_set *access_meant_along(const struct scop *scop,
	__isl_take isl_set *set, const struct access *acc, int d);
/* { S[t, x] -> F[t + version, y] : S[t, x] in domain }, with y the subscripts
 * in the grid; beyond it the cell that the boundary puts in its place, if any.
 */
__isl_give isl_map *access_relation(const struct scop *scop,
	__isl_keep isl_set *domain, const struct stmt *s,
	const struct access *acc);
/* { params : no point of the ranges needs a mirror or a period twice } */
__isl_give isl_set *scop_large_enough(const struct scop *scop);

/* range.c ----------------------------------------------------------------*/

/* { params : the range of some statement holds a point } */
__isl_give isl_set *scop_has_points(const struct scop *scop);

/* points.c ---------------------------------------------------------------*/

/* { params : the segment, if there are some, is the whole time range } */
__isl_give isl_set *scop_one_segment(const struct scop *scop);
/* { params : each size is at least 1, and the assumptions hold } */
__isl_give isl_set *scop_valid_sizes(const struct scop *scop);
/* { S[t, x] : x lies in the grid, and the conditions of "on" hold } */
__isl_give isl_set *scop_points(const struct scop *scop, const struct stmt *s);
/* Those whose reads have a meaning, whether a temp has a value there or not. */
__isl_give isl_set *scop_points_inside(const struct scop *scop,
	const struct stmt *s);
/* { S[t, x] : 0 <= t < steps, x and its reads lie in the grid, and the temps
 * that it reads have values }; of the reads those in dimensions with a fixed
 * boundary, or if "mapped" all.
 */
__isl_give isl_set *scop_grid_domain(const struct scop *scop,
	const struct stmt *stmt, bool mapped);
/* Statement "i" of a scop that is not built yet, all before it begun: where a temp has values. */
void scop_begin_statement(struct scop *scop, int i);
/* The instances in scop_points that are computed: all reads of "s" have a meaning. */
__isl_give isl_set *scop_domain(const struct scop *scop, const struct stmt *s);
/* A polyhedron in the grid, as close to that as possible. */
__isl_give isl_set *scop_inside(const struct scop *scop,
	const struct stmt *stmt);
/* { S[t, x] : "acc" reads a cell of the grid (of a temp, one with a value), or
 * what a boundary puts in its place }
 */
__isl_give isl_set *scop_read_meaning(const struct scop *scop,
	const struct stmt *s, const struct access *acc);
/* The only statement that computes the temp "field". */
const struct scop_stmt *scop_writer_of_temp(const struct scop *scop,
	const struct field *field);
bool scop_has_instances(const struct scop *scop, const struct scop_stmt *s);

/* spaces.c: { S[t, x] -> [k*t + number, x] } for all [t, x], missing dimensions 0 */
__isl_give isl_map *scop_instants_of(const struct scop *scop,
	const struct scop_stmt *s, int k, int number);

/* apart.c: the domain of "s", the same one for statements whose domains are written alike */
const struct area *scop_area(const struct scop *scop,
	const struct scop_stmt *s);
/* Is there an instance of "to" dt steps after one of "from" and dx away? */
bool scop_any_apart(const struct scop *scop, const struct scop_stmt *from,
	const struct scop_stmt *to, int64_t dt, const int64_t *dx);

/* deps.c -----------------------------------------------------------------*/

/* What the dependences through one field, or several, are like. */
struct outcome {
	bool advances;		/* each of them advances in time */
	bool bounded;
	struct cone cone;	/* if bounded */
};
struct outcome outcome_through(const struct scop *scop,
	const struct field *field);

bool rational_is_greater(struct rational a, struct rational b);

/* guards.c, copies.c -----------------------------------------------------*/

/* Find what runs in a full tile, where "inside" holds for each instance of each
 * statement.
 */
void scop_find_guards(struct scop *scop);
/* A state of depth d rotates d copies if then no instance overwrites what
 * another one still has to read, and the cone, if there is one, stays as narrow
 * as with d + 1, which always suffice.
 */
void scop_choose_copies(struct scop *scop);
/* Add copy statements that keep values which no statement computes, at the end
 * of the step.
 */
void scop_add_copy_statements(struct scop *scop);
/* Does each statement of "field" write the same cells at each step?  Decided by
 * the conditions; sets could take very long.
 */
bool program_writes_same_cells(const struct program *prog,
	const struct field *field);

/* Errors and warnings: supported.c, checks.c, choices.c, conditions.c -------- */

/* False after a diagnostic. */
bool program_is_supported(struct region *mem, struct diags *d,
	const struct program *prog);
bool scop_is_sound(const struct scop *scop, struct diags *d);
/* Report if no statement runs; find out whether anything does. */
void scop_find_idle(struct scop *scop, struct diags *d);
/* Warn of points that "s" leaves out although one of its choices may have a
 * value there; is there a warning?
 */
bool stmt_warn_choices(const struct scop *scop, const struct stmt *s,
	struct diags *d);
/* conditions.c: warn of conditions at whose edge no point is computed. */
void scop_warn_edges(const struct scop *scop, struct diags *d);

#endif
