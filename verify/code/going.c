/* Pointers that the periods of a strip take over from each other. */
#include <string.h>

#include "verify/code/lanes.h"

/* Where a pointer is as a period begins. */
struct found {
	const struct named *of;
	struct spot at;
	const struct found *next;
};

static bool is_named(const struct kx *x, const char *name)
{
	return x->kind == KX_NAME && !strcmp(x->name, name);
}

static bool is_not_shown(const struct lanes *l)
{
	return refute(l->w->c, "it is not shown that pointers lead to where a "
		"period begins if '%s' says so", l->names->strips.goes_on);
}

bool is_going(const struct lanes *l, const char *name)
{
	return !strcmp(name, l->names->strips.goes_on);
}

bool declare_going(struct lanes *l, const struct ks *s)
{
	l->loop.going = (struct going) { .name = s->name, .depth = l->depth };
	declare_scalar(l, s->name);
	return (s->n_x > 0 && is_named(s->x[0], "false")) ||
		is_not_shown(l);
}

bool stop_going(struct lanes *l, const struct ks *s)
{
	if (!l->loop.going.name || !is_named(s->x[1], "false"))
		return is_not_shown(l);
	l->loop.going.now = STOPPED;
	return true;
}

/* Pointers ------------------------------------------------------------------ */

/* Pointers found since the branch began, or the period, are not known any more. */
static void forget_pointers(struct lanes *l)
{
	for (const struct named *v = l->known; v; v = v->next)
		if (v->is_free && v->kind == SPOT && v->depth >= l->depth)
			((struct named *) v)->kind = OTHER;
}

static const struct found *found_here(const struct lanes *l)
{
	const struct found *list = NULL;

	for (const struct named *v = l->known; v; v = v->next)
		if (v->is_free && v->kind == SPOT && v->depth >= l->depth) {
			struct found *f = region_new_of(l->w->c->mem,
				struct found);

			*f = (struct found) { v, v->spot, list };
			list = f;
		}
	return list;
}

/* Is it a period further? */
static bool has_moved(const struct lanes *l, const struct found *f)
{
	for (int axis = 0; axis < N_AXES; axis++) {
		int64_t by;

		if (!lines_are_apart(&f->of->spot.at[axis], &f->at.at[axis],
		    &by) || by != (axis == ALONG ? l->s.period : 0))
			return false;
	}
	return true;
}

static bool have_moved(const struct lanes *l)
{
	for (const struct found *f = l->loop.going.found; f; f = f->next)
		if (!has_moved(l, f))
			return refute(l->w->c, "a period does not leave '%s' "
				"where the next one needs it", f->of->name);
	return true;
}

bool finds_pointers(const struct lanes *l, const struct ks *s)
{
	return s->x[0]->kind == KX_UNARY && s->x[0]->op == OP_NOT &&
		s->n_children == 1 && is_named(s->x[0]->arg[0],
			l->names->strips.goes_on);
}

/* Does "s" set pointers, and nothing else, or "goes_on"? */
static bool sets_pointers(const struct lanes *l, const struct ks *s)
{
	const struct named *v;

	if (s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME) {
		if (is_going(l, s->x[0]->name))
			return is_named(s->x[1], "true");
		v = scalar_called(l, s->x[0]->name);
		return v && v->is_free;
	}
	for (int i = 0; i < s->n_children; i++)
		if (!sets_pointers(l, s->child[i]))
			return false;
	return s->kind == KS_BLOCK;
}

static bool sets_going(const struct lanes *l, const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
		is_going(l, s->x[0]->name);
}

static bool run_all(struct lanes *l, const struct ks *s,
	bool (*run)(struct lanes *l, const struct ks *s))
{
	if (s->kind != KS_BLOCK)
		return sets_going(l, s) || run(l, s);
	for (int i = 0; i < s->n_children; i++)
		if (!run_all(l, s->child[i], run))
			return false;
	return true;
}

bool find_pointers(struct lanes *l, const struct ks *s,
	bool (*run)(struct lanes *l, const struct ks *s))
{
	if (!l->loop.going.name || l->loop.going.now != BEGUN || found_here(l) ||
	    !sets_pointers(l, s->child[0]))
		return is_not_shown(l);
	if (!run_all(l, s->child[0], run))
		return false;
	l->loop.going.now = FOUND;
	l->loop.going.found = found_here(l);
	return true;
}

/* Periods, and their branches ------------------------------------------------- */

bool may_begin_periods(const struct lanes *l)
{
	return !l->loop.going.name || (l->loop.going.now == STOPPED &&
		l->loop.going.depth == l->depth - 1) ||
		is_not_shown(l);
}

void begin_going(struct lanes *l)
{
	forget_pointers(l);
	l->loop.going.now = l->loop.going.name ? BEGUN : STOPPED;
}

bool end_going(struct lanes *l)
{
	if (l->loop.going.now == BEGUN)
		return is_not_shown(l);
	if (l->loop.going.now == FOUND && !have_moved(l))
		return false;
	l->loop.going.now = STOPPED;
	return true;
}

bool end_branch_going(struct lanes *l, const struct going *before)
{
	if (before->now == BEGUN && l->loop.going.now == FOUND && !end_going(l))
		return false;
	forget_pointers(l);
	return true;
}

bool join_going(struct lanes *l, const struct going *other)
{
	return l->loop.going.now == other->now || is_not_shown(l);
}
