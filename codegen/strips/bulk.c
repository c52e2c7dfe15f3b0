/* Strips of register streaming: one lane copies whole rows for its warp to shared memory, a
 * period before they are loaded (cp.async.bulk).  Each place for a row has a barrier at which
 * its bytes arrive; a phase of the barrier is a period:
 *
 *	wait until the bytes of rows_arrived[warp][u] have arrived
 *	registers = A_ahead[warp][version][u]
 *	all lanes have loaded: one copies row n + u + period to
 *		A_ahead[warp][version][u], and says how many bytes to expect
 *
 * Warps wait for their own rows only, even joined ones.
 */
#include "codegen/strips/ahead.h"

/* A place for each warp and iteration of a period. */
void strip_declare_arrivals(const struct strip *p, struct ks *block)
{
	int extent[2] = { p->s->warps * p->s->lanes / p->s->warp, p->s->period };

	ks_add(p->mem, block, ks_array(p->mem, ctype(CT_ARRIVALS),
		p->names->strips.arrived, 2, extent, true, -1));
}

/* &rows_arrived[warp][u] */
static const struct kx *arrival(const struct strip *p)
{
	const struct kernel_names *names = p->names;
	const struct kx *arg[2] = { stream_is_joined(p->s) ?
		op(p, OP_DIV, named(p, names->lanes.thread[0]), integer(p,
		p->s->warp)) : named(p, names->lanes.thread[1]), p->u };

	return kx_address(p->mem, kx_of_kind(p->mem, KX_INDEX,
		names->strips.arrived, 2, arg));
}

/* { lane : it copies for its warp } */
static const struct kx *is_first_lane(const struct strip *p)
{
	const struct kx *lane = named(p, p->names->lanes.thread[0]);

	return op(p, OP_EQ, stream_is_joined(p->s) ? op(p, OP_MOD, lane,
		integer(p, p->s->warp)) : lane, integer(p, 0));
}

static struct ks *call(const struct strip *p, const struct kx *x)
{
	return ks_expression(p->mem, KS_EXPRESSION, x);
}

static struct ks *sync_warp(const struct strip *p)
{
	return call(p, kx_builtin(p->mem, B_WARP_BARRIER, 0));
}

/* The bytes that the warp copies for an iteration. */
static int64_t bytes_of_iteration(const struct strip *p)
{
	int64_t bytes = 0;

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		if (is_moved(f))
			bytes += (int64_t) f->depth * p->s->rows *
				stream_row_bytes(p->s, f);
	}
	return bytes;
}

/* The lane's cells, "positions" further than the pointer. */
static const struct kx *source(const struct strip *p,
	const struct field *f, int behind, const struct kx *positions)
{
	return op(p, OP_ADD, strip_at_row(p, f, strip_pointer_name(p, f,
		"from", behind)), op(p, OP_MUL, positions,
			named(p, strip_stride_name(p, f))));
}

/* Copy the rows "positions" further on, of all versions; the barrier first
 * expects their bytes.
 */
static struct ks *copy_rows(const struct strip *p, const struct kx *positions)
{
	struct ks *block = ks_block(p->mem);

	ks_add(p->mem, block, call(p, kx_builtin(p->mem, B_BULK_EXPECT,
		2, arrival(p), integer(p, bytes_of_iteration(p)))));
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_moved(f) && v >= 0; v--)
			ks_add(p->mem, block, strip_over_rows(p, call(p,
				kx_builtin(p->mem, B_BULK_COPY, 4,
					strip_ahead_place(p, f, v, 0),
					source(p, f, v, positions),
					integer(p, stream_row_bytes(p->s, f)),
					arrival(p)))));
	}
	return block;
}

/* In a launch of all passes, other blocks stored what is copied here. */
static struct ks *first_rows(const struct strip *p)
{
	struct ks *body = ks_block(p->mem);

	if (p->place->plan->waits_for_grid)
		ks_add(p->mem, body, call(p, kx_builtin(p->mem, B_BULK_FENCE,
			0)));
	ks_add(p->mem, body, strip_over_turns(p, copy_rows(p, p->u)));
	return ks_if(p->mem, is_first_lane(p), body, NULL);
}

void strip_copy_first_rows(const struct strip *p, struct ks *block)
{
	const struct kx *copied = named(p, p->names->strips.copied);
	struct ks *first = ks_block(p->mem);

	ks_add(p->mem, first, first_rows(p));
	ks_add(p->mem, first, ks_assign(p->mem, copied, named(p, "true")));
	ks_add(p->mem, block, ks_if(p->mem, kx_unary(p->mem, OP_NOT, copied),
		first, NULL));
}

void strip_wait_for_rows(const struct strip *p, struct ks *block)
{
	ks_add(p->mem, block, call(p, kx_builtin(p->mem,
		B_BULK_WAIT, 2, arrival(p),
		named(p, p->names->strips.parity))));
}

/* Is the period after this one full, too? */
static const struct kx *next_is_full(const struct strip *p)
{
	return kx_and(p->mem, op(p, OP_LE, kx_add(p->mem, p->n, p->s->period),
		named(p, p->names->strips.last_iteration)),
		strip_period_is_interior(p, p->s->period));
}

void strip_copy_next_rows(const struct strip *p, struct ks *block)
{
	ks_add(p->mem, block, sync_warp(p));
	ks_add(p->mem, block, ks_if(p->mem, kx_and(p->mem, is_first_lane(p),
		next_is_full(p)), copy_rows(p, integer(p, p->s->period)),
		NULL));
}

struct ks *strip_end_phase(const struct strip *p)
{
	const struct kx *parity = named(p, p->names->strips.parity);

	return ks_assign(p->mem, parity, op(p, OP_SUB, integer(p, 1), parity));
}

/* Barriers live as long as the block: phases continue from strip to strip. */
void strip_begin_arrivals(const struct strip *at, struct ks *block,
	const struct ks *strips)
{
	struct strip p = *at;

	p.u = named(&p, p.names->strips.turn);
	if (!ks_uses(strips, p.names->strips.parity))
		return;
	ks_add(p.mem, block, ks_declare(p.mem, ctype(CT_INT),
		p.names->strips.parity, integer(&p, 0)));
	ks_add(p.mem, block, ks_simple(p.mem, KS_BLANK));
	ks_add(p.mem, block, ks_if(p.mem, is_first_lane(&p),
		strip_over_turns(&p, call(&p, kx_builtin(p.mem,
			B_BULK_BEGIN, 1, arrival(&p)))), NULL));
	ks_add(p.mem, block, sync_warp(&p));
}
