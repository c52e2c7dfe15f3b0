/* Fields that are a part of each element of an array.
 *
 * To C, arrays whose last subscript is always a number are arrays of records: each part of a
 * record becomes a field of its own.  The function called for a region copies it from the array
 * and, if it is written, back.
 */
#include "frontend/c/ghost.h"
#include "frontend/c/layer.h"
#include "frontend/c/passes.h"

#include <inttypes.h>

enum { MAX_PARTS = 64 };

/* The text -----------------------------------------------------------------*/

/* What the uses of "decl" in a region have in common. */
struct uses {
	const struct c_decl *decl;
	const struct c_stmt *body;	/* of the region */
	int64_t numbers[2];	/* two different constant subscripts */
	int n;			/* how many different ones there are */
	bool varies;		/* one has a loop's variable elsewhere */
	bool fails;		/* one has no number there */
};

/* Does a loop of "body" that is unrolled count with "d"? */
static bool is_unrolled(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next)
		if ((body->kind == CS_FOR && body->decl == d &&
		     reads_table(body->body, d)) ||
		    is_unrolled(body->body, d) ||
		    is_unrolled(body->otherwise, d))
			return true;
	return false;
}

/* Is "e" several numbers, one after the other: the counter of such a loop, or what a table has at it? */
static bool is_each_number(const struct uses *u, const struct c_expr *e)
{
	return e->kind == CX_VAR ? is_unrolled(u->body, e->decl) :
		e->kind == CX_ELEMENT && e->decl->values && e->n_args == 1 &&
		is_each_number(u, e->arg[0]);
}

static bool has_variable(const struct c_expr *e)
{
	bool has = e->kind == CX_VAR && !e->decl->is_known;

	for (int i = 0; i < e->n_args && !has; i++)
		has = has_variable(e->arg[i]);
	return has;
}

/* Note the subscript "at" of "e"; negative: the last one. */
static void note_element(struct uses *u, const struct c_expr *e, int at)
{
	int64_t value;

	at = at < 0 ? e->n_args - 1 : at;
	if (e->n_args == u->decl->n_dims && is_each_number(u, e->arg[at])) {
		u->n = 2;
	} else if (e->n_args != u->decl->n_dims ||
	    !is_literal(e->arg[at], &value)) {
		u->fails = true;
		return;
	} else if (u->n < 2 && (!u->n || u->numbers[0] != value)) {
		u->numbers[u->n++] = value;
	}
	for (int i = 0; i < e->n_args; i++)
		u->varies |= i != at && has_variable(e->arg[i]);
}

static void note_expr(struct uses *u, const struct c_expr *e, int at)
{
	if (!e)
		return;
	if (e->decl == u->decl && e->kind == CX_ELEMENT)
		note_element(u, e, at);
	else if (e->decl == u->decl)
		u->fails = true;
	for (int i = 0; i < e->n_args; i++)
		note_expr(u, e->arg[i], at);
}

/* The pointer that "s" gives another one's place; NULL: it moves none. */
static const struct c_decl *moved_by(const struct c_stmt *s)
{
	const struct c_decl *to = s->kind == CS_DECLARE ? s->decl :
		s->kind == CS_ASSIGN && s->target->kind == CX_VAR ?
		s->target->decl : NULL;

	return to && to->n_dims && s->value && s->value->kind == CX_VAR ? to :
		NULL;
}

static void note_uses(struct uses *u, const struct c_stmt *body, int at)
{
	for (; body; body = body->next) {
		if (at >= 0 && moved_by(body))
			continue;
		if (body->kind == CS_DECLARE && body->decl == u->decl)
			u->fails = true;
		note_expr(u, body->target, at);
		note_expr(u, body->value, at);
		note_expr(u, body->bound, at);
		note_expr(u, body->condition, at);
		note_uses(u, body->body, at);
		note_uses(u, body->otherwise, at);
	}
}

static int size_of(enum c_type type)
{
	return type_size(c_stored_type(type));
}

static bool is_known_number(struct stencil *s, const struct c_expr *e,
	int64_t *value)
{
	struct c_expr *number = resolve(s, e);
	struct poly p;

	return number && poly_of(s, number, &p) && poly_is_constant(&p, value);
}

