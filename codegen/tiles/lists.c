/* Lists of points on a GPU, and outputs by step: for each statement that they follow, a
 * function takes a point's value, as its thread has computed it, and does what is listed there.
 */
#include <string.h>

#include "codegen/tile.h"

/* Names of the function at hand. */
struct followed {
	const struct place *place;
	const struct stmt *stmt;
	const char *entry, *end;
};

static const struct kx *named(const struct followed *f, const char *s)
{
	return kx_name(f->place->mem, s);
}

static const struct kx *cell(const struct followed *f,
	const struct field *field, int n, const struct kx *const *at)
{
	struct kx *x = kx_of_kind(f->place->mem, KX_CELL, field->name, n, at);

	x->field = field;
	x->type = field->type;
	return x;
}

/* at0[k][d] */
static const struct kx *entry_of(const struct followed *f,
	const struct list *list, const struct kx *k, int d)
{
	const struct kx *const at[] = { k, kx_int(f->place->mem, d) };

	return cell(f, list->cells, 2, at);
}

static const struct kx *first_of(const struct followed *f,
	const struct list *list, int further)
{
	const struct kx *plane = kx_add(f->place->mem, named(f,
		f->place->names->point[0]), further);

	return cell(f, list->first, 1, &plane);
}

/* The first of the plane's points at the place, or behind it. */
static const struct kx *first_entry(const struct followed *f,
	const struct list *list)
{
	struct region *r = f->place->mem;
	int n = list->grid->n_dims;
	const struct kx *arg[3 + IR_MAX_DIMS] = { kx_address(r, entry_of(f,
		list, kx_int(r, 0), 0)), first_of(f, list, 0), named(f,
			f->end) };

	if (n == 1)
		return arg[1];
	for (int d = 1; d < n; d++)
		arg[2 + d] = named(f, f->place->names->point[d]);
	return kx_of_kind(r, KX_CALL, region_printf(r, "first_place%d", n + 1),
		2 + n, arg);
}

/* Is entry "k", before the end, at the place? */
static const struct kx *is_there(const struct followed *f,
	const struct list *list)
{
	struct region *r = f->place->mem;
	const struct kx *k = named(f, f->entry);
	const struct kx *all = kx_binary(r, OP_LT, k, named(f, f->end));

	for (int d = 1; d < list->grid->n_dims; d++)
		all = kx_binary(r, OP_AND, all, kx_binary(r, OP_EQ, entry_of(f,
			list, k, d), named(f, f->place->names->point[d])));
	return all;
}

static struct ks *deed(const struct followed *f, const struct listed *l)
{
	const struct place *p = f->place;
	struct cursor c = { .mem = p->mem, .place = p };
	struct scop_stmt stmt = { .stmt = f->stmt };
	const struct kx *at[IR_MAX_DIMS], *to;
	struct binding b;

	c.stmt = &stmt;
	b = binding_by_name(&c, NULL, NULL);
	b.own = to = named(f, p->names->value);
	b.number = named(f, number_name(f->place->mem, f->place->unit->prog,
		l->list));
	for (int d = 0; l->series && d < l->series->n_dims; d++)
		at[d] = kx_of_expr(&b, l->subscript[d]);
	if (l->corners) {
		at[l->series->n_dims] = kx_of_expr(&b, l->corner);
		return ks_assign(p->mem, cell(f, l->corners,
			l->corners->n_dims, at), b.own);
	}
	if (l->series)
		to = cell(f, l->series, l->series->n_dims, at);
	return ks_assign(p->mem, to, kx_of_expr(&b, l->value));
}

/* "s" where it computes; NULL if it never does. */
static const struct scop_stmt *scop_stmt_of(const struct scop *scop,
	const struct stmt *s)
{
	for (int i = 0; i < scop->n_stmts; i++)
		if (scop->stmt[i].stmt == s && !scop->stmt[i].is_copy)
			return &scop->stmt[i];
	return NULL;
}

