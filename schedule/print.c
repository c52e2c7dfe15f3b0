/* Tiles as text. */
#include "schedule/forms.h"

static void print_floor(struct text *t, const char *x, int64_t shift,
	const char *drifted, int drift, int pitch)
{
	text_printf(t, "floor((%s", x);
	if (shift != 0)
		text_printf(t, " + %lld", (long long) shift);
	if (drift != 0)
		text_printf(t, " %c %d*%s", drift < 0 ? '-' : '+',
			drift < 0 ? -drift : drift, drifted);
	text_printf(t, ")/%d)", pitch);
}

static void print_dim(struct text *t, const struct plan *plan, int dim,
	int phase)
{
	const char *x = scop_dim_name(plan->scop, dim);

	text_printf(t, "  S%d = ", dim);
	if (dim != plan->tiles.hex_dim && plan->tiles.skew[dim].num != 0) {
		text_printf(t, "floor((%s", x);
		if (plan->shift[dim][phase] != 0)
			text_printf(t, " + %d", plan->shift[dim][phase]);
		text_puts(t, " + floor(");
		rational_print(t, plan->tiles.skew[dim]);
		text_printf(t, "*a))/%d)", plan->pitch[dim]);
	} else {
		print_floor(t, x, plan->shift[dim][phase], "T",
			plan->drift[dim], plan->pitch[dim]);
	}
	text_printf(t, ", %s\n", plan->role[dim] == ROLE_BLOCKS ?
		"over blocks" : "one after the other");
	if (dim == 0 && plan->slab.tiles > 0)
		text_printf(t, "  slab = floor((S0 + %d)/%d), one after the "
			"other, in each all kernels that share it\n",
			plan->slab.behind, plan->slab.tiles);
	if (dim == 1 && plan->block_rows > 0)
		text_printf(t, "  block = floor(S1/%d), one after the other, in "
			"each all S0\n", plan->block_rows);
}

/* "i goes around N points: .." */
static void print_around(struct text *t, const struct plan *plan, int dim)
{
	const struct expr *size = plan->tiles.around[dim].size;

	text_printf(t, "%s goes around ", scop_dim_name(plan->scop, dim));
	ir_print_expr(t, size);
	if (dim == plan->tiles.hex_dim) {
		text_puts(t, " points: tile 0 of phase 0 has ");
		ir_print_expr(t, size);
		text_printf(t, " mod %d more in each row\n", plan->pitch[dim]);
		return;
	}
	text_puts(t, " points: row a begins at floor(");
	rational_print(t, plan->tiles.around[dim].lead);
	text_puts(t, "*a)\n");
}

static void print_block(struct text *t, const struct plan *plan)
{
	static const char axis[] = "xyz";

	text_puts(t, "threads:");
	for (int i = 0; i < 3 && i < plan->n_dims; i++)
		text_printf(t, " %c = %d over %s", axis[i], plan->threads[i],
			scop_dim_name(plan->scop, plan->n_dims - 1 - i));
	if (plan_has_waves(plan))
		text_printf(t, "\nwaves: chunks of at least %d tiles along "
			"%s; launch w runs chunk c of phase phi where "
			"c + 2*phi = w", plan->tiles.waves.least_chunk,
			scop_dim_name(plan->scop, plan->tiles.waves.dim));
	text_printf(t, "\nshared memory: %lld bytes\n",
		(long long) plan_shared_bytes(plan));
}

/* Skewed rectangles: U counts tiles in time, T wavefronts. */
static void print_diagonal(struct text *t, const struct plan *plan)
{
	const struct hexagon *x = &plan->tiles.hexagon;
	int e = plan->tiles.hex_dim;

	text_printf(t, "h = %d, w0 = %d, drift = %d\n"
		"tau = %d*t + statement\n"
		"  U = floor(tau/%d), a = tau - %d*U\n  S%d = floor((%s",
		x->h, x->w0, x->drift, plan->scop->k, x->height, x->height, e,
		scop_dim_name(plan->scop, e));
	if (x->delta1.num != 0) {
		text_puts(t, " + floor(");
		rational_print(t, x->delta1);
		text_puts(t, "*a)");
	}
	if (x->drift != 0)
		text_printf(t, " + %d*U", x->drift);
	text_printf(t, ")/%d), over blocks\n"
		"  T = U + S%d, wavefronts, launched one after the other\n",
		x->w0, e);
	for (int d = 0; d < plan->n_dims; d++)
		if (d != e)
			print_dim(t, plan, d, 0);
	text_puts(t, "  a, one after the other, a barrier after each\n");
	print_block(t, plan);
}

static void print(struct text *t, const struct plan *plan)
{
	text_printf(t, "strategy %s\n", plan->strategy->name);
	if (plan_is_diagonal(plan)) {
		print_diagonal(t, plan);
		return;
	}
	if (plan_has_hexagons(plan)) {
		const struct hexagon *x = &plan->tiles.hexagon;

		text_printf(t, "h = %d, w0 = %d, f0 = %d, f1 = %d, H = %d, "
			"W = %d\n", x->h, x->w0, x->f0, x->f1, x->height,
			x->pitch);
	}
	text_printf(t, "tau = %d*t + statement\n", plan->scop->k);
	for (int p = 0; p < plan->n_phases; p++) {
		int k = plan->scop->k;

		text_printf(t, "phase %d:\n  T = ", p);
		print_floor(t, "tau", (int64_t) k * plan->time_shift[p], "", 0,
			k * plan->time_pitch);
		text_puts(t, ", launched one after the other\n");
		for (int d = 0; d < plan->n_dims; d++)
			print_dim(t, plan, d, p);
		text_printf(t, "  a = tau + %d - %d*T, one after the other, a "
			"barrier after each\n", k * plan->time_shift[p],
			k * plan->time_pitch);
	}
	for (int d = 0; d < plan->n_dims; d++)
		if (plan_goes_around(plan, d))
			print_around(t, plan, d);
	print_block(t, plan);
}

