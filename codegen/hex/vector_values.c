/* Cell values as vector values: which expressions vectors compute, and where their lanes come
 * from.
 */
#include <string.h>

#include "codegen/hex/vectors.h"

bool vector_is_shifted(const struct kx *x, const struct kx *from, int *offset)
{
	*offset = 0;
	if (x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB) &&
	    x->arg[1]->kind == KX_INT) {
		*offset = (int) (x->op == OP_ADD ? x->arg[1]->ivalue :
			-x->arg[1]->ivalue);
		x = x->arg[0];
	}
	return kx_same(x, from);
}

bool vector_varies(const struct cpu_hex *h, const struct kx *x)
{
	if ((x->kind == KX_INDEX || x->kind == KX_CELL) && !kx_is_element(x))
		return true;
	for (int d = 0; x->kind == KX_NAME && d < h->n_dims; d++)
		if (!strcmp(x->name, h->names->point[d]))
			return true;
	for (int i = 0; i < x->n_args; i++)
		if (vector_varies(h, x->arg[i]))
			return true;
	return false;
}

bool vector_is_arithmetic(const struct kx *x)
{
	if (x->kind == KX_UNARY)
		return x->op == OP_NEG;
	if (x->kind == KX_MATH)
		return x->op == OP_SQRT;
	return x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB ||
		x->op == OP_MUL || x->op == OP_DIV);
}

bool vector_is_at_point(const struct cpu_hex *x, const struct kx *cell)
{
	if (cell->kind != KX_INDEX || cell->n_args != x->n_dims)
		return false;
	for (int d = 0; d < x->n_dims; d++)
		if (cell->arg[d]->kind != KX_NAME || strcmp(cell->arg[d]->name,
			x->names->point[d]) != 0)
			return false;
	return true;
}

/* What the number is; -1: "x" is none, or negative. */
static double number(const struct kx *x)
{
	double value = x->kind == KX_INT ? (double) x->ivalue :
		x->kind == KX_REAL ? x->rvalue : -1;

	return value >= 0 ? value : -1;
}

static bool is_square(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_MUL &&
		kx_same(x->arg[0], x->arg[1]);
}

/* Is it never below "least", which is not below 0, unless it is no number?  Rounded sums of what
 * is not negative are not below their terms.
 */
static bool is_at_least(const struct kx *x, double least)
{
	if (x->kind == KX_BINARY && x->op == OP_ADD)
		return (is_at_least(x->arg[0], least) &&
				is_at_least(x->arg[1], 0)) ||
			(is_at_least(x->arg[0], 0) &&
				is_at_least(x->arg[1], least));
	return number(x) >= least || (least <= 0 && is_square(x));
}

bool vector_is_large_root(const struct kx *x)
{
	return x->kind == KX_MATH && x->op == OP_SQRT && is_at_least(x->arg[0],
		x->type == TYPE_FLOAT ? LEAST_OF_ROOT_OF_FLOATS :
		LEAST_OF_ROOT_OF_DOUBLES);
}

bool vector_is_over_root(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_DIV &&
		number(x->arg[0]) == 1 && x->type == x->arg[1]->type &&
		vector_is_large_root(x->arg[1]);
}

int vector_nodes(const struct kx *x)
{
	int n = 1;

	for (int i = 0; i < x->n_args && n <= MOST_VECTOR_NODES; i++)
		n += vector_nodes(x->arg[i]);
	return n;
}

const struct kx *vector_moved(struct region *r, const struct kx *x,
	const char *name, const struct kx *at, int64_t by)
{
	struct kx *copy;

	if (!kx_uses(x, name))
		return x;
	if (x->kind == KX_NAME)
		return kx_add(r, at, by);
	if (x->kind == KX_BINARY && x->arg[0]->kind == KX_NAME &&
	    x->arg[1]->kind == KX_INT && (x->op == OP_ADD || x->op == OP_SUB))
		return kx_add(r, at, by + (x->op == OP_ADD ? 1 : -1) *
			x->arg[1]->ivalue);
	copy = region_new_of(r, struct kx);
	*copy = *x;
	copy->arg = region_array(r, const struct kx *, x->n_args);
	for (int i = 0; i < x->n_args; i++)
		copy->arg[i] = vector_moved(r, x->arg[i], name, at, by);
	return copy;
}

struct ctype vector_type_of(const struct cpu_hex *x)
{
	return (struct ctype) { .lanes = LANES_OF_PROCESSOR, .scalar =
		scalar_of(x->c.stmt->stmt->write->field->type) };
}

