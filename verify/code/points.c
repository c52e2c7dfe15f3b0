/* Stores of code that computes instances one by one, each from global memory: the value in a
 * cell is the one that the program computes there.
 *
 * At a store, the cell determines the instances: [t, x] as functions of threads and loop
 * iterations.  What the code reads for them must be what the program reads.
 */
#include <string.h>

#include "verify/code/beyond.h"
#include "verify/code/folded.h"
#include "verify/code/trees.h"

struct copy_read {
	const struct field *field;
	int version;
	isl_pw_aff *copy;
	struct copy_read *next;
};

/* Does the condition hold at a place, fail, or neither? */
struct decision {
	const struct expr *condition;
	isl_set *at;
	bool holds, fails;
	const struct decision *next;
};

/* The instances of a statement that store here, those at w->at. */
struct at_point {
	struct trees trees;
	struct code *w;
	const struct statement *s;
	struct instance instance;
	isl_pw_aff *t;
	struct copy_read *copies;	/* questions so far; .. */
	const struct decision *decisions;
	isl_set *all;		/* place of the store; in branches w->at is
				 * smaller */
	bool is_so_far;		/* the value before lists act on it */
};

static struct at_point *point_of(struct trees *t)
{
	return (struct at_point *) t;
}

static enum same as_leaf(bool same)
{
	return same ? SAME : DIFFERENT;
}

/* Numbers ----------------------------------------------------------------- */

/* Are they equal wherever the code is? */
static bool are_same(struct code *w, __isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b)
{
	if (!a || !b) {
		isl_pw_aff_free(a);
		isl_pw_aff_free(b);
		return false;
	}
	if (isl_pw_aff_plain_is_equal(a, b) == isl_bool_true) {
		isl_pw_aff_free(a);
		isl_pw_aff_free(b);
		return true;
	}
	return comes_to_none(w, isl_pw_aff_ne_set(a, b));
}

/* { [] -> [t, x] } */
static __isl_give isl_multi_pw_aff *coordinates(const struct at_point *p)
{
	isl_multi_pw_aff *all = isl_multi_pw_aff_from_pw_aff(isl_pw_aff_copy(
		p->t));

	for (int d = 0; d < p->s->stmt->n_dims; d++)
		all = isl_multi_pw_aff_flat_range_product(all,
			isl_multi_pw_aff_from_pw_aff(isl_pw_aff_copy(
				p->instance.x[d])));
	return all;
}

static int number_of_coordinates(const struct at_point *p)
{
	return p->trees.beyond ? p->trees.beyond->field->n_dims :
		p->s->stmt->n_dims;
}

/* Is "is" the index of dimension "d" for which a boundary's value is computed? */
static bool is_index_beyond(const struct at_point *p, int d,
	__isl_keep isl_pw_aff *is)
{
	return comes_to_none(p->w, differs_in_value(&p->instance,
		p->trees.beyond, p->trees.dim, d, p->trees.is_near, is));
}

/* Such an index: of the cell beyond the grid, or of one that stands for it; NULL: now the one,
 * now the other.
 */
static __isl_give isl_pw_aff *index_beyond(const struct at_point *p, int d)
{
	const struct access *acc = p->trees.beyond;
	isl_pw_aff *at = subscript(&p->instance, acc, d);
	isl_pw_aff *size = size_of(p->w, acc->field, d), *is = NULL;

	if (is_index_beyond(p, d, at))
		is = isl_pw_aff_copy(at);
	for (int side = 0; !is && side < SIDES; side++) {
		enum boundary_kind kind = acc->field->boundary[d][side].kind;

		is = stand_in(kind == BOUNDARY_VALUE ? BOUNDARY_CLAMP : kind,
			at, size, side);
		if (is && !is_index_beyond(p, d, is))
			is = isl_pw_aff_free(is);
	}
	isl_pw_aff_free(at);
	isl_pw_aff_free(size);
	return is;
}

/* The coordinate "d" of the point or, in a boundary's value, of the cell beyond the grid. */
static __isl_give isl_pw_aff *coordinate_asked(const struct at_point *p, int d)
{
	return p->trees.beyond ? index_beyond(p, d) :
		isl_pw_aff_copy(p->instance.x[d]);
}

