/* The plain loops that a harness compares with: the statements as written, over
 * the whole grid one after the other, in buffers of depth + 1 copies.
 */
#include "codegen/host/harness-plain.h"
#include "ir/components.h"
#include "ir/waves.h"

static const struct kx *integer(const struct plain *p, int64_t value)
{
	return kx_int(p->mem, value);
}

static const struct kx *name(const struct plain *p, const char *s)
{
	return kx_name(p->mem, s);
}

/* Statements ------------------------------------------------------------ */

static const struct kx *end_point(const struct plain *p,
	const struct range *r)
{
	const struct kx *end = NULL;

	for (int i = 0; i < r->n_ends; i++) {
		const struct kx *x = kx_end(p->mem, plain_size(p,
			r->end[i].size), r->end[i].offset, r->end[i].stride);

		end = end ? kx_min(p->mem, end, x) : x;
	}
	return end;
}

/* "body" where the conditions of "s" hold. */
static struct ks *where_it_holds(const struct plain *p, const struct binding *b,
	const struct stmt *s, struct ks *body)
{
	for (int i = s->n_conditions - 1; i >= 0; i--)
		body = ks_if(p->mem, kx_of_expr(b, s->condition[i]), body, NULL);
	return body;
}

static struct ks *plain_instance(const struct plain *p, const struct stmt *s)
{
	struct binding b = plain_binding(p);
	struct ks *body = ks_block(p->mem);
	const struct kx *value;

	b.read = plain_read;
	for (const struct local *l = s->locals; l; l = l->next)
		ks_add(p->mem, body, ks_declare(p->mem,
			ctype_const(scalar_of(l->value->type)), l->name,
			kx_of_expr(&b, l->value)));
	value = kx_of_expr(&b, s->written ? s->written : s->value);
	ks_add(p->mem, body, ks_assign(p->mem, plain_written(&b, s->write),
		value));
	return where_it_holds(p, &b, s, body);
}

/* "body" at all points at which "s" computes, conditions aside. */
static struct ks *over_points(const struct plain *p, const struct stmt *s,
	struct ks *body)
{
	for (int d = s->n_dims - 1; d >= 0; d--) {
		const char *var = p->names->point[d];

		const struct range *r = program_range(p->range, s, d);

		body = ks_for(p->mem, var, integer(p, r->first),
			kx_binary(p->mem, OP_LT, name(p, var),
				end_point(p, r)),
			integer(p, 1), body);
	}
	return body;
}

/* Did choices divide one sweep of the text into both? */
static bool are_of_one_sweep(const struct stmt *a, const struct stmt *b)
{
	return a->sweeps && b->sweeps && stmts_are_of_one(a, b);
}

/* How many statements from "i" on form one sweep; at least 1. */
static int count_of_sweep(const struct program *prog, int i)
{
	int n = 1;

	while (i + n < prog->n_stmts && are_of_one_sweep(prog->stmt[i],
	    prog->stmt[i + n]))
		n++;
	return n;
}

static struct ks *where_it_computes(const struct plain *p,
	const struct stmt *s, struct ks *body)
{
	for (int d = s->n_dims - 1; d >= 0; d--) {
		const struct range *r = program_range(p->range, s, d);
		const struct kx *x = name(p, p->names->point[d]);

		body = ks_if(p->mem, kx_and(p->mem, kx_binary(p->mem, OP_GE, x,
			integer(p, r->first)), kx_binary(p->mem, OP_LT, x,
			end_point(p, r))), body, NULL);
	}
	return body;
}

/* The "n" statements of a sweep take turns, point by point of the grid. */
static struct ks *plain_sweep(const struct plain *p,
	struct stmt *const *s, int n)
{
	const struct field *f = s[0]->write->field;
	struct ks *body = ks_block(p->mem);

	if (n == 1)
		return over_points(p, s[0], plain_instance(p, s[0]));
	for (int i = 0; i < n; i++)
		ks_add(p->mem, body, where_it_computes(p, s[i],
			plain_instance(p, s[i])));
	for (int d = f->n_dims - 1; d >= 0; d--) {
		const char *var = p->names->point[d];

		body = ks_for(p->mem, var, integer(p, 0), kx_binary(p->mem,
			OP_LT, name(p, var), plain_size(p, f->size[d])),
			integer(p, 1), body);
	}
	return body;
}

