/* The text for scalars that steps carry: see carried.h. */
#include "frontend/c/carried.h"
#include "frontend/c/list.h"
#include "frontend/c/passes.h"
#include "frontend/c/walk.h"

#include <inttypes.h>

static bool is_read(const struct stencil *s, const struct c_carried *c)
{
	const struct c_field *f = s->fields;

	while (f && f->decl != c->array)
		f = f->next;
	return f;
}

bool has_carried(const struct stencil *s)
{
	if (counts_carried(s, s->time_loop))
		return true;
	for (const struct c_carried *c = s->region->carried; c; c = c->next)
		if (is_read(s, c))
			return true;
	return false;
}

/* begin + (end - begin) / 2 * 2 */
void print_end_of_rounds(struct text *t, const struct stencil *s)
{
	int64_t by = s->n_phases * s->time_range.step;
	struct poly steps;

	loop_extent(&s->time_range, &steps);
	poly_print(t, &s->time_range.begin);
	text_puts(t, " + (");
	poly_print(t, &steps);
	text_printf(t, ") / %" PRId64 " * %" PRId64, by, by);
}

/* for (int k = 0; k < steps; k++); or as far as the call goes, and only where the "array" has memory. */
static void print_steps(struct text *t, const struct stencil *s, const char *array)
{
	const struct c_stmt *loop = s->time_loop;
	const char *counter = c_name(loop->decl);

	text_printf(t, "for (%s %s = ", loop->decl->type_name ? loop->decl->type_name : "int", counter);
	poly_print(t, &s->time_range.begin);
	text_printf(t, "; %s%s%s < ", array ? array : "", array ? " && " : "", counter);
	if (leaves_rest(s))
		print_end_of_rounds(t, s);
	else
		poly_print(t, &s->time_range.end);
	if (loop->step == 1)
		text_printf(t, "; %s++)", counter);
	else
		text_printf(t, "; %s += %lld)", counter, (long long) loop->step);
}

/* The text of a statement, which may end with a semicolon. */
static void print_statement(struct text *t, const struct stencil *s, struct span at)
{
	while (s->source->text[at.end - 1] == ';')
		at.end--;
	text_append(t, s->source->text + at.start, at.end - at.start);
	text_puts(t, ";\n");
}

/* The statement that changes the scalar, with the condition that decides about it. */
static void print_change(struct text *t, const struct stencil *s, const struct c_carried *c)
{
	if (c->choice) {
		const struct span at = c->choice->condition->at;

		text_printf(t, "if (%s", c->is_otherwise ? "!(" : "");
		text_append(t, s->source->text + at.start, at.end - at.start);
		text_puts(t, c->is_otherwise ? "))\n\t\t" : ")\n\t\t");
	}
	print_statement(t, s, c->stmt->at);
}

static void print_holds(struct text *t, const struct stencil *s)
{
	const struct span at = s->time_loop->holds->at;

	text_printf(t, "%s < 2000000000 && (", c_name(s->time_loop->bound->decl));
	text_append(t, s->source->text + at.start, at.end - at.start);
	text_puts(t, ")");
}

/* Count the steps, at most two thousand millions. */
static void print_counted(struct text *t, const struct stencil *s, const struct c_carried *c)
{
	const char *name = c_name(c->decl), *type = c_type_word(c->array->type), *steps;

	if (!uses_variable(s->time_loop->holds, c->decl))
		return;
	steps = c_name(s->time_loop->bound->decl);
	text_printf(t, "int %s = 0;\n{\n\tconst %s %s_first = %s;\n", steps, type, c->array->name, name);
	if (s->time_loop->is_do) {
		text_puts(t, "\tdo {\n\t\t");
		print_statement(t, s, c->stmt->at);
		text_printf(t, "\t\t%s++;\n\t} while (", steps);
		print_holds(t, s);
		text_puts(t, ");\n");
	} else {
		text_puts(t, "\tfor (; ");
		print_holds(t, s);
		text_printf(t, "; %s++)\n\t\t", steps);
		print_statement(t, s, c->stmt->at);
	}
	text_printf(t, "\t%s = %s_first;\n}\n", name, c->array->name);
}

/* Memory for an element for each step and one behind the last, unless steps begin before 0. */
static void print_memory(struct text *t, const struct stencil *s, const struct c_carried *c)
{
	const char *type = c_type_word(c->array->type);
	const struct poly step = poly_constant(s->time_loop->step);
	struct poly n = s->time_range.end;
	int64_t begin;

	poly_add(&n, &step, 1);
	text_printf(t, "%s *%s = ", type, c->array->name);
	if (!poly_is_constant(&s->time_range.begin, &begin) || begin < 0) {
		text_puts(t, "(");
		poly_print(t, &s->time_range.begin);
		text_puts(t, ") < 0 ? NULL : ");
	}
	text_printf(t, "(%s *) calloc(", type);
	poly_print(t, &n);
	text_printf(t, ", sizeof(%s));\n", type);
}

void print_carried(struct text *t, const struct stencil *s)
{
	const char *counter = c_name(s->time_loop->decl);

	for (const struct c_carried *c = s->region->carried; c; c = c->next) {
		const char *type = c_type_word(c->array->type), *name = c_name(c->decl), *array = c->array->name;

		if (c->first)
			print_statement(t, s, c->first->at);
		if (s->time_loop->holds)
			print_counted(t, s, c);
		if (!is_read(s, c))
			continue;
		print_memory(t, s, c);
		text_printf(t, "const %s %s_first = %s;\n", type, array, name);
		print_steps(t, s, array);
		text_printf(t, " {\n\t%s[%s] = %s;\n\t", array, counter, name);
		print_change(t, s, c);
		text_printf(t, "\t%s[%s + %lld] = %s;\n}\n", array, counter, (long long) s->time_loop->step, name);
		text_printf(t, "const %s %s_last = %s;\n%s = %s_first;\n", type, array, name, name, array);
	}
}

void ask_for_carried(const struct stencil *s, struct c_question *q)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next) {
		struct text t = { 0 };

		if (!is_read(s, c))
			continue;
		text_puts(&t, c->array->name);
		ask_question(s, q, &t);
	}
}

void print_carried_set(struct text *t, const struct stencil *s)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next) {
		if (is_read(s, c)) {
			text_printf(t, "%s = %s_last;\n", c_name(c->decl), c->array->name);
			continue;
		}
		print_steps(t, s, NULL);
		text_puts(t, "\n\t");
		print_change(t, s, c);
	}
}

void print_carried_freed(struct text *t, const struct stencil *s)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next)
		if (is_read(s, c))
			text_printf(t, "free(%s);\n", c->array->name);
}
