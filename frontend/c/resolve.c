/* Expressions with each variable replaced by its value. */
#include "frontend/c/lookup.h"
#include "frontend/c/nearby.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/split.h"
#include "frontend/c/turn.h"

#include <stdlib.h>
#include <string.h>

/* Names --------------------------------------------------------------------*/

static const struct c_loop *find_loop(const struct stencil *s,
	const struct c_decl *d)
{
	const struct c_loop *loop = s->at.place.loop;

	while (loop && loop->decl != d)
		loop = loop->outer;
	return loop;
}

/* New nodes ----------------------------------------------------------------*/

static struct c_expr *copy_of(struct stencil *s, const struct c_expr *e)
{
	struct c_expr *copy = region_new_of(s->mem, struct c_expr);

	*copy = *e;
	return copy;
}

/* Elements -----------------------------------------------------------------*/

static bool has_kind(const struct c_expr *e, enum c_kind kind)
{
	if (e->kind == kind)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (has_kind(e->arg[i], kind))
			return true;
	return false;
}

static void refuse_subscript(struct stencil *s, const struct c_expr *e,
	const struct c_expr *resolved, bool is_input)
{
	refuse(s, E_SUBSCRIPT, e->at, "the subscript '%s' is not affine: %s", c_quote(s, e->at),
		has_kind(resolved, CX_ELEMENT) ? "it depends on data" :
		has_kind(resolved, CX_CALL) ? "it has a call" :
		"it is not a sum of loop variables with constant factors");
	if (s->recorded.why)
		explain_no_record(s);
	else if (has_kind(resolved, CX_ELEMENT) && is_input)
		diag_advice(s->diags, "fill an array with what the points read, before '#pragma scop', and "
			"read that");
	else if (has_kind(resolved, CX_ELEMENT))
		diag_advice(s->diags, "places can be data in a loop of their own, 'for (p = 0; p < n; p++) "
			"u[si[p]][sj[p]] += w[t][p];'; else let the nests within the time loop be the "
			"region, or write them in .stn, which has lists of points");
	else
		diag_advice(s->diags, "a stencil reads at fixed distances from the point, as in '[i-1]'");
}

/* A sum, a quotient of parameters or, for a read, a sum that turns back, or data. */
static bool read_subscript(struct stencil *s, const struct c_expr *of,
	struct c_access *a, int d, bool is_write, bool is_input)
{
	const bool was_in = s->at.in_subscript;
	const struct c_expr *e = of->arg[d];
	struct c_expr *sub, *sum;

	s->at.in_subscript = true;
	sub = resolve(s, e);
	s->at.in_subscript = was_in;
	if (!sub)
		return false;
	a->sub_at[d] = e->at;
	if (poly_of(s, sub, &a->sub[d]))
		return true;
	sum = quotients_as_params(s, sub);
	if (poly_of(s, sum, &a->sub[d])) {
		note_quotients(s, &a->sub[d]);
		return true;
	}
	if (s->at.list && listed_place(s, sum, &a->sub[d])) {
		note_quotients(s, &a->sub[d]);
		a->is_listed = true;
		return true;
	}
	if (!is_write && neighbour_of(s, sub, &a->sub[d])) {
		a->around[d] = sub;
		return true;
	}
	if (!is_write && d == 0 && a->n_subs == 1 + of->decl->n_dims - array_dims(of->decl) && turns_back(s, sum, &a->sub[d])) {
		note_quotients(s, &a->sub[d]);
		return true;
	}
	a->is_looked_up = !is_write && is_looked_up(s, of, sub);
	a->around[d] = a->is_looked_up ? sub : NULL;
	if (!a->is_looked_up)
		refuse_subscript(s, e, sub, is_input);
	return a->is_looked_up;
}

static bool read_subscripts(struct stencil *s, const struct c_expr *e,
	struct c_access *a, bool is_write)
{
	bool is_input = !writes_array(s->time_loop->body, e->decl);

	a->n_subs = e->n_args;
	for (int d = 0; d < e->n_args; d++)
		if (!read_subscript(s, e, a, d, is_write, is_input))
			return false;
	return true;
}

