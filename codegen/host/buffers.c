/* Device memory that the emitted code owns: it allocates, fills, runs, copies
 * back and frees.
 */
#include "codegen/forms.h"
#include "codegen/host/complex.h"
#include "codegen/host/host.h"
#include "codegen/host/lists.h"
#include "codegen/host/reductions.h"
#include "ir/components.h"

static const char *cells_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_cells", f->name);
}

/* Cells of a copy in the code's own memory, where it differs from the caller's. */
static const char *padded_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_padded", f->name);
}

/* .. of a copy in our memory. */
static const char *own_cells_name(const struct host *h, const struct field *f)
{
	return host_is_padded(h, f) ? padded_name(h, f) : cells_name(h, f);
}

/* A variable for the cells from one copy of "f" to the next in the run's memory. */
static const char *copy_cells_name(const struct host *h, const struct field *f)
{
	return field_may_stay(h->unit, f) ? field_distance(h->unit, f) :
		own_cells_name(h, f);
}

/* Is copy 0 of the state the caller's array? */
static const char *stays_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_stays", f->name);
}

static const struct kx *size_of_cell(const struct host *h,
	const struct field *f)
{
	return kx_sizeof(h->mem, ctype_of(f->type));
}

static const struct kx *bytes_of_row(const struct host *h,
	const struct field *f)
{
	const struct kx *size = host_param(h, f->size[f->n_dims - 1],
		ctype(CT_NONE));

	if (size->kind != KX_INT)
		size = kx_cast(h->mem, ctype(CT_SIZE), size);
	return op(h, OP_MUL, size, size_of_cell(h, f));
}

/* Whole lines of global memory. */
static const struct kx *bytes_of_pitch(const struct host *h,
	const struct field *f)
{
	int line = field_row_multiple(h->unit, f) * type_size(f->type);

	return op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem,
		name(h, host_row_name(h, f)), line - 1), integer(h, line)),
		integer(h, line));
}

/* base + copy * cells, in the caller's memory or in ours */
static const struct kx *copy_at(const struct host *h, const struct field *f,
	const char *base, const struct kx *copy, bool ours)
{
	const char *cells = ours ? copy_cells_name(h, f) : cells_name(h, f);

	if (kx_is_int(copy, 0))
		return name(h, base);
	if (!ours && f->n_lanes)
		copy = op(h, OP_MUL, copy, kx_select(h->mem, name(h,
			h->on_device), integer(h, f->n_lanes), integer(h, 1)));
	return op(h, OP_ADD, name(h, base),
		op(h, OP_MUL, copy, name(h, cells)));
}

/* From the caller's memory to ours, back, or from a copy of ours to another. */
enum copying { COPY_IN, COPY_OUT, COPY_OURS };

/* Copy a version of "f". */
static struct ks *copy_all_cells(const struct host *h, const struct field *f,
	const struct kx *to, const struct kx *from, enum copying how)
{
	const char *step = host_step_name(h, f), *pitch = host_pitch_name(h, f);

	if (!host_is_padded(h, f))
		return host_checked(h, kx_builtin(h->mem, RT_COPY, 5, to,
			from, op(h, OP_MUL, name(h, cells_name(h, f)),
			size_of_cell(h, f)),
			kx_builtin(h->mem, W_ANY_WAY, 0), name(h, h->stream)));
	return host_checked(h, kx_builtin(h->mem, RT_COPY_ROWS, 8, to,
		name(h, how == COPY_OUT ? step : pitch), from,
		name(h, how == COPY_IN ? step : pitch),
		name(h, host_row_name(h, f)), host_rows(h, f),
		kx_builtin(h->mem, W_ANY_WAY, 0),
		name(h, h->stream)));
}

/* .. if it has cells: fields of points of lists may have none. */
static struct ks *copy_cells(const struct host *h, const struct field *f,
	const struct kx *to, const struct kx *from, enum copying how)
{
	struct ks *copy = copy_all_cells(h, f, to, from, how);

	if (how == COPY_IN && f->n_lanes)
		copy = ks_if(h->mem, name(h, h->on_device),
			host_launch_spread(h, f, to, from), copy);
	const struct kx *cells = host_cells(h, f, ctype(CT_SIZE));

	return f->is_listed && cells->kind != KX_INT ? ks_if(h->mem, op(h,
		OP_GT, cells, integer(h, 0)), copy, NULL) : copy;
}

