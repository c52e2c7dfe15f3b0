/* Instances at the distance of a dependence, as sets. */
#include "verify/tiles/tiles.h"

/* { [a, x.., b, y.., dT, dS.., j] : row a of tile (p, 0, 0) and row b of
 * (q, dT, dS) at distance "dist", piece }, seen in the dimensions "which"
 */
static struct text pairs_too_early(const struct distance *dist, int p, int q,
	const char *piece, dims which)
{
	const struct plan *plan = dist->source->plan;
	int n = plan->n_dims;
	struct text t = { 0 };

	text_puts(&t, "{ [a");
	put_dims(&t, "x", n, which);
	text_puts(&t, ", b");
	put_dims(&t, "y", n, which);
	text_puts(&t, ", dT");
	put_dims(&t, "dS", n, which);
	text_puts(&t, ", j] : ");
	put_tau(&t, plan, q, "b", "dT", "dS");
	text_puts(&t, " - ");
	put_tau(&t, plan, p, "a", NULL, NULL);
	text_printf(&t, " = %lld + %lld*j", (long long) dist->dtau,
		(long long) dist->repeat);
	text_printf(&t, " and j %s %lld", dist->repeat ? ">=" : "=",
		(long long) dist->first);
	for (int d = 0; d < n; d++) {
		if (!dist->bounded[d] || !has_dim(which, d))
			continue;
		text_printf(&t, " and %lld <= ", (long long) dist->low[d]);
		put_x(&t, plan, q, d, "y", "dT", "dS");
		text_puts(&t, " - ");
		put_x(&t, plan, p, d, "x", NULL, NULL);
		if (!dist->is_endless[d])
			text_printf(&t, " <= %lld", (long long) dist->high[d]);
	}
	text_printf(&t, " and %s }", piece);
	return t;
}

bool never_too_early(struct checker *c, const struct distance *dist, int p,
	int q, const char *piece, dims which)
{
	const struct plan *plan = dist->source->plan;
	int m, all;
	struct text t;
	isl_set *set;

	which = with_time(plan, which);
	m = count_dims(plan, which);
	all = 4 + 3 * m;
	t = pairs_too_early(dist, p, q, piece, which);
	if (was_shown_empty(c, plan, t.bytes)) {
		text_free(&t);
		return true;
	}
	set = isl_set_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	set = isl_set_intersect(set, shape_at(c, plan, which, 0, all));
	return is_shown_empty(c, isl_set_intersect(set, shape_at(c, plan,
		which, 1 + m, all)));
}

/* With sizes and domains ------------------------------------------------- */

static void put_instance_dims(struct text *t, int n)
{
	text_puts(t, "[t");
	put_dims(t, "x", n, ALL_DIMS);
	text_puts(t, ", u");
	put_dims(t, "z", n, ALL_DIMS);
	text_puts(t, ", T");
	put_dims(t, "S", n, ALL_DIMS);
	text_puts(t, ", V");
	put_dims(t, "R", n, ALL_DIMS);
	text_puts(t, "]");
}

/* { [t, x.., u, z.., T, S.., V, R..] : (time, x) lies in tile (p, T, S) of the
 * shape }, "time" and "x" the names of source or sink
 */
static __isl_give isl_set *lies_in_tile(struct checker *c,
	const struct statement *s, int p, bool is_source)
{
	const struct plan *plan = s->plan;
	int n = plan->n_dims;
	struct text t = { 0 };
	isl_map *local;
	char name[32];

	text_puts(&t, "{ ");
	put_instance_dims(&t, n);
	text_puts(&t, " -> [a");
	put_dims(&t, "l", n, ALL_DIMS);
	text_printf(&t, "] : %d*%s + %d = ", plan->scop->k,
		is_source ? "t" : "u", s->number);
	put_tau(&t, plan, p, "a", is_source ? "T" : "V", is_source ? "S" :
		"R");
	for (int d = 0; d < n; d++) {
		snprintf(name, sizeof(name), "%s%d", is_source ? "x" : "z", d);
		text_printf(&t, " and %s = ", name);
		put_x(&t, plan, p, d, "l", is_source ? "T" : "V",
			is_source ? "S" : "R");
	}
	text_puts(&t, " }");
	local = isl_map_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return isl_map_domain(isl_map_intersect_range(local,
		isl_set_copy(plan->shape)));
}

