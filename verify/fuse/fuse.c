/* Plans with overlapping tiles: strategy fuse.  A tile at the origin o executes of each
 * statement the instances x with x - o in its part of the shape and x in the domain, the
 * statements one after the other.  It stores what leaves it at 0 <= x - o < pitch, so that each
 * cell has one owner.
 *
 * The proof shows: of its own values a tile reads only what it has computed before, and
 * everything read has a value.  Copies of inputs hold what is read, and kernels read only what
 * earlier ones have stored, in this slab or an earlier one if they share slabs.  In a time loop
 * a step reads versions stored by earlier steps, in other copies than the one that it writes.
 * For swept tiles also: a plane exists when it is read, and has not been replaced; registers
 * are read at points that the thread has, and each point has a thread.
 */
#include <string.h>

#include "schedule/groups.h"
#include "verify/checker.h"

/* { [x] : (number, x) in the shape of "plan" } */
static __isl_give isl_set *part_of(const struct plan *plan, int number)
{
	isl_set *part = isl_set_fix_si(isl_set_copy(plan->shape), isl_dim_set,
		0, number);

	return isl_set_project_out(part, isl_dim_set, 0, 1);
}

/* { [o, x] : x - o in "part" } */
static __isl_give isl_set *in_tile(__isl_take isl_set *part)
{
	int n = (int) isl_set_dim(part, isl_dim_set);
	isl_space *from = isl_space_set_alloc(isl_set_get_ctx(part), 0,
		(unsigned) (2 * n));
	isl_space *to = isl_set_get_space(part);
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
	isl_multi_aff *ma = isl_multi_aff_zero(
		isl_space_map_from_domain_and_range(from, to));

	for (int d = 0; d < n; d++)
		ma = isl_multi_aff_set_aff(ma, d, isl_aff_sub(
			isl_aff_var_on_domain(isl_local_space_copy(ls),
				isl_dim_set, (unsigned) (n + d)),
			isl_aff_var_on_domain(isl_local_space_copy(ls),
				isl_dim_set, (unsigned) d)));
	isl_local_space_free(ls);
	return isl_set_preimage_multi_aff(part, ma);
}

/* { [x] : "s" has the instance } */
static __isl_give isl_set *points_of(const struct checker *c,
	const struct statement *s)
{
	return isl_set_project_out(isl_set_intersect_params(
		isl_set_copy(s->domain), isl_set_copy(c->context)),
		isl_dim_set, 0, 1);
}

/* { [x] -> [y] } for a read */
static __isl_give isl_map *read_at(struct checker *c,
	const struct statement *s, const struct access *acc)
{
	isl_map *read = isl_map_project_out(read_relation(c, s, acc),
		isl_dim_in, 0, 1);

	if (has_version(acc->field))
		read = isl_map_project_out(read, isl_dim_out, 0, 1);
	return isl_map_intersect_params(read, isl_set_copy(c->context));
}

/* { [o, y] : the tile at o reads the cell y by "acc" of "s" } */
static __isl_give isl_set *cells_read(struct checker *c,
	const struct statement *s, const struct access *acc)
{
	isl_set *points = points_of(c, s), *tile;
	isl_map *read = read_at(c, s, acc);
	unsigned n = (unsigned) isl_set_dim(points, isl_dim_set);

	tile = in_tile(part_of(s->plan, s->number));
	points = isl_set_insert_dims(points, isl_dim_set, 0, n);
	tile = isl_set_intersect(tile, points);
	read = isl_map_insert_dims(read, isl_dim_in, 0, n);
	read = isl_map_insert_dims(read, isl_dim_out, 0, n);
	for (unsigned d = 0; d < n; d++)
		read = isl_map_equate(read, isl_dim_in, (int) d, isl_dim_out,
			(int) d);
	return isl_set_apply(tile, read);
}

static const struct statement *statement_that_writes(const struct checker *c,
	const struct field *field)
{
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].stmt->write->field == field)
			return &c->stmt[i];
	return NULL;
}

