/* Calls that replace regions, and the functions that they call. */
#include "frontend/c/border.h"
#include "frontend/c/call.h"
#include "frontend/c/exchange.h"
#include "frontend/c/ghost.h"
#include "frontend/c/list.h"
#include "frontend/c/turn.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* The functions called -----------------------------------------------------*/

/* For values that are an int in the program and another integer in C. */
static const char *param_type(const struct c_decl *d)
{
	return is_beyond_int(d->type) ? "long long" :
		is_narrow(d->type) ? "int" : c_type_of_field(d);
}

/* void f_region(int n, float *A) */
void print_region_prototype(struct text *t, const struct stencil *s)
{
	const char *comma = "";

	text_printf(t, "%s %s(", s->lists ? "int" : "void", s->named.call);
	for (const struct c_param *p = s->params; p; p = p->next) {
		text_printf(t, "%s%s %s", comma, param_type(p->decl), p->name);
		comma = ", ";
	}
	if (s->named.rounds) {
		text_printf(t, "%sint %s", comma, s->named.rounds);
		comma = ", ";
	}
	for (const struct c_element *e = s->elements; e; e = e->next) {
		text_printf(t, "%s%s %s", comma,
			param_type(e->access->field->decl), e->name);
		comma = ", ";
	}
	for (const struct c_field *f = s->fields; f; f = f->next) {
		if (f->local || is_further_part(s, f))
			continue;
		text_printf(t, "%s%s%s *%s%s", comma,
			is_partly_written(s, f) ? "" : "const ",
			f->part.of || f->decl->type == C_BOOL ? "void" :
			c_type_of_field(f->decl), f->decl->has_rows ?
			"const *" : "", f->part.of || f->ghosts ?
			name_of_whole(s, f) : f->name);
		comma = ", ";
	}
	print_result_params(t, s);
	text_puts(t, ")");
}

/* Values passed for parameters of other types than int must fit an int. */
static void print_range_check(struct text *t, const struct stencil *s)
{
	const char *or = "";

	for (const struct c_param *p = s->params; p; p = p->next) {
		if (!is_beyond_int(p->decl->type) || !p->is_used)
			continue;
		text_printf(t, "%s%s != (int) %s", or, p->name, p->name);
		or = " || ";
	}
	if (*or)
		text_puts(t, " ? -2 : ");
}

/* Converted to the program's type. */
static void print_field(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	enum c_type type = f->decl->type;
	const char *is_const = is_partly_written(s, f) ? "" : "const ";
	bool is_long = type == C_LONG || type == C_ULONG;

	if (is_long && mixes_longs(s))
		text_printf(t, "(%s%s_%sint64 *) ", is_const,
			s->named.program, type == C_LONG ? "" : "u");
	else if (is_narrow(type) || is_long)
		text_printf(t, "(%s%s *) ", is_const, c_is_long_long(f->decl) ?
			c_type_word(type) : type_word(c_stored_type(type)));
	text_puts(t, f->name);
}

/* The local variable for the result of the call. */
static void print_status(struct text *t, const struct stencil *s)
{
	const char *comma = "";

	if (s->leaves.fails) {
		text_puts(t, "\tconst char *stencilc_why = ");
		print_leaves_call(t, s);
		text_puts(t, ";\n");
	}
	print_parts(t, s);
	print_before(t, s);
	print_result_variables(t, s);
	text_puts(t, "\tint stencilc_status = ");
	if (s->leaves.fails)
		text_puts(t, "stencilc_why ? -6 : ");
	print_parts_missing(t, s);
	print_range_check(t, s);
	text_printf(t, "%s(", s->named.program);
	for (const struct c_param *p = s->params; p; p = p->next) {
		if (!p->is_used)
			continue;
		text_printf(t, "%s%s%s", comma, is_beyond_int(p->decl->type) ? "(int) " :
			"", p->name);
		comma = ", ";
	}
	if (s->named.rounds) {
		text_printf(t, "%s%s", comma, s->named.rounds);
		comma = ", ";
	}
	for (const struct c_element *e = s->elements; e; e = e->next) {
		text_printf(t, "%s%s", comma, e->name);
		comma = ", ";
	}
	for (const struct c_field *f = s->fields; f; f = f->next) {
		if (f->is_temp)
			continue;
		text_puts(t, comma);
		print_field(t, s, f);
		comma = ", ";
	}
	print_result_arguments(t, s);
	text_puts(t, ");\n");
}

