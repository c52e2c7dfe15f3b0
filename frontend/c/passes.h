/* The passes over a stencil, in their order. */
#ifndef STENCILC_PASSES_H
#define STENCILC_PASSES_H

#include "frontend/c/assumed.h"
#include "frontend/c/cells.h"
#include "frontend/c/copy.h"
#include "frontend/c/local.h"
#include "frontend/c/part.h"
#include "frontend/c/question.h"
#include "frontend/c/until.h"

/* prescan.c: what the text of the loop shows before it is walked. */
/* The first expression in "e" for which "is" holds; NULL: none. */
const struct c_expr *any_expr(const struct c_expr *e, bool (*is)(const void *user, const struct c_expr *e),
	const void *user);
/* Does "body" assign "decl"?  It does if that counts a loop. */
bool is_assigned(const struct c_stmt *body, const struct c_decl *decl);
/* Does "body" assign a variable of "e"? */
bool assigns_any(const struct c_stmt *body, const struct c_expr *e);
/* Does "body" write arrays other than arrays of scalars? */
bool has_writes(const struct stencil *s, const struct c_stmt *body);
/* The number of C's steps after which all copies and pointers are back in their
 * roles, as integers are after "turns" steps; 0 after a diagnostic.
 */
int count_phases(struct stencil *s, int turns);
/* Does the time loop end early, and only let two arrays at a time change places? */
bool may_exchange(struct stencil *s, int turns);
/* A written element whose first subscript is the time itself, not modulo something; NULL: none. */
const struct c_expr *element_of_step(const struct stencil *s);
/* Does a swap of pointers, or the time modulo something, show that copies take
 * turns?
 */
struct span place_of_turns(const struct stencil *s);
/* Does the time loop pass values on, though it also counts points of an array,
 * as in rec[t][j] = .. beside A[(t+1)%2][i] = ..?
 */
bool hands_on(struct stencil *s);
/* Is the first subscript of "e", which is written, a step "d" of a time loop?
 * It is if it is taken modulo something, or if other steps are read.
 */
bool counts_steps(const struct stencil *s, const struct c_expr *e,
	const struct c_decl *d);
/* Is the first dimension of "decl" the time? */
bool has_time_dimension(const struct stencil *s, const struct c_decl *decl);

/* recorded.c: arrays that steps write and do not read. */
/* Is "d" such an array, as far as the text shows? */
bool is_recorded(const struct stencil *s, const struct c_decl *d);
/* Does "body" only record? */
bool records_alone(const struct stencil *s, const struct c_stmt *body);

/* serve.c: can records be outputs by step? */
/* Find what each one records.  False, without a diagnostic, if one cannot be an output; the
 * stencil then says why.
 */
bool serve_records(struct stencil *s);
/* { [round, v1, .., vn] } : "r" has a cell there that the step does not compute */
__isl_give isl_set *beside_steps(struct stencil *s, const struct c_record *r);

/* resolve.c: expressions, with each variable replaced by its value. */
bool is_of_data(const struct c_expr *e);	/* region.c */
struct c_expr *resolve(struct stencil *s, const struct c_expr *e);
bool refuse_call(struct stencil *s, const struct c_expr *e);
/* Does "value", from resolving "e", equal C's value where that is unsigned? */
bool check_wraps(struct stencil *s, const struct c_expr *e, const struct c_expr *value);
/* The element "e" of an array of scalars, which is assigned, as a variable. */
struct c_expr *resolve_target(struct stencil *s, const struct c_expr *e);
/* The innermost of "loop" and the loops around it whose variable "p" has; NULL: none. */
const struct c_loop *loop_of(const struct c_loop *loop, const struct poly *p);
/* "extent" = end - begin; false if that becomes too large. */
bool loop_extent(const struct c_loop *loop, struct poly *extent);
struct c_access *resolve_access(struct stencil *s, const struct c_expr *e, bool is_write);
/* Is "e" an element of an array "object" that can be compiled?  False after a diagnostic. */
bool check_array(struct stencil *s, const struct c_expr *e,
	const struct c_decl *object, bool is_write);
/* The copy "slot" of "decl", or all of it; of its elements, the "part". */
struct c_field *field_of(struct stencil *s, const struct c_decl *decl, int slot, struct c_part part);
void note_param(struct stencil *s, const struct c_decl *d);

/* integer.c: the value of the integer "e", which is resolved. */
bool poly_of(const struct stencil *s, const struct c_expr *e,
	struct poly *value);
/* Is "e" true or false whatever the variables are? */
bool is_decided(const struct stencil *s, const struct c_expr *e, bool *value);

