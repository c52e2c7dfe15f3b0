/* Reductions as C: the points of a box of a tile. */
#include "codegen/host/cpu_reduce.h"

/* Of a piece in a box: its first point, and low <= x < stop are in the box; what lanes
 * have so far is at "kept" where the tile before left them.
 */
struct part {
	struct pieces of;
	const struct cpu_reduced_box *box;
	const char *begin, *low, *stop, *kept;
	const char *head, *whole, *left, *at;	/* see add_part() */
	const char *kept_lane, *most;
};

static struct part part_of(const struct host *h, int i,
	const struct cpu_reduced_box *box)
{
	struct part part = {
		.of = cpu_pieces_of(h, reduced_of(h, i), cpu_read_version), .box = box,
		.begin = fresh_name(h->mem, h->prog, "piece_begin"),
		.low = fresh_name(h->mem, h->prog, "piece_low"),
		.stop = fresh_name(h->mem, h->prog, "piece_stop"),
		.kept = cpu_lanes_name(h, i),
		.head = fresh_name(h->mem, h->prog, "head_stop"),
		.whole = fresh_name(h->mem, h->prog, "whole"),
		.left = fresh_name(h->mem, h->prog, "rest"),
		.at = fresh_name(h->mem, h->prog, "at"),
		.kept_lane = fresh_name(h->mem, h->prog, "own"),
		.most = fresh_name(h->mem, h->prog, "most"),
	};

	part.of.values = cpu_tile_values_name(h, i);
	return part;
}

static const struct kx *sum_of(const struct host *h, const char *a, int64_t b)
{
	return kx_add(h->mem, name(h, a), b);
}

/* begin + (x - begin + "up") / unit * unit */
static const struct kx *whole_units(const struct part *part, const char *x,
	int64_t up, int64_t unit)
{
	const struct host *h = part->of.reduced.h;
	const struct kx *begin = name(h, part->begin);

	return op(h, OP_ADD, begin, op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem,
		op(h, OP_SUB, name(h, x), begin), up), integer(h, unit)),
		integer(h, unit)));
}

/* The half of the lanes that begins with "at", for points from .. from + 15, at once. */
static struct ks *half_of_lanes(const struct part *part)
{
	const struct pieces *p = &part->of;
	const struct host *h = p->reduced.h;
	const struct kx *l = name(h, p->l);
	struct ks *body = ks_block(h->mem);

	host_declare_int(h, body, reduced_index(&p->reduced, p->reduced.last),
		op(h, OP_ADD, name(h, p->from), l));
	ks_add(h->mem, body, cpu_joined_lane(p, op(h, OP_ADD, name(h, part->at), l)));
	return cpu_with_directive(h, OMP_SIMD, cpu_loop_of_pieces(h, p->l, integer(h, 0),
		integer(h, REDUCE_LANES / 2), body));
}

/* .. those of them that lie in first .. end - 1, one by one. */
static struct ks *some_of_half(const struct part *part, const char *first,
	const char *end)
{
	const struct pieces *p = &part->of;
	const struct host *h = p->reduced.h;
	const char *index = reduced_index(&p->reduced, p->reduced.last);
	const struct kx *from = name(h, p->from);

	return cpu_loop_of_pieces(h, index, kx_max(h->mem, from, name(h, first)),
		kx_min(h->mem, sum_of(h, p->from, REDUCE_LANES / 2), name(h,
			end)), cpu_joined_lane(p, op(h, OP_ADD, name(h, part->at), op(h,
			OP_SUB, name(h, index), from))));
}

