/* Plans of ranks: a caller makes one for many runs, see handles.h.
 *
 *	NAME_mpi_create(NAME_mpi_plan **, sizes, comm)	share out the grid, get memory
 *	NAME_mpi_run(NAME_mpi_plan *, bounds, fields)	NAME_mpi() in it
 *	NAME_mpi_destroy(NAME_mpi_plan *)
 *
 * All are collective.  A plan has a communicator of its own and keeps the requests of messages.
 */
#include <string.h>

#include "codegen/host/handles.h"
#include "codegen/host/mpi.h"

/* So many steps share out the grid as any larger number does. */
enum { MANY_STEPS = 1 << 20 };

static void declare_status(const struct mpi *m, struct ks *b,
	const struct kx *x)
{
	ks_add(m->h.mem, b, ks_declare(m->h.mem, ctype(CT_INT), m->h.status,
		x));
	ks_add(m->h.mem, b, ks_simple(m->h.mem, KS_BLANK));
}

/* stencilc_make_plan(&ranks, made ? 0 : no memory) */
static struct ks *get_all(const struct mpi *m, const struct plans *p)
{
	struct ks *b = ks_block(m->h.mem);

	mpi_keep_copies(m, b);
	plans_add(p, b, ks_assign(m->h.mem, name(&m->h, m->h.status), CALL(m,
		"stencilc_make_plan", mpi_ranks(m), kx_select(m->h.mem,
			name(&m->h, p->made), integer(&m->h, 0), integer(&m->h,
				STATUS_NO_MEMORY)))));
	return ks_if(m->h.mem, kx_unary(m->h.mem, OP_NOT, name(&m->h,
		m->h.status)), b, NULL);
}

static const struct kx *ranks_argument(const void *user, const char *param)
{
	const struct mpi *m = user;

	return strcmp(param, m->ranks) ? NULL : mpi_ranks(m);
}

static struct kfunc *create_function(const struct mpi *m,
	const struct plans *p)
{
	struct kfunc *f = plans_function(p, "%s_mpi_create", ctype(CT_INT),
		false);
	struct region *r = m->h.mem;
	const struct kx *status = name(&m->h, m->h.status);
	struct ks *fails = ks_block(r);

	f->comment = "A plan for runs with these sizes on the ranks of a communicator; on "
		"an error there is\nnone on any of them.  Collective.";
	f->param[0].c_type.pointers = 2;
	plans_add_params(p, f, SIZES);
	mpi_add_comm(m, f);
	plans_add(p, f->body, ks_declare(r, p->type, p->made, plans_new(p)));
	plans_add(p, f->body, ks_declare(r, ctype(CT_RANKS), m->ranks, NULL));
	declare_status(m, f->body, kfunc_call(r, m->share, ranks_argument, m));
	plans_add(p, f->body, plans_give(p, kx_builtin(r, W_NULL, 0)));
	plans_add(p, f->body, get_all(m, p));
	plans_add(p, fails, plans_free(p, name(&m->h, p->made)));
	plans_add(p, fails, plans_return(p, status));
	plans_add(p, f->body, ks_if(r, status, fails, NULL));
	plans_assign(p, f->body, p->made, SIZES);
	plans_add(p, f->body, ks_assign(r, plans_member(p, p->made, m->ranks),
		name(&m->h, m->ranks)));
	plans_add(p, f->body, plans_give(p, name(&m->h, p->made)));
	plans_add(p, f->body, plans_return(p, integer(&m->h, 0)));
	plans_begin_with_bounds(p, f, MANY_STEPS);
	return f;
}

static struct kfunc *run_function(const struct mpi *m, const struct plans *p)
{
	struct kfunc *f = plans_function(p, "%s_mpi_run", ctype(CT_INT), true);
	const struct kx *numbers;
	int n;

	f->comment = region_printf(m->h.mem, "%s_mpi() in the plan's memory; a "
		"plan has one run at a time.  Collective.",
		m->h.prog->name);
	plans_declare_sizes(p, f->body);
	numbers = mpi_declare_numbers(m, f->body, &n);
	declare_status(m, f->body, CALL(m, "stencilc_meet_again", mpi_ranks(m),
		host_check_call(&m->h, m->check), integer(&m->h, n), numbers));
	mpi_return_status_if_any(m, f->body);
	mpi_add_steps(m, f->body);
	return f;
}

static struct kfunc *destroy_function(const struct mpi *m,
	const struct plans *p)
{
	struct kfunc *f = plans_destroy(p, "%s_mpi_destroy");

	f->comment = "Collective; before MPI_Finalize().";
	plans_add(p, f->body, mpi_statement(m, CALL(m, "stencilc_end_plan",
		mpi_ranks(m), plans_member(p, p->plan, p->kept))));
	plans_add(p, f->body, plans_free(p, name(&m->h, p->plan)));
	return f;
}

void mpi_add_plans(struct mpi *m)
{
	struct plans p = plans_of(&m->h, m->check, NULL, m->run);
	struct mpi in_plan = *m;

	p.record->name = p.type.name = region_printf(m->h.mem, "%s_mpi_plan",
		m->h.prog->name);
	p.record->purpose = "A plan has the ranks' memory of runs with these sizes, "
		"one after the other.";
	p.record->comment = region_printf(m->h.mem, "What runs of %s_mpi_run() "
		"share.", m->h.prog->name);
	p.kept = m->memory;
	plans_add_member(&p, ctype(CT_RANKS), m->ranks);
	in_plan.plan = p.plan;
	p.handles->create = plans_append(&p, create_function(m, &p));
	p.handles->run = plans_append(&p, run_function(&in_plan, &p));
	p.handles->destroy = plans_append(&p, destroy_function(&in_plan, &p));
}
