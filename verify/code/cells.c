/* Cells of global memory, and pointers to them.
 *
 * A pointer moves by a sum of products: cells of a row, and multiples of names
 * for the distances between rows, planes, .. of a field.
 */
#include <string.h>

#include "verify/code/kept.h"

/* Strides --------------------------------------------------------------- */

static const struct kx *declared(const struct code *w, const struct kx *x)
{
	const struct variable *v = x->kind == KX_NAME ?
		variable_called(w, x->name) : NULL;

	while (x->kind == KX_CAST)
		x = x->arg[0];
	return v && v->is_stride && v->is ? declared(w, v->is) : x;
}

__isl_give isl_pw_aff *size_of(struct code *w, const struct field *f, int d)
{
	isl_space *space = isl_set_get_space(w->at);
	isl_pw_aff *size = value_of(w->c, space, f->size[d]);

	isl_space_free(space);
	return size;
}

static bool are_equal(const struct code *w, __isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b)
{
	isl_set *differ;
	bool equal;

	if (!a || !b) {
		isl_pw_aff_free(a);
		isl_pw_aff_free(b);
		return false;
	}
	differ = isl_set_intersect(isl_pw_aff_ne_set(a, b),
		isl_set_copy(w->at));
	equal = isl_set_is_empty(differ) == isl_bool_true;
	isl_set_free(differ);
	return equal;
}

/* Cells of a row of "f" in memory, as the printer pads it. */
static __isl_give isl_pw_aff *cells_of_row(struct code *w,
	const struct field *f)
{
	isl_val *by = isl_val_int_from_si(w->c->ctx,
		field_row_multiple(w->unit, f));
	isl_pw_aff *rows = isl_pw_aff_ceil(isl_pw_aff_scale_down_val(
		size_of(w, f, f->n_dims - 1), isl_val_copy(by)));

	return isl_pw_aff_scale_val(rows, by);
}

/* Is "x" the number of cells from one index to the next of "f" in dimension
 * "d"?
 */
static bool is_stride(struct code *w, const struct field *f, int d,
	const struct kx *x)
{
	x = declared(w, x);
	if (d == f->n_dims - 2)
		return are_equal(w, number_of(w, x), cells_of_row(w, f));
	if (x->kind != KX_BINARY || x->op != OP_MUL)
		return false;
	for (int i = 0; i < 2; i++)
		if (is_stride(w, f, d + 1, x->arg[i]) && are_equal(w,
			number_of(w, x->arg[1 - i]), size_of(w, f, d + 1)))
			return true;
	return false;
}

static struct stride *new_stride(struct code *w, const struct field *f,
	const struct kx *x)
{
	struct stride *s = region_new_of(w->c->mem, struct stride);

	*s = (struct stride) { f, keep_in_checker(w->c, isl_set_copy(w->at)),
		f->n_dims - 2 };
	while (s->d >= 0 && !is_stride(w, f, s->d, x))
		s->d--;
	return s;
}

int stride_dim(struct code *w, const struct field *f,
	const struct kx *x)
{
	struct variable *v = variable_of(w, x);

	if (!v || !v->is_stride)
		return -1;
	if (!v->stride || v->stride->at != w->at || v->stride->f != f)
		v->stride = new_stride(w, f, x);
	return v->stride->d;
}

/* Offsets --------------------------------------------------------------- */

static __isl_give isl_pw_aff *times(__isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b)
{
	if (a && b && (isl_pw_aff_is_cst(a) == isl_bool_true ||
	    isl_pw_aff_is_cst(b) == isl_bool_true))
		return isl_pw_aff_mul(a, b);
	isl_pw_aff_free(a);
	isl_pw_aff_free(b);
	return NULL;
}

static void move(struct code *w, struct cell *cell, int d,
	__isl_take isl_pw_aff *by)
{
	isl_pw_aff *x = isl_pw_aff_copy(cell->x[d]);

	cell->x[d] = keep_value(w, isl_pw_aff_add(x, by));
}

