/* Strips of register streaming: what iterations load is copied to shared memory
 * a period earlier, by each lane for itself (cp.async), so that no lane waits
 * for another:
 *
 *	wait for all groups of copies but the last period - 1
 *	registers = A_ahead[warp][version][u]
 *	A_ahead[warp][version][u] <- row n + u + period
 *	commit this group
 *
 * strips/bulk.c has the same by whole rows.
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

const struct kx *strip_ahead_place(const struct strip *p,
	const struct field *f, int behind, int cell)
{
	const struct kx *arg[5] = {
		named(p, p->names->lanes.thread[1]), integer(p, behind),
			p->u,
	};
	int n = 3;

	if (p->s->dim.row >= 0)
		arg[n++] = p->r;
	arg[n++] = kx_add(p->mem, op(p, OP_MUL, integer(p, p->s->cells),
		named(p, p->names->lanes.thread[0])), cell);
	return kx_address(p->mem, kx_of_kind(p->mem, KX_INDEX,
		ahead_name(p, f), n, arg));
}

const struct kx *strip_ahead_source(const struct strip *p,
	const struct field *f, int behind, const struct kx *positions)
{
	return op(p, OP_ADD, strip_at_row(p, f, strip_pointer_name(p, f,
		"from", behind)), op(p, OP_MUL, positions,
			named(p, strip_stride_name(p, f))));
}

/* The lane's cells "positions" on from where the pointer is, in pieces that
 * the hardware copies.
 */
static struct ks *copy_cells(const struct strip *p, const struct field *f,
	int behind, const struct kx *positions)
{
	int bytes = p->s->cells * type_size(f->type);
	int pieces = bytes > WIDEST_BYTES ? bytes / WIDEST_BYTES : 1;
	int cells = p->s->cells / pieces;
	const struct kx *from = strip_ahead_source(p, f, behind, positions);
	const struct ctype type = { .scalar = scalar_of(f->type),
		.lanes = cells > 1 ? cells : 0 };
	struct ks *block = ks_block(p->mem);

	for (int i = 0; i < pieces; i++)
		ks_add(p->mem, block, ks_expression(p->mem, KS_EXPRESSION,
			kx_builtin(p->mem, B_COPY_AHEAD, 3,
				strip_ahead_place(p, f, behind,
					i * cells),
				kx_add(p->mem, from, i * cells),
				kx_sizeof(p->mem, type))));
	return strip_over_rows(p, block);
}

static struct ks *call(const struct strip *p, const struct kx *x)
{
	return ks_expression(p->mem, KS_EXPRESSION, x);
}

static struct ks *commit(const struct strip *p)
{
	return call(p, kx_builtin(p->mem, B_END_COPIES, 0));
}

static void copy_all(const struct strip *p, struct ks *block,
	const struct kx *positions)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_state(f) && v >= 0; v--)
			ks_add(p->mem, block, copy_cells(p, f, v, positions));
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

void strip_copy_first_ahead(const struct strip *p, struct ks *block)
{
	const struct kx *copied = named(p, p->names->strips.copied);
	struct ks *body = ks_block(p->mem), *first = ks_block(p->mem);

	if (p->s->ahead.bulk) {
		strip_copy_first_rows(p, first);
	} else {
		copy_all(p, body, p->u);
		ks_add(p->mem, body, commit(p));
		ks_add(p->mem, first, strip_over_turns(p, body));
	}
	ks_add(p->mem, first, ks_assign(p->mem, copied, named(p, "true")));
	ks_add(p->mem, block, ks_if(p->mem, kx_unary(p->mem, OP_NOT, copied),
		first, NULL));
}

static void load_all(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_state(f) && v >= 0; v--)
			ks_add(p->mem, block, strip_over_rows(p, strip_load(p,
				f, p->s->cells, strip_cell(p, f,
					integer(p, -v), 0, p->r,
					integer(p, 0)), strip_ahead_place(p, f, v,
					0))));
	}
}

static void advance_all(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_state(f) && v >= 0; v--)
			ks_add(p->mem, block, strip_advance(p, f,
				strip_pointer_name(p, f, "from", v)));
	}
}

const struct kx *strip_goes_on(const struct strip *p)
{
	return kx_and(p->mem, op(p, OP_LE, kx_add(p->mem, p->n, p->s->period),
		named(p, p->names->strips.last_iteration)),
		strip_period_is_interior(p, p->s->period));
}

/* As groups of each lane's own. */
static void load_groups(const struct strip *p, struct ks *block)
{
	struct ks *copies = ks_block(p->mem);

	ks_add(p->mem, block, call(p, kx_builtin(p->mem, B_WAIT_FOR_COPIES,
		1, integer(p, p->s->period - 1))));
	load_all(p, block);
	copy_all(p, copies, integer(p, p->s->period));
	ks_add(p->mem, block, ks_if(p->mem, strip_goes_on(p), copies, NULL));
	ks_add(p->mem, block, commit(p));
}

void strip_load_ahead(const struct strip *p, struct ks *block)
{
	if (p->s->ahead.bulk) {
		strip_wait_for_rows(p, block);
		load_all(p, block);
		strip_copy_next_rows(p, block);
	} else {
		load_groups(p, block);
	}
	advance_all(p, block);
}

void strip_describe_ahead(struct text *t, const struct place *place)
{
	const struct stream *s = place->plan->strips;
	struct strip p = strip_of(place);

	for (int i = 0; i < program(&p)->n_fields; i++) {
		const struct field *f = program(&p)->field[i];

		if (is_state(f))
			text_printf(t, "%s[warp][%s][u] is what the warp loads "
				"of %s at iteration n + u, copied %d "
				"iterations before.\n", ahead_name(&p, f),
				f->depth > 1 ? "v" : "0", f->name, s->period);
	}
	if (s->ahead.bulk)
		text_printf(t, "%s[warp][u] is where the warp waits for that, "
			"in phases of parity 0, 1, 0, ..\n",
			place->names->strips.arrived);
}
