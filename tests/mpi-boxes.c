/* What --verify takes for granted of runtime/mpi-*.inc: who has which cells, how many steps
 * there are between two exchanges, and which cells come and go.  For all small sizes these
 * are compared with what verify/ranks/boxes.c says.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STENCILC_FIELDS 1
#define STENCILC_PARTS 1
#define STENCILC_NUMBERS 1
#define OMP(x)
#include "runtime/mpi-ranks.inc"
#include "runtime/mpi-zones.inc"
#include "runtime/mpi-host-cells.inc"
#include "runtime/mpi-halos.inc"
#include "runtime/mpi-calls.inc"
#include "runtime/mpi-host.inc"

enum { LOW = STENCILC_LOW, HIGH = STENCILC_HIGH };

static long n_asked, n_wrong, n_zones, n_of_planes;

static void ask(int holds, const struct stencilc_ranks *r, const char *what)
{
	n_asked++;
	if (holds || n_wrong++ > 9)
		return;
	printf("%s: size %d, %d of %d ranks, around %d, slopes %d %d, more %d %d, "
		"%d steps, at %d\n", what, r->size[0], r->active[0],
		r->count[0], r->around[0], r->slope[0][LOW], r->slope[0][HIGH],
		r->more[0][LOW], r->more[0][HIGH], r->steps, r->at[0]);
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* The ranks along dimension 0 as stencilc_share_out() leaves them; 0: none. */
static int share_out(struct stencilc_ranks *r, int size, int count, int around,
	const int *reach, int steps, int part)
{
	memset(r, 0, sizeof(*r));
	r->n_dims = 2;
	r->size[0] = size;
	r->size[1] = r->size[2] = 1;
	r->around[0] = around;
	memcpy(r->slope[0], reach, sizeof(r->slope[0]));
	memcpy(r->more[0], reach + 2, sizeof(r->more[0]));
	r->order[1] = 1;
	r->carried[1] = 1;
	for (int k = 0; k < STENCILC_DIMS; ++k)
		r->count[k] = r->active[k] = 1;
	r->count[0] = count;
	if (around && size < stencilc_least_cells(r, 0))
		return 0;
	r->active[0] = stencilc_active(r, 0, count);
	stencilc_choose_steps(r, steps, part);
	return 1;
}

/* first <= x < end of the rank at "at"; each has "cells" at least. */
static void ask_ranks(struct stencilc_ranks *r)
{
	const int cells = r->size[0] / r->active[0];
	const int alone = r->active[0] == 1 && !r->around[0];

	ask(r->steps >= 1, r, "steps");
	for (int side = 0; side < 2 && !alone; ++side)
		ask(r->slope[0][side] * r->steps + r->more[0][side] <= cells, r,
			"halos fit neighbours");
	ask(stencilc_cut(r, 0, 0) == 0 && stencilc_cut(r, 0, r->active[0]) ==
		r->size[0], r, "all cells");
	for (r->at[0] = 0; r->at[0] < r->active[0]; ++r->at[0])
		ask(cells > 0 && stencilc_cut(r, 0, r->at[0] + 1) -
			stencilc_cut(r, 0, r->at[0]) >= cells, r, "cells");
}

static void ask_block(const struct stencilc_ranks *r,
	const struct stencilc_field *f, int first, int end)
{
	const struct stencilc_box own = stencilc_own(r, f, r->at);
	const struct stencilc_box box = stencilc_with_halos(r, f);
	int from = first - most(0, r->slope[0][LOW] * r->steps + r->more[0][LOW]);
	int to = end + most(0, r->slope[0][HIGH] * r->steps + r->more[0][HIGH]);
	int own_end = end == r->size[0] ? f->size[0] : least(end, f->size[0]);

	if (!r->around[0]) {
		from = most(from, 0);
		to = least(to, r->size[0]);
	}
	ask(stencilc_origin(r, 0) == from && stencilc_extent(r, 0) == to - from, r,
		"block");
	ask(own.end[0] == own_end && own.first[0] == least(first, own_end), r,
		"own cells");
	ask(box.first[0] == from && box.end[0] == most(from, to + f->size[0] -
		r->size[0]), r, "memory");
}

/* Zones have the rank's own cells, each one of them once, and as many as halos are deep.  Their
 * blocks are those of ranks with these cells, and lie in the rank's; that of the first zone has its
 * own cells.
 */
