/* Nests of loops over rows by vectors. */
#include <string.h>

#include "codegen/hex/rows.h"

/* Call the function of vectors for cells first .. last of a row. */
struct call_of_vectors {
	const struct cpu_hex *x;
	const struct kx *row, *first, *last;	/* "row": where it is, or NULL */
};

static const struct kx *argument_of_vectors(const void *user, const char *param)
{
	const struct call_of_vectors *call = user;
	const struct cpu_hex *x = call->x;

	if (!strcmp(param, rows_name(x, "%s_first")))
		return call->first;
	if (!strcmp(param, rows_name(x, "%s_last")))
		return call->last;
	return !strcmp(param, x->names->point[x->n_dims - 2]) ? call->row :
		NULL;
}

static const struct kx *last_of_loop(const struct cpu_hex *x,
	const struct ks *loop)
{
	return kx_add(x->h->mem, loop->x[1]->arg[1], loop->x[1]->op == OP_LT ?
		-1 : 0);
}

/* "f" for row "row", or NULL: the row at hand, from the loop "inner" over its cells. */
static struct ks *call_vectors(const struct cpu_hex *x, const struct kfunc *f,
	const struct ks *inner, const struct kx *row)
{
	struct call_of_vectors call = { x, row, inner->x[0],
		last_of_loop(x, inner) };

	return ks_expression(x->h->mem, KS_EXPRESSION, kfunc_call(x->h->mem, f,
		argument_of_vectors, &call));
}

static bool is_loop(const struct ks *s)
{
	return s->kind == KS_FOR && kx_is_int(s->x[2], 1) &&
		s->x[1]->kind == KX_BINARY && (s->x[1]->op == OP_LE ||
			s->x[1]->op == OP_LT) &&
		s->x[1]->arg[0]->kind == KX_NAME;
}

bool cpu_hex_takes_vectors(struct cpu_hex *x, const struct ks *row)
{
	const struct ks *assign;

	if (x->n_dims < 2 || x->c.mapped || x->c.stmt->is_copy ||
	    !is_loop(row) || strcmp(row->name, rows_innermost(x)) != 0)
		return false;
	assign = vector_assignment(x->h->mem, only_child(row->child[0]));
	if (!assign || !vector_is_at_point(x, assign->x[0]))
		return false;
	return x->vectors.stmt == x->c.stmt ? x->vectors.assign != NULL :
		rows_plan(x, assign);
}

struct ks *cpu_hex_vector_row(struct cpu_hex *x, const struct ks *row)
{
	return call_vectors(x, rows_function(x, 1), row, NULL);
}

/* How many rows are computed at a time; where processors decide it, declared in "block". */
static const struct kx *rows_at_a_time(const struct cpu_hex *x, struct ks *block)
{
	const struct host *h = x->h;
	const struct kx *n = integer(h, x->vectors.n_rows);
	const char *together = fresh_name(h->mem, h->prog, "together");

	if (!x->vectors.keep && !x->vectors.sums)
		return n;
	host_declare_int(h, block, together, kx_select(h->mem, kx_builtin(h->mem,
		W_SHIFTS, 0), n, integer(h, x->vectors.keep ? ROWS_THAT_KEEP :
			CPU_HEX_ROWS)));
	return name(h, together);
}

/* "all" rows of a group are there, and pay: in three dimensions only where each of them loads its
 * cells once.  Else processors foresee what single rows need, not what two rows of several planes do.
 */
static const struct kx *where_several_pay(const struct cpu_hex *x,
	const struct kx *all)
{
	if (x->vectors.sums)
		return kx_and(x->h->mem, kx_unary(x->h->mem, OP_NOT, kx_builtin(
			x->h->mem, W_SHIFTS, 0)), all);
	return x->n_dims == 2 ? all : kx_and(x->h->mem, kx_builtin(x->h->mem,
		W_SHIFTS, 0), all);
}

/* All rows from the one at hand on. */
static struct ks *several_rows(struct cpu_hex *x, const struct ks *inner)
{
	const struct host *h = x->h;
	struct ks *rows;

	if (x->vectors.sums)
		return call_vectors(x, rows_of_sums(x), inner, NULL);
	rows = call_vectors(x, rows_function(x, x->vectors.n_rows), inner, NULL);
	if (x->vectors.lines)
		return ks_if(h->mem, kx_builtin(h->mem, W_HALVES, 0),
			call_vectors(x, rows_of_lines(x), inner, NULL), rows);
	return !x->vectors.keep ? rows : ks_if(h->mem, kx_builtin(h->mem,
		W_SHIFTS, 0), rows, call_vectors(x, rows_that_keep(x), inner,
			NULL));
}

/* The rows left over by groups of "n", one by one. */
static struct ks *rows_left(struct cpu_hex *x, const struct ks *outer,
	const struct ks *inner, const struct kx *n)
{
	const struct host *h = x->h;
	const struct kx *row = name(h, x->row[0]), *last = kx_min(h->mem,
		kx_add(h->mem, op(h, OP_ADD, name(h, outer->name), n), -1),
		last_of_loop(x, outer));

	return ks_for(h->mem, x->row[0], name(h, outer->name), op(h, OP_LE,
		row, last), integer(h, 1), call_vectors(x, rows_function(x,
			1), inner, row));
}

struct ks *cpu_hex_vector_rows(struct cpu_hex *x, const struct ks *outer)
{
	const struct host *h = x->h;
	const struct ks *inner = only_child(outer->child[0]);
	const struct kx *row = name(h, outer->name), *last = outer->x[1];
	struct ks *block = ks_scope(h->mem);
	const struct kx *all, *room, *n;

	if ((x->vectors.n_rows < 2 && !x->vectors.sums) || !is_loop(outer) ||
	    kx_uses(inner->x[0], outer->name) ||
	    kx_uses(inner->x[1], outer->name))
		return NULL;
	n = rows_at_a_time(x, block);
	all = op(h, last->op, kx_add(h->mem, op(h, OP_ADD, row, n), -1),
		last->arg[1]);
	room = op(h, OP_GE, kx_add(h->mem, op(h, OP_SUB, last_of_loop(x,
		inner), inner->x[0]), 1), vector_lanes(x));
	ks_add(h->mem, block, ks_for(h->mem, outer->name, outer->x[0], last, n,
		ks_if(h->mem, kx_and(h->mem, where_several_pay(x, all), room),
			several_rows(x, inner),
			rows_left(x, outer, inner, n))));
	return x->vectors.keep || x->vectors.sums ? block : block->child[0];
}