/* for (entry: those at the place) { const int p = its number; do what is listed
 * }
 */
static struct ks *entries(const struct followed *f, const struct listed *l)
{
	struct region *r = f->place->mem;
	struct ks *scope = ks_scope(r), *body = ks_block(r), *doing = deed(f, l);
	const char *number = number_name(r, f->place->unit->prog, l->list);
	const struct kx *when = list_condition(f->place, scop_stmt_of(
		f->place->scop, f->stmt), l->list);

	ks_add(r, scope, ks_declare(r, ctype_const(CT_INT), f->end, first_of(f,
		l->list, 1)));
	if (ks_uses(doing, number))
		ks_add(r, body, ks_declare(r, ctype_const(CT_INT), number,
			entry_of(f, l->list, named(f, f->entry),
				l->list->grid->n_dims)));
	ks_add(r, body, doing);
	ks_add(r, scope, ks_for(r, f->entry, first_entry(f, l->list),
		is_there(f, l->list), kx_int(r, 1), body));
	if (l->series)
		when = kx_and(r, named(f, f->place->names->lanes.stores), when);
	return guarded(r, when, scope);
}

static bool computes(const struct scop *scop, const struct stmt *s)
{
	const struct scop_stmt *at = scop_stmt_of(scop, s);

	return at && set_has_points(isl_set_intersect_params(isl_set_copy(
		at->domain), isl_set_copy(scop->context)));
}

/* Is there a point that the statement computes and "l" records? */
static bool records_something(const struct followed *f, const struct listed *l)
{
	const struct scop *scop = f->place->scop;
	isl_set *points = isl_set_intersect_params(isl_set_copy(scop_stmt_of(
		scop, f->stmt)->domain), isl_set_copy(scop->context));
	isl_space *space = isl_set_get_space(points);

	for (int i = 0; i < l->n_conditions; i++)
		points = isl_set_intersect(points, set_of_condition(space,
			scop->prog, l->condition[i]));
	isl_space_free(space);
	return set_has_points(points);
}

/* if (the thread stores the point, the statement computes it, conditions hold) snap[..] = .. */
static struct ks *record(const struct followed *f, const struct listed *l)
{
	const struct place *p = f->place;
	struct cursor c = { .mem = p->mem, .place = p,
		.stmt = scop_stmt_of(p->scop, f->stmt) };
	struct binding b = binding_by_name(&c, NULL, NULL);
	const struct kx *at[IR_MAX_DIMS], *when;

	b.own = named(f, p->names->value);
	b.exact = true;
	for (int d = 0; d < l->series->n_dims; d++)
		at[d] = kx_of_expr(&b, l->subscript[d]);
	when = named(f, p->names->lanes.stores);
	for (int i = 0; i < l->n_conditions; i++)
		when = kx_and(p->mem, when, kx_of_expr(&b, l->condition[i]));
	when = kx_and(p->mem, when, instance_condition(p, c.stmt->domain,
		NULL));
	return ks_if(p->mem, when, ks_assign(p->mem, cell(f, l->series,
		l->series->n_dims, at), kx_of_expr(&b, l->value)), NULL);
}

static void add_params(const struct followed *f, struct kfunc *to)
{
	const struct place *p = f->place;

	kfunc_add_param(p->mem, to, (struct kparam) {
		.c_type = ctype_of(f->stmt->write->field->type),
		.name = p->names->value });
	kfunc_add_param(p->mem, to, (struct kparam) {
		.c_type = ctype(CT_BOOL), .name = p->names->lanes.stores });
	kfunc_add_int(p->mem, to, p->names->time);
	for (int d = 0; d < f->stmt->n_dims; d++)
		kfunc_add_int(p->mem, to, p->names->point[d]);
	kfunc_drop_unused(to);
	kernel_add_arguments(p, to);
}

/* static TYPE NAME_listsI(TYPE value, bool stores, int t, int i, .., params, fields); NULL: it
 * would do nothing.
 */
