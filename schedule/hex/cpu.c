/* The strategy hex of the C target: hexagonal tiles in time and one space
 * dimension, skewed ones in the others, computed in place in the copies
 * that the fields rotate.  The hexagons of a phase are shared out to the
 * threads; nothing is computed twice and nothing is copied.  Dimensions may go
 * around, see plan.h.
 */
#include <math.h>
#include <string.h>

#include "schedule/columns.h"
#include "schedule/hex/hex.h"
#include "schedule/planes.h"

/* What every size of tile has in common. */
struct cpu_hex {
	const struct scop *scop;
	struct cone cone;
	int hex;			/* the hexagonal dimension */
	int line;			/* cells of a line of the cache */
	struct rational skew[IR_MAX_DIMS];
	const struct expr *around[IR_MAX_DIMS];	/* see hex_find_around */
	const double *loads;		/* of a point of each statement */
	bool streams;			/* single rows of three dimensions */
	bool reduces;			/* see struct tile_shape */
};

static int last_dim(const struct cpu_hex *x)
{
	return x->scop->n_dims - 1;
}

/* How far the innermost dimension is read in a step, as a distance to its
 * start.
 */
static int64_t reach(const struct cpu_hex *x)
{
	return rational_ceil(x->cone.delta1[last_dim(x)], x->scop->k);
}

/* Unless they are the hexagons', rows of the innermost dimension start at whole
 * lines, of each statement if they do of one: its skew is a multiple of them.
 */
static void find_skews(struct cpu_hex *x)
{
	int last = last_dim(x);

	memcpy(x->skew, x->cone.delta1, sizeof(x->skew));
	if (last != x->hex && x->skew[last].num > 0)
		x->skew[last] = (struct rational) { reach(x) <= x->line ?
			x->line : 2 * x->line, 1 };
}

/* Rows of boxes that have no columns add up long sums that wait for themselves: heat3d by
 * hexagons in j takes 1.5 times what its loads would, in float and double.
 */
static double rows_load_cost(const struct cpu_hex *x, const struct stmt *s)
{
	bool is_box = x->scop->n_dims > 2 && columns_pay(x->scop, 0, s);

	return (is_box ? 1.5 : 1) * cpu_loads_cost(s);
}

static void find_loads(struct cpu_hex *x)
{
	const struct program *prog = x->scop->prog;
	double *loads = region_array(x->scop->mem, double, prog->n_stmts);

	x->streams = x->scop->n_dims > 2;
	for (int i = 0; i < prog->n_stmts; i++) {
		bool columns = columns_pay(x->scop, x->hex, prog->stmt[i]);

		x->streams = x->streams && !columns;
		loads[i] = columns ? columns_load_cost(x->scop,
			prog->stmt[i]) : rows_load_cost(x, prog->stmt[i]);
	}
	x->loads = loads;
}

/* Hexagons that go around have one column of points in all their rows. */
static void make_upright(struct cone *cone, int hex)
{
	struct rational *a = &cone->delta0[hex], *b = &cone->delta1[hex];

	if (a->num * b->den > b->num * a->den)
		*b = *a;
	else
		*a = *b;
}

/* Each row of a step is computed by one tile after the other, from its first point on. */
static bool can_reduce(const struct cpu_hex *x)
{
	bool can = x->hex != last_dim(x) && segments_suit_tiles(x->scop);

	for (int d = 0; can && d < x->scop->n_dims; d++)
		can = !x->around[d];
	return can;
}

/* NULL, or why "x" cannot be filled in for hexagons in dimension "hex". */
static const char *find_common(struct cpu_hex *x, const struct scop *scop,
	int hex)
{
	const char *why = hex_find_around(scop, x->around);

	x->scop = scop;
	x->hex = hex;
	x->line = 64 / type_size(scop->prog->stmt[0]->write->field->type);
	if (why)
		return why;
	if (!hex_find_cone(scop, x->around, &x->cone))
		return "its dependences have no bounded cone";
	if (x->around[hex])
		make_upright(&x->cone, hex);
	if (hex != last_dim(x) && reach(x) > 2 * x->line)
		return "its innermost dimension is read too far away for "
			"hexagons in another";
	find_skews(x);
	find_loads(x);
	x->reduces = can_reduce(x);
	return NULL;
}

