/* Distances that accesses alone do not tell, as a boundary stands in for cells or a subscript has a
 * stride.  Statements of one kind, as the directions of a lattice Boltzmann method, have one
 * domain and read the same cells, so what is found for two of them holds for all.
 */
#include <stdlib.h>

#include "ir/rewrite.h"
#include "schedule/scop/distances.h"

/* Relations ---------------------------------------------------------------- */

__isl_give isl_map *later_versions(__isl_take isl_space *values, int by)
{
	isl_multi_aff *ma = isl_multi_aff_identity(isl_space_map_from_set(
		values));

	return isl_map_from_multi_aff(isl_multi_aff_set_aff(ma, 0,
		isl_aff_add_constant_si(isl_multi_aff_get_aff(ma, 0), by)));
}

/* { [dt, dx] } of "map", from instances of "from" to those of "to". */
static __isl_give isl_set *deltas_of(const struct scop *scop,
	__isl_take isl_map *map, const struct scop_stmt *from,
	const struct scop_stmt *to)
{
	isl_set *set;

	map = isl_map_apply_domain(map, scop_instants_of(scop, from, 1, 0));
	set = isl_map_deltas(isl_map_apply_range(map, scop_instants_of(scop,
		to, 1, 0)));
	return set_coalesce(isl_set_project_out(set, isl_dim_param, 0,
		(unsigned) isl_set_dim(set, isl_dim_param)));
}

__isl_give isl_map *scop_read_of(const struct scop *scop,
	const struct scop_stmt *reader, const struct access *acc)
{
	isl_map *read = access_relation(scop, reader->domain, reader->stmt,
		acc);

	return !reader->is_mapped ? read : isl_map_intersect_params(read,
		isl_set_copy(scop->context));
}

/* From the write of a value to its read. */
static __isl_give isl_set *find_flow(const struct scop *scop,
	const struct scop_stmt *writer, const struct scop_stmt *reader,
	const struct access *acc)
{
	return deltas_of(scop, isl_map_apply_range(isl_map_copy(writer->write),
		isl_map_reverse(scop_read_of(scop, reader, acc))), writer, reader);
}

/* From the read of a value to the write that replaces it, "buffers" versions later. */
static __isl_give isl_set *find_anti(const struct scop *scop,
	const struct scop_stmt *writer, const struct scop_stmt *reader,
	const struct access *acc, int buffers)
{
	isl_map *read = scop_read_of(scop, reader, acc);
	isl_space *values = isl_space_range(isl_map_get_space(read));

	return deltas_of(scop, isl_map_apply_range(isl_map_apply_range(read,
		later_versions(values, buffers)), isl_map_reverse(
			isl_map_copy(writer->write))), reader, writer);
}

/* Slices -------------------------------------------------------------------- */

static const struct slice *slice_of(struct region *mem, int n_dims,
	__isl_take isl_set *set, int64_t dt, const struct slice *next)
{
	struct slice *s = region_new_of(mem, struct slice);

	s->dt = dt;
	s->next = next;
	s->is_zero = true;
	for (int d = 0; d < n_dims; d++) {
		s->is_open[d] = !set_edges(set, 1 + d, &s->least[d],
			&s->most[d]);
		s->is_zero = s->is_zero && !s->is_open[d] && !s->least[d] &&
			!s->most[d];
	}
	isl_set_free(set);
	return s;
}

/* The slices of "i", one for each dt; false if there is no end of these. */
static bool find_slices(struct region *mem, int n_dims, struct instants *i)
{
	int64_t first, last;

	if (i->is_empty)
		return true;
	if (!set_edges(i->distance, 0, &first, &last))
		return false;
	for (int64_t dt = first; dt <= last; dt++) {
		isl_set *set = isl_set_fix_si(isl_set_copy(i->distance),
			isl_dim_set, 0, (int) dt);

		if (isl_set_is_empty(set) == isl_bool_true)
			isl_set_free(set);
		else
			i->slices = slice_of(mem, n_dims, set, dt, i->slices);
	}
	return true;
}

