/* What the host checks of its arguments before it touches anything. */
#include <limits.h>
#include <string.h>

#include "codegen/forms.h"
#include "codegen/host/host.h"

enum {
	/* Room for what index arithmetic adds to a coordinate. */
	MARGIN = 1 << 20,
};

/* Must the sizes of "f" be as "o" says?  Sizes used only at points of lists may be 0; the
 * number of planes is the grid's.
 */
static bool is_asked(const struct field *f, enum op o)
{
	return o == OP_EQ ? !f->is_listed : !f->made_of ||
		f != f->made_of->first;
}

/* Is a size equal to field->size[dim] checked already? */
static bool is_repeated_size(const struct host *h, enum op o, int index,
	int dim)
{
	const struct expr *size = h->prog->field[index]->size[dim];

	for (int i = 0; i <= index; i++)
		for (int d = 0; is_asked(h->prog->field[i], o) &&
		     d < h->prog->field[i]->n_dims; d++) {
			if (i == index && d == dim)
				return false;
			if (h->prog->field[i]->size[d] == size ||
			    expr_same_size(h->prog->field[i]->size[d], size))
				return true;
		}
	return false;
}

const struct kx *host_some_size(const struct host *h, enum op o,
	int64_t bound)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_fields; i++)
		for (int d = 0; is_asked(h->prog->field[i], o) &&
		     d < h->prog->field[i]->n_dims; d++) {
			const struct expr *size = h->prog->field[i]->size[d];
			bool plain = size->kind == EXPR_PARAM;
			const struct kx *x = host_param(h, size,
				ctype(plain ? CT_NONE : CT_LONG));

			if (x->kind == KX_INT || is_repeated_size(h, o, i, d))
				continue;
			any = host_either(h, any, op(h, o, x, integer(h, bound)));
		}
	return any;
}

/* The widest stride with which "s", or a statement whose temp it reads, reads
 * along index "dim".
 */
static int64_t widest_stride(const struct host *h, const struct stmt *s,
	int dim)
{
	const struct range *r = program_range(h->scop->range, s, dim);
	int64_t widest = 1;

	for (int i = 0; i < r->n_ends; i++)
		if (r->end[i].stride > widest)
			widest = r->end[i].stride;
	for (int i = 0; i < stmt_n_asked(s); i++) {
		const struct access *acc = stmt_asked(s, i);

		for (int d = 0; d < acc->field->n_dims; d++)
			if (acc->dim[d] == dim && acc->stride[d] > widest)
				widest = acc->stride[d];
	}
	return widest;
}

/* The widest stride along an index that runs over "size"; 0 if this statement,
 * "of", or an earlier one has handled the same size.
 */
static int64_t stride_over(const struct host *h, const struct expr *size,
	int of, int dim)
{
	int64_t widest = 1;

	for (int i = 0; i < h->prog->n_stmts; i++) {
		const struct stmt *s = h->prog->stmt[i];

		for (int d = 0; d < s->n_dims; d++) {
			const struct expr *own = s->write->field->size[d];
			int64_t stride;

			if (own != size && !expr_same_size(own, size))
				continue;
			if (i < of || (i == of && d < dim))
				return 0;
			stride = widest_stride(h, s, d);
			widest = stride > widest ? stride : widest;
		}
	}
	return widest;
}

/* Is a grid so large that what its points read with a stride lies beyond
 * "bound", computed or not?
 */
static const struct kx *some_stride_too_large(const struct host *h,
	int64_t bound)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_stmts; i++)
		for (int d = 0; d < h->prog->stmt[i]->n_dims; d++) {
			const struct expr *e =
				h->prog->stmt[i]->write->field->size[d];
			const struct kx *size = host_param(h, e,
				ctype(e->kind == EXPR_PARAM ? CT_NONE :
				CT_LONG));
			int64_t stride = stride_over(h, e, i, d);

			if (stride > 1 && !(size->kind == KX_INT &&
			    size->ivalue <= bound / stride))
				any = host_either(h, any, op(h, OP_GT, size,
					integer(h, bound / stride)));
		}
	return any;
}

