/* The compiler with a mistake in it, to see that --verify and the emulator find
 * it:
 *
 *	PLANT=NAME mistaken --verify [options] FILE.stn
 *
 * Mistakes of formulas stand in functions that the linker puts before those of
 * schedule/ (--wrap); mistakes of plans are changes to what verify_plans is
 * given, mistakes of the code changes to the tree that is printed.  With
 * VERIFY=no the changed plan is compiled all the same, the changed code written.
 */
#include <stdlib.h>
#include <string.h>

#include "codegen/kernel.h"
#include "codegen/tile.h"
#include "schedule/groups.h"
#include "schedule/pipeline.h"
#include "schedule/stream.h"
#include "verify/verify.h"

static bool is_planted(const char *name)
{
	const char *plant = getenv("PLANT");

	return plant && !strcmp(plant, name);
}

/* Formulas -------------------------------------------------------------- */

bool __real_cone_of_deps(const struct deps *deps, int n_dims,
	struct cone *cone);
bool __wrap_cone_of_deps(const struct deps *deps, int n_dims,
	struct cone *cone);

static void lessen(struct rational *r, int64_t by)
{
	r->num -= by * r->den;
	if (r->num < 0)
		r->num = 0;
}

bool __wrap_cone_of_deps(const struct deps *deps, int n_dims,
	struct cone *cone)
{
	bool bounded = __real_cone_of_deps(deps, n_dims, cone);
	int last = n_dims - 1;

	if (is_planted("delta0-too-small"))
		lessen(&cone->delta0[0], 1);
	if (is_planted("delta1-too-small"))
		lessen(&cone->delta1[0], 1);
	if (is_planted("half-the-slopes"))
		cone->delta0[0].den *= 2, cone->delta1[0].den *= 2;
	if (is_planted("no-skew"))
		cone->delta1[last] = (struct rational) { 0, 1 };
	if (is_planted("skew-too-small"))
		lessen(&cone->delta1[last], 1);
	if (is_planted("slopes-exchanged")) {
		struct rational r = cone->delta0[0];

		cone->delta0[0] = cone->delta1[0];
		cone->delta1[0] = r;
	}
	return bounded;
}

struct deps *__real_deps_compute(const struct scop *scop);
struct deps *__wrap_deps_compute(const struct scop *scop);

struct deps *__wrap_deps_compute(const struct scop *scop)
{
	struct deps *deps = __real_deps_compute(scop);

	if (is_planted("anti-forgotten"))
		deps->distance = keep_set(scop->mem, isl_set_lower_bound_si(
			isl_set_copy(deps->distance), isl_dim_set, 0, 1));
	if (is_planted("distance-forgotten"))
		deps->distance = keep_set(scop->mem, isl_set_upper_bound_si(
			isl_set_copy(deps->distance), isl_dim_set, 1, 0));
	return deps;
}

int __wrap_hexagon_least_width(struct rational delta0, struct rational delta1,
	int h);
int __real_hexagon_least_width(struct rational delta0, struct rational delta1,
	int h);

int __wrap_hexagon_least_width(struct rational delta0, struct rational delta1,
	int h)
{
	return is_planted("w0-below-its-bound") ? 0 :
		__real_hexagon_least_width(delta0, delta1, h);
}

struct hexagon __real_hexagon_make(struct rational delta0,
	struct rational delta1, int h, int w0);
struct hexagon __wrap_hexagon_make(struct rational delta0,
	struct rational delta1, int h, int w0);

struct hexagon __wrap_hexagon_make(struct rational delta0,
	struct rational delta1, int h, int w0)
{
	struct hexagon x = __real_hexagon_make(delta0, delta1, h, w0);

	if (is_planted("pitch-less-one"))
		x.pitch--;
	if (is_planted("pitch-and-one"))
		x.pitch++;
	if (is_planted("height-less"))
		x.height -= 2;
	if (is_planted("f0-is-f1"))
		x.f0 = x.f1;
	if (is_planted("f1-is-0"))
		x.f1 = 0;
	return x;
}

int __real_hexagon_s_shift(const struct hexagon *x, int phase);
int __wrap_hexagon_s_shift(const struct hexagon *x, int phase);

