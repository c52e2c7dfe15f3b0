/* The file for a GPU: kernels, the functions for users, and what they call. */
#include <string.h>

#include "codegen/forms.h"
#include "codegen/host/complex.h"
#include "codegen/host/handles.h"
#include "codegen/host/host.h"
#include "codegen/host/lists.h"
#include "codegen/host/reductions.h"
#include "codegen/host/variants.h"
#include "ir/components.h"
#include "codegen/tile.h"

struct call_of_run {
	const struct host *h;
	const char *(*result)(const struct host *h, const struct field *f);
	bool on_device;
	const struct kx *stream;
	const struct kx *memory;	/* NULL: its own memory, or the code
					 * needs none */
	bool padded;		/* .. and arrays have its rows */
};

static const struct kx *argument_of_run(const void *user, const char *param)
{
	const struct call_of_run *call = user;
	const struct host *h = call->h;

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!strcmp(param, host_in_name(h, f)))
			return name(h, f->n_lanes ? call->result(h, f) : f->name);
		if (!strcmp(param, host_out_name(h, f)))
			return name(h, call->result(h, f));
	}
	if (call->memory && !strcmp(param, h->memory))
		return kx_cast(h->mem, ctype_pointer(CT_CHAR, false),
			call->memory);
	if (call->memory && !strcmp(param, h->in_place))
		return name(h, "true");
	if (!strcmp(param, h->padded))
		return name(h, call->padded ? "true" : "false");
	if (!strcmp(param, h->on_device))
		return name(h, call->on_device ? "true" : "false");
	return strcmp(param, h->stream) ? NULL : call->stream;
}

/* A call of "run" on these arrays for each state. */
static const struct kx *call_run(const struct host *h, const struct kfunc *run,
	const char *(*result)(const struct host *h, const struct field *f),
	bool on_device, const struct kx *stream)
{
	struct call_of_run call = { h, result, on_device, stream, NULL, false };

	return kfunc_call(h->mem, run, argument_of_run, &call);
}

static const char *field_itself(const struct host *h, const struct field *f)
{
	(void) h;
	return f->name;
}

static const char *result_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_result", f->name);
}

static struct kfunc *device_entry(const struct host *h,
	const struct kfunc *check, const struct kfunc *run)
{
	struct kfunc *f = host_function(h, "%s_device", ctype(CT_INT));
	struct ks *b = f->body;

	f->comment = "The fields are device memory; all work is queued on the "
		"stream.";
	f->is_exported = true;
	host_add_arguments(h, f);
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype(CT_STREAM), .name = h->stream });
	if (!run) {
		ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
			host_check_call(h, check)));
		return f;
	}
	host_check_first(h, b, check);
	host_declare_parts(h, b);
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		call_run(h, run, field_itself, true, name(h, h->stream))));
	return f;
}

/* NAME_device() in memory from the caller. */
static struct kfunc *device_entry_with_memory(const struct host *h,
	const struct kfunc *check, const struct kfunc *run, bool padded)
{
	struct kfunc *f = host_function(h, padded ? "%s_device_with_pitch" :
		"%s_device_with_memory", ctype(CT_INT));
	struct call_of_run call = { h, field_itself, true, name(h, h->stream),
		name(h, h->memory), padded };
	const char *self = h->prog->name;

	f->comment = padded ? region_printf(h->mem, "%s_device_with_memory() of "
		"arrays whose rows are %s_pitch() apart.", self, self) :
		region_printf(h->mem, "%s_device() with device memory that the "
		"caller lends: %s_memory() bytes from a multiple\nof 256 on, "
		"whose contents do not matter before or after.  %s.", self,
		self, unit_waits(h->unit) ? "It waits for the\nstream: no graph "
		"can capture it" : "A graph may capture it");
	f->is_exported = true;
	host_add_arguments(h, f);
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype_pointer(CT_VOID, false), .name = h->memory });
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype(CT_STREAM), .name = h->stream });
	host_check_first(h, f->body, check);
	host_declare_parts(h, f->body);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN, kfunc_call(
		h->mem, run, argument_of_run, &call)));
	kfunc_mention_unused(h->mem, f);
	return f;
}

