/* Global memory near the thread's own cell: a pointer to that cell in each
 * copy, plus strides.
 */
#include "codegen/tile.h"

/* Cells copied "words" at a time. */
static const char *relative_name(const struct place *p,
	const struct field *field, int copy, int words)
{
	return fresh_name(p->mem, p->unit->prog, words > 1 ? "%s_wide%d" :
		"%s_copy%d", field->name, copy);
}

const struct kx *relative_cell(const struct place *p, const struct field *field,
	int version, const struct kx *const *apart, int words)
{
	int copy = (int) floor_mod(version, buffers_of(p, field));
	const struct kx *offset = kx_int(p->mem, 0);
	struct kx *cell;

	for (int d = 0; d < field->n_dims; d++)
		offset = kx_binary(p->mem, OP_ADD, offset,
			d == field->n_dims - 1 ? apart[d] :
			kx_binary(p->mem, OP_MUL, apart[d],
				kx_name(p->mem, stride_name(p, field, d))));
	cell = kx_of_kind(p->mem, KX_INDEX, relative_name(p, field, copy,
		words), 1, &offset);
	cell->type = field->type;
	return cell;
}

static void declare_strides_used(const struct place *p, struct ks *block,
	const struct ks *user, const struct field *field)
{
	bool used = vector_words(p) > 1;

	for (int d = 0; d < field->n_dims; d++)
		used = used || ks_uses(user, stride_name(p, field, d));
	if (used)
		declare_strides(p, block, field, 0, CT_SIZE);
}

/* The thread's coordinate in dimension "d" of "field", and the number of threads; or NULL. */
static const char *own_thread(const struct place *p,
	const struct field *field, int d, int words, int *count)
{
	int i = field->n_dims - 1 - d, threads[IR_MAX_DIMS];

	if (words > 1) {
		vector_threads(p, threads);
		*count = threads[d];
		return vector_thread(p, d);
	}
	*count = i < 3 ? p->plan->threads[i] : 1;
	return *count > 1 ? p->names->lanes.thread[i] : NULL;
}

/* That coordinate; a thread without a cell in the box takes that of a thread
 * with one, as no address may lie outside the field.
 */
static const struct kx *own_cell(const struct place *p,
	const struct field *field, int d, int words)
{
	int extent = p->plan->box[field->index].extent[d], count;
	const char *thread = own_thread(p, field, d, words, &count);
	const struct kx *own;

	if (!thread)
		return NULL;
	own = kx_name(p->mem, thread);
	if (d == field->n_dims - 1)
		count *= words;
	return count <= extent ? own : kx_min(p->mem, own,
		kx_int(p->mem, extent - 1));
}

/* The address of the thread's own cell in global memory, in local version
 * "version".  Rows loaded by vectors are added to the address.
 */
static const struct kx *own_address(const struct place *p,
	const struct field *field, int version, int words)
{
	const struct box *box = &p->plan->box[field->index];
	const struct kx *at[IR_MAX_DIMS], *rows = kx_int(p->mem, 0);
	int last = field->n_dims - 1;

	for (int d = 0; d <= last; d++) {
		const struct kx *cell = own_cell(p, field, d, words);
		const struct kx *own = kx_name(p->mem, p->names->origin[d]);

		if (cell && (words == 1 || d == last))
			own = kx_binary(p->mem, OP_ADD, own, cell);
		else if (cell)
			rows = kx_binary(p->mem, OP_ADD, rows, kx_binary(
				p->mem, OP_MUL, cell,
				kx_name(p->mem, stride_name(p, field, d))));
		at[d] = kx_add(p->mem, own, box->low[d]);
	}
	return kx_binary(p->mem, OP_ADD, kx_address(p->mem, global_cell(p,
		field, global_copy(p, field, kx_int(p->mem, version), 0), at)),
		rows);
}

static void declare_pointers(const struct place *p, struct ks *block,
	const struct ks *user, int words)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (!plan_is_shared(p->plan, field))
			continue;
		for (int v = 0; v < buffers_of(p, field); v++) {
			const char *name = relative_name(p, field, v, words);

			if (ks_uses(user, name))
				ks_add(p->mem, block, ks_declare(p->mem,
					ctype_fixed(scalar_of(field->type),
						!field_is_written(p, field)),
					name,
					own_address(p, field, v, words)));
		}
	}
}

bool is_relative(const struct cursor *c)
{
	return c->full && c->place->plan->opt.shared &&
		c->place->plan->tiles.hex_dim >= 0;
}

void declare_relative(const struct place *p, struct ks *block,
	const struct ks *user)
{
	int words = vector_words(p);

	for (int i = 0; i < p->unit->prog->n_fields; i++)
		if (plan_is_shared(p->plan, p->unit->prog->field[i]))
			declare_strides_used(p, block, user,
				p->unit->prog->field[i]);
	declare_pointers(p, block, user, 1);
	if (words == 1)
		return;
	declare_vectors(p, block, user);
	declare_pointers(p, block, user, words);
}
