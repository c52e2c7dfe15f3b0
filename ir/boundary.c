#include "ir/ir.h"

const struct boundary_info *boundary_info(enum boundary_kind kind)
{
	static const struct boundary_info infos[] = {
#define BOUNDARY(id, word, stands, first, step) { word, stands, first, step },
#include "ir/boundaries.def"
#undef BOUNDARY
	};

	return &infos[kind];
}

int boundary_cell(enum boundary_kind kind, int x)
{
	const struct boundary_info *info = boundary_info(kind);

	return info->first + info->step * (-1 - x);
}