static const char *cpu_hex_applies(const struct scop *scop)
{
	struct cpu_hex x;
	const char *why = hex_serves(scop, true);

	if (why)
		return why;
	return find_common(&x, scop, scop->n_dims - 1);
}

/* Sizes ------------------------------------------------------------------ */

static int widest_of(const struct hexagon *x)
{
	return x->w0 + 1 + x->f0 + x->f1;
}

static int copies_of(const struct scop *scop, const struct field *f)
{
	return f->kind == FIELD_STATE ? scop->field[f->index].buffers : 1;
}

/* Bytes of all copies of a point. */
static double words_of(const struct scop *scop)
{
	double bytes = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->n_dims == scop->n_dims && !f->is_listed)
			bytes += type_size(f->type) *
				copies_of(scop, f);
	}
	return bytes;
}

/* .. that a hexagon reads and, but for inputs, writes back. */
static double words_moved(const struct scop *scop)
{
	double bytes = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->n_dims == scop->n_dims && !f->is_listed)
			bytes += type_size(f->type) * copies_of(scop, f) *
				(f->kind == FIELD_INPUT ? 1 : 2);
	}
	return bytes;
}

/* The cells of a row of tiles' box, "grow" steps of the skew wider than a tile
 * in each dimension that is not the hexagons', and two more that they read; never
 * more than the whole grid.
 */
static double box_cells(const struct cpu_hex *x, const int *w, int grow,
	const struct outlook *o)
{
	double cells = 1;

	for (int i = 1; i < x->scop->n_dims; i++) {
		int d = hex_dim_of(i, x->hex);
		double extent = w[i] + 2 +
			(double) rational_floor(x->skew[d], grow);
		double whole = (double) o->hull[d];

		cells *= extent < whole ? extent : whole;
	}
	return cells;
}

/* All that a tile touches. */
static double tile_bytes(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o)
{
	return words_of(x->scop) * hex->pitch *
		box_cells(x, w, hex->height - 1, o);
}

/* The part of a tile that its skew takes over from those before it. */
static double taken_over(const struct cpu_hex *x, const int *w,
	const struct outlook *o)
{
	double part = 0;

	for (int i = 1; i < x->scop->n_dims; i++) {
		int d = hex_dim_of(i, x->hex);

		if (w[i] < o->hull[d])
			part += (double) x->skew[d].num / x->skew[d].den / w[i];
	}
	return part;
}

/* All that a row of tiles touches, each whole but in the first dimension that is not
 * the hexagons'.
 */
static double row_bytes(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o)
{
	int whole[IR_MAX_DIMS];

	for (int i = 0; i < x->scop->n_dims; i++)
		whole[i] = i < 2 ? w[i] : (int) o->hull[hex_dim_of(i, x->hex)];
	return tile_bytes(x, hex, whole, o);
}

/* The points of a step of a tile along "d", half of the way from its narrowest to its
 * widest if that is the hexagons' dimension.
 */
static double extent_of(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, int d, const struct outlook *o)
{
	return fmin(d == x->hex ? hex->pitch / 2 : w[hex_index_of(d, x->hex)],
		(double) o->hull[d]);
}

/* What a step reads again, in bytes a point, of planes that the core's own cache has
 * lost while the planes between were read.
 */
