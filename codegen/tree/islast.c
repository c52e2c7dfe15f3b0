#include <string.h>

#include <isl/id.h>

#include "codegen/tree/lower.h"

static struct kx *of_ast_expr(struct region *r, __isl_keep isl_ast_expr *e);

static struct kx *operand(struct region *r, __isl_keep isl_ast_expr *e, int i)
{
	isl_ast_expr *arg = isl_ast_expr_op_get_arg(e, i);
	struct kx *x = of_ast_expr(r, arg);

	isl_ast_expr_free(arg);
	return x;
}

static struct kx *chain(struct region *r, __isl_keep isl_ast_expr *e,
	struct kx *(*function)(struct region *, const struct kx *,
		const struct kx *))
{
	struct kx *x = operand(r, e, 0);

	for (int i = 1; i < isl_ast_expr_op_get_n_arg(e); i++)
		x = function(r, x, operand(r, e, i));
	return x;
}

static struct kx *select_of(struct region *r, __isl_keep isl_ast_expr *e)
{
	const struct kx *condition = operand(r, e, 0);
	const struct kx *a = operand(r, e, 1);

	return kx_select(r, condition, a, operand(r, e, 2));
}

/* a >= b; isl's N >= i + 2 reads better as i < N - 1. */
static struct kx *at_least(struct region *r, const struct kx *a,
	const struct kx *b)
{
	bool sum = b->kind == KX_BINARY && b->op == OP_ADD &&
		b->arg[1]->kind == KX_INT;

	if (a->kind == KX_NAME && sum && b->arg[1]->ivalue > 0)
		return kx_binary(r, OP_LT, b->arg[0],
			kx_add(r, a, 1 - b->arg[1]->ivalue));
	return kx_binary(r, OP_GE, a, b);
}

static struct kx *of_ast_op(struct region *r, __isl_keep isl_ast_expr *e)
{
	enum op op;

	switch (isl_ast_expr_op_get_type(e)) {
	case isl_ast_expr_op_min:
		return chain(r, e, kx_min);
	case isl_ast_expr_op_max:
		return chain(r, e, kx_max);
	case isl_ast_expr_op_minus:
		return kx_unary(r, OP_NEG, operand(r, e, 0));
	case isl_ast_expr_op_fdiv_q:
		return kx_builtin(r, B_FLOOR_DIV, 2, operand(r, e, 0),
			operand(r, e, 1));
	case isl_ast_expr_op_cond:
	case isl_ast_expr_op_select:
		return select_of(r, e);
	case isl_ast_expr_op_add:
		op = OP_ADD;
		break;
	case isl_ast_expr_op_sub:
		op = OP_SUB;
		break;
	case isl_ast_expr_op_mul:
		op = OP_MUL;
		break;
	case isl_ast_expr_op_div:
	case isl_ast_expr_op_pdiv_q:
		op = OP_DIV;
		break;
	case isl_ast_expr_op_pdiv_r:
	case isl_ast_expr_op_zdiv_r:
		op = OP_MOD;
		break;
	case isl_ast_expr_op_and:
	case isl_ast_expr_op_and_then:
		op = OP_AND;
		break;
	case isl_ast_expr_op_or:
	case isl_ast_expr_op_or_else:
		op = OP_OR;
		break;
	case isl_ast_expr_op_eq:
		op = OP_EQ;
		break;
	case isl_ast_expr_op_le:
		op = OP_LE;
		break;
	case isl_ast_expr_op_lt:
		op = OP_LT;
		break;
	case isl_ast_expr_op_ge:
		op = OP_GE;
		break;
	case isl_ast_expr_op_gt:
		op = OP_GT;
		break;
	default:
		return kx_int(r, 0);
	}
	if (op == OP_GE)
		return at_least(r, operand(r, e, 0), operand(r, e, 1));
	return kx_binary(r, op, operand(r, e, 0), operand(r, e, 1));
}

