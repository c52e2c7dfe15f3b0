#include <string.h>

#include "codegen/tree/ctype.h"

bool ctype_same(struct ctype a, struct ctype b)
{
	return a.scalar == b.scalar && a.lanes == b.lanes &&
		a.pointers == b.pointers && a.is_const == b.is_const &&
		a.is_fixed == b.is_fixed && a.is_restrict == b.is_restrict &&
		!a.name == !b.name && (!a.name || !strcmp(a.name, b.name));
}

enum scalar scalar_of(enum type type)
{
	return type == TYPE_INT ? CT_INT : type == TYPE_FLOAT ? CT_FLOAT :
		CT_DOUBLE;
}

struct ctype ctype_of(enum type type)
{
	return ctype(scalar_of(type));
}

int ctype_bytes(struct ctype t)
{
	int lanes = t.lanes ? t.lanes : 1;

	if (t.pointers)
		return 0;
	switch (t.scalar) {
	case CT_INT:
	case CT_FLOAT:
		return 4 * lanes;
	case CT_DOUBLE:
		return 8 * lanes;
	default:
		return 0;
	}
}
