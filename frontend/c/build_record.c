/* Records in the tree of the .stn language: on (t % 10 == 0) snap[t/10][i] = A[t+1][i]; */
#include "frontend/c/build.h"

/* Where to record, for the point "point" of the recorded field: wherever the statement that
 * records is executed, and under conditions of its own.
 */
static struct ast_expr *where(struct build *b, const struct c_record *r,
	const struct c_update *point)
{
	struct ast_expr *all;

	b->update = r->writer;
	all = build_where(b);
	b->update = point;
	b->of_next_round = r->is_old;
	if (r->is_old || r->place.phase != r->writer->place.phase)
		all = build_phase(b, all);
	all = build_pins(b, all);
	if (!r->is_whole)
		all = build_loops(b, all, r->place.loop);
	return build_conditions(b, all, r->place.condition);
}

static struct ast_expr *element(struct build *b, const struct c_record *r)
{
	struct ast_exprs subs = { 0 };

	for (int d = 0; d < r->field->n_dims; d++) {
		const struct c_expr *sub = r->sub[d];
		struct poly p;

		subs = ast_add_expr(subs, poly_of(b->s, sub, &p) ?
			build_poly(b, build_at_point(b, &p), sub->at) :
			build_value(b, sub));
	}
	return ast_element(&b->parse, (struct ast_name) { r->field->name,
		r->at }, subs, r->at);
}

struct ast_item *build_record(struct build *b, const struct c_record *r)
{
	const struct c_update point = { .write = (struct c_access *) r->own,
		.value = r->value, .place = r->place, .at = r->at };
	struct ast_item *item = ast_item(&b->parse, AST_UPDATE, r->at), *on;
	struct ast_expr *condition;

	b->update = &point;
	build_indices(b);
	condition = where(b, r, &point);
	item->element = element(b, r);
	item->value = build_value(b, r->value);
	b->update = NULL;
	b->of_next_round = false;
	if (!condition)
		return item;
	on = ast_item(&b->parse, AST_ON, condition->at);
	on->value = condition;
	on->items = item;
	return on;
}