static struct kx *of_ast_id(struct region *r, __isl_keep isl_ast_expr *e)
{
	isl_id *id = isl_ast_expr_id_get_id(e);
	struct kx *x = kx_name(r, region_strdup(r, id ?
		isl_id_get_name(id) : ""));

	isl_id_free(id);
	return x;
}

static struct kx *of_ast_int(struct region *r, __isl_keep isl_ast_expr *e)
{
	isl_val *v = isl_ast_expr_int_get_val(e);
	struct kx *x = kx_int(r, isl_val_get_num_si(v));

	isl_val_free(v);
	return x;
}

/* 0 if there is no expression: a set could not be computed, and the code will
 * not be printed.
 */
static struct kx *of_ast_expr(struct region *r, __isl_keep isl_ast_expr *e)
{
	switch (isl_ast_expr_get_type(e)) {
	case isl_ast_expr_id:
		return of_ast_id(r, e);
	case isl_ast_expr_int:
		return of_ast_int(r, e);
	default:
		return of_ast_op(r, e);
	}
}

static struct kx *take_ast_expr(struct region *r,
	__isl_take isl_ast_expr *e)
{
	struct kx *x = of_ast_expr(r, e);

	isl_ast_expr_free(e);
	return x;
}

struct kx *kx_of_set(struct region *r, __isl_take isl_set *set,
	__isl_take isl_set *context)
{
	isl_ast_build *build;
	isl_ast_expr *e;
	struct kx *x;

	set = isl_set_gist(set, isl_set_copy(context));
	if (isl_set_plain_is_universe(set) == isl_bool_true) {
		isl_set_free(set);
		isl_set_free(context);
		return NULL;
	}
	build = isl_ast_build_from_context(context);
	e = isl_ast_build_expr_from_set(build, set);
	x = take_ast_expr(r, e);
	isl_ast_build_free(build);
	return x;
}

struct kx *kx_of_pw_aff(struct region *r, __isl_take isl_pw_aff *value,
	__isl_take isl_set *context)
{
	isl_ast_build *build = isl_ast_build_from_context(
		isl_set_copy(context));
	isl_ast_expr *e;
	struct kx *x;

	value = isl_pw_aff_coalesce(isl_pw_aff_gist(value, context));
	e = isl_ast_build_expr_from_pw_aff(build, value);
	x = take_ast_expr(r, e);
	isl_ast_build_free(build);
	return x;
}

__isl_give isl_set *name_dims(__isl_take isl_set *set,
	const char *const *name)
{
	int n = isl_set_dim(set, isl_dim_set);
	int first = isl_set_dim(set, isl_dim_param);

	set = isl_set_reset_tuple_id(set);
	set = isl_set_move_dims(set, isl_dim_param, first, isl_dim_set, 0, n);
	for (int i = 0; i < n; i++)
		set = isl_set_set_dim_name(set, isl_dim_param, first + i,
			name[i]);
	return isl_set_params(set);
}

/* Loops ----------------------------------------------------------------- */

static struct ks *of_ast_node(const struct loop_nest *nest,
	__isl_keep isl_ast_node *node);

static struct ks *take_ast_node(const struct loop_nest *nest,
	__isl_take isl_ast_node *node)
{
	struct ks *s = node ? of_ast_node(nest, node) : ks_block(nest->mem);

	isl_ast_node_free(node);
	return s;
}

/* The dimension whose iterator is called "name". */
static int dim_of_iterator(const struct loop_nest *nest, const char *name)
{
	for (int d = 0; d < nest->n_dims; d++)
		if (!strcmp(nest->iterator[d], name))
			return d;
	return -1;
}

/* The last value of a loop whose condition is "name <= last" or
 * "name < last + 1", if that is a constant.
 */
static bool constant_last(const struct kx *condition, int64_t *last)
{
	if (condition->kind != KX_BINARY || condition->arg[1]->kind != KX_INT)
		return false;
	*last = condition->arg[1]->ivalue - (condition->op == OP_LT);
	return condition->op == OP_LT || condition->op == OP_LE;
}

