/* Cells around a grid, into which each step copies those of the other end before it reads them:
 *
 *	A[0] = A[n];  A[n+1] = A[1];
 *	for (i = 1; i <= n; i++)
 *		B[i] = f(A[i-1], A[i], A[i+1]);
 *
 * or at the end of the step, for the next one.  The grid alone is a field, and periodic.  It is copied from the array
 * and back in the function that is called.  Where copies come first the last rounds are left to the loops as they are,
 * which leave the cells around it as C does.  Where they come last, the copies are executed once more behind the call,
 * and the first round is left to the loops if it reads those from before.  Where that holds for some parameters the emitted file asks.
 */
#include "frontend/c/border.h"
#include "frontend/c/ghost_find.h"
#include "frontend/c/layer.h"
#include "frontend/c/passes.h"
#include "frontend/c/turn.h"

#include <stdlib.h>

/* The field ----------------------------------------------------------------*/

/* Take the copies around the grid in "f" out of the program; they are linked. */
static struct c_update *take_copies(struct stencil *s, const struct c_field *f)
{
	struct c_update **link = &s->updates, *copies = NULL, **last = &copies;

	while (*link)
		if (is_copy_around(s, f, *link)) {
			*last = *link;
			last = &(*last)->next;
			*link = (*link)->next;
		} else {
			link = &(*link)->next;
		}
	*last = NULL;
	return copies;
}

/* The arrays that are large enough for "a", which "u" reads, to come around once. */
static void note_distance(const struct c_update *u, const struct c_access *a)
{
	for (int d = 0; d < a->n_subs && d < u->write->n_subs; d++) {
		struct poly distance = a->sub[d];
		int64_t value;

		if (a->field->ghosts->wraps[d] && poly_add(&distance,
		    &u->write->sub[d], -1) && poly_is_constant(&distance,
		    &value))
			a->field->least[d] = larger(a->field->least[d],
				(int) llabs(value) + 1);
	}
}

static bool note_distances(void *user, struct c_access *a)
{
	if (a->field->ghosts)
		note_distance(user, a);
	return true;
}

/* Add the first cell of the grid "by" times to the subscripts of "a", an access to it or to its array. */
static void move_access(struct c_access *a, const struct c_ghosts *ghosts, int by)
{
	for (int d = 0; d < a->n_subs; d++)
		if (ghosts->wraps[d])
			poly_add(&a->sub[d], &ghosts->low[d], by);
}

struct poly sub_in_array(const struct c_access *a, int d)
{
	struct c_access own = *a;

	if (a->field->ghosts)
		move_access(&own, a->field->ghosts, 1);
	return own.sub[d];
}

static void become_grid(struct stencil *s, struct c_field *f,
	struct c_ghosts *ghosts)
{
	struct c_update *copies = take_copies(s, f);

	if (ghosts->comes_last && copies)
		ghosts->copies = copies;
	for (int d = 0; d < f->n_dims; d++) {
		if (!ghosts->wraps[d])
			continue;
		f->size[d] = ghosts->period[d];
		f->is_sized[d] = true;
		f->is_positive[d] = false;
		f->ends[d] = BOUNDARY_PERIODIC;
	}
	for (struct c_access *a = s->accesses; a; a = a->next)
		if (a->field == f)
			move_access(a, ghosts, -1);
	f->ghosts = ghosts;
}

bool may_leave_rounds(const struct stencil *s)
{
	return s->time_range.step == 1 && !s->is_one_step && !s->of_step &&
		!s->recorded.first && !s->until.results && !s->lists &&
		!s->region->whole && !s->region->is_looped &&
		!turns_begin_anew(s);
}

static bool find_ghosts_of(struct stencil *s, struct c_field *f)
{
	struct c_ghosts *ghosts = f->part.of || f->local || f->ghosts || f->n_dims == 0 ? NULL : grid_around(s, f);

	if (ghosts)
		become_grid(s, f, ghosts);
	return ghosts;
}

/* .. though no statement copies around it: "copies" are what might. */
static void become_filled(struct stencil *s, struct c_field *f, struct c_ghosts *ghosts)
{
	become_grid(s, f, ghosts);
	for (struct c_update *c = ghosts->copies; c; c = c->next) {
		move_access(c->write, ghosts, -1);
		move_access(c->value->access, ghosts, -1);
	}
}

