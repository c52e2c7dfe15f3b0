/* Plans and requests before a strategy fills them in. */
#include "schedule/strategies.h"

struct tile_request tile_request_default(void)
{
	struct tile_request request = {
		.hex_dim = HEX_DIM_OPEN, .async_open = true,
		.shared_bytes = INT64_MAX, .warp = 32,
		.opt = {
			.shared = true, .copy_out = COPY_OUT_INTERLEAVED,
			.align_loads = true, .reuse = REUSE_DYNAMIC,
			.unroll = true, .separate = true, .waves = true,
			.starts = true,
		},
	};

	sizes_leave_open(&request);
	return request;
}

void threads_choose(int n_dims, const int *extent, int threads[3])
{
	int64_t extents[IR_MAX_DIMS], forced[3], chosen[3];

	for (int i = 0; i < n_dims; i++)
		extents[i] = extent[i];
	for (int i = 0; i < 3; i++)
		forced[i] = threads[i];
	model_loop_threads(n_dims, extents, forced, chosen);
	for (int i = 0; i < 3; i++)
		threads[i] = (int) chosen[i];
}

void threads_of_blocks(int n_dims, struct tile_request *r)
{
	const int block[3] = { r->bx, r->by, r->bz };
	int extent[IR_MAX_DIMS];

	for (int i = 0; i < n_dims; i++)
		extent[i] = i < 3 ? block[i] : 1;
	threads_choose(n_dims, extent, r->threads);
}

void plan_take_threads(struct plan *plan, const struct tile_request *request)
{
	for (int i = 0; i < 3; i++)
		plan->threads[i] = i < plan->n_dims ? request->threads[i] : 1;
}

void plan_take_blocks(struct plan *plan, const int block[3])
{
	for (int d = 0; d < plan->n_dims; d++) {
		int i = plan->n_dims - 1 - d;

		plan->role[d] = i < 3 ? ROLE_BLOCKS : ROLE_SEQUENTIAL;
		plan->pitch[d] = plan->tiles.width[d] = i < 3 ? block[i] : 1;
		plan->tiles.skew[d] = (struct rational) { 0, 1 };
	}
}

/* Is the first tile of a dimension longer than others?  Then the first ones of all begin before
 * any of the others, as longer ones should.
 */
static bool has_longer(const struct plan *plan)
{
	for (int d = 0; d < plan->n_dims; d++)
		if (plan->tiles.longer[d] > 0)
			return true;
	return false;
}

int plan_block_axis(const struct plan *plan, int dim, bool outermost_first)
{
	int axis = 0;

	for (int d = 0; d < plan->n_dims; d++)
		if (plan->role[d] == ROLE_BLOCKS)
			axis += outermost_first && !has_longer(plan) ?
				d < dim : d > dim;
	return axis;
}