/* Deal the loop over first, first + stride, .. to the threads of "dim"
 * cyclically.  Where each thread gets at most one turn, no loop remains.
 */
static struct ks *thread_loop(const struct loop_nest *nest, int dim,
	const char *name, const struct kx *first, const struct kx *condition,
	int64_t stride, struct ks *body)
{
	struct region *r = nest->mem;
	int threads = nest->step[dim];
	const struct kx *thread = kx_name(r, nest->first[dim]);
	const struct kx *start = kx_binary(r, OP_ADD,
		kx_binary(r, OP_MUL, kx_int(r, stride), thread), first);
	struct ks *block, *loop;
	int64_t last, n;

	loop = ks_for(r, name, start, condition,
		kx_int(r, stride * threads), body);
	if (first->kind != KX_INT || !constant_last(condition, &last))
		return loop;
	loop->unroll = nest->unroll;
	n = (last - first->ivalue) / stride + 1;
	if (n > threads)
		return loop;
	block = ks_block(r);
	ks_add(r, block, ks_declare(r, ctype_const(CT_INT), name, start));
	ks_add(r, block, n == threads ? body :
		ks_if(r, condition, body, NULL));
	return block;
}

/* Does "s" use a "name" that it does not declare itself? */
static bool uses_outer(const struct ks *s, const char *name)
{
	for (int i = 0; i < s->n_x; i++)
		if (kx_uses(s->x[i], name))
			return true;
	for (int i = 0; i < s->n_children; i++) {
		const struct ks *child = s->child[i];

		if (uses_outer(child, name))
			return true;
		if (child->kind == KS_DECLARE && !strcmp(child->name, name))
			return false;
	}
	return false;
}

/* The body of a loop with a single turn: the value usually replaces its name;
 * if it is one of several, the name stays and is declared.
 */
static struct ks *single_turn(const struct loop_nest *nest, const char *name,
	const struct kx *value, struct ks *body)
{
	struct ks *block;

	if (!uses_outer(body, name))
		return body;
	block = ks_block(nest->mem);
	ks_add(nest->mem, block, ks_declare(nest->mem, ctype_const(CT_INT),
		name, value));
	ks_add(nest->mem, block, body);
	return block;
}

static struct ks *of_ast_for(const struct loop_nest *nest,
	__isl_keep isl_ast_node *node)
{
	struct region *r = nest->mem;
	struct kx *first = take_ast_expr(r, isl_ast_node_for_get_init(node));
	struct kx *name = take_ast_expr(r,
		isl_ast_node_for_get_iterator(node));
	int dim = dim_of_iterator(nest, name->name);
	bool real = isl_ast_node_for_is_degenerate(node) == isl_bool_false;
	struct kx *condition, *stride;
	struct ks *body, *loop;

	if (dim >= 0)
		nest->looped[dim] = real;
	body = take_ast_node(nest, isl_ast_node_for_get_body(node));
	if (dim >= 0)
		nest->looped[dim] = false;
	if (!real)
		return single_turn(nest, name->name, first, body);
	condition = take_ast_expr(r, isl_ast_node_for_get_cond(node));
	stride = take_ast_expr(r, isl_ast_node_for_get_inc(node));
	if (dim >= 0 && nest->first[dim])
		return thread_loop(nest, dim, name->name, first, condition,
			stride->ivalue, body);
	loop = ks_for(r, name->name, first, condition, stride, body);
	loop->unroll = nest->unroll;
	return loop;
}

static struct ks *of_ast_if(const struct loop_nest *nest,
	__isl_keep isl_ast_node *node)
{
	struct ks *then_body, *else_body = NULL;

	then_body = take_ast_node(nest, isl_ast_node_if_get_then_node(node));
	if (isl_ast_node_if_has_else_node(node) == isl_bool_true)
		else_body = take_ast_node(nest,
			isl_ast_node_if_get_else_node(node));
	return ks_if(nest->mem, take_ast_expr(nest->mem,
		isl_ast_node_if_get_cond(node)), then_body, else_body);
}

