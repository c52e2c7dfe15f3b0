/* A program with sweeps keeps one copy of each state.  The statement of a real part has replaced
 * what that of the imaginary part reads of it at its own point, so a temp keeps this.
 */
#include <string.h>

#include "frontend/complex.h"
#include "ir/rewrite.h"

/* What "of", the real part, was at the point of "reader", the imaginary one. */
struct before {
	const struct field *of;
	struct field *field;
};

static bool is_replaced(const struct access *a, const struct field *f)
{
	return a->field == f && a->version == 0 && access_is_at_point(a, f->n_dims);
}

static const struct access *read_of(struct region *r, const struct access *a,
	const struct field *f, int version)
{
	struct access *read = region_new_of(r, struct access);

	*read = *a;
	read->field = f;
	read->version = version;
	return read;
}

static const struct access *read_before(const struct rewrite *w,
	const struct access *a)
{
	const struct before *before = w->user;

	return is_replaced(a, before->of) ? read_of(w->mem, a, before->field,
		1) : a;
}

static struct field *temp_for(struct lower *l, const struct field *f)
{
	struct program *p = l->program;
	struct field *temp = region_new_of(l->mem, struct field);
	const char *name = region_printf(l->mem, "%s_before", f->name);

	while (program_has_name(p, name) || find_symbol(l, names_intern(
	       l->ast->names, name, strlen(name))))
		name = region_printf(l->mem, "%s_", name);
	*temp = *f;
	temp->name = name;
	temp->is_hidden = true;
	temp->depth = temp->passed = 1;
	temp->index = p->n_fields;
	for (int i = 0; i < SIDES * f->n_dims; i++)
		temp->boundary[i / SIDES][i % SIDES] = (struct boundary) {
			.at = f->at };
	p->field[p->n_fields++] = temp;
	return temp;
}

/* temp = what the statement "of" replaces */
static struct stmt *keep(struct lower *l, const struct stmt *of,
	const struct field *temp)
{
	struct stmt *s = region_new_of(l->mem, struct stmt);
	struct expr *value = expr_leaf(l->mem, EXPR_READ, temp->type, of->at);

	memcpy(s->iterator, of->iterator, sizeof(s->iterator));
	s->n_dims = of->n_dims;
	s->at = of->at;
	s->write = read_of(l->mem, of->write, temp, 1);
	s->read = region_array(l->mem, const struct access *, 1);
	s->read[s->n_reads++] = read_of(l->mem, of->write, of->write->field, 0);
	value->access = s->read[0];
	s->value = value;
	return s;
}

static bool needs_before(const struct stmt *real, const struct stmt *imaginary)
{
	for (int i = 0; i < imaginary->n_reads; i++)
		if (is_replaced(imaginary->read[i], real->write->field))
			return !real->n_listed && !imaginary->n_listed;
	return false;
}

static struct stmt *add(struct program *p, struct region *r, struct stmt *s)
{
	s->index = p->n_stmts;
	s->name = region_printf(r, "S%d", s->index);
	return p->stmt[p->n_stmts++] = s;
}

static bool is_pair(const struct statement *a, const struct statement *b)
{
	return b && b->update->is_second && a->update->next == b->update &&
		a->ir->write && b->ir->write;
}

void keep_real_parts(struct lower *l)
{
	struct program *p = l->program;
	int n = p->n_stmts;
	bool sweeps = false;

	for (int i = 0; i < n; i++)
		sweeps |= p->stmt[i]->sweeps;
	if (!sweeps || !l->ast->has_complex)
		return;
	p->stmt = region_array(l->mem, struct stmt *, 2 * n);
	p->n_stmts = 0;
	for (int i = 0; i < n; i++) {
		struct stmt *s = l->statement[i]->ir, *next;
		struct before before = { .of = s->write->field };
		const struct rewrite w = { .mem = l->mem, .user = &before,
			.access = read_before };

		next = i + 1 < n && is_pair(l->statement[i],
			l->statement[i + 1]) ? l->statement[i + 1]->ir : NULL;
		if (!next || !needs_before(s, next)) {
			add(p, l->mem, s);
			continue;
		}
		before.field = temp_for(l, before.of);
		add(p, l->mem, keep(l, s, before.field));
		add(p, l->mem, s);
		add(p, l->mem, stmt_rewrite(&w, next));
		i++;
	}
}
