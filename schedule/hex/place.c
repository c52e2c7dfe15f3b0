/* The placement of hexagonal tiles and skewed rectangles, their shape and boxes, for both
 * strategies.
 */
#include "schedule/hex/hex.h"

/* Why a read of "s", or its boundary, reaches too far for a tile, or NULL. */
static const char *far_read(const struct scop *scop, const struct stmt *s,
	bool around)
{
	for (int i = 0; i < s->n_reads; i++) {
		const struct access *acc = s->read[i];
		const struct field *f = acc->field;
		int low, high;

		if (f->kind == FIELD_STATE && access_strides(acc))
			return region_printf(scop->mem, "'%s' is read with a "
				"stride, so that distances grow along the "
				"grid", f->name);
		for (int d = 0; d < f->n_dims && f->kind == FIELD_STATE; d++) {
			if (!access_is_mapped(s, acc, d))
				continue;
			if (access_goes_around(s, acc, d) && around)
				continue;
			if (access_goes_around(s, acc, d))
				return region_printf(scop->mem, "the boundary "
					"of '%s' is periodic in dimension %d",
					f->name, d);
			if (!access_reach(scop, s, acc, d, &low, &high))
				return region_printf(scop->mem, "the boundary "
					"of '%s' may be far from the points "
					"that read it in dimension %d",
					f->name, d);
		}
	}
	return NULL;
}

const char *hex_serves(const struct scop *scop, bool around)
{
	const char *far = NULL;

	if (scop->n_dims < 1)
		return "the program has no space dimension";
	if (!scop->prog->timed)
		return "the program has no time loop";
	for (int i = 0; i < scop->prog->n_stmts && !far; i++)
		far = far_read(scop, scop->prog->stmt[i], around);
	if (far)
		return far;
	for (int i = 0; i < scop->n_stmts; i++)
		if (scop->stmt[i].stmt->n_dims != scop->n_dims)
			return "its statements differ in their dimensions";
	return NULL;
}

const char *hex_applies(const struct scop *scop)
{
	const char *why = hex_serves(scop, false);
	struct cone cone;

	return !why && !cone_of_deps(scop->deps, scop->n_dims, &cone) ?
		"its dependences have no bounded cone" : why;
}

/* Sizes ----------------------------------------------------------------- */

bool hex_is_narrow(struct diags *d, const struct tile_request *r, int most)
{
	for (int i = 0; i < IR_MAX_DIMS; i++)
		if (r->w[i] > most) {
			diag_plain(d, E_TILE, "w%d = %d: at most %d", i,
				r->w[i], most);
			return false;
		}
	return true;
}

bool hex_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	enum { MOST_H = 4096, MOST_WIDTH = 1 << 28 };

	if (!hex_has_dim(d, scop, r))
		return false;
	if (r->h > MOST_H) {
		diag_plain(d, E_TILE, "h = %d: at most %d", r->h, MOST_H);
		return false;
	}
	if (!hex_is_narrow(d, r, MOST_WIDTH))
		return false;
	for (int i = 1; i < IR_MAX_DIMS; i++)
		if (r->w[i] >= 0 && i >= scop->n_dims) {
			diag_plain(d, E_TILE, "w%d: the program has %d space "
				"dimension%s", i, scop->n_dims,
				scop->n_dims == 1 ? "" : "s");
			return false;
		}
	for (int i = 1; i < scop->n_dims; i++)
		if (r->w[i] == 0) {
			diag_plain(d, E_TILE, "w%d = 0: a width is at least 1",
				i);
			return false;
		}
	return true;
}

bool hex_is_legal(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *r)
{
	const struct rational *delta0, *delta1;
	int least;

	if (!hex_is_possible(d, scop, r))
		return false;
	if (r->h >= 0 && (r->h + 1) % scop->k != 0) {
		diag_plain(d, E_TILE, "h = %d: h + 1 must be a multiple of the "
			"%d statements of a step; the next is h = %d",
			r->h, scop->k,
			(int) round_up(r->h + 1, scop->k) - 1);
		return false;
	}
	if (r->h < 0 || r->w[0] < 0)
		return true;
	delta0 = &cone->delta0[r->hex_dim];
	delta1 = &cone->delta1[r->hex_dim];
	least = hexagon_least_width(*delta0, *delta1, r->h);
	if (r->w[0] < least) {
		diag_plain(d, E_TILE, "w0 = %d: with delta0 = %lld/%lld, "
			"delta1 = %lld/%lld and h = %d the base must be "
			"w0 >= %d, or two tiles of one phase depend on each "
			"other", r->w[0], (long long) delta0->num,
			(long long) delta0->den, (long long) delta1->num,
			(long long) delta1->den, r->h, least);
		return false;
	}
	return true;
}

