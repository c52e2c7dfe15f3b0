/* Where a tile keeps its values: in copies in global memory, in boxes in shared
 * memory, in registers.
 */
#include <string.h>

#include "codegen/tile.h"

int buffers_of(const struct place *p, const struct field *field)
{
	return p->scop->field[field->index].buffers;
}

bool field_is_written(const struct place *p, const struct field *field)
{
	for (int i = 0; i < p->scop->n_stmts; i++)
		if (p->scop->stmt[i].stmt->write->field == field)
			return true;
	return field->kind == FIELD_SERIES;
}

/* Global memory --------------------------------------------------------- */

/* (version - time_shift) mod n, which depends on the phase if the shifts do. */
static const struct kx *copy_of_phase(const struct place *p, int n,
	int64_t version)
{
	const struct plan *plan = p->plan;
	int copy[2];

	if (!plan)
		return kx_int(p->mem, floor_mod(version, n));
	for (int phase = 0; phase < 2; phase++)
		copy[phase] = (int) floor_mod(version -
			plan->time_shift[phase], n);
	return value_of_phase(p->mem, plan, kx_name(p->mem, p->names->phase),
		copy);
}

const struct kx *passes_before(const struct place *p,
	const struct field *field)
{
	const struct segments *s = p->unit->prog->segments;

	return s && s->most > 0 && !p->arrays && buffers_of(p, field) > 1 ?
		kx_name(p->mem, p->names->memory.passes) : NULL;
}

/* t0 = T*time_pitch - time_shift, see time_tile */
const struct kx *global_copy(const struct place *p,
	const struct field *field, const struct kx *local, int version)
{
	int n = buffers_of(p, field);
	int64_t pitch = p->plan ? floor_mod(p->plan->time_pitch, n) : 0;
	const struct kx *first = copy_of_phase(p, n, 0);
	const struct kx *sum = kx_add(p->mem, local, floor_mod(version, n));
	const struct kx *before = passes_before(p, field);

	if (before)
		sum = kx_binary(p->mem, OP_ADD, before, sum);
	if (pitch == 0 && sum->kind == KX_INT)
		return copy_of_phase(p, n, sum->ivalue);
	if (pitch == 0 && kx_is_int(first, 0) && sum == local &&
	    local->kind == KX_NAME && local->name == p->names->memory.copy)
		return local;
	if (pitch != 0)
		sum = kx_binary(p->mem, OP_ADD, kx_binary(p->mem, OP_MUL,
			time_tile(p), kx_int(p->mem, pitch)), sum);
	return kx_binary(p->mem, OP_MOD,
		kx_binary(p->mem, OP_ADD, sum, first), kx_int(p->mem, n));
}

const struct kx *global_cell(const struct place *p,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *cell;
	int n = 0;

	if (copy && buffers_of(p, field) > 1)
		arg[n++] = copy;
	for (int d = 0; d < field->n_dims; d++)
		arg[n++] = at[d];
	if (p->arrays && n == 0)
		arg[n++] = kx_int(p->mem, 0);
	cell = kx_of_kind(p->mem, p->arrays ? KX_INDEX : KX_CELL, field->name,
		n, arg);
	cell->field = field;
	cell->type = field->type;
	return cell;
}

/* That cell in the copy of version t + version. */
static const struct kx *version_cell(const struct place *p,
	const struct field *field, int version, const struct kx *const *at)
{
	int back = (int) floor_mod(1 - version, buffers_of(p, field));
	const struct kx *first = kx_int(p->mem, 0);
	struct kx *cell = kx_of_kind(p->mem, KX_INDEX, version_name(p->mem,
		p->unit->prog, field, 1 - back),
		field->n_dims ? field->n_dims : 1,
		field->n_dims ? at : &first);

	cell->field = field;
	cell->type = field->type;
	return cell;
}

/* Shared memory --------------------------------------------------------- */

/* The copy of local version m + version in shared memory. */
static const struct kx *shared_copy(const struct cursor *c,
	const struct field *field, int version)
{
	int n = plan_copies(c->place->plan, field);

	return kx_binary(c->mem, OP_MOD,
		kx_add(c->mem, c->m, floor_mod(version, n)), kx_int(c->mem, n));
}

/* The same, by the name that with_coordinates gives it if it is a coordinate of
 * the field being written and no constant.
 */
