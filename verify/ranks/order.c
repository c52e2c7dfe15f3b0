/* Do messages along one dimension after the other fill all halos, including corners?  For boxes
 * of any size: a rank's own cells are a<d> <= x<d> < b<d>, those of its neighbours begin at
 * y<d> and end at z<d>, and halos are l<d> and h<d> cells deep, no deeper than any of them has
 * cells.
 */
#include "verify/ranks/ranks.h"

/* A rank's range along a dimension: its own cells, a halo, or all. */
enum part { OWN, LOW, HIGH, ALL };

/* The rank at hand, or its neighbour along dimension "along" on a side; -1: none. */
struct place {
	int along;
	enum side side;
};

static const struct place here = { -1, SIDE_LOW };

static void put_part(struct text *t, const struct place *p, int d,
	enum part part)
{
	bool moves = p->along == d;
	char first = !moves ? 'a' : p->side == SIDE_LOW ? 'y' : 'b';
	char end = !moves ? 'b' : p->side == SIDE_LOW ? 'a' : 'z';

	text_printf(t, "%s%c%d", d ? " and " : "", part == HIGH ? end : first, d);
	if (part == LOW || part == ALL)
		text_printf(t, " - l%d", d);
	text_printf(t, " <= x%d < %c%d", d, part == LOW ? first : end, d);
	if (part == HIGH || part == ALL)
		text_printf(t, " + h%d", d);
}

/* What a rank receives in turn "turn" on "side". */
static void put_message(struct text *t, const struct exchange *x,
	const struct place *p, int turn, enum side side)
{
	for (int d = 0; d < x->n_dims; d++)
		put_part(t, p, d, d == x->order[turn] ? side == SIDE_LOW ? LOW :
			HIGH : x->carried[turn] >> d & 1 ? ALL : OWN);
}

/* What it has before turn "turns". */
static void put_known(struct text *t, const struct exchange *x,
	const struct place *p, int turns)
{
	text_puts(t, "(");
	for (int d = 0; d < x->n_dims; d++)
		put_part(t, p, d, OWN);
	for (int turn = 0; turn < turns; turn++)
		for (int side = 0; side < SIDES; side++) {
			text_puts(t, ") or (");
			put_message(t, x, p, turn, side);
		}
	text_puts(t, ")");
}

static void put_names(struct text *t, int n)
{
	text_puts(t, "[");
	for (int d = 0; d < n; d++)
		text_printf(t, "%sy%d, a%d, b%d, z%d, l%d, h%d", d ? ", " : "",
			d, d, d, d, d, d);
	text_puts(t, "] -> { [");
	for (int d = 0; d < n; d++)
		text_printf(t, "%sx%d", d ? ", " : "", d);
	text_puts(t, "] : ");
}

static void put_sizes(struct text *t, int n)
{
	for (int d = 0; d < n; d++) {
		text_printf(t, "%s0 <= l%d, h%d", d ? " and " : "", d, d);
		text_printf(t, " and l%d, h%d <= a%d - y%d", d, d, d, d);
		text_printf(t, " and l%d, h%d <= b%d - a%d", d, d, d, d);
		text_printf(t, " and l%d, h%d <= z%d - b%d", d, d, d, d);
	}
}

static __isl_give isl_set *set_of(struct ranks *r, struct text *t)
{
	isl_set *set = isl_set_read_from_str(r->c->ctx, t->bytes);

	text_free(t);
	return set;
}

/* { x } of what "put" writes, for boxes of all sizes */
static __isl_give isl_set *known_at(struct ranks *r, const struct place *p,
	int turns)
{
	struct text t = { 0 };

	put_names(&t, r->exchange.n_dims);
	put_known(&t, &r->exchange, p, turns);
	text_puts(&t, " }");
	return set_of(r, &t);
}

static __isl_give isl_set *boxes(struct ranks *r, const struct text *box)
{
	struct text t = { 0 };

	put_names(&t, r->exchange.n_dims);
	text_append(&t, box->bytes, box->length);
	text_puts(&t, " and ");
	put_sizes(&t, r->exchange.n_dims);
	text_puts(&t, " }");
	return set_of(r, &t);
}

/* A neighbour has what it sends. */
static bool has_message(struct ranks *r, int turn, enum side side)
{
	struct place from = { r->exchange.order[turn], side };
	struct text box = { 0 };
	isl_set *missing;

	put_message(&box, &r->exchange, &here, turn, side);
	missing = isl_set_subtract(boxes(r, &box), known_at(r, &from, turn));
	text_free(&box);
	return is_shown_empty(r->c, missing) || refute(r->c, "the messages "
		"along dimension %d have cells of halos that have not come "
		"before", r->exchange.order[turn]);
}

static bool all_have_come(struct ranks *r)
{
	struct text box = { 0 };
	isl_set *missing;

	for (int d = 0; d < r->exchange.n_dims; d++)
		put_part(&box, &here, d, ALL);
	missing = isl_set_subtract(boxes(r, &box), known_at(r, &here,
		r->exchange.n_dims));
	text_free(&box);
	return is_shown_empty(r->c, missing) || refute(r->c, "no message brings "
		"some edges or corners of the halos");
}

bool messages_bring_all(struct ranks *r)
{
	for (int turn = 0; turn < r->exchange.n_dims; turn++) {
		int k = r->exchange.order[turn];

		if (k < 0 || k >= r->exchange.n_dims)
			return refute(r->c, "messages go along dimension %d, "
				"which is not cut", k);
		for (int side = 0; side < SIDES; side++)
			if (!has_message(r, turn, side))
				return false;
	}
	if (!all_have_come(r))
		return false;
	claim(r->c, "each message has cells that its sender has by then, its own "
		"or those of halos that came\n  along a dimension before; all "
		"together they bring all halos, edges and corners too");
	return true;
}
