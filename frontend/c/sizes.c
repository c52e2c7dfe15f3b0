/* The sizes of arrays without declared sizes: as much as the region uses. */
#include "frontend/c/border.h"
#include "frontend/c/exchange.h"
#include "frontend/c/list.h"
#include "frontend/c/lookup.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/reach.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

enum { MOST_VOTERS = 32 };

/* The cells of "field", and of other parts of its elements, that the region uses. */
struct used {
	struct stencil *s;
	const struct c_field *field;
	int dim;
	bool turned;		/* counting subscripts that turn back along
				 * "dim" only at ends, unless the array is too
				 * small */
	isl_set *cells;
	isl_set *nests;		/* .. by loops along "dim"; NULL: none */
	struct c_reach *reach;	/* .. by accesses so far */
};

static isl_set *joined(isl_set *a, __isl_take isl_set *b)
{
	return a ? isl_set_union(a, b) : b;
}

static bool add_used(void *user, struct c_access *a)
{
	struct used *used = user;
	isl_set *cells;

	if ((a->field != used->field && !share_array(a->field, used->field) &&
	     a->field != exchanged_for(used->s, used->field)) ||
	    access_is_fixed(used->s, a) ||
	    (a->around[used->dim] && !used->turned) || is_within_reach(used->s, &used->reach, a))
		return true;
	cells = access_is_of_step(used->s, a) ?
		isl_map_range(access_cells(used->s, a)) :
		cells_touched(used->s, a);
	if (loop_of(a->place.loop, &a->sub[used->dim]))
		used->nests = joined(used->nests, isl_set_copy(cells));
	used->cells = joined(used->cells, cells);
	return true;
}

/* Call "each" for the accesses of the stencil, of records and lookups those that sets can express, and for the
 * places of lists in "f".
 */
struct uses {
	struct stencil *s;
	bool (*each)(void *user, struct c_access *a);
	void *user;
};

static bool each_recorded(void *user, struct c_access *a)
{
	const struct uses *all = user;

	return !is_affine_access(all->s, a) || all->each(all->user, a);
}

static void each_of(const struct c_update *u, bool (*each)(void *user, struct c_access *a), void *user)
{
	for (; u; u = u->next) {
		update_reads(u, each, user);
		each(user, u->write);
	}
}

static void each_use(struct stencil *s, const struct c_field *f,
	bool (*each)(void *user, struct c_access *a), void *user)
{
	struct uses all = { s, each, user };

	each_of(s->updates, each, user);
	if (s->leaves.left)
		each_of(s->leaves.left->updates, each, user);
	for (const struct c_result *r = s->until.results; r; r = r->next)
		update_reads(r->of, each, user);
	for (const struct c_record *r = s->recorded.first; r; r = r->next)
		each_read(r->value, each_recorded, &all);
	for (const struct c_field *g = s->fields; g; g = g->next)
		for (int i = 0; g->lookup && g->lookup->is_sure && i < g->lookup->n_reads; i++)
			each_recorded(&all, g->lookup->read[i]);
	add_listed_cells(s, f, each, user);
}

/* A sum that may be the size "all". */
struct candidate {
	struct stencil *s;
	struct c_field *field;
	int dim;
	isl_pw_aff *all;
};

static bool is_empty(__isl_take isl_set *set)
{
	bool empty = isl_set_is_empty(set) == isl_bool_true;

	isl_set_free(set);
	return empty;
}

/* A sum beside a candidate, piece by piece. */
struct comparison {
	isl_aff *sum;
	bool is_less;			/* somewhere */
};

/* Is the sum never more than "aff" in "set", and less only where it is not positive? */
static isl_stat compare_piece(__isl_take isl_set *set, __isl_take isl_aff *aff,
	void *user)
{
	struct comparison *c = user;
	isl_set *less = isl_set_intersect(isl_set_copy(set), isl_aff_lt_set(
		isl_aff_copy(c->sum), isl_aff_copy(aff)));
	bool fits = is_empty(isl_set_intersect(set, isl_aff_gt_set(
		isl_aff_copy(c->sum), aff)));

	c->is_less |= isl_set_is_empty(less) == isl_bool_false;
	fits &= is_empty(isl_set_intersect(less, isl_pw_aff_pos_set(
		isl_pw_aff_from_aff(isl_aff_copy(c->sum)))));
	return fits ? isl_stat_ok : isl_stat_error;
}

