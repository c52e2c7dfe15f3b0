/* How a known number of ranks shares a grid: the shape of the ranks, and the steps between
 * exchanges of halos, that take least time by the model.
 */
#include "driver/driver.h"
#include "ir/waves.h"

/* The whole grid -----------------------------------------------------------*/

/* "e" with the problem's values for parameters. */
static const struct expr *with_values(const struct compilation *s,
	const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS];

	if (e->kind == EXPR_PARAM && !e->param->fixed)
		return expr_int(s->mem, problem_value(s->mpi.whole, e->param,
			s->options.given.size, s->options.given.n_sizes), e->at);
	for (int i = 0; i < e->n_args; i++)
		arg[i] = with_values(s, e->arg[i]);
	return e->n_args ? expr_with_args(s->mem, e, arg) : e;
}

/* A size of the problem; 0 if it depends on computed values. */
static int64_t value_of(const struct compilation *s, const struct expr *e)
{
	int64_t value;

	return expr_constant(with_values(s, e), &value) ? value : 0;
}

static void add_field(const struct compilation *s, struct network_grid *g,
	const struct field *f)
{
	const struct block_field *b = &s->mpi.blocks->field[f->index];
	struct network_field *to = &g->field[g->n_fields];

	if (!b->is_shared_out || !field_is_argument(f))
		return;
	g->n_fields++;
	*to = (struct network_field) { .cell_bytes = type_size(f->type),
		.copies = field_copies(f), .n_dims = f->n_dims,
		.need = b->need, .is_input = f->kind == FIELD_INPUT };
	for (int d = 0; d < f->n_dims; d++) {
		to->size[d] = value_of(s, f->size[d]);
		to->cut[d] = b->cut[d];
	}
}

static void set_grid(const struct compilation *s, struct network_grid *g)
{
	const struct blocks *b = s->mpi.blocks;
	const struct program *p = b->whole;

	g->n_dims = b->n_dims;
	for (int k = 0; k < b->n_dims; k++) {
		g->size[k] = value_of(s, b->dim[k].size);
		g->is_around[k] = b->dim[k].is_around;
		for (int side = 0; side < SIDES; side++) {
			g->slope[k][side] = b->dim[k].slope[side];
			g->more[k][side] = b->dim[k].more[side];
		}
	}
	g->steps = p->timed ? larger(1, value_of(s, p->end) -
		value_of(s, p->begin)) : 1;
	g->field = region_array(s->mem, struct network_field, p->n_fields);
	for (int i = 0; i < p->n_fields; i++)
		add_field(s, g, p->field[i]);
}

/* A block ------------------------------------------------------------------*/

static void add_size(struct problem_size *size, int *n, const struct param *param,
	int64_t value)
{
	if (param)
		size[(*n)++] = (struct problem_size) { param->name, value };
}

/* Waves of a box of the grid from its first point to its last one. */
static int64_t waves_of_box(const struct compilation *s, const int64_t *extent)
{
	const struct blocks *b = s->mpi.blocks;
	const struct sweep_waves *w = b->whole->waves;
	const struct field *f = b->whole->stmt[0]->write->field;
	int64_t waves = w->step * (value_of(s, w->of->end) -
		value_of(s, w->of->begin));

	for (int d = 0; d < f->n_dims; d++)
		waves += w->along[d] * (d < b->n_dims ? extent[d] :
			value_of(s, f->size[d]));
	return larger(1, waves);
}

/* The first of "steps" waves half way through those of a block at the first cells of the grid: they have
 * points in all parts of it.  Without waves the first step.
 */
static int64_t first_of_midst(const struct compilation *s, const int64_t *extent,
	int64_t steps)
{
	return s->mpi.blocks->whole->waves ? larger(0, (waves_of_box(s, extent) -
		steps) / 2) : 0;
}

/* So many steps of a block at the first cells, beside sizes that it shares with the program. */
static struct problem_size *sizes_of_steps(const struct compilation *s,
	const int64_t *extent, int64_t steps, int *n)
{
	const struct blocks *b = s->mpi.blocks;
	const struct segments *all = b->whole->waves ? b->whole->segments : NULL;
	struct problem_size *size = region_array(s->mem, struct problem_size,
		s->options.given.n_sizes + 2 * b->n_dims + 4);
	int64_t first = first_of_midst(s, extent, steps);

	*n = 0;
	for (int i = 0; i < s->options.given.n_sizes; i++)
		size[(*n)++] = s->options.given.size[i];
	for (int k = 0; k < b->n_dims; k++) {
		add_size(size, n, b->dim[k].origin, 0);
		add_size(size, n, b->dim[k].extent, extent[k]);
	}
	add_size(size, n, b->first, first);
	add_size(size, n, b->end, first + steps);
	if (all) {
		add_size(size, n, all->first, value_of(s, b->whole->waves->of->begin));
		add_size(size, n, all->end, value_of(s, b->whole->waves->of->end));
	}
	return size;
}

