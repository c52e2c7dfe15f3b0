/* Input for the models: the problem, and the instructions for a point. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "ir/reduction.h"
#include "ir/waves.h"
#include "schedule/strategies.h"
#include "model/choose_hexagons.inc"

/* The problem ----------------------------------------------------------- */

static bool is_size(const struct program *prog, const struct param *param)
{
	for (int i = 0; i < prog->n_fields; i++)
		for (int d = 0; d < prog->field[i]->n_dims &&
		     !prog->field[i]->is_result; d++)
			if (expr_uses(prog->field[i]->size[d], param))
				return true;
	return false;
}

/* By how much "e", a sum, grows with "param"; products with other parameters count by their sign. */
static int64_t growth(const struct expr *e, const struct param *param)
{
	int64_t a, b;

	if (e->kind == EXPR_PARAM || e->n_args == 0)
		return e->kind == EXPR_PARAM && e->param == param;
	a = growth(e->arg[0], param);
	if (e->n_args == 1)
		return e->op == OP_NEG ? -a : a;
	b = growth(e->arg[1], param);
	if (e->op != OP_MUL)
		return e->op == OP_SUB ? a - b : a + b;
	return (e->arg[0]->kind == EXPR_INT ? e->arg[0]->ivalue : 1) * b +
		(e->arg[1]->kind == EXPR_INT ? e->arg[1]->ivalue : 1) * a;
}

static bool enlarges_field(const struct program *prog, const struct param *param)
{
	for (int i = 0; i < prog->n_fields; i++)
		for (int d = 0; d < prog->field[i]->n_dims; d++)
			if (growth(prog->field[i]->size[d], param) > 0)
				return true;
	return false;
}

/* Does "e" say that an index is at least a sum with "param"? */
static bool is_first_index(const struct expr *e, const struct param *param)
{
	bool at_least = e->op == OP_GE || e->op == OP_GT, at_most = e->op == OP_LE || e->op == OP_LT;

	if (e->kind != EXPR_BINARY)
		return false;
	if (e->op == OP_AND)
		return is_first_index(e->arg[0], param) || is_first_index(e->arg[1], param);
	return (at_least && e->arg[0]->kind == EXPR_INDEX && growth(e->arg[1], param) > 0) ||
		(at_most && e->arg[1]->kind == EXPR_INDEX && growth(e->arg[0], param) > 0);
}

/* Is "param" how wide a border is?  Then interiors begin there, i >= border, and no field grows with it. */
static bool is_border(const struct program *prog, const struct param *param)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_conditions; j++)
			if (is_first_index(prog->stmt[i]->condition[j], param))
				return !enlarges_field(prog, param);
	return false;
}

/* A problem so large that its ends do not matter. */
static int64_t representative(const struct scop *scop,
	const struct param *param)
{
	static const int64_t size[] = { 1 << 24, 3072, 384, 96 };
	static const int64_t steps[] = { 1024, 512, 128, 64 }, border = 4;
	const struct program *prog = scop->prog;
	int i = scop->n_dims < 1 ? 0 : scop->n_dims > 4 ? 3 :
		scop->n_dims - 1;

	if (!is_size(prog, param) && prog->timed) {
		if (expr_uses(program_begin(prog), param))
			return 0;
		if (expr_uses(program_end(prog), param))
			return steps[i];
	}
	return is_border(prog, param) ? border : size[i];
}

static const struct problem_size *find_size(const struct problem_size *sizes,
	int n, const char *name)
{
	const struct problem_size *found = NULL;

	for (int i = 0; i < n; i++)
		if (!strcmp(sizes[i].name, name))
			found = &sizes[i];
	return found;
}

/* The values of parameter number "pos" of "context", { : }, as { [value] }. */
static __isl_give isl_set *values_of(__isl_keep isl_set *context, int pos)
{
	isl_set *set = isl_set_copy(context);
	int n = isl_set_dim(set, isl_dim_param);

	set = isl_set_project_out(set, isl_dim_param, (unsigned) pos + 1,
		(unsigned) (n - pos - 1));
	set = isl_set_project_out(set, isl_dim_param, 0, (unsigned) pos);
	set = isl_set_add_dims(isl_set_params(set), isl_dim_set, 1);
	set = isl_set_equate(set, isl_dim_param, 0, isl_dim_set, 0);
	return isl_set_project_out(set, isl_dim_param, 0, 1);
}

static int64_t not_beyond(int64_t value, __isl_take isl_val *bound, bool most)
{
	int64_t at = isl_val_is_int(bound) == isl_bool_true ?
		isl_val_get_num_si(bound) : value;

	isl_val_free(bound);
	return most ? smaller(value, at) : larger(value, at);
}

