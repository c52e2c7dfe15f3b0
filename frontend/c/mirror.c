/* Sweeps that run downwards: those of the language run upwards, in the order of the subscripts.  So a
 * dimension along which a loop carries values downwards is stored the other way round, in all arrays that
 * its nests use: cell i of the program is cell size - 1 - i of C.  The function that is called copies the
 * arrays from there and back.
 */
#include "frontend/c/ghost.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

struct mirrors {
	struct stencil *s;
	const struct c_update *update;
	struct mark {
		struct c_field *field;
		bool dim[C_MAX_DIMS];	/* is it stored the other way round? */
		struct mark *next;
	} *marks;
	bool grows, fails;
};

static struct mark *mark_of(const struct mirrors *m, const struct c_field *f)
{
	struct mark *mark = m->marks;

	while (mark->field != f)
		mark = mark->next;
	return mark;
}

static void add_mark(struct mirrors *m, const struct c_field *f, int d)
{
	struct mark *mark = mark_of(m, f);

	m->grows |= !mark->dim[d];
	mark->dim[d] = true;
}

/* Which sweeps run downwards ----------------------------------------------- */

static bool note_sweep(void *user, struct c_access *a)
{
	struct mirrors *m = user;
	const struct c_update *u = m->update;

	if (a->field != u->write->field || see_writes(m->s, a).carried != u ||
	    reads_in_sweep(m->s, u, a))
		return true;
	for (int d = 0; d < a->n_subs; d++) {
		const struct c_loop *l = loop_of(u->place.loop,
			&u->write->sub[d]);

		if (l && l->down)
			add_mark(m, a->field, d);
	}
	return true;
}

/* What else has these dimensions ------------------------------------------- */

/* Is "loop" that of a dimension of "a" that is stored the other way round? */
static bool turns(const struct mirrors *m, const struct c_access *a,
	const struct c_loop *loop)
{
	const struct mark *mark = mark_of(m, a->field);

	for (int d = 0; d < a->n_subs; d++)
		if (mark->dim[d] && poly_uses(&a->sub[d], loop->decl))
			return true;
	return false;
}

static void mark_loop(struct mirrors *m, const struct c_access *a,
	const struct c_loop *loop)
{
	for (int d = 0; d < a->n_subs; d++)
		if (poly_uses(&a->sub[d], loop->decl))
			add_mark(m, a->field, d);
}

/* What a read shares with what is written is stored alike. */
static bool spread(void *user, struct c_access *a)
{
	struct mirrors *m = user;
	const struct c_access *w = m->update->write;

	for (const struct c_loop *l = m->update->place.loop; l; l = l->outer) {
		if (turns(m, w, l))
			mark_loop(m, a, l);
		if (turns(m, a, l))
			mark_loop(m, w, l);
	}
	return true;
}

/* What cannot be stored so ------------------------------------------------- */

/* A sweep whose loop over such a dimension runs upwards would go the wrong way. */
static bool check_sweep(void *user, struct c_access *a)
{
	struct mirrors *m = user;
	const struct c_update *u = m->update;
	const struct mark *mark = mark_of(m, a->field);

	if (a->field != u->write->field || see_writes(m->s, a).carried != u)
		return true;
	for (int d = 0; d < a->n_subs; d++) {
		const struct c_loop *l = loop_of(u->place.loop,
			&u->write->sub[d]);

		m->fails |= mark->dim[d] && l && !l->down;
	}
	return true;
}

/* Do the sizes differ by a number, so that distances are known? */
static bool sizes_match(const struct c_field *f, int d, const struct c_field *g,
	int e)
{
	struct poly apart = f->size[d];
	int64_t n;

	return poly_add(&apart, &g->size[e], -1) && poly_is_constant(&apart,
		&n);
}

static bool check_match(void *user, struct c_access *a)
{
	struct mirrors *m = user;
	const struct mark *mark = mark_of(m, a->field);
	const struct c_access *w = m->update->write;

	for (int e = 0; e < a->n_subs; e++) {
		const struct c_loop *l = mark->dim[e] ? loop_of(
			m->update->place.loop, &a->sub[e]) : NULL;

		m->fails |= mark->dim[e] && (a->around[e] || (!l &&
			!a->field->is_written));
		for (int d = 0; l && d < w->n_subs; d++)
			m->fails |= poly_uses(&w->sub[d], l->decl) &&
				!sizes_match(w->field, d, a->field, e);
	}
	return true;
}

static bool has_marks(const struct mark *mark)
{
	for (int d = 0; d < mark->field->n_dims; d++)
		if (mark->dim[d])
			return true;
	return false;
}

static bool may_turn(const struct mark *mark)
{
	const struct c_field *f = mark->field;

	for (int d = 0; d < f->n_dims; d++)
		if (mark->dim[d] && f->ends[d] != BOUNDARY_FIXED)
			return false;
	return !f->part.of && !f->ghosts && f->decl->type != C_BOOL;
}

/* ------------------------------------------------------------------------- */

static void turn_field(struct stencil *s, const struct mark *mark)
{
	const struct poly one = poly_constant(1);
	struct c_field *f = mark->field;
	struct c_ghosts *ghosts;

	for (struct c_access *a = s->accesses; a; a = a->next)
		for (int d = 0; a->field == f && d < f->n_dims; d++) {
			struct poly turned = f->size[d];

			if (!mark->dim[d])
				continue;
			poly_add(&turned, &one, -1);
			poly_add(&turned, &a->sub[d], -1);
			a->sub[d] = turned;
		}
	if (f->local)
		return;
	ghosts = region_new_of(s->mem, struct c_ghosts);
	for (int d = 0; d < f->n_dims; d++)
		ghosts->turns[d] = mark->dim[d];
	f->ghosts = ghosts;
}

static void each_update(struct mirrors *m, bool (*each)(void *user,
	struct c_access *a))
{
	for (const struct c_update *u = m->s->updates; u; u = u->next) {
		m->update = u;
		update_reads(u, each, m);
	}
}

/* A call that computes one step would copy more than it computes. */
static bool may_have_mirrors(const struct stencil *s)
{
	return !s->is_one_step && !s->of_step && !s->recorded.first &&
		!s->until.results && !s->lists;
}

static bool has_loop_down(const struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next)
		for (const struct c_loop *l = u->place.loop; l; l = l->outer)
			if (l->down)
				return true;
	return false;
}

void find_mirrors(struct stencil *s)
{
	struct mirrors m = { .s = s };

	if (!may_have_mirrors(s) || !has_loop_down(s))
		return;
	for (struct c_field *f = s->fields; f; f = f->next) {
		struct mark *mark = region_new_of(s->mem, struct mark);

		mark->field = f;
		mark->next = m.marks;
		m.marks = mark;
	}
	each_update(&m, note_sweep);
	while (m.grows) {
		m.grows = false;
		each_update(&m, spread);
	}
	each_update(&m, check_match);
	each_update(&m, check_sweep);
	for (const struct mark *mark = m.marks; mark; mark = mark->next)
		m.fails |= has_marks(mark) && !may_turn(mark);
	for (const struct mark *mark = m.marks; mark && !m.fails;
	     mark = mark->next)
		if (has_marks(mark))
			turn_field(s, mark);
}

bool has_mirrors(const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		for (int d = 0; f->ghosts && d < f->n_dims; d++)
			if (f->ghosts->turns[d])
				return true;
	return false;
}