struct kx *vector_operation(const struct cpu_hex *x, const struct kx *value)
{
	struct kx *copy = region_new_of(x->h->mem, struct kx);

	*copy = *value;
	copy->arg = region_array(x->h->mem, const struct kx *, copy->n_args);
	if (value->kind == KX_MATH) {
		copy->kind = KX_BUILTIN;
		copy->builtin = vector_is_large_root(value) ?
			B_LARGE_ROOT_LANES : B_ROOT_LANES;
		copy->c_type = vector_type_of(x);
	}
	return copy;
}

static const char *one_name(const struct cpu_hex *x)
{
	return fresh_name(x->h->mem, x->h->prog, "one");
}

static bool is_of_vectors(const struct cpu_hex *h, const struct kx *value)
{
	for (int i = 0; i < value->n_args; i++)
		if (!vector_varies(h, value->arg[i]))
			return false;
	return true;
}

const struct kx *vector_shared_out(const struct cpu_hex *h,
	const struct kx *value, const struct kx *x, struct vector_units *units)
{
	struct region *r = h->h->mem;
	struct kx *fused;

	if (!units || value->kind != KX_BINARY || value->op == OP_DIV)
		return x;
	if (value->op == OP_MUL || units->sums <= units->products ||
	    !is_of_vectors(h, value)) {
		units->sums += value->op != OP_MUL;
		units->products += value->op == OP_MUL;
		return x;
	}
	units->products++;
	units->fused = true;
	fused = kx_builtin(r, value->op == OP_ADD ? B_FUSED_SUM_LANES :
		B_FUSED_DIFFERENCE_LANES, 3, x->arg[0], x->arg[1], kx_name(r,
			one_name(h)));
	fused->c_type = vector_type_of(h);
	return fused;
}

void vector_declare_one(const struct cpu_hex *x, const struct vector_units *units,
	struct ks *block)
{
	struct region *r = x->h->mem;
	struct ctype type = vector_type_of(x);
	struct kx *one = kx_builtin(r, B_ONE_LANES, 0);

	if (!units->fused)
		return;
	one->c_type = type;
	type.is_const = true;
	ks_add(r, block, ks_declare(r, type, one_name(x), one));
}

const struct kx *vector_number(const struct cpu_hex *x, const struct kx *value)
{
	enum type type = x->c.stmt->stmt->write->field->type;
	struct region *r = x->h->mem;
	struct kx *real;

	if (value->type == type)
		return value;
	if (value->kind != KX_INT)
		return kx_cast(r, ctype_of(type), value);
	real = kx_of_kind(r, KX_REAL, NULL, 0, NULL);
	real->type = type;
	real->rvalue = (double) value->ivalue;
	return real;
}

const struct kx *vector_lanes(const struct cpu_hex *x)
{
	const struct host *h = x->h;
	const struct ctype cell =
		ctype_of(x->c.stmt->stmt->write->field->type);

	return kx_cast(h->mem, ctype(CT_INT), op(h, OP_DIV, kx_sizeof(h->mem,
		vector_type_of(x)), kx_sizeof(h->mem, cell)));
}

/* "x" with "value" in place of the name. */
static const struct kx *replaced(struct region *r, const struct kx *x,
	const char *name, const struct kx *value)
{
	struct kx *copy;

	if (x->kind == KX_NAME && !strcmp(x->name, name))
		return value;
	if (!kx_uses(x, name))
		return x;
	copy = region_new_of(r, struct kx);
	*copy = *x;
	copy->arg = region_array(r, const struct kx *, x->n_args);
	for (int i = 0; i < x->n_args; i++)
		copy->arg[i] = replaced(r, x->arg[i], name, value);
	return copy;
}

const struct ks *vector_assignment(struct region *r, const struct ks *s)
{
	const struct kx *to, *value;
	const struct ks *last;

	if (s->kind == KS_ASSIGN)
		return s;
	if (s->kind != KS_BLOCK || s->n_children == 0)
		return NULL;
	last = only_child(s->child[s->n_children - 1]);
	if (last->kind != KS_ASSIGN)
		return NULL;
	to = last->x[0];
	value = last->x[1];
	for (int i = s->n_children - 2; i >= 0; i--) {
		const struct ks *local = s->child[i];

		if (local->kind != KS_DECLARE || local->n_x == 0)
			return NULL;
		to = replaced(r, to, local->name, local->x[0]);
		value = replaced(r, value, local->name, local->x[0]);
		if (vector_nodes(value) > MOST_VECTOR_NODES)
			return NULL;
	}
	return ks_assign(r, to, value);
}
