/* Lists of points: the code sorts them by place before the steps begin, then handles them box
 * by box behind the statement that has computed the points; likewise outputs by step.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/lists.h"
#include "codegen/tile.h"

/* Sorting ------------------------------------------------------------------ */

static const struct kx *at(const struct host *h, const char *array,
	const struct kx *i)
{
	return kx_of_kind(h->mem, KX_INDEX, array, 1, &i);
}

/* cells[k][d] */
static const struct kx *entry_of(const struct host *h, const struct list *list,
	const struct kx *k, int d)
{
	const struct kx *const index[] = { k, integer(h, d) };

	return kx_of_kind(h->mem, KX_INDEX, list->cells->name, 2, index);
}

/* for (int p = begin; p < end; ++p) body */
static struct ks *loop_over(const struct host *h, const struct list *list,
	struct ks *body)
{
	const char *number = list_number(h, list);

	return ks_for(h->mem, number, host_param(h, list->begin,
		ctype(CT_NONE)), op(h, OP_LT, name(h, number), host_param(h,
			list->end, ctype(CT_NONE))), integer(h, 1), body);
}

static struct ks *assign(const struct host *h, const struct kx *to,
	const struct kx *value)
{
	return ks_assign(h->mem, to, value);
}

static struct ks *loop_to(const struct host *h, const char *var,
	const struct kx *end, struct ks *body)
{
	return ks_for(h->mem, var, integer(h, 0), op(h, OP_LT, name(h, var),
		end), integer(h, 1), body);
}

/* Record the current point, and count it in the entry behind its plane. */
static struct ks *note_point(const struct host *h, const struct list *list,
	const struct kx *points)
{
	struct ks *body = ks_block(h->mem);
	const char *first = list->first->name;
	int n = list->grid->n_dims;
	const struct kx *behind = kx_add(h->mem, name(h, h->names->point[0]),
		1);

	for (int d = 0; d < n; d++)
		ks_add(h->mem, body, assign(h, entry_of(h, list, points, d),
			name(h, h->names->point[d])));
	ks_add(h->mem, body, assign(h, entry_of(h, list, points, n), name(h,
		list_number(h, list))));
	ks_add(h->mem, body, assign(h, at(h, first, behind), kx_add(h->mem,
		at(h, first, behind), 1)));
	ks_add(h->mem, body, assign(h, points, kx_add(h->mem, points, 1)));
	return body;
}

/* "note" at the declared cell; a list of a block that wants more than its own cells keeps only
 * computed ones.
 */
static struct ks *note_if_listed(const struct places *p, struct ks *note)
{
	return p->list->is_of_block && !place_is_own(p) ? ks_if(p->h->mem,
		place_is_computed(p), note, NULL) : note;
}

/* { compute its place; note the point } */
static struct ks *note_cell(const struct places *p, const struct kx *points)
{
	const struct host *h = p->h;
	struct ks *body = ks_block(h->mem);

	place_declare(p, body, NULL);
	if (!p->list->is_of_block)
		host_return_if(h, body, place_is_wrong(p), STATUS_PLACE);
	ks_add(h->mem, body, note_if_listed(p, note_point(h, p->list,
		points)));
	return body;
}

/* for (corner: the cells around) { compute its place; if (it has a weight) "done" } */
static struct ks *loop_around(const struct places *p, struct ks *done)
{
	const struct host *h = p->h;
	struct ks *around = ks_block(h->mem);
	const char *corner = fresh_name(h->mem, h->prog, "corner");

	place_declare(p, around, name(h, corner));
	ks_add(h->mem, around, note_if_listed(p, ks_if(h->mem,
		place_has_weight(p), done, NULL)));
	return loop_to(h, corner, integer(h, list_corners(p->list)), around);
}

/* Return an error if the declared cell is one that no statement computes. */
static void check_corner(const struct places *p, struct ks *block)
{
	const struct kx *wrong = corner_is_wrong(p);

	if (wrong)
		host_return_if(p->h, block, wrong, STATUS_PLACE);
}

