/* The text for scalars that steps carry: see carried.h. */
#include "frontend/c/carried.h"
#include "frontend/c/list.h"
#include "frontend/c/passes.h"
#include "frontend/c/walk.h"

#include <inttypes.h>
#include <string.h>

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

/* Do steps have a counter of their own, as the program counts none? */
static bool is_counter_own(const struct stencil *s)
{
	return !s->time_loop->is_while && s->time_loop->decl->at.start == s->time_loop->decl->at.end;
}

static const char *type_of_counter(const struct stencil *s)
{
	const struct c_decl *counter = s->time_loop->decl;

	return counter->type_name ? counter->type_name : "int";
}

/* Does the loop begin with the value that its counter has?  Loops before it give it that value back. */
static bool counts_on(const struct stencil *s)
{
	return s->time_loop->is_while;
}

static void print_counter_kept(struct text *t, const struct stencil *s, const char *name)
{
	if (counts_on(s))
		text_printf(t, "const %s %s_from = %s;\n", type_of_counter(s), name, c_name(s->time_loop->decl));
}

static void print_counter_back(struct text *t, const struct stencil *s, const char *name)
{
	if (counts_on(s))
		text_printf(t, "%s = %s_from;\n", c_name(s->time_loop->decl), name);
}

/* "k = 0", "int k = 0"; nothing where the counter has its first value. */
static void print_first_value(struct text *t, const struct stencil *s)
{
	const char *counter = c_name(s->time_loop->decl);
	struct text begin = { 0 };

	poly_print(&begin, &s->time_range.begin);
	if (!counts_on(s))
		text_printf(t, "%s %s = %s", type_of_counter(s), counter, begin.bytes);
	else if (strcmp(begin.bytes, counter) != 0)
		text_printf(t, "%s = %s", counter, begin.bytes);
	text_free(&begin);
}

static void print_start(struct text *t, const struct stencil *s)
{
	text_puts(t, "for (");
	print_first_value(t, s);
	text_puts(t, "; ");
}