/* What is known ------------------------------------------------------------- */

static bool is_answer(const struct instants *known,
	const struct instants *asked)
{
	return known->writer == asked->writer &&
		known->reader == asked->reader &&
		known->buffers == asked->buffers &&
		known->in_context == asked->in_context &&
		access_same_cell(known->write, asked->write) &&
		access_same_cell(known->read, asked->read);
}

const struct instants *scop_instants(const struct scop *scop,
	const struct scop_stmt *writer, const struct scop_stmt *reader,
	const struct access *acc, int buffers)
{
	struct instants asked = { .writer = scop_area(scop, writer),
		.reader = scop_area(scop, reader), .buffers = buffers,
		.in_context = reader->is_mapped, .read = acc,
		.write = writer->stmt->write };
	const struct instants *found = scop->known->instants;
	struct region *mem = scop->known->mem;
	struct instants *i;

	while (found && !is_answer(found, &asked))
		found = found->next;
	if (found)
		return found;
	i = region_new_of(mem, struct instants);
	*i = asked;
	i->distance = keep_set(mem, buffers ? find_anti(scop, writer, reader,
		acc, buffers) : find_flow(scop, writer, reader, acc));
	i->is_empty = isl_set_is_empty(i->distance) == isl_bool_true;
	i->is_bounded = find_slices(mem, scop->n_dims, i);
	i->next = scop->known->instants;
	scop->known->instants = i;
	return i;
}

/* Spans --------------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b)
{
	const struct span_of *x = a, *y = b;

	if (x->instants != y->instants)
		return x->instants < y->instants ? -1 : 1;
	return (x->low > y->low) - (x->low < y->low);
}

int spans_join(struct span_of *span, int n)
{
	int joined = 0;

	if (n)
		qsort(span, (size_t) n, sizeof(*span), compare_spans);
	for (int i = 0; i < n; i++) {
		struct span_of *last = &span[joined - 1];

		if (joined && last->instants == span[i].instants &&
		    span[i].low <= last->high + 1)
			last->high = span[i].high > last->high ? span[i].high :
				last->high;
		else
			span[joined++] = span[i];
	}
	return joined;
}

/* { [dt, dx] -> [dtau, dx] : k*dt + low <= dtau <= k*dt + high } */
static __isl_give isl_map *canonical_of(const struct scop *scop,
	const struct span_of *span)
{
	int n = 1 + scop->n_dims;
	isl_map *map = isl_map_universe(isl_space_alloc(scop->ctx, 0,
		(unsigned) n, (unsigned) n));
	const int end[] = { span->low, span->high };

	for (int d = 1; d < n; d++)
		map = isl_map_equate(map, isl_dim_in, d, isl_dim_out, d);
	for (int side = 0; side < SIDES; side++) {
		const int sign = side == SIDE_LOW ? 1 : -1;
		isl_constraint *c = isl_constraint_alloc_inequality(
			isl_local_space_from_space(isl_map_get_space(map)));

		c = isl_constraint_set_coefficient_si(c, isl_dim_out, 0, sign);
		c = isl_constraint_set_coefficient_si(c, isl_dim_in, 0,
			-sign * scop->k);
		c = isl_constraint_set_constant_si(c, -sign * end[side]);
		map = isl_map_add_constraint(map, c);
	}
	return map;
}

/* { [0, 0, ..] }: of an instance on itself only. */
static __isl_give isl_set *no_distance(const struct scop *scop)
{
	isl_set *zero = isl_set_universe(isl_space_set_alloc(scop->ctx, 0,
		1 + (unsigned) scop->n_dims));

	for (int d = 0; d < 1 + scop->n_dims; d++)
		zero = isl_set_fix_si(zero, isl_dim_set, (unsigned) d, 0);
	return zero;
}

__isl_give isl_set *span_distances(const struct scop *scop,
	const struct span_of *span)
{
	isl_set *set = isl_set_apply(isl_set_copy(span->instants->distance),
		canonical_of(scop, span));

	return span->instants->buffers ? isl_set_subtract(set,
		no_distance(scop)) : set;
}
