/* The host side of a file: argument checks, the loop over time that launches
 * the kernels, and the entries for host and device memory.
 */
#include <limits.h>
#include <string.h>

#include "codegen/codegen.h"

enum {
	/* Room for what index arithmetic adds to a coordinate. */
	MARGIN = 1 << 20,
	STATUS_NEGATIVE = -1, STATUS_TOO_LARGE = -2, STATUS_NO_MEMORY = -3,
	STATUS_ASSUMPTION = -4, STATUS_TOO_SMALL = -5,
};

struct host {
	struct region *mem;
	struct kunit *unit;
	const struct program *prog;
	const struct scop *scop;
	const struct plan *plan;	/* n_plans of them */
	int n_plans;
	const struct kernel_names *names;
	const char *error, *status, *out, *stream;
};

static const struct kx *name(const struct host *h, const char *s)
{
	return kx_name(h->mem, s);
}

static const struct kx *integer(const struct host *h, int64_t value)
{
	return kx_int(h->mem, value);
}

static const struct kx *op(const struct host *h, enum op o,
	const struct kx *a, const struct kx *b)
{
	return kx_binary(h->mem, o, a, b);
}

/* Integer expressions of parameters ------------------------------------- */

/* "e" computed in "c_type" ("int" needs no casts). */
static const struct kx *param_expr(const struct host *h, const struct expr *e,
	const char *c_type)
{
	const struct kx *x;

	switch (e->kind) {
	case EXPR_INT:
		return integer(h, e->ivalue);
	case EXPR_PARAM:
		if (e->param->fixed)
			return integer(h, e->param->ivalue);
		x = name(h, e->param->name);
		return c_type ? kx_cast(h->mem, c_type, x) : x;
	case EXPR_UNARY:
		return kx_unary(h->mem, e->op,
			param_expr(h, e->arg[0], c_type));
	case EXPR_CAST:
		return param_expr(h, e->arg[0], c_type);
	default:
		return op(h, e->op, param_expr(h, e->arg[0], c_type),
			param_expr(h, e->arg[1], c_type));
	}
}

static const struct kx *steps_of_program(const struct host *h,
	const char *c_type)
{
	return op(h, OP_SUB, param_expr(h, h->prog->end, c_type),
		param_expr(h, h->prog->begin, c_type));
}

/* The number of cells of one copy of "field", in "c_type". */
static const struct kx *cells_of_field(const struct host *h,
	const struct field *field, const char *c_type)
{
	const struct kx *cells = NULL;

	for (int d = 0; d < field->n_dims; d++) {
		const struct kx *size = param_expr(h, field->size[d], NULL);

		if (!cells)
			cells = kx_cast(h->mem, c_type, size);
		else
			cells = op(h, OP_MUL, cells, size);
	}
	return cells ? cells : integer(h, 1);
}

/* Checks ---------------------------------------------------------------- */

static const struct kx *either(const struct host *h, const struct kx *a,
	const struct kx *b)
{
	return a ? op(h, OP_OR, a, b) : b;
}

static void return_if(const struct host *h, struct ks *block,
	const struct kx *condition, int status)
{
	struct ks *leave = ks_expression(h->mem, KS_RETURN,
		integer(h, status));

	if (condition)
		ks_add(h->mem, block, ks_if(h->mem, condition, leave, NULL));
}

static bool same_size(const struct expr *a, const struct expr *b)
{
	return a == b || (a->kind == EXPR_PARAM && b->kind == EXPR_PARAM &&
		a->param == b->param);
}

/* Has a size equal to field->size[dim] come before? */
static bool is_repeated_size(const struct host *h, int index, int dim)
{
	const struct expr *size = h->prog->field[index]->size[dim];

	for (int i = 0; i <= index; i++)
		for (int d = 0; d < h->prog->field[i]->n_dims; d++) {
			if (i == index && d == dim)
				return false;
			if (same_size(h->prog->field[i]->size[d], size))
				return true;
		}
	return false;
}

/* The disjunction of "size OP bound" over all different sizes. */
static const struct kx *some_size(const struct host *h, enum op o,
	int64_t bound)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_fields; i++)
		for (int d = 0; d < h->prog->field[i]->n_dims; d++) {
			const struct expr *size = h->prog->field[i]->size[d];
			bool plain = size->kind == EXPR_PARAM;
			const struct kx *x = param_expr(h, size,
				plain ? NULL : "long long");

			if (x->kind == KX_INT || is_repeated_size(h, i, d))
				continue;
			any = either(h, any, op(h, o, x, integer(h, bound)));
		}
	return any;
}