/* Our copy of version "v" of a state. */
static const struct kx *copy_of_version(const struct host *h,
	const struct field *f, int v)
{
	return copy_at(h, f, f->name, integer(h, floor_mod(v,
		h->scop->field[f->index].buffers)), true);
}

static void copy_version_in(const struct host *h, struct ks *block,
	const struct field *f, int v)
{
	struct ks *copy = copy_cells(h, f, copy_of_version(h, f, v), copy_at(h,
		f, host_in_name(h, f), integer(h, v + f->passed - 1), false),
		COPY_IN);

	ks_add(h->mem, block, field_may_stay(h->unit, f) ? ks_if(h->mem,
		kx_unary(h->mem, OP_NOT, name(h, stays_name(h, f))), copy,
		NULL) : copy);
}

/* Copy the versions that the caller passes to their copies, and version 0 also to the copy of
 * version 1 if that one is scratch: cells that no statement writes are then right there, too.
 * Versions that the caller does not pass start as the oldest one that it passes.
 */
static void copy_state_in(const struct host *h, struct ks *block,
	const struct field *f)
{
	int n = h->scop->field[f->index].buffers;
	int last = h->unit->form->stores_all ? 0 : n - f->depth;
	int first = 1 - f->passed;

	for (int v = first; v <= 0; v++)
		copy_version_in(h, block, f, v);
	for (int v = 1 - f->depth; v <= last; v++)
		if (v < first || v > 0)
			ks_add(h->mem, block, copy_cells(h, f, copy_of_version(h, f, v),
				copy_of_version(h, f, v < first ? first : 0),
				COPY_OURS));
}

/* Where the caller's array is copy 0, our memory begins with copy 1. */
static void let_state_stay(const struct host *h, struct ks *block,
	const struct field *f)
{
	const struct kx *apart = name(h, field_distance(h->unit, f));
	const struct kx *ours = name(h, f->name);
	const struct kx *theirs = name(h, host_out_name(h, f));
	struct ks *stays = ks_block(h->mem);

	ks_add(h->mem, stays, ks_assign(h->mem, apart, op(h, OP_SUB, ours,
		theirs)));
	ks_add(h->mem, stays, ks_assign(h->mem, ours, theirs));
	ks_add(h->mem, block, ks_if(h->mem, name(h, stays_name(h, f)), stays,
		NULL));
}

const struct kx *host_passes(const struct host *h)
{
	const struct form_code *form = h->unit->form;

	return form->passes ? form->passes(h) : name(h, h->names->steps);
}

const struct kx *host_copy_after(const struct host *h, const struct field *f,
	const struct kx *passes, int version)
{
	int n = h->scop->field[f->index].buffers;

	return op(h, OP_MOD, kx_add(h->mem, op(h, OP_MUL, integer(h,
		copies_of_pass(h->unit->form, f)), passes), floor_mod(version,
			n)), integer(h, n));
}

/* Copy versions steps+1-passed .. steps to the caller's arrays. */
static int list_copies(const struct host *h, const struct field *f,
	struct result *result)
{
	const struct kx *passes = h->prog->segments ? name(h,
		h->names->memory.passes) : host_passes(h);

	for (int i = 0; i < f->passed; i++) {
		const struct kx *copy = host_copy_after(h, f, passes, i + 1 -
			f->passed);

		result[i] = (struct result) { f, i,
			.from = copy_at(h, f, f->name, copy, true),
			.to = copy_at(h, f, host_out_name(h, f),
				integer(h, i), false) };
	}
	return f->passed;
}

/* Copy back all results; cells of an output that no statement writes stay as
 * the caller has them.
 */
static struct result *list_results(const struct host *h, int *n)
{
	struct result *result;
	int most = 0;

	for (int i = 0; i < h->prog->n_fields; i++)
		most += field_copies(h->prog->field[i]);
	result = region_array(h->mem, struct result, most);
	*n = 0;
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (f->kind == FIELD_STATE && !f->is_hidden)
			*n += list_copies(h, f, result + *n);
		else if (field_is_result(f))
			result[(*n)++] = (struct result) { f, 0,
				.from = name(h, f->name),
				.to = name(h, host_out_name(h, f)) };
	}
	return result;
}

