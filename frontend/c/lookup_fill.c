/* The arrays of lookups in the emitted file: which of their elements the steps read, and C's loops that fill
 * them.
 */
#include "frontend/c/lookup.h"
#include "frontend/c/nest.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/map.h>

#include <string.h>

const char *name_of_lookup(const struct stencil *s, const struct c_lookup *l)
{
	return region_printf(s->mem, "%s_%s", s->named.call, l->decl->name);
}

/* Which elements -----------------------------------------------------------*/

struct reading {
	struct stencil *s;
	const struct c_lookup *lookup;
	isl_set *cells;		/* that the program reads; NULL: none so far */
};

static bool add_cells(void *user, struct c_access *a)
{
	struct reading *r = user;
	isl_set *cells;

	if (a->field->decl != r->lookup->decl)
		return true;
	cells = isl_map_range(access_cells(r->s, a));
	r->cells = r->cells ? isl_set_union(r->cells, cells) : cells;
	return true;
}

/* { [c1, .., cn] } that the program reads; NULL: none */
static __isl_give isl_set *cells_read(struct stencil *s, const struct c_lookup *l)
{
	struct reading r = { s, l, NULL };

	for (const struct c_update *u = s->updates; u; u = u->next)
		update_reads(u, add_cells, &r);
	for (const struct c_update *u = s->until.copies; u; u = u->next)
		update_reads(u, add_cells, &r);
	for (const struct c_result *result = s->until.results; result; result = result->next)
		update_reads(result->of, add_cells, &r);
	for (const struct c_record *record = s->recorded.first; record; record = record->next)
		each_read(record->value, add_cells, &r);
	return r.cells;
}

/* { [round, v1, .., vn] } where "a" lies in its array along "d", as far as its size is known */
static __isl_give isl_set *inside_along(struct stencil *s, const struct c_access *a, int d)
{
	return a->field->is_sized[d] ? cells_inside_along(s, a, d) :
		isl_pw_aff_nonneg_set(place_poly(s, &a->place, &a->sub[d]));
}

static __isl_give isl_set *inside(struct stencil *s, const struct c_access *a)
{
	isl_set *all = isl_set_universe(place_space(s, &a->place));

	for (int d = 0; d < a->n_subs; d++)
		all = isl_set_intersect(all, inside_along(s, a, d));
	return all;
}

/* { [c1, .., cn] } for which all that tells the place lies in its array */
static __isl_give isl_set *cells_told(struct stencil *s, const struct c_lookup *l)
{
	isl_map *cells = access_cells_anywhere(s, l->own);

	for (int i = 0; i < l->n_reads; i++)
		cells = isl_map_intersect_domain(cells, within_loops(inside(s, l->read[i]),
			&l->own->place));
	for (int d = 0; d < l->what->n_subs; d++)
		if (!l->what->around[d])
			cells = isl_map_intersect_domain(cells, inside_along(s, l->what, d));
	return isl_map_range(cells);
}

/* "f", if nothing says where it ends, so that it may be left or lie in what is written; NULL: something does. */
static const struct c_field *unsized(const struct stencil *s, const struct c_field *f,
	bool is_sure)
{
	bool has_sizes = true;

	for (int d = 0; d < f->n_dims; d++)
		has_sizes = has_sizes && f->is_sized[d];
	return has_sizes || (is_sure && !written_over_field(s, f, NULL)) ? NULL : f;
}

/* An array that is read at places that data tell, of which the size is not known; NULL: none. */
static const struct c_field *beyond_known(const struct c_lookup *l)
{
	for (int d = 0; d < l->what->n_subs; d++)
		if (l->what->around[d] && !l->what->field->is_sized[d])
			return l->what->field;
	return NULL;
}

static bool check_sizes(struct stencil *s, const struct c_lookup *l)
{
	const struct c_field *f = beyond_known(l), *any = f;

	f = f ? f : unsized(s, l->what->field, l->is_sure);
	for (int i = 0; i < l->n_reads && !f; i++)
		f = unsized(s, l->read[i]->field, l->is_sure);
	if (!f)
		return true;
	refuse(s, E_SUBSCRIPT, l->own->at, "'%s' is not at a fixed distance from the point, and "
		"'%s' has no declared size", c_quote(s, l->own->at), c_name(f->decl));
	diag_advice(s->diags, "declare the size of '%s'%s, and the call fills an array with what the "
		"points read", c_name(f->decl), l->is_sure && !any ? " or that it is 'restrict'" : "");
	return false;
}

/* The text ------------------------------------------------------------------*/

/* In the loops that fill an array: what stands for the variables of C's loops. */
struct filling {
	const struct stencil *s;
	const struct c_lookup *lookup;
	const char *const *value;
};