/* Does "s" read the same cell at several points along index "dim", as A[i/2]? */
static bool divides_along(const struct stmt *s, int dim)
{
	for (int i = 0; i < stmt_n_asked(s); i++) {
		const struct access *acc = stmt_asked(s, i);

		for (int d = 0; d < acc->field->n_dims; d++)
			if (acc->dim[d] == dim && acc->divisor[d] != 1)
				return true;
	}
	return false;
}

/* "any", or: the "end" of the points lies beyond "bound". */
static const struct kx *or_beyond(const struct host *h, const struct kx *any,
	const struct expr *end, int64_t bound)
{
	const struct kx *x = host_param(h, end, ctype(CT_LONG));

	return x->kind == KX_INT && x->ivalue <= bound ? any :
		host_either(h, any, op(h, OP_GT, x, integer(h, bound)));
}

/* Is a grid so large that the points at which its cells are read, several for each cell, lie
 * beyond "bound"?
 */
static const struct kx *some_quotient_too_large(const struct host *h,
	int64_t bound)
{
	const struct program *prog = h->prog;
	const struct kx *any = NULL;

	for (int i = 0; i < prog->n_stmts; i++)
		for (int d = 0; d < prog->stmt[i]->n_dims; d++) {
			const struct range *r = program_range(h->scop->range,
				prog->stmt[i], d);

			if (divides_along(prog->stmt[i], d))
				for (int k = 1; k < r->n_ends; k++)
					any = or_beyond(h, any, r->end[k].size,
						bound);
		}
	for (int i = 0; i < prog->n_reductions; i++) {
		const struct stmt *s = prog->reduction[i]->point;

		for (int j = 0; j < s->n_reads; j++)
			for (int d = 0; d < s->read[j]->field->n_dims; d++)
				if (s->read[j]->divisor[d] != 1)
					any = or_beyond(h, any, access_end(h->mem,
						s->read[j], d), bound);
	}
	return any;
}

/* The cells of our own copy of "f", where it has a layout of its own. */
static const struct kx *cells_of_copy(const struct host *h, const struct field *f)
{
	const struct kx *cells = NULL;

	for (int d = 0; d < f->n_dims; d++)
		cells = cells ? op(h, OP_MUL, cells, h->run->extent(h, f, d)) :
			kx_cast(h->mem, ctype(CT_DOUBLE), h->run->extent(h, f, d));
	return cells;
}

/* Does a field have more bytes than fit a signed 64-bit number? */
static const struct kx *some_field_too_large(const struct host *h)
{
	const struct kx *any = NULL;
	struct kx *limit = kx_of_kind(h->mem, KX_REAL, "4e18", 0, NULL);

	limit->type = TYPE_DOUBLE;
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		int bytes = type_size(f->type) * (f->depth + 1);

		if (f->n_dims < 2 || field_is_constant(f))
			continue;
		any = host_either(h, any, op(h, OP_GT, op(h, OP_MUL,
			host_cells(h, f, ctype(CT_DOUBLE)), integer(h, bytes)),
			limit));
		if (h->run && h->run->extent && f->kind == FIELD_STATE)
			any = host_either(h, any, op(h, OP_GT, op(h, OP_MUL,
				cells_of_copy(h, f), integer(h, type_size(
					f->type))), limit));
	}
	return any;
}

/* Does one of the assumptions fail? */
static const struct kx *some_assumption_fails(const struct host *h)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_assumes; i++)
		any = host_either(h, any, kx_unary(h->mem, OP_NOT, host_param(h,
			h->prog->assume[i], ctype(CT_LONG))));
	return any;
}

/* The first point beyond a range, as "end" gives it. */
static const struct kx *end_of(const struct host *h,
	const struct range_end *end)
{
	return kx_end(h->mem, host_param(h, end->size, ctype(CT_LONG)),
		end->offset, end->stride);
}

/* Is a grid so small that mirroring, or wrapping, once leaves outside it a cell
 * that the last point of the range of "s" reads by "acc" in dimension "d"?
 * NULL if that never happens.
 */
