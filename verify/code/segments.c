/* The segments of a run, and the reductions behind them, as the host's code has them:
 *
 *	for (first = begin; first < end of all && !ends; first += steps) {
 *		end = ..;
 *		the steps from first to end
 *		if (it is due) a reduction
 *	}
 *
 * The segments follow each other from the first step to the last one.  None goes beyond a step
 * after which a reduction is due that somebody sees.  Each such reduction is computed where it
 * is due, and goes where it belongs; the others are computed behind all segments.  A reduction
 * reads the cells and steps that it names.
 */
#include <string.h>

#include "codegen/tree/lower.h"
#include "verify/code/segments.h"

/* What to find in the host function that has the segments. */
struct found {
	struct code *w;
	const char *reduction;		/* the function's name */
	const struct ks *at;		/* calls or launches it, .. */
	const struct ks *around;	/* .. the "if" around that, or NULL */
	int n;
	bool runs_after;		/* something else is launched or called
					 * behind it */
};

static const struct segments *segments_of(const struct code *w)
{
	return w->c->prog->segments;
}

__isl_give isl_pw_aff *value_in_code(struct code *w, const struct expr *e)
{
	isl_space *space = isl_set_get_space(w->at);
	isl_pw_aff *value = value_of(w->c, space, e);

	isl_space_free(space);
	return value;
}

bool never(struct code *w, __isl_take isl_set *wrong)
{
	bool none;

	wrong = isl_set_intersect(wrong, isl_set_copy(w->at));
	none = isl_set_is_empty(wrong) == isl_bool_true;
	isl_set_free(wrong);
	w->c->n_sets += none;
	return none;
}

static bool is_number(struct code *w, const struct kx *x,
	__isl_take isl_pw_aff *value)
{
	isl_pw_aff *own = number_of(w, x);

	if (own)
		return never(w, isl_pw_aff_ne_set(own, value));
	isl_pw_aff_free(value);
	return false;
}

/* (time - begin) mod every == 0 */
static __isl_give isl_set *due_at(struct code *w, __isl_take isl_pw_aff *time,
	int64_t every)
{
	isl_pw_aff *steps = isl_pw_aff_sub(time, value_in_code(w,
		segments_of(w)->whole_begin));

	return isl_pw_aff_zero_set(isl_pw_aff_mod_val(steps,
		isl_val_int_from_si(w->c->ctx, (long) every)));
}

/* Statements ---------------------------------------------------------------- */

static const struct ks *statement_called(const struct ks *s, enum ks_kind kind,
	const char *name)
{
	const struct ks *found = s->kind == kind && s->name && !strcmp(s->name,
		name) ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = statement_called(s->child[i], kind, name);
	return found;
}

const struct kx *call_made(const struct ks *s)
{
	const struct kx *x = s->n_x && (s->kind == KS_ASSIGN || s->kind ==
		KS_EXPRESSION || s->kind == KS_DECLARE) ? s->x[s->n_x - 1] :
		NULL;

	while (x && x->kind == KX_CAST)
		x = x->arg[0];
	return x && x->kind == KX_CALL ? x : NULL;
}

/* The function that "s" calls or launches, or NULL. */
static const char *called_by(const struct ks *s)
{
	const struct kx *x = call_made(s);

	return s->kind == KS_LAUNCH ? s->name : x ? x->name : NULL;
}

/* Does the function called "name" change states?  Of those of ranks one does. */
static bool moves_on(const char *name)
{
	return !strstr(name, "_reduce") && (strncmp(name, "stencilc_", 9) ||
		!strcmp(name, "stencilc_exchange"));
}

static void find_reduction(struct found *f, const struct ks *s,
	const struct ks *around)
{
	const char *name = called_by(s);

	if (name && !strcmp(name, f->reduction)) {
		f->at = s;
		f->around = around;
		f->n++;
		f->runs_after = false;
	} else if (name && f->n > 0 && moves_on(name)) {
		f->runs_after = true;
	}
	for (int i = 0; i < s->n_children; i++)
		find_reduction(f, s->child[i], s->kind == KS_IF ? s : around);
}

static struct found found_in(struct code *w, const struct ks *s, int i)
{
	struct found f = { .w = w, .reduction = region_printf(w->c->mem,
		"%s_reduce%d", w->c->prog->name, i) };

