/* Hexagonal tiles as C: threads share out the tiles of each phase, and compute
 * in place, in the copies that the states rotate through.
 */
#include "codegen/hex/hex.h"
#include "codegen/host/reductions.h"

/* First and last hexagon of a phase; the origin of one. */
static void declare_hexagons(const struct cpu_hex *x, struct ks *of_phase,
	struct ks *of_tile)
{
	const struct host *h = x->h;
	const struct plan *plan = x->plan;
	const struct kernel_names *n = x->names;
	int hex = plan->tiles.hex_dim;

	if (plan_goes_around(plan, hex)) {
		cpu_hex_declare_around(x, of_phase, of_tile);
		return;
	}
	host_declare_int(h, of_tile, n->origin[hex], op(h, OP_SUB, op(h, OP_SUB,
		op(h, OP_MUL, name(h, n->tile[hex]), x->size.pitch[hex]),
		cpu_hex_in_phase_0(x, x->size.shift)),
		op(h, OP_MUL, x->size.drift, name(h, n->tt))));
	host_declare_int(h, of_phase, n->first[hex], cpu_hex_edge(x, hex,
		false));
	host_declare_int(h, of_phase, n->last[hex], cpu_hex_edge(x, hex, true));
}

/* for T: for phase: for all hexagons, shared out: tile */
static struct ks *all_phases(struct cpu_hex *x, const struct kfunc *tile)
{
	const struct host *h = x->h;
	const struct plan *plan = x->plan;
	const struct kernel_names *n = x->names;
	int hex = plan->tiles.hex_dim;
	const struct kx *tt = name(h, n->tt), *phase = name(h, n->phase);
	const struct kx *start = op(h, OP_MUL, tt, x->size.time_pitch);
	struct ks *body = ks_block(h->mem), *tiles = ks_block(h->mem);
	struct ks *band = ks_block(h->mem);

	host_declare_int(h, body, n->t0, op(h, OP_SUB, start,
		cpu_hex_in_phase_0(x, x->size.half)));
	declare_hexagons(x, body, tiles);
	ks_add(h->mem, tiles, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, tiles, ks_expression(h->mem, KS_EXPRESSION,
		kfunc_call(h->mem, tile, NULL, NULL)));
	ks_add(h->mem, body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, body, ks_directive(h->mem, (struct directive) {
		.kind = OMP_FOR, .schedule = OMP_RUNTIME }));
	ks_add(h->mem, body, ks_for(h->mem, n->tile[hex],
		plan_goes_around(plan, hex) ? integer(h, 0) : name(h,
		n->first[hex]), op(h, OP_LE, name(h, n->tile[hex]), name(h,
		n->last[hex])), integer(h, 1), tiles));
	ks_add(h->mem, band, ks_for(h->mem, n->phase, integer(h, 0), op(h, OP_LT,
		phase, integer(h, 2)), integer(h, 1), body));
	if (plan->tiles.reduces)
		ks_add(h->mem, band, cpu_hex_values(x));
	return ks_for(h->mem, n->tt, integer(h, 0), op(h, OP_LT, start,
		plus(x, name(h, n->steps), x->size.half)), integer(h, 1),
		band);
}

/* Our own copy gets the cells that the first step does not write, or more of
 * them.
 */
static struct ks *kept_cells(void *user)
{
	const struct cpu_hex *x = user;
	const struct host *h = x->h;
	const struct field *f = x->copied;

	return ks_assign(h->mem, cpu_cell(h, f, f->name, 1, NULL),
		cpu_cell(h, f, cpu_user_name(h, f), cpu_versions(h, f),
			integer(h, cpu_versions(h, f) - 1)));
}

struct adding {
	const struct cpu_hex *x;
	struct ks *block;
};

static isl_stat add_kept_part(__isl_take isl_basic_set *part, void *user)
{
	const struct adding *adding = user;
	const struct cpu_hex *x = adding->x;
	const char *first[IR_MAX_DIMS] = { NULL };
	struct loop_nest nest = {
		.mem = x->h->mem, .n_dims = x->copied->n_dims,
		.iterator = x->names->point, .first = first,
		.body = kept_cells, .user = (void *) x,
	};

	ks_add(x->h->mem, adding->block, cpu_share_out(x->h, loops_of_set(
		&nest, isl_set_from_basic_set(part), isl_set_copy(
		x->h->scop->context))));
	return isl_stat_ok;
}

