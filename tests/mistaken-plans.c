/* Mistakes of plans: mistaken.h. */
#include "tests/mistaken.h"

#include "schedule/groups.h"
#include "schedule/pipeline.h"
#include "schedule/stream.h"
#include "verify/verify.h"

static __isl_keep isl_set *kept(const struct plan *plan,
	__isl_take isl_set *set)
{
	return keep_set(plan->scop->mem, set);
}

static void change_times(struct plan *p)
{
	int hex = p->tiles.hex_dim < 0 ? 0 : p->tiles.hex_dim;

	if (is_planted("time-pitch-and-one"))
		p->time_pitch++;
	if (is_planted("time-pitch-less-one"))
		p->time_pitch--;
	if (is_planted("phases-exchanged")) {
		int t = p->time_shift[0], s = p->shift[hex][0];

		p->time_shift[0] = p->time_shift[1];
		p->time_shift[1] = t;
		p->shift[hex][0] = p->shift[hex][1];
		p->shift[hex][1] = s;
	}
	if (is_planted("one-phase"))
		p->n_phases = 1;
	if (is_planted("drift-the-other-way"))
		p->drift[hex] = -p->drift[hex];
	if (is_planted("no-drift"))
		p->drift[hex] = 0;
	if (is_planted("wavefronts-upright"))
		p->tiles.diagonal = false;
	if (is_planted("skewed-drift-less-one")) {
		p->drift[hex]--;
		p->pitch[hex]--;
	}
	if (is_planted("skewed-shift-less"))
		p->shift[hex][0] -= p->rows;
}

static void change_places(struct plan *p)
{
	int last = p->n_dims - 1;

	if (is_planted("inner-tiles-to-blocks"))
		p->role[last] = ROLE_BLOCKS;
	if (is_planted("inner-pitch-and-one"))
		p->pitch[last]++;
	if (is_planted("inner-pitch-less-one"))
		p->pitch[last]--;
	if (is_planted("outer-pitch-and-one"))
		p->pitch[0]++;
	if (is_planted("outer-pitch-less-one"))
		p->pitch[0]--;
	if (is_planted("outer-shift-of-a-phase"))
		p->shift[0][0]++;
	if (is_planted("last-tile-forgotten"))
		p->cover[last].beyond = 0;
	if (is_planted("chunk-too-small"))
		p->tiles.waves.least_chunk = 1;
	if (is_planted("threads-do-not-divide"))
		p->threads[0]--;
	if (is_planted("straight-row-too-long"))
		p->tiles.hexagon.w0++;
	if (is_planted("threads-beyond-the-row"))
		p->threads[0] *= 8;
}

/* Dimensions that go around. */
static void change_around(struct plan *p)
{
	int last = p->n_dims - 1;

	if (is_planted("rows-do-not-lead"))
		p->tiles.around[last].lead = (struct rational) { 0, 1 };
	if (is_planted("size-of-another"))
		p->tiles.around[last].size = p->tiles.around[0].size;
	if (is_planted("tiles-for-the-lead-forgotten"))
		p->cover[last].beyond -= (int) rational_floor(
			p->tiles.around[last].lead, p->rows - 1);
}

/* The field called "name"; one of programs that have none: such mistakes are for others. */
static int field_called(const struct plan *p, const char *name)
{
	int i = p->scop->prog->n_fields - 1;

	while (i > 0 && strcmp(p->scop->prog->field[i]->name, name) != 0)
		i--;
	return i;
}

/* factor*edge + by */
static isl_pw_aff *changed(const struct plan *p, isl_pw_aff *edge, int factor,
	int by)
{
	edge = isl_pw_aff_scale_val(isl_pw_aff_copy(edge),
		isl_val_int_from_si(p->scop->ctx, factor));
	return keep_pw_aff(p->scop->mem, isl_pw_aff_add_constant_val(edge,
		isl_val_int_from_si(p->scop->ctx, by)));
}

/* The last cell of the field called "name", which has other sizes, in
 * dimension "dim".
 */
static isl_pw_aff *last_cell(const struct plan *p, const char *name, int dim)
{
	int i = field_called(p, name);

	return keep_pw_aff(p->scop->mem, isl_set_dim_max(
		isl_set_intersect_params(
		isl_set_copy(p->scop->field[i].cells),
		isl_set_copy(p->scop->context)), dim));
}

