/* Nearby cells of a field in global memory: statements that touch several reach them by one
 * pointer to a cell, plus distances.
 *
 *	const ptrdiff_t A_dj = K, A_di = M * A_dj;
 *	const float *const A_at = &A_AT(TT % 2, i, j, k);
 *	... A_at[A_di] + A_at[-A_dj] + A_at[1] ...
 *
 * A compiler does not find what these addresses have in common, as each is a product of 64-bit
 * sizes: of 174 instructions a cell of laplacian3d, 30 compute.
 */
#include <string.h>

#include "codegen/kernel.h"
#include "codegen/place.h"
#include "codegen/tree/rewrite.h"

/* The cells { base + offset } of a copy of a field that a list of statements touches. */
struct group {
	const struct field *field;
	const struct kx *copy;		/* NULL: there is one */
	const struct kx *base[IR_MAX_DIMS];
	int64_t at[IR_MAX_DIMS];	/* the offset of the cell that the
					 * pointer points to */
	int n_uses, first;		/* the statement that uses it first */
	bool is_found;			/* a cell at "at" is touched in any case */
	bool is_stored;
	const char *pointer;
	struct group *next;
};

struct near {
	const struct place *p;
	struct group *groups;		/* of the list at hand */
	int n_pointers[2];		/* pointers to load by, and to store by */
};

/* x = base + offset */
static int64_t offset_of(const struct kx *x, const struct kx **base)
{
	int64_t sum = 0;

	while (x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB) &&
	       x->arg[1]->kind == KX_INT) {
		sum += x->op == OP_ADD ? x->arg[1]->ivalue :
			-x->arg[1]->ivalue;
		x = x->arg[0];
	}
	*base = x;
	return sum;
}

/* Is it made of names and numbers only, without loads or conditions? */
static bool is_plain(const struct kx *x)
{
	bool plain = x->kind == KX_NAME || x->kind == KX_INT ||
		(x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB ||
			x->op == OP_MUL || x->op == OP_MOD));

	for (int i = 0; plain && i < x->n_args; i++)
		plain = is_plain(x->arg[i]);
	return plain;
}

/* Split "cell" into copy, base and offsets; false: it belongs to no group. */
static bool find_place(const struct kx *cell, struct group *g)
{
	int copies;

	if (cell->kind != KX_CELL || kx_is_element(cell) ||
	    cell->field->n_dims == 0)
		return false;
	copies = cell->n_args - cell->field->n_dims;
	*g = (struct group) { .field = cell->field,
		.copy = copies ? cell->arg[0] : NULL };
	for (int d = 0; d < g->field->n_dims; d++) {
		g->at[d] = offset_of(cell->arg[copies + d], &g->base[d]);
		if (!is_plain(g->base[d]))
			return false;
	}
	return !g->copy || is_plain(g->copy);
}

static bool is_group(const struct group *a, const struct group *b)
{
	bool same = a->field == b->field && (a->copy == b->copy ||
		(a->copy && b->copy && kx_same(a->copy, b->copy)));

	for (int d = 0; same && d < a->field->n_dims; d++)
		same = kx_same(a->base[d], b->base[d]);
	return same;
}

static struct group *group_of(const struct near *near, const struct group *g)
{
	struct group *known = near->groups;

	while (known && !is_group(known, g))
		known = known->next;
	return known;
}

/* Gathering --------------------------------------------------------------- */

static bool is_at_base(const struct group *g)
{
	for (int d = 0; d < g->field->n_dims; d++)
		if (g->at[d] != 0)
			return false;
	return true;
}

/* Point to the cell at the base, if it is used, else to the first one; but to one that is
 * touched in any case, as others may lie outside the grid.
 */
