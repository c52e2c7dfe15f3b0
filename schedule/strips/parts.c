/* Values that iterations of a strip share, and sums that they begin.
 *
 * Parts of a statement may be shifts of each other along the streamed
 * dimension: the sums of a plane, the difference of two rows.  The first
 * iteration that has all inputs of such a part computes it, and later ones find
 * it in a register, as many iterations ago as the positions lie apart:
 *
 *	A[t+1][i] = (P[i-1] + Q[i]) + P[i+1]
 *
 * computes P where i + 1 arrives, and keeps it.  P[i-1] + Q[i] is known an
 * iteration before P[i+1]: it is computed then, too, so that less is kept.
 *
 * Where nothing is shared such sums are still worth it if they take fewer registers than the
 * rows that they are sums of.  A box keeps two sums a cell for each row that it still waits
 * for, and no row, in the order of the program:
 *
 *	A[t+1][i] = ((a[i-1] + b[i-1]) + c[i]) + d[i+1]
 *
 * "early" is how many iterations ago a part could have been computed.
 */
#include <limits.h>
#include <string.h>

#include "schedule/strips/strips.h"

/* Statements with more operations have no parts. */
enum { MOST_NODES = 6000, NEVER = -1 };

/* The role of an operation's operands in its sums. */
struct summary {
	unsigned hash;		/* the same for shifts */
	int early;		/* or NEVER */
	int age;		/* of the newest position that it reads */
};

/* An operation of the statement's value. */
struct node {
	const struct expr *expr;
	struct summary sum;
	int like;		/* the first node that this one is a shift of */
	bool adds, under_sum;
};

struct search {
	const struct scop *scop;
	const struct stream *s;
	const struct stmt *stmt;
	struct region *tmp;
	int n;
	struct node *node;
	int n_slots, *slot;	/* 1 + the node of an expression, by its
				 * address; a power of 2 */
	int *first;		/* 1 + the first node of a class of shifts, by
				 * their hash */
	bool *chosen, *done;	/* by node.like */
	struct ages {		/* ages of uses, likewise */
		bool used;
		int least, most;
	} *ages;
	struct strip_parts *parts;
};

/* Nodes ----------------------------------------------------------------- */

static bool is_sum(const struct expr *e)
{
	return e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB);
}

static int age_of_read(const struct search *q, const struct access *acc)
{
	return stream_age(q->s, q->scop, q->stmt, acc,
		(int) acc->offset[q->s->dim.stream]);
}

/* What neighbours leave arrives later. */
static int early_of_read(const struct search *q, const struct access *acc)
{
	const struct exchange *x = &q->s->exchange;

	return age_of_read(q, acc) - (x->dim >= 0 && acc->offset[x->dim] != 0 ?
		x->behind + x->late[acc->field->index] : 0);
}

static unsigned mix(unsigned hash, uint64_t value)
{
	return (hash ^ (unsigned) (value ^ value >> 32)) * 0x01000193u;
}

/* For "e" itself: everything except where it reads along the streamed
 * dimension.  What depends on more than states, which are all that an earlier
 * iteration had, is NEVER early.
 */
static struct summary own_summary(const struct search *q,
	const struct expr *e)
{
	struct summary sum = { mix(0x811c9dc5u, (uint64_t) e->kind), INT_MAX,
		INT_MAX };

	if (e->n_args)
		sum.hash = mix(sum.hash, (uint64_t) e->op);
	if (e->kind == EXPR_INDEX || e->kind == EXPR_TIME ||
	    e->kind == EXPR_LOCAL || e->kind == EXPR_ELEMENT)
		sum.early = sum.age = NEVER;
	if (e->kind != EXPR_READ)
		return sum;
	sum.hash = mix(sum.hash, (uint64_t) e->access->field->index);
	for (int d = 0; d < q->scop->n_dims; d++)
		if (d != q->s->dim.stream)
			sum.hash = mix(sum.hash,
				(uint64_t) e->access->offset[d]);
	sum.early = sum.age = NEVER;
	if (e->access->field->kind == FIELD_STATE) {
		sum.early = early_of_read(q, e->access);
		sum.age = age_of_read(q, e->access);
	}
	return sum;
}

