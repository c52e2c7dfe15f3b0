/* Programs with sweeps, in the order of wavefronts. */
#include "ir/reduction.h"
#include "ir/rewrite.h"
#include "ir/waves.h"

/* Does a read find cells that a statement writes? */
enum meeting { MEETING_UNKNOWN, MEETING_NEVER, MEETING };

struct pass {
	struct region *mem;
	struct diags *diags;
	const struct program *from;
	const struct sweep_meetings *meetings;
	struct sweep_waves *waves;
	int64_t *behind;
	enum meeting *met;		/* by read and writer */
	struct program *to;
};

const struct program *program_written(const struct program *p)
{
	return p->waves ? p->waves->of : p;
}

bool program_sweeps(const struct program *p)
{
	for (int i = 0; i < p->n_stmts; i++)
		if (p->stmt[i]->sweeps)
			return true;
	return false;
}

/* What is refused ---------------------------------------------------------- */

static bool refuse(struct pass *p, struct span at, const char *what,
	const char *advice)
{
	diag(p->diags, E_SWEEP, at, "a program with a sweep has no %s", what);
	diag_advice(p->diags, "%s", advice);
	return false;
}

/* A boundary value that changes with time, or NULL. */
static const struct expr *value_in_time(const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		for (int side = 0; side < SIDES; side++) {
			const struct boundary *b = &f->boundary[d][side];

			if (b->kind == BOUNDARY_VALUE &&
			    expr_any(b->value, expr_is_time))
				return b->value;
		}
	return NULL;
}

/* Do cells stand in beyond a boundary of the state "f"? */
static bool has_cells_beyond(const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		for (int side = 0; side < SIDES; side++)
			if (f->boundary[d][side].kind != BOUNDARY_VALUE &&
			    f->boundary[d][side].kind != BOUNDARY_FIXED)
				return true;
	return false;
}

static bool field_is_served(struct pass *p, const struct field *f)
{
	if (f->kind == FIELD_SERIES && !f->is_result)
		return refuse(p, f->at, "outputs by step", "compute some "
			"steps, and record what they leave");
	if (value_in_time(f))
		return refuse(p, f->at, "boundaries that change with time",
			"put the values into cells at the edge, which a "
			"statement of another program writes");
	if (f->kind != FIELD_STATE)
		return true;
	if (f->depth > 1)
		return refuse(p, f->at, "state of which it reads several "
			"steps", "keep the step before in another state");
	if (has_cells_beyond(f))
		return refuse(p, f->at, "boundary of a state but 'fixed' and "
			"'value'", "choose by the index what is read at an "
			"edge, as in 'i > 0 ? u[t+1][i-1][j] : ..'");
	return true;
}

static void find_time(void *user, const struct expr *e)
{
	if (e->kind == EXPR_ELEMENT && !*(const struct expr **) user &&
	    expr_any(e, expr_is_time))
		*(const struct expr **) user = e;
}

/* The first dimension along which a sweep reads elsewhere, or -1. */
static int leading_dim(const struct access *a)
{
	for (int d = 0; d < a->field->n_dims; d++)
		if (a->offset[d])
			return d;
	return -1;
}

static bool reads_are_served(struct pass *p, const struct stmt *s)
{
	for (int i = 0; i < s->n_reads; i++) {
		const struct access *a = s->read[i];

		if (a->field->kind == FIELD_INPUT)
			continue;
		if (a->field->kind == FIELD_OUTPUT)
			return refuse(p, a->at, "outputs that are read",
				"make it a state");
		if (field_is_temp(a->field) && leading_dim(a) >= 0)
			return refuse(p, a->at, "temps that are read at other "
				"points", "make it a state");
		if (a->field->n_dims != s->n_dims || access_strides(a))
			return refuse(p, a->at, "reads of states along fewer "
				"dimensions, or with strides", "compute what "
				"is read there in a program of its own");
	}
	return true;
}

