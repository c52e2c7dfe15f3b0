/* Statements rewritten at their leaves. */
#include <string.h>

#include "ir/memo.h"
#include "ir/rewrite.h"

struct pass {
	const struct rewrite *rewrite;
	struct region *mem, *tmp;
	const struct stmt *from;
	struct stmt *to;
	const struct access **read;	/* replaces from->read[i] */
	const struct local **local;	/* instead of its lets, in their order */
	struct memo **memo;
};

bool access_same_cell(const struct access *a, const struct access *b)
{
	bool same = a->field == b->field && a->version == b->version;

	for (int d = 0; same && d < a->field->n_dims; d++)
		same = access_same_along(a, d, b, d);
	return same;
}

bool expr_same_value(const struct expr *a, const struct expr *b)
{
	bool same = a == b || (expr_same_node(a, b) &&
		(a->access == b->access || (a->kind == EXPR_READ &&
			access_same_cell(a->access, b->access))));

	for (int i = 0; a != b && same && i < a->n_args; i++)
		same = expr_same_value(a->arg[i], b->arg[i]);
	return same;
}

/* The read of the new statement equal to "a", added if there is none. */
static const struct access *shared_read(struct pass *p, const struct access *a)
{
	struct stmt *to = p->to;

	for (int i = 0; i < to->n_reads; i++)
		if (access_same_cell(to->read[i], a))
			return to->read[i];
	return to->read[to->n_reads++] = a;
}

static void rewrite_reads(struct pass *p)
{
	int n = p->from->n_reads;

	p->read = region_array(p->tmp, const struct access *, n + 1);
	p->to->read = region_array(p->mem, const struct access *, n + 1);
	p->to->n_reads = 0;
	for (int i = 0; i < n; i++)
		p->read[i] = shared_read(p, p->rewrite->access(p->rewrite,
			p->from->read[i]));
}

static const struct expr *read_of(struct pass *p, const struct expr *e)
{
	struct expr *copy = expr_leaf(p->mem, EXPR_READ, e->type, e->at);
	int i = 0;

	while (p->from->read[i] != e->access)
		i++;
	copy->access = p->read[i];
	return copy;
}

static const struct expr *rewritten(struct pass *p, const struct expr *e);

static const struct expr *operation_of(struct pass *p, const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS];
	bool changes = false;

	for (int i = 0; i < e->n_args; i++) {
		arg[i] = rewritten(p, e->arg[i]);
		changes |= arg[i] != e->arg[i];
	}
	if (!changes)
		return e;
	return e->kind == EXPR_ELEMENT ? expr_element(p->mem, e->field, arg,
		e->access, e->at) : expr_with_args(p->mem, e, arg);
}

/* "e" with its leaves rewritten; an expression shared by two places stays shared. */
static const struct expr *rewritten(struct pass *p, const struct expr *e)
{
	struct memo *m = memo_of(p->tmp, p->memo, e);

	if (!m->to)
		m->to = e->kind == EXPR_READ ? read_of(p, e) :
			e->kind == EXPR_LOCAL ? local_copied(p->mem,
				p->from->locals, p->local, e) :
			e->kind == EXPR_TIME && p->rewrite->time ?
				p->rewrite->time(p->rewrite, e) :
			operation_of(p, e);
	return m->to;
}

static struct local *copy_of_local(struct pass *p, const struct local *from,
	const struct expr *value)
{
	const struct rewrite *w = p->rewrite;
	struct local *copy = region_new_of(p->mem, struct local);

	copy->name = w->name ? w->name(w, from->name) : from->name;
	copy->value = value;
	return copy;
}

static void rewrite_locals(struct pass *p)
{
	const struct rewrite *w = p->rewrite;
	const struct local *from = p->from->locals, **end = &p->to->locals;
	const struct local **local = region_array(p->tmp, const struct local *,
		locals_count(from) + 1);

	p->local = local;
	for (; from; from = from->next, local++) {
		const struct expr *value = rewritten(p, from->value);
		struct local *copy;

		*local = w->same ? w->same(w, from, value) : NULL;
		if (*local)
			continue;
		*local = *end = copy = copy_of_local(p, from, value);
		end = &copy->next;
		if (w->last)
			*w->last = copy;
	}
	*end = NULL;
}

struct stmt *stmt_rewrite(const struct rewrite *w, const struct stmt *s)
{
	struct pass p = { .rewrite = w, .mem = w->mem, .tmp = region_new(),
		.from = s, .to = region_new_of(w->mem, struct stmt) };

	p.memo = memo_new(p.tmp);
	*p.to = *s;
	rewrite_reads(&p);
	rewrite_locals(&p);
	p.to->value = rewritten(&p, s->value);
	p.to->written = s->written ? rewritten(&p, s->written) : NULL;
	p.to->condition = region_array(w->mem, const struct expr *,
		s->n_conditions + 1);
	for (int i = 0; i < s->n_conditions; i++)
		p.to->condition[i] = rewritten(&p, s->condition[i]);
	region_free(p.tmp);
	return p.to;
}