	find_reduction(&f, s, NULL);
	return f;
}

const struct kx *argument_for(const struct code *w, const char *function,
	const struct kx *const *arg, const char *param)
{
	const struct kfunc *f = unit_function(w->unit, function);

	for (int i = 0; f && i < f->n_params; i++)
		if (!strcmp(f->param[i].name, param))
			return arg[i];
	return NULL;
}

/* What the reduction gets for its parameter "param", or NULL. */
static const struct kx *argument_called(const struct found *f,
	const char *param)
{
	return argument_for(f->w, f->reduction, f->at->kind == KS_LAUNCH ?
		f->at->x + 3 : call_made(f->at)->arg, param);
}

/* Reductions ---------------------------------------------------------------- */

/* Its destination: e[at], or the kernel's "at". */
static const struct kx *place_of(const struct found *f)
{
	return f->at->kind == KS_LAUNCH ? argument_called(f, fresh_name(
		f->w->c->mem, f->w->c->prog, "at")) : f->at->kind == KS_ASSIGN &&
		f->at->x[0]->kind == KX_INDEX ? f->at->x[0]->arg[0] : NULL;
}

static bool goes_where_it_belongs(const struct found *f,
	const struct reduction *r)
{
	struct code *w = f->w;
	const struct kx *place = place_of(f);
	isl_pw_aff *number = isl_pw_aff_sub(value_in_code(w, segments_of(w)->to),
		value_in_code(w, segments_of(w)->whole_begin));
	isl_val *every = isl_val_int_from_si(w->c->ctx, (long) r->every);

	/* (end - begin) / every - 1, if that is whole; 0 for a number */
	number = isl_pw_aff_add_constant_val(isl_pw_aff_floor(
		isl_pw_aff_scale_down_val(number, every)), isl_val_negone(
			w->c->ctx));
	if (r->result->is_scalar)
		number = isl_pw_aff_sub(isl_pw_aff_copy(number), number);
	return place && is_number(w, place, number) ? true : refute(w->c, "a "
		"value of '%s' goes where it does not belong",
		r->result->name);
}

static bool has_time_of(const struct found *f, __isl_take isl_pw_aff *end)
{
	struct code *w = f->w;
	const struct kx *time = argument_called(f, kernel_names_new(w->c->mem,
		w->c->prog)->time);

	end = isl_pw_aff_add_constant_val(end, isl_val_negone(w->c->ctx));
	if (!time) {
		isl_pw_aff_free(end);
		return true;
	}
	return is_number(w, time, end) || refute(w->c, "'%s' is called with "
		"the time of another step", f->reduction);
}

/* It is computed where it is due, and nowhere else. */
static bool is_where_due(const struct found *f, const struct reduction *r)
{
	struct code *w = f->w;
	const struct segments *s = segments_of(w);
	isl_set *due = due_at(w, value_in_code(w, segments_of(w)->to), r->every);
	isl_set *holds = isl_set_universe(isl_set_get_space(w->at));
	bool right;

	if (r->result->is_scalar)
		due = isl_set_union(due, isl_pw_aff_eq_set(value_in_code(w,
			segments_of(w)->to), value_in_code(w, s->whole_end)));
	if (f->around) {
		struct condition c = condition_of(w, f->around->x[0]);

		isl_set_free(c.fails);
		isl_set_free(holds);
		holds = c.holds;
	}
	right = never(w, isl_set_subtract(isl_set_copy(due), isl_set_copy(
		holds))) && never(w, isl_set_subtract(holds, isl_set_copy(due)));
	isl_set_free(due);
	return right || refute(w->c, "'%s' is not computed where it is due",
		r->result->name);
}

static bool leaves(const struct ks *s)
{
	bool does = s->kind == KS_RETURN || s->kind == KS_GOTO;

	for (int i = 0; !does && i < s->n_children; i++)
		does = leaves(s->child[i]);
	return does;
}

/* Does "s", or a part of it, return where the number called "broken" is above 0? */
static bool leaves_if(const struct ks *s, const char *broken)
{
	const struct kx *x = s->kind == KS_IF ? s->x[0] : NULL;

	if (x && x->kind == KX_BINARY && x->op == OP_GT &&
	    x->arg[0]->kind == KX_NAME && !strcmp(x->arg[0]->name, broken) &&
	    kx_is_int(x->arg[1], 0))
		return leaves(s->child[0]);
	for (int i = 0; i < s->n_children; i++)
		if (leaves_if(s->child[i], broken))
			return true;
	return false;
}