/* Note the cells around the place. */
static struct ks *note_around(const struct places *p, const struct kx *points)
{
	const struct host *h = p->h;
	struct ks *body = ks_block(h->mem), *noted = ks_block(h->mem);

	if (!p->list->is_of_block) {
		host_return_if(h, body, place_is_wrong(p), STATUS_PLACE);
		check_corner(p, noted);
	}
	ks_add(h->mem, noted, note_point(h, p->list, points));
	ks_add(h->mem, body, loop_around(p, noted));
	return body;
}

/* Do this for all points of the list. */
static struct ks *note_points(const struct places *p, const struct kx *points)
{
	const struct kx *own = place_is_own(p);
	struct ks *body = p->list->is_between ? note_around(p, points) :
		note_cell(p, points);

	return loop_over(p->h, p->list, own ? ks_if(p->h->mem, own, body,
		NULL) : body);
}

static void add_inputs_of_places(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_fields; i++)
		if (h->prog->field[i]->kind == FIELD_INPUT &&
		    !h->prog->field[i]->made_of)
			kfunc_add_param(h->mem, f, (struct kparam) {
				.c_type = ctype_pointer(scalar_of(
					h->prog->field[i]->type), true),
				.name = h->prog->field[i]->name });
}

static void add_tables(const struct host *h, struct kfunc *f,
	const struct list *list)
{
	const struct kx **extent = region_array(h->mem, const struct kx *, 1);

	extent[0] = integer(h, list->grid->n_dims + 1);
	kfunc_add_param(h->mem, f, (struct kparam) { .c_type = ctype(CT_INT),
		.name = list->cells->name, .is_array = true, .n_extents = 1,
		.extent = extent });
	kfunc_add_param(h->mem, f, (struct kparam) { .c_type = ctype_pointer(
		CT_INT, false), .name = list->first->name });
}

static const struct kx *sort_call(const struct host *h,
	const struct list *list, const struct kx *points)
{
	int width = list->grid->n_dims + 1;
	const struct kx *const arg[] = { name(h, list->cells->name),
		kx_cast(h->mem, ctype(CT_SIZE), points), op(h, OP_MUL,
			integer(h, width), kx_sizeof(h->mem, ctype(CT_INT))),
		name(h, region_printf(h->mem, "compare_places%d", width)) };

	return kx_of_kind(h->mem, KX_CALL, "qsort", 4, arg);
}

/* int points = 0;
 * for (x: planes and the end) first[x] = 0;
 * for (p: the list) { note the point }
 * qsort(cells, points, ..);
 * for (x: planes) first[x + 1] = first[x + 1] + first[x];
 * return 0;
 */
/* static int NAME_sort0(params, si, ..) for "%s_sort" */
static struct kfunc *function_of_places(const struct host *h,
	const struct list *list, const char *fmt)
{
	struct kfunc *f = host_function(h, fmt, ctype(CT_INT));

	f->name = region_printf(h->mem, "%s%d", f->name, list->number);
	f->is_static = true;
	host_add_params(h, f);
	add_inputs_of_places(h, f);
	return f;
}

struct kfunc *list_sort(const struct host *h, const struct list *list)
{
	struct kfunc *f = function_of_places(h, list, "%s_sort");
	const struct kx *points = name(h, fresh_name(h->mem, h->prog, "points"));
	const char *x = fresh_name(h->mem, h->prog, "plane");
	const struct kx *size = host_param(h, list->grid->size[0],
		ctype(CT_NONE)), *plane = name(h, x);
	const struct kx *behind = at(h, list->first->name, kx_add(h->mem,
		plane, 1));
	struct ks *b = f->body;
	const struct places p = places_of(h, list, ELEMENT_OF_ROW);

