/* Arrays that the region declares.
 *
 * A small array whose subscripts become numbers once loops over its elements are unrolled, as
 * arrays of weights have them, becomes separate scalars.  Any other array is a field of the
 * program that nobody outside sees: a grid in each iteration of the loops around its
 * declaration, with a dimension for each of these loops.
 */
#include "frontend/c/passes.h"

#include <string.h>

enum { MAX_SCALARS = 64 };

const struct c_local *find_local(const struct stencil *s,
	const struct c_decl *d)
{
	const struct c_local *local = s->at.locals;

	while (local && local->decl != d)
		local = local->next;
	return local;
}

bool is_scalar_element(const struct stencil *s, const struct c_expr *e)
{
	const struct c_local *local = e->kind == CX_ELEMENT ?
		find_local(s, e->decl) : NULL;

	return local && local->scalar && e->n_args == e->decl->n_dims;
}

int local_depth(const struct c_local *local)
{
	return local && local->loop ? local->loop->depth : 0;
}

/* Which arrays are scalars -------------------------------------------------*/

/* The size of a dimension, if it is a number; else 0. */
static int64_t known_size(const struct c_decl *d, int dim)
{
	int64_t size;

	return d->size[dim] && is_literal(d->size[dim], &size) ? size : 0;
}

/* The number of elements; 0: it is not known, or there are too many. */
static int count_elements(const struct c_decl *d)
{
	int64_t n = 1;

	for (int dim = 0; dim < d->n_dims; dim++) {
		n *= known_size(d, dim);
		if (n <= 0 || n > MAX_SCALARS)
			return 0;
	}
	return (int) n;
}

/* "w[1][2]" as the name of a variable: w_1_2. */
static const char *name_of_element(struct stencil *s, const struct c_decl *d,
	int element)
{
	const char *text = "";

	for (int dim = d->n_dims - 1; dim >= 0; dim--) {
		int size = (int) known_size(d, dim);

		text = region_printf(s->mem, "_%d%s", element % size, text);
		element /= size;
	}
	return region_printf(s->mem, "%s%s", d->name, text);
}

static void add_scalars(struct stencil *s, const struct c_decl *d)
{
	struct c_local *local = region_new_of(s->mem, struct c_local);

	local->decl = d;
	local->n = count_elements(d);
	local->scalar = region_array(s->mem, struct c_decl, local->n);
	for (int i = 0; i < local->n; i++) {
		local->scalar[i] = *d;
		local->scalar[i].n_dims = 0;
		local->scalar[i].name = name_of_element(s, d, i);
	}
	local->next = s->at.locals;
	s->at.locals = local;
}

/* Assume that all candidates are scalars. */
static void add_candidates(struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		if (body->kind == CS_DECLARE && c_is_own_array(body->decl) &&
		    count_elements(body->decl) && !find_local(s, body->decl))
			add_scalars(s, body->decl);
		add_candidates(s, body->body);
		add_candidates(s, body->otherwise);
	}
}

/* Loops around a statement of the text. */
struct around {
	const struct c_stmt *loop;
	const struct around *outer;
};

/* Is "e" a number once the loops around it are unrolled? */
static bool is_number(struct stencil *s, const struct c_expr *e,
	const struct around *around);

static bool is_run_through(struct stencil *s, const struct around *a)
{
	return (!has_writes(s, a->loop->body) ||
			reads_table(a->loop->body, a->loop->decl) ||
			counts_members(a->loop->body, a->loop->decl)) &&
		is_number(s, a->loop->value, a->outer) &&
		is_number(s, a->loop->bound, a->outer);
}

static bool is_number(struct stencil *s, const struct c_expr *e,
	const struct around *around)
{
	const struct around *a = around;

	if (e->kind == CX_VAR && !e->decl->is_known) {
		while (a && a->loop->decl != e->decl)
			a = a->outer;
		if (a)
			return is_run_through(s, a);
		return e->decl->is_inside;
	}
	for (int i = 0; i < e->n_args; i++)
		if (!is_number(s, e->arg[i], around))
			return false;
	return (e->kind != CX_ELEMENT || (e->decl->values &&
		e->n_args == e->decl->n_dims)) && e->kind != CX_CALL &&
		e->kind != CX_BAD;
}

static void drop(struct stencil *s, const struct c_decl *d, bool *any)
{
	struct c_local **link = &s->at.locals;

	while (*link && (*link)->decl != d)
		link = &(*link)->next;
	if (*link) {
		*link = (*link)->next;
		*any = true;
	}
}

/* Drop the candidates of which "e" has an element that does not become another one in each
 * iteration.
 */
static void check_expr(struct stencil *s, const struct c_expr *e,
	const struct around *around, bool *any)
{
	if (e->kind == CX_VAR && e->decl->n_dims)
		drop(s, e->decl, any);
	for (int i = 0; i < e->n_args; i++) {
		if (is_scalar_element(s, e) && !is_number(s, e->arg[i], around))
			drop(s, e->decl, any);
		check_expr(s, e->arg[i], around, any);
	}
}

