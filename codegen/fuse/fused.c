/* Fused stencils as C: threads share out the tiles of a group; in a tile the
 * stages run one after the other on arrays of the tile.
 */
#include "codegen/fuse/fused.h"

/* Cells ----------------------------------------------------------------- */

/* x of a cell of "field" in its tile's array: x - (origin + low), or where its
 * plane lies.
 */
static const struct kx *in_box(const struct fused *f,
	const struct field *field, int d, const struct kx *x)
{
	const struct host *h = f->h;

	if (d == 0 && f->plan->group->planes &&
	    f->plan->box[field->index].extent[0] == 1)
		return integer(h, 0);
	if (d == 0 && f->plan->group->planes)
		return op(h, OP_MOD, x, integer(h,
			f->plan->box[field->index].extent[0]));
	return kx_add(h->mem, op(h, OP_SUB, x, name(h,
		h->names->origin[d])), -f->plan->box[field->index].low[d]);
}

const struct kx *fused_to_tile(const struct fused *f, const struct kx *x)
{
	const struct field *field = x->field;
	const struct kx *arg[IR_MAX_DIMS];
	struct kx *cell;

	if (!f->plan->group->in_shared[field->index])
		return x;
	for (int d = 0; d < field->n_dims; d++)
		arg[d] = in_box(f, field, d, x->arg[x->n_args -
			field->n_dims + d]);
	cell = kx_of_kind(f->h->mem, KX_INDEX, shared_name(f->h->mem,
		f->h->prog, field), field->n_dims, arg);
	cell->type = field->type;
	return cell;
}

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	const struct fused *f = binding->user;
	const struct kx *kept;

	if (!plan_holds(f->plan, acc))
		return global_value(f->c, acc);
	kept = f->plan->group->planes ? swept_register(f, acc) : NULL;
	return kept ? kept : cell_or_value(f->c, acc, fused_to_tile(f,
		cell_of_access(f->c, acc, false)));
}

/* Stages ---------------------------------------------------------------- */

const struct kx *fused_value(struct fused *f, struct ks *body)
{
	const struct cursor *c = f->c;
	struct binding binding = binding_by_name(c, read_cell, f);
	const struct access before = copied(c);

	if (c->stmt->is_copy)
		return global_value(c, &before);
	declare_locals(c, &binding, body);
	return kx_of_expr(&binding, c->stmt->stmt->value);
}

static struct ks *instance(void *user)
{
	struct fused *f = user;
	const struct cursor *c = f->c;
	struct ks *body = ks_block(c->mem);
	const struct kx *value = fused_value(f, body);
	const struct access *write = c->stmt->stmt->write;
	const struct kx *to = cell_of_access(c, write, false);

	ks_add(c->mem, body, ks_assign(c->mem, plan_holds(f->plan, write) ?
		fused_to_tile(f, to) : to, value));
	return body;
}

/* Copy what leaves the tile from its array to the grid. */
static struct ks *store(void *user)
{
	struct fused *f = user;
	const struct kx *to = cell_of_access(f->c, f->c->stmt->stmt->write,
		false);

	return ks_assign(f->h->mem, to, fused_to_tile(f, to));
}

__isl_give isl_set *fused_around_origin(const struct fused *f,
	__isl_take isl_set *part)
{
	int n = f->plan->n_dims;
	isl_space *from = isl_space_set_alloc(f->h->scop->ctx, 0,
		(unsigned) (2 * n));
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
	isl_multi_aff *ma = isl_multi_aff_zero(
		isl_space_map_from_domain_and_range(from,
			isl_set_get_space(part)));

	for (int d = 0; d < n; d++)
		ma = isl_multi_aff_set_aff(ma, d, isl_aff_sub(
			isl_aff_var_on_domain(isl_local_space_copy(ls),
				isl_dim_set, (unsigned) (n + d)),
			isl_aff_var_on_domain(isl_local_space_copy(ls),
				isl_dim_set, (unsigned) d)));
	isl_local_space_free(ls);
	part = isl_set_preimage_multi_aff(part, ma);
	part = isl_set_move_dims(part, isl_dim_param, 0, isl_dim_set, 0,
		(unsigned) n);
	for (int d = 0; d < n; d++)
		part = isl_set_set_dim_name(part, isl_dim_param, (unsigned) d,
			f->h->names->origin[d]);
	return part;
}

__isl_give isl_set *fused_part(const struct fused *f, bool own)
{
	isl_set *part = isl_set_project_out(tile_instances(f->plan,
		f->c->stmt->number), isl_dim_set, 0, 1);

	for (int d = 0; d < f->plan->n_dims && own; d++)
		part = set_between(part, d, 0, f->plan->pitch[d] - 1);
	return fused_around_origin(f, part);
}

/* { [] : the origin is on the inner side of one of the edges so far }, see struct cover. */
struct within {
	const char *origin;
	bool last;
	isl_set *all;
};

