/* Reductions in the plain loops: the same values, joined in the same order. */
#include "codegen/host/harness-plain.h"
#include "codegen/host/reductions.h"

static const char *ends_name(const struct plain *p)
{
	return fresh_name(p->mem, p->prog, "ends");
}

const char *plain_done(const struct plain *p)
{
	return fresh_name(p->mem, p->prog, "done");
}

static const struct kx *result_at(const struct plain *p,
	const struct field *f, const struct kx *at)
{
	struct kx *x = kx_of_kind(p->mem, KX_INDEX, f->name, 1, &at);

	x->type = f->type;
	return x;
}

void plain_begin(const struct plain *p, struct ks *body)
{
	if (!p->prog->until)
		return;
	ks_add(p->mem, body, ks_declare(p->mem, ctype(CT_INT), ends_name(p),
		kx_int(p->mem, 0)));
	ks_add(p->mem, body, ks_declare(p->mem, ctype(CT_INT), plain_done(p),
		kx_int(p->mem, 0)));
	ks_add(p->mem, body, ks_assign(p->mem, result_at(p, p->prog->steps,
		kx_int(p->mem, 0)), kx_int(p->mem, 0)));
}

const struct kx *plain_goes_on(const struct plain *p)
{
	return p->prog->until ? kx_unary(p->mem, OP_NOT, kx_name(p->mem,
		ends_name(p))) : NULL;
}

/* Pieces ------------------------------------------------------------------- */

struct pieces {
	const struct plain *p;
	struct reduced reduced;
	const char *values, *count, *lane, *l, *from;
	struct binding binding;
};

static const struct kx *pieces_name(const struct pieces *s, const char *name)
{
	return kx_name(s->p->mem, name);
}

static const struct kx *lane_at(const struct pieces *s, const struct kx *l)
{
	struct kx *x = kx_of_kind(s->p->mem, KX_INDEX, s->lane, 1, &l);

	x->type = reduced_type(&s->reduced);
	return x;
}

static struct ks *loop(const struct pieces *s, const char *var,
	const struct kx *first, const struct kx *end, int step,
	struct ks *body)
{
	return ks_for(s->p->mem, var, first, kx_binary(s->p->mem, OP_LT,
		pieces_name(s, var), end), kx_int(s->p->mem, step), body);
}

/* { lanes = nothing; each point of the piece to a lane; values[count] = all lanes joined } */
static struct ks *one_piece(const struct pieces *s)
{
	struct region *mem = s->p->mem;
	const struct stmt *point = s->reduced.r->point;
	int last = point->n_dims - 1, extent = REDUCE_LANES;
	const struct kx *l = pieces_name(s, s->l);
	const struct kx *from = pieces_name(s, s->from);
	const struct kx *count = pieces_name(s, s->count);
	const struct kx *lanes = pieces_name(s, s->lane);
	const struct kx *x = pieces_name(s, point->iterator[last]);
	const struct kx *end = kx_add(mem, from, REDUCE_PIECE);
	struct ks *body = ks_block(mem);

	ks_add(mem, body, ks_array(mem, ctype_of(reduced_type(&s->reduced)),
		s->lane, 1, &extent, false, -1));
	ks_add(mem, body, loop(s, s->l, kx_int(mem, 0), kx_int(mem,
		REDUCE_LANES), 1, ks_assign(mem, lane_at(s, l), reduced_call(
			&s->reduced, B_NOTHING, 0, NULL))));
	ks_add(mem, body, ks_for(mem, point->iterator[last], from, kx_binary(
		mem, OP_AND, kx_binary(mem, OP_LT, x, end), kx_binary(mem,
			OP_LT, x, s->reduced.end[last])), kx_int(mem, 1),
		reduced_point(&s->reduced, lane_at(s, kx_binary(mem, OP_MOD,
			kx_binary(mem, OP_SUB, x, from), kx_int(mem,
				REDUCE_LANES))), s->binding)));
	ks_add(mem, body, ks_assign(mem, kx_of_kind(mem, KX_INDEX, s->values, 1,
		&count), reduced_call(&s->reduced, B_JOIN_LANES, 1, &lanes)));
	ks_add(mem, body, ks_assign(mem, count, kx_add(mem, count, 1)));
	return body;
}

static struct ks *all_pieces(const struct pieces *s)
{
	const struct stmt *point = s->reduced.r->point;
	int d = point->n_dims - 1;
	struct ks *nest = loop(s, s->from, s->reduced.first[d],
		s->reduced.end[d], REDUCE_PIECE, one_piece(s));

	while (--d >= 0)
		nest = loop(s, point->iterator[d], s->reduced.first[d],
			s->reduced.end[d], 1, nest);
	return nest;
}

static const struct kx *bytes_of_values(const struct pieces *s)
{
	struct region *mem = s->p->mem;
	const struct kx *rows = reduced_rows(&s->reduced, ctype(CT_SIZE));
	const struct kx *pieces = reduced_pieces(&s->reduced);

	return kx_binary(mem, OP_MUL, rows ? kx_binary(mem, OP_MUL, rows,
		pieces) : pieces, kx_sizeof(mem, ctype_of(reduced_type(
			&s->reduced))));
}