static void add_kept_cells(const struct cpu_hex *x, struct ks *block,
	const struct field *f)
{
	const struct host *h = x->h;
	struct cpu_hex copies = *x;
	struct adding adding = { &copies, block };
	isl_set *kept;

	if (cpu_hex_copies(h, f) == f->depth)
		return;
	kept = isl_set_reset_tuple_id(isl_set_copy(
		h->scop->field[f->index].cells));
	for (int i = 0; i < h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &h->scop->stmt[i];
		isl_set *domain = isl_set_copy(s->domain);

		if (s->is_copy || s->is_guarded ||
		    s->stmt->write->field != f) {
			isl_set_free(domain);
			continue;
		}
		domain = isl_set_fix_si(domain, isl_dim_set, 0, 0);
		domain = isl_set_project_out(isl_set_reset_tuple_id(domain),
			isl_dim_set, 0, 1);
		kept = isl_set_subtract(kept, domain);
	}
	kept = isl_set_make_disjoint(set_coalesce(
		isl_set_intersect_params(kept,
			isl_set_copy(h->scop->context))));
	if (isl_set_is_empty(kept) != isl_bool_false) {
		isl_set_free(kept);
		return;
	}
	copies.copied = f;
	isl_set_foreach_basic_set(kept, add_kept_part, &adding);
	isl_set_free(kept);
}

/* Copy the caller's versions back from the copies where the last steps left
 * them.
 */
static void add_results(const struct cpu_hex *x, struct ks *block,
	const struct field *f)
{
	const struct host *h = x->h;
	const char *user = cpu_user_name(h, f);
	struct ks *body = ks_block(h->mem), *stores = ks_block(h->mem);
	struct ks *copies = ks_block(h->mem);
	int n = cpu_hex_copies(h, f), versions = cpu_versions(h, f);
	const struct kx *last = op(h, OP_MOD, name(h, x->names->steps),
		integer(h, n));

	for (int i = 0; i < versions; i++) {
		const char *value = fresh_name(h->mem, h->prog, "value%d", i);
		const struct kx *at = op(h, OP_MOD, kx_add(h->mem, name(h,
			x->names->steps), i), integer(h, n));
		const struct kx *theirs = cpu_cell(h, f, user, versions, at);
		const struct kx *own = cpu_cell(h, f, f->name, 1, NULL);

		ks_add(h->mem, body, ks_declare(h->mem,
			ctype_const(scalar_of(f->type)), value, n == versions ?
			theirs : versions == 1 ? own : kx_select(h->mem, op(h,
				OP_LT, at, integer(h, versions)), theirs,
				own)));
		ks_add(h->mem, stores, ks_assign(h->mem, cpu_cell(h, f, user,
			versions, integer(h, i)), name(h, value)));
	}
	ks_add(h->mem, body, stores);
	cpu_add_copies(h, copies, f, body);
	ks_add(h->mem, block, ks_if(h->mem, last, copies, NULL));
}

/* Call "add" for each state of the caller that has several copies. */
static void each_visible(const struct cpu_hex *x, struct ks *block,
	void (*add)(const struct cpu_hex *x, struct ks *block,
		const struct field *f))
{
	for (int k = 0; k < x->h->prog->n_fields; k++) {
		const struct field *f = x->h->prog->field[k];

		if (f->kind == FIELD_STATE && !f->is_hidden &&
		    cpu_hex_copies(x->h, f) > 1)
			add(x, block, f);
	}
}

static void name_rows(struct cpu_hex *x)
{
	const struct host *h = x->h;
	const char *point = h->names->point[x->n_dims > 1 ? x->n_dims - 2 : 0];

	for (int i = 0; i < CPU_HEX_ROWS; i++)
		x->row[i] = i == 0 ? fresh_name(h->mem, h->prog, "%s_left",
			point) : fresh_name(h->mem, h->prog, "%s_%d", point, i);
}