static bool stmt_is_served(struct pass *p, const struct stmt *s)
{
	const struct expr *by_step = NULL;

	if (s->n_listed > 0)
		return refuse(p, s->listed[0]->at, s->listed[0]->list ?
			"lists of points" : "outputs by step", "compute some "
			"steps, and change or record what they leave");
	stmt_each_expr(s, find_time, &by_step);
	if (by_step)
		return refuse(p, by_step->at, "inputs by step", "compute the "
			"steps one by one, or choose by the time among "
			"parameters");
	return reads_are_served(p, s);
}

/* The name that the text has for "f", of a part the complex field. */
static const char *name_in_text(const struct field *f)
{
	return f->n_lanes ? f->whole->name : f->name;
}

/* After the last step of a segment states have their newest values alone. */
static bool reduction_is_served(struct pass *p, const struct reduction *r)
{
	for (int i = 0; i < r->point->n_reads; i++) {
		const struct access *a = r->point->read[i];

		if (a->field->kind == FIELD_STATE && a->version < 1)
			return refuse(p, a->at, "reductions of the step before",
				region_printf(p->mem, "keep it in another state "
				"in front of the sweep, as in 'before[%s+1][i] = "
				"%s[%s][i];'", p->from->time_name,
				name_in_text(a->field), p->from->time_name));
	}
	return true;
}

static bool is_served(struct pass *p)
{
	const struct program *from = p->from;

	for (int i = 0; i < from->n_reductions; i++)
		if (!reduction_is_served(p, from->reduction[i]))
			return false;
	for (int i = 0; i < from->n_fields; i++)
		if (!field_is_served(p, from->field[i]))
			return false;
	for (int i = 0; i < from->n_stmts; i++)
		if (!stmt_is_served(p, from->stmt[i]))
			return false;
	return true;
}

/* The numbers of waves ------------------------------------------------------ */

bool stmts_are_of_one(const struct stmt *a, const struct stmt *b)
{
	return a->at.start == b->at.start && a->at.end == b->at.end;
}

/* Of what the sweep of "s" computes, both parts of a complex field among it? */
static bool reads_own(const struct program *of, const struct stmt *s,
	const struct access *a)
{
	for (int i = 0; s->sweeps && i < of->n_stmts; i++)
		if (of->stmt[i]->sweeps && stmts_are_of_one(of->stmt[i], s) &&
		    of->stmt[i]->write->field == a->field)
			return true;
	return false;
}

static enum meeting *known_meeting(const struct pass *p, const struct stmt *s,
	const struct access *a, const struct stmt *w)
{
	int n = 0;

	for (int i = 0; i < s->index; i++)
		n += p->from->stmt[i]->n_reads;
	for (int i = 0; s->read[i] != a; i++)
		n++;
	return &p->met[n * p->from->n_stmts + w->index];
}

static bool meets(const struct pass *p, const struct stmt *s,
	const struct access *a, const struct stmt *w)
{
	enum meeting *known;

	if (w->write->field != a->field)
		return false;
	known = known_meeting(p, s, a, w);
	if (*known == MEETING_UNKNOWN)
		*known = p->meetings->meets(p->meetings->user, s, a, w) ?
			MEETING : MEETING_NEVER;
	return *known == MEETING;
}

static enum meeting *new_meetings(const struct pass *p)
{
	int n = 0;

	for (int i = 0; i < p->from->n_stmts; i++)
		n += p->from->stmt[i]->n_reads;
	return region_array(p->mem, enum meeting, n * p->from->n_stmts);
}

/* along*offset from dimension "first" on */
static int64_t waves_between(const struct pass *p, const struct access *a,
	int first)
{
	int64_t sum = 0;

	for (int d = first; d < a->field->n_dims; d++)
		sum += p->waves->along[d] * a->offset[d];
	return sum;
}

static int64_t ceiling(int64_t a, int64_t b)
{
	return a > 0 ? (a + b - 1) / b : 0;
}

/* Among the points that a sweep reads, one that comes later in the order of indices lies in a
 * later wave: from the last dimension to the first.
 */