/* What is computed at once: the busiest rank's block, or a zone at a side of it along this dimension. */
enum { BLOCK = -1 };

static void extents_of(const struct network_grid *g, const struct network_shape *shape,
	int zone, int64_t extent[NETWORK_DIMS])
{
	if (zone == BLOCK)
		network_block(g, shape, extent);
	else
		network_zone(g, shape, zone, extent);
}

/* Its problem; sizes that the block shares with the program keep the user's values. */
static struct problem_size *sizes_of_block(const struct compilation *s,
	const struct ranks *r, int zone, int *n)
{
	int64_t extent[NETWORK_DIMS];

	extents_of(&r->grid, &r->shape, zone, extent);
	return sizes_of_steps(s, extent, r->shape.steps, n);
}

static double cells_of(const struct network_grid *g,
	const struct network_shape *shape, int zone)
{
	int64_t extent[NETWORK_DIMS];
	double cells = 1;

	extents_of(g, shape, zone, extent);
	for (int k = 0; k < g->n_dims; k++)
		cells *= (double) extent[k];
	return cells;
}

/* The time of a step for each cell, of "seconds" for all steps of a block or a zone.  The waves of the whole
 * grid go through one rank after the other, and some rank has all its points in the fewer ones of a block.
 */
static double seconds_of_cell(const struct compilation *s, const struct ranks *r,
	int zone, double seconds)
{
	int64_t extent[NETWORK_DIMS];
	double cell_s = seconds / (cells_of(&r->grid, &r->shape, zone) *
		(double) r->shape.steps);

	extents_of(&r->grid, &r->shape, BLOCK, extent);
	return !s->mpi.blocks->whole->waves ? cell_s : cell_s *
		(double) waves_of_box(s, r->grid.size) /
		(double) waves_of_box(s, extent);
}

/* The time for a cell and step of it, or 0 if the model has none; does its strategy narrow the block from
 * step to step?
 */
static double cell_seconds(struct compilation *s, const struct scop *block,
	struct ranks *r, int zone)
{
	struct outlook *outlook = region_new_of(s->mem, struct outlook);
	struct prediction one, *p = &one;
	int n;
	struct problem_size *size = sizes_of_block(s, r, zone, &n);

	*outlook = s->options.outlook;
	outlook->machine = s->machine;
	if (!outlook_set_problem(outlook, &s->diags, block, size, n))
		return 0;
	if (s->options.strategy)
		one = strategy_predict(s->mem, s->options.strategy, block,
			&s->options.tile, outlook);
	else if (!strategies_predict(s->mem, block, &s->options.tile, outlook,
	    &p))
		return 0;
	r->grid.narrows = p->strategy->narrows;
	return p->n_candidates ? seconds_of_cell(s, r, zone,
		p->candidate->predicted_s) : 0;
}

/* The choice ---------------------------------------------------------------*/

/* What is tried: so many of the fastest shapes with each number of steps, by a cell's time to begin with;
 * "least" seconds so far, or 0: of "best".
 */
struct search {
	struct compilation *s;
	const struct scop *block;
	int shapes;
	double cell_s, least;
	struct ranks *best;
};

/* The time of r->shape by the times that its block and zones take, or 0 if the model has none. */
static double try_shape(const struct search *search, struct ranks *r)
{
	double cell_s = cell_seconds(search->s, search->block, r, BLOCK);
	bool narrows = r->grid.narrows;

	if (cell_s > 0)
		r->cell_s = cell_s;
	for (int k = 0; k < r->grid.n_dims && cell_s > 0; k++)
		if (network_has_zones(&r->grid, &r->shape, k))
			cell_s = r->grid.zone_cell_s[k] = cell_seconds(search->s,
				search->block, r, k);
	r->grid.narrows = narrows;
	return cell_s > 0 ? network_predict(search->s->machine, &r->grid, &r->shape,
		r->cell_s).predicted_s : 0;
}

/* The best shapes for so many steps, as if cells took the time of the steps tried before, in r->cell_s.  What
 * they take in blocks of several shapes differs by a tenth, as planes fit caches or do not.  So others follow
 * where the first one is nearly as fast as any.  False if halos do not fit or the model has no time.
 */