/* Does a field have more bytes than fit a signed 64-bit number? */
static const struct kx *some_field_too_large(const struct host *h)
{
	const struct kx *any = NULL;
	struct kx *limit = kx_of_kind(h->mem, KX_REAL, "4e18", 0, NULL);

	limit->type = TYPE_DOUBLE;
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		int bytes = type_size(f->type) * (f->depth + 1);

		if (f->n_dims < 2 || field_is_constant(f))
			continue;
		any = either(h, any, op(h, OP_GT, op(h, OP_MUL,
			cells_of_field(h, f, "double"), integer(h, bytes)),
			limit));
	}
	return any;
}

/* Does an assumption not hold? */
static const struct kx *some_assumption_fails(const struct host *h)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_assumes; i++)
		any = either(h, any, kx_unary(h->mem, OP_NOT, param_expr(h,
			h->prog->assume[i], "long long")));
	return any;
}

/* Is a grid so small that mirrored, or wrapped, once, dimension "d" of "acc"
 * would not be in it?
 */
static const struct kx *boundary_fails(const struct host *h,
	const struct stmt *s, const struct access *acc, int d)
{
	int mirror = acc->field->boundary[d].kind == BOUNDARY_MIRROR;
	const struct expr *points = s->write->field->size[acc->dim[d]];
	const struct kx *size = param_expr(h, acc->field->size[d],
		"long long");
	const struct kx *any = NULL;

	if (access_leaves_below(acc, d))
		any = op(h, OP_LT, size, integer(h, mirror - acc->offset[d]));
	if (access_leaves_above(s, acc, d))
		any = either(h, any, op(h, OP_GT, kx_add(h->mem,
			param_expr(h, points, "long long"),
			acc->offset[d] + mirror),
			op(h, OP_MUL, integer(h, 2), size)));
	return any;
}

/* Is what read "j" asks for in dimension "d" asked for by another read, one as
 * far away or farther?
 */
static bool is_covered(const struct stmt *s, int j, int d)
{
	const struct access *acc = s->read[j];

	for (int i = 0; i < s->n_reads; i++) {
		const struct access *other = s->read[i];
		int64_t a = acc->offset[d], b;

		if (i == j || other->field != acc->field ||
		    other->dim[d] != acc->dim[d])
			continue;
		b = other->offset[d];
		if ((a < 0) == (b < 0) && (a < 0 ? b < a || (b == a && i < j) :
		    b > a || (b == a && i < j)))
			return true;
	}
	return false;
}

static const struct kx *some_boundary_fails(const struct host *h)
{
	const struct kx *any = NULL;

	for (int i = 0; i < h->prog->n_stmts; i++)
		for (int j = 0; j < h->prog->stmt[i]->n_reads; j++) {
			const struct stmt *s = h->prog->stmt[i];
			const struct access *acc = s->read[j];

			for (int d = 0; d < acc->field->n_dims; d++)
				if (access_wraps_once(s, acc, d) &&
				    !is_covered(s, j, d))
					any = either(h, any, boundary_fails(h,
						s, acc, d));
		}
	return any;
}

static void add_user_params(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_params; i++)
		if (!h->prog->param[i]->fixed)
			f->param[f->n_params++] = (struct kparam) {
				.c_type = type_name(h->prog->param[i]->type),
				.name = h->prog->param[i]->name };
}

static struct kfunc *new_function(const struct host *h, const char *fmt,
	const char *c_type)
{
	struct kfunc *f = region_new_of(h->mem, struct kfunc);

	f->name = region_printf(h->mem, fmt, h->prog->name);
	f->c_type = c_type;
	f->param = region_array(h->mem, struct kparam,
		2 * (h->prog->n_params + h->prog->n_fields) + 2);
	f->body = ks_block(h->mem);
	return f;
}

/* Keep the parameters that "f" uses. */
static void drop_unused_params(struct kfunc *f)
{
	int n = 0;

	for (int i = 0; i < f->n_params; i++)
		if (ks_uses(f->body, f->param[i].name))
			f->param[n++] = f->param[i];
	f->n_params = n;
}

static struct kfunc *check_function(const struct host *h)
{
	struct kfunc *f = new_function(h, "%s_check", "int");
	const int64_t limit = INT_MAX - MARGIN;
	const struct kx *steps = steps_of_program(h, "long long");

