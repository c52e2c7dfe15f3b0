/* Tests before a region runs: do pointers that might point into one array do so?  Do loops
 * cover all of an array at whose ends reads turn back?  If all is well, the region's function
 * is called; otherwise its loops run.
 */
#include "frontend/c/ghost.h"
#include "frontend/c/lookup.h"
#include "frontend/c/passes.h"
#include "frontend/c/turn.h"
#include "frontend/c/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The declarations ---------------------------------------------------------*/

static bool is_pointer(const struct c_decl *d)
{
	return d->is_pointer || d->is_decayed;
}

/* Are "a" and "b", which do not overlap, members of one struct, or of the
 * elements of one array?
 */
static bool is_one_struct(const struct c_decl *a, const struct c_decl *b)
{
	return a->member && b->member && a->member->of == b->member->of &&
		(a->member->is_each ? b->member->is_each :
		 !a->is_pointer && !b->is_pointer);
}

/* Do restrict or malloc() set it apart?  Of rows behind pointers they say nothing. */
static bool is_alone(const struct c_decl *d)
{
	return (d->is_restrict || d->is_allocated) && !d->has_rows;
}

/* Can "a" and "b" lie in one object?  Arrays cannot, nor pointers that restrict
 * or malloc() sets apart, nor a parameter and an array of the function.
 */
static bool may_alias(const struct c_decl *a, const struct c_decl *b)
{
	if (a == b || is_one_struct(a, b) || is_alone(a) || is_alone(b))
		return false;
	if (is_pointer(a) && is_pointer(b))
		return true;
	return (is_pointer(a) && b->is_global) ||
		(is_pointer(b) && a->is_global);
}

/* Are "f" and "g" copies or grids of one array, of which questions are asked together? */
static bool are_together(const struct stencil *s, const struct c_field *f,
	const struct c_field *g)
{
	bool same = f->decl == g->decl && f->slot != NO_SLOT &&
		g->slot != NO_SLOT && !s->of_step && !f->decl->has_rows;

	for (int d = 0; d < f->n_dims && same; d++)
		same = poly_equal(&f->size[d], &g->size[d]);
	return same;
}

/* Does an earlier field stand for "f", too? */
static bool is_asked_with_other(const struct stencil *s,
	const struct c_field *f)
{
	const struct c_field *g = s->fields;

	while (g != f && !are_together(s, f, g))
		g = g->next;
	return g != f || is_further_part(s, f);
}

static bool is_any_written(const struct stencil *s, const struct c_field *f)
{
	const struct c_field *g = s->fields;

	while (g && !(are_together(s, f, g) && is_partly_written(s, g)))
		g = g->next;
	return g || is_partly_written(s, f);
}

/* The first field behind "g", or the first of all, whose overlap with "f" would harm one that
 * is written; each pair counts once.
 */
static const struct c_field *next_in_doubt(const struct stencil *s,
	const struct c_field *f, const struct c_field *g)
{
	if (is_asked_with_other(s, f))
		return NULL;
	for (g = g ? g->next : f->next; g; g = g->next)
		if (may_alias(f->decl, g->decl) && !is_asked_with_other(s, g) &&
		    (is_any_written(s, f) || is_any_written(s, g)))
			return g;
	return NULL;
}

/* A field that later ones may overlap; NULL: there is none. */
static const struct c_field *field_in_doubt(const struct stencil *s)
{
	const struct c_field *f = s->file->no_alias ? NULL : s->fields;

	while (f && !next_in_doubt(s, f, NULL))
		f = f->next;
	return f;
}

/* Must the array have more cells for reads to turn back in it than every array
 * has?
 */
static bool asks_for_size(const struct c_field *f, int d)
{
	int64_t size;

	return f->least[d] > 1 && !(poly_is_constant(&f->size[d], &size) &&
		size >= f->least[d]);
}

