/* Sources at the beginning of a step:
 *
 *	for (t = 0; t < n; t++) { u[k] += w[t]; v = f(u); swap(u, v); }
 *
 * Nests would read cells that such statements have changed, beside those that they have not.  So the steps of the
 * program begin behind them and end with those of the next step, v = f(u); swap(u, v); u[k] += w[t + 1].  The emitted
 * file executes the first ones in front of the call, and leaves the last step, which has none behind it, to the loops.
 */
#include "frontend/c/carried.h"
#include "frontend/c/ghost.h"
#include "frontend/c/inline.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/walk.h"

#include <string.h>

/* Which statements ----------------------------------------------------------- */

static bool uses_element(const struct c_expr *e, const struct c_expr *of)
{
	if (c_same(e, of))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (uses_element(e->arg[i], of))
			return true;
	return false;
}

static bool is_scalar(const struct c_stmt *stmt)
{
	return (stmt->kind == CS_ASSIGN && stmt->target->kind == CX_VAR && !stmt->target->decl->n_dims) ||
		(stmt->kind == CS_DECLARE && !stmt->decl->n_dims) || stmt->kind == CS_EMPTY;
}

/* Does "stmt", in no loop, change elements, perhaps in a block beside scalars? */
static bool is_source(const struct stencil *s, const struct c_stmt *stmt)
{
	const struct c_stmt *inner = stmt->body;
	bool any = false;

	if (stmt->kind == CS_ASSIGN)
		return stmt->target->kind == CX_ELEMENT && !is_scalar_element(s, stmt->target) &&
			(stmt->op != C_OP_NONE || uses_element(stmt->value, stmt->target));
	for (; stmt->kind == CS_BLOCK && inner && (is_scalar(inner) || is_source(s, inner)); inner = inner->next)
		any |= !is_scalar(inner);
	return stmt->kind == CS_BLOCK && any && !inner;
}

/* The statement behind the sources with which "body" begins, beside scalars; NULL: it does not. */
static const struct c_stmt *behind_sources(const struct stencil *s, const struct c_stmt *body)
{
	const struct c_stmt *behind = NULL;

	for (; body && (is_scalar(body) || is_source(s, body)); body = body->next)
		if (!is_scalar(body))
			behind = body->next;
	return behind;
}

/* Do the statements from "rest" on write all arrays that those from "first" up to "end" change, or move pointers? */
static bool hand_on(const struct c_stmt *rest, const struct c_stmt *first, const struct c_stmt *end)
{
	for (; first != end; first = first->next)
		if (!pointer_move(rest) && (first->kind == CS_BLOCK ? !hand_on(rest, first->body, NULL) :
		    first->target && first->target->kind == CX_ELEMENT && !writes_array(rest, first->target->decl)))
			return false;
	return true;
}

/* What a step of "loop" executes, without a block around it. */
static const struct c_stmt *step_of(const struct c_stmt *loop)
{
	const struct c_stmt *body = loop->body;

	while (body && body->kind == CS_BLOCK && !body->next)
		body = body->body;
	return body;
}

/* Has "e" the same value wherever "loop" computes it in an iteration? */
static bool is_steady(const struct c_stmt *loop, const struct c_expr *e)
{
	bool is = e->kind != CX_CALL && e->kind != CX_BAD && (e->kind != CX_VAR || !c_assigns(loop->body, e->decl)) &&
		(e->kind != CX_ELEMENT || !writes_array(loop->body, e->decl));

	for (int i = 0; i < e->n_args && is; i++)
		is = is_steady(loop, e->arg[i]);
	return is;
}

/* Do the statements with which "loop" begins up to "rest" leave in scalars of the function what others leave that are
 * executed again?
 */
static bool may_repeat(const struct c_stmt *loop, const struct c_stmt *first, const struct c_stmt *rest)
{
	for (; first != rest; first = first->next)
		if ((first->kind == CS_ASSIGN && first->target->kind == CX_VAR && !first->target->decl->is_inside &&
		     (first->op != C_OP_NONE || !is_steady(loop, first->value))) ||
		    (first->kind == CS_BLOCK && !may_repeat(loop, first->body, NULL)))
			return false;
	return true;
}

/* Has "body" a loop over places that data give?  Then the file asks by the call whether there are others. */
static bool has_places(const struct c_stmt *body)
{
	for (; body; body = body->next)
		if ((body->kind == CS_FOR && lists_places(body->body, body->decl)) || has_places(body->body) ||
		    has_places(body->otherwise))
			return true;
	return false;
}

/* The text --------------------------------------------------------------------- */

/* The place of the first "wanted" in "text" from "at" up to "end", or the last one, outside comments; "end": none. */
static unsigned find_char(const char *text, unsigned at, unsigned end, char wanted, bool last)
{
	unsigned found = end;

	for (; at < end && (last || found == end); at++) {
		if (!strncmp(text + at, "//", 2)) {
			at += (unsigned) strcspn(text + at, "\n");
		} else if (!strncmp(text + at, "/*", 2)) {
			const char *close = strstr(text + at + 2, "*/");

			at = close ? (unsigned) (close - text) + 1 : end;
		} else if (text[at] == wanted) {
			found = at;
		}
	}
	return found;
}

/* The text of the statements with which "loop" begins up to "rest", behind those scalars that others use, too, "before"
 * the first source; false if the file does not have it so.
 */