	f->comment = "0, or why the arguments cannot be used.";
	f->is_static = true;
	add_user_params(h, f);
	return_if(h, f->body, some_size(h, OP_LT, 0), STATUS_NEGATIVE);
	return_if(h, f->body, either(h, some_size(h, OP_GT, limit),
		op(h, OP_GT, steps, integer(h, limit))), STATUS_TOO_LARGE);
	return_if(h, f->body, some_field_too_large(h), STATUS_TOO_LARGE);
	return_if(h, f->body, some_assumption_fails(h), STATUS_ASSUMPTION);
	if (scop_wraps(h->scop)) {
		return_if(h, f->body, some_size(h, OP_EQ, 0), 0);
		return_if(h, f->body, some_boundary_fails(h),
			STATUS_TOO_SMALL);
	}
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		integer(h, 0)));
	drop_unused_params(f);
	return f;
}

static const struct kx *call_function(const struct host *h,
	const struct kfunc *f)
{
	const struct kx **arg = region_array(h->mem, const struct kx *,
		f->n_params + 1);

	for (int i = 0; i < f->n_params; i++)
		arg[i] = name(h, f->param[i].name);
	return kx_of_kind(h->mem, KX_CALL, f->name, f->n_params, arg);
}

/* The loop over time ---------------------------------------------------- */

static const struct kx *tiles_of_dim(const struct host *h, int dim, int axis)
{
	const struct kx *count = kx_add(h->mem, op(h, OP_SUB,
		name(h, h->names->last[dim]), name(h, h->names->first[dim])),
		1);

	return kx_call(h->mem, "imin", 2, count, name(h, axis == 0 ?
		"STENCILC_MAX_GRID_X" : "STENCILC_MAX_GRID_YZ"));
}

static const struct kx *grid_of_plan(const struct host *h,
	const struct plan *plan)
{
	const struct kx *extent[3] = {
		integer(h, 1), integer(h, 1), integer(h, 1)
	};
	int n = 0;

	for (int d = plan->n_dims - 1; d >= 0; d--)
		if (plan->role[d] == ROLE_BLOCKS && n < 3) {
			extent[n] = tiles_of_dim(h, d, n);
			n++;
		}
	return kx_of_kind(h->mem, KX_CALL, "dim3", n, extent);
}

static const struct kx *threads_of_plan(const struct host *h,
	const struct plan *plan)
{
	const struct kx *extent[3];
	int n = plan->n_dims < 3 ? plan->n_dims : 3;

	for (int i = 0; i < n; i++)
		extent[i] = integer(h, plan->threads[i]);
	return kx_of_kind(h->mem, KX_CALL, "dim3", n, extent);
}

static struct ks *launch(const struct host *h, const struct plan *plan,
	int phase, const struct kfunc *kernel)
{
	struct ks *s = ks_simple(h->mem, KS_LAUNCH);

	s->name = kernel->name;
	s->n_x = 3 + kernel->n_params;
	s->x = region_array(h->mem, const struct kx *, s->n_x);
	s->x[0] = grid_of_plan(h, plan);
	s->x[1] = threads_of_plan(h, plan);
	s->x[2] = integer(h, kernel->dynamic_bytes);
	for (int i = 0; i < kernel->n_params; i++) {
		const char *param = kernel->param[i].name;
		struct kx *arg = !strcmp(param, h->names->phase) ?
			kx_int(h->mem, phase) : kx_name(h->mem, param);

		arg->field = kernel->param[i].cells;
		s->x[3 + i] = arg;
	}
	return s;
}

static struct ks *checked(const struct host *h, const struct kx *call)
{
	return ks_expression(h->mem, KS_CHECKED, call);
}

/* T*time_pitch - time_shift < steps: has phase "p" of T a tile to run? */
static const struct kx *phase_runs(const struct host *h,
	const struct plan *plan, int p)
{
	const struct kx *t0 = op(h, OP_MUL, name(h, h->names->tt),
		integer(h, plan->time_pitch));

	return op(h, OP_LT, t0, kx_add(h->mem, name(h, h->names->steps),
		plan->time_shift[p]));
}

static int greatest_time_shift(const struct host *h)
{
	int greatest = 0;

	for (int i = 0; i < h->n_plans; i++)
		for (int p = 0; p < h->plan[i].n_phases; p++)
			if (h->plan[i].time_shift[p] > greatest)
				greatest = h->plan[i].time_shift[p];
	return greatest;
}

/* More than 48 KB of shared memory must be asked for. */
static void allow_shared_memory(const struct host *h, struct ks *block,
	struct kfunc *const *kernel)
{
	for (int i = 0; i < h->n_plans; i++)
		if (kernel[i]->dynamic_bytes > 0)
			ks_add(h->mem, block, checked(h, kx_call(h->mem,
				"cudaFuncSetAttribute", 3,
				name(h, kernel[i]->name), name(h,
				"cudaFuncAttributeMaxDynamicSharedMemorySize"),
				integer(h, kernel[i]->dynamic_bytes))));
}