static struct kfunc *function_of(const struct place *p, const struct stmt *s)
{
	struct followed f = { p, s,
		.entry = fresh_name(p->mem, p->unit->prog, "entry"),
		.end = fresh_name(p->mem, p->unit->prog, "entry_end") };
	struct kfunc *to = region_new_of(p->mem, struct kfunc);
	struct ks *body = ks_scope(p->mem);
	const struct kx *plane = named(&f, p->names->point[0]);

	to->name = region_printf(p->mem, "%s_lists%d", p->unit->prog->name,
		s->index);
	to->comment = region_printf(p->mem, "What %s with the value of %s at a "
		"point; returns the value after\nthat.  The thread that stores it "
		"writes series.", stmt_records_all(s) ? "is done" :
		"lists of points do", s->write->field->name);
	to->c_type = ctype_of(s->write->field->type);
	to->is_static = to->is_device = true;
	to->body = ks_block(p->mem);
	for (int i = 0; i < s->n_listed; i++)
		if (s->listed[i]->list)
			ks_add(p->mem, body, entries(&f, s->listed[i]));
		else if (records_something(&f, s->listed[i]))
			ks_add(p->mem, body, record(&f, s->listed[i]));
	if (!body->n_children)
		return NULL;
	ks_add(p->mem, to->body, ks_if(p->mem, kx_binary(p->mem, OP_AND,
		kx_binary(p->mem, OP_GE, plane, kx_int(p->mem, 0)), kx_binary(
			p->mem, OP_LT, plane, size_of_field(p, s->write->field,
				0))), body, NULL));
	ks_add(p->mem, to->body, ks_expression(p->mem, KS_RETURN, named(&f,
		p->names->value)));
	add_params(&f, to);
	return to;
}

void add_list_functions(struct kunit *unit)
{
	struct place p = { .mem = unit->mem, .unit = unit, .plan = unit->plan,
		.scop = unit->scop,
		.names = kernel_names_new(unit->mem, unit->prog) };

	unit->lists = region_array(unit->mem, struct kfunc *,
		unit->prog->n_stmts);
	for (int i = 0; i < unit->prog->n_stmts; i++) {
		if (!unit->prog->stmt[i]->n_listed ||
		    !computes(unit->scop, unit->prog->stmt[i]))
			continue;
		unit->lists[i] = function_of(&p, unit->prog->stmt[i]);
		if (!unit->lists[i])
			continue;
		*unit->last = unit->lists[i];
		unit->last = &unit->lists[i]->next;
	}
}

/* Is there none? ------------------------------------------------------------ */

/* The parameters of NAME_quiet. */
static const char *const quiet_params[] = { "plane", "plane_last", "low", "high",
	"lane" };
enum { PLANE, PLANE_LAST, LOW, HIGH, LANE, QUIET_PARAMS };

static const char *quiet_param(const struct place *p, int i)
{
	return fresh_name(p->mem, p->unit->prog, "%s", quiet_params[i]);
}

static const struct kx *plane_in_grid(const struct followed *f,
	const struct list *list, const struct kx *x)
{
	struct region *r = f->place->mem;
	const struct kx *plane = kx_min(r, kx_max(r, x, kx_int(r, 0)),
		size_of_field(f->place, list->grid, 0));

	return cell(f, list->first, 1, &plane);
}

/* for (the lane's share of the planes' points) if (it lies in the columns) quiet = false; */
static struct ks *look_at(const struct followed *f, const struct list *list,
	const char *quiet, int warp)
{
	const struct place *p = f->place;
	struct region *r = p->mem;
	const struct kx *x = entry_of(f, list, named(f, f->entry),
		list->grid->n_dims - 1);

	return ks_for(r, f->entry, kx_binary(r, OP_ADD, plane_in_grid(f, list,
		named(f, quiet_param(p, PLANE))), named(f, quiet_param(p,
			LANE))), kx_binary(r, OP_LT, named(f, f->entry),
		plane_in_grid(f, list, kx_add(r, named(f, quiet_param(p,
			PLANE_LAST)), 1))), kx_int(r, warp), ks_if(r,
		kx_binary(r, OP_AND, kx_binary(r, OP_GE, x, named(f,
			quiet_param(p, LOW))), kx_binary(r, OP_LE, x, named(f,
			quiet_param(p, HIGH)))), ks_assign(r, named(f, quiet),
				named(f, "false")), NULL));
}