static void find_along(struct pass *p)
{
	for (int d = IR_MAX_DIMS - 1; d >= 0; d--)
		for (int i = 0; i < p->from->n_stmts; i++) {
			const struct stmt *s = p->from->stmt[i];

			for (int j = 0; j < s->n_reads; j++) {
				const struct access *a = s->read[j];
				int64_t most, sign;

				if (!reads_own(p->from, s, a) || leading_dim(a) != d)
					continue;
				sign = a->offset[d] < 0 ? -1 : 1;
				most = ceiling(1 - sign *
					waves_between(p, a, d + 1),
					sign * a->offset[d]);
				if (most > p->waves->along[d])
					p->waves->along[d] = most;
			}
		}
}

/* The condition on waves from the read "a" of "s", if "w" writes its field: "w" is the same
 * statement of the text, or comes before it, or later.
 */
static void look_at_pair(struct pass *p, const struct stmt *s,
	const struct access *a, const struct stmt *w, bool steps)
{
	int64_t far = waves_between(p, a, 0), least;
	int64_t *of_s = &p->behind[s->index], *of_w = &p->behind[w->index];
	bool same = stmts_are_of_one(s, w), before = !same && w->index < s->index;

	if (!steps) {
		if (before && a->version == 1 && *of_s < *of_w + far)
			*of_s = *of_w + far;
		if (!before && !same && a->version == 0 &&
		    *of_w < *of_s - far)
			*of_w = *of_s - far;
		return;
	}
	/* for the step before, then for the one after */
	least = a->version == 0 ? far + *of_w - *of_s + 1 :
		before || same ? *of_s - *of_w - far + 1 : 1;
	if (least > p->waves->step)
		p->waves->step = least;
}

static void look_at_pairs(struct pass *p, const struct stmt *s, bool steps)
{
	for (int j = 0; j < s->n_reads; j++)
		for (int i = 0; i < p->from->n_stmts; i++)
			if (meets(p, s, s->read[j], p->from->stmt[i]))
				look_at_pair(p, s, s->read[j],
					p->from->stmt[i], steps);
}

/* Does "s" compute a temp that "reader" reads? */
static bool is_temp_of(const struct stmt *s, const struct stmt *reader)
{
	for (int i = 0; i < reader->n_reads; i++)
		if (reader->read[i]->field == s->write->field)
			return field_is_temp(s->write->field);
	return false;
}

/* Parts of one statement lie in the same waves, and so do a temp and what reads it. */
static bool are_in_one_wave(const struct stmt *a, const struct stmt *b)
{
	return stmts_are_of_one(a, b) || is_temp_of(a, b) || is_temp_of(b, a);
}

static void join_parts(struct pass *p, int i)
{
	for (int j = 0; j < p->from->n_stmts; j++)
		if (are_in_one_wave(p->from->stmt[i], p->from->stmt[j]) &&
		    p->behind[j] < p->behind[i])
			p->behind[j] = p->behind[i];
}

static void find_numbers(struct pass *p)
{
	find_along(p);
	p->waves->step = 1;
	for (int round = 0; round < p->from->n_stmts; round++)
		for (int i = 0; i < p->from->n_stmts; i++) {
			look_at_pairs(p, p->from->stmt[i], false);
			join_parts(p, i);
		}
	for (int i = 0; i < p->from->n_stmts; i++)
		look_at_pairs(p, p->from->stmt[i], true);
}

static bool refuse_past(struct pass *p, const struct access *a,
	const struct stmt *w)
{
	diag(p->diags, E_SWEEP, a->at, "'%s' is read of the step before, and "
		"has been overwritten by then: a program with a sweep keeps "
		"one copy of a state", a->field->name);
	diag_note(p->diags, w->at, "it is overwritten here");
	diag_advice(p->diags, "keep the step before in another state, or "
		"change the order of the statements");
	return false;
}

/* Does each read of the step before come before the write that replaces its
 * value?
 */