static void add_operand(struct summary *sum, const struct summary *of)
{
	sum->hash = mix(sum->hash, of->hash);
	sum->early = of->early < sum->early ? of->early : sum->early;
	sum->age = of->age < sum->age ? of->age : sum->age;
}

/* With all nodes below it. */
static struct summary summary_of(const struct search *q, const struct expr *e)
{
	struct summary sum = own_summary(q, e);

	for (int i = 0; i < e->n_args; i++) {
		struct summary arg = summary_of(q, e->arg[i]);

		add_operand(&sum, &arg);
	}
	return sum;
}

/* Does "b" read "shift" further what "a" reads? */
static bool is_shift_of_read(int n_dims, const struct access *a,
	const struct access *b, bool *known, int64_t shift[])
{
	if (a->field != b->field || a->version != b->version ||
	    access_strides(a) || access_strides(b))
		return false;
	for (int d = 0; d < n_dims && d < a->field->n_dims; d++) {
		int64_t further = b->offset[d] - a->offset[d];

		if (a->dim[d] != b->dim[d] || (*known && further != shift[d]))
			return false;
		shift[d] = further;
	}
	*known = true;
	return true;
}

static bool is_shift(int n_dims, const struct expr *a, const struct expr *b,
	bool *known, int64_t shift[])
{
	if (!expr_same_node(a, b))
		return false;
	if (a->kind == EXPR_READ)
		return is_shift_of_read(n_dims, a->access, b->access, known,
			shift);
	for (int i = 0; i < a->n_args; i++)
		if (!is_shift(n_dims, a->arg[i], b->arg[i], known, shift))
			return false;
	return true;
}

bool strip_is_shift(int n_dims, const struct expr *a, const struct expr *b,
	int64_t shift[])
{
	bool known = false;

	if (a->nodes != b->nodes)
		return false;
	memset(shift, 0, sizeof(shift[0]) * (size_t) n_dims);
	return is_shift(n_dims, a, b, &known, shift);
}

/* Is "b" the same as "a", at another position of the streamed dimension? */
static bool is_along(const struct search *q, const struct expr *a,
	const struct expr *b)
{
	int64_t shift[IR_MAX_DIMS];

	if (!strip_is_shift(q->scop->n_dims, a, b, shift))
		return false;
	for (int d = 0; d < q->scop->n_dims; d++)
		if (d != q->s->dim.stream && shift[d] != 0)
			return false;
	return true;
}

/* The slot where the node of "e" is recorded, or would be. */
static int *slot_of(const struct search *q, const struct expr *e)
{
	int at = (int) (mix(0x811c9dc5u, (uint64_t) (uintptr_t) e >> 4) &
		(unsigned) (q->n_slots - 1));

	while (q->slot[at] && q->node[q->slot[at] - 1].expr != e)
		at = (at + 1) & (q->n_slots - 1);
	return &q->slot[at];
}

static int find_node(const struct search *q, const struct expr *e)
{
	return q->n_slots ? *slot_of(q, e) - 1 : -1;
}

/* The first node of which the one at "at" is a shift, itself if there is none. */
static int find_like(const struct search *q, int at)
{
	const struct node *node = &q->node[at];
	int slot = (int) (node->sum.hash & (unsigned) (q->n_slots - 1));

	while (q->first[slot]) {
		const struct node *first = &q->node[q->first[slot] - 1];

		if (first->sum.hash == node->sum.hash &&
		    is_along(q, first->expr, node->expr))
			return first->like;
		slot = (slot + 1) & (q->n_slots - 1);
	}
	q->first[slot] = at + 1;
	return at;
}

/* Add "e" and everything below it, operations before their operands. */
static struct summary add_nodes(struct search *q, const struct expr *e,
	bool under_sum)
{
	struct summary sum;
	int at;

	if (!e->n_args || type_is_integer(e->type))
		return summary_of(q, e);
	at = find_node(q, e);
	if (at >= 0) {
		q->node[at].under_sum = q->node[at].under_sum || under_sum;
		return q->node[at].sum;
	}
	at = q->n;
	q->node[at] = (struct node) { .expr = e, .under_sum = under_sum,
		.adds = is_sum(e) };
	*slot_of(q, e) = ++q->n;
	sum = own_summary(q, e);
	for (int i = 0; i < e->n_args; i++) {
		struct summary arg = add_nodes(q, e->arg[i], is_sum(e));

		add_operand(&sum, &arg);
	}
	q->node[at].sum = sum;
	q->node[at].like = find_like(q, at);
	return sum;
}

