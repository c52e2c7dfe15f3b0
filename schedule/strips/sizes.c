/* Strips of register streaming: the sizes that are asked for, and why some are
 * not possible.
 */
#include <math.h>

#include "schedule/strips/strips.h"

enum { MOST_STEPS = 32, MOST_LENGTH = 1 << 14, MOST_ROWS = 16,
	MOST_CELLS = 8 };

struct stream strip_of_request(const struct scop *scop,
	const struct tile_request *r)
{
	int lanes = size_or(r->threads[0], r->warp);

	return (struct stream) {
		.steps = size_or(r->b, larger(scop->n_dims > 2 ? 2 : 4,
			strip_deepest(scop))),
		.cells = size_or(r->v, 4),
		.rows = size_or(r->y, scop->n_dims > 2 ? 2 : 1),
		.length = scop->n_dims > 1 ? size_or(r->l, 128) : 1,
		.warp = r->warp,
		.lanes = lanes,
		.warps = size_or(r->threads[1], lanes > r->warp ? 1 :
			scop->n_dims > 2 ? 8 : 4),
		.ahead.used = r->steps.async && scop->n_dims > 1,
		.ahead.bulk = r->steps.bulk && scop->n_dims > 1,
		.hexagons.used = r->hexagons,
	};
}

static bool threads_are_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	int x = r->threads[0], warp = r->warp;

	if (x > 0 && x % warp) {
		diag_plain(d, E_TILE, "%d threads: a strip is a warp of %d, "
			"or warps, and --threads=%d,4 means four strips a "
			"block", x, warp, warp);
		return false;
	}
	if (x > warp && scop->n_dims != 2) {
		diag_plain(d, E_TILE, "%d threads: in %s a strip is a warp of "
			"%d", x, scop->n_dims < 2 ? "one dimension" :
			"three dimensions", warp);
		return false;
	}
	if (x > warp && r->threads[1] > 1) {
		diag_plain(d, E_TILE, "%d,%d threads: the warps of a block "
			"are one strip or a strip each", x, r->threads[1]);
		return false;
	}
	if (r->threads[2] > 1) {
		diag_plain(d, E_TILE, "%d threads along z: a block is warps "
			"in y", r->threads[2]);
		return false;
	}
	return true;
}

bool strip_request_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	if (!size_is_possible(d, "b", r->b, strip_deepest(scop), MOST_STEPS) ||
	    !size_is_possible(d, "v", r->v, 1, MOST_CELLS) ||
	    !size_is_possible(d, "y", r->y, 1,
		scop->n_dims > 2 ? MOST_ROWS : 1) ||
	    !size_is_possible(d, "l", r->l, 1,
		scop->n_dims > 1 ? MOST_LENGTH : 1))
		return false;
	if (r->v > 0 && (r->v & (r->v - 1))) {
		diag_plain(d, E_TILE, "v = %d: it is 1, 2, 4 or 8", r->v);
		return false;
	}
	return threads_are_possible(d, scop, r) &&
		strip_has_hexagons(d, scop, r);
}

void strip_to_request(struct tile_request *r, const struct stream *s)
{
	r->b = s->steps;
	r->v = s->cells;
	r->y = s->rows;
	r->l = s->length;
	r->threads[0] = s->lanes;
	r->threads[1] = s->warps;
	r->threads[2] = 1;
}

bool strip_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *r)
{
	struct stream s = strip_of_request(scop, r);

	(void) outlook;
	if (!strip_request_is_possible(d, scop, r))
		return false;
	strip_to_request(r, &s);
	if (r->launches == LAUNCHES_AUTO)
		r->launches = LAUNCHES_DIRECT;
	return true;
}

/* How far away the farthest is that a statement takes from a neighbour. */
static int taken_from(const struct scop *scop, const struct stream *s)
{
	int n = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE)
			n = larger(n, larger(stream_taken_before(s, f),
				stream_taken_after(s, f)));
	}
	return n;
}

/* What a strip, or the strips of a block in three dimensions, store. */
int strip_stored(const struct stream *s, int d)
{
	return d == s->dim.stream ? s->length :
		d == s->dim.row ? s->height : s->width;
}

/* Refusals -------------------------------------------------------------- */

/* The state whose rows, which begin with the cells of any lane, cannot be copied
 * whole: these are not a multiple of what bulk copies need.  NULL: all can.
 */
