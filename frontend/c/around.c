/* What the emitted file asks about cells around grids: whether they are copies of those at the other end before the first
 * step.
 *
 *	int run_region_goes_around = n >= 4;
 *	for (long long j = 0; j < n && run_region_goes_around; j++)
 *		run_region_goes_around = !memcmp(&u[0][j], &u[m][j], sizeof(double));
 */
#include "frontend/c/call.h"
#include "frontend/c/ghost.h"
#include "frontend/c/passes.h"

static const struct c_update *asked_of(const struct c_field *f)
{
	return f->ghosts && f->ghosts->is_asked ? f->ghosts->copies : NULL;
}

bool asks_around(const struct stencil *s)
{
	const struct c_field *f = s->fields;

	while (f && !asked_of(f))
		f = f->next;
	return f;
}

static void print_flag(struct text *t, const struct stencil *s)
{
	text_printf(t, "%s_goes_around", s->named.call);
}

/* for (long long j = 0; j < n && run_region_goes_around; j++) .. */
static void print_loops(struct text *t, const struct stencil *s, const struct c_loop *loop)
{
	const char *i = loop ? c_name(loop->decl) : NULL;

	if (!loop)
		return;
	print_loops(t, s, loop->outer);
	text_printf(t, "for (long long %s = ", i);
	poly_print(t, &loop->begin);
	text_printf(t, "; %s < ", i);
	poly_print(t, &loop->end);
	text_puts(t, " && ");
	print_flag(t, s);
	text_printf(t, "; %s++)\n\t", i);
}

/* i * m + j, of a linear array: the dimensions up to "d", which may be a factor. */
static void print_linear(struct text *t, const struct c_access *a, int d, bool is_factor)
{
	const struct poly at = sub_in_array(a, d);
	const bool in_parentheses = is_factor && (d > 0 || at.n > 1);

	if (in_parentheses)
		text_puts(t, "(");
	if (d > 0) {
		print_linear(t, a, d - 1, true);
		poly_print_factor(t, size_of_array(a->field, d));
		text_puts(t, " + ");
	}
	poly_print(t, &at);
	if (in_parentheses)
		text_puts(t, ")");
}

/* &u[0][j], or &u[i * m + j] */
static void print_element_address(struct text *t, const struct c_access *a)
{
	const int n = a->field->n_dims;

	text_printf(t, "&%s[", c_name(a->field->decl));
	if (a->field->is_split)
		print_linear(t, a, n - 1, false);
	for (int d = 0; d < n && !a->field->is_split; d++) {
		const struct poly at = sub_in_array(a, d);

		text_puts(t, d > 0 ? "][" : "");
		poly_print(t, &at);
	}
	text_puts(t, "]");
}

/* Where these do not hold there may be no such cells. */
static void print_conditions(struct text *t, const struct stencil *s)
{
	const char *and = "";

	for (const struct c_asked *a = s->leaves.asked; a; a = a->next) {
		text_puts(t, and);
		print_asked(t, a);
		and = " && ";
	}
	if (!s->leaves.asked)
		text_puts(t, "1");
}

void print_around(struct text *t, const struct stencil *s)
{
	if (!asks_around(s))
		return;
	text_puts(t, "int ");
	print_flag(t, s);
	text_puts(t, " = ");
	print_conditions(t, s);
	text_puts(t, ";\n");
	for (const struct c_field *f = s->fields; f; f = f->next)
		for (const struct c_update *u = asked_of(f); u; u = u->next) {
			print_loops(t, s, u->place.loop);
			print_flag(t, s);
			text_puts(t, u->place.loop ? " = " : " &= ");
			text_puts(t, "!memcmp(");
			print_element_address(t, u->write);
			text_puts(t, ", ");
			print_element_address(t, u->value->access);
			text_printf(t, ", sizeof(%s));\n", c_type_of_field(f->decl));
		}
}

void ask_around(const struct stencil *s, struct c_question *q)
{
	struct text t = { 0 };

	if (!asks_around(s))
		return;
	print_flag(&t, s);
	ask_question(s, q, &t);
}
