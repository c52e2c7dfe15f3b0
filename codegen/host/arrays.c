/* The caller's arrays: what they are called, how their rows lie, and which of them kernels use where
 * they are, without copies.
 */
#include "codegen/host/host.h"

const char *host_in_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_in", f->name);
}

const char *host_out_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_out", f->name);
}

bool host_is_padded(const struct host *h, const struct field *f)
{
	return field_row_multiple(h->unit, f) > 1;
}

const struct kx *host_rows(const struct host *h, const struct field *f)
{
	const struct kx *rows = NULL;

	for (int d = 0; d < f->n_dims - 1; d++) {
		const struct kx *size = host_param(h, f->size[d],
			ctype(CT_NONE));

		if (!rows)
			rows = size->kind == KX_INT ? size :
				kx_cast(h->mem, ctype(CT_SIZE), size);
		else
			rows = op(h, OP_MUL, rows, size);
	}
	return rows ? rows : integer(h, 1);
}

const char *host_row_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_row", f->name);
}

const char *host_pitch_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_pitch", f->name);
}

const char *host_step_name(const struct host *h, const struct field *f)
{
	return h->has_handles ? fresh_name(h->mem, h->prog, "%s_step",
		f->name) : host_row_name(h, f);
}

/* Where rows are padded, kernels load vectors. */
const struct kx *host_may_be_in_place(const struct host *h,
	const struct field *f)
{
	const struct kx *is = name(h, h->has_handles ? h->in_place :
		h->on_device);

	if (!h->prog->timed)
		return is;
	is = kx_and(h->mem, is, op(h, OP_EQ, op(h, OP_MOD, kx_cast(h->mem,
		ctype(CT_SIZE), name(h, host_in_name(h, f))), integer(h, 128)),
		integer(h, 0)));
	return host_is_padded(h, f) ? kx_and(h->mem, is, op(h, OP_EQ, name(h,
		host_step_name(h, f)), name(h, host_pitch_name(h, f)))) : is;
}

bool host_is_written_in_place(const struct host *h, const struct field *f)
{
	return (h->unit->runs_in_place || h->writes_last) && !f->n_lanes &&
		f->kind == FIELD_OUTPUT &&
		!f->is_result && !f->is_scalar && !f->is_listed &&
		f != h->prog->steps && h->scop->field[f->index].buffers == 1;
}

static bool is_read_only(const struct field *f)
{
	return f->kind == FIELD_INPUT && !field_is_temp(f) && !f->made_of &&
		!f->is_listed && !f->n_lanes;
}

bool host_is_in_place(const struct host *h, const struct field *f)
{
	return is_read_only(f) || host_is_written_in_place(h, f);
}

const char *host_callers_name(const struct host *h, const struct field *f)
{
	return field_is_result(f) ? host_out_name(h, f) : host_in_name(h, f);
}

static bool is_only_read(const struct kfunc *kernel, const struct field *f)
{
	for (int i = 0; i < kernel->n_params; i++)
		if (kernel->param[i].cells == f &&
		    !kernel->param[i].is_const)
			return false;
	return true;
}

bool host_writes_last(const struct host *h, struct kfunc *const *kernels)
{
	if (h->prog->timed || h->prog->n_lists > 0)
		return false;
	for (int k = 0; k < h->n_plans; k++)
		if (h->plan[k].slab.tiles > 0)
			return false;
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!field_is_result(f))
			continue;
		if (f->kind != FIELD_OUTPUT || f->is_result || f->is_scalar)
			return false;
		for (int k = 0; k < h->n_plans - 1; k++)
			if (!is_only_read(kernels[k], f))
				return false;
	}
	return true;
}