static void ask_zones(struct stencilc_ranks *r, int first, int end)
{
	const int deep = stencilc_depth(r, 0, LOW, r->more[0]);
	int next[3] = { first, first, end }, all = 0;

	for (int zone = 0; stencilc_has_zone(r, zone); ++zone) {
		int from, to;

		stencilc_find_zone(r, 0, &from, &to);
		next[zone] = from;
		all += to - from;
		ask(first <= from && to <= end && (r->n_zones == 1 || to - from >=
			deep), r, "zones");
		ask(r->n_zones == 1 || (r->side[zone] == LOW ? from == first :
			r->side[zone] == HIGH ? to == end : zone == 0), r, "sides");
		ask(stencilc_own_first(r, 0) == from - stencilc_origin(r, 0) &&
			stencilc_own_end(r, 0) == to - stencilc_origin(r, 0), r,
			"a zone's own cells");
		from = from - deep;
		to = to + deep;
		if (!r->around[0]) {
			from = most(from, 0);
			to = least(to, r->size[0]);
		}
		ask(stencilc_origin(r, 0) == from && stencilc_extent(r, 0) == to -
			from, r, "a zone's block");
		ask(from >= first - deep && to <= end + deep, r, "cells of zones");
		if (r->n_zones > 1)
			ask(r->side[zone] == LOW ? to <= end : r->side[zone] ==
				HIGH ? from >= first : from == first && to == end,
				r, "cells that zones have");
	}
	ask(all == end - first && (r->n_zones < 3 || (next[1] < next[0] &&
		next[0] < next[2])), r, "cells in zones");
}

static void ask_all_zones(const struct stencilc_ranks *given)
{
	for (int part = 1; part < 4; ++part) {
		struct stencilc_ranks r = *given;

		if (r.slope[0][LOW] != r.slope[0][HIGH] || r.more[0][LOW] !=
		    r.more[0][HIGH] || r.slope[0][LOW] * r.steps + r.more[0][LOW] < 0)
			return;
		for (r.at[0] = 0; r.at[0] < r.active[0]; ++r.at[0]) {
			stencilc_choose_zones(&r, part, 2);
			n_zones += r.n_zones > 1;
			ask_zones(&r, stencilc_cut(&r, 0, r.at[0]), stencilc_cut(&r,
				0, r.at[0] + 1));
		}
	}
}

/* Zones along two dimensions: each of the rank's cells lies in one of them.  What a block has beside
 * own cells has come in its turn, or before: along a later dimension it has none, along its own on
 * its side alone.
 */
static void ask_plane(struct stencilc_ranks *r)
{
	int own[2][2], cells = 0, all = 1;
	char seen[40][40] = { { 0 } };

	for (int k = 0; k < 2; ++k) {
		own[k][0] = stencilc_cut(r, k, r->at[k]);
		own[k][1] = stencilc_cut(r, k, r->at[k] + 1);
		all *= own[k][1] - own[k][0];
	}
	for (int zone = 0; stencilc_has_zone(r, zone); ++zone) {
		int first[2], end[2];

		for (int k = 0; k < 2; ++k) {
			const int turn = r->order[0] == k ? 0 : 1;
			const int low = stencilc_origin(r, k);
			const int high = low + stencilc_extent(r, k);
			const int with = r->active[k] > 1 && turn <= r->turn[zone];

			stencilc_find_zone(r, k, &first[k], &end[k]);
			ask(!stencilc_has_zones_along(r, k) || ((low >= own[k][0] ||
				(with && (turn < r->turn[zone] || r->side[zone] == LOW))) &&
				(high <= own[k][1] || (with && (turn < r->turn[zone] ||
				r->side[zone] == HIGH)))), r, "halos of zones");
		}
		for (int x = first[0]; x < end[0]; ++x)
			for (int y = first[1]; y < end[1]; ++y) {
				cells++;
				ask(!seen[x][y], r, "cells of a zone");
				seen[x][y] = 1;
			}
	}
	ask(cells == all, r, "cells in zones along two dimensions");
	n_of_planes += r->n_zones > 3;
}

static void ask_planes(int size, int other, int around, int steps)
{
	for (int counts = 0; counts < 16; ++counts) {
		struct stencilc_ranks r = { .n_dims = 2, .size = { size, other, 1 },
			.slope = { { 1, 1 }, { 1, 1 } }, .more = { { 1, 1 } },
			.order = { 1, 0 }, .carried = { 0, 2 }, .steps = steps,
			.active = { counts / 4 + 1, counts % 4 + 1, 1 },
			.around = { around & 1, around >> 1 } };

		for (r.at[0] = 0; r.at[0] < r.active[0]; ++r.at[0])
			for (r.at[1] = 0; r.at[1] < r.active[1]; ++r.at[1]) {
				stencilc_choose_zones(&r, 1, 2);
				ask_plane(&r);
			}
	}
}