/* Shape ----------------------------------------------------------------- */

/* ca*a + cb*b + c0 >= 0, a the first and b the "pos"-th set dimension */
static __isl_give isl_set *half_plane(__isl_take isl_set *set, int pos,
	int64_t ca, int64_t cb, int64_t c0)
{
	isl_local_space *ls = isl_local_space_from_space(
		isl_set_get_space(set));
	isl_constraint *c = isl_constraint_alloc_inequality(ls);

	c = isl_constraint_set_coefficient_si(c, isl_dim_set, 0, (int) ca);
	c = isl_constraint_set_coefficient_si(c, isl_dim_set, pos, (int) cb);
	c = isl_constraint_set_constant_si(c, (int) c0);
	return isl_set_add_constraint(set, c);
}

/* (6), (7), (8), (10), (12), (13) of [CGO] on [a, .., b at "pos", ..] */
static __isl_give isl_set *intersect_hexagon(__isl_take isl_set *set, int pos,
	const struct hexagon *x)
{
	int64_t p0 = x->delta0.num, q0 = x->delta0.den;
	int64_t p1 = x->delta1.num, q1 = x->delta1.den;
	int64_t last = x->height - 1;

	set = half_plane(set, pos, -p0, q0, last * p0 - x->f0 * q0);
	set = half_plane(set, pos, -1, 0, last);
	set = half_plane(set, pos, -p1, -q1,
		last * p1 + (int64_t) (x->f0 + x->w0) * q1);
	set = half_plane(set, pos, p1, q1, -x->h * p1 + (q1 - 1));
	set = half_plane(set, pos, p0, -q0, -p0 * x->h +
		(int64_t) (x->f0 + x->w0 + x->f1) * q0 + (q0 - 1));
	return half_plane(set, pos, 1, 0, 0);
}

/* { [a, .., x at "pos", ..] : 0 <= x + floor(skew * a) < width }, (14) */
static __isl_give isl_set *intersect_classical(__isl_take isl_set *set,
	int pos, struct rational skew, int width)
{
	isl_ctx *ctx = isl_set_get_ctx(set);
	isl_local_space *ls = isl_local_space_from_space(
		isl_set_get_space(set));
	isl_aff *local = isl_aff_var_on_domain(isl_local_space_copy(ls),
		isl_dim_set, 0);
	isl_aff *bound = isl_aff_zero_on_domain(isl_local_space_copy(ls));
	isl_aff *x = isl_aff_var_on_domain(ls, isl_dim_set, pos);

	local = isl_aff_scale_val(local, isl_val_int_from_si(ctx, skew.num));
	local = isl_aff_scale_down_val(local,
		isl_val_int_from_si(ctx, skew.den));
	local = isl_aff_add(isl_aff_floor(local), x);
	set = isl_set_intersect(set, isl_aff_ge_set(isl_aff_copy(local),
		isl_aff_copy(bound)));
	bound = isl_aff_add_constant_si(bound, width);
	return isl_set_intersect(set, isl_aff_lt_set(local, bound));
}

/* { [a, .., b at "pos", ..] : 0 <= a < height, and b is of row a } */
static __isl_give isl_set *intersect_skewed(__isl_take isl_set *set, int pos,
	const struct hexagon *x)
{
	isl_multi_aff *ma = isl_multi_aff_identity(isl_space_map_from_set(
		isl_set_get_space(set)));
	isl_set *rows = isl_set_universe(isl_set_get_space(set));

	ma = isl_multi_aff_set_aff(ma, pos, isl_aff_add_constant_si(
		isl_multi_aff_get_aff(ma, pos), -x->f1));
	rows = set_between(rows, 0, 0, x->height - 1);
	rows = intersect_classical(rows, pos, x->delta1, x->w0);
	return isl_set_intersect(set, isl_set_preimage_multi_aff(rows, ma));
}