/* for (int k = 0; k < steps; k++); or as far as the call goes, and only where the "array" has memory. */
static void print_steps(struct text *t, const struct stencil *s, const char *array)
{
	const struct c_stmt *loop = s->time_loop;
	const char *counter = c_name(loop->decl);

	print_start(t, s);
	text_printf(t, "%s%s%s < ", array ? array : "", array ? " && " : "", counter);
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

enum { MOST_STEPS = 2000000000 };

/* counter < 2000000000 && (t < end) */
static void print_holds(struct text *t, const struct stencil *s, const char *counter)
{
	const struct span at = s->time_loop->holds->at;

	text_printf(t, "%s < %d && (", counter, MOST_STEPS);
	text_append(t, s->source->text + at.start, at.end - at.start);
	text_puts(t, ")");
}

/* do { t += dt; counter++; } while (..); or for (..; ..; counter++) t += dt; .. */
static void print_counting(struct text *t, const struct stencil *s, const struct c_carried *c, const char *counter,
	bool has_own)
{
	if (s->time_loop->is_do) {
		text_puts(t, "\t");
		if (!has_own) {
			print_first_value(t, s);
			text_puts(t, ";\n\t");
		}
		text_puts(t, "do {\n\t\t");
		print_statement(t, s, c->stmt->at);
		text_printf(t, "\t\t%s++;\n\t} while (", counter);
		print_holds(t, s, counter);
		text_puts(t, ");\n");
		return;
	}
	text_puts(t, "\t");
	if (has_own)
		text_puts(t, "for (; ");
	else
		print_start(t, s);
	print_holds(t, s, counter);
	text_printf(t, "; %s++)", counter);
	text_puts(t, has_own || counts_on(s) ? "\n\t\t" : " {\n\t\t");
	print_statement(t, s, c->stmt->at);
}

/* Count the steps, at most two thousand millions: by a variable of their own, or to the end of the loop's counter. */
static void print_counted(struct text *t, const struct stencil *s, const struct c_carried *c)
{
	const char *name = c_name(c->decl), *type = c_type_word(c->array->type), *array = c->array->name;
	const char *end = c_name(s->time_loop->bound->decl), *counter = c_name(s->time_loop->decl);
	const bool has_own = is_counter_own(s);

	if (!uses_variable(s->time_loop->holds, c->decl))
		return;
	text_printf(t, "int %s = ", end);
	poly_print(t, &s->time_range.begin);
	text_printf(t, ";\n{\n\tconst %s %s_first = %s;\n", type, array, name);
	if (counts_on(s))
		text_puts(t, "\t");
	print_counter_kept(t, s, array);
	print_counting(t, s, c, has_own ? end : counter, has_own);
	if (counts_on(s))
		text_printf(t, "\t%s = %s;\n\t", end, counter);
	else if (!has_own)
		text_printf(t, "\t\t%s = %s + 1;\n\t}\n", end, counter);
	print_counter_back(t, s, array);
	text_printf(t, "\t%s = %s_first;\n}\n", name, array);
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
		const bool is_sum = s->time_range.begin.n > 1;

		text_puts(t, is_sum ? "(" : "");
		poly_print(t, &s->time_range.begin);
		text_printf(t, "%s < 0 ? NULL : ", is_sum ? ")" : "");
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
		print_counter_kept(t, s, array);
		print_steps(t, s, array);
		text_printf(t, " {\n\t%s[%s] = %s;\n\t", array, counter, name);
		print_change(t, s, c);
		text_printf(t, "\t%s[%s + %lld] = %s;\n}\n", array, counter, (long long) s->time_loop->step, name);
		print_counter_back(t, s, array);
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
		if (counts_on(s)) {
			text_puts(t, "{\n");
			t->indent++;
		}
		print_counter_kept(t, s, c->array->name);
		print_steps(t, s, NULL);
		text_puts(t, "\n\t");
		print_change(t, s, c);
		print_counter_back(t, s, c->array->name);
		if (counts_on(s)) {
			t->indent--;
			text_puts(t, "}\n");
		}
	}
}

void print_carried_freed(struct text *t, const struct stencil *s)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next)
		if (is_read(s, c))
			text_printf(t, "free(%s);\n", c->array->name);
}

/* The text of what stands before the loop in the region, without the first values of such scalars. */
static void print_before_loop(struct text *t, const struct stencil *s)
{
	unsigned at = s->region->inside.start;
	const unsigned end = s->time_loop->at.start;
	bool found = true;

	while (found) {
		const struct c_carried *next = NULL;

		for (const struct c_carried *c = s->region->carried; c; c = c->next)
			if (c->first && c->first->at.start >= at && c->first->at.end <= end &&
			    (!next || c->first->at.start < next->first->at.start))
				next = c;
		found = next;
		text_append(t, s->source->text + at, (found ? next->first->at.start : end) - at);
		at = found ? next->first->at.end : end;
	}
}

void print_loop_on(struct text *t, const struct stencil *s, const char *first)
{
	const struct c_stmt *loop = s->time_loop;
	const char *text = s->source->text, *counter = c_name(loop->decl);
	const bool is_for = !strncmp(text + loop->at.start, "for", 3);
	unsigned from = is_for ? loop->holds->at.start : loop->at.start;

	text_puts(t, "{\n");
	print_before_loop(t, s);
	if (counts_on(s))
		text_printf(t, "%s = %s;\n", counter, first);
	if (is_for && is_counter_own(s))
		text_puts(t, "for (; ");
	else if (is_for)
		text_printf(t, "for (%s%s%s = %s; ", loop->decl->is_inside ? type_of_counter(s) : "",
			loop->decl->is_inside ? " " : "", counter, first);
	text_append(t, text + from, s->region->inside.end - from);
	text_puts(t, "}\n");
}
