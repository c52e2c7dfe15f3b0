/* Regions with several loops over time.
 *
 * Each such loop is a part, and so are the nests between two of them: a region of its own, with
 * the scalars before it.  The calls of the parts follow each other.
 */
#include "frontend/c/walk.h"

enum role { ROLE_BEFORE, ROLE_TIME, ROLE_NEST };

static enum role role_of(const struct stencil *s, const struct c_stmt *stmt)
{
	struct c_region probe = *s->region;
	struct stencil own = *s;

	if (may_stand_before(s, stmt))
		return ROLE_BEFORE;
	if (stmt->kind != CS_FOR)
		return ROLE_NEST;
	probe.body = c_alone(s->mem, stmt);
	own.region = &probe;
	return is_time_loop(&own, probe.body) ? ROLE_TIME : ROLE_NEST;
}

static bool only_empty(const struct c_stmt *stmt)
{
	while (stmt && stmt->kind == CS_EMPTY)
		stmt = stmt->next;
	return !stmt;
}

/* The first statement behind the part that begins at "stmt", scalars in front included; does it
 * begin with a loop over time?
 */
static const struct c_stmt *end_of_part(const struct stencil *s,
	const struct c_stmt *stmt, bool *is_time)
{
	enum role role = ROLE_BEFORE;

	while (stmt && role == ROLE_BEFORE) {
		role = role_of(s, stmt);
		stmt = stmt->next;
	}
	*is_time = role == ROLE_TIME;
	if (*is_time)
		return only_empty(stmt) ? NULL : stmt;
	while (stmt && role_of(s, stmt) != ROLE_TIME)
		stmt = stmt->next;
	return stmt;
}

/* Statements before a part that it needs ------------------------------------ */

static bool is_element(const struct stencil *s, const struct c_expr *e)
{
	return e->kind == CX_ELEMENT && !is_scalar_element(s, e);
}

/* The first expression in "e" for which "is" holds, with "user". */
static const struct c_expr *find_in(const struct stencil *s,
	const struct c_expr *e, const struct c_stmt *user,
	bool (*is)(const struct stencil *s, const struct c_expr *e,
		const struct c_stmt *user))
{
	const struct c_expr *found = is(s, e, user) ? e : NULL;

	for (int i = 0; i < e->n_args && !found; i++)
		found = find_in(s, e->arg[i], user, is);
	return found;
}

static const struct c_expr *find_any(const struct stencil *s,
	const struct c_stmt *body, const struct c_stmt *user,
	bool (*is)(const struct stencil *s, const struct c_expr *e,
		const struct c_stmt *user))
{
	const struct c_expr *found = NULL;

	for (; body && !found; body = body->next) {
		const struct c_expr *const all[] = {
			body->target, body->value, body->bound,
			body->condition
		};

		for (int i = 0; i < 4 && !found; i++)
			found = all[i] ? find_in(s, all[i], user, is) : NULL;
		if (!found)
			found = find_any(s, body->body, user, is);
		if (!found)
			found = find_any(s, body->otherwise, user, is);
	}
	return found;
}

static bool reads_array(const struct stencil *s, const struct c_expr *e,
	const struct c_stmt *user)
{
	(void) user;
	return is_element(s, e);
}

/* Does "stmt" assign or declare "e"? */
static bool is_made_by(const struct stencil *s, const struct c_expr *e,
	const struct c_stmt *stmt)
{
	(void) s;
	return e->decl && is_assigned(stmt, e->decl);
}

static bool refuse_use(struct stencil *s, const struct c_expr *use,
	const struct c_stmt *by, const char *what)
{
	refuse(s, E_C_CONSTRUCT, use->at, "'%s' %s, and another loop of the "
		"region comes in between", c_quote(s, use->at), what);
	diag_note(s->diags, by->at, "it is this one");
	diag_advice(s->diags, "end the region after that loop, and begin "
		"another one");
	return false;
}

/* Can the part of the statements "own" take over the scalar statement "stmt", which stands
 * before an earlier part?
 */
static bool can_repeat(struct stencil *s, const struct c_stmt *stmt,
	const struct c_stmt *own)
{
	const struct c_stmt *only = c_alone(s->mem, stmt);
	const struct c_expr *use = find_any(s, own, only, is_made_by);

	if (!use)
		return true;
	if (find_any(s, only, NULL, reads_array))
		return refuse_use(s, use, stmt, "has a value of an array");
	if (stmt->kind == CS_DECLARE && stmt->decl->n_dims &&
	    !find_local(s, stmt->decl))
		return refuse_use(s, use, stmt, "is an array or a pointer "
			"that the region declares");
	return true;
}

/* The parts ----------------------------------------------------------------*/

static void append(struct c_stmt ***link, struct c_stmt *stmt)
{
	**link = stmt;
	*link = &stmt->next;
}

/* Copies of the statements from "first" to "end". */
static struct c_stmt *copy_list(const struct stencil *s,
	const struct c_stmt *first, const struct c_stmt *end)
{
	struct c_stmt *copies = NULL, **link = &copies;

	for (; first != end; first = first->next)
		append(&link, c_alone(s->mem, first));
	return copies;
}

static bool is_repeated(const struct stencil *s, const struct c_stmt *stmt)
{
	const struct c_stmt *only = c_alone(s->mem, stmt);

	return may_stand_before(s, stmt) &&
		!find_any(s, only, NULL, reads_array);
}

static struct c_stmt *past(const struct stencil *s, const struct c_stmt *stmt)
{
	struct c_stmt *copy = region_new_of(s->mem, struct c_stmt);

	copy->kind = CS_PAST;
	copy->op = C_OP_NONE;
	copy->at = stmt->at;
	copy->past = c_alone(s->mem, stmt);
	return copy;
}

/* The part from "first" to "end"; NULL after a diagnostic. */
static struct c_region *new_part(struct stencil *s,
	const struct c_stmt *first, const struct c_stmt *end)
{
	struct c_region *part = region_new_of(s->mem, struct c_region);
	struct c_stmt **link = &part->body;
	struct c_stmt *own = copy_list(s, first, end);

	*part = *s->region;
	part->body = NULL;
	part->next = NULL;
	part->whole = s->region;
	for (const struct c_stmt *b = region_statements(s); b != first;
	     b = b->next) {
		if (may_stand_before(s, b) && !can_repeat(s, b, own))
			return NULL;
		append(&link, is_repeated(s, b) ? c_alone(s->mem, b) : past(s, b));
	}
	*link = own;
	return part;
}

struct c_region *split_region(const struct stencil *like,
	const struct c_region *region, bool *fails)
{
	struct stencil own = *like, *s = &own;
	struct c_region *parts = NULL, **link = &parts;
	const struct c_stmt *first, *end;
	bool is_time, any = false;
	int n = 0;

	s->region = region;
	find_scalar_arrays(s);
	for (first = region_statements(s); first; first = end, n++) {
		end = end_of_part(s, first, &is_time);
		any |= is_time;
	}
	if (n < 2 || !any)
		return NULL;
	for (first = region_statements(s); first; first = end) {
		end = end_of_part(s, first, &is_time);
		*link = new_part(s, first, end);
		if (!*link) {
			*fails = true;
			return NULL;
		}
		link = &(*link)->next;
	}
	return parts;
}