/* { [x] : low <= x < low + extent } of the box of "field"; in swept tiles a box
 * has the planes from the oldest copied one on.
 */
static __isl_give isl_set *box_of(const struct checker *c,
	const struct plan *plan, const struct field *field)
{
	const struct box *box = &plan->box[field->index];
	isl_set *cells = isl_set_universe(isl_space_set_alloc(c->ctx, 0,
		(unsigned) field->n_dims));

	for (int d = 0; d < field->n_dims; d++) {
		bool swept = d == 0 && plan->group->planes;

		cells = isl_set_lower_bound_si(cells, isl_dim_set,
			(unsigned) d, swept ? plan->group->planes->oldest[
				field->index] : box->low[d]);
		if (!swept)
			cells = isl_set_upper_bound_si(cells, isl_dim_set,
				(unsigned) d, box->low[d] + box->extent[d] -
				1);
	}
	return cells;
}

/* { [x] : first + lead <= x0 <= last + lead }: the planes of iterations */
static __isl_give isl_set *planes_of(const struct checker *c,
	const struct plan *plan, int lead)
{
	isl_set *x = isl_set_universe(isl_space_set_alloc(c->ctx, 0,
		(unsigned) plan->n_dims));

	x = isl_set_lower_bound_si(x, isl_dim_set, 0,
		plan->group->planes->first +
		lead);
	return isl_set_upper_bound_si(x, isl_dim_set, 0,
		plan->group->planes->last +
		lead);
}

/* Least or greatest y_d - x_d of { [x] -> [y] }; false if there is none. */
static bool distance_of(__isl_keep isl_map *read, int d, bool most,
	int *distance)
{
	isl_set *deltas = isl_map_deltas(isl_map_copy(read));
	isl_val *v = most ? isl_set_dim_max_val(deltas, d) :
		isl_set_dim_min_val(deltas, d);
	bool is_int = isl_val_is_int(v) == isl_bool_true;

	*distance = is_int ? (int) isl_val_get_num_si(v) : 0;
	isl_val_free(v);
	return is_int;
}

/* Does { [x] -> [y] } read only values that the thread of x has at its own
 * points of planes: y = x except in the swept dimension?
 */
static bool reads_own_points(__isl_keep isl_map *read)
{
	int n = (int) isl_map_dim(read, isl_dim_in), low, high;

	if ((int) isl_map_dim(read, isl_dim_out) != n)
		return false;
	for (int d = 1; d < n; d++)
		if (!distance_of(read, d, false, &low) ||
		    !distance_of(read, d, true, &high) || low != 0 ||
		    high != 0)
			return false;
	return true;
}

/* Of what shared memory, or registers, hold, the planes that iteration n of "s"
 * reads have arrived by then, the newest at n + "newest", and are among those
 * kept.
 */
static bool has_planes(struct checker *c, const struct statement *s,
	const struct access *acc, int newest)
{
	const struct plan *plan = s->plan;
	int lead = plan->group->planes->lead[s->number], f = acc->field->index;
	int low, high, youngest, oldest;
	isl_map *read = isl_map_intersect_domain(read_at(c, s, acc),
		points_of(c, s));
	bool known = isl_map_is_empty(read) == isl_bool_true, found, own;

	found = known || (distance_of(read, 0, false, &low) &&
		distance_of(read, 0, true, &high));
	own = !known && reads_own_points(read);
	isl_map_free(read);
	if (known)
		return true;
	youngest = newest - (lead + high);
	oldest = newest - (lead + low);
	return (found && youngest >= 0 && ((own &&
		oldest < plan->group->planes->registers[f]) ||
		(youngest >= plan->group->planes->after[f] && oldest <
		plan->group->planes->after[f] + plan->box[f].extent[0]))) ||
		refute(c, "%s reads planes of %s that are not there", s->name,
		acc->field->name);
}

