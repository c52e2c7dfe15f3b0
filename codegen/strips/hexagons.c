/* Strips of register streaming whose rows are cut into hexagons: what a warp
 * does of a step, and the copies that it reads and writes.
 * schedule/strips/hexagons.c has the hexagons.
 *
 * Of the two copies of a set one has the versions t0, t0 + 2, .. of a field,
 * A_from_even and A_to_even, the other one those between, A_from_odd and
 * A_to_odd.
 */
#include "codegen/strips/strips.h"

static const struct kx *warp(const struct strip *p)
{
	return named(p, p->b->names->lanes.thread[1]);
}

/* { warp : it is among the first "n", or the last "n" } */
static const struct kx *is_outer(const struct strip *p, const struct kx *n)
{
	return op(p, OP_OR, op(p, OP_LT, warp(p), n), op(p, OP_GE, warp(p),
		op(p, OP_SUB, integer(p, p->s->warps), n)));
}

/* { warp : it is not } */
static const struct kx *is_inner(const struct strip *p, const struct kx *n)
{
	return kx_and(p->mem, op(p, OP_GE, warp(p), n), op(p, OP_LT, warp(p),
		op(p, OP_SUB, integer(p, p->s->warps), n)));
}

/* Sets and copies ------------------------------------------------------- */

void strip_declare_set(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	const struct kernel_names *names = p->b->names;
	const struct kx *phase = named(p, names->phase);
	const struct kx *tt = named(p, names->tt), *two = integer(p, 2);
	const struct kx *set = op(p, OP_MOD, tt, two);
	int half = p->s->hexagons.half;

	if (half > 0)
		set = strip_select(p, is_outer(p, integer(p, half + 1)), phase,
			set);
	set = strip_select(p, is_outer(p, integer(p, 1)), op(p, OP_MOD,
		op(p, OP_ADD, tt, phase), two), set);
	declare_if_used(p->b, block, user, names->strips.from_set, set);
}

/* The copy of a set, 0 or 1, that is read, or "written". */
static const struct kx *copy_of(const struct strip *p, bool written,
	const struct kx *in_set)
{
	const struct kx *set = named(p, p->b->names->strips.from_set);

	if (written)
		set = op(p, OP_SUB, integer(p, 1), set);
	return op(p, OP_ADD, op(p, OP_MUL, integer(p, 2), set), in_set);
}

/* Version t0 + "version", before the first one: version 0. */
static const struct kx *copy_of_version(const struct strip *p, bool written,
	const struct kx *version)
{
	const struct kx *v = op(p, OP_ADD, named(p, p->b->names->t0), version);

	if (!written)
		v = kx_max(p->mem, v, integer(p, 0));
	return copy_of(p, written, op(p, OP_MOD, v, integer(p, 2)));
}

static const char *copy_name(const struct strip *p, const struct field *f,
	bool written, bool odd)
{
	static const char *const what[2][2] = {
		{ "from_even", "from_odd" }, { "to_even", "to_odd" },
	};

	return strip_name(p, f, what[written][odd]);
}

void strip_declare_copies(const struct strip *p, struct ks *block,
	const struct ks *user, const struct field *f)
{
	for (int i = 0; i < 4; i++) {
		const struct kx *v = kx_add(p->mem,
			named(p, p->b->names->t0), i % 2);

		strip_declare_pointer(p, block, user, f, i / 2 == 0,
			copy_name(p, f, i / 2, i % 2), strip_first_cell(p, f,
				copy_of(p, i / 2, op(p, OP_MOD, v, integer(p,
				2))), 0));
	}
}

void strip_advance_copies(const struct strip *p, struct ks *block,
	const struct field *f)
{
	for (int i = 0; i < 4; i++) {
		const char *pointer = copy_name(p, f, i / 2, i % 2);

		if (ks_uses(block, pointer))
			ks_add(p->mem, block, strip_advance(p, f, pointer));
	}
}

/* Loads and stores ------------------------------------------------------ */

/* The iteration at which step m computes its position 0. */
static const struct kx *lag_of_field(const struct strip *p,
	const struct field *f)
{
	return op(p, OP_ADD, op(p, OP_MUL, p->m, integer(p, p->s->lag.step)),
		integer(p, p->s->lag.of[strip_writer(p, f)]));
}

/* Declare A_at, the cells "lag" positions before those of this iteration in
 * "copy"; its name.
 */
static const char *declare_at(const struct strip *p, struct ks *block,
	const struct field *f, bool written, const struct kx *copy,
	const struct kx *lag)
{
	const char *at = strip_name(p, f, "at");
	const struct kx *stride = named(p, strip_stride_name(p, f));
	bool ahead = lag->kind == KX_INT && lag->ivalue < 0;

	if (ahead)
		lag = integer(p, -lag->ivalue);
	ks_add(p->mem, block, ks_declare(p->mem, ctype_fixed(
		scalar_of(f->type), !written), at, op(p, ahead ? OP_ADD :
			OP_SUB, copy, op(p, OP_MUL, lag, stride))));
	return at;
}

/* A_.._even or A_.._odd, which has the version after step m. */
static const struct kx *copy_after_step(const struct strip *p,
	const struct field *f, bool written)
{
	return strip_select(p, op(p, OP_EQ, op(p, OP_MOD, p->m, integer(p, 2)),
		integer(p, 0)), named(p, copy_name(p, f, written, true)),
		named(p, copy_name(p, f, written, false)));
}