static struct ks *launch_phase(const struct host *h, const struct plan *plan,
	int p, const struct kfunc *kernel)
{
	struct ks *block = ks_block(h->mem);
	struct ks *scope = ks_scope(h->mem);
	const struct kx *runs = NULL;

	for (int d = 0; d < plan->n_dims; d++) {
		const struct kx *first, *last;

		if (plan->role[d] != ROLE_BLOCKS)
			continue;
		first = tile_of_edge(h->mem, plan, h->names,
			integer(h, p), d, false);
		last = tile_of_edge(h->mem, plan, h->names,
			integer(h, p), d, true);
		ks_add(h->mem, scope, ks_declare(h->mem, "const int",
			h->names->first[d], first));
		ks_add(h->mem, scope, ks_declare(h->mem, "const int",
			h->names->last[d], last));
		runs = kx_and(h->mem, runs, op(h, OP_LE,
			name(h, h->names->first[d]),
			name(h, h->names->last[d])));
	}
	ks_add(h->mem, block, launch(h, plan, p, kernel));
	ks_add(h->mem, block, checked(h,
		kx_call(h->mem, "cudaGetLastError", 0)));
	ks_add(h->mem, scope, ks_if(h->mem, runs, block, NULL));
	if (plan->time_shift[p] == greatest_time_shift(h))
		return scope;
	return ks_if(h->mem, phase_runs(h, plan, p), scope, NULL);
}

static struct ks *time_loop(const struct host *h,
	struct kfunc *const *kernel)
{
	struct ks *body = ks_block(h->mem);
	const struct kx *tt = name(h, h->names->tt);
	const struct kx *t0 = op(h, OP_MUL, tt,
		integer(h, h->plan->time_pitch));
	const struct kx *end = kx_add(h->mem, name(h, h->names->steps),
		greatest_time_shift(h));

	for (int i = 0; i < h->n_plans; i++)
		for (int p = 0; p < h->plan[i].n_phases; p++)
			ks_add(h->mem, body, launch_phase(h, &h->plan[i], p,
				kernel[i]));
	return ks_for(h->mem, h->names->tt, integer(h, 0),
		op(h, OP_LT, t0, end), integer(h, 1), body);
}

/* Buffers --------------------------------------------------------------- */

static const char *cells_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_cells", f->name);
}

static const char *in_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_in", f->name);
}

static const char *out_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_out", f->name);
}

static const char *pointer_type(const struct host *h, const struct field *f,
	bool is_const)
{
	return region_printf(h->mem, "%s%s *", is_const ? "const " : "",
		type_name(f->type));
}

/* Cells of a copy in the memory that the code owns, where it differs from the
 * caller's.
 */
static const char *padded_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_padded", f->name);
}

static bool is_padded(const struct host *h, const struct field *f)
{
	return field_row_multiple(h->unit, f) > 1;
}

/* The length of a row of "f" in cells. */
static const struct kx *row_cells(const struct host *h, const struct field *f,
	bool padded)
{
	int multiple = padded ? field_row_multiple(h->unit, f) : 1;
	const struct kx *size = param_expr(h, f->size[f->n_dims - 1], NULL);

	if (size->kind != KX_INT)
		size = kx_cast(h->mem, "size_t", size);
	if (multiple == 1)
		return size;
	return op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem, size,
		multiple - 1), integer(h, multiple)), integer(h, multiple));
}

/* The rows of a copy. */
static const struct kx *rows_of_field(const struct host *h,
	const struct field *f)
{
	const struct kx *rows = NULL;

	for (int d = 0; d < f->n_dims - 1; d++) {
		const struct kx *size = param_expr(h, f->size[d], NULL);

		if (!rows)
			rows = size->kind == KX_INT ? size :
				kx_cast(h->mem, "size_t", size);
		else
			rows = op(h, OP_MUL, rows, size);
	}
	return rows ? rows : integer(h, 1);
}

static const struct kx *size_of_cell(const struct host *h,
	const struct field *f)
{
	return kx_sizeof(h->mem, type_name(f->type));
}

/* base + copy * cells, of the caller's memory or of ours */
static const struct kx *copy_at(const struct host *h, const struct field *f,
	const char *base, const struct kx *copy, bool ours)
{
	const char *cells = ours && is_padded(h, f) ? padded_name(h, f) :
		cells_name(h, f);

	if (kx_is_int(copy, 0))
		return name(h, base);
	return op(h, OP_ADD, name(h, base),
		op(h, OP_MUL, copy, name(h, cells)));
}