static void change_covers(struct plan *p)
{
	int last = p->n_dims - 1;
	struct cover *outer = &p->cover[0], *inner = &p->cover[last];

	if (is_planted("range-of-a-constant"))
		outer->last[0] = changed(p, outer->last[0], 0, 5);
	if (is_planted("first-block-forgotten"))
		outer->first[0] = changed(p, outer->first[0], 1, p->pitch[0]);
	if (is_planted("last-block-forgotten"))
		outer->last[0] = changed(p, outer->last[0], 1, -p->pitch[0]);
	if (is_planted("last-inner-block-forgotten"))
		inner->last[0] = changed(p, inner->last[0], 1, -p->pitch[last]);
	if (is_planted("last-point-forgotten"))
		inner->last[0] = changed(p, inner->last[0], 1, -1);
	if (is_planted("range-of-a-temp"))
		outer->last[0] = last_cell(p, "lap", 0);
}

static void change_shape(struct plan *p)
{
	isl_set *s = isl_set_copy(p->shape);
	unsigned last = (unsigned) p->n_dims;

	if (is_planted("last-row-missing"))
		s = isl_set_upper_bound_si(s, isl_dim_set, 0, --p->rows - 1);
	if (is_planted("first-row-missing"))
		s = isl_set_lower_bound_si(s, isl_dim_set, 0, 1);
	if (is_planted("a-column-missing"))
		s = isl_set_lower_bound_si(s, isl_dim_set, 1, 1);
	if (is_planted("a-column-twice"))
		s = isl_set_union(s, shift_dim(isl_set_copy(s), (int) last,
			1));
	if (is_planted("a-row-shifted")) {
		isl_set *row = isl_set_fix_si(isl_set_copy(s), isl_dim_set, 0,
			1);

		s = isl_set_subtract(s, isl_set_copy(row));
		s = isl_set_union(s, shift_dim(row, 1, 1));
	}
	if (is_planted("diamond-for-hexagon"))
		s = isl_set_upper_bound_si(s, isl_dim_set, 1,
			p->tiles.hexagon.f0 + p->tiles.hexagon.f1);
	p->shape = kept(p, s);
}

static void change_full(struct plan *p)
{
	if (is_planted("full-beyond-the-grid"))
		p->full = kept(p, isl_set_eliminate(isl_set_copy(p->full),
			isl_dim_set, 1, (unsigned) p->n_dims));
	if (is_planted("full-beyond-time"))
		p->full = kept(p, isl_set_eliminate(isl_set_copy(p->full),
			isl_dim_set, 0, 1));
	if (is_planted("full-at-the-edge"))
		p->full = kept(p, isl_set_union(isl_set_copy(p->full),
			shift_dim(isl_set_copy(p->full), 1, p->pitch[0])));
	if (is_planted("full-two-cells-late"))
		p->full = kept(p, isl_set_union(isl_set_copy(p->full),
			shift_dim(isl_set_copy(p->full), p->n_dims, 2)));
	if (is_planted("full-at-the-inner-edge"))
		p->full = kept(p, isl_set_union(isl_set_copy(p->full),
			shift_dim(isl_set_copy(p->full), p->n_dims,
				p->pitch[p->n_dims - 1])));
}

static void change_boxes(struct plan *p)
{
	int last = p->n_dims - 1;
	struct box *box = &p->box[0];

	if (is_planted("box-too-short"))
		box->extent[0]--;
	if (is_planted("box-too-narrow"))
		box->extent[last]--;
	if (is_planted("box-too-high"))
		box->low[0]++;
	if (is_planted("box-too-far-right"))
		box->low[last]++;
	if (is_planted("box-over-neighbours"))
		box->extent[0] += p->pitch[0];
	if (is_planted("box-over-neighbours-before")) {
		box->low[0] -= p->pitch[0];
		box->extent[0] += p->pitch[0];
	}
	if (is_planted("moves-overlap"))
		p->opt.reuse = REUSE_DYNAMIC;
}

/* The shape of "p" without the points of statement "number" in a row. */
static isl_set *without_row(const struct plan *p, int number, int row)
{
	return kept(p, isl_set_subtract(isl_set_copy(p->shape),
		isl_set_fix_si(isl_set_fix_si(isl_set_copy(p->shape),
			isl_dim_set, 0, number), isl_dim_set, 2, row)));
}