static bool try_steps(struct search *search, struct ranks *r)
{
	static const double near = 1.15;
	struct network_shape shape[NETWORK_SHAPES];
	int n = network_choose_shapes(search->s->machine, &r->grid,
		search->s->options.with.mpi_ranks, r->cell_s, &r->shape,
		search->shapes, shape);
	bool any = false;

	for (int i = 0; i < n; i++) {
		double seconds;

		r->shape = shape[i];
		seconds = try_shape(search, r);
		any = any || seconds > 0;
		if (seconds > 0 && (!(search->least > 0) || seconds < search->least)) {
			search->least = seconds;
			*search->best = *r;
		}
		if (seconds > near * search->least)
			break;
	}
	return any;
}

/* Zones have halos as deep on both sides. */
static void make_alike(int *both)
{
	both[SIDE_LOW] = both[SIDE_HIGH] = (int) larger(both[SIDE_LOW],
		both[SIDE_HIGH]);
}

/* Try numbers of steps up to what halos have room for. */
static void choose_steps(struct search *search, int overlaps)
{
	const struct compilation *s = search->s;
	static const int tried[] = { 1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48,
		64, 96, BLOCKS_MAX_STEPS };
	struct ranks r = *s->mpi.ranks;
	int n = sizeof(tried) / sizeof(*tried);

	r.cell_s = search->cell_s;
	r.shape.overlaps = overlaps;
	for (int k = 0; k < r.grid.n_dims; k++) {
		r.grid.zone_cell_s[k] = r.cell_s;
		if (!blocks_is_late(k, r.grid.n_dims, overlaps))
			continue;
		make_alike(r.grid.slope[k]);
		make_alike(r.grid.more[k]);
	}
	for (int i = 0; i < n; i++) {
		r.shape.steps = smaller(tried[i], r.grid.steps);
		if (s->options.with.mpi_steps)
			r.shape.steps = smaller(s->options.with.mpi_steps,
				r.grid.steps);
		if (!try_steps(search, &r))
			break;
		if (r.shape.steps == r.grid.steps || s->options.with.mpi_steps)
			break;
	}
}

int most_turns_of_zones(const struct compilation *s)
{
	int most = codegen_overlaps(s->mpi.blocks);

	if (s->options.tile.for_cpu || most < 1)
		return most;
	return s->mpi.blocks->whole->n_reductions == 0;
}

static void choose_zones(struct search *search)
{
	int wish = search->s->options.with.mpi_overlap;
	int most = most_turns_of_zones(search->s);

	if (wish != OVERLAP_YES && wish != OVERLAP_ALL)
		choose_steps(search, 0);
	if (most > 0 && wish != OVERLAP_NO && wish != OVERLAP_ALL)
		choose_steps(search, 1);
	if (most > 1 && wish != OVERLAP_NO)
		choose_steps(search, most);
	/* where there is no room for zones */
	if (!(search->least > 0))
		choose_steps(search, 0);
}

/* The fastest; with --mpi-overlap=yes or =all one that computes while halos travel, if there is one.  First
 * of the best shape for each number of steps, then of others.  Those of GPUs differ less, and take long.
 */
static bool choose_all(struct compilation *s, const struct scop *block,
	struct ranks *best)
{
	struct search search = { s, block, 1, s->mpi.ranks->cell_s, 0, best };

	choose_zones(&search);
	search.shapes = NETWORK_SHAPES;
	search.cell_s = best->cell_s;
	if (s->options.tile.for_cpu)
		choose_zones(&search);
	return search.least > 0;
}

/* Is there no room for halos of even one step, or does the model fail? */
static void say_why_not(struct compilation *s, const struct network_grid *g,
	const char *problem)
{
	struct network_shape one_step = { .steps = 1 }, shape[NETWORK_SHAPES];
	int ranks = s->options.with.mpi_ranks;

	if (network_choose_shapes(s->machine, g, ranks, 1e-9, &one_step, 1, shape))
		diag_plain(&s->diags, E_COMMAND_LINE, "--mpi-ranks=%d: the model "
			"has no time of a block; without it the program chooses "
			"when it runs", ranks);
	else
		diag_plain(&s->diags, E_COMMAND_LINE, "--mpi-ranks=%d: the grid of "
			"%s cannot be shared out so that all ranks have cells, "
			"and halos for a step", ranks, problem);
}

