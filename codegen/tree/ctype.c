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
	static const enum scalar scalar[TYPES] = {
		[TYPE_CHAR] = CT_INT8, [TYPE_UCHAR] = CT_UINT8,
		[TYPE_SHORT] = CT_INT16, [TYPE_USHORT] = CT_UINT16,
		[TYPE_INT] = CT_INT, [TYPE_UNSIGNED] = CT_UINT32,
		[TYPE_LONG] = CT_INT64, [TYPE_ULONG] = CT_UINT64,
		[TYPE_HALF] = CT_HALF, [TYPE_BFLOAT] = CT_BFLOAT,
		[TYPE_FLOAT] = CT_FLOAT, [TYPE_DOUBLE] = CT_DOUBLE,
	};

	return scalar[type];
}

enum type value_type(enum scalar scalar)
{
	enum type type = 0;

	while (type < TYPES && scalar_of(type) != scalar)
		type++;
	return type;
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
	return value_type(t.scalar) == TYPES ? 0 :
		type_size(value_type(t.scalar)) * lanes;
}
