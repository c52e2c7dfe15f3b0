/* The loops that launch the kernels: phase after phase, or waves that hold
 * chunks of several phases.
 */
#include <string.h>

#include "codegen/forms.h"
#include "codegen/host/lists.h"

/* Whole clusters of blocks, at least one, even where that is more blocks than are asked for. */
static const struct kx *blocks_of_dim(const struct host *h,
	const struct plan *plan, int dim, int axis)
{
	const int cluster = plan_cluster(plan, dim);
	const struct kx *most = kx_builtin(h->mem,
		axis == 0 ? W_MAX_GRID_X : W_MAX_GRID_YZ, 0);
	const struct kx *count = kx_add(h->mem, op(h, OP_SUB,
		name(h, h->names->last[dim]), name(h, h->names->first[dim])),
		1);

	if (cluster > 1)
		most = kx_max(h->mem, op(h, OP_DIV, most, integer(h, cluster)),
			integer(h, 1));
	return op(h, OP_MUL, kx_min(h->mem, count, most), integer(h, cluster));
}

static const struct kx *grid_of_plan(const struct host *h,
	const struct plan *plan)
{
	const struct kx *extent[3] = {
		integer(h, 1), integer(h, 1), integer(h, 1)
	};
	int n = 0;

	for (int d = 0; d < plan->n_dims; d++)
		if (plan->role[d] == ROLE_BLOCKS) {
			int axis = plan_block_axis(plan, d,
				h->unit->form->outermost_first);

			extent[axis] = blocks_of_dim(h, plan, d, axis);
			n++;
		}
	return kx_extents(h->mem, n, extent);
}

static const struct kx *threads_of_plan(const struct host *h,
	const struct plan *plan)
{
	const struct kx *extent[3];
	int n = plan->n_dims < 3 ? plan->n_dims : 3;

	while (n < 3 && plan->threads[n] > 1)
		n++;

	for (int i = 0; i < n; i++)
		extent[i] = threads_along(h->mem, plan, h->names, i);
	return kx_extents(h->mem, n, extent);
}

/* The variable passed for kernel parameter "param"; a launch of a single pass
 * of a resident kernel passes the same first and last one.
 */
static const char *argument_of(const struct host *h, const struct plan *plan,
	const char *param)
{
	return plan->resident && (!strcmp(param, h->names->tt_first) ||
		!strcmp(param, h->names->tt_last)) ? h->names->tt : param;
}

struct ks *host_launch(const struct host *h, const struct plan *plan,
	int phase, const struct kfunc *kernel)
{
	struct ks *s = ks_simple(h->mem, KS_LAUNCH);

	s->name = kernel->name;
	s->n_x = 3 + kernel->n_params;
	s->x = region_array(h->mem, const struct kx *, s->n_x);
	s->x[0] = grid_of_plan(h, plan);
	s->x[1] = threads_of_plan(h, plan);
	s->x[2] = integer(h, kernel->dynamic_bytes);
	for (int i = 0; i < kernel->n_params; i++) {
		const char *param = kernel->param[i].name;
		struct kx *arg = !strcmp(param, h->names->phase) ?
			kx_int(h->mem, phase) : kx_name(h->mem,
			argument_of(h, plan, param));

		arg->field = kernel->param[i].cells;
		s->x[3 + i] = arg;
	}
	return s;
}

/* T*time_pitch - time_shift < steps: has phase "p" of T a tile to run? */
static const struct kx *phase_runs(const struct host *h,
	const struct plan *plan, int p)
{
	const struct kx *t0 = op(h, OP_MUL, name(h, h->names->tt),
		integer(h, plan->time_pitch));

	return op(h, OP_LT, t0, kx_add(h->mem, name(h, h->names->steps),
		plan->time_shift[p]));
}

static int greatest_time_shift(const struct host *h)
{
	int greatest = 0;

	for (int i = 0; i < h->n_plans; i++)
		for (int p = 0; p < h->plan[i].n_phases; p++)
			if (h->plan[i].time_shift[p] > greatest)
				greatest = h->plan[i].time_shift[p];
	return greatest;
}

/* More than 48 KB of shared memory must be requested. */
static void allow_shared_memory(const struct host *h, struct ks *block,
	struct kfunc *const *kernel)
{
	for (int i = 0; i < h->n_plans; i++)
		if (kernel[i]->dynamic_bytes > 0)
			ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem,
				RT_SET_ATTRIBUTE, 3,
				name(h, kernel[i]->name), kx_builtin(h->mem,
				W_DYNAMIC_BYTES, 0),
				integer(h, kernel[i]->dynamic_bytes))));
}

