/* Nodes of the tree of a region. */
#include "frontend/c/ctree.h"

bool c_op_compares(int op)
{
	return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE ||
		op == OP_EQ || op == OP_NE;
}

struct c_expr *c_leaf(struct region *mem, enum c_kind kind, enum c_type type,
	struct span at)
{
	struct c_expr *e = region_new_of(mem, struct c_expr);

	e->kind = kind;
	e->type = type;
	e->op = C_OP_NONE;
	e->at = at;
	return e;
}

struct c_expr *c_variable(struct region *mem, const struct c_decl *d,
	enum c_type type, struct span at)
{
	struct c_expr *e = c_leaf(mem, CX_VAR, type, at);

	e->decl = (struct c_decl *) d;
	return e;
}

struct c_expr *c_node(struct region *mem, enum c_kind kind, enum c_type type,
	int n_args, struct c_expr *const *arg, struct span at)
{
	struct c_expr *e = c_leaf(mem, kind, type, at);

	e->n_args = n_args;
	e->arg = region_array(mem, struct c_expr *, n_args);
	for (int i = 0; i < n_args; i++)
		e->arg[i] = arg[i];
	return e;
}

struct c_expr *c_binary(struct region *mem, int op, enum c_type type,
	struct c_expr *a, struct c_expr *b, struct span at)
{
	struct c_expr *const arg[2] = { a, b };
	struct c_expr *e = c_node(mem, CX_BINARY, type, 2, arg, at);

	e->op = op;
	return e;
}

struct c_expr *c_converted(struct region *mem, struct c_expr *value,
	enum c_type type)
{
	return value->type == type ? value : c_node(mem, CX_CAST, type, 1,
		&value, value->at);
}
