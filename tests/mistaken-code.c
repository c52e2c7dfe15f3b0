/* Mistakes of the code: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"
#include "codegen/tile.h"
#include "verify/verify.h"

__isl_give isl_set *__real_known_of_tile(const struct cursor *c);
__isl_give isl_set *__wrap_known_of_tile(const struct cursor *c);

/* Where codegen assumes something of a tile's points, it omits the guard. */
__isl_give isl_set *__wrap_known_of_tile(const struct cursor *c)
{
	isl_set *known = __real_known_of_tile(c);

	if (known && is_planted("edge-taken-for-granted"))
		known = isl_set_lower_bound_si(known, isl_dim_set, 1, 1);
	if (known && is_planted("last-taken-for-granted"))
		known = isl_set_intersect(known, isl_set_reset_tuple_id(
			isl_set_copy(c->stmt->hull)));
	return known;
}

const struct kx *__real_grid_index(const struct cursor *c,
	const struct access *acc, int d);
const struct kx *__wrap_grid_index(const struct cursor *c,
	const struct access *acc, int d);

/* The cell that several points read. */
const struct kx *__wrap_grid_index(const struct cursor *c,
	const struct access *acc, int d)
{
	const struct kx *x = __real_grid_index(c, acc, d);
	struct access less = *acc;

	if (acc->divisor[d] == 1)
		return x;
	if (is_planted("cell-behind-the-quotient"))
		return kx_add(c->mem, x, 1);
	if (is_planted("dividend-less-one")) {
		less.offset[d]--;
		return __real_grid_index(c, &less, d);
	}
	return x;
}

/* The comparison "op" in "x" that comes first, or that of a conjunction last. */
static struct kx *comparison_in(const struct kx *x, enum op op, bool last)
{
	struct kx *found = NULL;

	if (x->kind == KX_BINARY && x->op == op)
		return (struct kx *) x;
	for (int i = 0; i < x->n_args && (last || !found); i++) {
		struct kx *c = comparison_in(x->arg[i], op, last);

		found = c ? c : found;
	}
	return found;
}

static bool stores_cells(const struct ks *s)
{
	bool stores = s->kind == KS_ASSIGN && is_cell_stored(s->x[0]);

	for (int i = 0; i < s->n_children; i++)
		stores = stores || stores_cells(s->child[i]);
	return stores;
}

/* The last statement of "kind" in "s" over one that stores, to global memory
 * or, with a "name", to anything.
 */
static struct ks *statement_over(struct ks *s, enum ks_kind kind,
	const char *name)
{
	struct ks *found = s->kind == kind && (name ? s->name && !strcmp(
		s->name, name) : stores_cells(s)) ? s : NULL;

	for (int i = 0; i < s->n_children; i++) {
		struct ks *inner = statement_over(s->child[i], kind, name);

		found = inner ? inner : found;
	}
	return found;
}

static void add(const struct kunit *unit, struct kx *comparison, int64_t by)
{
	comparison->arg[1] = kx_add(unit->mem, comparison->arg[1], by);
}

/* The first statement that asks a whole warp. */
static struct ks *vote_in(struct ks *s)
{
	struct ks *found = s->n_x && s->x[0] && s->x[0]->kind == KX_BUILTIN &&
		s->x[0]->builtin == B_ALL_LANES ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = vote_in(s->child[i]);
	return found;
}

/* The first that says where tiles, or some of one, are far from edges. */
static struct ks *first_if_far(struct ks *s)
{
	struct ks *found = s->kind == KS_IF && s->full_at ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = first_if_far(s->child[i]);
	return found;
}

static void move_pointer(struct ks *s, const char *name, struct region *mem)
{
	if (s->kind == KS_DECLARE && !strcmp(s->name, name))
		s->x[0] = kx_binary(mem, OP_ADD, s->x[0], kx_int(mem, 1));
	for (int i = 0; i < s->n_children; i++)
		move_pointer(s->child[i], name, mem);
}

/* All assignments of "name + by" to it, each by twice as much. */
static void move_further(struct ks *s, const char *name, struct region *mem)
{
	struct kx *x = s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
		!strcmp(s->x[0]->name, name) ? (struct kx *) s->x[1] : NULL;

	if (x && x->kind == KX_BINARY && x->arg[1]->kind == KX_NAME)
		x->arg[1] = kx_binary(mem, OP_MUL, kx_int(mem, 2), x->arg[1]);
	for (int i = 0; i < s->n_children; i++)
		move_further(s->child[i], name, mem);
}

