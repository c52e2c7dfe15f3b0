/* The kernel of a plan: the loops over the tiles of a block, and each tile. */
#include "codegen/forms.h"
#include "codegen/tree/once.h"

/* Tiles ----------------------------------------------------------------- */

/* { [t0, o] : t0 is a step } */
static __isl_give isl_set *steps_of_launches(const struct place *p)
{
	isl_space *space = isl_set_get_space(p->plan->full);
	isl_set *steps = set_within(space, 0, isl_pw_aff_insert_domain(
		scop_steps(p->scop), isl_space_copy(space)));

	isl_space_free(space);
	return steps;
}

/* Does the thread execute all its instances of a tile?  A condition on the origin or, where
 * threads share nothing, on its own first point; NULL if no tile is known to be full.
 */
static const struct kx *full_condition(const struct place *p)
{
	const char *dims[1 + IR_MAX_DIMS] = { p->names->t0 };
	bool apart = plan_threads_are_apart(p->plan);
	isl_set *full = apart ? plan_full_of_thread(p->plan) :
		isl_set_copy(p->plan->full);
	isl_set *known = isl_set_copy(p->scop->context);

	if (isl_set_is_empty(full) != isl_bool_false) {
		isl_set_free(full);
		isl_set_free(known);
		return NULL;
	}
	for (int d = 0; d < p->plan->n_dims; d++)
		dims[1 + d] = apart && has_own_point(p, d) ?
			p->names->lanes.own[d] : p->names->origin[d];
	if (p->unit->form->overlaps || apart)
		known = isl_set_intersect_params(name_coordinates(p,
			steps_of_launches(p), dims), known);
	return kx_of_set(p->mem, name_coordinates(p, full, dims), known);
}

const struct kx *value_of_phase(struct region *r, const struct plan *plan,
	const struct kx *phase, const int value[2])
{
	if (plan->n_phases == 1 || value[0] == value[1])
		return kx_int(r, value[0]);
	if (phase->kind == KX_INT)
		return kx_int(r, value[phase->ivalue]);
	return kx_select(r, kx_binary(r, OP_EQ, phase, kx_int(r, 0)),
		kx_int(r, value[0]), kx_int(r, value[1]));
}

static const struct kx *phase_of_launch(const struct place *p)
{
	return kx_name(p->mem, p->names->phase);
}

const struct kx *pitch_of_tiles(struct region *r, const struct plan *plan,
	const struct kernel_names *names, int dim)
{
	if (!plan_is_open(plan, dim))
		return kx_int(r, plan->pitch[dim]);
	if (plan_is_given(plan, dim))
		return kx_name(r, names->strips.length);
	return kx_add(r, kx_binary(r, OP_MUL, kx_name(r, names->strips.warps),
		kx_int(r, plan->tiles.warps.each)), -plan->tiles.warps.less);
}

const struct kx *threads_along(struct region *r, const struct plan *plan,
	const struct kernel_names *names, int axis)
{
	if (plan->tiles.warps.least == 0 || plan->tiles.warps.axis != axis)
		return kx_int(r, plan->threads[axis]);
	return kx_binary(r, OP_MUL, kx_name(r, names->strips.warps),
		kx_int(r, plan->tiles.warps.lanes));
}

/* The origin in dimension "dim": S*pitch - shift - T*drift, or behind the first tile's rim. */
static const struct kx *origin(const struct place *p, int dim)
{
	const struct plan *plan = p->plan;
	const struct kx *tile = p->unit->form->tile_of_turn ?
		p->unit->form->tile_of_turn(p, dim) :
		kx_name(p->mem, p->names->tile[dim]);
	const struct kx *o = kx_binary(p->mem, OP_MUL, tile,
		pitch_of_tiles(p->mem, plan, p->names, dim));
	int drift = plan->drift[dim];

	if (p->unit->form->within_block)
		o = p->unit->form->within_block(p, dim, o);
	if (drift != 0)
		o = kx_binary(p->mem, drift > 0 ? OP_SUB : OP_ADD, o,
			kx_binary(p->mem, OP_MUL, kx_name(p->mem, p->names->tt),
				kx_int(p->mem, drift > 0 ? drift : -drift)));
	return kx_binary(p->mem, OP_SUB, o, value_of_phase(p->mem, plan,
		phase_of_launch(p), plan->shift[dim]));
}