/* The lane's cells of "version" = those at A_at. */
static struct ks *load_rows(const struct strip *p, const struct field *f,
	const struct kx *version, const char *at)
{
	return strip_over_rows(p, strip_load(p, f, p->s->cells, strip_cell(p,
		f, version, 0, p->r, integer(p, 0)), strip_at_row(p, f, at)));
}

static struct ks *load_version(const struct strip *p, const struct field *f,
	const struct kx *version, const struct kx *copy, const struct kx *lag)
{
	struct ks *block = ks_scope(p->mem);
	const char *at;

	if (!p->full)
		return strip_load_with_care(p, f, version, copy_of_version(p,
			false, version), lag);
	at = declare_at(p, block, f, false, copy, lag);
	ks_add(p->mem, block, load_rows(p, f, version, at));
	return block;
}

/* Zeros for version t0, as of skipped steps. */
static struct ks *no_base(const struct strip *p, const struct field *f)
{
	return strip_over_cells(p, ks_assign(p->mem, strip_cell(p, f,
		integer(p, 0), 0, p->r, p->c), integer(p, 0)));
}

void strip_load_base(const struct strip *p, struct ks *block)
{
	int half = p->s->hexagons.half;

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *load;

		if (!is_state(f))
			continue;
		load = load_version(p, f, integer(p, 0),
			named(p, copy_name(p, f, false, false)),
			integer(p, stream_lag(p->s, -1, strip_writer(p, f))));
		if (half > 0)
			load = ks_if(p->mem, is_inner(p, integer(p, half)),
				load, no_base(p, f));
		ks_add(p->mem, block, load);
	}
}

/* { warp : hexagons of later launches read its rows of the version after step
 * m }, of those that compute it: those of the sides from step half on, of the
 * last version all.  Where the program may end within a hexagon the version
 * before that, too: beyond the last step values stay, and the copy of the last
 * version is one or the other.
 */
static const struct kx *is_read_later(const struct strip *p)
{
	const struct hexagons *x = &p->s->hexagons;
	int last = p->s->steps - (p->full ? 1 : 2);
	const struct kx *n = kx_add(p->mem, p->m, x->stored + 1 - x->half);

	if (last == 0)
		return NULL;
	return op(p, OP_OR, op(p, OP_GE, p->m, integer(p, last)),
		is_outer(p, n));
}

/* The lane stores, at this iteration, what comes with "lag". */
static const struct kx *stores_now(const struct strip *p, const struct kx *lag)
{
	const struct kx *at = op(p, OP_ADD, p->n, p->u);

	return kx_and(p->mem, named(p, p->b->names->lanes.stores),
		kx_and(p->mem, op(p, OP_GE, at, lag), op(p, OP_LT, at,
			kx_add(p->mem, lag, p->s->length))));
}

void strip_store_sides(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *lag)
{
	const struct kx *version = kx_add(p->mem, p->m, 1);
	const struct kx *when = is_read_later(p);
	struct ks *body = ks_block(p->mem);
	const char *at;

	if (!p->full) {
		ks_add(p->mem, block, strip_store_in_grid(p, f, version,
			copy_of_version(p, true, version), lag, when));
		return;
	}
	at = declare_at(p, body, f, true, copy_after_step(p, f, true), lag);
	ks_add(p->mem, body, strip_over_rows(p, strip_store(p, f, p->s->cells,
		strip_at_row(p, f, at), strip_cell(p, f, version, 0, p->r,
			integer(p, 0)))));
	ks_add(p->mem, block, ks_if(p->mem, kx_and(p->mem, when,
		stores_now(p, lag)), body, NULL));
}

/* Steps ----------------------------------------------------------------- */

static struct ks *load_all(const struct strip *p)
{
	struct ks *block = ks_block(p->mem);

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		if (is_state(f))
			ks_add(p->mem, block, load_version(p, f,
				kx_add(p->mem, p->m, 1), copy_after_step(p, f,
				false), lag_of_field(p, f)));
	}
	return block;
}

/* edge(m) */
static const struct kx *edge_of_step(const struct strip *p)
{
	int half = p->s->hexagons.half;

	return strip_select(p, op(p, OP_LE, p->m, integer(p, half)),
		op(p, OP_SUB, integer(p, half + 1), p->m),
		kx_add(p->mem, p->m, -half));
}

struct ks *strip_step_of_hexagon(const struct strip *p, struct ks *compute)
{
	const struct hexagons *x = &p->s->hexagons;
	const struct kx *edge = named(p, p->b->names->strips.edge);
	const struct kx *loads = kx_and(p->mem, op(p, OP_LE, p->m,
		integer(p, x->half)), is_inner(p, kx_add(p->mem, edge,
			-x->loaded)));
	struct ks *block = ks_scope(p->mem);

	ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_INT),
		p->b->names->strips.edge, edge_of_step(p)));
	ks_add(p->mem, block, ks_if(p->mem, is_inner(p, edge), compute,
		ks_if(p->mem, loads, load_all(p), strip_skipped_step(p))));
	return block;
}

void strip_describe_hexagons(struct text *t, const struct builder *b)
{
	const struct stream *s = b->plan->strips;

	text_printf(t, "Block S%d executes hexagon (%s, S%d) of a phase in "
		"(%s, %s).  What its warps, of %d rows\neach, do: # computes, "
		"L loads what other hexagons left, . has nothing.\n\n",
		s->dim.row, b->names->tt, s->dim.row, b->names->time,
		b->names->point[s->dim.row], s->rows);
	stream_draw_hexagon(t, s, "    ");
	text_puts(t, "\n");
}