static const struct kx *result_bytes(const struct host *h,
	const struct field *f)
{
	int copies = field_copies(f);

	return op(h, OP_MUL, op(h, OP_MUL, integer(h, copies),
		host_cells(h, f, ctype(CT_SIZE))),
		kx_sizeof(h->mem, ctype_of(f->type)));
}

static struct ks *goto_out(const struct host *h)
{
	struct ks *s = ks_simple(h->mem, KS_GOTO);

	s->name = h->out;
	return s;
}

/* Has the host's entry an array of its own for it? */
static bool has_copy(const struct field *f)
{
	return field_is_result(f) || f->n_lanes;
}

/* The result goes to the code's own memory first: an error on the way leaves
 * the caller's arrays alone.  Without "run" there is nothing to do.
 */
static struct kfunc *host_entry(const struct host *h,
	const struct kfunc *check, const struct kfunc *run)
{
	struct kfunc *f = host_function(h, "%s", ctype(CT_INT));
	struct ks *b = f->body, *copy = ks_block(h->mem);
	struct ks *given = ks_block(h->mem);
	const struct kx *none = NULL;

	f->comment = "The fields are host memory.";
	f->is_exported = true;
	host_add_arguments(h, f);
	if (!run) {
		ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
			host_check_call(h, check)));
		return f;
	}
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), h->status,
		host_check_call(h, check)));
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (!has_copy(field))
			continue;
		ks_add(h->mem, b, ks_declare(h->mem,
			ctype_pointer(scalar_of(field->type), false),
			result_name(h, field),
			kx_builtin(h->mem, W_NULL, 0)));
		none = host_either(h, none, kx_unary(h->mem, OP_NOT,
			name(h, result_name(h, field))));
	}
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_if(h->mem, name(h, h->status), ks_expression(
		h->mem, KS_RETURN, name(h, h->status)), NULL));
	host_return_without_steps(h, b);
	host_declare_parts(h, b);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (!has_copy(field))
			continue;
		if (field->n_lanes)
			ks_add(h->mem, given, host_move_lanes(h, field,
				result_name(h, field), false));
		if (field->n_lanes && field_is_result(field))
			ks_add(h->mem, copy, host_move_lanes(h, field,
				result_name(h, field), true));
		ks_add(h->mem, b, ks_assign(h->mem,
			name(h, result_name(h, field)),
			kx_cast(h->mem, ctype_pointer(scalar_of(field->type),
				false),
			kx_builtin(h->mem, B_NEW, 1,
				result_bytes(h, field)))));
		if (!field->n_lanes)
			ks_add(h->mem, copy, ks_expression(h->mem, KS_EXPRESSION,
			kx_builtin(h->mem, B_COPY_BYTES, 3, name(h,
				field->name), name(h, result_name(h, field)),
				result_bytes(h, field))));
	}
	ks_add(h->mem, b, ks_assign(h->mem, name(h, h->status),
		integer(h, STATUS_NO_MEMORY)));
	ks_add(h->mem, b, ks_if(h->mem, none, goto_out(h), NULL));
	ks_add(h->mem, b, given);
	ks_add(h->mem, b, ks_assign(h->mem, name(h, h->status),
		call_run(h, run, result_name, false, integer(h, 0))));
	ks_add(h->mem, b, ks_if(h->mem, kx_unary(h->mem, OP_NOT,
		name(h, h->status)), ks_assign(h->mem, name(h, h->status),
		kx_cast(h->mem, ctype(CT_INT), kx_builtin(h->mem,
			RT_WAIT_FOR_STREAM, 1, integer(h, 0)))), NULL));
	ks_add(h->mem, b, ks_if(h->mem, kx_unary(h->mem, OP_NOT,
		name(h, h->status)), copy, NULL));
	ks_add(h->mem, b, ks_simple(h->mem, KS_LABEL))->name = h->out;
	for (int i = 0; i < h->prog->n_fields; i++)
		if (has_copy(h->prog->field[i]))
			ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION,
				kx_builtin(h->mem, B_DELETE, 1, name(h,
				result_name(h, h->prog->field[i])))));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		name(h, h->status)));
	return f;
}

