/* Time loops that end by values of their points: if (r < eps) break; */
#ifndef STENCILC_UNTIL_H
#define STENCILC_UNTIL_H

#include "frontend/c/stencil.h"

/* For loops over time that end with "if (..) break;", make that their condition. */
void take_breaks(struct c_stmt *body);
/* Check that nothing else prevents the time loop from ending so; false after a
 * diagnostic.
 */
bool may_end_early(struct stencil *s);
/* Note the scalars by which the time loop ends. */
void find_results(struct stencil *s);
/* region.c: the result that "d" is; NULL: it is none. */
struct c_result *find_result(const struct stencil *s, const struct c_decl *d);
/* The value assigned to the result outside loops over points. */
bool begin_result(struct stencil *s, struct c_result *r,
	const struct c_expr *value);
/* "r = value" in loops over points, where the value contains "r" itself, and "if (x > r) r =
 * x".
 */
bool add_to_result(struct stencil *s, struct c_result *r,
	const struct c_expr *value);
bool is_result_choice(const struct stencil *s, const struct c_stmt *stmt);
bool choose_result(struct stencil *s, const struct c_stmt *stmt);
/* The condition that ends the time loop, in terms of its results at the end of
 * a step.
 */
bool resolve_until(struct stencil *s);
/* The first value of the counter of "loop", to be resolved; of a 'while' loop the one that it has before.
 * NULL after a diagnostic.
 */
const struct c_expr *start_of(struct stencil *s, const struct c_stmt *loop);
/* Let the emitted file ask whether the time loop has a first iteration, if its conditions say; false after a
 * diagnostic.
 */
bool ask_for_entry(struct stencil *s);
/* order.c: check that the inputs of results exist when a step is done. */
bool check_results(struct stencil *s);
/* The name of "d" in the function that stands for the region. */
const char *name_in_function(const struct stencil *s, const struct c_decl *d);
/* Parts of that function: the results as further parameters, their variables, the
 * arguments for them, and what it stores in them at its end.
 */
void print_result_params(struct text *t, const struct stencil *s);
void print_result_variables(struct text *t, const struct stencil *s);
void print_result_arguments(struct text *t, const struct stencil *s);
void print_results(struct text *t, const struct stencil *s);
/* Around the call: "{" and variables; their addresses; values that live on, with "t" as the
 * time, and "}".
 */
void print_until_begin(struct text *t, const struct stencil *s);
void print_until_addresses(struct text *t, const struct stencil *s);
void print_until_end(struct text *t, const struct stencil *s,
	bool (*is_live)(const struct stencil *s, const struct c_decl *d));

#endif
