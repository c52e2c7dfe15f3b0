/* Building blocks of the host functions of a file. */
#include "codegen/host/host.h"

#include <string.h>

#include "ir/waves.h"

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

const struct kx *host_written_steps(const struct host *h, struct ctype c_type)
{
	const struct program *written = program_written(h->prog);

	return op(h, OP_SUB, host_param(h, program_end(written), c_type),
		host_param(h, program_begin(written), c_type));
}

const struct kx *host_whole_steps(const struct host *h, struct ctype c_type)
{
	return op(h, OP_SUB, host_param(h, program_end(h->prog), c_type),
		host_param(h, program_begin(h->prog), c_type));
}

struct ks *host_loop(const struct host *h, const char *var,
	const struct kx *first, const struct kx *end, const struct kx *step,
	struct ks *body)
{
	struct ks *s = ks_for(h->mem, var, first, op(h, OP_LT, name(h, var),
		end), step, body);

	s->c_type = ctype(CT_SIZE);
	return s;
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

static const struct kx *argument_of_check(const void *user, const char *param)
{
	const struct host *h = user;
	const struct segments *s = h->prog->segments;

	if (s && !strcmp(param, s->first->name))
		return host_param(h, s->whole_begin, ctype(CT_NONE));
	if (s && !strcmp(param, s->end->name))
		return host_param(h, s->whole_end, ctype(CT_NONE));
	return NULL;
}

const struct kx *host_check_call(const struct host *h,
	const struct kfunc *check)
{
	return kfunc_call(h->mem, check, argument_of_check, h);
}

void host_check_first(const struct host *h, struct ks *block,
	const struct kfunc *check)
{
	host_declare_int(h, block, h->status, host_check_call(h, check));
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

static void add_params(const struct host *h, struct kfunc *f,
	bool has_segments)
{
	for (int i = 0; i < h->prog->n_params; i++)
		if (!h->prog->param[i]->fixed && (has_segments ||
		    !param_is_of_segments(h->prog, h->prog->param[i])))
			kfunc_add_param(h->mem, f, (struct kparam) {
				.c_type =
					ctype_of(h->prog->param[i]->type),
				.name = h->prog->param[i]->name });
}

void host_add_params(const struct host *h, struct kfunc *f)
{
	add_params(h, f, true);
}

void host_add_params_of_all(const struct host *h, struct kfunc *f)
{
	add_params(h, f, false);
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

const char *host_run_name(const struct host *h)
{
	return h->has_handles ? "%s_steps" : "%s_run";
}

const struct kx *host_computes_something(const struct host *h)
{
	return kx_of_set(h->mem, isl_set_copy(h->scop->context),
		scop_segment_bounds(h->scop));
}

const struct kx *host_computes_nothing(const struct host *h)
{
	const struct kx *runs = host_computes_something(h);

	return runs ? kx_unary(h->mem, OP_NOT, runs) : NULL;
}

/* Entries --------------------------------------------------------------- */

struct kparam host_argument(const struct argument *arg)
{
	if (arg->param)
		return (struct kparam) { .name = arg->param->name,
			.c_type = ctype_of(arg->param->type) };
	return (struct kparam) { .name = arg->field->name,
		.c_type = ctype_pointer(scalar_of(arg->field->type),
			arg->field->kind == FIELD_INPUT) };
}

void host_add_arguments(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_args; i++)
		kfunc_add_param(h->mem, f, host_argument(&h->prog->arg[i]));
}

/* The number, in its argument, of the first number of the component "f"; NULL: 0. */
static const struct kx *first_of_part(const struct host *h,
	const struct field *f)
{
	const struct kx *before = NULL;

	if (f->part)
		before = op(h, OP_MUL, integer(h, f->part * (f->n_lanes ?
			f->n_lanes : 1)), host_cells(h, f, ctype(CT_SIZE)));
	if (!f->lane)
		return before;
	return before ? kx_add(h->mem, before, f->lane) : integer(h, f->lane);
}

/* const float *const u_1 = u + 1 * cells; of a complex u: u_im = u + 1 */
void host_declare_parts(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		const struct kx *start;

		if (!f->whole)
			continue;
		start = first_of_part(h, f) ? op(h, OP_ADD, name(h,
			f->whole->name), first_of_part(h, f)) : name(h,
			f->whole->name);
		ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(scalar_of(
			f->type), f->kind == FIELD_INPUT), f->name, start));
	}
}
