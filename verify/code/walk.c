/* The code, statement by statement: where execution comes, with which values,
 * and what it loads and stores on the way.
 */
#include <stdlib.h>
#include <string.h>

#include "verify/code/advance.h"
#include "verify/code/kept.h"
#include "verify/code/lengths.h"
#include "verify/code/rims.h"

static void reach_only(struct code *w, __isl_take isl_set *where)
{
	w->at = isl_set_intersect(w->at, where);
}

static void reach_again(struct code *w, __isl_take isl_set *at)
{
	isl_set_free(w->at);
	w->at = at;
}

/* Variables that change -------------------------------------------------- */

static void forget(struct variable *v)
{
	v->is_lost = v->is_lost || v->cell;
	v->number = NULL;
	v->kind = PLAIN;
	v->cell = v->loaded = NULL;
	v->is = NULL;
	v->same = NULL;
	v->stride = NULL;
}

/* A variable changed by a loop is so much further in iteration "i"; a variable changed by a
 * branch is what it was before.
 */
struct changed {
	struct variable *v, was;
	const struct cell *first;
	struct advance by;
	struct changed *next;
};

static void find_changed(struct code *w, const struct ks *s,
	const struct ks *body, struct changed **list)
{
	struct variable *v = s->kind == KS_ASSIGN ? variable_of(w, s->x[0]) :
		NULL;
	struct changed *c = *list;

	while (c && c->v != v)
		c = c->next;
	if (v && !c) {
		c = region_new_of(w->c->mem, struct changed);
		*c = (struct changed) { v, *v, v->cell,
			advance_of(body, v->name), *list };
		*list = c;
	}
	for (int i = 0; i < s->n_children; i++)
		find_changed(w, s->child[i], body, list);
}

/* ... after "n" iterations. */
static void advance_all(struct code *w, struct changed *list,
	__isl_take isl_pw_aff *n)
{
	for (; list; list = list->next) {
		struct advance by = list->by;

		forget(list->v);
		if (n && list->first && by.known)
			list->v->cell = by.by ? cell_beyond(w, list->first,
				by.by, isl_pw_aff_scale_val(isl_pw_aff_copy(n),
				isl_val_int_from_si(w->c->ctx, by.count))) :
				list->first;
	}
	isl_pw_aff_free(n);
}

/* Loads ------------------------------------------------------------------ */

static bool read_value(struct code *w, const struct kx *x);

/* *pointer */
static bool is_deref(const struct kx *x)
{
	return x->kind == KX_BUILTIN && x->builtin == B_DEREFERENCE;
}

/* Does "x" lead to global memory, at a known place or not? */
static bool is_global(const struct code *w, const struct kx *x)
{
	const struct variable *v;

	if (x->kind == KX_CELL)
		return true;
	if (is_deref(x))
		return is_global(w, x->arg[0]);
	if (x->kind == KX_ADDRESS && x->arg[0]->kind != KX_NAME)
		return is_global(w, x->arg[0]);
	if (x->kind == KX_CAST || (x->kind == KX_BINARY && x->op == OP_ADD))
		return is_global(w, x->arg[0]);
	v = x->kind == KX_NAME || x->kind == KX_INDEX ?
		variable_called(w, x->name) : NULL;
	if (v && w->nests && v->array)
		return w->plan;
	return v && (v->cell || v->is_lost || v->kept || has_copies(v));
}

static bool loads_cells(const struct code *w, const struct kx *x)
{
	bool loads = (x->kind == KX_CELL || x->kind == KX_INDEX ||
		is_deref(x)) && is_global(w, x);

	for (int i = 0; !loads && i < x->n_args; i++)
		loads = loads_cells(w, x->arg[i]) || ((x->kind == KX_CALL ||
			x->kind == KX_BUILTIN) && is_global(w, x->arg[i]));
	return loads;
}

static bool touch(struct code *w, const struct cell *cell, int width,
	bool stores, const struct kx *value)
{
	const struct touch t = { cell, width, stores, value };

	return cell ? w->touch(w, &t) : refute(w->c, "the code %s global "
		"memory, and it is not shown where", stores ? "stores to" :
		"loads from");
}

