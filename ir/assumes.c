/* What the program of a block may take for granted. */
#include "ir/blocks.h"
#include "ir/reduction.h"

static void note_time(void *user, const struct expr *e)
{
	bool *uses_time = user;

	*uses_time |= e->kind == EXPR_TIME;
}

static bool uses_time(const struct program *p)
{
	bool uses = false;

	for (int i = 0; i < p->n_stmts; i++) {
		stmt_each_expr(p->stmt[i], note_time, &uses);
		stmt_each_listed_expr(p->stmt[i], note_time, &uses);
		stmt_each_boundary_expr(p->stmt[i], note_time, &uses);
	}
	return uses;
}

static void assume(struct region *r, struct program *to, enum op op,
	const struct expr *a, const struct expr *b)
{
	to->assume[to->n_assumes++] = expr_binary(r, op, a, b, to->at);
}

/* Which step it is decides what inputs by step are read: steps keep the program's numbers. */
static void assume_steps(struct region *r, const struct blocks *b,
	struct program *to)
{
	if (!b->whole->timed || b->whole->waves || !uses_time(b->whole))
		return;
	assume(r, to, OP_LE, program_begin(b->whole), to->begin);
	assume(r, to, OP_LE, to->end, program_end(b->whole));
}

/* .. so do a segment's, where steps are those of waves. */
static void assume_segment(struct region *r, const struct blocks *b,
	struct program *to)
{
	const struct segments *s = b->whole->segments;

	if (!b->whole->waves || !s)
		return;
	assume(r, to, OP_LE, s->whole_begin, expr_param(r, s->first, to->at));
	assume(r, to, OP_LE, expr_param(r, s->end, to->at), s->whole_end);
}

static bool conditions_use(const struct program *prog,
	const struct param *param)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_conditions; j++)
			if (expr_uses(prog->stmt[i]->condition[j], param))
				return true;
	return false;
}

/* Where conditions ask for places in the grid, statements share its points as the block lies in
 * it: at a wall, say, and inside.
 */
static void assume_places(struct region *r, const struct blocks *b,
	struct program *to)
{
	for (int k = 0; k < b->n_dims; k++) {
		const struct block_dim *d = &b->dim[k];
		const struct expr *origin = expr_param(r, d->origin, to->at);

		if (d->is_around || !conditions_use(to, d->origin))
			continue;
		assume(r, to, OP_GE, origin, expr_int(r, 0, to->at));
		assume(r, to, OP_LE, expr_binary(r, OP_ADD, origin,
			expr_param(r, d->extent, to->at), to->at), d->size);
	}
}

void blocks_assume(struct region *r, const struct blocks *b,
	struct program *to)
{
	to->assume = region_array(r, const struct expr *,
		b->whole->n_assumes + 4 + 2 * BLOCKS_MAX_DIMS);
	for (int i = 0; i < b->whole->n_assumes; i++)
		to->assume[i] = b->whole->assume[i];
	assume_steps(r, b, to);
	assume_segment(r, b, to);
	assume_places(r, b, to);
}