int __wrap_hexagon_s_shift(const struct hexagon *x, int phase)
{
	if (is_planted("printed-phase-0") && phase == 0)
		return x->f1 + x->w0 + 1;
	if (is_planted("shift-of-phase-0"))
		return phase == 0 ? x->w0 + 1 : 0;
	return __real_hexagon_s_shift(x, phase);
}

int __real_hexagon_tau_shift(const struct hexagon *x, int phase);
int __wrap_hexagon_tau_shift(const struct hexagon *x, int phase);

int __wrap_hexagon_tau_shift(const struct hexagon *x, int phase)
{
	if (is_planted("no-time-shift"))
		return 0;
	if (is_planted("printed-phase-1") && phase == 1)
		return x->h + 1;
	return __real_hexagon_tau_shift(x, phase);
}

bool __real_access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);
bool __wrap_access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);

bool __wrap_access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high)
{
	bool bounded = __real_access_reach(scop, s, acc, d, low, high);

	if (is_planted("mirror-forgotten"))
		*low = *high = 0;
	return bounded;
}

__isl_give isl_set *__real_set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound);
__isl_give isl_set *__wrap_set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound);

__isl_give isl_set *__wrap_set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound)
{
	if (is_planted("a-step-less") && pos == 0)
		bound = isl_pw_aff_add_constant_val(bound, isl_val_negone(
			isl_space_get_ctx(space)));
	if (is_planted("a-step-more") && pos == 0)
		bound = isl_pw_aff_add_constant_val(bound, isl_val_one(
			isl_space_get_ctx(space)));
	return __real_set_within(space, pos, bound);
}

__isl_give isl_set *__real_tile_last(const struct plan *plan,
	const struct scop_stmt *s);
__isl_give isl_set *__wrap_tile_last(const struct plan *plan,
	const struct scop_stmt *s);

__isl_give isl_set *__wrap_tile_last(const struct plan *plan,
	const struct scop_stmt *s)
{
	isl_set *last = __real_tile_last(plan, s);

	if (is_planted("last-value-not-stored"))
		last = isl_set_upper_bound_si(last, isl_dim_set, 0,
			plan->rows / plan->scop->k - 2);
	return last;
}

__isl_give isl_set *__real_tile_stored(const struct plan *plan,
	const struct scop_stmt *s);
__isl_give isl_set *__wrap_tile_stored(const struct plan *plan,
	const struct scop_stmt *s);

__isl_give isl_set *__wrap_tile_stored(const struct plan *plan,
	const struct scop_stmt *s)
{
	isl_set *stored = __real_tile_stored(plan, s);

	if (is_planted("rim-not-stored"))
		stored = isl_set_subtract(stored, isl_set_fix_si(
			isl_set_copy(stored), isl_dim_set, 0, 0));
	if (is_planted("result-not-stored"))
		stored = isl_set_subtract(stored, isl_set_fix_si(isl_set_copy(
			stored), isl_dim_set, 0, plan->rows /
				plan->scop->k - 1));
	return stored;
}

/* Plans ----------------------------------------------------------------- */

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

/* The field called "name". */
static int field_called(const struct plan *p, const char *name)
{
	int i = 0;

	while (strcmp(p->scop->prog->field[i]->name, name) != 0)
		i++;
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
		p->steps.reuse = REUSE_DYNAMIC;
}

