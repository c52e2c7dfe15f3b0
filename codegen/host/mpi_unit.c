/* The file of all ranks: the functions of a block, and those around them. */
#include "codegen/host/mpi.h"

void codegen_add_mpi(struct kunit *unit, const struct scop *whole,
	const struct blocks *blocks, struct exchange_steps steps, unsigned with)
{
	struct region *r = unit->mem;
	const struct program *prog = blocks->whole;
	struct mpi m = {
		.h = { .mem = r, .unit = unit, .prog = prog, .scop = whole,
			.names = kernel_names_new(r, prog),
			.status = fresh_name(r, prog, "status"),
			.error = fresh_name(r, prog, "error"),
			.stream = fresh_name(r, prog, "stream"),
			.on_device = fresh_name(r, prog, "on_device") },
		.blocks = blocks, .steps = steps,
		.ranks = fresh_name(r, prog, "ranks"),
		.comm = fresh_name(r, prog, "comm"),
		.memory = fresh_name(r, prog, "memory"),
	};

	mpi_adopt_block(&m);
	if (steps.overlap && steps.turns > 0 && codegen_overlaps(blocks) >= steps.turns)
		m.zone = fresh_name(r, prog, "zone");
	unit->prog = prog;
	unit->scop = whole;
	unit->blocks = blocks;
	mpi_add_functions(&m);
	for (struct kfunc *const *f = mpi_is_on_gpu(&m) ? mpi_of_gpu(&m) :
	     mpi_plain(&m); *f; f++)
		unit_append(unit, *f);
	if (with & WITH_HANDLES)
		mpi_add_plans(&m);
	if (with & WITH_HARNESS)
		append_harness(unit, host_some_size(&m.h, OP_EQ, 0));
}