/* quotient.c: parameters for n / 2. */
/* The parameter for the subscript "e", which is resolved; NULL: it is not made of parameters. */
const struct c_decl *quotient_param(struct stencil *s, const struct c_expr *e);
/* "e", a sum of products, with such parameters in place of quotients: n / 2 * m + j */
struct c_expr *quotients_as_params(struct stencil *s, struct c_expr *e);
/* What the call passes for the parameter "d", with the variables of C. */
void print_argument(struct text *t, const struct c_decl *d);

/* bindings.c: the value of each variable, statement by statement. */
/* Does "e" have too many parts to walk over? */
bool is_too_long(const struct c_expr *e);
/* For "return refuse_too_long(..)": the value of "d". */
bool refuse_too_long(struct stencil *s, const struct c_decl *d,
	struct span at);
void bind_value(struct stencil *s, const struct c_decl *d,
	struct c_expr *value);
void forget_value(struct stencil *s, const struct c_decl *d, enum c_loss why,
	struct span at);
/* Forget the values of scalars that "body" assigns. */
void forget_assigned(struct stencil *s, const struct c_stmt *body,
	enum c_loss why);
/* Two ways, by "condition", that meet: what held at their ends. */
struct c_join {
	struct c_expr *condition;	/* resolved */
	const struct c_binding *then, *otherwise;
	struct c_copy copy;
};

void join_begin(struct stencil *s, struct c_join *join,
	struct c_expr *condition);

/* From here on, the condition chooses the value of what "body", one of the
 * ways, assigns.
 */
void join_assigned(struct stencil *s, const struct c_stmt *body,
	struct c_join *join);
/* The value that reaches the scalar "e"; NULL: the one from before the region.
 * False, after a diagnostic, if it is unknown.
 */
bool find_value(struct stencil *s, const struct c_expr *e,
	struct c_expr **value);
void bind_object(struct stencil *s, const struct c_decl *d,
	const struct c_decl *object);
/* The array that "d" is, or points to at its use "at". */
const struct c_decl *object_of(struct stencil *s, const struct c_decl *d,
	struct span at);
/* Does "d" point to the same place at the end of a round as at its beginning? */
bool comes_back(const struct stencil *s, const struct c_decl *d);
/* Check that all pointers whose first value in a round is used come back. */
bool check_pointers(struct stencil *s);
/* Note which arrays change places instead, in a step of a loop that ends early; false after a diagnostic. */
bool note_exchanges(struct stencil *s);

/* parts.c: a region with several loops over time as a list of parts; NULL: it has only one.
 * Sets "fails" after a diagnostic.
 */
struct c_region *split_region(const struct stencil *like,
	const struct c_region *region, bool *fails);

/* steps.c: walk the time loop once, phase by phase. */
bool walk_region(struct stencil *s);

/* shape.c: dimensions and sizes of the fields. */
bool find_shapes(struct stencil *s);

/* sets.c: iterations and cells. */
/* { [round, v1, .., vn] } where "place" is executed. */
__isl_give isl_set *place_domain(struct stencil *s,
	const struct c_place *place);
/* .. if every round executed the phase; in any call, whatever the program may assume. */
__isl_give isl_set *place_any_round(struct stencil *s,
	const struct c_place *place);
__isl_give isl_set *place_of_any_call(struct stencil *s, const struct c_place *place);
/* { [round, v1, .., vn] : the round executes the phase of "place" } */
__isl_give isl_set *place_rounds(struct stencil *s,
	const struct c_place *place);
/* { [round, v1, .., vn] -> [e] } for any iterations; NULL if "e" is not quasi-affine. */
__isl_give isl_pw_aff *place_value(struct stencil *s,
	const struct c_place *place, const struct c_expr *e);
/* Their space; { .. -> [p] }, NULL if "p" is not affine; where "e" holds, NULL if the variables
 * alone do not tell.
 */
__isl_give isl_space *place_space(struct stencil *s,
	const struct c_place *place);
__isl_give isl_aff *place_aff(struct stencil *s, const struct c_place *place,
	const struct poly *p);
__isl_give isl_pw_aff *place_poly(struct stencil *s,
	const struct c_place *place, const struct poly *p);
__isl_give isl_set *place_condition(struct stencil *s,
	const struct c_place *place, const struct c_expr *e);
/* The iterations of "place" that are in "set", which has some of the loops
 * around "place", from the outermost on.
 */
__isl_give isl_set *within_loops(__isl_take isl_set *set,
	const struct c_place *place);
/* Where e < bound, "e" being quasi-affine and "bound" affine. */
__isl_give isl_set *value_below(struct stencil *s,
	const struct c_place *place, const struct c_expr *e,
	const struct poly *bound);
