/* Mistakes of functions for rows of tiles as C, and of the calls of them: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"

static bool is_cell(const struct kx *x)
{
	return x->kind == KX_INDEX;
}

static struct ks *store(struct kfunc *f, int number)
{
	return store_where(f, number, is_cell);
}

static bool is_choice(const struct kx *x)
{
	return x->kind == KX_SELECT;
}

static bool is_before(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_SUB && kx_is_int(x->arg[1],
		1);
}

static bool is_at_edge(const struct kx *x)
{
	return x->kind == KX_BUILTIN && x->builtin >= B_STAND_IN &&
		x->builtin < B_ANY_STAND_IN;
}

/* The first such part of what is stored first, then next, .. */
static struct kx *first_stored(struct kfunc *f, bool (*is)(const struct kx *x))
{
	struct kx *found = NULL;

	for (int i = 0; !found; i++)
		found = find_in(store(f, i)->x[1], is);
	return found;
}

static void exchange_values(struct ks *a, struct ks *b)
{
	const struct kx *value = a->x[1];

	a->x[1] = b->x[1];
	b->x[1] = value;
}

static struct ks *last_loop(struct ks *s)
{
	struct ks *found = s->kind == KS_FOR ? s : NULL;

	for (int i = 0; i < s->n_children; i++) {
		struct ks *inner = last_loop(s->child[i]);

		found = inner ? inner : found;
	}
	return found;
}

/* The "number"-th assignment that adds to a variable, of those not yet counted. */
static struct ks *addition(struct ks *s, int *number)
{
	struct ks *found = s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
		kx_uses(s->x[1], s->x[0]->name) && (*number)-- == 0 ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = addition(s->child[i], number);
	return found;
}

static struct ks *find_addition(struct kfunc *f, int number)
{
	return addition(f->body, &number);
}

static void change_sums(struct kfunc *f)
{
	if (is_planted("sums-of-rows-exchanged"))
		exchange_values(find_addition(f, 0), find_addition(f, 1));
	if (is_planted("sum-without-its-beginning"))
		find_addition(f, 0)->x[0] = find_addition(f, 1)->x[0];
}

static void change_function(struct region *mem, struct kfunc *f)
{
	struct kx *x;

	change_sums(f);

	if (is_planted("edge-takes-the-first-part")) {
		x = first_stored(f, is_choice);
		*x = *x->arg[2];
	}
	if (is_planted("row-reads-the-new-version"))
		first_stored(f, is_cell)->name = store(f, 0)->x[0]->name;
	if (is_planted("row-reads-the-other-side"))
		first_stored(f, is_before)->op = OP_ADD;
	if (is_planted("row-of-another-statement"))
		exchange_values(store(f, 0), store(f, 1));
	if (is_planted("row-beside-a-mirror-is-clamped")) {
		x = first_stored(f, is_at_edge);
		*x = *kx_max(mem, x->arg[0], kx_int(mem, 0));
	}
	if (is_planted("row-stored-to-the-old-version"))
		((struct kx *) store(f, 0)->x[0])->name = first_stored(f,
			is_cell)->name;
	if (is_planted("row-without-its-last-cell")) {
		struct kx *c = (struct kx *) last_loop(f->body)->x[1];

		c->op = OP_LT;
	}
	if (is_planted("row-stored-one-further")) {
		struct kx *to = (struct kx *) store(f, 0)->x[0];

		to->arg[0] = kx_add(mem, to->arg[0], 1);
	}
}

/* The last call of a function for rows in a tile. */
static struct kx *call_of_rows(const struct ks *s)
{
	struct kx *found = s->kind == KS_EXPRESSION && s->x[0]->kind ==
		KX_CALL && strstr(s->x[0]->name, "_rows") ?
		(struct kx *) s->x[0] : NULL;

	for (int i = 0; i < s->n_children; i++) {
		struct kx *inner = call_of_rows(s->child[i]);

		found = inner ? inner : found;
	}
	return found;
}

/* Its argument for the parameter whose name ends so. */
static const struct kx **argument(const struct kunit *unit, struct kx *call,
	const char *end)
{
	const struct kfunc *f = unit_function(unit, call->name);

	for (int i = 0; i < f->n_params; i++) {
		const char *name = f->param[i].name;
		size_t n = strlen(name), m = strlen(end);

		if (n >= m && !strcmp(name + n - m, end))
			return &call->arg[i];
	}
	exit(99);
}

static void change_call(const struct kunit *unit, const struct kfunc *tile)
{
	struct kx *call = call_of_rows(tile->body);
	const struct kx **to, **from, *x;

	if (is_planted("tile-exchanges-copies")) {
		to = argument(unit, call, "_new");
		from = argument(unit, call, "_old");
		x = *to;
		*to = *from;
		*from = x;
	}
	if (is_planted("box-without-its-last-row")) {
		to = argument(unit, call, "i_high");
		*to = kx_add(unit->mem, *to, -1);
	}
	if (is_planted("box-without-its-first-row")) {
		to = argument(unit, call, "i_low");
		*to = kx_add(unit->mem, *to, 1);
	}
}

void change_rows(const struct kunit *unit)
{
	const char *rows = region_printf(unit->mem, "%s_run_rows",
		unit->prog->name);
	const char *tile = region_printf(unit->mem, "%s_run_tile",
		unit->prog->name);
	bool is_first = true;

	for (struct kfunc *f = unit->first; f; f = f->next) {
		if (is_first && !strncmp(f->name, rows, strlen(rows))) {
			change_function(unit->mem, f);
			is_first = false;
		}
		if (!strcmp(f->name, tile) && call_of_rows(f->body))
			change_call(unit, f);
	}
}
