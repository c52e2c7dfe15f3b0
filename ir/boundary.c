#include "ir/ir.h"

const struct boundary_info *boundary_info(enum boundary_kind kind)
{
	static const struct boundary_info infos[] = {
#define BOUNDARY(id, word, stands, first, step, cells) \
		[id] = { word, stands, first, step, cells },
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

bool boundary_is_odd(const struct boundary *b)
{
	return boundary_info(b->kind)->cells != b->kind;
}

static bool reads_at_index(const struct expr *e)
{
	return e->kind == EXPR_ELEMENT && expr_any(e, expr_is_index);
}

bool boundary_reads_at_index(const struct boundary *b)
{
	return b->kind == BOUNDARY_VALUE && expr_any(b->value, reads_at_index);
}

bool field_goes_around(const struct field *f, int d)
{
	return boundary_info(f->boundary[d][SIDE_LOW].kind)->stands ==
		STANDS_OTHER_END;
}
