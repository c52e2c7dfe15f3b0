/* Lists of points in the tree of the .stn language: at p = 0 .. n { u[t+1][si[p]][sj[p]] += w[t][p]; } */
#include "frontend/c/build.h"
#include "frontend/c/list.h"

/* A subscript that is data, or a sum. */
static struct ast_expr *subscript(struct build *b, const struct c_access *a,
	int d)
{
	return a->around[d] ? build_value(b, a->around[d]) : build_poly(b,
		build_at_point(b, &a->sub[d]), a->sub_at[d]);
}

struct ast_expr *build_listed(struct build *b, const struct c_access *a)
{
	struct ast_exprs subs = { 0 };

	a->field->is_used = true;
	if (a->field->is_written)
		subs = ast_add_expr(subs, build_step(b, 1, a->at));
	for (int d = 0; d < a->n_subs; d++)
		subs = ast_add_expr(subs, subscript(b, a, d));
	return ast_element(&b->parse, (struct ast_name) { a->field->name,
		a->at }, subs, a->at);
}

static struct ast_expr *recorded(struct build *b, const struct c_listed *l)
{
	struct ast_exprs subs = { 0 };

	for (int d = 0; d < l->record->n_dims; d++) {
		struct poly p;

		subs = ast_add_expr(subs, poly_of(b->s, l->sub[d], &p) ?
			build_poly(b, build_at_point(b, &p), l->sub[d]->at) :
			build_value(b, l->sub[d]));
	}
	return ast_element(&b->parse, (struct ast_name) { l->record->name,
		l->at }, subs, l->at);
}

struct ast_item *build_list(struct build *b, const struct c_list *list)
{
	struct c_access numbers = { .field = list->state, .n_subs = 1,
		.sub = { poly_symbol(list->loop->decl) },
		.place = list->place, .at = list->loop->at };
	const struct c_update all = { .write = &numbers, .place = list->place,
		.at = list->loop->at };
	struct ast_item *at = ast_item(&b->parse, AST_AT, list->loop->at);
	struct ast_item *block = ast_item(&b->parse, AST_BLOCK, list->loop->at);
	struct ast_items items = { 0 };

	b->update = &all;
	build_indices(b);
	at->name = (struct ast_name) { b->index[0].name, list->loop->at };
	at->begin = build_poly(b, list->loop->begin, list->loop->at);
	at->value = build_poly(b, list->loop->end, list->loop->at);
	for (const struct c_listed *l = list->first; l; l = l->next) {
		struct ast_item *item = ast_item(&b->parse, AST_UPDATE, l->at);

		item->element = l->write ? build_listed(b, l->write) :
			recorded(b, l);
		item->value = build_value(b, l->value);
		items = ast_join_items(items, ast_one_item(item));
	}
	block->items = items.first;
	at->items = block;
	b->update = NULL;
	return at;
}

/* where ? value : what the cell has had: a list follows a statement without a condition. */
struct ast_expr *build_everywhere(struct build *b, struct ast_expr *where,
	struct ast_expr *value)
{
	const struct c_access *w = b->update->write;
	struct ast_exprs subs = { 0 };

	subs = ast_add_expr(subs, build_step(b, 0, w->at));
	for (int d = 0; d < w->n_subs; d++)
		subs = ast_add_expr(subs, build_name(b, b->index[d].name,
			w->sub_at[d]));
	return ast_select(&b->parse, where, value, ast_element(&b->parse,
		(struct ast_name) { w->field->name, w->at }, subs, w->at),
		w->at);
}