/* Move "cell" by "n" times "x". */
static void move_by(struct code *w, struct cell *cell, const struct kx *x,
	__isl_take isl_pw_aff *n)
{
	int d = stride_dim(w, cell->field, x), last = cell->field->n_dims - 1;

	if (x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB)) {
		move_by(w, cell, x->arg[0], isl_pw_aff_copy(n));
		move_by(w, cell, x->arg[1], x->op == OP_ADD ? n :
			isl_pw_aff_neg(n));
		return;
	}
	if (x->kind == KX_UNARY && x->op == OP_NEG) {
		move_by(w, cell, x->arg[0], isl_pw_aff_neg(n));
		return;
	}
	for (int i = 0; d < 0 && x->kind == KX_BINARY && x->op == OP_MUL &&
	     i < 2; i++)
		if (stride_dim(w, cell->field, x->arg[i]) >= 0) {
			move_by(w, cell, x->arg[i], times(n, number_of(w,
				x->arg[1 - i])));
			return;
		}
	move(w, cell, d < 0 ? last : d, d < 0 ? times(n, number_of(w, x)) : n);
}

const struct cell *cell_beyond(struct code *w, const struct cell *cell,
	const struct kx *offset, __isl_take isl_pw_aff *n)
{
	struct cell *moved = region_new_of(w->c->mem, struct cell);

	*moved = *cell;
	move_by(w, moved, offset, n);
	return moved;
}

/* Cells ----------------------------------------------------------------- */

/* Which copy does the element "x" of the array "a" lie in? */
static isl_pw_aff *copy_in_array(struct code *w, const struct array *a,
	const struct kx *x)
{
	if (a->is_complex && !kx_is_int(x->arg[x->n_args - 1], 0))
		return NULL;
	return keep_value(w, a->type->n_extents == a->field->n_dims ?
		number_of(w, x->arg[0]) : constant(w, a->first));
}

/* C: the element "x" of the array "a". */
static const struct cell *cell_in_array(struct code *w, const struct array *a,
	const struct kx *x)
{
	const struct field *f = a->field;
	struct cell *cell = region_new_of(w->c->mem, struct cell);
	int copies = a->type->n_extents == f->n_dims;

	cell->field = f;
	cell->array = a;
	cell->copy = copy_in_array(w, a, x);
	for (int d = 0; d < f->n_dims; d++)
		cell->x[d] = keep_value(w, number_of(w, x->arg[copies + d]));
	return cell;
}

const struct cell *cell_of(struct code *w, const struct kx *x)
{
	const struct variable *v;
	struct cell *cell;
	int copies;

	v = x->kind == KX_INDEX ? variable_called(w, x->name) : NULL;
	if (v && v->kept)
		return w->tiles->reader->cell(w, v->kept, x);
	if (v && v->array && w->nests)
		return cell_in_array(w, v->array, x);
	if (has_copies(v)) {
		cell = region_new_of(w->c->mem, struct cell);
		cell->field = v->array->field;
		cell->array = v->array;
		cell->copy = copy_in_array(w, v->array, x);
		return cell;
	}
	if (x->kind == KX_INDEX && x->n_args == 1)
		return v && v->cell ? cell_beyond(w, v->cell, x->arg[0],
			constant(w, 1)) : NULL;
	if (x->kind == KX_BUILTIN && x->builtin == B_DEREFERENCE)
		return cell_at_pointer(w, x->arg[0]);
	if (x->kind != KX_CELL)
		return NULL;
	cell = region_new_of(w->c->mem, struct cell);
	cell->field = x->field;
	copies = x->n_args - x->field->n_dims;
	cell->copy = keep_value(w, copies ? number_of(w, x->arg[0]) :
		constant(w, 0));
	for (int d = 0; d < x->field->n_dims; d++)
		cell->x[d] = keep_value(w, number_of(w, x->arg[copies + d]));
	return cell;
}

const struct cell *cell_at_pointer(struct code *w, const struct kx *x)
{
	const struct variable *v;
	const struct cell *cell;

	switch (x->kind) {
	case KX_ADDRESS:
		return cell_of(w, x->arg[0]);
	case KX_CAST:
		return cell_at_pointer(w, x->arg[0]);
	case KX_NAME:
		v = variable_called(w, x->name);
		return v ? v->cell : NULL;
	case KX_BINARY:
		cell = x->op == OP_ADD ? cell_at_pointer(w, x->arg[0]) : NULL;
		return cell ? cell_beyond(w, cell, x->arg[1], constant(w, 1)) :
			NULL;
	default:
		return NULL;
	}
}
