/* The sizes of hexagonal tiles, and what follows from them: numbers, or expressions of h, w0,
 * w1, .. where the code gets these as arguments.
 */
#include "codegen/hex/hex.h"

static const struct kx *number(const struct cpu_hex *x, int64_t value)
{
	return integer(x->h, value);
}

/* Are the sizes arguments? */
static bool is_open(const struct cpu_hex *x)
{
	return x->plan->tiles.choice != NULL;
}

const struct kx *cpu_hex_scaled(const struct cpu_hex *x, struct rational r,
	const struct kx *a, struct offset_of_row by)
{
	const struct host *h = x->h;
	const struct kx *product = op(h, OP_MUL, integer(h, r.num < 0 ? -r.num :
		r.num), a);
	const struct kx *inside = r.den == 1 ? plus(x, by.in, by.out) : by.in;
	const struct kx *sum = r.num == 0 ? inside : r.num < 0 ?
		op(h, OP_SUB, inside, product) : plus(x, product, inside);

	if (by.less)
		sum = op(h, OP_SUB, sum, by.less);
	if (r.den == 1)
		return sum;
	return plus(x, sum->kind == KX_INT ? number(x, floor_div(sum->ivalue,
		r.den)) : kx_builtin(h->mem, B_FLOOR_DIV, 2, sum, integer(h,
			r.den)), by.out);
}

const struct kx *cpu_hex_floor(const struct cpu_hex *x, struct rational r,
	const struct kx *a)
{
	return cpu_hex_scaled(x, r, a, (struct offset_of_row) {
		number(x, 0), NULL, number(x, 0) });
}

/* Names that functions declare ----------------------------------------------- */

static const char *name_of(const struct cpu_hex *x, const char *what)
{
	return fresh_name(x->h->mem, x->h->prog, "%s", what);
}

static const struct kx *named(const struct cpu_hex *x, const char *what)
{
	return name(x->h, name_of(x, what));
}

static const struct kx *steps_of_half(const struct cpu_hex *x)
{
	const struct kx *rows = kx_add(x->h->mem, x->size.h, 1);

	return op(x->h, OP_DIV, rows, number(x, x->h->scop->k));
}

static const struct kx *pitch_of_hexagons(const struct cpu_hex *x)
{
	return plus(x, plus(x, kx_add(x->h->mem, op(x->h, OP_MUL, number(x, 2),
		x->size.width[x->plan->tiles.hex_dim]), 2), x->size.f[0]),
		x->size.f[1]);
}

void cpu_hex_declare_sizes(const struct cpu_hex *x, struct ks *block,
	const struct ks *user)
{
	const struct hexagon *hex = &x->plan->tiles.hexagon;
	struct region *r = x->h->mem;
	struct ks *slopes = ks_block(r), *others = ks_block(r);

	if (!is_open(x))
		return;
	declare_if_used(r, others, user, name_of(x, "half"), steps_of_half(x));
	declare_if_used(r, others, user, name_of(x, "pitch"),
		pitch_of_hexagons(x));
	for (int side = 0; side < 2; side++) {
		const char *f = x->size.f[side]->name;
		const struct kx *value = cpu_hex_floor(x, side ? hex->delta1 :
			hex->delta0, x->size.h);

		if (ks_uses(user, f) || ks_uses(others, f))
			host_declare_int(x->h, slopes, f, value);
	}
	ks_add(r, block, slopes);
	ks_add(r, block, others);
}

/* Sizes ------------------------------------------------------------------------ */

static void find_numbers(struct cpu_hex *x)
{
	const struct plan *plan = x->plan;
	const struct hexagon *hex = &plan->tiles.hexagon;
	int e = plan->tiles.hex_dim;

	x->size.h = number(x, hex->h);
	x->size.f[0] = number(x, hex->f0);
	x->size.f[1] = number(x, hex->f1);
	for (int d = 0; d < x->n_dims; d++)
		x->size.width[d] = number(x, d == e ? hex->w0 :
			plan->tiles.width[d]);
	x->size.half = number(x, plan->time_shift[0]);
	x->size.time_pitch = number(x, plan->time_pitch);
	for (int d = 0; d < x->n_dims; d++)
		x->size.pitch[d] = number(x, plan->pitch[d]);
	x->size.drift = number(x, plan->drift[e]);
	x->size.shift = number(x, plan->shift[e][0]);
}

/* w0 is the width of the hexagons; w1, .. are the widths in the other dimensions, in order. */
static void find_names(struct cpu_hex *x)
{
	const struct hexagon *hex = &x->plan->tiles.hexagon;
	int e = x->plan->tiles.hex_dim, i = 1;

	x->size.h = name(x->h, cpu_size_name(x->h, -1));
	x->size.f[0] = named(x, "f0");
	x->size.f[1] = named(x, "f1");
	for (int d = 0; d < x->n_dims; d++)
		x->size.pitch[d] = x->size.width[d] = name(x->h, cpu_size_name(
			x->h, d == e ? 0 : i++));
	x->size.half = named(x, "half");
	x->size.time_pitch = op(x->h, OP_MUL, number(x, 2), x->size.half);
	x->size.pitch[e] = named(x, "pitch");
	x->size.drift = op(x->h, OP_SUB, x->size.f[1], x->size.f[0]);
	if (hex->delta0.num * hex->delta1.den ==
	    hex->delta1.num * hex->delta0.den)
		x->size.drift = number(x, 0);
	x->size.shift = kx_add(x->h->mem, plus(x, x->size.f[0],
		x->size.width[e]), 1);
}

void cpu_hex_find_sizes(struct cpu_hex *x)
{
	if (is_open(x))
		find_names(x);
	else
		find_numbers(x);
}

/* Where tiles lie -------------------------------------------------------------- */

const struct kx *cpu_hex_in_phase_0(const struct cpu_hex *x,
	const struct kx *value)
{
	const struct host *h = x->h;

	if (value->kind == KX_INT && value->ivalue == 0)
		return value;
	return kx_select(h->mem, op(h, OP_EQ, name(h, x->names->phase),
		integer(h, 0)), value, integer(h, 0));
}

/* How far behind its points a tile along "d" may begin. */
static const struct kx *beyond(const struct cpu_hex *x, int d)
{
	const struct kx *rows = kx_add(x->h->mem, op(x->h, OP_MUL, number(x, 2),
		x->size.h), 1);

	return plus(x, cpu_hex_floor(x, x->plan->tiles.skew[d], rows),
		plan_has_lead(x->plan, d) ? cpu_hex_floor(x,
			x->plan->tiles.around[d].lead, rows) : number(x, 0));
}

const struct kx *cpu_hex_edge(const struct cpu_hex *x, int d, bool last)
{
	const struct host *h = x->h;
	bool is_hex = d == x->plan->tiles.hex_dim;
	const struct kx *edge;

	if (!is_open(x))
		return tile_of_edge(h->mem, x->plan, x->names, is_hex ? name(h,
			x->names->phase) : integer(h, 0), d, last);
	edge = edge_of_plan(h->mem, x->plan, d, last);
	if (is_hex)
		edge = plus(x, plus(x, edge, op(h, OP_MUL, name(h,
			x->names->tt), x->size.drift)), cpu_hex_in_phase_0(x,
			x->size.shift));
	else if (last)
		edge = plus(x, edge, beyond(x, d));
	return kx_builtin(h->mem, B_FLOOR_DIV, 2, edge, x->size.pitch[d]);
}
