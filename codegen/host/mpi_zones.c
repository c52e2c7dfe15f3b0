/* Zones of ranks: what needs no halos is computed while these travel, see runtime/mpi-zones.inc.
 *
 *	stencilc_exchange(&ranks, STENCILC_RESULT);
 *	for (int zone = 0; stencilc_enter_zone(&ranks, zone); ++zone) ..
 *	stencilc_leave_zones(&ranks);
 *
 * GPUs compute zones at the same time, each in a stream and memory of its own.  In C one follows the
 * other, and has the same memory.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/mpi.h"

/* Does "f" have as many cells along dimension k as the grid? */
static bool is_as_long(const struct blocks *b, const struct field *f, int k)
{
	for (int d = 0; d < f->n_dims; d++)
		if (b->field[f->index].cut[d] == k && !expr_same_size(
		    f->size[d], b->dim[k].size))
			return false;
	return true;
}

static bool all_are_as_long(const struct blocks *b, int k)
{
	const struct program *p = b->whole;
	bool all = true;

	for (int i = 0; i < p->n_fields; i++)
		all = all && (!field_is_argument(p->field[i]) || is_as_long(b,
			p->field[i], k));
	return all;
}

/* Do reductions read own cells alone along dimension k?  Zones give no others back. */
static bool reductions_stay(const struct blocks *b, int k)
{
	for (int i = 0; i < b->whole->n_reductions; i++) {
		const struct stmt *point = b->whole->reduction[i]->point;

		for (int j = 0; j < point->n_reads; j++)
			for (int d = 0; d < point->read[j]->field->n_dims; d++) {
				const struct access *a = point->read[j];

				if (b->field[a->field->index].cut[d] == k &&
				    (a->dim[d] != k || a->offset[d] != 0))
					return false;
			}
	}
	return true;
}

int codegen_overlaps(const struct blocks *b)
{
	int turns = 0, k = 0;

	/* dimension 0, then the last one, and on to dimension 1 */
	while (b->whole->timed && turns < b->n_dims && all_are_as_long(b, k) &&
	       reductions_stay(b, k))
		k = b->n_dims - ++turns;
	return turns;
}

int mpi_reach(const struct mpi *m, int k, const int *reach, int side)
{
	bool alike = m->zone && blocks_is_late(k, m->blocks->n_dims, m->steps.turns);

	return !alike ? reach[side] : reach[SIDE_LOW] > reach[SIDE_HIGH] ?
		reach[SIDE_LOW] : reach[SIDE_HIGH];
}

int mpi_order(const struct mpi *m, int turn)
{
	return m->zone ? (turn + 1) % m->blocks->n_dims : turn;
}

int mpi_carried(const struct mpi *m, int turn)
{
	int carried = 0;

	for (int i = 0; i < turn; i++)
		carried |= 1 << mpi_order(m, i);
	return carried;
}

struct ks *mpi_each_zone(const struct mpi *m, const char *next, struct ks *body)
{
	const struct kx *zone = name(&m->h, m->zone);

	return ks_for(m->h.mem, m->zone, integer(&m->h, 0), CALL(m, next,
		mpi_ranks(m), zone), integer(&m->h, 1), body);
}

const struct kx *mpi_argument_of_zone(const struct mpi *m, const char *param)
{
	if (!m->zone || !mpi_is_on_gpu(m))
		return NULL;
	if (!strcmp(param, m->h.stream))
		return CALL(m, "stencilc_stream", mpi_ranks(m), name(&m->h,
			param));
	return !strcmp(param, m->memory) ? CALL(m, "stencilc_memory", mpi_ranks(
		m), name(&m->h, param)) : NULL;
}

struct ks *mpi_lend_to_zone(const struct mpi *m, const char *bytes, const struct kx *more)
{
	const struct kx *all = name(&m->h, bytes);

	return ks_assign(m->h.mem, all, mpi_is_on_gpu(m) ? CALL(m,
		"stencilc_lend", mpi_ranks(m), all, more) : CALL(m,
		"stencilc_larger", all, more));
}
