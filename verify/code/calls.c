/* Calls that move cells, and launches of kernels. */
#include <string.h>

#include "verify/code/code.h"

/* "bytes" as cells of what "pointer" points to; 0: unknown. */
static int cells_of_bytes(const struct cell *cell, const struct kx *bytes)
{
	int size = cell ? type_size(cell->field->type) : 1;
	int64_t n = bytes->kind == KX_INT ? bytes->ivalue : 0;

	if (bytes->kind == KX_BINARY && bytes->op == OP_MUL &&
	    bytes->arg[0]->kind == KX_INT && bytes->arg[1]->kind == KX_SIZEOF)
		n = bytes->arg[0]->ivalue * size;
	if (bytes->kind == KX_SIZEOF)
		n = size;
	return n % size ? 0 : (int) (n / size);
}

int cells_of_call(const struct kx *x, const struct cell *cell)
{
	switch (x->builtin) {
	case B_DEREFERENCE:
		return 1;
	case B_LOAD:
	case B_STORE:
	case B_COPY:
		return x->c_type.lanes;
	case B_COPY_AHEAD:
	case B_BULK_COPY:
		return cells_of_bytes(cell, x->arg[2]);
	default:
		return 0;
	}
}

const struct kx *value_of_copy(const struct kx *x, int width)
{
	return x->builtin == B_COPY_AHEAD && width == 1 &&
		x->arg[1]->kind == KX_ADDRESS ? x->arg[1]->arg[0] : NULL;
}

const struct kfunc *kernel_called(const struct code *w,
	const char *name, int *number)
{
	*number = 0;
	for (const struct kfunc *f = w->unit->first; f; f = f->next) {
		bool works = false;

		if (!f->is_kernel || f->is_of_lists)
			continue;
		for (int i = 0; i < f->n_params; i++)
			works = works || f->param[i].cells;
		if (!strcmp(f->name, name))
			return works ? f : NULL;
		*number += works;
	}
	return NULL;
}
