/* Arrays whose rows are behind pointers, as double **A.  The function that is called copies them to an array
 * of its own, and back.  The emitted file asks whether each row lies behind the one before, so that no cell
 * is in two of them, and runs the loops as they are where one does not.
 */
#include "frontend/c/ghost.h"
#include "frontend/c/passes.h"

void find_rows(struct stencil *s)
{
	for (struct c_field *f = s->fields; f; f = f->next) {
		struct c_ghosts *ghosts;

		if (!f->decl->has_rows || f->local)
			continue;
		ghosts = region_new_of(s->mem, struct c_ghosts);
		if (f->ghosts)
			*ghosts = *f->ghosts;
		ghosts->has_rows = true;
		f->ghosts = ghosts;
	}
}

/* 8LL * m */
static void print_row_bytes(struct text *t, const struct c_field *f)
{
	text_printf(t, "%dLL", type_size(c_stored_type(f->decl->type)));
	poly_print_factor(t, size_of_array(f, 1));
}

void print_rows_question(struct text *t, const struct c_field *f)
{
	text_printf(t, "stencilc_rows((const void *const *) %s, ",
		c_name(f->decl));
	poly_print(t, size_of_array(f, 0));
	text_puts(t, ", ");
	print_row_bytes(t, f);
	text_puts(t, ")");
}

/* From the first row to the end of the last one, as rows follow each other. */
void print_rows_range(struct text *t, const struct c_field *f)
{
	const char *name = c_name(f->decl);

	text_printf(t, "%s[0], (const char *) %s[", name, name);
	poly_print(t, size_of_array(f, 0));
	text_printf(t, " - 1] - (const char *) %s[0] + ", name);
	print_row_bytes(t, f);
}

static bool has_rows(const struct stencil *s)
{
	const struct c_field *f = s->fields;

	while (f && !f->decl->has_rows)
		f = f->next;
	return f;
}

void print_rows_function(struct text *t, const struct c_program *programs)
{
	if (some_stencil(programs, has_rows))
		text_puts(t, "/* Does each of \"n\" rows of so many bytes lie "
			"behind the one before? */\n"
			"static inline int stencilc_rows(const void *const *row, "
			"long long n, long long bytes)\n{\n"
			"\tfor (long long i = 1; i < n; i++)\n"
			"\t\tif ((const char *) row[i] < (const char *) row[i - 1] "
			"+ bytes)\n\t\t\treturn 0;\n"
			"\treturn n > 0;\n}\n\n");
}

bool copies_arrays(const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->ghosts && f->ghosts->has_rows)
			return true;
	return has_mirrors(s);
}
