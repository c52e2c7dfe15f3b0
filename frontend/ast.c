/* New nodes of the tree. */
#include "frontend/parse-context.h"
#include "frontend/syntax.h"

#include <string.h>

static struct ast_expr *new_expr(struct parse *p, enum ast_expr_kind kind,
	struct span at)
{
	struct ast_expr *e = region_new_of(p->mem, struct ast_expr);

	e->kind = kind;
	e->depth = 1;
	e->at = at;
	return e;
}

static void deepen(struct ast_expr *e, int depth)
{
	if (depth >= e->depth)
		e->depth = depth + 1;
}

static void set_args(struct ast_expr *e, struct ast_exprs args)
{
	e->args = args.first;
	e->n_args = args.n;
	for (const struct ast_expr *arg = args.first; arg; arg = arg->next)
		deepen(e, arg->depth);
}

/* "e", unless it is too deep for the functions that walk the tree. */
static struct ast_expr *checked(struct parse *p, struct ast_expr *e)
{
	if (e->depth <= AST_MAX_DEPTH)
		return e;
	syntax_too_deep(p, e->at);
	return ast_bad(p, e->at);
}

struct ast_expr *ast_bad(struct parse *p, struct span at)
{
	return new_expr(p, AST_BAD, at);
}

struct ast_expr *ast_number(struct parse *p, enum type type, struct span at)
{
	struct ast_expr *e = new_expr(p, AST_NUMBER, at);

	e->type = type;
	return e;
}

struct ast_expr *ast_name(struct parse *p, struct ast_name name)
{
	struct ast_expr *e = new_expr(p, AST_NAME, name.at);

	e->name = name;
	return e;
}

struct ast_expr *ast_element(struct parse *p, struct ast_name name,
	struct ast_exprs subscripts, struct span at)
{
	struct ast_expr *e = new_expr(p, AST_ELEMENT, at);

	e->name = name;
	set_args(e, subscripts);
	return checked(p, e);
}

struct ast_expr *ast_between(struct parse *p, struct ast_name name,
	struct ast_exprs subscripts, struct ast_exprs coordinates,
	struct span at)
{
	struct ast_expr *e = new_expr(p, AST_ELEMENT, at);

	e->name = name;
	set_args(e, coordinates);
	e->coordinates = coordinates.first;
	e->n_coordinates = coordinates.n;
	set_args(e, subscripts);
	return checked(p, e);
}

struct ast_expr *ast_call(struct parse *p, struct ast_name name,
	struct ast_exprs args, struct span at)
{
	struct ast_expr *e = new_expr(p, AST_CALL, at);

	e->name = name;
	if (!strcmp(name.text, "complex"))
		p->ast->has_complex = true;
	set_args(e, args);
	return checked(p, e);
}

/* An operator with the operands "args", linked. */
static struct ast_expr *operation(struct parse *p, enum ast_expr_kind kind,
	enum op op, struct ast_exprs args, struct span at)
{
	struct ast_expr *e = new_expr(p, kind, at);

	e->op = op;
	set_args(e, args);
	return checked(p, e);
}

static struct ast_exprs one(struct ast_expr *e)
{
	return ast_add_expr((struct ast_exprs) { 0 }, e);
}

struct ast_expr *ast_unary(struct parse *p, enum op op, struct ast_expr *arg,
	struct span at)
{
	return operation(p, AST_UNARY, op, one(arg), at);
}

struct ast_expr *ast_binary(struct parse *p, enum op op,
	struct ast_expr *left, struct ast_expr *right, struct span at)
{
	struct ast_exprs args = ast_add_expr(one(left), right);

	return operation(p, AST_BINARY, op, args, at);
}

struct ast_expr *ast_select(struct parse *p, struct ast_expr *condition,
	struct ast_expr *then, struct ast_expr *otherwise, struct span at)
{
	struct ast_exprs args = ast_add_expr(one(condition), then);

	args = ast_add_expr(args, otherwise);
	return operation(p, AST_SELECT, OP_COUNT, args, at);
}

struct ast_expr *ast_cast(struct parse *p, enum type type,
	struct ast_expr *arg, struct span at)
{
	struct ast_expr *e = new_expr(p, AST_CAST, at);