static const struct kx *kx_of_edge(struct region *r,
	__isl_take isl_pw_aff *edge)
{
	isl_set *context = isl_pw_aff_domain(isl_pw_aff_copy(edge));

	return kx_of_pw_aff(r, edge, context);
}

/* imax(the first edge, imax(..)): an edge undefined for some sizes counts as
 * the value that it has for others.
 */
const struct kx *edge_of_plan(struct region *r, const struct plan *plan,
	int dim, bool last)
{
	const struct cover *cover = &plan->cover[dim];
	const struct kx *edge = NULL;

	for (int i = 0; i < cover->n; i++) {
		const struct kx *own = kx_of_edge(r, isl_pw_aff_copy(last ?
			cover->last[i] : cover->first[i]));

		edge = !edge ? own : last ? kx_max(r, edge, own) :
			kx_min(r, edge, own);
	}
	return edge;
}

const struct kx *tile_of_edge(struct region *r, const struct plan *plan,
	const struct kernel_names *names, const struct kx *phase, int dim,
	bool last)
{
	const struct kx *edge = edge_of_plan(r, plan, dim, last);
	const struct rim *rim = &plan->tiles.rim[dim];
	int drift = plan->drift[dim];
	int more = plan->tiles.longer[dim] + rim->low + rim->high;

	if (drift != 0)
		edge = kx_binary(r, drift > 0 ? OP_ADD : OP_SUB, edge,
			kx_binary(r, OP_MUL, kx_name(r, names->tt),
				kx_int(r, drift > 0 ? drift : -drift)));
	edge = kx_binary(r, OP_ADD, edge,
		value_of_phase(r, plan, phase, plan->shift[dim]));
	if (last)
		edge = kx_add(r, edge, plan->cover[dim].beyond - more);
	if (last && more > 0)
		edge = kx_max(r, edge, kx_int(r, 0));
	if (edge->kind == KX_INT && (edge->ivalue == 0 ||
	    !plan_is_open(plan, dim)))
		return kx_int(r, floor_div(edge->ivalue, plan->pitch[dim]));
	if (plan->pitch[dim] == 1 && !plan_is_open(plan, dim))
		return edge;
	return kx_builtin(r, B_FLOOR_DIV, 2, edge, pitch_of_tiles(r, plan,
		names, dim));
}

static const struct kx *edge_tile(const struct place *p, int dim, bool last)
{
	return tile_of_edge(p->mem, p->plan, p->names, phase_of_launch(p), dim,
		last);
}

/* The last tile of a sequential dimension: of all tiles, or of the chunk. */
static const struct kx *last_tile(const struct place *p, int dim)
{
	if (!plan_has_chunks(p->plan, dim))
		return edge_tile(p, dim, true);
	return kx_min(p->mem, edge_tile(p, dim, true),
		kx_add(p->mem, kx_binary(p->mem, OP_ADD,
			kx_name(p->mem, p->names->first[dim]),
			kx_name(p->mem, p->names->waves.chunk_tiles)), -1));
}

/* The number of a block, or of all, along "dim"; of a cluster, if blocks take tiles together. */
static const struct kx *number_of_blocks(const struct place *p,
	enum builtin builtin, int dim)
{
	int axis = plan_block_axis(p->plan, dim,
		p->unit->form->outermost_first);

	return kx_binary(p->mem, OP_DIV, kx_cast(p->mem, ctype(CT_INT),
		kx_axis(p->mem, builtin, axis)), kx_int(p->mem,
		plan_cluster(p->plan, dim)));
}

/* A loop over the tiles of a dimension that this block executes. */
static struct ks *tile_loop(const struct place *p, int dim, struct ks *body)
{
	struct region *r = p->mem;
	const char *var = p->names->tile[dim];
	const struct kx *first = kx_name(p->mem, p->names->first[dim]);
	const struct kx *last, *step = kx_int(r, 1);

	if (p->plan->role[dim] == ROLE_BLOCKS) {
		first = kx_binary(r, OP_ADD, first,
			number_of_blocks(p, B_BLOCK, dim));
		last = kx_name(p->mem, p->names->last[dim]);
		step = number_of_blocks(p, B_BLOCKS, dim);
	} else {
		last = last_tile(p, dim);
		if (ks_uses(body, p->names->last[dim]))
			last = kx_name(p->mem, p->names->last[dim]);
		if (!plan_has_chunks(p->plan, dim) &&
		    !ks_uses(body, p->names->first[dim]))
			first = edge_tile(p, dim, false);
	}
	return ks_for(r, var, first,
		kx_binary(r, OP_LE, kx_name(p->mem, var), last), step, body);
}

