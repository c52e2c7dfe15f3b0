/* The functions of the block, among those of a file with --mpi, and the times that they get. */
#include "codegen/host/cpu.h"
#include "codegen/host/mpi.h"
#include "ir/reduction.h"

bool mpi_goes_around(const struct mpi *m)
{
	for (int k = 0; k < m->blocks->n_dims; k++)
		if (m->blocks->dim[k].is_around)
			return true;
	return false;
}

static struct kfunc *function_of_block(const struct mpi *m, const char *suffix)
{
	return unit_function(m->h.unit, region_printf(m->h.mem, "%s%s",
		m->blocks->block->name, suffix));
}

/* Nothing calls "f", which may be NULL. */
static void drop(struct kunit *unit, const struct kfunc *f)
{
	struct kfunc **at = &unit->first;

	if (!f)
		return;
	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	for (unit->last = &unit->first; *unit->last;)
		unit->last = &(*unit->last)->next;
}

/* One process computes a grid that goes around, and reduces, as ranks do. */
static void adopt_functions_of_gpu(struct mpi *m)
{
	bool as_ranks = mpi_goes_around(m) || mpi_reduces(m);

	m->of_host = function_of_block(m, "");
	m->of_device = function_of_block(m, "_device");
	m->block = function_of_block(m, "_device_with_memory");
	if (as_ranks)
		drop(m->h.unit, m->of_host);
	if (!m->block)
		m->block = m->of_device;
	else if (as_ranks || m->h.prog->n_lists > 0)
		drop(m->h.unit, m->of_device);
	if (as_ranks)
		drop(m->h.unit, function_of_block(m, "_own_memory"));
}

void mpi_adopt_block(struct mpi *m)
{
	struct kunit *unit = m->h.unit;

	for (struct kfunc *f = unit->first; f; f = f->next) {
		f->is_static = true;
		f->is_exported = false;
	}
	m->block_check = function_of_block(m, "_check");
	m->block_memory = function_of_block(m, "_memory");
	if (function_of_block(m, "_device")) {
		adopt_functions_of_gpu(m);
		return;
	}
	m->block = function_of_block(m, "_with_memory");
	if (m->block)
		drop(unit, function_of_block(m, ""));
	else
		m->block = function_of_block(m, "");
}

/* Times -------------------------------------------------------------------- */

static const struct kx *value(const struct mpi *m, const struct expr *e)
{
	return host_param(&m->h, e, ctype(CT_NONE));
}

const struct kx *mpi_first_of_all(const struct mpi *m)
{
	const struct program *p = m->h.prog;

	return value(m, p->waves ? p->begin : program_begin(p));
}

void mpi_declare_times(const struct mpi *m, struct ks *b,
	const struct kx *first, const struct kx *end)
{
	host_declare_int(&m->h, b, m->blocks->first->name, first);
	host_declare_int(&m->h, b, m->blocks->end->name, end);
}

void mpi_declare_all_times(const struct mpi *m, struct ks *b)
{
	const struct program *p = m->h.prog;

	if (p->waves)
		cpu_declare_segment(&m->h, b);
	mpi_declare_times(m, b, mpi_first_of_all(m), value(m, p->waves ? p->end :
		program_end(p)));
}