/* The first and last tiles of phase "p" of a T, in "scope"; returns the
 * condition that there are any, or NULL.  Tiles on a diagonal have the times 0
 * .. TT_last.
 */
static const struct kx *declare_tiles(const struct host *h,
	const struct plan *plan, int p, struct ks *scope)
{
	const struct kx *runs = NULL;

	for (int d = 0; d < plan->n_dims; d++) {
		const struct kx *first, *last;

		if (plan->role[d] != ROLE_BLOCKS)
			continue;
		first = tile_to_launch(h->mem, plan, h->names,
			integer(h, p), d, false);
		last = tile_to_launch(h->mem, plan, h->names,
			integer(h, p), d, true);
		if (plan_is_diagonal_in(plan, d)) {
			const struct kx *tt = name(h, h->names->tt);

			first = kx_max(h->mem, first, op(h,
				OP_SUB, tt, name(h, h->names->tt_last)));
			last = kx_min(h->mem, last, tt);
		}
		ks_add(h->mem, scope, ks_declare(h->mem, ctype_const(CT_INT),
			h->names->first[d], first));
		ks_add(h->mem, scope, ks_declare(h->mem, ctype_const(CT_INT),
			h->names->last[d], last));
		runs = kx_and(h->mem, runs, op(h, OP_LE,
			name(h, h->names->first[d]),
			name(h, h->names->last[d])));
	}
	return runs;
}

static struct ks *run_where(const struct host *h, const struct kx *condition,
	struct ks *s)
{
	return condition ? ks_if(h->mem, condition, s, NULL) : s;
}

static struct ks *launch_checked(const struct host *h,
	const struct plan *plan, int p, const struct kfunc *kernel)
{
	struct ks *block = ks_block(h->mem);

	ks_add(h->mem, block, host_launch(h, plan, p, kernel));
	ks_add(h->mem, block, host_checked(h,
		kx_builtin(h->mem, RT_LAST_ERROR, 0)));
	return block;
}

static struct ks *launch_phase(const struct host *h, const struct plan *plan,
	int p, const struct kfunc *kernel)
{
	struct ks *scope = ks_scope(h->mem);
	const struct kx *runs = declare_tiles(h, plan, p, scope);

	ks_add(h->mem, scope, run_where(h, runs, launch_checked(h, plan, p,
		kernel)));
	if (plan->time_shift[p] == greatest_time_shift(h))
		return scope;
	return ks_if(h->mem, phase_runs(h, plan, p), scope, NULL);
}

/* for (TT = 0; TT * time_pitch < steps + time_shift; ++TT) body */
static struct ks *for_each_tt(const struct host *h, struct ks *body)
{
	const struct kx *t0 = op(h, OP_MUL, name(h, h->names->tt),
		integer(h, h->plan->time_pitch));
	const struct kx *end = kx_add(h->mem, name(h, h->names->steps),
		greatest_time_shift(h));

	return ks_for(h->mem, h->names->tt, integer(h, 0), op(h, OP_LT, t0,
		end), integer(h, 1), body);
}

const struct kx *host_wavefronts(const struct host *h, const struct kx *last)
{
	const struct plan *plan = h->plan;
	int e = plan->tiles.hex_dim;
	const struct kx *point = kx_add(h->mem, edge_of_plan(h->mem, plan, e,
		true), plan->shift[e][0]);

	if (plan->drift[e] != 0)
		point = op(h, OP_ADD, point, op(h, OP_MUL, last,
			integer(h, plan->drift[e])));
	return kx_add(h->mem, op(h, OP_ADD, last, op(h, OP_DIV, point,
		integer(h, plan->pitch[e] - plan->drift[e]))), 1);
}

/* Wavefront after wavefront, a launch for each. */
static struct ks *diagonal_loop(const struct host *h,
	const struct kfunc *kernel)
{
	const struct plan *plan = h->plan;
	const struct kernel_names *n = h->names;
	struct ks *block = ks_scope(h->mem);

	ks_add(h->mem, block, ks_comment(h->mem, "A wavefront: each tile "
		"begins earlier than the one before it."));
	host_declare_int(h, block, n->tt_last, op(h, OP_DIV, kx_add(h->mem,
		name(h, n->steps), -1), integer(h, plan->time_pitch)));
	host_declare_int(h, block, n->waves.number, host_wavefronts(h,
		name(h, n->tt_last)));
	ks_add(h->mem, block, ks_for(h->mem, n->tt, integer(h, 0),
		op(h, OP_LT, name(h, n->tt), name(h, n->waves.number)),
		integer(h, 1), launch_phase(h, plan, 0, kernel)));
	return block;
}