/* Is "aff" the size in all pieces?  Then it is positive where it is less. */
static isl_stat try_piece(__isl_take isl_set *set, __isl_take isl_aff *aff,
	void *user)
{
	struct candidate *c = user;
	struct poly *size = &c->field->size[c->dim];
	struct comparison own = { .sum = aff };

	isl_set_free(set);
	if (!c->field->is_sized[c->dim] && isl_pw_aff_foreach_piece(c->all,
	    compare_piece, &own) == isl_stat_ok && poly_of_aff(c->s, aff,
	    size)) {
		c->field->is_sized[c->dim] = true;
		c->field->is_positive[c->dim] = own.is_less;
	}
	isl_aff_free(aff);
	return isl_stat_ok;
}

/* How many of "cells" there are along "dim"; NULL: nothing bounds them. */
static __isl_give isl_pw_aff *extent(struct stencil *s,
	__isl_take isl_set *cells, int dim)
{
	if (isl_set_dim_has_upper_bound(cells, isl_dim_set,
	    (unsigned) dim) != isl_bool_true) {
		isl_set_free(cells);
		return NULL;
	}
	return isl_pw_aff_add_constant_val(isl_set_dim_max(
		isl_set_coalesce(cells), dim), isl_val_one(s->isl));
}

bool find_size(struct stencil *s, struct c_field *f, int dim,
	__isl_take isl_set *cells)
{
	struct candidate c = { s, f, dim, extent(s, cells, dim) };

	if (!c.all)
		return false;
	isl_pw_aff_foreach_piece(c.all, try_piece, &c);
	isl_pw_aff_free(c.all);
	return f->is_sized[dim];
}

/* A sum that is the size "all" for all parameters but small ones, those for which an edge in the loops
 * takes more of the array than they do; the emitted file asks for others.
 */
static isl_stat try_large(__isl_take isl_set *set, __isl_take isl_aff *aff,
	void *user)
{
	struct candidate *c = user;
	isl_set *other = isl_pw_aff_ne_set(isl_pw_aff_copy(c->all),
		isl_pw_aff_from_aff(isl_aff_copy(aff)));

	isl_set_free(set);
	if (!c->field->is_sized[c->dim] &&
	    poly_of_aff(c->s, aff, &c->field->size[c->dim]) &&
	    assume_beyond(c->s, isl_set_copy(other)))
		c->field->is_sized[c->dim] = true;
	isl_set_free(other);
	isl_aff_free(aff);
	return isl_stat_ok;
}

/* By the cells of loops, if the emitted file can ask whether sources, receivers and other cells at one place,
 * with which the size is "all", lie among them.
 */
static void find_size_in_nests(const struct used *used, struct c_field *f,
	__isl_keep isl_pw_aff *all)
{
	isl_pw_aff *nests = extent(used->s, isl_set_copy(used->nests),
		used->dim);
	struct candidate c = { used->s, f, used->dim, nests };

	if (!nests)
		return;
	isl_pw_aff_foreach_piece(nests, try_piece, &c);
	if (f->is_sized[used->dim] && !ask_for_rows(used->s, isl_pw_aff_le_set(
	    isl_pw_aff_copy(all), isl_pw_aff_copy(nests))))
		f->is_sized[used->dim] = f->is_positive[used->dim] = false;
	isl_pw_aff_free(nests);
}

/* Loops vote for a sum as the size along the dimension: those that count that many cells, but for a number. */
struct election {
	const struct used *used;
	isl_aff *sum, *most;
	const struct c_stmt *voter[MOST_VOTERS];
	int n, first;			/* of votes, and the place of the first voter; of the sum with the most: */
	int n_most, first_most;
};

static isl_stat is_other_sum(__isl_take isl_set *set, __isl_take isl_aff *aff,
	void *user)
{
	struct election *e = user;
	isl_aff *apart = isl_aff_sub(aff, isl_aff_copy(e->sum));
	bool other = isl_aff_is_cst(apart) != isl_bool_true;

	isl_set_free(set);
	isl_aff_free(apart);
	return other ? isl_stat_error : isl_stat_ok;
}

