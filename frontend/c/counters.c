/* Scalars behind the region: counters of loops, which have the values that the loops leave in them.  Of other scalars no
 * value may be used there.
 */
#include "frontend/c/call.h"
#include "frontend/c/carried.h"
#include "frontend/c/ghost.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/turn.h"
#include "frontend/c/walk.h"

#include <inttypes.h>
#include <string.h>

/* What is used behind the region -----------------------------------------------*/

bool is_live_behind(const struct stencil *s, const struct c_decl *d)
{
	if (d->is_inside)
		return false;
	if (d->member)
		return d->member->is_behind || is_live_behind(s, d->member->of);
	return is_read_behind(s->region, d);
}

void print_quoted(struct text *t, const struct stencil *s,
	struct span at)
{
	char *copy = region_strndup(s->mem, s->source->text + at.start,
		at.end - at.start);

	for (char *c = copy; *c; c++)
		if (*c == '\n' || *c == '\t')
			*c = ' ';
	text_puts(t, copy);
}

bool share_declaration(const struct c_stmt *a, const struct c_stmt *b)
{
	return b && a->kind == CS_DECLARE && b->kind == CS_DECLARE &&
		a->whole.start == b->whole.start;
}

/* The counters of the loops in "body" that outlive the region. */
static bool has_live_counter(const struct stencil *s,
	const struct c_stmt *body)
{
	for (; body; body = body->next)
		if ((body->kind == CS_FOR && is_live_behind(s, body->decl)) ||
		    has_live_counter(s, body->body) ||
		    has_live_counter(s, body->otherwise))
			return true;
	return false;
}

/* The counter of a 'while' loop over points may begin anywhere. */
static bool check_while(struct stencil *s, const struct c_stmt *loop)
{
	return !loop->is_while || loop == s->time_loop || !is_live_behind(s,
		loop->decl) || refuse(s, E_C_CARRIED, loop->at, "the value "
		"that '%s' has after the region may be used",
		c_name(loop->decl));
}

static bool is_before_loop(const struct stencil *s, const struct c_stmt *stmt)
{
	return s->region->inside.start <= stmt->at.start && stmt->at.start < s->time_loop->at.start;
}

struct named_end {
	const struct stencil *s;
	const struct c_stmt *loop;
	bool changes;			/* in the time loop */
	bool is_before;			/* it has a value from before that, in the region */
};

static bool note_named(const void *user, const struct c_expr *e)
{
	struct named_end *named = *(struct named_end *const *) user;
	const struct c_stmt *body = named->s->time_loop->body;

	if (e->kind != CX_VAR)
		return false;
	named->changes |= is_assigned(body, e->decl) || declares_variable(body, e->decl) ||
		(e->decl == named->s->time && named->loop != named->s->time_loop);
	named->is_before |= c_assigns(named->s->region->body, e->decl) ||
		declares_variable(named->s->region->body, e->decl);
	return false;
}

/* What has the text of the ends of "loop", of which the values behind the region are made? */
static struct named_end named_by(const struct stencil *s, const struct c_stmt *loop)
{
	struct named_end found = { s, loop, false, false }, *user = &found;

	if (!counts_carried(s, loop))
		any_expr(loop->bound, note_named, &user);
	if (!loop->is_while)
		any_expr(loop->value, note_named, &user);
	return found;
}

/* Has the counter, if it outlives the region, an end that is known behind it? */
static bool check_counter_behind(struct stencil *s, const struct c_stmt *loop)
{
	if (!is_live_behind(s, loop->decl) || !named_by(s, loop).changes)
		return true;
	refuse(s, E_C_CARRIED, loop->at, "the value that '%s' has after the region may be used, and the ends of this "
		"loop change in it", c_name(loop->decl));
	diag_advice(s->diags, "declare '%s' in the loop", c_name(loop->decl));
	return false;
}

static bool check_scalars(struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		const struct c_decl *d = c_assigned(body);

		if (d && d != s->time && !find_result(s, d) && !is_turn(s, d) &&
		    (!d->n_dims || (!comes_back(s, d) &&
		     !s->until.exchanges)) && is_live_behind(s, d)) {
			refuse(s, E_C_CARRIED, body->at, "the value that '%s' "
				"has after the region may be used", c_name(d));
			diag_advice(s->diags, is_before_loop(s, body) ? "move this statement before the region" :
				d->is_global || d->member ? "declare '%s' in the loop" :
				"declare '%s' in the loop, or assign to it behind the region", c_name(d));
			return false;
		}
		if (body->kind == CS_FOR && (!check_while(s, body) || !check_counter_behind(s, body)))
			return false;
		if (body->kind == CS_IF && (has_live_counter(s, body->body) ||
		    has_live_counter(s, body->otherwise)))
			return refuse(s, E_C_CARRIED, body->at, "the values "
				"that counters of loops under this condition "
				"have after the region may be used");
		if (!check_scalars(s, body->body) ||
		    !check_scalars(s, body->otherwise))
			return false;
	}
	return true;
}

