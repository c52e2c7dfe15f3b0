/* Before an emitted file: the environment says how the running program cuts its
 * grids.  So few points suffice for blocks that do several tiles, one after the
 * other (BLOCKS=1), and for blocks that do several hexagons (GRID=2).
 */
#include <stdlib.h>

static int shape(const char *name, int otherwise)
{
	const char *value = getenv(name);

	return value ? atoi(value) : otherwise;
}

#define STENCILC_ENOUGH_BLOCKS shape("BLOCKS", 4224)
#define STENCILC_MAX_GRID_X shape("GRID", 2147483647)
#define STENCILC_MAX_GRID_YZ shape("GRID", 65535)