/* Can sets express the bounds and conditions of "place", and the subscripts of "a"? */
bool is_affine_place(struct stencil *s, const struct c_place *place);
bool is_affine_access(struct stencil *s, const struct c_access *a);
/* sizes.c: the size of "f" in dimension "dim" is the greatest subscript in "cells" plus one.
 * False if that is not a single sum of variables.
 */
bool find_size(struct stencil *s, struct c_field *f, int dim,
	__isl_take isl_set *cells);
/* Find the sizes that no declaration gives. */
bool find_sizes(struct stencil *s);
/* { [cell] } that the region uses of "f", with those that reads turn back to; NULL: none */
__isl_give isl_set *cells_used(struct stencil *s, const struct c_field *f);
/* Check that sets can express all conditions and bounds. */
bool check_affine(struct stencil *s);

/* Is the integer "e" never negative where "place" is executed? */
bool is_never_negative(struct stencil *s, const struct c_place *place,
	const struct c_expr *e);

/* Can a set hold the iterations of "place" where "e" holds? */
bool is_affine_condition(struct stencil *s, const struct c_place *place,
	const struct c_expr *e);
/* data.c: turn conditions on data into tests; conditions that sets express
 * stay.
 */
void part_conditions(struct stencil *s);

/* choice.c: make statements whose reads all lie in their arrays, where
 * conditions on indices choose between values.
 */
bool split_choices(struct stencil *s);
/* Drop statements that are never executed, whatever the parameters; false if
 * none is left.
 */
bool drop_idle(struct stencil *s);

/* phases.c: let arrays that several steps of a round write be a field for each of these steps. */
void tell_phases_apart(struct stencil *s);

/* order.c: which value each read sees; and what is not a stencil. */
bool find_versions(struct stencil *s);
/* The statement that computes what "a" reads in this step before it reads some cell, or after;
 * or NULL; is it a later statement, in an earlier iteration?
 */
struct c_seen {
	const struct c_update *old, *new, *carried;
};
struct c_seen see_writes(struct stencil *s, const struct c_access *a);
/* Check that no statement leaves an array whatever the parameters are. */
bool check_inside(struct stencil *s);
/* region.c: call "each" for what "u" reads whatever values choose, until it returns false. */
bool update_reads_always(const struct c_update *u, bool (*each)(void *user,
	struct c_access *a), void *user);
/* Is the statement executed exactly where all it touches is in its array, and
 * does it touch the same cells there at all points?
 */
bool covers_interior(struct stencil *s, const struct c_update *u);

/* leaves.c: accesses that leave an array for some parameters. */
/* "a" leaves its array for "params", { params }. */
void note_leave(struct stencil *s, const struct c_access *a,
	__isl_take isl_set *params);
/* Let the emitted file ask whether "loop" does not end before it starts; false after a diagnostic. */
bool ask_for_iterations(struct stencil *s, const struct c_loop *loop);
/* The function that tests, if there is such an access; and its call. */
void print_leaves(struct text *t, const struct stencil *s);
void print_leaves_call(struct text *t, const struct stencil *s);

/* record_rest.c: cells of records that no step computes. */
/* The function's loops in C that copy them; NULL: there are none.  Records of what the previous
 * round computed are copied "before" the steps, as they hold values from there; others behind
 * the steps.
 */
const char *text_beside_steps(struct stencil *s, bool before);
/* These loops, before the steps and behind them, if there are any. */
void print_before(struct text *t, const struct stencil *s);
void print_beside(struct text *t, const struct stencil *s);
/* Define, or undefine, what they call. */
void print_beside_macros(struct text *t, const struct stencil *s, bool defines);

/* build.c: the tree of the .stn language. */
const struct ast *build_program(struct stencil *s, const char *name);

/* ends.c: mark where subscripts turn back.  False after a diagnostic. */
bool ends_are_known(struct stencil *s);
/* The boundaries of fields by dimension, and what calls must check. */
bool find_ends(struct stencil *s);
/* { [round, v1, .., vn] : loops cover the arrays for which this is required } */
__isl_give isl_set *ends_assumed(struct stencil *s,
	const struct c_place *place);
/* Does an earlier field require the same of a dimension as dimension "d" of
 * "f"?
 */
bool is_asked_before(const struct stencil *s, const struct c_field *f, int d);

/* call.c: can the call leave in scalars what the region leaves there? */
bool check_counters(struct stencil *s);
/* The replacement for "restrict" in "file" as C++, which allows no qualifier in
 * brackets.
 */
const char *restrict_in_cxx(const struct c_file *file);

#endif
