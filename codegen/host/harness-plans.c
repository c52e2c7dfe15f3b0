/* Plans in the harness, see handles.h: it compares and times runs of a plan. */
#include <string.h>

#include "codegen/host/handles.h"
#include "codegen/host/harness.h"
#include "codegen/tree/print.h"
#include "ir/components.h"

/* NAME_planned ----------------------------------------------------------------- */

struct planned {
	const struct host *h;
	const struct handles *handles;
	const struct kx *plan, *status;	/* variables */
	bool on_copies;			/* the run that is called */
};

static struct planned planned_of(const struct host *h)
{
	return (struct planned) { .h = h, .handles = h->unit->handles,
		.plan = name(h, "harness_plan"),
		.status = name(h, "harness_status") };
}

/* The next field that is an argument, from number *i on; or NULL. */
static const struct field *next_field(const struct host *h, int *i)
{
	while (*i < h->prog->n_fields) {
		const struct field *f = field_begins(h->prog->field[(*i)++]);

		if (f && field_is_argument(f))
			return f;
	}
	return NULL;
}

static struct ctype type_of(const struct field *f)
{
	return ctype_pointer(scalar_of(f->type), false);
}

static const struct kx *copy_of(const struct host *h, const struct field *f)
{
	return name(h, fresh_name(h->mem, h->prog, "%s_of_plan", f->name));
}

static const struct kx *bytes_of(const struct host *h, const struct field *f)
{
	return op(h, OP_MUL, op(h, OP_MUL, integer(h, field_copies(f) *
		field_numbers(f)),
		host_cells(h, f, ctype(CT_SIZE))), kx_sizeof(h->mem, ctype_of(
			f->type)));
}

/* if (!harness_status) .. */
static void add_next(const struct planned *p, struct ks *b, struct ks *s)
{
	ks_add(p->h->mem, b, ks_if(p->h->mem, kx_unary(p->h->mem, OP_NOT,
		p->status), s, NULL));
}

/* .. harness_status = x */
static void add_next_of(const struct planned *p, struct ks *b,
	const struct kx *x)
{
	add_next(p, b, ks_assign(p->h->mem, p->status, x));
}

static void add_next_error(const struct planned *p, struct ks *b,
	const struct kx *x)
{
	add_next_of(p, b, kx_cast(p->h->mem, ctype(CT_INT), x));
}

static void add_call(const struct planned *p, struct ks *b, const struct kx *x)
{
	ks_add(p->h->mem, b, ks_expression(p->h->mem, KS_EXPRESSION, x));
}

/* Declare the plan whose address NAME_create() gets; copies of fields, or the fields
 * themselves.
 */
static const struct kx *argument_of(const void *user, const char *param)
{
	const struct planned *p = user;
	const struct field *f;

	if (!strcmp(param, p->handles->run->param[0].name))
		return p->plan;
	for (int i = 0; p->on_copies && (f = next_field(p->h, &i));)
		if (!strcmp(param, f->name))
			return copy_of(p->h, f);
	return strcmp(param, p->h->stream ? p->h->stream : "") ? NULL :
		integer(p->h, 0);
}

static const struct kx *created(const struct planned *p)
{
	struct planned with_address = *p;

	with_address.plan = kx_address(p->h->mem, p->plan);
	return kfunc_call(p->h->mem, p->handles->create, argument_of,
		&with_address);
}

static const struct kx *run(struct planned *p, bool on_copies)
{
	p->on_copies = on_copies;
	return kfunc_call(p->h->mem, p->handles->run, argument_of, p);
}

/* static int NAME_planned(arguments): a plan, and pointers to copies of fields, none allocated
 * yet
 */
static struct kfunc *begin(const struct planned *p, const char *comment)
{
	const struct host *h = p->h;
	struct kfunc *f = host_function(h, "%s_planned", ctype(CT_INT));
	const struct kx *null = kx_builtin(h->mem, W_NULL, 0);
	const struct field *field;

	f->is_static = true;
	f->comment = region_printf(h->mem, "%s() by a plan%s.", h->prog->name,
		comment);
	host_add_arguments(h, f);
	ks_add(h->mem, f->body, ks_declare(h->mem,
		p->handles->run->param[0].c_type, p->plan->name, null));
	for (int i = 0; (field = next_field(h, &i));)
		ks_add(h->mem, f->body, ks_declare(h->mem, type_of(field),
			copy_of(h, field)->name, null));
	ks_add(h->mem, f->body, ks_declare(h->mem, ctype(CT_INT),
		p->status->name, created(p)));
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	return f;
}

/* Free what exists. */
static struct kfunc *end(const struct planned *p, struct kfunc *f,
	enum builtin release)
{
	const struct host *h = p->h;
	const struct field *field;

	add_call(p, f->body, kfunc_call(h->mem, p->handles->destroy,
		argument_of, p));
	for (int i = 0; (field = next_field(h, &i));)
		add_call(p, f->body, kx_builtin(h->mem, release, 1, copy_of(h,
			field)));
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN, p->status));
	return f;
}

