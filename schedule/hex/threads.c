/* The threads of a block for hexagonal tiles, and their share of the points. */
#include <string.h>

#include "schedule/hex/hex.h"

static int widest_row(const struct hexagon *x)
{
	int widest = 0;

	for (int a = 0; a < x->height; a++) {
		int length = hexagon_last(x, a) - hexagon_first(x, a) + 1;

		widest = length > widest ? length : widest;
	}
	return widest;
}

static int narrowest_row(const struct hexagon *x)
{
	return hexagon_last(x, 0) - hexagon_first(x, 0) + 1;
}

/* Threads for loops over rows: the tile's widths, the hexagon's widest row. */
static void choose_loop_threads(struct plan *plan,
	const struct tile_request *request)
{
	int extent[IR_MAX_DIMS];

	for (int i = 0; i < plan->n_dims; i++) {
		int d = plan->n_dims - 1 - i;

		extent[i] = d == plan->tiles.hex_dim ?
			widest_row(&plan->tiles.hexagon) :
			plan->tiles.width[d];
	}
	memcpy(plan->threads, request->threads, sizeof(plan->threads));
	threads_choose(plan->n_dims, extent, plan->threads);
}

bool plan_deals_hexagon(const struct plan *plan)
{
	return plan->tiles.straight && plan->n_dims == 1 &&
		plan->tiles.hex_dim == 0;
}

int plan_other_width(const struct plan *plan)
{
	return plan->tiles.width[plan->tiles.hex_dim == 0 ? 1 : 0];
}

bool plan_can_be_of_any_width(const struct plan *plan)
{
	return plan->form == FORM_TILES && plan->n_dims == 2 &&
		plan->tiles.hex_dim == 0 && plan->tiles.straight &&
		plan->threads[0] == plan_other_width(plan) &&
		plan->opt.reuse == REUSE_DYNAMIC && !plan_is_around(plan);
}

static int part_of(const struct plan *plan, int at)
{
	return (int) floor_div(at - hexagon_first(&plan->tiles.hexagon, 0),
		plan->threads[0]);
}

int plan_first_part(const struct plan *plan, int a)
{
	return part_of(plan, hexagon_first(&plan->tiles.hexagon, a));
}

int plan_last_part(const struct plan *plan, int a)
{
	return part_of(plan, hexagon_last(&plan->tiles.hexagon, a));
}

/* Threads for straight code: one for each column of a classical dimension, as
 * far as a block has them, and one for the whole hexagonal dimension; if that
 * is the only one, its points are dealt to threads.
 */
static void choose_straight_threads(struct plan *plan,
	const struct tile_request *request)
{
	int64_t forced[3] = { 0 }, threads[3];
	struct hex_tile tile = { .w = { plan->tiles.hexagon.w0 } };
	int n = plan->n_dims, classical = 0;

	if (n == 1)
		forced[0] = request->threads[0];
	for (int i = 0; i < n; i++)
		if (n - 1 - i != plan->tiles.hex_dim) {
			if (i < 3)
				forced[classical] = request->threads[i];
			tile.w[n - 1 - classical++] = plan->tiles.width[n - 1 -
				i];
		}
	hex_column_threads(&tile, n, narrowest_row(&plan->tiles.hexagon),
		forced,
		threads);
	classical = 0;
	for (int i = 0; i < 3; i++) {
		bool along = n > 1 && i < n && n - 1 - i == plan->tiles.hex_dim;

		plan->threads[i] = i >= n ? 1 : along ? 1 :
			(int) threads[classical++];
		if (along && request->threads[i] > 0)
			plan->threads[i] = request->threads[i];
	}
}

/* The points of the tile that a thread computes if it has whole columns of the
 * hexagon, or, in one dimension, parts of its rows; 0: impossible.
 */
static double points_of_column(const struct plan *plan)
{
	double points = (double) hexagon_points(&plan->tiles.hexagon);

	if (plan->n_dims == 1)
		return plan->threads[0] > narrowest_row(&plan->tiles.hexagon) ?
			0 :
			points / plan->threads[0] + plan->tiles.hexagon.height;
	for (int d = 0; d < plan->n_dims; d++) {
		int i = plan->n_dims - 1 - d;
		int threads = i < 3 ? plan->threads[i] : 1;

		if (d == plan->tiles.hex_dim ? threads != 1 :
		    plan->tiles.width[d] % threads != 0)
			return 0;
		if (d != plan->tiles.hex_dim)
			points *= plan->tiles.width[d] / threads;
	}
	return points;
}

void hex_threads(struct plan *plan, const struct tile_request *request)
{
	double points;

	plan->opt.shared &= plan_next_shared(plan, NULL) != NULL;
	choose_straight_threads(plan, request);
	points = points_of_column(plan);
	plan->tiles.straight = points > 0 && points <=
		select_rolled_points(plan->scop, plan->tiles.hex_dim,
			&plan->opt);
	plan->tiles.rolled = plan->tiles.straight && points >
		select_column_points(plan->scop, plan->tiles.hex_dim,
			&plan->opt);
	if (!plan->tiles.straight)
		choose_loop_threads(plan, request);
}
