/* Which dimensions of a program's grid can be cut, and which dimensions of its fields lie along
 * them.
 */
#include "ir/cuts.h"
#include "ir/reduction.h"

/* Sizes --------------------------------------------------------------------*/

/* Add "factor" times "e" to the coefficients of the params, with the constant behind them;
 * false if "e" is no sum of these.
 */
static bool add_linear(const struct program *p, const struct expr *e,
	int64_t factor, int64_t *coefficient)
{
	int64_t value;

	if (expr_constant(e, &value) || (e->kind == EXPR_PARAM &&
	    e->param->fixed)) {
		coefficient[p->n_params] += factor * (e->kind == EXPR_PARAM ?
			e->param->ivalue : value);
		return true;
	}
	if (e->kind == EXPR_PARAM) {
		for (int i = 0; i < p->n_params; i++)
			coefficient[i] += p->param[i] == e->param ? factor : 0;
		return true;
	}
	if (e->kind == EXPR_UNARY && e->op == OP_NEG)
		return add_linear(p, e->arg[0], -factor, coefficient);
	if (e->kind != EXPR_BINARY)
		return false;
	if (e->op == OP_ADD || e->op == OP_SUB)
		return add_linear(p, e->arg[0], factor, coefficient) &&
			add_linear(p, e->arg[1], e->op == OP_SUB ? -factor :
				factor, coefficient);
	for (int i = 0; e->op == OP_MUL && i < 2; i++)
		if (expr_constant(e->arg[i], &value))
			return add_linear(p, e->arg[1 - i], factor * value,
				coefficient);
	return false;
}

/* a - b, if that is a constant. */
static bool size_difference(const struct program *p, const struct expr *a,
	const struct expr *b, int64_t *difference)
{
	struct region *tmp = region_new();
	int64_t *coefficient = region_array(tmp, int64_t, p->n_params + 1);
	bool is_constant = add_linear(p, a, 1, coefficient) &&
		add_linear(p, b, -1, coefficient);

	for (int i = 0; i < p->n_params; i++)
		is_constant = is_constant && coefficient[i] == 0;
	*difference = coefficient[p->n_params];
	region_free(tmp);
	return is_constant;
}

/* Subscripts ---------------------------------------------------------------*/

/* The subscript "e" of an element as stride*index + offset; false if it has no index, or
 * another form.
 */
static bool element_index(const struct expr *e, int *dim, int64_t *stride,
	int64_t *offset)
{
	int64_t value;

	if (e->kind == EXPR_INDEX) {
		*dim = e->dim;
		*stride = 1;
		*offset = 0;
		return true;
	}
	if (e->kind == EXPR_CAST || (e->kind == EXPR_UNARY && e->op == OP_ADD))
		return element_index(e->arg[0], dim, stride, offset);
	for (int i = 0; e->kind == EXPR_BINARY && i < 2; i++) {
		if (!expr_constant(e->arg[i], &value) ||
		    !element_index(e->arg[1 - i], dim, stride, offset))
			continue;
		if (e->op == OP_MUL) {
			*stride *= value;
			*offset *= value;
			return true;
		}
		*offset += e->op == OP_SUB ? -value : value;
		return e->op == OP_ADD || (e->op == OP_SUB && i == 1);
	}
	return false;
}

struct walk {
	void (*each)(void *user, const struct subscript *s);
	void *user;
	const struct access *of;	/* in a boundary's value: the read that
					 * it serves */
};

static void visit_access(const struct walk *w, const struct access *a)
{
	for (int d = 0; d < a->field->n_dims; d++)
		w->each(w->user, &(struct subscript) { a->field, a, d,
			a->dim[d], a->divisor[d] == 1 ? a->stride[d] : 0,
			a->offset[d], a->at });
}

/* The subscripts of an element; an index in a boundary's value belongs to the cell that is
 * read.
 */
static void visit_element(void *user, const struct expr *e)
{
	const struct walk *w = user;

	if (e->kind != EXPR_ELEMENT)
		return;
	for (int d = 0; d < e->n_args; d++) {
		struct subscript s = { e->field, NULL, d, -1, 1, 0, e->at };

		if (!element_index(e->arg[d], &s.dim, &s.stride, &s.offset) &&
		    expr_any(e->arg[d], expr_is_index))
			s.stride = 0;
		else if (s.dim >= 0 && w->of) {
			s.offset += w->of->offset[s.dim];
			s.dim = w->of->dim[s.dim];
		}
		w->each(w->user, &s);
	}
}

static void visit_tree(const struct walk *w, const struct expr *e)
{
	visit_element((void *) w, e);
	for (int i = 0; i < e->n_args; i++)
		visit_tree(w, e->arg[i]);
}