/* Does a result lie elsewhere than where the caller wants it? */
static const struct kx *some_is_apart(const struct host *h,
	const struct result *result, int n)
{
	const struct kx *some = NULL;

	for (int i = 0; i < n; i++)
		some = host_either(h, some, op(h, OP_NE, result[i].from,
			result[i].to));
	return some;
}

/* "store" takes several results to device memory, because single copies could
 * fail one after the other.  Results for the host go to memory of ours first.
 */
static struct ks *copy_results_out(const struct host *h,
	const struct result *result, int n, const struct kfunc *store)
{
	struct ks *copies = ks_block(h->mem);
	const struct kx *on_device = name(h, h->on_device);

	for (int i = 0; i < n; i++) {
		const struct field *f = result[i].field;
		struct ks *copy = copy_cells(h, f, result[i].to, result[i].from,
			COPY_OUT);

		ks_add(h->mem, copies, field_may_stay(h->unit, f) ||
			host_is_written_in_place(h, f) ? ks_if(h->mem, op(h, OP_NE,
				result[i].from, result[i].to), copy, NULL) :
			copy);
	}
	if (store && h->has_handles && !program_has_lanes(h->prog))
		on_device = kx_and(h->mem, on_device, kx_unary(h->mem, OP_NOT,
			name(h, h->in_place)));
	else if (store && h->writes_last && !program_has_lanes(h->prog))
		on_device = kx_and(h->mem, on_device, some_is_apart(h, result,
			n));
	return store ? ks_if(h->mem, on_device,
		host_launch_store(h, store, result, n), copies) : copies;
}

/* A temp that never reaches global memory has no buffer. */
static bool has_buffer(const struct host *h, struct kfunc *const *kernels,
	const struct field *f)
{
	for (int k = 0; k < h->n_kernels; k++)
		for (int i = 0; i < kernels[k]->n_params; i++)
			if (kernels[k]->param[i].cells == f)
				return true;
	return !field_is_temp(f) && !f->is_of_ranks;
}

/* Free the buffer, if there is one that "is_ours"; without handles. */
static void free_if(const struct host *h, struct ks *block,
	const char *buffer, const struct kx *is_ours)
{
	const struct kx *fails = op(h, OP_NE, kx_builtin(h->mem, RT_DELETE, 2,
		name(h, buffer), name(h, h->stream)), kx_builtin(h->mem,
			W_SUCCESS, 0));

	if (h->has_handles)
		return;
	ks_add(h->mem, block, ks_if(h->mem, op(h, OP_AND, is_ours, fails),
		ks_expression(h->mem, KS_EXPRESSION, kx_builtin(h->mem,
			RT_LAST_ERROR, 0)), NULL));
}

void host_free_buffer(const struct host *h, struct ks *block,
	const char *buffer)
{
	free_if(h, block, buffer, name(h, buffer));
}

/* Parts start where allocations do, at multiples of 256 bytes. */
const struct kx *host_part(const struct host *h, const struct kx *bytes)
{
	const struct kx *line = integer(h, 256);

	return op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem, bytes, 255), line),
		line);
}

/* buffer = (float *)memory; memory = memory + bytes; */
static void take_part(const struct host *h, struct ks *block,
	const char *buffer, enum scalar scalar, const struct kx *bytes)
{
	const struct kx *memory = name(h, h->memory);

	ks_add(h->mem, block, ks_assign(h->mem, name(h, buffer), kx_cast(h->mem,
		ctype_pointer(scalar, false), memory)));
	ks_add(h->mem, block, ks_assign(h->mem, memory, op(h, OP_ADD, memory,
		host_part(h, bytes))));
}

void host_new_buffer(const struct host *h, struct ks *block,
	const char *buffer, enum scalar scalar, const struct kx *bytes)
{
	if (h->has_handles) {
		take_part(h, block, buffer, scalar, bytes);
		return;
	}
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem, RT_NEW, 3,
		kx_cast(h->mem, (struct ctype) { .scalar = CT_VOID,
			.pointers = 2 }, kx_address(h->mem, name(h, buffer))),
		bytes, name(h, h->stream))));
}