static __isl_give isl_map *find_dependence(struct checker *c,
	const struct distance *dist, const struct access *acc)
{
	struct access own;
	isl_map *first, *second, *between;
	struct text t = { 0 };
	int n = dist->field->n_dims;
	int buffers = c->scop->field[dist->field->index].buffers;

	/* the values touched: [t, x] -> [v, y], [u, z] -> [w, y]; of what is no
	 * state, without v and w
	 */
	own = *dist->source->stmt->write;
	own.version = dist->kind == ANTI ? 0 : 1;
	first = read_relation(c, dist->source, dist->kind == ANTI && acc ?
		acc : &own);
	own = *dist->sink->stmt->write;
	own.version = dist->kind == FLOW ? 0 : 1;
	second = read_relation(c, dist->sink, dist->kind == FLOW && acc ?
		acc : &own);
	if (dist->field->kind != FIELD_STATE)
		return isl_map_apply_range(first, isl_map_reverse(second));
	text_puts(&t, "{ [v");
	put_dims(&t, "y", n, ALL_DIMS);
	text_puts(&t, "] -> [w");
	put_dims(&t, "y", n, ALL_DIMS);
	text_printf(&t, "] : exists j : w = v + %d*j and j %s %lld }",
		dist->repeat ? buffers : 0, dist->repeat ? ">=" : "=",
		(long long) dist->first);
	between = isl_map_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return isl_map_apply_range(isl_map_apply_range(first, between),
		isl_map_reverse(second));
}

/* A dependence is tested for each pair of phases, and each part of their tiles. */
struct found_dependence {
	struct distance dist;
	const struct access *acc;
	isl_map *map;
	const struct found_dependence *next;
};

static bool is_same_dependence(const struct distance *a,
	const struct distance *b)
{
	return a->source == b->source && a->sink == b->sink &&
		a->kind == b->kind && a->field == b->field &&
		a->repeat == b->repeat && a->first == b->first;
}

static void release_map(void *map)
{
	isl_map_free(map);
}

__isl_give isl_map *exact_dependence(struct checker *c,
	const struct distance *dist, const struct access *acc)
{
	const struct found_dependence *known = c->dependences;
	struct found_dependence *found;

	while (known && (known->acc != acc ||
	    !is_same_dependence(&known->dist, dist)))
		known = known->next;
	if (known)
		return isl_map_copy(known->map);
	found = region_new_of(c->mem, struct found_dependence);
	*found = (struct found_dependence) { *dist, acc,
		find_dependence(c, dist, acc), c->dependences };
	region_own(c->mem, found->map, release_map);
	c->dependences = found;
	return isl_map_copy(found->map);
}

/* { [t, x.., u, z.., T, S.., V, R..] } of a map { [t, x] -> [u, z] } */
static __isl_give isl_set *with_tiles(__isl_take isl_map *map, int n)
{
	isl_set *set = isl_map_wrap(map);

	set = isl_set_flatten(set);
	return isl_set_add_dims(set, isl_dim_set, (unsigned) (2 + 2 * n));
}

static __isl_give isl_set *piece_of_tiles(struct checker *c,
	const struct distance *dist, int p, int q, const char *piece)
{
	const struct plan *plan = dist->source->plan;
	int n = plan->n_dims;
	struct text t = { 0 };
	isl_set *set;

	text_puts(&t, "{ ");
	put_instance_dims(&t, n);
	text_puts(&t, " : exists (a, b, dT");
	put_dims(&t, "dS", n, ALL_DIMS);
	text_printf(&t, " : dT = V - T and %d*t + %d = ", plan->scop->k,
		dist->source->number);
	put_tau(&t, plan, p, "a", "T", "S");
	text_printf(&t, " and %d*u + %d = ", plan->scop->k, dist->sink->number);
	put_tau(&t, plan, q, "b", "V", "R");
	for (int d = 0; d < n; d++)
		text_printf(&t, " and dS%d = R%d - S%d", d, d, d);
	text_printf(&t, " and %s) }", piece);
	set = isl_set_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return set;
}

__isl_give isl_set *exact_pairs_too_early(struct checker *c,
	const struct distance *dist, int p, int q, const char *piece,
	__isl_take isl_map *map)
{
	isl_set *set = with_tiles(map, dist->source->plan->n_dims);

	set = isl_set_intersect(set, piece_of_tiles(c, dist, p, q, piece));
	set = isl_set_intersect(set, lies_in_tile(c, dist->source, p, true));
	return isl_set_intersect(set, lies_in_tile(c, dist->sink, q, false));
}