	e->type = type;
	set_args(e, one(arg));
	return checked(p, e);
}

struct ast_expr *ast_sum(struct parse *p, struct ast_range *ranges,
	struct ast_expr *body, struct span at)
{
	struct ast_expr *e = new_expr(p, AST_SUM, at);

	e->ranges = ranges;
	set_args(e, one(body));
	for (const struct ast_range *r = ranges; r; r = r->next) {
		deepen(e, r->begin->depth);
		deepen(e, r->end->depth);
	}
	return checked(p, e);
}

/* Lists --------------------------------------------------------------------*/

struct ast_ranges ast_add_range(struct parse *p, struct ast_ranges list,
	struct ast_name name, struct ast_expr *begin, struct ast_expr *end)
{
	struct ast_range *range = region_new_of(p->mem, struct ast_range);

	range->name = name;
	range->begin = begin;
	range->end = end;
	if (list.last)
		list.last->next = range;
	else
		list.first = range;
	list.last = range;
	return list;
}

struct ast_exprs ast_add_expr(struct ast_exprs list, struct ast_expr *e)
{
	if (list.last)
		list.last->next = e;
	else
		list.first = e;
	list.last = e;
	++list.n;
	return list;
}

struct ast_entry *ast_entry(struct parse *p, struct ast_expr *value,
	struct ast_entries entries, struct span at)
{
	struct ast_entry *e = region_new_of(p->mem, struct ast_entry);

	e->value = value;
	e->entries = entries.first;
	e->n_entries = entries.n;
	e->at = at;
	return e;
}

struct ast_entries ast_add_entry(struct ast_entries list,
	struct ast_entry *e)
{
	if (list.last)
		list.last->next = e;
	else
		list.first = e;
	list.last = e;
	++list.n;
	return list;
}

struct ast_names ast_add_name(struct parse *p, struct ast_names list,
	struct ast_name name)
{
	struct ast_name_link *link =
		region_new_of(p->mem, struct ast_name_link);

	link->name = name;
	if (list.last)
		list.last->next = link;
	else
		list.first = link;
	list.last = link;
	++list.n;
	return list;
}

/* Items --------------------------------------------------------------------*/

struct ast_item *ast_item(struct parse *p, enum ast_item_kind kind,
	struct span at)
{
	struct ast_item *item = region_new_of(p->mem, struct ast_item);

	item->kind = kind;
	item->at = at;
	return item;
}

struct ast_item *ast_reduce(struct parse *p, struct ast_expr *element,
	enum reduce how, struct ast_names indices, struct ast_expr *value)
{
	struct ast_item *item = ast_item(p, AST_REDUCE, element->at);

	item->element = element;
	item->reduce = how;
	item->params = indices;
	item->value = value;
	return item;
}

struct ast_items ast_one_item(struct ast_item *item)
{
	return (struct ast_items) { item, item };
}

struct ast_items ast_join_items(struct ast_items list, struct ast_items more)
{
	if (!more.first)
		return list;
	if (!list.first)
		return more;
	list.last->next = more.first;
	list.last = more.last;
	return list;
}

struct ast_items ast_declare(struct ast_items list, enum ast_item_kind kind,
	enum field_kind field_kind, struct ast_type type)
{
	for (struct ast_item *item = list.first; item; item = item->next) {
		item->kind = kind;
		item->field_kind = field_kind;
		item->type = type.type;
		item->is_complex = type.is_complex;
		item->joined = item != list.first;
	}
	return list;
}

struct ast_items ast_bound(struct ast_items list, struct ast_name kind,
	struct ast_expr *value, struct span at)
{
	for (struct ast_item *item = list.first; item; item = item->next) {
		item->boundary = kind;
		item->value = value;
		if (list.first == list.last)
			item->at = at;
	}
	return list;
}

struct ast_type ast_complex(struct parse *p, enum type part, struct span at)
{
	p->ast->has_complex = true;
	if (part == TYPE_FLOAT || part == TYPE_DOUBLE)
		return (struct ast_type) { part, true };
	diag(p->diags, E_TYPE, at, "there is no type 'complex %s'",
		type_name(part));
	diag_advice(p->diags, "the complex types are 'complex float' and "
		"'complex double'");
	return (struct ast_type) { TYPE_FLOAT, true };
}
