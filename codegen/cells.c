/* Where the values of a tile live: copies of global memory, boxes of shared
 * memory, registers.
 */
#include <string.h>

#include "codegen/tile.h"

const struct kx *builder_name(const struct builder *b, const char *s)
{
	return kx_name(b->mem, s);
}

int buffers_of(const struct builder *b, const struct field *field)
{
	return b->scop->field[field->index].buffers;
}

bool field_is_written(const struct builder *b, const struct field *field)
{
	for (int i = 0; i < b->scop->n_stmts; i++)
		if (b->scop->stmt[i].stmt->write->field == field)
			return true;
	return false;
}

/* Global memory --------------------------------------------------------- */

/* (version - time_shift) mod n, which differs between the phases if the shifts
 * do.
 */
static const struct kx *copy_of_phase(const struct builder *b, int n,
	int64_t version)
{
	const struct plan *plan = b->plan;
	int copy[2];

	if (!plan)
		return kx_int(b->mem, floor_mod(version, n));
	for (int p = 0; p < 2; p++)
		copy[p] = (int) floor_mod(version - plan->time_shift[p], n);
	return value_of_phase(b->mem, plan, builder_name(b, b->names->phase),
		copy);
}

/* t0 = T*time_pitch - time_shift, see time_tile */
const struct kx *global_copy(const struct builder *b,
	const struct field *field, const struct kx *local, int version)
{
	int n = buffers_of(b, field);
	int64_t pitch = b->plan ? floor_mod(b->plan->time_pitch, n) : 0;
	const struct kx *first = copy_of_phase(b, n, 0);
	const struct kx *sum = kx_add(b->mem, local, floor_mod(version, n));

	if (pitch == 0 && sum->kind == KX_INT)
		return copy_of_phase(b, n, sum->ivalue);
	if (pitch == 0 && kx_is_int(first, 0) && sum == local &&
	    local->kind == KX_NAME && local->name == b->names->memory.slot)
		return local;
	if (pitch != 0)
		sum = kx_binary(b->mem, OP_ADD, kx_binary(b->mem, OP_MUL,
			time_tile(b), kx_int(b->mem, pitch)), sum);
	return kx_binary(b->mem, OP_MOD,
		kx_binary(b->mem, OP_ADD, sum, first), kx_int(b->mem, n));
}

const struct kx *global_cell(const struct builder *b,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *cell;
	int n = 0;

	if (copy && buffers_of(b, field) > 1)
		arg[n++] = copy;
	for (int d = 0; d < field->n_dims; d++)
		arg[n++] = at[d];
	if (b->arrays && n == 0)
		arg[n++] = kx_int(b->mem, 0);
	cell = kx_of_kind(b->mem, b->arrays ? KX_INDEX : KX_CELL, field->name,
		n, arg);
	cell->field = field;
	cell->type = field->type;
	return cell;
}

/* That cell of the copy of version t + version. */
static const struct kx *version_cell(const struct builder *b,
	const struct field *field, int version, const struct kx *const *at)
{
	int back = (int) floor_mod(1 - version, buffers_of(b, field));
	const struct kx *first = kx_int(b->mem, 0);
	struct kx *cell = kx_of_kind(b->mem, KX_INDEX, version_name(b->mem,
		b->unit->prog, field, 1 - back),
		field->n_dims ? field->n_dims : 1,
		field->n_dims ? at : &first);

	cell->field = field;
	cell->type = field->type;
	return cell;
}

/* Shared memory --------------------------------------------------------- */

/* The copy of local version m + version in shared memory. */
static const struct kx *shared_copy(const struct builder *b,
	const struct field *field, int version)
{
	int n = plan_copies(b->plan, field);

	return kx_binary(b->mem, OP_MOD,
		kx_add(b->mem, b->m, floor_mod(version, n)), kx_int(b->mem, n));
}

/* The same, by the name that with_coordinates gives it if it is one of the
 * field being written and no constant.
 */
static const struct kx *named_copy(const struct builder *b,
	const struct field *field, int version)
{
	const struct field *written = b->stmt->stmt->write->field;

	if (b->m->kind == KX_INT || version > 1 || version < -1 ||
	    plan_copies(b->plan, field) == 1 ||
	    buffers_of(b, field) != buffers_of(b, written))
		return shared_copy(b, field, version);
	return builder_name(b, b->names->version[1 + version]);
}

/* The place of column "at" of the box, static placement: (at + offset) mod
 * extent.
 */
static const struct kx *place(const struct builder *b,
	const struct field *field, const struct kx *at)
{
	const struct box *box = &b->plan->box[field->index];

	if (b->plan->steps.reuse != REUSE_STATIC)
		return at;
	return kx_builtin(b->mem, B_WRAP, 2, kx_binary(b->mem, OP_ADD, at,
		builder_name(b, b->names->memory.place)),
		kx_int(b->mem, box->extent[field->n_dims - 1]));
}