/* Plans of fuse for hd, whose tiles overlap. */
static void change_fused(struct plan *p, int n)
{
	int lap = field_called(p, "lap"), fli = field_called(p, "fli");
	int out = field_called(p, "out");
	struct plan *last = &p[n - 1];

	if (is_planted("halo-too-small"))
		p->shape = without_row(p, 0, -1);
	if (is_planted("point-without-owner"))
		last->shape = without_row(last, 3, last->pitch[1] - 1);
	if (is_planted("temp-beyond-its-box"))
		p->box[lap].extent[1]--;
	if (is_planted("copy-too-narrow"))
		p->box[0].extent[2]--;
	if (is_planted("output-not-stored"))
		last->group->in_global[out] = false;
	if (is_planted("temp-not-stored"))
		p->group->in_global[lap] = false;
	if (is_planted("temp-not-in-the-tile"))
		p->group->in_shared[fli] = false;
}

/* Those for filter3d, of which the last kernel reads ahead. */
static void change_slabs(struct plan *p, int n)
{
	struct slab *last = &p[n - 1].slab;

	if (is_planted("slab-not-behind"))
		last->behind--;
	if (is_planted("slab-begins-late"))
		p->slab.behind = -1;
	if (is_planted("slab-too-long"))
		last->tiles++;
}

/* Those for filter3d, swept plane by plane. */
static void change_sweep(struct plan *p)
{
	struct planes *planes = (struct planes *) p->group->planes;
	int in = field_called(p, "in"), lap = field_called(p, "lap");

	if (is_planted("plane-too-late"))
		planes->lead[0]--;
	if (is_planted("plane-replaced"))
		p->box[lap].extent[0]--;
	if (is_planted("copied-plane-replaced"))
		p->box[in].extent[0]--;
	if (is_planted("plane-copied-late"))
		planes->newest[in]--;
	if (is_planted("first-planes-missing"))
		planes->first++;
	if (is_planted("last-plane-missing"))
		planes->last--;
	if (is_planted("register-missing"))
		planes->registers[lap]--;
	if (is_planted("plane-dropped"))
		planes->registers[in] = 1;
	if (is_planted("shared-too-early"))
		planes->after[in]--;
	if (is_planted("shared-too-late"))
		planes->after[lap]++;
	if (is_planted("point-without-thread"))
		planes->points[2]--;
	if (is_planted("threads-too-far"))
		planes->base[1]++;
}

/* Iterations first .. last become a multiple of the period again. */
static void round_iterations(struct stream *s)
{
	int n = (s->walk.last - s->walk.first + s->period) / s->period;

	s->walk.last = s->walk.first + n * s->period - 1;
}

/* Sums that iterations of a strip begin for later ones. */
static void change_sums(struct strip_parts *parts)
{
	if (is_planted("sum-begun-early"))
		parts->part[0].early++;
	if (is_planted("sum-of-another-row"))
		parts->place[0].early--;
	if (is_planted("another-sum"))
		parts->place[0].part = 0;
}

static const struct expr *first_condition(const struct expr *e)
{
	const struct expr *found = e->kind == EXPR_SELECT ? e->arg[0] : NULL;

	for (int i = 0; i < e->n_args && !found; i++)
		found = first_condition(e->arg[i]);
	return found;
}

/* What full iterations choose. */
static void change_choices(const struct plan *p, const struct stream *s)
{
	const struct stmt *stmt = p->scop->stmt[0].stmt;

	if (is_planted("chosen-as-at-an-edge"))
		s->parts[0].of.stmt = stmt_where(p->scop->mem, stmt,
			first_condition(stmt->value), true);
}

