/* The memory that the code of the C target requests: how many bytes in all, the byte from which
 * each field has its part, and the functions called with these.
 *
 * Bytes are sums of products.  The checker compares their factors, sizes among them: none is
 * below zero where the function runs.
 */
#include <string.h>

#include "verify/code/memory.h"

/* Products --------------------------------------------------------------- */

void multiply_by(struct product *p, int64_t n)
{
	p->number = n > 0 && p->number <= INT64_MAX / n ? p->number * n : 0;
}

void multiply(struct product *p, const struct kx *x)
{
	while (x->kind == KX_CAST)
		x = x->arg[0];
	if (x->kind == KX_BINARY && x->op == OP_MUL) {
		multiply(p, x->arg[0]);
		multiply(p, x->arg[1]);
	} else if (x->kind == KX_INT) {
		multiply_by(p, x->ivalue);
	} else if (x->kind == KX_SIZEOF) {
		multiply_by(p, ctype_bytes(x->c_type));
	} else if (p->n < MOST_FACTORS) {
		p->factor[p->n++] = x;
	} else {
		p->number = 0;
	}
}

struct product times_in(const struct product *one, struct product all)
{
	if (one->number == 0)
		return (struct product) { .number = 0 };
	for (int i = 0; i < one->n; i++) {
		int j = 0;

		while (j < all.n && !kx_same(one->factor[i], all.factor[j]))
			j++;
		if (j == all.n)
			return (struct product) { .number = 0 };
		all.factor[j] = all.factor[--all.n];
	}
	all.number /= one->number;
	return all;
}

/* Sums ------------------------------------------------------------------- */

static int count_terms(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_ADD ?
		count_terms(x->arg[0]) + count_terms(x->arg[1]) : 1;
}

static void add_terms(struct sum *s, const struct kx *x)
{
	if (x->kind == KX_BINARY && x->op == OP_ADD) {
		add_terms(s, x->arg[0]);
		add_terms(s, x->arg[1]);
	} else if (x->kind == KX_INT) {
		s->number += x->ivalue;
	} else {
		s->term[s->n++] = x;
	}
}

struct sum sum_of(struct checker *c, const struct kx *x)
{
	struct sum s = { .term = region_array(c->mem, const struct kx *,
		count_terms(x)) };

	add_terms(&s, x);
	return s;
}

/* Subtract "part" from "s"; false if a term of it is not in "s". */
static bool subtract(struct sum *s, const struct sum *part)
{
	s->number -= part->number;
	for (int i = 0; i < part->n; i++) {
		int j = 0;

		while (j < s->n && !kx_same(part->term[i], s->term[j]))
			j++;
		if (j == s->n)
			return false;
		s->term[j] = s->term[--s->n];
	}
	return true;
}

/* Parts of the memory ----------------------------------------------------- */

static const struct kfunc *function_named(const struct kunit *unit,
	const char *fmt)
{
	return unit_function(unit, region_printf(unit->mem, fmt,
		unit->prog->name));
}

/* The value that the last "return" returns, or NULL. */
static const struct kx *result_of(const struct ks *s)
{
	const struct kx *found = s->kind == KS_RETURN && s->n_x ? s->x[0] :
		NULL;

	for (int i = 0; i < s->n_children; i++) {
		const struct kx *inner = result_of(s->child[i]);

		found = inner ? inner : found;
	}
	return found;
}

/* Does "x" depend on the distance of rows: apart, or apart > 0? */
static bool asks_how_far(const struct layout *l, const struct kx *x)
{
	if (x->kind == KX_BINARY && x->op == OP_GT && kx_is_int(x->arg[1], 0))
		x = x->arg[0];
	return l->apart && x->kind == KX_NAME && !strcmp(x->name, l->apart);
}

/* The terms of "x"; of "apart ? a : b", those that count. */
static const struct kx *as_far(const struct layout *l, const struct kx *x)
{
	while (x->kind == KX_SELECT && asks_how_far(l, x->arg[0]))
		x = x->arg[l->how_far > 0 ? 1 : 2];
	if (x->kind == KX_BINARY && x->op == OP_ADD)
		return kx_binary(l->c->mem, OP_ADD, as_far(l, x->arg[0]),
			as_far(l, x->arg[1]));
	return x;
}