/* The caller has the result by now, or "error" says why not; a buffer that
 * cannot be freed changes neither.
 */
static void free_buffers(const struct host *h, struct ks *block,
	struct kfunc *const *kernels)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		const struct kx *buffer = name(h, f->name);

		if (has_buffer(h, kernels, f))
			free_if(h, block, f->name, host_is_in_place(h, f) ? op(h,
				OP_AND, buffer, op(h, OP_NE, buffer, name(h,
				host_callers_name(h, f)))) : buffer);
	}
}

void host_add_run_params(const struct host *h, struct kfunc *f)
{
	host_add_params_of_all(h, f);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (!field_is_argument(field))
			continue;
		kfunc_add_param(h->mem, f, (struct kparam) {
			.c_type = ctype_pointer(scalar_of(field->type),
				true),
			.name = host_in_name(h, field) });
		if (field_is_result(field))
			kfunc_add_param(h->mem, f, (struct kparam) {
				.c_type = ctype_pointer(scalar_of(field->type),
					false),
				.name = host_out_name(h, field) });
	}
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype(CT_BOOL), .name = h->on_device });
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype(CT_STREAM), .name = h->stream });
}

void host_add_memory_params(const struct host *h, struct kfunc *f)
{
	if (!h->has_handles)
		return;
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype_pointer(CT_CHAR, false), .name = h->memory });
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype(CT_BOOL), .name = h->in_place });
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype(CT_BOOL), .name = h->padded });
}

static void declare_rows(const struct host *h, struct ks *block,
	const struct field *f)
{
	ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_SIZE),
		host_row_name(h, f), bytes_of_row(h, f)));
	ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_SIZE),
		host_pitch_name(h, f), bytes_of_pitch(h, f)));
}

static void declare_stay(const struct host *h, struct ks *block,
	const struct field *f)
{
	ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_BOOL),
		stays_name(h, f), host_may_be_in_place(h, f)));
	ks_add(h->mem, block, ks_declare(h->mem, ctype(CT_DISTANCE),
		field_distance(h->unit, f), kx_cast(h->mem, ctype(CT_DISTANCE),
			name(h, own_cells_name(h, f)))));
}

/* Of the caller's memory, whose layout "h->padded" says: cells of a copy, and bytes from a row
 * to the next.
 */
static void declare_caller(const struct host *h, struct ks *block,
	const struct ks *work, const struct field *f)
{
	const struct kx *padded = name(h, h->padded);

	if (ks_uses(work, host_step_name(h, f)) || field_may_stay(h->unit, f))
		ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_SIZE),
			host_step_name(h, f), kx_select(h->mem, padded, name(h,
				host_pitch_name(h, f)), name(h, host_row_name(h, f)))));
	if (ks_uses(work, cells_name(h, f)))
		ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_SIZE),
			cells_name(h, f), kx_select(h->mem, padded, name(h,
				padded_name(h, f)), host_cells(h, f,
				ctype(CT_SIZE)))));
}

void host_declare_sizes(const struct host *h, struct ks *block,
	const struct ks *work, struct kfunc *const *kernels)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		const bool uses = ks_uses(work, cells_name(h, f));
		const bool stays = field_may_stay(h->unit, f);
		const bool theirs = h->has_handles && host_is_padded(h, f);

		if (!has_buffer(h, kernels, f))
			continue;
		if (!theirs && (uses || (stays && !host_is_padded(h, f))))
			ks_add(h->mem, block, ks_declare(h->mem,
				ctype_const(CT_SIZE), cells_name(h, f),
				host_cells(h, f, ctype(CT_SIZE))));
		if (host_is_padded(h, f))
			declare_rows(h, block, f);
		if (ks_uses(work, padded_name(h, f)) || (host_is_padded(h, f) &&
		    (stays || (theirs && uses))))
			ks_add(h->mem, block, ks_declare(h->mem,
				ctype_const(CT_SIZE), padded_name(h, f),
				op(h, OP_MUL, host_rows(h, f),
				op(h, OP_DIV, name(h, host_pitch_name(h, f)),
					size_of_cell(h, f)))));
		if (theirs && ks_uses(work, f->name))
			declare_caller(h, block, work, f);
		if (ks_uses(work, f->name))
			ks_add(h->mem, block, ks_declare(h->mem,
				ctype_pointer(scalar_of(f->type), false),
				f->name, kx_builtin(h->mem, W_NULL, 0)));
		if (stays && ks_uses(work, f->name))
			declare_stay(h, block, f);
	}
}

