/* Linear arrays of several fields, which numbers name: grids one behind the other, f[(q*N + i)*M + j], or parts
 * of elements side by side, f[(i*M + j)*9 + q].
 *
 * Rows have been told apart by then: the first subscript is q*N + i, or the last one 9*j + q.
 */
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/split.h"

/* Grids one behind the other -----------------------------------------------*/

/* Fewer rows, where they are a number, are taken for rows of one grid, and more parts for columns of one. */
enum { LEAST_ROWS = 16, MOST_PARTS = 32 };

/* The first subscript of "a" without variables of loops. */
static struct poly first_row(const struct c_access *a)
{
	struct poly row = a->sub[0], rest;
	int64_t c;

	for (const struct c_loop *l = a->place.loop; l; l = l->outer)
		if (poly_split(&row, l->decl, &c, &rest))
			row = rest;
	return row;
}

/* Does a loop count the rows of "a"?  None does at an edge, u[(n - 1)*m + j]. */
static bool counts_rows(const struct c_access *a)
{
	return loop_of(a->place.loop, &a->sub[0]);
}

/* The rows of a grid: writes are multiples of them apart.  False if they are not. */
static bool find_rows_of_grid(const struct stencil *s,
	const struct c_field *f, struct poly *rows)
{
	const struct c_update *first = NULL;
	int64_t times = 0, number;

	for (const struct c_update *u = s->updates; u; u = u->next) {
		struct poly apart, from;

		if (u->write->field != f || !counts_rows(u->write))
			continue;
		first = first ? first : u;
		apart = first_row(u->write);
		from = first_row(first->write);
		if (!poly_add(&apart, &from, -1))
			return false;
		if (!apart.n)
			continue;
		times = greatest_common_divisor(times, poly_number(&apart));
		*rows = poly_without_number(&apart);
	}
	if (!times)
		return false;
	for (int i = 0; i < rows->n; i++)
		rows->term[i].coefficient *= times;
	return !poly_is_constant(rows, &number) || number >= LEAST_ROWS;
}

/* Of the first subscript of "a", the grid and the row in it; false if it does not say so. */
static bool find_grid(const struct c_access *a, const struct poly *rows,
	int64_t *grid, struct poly *row)
{
	struct poly quotient;
	bool at_point = false;
	int64_t last;

	for (int d = 0; d < a->n_subs; d++)
		at_point |= loop_of(a->place.loop, &a->sub[d]) != NULL;
	if (!at_point || a->around[0] || !poly_divide(&a->sub[0], rows,
	    &quotient, row) || !poly_is_constant(&quotient, grid))
		return false;
	if (poly_is_constant(row, &last) && last < 0) {
		--*grid;			/* the last rows of the grid before */
		if (!poly_add(row, rows, 1))
			return false;
	}
	return *grid >= 0 && *grid < MAX_ROWS;
}

/* Does "a", in the "row" of a grid with so many "rows", reach the next grid? */
static bool leaves_grid(const struct c_access *a, const struct poly *row, const struct poly *rows)
{
	const struct c_loop *loop = loop_of(a->place.loop, row);
	struct poly beyond;
	int64_t c, n;

	return loop && poly_split(row, loop->decl, &c, &beyond) && c == 1 && poly_add(&beyond, &loop->end, 1) &&
		poly_add(&beyond, rows, -1) && poly_is_constant(&beyond, &n) && n > 0;
}

/* Do all accesses to "f" name their grids, which have so many "rows"? */
static bool has_grids(const struct stencil *s, const struct c_field *f,
	const struct poly *rows)
{
	for (const struct c_access *a = s->accesses; a; a = a->next) {
		struct poly row;
		int64_t grid;

		if (a->field == f && (!find_grid(a, rows, &grid, &row) || leaves_grid(a, &row, rows)))
			return false;
	}
	return !is_read_at_places(s, f);
}

/* The field like "f" that has "slot" and "part", all of which come before "f" among the fields, in order. */
static struct c_field *field_like(struct stencil *s, struct c_field *f,
	int slot, struct c_part part)
{
	struct c_field **link = &s->fields, *own;

	while (*link != f && ((*link)->decl != f->decl || (*link)->slot <
	       slot || (*link)->part.at < part.at))
		link = &(*link)->next;
	if (*link != f && (*link)->slot == slot && (*link)->part.at == part.at)
		return *link;
	own = region_new_of(s->mem, struct c_field);
	*own = *f;
	own->slot = slot;
	own->part = part;
	own->is_written = false;
	own->next = *link;
	*link = own;
	return own;
}