/* Points first .. end - 1 of fewer than 32, half of the lanes at once where these are in it. */
static struct ks *some_of_part(const struct part *part, const char *first,
	const char *end)
{
	const struct host *h = part->of.reduced.h;
	const char *from = part->of.from;
	const struct kx *all_in = op(h, OP_AND, op(h, OP_GE, name(h, from),
		name(h, first)), op(h, OP_LE, sum_of(h, from, REDUCE_LANES / 2),
			name(h, end)));
	struct ks *body = ks_block(h->mem);

	host_declare_int(h, body, part->at, op(h, OP_MOD, op(h, OP_SUB, name(h,
		from), name(h, part->begin)), integer(h, REDUCE_LANES)));
	ks_add(h->mem, body, ks_if(h->mem, all_in, half_of_lanes(part),
		some_of_half(part, first, end)));
	return ks_for(h->mem, from, whole_units(part, first, 0,
		REDUCE_LANES / 2), op(h, OP_LT, name(h, from), name(h, end)),
		integer(h, REDUCE_LANES / 2), body);
}

/* All lanes again and again, which stay in registers: nothing else has the array. */
static struct ks *middle_of_part(const struct part *part)
{
	struct pieces own = part->of;
	const struct host *h = own.reduced.h;
	const struct kx *l = name(h, own.l), *lane = cpu_lane_at(&part->of, l);
	struct ks *body = ks_scope(h->mem);

	own.reduced.lane = part->kept_lane;
	body->braces = true;
	cpu_declare_lanes(&own, body);
	ks_add(h->mem, body, cpu_each_lane(&part->of, cpu_lane_at(&own, l), lane));
	ks_add(h->mem, body, ks_for(h->mem, own.from, name(h, part->whole),
		op(h, OP_LT, name(h, own.from), name(h, part->left)),
		integer(h, REDUCE_LANES), cpu_whole_lanes(&own)));
	ks_add(h->mem, body, cpu_each_lane(&part->of, lane, cpu_lane_at(&own, l)));
	return ks_if(h->mem, op(h, OP_LT, name(h, part->whole), name(h,
		part->left)), body, NULL);
}

/* Up to where all lanes begin again, from there on, and what is left. */
static void add_part(const struct part *part, struct ks *body)
{
	ks_add(part->of.reduced.h->mem, body, some_of_part(part, part->low,
		part->head));
	ks_add(part->of.reduced.h->mem, body, middle_of_part(part));
	ks_add(part->of.reduced.h->mem, body, some_of_part(part, part->left,
		part->stop));
}

/* Of n elements a row, that number "at" of the row, in the slot. */
static const struct kx *place_in_slot(const struct part *part,
	const struct kx *n, const struct kx *at)
{
	const struct reduced *r = &part->of.reduced;
	const struct host *h = r->h;
	const struct kx *row = op(h, OP_ADD, op(h, OP_MUL, reduced_rows(r,
		ctype(CT_SIZE)), name(h, part->box->slot)), reduced_row(r));

	return op(h, OP_ADD, op(h, OP_MUL, row, n), at);
}

/* rows[row][of n], of the slot */
static const struct kx *in_slot(const struct part *part, const char *rows,
	const struct kx *n, const struct kx *at)
{
	struct kx *x;

	at = place_in_slot(part, n, at);
	x = kx_of_kind(part->of.reduced.h->mem, KX_INDEX, rows, 1, &at);
	x->type = reduced_type(&part->of.reduced);
	return x;
}

/* What all rows of the box have in common. */
static void declare_part(const struct part *part, struct ks *body)
{
	const struct reduced *r = &part->of.reduced;
	const struct host *h = r->h;
	int last = r->last;

	host_declare_int(h, body, part->begin, cpu_begin_of_piece(&part->of, 0));
	host_declare_int(h, body, r->piece_end, kx_min(h->mem, name(h,
		r->end_name[last]), sum_of(h, part->begin, REDUCE_PIECE)));
	host_declare_int(h, body, part->low, kx_max(h->mem, name(h,
		part->begin), name(h, part->box->low[last])));
	host_declare_int(h, body, part->stop, kx_min(h->mem, name(h,
		r->piece_end), sum_of(h, part->box->high[last], 1)));
	host_declare_int(h, body, part->whole, whole_units(part, part->low,
		REDUCE_LANES - 1, REDUCE_LANES));
	host_declare_int(h, body, part->head, kx_min(h->mem, name(h,
		part->whole), name(h, part->stop)));
	host_declare_int(h, body, part->left, kx_max(h->mem, name(h,
		part->whole), whole_units(part, part->stop, 0, REDUCE_LANES)));
}