bool choose_ranks(struct compilation *s, const struct scop *block)
{
	struct ranks *r = region_new_of(s->mem, struct ranks);
	struct outlook of_whole = s->options.outlook;
	struct ranks best;
	int n;

	if (!outlook_set_problem(&of_whole, &s->diags, s->mpi.whole,
	    s->options.given.size, s->options.given.n_sizes))
		return false;
	set_grid(s, &r->grid);
	drop_sizes_of_whole(s);
	r->cell_s = 1e-9;
	s->mpi.ranks = r;
	best = *r;
	if (!choose_all(s, block, &best)) {
		say_why_not(s, &r->grid, of_whole.problem);
		return false;
	}
	*r = best;
	s->options.given.size = sizes_of_block(s, r, BLOCK, &n);
	s->options.given.n_sizes = n;
	return true;
}

/* The cells of a block along dimension "k", of which "size" has what the user gives and others. */
static int64_t extent_of(const struct compilation *s, const struct scop *block,
	int k, const struct problem_size *size, int n)
{
	return problem_value(block, s->mpi.blocks->dim[k].extent, size, n);
}

/* Blocks whose origin is left open begin far from the first cell of the grid, as usual ones do.  Where the
 * grid has a size they would have its last cell alone: those begin at the first.
 */
static void add_origin(const struct compilation *s, const struct scop *block, int k,
	struct problem_size *size, int *n)
{
	int64_t open = extent_of(s, block, k, size, *n);
	int here = *n;

	add_size(size, n, s->mpi.blocks->dim[k].origin, 0);
	if (!s->mpi.blocks->whole->waves &&
	    extent_of(s, block, k, size, *n) <= open)
		*n = here;
}

void choose_block(struct compilation *s, const struct scop *block)
{
	const struct blocks *b = s->mpi.blocks;
	int n = 0, n_given = s->options.given.n_sizes;
	struct problem_size *size = region_array(s->mem, struct problem_size,
		n_given + b->n_dims);
	int64_t extent[NETWORK_DIMS];

	for (int i = 0; i < n_given; i++)
		size[n++] = s->options.given.size[i];
	for (int k = 0; k < b->n_dims; k++)
		add_origin(s, block, k, size, &n);
	if (b->whole->waves) {
		for (int k = 0; k < b->n_dims; k++)
			extent[k] = extent_of(s, block, k, size, n);
		size = sizes_of_steps(s, extent, problem_value(block, b->end,
			size, n), &n);
	}
	s->options.given.size = size;
	s->options.given.n_sizes = n;
}

struct exchange_steps steps_of_ranks(const struct ranks *r)
{
	bool is_odd = r->shape.steps % 2 && r->shape.steps > 1;
	struct exchange_steps e = { (int) r->shape.steps, is_odd ? 1 :
		EXCHANGE_PART, { 0 }, r->shape.overlaps > 0, r->shape.overlaps };
	int cuts = 0;

	for (int k = 0; k < r->grid.n_dims; k++)
		cuts += r->shape.count[k] > 1 || r->grid.is_around[k];
	for (int k = 0; k < r->grid.n_dims; k++) {
		int64_t cells = r->grid.size[k] / r->shape.count[k];

		e.shape[k] = (int) r->shape.count[k];
		for (int side = 0; side < SIDES; side++)
			if (r->grid.slope[k][side] * r->shape.steps *
			    EXCHANGE_PART * larger(cuts, 1) > cells)
				e.part = 1;
	}
	return e;
}

struct network_terms predict_ranks(const struct compilation *s,
	const struct prediction *choice)
{
	const struct ranks *r = s->mpi.ranks;
	double cell_s = choice->n_candidates ? seconds_of_cell(s, r, BLOCK,
		choice->candidate->predicted_s) : r->cell_s;
	struct network_grid grid = r->grid;
	struct network_terms t;

	grid.narrows = choice->strategy->narrows;
	t = network_predict(s->machine, &grid, &r->shape, cell_s);
	network_count(&t, &grid);
	return t;
}

/* In C it depends on MPI whether messages travel while nobody calls it, so there somebody asks for
 * it, or the model does.
 */
struct exchange_steps with_zones(const struct compilation *s, struct exchange_steps e)
{
	int wish = s->options.with.mpi_overlap, most = most_turns_of_zones(s);

	if (wish == OVERLAP_OPEN)
		wish = s->options.tile.for_cpu ? OVERLAP_NO : OVERLAP_AUTO;
	if (most < 1 || wish == OVERLAP_NO)
		return e;
	e.overlap = wish == OVERLAP_AUTO ? OVERLAP_PART : 1;
	e.turns = wish == OVERLAP_ALL ? most : 1;
	return e;
}

int turns_of_zones(const struct compilation *s)
{
	struct exchange_steps none = { 0 };

	return s->mpi.ranks ? s->mpi.ranks->shape.overlaps : with_zones(s, none).turns;
}