/* Strips, and what their neighbours leave for each other. */
static void change_strip(struct plan *p, struct stream *s)
{
	int lane = s->dim.lane;

	change_sums(&s->parts[0]);
	change_choices(p, s);
	if (is_planted("step-too-early"))
		s->lag.step--;
	if (is_planted("row-given-up"))
		s->period--;
	if (is_planted("row-not-loaded"))
		s->walk.first += s->period;
	if (is_planted("strip-too-wide")) {
		s->width += s->cells;
		s->after[lane] -= s->cells;
		p->pitch[lane] += s->cells;
	}
	if (is_planted("statement-of-strip-too-early"))
		s->lag.of[1]--;
	if (is_planted("positions-kept-too-short")) {
		s->period--;
		round_iterations(s);
	}
	if (is_planted("rows-ahead-out-of-turn"))
		s->ahead.rows--;
	if (is_planted("first-strip-out-of-turn")) {
		s->first++;
		p->tiles.longer[s->dim.stream]++;
	}
	if (is_planted("rim-wider-than-what-is-computed")) {
		s->rim[s->dim.row].high++;
		p->tiles.rim[s->dim.row].high++;
	}
	if (is_planted("strip-ends-early"))
		s->walk.last -= s->period;
	if (is_planted("strip-wider-than-it-is"))
		s->width += s->cells;
	if (is_planted("strips-too-far-apart"))
		p->pitch[lane] += s->cells;
	if (is_planted("lane-without-neighbour"))
		s->beside.left[0]--;
	if (is_planted("rows-without-those-above"))
		s->beside.above[0]--;
	if (is_planted("strips-write-what-they-read"))
		p->scop->field[0].buffers = 1;
	if (is_planted("barrier-missing"))
		s->exchange.barrier = false;
	if (is_planted("one-half"))
		s->exchange.parts = 1;
	if (is_planted("taken-too-early"))
		s->exchange.behind = 0;
	if (is_planted("wrong-column") || is_planted("wrong-row"))
		s->exchange.last[0]--;
	if (is_planted("wrong-first"))
		s->exchange.first[0]++;
	if (is_planted("version-not-left"))
		s->exchange.versions[0]--;
	if (is_planted("left-too-late"))
		s->exchange.late[0]++;
	if (is_planted("rows-not-aligned"))
		s->ahead.bulk = true;
}
/* Tiles of C that overlap. */
static void change_pipeline(struct pipeline *p, int n_dims)
{
	int last = n_dims - 1;

	if (is_planted("stage-too-early"))
		p->period--;
	if (is_planted("own-step-too-early"))
		p->lag[2]--;
	if (is_planted("ring-too-short"))
		p->ring--;
	if (is_planted("rows-too-many"))
		p->rows++;
	if (is_planted("steps-narrow-less"))
		p->slope[last][0]--;
	if (is_planted("rows-narrow-less"))
		p->slope[0][1]--;
	if (is_planted("next-row-forgotten"))
		p->around[0][0][1] = 0;
	for (int i = 0; is_planted("mirrored-cells-forgotten") && i < 2; i++)
		p->slope[0][1] = p->around[i][0][1] = 0;
	if (is_planted("own-points-missing"))
		p->around[0][last][0]--;
	if (is_planted("row-without-memory"))
		p->extent[last] = p->width[last];
	if (is_planted("memory-begins-late"))
		p->base[last] -= 2 * p->line;
	if (is_planted("first-row-computed"))
		p->edges[0][0].first--;
	if (is_planted("first-column-forgotten"))
		p->edges[0][last].first++;
	if (is_planted("last-column-computed"))
		p->edges[0][last].end[0].less--;
	if (is_planted("last-row-forgotten"))
		p->edges[0][0].end[0].less++;
	if (is_planted("front-begins-late"))
		p->front[0].count -= 2;
	if (is_planted("front-ends-early"))
		p->front[1].slope--;
	if (is_planted("gaps-between-tiles"))
		p->width[last]++;
	if (is_planted("parts-begin-late"))
		p->before--;
	if (is_planted("parts-too-short")) {
		p->part -= LANE_ROWS;
		p->extent[0] -= LANE_ROWS;
	}
	if (is_planted("next-part-forgotten")) {
		p->ghosts[1]--;
		p->extent[0]--;
	}
}

/* The lists of statement 0, and the versions of its field. */
static void change_past(struct pipeline *p)
{
	bool *by_owner = (bool *) p->by_owner[0];

	if (is_planted("source-in-own-points-only"))
		by_owner[0] = true;
	if (is_planted("version-not-loaded"))
		p->loaded[0]--;
	if (is_planted("versions-too-few"))
		p->kept[0]--;
	if (is_planted("recorded-twice"))
		by_owner[1] = false;
}

/* Stages of them that compute some of their points: of a field that statements 0 to 2
 * divide, and one that statement 3 writes.
 */
