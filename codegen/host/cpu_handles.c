/* Plans of the C target: they keep memory for the most that a run has needed so
 * far.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/handles.h"

/* So many steps stand for any larger number: they need the most memory. */
enum { MANY_STEPS = 1 << 20 };

/* static int NAME_reserve(NAME_plan *plan, size_t bytes) */
static struct kfunc *reserve_function(const struct plans *p)
{
	struct kfunc *f = plans_function(p, "%s_reserve", ctype(CT_INT), false);
	const struct kx *memory = plans_member(p, p->plan, p->kept);
	const struct kx *kept = plans_member(p, p->plan, p->bytes);
	const struct kx *bytes = name(p->h, p->bytes);
	struct region *r = p->h->mem;

	f->is_static = true;
	f->comment = "Free memory that is too small for these bounds.";
	kfunc_add_param(r, f, (struct kparam) { .c_type = ctype(CT_SIZE),
		.name = p->bytes });
	host_return_if(p->h, f->body, op(p->h, OP_LE, bytes, kept), 0);
	plans_add(p, f->body, plans_free(p, memory));
	plans_add(p, f->body, ks_assign(r, memory, kx_builtin(r, B_NEW_LARGE,
		1, bytes)));
	plans_add(p, f->body, ks_assign(r, kept, kx_select(r, memory, bytes,
		integer(p->h, 0))));
	plans_add(p, f->body, plans_return(p, kx_select(r, memory, integer(
		p->h, 0), integer(p->h, STATUS_NO_MEMORY))));
	return f;
}

/* NAME_reserve(plan, NAME_memory(params)) */
struct call_of_reserve {
	const struct plans *p;
	const char *plan;
};

static const struct kx *argument_of_reserve(const void *user,
	const char *param)
{
	const struct call_of_reserve *call = user;
	const struct plans *p = call->p;

	return strcmp(param, p->plan) ? kfunc_call(p->h->mem, p->memory, NULL,
		NULL) : name(p->h, call->plan);
}

static const struct kx *call_reserve(const struct plans *p,
	const struct kfunc *reserve, const char *plan)
{
	struct call_of_reserve call = { p, plan };

	return kfunc_call(p->h->mem, reserve, argument_of_reserve, &call);
}

static struct kfunc *create_function(const struct plans *p,
	const struct kfunc *reserve, const struct cpu_choice *choice)
{
	struct kfunc *f = plans_create(p, "A plan for runs with these sizes, "
		"and its memory; on an error there is none.");
	struct region *r = p->h->mem;
	struct ks *fails = ks_block(r);

	plans_make(p, f->body);
	if (choice)
		plans_add(p, f->body, ks_expression(r, KS_EXPRESSION,
			cpu_call_choose(p->h, choice, kx_address(r,
				plans_member(p, p->made, p->sizes)))));
	plans_add(p, fails, plans_free(p, name(p->h, p->made)));
	plans_add(p, fails, plans_return(p, integer(p->h, STATUS_NO_MEMORY)));
	if (reserve)
		plans_add(p, f->body, ks_if(r, call_reserve(p, reserve,
			p->made), fails, NULL));
	plans_add(p, f->body, plans_give(p, name(p->h, p->made)));
	plans_add(p, f->body, plans_return(p, integer(p->h, 0)));
	plans_begin_with_bounds(p, f, MANY_STEPS);
	return f;
}

/* NAME_run() by another name, for when an argument is called as the function is. */
static bool is_hidden(const struct host *h)
{
	for (int i = 0; i < h->prog->n_args; i++)
		if (!strcmp(host_argument(&h->prog->arg[i]).name,
			h->prog->name))
			return true;
	return false;
}

static const char *renamed(const struct host *h, const char *param)
{
	return fresh_name(h->mem, h->prog, "%s_of_plan", param);
}

static const struct kx *renamed_argument(const void *user, const char *param)
{
	const struct host *h = user;

	return name(h, renamed(h, param));
}

static struct kfunc *itself_function(const struct plans *p)
{
	struct kfunc *f = host_function(p->h, "%s_itself", ctype(CT_INT));

	f->is_static = true;
	host_add_arguments(p->h, f);
	for (int i = 0; i < f->n_params; i++)
		f->param[i].name = renamed(p->h, f->param[i].name);
	plans_add(p, f->body, plans_return(p, kfunc_call(p->h->mem, p->entry,
		renamed_argument, p->h)));
	return f;
}

static struct kfunc *run_function(const struct plans *p,
	const struct kfunc *reserve)
{
	struct kfunc *f = plans_function(p, "%s_run", ctype(CT_INT), true);
	const struct kx *status = name(p->h, p->status);

	f->comment = region_printf(p->h->mem, "%s() in the plan's memory; a plan "
		"has one run at a time.", p->h->prog->name);
	plans_declare_sizes(p, f->body);
	if (reserve) {
		host_declare_int(p->h, f->body, p->status, call_reserve(p,
			reserve, p->plan));
		plans_add(p, f->body, ks_simple(p->h->mem, KS_BLANK));
		plans_add(p, f->body, ks_if(p->h->mem, status, plans_return(p,
			status), NULL));
	}
	plans_add(p, f->body, plans_return(p, plans_call(p, NULL)));
	kfunc_mention_unused(p->h->mem, f);
	return f;
}

static struct kfunc *destroy_function(const struct plans *p)
{
	struct kfunc *f = plans_destroy(p, "%s_destroy");

	plans_add(p, f->body, plans_free(p, plans_member(p, p->plan,
		p->kept)));
	plans_add(p, f->body, plans_free(p, name(p->h, p->plan)));
	return f;
}

void cpu_handles(const struct host *h, const struct kfunc *check,
	const struct kfunc *memory, const struct kfunc *entry,
	const struct cpu_choice *choice)
{
	struct plans p = plans_of(h, check, memory, choice ?
		choice->with_sizes : entry);
	const struct kfunc *reserve = NULL;

	if (choice) {
		p.sizes = cpu_sizes_name(h);
		plans_add_member(&p, cpu_sizes_type(), p.sizes);
	}
	plans_add_member(&p, ctype(CT_SIZE), p.bytes);
	p.record->comment = region_printf(h->mem, "What runs of %s_run() share.",
		h->prog->name);
	if (memory)
		reserve = plans_append(&p, reserve_function(&p));
	else if (is_hidden(h))
		p.entry = plans_append(&p, itself_function(&p));
	p.handles->create = plans_append(&p, create_function(&p, reserve,
		choice));
	p.handles->run = plans_append(&p, run_function(&p, reserve));
	p.handles->destroy = plans_append(&p, destroy_function(&p));
}