/* Lists of points --------------------------------------------------------- */

static const struct kx *element_of_series(const struct plain *p,
	const struct binding *b, const struct listed *l)
{
	const struct kx *index = NULL;
	const struct field *f = l->series;

	for (int d = 0; d < f->n_dims; d++) {
		const struct kx *at = kx_of_expr(b, l->subscript[d]);

		index = index ? kx_binary(p->mem, OP_ADD, kx_binary(p->mem,
			OP_MUL, index, plain_size(p, f->size[d])), at) :
			kx_cast(p->mem, ctype(CT_SIZE), at);
	}
	return kx_of_kind(p->mem, KX_INDEX, f->name, 1, &index);
}

/* For a series between cells, add the value of the cell around the point. */
static struct ks *add_around(const struct plain *p, const struct binding *b,
	const struct listed *l, const struct kx *cell, const struct kx *sum)
{
	return ks_assign(p->mem, sum, kx_binary(p->mem, OP_ADD, sum,
		kx_binary(p->mem, OP_MUL, kx_of_expr(b, l->weight), cell)));
}

/* for (p: the list) for (corner: the cells around) if (it has a weight) do what is listed */
static struct ks *plain_list_between(const struct plain *p,
	const struct stmt *s, const struct listed *l)
{
	struct binding b = plain_binding(p);
	struct ks *body = ks_block(p->mem), *around = ks_block(p->mem), *doing;
	const struct list *list = l->list;
	const struct kx *corner = name(p, "harness_corner");
	const struct kx *sum = name(p, "harness_sum"), *own;

	b.number = name(p, number_name(p->mem, p->prog, list));
	for (int d = 0; d < s->n_dims; d++)
		ks_add(p->mem, around, ks_declare(p->mem, ctype_const(CT_INT),
			p->names->point[d], kx_binary(p->mem, OP_ADD, kx_cast(
			p->mem, ctype(CT_INT), kx_of_expr(&b, list->place[d])),
			kx_binary(p->mem, OP_MOD, kx_binary(p->mem, OP_DIV,
				corner, integer(p, 1 << d)), integer(p, 2)))));
	own = plain_written(&b, s->write);
	b.own = l->series ? sum : own;
	doing = l->series ? add_around(p, &b, l, own, sum) : ks_assign(p->mem,
		own, kx_of_expr(&b, l->value));
	ks_add(p->mem, around, ks_if(p->mem, kx_binary(p->mem, OP_GT,
		kx_of_expr(&b, l->weight), integer(p, 0)), doing, NULL));
	if (l->series)
		ks_add(p->mem, body, ks_declare(p->mem, ctype_of(
			s->write->field->type), sum->name, integer(p, 0)));
	ks_add(p->mem, body, ks_for(p->mem, corner->name, integer(p, 0),
		kx_binary(p->mem, OP_LT, corner, integer(p, list_corners(
			list))), integer(p, 1), around));
	if (l->series)
		ks_add(p->mem, body, ks_assign(p->mem, element_of_series(p, &b,
			l), kx_of_expr(&b, l->value)));
	return ks_for(p->mem, b.number->name, plain_size(p, list->begin),
		kx_binary(p->mem, OP_LT, b.number, plain_size(p, list->end)),
		integer(p, 1), body);
}

/* snap[..] = value; where its conditions and those of "s" hold */
static struct ks *plain_record(const struct plain *p, const struct stmt *s,
	const struct listed *l)
{
	struct binding b = plain_binding(p);
	struct ks *body;

	b.own = plain_written(&b, s->write);
	body = ks_assign(p->mem, element_of_series(p, &b, l), kx_of_expr(&b,
		l->value));
	for (int i = 0; i < l->n_conditions; i++)
		body = ks_if(p->mem, kx_of_expr(&b, l->condition[i]), body,
			NULL);
	return over_points(p, s, where_it_holds(p, &b, s, body));
}

