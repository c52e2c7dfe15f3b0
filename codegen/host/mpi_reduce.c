/* What ranks reduce: each its own cells, between the rounds of two segments.  The
 * greatest, the least and sums of ints are the same in any order, so a rank has one value.
 * Sums of reals have that of the points: rows are cut between pieces then, if at all, and the values
 * of all pieces are brought in order on rank 0, which adds them.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/mpi_reduce.h"

static bool has_checks(const struct mpi *m)
{
	return program_has_checks(m->h.prog);
}

/* Points ------------------------------------------------------------------- */

static const char *low_name(const struct reduced *r, int d)
{
	return fresh_name(r->h->mem, r->h->prog, "%s_low",
		reduced_index(r, d));
}

/* Reduction "i", of which first and end are variables: those of the rank's own points. */
static struct reduced own_points(const struct mpi *m, int i)
{
	struct reduced r = reduced_of(&m->h, i);

	for (int d = 0; d <= r.last; d++) {
		r.end[d] = name(&m->h, r.end_name[d]);
		r.first[d] = name(&m->h, low_name(&r, d));
	}
	return r;
}

static void declare_points(const struct mpi *m, struct ks *b, int i)
{
	struct reduced all = reduced_of(&m->h, i), own = own_points(m, i);
	const struct kx *ranks = name(&m->h, m->ranks);

	for (int d = 0; d <= all.last; d++) {
		const struct kx *k = integer(&m->h, d);

		host_declare_int(&m->h, b, low_name(&own, d), CALL(m,
			"stencilc_first_point", ranks, k, all.first[d],
			all.end[d]));
		host_declare_int(&m->h, b, own.end_name[d], CALL(m,
			"stencilc_end_point", ranks, k, all.first[d],
			all.end[d]));
	}
	host_declare_int(&m->h, b, own.pieces, reduced_pieces(&own));
}

/* A[copy][i - i_origin][j - j_origin]: the cell in the rank's block. */
static const struct kx *read_in_block(const struct binding *b,
	const struct access *acc)
{
	const struct mpi *m = mpi_of(b->user);
	const struct kx *cell[IR_MAX_DIMS];

	mpi_cell_in_block(m, b, acc, cell);
	return cpu_version_at(&m->h, acc, cell);
}

/* The function ------------------------------------------------------------- */

static const struct kx *bytes_of_value(const struct reduced *r)
{
	return kx_sizeof(r->h->mem, ctype_of(reduced_type(r)));
}

/* The points of all ranks, as lists. */
struct box_of_all {
	const struct kx *dims, *first, *end;
};

static const struct kx *declare_list(const struct mpi *m, struct ks *b,
	const char *var, int n, const struct kx *const *x)
{
	ks_add(m->h.mem, b, ks_list(m->h.mem, ctype_const(CT_INT), var, n, x));
	return name(&m->h, var);
}

static struct box_of_all declare_box(const struct mpi *m, struct ks *b, int i)
{
	struct reduced all = reduced_of(&m->h, i);
	int n = all.last + 1;
	const char *first = fresh_name(m->h.mem, m->h.prog, "first_of%d", i);
	const char *end = fresh_name(m->h.mem, m->h.prog, "end_of%d", i);

	return (struct box_of_all) { integer(&m->h, n), declare_list(m, b,
		first, n, all.first), declare_list(m, b, end, n, all.end) };
}

/* Of the rank's values one, then of those of all ranks. */
static void join_in_any_order(const struct mpi *m, struct ks *b,
	const struct reduced *own)
{
	const struct host *h = &m->h;
	const struct kx *values = name(h, cpu_values_name(h));
	const struct kx *zero = integer(h, 0);

	ks_add(h->mem, b, ks_assign(h->mem, kx_of_kind(h->mem, KX_INDEX,
		cpu_values_name(h), 1, &zero), cpu_join_pieces(own, values,
			cpu_count_of_values(own))));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, cpu_join_pieces(own,
		values, CALL(m, "stencilc_of_all", name(h, m->ranks), values,
			bytes_of_value(own)))));
}

/* Of all values in their order, on rank 0, which tells the others. */
static void join_in_order(const struct mpi *m, struct ks *b, int i,
	const struct reduced *own)
{
	const struct host *h = &m->h;
	const char *all = fresh_name(h->mem, h->prog, "all");
	const char *n = fresh_name(h->mem, h->prog, "count");
	const char *sum = fresh_name(h->mem, h->prog, "joined");
	struct ctype type = ctype_of(reduced_type(own));
	struct box_of_all box = declare_box(m, b, i);
	struct ctype values = ctype_pointer(scalar_of(reduced_type(own)), false);
	const struct kx *in_order = CALL(m, "stencilc_in_order", name(h,
		m->ranks), box.dims, box.first, box.end, name(h,
			cpu_values_name(h)), bytes_of_value(own), kx_address(
			h->mem, name(h, n)));

	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_SIZE), n, NULL));
	ks_add(h->mem, b, ks_declare(h->mem, values, all, mpi_is_on_gpu(m) ?
		kx_cast(h->mem, values, in_order) : in_order));
	ks_add(h->mem, b, ks_declare(h->mem, type, sum, cpu_join_pieces(own,
		name(h, all), name(h, n))));
	ks_add(h->mem, b, mpi_statement(m, CALL(m, "stencilc_tell", name(h,
		m->ranks), kx_address(h->mem, name(h, sum)),
		bytes_of_value(own))));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, name(h, sum)));
}

