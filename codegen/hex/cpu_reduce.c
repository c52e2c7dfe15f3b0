/* What is reduced in hexagonal tiles: of each box of the last statement of a step where it
 * is due, and of all values when the steps of all tiles that have some are done.
 */
#include <string.h>

#include "codegen/hex/hex.h"
#include "codegen/host/reductions.h"

static const char *slot_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "slot");
}

struct kfunc *cpu_hex_reduction(const struct cpu_hex *x, int i)
{
	const struct host *h = x->h;
	const struct cpu_reduced_box box = { x->low, x->high, slot_name(h) };
	struct kfunc *f = cpu_function(h, region_printf(h->mem, "reduce%d", i));
	struct reduced r = reduced_of(h, i);

	f->comment = cpu_keeps_lanes(h, i) ? reduced_comment(&r) :
		region_printf(h->mem, "%s, in a box: its points in any order.",
			reduced_subject(&r));
	f->is_apart = true;
	ks_add(h->mem, f->body, cpu_reduction_of_box(h, i, &box));
	kfunc_add_int(h->mem, f, h->names->time);
	kfunc_add_int(h->mem, f, box.slot);
	for (int d = 0; d < x->n_dims; d++) {
		kfunc_add_int(h->mem, f, x->low[d]);
		kfunc_add_int(h->mem, f, x->high[d]);
	}
	cpu_hex_add_arrays(x, f);
	cpu_add_tile_values(h, f, i);
	kfunc_drop_unused(f);
	return f;
}

void cpu_hex_add_values(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_reductions; i++)
		if (reduced_in_tiles(h, i))
			cpu_add_tile_values(h, f, i);
}

/* The number of steps up to the one at hand. */
static const struct kx *steps_done(const struct cpu_hex *x)
{
	return kx_add(x->h->mem, name(x->h, x->names->time), 1);
}

const struct kx *cpu_hex_argument_of_reduction(const struct cpu_hex *x, int i,
	const char *param)
{
	const struct host *h = x->h;

	if (!strcmp(param, slot_name(h)))
		return op(h, OP_MOD, op(h, OP_DIV, steps_done(x), integer(h,
			h->prog->reduction[i]->every)), integer(h,
				cpu_slots(h, i)));
	if (!strcmp(param, x->names->time))
		return op(h, OP_ADD, segment_first(h), name(h, param));
	return NULL;
}

const struct kx *cpu_hex_reduction_due(const struct cpu_hex *x, int i)
{
	const struct host *h = x->h;
	int64_t every = h->prog->reduction[i]->every;

	return every == 1 ? NULL : op(h, OP_EQ, op(h, OP_MOD, steps_done(x),
		integer(h, every)), integer(h, 0));
}

/* The argument "slot" of a call for the value number "due". */
struct call_of_values {
	const struct host *h;
	int i;
	const char *due;
};

static const struct kx *argument_of_values(const void *user, const char *param)
{
	const struct call_of_values *call = user;
	const struct host *h = call->h;

	return strcmp(param, slot_name(h)) ? NULL : op(h, OP_MOD, name(h,
		call->due), integer(h, cpu_slots(h, call->i)));
}

/* Steps that are done when the band "tt", or the one "before" it, is. */
static const struct kx *steps_of_bands(const struct cpu_hex *x, bool before)
{
	const struct host *h = x->h;
	const struct kx *start = op(h, OP_MUL, name(h, x->names->tt), integer(h,
		x->plan->time_pitch));
	int64_t ends = x->plan->time_pitch - x->plan->time_shift[0];

	return before ? kx_max(h->mem, kx_add(h->mem, start,
		-(int64_t) x->plan->time_shift[0]), integer(h, 0)) :
		kx_min(h->mem, kx_add(h->mem, start, ends), name(h,
			x->names->steps));
}

/* for (due: those of the band) e[due - 1] = NAME_run_reducedN(..) */
static struct ks *values_of_band(const struct cpu_hex *x, int i,
	const struct kfunc *reduced)
{
	const struct host *h = x->h;
	const struct reduction *r = h->prog->reduction[i];
	struct call_of_values call = { h, i, fresh_name(h->mem, h->prog,
		"due") };
	const struct kx *due = name(h, call.due);

	return ks_for(h->mem, call.due, kx_add(h->mem, op(h, OP_DIV,
		steps_of_bands(x, true), integer(h, r->every)), 1), op(h,
		OP_LE, due, op(h, OP_DIV, steps_of_bands(x, false), integer(h,
			r->every))), integer(h, 1), cpu_set_result(h, r,
		kx_add(h->mem, due, -1), kfunc_call(h->mem, reduced,
			argument_of_values, &call)));
}

struct ks *cpu_hex_values(struct cpu_hex *x)
{
	const struct host *h = x->h;
	struct ks *block = ks_block(h->mem), *all = ks_scope(h->mem);

	all->braces = true;
	for (int i = 0; i < h->prog->n_reductions; i++) {
		struct kfunc *reduced;

		if (!reduced_in_tiles(h, i))
			continue;
		reduced = cpu_tile_reduction(h, i, slot_name(h));
		cpu_hex_append(x, reduced);
		ks_add(h->mem, all, values_of_band(x, i, reduced));
	}
	ks_add(h->mem, block, ks_directive(h->mem, (struct directive) {
		.kind = OMP_SINGLE }));
	ks_add(h->mem, block, all);
	return block;
}