/* The same of what "value" is a function of, 0 in place of the others; NULL: one is unknown. */
static __isl_give isl_multi_pw_aff *coordinates_asked(const struct at_point *p,
	__isl_keep isl_pw_aff *value)
{
	isl_multi_pw_aff *all = isl_multi_pw_aff_from_pw_aff(isl_pw_aff_copy(
		p->t));

	for (int d = 0; d < number_of_coordinates(p); d++) {
		bool is_asked = isl_pw_aff_involves_dims(value, isl_dim_in,
			1 + (unsigned) d, 1) == isl_bool_true;
		isl_pw_aff *at = is_asked ? coordinate_asked(p, d) :
			constant(p->w, 0);

		if (!at)
			return isl_multi_pw_aff_free(all);
		all = isl_multi_pw_aff_flat_range_product(all,
			isl_multi_pw_aff_from_pw_aff(at));
	}
	return all;
}

/* The number "e" there, or NULL. */
static __isl_give isl_pw_aff *number_at_point(const struct at_point *p,
	const struct expr *e)
{
	isl_space *space = space_of_dims(p->w->c, 1 + number_of_coordinates(p));
	isl_pw_aff *value = value_of(p->w->c, space, e);
	isl_multi_pw_aff *at = value ? coordinates_asked(p, value) : NULL;

	isl_space_free(space);
	if (!at)
		return isl_pw_aff_free(value);
	return isl_pw_aff_pullback_multi_pw_aff(value, at);
}

/* Are "x" and "e", both functions of the place, the same number? */
static bool is_number(struct at_point *p, const struct kx *x,
	const struct expr *e)
{
	return are_same(p->w, number_of(p->w, x), number_at_point(p, e));
}

/* Is "e" a known number there? */
static bool is_known_number(struct trees *t, const struct expr *e, int64_t *n)
{
	isl_pw_aff *number = number_at_point(point_of(t), e);
	int64_t least;
	bool is = number && isl_pw_aff_is_cst(number) == isl_bool_true &&
		take_int(isl_pw_aff_min_val(isl_pw_aff_copy(number)), &least) &&
		take_int(isl_pw_aff_max_val(isl_pw_aff_copy(number)), n) &&
		*n == least;

	isl_pw_aff_free(number);
	return is;
}

/* { [] : the condition holds } */
static __isl_give isl_set *where_holds(const struct at_point *p,
	const struct expr *condition)
{
	isl_space *space = space_of_dims(p->w->c, 1 + p->s->stmt->n_dims);
	isl_set *holds = where(p->w->c, space, condition);

	isl_space_free(space);
	return isl_set_preimage_multi_pw_aff(holds, coordinates(p));
}

static const struct decision *decide(struct at_point *p,
	const struct expr *condition)
{
	struct decision *d = region_new_of(p->w->c->mem, struct decision);
	isl_set *set = where_holds(p, condition);

	*d = (struct decision) { .condition = condition,
		.at = keep_in_checker(p->w->c, isl_set_copy(p->w->at)),
		.fails = comes_to_none(p->w, isl_set_copy(set)),
		.next = p->decisions };
	d->holds = !d->fails && comes_to_none(p->w, isl_set_complement(
		isl_set_copy(set)));
	isl_set_free(set);
	p->decisions = d;
	return d;
}

static bool is_decided(struct trees *t, const struct expr *condition,
	bool *holds)
{
	struct at_point *p = point_of(t);
	const struct decision *d = p->decisions;

	if (t->beyond || !expr_is_condition(condition))
		return false;
	while (d && (d->condition != condition || d->at != p->w->at))
		d = d->next;
	if (!d)
		d = decide(p, condition);
	*holds = d->holds;
	return d->holds || d->fails;
}

/* For example an index, where the code has a constant. */
static bool is_of_place(const struct at_point *p, const struct expr *e)
{
	return !p->trees.beyond && e->kind != EXPR_INT &&
		!expr_not_affine(e, true);
}

static bool is_index(struct trees *t, const struct kx *x, int d)
{
	struct at_point *p = point_of(t);
	isl_pw_aff *is = number_of(p->w, x);
	bool same;

	if (!t->beyond)
		return are_same(p->w, is, isl_pw_aff_copy(p->instance.x[d]));
	same = is && is_index_beyond(p, d, is);
	isl_pw_aff_free(is);
	return same;
}