/* "visit" the statements that run for this layout, until one returns false. */
static bool each_statement(struct layout *l, const struct ks *s,
	bool (*visit)(struct layout *l, const struct ks *s))
{
	bool one = s->kind == KS_IF && asks_how_far(l, s->x[0]);

	if (!visit(l, s))
		return false;
	for (int i = 0; i < s->n_children; i++)
		if ((!one || i == (l->how_far > 0 ? 0 : 1)) &&
		    !each_statement(l, s->child[i], visit))
			return false;
	return true;
}

struct part *part_named(const struct layout *l, const char *name)
{
	struct part *p = l->part;

	while (p && strcmp(p->name, name))
		p = p->next;
	return p;
}

/* void *const NEXT = PART, which has no other name from then on */
static bool rename_memory(struct layout *l, const struct ks *s)
{
	l->part->name = s->name;
	return true;
}

static bool is_result(const struct program *p, const char *name)
{
	for (int i = 0; i < p->n_fields; i++)
		if (p->field[i]->is_result && !strcmp(p->field[i]->name, name))
			return true;
	return false;
}

/* double *const e_result = e_own, or the caller's e: another name, unknown to functions. */
static bool is_other_name(struct layout *l, const struct ks *s)
{
	const char *name = s->x[0]->name;

	return l->unit->prog->segments && s->c_type.scalar != CT_VOID &&
		(part_named(l, name) || is_result(l->unit->prog, name));
}

/* Is "x" the size "e" as the program has it? */
static bool is_size(const struct kx *x, const struct expr *e)
{
	while (x->kind == KX_CAST)
		x = x->arg[0];
	if (e->kind == EXPR_PARAM && !e->param->fixed)
		return x->kind == KX_NAME && !strcmp(x->name, e->param->name);
	if (e->kind != EXPR_BINARY)
		return false;
	if (x->kind != KX_BINARY || x->op != e->op)
		return false;
	for (int i = 0; i < 2; i++) {
		int64_t n;

		if (expr_constant(e->arg[i], &n) ? !kx_is_int(x->arg[i], n) :
		    !is_size(x->arg[i], e->arg[i]))
			return false;
	}
	return true;
}

/* Is "x" how many numbers the components before "f" have? */
static bool is_before(const struct kx *x, const struct field *f)
{
	struct product all = { .number = 1 };
	int64_t number = f->n_lanes ? f->part * f->n_lanes : f->part, n;

	multiply(&all, x);
	for (int d = 0; d < f->n_dims; d++) {
		int i = 0;

		if (expr_constant(f->size[d], &n)) {
			number *= n;
			continue;
		}
		while (i < all.n && !is_size(all.factor[i], f->size[d]))
			i++;
		if (i == all.n)
			return false;
		all.factor[i] = all.factor[--all.n];
	}
	return all.n == 0 && all.number == number;
}

/* Is "x" the place of "f" in its argument: behind other components, and behind other numbers of
 * the same cell?
 */
static bool is_place(const struct layout *l, const struct kx *x,
	const struct field *f)
{
	struct sum s = sum_of(l->c, x);
	bool starts = false;

	for (int i = 0; i < s.n; i++)
		if (s.term[i]->kind == KX_NAME &&
		    !strcmp(s.term[i]->name, f->whole->name))
			starts = true;
		else if (f->part == 0 || !is_before(s.term[i], f))
			return false;
	return starts && s.number == f->lane && s.n == (f->part ? 2 : 1);
}

/* float *const u_1 = u + cells: a component at its place in its argument? */
static bool is_component(const struct layout *l, const struct ks *s)
{
	const struct program *p = l->unit->prog;
	int i = 0;

	while (i < p->n_fields && (!p->field[i]->whole ||
	       strcmp(p->field[i]->name, s->name)))
		i++;
	return i < p->n_fields && is_place(l, s->x[0], p->field[i]);
}