/* for (p: the list) { const int i = si[p]; ..; do what is listed } */
static struct ks *plain_list(const struct plain *p, const struct stmt *s,
	const struct listed *l)
{
	struct binding b = plain_binding(p);
	struct ks *body = ks_block(p->mem);
	const struct list *list = l->list;

	if (list->is_between)
		return plain_list_between(p, s, l);
	b.number = name(p, number_name(p->mem, p->prog, list));
	for (int d = 0; d < s->n_dims; d++)
		ks_add(p->mem, body, ks_declare(p->mem, ctype_const(CT_INT),
			p->names->point[d], kx_of_expr(&b, list->place[d])));
	b.own = plain_written(&b, s->write);
	ks_add(p->mem, body, ks_assign(p->mem, l->series ?
		element_of_series(p, &b, l) : b.own, kx_of_expr(&b,
			l->value)));
	return ks_for(p->mem, b.number->name, plain_size(p, list->begin),
		kx_binary(p->mem, OP_LT, b.number, plain_size(p, list->end)),
		integer(p, 1), body);
}

/* Is "e" an element of "f", plus a number, "*plus"? */
static bool is_element_plus(const struct expr *e, const struct field *f,
	int64_t *plus)
{
	int64_t number;

	*plus = 0;
	if (e->kind == EXPR_ELEMENT)
		return e->field == f;
	if (e->kind != EXPR_BINARY || (e->op != OP_ADD && e->op != OP_SUB) ||
	    !expr_constant(e->arg[1], &number) ||
	    !is_element_plus(e->arg[0], f, plus))
		return false;
	*plus += e->op == OP_ADD ? number : -number;
	return true;
}

/* Does "f" hold places of the points of "l" in dimension "d", to which "*plus" is added? */
static bool is_place(const struct listed *l, int d, const struct field *f,
	int64_t *plus)
{
	return l->list && is_element_plus(l->list->place[d], f, plus);
}

static bool has_element(const struct expr *e, const struct field *f)
{
	if (e->kind == EXPR_ELEMENT)
		return e->field == f;
	for (int i = 0; i < e->n_args; i++)
		if (has_element(e->arg[i], f))
			return true;
	return false;
}

/* Does "f" number the cells at the points of "l", as in u[t+1][at[p] / M][at[p] % M]? */
static bool numbers_cells(const struct listed *l, int n_dims,
	const struct field *f)
{
	int64_t plus;

	for (int d = 0; d < n_dims; d++)
		if (!l->list || is_place(l, d, f, &plus) ||
		    !has_element(l->list->place[d], f))
			return false;
	return n_dims > 1;
}

struct ends {
	int n;
	const struct kx **end;		/* all different */
};

static void add_end(struct ends *e, const struct kx *end)
{
	for (int i = 0; i < e->n; i++)
		if (kx_same(e->end[i], end))
			return;
	e->end[e->n++] = end;
}

/* Without a function that the file may lack. */
static const struct kx *least_of(const struct plain *p, const struct ends *e)
{
	const struct kx *least = e->n ? e->end[0] : NULL;

	for (int i = 1; i < e->n; i++)
		least = kx_select(p->mem, kx_binary(p->mem, OP_LT, least,
			e->end[i]), least, e->end[i]);
	return least;
}

static int count_places(const struct program *prog)
{
	int n = 0;

	for (int i = 0; i < prog->n_stmts; i++)
		n += prog->stmt[i]->n_listed * prog->stmt[i]->n_dims;
	return n;
}

/* The place that "f" holds in all dimensions in which it is one. */
static struct plain_places places_along(const struct plain *p,
	const struct range *all, const struct field *f)
{
	struct plain_places places = { 0 };
	struct ends ends = { 0, region_array(p->mem, const struct kx *,
		count_places(p->prog) + 1) };
	int64_t first = 0;

	for (int i = 0; i < p->prog->n_stmts; i++) {
		const struct stmt *s = p->prog->stmt[i];

		for (int k = 0; k < s->n_listed * s->n_dims; k++) {
			const struct range *r;
			int64_t plus;

			if (!is_place(s->listed[k / s->n_dims], k % s->n_dims,
			    f, &plus))
				continue;
			r = program_range(all, s, k % s->n_dims);
			first = larger(first, r->first - plus);
			add_end(&ends, kx_add(p->mem, end_point(p, r), -plus));
		}
	}
	places.n = ends.n > 0;
	places.place[0] = (struct plain_place) { first, least_of(p, &ends),
		NULL };
	return places;
}

/* Where "s" runs along "d", and how far apart cells along it are numbered. */
static struct plain_place place_along(const struct plain *p,
	const struct range *all, const struct stmt *s, int d)
{
	const struct range *r = program_range(all, s, d);
	struct plain_place place = { r->first, end_point(p, r), NULL };

	for (int k = d + 1; k < s->n_dims; k++) {
		const struct kx *size = plain_size(p, s->write->field->size[k]);

		place.stride = place.stride ? kx_binary(p->mem, OP_MUL,
			place.stride, size) : size;
	}
	return place;
}

