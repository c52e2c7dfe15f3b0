/* The segments of a run as C, which end where reductions are due, and their memory. */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/reductions.h"

/* Memory ------------------------------------------------------------------- */

const char *cpu_values_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "values");
}

/* rows * pieces * "times" */
static const struct kx *bytes_of_pieces(const struct host *h, int i,
	const struct kx *of_row, int times)
{
	struct reduced r = reduced_of(h, i);
	const struct kx *rows = reduced_rows(&r, ctype(CT_SIZE));
	const struct kx *n = kx_cast(h->mem, ctype(CT_SIZE), of_row ? of_row :
		reduced_pieces(&r));

	if (rows)
		n = op(h, OP_MUL, rows, of_row ? of_row : reduced_pieces(&r));
	n = op(h, OP_MUL, n, integer(h, times));
	return op(h, OP_MUL, n, kx_sizeof(h->mem, ctype_of(reduced_type(&r))));
}

/* Of passes: they are there one after the other, as much as the sum of all is enough. */
static const struct kx *bytes_of_passes(const struct host *h)
{
	const struct kx *sum = NULL;

	for (int i = 0; i < h->prog->n_reductions; i++)
		if (!reduced_in_tiles(h, i))
			sum = cpu_plus(h, sum, bytes_of_pieces(h, i, NULL, 1));
	return sum;
}

static const struct kx *lines(const struct host *h, const struct kx *bytes)
{
	return kx_builtin(h->mem, B_WHOLE_LINES, 1, bytes);
}

/* NULL: it keeps none */
static const struct kx *bytes_of_lanes(const struct host *h, int i)
{
	return !cpu_keeps_lanes(h, i) ? NULL : lines(h, bytes_of_pieces(h, i, integer(h, REDUCE_LANES),
		cpu_slots(h, i)));
}

static const struct kx *bytes_of_values(const struct host *h, int i)
{
	return lines(h, bytes_of_pieces(h, i, NULL, cpu_slots(h, i)));
}

const struct kx *cpu_values_bytes(const struct host *h)
{
	const struct kx *sum = bytes_of_passes(h);

	if (!h->plan || !h->plan->tiles.reduces)
		return sum;
	sum = sum ? lines(h, sum) : NULL;
	for (int i = 0; i < h->prog->n_reductions; i++)
		if (reduced_in_tiles(h, i))
			sum = cpu_plus(h, bytes_of_lanes(h, i) ? cpu_plus(h, sum,
				bytes_of_lanes(h, i)) : sum, bytes_of_values(h,
					i));
	return sum;
}

/* Tiles are at steps of two bands at a time, at the most. */
int cpu_slots(const struct host *h, int i)
{
	const struct plan *plan = h->plan;
	int64_t steps = plan->time_pitch + plan->time_shift[0] -
		plan->time_shift[1];
	int64_t every = h->prog->reduction[i]->every;

	return (int) ((steps + every - 1) / every);
}

/* name = before + bytes; the place behind it is the next "before". */
static const struct kx *declare_behind(const struct host *h, struct ks *b,
	const char *var, const struct kx *at, const struct kx *bytes)
{
	ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(CT_VOID, false), var,
		at));
	return op(h, OP_ADD, kx_cast(h->mem, ctype_pointer(CT_CHAR, false),
		name(h, var)), bytes);
}

void cpu_declare_values(const struct host *h, struct ks *b,
	const struct kx *at)
{
	const struct kx *passes = bytes_of_passes(h);

	if (passes)
		at = declare_behind(h, b, cpu_values_name(h), at, lines(h,
			passes));
	for (int i = 0; i < h->prog->n_reductions; i++) {
		if (!reduced_in_tiles(h, i))
			continue;
		if (cpu_keeps_lanes(h, i))
			at = declare_behind(h, b, cpu_lanes_name(h, i), at,
				bytes_of_lanes(h, i));
		at = declare_behind(h, b, cpu_tile_values_name(h, i), at,
			bytes_of_values(h, i));
	}
}

/* Segments ----------------------------------------------------------------- */

/* The argument of a reduction: the run's own arrays, the time of the last step. */
struct call_of_reduction {
	const struct host *h;
	const struct kx *end;
};

static const struct kx *argument_of_reduction(const void *user,
	const char *param)
{
	const struct call_of_reduction *call = user;
	const struct host *h = call->h;

	return strcmp(param, h->names->time) ? cpu_own_argument(h, param) :
		kx_add(h->mem, call->end, -1);
}

/* The run's own array of a result, as an lvalue. */
static const char *result_name(struct region *r, const struct program *prog,
	const struct field *f)
{
	return fresh_name(r, prog, "%s_result", f->name);
}

const char *cpu_result_name(const struct host *h, const struct field *f)
{
	return result_name(h->mem, h->prog, f);
}

static const struct kx *result_at(const struct host *h, const struct field *f,
	const struct kx *at)
{
	struct kx *x = kx_of_kind(h->mem, KX_INDEX, result_name(h->mem, h->prog,
		f), 1, &at);

	x->type = f->type;
	return x;
}

struct ks *cpu_set_result(const struct host *h, const struct reduction *r,
	const struct kx *at, const struct kx *value)
{
	return ks_assign(h->mem, result_at(h, r->result, at),
		r->result->type == r->point->value->type ? value :
		kx_cast(h->mem, ctype_of(r->result->type), value));
}

