/* Is what the code computes the value of the program's statement?  Trees are
 * compared node by node; what is read, registers, cells and variables, must be what
 * the program reads at the point.
 */
#include <string.h>

#include "verify/code/reads.h"

/* "x" computed at "p"; or before, of what "part" says. */
struct reading {
	struct lanes *l;
	const struct point *p;
	const struct computed *part;
	int next;		/* leaf of the part */
	int moved;		/* iterations since, of its cells */
	bool minus;		/* what is read has its sign turned */
	bool is_so_far;		/* before what lists do */
	const struct access *beyond;	/* .. the value of its boundary, or NULL */
	int dim;		/* .. of this dimension */
	bool is_near;		/* .. and reads an input at an index */
};

static bool same(struct reading *r, const struct kx *x, const struct expr *e);

/* Parts ------------------------------------------------------------------- */

static bool is_register(const struct kx *x)
{
	return x->kind == KX_INDEX && !x->field;
}

static bool is_leaf(const struct kx *x)
{
	return is_register(x) || x->kind == KX_NAME;
}

static bool has_register(const struct kx *x)
{
	bool has = is_register(x);

	for (int i = 0; !has && i < x->n_args; i++)
		has = has_register(x->arg[i]);
	return has;
}

/* Has each name in "x" the meaning that it had where "s" was declared? */
static bool means_the_same(struct lanes *l, const struct named *s,
	const struct kx *x)
{
	const struct named *known = l->known, *now, *then;
	bool same = true;

	if (x->kind == KX_NAME) {
		now = scalar_called(l, x->name);
		l->known = s->next;
		then = scalar_called(l, x->name);
		l->known = known;
		return now == then;
	}
	for (int i = 0; same && i < x->n_args; i++)
		same = means_the_same(l, s, x->arg[i]);
	return same;
}

/* "x" with variables as what they were declared to be, if that is the same here and of no
 * registers.
 */
static const struct kx *with_declared(struct lanes *l, const struct kx *x)
{
	const struct named *v = x->kind == KX_NAME ? scalar_called(l, x->name) :
		NULL;
	struct kx *y;

	if (v && v->kind == OTHER && v->is && !has_register(v->is) &&
	    means_the_same(l, v, v->is))
		return with_declared(l, v->is);
	if (x->n_args == 0)
		return x;
	y = region_new_of(l->w->c->mem, struct kx);
	*y = *x;
	y->arg = region_array(l->w->c->mem, const struct kx *, x->n_args);
	for (int i = 0; i < x->n_args; i++)
		y->arg[i] = with_declared(l, x->arg[i]);
	return y;
}

static int count_leaves(const struct kx *x)
{
	int n = 0;

	if (is_leaf(x))
		return 1;
	for (int i = 0; i < x->n_args; i++)
		n += count_leaves(x->arg[i]);
	return n;
}

static struct leaf leaf_of(struct lanes *l, const struct kx *x)
{
	struct leaf leaf = { .held = { .kind = UNKNOWN } };
	struct place_in_array place;

	if (x->kind == KX_NAME) {
		leaf.is_line = line_of(l, x, &leaf.line, NULL);
		return leaf;
	}
	if (place_of(l, x, &place) && !place.array->is_shared)
		leaf.held = place.array->held[place.first];
	return leaf;
}

static void find_leaves(struct lanes *l, struct computed *part,
	const struct kx *x)
{
	if (is_leaf(x)) {
		part->leaf[part->n++] = leaf_of(l, x);
		return;
	}
	for (int i = 0; i < x->n_args; i++)
		find_leaves(l, part, x->arg[i]);
}

const struct computed *part_of(struct lanes *l, const struct kx *x)
{
	struct computed *part = region_new_of(l->w->c->mem, struct computed);

	part->x = x = with_declared(l, x);
	part->leaf = region_array(l->w->c->mem, struct leaf,
		count_leaves(x) + 1);
	find_leaves(l, part, x);
	return part;
}

/* The line of a leaf that was what it is "-moved" iterations ago, from this one. */
static struct line line_moved(const struct leaf *leaf, int moved)
{
	struct line line = leaf->line;

	line.number += (int64_t) line.by[ITERATION] * moved;
	return line;
}

static bool same_leaf(const struct leaf *a, int moved_a, const struct leaf *b,
	int moved_b)
{
	struct held h = a->held, g = b->held;
	struct line line_a = line_moved(a, moved_a);
	struct line line_b = line_moved(b, moved_b);
	int64_t by;

	h.at[ALONG] += moved_a;
	g.at[ALONG] += moved_b;
	return same_held(&h, &g) && a->is_line == b->is_line &&
		lines_are_apart(&line_a, &line_b, &by) && by == 0;
}

