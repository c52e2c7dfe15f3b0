/* Lists of points of a run on a GPU, sorted by place before the steps begin. */
#include <string.h>

#include "codegen/host/lists.h"

/* What the kernels of lists share ------------------------------------------- */

struct ks *gpu_loop_over_list(const struct host *h, const struct list *list,
	struct ks *body)
{
	const struct kx *threads = integer(h, LIST_THREADS);
	const struct kx *number = name(h, list_number(h, list));
	const struct kx *first = op(h, OP_ADD, op(h, OP_MUL, kx_cast(h->mem,
		ctype(CT_INT), kx_axis(h->mem, B_BLOCK, 0)), threads),
		kx_cast(h->mem, ctype(CT_INT), kx_axis(h->mem, B_THREAD, 0)));

	return ks_for(h->mem, number->name, op(h, OP_ADD, host_param(h,
		list->begin, ctype(CT_NONE)), first), op(h, OP_LT, number,
		host_param(h, list->end, ctype(CT_NONE))), op(h, OP_MUL,
			kx_cast(h->mem, ctype(CT_INT), kx_axis(h->mem,
				B_BLOCKS, 0)), threads), body);
}

static void launch(const struct host *h, struct ks *b, const char *kernel,
	int blocks, int threads, int n, const struct kx *const *arg)
{
	struct ks *s = ks_add(h->mem, b, ks_simple(h->mem, KS_LAUNCH));

	s->name = kernel;
	s->n_x = 3 + n;
	s->x = region_array(h->mem, const struct kx *, s->n_x);
	s->x[0] = integer(h, blocks);
	s->x[1] = integer(h, threads);
	s->x[2] = integer(h, 0);
	for (int i = 0; i < n; i++)
		s->x[3 + i] = arg[i];
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_LAST_ERROR, 0)));
}

void gpu_launch_of_list(const struct host *h, struct ks *b,
	const struct kfunc *kernel)
{
	const struct kx **arg = region_array(h->mem, const struct kx *,
		kernel->n_params);

	for (int i = 0; i < kernel->n_params; i++) {
		struct kx *x = kx_name(h->mem, kernel->param[i].name);

		x->field = kernel->param[i].cells;
		arg[i] = x;
	}
	launch(h, b, kernel->name, LIST_BLOCKS, LIST_THREADS,
		kernel->n_params, arg);
}

/* Places ------------------------------------------------------------------- */

/* What the current thread records of a point. */
struct noted {
	const struct places *places;
	const struct host *h;
	const struct list *list;
	const char *entry, *corner;
};

/* at0[entry][d] = value; */
static void note(const struct noted *n, struct ks *block, int d,
	const struct kx *value)
{
	const struct field *cells = n->list->cells;
	const struct kx *const at[] = { name(n->h, n->entry), integer(n->h, d) };
	struct kx *cell = kx_of_kind(n->h->mem, KX_CELL, cells->name, 2, at);

	cell->field = cells;
	cell->type = cells->type;
	ks_add(n->h->mem, block, ks_assign(n->h->mem, cell, value));
}

/* Record the coordinates and the number; "first" stands for the first coordinate. */
static void note_place(const struct noted *n, struct ks *block,
	const struct kx *first)
{
	int dims = n->list->grid->n_dims;

	note(n, block, 0, first);
	for (int d = 1; d < dims; d++)
		note(n, block, d, name(n->h, n->h->names->point[d]));
	note(n, block, dims, n->places->binding.number);
}

/* The number's index among those of the list, times the cells around it. */
static const struct kx *first_entry(const struct noted *n)
{
	const struct host *h = n->h;
	const struct kx *x = op(h, OP_SUB, n->places->binding.number,
		host_param(h, n->list->begin, ctype(CT_NONE)));

	return n->list->is_between ? op(h, OP_MUL, x, integer(h,
		list_corners(n->list))) : x;
}

/* A coordinate behind all planes. */
static const struct kx *behind(const struct noted *n)
{
	return host_param(n->h, n->list->grid->size[0], ctype(CT_NONE));
}

/* The first coordinate of the current cell, if "condition" holds (NULL: always) and the block
 * has the cell: lists of a block have only the rank's own points, or those that it computes.
 */
static const struct kx *plane_if(const struct noted *n,
	const struct kx *condition)
{
	const struct host *h = n->h;
	const struct kx *own = place_is_own(n->places);
	const struct kx *plane = name(h, h->names->point[0]);

	if (n->list->is_of_block)
		condition = kx_and(h->mem, condition, own ? own :
			place_is_computed(n->places));
	return condition ? kx_select(h->mem, condition, plane, behind(n)) :
		plane;
}

/* const int i = si[p]; ..; record them, or -1 */
static void note_point(const struct noted *n, struct ks *block)
{
	const struct host *h = n->h;
	const struct kx *plane = plane_if(n, NULL);

	host_declare_int(h, block, n->entry, first_entry(n));
	place_declare(n->places, block, NULL);
	note_place(n, block, n->list->is_of_block ? plane : kx_select(h->mem,
		place_is_wrong(n->places), integer(h, -1), plane));
}

/* That of the cell around a place, behind all planes if it has no weight; -1: no statement
 * computes it.
 */
static const struct kx *plane_of_corner(const struct noted *n)
{
	struct region *r = n->h->mem;
	const struct kx *weight = place_has_weight(n->places);
	const struct kx *wrong = n->list->is_of_block ? NULL :
		corner_is_wrong(n->places);
	const struct kx *plane = plane_if(n, weight);

	return wrong ? kx_select(r, kx_and(r, weight, wrong), kx_int(r, -1),
		plane) : plane;
}