static struct ks *of_ast_block(const struct loop_nest *nest,
	__isl_keep isl_ast_node *node)
{
	isl_ast_node_list *list = isl_ast_node_block_get_children(node);
	struct ks *block = ks_block(nest->mem);

	for (int i = 0; i < isl_ast_node_list_n_ast_node(list); i++) {
		struct ks *scope = ks_scope(nest->mem);

		ks_add(nest->mem, scope, take_ast_node(nest,
			isl_ast_node_list_get_ast_node(list, i)));
		ks_add(nest->mem, block, scope);
	}
	isl_ast_node_list_free(list);
	return block;
}

/* "body" where "name" has "value": a number replaces the name, else "block"
 * declares it.
 */
static struct ks *with_value(struct region *r, struct ks *block,
	struct ks *body, const char *name, const struct kx *value)
{
	if (value->kind == KX_INT)
		return ks_with(r, body, name, value);
	if (ks_uses(body, name))
		ks_add(r, block, ks_declare(r, ctype_const(CT_INT), name,
			value));
	return body;
}

/* The body at P(c0, c1, ..).  A dimension with a single value needs no loop:
 * one of its threads does the work.  If the body needs the name of a dimension
 * whose value is known here, declare it.
 */
static struct ks *of_ast_user(const struct loop_nest *nest,
	__isl_keep isl_ast_node *node)
{
	struct region *r = nest->mem;
	isl_ast_expr *call = isl_ast_node_user_get_expr(node);
	struct ks *body, *block = ks_block(r);
	const struct kx *guard = NULL;

	for (int d = 0; nest->at && d < nest->n_dims; d++)
		nest->at[d] = operand(r, call, 1 + d);
	body = nest->body(nest->user);
	for (int d = 0; d < nest->n_dims; d++) {
		const struct kx *at = operand(r, call, 1 + d);
		bool has_name = at->kind == KX_NAME &&
			!strcmp(at->name, nest->iterator[d]);

		if (!has_name && !nest->looped[d])
			body = with_value(r, block, body, nest->iterator[d],
				at);
		if (nest->first[d] && !nest->looped[d])
			guard = kx_and(r, guard, kx_binary(r, OP_EQ,
				kx_name(r, nest->first[d]), kx_int(r, 0)));
	}
	isl_ast_expr_free(call);
	ks_add(r, block, body);
	return guard ? ks_if(r, guard, block, NULL) : block;
}

static struct ks *of_ast_node(const struct loop_nest *nest,
	__isl_keep isl_ast_node *node)
{
	switch (isl_ast_node_get_type(node)) {
	case isl_ast_node_for:
		return of_ast_for(nest, node);
	case isl_ast_node_if:
		return of_ast_if(nest, node);
	case isl_ast_node_block:
		return of_ast_block(nest, node);
	case isl_ast_node_mark:
		return take_ast_node(nest, isl_ast_node_mark_get_node(node));
	default:
		return of_ast_user(nest, node);
	}
}

/* { [c] -> KIND[dim] : c in set }, an isl option for a dimension */
static __isl_give isl_union_map *option(__isl_keep isl_set *set,
	const char *kind, int dim)
{
	isl_ctx *ctx = isl_set_get_ctx(set);
	isl_space *space = isl_space_set_alloc(ctx, 0, 1);
	isl_set *range = isl_set_universe(isl_space_set_tuple_name(space,
		isl_dim_set, kind));

	range = isl_set_fix_si(range, isl_dim_set, 0, dim);
	return isl_union_map_from_map(isl_map_from_domain_and_range(
		isl_set_universe(isl_set_get_space(set)), range));
}

/* Unroll straight dimensions, split the others so that no loop needs a
 * condition.
 */
