#include <stdarg.h>
#include <string.h>

#include "codegen/tree/tree.h"

static struct kx *kx_new(struct region *r, enum kx_kind kind, int n_args)
{
	struct kx *x = region_new_of(r, struct kx);

	x->kind = kind;
	x->type = TYPE_INT;
	x->n_args = n_args;
	if (n_args > 0)
		x->arg = region_array(r, const struct kx *, n_args);
	return x;
}

struct kx *kx_int(struct region *r, int64_t value)
{
	struct kx *x = kx_new(r, KX_INT, 0);

	x->ivalue = value;
	return x;
}

struct kx *kx_name(struct region *r, const char *name)
{
	struct kx *x = kx_new(r, KX_NAME, 0);

	x->name = name;
	return x;
}

bool kx_is_int(const struct kx *x, int64_t value)
{
	return x->kind == KX_INT && x->ivalue == value;
}

bool kx_is_element(const struct kx *x)
{
	return x->of && x->of->kind == EXPR_ELEMENT;
}

struct kx *kx_unary(struct region *r, enum op op, const struct kx *a)
{
	struct kx *x = kx_new(r, KX_UNARY, 1);

	if (op == OP_NEG && a->kind == KX_INT)
		return kx_int(r, -a->ivalue);
	x->op = op;
	x->type = a->type;
	x->arg[0] = a;
	return x;
}

static bool fold(enum op op, int64_t a, int64_t b, int64_t *value)
{
	switch (op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_MOD:
		return op_on_integers(op, a, b, value);
	case OP_DIV:
		return a >= 0 && b > 0 && op_on_integers(op, a, b, value);
	default:
		return op_compare(op, a, b, value);
	}
}

static bool is_sum_with_constant(const struct kx *x)
{
	return x->kind == KX_BINARY && x->type == TYPE_INT &&
		(x->op == OP_ADD || x->op == OP_SUB) &&
		x->arg[1]->kind == KX_INT;
}

struct kx *kx_add(struct region *r, const struct kx *a, int64_t b)
{
	struct kx *x;

	if (a->kind == KX_INT)
		return kx_int(r, a->ivalue + b);
	if (is_sum_with_constant(a)) {
		b += a->op == OP_ADD ? a->arg[1]->ivalue : -a->arg[1]->ivalue;
		a = a->arg[0];
	}
	if (b == 0)
		return (struct kx *) a;
	x = kx_new(r, KX_BINARY, 2);
	if (b > 0 && a->kind == KX_UNARY && a->op == OP_NEG) {
		x->op = OP_SUB;
		x->arg[0] = kx_int(r, b);
		x->arg[1] = a->arg[0];
		return x;
	}
	x->op = b > 0 ? OP_ADD : OP_SUB;
	x->arg[0] = a;
	x->arg[1] = kx_int(r, b > 0 ? b : -b);
	return x;
}

static bool is_difference(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_SUB;
}

/* a + b or a - b, constants gathered at the end. */
static struct kx *integer_sum(struct region *r, enum op op,
	const struct kx *a, const struct kx *b)
{
	int64_t constant = 0;
	struct kx *x;

	if (b->kind == KX_INT)
		return kx_add(r, a, op == OP_ADD ? b->ivalue : -b->ivalue);
	if (a->kind == KX_INT && op == OP_ADD)
		return kx_add(r, b, a->ivalue);
	if (is_sum_with_constant(a)) {
		constant = a->op == OP_ADD ? a->arg[1]->ivalue :
			-a->arg[1]->ivalue;
		a = a->arg[0];
	}
	if (is_sum_with_constant(b) && op == OP_ADD) {
		constant += b->op == OP_ADD ? b->arg[1]->ivalue :
			-b->arg[1]->ivalue;
		b = b->arg[0];
	}
	x = kx_new(r, KX_BINARY, 2);
	x->op = op;
	x->arg[0] = a;
	x->arg[1] = b;
	if (op == OP_ADD && is_difference(b)) {
		x->arg[1] = b->arg[0];
		x = integer_sum(r, OP_SUB, x, b->arg[1]);
	}
	return kx_add(r, x, constant);
}