/* Places of the first list whose cells "f" numbers. */
static struct plain_places places_of_cells(const struct plain *p,
	const struct range *all, const struct field *f)
{
	struct plain_places places = { 0 };

	for (int i = 0; i < p->prog->n_stmts; i++) {
		const struct stmt *s = p->prog->stmt[i];

		for (int k = 0; k < s->n_listed && !places.n; k++)
			if (numbers_cells(s->listed[k], s->n_dims, f))
				for (int d = 0; d < s->n_dims; d++)
					places.place[places.n++] = place_along(p,
						all, s, d);
	}
	return places;
}

struct plain_places plain_places(const struct kunit *unit,
	const struct field *f)
{
	struct plain p = { .mem = unit->mem, .prog = unit->prog,
		.names = kernel_names_new(unit->mem, unit->prog) };
	const struct range *all = program_ranges(unit->mem, unit->prog);
	struct plain_places places = places_of_cells(&p, all, f);

	return places.n ? places : places_along(&p, all, f);
}

static const struct kx *size_in_cells(const struct plain *p,
	const struct field *f)
{
	const struct kx *cells = NULL;

	for (int d = 0; d < f->n_dims; d++) {
		const struct kx *size = plain_size(p, f->size[d]);

		cells = cells ? kx_binary(p->mem, OP_MUL, cells, size) :
			kx_cast(p->mem, ctype(CT_SIZE), size);
	}
	return cells;
}

static const struct kx *copies_in_bytes(const struct plain *p,
	const struct field *f, int copies)
{
	return kx_binary(p->mem, OP_MUL, kx_binary(p->mem, OP_MUL,
		integer(p, copies), size_in_cells(p, f)),
		kx_sizeof(p->mem, ctype_of(f->type)));
}

/* base + (t + version) mod n copies */
static const struct kx *version_at(const struct plain *p,
	const struct field *f, const struct kx *time, int version)
{
	int n = f->depth + 1;
	const struct kx *copy = kx_binary(p->mem, OP_MOD,
		kx_add(p->mem, time, floor_mod(version, n)), integer(p, n));

	return kx_binary(p->mem, OP_ADD, name(p, plain_name(p, f)),
		kx_binary(p->mem, OP_MUL, copy, size_in_cells(p, f)));
}

static struct ks *copy_bytes(const struct plain *p, const struct kx *to,
	const struct kx *from, const struct kx *bytes)
{
	return ks_expression(p->mem, KS_EXPRESSION,
		kx_builtin(p->mem, B_COPY_BYTES, 3, to, from, bytes));
}

/* Record "l" of all statements that list it. */
static void add_records(const struct plain *p, const struct listed *l,
	struct ks *step)
{
	for (int i = 0; i < p->prog->n_stmts; i++)
		if (stmt_lists(p->prog->stmt[i], l))
			ks_add(p->mem, step, plain_record(p, p->prog->stmt[i],
				l));
}

/* What "s" lists and no statement behind it does. */
static void add_listed(const struct plain *p, const struct stmt *s,
	struct ks *step)
{
	for (int i = 0; i < s->n_listed; i++)
		if (program_lists_later(p->prog, s->index, s->listed[i]))
			continue;
		else if (s->listed[i]->list)
			ks_add(p->mem, step, plain_list(p, s, s->listed[i]));
		else
			add_records(p, s->listed[i], step);
}

static struct ks *plain_step(const struct plain *p)
{
	struct ks *step = ks_block(p->mem);
	const struct kx *t = name(p, p->names->time);

	for (int i = 0; i < p->prog->n_fields; i++) {
		const struct field *f = p->prog->field[i];

		if (f->kind == FIELD_STATE && !f->is_hidden)
			ks_add(p->mem, step, copy_bytes(p,
				version_at(p, f, t, 1), version_at(p, f, t, 0),
				copies_in_bytes(p, f, 1)));
	}
	for (int i = 0, n; i < p->prog->n_stmts; i += n) {
		n = count_of_sweep(p->prog, i);
		ks_add(p->mem, step, plain_sweep(p, p->prog->stmt + i, n));
		for (int j = i; j < i + n; j++)
			add_listed(p, p->prog->stmt[j], step);
	}
	plain_reduce(p, step, plain_read);
	return step;
}