/* Is the first tile of the innermost dimension, if it is always the same one,
 * never full?
 */
bool first_is_partial(const struct place *p)
{
	int dim = p->plan->n_dims - 1;
	const struct kx *first = edge_tile(p, dim, false);
	isl_set *full = isl_set_copy(p->plan->full);
	bool never = true;

	if (first->kind != KX_INT || plan_has_chunks(p->plan, dim) ||
	    p->plan->drift[dim] != 0)
		never = false;
	for (int phase = 0; never && phase < p->plan->n_phases; phase++) {
		isl_set *of_first = isl_set_fix_si(isl_set_copy(full),
			isl_dim_set, 1 + dim, (int) (first->ivalue *
				p->plan->pitch[dim] -
				p->plan->shift[dim][phase]));

		never = isl_set_is_empty(of_first) == isl_bool_true;
		isl_set_free(of_first);
	}
	isl_set_free(full);
	return never;
}

/* The first tile of a sequential dimension: of all tiles, or of the chunk. */
static void declare_first(const struct place *p, struct ks *block,
	const struct ks *user, int dim)
{
	const struct kx *first = edge_tile(p, dim, false);

	if (plan_has_chunks(p->plan, dim))
		first = kx_binary(p->mem, OP_ADD, kx_binary(p->mem, OP_MUL,
			kx_name(p->mem, p->names->waves.chunk),
			kx_name(p->mem, p->names->waves.chunk_tiles)), first);
	if (plan_has_chunks(p->plan, dim) ||
	    ks_uses(user, p->names->first[dim]))
		ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_INT),
			p->names->first[dim], first));
}

const struct kx *time_tile(const struct place *p)
{
	const struct kx *tt = kx_name(p->mem, p->names->tt);

	return plan_is_diagonal(p->plan) ? kx_binary(p->mem, OP_SUB, tt,
		kx_name(p->mem, p->names->tile[p->plan->tiles.hex_dim])) : tt;
}

static const struct kx *time_origin(const struct place *p)
{
	const struct kx *t = kx_binary(p->mem, OP_MUL, time_tile(p),
		kx_int(p->mem, p->plan->time_pitch));

	if (!p->unit->prog->timed)
		return kx_int(p->mem, 0);
	return kx_binary(p->mem, OP_SUB, t, value_of_phase(p->mem, p->plan,
		phase_of_launch(p), p->plan->time_shift));
}

/* Are turns of "dim" and of the next dimension needed for a tile of either? */
static bool turns_together(const struct place *p, int dim)
{
	return dim >= 0 && p->unit->form->turns_together &&
		p->unit->form->turns_together(p->plan, dim);
}

static void declare_origin(const struct place *p, struct ks *block,
	const struct ks *user, int dim)
{
	declare_if_used(p->mem, block, user, p->names->origin[dim],
		origin(p, dim));
}

/* Loops S0, S1, .. around the tile; origins are declared as soon as they are
 * known.
 */
static struct ks *loops_over_tiles(struct cursor *c)
{
	const struct place *p = c->place;
	const struct plan *plan = p->plan;
	struct ks *body = ks_block(c->mem);

	ks_add(c->mem, body, p->unit->form->tile(c, plan->opt.separate ?
		full_condition(p) : NULL));
	for (int d = plan->n_dims - 1; d >= 0; d--) {
		struct ks *outer = ks_block(c->mem);

		if (turns_together(p, d - 1))
			declare_origin(p, outer, body, d - 1);
		if (!turns_together(p, d))
			declare_origin(p, outer, body, d);
		if (plan_is_diagonal_in(plan, d))
			declare_if_used(c->mem, outer, body, p->names->t0,
				time_origin(p));
		ks_add(c->mem, outer, body);
		body = ks_block(c->mem);
		if (plan->role[d] != ROLE_BLOCKS) {
			declare_first(p, body, outer, d);
			declare_if_used(c->mem, body, outer, p->names->last[d],
				last_tile(p, d));
		}
		ks_add(c->mem, body, tile_loop(p, d, outer));
	}
	return body;
}

/* Which chunk of which phase this block executes: any of a wave, chunk + 2*phi;
 * phi_first and its chunk identify the wave.
 */