struct c_field *field_of(struct stencil *s, const struct c_decl *decl,
	int slot, struct c_part part)
{
	const struct c_local *local = find_local(s, decl);
	struct c_field **link = &s->fields;

	while (*link && ((*link)->decl != decl || (*link)->slot != slot ||
	       (*link)->local != local ||
	       (*link)->part.of != part.of || (*link)->part.at != part.at))
		link = &(*link)->next;
	if (!*link) {
		*link = region_new_of(s->mem, struct c_field);
		(*link)->decl = (struct c_decl *) decl;
		(*link)->slot = slot;
		(*link)->part = part;
		(*link)->local = local;
		(*link)->n_dims = decl->n_dims - (slot != NO_SLOT) -
			part.is_subscript + local_depth(local);
	}
	return *link;
}

static void drop_first(struct c_access *a)
{
	a->n_subs--;
	memmove(a->sub, a->sub + 1, sizeof(a->sub[0]) * (size_t) a->n_subs);
	memmove(a->around, a->around + 1,
		sizeof(a->around[0]) * (size_t) a->n_subs);
	memmove(a->sub_at, a->sub_at + 1,
		sizeof(a->sub_at[0]) * (size_t) a->n_subs);
}

static bool refuse_distance(struct stencil *s, const struct c_expr *e, struct span at)
{
	refuse(s, E_TIME_DISTANCE, at, "'%s' is not at a fixed distance from the step '%s'",
		c_quote(s, at), s->time->name);
	if (s->recorded.why)
		explain_no_record(s);
	else
		diag_advice(s->diags, "'%s' is written at the step '%s', so a stencil reads it at steps "
			"before, as in '[%s-1]'", e->decl->name, s->time->name, s->time->name);
	return false;
}

/* Which copy the first subscript selects, if it is the time. */
static bool find_slot(struct stencil *s, const struct c_expr *e, struct c_access *a, int *slot)
{
	struct poly now;
	int64_t value;

	*slot = NO_SLOT;
	if (find_local(s, e->decl))
		return true;
	if (!has_time_dimension(s, e->decl)) {
		if (has_rows_apart(s, e->decl) &&
		    poly_is_constant(&a->sub[0], &value) && value >= 0 &&
		    value < MAX_ROWS) {
			*slot = (int) value;
			drop_first(a);
		}
		return true;
	}
	now = poly_symbol(s->time);
	if (s->of_step && !poly_add(&a->sub[0], &now, -1))
		return false;
	if (loop_of(s->at.place.loop, &a->sub[0]) || (s->of_step &&
	    !poly_is_constant(&a->sub[0], &value)))
		return refuse_distance(s, e, a->sub_at[0]);
	if (!poly_is_constant(&a->sub[0], &value)) {
		refuse(s, E_TIME_DISTANCE, a->sub_at[0], "'%s' does not say which copy of '%s' is meant in "
			"each step", c_quote(s, a->sub_at[0]), e->decl->name);
		diag_advice(s->diags, "copies are told apart as in '%s[(%s+1) %% 2]', the first step being "
			"a constant", e->decl->name, s->time->name);
		return false;
	}
	if (s->of_step ? value < -MAX_PHASES || value > MAX_PHASES :
	    value < 0 || value >= MAX_PHASES)
		return refuse(s, E_C_OUTSIDE, a->sub_at[0], "the copy '%s' of '%s' has the number %lld",
			c_quote(s, a->sub_at[0]), e->decl->name, (long long) value);
	*slot = (int) value;
	drop_first(a);
	return true;
}

static bool refuse_mixed(struct stencil *s, const struct c_expr *e, const struct c_decl *d)
{
	return refuse(s, E_C_CONSTRUCT, e->at, "'%s' is used as one struct and as an array of them",
		d->member->of->name);
}

/* Is "d", as double **, an array of rows that a call can copy? */
static bool has_plain_rows(const struct stencil *s, const struct c_decl *d)
{
	return d->n_dims == 2 && !s->of_step && !(d->member &&
		d->member->is_each) &&
		d->type != C_BOOL && !has_time_dimension(s, d);
}

/* Does a step select a pointer of "d", as in float *d[2] and d[t % 2][i*m + j]? */
static bool selects_pointer(const struct stencil *s, const struct c_decl *d)
{
	return d->has_rows && !s->of_step && has_time_dimension(s, d);
}

static bool refuse_rows(struct stencil *s, const struct c_expr *e, const struct c_decl *object)
{
	refuse(s, E_C_TYPE, e->at, "'%s' is not an array of C: its rows are behind pointers", object->name);
	diag_advice(s->diags, "rows of two dimensions, as of 'double **A' and 'A[i][j]', are copied to an array "
		"for all steps; else point to an array of C, as 'double (*A)[M] = (void *) &rows[0][0]' does");
	return false;
}