static bool keeps_what_is_read(struct pass *p, const struct stmt *s,
	const struct access *a)
{
	for (int i = 0; i < p->from->n_stmts; i++) {
		const struct stmt *w = p->from->stmt[i];
		int64_t later = p->behind[i] + waves_between(p, a, 0) -
			p->behind[s->index];
		bool own = stmts_are_of_one(s, w) && leading_dim(a) < 0 &&
			(w->index > s->index || w->write->field ==
			 s->write->field);

		if (!own && (later < 0 || (later == 0 &&
		    (w->index < s->index || stmts_are_of_one(w, s)))) &&
		    meets(p, s, a, w))
			return refuse_past(p, a, w);
	}
	return true;
}

/* Is a temp that "s" computes read in its own waves alone? */
static bool is_read_at_once(struct pass *p, const struct stmt *s)
{
	for (int i = 0; i < p->from->n_stmts; i++)
		if (is_temp_of(s, p->from->stmt[i]) &&
		    p->behind[i] != p->behind[s->index])
			return refuse(p, s->at, "temps of what a sweep computes "
				"around a point", "make it a state");
	return true;
}

static bool all_is_kept(struct pass *p)
{
	for (int i = 0; i < p->from->n_stmts; i++) {
		const struct stmt *s = p->from->stmt[i];

		if (!is_read_at_once(p, s))
			return false;
		for (int j = 0; j < s->n_reads; j++)
			if (s->read[j]->field->kind == FIELD_STATE &&
			    s->read[j]->version == 0 &&
			    !keeps_what_is_read(p, s, s->read[j]))
				return false;
	}
	return true;
}

/* The program in waves ------------------------------------------------------ */

static const struct expr *number(const struct pass *p, int64_t value)
{
	return expr_int(p->mem, value, p->from->at);
}

static const struct expr *binary(const struct pass *p, enum op op,
	const struct expr *a, const struct expr *b)
{
	return expr_binary(p->mem, op, a, b, p->from->at);
}

static const struct expr *plus(const struct pass *p, const struct expr *a,
	int64_t factor, const struct expr *b)
{
	if (factor == 0)
		return a;
	return binary(p, OP_ADD, a, factor == 1 ? b :
		binary(p, OP_MUL, number(p, factor), b));
}

static const struct expr *steps_of(const struct pass *p)
{
	int64_t begin;

	return expr_constant(p->from->begin, &begin) && begin == 0 ?
		p->from->end : binary(p, OP_SUB, p->from->end, p->from->begin);
}

/* A number of waves beyond all: where statements have different sizes along a dimension, for
 * all of these.
 */
static const struct expr *last_wave(const struct pass *p)
{
	const struct program *from = p->from;
	int64_t behind = 0;
	const struct expr *e = binary(p, OP_MUL, number(p, p->waves->step),
		steps_of(p));

	for (int i = 0; i < from->n_stmts; i++) {
		const struct field *f = from->stmt[i]->write->field;

		behind = p->behind[i] > behind ? p->behind[i] : behind;
		for (int d = 0; d < f->n_dims; d++) {
			bool known = false;

			for (int j = 0; j < i; j++)
				known |= from->stmt[j]->n_dims > d &&
					expr_same_size(f->size[d],
					from->stmt[j]->write->field->size[d]);
			e = known ? e : plus(p, e, p->waves->along[d],
				f->size[d]);
		}
	}
	return behind ? binary(p, OP_ADD, e, number(p, behind)) : e;
}

/* The wave, less the one in which statement "s" begins with a point. */
static const struct expr *since_begin(const struct pass *p,
	const struct stmt *s)
{
	struct expr *wave = expr_leaf(p->mem, EXPR_TIME, TYPE_INT, s->at);
	const struct expr *e = wave;

	wave->spelling = p->to->time_name;
	for (int d = 0; d < s->n_dims; d++) {
		struct expr *x = expr_leaf(p->mem, EXPR_INDEX, TYPE_INT,
			s->at);
		const struct expr *product = x;

		x->dim = d;
		x->spelling = s->iterator[d];
		if (p->waves->along[d] > 1)
			product = binary(p, OP_MUL, number(p,
				p->waves->along[d]), x);
		if (p->waves->along[d])
			e = binary(p, OP_SUB, e, product);
	}
	return p->behind[s->index] ? binary(p, OP_SUB, e, number(p,
		p->behind[s->index])) : e;
}

