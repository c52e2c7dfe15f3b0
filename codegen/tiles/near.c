/* Global memory near the thread's own cell: by one pointer to that cell of each
 * copy, and strides.
 */
#include "codegen/tile.h"

/* Of cells that are copied by "words" at once. */
static const char *near_name(const struct builder *b,
	const struct field *field, int copy, int words)
{
	return fresh_name(b->mem, b->unit->prog, words > 1 ? "%s_wide%d" :
		"%s_copy%d", field->name, copy);
}

static const char *stride_name(const struct builder *b,
	const struct field *field, int d)
{
	return fresh_name(b->mem, b->unit->prog, "%s_d%s", field->name,
		b->names->point[d]);
}

const struct kx *near_cell(const struct builder *b, const struct field *field,
	int version, const struct kx *const *apart, int words)
{
	int copy = (int) floor_mod(version, buffers_of(b, field));
	const struct kx *offset = kx_int(b->mem, 0);
	struct kx *cell;

	for (int d = 0; d < field->n_dims; d++)
		offset = kx_binary(b->mem, OP_ADD, offset,
			d == field->n_dims - 1 ? apart[d] :
			kx_binary(b->mem, OP_MUL, apart[d],
				builder_name(b, stride_name(b, field, d))));
	cell = kx_of_kind(b->mem, KX_INDEX, near_name(b, field, copy, words), 1,
		&offset);
	cell->type = field->type;
	return cell;
}

/* Cells of a row of "field", with the padding. */
static const struct kx *row_cells(const struct builder *b,
	const struct field *field)
{
	struct binding binding = { .mem = b->mem, .prog = b->unit->prog };
	const struct kx *n = kx_of_expr(&binding,
		field->size[field->n_dims - 1]);
	int multiple = field_row_multiple(b->unit, field);

	n = kx_binary(b->mem, OP_DIV, kx_add(b->mem, n, multiple - 1),
		kx_int(b->mem, multiple));
	return kx_binary(b->mem, OP_MUL, n, kx_int(b->mem, multiple));
}

static void declare_strides(const struct builder *b, struct ks *block,
	const struct ks *user, const struct field *field)
{
	struct binding binding = { .mem = b->mem, .prog = b->unit->prog };
	const struct kx *stride = row_cells(b, field);
	bool used = vector_words(b) > 1;

	for (int d = 0; d < field->n_dims; d++)
		used = used || ks_uses(user, stride_name(b, field, d));
	for (int d = field->n_dims - 2; used && d >= 0; d--) {
		const char *name = stride_name(b, field, d);

		ks_add(b->mem, block, ks_declare(b->mem, ctype_const(CT_SIZE),
			name, stride));
		stride = kx_binary(b->mem, OP_MUL,
			kx_of_expr(&binding, field->size[d]),
			builder_name(b, name));
	}
}

/* The thread's coordinate in dimension "d" of "field", and how many there are; or
 * NULL.
 */
static const char *own_thread(const struct builder *b,
	const struct field *field, int d, int words, int *count)
{
	int i = field->n_dims - 1 - d, threads[IR_MAX_DIMS];

	if (words > 1) {
		vector_threads(b, threads);
		*count = threads[d];
		return vector_thread(b, d);
	}
	*count = i < 3 ? b->plan->threads[i] : 1;
	return *count > 1 ? b->names->lanes.thread[i] : NULL;
}

/* That coordinate, of a thread without a cell in the box that of one which has
 * one, as no address may lie outside of the field.
 */
static const struct kx *own_cell(const struct builder *b,
	const struct field *field, int d, int words)
{
	int extent = b->plan->box[field->index].extent[d], count;
	const char *thread = own_thread(b, field, d, words, &count);
	const struct kx *own;

	if (!thread)
		return NULL;
	own = builder_name(b, thread);
	if (d == field->n_dims - 1)
		count *= words;
	return count <= extent ? own : kx_min(b->mem, own,
		kx_int(b->mem, extent - 1));
}

/* The address of the thread's own cell in global memory, of local version
 * "version".  Rows that are loaded by vectors are added to the address.
 */
static const struct kx *own_address(const struct builder *b,
	const struct field *field, int version, int words)
{
	const struct box *box = &b->plan->box[field->index];
	const struct kx *at[IR_MAX_DIMS], *rows = kx_int(b->mem, 0);
	int last = field->n_dims - 1;

	for (int d = 0; d <= last; d++) {
		const struct kx *cell = own_cell(b, field, d, words);
		const struct kx *own = builder_name(b, b->names->origin[d]);

		if (cell && (words == 1 || d == last))
			own = kx_binary(b->mem, OP_ADD, own, cell);
		else if (cell)
			rows = kx_binary(b->mem, OP_ADD, rows, kx_binary(
				b->mem, OP_MUL, cell,
				builder_name(b, stride_name(b, field, d))));
		at[d] = kx_add(b->mem, own, box->low[d]);
	}
	return kx_binary(b->mem, OP_ADD, kx_address(b->mem, global_cell(b,
		field, global_copy(b, field, kx_int(b->mem, version), 0), at)),
		rows);
}

static void declare_pointers(const struct builder *b, struct ks *block,
	const struct ks *user, int words)
{
	const struct program *prog = b->unit->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (!plan_is_shared(b->plan, field))
			continue;
		for (int v = 0; v < buffers_of(b, field); v++) {
			const char *name = near_name(b, field, v, words);

			if (ks_uses(user, name))
				ks_add(b->mem, block, ks_declare(b->mem,
					ctype_fixed(scalar_of(field->type),
						!field_is_written(b, field)),
					name,
					own_address(b, field, v, words)));
		}
	}
}

bool is_near(const struct builder *b)
{
	return b->full && b->plan->steps.shared &&
		b->plan->tiles.hex_dim >= 0;
}

void declare_near(const struct builder *b, struct ks *block,
	const struct ks *user)
{
	int words = vector_words(b);

	for (int i = 0; i < b->unit->prog->n_fields; i++)
		if (plan_is_shared(b->plan, b->unit->prog->field[i]))
			declare_strides(b, block, user,
				b->unit->prog->field[i]);
	declare_pointers(b, block, user, 1);
	if (words == 1)
		return;
	declare_vectors(b, block, user);
	declare_pointers(b, block, user, words);
}