	f->comment = region_printf(h->mem, "The points of 'at %s' by place: "
		"first[x] of them lie before plane x.", list->index);
	add_tables(h, f, list);
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), points->name,
		integer(h, 0)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, loop_to(h, x, kx_add(h->mem, size, 1), assign(h,
		at(h, list->first->name, plane), integer(h, 0))));
	ks_add(h->mem, b, note_points(&p, points));
	ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION, sort_call(h,
		list, points)));
	ks_add(h->mem, b, loop_to(h, x, size, assign(h, behind, op(h, OP_ADD,
		behind, at(h, list->first->name, plane)))));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, integer(h, 0)));
	kfunc_drop_unused(f);
	return f;
}

struct kfunc *list_check(const struct host *h, const struct list *list)
{
	struct kfunc *f = function_of_places(h, list, "%s_places");
	struct ks *body = ks_block(h->mem), *checked = ks_block(h->mem);
	const struct places p = places_of(h, list, ELEMENT_OF_ROW);

	f->comment = region_printf(h->mem, "0, or that a point of 'at %s' lies "
		"where nothing is computed.", list->index);
	host_return_if(h, f->body, host_computes_nothing(h), 0);
	if (!list->is_between)
		place_declare(&p, body, NULL);
	host_return_if(h, body, place_is_wrong(&p), STATUS_PLACE);
	if (list->is_between)
		check_corner(&p, checked);
	if (checked->n_children)
		ks_add(h->mem, body, loop_around(&p, checked));
	ks_add(h->mem, f->body, loop_over(h, list, body));
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN, integer(h,
		0)));
	kfunc_drop_unused(f);
	return f;
}

/* Boxes ------------------------------------------------------------------- */

static const struct kx *listed_element(const struct binding *b,
	const struct field *f, const struct expr *const *subscript)
{
	const struct kx *index[IR_MAX_DIMS];
	struct kx *x;

	for (int d = 0; d < f->n_dims; d++)
		index[d] = kx_of_expr(b, subscript[d]);
	x = kx_of_kind(b->mem, KX_INDEX, f->name, f->n_dims, index);
	x->type = f->type;
	return x;
}

/* corners[subscript[0]]..[corner] */
static const struct kx *element_around(const struct binding *b,
	const struct listed *l, const struct kx *corner)
{
	const struct kx *index[IR_MAX_DIMS + 1];
	struct kx *x;
	int n = l->series->n_dims;

	for (int d = 0; d < n; d++)
		index[d] = kx_of_expr(b, l->subscript[d]);
	index[n] = corner;
	x = kx_of_kind(b->mem, KX_INDEX, l->corners->name, n + 1, index);
	x->type = l->corners->type;
	return x;
}

/* What the list does at the current point and number. */
static struct ks *deed(const struct host *h, const struct binding *of_point,
	const struct listed *l)
{
	struct binding b = *of_point;

	b.number = name(h, list_number(h, l->list));
	if (l->corners)
		return assign(h, element_around(&b, l, kx_of_expr(&b,
			l->corner)), b.own);
	return assign(h, l->series ? listed_element(&b, l->series,
		l->subscript) : b.own, kx_of_expr(&b, l->value));
}

/* low[d] <= x[d] <= high[d] but for the first dimension, which is sorted by */
static const struct kx *lies_in_box(const struct host *h, int n,
	const char *const *low, const char *const *high)
{
	const struct kx *all = NULL;

	for (int d = 1; d < n; d++) {
		const struct kx *x = name(h, h->names->point[d]);
		const struct kx *both = op(h, OP_AND, op(h, OP_GE, x, name(h,
			low[d])), op(h, OP_LE, x, name(h, high[d])));

		all = all ? op(h, OP_AND, all, both) : both;
	}
	return all;
}

const struct kx *list_before_plane(const struct host *h,
	const struct list *list, const struct kx *x)
{
	return at(h, list->first->name, x);
}