static bool compares(const struct kx *x, const char *broken)
{
	bool does = x->kind == KX_BINARY && x->op == OP_GT &&
		x->arg[0]->kind == KX_NAME && !strcmp(x->arg[0]->name,
			broken) && kx_is_int(x->arg[1], 0);

	for (int i = 0; !does && i < x->n_args && x->op == OP_AND; i++)
		does = compares(x->arg[i], broken);
	return does;
}

/* The status that "s" sets where the number called "broken" is above 0 and there is none yet. */
static const struct kx *status_set_if(const struct ks *s, const char *broken)
{
	const struct ks *then = s->kind == KS_IF && compares(s->x[0], broken) ?
		s->child[0] : NULL;
	const struct kx *status = NULL;

	while (then && then->kind == KS_BLOCK && then->n_children == 1)
		then = then->child[0];
	if (then && then->kind == KS_ASSIGN && then->x[1]->kind ==
	    KX_INT && then->x[1]->ivalue != 0)
		return then->x[0];
	for (int i = 0; !status && i < s->n_children; i++)
		status = status_set_if(s->child[i], broken);
	return status;
}

/* Ranks leave the loop together: it goes on while a status is 0 that they agree on. */
static bool ends_loop(const struct ks *loop, const struct kx *status)
{
	const struct kx *x = loop->kind == KS_FOR ? loop->x[1] : NULL;

	return status && x && x->kind == KX_BINARY && x->op == OP_AND &&
		x->arg[1]->kind == KX_UNARY && x->arg[1]->op == OP_NOT &&
		kx_same(x->arg[1]->arg[0], status);
}

/* The value of a check is acted upon. */
static bool check_leaves(struct code *w, const struct ks *body, int i,
	const struct found *f)
{
	const char *broken = f->at->kind == KS_DECLARE ? f->at->name :
		fresh_name(w->c->mem, w->c->prog, "broken%d_newest", i);

	return leaves_if(body, broken) || (w->unit->blocks && ends_loop(body,
		status_set_if(body, broken))) || refute(w->c, "the run goes on where a "
		"value of '%s' is not finite",
		w->c->prog->reduction[i]->result->name);
}

static bool check_seen(struct code *w, const struct ks *body, int i)
{
	const struct reduction *r = w->c->prog->reduction[i];
	struct found f = found_in(w, body, i);
	isl_set *before = isl_set_copy(w->at);
	bool right;

	if (f.n != 1 || f.runs_after)
		return isl_set_free(before), refute(w->c, "'%s' is not "
			"computed once behind the steps of a segment",
			r->result->name);
	right = is_where_due(&f, r);
	if (!r->result->is_scalar)
		w->at = isl_set_intersect(w->at, due_at(w, value_in_code(w,
			segments_of(w)->to), r->every));
	right = right && (r->is_check ? check_leaves(w, body, i, &f) :
		goes_where_it_belongs(&f, r)) && has_time_of(&f,
		value_in_code(w, segments_of(w)->to));
	isl_set_free(w->at);
	w->at = before;
	return right;
}

/* Reads ---------------------------------------------------------------------- */

/* stride*iterator + offset, of dimension "d" of "acc"; a rank's cells begin where its block does. */
static const struct kx *subscript(const struct code *w,
	const struct stmt *point, const struct access *acc, int d)
{
	const struct blocks *blocks = w->unit->blocks;
	int k = blocks ? blocks->field[acc->field->index].cut[d] : -1;
	const struct kx *x = kx_subscript(w->c->mem, acc, d, kx_name(w->c->mem,
		point->iterator[acc->dim[d]]));

	return k < 0 ? x : kx_binary(w->c->mem, OP_SUB, x, kx_name(w->c->mem,
		blocks->dim[k].origin->name));
}

static const struct kfunc *function_of_ranks(const struct code *w)
{
	return w->unit->blocks ? unit_function(w->unit, region_printf(w->c->mem,
		"%s_on_ranks", w->c->prog->name)) : NULL;
}

/* Do kernels make values of pieces, which functions of ranks join? */
static bool makes_pieces(const struct code *w)
{
	return function_of_ranks(w);
}