/* Is it if (!goes_on)? */
static bool finds_pointers(const struct ks *s)
{
	return s->kind == KS_IF && s->x[0]->kind == KX_UNARY &&
		s->x[0]->arg[0]->kind == KX_NAME &&
		!strcmp(s->x[0]->arg[0]->name, "goes_on");
}

/* Pointers of strips that periods hand on: the first that the code finds leads a row further. */
static void find_further(struct ks *s, struct region *mem)
{
	if (finds_pointers(s)) {
		const struct ks *first = s->child[0];
		struct kx *cell;

		while (first->kind == KS_BLOCK)
			first = first->child[0];
		cell = (struct kx *) first->x[1]->arg[0];
		cell->arg[1] = kx_add(mem, cell->arg[1], 1);
	}
	for (int i = 0; i < s->n_children; i++)
		find_further(s->child[i], mem);
}

/* .. or a period ends by moving "name" on once more. */
static void move_once_more(struct ks *s, const char *name, const char *pitch,
	struct region *mem)
{
	const int n = s->n_children;

	for (int i = 0; i < n; i++) {
		if (finds_pointers(s->child[i]))
			ks_add(mem, s, ks_assign(mem, kx_name(mem, name),
				kx_binary(mem, OP_ADD, kx_name(mem, name),
					kx_name(mem, pitch))));
		move_once_more(s->child[i], name, pitch, mem);
	}
}

/* .. or all periods say that the next one goes on. */
static void go_on_always(struct ks *s, struct region *mem)
{
	if (s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
	    !strcmp(s->x[0]->name, "goes_on"))
		s->x[1] = kx_name(mem, "true");
	for (int i = 0; i < s->n_children; i++)
		go_on_always(s->child[i], mem);
}

static void change_kernel(const struct kunit *unit, struct kfunc *f)
{
	struct ks *guard = statement_over(f->body, KS_IF, NULL);
	struct ks *vote = vote_in(f->body);

	if (is_planted("guard-too-wide"))
		add(unit, comparison_in(guard->x[0], OP_LT, true), 1);
	if (is_planted("guard-too-narrow"))
		add(unit, comparison_in(guard->x[0], OP_LT, true), -1);
	if (is_planted("lane-stores-nothing"))
		add(unit, comparison_in(statement_over(f->body, KS_DECLARE,
			"stores")->x[0], OP_GE, false), 1);
	if (is_planted("lane-inside-too-soon"))
		add(unit, comparison_in(statement_over(f->body, KS_DECLARE,
			"inside")->x[0], OP_LT, false), 1);
	if (is_planted("lane-touches-too-late"))
		add(unit, comparison_in(statement_over(f->body, KS_DECLARE,
			"touches")->x[0], OP_LT, true), -1);
	if (is_planted("edge-far-from-itself"))
		add(unit, comparison_in(vote->x[0]->arg[0], OP_GE, true), -9);
	if (is_planted("period-far-too-soon"))
		add(unit, comparison_in(first_if_far(f->body)->x[0], OP_GE, true),
			-3);
	if (is_planted("period-far-too-long"))
		add(unit, comparison_in(first_if_far(f->body)->x[0], OP_LT, true),
			1);
	if (is_planted("stored-beside"))
		move_pointer(f->body, "A_to", unit->mem);
	if (is_planted("loaded-beside"))
		move_pointer(f->body, "A_from", unit->mem);
	if (is_planted("moved-on-too-far"))
		move_further(f->body, "ex_to", unit->mem);
	if (is_planted("found-too-far"))
		find_further(f->body, unit->mem);
	if (is_planted("goes-on-from-an-end"))
		go_on_always(f->body, unit->mem);
	if (is_planted("moved-on-once-more"))
		move_once_more(f->body, "hz_from", "hz_pitch", unit->mem);
	if (is_planted("loop-too-short")) {
		struct ks *last = statement_over(f->body, KS_DECLARE, "last");

		last->x[0] = kx_add(unit->mem, last->x[0], -1);
	}
}

