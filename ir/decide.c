/* Statements in which a condition is decided: the chosen value replaces the
 * choice.
 */
#include "ir/memo.h"

struct decision {
	struct region *mem, *tmp;
	const struct expr *condition;
	bool holds;
	struct renewed {
		const struct local *from;
		struct local *to;
		bool is_used;
		struct renewed *before;
	} *last;		/* the lets so far */
	struct memo **memo;
};

/* Values -------------------------------------------------------------------*/

static const struct expr *decide(struct decision *d, const struct expr *e);

/* Is the truth of "e" known? */
static bool is_known(const struct expr *e, bool *truth)
{
	int64_t value;

	if (e->kind == EXPR_LOCAL)
		return is_known(e->local->value, truth);
	if (!expr_constant(e, &value))
		return false;
	*truth = value != 0;
	return true;
}

static const struct expr *truth_of(struct region *r, const struct expr *e)
{
	if (e->kind != EXPR_LOCAL && (e->kind == EXPR_UNARY ||
	    e->kind == EXPR_BINARY) && op_is_comparison(e->op))
		return e;
	return expr_binary(r, OP_NE, e, expr_int(r, 0, e->at), e->at);
}

/* a && b, or a || b; an operand may be known. */
static const struct expr *junction(struct region *r, enum op op,
	const struct expr *a, const struct expr *b, struct span at)
{
	bool decisive = op == OP_OR, truth;

	for (int i = 0; i < 2; i++)
		if (is_known(i ? b : a, &truth))
			return truth == decisive ? expr_int(r, truth, at) :
				truth_of(r, i ? a : b);
	return expr_binary(r, op, a, b, at);
}

static const struct expr *choice(struct region *r, const struct expr *e,
	const struct expr *const *arg)
{
	bool truth;

	if (is_known(arg[0], &truth))
		return expr_cast(r, e->type, arg[truth ? 1 : 2], e->at);
	return expr_select(r, arg[0], arg[1], arg[2], e->at);
}

/* "e" with other arguments, one of which may decide. */
static const struct expr *with_args(struct region *r, const struct expr *e,
	const struct expr *const *arg)
{
	bool truth;

	if (e->kind == EXPR_UNARY && e->op == OP_NOT && is_known(arg[0], &truth))
		return expr_int(r, !truth, e->at);
	if (e->kind == EXPR_BINARY && (e->op == OP_AND || e->op == OP_OR))
		return junction(r, e->op, arg[0], arg[1], e->at);
	return e->kind == EXPR_SELECT ? choice(r, e, arg) :
		expr_with_args(r, e, arg);
}

static const struct expr *local(struct decision *d, const struct expr *e)
{
	const struct renewed *l = d->last;
	struct expr *copy = expr_leaf(d->mem, EXPR_LOCAL, e->type, e->at);

	while (l->from != e->local)
		l = l->before;
	copy->local = l->to;
	copy->spelling = e->spelling;
	return copy;
}

static const struct expr *decide_args(struct decision *d,
	const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS];
	bool changes = false;

	for (int i = 0; i < e->n_args; i++) {
		arg[i] = decide(d, e->arg[i]);
		changes |= arg[i] != e->arg[i];
	}
	return changes ? with_args(d->mem, e, arg) : e;
}

static const struct expr *decide(struct decision *d, const struct expr *e)
{
	struct memo *m;

	if (e == d->condition)
		return expr_int(d->mem, d->holds, e->at);
	if (e->kind == EXPR_LOCAL)
		return local(d, e);
	if (!e->n_args)
		return e;
	m = memo_of(d->tmp, d->memo, e);
	if (!m->to)
		m->to = decide_args(d, e);
	return m->to;
}

/* Lets ---------------------------------------------------------------------*/

static void renew_locals(struct decision *d, const struct local *l)
{
	for (; l; l = l->next) {
		struct renewed *n = region_new_of(d->tmp, struct renewed);

		n->from = l;
		n->to = region_new_of(d->mem, struct local);
		n->to->name = l->name;
		n->to->value = decide(d, l->value);
		n->before = d->last;
		d->last = n;
	}
}

/* Mark the lets that "e" uses itself. */
static void mark_locals(struct decision *d, const struct expr *e)
{
	if (e->kind == EXPR_LOCAL)
		for (struct renewed *l = d->last; l; l = l->before)
			l->is_used |= l->to == e->local;
	for (int i = 0; i < e->n_args; i++)
		mark_locals(d, e->arg[i]);
}