/* Planes shared only once they are older are in registers before. */
static bool has_turns(struct checker *c, const struct plan *plan,
	const struct field *field)
{
	int after = plan->group->planes->after[field->index];

	return after == 0 || after < plan->group->planes->registers[field->index] ||
		refute(c, "planes of %s that others read were dropped",
			field->name);
}

/* { [x] : a thread has the point x of a plane } */
static __isl_give isl_set *dealt_points(const struct checker *c,
	const struct plan *plan)
{
	const struct planes *p = plan->group->planes;
	isl_set *x = isl_set_universe(isl_space_set_alloc(c->ctx, 0,
		(unsigned) plan->n_dims));

	for (int d = 1; d < plan->n_dims; d++) {
		x = isl_set_lower_bound_si(x, isl_dim_set, (unsigned) d,
			p->base[d]);
		x = isl_set_upper_bound_si(x, isl_dim_set, (unsigned) d,
			p->base[d] - 1 + p->points[d] *
			plan->threads[plan->n_dims - 1 - d]);
	}
	return x;
}

/* If threads keep planes in registers, each point of "x" has its thread. */
static bool is_dealt(struct checker *c, const struct plan *plan,
	__isl_take isl_set *x, const char *name)
{
	if (plan->group->planes->points[plan->n_dims - 1] > 0)
		return is_shown_empty(c, isl_set_subtract(x,
			dealt_points(c, plan))) ||
			refute(c, "no thread has some points of %s", name);
	isl_set_free(x);
	return true;
}

/* Some iteration has each plane of the part of "s". */
static bool has_iterations(struct checker *c, const struct statement *s)
{
	return is_shown_empty(c, isl_set_subtract(part_of(s->plan, s->number),
		planes_of(c, s->plan,
		s->plan->group->planes->lead[s->number]))) ||
		refute(c, "no iteration computes some planes of %s", s->name);
}

/* The planes of an input are copied from the oldest one on. */
static bool has_copies(struct checker *c, const struct statement *s,
	const struct field *field)
{
	const struct planes *p = s->plan->group->planes;
	int f = field->index;

	return p->first + p->newest[f] <= p->oldest[f] || refute(c,
		"the first planes of %s are not copied", field->name);
}

/* { [t, y] : a statement, or a copy statement, writes cell y of "field" in step
 * t }
 */
static __isl_give isl_set *written_cells(const struct checker *c,
	const struct field *field)
{
	isl_set *cells = NULL;

	for (int i = 0; i < c->n_stmts; i++) {
		isl_set *own = isl_set_copy(c->stmt[i].domain);

		if (c->stmt[i].stmt->write->field != field)
			isl_set_free(own);
		else
			cells = cells ? isl_set_union(cells, own) : own;
	}
	return cells;
}

/* { [t, y] : "s" reads cell y by "acc" in step t } */
static __isl_give isl_set *read_cells(struct checker *c,
	const struct statement *s, const struct access *acc)
{
	isl_map *read = read_relation(c, s, acc);
	unsigned first = has_version(acc->field);

	if (first)
		read = isl_map_project_out(read, isl_dim_out, 0, 1);
	read = isl_map_insert_dims(read, isl_dim_out, 0, 1);
	return isl_set_intersect_params(isl_map_range(isl_map_equate(read,
		isl_dim_in, 0, isl_dim_out, 0)), isl_set_copy(c->context));
}

/* Each cell that "acc" reads has been computed. */
static bool has_values(struct checker *c, const struct statement *s,
	const struct access *acc)
{
	return is_shown_empty(c, isl_set_subtract(read_cells(c, s, acc),
		written_cells(c, acc->field))) || refute(c,
		"%s reads cells of %s that have no value", s->name,
		acc->field->name);
}

/* Does shared memory hold what "acc" touches, in the tile of "s"? */
static bool holds(const struct statement *s, const struct access *acc)
{
	int f = acc->field->index;

	return s->plan->group->in_shared[f] && (!has_version(acc->field) ||
		s->plan->group->version[f] == acc->version);
}