/* The step that the code is in. */
static bool is_step(struct trees *t, const struct kx *x)
{
	struct at_point *p = point_of(t);

	return are_same(p->w, number_of(p->w, x), isl_pw_aff_copy(p->t));
}

/* The program's time: the step and "begin". */
static bool is_time(struct trees *t, const struct kx *x)
{
	struct at_point *p = point_of(t);
	isl_space *space = isl_set_get_space(p->w->at);
	isl_pw_aff *begin = value_of(p->w->c, space, p->w->c->prog->begin);

	isl_space_free(space);
	return are_same(p->w, number_of(p->w, x), isl_pw_aff_add(begin,
		isl_pw_aff_copy(p->t)));
}

static bool is_parameter(struct trees *t, const struct kx *x,
	const struct param *p)
{
	(void) t;
	return x->kind == KX_NAME && !strcmp(x->name, p->name);
}

/* Variables --------------------------------------------------------------- */

/* The variable "x" if what it is is known; or NULL. */
static struct variable *variable_known(struct code *w, const struct kx *x)
{
	struct variable *v = variable_of(w, x);

	return v && v->is ? v : NULL;
}

/* The value of "v", if its names still mean what they meant there. */
static bool is_variable(struct at_point *p, const struct variable *v,
	const struct expr *e)
{
	const struct variable *known = p->w->known;
	bool same;

	p->w->known = v->scope;
	same = is_same(&p->trees, v->is, e);
	p->w->known = known;
	return same;
}

/* Finding a let equal once serves all places of the value. */
static bool is_local(struct at_point *p, struct variable *v,
	const struct local *local)
{
	if (v->same == local && v->same_at == p)
		return true;
	if (!is_variable(p, v, local->value))
		return false;
	if (p->w->at == p->all) {
		v->same = local;
		v->same_at = p;
	}
	return true;
}

/* Lists ------------------------------------------------------------------- */

/* The value goes through the function that does what the statement's lists say, and stores. */
static bool is_listed(struct at_point *p, const struct kx *x,
	const struct expr *e)
{
	const struct kx *value, *stores;
	bool same;

	if (!calls_lists(&p->trees, p->w->unit, p->s->stmt, x, &value,
	    &stores) || (stores && (stores->kind != KX_NAME ||
	    strcmp(stores->name, "true"))))
		return false;
	p->is_so_far = true;
	same = is_same(&p->trees, value, e);
	p->is_so_far = false;
	return same;
}

static bool has_function_of_lists(const struct at_point *p)
{
	return p->w->unit->lists && p->w->unit->lists[p->s->stmt->index];
}

static enum same is_computed(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	struct at_point *p = point_of(t);
	bool after_lists = e == p->s->stmt->value && !p->is_so_far &&
		has_function_of_lists(p);
	struct variable *v;

	if (is_of_place(p, e) && is_number(p, x, e))
		return SAME;
	if (is_folded(t, x, e))
		return SAME;
	v = variable_known(p->w, x);
	if (v)
		return as_leaf(e->kind == EXPR_LOCAL && !after_lists ?
			is_local(p, v, e->local) : is_variable(p, v, e));
	return after_lists ? as_leaf(is_listed(p, x, e)) : NO_LEAF;
}

/* Reads ------------------------------------------------------------------- */

/* The copy of the version that "acc" reads. */
static __isl_keep isl_pw_aff *copy_read(struct at_point *p,
	const struct access *acc)
{
	struct copy_read *c = p->copies;

	while (c && (c->field != acc->field || c->version != acc->version))
		c = c->next;
	if (c)
		return c->copy;
	c = region_new_of(p->w->c->mem, struct copy_read);
	*c = (struct copy_read) { acc->field, acc->version, keep_value(p->w,
		copy_of_version(p->w, acc->field, p->t, acc->version)),
		p->copies };
	p->copies = c;
	return c->copy;
}

/* Add to "wrong" where "is" differs from "should"; identical expressions need no sets. */
static isl_set *add_other(__isl_take isl_set *wrong,
	__isl_keep isl_pw_aff *is, __isl_keep isl_pw_aff *should)
{
	if (isl_pw_aff_plain_is_equal(is, should) == isl_bool_true)
		return wrong;
	return isl_set_union(wrong, isl_pw_aff_ne_set(isl_pw_aff_copy(is),
		isl_pw_aff_copy(should)));
}