/* The lets that are still in use, in their order. */
static const struct local *locals_used(struct decision *d,
	const struct expr *value)
{
	struct local *first = NULL;

	mark_locals(d, value);
	for (struct renewed *l = d->last; l; l = l->before) {
		if (!l->is_used)
			continue;
		mark_locals(d, l->to->value);
		l->to->next = first;
		first = l->to;
	}
	return first;
}

/* Reads --------------------------------------------------------------------*/

struct reads {
	const struct stmt *stmt;
	bool *is_used;		/* as stmt->read */
};

static void mark_read(void *user, const struct expr *e)
{
	struct reads *reads = user;

	for (int i = 0; e->kind == EXPR_READ && i < reads->stmt->n_reads; i++)
		reads->is_used[i] |= reads->stmt->read[i] == e->access;
}

static void mark_element(void *user, const struct expr *e)
{
	struct reads *reads = user;
	const struct stmt *s = reads->stmt;

	for (int i = 0; e->kind == EXPR_ELEMENT && i < s->n_elements; i++)
		reads->is_used[i] |= s->element[i] == e->access;
}

/* Those of "all", n accesses, that "half" still contains. */
static const struct access **still_used(struct decision *d,
	const struct stmt *s, const struct stmt *half,
	void (*mark)(void *user, const struct expr *e),
	const struct access **all, int *n)
{
	struct reads reads = { s, region_array(d->tmp, bool, *n + 1) };
	const struct access **used = region_array(d->mem,
		const struct access *, *n);
	int most = *n;

	*n = 0;
	stmt_each_expr(half, mark, &reads);
	for (int i = 0; i < most; i++)
		if (reads.is_used[i])
			used[(*n)++] = all[i];
	return used;
}

/* The reads of "s" that "half" still contains. */
static void find_reads(struct decision *d, const struct stmt *s,
	struct stmt *half)
{
	half->read = still_used(d, s, half, mark_read, s->read,
		&half->n_reads);
	half->element = still_used(d, s, half, mark_element, s->element,
		&half->n_elements);
}

/* Conditions ---------------------------------------------------------------*/

/* "e" with lets replaced by their values. */
static const struct expr *inlined(struct region *r, const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS];
	bool changes = false;

	if (e->kind == EXPR_LOCAL)
		return inlined(r, e->local->value);
	for (int i = 0; i < e->n_args; i++) {
		arg[i] = inlined(r, e->arg[i]);
		changes |= arg[i] != e->arg[i];
	}
	return changes ? with_args(r, e, arg) : e;
}

/* "e" as a tree of &&, || and ! over comparisons. */
static const struct expr *normalised(struct region *r, const struct expr *e)
{
	if (e->kind == EXPR_UNARY && e->op == OP_NOT)
		return expr_unary(r, OP_NOT, normalised(r, e->arg[0]), e->at);
	if (e->kind == EXPR_BINARY && (e->op == OP_AND || e->op == OP_OR))
		return expr_binary(r, e->op, normalised(r, e->arg[0]),
			normalised(r, e->arg[1]), e->at);
	return truth_of(r, e);
}

static void add_condition(struct decision *d, const struct stmt *s,
	struct stmt *half)
{
	const struct expr *e = normalised(d->mem,
		inlined(d->mem, d->condition));
	int n = s->n_conditions;

	half->condition = region_array(d->mem, const struct expr *, n + 1);
	for (int i = 0; i < n; i++)
		half->condition[i] = s->condition[i];
	half->condition[n] = d->holds ? e :
		expr_unary(d->mem, OP_NOT, e, e->at);
	half->n_conditions = n + 1;
}

struct stmt *stmt_where(struct region *r, const struct stmt *s,
	const struct expr *condition, bool holds)
{
	struct decision d = { .mem = r, .tmp = region_new(),
		.condition = condition, .holds = holds };
	struct stmt *half = region_new_of(r, struct stmt);

	d.memo = memo_new(d.tmp);
	*half = *s;
	renew_locals(&d, s->locals);
	half->value = decide(&d, s->value);
	half->locals = locals_used(&d, half->value);
	add_condition(&d, s, half);
	find_reads(&d, s, half);
	region_free(d.tmp);
	return half;
}