static double lost_planes(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o)
{
	double own = (double) o->machine->shared_bytes_per_sm;
	double rows, row_points, bytes = 0;

	if (x->scop->n_dims != 3)
		return 0;
	rows = extent_of(x, hex, w, 1, o);
	row_points = extent_of(x, hex, w, 2, o);
	for (int n = 0; n < x->scop->prog->n_stmts; n++) {
		const struct stmt *s = x->scop->prog->stmt[n];

		bytes += planes_again_bytes(s) * cpu_missing_part(
			planes_in_use(s, rows, row_points), own);
	}
	return bytes;
}

/* Add what comes from beyond the core's own cache in a step of "points".  Nothing if
 * all that a tile and the one before it touch stays in it.  Else what the step before
 * wrote, used again after a step of the tile, is read, fetched to be written unless rows
 * stream, and written back, and what the skew takes over from the tile before is used again after a
 * whole tile, or row of tiles: what no cache holds as long is read from memory, to
 * which it was written.
 */
static void add_far_bytes(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o, double points,
	struct cpu_problem *problem)
{
	const struct machine *m = o->machine;
	double own = (double) m->shared_bytes_per_sm;
	double shared = (double) m->l2_bytes / (double) m->sm_count;
	double words = words_of(x->scop) * points;
	double step = words_of(x->scop) * hex->pitch / 2 *
		box_cells(x, w, 0, o);
	double tile = tile_bytes(x, hex, w, o);
	double taken = taken_over(x, w, o) * cpu_missing_part(tile, own);
	double lost = cpu_missing_part(row_bytes(x, hex, w, o), shared);

	if (tile < 0.5 * own)
		return;
	problem->far_bytes += words * ((x->streams ? 1 : 1.5) *
		cpu_missing_part(step, own) +
		taken * (1 - lost)) + points * lost_planes(x, hex, w, o);
	problem->bytes += words * 2 * taken * lost;
}

/* Threads that wait for others, as below, of hexagons around "size" points; if these are
 * too few for one a thread has them all.
 */
static double imbalance_around(const struct hexagon *hex, int64_t size,
	int cores)
{
	int64_t tiles = size / hex->pitch;
	double rest = (double) (size % hex->pitch) / hex->pitch;

	return tiles == 0 ? cores : ((double) round_up(tiles, cores) + rest) /
		((double) tiles + rest);
}

/* Threads that wait for others at the end of a phase, as a factor. */
static double imbalance(const struct cpu_hex *x, const struct hexagon *hex,
	const struct outlook *o)
{
	double cores = (double) o->machine->sm_count;
	int64_t tiles = o->hull[x->hex] / hex->pitch + 1;
	double rounds = (double) -floor_div(-tiles, o->machine->sm_count);

	if (x->around[x->hex])
		return imbalance_around(hex, o->hull[x->hex],
			o->machine->sm_count);
	return rounds * cores / (double) tiles;
}

/* Are the rows of the innermost of several dimensions those of hexagons, which
 * start and end anywhere in a line of the cache?
 */
static bool has_loose_rows(const struct cpu_hex *x)
{
	return x->hex > 0 && x->hex == last_dim(x);
}

/* Whole lines for the cells of such rows, as a factor. */
static double part_lines(const struct cpu_hex *x, const struct hexagon *hex)
{
	double cells = widest_of(hex) + 2;

	return has_loose_rows(x) ? (cells + x->line - 1) / cells : 1;
}

/* A row costs so many points more than it has, as fitted.  A loose row has a vector
 * more at either end, which fits 1.25 and 1.55 times the time of jacobi3d and heat3d
 * with long rows.
 */
enum { ROW_POINTS = 72 };

static double row_cost(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o)
{
	double length = extent_of(x, hex, w, last_dim(x), o);
	double ends = has_loose_rows(x) ? 2.0 * x->line : 0;

	return ends / length + (x->streams ? cpu_row_work(length * 64 /
		x->line) : 1 + ROW_POINTS / length);
}

static struct hexagon hexagon_of(const struct cpu_hex *x, int h, int w0)
{
	return hexagon_make(x->cone.delta0[x->hex], x->cone.delta1[x->hex],
		h, w0);
}

