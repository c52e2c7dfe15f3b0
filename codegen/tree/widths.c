/* A function for several values of a size: see widths.h. */
#include <string.h>

#include "codegen/tree/widths.h"

/* Numbers ----------------------------------------------------------------- */

/* number[i] = rest + up * value[i] / down, for all i */
struct line {
	int64_t rest, up, down;
};

static int64_t at_value(const struct line *l, int64_t value)
{
	return l->rest + l->up * value / l->down;
}

static bool find_line(const struct made_for *m, const int64_t *number,
	struct line *l)
{
	int64_t rise = number[m->n - 1] - number[0];
	int64_t run = m->value[m->n - 1] - m->value[0];

	l->up = l->down = 1;
	if (rise % run == 0)
		l->up = rise / run;
	else if (rise != 0 && run % rise == 0)
		l->down = run / rise;
	else
		return false;
	if (l->down < 0) {
		l->down = -l->down;
		l->up = -l->up;
	}
	l->rest = number[0] - l->up * m->value[0] / l->down;
	for (int i = 0; i < m->n; i++)
		if (l->up * m->value[i] % l->down != 0 ||
		    number[i] != at_value(l, m->value[i]))
			return false;
	return true;
}

/* |up| * name / down */
static const struct kx *times_name(const struct made_for *m,
	const struct line *l)
{
	const struct kx *x = kx_name(m->mem, m->name);

	return kx_binary(m->mem, OP_DIV, kx_binary(m->mem, OP_MUL, x, kx_int(
		m->mem, l->up < 0 ? -l->up : l->up)), kx_int(m->mem, l->down));
}

static const struct kx *plus_line(const struct made_for *m,
	const struct kx *x, const struct line *l)
{
	if (l->up != 0)
		x = kx_binary(m->mem, l->up < 0 ? OP_SUB : OP_ADD, x,
			times_name(m, l));
	return kx_add(m->mem, x, l->rest);
}

/* Expressions ------------------------------------------------------------- */

/* Do the nodes differ in a number at most? */
static bool are_alike(const struct kx *a, const struct kx *b)
{
	struct kx with_number = *b;

	if (b->kind == KX_INT)
		with_number.ivalue = a->ivalue;
	return kx_same_head(a, &with_number);
}

/* x[0] + n or x[0] - n, with these numbers n? */
static bool is_sum(const struct made_for *m, const struct kx *const *x,
	int64_t *number)
{
	for (int i = 0; i < m->n; i++) {
		if (x[i]->kind != KX_BINARY || x[i]->type != TYPE_INT ||
		    (x[i]->op != OP_ADD && x[i]->op != OP_SUB) ||
		    x[i]->arg[1]->kind != KX_INT)
			return false;
		number[i] = x[i]->op == OP_ADD ? x[i]->arg[1]->ivalue :
			-x[i]->arg[1]->ivalue;
	}
	return true;
}

static const struct kx *of_any(const struct made_for *m,
	const struct kx *const *x);

static const struct kx *operand_of_any(const struct made_for *m,
	const struct kx *const *x, int arg)
{
	const struct kx **operand = region_array(m->mem, const struct kx *,
		m->n);

	for (int i = 0; i < m->n; i++)
		operand[i] = x[i]->arg[arg];
	return of_any(m, operand);
}

static const struct kx *number_of_any(const struct made_for *m,
	const struct kx *const *x)
{
	int64_t *number = region_array(m->mem, int64_t, m->n);
	struct line l;

	for (int i = 0; i < m->n; i++)
		number[i] = x[i]->ivalue;
	return find_line(m, number, &l) ? l.up == 0 ? x[0] :
		plus_line(m, kx_int(m->mem, 0), &l) : NULL;
}

/* The expression that is x[i] for value i; NULL: none was found. */
static const struct kx *of_any(const struct made_for *m,
	const struct kx *const *x)
{
	int64_t *number = region_array(m->mem, int64_t, m->n);
	struct line l;
	struct kx *new;
	bool changed = false;

	if (is_sum(m, x, number) && find_line(m, number, &l)) {
		const struct kx *left = operand_of_any(m, x, 0);

		return !left ? NULL : l.up == 0 && left == x[0]->arg[0] ? x[0] :
			plus_line(m, left, &l);
	}
	for (int i = 1; i < m->n; i++)
		if (!are_alike(x[0], x[i]))
			return NULL;
	if (x[0]->kind == KX_INT)
		return number_of_any(m, x);
	new = region_new_of(m->mem, struct kx);
	*new = *x[0];
	new->arg = region_array(m->mem, const struct kx *, new->n_args);
	for (int i = 0; i < new->n_args; i++) {
		new->arg[i] = operand_of_any(m, x, i);
		if (!new->arg[i])
			return NULL;
		changed = changed || new->arg[i] != x[0]->arg[i];
	}
	return changed ? new : x[0];
}

/* Statements -------------------------------------------------------------- */

static bool are_same_statements(const struct ks *a, const struct ks *b)
{
	return a->kind == b->kind && same_name(a->name, b->name) &&
		ctype_same(a->c_type, b->c_type) && a->scope == b->scope &&
		a->braces == b->braces && a->is_shared == b->is_shared &&
		a->offset == b->offset && !a->further == !b->further &&
		a->unroll == b->unroll && a->unroll_by == b->unroll_by &&
		a->n_x == b->n_x && a->n_children == b->n_children;
}

static struct ks *statement_of_any(const struct made_for *m,
	struct ks *const *s)
{
	const struct kx **x = region_array(m->mem, const struct kx *, m->n);
	struct ks **child = region_array(m->mem, struct ks *, m->n), *new;

	for (int i = 1; i < m->n; i++)
		if (!are_same_statements(s[0], s[i]))
			return NULL;
	new = region_new_of(m->mem, struct ks);
	*new = *s[0];
	new->x = region_array(m->mem, const struct kx *, new->n_x);
	new->child = region_array(m->mem, struct ks *, new->n_children);
	new->capacity = new->n_children;
	for (int k = 0; k < new->n_x; k++) {
		for (int i = 0; i < m->n; i++)
			x[i] = s[i]->x[k];
		new->x[k] = x[0] ? of_any(m, x) : NULL;
		if (x[0] && !new->x[k])
			return NULL;
	}
	for (int i = 0; i < m->n; i++)
		x[i] = s[i]->further;
	if (new->further && !(new->further = of_any(m, x)))
		return NULL;
	for (int k = 0; k < new->n_children; k++) {
		for (int i = 0; i < m->n; i++)
			child[i] = s[i]->child[k];
		new->child[k] = statement_of_any(m, child);
		if (!new->child[k])
			return NULL;
	}
	return new;
}

/* Functions --------------------------------------------------------------- */

struct kfunc *kfunc_of_any(const struct made_for *m)
{
	const struct kfunc *widest = m->of[m->n - 1];
	struct ks **body = region_array(m->mem, struct ks *, m->n);
	struct kfunc *f = region_new_of(m->mem, struct kfunc);

	*f = *widest;
	f->param = region_array(m->mem, struct kparam, f->n_params + 1);
	f->capacity = f->n_params + 1;
	if (f->n_params > 0)
		memcpy(f->param, widest->param, sizeof(*f->param) *
			(size_t) f->n_params);
	for (int i = 0; i < m->n; i++) {
		if (m->of[i]->n_params != f->n_params ||
		    m->of[i]->dynamic_bytes != f->dynamic_bytes)
			return NULL;
		body[i] = m->of[i]->body;
	}
	f->body = statement_of_any(m, body);
	if (!f->body)
		return NULL;
	kfunc_add_int(m->mem, f, m->name);
	return f;
}