static const char *text_of(const void *user, const struct c_decl *d)
{
	const struct filling *f = user;

	for (int i = 0; i < f->lookup->decl->n_dims; i++)
		if (f->lookup->index[i] == d)
			return f->value[i];
	return name_in_c(f->s->mem, d);
}

static void print_poly(struct text *t, const struct filling *f, const struct poly *p)
{
	text_puts(t, p->n ? "" : "0");
	for (int i = 0; i < p->n; i++)
		poly_print_term(t, &p->term[i], i == 0, " * ", text_of, f);
}

static void print_value(struct text *t, const struct filling *f, const struct c_expr *e);

/* mat[i][j], c[m][0] or c[m].part */
static void print_element(struct text *t, const struct filling *f, const struct c_access *a)
{
	text_puts(t, c_name(a->field->decl));
	for (int d = 0; d < a->n_subs; d++) {
		text_puts(t, "[");
		if (a->around[d])
			print_value(t, f, a->around[d]);
		else
			print_poly(t, f, &a->sub[d]);
		text_puts(t, "]");
	}
	print_part(t, a->field);
}

static void print_operand(struct text *t, const struct filling *f, const struct c_expr *e)
{
	bool is_alone = e->kind == CX_INT || e->kind == CX_VAR || e->kind == CX_ELEMENT;

	text_puts(t, is_alone ? "" : "(");
	print_value(t, f, e);
	text_puts(t, is_alone ? "" : ")");
}

static void print_value(struct text *t, const struct filling *f, const struct c_expr *e)
{
	switch (e->kind) {
	case CX_INT:
		print_literal(t, e);
		return;
	case CX_VAR:
		text_puts(t, text_of(f, e->decl));
		return;
	case CX_ELEMENT:
		print_element(t, f, e->access);
		return;
	case CX_CAST:
		text_printf(t, "(%s) ", c_type_word(e->type));
		break;
	case CX_UNARY:
		text_puts(t, op_info((enum op) e->op)->spelling);
		break;
	default:
		break;
	}
	print_operand(t, f, e->arg[0]);
	if (e->kind != CX_BINARY)
		return;
	text_printf(t, " %s ", op_info((enum op) e->op)->spelling);
	print_operand(t, f, e->arg[1]);
}

/* stencilc_is_in(mat[i][j], n), as where no point reads it there may be any number */
static void print_value_read(struct text *t, const struct filling *f)
{
	const struct c_access *what = f->lookup->what;
	const char *and = "";

	for (int d = 0; d < what->n_subs; d++) {
		if (!what->around[d])
			continue;
		text_printf(t, "%sstencilc_is_in(", and);
		print_value(t, f, what->around[d]);
		text_puts(t, ", ");
		poly_print(t, &what->field->size[d]);
		text_puts(t, ")");
		and = " && ";
	}
	text_puts(t, *and ? " ? " : "");
	print_element(t, f, what);
	text_puts(t, *and ? " : 0" : "");
}

/* f[(i * m + j) * l + k] = ..; */
static void print_filling(struct text *t, void *user, const char *const *value)
{
	struct filling *f = user;
	const struct c_field *own = f->lookup->own->field;

	f->value = value;
	text_printf(t, "%s[", name_of_lookup(f->s, f->lookup));
	for (int d = 2; d < own->n_dims; d++)
		text_puts(t, "(");
	for (int d = 0; d < own->n_dims; d++) {
		if (d) {
			poly_print_factor(t, &own->size[d]);
			text_puts(t, " + ");
		}
		text_printf(t, "%s%s", value[d], d && d + 1 < own->n_dims ? ")" : "");
	}
	text_puts(t, "] = ");
	print_value_read(t, f);
	text_puts(t, ";");
}

static const char *name_of_param(const void *user, const struct c_decl *d)
{
	return name_in_c(((const struct stencil *) user)->mem, d);
}

/* The loops' variables have C's names. */
static void fill(struct stencil *s, struct c_lookup *l, __isl_take isl_set *cells)
{
	struct filling filling = { s, l, NULL };
	struct c_nest nest = { .s = s, .n = l->decl->n_dims, .type = "long long",
		.name = name_of_param, .print = print_filling, .user = &filling };
	struct text t = { 0 };

	for (int i = 0; i < nest.n; i++) {
		nest.iterator[i] = l->index[i]->name;
		for (int k = 0; k < i; k++)
			if (!strcmp(nest.iterator[k], nest.iterator[i]))
				nest.iterator[i] = region_printf(s->mem, "%s_", nest.iterator[i]);
	}
	print_nest(&t, &nest, cells);
	l->loops = region_strndup(s->mem, t.length ? t.bytes : "", t.length);
	text_free(&t);
}