struct kx *kx_binary(struct region *r, enum op op, const struct kx *a,
	const struct kx *b)
{
	bool integers = a->type == TYPE_INT && b->type == TYPE_INT;
	int64_t value;
	struct kx *x;

	if (a->kind == KX_INT && b->kind == KX_INT &&
	    fold(op, a->ivalue, b->ivalue, &value))
		return kx_int(r, value);
	if (integers && (op == OP_ADD || op == OP_SUB))
		return integer_sum(r, op, a, b);
	if (integers && op == OP_MUL && kx_is_int(a, 1))
		return (struct kx *) b;
	if (integers && (op == OP_MUL || op == OP_DIV) && kx_is_int(b, 1))
		return (struct kx *) a;
	if (integers && op == OP_MUL && (kx_is_int(a, 0) || kx_is_int(b, 0)))
		return kx_int(r, 0);
	if (integers && op == OP_MOD && kx_is_int(b, 1))
		return kx_int(r, 0);
	x = kx_new(r, KX_BINARY, 2);
	x->op = op;
	x->type = a->type > b->type ? a->type : b->type;
	if (op_is_comparison(op))
		x->type = TYPE_INT;
	x->arg[0] = a;
	x->arg[1] = b;
	return x;
}

struct kx *kx_and(struct region *r, const struct kx *a, const struct kx *b)
{
	if (!a)
		return (struct kx *) b;
	if (!b)
		return (struct kx *) a;
	return kx_binary(r, OP_AND, a, b);
}

struct kx *kx_subscript(struct region *r, const struct access *acc, int d,
	const struct kx *x)
{
	int64_t stride = acc->stride[d], offset = acc->offset[d];
	int64_t by = acc->divisor[d];

	if (by != 1)
		return kx_add(r, kx_binary(r, OP_DIV, kx_add(r, kx_binary(r,
			OP_MUL, kx_int(r, stride), x), floor_mod(offset, by)),
			kx_int(r, by)), floor_div(offset, by));
	if (is_sum_with_constant(x)) {
		offset += stride * (x->op == OP_ADD ? x->arg[1]->ivalue :
			-x->arg[1]->ivalue);
		x = x->arg[0];
	}
	return kx_add(r, kx_binary(r, OP_MUL, kx_int(r, stride), x), offset);
}

struct kx *kx_end(struct region *r, const struct kx *size, int64_t less,
	int64_t stride)
{
	int64_t shift = less + 1 > 0 ? ceil_div(less + 1, stride) : 0;

	if (stride == 1)
		return kx_add(r, size, -less);
	size = kx_add(r, size, stride * shift - less - 1);
	return kx_add(r, kx_binary(r, OP_DIV, size, kx_int(r, stride)),
		1 - shift);
}

struct kx *kx_builtin(struct region *r, enum builtin builtin, int n_args, ...)
{
	struct kx *x = kx_new(r, KX_BUILTIN, n_args);
	va_list args;

	x->builtin = builtin;
	va_start(args, n_args);
	for (int i = 0; i < n_args; i++)
		x->arg[i] = va_arg(args, const struct kx *);
	va_end(args);
	return x;
}

/* "x" is "of" (NULL: 0) and a number. */
static int64_t number_beside(const struct kx *x, const struct kx **of)
{
	*of = x->kind == KX_INT ? NULL : x;
	if (x->kind == KX_INT)
		return x->ivalue;
	if (!is_sum_with_constant(x))
		return 0;
	*of = x->arg[0];
	return x->op == OP_ADD ? x->arg[1]->ivalue : -x->arg[1]->ivalue;
}

/* The one of "a" and "b" that is the extreme, as both are the same but for a number; or NULL. */
static const struct kx *known_extreme(enum builtin builtin, const struct kx *a,
	const struct kx *b)
{
	const struct kx *of_a, *of_b;
	int64_t a_more = number_beside(a, &of_a) - number_beside(b, &of_b);

	if (!of_a != !of_b || (of_a && !kx_same(of_a, of_b)))
		return NULL;
	return (builtin == B_MIN) == (a_more < 0) ? a : b;
}

