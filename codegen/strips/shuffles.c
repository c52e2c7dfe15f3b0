/* Strips of register streaming: a lane fetches cells of other lanes, each once,
 * when the first statement needs it.
 */
#include "codegen/strips/strips.h"

/* A statement's reads of cells beside a lane's, at positions of one age. */
struct use {
	int stmt, version, age;
	int left, right;	/* cells beyond either end */
	int above, below;	/* in rows beyond the lane's, too */
};

enum { MOST_USES = 8 * MODEL_MAX_READS };

/* The uses of a field in periods of all kinds, and in those of the current kind, which may be
 * fewer.
 */
struct uses {
	int n, n_here;
	struct use *use, *here;
};

/* Add the reads of "f" beyond a lane's cells, by each statement, version and
 * age, after "n" uses; returns the number of uses.
 */
static int find_uses(const struct strip *p, const struct field *f,
	struct use *use, int n)
{
	const struct stream *s = p->s;

	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *stmt = strip_statement(p, c);
		const struct strip_parts *parts = strip_has_parts(p, c) ?
			&s->parts[c] : NULL;

		for (int i = 0; i < strip_n_reads(stmt, parts); i++) {
			struct strip_read read = strip_read_of(stmt, parts, i);
			const struct access *acc = read.acc;
			int first = 0, last = 0, low, high;
			int above = 0, below = 0;

			if (acc->field != f)
				continue;
			strip_reach(p, stmt, acc, s->dim.lane, &low, &high);
			if (low >= 0 && high <= 0)
				continue;
			if (s->dim.stream >= 0)
				strip_reach(p, stmt, acc, s->dim.stream, &first,
					&last);
			if (s->dim.row >= 0)
				strip_reach(p, stmt, acc, s->dim.row, &above,
					&below);
			for (int o = first; o <= last && n < MOST_USES; o++)
				use[n++] = (struct use) {
					c, acc->version, s->dim.stream < 0 ?
					0 : stream_age(s, p->scop, stmt, acc,
						o) - read.early,
					low < 0 ? -low : 0,
					high > 0 ? high : 0,
					above < 0 ? -above : 0,
					below > 0 ? below : 0 };
		}
	}
	return n;
}

/* Does "a" come before "b", of the same version of the same position? */
static bool comes_first(const struct use *a, const struct use *b)
{
	if (a->age != b->age)
		return a->age < b->age;
	if (a->version != b->version)
		return a->version > b->version;
	return a->stmt < b->stmt;
}

static bool needs(const struct strip *p, const struct use *use, int row,
	int at)
{
	return (at < 0 ? -at <= use->left : at - p->s->cells < use->right) &&
		-row <= use->above && row - p->s->rows < use->below;
}

/* Is "use" in step "m" the first one that needs cell "at" of "row"?  Loaded
 * versions have no use in steps before the first, stored ones none after the
 * last.
 */
static bool is_first_use(const struct strip *p, const struct use *use,
	const struct use *all, int n, int m, int row, int at)
{
	for (int i = 0; i < n; i++) {
		int step = m + use->version - all[i].version;

		if (needs(p, &all[i], row, at) && step >= 0 &&
		    step < p->s->b && comes_first(&all[i], use))
			return false;
	}
	return true;
}

struct ks *strip_shuffle(const struct strip *p, const struct kx *to,
	const struct kx *from, int lanes)
{
	return ks_assign(p->mem, to, kx_builtin(p->mem, lanes < 0 ?
		B_FROM_LANE_BEFORE : B_FROM_LANE_AFTER, 2, from, integer(p,
		lanes < 0 ? -lanes : lanes)));
}

int strip_lanes_to(const struct strip *p, int at)
{
	return at < 0 ? -((-at + p->s->cells - 1) / p->s->cells) :
		at / p->s->cells;
}

/* { m : first <= m < end } as a condition, NULL for all steps */
static const struct kx *steps_between(const struct strip *p, int first, int end)
{
	const struct kx *from = op(p, OP_GE, p->m, integer(p, first));
	const struct kx *to = op(p, OP_LT, p->m, integer(p, end));

	if (end == p->s->b)
		return first ? from : NULL;
	return first ? kx_and(p->mem, from, to) : to;
}

/* The condition on the step under which "use" is the first one that needs cell
 * "at": NULL for always, 0 for never.
 */