bool fill_lookups(struct stencil *s)
{
	for (struct c_field *f = s->fields; f; f = f->next) {
		struct c_lookup *l = f->lookup;
		isl_set *cells = l ? cells_read(s, l) : NULL;

		if (!cells)
			continue;
		if (s->lists || !check_sizes(s, l)) {
			isl_set_free(cells);
			return !s->lists ? false : refuse(s, E_SUBSCRIPT, l->own->at, "'%s' is "
				"not at a fixed distance from the point, beside places that "
				"are data", c_quote(s, l->own->at));
		}
		fill(s, l, isl_set_coalesce(isl_set_intersect(cells, cells_told(s, l))));
	}
	return true;
}

/* The next lookup from "f" on that the call fills; NULL: none. */
static const struct c_lookup *next_filled(const struct c_field *f)
{
	while (f && !(f->lookup && f->lookup->loops))
		f = f->next;
	return f ? f->lookup : NULL;
}

void print_lookups(struct text *t, const struct stencil *s)
{
	for (const struct c_lookup *l = next_filled(s->fields); l; l = next_filled(l->own->field->next))
		text_printf(t, "%s *%s = NULL;\n", c_type_of_field(l->decl), name_of_lookup(s, l));
}

/* (size_t) n * m */
static void print_count(struct text *t, const struct c_lookup *l)
{
	const struct c_field *f = l->own->field;
	bool is_sum = f->size[0].n > 1;

	text_puts(t, is_sum ? "(size_t) (" : "(size_t) ");
	poly_print(t, &f->size[0]);
	text_puts(t, is_sum ? ")" : "");
	for (int d = 1; d < f->n_dims; d++)
		poly_print_factor(t, &f->size[d]);
}

/* What is read lies apart from what is written. */
static void ask_about_writes(const struct stencil *s, struct c_question *q,
	const struct c_field *from)
{
	const struct c_field *f = NULL;

	while ((f = written_over_field(s, from, f)))
		ask_apart(s, q, from, f);
}

void ask_about_lookups(const struct stencil *s, struct c_question *q)
{
	for (const struct c_lookup *l = next_filled(s->fields); l; l = next_filled(l->own->field->next)) {
		ask_about_writes(s, q, l->what->field);
		for (int i = 0; i < l->n_reads; i++)
			ask_about_writes(s, q, l->read[i]->field);
	}
}

void ask_for_memory(const struct stencil *s, struct c_question *q)
{
	for (const struct c_lookup *l = next_filled(s->fields); l; l = next_filled(l->own->field->next)) {
		struct text t = { 0 };
		const char *type = c_type_of_field(l->decl);

		text_printf(&t, "(%s = (%s *) calloc(", name_of_lookup(s, l), type);
		print_count(&t, l);
		text_printf(&t, ", sizeof(%s)))", type);
		ask_question(s, q, &t);
	}
}

/* The line of the outermost loop, the first one; NULL: no loop is left. */
static const char *line_of_loop(const char *loops)
{
	const char *line = strstr(loops, "for (");

	while (line && line > loops && line[-1] != '\n')
		line--;
	return line;
}

void print_lookups_filled(struct text *t, const struct stencil *s)
{
	static const char pragma[] = "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n";

	for (const struct c_lookup *l = next_filled(s->fields); l; l = next_filled(l->own->field->next)) {
		const char *loop = line_of_loop(l->loops);

		print_nest_macros(t, l->loops, NULL, true);
		if (loop) {
			text_puts(t, region_strndup(s->mem, l->loops, (size_t) (loop - l->loops)));
			text_append(t, pragma, sizeof(pragma) - 1);
		}
		text_puts(t, loop ? loop : l->loops);
		print_nest_macros(t, l->loops, NULL, false);
	}
}

void print_lookups_freed(struct text *t, const struct stencil *s)
{
	for (const struct c_lookup *l = next_filled(s->fields); l; l = next_filled(l->own->field->next))
		text_printf(t, "free(%s);\n", name_of_lookup(s, l));
}

static bool asks_where(const struct stencil *s)
{
	for (const struct c_lookup *l = next_filled(s->fields); l; l = next_filled(l->own->field->next))
		for (int d = 0; d < l->what->n_subs; d++)
			if (l->what->around[d])
				return true;
	return false;
}

void print_lookups_prologue(struct text *t, const struct c_program *programs)
{
	if (some_stencil(programs, asks_where))
		text_puts(t, "/* Is \"i\" the number of one of \"n\" elements? */\n"
			"static inline int stencilc_is_in(long long i, long long n)\n{\n"
			"\treturn i >= 0 && i < n;\n}\n\n");
}