static void use_cell(struct near *near, const struct kx *cell, int statement,
	bool is_stored, bool in_any_case)
{
	struct group place, *g;

	if (!find_place(cell, &place))
		return;
	g = group_of(near, &place);
	if (!g) {
		struct group **last = &near->groups;

		while (*last)
			last = &(*last)->next;
		g = *last = region_new_of(near->p->mem, struct group);
		*g = place;
		g->first = statement;
	}
	if (in_any_case && (!g->is_found || is_at_base(&place))) {
		memcpy(g->at, place.at, sizeof(g->at));
		g->is_found = true;
	}
	g->n_uses++;
	g->is_stored |= is_stored;
}

/* Is operand "i" of "x" evaluated only where others say so? */
static bool is_conditional(const struct kx *x, int i)
{
	return i > 0 && (x->kind == KX_SELECT || (x->kind == KX_BINARY &&
		(x->op == OP_AND || x->op == OP_OR)));
}

static void use_cells(struct near *near, const struct kx *x, int statement,
	bool in_any_case)
{
	use_cell(near, x, statement, false, in_any_case);
	for (int i = 0; i < x->n_args; i++)
		use_cells(near, x->arg[i], statement, in_any_case &&
			!is_conditional(x, i));
}

static bool is_simple(const struct ks *s)
{
	return s->kind == KS_DECLARE || s->kind == KS_ASSIGN ||
		s->kind == KS_EXPRESSION;
}

static void gather(struct near *near, const struct ks *list)
{
	near->groups = NULL;
	for (int i = 0; i < list->n_children; i++) {
		const struct ks *s = list->child[i];
		bool stores = s->kind == KS_ASSIGN && s->x[0]->kind == KX_CELL;

		if (!is_simple(s))
			continue;
		if (stores)
			use_cell(near, s->x[0], i, true, true);
		for (int n = stores; n < s->n_x; n++)
			use_cells(near, s->x[n], i, true);
	}
}

/* Does "list" declare it at statement "from" or later, or change it at all? */
static bool name_changes(const struct ks *list, int from, const char *name)
{
	for (int i = from; i < list->n_children; i++)
		if (list->child[i]->kind == KS_DECLARE &&
		    !strcmp(list->child[i]->name, name))
			return true;
	return ks_assigns(list, name);
}

static bool changes(const struct ks *list, int from, const struct kx *x)
{
	bool changes_here = x->kind == KX_NAME && name_changes(list, from,
		x->name);

	for (int i = 0; !changes_here && i < x->n_args; i++)
		changes_here = changes(list, from, x->arg[i]);
	return changes_here;
}

static bool is_fixed(const struct ks *list, const struct group *g)
{
	bool fixed = !g->copy || !changes(list, g->first, g->copy);

	for (int d = 0; fixed && d < g->field->n_dims; d++)
		fixed = !changes(list, g->first, g->base[d]);
	return fixed;
}

/* A_at, A_to, A_at2, .. */
static const char *pointer_name(struct near *near, const struct group *g)
{
	struct region *r = near->p->mem;
	const char *what = g->is_stored ? "to" : "at";
	int n = ++near->n_pointers[g->is_stored];

	if (n > 1)
		what = region_printf(r, "%s%d", what, n);
	return fresh_name(r, near->p->unit->prog, "%s_%s", g->field->name, what);
}

/* Keep and name the groups that are worth a pointer. */
static void name_pointers(struct near *near, const struct ks *list)
{
	struct group **g = &near->groups;

	while (*g)
		if ((*g)->n_uses < 2 || !(*g)->is_found ||
		    !is_fixed(list, *g)) {
			*g = (*g)->next;
		} else {
			(*g)->pointer = pointer_name(near, *g);
			g = &(*g)->next;
		}
}

/* Rewriting --------------------------------------------------------------- */

/* sum + n * distance, the distance of rows or planes "d"; NULL is 0 */
static const struct kx *add_distances(const struct near *near,
	const struct kx *sum, const struct field *f, int d, int64_t n)
{
	struct region *r = near->p->mem;
	const struct kx *one, *all;

	if (n == 0)
		return sum;
	if (d == f->n_dims - 1)
		return sum ? kx_add(r, sum, n) : kx_int(r, n);
	one = kx_name(r, stride_name(near->p, f, d));
	all = kx_binary(r, OP_MUL, kx_int(r, n < 0 ? -n : n), one);
	if (!sum)
		return n < 0 ? kx_unary(r, OP_NEG, all) : all;
	return kx_binary(r, n < 0 ? OP_SUB : OP_ADD, sum, all);
}