/* Without a call where it is known which of the two it is. */
static struct kx *extreme(struct region *r, enum builtin builtin,
	const struct kx *a, const struct kx *b)
{
	const struct kx *known = known_extreme(builtin, a, b);
	const bool is_chain = a->kind == KX_BUILTIN && a->builtin == builtin;

	for (int i = 0; !known && is_chain && i < 2; i++) {
		known = known_extreme(builtin, a->arg[i], b);
		if (known == a->arg[i])
			known = a;
		else if (known)
			known = extreme(r, builtin, a->arg[1 - i], b);
	}
	return known ? (struct kx *) known : kx_builtin(r, builtin, 2, a, b);
}

struct kx *kx_min(struct region *r, const struct kx *a, const struct kx *b)
{
	return extreme(r, B_MIN, a, b);
}

struct kx *kx_max(struct region *r, const struct kx *a, const struct kx *b)
{
	return extreme(r, B_MAX, a, b);
}

struct kx *kx_axis(struct region *r, enum builtin builtin, int axis)
{
	struct kx *x = kx_builtin(r, builtin, 0);

	x->ivalue = axis;
	return x;
}

struct kx *kx_extents(struct region *r, int n, const struct kx *const *extent)
{
	struct kx *x = kx_of_kind(r, KX_BUILTIN, NULL, n, extent);

	x->builtin = B_EXTENTS;
	return x;
}

struct kx *kx_move(struct region *r, enum builtin builtin, enum type type,
	int n, const struct kx *to, const struct kx *from)
{
	struct kx *x = kx_builtin(r, builtin, 2, to, from);

	x->c_type = (struct ctype) { .scalar = scalar_of(type), .lanes = n };
	return x;
}

struct kx *kx_of_kind(struct region *r, enum kx_kind kind, const char *name,
	int n_args, const struct kx *const *args)
{
	struct kx *x = kx_new(r, kind, n_args);

	x->name = name;
	for (int i = 0; i < n_args; i++)
		x->arg[i] = args[i];
	return x;
}

struct kx *kx_select(struct region *r, const struct kx *condition,
	const struct kx *a, const struct kx *b)
{
	const struct kx *arg[3] = { condition, a, b };

	return kx_of_kind(r, KX_SELECT, NULL, 3, arg);
}

struct kx *kx_cast(struct region *r, struct ctype c_type, const struct kx *a)
{
	struct kx *x = kx_new(r, KX_CAST, 1);

	x->c_type = c_type;
	x->arg[0] = a;
	return x;
}

struct kx *kx_sizeof(struct region *r, struct ctype c_type)
{
	struct kx *x = kx_new(r, KX_SIZEOF, 0);

	x->c_type = c_type;
	return x;
}

const struct kx *kx_address(struct region *r, const struct kx *a)
{
	if (a->kind == KX_BUILTIN && a->builtin == B_DEREFERENCE)
		return a->arg[0];
	return kx_of_kind(r, KX_ADDRESS, NULL, 1, &a);
}

struct kx *kx_member(struct region *r, const struct kx *a, const char *name)
{
	return kx_of_kind(r, KX_MEMBER, name, 1, &a);
}

/* Statements ------------------------------------------------------------ */

struct ks *ks_simple(struct region *r, enum ks_kind kind)
{
	struct ks *s = region_new_of(r, struct ks);

	s->kind = kind;
	return s;
}

struct ks *ks_block(struct region *r)
{
	return ks_simple(r, KS_BLOCK);
}

struct ks *ks_scope(struct region *r)
{
	struct ks *s = ks_block(r);

	s->scope = true;
	return s;
}

struct ks *ks_add(struct region *r, struct ks *block, struct ks *child)
{
	if (block->n_children == block->capacity) {
		int capacity = block->capacity ? 2 * block->capacity : 8;
		struct ks **grown = region_array(r, struct ks *, capacity);

		if (block->n_children)
			memcpy(grown, block->child,
				sizeof(*grown) * (size_t) block->n_children);
		block->child = grown;
		block->capacity = capacity;
	}
	block->child[block->n_children++] = child;
	return child;
}

static struct ks *with_operands(struct region *r, enum ks_kind kind, int n,
	...)
{
	struct ks *s = ks_simple(r, kind);
	va_list args;

	s->n_x = n;
	s->x = region_array(r, const struct kx *, n);
	va_start(args, n);
	for (int i = 0; i < n; i++)
		s->x[i] = va_arg(args, const struct kx *);
	va_end(args);
	return s;
}