/* "x" is evaluated "where" only. */
static bool read_where(struct code *w, const struct kx *x,
	__isl_take isl_set *where)
{
	isl_set *at = isl_set_copy(w->at);
	bool right;

	reach_only(w, where);
	right = read_value(w, x);
	reach_again(w, at);
	return right;
}

/* "held" is evaluated if the condition holds, "failed" if not; or NULL. */
static bool read_either(struct code *w, const struct kx *condition,
	const struct kx *held, const struct kx *failed)
{
	struct condition c;
	bool right;

	if (!read_value(w, condition))
		return false;
	if (held && !loads_cells(w, held))
		held = NULL;
	if (failed && !loads_cells(w, failed))
		failed = NULL;
	if (!held && !failed)
		return true;
	if (w->follows_some && !depends_on_followed(w, condition))
		return (!held || read_value(w, held)) &&
			(!failed || read_value(w, failed));
	c = condition_of(w, condition);
	right = (!held || read_where(w, held, isl_set_copy(c.holds))) &&
		(!failed || read_where(w, failed, isl_set_copy(c.fails)));
	isl_set_free(c.holds);
	isl_set_free(c.fails);
	return right;
}

static bool read_operands(struct code *w, const struct kx *x)
{
	bool right = true;

	for (int i = 0; right && i < x->n_args; i++)
		right = read_value(w, x->arg[i]);
	return right;
}

/* Calls with an address of global memory among their arguments. */
static bool read_call(struct code *w, const struct kx *x)
{
	const struct cell *to = cell_at_pointer(w, x->arg[0]);
	const struct cell *from = x->n_args > 1 ? cell_at_pointer(w,
		x->arg[1]) : NULL;
	bool stores = is_global(w, x->arg[0]);
	int width = cells_of_call(x, stores ? to : from);

	if (is_deref(x))
		return touch(w, to, 1, false, NULL);
	if (width == 0)
		return refute(w->c, "the code hands on an address of global "
			"memory, and it is not shown of what");
	return (!stores || touch(w, to, width, true, value_of_copy(x, width))) &&
		(!is_global(w, x->arg[1]) || touch(w, from, width, false,
			NULL));
}

/* Does it join values, which are not addresses? */
static bool joins_values(const struct kx *x)
{
	return x->kind == KX_BUILTIN && (x->builtin == B_JOIN_MAGNITUDES ||
		(x->builtin >= B_JOIN && x->builtin <= B_JOIN + REDUCE_SUM));
}

static bool gets_address(const struct code *w, const struct kx *x)
{
	if (joins_values(x))
		return false;
	for (int i = 0; i < x->n_args; i++)
		if (x->arg[i]->kind != KX_CELL && x->arg[i]->kind != KX_INDEX
		    && is_global(w, x->arg[i]))
			return true;
	return false;
}

/* The function of the file that "x" calls, if calls matter. */
static const struct kfunc *function_called(const struct code *w,
	const struct kx *x)
{
	const struct kfunc *f = unit_function(w->unit, x->name);

	return f && (w->call || f->is_device) ? f : NULL;
}

/* The arguments that a kernel passes to a function for lists of points are read; data
 * determines the cells that this loads and stores.
 */
static bool read_call_of(struct code *w, const struct kx *x,
	const struct kfunc *f)
{
	return read_operands(w, x) && (f->is_device || w->call(w, x, f));
}

static bool read_value(struct code *w, const struct kx *x)
{
	const struct kfunc *f;
	struct variable *v;

	switch (x->kind) {
	case KX_SELECT:
		return read_either(w, x->arg[0], x->arg[1], x->arg[2]);
	case KX_BINARY:
		if (x->op == OP_AND)
			return read_either(w, x->arg[0], x->arg[1], NULL);
		if (x->op == OP_OR)
			return read_either(w, x->arg[0], NULL, x->arg[1]);
		return read_operands(w, x);
	case KX_ADDRESS:
		v = variable_of(w, x->arg[0]);
		if (v)
			forget(v);
		return read_operands(w, x->arg[0]);
	case KX_CALL:
		f = function_called(w, x);
		if (f)
			return read_call_of(w, x, f);
		/* fall through */
	case KX_BUILTIN:
		if (w->tiles)
			w->tiles->reader->copies(w, x);
		return read_operands(w, x) && (!gets_address(w, x) ||
			read_call(w, x));
	case KX_CELL:
	case KX_INDEX:
		return read_operands(w, x) && (!is_global(w, x) ||
			touch(w, cell_of(w, x), 1, false, NULL));
	default:
		return read_operands(w, x);
	}
}