/* Loads lie in the grid, see stays_in_grid(): no boundary stands for the cell whose subscripts
 * are the read's.
 */
static bool has_subscripts(const struct at_point *p, const struct access *acc,
	const struct cell *cell)
{
	bool has = true;

	for (int d = 0; has && d < acc->field->n_dims; d++) {
		isl_pw_aff *x = subscript(&p->instance, acc, d);

		has = isl_pw_aff_plain_is_equal(x, cell->x[d]) ==
			isl_bool_true;
		isl_pw_aff_free(x);
	}
	return has;
}

static bool is_known(const struct cell *cell)
{
	bool known = cell->copy;

	for (int d = 0; known && d < cell->field->n_dims; d++)
		known = cell->x[d];
	return known;
}

static bool reads_cell(struct at_point *p, const struct access *acc,
	const struct cell *cell)
{
	isl_set *wrong;

	if (!is_known(cell))
		return false;
	wrong = add_other(isl_set_empty(isl_set_get_space(p->w->at)),
		cell->copy, copy_read(p, acc));
	if (p->trees.minus || !has_subscripts(p, acc, cell)) {
		for (int d = 0; d < acc->field->n_dims; d++)
			wrong = isl_set_union(wrong, differs(&p->instance, acc,
				d, cell->x[d]));
		wrong = isl_set_union(wrong, wrong_sign(&p->instance, acc,
			p->trees.minus));
	}
	if (isl_set_plain_is_empty(wrong) == isl_bool_true) {
		isl_set_free(wrong);
		return true;
	}
	return comes_to_none(p->w, wrong);
}

/* In global memory, or perhaps a variable with its value. */
static bool is_cell(const struct kx *x)
{
	return x->kind == KX_CELL || x->kind == KX_INDEX || x->kind == KX_NAME;
}

/* Does "v" have the value of this cell? */
static const struct cell *cell_loaded(struct code *w, struct variable *v)
{
	if (!v->loaded && (v->is->kind == KX_CELL || v->is->kind == KX_INDEX))
		v->loaded = cell_of(w, v->is);
	return v->loaded;
}

static bool reads_variable(struct at_point *p, struct variable *v,
	const struct access *acc)
{
	const struct variable *known = p->w->known;
	const struct cell *cell;
	bool same;

	p->w->known = v->scope;
	cell = cell_loaded(p->w, v);
	same = cell && cell->field == acc->field ? reads_cell(p, acc, cell) :
		reads_same(&p->trees, v->is, acc);
	p->w->known = known;
	return same;
}

static enum same is_read(struct trees *t, const struct kx *x,
	const struct access *acc)
{
	struct at_point *p = point_of(t);
	struct variable *v = variable_known(p->w, x);
	const struct cell *cell;

	if (v)
		return as_leaf(reads_variable(p, v, acc));
	cell = is_cell(x) ? cell_of(p->w, x) : NULL;
	return cell && cell->field == acc->field && reads_cell(p, acc, cell) ?
		SAME : NO_LEAF;
}

static bool reads_value(struct trees *t, const struct access *acc,
	unsigned which)
{
	struct at_point *p = point_of(t);

	return comes_to_none(p->w, without_values(&p->instance, isl_set_copy(
		p->w->at), acc, which));
}

/* A cell with the subscripts of the read is right wherever it is loaded, and so is whatever no
 * point comes to.
 */
static bool reads_where(struct trees *t, const struct kx *condition,
	bool holds, const struct kx *x, const struct access *acc)
{
	struct code *w = point_of(t)->w;
	struct place_of_code before;
	struct condition c;
	bool right;

	if (is_cell(x) && t->leaves->is_read(t, x, acc) == SAME)
		return true;
	c = condition_of(w, condition);
	before = narrow_place(w, isl_set_copy(holds ? c.holds : c.fails));
	right = comes_to_none(w, isl_set_copy(w->at)) ||
		reads_same(t, x, acc);
	widen_place(w, before);
	isl_set_free(c.holds);
	isl_set_free(c.fails);
	return right;
}

