/* Trees that the functions of files with --mpi are made of. */
#include "codegen/host/mpi_reduce.h"

const struct kx *mpi_call(const struct mpi *m, const char *function, int n,
	const struct kx *const *arg)
{
	return kx_of_kind(m->h.mem, KX_CALL, function, n, arg);
}

const struct kx *mpi_ranks(const struct mpi *m)
{
	return kx_address(m->h.mem, m->plan ? kx_member(m->h.mem, name(&m->h,
		m->plan), m->ranks) : name(&m->h, m->ranks));
}

struct ks *mpi_statement(const struct mpi *m, const struct kx *x)
{
	return ks_expression(m->h.mem, KS_EXPRESSION, x);
}

void mpi_cell_in_block(const struct mpi *m, const struct binding *b,
	const struct access *acc, const struct kx **cell)
{
	const struct field *f = acc->field;

	cpu_bound_cell(b, acc, cell);
	for (int d = 0; d < f->n_dims; d++) {
		int k = m->blocks->field[f->index].cut[d];

		if (k >= 0)
			cell[d] = op(&m->h, OP_SUB, cell[d], name(&m->h,
				m->blocks->dim[k].origin->name));
	}
}