/* Fields like "f" have taken its place. */
static void replace_field(struct stencil *s, const struct c_field *f)
{
	struct c_field **link = &s->fields;

	for (const struct c_update *u = s->updates; u; u = u->next)
		if (u->write->field->decl == f->decl)
			u->write->field->is_written = true;
	while (*link != f)
		link = &(*link)->next;
	*link = f->next;
}

static bool is_linear_array(const struct c_field *f)
{
	return f->decl->n_dims == 1 && f->slot == NO_SLOT && !f->local &&
		!f->part.of && f->is_written && !f->is_record;
}

/* The grid "number" of "f". */
static struct c_field *grid_of(struct stencil *s, struct c_field *f,
	const struct poly *rows, int number)
{
	struct c_field *grid = field_like(s, f, number, f->part);

	grid->is_split = true;
	grid->size[0] = *rows;
	grid->is_sized[0] = true;
	return grid;
}

void set_grids_apart(struct stencil *s, struct c_field *f)
{
	struct poly rows;

	if (!is_linear_array(f) || !find_rows_of_grid(s, f, &rows) ||
	    !poly_is_linear(&rows) || !has_grids(s, f, &rows))
		return;
	for (struct c_access *a = s->accesses; a; a = a->next) {
		struct poly row;
		int64_t grid;

		if (a->field != f || !find_grid(a, &rows, &grid, &row))
			continue;
		a->field = grid_of(s, f, &rows, (int) grid);
		a->sub[0] = row;
	}
	replace_field(s, f);
}

/* Parts side by side -------------------------------------------------------*/

/* Is "e", as the text has it, a multiple of "n"? */
static bool is_multiple(const struct c_expr *e, int64_t n)
{
	int64_t value;

	if (is_literal(e, &value))
		return value % n == 0;
	if (e->kind == CX_CAST && e->n_args == 1)
		return is_multiple(e->arg[0], n);
	if (e->kind != CX_BINARY)
		return false;
	if (e->op == OP_MUL)
		return is_multiple(e->arg[0], n) || is_multiple(e->arg[1], n);
	return (e->op == OP_ADD || e->op == OP_SUB) &&
		is_multiple(e->arg[0], n) && is_multiple(e->arg[1], n);
}

/* Is "e" the variable "part" plus a multiple of "n"? */
static bool is_part_of(const struct c_expr *e, const struct c_decl *part,
	int64_t n)
{
	if (e->kind == CX_VAR)
		return e->decl == part;
	if (e->kind == CX_CAST && e->n_args == 1)
		return is_part_of(e->arg[0], part, n);
	return e->kind == CX_BINARY && (((e->op == OP_ADD || e->op == OP_SUB) &&
		is_part_of(e->arg[0], part, n) && is_multiple(e->arg[1], n)) ||
		(e->op == OP_ADD && is_multiple(e->arg[0], n) &&
		 is_part_of(e->arg[1], part, n)));
}

/* Has "e" a variable other than "part"? */
static bool has_other(const struct c_expr *e, const struct c_decl *part)
{
	bool has = e->kind == CX_VAR && e->decl != part && !e->decl->is_known;

	for (int i = 0; i < e->n_args && !has; i++)
		has = has_other(e->arg[i], part);
	return has;
}

/* Is "part" a term of the sum "e"? */
static bool is_term(const struct c_expr *e, const struct c_decl *part)
{
	if (e->kind == CX_VAR)
		return e->decl == part;
	if (e->kind == CX_CAST && e->n_args == 1)
		return is_term(e->arg[0], part);
	return e->kind == CX_BINARY && (e->op == OP_ADD || e->op == OP_SUB) &&
		(is_term(e->arg[0], part) || is_term(e->arg[1], part));
}

/* Has "e" a sum that names a neighbour, part + 1?  Columns have these, but not parts, of which there are "n". */
static bool names_neighbour(const struct c_expr *e, const struct c_decl *part, int64_t n)
{
	bool is_sum = e->kind == CX_BINARY && (e->op == OP_ADD || e->op == OP_SUB);
	int64_t by;

	for (int i = 0; i < e->n_args; i++)
		if ((is_sum && is_literal(e->arg[i], &by) && by % n && is_term(e->arg[1 - i], part)) ||
		    names_neighbour(e->arg[i], part, n))
			return true;
	return false;
}

