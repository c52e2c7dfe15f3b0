/* The functions of the C target for users: the run in memory from the caller, and the run in
 * memory of its own.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/reductions.h"
#include "ir/components.h"

/* Return what is wrong with the arguments, or 0 if there is no instance. */
static void add_early_ends(const struct host *h, struct ks *b,
	const struct kfunc *check)
{
	host_check_first(h, b, check);
	if (h->prog->segments)
		host_return_without_steps(h, b);
	else
		host_return_if(h, b, host_computes_nothing(h), 0);
}

/* The call of the run ----------------------------------------------------- */

static const struct kx *as_array(const struct host *h, const struct field *f)
{
	struct kparam p = cpu_array(h, f, f->name, field_copies(f),
		CPU_CALLERS);
	const struct kx *arg[2 + IR_MAX_DIMS] = { name(h, f->name) };
	struct kx *x;

	if (p.n_extents == 0)
		return arg[0];
	for (int i = 0; i < p.n_extents; i++)
		arg[1 + i] = p.extent[i];
	x = kx_of_kind(h->mem, KX_CAST, NULL, 1 + p.n_extents, arg);
	x->c_type = p.c_type;
	return x;
}

struct call_of_run {
	const struct host *h;
	const struct kfunc *run;
	bool is_apart;		/* on moved arrays, not the caller's */
};

/* What the call passes for the caller's array of "f". */
static const struct kx *array_of(const struct call_of_run *call,
	const struct field *f)
{
	return call->is_apart && cpu_is_moved(call->h, f) ? name(call->h,
		cpu_apart_array(call->h, f)) : as_array(call->h, f);
}

/* copies, or (void *)((char *)copies + half_page_apart(copies, f)) */
static const struct kx *copies_of(const struct call_of_run *call,
	const struct field *f)
{
	const struct host *h = call->h;
	const struct kx *copies = name(h, cpu_copies_name(h, call->run, f));

	if (!cpu_is_half_a_page_off(h, f))
		return copies;
	return kx_cast(h->mem, ctype_pointer(CT_VOID, false), op(h, OP_ADD,
		kx_cast(h->mem, ctype_pointer(CT_CHAR, false), copies),
		kx_builtin(h->mem, B_HALF_PAGE_APART, 2, copies, name(h,
			call->is_apart && cpu_is_moved(h, f) ?
			cpu_apart_array(h, f) : f->name))));
}

/* An argument of the run, made of those of the entry. */
static const struct kx *argument_of_run(const void *user, const char *param)
{
	const struct call_of_run *call = user;
	const struct host *h = call->h;

	if (h->walks_planes && !strcmp(param, cpu_apart_name(h)))
		return call->is_apart ? NULL : integer(h, 0);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!strcmp(param, cpu_is_owned(f) ? cpu_user_name(h, f) :
		    f->name))
			return array_of(call, f);
		if (!strcmp(param, f->name))
			return copies_of(call, f);
	}
	return NULL;
}

static struct ks *call_of(const struct host *h, const struct kfunc *run,
	bool is_apart)
{
	struct call_of_run call = { h, run, is_apart };

	return ks_expression(h->mem, cpu_has_two_grids(h) ? KS_RETURN :
		KS_EXPRESSION, kfunc_call(h->mem, run, argument_of_run,
		&call));
}

/* The caller's arrays keep their names; moved arrays have the same names here. */
static const struct kx *argument_of_moves(const void *user, const char *param)
{
	const struct host *h = user;

	for (int i = 0; i < h->prog->n_fields; i++)
		if (!strcmp(param, h->prog->field[i]->name))
			return as_array(h, h->prog->field[i]);
	return NULL;
}

const struct kx *cpu_own_argument(const struct host *h, const char *param)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (strcmp(param, f->name))
			continue;
		return cpu_is_moved(h, f) ? name(h, cpu_apart_array(h, f)) :
			as_array(h, f);
	}
	return NULL;
}

const struct kx *cpu_call_own(const struct host *h, const struct kfunc *run)
{
	struct call_of_run call = { h, run, true };

	return kfunc_call(h->mem, run, argument_of_run, &call);
}