/* A copy of "f" from the caller's memory to ours, or back. */
static struct ks *copy_cells(const struct host *h, const struct field *f,
	const struct kx *to, const struct kx *from, bool in)
{
	const struct kx *size = size_of_cell(h, f);

	if (!is_padded(h, f))
		return checked(h, kx_call(h->mem, "cudaMemcpyAsync", 5, to,
			from, op(h, OP_MUL, name(h, cells_name(h, f)), size),
			name(h, "cudaMemcpyDefault"), name(h, h->stream)));
	return checked(h, kx_call(h->mem, "cudaMemcpy2DAsync", 8, to,
		op(h, OP_MUL, row_cells(h, f, in), size), from,
		op(h, OP_MUL, row_cells(h, f, !in), size),
		op(h, OP_MUL, row_cells(h, f, false), size),
		rows_of_field(h, f), name(h, "cudaMemcpyDefault"),
		name(h, h->stream)));
}

static int modulo(int a, int b)
{
	return (a % b + b) % b;
}

/* Version 1-depth .. 0 to their copies, and version 0 to the copy that
 * version 1 will be written to, if that one is scratch: cells that no
 * statement writes are then right there too.
 */
static void copy_state_in(const struct host *h, struct ks *block,
	const struct field *f)
{
	int n = h->scop->field[f->index].buffers;

	for (int v = 1 - f->depth; v <= n - f->depth; v++) {
		int from = (v > 0 ? 0 : v) + f->depth - 1;

		ks_add(h->mem, block, copy_cells(h, f, copy_at(h, f, f->name,
			integer(h, modulo(v, n)), true), copy_at(h, f,
			in_name(h, f), integer(h, from), false), true));
	}
}

/* Versions steps+1-depth .. steps to where the caller gets them. */
static void copy_state_out(const struct host *h, struct ks *block,
	const struct field *f)
{
	int n = h->scop->field[f->index].buffers;

	for (int i = 0; i < f->depth; i++) {
		int v = i + 1 - f->depth;
		const struct kx *copy = op(h, OP_MOD, kx_add(h->mem,
			name(h, h->names->steps), modulo(v, n)),
			integer(h, n));

		ks_add(h->mem, block, copy_cells(h, f, copy_at(h, f,
			out_name(h, f), integer(h, i), false),
			copy_at(h, f, f->name, copy, true), false));
	}
}

static void free_buffers(const struct host *h, struct ks *block)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		const struct kx *call;

		call = kx_call(h->mem, "cudaFreeAsync", 2, name(h, f->name),
			name(h, h->stream));
		ks_add(h->mem, block, ks_if(h->mem, name(h, f->name),
			ks_assign(h->mem, name(h, h->error),
				kx_call(h->mem, "first_error", 2,
					name(h, h->error), call)), NULL));
	}
}

/* static int NAME_run(params, const float *A_in, float *A_out, stream) */
static void add_run_params(const struct host *h, struct kfunc *f)
{
	add_user_params(h, f);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		f->param[f->n_params++] = (struct kparam) {
			.c_type = pointer_type(h, field, true),
			.name = in_name(h, field) };
		if (field->kind == FIELD_STATE)
			f->param[f->n_params++] = (struct kparam) {
				.c_type = pointer_type(h, field, false),
				.name = out_name(h, field) };
	}
	f->param[f->n_params++] = (struct kparam) {
		.c_type = "cudaStream_t", .name = h->stream };
}

/* Declare what "work" needs to know of the fields. */
static void declare_buffers(const struct host *h, struct ks *block,
	const struct ks *work)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (ks_uses(work, cells_name(h, f)))
			ks_add(h->mem, block, ks_declare(h->mem,
				"const size_t", cells_name(h, f),
				cells_of_field(h, f, "size_t")));
		if (ks_uses(work, padded_name(h, f)))
			ks_add(h->mem, block, ks_declare(h->mem,
				"const size_t", padded_name(h, f),
				op(h, OP_MUL, rows_of_field(h, f),
					row_cells(h, f, true))));
		ks_add(h->mem, block, ks_declare(h->mem,
			pointer_type(h, f, false), f->name,
			name(h, "NULL")));
	}
}

static void fill_buffers(const struct host *h, struct ks *block)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];
		int copies = h->scop->field[i].buffers;

		ks_add(h->mem, block, checked(h, kx_call(h->mem,
			"cudaMallocAsync", 3,
			kx_cast(h->mem, "void **", kx_address(h->mem,
				name(h, f->name))),
			op(h, OP_MUL, op(h, OP_MUL, integer(h, copies),
				name(h, is_padded(h, f) ? padded_name(h, f) :
				cells_name(h, f))), size_of_cell(h, f)),
			name(h, h->stream))));
		if (f->kind == FIELD_STATE)
			copy_state_in(h, block, f);
		else
			ks_add(h->mem, block, copy_cells(h, f,
				name(h, f->name), name(h, in_name(h, f)),
				true));
	}
}

