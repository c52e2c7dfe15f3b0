/* Reductions as C: a pass over all points. */
#include "codegen/host/cpu_reduce.h"

struct pieces cpu_pieces_of(const struct host *h, struct reduced reduced,
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

const struct kx *cpu_lane_at(const struct pieces *p, const struct kx *l)
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

	if (cpu_versions(h, f) > 1)
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

const struct kx *cpu_read_version(const struct binding *b,
	const struct access *acc)
{
	const struct host *h = b->user;
	const struct field *f = acc->field;
	const struct kx *cell[IR_MAX_DIMS];

	cpu_bound_cell(b, acc, cell);
	return element(h, acc, f->kind == FIELD_STATE ? version_name(h->mem,
		h->prog, f, acc->version) : f->name, f->n_dims, cell);
}

struct ks *cpu_joined_lane(const struct pieces *p, const struct kx *l)
{
	struct binding b = reduced_in_users_time(p->reduced.h);

	b.read = p->read;
	b.user = p->reduced.h;
	b.element = ELEMENT_OF_ARRAY;
	return reduced_point(&p->reduced, cpu_lane_at(p, l), b);
}

struct ks *cpu_loop_of_pieces(const struct host *h, const char *var,
	const struct kx *first, const struct kx *end, struct ks *body)
{
	return ks_for(h->mem, var, first, op(h, OP_LT, name(h, var), end),
		integer(h, 1), body);
}

struct ks *cpu_with_directive(const struct host *h, enum directive_kind kind,
	struct ks *s)
{
	struct ks *block = ks_block(h->mem);

	ks_add(h->mem, block, ks_directive(h->mem, (struct directive) {
		.kind = kind, .schedule = kind == OMP_FOR ? OMP_STATIC :
			OMP_AS_IT_LIKES }));
	ks_add(h->mem, block, s);
	return block;
}

struct ks *cpu_whole_lanes(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *l = name(h, p->l);
	struct ks *body = ks_block(h->mem);

	host_declare_int(h, body, reduced_index(&p->reduced, p->reduced.last), op(h, OP_ADD,
		name(h, p->from), l));
	ks_add(h->mem, body, cpu_joined_lane(p, l));
	return cpu_with_directive(h, OMP_SIMD, cpu_loop_of_pieces(h, p->l, integer(h, 0),
		integer(h, REDUCE_LANES), body));
}

static struct ks *some_lanes(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const char *index = reduced_index(&p->reduced, p->reduced.last);

	return cpu_loop_of_pieces(h, index, name(h, p->from), name(h, p->reduced.piece_end),
		cpu_joined_lane(p, op(h, OP_SUB, name(h, index), name(h, p->from))));
}

const struct kx *cpu_begin_of_piece(const struct pieces *p, int behind)
{
	const struct host *h = p->reduced.h;

	return op(h, OP_ADD, p->reduced.first[p->reduced.last], op(h, OP_MUL,
		kx_add(h->mem, name(h, p->piece), behind), integer(h,
			REDUCE_PIECE)));
}

void cpu_declare_lanes(const struct pieces *p, struct ks *body)
{
	int extent = REDUCE_LANES;

	ks_add(p->reduced.h->mem, body, ks_array(p->reduced.h->mem, ctype_of(
		reduced_type(&p->reduced)), p->reduced.lane, 1, &extent, false,
		-1));
}

struct ks *cpu_each_lane(const struct pieces *p, const struct kx *to,
	const struct kx *value)
{
	const struct host *h = p->reduced.h;

	return cpu_loop_of_pieces(h, p->l, integer(h, 0), integer(h, REDUCE_LANES),
		ks_assign(h->mem, to, value));
}

/* for (from: a piece, by lanes) */
static struct ks *over_piece(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *from = name(h, p->from);
	const struct kx *end = name(h, p->reduced.piece_end);

	return ks_for(h->mem, p->from, cpu_begin_of_piece(p, 0), op(h, OP_LT, from,
		end), integer(h, REDUCE_LANES), ks_if(h->mem, op(h, OP_LE,
			kx_add(h->mem, from, REDUCE_LANES), end),
			cpu_whole_lanes(p), some_lanes(p)));
}

static struct ks *one_piece(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *row = reduced_row(&p->reduced);
	const struct kx *lanes = name(h, p->reduced.lane);
	const struct kx *at = name(h, p->piece);
	struct ks *body = ks_block(h->mem);

	cpu_declare_lanes(p, body);
	host_declare_int(h, body, p->reduced.piece_end, kx_min(h->mem, name(h,
		p->reduced.end_name[p->reduced.last]), cpu_begin_of_piece(p, 1)));
	ks_add(h->mem, body, cpu_each_lane(p, cpu_lane_at(p, name(h, p->l)),
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
	struct ks *nest = cpu_loop_of_pieces(h, p->piece, integer(h, 0), name(h, p->reduced.pieces),
		one_piece(p));

	for (int d = p->reduced.last - 1; d >= 0; d--)
		nest = cpu_loop_of_pieces(h, reduced_index(&p->reduced, d), p->reduced.first[d], name(h,
			p->reduced.end_name[d]), nest);
	return cpu_with_directive(h, OMP_FOR, nest);
}

static void add_arrays(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (field_is_argument(field))
			cpu_add_array(h, f, field, field->name,
				cpu_versions(h, field), cpu_is_moved(h, field) ?
				cpu_layout_of_user(h, field) : CPU_DENSE);
	}
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
	struct pieces p = cpu_pieces_of(r->h, *r, read);
	struct ks *region = ks_scope(r->h->mem);

	region->braces = true;
	ks_add(r->h->mem, region, all_pieces(&p));
	return cpu_with_directive(r->h, OMP_PARALLEL, region);
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
	struct pieces p = cpu_pieces_of(h, reduced_of(h, i), read_own);
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