static bool have_neighbours(const struct c_stmt *body, const struct c_decl *part, int64_t n)
{
	for (; body; body = body->next)
		if ((body->target && names_neighbour(body->target, part, n)) ||
		    (body->value && names_neighbour(body->value, part, n)) ||
		    have_neighbours(body->body, part, n) || have_neighbours(body->otherwise, part, n))
			return true;
	return false;
}

bool counts_parts(const struct c_stmt *body, const struct c_decl *part,
	int64_t n)
{
	bool any = false;

	if (n < 2 || n > MOST_PARTS || have_neighbours(body, part, n))
		return false;
	for (; body; body = body->next) {
		const struct c_expr *to = body->target;

		if (body->kind == CS_FOR)
			return false;
		if (body->kind == CS_ASSIGN && to->kind == CX_ELEMENT) {
			if (to->n_args != 1 || !has_other(to->arg[0], part) ||
			    !is_part_of(to->arg[0], part, n))
				return false;
			any = true;
		}
		any |= (body->body && counts_parts(body->body, part, n)) ||
			(body->otherwise && counts_parts(body->otherwise, part,
				n));
	}
	return any;
}

/* By how much neighbours that "a" counts lie apart; 0: not by one number. */
static int64_t stride_of(const struct c_access *a)
{
	const struct poly *last = &a->sub[a->n_subs - 1];
	struct poly rest;
	int64_t stride = 0, c;

	for (const struct c_loop *l = a->place.loop; l; l = l->outer)
		if (poly_uses(last, l->decl))
			stride = poly_split(last, l->decl, &c, &rest) ?
				greatest_common_divisor(stride, c) : 1;
	return stride;
}

/* How many parts each element of "f" has, by what is written; 1: it is one. */
static int64_t count_parts(const struct stencil *s, const struct c_field *f)
{
	int64_t n = 0;

	for (const struct c_update *u = s->updates; u; u = u->next)
		if (u->write->field == f)
			n = greatest_common_divisor(n, stride_of(u->write));
	return n ? n : 1;
}

/* Of the last subscript of "a", the element and which of its "n" parts is meant; false if it does not say so. */
static bool find_part(const struct c_access *a, int64_t n,
	struct poly *element, int64_t *part)
{
	const struct poly by = poly_constant(n);
	const struct poly one = poly_constant(1);
	struct poly rest;

	if (!stride_of(a) || a->around[a->n_subs - 1] ||
	    !poly_divide(&a->sub[a->n_subs - 1], &by, element, &rest) ||
	    !poly_is_constant(&rest, part))
		return false;
	if (*part < 0 && !poly_add(element, &one, -1))
		return false;
	*part += *part < 0 ? n : 0;
	return true;
}

/* Do all accesses to "f" say which of "n" parts they mean, and do rows have whole elements? */
static bool has_parts(const struct stencil *s, const struct c_field *f,
	int64_t n, struct poly *size)
{
	const struct poly by = poly_constant(n);
	struct poly rest;
	int last = f->n_dims - 1;

	for (const struct c_access *a = s->accesses; a; a = a->next) {
		struct poly element;
		int64_t part;

		if (a->field == f && !find_part(a, n, &element, &part))
			return false;
	}
	return !is_read_at_places(s, f) && (!f->is_sized[last] ||
		(poly_divide(&f->size[last], &by, size, &rest) && !rest.n));
}

void set_parts_apart(struct stencil *s, struct c_field *f)
{
	int64_t n = is_linear_array(f) ? count_parts(s, f) : 1;
	int size = type_size(c_stored_type(f->decl->type));
	int last = f->n_dims - 1;
	struct poly row;

	if (n < 2 || n > MAX_ROWS || !has_parts(s, f, n, &row))
		return;
	for (struct c_access *a = s->accesses; a; a = a->next) {
		struct poly element;
		int64_t part;

		if (a->field != f || !find_part(a, n, &element, &part))
			continue;
		a->field = field_like(s, f, NO_SLOT, (struct c_part) {
			(int) part * size, (int) n * size, true });
		if (f->is_sized[last])
			a->field->size[last] = row;
		a->sub[last] = element;
	}
	replace_field(s, f);
}
