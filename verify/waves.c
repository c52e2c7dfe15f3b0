/* A program with sweeps, in waves: its statements are the program's, each instance lies in one
 * wave, and each cell read holds the value that the program reads.
 */
#include "ir/waves.h"
#include "verify/checker.h"

/* Give "c" the statements of its program, with their instances. */
static void find_instances(struct checker *c)
{
	c->stmt = region_array(c->mem, struct statement, c->prog->n_stmts);
	c->n_stmts = 0;
	for (int i = 0; i < c->prog->n_stmts; i++) {
		const struct stmt *s = c->prog->stmt[i];

		c->stmt[i] = (struct statement) { .stmt = s, .name = s->name,
			.domain = instances_of(c, s) };
		c->n_stmts++;
	}
}

static void forget_instances(const struct checker *c)
{
	for (int i = 0; i < c->n_stmts; i++)
		isl_set_free(c->stmt[i].domain);
}

__isl_give isl_set *has_written_steps(struct checker *c,
	__isl_keep isl_space *space)
{
	const struct program *of = c->prog->waves->of;

	return isl_pw_aff_lt_set(value_of(c, space, of->begin),
		value_of(c, space, of->end));
}

/* { [.., t at "pos", x ..] } -> the wave of statement "s" */
static __isl_give isl_pw_aff *wave_of(const struct checker *c,
	__isl_keep isl_space *space, int s, int pos, const struct access *at)
{
	const struct sweep_waves *w = c->prog->waves;
	isl_pw_aff *wave = isl_pw_aff_scale_val(coordinate(space, pos),
		isl_val_int_from_si(c->ctx, w->step));

	for (int d = 0; d < c->prog->stmt[s]->n_dims; d++) {
		isl_pw_aff *x = plus(coordinate(space, 1 + d),
			at ? at->offset[d] : 0);

		wave = isl_pw_aff_add(wave, isl_pw_aff_scale_val(x,
			isl_val_int_from_si(c->ctx, w->along[d])));
	}
	return plus(wave, w->behind[s]);
}

/* { [t, x] -> [w, x] } of statement "s" */
static __isl_give isl_map *to_waves(const struct checker *c, int s,
	__isl_take isl_set *domain)
{
	isl_space *space = isl_set_get_space(domain);
	isl_map *map = isl_map_from_pw_aff(wave_of(c, space, s, 0, NULL));

	for (int d = 0; d < c->prog->stmt[s]->n_dims; d++)
		map = isl_map_flat_range_product(map,
			isl_map_from_pw_aff(coordinate(space, 1 + d)));
	isl_space_free(space);
	return isl_map_intersect_domain(map, domain);
}

static bool instances_are_right(struct checker *c, struct checker *of, int s)
{
	struct statement what = { .stmt = c->prog->stmt[s],
		.name = c->prog->stmt[s]->name };
	isl_set *planned = isl_set_copy(c->stmt[s].domain);
	isl_set *all = isl_map_range(to_waves(c, s, isl_set_copy(
		of->stmt[s].domain)));
	bool right = has_no_more(c, &what, isl_set_copy(planned), all,
		"runs in this wave, and is no instance of the program") &&
		has_no_more(c, &what, isl_set_copy(all), planned,
		"of the program is in no wave");

	isl_set_free(planned);
	isl_set_free(all);
	return right;
}

/* Trees -------------------------------------------------------------------- */

/* Is "e", of statement "s" in waves, the step as written? */
static bool is_the_step(struct checker *c, struct checker *of, int s,
	const struct expr *e)
{
	isl_set *domain = isl_set_copy(of->stmt[s].domain);
	isl_space *space = isl_set_get_space(domain);
	isl_pw_aff *step = plus(coordinate(space, 0), 0);
	isl_pw_aff *wave = value_of(c, space, e);
	isl_map *moved = to_waves(c, s, isl_set_copy(domain));
	isl_set *differs;

	step = isl_pw_aff_add(step, value_of(of, space, of->prog->begin));
	isl_space_free(space);
	/* { [t, x] : the value at [w, x] is not begin + t } */
	differs = wave ? isl_map_wrap(isl_map_subtract(
		isl_map_from_pw_aff(step), isl_map_apply_range(moved,
			isl_map_from_pw_aff(wave)))) : NULL;
	if (!wave) {
		isl_pw_aff_free(step);
		isl_map_free(moved);
		isl_set_free(domain);
		return false;
	}
	differs = isl_map_domain(isl_set_unwrap(differs));
	differs = isl_set_intersect_params(isl_set_intersect(differs, domain),
		isl_set_copy(c->context));
	return is_shown_empty(c, differs);
}