static __isl_give isl_set *hex_shape(const struct plan *plan)
{
	isl_set *shape = isl_set_universe(isl_space_set_alloc(plan->scop->ctx,
		0, 1 + plan->n_dims));

	for (int d = 0; d < plan->n_dims; d++)
		if (d == plan->tiles.hex_dim && plan->tiles.hexagon.is_skewed)
			shape = intersect_skewed(shape, 1 + d,
				&plan->tiles.hexagon);
		else if (d == plan->tiles.hex_dim)
			shape = intersect_hexagon(shape, 1 + d,
				&plan->tiles.hexagon);
		else
			shape = intersect_classical(shape, 1 + d,
				plan->tiles.skew[d], plan->tiles.width[d]);
	return set_coalesce(shape);
}

/* Plan ------------------------------------------------------------------ */

/* Where the tiles of a launch begin, and those of the next one.  The skewed
 * rectangle T = S_e = 0 starts with point 0 of time 0.
 */
static void place_in_time(struct plan *plan)
{
	const struct hexagon *x = &plan->tiles.hexagon;
	int e = plan->tiles.hex_dim;

	plan->n_phases = x->is_skewed ? 1 : 2;
	plan->tiles.diagonal = x->is_skewed;
	plan->pitch[e] = x->pitch;
	plan->drift[e] = x->is_skewed ? x->drift : x->f1 - x->f0;
	for (int p = 0; p < 2; p++) {
		plan->shift[e][p] = x->is_skewed ? x->f1 :
			hexagon_s_shift(x, p);
		plan->time_shift[p] = x->is_skewed ? 0 :
			hexagon_tau_shift(x, p) / plan->scop->k;
	}
	plan->time_pitch = x->height / plan->scop->k;
	plan->rows = x->height;
}

void hex_place(struct plan *plan, const struct hexagon *x, int hex,
	const int *w, const struct rational *skew)
{
	plan->n_dims = plan->scop->n_dims;
	plan->tiles.waves.dim = -1;
	plan->tiles.hexagon = *x;
	plan->tiles.hex_dim = hex;
	for (int d = 0; d < plan->n_dims; d++) {
		bool classical = d != hex;

		plan->role[d] = classical ? ROLE_SEQUENTIAL : ROLE_BLOCKS;
		plan->tiles.skew[d] = classical ? skew[d] :
			(struct rational) { 0, 1 };
		if (classical)
			plan->pitch[d] = plan->tiles.width[d] =
				w[hex_index_of(d, hex)];
	}
	place_in_time(plan);
	plan->shape = keep_set(plan->scop->mem, hex_shape(plan));
}

/* Boxes and places ------------------------------------------------------ */

static int inner_dim(const struct plan *plan)
{
	return plan->n_dims - 1;
}

bool hex_box_extent(const struct plan *plan, int d, int *low, int *high)
{
	bool any = false;

	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f)) {
		const struct box *box = &plan->box[f->index];
		int last = box->low[d] + box->extent[d] - 1;

		*low = any ? smaller(*low, box->low[d]) : box->low[d];
		*high = any ? larger(*high, last) : last;
		any = true;
	}
	return any;
}

/* Give all boxes the same columns, enough to fill sectors of 32 bytes. */
static void even_out_boxes(struct plan *plan)
{
	int dim = inner_dim(plan), low, high, sector = 1;

	if (!hex_box_extent(plan, dim, &low, &high))
		return;
	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f))
		sector = larger(sector, 32 / type_size(f->type));
	if (plan->opt.align_loads)
		low = high + 1 - round_up(high + 1 - low, sector);
	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f)) {
		plan->box[f->index].low[dim] = low;
		plan->box[f->index].extent[dim] = high + 1 - low;
	}
}

/* Shift the tiles so that each row of a box starts on a 128-byte line or, if
 * only new columns are loaded, so that these do.
 */
static void align_tiles(struct plan *plan)
{
	const struct field *f = plan_next_shared(plan, NULL);
	int dim = inner_dim(plan), first;

	if (!f)
		return;
	first = plan->box[f->index].low[dim];
	if (plan->opt.reuse != REUSE_NONE)
		first += plan->box[f->index].extent[dim];
	plan->shift[dim][0] = plan->shift[dim][1] =
		(int) floor_mod(first, 128 / type_size(f->type));
}