void stmt_each_subscript(const struct stmt *s,
	void (*each)(void *user, const struct subscript *s), void *user)
{
	struct walk w = { each, user, NULL };

	visit_access(&w, s->write);
	stmt_each_expr(s, visit_element, &w);
	stmt_each_listed_expr(s, visit_element, &w);
	for (int i = 0; i < s->n_reads; i++) {
		const struct field *f = s->read[i]->field;

		visit_access(&w, s->read[i]);
		w.of = s->read[i];
		for (int d = 0; d < f->n_dims * SIDES; d++)
			if (f->boundary[d / SIDES][d % SIDES].value)
				visit_tree(&w, f->boundary[d / SIDES]
					[d % SIDES].value);
		w.of = NULL;
	}
}

/* A dimension --------------------------------------------------------------*/

struct search {
	struct cuts *cuts;
	int dim;
	const struct expr *size;
	bool reads_around, reads_beyond;
	int64_t least, most;	/* fields have so many cells more than "size" */
	bool in_pieces;
	int64_t first_piece;
	struct no_cut why;
};

static void refuse(struct search *s, struct span at, const char *what)
{
	if (!s->why.what)
		s->why = (struct no_cut) { at, what };
}

static bool is_written(const struct field *f)
{
	return f->kind != FIELD_INPUT;
}

/* Compare the size of "f" along its dimension "d" with the grid's. */
static void look_at_size(struct search *s, const struct field *f, int d)
{
	int64_t more;

	if (!size_difference(s->cuts->prog, f->size[d], s->size, &more)) {
		refuse(s, f->at, "the sizes of fields along it differ by more than "
			"a constant");
		return;
	}
	s->least = more < s->least ? more : s->least;
	s->most = more > s->most ? more : s->most;
}

static void look_at(void *user, const struct subscript *at)
{
	struct search *s = user;
	unsigned *seen = &s->cuts->seen[at->field->index][at->d];

	if (at->stride == 0 || (at->dim == s->dim && at->stride != 1)) {
		refuse(s, at->at, "a field is read with a stride along it");
		return;
	}
	*seen |= at->dim < 0 ? CUTS_NO_INDEX : 1u << at->dim;
	if (at->dim != s->dim)
		return;
	if (is_written(at->field) && at->d != s->dim)
		refuse(s, at->at, "a state is read along it by another index");
	look_at_size(s, at->field, at->d);
	if (!at->access || !at->offset)
		return;
	if (field_goes_around(at->field, at->d))
		s->reads_around = true;
	else
		s->reads_beyond = true;
}

/* Do some reads use this dimension's index for one field dimension, and others
 * for another?
 */
static void look_at_inputs(struct search *s)
{
	const struct program *p = s->cuts->prog;

	for (int i = 0; i < p->n_fields; i++)
		for (int d = 0; d < p->field[i]->n_dims; d++)
			if ((s->cuts->seen[i][d] & 1u << s->dim) &&
			    s->cuts->seen[i][d] != 1u << s->dim)
				refuse(s, p->field[i]->at, "an input has cells "
					"along it that are read by its index and "
					"otherwise");
}

/* Points ------------------------------------------------------------------ */

struct index_use {
	int dim;
	bool is_used;
};

static void look_at_expr(void *user, const struct expr *e)
{
	struct index_use *u = user;

	for (int i = 0; e->kind != EXPR_ELEMENT && i < e->n_args; i++)
		u->is_used |= e->arg[i]->kind == EXPR_INDEX &&
			e->arg[i]->dim == u->dim;
}

static void look_at_tree(struct index_use *u, const struct expr *e)
{
	u->is_used |= e->kind == EXPR_INDEX && e->dim == u->dim;
	for (int i = 0; i < e->n_args; i++)
		look_at_tree(u, e->arg[i]);
}

/* Does "s" compute with the index of dimension "dim", outside subscripts? */
static bool uses_index(const struct stmt *s, int dim)
{
	struct index_use u = { dim, s->value->kind == EXPR_INDEX };

	stmt_each_expr(s, look_at_expr, &u);
	stmt_each_boundary_expr(s, look_at_expr, &u);
	for (int i = 0; i < s->n_conditions; i++)
		look_at_tree(&u, s->condition[i]);
	for (const struct local *l = s->locals; l; l = l->next)
		u.is_used |= l->value->kind == EXPR_INDEX;
	return u.is_used;
}

