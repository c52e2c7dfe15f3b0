/* Strips of register streaming in three dimensions: the outer rows of warps,
 * in shared memory.
 */
#include "codegen/strip.h"

static bool has_edges(const struct strip *p, const struct field *f)
{
	return is_state(f) && p->s->row_dim >= 0 &&
		p->s->above[f->index] + p->s->below[f->index] > 0;
}

/* The cells that the lanes of "warp" left "age" iterations ago: edge row
 * "edge", of the last "above" rows and then the first "below" ones.
 */
static const struct kx *edge_cell(const struct strip *p,
	const struct field *f, const struct kx *version, int age,
	const struct kx *warp, int edge)
{
	const struct kx *both = kx_add(p->mem, op(p, OP_ADD, p->n, p->u), age);
	struct kx *half = kx_call(p->mem, "stencilc_parity", 1, both);
	const struct kx *arg[5] = { half,
		kx_add(p->mem, version, f->depth - 1), warp, integer(p, edge),
		op(p, OP_MUL, integer(p, p->s->cells),
			named(p, p->b->names->thread[0])) };

	return kx_of_kind(p->mem, KX_INDEX, strip_edge_name(p, f), 5, arg);
}

/* Own rows to shared memory: the last ones for the warp below. */
static void leave_rows(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version)
{
	int above = p->s->above[f->index], below = p->s->below[f->index];
	const struct kx *warp = named(p, p->b->names->thread[1]);

	for (int edge = 0; edge < above + below; edge++) {
		int row = edge < above ? p->s->rows - above + edge :
			edge - above;
		const struct kx *to = edge_cell(p, f, version, 0, warp, edge);
		const struct kx *from = strip_cell(p, f, version, 0,
			integer(p, row), integer(p, 0));

		ks_add(p->mem, block, p->s->cells > 1 ? ks_expression(p->mem,
			KS_EXPRESSION, kx_call(p->mem, region_printf(p->mem,
				"stencilc_store_%s%d", type_name(f->type),
				p->s->cells), 2, kx_address(p->mem, to),
				kx_address(p->mem, from))) :
			ks_assign(p->mem, to, from));
	}
}

/* The rows around those of this warp, of the iteration before. */
static void get_rows(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version)
{
	int above = p->s->above[f->index], below = p->s->below[f->index];

	for (int edge = 0; edge < above + below; edge++) {
		int row = edge < above ? edge - above :
			p->s->rows + edge - above;
		const struct kx *from = edge_cell(p, f, version, 1, named(p,
			edge < above ? p->b->names->warp_above :
			p->b->names->warp_below), edge);

		ks_add(p->mem, block, strip_load(p, f, strip_cell(p, f,
			version, 1, integer(p, row), integer(p, 0)),
			kx_address(p->mem, from)));
	}
}

/* The newest version, relative to that of a step, of which the step reads
 * rows of other warps.
 */
static int newest_read(const struct strip *p, const struct field *f)
{
	int newest = -f->depth;

	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *s = program(p)->stmt[c];

		for (int i = 0; i < s->n_reads; i++) {
			int low, high;

			if (s->read[i]->field != f)
				continue;
			stream_reach(s, s->read[i], p->s->row_dim, &low,
				&high);
			if ((low < 0 || high > 0) &&
			    s->read[i]->version > newest)
				newest = s->read[i]->version;
		}
	}
	return newest;
}

void strip_get_rows_of_step(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *older = ks_block(p->mem);
		int newest;

		if (!has_edges(p, f))
			continue;
		newest = newest_read(p, f);
		for (int v = 1 - f->depth; v < newest; v++)
			get_rows(p, older, f, integer(p, v));
		if (older->n_children)
			ks_add(p->mem, block, ks_if(p->mem, op(p, OP_EQ, p->m,
				integer(p, 0)), older, NULL));
		get_rows(p, block, f, kx_add(p->mem, p->m, newest));
	}
}

void strip_leave_all_rows(const struct strip *p, struct ks *block)
{
	bool any = false;

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *body = ks_block(p->mem), *loop;

		if (!has_edges(p, f))
			continue;
		leave_rows(p, body, f, p->m);
		loop = ks_for(p->mem, p->b->names->step,
			integer(p, 1 - f->depth), op(p, OP_LT, p->m,
				integer(p, p->s->exchanged[i] + 1 - f->depth)),
			integer(p, 1), body);
		loop->unroll = true;
		ks_add(p->mem, block, loop);
		any = true;
	}
	if (any)
		ks_add(p->mem, block, ks_simple(p->mem, KS_BARRIER));
}

void strip_leave_first_rows(struct strip *p, struct ks *block)
{
	const struct kx *n = p->n, *u = p->u;

	if (p->s->row_dim < 0)
		return;
	p->n = integer(p, p->s->first - 1);
	p->u = integer(p, 0);
	strip_leave_all_rows(p, block);
	p->n = n;
	p->u = u;
}

int64_t stream_declare_edges(const struct builder *b, struct ks *block)
{
	enum { MOST_STATIC_BYTES = 48 * 1024, ALIGNMENT = 128 };
	const struct stream *s = b->plan->stream;
	struct strip p = { .b = (struct builder *) b, .s = s, .scop = b->scop,
		.mem = b->mem };
	bool dynamic = stream_shared_bytes(s, b->scop, NULL) >
		MOST_STATIC_BYTES;
	int64_t offset = 0;

	for (int i = 0; i < program(&p)->n_fields; i++) {
		const struct field *f = program(&p)->field[i];
		int extent[5] = { 2, s->exchanged[i], s->warps,
			s->above[i] + s->below[i], 32 * s->cells };
		struct ks *array;

		if (!has_edges(&p, f))
			continue;
		array = ks_array(b->mem, type_name(f->type),
			strip_edge_name(&p, f), 5, extent, true,
			dynamic ? offset : -1);
		array->is_aligned = true;
		ks_add(b->mem, block, array);
		offset += (stream_shared_bytes(s, b->scop, f) + ALIGNMENT -
			1) / ALIGNMENT * ALIGNMENT;
	}
	return dynamic ? offset : 0;
}