static void declare_wave(const struct place *p, struct ks *block)
{
	struct region *r = p->mem;
	const struct kx *phi = kx_name(p->mem, p->names->waves.phi);
	const struct kx *row = kx_cast(r, ctype(CT_INT), kx_axis(r,
		B_BLOCK, 1));
	int hex = p->plan->tiles.hex_dim;

	ks_add(r, block, ks_declare(r, ctype_const(CT_INT), p->names->waves.phi,
		kx_binary(r, OP_ADD, kx_name(r, p->names->waves.phi_first),
			row)));
	ks_add(r, block, ks_declare(r, ctype_const(CT_INT), p->names->tt,
		kx_binary(r, OP_DIV, phi, kx_int(r, 2))));
	ks_add(r, block, ks_declare(r, ctype_const(CT_INT), p->names->phase,
		kx_binary(r, OP_MOD, phi, kx_int(r, 2))));
	ks_add(r, block, ks_declare(r, ctype_const(CT_INT),
		p->names->waves.chunk, kx_binary(r, OP_SUB, kx_name(p->mem,
			p->names->waves.chunk_first), kx_binary(r, OP_MUL,
			kx_int(r, 2), row))));
	ks_add(r, block, ks_declare(r, ctype_const(CT_INT),
		p->names->first[hex], edge_tile(p, hex, false)));
	ks_add(r, block, ks_declare(r, ctype_const(CT_INT), p->names->last[hex],
		edge_tile(p, hex, true)));
}

/* A resident kernel's loop over T: in the next pass other blocks read what a
 * pass stores, and replace what it reads.
 */
static struct ks *all_passes(const struct place *p, struct ks *pass)
{
	const struct kx *tt = kx_name(p->mem, p->names->tt);
	const struct kx *last = kx_name(p->mem, p->names->tt_last);
	struct ks *body = ks_block(p->mem);

	declare_if_used(p->mem, body, pass, p->names->t0, time_origin(p));
	ks_add(p->mem, body, pass);
	if (p->plan->waits_for_grid)
		ks_add(p->mem, body, ks_if(p->mem, kx_binary(p->mem, OP_LT, tt,
			last), ks_expression(p->mem, KS_EXPRESSION, kx_builtin(
			p->mem, B_GRID_BARRIER, 0)), NULL));
	return ks_for(p->mem, p->names->tt, kx_name(p->mem, p->names->tt_first),
		kx_binary(p->mem, OP_LE, tt, last), kx_int(p->mem, 1), body);
}

static struct ks *kernel_body(struct cursor *c, int64_t *dynamic_bytes)
{
	const struct place *p = c->place;
	struct ks *block = ks_block(c->mem);
	struct ks *loops = loops_over_tiles(c);

	*dynamic_bytes = p->unit->form->declare_memory(p, block, loops);
	for (int i = 0; i < 3; i++)
		declare_if_used(c->mem, block, loops, p->names->lanes.thread[i],
			kx_axis(c->mem, B_THREAD, i));
	if (plan_has_waves(p->plan))
		declare_wave(p, block);
	if (p->plan->resident)
		loops = all_passes(p, loops);
	else if (!plan_is_diagonal(p->plan))
		declare_if_used(c->mem, block, loops, p->names->t0,
			time_origin(p));
	if (p->unit->form->begin)
		p->unit->form->begin(p, block, loops);
	if (block->n_children)
		ks_add(c->mem, block, ks_simple(c->mem, KS_BLANK));
	ks_add(c->mem, block, loops);
	return block;
}

/* Parameters ------------------------------------------------------------ */

/* Does "body" need "param", itself or to find the cells of a field? */
static bool needs_param(const struct program *prog, const struct ks *body,
	const struct param *param)
{
	if (ks_uses(body, param->name))
		return true;
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (field_is_constant(f) || !ks_uses(body, f->name))
			continue;
		for (int d = 0; d < f->n_dims; d++)
			if (expr_uses(f->size[d], param))
				return true;
	}
	return false;
}

void kernel_add_arguments(const struct place *p, struct kfunc *f)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_params; i++)
		if (!prog->param[i]->fixed &&
		    needs_param(prog, f->body, prog->param[i]))
			kfunc_add_param(p->mem, f, (struct kparam) {
				.c_type =
					ctype_of(prog->param[i]->type),
				.name = prog->param[i]->name });
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (!ks_uses(f->body, field->name))
			continue;
		kfunc_add_param(p->mem, f, (struct kparam) {
			.c_type = ctype_of(field->type), .name = field->name,
			.cells = field,
			.is_const = !field_is_written(p, field) });
		if (field_may_stay(p->unit, field))
			kfunc_add_param(p->mem, f, (struct kparam) {
				.c_type = ctype(CT_DISTANCE),
				.name = field_distance(p->unit, field) });
	}
	if (ks_uses(f->body, p->names->memory.passes))
		kfunc_add_int(p->mem, f, p->names->memory.passes);
}

