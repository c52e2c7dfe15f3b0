/* Reductions on a GPU, and a run in segments that end where reductions are due. */
#include <string.h>

#include "codegen/forms.h"
#include "codegen/host/gpu_finite.h"
#include "codegen/host/gpu_reduce.h"
#include "codegen/place.h"

/* Launch "kernel", and see whether that has failed. */
static void launch(const struct host *h, struct ks *b,
	const struct kfunc *kernel, const struct kx *blocks, int threads,
	const struct kx *(*argument)(const void *user, const char *param),
	const void *user)
{
	gpu_launch(h, b, kernel, blocks, threads, argument, user);
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_LAST_ERROR,
		0)));
}

static const struct kx *count_values(const struct host *h, int i)
{
	struct reduced r = reduced_of(h, i);

	return gpu_count_values(&r);
}

/* Passes: a segment begins with the copies with which the one before it ends --- */

/* Behind so many passes, do all versions lie where they lie without? */
static bool copies_return(const struct host *h, int passes)
{
	bool all = true;

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		int n = h->scop->field[i].buffers;

		all = all && (f->kind != FIELD_STATE || n <= 1 || passes *
			copies_of_pass(h->unit->form, f) % n == 0);
	}
	return all;
}

static int period_of_copies(const struct host *h)
{
	int period = 1;

	while (!copies_return(h, period))
		period++;
	return period;
}

static void declare_passes(const struct host *h, struct ks *b)
{
	if (period_of_copies(h) > 1)
		ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT),
			h->names->memory.passes, integer(h, 0)));
}

/* passes = (passes + steps) % 2: the next segment begins where this one ends. */
static void count_passes(const struct host *h, struct ks *b)
{
	const struct kx *passes = name(h, h->names->memory.passes);

	if (period_of_copies(h) == 1)
		return;
	ks_add(h->mem, b, ks_comment(h->mem, h->prog->segments->most > 0 ?
		"The next segment begins with the copies with which this one "
		"ends." : "With which copies do the steps end?"));
	ks_add(h->mem, b, ks_assign(h->mem, passes, op(h, OP_MOD, op(h, OP_ADD,
		passes, host_passes(h)), integer(h, period_of_copies(h)))));
}

/* Segments ----------------------------------------------------------------- */

static const char *newest_name(struct region *r, const struct program *prog,
	const struct field *f)
{
	return fresh_name(r, prog, "%s_newest", f->name);
}

void gpu_declare_segments(const struct host *h, struct ks *b)
{
	const struct program *p = h->prog;
	const struct kx *null = kx_builtin(h->mem, W_NULL, 0);

	for (int i = 0; i < p->n_reductions; i++)
		ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(scalar_of(
			p->reduction[i]->point->value->type), false),
			gpu_values_name(h, i), null));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(CT_INT, false),
		gpu_arrived_name(h), null));
	declare_passes(h, b);
	gpu_declare_checks(h, b);
	for (int i = 0; i < p->n_reductions; i++)
		if (result_ends_loop(p, p->reduction[i]->result))
			ks_add(h->mem, b, ks_declare(h->mem, ctype_of(
				p->reduction[i]->result->type), newest_name(
				h->mem, p, p->reduction[i]->result), integer(h,
				0)));
	loop_declare(h, b);
}

/* An atomic operation reads what it overwrites. */
static void new_zeros(const struct host *h, struct ks *b, const char *buffer,
	enum scalar scalar, const struct kx *bytes)
{
	host_new_buffer(h, b, buffer, scalar, bytes);
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_SET, 4, name(h,
		buffer), integer(h, 0), bytes, name(h, h->stream))));
}

/* No values need no memory; allocating 0 bytes could fail. */
static const struct kx *bytes_of_values(const struct host *h, int i)
{
	struct reduced r = reduced_of(h, i);

	return op(h, OP_MUL, kx_add(h->mem, count_values(h, i), 1), kx_sizeof(
		h->mem, ctype_of(reduced_type(&r))));
}

static void new_values(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_reductions; i++) {
		struct reduced r = reduced_of(h, i);

		new_zeros(h, b, gpu_values_name(h, i), scalar_of(reduced_type(&r)),
			bytes_of_values(h, i));
		gpu_new_check(h, b, i);
	}
	new_zeros(h, b, gpu_arrived_name(h), CT_INT, kx_sizeof(h->mem,
		ctype(CT_INT)));
}

const struct kx *gpu_segments_bytes(const struct host *h)
{
	const struct kx *all = host_part(h, kx_sizeof(h->mem, ctype(CT_INT)));

	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct kx *check = gpu_check_bytes(h, i);

		all = op(h, OP_ADD, all, host_part(h, bytes_of_values(h, i)));
		all = check ? op(h, OP_ADD, all, check) : all;
	}
	return all;
}