bool check_array(struct stencil *s, const struct c_expr *e,
	const struct c_decl *object, bool is_write)
{
	if (c_mixes_members(object))
		return refuse_mixed(s, e, object);
	if (object->has_rows && !has_plain_rows(s, object) &&
	    !selects_pointer(s, object))
		return refuse_rows(s, e, object);
	if (object->is_volatile)
		return refuse(s, E_C_TYPE, e->at, "'%s' is volatile", object->name);
	if (object->type == C_BOOL && is_write) {
		refuse(s, E_C_TYPE, e->at, "'%s' has elements of type '%s', which is only read",
			object->name, object->type_name);
		diag_advice(s->diags, "write 0 and 1 to an array of unsigned char");
		return false;
	}
	if (object->type == C_OTHER)
		return refuse(s, E_C_TYPE, e->at, "'%s' has elements of type '%s'; arrays of integers, "
			"float and double are compiled", object->name, object->type_name);
	if (e->n_args != object->n_dims)
		return refuse(s, E_SUBSCRIPT_COUNT, e->at, "'%s' is no element of '%s', which has %d "
			"dimensions", c_quote(s, e->at), object->name, object->n_dims);
	return !is_write || !object->is_const || refuse(s, E_C_TYPE, e->at,
		"'%s' is const", object->name);
}

/* The element that the call has found for "a" before the steps: the one at the point. */
static struct c_access *looked_up(struct stencil *s, const struct c_expr *e,
	const struct c_decl *object, struct c_access *a)
{
	struct c_lookup *l = look_up(s, e, object, element_part(s, e, object), a);

	if (!l)
		return NULL;
	*a = (struct c_access) { .n_subs = l->decl->n_dims, .place = a->place, .at = a->at };
	for (int d = 0; d < a->n_subs; d++) {
		a->sub[d] = poly_symbol(l->index[d]);
		a->sub_at[d] = e->at;
	}
	a->field = field_of(s, l->decl, NO_SLOT, (struct c_part) { 0 });
	a->field->lookup = l;
	l->own = l->own ? l->own : a;
	a->next = s->accesses;
	s->accesses = a;
	return a;
}

struct c_access *resolve_access(struct stencil *s, const struct c_expr *e,
	bool is_write)
{
	const struct c_decl *object = object_of(s, e->decl, e->at);
	struct c_access *a = region_new_of(s->mem, struct c_access);
	const struct c_local *local;
	struct c_part part;
	int slot;

	a->at = e->at;
	a->place = s->at.place;
	if (!check_array(s, e, object, is_write) || !read_subscripts(s, e, a, is_write))
		return NULL;
	if (a->is_looked_up || (!is_write && is_reversed(s, e, a)))
		return looked_up(s, e, object, a);
	if (!find_slot(s, e, a, &slot))
		return NULL;
	if (slot != NO_SLOT && selects_pointer(s, object)) {
		object = array_behind(s, object, slot);
		slot = NO_SLOT;
		if (object->has_rows && !has_plain_rows(s, object) &&
		    !refuse_rows(s, e, object))
			return NULL;
	}
	local = find_local(s, object);
	if (local && !add_loops_around(s, a, local))
		return NULL;
	part = local ? (struct c_part) { 0 } : element_part(s, e, object);
	a->n_subs -= part.is_subscript;
	a->field = field_of(s, object, slot, part);
	a->field->is_written |= is_write;
	if (a->is_listed)
		return a;
	a->next = s->accesses;
	s->accesses = a;
	return a;
}

/* Scalars ------------------------------------------------------------------*/

/* The value that the counter of the time loop has before that begins: of a variable of its own, beside the counter. */
static struct c_expr *resolve_before_loop(struct stencil *s, const struct c_expr *e)
{
	struct c_decl *before;
	struct c_expr *value;

	if (!find_value(s, e, &value))
		return NULL;
	if (!value) {
		before = region_new_of(s->mem, struct c_decl);
		*before = *e->decl;
		value = c_variable(s->mem, before, e->type, e->at);
		bind_value(s, e->decl, value);
		note_param(s, before);
	}
	return value;
}

static struct c_expr *resolve_name(struct stencil *s, const struct c_expr *e)
{
	struct c_decl *d = e->decl;
	struct c_expr *copy, *value;
	struct poly now;