/* No kernel of a step writes to the copy with an old version. */
static bool is_kept(struct checker *c, const struct statement *s,
	const struct access *acc)
{
	return 1 - acc->version < c->scop->field[acc->field->index].buffers ||
		refute(c, "%s reads a version of %s that its step replaces",
			s->name, acc->field->name);
}

/* Slabs --------------------------------------------------------------------- */

static bool share_slabs(const struct plan *a, const struct plan *b)
{
	return a->slab.tiles > 0 && a->slab.group == b->slab.group;
}

/* { [z] -> [floor((floor(z[d] / pitch) + behind) / tiles)] }: the slab in which
 * "plan" has the tile of the point z[d] along dimension 0
 */
static __isl_give isl_aff *slab_at(const struct plan *plan,
	__isl_keep isl_set *z, unsigned d)
{
	isl_aff *slab = isl_aff_var_on_domain(isl_local_space_from_space(
		isl_set_get_space(z)), isl_dim_set, d);

	slab = isl_aff_floor(isl_aff_scale_down_ui(slab,
		(unsigned) plan->pitch[0]));
	slab = isl_aff_add_constant_si(slab, plan->slab.behind);
	return isl_aff_floor(isl_aff_scale_down_ui(slab,
		(unsigned) plan->slab.tiles));
}

/* Among "reads", { [o, y] : the tile at o reads y }, those where "writer" stores y in a later
 * slab; tiles lie at S*pitch.
 */
static __isl_give isl_set *stored_late(const struct statement *s,
	const struct statement *writer, __isl_take isl_set *reads)
{
	isl_aff *own = slab_at(s->plan, reads, 0);
	isl_aff *stored = slab_at(writer->plan, reads,
		(unsigned) s->plan->n_dims);
	isl_aff *origin = isl_aff_var_on_domain(isl_local_space_from_space(
		isl_set_get_space(reads)), isl_dim_set, 0);
	isl_aff *tile = isl_aff_scale_val(isl_aff_floor(isl_aff_scale_down_ui(
		isl_aff_copy(origin), (unsigned) s->plan->pitch[0])),
		isl_val_int_from_si(isl_set_get_ctx(reads),
			s->plan->pitch[0]));

	reads = isl_set_intersect(reads, isl_aff_eq_set(origin, tile));
	return isl_set_intersect(reads, isl_aff_gt_set(stored, own));
}

/* What another kernel stores exists when "s" reads it by "acc". */
static bool has_come(struct checker *c, const struct statement *s,
	const struct statement *writer, const struct access *acc)
{
	const struct field *field = acc->field;

	if (writer->plan > s->plan ||
	    !writer->plan->group->in_global[field->index])
		return refute(c, "no kernel before that of %s stores %s",
			s->name, field->name);
	return !share_slabs(writer->plan, s->plan) || is_shown_empty(c,
		stored_late(s, writer, cells_read(c, s, acc))) ||
		refute(c, "%s reads cells of %s that a later slab computes",
			s->name, field->name);
}

/* Plans that share slabs follow each other, and their tiles S >= 0, which are all that own a
 * cell, lie in the slabs n >= 0 of the loop.
 */
static bool has_slabs(struct checker *c)
{
	for (int q = 0; q < c->n_plans; q++) {
		const struct plan *plan = &c->plan[q];
		bool follows = true;

		for (int r = 0; r < q; r++)
			if (plan[r - q].slab.group == plan->slab.group)
				follows = share_slabs(plan, plan - 1);
		if (plan->slab.tiles > 0 && (!follows ||
				plan->slab.behind < 0))
			return refute(c, "kernel %d has slabs in no order", q);
		if (plan->slab.tiles > 0)
			claim(c, "launch %d: slab n >= 0 has its tiles n*%d - "
				"%d <= S0 < (n + 1)*%d - %d, which are all "
				"with a cell", q, plan->slab.tiles,
				plan->slab.behind, plan->slab.tiles,
				plan->slab.behind);
	}
	return true;
}

