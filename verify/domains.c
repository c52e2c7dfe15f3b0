/* The instances that run are the program's, whatever the form of the plan. */
#include "ir/reduction.h"
#include "verify/checker.h"

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

	if (!s->is_copy && same_for_all_sizes(c, planned, s->domain) !=
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

/* Copy statements --------------------------------------------------------- */

/* { [t, x] : no statement computes the cell x of "field" for step t + 1 } */
static __isl_give isl_set *unwritten(struct checker *c,
	const struct statement *writer)
{
	const struct stmt plain = {
		.write = writer->stmt->write, .n_dims = writer->stmt->n_dims,
	};
	isl_set *rest = points_inside(c, &plain, true);

	for (int i = 0; i < c->n_stmts; i++)
		if (!c->stmt[i].is_copy && c->stmt[i].stmt->write->field ==
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

/* If the cells never written are the same at all steps, they need copying only
 * until all copies hold them: at steps 0 .. buffers - 2; at step 0 the entry
 * does it if there is a copy that the caller does not pass.  It does so for a run: behind a
 * segment of fewer steps other copies of the next one hold older versions.
 */
static __isl_give isl_set *needed_copies(struct checker *c,
	__isl_take isl_set *unwritten, int buffers, int depth)
{
	bool entry_copies = buffers > depth && segments_are_at_least(c->prog,
		buffers - 1);

	unwritten = isl_set_lower_bound_si(unwritten, isl_dim_set, 0,
		entry_copies ? 1 : 0);
	return isl_set_upper_bound_si(unwritten, isl_dim_set, 0, buffers - 2);
}

static bool field_is_copied(struct checker *c, const struct statement *writer,
	const struct statement *copy)
{
	const struct field *f = writer->stmt->write->field;
	int buffers = c->scop->field[f->index].buffers;
	isl_set *rest = unwritten(c, writer);
	isl_set *needed = isl_set_copy(rest);
	bool right;

	if ((!copy || copy->is_brief) &&
	    isl_set_is_empty(rest) != isl_bool_true) {
		if (!is_constant_in_time(c, rest, writer)) {
			isl_set_free(rest);
			isl_set_free(needed);
			return refute(c, "the points of '%s' that nothing "
				"computes change with time, and are copied "
				"in the first steps only", f->name);
		}
		needed = needed_copies(c, needed, buffers, f->depth);
	}
	if (copy) {
		right = has_no_more(c, copy, isl_set_copy(copy->domain),
			rest, "overwrites what a statement computes") &&
			has_no_more(c, copy, isl_set_copy(needed),
			copy->domain, "is not copied to the next step");
	} else {
		right = has_no_more(c, writer, isl_set_copy(needed),
			writer->domain, "is not copied to the next step");
	}
	if (right)
		claim(c, "'%s': where no statement computes a cell its value "
			"is copied to the next step", f->name);
	isl_set_free(rest);
	isl_set_free(needed);
	return right;
}

static const struct statement *statement_of(struct checker *c,
	const struct field *f, bool is_copy)
{
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].is_copy == is_copy &&
		    c->stmt[i].stmt->write->field == f)
			return &c->stmt[i];
	return NULL;
}

/* No two statements compute the same value. */
static bool are_different(struct checker *c, const struct statement *a,
	const struct statement *b)
{
	isl_set *both;

	if (a->stmt->write->field != b->stmt->write->field || a->is_copy ||
	    b->is_copy)
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
		if (!s->is_copy)
			claim(c, "%s: the instances that run are those of the "
				"program, all of them, for all sizes",
				s->name);
	}
	return true;
}

bool check_copy_statements(struct checker *c)
{
	for (int i = 0; i < c->prog->n_fields; i++) {
		const struct field *f = c->prog->field[i];
		const struct statement *writer = statement_of(c, f, false);

		if (f->kind == FIELD_STATE && writer &&
		    !(c->prog->waves && c->scop->field[i].buffers == 1) &&
		    !field_is_copied(c, writer, statement_of(c, f, true)))
			return false;
	}
	return true;
}