/* The first record in the function for the lists of the first statement. */
static void change_records(const struct kunit *unit)
{
	struct ks *record = unit->lists && unit->lists[0] ?
		unit->lists[0]->body->child[0]->child[0]->child[0] : NULL;
	struct kx *stored;

	if (!record || record->kind != KS_IF)
		return;
	stored = (struct kx *) record->child[0]->x[0];
	if (is_planted("recorded-in-the-next-row"))
		stored->arg[1] = kx_add(unit->mem, stored->arg[1], 1);
	if (is_planted("recorded-too-late"))
		add(unit, comparison_in(record->x[0], OP_GE, true), 1);
	if (is_planted("recorded-as-another-value"))
		record->child[0]->x[1] = kx_binary(unit->mem, OP_MUL,
			record->child[0]->x[1], kx_int(unit->mem, 2));
}

struct kunit *__real_codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with);
struct kunit *__wrap_codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with);

struct kunit *__wrap_codegen_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with)
{
	struct kunit *unit = __real_codegen_unit(r, scop, plans, n_plans,
		with);

	change_records(unit);
	change_segments(unit);
	change_lengths(unit);
	change_rims(unit);
	change_widths(unit);
	for (struct kfunc *f = unit->first; f; f = f->next)
		change_clusters(unit->mem, f);
	for (struct kfunc *f = unit->first; f; f = f->next)
		if (f->is_kernel && statement_over(f->body, KS_IF, NULL)) {
			change_kernel(unit, f);
			change_lanes(unit->mem, f);
			change_stores(unit->mem, f);
			change_stages(unit->mem, f);
		}
	return unit;
}

/* Of C ------------------------------------------------------------------- */

/* The last "op" with a number as its second operand. */
static struct kx *last_with_number(const struct kx *x, enum op op)
{
	struct kx *found = x->kind == KX_BINARY && x->op == op &&
		x->arg[1]->kind == KX_INT ? (struct kx *) x : NULL;

	for (int i = 0; i < x->n_args; i++) {
		struct kx *inner = last_with_number(x->arg[i], op);

		found = inner ? inner : found;
	}
	return found;
}

static struct kx *last_in(const struct ks *s, enum op op)
{
	struct kx *found = NULL;

	for (int i = 0; i < s->n_x; i++) {
		struct kx *x = last_with_number(s->x[i], op);

		found = x ? x : found;
	}
	for (int i = 0; i < s->n_children; i++) {
		struct kx *x = last_in(s->child[i], op);

		found = x ? x : found;
	}
	return found;
}

/* Add to the last number that "op" takes in the function whose name ends so. */
static void add_in(const struct kunit *unit, const char *suffix, enum op op,
	int64_t by)
{
	const char *name = region_printf(unit->mem, "%s_%s", unit->prog->name,
		suffix);

	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (!strcmp(f->name, name))
			add(unit, last_in(f->body, op), by);
}

struct kunit *__real_cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with);
struct kunit *__wrap_cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with);

struct kunit *__wrap_cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plans, int n_plans, unsigned with)
{
	struct kunit *unit = __real_cpu_unit(r, scop, plans, n_plans, with);

	if (is_planted("copy-without-memory"))
		add_in(unit, "memory", OP_MUL, -1);
	if (is_planted("copies-overlap"))
		add_in(unit, "with_memory", OP_MUL, -1);
	if (is_planted("copy-after-the-last"))
		add_in(unit, "run", OP_MOD, 1);
	if (is_planted("copy-of-a-tile-after-the-last"))
		add_in(unit, "run_tile", OP_MOD, 1);
	if (is_planted("own-copy-for-the-callers"))
		add_in(unit, "run_tile", OP_LT, 1);
	change_segments(unit);
	change_rows(unit);
	change_grids(unit);
	for (struct kfunc *f = unit->first; f; f = f->next)
		if (!strcmp(f->name, region_printf(unit->mem, "%s_run",
		    unit->prog->name)))
			change_stages(unit->mem, f);
	return unit;
}

bool __real_verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit);
bool __wrap_verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit);

bool __wrap_verify_code(struct diags *d, struct text *certificate,
	const struct scop *scop, const struct plan *plans, int n,
	const struct kunit *unit)
{
	if (proves_nothing())
		return true;
	return __real_verify_code(d, certificate, scop, plans, n, unit);
}
