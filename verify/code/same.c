/* Does the code of a strip compute the value of the program's statement?  What it tells trees.h
 * about registers, cells and variables: they must be what the program reads at the point.
 */
#include <string.h>

#include "verify/code/folded.h"
#include "verify/code/reads.h"
#include "verify/code/trees.h"
#include "verify/code/registers.h"

/* "x" computed at "p"; or earlier, as "part" says. */
struct reading {
	struct trees trees;
	struct lanes *l;
	const struct point *p;
	const struct computed *part;
	int next;		/* leaf of the part */
	int moved;		/* iterations since then, for its cells */
	bool is_so_far;		/* the value before lists act on it */
};

static const struct leaves leaves_of_lanes;

static struct reading *reading_of(struct trees *t)
{
	return (struct reading *) t;
}

static struct reading reading_at(struct lanes *l, const struct point *p)
{
	return (struct reading) {
		.trees = { .leaves = &leaves_of_lanes,
			.prog = l->w->c->prog },
		.l = l, .p = p,
	};
}

static bool same(struct reading *r, const struct kx *x, const struct expr *e)
{
	return is_same(&r->trees, x, e);
}

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

/* Does each name in "x" still have the meaning that it had where "s" was
 * declared?
 */
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

/* "x" with variables replaced by their declared values, if these are the same here and use no
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

/* The current line of a leaf, from the line that it had "-moved" iterations ago. */
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
	return reads_cell_at(r->l, r->p, acc, by,
		r->trees.minus);
}

/* Conditions may keep the lane's column away from an edge. */
static bool reads_held(struct reading *r, const struct access *acc,
	struct held h)
{
	return holds_what_is_read(r, acc, h) || is_never_there(r->l, r->p);
}

static enum same as_leaf(bool same)
{
	return same ? SAME : DIFFERENT;
}

static enum same is_read(struct trees *t, const struct kx *x,
	const struct access *acc)
{
	struct reading *r = reading_of(t);
	struct lanes *l = r->l;
	struct place_in_array place;

	if (is_register(x) && r->part) {
		struct held h = r->part->leaf[r->next++].held;

		h.at[ALONG] += r->moved;
		return as_leaf(reads_held(r, acc, h));
	}
	if (is_register(x) && (!place_of(l, x, &place) ||
	    place.array->is_shared))
		return DIFFERENT;
	if (is_register(x) && place.array->held[place.first].kind != PART)
		return as_leaf(reads_held(r, acc,
			place.array->held[place.first]));
	if (r->part)
		return DIFFERENT;
	if (x->kind == KX_CELL && x->field == acc->field &&
	    !is_state(acc->field))
		return as_leaf(reads_cell(l, r->p, acc, x, t->minus));
	return NO_LEAF;
}

/* The boundary's value at these sides. */
static bool reads_value_at(struct trees *t, const struct access *acc,
	unsigned which)
{
	struct reading *r = reading_of(t);

	return reads_value(r->l, r->p, acc, which);
}

/* "x" where the condition holds, or fails. */
static bool reads_where(struct trees *t, const struct kx *condition,
	bool holds, const struct kx *x, const struct access *acc)
{
	struct lanes *l = reading_of(t)->l;
	struct way way = { .condition = condition, .holds = holds,
		.before = l->way };
	bool right;

	l->way = &way;
	right = reads_same(t, x, acc);
	l->way = way.before;
	return right;
}

/* Leaves ------------------------------------------------------------------ */

static bool is_parameter(struct trees *t, const struct kx *x,
	const struct param *p)
{
	struct reading *r = reading_of(t);

	r->next += r->part != NULL;
	return x->kind == KX_NAME && !strcmp(x->name, p->name);
}

static bool is_index(struct trees *t, const struct kx *x, int d)
{
	struct reading *r = reading_of(t);
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
	if (t->beyond)
		return reads_index(r->l, r->p, t->beyond, t->dim, d,
			t->is_near, x);
	return line_of(r->l, x, &line, &around) &&
		lines_are_apart(&line, &at, &by) && by == 0;
}