/* Is the read "b" the last value of the cell of "a", that of its wave if it is a temp's? */
static bool is_same_read(const struct access *a, const struct access *b)
{
	bool same = a->field == b->field && b->version ==
		field_is_temp(b->field);

	for (int d = 0; same && d < a->field->n_dims; d++)
		same = access_same_along(a, d, b, d);
	return same;
}

static bool is_same_tree(struct checker *c, struct checker *of, int s,
	const struct expr *a, const struct expr *b)
{
	if (a == b)
		return true;
	if (a->kind == EXPR_TIME)
		return is_the_step(c, of, s, b);
	if (a->kind == EXPR_LOCAL && b->kind == EXPR_LOCAL)
		return is_same_tree(c, of, s, a->local->value,
			b->local->value);
	if (a->kind == EXPR_READ && b->kind == EXPR_READ)
		return is_same_read(a->access, b->access);
	if (!expr_same_node(a, b) || a->n_args != b->n_args)
		return false;
	for (int i = 0; i < a->n_args; i++)
		if (!is_same_tree(c, of, s, a->arg[i], b->arg[i]))
			return false;
	return true;
}

/* Values ------------------------------------------------------------------- */

/* { [t, x, u] : "reader" runs at [t, x], and "writer" writes at step u the cell that "acc"
 * reads there }
 */
static __isl_give isl_set *meetings(struct checker *of, int reader,
	const struct access *acc, int writer)
{
	const struct stmt *s = of->prog->stmt[reader];
	isl_set *runs = isl_set_add_dims(isl_set_copy(
		of->stmt[reader].domain), isl_dim_set, 1);
	isl_set *writes = isl_set_copy(of->stmt[writer].domain);
	isl_space *space = isl_set_get_space(runs);
	isl_map *at = isl_map_from_pw_aff(coordinate(space, 1 + s->n_dims));

	for (int d = 0; d < s->n_dims; d++)
		at = isl_map_flat_range_product(at, isl_map_from_pw_aff(plus(
			coordinate(space, 1 + d), acc->offset[d])));
	isl_space_free(space);
	return isl_set_intersect_params(isl_set_intersect(runs,
		isl_set_apply(writes, isl_map_reverse(at))),
		isl_set_copy(of->context));
}

/* { [t, x, u] in "set" : u <= t + version - 1, the value read or one before it; or not }
 */
static __isl_give isl_set *by_age(__isl_take isl_set *set, int n, int version,
	bool old)
{
	isl_space *space = isl_set_get_space(set);
	isl_pw_aff *u = coordinate(space, 1 + n);
	isl_pw_aff *t = plus(coordinate(space, 0), version - 1);

	isl_space_free(space);
	return isl_set_intersect(set, old ? isl_pw_aff_le_set(u, t) :
		isl_pw_aff_gt_set(u, t));
}

/* { [t, x, u] in "set" : the write is in the read's wave or "later"; or earlier }; in one wave
 * statements run in their order, and the points of one run at once.
 */
static __isl_give isl_set *by_wave(struct checker *c,
	__isl_take isl_set *set, int reader, const struct access *acc,
	int writer, bool later)
{
	const struct stmt *s = c->prog->stmt[reader];
	isl_space *space = isl_set_get_space(set);
	isl_pw_aff *read = wave_of(c, space, reader, 0, NULL);
	isl_pw_aff *write = wave_of(c, space, writer, 1 + s->n_dims, acc);
	bool ties = later ? writer >= reader : writer <= reader;

	isl_space_free(space);
	if (later)
		return isl_set_intersect(set, ties ?
			isl_pw_aff_ge_set(write, read) :
			isl_pw_aff_gt_set(write, read));
	return isl_set_intersect(set, ties ? isl_pw_aff_le_set(write, read) :
		isl_pw_aff_lt_set(write, read));
}

/* { [t, x, u] in "set" : not the same instance } */
static __isl_give isl_set *without_itself(__isl_take isl_set *set,
	const struct access *acc, int n)
{
	isl_space *space = isl_set_get_space(set);
	bool here = true;

	for (int d = 0; d < n; d++)
		here = here && acc->offset[d] == 0;
	if (here)
		set = isl_set_intersect(set, isl_pw_aff_ne_set(
			coordinate(space, 0), coordinate(space, 1 + n)));
	isl_space_free(space);
	return set;
}