/* The choice ------------------------------------------------------------ */

static bool is_possible(const struct node *node)
{
	return node->sum.early != NEVER && node->sum.early != INT_MAX;
}

/* A product and the addition of it are one instruction. */
static bool is_fused(const struct search *q, const struct node *node)
{
	if (node->expr->kind != EXPR_BINARY || node->expr->op != OP_MUL)
		return false;
	for (int i = 0; i < q->n; i++)
		if (q->node[i].like == node->like && q->node[i].under_sum)
			return true;
	return false;
}

/* Call "each" for the operations of "e" computed "base" iterations before the
 * statement, and once for those of each chosen part.
 */
static void walk(struct search *q, const struct expr *e, int base,
	int whole_age, void (*each)(struct search *q, const struct node *node,
		int base, int whole_age))
{
	int at = find_node(q, e);
	const struct node *node;

	if (at < 0)
		return;
	node = &q->node[at];
	if (!q->chosen[node->like])
		each(q, node, base, whole_age);
	if (q->chosen[node->like]) {
		if (q->done[node->like])
			return;
		q->done[node->like] = true;
		base = node->sum.early;
		whole_age = node->sum.age;
	}
	for (int i = 0; i < e->n_args; i++)
		walk(q, e->arg[i], base, whole_age, each);
}

static void walk_all(struct search *q, void (*each)(struct search *q,
	const struct node *node, int base, int whole_age))
{
	memset(q->done, 0, sizeof(q->done[0]) * (size_t) q->n);
	walk(q, q->stmt->value, 0, q->node[0].sum.age, each);
	memset(q->done, 0, sizeof(q->done[0]) * (size_t) q->n);
}

static void note_age(struct search *q, const struct node *node, int base,
	int whole_age)
{
	struct ages *ages = &q->ages[node->like];
	int age = node->sum.early - base;

	(void) whole_age;
	if (!is_possible(node))
		return;
	if (!ages->used || age < ages->least)
		ages->least = age;
	if (!ages->used || age > ages->most)
		ages->most = age;
	ages->used = true;
}

/* The largest part used at two ages, or NULL. */
static const struct node *find_shared(struct search *q)
{
	const struct node *largest = NULL;

	memset(q->ages, 0, sizeof(q->ages[0]) * (size_t) q->n);
	walk_all(q, note_age);
	for (int i = 0; i < q->n; i++) {
		const struct node *node = &q->node[i];

		if (q->ages[i].least < q->ages[i].most &&
		    (!largest || node->expr->nodes > largest->expr->nodes) &&
		    !is_fused(q, node))
			largest = node;
	}
	return largest;
}

/* Choose a sum of positions that are all older than the newest one of the
 * surrounding part, and that could be computed earlier.
 */
static void choose_older_sum(struct search *q, const struct node *node,
	int base, int whole_age)
{
	if (is_possible(node) && node->adds && node->sum.early > base &&
	    node->sum.age > whole_age)
		q->chosen[node->like] = true;
}

/* Choose all parts that are shared: only sums in another order have some worth a register. */
static bool choose_shared(struct search *q)
{
	const struct node *node;
	bool any = false;

	while ((node = find_shared(q))) {
		q->chosen[node->like] = true;
		any = true;
	}
	return any;
}

/* False if there are none. */
static bool choose_parts(struct search *q)
{
	bool any = false;

	if (!q->n || (q->scop->prog->reassociated && !choose_shared(q)))
		return false;
	walk_all(q, choose_older_sum);
	for (int i = 0; i < q->n; i++)
		any = any || q->chosen[i];
	return any;
}

static void add_read(struct search *q, const struct access *acc, int early)
{
	struct strip_parts *parts = q->parts;

	for (int i = 0; i < parts->n_reads; i++)
		if (parts->read[i].acc == acc && parts->read[i].early == early)
			return;
	parts->read[parts->n_reads++] = (struct strip_read) { acc, early };
}

static int find_part(const struct search *q, int like)
{
	int i = 0;

	while (q->parts->part[i].like != like)
		i++;
	return i;
}

static void list_operands(struct search *q, const struct expr *e, int base);