/* What repeats the loop from a later step on rewrites where it begins. */
static bool check_start(struct stencil *s)
{
	const bool begins_anew = counts_carried(s, s->time_loop) ? declares_carried(s) : s->time_loop->is_while;

	if (!begins_anew || (!s->of_step && !leaves_rest(s) && !leaves_steps(s)))
		return true;
	refuse(s, E_C_CONSTRUCT, s->time_loop->at, "some steps of this loop "
		"run by themselves, and it does not say where it begins");
	diag_advice(s->diags, "write 'for (%s = 0; ..)'", c_name(s->time));
	return false;
}

bool check_counters(struct stencil *s)
{
	for (const struct c_stmt *b = s->region->body; b; b = b->next)
		if (b->kind == CS_DECLARE && is_named_behind(s->region, b->decl))
			return refuse(s, E_C_CONSTRUCT, b->at, "'%s' is "
				"declared in the region and used after it",
				b->decl->name);
	if (s->until.results && has_live_counter(s, s->time_loop->body))
		return refuse(s, E_C_CARRIED, s->time_loop->at, "the values "
			"that counters have after this loop, which may end "
			"early, may be used");
	return check_start(s) && check_scalars(s, s->region->body);
}

/* The values of counters --------------------------------------------------------*/

/* Do ends of loops whose counters outlive the region name scalars that get values in it, before the time loop? */
static bool names_scalars(const struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next)
		if ((body->kind == CS_FOR && is_live_behind(s, body->decl) && named_by(s, body).is_before) ||
		    names_scalars(s, body->body) || names_scalars(s, body->otherwise))
			return true;
	return false;
}

/* The bound of a loop, or what counts its iterations. */
static void print_bound(struct text *t, const struct stencil *s, const struct c_stmt *loop)
{
	if (loop->holds && !loop->condition)
		text_puts(t, c_name(loop->bound->decl));
	else
		print_quoted(t, s, loop->bound->at);
}

/* The value with which an executed loop ends: its bound, or the first value
 * beyond it.
 */
static void print_last(struct text *t, const struct stencil *s,
	const struct c_stmt *loop)
{
	bool down = loop->step < 0, closed = loop->op == OP_LE ||
		loop->op == OP_GE;
	int64_t by = down ? -loop->step : loop->step;
	const char *i = c_name(loop->decl);

	if (by == 1) {
		text_printf(t, "%s = ", i);
		print_bound(t, s, loop);
		text_puts(t, !closed ? ";\n" : down ? " - 1;\n" : " + 1;\n");
		return;
	}
	text_printf(t, "while (%s %s ", i, op_info((enum op)
		loop->op)->spelling);
	print_quoted(t, s, loop->bound->at);
	text_printf(t, ")\n\t%s %s %" PRId64 ";\n", i, down ? "-=" : "+=", by);
}

/* The value with which a loop begins, unless its counter has that. */
static void print_first(struct text *t, const struct stencil *s,
	const struct c_stmt *loop)
{
	struct text value = { 0 };

	if (loop->is_while && names_scalars(s, s->region->body))
		return;
	if (!loop->is_while) {
		text_printf(t, "%s = ", c_name(loop->decl));
		print_quoted(t, s, loop->value->at);
		text_puts(t, ";\n");
		return;
	}
	poly_print(&value, &s->time_range.begin);
	if (strcmp(value.bytes, c_name(loop->decl)) != 0)
		text_printf(t, "%s = %s;\n", c_name(loop->decl), value.bytes);
	text_free(&value);
}

static void print_counters_of(struct text *t, const struct stencil *s,
	const struct c_stmt *body)
{
	for (; body; body = body->next) {
		const char *i = body->decl ? c_name(body->decl) : NULL;

		if (body == s->time_loop && s->until.results)
			continue;
		if (body->kind == CS_BLOCK) {
			print_counters_of(t, s, body->body);
			continue;
		}
		if (body->kind != CS_FOR || (!is_live_behind(s, body->decl) &&
		    !has_live_counter(s, body->body)))
			continue;
		if (body->decl->is_inside) {
			text_printf(t, "{\n\tint %s;\n", i);
			t->indent++;
		}
		print_first(t, s, body);
		text_printf(t, "if (%s %s ", i, op_info((enum op)
			body->op)->spelling);
		print_bound(t, s, body);
		text_puts(t, ") {\n");
		t->indent++;
		print_counters_of(t, s, body->body);
		print_last(t, s, body);
		t->indent--;
		text_puts(t, "}\n");
		if (body->decl->is_inside) {
			t->indent--;
			text_puts(t, "}\n");
		}
	}
}

/* Statements before the time loop that give scalars values. */
static void print_scalars(struct text *t, const struct stencil *s)
{
	const struct c_stmt *before = NULL;

	for (const struct c_stmt *b = region_statements(s); b && b != s->time_loop; b = b->next) {
		const bool declares = b->kind == CS_DECLARE;
		const struct c_decl *d = declares ? b->decl : c_assigned(b);

		if (!d || d->n_dims || (before && share_declaration(before, b)))
			continue;
		print_quoted(t, s, declares ? b->whole : b->at);
		text_puts(t, declares ? "\n" : ";\n");
		before = b;
	}
}

void print_counters(struct text *t, const struct stencil *s)
{
	const bool in_block = names_scalars(s, s->region->body);

	if (in_block) {
		text_puts(t, "{\n");
		t->indent++;
		print_scalars(t, s);
	}
	print_counters_of(t, s, s->region->body);
	if (in_block) {
		t->indent--;
		text_puts(t, "}\n");
	}
}