/* The int nearest to "wanted" that "context" allows parameter number "pos", if there is one. */
static int64_t nearest(__isl_keep isl_set *context, int pos, int64_t wanted)
{
	isl_set *values = isl_set_lower_bound_si(isl_set_upper_bound_si(
		values_of(context, pos), isl_dim_set, 0, INT_MAX),
		isl_dim_set, 0, -INT_MAX);

	if (isl_set_is_empty(values) == isl_bool_false) {
		wanted = not_beyond(wanted, isl_set_dim_max_val(
			isl_set_copy(values), 0), true);
		wanted = not_beyond(wanted, isl_set_dim_min_val(
			isl_set_copy(values), 0), false);
	}
	isl_set_free(values);
	return wanted;
}

/* The value of "param" where "sizes" leave it open, as the program's assumptions allow it beside
 * those of the parameters before it.
 */
static int64_t allowed(const struct scop *scop, const struct param *param,
	const struct problem_size *sizes, int n)
{
	isl_set *context = isl_set_copy(scop->context);
	int64_t value = 0;

	for (int i = 0; i < scop->prog->n_params; i++) {
		const struct param *p = scop->prog->param[i];
		const struct problem_size *size = find_size(sizes, n, p->name);
		int pos = isl_set_find_dim_by_name(context, isl_dim_param,
			p->name);

		if (p != param && (pos < 0 || p->fixed ||
		    param_is_of_segments(scop->prog, p)))
			continue;
		value = size ? size->value : representative(scop, p);
		if (!size && pos >= 0)
			value = nearest(context, pos, value);
		if (p == param)
			break;
		context = isl_set_fix_si(context, isl_dim_param,
			(unsigned) pos, (int) value);
	}
	isl_set_free(context);
	return value;
}

static bool value_is_possible(struct diags *d, const struct program *prog,
	const struct problem_size *size)
{
	for (int i = 0; i < prog->n_params; i++) {
		const struct param *param = prog->param[i];

		if (strcmp(param->name, size->name) != 0 ||
		    param_is_of_segments(prog, param))
			continue;
		if (param->type != TYPE_INT) {
			diag_plain(d, E_COMMAND_LINE, "--problem: '%s' is no "
				"size: it is a %s", param->name,
				type_name(param->type));
			return false;
		}
		if (!param->fixed || param->ivalue == size->value)
			return true;
		diag_plain(d, E_COMMAND_LINE, "--problem: '%s' is fixed to "
			"%lld", param->name, (long long) param->ivalue);
		return false;
	}
	diag_plain(d, E_COMMAND_LINE, "--problem: '%s' has no parameter '%s'",
		prog->name, size->name);
	return false;
}

int64_t problem_number(const struct scop *scop, const struct expr *e,
	const struct problem_size *sizes, int n)
{
	int64_t a, b;

	if (e->kind == EXPR_INT)
		return e->ivalue;
	if (e->kind == EXPR_PARAM)
		return e->param->fixed ? e->param->ivalue :
			problem_value(scop, e->param, sizes, n);
	a = problem_number(scop, e->arg[0], sizes, n);
	if (e->kind == EXPR_UNARY)
		return -a;
	b = problem_number(scop, e->arg[1], sizes, n);
	return e->op == OP_ADD ? a + b : e->op == OP_SUB ? a - b : a * b;
}

/* The bounds of a segment: one in the middle is like all but the last. */
static int64_t bound_of_segment(const struct scop *scop, bool end,
	const struct problem_size *sizes, int n)
{
	const struct segments *s = scop->prog->segments;
	int64_t first = problem_number(scop, s->whole_begin, sizes, n);
	int64_t last = problem_number(scop, s->whole_end, sizes, n);

	if (!end)
		return first;
	return s->most && first + s->most < last ? first + s->most : last;
}

int64_t problem_value(const struct scop *scop, const struct param *param,
	const struct problem_size *sizes, int n)
{
	const struct problem_size *size = find_size(sizes, n, param->name);

	if (param_is_of_segments(scop->prog, param))
		return bound_of_segment(scop, param ==
			scop->prog->segments->end, sizes, n);
	return size ? size->value : allowed(scop, param, sizes, n);
}