struct c_part element_part(struct stencil *s, const struct c_expr *e,
	const struct c_decl *decl)
{
	const struct c_part none = { 0 };
	const struct c_member *m = decl->member;
	struct uses u = { .decl = decl, .body = s->region->body };
	int64_t value, size;

	if (m && m->is_each && decl->n_dims == array_dims(decl))
		return (struct c_part) { .at = m->at, .of = m->size };
	if (m && m->is_each)
		return e->n_args == decl->n_dims && is_known_number(s, e->arg[e->n_args - 1], &value) && value >= 0 &&
			is_literal(decl->size[decl->n_dims - 1], &size) && value < size ? (struct c_part) {
			.at = m->at + (int) value * size_of(decl->type), .of = m->size, .is_subscript = true } : none;
	if (decl->n_dims < 2 || e->decl != decl ||
	    !decl->size[decl->n_dims - 1] ||
	    !is_literal(decl->size[decl->n_dims - 1], &size) || size < 2 ||
	    size > MAX_PARTS || is_recorded(s, decl))
		return none;
	note_uses(&u, s->region->body, -1);
	if (u.fails || u.n < 2 || !u.varies ||
	    !is_known_number(s, e->arg[e->n_args - 1], &value) || value < 0 ||
	    value >= size)
		return none;
	return (struct c_part) { .at = (int) value * size_of(decl->type),
		.of = (int) size * size_of(decl->type),
		.is_subscript = true };
}

/* What pointers that change places have in common. */
struct moves {
	const struct stencil *s;
	const struct c_decl *decl;
	bool moves_decl;		/* it is one of them */
	bool fails, apart;
};

static void note_first(struct moves *m, const struct c_decl *d)
{
	struct uses u = { .decl = d, .body = m->s->region->body };

	note_uses(&u, m->s->region->body, 0);
	m->moves_decl |= d == m->decl;
	m->fails |= u.fails || d->n_dims < 2 || d->member;
	m->apart |= u.varies && u.n > 1;
}

static void note_moves(struct moves *m, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		const struct c_decl *d = moved_by(body);

		if (d) {
			note_first(m, d);
			note_first(m, body->value->decl);
		}
		note_moves(m, body->body);
		note_moves(m, body->otherwise);
	}
}

bool has_rows_apart(const struct stencil *s, const struct c_decl *decl)
{
	struct moves all = { .s = s, .decl = decl };
	struct moves own = { .s = s, .decl = decl };

	note_first(&own, decl);
	note_moves(&all, s->region->body);
	return all.moves_decl ? !all.fails && all.apart : !own.fails &&
		own.apart;
}

/* Fields of one array ------------------------------------------------------*/

bool share_array(const struct c_field *f, const struct c_field *g)
{
	const struct c_member *m = f->decl->member, *n = g->decl->member;

	return f->part.of && g->part.of && f->slot == g->slot &&
		(f->decl == g->decl || (m && n && m->is_each && n->is_each &&
		 m->of == n->of));
}

static const struct c_field *first_part(const struct stencil *s,
	const struct c_field *f)
{
	const struct c_field *g = s->fields;

	while (g != f && !share_array(f, g))
		g = g->next;
	return g;
}

bool is_further_part(const struct stencil *s, const struct c_field *f)
{
	return first_part(s, f) != f;
}

bool is_partly_written(const struct stencil *s, const struct c_field *f)
{
	bool written = f->is_written;

	for (const struct c_field *g = s->fields; g && !written; g = g->next)
		written = share_array(f, g) && g->is_written;
	return written;
}

const char *name_of_whole(const struct stencil *s, const struct c_field *f)
{
	return region_printf(s->mem, "stencilc_%s", first_part(s, f)->name);
}

int array_dims(const struct c_decl *d)
{
	return d->member && d->member->is_each ? d->member->of->n_dims : d->n_dims;
}

int number_of_part(const struct c_field *f)
{
	const struct c_member *m = f->decl->member;

	return (f->part.at - (m && m->is_each ? m->at : 0)) / size_of(f->decl->type);
}

void print_part(struct text *t, const struct c_field *f)
{
	const struct c_decl *d = f->decl;

	if (d->member && d->member->is_each)
		text_printf(t, ".%s", d->member->field);
	if (f->part.is_subscript)
		text_printf(t, "[%d]", number_of_part(f));
}

/* Copies -------------------------------------------------------------------*/

static const char *name_of_symbol(const void *user, const struct c_decl *d)
{
	return name_in_function(user, d);
}

