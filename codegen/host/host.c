/* The functions of a file that run on the host: what they are made of, the
 * entries for host and device memory, and the whole unit.
 */
#include <string.h>

#include "codegen/host/host.h"

/* Expressions, statements, functions ------------------------------------- */

const struct kx *host_param(const struct host *h, const struct expr *e,
	struct ctype c_type)
{
	const struct kx *x;

	switch (e->kind) {
	case EXPR_INT:
		return integer(h, e->ivalue);
	case EXPR_PARAM:
		if (e->param->fixed)
			return integer(h, e->param->ivalue);
		x = name(h, e->param->name);
		return c_type.scalar ? kx_cast(h->mem, c_type, x) : x;
	case EXPR_UNARY:
		return kx_unary(h->mem, e->op,
			host_param(h, e->arg[0], c_type));
	case EXPR_CAST:
		return host_param(h, e->arg[0], c_type);
	default:
		return op(h, e->op, host_param(h, e->arg[0], c_type),
			host_param(h, e->arg[1], c_type));
	}
}

const struct kx *host_steps(const struct host *h,
	struct ctype c_type)
{
	return op(h, OP_SUB, host_param(h, h->prog->end, c_type),
		host_param(h, h->prog->begin, c_type));
}

const struct kx *host_cells(const struct host *h,
	const struct field *field, struct ctype c_type)
{
	const struct kx *cells = NULL;

	for (int d = 0; d < field->n_dims; d++) {
		const struct kx *size = host_param(h, field->size[d],
			ctype(CT_NONE));

		if (!cells)
			cells = kx_cast(h->mem, c_type, size);
		else
			cells = op(h, OP_MUL, cells, size);
	}
	return cells ? cells : integer(h, 1);
}

const struct kx *host_either(const struct host *h, const struct kx *a,
	const struct kx *b)
{
	return a && b ? op(h, OP_OR, a, b) : a ? a : b;
}

void host_return_if(const struct host *h, struct ks *block,
	const struct kx *condition, int status)
{
	struct ks *leave = ks_expression(h->mem, KS_RETURN,
		integer(h, status));

	if (condition)
		ks_add(h->mem, block, ks_if(h->mem, condition, leave, NULL));
}

void host_check_first(const struct host *h, struct ks *block,
	const struct kfunc *check)
{
	host_declare_int(h, block, h->status, kfunc_call(h->mem, check, NULL,
		NULL));
	ks_add(h->mem, block, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, block, ks_if(h->mem, name(h, h->status), ks_expression(
		h->mem, KS_RETURN, name(h, h->status)), NULL));
}

void host_declare_int(const struct host *h, struct ks *block, const char *var,
	const struct kx *value)
{
	ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_INT), var,
		value));
}

struct ks *host_checked(const struct host *h, const struct kx *call)
{
	return ks_expression(h->mem, KS_CHECKED, call);
}

void host_add_params(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_params; i++)
		if (!h->prog->param[i]->fixed)
			kfunc_add_param(h->mem, f, (struct kparam) {
				.c_type = ctype_of(h->prog->param[i]->type),
				.name = h->prog->param[i]->name });
}

struct kfunc *host_function(const struct host *h, const char *fmt,
	struct ctype c_type)
{
	struct kfunc *f = region_new_of(h->mem, struct kfunc);

	f->name = region_printf(h->mem, fmt, h->prog->name);
	f->c_type = c_type;
	f->body = ks_block(h->mem);
	return f;
}

/* Entries --------------------------------------------------------------- */

void host_add_argument(const struct host *h, struct kfunc *f,
	const struct argument *arg)
{
	if (arg->param)
		kfunc_add_param(h->mem, f, (struct kparam) {
			.c_type = ctype_of(arg->param->type),
			.name = arg->param->name });
	else
		kfunc_add_param(h->mem, f, (struct kparam) {
			.c_type = ctype_pointer(scalar_of(arg->field->type),
				arg->field->kind == FIELD_INPUT),
			.name = arg->field->name });
}

void host_add_arguments(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_args; i++)
		host_add_argument(h, f, &h->prog->arg[i]);
}

struct call_of_run {
	const struct host *h;
	const char *(*result)(const struct host *h, const struct field *f);
	bool on_device;
	const struct kx *stream;
};

static const struct kx *argument_of_run(const void *user, const char *param)
{
	const struct call_of_run *call = user;
	const struct host *h = call->h;

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!strcmp(param, host_in_name(h, f)))
			return name(h, f->name);
		if (!strcmp(param, host_out_name(h, f)))
			return name(h, call->result(h, f));
	}
	if (!strcmp(param, h->on_device))
		return name(h, call->on_device ? "true" : "false");
	return strcmp(param, h->stream) ? NULL : call->stream;
}