/* pointer[distance from the cell it points to] */
static const struct kx *by_pointer(const struct near *near,
	const struct group *g, const struct group *place,
	const struct kx *cell)
{
	const struct kx *sum = NULL;
	struct kx *x;

	for (int d = 0; d < g->field->n_dims; d++)
		sum = add_distances(near, sum, g->field, d, place->at[d] -
			g->at[d]);
	if (!sum)
		sum = kx_int(near->p->mem, 0);
	x = kx_of_kind(near->p->mem, KX_INDEX, g->pointer, 1, &sum);
	x->type = cell->type;
	x->of = cell->of;
	return x;
}

static const struct kx *rewrite(const void *user, const struct kx *x)
{
	const struct near *near = user;
	struct group place, *g;

	g = find_place(x, &place) ? group_of(near, &place) : NULL;
	return g ? by_pointer(near, g, &place, x) :
		kx_with_operands(near->p->mem, x, rewrite, near);
}

static const struct kx *address_of(const struct near *near,
	const struct group *g)
{
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < g->field->n_dims; d++)
		at[d] = kx_add(near->p->mem, g->base[d], g->at[d]);
	return kx_address(near->p->mem, global_cell(near->p, g->field, g->copy,
		at));
}

static void declare_pointers(const struct near *near, struct ks *list,
	int statement)
{
	for (const struct group *g = near->groups; g; g = g->next)
		if (g->first == statement)
			ks_add(near->p->mem, list, ks_declare(near->p->mem,
				ctype_fixed(scalar_of(g->field->type),
					!g->is_stored), g->pointer,
				address_of(near, g)));
}

/* The statements of "list", with pointers. */
static void use_pointers(const struct near *near, struct ks *list)
{
	struct ks *all = ks_block(near->p->mem);

	for (int i = 0; i < list->n_children; i++) {
		struct ks *s = list->child[i];

		declare_pointers(near, all, i);
		for (int n = 0; is_simple(s) && n < s->n_x; n++)
			s->x[n] = rewrite(near, s->x[n]);
		ks_add(near->p->mem, all, s);
	}
	list->child = all->child;
	list->n_children = all->n_children;
	list->capacity = all->capacity;
}

static void rewrite_lists(struct near *near, struct ks *s)
{
	bool has_bodies = s->kind == KS_FOR || s->kind == KS_IF;

	for (int i = 0; i < s->n_children; i++) {
		struct ks *body = s->child[i];

		if (!body)
			continue;
		if (has_bodies && is_simple(body)) {
			struct ks *list = ks_scope(near->p->mem);

			ks_add(near->p->mem, list, body);
			rewrite_lists(near, list);
			if (list->n_children > 1)
				s->child[i] = list;
		} else {
			rewrite_lists(near, body);
		}
	}
	if (s->kind != KS_BLOCK)
		return;
	gather(near, s);
	name_pointers(near, s);
	if (near->groups)
		use_pointers(near, s);
}

/* Declare the distances of "f" that "user" uses. */
static void declare_distances(const struct near *near, struct ks *block,
	const struct ks *user, const struct field *f)
{
	int first = 0;

	while (first < f->n_dims - 1 && !ks_uses(user, stride_name(near->p, f,
	       first)))
		first++;
	declare_strides(near->p, block, f, first, CT_DISTANCE);
}

void reach_near_cells(const struct place *p, struct kfunc *f)
{
	struct near near = { .p = p };
	struct ks *block = ks_block(p->mem);

	rewrite_lists(&near, f->body);
	for (int i = 0; i < p->unit->prog->n_fields; i++)
		declare_distances(&near, block, f->body,
			p->unit->prog->field[i]);
	if (!block->n_children)
		return;
	ks_add(p->mem, block, f->body);
	f->body = block;
}