bool same_part(const struct held *a, const struct held *b)
{
	if (a->part->n != b->part->n || !kx_same(a->part->x, b->part->x))
		return false;
	for (int i = 0; i < a->part->n; i++)
		if (!same_leaf(&a->part->leaf[i], a->at[ALONG],
		    &b->part->leaf[i], b->at[ALONG]))
			return false;
	return true;
}

struct held at_iteration(struct lanes *l, struct held h, int n)
{
	struct computed *part;

	if (h.kind != PART)
		return h;
	part = region_new_of(l->w->c->mem, struct computed);
	*part = *h.part;
	part->leaf = region_array(l->w->c->mem, struct leaf, part->n + 1);
	for (int i = 0; i < part->n; i++) {
		struct leaf *leaf = &part->leaf[i];

		*leaf = h.part->leaf[i];
		leaf->line = line_moved(leaf, h.at[ALONG] + n);
		leaf->line.by[ITERATION] = 0;
	}
	h.part = part;
	return h;
}

/* Reads ------------------------------------------------------------------- */

static bool is_state(const struct field *f)
{
	return f->kind == FIELD_STATE;
}

static bool holds_what_is_read(struct reading *r, const struct access *acc,
	struct held h)
{
	int by[IR_MAX_DIMS], version = is_state(acc->field) ?
		r->p->step + acc->version : 0;

	if (h.kind != CELL || h.field != acc->field || h.version != version ||
	    !is_in_strip(r->l, &h, r->p))
		return false;
	for (int d = 0; d < acc->field->n_dims; d++) {
		int axis = axis_of_dim(r->l, d);

		by[d] = h.at[axis] - r->p->cell.at[axis];
	}
	return reads_cell_at(r->l, r->p, acc, by, r->minus);
}

/* Conditions may exclude that the lane's column comes to an edge. */
static bool reads_held(struct reading *r, const struct access *acc,
	struct held h)
{
	return holds_what_is_read(r, acc, h) || is_never_there(r->l, r->p);
}

/* Is "x" the value of "b", the boundary of dimension "d", for what "acc" reads? */
static bool is_value_beyond(const struct reading *r, const struct kx *x,
	const struct access *acc, const struct boundary *b, int d)
{
	struct reading value = *r;

	value.beyond = acc;
	value.dim = d;
	value.is_near = boundary_reads_at_index(b);
	return same(&value, x, b->value);
}

/* Sides of "acc" at which "x" is the value of the boundary. */
static unsigned boundaries_with(struct reading *r, const struct access *acc,
	const struct kx *x)
{
	unsigned which = 0;

	for (int i = 0; i < SIDES * acc->field->n_dims; i++) {
		const struct boundary *b =
			&acc->field->boundary[i / SIDES][i % SIDES];

		if (b->kind == BOUNDARY_VALUE && is_value_beyond(r, x, acc, b,
		    i / SIDES))
			which |= 1u << i;
	}
	return which;
}

static bool reads_same(struct reading *r, const struct kx *x,
	const struct access *acc);

/* One where the condition holds, else another. */
static bool reads_either(struct reading *r, const struct kx *x,
	const struct access *acc)
{
	struct way way = { .condition = x->arg[0], .before = r->l->way };
	bool right = true;

	r->l->way = &way;
	for (int i = 1; right && i < 3; i++) {
		way.holds = i == 1;
		right = reads_same(r, x->arg[i], acc);
	}
	r->l->way = way.before;
	return right;
}

/* A read with its sign turned. */
static bool reads_minus(struct reading *r, const struct kx *x,
	const struct access *acc)
{
	bool right;

	r->minus = !r->minus;
	right = reads_same(r, x, acc);
	r->minus = !r->minus;
	return right;
}

/* (condition ? 1 : -1) * .. */
static bool has_sign(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_MUL &&
		x->arg[0]->kind == KX_SELECT &&
		kx_is_int(x->arg[0]->arg[1], 1) &&
		kx_is_int(x->arg[0]->arg[2], -1);
}

static bool reads_signed(struct reading *r, const struct kx *x,
	const struct access *acc)
{
	struct way way = { .condition = x->arg[0]->arg[0],
		.before = r->l->way, .holds = true };
	bool right;

	r->l->way = &way;
	right = reads_same(r, x->arg[1], acc);
	way.holds = false;
	right = right && reads_minus(r, x->arg[1], acc);
	r->l->way = way.before;
	return right;
}