static const struct kx *end_fails(const struct host *h, const struct stmt *s,
	const struct access *acc, int d)
{
	const struct range *r = program_range(h->scop->range, s, acc->dim[d]);
	int more = boundary_info(acc->field->boundary[d][SIDE_HIGH].kind)->
		first;
	const struct kx *twice = op(h, OP_MUL, integer(h, 2), host_param(h,
		acc->field->size[d], ctype(CT_LONG)));
	const struct kx *all = NULL;

	for (int i = 0; i < r->n_ends; i++) {
		int64_t beyond = acc->offset[d] + more - r->end[i].offset;
		const struct kx *last = kx_add(h->mem, kx_subscript(h->mem,
			acc, d, kx_add(h->mem, end_of(h, &r->end[i]), -1)),
			more + 1);
		bool plain = !access_strides_along(acc, d) &&
			r->end[i].stride == 1;

		if (kx_same(last, twice) || (plain && beyond <= 0 &&
		    expr_same_size(r->end[i].size, acc->field->size[d])))
			return NULL;
		last = op(h, OP_GT, last, twice);
		all = all ? op(h, OP_AND, all, last) : last;
	}
	return all;
}

/* .. the first point reads; NULL likewise. */
static const struct kx *first_fails(const struct host *h,
	const struct stmt *s, const struct access *acc, int d)
{
	int64_t first = floor_div(acc->offset[d] + acc->stride[d] *
		program_range(h->scop->range, s, acc->dim[d])->first,
		acc->divisor[d]);
	int more = boundary_info(acc->field->boundary[d][SIDE_LOW].kind)->
		first;

	return first < 0 ? op(h, OP_LT, host_param(h, acc->field->size[d],
		ctype(CT_LONG)), integer(h, more - first)) : NULL;
}

/* Would "acc" read outside the grid in dimension "d", at either end? */
static const struct kx *boundary_fails(const struct host *h,
	const struct stmt *s, const struct access *acc, int d)
{
	const struct kx *any = NULL, *end;

	if (access_wraps_once(s, acc, d, SIDE_LOW))
		any = first_fails(h, s, acc, d);
	end = access_wraps_once(s, acc, d, SIDE_HIGH) ?
		end_fails(h, s, acc, d) : NULL;
	return end ? host_either(h, any, end) : any;
}

/* Does another read, as far away or farther, imply what read "j" requires in
 * dimension "d"?
 */
static bool is_covered(const struct stmt *s, int j, int d)
{
	const struct access *acc = s->read[j];

	for (int i = 0; i < s->n_reads; i++) {
		const struct access *other = s->read[i];
		int64_t a = acc->offset[d], b;

		if (i == j || other->field != acc->field ||
		    other->dim[d] != acc->dim[d] ||
		    other->stride[d] != acc->stride[d] ||
		    other->divisor[d] != acc->divisor[d])
			continue;
		b = other->offset[d];
		if ((a < 0) == (b < 0) && (a < 0 ? b < a || (b == a && i < j) :
		    b > a || (b == a && i < j)))
			return true;
	}
	return false;
}

static const struct kx *some_boundary_fails(const struct host *h)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_stmts; i++)
		for (int j = 0; j < h->prog->stmt[i]->n_reads; j++) {
			const struct stmt *s = h->prog->stmt[i];
			const struct access *acc = s->read[j];

			for (int d = 0; d < acc->field->n_dims; d++)
				if (!is_covered(s, j, d))
					any = host_either(h, any, boundary_fails(h,
						s, acc, d));
		}
	return any;
}

/* Can a range be empty although all sizes are positive?  NULL if it never is. */
static const struct kx *is_empty_range(const struct host *h,
	const struct range *r)
{
	const struct kx *any = NULL;

	for (int i = 0; i < r->n_ends; i++) {
		int64_t least = r->end[i].stride * r->first +
			r->end[i].offset + 1;
		const struct kx *size = host_param(h, r->end[i].size,
			ctype(CT_LONG));

		if (least > 1 &&
		    !(size->kind == KX_INT && size->ivalue >= least))
			any = host_either(h, any, op(h, OP_LT, size,
				integer(h, least)));
	}
	return any;
}

/* Are the ranges of all statements empty?  NULL if one never is. */
static const struct kx *all_ranges_empty(const struct host *h)
{
	const struct kx *all = NULL;

	for (int i = 0; i < h->prog->n_stmts; i++) {
		const struct stmt *s = h->prog->stmt[i];
		const struct kx *empty = NULL;

		for (int d = 0; d < s->n_dims; d++)
			empty = host_either(h, empty, is_empty_range(h,
				program_range(h->scop->range, s, d)));
		if (!empty)
			return NULL;
		if (!all || !kx_same(all, empty))
			all = all ? op(h, OP_AND, all, empty) : empty;
	}
	return all;
}