struct call_of_reduction {
	const struct host *h;
	int number;
	const struct kx *end, *at;
};

static const struct kx *argument_of_reduction(const void *user,
	const char *param)
{
	const struct call_of_reduction *call = user;
	const struct host *h = call->h;

	if (!strcmp(param, h->names->time))
		return kx_add(h->mem, call->end, -1);
	return strcmp(param, fresh_name(h->mem, h->prog, "at")) ? NULL :
		call->at;
}

static struct ks *reduce(const struct host *h, int i, const struct kx *end,
	const struct kx *at)
{
	struct call_of_reduction call = { h, i, end, at };
	struct ks *b = ks_block(h->mem);

	launch(h, b, h->reduce[i], gpu_blocks_of_values(h, count_values(h,
		i)), REDUCE_THREADS,
		argument_of_reduction, &call);
	gpu_leave_if_broken(h, b, i);
	return b;
}

static const struct kx *newest_result(const struct binding *b,
	const struct expr *e)
{
	struct kx *x = kx_name(b->mem, newest_name(b->mem, b->prog, e->field));

	x->type = e->type;
	return x;
}

/* Fetch the results that end the loop, wait for them, and test whether they do. */
static void see_whether_it_ends(const struct host *h, struct ks *b)
{
	const struct kx *due = loop_may_end(h);
	struct ks *see = ks_block(h->mem);

	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct field *f = h->prog->reduction[i]->result;

		if (result_ends_loop(h->prog, f))
			ks_add(h->mem, see, gpu_fetch(h, newest_name(h->mem,
				h->prog, f), f->name, scalar_of(f->type)));
	}
	ks_add(h->mem, see, host_checked(h, kx_builtin(h->mem,
		RT_WAIT_FOR_STREAM, 1, name(h, h->stream))));
	ks_add(h->mem, see, ks_assign(h->mem, name(h, loop_ends_name(h)),
		loop_condition(h, newest_result)));
	ks_add(h->mem, b, due ? ks_if(h->mem, due, see, NULL) : see);
	ks_add(h->mem, b, ks_assign(h->mem, name(h, loop_done_name(h)), op(h, OP_SUB,
		segment_end(h), whole_begin(h))));
}

static void run_segment(const struct host *h, struct ks *b,
	struct kfunc *const *kernels)
{
	host_declare_int(h, b, h->names->steps, host_steps(h, ctype(CT_NONE)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	host_launches(h, b, kernels);
	count_passes(h, b);
}

static struct ks *all_segments(const struct host *h,
	struct kfunc *const *kernels)
{
	struct ks *body = ks_block(h->mem);

	run_segment(h, body, kernels);
	segment_reduce(h, body, reduce);
	if (h->prog->until)
		see_whether_it_ends(h, body);
	return segment_loop(h, body);
}

static struct ks *one_segment(const struct host *h,
	struct kfunc *const *kernels)
{
	struct ks *b = ks_scope(h->mem);

	b->braces = true;
	host_declare_int(h, b, segment_first(h)->name, whole_begin(h));
	host_declare_int(h, b, segment_end(h)->name, whole_end(h));
	run_segment(h, b, kernels);
	return b;
}

void gpu_add_segments(const struct host *h, struct ks *b,
	struct kfunc *const *kernels)
{
	const struct program *p = h->prog;
	const struct kx *end = p->until ? op(h, OP_ADD, whole_begin(h), name(h,
		loop_done_name(h))) : whole_end(h);

	new_values(h, b);
	ks_add(h->mem, b, p->segments->most > 0 ? all_segments(h, kernels) :
		one_segment(h, kernels));
	end_reduce(h, b, end, reduce);
	if (p->until)
		ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_COPY, 5,
			name(h, p->steps->name), kx_address(h->mem, name(h,
			loop_done_name(h))), kx_sizeof(h->mem, ctype(CT_INT)),
			kx_builtin(h->mem, W_ANY_WAY, 0), name(h,
			h->stream))));
}

void gpu_free_segments(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_reductions; i++) {
		host_free_buffer(h, b, gpu_values_name(h, i));
		gpu_free_check(h, b, i);
	}
	host_free_buffer(h, b, gpu_arrived_name(h));
}

void gpu_return_without_steps(const struct host *h, struct ks *b)
{
	const struct kx *nothing = host_nothing_runs(h, host_whole_steps(h,
		ctype(CT_NONE)));
	const struct kx *status = integer(h, 0);

	if (h->prog->steps)
		status = kx_cast(h->mem, ctype(CT_INT), kx_builtin(h->mem,
			RT_SET, 4, name(h, host_out_name(h, h->prog->steps)),
			status, kx_sizeof(h->mem, ctype(CT_INT)), name(h,
			h->stream)));
	ks_add(h->mem, b, ks_if(h->mem, nothing, ks_expression(h->mem, KS_RETURN,
		status), NULL));
}