static void allocate_plain(const struct plain *p, struct ks *body)
{
	for (int i = 0; i < p->prog->n_fields; i++) {
		const struct field *f = p->prog->field[i];
		const struct ctype type = ctype_pointer(scalar_of(f->type),
			false);

		if (!plain_is_own(f))
			continue;
		ks_add(p->mem, body, ks_declare(p->mem, type,
			plain_name(p, f), kx_cast(p->mem, type,
			kx_builtin(p->mem, B_NEW_OR_END, 1,
				copies_in_bytes(p, f, f->depth + 1)))));
	}
}

/* The caller's copies, oldest first, are versions 1-depth .. 0. */
static void load_plain(const struct plain *p, struct ks *body, bool back)
{
	const struct kx *now = !back ? integer(p, 0) : name(p, p->prog->until ?
		plain_done(p) : p->steps);

	for (int i = 0; i < p->prog->n_fields; i++) {
		const struct field *f = p->prog->field[i];

		for (int c = 0; f->kind == FIELD_STATE && !f->is_hidden &&
		     c < f->passed; c++) {
			const struct kx *version = version_at(p, f, now,
				c + 1 - f->passed);
			const struct kx *given = kx_binary(p->mem, OP_ADD,
				name(p, f->name), kx_binary(p->mem, OP_MUL,
				integer(p, c), size_in_cells(p, f)));

			ks_add(p->mem, body, copy_bytes(p,
				back ? given : version,
				back ? version : given,
				copies_in_bytes(p, f, 1)));
		}
	}
}

static void free_plain(const struct plain *p, struct ks *body)
{
	for (int i = 0; i < p->prog->n_fields; i++)
		if (plain_is_own(p->prog->field[i]))
			ks_add(p->mem, body, ks_expression(p->mem,
				KS_EXPRESSION, kx_builtin(p->mem, B_DELETE, 1,
				name(p, plain_name(p,
					p->prog->field[i])))));
}

static void add_params(const struct plain *p, struct kfunc *f)
{
	for (int i = 0; i < p->prog->n_args; i++) {
		const struct argument *arg = &p->prog->arg[i];

		kfunc_add_param(p->mem, f, arg->param ? (struct kparam) {
			.c_type = ctype_of(arg->param->type),
			.name = arg->param->name,
		} : (struct kparam) {
			.c_type = ctype_pointer(scalar_of(arg->field->type),
				arg->field->kind == FIELD_INPUT),
			.name = arg->field->name,
		});
	}
}

/* Components of arguments get names. */
static void declare_parts(const struct plain *p, struct ks *body)
{
	for (int i = 0; i < p->prog->n_fields; i++) {
		const struct field *f = p->prog->field[i];

		if (f->whole && !f->n_lanes)
			ks_add(p->mem, body, ks_declare(p->mem, ctype_fixed(
				scalar_of(f->type), false), f->name,
				kx_binary(p->mem, OP_ADD, name(p,
					f->whole->name), kx_binary(p->mem,
					OP_MUL, integer(p, f->part),
					size_in_cells(p, f)))));
	}
}

/* for (size_t cell = 0; cell < cells; ++cell) z_im[cell] = z[cell * 2 + 1]; or "back" */
static struct ks *move_lane(const struct plain *p, const struct field *f,
	bool back)
{
	const char *var = fresh_name(p->mem, p->prog, "cell");
	const struct kx *cell = name(p, var), *at = cell, *own, *given;
	const struct kx *n = kx_binary(p->mem, OP_MUL, integer(p,
		field_copies(f)), size_in_cells(p, f));
	struct ks *loop;

	if (f->part)
		at = kx_binary(p->mem, OP_ADD, at, kx_binary(p->mem, OP_MUL,
			integer(p, f->part), size_in_cells(p, f)));
	at = kx_add(p->mem, kx_binary(p->mem, OP_MUL, at, integer(p,
		f->n_lanes)), f->lane);
	own = kx_of_kind(p->mem, KX_INDEX, f->name, 1, &cell);
	given = kx_of_kind(p->mem, KX_INDEX, f->whole->name, 1, &at);
	loop = ks_for(p->mem, var, integer(p, 0), kx_binary(p->mem, OP_LT, cell,
		n), integer(p, 1), ks_assign(p->mem, back ? given : own,
		back ? own : given));
	loop->c_type = ctype(CT_SIZE);
	return loop;
}