/* Launch the "n" plans from the i-th on, one after the other. */
static struct ks *launch_plans(const struct host *h,
	struct kfunc *const *kernel, int i, int n)
{
	struct ks *block = ks_block(h->mem);

	for (int end = i + n; i < end; i++)
		for (int p = 0; p < h->plan[i].n_phases; p++)
			ks_add(h->mem, block, launch_phase(h, &h->plan[i], p,
				kernel[i]));
	return block;
}

/* All launches, in a loop over time if there is one. */
static struct ks *time_loop(const struct host *h,
	struct kfunc *const *kernel)
{
	struct ks *body = ks_block(h->mem);

	for (int i = 0, n; i < h->n_plans; i += n) {
		struct ks *launches, *to = body;

		n = plans_of_slab(&h->plan[i], h->n_plans - i);
		launches = launch_plans(h, kernel, i, n);
		if (n > 1) {
			to = ks_scope(h->mem);
			launches = slab_loop(h, &h->plan[i], n, launches);
			ks_add(h->mem, body, to);
		}
		ks_add(h->mem, to, launches);
	}
	return h->prog->timed ? for_each_tt(h, body) : body;
}

/* One launch for all T, or one for each. */
static struct ks *one_launch(const struct host *h,
	const struct kfunc *kernel)
{
	struct ks *scope = ks_scope(h->mem);
	const struct kx *runs = declare_tiles(h, h->plan, 0, scope);

	ks_add(h->mem, scope, run_where(h, runs, host_resident(h, kernel,
		for_each_tt(h, launch_checked(h, h->plan, 0, kernel)))));
	return scope;
}

/* Waves ----------------------------------------------------------------- */

static const struct kx *at_least(const struct host *h, int64_t least,
	const struct kx *x)
{
	return kx_max(h->mem, integer(h, least), x);
}

/* ceil(a / b) for positive a and b */
static const struct kx *ceil_of(const struct host *h, const struct kx *a,
	const struct kx *b)
{
	return op(h, OP_DIV, kx_add(h->mem, op(h, OP_ADD, a, b), -1), b);
}

/* How many tiles make a chunk: there should be at least so many chunks as are
 * wanted, or nearly so many where each chunk costs the values that its first
 * tile does not find.
 */
static const struct kx *tiles_of_chunk(const struct host *h,
	const struct kx *tiles)
{
	const struct kx *wanted = name(h, h->names->waves.chunks_wanted);

	if (plan_reuses_chunks(h->plan))
		tiles = op(h, OP_ADD, tiles, op(h, OP_DIV, wanted,
			integer(h, 2)));
	return at_least(h, h->plan->tiles.waves.least_chunk,
		op(h, OP_DIV, tiles, wanted));
}

/* How many phases, hexagons of a phase, and chunks of how many tiles: a launch,
 * which holds every other chunk, must have enough blocks.
 */
static void declare_chunks(const struct host *h, struct ks *block)
{
	const struct kernel_names *n = h->names;
	const struct plan *plan = h->plan;
	const struct kx *phase = integer(h, 0);
	const struct kx *tiles = kx_add(h->mem, op(h, OP_SUB,
		tile_of_edge(h->mem, plan, n, phase, plan->tiles.waves.dim,
		true),
		tile_of_edge(h->mem, plan, n, phase, plan->tiles.waves.dim,
		false)),
		1);
	const struct kx *extent = op(h, OP_SUB,
		edge_of_plan(h->mem, plan, plan->tiles.hex_dim, true),
		edge_of_plan(h->mem, plan, plan->tiles.hex_dim, false));

	host_declare_int(h, block, n->waves.phis, kx_add(h->mem, op(h, OP_DIV,
		kx_add(h->mem, name(h, n->steps), -1),
		integer(h, plan->time_shift[0])), 2));
	host_declare_int(h, block, n->waves.hexagons, at_least(h, 1,
		kx_add(h->mem, op(h, OP_DIV, extent, integer(h,
			plan->pitch[plan->tiles.hex_dim])), 2)));
	host_declare_int(h, block, n->waves.chunks_wanted, ceil_of(h, op(h,
		OP_MUL, integer(h, 2), kx_builtin(h->mem, W_ENOUGH_BLOCKS, 0)),
		name(h, n->waves.hexagons)));
	host_declare_int(h, block, n->waves.chunk_tiles, tiles_of_chunk(h,
		tiles));
	host_declare_int(h, block, n->waves.chunks, ceil_of(h, tiles,
		name(h, n->waves.chunk_tiles)));
}