static const struct kx *named_copy(const struct cursor *c,
	const struct field *field, int version)
{
	const struct place *p = c->place;
	const struct field *written = c->stmt->stmt->write->field;

	if (c->m->kind == KX_INT || version > 1 || version < -1 ||
	    plan_copies(p->plan, field) == 1 ||
	    buffers_of(p, field) != buffers_of(p, written))
		return shared_copy(c, field, version);
	return kx_name(c->mem, p->names->version[1 + version]);
}

/* Where column "at" of the box lies under static placement: (at + offset) mod
 * extent.
 */
static const struct kx *place(const struct place *p,
	const struct field *field, const struct kx *at)
{
	const struct box *box = &p->plan->box[field->index];

	if (p->plan->opt.reuse != REUSE_STATIC)
		return at;
	return kx_builtin(p->mem, B_WRAP, 2, kx_binary(p->mem, OP_ADD, at,
		kx_name(p->mem, p->names->memory.place)),
		kx_int(p->mem, box->extent[field->n_dims - 1]));
}

const char *box_name(const struct place *p, const struct field *field,
	bool other)
{
	return other ? fresh_name(p->mem, p->unit->prog, "%s_other",
		field->name) : shared_name(p->mem, p->unit->prog, field);
}

const struct kx *shared_cell(const struct place *p,
	const struct field *field, const struct kx *copy,
	const struct kx *const *at, bool other)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	struct kx *cell;
	int n = 0;

	if (plan_copies(p->plan, field) > 1)
		arg[n++] = copy;
	for (int d = 0; d < field->n_dims; d++)
		arg[n++] = d == field->n_dims - 1 ? place(p, field, at[d]) :
			at[d];
	cell = kx_of_kind(p->mem, KX_INDEX, box_name(p, field, other), n,
		arg);
	cell->type = field->type;
	return cell;
}

/* Cells ------------------------------------------------------------------ */

/* mapped_index, relative to the box. */
static const struct kx *mapped_box_index(const struct cursor *c,
	const struct access *acc, int d)
{
	int low = c->place->plan->box[acc->field->index].low[d];

	return kx_add(c->mem, kx_binary(c->mem, OP_SUB,
		mapped_index(c, acc, d),
		kx_name(c->mem, c->place->names->origin[acc->dim[d]])), -low);
}

const struct kx *cell_of_access(const struct cursor *c,
	const struct access *acc, bool in_shared)
{
	const struct place *p = c->place;
	const struct field *field = acc->field;
	const struct kx *at[IR_MAX_DIMS];
	bool timed = field->kind == FIELD_STATE;

	for (int d = 0; d < field->n_dims; d++)
		if (is_mapped_here(c, acc, d))
			at[d] = in_shared ? mapped_box_index(c, acc, d) :
				mapped_index(c, acc, d);
		else
			at[d] = in_shared ? box_index(c, acc, d) :
				grid_index(c, acc, d);
	if (in_shared)
		return shared_cell(p, field,
			named_copy(c, field, acc->version), at, false);
	if (timed && p->versions)
		return version_cell(p, field, acc->version, at);
	return global_cell(p, field, timed ?
		global_copy(p, field, c->m, acc->version) : NULL, at);
}

const struct kx *relative_written(const struct cursor *c)
{
	const struct access *write = c->stmt->stmt->write;
	const struct kx *apart[IR_MAX_DIMS];

	for (int d = 0; d < write->field->n_dims; d++)
		apart[d] = has_column(c->place, write->dim[d]) ?
			box_index(c, write, d) :
			kx_int(c->mem, constant_index(c, write, d));
	return relative_cell(c->place, write->field,
		(int) c->m->ivalue + write->version, apart, 1);
}

/* Registers ------------------------------------------------------------- */

/* The register of a value in a tile.  The name is made of the field, the local
 * version and the constant part of each index, relative to the box (or the
 * origin), after its stride.
 */