/* The sizes that the caller chooses, in the form of --problem. */
static const char *problem_text(const struct scop *scop,
	const struct problem_size *sizes, int n)
{
	const char *text = "";

	for (int i = 0; i < scop->prog->n_params; i++) {
		const struct param *param = scop->prog->param[i];

		if (param->fixed || param->type != TYPE_INT ||
		    param_is_of_segments(scop->prog, param))
			continue;
		text = region_printf(scop->mem, "%s%s%s=%lld", text,
			*text ? "," : "", param->name, (long long)
			problem_value(scop, param, sizes, n));
	}
	return text;
}

/* "set" for the problem's parameters. */
static __isl_give isl_set *fix_params(__isl_take isl_set *set,
	const struct scop *scop, const struct problem_size *sizes, int n)
{
	for (int i = 0; i < scop->prog->n_params; i++) {
		const struct param *param = scop->prog->param[i];
		int pos;

		pos = isl_set_find_dim_by_name(set, isl_dim_param,
			param->name);
		if (pos < 0)
			continue;
		set = isl_set_fix_val(set, isl_dim_param, (unsigned) pos,
			isl_val_int_from_si(scop->ctx, problem_value(scop,
				param, sizes, n)));
	}
	return set;
}

/* Points of "set" along "dim", at least 1. */
static int64_t extent_of(__isl_keep isl_set *set, int dim)
{
	int64_t low, high;

	return isl_set_is_empty(set) == isl_bool_false &&
		set_edges(set, dim, &low, &high) ? high - low + 1 : 1;
}

/* .. of all segments. */
static int64_t all_steps(const struct scop *scop,
	const struct problem_size *sizes, int n)
{
	const struct program *p = scop->prog;

	return larger(1, problem_number(scop, program_end(p), sizes, n) -
		problem_number(scop, program_begin(p), sizes, n));
}

struct outlook outlook_default(void)
{
	return (struct outlook) { .switches = switches_recommended(),
		.max_candidates = 10, .within = 1.1 };
}

/* Add the points of "domain", which is that of "s" with all sizes fixed. */
static void add_points(struct outlook *o, const struct scop_stmt *s,
	__isl_take isl_set *domain)
{
	for (int k = 0; k < s->stmt->n_dims; k++) {
		int64_t n = extent_of(domain, 1 + k);

		o->size[s->stmt->index][k] = n;
		o->hull[k] = larger(o->hull[k], n);
	}
	o->steps = larger(o->steps, extent_of(domain, 0));
	isl_set_free(domain);
}

/* Likewise all cells of the field, "grid" at any step. */
static void add_grid(struct outlook *o, const struct field *f,
	__isl_take isl_set *grid)
{
	for (int k = 0; k < f->n_dims; k++)
		o->grid[k] = larger(o->grid[k], extent_of(grid, 1 + k));
	isl_set_free(grid);
}

/* The waves of sweeps pass through the grid one behind the other: each has the points of one step
 * of "step" waves, where they are not at its corners.
 */
static void set_waves(struct outlook *o, const struct program *prog)
{
	const struct sweep_waves *w = prog->waves;
	int64_t passing = o->steps;
	int last = -1;

	o->spread = 1;
	o->wave_part = 1;
	if (!w)
		return;
	for (int d = 0; d < IR_MAX_DIMS && o->hull[d] > 1; d++) {
		passing -= w->along[d] * (o->hull[d] - 1);
		last = d;
	}
	if (last >= 0 && w->along[last] > 0)
		o->spread = larger(1, w->step / w->along[last]);
	o->wave_part = 1.0 / (double) o->spread;
	if (passing > 0)
		o->wave_part = fmin(o->wave_part, (double) passing /
			(double) (w->step * o->steps));
}

bool outlook_set_problem(struct outlook *o, struct diags *d,
	const struct scop *scop, const struct problem_size *sizes, int n)
{
	for (int i = 0; i < n; i++)
		if (!value_is_possible(d, scop->prog, &sizes[i]))
			return false;
	o->problem = problem_text(scop, sizes, n);
	o->steps = 1;
	o->all_steps = all_steps(scop, sizes, n);
	o->size = region_alloc(scop->mem, sizeof(*o->size) *
		(size_t) scop->prog->n_stmts);
	for (int i = 0; i < IR_MAX_DIMS; i++)
		o->hull[i] = o->grid[i] = 1;
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		const struct field *f = s->stmt->write->field;

		if (!s->is_copy)
			add_points(o, s, fix_params(isl_set_copy(s->domain),
				scop, sizes, n));
		add_grid(o, f, fix_params(scop_cells_at_steps(scop,
			s->domain, f), scop, sizes, n));
	}
	set_waves(o, scop->prog);
	return true;
}

