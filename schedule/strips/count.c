/* What the lanes of a strip compute where cells share parts: each operation
 * once at each position, for whichever of a lane's cells need it.
 */

#include "schedule/strips/strips.h"

/* Instructions for a transcendental function beside the special unit's. */
static double special_operations(enum type type)
{
	return type == TYPE_DOUBLE ? 22 : 8;
}

/* An operation of "expr" relative to a cell; operations with the same "like"
 * are shifts of each other.
 */
struct operation {
	const struct expr *expr;
	const struct access *first;	/* read of it */
	int age;			/* of that when it is computed */
	int like;
	int next;			/* of the same age with that, by turns */
	struct instruction_mix mix;
};

struct strip_operations {
	int n;
	struct operation *operation;
};

struct count {
	const struct scop *scop;
	const struct stream *s;
	const struct stmt *stmt;
	const struct strip_parts *parts;
	struct strip_operations *all;
};

static const struct access *first_read(const struct expr *e)
{
	const struct access *acc = e->kind == EXPR_READ ? e->access : NULL;

	for (int i = 0; i < e->n_args && !acc; i++)
		acc = first_read(e->arg[i]);
	return acc;
}

static bool is_same(const struct operation *a, const struct operation *b)
{
	return a->like == b->like && a->age == b->age;
}

static void add_operation(struct count *c, const struct expr *e, int base)
{
	struct strip_operations *all = c->all;
	struct operation new = { .expr = e, .first = first_read(e),
		.like = all->n };
	int64_t shift[IR_MAX_DIMS];

	if (!new.first || new.first->field->n_dims != c->scop->n_dims)
		return;
	if (new.first->field->kind == FIELD_STATE)
		new.age = stream_age(c->s, c->scop, c->stmt, new.first,
			(int) new.first->offset[c->s->dim.stream]) - base;
	for (int i = 0; i < all->n && new.like == all->n; i++)
		if (strip_is_shift(c->scop->n_dims, all->operation[i].expr, e,
		    shift))
			new.like = all->operation[i].like;
	new.mix = expr_mix(c->scop->prog, e);
	new.mix.arithmetic += special_operations(e->type) * new.mix.special;
	if (expr_is_over_root(e))
		new.mix.roots[e->type == TYPE_DOUBLE][MIX_ROOT] += 1;
	new.next = all->n;
	for (int i = all->n - 1; i >= 0 && new.next == all->n; i--)
		if (is_same(&all->operation[i], &new)) {
			new.next = all->operation[i].next;
			all->operation[i].next = all->n;
		}
	all->operation[all->n++] = new;
}

/* The operations of "e" outside its parts, or those of "part". */
static void add_operations(struct count *c, const struct expr *e, int base,
	const struct strip_part *part)
{
	bool root = expr_is_over_root(e);

	if (!e->n_args || ((!part || part->value != e) &&
	    stream_find_place(c->parts, e)))
		return;
	add_operation(c, e, base);
	for (int i = 0; i < e->n_args; i++)
		add_operations(c, root && i == 1 ? e->arg[1]->arg[0] :
			e->arg[i], base, part);
}

struct strip_operations *strip_find_operations(const struct scop *scop,
	const struct stream *s, const struct stmt *stmt,
	const struct strip_parts *parts)
{
	struct strip_operations *all = region_new_of(scop->mem,
		struct strip_operations);
	struct count c = { scop, s, stmt, parts, all };

	all->operation = region_array(scop->mem, struct operation,
		(int) stmt->value->nodes);
	add_operations(&c, stmt->value, 0, NULL);
	for (int i = 0; i < parts->n; i++)
		add_operations(&c, parts->part[i].value, parts->part[i].early,
			&parts->part[i]);
	return all;
}

/* How far what "o" reads first lies from what "from" reads first, in "d". */
static int distance(const struct operation *o, const struct operation *from,
	int d)
{
	return d < 0 ? 0 : (int) (o->first->offset[d] -
		from->first->offset[d]);
}

/* Does a cell before (row, cell), in their order, compute operation "o" of that
 * cell, or an earlier operation of its own that equals it?
 */
static bool is_computed(const struct stream *s,
	const struct strip_operations *all, int o, int row, int cell)
{
	const struct operation *own = &all->operation[o];
	int i = o;

	do {
		const struct operation *other = &all->operation[i];
		int r = row + distance(own, other, s->dim.row);
		int c = cell + distance(own, other, s->dim.lane);

		i = other->next;
		if (r < 0 || r >= s->rows || c < 0 || c >= s->cells)
			continue;
		if (r * s->cells + c < row * s->cells + cell ||
		    (r == row && c == cell && other < own))
			return true;
	} while (i != o);
	return false;
}

struct instruction_mix strip_mix(const struct stream *s,
	const struct strip_operations *all)
{
	struct instruction_mix mix = { 0 };
	double part = 1 / (double) (s->rows * s->cells);

	for (int o = 0; o < all->n; o++) {
		const struct instruction_mix *own = &all->operation[o].mix;

		for (int i = 0; i < s->rows * s->cells; i++) {
			if (is_computed(s, all, o, i / s->cells, i % s->cells))
				continue;
			mix.arithmetic += part * own->arithmetic;
			mix.wide += part * own->wide;
			mix.conversions += part * own->conversions;
			mix.special += part * own->special;
			mix_add_roots(&mix, own, part);
		}
	}
	return mix;
}

struct instruction_mix strip_mix_as_written(const struct program *prog,
	const struct stmt *s)
{
	struct instruction_mix mix = stmt_mix(prog, s);

	mix.arithmetic += mix.special *
		special_operations(s->write->field->type);
	return mix;
}
