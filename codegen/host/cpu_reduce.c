/* Reductions as C: a pass over all points, and the points of a box of a tile. */
#include "codegen/host/cpu.h"
#include "codegen/host/reductions.h"

/* Variables of a reduction. */
struct pieces {
	struct reduced reduced;
	const char *values, *l, *piece, *from;
	cpu_read *read;
};

static struct pieces pieces_of(const struct host *h, struct reduced reduced,
	cpu_read *read)
{
	reduced.by_bits = reduced_is_of_magnitudes(&reduced);
	return (struct pieces) {
		.reduced = reduced, .read = read,
		.values = cpu_values_name(h),
		.l = fresh_name(h->mem, h->prog, "l"),
		.piece = fresh_name(h->mem, h->prog, "piece"),
		.from = fresh_name(h->mem, h->prog, "from"),
	};
}

static const struct kx *lane_at(const struct pieces *p, const struct kx *l)
{
	struct kx *x = kx_of_kind(p->reduced.h->mem, KX_INDEX, p->reduced.lane, 1, &l);

	x->type = reduced_type(&p->reduced);
	return x;
}

/* var[at[0]].., of the type of "acc" */
static const struct kx *element(const struct host *h, const struct access *acc,
	const char *var, int n, const struct kx *const *at)
{
	struct kx *x = kx_of_kind(h->mem, KX_INDEX, var, n, at);

	x->type = acc->field->type;
	return x;
}

void cpu_bound_cell(const struct binding *b, const struct access *acc,
	const struct kx **cell)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		cell[d] = kx_subscript(b->mem, acc, d, b->point[acc->dim[d]]);
}

const struct kx *cpu_version_at(const struct host *h, const struct access *acc,
	const struct kx *const *cell)
{
	const struct field *f = acc->field;
	const struct kx *at[1 + IR_MAX_DIMS];
	int n = 0;

	if (cpu_versions(f) > 1)
		at[n++] = integer(h, f->depth - 2 + acc->version);
	for (int d = 0; d < f->n_dims; d++)
		at[n++] = cell[d];
	return element(h, acc, f->name, n, at);
}

/* A[copy][i - 1][j]: the version in the run's own array. */
static const struct kx *read_own(const struct binding *b,
	const struct access *acc)
{
	const struct kx *cell[IR_MAX_DIMS];

	cpu_bound_cell(b, acc, cell);
	return cpu_version_at(b->user, acc, cell);
}

/* .. in the copy of a tile's that has the version. */
static const struct kx *read_version(const struct binding *b,
	const struct access *acc)
{
	const struct host *h = b->user;
	const struct field *f = acc->field;
	const struct kx *cell[IR_MAX_DIMS];

	cpu_bound_cell(b, acc, cell);
	return element(h, acc, f->kind == FIELD_STATE ? version_name(h->mem,
		h->prog, f, acc->version) : f->name, f->n_dims, cell);
}

static struct ks *joined(const struct pieces *p, const struct kx *l)
{
	struct binding b = reduced_in_users_time(p->reduced.h);

	b.read = p->read;
	b.user = p->reduced.h;
	b.element = ELEMENT_OF_ARRAY;
	return reduced_point(&p->reduced, lane_at(p, l), b);
}

/* for (var = first; var < end; ++var) body */
static struct ks *loop(const struct host *h, const char *var,
	const struct kx *first, const struct kx *end, struct ks *body)
{
	return ks_for(h->mem, var, first, op(h, OP_LT, name(h, var), end),
		integer(h, 1), body);
}

static struct ks *with_directive(const struct host *h, enum directive_kind kind,
	struct ks *s)
{
	struct ks *block = ks_block(h->mem);

	ks_add(h->mem, block, ks_directive(h->mem, (struct directive) {
		.kind = kind, .schedule = kind == OMP_FOR ? OMP_STATIC :
			OMP_AS_IT_LIKES }));
	ks_add(h->mem, block, s);
	return block;
}

