/* What ranks reduce, as C: each its own cells, between the rounds of two segments.  The
 * greatest, the least and sums of ints are the same in any order, so a rank has one value.
 * Sums of reals have that of the points: the last dimension of the grid is not cut then, and the
 * values of whole rows are brought in order on rank 0, which adds them.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/mpi.h"
#include "codegen/host/reductions.h"

static const struct mpi *mpi_of(const struct host *h)
{
	return (const struct mpi *) h;	/* its first member */
}

bool mpi_reduces(const struct mpi *m)
{
	return m->h.prog->n_reductions > 0;
}

static bool has_checks(const struct mpi *m)
{
	return program_has_checks(m->h.prog);
}

static bool keeps_order(const struct reduction *r)
{
	return r->how == REDUCE_SUM && !type_is_integer(r->point->value->type);
}

static const struct kx *call(const struct mpi *m, const char *function, int n,
	const struct kx *const *arg)
{
	return kx_of_kind(m->h.mem, KX_CALL, function, n, arg);
}

#define CALL(m, function, ...) call((m), (function), \
	(int) (sizeof((const struct kx *[]) { __VA_ARGS__ }) / \
		sizeof(const struct kx *)), \
	(const struct kx *[]) { __VA_ARGS__ })

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
	const struct host *h = &m->h;
	const struct field *f = acc->field;
	const struct kx *at[1 + IR_MAX_DIMS];
	struct kx *x;
	int n = 0;

	if (cpu_versions(f) > 1)
		at[n++] = integer(h, f->depth - 2 + acc->version);
	for (int d = 0; d < f->n_dims; d++) {
		int k = m->blocks->field[f->index].cut[d];
		const struct kx *cell = kx_subscript(h->mem, acc, d,
			b->point[acc->dim[d]]);

		at[n++] = k < 0 ? cell : op(h, OP_SUB, cell, name(h,
			m->blocks->dim[k].origin->name));
	}
	x = kx_of_kind(h->mem, KX_INDEX, f->name, n, at);
	x->type = f->type;
	return x;
}

/* The function ------------------------------------------------------------- */

static const struct kx *bytes_of_value(const struct reduced *r)
{
	return kx_sizeof(r->h->mem, ctype_of(reduced_type(r)));
}

/* The first "n" dimensions of the points of all ranks, as lists. */
struct box_of_all {
	const struct kx *dims, *first, *end;
};

static const struct kx *declare_list(const struct mpi *m, struct ks *b,
	const char *var, int n, const struct kx *const *x)
{
	ks_add(m->h.mem, b, ks_list(m->h.mem, ctype_const(CT_INT), var, n, x));
	return name(&m->h, var);
}

static struct box_of_all declare_box(const struct mpi *m, struct ks *b, int i,
	int n)
{
	struct reduced all = reduced_of(&m->h, i);
	const char *first = fresh_name(m->h.mem, m->h.prog, "first_of%d", i);
	const char *end = fresh_name(m->h.mem, m->h.prog, "end_of%d", i);

	return (struct box_of_all) { integer(&m->h, n), declare_list(m, b,
		first, n, all.first), declare_list(m, b, end, n, all.end) };
}

/* Of all ranks' rows. */
static const struct kx *pieces_of_rows(const struct mpi *m, int i)
{
	struct reduced all = reduced_of(&m->h, i);

	return kx_cast(m->h.mem, ctype(CT_SIZE), reduced_pieces(&all));
}

static struct ks *statement(const struct mpi *m, const struct kx *x)
{
	return ks_expression(m->h.mem, KS_EXPRESSION, x);
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
	struct box_of_all box = declare_box(m, b, i, own->last);

	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_SIZE), n, NULL));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(scalar_of(
		reduced_type(own)), false), all, CALL(m, "stencilc_in_order",
		name(h, m->ranks), box.dims, box.first, box.end,
		pieces_of_rows(m, i), name(h, cpu_values_name(h)),
		bytes_of_value(own), kx_address(h->mem, name(h, n)))));
	ks_add(h->mem, b, ks_declare(h->mem, type, sum, cpu_join_pieces(own,
		name(h, all), name(h, n))));
	ks_add(h->mem, b, statement(m, CALL(m, "stencilc_tell", name(h,
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
					block->field[i]), CPU_DENSE);
}

/* static T NAME_reduceN(ranks, params, origins, extents, t, arrays, values) */
static struct kfunc *reduce_function(const struct mpi *m, int i)
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
	add_arrays(m, f);
	cpu_add_values(&own, f);
	declare_points(m, f->body, i);
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, f->body, cpu_region_of_pieces(&own, read_in_block));
	if (keeps_order(own.r))
		join_in_order(m, f->body, i, &own);
	else
		join_in_any_order(m, f->body, &own);
	kfunc_drop_unused(f);
	return f;
}

void mpi_add_reductions(struct mpi *m)
{
	const struct program *p = m->h.prog;

	cpu_note_math_of_reductions(m->h.unit, p);
	m->h.reduce = region_array(m->h.mem, struct kfunc *,
		p->n_reductions + 1);
	for (int i = 0; i < p->n_reductions; i++) {
		m->h.reduce[i] = reduce_function(m, i);
		*m->h.unit->last = m->h.reduce[i];
		m->h.unit->last = &m->h.reduce[i]->next;
	}
}