static __isl_give isl_ast_build *set_options(__isl_take isl_ast_build *build,
	const struct loop_nest *nest, __isl_keep isl_set *set)
{
	isl_union_map *options;

	if (!nest->straight)
		return build;
	options = option(set, "separate", nest->n_dims - 1);
	for (int d = 0; d < nest->n_dims - 1; d++)
		options = isl_union_map_union(options, option(set,
			nest->straight[d] ? "unroll" : "separate", d));
	return isl_ast_build_set_options(build, options);
}

/* Where pieces overlap and one tests the parity of a size, isl's loops may run
 * for the wrong parity; loops over disjoint pieces do not.
 */
static __isl_give isl_set *without_overlaps(__isl_take isl_set *set)
{
	return isl_set_n_basic_set(set) > 1 &&
		isl_set_involves_locals(set) == isl_bool_true ?
		isl_set_make_disjoint(set) : set;
}

struct guarded {
	const struct loop_nest *nest;
	const struct kx *guard;	/* NULL: all points of the box */
};

static struct ks *guarded_body(void *user)
{
	const struct guarded *g = user;
	struct ks *body = g->nest->body(g->nest->user);

	return g->guard ? ks_if(g->nest->mem, g->guard, body, NULL) : body;
}

/* With more pieces with parities, isl takes minutes to separate them. */
enum { MOST_PIECES = 8 };

static bool has_many_parities(__isl_keep isl_set *set)
{
	return isl_set_n_basic_set(set) > MOST_PIECES &&
		isl_set_involves_locals(set) == isl_bool_true;
}

/* A box around "set", with bounds of its own. */
static __isl_give isl_set *box_around(__isl_take isl_set *set)
{
	set = isl_set_remove_divs(set);
	return isl_set_from_basic_set(isl_set_simple_hull(set));
}

static struct ks *loops_of_points(const struct loop_nest *nest,
	__isl_take isl_set *set, __isl_take isl_set *context)
{
	isl_ctx *ctx = set ? isl_set_get_ctx(set) : NULL;
	isl_id_list *iterators;
	isl_ast_build *build;
	struct loop_nest here = *nest;
	bool looped[1 + IR_MAX_DIMS] = { false };
	isl_union_map *schedule;
	isl_ast_node *node;

	if (!set) {
		isl_set_free(context);
		return ks_block(nest->mem);
	}
	iterators = isl_id_list_alloc(ctx, nest->n_dims);
	here.looped = looped;
	for (int d = 0; d < nest->n_dims; d++)
		iterators = isl_id_list_add(iterators,
			isl_id_alloc(ctx, nest->iterator[d], NULL));
	build = isl_ast_build_from_context(context);
	build = isl_ast_build_set_iterators(build, iterators);
	build = set_options(build, nest, set);
	set = isl_set_set_tuple_name(without_overlaps(set), "P");
	schedule = isl_union_map_from_map(isl_map_reset_tuple_id(
		isl_set_identity(set), isl_dim_out));
	node = isl_ast_build_node_from_schedule_map(build, schedule);
	isl_ast_build_free(build);
	return take_ast_node(&here, node);
}

/* Loops over a box around the set, with a condition. */
static struct ks *loops_of_box(const struct loop_nest *nest,
	__isl_take isl_set *set, __isl_take isl_set *context)
{
	isl_set *box = box_around(isl_set_copy(set));
	struct guarded g = { nest, kx_of_set(nest->mem, name_dims(set,
		nest->iterator), name_dims(isl_set_copy(box),
		nest->iterator)) };
	struct loop_nest guarded = *nest;

	guarded.body = guarded_body;
	guarded.user = &g;
	return loops_of_points(&guarded, box, context);
}

struct ks *loops_of_set(const struct loop_nest *nest,
	__isl_take isl_set *set, __isl_take isl_set *context)
{
	return !nest->straight && has_many_parities(set) ?
		loops_of_box(nest, set, context) :
		loops_of_points(nest, set, context);
}