static double cache_bytes(const struct cpu_hex *x, const struct outlook *o)
{
	const struct program *prog = x->scop->prog;
	double bytes = 0;

	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		bytes += (1 + x->loads[i]) *
			type_size(s->write->field->type) *
			outlook_points(o, s);
	}
	return bytes;
}

/* Bytes of a step that are moved from and to memory: of a few steps all cells are read and
 * written once at the least, and after an odd number of them copied.
 */
static double moved_bytes(const struct cpu_hex *x, const struct hexagon *hex,
	double points, const struct outlook *o)
{
	double reuse = (double) (hex->h + 1) * hex->pitch /
		(x->scop->k * (widest_of(hex) + 2.0));
	double steps = (double) o->steps;
	double once = points * words_moved(x->scop);

	return once / fmin(reuse, steps) + (o->steps % 2 ? once / steps : 0);
}

/* The part of full speed, 0.9, is fitted (doc/performance.md, "Predictions for C"). */
static struct cpu_terms time_of(const struct cpu_hex *x,
	const struct hexagon *hex, const int *w, const struct outlook *o)
{
	struct cpu_problem problem = outlook_cpu_problem(o, x->scop->prog);
	double points = problem.points / x->scop->prog->n_stmts;

	problem.barriers = 2.0 * x->scop->k / hex->height;
	problem.efficiency = 0.9;
	problem.streams = x->streams;
	problem.cache_bytes = cache_bytes(x, o);
	problem.bytes = moved_bytes(x, hex, points, o) * part_lines(x, hex);
	add_far_bytes(x, hex, w, o, points, &problem);
	return cpu_overlapped_time(&problem, row_cost(x, hex, w, o),
		imbalance(x, hex, o));
}

struct cpu_hex_search {
	const struct cpu_hex *x;
	struct tile_search tiles;
};

/* A segment's part of what all steps take. */
static struct cpu_terms time_of_segment(const struct cpu_hex *x,
	const struct hexagon *hex, const int *w, const struct outlook *o)
{
	struct outlook all = *o;
	struct cpu_terms terms;
	double part = (double) o->steps / (double) o->all_steps;

	if (!x->reduces)
		return time_of(x, hex, w, o);
	all.steps = o->all_steps;
	terms = time_of(x, hex, w, &all);
	terms.memory_s *= part;
	terms.cache_s *= part;
	terms.compute_s *= part;
	terms.barrier_s *= part;
	terms.predicted_s *= part;
	return terms;
}

static void try_sizes(struct cpu_hex_search *s)
{
	const struct tile_request *r = &s->tiles.at.sized.request;
	const struct outlook *o = s->tiles.outlook;
	struct hexagon hex = hexagon_of(s->x, r->h, r->w[0]);
	struct cpu_terms terms = time_of_segment(s->x, &hex, r->w, o);

	tile_search_try(&s->tiles, &terms, tile_bytes(s->x, &hex, r->w, o));
}

/* Rows are cut where two dimensions follow each other only. */
static void try_widths(struct cpu_hex_search *s, int i)
{
	static const int inner[] = { 1 << 16, 1024, 512, 256, 128 };
	static const int middle[] = { 4, 8, 16 };
	bool last = hex_dim_of(i, s->x->hex) == last_dim(s->x);
	const int *width = last ? inner : middle;
	int *own = &s->tiles.at.sized.request.w[i];

	if (i == s->x->scop->n_dims) {
		try_sizes(s);
		return;
	}
	if (s->tiles.request->w[i] > 0) {
		*own = s->tiles.request->w[i];
		try_widths(s, i + 1);
		return;
	}
	for (int n = 0; n < (last ? 5 : 3); n++) {
		*own = width[n];
		try_widths(s, i + 1);
	}
}

