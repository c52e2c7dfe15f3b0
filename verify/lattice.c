/* Tiles as formulas: where they lie, and which points they have. */
#include "verify/checker.h"

/* The dimension whose tiles depend most on time. */
dims hex_dims(const struct plan *plan)
{
	return plan_has_hexagons(plan) ? 1u << plan->tiles.hex_dim : 0;
}

dims with_time(const struct plan *plan, dims which)
{
	return plan_is_diagonal(plan) ? which | hex_dims(plan) : which;
}

static void put_times(struct text *t, int64_t factor, const char *name)
{
	if (factor != 0)
		text_printf(t, " %c %lld*%s", factor < 0 ? '-' : '+',
			(long long) (factor < 0 ? -factor : factor), name);
}

static void put_constant(struct text *t, int64_t value)
{
	if (value != 0)
		text_printf(t, " %c %lld", value < 0 ? '-' : '+',
			(long long) (value < 0 ? -value : value));
}

/* tau = a + k*(T*time_pitch - time_shift[p]), and if the plan is diagonal
 * T - S_e for T
 */
void put_tau(struct text *t, const struct plan *plan, int p, const char *a,
	const char *tt, const char *tile)
{
	int64_t k = plan->scop->k;
	char name[32];

	text_printf(t, "(%s", a);
	if (tt)
		put_times(t, k * plan->time_pitch, tt);
	if (tt && plan_is_diagonal(plan)) {
		snprintf(name, sizeof(name), "%s%d", tile, plan->tiles.hex_dim);
		put_times(t, -k * plan->time_pitch, name);
	}
	put_constant(t, -k * plan->time_shift[p]);
	text_puts(t, ")");
}

/* x + S_d*pitch[d] - shift[d][p] - T*drift[d] */
void put_x(struct text *t, const struct plan *plan, int p, int d,
	const char *x, const char *tt, const char *tile)
{
	char name[32];

	text_printf(t, "(%s%d", x, d);
	if (tile) {
		snprintf(name, sizeof(name), "%s%d", tile, d);
		put_times(t, plan->pitch[d], name);
		put_times(t, -plan->drift[d], tt);
	}
	put_constant(t, -plan->shift[d][p]);
	text_puts(t, ")");
}

static __isl_give isl_set *project_shape(const struct plan *plan, dims which)
{
	isl_set *shape = isl_set_copy(plan->shape);

	for (int d = plan->n_dims - 1; d >= 0; d--)
		if (!has_dim(which, d))
			shape = isl_set_project_out(shape, isl_dim_set,
				(unsigned) (1 + d), 1);
	return fewer_pieces(shape);
}

__isl_give isl_set *shape_at(struct checker *c, const struct plan *plan,
	dims which, int first, int n)
{
	isl_set **kept, *shape;
	int m = 1 + count_dims(plan, which);

	which &= (1u << plan->n_dims) - 1;
	kept = &c->shape[(plan - c->plan) * (ALL_DIMS + 1) + (int) which];
	if (!*kept)
		*kept = keep_in_checker(c, project_shape(plan, which));
	shape = isl_set_insert_dims(isl_set_copy(*kept), isl_dim_set, 0,
		(unsigned) first);
	return isl_set_add_dims(shape, isl_dim_set, (unsigned) (n - first - m));
}

__isl_give isl_set *rows_of(struct checker *c, const struct plan *plan,
	int number)
{
	struct text t = { 0 };
	isl_set *rows;

	text_puts(&t, "{ [a");
	put_dims(&t, "x", plan->n_dims, ALL_DIMS);
	text_printf(&t, "] : a mod %d = %d }", c->scop->k, number);
	rows = isl_set_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return isl_set_intersect(rows, isl_set_copy(plan->shape));
}

int64_t edge_of_set(__isl_keep isl_set *set, int d, bool last)
{
	isl_val *v = last ? isl_set_dim_max_val(isl_set_copy(set), d) :
		isl_set_dim_min_val(isl_set_copy(set), d);
	int64_t value = isl_val_is_int(v) == isl_bool_true ?
		isl_val_get_num_si(v) : last ? INT32_MAX : INT32_MIN;

	isl_val_free(v);
	return value;
}

/* Boxes ----------------------------------------------------------------- */

static const char *pitch_described(const struct checker *c, int d)
{
	int least = c->plan->tiles.given[d].least;
	int step = c->plan->tiles.given[d].step;

	return plan_is_given(c->plan, d) ? region_printf(c->mem,
		"l points, for each l = %d, %d, %d ..", least, least + step,
		least + 2 * step) : region_printf(c->mem, "%d points",
		c->plan->pitch[d]);
}

void describe_pitches(struct text *t, const struct checker *c)
{
	const struct plan *plan = c->plan;

	for (int d = 0; d < plan->n_dims; d++)
		text_printf(t, "tiles of dimension %d: every %s, %s\n",
			d, pitch_described(c, d), plan->role[d] == ROLE_BLOCKS ?
			"a block each" : "one after the other");
}