/* The fields as the block has them. */
static void add_arrays(const struct mpi *m, struct kfunc *f)
{
	const struct program *block = m->blocks->block;
	struct host h = m->h;

	h.prog = block;
	for (int i = 0; i < m->h.prog->n_fields; i++)
		if (field_is_argument(block->field[i]))
			cpu_add_array(&h, f, block->field[i],
				block->field[i]->name, cpu_versions(
					&h, block->field[i]), CPU_DENSE);
}

/* static T NAME_reduceN(ranks, params, origins, extents, t, arrays, values); on a GPU "kernel" makes
 * the values
 */
static struct kfunc *reduce_function(const struct mpi *m, int i,
	const struct kfunc *kernel)
{
	const struct host *h = &m->h;
	struct reduced own = own_points(m, i);
	struct kfunc *f = host_function(h, "%s_reduce", ctype_of(reduced_type(
		&own)));

	f->name = region_printf(h->mem, "%s%d", f->name, i);
	f->comment = reduced_comment(&own);
	f->is_static = true;
	kfunc_add_param(h->mem, f, (struct kparam) { .name = m->ranks,
		.c_type = ctype_pointer(CT_RANKS, false) });
	host_add_params_of_all(h, f);
	for (int k = 0; k < m->blocks->n_dims; k++) {
		kfunc_add_int(h->mem, f, m->blocks->dim[k].origin->name);
		kfunc_add_int(h->mem, f, m->blocks->dim[k].extent->name);
	}
	kfunc_add_int(h->mem, f, h->names->time);
	if (kernel)
		mpi_gpu_add_fields(m, f);
	else
		add_arrays(m, f);
	cpu_add_values(&own, f);
	declare_points(m, f->body, i);
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	if (kernel)
		mpi_gpu_add_values(m, f, &own, kernel);
	else
		ks_add(h->mem, f->body, cpu_region_of_pieces(&own,
			read_in_block));
	if (reduction_keeps_order(own.r))
		join_in_order(m, f->body, i, &own);
	else
		join_in_any_order(m, f->body, &own);
	kfunc_drop_unused(f);
	if (kernel)	/* a launch does not name it */
		mpi_gpu_add_stream(m, f);
	return f;
}

void mpi_add_reductions(struct mpi *m)
{
	const struct program *p = m->h.prog;

	cpu_note_math_of_reductions(m->h.unit, p);
	m->h.reduce = region_array(m->h.mem, struct kfunc *,
		p->n_reductions + 1);
	for (int i = 0; i < p->n_reductions; i++) {
		struct reduced own = own_points(m, i);
		const struct kfunc *kernel = mpi_is_on_gpu(m) ? unit_append(
			m->h.unit, mpi_gpu_pieces(m, &own)) : NULL;

		m->h.reduce[i] = unit_append(m->h.unit, reduce_function(m, i,
			kernel));
	}
}

/* Memory ------------------------------------------------------------------- */

static const struct kx *bytes_for(const struct mpi *m,
	const struct box_of_all *box, int i)
{
	struct reduced all = reduced_of(&m->h, i);
	const struct kx *ranks = mpi_ranks(m);
	bool in_order = reduction_keeps_order(all.r);

	return in_order ? CALL(m, "stencilc_rows_bytes", ranks, box->dims,
		box->first, box->end, bytes_of_value(&all)) : CALL(m,
		"stencilc_of_all_bytes", ranks, box->dims, box->first,
		box->end, bytes_of_value(&all));
}

/* .. of which so many are the rank's own. */
static const struct kx *own_bytes_for(const struct mpi *m,
	const struct box_of_all *box, int i)
{
	struct reduced all = reduced_of(&m->h, i);

	return CALL(m, "stencilc_own_bytes", mpi_ranks(m), box->dims,
		box->first, box->end, bytes_of_value(&all));
}

void mpi_add_bytes_of_values(const struct mpi *m, struct ks *b,
	const char *bytes)
{
	bool on_gpu = mpi_is_on_gpu(m);

	for (int i = 0; i < m->h.prog->n_reductions; i++) {
		struct box_of_all box = declare_box(m, b, i);

		ks_add(m->h.mem, b, on_gpu ? mpi_statement(m, CALL(m,
			"stencilc_need_values", mpi_ranks(m), bytes_for(m, &box,
				i), own_bytes_for(m, &box, i))) :
			ks_assign(m->h.mem, name(&m->h, bytes), CALL(m,
				"stencilc_larger", name(&m->h, bytes),
				bytes_for(m, &box, i))));
	}
}