/* Where a place is not one of those computed, or lies outside the arrays, nothing has been written yet. */
static void print_left_to_loops(struct text *t, const struct stencil *s)
{
	text_puts(t, "\n\tif (stencilc_status == -6 || stencilc_status == -7) "
		"{\n");
	print_parts_freed(t, s);
	text_puts(t, "\t\treturn 0;\n\t}\n");
}

void print_definition(struct text *t, const struct stencil *s)
{
	print_leaves(t, s);
	print_beside_macros(t, s, true);
	text_printf(t, "\n/* The region of %s(). */\n", s->region->function);
	text_puts(t, "#ifdef __cplusplus\nextern \"C\"\n#endif\n");
	print_region_prototype(t, s);
	text_puts(t, "\n{\n");
	print_status(t, s);
	if (s->lists)
		print_left_to_loops(t, s);
	text_printf(t, "\n\tif (stencilc_status)\n\t\tSTENCILC_ON_ERROR("
		"\"%s\", stencilc_status,\n\t\t\t", s->region->function);
	if (s->leaves.fails)
		text_puts(t, "stencilc_why ? stencilc_why :\n\t\t\t");
	text_printf(t, "%s_strerror(stencilc_status));\n",
		s->named.program);
	print_beside(t, s);
	print_results(t, s);
	print_exchanges(t, s);
	print_parts_back(t, s);
	text_puts(t, s->lists ? "\treturn 1;\n}\n" : "}\n");
	print_beside_macros(t, s, false);
}

/* The call -----------------------------------------------------------------*/

/* ceil((end - begin) / by) */
static void print_rounds(struct text *t, const struct stencil *s)
{
	int64_t by = s->n_phases * s->time_range.step;
	struct poly up = poly_constant(leaves_rest(s) ? 0 : by - 1), steps;

	loop_extent(&s->time_range, &steps);
	poly_add(&steps, &up, 1);
	text_puts(t, "(int) ((");
	poly_print(t, &steps);
	text_printf(t, ") / %" PRId64 ")", by);
}

/* for (int t = 0; t < steps; t += 2) */
static void print_time_loop(struct text *t, const struct stencil *s)
{
	const struct c_stmt *loop = s->time_loop;

	text_printf(t, "for (%s%s = ", loop->decl->is_inside ? "int " : "",
		c_name(loop->decl));
	print_quoted(t, s, loop->value->at);
	text_printf(t, "; %s %s ", c_name(loop->decl),
		op_info((enum op) loop->op)->spelling);
	print_quoted(t, s, loop->bound->at);
	text_printf(t, "; %s += %" PRId64 ")\n\t", c_name(loop->decl),
		loop->step);
}

/* Could the subscript "d" of "a" lie outside its array? */
static bool may_leave(const struct c_access *a, int d)
{
	int64_t sub, size;

	if (!a->field->is_sized[d])
		return false;
	return !poly_is_constant(&a->sub[d], &sub) ||
		!poly_is_constant(&a->field->size[d], &size) ||
		sub < 0 || sub >= size;
}

/* "sub >= 0 && sub < size ? " where that is not certain: perhaps no iteration reads the
 * element.
 */
static bool print_guard(struct text *t, const struct c_access *a)
{
	const char *and = "(";

	for (int d = 0; d < a->n_subs; d++) {
		if (!may_leave(a, d))
			continue;
		text_puts(t, and);
		poly_print(t, &a->sub[d]);
		text_puts(t, " >= 0 && ");
		poly_print(t, &a->sub[d]);
		text_puts(t, " < ");
		poly_print(t, &a->field->size[d]);
		and = " && ";
	}
	if (*and == '(')
		return false;
	text_puts(t, " ? ");
	return true;
}

static void print_element(struct text *t, const struct stencil *s,
	const struct c_access *a)
{
	bool guarded = print_guard(t, a);

	text_puts(t, c_name(a->field->decl));
	if (a->field->slot != NO_SLOT) {
		text_puts(t, "[");
		print_slot(t, s, a->field->decl, a->field->slot);
		text_puts(t, "]");
	}
	for (int d = 0; d < a->n_subs; d++) {
		text_puts(t, "[");
		poly_print(t, &a->sub[d]);
		text_puts(t, "]");
	}
	print_part(t, a->field);
	if (guarded)
		text_puts(t, " : 0)");
}