/* Memory ------------------------------------------------------------------- */

static const struct kx *bytes_for(const struct mpi *m, struct ks *b, int i)
{
	struct reduced all = reduced_of(&m->h, i);
	const struct kx *ranks = kx_address(m->h.mem, name(&m->h, m->ranks));
	bool in_order = keeps_order(all.r);
	struct box_of_all box = declare_box(m, b, i, all.last + !in_order);

	return in_order ? CALL(m, "stencilc_rows_bytes", ranks, box.dims,
		box.first, box.end, pieces_of_rows(m, i), bytes_of_value(
			&all)) : CALL(m, "stencilc_of_all_bytes", ranks,
		box.dims, box.first, box.end, bytes_of_value(&all));
}

void mpi_add_bytes_of_values(const struct mpi *m, struct ks *b,
	const char *bytes)
{
	for (int i = 0; i < m->h.prog->n_reductions; i++)
		ks_add(m->h.mem, b, ks_assign(m->h.mem, name(&m->h, bytes),
			CALL(m, "stencilc_larger", name(&m->h, bytes),
				bytes_for(m, b, i))));
}

/* Segments ----------------------------------------------------------------- */

struct call_of_reduction {
	const struct mpi *m;
	const struct kx *end;
};

static const struct kx *argument_of_reduction(const void *user,
	const char *param)
{
	const struct call_of_reduction *c = user;
	const struct mpi *m = c->m;

	if (!strcmp(param, m->ranks))
		return kx_address(m->h.mem, name(&m->h, m->ranks));
	if (!strcmp(param, m->h.names->time))
		return kx_add(m->h.mem, c->end, -1);
	if (!strcmp(param, cpu_values_name(&m->h)))
		return name(&m->h, m->memory);
	return mpi_argument_of_block(m, param);
}

/* const int broken0 = NAME_reduce0(..); if (broken0 > 0 && !status) status = ..; */
static struct ks *check_finite(const struct host *h, int i,
	const struct kx *value)
{
	const char *broken = fresh_name(h->mem, h->prog, "broken%d", i);
	struct ks *b = ks_block(h->mem);

	host_declare_int(h, b, broken, value);
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_AND, op(h, OP_GT, name(h,
		broken), integer(h, 0)), kx_unary(h->mem, OP_NOT, name(h,
		h->status))), ks_assign(h->mem, name(h, h->status), integer(h,
			STATUS_NOT_FINITE)), NULL));
	return b;
}

static struct ks *reduce(const struct host *h, int i, const struct kx *end,
	const struct kx *at)
{
	struct call_of_reduction c = { mpi_of(h), end };
	const struct reduction *r = h->prog->reduction[i];
	const struct kx *value = kfunc_call(h->mem, h->reduce[i],
		argument_of_reduction, &c);

	return r->is_check ? check_finite(h, i, value) : cpu_set_result(h, r,
		at, value);
}

static void declare_results(const struct mpi *m, struct ks *b)
{
	for (int i = 0; i < m->h.prog->n_fields; i++) {
		const struct field *f = m->h.prog->field[i];

		if (f->is_result)
			ks_add(m->h.mem, b, ks_declare(m->h.mem, ctype_fixed(
				scalar_of(f->type), false), cpu_result_name(
				&m->h, f), mpi_argument_of_block(m, f->name)));
	}
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
			m, "stencilc_agree_to_go_on", kx_address(h->mem, name(h,
			m->ranks)), name(h, h->status))));
	if (!h->prog->until)
		return body;
	ks_add(h->mem, body, ks_assign(h->mem, name(h, loop_ends_name(h)),
		kx_and(h->mem, loop_may_end(h), loop_condition(h,
			cpu_newest_result))));
	ks_add(h->mem, body, ks_assign(h->mem, name(h, loop_done_name(h)),
		op(h, OP_SUB, segment_end(h), whole_begin(h))));
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
	const struct host *h = &m->h;
	const struct program *prog = h->prog;
	const struct kx *done = name(h, loop_done_name(h));
	const struct kx *zero = integer(h, 0);

	declare_results(m, b);
	loop_declare(h, b);
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	if (prog->segments->most > 0) {
		ks_add(h->mem, b, all_segments(m, rounds));
	} else {
		host_declare_int(h, b, segment_first(h)->name, whole_begin(h));
		host_declare_int(h, b, segment_end(h)->name, whole_end(h));
		ks_add(h->mem, b, rounds);
	}
	end_reduce(h, b, prog->until ? op(h, OP_ADD, whole_begin(h), done) :
		whole_end(h), reduce);
	if (prog->until)
		ks_add(h->mem, b, ks_assign(h->mem, kx_of_kind(h->mem, KX_INDEX,
			cpu_result_name(h, prog->steps), 1, &zero), done));
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
			ks_add(m->h.mem, b, statement(m, CALL(m,
				"stencilc_keep", kx_address(m->h.mem, name(
				&m->h, m->ranks)), integer(&m->h, place),
				integer(&m->h, before))));
		place++;
	}
}