/* Stores ------------------------------------------------------------------ */

static const struct leaves leaves_of_points = {
	.is_computed = is_computed, .is_parameter = is_parameter,
	.is_index = is_index, .is_step = is_step, .is_time = is_time,
	.is_read = is_read, .is_known_number = is_known_number,
	.is_decided = is_decided,
	.reads_value = reads_value, .reads_where = reads_where,
};

/* The instances of "s" that store to "cell". */
static struct at_point *point_at(struct code *w, const struct statement *s,
	const struct cell *cell)
{
	struct at_point *p = region_new_of(w->c->mem, struct at_point);
	const struct access *write = s->stmt->write;

	*p = (struct at_point) {
		.trees = { .leaves = &leaves_of_points, .prog = w->c->prog },
		.w = w, .s = s, .instance = { .w = w, .stmt = s->stmt },
		.t = keep_value(w, pass_of(w)),
	};
	for (int d = 0; d < write->field->n_dims; d++)
		p->instance.x[write->dim[d]] = keep_value(w,
			isl_pw_aff_add_constant_val(isl_pw_aff_copy(
				cell->x[d]), isl_val_int_from_si(w->c->ctx,
				-write->offset[d])));
	return p;
}

/* Is "x" the value of the statement at "p"; for a copy statement, the previous
 * one?
 */
static bool is_value(struct at_point *p, const struct kx *x)
{
	const struct stmt *s = p->s->stmt;
	struct access *before;

	if (!p->s->is_copy)
		return is_same(&p->trees, x, s->value);
	before = region_new_of(p->w->c->mem, struct access);
	*before = *s->write;
	before->version = 0;
	return reads_same(&p->trees, x, before);
}

static bool refute_value(struct at_point *p)
{
	struct code *w = p->w;
	isl_point *example = example_of(w->c, w->at);

	refute(w->c, "%s: the code stores another value to '%s' than %s "
		"computes", sizes_of_point(w->c, example),
		p->s->stmt->write->field->name, p->s->name);
	isl_point_free(example);
	return false;
}

/* .. at the instances "where", which this takes. */
static bool is_value_where(struct at_point *p, __isl_take isl_set *where,
	const struct kx *x, bool is_exact)
{
	struct code *w = p->w;
	isl_set *at = w->at;
	bool right = true;

	w->at = p->all = where;
	if (!comes_to_none(w, isl_set_copy(where)))
		right = is_value(p, x) || (is_exact && refute_value(p));
	isl_set_free(w->at);
	w->at = at;
	return right;
}

/* "where" as far as the cell belongs to an instance of "s", if other statements store to the
 * field, too.
 */
static __isl_give isl_set *instances_where(const struct at_point *p,
	__isl_take isl_set *where, bool is_only)
{
	return is_only ? where : isl_set_intersect(where,
		isl_set_preimage_multi_pw_aff(isl_set_copy(p->s->domain),
			coordinates(p)));
}

/* What holds in a polyhedron around the place holds there, and is faster to test. */
static bool stores_value_of(struct code *w, const struct statement *s,
	const struct cell *cell, const struct kx *x, bool is_only)
{
	struct at_point *p = point_at(w, s, cell);

	if (isl_set_n_basic_set(w->at) > 1 && is_value_where(p,
	    instances_where(p, isl_set_copy(around_place(w)), is_only), x,
	    false))
		return true;
	p = point_at(w, s, cell);
	return is_value_where(p, instances_where(p, isl_set_copy(w->at),
		is_only), x, true);
}

static bool stores_to(const struct code *w, const struct statement *s,
	const struct field *f)
{
	return s->stmt->write->field == f && s->plan == w->plan;
}

/* If no other statement stores to the field, all instances belong to this one:
 * stores_are_those_of_plan().
 */
bool stores_value(struct code *w, const struct cell *cell, const struct kx *x)
{
	struct checker *c = w->c;
	int n = 0;

	for (int i = 0; i < c->n_stmts; i++)
		n += stores_to(w, &c->stmt[i], cell->field);
	for (int i = 0; i < c->n_stmts; i++)
		if (stores_to(w, &c->stmt[i], cell->field) &&
		    !stores_value_of(w, &c->stmt[i], cell, x, n == 1))
			return false;
	return true;
}