/* What is in the box of a piece of a row: lanes begin where it begins, else go on. */
static struct ks *row_of_part(const struct part *part)
{
	const struct pieces *p = &part->of;
	const struct host *h = p->reduced.h;
	const struct kx *l = name(h, p->l), *lane = cpu_lane_at(p, l);
	const struct kx *lanes = name(h, p->reduced.lane);
	const struct kx *kept = in_slot(part, part->kept, integer(h,
		REDUCE_LANES), l);
	struct ks *body = ks_block(h->mem);

	cpu_declare_lanes(p, body);
	ks_add(h->mem, body, ks_if(h->mem, op(h, OP_EQ, name(h, part->low),
		name(h, part->begin)), cpu_each_lane(p, lane, reduced_call(
			&p->reduced, B_NOTHING, 0, NULL)), cpu_each_lane(p, lane,
				kept)));
	add_part(part, body);
	ks_add(h->mem, body, ks_if(h->mem, op(h, OP_EQ, name(h, part->stop),
		name(h, p->reduced.piece_end)), ks_assign(h->mem, in_slot(part,
			p->values, name(h, p->reduced.pieces), name(h,
				p->piece)), reduced_call(&p->reduced,
					B_JOIN_LANES, 1, &lanes)),
		cpu_each_lane(p, kept, lane)));
	return body;
}

/* for (the rows of the box) row */
static struct ks *rows_of_box(const struct part *part, struct ks *row)
{
	const struct reduced *r = &part->of.reduced;
	const struct host *h = r->h;

	for (int d = r->last - 1; d >= 0; d--)
		row = cpu_loop_of_pieces(h, reduced_index(r, d), kx_max(h->mem, r->first[d],
			name(h, part->box->low[d])), kx_min(h->mem, name(h,
				r->end_name[d]), sum_of(h, part->box->high[d],
				1)), row);
	return row;
}

/* All rows of it. */
static struct ks *piece_of_box(const struct part *part)
{
	const struct host *h = part->of.reduced.h;
	struct ks *body = ks_block(h->mem), *nest = rows_of_box(part, row_of_part(part));

	declare_part(part, body);
	ks_add(h->mem, body, nest);
	return body;
}

/* The greatest and the least -------------------------------------------------- */

/* low <= x < stop are the points of a row of the piece; lanes take them 32 by 32, from the
 * first one on.
 */
static void declare_range(const struct part *part, struct ks *body)
{
	const struct reduced *r = &part->of.reduced;
	const struct host *h = r->h;
	const struct kx *low = name(h, part->low), *lanes = integer(h, REDUCE_LANES);

	host_declare_int(h, body, part->begin, cpu_begin_of_piece(&part->of, 0));
	host_declare_int(h, body, part->low, kx_max(h->mem, name(h,
		part->begin), name(h, part->box->low[r->last])));
	host_declare_int(h, body, part->stop, kx_min(h->mem, kx_min(h->mem,
		name(h, r->end_name[r->last]), sum_of(h, part->begin,
			REDUCE_PIECE)), sum_of(h, part->box->high[r->last], 1)));
	host_declare_int(h, body, part->left, op(h, OP_ADD, low, op(h, OP_MUL,
		op(h, OP_DIV, op(h, OP_SUB, name(h, part->stop), low), lanes),
		lanes)));
}

static struct ks *row_in_any_order(const struct part *part)
{
	const struct pieces *p = &part->of;
	const struct host *h = p->reduced.h;
	const char *index = reduced_index(&p->reduced, p->reduced.last);
	struct ks *body = ks_block(h->mem);