static const struct kx *call_moves(const struct host *h,
	const struct kfunc *move)
{
	return kfunc_call(h->mem, move, argument_of_moves, h);
}

/* const int failed = NAME_run(..);
 *
 * if (failed) return failed;
 */
static void return_failure(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	const char *failed = fresh_name(h->mem, h->prog, "failed");

	host_declare_int(h, b, failed, cpu_call_own(h, run));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_if(h->mem, name(h, failed), ks_expression(h->mem,
		KS_RETURN, name(h, failed)), NULL));
}

/* Copy the caller's arrays to moved ones, run on these, copy back. */
static struct ks *run_apart(const struct host *h, const struct kfunc *run,
	const struct cpu_moves *moves)
{
	struct ks *b = ks_block(h->mem);

	cpu_declare_arrays_apart(h, b, run);
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION,
		call_moves(h, moves->spread)));
	if (cpu_runs_on_copies(h))
		cpu_add_segments(h, b, run);
	else if (cpu_has_two_grids(h))
		return_failure(h, b, run);
	else
		ks_add(h->mem, b, call_of(h, run, true));
	ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION,
		call_moves(h, moves->gather)));
	return b;
}

/* Only overlapping tiles can still lack memory: for the tile of a thread. */
static void add_call(const struct host *h, struct ks *b,
	const struct kfunc *run, const struct cpu_moves *moves)
{
	struct ks *calls = ks_block(h->mem);

	if (cpu_runs_on_copies(h) || program_has_lanes(h->prog)) {
		ks_add(h->mem, b, run_apart(h, run, moves));
		ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
			integer(h, 0)));
		return;
	}
	if (h->prog->segments)
		cpu_declare_values_behind(h, calls, run);
	ks_add(h->mem, calls, call_of(h, run, false));
	if (moves)
		calls = ks_if(h->mem, op(h, OP_GT, name(h, cpu_apart_name(h)),
			integer(h, 0)), run_apart(h, run, moves), calls);
	if (h->prog->segments)
		cpu_add_one_segment(h, b, calls);
	else
		ks_add(h->mem, b, calls);
	if (!cpu_has_two_grids(h))
		ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
			integer(h, 0)));
}

/* Lists of points ------------------------------------------------------------ */

static const struct kx *argument_of_sort(const void *user, const char *param)
{
	const struct call_of_run *call = user;
	const struct host *h = call->h;

	for (int i = 0; i < h->prog->n_fields; i++)
		if (h->prog->field[i]->made_of &&
		    !strcmp(param, h->prog->field[i]->name))
			return copies_of(call, h->prog->field[i]);
	return NULL;
}

/* if ((status = NAME_sort0(..))) return status; */
static void sort_lists(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	struct call_of_run call = { h, run, false };

	for (int i = 0; i < h->prog->n_lists; i++) {
		const char *sorted = fresh_name(h->mem, h->prog, "sorted%d", i);

		host_declare_int(h, b, sorted, kfunc_call(h->mem,
			h->sort[i], argument_of_sort, &call));
		ks_add(h->mem, b, ks_if(h->mem, name(h, sorted),
			ks_expression(h->mem, KS_RETURN, name(h, sorted)),
			NULL));
	}
}

/* The entries ------------------------------------------------------------- */

/* Do all this in "memory", if the run needs some. */
static void add_work(const struct host *h, struct kfunc *f,
	const struct kfunc *check, const struct kfunc *run,
	const struct cpu_moves *moves, bool takes_memory)
{
	add_early_ends(h, f->body, check);
	if (cpu_has_sizes(h))
		cpu_declare_sizes(h, f->body);
	host_declare_parts(h, f->body);
	if (takes_memory) {
		cpu_declare_apart(h, f->body, moves);
		cpu_declare_copies(h, f->body, run);
		sort_lists(h, f->body, run);
	}
	add_call(h, f->body, run, moves);
	kfunc_mention_unused(h->mem, f);
}