/* The variables of "x" have the same values as when the part was computed. */
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

/* The program's time: the code's plus "begin". */
static bool is_time_read(struct trees *t, const struct kx *x)
{
	struct reading *r = reading_of(t);
	const struct named *known = r->l->known;
	bool same;

	if (r->part)
		declare_leaves(r, x);
	same = is_time(r->l, r->p, x);
	r->l->known = known;
	return same;
}

static bool is_step(struct trees *t, const struct kx *x)
{
	struct reading *r = reading_of(t);
	struct line time, step = line_of_time(r->p->step);
	int64_t by;

	return line_of(r->l, x, &time, NULL) &&
		lines_are_apart(&time, &step, &by) && by == 0;
}

/* The declared value of the variable "x", if it is the same here: no register in it may have
 * been written since; or NULL.
 */
static const struct kx *value_declared(const struct reading *r,
	const struct kx *x)
{
	const struct named *s = scalar_called(r->l, x->name);

	return !r->part && s && s->kind == OTHER && s->is && (s->written ==
		r->l->written || !has_register(s->is)) &&
		means_the_same(r->l, s, s->is) ? s->is : NULL;
}

/* A variable of the code with its declared value. */
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

/* "x" is a register with a value computed earlier. */
static bool same_part_of(struct reading *r, struct held h,
	const struct expr *e)
{
	struct reading of = reading_at(r->l, r->p);

	of.part = h.part;
	of.moved = r->moved + h.at[ALONG];
	of.is_so_far = true;
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

/* The value of a statement that lists follow, after they have acted on it. */
static bool same_after_lists(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	struct reading so_far = *r;
	const struct kx *value, *stores, *is = x->kind == KX_NAME ?
		value_declared(r, x) : NULL;

	is = is ? as_stored(is, e->type) : x;
	so_far.is_so_far = true;
	if (calls_lists(&so_far.trees, r->l->w->unit, r->p->stmt, is,
	    &value, &stores))
		return same(&so_far, value, e);
	return has_no_listed(r->l, r->p) && same(&so_far, x, e);
}

/* What is chosen at all points there. */
static bool is_folded_here(struct reading *r, const struct kx *x,
	const struct expr *e)
{
	const int next = r->next;
	const bool is = is_folded(&r->trees, x, e);

	if (!is)
		r->next = next;
	return is;
}

static enum same is_computed(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	struct reading *r = reading_of(t);
	struct held h;

	if (e == r->p->stmt->value && r->p->stmt->n_listed > 0 &&
	    !r->is_so_far && !r->part)
		return as_leaf(same_after_lists(r, x, e));
	if (x->kind == KX_NAME && same_variable(r, x, e))
		return SAME;
	if (is_register(x) && is_part(r, x, &h))
		return as_leaf(same_part_of(r, h, e));
	return is_folded_here(r, x, e) ? SAME : NO_LEAF;
}

/* The same choice for all points there? */
static bool is_decided(struct trees *t, const struct expr *condition,
	bool *holds)
{
	const struct reading *r = reading_of(t);

	if (t->beyond || !expr_is_condition(condition))
		return false;
	*holds = never_comes_to(r->l, r->p, condition, false);
	return *holds || never_comes_to(r->l, r->p, condition, true);
}

/* Lanes have all coordinates of a row. */
static bool is_known_number(struct trees *t, const struct expr *e, int64_t *n)
{
	(void) t, (void) e, (void) n;
	return false;
}

static const struct leaves leaves_of_lanes = {
	.is_decided = is_decided, .is_known_number = is_known_number,
	.is_computed = is_computed, .is_parameter = is_parameter,
	.is_index = is_index, .is_time = is_time_read, .is_step = is_step,
	.is_read = is_read,
	.reads_value = reads_value_at, .reads_where = reads_where,
};

bool is_value_of(struct lanes *l, const struct point *p, const struct kx *x)
{
	struct reading r = reading_at(l, p);

	return same(&r, x, p->stmt->value);
}