static const struct kx *first_steps(const struct strip *p,
	const struct use *use, const struct use *all, int n, int row, int at)
{
	int steps = p->s->b, end;
	const struct kx *when = integer(p, 0);

	for (int m = 0; m < steps; m = end) {
		bool is_first = is_first_use(p, use, all, n, m, row, at);
		const struct kx *now;

		for (end = m + 1; end < steps; end++)
			if (is_first_use(p, use, all, n, end, row, at) !=
			    is_first)
				break;
		if (!is_first)
			continue;
		now = steps_between(p, m, end);
		when = kx_is_int(when, 0) ? now : op(p, OP_OR, when, now);
	}
	return when;
}

/* Does any use in periods of the current kind need the cell "at" of "row"? */
static bool is_needed_here(const struct strip *p, const struct uses *all,
	int row, int at)
{
	for (int i = 0; i < all->n_here; i++)
		if (needs(p, &all->here[i], row, at))
			return true;
	return false;
}

static void shuffle_row(const struct strip *p, struct ks *block,
	const struct field *f, const struct use *use, const struct uses *all,
	int row, const struct kx *x)
{
	const struct kx *version = kx_add(p->mem, p->m, use->version);

	for (int at = -use->left; at < p->s->cells + use->right; at++) {
		const struct kx *when;
		int lanes = strip_lanes_to(p, at);

		if ((at >= 0 && at < p->s->cells) ||
		    !is_needed_here(p, all, row, at))
			continue;
		when = first_steps(p, use, all->use, all->n, row, at);
		if (when && kx_is_int(when, 0))
			continue;
		ks_add(p->mem, block, guarded(p->mem, when, strip_shuffle(p,
			strip_cell(p, f, version, use->age, x, integer(p,
				at)),
			strip_cell(p, f, version, use->age, x, integer(p,
				at - lanes * p->s->cells)), lanes)));
	}
}

/* The lane's rows in a loop, its neighbours' rows one by one. */
static void shuffle_use(const struct strip *p, struct ks *block,
	const struct field *f, const struct use *use, const struct uses *all)
{
	struct ks *own = ks_block(p->mem);

	for (int row = -use->above; row < 0; row++)
		shuffle_row(p, block, f, use, all, row, integer(p, row));
	shuffle_row(p, own, f, use, all, 0, p->r);
	if (own->n_children)
		ks_add(p->mem, block, strip_over_rows(p, own));
	for (int row = p->s->rows; row < p->s->rows + use->below; row++)
		shuffle_row(p, block, f, use, all, row, integer(p, row));
}

/* Merge uses of one statement, version and age. */
static int merge_uses(struct use *use, int n)
{
	int merged = 0;

	for (int i = 0; i < n; i++) {
		int j = 0;

		while (j < merged && (use[j].stmt != use[i].stmt ||
		       use[j].version != use[i].version ||
		       use[j].age != use[i].age))
			j++;
		if (j == merged) {
			use[merged++] = use[i];
			continue;
		}
		if (use[i].left > use[j].left)
			use[j].left = use[i].left;
		if (use[i].right > use[j].right)
			use[j].right = use[i].right;
		if (use[i].above > use[j].above)
			use[j].above = use[i].above;
		if (use[i].below > use[j].below)
			use[j].below = use[i].below;
	}
	return merged;
}

/* A period may follow one of another kind, in which boundaries move reads elsewhere: a cell
 * must be there if it is fetched on first need in either kind.
 */
static void find_all_uses(const struct strip *p, const struct field *f,
	struct uses *all)
{
	struct strip interior = *p, other = *p;

	interior.full = interior.interior = true;
	other.full = other.interior = false;
	all->n_here = find_uses(p, f, all->here, 0);
	all->n = p->separated ? find_uses(&interior, f, all->use, 0) : 0;
	all->n = merge_uses(all->use, find_uses(&other, f, all->use, all->n));
}

void strip_add_shuffles(const struct strip *p, struct ks *block)
{
	struct uses all = {
		.use = region_array(p->mem, struct use, MOST_USES),
		.here = region_array(p->mem, struct use, MOST_USES),
	};

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		if (!is_state(f))
			continue;
		find_all_uses(p, f, &all);
		for (int j = 0; j < all.n; j++)
			if (all.use[j].stmt == p->cursor->stmt->stmt->index)
				shuffle_use(p, block, f, &all.use[j], &all);
	}
}