static void add_params(const struct place *p, struct kfunc *f)
{
	kernel_add_arguments(p, f);
	if (plan_has_waves(p->plan)) {
		kfunc_add_int(p->mem, f, p->names->waves.phi_first);
		kfunc_add_int(p->mem, f, p->names->waves.chunk_first);
		kfunc_add_int(p->mem, f, p->names->waves.chunk_tiles);
		return;
	}
	if (ks_uses(f->body, p->names->phase))
		kfunc_add_int(p->mem, f, p->names->phase);
	if (p->plan->resident) {
		kfunc_add_int(p->mem, f, p->names->tt_first);
		kfunc_add_int(p->mem, f, p->names->tt_last);
	} else if (ks_uses(f->body, p->names->tt)) {
		kfunc_add_int(p->mem, f, p->names->tt);
	}
	for (int d = 0; d < p->plan->n_dims; d++) {
		if (p->plan->role[d] != ROLE_BLOCKS)
			continue;
		kfunc_add_int(p->mem, f, p->names->first[d]);
		kfunc_add_int(p->mem, f, p->names->last[d]);
	}
	if (plan_given_dim(p->plan) >= 0)
		kfunc_add_int(p->mem, f, p->names->strips.length);
	if (p->plan->tiles.warps.least > 0)
		kfunc_add_int(p->mem, f, p->names->strips.warps);
}

static const char *comment_of(const struct place *p, int index)
{
	struct text t = { 0 };
	const char *comment;

	p->unit->form->describe(&t, p, index);
	comment = region_strdup(p->mem, t.bytes);
	text_free(&t);
	return comment;
}

static struct found nothing_found(struct region *r, int n_stmts)
{
	return (struct found) {
		.instances = region_array(r, isl_set *, n_stmts),
		.last = region_array(r, isl_set *, n_stmts),
		.stored = region_array(r, isl_set *, n_stmts),
		.read = region_array(r, isl_set *, n_stmts),
		.taken = region_array(r, isl_set *, n_stmts),
	};
}

/* The blocks of a cluster along each axis; no blocks where each takes tiles of its own. */
static void find_cluster(const struct place *p, int cluster[3])
{
	const struct plan *plan = p->plan;

	for (int d = 0; d < plan->n_dims; d++)
		if (plan_cluster(plan, d) > 1)
			cluster[plan_block_axis(plan, d,
				p->unit->form->outermost_first)] =
				plan_cluster(plan, d);
	for (int i = 0; i < 3 && cluster[0] + cluster[1] + cluster[2] > 0; i++)
		cluster[i] = larger(cluster[i], 1);
}

struct kfunc *kernel_of_plan(struct kunit *unit, const struct plan *plan,
	int index)
{
	struct gathered gathered = { 0 };
	struct place place = {
		.mem = unit->mem, .unit = unit, .plan = plan,
		.scop = plan->scop,
		.names = kernel_names_new(unit->mem, unit->prog),
		.found = nothing_found(unit->mem, plan->scop->n_stmts),
	};
	struct cursor c = {
		.mem = unit->mem, .place = &place, .gathered = &gathered,
	};
	struct kfunc *f = region_new_of(unit->mem, struct kfunc);

	f->name = region_printf(unit->mem, "%s_%s%d", unit->prog->name,
		plan->strategy->name, index);
	for (int i = 0; i < 2; i++)
		gathered.deferred[i] = region_array(unit->mem, isl_set **,
			unit->prog->n_fields);
	f->c_type = ctype(CT_VOID);
	f->is_kernel = f->is_static = true;
	f->max_threads = plan->threads[0] * plan->threads[1] *
		plan->threads[2];
	if (unit->form->min_blocks)
		f->min_blocks = unit->form->min_blocks(plan);
	find_cluster(&place, f->cluster);
	f->comment = comment_of(&place, index);
	f->body = kernel_body(&c, &f->dynamic_bytes);
	once_in_kernel(unit, place.names, f->body);
	if (unit->form->finish)
		unit->form->finish(&place, f);
	add_params(&place, f);
	return f;
}
