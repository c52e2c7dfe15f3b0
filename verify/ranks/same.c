/* Are the block's statements the program's?  Compares trees node by node: an index along a cut
 * dimension is the one in the block plus the block's origin, everything else is the same.
 * Subscripts of elements stay: along cut dimensions the input's cells are those of the block.
 */
#include "ir/memo.h"
#include "verify/ranks/ranks.h"

static bool is_origin(const struct pair *p, const struct expr *e, int k)
{
	return e->kind == EXPR_PARAM &&
		e->param == p->r->blocks->dim[k].origin;
}

static bool same_index(const struct pair *p, const struct expr *a,
	const struct expr *b)
{
	int k = p->cut[a->dim];

	if (k < 0)
		return expr_same_node(a, b);
	return b->kind == EXPR_BINARY && b->op == OP_ADD &&
		expr_same_node(a, b->arg[0]) && is_origin(p, b->arg[1], k) &&
		(p->is_own || !p->r->exchange.dim[k].is_around);
}

static int place_of(const struct access *const *list, int n,
	const struct access *a)
{
	int i = 0;

	while (i < n && list[i] != a)
		i++;
	return i;
}

static bool same_read(const struct pair *p, const struct expr *a,
	const struct expr *b)
{
	return b->kind == EXPR_READ && p->a && place_of(p->a->read,
		p->a->n_reads, a->access) == place_of(p->b->read,
		p->b->n_reads, b->access);
}

static bool same_local(const struct pair *p, const struct expr *a,
	const struct expr *b)
{
	const struct local *la = p->a->locals, *lb = p->b->locals;

	while (la && lb && la != a->local) {
		la = la->next;
		lb = lb->next;
	}
	return b->kind == EXPR_LOCAL && la && la == a->local &&
		lb == b->local;
}

static bool same_element(const struct expr *a, const struct expr *b)
{
	bool is_same = b->kind == EXPR_ELEMENT && a->n_args == b->n_args &&
		a->field->index == b->field->index;

	for (int i = 0; is_same && i < a->n_args; i++)
		is_same = expr_same(a->arg[i], b->arg[i]);
	return is_same;
}

static bool same_operation(struct pair *p, const struct expr *a,
	const struct expr *b)
{
	bool is_same = expr_same_node(a, b);

	for (int i = 0; is_same && i < a->n_args; i++)
		is_same = same_expr(p, a->arg[i], b->arg[i]);
	return is_same;
}

bool same_expr(struct pair *p, const struct expr *a, const struct expr *b)
{
	struct memo *m = memo_of(p->r->c->mem, p->seen, a);
	bool is_same;

	if (m->to == b)
		return true;
	is_same = a->type == b->type && (a->kind == EXPR_INDEX ?
		same_index(p, a, b) : a->kind == EXPR_READ ?
		same_read(p, a, b) : a->kind == EXPR_LOCAL ?
		same_local(p, a, b) : a->kind == EXPR_ELEMENT ?
		same_element(a, b) : same_operation(p, a, b));
	if (is_same)
		memo_of(p->r->c->mem, p->seen, a)->to = b;
	return is_same;
}

static bool same_access(const struct access *a, const struct access *b)
{
	bool is_same = a->field->index == b->field->index &&
		a->version == b->version;

	for (int d = 0; is_same && d < a->field->n_dims; d++)
		is_same = access_same_along(a, d, b, d);
	return is_same;
}

static bool same_accesses(const struct access *const *a, int n_a,
	const struct access *const *b, int n_b)
{
	bool are_same = n_a == n_b;

	for (int i = 0; are_same && i < n_a; i++)
		are_same = same_access(a[i], b[i]);
	return are_same;
}

static bool same_locals(struct pair *p)
{
	const struct local *a = p->a->locals, *b = p->b->locals;

	while (a && b && same_expr(p, a->value, b->value)) {
		a = a->next;
		b = b->next;
	}
	return !a && !b;
}

