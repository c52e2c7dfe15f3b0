/* The code of strips, statement by statement: what its registers hold, for all lanes at once.
 *
 * At the head of the loop over iterations each register has a name for what it holds in any
 * iteration.  What it holds before the first one, and what each way through a period leaves
 * there, named from the next period, must have that name.
 */
#include <string.h>

#include "verify/code/begun.h"
#include "verify/code/joins.h"
#include "verify/code/lengths.h"
#include "verify/code/rims.h"

static bool run(struct lanes *l, const struct ks *s);
static bool run_period(struct lanes *l, const struct ks *s);

/* Ways -------------------------------------------------------------------- */

static bool has_loop(const struct ks *s, const char *name)
{
	bool has = s->kind == KS_FOR && !strcmp(s->name, name);

	for (int i = 0; !has && i < s->n_children; i++)
		has = has_loop(s->child[i], name);
	return has;
}

static bool is_copy_ahead(const struct ks *s)
{
	bool is = s->kind == KS_BLOCK || s->kind == KS_FOR ||
		s->kind == KS_IF || s->kind == KS_ASSIGN ||
		(s->kind == KS_EXPRESSION && s->x[0]->kind == KX_BUILTIN &&
		s->x[0]->builtin >= B_COPY_AHEAD &&
		s->x[0]->builtin <= B_BULK_FENCE);

	if (s->kind == KS_ASSIGN && (s->x[1]->kind != KX_NAME ||
	    strcmp(s->x[1]->name, "true")))
		is = false;
	for (int i = 0; is && i < s->n_children; i++)
		is = is_copy_ahead(s->child[i]);
	return is && (s->kind != KS_BLOCK || s->n_children > 0);
}

static bool run_scoped(struct lanes *l, const struct ks *s)
{
	const struct named *known = l->known;
	const struct registers *arrays = l->arrays;
	bool right = !s || run(l, s);

	l->known = known;
	l->arrays = arrays;
	return right;
}

/* For the current strip, interior or not, is it known that the condition holds, or fails? */
static bool way_is_known(struct lanes *l, const struct kx *x, bool *holds)
{
	const char *interior = l->names->strips.interior;
	bool is_both = x->kind == KX_BINARY && x->op == OP_AND;
	const struct kx *first = is_both ? x->arg[0] : x;
	const struct way *way = l->way;

	while (way && (way->condition->kind != KX_NAME ||
	       strcmp(way->condition->name, interior)))
		way = way->before;
	if (!way || first->kind != KX_NAME || strcmp(first->name, interior))
		return false;
	*holds = way->holds;
	return !is_both || !way->holds;
}

static const struct ks *branch(const struct ks *s, bool holds)
{
	return holds ? s->child[0] : s->n_children > 1 ? s->child[1] : NULL;
}

/* First one branch, then the other, as if the first had not run. */
static bool run_both(struct lanes *l, const struct ks *s, struct way *way)
{
	const struct going before = l->loop.going;
	const bool arrived = l->warps.arrived;
	struct going other;
	int n = l->log.n, n_held;
	struct change *held;

	if (way->is_of_all && comes_nowhere(l)) {
		way->holds = false;
		return run_scoped(l, branch(s, false));
	}
	l->log.branches++;
	if (!run_scoped(l, branch(s, true)) || !end_branch_going(l, &before) ||
	    !keeps_barrier(l, arrived))
		return false;
	other = l->loop.going;
	l->loop.going = before;
	held = changed_since(l, n);
	n_held = l->log.n - n;
	undo_changes(l, n);
	way->holds = false;
	if (!run_scoped(l, branch(s, false)) ||
	    !end_branch_going(l, &before) || !join_going(l, &other) ||
	    !keeps_barrier(l, arrived))
		return false;
	join_branches(l, n, held, n_held);
	if (--l->log.branches == 0)
		l->log.n = 0;
	return true;
}