/* Drop options that make no sense for this plan. */
static void reduce_optimizations(struct plan *plan)
{
	struct optimizations *s = &plan->opt;
	bool inner_is_classical = plan->n_dims > 1 &&
		plan->tiles.hex_dim != inner_dim(plan);

	if (!s->shared)
		s->copy_out = COPY_OUT_SEPARATE;
	if (!s->shared || !inner_is_classical) {
		s->align_loads = false;
		s->reuse = REUSE_NONE;
	}
	if (plan->scop->is_guarded)
		s->reuse = REUSE_NONE;
	s->async = s->async && plan->tiles.straight && s->separate &&
		s->copy_out == COPY_OUT_INTERLEAVED &&
		!program_has_short_cells(plan->scop->prog);
	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f))
		if (f->n_dims != plan->n_dims)
			s->reuse = REUSE_NONE;
}

/* Moving a box within itself needs the two places apart. */
static bool box_overlaps_its_next(const struct plan *plan)
{
	int dim = inner_dim(plan);

	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f))
		if (plan->box[f->index].extent[dim] > 2 * plan->pitch[dim])
			return true;
	return false;
}

static void find_boxes(struct plan *plan)
{
	plan_find_boxes(plan);
	reduce_optimizations(plan);
	if (plan->opt.align_loads || plan->opt.reuse != REUSE_NONE)
		even_out_boxes(plan);
	if (plan->opt.reuse == REUSE_DYNAMIC && box_overlaps_its_next(plan))
		plan->opt.reuse = REUSE_NONE;
	plan->opt.async = plan->opt.async &&
		plan->opt.reuse == REUSE_DYNAMIC;
	if (plan->opt.align_loads)
		align_tiles(plan);
}

struct plan *hex_begin(const struct strategy *strategy,
	const struct scop *scop, const struct tile_request *request,
	bool skewed)
{
	struct plan *plan = region_new_of(scop->mem, struct plan);
	const int hex = request->hex_dim, w0 = request->w[0];
	struct hexagon x;
	struct cone cone;

	cone_of_deps(scop->deps, scop->n_dims, &cone);
	x = skewed ? skewed_make(cone.delta1[hex], request->h, scop->k, w0) :
		hexagon_make(cone.delta0[hex], cone.delta1[hex], request->h,
			w0);
	plan->strategy = strategy;
	plan->scop = scop;
	plan->opt = request->opt;
	hex_place(plan, &x, hex, request->w, cone.delta1);
	hex_threads(plan, request);
	find_boxes(plan);
	return plan;
}

void hex_widen_drift(struct plan *plan)
{
	struct hexagon *x = &plan->tiles.hexagon;
	int most = hexagon_extent(x) - 1, low, high;

	if (hex_box_extent(plan, plan->tiles.hex_dim, &low, &high))
		x->drift = larger(x->drift, 1 + larger(most - low, high) -
			x->w0);
	x->pitch = x->w0 + x->drift;
	place_in_time(plan);
}

/* The greatest and least hexagonal coordinates that a tile writes are the
 * hexagon's.  Its neighbours in the same phase lie one pitch away; a box must
 * not reach what they write, possibly at the same time.
 */
static bool copies_are_safe(struct diags *d, const struct plan *plan)
{
	const struct hexagon *x = &plan->tiles.hexagon;
	int least = 0, most = hexagon_extent(x) - 1;

	for (const struct field *f = plan_next_shared(plan, NULL); f;
	     f = plan_next_shared(plan, f)) {
		const struct box *box = &plan->box[f->index];
		int low = box->low[plan->tiles.hex_dim];
		int high = low + box->extent[plan->tiles.hex_dim] - 1;

		if (low > most - x->pitch && high < least + x->pitch)
			continue;
		diag_plain(d, E_TILE, "w0 = %d: '%s' is read so far away that "
			"the copies of neighbouring tiles overlap; take a "
			"greater w0 or '--shared=none'", x->w0, f->name);
		return false;
	}
	return true;
}

bool hex_finish(struct plan *plan, struct diags *d,
	const struct tile_request *request, const struct machine *machine)
{
	plan->opt.starts = plan->opt.starts && machine_copies_ahead(machine);
	plan_find_full(plan);
	plan_find_cover(plan);
	return copies_are_safe(d, plan) &&
		plan_fits_shared_memory(d, plan, request, machine,
			"take smaller sizes or '--shared=none'");
}
