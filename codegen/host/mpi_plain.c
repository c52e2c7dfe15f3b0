/* The functions of files with --mpi for one process, which do not use MPI: the whole grid is a
 * block that starts at its first cell.  A block that goes around has halos there even if it is
 * alone: it then runs as ranks do, without a communicator.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/mpi.h"

bool mpi_goes_around(const struct mpi *m)
{
	for (int k = 0; k < m->blocks->n_dims; k++)
		if (m->blocks->dim[k].is_around)
			return true;
	return false;
}

static const struct kx *value(const struct mpi *m, const struct expr *e)
{
	return host_param(&m->h, e, ctype(CT_NONE));
}

/* The arguments of the block's functions beside the program's. */
static void declare_grid(const struct mpi *m, struct ks *b)
{
	const struct program *prog = m->h.prog;

	for (int k = 0; k < m->blocks->n_dims; k++) {
		const struct block_dim *dim = &m->blocks->dim[k];

		host_declare_int(&m->h, b, dim->origin->name, integer(&m->h,
			0));
		host_declare_int(&m->h, b, dim->extent->name, value(m,
			dim->size));
		if (!dim->own)
			continue;
		host_declare_int(&m->h, b, dim->own->name, integer(&m->h, 0));
		host_declare_int(&m->h, b, dim->own_end->name, kx_add(m->h.mem,
			value(m, dim->size), dim->more_cells));
	}
	if (!prog->timed)
		return;
	host_declare_int(&m->h, b, m->blocks->first->name, value(m,
		prog->begin));
	host_declare_int(&m->h, b, m->blocks->end->name, value(m, prog->end));
}

static void return_call(const struct mpi *m, struct ks *b,
	const struct kfunc *f)
{
	ks_add(m->h.mem, b, ks_expression(m->h.mem, KS_RETURN, kfunc_call(
		m->h.mem, f, NULL, NULL)));
}

/* Return what is wrong in the program's terms; then compute the block. */
void mpi_return_block(const struct mpi *m, struct kfunc *f,
	const struct kfunc *block)
{
	const struct kx *status = name(&m->h, m->h.status);

	ks_add(m->h.mem, f->body, ks_declare(m->h.mem, ctype(CT_INT),
		status->name, kfunc_call(m->h.mem, m->check, NULL, NULL)));
	ks_add(m->h.mem, f->body, ks_simple(m->h.mem, KS_BLANK));
	mpi_check_places(m, f->body);
	ks_add(m->h.mem, f->body, ks_if(m->h.mem, status, ks_expression(
		m->h.mem, KS_RETURN, status), NULL));
	declare_grid(m, f->body);
	return_call(m, f->body, block);
	kfunc_mention_unused(m->h.mem, f);
}

static struct kfunc *memory_function(const struct mpi *m)
{
	struct kfunc *f = host_function(&m->h, "%s_memory", ctype(CT_SIZE));

	f->comment = region_printf(m->h.mem, "The bytes that %s_with_memory() "
		"needs; 0 if it needs none.", m->h.prog->name);
	f->is_exported = true;
	host_add_params(&m->h, f);
	declare_grid(m, f->body);
	return_call(m, f->body, m->block_memory);
	kfunc_mention_unused(m->h.mem, f);
	return f;
}

static struct kfunc *with_memory_function(const struct mpi *m)
{
	struct kfunc *f = host_function(&m->h, "%s_with_memory", ctype(CT_INT));

	f->comment = region_printf(m->h.mem, "%s() with memory that the caller lends: "
		"its contents do not matter before\nor after.  It works best "
		"if it starts with a line of the cache.", m->h.prog->name);
	f->is_exported = true;
	host_add_arguments(&m->h, f);
	kfunc_add_param(m->h.mem, f, (struct kparam) {
		.c_type = ctype_pointer(CT_VOID, false),
		.name = cpu_memory_name(&m->h) });
	mpi_return_block(m, f, m->block);
	return f;
}

static const struct kx *no_comm(const void *user, const char *param)
{
	const struct mpi *m = user;

	return strcmp(param, m->comm) ? NULL : name(&m->h, "MPI_COMM_NULL");
}

static struct kfunc *alone_function(const struct mpi *m)
{
	struct kfunc *f = host_function(&m->h, "%s", ctype(CT_INT));

	f->comment = "For one process, which need not have started MPI.";
	f->is_exported = true;
	host_add_arguments(&m->h, f);
	if (mpi_goes_around(m))
		ks_add(m->h.mem, f->body, ks_expression(m->h.mem, KS_RETURN,
			kfunc_call(m->h.mem, m->run, no_comm, m)));
	else
		mpi_return_block(m, f, m->block);
	return f;
}

struct kfunc **mpi_plain(struct mpi *m)
{
	struct kfunc **f = region_array(m->h.mem, struct kfunc *, 4);
	int n = 0;

	if (mpi_goes_around(m) || !m->block_memory) {
		f[n] = alone_function(m);
		return f;
	}
	f[n++] = memory_function(m);
	f[n++] = with_memory_function(m);
	f[n] = cpu_entry(&m->h, m->check, m->block, f[0], f[1],
		NULL);
	f[n]->comment = "For one process, which need not have started MPI.";
	return f;
}