	ks_add(h->mem, body, ks_for(h->mem, p->from, name(h, part->low), op(h,
		OP_LT, name(h, p->from), name(h, part->left)), integer(h,
			REDUCE_LANES), cpu_whole_lanes(p)));
	ks_add(h->mem, body, cpu_loop_of_pieces(h, index, name(h, part->left), name(h,
		part->stop), cpu_joined_lane(p, op(h, OP_SUB, name(h, index), name(h,
			part->left)))));
	return body;
}

/* Each row of the box gets "most", that of all: it may be joined more than once. */
static struct ks *set_rows(const struct part *part)
{
	const struct pieces *p = &part->of;
	const struct host *h = p->reduced.h;
	const struct kx *most = name(h, part->most), *at = name(h, part->at);
	struct kx *value = kx_of_kind(h->mem, KX_INDEX, p->values, 1, &at);
	const struct kx *both[2] = { value, most };
	struct ks *body = ks_block(h->mem);

	value->type = reduced_type(&p->reduced);
	ks_add(h->mem, body, ks_declare(h->mem, ctype_const(CT_SIZE),
		part->at, place_in_slot(part, name(h, p->reduced.pieces),
			name(h, p->piece))));
	ks_add(h->mem, body, ks_assign(h->mem, value, kx_select(h->mem, op(h,
		OP_EQ, name(h, part->low), name(h, part->begin)), most,
		reduced_call(&p->reduced, B_JOIN, 2, both))));
	return rows_of_box(part, body);
}

/* The points of a piece in the box, in any order: lanes go on from row to row, and are joined
 * once.
 */
static struct ks *piece_in_any_order(const struct part *part)
{
	const struct pieces *p = &part->of;
	const struct host *h = p->reduced.h;
	const struct kx *lanes = name(h, p->reduced.lane);
	struct ks *body = ks_block(h->mem);

	declare_range(part, body);
	cpu_declare_lanes(p, body);
	ks_add(h->mem, body, cpu_each_lane(p, cpu_lane_at(p, name(h, p->l)),
		reduced_call(&p->reduced, B_NOTHING, 0, NULL)));
	ks_add(h->mem, body, rows_of_box(part, row_in_any_order(part)));
	ks_add(h->mem, body, ks_declare(h->mem, ctype_const(scalar_of(
		reduced_type(&p->reduced))), part->most, reduced_call(
			&p->reduced, B_JOIN_LANES, 1, &lanes)));
	ks_add(h->mem, body, set_rows(part));
	return body;
}

/* Boxes ------------------------------------------------------------------------ */

/* first + 1024 * piece < end and <= high */
static const struct kx *is_in_box(const struct part *part)
{
	const struct reduced *r = &part->of.reduced;
	const struct host *h = r->h;

	return op(h, OP_LT, cpu_begin_of_piece(&part->of, 0), kx_min(h->mem, name(h, r->end_name[
		r->last]), sum_of(h, part->box->high[r->last], 1)));
}

struct ks *cpu_reduction_of_box(const struct host *h, int i,
	const struct cpu_reduced_box *box)
{
	struct part part = part_of(h, i, box);
	const struct reduced *r = &part.of.reduced;
	const struct kx *low = kx_max(h->mem, r->first[r->last], name(h,
		box->low[r->last]));
	struct ks *all = ks_block(h->mem);
	struct ks *nest = ks_for(h->mem, part.of.piece, op(h, OP_DIV, op(h,
		OP_SUB, low, r->first[r->last]), integer(h, REDUCE_PIECE)),
		is_in_box(&part), integer(h, 1), (cpu_keeps_lanes(h, i) ?
			piece_of_box : piece_in_any_order)(&part));

	nest = ks_if(h->mem, op(h, OP_LT, low, name(h, r->end_name[r->last])),
		nest, NULL);
	reduced_declare(r, all, nest);
	ks_add(h->mem, all, nest);
	return all;
}