/* for (corner: cells around it) if (wrong) record -1, else the cell: one without a weight goes
 * behind all planes
 */
static void note_cells(const struct noted *n, struct ks *block)
{
	const struct host *h = n->h;
	const struct kx *corner = name(h, n->corner);
	struct ks *body = ks_block(h->mem), *wrong = ks_block(h->mem);
	struct ks *right = ks_block(h->mem);

	host_declare_int(h, body, n->entry, op(h, OP_ADD, first_entry(n),
		corner));
	for (int d = 0; d <= n->list->grid->n_dims; d++)
		note(n, wrong, d, integer(h, -1));
	place_declare(n->places, right, corner);
	note_place(n, right, plane_of_corner(n));
	ks_add(h->mem, body, n->list->is_of_block ? right : ks_if(h->mem,
		place_is_wrong(n->places), wrong, right));
	ks_add(h->mem, block, ks_for(h->mem, n->corner, integer(h, 0), op(h,
		OP_LT, corner, integer(h, list_corners(n->list))),
		integer(h, 1), body));
}

struct kfunc *gpu_places(const struct host *h, const struct list *list)
{
	struct kfunc *f = host_function(h, "%s_places", ctype(CT_VOID));
	const struct places places = places_of(h, list, ELEMENT_OF_CELLS);
	const struct noted n = { &places, h, list, fresh_name(h->mem,
		h->prog, "entry"), fresh_name(h->mem, h->prog, "corner") };
	const struct place place = list_place(h);
	struct ks *body = ks_block(h->mem);

	f->name = region_printf(h->mem, "%s%d", f->name, list->number);
	f->comment = region_printf(h->mem, list->is_between ? "The cells around "
		"the points of 'at %s', those without weight behind all "
		"planes; -1:\na place outside the grid." : "The places of "
		"the points of 'at %s'; -1: one outside the grid.", list->index);
	f->is_kernel = f->is_static = f->is_of_lists = true;
	f->max_threads = LIST_THREADS;
	if (list->is_between)
		note_cells(&n, body);
	else
		note_point(&n, body);
	ks_add(h->mem, f->body, gpu_loop_over_list(h, list, body));
	kernel_add_arguments(&place, f);
	for (int i = 0; i < f->n_params; i++)
		f->param[i].is_const &= f->param[i].cells != list->cells;
	return f;
}

/* The run ------------------------------------------------------------------ */

/* The first coordinate of the first place of a sorted list. */
static const char *least_name(const struct host *h, const struct list *list)
{
	return fresh_name(h->mem, h->prog, "least%d", list->number);
}

void gpu_declare_lists(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_lists; i++)
		ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), least_name(
			h, h->prog->list[i]), integer(h, 0)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), h->status,
		integer(h, 0)));
}

/* The number of points, times the cells around each. */
static const struct kx *entries_of(const struct host *h,
	const struct list *list)
{
	const struct kx *n = op(h, OP_SUB, host_param(h, list->end,
		ctype(CT_NONE)), host_param(h, list->begin, ctype(CT_NONE)));

	return list->is_between ? op(h, OP_MUL, n, integer(h,
		list_corners(list))) : n;
}

/* if (it has points) { record where they lie; sort them; fetch the first coordinate of the
 * first } where the points of each plane begin
 */
static void sort_list(const struct host *h, struct ks *b,
	const struct list *list)
{
	int width = list->grid->n_dims + 1;
	const struct kx *cells = name(h, list->cells->name);
	const struct kx *least = name(h, least_name(h, list));
	const struct kx *const arg[] = { cells, entries_of(h, list),
		name(h, list->first->name), host_param(h, list->grid->size[0],
			ctype(CT_NONE)) };
	struct ks *some = ks_block(h->mem);

	gpu_launch_of_list(h, some, h->sort[list->number]);
	launch(h, some, region_printf(h->mem, "sort_places%d", width), 1,
		SORT_THREADS, 2, arg);
	ks_add(h->mem, some, host_checked(h, kx_builtin(h->mem, RT_COPY, 5,
		kx_address(h->mem, least), cells, kx_sizeof(h->mem,
			ctype(CT_INT)), kx_builtin(h->mem, W_ANY_WAY, 0),
		name(h, h->stream))));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_GT, arg[1], integer(h, 0)),
		some, NULL));
	launch(h, b, region_printf(h->mem, "first_places%d", width),
		LIST_BLOCKS, SORT_THREADS, 4, arg);
}

void gpu_sort_lists(const struct host *h, struct ks *b)
{
	const struct kx *wrong = NULL;
	struct ks *leave = ks_block(h->mem);

	for (int i = 0; i < h->prog->n_lists; i++)
		sort_list(h, b, h->prog->list[i]);
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem,
		RT_WAIT_FOR_STREAM, 1, name(h, h->stream))));
	for (int i = 0; i < h->prog->n_lists; i++)
		wrong = host_either(h, wrong, op(h, OP_LT, name(h, least_name(h,
			h->prog->list[i])), integer(h, 0)));
	ks_add(h->mem, leave, ks_assign(h->mem, name(h, h->status), integer(h,
		STATUS_PLACE)));
	ks_add(h->mem, leave, ks_simple(h->mem, KS_GOTO))->name = h->out;
	ks_add(h->mem, b, ks_if(h->mem, wrong, leave, NULL));
}