static void print_call_alone(struct text *t, const struct stencil *s)
{
	const char *comma = "";

	text_printf(t, "%s(", s->named.call);
	for (const struct c_param *p = s->params; p; p = p->next) {
		text_puts(t, comma);
		print_argument(t, p->decl);
		comma = ", ";
	}
	if (s->named.rounds) {
		text_puts(t, comma);
		print_rounds(t, s);
		comma = ", ";
	}
	for (const struct c_element *e = s->elements; e; e = e->next) {
		text_puts(t, comma);
		print_element(t, s, e->access);
		comma = ", ";
	}
	for (const struct c_field *f = s->fields; f; f = f->next) {
		if (f->local || is_further_part(s, f))
			continue;
		text_puts(t, comma);
		print_address(t, s, f);
		comma = ", ";
	}
	print_until_addresses(t, s);
	text_puts(t, ")");
}

void ask_by_call(const struct stencil *s, struct c_question *q)
{
	struct text t = { 0 };

	print_call_alone(&t, s);
	ask_question(s, q, &t);
}

/* Other effects of the region ---------------------------------------------- */

static bool moves_pointer(const struct c_stmt *b)
{
	return (b->kind == CS_ASSIGN && b->target->kind == CX_VAR &&
		b->target->decl->n_dims) ||
		(b->kind == CS_DECLARE && b->value && b->decl->n_dims && b->value->kind != CX_LIST);
}

static bool moves_any(const struct c_stmt *body)
{
	for (; body; body = body->next)
		if (moves_pointer(body) || (body->kind == CS_BLOCK &&
		    moves_any(body->body)))
			return true;
	return false;
}

bool moves_pointers(const struct stencil *s)
{
	return moves_any(s->time_loop->body);
}

/* Does the file have the text "at" for "stmt" itself, not a macro that stands for it? */
static bool is_in_text(const struct stencil *s, const struct c_stmt *stmt,
	struct span at)
{
	const struct c_decl *d = stmt->kind == CS_DECLARE ? stmt->decl :
		stmt->target->decl;
	const char *text = s->source->text;
	size_t length = strlen(c_name(d));
	struct span name = stmt->kind == CS_DECLARE ? d->at :
		stmt->target->at;

	return name.end - name.start == length && name.start >= at.start &&
		name.end <= at.end && !strncmp(text + name.start, c_name(d),
		length) && memchr(text + at.start, '=', at.end - at.start);
}

/* int *c = b; or c = b; */
static void print_move(struct text *t, const struct stencil *s,
	const struct c_stmt *move)
{
	bool declares = move->kind == CS_DECLARE;
	struct span at = declares ? move->whole : move->at;
	const struct c_expr *value = move->value;

	if (is_in_text(s, move, at)) {
		print_quoted(t, s, at);
		text_puts(t, declares ? "\n" : ";\n");
		return;
	}
	while (value->kind == CX_CAST)
		value = value->arg[0];
	if (declares)
		text_printf(t, "__typeof__(%s) ", c_name(value->decl));
	text_printf(t, "%s = %s;\n", c_name(declares ? move->decl :
		move->target->decl), c_name(value->decl));
}

/* The tabs before the first word of the line in which "at" lies. */
static unsigned tabs_before(const char *text, unsigned at)
{
	unsigned line = at;

	while (line > 0 && text[line - 1] != '\n')
		line--;
	return (unsigned) strspn(text + line, "\t");
}

/* Its lines, as far apart from the margin as they are from the first one. */
static void print_statement(struct text *t, const struct stencil *s, const struct c_stmt *stmt)
{
	const char *text = s->source->text;
	const unsigned tabs = tabs_before(text, stmt->at.start), end = stmt->kind == CS_FOR ? stmt->end : stmt->at.end;

	for (unsigned at = stmt->at.start; at < end;) {
		const char *newline = memchr(text + at, '\n', end - at);
		const unsigned length = newline ? (unsigned) (newline - text) - at : end - at;

		text_printf(t, "%.*s%s", (int) length, text + at, newline ? "\n" : "");
		at += length + (newline != NULL);
		for (unsigned i = 0; i < tabs && at < end && text[at] == '\t'; i++)
			at++;
	}
	text_puts(t, strchr(";}", text[end - 1]) ? "\n" : ";\n");
}