double outlook_points(const struct outlook *o, const struct stmt *s)
{
	double points = o->wave_part;

	for (int d = 0; d < s->n_dims; d++)
		points *= (double) o->size[s->index][d];
	return points;
}

double outlook_cells(const struct outlook *o, const struct stmt *s)
{
	return outlook_points(o, s) * (double) o->spread;
}

double outlook_apart(const struct outlook *o, int word_bytes)
{
	const struct machine *m = o->machine;

	return o->spread == 1 ? 1 : 2.0 * (double) (word_bytes == 8 ?
		m->lanes64_per_sm : m->lanes_per_sm);
}

/* An unaligned vector load crosses a line of the cache every other time, and then counts twice. */
double cpu_load_cost(const struct stmt *s, int read)
{
	const struct access *a = s->read[read];
	int last = a->field->n_dims - 1;

	return last < 0 || a->offset[last] == 0 ? 1 : 1.5;
}

double cpu_loads_cost(const struct stmt *s)
{
	double cost = 0;

	for (int i = 0; i < s->n_reads; i++)
		cost += cpu_load_cost(s, i);
	return cost;
}

static double specials_of(const struct program *prog, const struct stmt *s)
{
	struct instruction_mix mix = stmt_mix(prog, s);

	return mix.special + mix_root_count(&mix);
}

/* Is it the same at all points, so that compilers compute it before the loops? */
static bool is_same_everywhere(const struct expr *e)
{
	bool same = e->n_args > 0 || e->kind == EXPR_INT ||
		e->kind == EXPR_REAL || e->kind == EXPR_PARAM;

	for (int i = 0; i < e->n_args; i++)
		same = same && is_same_everywhere(e->arg[i]);
	return same;
}

static void add_once(void *user, const struct expr *e)
{
	if (e->kind == EXPR_BINARY && is_same_everywhere(e))
		*(int *) user += op_info(e->op)->cost;
}

/* The operations of "s" on numbers and parameters alone. */
static int ops_once(const struct stmt *s)
{
	int ops = 0;

	stmt_each_expr(s, add_once, &ops);
	return ops;
}

static void add_sum(void *user, const struct expr *e)
{
	*(int *) user += e->kind == EXPR_BINARY && !type_is_integer(e->type) &&
		(e->op == OP_ADD || e->op == OP_SUB) && !is_same_everywhere(e);
}

static int sums_of(const struct stmt *s)
{
	int sums = 0;

	stmt_each_expr(s, add_sum, &sums);
	return sums;
}

void stmt_work(const struct program *prog, const struct stmt *s,
	struct stencilc_statement *work)
{
	work->operations = stmt_flops(s) - ops_once(s);
	work->sums = sums_of(s);
	work->specials = specials_of(prog, s);
}

struct cpu_problem outlook_cpu_problem(const struct outlook *o,
	const struct program *prog)
{
	struct cpu_problem problem = { .machine = o->machine,
		.steps = (double) o->steps,
		.citer_s = citer_measured_s(o->machine, prog->name) };

	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];
		double points = outlook_points(o, s);
		struct stencilc_statement work = { 0 };

		stmt_work(prog, s, &work);
		problem.word_bytes = type_size(s->write->field->type);
		problem.bytes += problem.word_bytes * points;
		problem.cache_bytes += (1 + cpu_loads_cost(s)) *
			problem.word_bytes * points * outlook_apart(o,
				problem.word_bytes);
		problem.operations += work.operations * points;
		problem.sums += work.sums * points;
		problem.specials += work.specials * points;
		problem.points += points;
	}
	return problem;
}

/* A run reads the caller's arrays, writes two copies of them, and what they have become back; lines that are
 * written are read before.
 */
double outlook_copies_s(const struct outlook *o, const struct program *prog)
{
	enum { PASSES = 1 + 2 * 2 + 1 + 2 };
	double bandwidth = cpu_bandwidth(o->machine);

	return prog->segments && bandwidth > 0 ? PASSES * outlook_cpu_problem(o,
		prog).bytes / bandwidth : 0;
}

/* The instructions of a point ------------------------------------------- */

struct counting {
	const struct program *prog;
	struct instruction_mix mix;
};

static bool is_product(const struct expr *e)
{
	return e->kind == EXPR_BINARY && e->op == OP_MUL &&
		!type_is_integer(e->type);
}

/* Is 1 / number, by which all multiply, exact? */
static bool is_power_of_two(double x)
{
	int exponent;

	return fabs(frexp(x, &exponent)) == 0.5;
}