/* Points from .. from + 31, those of all lanes at once. */
static struct ks *whole_lanes(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *l = name(h, p->l);
	struct ks *body = ks_block(h->mem);

	host_declare_int(h, body, reduced_index(&p->reduced, p->reduced.last), op(h, OP_ADD,
		name(h, p->from), l));
	ks_add(h->mem, body, joined(p, l));
	return with_directive(h, OMP_SIMD, loop(h, p->l, integer(h, 0),
		integer(h, REDUCE_LANES), body));
}

static struct ks *some_lanes(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const char *index = reduced_index(&p->reduced, p->reduced.last);

	return loop(h, index, name(h, p->from), name(h, p->reduced.piece_end),
		joined(p, op(h, OP_SUB, name(h, index), name(h, p->from))));
}

/* The first point of the piece, or of the one "behind" it. */
static const struct kx *begin_of_piece(const struct pieces *p, int behind)
{
	const struct host *h = p->reduced.h;

	return op(h, OP_ADD, p->reduced.first[p->reduced.last], op(h, OP_MUL,
		kx_add(h->mem, name(h, p->piece), behind), integer(h,
			REDUCE_PIECE)));
}

static void declare_lanes(const struct pieces *p, struct ks *body)
{
	int extent = REDUCE_LANES;

	ks_add(p->reduced.h->mem, body, ks_array(p->reduced.h->mem, ctype_of(
		reduced_type(&p->reduced)), p->reduced.lane, 1, &extent, false,
		-1));
}

/* for (l: all lanes) to = value; */
static struct ks *each_lane(const struct pieces *p, const struct kx *to,
	const struct kx *value)
{
	const struct host *h = p->reduced.h;

	return loop(h, p->l, integer(h, 0), integer(h, REDUCE_LANES),
		ks_assign(h->mem, to, value));
}

/* for (from: a piece, by lanes) */
static struct ks *over_piece(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *from = name(h, p->from);
	const struct kx *end = name(h, p->reduced.piece_end);

	return ks_for(h->mem, p->from, begin_of_piece(p, 0), op(h, OP_LT, from,
		end), integer(h, REDUCE_LANES), ks_if(h->mem, op(h, OP_LE,
			kx_add(h->mem, from, REDUCE_LANES), end),
			whole_lanes(p), some_lanes(p)));
}

static struct ks *one_piece(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *row = reduced_row(&p->reduced);
	const struct kx *lanes = name(h, p->reduced.lane);
	const struct kx *at = name(h, p->piece);
	struct ks *body = ks_block(h->mem);

	declare_lanes(p, body);
	host_declare_int(h, body, p->reduced.piece_end, kx_min(h->mem, name(h,
		p->reduced.end_name[p->reduced.last]), begin_of_piece(p, 1)));
	ks_add(h->mem, body, each_lane(p, lane_at(p, name(h, p->l)),
		reduced_call(&p->reduced, B_NOTHING, 0, NULL)));
	ks_add(h->mem, body, over_piece(p));
	if (row)
		at = op(h, OP_ADD, op(h, OP_MUL, row, name(h, p->reduced.pieces)), at);
	ks_add(h->mem, body, ks_assign(h->mem, kx_of_kind(h->mem, KX_INDEX,
		p->values, 1, &at), reduced_call(&p->reduced, B_JOIN_LANES, 1,
			&lanes)));
	return body;
}

/* All pieces of all rows, shared out by the outermost loop. */
static struct ks *all_pieces(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	struct ks *nest = loop(h, p->piece, integer(h, 0), name(h, p->reduced.pieces),
		one_piece(p));

	for (int d = p->reduced.last - 1; d >= 0; d--)
		nest = loop(h, reduced_index(&p->reduced, d), p->reduced.first[d], name(h,
			p->reduced.end_name[d]), nest);
	return with_directive(h, OMP_FOR, nest);
}

static void add_arrays(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (field_is_argument(field))
			cpu_add_array(h, f, field, field->name,
				cpu_versions(field), cpu_is_moved(h, field) ?
				cpu_layout_of_user(h, field) : CPU_DENSE);
	}
}