/* The copy with the version that "acc" reads, when the steps are done. */
static int64_t copy_kept(const struct code *w, const struct access *acc,
	const struct kx *x)
{
	int64_t copy = acc->version - 1;

	if (x->kind == KX_INDEX)
		return acc->field->depth - 1 + copy;
	return copy < 0 ? copy + w->c->plan->scop->field[
		acc->field->index].buffers : copy;
}

/* In a tile each version of a state has a name. */
static bool is_version(const struct code *w, const struct stmt *point,
	const struct access *acc, const char *name)
{
	const struct program *p = w->c->prog;
	bool in_tile = false;

	for (int i = 0; i < p->n_reductions; i++)
		in_tile = in_tile || (p->reduction[i]->point == point &&
			reduction_in_tiles(w, i));
	return in_tile && acc->field->kind == FIELD_STATE && !strcmp(name,
		version_name(w->c->mem, p, acc->field, acc->version));
}

static bool is_cell(struct code *w, const struct stmt *point,
	const struct kx *x)
{
	const struct access *acc = x->of->access;
	int shift = x->n_args - acc->field->n_dims;
	bool right = !strcmp(x->name, acc->field->name) ? shift == 0 ||
		(shift == 1 && kx_is_int(in_first_segment(w, x->arg[0]),
			copy_kept(w, acc, x))) :
		shift == 0 && is_version(w, point, acc, x->name);

	for (int d = 0; right && d < acc->field->n_dims; d++)
		right = kx_same(x->arg[shift + d], subscript(w, point, acc, d));
	return right;
}

/* Where kernels of ranks find the cell: A[(copy * extent + i - i_origin) * M + j], all copies of a
 * block being one row.
 */
static bool is_cell_in_row(struct code *w, const struct stmt *point,
	const struct kx *x)
{
	const struct blocks *blocks = w->unit->blocks;
	const struct access *acc = x->of->access;
	const struct field *f = blocks->block->field[acc->field->index];
	struct binding sizes = { .mem = w->c->mem, .prog = blocks->block };
	const struct kx *at = kx_int(w->c->mem, f->kind == FIELD_STATE ?
		copy_kept(w, acc, x) : 0);

	for (int d = 0; d < f->n_dims; d++)
		at = kx_binary(w->c->mem, OP_ADD, kx_binary(w->c->mem, OP_MUL,
			at, kx_cast(w->c->mem, ctype(CT_SIZE), kx_of_expr(
				&sizes, f->size[d]))), subscript(w, point, acc,
				d));
	return x->kind == KX_INDEX && x->n_args == 1 && !strcmp(x->name,
		f->name) && kx_same(x->arg[0], at);
}

/* "x" is a read of the reduction of "point": is it the cell that the reduction
 * names?
 */
static bool is_right_read(struct code *w, const struct stmt *point,
	const struct kx *x)
{
	const struct access *acc = x->of->access;
	bool right = makes_pieces(w) ? is_cell_in_row(w, point, x) :
		is_cell(w, point, x);

	return right || refute(w->c, "the reduction of '%s' reads another cell "
		"or step of '%s' than it names", point->name,
		acc->field->name);
}

static bool reads_are_right(struct code *w, const struct stmt *point,
	const struct kx *x, int *n)
{
	bool right = true;

	if (x->of && expr_is_read(x->of)) {
		++*n;
		return is_right_read(w, point, x);
	}
	for (int i = 0; right && i < x->n_args; i++)
		right = reads_are_right(w, point, x->arg[i], n);
	return right;
}

static bool all_reads_are_right(struct code *w, const struct stmt *point,
	const struct ks *s, int *n)
{
	bool right = true;

	for (int i = 0; right && i < s->n_x; i++)
		right = reads_are_right(w, point, s->x[i], n);
	for (int i = 0; right && i < s->n_children; i++)
		right = all_reads_are_right(w, point, s->child[i], n);
	return right;
}

/* Of a rank that is a GPU, once its function has launched the kernel of the pieces. */
static const struct kfunc *function_that_reads(const struct code *w, int i)
{
	const char *name = region_printf(w->c->mem, "%s_reduce%d",
		w->c->prog->name, i);
	const struct kfunc *f;

	if (reduction_in_tiles(w, i))
		return unit_function(w->unit, tile_reduction_name(w, i));
	f = unit_function(w->unit, name);
	if (!f || !makes_pieces(w))
		return f;
	name = region_printf(w->c->mem, "%s_pieces%d", w->c->prog->name, i);
	return statement_called(f->body, KS_LAUNCH, name) ? unit_function(
		w->unit, name) : NULL;
}