static void check_body(struct stencil *s, const struct c_stmt *body,
	const struct around *around, bool *any)
{
	for (; body; body = body->next) {
		const struct around inner = { body, around };
		const struct c_expr *const all[] = {
			body->target, body->value, body->bound,
			body->condition
		};

		for (int i = 0; i < 4; i++)
			if (all[i])
				check_expr(s, all[i], around, any);
		check_body(s, body->body, body->kind == CS_FOR ? &inner :
			around, any);
		check_body(s, body->otherwise, around, any);
	}
}

void find_scalar_arrays(struct stencil *s)
{
	bool any = true;

	add_candidates(s, s->region->body);
	while (any) {
		any = false;
		check_body(s, s->region->body, NULL, &any);
	}
}

/* Scalars ------------------------------------------------------------------*/

static bool is_known(struct stencil *s, const struct c_expr *e, int d,
	const struct poly *sub, int64_t *value)
{
	int64_t size = known_size(e->decl, d);

	if (!poly_is_constant(sub, value)) {
		refuse(s, E_SUBSCRIPT, e->arg[d]->at, "'%s' does not say which "
			"element of '%s', an array that the region declares, "
			"is meant", c_quote(s, e->arg[d]->at), e->decl->name);
		diag_advice(s->diags, "elements of such an array are told "
			"apart by numbers and by counters of loops over them");
		return false;
	}
	return (*value >= 0 && *value < size) || refuse(s, E_C_OUTSIDE, e->at,
		"'%s' leaves the array '%s'", c_quote(s, e->at), e->decl->name);
}

struct c_expr *local_scalar(struct stencil *s, const struct c_expr *e,
	const struct poly *sub)
{
	const struct c_local *local = find_local(s, e->decl);
	int64_t element = 0, value;

	for (int d = 0; d < e->n_args; d++) {
		if (!is_known(s, e, d, &sub[d], &value))
			return NULL;
		element = element * known_size(e->decl, d) + value;
	}
	return c_variable(s->mem, &local->scalar[element], e->decl->type,
		e->at);
}

/* The place of an element in a list of values: braces around rows may be
 * missing.
 */
struct values {
	const struct c_expr *list;
	int at;
};

static struct c_expr *next_value(struct stencil *s, struct values *v)
{
	if (!v->list)
		return NULL;
	return v->at < v->list->n_args ? v->list->arg[v->at++] :
		c_leaf(s->mem, CX_INT, C_INT, v->list->at);
}

/* The row from "element" on, in the dimensions from "dim" on. */
static bool each_in_row(struct stencil *s, const struct c_local *local,
	int dim, int *element, struct values *v,
	bool (*each)(struct stencil *s, const struct c_decl *d,
		struct c_expr *value))
{
	int64_t size = known_size(local->decl, dim);

	for (int64_t i = 0; i < size; i++) {
		bool has_braces = v->list && v->at < v->list->n_args &&
			v->list->arg[v->at]->kind == CX_LIST;
		struct values row = { NULL, 0 };

		if (has_braces)
			row.list = v->list->arg[v->at++];
		if (dim + 1 < local->decl->n_dims ? !each_in_row(s, local,
				dim + 1, element, has_braces ? &row : v, each) :
		    !each(s, &local->scalar[(*element)++], next_value(s,
				has_braces ? &row : v)))
			return false;
	}
	return true;
}

bool each_scalar(struct stencil *s, const struct c_local *local,
	const struct c_expr *values, bool (*each)(struct stencil *s,
		const struct c_decl *d, struct c_expr *value))
{
	struct values v = { values, 0 };
	int element = 0;

	return each_in_row(s, local, 0, &element, &v, each);
}

/* Grids --------------------------------------------------------------------*/

bool declare_grid(struct stencil *s, const struct c_stmt *stmt)
{
	struct c_local *local = region_new_of(s->mem, struct c_local);

	if (stmt->value) {
		refuse(s, E_C_CONSTRUCT, stmt->at, "the array '%s', whose "
			"subscripts are not numbers, begins with values",
			stmt->decl->name);
		diag_advice(s->diags, "let a loop write it, or declare it "
			"before '#pragma scop'");
		return false;
	}
	local->decl = stmt->decl;
	local->loop = s->at.place.loop;
	local->phase = s->at.place.phase;
	local->next = s->at.locals;
	s->at.locals = local;
	return true;
}

bool add_loops_around(struct stencil *s, struct c_access *a,
	const struct c_local *local)
{
	int depth = local_depth(local);

	if (depth + a->n_subs > IR_MAX_DIMS)
		return refuse(s, E_TOO_LARGE, a->at, "'%s' and the loops "
			"around its declaration have more than %d dimensions",
			local->decl->name, IR_MAX_DIMS);
	memmove(a->sub + depth, a->sub, sizeof(a->sub[0]) *
		(size_t) a->n_subs);
	memmove(a->around + depth, a->around, sizeof(a->around[0]) *
		(size_t) a->n_subs);
	memmove(a->sub_at + depth, a->sub_at, sizeof(a->sub_at[0]) *
		(size_t) a->n_subs);
	for (const struct c_loop *l = local->loop; l; l = l->outer) {
		a->sub[l->depth - 1] = poly_symbol(l->decl);
		a->around[l->depth - 1] = NULL;
		a->sub_at[l->depth - 1] = a->at;
	}
	a->n_subs += depth;
	return true;
}