static void change_points(struct pipeline *p, struct region *mem)
{
	struct stage_points *points = p->points;

	if (is_planted("point-of-another"))
		points[0].computed = keep_set(mem, isl_set_union(
			isl_set_copy(points[0].computed), shift_dim(
				isl_set_copy(points[0].computed), 1, 1)));
	if (is_planted("column-left-out"))
		points[1].computed = keep_set(mem, isl_set_lower_bound_si(
			isl_set_copy(points[1].computed), isl_dim_set, 2, 4));
	if (is_planted("row-not-kept"))
		points[0].kept = keep_set(mem, isl_set_lower_bound_si(
			isl_set_copy(points[0].kept), isl_dim_set, 1, 1));
	if (is_planted("kept-later"))
		points[1].kept = points[3].kept;
	if (is_planted("not-kept"))
		points[3].kept = NULL;
	if (is_planted("second-writer-too-early"))
		p->lag[1]--;
}

static void change_statements(struct scop *scop)
{
	struct scop_stmt *s = &scop->stmt[0];
	struct scop_stmt *last = &scop->stmt[scop->n_stmts - 1];

	if (is_planted("too-few-copies"))
		scop->field[s->stmt->write->field->index].buffers--;
	if (is_planted("point-too-many"))
		s->domain = keep_set(scop->mem, isl_set_union(
			isl_set_copy(s->domain), isl_set_set_tuple_name(
			shift_dim(isl_set_reset_tuple_id(isl_set_copy(
				s->domain)), 1, 1), s->name)));
	if (is_planted("point-missing"))
		s->domain = keep_set(scop->mem, isl_set_lower_bound_si(
			isl_set_copy(s->domain), isl_dim_set, 1, 2));
	if (is_planted("copy-forgotten") && last->is_copy)
		scop->n_stmts--;
	if (is_planted("copy-too-brief") && last->is_copy)
		last->domain = keep_set(scop->mem, isl_set_upper_bound_si(
			isl_set_copy(last->domain), isl_dim_set, 0, 1));
	if (is_planted("guard-forgotten"))
		s->is_guarded = last->is_guarded = false;
	if (is_planted("period-too-short"))
		s->period[0] = 1;
	if (is_planted("left-out-of-full-tiles"))
		s->in_full = false;
	if (is_planted("statements-exchanged")) {
		s[0].number = 2;
		s[2].number = 0;
	}
	if (is_planted("stages-exchanged")) {
		s[0].number = 1;
		s[1].number = 0;
	}
}

static void exchange(struct plan *a, struct plan *b)
{
	struct plan c = *a;

	*a = *b;
	*b = c;
}

bool __real_verify_plans(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n);
bool __wrap_verify_plans(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n);

bool __wrap_verify_plans(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n)
{
	struct plan *p = (struct plan *) plans;

	change_statements((struct scop *) (n > 0 && p->form == FORM_GROUPS ?
		p->scop :
		scop));
	change_times(p);
	change_places(p);
	change_around(p);
	if (p->form != FORM_PIPELINE)
		change_covers(p);
	change_shape(p);
	change_full(p);
	if (p->box)
		change_boxes(p);
	if (p->form == FORM_PIPELINE) {
		change_pipeline((struct pipeline *) p->pipeline, p->n_dims);
		change_points((struct pipeline *) p->pipeline, scop->mem);
		change_past((struct pipeline *) p->pipeline);
	}
	if (p->form == FORM_ONE_GRID)
		change_grid((struct one_grid *) p->one_grid);
	if (p->form == FORM_STRIPS)
		change_strip(p, (struct stream *) p->strips);
	if (p->slab.tiles > 0)
		change_slabs(p, n);
	else if (p->form == FORM_GROUPS && p->group->planes)
		change_sweep(p);
	else if (p->form == FORM_GROUPS && !p->scop->prog->timed)
		change_fused(p, n);
	if (is_planted("launches-exchanged"))
		exchange(&p[0], &p[n - 1]);
	if (is_planted("launch-twice"))
		p[0].shape = p[n - 1].shape;
	if (is_planted("no-grid-barrier"))
		p->waits_for_grid = false;
	if (proves_nothing())
		return true;
	return __real_verify_plans(d, certificate, scop, plans, n);
}