/* A halo that goes around has other indices than the cells that it copies. */
static void look_around(struct search *s)
{
	const struct program *p = s->cuts->prog;

	if (!s->reads_around)
		return;
	if (s->reads_beyond)
		refuse(s, p->at, "some fields that are read across its ends are "
			"periodic, others are not");
	if (s->least || s->most)
		refuse(s, p->at, "fields are periodic along it and have several "
			"sizes");
	if (p->n_lists > 0)
		refuse(s, p->list[0]->at, "it is periodic, and a list has points "
			"along it");
	for (int i = 0; i < p->n_stmts; i++)
		if (uses_index(p->stmt[i], s->dim))
			refuse(s, p->stmt[i]->at, "it is periodic, and its index "
				"is computed with");
}

/* Reductions -------------------------------------------------------------- */

static void look_at_read(struct search *s, const struct access *a, int d)
{
	struct subscript at = { a->field, a, d, a->dim[d], a->divisor[d] == 1 ?
		a->stride[d] : 0, a->offset[d], a->at };

	if (is_written(a->field) && d == s->dim && a->dim[d] != d)
		refuse(s, a->at, "a reduction reads a state along it by another "
			"index");
	look_at(s, &at);
}

/* Along its rows a reduction adds pieces of them in the order of one rank: cuts lie between pieces.
 * Where there are other dimensions these are cut, which may be anywhere.
 */
static void look_at_rows(struct search *s, const struct reduction *r)
{
	int64_t first = reduction_first_point(r, s->dim);

	if (s->dim > 0)
		refuse(s, r->at, "a reduction adds reals along it, in an order "
			"that is that of one rank");
	if (s->in_pieces && s->first_piece != first)
		refuse(s, r->at, "reductions add reals along it from different "
			"points on");
	s->in_pieces = true;
	s->first_piece = first;
}

static void look_at_reduction(struct search *s, const struct reduction *r)
{
	const struct stmt *point = r->point;
	bool reads_state = false;

	if (reduction_keeps_order(r) && s->dim == point->n_dims - 1)
		look_at_rows(s, r);
	for (int i = 0; i < point->n_reads; i++) {
		const struct access *a = point->read[i];

		reads_state = reads_state || is_written(a->field);
		for (int d = 0; d < a->field->n_dims; d++)
			look_at_read(s, a, d);
	}
	if (!reads_state)
		refuse(s, r->at, "a reduction reads no state");
}

/* The grid ----------------------------------------------------------------- */

static bool can_cut(struct cuts *c, int dim)
{
	const struct program *p = c->prog;
	struct search s = { .cuts = c, .dim = dim };

	for (int i = 0; i < p->n_stmts; i++)
		if (p->stmt[i]->write->field->n_dims <= dim)
			refuse(&s, p->stmt[i]->at, "a statement computes a field "
				"without it");
	if (!s.why.what)
		s.size = p->stmt[0]->write->field->size[dim];
	for (int i = 0; i < p->n_stmts && !s.why.what; i++)
		stmt_each_subscript(p->stmt[i], look_at, &s);
	for (int i = 0; i < p->n_reductions && !s.why.what; i++)
		look_at_reduction(&s, p->reduction[i]);
	look_at_inputs(&s);
	look_around(&s);
	c->why = s.why;
	c->dim[dim] = (struct cut) { s.size, s.reads_around, (int) s.most,
		s.in_pieces, (int) s.first_piece };
	return !s.why.what;
}

static int64_t cells_more(const struct cuts *c, const struct field *f, int d)
{
	int64_t more;

	size_difference(c->prog, f->size[d], c->dim[c->cut[f->index][d]].size,
		&more);
	return more;
}

/* Note along which of its cut dimensions each dimension of a field lies. */
static void place_field(struct cuts *c, const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++) {
		unsigned seen = c->seen[f->index][d];

		c->cut[f->index][d] = -1;
		for (int k = 0; k < c->n_dims; k++)
			if (is_written(f) ? d == k && f->kind != FIELD_SERIES :
			    seen == 1u << k)
				c->cut[f->index][d] = k;
		if (c->cut[f->index][d] >= 0)
			c->more[f->index][d] = cells_more(c, f, d);
	}
}

void cuts_find(struct region *r, const struct program *p, struct cuts *c)
{
	int n = p->stmt[0]->write->field->n_dims;

	c->prog = p;
	c->seen = region_alloc(r, sizeof(*c->seen) * (size_t) p->n_fields);
	c->cut = region_alloc(r, sizeof(*c->cut) * (size_t) p->n_fields);
	c->more = region_alloc(r, sizeof(*c->more) * (size_t) p->n_fields);
	while (c->n_dims < n && c->n_dims < BLOCKS_MAX_DIMS &&
	       can_cut(c, c->n_dims))
		c->n_dims++;
	for (int i = 0; i < p->n_fields; i++)
		place_field(c, p->field[i]);
}