/* Odd w0 make rows of even length where both slopes are whole. */
static void try_bases(struct cpu_hex_search *s)
{
	static const int more[] = { 0, 1, 3, 7, 11, 15, 23, 31, 47 };
	const struct cone *cone = &s->x->cone;
	struct tile_request *at = &s->tiles.at.sized.request;
	const int asked = s->tiles.request->w[0];
	int least = hexagon_least_width(cone->delta0[s->x->hex],
		cone->delta1[s->x->hex], at->h);

	for (int i = 0; i < (asked >= 0 ? 1 : 9); i++) {
		at->w[0] = asked >= 0 ? asked : least + more[i];
		if (at->w[0] >= least)
			try_widths(s, 1);
	}
}

/* Deeper hexagons were no faster where they were tried (doc/attempts.md). */
static void search_sizes(struct cpu_hex_search *s)
{
	static const int steps[] = { 2, 3, 4, 6, 8, 12, 16, 24 };
	int most = s->x->scop->n_dims > 2 ? 11 : 23, k = s->x->scop->k;
	const int asked = s->tiles.request->h;

	for (int i = 0; i < (asked >= 0 ? 1 : 8) &&
	     (i == 0 || steps[i] * k - 1 <= most); i++) {
		s->tiles.at.sized.request.h = asked >= 0 ? asked :
			steps[i] * k - 1;
		try_bases(s);
	}
}

/* The fastest sizes for "request"; false if there are none. */
static bool search(struct region *mem, struct cpu_hex_search *s,
	const struct cpu_hex *x, const struct tile_request *request,
	const struct outlook *outlook)
{
	s->x = x;
	tile_search_start(&s->tiles, mem, x->scop, request, outlook);
	search_sizes(s);
	return s->tiles.fastest.n > 0;
}

/* Predictions and plans -------------------------------------------------- */

/* .. in the dimension that "request" names. */
static void predict_in(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	struct cpu_hex_search s;
	struct cpu_hex x;

	p->why = find_common(&x, scop, request->hex_dim);
	if (p->why)
		return;
	p->why = "h and w0 must fit each other";
	if (search(mem, &s, &x, request, outlook))
		tile_search_predict(mem, &s.tiles, p);
}

static void cpu_hex_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	hex_predict(mem, scop, request, outlook, predict_in, p);
}

/* Fill in "x" for the dimension that "request" names, if its sizes are possible;
 * false after a diagnostic.
 */
static bool begin(struct cpu_hex *x, struct diags *d, const struct scop *scop,
	const struct tile_request *request)
{
	enum { MOST_WIDTH = 1 << 16 };	/* coordinates must not overflow */
	const char *why = find_common(x, scop, request->hex_dim);

	if (why)
		diag_plain(d, E_TILE, "no hexagons in dimension %d: %s; take "
			"--hex-dim=%d", request->hex_dim, why,
			scop->n_dims - 1);
	return !why && hex_is_legal(d, scop, &x->cone, request) &&
		hex_is_narrow(d, request, MOST_WIDTH);
}

static bool cpu_hex_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	struct cpu_hex_search s;
	struct cpu_hex x;

	if (!hex_choose_dim(d, scop, outlook, predict_in, request) ||
	    !begin(&x, d, scop, request))
		return false;
	if (!search(scop->mem, &s, &x, request, outlook)) {
		diag_plain(d, E_TILE, "no h goes with w0 = %d",
			request->w[0]);
		return false;
	}
	*request = *tile_search_choice(&s.tiles);
	return true;
}

/* 0, or the last of "size" points */
static __isl_keep isl_pw_aff *end_of(const struct scop *scop,
	const struct expr *size, bool last)
{
	isl_pw_aff *n = isl_pw_aff_project_domain_on_params(
		scop_affine_of_params(scop, size));

	if (!last)
		n = isl_pw_aff_sub(n, isl_pw_aff_copy(n));
	return keep_pw_aff(scop->mem, isl_pw_aff_add_constant_val(n,
		isl_val_int_from_si(scop->ctx, last ? -1 : 0)));
}