/* A call of "run" on these arrays for each state. */
static const struct kx *call_run(const struct host *h, const struct kfunc *run,
	const char *(*result)(const struct host *h, const struct field *f),
	bool on_device, const struct kx *stream)
{
	struct call_of_run call = { h, result, on_device, stream };

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
			kfunc_call(h->mem, check, NULL, NULL)));
		return f;
	}
	host_check_first(h, b, check);
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		call_run(h, run, field_itself, true, name(h, h->stream))));
	return f;
}

static const struct kx *result_bytes(const struct host *h,
	const struct field *f)
{
	int copies = f->kind == FIELD_STATE ? f->depth : 1;

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

/* The result goes to memory of its own first: an error on the way leaves the
 * caller's arrays alone.  Without "run" there is nothing to do.
 */
static struct kfunc *host_entry(const struct host *h,
	const struct kfunc *check, const struct kfunc *run)
{
	struct kfunc *f = host_function(h, "%s", ctype(CT_INT));
	struct ks *b = f->body, *copy = ks_block(h->mem);
	const struct kx *none = NULL;

	f->comment = "The fields are host memory.";
	f->is_exported = true;
	host_add_arguments(h, f);
	if (!run) {
		ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
			kfunc_call(h->mem, check, NULL, NULL)));
		return f;
	}
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), h->status,
		kfunc_call(h->mem, check, NULL, NULL)));
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (!field_is_result(field))
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
	host_return_if(h, b, host_nothing_runs(h, h->prog->timed ?
		host_steps(h, ctype(CT_NONE)) : NULL), 0);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (!field_is_result(field))
			continue;
		ks_add(h->mem, b, ks_assign(h->mem,
			name(h, result_name(h, field)),
			kx_cast(h->mem, ctype_pointer(scalar_of(field->type),
				false),
			kx_builtin(h->mem, B_NEW, 1,
				result_bytes(h, field)))));
		ks_add(h->mem, copy, ks_expression(h->mem, KS_EXPRESSION,
			kx_builtin(h->mem, B_COPY_BYTES, 3, name(h,
				field->name), name(h, result_name(h, field)),
				result_bytes(h, field))));
	}
	ks_add(h->mem, b, ks_assign(h->mem, name(h, h->status),
		integer(h, STATUS_NO_MEMORY)));
	ks_add(h->mem, b, ks_if(h->mem, none, goto_out(h), NULL));
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
		if (field_is_result(h->prog->field[i]))
			ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION,
				kx_builtin(h->mem, B_DELETE, 1, name(h,
				result_name(h, h->prog->field[i])))));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		name(h, h->status)));
	return f;
}

/* The unit -------------------------------------------------------------- */

static struct kfunc *append(struct kunit *unit, struct kfunc *f)
{
	*unit->last = f;
	unit->last = &f->next;
	return f;
}

struct kunit *codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness)
{
	struct kunit *unit = region_new_of(r, struct kunit);
	const struct program *prog = scop->prog;
	/* A plan may have states in more copies. */
	const struct scop *planned = n_plans > 0 ? plans->scop : scop;
	struct host h = {
		.mem = r, .unit = unit, .prog = prog, .scop = planned,
		.plan = plans, .n_plans = n_plans,
		.names = kernel_names_new(r, prog),
		.error = fresh_name(r, prog, "error"),
		.status = fresh_name(r, prog, "status"),
		.out = fresh_name(r, prog, "out"),
		.stream = fresh_name(r, prog, "stream"),
		.on_device = fresh_name(r, prog, "on_device"),
	};
	struct kfunc **kernel, *check, *run = NULL, *store = NULL;

	unit->mem = r;
	unit->prog = prog;
	unit->scop = planned;
	unit->plan = plans;
	unit->last = &unit->first;
	unit->error_name = h.error;
	unit->out_name = h.out;
	unit->stream_name = h.stream;
	kernel = region_array(r, struct kfunc *, n_plans);
	for (int i = 0; i < n_plans; i++)
		kernel[i] = append(unit, kernel_of_plan(unit, &plans[i], i));
	check = append(unit, host_check(&h));
	if (n_plans > 0) {
		run = host_run(&h, kernel, &store);
		if (store)
			append(unit, store);
		append(unit, run);
	}
	append(unit, device_entry(&h, check, run));
	append(unit, host_entry(&h, check, run));
	if (harness)
		append_harness(unit, host_some_size(&h, OP_EQ, 0));
	return unit;
}
