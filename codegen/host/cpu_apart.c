/* Rows and planes moved apart.  Where a run goes from a cell to the same cell of the next
 * plane, cells a multiple of 1024 bytes apart share a few sets of the caches and evict each
 * other.  Runs of such sizes work on arrays with some extra cells a row and extra rows a plane,
 * "apart" times a line and a row:
 *
 *	float A[N + apart][M + apart][K + 16 * apart]
 */
#include "codegen/host/cpu.h"
#include "ir/components.h"

enum {
	CONFLICT_BYTES = 1024,
	FEW_STEPS = 16		/* smaller arrays do not pay for the copies */
};

/* The caller's field whose sizes all moved fields have.  NULL: there is none. */
static const struct field *typical_field(const struct host *h)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (f->kind == FIELD_STATE && !f->is_hidden &&
		    f->n_dims == h->scop->n_dims)
			return f;
	}
	return NULL;
}

static bool has_same_sizes(const struct field *a, const struct field *b)
{
	if (a == b || a->n_dims != b->n_dims)
		return a == b;
	for (int d = 0; d < a->n_dims; d++)
		if (!expr_same_size(a->size[d], b->size[d]))
			return false;
	return true;
}

bool cpu_may_be_apart(const struct host *h, const struct field *f)
{
	const struct field *typical = typical_field(h);

	return h->walks_planes && typical && f->kind != FIELD_TEMP &&
		has_same_sizes(f, typical);
}

bool cpu_is_moved(const struct host *h, const struct field *f)
{
	return !f->is_hidden && (f->n_lanes || cpu_may_be_apart(h, f) ||
		(cpu_runs_on_copies(h) && field_is_result(f)));
}

const char *cpu_apart_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "apart");
}

const char *cpu_apart_array(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, cpu_runs_on_copies(h) ?
		"%s_own" : "%s_apart", f->name);
}

/* size + cells * apart */
static const struct kx *moved(const struct host *h, const struct kx *size,
	int cells, const struct kx *apart)
{
	return op(h, OP_ADD, size, op(h, OP_MUL, integer(h, cells), apart));
}

/* The extent "size" of dimension "d" of "f", moved "apart". */
static const struct kx *extent_apart(const struct host *h,
	const struct field *f, int d, const struct kx *size,
	const struct kx *apart)
{
	return d == f->n_dims - 1 ? moved(h, size, LINE_BYTES /
		type_size(f->type), apart) : moved(h, size, 1, apart);
}

const struct kx *cpu_apart_extent(const struct host *h, const struct field *f,
	int d, const struct kx *size)
{
	return extent_apart(h, f, d, size, name(h, cpu_apart_name(h)));
}

/* How far --------------------------------------------------------------- */

/* (size_t) (M + apart) * (K + 16 * apart) * sizeof(cell) % 1024 */
static const struct kx *conflict(const struct host *h, int apart)
{
	const struct field *f = typical_field(h);
	const struct kx *bytes = NULL;

	for (int d = 1; d < f->n_dims; d++) {
		const struct kx *extent = host_param(h, f->size[d],
			ctype(CT_NONE));

		if (apart)
			extent = extent_apart(h, f, d, extent, integer(h,
				apart));
		bytes = bytes ? op(h, OP_MUL, bytes, extent) :
			kx_cast(h->mem, ctype(CT_SIZE), extent);
	}
	return op(h, OP_MOD, op(h, OP_MUL, bytes, kx_sizeof(h->mem,
		ctype_of(f->type))), integer(h, CONFLICT_BYTES));
}

/* With 16 floats more in a row, planes of one and of two extra rows cannot both be a multiple
 * of 1024 bytes if planes without extra rows are.
 */
static struct kfunc *apart_function(const struct host *h)
{
	struct kfunc *f = host_function(h, "%s_apart", ctype(CT_INT));
	const struct kx *none = integer(h, 0);

	f->is_static = true;
	f->comment = "The distances of rows and planes with which equal cells of "
		"several planes lie in many sets\nof the caches.";
	host_add_params(h, f);
	host_return_if(h, f->body, host_either(h, op(h, OP_LT,
		host_whole_steps(h, ctype(CT_NONE)), integer(h, FEW_STEPS)), op(h, OP_NE,
		conflict(h, 0), none)), 0);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		typical_field(h)->n_dims == 2 ? integer(h, 1) :
		kx_select(h->mem, op(h, OP_NE, conflict(h, 1), none),
			integer(h, 1), integer(h, 2))));
	kfunc_drop_unused(f);
	return f;
}