/* x / sqrt(y), if it is one operation: sqrt(y) is counted where it stands. */
static void add_over_root(struct counting *c, const struct expr *e)
{
	double *roots = c->mix.roots[e->type == TYPE_DOUBLE];

	roots[MIX_OVER_ROOT] += 1;
	roots[MIX_ROOT] -= 1;
	c->mix.arithmetic += !expr_is_one(e->arg[0]);
}

static void add_division(struct counting *c, const struct expr *e)
{
	bool fast = c->prog->fast_roots;
	enum root root = expr_root(e);

	if (root == ROOT_OVER && (fast || c->prog->reassociated))
		add_over_root(c, e);
	else if (root == ROOT_BY_NUMBER && (fast ||
	    is_power_of_two(expr_by_number(e))))
		c->mix.arithmetic += 1;
	else
		c->mix.roots[e->type == TYPE_DOUBLE][expr_is_one(e->arg[0]) ?
			MIX_INVERSE : MIX_QUOTIENT] += 1;
}

/* A multiplication whose result is added is one instruction with the addition. */
static void add_binary(struct counting *c, const struct expr *e)
{
	bool adds = e->op == OP_ADD || e->op == OP_SUB;

	if (e->op == OP_DIV)
		add_division(c, e);
	else if (!adds || (!is_product(e->arg[0]) && !is_product(e->arg[1])))
		c->mix.arithmetic += 1;
}

static void add_call(struct instruction_mix *mix, const struct expr *e)
{
	if (e->op == OP_SQRT)
		mix->roots[e->type == TYPE_DOUBLE][MIX_ROOT] += 1;
	else if (op_is_short_function(e->op))
		mix->arithmetic += 1;
	else
		mix->special += op_info(e->op)->special;
}

/* Does "e" consist of numbers, or of these and parameters? */
static bool consists_of(const struct expr *e, bool parameters)
{
	bool does = e->n_args > 0 || e->kind == EXPR_INT ||
		e->kind == EXPR_REAL || (parameters && e->kind == EXPR_PARAM);

	for (int i = 0; i < e->n_args && does; i++)
		does = consists_of(e->arg[i], parameters);
	return does;
}

/* Compilers compute what consists of numbers alone. */
static bool is_of_numbers(const struct expr *e)
{
	return consists_of(e, false);
}

/* A quotient or a function of parameters, computed before the loops. */
static bool leaves_loops(const struct expr *e)
{
	return (e->kind == EXPR_CALL || (e->kind == EXPR_BINARY &&
		e->op == OP_DIV)) && consists_of(e, true);
}

static bool is_wide(const struct expr *e)
{
	return e->type == TYPE_DOUBLE;
}

/* Doubles among floats: what computes with them, and the conversions of reads and results.  Those
 * of numbers and parameters leave the loops.
 */
static void add_wide(struct counting *c, const struct expr *e, double before)
{
	if (is_wide(e))
		c->mix.wide += c->mix.arithmetic - before;
	for (int i = 0; i < e->n_args; i++)
		if (is_wide(e) != is_wide(e->arg[i]) &&
		    (e->arg[i]->n_args || e->arg[i]->kind == EXPR_READ) &&
		    !is_of_numbers(e->arg[i]))
			c->mix.conversions += 1;
}

/* A negation is part of the instruction that uses it. */
static void add_expr(void *user, const struct expr *e)
{
	struct counting *c = user;
	double before = c->mix.arithmetic;

	if (!e->n_args || e->kind == EXPR_UNARY || is_of_numbers(e) || leaves_loops(e))
		return;
	if (type_is_integer(e->type) && e->kind != EXPR_CALL)
		c->mix.integer += 1;
	else if (e->kind == EXPR_BINARY)
		add_binary(c, e);
	else if (e->kind == EXPR_CALL)
		add_call(&c->mix, e);
	else
		c->mix.arithmetic += 1;	/* a selection, a conversion */
	if (!type_is_integer(e->type))
		add_wide(c, e, before);
}

struct instruction_mix expr_mix(const struct program *prog,
	const struct expr *e)
{
	struct counting c = { prog, { .word_bytes = type_size(e->type),
		.fast_roots = prog->fast_roots } };

	add_expr(&c, e);
	return c.mix;
}

struct instruction_mix stmt_mix(const struct program *prog,
	const struct stmt *s)
{
	struct counting c = { prog, {
		.integer = s->n_dims, .loads = s->n_reads, .stores = 1,
		.word_bytes = type_size(s->write->field->type),
		.fast_roots = prog->fast_roots,
	} };

	stmt_each_expr(s, add_expr, &c);
	return c.mix;
}