/* Statements -------------------------------------------------------------- */

/* "s", or nothing, where "where" holds; its declarations end with it. */
static bool read_branch(struct code *w, const struct ks *s,
	__isl_take isl_set *where)
{
	const struct variable *known = w->known;
	bool right;

	reach_only(w, where);
	right = !s || read_statement(w, s);
	w->known = known;
	return right;
}

static bool ends(const struct ks *s)
{
	if (s->kind == KS_BLOCK)
		return s->n_children > 0 &&
			ends(s->child[s->n_children - 1]);
	return s->kind == KS_RETURN || s->kind == KS_GOTO;
}

static void restore_all(struct changed *list)
{
	for (; list; list = list->next)
		*list->v = list->was;
}

/* Variables changed by skipped code become unknown. */
static void forget_changed(struct code *w, const struct ks *s)
{
	struct changed *list = NULL;

	find_changed(w, s, s, &list);
	advance_all(w, list, NULL);
}

/* The conditions of "if" and loops, and whatever is not followed, tell nothing. */
static bool read_aside(struct code *w, const struct ks *s)
{
	const struct variable *known = w->known;
	bool right = true;

	forget_changed(w, s);
	for (int i = 0; right && i < s->n_x; i++)
		right = read_value(w, s->x[i]);
	if (s->kind == KS_FOR)
		declare_variable(w, s->name);
	for (int i = 0; right && i < s->n_children; i++)
		right = read_statement(w, s->child[i]);
	w->known = known;
	forget_changed(w, s);
	return right;
}

static bool is_aside(const struct code *w, const struct ks *s)
{
	return w->follows_some && (s->kind == KS_IF ||
		(s->kind == KS_FOR && !is_followed(w, s->name)));
}

/* if (!goes_on) pointer = ..: does the code find pointers of a strip, if they are not there?  Those of
 * the period before are, as verify/code/going.c shows.
 */
static bool finds_pointers(const struct code *w, const struct ks *s)
{
	const struct kx *flag = s->kind == KS_IF && w->plan &&
		w->c->form->find_strip && s->x[0]->kind == KX_UNARY &&
		s->x[0]->op == OP_NOT ? s->x[0]->arg[0] : NULL;

	return flag && flag->kind == KX_NAME && !strcmp(flag->name,
		kernel_names_new(w->c->mem, w->c->prog)->strips.goes_on);
}

static bool read_if(struct code *w, const struct ks *s)
{
	const struct ks *otherwise = s->n_children > 1 ? s->child[1] : NULL;
	isl_set *before = isl_set_copy(w->at);
	bool sure = w->sure, right = read_value(w, s->x[0]);
	struct condition c = condition_of(w, s->x[0]);
	struct changed *changed = NULL;

	find_changed(w, s, s, &changed);
	w->sure = sure && c.sure;
	right = right && (!s->full_at || is_full_at(w, s->full_at,
		isl_set_copy(c.holds)));
	right = right && read_branch(w, s->child[0], isl_set_copy(c.holds));
	reach_again(w, isl_set_copy(before));
	restore_all(changed);
	w->sure = w->sure && !c.is_loose;
	right = right && (!otherwise || read_branch(w, otherwise,
		isl_set_copy(c.fails)));
	reach_again(w, before);
	if (ends(s->child[0]))
		reach_only(w, isl_set_copy(c.fails));
	else
		w->sure = sure;
	isl_set_free(c.holds);
	isl_set_free(c.fails);
	advance_all(w, changed, NULL);
	return right;
}

/* Code that computes in registers alone ------------------------------------- */

static bool has_address(const struct kx *x)
{
	bool has = x->kind == KX_ADDRESS;

	for (int i = 0; !has && i < x->n_args; i++)
		has = has_address(x->arg[i]);
	return has;
}

/* A segment's bounds can be any with which the function runs: verify/code/segments.c tells what
 * they are.
 */
static bool is_of_segment(const struct code *w, const struct ks *s)
{
	const struct segments *segments = w->c->prog->segments;

	return segments && !w->plan && (s->kind == KS_FOR ||
		s->kind == KS_DECLARE) && (!strcmp(s->name,
		segments->first->name) || !strcmp(s->name,
		segments->end->name));
}