/* The unit -------------------------------------------------------------- */

/* The entries; without plans, or for runs that bring memory, the entries common
 * to all.
 */
static void append_entries(const struct host *h, const struct kfunc *check,
	struct kfunc *const *kernels, const struct kfunc *run, unsigned with)
{
	const struct kfunc *memory = NULL, *with_memory = NULL, *device;

	if (h->has_handles) {
		memory = unit_append(h->unit, gpu_memory(h, check, kernels));
		with_memory = unit_append(h->unit, device_entry_with_memory(h, check,
			run, false));
	}
	if (h->has_handles && with & WITH_HANDLES &&
	    !program_has_lanes(h->prog)) {
		unit_append(h->unit, gpu_pitch(h, check));
		unit_append(h->unit, device_entry_with_memory(h, check, run, true));
	}
	if (h->has_handles)
		run = unit_append(h->unit, gpu_own_memory(h, memory, run));
	device = unit_append(h->unit, device_entry(h, check, run));
	unit_append(h->unit, host_entry(h, check, run));
	if (with & WITH_HANDLES)
		gpu_handles(h, check, memory, memory ? with_memory : device);
}

/* Threads of a warp in the kernels whose lanes cooperate; 0: there are none. */
static int lanes_of_warps(const struct plan *plans, int n_plans)
{
	for (int i = 0; i < n_plans; i++)
		if (form_code(plans[i].form)->lanes)
			return form_code(plans[i].form)->lanes(&plans[i]);
	return 0;
}

/* All steps by "kernels"; the code that stores results is the same for all
 * variants.
 */
static struct kfunc *append_steps(const struct host *h,
	struct kfunc *const *kernels, bool stores)
{
	struct kfunc *store = NULL;
	struct kfunc *run = host_run_of_kernels(h, kernels, &store);

	if (store && stores)
		unit_append(h->unit, store);
	return unit_append(h->unit, run);
}

/* .. by the kernels of variant "v"; those of the first are there. */
static struct kfunc *append_variant(const struct host *h, int v,
	struct kfunc **all)
{
	struct host own = *h;
	struct kfunc **kernel = all + v * h->n_plans, *run;

	own.plan = host_variants(h)->plans[v];
	for (int i = 0; v > 0 && i < h->n_plans; i++)
		kernel[i] = unit_append(h->unit, host_kernel(h, &own.plan[i],
			v * h->n_plans + i));
	run = append_steps(&own, kernel, v == 0);
	run->name = region_printf(h->mem, "%s%d", run->name, v);
	if (plan_given_dim(own.plan) >= 0) {
		kfunc_add_int(h->mem, run, h->names->strips.length);
		kfunc_add_int(h->mem, run, h->names->strips.warps);
	}
	if (host_variants(h)->sizes[v])
		run->comment = region_printf(h->mem, "%s\nVariant %d: %s.",
			run->comment, v, host_variants(h)->sizes[v]);
	return run;
}

static struct kfunc *append_run(const struct host *h, const struct kfunc *check,
	struct kfunc **kernels)
{
	struct kfunc **run, *choose;

	host_append_spreads(h);
	if (!host_variants(h))
		return append_steps(h, kernels, true);
	run = region_array(h->mem, struct kfunc *, host_variants(h)->n);
	for (int v = 0; v < host_variants(h)->n; v++)
		run[v] = append_variant(h, v, kernels);
	choose = unit_append(h->unit, host_choose_variant(h, check));
	return unit_append(h->unit, host_run_variant(h, choose, run));
}