/* Does a step change what the caller passes even without points?  A state that
 * keeps several steps moves on, and reductions give a value.
 */
static bool keeps_steps(const struct program *prog)
{
	if (prog->n_reductions > 0)
		return true;
	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_STATE &&
		    prog->field[i]->depth > 1)
			return true;
	return false;
}

/* A grid that is too small does no harm where no point is computed. */
static const struct kx *nothing_fails(const struct host *h)
{
	const struct kx *fails = keeps_steps(h->prog) ? NULL :
		some_boundary_fails(h);
	const struct kx *empty = fails ? all_ranges_empty(h) : NULL;

	return empty ? op(h, OP_AND, empty, fails) : NULL;
}

const struct kx *host_nothing_runs(const struct host *h,
	const struct kx *steps)
{
	const struct kx *nothing = host_either(h, host_some_size(h, OP_EQ, 0),
		nothing_fails(h));

	return steps ? host_either(h, nothing, op(h, OP_LE, steps,
		integer(h, 0))) : nothing;
}

/* NULL if that never happens. */
static const struct kx *too_many_steps(const struct host *h, int64_t limit)
{
	const struct kx *steps = host_whole_steps(h, ctype(CT_LONG));

	if (steps->kind == KX_INT && steps->ivalue <= limit)
		return NULL;
	return op(h, OP_GT, steps, integer(h, limit));
}

/* Do step numbers, counted on from a segment's first step, overflow?  NULL if not, or where the
 * number of steps decides it.
 */
static const struct kx *ends_too_late(const struct host *h, int64_t limit)
{
	const struct kx *end = host_param(h, program_end(h->prog),
		ctype(CT_LONG));

	return kx_same(end, host_whole_steps(h, ctype(CT_LONG))) ||
		(end->kind == KX_INT && end->ivalue <= limit) ? NULL : op(h,
			OP_GT, end, integer(h, limit));
}

/* The greatest possible origin of the last tile on the last wavefront; "last"
 * is the last time.
 */
static const struct kx *last_place(const struct host *h,
	const struct kx *last)
{
	return op(h, OP_MUL, host_wavefronts(h, last),
		integer(h, h->plan->pitch[h->plan->tiles.hex_dim]));
}

/* Places of tiles are computed from the number of the wavefront: that must not
 * overflow.
 */
static void check_wavefronts(const struct host *h, struct ks *block)
{
	const int64_t limit = INT_MAX - MARGIN;
	const struct kx *last = op(h, OP_DIV, kx_add(h->mem,
		host_whole_steps(h, ctype(CT_LONG)), -1),
		integer(h, h->plan->time_pitch));
	const struct kx *place = last_place(h, last);

	if (place->kind == KX_INT && place->ivalue <= limit)
		return;
	ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_LONG),
		h->names->tt_last, last));
	host_return_if(h, block, op(h, OP_GT, last_place(h, name(h,
		h->names->tt_last)), integer(h, limit)), STATUS_TOO_LARGE);
}

static bool is_int_param(const struct host *h, const struct kx *x)
{
	for (int i = 0; x->kind == KX_NAME && i < h->prog->n_params; i++)
		if (h->prog->param[i]->type == TYPE_INT &&
		    !strcmp(h->prog->param[i]->name, x->name))
			return true;
	return false;
}

/* "x" with parameters as long: sums of them may not fit an int. */
static const struct kx *in_long(const struct host *h, const struct kx *x)
{
	struct kx *copy = region_new_of(h->mem, struct kx);
	const struct kx **arg = region_array(h->mem, const struct kx *,
		x->n_args + 1);

	if (is_int_param(h, x))
		return kx_cast(h->mem, ctype(CT_LONG), x);
	*copy = *x;
	copy->arg = arg;
	for (int i = 0; i < x->n_args; i++)
		arg[i] = in_long(h, x->arg[i]);
	return copy;
}

/* Would a step read an element beyond an input?  NULL if none ever does. */
static const struct kx *some_step_misses(const struct host *h)
{
	const struct kx *misses = scop_may_miss(h->scop) ? kx_of_set(h->mem,
		isl_set_copy(h->scop->misses), isl_set_universe(
			isl_set_get_space(h->scop->misses))) : NULL;

	return misses ? in_long(h, misses) : NULL;
}

