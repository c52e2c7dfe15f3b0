/* Which instances of statements are a given distance apart.  Statements of one kind, as the
 * directions of a lattice Boltzmann method, have one domain, and each of them asks.
 */
#include <string.h>

#include "schedule/scop/sets.h"

/* { [t, x] }: a domain without the statement's name. */
struct area {
	isl_set *points;
	const struct area *next;
};

/* An answer: is a point of "from" "distance" away from one of "to"? */
struct apart {
	const struct area *from, *to;
	int64_t distance[1 + IR_MAX_DIMS];
	bool any;
	const struct apart *next;
};

const struct area *scop_area(const struct scop *scop,
	const struct scop_stmt *s)
{
	struct known *known = scop->known;
	isl_set *points = isl_set_reset_tuple_id(isl_set_copy(s->domain));
	const struct area *same = known->areas;
	struct area *area;

	while (same && isl_set_plain_is_equal(same->points, points) !=
	    isl_bool_true)
		same = same->next;
	if (same) {
		isl_set_free(points);
		return same;
	}
	area = region_new_of(known->mem, struct area);
	area->points = keep_set(known->mem, points);
	area->next = known->areas;
	return known->areas = area;
}

/* Is there a point in "both" where the generated function runs? */
static bool has_points(const struct scop *scop, __isl_take isl_basic_set *both)
{
	bool any = isl_basic_set_is_empty(both) != isl_bool_true;
	isl_set *runs = isl_set_from_basic_set(both);

	if (any && scop->prog->n_assumes)
		runs = isl_set_intersect_params(runs, isl_set_copy(scop->context));
	any = any && isl_set_is_empty(runs) != isl_bool_true;
	isl_set_free(runs);
	return any;
}

/* Is there a point in both, for sizes that are assumed?  Pieces are tested one by one: usually the first two
 * share one.
 */
static bool meet(const struct scop *scop, __isl_take isl_set *a, __isl_take isl_set *b)
{
	isl_basic_set_list *of_a = isl_set_get_basic_set_list(a);
	isl_basic_set_list *of_b = isl_set_get_basic_set_list(b);
	int n_a = isl_basic_set_list_n_basic_set(of_a);
	int n_b = isl_basic_set_list_n_basic_set(of_b);
	bool any = false;

	for (int i = 0; i < n_a; i++)
		for (int j = 0; j < n_b && !any; j++)
			any = has_points(scop, isl_basic_set_intersect(isl_basic_set_list_get_basic_set(of_a, i),
				isl_basic_set_list_get_basic_set(of_b, j)));
	isl_basic_set_list_free(of_a);
	isl_basic_set_list_free(of_b);
	isl_set_free(a);
	isl_set_free(b);
	return any;
}

/* { x : x + distance in "points" } */
static __isl_give isl_set *shifted_back(__isl_keep isl_set *points,
	const int64_t *distance)
{
	int n = isl_set_dim(points, isl_dim_set);
	isl_multi_aff *ma = isl_multi_aff_identity(isl_space_map_from_set(
		isl_set_get_space(points)));

	for (int i = 0; i < n; i++)
		ma = isl_multi_aff_set_aff(ma, i, isl_aff_add_constant_si(
			isl_multi_aff_get_aff(ma, i), (int) distance[i]));
	return isl_set_preimage_multi_aff(isl_set_copy(points), ma);
}

static bool is_answer(const struct apart *a, const struct apart *asked)
{
	return a->from == asked->from && a->to == asked->to &&
		!memcmp(a->distance, asked->distance, sizeof(a->distance));
}

bool scop_any_apart(const struct scop *scop, const struct scop_stmt *from,
	const struct scop_stmt *to, int64_t dt, const int64_t *dx)
{
	struct known *known = scop->known;
	struct apart asked = { .from = scop_area(scop, from),
		.to = scop_area(scop, to), .distance = { dt } }, *a;
	const struct apart *found = known->apart;

	memcpy(&asked.distance[1], dx, (size_t) to->stmt->n_dims * sizeof(*dx));
	while (found && !is_answer(found, &asked))
		found = found->next;
	if (found)
		return found->any;
	a = region_new_of(known->mem, struct apart);
	*a = asked;
	a->any = meet(scop, isl_set_copy(asked.from->points), shifted_back(asked.to->points, asked.distance));
	a->next = known->apart;
	known->apart = a;
	return a->any;
}
