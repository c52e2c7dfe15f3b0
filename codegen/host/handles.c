/* What plans of processors and of GPUs share, see handles.h. */
#include "codegen/host/handles.h"

/* Bounds of the time -------------------------------------------------------- */

struct search {
	const struct param *param;
	bool found;
};

static void look_at(void *user, const struct expr *e)
{
	struct search *s = user;

	s->found |= expr_uses(e, s->param);
}

static void look_at_statement(struct search *s, const struct stmt *stmt)
{
	stmt_each_expr(stmt, look_at, s);
	stmt_each_boundary_expr(stmt, look_at, s);
	stmt_each_listed_expr(stmt, look_at, s);
}

static void look_at_list(struct search *s, const struct list *l)
{
	look_at(s, l->begin);
	look_at(s, l->end);
	for (int d = 0; d < l->grid->n_dims; d++)
		look_at(s, l->place[d]);
}

/* Does anything but the bounds of the time use "param"? */
static bool is_used_elsewhere(const struct program *prog,
	const struct param *param)
{
	struct search s = { param, false };

	for (int i = 0; i < prog->n_fields; i++)
		for (int d = 0; d < prog->field[i]->n_dims; d++)
			look_at(&s, prog->field[i]->size[d]);
	for (int i = 0; i < prog->n_stmts; i++)
		look_at_statement(&s, prog->stmt[i]);
	for (int i = 0; i < prog->n_reductions; i++)
		look_at_statement(&s, prog->reduction[i]->point);
	for (int i = 0; i < prog->n_lists; i++)
		look_at_list(&s, prog->list[i]);
	for (int i = 0; i < prog->n_assumes; i++)
		look_at(&s, prog->assume[i]);
	if (prog->until)
		look_at(&s, prog->until);
	return s.found;
}

static bool is_bound(const struct program *prog, const struct param *p)
{
	return prog->timed && !p->fixed && p->type == TYPE_INT &&
		(expr_uses(program_begin(prog), p) ||
		 expr_uses(program_end(prog), p)) &&
		!is_used_elsewhere(prog, p);
}

bool unit_waits(const struct kunit *unit)
{
	return unit->prog->n_lists > 0 || unit->prog->until ||
		program_has_checks(unit->prog);
}

/* Arguments ----------------------------------------------------------------- */

static bool is_bound_argument(const struct kunit *unit,
	const struct argument *arg)
{
	for (int i = 0; i < unit->prog->n_params; i++)
		if (unit->prog->param[i] == arg->param)
			return unit->handles->is_bound[i];
	return false;
}

bool is_of_plan(const struct kunit *unit, const struct argument *arg,
	enum of_plan which)
{
	return arg->field ? which == FIELDS : which ==
		(is_bound_argument(unit, arg) ? BOUNDS : SIZES);
}

static bool is_of(const struct plans *p, int arg, enum of_plan which)
{
	return is_of_plan(p->h->unit, &p->h->prog->arg[arg], which);
}

/* The struct and functions ---------------------------------------------------- */

static const char *fresh(const struct host *h, const char *s)
{
	return fresh_name(h->mem, h->prog, "%s", s);
}

static struct handles *handles_new(const struct host *h)
{
	struct handles *handles = region_new_of(h->mem, struct handles);
	bool *bound = region_array(h->mem, bool, h->prog->n_params + 1);

	for (int i = 0; i < h->prog->n_params; i++)
		bound[i] = is_bound(h->prog, h->prog->param[i]);
	handles->is_bound = bound;
	return handles;
}

struct plans plans_of(const struct host *h, const struct kfunc *check,
	const struct kfunc *memory, const struct kfunc *entry)
{
	enum { BESIDE_ARGUMENTS = 8 };
	struct kstruct *record = region_new_of(h->mem, struct kstruct);
	struct plans p = {
		.h = h, .check = check, .memory = memory, .entry = entry,
		.plan = fresh(h, "plan"), .made = fresh(h, "made"),
		.kept = fresh(h, "memory"), .status = h->status,
		.bytes = fresh(h, "bytes"), .record = record,
		.before = record, .handles = handles_new(h),
	};

	h->unit->handles = p.handles;
	record->name = region_printf(h->mem, "%s_plan", h->prog->name);
	record->purpose = "A plan has the memory of runs with these sizes, one "
		"after the other.";
	record->member = region_array(h->mem, struct kparam,
		h->prog->n_args + BESIDE_ARGUMENTS);
	p.type = (struct ctype) { .scalar = CT_NAMED, .name = record->name,
		.pointers = 1 };
	plans_add_members(&p, SIZES);
	plans_add_member(&p, ctype_pointer(CT_VOID, false), p.kept);
	return p;
}

void plans_add_member(const struct plans *p, struct ctype c_type,
	const char *name)
{
	p->record->member[p->record->n_members++] = (struct kparam) {
		.c_type = c_type, .name = name };
}

void plans_add_members(const struct plans *p, enum of_plan which)
{
	for (int i = 0; i < p->h->prog->n_args; i++)
		if (is_of(p, i, which))
			p->record->member[p->record->n_members++] =
				host_argument(&p->h->prog->arg[i]);
}

void plans_add_params(const struct plans *p, struct kfunc *f,
	enum of_plan which)
{
	for (int i = 0; i < p->h->prog->n_args; i++)
		if (is_of(p, i, which))
			kfunc_add_param(p->h->mem, f, host_argument(
				&p->h->prog->arg[i]));
}

struct kfunc *plans_function(const struct plans *p, const char *fmt,
	struct ctype c_type, bool runs)
{
	struct kfunc *f = host_function(p->h, fmt, c_type);