/* Does a series of results have fewer elements than it needs? */
static const struct kx *some_series_too_short(const struct host *h)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct reduction *r = h->prog->reduction[i];

		const struct kx *due = op(h, OP_DIV, host_whole_steps(h,
			ctype(CT_LONG)), integer(h, r->every));
		const struct kx *has = host_param(h, r->result->size[0],
			ctype(CT_LONG));

		if (!r->result->is_scalar && !kx_same(due, has))
			any = host_either(h, any, op(h, OP_GT, due, has));
	}
	return any;
}

/* Does a list have a point? 1 if one always has; NULL if none ever has. */
static const struct kx *some_list_has_points(const struct host *h)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_lists; i++) {
		const struct list *list = h->prog->list[i];
		const struct kx *begin = host_param(h, list->begin,
			ctype(CT_NONE)), *end = host_param(h, list->end,
			ctype(CT_NONE));

		if (begin->kind != KX_INT || end->kind != KX_INT)
			any = host_either(h, any, op(h, OP_GT, end, begin));
		else if (end->ivalue > begin->ivalue)
			return integer(h, 1);
	}
	return any;
}

/* Where steps run on a grid of which no statement computes a point, every point of a list lies
 * outside.  "idle" says whether a grid with cells is such a grid (NULL: each is).  Returns what
 * is left to return.
 */
static int check_lists_of_idle(const struct host *h, struct ks *block,
	const struct kx *idle)
{
	const struct kx *points = some_list_has_points(h);
	const struct kx *steps = h->prog->timed ? host_written_steps(h,
		ctype(CT_LONG)) : integer(h, 1);

	if (!points || (steps->kind == KX_INT && steps->ivalue <= 0))
		return 0;
	host_return_if(h, block, host_either(h, host_some_size(h, OP_EQ, 0),
		steps->kind == KX_INT ? NULL : op(h, OP_LE, steps, integer(h,
			0))), 0);
	if (points->kind != KX_INT)
		idle = idle ? op(h, OP_AND, points, idle) : points;
	host_return_if(h, block, idle, STATUS_PLACE);
	return idle ? 0 : STATUS_PLACE;
}

struct kfunc *host_check(const struct host *h)
{
	struct kfunc *f = host_function(h, "%s_check", ctype(CT_INT));
	const int64_t limit = INT_MAX - MARGIN;
	const struct kx *too_large = host_either(h, host_some_size(h, OP_GT,
		limit), host_either(h, some_stride_too_large(h, limit),
		some_quotient_too_large(h, limit)));
	int status = 0;

	f->comment = "0, or why the arguments cannot be used.";
	f->is_static = true;
	host_add_params(h, f);
	host_return_if(h, f->body, host_some_size(h, OP_LT, 0), STATUS_NEGATIVE);
	if (h->prog->timed)
		too_large = host_either(h, too_large,
			too_many_steps(h, limit));
	if (h->prog->segments)
		too_large = host_either(h, too_large, ends_too_late(h, limit));
	host_return_if(h, f->body, too_large, STATUS_TOO_LARGE);
	host_return_if(h, f->body, some_field_too_large(h), STATUS_TOO_LARGE);
	if (h->plan && plan_is_diagonal(h->plan))
		check_wavefronts(h, f->body);
	host_return_if(h, f->body, some_assumption_fails(h), STATUS_ASSUMPTION);
	host_return_if(h, f->body, some_series_too_short(h), STATUS_MISSES);
	if (h->scop->is_idle)
		status = check_lists_of_idle(h, f->body, NULL);
	if (scop_wraps(h->scop) && !status) {
		const struct kx *idle = nothing_fails(h);

		if (idle && h->plan)
			check_lists_of_idle(h, f->body, idle);
		host_return_if(h, f->body, host_nothing_runs(h,
			h->prog->timed ? host_written_steps(h, ctype(CT_LONG)) : NULL),
			0);
		host_return_if(h, f->body, some_boundary_fails(h),
			STATUS_TOO_SMALL);
	}
	host_return_if(h, f->body, some_step_misses(h), STATUS_MISSES);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		integer(h, status)));
	kfunc_drop_unused(f);
	return f;
}

