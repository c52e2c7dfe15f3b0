/* The function for the rows of one statement in a hexagonal tile. */
#include <string.h>

#include "codegen/hex/hex.h"

#include "codegen/host/lists.h"

/* { [x] in "set" : low <= x <= high } */
static __isl_give isl_set *within_row(const struct cpu_hex *x,
	__isl_take isl_set *set)
{
	return points_within(set, x->low, x->high);
}

/* Holds for every row: low <= high. */
static __isl_give isl_set *known_of_rows(const struct cpu_hex *x)
{
	return isl_set_params(within_row(x, isl_set_universe(
		isl_space_set_alloc(x->h->scop->ctx, 0,
			(unsigned) x->n_dims))));
}

static struct ks *instance(void *user)
{
	return cpu_hex_instances(user);
}

/* { params : the statement at hand may have a point }, kept simple: in a row within its hull; of
 * copies, which few steps have, within that of their points.
 */
static __isl_give isl_set *where_rows_run(const struct cpu_hex *x)
{
	const struct host *h = x->h;
	const struct scop_stmt *s = x->c.stmt;
	isl_set *hull = cpu_at_time(h, isl_set_copy(s->is_copy ? s->domain :
		s->hull));

	hull = isl_set_intersect_params(hull, isl_set_copy(h->scop->context));
	return isl_set_params(within_row(x, isl_set_from_basic_set(
		isl_set_simple_hull(hull))));
}

/* The loops over "set", where it is known that the row may have points of it. */
static struct ks *loops_over(struct cpu_hex *x, __isl_take isl_set *set,
	__isl_take isl_set *known)
{
	const char *first[IR_MAX_DIMS] = { NULL };
	struct loop_nest nest = {
		.mem = x->h->mem, .n_dims = x->n_dims,
		.iterator = x->names->point, .first = first,
		.body = instance, .user = x,
	};

	return cpu_hex_vectorise(x, loops_of_set(&nest, set, known));
}

/* The points of "set" in a row and for sizes for which there is work. */
static __isl_give isl_set *in_row(const struct cpu_hex *x,
	__isl_take isl_set *set)
{
	return within_row(x, isl_set_intersect_params(cpu_at_time(x->h, set),
		isl_set_copy(x->h->scop->context)));
}

struct pieces {
	struct cpu_hex *x;
	struct ks *block;
};

/* { params : the row may meet "set" along the last dimension } */
static __isl_give isl_set *meets_along_row(const struct cpu_hex *x,
	__isl_keep isl_set *set)
{
	isl_set *along = isl_set_copy(set);

	if (x->n_dims > 1)
		along = isl_set_drop_constraints_involving_dims(along,
			isl_dim_set, 0, (unsigned) x->n_dims - 1);
	return isl_set_remove_divs(isl_set_params(along));
}

/* Do rows ask whether they meet the pieces, as ends of the grid's rows, that few of them do? */
static bool asks_for_ends(const struct cpu_hex *x)
{
	return x->c.mapped && !x->c.inside;
}

static isl_stat add_piece(__isl_take isl_basic_set *piece, void *user)
{
	struct pieces *p = user;
	struct region *mem = p->x->h->mem;
	isl_set *set = in_row(p->x, isl_set_from_basic_set(piece));
	isl_set *known = where_rows_run(p->x);
	const struct kx *guard = NULL;
	struct ks *loops;

	if (asks_for_ends(p->x)) {
		isl_set *meets = meets_along_row(p->x, set);

		guard = kx_of_set(mem, isl_set_copy(meets),
			isl_set_copy(known));
		known = isl_set_intersect(known, meets);
	}
	loops = loops_over(p->x, set, known);
	ks_add(mem, p->block, guard ? ks_if(mem, guard, loops, NULL) : loops);
	return isl_stat_ok;
}

/* Points apart from others: where a condition leaves some out, or that a boundary or copies
 * single out.
 */
static bool has_pieces(const struct cpu_hex *x)
{
	return x->c.stmt->is_guarded || x->c.stmt->is_copy || x->c.mapped;
}

/* Each convex piece of such points has loops of its own, and rows far from the points left out
 * form one piece.
 */
static void add_pieces(struct cpu_hex *x, struct ks *block,
	__isl_take isl_set *set)
{
	struct pieces p = { x, block };

	if (isl_set_is_empty(set) != isl_bool_false) {
		isl_set_free(set);
		return;
	}
	if (!has_pieces(x)) {
		ks_add(x->h->mem, block, loops_over(x, in_row(x, set),
			where_rows_run(x)));
		return;
	}
	set = isl_set_make_disjoint(set_coalesce(set));
	isl_set_foreach_basic_set(set, add_piece, &p);
	isl_set_free(set);
}

/* The instances "set", which read across the boundary. */
static void add_beyond(struct cpu_hex *x, struct ks *block,
	__isl_take isl_set *set, const char *comment)
{
	if (isl_set_is_empty(set) == isl_bool_false)
		ks_add(x->h->mem, block, ks_comment(x->h->mem, "%s", comment));
	x->c.mapped = true;
	add_pieces(x, block, set);
	x->c.mapped = false;
}

/* .. of which those that do so only from row to row read side by side within their row, as
 * others do.
 */