/* static bool NAME_quiet(int plane, int plane_last, int low, int high, int lane, ..) */
static struct kfunc *quiet_function(const struct place *p, int warp)
{
	const struct program *prog = p->unit->prog;
	const char *quiet = fresh_name(p->mem, prog, "quiet");
	struct followed f = { p, NULL,
		.entry = fresh_name(p->mem, prog, "entry") };
	struct kfunc *to = region_new_of(p->mem, struct kfunc);

	to->name = region_printf(p->mem, "%s_quiet", prog->name);
	to->comment = "Do all lists lack points in these planes and columns?  All "
		"lanes of the warp look.";
	to->c_type = ctype(CT_BOOL);
	to->is_static = to->is_device = true;
	to->body = ks_block(p->mem);
	ks_add(p->mem, to->body, ks_declare(p->mem, ctype(CT_BOOL), quiet,
		named(&f, "true")));
	for (int i = 0; i < prog->n_lists; i++)
		ks_add(p->mem, to->body, look_at(&f, prog->list[i], quiet,
			warp));
	ks_add(p->mem, to->body, ks_expression(p->mem, KS_RETURN, kx_builtin(
		p->mem, B_ALL_LANES, 1, named(&f, quiet))));
	for (int i = 0; i < QUIET_PARAMS; i++)
		kfunc_add_int(p->mem, to, quiet_param(p, i));
	kernel_add_arguments(p, to);
	return to;
}

struct quiet_call {
	const struct place *place;
	const struct kx *const *arg;
};

static const struct kx *quiet_argument(const void *user, const char *param)
{
	const struct quiet_call *c = user;

	for (int i = 0; i < QUIET_PARAMS; i++)
		if (!strcmp(param, quiet_param(c->place, i)))
			return c->arg[i];
	return NULL;
}

const struct kx *has_no_points(const struct place *p, int warp,
	const struct kx *const *box)
{
	struct quiet_call call = { p, box };
	struct kunit *unit = p->unit;

	if (!unit->quiet) {
		unit->quiet = quiet_function(p, warp);
		*unit->last = unit->quiet;
		unit->last = &unit->quiet->next;
	}
	return kfunc_call(p->mem, unit->quiet, quiet_argument, &call);
}

/* A call ------------------------------------------------------------------- */

struct call {
	const struct place *place;
	const struct binding *binding;
	const struct kx *value, *stores;
};

static const struct kx *argument(const void *user, const char *param)
{
	const struct call *c = user;
	const struct kernel_names *n = c->place->names;

	if (!strcmp(param, n->value))
		return c->value;
	if (!strcmp(param, n->lanes.stores))
		return c->stores ? c->stores : kx_name(c->place->mem, "true");
	if (!strcmp(param, n->time))
		return c->binding->time;
	for (int d = 0; d < IR_MAX_DIMS; d++)
		if (!strcmp(param, n->point[d]))
			return c->binding->point[d];
	return NULL;
}

const struct kx *with_lists(const struct place *p, const struct stmt *s,
	const struct binding *b, const struct kx *value,
	const struct kx *stores)
{
	struct call call = { p, b, value, stores };
	struct kx *x;

	if (!s->n_listed || !p->unit->lists[s->index])
		return value;
	x = (struct kx *) kfunc_call(p->mem, p->unit->lists[s->index], argument,
		&call);
	x->type = value->type;
	return x;
}