/* Waves ----------------------------------------------------------------- */

static void declare_int(const struct host *h, struct ks *block,
	const char *var, const struct kx *value)
{
	ks_add(h->mem, block, ks_declare(h->mem, "const int", var, value));
}

static const struct kx *at_least(const struct host *h, int64_t least,
	const struct kx *x)
{
	return kx_call(h->mem, "imax", 2, integer(h, least), x);
}

/* ceil(a / b) for positive a and b */
static const struct kx *ceil_of(const struct host *h, const struct kx *a,
	const struct kx *b)
{
	return op(h, OP_DIV, kx_add(h->mem, op(h, OP_ADD, a, b), -1), b);
}

/* How many phases, hexagons of a phase, and chunks of how many tiles: enough
 * chunks that a launch has enough blocks, half of them running at a time.
 */
static void declare_chunks(const struct host *h, struct ks *block)
{
	const struct kernel_names *n = h->names;
	const struct plan *plan = h->plan;
	const struct kx *phase = integer(h, 0);
	const struct kx *tiles = kx_add(h->mem, op(h, OP_SUB,
		tile_of_edge(h->mem, plan, n, phase, plan->chunk_dim, true),
		tile_of_edge(h->mem, plan, n, phase, plan->chunk_dim, false)),
		1);
	const struct kx *extent = op(h, OP_SUB,
		edge_of_plan(h->mem, plan, plan->hex_dim, true),
		edge_of_plan(h->mem, plan, plan->hex_dim, false));

	declare_int(h, block, n->phis, kx_add(h->mem, op(h, OP_DIV,
		kx_add(h->mem, name(h, n->steps), -1),
		integer(h, plan->time_shift[0])), 2));
	declare_int(h, block, n->hexagons, at_least(h, 1, kx_add(h->mem,
		op(h, OP_DIV, extent, integer(h,
			plan->pitch[plan->hex_dim])), 2)));
	declare_int(h, block, n->chunks_wanted, ceil_of(h, op(h, OP_MUL,
		integer(h, 2), name(h, "STENCILC_ENOUGH_BLOCKS")),
		name(h, n->hexagons)));
	declare_int(h, block, n->chunk_tiles, at_least(h, plan->least_chunk,
		ceil_of(h, tiles, name(h, n->chunks_wanted))));
	declare_int(h, block, n->chunks, ceil_of(h, tiles,
		name(h, n->chunk_tiles)));
}

/* Launch w holds chunk w - 2*phi of each phase phi that has it. */
static struct ks *wave_loop(const struct host *h, const struct kfunc *kernel)
{
	const struct kernel_names *n = h->names;
	struct ks *block = ks_scope(h->mem), *body = ks_block(h->mem);
	struct ks *runs = ks_block(h->mem), *s;
	const struct kx *wave = name(h, n->wave);
	const struct kx *last = name(h, n->phi_last);
	const struct kx *grid[2];

	declare_chunks(h, block);
	declare_int(h, body, n->phi_first, at_least(h, 0, op(h, OP_DIV,
		kx_add(h->mem, op(h, OP_SUB, wave, name(h, n->chunks)), 2),
		integer(h, 2))));
	declare_int(h, body, n->phi_last, kx_call(h->mem, "imin", 2,
		kx_add(h->mem, name(h, n->phis), -1),
		op(h, OP_DIV, wave, integer(h, 2))));
	grid[0] = kx_call(h->mem, "imin", 2, name(h, n->hexagons),
		name(h, "STENCILC_MAX_GRID_X"));
	grid[1] = kx_add(h->mem, op(h, OP_SUB, last,
		name(h, n->phi_first)), 1);
	s = launch(h, h->plan, 0, kernel);
	s->x[0] = kx_of_kind(h->mem, KX_CALL, "dim3", 2, grid);
	ks_add(h->mem, runs, s);
	ks_add(h->mem, runs, checked(h,
		kx_call(h->mem, "cudaGetLastError", 0)));
	ks_add(h->mem, body, ks_if(h->mem, op(h, OP_LE,
		name(h, n->phi_first), last), runs, NULL));
	ks_add(h->mem, block, ks_for(h->mem, n->wave, integer(h, 0),
		op(h, OP_LT, wave, op(h, OP_ADD, op(h, OP_MUL, integer(h, 2),
			kx_add(h->mem, name(h, n->phis), -1)),
			name(h, n->chunks))), integer(h, 1), body));
	return block;
}