/* Segments ----------------------------------------------------------------- */

struct call_of_reduction {
	const struct mpi *m;
	const struct kx *end;
	enum scalar scalar;		/* of its values */
};

/* Where the block lies along a dimension, if "param" is that: no zone at a side is at hand. */
static const struct kx *place_of_block(const struct mpi *m, const char *param)
{
	for (int k = 0; k < m->blocks->n_dims; k++) {
		const struct block_dim *dim = &m->blocks->dim[k];

		if (!strcmp(param, dim->origin->name))
			return CALL(m, "stencilc_origin", mpi_ranks(m), integer(&m->h, k));
		if (!strcmp(param, dim->extent->name))
			return CALL(m, "stencilc_extent", mpi_ranks(m), integer(&m->h, k));
	}
	return NULL;
}

static const struct kx *argument_of_reduction(const void *user,
	const char *param)
{
	const struct call_of_reduction *c = user;
	const struct mpi *m = c->m;

	if (!strcmp(param, m->ranks))
		return mpi_ranks(m);
	if (!strcmp(param, m->h.names->time))
		return kx_add(m->h.mem, c->end, -1);
	if (!strcmp(param, cpu_values_name(&m->h)))
		return mpi_is_on_gpu(m) ? mpi_gpu_values(m, c->scalar) :
			name(&m->h, m->memory);
	if (m->zone && place_of_block(m, param))
		return place_of_block(m, param);
	return mpi_argument_of_block(m, param);
}

/* const int broken0 = NAME_reduce0(..); if (broken0 > 0 && !status) status = ..; */
static struct ks *check_finite(const struct host *h, int i,
	const struct kx *value)
{
	struct ks *b = ks_block(h->mem);
	const struct kx *is_broken = cpu_find_broken(h, b, i, value);

	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_AND, is_broken, kx_unary(
		h->mem, OP_NOT, name(h, h->status))), ks_assign(h->mem, name(h,
			h->status), integer(h, STATUS_NOT_FINITE)), NULL));
	return b;
}

static struct ks *reduce(const struct host *h, int i, const struct kx *end,
	const struct kx *at)
{
	const struct reduction *r = h->prog->reduction[i];
	struct call_of_reduction c = { mpi_of(h), end, scalar_of(
		r->point->value->type) };
	const struct kx *value = kfunc_call(h->mem, h->reduce[i],
		argument_of_reduction, &c);

	return r->is_check ? check_finite(h, i, value) : cpu_set_result(h, r,
		at, value);
}

static const struct kx *result_of_rank(const void *user, const struct field *f)
{
	return mpi_argument_of_block(user, f->name);
}

/* Nothing happens on any rank. */
void mpi_return_without_steps(const struct mpi *m, struct ks *b)
{
	if (mpi_is_on_gpu(m))
		mpi_gpu_return_without_steps(m, b);
	else
		host_return_without_steps(&m->h, b);
}

/* May all ranks leave the loop before its end? */
static bool leaves_early(const struct mpi *m)
{
	return m->h.prog->until || has_checks(m);
}

/* Behind a segment: what is reduced, and whether that ends the loop, for all ranks alike. */
static struct ks *segment(const struct mpi *m, struct ks *rounds)
{
	const struct host *h = &m->h;
	struct ks *body = ks_block(h->mem);

	ks_add(h->mem, body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, body, rounds);
	segment_reduce(h, body, reduce);
	if (leaves_early(m))
		ks_add(h->mem, body, ks_assign(h->mem, name(h, h->status), CALL(
			m, "stencilc_agree_to_go_on", mpi_ranks(m), name(h,
			h->status))));
	cpu_test_end(h, body);
	return body;
}

static struct ks *all_segments(const struct mpi *m, struct ks *rounds)
{
	const struct host *h = &m->h;
	struct ks *loop = segment_loop(h, segment(m, rounds));

	if (leaves_early(m))
		loop->x[1] = op(h, OP_AND, loop->x[1], kx_unary(h->mem, OP_NOT,
			name(h, h->status)));
	return loop;
}

void mpi_add_segments(const struct mpi *m, struct ks *b, struct ks *rounds)
{
	const struct cpu_segments all = {
		.loop = m->h.prog->segments->most > 0 ? all_segments(m, rounds) :
			NULL,
		.steps = rounds, .reduce = reduce,
		.result = result_of_rank, .user = m,
	};

	cpu_run_segments(&m->h, b, &all);
}

/* Before the block gets its memory. */
void mpi_keep_copies(const struct mpi *m, struct ks *b)
{
	for (int i = 0, place = 0; i < m->h.prog->n_fields; i++) {
		const struct field *f = m->h.prog->field[i];
		int before = field_copies(m->blocks->block->field[i]) -
			field_copies(f);

		if (!field_is_argument(f))
			continue;
		if (before > 0)
			ks_add(m->h.mem, b, mpi_statement(m, CALL(m,
				"stencilc_keep", mpi_ranks(m), integer(&m->h,
				place), integer(&m->h, before))));
		place++;
	}
}