/* Results; those of one cell have no rows. */
static bool has_rows(const struct field *f)
{
	return field_is_argument(f) && !f->is_scalar && f->n_dims > 0;
}

void host_add_pitches(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_args; i++) {
		const struct field *field = h->prog->arg[i].field;

		if (field && has_rows(field))
			kfunc_add_param(h->mem, f, (struct kparam) {
				.c_type = ctype_pointer(CT_SIZE, false),
				.name = host_pitch_name(h, field) });
	}
	for (int i = 0; i < h->prog->n_args; i++) {
		const struct field *field = h->prog->arg[i].field;

		if (!field || !has_rows(field))
			continue;
		ks_add(h->mem, f->body, ks_declare(h->mem, ctype_const(CT_SIZE),
			host_row_name(h, field), bytes_of_row(h, field)));
		ks_add(h->mem, f->body, ks_assign(h->mem, kx_builtin(h->mem,
			B_DEREFERENCE, 1, name(h, host_pitch_name(h, field))),
			host_is_padded(h, field) ? bytes_of_pitch(h, field) :
			name(h, host_row_name(h, field))));
	}
}

static const struct kx *buffer_bytes(const struct host *h,
	const struct field *f)
{
	const struct kx *cells = op(h, OP_MUL, integer(h,
		h->scop->field[f->index].buffers), name(h, own_cells_name(h,
			f)));

	/* A field without cells needs no memory; allocating 0 bytes could fail. */
	return op(h, OP_MUL, f->is_listed ? kx_add(h->mem, cells, 1) : cells,
		size_of_cell(h, f));
}

const struct kx *host_buffers_bytes(const struct host *h,
	struct kfunc *const *kernels)
{
	const struct kx *all = NULL;

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		const struct kx *part;

		if (!has_buffer(h, kernels, f))
			continue;
		part = host_part(h, buffer_bytes(h, f));
		all = all ? op(h, OP_ADD, all, part) : part;
	}
	return all;
}

/* Tiles copy in a temp together with what they may need of it. */
static struct ks *zeros(const struct host *h, const struct field *f)
{
	return host_checked(h, kx_builtin(h->mem, RT_SET, 4,
		name(h, f->name), integer(h, 0), buffer_bytes(h, f),
		name(h, h->stream)));
}

static void copy_input(const struct host *h, struct ks *block,
	const struct field *f)
{
	ks_add(h->mem, block, copy_cells(h, f, name(h, f->name), name(h,
		host_in_name(h, f)), COPY_IN));
}

/* The caller's array, or a copy of it in the run's own memory. */
static void use_array(const struct host *h, struct ks *block,
	const struct field *f)
{
	struct ks *ours = ks_block(h->mem);
	const struct kx *theirs = name(h, host_callers_name(h, f));

	if (!field_is_result(f))
		theirs = kx_cast(h->mem, ctype_pointer(scalar_of(f->type),
			false), theirs);

	host_new_buffer(h, ours, f->name, scalar_of(f->type), buffer_bytes(h,
		f));
	copy_input(h, ours, f);
	ks_add(h->mem, block, ks_if(h->mem, host_may_be_in_place(h, f),
		ks_assign(h->mem, name(h, f->name), theirs), ours));
}

static void fill_buffers(const struct host *h, struct ks *block,
	struct kfunc *const *kernels)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!has_buffer(h, kernels, f))
			continue;
		if (host_is_in_place(h, f)) {
			use_array(h, block, f);
			continue;
		}
		host_new_buffer(h, block, f->name, scalar_of(f->type),
			buffer_bytes(h, f));
		if (f->is_hidden && (h->plan->opt.shared ||
		    h->unit->form->stores_all))
			ks_add(h->mem, block, zeros(h, f));
		else if (f->kind == FIELD_STATE && !f->is_hidden) {
			if (field_may_stay(h->unit, f))
				let_state_stay(h, block, f);
			copy_state_in(h, block, f);
		}
		else if (!field_is_temp(f) && !f->made_of)
			copy_input(h, block, f);
	}
}