/* Use the part "node" "base" iterations before the statement. */
static void list_part(struct search *q, const struct node *node, int base)
{
	struct strip_part *part;
	int age = node->sum.early - base;

	if (!q->done[node->like]) {
		q->done[node->like] = true;
		list_operands(q, node->expr, node->sum.early);
		q->parts->part[q->parts->n++] = (struct strip_part) {
			node->expr, node->sum.early, 0, node->like };
	}
	part = &q->parts->part[find_part(q, node->like)];
	part->oldest = age > part->oldest ? age : part->oldest;
}

/* List the parts of "e", each behind those that it needs, and the reads. */
static void list_parts(struct search *q, const struct expr *e, int base)
{
	int at = find_node(q, e);

	if (e->kind == EXPR_READ)
		add_read(q, e->access, base);
	else if (at >= 0 && q->chosen[q->node[at].like])
		list_part(q, &q->node[at], base);
	else
		list_operands(q, e, base);
}

static void list_operands(struct search *q, const struct expr *e, int base)
{
	for (int i = 0; i < e->n_args; i++)
		list_parts(q, e->arg[i], base);
}

static void add_places(struct search *q)
{
	struct strip_parts *parts = q->parts;

	parts->place = region_array(q->scop->mem, struct strip_place, q->n);
	for (int i = 0; i < q->n; i++)
		if (q->chosen[q->node[i].like])
			parts->place[parts->n_places++] =
				(struct strip_place) { q->node[i].expr,
				find_part(q, q->node[i].like),
				q->node[i].sum.early };
}

static void read_as_written(struct strip_parts *parts,
	const struct stmt *stmt)
{
	for (int i = 0; i < stmt->n_reads; i++)
		parts->read[parts->n_reads++] =
			(struct strip_read) { stmt->read[i], 0 };
}

/* Read each operand of a let in place; lets have no parts. */
static void list_locals(struct search *q)
{
	for (const struct local *l = q->stmt->locals; l; l = l->next)
		list_parts(q, l->value, 0);
}

/* None yet, with room for "most" reads. */
static struct strip_parts no_parts(const struct scop *scop,
	const struct strip_parts *of, int most)
{
	return (struct strip_parts) { .of = of->of, .differs = of->differs,
		.read = region_array(scop->mem, struct strip_read, most) };
}

void strip_find_parts(const struct scop *scop, const struct stream *s,
	struct strip_parts *parts)
{
	const struct stmt *stmt = parts->of.stmt;
	struct search q = { .scop = scop, .s = s, .stmt = stmt,
		.tmp = region_new(), .parts = parts };
	int nodes = (int) (stmt->value->nodes < MOST_NODES ?
		stmt->value->nodes : 0);

	*parts = no_parts(scop, parts, stmt->n_reads + nodes);
	if (s->dim.stream >= 0 && nodes > 0) {
		q.node = region_array(q.tmp, struct node, nodes);
		for (q.n_slots = 2; q.n_slots < 2 * nodes; q.n_slots *= 2)
			;
		q.slot = region_array(q.tmp, int, q.n_slots);
		q.first = region_array(q.tmp, int, q.n_slots);
		q.chosen = region_array(q.tmp, bool, nodes);
		q.done = region_array(q.tmp, bool, nodes);
		q.ages = region_array(q.tmp, struct ages, nodes);
		add_nodes(&q, stmt->value, false);
	}
	if (choose_parts(&q)) {
		parts->part = region_array(scop->mem, struct strip_part, q.n);
		list_parts(&q, stmt->value, 0);
		list_locals(&q);
		add_places(&q);
	} else {
		read_as_written(parts, stmt);
	}
	if (q.n && scop->prog->reassociated)
		parts->operations = strip_find_operations(scop, s, stmt,
			parts);
	region_free(q.tmp);
}

struct strip_parts strip_without_parts(const struct scop *scop,
	const struct strip_parts *parts)
{
	const struct stmt *stmt = parts->of.stmt;
	struct strip_parts none = no_parts(scop, parts, stmt->n_reads);

	read_as_written(&none, stmt);
	return none;
}

const struct strip_place *stream_find_place(const struct strip_parts *parts,
	const struct expr *e)
{
	for (int i = 0; i < parts->n_places; i++)
		if (parts->place[i].expr == e)
			return &parts->place[i];
	return NULL;
}