/* Copies ---------------------------------------------------------------- */

/* The cell of the caller's array "f" at the point, or the first number of a complex one there. */
static const struct kx *callers_cell(const struct host *h,
	const struct field *f, int copies, const struct kx *copy)
{
	const struct kx *cell = cpu_cell(h, f, f->name, copies, copy);
	const struct kx *arg[2 + IR_MAX_DIMS];

	if (!f->n_lanes)
		return cell;
	for (int i = 0; i < cell->n_args; i++)
		arg[i] = cell->arg[i];
	arg[cell->n_args] = integer(h, 0);
	return kx_of_kind(h->mem, KX_INDEX, f->name, cell->n_args + 1, arg);
}

/* Copy all versions of "f", from the caller's array to the moved one, or "back".  Older
 * versions that the caller does not pass start as the oldest one that it passes.
 */
static void add_moves(const struct host *h, struct ks *region,
	const struct field *f, bool back)
{
	struct ks *moves = ks_block(h->mem);
	int versions = cpu_versions(h, f), passed = field_copies(f);

	for (int v = back ? versions - passed : 0; v < versions; v++) {
		int given = v + passed - versions;
		const struct kx *theirs = callers_cell(h, f, passed,
			integer(h, given > 0 ? given : 0));
		const struct kx *ours = cpu_cell(h, f, cpu_apart_array(h, f),
			versions, integer(h, v));

		ks_add(h->mem, moves, back ? ks_assign(h->mem, theirs, ours) :
			ks_assign(h->mem, ours, theirs));
	}
	cpu_add_copies(h, region, f, moves);
}

static void add_arrays(const struct host *h, struct kfunc *to,
	const struct field *f)
{
	struct kparam ours = cpu_array(h, f, cpu_apart_array(h, f),
		cpu_versions(h, f), cpu_layout_of_user(h, f));

	ours.c_type.is_const = false;
	kfunc_add_param(h->mem, to, ours);
	cpu_add_array(h, to, f, f->name, field_copies(f), CPU_CALLERS);
}

/* static void NAME_what(params, apart, A_apart, A, ..) */
static struct kfunc *moving_function(const struct host *h, const char *what,
	bool back)
{
	struct kfunc *f = host_function(h, region_printf(h->mem, "%%s_%s",
		what), ctype(CT_VOID));
	struct ks *region = ks_scope(h->mem);

	f->is_static = true;
	host_add_params(h, f);
	kfunc_add_int(h->mem, f, cpu_apart_name(h));
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (!cpu_is_moved(h, field) ||
		    (back && !field_is_result(field)))
			continue;
		add_arrays(h, f, field);
		add_moves(h, region, field, back);
	}
	region->braces = true;
	ks_add(h->mem, f->body, ks_directive(h->mem,
		(struct directive) { .kind = OMP_PARALLEL }));
	ks_add(h->mem, f->body, region);
	kfunc_drop_unused(f);
	return f;
}

const struct cpu_moves *cpu_moves_new(const struct host *h)
{
	bool walks = h->walks_planes && typical_field(h);
	struct cpu_moves *m;

	if (!walks && !cpu_runs_on_copies(h) && !program_has_lanes(h->prog))
		return NULL;
	m = region_new_of(h->mem, struct cpu_moves);
	m->apart = walks ? apart_function(h) : NULL;
	m->spread = moving_function(h, "spread", false);
	m->spread->comment = program_has_lanes(h->prog) ? "Copy the caller's "
		"arrays, the parts of complex numbers to arrays of their own." :
		cpu_runs_on_copies(h) ? "Copy the caller's arrays to "
		"those of the run, which has them to itself until all is done." :
		"Copy the caller's arrays to arrays whose rows and planes lie apart.";
	m->gather = moving_function(h, "gather", true);
	m->gather->comment = cpu_runs_on_copies(h) ? "Copy the results to the "
		"caller's arrays." : "Copy the results from the arrays of the "
		"run to the caller's.";
	return m;
}

void cpu_declare_apart(const struct host *h, struct ks *block,
	const struct cpu_moves *moves)
{
	if (moves && moves->apart)
		host_declare_int(h, block, cpu_apart_name(h), kfunc_call(
			h->mem, moves->apart, NULL, NULL));
}