static bool check_reads(struct code *w, int i)
{
	const struct stmt *point = w->c->prog->reduction[i]->point;
	const struct kfunc *f = function_that_reads(w, i);
	int n = 0;

	if (!f)
		return refute(w->c, "nothing computes the reduction of '%s'",
			point->name);
	return all_reads_are_right(w, point, f->body, &n) &&
		(n >= point->n_reads || refute(w->c, "the reduction of '%s' "
		"leaves out a read", point->name));
}

/* Segments ------------------------------------------------------------------- */

/* first < end of all, or that && .. */
static bool goes_on_to_the_end(struct code *w, const struct kx *x)
{
	while (x->kind == KX_BINARY && x->op == OP_AND)
		x = x->arg[0];
	return x->kind == KX_BINARY && x->op == OP_LT && is_number(w, x->arg[1],
		value_in_code(w, segments_of(w)->whole_end)) &&
		is_number(w, x->arg[0], value_in_code(w, segments_of(w)->from));
}

/* No reduction that somebody sees is due between "first" and "end". */
static bool ends_where_due(struct code *w, const struct reduction *r)
{
	isl_pw_aff *t = new_number(w, "t");
	isl_set *within = isl_set_intersect(isl_pw_aff_gt_set(isl_pw_aff_copy(t),
		value_in_code(w, segments_of(w)->from)), isl_pw_aff_lt_set(
			isl_pw_aff_copy(t), value_in_code(w, segments_of(w)->to)));

	return never(w, isl_set_intersect(within, due_at(w, t, r->every))) ||
		refute(w->c, "a segment goes on where '%s' is due",
			r->result->name);
}

/* Each one begins where the one before it ends; numbers in steps of one are multiples of it. */
static bool follow_each_other(struct code *w, const struct ks *loop)
{
	isl_pw_aff *first = value_in_code(w, segments_of(w)->from);
	isl_pw_aff *end = value_in_code(w, segments_of(w)->to);
	isl_pw_aff *last = value_in_code(w, segments_of(w)->whole_end);
	isl_pw_aff *steps = number_of(w, loop->x[2]);
	isl_set *gap = steps ? isl_pw_aff_ne_set(isl_pw_aff_add(
		isl_pw_aff_copy(first), steps), isl_pw_aff_copy(end)) : NULL;
	bool right = gap && never(w, isl_pw_aff_le_set(isl_pw_aff_copy(end),
		first)) && never(w, isl_pw_aff_gt_set(isl_pw_aff_copy(end),
			isl_pw_aff_copy(last))) && never(w, isl_set_intersect(
				gap, isl_pw_aff_lt_set(end, last)));

	return right || refute(w->c, "segments do not follow each other from "
		"the first step to the last");
}

/* Inside the loop, "end" has its declared value. */
static bool come_to_segment(struct code *w, const struct ks *loop,
	const struct ks *end)
{
	isl_pw_aff *value = number_of(w, end->x[0]);

	if (loop->x[2]->kind == KX_INT)
		w->at = isl_set_intersect(w->at, due_at(w, value_in_code(w,
			segments_of(w)->from), loop->x[2]->ivalue));
	w->at = isl_set_intersect(w->at, value ? isl_pw_aff_eq_set(value,
		value_in_code(w, segments_of(w)->to)) : NULL);
	w->at = isl_set_intersect(w->at, isl_pw_aff_lt_set(value_in_code(w,
		segments_of(w)->from), value_in_code(w, segments_of(w)->whole_end)));
	w->at = isl_set_intersect(w->at, isl_pw_aff_ge_set(value_in_code(w,
		segments_of(w)->from), value_in_code(w,
			segments_of(w)->whole_begin)));
	return value != NULL || refute(w->c, "it is not shown where a segment "
		"ends");
}