/* verify/strips/strips.c and wait_for_copies show that copies ahead arrive in time. */
static bool run_if(struct lanes *l, const struct ks *s)
{
	struct way way = { .condition = s->x[0], .holds = true,
		.before = l->way };
	bool right, holds;

	if (loop_before_others(l, s))
		return run_before_others(l, s, run_period);
	if (finds_pointers(l, s))
		return find_pointers(l, s, run);
	if (is_fixed_condition(l, s->x[0], &holds) ||
	    way_is_known(l, s->x[0], &holds))
		return run_scoped(l, branch(s, holds));
	if (s->n_children == 1 && is_copy_ahead(s->child[0]))
		return run_scoped(l, s->child[0]);
	way.is_of_all = has_loop(s, l->names->step) &&
		is_of_all_threads(l, s->x[0]);
	l->way = &way;
	l->depth++;
	right = run_both(l, s, &way);
	l->way = way.before;
	l->depth--;
	return right;
}

/* Loops ------------------------------------------------------------------- */

static struct named *declare_number(struct lanes *l, const char *name,
	int64_t n)
{
	struct named *s = declare_scalar(l, name);

	s->kind = LINE;
	s->line.number = n;
	return s;
}

static void declare_symbol(struct lanes *l, const char *name, enum symbol sym)
{
	declare_number(l, name, 0)->line.by[sym] = 1;
}

static bool run_one_by_one(struct lanes *l, const struct ks *s, int64_t first,
	int64_t end)
{
	bool right = true;

	for (int64_t i = first; right && i < end; i += s->x[2]->ivalue) {
		const struct named *known = l->known;

		declare_number(l, s->name, i);
		right = run_scoped(l, s->child[0]);
		l->known = known;
	}
	return right;
}

/* for (name = first; name < end; name += step) over numbers. */
static bool is_counted(const struct lanes *l, const struct ks *s,
	int64_t *first, int64_t *end)
{
	const struct kx *c = s->x[1];

	return s->x[2]->kind == KX_INT && s->x[2]->ivalue > 0 &&
		number_in_code(l, s->x[0], first) && c->kind == KX_BINARY &&
		(c->op == OP_LT || c->op == OP_LE) &&
		c->arg[0]->kind == KX_NAME && !strcmp(c->arg[0]->name,
			s->name) && number_in_code(l, c->arg[1], end) &&
		(*end += c->op == OP_LE, true);
}

static bool run_period(struct lanes *l, const struct ks *s)
{
	const bool arrived = l->warps.arrived;
	bool right;

	begin_going(l);
	right = run_scoped(l, s->child[0]) && end_going(l) &&
		keeps_barrier(l, arrived);
	if (right)
		move_iteration(l, l->s.period);
	return right;
}

/* What registers hold after a period that begins with "head"; a register that differs from its
 * first content, or in later rounds from "head", holds anything.
 */
static const struct held *after_period(struct lanes *l, const struct ks *s,
	const struct held *first, const struct held *head, bool is_late)
{
	struct held *after;
	int n;

	hold_all(l, head);
	if (!run_period(l, s))
		return NULL;
	after = copy_held(l, &n);
	for (int i = 0; i < n; i++) {
		if (!fits_first(l, &first[i], &after[i]) ||
		    !fits_begun(l, i, &after[i]) || (is_late && !same_held(
			&head[i], &after[i])))
			after[i].kind = UNKNOWN;
		after[i].left = after[i].left || head[i].left;
		after[i].taken = after[i].taken || head[i].taken;
		if (l->loop.begun) {
			after[i].left |= l->loop.begun[i].left;
			after[i].taken |= l->loop.begun[i].taken;
		}
	}
	return after;
}

/* Find what registers hold at the head of the loop by assuming that the code is right; then
 * show it.
 */