	if (d == s->time && s->at.place.phase < 0)
		return resolve_before_loop(s, e);
	if (d == s->time)
		return time_value(s, s->at.place.phase, &now) ?
			expr_of_poly(s, &now, e->at) : NULL;
	if (find_loop(s, d))
		return copy_of(s, e);
	if (d->is_known) {
		copy = copy_of(s, e);
		copy->kind = e->type == C_FLOAT || e->type == C_DOUBLE ?
			CX_REAL : CX_INT;
		copy->value = d->value;
		copy->real = d->real;
		return copy;
	}
	if (d->values && !d->n_dims)
		return resolve(s, d->values);
	if (d->n_dims || d->type == C_OTHER || d->is_volatile) {
		refuse(s, E_C_TYPE, e->at, "'%s' is not a number that a stencil computes with", d->name);
		return NULL;
	}
	if (c_mixes_members(d) && !refuse_mixed(s, e, d))
		return NULL;
	if (!find_value(s, e, &value))
		return NULL;
	if (value)
		return value;
	if (d->member && d->is_inside) {
		refuse(s, E_C_CONSTRUCT, e->at, "'%s' is read before it has a value", c_quote(s, e->at));
		return NULL;
	}
	note_param(s, d);
	return copy_of(s, e);
}

/* Calls --------------------------------------------------------------------*/

bool refuse_call(struct stencil *s, const struct c_expr *e)
{
	if (e->why) {
		refuse(s, E_C_CALL, e->at, "the call '%s' cannot be inlined: %s", c_quote(s, e->at), e->why);
		diag_advice(s->diags, "write what it does in the loops");
		return false;
	}
	refuse(s, E_C_CALL, e->at, "the function '%s' is not known: what it does cannot be seen",
		*e->name ? e->name : "called here");
	diag_advice(s->diags, "known are%s, their forms with an 'f', and what this file or a header of yours "
		"defines", op_functions);
	return false;
}

/* Is "e" the absolute value of an integer? */
static bool is_absolute(const struct c_expr *e)
{
	return !e->why && e->n_args == 1 && is_integer(e->arg[0]->type) &&
		!is_unsigned(e->arg[0]->type) && (!strcmp(e->name, "labs") ||
		(!strcmp(e->name, "abs") && !is_beyond_int(e->arg[0]->type)));
}

/* x < 0 ? -x : x */
static struct c_expr *resolve_absolute(struct stencil *s,
	const struct c_expr *e)
{
	struct c_expr *x = resolve(s, e->arg[0]), *arg[3];

	if (!x)
		return NULL;
	arg[0] = c_binary(s->mem, OP_LT, C_INT, x, c_leaf(s->mem, CX_INT,
		C_INT, e->at), e->at);
	arg[1] = c_node(s->mem, CX_UNARY, e->type, 1, &x, e->at);
	arg[1]->op = OP_NEG;
	arg[2] = x;
	return c_node(s->mem, CX_SELECT, e->type, 3, arg, e->at);
}

static bool check_call(struct stencil *s, const struct c_expr *e)
{
	enum op op;
	bool single;

	return (!e->why && op_find_function(e->name, &op, &single)) ||
		refuse_call(s, e);
}

/* Values that wrap ---------------------------------------------------------*/

static bool is_connective(const struct c_expr *e)
{
	return (e->kind == CX_BINARY && (e->op == OP_AND || e->op == OP_OR)) ||
		(e->kind == CX_UNARY && e->op == OP_NOT);
}

static bool has_unsigned(const struct c_expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		if (is_unsigned(e->arg[i]->type))
			return true;
	return false;
}

/* Does "e" depend on whether its argument "arg" has wrapped?  A sum of unsigned
 * numbers does not: it wraps back.
 */
static bool sees_wraps(const struct c_expr *e, const struct c_expr *arg)
{
	if (e->kind == CX_BINARY && c_op_compares(e->op))
		return has_unsigned(e) && is_integer(arg->type);
	if (is_connective(e) || !is_unsigned(arg->type))
		return false;
	return !is_unsigned(e->type) || (e->kind == CX_BINARY &&
		(e->op == OP_DIV || e->op == OP_MOD || e->op == OP_SHIFT_RIGHT));
}

bool check_wraps(struct stencil *s, const struct c_expr *e,
	const struct c_expr *value)
{
	if (is_of_data(value) || is_never_negative(s, &s->at.place, value))
		return true;
	refuse(s, E_C_TYPE, e->at, "'%s' may wrap, as it is unsigned here",
		c_quote(s, e->at));
	diag_advice(s->diags, "use signed types");
	return false;
}

