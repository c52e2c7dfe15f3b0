/* Mistakes of strips at the sides of the grid, which store their rims, too: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/codegen.h"
#include "codegen/tree/tree.h"

/* const int NAME = condition ? at a side : elsewhere */
static struct kx *choice_of(const struct ks *s, const char *name)
{
	return s->kind == KS_DECLARE && !strcmp(s->name, name) && s->n_x > 0 &&
		s->x[0]->kind == KX_SELECT ? (struct kx *) s->x[0] : NULL;
}

/* floor(max(last - rims, 0) / pitch), of the host */
static struct kx *last_strip(const struct ks *s, const char *name)
{
	return s->kind == KS_DECLARE && !strcmp(s->name, name) && s->n_x > 0 &&
		s->x[0]->kind == KX_BUILTIN &&
		s->x[0]->builtin == B_FLOOR_DIV &&
		s->x[0]->arg[0]->kind == KX_BUILTIN ? (struct kx *) s->x[0] :
		NULL;
}

static void change_rows_stored(struct region *mem, const struct ks *s)
{
	struct kx *begin = choice_of(s, "stored_row");
	struct kx *end = choice_of(s, "stored_row_end");

	if (begin && is_planted("first-strip-without-its-rim"))
		begin->arg[1] = begin->arg[2];
	if (begin && is_planted("strips-store-rows-before-their-own"))
		begin->arg[2] = kx_add(mem, begin->arg[2], -1);
	if (begin && is_planted("second-strip-with-a-rim"))
		((struct kx *) begin->arg[0])->arg[1] = kx_add(mem,
			begin->arg[0]->arg[1], 3);
	if (end && is_planted("last-strip-without-its-rim"))
		end->arg[1] = end->arg[2];
}

static void change_columns_stored(struct region *mem, const struct ks *s)
{
	struct kx *end = choice_of(s, "stored_column_end");

	if (end && is_planted("last-strip-too-early"))
		((struct kx *) end->arg[0])->arg[1] = kx_add(mem,
			end->arg[0]->arg[1], -1);
	if (end && is_planted("last-strip-too-late"))
		((struct kx *) end->arg[0])->arg[1] = kx_add(mem,
			end->arg[0]->arg[1], 1);
}

static void change_strips_launched(struct region *mem, const struct ks *s)
{
	struct kx *last = last_strip(s, "S1_last");

	if (last && is_planted("a-strip-beyond-the-last"))
		last->arg[0] = kx_binary(mem, OP_ADD, last->arg[0], last->arg[1]);
	if (last && is_planted("last-strip-not-launched"))
		((struct kx *) last->arg[0])->arg[0] = kx_add(mem,
			last->arg[0]->arg[0], -1);
}

/* The row or column of tiles for a turn, times its width and behind a rim: of "s", which declares an
 * origin.
 */
static struct kx *tile_of_turn(const struct ks *s, enum builtin which)
{
	const struct kx *x = s->kind == KS_DECLARE && s->n_x ? s->x[0] : NULL;

	x = x && x->kind == KX_BINARY && x->op == OP_ADD ? x->arg[0] : NULL;
	return x && x->kind == KX_BINARY && x->op == OP_MUL &&
		x->arg[0]->kind == KX_BUILTIN && x->arg[0]->builtin == which ?
		(struct kx *) x->arg[0] : NULL;
}

static void exchange(struct kx *x, int i, int j)
{
	const struct kx *other = x->arg[i];

	x->arg[i] = x->arg[j];
	x->arg[j] = other;
}

static void change_turns(struct region *mem, const struct ks *s)
{
	struct kx *row = tile_of_turn(s, B_ROW_OF_TURN);
	struct kx *column = tile_of_turn(s, B_COLUMN_OF_TURN);

	if (row && is_planted("turns-of-other-lines"))
		exchange(row, 0, 1);
	if (row && is_planted("rows-of-fewer-turns"))
		row->arg[2] = kx_add(mem, row->arg[2], -1);
	if (column && is_planted("columns-of-other-turns"))
		exchange(column, 2, 3);
	if (column && is_planted("row-for-column"))
		column->builtin = B_ROW_OF_TURN;
}

static void change_all(struct region *mem, const struct ks *s)
{
	change_turns(mem, s);
	change_rows_stored(mem, s);
	change_columns_stored(mem, s);
	change_strips_launched(mem, s);
	for (int i = 0; i < s->n_children; i++)
		change_all(mem, s->child[i]);
}

void change_rims(const struct kunit *unit)
{
	for (const struct kfunc *f = unit->first; f; f = f->next)
		change_all(unit->mem, f->body);
}
