/* The strategy hex of the C target: hexagonal tiles in time and one space
 * dimension, skewed ones in the others, computed in place in the copies through
 * which fields rotate.  Threads share the hexagons of a phase; nothing is
 * computed twice and nothing is copied.  Dimensions may go around, see plan.h.
 */
#include <math.h>
#include <string.h>

#include "schedule/choice.h"
#include "schedule/columns.h"
#include "schedule/hex/hex.h"
#include "schedule/planes.h"

/* What tiles of all sizes have in common. */
struct cpu_hex {
	const struct scop *scop;
	struct cone cone;
	int hex;			/* the hexagonal dimension */
	int line;			/* cells of a line of the cache */
	struct rational skew[IR_MAX_DIMS];
	const struct expr *around[IR_MAX_DIMS];	/* see hex_find_around */
	const double *loads;		/* of a point of each statement */
	bool streams;			/* single rows of three dimensions */
	bool columns;			/* vectors go along the first of two */
	bool rows;			/* .. along rows of two, everywhere */
	bool reduces;			/* see struct tile_shape */
};

static int last_dim(const struct cpu_hex *x)
{
	return x->scop->n_dims - 1;
}

/* How far back a step reads along the innermost dimension. */
static int64_t reach(const struct cpu_hex *x)
{
	return rational_ceil(x->cone.delta1[last_dim(x)], x->scop->k);
}

/* Rows of the innermost dimension, unless it is the hexagons', start at whole
 * lines; if one statement's do, all do: the skew is a multiple of lines.
 */
static void find_skews(struct cpu_hex *x)
{
	int last = last_dim(x);

	memcpy(x->skew, x->cone.delta1, sizeof(x->skew));
	if (last != x->hex && x->skew[last].num > 0)
		x->skew[last] = (struct rational) { reach(x) <= x->line ?
			x->line : 2 * x->line, 1 };
}

/* Rows of boxes without columns add up long sums that wait for themselves: heat3d with hexagons
 * in j takes 1.5 times as long as its loads, in float and double.
 */
static double rows_load_cost(const struct cpu_hex *x, const struct stmt *s)
{
	bool is_box = x->scop->n_dims > 2 && columns_pay(x->scop, 0, s);

	return (is_box ? 1.5 : 1) * cpu_loads_cost(s);
}

/* Is each cell beside the point, along a row, the only one read in its column? */
static bool is_star(const struct stmt *s)
{
	for (int i = 0; i < s->n_reads; i++)
		for (int j = 0; j < i; j++) {
			const int64_t *a = s->read[i]->offset;
			const int64_t *b = s->read[j]->offset;

			if (s->read[i]->field == s->read[j]->field &&
			    a[1] != 0 && a[1] == b[1] && a[0] != b[0])
				return false;
		}
	return true;
}

/* Is no cell farther along the row than a neighbour?  Rows compute such boxes, too. */
static bool reaches_one(const struct stmt *s)
{
	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->offset[1] < -1 || s->read[i]->offset[1] > 1)
			return false;
	return true;
}

/* Are there few reads and no root, so that rows of a box keep what they load, with any registers? */
static bool keeps_loads(const struct program *prog, const struct stmt *s)
{
	enum { MOST_KEPT = 12 };
	const struct instruction_mix mix = stmt_mix(prog, s);
	bool in_place = false;

	for (int i = 0; i < s->n_reads; i++)
		in_place = in_place || (s->read[i]->field == s->write->field &&
			s->read[i]->version == s->write->version);
	return reaches_one(s) && s->n_reads <= MOST_KEPT && !in_place &&
		mix.special + mix_root_count(&mix) == 0;
}

