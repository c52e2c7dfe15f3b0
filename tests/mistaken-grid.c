/* Mistakes of tiles on one grid: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"
#include "schedule/onegrid.h"

/* A plan's numbers, which the code is made of. */
void change_grid(struct one_grid *g)
{
	if (is_planted("grid-skewed-too-little"))
		g->skew[0]--;
	if (is_planted("grid-skewed-too-little-along-rows"))
		g->skew[1]--;
	if (is_planted("grid-written-over-too-early"))
		g->shift[0]--;
	if (is_planted("grid-written-over-too-early-along-rows"))
		g->shift[1]--;
}

static bool is_loop(const struct ks *s)
{
	return s->kind == KS_FOR;
}

static bool is_call(const struct ks *s)
{
	return s->kind == KS_EXPRESSION && s->x[0]->kind == KX_CALL;
}

static struct kfunc *function(const struct kunit *unit, const char *suffix)
{
	return unit_function(unit, region_printf(unit->mem, "%s_run%s",
		unit->prog->name, suffix));
}

static void exchange(struct ks *block, int a, int b)
{
	struct ks *s = block->child[a];

	block->child[a] = block->child[b];
	block->child[b] = s;
}

static void exchange_calls(struct ks *a, struct ks *b)
{
	const struct kx *x = a->x[0];

	a->x[0] = b->x[0];
	b->x[0] = x;
}

static struct ks *statement_of_call(const struct kunit *unit, int number)
{
	return statement_where(function(unit, "_tile")->body, is_call, number);
}

/* Call "number" of a tile: take, keep_first, rows, keep_last, give. */
static struct kx *call(const struct kunit *unit, int number)
{
	return (struct kx *) statement_of_call(unit, number)->x[0];
}

static void add_to(const struct kunit *unit, const struct kx **x, int by)
{
	*x = kx_add(unit->mem, *x, by);
}

static bool is_cell(const struct kx *x)
{
	return x->kind == KX_INDEX;
}

/* The array that argument "i" of call "number" lies in moves "by" along "d". */
static void move_version(const struct kunit *unit, int number, int i, int d, int by)
{
	struct kx *at = find_in(call(unit, number)->arg[i], is_cell);

	add_to(unit, &at->arg[d], by);
}

static int n_arguments(const struct kunit *unit, int number)
{
	return call(unit, number)->n_args;
}

static void change_tile(const struct kunit *unit)
{
	struct kfunc *tile = function(unit, "_tile");
	enum { TAKE, KEEP_FIRST, ROWS, KEEP_LAST, GIVE };

	if (is_planted("grid-takes-a-row-less"))
		add_to(unit, &call(unit, TAKE)->arg[n_arguments(unit, TAKE) - 3],
			-1);
	if (is_planted("grid-takes-another-version"))
		move_version(unit, TAKE, n_arguments(unit, TAKE) - 2, 0, -1);
	if (is_planted("grid-gives-another-version"))
		move_version(unit, GIVE, n_arguments(unit, GIVE) - 2, 1, 1);
	if (is_planted("grid-reads-another-version"))
		move_version(unit, ROWS, n_arguments(unit, ROWS) - 2, 0, -1);
	if (is_planted("grid-keeps-another-version"))
		move_version(unit, KEEP_LAST, n_arguments(unit, KEEP_LAST) - 1, 1,
			1);
	if (is_planted("grid-keeps-before-rows"))
		exchange_calls(statement_of_call(unit, ROWS),
			statement_of_call(unit, KEEP_LAST));
	if (is_planted("grid-keeps-after-rows"))
		exchange_calls(statement_of_call(unit, ROWS),
			statement_of_call(unit, KEEP_FIRST));
	if (is_planted("grid-lacks-a-step"))
		((struct kx *) statement_where(tile->body, is_loop, 0)->x[1])->
			op = OP_LT;
}

static void change_cells(const struct kunit *unit)
{
	struct kfunc *keep = function(unit, "_keep_last");
	struct kfunc *take = function(unit, "_take");

	if (is_planted("grid-keeps-in-another-order"))
		exchange(keep->body, 0, 2);
	if (is_planted("grid-keeps-too-little"))
		((struct kx *) statement_where(keep->body, is_loop, 1)->x[0])->
			arg[0] = kx_int(unit->mem, 2);
	if (is_planted("grid-takes-shorter-rows"))
		add_to(unit, (const struct kx **) &statement_where(take->body,
			is_loop, 2)->x[1]->arg[1], -1);
}

static bool is_after(const struct ks *s)
{
	return s->kind == KS_DIRECTIVE && s->directive.kind == OMP_AFTER;
}

/* Those that show with one thread, too, and those that do not. */
static void change_all_tiles(const struct kunit *unit)
{
	struct kfunc *run = function(unit, "");

	if (is_planted("grid-lacks-the-last-tile"))
		add_to(unit, (const struct kx **) &statement_where(run->body,
			is_loop, 2)->x[1]->arg[1], -1);
	if (is_planted("grid-lacks-the-last-strip"))
		add_to(unit, (const struct kx **) &statement_where(run->body,
			is_loop, 1)->x[1]->arg[1], -1);
	if (is_planted("grid-bands-overlap"))
		add_to(unit, &statement_where(run->body, is_loop, 0)->x[2], -1);
	if (is_planted("grid-waits-for-no-tile"))
		statement_where(run->body, is_after, 0)->directive.kind = OMP_DONE;
	if (is_planted("grid-waits-for-another-tile"))
		statement_where(run->body, is_after, 0)->directive.after[0] =
			statement_where(run->body, is_after, 0)->directive.after[1];
}

void change_grids(const struct kunit *unit)
{
	if (!function(unit, "_take"))
		return;
	change_tile(unit);
	change_cells(unit);
	change_all_tiles(unit);
}