static bool find_head(struct lanes *l, const struct ks *s,
	const struct held *first, int n)
{
	enum { EARLY_ROUNDS = 4, MOST_ROUNDS = 12 };
	const struct held *head = NULL, *next = first;

	l->is_trial = true;
	for (int i = 0; i < MOST_ROUNDS && next && (!head ||
	     !same_all(head, next, n)); i++) {
		head = next;
		next = after_period(l, s, first, head, i >= EARLY_ROUNDS);
	}
	l->is_trial = false;
	if (!next)
		return false;
	head = next;
	next = after_period(l, s, first, head, true);
	if (!next)
		return false;
	if (!same_all(head, next, n))
		return refute(l->w->c, "it is not shown what registers hold "
			"at the head of the loop");
	return is_settled(head, n) || refute(l->w->c, "a strip ends and no "
		"barrier lies after what its last iteration takes");
}

/* A strip is interior all along or not at all: check each case separately. */
static bool find_heads(struct lanes *l, const struct ks *s)
{
	const struct kx *interior = kx_name(l->w->c->mem,
		l->names->strips.interior);
	bool is_known = scalar_called(l, interior->name);
	struct way way = { .condition = interior, .is_of_all = true,
		.before = l->way };
	const struct held *first;
	int n;

	first = copy_held(l, &n);
	if (!is_known)
		return find_head(l, s, first, n);
	if (!is_of_all_threads(l, interior))
		return refute(l->w->c, "lanes of a strip go different ways");
	l->way = &way;
	for (int i = 0; i < 2; i++) {
		way.holds = i == 0;
		if (!find_head(l, s, first, n))
			return false;
	}
	l->way = way.before;
	return true;
}

static bool run_iterations(struct lanes *l, const struct ks *s)
{
	struct way way = { .condition = s->x[1], .holds = true,
		.is_loop = true, .before = l->way };
	bool right;

	if (!begins_behind(l, s->x[0]) || !kx_is_int(s->x[2], l->s.period))
		return refute(l->w->c, "the code has other iterations than its "
			"strips");
	if (!may_begin_periods(l))
		return false;
	declare_symbol(l, s->name, ITERATION);
	l->way = &way;
	move_iteration(l, l->s.first);
	l->loop.is_in = true;
	right = find_heads(l, s);
	l->way = way.before;
	l->loop.is_in = false;
	l->loop.begun = NULL;
	return right;
}

static bool run_for(struct lanes *l, const struct ks *s)
{
	const struct named *known = l->known;
	const bool arrived = l->warps.arrived;
	int64_t first, end;
	bool right;

	if (is_counted(l, s, &first, &end)) {
		right = run_one_by_one(l, s, first, end);
		l->known = known;
		return right;
	}
	if (!takes_all_strips(l->w, s))
		return false;
	for (int i = 0; i < 3; i++)
		if (!is_of_all_threads(l, s->x[i]))
			return refute(l->w->c, "not all threads go on with '%s' "
				"alike", s->name);
	l->depth++;
	if (!strcmp(s->name, l->names->strips.iteration)) {
		right = run_iterations(l, s);
	} else {
		if (!strcmp(s->name, l->names->tt))
			declare_symbol(l, s->name, PASS);
		else
			declare_scalar(l, s->name);
		right = run_scoped(l, s->child[0]) && keeps_barrier(l, arrived);
	}
	l->depth--;
	l->known = known;
	return right;
}

/* Statements ---------------------------------------------------------------- */

static int axis_of_origin(const struct lanes *l, const char *name)
{
	for (int axis = 0; axis < N_AXES; axis++)
		if (dim_of_axis(l, axis) >= 0 && !strcmp(name,
		    l->names->origin[dim_of_axis(l, axis)]))
			return axis;
	return -1;
}

static bool names_thread(const struct lanes *l, const struct kx *x)
{
	struct line line;

	if (x->kind == KX_NAME && line_of(l, x, &line, NULL) &&
	    has_threads(&line))
		return true;
	for (int i = 0; i < x->n_args; i++)
		if (names_thread(l, x->arg[i]))
			return true;
	return false;
}

static bool is_multiple(const struct kx *x, int n)
{
	if (x->kind == KX_INT)
		return x->ivalue % n == 0;
	if (x->kind != KX_BINARY || (x->op != OP_ADD && x->op != OP_SUB &&
	    x->op != OP_MUL))
		return n == 1;
	return x->op == OP_MUL ? is_multiple(x->arg[0], n) ||
		is_multiple(x->arg[1], n) : is_multiple(x->arg[0], n) &&
		is_multiple(x->arg[1], n);
}