const char *box_name(const struct builder *b, const struct field *field,
	bool other)
{
	return other ? fresh_name(b->mem, b->unit->prog, "%s_other",
		field->name) : shared_name(b->mem, b->unit->prog, field);
}

const struct kx *shared_cell(const struct builder *b,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at, bool other)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *cell;
	int n = 0;

	if (plan_copies(b->plan, field) > 1)
		arg[n++] = copy;
	for (int d = 0; d < field->n_dims; d++)
		arg[n++] = d == field->n_dims - 1 ? place(b, field, at[d]) :
			at[d];
	cell = kx_of_kind(b->mem, KX_INDEX, box_name(b, field, other), n,
		arg);
	cell->type = field->type;
	return cell;
}

/* Coordinates ----------------------------------------------------------- */

/* floor(skew * (k*m + slot)), (14) of [CGO] */
static const struct kx *skew_of_row(const struct builder *b, int dim)
{
	struct rational skew = b->plan->tiles.skew[dim];
	const struct kx *tau = kx_binary(b->mem, OP_MUL,
		kx_int(b->mem, b->scop->k), b->m);

	if (skew.num == 0)
		return kx_int(b->mem, 0);
	tau = kx_add(b->mem, tau, b->stmt->slot);
	if (tau->kind == KX_INT)
		return kx_int(b->mem, rational_floor(skew, tau->ivalue));
	tau = kx_binary(b->mem, OP_MUL, kx_int(b->mem, skew.num), tau);
	return kx_binary(b->mem, OP_DIV, tau, kx_int(b->mem, skew.den));
}

/* Where the part of a dimension begins that straight code computes. */
static int64_t first_of_part(const struct builder *b, int dim)
{
	int threads = b->plan->threads[b->plan->n_dims - 1 - dim];
	int first = dim == b->plan->tiles.hex_dim ?
		hexagon_first(&b->plan->tiles.hexagon, 0) : 0;

	return first + (int64_t) b->part[dim] * threads;
}

/* The thread's coordinate in a dimension of straight code that is dealt. */
static const struct kx *straight_local(const struct builder *b, int dim)
{
	int i = b->plan->n_dims - 1 - dim;

	if (b->plan->threads[i] == 1)
		return kx_int(b->mem, first_of_part(b, dim));
	return kx_add(b->mem, builder_name(b, b->names->lanes.thread[i]),
		first_of_part(b, dim));
}

/* Has a thread of straight code all points along "dim"? */
static bool is_column(const struct builder *b, int dim)
{
	return dim == b->plan->tiles.hex_dim && !plan_deals_hexagon(b->plan);
}

/* Its coordinate, less the thread's. */
static int64_t constant_point(const struct builder *b, int dim)
{
	int64_t tau = b->m->ivalue * b->scop->k + b->stmt->slot;

	if (is_column(b, dim))
		return b->hex->ivalue;
	return first_of_part(b, dim) -
		rational_floor(b->plan->tiles.skew[dim], tau);
}

const struct kx *relative_point(const struct builder *b, int dim)
{
	const struct kx *local = builder_name(b, b->names->local[dim]);

	if (b->straight)
		local = is_column(b, dim) ? b->hex : straight_local(b, dim);
	if (dim == b->plan->tiles.hex_dim)
		return local;
	return kx_binary(b->mem, OP_SUB, local, skew_of_row(b, dim));
}

/* The index of the cell that "acc", without strides, touches in its box, by the
 * name that with_coordinates gives to that of x in the box of the field being
 * written.
 */
static const struct kx *box_index(const struct builder *b,
	const struct access *acc, int d)
{
	const struct field *written = b->stmt->stmt->write->field;
	int low = b->plan->box[acc->field->index].low[d];
	int dim = acc->dim[d];

	if (dim < 0)
		return kx_int(b->mem, acc->offset[d] - low);
	if (b->straight)
		return kx_add(b->mem, relative_point(b, dim),
			acc->offset[d] - low);
	return kx_add(b->mem, builder_name(b, b->names->memory.inside[dim]),
		acc->offset[d] + b->plan->box[written->index].low[dim] - low);
}

/* The same, less what the thread's coordinate adds to it. */
static int64_t constant_index(const struct builder *b,
	const struct access *acc, int d)
{
	int64_t at = acc->offset[d] - b->plan->box[acc->field->index].low[d];

	return acc->dim[d] < 0 ? at : at + acc->stride[d] *
		constant_point(b, acc->dim[d]);
}