/* Has the loop that counts "a" along the dimension voted?  Then, or without one, it does not again. */
static bool may_vote(struct election *e, const struct c_access *a)
{
	const struct c_loop *loop = loop_of(a->place.loop,
		&a->sub[e->used->dim]);

	for (int i = 0; i < e->n && loop; i++)
		if (e->voter[i] == loop->stmt)
			loop = NULL;
	if (loop && e->n < MOST_VOTERS)
		e->voter[e->n] = loop->stmt;
	return loop && e->n < MOST_VOTERS;
}

static bool vote(void *user, struct c_access *a)
{
	struct election *e = user;
	struct used own = *e->used;
	isl_pw_aff *size;

	if (!may_vote(e, a))
		return true;
	own.cells = own.nests = NULL;
	own.reach = NULL;
	add_used(&own, a);
	size = own.nests ? extent(own.s, isl_set_copy(own.nests), own.dim) :
		NULL;
	if (size && isl_pw_aff_foreach_piece(size, is_other_sum, e) ==
	    isl_stat_ok) {
		if (!e->n || a->place.order < e->first)
			e->first = a->place.order;
		e->n++;
	}
	isl_pw_aff_free(size);
	isl_set_free(own.cells);
	isl_set_free(own.nests);
	return true;
}

/* Does "a" exceed "b" by a number? */
static bool is_more(__isl_keep isl_aff *a, __isl_keep isl_aff *b)
{
	isl_aff *apart = isl_aff_sub(isl_aff_copy(a), isl_aff_copy(b));
	isl_val *number = isl_aff_get_constant_val(apart);
	bool more = isl_aff_is_cst(apart) == isl_bool_true &&
		isl_val_is_pos(number) == isl_bool_true;

	isl_val_free(number);
	isl_aff_free(apart);
	return more;
}

static bool is_number(__isl_keep isl_aff *aff)
{
	return isl_aff_is_cst(aff) == isl_bool_true;
}

/* Has the sum more votes than the best so far, or as many, the first of which comes earlier, or is it larger?  Numbers,
 * which conditions on indices give, come behind sums of variables.
 */
static bool wins(const struct election *e)
{
	if (e->n && e->most && is_number(e->sum) != is_number(e->most))
		return is_number(e->most);
	if (!e->n || e->n != e->n_most)
		return e->n > e->n_most;
	return e->first < e->first_most || is_more(e->sum, e->most);
}

static isl_stat try_votes(__isl_take isl_set *set, __isl_take isl_aff *aff,
	void *user)
{
	struct election *e = user;

	isl_set_free(set);
	e->sum = aff;
	e->n = 0;
	each_use(e->used->s, e->used->field, vote, e);
	if (wins(e)) {
		isl_aff_free(e->most);
		e->most = isl_aff_copy(aff);
		e->n_most = e->n;
		e->first_most = e->first;
	}
	isl_aff_free(aff);
	return isl_stat_ok;
}

/* By most loops, if the emitted file can ask whether the others stay within them, and some run. */
static void find_size_by_votes(const struct used *used, struct c_field *f,
	__isl_keep isl_pw_aff *all)
{
	struct election e = { .used = used };
	isl_set *within, *some = isl_set_params(isl_set_copy(used->nests));

	isl_pw_aff_foreach_piece(all, try_votes, &e);
	if (!e.most) {
		isl_set_free(some);
		return;
	}
	within = isl_set_intersect(isl_pw_aff_le_set(isl_pw_aff_copy(all),
		isl_pw_aff_from_aff(isl_aff_copy(e.most))), some);
	f->is_sized[used->dim] = poly_of_aff(used->s, e.most,
		&f->size[used->dim]);
	if (!f->is_sized[used->dim])
		isl_set_free(within);
	else
		f->is_sized[used->dim] = ask_and_assume(used->s, within,
			isl_pw_aff_domain(isl_pw_aff_copy(all)));
	isl_aff_free(e.most);
}

