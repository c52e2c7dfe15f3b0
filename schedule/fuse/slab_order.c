/* Slabs: kernels that pass values on run one after the other on a part of the grid, so that
 * these values are still in the cache when they are read: a level of [MO] above the blocks.  It
 * uses sequential halo exchange: a slab is shifted by what later kernels read ahead, and
 * nothing is computed twice.
 */
#include "schedule/fuse/fuse.h"

/* Slabs of "plans", kernels of fuse that share them, have a multiple of so many
 * points along dimension 0: whole tiles of each plan.
 */
static int64_t slab_unit(const struct plan *plans, int n)
{
	int64_t unit = 1;

	for (int i = 0; i < n; i++)
		unit = least_common_multiple(unit, plans[i].pitch[0]);
	return unit;
}

/* The greatest x[0] - o[0] in what a tile at o executes of the statement at
 * "number"; false if it executes nothing.
 */
static bool last_plane(const struct plan *plan, int number, int64_t *x)
{
	isl_set *row = isl_set_fix_si(isl_set_copy(plan->shape), isl_dim_set,
		0, number);
	bool some = set_edge(row, 1, true, x);

	isl_set_free(row);
	return some;
}

/* The last plane that a tile of "plan" at 0 reads of what "from" stores; false if it reads
 * none.
 */
static bool last_plane_read(const struct plan *plan, const struct plan *from,
	const struct plan *const *writer, int64_t *x)
{
	const struct scop *scop = plan->scop;
	bool reads = false;
	int64_t last;

	for (int i = 0; i < scop->k; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		if (!last_plane(plan, i, &last))
			continue;
		for (int j = 0; j < s->n_reads; j++) {
			const struct access *acc = s->read[j];
			int of = program_writer(scop->prog, acc->field);
			int low, high;

			if (of < 0 || writer[of] != from ||
			    (acc->field->kind == FIELD_STATE &&
			     acc->version < 1))
				continue;
			access_offsets(scop, s, acc, 0, &low, &high);
			*x = reads ? larger(*x, last + high) : last + high;
			reads = true;
		}
	}
	return reads;
}

/* How many tiles plan "i" is ahead of its slab's beginning: in slab 0 a later plan has the
 * tiles S < tiles + ahead, of points below (S + 1)*pitch; the last of these reads up to S*pitch
 * + x.
 */
static int64_t tiles_ahead(const struct plan *plans, int n, int i,
	const int64_t *ahead, const struct plan *const *writer)
{
	int64_t own = plans[i].pitch[0], most = 0, x;

	for (int r = i + 1; r < n; r++) {
		int64_t tiles;

		if (!last_plane_read(&plans[r], &plans[i], writer, &x))
			continue;
		tiles = floor_div((ahead[r] - 1) * plans[r].pitch[0] + x, own) +
			1;
		most = tiles > most ? tiles : most;
	}
	return most;
}

/* NULL, or why the tiles of "plans" cannot run slab by slab. */
static const char *why_no_slabs(const struct plan *plans)
{
	return plans->role[0] != ROLE_BLOCKS ? "slabs are of programs of up to "
		"three dimensions" : NULL;
}

bool slab_place(struct diags *d, struct plan *plans, int n, int points,
	const struct plan *const *writer)
{
	const int64_t unit = slab_unit(plans, n);
	const char *why = why_no_slabs(plans);
	int64_t *ahead = region_array(plans->scop->mem, int64_t, n);
	int64_t most = 0;

	if (why) {
		diag_plain(d, E_VARIANT, "%s", why);
		return false;
	}
	if (points % unit != 0) {
		diag_plain(d, E_TILE, "slab = %d: slabs are whole tiles, "
			"multiples of %lld points", points, (long long) unit);
		return false;
	}
	for (int i = n - 1; i >= 0; i--) {
		ahead[i] = tiles_ahead(plans, n, i, ahead, writer);
		most = larger(most, ahead[i] * plans[i].pitch[0]);
	}
	most = (most + unit - 1) / unit * unit;
	for (int i = 0; i < n; i++) {
		int64_t pitch = plans[i].pitch[0];

		plans[i].slab.tiles = (int) (points / pitch);
		plans[i].slab.behind = (int) (most / pitch - ahead[i]);
	}
	return true;
}