/* Boxes of tiles ------------------------------------------------------------- */

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
		.of = pieces_of(h, reduced_of(h, i), read_version), .box = box,
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
	ks_add(h->mem, body, joined(p, op(h, OP_ADD, name(h, part->at), l)));
	return with_directive(h, OMP_SIMD, loop(h, p->l, integer(h, 0),
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

	return loop(h, index, kx_max(h->mem, from, name(h, first)),
		kx_min(h->mem, sum_of(h, p->from, REDUCE_LANES / 2), name(h,
			end)), joined(p, op(h, OP_ADD, name(h, part->at), op(h,
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
	const struct kx *l = name(h, own.l), *lane = lane_at(&part->of, l);
	struct ks *body = ks_scope(h->mem);

	own.reduced.lane = part->kept_lane;
	body->braces = true;
	declare_lanes(&own, body);
	ks_add(h->mem, body, each_lane(&part->of, lane_at(&own, l), lane));
	ks_add(h->mem, body, ks_for(h->mem, own.from, name(h, part->whole),
		op(h, OP_LT, name(h, own.from), name(h, part->left)),
		integer(h, REDUCE_LANES), whole_lanes(&own)));
	ks_add(h->mem, body, each_lane(&part->of, lane, lane_at(&own, l)));
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

	host_declare_int(h, body, part->begin, begin_of_piece(&part->of, 0));
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
	const struct kx *l = name(h, p->l), *lane = lane_at(p, l);
	const struct kx *lanes = name(h, p->reduced.lane);
	const struct kx *kept = in_slot(part, part->kept, integer(h,
		REDUCE_LANES), l);
	struct ks *body = ks_block(h->mem);

	declare_lanes(p, body);
	ks_add(h->mem, body, ks_if(h->mem, op(h, OP_EQ, name(h, part->low),
		name(h, part->begin)), each_lane(p, lane, reduced_call(
			&p->reduced, B_NOTHING, 0, NULL)), each_lane(p, lane,
				kept)));
	add_part(part, body);
	ks_add(h->mem, body, ks_if(h->mem, op(h, OP_EQ, name(h, part->stop),
		name(h, p->reduced.piece_end)), ks_assign(h->mem, in_slot(part,
			p->values, name(h, p->reduced.pieces), name(h,
				p->piece)), reduced_call(&p->reduced,
					B_JOIN_LANES, 1, &lanes)),
		each_lane(p, kept, lane)));
	return body;
}

/* for (the rows of the box) row */
static struct ks *rows_of_box(const struct part *part, struct ks *row)
{
	const struct reduced *r = &part->of.reduced;
	const struct host *h = r->h;

	for (int d = r->last - 1; d >= 0; d--)
		row = loop(h, reduced_index(r, d), kx_max(h->mem, r->first[d],
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

	host_declare_int(h, body, part->begin, begin_of_piece(&part->of, 0));
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
			REDUCE_LANES), whole_lanes(p)));
	ks_add(h->mem, body, loop(h, index, name(h, part->left), name(h,
		part->stop), joined(p, op(h, OP_SUB, name(h, index), name(h,
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
	declare_lanes(p, body);
	ks_add(h->mem, body, each_lane(p, lane_at(p, name(h, p->l)),
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

	return op(h, OP_LT, begin_of_piece(&part->of, 0), kx_min(h->mem, name(h, r->end_name[
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

/* All points ----------------------------------------------------------------- */

const struct kx *cpu_count_of_values(const struct reduced *r)
{
	const struct kx *rows = reduced_rows(r, ctype(CT_SIZE));
	const struct kx *pieces = name(r->h, r->pieces);

	return rows ? op(r->h, OP_MUL, rows, pieces) : pieces;
}

struct ks *cpu_region_of_pieces(const struct reduced *r, cpu_read *read)
{
	struct pieces p = pieces_of(r->h, *r, read);
	struct ks *region = ks_scope(r->h->mem);

	region->braces = true;
	ks_add(r->h->mem, region, all_pieces(&p));
	return with_directive(r->h, OMP_PARALLEL, region);
}

const struct kx *cpu_join_pieces(const struct reduced *r,
	const struct kx *values, const struct kx *n)
{
	const struct kx *arg[2] = { values, n };

	return reduced_call(r, B_JOIN_ALL, 2, arg);
}

static void add_restricted(const struct reduced *r, struct kfunc *f,
	const char *var)
{
	struct ctype type = ctype_pointer(scalar_of(reduced_type(r)), false);

	type.is_restrict = true;
	kfunc_add_param(r->h->mem, f, (struct kparam) { .c_type = type,
		.name = var });
}

void cpu_add_values(const struct reduced *r, struct kfunc *f)
{
	add_restricted(r, f, cpu_values_name(r->h));
}

struct kfunc *cpu_reduction(const struct host *h, int i)
{
	struct pieces p = pieces_of(h, reduced_of(h, i), read_own);
	struct ctype type = ctype_of(reduced_type(&p.reduced));
	struct kfunc *f = host_function(h, "%s_reduce", type);
	struct ks *region = cpu_region_of_pieces(&p.reduced, read_own);

	f->name = region_printf(h->mem, "%s%d", f->name, i);
	f->comment = reduced_comment(&p.reduced);
	f->is_static = true;
	reduced_declare(&p.reduced, f->body, region);
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, f->body, region);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		cpu_join_pieces(&p.reduced, name(h, p.values),
			cpu_count_of_values(&p.reduced))));
	host_add_params_of_all(h, f);
	kfunc_add_int(h->mem, f, h->names->time);
	if (h->walks_planes)
		kfunc_add_int(h->mem, f, cpu_apart_name(h));
	add_arrays(h, f);
	cpu_add_values(&p.reduced, f);
	kfunc_drop_unused(f);
	return f;
}

/* Of tiles ------------------------------------------------------------------- */

bool cpu_keeps_lanes(const struct host *h, int i)
{
	return h->prog->reduction[i]->how == REDUCE_SUM;
}

const char *cpu_lanes_name(const struct host *h, int i)
{
	return fresh_name(h->mem, h->prog, "lanes%d", i);
}

const char *cpu_tile_values_name(const struct host *h, int i)
{
	return fresh_name(h->mem, h->prog, "values%d", i);
}

void cpu_add_tile_values(const struct host *h, struct kfunc *f, int i)
{
	struct reduced r = reduced_of(h, i);

	if (cpu_keeps_lanes(h, i))
		add_restricted(&r, f, cpu_lanes_name(h, i));
	add_restricted(&r, f, cpu_tile_values_name(h, i));
}

struct kfunc *cpu_tile_reduction(const struct host *h, int i, const char *slot)
{
	struct reduced r = reduced_of(h, i);
	struct kfunc *f = cpu_function(h, region_printf(h->mem, "reduced%d", i));
	const struct kx *n = cpu_count_of_values(&r);

	f->c_type = ctype_of(reduced_type(&r));
	f->comment = region_printf(h->mem, "%s, of the values of all pieces.",
		h->prog->reduction[i]->result->name);
	reduced_declare(&r, f->body, f->body);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		cpu_join_pieces(&r, op(h, OP_ADD, name(h, cpu_tile_values_name(
			h, i)), op(h, OP_MUL, n, name(h, slot))), n)));
	kfunc_add_int(h->mem, f, slot);
	cpu_add_tile_values(h, f, i);
	kfunc_drop_unused(f);
	return f;
}

void cpu_add_results(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct field *result = h->prog->reduction[i]->result;

		if (!reduced_in_tiles(h, i))
			continue;
		kfunc_add_param(h->mem, f, (struct kparam) { .c_type =
			ctype_pointer(scalar_of(result->type), false),
			.name = cpu_result_name(h, result) });
		cpu_add_tile_values(h, f, i);
	}
}