/* By all cells; or by those of loops, or of most of them; or by those that there are where no parameter is small. */
static bool find_size_of(const struct used *used, struct c_field *f)
{
	struct stencil *s = used->s;
	isl_pw_aff *all = extent(s, isl_set_copy(used->cells), used->dim);
	struct candidate c = { s, f, used->dim, all };

	if (!all)
		return false;
	isl_pw_aff_foreach_piece(all, try_piece, &c);
	if (!f->is_sized[used->dim] && used->nests)
		find_size_in_nests(used, f, all);
	if (!f->is_sized[used->dim] && used->nests)
		find_size_by_votes(used, f, all);
	if (!f->is_sized[used->dim])
		isl_pw_aff_foreach_piece(all, try_large, &c);
	isl_pw_aff_free(all);
	return f->is_sized[used->dim];
}

/* From all uses, given enough steps, since swapped arrays have one size; where the step is a
 * subscript, over the steps that exist.
 */
static bool find_used_size(struct stencil *s, struct c_field *f, int dim,
	bool turned)
{
	struct used used = { .s = s, .field = f, .dim = dim, .turned = turned };
	bool found;

	each_use(s, f, add_used, &used);
	if (!used.cells)
		return turned ? !is_read_at_places(s, f) :
			find_used_size(s, f, dim, true);
	found = find_size_of(&used, f);
	isl_set_free(used.cells);
	isl_set_free(used.nests);
	return found;
}

__isl_give isl_set *cells_used(struct stencil *s, const struct c_field *f)
{
	struct used used = { .s = s, .field = f, .turned = true };

	each_use(s, f, add_used, &used);
	isl_set_free(used.nests);
	return used.cells;
}

/* { params } for which some statement is executed */
static __isl_give isl_set *executed(struct stencil *s)
{
	isl_set *all = NULL;

	for (const struct c_update *u = s->updates; u; u = u->next)
		all = joined(all, isl_set_params(place_domain(s, &u->place)));
	return all;
}

/* A call does nothing if one of its arrays has no cells, as may one of which the nests use fewer rows than edges do of
 * another one.  Where statements are "executed", { params }, the emitted file asks whether "f" has some.
 */
static void ask_for_cells(struct stencil *s, const struct c_field *f, int dim,
	__isl_keep isl_set *executed)
{
	const struct c_place in_step = { .phase = 0 };
	isl_pw_aff *size = poly_is_linear(&f->size[dim]) ? place_poly(s,
		&in_step, &f->size[dim]) : NULL;
	isl_set *some = size ? isl_set_params(isl_pw_aff_pos_set(size)) : NULL;

	if (some && isl_set_is_subset(executed, some) != isl_bool_true)
		ask_for_rows(s, some);
	else
		isl_set_free(some);
}

static void ask_for_all_cells(struct stencil *s)
{
	isl_set *all = executed(s);
	int64_t number;

	for (const struct c_field *f = s->fields; f; f = f->next)
		for (int d = 0; d < f->n_dims && !f->is_record; d++)
			if (!poly_is_constant(&f->size[d], &number) &&
			    !is_read_at_places(s, f))
				ask_for_cells(s, f, d, all);
	isl_set_free(all);
}

/* Of arrays that look something up, or of the others. */
static bool find_sizes_of(struct stencil *s, bool lookups)
{
	for (struct c_field *f = s->fields; f; f = f->next) {
		if (!f->lookup == lookups)
			continue;
		if (lookups)
			take_size_of_writes(s, f);
		for (int d = 0; d < f->n_dims; d++) {
			if (f->is_sized[d] || find_used_size(s, f, d,
			    false))
				continue;
			refuse(s, E_C_SIZE, f->decl->at, "how much of '%s' "
				"the region uses in dimension %d is not one "
				"sum of variables", f->decl->name, d);
			diag_advice(s->diags, "declare its size, as in "
				"'%s%.*s'%s", f->decl->name, 3 * f->n_dims,
				"[N][M][K][L]", f->is_split ?
				", and give it as many indices" : "");
			return false;
		}
	}
	return true;
}

bool find_sizes(struct stencil *s)
{
	find_record_sizes(s);
	find_sure_lookups(s);
	if (!find_sizes_of(s, false) || !find_sizes_of(s, true))
		return false;
	ask_for_all_cells(s);
	return true;
}