/* t0 = pass * steps */
static bool declare_first_step(struct lanes *l, const struct kx *x)
{
	struct line line, pass = { .number = 0 };
	int64_t by;

	pass.by[PASS] = l->s.steps;
	if (!line_of(l, x, &line, NULL) ||
	    !lines_are_apart(&line, &pass, &by) || by != 0)
		return refute(l->w->c, "a pass does not begin with its first "
			"step");
	declare_symbol(l, l->names->t0, FIRST_STEP);
	return true;
}

/* Is "name" the coordinate "x" mod the size of the grid?  Where it goes around there, a cell
 * has its name wherever it appears.
 */
static bool goes_around_grid(struct lanes *l, const char *name,
	const struct kx *x)
{
	for (int d = 0; d < l->s.dims; d++)
		if (!strcmp(name, l->names->point[d]))
			return x->kind == KX_BUILTIN && is_size(l, x->arg[1],
				d);
	return false;
}

/* By so much the first strip along the streamed dimension is longer than others. */
static int longer_of_first(const struct lanes *l)
{
	return l->s.along < 0 ? 0 : l->w->plan->tiles.longer[l->s.along];
}

/* S > first ? behind : of the first strip */
static bool is_of_strip(const struct lanes *l, const struct kx *x, int behind,
	int of_first)
{
	struct region *mem = l->w->c->mem;
	const int d = l->s.along;

	return kx_same(x, kx_select(mem, kx_binary(mem, OP_GT,
		kx_name(mem, l->names->tile[d]), kx_name(mem,
			l->names->first[d])), kx_int(mem, behind),
		kx_int(mem, of_first)));
}

/* Where the first strip is longer, strip S > first has S*l + longer <= x < S*l + longer + l, and
 * the first one first*l <= x < first*l + longer + l: no two of them have a cell.
 */
static bool begins_behind_others(struct lanes *l, const struct kx *x)
{
	const struct kx *tile = kx_name(l->w->c->mem,
		l->names->tile[l->s.along]);

	return (x->kind == KX_BINARY && x->op == OP_ADD &&
		kx_same(x->arg[0], kx_binary(l->w->c->mem, OP_MUL, tile,
			kx_int(l->w->c->mem, l->s.length))) &&
		is_of_strip(l, x->arg[1], longer_of_first(l), 0)) ||
		refute(l->w->c, "strips behind a longer first one do not begin "
			"where others end");
}

static bool ends_before_others(struct lanes *l, const struct kx *x)
{
	return is_of_strip(l, x, l->s.length, l->s.length +
		longer_of_first(l)) || refute(l->w->c, "strips do not end "
			"where others begin");
}

static bool run_declare(struct lanes *l, const struct ks *s)
{
	const struct kx *x = s->n_x ? s->x[0] : NULL;
	int axis = axis_of_origin(l, s->name);
	bool around = false, is_line;
	struct line line;
	struct spot spot;
	struct named *v;

	if (axis >= 0) {
		l->warps.are_apart = l->warps.are_apart || names_thread(l, x);
		if (axis == COLUMN)
			l->is_aligned = is_multiple(x, l->s.cells);
		declare_symbol(l, s->name, ORIGIN + (enum symbol) axis);
		return begins_behind_rim(l->w, dim_of_axis(l, axis), x) && (axis != ALONG ||
			longer_of_first(l) == 0 || begins_behind_others(l, x));
	}
	if (!strcmp(s->name, l->names->t0))
		return declare_first_step(l, x);
	if (is_warp_of_cluster(l, s->name, x)) {
		declare_symbol(l, s->name, WARP);
		return true;
	}
	if (is_going(l, s->name))
		return declare_going(l, s);
	if (!strcmp(s->name, l->names->strips.length))
		return ends_before_others(l, x);
	if (x && s->c_type.pointers && spot_of(l, x, &spot)) {
		v = declare_scalar(l, s->name);
		v->kind = SPOT;
		v->spot = spot;
		return true;
	}
	is_line = x && ctype_is_constant(s->c_type) && line_of(l, x, &line,
		&around);
	v = declare_scalar(l, s->name);
	v->is_free = !x && s->c_type.pointers;
	v->is = x && ctype_is_constant(s->c_type) ? x : NULL;
	v->is_stride = v->is && s->c_type.scalar == CT_DISTANCE;
	v->written = l->written;
	if (is_line && around && !goes_around_grid(l, s->name, x))
		is_line = false;
	if (is_line) {
		v->kind = around ? AROUND : LINE;
		v->line = line;
	}
	return true;
}