static const struct kx *as_int(const struct host *h, const struct kx *x)
{
	return kx_cast(h->mem, ctype(CT_INT), x);
}

/* phi_first .. phi_last, the phases that have a chunk in this wave, and the
 * chunk of phi_first: 0 <= wave - 2*phi < chunks
 */
static void declare_phases_of_wave(const struct host *h, struct ks *body)
{
	const struct kernel_names *n = h->names;
	const struct kx *wave = name(h, n->waves.wave), *two = integer(h, 2);

	host_declare_int(h, body, n->waves.phi_first, at_least(h, 0, as_int(h,
		op(h, OP_DIV, kx_add(h->mem, op(h, OP_SUB, wave,
			name(h, n->waves.chunks)), 2), two))));
	host_declare_int(h, body, n->waves.phi_last, kx_min(h->mem,
		kx_add(h->mem, name(h, n->waves.phis), -1),
		as_int(h, op(h, OP_DIV, wave, two))));
	host_declare_int(h, body, n->waves.chunk_first, as_int(h, op(h, OP_SUB,
		wave, op(h, OP_MUL, two, kx_cast(h->mem, ctype(CT_LONG),
			name(h, n->waves.phi_first))))));
}

/* Launch w holds chunk w - 2*phi of each phase phi that has one.  There can be
 * more waves than an int holds: as many as steps, plus chunks.
 */
static struct ks *wave_loop(const struct host *h, const struct kfunc *kernel)
{
	const struct kernel_names *n = h->names;
	struct ks *block = ks_scope(h->mem), *body = ks_block(h->mem);
	struct ks *runs = ks_block(h->mem), *s;
	const struct kx *last = name(h, n->waves.phi_last);
	const struct kx *grid[2];

	declare_chunks(h, block);
	ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_LONG),
		n->waves.number, op(h, OP_ADD, op(h, OP_MUL, integer(h, 2),
			kx_cast(h->mem, ctype(CT_LONG), kx_add(h->mem,
				name(h, n->waves.phis), -1))),
			name(h, n->waves.chunks))));
	declare_phases_of_wave(h, body);
	grid[0] = kx_min(h->mem, name(h, n->waves.hexagons),
		kx_builtin(h->mem, W_MAX_GRID_X, 0));
	grid[1] = kx_add(h->mem, op(h, OP_SUB, last,
		name(h, n->waves.phi_first)), 1);
	s = host_launch(h, h->plan, 0, kernel);
	s->x[0] = kx_extents(h->mem, 2, grid);
	ks_add(h->mem, runs, s);
	ks_add(h->mem, runs, host_checked(h,
		kx_builtin(h->mem, RT_LAST_ERROR, 0)));
	ks_add(h->mem, body, ks_if(h->mem, op(h, OP_LE,
		name(h, n->waves.phi_first), last), runs, NULL));
	s = ks_for(h->mem, n->waves.wave, integer(h, 0), op(h, OP_LT,
		name(h, n->waves.wave), name(h, n->waves.number)), integer(h,
		1), body);
	s->c_type = ctype(CT_LONG);
	ks_add(h->mem, block, s);
	return block;
}

void host_begin_launches(const struct host *h, struct ks *block,
	struct kfunc *const *kernels)
{
	allow_shared_memory(h, block, kernels);
	ks_add(h->mem, block, ks_comment(h->mem,
		"Clear an earlier error; else a launch would seem to fail."));
	ks_add(h->mem, block, ks_expression(h->mem, KS_EXPRESSION,
		kx_builtin(h->mem, RT_LAST_ERROR, 0)));
	if (h->prog->n_lists > 0)
		gpu_sort_lists(h, block);
}

void host_launches(const struct host *h, struct ks *block,
	struct kfunc *const *kernels)
{
	if (plan_has_waves(h->plan))
		ks_add(h->mem, block, wave_loop(h, kernels[0]));
	else if (h->plan->resident)
		ks_add(h->mem, block, one_launch(h, kernels[0]));
	else if (plan_is_diagonal(h->plan))
		ks_add(h->mem, block, diagonal_loop(h, kernels[0]));
	else
		ks_add(h->mem, block, time_loop(h, kernels));
	if (h->sums)
		gpu_launch_of_list(h, block, h->sums);
}