/* Nothing checks "lanes" if it is 0. */
static struct kunit *make_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with, int lanes)
{
	struct kunit *unit = region_new_of(r, struct kunit);
	const struct program *prog = scop->prog;
	/* A plan may give states more copies. */
	const struct scop *planned = n_plans > 0 ? plans->scop : scop;
	struct host h = {
		.mem = r, .unit = unit, .prog = prog, .scop = planned,
		.plan = plans, .n_plans = n_plans, .n_kernels = n_plans,
		.names = kernel_names_new(r, prog),
		.error = fresh_name(r, prog, "error"),
		.status = fresh_name(r, prog, "status"),
		.out = fresh_name(r, prog, "out"),
		.stream = fresh_name(r, prog, "stream"),
		.on_device = fresh_name(r, prog, "on_device"),
		.has_handles = with & (WITH_HANDLES | WITH_MEMORY) &&
			n_plans > 0,
		.memory = fresh_name(r, prog, "memory"),
		.in_place = fresh_name(r, prog, "in_place"),
		.padded = fresh_name(r, prog, "padded"),
	};
	const struct plan *first = n_plans > 0 && plans->tiles.variants ?
		plans->tiles.variants->plans[0] : plans;
	struct kfunc **kernel, *check, *run = NULL;
	int all_kernels;

	unit->mem = r;
	unit->prog = prog;
	unit->scop = planned;
	unit->plan = plans;
	unit->lanes = lanes;
	unit->runs_in_place = h.has_handles && !prog->segments;
	unit->form = form_code(n_plans > 0 ? plans->form : FORM_TILES);
	unit->least_padded_dims = unit->form->least_padded_dims;
	unit->last = &unit->first;
	unit->error_name = h.error;
	unit->out_name = h.out;
	unit->stream_name = h.stream;
	if (n_plans > 0)
		add_list_functions(unit);
	all_kernels = n_plans * (host_variants(&h) ? host_variants(&h)->n : 1);
	kernel = region_array(r, struct kfunc *, all_kernels);
	for (int i = 0; i < n_plans; i++)
		kernel[i] = unit_append(unit, host_kernel(&h, &first[i], i));
	check = unit_append(unit, host_check(&h));
	h.sort = region_array(r, struct kfunc *, prog->n_lists);
	for (int i = 0; n_plans > 0 && i < prog->n_lists; i++)
		h.sort[i] = unit_append(unit, gpu_places(&h, prog->list[i]));
	if (n_plans > 0 && lists_have_sums(prog))
		h.sums = unit_append(unit, gpu_sums(&h));
	h.reduce = region_array(r, struct kfunc *, prog->n_reductions);
	for (int i = 0; n_plans > 0 && i < prog->n_reductions; i++)
		h.reduce[i] = unit_append(unit, gpu_reduction(&h, i));
	unit->needs_math = prog->n_reductions > 0;
	unit->harness = with & WITH_HARNESS;
	if (n_plans > 0)
		run = append_run(&h, check, kernel);
	h.n_kernels = all_kernels;
	append_entries(&h, check, kernel, run, with);
	if (with & WITH_HARNESS)
		append_harness(unit, host_some_size(&h, OP_EQ, 0));
	if (with & WITH_HARNESS && unit->handles)
		unit_append(unit, gpu_planned(&h));
	return unit;
}

bool codegen_lacks_widths(const struct kunit *unit)
{
	return unit->lacks_widths;
}

double codegen_shares(const struct kunit *unit)
{
	double alone = 0, shared = 0;

	for (const struct kfunc *f = unit->first; f; f = f->next) {
		alone += f->box ? f->box->alone : 0;
		shared += f->box ? f->box->shared : 0;
	}
	return shared > 0 ? alone / shared : 1;
}

struct kunit *codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with)
{
	return make_unit(r, scop, plans, n_plans, with, 0);
}

struct kunit *codegen_unit_asking(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with)
{
	return make_unit(r, scop, plans, n_plans, with,
		lanes_of_warps(plans, n_plans));
}
