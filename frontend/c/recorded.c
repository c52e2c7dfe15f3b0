/* Records: arrays of which each step writes its own elements and no step reads any, as in
 * rec[t][i] = A[i] or if (t % 10 == 0) snap[t/10][i] = A[i].  They become outputs by step, and
 * all steps stay one call.
 */
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

enum { DEEPEST = 8 };

/* What the text shows ------------------------------------------------------ */

static bool has_step(const struct stencil *s, const struct c_expr *e,
	int depth);

/* Does a value that "body" assigns to "d" depend on the step? */
static bool gets_step(const struct stencil *s, const struct c_stmt *body,
	const struct c_decl *d, int depth)
{
	for (; body; body = body->next) {
		bool to = (body->kind == CS_DECLARE && body->decl == d) ||
			(body->kind == CS_ASSIGN &&
			 body->target->kind == CX_VAR &&
			 body->target->decl == d);

		if ((to && body->value && has_step(s, body->value, depth)) ||
		    gets_step(s, body->body, d, depth) ||
		    gets_step(s, body->otherwise, d, depth))
			return true;
	}
	return false;
}

/* Does "e", or a scalar in it, contain the time other than modulo something? */
static bool has_step(const struct stencil *s, const struct c_expr *e,
	int depth)
{
	if (e->kind == CX_BINARY && (e->op == OP_MOD || e->op == OP_BIT_AND))
		return false;
	if (e->kind == CX_VAR)
		return e->decl == s->time || (depth < DEEPEST &&
			!e->decl->n_dims && is_integer(e->decl->type) &&
			gets_step(s, s->time_loop->body, e->decl, depth + 1));
	for (int i = 0; i < e->n_args; i++)
		if (has_step(s, e->arg[i], depth))
			return true;
	return false;
}

static bool is_of_step(const struct stencil *s, const struct c_expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		if (has_step(s, e->arg[i], 0))
			return true;
	return false;
}

static bool is_in(const struct c_expr *e, const struct c_decl *d)
{
	if (e->decl == d)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (is_in(e->arg[i], d))
			return true;
	return false;
}

bool declares_variable(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next)
		if ((body->kind == CS_DECLARE && body->decl == d) ||
		    declares_variable(body->body, d) ||
		    declares_variable(body->otherwise, d))
			return true;
	return false;
}

bool writes_array(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next)
		if ((body->kind == CS_ASSIGN && body->target->kind ==
		     CX_ELEMENT && body->target->decl == d) ||
		    writes_array(body->body, d) ||
		    writes_array(body->otherwise, d))
			return true;
	return false;
}

/* Does "e" read an array, other than "d", that the time loop writes? */
static bool reads_written(const struct stencil *s, const struct c_expr *e,
	const struct c_decl *d)
{
	if (e->kind == CX_ELEMENT && e->decl != d &&
	    (e->decl->is_pointer || writes_array(s->time_loop->body, e->decl)))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (reads_written(s, e->arg[i], d))
			return true;
	return false;
}

static bool is_recording(const struct stencil *s, const struct c_stmt *body,
	const struct c_decl *d)
{
	const struct c_expr *to = body->target;

	return body->kind == CS_ASSIGN && to->kind == CX_ELEMENT &&
		to->decl == d && body->op == C_OP_NONE && is_of_step(s, to) &&
		reads_written(s, body->value, d);
}

/* Does "body" only use "d" to record something?  "any" is set if it does. */
static bool records_only(const struct stencil *s, const struct c_stmt *body,
	const struct c_decl *d, bool *any)
{
	for (; body; body = body->next) {
		bool records = is_recording(s, body, d);
		const struct c_expr *used[] = { body->value, body->bound,
			body->condition, records ? NULL : body->target };

		*any |= records;
		if (body->decl == d)
			return false;
		for (int i = 0; i < 4; i++)
			if (used[i] && is_in(used[i], d))
				return false;
		for (int i = 0; records && i < body->target->n_args; i++)
			if (is_in(body->target->arg[i], d))
				return false;
		if (!records_only(s, body->body, d, any) ||
		    !records_only(s, body->otherwise, d, any))
			return false;
	}
	return true;
}

bool is_recorded(const struct stencil *s, const struct c_decl *d)
{
	bool any = false;

	return !s->recorded.why && !d->member && !d->is_inside &&
		records_only(s, s->time_loop->body, d, &any) && any;
}

bool records_alone(const struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		if (is_no_stencil(body) || (body->kind == CS_ASSIGN &&
		    (body->target->kind != CX_ELEMENT ||
		     !is_recorded(s, body->target->decl))))
			return false;
		if (!records_alone(s, body->body) ||
		    !records_alone(s, body->otherwise))
			return false;
	}
	return true;
}
