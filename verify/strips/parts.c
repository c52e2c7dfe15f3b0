/* Parts of a statement's value that earlier iterations of a strip compute.  Iteration n computes
 * a statement for position x of the streamed dimension, and a part that is e iterations early
 * for position x + e.  What the statement, or a part that is b iterations early, uses in its
 * place was computed for the same position
 *
 *	x - age + e' = x + b - shift
 *
 * as the part is the expression in its place, "shift" positions further.
 */
#include "verify/strips/strips.h"

struct walk {
	struct checker *c;
	const struct stream *s;
	const struct stmt *stmt;
	const struct strip_parts *parts;
	bool *done;		/* by part */
	bool (*read)(void *user, const struct access *acc, int early);
	void *user;
};

static bool refute_part(const struct walk *w, const char *why)
{
	return refute(w->c, "a part of '%s' that iterations share %s",
		w->stmt->write->field->name, why);
}

/* Does "b" read what "a" reads, "shift" positions further along "d"? */
static bool is_shifted_read(const struct access *a, const struct access *b,
	int d, int64_t shift)
{
	if (a->field != b->field || a->version != b->version ||
	    access_strides(a) || access_strides(b))
		return false;
	for (int i = 0; i < a->field->n_dims; i++)
		if (a->dim[i] != b->dim[i] || b->offset[i] - a->offset[i] !=
		    (a->dim[i] == d ? shift : 0))
			return false;
	return true;
}

static bool is_shifted(const struct expr *a, const struct expr *b, int d,
	int64_t shift)
{
	if (!expr_same_node(a, b))
		return false;
	if (a->kind == EXPR_READ)
		return is_shifted_read(a->access, b->access, d, shift);
	for (int i = 0; i < a->n_args; i++)
		if (!is_shifted(a->arg[i], b->arg[i], d, shift))
			return false;
	return true;
}

static const struct strip_place *place_of(const struct strip_parts *parts,
	const struct expr *e)
{
	for (int i = 0; i < parts->n_places; i++)
		if (parts->place[i].expr == e)
			return &parts->place[i];
	return NULL;
}

static bool walk(struct walk *w, const struct expr *e, int base, int part);

/* The operands of "e", as part number "part" or as the statement itself needs them. */
static bool walk_operands(struct walk *w, const struct expr *e, int base,
	int part)
{
	for (int i = 0; i < e->n_args; i++)
		if (!walk(w, e->arg[i], base, part))
			return false;
	return true;
}

/* An iteration computes parts in their order, then the statement. */
static bool use_part(struct walk *w, const struct expr *e,
	const struct strip_place *place, int base, int user)
{
	const struct strip_part *part = &w->parts->part[place->part];
	int age = place->early - base;

	if (age < 0 || (age == 0 && place->part >= user))
		return refute_part(w, "is used before it is computed");
	if (age > part->oldest || age >= w->s->period)
		return refute_part(w, "is used when it has given way");
	if (!is_shifted(part->value, e, w->s->dim.stream,
	    part->early - place->early))
		return refute_part(w, "is not what it stands for");
	if (w->done[place->part])
		return true;
	w->done[place->part] = true;
	return walk_operands(w, part->value, part->early, place->part);
}

/* Only states have values of other iterations. */
static bool read_early(const struct walk *w, const struct access *acc, int base)
{
	if (acc->field->kind == FIELD_STATE)
		return w->read(w->user, acc, base);
	return base == 0 || refute_part(w, "reads an input");
}

static bool is_of_point(const struct expr *e)
{
	return e->kind == EXPR_INDEX || e->kind == EXPR_TIME ||
		e->kind == EXPR_LOCAL || e->kind == EXPR_ELEMENT;
}

static bool walk(struct walk *w, const struct expr *e, int base, int part)
{
	const struct strip_place *place = place_of(w->parts, e);

	if (place)
		return use_part(w, e, place, base, part);
	if (e->kind == EXPR_READ)
		return read_early(w, e->access, base);
	if (base != 0 && is_of_point(e))
		return refute_part(w, "depends on the point");
	return walk_operands(w, e, base, part);
}

bool each_early_read(struct checker *c, const struct stream *s,
	const struct stmt *stmt, bool (*read)(void *user,
		const struct access *acc, int early), void *user)
{
	const struct strip_parts *parts = &s->parts[stmt->index];
	struct walk w = { c, s, stmt, parts, region_array(c->mem, bool,
		parts->n), read, user };

	for (const struct local *l = stmt->locals; l; l = l->next)
		if (!walk(&w, l->value, 0, parts->n))
			return false;
	return walk(&w, stmt->value, 0, parts->n);
}