struct ks *ks_declare(struct region *r, struct ctype c_type, const char *name,
	const struct kx *value)
{
	struct ks *s = with_operands(r, KS_DECLARE, value ? 1 : 0, value);

	s->c_type = c_type;
	s->name = name;
	return s;
}

struct ks *ks_array(struct region *r, struct ctype c_type, const char *name,
	int n, const int *extent, bool is_shared, int64_t offset)
{
	struct ks *s = ks_simple(r, KS_ARRAY);

	s->c_type = c_type;
	s->name = name;
	s->is_shared = is_shared;
	s->offset = offset;
	s->n_x = n;
	s->x = region_array(r, const struct kx *, n);
	for (int i = 0; i < n; i++)
		s->x[i] = kx_int(r, extent[i]);
	return s;
}

struct ks *ks_list(struct region *r, struct ctype c_type, const char *name,
	int n, const struct kx *const *x)
{
	struct ks *s = ks_simple(r, KS_LIST);

	s->c_type = c_type;
	s->name = name;
	s->n_x = n;
	s->x = region_array(r, const struct kx *, n);
	for (int i = 0; i < n; i++)
		s->x[i] = x[i];
	return s;
}

struct ks *ks_assign(struct region *r, const struct kx *to,
	const struct kx *value)
{
	return with_operands(r, KS_ASSIGN, 2, to, value);
}

struct ks *ks_for(struct region *r, const char *name, const struct kx *first,
	const struct kx *condition, const struct kx *step, struct ks *body)
{
	struct ks *s = with_operands(r, KS_FOR, 3, first, condition, step);

	s->name = name;
	ks_add(r, s, body);
	return s;
}

struct ks *ks_if(struct region *r, const struct kx *condition,
	struct ks *then_body, struct ks *else_body)
{
	struct ks *s = with_operands(r, KS_IF, 1, condition);

	ks_add(r, s, then_body);
	if (else_body)
		ks_add(r, s, else_body);
	return s;
}

struct ks *ks_expression(struct region *r, enum ks_kind kind,
	const struct kx *x)
{
	return with_operands(r, kind, 1, x);
}

struct ks *ks_directive(struct region *r, struct directive directive)
{
	struct ks *s = ks_simple(r, KS_DIRECTIVE);

	s->directive = directive;
	return s;
}

struct ks *ks_comment(struct region *r, const char *fmt, ...)
{
	struct ks *s = ks_simple(r, KS_COMMENT);
	struct text t = { 0 };
	va_list args;

	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	s->name = region_strdup(r, t.bytes);
	text_free(&t);
	return s;
}

/* Uses ------------------------------------------------------------------ */

bool kx_uses(const struct kx *x, const char *name)
{
	bool is_variable = x->kind != KX_REAL && x->kind != KX_MEMBER;

	if (x->name && is_variable && !strcmp(x->name, name))
		return true;
	for (int i = 0; i < x->n_args; i++)
		if (kx_uses(x->arg[i], name))
			return true;
	return false;
}

static bool are_alike(const struct kx *a, const struct kx *b)
{
	return a->kind == b->kind && a->op == b->op &&
		a->builtin == b->builtin &&
		a->ivalue == b->ivalue && a->rvalue == b->rvalue &&
		a->n_args == b->n_args && same_name(a->name, b->name) &&
		ctype_same(a->c_type, b->c_type);
}

bool kx_same_head(const struct kx *a, const struct kx *b)
{
	return are_alike(a, b) && a->type == b->type && a->field == b->field;
}

bool kx_same(const struct kx *a, const struct kx *b)
{
	bool same = are_alike(a, b);

	for (int i = 0; same && i < a->n_args; i++)
		same = kx_same(a->arg[i], b->arg[i]);
	return same;
}

bool ks_uses(const struct ks *s, const char *name)
{
	for (int i = 0; i < s->n_x; i++)
		if (kx_uses(s->x[i], name))
			return true;
	for (int i = 0; i < s->n_children; i++)
		if (ks_uses(s->child[i], name))
			return true;
	return false;
}