/* Copy all fields to the device, and results back. */
static void move(const struct planned *p, struct ks *b, bool back)
{
	const struct host *h = p->h;
	const struct kx *way = kx_builtin(h->mem, back ? W_TO_HOST :
		W_TO_DEVICE, 0);
	const struct field *f;

	for (int i = 0; (f = next_field(h, &i));) {
		const struct kx *ours = name(h, f->name), *copy = copy_of(h, f);

		if (!back || field_is_result(f))
			add_next_error(p, b, kx_builtin(h->mem, RT_COPY_NOW, 4,
				back ? ours : copy, back ? copy : ours,
				bytes_of(h, f), way));
	}
}

/* Run three times with the same arguments: the second run makes a graph. */
struct kfunc *gpu_planned(const struct host *h)
{
	enum { RUNS = 3, MORE_BYTES = 16 };
	struct planned p = planned_of(h);
	struct kfunc *f = begin(&p, ", whose last run is that of a graph");
	struct ctype any = { .scalar = CT_VOID, .pointers = 2 };
	const struct kx *i = name(h, "harness_i");
	struct ks *again = ks_block(h->mem);
	const struct field *field;

	for (int k = 0; (field = next_field(h, &k));)
		add_next_error(&p, f->body, kx_builtin(h->mem, RT_ALLOCATE, 2,
			kx_cast(h->mem, any, kx_address(h->mem, copy_of(h,
			field))), kx_add(h->mem, bytes_of(h, field),
				MORE_BYTES)));
	move(&p, again, false);
	add_next_of(&p, again, run(&p, true));
	ks_add(h->mem, f->body, ks_for(h->mem, i->name, integer(h, 0), op(h,
		OP_LT, i, integer(h, RUNS)), integer(h, 1), again));
	add_next_error(&p, f->body, kx_builtin(h->mem, RT_WAIT_FOR_DEVICE, 0));
	move(&p, f->body, true);
	return end(&p, f, RT_FREE);
}

/* On copies, then on the arrays themselves. */
struct kfunc *cpu_planned(const struct host *h)
{
	struct planned p = planned_of(h);
	struct kfunc *f = begin(&p, ", which has run before");
	const struct field *field;

	for (int i = 0; (field = next_field(h, &i));) {
		const struct kx *copy = copy_of(h, field);
		struct ks *b = ks_block(h->mem);

		ks_add(h->mem, b, ks_assign(h->mem, copy, kx_builtin(h->mem,
			B_COPY_OF, 2, name(h, field->name), bytes_of(h,
				field))));
		ks_add(h->mem, b, ks_if(h->mem, kx_unary(h->mem, OP_NOT, copy),
			ks_assign(h->mem, p.status, integer(h,
				STATUS_NO_MEMORY)), NULL));
		add_next(&p, f->body, b);
	}
	add_next_of(&p, f->body, run(&p, true));
	add_next_of(&p, f->body, run(&p, false));
	return end(&p, f, B_DELETE);
}

/* In main ------------------------------------------------------------------------ */

struct timed {
	const struct kunit *unit;
	bool by_address;		/* the plan */
	const char *(*name)(const struct kunit *unit, const struct field *f);
};

static const struct kx *timed_argument(const void *user, const char *param)
{
	const struct timed *timed = user;
	const struct kunit *unit = timed->unit;
	const struct kx *plan = kx_name(unit->mem, "harness_plan");

	if (!strcmp(param, unit->handles->run->param[0].name))
		return timed->by_address ? kx_address(unit->mem, plan) : plan;
	if (unit->stream_name && !strcmp(param, unit->stream_name))
		return kx_int(unit->mem, 0);
	for (int i = 0; i < unit->prog->n_args; i++) {
		const struct field *f = unit->prog->arg[i].field;

		if (f && !strcmp(param, f->name))
			return kx_name(unit->mem, timed->name(unit, f));
	}
	return unit->blocks && !strcmp(param, fresh_name(unit->mem,
		unit->prog, "comm")) ? kx_name(unit->mem, "MPI_COMM_WORLD") :
		NULL;
}

static void print_call_by(struct text *t, const struct kunit *unit,
	const struct kfunc *f, const char *(*name)(const struct kunit *unit,
	const struct field *f))
{
	struct timed timed = { unit, f == unit->handles->create, name };

	print_kx(t, &spelling_c, kfunc_call(unit->mem, f, timed_argument,
		&timed));
}

static void print_call(struct text *t, const struct kunit *unit,
	const struct kfunc *f)
{
	print_call_by(t, unit, f, main_timed);
}

void print_timed_plan(struct text *t, const struct kunit *unit)
{
	text_printf(t, "\t%s *harness_plan = NULL;\n\n"
		"\tif (%s!harness.status)\n"
		"\t\tharness.status = ", unit->handles->run->param[0].c_type.name,
		unit->blocks ? "" : "harness.repeat > 0 && ");
	print_call(t, unit, unit->handles->create);
	text_puts(t, ";\n");
}

void print_timed_run(struct text *t, const struct kunit *unit)
{
	print_call(t, unit, unit->handles->run);
}

void print_run_of_plan(struct text *t, const struct kunit *unit,
	const char *(*name)(const struct kunit *unit, const struct field *f))
{
	print_call_by(t, unit, unit->handles->run, name);
}

void print_timed_end(struct text *t, const struct kunit *unit)
{
	text_puts(t, "\t");
	print_call(t, unit, unit->handles->destroy);
	text_puts(t, ";\n");
}
