/* Elements of inputs, read at the time and parameters alone: sizes for which an instance would
 * read beyond the input are none of the context.
 */
#include "verify/checker.h"

struct misses {
	struct checker *c;
	isl_space *space;	/* [t, x] */
	isl_set *sizes;		/* for which some instance misses */
};

static void add_misses(struct misses *m, const struct expr *e,
	__isl_keep isl_set *points)
{
	for (int i = 0; i < e->n_args; i++) {
		isl_pw_aff *at = value_of(m->c, m->space, e->arg[i]);
		isl_pw_aff *size = value_of(m->c, m->space, e->field->size[i]);
		isl_set *within = isl_pw_aff_nonneg_set(isl_pw_aff_copy(at));

		within = isl_set_intersect(within, isl_pw_aff_lt_set(at, size));
		m->sizes = isl_set_union(m->sizes, isl_set_params(
			isl_set_subtract(isl_set_copy(points), within)));
	}
}

/* The instances in "points" compute "e". */
static void find_misses(struct misses *m, const struct expr *e,
	__isl_take isl_set *points)
{
	bool decides = expr_decides(e) && expr_is_condition(e->arg[0]);
	isl_set *holds = decides ? where(m->c, m->space, e->arg[0]) : NULL;

	if (e->kind == EXPR_ELEMENT)
		add_misses(m, e, points);
	for (int i = decides; i < e->n_args; i++) {
		isl_set *some = isl_set_copy(points);

		if (decides)
			some = expr_wants(e, i) ? isl_set_intersect(some,
				isl_set_copy(holds)) : isl_set_subtract(some,
				isl_set_copy(holds));
		find_misses(m, e->arg[i], some);
	}
	isl_set_free(holds);
	isl_set_free(points);
}

static void find_misses_of(struct misses *m, const struct stmt *s)
{
	isl_set *points;

	m->space = space_of_dims(m->c, 1 + s->n_dims);
	points = grid_points(m->c, m->space, s);
	for (int i = 0; i < s->n_conditions; i++)
		points = isl_set_intersect(points, where(m->c, m->space,
			s->condition[i]));
	for (const struct local *l = s->locals; l; l = l->next)
		find_misses(m, l->value, isl_set_copy(points));
	for (int i = 0; i < s->n_reads; i++) {
		const struct field *f = s->read[i]->field;

		for (int d = 0; d < f->n_dims; d++)
			if (f->boundary[d].value)
				find_misses(m, f->boundary[d].value,
					isl_set_copy(points));
	}
	find_misses(m, s->value, points);
	isl_space_free(m->space);
}

__isl_give isl_set *without_misses(struct checker *c,
	__isl_take isl_set *sizes)
{
	struct misses m = { .c = c, .sizes = isl_set_params(
		isl_set_empty(space_of_dims(c, 0))) };

	for (int i = 0; i < c->prog->n_stmts; i++)
		if (stmt_reads_elements(c->prog->stmt[i]))
			find_misses_of(&m, c->prog->stmt[i]);
	return isl_set_subtract(sizes, m.sizes);
}
