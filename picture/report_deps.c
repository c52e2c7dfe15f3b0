/* The report's table of dependences and their distances. */
#include "picture/report.h"

#include <isl/point.h>
#include <stdlib.h>
#include <string.h>

struct dependences {
	struct markup *m;
	const struct scop *scop;
	const char *kind;
};

static const struct scop_stmt *find_statement(const struct scop *scop,
	const char *name)
{
	for (int i = 0; i < scop->n_stmts; i++)
		if (name && !strcmp(scop->stmt[i].name, name))
			return &scop->stmt[i];
	return NULL;
}

/* The distances from "from" to "to", and whose reads cause them: those of "to"
 * in a flow dependence, of "from" in an anti dependence.
 */
struct distances {
	struct markup *m;
	const struct scop *scop;
	const struct scop_stmt *from, *to;
	bool is_flow, is_anti;
};

/* Is "x", in rows and points, the distance between read "acc" of "reader" and
 * the cell that "writer" writes?  Memory may be overwritten at any later time.
 */
static bool is_distance_of(const struct distances *d, const long *x, int n,
	const struct scop_stmt *reader, const struct scop_stmt *writer,
	const struct access *acc)
{
	const struct access *write = writer->stmt->write;
	int sign = d->is_flow ? -1 : 1;

	if (acc->field != write->field || acc->field->n_dims != n - 1 ||
	    !access_is_in_order(acc))
		return false;
	for (int i = 0; i < n - 1; i++)
		if (write->dim[i] != i ||
		    x[1 + i] != sign * (acc->offset[i] - write->offset[i]))
			return false;
	return d->is_anti || x[0] == d->scop->k * (write->version -
		acc->version) + reader->number - writer->number;
}

/* Begin an element for the reads with distance "x"; false: there is none. */
static bool open_reads(const struct distances *d, const long *x, int n)
{
	const struct scop_stmt *reader = d->is_flow ? d->to : d->from;
	const struct scop_stmt *writer = d->is_flow ? d->from : d->to;
	struct text names = { 0 };

	if ((d->is_flow || d->is_anti) && !reader->is_copy &&
	    !writer->is_copy)
		for (int i = 0; i < reader->stmt->n_reads; i++)
			if (is_distance_of(d, x, n, reader, writer,
			    reader->stmt->read[i]))
				text_printf(&names, "%s%d.%d", names.length ?
					" " : "", reader->stmt->index, i);
	if (!names.length)
		return false;
	markup_open_with(d->m, "span", "data-r", names.bytes);
	text_free(&names);
	return true;
}

/* Distances are shown one by one up to that many. */
enum { MOST_DISTANCES = 64 };

struct vectors {
	int n, dims;
	long at[MOST_DISTANCES][1 + IR_MAX_DIMS];
};

static isl_stat add_vector(__isl_take isl_point *p, void *user)
{
	struct vectors *all = user;
	long *x = all->at[all->n++];

	for (int i = 0; i < all->dims; i++) {
		isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, i);

		x[i] = isl_val_get_num_si(v);
		isl_val_free(v);
	}
	isl_point_free(p);
	return isl_stat_ok;
}