static bool reads_same(struct reading *r, const struct kx *x,
	const struct access *acc)
{
	struct lanes *l = r->l;
	struct place_in_array place;
	unsigned which;

	if (is_register(x) && r->part) {
		struct held h = r->part->leaf[r->next++].held;

		h.at[ALONG] += r->moved;
		return reads_held(r, acc, h);
	}
	if (is_register(x) && (!place_of(l, x, &place) ||
	    place.array->is_shared))
		return false;
	if (is_register(x) && place.array->held[place.first].kind != PART)
		return reads_held(r, acc, place.array->held[place.first]);
	if (r->part)
		return false;
	if (x->kind == KX_CELL && !is_state(acc->field))
		return x->field == acc->field && reads_cell(l, r->p, acc, x,
			r->minus);
	which = r->minus ? 0 : boundaries_with(r, acc, x);
	if (which)
		return reads_value(l, r->p, acc, which);
	if (x->kind == KX_UNARY && x->op == OP_NEG)
		return reads_minus(r, x->arg[0], acc);
	if (has_sign(x))
		return reads_signed(r, x, acc);
	return x->kind == KX_SELECT && reads_either(r, x, acc);
}

/* Trees ------------------------------------------------------------------- */

static bool same_arguments(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	bool right = x->n_args == e->n_args;

	for (int i = 0; right && i < x->n_args; i++)
		right = same(r, x->arg[i], e->arg[i]);
	return right;
}

static bool same_parameter(struct reading *r, const struct kx *x,
	const struct param *p)
{
	if (!p->fixed) {
		r->next += r->part != NULL;
		return x->kind == KX_NAME && !strcmp(x->name, p->name);
	}
	return p->type == TYPE_INT ? kx_is_int(x, p->ivalue) :
		x->kind == KX_REAL && x->rvalue == p->rvalue &&
		x->type == p->type;
}

static bool same_index(struct reading *r, const struct kx *x, int d)
{
	int axis = axis_of_dim(r->l, d);
	struct line line, at = line_along(r->l, axis, r->p->cell.at[axis]);
	bool around = false;
	int64_t by;

	if (r->part) {
		const struct leaf *leaf = is_leaf(x) ?
			&r->part->leaf[r->next++] : NULL;

		line = leaf ? line_moved(leaf, r->moved) : at;
		return leaf && leaf->is_line &&
			lines_are_apart(&line, &at, &by) && by == 0;
	}
	if (r->beyond)
		return reads_index(r->l, r->p, r->beyond, r->dim, d,
			r->is_near, x);
	return line_of(r->l, x, &line, &around) &&
		lines_are_apart(&line, &at, &by) && by == 0;
}

/* The variables of "x" are again what they were when the part was computed. */
static void declare_leaves(struct reading *r, const struct kx *x)
{
	if (is_leaf(x)) {
		const struct leaf *leaf = &r->part->leaf[r->next++];

		if (leaf->is_line) {
			struct named *v = declare_scalar(r->l, x->name);

			v->kind = LINE;
			v->line = leaf->line;
		}
		return;
	}
	for (int i = 0; i < x->n_args; i++)
		declare_leaves(r, x->arg[i]);
}

/* The program's time: that of the code plus "begin". */
static bool same_time(struct reading *r, const struct kx *x)
{
	const struct named *known = r->l->known;
	bool same;

	if (r->part)
		declare_leaves(r, x);
	same = is_time(r->l, r->p, x);
	r->l->known = known;
	return same;
}

/* What the variable "x" was declared to be, if that is the same here: no register of it may
 * have been written since; or NULL.
 */
static const struct kx *value_declared(const struct reading *r,
	const struct kx *x)
{
	const struct named *s = scalar_called(r->l, x->name);

	return !r->part && s && s->kind == OTHER && s->is && (s->written ==
		r->l->written || !has_register(s->is)) &&
		means_the_same(r->l, s, s->is) ? s->is : NULL;
}

/* A variable of the code with what it was declared to be. */
static bool same_variable(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	struct named *s = (struct named *) scalar_called(r->l, x->name);

	if (!value_declared(r, x))
		return false;
	if (e->kind != EXPR_LOCAL)
		return same(r, s->is, e);
	if (s->same != e->local && same(r, s->is, e->local->value))
		s->same = e->local;
	return s->same == e->local;
}