static void find_loads(struct cpu_hex *x)
{
	const struct program *prog = x->scop->prog;
	double *loads = region_array(x->scop->mem, double, prog->n_stmts);

	x->streams = x->scop->n_dims > 2;
	x->columns = x->rows = x->scop->n_dims == 2;
	for (int i = 0; i < prog->n_stmts; i++) {
		bool columns = !prog->waves && columns_pay(x->scop, x->hex,
			prog->stmt[i]);

		x->streams = x->streams && !columns;
		x->rows = x->rows && columns && (is_star(prog->stmt[i]) ||
			keeps_loads(prog, prog->stmt[i]));
		x->columns = x->columns && columns &&
			!is_star(prog->stmt[i]) && !reaches_one(prog->stmt[i]);
		loads[i] = columns ? columns_load_cost(x->scop,
			prog->stmt[i]) : prog->waves ? cpu_loads_cost(
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

/* .. in the dimension that "request" names.  Tiles whose sizes are arguments end where a
 * value is due: how many a band has is not known.
 */
static const char *find_asked(struct cpu_hex *x, const struct scop *scop,
	const struct tile_request *request)
{
	const char *why = find_common(x, scop, request->hex_dim);

	x->reduces = !why && x->reduces && !request->opt.at_run_time;
	return why;
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

/* .. that a hexagon reads and, except for inputs, writes back. */
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

/* What choose_hexagons.inc wants to know ------------------------------------ */

static struct stencilc_slope slope_of(struct rational r)
{
	return (struct stencilc_slope) { r.num, r.den };
}

/* Bytes that a point of "s" reads, fetches for writing and writes back, each cell once. */
static double touched_bytes(const struct scop *scop, const struct stmt *s)
{
	const struct access *write = s->write;
	const int copies = copies_of(scop, write->field);
	double bytes = 0, written = 2 * type_size(write->field->type);

	for (int i = 0; i < s->n_reads; i++) {
		const struct access *read = s->read[i];

		if (!read_is_first(s, i) || read->field->is_listed ||
		    read->field->n_dims < scop->n_dims)
			continue;
		bytes += type_size(read->field->type);
		if (read->field == write->field &&
		    (write->version - read->version) % copies == 0)
			written = type_size(write->field->type);
	}
	return bytes + written;
}

static struct stencilc_statement statement_of(const struct cpu_hex *x, int i)
{
	const struct stmt *s = x->scop->prog->stmt[i];
	struct stencilc_statement found = {
		.word_bytes = type_size(s->write->field->type),
		.loads = x->loads[i],
		.touched_bytes = touched_bytes(x->scop, s),
		.again_bytes = planes_again_bytes(s),
		.rows_bytes = planes_in_use(s, 0, 1),
		.row_bytes = planes_in_use(s, 1, 1) - planes_in_use(s, 0, 1),
		.shares = hex_is_of_operations(s, false),
		.loops = !hex_is_of_operations(s, true),
	};

	stmt_work(x->scop->prog, s, &found);
	return found;
}

/* Statements of one row, of which "all" are the first ones, with "one" more, "own" of whose loads
 * they do not make.  Each stores; what they compute is as different as what they load, a fourth at
 * least.
 */
static void join_row(struct stencilc_statement *all,
	const struct stencilc_statement *one, double own)
{
	const double left = fmax(own, 0.25);

	all->loads += 1 + own * one->loads;
	all->touched_bytes += one->touched_bytes;
	all->operations += left * one->operations;
	all->sums += left * one->sums;
	all->specials += left * one->specials;
	all->again_bytes = fmax(all->again_bytes, one->again_bytes);
	all->rows_bytes = fmax(all->rows_bytes, one->rows_bytes);
	all->row_bytes = fmax(all->row_bytes, one->row_bytes);
	all->loops = 1;
}

/* .. by row: most are of one statement.  Of pieces of a statement the first one counts, as a point
 * is of one of them.
 */
static void find_statements(const struct cpu_hex *x,
	struct stencilc_statement *found)
{
	const struct scop *scop = x->scop;
	const struct program *prog = scop->prog;

	for (int i = 0, first = 0; i < prog->n_stmts; i++) {
		struct stencilc_statement *row = &found[scop->stmt[i].number];
		struct stencilc_statement one = statement_of(x, i);

		if (i == 0 || scop->stmt[i - 1].number < scop->stmt[i].number) {
			*row = one;
			first = i;
		} else if (!hex_is_other_piece(prog, first, i)) {
			join_row(row, &one, hex_own_loads(prog, first, i));
		}
	}
}

/* All properties of the program on which times of its tiles depend. */
static struct stencilc_hexagons hexagons_of(const struct cpu_hex *x,
	const struct machine *machine)
{
	const struct program *prog = x->scop->prog;
	struct stencilc_statement *statement = region_array(x->scop->mem,
		struct stencilc_statement, x->scop->k);
	struct stencilc_hexagons found = {
		.dims = x->scop->n_dims, .hex = x->hex,
		.around = x->around[x->hex] != NULL, .streams = x->streams,
		.columns = x->columns, .rows = x->rows, .line = x->line,
		.margin = hex_margin(x->scop),
		.slope = {
			slope_of(x->cone.delta0[x->hex]),
			slope_of(x->cone.delta1[x->hex]),
		}, .kept_bytes = words_of(x->scop),
		.moved_bytes = words_moved(x->scop),
		.citer_s = citer_measured_s(machine, prog->name),
		.statements = x->scop->k, .statement = statement,
	};

	for (int d = 0; d < x->scop->n_dims; d++)
		found.skew[d] = slope_of(x->skew[d]);
	find_statements(x, statement);
	return found;
}

/* The work of "x" for each cell of the rows of a wave, of which few are points, and these not side by
 * side.
 */
static void spread_work(struct stencilc_hexagons *x, const struct outlook *o,
	struct region *mem)
{
	struct stencilc_statement *of = region_array(mem,
		struct stencilc_statement, x->statements);
	const double part = 1 / (double) o->spread;

	for (int n = 0; n < x->statements; n++) {
		of[n] = x->statement[n];
		of[n].operations *= part;
		of[n].sums *= part;
		of[n].specials *= part;
		of[n].loads = (1 + of[n].loads) * outlook_apart(o,
			(int) of[n].word_bytes) * part - 1;
	}
	x->statement = of;
}

/* The steps that tiles go through: those of all segments where these end none. */
static int64_t steps_of(const struct cpu_hex *x, const struct outlook *o)
{
	return x->reduces ? o->all_steps : o->steps;
}

static struct stencilc_problem problem_of(const struct cpu_hex *x,
	const struct outlook *o)
{
	const struct scop *scop = x->scop;
	double *points = region_array(scop->mem, double, scop->k);
	struct stencilc_problem found = { .steps = steps_of(x, o),
		.points = points };

	for (int d = 0; d < IR_MAX_DIMS; d++)
		found.hull[d] = o->hull[d];
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		double *row = &points[scop->stmt[i].number];

		*row = fmax(*row, outlook_cells(o, scop->prog->stmt[i]));
	}
	return found;
}

/* The search ----------------------------------------------------------------- */

static struct stencilc_sizes sizes_asked(const struct tile_request *r)
{
	struct stencilc_sizes sizes = { .h = r->h };

	for (int i = 0; i < IR_MAX_DIMS; i++)
		sizes.w[i] = r->w[i];
	return sizes;
}

static void take_sizes(struct tile_request *r, const struct cpu_hex *x,
	const struct stencilc_sizes *sizes)
{
	r->h = sizes->h;
	for (int i = 0; i < x->scop->n_dims; i++)
		r->w[i] = sizes->w[i];
}

/* "part" of what all steps take. */
static struct cpu_terms part_of(struct cpu_terms terms, double part)
{
	terms.memory_s *= part;
	terms.near_s *= part;
	terms.cache_s *= part;
	terms.compute_s *= part;
	terms.barrier_s *= part;
	terms.predicted_s *= part;
	return terms;
}

/* The fastest sizes for "request"; false if there are none. */
static bool search(struct region *mem, struct tile_search *s,
	const struct cpu_hex *x, const struct tile_request *request,
	const struct outlook *o)
{
	struct stencilc_hexagons hexagons = hexagons_of(x, o->machine);
	struct stencilc_machine machine = cpu_cores(o->machine);
	struct stencilc_problem problem = problem_of(x, o);
	struct stencilc_sizes asked = sizes_asked(request), at;

	tile_search_start(s, mem, x->scop, request, o);
	spread_work(&hexagons, o, mem);
	for (int n = 0; stencilc_candidate(&hexagons, &asked, n, &at); n++) {
		struct stencilc_times times;
		struct cpu_terms terms;

		if (!stencilc_is_tried(&hexagons, &machine, &asked, &at))
			continue;
		times = stencilc_hexagons_time(&hexagons, &machine, &problem,
			&at);
		terms = part_of(cpu_terms_of(o->machine, hexagons.citer_s,
			&times), (double) o->steps / (double) steps_of(x, o));
		take_sizes(&s->at.sized.request, x, &at);
		tile_search_try(s, &terms, stencilc_tile_bytes(&hexagons, &at,
			0, &problem));
	}
	return s->fastest.n > 0;
}

/* Predictions and plans -------------------------------------------------- */

/* .. in the dimension that "request" names. */
static void predict_in(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	struct tile_search s;
	struct cpu_hex x;

	p->why = find_asked(&x, scop, request);
	if (p->why)
		return;
	p->why = "h and w0 must fit each other";
	if (search(mem, &s, &x, request, outlook))
		tile_search_predict(mem, &s, p);
}

/* Tiles whose sizes are arguments have a row for each statement. */
static const struct scop *scop_of_tiles(const struct scop *scop,
	const struct tile_request *request)
{
	return request->opt.at_run_time ? scop : scop_together(scop);
}

static void cpu_hex_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	hex_predict(mem, scop_of_tiles(scop, request), request, outlook,
		predict_in, p);
}

/* Fill in "x" for the dimension that "request" names, if its sizes are possible; false after a
 * diagnostic.
 */
static bool begin(struct cpu_hex *x, struct diags *d, const struct scop *scop,
	const struct tile_request *request)
{
	enum { MOST_WIDTH = 1 << 16 };	/* coordinates must not overflow */
	const char *why = find_asked(x, scop, request);

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
	struct tile_search s;
	struct cpu_hex x;

	scop = scop_of_tiles(scop, request);
	if (!hex_choose_dim(d, scop, outlook, predict_in, request) ||
	    !begin(&x, d, scop, request))
		return false;
	if (!search(scop->mem, &s, &x, request, outlook)) {
		diag_plain(d, E_TILE, "no h goes with w0 = %d",
			request->w[0]);
		return false;
	}
	*request = *tile_search_choice(&s);
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

/* Go around where "x" does: the tiles then cover all points. */
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

static const struct tile_choice *choice_of(const struct cpu_hex *x,
	const struct machine *machine)
{
	struct tile_choice *choice = region_new_of(x->scop->mem,
		struct tile_choice);

	choice->hexagons = hexagons_of(x, machine);
	choice->machine = cpu_cores(machine);
	return choice;
}

static struct plan *cpu_hex_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	struct plan *plan = region_new_of(scop->mem, struct plan);
	struct hexagon hexagon;
	struct cpu_hex x;

	scop = scop_of_tiles(scop, request);
	if (!begin(&x, d, scop, request))
		return NULL;
	plan->strategy = strategy;
	plan->scop = scop;
	hexagon = hexagon_make(x.cone.delta0[x.hex], x.cone.delta1[x.hex],
		request->h, request->w[0]);
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
	if (request->opt.at_run_time)
		plan->tiles.choice = choice_of(&x, machine);
	*n_plans = 1;
	return plan;
}

/* The n-th request: for tiles of any width, width 1 is proved, and others are combinations. */
static bool cpu_hex_choice(const struct plan *plan, int n,
	struct tile_request *request)
{
	struct stencilc_sizes asked = { .h = -1 }, at;
	struct cpu_hex x = { .scop = plan->scop };
	bool more;

	for (int i = 0; i < IR_MAX_DIMS; i++)
		asked.w[i] = i == 0 ? -1 : 1;
	more = stencilc_candidate(&plan->tiles.choice->hexagons, &asked, n,
		&at);
	*request = tile_request_default();
	request->for_cpu = true;
	request->hex_dim = plan->tiles.hex_dim;
	request->opt.at_run_time = true;
	take_sizes(request, &x, &at);
	return more;
}

const struct strategy strategy_cpu_hex = {
	.name = "hex", .options = WITH(HEX_DIM), .applies = cpu_hex_applies,
	.narrows = true,
	.sizes = SIZES_HEXAGONS, .accepts = hex_accepts,
	.predict = cpu_hex_predict, .complete = cpu_hex_complete,
	.plan = cpu_hex_plan, .choice = cpu_hex_choice,
};
