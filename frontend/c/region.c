/* What all files ask about a region: its statements, steps and reads, and how
 * to refuse it.
 */
#include "frontend/c/passes.h"

#include <stdarg.h>

bool refuse(struct stencil *s, enum diag_id id, struct span at,
	const char *fmt, ...)
{
	struct text t = { 0 };
	va_list args;

	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	diag(s->diags, id, at, "%s", t.bytes);
	text_free(&t);
	return false;
}

void explain_no_record(struct stencil *s)
{
	if (!s->recorded.why)
		return;
	diag_note(s->diags, s->recorded.at, "it is not an output of one call: %s",
		s->recorded.why);
	diag_advice(s->diags, "%s", s->recorded.advice);
}

const char *c_quote(const struct stencil *s, struct span at)
{
	enum { LONGEST = 40 };
	unsigned n = at.end - at.start;
	char *text = region_strndup(s->mem, s->source->text + at.start,
		smaller(n, LONGEST));

	for (char *c = text; *c; c++)
		if (*c == '\n' || *c == '\t')
			*c = ' ';
	return n > LONGEST ? region_printf(s->mem, "%s...", text) : text;
}

const struct c_stmt *region_statements(const struct stencil *s)
{
	const struct c_stmt *body = s->region->body;

	while (body && body->kind == CS_BLOCK && !body->next)
		body = body->body;
	return body;
}

/* time = begin + step * (n_phases * round + phase) */
bool time_value(const struct stencil *s, int phase, struct poly *value)
{
	struct poly offset = poly_constant(phase * s->time_range.step);
	struct poly factor = poly_constant(s->n_phases * s->time_range.step);

	*value = poly_symbol(s->of_step ? s->time : s->round);
	if (s->round == s->time || s->of_step)
		return true;
	return poly_multiply(value, &factor) &&
		poly_add(value, &s->time_range.begin, 1) &&
		poly_add(value, &offset, 1);
}

/* Scalars whose values have been read: many values use one.  Beyond its room they are read again. */
enum { SCALARS_READ = 1 << 10 };

struct reading {
	bool (*each)(void *user, struct c_access *a);
	void *user;
	bool always;	/* only what is read whatever values choose */
	int n;
	const struct c_temp *scalar[SCALARS_READ];	/* by address */
};

/* Is the value of "t" read for the first time? */
static bool is_first(struct reading *r, const struct c_temp *t)
{
	unsigned at = (unsigned) ((uintptr_t) t / sizeof(*t)) % SCALARS_READ;

	while (r->scalar[at] && r->scalar[at] != t)
		at = (at + 1) % SCALARS_READ;
	if (r->scalar[at])
		return false;
	if (r->n < SCALARS_READ / 2) {
		r->scalar[at] = t;
		r->n++;
	}
	return true;
}

/* Does the first operand decide about the others? */
static bool is_choice(const struct c_expr *e)
{
	return e->kind == CX_SELECT || (e->kind == CX_BINARY &&
		(e->op == OP_AND || e->op == OP_OR));
}

static bool read_each(struct reading *r, const struct c_expr *e)
{
	int n = r->always && is_choice(e) ? 1 : e->n_args;

	if (e->kind == CX_ELEMENT && !r->each(r->user, e->access))
		return false;
	if (e->kind == CX_TEMP && is_first(r, e->temp) &&
	    !read_each(r, e->temp->value))
		return false;
	for (int i = 0; i < n; i++)
		if (!read_each(r, e->arg[i]))
			return false;
	return true;
}

bool each_read(const struct c_expr *e, bool (*each)(void *user,
	struct c_access *a), void *user)
{
	struct reading r = { .each = each, .user = user };

	return read_each(&r, e);
}

bool update_reads(const struct c_update *u, bool (*each)(void *user,
	struct c_access *a), void *user)
{
	return each_read(u->value, each, user) && (!u->asked ||
		each_read(u->asked, each, user));
}

bool update_reads_always(const struct c_update *u, bool (*each)(void *user,
	struct c_access *a), void *user)
{
	struct reading r = { .each = each, .user = user, .always = true };

	return read_each(&r, u->asked ? u->asked : u->value);
}

/* Does "e" contain array values, which the program computes in C's types? */
bool is_of_data(const struct c_expr *e)
{
	if (e->kind == CX_ELEMENT || e->kind == CX_TEMP || e->kind == CX_CALL)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (is_of_data(e->arg[i]))
			return true;
	return false;
}

/* Is it the same at all points? */
static bool is_uniform(const struct c_access *a)
{
	if (a->field->is_written || a->field->is_split)
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (loop_of(a->place.loop, &a->sub[d]))
			return false;
	return true;
}

/* Does the subscript "d" of "a", which reads an input, depend on the step and
 * no point?
 */
static bool is_step_of_input(const struct stencil *s, const struct c_access *a,
	int d)
{
	return !a->field->is_written && poly_uses(&a->sub[d], s->round) &&
		!loop_of(a->place.loop, &a->sub[d]);
}

static bool uses_round(const struct stencil *s, const struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (poly_uses(&a->sub[d], s->round))
			return true;
	return false;
}

bool access_is_fixed(const struct stencil *s, const struct c_access *a)
{
	return is_uniform(a) && !uses_round(s, a) &&
		!is_beyond_int(a->field->decl->type);
}

bool access_is_of_step(const struct stencil *s, const struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (is_step_of_input(s, a, d))
			return true;
	return false;
}

bool subscript_is_uniform(const struct stencil *s, const struct c_access *a,
	int d)
{
	return is_step_of_input(s, a, d) || (is_uniform(a) &&
		(uses_round(s, a) || is_beyond_int(a->field->decl->type)));
}

struct c_expr *temp_value(struct stencil *s, const struct c_decl *d,
	struct c_expr *value)
{
	struct c_expr *e = c_leaf(s->mem, CX_TEMP, d->type, value->at);

	e->temp = region_new_of(s->mem, struct c_temp);
	e->temp->decl = d;
	e->temp->value = value;
	return e;
}

struct c_result *find_result(const struct stencil *s, const struct c_decl *d)
{
	struct c_result *r = s->until.results;

	while (r && r->decl != d)
		r = r->next;
	return r;
}