/* By the coordinates, the first one first; the rest of a vector is 0. */
static int compare_vectors(const void *a, const void *b)
{
	const long *x = a, *y = b;

	for (int i = 0; i < 1 + IR_MAX_DIMS; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* The points of "set" in lexicographic order; none if there are too many. */
static struct vectors vectors_of(__isl_keep isl_set *set)
{
	struct vectors all = { .dims = (int) isl_set_dim(set, isl_dim_set) };
	isl_val *n = isl_set_is_bounded(set) == isl_bool_true ?
		isl_set_count_val(set) : NULL;

	if (n && isl_val_get_num_si(n) <= MOST_DISTANCES)
		isl_set_foreach_point(set, add_vector, &all);
	isl_val_free(n);
	qsort(all.at, (size_t) all.n, sizeof(all.at[0]), compare_vectors);
	return all;
}

static void print_vector(struct markup *m, const long *x, int n)
{
	for (int i = 0; i < n; i++)
		markup_text(m, "%s%ld", i ? ", " : "(", x[i]);
	markup_text(m, ")");
}

/* The distances in canonical time of the instances that "map" relates. */
static void print_distances(struct distances *d, __isl_take isl_map *map)
{
	struct vectors all;
	isl_set *distance;

	map = isl_map_apply_domain(map, scop_canonical(d->scop, d->from));
	map = isl_map_apply_range(map, scop_canonical(d->scop, d->to));
	distance = isl_map_deltas(map);
	distance = isl_set_project_out(distance, isl_dim_param, 0,
		(unsigned) isl_set_dim(distance, isl_dim_param));
	all = vectors_of(distance);
	isl_set_free(distance);
	if (!all.n)
		markup_text(d->m, "many");
	for (int i = 0; i < all.n; i++) {
		bool has_reads = open_reads(d, all.at[i], all.dims);

		print_vector(d->m, all.at[i], all.dims);
		if (has_reads)
			markup_close(d->m);
		markup_text(d->m, " ");
	}
}

/* Dependences of one kind, of one statement on another each. */
struct relations {
	const struct scop *scop;
	int n;
	struct relation {
		const struct scop_stmt *from, *to;
		isl_map *map;
	} *relation;
};

static isl_stat add_relation(__isl_take isl_map *map, void *user)
{
	struct relations *all = user;
	struct relation r = {
		.from = find_statement(all->scop,
			isl_map_get_tuple_name(map, isl_dim_in)),
		.to = find_statement(all->scop,
			isl_map_get_tuple_name(map, isl_dim_out)),
		.map = map,
	};

	if (r.from && r.to)
		all->relation[all->n++] = r;
	else
		isl_map_free(map);
	return isl_stat_ok;
}

static int compare_relations(const void *a, const void *b)
{
	const struct relation *x = a, *y = b;

	return x->from != y->from ? (x->from < y->from ? -1 : 1) :
		x->to < y->to ? -1 : x->to > y->to;
}

static void print_relation(struct dependences *d, const struct relation *r)
{
	markup_text(d->m, "\n");
	markup_open(d->m, "tr");
	markup_attribute(d->m, "data-s", "%d %d", r->from->stmt->index,
		r->to->stmt->index);
	markup_element(d->m, "td", d->kind);
	markup_element(d->m, "td", r->from->name);
	markup_element(d->m, "td", r->to->name);
	markup_open(d->m, "td");
	print_distances(&(struct distances) { d->m, d->scop, r->from, r->to,
		!strcmp(d->kind, "flow"), !strcmp(d->kind, "anti") }, r->map);
	markup_close(d->m);
	markup_close(d->m);
}

/* Those of "kind", in the order of the statements. */
static void print_kind(struct markup *m, const struct scop *scop,
	const char *kind, __isl_keep isl_union_map *deps)
{
	struct dependences d = { m, scop, kind };
	struct region *mem = region_new();
	struct relations all = { .scop = scop };

	all.relation = region_array(mem, struct relation,
		isl_union_map_n_map(deps) + 1);
	isl_union_map_foreach_map(deps, add_relation, &all);
	qsort(all.relation, (size_t) all.n, sizeof(*all.relation),
		compare_relations);
	for (int i = 0; i < all.n; i++)
		print_relation(&d, &all.relation[i]);
	region_free(mem);
}

static void print_all_kinds(struct markup *m, const struct scop *scop)
{
	static const char *const head[] = { "kind", "from", "to",
		"distances (rows, points)", NULL };
	struct deps_relations all = deps_relations(scop);

	report_open_table(m, head, true);
	print_kind(m, scop, "flow", all.flow);
	print_kind(m, scop, "anti", all.anti);
	print_kind(m, scop, "output", all.output);
	report_close_table(m);
}

/* Sweeps overwrite values in place: points wait for others of earlier waves,
 * whose values they read or replace.
 */
static void print_between_waves(struct markup *m, const struct scop *scop)
{
	struct vectors all = vectors_of(scop->deps->distance);
	struct text t = { 0 };

	deps_print_waves(&t, scop->prog);
	markup_element(m, "pre", t.bytes);
	text_free(&t);
	markup_open(m, "p");
	markup_text(m, "Distances (waves, points):%s", all.n ? "" : " many");
	for (int i = 0; i < all.n; i++) {
		markup_text(m, " ");
		print_vector(m, all.at[i], all.dims);
	}
	markup_close(m);
}

void report_deps(struct markup *m, const struct report *r)
{
	report_open_section(m, "dependences", "Dependences");
	if (r->scop->prog->waves)
		print_between_waves(m, r->scop);
	else
		print_all_kinds(m, r->scop);
	markup_close(m);
}
