/* Launches in waves: launch w holds chunk c of phase phi for all c + 2*phi = w;
 * a chunk is some tiles of an inner dimension.  So more hexagons are under way
 * at a time than a phase has.
 */
#include "model/model.h"

#include <math.h>

struct waves waves_of(const struct wave_grid *g)
{
	double wanted = ceil(2 * g->enough / g->hexagons);
	struct waves w;

	w.chunk_tiles = fmax(g->least_chunk, floor(g->tiles / wanted +
		(g->is_reused ? 0.5 : 0)));
	w.chunks = ceil(g->tiles / w.chunk_tiles);
	/* Every other launch of single chunks is empty, and omitted. */
	w.launches = w.chunks < 2 ? g->phases :
		2 * (g->phases - 1) + w.chunks;
	w.blocks = g->hexagons * g->phases * w.chunks / w.launches;
	return w;
}