bool ks_assigns(const struct ks *s, const char *name)
{
	if (s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
	    !strcmp(s->x[0]->name, name))
		return true;
	for (int i = 0; i < s->n_children; i++)
		if (ks_assigns(s->child[i], name))
			return true;
	return false;
}

/* Values in place of names ------------------------------------------- */

/* 0 or 1? */
static bool is_truth(const struct kx *x)
{
	return (x->kind == KX_BINARY && op_is_comparison(x->op)) ||
		(x->kind == KX_UNARY && x->op == OP_NOT);
}

static struct kx *with_and_or(struct region *r, enum op op,
	const struct kx *a, const struct kx *b)
{
	const struct kx *number = a->kind == KX_INT ? a : b;
	const struct kx *other = number == a ? b : a;

	if (number->kind != KX_INT)
		return kx_binary(r, op, a, b);
	if ((op == OP_AND) != (number->ivalue != 0))
		return kx_int(r, op == OP_OR);
	return is_truth(other) ? (struct kx *) other :
		kx_binary(r, OP_NE, other, kx_int(r, 0));
}

/* The same with "value" in place of the variable "name". */
static const struct kx *kx_with(struct region *r, const struct kx *x,
	const char *name, const struct kx *value)
{
	struct kx *new;

	if (!kx_uses(x, name))
		return x;
	if (x->kind == KX_NAME)
		return value;
	new = kx_new(r, x->kind, x->n_args);
	*new = *x;
	new->arg = region_array(r, const struct kx *, x->n_args);
	for (int i = 0; i < x->n_args; i++)
		new->arg[i] = kx_with(r, x->arg[i], name, value);
	if (x->kind == KX_BINARY && (x->op == OP_AND || x->op == OP_OR))
		return with_and_or(r, x->op, new->arg[0], new->arg[1]);
	if (x->kind == KX_BINARY)
		return kx_binary(r, x->op, new->arg[0], new->arg[1]);
	if (x->kind == KX_BUILTIN && (x->builtin == B_MIN ||
	    x->builtin == B_MAX))
		return extreme(r, x->builtin, new->arg[0], new->arg[1]);
	if (x->kind == KX_SELECT && new->arg[0]->kind == KX_INT) {
		const struct kx *chosen =
			new->arg[new->arg[0]->ivalue ? 1 : 2];

		return chosen->type == x->type ? chosen : new;
	}
	return new;
}

/* Does a statement of "s" behind number "i" use "name"? */
static bool is_used_behind(const struct ks *s, int i, const char *name)
{
	for (i++; i < s->n_children; i++)
		if (ks_uses(s->child[i], name))
			return true;
	return false;
}

/* Remove variables that "new", made from "s", no longer uses. */
static void drop_declared(struct ks *new, const struct ks *s)
{
	for (int i = s->n_children - 1; i >= 0; i--) {
		const struct ks *declare = s->child[i];

		if (declare->kind != KS_DECLARE ||
		    !is_used_behind(s, i, declare->name) ||
		    is_used_behind(new, i, declare->name))
			continue;
		new->n_children--;
		for (int k = i; k < new->n_children; k++)
			new->child[k] = new->child[k + 1];
	}
}

struct ks *ks_with(struct region *r, struct ks *s, const char *name,
	const struct kx *value)
{
	bool hidden = false;
	struct ks *new;

	if (!ks_uses(s, name))
		return s;
	new = ks_simple(r, s->kind);
	*new = *s;
	new->x = region_array(r, const struct kx *, s->n_x);
	new->child = region_array(r, struct ks *, s->n_children);
	new->capacity = s->n_children;
	for (int i = 0; i < s->n_x; i++)
		new->x[i] = kx_with(r, s->x[i], name, value);
	for (int i = 0; i < s->n_children; i++) {
		hidden = hidden || (s->child[i]->kind == KS_DECLARE &&
			!strcmp(s->child[i]->name, name));
		new->child[i] = hidden ? s->child[i] :
			ks_with(r, s->child[i], name, value);
	}
	drop_declared(new, s);
	if (s->kind == KS_IF && new->x[0]->kind == KX_INT)
		return new->x[0]->ivalue ? new->child[0] :
			s->n_children > 1 ? new->child[1] : ks_block(r);
	return new;
}