/* The moves in "body" up to "end", or NULL, and what of it is executed "again". */
static void print_moves_of(struct text *t, const struct stencil *s,
	const struct c_stmt *body, const struct c_stmt *end, const struct c_again *again)
{
	for (; body != end; body = body->next) {
		if (body->kind == CS_BLOCK)
			print_moves_of(t, s, body->body, NULL, again);
		if (moves_pointer(body) && !(share_declaration(body,
		    body->next) && is_in_text(s, body, body->whole)))
			print_move(t, s, body);
		if (is_among(again, body))
			print_statement(t, s, body);
	}
}

static bool moves_before_loop(const struct stencil *s)
{
	const struct c_stmt *body = s->is_one_step ? NULL :
		region_statements(s);

	while (body && body != s->time_loop && !moves_pointer(body))
		body = body->next;
	return body && body != s->time_loop;
}

void print_again(struct text *t, const struct stencil *s)
{
	if (!s->leaves.left || !s->leaves.left->again)
		return;
	text_puts(t, "/* Edges that no step there sets. */\n");
	if (s->n_phases > 1) {
		text_printf(t, "for (int stencilc_step = 0; stencilc_step < %d; stencilc_step++) {\n", s->n_phases);
		t->indent++;
	}
	print_moves_of(t, s, s->time_loop->body, NULL, s->leaves.left->again);
	if (s->n_phases > 1) {
		t->indent--;
		text_puts(t, "}\n");
	}
}

/* Set the pointers as "steps" % "by" leave them. */
static void print_moves_by(struct text *t, const struct stencil *s,
	const char *steps, int by)
{
	if (!moves_any(s->time_loop->body))
		return;
	text_printf(t, "for (int stencilc_step = %s %% %d; stencilc_step > 0; "
		"stencilc_step--) {\n", steps, by);
	t->indent++;
	print_moves_of(t, s, s->time_loop->body, NULL, NULL);
	t->indent--;
	text_puts(t, "}\n");
}

void print_call(struct text *t, const struct stencil *s)
{
	const char *exchanged = s->time_loop->ends_before_moves ?
		"(stencilc_steps - stencilc_ended)" : "stencilc_steps";

	print_until_begin(t, s);
	if (s->of_step)
		print_time_loop(t, s);
	print_call_alone(t, s);
	text_puts(t, ";\n");
	if (s->until.exchanges) {
		print_moves_by(t, s, exchanged, 2);
		print_turns_by(t, s, exchanged, is_live_behind);
	}
	print_until_end(t, s, is_live_behind);
}

/* Set the pointers as the steps leave them: those of an incomplete round. */
static void print_loop_moves(struct text *t, const struct stencil *s)
{
	struct text done = { 0 };
	struct poly up = poly_constant(s->time_range.step - 1), steps;

	loop_extent(&s->time_range, &steps);
	poly_add(&steps, &up, 1);
	text_puts(&done, "(");
	poly_print(&done, &steps);
	if (s->time_range.step > 1)
		text_printf(&done, ") / %" PRId64, s->time_range.step);
	else
		text_puts(&done, ")");
	print_moves_by(t, s, done.bytes, s->n_phases);
	text_free(&done);
}

/* May code behind the call, or loops that follow it, use the value of "d"? */
static bool is_needed(const struct stencil *s, const struct c_decl *d)
{
	return (leaves_steps(s) && !d->is_inside) || is_live_behind(s, d);
}

void print_moves(struct text *t, const struct stencil *s)
{
	bool declares = moves_before_loop(s);

	if (s->until.exchanges)
		return;
	print_turns(t, s, is_needed);
	if (!moves_any(s->time_loop->body))
		return;
	if (declares) {
		text_puts(t, "{\n");
		t->indent++;
		print_moves_of(t, s, region_statements(s), s->time_loop, NULL);
	}
	print_loop_moves(t, s);
	if (declares) {
		t->indent--;
		text_puts(t, "}\n");
	}
}