/* first[x] of a plane x; of one beyond the grid that of its end there */
static const struct kx *first_of(const struct host *h, const struct list *list,
	const struct kx *x)
{
	return list_before_plane(h, list, kx_min(h->mem, kx_max(h->mem, x,
		integer(h, 0)), host_param(h, list->grid->size[0],
			ctype(CT_NONE))));
}

struct ks *list_points(const struct host *h, const struct entries *e,
	const struct binding *b)
{
	const struct list *list = e->listed->list;
	const struct place place = cpu_place(h);
	const struct kx *where = kx_and(h->mem, e->where, list_condition(
		&place, e->stmt, list));
	struct ks *body = ks_block(h->mem), *doing;
	const struct kx *k = name(h, fresh_name(h->mem, h->prog, "entry"));

	for (int d = e->in_plane ? 1 : 0; d < list->grid->n_dims; d++)
		host_declare_int(h, body, h->names->point[d], entry_of(h, list,
			k, d));
	doing = deed(h, b, e->listed);
	if (e->place)
		ks_add(h->mem, body, e->place);
	if (ks_uses(doing, list_number(h, list)))
		host_declare_int(h, body, list_number(h, list),
			entry_of(h, list, k, list->grid->n_dims));
	ks_add(h->mem, body, guarded(h->mem, where, doing));
	return ks_for(h->mem, k->name, e->begin, op(h, OP_LT, k, e->end),
		integer(h, 1), body);
}

static struct ks *points_of_box(const struct host *h, const struct cursor *c,
	const struct listed *l, const char *const *low,
	const char *const *high)
{
	const struct list *list = l->list;
	struct binding b = binding_by_name(c, NULL, NULL);
	struct entries e = { .listed = l, .stmt = c->stmt };

	b.own = cell_of_access(c, c->stmt->stmt->write, false);
	if (low) {
		e.begin = first_of(h, list, name(h, low[0]));
		e.end = first_of(h, list, kx_add(h->mem, name(h, high[0]), 1));
		e.where = lies_in_box(h, list->grid->n_dims, low, high);
	} else {
		e.begin = integer(h, 0);
		e.end = list_before_plane(h, list, host_param(h,
			list->grid->size[0], ctype(CT_NONE)));
	}
	return list_points(h, &e, &b);
}

/* All points ---------------------------------------------------------------- */

struct record {
	const struct host *host;
	const struct cursor *cursor;
	const struct listed *listed;
	bool *in_loops;			/* by condition: do the loops ensure it? */
};

/* "s" under those conditions of "l" that depend on the point, or under the others; in both
 * cases without those that "in_loops", which may be NULL, marks.
 */
static struct ks *where_recorded(const struct host *h, const struct listed *l,
	const struct binding *b, bool of_point, const bool *in_loops,
	struct ks *s)
{
	for (int i = 0; i < l->n_conditions; i++)
		if (expr_any(l->condition[i], expr_is_index) == of_point &&
		    !(in_loops && in_loops[i]))
			s = ks_if(h->mem, kx_of_expr(b, l->condition[i]), s,
				NULL);
	return s;
}

struct ks *record_of_point(const struct host *h, const struct listed *l,
	const struct binding *b, const bool *in_loops)
{
	return where_recorded(h, l, b, true, in_loops, assign(h,
		listed_element(b, l->series, l->subscript), kx_of_expr(b,
			l->value)));
}

struct ks *record_of_step(const struct host *h, const struct listed *l,
	const struct binding *b, struct ks *points)
{
	return where_recorded(h, l, b, false, NULL, points);
}

static struct ks *record_point(void *user)
{
	const struct record *r = user;
	struct binding b = binding_by_name(r->cursor, NULL, NULL);

	b.own = cell_of_access(r->cursor, r->cursor->stmt->stmt->write, false);
	b.exact = true;
	return record_of_point(r->host, r->listed, &b, r->in_loops);
}