/* Loops over tiles compute an edge for sizes that leave no points, too: as one of its pieces. */
static isl_stat add_piece(__isl_take isl_set *where, __isl_take isl_aff *piece,
	void *user)
{
	struct within *w = user;
	isl_space *space = isl_space_set_dim_name(isl_space_params_alloc(
		isl_set_get_ctx(where), 1), isl_dim_param, 0, w->origin);
	isl_pw_aff *origin = isl_pw_aff_var_on_domain(
		isl_local_space_from_space(space), isl_dim_param, 0);
	isl_pw_aff *edge = isl_pw_aff_from_aff(piece);
	isl_set *own = w->last ? isl_pw_aff_le_set(origin, edge) :
		isl_pw_aff_ge_set(origin, edge);

	isl_set_free(where);
	w->all = w->all ? isl_set_union(w->all, own) : own;
	return isl_stat_ok;
}

/* { [] : the loops over tiles reach the origin in "d" }, for tiles of one point */
static __isl_give isl_set *origins(const struct fused *f, int d)
{
	const struct cover *cover = &f->plan->cover[d];
	struct within after = { f->h->names->origin[d], false, NULL };
	struct within before = { f->h->names->origin[d], true, NULL };

	for (int i = 0; i < cover->n; i++) {
		isl_pw_aff_foreach_piece(cover->first[i], add_piece, &after);
		isl_pw_aff_foreach_piece(cover->last[i], add_piece, &before);
	}
	return isl_set_intersect(isl_set_from_basic_set(isl_set_simple_hull(
		after.all)), isl_set_from_basic_set(isl_set_simple_hull(
			before.all)));
}

struct ks *fused_loops(const struct fused *f, const struct loop_nest *nest,
	__isl_take isl_set *set, __isl_take isl_set *known)
{
	const struct host *h = f->h;
	isl_set *asked = isl_set_params(isl_set_copy(set));
	const struct kx *guard;
	struct ks *nests;

	known = isl_set_intersect(known, isl_set_copy(h->scop->context));
	known = isl_set_align_params(known, isl_set_get_space(asked));
	for (int d = 0; d < f->plan->n_dims; d++) {
		const char *origin = h->names->origin[d];
		int at = isl_set_find_dim_by_name(asked, isl_dim_param,
			origin);
		int of = isl_set_find_dim_by_name(known, isl_dim_param,
			origin);

		if (at >= 0 && isl_set_involves_dims(known, isl_dim_param,
				(unsigned) of, 1) == isl_bool_false)
			asked = isl_set_project_out(asked, isl_dim_param,
				(unsigned) at, 1);
	}
	asked = set_coalesce(asked);
	guard = kx_of_set(h->mem, isl_set_copy(asked), isl_set_copy(known));
	nests = loops_of_set(nest, set, isl_set_intersect(known, asked));
	if (!f->threads)
		nests = cpu_vectorise(h, nests);
	return guard ? ks_if(h->mem, guard, nests, NULL) : nests;
}

static void add_nest(struct fused *f, struct ks *block,
	__isl_take isl_set *set, struct ks *(*body)(void *user), bool mapped)
{
	const struct host *h = f->h;
	const char *first[IR_MAX_DIMS] = { NULL };
	struct loop_nest nest = {
		.mem = h->mem, .n_dims = f->plan->n_dims,
		.iterator = h->names->point, .first = first,
		.body = body, .user = f,
	};
	isl_set *known;

	if (isl_set_is_empty(set) != isl_bool_false) {
		isl_set_free(set);
		return;
	}
	f->c->mapped = mapped;
	known = cpu_times(h);
	for (int d = 0; d < f->plan->n_dims; d++)
		if (f->plan->pitch[d] == 1)
			known = isl_set_intersect(known, origins(f, d));
	ks_add(h->mem, block, fused_loops(f, &nest, set, known));
}

static void add_stage(struct fused *f, struct ks *block,
	const struct scop_stmt *s)
{
	const struct access *write = s->stmt->write;
	isl_set *domain = cpu_at_time(f->h, isl_set_copy(s->domain));
	isl_set *inside = cpu_at_time(f->h, isl_set_copy(s->inside));

	f->c->stmt = s;
	domain = isl_set_intersect(domain, fused_part(f, false));
	if (s->is_mapped) {
		add_nest(f, block, set_coalesce(isl_set_intersect(
			isl_set_copy(domain), isl_set_copy(inside))),
			instance, false);
		add_nest(f, block, set_coalesce(isl_set_subtract(
			isl_set_copy(domain), isl_set_copy(inside))),
			instance, true);
	} else {
		add_nest(f, block, set_coalesce(isl_set_copy(domain)),
			instance, false);
	}
	if (plan_holds(f->plan, write) &&
	    f->plan->group->in_global[write->field->index])
		add_nest(f, block, isl_set_intersect(isl_set_copy(domain),
			fused_part(f, true)), store, false);
	isl_set_free(domain);
	isl_set_free(inside);
}

/* Tiles ----------------------------------------------------------------- */