static const struct kx *grid_index(const struct builder *b,
	const struct access *acc, int d)
{
	int dim = acc->dim[d];

	if (dim < 0)
		return kx_int(b->mem, acc->offset[d]);
	if (b->straight)
		return kx_subscript(b->mem, acc, d, kx_binary(b->mem, OP_ADD,
			builder_name(b, b->names->origin[dim]),
			relative_point(b, dim)));
	return kx_subscript(b->mem, acc, d, builder_name(b,
		b->names->point[dim]));
}

/* Boundaries ------------------------------------------------------------ */

static bool is_mapped(const struct builder *b, const struct access *acc, int d)
{
	return b->mapped && access_is_mapped(b->stmt->stmt, acc, d);
}

const struct kx *size_of_field(const struct builder *b,
	const struct field *field, int d)
{
	struct binding binding = { .mem = b->mem, .prog = b->unit->prog };

	return kx_of_expr(&binding, field->size[d]);
}

static const struct kx *size_of(const struct builder *b,
	const struct access *acc, int d)
{
	return size_of_field(b, acc->field, d);
}

/* What the boundary reads for the cell that "acc" touches in dimension "d". */
static const struct kx *mapped_index(const struct builder *b,
	const struct access *acc, int d)
{
	enum boundary_kind kind = acc->field->boundary[d].kind;
	const struct boundary_info *boundary = boundary_info(kind);
	const struct kx *at = grid_index(b, acc, d), *n = size_of(b, acc, d);

	if (boundary->stands == STANDS_VALUE)
		return at;
	if (boundary->stands == STANDS_OTHER_END || boundary->step != 0 ||
	    boundary->first != 0)
		return kx_builtin(b->mem, B_STAND_IN + kind, 2, at, n);
	if (access_leaves_below(acc, d))
		at = kx_max(b->mem, at, kx_int(b->mem, 0));
	if (access_leaves_above(b->stmt->stmt, acc, d))
		at = kx_min(b->mem, at, kx_add(b->mem, n, -1));
	return at;
}

/* The same, relative to the box. */
static const struct kx *mapped_box_index(const struct builder *b,
	const struct access *acc, int d)
{
	int low = b->plan->box[acc->field->index].low[d];

	return kx_add(b->mem, kx_binary(b->mem, OP_SUB,
		mapped_index(b, acc, d),
		builder_name(b, b->names->origin[acc->dim[d]])), -low);
}

/* Does the cell lie in the grid in dimension "d"? */
static const struct kx *lies_inside(const struct builder *b,
	const struct access *acc, int d)
{
	const struct kx *at = grid_index(b, acc, d), *inside = NULL;

	if (access_leaves_below(acc, d))
		inside = kx_binary(b->mem, OP_GE, at, kx_int(b->mem, 0));
	if (access_leaves_above(b->stmt->stmt, acc, d))
		inside = kx_and(b->mem, inside, kx_binary(b->mem, OP_LT, at,
			size_of(b, acc, d)));
	return inside;
}

/* "cell", or what a boundary has in place of it: the value of the first
 * dimension in which it lies outside.
 */
static const struct kx *cell_or_value(const struct builder *b,
	const struct access *acc, const struct kx *cell)
{
	struct binding binding = { .mem = b->mem, .prog = b->unit->prog };

	for (int d = acc->field->n_dims - 1; d >= 0; d--) {
		const struct boundary *boundary = &acc->field->boundary[d];
		struct kx *x;

		if (!is_mapped(b, acc, d) || boundary->kind != BOUNDARY_VALUE)
			continue;
		x = kx_select(b->mem, lies_inside(b, acc, d), cell,
			kx_of_expr(&binding, boundary->value));
		x->type = acc->field->type;
		cell = x;
	}
	return cell;
}

const struct kx *cell_of_access(const struct builder *b,
	const struct access *acc, bool in_shared)
{
	const struct field *field = acc->field;
	const struct kx *at[IR_MAX_DIMS];
	bool timed = field->kind == FIELD_STATE;

	for (int d = 0; d < field->n_dims; d++)
		if (is_mapped(b, acc, d))
			at[d] = in_shared ? mapped_box_index(b, acc, d) :
				mapped_index(b, acc, d);
		else
			at[d] = in_shared ? box_index(b, acc, d) :
				grid_index(b, acc, d);
	if (in_shared)
		return shared_cell(b, field,
			named_copy(b, field, acc->version), at, false);
	if (timed && b->versions)
		return version_cell(b, field, acc->version, at);
	return global_cell(b, field, timed ?
		global_copy(b, field, b->m, acc->version) : NULL, at);
}

const struct kx *near_written(const struct builder *b)
{
	const struct access *write = b->stmt->stmt->write;
	const struct kx *apart[IR_MAX_DIMS];

	for (int d = 0; d < write->field->n_dims; d++)
		apart[d] = is_column(b, write->dim[d]) ?
			box_index(b, write, d) :
			kx_int(b->mem, constant_index(b, write, d));
	return near_cell(b, write->field, (int) b->m->ivalue + write->version,
		apart, 1);
}

