/* The functions of files with --mpi for a GPU: each rank's block lies in its GPU's memory;
 * callers' cells lie there, too, or on the host.
 */
#include <string.h>

#include "codegen/host/mpi.h"

static void add_stream(const struct mpi *m, struct kfunc *f)
{
	kfunc_add_param(m->h.mem, f, (struct kparam) {
		.c_type = ctype(CT_STREAM), .name = m->h.stream });
}

void mpi_add_device_params(const struct mpi *m, struct kfunc *f)
{
	kfunc_add_param(m->h.mem, f, (struct kparam) {
		.c_type = ctype(CT_BOOL), .name = m->h.on_device });
	add_stream(m, f);
}

/* Places of points -------------------------------------------------------- */

/* stencilc_brought(&ranks, place, field), for a field */
static const struct kx *brought(const void *user, const char *param)
{
	const struct mpi *m = user;

	for (int i = 0; i < m->h.prog->n_fields; i++) {
		const struct field *f = m->h.prog->field[i];

		if (!strcmp(param, f->name))
			return CALL(m, "stencilc_brought", mpi_ranks(m), integer(
				&m->h, mpi_place_of(m, f)), name(&m->h, param));
	}
	return NULL;
}

/* if (!status) status = value; */
static void try(const struct mpi *m, struct ks *b, const struct kx *value)
{
	const struct kx *status = name(&m->h, m->h.status);

	ks_add(m->h.mem, b, ks_if(m->h.mem, kx_unary(m->h.mem, OP_NOT, status),
		ks_assign(m->h.mem, status, value), NULL));
}

/* The host looks at what it gets of the GPU's fields. */
void mpi_check_places_of_gpu(const struct mpi *m, struct ks *b)
{
	const struct program *p = m->h.prog;

	for (int i = 0; i < p->n_fields; i++) {
		bool is_read = false;

		for (int l = 0; l < p->n_lists; l++)
			for (int k = 0; k < m->places[l]->n_params; k++)
				is_read |= !strcmp(m->places[l]->param[k].name,
					p->field[i]->name);
		if (is_read)
			try(m, b, CALL(m, "stencilc_bring", mpi_ranks(m),
				integer(&m->h, mpi_place_of(m, p->field[i])),
				name(&m->h, m->h.on_device), name(&m->h,
					m->h.stream)));
	}
	for (int l = 0; l < p->n_lists; l++)
		try(m, b, kfunc_call(m->h.mem, m->places[l], brought, m));
	if (p->n_lists)
		ks_add(m->h.mem, b, mpi_statement(m, CALL(m, "stencilc_drop",
			mpi_ranks(m))));
}

/* Call the function that serves all callers. */
struct caller {
	const struct mpi *m;
	bool on_device, is_alone;
};

static const struct kx *argument_of_run(const void *user, const char *param)
{
	const struct caller *c = user;
	const struct mpi *m = c->m;

	if (!strcmp(param, m->h.on_device))
		return name(&m->h, c->on_device ? "true" : "false");
	if (!c->on_device && !strcmp(param, m->h.stream))
		return integer(&m->h, 0);
	return c->is_alone && !strcmp(param, m->comm) ?
		name(&m->h, "MPI_COMM_NULL") : NULL;
}

static void return_run(const struct mpi *m, struct kfunc *f, bool on_device,
	bool is_alone)
{
	struct caller c = { m, on_device, is_alone };

	ks_add(m->h.mem, f->body, ks_expression(m->h.mem, KS_RETURN, kfunc_call(
		m->h.mem, m->run, argument_of_run, &c)));
}

/* int NAME_mpi(params, fields, comm), or NAME_mpi_device(.., stream) */
static struct kfunc *entry(const struct mpi *m, bool on_device)
{
	struct kfunc *f = host_function(&m->h, on_device ? "%s_mpi_device" :
		"%s_mpi", ctype(CT_INT));

	f->comment = on_device ? region_printf(m->h.mem, "%s_mpi() of device "
		"memory, behind what the stream has to do.  It waits for "
		"all.", m->h.prog->name) :
		region_printf(m->h.mem, "All steps on all ranks: each passes its "
		"own cells, those of %s_mpi_box(), row after row,\nin host "
		"memory.  Collective; the result is the same on all ranks, and "
		"on an error the\nfields hold what they held.", m->h.prog->name);
	f->is_exported = true;
	host_add_arguments(&m->h, f);
	mpi_add_comm(m, f);
	if (on_device)
		add_stream(m, f);
	return_run(m, f, on_device, false);
	return f;
}

/* int NAME(params, fields), or NAME_device(.., stream) */
static struct kfunc *alone(const struct mpi *m, bool on_device)
{
	struct kfunc *f = host_function(&m->h, on_device ? "%s_device" : "%s",
		ctype(CT_INT));

	f->comment = on_device ? "Of one process, on device memory." :
		"Of one process, which need not have started MPI, on host "
		"memory.";
	f->is_exported = true;
	host_add_arguments(&m->h, f);
	if (on_device)
		add_stream(m, f);
	if (mpi_goes_around(m) || mpi_reduces(m) || (on_device &&
	    m->h.prog->n_lists))
		return_run(m, f, on_device, true);
	else
		mpi_return_block(m, f, on_device ? m->of_device : m->of_host);
	return f;
}

struct kfunc **mpi_of_gpu(const struct mpi *m)
{
	struct kfunc **f = region_array(m->h.mem, struct kfunc *, 5);
	int n = 0;

	for (int on_device = 0; on_device < 2; on_device++) {
		f[n++] = entry(m, on_device);
		f[n++] = alone(m, on_device);
	}
	return f;
}
