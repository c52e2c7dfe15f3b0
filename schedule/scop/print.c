/* --emit=deps and cone as text. */
#include <stdlib.h>

#include <isl/point.h>
#include <isl/printer.h>

#include "ir/waves.h"
#include "schedule/scop/sets.h"

/* One relation per line, without the parameters in front. */
static isl_stat print_map(__isl_take isl_map *map, void *user)
{
	struct text *t = user;
	char *s;

	map = isl_map_coalesce(map);
	s = isl_map_to_str(map);
	text_printf(t, "  %s\n", s ? s : "?");
	free(s);
	isl_map_free(map);
	return isl_stat_ok;
}

static void print_union(struct text *t, const char *title,
	__isl_keep isl_union_map *deps)
{
	text_printf(t, "%s:\n", title);
	if (isl_union_map_is_empty(deps) == isl_bool_true)
		text_puts(t, "  none\n");
	isl_union_map_foreach_map(deps, print_map, t);
}

static void print_point(struct text *t, __isl_take isl_point *p, int n)
{
	text_puts(t, "  (");
	for (int i = 0; i < n; i++) {
		isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, i);

		text_printf(t, i ? ", %ld" : "%ld", isl_val_get_num_si(v));
		isl_val_free(v);
	}
	text_puts(t, ")\n");
	isl_point_free(p);
}

/* In lexicographic order. */
static void print_points(struct text *t, __isl_keep isl_set *set)
{
	int n = isl_set_dim(set, isl_dim_set);
	isl_set *rest = isl_set_copy(set);

	while (isl_set_is_empty(rest) == isl_bool_false) {
		isl_set *least = isl_set_lexmin(isl_set_copy(rest));

		rest = isl_set_subtract(rest, isl_set_copy(least));
		print_point(t, isl_set_sample_point(least), n);
	}
	isl_set_free(rest);
}

void deps_print_waves(struct text *t, const struct program *prog)
{
	const struct sweep_waves *w = prog->waves;

	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		text_printf(t, "%s in wave %lld*%s", s->name,
			(long long) w->step, w->of->time_name);
		for (int d = 0; d < s->n_dims; d++) {
			if (w->along[d] > 1)
				text_printf(t, " + %lld*%s",
					(long long) w->along[d],
					s->iterator[d]);
			else if (w->along[d] == 1)
				text_printf(t, " + %s", s->iterator[d]);
		}
		if (w->behind[i])
			text_printf(t, " + %lld", (long long) w->behind[i]);
		text_puts(t, "\n");
	}
}

static void print_relations(struct text *t, const struct scop *scop)
{
	struct deps_relations r = deps_relations(scop);

	print_union(t, "flow", r.flow);
	print_union(t, "anti", r.anti);
	print_union(t, "output", r.output);
}

void deps_print(struct text *t, const struct scop *scop)
{
	if (scop->prog->waves)
		deps_print_waves(t, scop->prog);
	else
		print_relations(t, scop);
	for (int i = 0; i < scop->prog->n_fields; i++)
		if (scop->prog->field[i]->kind == FIELD_STATE)
			text_printf(t, "copies of %s: %d\n",
				scop->prog->field[i]->name,
				scop->field[i].buffers);
	text_printf(t, "distances (tau, x) with tau = %d*%s + statement:\n",
		scop->k, scop->prog->waves ? "wave" : "t");
	if (isl_set_is_bounded(scop->deps->distance) == isl_bool_true)
		print_points(t, scop->deps->distance);
	else
		text_puts(t, "  not bounded\n");
}

void rational_print(struct text *t, struct rational r)
{
	if (r.den == 1)
		text_printf(t, "%lld", (long long) r.num);
	else
		text_printf(t, "%lld/%lld", (long long) r.num,
			(long long) r.den);
}

const char *scop_dim_name(const struct scop *scop, int dim)
{
	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (dim < scop->prog->stmt[i]->n_dims)
			return scop->prog->stmt[i]->iterator[dim];
	return "?";
}

void cone_print(struct text *t, const struct scop *scop,
	const struct cone *cone)
{
	for (int d = 0; d < cone->n_dims; d++) {
		if (cone->is_open[d]) {
			text_printf(t, "%s: no cone, the distances are not "
				"bounded\n", scop_dim_name(scop, d));
			continue;
		}
		text_printf(t, "%s: delta0 = ", scop_dim_name(scop, d));
		rational_print(t, cone->delta0[d]);
		text_puts(t, ", delta1 = ");
		rational_print(t, cone->delta1[d]);
		text_puts(t, "\n");
	}
}
