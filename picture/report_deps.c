/* The report's table of dependences and their distances. */
#include "picture/report.h"

#include <isl/point.h>
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

static isl_stat print_vector(__isl_take isl_point *p, void *user)
{
	const struct distances *d = user;
	isl_space *space = isl_point_get_space(p);
	int n = (int) isl_space_dim(space, isl_dim_set);
	long x[1 + IR_MAX_DIMS];
	bool has_reads;

	isl_space_free(space);
	for (int i = 0; i < n; i++) {
		isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, i);

		x[i] = isl_val_get_num_si(v);
		isl_val_free(v);
	}
	has_reads = open_reads(d, x, n);
	for (int i = 0; i < n; i++)
		markup_text(d->m, "%s%ld", i ? ", " : "(", x[i]);
	markup_text(d->m, ")");
	if (has_reads)
		markup_close(d->m);
	markup_text(d->m, " ");
	isl_point_free(p);
	return isl_stat_ok;
}

/* The distances in canonical time of the instances that "map" relates. */
static void print_distances(struct distances *d, __isl_take isl_map *map)
{
	enum { MOST = 64 };
	isl_set *distance;
	isl_val *n;

	map = isl_map_apply_domain(map, scop_canonical(d->scop, d->from));
	map = isl_map_apply_range(map, scop_canonical(d->scop, d->to));
	distance = isl_map_deltas(map);
	distance = isl_set_project_out(distance, isl_dim_param, 0,
		(unsigned) isl_set_dim(distance, isl_dim_param));
	n = isl_set_is_bounded(distance) == isl_bool_true ?
		isl_set_count_val(distance) : NULL;
	if (n && isl_val_get_num_si(n) <= MOST)
		isl_set_foreach_point(distance, print_vector, d);
	else
		markup_text(d->m, "many");
	isl_val_free(n);
	isl_set_free(distance);
}

static isl_stat print_dependence(__isl_take isl_map *map, void *user)
{
	struct dependences *d = user;
	const struct scop_stmt *from, *to;

	from = find_statement(d->scop, isl_map_get_tuple_name(map,
		isl_dim_in));
	to = find_statement(d->scop, isl_map_get_tuple_name(map,
		isl_dim_out));
	if (!from || !to) {
		isl_map_free(map);
		return isl_stat_ok;
	}
	markup_text(d->m, "\n");
	markup_open(d->m, "tr");
	markup_attribute(d->m, "data-s", "%d %d", from->stmt->index,
		to->stmt->index);
	markup_element(d->m, "td", d->kind);
	markup_element(d->m, "td", from->name);
	markup_element(d->m, "td", to->name);
	markup_open(d->m, "td");
	print_distances(&(struct distances) { d->m, d->scop, from, to,
		!strcmp(d->kind, "flow"), !strcmp(d->kind, "anti") }, map);
	markup_close(d->m);
	markup_close(d->m);
	return isl_stat_ok;
}

void report_deps(struct markup *m, const struct report *r)
{
	static const char *const head[] = { "kind", "from", "to",
		"distances (rows, points)", NULL };
	struct dependences d = { m, r->scop, "flow" };
	struct deps_relations all = deps_relations(r->scop);

	report_open_section(m, "dependences", "Dependences");
	markup_open(m, "table");
	report_heads(m, head, true);
	markup_open(m, "tbody");
	isl_union_map_foreach_map(all.flow, print_dependence, &d);
	d.kind = "anti";
	isl_union_map_foreach_map(all.anti, print_dependence, &d);
	d.kind = "output";
	isl_union_map_foreach_map(all.output, print_dependence, &d);
	markup_close(m);
	markup_close(m);
	markup_close(m);
}