/* void *const NEXT = (char *)PART + bytes; */
static bool split_memory(struct layout *l, const struct ks *s)
{
	const struct kx *x = s->kind == KS_DECLARE && s->n_x ? s->x[0] : NULL;
	struct part *last = l->part;

	if (!x || !s->c_type.pointers)
		return true;
	if (is_component(l, s))
		return true;
	if (x->kind == KX_NAME && is_other_name(l, s))
		return true;
	if (x->kind == KX_NAME && !strcmp(x->name, last->name))
		return rename_memory(l, s);
	if (x->kind != KX_BINARY || x->op != OP_ADD ||
	    x->arg[0]->kind != KX_CAST ||
	    strcmp(x->arg[0]->arg[0]->name, last->name))
		return refute(l->c, "the code points to '%s', and it is not "
			"shown where that is", s->name);
	l->part = region_new_of(l->c->mem, struct part);
	*l->part = (struct part) { s->name, last->bytes, .next = last };
	last->bytes = sum_of(l->c, x->arg[1]);
	return subtract(&l->part->bytes, &last->bytes) || refute(l->c,
		"the memory from '%s' on is not what is asked for it",
		last->name);
}

static bool gets_arrays(const struct kfunc *f)
{
	for (int i = 0; i < f->n_params; i++)
		if (f->param[i].is_array)
			return true;
	return false;
}

static bool find_calls(struct layout *l, const struct ks *s)
{
	const struct kx *x = s->n_x && (s->kind == KS_RETURN ||
		s->kind == KS_EXPRESSION || s->kind == KS_DECLARE ||
		s->kind == KS_ASSIGN) ? s->x[s->n_x - 1] : NULL;

	while (x && x->kind == KX_CAST)
		x = x->arg[0];

	for (const struct kfunc *f = l->unit->first; x && x->kind == KX_CALL &&
	     f; f = f->next)
		if (!strcmp(f->name, x->name) && gets_arrays(f)) {
			*l->last = region_new_of(l->c->mem, struct call);
			**l->last = (struct call) { f, x, NULL };
			l->last = &(*l->last)->next;
		}
	return true;
}

bool find_layout(struct layout *l)
{
	const struct kfunc *memory = function_named(l->unit, "%s_memory");
	const struct kfunc *sized = function_named(l->unit, "%s_with_sizes");

	l->call = NULL;
	l->last = &l->call;
	l->part = NULL;
	l->entry = sized ? sized : function_named(l->unit, memory ?
		"%s_with_memory" : "%s");
	if (l->entry)
		each_statement(l, l->entry->body, find_calls);
	if (!memory || !l->call)
		return true;
	l->part = region_new_of(l->c->mem, struct part);
	l->part->name = l->entry->param[l->entry->n_params -
		(sized ? 2 : 1)].name;
	l->part->bytes = sum_of(l->c, as_far(l, result_of(memory->body)));
	return each_statement(l, l->entry->body, split_memory);
}

/* How far rows may be apart --------------------------------------------------- */

/* Note in "may_be" the constants that "x" can be; false: it can be others. */
static bool note_constants(const struct kx *x, bool *may_be)
{
	if (x->kind == KX_SELECT)
		return note_constants(x->arg[1], may_be) &&
			note_constants(x->arg[2], may_be);
	if (x->kind != KX_INT || x->ivalue < 0 || x->ivalue > MOST_APART)
		return false;
	may_be[x->ivalue] = true;
	return true;
}

static bool note_results(const struct ks *s, bool *may_be)
{
	if (s->kind == KS_RETURN && !note_constants(s->x[0], may_be))
		return false;
	for (int i = 0; i < s->n_children; i++)
		if (!note_results(s->child[i], may_be))
			return false;
	return true;
}

bool may_be_apart(struct layout *l, bool *may_be)
{
	const struct kfunc *apart = function_named(l->unit, "%s_apart");

	if (!apart) {
		may_be[0] = true;
		return true;
	}
	l->apart = fresh_name(l->unit->mem, l->unit->prog, "apart");
	return note_results(apart->body, may_be) || refute(l->c,
		"it is not shown how far '%s' moves rows apart", apart->name);
}
