/* The comment on a kernel of tiles; the row of tiles in the table of forms. */
#include "codegen/forms.h"
#include "codegen/tile.h"

/* The first state, among those with boxes if there are any. */
static const struct field *first_state(const struct plan *plan)
{
	const struct program *prog = plan->scop->prog;
	const struct field *first = NULL;

	for (int i = prog->n_fields - 1; i >= 0; i--)
		if (prog->field[i]->kind == FIELD_STATE &&
		    (!first || plan_is_shared(plan, prog->field[i]) ||
		     !plan_is_shared(plan, first)))
			first = prog->field[i];
	return first;
}

/* How the straight code of full tiles names values and cells, by example. */
static void describe_names(const struct place *p, struct text *t)
{
	const struct plan *plan = p->plan;
	const char *const *point = p->names->point;
	const struct field *state = first_state(plan);
	bool planes = plan->n_dims == 3;
	const char *f;

	if (!state || plan->n_dims > 3)
		return;
	f = state->name;
	if (plan->n_dims == 1) {
		text_printf(t, "\nIn full tiles %s3_4 is version 3 (of local "
			"time) of %s at tx + 4 of its box.", f, f);
		if (plan->opt.shared)
			text_printf(t, "\n%s_copy1[5] is the cell of %s for "
				"%s_tile[1][tx + 5].", f, f, f);
		return;
	}
	if (!plan->tiles.rolled)
		text_printf(t, "\nIn full tiles %s3_4_%s5 is version 3 (of "
			"local time) of %s at (4, %stx + 5)\nof its box.", f,
			planes ? "1_" : "", f, planes ? "ty + 1, " : "");
	if (!plan->opt.shared)
		return;
	text_printf(t, "\n%s_copy1[4 * %s_d%s + ", f, f, point[0]);
	if (planes)
		text_printf(t, "%s_d%s + ", f, point[1]);
	text_printf(t, "5] is the cell of %s for %s_tile[1][4]%s[tx + 5].",
		f, f, planes ? "[ty + 1]" : "");
}

/* Tile (T - S_e, S_e) is a skewed rectangle of wavefront T. */
static void skewed_comment(const struct place *p, struct text *t)
{
	const struct plan *plan = p->plan;
	const struct hexagon *x = &plan->tiles.hexagon;
	const char *tile = p->names->tile[plan->tiles.hex_dim];

	text_printf(t, "Block %s executes tile (%s - %s, %s) of wavefront %s, "
		"a skewed\nrectangle in (%s, %s): %d step%s of %d points, "
		"delta1 = %lld/%lld:\n\n", tile, p->names->tt, tile, tile,
		p->names->tt, p->names->time,
		p->names->point[plan->tiles.hex_dim], x->h, x->h > 1 ? "s" : "",
		x->w0, (long long) x->delta1.num, (long long) x->delta1.den);
	hexagon_draw(t, x);
}

static void hexagon_comment(const struct place *p, struct text *t)
{
	const struct plan *plan = p->plan;
	const struct hexagon *x = &plan->tiles.hexagon;

	text_printf(t, "Block S0 executes hexagon (%s, S0) of a phase in (%s, "
		"%s),\n", p->names->tt, p->names->time,
		p->names->point[plan->tiles.hex_dim]);
	text_printf(t, "h = %d, w0 = %d, delta0 = %lld/%lld, delta1 = "
		"%lld/%lld:\n\n", x->h, x->w0,
		(long long) x->delta0.num, (long long) x->delta0.den,
		(long long) x->delta1.num, (long long) x->delta1.den);
	hexagon_draw(t, x);
}

/* One step of statement "index", or all of it. */
static void block_comment(const struct place *p, struct text *t, int index)
{
	const struct plan *plan = p->plan;
	int dim = plan->n_dims < 3 ? plan->n_dims - 1 : 2;
	int points = plan->pitch[0] / plan->threads[dim];

	text_printf(t, "%s statement %d; each thread computes ",
		p->unit->prog->timed ? "One step of" : "All of", index);
	if (points > 1)
		text_printf(t, "%d points along %s.", points,
			p->names->point[0]);
	else
		text_puts(t, "one point.");
}

static void describe(struct text *t, const struct place *p, int index)
{
	const struct plan *plan = p->plan;

	if (plan->tiles.hex_dim < 0)
		block_comment(p, t, index);
	else if (plan->tiles.diagonal)
		skewed_comment(p, t);
	else
		hexagon_comment(p, t);
	if (plan->tiles.straight && plan->tiles.hex_dim >= 0)
		describe_names(p, t);
}

/* Registers for the values that a point of the plan reads and for loads on their way; where
 * boundaries stand in for reads, for addresses, too.  Few registers and many threads are faster
 * even where they spill a little: wave3d takes 73 ms with 64, 102 with 128; in double, where
 * 64 spill 216 bytes, 112 and 107.
 */
static int registers_of_point(const struct plan *plan)
{
	enum { FEW_WORDS = 56, SOME_WORDS = 96 };
	const struct program *prog = plan->scop->prog;
	bool mapped = false;
	int words = 0;

	for (int i = 0; i < plan->scop->n_stmts; i++)
		mapped = mapped || plan->scop->stmt[i].is_mapped;
	for (int i = 0; i < prog->n_stmts; i++)
		if (tile_has(plan, i)) {
			const struct stmt *s = prog->stmt[i];
			int bytes = type_size(s->write->field->type);

			words = larger(words, s->n_reads * larger(bytes, 4) / 4);
		}
	words += mapped ? words / 2 : 0;
	return words <= FEW_WORDS ? 64 : words <= SOME_WORDS ? 128 : 256;
}

/* A thread that reads registers, not shared memory, may have all that it needs.  Threads that
 * share nothing must be many, to hide the latency of their loads.
 */
static int min_blocks(const struct plan *plan)
{
	enum { REGISTERS = 65536 };	/* of a multiprocessor */
	int threads = plan->threads[0] * plan->threads[1] * plan->threads[2];

	if (!plan->tiles.straight)
		return 0;
	return !plan_threads_are_apart(plan) ? 1 : larger(1, REGISTERS /
		(threads * registers_of_point(plan)));
}

/* Hexagons reach cells by pointers of their own, see relative.c. */
static void finish(const struct place *p, struct kfunc *f)
{
	if (!plan_has_hexagons(p->plan))
		reach_near_cells(p, f);
}

const struct form_code tiles_code = {
	.tile = tile_of_block, .declare_memory = tile_declare_memory,
	.describe = describe, .min_blocks = min_blocks,
	.finish = finish,
	.least_padded_dims = 2,
};