/* Does "s" declare a pointer that may point to global memory? */
static bool is_of_registers(const struct code *w, const struct ks *s)
{
	switch (s->kind) {
	case KS_DECLARE:
		if (s->c_type.pointers)
			return false;
		break;
	case KS_BLOCK:
	case KS_ARRAY:
	case KS_ASSIGN:
	case KS_FOR:
	case KS_IF:
	case KS_BLANK:
	case KS_COMMENT:
	case KS_DIRECTIVE:
		break;
	default:
		return false;
	}
	for (int i = 0; i < s->n_x; i++)
		if (has_address(s->x[i]) || loads_cells(w, s->x[i]))
			return false;
	for (int i = 0; i < s->n_children; i++)
		if (!is_of_registers(w, s->child[i]))
			return false;
	return true;
}

static bool read_for(struct code *w, const struct ks *s)
{
	isl_set *before = isl_set_copy(w->at);
	const struct variable *known = w->known;
	struct changed *changed = NULL;
	bool sure = w->sure, right = read_value(w, s->x[0]);
	int axis = axis_of_blocks(s->x[2]);
	isl_pw_aff *block = axis >= 0 ? w->block[axis] : NULL;
	isl_set *left_out = w->any.left_out;
	bool any_tile = takes_any_tile(w, s);
	isl_pw_aff *n = NULL, *value = any_tile ? NULL : iterate(w, s, &n);
	int64_t trips = trips_of(s);
	struct variable *v;
	struct condition c;

	w->sure = sure && (value || any_tile);
	find_changed(w, s->child[0], s->child[0], &changed);
	advance_all(w, changed, n);
	v = declare_variable(w, s->name);
	v->kind = any_tile ? TILE : PLAIN;
	v->number = any_tile ? NULL : keep_value(w, value ? value :
		new_number(w, s->name));
	if (takes_any_strip(w, s)) {
		w->at = isl_set_coalesce(w->at);
	} else {
		c = condition_of(w, s->x[1]);
		w->sure = w->sure && c.sure;
		reach_only(w, c.holds);
		isl_set_free(c.fails);
	}
	if (w->tiles)
		w->tiles->reader->enter(w, s);
	right = right && read_value(w, s->x[1]) &&
		read_statement(w, s->child[0]);
	if (w->tiles)
		w->tiles->reader->leave(w, s);
	w->known = known;
	w->sure = sure;
	w->any.left_out = left_out;
	reach_again(w, before);
	if (axis >= 0)
		w->block[axis] = block;
	advance_all(w, changed, trips < 0 ? NULL : constant(w, trips));
	return right;
}

/* "v" is a minimum or maximum: of two values, so that conditions stay simple. */
static void note_extreme(struct code *w, struct variable *v,
	const struct kx *x)
{
	v->kind = x->kind != KX_BUILTIN ? PLAIN : x->builtin == B_MIN ? LEAST :
		x->builtin == B_MAX ? GREATEST : PLAIN;
	for (int i = 0; v->kind != PLAIN && i < 2; i++)
		v->of[i] = keep_value(w, number_of(w, x->arg[i]));
	if (!v->of[0] || !v->of[1])
		v->kind = PLAIN;
}

static bool is_real(struct ctype type)
{
	return !type.pointers && (type.scalar == CT_FLOAT ||
		type.scalar == CT_DOUBLE);
}

static __isl_give isl_pw_aff *number_declared(struct code *w, const char *name,
	const struct kx *x, bool *right)
{
	isl_pw_aff *of_strip = number_of_strip(w, name, x, right);

	return of_strip || !*right ? of_strip : number_of(w, x);
}