/* (sum) */
static void print_sum(struct text *t, const struct stencil *s,
	const struct poly *p)
{
	text_puts(t, "(");
	for (int i = 0; i < p->n; i++)
		poly_print_term(t, &p->term[i], i == 0, " * ", name_of_symbol, s);
	text_puts(t, p->n ? ")" : "0)");
}

/* The number of elements: n * (m + 1) */
static void print_count(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	for (int d = 0; d < f->n_dims; d++) {
		text_puts(t, d ? " * " : "(long long) ");
		print_sum(t, s, &f->size[d]);
	}
}

/* The part in element "i" of the array. */
static void print_cell(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	const char *is_const = is_partly_written(s, f) ? "" : "const ";

	text_printf(t, "*(%s%s *) ((%schar *) %s + stencilc_i * %d + %d)", is_const,
		c_type_of_field(f->decl), is_const, name_of_whole(s, f), f->part.of,
		f->part.at);
}

static void print_loop(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	text_puts(t, "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n"
		"\tfor (long long stencilc_i = 0; stencilc_i < (");
	print_count(t, s, f);
	text_printf(t, ") * !!%s; stencilc_i++)\n\t\t", f->name);
}

/* Has "f" memory of its own in the function, as parts have, grids in arrays and what the region
 * declares?
 */
static bool has_memory(const struct c_field *f)
{
	return f->part.of || f->ghosts || (f->local && !f->is_temp);
}

/* The offset of the cell of a grid, or of one of the array around it: ((i0 + 1) * (m + 2) + i1 + 1); or of a "layer". */
static void print_offset(struct text *t, const struct stencil *s,
	const struct c_field *f, const struct c_layer *layer, bool in_array)
{
	bool has_rows = in_array && f->ghosts->has_rows;

	for (int d = 1; d < f->n_dims && !has_rows; d++)
		text_puts(t, "(");
	for (int d = 0; d < f->n_dims; d++) {
		if (d > 0 && has_rows) {
			text_puts(t, "][");
		} else if (d > 0) {
			text_puts(t, ") * ");
			print_sum(t, s, in_array ? size_of_array(f, d) :
				&f->size[d]);
			text_puts(t, " + ");
		}
		if (in_array && f->ghosts->turns[d]) {
			print_sum(t, s, &f->size[d]);
			text_printf(t, " - 1 - stencilc_%d", d);
		} else {
			text_printf(t, "stencilc_%d", d);
		}
		if (in_array && f->ghosts->wraps[d]) {
			text_puts(t, " + ");
			print_sum(t, s, &f->ghosts->low[d]);
		}
		if (in_array && layer && d == f->ghosts->layers->along && layer->shift.n) {
			text_puts(t, " - ");
			print_sum(t, s, &layer->shift);
		}
	}
}

/* 1, or (n - 1) */
static void print_bound(struct text *t, const struct stencil *s, const struct poly *p)
{
	int64_t number;

	if (poly_is_constant(p, &number))
		text_printf(t, "%" PRId64, number);
	else
		print_sum(t, s, p);
}

/* The cells that loops along "d" copy: of the layer there, or those that the region uses. */
static void find_copied(const struct c_field *f, int d, const struct c_layer *layer, struct poly *first,
	struct poly *end)
{
	*first = f->ghosts->first[d];
	*end = f->size[d];
	if (!layer || d != f->ghosts->layers->along)
		return;
	*first = layer->first;
	*end = layer->end;
	poly_add(first, &layer->shift, 1);
	poly_add(end, &layer->shift, 1);
}

/* Loops over the grid in an array that copy it from there, or back, or over a "layer" of it. */
static void print_copy(struct text *t, const struct stencil *s,
	const struct c_field *f, const struct c_layer *layer, bool back)
{
	text_puts(t, "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n");
	for (int d = 0; d < f->n_dims; d++) {
		struct poly first, end;

		find_copied(f, d, layer, &first, &end);
		text_printf(t, "\tfor (long long stencilc_%d = ", d);
		print_bound(t, s, &first);
		text_printf(t, "; stencilc_%d < ", d);
		print_sum(t, s, &end);
		text_printf(t, "%s%s; stencilc_%d++)\n", d ? "" : " * !!",
			d ? "" : f->name, d);
	}
	text_printf(t, "\t\t%s[", back ? name_of_whole(s, f) : f->name);
	print_offset(t, s, f, layer, back);
	text_printf(t, "] = %s[", back ? f->name : name_of_whole(s, f));
	print_offset(t, s, f, layer, !back);
	text_puts(t, "];\n");
}