/* The groups copied for later iterations may be on their way, and no others. */
static bool wait_for_copies(struct lanes *l, const struct kx *x)
{
	const struct kx *groups = x->arg[0];

	return (groups->kind == KX_INT && groups->ivalue >= 0 &&
		groups->ivalue < l->s.period) ||
		refute(l->w->c, "the code loads what it copies ahead before that "
			"is there");
}

static bool run_expression(struct lanes *l, const struct kx *x)
{
	if (x->kind != KX_BUILTIN)
		return refute(l->w->c, "it is not shown what the code calls");
	switch (x->builtin) {
	case B_LOAD:
	case B_STORE:
	case B_COPY:
		return move_cells(l, x);
	case B_COPY_AHEAD:
	case B_BULK_COPY:
		return copy_cells_ahead(l, x);
	case B_WAIT_FOR_COPIES:
		return wait_for_copies(l, x);
	case B_CLUSTER_BARRIER:
	case B_CLUSTER_ARRIVE:
	case B_CLUSTER_WAIT:
		return run_cluster_barrier(l, x->builtin);
	case B_END_COPIES:
	case B_BULK_BEGIN:
	case B_BULK_EXPECT:
	case B_BULK_WAIT:
	case B_BULK_FENCE:
	case B_WARP_BARRIER:
	case B_GRID_BARRIER:
		return true;
	default:
		return refute(l->w->c, "it is not shown what the code calls");
	}
}

static bool run_block(struct lanes *l, const struct ks *s)
{
	const struct named *known = l->known;
	const struct registers *arrays = l->arrays;
	bool right = true;

	for (int i = 0; right && i < s->n_children; i++)
		right = run(l, s->child[i]);
	if (s->scope || s->braces) {
		l->known = known;
		l->arrays = arrays;
	}
	return right;
}

/* Everything that the statement itself evaluates; loops have numbers there. */
static bool operands_are_there(struct lanes *l, const struct ks *s)
{
	bool names_any = s->kind != KS_ARRAY && s->kind != KS_FOR;

	for (int i = 0; i < s->n_x && names_any && !l->is_trial; i++)
		if (s->x[i] && !has_places(l, s->x[i]))
			return false;
	return true;
}

static bool run(struct lanes *l, const struct ks *s)
{
	if (!operands_are_there(l, s))
		return false;
	switch (s->kind) {
	case KS_BLOCK:
		return run_block(l, s);
	case KS_DECLARE:
		return run_declare(l, s);
	case KS_ARRAY:
		declare_array(l, s);
		return true;
	case KS_ASSIGN:
		return assign(l, s);
	case KS_FOR:
		return run_for(l, s);
	case KS_IF:
		return run_if(l, s);
	case KS_BARRIER:
		return run_barrier(l);
	case KS_EXPRESSION:
		return run_expression(l, s->x[0]);
	case KS_BLANK:
	case KS_COMMENT:
		return true;
	default:
		return refute(l->w->c, "the code of a strip has a statement "
			"that is not read");
	}
}

/* The kernel ---------------------------------------------------------------- */

/* The parameter "name", added to "space". */
static int add_parameter(isl_space **space, const char *name)
{
	int n = isl_space_dim(*space, isl_dim_param);

	*space = isl_space_add_dims(*space, isl_dim_param, 1);
	*space = isl_space_set_dim_name(*space, isl_dim_param, (unsigned) n,
		name);
	return n;
}