/* An error of the run-time library takes precedence over errors of lists of points and of
 * checks.
 */
static const struct kx *status_of_run(const struct host *h)
{
	const struct kx *error = kx_cast(h->mem, ctype(CT_INT), name(h,
		h->error));

	return h->prog->n_lists == 0 && !program_has_checks(h->prog) ? error :
		kx_select(h->mem, op(h, OP_NE, name(h, h->error), kx_builtin(
			h->mem, W_SUCCESS, 0)), error, name(h, h->status));
}

/* Copy in, run, copy out, free. */
static struct ks *run_body(const struct host *h, struct kfunc *const *kernels,
	struct kfunc **store)
{
	struct ks *b = ks_block(h->mem);
	int n;
	const struct result *result = list_results(h, &n);

	*store = n > 1 ? host_store(h, result, n) : NULL;
	if (program_has_lanes(h->prog) && n == 1 && result->field->n_lanes)
		*store = host_store(h, result, n);
	fill_buffers(h, b, kernels);
	host_begin_launches(h, b, kernels);
	if (h->prog->segments)
		gpu_add_segments(h, b, kernels);
	else
		host_launches(h, b, kernels);
	ks_add(h->mem, b, copy_results_out(h, result, n, *store));
	ks_add(h->mem, b, ks_simple(h->mem, KS_LABEL))->name = h->out;
	free_buffers(h, b, kernels);
	if (h->prog->segments)
		gpu_free_segments(h, b);
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		status_of_run(h)));
	return b;
}

static bool uses_arrays(const struct host *h, struct kfunc *const *kernels)
{
	bool uses = false;

	for (int i = 0; i < h->prog->n_fields; i++)
		uses |= has_buffer(h, kernels, h->prog->field[i]) &&
			host_is_in_place(h, h->prog->field[i]);
	return uses;
}

struct kfunc *host_run(const struct host *all, struct kfunc *const *kernels,
	struct kfunc **store)
{
	struct host own = *all;
	const struct host *h = &own;
	struct kfunc *f = host_function(h, host_run_name(h), ctype(CT_INT));
	struct ks *b = f->body, *work;

	own.writes_last = !h->has_handles && host_writes_last(h, kernels);
	work = run_body(h, kernels, store);

	f->is_static = true;
	f->comment = h->has_handles ? "All steps, in the memory: *_out is "
		"written last, so an error leaves the caller's arrays\nalone.  "
		"Arrays are used where they are if in_place, and laid out as "
		"the memory would\nhave them; if padded they have its rows." :
		uses_arrays(h, kernels) ? "All steps: arrays on the device are used "
		"where they are, others copied there.  *_out is\nwritten "
		"last, so an error leaves the caller's arrays alone." :
		"All steps, in device memory of its own: *_out is written last, "
		"so an error leaves\nthe caller's arrays alone.";
	host_add_run_params(h, f);
	host_add_memory_params(h, f);
	if (h->prog->timed && !h->prog->segments)
		ks_add(h->mem, b, ks_declare(h->mem, ctype_const(CT_INT),
			h->names->steps, host_steps(h, ctype(CT_NONE))));
	host_declare_sizes(h, b, work, kernels);
	if (h->prog->segments)
		gpu_declare_segments(h, b);
	if (h->prog->n_lists > 0)
		gpu_declare_lists(h, b);
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_ERROR), h->error,
		kx_builtin(h->mem, W_SUCCESS, 0)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	if (h->prog->segments)
		gpu_return_without_steps(h, b);
	else
		host_return_if(h, b, host_nothing_runs(h, !h->prog->timed ?
			NULL : h->prog->waves ? host_written_steps(h,
			ctype(CT_NONE)) : name(h, h->names->steps)), 0);
	if (h->unit->lanes)
		ks_add(h->mem, b, host_ask_lanes(h));
	ks_add(h->mem, b, work);
	kfunc_drop_unused(f);
	return f;
}