/* { values = malloc(..); count = 0; all pieces; e[at] = all values joined; free(values) } */
static struct ks *reduce(const struct pieces *s, const struct kx *at)
{
	struct region *mem = s->p->mem;
	const struct field *result = s->reduced.r->result;
	struct ctype type = ctype_pointer(scalar_of(reduced_type(&s->reduced)),
		false);
	const struct kx *arg[2] = { pieces_name(s, s->values),
		pieces_name(s, s->count) };
	struct ks *block = ks_scope(mem);

	block->braces = true;
	ks_add(mem, block, ks_declare(mem, type, s->values, kx_cast(mem, type,
		kx_builtin(mem, B_NEW_OR_END, 1, bytes_of_values(s)))));
	ks_add(mem, block, ks_declare(mem, ctype(CT_SIZE), s->count, kx_int(mem,
		0)));
	ks_add(mem, block, all_pieces(s));
	ks_add(mem, block, ks_assign(mem, result_at(s->p, result, at),
		kx_cast(mem, ctype_of(result->type), reduced_call(&s->reduced,
			B_JOIN_ALL, 2, arg))));
	ks_add(mem, block, ks_expression(mem, KS_EXPRESSION, kx_builtin(mem,
		B_DELETE, 1, pieces_name(s, s->values))));
	return block;
}

/* Steps -------------------------------------------------------------------- */

/* The number of the current step, from 1. */
static const struct kx *number(const struct plain *p)
{
	return kx_add(p->mem, kx_name(p->mem, p->names->time), 1);
}

static const struct kx *is_due(const struct plain *p,
	const struct reduction *r)
{
	return kx_binary(p->mem, OP_EQ, kx_binary(p->mem, OP_MOD, number(p),
		kx_int(p->mem, r->every)), kx_int(p->mem, 0));
}

static const struct kx *is_last(const struct plain *p)
{
	return kx_binary(p->mem, OP_EQ, number(p), kx_name(p->mem, p->steps));
}

static void reduce_where(const struct pieces *s, struct ks *step,
	bool at_end)
{
	const struct plain *p = s->p;
	const struct reduction *r = s->reduced.r;
	const struct kx *where, *at = kx_int(p->mem, 0);

	if (at_end) {
		where = is_last(p);
		if (p->prog->until)
			where = kx_binary(p->mem, OP_OR, where, kx_name(p->mem,
				ends_name(p)));
	} else if (r->result->is_scalar) {
		where = kx_binary(p->mem, OP_OR, is_due(p, r), is_last(p));
	} else {
		where = is_due(p, r);
		at = kx_add(p->mem, kx_binary(p->mem, OP_DIV, number(p),
			kx_int(p->mem, r->every)), -1);
	}
	ks_add(p->mem, step, ks_if(p->mem, where, reduce(s, at), NULL));
}

/* The reductions that somebody sees before the end, or the others. */
static void reduce_some(const struct plain *p, const struct host *h,
	struct ks *step, struct binding b, bool at_end)
{
	for (int i = 0; i < p->prog->n_reductions; i++) {
		struct pieces s = { .p = p, .reduced = reduced_of(h, i),
			.values = fresh_name(p->mem, p->prog, "values"),
			.count = fresh_name(p->mem, p->prog, "count"),
			.lane = fresh_name(p->mem, p->prog, "lane"),
			.l = fresh_name(p->mem, p->prog, "l"),
			.from = fresh_name(p->mem, p->prog, "from"),
			.binding = b };

		if (!p->prog->reduction[i]->is_check &&
		    reduction_is_seen(p->prog, p->prog->reduction[i]) !=
		    at_end)
			reduce_where(&s, step, at_end);
	}
}

static const struct kx *known_result(const struct binding *b,
	const struct expr *e)
{
	return e->kind == EXPR_ELEMENT ? result_at(b->user, e->field,
		kx_int(b->mem, 0)) : NULL;
}

static const struct kx *ends(const struct plain *p)
{
	struct binding b = { .mem = p->mem, .prog = p->prog,
		.known = known_result, .user = p, .exact = true };
	const struct kx *all = NULL;

	for (int i = 0; i < p->prog->n_reductions; i++)
		if (result_ends_loop(p->prog, p->prog->reduction[i]->result))
			all = kx_and(p->mem, all, is_due(p,
				p->prog->reduction[i]));
	return kx_and(p->mem, all, kx_of_expr(&b, p->prog->until));
}

void plain_reduce(const struct plain *p, struct ks *step,
	const struct kx *(*read)(const struct binding *b,
		const struct access *acc))
{
	const struct host h = { .mem = p->mem, .prog = p->prog,
		.names = p->names };
	struct binding b = { .mem = p->mem, .prog = p->prog,
		.time = kx_name(p->mem, p->names->time), .read = read,
		.user = p, .exact = true, .element = ELEMENT_OF_ROW };

	reduce_some(p, &h, step, b, false);
	if (p->prog->until) {
		const struct kx *done = kx_name(p->mem, plain_done(p));

		ks_add(p->mem, step, ks_assign(p->mem, kx_name(p->mem,
			ends_name(p)), ends(p)));
		ks_add(p->mem, step, ks_assign(p->mem, done, number(p)));
		ks_add(p->mem, step, ks_assign(p->mem, result_at(p,
			p->prog->steps, kx_int(p->mem, 0)), done));
	}
	reduce_some(p, &h, step, b, true);
}