/* Call "each" for the elements that calls pass as numbers, w[0] and, in a subscript, si[0]. */
static void each_passed_in(const struct c_expr *e, void (*each)(void *user,
	const struct c_access *a), void *user)
{
	if (e->kind == CX_ELEMENT)
		each(user, e->access);
	for (int i = 0; i < e->n_args; i++)
		each_passed_in(e->arg[i], each, user);
}

static void each_passed(const struct stencil *s, void (*each)(void *user,
	const struct c_access *a), void *user)
{
	for (const struct c_element *e = s->elements; e; e = e->next)
		each(user, e->access);
	for (const struct c_param *p = s->params; p; p = p->next)
		if (p->decl->quotient)
			each_passed_in(p->decl->quotient, each, user);
}

const struct c_field *written_over_field(const struct stencil *s,
	const struct c_field *from, const struct c_field *f)
{
	for (f = f ? f->next : s->file->no_alias ? NULL : s->fields; f;
	     f = f->next)
		if (may_alias(from->decl, f->decl) &&
		    is_any_written(s, f) && !is_asked_with_other(s, f))
			break;
	return f;
}

/* The first field behind "f", or of all if that is NULL, whose cells "a" may be one of. */
static const struct c_field *written_over(const struct stencil *s,
	const struct c_access *a, const struct c_field *f)
{
	return written_over_field(s, a->field, f);
}

/* An array that is looked up, or tells where, and may be written; NULL: none. */
static const struct c_field *lookup_in_doubt(const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next) {
		const struct c_lookup *l = f->lookup;

		if (!l)
			continue;
		if (written_over_field(s, l->what->field, NULL))
			return l->what->field;
		for (int i = 0; i < l->n_reads; i++)
			if (written_over_field(s, l->read[i]->field, NULL))
				return l->read[i]->field;
	}
	return NULL;
}

struct passed {
	const struct stencil *s;
	struct c_question *q;
	const struct c_access *in_doubt;
};

static void note_doubt(void *user, const struct c_access *a)
{
	struct passed *p = user;

	if (written_over(p->s, a, NULL))
		p->in_doubt = a;
}

/* An element that a call passes and that may be one of the cells written; NULL: none. */
static const struct c_access *element_in_doubt(const struct stencil *s)
{
	struct passed p = { s, NULL, NULL };

	each_passed(s, note_doubt, &p);
	return p.in_doubt;
}

bool asks_about_pointers(const struct stencil *s)
{
	return field_in_doubt(s) || element_in_doubt(s) || lookup_in_doubt(s);
}

/* A member of what a pointer points to, perhaps an element of an array of
 * structs that is written; NULL: there is none.
 */
static const struct c_param *member_in_doubt(const struct stencil *s,
	const struct c_field **written)
{
	for (const struct c_param *p = s->params; p; p = p->next) {
		const struct c_field *f = s->file->no_alias || !p->decl->member ||
			!p->decl->member->is_behind ? NULL : s->fields;

		while (f && !(f->is_written && f->decl->member &&
		       f->decl->member->is_each))
			f = f->next;
		*written = f;
		if (f)
			return p;
	}
	return NULL;
}

static bool refuse_member(struct stencil *s, const struct c_param *p,
	const struct c_field *f)
{
	refuse(s, E_C_ALIAS, s->region->pragma, "'%s' may be a member of an "
		"element of '%s', which is written", c_name(p->decl),
		f->decl->member->of->name);
	diag_advice(s->diags, "read it before the region, or assert with "
		"--no-alias that pointers do not overlap");
	return false;
}

bool aliases_are_told(struct stencil *s)
{
	const struct c_field *f;
	const struct c_param *p = member_in_doubt(s, &f);

	return !p || refuse_member(s, p, f);
}