	kfunc_add_param(p->h->mem, f, (struct kparam) { .c_type = p->type,
		.name = p->plan });
	if (runs) {
		plans_add_params(p, f, BOUNDS);
		plans_add_params(p, f, FIELDS);
	}
	return f;
}

struct kfunc *plans_append(struct plans *p, struct kfunc *f)
{
	f->before = p->before;
	p->before = NULL;
	f->is_exported = !f->is_static;
	return unit_append(p->h->unit, f);
}

/* Statements ----------------------------------------------------------------- */

void plans_add(const struct plans *p, struct ks *b, struct ks *s)
{
	ks_add(p->h->mem, b, s);
}

const struct kx *plans_member(const struct plans *p, const char *of,
	const char *member)
{
	return kx_member(p->h->mem, name(p->h, of), member);
}

void plans_declare_sizes(const struct plans *p, struct ks *b)
{
	for (int i = 0; i < p->h->prog->n_args; i++) {
		struct kparam arg = host_argument(&p->h->prog->arg[i]);

		if (!is_of(p, i, SIZES))
			continue;
		arg.c_type.is_const = true;
		plans_add(p, b, ks_declare(p->h->mem, arg.c_type, arg.name,
			plans_member(p, p->plan, arg.name)));
	}
}

void plans_assign(const struct plans *p, struct ks *b, const char *of,
	enum of_plan which)
{
	for (int i = 0; i < p->h->prog->n_args; i++) {
		struct kparam arg = host_argument(&p->h->prog->arg[i]);

		if (is_of(p, i, which))
			plans_add(p, b, ks_assign(p->h->mem, plans_member(p, of,
				arg.name), name(p->h, arg.name)));
	}
}

const struct kx *plans_call(const struct plans *p, const struct kx *stream)
{
	const struct program *prog = p->h->prog;
	const struct kx **arg = region_array(p->h->mem, const struct kx *,
		prog->n_args + 3);
	int n = 0;

	while (n < prog->n_args) {
		arg[n] = name(p->h, host_argument(&prog->arg[n]).name);
		n++;
	}
	if (p->memory)
		arg[n++] = plans_member(p, p->plan, p->kept);
	if (p->sizes)
		arg[n++] = kx_address(p->h->mem, plans_member(p, p->plan,
			p->sizes));
	if (stream)
		arg[n++] = stream;
	return kx_of_kind(p->h->mem, KX_CALL, p->entry->name, n, arg);
}

struct ks *plans_return(const struct plans *p, const struct kx *x)
{
	return ks_expression(p->h->mem, KS_RETURN, x);
}

/* NAME_create() --------------------------------------------------------------- */

struct kfunc *plans_create(const struct plans *p, const char *comment)
{
	struct kfunc *f = plans_function(p, "%s_create", ctype(CT_INT), false);

	f->comment = comment;
	f->param[0].c_type.pointers = 2;
	plans_add_params(p, f, SIZES);
	host_declare_int(p->h, f->body, p->status, host_check_call(p->h,
		p->check));
	return f;
}

struct ks *plans_give(const struct plans *p, const struct kx *plan)
{
	return ks_assign(p->h->mem, kx_builtin(p->h->mem, B_DEREFERENCE, 1,
		name(p->h, p->plan)), plan);
}

const struct kx *plans_new(const struct plans *p)
{
	struct ctype plan = p->type;

	plan.pointers = 0;
	return kx_cast(p->h->mem, p->type, kx_builtin(p->h->mem, B_NEW_ZEROED,
		2, integer(p->h, 1), kx_sizeof(p->h->mem, plan)));
}

void plans_make(const struct plans *p, struct ks *b)
{
	const struct kx *status = name(p->h, p->status);
	const struct kx *made = name(p->h, p->made);

	plans_add(p, b, ks_declare(p->h->mem, p->type, p->made, NULL));
	plans_add(p, b, ks_simple(p->h->mem, KS_BLANK));
	plans_add(p, b, plans_give(p, kx_builtin(p->h->mem, W_NULL, 0)));
	plans_add(p, b, ks_if(p->h->mem, status, plans_return(p, status),
		NULL));
	plans_add(p, b, ks_assign(p->h->mem, made, plans_new(p)));
	host_return_if(p->h, b, kx_unary(p->h->mem, OP_NOT, made),
		STATUS_NO_MEMORY);
	plans_assign(p, b, p->made, SIZES);
}

void plans_begin_with_bounds(const struct plans *p, struct kfunc *create,
	int last)
{
	const struct program *prog = p->h->prog;
	struct ks *b = ks_block(p->h->mem);

	for (int i = 0; i < prog->n_args; i++) {
		const struct param *x = prog->arg[i].param;

		if (is_of(p, i, BOUNDS) && ks_uses(create->body, x->name))
			host_declare_int(p->h, b, x->name, integer(p->h,
				expr_uses(program_begin(prog), x) ? 0 : last));
	}
	plans_add(p, b, create->body);
	create->body = b;
}

/* NAME_destroy() -------------------------------------------------------------- */

struct kfunc *plans_destroy(const struct plans *p, const char *fmt)
{
	struct kfunc *f = plans_function(p, fmt, ctype(CT_VOID), false);

	plans_add(p, f->body, ks_if(p->h->mem, kx_unary(p->h->mem, OP_NOT,
		name(p->h, p->plan)), ks_simple(p->h->mem, KS_RETURN), NULL));
	return f;
}

struct ks *plans_free(const struct plans *p, const struct kx *pointer)
{
	return ks_expression(p->h->mem, KS_EXPRESSION, kx_builtin(p->h->mem,
		B_DELETE, 1, pointer));
}