static bool same_element(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	return (x->kind == KX_CELL || x->kind == KX_INDEX) &&
		x->field == e->field && same_arguments(r, x, e);
}

/* x * (1 / sqrt(y)) is x / sqrt(y) for GPUs. */
static bool same_over_root(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	const struct expr *a = e->arg[0];

	if (!expr_is_over_root(e) || !r->l->w->c->prog->reassociated)
		return false;
	if (x->kind == KX_BUILTIN && x->builtin == B_OVER_ROOT)
		return ((a->kind == EXPR_INT && a->ivalue == 1) ||
			(a->kind == EXPR_REAL && a->rvalue == 1)) &&
			same(r, x->arg[0], e->arg[1]->arg[0]);
	return x->kind == KX_BINARY && x->op == OP_MUL &&
		x->arg[1]->kind == KX_BUILTIN &&
		x->arg[1]->builtin == B_OVER_ROOT &&
		same(r, x->arg[0], a) &&
		same(r, x->arg[1]->arg[0], e->arg[1]->arg[0]);
}

static bool same_operation(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	static const enum kx_kind kind[] = {
		[EXPR_UNARY] = KX_UNARY, [EXPR_BINARY] = KX_BINARY,
		[EXPR_SELECT] = KX_SELECT, [EXPR_CALL] = KX_MATH,
		[EXPR_CAST] = KX_CAST,
	};

	if (e->kind == EXPR_BINARY && e->op == OP_DIV &&
	    same_over_root(r, x, e))
		return true;
	if (x->kind != kind[e->kind] || x->type != e->type)
		return false;
	if ((e->kind == EXPR_CAST && !ctype_same(x->c_type, ctype_of(
	    e->type))) || (e->kind != EXPR_CAST && e->kind != EXPR_SELECT &&
	    x->op != e->op))
		return false;
	return same_arguments(r, x, e);
}

/* "x" is a register with a value that was computed before. */
static bool same_part_of(struct reading *r, struct held h,
	const struct expr *e)
{
	struct reading of = { .l = r->l, .p = r->p, .part = h.part,
		.moved = r->moved + h.at[ALONG], .is_so_far = true };

	return same(&of, h.part->x, e);
}

static bool is_part(struct reading *r, const struct kx *x, struct held *h)
{
	struct place_in_array place;

	if (r->part) {
		*h = r->part->leaf[r->next].held;
		r->next += h->kind == PART;
		return h->kind == PART;
	}
	if (!place_of(r->l, x, &place) || place.array->is_shared)
		return false;
	*h = place.array->held[place.first];
	return h->kind == PART;
}

static bool is_place(struct lanes *l, const struct point *p,
	const struct kx *x, int d)
{
	struct reading r = { .l = l, .p = p, .is_so_far = true };

	return same_index(&r, x, d);
}

/* The value of a statement that lists follow, after what they do. */
static bool same_after_lists(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	struct reading so_far = *r;
	const struct kx *value, *is = x->kind == KX_NAME ? value_declared(r,
		x) : NULL;

	so_far.is_so_far = true;
	if (calls_lists(r->l, r->p, is ? is : x, is_place, &value))
		return same(&so_far, value, e);
	return has_no_listed(r->l, r->p) && same(&so_far, x, e);
}

static bool same(struct reading *r, const struct kx *x, const struct expr *e)
{
	struct held h;

	if (e == r->p->stmt->value && r->p->stmt->n_listed > 0 &&
	    !r->is_so_far && !r->part)
		return same_after_lists(r, x, e);
	if (x->kind == KX_NAME && same_variable(r, x, e))
		return true;
	if (is_register(x) && is_part(r, x, &h))
		return same_part_of(r, h, e);
	switch (e->kind) {
	case EXPR_INT:
		return kx_is_int(x, e->ivalue) && x->type == e->type;
	case EXPR_REAL:
		return x->kind == KX_REAL && x->rvalue == e->rvalue &&
			x->type == e->type;
	case EXPR_PARAM:
		return same_parameter(r, x, e->param);
	case EXPR_INDEX:
		return same_index(r, x, e->dim);
	case EXPR_TIME:
		return same_time(r, x);
	case EXPR_READ:
		return reads_same(r, x, e->access);
	case EXPR_LOCAL:
		return false;
	case EXPR_ELEMENT:
		return same_element(r, x, e);
	default:
		return same_operation(r, x, e);
	}
}

bool is_value_of(struct lanes *l, const struct point *p, const struct kx *x)
{
	struct reading r = { .l = l, .p = p };

	return same(&r, x, p->stmt->value);
}