/* What steps fill from such grids or keep as one, from one to the next, as each may be computed from those before. */
static void fill_grids(struct stencil *s)
{
	struct c_field *f = s->fields;

	for (struct c_update *u = s->updates; u; u = u->next) {
		struct c_ghosts *ghosts = fill_grid(s, u);

		if (ghosts)
			become_filled(s, u->write->field, ghosts);
	}
	while (f) {
		struct c_ghosts *ghosts = f->ghosts ? NULL : keep_grid(s, f);

		if (ghosts)
			become_filled(s, f, ghosts);
		f = ghosts ? s->fields : f->next;
	}
}

/* Is all that gets the cells around a grid one, too, where that must be?  False after a diagnostic. */
static bool all_are_filled(struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next) {
		const struct c_field *from = u->value->kind == CX_ELEMENT ? u->value->access->field : NULL;

		if (from && from->ghosts && from->ghosts->fills && !u->write->field->ghosts)
			return refuse(s, E_NOT_YET, u->at, "'%s' gets the cells around the grid in '%s' where no "
				"condition of the emitted file can ask whether they are such cells: that is not "
				"implemented", c_name(u->write->field->decl), c_name(from->decl));
	}
	return true;
}

/* Arrays that are used on the cells of the grid in "like" alone have its size, too, so that tiles can go around. */
static void find_grids_beside(struct stencil *s, const struct c_field *like)
{
	for (struct c_field *f = s->fields; f; f = f->next) {
		struct c_ghosts *ghosts = f->is_written && !f->ghosts && !f->part.of && !f->local &&
			f->n_dims == like->n_dims ? grid_like(s, f, like->ghosts) : NULL;

		if (ghosts)
			become_grid(s, f, ghosts);
	}
}

bool find_ghosts(struct stencil *s)
{
	struct c_field *last = NULL;

	if (!may_leave_rounds(s))
		return true;
	for (struct c_field *f = s->fields; f; f = f->next)
		if (find_ghosts_of(s, f))
			last = f;
	if (!last)
		return true;
	fill_grids(s);
	if (!all_are_filled(s))
		return false;
	find_grids_beside(s, last);
	for (struct c_update *u = s->updates; u; u = u->next)
		update_reads(u, note_distances, u);
	return true;
}

/* Rounds that are left to the loops ---------------------------------------------*/

/* Is it a variable of the code around the region, which "body" assigns? */
static bool is_changed(const void *body, const struct c_expr *e)
{
	return e->kind == CX_VAR && !e->decl->is_inside && is_assigned(body, e->decl);
}

bool may_leave_first_round(const struct stencil *s)
{
	const struct c_stmt *stmt = region_statements(s), *loop = s->time_loop;
	const struct span *inside = &s->region->inside;

	if (loop->is_while || loop->past || loop->condition || loop->entry || s->region->carried || loop->step != 1 ||
	    loop->value->at.start < inside->start || loop->bound->at.end > inside->end)
		return false;
	while (stmt && stmt->at.start != loop->at.start && (stmt->kind == CS_EMPTY || (stmt->kind == CS_DECLARE &&
	       !(stmt->value && any_expr(stmt->value, is_changed, s->region->body)))))
		stmt = stmt->next;
	return stmt && stmt->at.start == loop->at.start;
}

bool leaves_first_round(const struct stencil *s)
{
	const struct c_field *f = s->fields;

	while (f && !(f->ghosts && f->ghosts->leaves_first))
		f = f->next;
	return f || (s->leaves.left && s->leaves.left->first);
}

void leave_rounds(struct stencil *s)
{
	const struct poly rest = poly_constant(last_rounds(s) * s->n_phases);

	if (leaves_first_round(s) && s->round == s->time)
		s->time_range.begin = behind_first_round(s);
	poly_add(&s->time_range.end, &rest, -1);
}

struct poly behind_first_round(const struct stencil *s)
{
	const struct poly first = poly_constant(s->n_phases);
	struct poly behind = s->time_range.begin;

	poly_add(&behind, &first, 1);
	return behind;
}

int last_rounds(const struct stencil *s)
{
	int rounds = s->leaves.left ? s->leaves.left->rounds : 0;

	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->ghosts)
			rounds = larger(rounds, f->ghosts->rounds);
	return rounds;
}

const struct poly *size_of_array(const struct c_field *f, int d)
{
	if (f->ghosts && f->ghosts->layers && f->ghosts->layers->along == d)
		return &f->ghosts->layers->all;
	return f->ghosts && f->ghosts->wraps[d] ? &f->ghosts->all[d] :
		&f->size[d];
}