static struct pair pair_of(const struct ranks *r, const struct stmt *a,
	const struct stmt *b)
{
	struct pair p = { .r = r, .seen = memo_new(r->c->mem), .a = a, .b = b };

	for (int d = 0; d < IR_MAX_DIMS; d++)
		p.cut[d] = d < r->exchange.n_dims ? d : -1;
	return p;
}

static bool same_statement(const struct ranks *r, const struct stmt *a,
	const struct stmt *b)
{
	struct pair p = pair_of(r, a, b);
	bool is_same = a->n_dims == b->n_dims &&
		a->n_listed == b->n_listed && a->n_conditions == b->n_conditions &&
		same_access(a->write, b->write) &&
		same_accesses(a->read, a->n_reads, b->read, b->n_reads) &&
		same_accesses(a->element, a->n_elements, b->element,
			b->n_elements) && same_locals(&p) &&
		same_expr(&p, a->value, b->value);

	for (int i = 0; is_same && i < a->n_conditions; i++)
		is_same = same_expr(&p, a->condition[i], b->condition[i]);
	for (int i = 0; is_same && i < a->n_listed; i++) {
		struct pair q = pair_of(r, a, b);

		q.is_own = a->listed[i]->series;
		is_same = same_listed(r, &q, a->listed[i], b->listed[i]);
	}
	return is_same;
}

/* Fields ------------------------------------------------------------------- */

static bool same_value(const struct ranks *r, const struct field *f,
	const struct expr *a, const struct expr *b)
{
	struct pair p = pair_of(r, NULL, NULL);

	for (int d = 0; d < f->n_dims; d++)
		p.cut[d] = cut_of(r, f, d);
	return same_expr(&p, a, b);
}

/* A halo replaces a boundary that goes around. */
static bool same_boundary(const struct ranks *r, const struct field *a,
	const struct field *b, int d, int side)
{
	const struct boundary *x = &a->boundary[d][side];
	const struct boundary *y = &b->boundary[d][side];
	int k = cut_of(r, a, d);

	if (x->kind == BOUNDARY_PERIODIC && k >= 0 &&
	    r->exchange.dim[k].is_around)
		return y->kind == BOUNDARY_FIXED;
	return x->kind == y->kind && !x->value == !y->value &&
		(!x->value || same_value(r, a, x->value, y->value));
}

static bool same_field(const struct ranks *r, const struct field *a,
	const struct field *b)
{
	bool is_same = a->kind == b->kind && a->type == b->type &&
		a->n_dims == b->n_dims && a->depth == b->depth &&
		a->is_hidden == b->is_hidden && !a->made_of == !b->made_of;

	for (int i = 0; is_same && i < a->n_dims * SIDES; i++)
		is_same = same_boundary(r, a, b, i / SIDES, i % SIDES);
	return is_same;
}

static bool has_series(const struct program *p)
{
	for (int i = 0; i < p->n_stmts; i++)
		if (stmt_records(p->stmt[i]))
			return true;
	return false;
}

bool check_block(struct ranks *r)
{
	const struct program *a = r->blocks->whole, *b = r->blocks->block;
	bool is_same = a->n_stmts == b->n_stmts && a->n_fields <= b->n_fields;

	for (int i = a->n_fields; i < b->n_fields; i++)
		is_same = is_same && b->field[i]->made_of;
	if (!is_same)
		return refute(r->c, "a block has other statements or fields");
	for (int i = 0; i < a->n_fields; i++)
		if (!same_field(r, a->field[i], b->field[i]))
			return refute(r->c, "'%s' is another field in a block",
				a->field[i]->name);
	for (int i = 0; i < a->n_stmts; i++)
		if (!same_statement(r, a->stmt[i], b->stmt[i]))
			return refute(r->c, "%s is another statement in a block",
				a->stmt[i]->name);
	claim(r->c, "a block computes the program's statements, where it adds its "
		"origin to each index\n  along a cut dimension%s", !has_series(a) ?
		"" : "; of what steps record the rank writes what its own\n  "
		"cells have");
	return true;
}