const struct kx *cpu_find_broken(const struct host *h, struct ks *b, int i,
	const struct kx *value)
{
	const char *broken = fresh_name(h->mem, h->prog, "broken%d", i);

	host_declare_int(h, b, broken, value);
	return op(h, OP_GT, name(h, broken), integer(h, 0));
}

/* const int broken0 = NAME_reduce0(..); if (broken0 > 0) return ..; */
static struct ks *check_finite(const struct host *h, int i,
	const struct kx *value)
{
	struct ks *b = ks_block(h->mem);

	host_return_if(h, b, cpu_find_broken(h, b, i, value), STATUS_NOT_FINITE);
	return b;
}

/* e_result[at] = NAME_reduce0(..); */
static struct ks *reduce(const struct host *h, int i, const struct kx *end,
	const struct kx *at)
{
	struct call_of_reduction call = { h, end };
	const struct reduction *r = h->prog->reduction[i];
	const struct kx *value = kfunc_call(h->mem, h->reduce[i],
		argument_of_reduction, &call);

	if (r->is_check)
		return check_finite(h, i, value);
	return cpu_set_result(h, r, at, value);
}

static const struct kx *newest_result(const struct binding *b,
	const struct expr *e)
{
	const struct kx *first = kx_int(b->mem, 0);
	struct kx *x = kx_of_kind(b->mem, KX_INDEX, result_name(b->mem, b->prog,
		e->field), 1, &first);

	x->type = e->type;
	return x;
}

static void declare_results(const struct host *h, struct ks *b,
	const struct cpu_segments *all)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (f->is_result)
			ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(
				scalar_of(f->type), false), cpu_result_name(h,
				f), all->result(all->user, f)));
	}
}

void cpu_test_end(const struct host *h, struct ks *body)
{
	if (!h->prog->until)
		return;
	ks_add(h->mem, body, ks_assign(h->mem, name(h, loop_ends_name(h)),
		kx_and(h->mem, loop_may_end(h), loop_condition(h,
			newest_result))));
	ks_add(h->mem, body, ks_assign(h->mem, name(h, loop_done_name(h)),
		op(h, OP_SUB, segment_end(h), whole_begin(h))));
}

void cpu_run_segments(const struct host *h, struct ks *b,
	const struct cpu_segments *all)
{
	const struct program *prog = h->prog;
	const struct kx *done = name(h, loop_done_name(h));

	declare_results(h, b, all);
	loop_declare(h, b);
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	if (all->loop) {
		ks_add(h->mem, b, all->loop);
	} else {
		host_declare_int(h, b, segment_first(h)->name, whole_begin(h));
		host_declare_int(h, b, segment_end(h)->name, whole_end(h));
		ks_add(h->mem, b, all->steps);
	}
	end_reduce(h, b, prog->until ? op(h, OP_ADD, whole_begin(h), done) :
		whole_end(h), all->reduce);
	if (prog->until)
		ks_add(h->mem, b, ks_assign(h->mem, result_at(h, prog->steps,
			integer(h, 0)), done));
}

/* The run in one process --------------------------------------------------- */

static const struct kx *own_result(const void *user, const struct field *f)
{
	const struct host *h = user;

	return cpu_own_argument(h, f->name);
}

/* The steps of the segment at hand. */
static struct ks *steps_of_segment(const struct host *h, const struct kfunc *run)
{
	/* Tiles reduce what is there, also where nothing is computed. */
	const struct kx *computes = h->plan->tiles.reduces ? NULL :
		host_computes_something(h);
	const char *failed = fresh_name(h->mem, h->prog, "failed");
	struct ks *steps = ks_block(h->mem);

	if (cpu_has_two_grids(h)) {
		host_declare_int(h, steps, failed, cpu_call_own(h, run));
		ks_add(h->mem, steps, ks_if(h->mem, name(h, failed),
			ks_expression(h->mem, KS_RETURN, name(h, failed)),
			NULL));
	} else {
		ks_add(h->mem, steps, ks_expression(h->mem, KS_EXPRESSION,
			cpu_call_own(h, run)));
	}
	return computes ? ks_if(h->mem, computes, steps, NULL) : steps;
}

/* The steps of a segment, its reductions, and whether these end the loop. */
static struct ks *segment(const struct host *h, const struct kfunc *run)
{
	struct ks *body = ks_block(h->mem);

	ks_add(h->mem, body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, body, steps_of_segment(h, run));
	segment_reduce(h, body, reduce);
	cpu_test_end(h, body);
	return body;
}

static void run_parts(const struct host *h, struct ks *b, struct ks *loop,
	struct ks *steps)
{
	const struct cpu_segments all = {
		.loop = loop, .steps = steps, .reduce = reduce,
		.result = own_result, .user = h,
	};

	cpu_run_segments(h, b, &all);
}

void cpu_add_one_segment(const struct host *h, struct ks *b, struct ks *steps)
{
	run_parts(h, b, NULL, steps);
}

void cpu_add_segments(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	if (h->prog->segments->most > 0 && !h->plan->tiles.reduces)
		run_parts(h, b, segment_loop(h, segment(h, run)), NULL);
	else
		cpu_add_one_segment(h, b, steps_of_segment(h, run));
}