/* Drawings -------------------------------------------------------------- */

enum { DRAWING_WIDTH = 60, DRAWING_HEIGHT = 32 };

static int scale_to(int extent, int most)
{
	return (extent + most - 1) / most;
}

void hexagon_draw(struct text *t, const struct hexagon *x)
{
	int across = scale_to(hexagon_extent(x), DRAWING_WIDTH);
	int up = scale_to(x->height, DRAWING_HEIGHT);

	for (int a = (x->height - 1) / up * up; a >= 0; a -= up) {
		int first = hexagon_first(x, a), last = hexagon_last(x, a);

		text_printf(t, "a = %3d  ", a);
		for (int b = 0; b <= last; b += across)
			text_puts(t, b + across > first ? "#" : " ");
		text_printf(t, "  b = %d .. %d\n", first, last);
	}
	if (across > 1 || up > 1)
		text_printf(t, "(a character is %d point%s wide, %d row%s "
			"high)\n", across, across > 1 ? "s" : "", up,
			up > 1 ? "s" : "");
}

/* The letter of the tile of point (tau, s): upper case in phase 0. */
static char letter_of_point(const struct hexagon *x, int64_t tau, int64_t s)
{
	for (int phase = 0; phase < 2; phase++) {
		int64_t at = tau + hexagon_tau_shift(x, phase);
		int64_t tt = floor_div(at, x->height);
		int64_t a = at - tt * x->height;
		int64_t along = s + hexagon_s_shift(x, phase) +
			tt * (x->f1 - x->f0);
		int64_t s0 = floor_div(along, x->pitch);
		int64_t b = along - s0 * x->pitch;

		if (b >= hexagon_first(x, (int) a) &&
		    b <= hexagon_last(x, (int) a))
			return (char) ((phase ? 'a' : 'A') +
				(((s0 + 2 * tt) % 26) + 26) % 26);
	}
	return '?';
}

/* The letter of the wavefront of point (tau, s): capitals at every other time
 * of tiles.
 */
static char letter_of_wavefront(const struct hexagon *x, int64_t tau,
	int64_t s)
{
	int64_t time = floor_div(tau, x->height), a = tau - time * x->height;
	int64_t tile = floor_div(s + rational_floor(x->delta1, a) +
		time * x->drift, x->w0);

	return (char) ((time % 2 ? 'a' : 'A') + (time + tile) % 26);
}

static void draw_pattern(struct text *t, const struct hexagon *x)
{
	int across = scale_to(2 * x->pitch, DRAWING_WIDTH);
	int up = scale_to(2 * x->height, DRAWING_HEIGHT);

	text_puts(t, x->is_skewed ? "tiles, time upwards; those of a letter, "
		"capital or not, are a wavefront:\n\n" :
		"tiles of both phases, time upwards; capitals are "
		"phase 0, a letter is a tile:\n\n");
	for (int tau = (2 * x->height - 1) / up * up; tau >= 0; tau -= up) {
		text_printf(t, "tau = %3d  ", tau);
		for (int s = 0; s < DRAWING_WIDTH; s++)
			text_printf(t, "%c", x->is_skewed ?
				letter_of_wavefront(x, tau, s * across) :
				letter_of_point(x, tau, s * across));
		text_puts(t, "\n");
	}
}

static void draw_classical(struct text *t, const struct plan *plan, int dim)
{
	int across = scale_to(3 * plan->tiles.width[dim], DRAWING_WIDTH);
	int up = scale_to(plan->rows, DRAWING_HEIGHT);

	text_printf(t, "\ntiles of width %d in %s, one after the other, "
		"within a %s:\n\n", plan->tiles.width[dim],
		scop_dim_name(plan->scop, dim), plan_is_diagonal(plan) ?
		"skewed rectangle" : "hexagon");
	for (int a = (plan->rows - 1) / up * up; a >= 0; a -= up) {
		text_printf(t, "a = %3d  ", a);
		for (int s = 0; s < DRAWING_WIDTH; s++) {
			int64_t tile = floor_div(s * across + rational_floor(
				plan->tiles.skew[dim], a),
				plan->tiles.width[dim]);

			text_printf(t, "%c", (char) ('0' + tile % 10));
		}
		text_puts(t, "\n");
	}
}

static void draw(struct text *t, const struct plan *plan)
{
	if (!plan_has_hexagons(plan)) {
		text_printf(t, "strategy %s has no tiles in time\n",
			plan->strategy->name);
		return;
	}
	text_printf(t, "a tile: %d rows of (tau, %s), %lld points of the "
		"%s\n\n", plan->rows, scop_dim_name(plan->scop,
		plan->tiles.hex_dim),
		(long long) hexagon_points(&plan->tiles.hexagon),
		plan_is_diagonal(plan) ? "skewed rectangle" : "hexagon");
	hexagon_draw(t, &plan->tiles.hexagon);
	text_puts(t, "\n");
	draw_pattern(t, &plan->tiles.hexagon);
	for (int d = 0; d < plan->n_dims; d++)
		if (d != plan->tiles.hex_dim)
			draw_classical(t, plan, d);
}

static bool copies_ahead(const struct plan *plan, bool in_bulk)
{
	return (plan->group ? plan->opt.starts : plan->opt.async) && !in_bulk;
}

const struct form_plans tiles_plans = {
	.print = print, .draw = draw, .copies_ahead = copies_ahead,
};
