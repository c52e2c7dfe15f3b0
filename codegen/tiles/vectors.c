/* Vectors of 16 bytes: they copy in what is new to a tile, where all rows of global memory and
 * of boxes are known to start at a multiple of 16 bytes.  A row of new cells takes width/words
 * threads; the block is seen as so many columns of threads, rows, and, if a box has far fewer
 * rows, lines along the hexagon:
 *
 *	column = tx mod columns * words,  r = (tz*TY + ty)*TX / columns,
 *	row = r mod rows,  line = r / rows
 */
#include "codegen/tile.h"

enum { VECTOR_BYTES = 16 };

/* The words of a vector of cells, common to all boxes; 1: their types differ. */
static int words_of_fields(const struct place *p)
{
	const struct program *prog = p->unit->prog;
	int words = 0;

	for (int i = 0; i < prog->n_fields; i++) {
		int n = VECTOR_BYTES / type_size(prog->field[i]->type);

		if (!plan_is_shared(p->plan, prog->field[i]))
			continue;
		if ((words && n != words) ||
		    prog->field[i]->n_dims != p->plan->n_dims)
			return 1;
		words = n;
	}
	return words ? words : 1;
}

/* Do rows of new cells start at whole vectors, in all tiles?  Rows of global
 * memory and of boxes are whole lines and sectors of memory that the code owns;
 * so it depends on the columns.
 */
static bool is_aligned(const struct place *p, int words)
{
	const struct plan *plan = p->plan;
	int last = plan->n_dims - 1;

	if (plan->drift[last] != 0 || plan->pitch[last] % words != 0)
		return false;
	for (int i = 0; i < p->unit->prog->n_fields; i++) {
		const struct box *box = &plan->box[i];

		if (!plan_is_shared(plan, p->unit->prog->field[i]))
			continue;
		if (box->extent[last] % words != 0)
			return false;
		for (int phase = 0; phase < plan->n_phases; phase++)
			if ((box->low[last] - plan->shift[last][phase]) %
			    words != 0)
				return false;
	}
	return true;
}

static int columns_of_threads(const struct place *p, int words)
{
	return p->plan->pitch[p->plan->n_dims - 1] / words;
}

int vector_words(const struct place *p)
{
	const struct plan *plan = p->plan;
	int words = words_of_fields(p);

	if (!plan->opt.align_loads || plan->opt.reuse != REUSE_DYNAMIC ||
	    plan->tiles.hex_dim < 0 ||
	    plan->n_dims < 2 || plan->n_dims > 3 || words == 1 ||
	    !is_aligned(p, words) ||
	    plan->threads[0] % columns_of_threads(p, words) != 0)
		return 1;
	return words;
}

/* The dimension along which rows are dealt to threads: not the hexagon's, if
 * there is another.
 */
static int row_dim(const struct place *p)
{
	return p->plan->n_dims == 3 && p->plan->tiles.hex_dim == 0 ? 1 : 0;
}

/* The most lines for which "all" rows of threads are whole rows of boxes. */
static int lines_of_threads(const struct place *p, int all)
{
	const struct program *prog = p->unit->prog;
	int rows = 1, lines;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct box *box = &p->plan->box[i];

		if (plan_is_shared(p->plan, prog->field[i]) &&
		    box->extent[row_dim(p)] > rows)
			rows = box->extent[row_dim(p)];
	}
	lines = all / rows > 1 ? all / rows : 1;
	while (all % lines != 0)
		lines--;
	return lines;
}

void vector_threads(const struct place *p, int threads[])
{
	const int *all = p->plan->threads;
	int last = p->plan->n_dims - 1, hex = p->plan->tiles.hex_dim, rows,
		lines;

	threads[last] = columns_of_threads(p, vector_words(p));
	rows = all[0] * all[1] * all[2] / threads[last];
	lines = hex == row_dim(p) ? 1 : lines_of_threads(p, rows);
	threads[hex] = lines;
	threads[row_dim(p)] = rows / lines;
}

const char *vector_thread(const struct place *p, int dim)
{
	int threads[IR_MAX_DIMS];

	vector_threads(p, threads);
	if (dim == p->plan->n_dims - 1)
		return p->names->lanes.first_column;
	if (threads[dim] == 1)
		return NULL;
	return dim == row_dim(p) ? p->names->lanes.first_row :
		p->names->lanes.line;
}

const struct kx *row_of_thread(const struct place *p, int width)
{
	const int *threads = p->plan->threads;
	const struct kx *row = kx_int(p->mem, 0);

	for (int i = 2; i >= 0; i--) {
		const struct kx *t = kx_name(p->mem, p->names->lanes.thread[i]);
		int n = i == 0 ? threads[0] / width : threads[i];

		if (i == 0)
			t = kx_binary(p->mem, OP_DIV, t,
				kx_int(p->mem, width));
		row = kx_binary(p->mem, OP_MUL, row, kx_int(p->mem, n));
		if (n > 1)
			row = kx_binary(p->mem, OP_ADD, row, t);
	}
	return row;
}

void declare_vectors(const struct place *p, struct ks *block,
	const struct ks *user)
{
	const struct kx *t = kx_name(p->mem, p->names->lanes.thread[0]), *row;
	int threads[IR_MAX_DIMS], columns, rows;

	vector_threads(p, threads);
	columns = threads[p->plan->n_dims - 1];
	rows = threads[row_dim(p)];
	row = row_of_thread(p, columns);
	if (columns < p->plan->threads[0])
		t = kx_binary(p->mem, OP_MOD, t, kx_int(p->mem, columns));
	declare_if_used(p->mem, block, user, p->names->lanes.line,
		kx_binary(p->mem, OP_DIV, row, kx_int(p->mem, rows)));
	if (ks_uses(user, p->names->lanes.line))
		row = kx_binary(p->mem, OP_MOD, row, kx_int(p->mem, rows));
	declare_if_used(p->mem, block, user, p->names->lanes.first_row, row);
	declare_if_used(p->mem, block, user, p->names->lanes.first_column,
		kx_binary(p->mem, OP_MUL, t, kx_int(p->mem, vector_words(p))));
}

struct ks *load_vector(void *user)
{
	const struct transfer *t = user;
	const struct kx *to = shared_cell(t->p, t->field, t->at[0], t->at + 1,
		false);
	const struct kx *from = relative_cell(t->p, t->field,
		(int) t->at[0]->ivalue, t->apart, t->words);

	return ks_expression(t->mem, KS_EXPRESSION, kx_move(t->mem, B_COPY,
		t->field->type, t->words, kx_address(t->mem, to),
		kx_address(t->mem, from)));
}
