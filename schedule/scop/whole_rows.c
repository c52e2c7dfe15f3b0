/* Statements of C on every other point of a row, as red ones in red-black relaxation: vectors want
 * whole rows, in which points of the other colour keep what they have,
 *
 *	u[t+1][i][j] = (i + j + t) % 2 == 0 ? new : u[t][i][j]
 */
#include "ir/join.h"
#include "ir/rewrite.h"
#include "schedule/scop/passes.h"
#include "schedule/scop/sets.h"

/* Conditions of a statement, by whether remainders of the point decide them; &&, one by one. */
struct divided {
	struct region *mem;
	const struct stmt *stmt;
	const struct expr *alternating;		/* of all that do; NULL: none */
	const struct expr **rest;
	int n_rest;
};

static void divide(struct divided *d, const struct expr *e)
{
	if (e->kind == EXPR_BINARY && e->op == OP_AND) {
		divide(d, e->arg[0]);
		divide(d, e->arg[1]);
	} else if (!expr_has_remainder(e)) {
		d->rest[d->n_rest++] = e;
	} else {
		d->alternating = !d->alternating ? e : expr_binary(d->mem,
			OP_AND, d->alternating, e, e->at);
	}
}

static int count_conditions(const struct expr *e)
{
	return e->kind == EXPR_BINARY && e->op == OP_AND ?
		count_conditions(e->arg[0]) + count_conditions(e->arg[1]) : 1;
}

static struct divided divided_conditions(struct region *mem,
	const struct stmt *s)
{
	struct divided d = { .mem = mem, .stmt = s };
	int n = 0;

	for (int i = 0; i < s->n_conditions; i++)
		n += count_conditions(s->condition[i]);
	d.rest = region_array(mem, const struct expr *, n + 1);
	for (int i = 0; i < s->n_conditions; i++)
		divide(&d, s->condition[i]);
	return d;
}

/* Functions and elements take long, or may have no value elsewhere; nor may integers. */
static bool is_costly(const void *user, const struct expr *e)
{
	(void) user;
	if (e->kind == EXPR_READ)
		return type_is_integer(e->type);
	return e->kind == EXPR_ELEMENT || (e->kind == EXPR_CALL &&
		!op_is_short_function(e->op)) || (e->kind == EXPR_BINARY &&
		(e->op == OP_DIV || e->op == OP_MOD) &&
		type_is_integer(e->type) && e->arg[1]->kind != EXPR_INT);
}

/* Could it be computed at all points of rows? */
static bool may_fill(const struct program *prog, const struct stmt *s)
{
	const struct field *f = s->write->field;

	return f->kind == FIELD_STATE && !f->is_hidden &&
		!type_is_integer(f->type) && s->n_conditions > 0 &&
		!s->sweeps && !s->n_listed && !s->needed && !s->written &&
		program_count_writers(prog, f) == 1 &&
		!expr_find(s->value, is_costly, NULL);
}

/* What the point has before "s", which becomes one of its reads. */
static const struct expr *kept_value(struct region *mem, struct stmt *s)
{
	struct access *a = region_new_of(mem, struct access);
	struct expr *e = expr_leaf(mem, EXPR_READ, s->write->field->type,
		s->value->at);
	const struct access **read = region_array(mem, const struct access *,
		s->n_reads + 1);
	int same = 0;

	*a = *s->write;
	a->version = s->write->version - 1;
	a->at = s->value->at;
	while (same < s->n_reads && !access_same_cell(s->read[same], a)) {
		read[same] = s->read[same];
		same++;
	}
	if (same == s->n_reads) {
		read[s->n_reads++] = a;
		s->read = read;
	}
	e->access = s->read[same];
	return e;
}

/* "d.stmt" at all points of its rows. */
static const struct stmt *filled(const struct divided *d)
{
	struct stmt *all = region_new_of(d->mem, struct stmt);

	*all = *d->stmt;
	all->condition = d->rest;
	all->n_conditions = d->n_rest;
	all->value = expr_select(d->mem, d->alternating, d->stmt->value,
		kept_value(d->mem, all), d->stmt->at);
	return all;
}

/* { [t, x] } of the statement, however it is called, for the sizes that may be. */
static __isl_give isl_set *points_of(const struct scop *scop,
	const struct stmt *s)
{
	isl_set *set = isl_set_reset_tuple_id(scop_domain(scop, s));

	return set_coalesce(isl_set_intersect_params(set,
		scop_valid_sizes(scop)));
}

/* Is it one polyhedron without holes? */
static bool is_whole(__isl_keep isl_set *set)
{
	isl_basic_set *hull = isl_set_simple_hull(isl_set_copy(set));
	isl_set *without = isl_set_from_basic_set(
		isl_basic_set_remove_divs(hull));
	bool whole = isl_set_is_equal(set, without) == isl_bool_true;

	isl_set_free(without);
	return whole;
}

/* Is, of two points of "all" beside each other in a row, one among "some"? */
static bool alternate(__isl_keep isl_set *some, __isl_keep isl_set *all)
{
	int last = (int) isl_set_dim(all, isl_dim_set) - 1;
	isl_set *before = shift_dim(isl_set_copy(some), last, -1);
	isl_set *pairs = isl_set_intersect(isl_set_copy(all),
		shift_dim(isl_set_copy(all), last, -1));
	bool one = isl_set_is_disjoint(some, before) == isl_bool_true;
	isl_set *either = isl_set_union(isl_set_copy(some), before);
	bool any = isl_set_is_subset(pairs, either) == isl_bool_true;

	isl_set_free(pairs);
	isl_set_free(either);
	return one && any;
}

/* "s", or what fills its rows. */
static const struct stmt *with_whole_rows(const struct scop *scop,
	const struct stmt *s)
{
	struct divided d;
	const struct stmt *all;
	isl_set *some, *points;
	bool fills;

	if (!may_fill(scop->prog, s))
		return s;
	d = divided_conditions(scop->mem, s);
	if (!d.alternating)
		return s;
	all = filled(&d);
	some = points_of(scop, s);
	points = points_of(scop, all);
	fills = isl_set_is_empty(points) == isl_bool_false &&
		is_whole(points) && alternate(some, points);
	isl_set_free(some);
	isl_set_free(points);
	return fills ? all : s;
}

const struct program *program_fill_rows(struct region *mem, isl_ctx *ctx,
	const struct program *prog)
{
	struct scop scop = scop_with_domains(mem, ctx, prog);
	struct program *result = region_new_of(mem, struct program);

	*result = *prog;
	result->n_stmts = 0;
	result->stmt = region_array(mem, struct stmt *, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++)
		program_append(mem, result, with_whole_rows(&scop,
			prog->stmt[i]));
	return result;
}