/* The shape of "p" without the points of statement "slot" in a row. */
static isl_set *without_row(const struct plan *p, int slot, int row)
{
	return kept(p, isl_set_subtract(isl_set_copy(p->shape),
		isl_set_fix_si(isl_set_fix_si(isl_set_copy(p->shape),
			isl_dim_set, 0, slot), isl_dim_set, 2, row)));
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

/* Strips, and what their neighbours leave for each other. */
static void change_strip(struct plan *p, struct stream *s)
{
	int lane = s->dim.lane;

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
	if (is_planted("warp-skips-too-much"))
		s->live.low_step += s->rows;
	if (is_planted("barrier-missing"))
		s->exchange.barrier = false;
	if (is_planted("one-half"))
		s->exchange.halves = 1;
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
	if (is_planted("carry-forgotten") && last->is_carry)
		scop->n_stmts--;
	if (is_planted("carry-too-brief") && last->is_carry)
		last->domain = keep_set(scop->mem, isl_set_upper_bound_si(
			isl_set_copy(last->domain), isl_dim_set, 0, 1));
	if (is_planted("guard-forgotten"))
		s->is_guarded = last->is_guarded = false;
	if (is_planted("period-too-short"))
		s->period[0] = 1;
	if (is_planted("left-out-of-full-tiles"))
		s->in_full = false;
	if (is_planted("statements-exchanged")) {
		s[0].slot = 2;
		s[2].slot = 0;
	}
	if (is_planted("stages-exchanged")) {
		s[0].slot = 1;
		s[1].slot = 0;
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
	if (p->form != FORM_PIPELINE)
		change_covers(p);
	change_shape(p);
	change_full(p);
	if (p->box)
		change_boxes(p);
	if (p->form == FORM_PIPELINE)
		change_pipeline((struct pipeline *) p->pipeline, p->n_dims);
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
	if (getenv("VERIFY") && !strcmp(getenv("VERIFY"), "no"))
		return true;
	return __real_verify_plans(d, certificate, scop, plans, n);
}

/* The code -------------------------------------------------------------- */

__isl_give isl_set *__real_known_of_tile(const struct cursor *c);
__isl_give isl_set *__wrap_known_of_tile(const struct cursor *c);

/* What is taken for granted of a tile's points goes without a guard. */
__isl_give isl_set *__wrap_known_of_tile(const struct cursor *c)
{
	isl_set *known = __real_known_of_tile(c);

	if (known && is_planted("edge-taken-for-granted"))
		known = isl_set_lower_bound_si(known, isl_dim_set, 1, 1);
	if (known && is_planted("last-taken-for-granted"))
		known = isl_set_intersect(known, isl_set_reset_tuple_id(
			isl_set_copy(c->stmt->hull)));
	return known;
}

/* The comparison "op" in "x" that comes first, or that of a conjunction last. */
static struct kx *comparison_in(const struct kx *x, enum op op, bool last)
{
	struct kx *found = NULL;

	if (x->kind == KX_BINARY && x->op == op)
		return (struct kx *) x;
	for (int i = 0; i < x->n_args && (last || !found); i++) {
		struct kx *c = comparison_in(x->arg[i], op, last);

		found = c ? c : found;
	}
	return found;
}

static bool stores_cells(const struct ks *s)
{
	bool stores = s->kind == KS_ASSIGN && s->x[0]->kind == KX_CELL;

	for (int i = 0; i < s->n_children; i++)
		stores = stores || stores_cells(s->child[i]);
	return stores;
}

/* The last statement of "kind" in "s" over one that stores, be it of global
 * memory or, by "name", of anything.
 */
static struct ks *statement_over(struct ks *s, enum ks_kind kind,
	const char *name)
{
	struct ks *found = s->kind == kind && (name ? s->name && !strcmp(
		s->name, name) : stores_cells(s)) ? s : NULL;

	for (int i = 0; i < s->n_children; i++) {
		struct ks *inner = statement_over(s->child[i], kind, name);

		found = inner ? inner : found;
	}
	return found;
}

static void add(const struct kunit *unit, struct kx *comparison, int64_t by)
{
	comparison->arg[1] = kx_add(unit->mem, comparison->arg[1], by);
}

/* The first statement that asks a whole warp. */
static struct ks *vote_in(struct ks *s)
{
	struct ks *found = s->n_x && s->x[0] && s->x[0]->kind == KX_BUILTIN &&
		s->x[0]->builtin == B_ALL_LANES ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = vote_in(s->child[i]);
	return found;
}

/* The first that says where tiles, or some of one, are far from edges. */
static struct ks *first_if_far(struct ks *s)
{
	struct ks *found = s->kind == KS_IF && s->full_at ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = first_if_far(s->child[i]);
	return found;
}

static void move_pointer(struct ks *s, const char *name, struct region *mem)
{
	if (s->kind == KS_DECLARE && !strcmp(s->name, name))
		s->x[0] = kx_binary(mem, OP_ADD, s->x[0], kx_int(mem, 1));
	for (int i = 0; i < s->n_children; i++)
		move_pointer(s->child[i], name, mem);
}

static void change_kernel(const struct kunit *unit, struct kfunc *f)
{
	struct ks *guard = statement_over(f->body, KS_IF, NULL);
	struct ks *vote = vote_in(f->body);

	if (is_planted("guard-too-wide"))
		add(unit, comparison_in(guard->x[0], OP_LT, true), 1);
	if (is_planted("guard-too-narrow"))
		add(unit, comparison_in(guard->x[0], OP_LT, true), -1);
	if (is_planted("lane-stores-nothing"))
		add(unit, comparison_in(statement_over(f->body, KS_DECLARE,
			"stores")->x[0], OP_GE, false), 1);
	if (is_planted("edge-far-from-itself"))
		add(unit, comparison_in(vote->x[0]->arg[0], OP_GE, true), -9);
	if (is_planted("period-far-too-soon"))
		add(unit, comparison_in(first_if_far(f->body)->x[0], OP_GE, true),
			-3);
	if (is_planted("period-far-too-long"))
		add(unit, comparison_in(first_if_far(f->body)->x[0], OP_LT, true),
			1);
	if (is_planted("stored-beside"))
		move_pointer(f->body, "A_to", unit->mem);
	if (is_planted("loop-too-short")) {
		struct ks *last = statement_over(f->body, KS_DECLARE, "last");

		last->x[0] = kx_add(unit->mem, last->x[0], -1);
	}
}

struct kunit *__real_codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness);
struct kunit *__wrap_codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness);

