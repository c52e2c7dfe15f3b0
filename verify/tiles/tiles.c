/* Each instance runs exactly once: the statements' domains are those of the
 * program, each point lies in exactly one tile, and all tiles are launched, see
 * launches.c.
 *
 * A tile (p, T, S) is the shape at an origin that is linear in T and S.  Two
 * tiles thus relate as two others that are as far apart, and T = S = 0 stands
 * for all of them.
 */
#include "verify/checker.h"

/* Formulas -------------------------------------------------------------- */

bool has_dim(dims which, int d)
{
	return which >> d & 1;
}

/* The dimension whose tiles depend on time most. */
static dims hex_dims(const struct plan *plan)
{
	return plan->tiles.hex_dim < 0 ? 0 : 1u << plan->tiles.hex_dim;
}

dims with_time(const struct plan *plan, dims which)
{
	return plan->tiles.diagonal ? which | hex_dims(plan) : which;
}

int count_dims(const struct plan *plan, dims which)
{
	int n = 0;

	for (int d = 0; d < plan->n_dims; d++)
		n += has_dim(which, d);
	return n;
}

void put_dims(struct text *t, const char *name, int n, dims which)
{
	for (int d = 0; d < n; d++)
		if (has_dim(which, d))
			text_printf(t, ", %s%d", name, d);
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
	if (tt && plan->tiles.diagonal) {
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

/* Disjoint -------------------------------------------------------------- */

/* { points of tile (p, 0, 0) at [a, x] and of (q, T, S) at [b, y] that are
 * one : "piece" }, seen in the dimensions "which"
 */
static __isl_give isl_set *common_points(struct checker *c,
	const struct plan *plan, int p, int q, const char *piece, dims which)
{
	int n = plan->n_dims, m, all;
	struct text t = { 0 };
	isl_set *set;

	which = with_time(plan, which);
	m = count_dims(plan, which);
	all = 3 + 3 * m;
	text_puts(&t, "{ [a");
	put_dims(&t, "x", n, which);
	text_puts(&t, ", b");
	put_dims(&t, "y", n, which);
	text_puts(&t, ", T");
	put_dims(&t, "S", n, which);
	text_puts(&t, "] : ");
	put_tau(&t, plan, p, "a", NULL, NULL);
	text_puts(&t, " = ");
	put_tau(&t, plan, q, "b", "T", "S");
	for (int d = 0; d < n; d++) {
		if (!has_dim(which, d))
			continue;
		text_puts(&t, " and ");
		put_x(&t, plan, p, d, "x", NULL, NULL);
		text_puts(&t, " = ");
		put_x(&t, plan, q, d, "y", "T", "S");
	}
	text_printf(&t, " and %s }", piece);
	set = isl_set_read_from_str(c->ctx, t.bytes);
	note_formula(c, plan, t.bytes);
	text_free(&t);
	set = isl_set_intersect(set, shape_at(c, plan, which, 0, all));
	return isl_set_intersect(set, shape_at(c, plan, which, 1 + m, all));
}

static bool are_apart(struct checker *c, const struct plan *plan, int p, int q,
	const char *piece, dims which)
{
	isl_set *common;
	isl_point *example;

	if (is_shown_empty(c, common_points(c, plan, p, q, piece, which)))
		return true;
	common = common_points(c, plan, p, q, piece, ALL_DIMS);
	if (is_shown_empty(c, isl_set_copy(common))) {
		isl_set_free(common);
		return true;
	}
	example = isl_set_sample_point(common);
	refute(c, "an instance runs twice: row a = %lld of the tile (phase "
		"%d, T = 0, S0 = 0) is also row %lld of the tile (phase %d, "
		"T = %lld, S0 = %lld)",
		(long long) coordinate_of_point(example, 0), p,
		(long long) coordinate_of_point(example, 1 + plan->n_dims), q,
		(long long) coordinate_of_point(example, 2 + 2 * plan->n_dims),
		(long long) coordinate_of_point(example,
			3 + 2 * plan->n_dims));
	isl_point_free(example);
	return false;
}

/* Different tiles have no point in common. */
static bool tiles_are_disjoint(struct checker *c, const struct plan *plan)
{
	dims hex = hex_dims(plan);
	char piece[64];

	for (int p = 0; p < plan->n_phases; p++) {
		for (int q = p + 1; q < plan->n_phases; q++)
			if (!are_apart(c, plan, p, q, "0 = 0", hex))
				return false;
		if (!are_apart(c, plan, p, p, "T > 0", hex))
			return false;
		for (int d = 0; d < plan->n_dims; d++) {
			snprintf(piece, sizeof(piece), "T = 0 and S%d > 0", d);
			if (!are_apart(c, plan, p, p, piece, 1u << d))
				return false;
		}
	}
	return true;
}

/* Covered --------------------------------------------------------------- */

/* The points of row "a" of the shape, which must be a box; -1 if it is not. */
static int64_t points_of_row(const struct plan *plan, int a)
{
	isl_set *row = isl_set_fix_si(isl_set_copy(plan->shape), isl_dim_set,
		0, a);
	isl_set *box = isl_set_fix_si(isl_set_universe(
		isl_set_get_space(row)), isl_dim_set, 0, a);
	int64_t points = isl_set_is_empty(row) == isl_bool_true ? 0 : 1;

	for (int d = 1; d <= plan->n_dims && points > 0; d++) {
		isl_val *low = isl_set_dim_min_val(isl_set_copy(row), d);
		isl_val *high = isl_set_dim_max_val(isl_set_copy(row), d);

		if (isl_val_is_int(low) != isl_bool_true ||
		    isl_val_is_int(high) != isl_bool_true) {
			points = -1;
		} else {
			points *= isl_val_get_num_si(high) -
				isl_val_get_num_si(low) + 1;
			box = isl_set_lower_bound_val(box, isl_dim_set,
				(unsigned) d, isl_val_copy(low));
			box = isl_set_upper_bound_val(box, isl_dim_set,
				(unsigned) d, isl_val_copy(high));
		}
		isl_val_free(low);
		isl_val_free(high);
	}
	if (points > 0 && isl_set_is_subset(box, row) != isl_bool_true)
		points = -1;
	isl_set_free(row);
	isl_set_free(box);
	return points;
}

/* Points of the lattice of origins: |det| of its steps (time_pitch, -drift) for
 * T and (0, pitch), or (-time_pitch, pitch) on a diagonal, for S.
 */
static int64_t points_of_period(const struct plan *plan)
{
	int64_t all = plan->time_pitch;

	for (int d = 0; d < plan->n_dims; d++)
		all *= plan->pitch[d] - (plan->tiles.diagonal &&
			d == plan->tiles.hex_dim ? plan->drift[d] : 0);
	return all;
}

/* Disjoint tiles hold all points of a statement if they hold as many as there
 * are: tiles repeat with a period of time_pitch steps and pitch[d] points,
 * and of these points each phase has a tile.
 */
static bool tiles_cover(struct checker *c, const struct plan *plan, int slot)
{
	int64_t points = 0, all = points_of_period(plan);
	int k = plan->scop->k;

	for (int a = slot; a < plan->rows; a += k) {
		int64_t row = points_of_row(plan, a);

		if (row < 0)
			return refute(c, "row %d of a tile is no box", a);
		points += row;
	}
	points *= plan->n_phases;
	if (points != all)
		return refute(c, "of %lld instances of statement %d the tiles "
			"of a period hold %lld: some never run", (long long)
			all, slot, (long long) points);
	claim(c, "statement %d: a period of %d steps holds %lld points, and so "
		"do its %d tile%s: each point is in a tile", slot,
		plan->time_pitch, (long long) all, plan->n_phases,
		plan->n_phases > 1 ? "s" : "");
	return true;
}

static bool has_rows_in_range(struct checker *c, const struct plan *plan)
{
	isl_set *below = isl_set_upper_bound_si(isl_set_copy(plan->shape),
		isl_dim_set, 0, -1);
	isl_set *above = isl_set_lower_bound_si(isl_set_copy(plan->shape),
		isl_dim_set, 0, plan->rows);

	return is_shown_empty(c, isl_set_union(below, above)) ||
		refute(c, "a tile has rows beyond 0 .. %d", plan->rows - 1);
}

/* Domains --------------------------------------------------------------- */

static isl_bool same_for_all_sizes(struct checker *c, isl_set *a, isl_set *b)
{
	isl_set *x = isl_set_intersect_params(isl_set_copy(a),
		isl_set_copy(c->context));
	isl_set *y = isl_set_intersect_params(isl_set_copy(b),
		isl_set_copy(c->context));
	isl_bool equal = isl_set_plain_is_equal(x, y);

	if (equal != isl_bool_true)
		equal = isl_set_is_equal(x, y);
	isl_set_free(x);
	isl_set_free(y);
	return equal;
}

bool has_no_more(struct checker *c, const struct statement *s,
	__isl_take isl_set *more, isl_set *less, const char *what)
{
	isl_set *rest = isl_set_intersect_params(isl_set_subtract(more,
		isl_set_copy(less)), isl_set_copy(c->context));
	isl_point *example;

	if (is_shown_empty(c, isl_set_copy(rest))) {
		isl_set_free(rest);
		return true;
	}
	example = example_of(c, rest);
	if (example)
		refute(c, "%s: %s %s", sizes_of_point(c, example),
			instance_of_point(c, s, example, 0), what);
	isl_point_free(example);
	isl_set_free(rest);
	return refute(c, "%s: some instance %s", s->name, what);
}

static bool domain_is_right(struct checker *c, const struct statement *s)
{
	isl_set *planned = adopt(c, s->plan_stmt->domain);
	isl_set *hull = adopt(c, s->plan_stmt->hull);
	bool right = true;

	if (!s->is_carry && same_for_all_sizes(c, planned, s->domain) !=
	    isl_bool_true)
		right = has_no_more(c, s, isl_set_copy(planned), s->domain,
			"runs, but is no instance of the program") &&
			has_no_more(c, s, isl_set_copy(s->domain), planned,
			"of the program does not run");
	right = right && has_no_more(c, s, isl_set_copy(s->domain), hull,
		"lies outside of what is launched");
	isl_set_free(planned);
	isl_set_free(hull);
	return right;
}

/* Carries --------------------------------------------------------------- */

/* { [t, x] : no statement computes the cell x of "field" for step t + 1 } */
static __isl_give isl_set *unwritten(struct checker *c,
	const struct statement *writer)
{
	const struct stmt plain = {
		.write = writer->stmt->write, .n_dims = writer->stmt->n_dims,
	};
	isl_set *rest = points_inside(c, &plain, true);

	for (int i = 0; i < c->n_stmts; i++)
		if (!c->stmt[i].is_carry && c->stmt[i].stmt->write->field ==
		    writer->stmt->write->field)
			rest = isl_set_subtract(rest,
				isl_set_copy(c->stmt[i].domain));
	return isl_set_intersect_params(fewer_pieces(rest),
		isl_set_copy(c->context));
}

/* Is "set" of [t, x] the same at all steps? */
static bool is_constant_in_time(struct checker *c, __isl_keep isl_set *set,
	const struct statement *writer)
{
	const struct stmt plain = {
		.write = writer->stmt->write, .n_dims = writer->stmt->n_dims,
	};
	isl_set *all = isl_set_intersect(isl_set_eliminate(isl_set_copy(set),
		isl_dim_set, 0, 1), points_inside(c, &plain, true));
	isl_set *sometimes = isl_set_subtract(all, isl_set_copy(set));

	return is_shown_empty(c, isl_set_intersect_params(sometimes,
		isl_set_copy(c->context)));
}

/* If what is never written is the same at all steps it needs to be copied
 * until all copies have it: at steps 0 .. buffers - 2; at step 0 the entry does
 * it if there is a copy that the caller does not pass.
 */
static __isl_give isl_set *needed_carries(__isl_take isl_set *unwritten,
	int buffers, int depth)
{
	unwritten = isl_set_lower_bound_si(unwritten, isl_dim_set, 0,
		buffers > depth ? 1 : 0);
	return isl_set_upper_bound_si(unwritten, isl_dim_set, 0, buffers - 2);
}

static bool field_is_carried(struct checker *c, const struct statement *writer,
	const struct statement *carry)
{
	const struct field *f = writer->stmt->write->field;
	int buffers = c->scop->field[f->index].buffers;
	isl_set *rest = unwritten(c, writer);
	isl_set *needed = isl_set_copy(rest);
	bool right;

	if ((!carry || carry->is_brief) &&
	    isl_set_is_empty(rest) != isl_bool_true) {
		if (!is_constant_in_time(c, rest, writer)) {
			isl_set_free(rest);
			isl_set_free(needed);
			return refute(c, "the points of '%s' that nothing "
				"computes change with time, and are carried "
				"in the first steps only", f->name);
		}
		needed = needed_carries(needed, buffers, f->depth);
	}
	if (carry) {
		right = has_no_more(c, carry, isl_set_copy(carry->domain),
			rest, "overwrites what a statement computes") &&
			has_no_more(c, carry, isl_set_copy(needed),
			carry->domain, "is not carried to the next step");
	} else {
		right = has_no_more(c, writer, isl_set_copy(needed),
			writer->domain, "is not carried to the next step");
	}
	if (right)
		claim(c, "'%s': where no statement computes a cell its value "
			"is carried to the next step", f->name);
	isl_set_free(rest);
	isl_set_free(needed);
	return right;
}

static const struct statement *statement_of(struct checker *c,
	const struct field *f, bool is_carry)
{
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].is_carry == is_carry &&
		    c->stmt[i].stmt->write->field == f)
			return &c->stmt[i];
	return NULL;
}