/* Reads --------------------------------------------------------------------- */

static bool check_read(struct checker *c, const struct statement *s,
	const struct access *acc)
{
	bool is_old = has_version(acc->field) && acc->version < 1;
	const struct statement *writer = is_old ? NULL :
		statement_that_writes(c, acc->field);
	bool in_shared = holds(s, acc);

	if (is_old && !is_kept(c, s, acc))
		return false;
	if (writer && !has_values(c, s, acc))
		return false;
	if (in_shared && !is_shown_empty(c, isl_set_subtract(cells_read(c, s,
			acc), in_tile(box_of(c, s->plan, acc->field)))))
		return refute(c, "%s reads beyond the box of %s", s->name,
			acc->field->name);
	if (in_shared && s->plan->group->planes && (!has_planes(c, s, acc,
		writer && writer->plan == s->plan ?
			s->plan->group->planes->lead[writer->number] :
			s->plan->group->planes->newest[acc->field->index]) ||
	    !has_copies(c, s, acc->field) ||
	    !has_turns(c, s->plan, acc->field) ||
	    (acc->field->n_dims == s->plan->n_dims && !is_dealt(c, s->plan,
		box_of(c, s->plan, acc->field), acc->field->name))))
		return false;
	if (!writer)
		return true;
	if (writer->plan != s->plan)
		return has_come(c, s, writer, acc);
	if (!in_shared || writer->number >= s->number)
		return refute(c, "%s reads %s of its tile before it is "
			"computed", s->name, acc->field->name);
	return is_shown_empty(c, isl_set_subtract(cells_read(c, s, acc),
		in_tile(part_of(s->plan, writer->number)))) || refute(c,
		"%s reads cells of %s that its tile does not compute",
		s->name, acc->field->name);
}

/* { [x] : 0 <= x < pitch } */
static __isl_give isl_set *own_points(const struct checker *c,
	const struct plan *plan)
{
	isl_set *own = isl_set_universe(isl_space_set_alloc(c->ctx, 0,
		(unsigned) plan->n_dims));

	for (int d = 0; d < plan->n_dims; d++) {
		own = isl_set_lower_bound_si(own, isl_dim_set, (unsigned) d,
			0);
		own = isl_set_upper_bound_si(own, isl_dim_set, (unsigned) d,
			plan->pitch[d] - 1);
	}
	return own;
}

/* The owner of each cell computes what leaves the tiles; what lies in shared
 * memory fits its box.
 */
static bool check_write(struct checker *c, const struct statement *s)
{
	const struct field *field = s->stmt->write->field;
	const struct plan *plan = s->plan;

	if (plan->group->planes && (!has_iterations(c, s) ||
	    !is_dealt(c, plan, part_of(plan, s->number), s->name)))
		return false;
	if (!field_is_temp(field) && !plan->group->in_global[field->index])
		return refute(c, "%s is not stored", field->name);
	if (plan->group->in_global[field->index] && !is_shown_empty(c,
		isl_set_subtract(own_points(c, plan), part_of(plan,
			s->number))))
		return refute(c, "some points of %s have no owner", s->name);
	return !holds(s, s->stmt->write) || is_shown_empty(c,
		isl_set_subtract(part_of(plan, s->number),
			box_of(c, plan, field))) ||
		refute(c, "%s does not fit its box", field->name);
}

/* Tiles have their origins at S*pitch. */
static bool stays_in_place(struct checker *c, const struct plan *plan)
{
	for (int d = 0; d < plan->n_dims; d++)
		if (plan->shift[d][0] != 0 || plan->drift[d] != 0)
			return refute(c, "tiles that overlap are moved");
	return true;
}