/* "acc" of "reader" as written finds its value: writes of that value or earlier ones come
 * before the read, writes of later ones after it.
 */
static bool finds_value(struct checker *c, struct checker *of, int reader,
	const struct access *acc, int version, int writer)
{
	int n = of->prog->stmt[reader]->n_dims;
	isl_set *all = meetings(of, reader, acc, writer);
	bool earlier, later;

	if (reader == writer)
		all = without_itself(all, acc, n);
	earlier = is_shown_empty(c, by_wave(c, by_age(isl_set_copy(all), n,
		version, true), reader, acc, writer, true));
	later = is_shown_empty(c, by_wave(c, by_age(all, n, version, false),
		reader, acc, writer, false));
	return (earlier && later) || refute(c, "%s in its wave does not find "
		"the value of '%s' that the program reads",
		c->prog->stmt[reader]->name, acc->field->name);
}

/* A temp keeps its value for the wave in which it is computed. */
static bool is_of_wave(struct checker *c, struct checker *of, int reader,
	const struct access *acc, int writer)
{
	int n = of->prog->stmt[reader]->n_dims;
	isl_set *own = by_age(meetings(of, reader, acc, writer), n, 1, true);
	isl_space *space = isl_set_get_space(own);
	isl_pw_aff *read = wave_of(c, space, reader, 0, NULL);
	isl_pw_aff *write = wave_of(c, space, writer, 1 + n, acc);

	own = isl_set_intersect(own, isl_pw_aff_eq_set(coordinate(space, 0),
		coordinate(space, 1 + n)));
	isl_space_free(space);
	return is_shown_empty(c, isl_set_intersect(own, isl_pw_aff_ne_set(read,
		write))) || refute(c, "%s reads the temp '%s' of another wave",
		c->prog->stmt[reader]->name, acc->field->name);
}

static bool temps_are_right(struct checker *c, struct checker *of, int s)
{
	const struct stmt *reader = of->prog->stmt[s];

	for (int i = 0; i < reader->n_reads; i++)
		for (int j = 0; j < of->prog->n_stmts; j++)
			if (field_is_temp(reader->read[i]->field) &&
			    of->prog->stmt[j]->write->field ==
			    reader->read[i]->field &&
			    !is_of_wave(c, of, s, reader->read[i], j))
				return false;
	return true;
}

static bool cell_is_right(struct checker *c, struct checker *of, int s,
	const struct access *acc, int version)
{
	for (int i = 0; i < of->prog->n_stmts; i++)
		if (of->prog->stmt[i]->write->field == acc->field &&
		    !finds_value(c, of, s, acc, version, i))
			return false;
	return true;
}

static bool values_are_right(struct checker *c, struct checker *of, int s)
{
	const struct stmt *as_written = of->prog->stmt[s];

	for (int i = 0; i < as_written->n_reads; i++)
		if (as_written->read[i]->field->kind == FIELD_STATE &&
		    !cell_is_right(c, of, s, as_written->read[i],
		    as_written->read[i]->version))
			return false;
	/* what it writes comes after all earlier values of its cell */
	return cell_is_right(c, of, s, as_written->write, 1);
}

static bool statement_is_right(struct checker *c, struct checker *of, int s)
{
	const struct stmt *stmt = c->prog->stmt[s];

	if (!instances_are_right(c, of, s) || !values_are_right(c, of, s) ||
	    !temps_are_right(c, of, s))
		return false;
	if (!is_same_tree(c, of, s, of->prog->stmt[s]->value, stmt->value))
		return refute(c, "%s in waves has another value than as "
			"written", stmt->name);
	claim(c, "%s: each instance of the program is in one wave, and finds "
		"there the values that it reads, one point after the other",
		stmt->name);
	return true;
}

bool check_waves(struct checker *c)
{
	/* the program as written, in the checker's names */
	struct checker of = *c;
	const struct checker own = *c;
	bool right = true;

	/* a block has the waves of the whole program */
	if (!c->prog->waves || c->prog->is_within)
		return true;
	section(c, "Waves compute what sweeps do");
	of.prog = c->prog->waves->of;
	find_instances(&of);
	find_instances(c);
	for (int s = 0; s < c->prog->n_stmts && right; s++)
		right = statement_is_right(c, &of, s);
	forget_instances(&of);
	forget_instances(c);
	c->stmt = own.stmt;
	c->n_stmts = own.n_stmts;
	return right;
}