static const char *register_name(const struct cursor *c,
	const struct access *acc)
{
	const struct field *field = acc->field;
	struct text t = { 0 };
	const char *name;

	text_printf(&t, "%s", value_stem(c->mem, c->place->unit->prog,
		field->name));
	if (field->kind == FIELD_STATE) {
		int64_t version = c->m->ivalue + acc->version;

		text_printf(&t, version < 0 ? "m%lld" : "%lld",
			(long long) (version < 0 ? -version : version));
	}
	for (int d = 0; d < field->n_dims; d++) {
		int64_t at = constant_index(c, acc, d);

		if (access_strides_along(acc, d))
			text_printf(&t, "_by%lld", (long long) acc->stride[d]);
		if (acc->divisor[d] != 1)
			text_printf(&t, "_of%lld", (long long) acc->divisor[d]);
		text_printf(&t, at < 0 ? "_m%lld" : "_%lld",
			(long long) (at < 0 ? -at : at));
	}
	name = fresh_name(c->mem, c->place->unit->prog, "%s", t.bytes);
	name = names_intern(c->gathered->registers, name, strlen(name));
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

const struct kx *global_value(const struct cursor *c,
	const struct access *acc)
{
	return cell_or_value(c, acc, cell_of_access(c, acc, false));
}

const struct kx *read_value(const struct cursor *c, const struct access *acc)
{
	const struct kx *cell = cell_of_access(c, acc,
		plan_holds(c->place->plan, acc));
	const char *reg;
	struct kx *x;

	if (!c->straight || c->place->plan->tiles.rolled)
		return cell_or_value(c, acc, cell);
	reg = register_name(c, acc);
	if (!is_declared(c->gathered, reg)) {
		note_declared(c->mem, c->gathered, reg);
		ks_add(c->mem, c->gathered->block, ks_declare(c->mem,
			ctype_const(scalar_of(acc->field->type)), reg, cell));
	}
	x = kx_name(c->mem, reg);
	x->type = acc->field->type;
	return x;
}

const char *written_register(const struct cursor *c)
{
	const char *reg = register_name(c, c->stmt->stmt->write);

	note_declared(c->mem, c->gathered, reg);
	return reg;
}

/* Declarations ---------------------------------------------------------- */

__isl_give isl_set *name_coordinates(const struct place *p,
	__isl_take isl_set *set, const char *const *dims)
{
	if (p->unit->prog->timed)
		return name_dims(set, dims);
	set = isl_set_fix_si(isl_set_reset_tuple_id(set), isl_dim_set, 0, 0);
	return name_dims(isl_set_project_out(set, isl_dim_set, 0, 1),
		dims + 1);
}

void declare_if_used(struct region *r, struct ks *block,
	const struct ks *user, const char *var, const struct kx *value)
{
	if (ks_uses(user, var))
		ks_add(r, block,
			ks_declare(r, ctype_const(CT_INT), var, value));
}

struct access copied(const struct cursor *c)
{
	struct access acc = *c->stmt->stmt->write;

	acc.version = 0;
	return acc;
}

void declare_locals(const struct cursor *c, const struct binding *binding,
	struct ks *block)
{
	for (const struct local *l = c->stmt->stmt->locals; l; l = l->next)
		ks_add(c->mem, block, ks_declare(c->mem,
			ctype_const(scalar_of(l->value->type)), l->name,
			kx_of_expr(binding, l->value)));
}

struct ks *with_coordinates(const struct cursor *c, struct ks *body)
{
	const struct place *p = c->place;
	const struct field *written = c->stmt->stmt->write->field;
	const struct box *box = &p->plan->box[written->index];
	struct ks *block = c->straight ? ks_scope(c->mem) : ks_block(c->mem);

	declare_if_used(c->mem, block, body, p->names->time, kx_binary(c->mem,
		OP_ADD, kx_name(c->mem, p->names->t0), c->m));
	for (int d = 0; d < p->plan->n_dims; d++)
		declare_if_used(c->mem, block, body, p->names->point[d],
			kx_binary(c->mem, OP_ADD,
				kx_name(c->mem, p->names->origin[d]),
				relative_point(c, d)));
	if (!c->straight) {
		for (int d = 0; d < p->plan->n_dims; d++)
			declare_if_used(c->mem, block, body,
				p->names->memory.inside[d], kx_add(c->mem,
					relative_point(c, d), -box->low[d]));
		for (int v = -1; v <= 1; v++)
			declare_if_used(c->mem, block, body,
				p->names->version[1 + v],
				shared_copy(c, written, v));
	}
	ks_add(c->mem, block, body);
	return block->n_children == 1 ? body : block;
}