/* The parts of complex arguments as arrays of their own. */
static void load_lanes(const struct plain *p, struct ks *body)
{
	for (int i = 0; i < p->prog->n_fields; i++) {
		const struct field *f = p->prog->field[i];
		const struct ctype type = ctype_fixed(scalar_of(f->type), false);

		if (!f->n_lanes)
			continue;
		ks_add(p->mem, body, ks_declare(p->mem, type, f->name,
			kx_cast(p->mem, ctype_pointer(scalar_of(f->type), false),
			kx_builtin(p->mem, B_NEW_OR_END, 1,
				copies_in_bytes(p, f, field_copies(f))))));
		ks_add(p->mem, body, move_lane(p, f, false));
	}
}

static void store_lanes(const struct plain *p, struct ks *body)
{
	for (int i = 0; i < p->prog->n_fields; i++) {
		const struct field *f = p->prog->field[i];

		if (!f->n_lanes)
			continue;
		if (field_is_result(f))
			ks_add(p->mem, body, move_lane(p, f, true));
		ks_add(p->mem, body, ks_expression(p->mem, KS_EXPRESSION,
			kx_builtin(p->mem, B_DELETE, 1, name(p, f->name))));
	}
}

/* All steps, from the caller's arrays and back. */
static void add_steps(const struct plain *p, struct ks *body)
{
	const struct kx *t = name(p, p->names->time);

	load_plain(p, body, false);
	ks_add(p->mem, body, ks_for(p->mem, p->names->time, integer(p, 0),
		kx_and(p->mem, kx_binary(p->mem, OP_LT, t, name(p, p->steps)),
			plain_goes_on(p)), integer(p, 1), plain_step(p)));
	load_plain(p, body, true);
}

static void add_step_count(const struct plain *p, struct ks *body)
{
	ks_add(p->mem, body, ks_declare(p->mem, ctype_const(CT_INT), p->steps,
		kx_binary(p->mem, OP_SUB, plain_size(p, p->prog->end),
			plain_size(p, p->prog->begin))));
}

/* Without steps, or if "is_empty" (may be NULL) holds, the fields stay as they
 * are.
 */
static void add_return(const struct plain *p, const struct kx *is_empty,
	struct ks *body)
{
	const struct kx *nothing = is_empty;

	if (p->prog->timed) {
		nothing = kx_binary(p->mem, OP_LE, name(p, p->steps),
			integer(p, 0));
		if (is_empty)
			nothing = kx_binary(p->mem, OP_OR, is_empty, nothing);
	}
	if (nothing)
		ks_add(p->mem, body, ks_if(p->mem, nothing,
			ks_simple(p->mem, KS_RETURN), NULL));
}

void append_harness(struct kunit *unit, const struct kx *is_empty)
{
	struct plain p = {
		.mem = unit->mem, .prog = program_whole(unit->mem, unit->prog),
		.names = kernel_names_new(unit->mem, unit->prog),
		.steps = fresh_name(unit->mem, unit->prog, "steps"),
		.range = program_ranges(unit->mem, unit->prog),
	};
	struct kfunc *f = region_new_of(unit->mem, struct kfunc);

	f->name = region_printf(unit->mem, "%s_plain", unit->prog->name);
	f->comment = "The program as written, without tiles.";
	f->c_type = ctype(CT_VOID);
	f->is_static = true;
	f->body = ks_block(unit->mem);
	add_params(&p, f);
	declare_parts(&p, f->body);
	if (p.prog->timed)
		add_step_count(&p, f->body);
	plain_begin(&p, f->body);
	add_return(&p, is_empty, f->body);
	load_lanes(&p, f->body);
	allocate_plain(&p, f->body);
	ks_add(p.mem, f->body, ks_simple(p.mem, KS_BLANK));
	if (p.prog->timed)
		add_steps(&p, f->body);
	else
		ks_add(p.mem, f->body, plain_step(&p));
	free_plain(&p, f->body);
	store_lanes(&p, f->body);
	kfunc_mention_unused(unit->mem, f);
	unit_append(unit, f);
	unit->harness = true;
	unit->is_empty = is_empty;
}
