/* Lists of points of a run on a GPU: the host sorts them, then they are copied to the device as
 * inputs are.  Where the caller's arrays are there, places are fetched first.
 */
#include <string.h>

#include "codegen/host/lists.h"

static const char *fetched_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_fetched", f->name);
}

/* Is "f" read to sort a list? */
static bool has_places(const struct host *h, const struct field *f)
{
	for (int i = 0; f->kind == FIELD_INPUT && !f->made_of &&
	     i < h->prog->n_lists; i++)
		for (int j = 0; j < h->sort[i]->n_params; j++)
			if (!strcmp(h->sort[i]->param[j].name, f->name))
				return true;
	return false;
}

/* "add" for what the host has of lists: "made" of them, or fetched from the device. */
static void each_table(const struct host *h, struct ks *b, void (*add)(
	const struct host *h, struct ks *b, const struct field *f,
	const char *name))
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (f->made_of && f->kind == FIELD_INPUT)
			add(h, b, f, host_in_name(h, f));
		else if (has_places(h, f))
			add(h, b, f, fetched_name(h, f));
	}
}

static void declare_table(const struct host *h, struct ks *b,
	const struct field *f, const char *name)
{
	ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(scalar_of(f->type),
		false), name, kx_builtin(h->mem, W_NULL, 0)));
}

void gpu_declare_lists(const struct host *h, struct ks *b)
{
	each_table(h, b, declare_table);
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), h->status,
		integer(h, STATUS_NO_MEMORY)));
}

/* One more cell than it has: none is no error. */
static void allocate_table(const struct host *h, struct ks *b,
	const struct field *f, const char *pointer)
{
	const struct kx *bytes = op(h, OP_MUL, kx_add(h->mem, host_cells(h, f,
		ctype(CT_SIZE)), 1), kx_sizeof(h->mem, ctype_of(f->type)));
	struct ks *leave = ks_simple(h->mem, KS_GOTO);

	leave->name = h->out;
	ks_add(h->mem, b, ks_assign(h->mem, name(h, pointer), kx_cast(h->mem,
		ctype_pointer(scalar_of(f->type), false), kx_builtin(h->mem,
			B_NEW, 1, bytes))));
	ks_add(h->mem, b, ks_if(h->mem, kx_unary(h->mem, OP_NOT, name(h,
		pointer)), leave, NULL));
}

static void fetch_places(const struct host *h, struct ks *b,
	const struct field *f, const char *pointer)
{
	const struct kx *cells = host_cells(h, f, ctype(CT_SIZE));

	if (f->made_of)
		return;
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_COPY, 5,
		name(h, pointer), name(h, host_in_name(h, f)), op(h, OP_MUL,
			cells, kx_sizeof(h->mem, ctype_of(f->type))),
		kx_builtin(h->mem, W_ANY_WAY, 0), name(h, h->stream))));
}

/* (int (*)[3])at0_in */
static const struct kx *as_rows(const struct host *h, const struct list *list)
{
	const struct kx *const arg[] = { name(h, host_in_name(h, list->cells)),
		integer(h, list->grid->n_dims + 1) };
	struct kx *x = kx_of_kind(h->mem, KX_CAST, NULL, 2, arg);

	x->c_type = ctype(CT_INT);
	return x;
}

struct call_of_sort {
	const struct host *h;
	const struct list *list;
};

static const struct kx *argument_of_sort(const void *user, const char *param)
{
	const struct call_of_sort *call = user;
	const struct host *h = call->h;

	if (!strcmp(param, call->list->cells->name))
		return as_rows(h, call->list);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!strcmp(param, f->name))
			return name(h, f->made_of ? host_in_name(h, f) :
				fetched_name(h, f));
	}
	return NULL;
}

void gpu_sort_lists(const struct host *h, struct ks *b)
{
	struct ks *leave = ks_simple(h->mem, KS_GOTO);

	leave->name = h->out;
	each_table(h, b, allocate_table);
	each_table(h, b, fetch_places);
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem,
		RT_WAIT_FOR_STREAM, 1, name(h, h->stream))));
	for (int i = 0; i < h->prog->n_lists; i++) {
		struct call_of_sort call = { h, h->prog->list[i] };

		ks_add(h->mem, b, ks_assign(h->mem, name(h, h->status),
			kfunc_call(h->mem, h->sort[i], argument_of_sort,
				&call)));
		ks_add(h->mem, b, ks_if(h->mem, name(h, h->status), leave,
			NULL));
	}
}

static void free_table(const struct host *h, struct ks *b,
	const struct field *f, const char *pointer)
{
	(void) f;
	ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION, kx_builtin(
		h->mem, B_DELETE, 1, name(h, pointer))));
}

void gpu_free_lists(const struct host *h, struct ks *b)
{
	each_table(h, b, free_table);
}