static isl_pw_aff *parameter(struct lanes *l, __isl_keep isl_space *space,
	int i)
{
	return keep_value(l->w, isl_pw_aff_var_on_domain(
		isl_local_space_from_space(isl_space_copy(space)),
		isl_dim_param, (unsigned) i));
}

static void limit(struct lanes *l, isl_pw_aff *a, int64_t end)
{
	l->range = isl_set_intersect(l->range, isl_set_intersect(
		isl_pw_aff_nonneg_set(isl_pw_aff_copy(a)), isl_pw_aff_lt_set(
		isl_pw_aff_copy(a), constant(l->w, end))));
}

/* The program's parameters come first, as in verify/sets.c. */
static void name_symbols(struct lanes *l)
{
	static const char *const name[] = {
		"n", "lane", "warp", "t0", "pass", "o0", "o1", "o2",
		"x0", "x1", "x2", "t", "m", "u", "c",
	};
	enum { N = sizeof(name) / sizeof(name[0]) };
	const struct checker *c = l->w->c;
	isl_space *space = space_of_dims(l->w->c, 0);
	isl_pw_aff *p[N];

	for (int i = 0; i < N; i++)
		add_parameter(&space, name[i]);
	for (int i = 0; i < N; i++)
		p[i] = parameter(l, space, c->n_params + i);
	memcpy(l->symbol, p, sizeof(l->symbol));
	memcpy(l->x, p + N_SYMBOLS, sizeof(l->x));
	l->t = p[N - 4];
	l->m = p[N - 3];
	l->u = p[N - 2];
	l->column = p[N - 1];
	l->w->known = NULL;
	for (int i = 0; i < c->n_params; i++)
		declare_variable(l->w, c->param[i]->name)->number =
			parameter(l, space, i);
	declare_variable(l->w, l->names->memory.passes)->number = keep_value(l->w,
		constant(l->w, 0));
	l->w->at = isl_set_align_params(isl_set_intersect_params(
		isl_set_universe(space_of_dims(l->w->c, 0)),
		isl_set_copy(c->context)), isl_space_copy(space));
	l->w->ranges = isl_set_universe(space);
	l->length = declare_length(l->w, l->w->plan);
	if (!l->length && longer_of_first(l) > 0)
		l->length = declare_either_length(l->w, l->s.length,
			longer_of_first(l));
	if (!l->length)
		l->length = keep_value(l->w, constant(l->w, l->s.length));
	l->parameters = l->w->known;
}

/* Constraints on symbols that always hold. */
static void find_range(struct lanes *l)
{
	l->range = isl_set_copy(l->w->at);
	limit(l, l->symbol[LANE], l->s.lanes);
	limit(l, l->symbol[WARP], l->s.warps);
	limit(l, l->m, l->s.steps);
	limit(l, l->u, l->s.period);
	l->range = isl_set_intersect(l->range, isl_set_intersect(
		isl_pw_aff_nonneg_set(isl_pw_aff_copy(l->symbol[PASS])),
		isl_pw_aff_nonneg_set(isl_pw_aff_copy(
			l->symbol[FIRST_STEP]))));
}

bool check_lanes(struct code *w, const struct ks *body)
{
	struct checker *c = w->c;
	struct code questions = *w;
	struct lanes l = { .w = &questions, .names = kernel_names_new(c->mem,
		c->prog) };
	bool right;

	if (!c->form->find_strip(c, w->plan, &l.s) ||
	    !launches_strips_of_grid(w))
		return false;
	questions.any.tile = NULL;
	questions.any.strip = NULL;
	l.loop.now = l.s.first;
	name_symbols(&l);
	find_range(&l);
	declare_symbol(&l, l.names->tt, PASS);
	right = run(&l, body) && keeps_barrier(&l, false);
	isl_set_free(l.range);
	isl_set_free(questions.at);
	isl_set_free(questions.ranges);
	return right || refute(c, "it is not shown what lanes compute");
}