/* Does the program compute "e", which is resolved, in C's types? */
static bool has_types_of_c(const struct c_expr *e)
{
	return e->kind == CX_BINARY && is_of_data(e) &&
		(is_beyond_int(e->type) || c_op_compares(e->op));
}

/* Elements of constant arrays, as cx[q] in an unrolled loop --------------------*/

/* Is "e", which is resolved, made of literals? */
static bool is_number(const struct c_expr *e)
{
	if (e->kind != CX_INT && e->kind != CX_REAL && e->kind != CX_UNARY &&
	    e->kind != CX_BINARY && e->kind != CX_CAST)
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_number(e->arg[i]))
			return false;
	return true;
}

/* What the array begins with at the subscripts of "e"; NULL: they are no numbers, or braces around rows are
 * missing.  What a list leaves out is 0.
 */
static struct c_expr *listed_value(struct stencil *s, const struct c_expr *e)
{
	const struct c_expr *value = e->decl->values;

	for (int d = 0; d < e->n_args; d++) {
		struct c_expr *sub = resolve(s, e->arg[d]);
		struct poly p;
		int64_t at;

		if (!sub || value->kind != CX_LIST || !poly_of(s, sub, &p) ||
		    !poly_is_constant(&p, &at) || at < 0)
			return NULL;
		if (at >= value->n_args)
			return c_leaf(s->mem, CX_INT, C_INT, e->at);
		value = value->arg[at];
	}
	return value->kind == CX_LIST ? NULL : (struct c_expr *) value;
}

static struct c_expr *value_of_constant(struct stencil *s, const struct c_expr *e)
{
	struct c_expr *value;

	if (!e->decl || !e->decl->values || e->n_args != e->decl->n_dims)
		return NULL;
	value = listed_value(s, e);
	if (!value)
		return NULL;
	value = resolve(s, value);
	return value && is_number(value) ? c_converted(s->mem, value,
		e->decl->type) : NULL;
}

/* Expressions --------------------------------------------------------------*/

static struct c_expr *resolve_parts(struct stencil *s, const struct c_expr *e)
{
	struct c_expr *copy = copy_of(s, e);

	copy->arg = region_array(s->mem, struct c_expr *, e->n_args + 1);
	for (int i = 0; i < e->n_args; i++) {
		copy->arg[i] = resolve(s, e->arg[i]);
		if (!copy->arg[i])
			return NULL;
	}
	for (int i = 0; i < e->n_args && !has_types_of_c(copy); i++)
		if (sees_wraps(e, e->arg[i]) &&
		    !check_wraps(s, e->arg[i], copy->arg[i]))
			return NULL;
	return copy;
}

struct c_expr *resolve_target(struct stencil *s, const struct c_expr *e)
{
	struct poly sub[C_MAX_DIMS];

	for (int d = 0; d < e->n_args; d++) {
		struct c_expr *resolved = resolve(s, e->arg[d]);

		if (!resolved)
			return NULL;
		if (!poly_of(s, resolved, &sub[d]))
			sub[d] = poly_symbol(e->decl);
	}
	return local_scalar(s, e, sub);
}

static struct c_expr *resolve_scalar(struct stencil *s,
	const struct c_expr *e)
{
	struct c_expr *scalar = resolve_target(s, e), *value;

	return scalar && find_value(s, scalar, &value) ? value : NULL;
}

struct c_expr *resolve(struct stencil *s, const struct c_expr *e)
{
	struct c_expr *copy;

	switch (e->kind) {
	case CX_VAR:
		return resolve_name(s, e);
	case CX_ELEMENT:
		if (is_scalar_element(s, e))
			return resolve_scalar(s, e);
		if ((copy = value_of_constant(s, e)))
			return copy;
		copy = copy_of(s, e);
		copy->access = resolve_access(s, e, false);
		copy->n_args = 0;
		return copy->access ? copy : NULL;
	case CX_CALL:
		if (is_absolute(e))
			return resolve_absolute(s, e);
		return check_call(s, e) ? resolve_parts(s, e) : NULL;
	case CX_BAD:
		refuse(s, E_C_CONSTRUCT, e->at, "%s has no place in a stencil",
			e->name);
		return NULL;
	default:
		return resolve_parts(s, e);
	}
}
