/* Strips of register streaming: each lane copies what iterations load to shared memory, a
 * period earlier and for itself (cp.async), so that no lane waits for another:
 *
 *	wait for all groups of copies but the last period - 1
 *	registers = A_ahead[warp][version][u]
 *	A_ahead[warp][version][u] <- row n + u + period
 *	commit this group
 *
 * Or an iteration less, where nothing is read in the iteration that loads it:
 *
 *	A_ahead[warp][version][u - 1] <- row n + u + period - 1
 *	commit this group
 *	wait for all groups of copies but the last period - 1
 *	registers = A_ahead[warp][version][u]
 *
 * Where a guard skips a cell, its place keeps the old value. strips/bulk.c copies whole rows
 * instead, where no guards are needed.
 */
#include "codegen/strips/ahead.h"

enum { WIDEST_BYTES = 16 };

static const char *ahead_name(const struct strip *p, const struct field *f)
{
	return strip_name(p, f, "ahead");
}

struct ks *strip_ahead_array(const struct strip *p, const struct field *f,
	int64_t offset)
{
	int extent[5] = { p->s->warps, f->depth, p->s->period }, n = 3;
	struct ks *array;

	if (p->s->dim.row >= 0)
		extent[n++] = p->s->rows;
	extent[n++] = p->s->lanes * p->s->cells;
	array = ks_array(p->mem, ctype_of(f->type), ahead_name(p, f), n,
		extent, true, offset);
	array->is_aligned = true;
	return array;
}

/* A_ahead[ty][behind][turn][r][4*tx + cell] */
static const struct kx *place_of_cell(const struct strip *p,
	const struct field *f, int behind, const struct kx *turn,
	const struct kx *cell)
{
	struct kx *x;
	const struct kx *arg[5] = {
		named(p, p->names->lanes.thread[1]), integer(p, behind),
			turn,
	};
	int n = 3;

	if (p->s->dim.row >= 0)
		arg[n++] = p->r;
	arg[n++] = op(p, OP_ADD, op(p, OP_MUL, integer(p, p->s->cells),
		named(p, p->names->lanes.thread[0])), cell);
	x = kx_of_kind(p->mem, KX_INDEX, ahead_name(p, f), n, arg);
	x->type = f->type;
	return x;
}

const struct kx *strip_ahead_place(const struct strip *p,
	const struct field *f, int behind, int cell)
{
	return kx_address(p->mem, place_of_cell(p, f, behind, p->u,
		integer(p, cell)));
}

/* The place that the iteration fills: that of the one for which it copies. */
static const struct kx *place_to_fill(const struct strip *p,
	const struct field *f, int behind, const struct kx *cell)
{
	return place_of_cell(p, f, behind, strip_turn_of_age(p,
		p->s->period - p->s->ahead.rows), cell);
}

/* Copy "n" cells to the lane's place from "cell" on. */
static struct ks *copy_piece(const struct strip *p, const struct field *f,
	const struct kx *to, const struct kx *from, int n)
{
	const struct ctype type = { .scalar = scalar_of(f->type),
		.lanes = n > 1 ? n : 0 };

	return ks_expression(p->mem, KS_EXPRESSION, kx_builtin(p->mem,
		B_COPY_AHEAD, 3, kx_address(p->mem, to), from,
		kx_sizeof(p->mem, type)));
}

struct ks *strip_copy_cell_ahead(const struct strip *p, const struct field *f,
	int behind, const struct kx *from)
{
	return copy_piece(p, f, place_to_fill(p, f, behind, p->c),
		kx_address(p->mem, from), 1);
}

/* In pieces that the hardware can copy. */
struct ks *strip_copy_cells_ahead(const struct strip *p, const struct field *f,
	int behind, const struct kx *from)
{
	int bytes = p->s->cells * type_size(f->type);
	int pieces = bytes > WIDEST_BYTES ? bytes / WIDEST_BYTES : 1;
	int cells = p->s->cells / pieces;
	struct ks *block = ks_block(p->mem);

	for (int i = 0; i < pieces; i++)
		ks_add(p->mem, block, copy_piece(p, f, place_to_fill(p, f,
			behind, integer(p, i * cells)), kx_add(p->mem, from,
			i * cells), cells));
	return block;
}

static struct ks *call(const struct strip *p, const struct kx *x)
{
	return ks_expression(p->mem, KS_EXPRESSION, x);
}

struct ks *strip_end_group(const struct strip *p)
{
	return call(p, kx_builtin(p->mem, B_END_COPIES, 0));
}

static struct ks *wait_for_all_but(const struct strip *p, int groups)
{
	return call(p, kx_builtin(p->mem, B_WAIT_FOR_COPIES, 1,
		integer(p, groups)));
}

struct ks *strip_end_copies(const struct strip *p)
{
	return wait_for_all_but(p, 0);
}

void strip_clear_ahead(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_moved(f) && v >= 0; v--)
			ks_add(p->mem, block, strip_over_cells(p, ks_assign(
				p->mem, place_of_cell(p, f, v, p->u, p->c),
				integer(p, 0))));
	}
}

struct ks *strip_over_turns(const struct strip *p, struct ks *body)
{
	struct ks *loop = ks_for(p->mem, p->names->strips.turn, integer(p,
		0), op(p, OP_LT, p->u, integer(p, p->s->period)), integer(p, 1),
		body);

	loop->unroll = true;
	return loop;
}

static void load_all(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_moved(f) && v >= 0; v--)
			ks_add(p->mem, block, strip_over_rows(p, strip_load(p,
				f, strip_cell(p, f,
					integer(p, -v), 0, p->r,
					integer(p, 0)), strip_ahead_place(p, f, v,
					0))));
	}
}

static void advance_all(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_moved(f) && v >= 0; v--)
			ks_add(p->mem, block, strip_advance(p, f,
				strip_pointer_name(p, f, "from", v)));
	}
}

void strip_take_group(const struct strip *p, struct ks *block)
{
	ks_add(p->mem, block, wait_for_all_but(p, p->s->period - 1));
	load_all(p, block);
}

void strip_load_bulk(const struct strip *p, struct ks *block)
{
	strip_wait_for_rows(p, block);
	load_all(p, block);
	strip_copy_next_rows(p, block);
	advance_all(p, block);
}

void strip_describe_ahead(struct text *t, const struct place *place)
{
	const struct stream *s = place->plan->strips;
	struct strip p = strip_of(place);

	for (int i = 0; i < program(&p)->n_fields; i++) {
		const struct field *f = program(&p)->field[i];

		if (is_moved(f))
			text_printf(t, "%s[warp][%s][u] is what the warp loads "
				"of %s at iteration n + u, copied %d "
				"iterations before.\n", ahead_name(&p, f),
				f->depth > 1 ? "v" : "0", f->name,
				stream_copied_before(s));
	}
	if (s->ahead.bulk)
		text_printf(t, "%s[warp][u] is where the warp waits for that, "
			"in phases of parity 0, 1, 0, ..\n",
			place->names->strips.arrived);
}