/* The statement that "w" rewrites. */
struct of_stmt {
	const struct pass *pass;
	const struct stmt *stmt;
};

/* What a state holds; a temp has the value of its wave. */
static const struct access *last_written(const struct rewrite *w,
	const struct access *a)
{
	struct access *now;

	if (a->field->kind != FIELD_STATE || a->version == 0 ||
	    field_is_temp(a->field))
		return a;
	now = region_new_of(w->mem, struct access);
	*now = *a;
	now->version = 0;
	return now;
}

static const struct expr *step_of_wave(const struct rewrite *w,
	const struct expr *e)
{
	const struct of_stmt *of = w->user;
	const struct pass *p = of->pass;
	const struct expr *t = since_begin(p, of->stmt);
	int64_t begin;

	(void) e;
	if (p->waves->step > 1)
		t = binary(p, OP_DIV, t, number(p, p->waves->step));
	return expr_constant(p->from->begin, &begin) && begin == 0 ? t :
		binary(p, OP_ADD, t, p->from->begin);
}

/* The wave is one that "s" has at its point. */
static void add_conditions(const struct pass *p, struct stmt *s)
{
	const struct expr *since = since_begin(p, s);
	const struct expr **condition = region_array(p->mem,
		const struct expr *, s->n_conditions + 3);
	int n = s->n_conditions;

	for (int i = 0; i < n; i++)
		condition[i] = s->condition[i];
	condition[n++] = binary(p, OP_GE, since, number(p, 0));
	condition[n++] = binary(p, OP_LT, since, binary(p, OP_MUL,
		number(p, p->waves->step), steps_of(p)));
	if (p->waves->step > 1)
		condition[n++] = binary(p, OP_EQ, binary(p, OP_MOD, since,
			number(p, p->waves->step)), number(p, 0));
	s->condition = condition;
	s->n_conditions = n;
}

static struct stmt *stmt_in_waves(const struct pass *p, const struct stmt *s)
{
	const struct of_stmt of = { p, s };
	const struct rewrite w = { .mem = p->mem, .access = last_written,
		.time = step_of_wave, .user = &of };
	struct stmt *to = stmt_rewrite(&w, s);

	to->sweeps = false;
	add_conditions(p, to);
	return to;
}

static const char *fresh(const struct pass *p, const char *name)
{
	while (program_has_name(p->from, name))
		name = region_printf(p->mem, "%s_", name);
	return name;
}

static void build(struct pass *p)
{
	struct program *to = p->to;

	*to = *p->from;
	to->waves = p->waves;
	to->time_name = fresh(p, "wave");
	to->begin = number(p, 0);
	to->end = last_wave(p);
	to->stmt = region_array(p->mem, struct stmt *, to->n_stmts);
	for (int i = 0; i < to->n_stmts; i++)
		to->stmt[i] = stmt_in_waves(p, p->from->stmt[i]);
}

const struct program *program_in_waves(struct region *r, struct diags *d,
	const struct program *from, const struct sweep_meetings *meetings)
{
	struct pass p = { .mem = r, .diags = d, .from = from,
		.meetings = meetings };

	if (!program_sweeps(from))
		return from;
	p.waves = region_new_of(r, struct sweep_waves);
	p.behind = region_array(r, int64_t, from->n_stmts);
	p.to = region_new_of(r, struct program);
	p.waves->of = from;
	p.waves->behind = p.behind;
	if (!is_served(&p))
		return NULL;
	p.met = new_meetings(&p);
	find_numbers(&p);
	if (!all_is_kept(&p))
		return NULL;
	build(&p);
	return p.to;
}
