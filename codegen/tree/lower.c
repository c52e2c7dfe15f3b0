#include "codegen/tree/lower.h"

const struct kx *kx_promoted(struct region *r, const struct kx *a)
{
	enum type type = type_promoted(a->type);
	struct kx *x;

	if (type == a->type)
		return a;
	x = kx_cast(r, ctype_of(type), a);
	x->type = type;
	return x;
}

const struct kx *kx_stored(struct region *r, enum type type,
	const struct kx *a)
{
	struct kx *x;

	if (type == type_promoted(type))
		return a;
	x = kx_cast(r, ctype_of(type), a);
	x->type = type;
	return x;
}

static const struct kx *literal(struct region *r, const struct expr *e)
{
	struct kx *x = kx_of_kind(r, e->kind == EXPR_INT ? KX_INT : KX_REAL,
		e->spelling, 0, NULL);

	x->type = e->type;
	x->ivalue = e->ivalue;
	x->rvalue = e->rvalue;
	return x;
}

static const struct kx *parameter(struct region *r, const struct param *p)
{
	struct kx *x;

	if (!p->fixed) {
		x = kx_name(r, p->name);
	} else if (p->type == TYPE_INT) {
		x = kx_int(r, p->ivalue);
	} else {
		x = kx_of_kind(r, KX_REAL, NULL, 0, NULL);
		x->rvalue = p->rvalue;
	}
	x->type = p->type;
	return x;
}

/* The user's t: the normalised time plus "begin". */
static const struct kx *user_time(const struct binding *b)
{
	return kx_binary(b->mem, OP_ADD, b->time,
		kx_of_expr(b, b->prog->begin));
}

/* Is "x" the value of the cast "e" already?  Registers may have a number of 16 bits as a float. */
static bool is_promoted(const struct expr *e, const struct kx *x)
{
	enum type type = e->arg[0]->type;

	return !type_is_integer(e->type) && e->type == type_promoted(type) &&
		x->type == e->type && x->type != type;
}

/* The number "x" of 16 bits, which may be in a register as a float, for a choice of "type". */
static const struct kx *as_chosen(const struct binding *b, enum type type,
	const struct kx *x)
{
	bool differs = x->type != type && x->type == type_promoted(type);

	return type_is_integer(type) || !differs ? x :
		kx_stored(b->mem, type, x);
}

static const struct kx *operation_on(const struct binding *b,
	const struct expr *e)
{
	const struct kx *arg[3] = { NULL };
	struct kx *x;

	for (int i = 0; i < e->n_args; i++)
		arg[i] = kx_of_expr(b, e->arg[i]);
	switch (e->kind) {
	case EXPR_UNARY:
		x = kx_of_kind(b->mem, KX_UNARY, NULL, 1, arg);
		break;
	case EXPR_BINARY:
		x = kx_of_kind(b->mem, KX_BINARY, NULL, 2, arg);
		break;
	case EXPR_SELECT:
		for (int i = 1; i < 3; i++)
			arg[i] = as_chosen(b, e->type, arg[i]);
		x = kx_of_kind(b->mem, KX_SELECT, NULL, 3, arg);
		break;
	case EXPR_CAST:
		if (is_promoted(e, arg[0]))
			return arg[0];
		x = kx_cast(b->mem, ctype_of(e->type), arg[0]);
		break;
	default:
		x = kx_of_kind(b->mem, KX_MATH, NULL, e->n_args, arg);
		break;
	}
	x->op = e->op;
	x->type = e->type;
	x->of = e;
	return x;
}

static const struct kx *operation(const struct binding *b,
	const struct expr *e)
{
	const struct kx *x = b->known ? b->known(b, e) : NULL;

	if (!x && !b->exact)
		x = kx_approximated(b, e);
	return x ? x : operation_on(b, e);
}

/* The value read; it remembers which read of the program it is. */
static const struct kx *value_read(const struct binding *b,
	const struct expr *e)
{
	struct kx *x = region_new_of(b->mem, struct kx);

	*x = *b->read(b, e->access);
	x->of = e;
	return x;
}

/* (at0 * size1 + at1) * .., in size_t */
static const struct kx *index_in_row(const struct binding *b,
	const struct field *f, const struct kx *const *at)
{
	const struct kx *index = kx_cast(b->mem, ctype(CT_SIZE), at[0]);

	for (int d = 1; d < f->n_dims; d++)
		index = kx_binary(b->mem, OP_ADD, kx_binary(b->mem, OP_MUL,
			index, kx_of_expr(b, f->size[d])), at[d]);
	return index;
}

/* field[time + 1], say */
static const struct kx *element(const struct binding *b, const struct expr *e)
{
	const struct kx *arg[EXPR_MAX_ARGS];
	struct kx *x;
	int n = e->n_args;

	for (int i = 0; i < n; i++)
		arg[i] = kx_of_expr(b, e->arg[i]);
	if (b->element == ELEMENT_OF_ROW) {
		arg[0] = index_in_row(b, e->field, arg);
		n = 1;
	}
	x = kx_of_kind(b->mem, b->element == ELEMENT_OF_CELLS ? KX_CELL :
		KX_INDEX, e->field->name, n, arg);
	x->field = e->field;
	x->type = e->type;
	/* At a point of a list the value differs from point to point. */
	x->of = b->number ? NULL : e;
	return x;
}

const struct kx *kx_of_expr(const struct binding *b, const struct expr *e)
{
	const struct kx *known;
	struct kx *x;

	switch (e->kind) {
	case EXPR_INT:
	case EXPR_REAL:
		return literal(b->mem, e);
	case EXPR_PARAM:
		return parameter(b->mem, e->param);
	case EXPR_INDEX:
		return b->point[e->dim];
	case EXPR_TIME:
		return user_time(b);
	case EXPR_NUMBER:
		return b->number;
	case EXPR_OWN:
		return b->own;
	case EXPR_READ:
		return value_read(b, e);
	case EXPR_ELEMENT:
		known = b->known ? b->known(b, e) : NULL;
		return known ? known : element(b, e);
	case EXPR_LOCAL:
		x = kx_name(b->mem, e->local->name);
		x->type = e->type;
		return x;
	default:
		return operation(b, e);
	}
}