/* A condition such as 'i == N/2' should not be tested in every row. */
__isl_give isl_set *recorded_points(const struct host *h,
	const struct listed *l, __isl_take isl_set *points, bool **in_loops)
{
	isl_space *space = isl_set_get_space(points);

	*in_loops = region_array(h->mem, bool, l->n_conditions + 1);
	for (int i = 0; i < l->n_conditions; i++) {
		isl_set *set;

		if (!expr_any(l->condition[i], expr_is_index))
			continue;
		set = set_coalesce(isl_set_intersect(isl_set_copy(points),
			set_of_condition(space, h->prog, l->condition[i])));
		(*in_loops)[i] = isl_set_n_basic_set(set) <= 1;
		if ((*in_loops)[i]) {
			isl_set_free(points);
			points = set;
		} else {
			isl_set_free(set);
		}
	}
	isl_space_free(space);
	return points;
}

/* "sign" * (x[d] - param) >= 0, for a new parameter */
static __isl_give isl_set *bounded(__isl_take isl_set *set, int d,
	const char *param, int sign)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param);
	isl_constraint *c;

	set = isl_set_add_dims(set, isl_dim_param, 1);
	set = isl_set_set_dim_name(set, isl_dim_param, n, param);
	c = isl_constraint_alloc_inequality(isl_local_space_from_space(
		isl_set_get_space(set)));
	c = isl_constraint_set_coefficient_si(c, isl_dim_set, d, sign);
	c = isl_constraint_set_coefficient_si(c, isl_dim_param, (int) n,
		-sign);
	return isl_set_add_constraint(set, c);
}

__isl_give isl_set *points_within(__isl_take isl_set *set,
	const char *const *low, const char *const *high)
{
	int n = (int) isl_set_dim(set, isl_dim_set);

	for (int d = 0; d < n; d++) {
		if (!low[d])
			continue;
		set = bounded(set, d, low[d], 1);
		set = bounded(set, d, high[d], -1);
	}
	return set;
}

static bool has_nothing(const struct ks *s)
{
	return s->kind == KS_BLOCK && s->n_children == 0;
}

/* Loops over the recorded points of the box; an empty block where no point is computed. */
static struct ks *record_of_box(const struct host *h, const struct cursor *c,
	const struct listed *l, const char *const *low,
	const char *const *high)
{
	const char *first[IR_MAX_DIMS] = { NULL };
	struct record record = { h, c, l, NULL };
	struct loop_nest nest = {
		.mem = h->mem, .n_dims = c->stmt->stmt->n_dims,
		.iterator = h->names->point, .first = first,
		.body = record_point, .user = &record,
	};
	struct binding b = binding_by_name(c, NULL, NULL);
	struct ks *nests;
	isl_set *set = recorded_points(h, l, isl_set_intersect_params(
		isl_set_copy(c->stmt->domain), isl_set_copy(h->scop->context)),
		&record.in_loops);

	set = isl_set_intersect_params(cpu_at_time(h, set),
		isl_set_copy(h->scop->context));
	nests = loops_of_set(&nest, low ? points_within(set, low, high) : set,
		isl_set_copy(h->scop->context));
	if (has_nothing(nests))
		return nests;
	return record_of_step(h, l, &b, low ? nests : cpu_share_out(h, nests));
}

struct ks *lists_of_box(const struct host *h, const struct cursor *c,
	int begin, int end, const char *const *low, const char *const *high)
{
	const struct stmt *s = c->stmt->stmt;
	struct ks *block = ks_block(h->mem);

	for (int i = begin; i < end; i++) {
		if (!s->listed[i]->list) {
			struct ks *record = record_of_box(h, c, s->listed[i],
				low, high);

			if (!has_nothing(record))
				ks_add(h->mem, block, record);
			continue;
		}
		if (i == begin || s->listed[i]->list != s->listed[i - 1]->list)
			ks_add(h->mem, block, ks_comment(h->mem, "at %s",
				s->listed[i]->list->index));
		ks_add(h->mem, block, points_of_box(h, c, s->listed[i], low,
			high));
	}
	return block;
}