/* Copy in, run, copy out, free. */
static struct ks *run_body(const struct host *h, struct kfunc *const *kernels)
{
	struct ks *b = ks_block(h->mem);

	fill_buffers(h, b);
	allow_shared_memory(h, b, kernels);
	ks_add(h->mem, b, h->plan->chunk_dim >= 0 ?
		wave_loop(h, kernels[0]) : time_loop(h, kernels));
	for (int i = 0; i < h->prog->n_fields; i++)
		if (h->prog->field[i]->kind == FIELD_STATE)
			copy_state_out(h, b, h->prog->field[i]);
	ks_add(h->mem, b, ks_simple(h->mem, KS_LABEL))->name = h->out;
	free_buffers(h, b);
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		kx_cast(h->mem, "int", name(h, h->error))));
	return b;
}

static struct kfunc *run_function(const struct host *h,
	struct kfunc *const *kernels)
{
	struct kfunc *f = new_function(h, "%s_run", "int");
	struct ks *b = f->body, *work = run_body(h, kernels);

	f->is_static = true;
	f->comment = "All steps, in device memory of its own: what *_in holds "
		"is read first and\n*_out is written last, so an error leaves "
		"the caller's arrays alone.";
	add_run_params(h, f);
	ks_add(h->mem, b, ks_declare(h->mem, "const int", h->names->steps,
		steps_of_program(h, NULL)));
	declare_buffers(h, b, work);
	ks_add(h->mem, b, ks_declare(h->mem, "cudaError_t", h->error,
		name(h, "cudaSuccess")));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	return_if(h, b, either(h, some_size(h, OP_EQ, 0), op(h, OP_LE,
		name(h, h->names->steps), integer(h, 0))), 0);
	ks_add(h->mem, b, work);
	drop_unused_params(f);
	return f;
}

/* Entries --------------------------------------------------------------- */

static void add_entry_params(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_args; i++) {
		const struct argument *arg = &h->prog->arg[i];

		if (arg->param)
			f->param[f->n_params++] = (struct kparam) {
				.c_type = type_name(arg->param->type),
				.name = arg->param->name };
		else
			f->param[f->n_params++] = (struct kparam) {
				.c_type = pointer_type(h, arg->field,
					arg->field->kind == FIELD_INPUT),
				.name = arg->field->name };
	}
}

/* A call of "run" on these arrays for each state. */
static const struct kx *call_run(const struct host *h, const struct kfunc *run,
	const char *(*result)(const struct host *h, const struct field *f),
	const struct kx *stream)
{
	const struct kx **arg = region_array(h->mem, const struct kx *,
		run->n_params);

	for (int i = 0; i < run->n_params; i++) {
		arg[i] = name(h, run->param[i].name);
		for (int j = 0; j < h->prog->n_fields; j++) {
			const struct field *f = h->prog->field[j];

			if (kx_uses(arg[i], in_name(h, f)))
				arg[i] = name(h, f->name);
			else if (kx_uses(arg[i], out_name(h, f)))
				arg[i] = name(h, result(h, f));
		}
		if (kx_uses(arg[i], h->stream))
			arg[i] = stream;
	}
	return kx_of_kind(h->mem, KX_CALL, run->name, run->n_params, arg);
}

static const char *field_itself(const struct host *h, const struct field *f)
{
	(void) h;
	return f->name;
}

static const char *result_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_result", f->name);
}

static struct kfunc *device_entry(const struct host *h,
	const struct kfunc *check, const struct kfunc *run)
{
	struct kfunc *f = new_function(h, "%s_device", "int");
	struct ks *b = f->body;

	f->comment = "The fields are device memory; all work is queued on the "
		"stream.";
	f->is_exported = true;
	add_entry_params(h, f);
	f->param[f->n_params++] = (struct kparam) {
		.c_type = "cudaStream_t", .name = h->stream };
	ks_add(h->mem, b, ks_declare(h->mem, "const int", h->status,
		call_function(h, check)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_if(h->mem, name(h, h->status), ks_expression(
		h->mem, KS_RETURN, name(h, h->status)), NULL));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		call_run(h, run, field_itself, name(h, h->stream))));
	return f;
}

static const struct kx *result_bytes(const struct host *h,
	const struct field *f)
{
	return op(h, OP_MUL, op(h, OP_MUL, integer(h, f->depth),
		cells_of_field(h, f, "size_t")),
		kx_sizeof(h->mem, type_name(f->type)));
}

static struct ks *goto_out(const struct host *h)
{
	struct ks *s = ks_simple(h->mem, KS_GOTO);