static void print_grid(struct text *t, const struct stencil *s,
	const struct c_field *f, bool back)
{
	const struct c_layers *layers = f->ghosts->layers;

	for (int i = 0; layers && i < layers->n; i++)
		print_copy(t, s, f, &layers->of[i], back);
	if (!layers)
		print_copy(t, s, f, NULL, back);
}

/* The element of the array that is "a" in the grid. */
static void print_array_element(struct text *t, const struct stencil *s, const struct c_access *a)
{
	const struct c_field *f = a->field;

	text_printf(t, "%s[", name_of_whole(s, f));
	for (int d = 1; d < f->n_dims && !f->ghosts->has_rows; d++)
		text_puts(t, "(");
	for (int d = 0; d < f->n_dims; d++) {
		const struct poly at = sub_in_array(a, d);

		if (d > 0 && f->ghosts->has_rows) {
			text_puts(t, "][");
		} else if (d > 0) {
			text_puts(t, ") * ");
			print_sum(t, s, size_of_array(f, d));
			text_puts(t, " + ");
		}
		print_bound(t, s, &at);
	}
	text_puts(t, "]");
}

static void print_copy_loops(struct text *t, const struct stencil *s, const struct c_loop *loop)
{
	if (!loop)
		return;
	print_copy_loops(t, s, loop->outer);
	text_printf(t, "\tfor (long long %s = ", c_name(loop->decl));
	print_bound(t, s, &loop->begin);
	text_printf(t, "; %s < ", c_name(loop->decl));
	print_bound(t, s, &loop->end);
	text_printf(t, "; %s++)\n\t", c_name(loop->decl));
}

/* What steps copy around the grid at their end. */
static void print_copies_around(struct text *t, const struct stencil *s, const struct c_field *f)
{
	for (const struct c_update *u = f->ghosts->copies; u; u = u->next) {
		print_copy_loops(t, s, u->place.loop);
		text_puts(t, "\t");
		print_array_element(t, s, u->write);
		text_puts(t, " = ");
		print_array_element(t, s, u->value->access);
		text_puts(t, ";\n");
	}
}

/* Cells that no statement has written are 0, as are those between layers. */
static void print_memory(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	const bool is_cleared = f->local || (f->ghosts && f->ghosts->layers);
	const char *type = c_type_of_field(f->decl);

	text_printf(t, "\t%s *%s = (%s *) %s((size_t) (", type, f->name, type,
		is_cleared ? "calloc" : "malloc");
	print_count(t, s, f);
	text_printf(t, is_cleared ? ") + 1, sizeof(%s));\n" :
		") * sizeof(%s) + 1);\n", type);
}

void print_parts(struct text *t, const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next) {
		if (has_memory(f))
			print_memory(t, s, f);
	}
	for (const struct c_field *f = s->fields; f; f = f->next) {
		if (f->ghosts)
			print_grid(t, s, f, false);
		if (f->copy_of) {
			print_loop(t, s, f);
			text_printf(t, "%s[stencilc_i] = %s[stencilc_i];\n",
				f->name, f->copy_of->name);
		}
		if (!f->part.of)
			continue;
		print_loop(t, s, f);
		text_printf(t, "%s[stencilc_i] = ", f->name);
		print_cell(t, s, f);
		text_puts(t, ";\n");
	}
}

void print_parts_missing(struct text *t, const struct stencil *s)
{
	const char *or = "";

	for (const struct c_field *f = s->fields; f; f = f->next) {
		if (!has_memory(f))
			continue;
		text_printf(t, "%s!%s", or, f->name);
		or = " || ";
	}
	if (*or)
		text_puts(t, " ? -3 : ");
}

void print_parts_back(struct text *t, const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next) {
		if (!has_memory(f))
			continue;
		if (f->part.of && f->is_written) {
			print_loop(t, s, f);
			print_cell(t, s, f);
			text_printf(t, " = %s[stencilc_i];\n", f->name);
		}
		if (f->ghosts && f->is_written) {
			print_grid(t, s, f, true);
			print_copies_around(t, s, f);
		}
		text_printf(t, "\tfree(%s);\n", f->name);
	}
}

void print_parts_freed(struct text *t, const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (has_memory(f))
			text_printf(t, "\t\tfree(%s);\n", f->name);
}