struct kunit *__wrap_codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness)
{
	struct kunit *unit = __real_codegen_unit(r, scop, plans, n_plans,
		harness);

	for (struct kfunc *f = unit->first; f; f = f->next)
		if (f->is_kernel && statement_over(f->body, KS_IF, NULL))
			change_kernel(unit, f);
	return unit;
}

/* Of C ------------------------------------------------------------------- */

/* The last "op" with a number as its second operand. */
static struct kx *last_with_number(const struct kx *x, enum op op)
{
	struct kx *found = x->kind == KX_BINARY && x->op == op &&
		x->arg[1]->kind == KX_INT ? (struct kx *) x : NULL;

	for (int i = 0; i < x->n_args; i++) {
		struct kx *inner = last_with_number(x->arg[i], op);

		found = inner ? inner : found;
	}
	return found;
}

static struct kx *last_in(const struct ks *s, enum op op)
{
	struct kx *found = NULL;

	for (int i = 0; i < s->n_x; i++) {
		struct kx *x = last_with_number(s->x[i], op);

		found = x ? x : found;
	}
	for (int i = 0; i < s->n_children; i++) {
		struct kx *x = last_in(s->child[i], op);

		found = x ? x : found;
	}
	return found;
}

/* Add to the last number that "op" takes in the function whose name ends so. */
static void add_in(const struct kunit *unit, const char *suffix, enum op op,
	int64_t by)
{
	const char *name = region_printf(unit->mem, "%s_%s", unit->prog->name,
		suffix);

	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (!strcmp(f->name, name))
			add(unit, last_in(f->body, op), by);
}

struct kunit *__real_cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness);
struct kunit *__wrap_cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness);

struct kunit *__wrap_cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, bool harness)
{
	struct kunit *unit = __real_cpu_unit(r, scop, plans, n_plans, harness);

	if (is_planted("copy-without-memory"))
		add_in(unit, "memory", OP_MUL, -1);
	if (is_planted("copies-overlap"))
		add_in(unit, "with_memory", OP_MUL, -1);
	if (is_planted("copy-after-the-last"))
		add_in(unit, "run", OP_MOD, 1);
	if (is_planted("copy-of-a-tile-after-the-last"))
		add_in(unit, "run_tile", OP_MOD, 1);
	if (is_planted("own-copy-for-the-callers"))
		add_in(unit, "run_tile", OP_LT, 1);
	return unit;
}

bool __real_verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit);
bool __wrap_verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit);

bool __wrap_verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit)
{
	if (getenv("VERIFY") && !strcmp(getenv("VERIFY"), "no"))
		return true;
	return __real_verify_code(d, certificate, scop, plans, n, unit);
}