static bool check_reads(struct checker *c, const struct statement *s)
{
	struct access copied = *s->stmt->write;

	copied.version = 0;
	if (s->is_copy)
		return is_kept(c, s, &copied);
	for (int j = 0; j < s->stmt->n_reads; j++)
		if (!check_read(c, s, s->stmt->read[j]))
			return false;
	return true;
}

static bool check_overlap(struct checker *c)
{
	if (!check_domains(c) || !check_copy_statements(c))
		return false;
	section(c, "overlapping tiles");
	if (!has_slabs(c))
		return false;
	for (int q = 0; q < c->n_plans; q++)
		if (!stays_in_place(c, &c->plan[q]) ||
		    !check_launches(c, &c->plan[q]))
			return false;
	for (int i = 0; i < c->n_stmts; i++) {
		const struct statement *s = &c->stmt[i];

		if (!check_write(c, s) || !check_reads(c, s))
			return false;
		claim(c, "%s: its tiles have what they read, and each cell "
			"that leaves them has one owner", s->name);
	}
	return true;
}

/* The row of forms.c ----------------------------------------------------- */

/* Overlapping tiles only have to run what they store. */
static __isl_give isl_set *points_needed(struct checker *c,
	const struct statement *s)
{
	(void) c;
	return s->plan->group->in_global[s->stmt->write->field->index] ?
		isl_set_copy(s->domain) : NULL;
}

static bool is_read(const struct plan *plan)
{
	(void) plan;
	return true;
}

/* { [T, copy, x] } that "s" writes in step T */
static __isl_give isl_set *cells_of(const struct checker *c,
	const struct statement *s)
{
	int copies = c->scop->field[s->stmt->write->field->index].buffers;
	isl_set *cells = isl_set_insert_dims(isl_set_copy(s->domain),
		isl_dim_set, 1, 1);
	isl_space *space = isl_set_get_space(cells);
	isl_pw_aff *copy = isl_pw_aff_mod_val(plus(coordinate(space, 0), 1),
		isl_val_int_from_si(c->ctx, copies > 1 ? copies : 1));

	cells = isl_set_intersect(cells, isl_pw_aff_eq_set(coordinate(space,
		1), copy));
	isl_space_free(space);
	return cells;
}

/* What leaves the tiles. */
static bool cells_stored(struct checker *c, const struct plan *plan,
	const struct field *f, isl_set **cells)
{
	*cells = isl_set_empty(space_of_dims(c, 2 + f->n_dims));
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].plan == plan &&
		    c->stmt[i].stmt->write->field == f &&
		    plan->group->in_global[f->index])
			*cells = isl_set_union(*cells, cells_of(c,
				&c->stmt[i]));
	return true;
}

static struct kept_field *numbers_of(struct checker *c,
	const struct plan *plan, const struct field *field)
{
	const struct planes *planes = plan->group->planes;
	struct kept_field *k = region_new_of(c->mem, struct kept_field);
	int f = field->index;

	k->version = has_version(field) ? plan->group->version[f] : 0;
	memcpy(k->low, plan->box[f].low, sizeof(k->low));
	if (planes) {
		k->planes = plan->box[f].extent[0];
		k->newest = planes->newest[f];
		k->latest = planes->newest[f] - planes->after[f];
	}
	return k;
}

static struct kept_numbers find_kept(struct checker *c,
	const struct plan *plan)
{
	const struct planes *planes = plan->group->planes;
	struct kept_numbers k = {
		.is_swept = planes, .base = planes ? planes->base : NULL,
		.field = region_array(c->mem, struct kept_field *,
			c->prog->n_fields),
	};

	for (int i = 0; i < c->prog->n_fields; i++)
		if (plan->group->in_shared[i])
			k.field[i] = numbers_of(c, plan, c->prog->field[i]);
	return k;
}

const struct form_proof groups_proof = {
	.prove = check_overlap, .describe = describe_pitches,
	.has_statements = true, .has_own_points = true,
	.points_needed = points_needed, .is_read = is_read,
	.cells_stored = cells_stored, .find_kept = find_kept,
};