/* No two statements compute the same value. */
static bool are_different(struct checker *c, const struct statement *a,
	const struct statement *b)
{
	isl_set *both;

	if (a->stmt->write->field != b->stmt->write->field || a->is_carry ||
	    b->is_carry)
		return true;
	both = isl_set_intersect(isl_set_copy(a->domain),
		isl_set_copy(b->domain));
	return is_shown_empty(c, isl_set_intersect_params(both,
		isl_set_copy(c->context))) ||
		refute(c, "%s and %s compute the same value", a->name,
			b->name);
}

bool check_domains(struct checker *c)
{
	section(c, "What runs is what the program says");
	for (int i = 0; i < c->n_stmts; i++) {
		const struct statement *s = &c->stmt[i];

		if (!domain_is_right(c, s))
			return false;
		for (int j = 0; j < i; j++)
			if (!are_different(c, &c->stmt[j], s))
				return false;
		if (!s->is_carry)
			claim(c, "%s: the instances that run are those of the "
				"program, all of them, for all sizes",
				s->name);
	}
	return true;
}

bool check_carries(struct checker *c)
{
	for (int i = 0; i < c->prog->n_fields; i++) {
		const struct field *f = c->prog->field[i];
		const struct statement *writer = statement_of(c, f, false);

		if (f->kind == FIELD_STATE && writer &&
		    !field_is_carried(c, writer, statement_of(c, f, true)))
			return false;
	}
	return true;
}

bool check_tiles(struct checker *c)
{
	if (!check_domains(c) || !check_carries(c))
		return false;
	section(c, "Each instance lies in exactly one tile, which is launched");
	for (int q = 0; q < c->n_plans; q++) {
		const struct plan *plan = &c->plan[q];

		if (!has_rows_in_range(c, plan) ||
		    !tiles_are_disjoint(c, plan))
			return false;
		claim(c, "launch %d: no two tiles of any T, phase and S have a "
			"point in common", q);
		for (int i = 0; i < c->n_stmts; i++)
			if (c->stmt[i].plan == plan && !c->stmt[i].is_carry &&
			    !tiles_cover(c, plan, c->stmt[i].slot))
				return false;
		if (!check_launches(c, plan))
			return false;
	}
	return true;
}
