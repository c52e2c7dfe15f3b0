/* Mistakes of what code stores that computes instances one by one: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"

/* Statements for which "is" holds: *count of them are left out, then "s" is found. */
static struct ks *find_statement(struct ks *s, bool (*is)(const struct ks *s),
	int *count)
{
	struct ks *found = is(s) && (*count)-- == 0 ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = find_statement(s->child[i], is, count);
	return found;
}

struct ks *statement_where(struct ks *s, bool (*is)(const struct ks *s),
	int number)
{
	struct ks *found = s ? find_statement(s, is, &number) : NULL;

	if (!found)
		exit(99);
	return found;
}

bool is_cell_stored(const struct kx *x)
{
	return x->field || (x->kind == KX_INDEX && x->n_args == 1 &&
		strstr(x->name, "_to"));
}

/* Stores to what "is" names, as they come: *count of them are left out. */
static struct ks *find_store(struct ks *s, int *count,
	bool (*is)(const struct kx *to))
{
	struct ks *found = s->kind == KS_ASSIGN && is(s->x[0]) &&
		(*count)-- == 0 ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = find_store(s->child[i], count, is);
	return found;
}

struct ks *store_where(struct kfunc *f, int number,
	bool (*is)(const struct kx *to))
{
	struct ks *found = find_store(f->body, &number, is);

	if (!found)
		exit(99);
	return found;
}

static struct ks *store(struct kfunc *f, int number)
{
	return store_where(f, number, is_cell_stored);
}

/* The first in what is stored first, then next, ..  */
static struct kx *first_stored(struct kfunc *f, bool (*is)(const struct kx *x))
{
	struct kx *found = NULL;

	for (int i = 0; !found; i++)
		found = find_in(store(f, i)->x[1], is);
	return found;
}

static bool is_cell(const struct kx *x)
{
	return x->kind == KX_CELL || (x->kind == KX_INDEX && x->field);
}

static bool is_sum(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_ADD && x->type != TYPE_INT;
}

static bool is_and_of_bits(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_BIT_AND;
}

static bool is_left_shift(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_SHIFT_LEFT;
}

static bool is_rounded(const struct kx *x)
{
	return x->kind == KX_CAST && ctype_is(x->c_type, CT_HALF);
}

static bool is_factor(const struct kx *x)
{
	return x->kind == KX_REAL;
}

static bool is_at_edge(const struct kx *x)
{
	return x->kind == KX_BUILTIN && x->builtin >= B_STAND_IN &&
		x->builtin < B_ANY_STAND_IN;
}

static bool is_choice(const struct kx *x)
{
	return x->kind == KX_SELECT;
}

/* A cell that nothing computes. */
static bool keeps(const struct ks *s)
{
	return is_cell(s->x[1]);
}

static struct ks *first_kept(struct kfunc *f)
{
	int i = 0;

	while (!keeps(store(f, i)))
		i++;
	return store(f, i);
}

static void move_index(struct region *mem, struct kx *cell, int i, int64_t by)
{
	cell->arg[i] = kx_add(mem, cell->arg[i], by);
}

/* The copy (t + version) % n of "cell" is another one. */
static void take_next_copy(struct region *mem, struct kx *cell)
{
	struct kx *copy = (struct kx *) cell->arg[0];

	if (copy->op != OP_MOD)
		exit(99);
	copy->arg[0] = kx_add(mem, copy->arg[0], 1);
}

/* The loop over what lies in the tile, or the row. */
static struct ks *loop_over(struct ks *s, const char *name)
{
	struct ks *found = s->kind == KS_FOR && !strcmp(s->name, name) ? s :
		NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = loop_over(s->child[i], name);
	return found;
}

static void change_loops(struct region *mem, struct kfunc *f)
{
	if (is_planted("tile-reaches-into-the-next")) {
		struct ks *rows = loop_over(f->body, "s0");
		struct kx *end = (struct kx *) rows->x[1];

		end->arg[1] = kx_add(mem, end->arg[1], 1);
	}
}

static struct ks *first_declared(struct ks *s, bool (*is)(const struct ks *s))
{
	struct ks *found = s->kind == KS_DECLARE && is(s) ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = first_declared(s->child[i], is);
	return found;
}

static bool is_pointer(const struct ks *s)
{
	return s->x[0]->kind == KX_ADDRESS && s->x[0]->arg[0]->kind == KX_CELL;
}

static bool is_product_of_distances(const struct ks *s)
{
	return s->c_type.scalar == CT_DISTANCE && s->x[0]->kind == KX_BINARY;
}

static bool is_near_cell(const struct kx *x)
{
	return x->kind == KX_INDEX && x->n_args == 1 && !x->field;
}

/* The cell that the first pointer to cells near each other is to. */
static struct kx *cell_pointed_to(struct kfunc *f)
{
	return (struct kx *) first_declared(f->body, is_pointer)->x[0]->arg[0];
}

static void change_near_cells(struct region *mem, struct kfunc *f)
{
	if (is_planted("near-cell-beside"))
		move_index(mem, first_stored(f, is_near_cell), 0, 1);
	if (is_planted("another-distance")) {
		struct kx *x = (struct kx *) first_declared(f->body,
			is_product_of_distances)->x[0];

		x->arg[0] = kx_add(mem, x->arg[0], 1);
	}
}

static void change_reads(struct region *mem, struct kfunc *f)
{
	struct kx *x;
	int i;

	change_near_cells(mem, f);
	if (is_planted("reads-beside")) {
		x = cell_pointed_to(f);
		move_index(mem, x, x->n_args - 1, 1);
	}
	if (is_planted("reads-another-version"))
		take_next_copy(mem, cell_pointed_to(f));
	if (is_planted("another-edge")) {
		x = first_stored(f, is_at_edge);
		move_index(mem, x, 0, 1);
	}
	if (is_planted("edge-asked-for-elsewhere")) {
		x = (struct kx *) first_stored(f, is_choice)->arg[0];
		move_index(mem, x, 0, -1);
	}
	if (is_planted("keeps-another-cell")) {
		x = (struct kx *) first_kept(f)->x[1];
		i = x->n_args - 1;
		x->arg[i] = kx_max(mem, kx_add(mem, x->arg[i], -1),
			kx_int(mem, 0));
	}
}

void change_stores(struct region *mem, struct kfunc *f)
{
	struct kx *x;

	change_loops(mem, f);
	change_reads(mem, f);
	if (is_planted("another-operation"))
		first_stored(f, is_sum)->op = OP_SUB;
	if (is_planted("another-factor")) {
		x = first_stored(f, is_factor);
		x->rvalue *= 2;
		x->name = NULL;
	}
	if (is_planted("other-bits"))
		first_stored(f, is_and_of_bits)->op = OP_BIT_OR;
	if (is_planted("shifts-the-other-way"))
		first_stored(f, is_left_shift)->op = OP_SHIFT_RIGHT;
	if (is_planted("rounds-to-the-other-half")) {
		x = first_stored(f, is_rounded);
		x->arg[0] = kx_promoted(mem, kx_stored(mem, TYPE_BFLOAT,
			x->arg[0]));
	}
	if (is_planted("stores-the-row-before"))
		store(f, 1)->x[1] = store(f, 0)->x[1];
}
