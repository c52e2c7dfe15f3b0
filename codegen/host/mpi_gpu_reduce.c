/* What ranks reduce that compute on GPUs: a kernel makes the values of a rank's own pieces, which the
 * host then joins as that of ranks without a GPU does.
 */
#include <string.h>

#include "codegen/host/gpu_reduce.h"
#include "codegen/host/mpi.h"
#include "codegen/host/mpi_reduce.h"

/* u[(copy * extent + i - i_origin) * M + j]: the cell in the rank's block. */
static const struct kx *read_in_row(const struct binding *b,
	const struct access *acc)
{
	const struct mpi *m = mpi_of(b->user);
	const struct host *h = &m->h;
	const struct field *f = m->blocks->block->field[acc->field->index];
	struct binding sizes = { .mem = h->mem, .prog = m->blocks->block };
	const struct kx *cell[IR_MAX_DIMS], *at;
	struct kx *x;
	int copy = f->kind == FIELD_STATE ? f->depth - 2 + acc->version : 0;

	mpi_cell_in_block(m, b, acc, cell);
	at = integer(h, copy);
	for (int d = 0; d < f->n_dims; d++)
		at = op(h, OP_ADD, op(h, OP_MUL, at, kx_cast(h->mem,
			ctype(CT_SIZE), kx_of_expr(&sizes, f->size[d]))),
			cell[d]);
	x = kx_of_kind(h->mem, KX_INDEX, f->name, 1, &at);
	x->type = f->type;
	return x;
}

struct kfunc *mpi_gpu_pieces(const struct mpi *m, const struct reduced *own)
{
	struct kfunc *f = gpu_pieces_of_rank(own, read_in_row);

	for (int k = 0; k < m->blocks->n_dims; k++) {
		kfunc_add_int(m->h.mem, f, m->blocks->dim[k].origin->name);
		kfunc_add_int(m->h.mem, f, m->blocks->dim[k].extent->name);
	}
	kfunc_add_int(m->h.mem, f, m->h.names->time);
	mpi_gpu_add_fields(m, f);
	kfunc_drop_unused(f);
	return f;
}

/* The function that launches it has parameters of the same names, but for the values. */
struct launched {
	const struct mpi *m;
	const struct reduced *own;
};

static const struct kx *argument_of_pieces(const void *user, const char *param)
{
	const struct launched *l = user;
	const struct host *h = &l->m->h;

	return strcmp(param, gpu_values_name(h, l->own->number)) ? NULL :
		kx_cast(h->mem, ctype_pointer(scalar_of(reduced_type(l->own)),
			false), CALL(l->m, "stencilc_own_values", name(h,
				l->m->ranks)));
}

/* if (numbers > 0 && the rank computes) launch, and wait for the values */
void mpi_gpu_add_values(const struct mpi *m, struct kfunc *f,
	const struct reduced *own, const struct kfunc *kernel)
{
	const struct host *h = &m->h;
	const struct kx *n = name(h, fresh_name(h->mem, h->prog, "numbers"));
	const struct kx *bytes = kx_sizeof(h->mem, ctype_of(reduced_type(own)));
	struct launched launched = { m, own };
	struct ks *b = ks_block(h->mem);

	ks_add(h->mem, f->body, ks_declare(h->mem, ctype_const(CT_SIZE),
		n->name, gpu_count_values(own)));
	gpu_launch(h, b, kernel, gpu_blocks_of_values(h, n), REDUCE_THREADS,
		argument_of_pieces, &launched);
	ks_add(h->mem, b, mpi_statement(m, CALL(m, "stencilc_fetch_values",
		name(h, m->ranks), op(h, OP_MUL, n, bytes))));
	ks_add(h->mem, f->body, ks_if(h->mem, op(h, OP_AND, op(h, OP_GT, n,
		integer(h, 0)), CALL(m, "stencilc_computes", name(h,
			m->ranks))), b, NULL));
}

void mpi_gpu_add_fields(const struct mpi *m, struct kfunc *f)
{
	for (int i = 0; i < m->h.prog->n_fields; i++) {
		const struct field *field = m->h.prog->field[i];

		if (field_is_argument(field))
			gpu_add_pointer(&m->h, f, scalar_of(field->type),
				field->name);
	}
}

void mpi_gpu_add_stream(const struct mpi *m, struct kfunc *f)
{
	kfunc_add_param(m->h.mem, f, (struct kparam) { .name = m->h.stream,
		.c_type = ctype(CT_STREAM) });
}

const struct kx *mpi_gpu_values(const struct mpi *m, enum scalar scalar)
{
	return kx_cast(m->h.mem, ctype_pointer(scalar, false), CALL(m,
		"stencilc_values", mpi_ranks(m)));
}

/* if (no step does anything) return, with 0 steps done, on the host or the device */
void mpi_gpu_return_without_steps(const struct mpi *m, struct ks *b)
{
	const struct host *h = &m->h;
	const struct kx *nothing = host_nothing_runs(h, h->prog->timed ?
		host_written_steps(h, ctype(CT_NONE)) : NULL);
	const struct kx *code = h->prog->steps ? CALL(m, "stencilc_no_steps",
		mpi_ranks(m), name(h, h->prog->steps->name), name(h,
			h->on_device), name(h, h->stream)) : integer(h, 0);

	if (nothing)
		ks_add(h->mem, b, ks_if(h->mem, nothing, ks_expression(h->mem,
			KS_RETURN, code), NULL));
}