static const struct field *not_aligned(const struct scop *scop,
	const struct stream *s)
{
	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE && s->cells * type_size(f->type) %
		    BULK_BYTES != 0)
			return f;
	}
	return NULL;
}

struct refusal strip_refuse(const struct scop *scop, const struct stream *s,
	const struct machine *m)
{
	struct refusal r = { .strip = *s, .machine = m };
	int64_t bytes = stream_shared_bytes(s, scop, NULL);
	int far = taken_from(scop, s);

	if (s->ahead.bulk)
		r.field = not_aligned(scop, s);
	if (r.field) {
		r.by = NOT_ALIGNED;
	} else if (stream_is_hexagonal(s) && s->steps % 2) {
		r.by = ODD_STEPS;
	} else if (stream_is_hexagonal(s) && s->hexagons.base < 1) {
		r.by = TOO_FEW_WARPS;
		r.need = s->steps + 1;
	} else if (s->width <= 0) {
		r.by = TOO_NARROW;
		r.need = -s->width;
	} else if (s->dim.row >= 0 && s->height <= 0) {
		r.by = TOO_LOW;
		r.need = -s->height;
	} else if (far > (stream_is_joined(s) ? s->cells : s->rows)) {
		r.by = READS_TOO_FAR;
		r.need = far;
	} else if (bytes > m->shared_bytes_per_block) {
		r.by = TOO_MUCH_SHARED;
		r.need = (double) bytes;
	}
	return r;
}

const char *strip_refusal_text(struct region *mem, const struct scop *scop,
	const struct refusal *r)
{
	const struct machine *m = r->machine;
	const struct stream *s = &r->strip;
	const char *sizes = region_printf(mem, "b = %d, v = %d", s->steps,
		s->cells);
	int lane = s->dim.lane, row = s->dim.row;

	if (scop->n_dims > 2)
		sizes = region_printf(mem, "%s, y = %d, %d warps", sizes,
			s->rows, s->warps);
	else if (stream_is_joined(s))
		sizes = region_printf(mem, "%s, %d warps", sizes,
			s->lanes / s->warp);
	switch (r->by) {
	case NOT_ALIGNED:
		return region_printf(mem, "%s: --async=bulk copies rows that "
			"begin at a multiple of %d bytes, and %d cells of '%s' "
			"are %d bytes", sizes, BULK_BYTES, s->cells,
			r->field->name, s->cells * type_size(r->field->type));
	case ODD_STEPS:
		return region_printf(mem, "%s: hexagons have an even number "
			"of steps", sizes);
	case TOO_FEW_WARPS:
		return region_printf(mem, "%s: hexagons of %d steps take %.0f "
			"warps or more", sizes, s->steps, r->need);
	case TOO_NARROW:
		return region_printf(mem, "%s: of the %d columns of a strip, "
			"%d are read on the left and %d on the right, and "
			"none is stored", sizes, s->lanes * s->cells,
			s->before[lane], s->after[lane]);
	case TOO_LOW:
		return region_printf(mem, "%s: of the %d rows of a block, %d "
			"are read before and %d after, and none is stored",
			sizes, s->rows * s->warps, s->before[row],
			s->after[row]);
	case READS_TOO_FAR:
		return region_printf(mem, stream_is_joined(s) ?
			"%s: columns are read %.0f away, and a lane has the "
			"columns of its neighbours only" :
			"%s: rows are read %.0f away, and a warp has the rows "
			"of its neighbours only", sizes, r->need);
	case TOO_MUCH_SHARED:
		return region_printf(mem, "%s: the %s exchange%s need %.0f "
			"bytes of shared memory, a block of %s has %lld",
			sizes, stream_is_joined(s) ? "columns that lanes" :
			"rows that warps", s->ahead.used ? ", and what is "
			"copied ahead," : "", r->need, m->name,
			(long long) m->shared_bytes_per_block);
	case TOO_MANY_REGISTERS:
	case NO_BLOCK_FITS:
		return region_printf(mem, "%s: a thread needs %.0f registers, "
			"more than %s has for the %d threads of a block",
			sizes, ceil(r->need), m->name, s->lanes * s->warps);
	case NOT_REFUSED:
		break;
	}
	return region_printf(mem, "strips are warps of %d threads, in two "
		"dimensions several may be one strip, and b, v, y and l are "
		"at least 1", s->warp);
}