static void add_memory_argument(const struct host *h, struct kfunc *f)
{
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype_pointer(CT_VOID, false),
		.name = cpu_memory_name(h) });
}

struct kfunc *cpu_entry_with_sizes(const struct host *h,
	const struct kfunc *check, const struct kfunc *run,
	const struct cpu_moves *moves, bool takes_memory)
{
	struct kfunc *f = host_function(h, "%s_with_sizes", ctype(CT_INT));

	f->comment = region_printf(h->mem, "%s() by tiles of these sizes%s.",
		h->prog->name, takes_memory ? ", in memory of the caller's" :
		"");
	f->is_exported = true;
	host_add_arguments(h, f);
	if (takes_memory)
		add_memory_argument(h, f);
	cpu_add_sizes_argument(h, f);
	add_work(h, f, check, run, moves, takes_memory);
	return f;
}

struct kfunc *cpu_entry_with_memory(const struct host *h,
	const struct kfunc *check, const struct kfunc *run,
	const struct cpu_moves *moves, const struct cpu_choice *choice)
{
	struct kfunc *f = host_function(h, "%s_with_memory", ctype(CT_INT));

	f->comment = region_printf(h->mem, "%s() with memory that the caller lends: "
		"its contents do not matter before\nor after.  It works best "
		"if it starts with a line of the cache.", h->prog->name);
	f->is_exported = true;
	host_add_arguments(h, f);
	add_memory_argument(h, f);
	if (choice)
		cpu_add_chosen_run(h, f->body, choice);
	else
		add_work(h, f, check, run, moves, true);
	return f;
}

/* const size_t bytes = NAME_memory(params);
 * void *const memory = bytes ? stencilc_memory(bytes) : NULL;
 * const int error = bytes && !memory ? no memory : "call";
 *
 * free(memory);
 * return error;
 */
static void add_call_in_memory(const struct host *h, struct ks *b,
	const struct kfunc *memory, const struct kx *call)
{
	const struct kx *bytes = name(h, fresh_name(h->mem, h->prog, "bytes"));
	const struct kx *own = name(h, cpu_memory_name(h));

	ks_add(h->mem, b, ks_declare(h->mem, ctype_const(CT_SIZE), bytes->name,
		kfunc_call(h->mem, memory, NULL, NULL)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(CT_VOID, false),
		own->name, kx_select(h->mem, bytes, kx_builtin(h->mem,
			B_NEW_LARGE, 1, bytes), kx_builtin(h->mem, W_NULL,
			0))));
	host_declare_int(h, b, h->error, kx_select(h->mem, kx_and(h->mem,
		bytes, kx_unary(h->mem, OP_NOT, own)), integer(h,
		STATUS_NO_MEMORY), call));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION,
		kx_builtin(h->mem, B_DELETE, 1, own)));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, name(h, h->error)));
}

struct kfunc *cpu_entry_sized(const struct host *h, const struct kfunc *memory,
	const struct cpu_choice *choice)
{
	struct kfunc *f = host_function(h, "%s_sized", ctype(CT_INT));
	const struct kx *call = cpu_call_sized(h, choice);

	f->is_static = true;
	host_add_arguments(h, f);
	if (memory)
		add_call_in_memory(h, f->body, memory, call);
	else
		ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
			call));
	return f;
}

/* Once memory is there, nothing fails: after an error the arrays hold what they
 * held before.
 */
struct kfunc *cpu_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run, const struct kfunc *memory,
	const struct kfunc *with_memory, const struct cpu_choice *choice)
{
	struct kfunc *f = host_function(h, "%s", ctype(CT_INT));

	f->is_exported = true;
	host_add_arguments(h, f);
	if (!run)
		ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
			host_check_call(h, check)));
	else if (with_memory)
		add_call_in_memory(h, f->body, memory, kfunc_call(h->mem,
			with_memory, NULL, NULL));
	else if (choice)
		cpu_add_chosen_run(h, f->body, choice);
	else
		add_work(h, f, check, run, NULL, false);
	kfunc_mention_unused(h->mem, f);
	return f;
}