static int is_in(const struct stencilc_box *box, int x)
{
	return box->first[0] <= x && x < box->end[0];
}

/* What goes to the next rank are its own cells that come there; one that goes around is
 * elsewhere by the size of the grid.
 */
static void ask_messages(struct stencilc_ranks *r, const struct stencilc_field *f,
	int first, int end)
{
	const struct stencilc_box mine = stencilc_own(r, f, r->at);

	for (int side = 0; side < 2; ++side) {
		const struct stencilc_box come = stencilc_message(r, f, 0, 0, side,
			0);
		const struct stencilc_box on = stencilc_message(r, f, 0, 1, 0, 0);
		const int deep = most(0, r->slope[0][side] * r->steps +
			f->need[side]);
		const int from = side == LOW ? first - deep : end;
		const int to = side == LOW ? first : end + deep;
		const int here = r->at[0];
		struct stencilc_box go;
		int moved = 0;

		for (int x = -40; x < 80; ++x) {
			int comes = from <= x && x < to && (r->around[0] ||
				(0 <= x && x < f->size[0]));

			ask(is_in(&come, x) == comes, r, "cells that come");
			ask(!comes || is_in(&on, x), r, "cells that go on");
		}
		ask(mine.first[0] >= mine.end[0] || (is_in(&on, mine.first[0]) &&
			is_in(&on, mine.end[0] - 1)), r, "own cells go on");
		r->at[0] += side == LOW ? -1 : 1;
		if (r->around[0]) {
			moved = r->at[0] < 0 ? r->size[0] : r->at[0] ==
				r->active[0] ? -r->size[0] : 0;
			r->at[0] = (r->at[0] + r->active[0]) % r->active[0];
		}
		if (r->at[0] >= 0 && r->at[0] < r->active[0]) {
			const struct stencilc_box own = stencilc_own(r, f, r->at);

			go = stencilc_message(r, f, 0, 0, side, 1);
			for (int x = come.first[0]; x < come.end[0]; ++x)
				ask(is_in(&go, x + moved) && is_in(&own, x + moved),
					r, "cells that go");
			ask(go.end[0] - go.first[0] == come.end[0] -
				come.first[0] || come.end[0] <= come.first[0], r,
				"length of messages");
		}
		r->at[0] = here;
	}
}

static void ask_field(struct stencilc_ranks *r, int size, const int *need)
{
	struct stencilc_field f = { .role = STENCILC_RESULT, .copies = 1,
		.n_dims = 2, .size = { size, 1 }, .cut = { 0, 1 }, .need = need };

	for (r->at[0] = 0; r->at[0] < r->active[0]; ++r->at[0]) {
		const int first = stencilc_cut(r, 0, r->at[0]);
		const int end = stencilc_cut(r, 0, r->at[0] + 1);

		ask_block(r, &f, first, end);
		ask_messages(r, &f, first, end);
	}
}

/* Slopes of both sides, and what halos have beside them. */
static const int reaches[][4] = {
	{ 0, 0, 0, 0 }, { 1, 1, 0, 0 }, { 2, 1, 0, 1 }, { 0, 3, 1, -1 },
	{ 1, 0, 2, 2 }, { 4, 4, -1, -2 }, { 0, 1, -1, 3 },
};

static void ask_all(int size, int count, int around, const int *reach)
{
	for (int steps = 0; steps < 8; ++steps)
		for (int part = 1; part < 9; part += 7) {
			struct stencilc_ranks r;

			if (!share_out(&r, size, count, around, reach, steps,
			    part))
				continue;
			ask_ranks(&r);
			ask_all_zones(&r);
			for (int less = 0; less < 3; ++less) {
				const int need[6] = { reach[2] - less, reach[3] -
					less };

				for (int more = -1; more < 2; ++more)
					if (size + more > 0 && !(around && more))
						ask_field(&r, size + more, need);
			}
		}
}

int main(void)
{
	for (int size = 1; size < 30; ++size)
		for (int count = 1; count < 7; ++count)
			for (int around = 0; around < 2; ++around)
				for (size_t i = 0; i < sizeof(reaches) /
				     sizeof(reaches[0]); ++i)
					ask_all(size, count, around, reaches[i]);
	for (int size = 1; size < 40; size += 3)
		for (int other = 2; other < 40; other += 4)
			for (int around = 0; around < 4; ++around)
				for (int steps = 1; steps < 4; ++steps)
					ask_planes(size, other, around, steps);
	printf("%ld questions, %ld answers are wrong\n", n_asked, n_wrong);
	return n_wrong > 0 || n_asked < 1000000 || n_zones < 1000 ||
		n_of_planes < 1000;
}
