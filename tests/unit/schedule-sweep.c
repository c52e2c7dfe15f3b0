/* The instances of a window as a plan orders them. */
#include "tests/unit/schedule.h"

/* The points of the tile at "origin" (tau, x). */
static void sweep_tile(struct sweep *s, struct when *when,
	const int origin[MOST_DIMS])
{
	const struct points *shape = s->t->shape;

	for (int i = 0; i < shape->n; i++) {
		int p[MOST_DIMS];
		bool inside = true;

		for (int d = 0; d < MOST_DIMS; d++) {
			p[d] = origin[d] + shape->at[i][d];
			inside = inside && p[d] >= s->low[d] &&
				p[d] <= s->high[d];
		}
		when->row = shape->at[i][0];
		if (inside)
			s->visit(s, when, p);
	}
}

/* Tiles that may touch the window in dimension "d" of the space. */
static void tile_range(const struct sweep *s, int launch_t, int phase, int d,
	int *first, int *last)
{
	const struct plan *plan = s->t->plan;
	int shift = plan->shift[d][phase] + launch_t * plan->drift[d];
	int pitch = plan->pitch[d];

	*first = (int) floor_div(s->low[1 + d] - s->t->high[1 + d] + shift,
		pitch);
	*last = (int) floor_div(s->high[1 + d] - s->t->low[1 + d] + shift,
		pitch) + 1;
}

/* All tiles of a block, S1 before S2, from dimension "d" of the space on. */
static void sweep_block(struct sweep *s, int launch_t, int phase, int d,
	struct when *when, int origin[MOST_DIMS])
{
	const struct plan *plan = s->t->plan;
	int first, last;

	if (d == plan->n_dims) {
		when->turn++;
		sweep_tile(s, when, origin);
		return;
	}
	if (d == plan->tiles.hex_dim) {
		sweep_block(s, launch_t, phase, d + 1, when, origin);
		return;
	}
	assert_int_equal(plan->role[d], ROLE_SEQUENTIAL);
	tile_range(s, launch_t, phase, d, &first, &last);
	for (int i = first; i <= last; i++) {
		origin[1 + d] = i * plan->pitch[d] - plan->shift[d][phase] -
			launch_t * plan->drift[d];
		sweep_block(s, launch_t, phase, d + 1, when, origin);
	}
}

static void sweep_launch(struct sweep *s, int launch_t, int phase,
	struct when *when)
{
	const struct plan *plan = s->t->plan;
	int hex = plan->tiles.hex_dim, first, last;

	assert_int_equal(plan->role[hex], ROLE_BLOCKS);
	tile_range(s, launch_t, phase, hex, &first, &last);
	for (int i = first; i <= last; i++) {
		int s0 = s->backwards ? first + last - i : i;
		int origin[MOST_DIMS] = { 0 };

		origin[0] = plan->scop->k * (launch_t * plan->time_pitch -
			plan->time_shift[phase]);
		origin[1 + hex] = s0 * plan->pitch[hex] -
			plan->shift[hex][phase] - launch_t * plan->drift[hex];
		when->block = s0;
		when->turn = 0;
		sweep_block(s, launch_t, phase, 0, when, origin);
	}
}

void sweep(struct sweep *s)
{
	const struct plan *plan = s->t->plan;
	struct when when = { 0 };
	int first = (int) floor_div(s->low[0], plan->rows) - 1;
	int last = (int) floor_div(s->high[0], plan->rows) + 1;

	assert_int_equal(plan->rows, plan->scop->k * plan->time_pitch);
	for (int t = first; t <= last; t++)
		for (int phase = 0; phase < plan->n_phases; phase++) {
			when.launch++;
			sweep_launch(s, t, phase, &when);
		}
}