/* All steps, by hexagonal tiles. */
static void add_hexagons(const struct host *h, struct cpu_run *run)
{
	struct kfunc **rows = region_array(h->mem, struct kfunc *,
		h->scop->n_stmts);
	struct kfunc **lists = region_array(h->mem, struct kfunc *,
		h->scop->n_stmts);
	const struct boxes_of_tile boxes = { rows, lists, region_array(h->mem,
		struct kfunc *, h->prog->n_reductions), region_array(h->mem,
		struct kfunc *, h->prog->n_fields) };
	struct cpu_hex x = {
		.h = h, .place = cpu_place(h), .plan = h->plan,
		.names = h->names,
		.n_dims = h->scop->n_dims,
		.line = 64 / type_size(h->prog->stmt[0]->write->field->type),
		/* Rows, lists, two of columns and three of vectors for
		 * each part of each statement, the tile, two of each
		 * reduction, one of each field, NULL.
		 */
		.functions = region_array(h->mem, struct kfunc *, (2 + 5 *
			SCOP_MOST_PARTS) * h->scop->n_stmts + 2 +
			2 * h->prog->n_reductions + h->prog->n_fields),
	};
	bool *joined = region_array(h->mem, bool, h->scop->n_stmts);
	struct kfunc *tile;
	struct ks *phases;

	cpu_hex_find_sizes(&x);
	for (int d = 0; d < x.n_dims; d++) {
		const char *point = h->names->point[d];

		x.low[d] = fresh_name(h->mem, h->prog, "%s_low", point);
		x.high[d] = fresh_name(h->mem, h->prog, "%s_high", point);
	}
	name_rows(&x);
	x.place.versions = true;
	x.c = cpu_cursor(&x.place);
	for (int i = 0; i < h->scop->n_stmts; i++) {
		if (joined[i] || scop_is_idle(h->scop, &h->scop->stmt[i]))
			continue;
		rows[i] = cpu_hex_rows(&x, &h->scop->stmt[i], i);
		cpu_hex_mark_joined(&x, joined);
		if (rows[i]->body->n_children)
			cpu_hex_append(&x, rows[i]);
		else
			rows[i] = NULL;
		if (!h->scop->stmt[i].is_copy &&
		    h->scop->stmt[i].stmt->n_listed) {
			lists[i] = cpu_hex_lists(&x, &h->scop->stmt[i]);
			if (lists[i])
				cpu_hex_append(&x, lists[i]);
		}
	}
	for (int i = 0; i < h->prog->n_reductions; i++)
		if (reduced_in_tiles(h, i))
			cpu_hex_append(&x, boxes.reduce[i] =
				cpu_hex_reduction(&x, i));
	for (int i = 0; i < h->prog->n_fields; i++)
		if ((boxes.fetch[i] = cpu_hex_fetch(&x, h->prog->field[i])))
			cpu_hex_append(&x, boxes.fetch[i]);
	tile = cpu_hex_tile(&x, &boxes);
	cpu_hex_append(&x, tile);
	run->functions = x.functions;
	run->walks_planes = x.walks_planes;
	cpu_deal_tiles(h, run->region);
	each_visible(&x, run->region, add_kept_cells);
	ks_add(h->mem, run->region, ks_directive(h->mem,
		(struct directive) { .kind = OMP_BARRIER }));
	phases = all_phases(&x, tile);
	cpu_hex_declare_sizes(&x, run->body, phases);
	ks_add(h->mem, run->region, phases);
	each_visible(&x, run->region, add_results);
}

/* The row of the table of forms ------------------------------------------ */

/* Without hexagons a step is a tile. */
static bool is_in_place(const struct plan *plan)
{
	return plan->tiles.hex_dim >= 0;
}

/* Columns run along hexagons in the first of several dimensions. */
static bool may_walk_planes(const struct plan *plan)
{
	return plan->tiles.hex_dim == 0 && plan->scop->n_dims > 1;
}

static const char *describe(const struct host *h)
{
	if (!h->prog->timed)
		return "All statements.";
	return is_in_place(h->plan) ?
		"All steps, in the caller's arrays and one more for "
		"fields that need it.  All hexagons\nof a phase run "
		"at the same time." :
		"All steps, on copies of the fields in padded rows: A[t % n] "
		"is version t.";
}

static void add(const struct host *h, struct cpu_run *run)
{
	if (is_in_place(h->plan))
		add_hexagons(h, run);
	else
		cpu_add_sweeps(h, run, cpu_time_step(h));
}

const struct form_run tiles_run = {
	.describe = describe, .add = add, .is_in_place = is_in_place,
	.may_walk_planes = may_walk_planes,
};