static void declare_arrays(const struct fused *f, struct ks *block)
{
	const struct program *prog = f->h->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct box *box = &f->plan->box[i];
		const struct field *field = prog->field[i];

		if (f->plan->group->in_shared[i])
			ks_add(f->h->mem, block, ks_array(f->h->mem,
				ctype_of(field->type),
				shared_name(f->h->mem, prog, field),
				box->n_dims, box->extent, false, -1));
	}
}

static const struct kx *edge_tile(const struct fused *f, int d, bool last)
{
	const struct host *h = f->h;

	return tile_to_launch(h->mem, f->plan, h->names, integer(h, 0), d,
		last);
}

/* const int origin = S*pitch, of dimensions first .. last; body */
static struct ks *at_origins(const struct fused *f, int first, int last,
	struct ks *body)
{
	const struct host *h = f->h;
	struct ks *block = ks_block(h->mem);

	for (int d = first; d <= last; d++)
		ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_INT),
			h->names->origin[d], op(h, OP_MUL, name(h,
				h->names->tile[d]), integer(h,
				f->plan->pitch[d]))));
	ks_add(h->mem, block, body);
	return block;
}

/* for (S = first; S <= last; S += 1) body */
static struct ks *tile_loop(const struct fused *f, int d, struct ks *body)
{
	const struct host *h = f->h;
	const char *tile = h->names->tile[d];

	return ks_for(h->mem, tile, edge_tile(f, d, false), op(h, OP_LE,
		name(h, tile), edge_tile(f, d, true)), integer(h, 1), body);
}

static struct ks *tiles_along(const struct fused *f, int d, struct ks *body)
{
	return tile_loop(f, d, at_origins(f, d, d, body));
}

/* A slab may have few tiles along the outermost dimension: share out those along the first two
 * together.
 */
static bool shares_two(const struct fused *f)
{
	return f->plan->slab.tiles > 0 && !f->plan->group->planes &&
		f->plan->n_dims > 1;
}

/* The tiles, shared out.  Where tiles are swept, the innermost loop runs along
 * the swept, long dimension, and a thread does all of it.
 */
static void add_tiles(const struct fused *f, struct ks *block,
	struct ks *body)
{
	const struct host *h = f->h;
	int last = shares_two(f) ? 2 : f->plan->group->planes ? 1 : 0;

	if (f->plan->group->planes)
		body = tiles_along(f, 0, body);
	for (int d = f->plan->n_dims - 1; d >= last; d--)
		body = tiles_along(f, d, body);
	if (shares_two(f))
		body = tile_loop(f, 0, tile_loop(f, 1, at_origins(f, 0, 1,
			body)));
	ks_add(h->mem, block, ks_directive(h->mem, (struct directive) {
		.kind = OMP_FOR, .schedule = OMP_STATIC,
		.collapse = shares_two(f) ? 2 : 1 }));
	ks_add(h->mem, block, body);
}

static void add_group(const struct host *h, struct ks *block,
	const struct plan *plan)
{
	struct place place = cpu_place(h);
	struct cursor c = cpu_cursor(&place);
	struct fused f = { .h = h, .c = &c, .plan = plan };
	struct ks *body = ks_block(h->mem);

	declare_arrays(&f, body);
	if (plan->group->planes) {
		ks_add(h->mem, body, swept_tile(&f));
		add_tiles(&f, block, body);
		return;
	}
	for (int number = 0; number < h->scop->k; number++)
		for (int i = 0; i < h->scop->n_stmts; i++)
			if (h->scop->stmt[i].number == number &&
			    tile_has(plan, number))
				add_stage(&f, body, &h->scop->stmt[i]);
	add_tiles(&f, block, body);
}

/* The row of the table of forms ------------------------------------------ */

static struct ks *fused_step(const struct host *h)
{
	struct ks *step = ks_block(h->mem);

	for (int i = 0, n; i < h->n_plans; i += n) {
		struct ks *groups = ks_block(h->mem), *to = step;

		n = plans_of_slab(&h->plan[i], h->n_plans - i);
		for (int q = i; q < i + n; q++)
			add_group(h, groups, &h->plan[q]);
		if (n > 1 && n < h->n_plans) {
			to = ks_scope(h->mem);
			ks_add(h->mem, step, to);
		}
		ks_add(h->mem, to, n > 1 ? slab_loop(h, &h->plan[i], n,
			groups) : groups);
	}
	return step;
}

static void add(const struct host *h, struct cpu_run *run)
{
	cpu_add_sweeps(h, run, fused_step(h));
}

static const char *describe(const struct host *h)
{
	return h->prog->timed ?
		"All steps, on copies of the fields in padded rows: "
		"A[t % n] is version t.  The\nstages of a step are "
		"fused: tiles compute again what they need of their "
		"neighbours." :
		"All stages, fused: tiles compute again what they need "
		"of their neighbours.";
}

const struct form_run groups_run = { .describe = describe, .add = add };