	s->name = h->out;
	return s;
}

/* The result goes to memory of its own first: an error on the way leaves the
 * caller's arrays alone.
 */
static struct kfunc *host_entry(const struct host *h,
	const struct kfunc *check, const struct kfunc *run)
{
	struct kfunc *f = new_function(h, "%s", "int");
	struct ks *b = f->body, *copy = ks_block(h->mem);
	const struct kx *none = NULL;

	f->comment = "The fields are host memory.";
	f->is_exported = true;
	add_entry_params(h, f);
	ks_add(h->mem, b, ks_declare(h->mem, "int", h->status,
		call_function(h, check)));
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (field->kind != FIELD_STATE)
			continue;
		ks_add(h->mem, b, ks_declare(h->mem,
			pointer_type(h, field, false), result_name(h, field),
			name(h, "NULL")));
		none = either(h, none, kx_unary(h->mem, OP_NOT,
			name(h, result_name(h, field))));
	}
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_if(h->mem, name(h, h->status), ks_expression(
		h->mem, KS_RETURN, name(h, h->status)), NULL));
	return_if(h, b, either(h, some_size(h, OP_EQ, 0), op(h, OP_LE,
		steps_of_program(h, NULL), integer(h, 0))), 0);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (field->kind != FIELD_STATE)
			continue;
		ks_add(h->mem, b, ks_assign(h->mem,
			name(h, result_name(h, field)),
			kx_cast(h->mem, pointer_type(h, field, false),
			kx_call(h->mem, "malloc", 1,
				result_bytes(h, field)))));
		ks_add(h->mem, copy, ks_expression(h->mem, KS_EXPRESSION,
			kx_call(h->mem, "memcpy", 3, name(h, field->name),
				name(h, result_name(h, field)),
				result_bytes(h, field))));
	}
	ks_add(h->mem, b, ks_assign(h->mem, name(h, h->status),
		integer(h, STATUS_NO_MEMORY)));
	ks_add(h->mem, b, ks_if(h->mem, none, goto_out(h), NULL));
	ks_add(h->mem, b, ks_assign(h->mem, name(h, h->status),
		call_run(h, run, result_name, integer(h, 0))));
	ks_add(h->mem, b, ks_if(h->mem, kx_unary(h->mem, OP_NOT,
		name(h, h->status)), ks_assign(h->mem, name(h, h->status),
		kx_cast(h->mem, "int", kx_call(h->mem,
			"cudaStreamSynchronize", 1, integer(h, 0)))), NULL));
	ks_add(h->mem, b, ks_if(h->mem, kx_unary(h->mem, OP_NOT,
		name(h, h->status)), copy, NULL));
	ks_add(h->mem, b, ks_simple(h->mem, KS_LABEL))->name = h->out;
	for (int i = 0; i < h->prog->n_fields; i++)
		if (h->prog->field[i]->kind == FIELD_STATE)
			ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION,
				kx_call(h->mem, "free", 1, name(h,
				result_name(h, h->prog->field[i])))));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN,
		name(h, h->status)));
	return f;
}

/* The unit -------------------------------------------------------------- */

static struct kfunc *append(struct kunit *unit, struct kfunc *f)
{
	*unit->last = f;
	unit->last = &f->next;
	return f;
}

struct kunit *codegen_unit(struct region *r, const struct plan *plans,
	int n_plans, bool harness)
{
	struct kunit *unit = region_new_of(r, struct kunit);
	const struct program *prog = plans->scop->prog;
	struct host h = {
		.mem = r, .unit = unit, .prog = prog, .scop = plans->scop,
		.plan = plans, .n_plans = n_plans,
		.names = kernel_names_new(r, prog),
		.error = fresh_name(r, prog, "error"),
		.status = fresh_name(r, prog, "status"),
		.out = fresh_name(r, prog, "out"),
		.stream = fresh_name(r, prog, "stream"),
	};
	struct kfunc **kernel, *check, *run;

	unit->mem = r;
	unit->prog = prog;
	unit->scop = plans->scop;
	unit->plan = plans;
	unit->last = &unit->first;
	unit->error_name = h.error;
	unit->out_name = h.out;
	unit->stream_name = h.stream;
	kernel = region_array(r, struct kfunc *, n_plans);
	for (int i = 0; i < n_plans; i++)
		kernel[i] = append(unit, kernel_of_plan(unit, &plans[i], i));
	check = append(unit, check_function(&h));
	run = append(unit, run_function(&h, kernel));
	append(unit, device_entry(&h, check, run));
	append(unit, host_entry(&h, check, run));
	if (harness)
		append_harness(unit);
	return unit;
}