static void add_mapped(struct cpu_hex *x, struct ks *block,
	__isl_take isl_set *set)
{
	if (!x->c.stmt->is_guarded && x->n_dims > 1) {
		isl_set *inside = cpu_inside_along_rows(x->c.stmt);

		x->c.inside = x->n_dims;
		add_beyond(x, block, set_coalesce(isl_set_intersect(
			isl_set_copy(set), isl_set_copy(inside))), "Points "
			"that read across the boundary in other rows.");
		x->c.inside = 0;
		set = set_coalesce(isl_set_subtract(set, inside));
	}
	add_beyond(x, block, set, "Points that read across the boundary.");
}

/* Does the part store what its cell has already, as choices do that keep a value in place? */
static bool keeps_cells(const struct cpu_hex *x)
{
	const struct ks *body = cpu_instance(&x->c);
	const struct ks *s = body->n_children == 1 ? body->child[0] : body;

	return s->kind == KS_ASSIGN && kx_same(s->x[0], s->x[1]);
}

/* All instances of "s", part by part. */
static void add_parts(struct cpu_hex *x, struct ks *block,
	const struct scop_stmt *s)
{
	const int n = x->together.n_parts;

	for (x->part = 0; x->part < n; x->part++) {
		isl_set *set;

		x->c.stmt = &x->together.parts[0][x->part];
		set = isl_set_copy(x->c.stmt->domain);
		if (n > 1 && x->together.n == 1 && keeps_cells(x)) {
			isl_set_free(set);
			continue;
		}
		if (s->is_mapped)
			set = set_coalesce(isl_set_intersect(set,
				isl_set_copy(s->inside)));
		add_pieces(x, block, set);
	}
	x->part = 0;
	x->c.stmt = s;
}

/* Run "nests" where the row at hand may have a point of the statement. */
static struct ks *where_it_runs(const struct cpu_hex *x, struct ks *nests)
{
	const struct host *h = x->h;
	isl_set *known = isl_set_intersect(cpu_times(h),
		isl_set_copy(h->scop->context));
	isl_set *runs = where_rows_run(x);
	const struct kx *guard;

	known = isl_set_intersect(known, known_of_rows(x));
	guard = kx_of_set(h->mem, runs, known);
	return guard ? ks_if(h->mem, guard, nests, NULL) : nests;
}

static void add_box(const struct cpu_hex *x, struct kfunc *f,
	const struct scop_stmt *s)
{
	struct kbox *box = region_new_of(x->h->mem, struct kbox);

	box->stmt = s->is_copy ? NULL : s->stmt;
	memcpy(box->low, x->low, sizeof(box->low));
	memcpy(box->high, x->high, sizeof(box->high));
	f->box = box;
	kfunc_add_int(x->h->mem, f, x->names->time);
	for (int d = 0; d < x->n_dims; d++) {
		kfunc_add_int(x->h->mem, f, x->low[d]);
		kfunc_add_int(x->h->mem, f, x->high[d]);
	}
	cpu_hex_add_arrays(x, f);
}

struct kfunc *cpu_hex_lists(struct cpu_hex *x, const struct scop_stmt *s)
{
	const struct host *h = x->h;
	struct kfunc *f = cpu_function(h, region_printf(h->mem, "lists%d",
		s->number));
	struct ks *doing;

	f->comment = region_printf(h->mem, stmt_records_all(s->stmt) ?
		"Record %s in a box that has been computed, and do there what "
		"lists do." : "Do what lists do at points of %s in a box that "
		"has been computed.", s->stmt->write->field->name);
	add_box(x, f, s);
	f->is_apart = true;
	x->c.stmt = s;
	x->c.mapped = false;
	doing = lists_of_box(h, &x->c, 0, s->stmt->n_listed, x->low, x->high);
	if (!doing->n_children)
		return NULL;
	ks_add(h->mem, f->body, doing);
	kfunc_drop_unused(f);
	return f;
}

static const char *name_written(const struct cpu_hex *x, int i)
{
	return x->together.parts[i]->stmt->write->field->name;
}

/* "A, B and C"; of many "A, B, .. and Z" */
static const char *names_written(const struct cpu_hex *x)
{
	enum { MOST = 6, SHOWN = 3 };
	const int n = x->together.n, shown = n > MOST ? SHOWN : n - 1;
	const char *names = name_written(x, 0);

	for (int i = 1; i < shown; i++)
		names = region_printf(x->h->mem, "%s, %s", names,
			name_written(x, i));
	return n == 1 ? names : region_printf(x->h->mem, "%s%s and %s", names,
		n > MOST ? ", .." : "", name_written(x, n - 1));
}

struct kfunc *cpu_hex_rows(struct cpu_hex *x, const struct scop_stmt *s, int i)
{
	const struct host *h = x->h;
	struct kfunc *f = cpu_function(h, h->scop->n_stmts == 1 ? "rows" :
		region_printf(h->mem, "rows%d", i));
	struct ks *nests = ks_block(h->mem);

	x->together = cpu_hex_together(x, s);
	f->comment = region_printf(h->mem, s->is_copy ? "The cells of %s in "
		"a box that no statement writes." : "One step of %s in a box.",
		names_written(x));
	add_box(x, f, s);
	f->is_apart = true;
	x->c.stmt = s;
	x->function = f;
	add_parts(x, nests, s);
	if (s->is_mapped)
		add_mapped(x, nests, set_coalesce(isl_set_subtract(
			isl_set_copy(s->domain), isl_set_copy(s->inside))));
	if (nests->n_children)
		ks_add(h->mem, f->body, where_it_runs(x, nests));
	kfunc_drop_unused(f);
	return f;
}