void refuse_moves(struct stencil *s)
{
	const struct c_field *f = field_in_doubt(s), *from;
	const struct c_access *a = f ? NULL : element_in_doubt(s);
	const struct c_decl *one, *other;

	from = f ? f : a ? a->field : lookup_in_doubt(s);
	one = from->decl;
	other = (f ? next_in_doubt(s, f, NULL) : written_over_field(s, from,
		NULL))->decl;

	refuse(s, E_C_ALIAS, s->region->pragma, "'%s' and '%s' may point into "
		"one array, and pointers move in one of the region's loops",
		one->name, other->name);
	diag_advice(s->diags, "declare one of them 'restrict', give each loop "
		"a region of its own, or assert with --no-alias that pointers "
		"do not overlap");
}

/* The question -------------------------------------------------------------*/

/* Of a linear array of grids, &f[3LL * n * m], and &f[1LL * (1 - cur) * n * m]. */
static void print_grid(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	if (count_turned(s, f)) {
		text_printf(t, "&%s[1LL * (", c_name(f->decl));
		print_slot(t, s, f->decl, f->slot);
		text_puts(t, ")");
	} else {
		text_printf(t, "&%s[%dLL", c_name(f->decl), f->slot);
	}
	for (int d = 0; d < f->n_dims; d++)
		poly_print_factor(t, size_of_array(f, d));
	text_puts(t, "]");
}

void print_address(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	const struct c_decl *d = f->decl;
	int n = array_dims(d);

	if (f->lookup) {
		text_puts(t, name_of_lookup(s, f->lookup));
		return;
	}
	if (d->has_rows)
		text_printf(t, "(%s%s *const *) ", is_partly_written(s, f) ?
			"" : "const ", c_type_of_field(d));
	if (n == 1 && (f->slot > 0 || count_turned(s, f))) {
		print_grid(t, s, f);
		return;
	}
	if (n == 1 || d->has_rows) {
		text_puts(t, c_name(d));
		return;
	}
	text_printf(t, "&%s", c_name(d));
	for (int i = 0; i < n; i++) {
		text_puts(t, "[");
		if (i > 0 || f->slot == NO_SLOT)
			text_puts(t, "0");
		else if (s->of_step)
			text_printf(t, f->slot ? "%s %c %d" : "%s",
				s->time->name, f->slot < 0 ? '-' : '+',
				abs(f->slot));
		else
			print_slot(t, s, f->decl, f->slot);
		text_puts(t, "]");
	}
}

/* The elements of all steps, from the first that a call is about. */
static void print_first_step(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	struct poly first = s->time_range.begin;
	const struct poly slot = poly_constant(f->slot);

	poly_add(&first, &slot, 1);
	text_printf(t, "&%s[", c_name(f->decl));
	poly_print(t, &first);
	text_puts(t, "]");
	for (int i = 1; i < array_dims(f->decl); i++)
		text_puts(t, "[0]");
}

static void print_steps(struct text *t, const struct stencil *s)
{
	struct poly steps;

	loop_extent(&s->time_range, &steps);
	text_puts(t, " * (");
	poly_print(t, &steps);
	text_puts(t, ")");
}

/* 4LL * n * (m + 1) */
static void print_bytes(struct text *t, const struct c_field *f)
{
	text_printf(t, "%dLL", f->part.of ? f->part.of :
		type_size(c_stored_type(f->decl->type)));
	for (int d = 0; d < f->n_dims; d++)
		poly_print_factor(t, size_of_array(f, d));
}

/* All copies of the array "d". */
static void print_start(struct text *t, const struct c_decl *d)
{
	text_printf(t, "&%s", c_name(d));
	for (int i = 0; i < array_dims(d); i++)
		text_puts(t, "[0]");
}