/* Registers ------------------------------------------------------------- */

/* A value has one register in a tile: its name says field, local version and
 * the constant part of each index relative to the box (or to the origin), after
 * its stride.
 */
static const char *register_name(const struct builder *b,
	const struct access *acc)
{
	const struct field *field = acc->field;
	struct text t = { 0 };
	const char *name;

	text_printf(&t, "%s", field->name);
	if (field->kind == FIELD_STATE) {
		int64_t version = b->m->ivalue + acc->version;

		text_printf(&t, version < 0 ? "m%lld" : "%lld",
			(long long) (version < 0 ? -version : version));
	}
	for (int d = 0; d < field->n_dims; d++) {
		int64_t at = constant_index(b, acc, d);

		if (access_strides_along(acc, d))
			text_printf(&t, "_by%lld", (long long) acc->stride[d]);
		text_printf(&t, at < 0 ? "_m%lld" : "_%lld",
			(long long) (at < 0 ? -at : at));
	}
	name = fresh_name(b->mem, b->unit->prog, "%s", t.bytes);
	name = names_intern(b->gathered->registers, name, strlen(name));
	text_free(&t);
	return name;
}

static bool is_declared(const struct gathered *g, const char *reg)
{
	for (int i = g->n_declared - 1; i >= 0; i--)
		if (g->declared[i] == reg)
			return true;
	return false;
}

static void note_declared(struct region *r, struct gathered *g, const char *reg)
{
	if (g->n_declared == g->max_declared) {
		int most = g->max_declared ? 2 * g->max_declared : 256;
		const char **grown = region_array(r, const char *, most);

		if (g->n_declared)
			memcpy(grown, g->declared, sizeof(*grown) *
				(size_t) g->n_declared);
		g->declared = grown;
		g->max_declared = most;
	}
	g->declared[g->n_declared++] = reg;
}

const struct kx *global_value(const struct builder *b,
	const struct access *acc)
{
	return cell_or_value(b, acc, cell_of_access(b, acc, false));
}

const struct kx *read_value(const struct builder *b, const struct access *acc)
{
	const struct kx *cell = cell_of_access(b, acc,
		plan_holds(b->plan, acc));
	const char *reg;
	struct kx *x;

	if (!b->straight || b->plan->tiles.rolled)
		return cell_or_value(b, acc, cell);
	reg = register_name(b, acc);
	if (!is_declared(b->gathered, reg)) {
		note_declared(b->mem, b->gathered, reg);
		ks_add(b->mem, b->gathered->block, ks_declare(b->mem,
			ctype_const(scalar_of(acc->field->type)), reg, cell));
	}
	x = kx_name(b->mem, reg);
	x->type = acc->field->type;
	return x;
}

const char *written_register(const struct builder *b)
{
	const char *reg = register_name(b, b->stmt->stmt->write);

	note_declared(b->mem, b->gathered, reg);
	return reg;
}

/* Declarations ---------------------------------------------------------- */

__isl_give isl_set *name_coordinates(const struct builder *b,
	__isl_take isl_set *set, const char *const *dims)
{
	if (b->unit->prog->timed)
		return name_dims(set, dims);
	set = isl_set_fix_si(isl_set_reset_tuple_id(set), isl_dim_set, 0, 0);
	return name_dims(isl_set_project_out(set, isl_dim_set, 0, 1),
		dims + 1);
}

void declare_if_used(const struct builder *b, struct ks *block,
	const struct ks *user, const char *var, const struct kx *value)
{
	if (ks_uses(user, var))
		ks_add(b->mem, block,
			ks_declare(b->mem, ctype_const(CT_INT), var, value));
}

struct ks *with_coordinates(const struct builder *b, struct ks *body)
{
	const struct field *written = b->stmt->stmt->write->field;
	const struct box *box = &b->plan->box[written->index];
	struct ks *block = b->straight ? ks_scope(b->mem) : ks_block(b->mem);

	declare_if_used(b, block, body, b->names->time, kx_binary(b->mem,
		OP_ADD, builder_name(b, b->names->t0), b->m));
	for (int d = 0; d < b->plan->n_dims; d++)
		declare_if_used(b, block, body, b->names->point[d],
			kx_binary(b->mem, OP_ADD,
				builder_name(b, b->names->origin[d]),
				relative_point(b, d)));
	if (!b->straight) {
		for (int d = 0; d < b->plan->n_dims; d++)
			declare_if_used(b, block, body,
				b->names->memory.inside[d], kx_add(b->mem,
					relative_point(b, d), -box->low[d]));
		for (int v = -1; v <= 1; v++)
			declare_if_used(b, block, body,
				b->names->version[1 + v],
				shared_copy(b, written, v));
	}
	ks_add(b->mem, block, body);
	return block->n_children == 1 ? body : block;
}
