/* Hexagonal tiles as C in dimensions that go around.  A tile has the coordinates that it would
 * have if the grid were repeated without end; rows are computed where these lie in the grid, in
 * as many pieces as they wrap around.
 */
#include "codegen/hex/hex.h"

static const char *name_of(const struct cpu_hex *x, int d, const char *what)
{
	return fresh_name(x->h->mem, x->h->prog, "%s_%s", x->names->point[d],
		what);
}

const char *cpu_hex_more_name(const struct cpu_hex *x)
{
	return name_of(x, x->plan->tiles.hex_dim, "more");
}

/* The points around "d". */
static const struct kx *size_around(const struct cpu_hex *x, int d)
{
	return host_param(x->h, x->plan->tiles.around[d].size,
		ctype(CT_NONE));
}

/* Hexagons ---------------------------------------------------------------- */

/* first = 0, last = imax(N / W, 1 - phase) - 1 and rest = N % W; the origin is
 * S*W - shift + rest, and the first tile of phase 0 has "rest" points more.
 */
void cpu_hex_declare_around(const struct cpu_hex *x, struct ks *phase,
	struct ks *tile)
{
	const struct host *h = x->h;
	const struct plan *plan = x->plan;
	const struct kernel_names *n = x->names;
	int hex = plan->tiles.hex_dim;
	const struct kx *p = name(h, n->phase), *at = name(h, n->tile[hex]);
	const struct kx *pitch = x->size.pitch[hex];
	const char *rest = name_of(x, hex, "rest");

	host_declare_int(h, phase, rest, op(h, OP_MOD, size_around(x, hex),
		pitch));
	host_declare_int(h, phase, n->last[hex], kx_add(h->mem, kx_max(h->mem,
		op(h, OP_DIV, size_around(x, hex), pitch),
		op(h, OP_SUB, integer(h, 1), p)), -1));
	host_declare_int(h, tile, n->origin[hex], op(h, OP_ADD, op(h, OP_SUB,
		op(h, OP_MUL, at, pitch), cpu_hex_in_phase_0(x,
			x->size.shift)), name(h, rest)));
	host_declare_int(h, tile, cpu_hex_more_name(x), kx_select(h->mem,
		kx_and(h->mem, op(h, OP_EQ, p, integer(h, 0)), op(h, OP_EQ, at,
		integer(h, 0))), name(h, rest), integer(h, 0)));
}

/* Classical tiles --------------------------------------------------------- */

/* If one tile has whole rows, they need not move. */
struct ks *cpu_hex_with_moves(const struct cpu_hex *x, int d, struct ks *loop)
{
	const struct host *h = x->h;
	struct ks *block = ks_block(h->mem);

	if (!plan_has_lead(x->plan, d))
		return loop;
	host_declare_int(h, block, name_of(x, d, "moves"), op(h, OP_GT,
		cpu_hex_edge(x, d, true), integer(h, 0)));
	ks_add(h->mem, block, loop);
	return block;
}

/* Rows -------------------------------------------------------------------- */

/* A row of a hexagon never has more points than one turn around the grid. */
static void declare_row_of_hexagon(const struct cpu_hex *x, struct ks *block,
	const struct row_of_tile *row)
{
	const struct host *h = x->h;
	int d = x->plan->tiles.hex_dim;

	host_declare_int(h, block, x->high[d], row->high[d]);
	host_declare_int(h, block, x->low[d], kx_max(h->mem, op(h, OP_SUB,
		row->low[d], name(h, cpu_hex_more_name(x))), kx_add(h->mem,
		op(h, OP_SUB, name(h, x->high[d]), size_around(x, d)), 1)));
}

/* max(low, lead) .. min(high, N - 1 + lead) */
static void declare_classical_row(const struct cpu_hex *x, struct ks *block,
	const struct row_of_tile *row, int d)
{
	const struct host *h = x->h;
	const struct kx *lead = plan_has_lead(x->plan, d) ? op(h, OP_MUL, name(h,
		name_of(x, d, "moves")), row->lead[d]) : integer(h, 0);

	host_declare_int(h, block, x->low[d], kx_max(h->mem, row->low[d],
		lead));
	host_declare_int(h, block, x->high[d], kx_min(h->mem, row->high[d],
		kx_add(h->mem, op(h, OP_ADD, size_around(x, d), lead), -1)));
}

static void declare_row(const struct cpu_hex *x, struct ks *block,
	const struct row_of_tile *row)
{
	for (int d = 0; d < x->n_dims; d++) {
		if (!plan_goes_around(x->plan, d))
			continue;
		if (d == x->plan->tiles.hex_dim)
			declare_row_of_hexagon(x, block, row);
		else
			declare_classical_row(x, block, row, d);
	}
}

/* floor(low / N) or floor(high / N) */
static const struct kx *turn_of(const struct cpu_hex *x, int d,
	const char *side)
{
	return kx_builtin(x->h->mem, B_FLOOR_DIV, 2, name(x->h, side),
		size_around(x, d));
}

struct ks *cpu_hex_each_turn(const struct cpu_hex *x,
	const struct row_of_tile *row, struct ks *call)
{
	const struct host *h = x->h;
	struct ks *block = ks_scope(h->mem);
	const struct kx *runs = NULL;

	if (!plan_is_around(x->plan))
		return call;
	declare_row(x, block, row);
	for (int d = x->n_dims - 1; d >= 0; d--) {
		const char *turn = name_of(x, d, "turn");

		if (!plan_goes_around(x->plan, d))
			continue;
		call = ks_for(h->mem, turn, turn_of(x, d, x->low[d]),
			op(h, OP_LE, name(h, turn), turn_of(x, d, x->high[d])),
			integer(h, 1), call);
		if (d != x->plan->tiles.hex_dim)
			runs = kx_and(h->mem, op(h, OP_LE, name(h, x->low[d]),
				name(h, x->high[d])), runs);
	}
	ks_add(h->mem, block, runs ? ks_if(h->mem, runs, call, NULL) : call);
	return block;
}

const struct kx *cpu_hex_side_of_turn(const struct cpu_hex *x, int d,
	bool last)
{
	const struct host *h = x->h;

	return op(h, OP_SUB, name(h, last ? x->high[d] : x->low[d]), op(h,
		OP_MUL, name(h, name_of(x, d, "turn")), size_around(x, d)));
}