/* The bytes of "f", as two arguments. */
static void print_range(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	bool each_step = s->of_step && f->slot != NO_SLOT;
	const struct c_field *low = f, *high = f;
	int turned = count_turned(s, f);

	if (f->decl->has_rows) {
		print_rows_range(t, f);
		return;
	}
	for (const struct c_field *g = s->fields; g; g = g->next) {
		if (!are_together(s, f, g))
			continue;
		low = g->slot < low->slot ? g : low;
		high = g->slot > high->slot ? g : high;
	}
	if (each_step)
		print_first_step(t, s, f);
	else if (turned)
		print_start(t, f->decl);
	else
		print_address(t, s, low);
	text_puts(t, ", ");
	print_bytes(t, f);
	if (each_step)
		print_steps(t, s);
	else if (turned)
		text_printf(t, " * %d", turned);
	else if (low != high)
		text_printf(t, " * %d", high->slot - low->slot + 1);
}

void ask_question(const struct stencil *s, struct c_question *q,
	struct text *text)
{
	struct c_asked **link = &q->asked;

	while (*link && strcmp((*link)->text, text->bytes) != 0)
		link = &(*link)->next;
	if (!*link) {
		*link = region_new_of(s->mem, struct c_asked);
		(*link)->text = region_strndup(s->mem, text->bytes,
			text->length);
	}
	text_free(text);
}

/* n == 1000 && .., each once; m >= 2 && .. */
static void ask_ends(const struct stencil *s, struct c_question *q)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		for (int d = 0; d < f->n_dims; d++) {
			struct text t = { 0 };

			if (f->whole[d] && !is_asked_before(s, f, d)) {
				poly_print(&t, &f->whole[d]->end);
				text_puts(&t, " == ");
				poly_print(&t, &f->size[d]);
				ask_question(s, q, &t);
				t = (struct text) { 0 };
			}
			if (asks_for_size(f, d)) {
				poly_print(&t, &f->size[d]);
				text_printf(&t, " >= %d", f->least[d]);
				ask_question(s, q, &t);
			}
		}
}

/* What the loops of "s" execute, beside what those before do. */
static void add_work(struct c_question *q, const struct stencil *s)
{
	struct text t = { 0 };

	if (q->work)
		text_printf(&t, "%s + ", q->work);
	if (copies_for_nothing(s))
		text_puts(&t, "0.0");
	else
		print_work(&t, s);
	q->work = region_strndup(s->mem, t.bytes, t.length);
	text_free(&t);
}

/* Is there more than the last rounds? */
static void ask_rounds(const struct stencil *s, struct c_question *q)
{
	struct text t = { 0 };
	const struct poly first = leaves_first_round(s) && s->round != s->time ? behind_first_round(s) :
		s->time_range.begin;

	poly_print(&t, &s->time_range.end);
	text_puts(&t, " > ");
	poly_print(&t, &first);
	ask_question(s, q, &t);
}

/* double **: do rows follow each other? */
static void ask_rows(const struct stencil *s, struct c_question *q)
{
	for (const struct c_field *f = s->fields; f; f = f->next) {
		struct text t = { 0 };

		if (!f->decl->has_rows || f->local)
			continue;
		print_rows_question(&t, f);
		ask_question(s, q, &t);
	}
}

/* Copies of arrays that are stored the other way round take as long as some steps: eight of a sweep of five points
 * on two cores of an EPYC, pages that are new included.
 */
static void ask_steps(const struct stencil *s, struct c_question *q)
{
	enum { STEPS_TO_COPY = 16 };
	struct poly steps;
	struct text t = { 0 };

	loop_extent(&s->time_range, &steps);
	text_puts(&t, "(!STENCILC_LEAST || ");
	poly_print(&t, &steps);
	text_printf(&t, " >= %" PRId64 ")", STEPS_TO_COPY *
		s->time_range.step);
	ask_question(s, q, &t);
}