/* Go around where "x" does: the tiles cover all points there. */
static void go_around(struct plan *plan, const struct cpu_hex *x)
{
	for (int d = 0; d < plan->n_dims; d++) {
		struct cover *cover = &plan->cover[d];
		struct rational lead = x->cone.delta0[d];

		if (!x->around[d])
			continue;
		plan->tiles.around[d].size = x->around[d];
		cover->n = 1;
		cover->first[0] = end_of(x->scop, x->around[d], false);
		cover->last[0] = end_of(x->scop, x->around[d], true);
		if (d == x->hex)
			continue;
		plan->tiles.around[d].lead = lead;
		cover->beyond += (int) rational_floor(lead, plan->rows - 1);
	}
}

/* Are they equal wherever both are defined? */
static bool is_same_edge(__isl_keep isl_pw_aff *a, __isl_keep isl_pw_aff *b)
{
	isl_set *differ = isl_pw_aff_ne_set(isl_pw_aff_copy(a),
		isl_pw_aff_copy(b));
	bool same = isl_set_is_empty(differ) == isl_bool_true;

	isl_set_free(differ);
	return same;
}

/* .. also from 0 to the last of "size" points along "d". */
static void cover_size(struct plan *plan, int d, const struct expr *size)
{
	struct region *mem = plan->scop->mem;
	struct cover *cover = &plan->cover[d], more = { .beyond =
		cover->beyond };
	isl_pw_aff *first = end_of(plan->scop, size, false);
	isl_pw_aff *last = end_of(plan->scop, size, true);

	more.first = region_array(mem, isl_pw_aff *, cover->n + 1);
	more.last = region_array(mem, isl_pw_aff *, cover->n + 1);
	for (int i = 0; i < cover->n; i++) {
		if (is_same_edge(cover->first[i], first) &&
		    is_same_edge(cover->last[i], last))
			continue;
		more.first[more.n] = cover->first[i];
		more.last[more.n++] = cover->last[i];
	}
	more.first[more.n] = first;
	more.last[more.n++] = last;
	*cover = more;
}

/* Tiles come to all points of what is reduced, also to those that nothing computes. */
static void cover_reduced(struct plan *plan)
{
	const struct program *p = plan->scop->prog;

	for (int i = 0; i < p->n_reductions; i++) {
		const struct stmt *point = p->reduction[i]->point;

		for (int n = 0; n < point->n_reads; n++)
			for (int d = 0; d < plan->n_dims; d++)
				if (point->read[n]->field->kind == FIELD_STATE)
					cover_size(plan, d, point->read[n]->
						field->size[d]);
	}
}

static struct plan *cpu_hex_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	struct plan *plan = region_new_of(scop->mem, struct plan);
	struct hexagon hexagon;
	struct cpu_hex x;

	(void) machine;
	if (!begin(&x, d, scop, request))
		return NULL;
	plan->strategy = strategy;
	plan->scop = scop;
	hexagon = hexagon_of(&x, request->h, request->w[0]);
	hex_place(plan, &hexagon, x.hex, request->w, x.skew);
	for (int i = 0; i < 3; i++)
		plan->threads[i] = 1;
	plan_find_boxes(plan);
	plan_find_full(plan);
	plan_find_cover(plan);
	go_around(plan, &x);
	plan->tiles.reduces = x.reduces;
	if (x.reduces)
		cover_reduced(plan);
	*n_plans = 1;
	return plan;
}

const struct strategy strategy_cpu_hex = {
	.name = "hex", .options = WITH(HEX_DIM), .applies = cpu_hex_applies,
	.narrows = true,
	.sizes = SIZES_HEXAGONS, .accepts = hex_accepts,
	.predict = cpu_hex_predict, .complete = cpu_hex_complete,
	.plan = cpu_hex_plan,
};