static bool check_loop(struct code *w, const struct ks *loop)
{
	const struct program *p = w->c->prog;
	const struct ks *end = statement_called(loop, KS_DECLARE,
		p->segments->end->name);
	bool right = end && is_number(w, loop->x[0], value_in_code(w,
		p->segments->whole_begin)) && goes_on_to_the_end(w, loop->x[1]);

	if (!right)
		return refute(w->c, "the segments are not those of all steps");
	right = come_to_segment(w, loop, end) && follow_each_other(w, loop);
	for (int i = 0; right && i < p->n_reductions; i++)
		if (reduction_is_seen(p, p->reduction[i]))
			right = ends_where_due(w, p->reduction[i]) &&
				check_seen(w, loop, i);
	return right;
}

/* One segment is all steps. */
static bool check_one(struct code *w, const struct ks *body)
{
	const struct segments *s = segments_of(w);
	const struct ks *first = statement_called(body, KS_DECLARE,
		s->first->name);
	const struct ks *end = statement_called(body, KS_DECLARE, s->end->name);

	return (first && end && is_number(w, first->x[0], value_in_code(w,
		s->whole_begin)) && is_number(w, end->x[0], value_in_code(w,
			s->whole_end))) || refute(w->c, "the steps are not all "
				"that there are");
}

/* Each reduction that nobody sees before the end is computed once, behind the
 * steps.
 */
static bool check_unseen(struct code *w, const struct ks *body,
	const struct ks *loop)
{
	const struct program *p = w->c->prog;

	for (int i = 0; i < p->n_reductions; i++) {
		struct found f = found_in(w, body, i);

		if (reduction_is_seen(p, p->reduction[i]))
			continue;
		if (f.n != 1 || f.around || (loop && found_in(w, loop, i).n > 0))
			return refute(w->c, "'%s' is not computed once behind "
				"all steps", p->reduction[i]->result->name);
	}
	return true;
}

/* In NAME_choose(), tile sizes are chosen for one of the segments. */
static bool chooses(const struct code *w, const struct kfunc *f)
{
	return !strcmp(f->name, region_printf(w->c->mem, "%s_choose",
		w->c->prog->name));
}

/* The host function with the segments. */
static const struct kfunc *function_with_segments(const struct code *w)
{
	const struct kfunc *f = w->unit->first;

	if (makes_pieces(w))
		return function_of_ranks(w);
	if (w->unit->blocks)
		return unit_function(w->unit, region_printf(w->c->mem,
			"%s_mpi", w->c->prog->name));

	while (f && (f->is_kernel || chooses(w, f) || !statement_called(f->body,
	       KS_DECLARE, segments_of(w)->end->name)))
		f = f->next;
	return f;
}

/* Those of tiles are right, or there is a loop over segments. */
static bool check_steps(struct code *w, const struct kfunc *f,
	const struct ks *loop)
{
	return loop ? check_loop(w, loop) : check_one(w, f->body) &&
		reductions_of_tiles_are_right(w);
}

/* Do kernels of the file's own keep states from segment to segment? */
static bool is_of_gpu(const struct code *w)
{
	const struct kfunc *f = w->unit->first;

	while (f && !f->is_kernel)
		f = f->next;
	return f && !w->unit->blocks;
}

static bool check_reductions(struct code *w, const struct kfunc *f)
{
	const struct ks *loop = statement_called(f->body, KS_FOR,
		segments_of(w)->first->name);
	bool right = check_unseen(w, f->body, loop) && check_steps(w, f, loop);

	for (int i = 0; right && i < w->c->prog->n_reductions; i++)
		right = check_reads(w, i);
	return right && (!is_of_gpu(w) || passes_are_counted(w, f->body, loop));
}

/* Plans of ranks have runs of their own. */
static bool reductions_of_plans_are_right(struct code *w)
{
	const struct kfunc *f = w->unit->blocks ? unit_function(w->unit,
		region_printf(w->c->mem, "%s_mpi_run", w->c->prog->name)) :
		NULL;

	return !f || check_reductions(w, f);
}

bool segments_are_right(struct code *w)
{
	const struct kfunc *f = function_with_segments(w);

	isl_set_free(w->at);
	w->at = isl_set_copy(w->ranges);
	if (!f)
		return refute(w->c, "no function has the segments of the "
			"steps");
	if (!check_reductions(w, f) || !reductions_of_plans_are_right(w))
		return false;
	section(w->c, "Reductions");
	claim(w->c, "the segments follow each other from the first step to the "
		"last, and end where a reduction is due");
	claim(w->c, "each reduction is computed where it is due, of the cells "
		"and steps that it names");
	return true;
}