/* stencilc_apart(&w[2], 4LL, ..) */
static void ask_passed(void *user, const struct c_access *a)
{
	struct passed *p = user;
	const struct c_field *own = a->field, *f = NULL;

	while ((f = written_over(p->s, a, f))) {
		struct text t = { 0 };

		text_printf(&t, "stencilc_apart(&%s", c_name(own->decl));
		if (own->slot != NO_SLOT) {
			text_puts(&t, "[");
			print_slot(&t, p->s, own->decl, own->slot);
			text_puts(&t, "]");
		}
		for (int d = 0; d < a->n_subs; d++) {
			text_puts(&t, "[");
			poly_print(&t, &a->sub[d]);
			text_puts(&t, "]");
		}
		text_printf(&t, ", %dLL, ", own->part.of ? own->part.of :
			type_size(c_stored_type(own->decl->type)));
		print_range(&t, p->s, f);
		text_puts(&t, ")");
		ask_question(p->s, p->q, &t);
	}
}

void ask_apart(const struct stencil *s, struct c_question *q, const struct c_field *f,
	const struct c_field *g)
{
	struct text t = { 0 };

	text_puts(&t, "stencilc_apart(");
	print_range(&t, s, f);
	text_puts(&t, ", ");
	print_range(&t, s, g);
	text_puts(&t, ")");
	ask_question(s, q, &t);
}

void print_asked(struct text *t, const struct c_asked *a)
{
	text_printf(t, strpbrk(a->text, "|?") ? "(%s)" : "%s", a->text);
}

void add_questions(struct c_question *q, const struct c_program *p)
{
	const struct stencil *s = p->stencil;

	add_work(q, s);
	if (leaves_steps(s) || leaves_first_round(s))
		ask_rounds(s, q);
	if (copies_arrays(s))
		ask_steps(s, q);
	ask_rows(s, q);
	if (asks_about_repeats(p)) {
		struct text t = { 0 };

		print_repeats(&t, p);
		ask_question(s, q, &t);
	}
	ask_ends(s, q);
	for (const struct c_asked *a = s->leaves.asked; a; a = a->next) {
		struct text t = { 0 };

		print_asked(&t, a);
		ask_question(s, q, &t);
	}
	for (const struct c_field *f = s->file->no_alias ? NULL : s->fields; f;
	     f = f->next)
		for (const struct c_field *g = next_in_doubt(s, f, NULL); g;
		     g = next_in_doubt(s, f, g))
			ask_apart(s, q, f, g);
	ask_about_lookups(s, q);
	each_passed(s, ask_passed, &(struct passed) { s, q, NULL });
}

void print_question(struct text *t, const struct c_question *q)
{
	text_printf(t, "if (STENCILC_PAYS(%s)", q->work);
	for (const struct c_asked *a = q->asked; a; a = a->next)
		text_printf(t, " &&\n    %s", a->text);
	text_puts(t, ") {\n");
}

void print_least(struct text *t)
{
	text_printf(t, "/* A call pays for so many statements; 0: always. */\n"
		"#ifndef STENCILC_LEAST\n#define STENCILC_LEAST %d\n#endif\n"
		"#define STENCILC_PAYS(statements) (!STENCILC_LEAST || "
		"(statements) >= STENCILC_LEAST)\n\n", least_work());
}

bool some_stencil(const struct c_program *programs,
	bool (*is)(const struct stencil *s))
{
	while (programs && !is(programs->stencil))
		programs = programs->next;
	return programs;
}

void print_repeats_question(struct text *t, const struct c_program *programs)
{
	const struct c_program *p = programs;

	while (p && !asks_about_repeats(p))
		p = p->next;
	if (p)
		print_repeats_macros(t);
}

void print_apart(struct text *t, const struct c_program *programs)
{
	if (some_stencil(programs, asks_about_pointers))
		text_puts(t, "/* Do the bytes from \"a\" on and those from \"b\" "
			"on lie apart? */\nstatic inline int stencilc_apart("
			"const void *a, long long a_bytes,\n\tconst void *b, "
			"long long b_bytes)\n{\n\treturn (const char *) a + "
			"a_bytes <= (const char *) b ||\n\t\t(const char *) b "
			"+ b_bytes <= (const char *) a;\n}\n\n");
}