static bool find_text(const struct stencil *s, const struct c_stmt *loop, const struct c_stmt *rest, struct span *all,
	struct span *sources)
{
	const char *text = s->source->text;
	const struct span *inside = &s->region->inside;
	unsigned limit = rest->at.start, semicolon;

	if (loop->bound->at.end <= inside->start || limit <= loop->bound->at.end || rest->at.end > inside->end)
		return false;
	all->start = find_char(text, loop->bound->at.end, limit, '{', false) + 1;
	semicolon = find_char(text, all->start, limit, ';', true);
	if (all->start >= limit || semicolon >= limit)
		return false;
	all->end = semicolon + 1;
	*sources = *all;
	for (const struct c_stmt *stmt = step_of(loop); stmt != rest; stmt = stmt->next)
		if (is_scalar(stmt) && span_contains(*all, stmt->at) && (stmt->kind != CS_DECLARE ||
		    span_contains(*all, stmt->decl->at)))
			sources->start = find_char(text, stmt->at.end - 1, all->end, ';', false) + 1;
	while (sources->start < sources->end && strchr(" \t\n", text[sources->start]))
		sources->start++;
	return sources->start < sources->end;
}

struct span text_of_sources(const struct stencil *s)
{
	return s->time_loop->past->at;
}

void print_first_sources(struct text *t, const struct stencil *s)
{
	const struct c_stmt *loop = s->time_loop;
	const char *text = s->source->text;
	struct span all;

	if (!loop->past)
		return;
	all = loop->past->whole;
	text_printf(t, "{\n\t%s%s = ", loop->decl->is_inside ? "const int " : "", c_name(loop->decl));
	text_append(t, text + loop->value->at.start, loop->value->at.end - loop->value->at.start);
	text_puts(t, ";\n\t");
	while (text[all.start] == ' ' || text[all.start] == '\t' || text[all.start] == '\n')
		all.start++;
	text_append(t, text + all.start, all.end - all.start);
	text_puts(t, "\n}\n");
}

/* The steps ------------------------------------------------------------------ */

/* The statements from "body" up to "rest" for the next step. */
static struct c_stmts for_next_step(struct stencil *s, const struct c_stmt *loop, const struct c_stmt *rest)
{
	const struct c_decl *time = loop->decl;
	struct c_expr *now = c_variable(s->mem, time, time->type, loop->at), *one = c_leaf(s->mem, CX_INT, C_INT,
		loop->at);
	struct actual next = { time, c_binary(s->mem, OP_ADD, time->type, now, one, loop->at), NULL };
	struct frame f = { .mem = s->mem, .actuals = &next };
	struct c_stmts all = { 0 };

	one->value = 1;
	for (const struct c_stmt *stmt = step_of(loop); stmt != rest; stmt = stmt->next) {
		f.body = c_alone(s->mem, stmt);
		list_append(&all, frame_body(&f));
	}
	return all;
}

/* The scalars before "rest", "rest" and all behind it, and then "next" */
static struct c_stmt *behind(struct stencil *s, const struct c_stmt *body, const struct c_stmt *rest,
	struct c_stmts next)
{
	struct c_stmts all = { 0 };

	for (; body != rest; body = body->next)
		if (is_scalar(body))
			list_add(&all, c_alone(s->mem, body));
	for (; rest; rest = rest->next)
		list_add(&all, c_alone(s->mem, rest));
	list_append(&all, next);
	return all.first;
}

/* "loop" with steps that begin behind its sources; NULL: they cannot. */
static struct c_stmt *begin_later(struct stencil *s, const struct c_stmt *loop)
{
	const struct c_stmt *rest = behind_sources(s, step_of(loop));
	struct c_stmt *later, *past;
	struct span all, sources;

	if (!rest || loop->step != 1 || loop->condition || loop->entry || loop->is_while ||
	    (loop->op != OP_LT && loop->op != OP_LE) || has_places(rest) ||
	    !may_repeat(loop, step_of(loop), rest) || !hand_on(rest, step_of(loop), rest) ||
	    !find_text(s, loop, rest, &all, &sources))
		return NULL;
	later = c_alone(s->mem, loop);
	past = c_alone(s->mem, rest);
	past->kind = CS_PAST;
	past->whole = all;
	past->at = sources;
	later->past = past;
	later->next = loop->next;
	later->body = behind(s, step_of(loop), rest, for_next_step(s, loop, rest));
	return later;
}

/* Does the region begin with "loop"?  Scalars before it would begin anew where the file repeats steps. */
static bool begins_with(const struct stencil *s, const struct c_stmt *loop)
{
	const struct c_stmt *first = region_statements(s);

	while (first && first->kind == CS_EMPTY)
		first = first->next;
	return first == loop;
}

const struct c_region *begun_behind_sources(struct stencil *s)
{
	const struct c_stmt *loop = s->region->whole ? NULL : time_loop_of(s);
	struct c_stmt *later = loop && begins_with(s, loop) ? begin_later(s, loop) : NULL;
	struct c_region *own;

	if (!later)
		return NULL;
	own = region_new_of(s->mem, struct c_region);
	*own = *s->region;
	own->body = with_loop(s, own->body, loop, later, NULL);
	return own;
}

void end_a_step_early(struct stencil *s)
{
	const struct poly one = poly_constant(1);

	if (s->time_loop->past)
		poly_add(&s->time_range.end, &one, -1);
}

bool leaves_steps(const struct stencil *s)
{
	return last_rounds(s) || s->time_loop->past;
}