static bool read_declare(struct code *w, const struct ks *s)
{
	const struct kx *x = s->n_x ? s->x[0] : NULL;
	bool pointer = s->c_type.pointers > 0, right = true;
	isl_pw_aff *number = NULL;
	const struct cell *cell = NULL;
	struct variable *v;

	if (x && !read_value(w, x))
		return false;
	if (x && pointer)
		cell = cell_at_pointer(w, x);
	else if (x && x->type == TYPE_INT)
		number = number_declared(w, s->name, x, &right);
	if (!right)
		return false;
	if (!number && !pointer && (s->c_type.scalar == CT_INT ||
	    s->c_type.scalar == CT_ARRIVALS))
		number = new_number(w, s->name);
	v = declare_variable(w, s->name);
	set_number(w, v, x, keep_value(w, number));
	v->cell = cell;
	v->is = ctype_is_constant(s->c_type) || is_real(s->c_type) ? x : NULL;
	v->scope = v->next;
	v->is_assigned = x != NULL;
	v->is_stride = s->c_type.scalar == CT_SIZE ||
		s->c_type.scalar == CT_DISTANCE;
	v->is_lost = pointer && x && !cell && is_global(w, x);
	if (v->number && ctype_is_constant(s->c_type))
		note_extreme(w, v, x);
	return true;
}

static bool read_assign(struct code *w, const struct ks *s)
{
	const struct kx *to = s->x[0], *x = s->x[1];
	struct variable *v = variable_of(w, to);
	const struct cell *cell;
	struct advance by;

	if (w->tiles && w->tiles->reader->ages(w, s))
		return true;
	if (!read_value(w, x))
		return false;
	if (!v)
		return read_operands(w, to) && (!is_global(w, to) ||
			touch(w, cell_of(w, to), 1, true, x));
	by = advance_by_assignment(s, v->name);
	if (v->cell && by.known) {
		v->cell = cell_beyond(w, v->cell, by.by, constant(w, 1));
		return true;
	}
	cell = cell_at_pointer(w, x);
	x = value_assigned(w, v, x);
	forget(v);
	v->cell = cell;
	v->is_lost = v->is_lost && !cell;
	v->is = x;
	v->scope = w->known;
	v->is_assigned = true;
	return true;
}

static bool read_block(struct code *w, const struct ks *s)
{
	const struct variable *known = w->known;
	bool right = true;

	for (int i = 0; right && i < s->n_children; i++)
		right = read_statement(w, s->child[i]);
	if (s->scope || s->braces)
		w->known = known;
	return right;
}

/* Of a loop or an "if" in registers, only what it changes matters. */
static bool pass_over(struct code *w, const struct ks *s)
{
	struct changed *changed = NULL;
	int64_t trips = s->kind == KS_FOR ? trips_of(s) : -1;

	find_changed(w, s, s->kind == KS_FOR ? s->child[0] : s, &changed);
	advance_all(w, changed, trips < 0 ? NULL : constant(w, trips));
	return true;
}

/* C: is "s" the outermost loop over the tiles of a plan? */
static bool is_nest(const struct code *w, const struct ks *s)
{
	if (!w->nests || w->plan || s->kind != KS_FOR)
		return false;
	for (int d = 0; d < IR_MAX_DIMS; d++)
		if (!strcmp(s->name, w->nests->names->tile[d]))
			return true;
	return false;
}

bool read_statement(struct code *w, const struct ks *s)
{
	if (is_of_segment(w, s))
		return s->kind == KS_DECLARE || read_statement(w, s->child[0]);
	if (is_nest(w, s))
		return w->nests->read(w, s);
	if ((s->kind == KS_FOR || s->kind == KS_IF) && is_of_registers(w, s) &&
	    !w->nests)
		return pass_over(w, s);
	if (finds_pointers(w, s))
		return read_statement(w, s->child[0]);
	if (is_aside(w, s))
		return read_aside(w, s);
	switch (s->kind) {
	case KS_BLOCK:
		return read_block(w, s);
	case KS_DECLARE:
		return read_declare(w, s);
	case KS_ARRAY:
		declare_variable(w, s->name)->kept = w->tiles ?
			w->tiles->reader->array(w, s) : NULL;
		return true;
	case KS_ASSIGN:
		return read_assign(w, s);
	case KS_FOR:
		return read_for(w, s);
	case KS_IF:
		return w->tiles && s->full_at ? w->tiles->reader->full(w, s) :
			read_if(w, s);
	case KS_EXPRESSION:
		return read_value(w, s->x[0]);
	case KS_CHECKED:
		return w->plan != NULL || read_value(w, s->x[0]);
	case KS_BARRIER:
		return !w->tiles || w->tiles->reader->barrier(w);
	case KS_LAUNCH:
		return w->launch(w, s);
	default:
		return true;
	}
}
