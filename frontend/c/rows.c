/* Arrays whose rows are behind pointers, as double **A.  The function that is called copies them to an array
 * of its own, and back.  The emitted file asks whether each row lies behind the one before, so that no cell
 * is in two of them, and runs the loops as they are where one does not.
 */
#include "frontend/c/ghost.h"
#include "frontend/c/layer.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/set.h>

/* Can "first" not be negative, as the emitted file asks if need be? */
static bool may_begin_at(struct stencil *s, const struct poly *first)
{
	const struct c_place in_step = { .phase = 0 };
	int64_t number;

	if (poly_is_constant(first, &number))
		return number >= 0;
	return ask_for_rows(s, isl_set_params(isl_pw_aff_nonneg_set(place_poly(s, &in_step, first))));
}

/* Rows of which the region uses none may be no memory, as A[0] of those that count from 1. */
static void find_first_cells(struct stencil *s, const struct c_field *f, struct c_ghosts *ghosts)
{
	isl_set *cells = is_read_at_places(s, f) ? NULL : cells_used(s, f);

	for (int d = 0; d < f->n_dims && cells; d++) {
		const bool is_layer = ghosts->layers && ghosts->layers->along == d;
		struct cells_end first = { .dim = d };

		if (!is_layer && end_of_cells(s, cells, &first) && may_begin_at(s, &first.cell))
			ghosts->first[d] = first.cell;
		isl_set_free(first.other);
	}
	isl_set_free(cells);
}

void find_rows(struct stencil *s)
{
	keep_cells(s);
	for (struct c_field *f = s->fields; f; f = f->next) {
		struct c_ghosts *ghosts;

		if (!f->decl->has_rows || f->local)
			continue;
		ghosts = region_new_of(s->mem, struct c_ghosts);
		if (f->ghosts)
			*ghosts = *f->ghosts;
		ghosts->has_rows = true;
		find_first_cells(s, f, ghosts);
		f->ghosts = ghosts;
	}
	forget_cells(s);
}

/* 8LL * (m - 1): of the cells of a row that the region uses */
static void print_row_bytes(struct text *t, const struct c_field *f)
{
	struct poly cells = *size_of_array(f, 1);

	poly_add(&cells, &f->ghosts->first[1], -1);
	text_printf(t, "%dLL", type_size(c_stored_type(f->decl->type)));
	poly_print_factor(t, &cells);
}

void print_rows_question(struct text *t, const struct c_field *f)
{
	text_printf(t, "stencilc_rows((const void *const *) %s, ",
		c_name(f->decl));
	poly_print(t, &f->ghosts->first[0]);
	text_puts(t, ", ");
	poly_print(t, size_of_array(f, 0));
	text_puts(t, ", ");
	print_row_bytes(t, f);
	text_puts(t, ")");
}

/* (const char *) &A[n - 1][1] */
static void print_row_start(struct text *t, const struct c_field *f, const struct poly *row)
{
	text_printf(t, "(const char *) &%s[", c_name(f->decl));
	poly_print(t, row);
	text_puts(t, "][");
	poly_print(t, &f->ghosts->first[1]);
	text_puts(t, "]");
}

void print_rows_range(struct text *t, const struct c_field *f)
{
	const struct poly one = poly_constant(1);
	struct poly last = *size_of_array(f, 0);

	poly_add(&last, &one, -1);
	print_row_start(t, f, &f->ghosts->first[0]);
	text_puts(t, ", ");
	print_row_start(t, f, &last);
	text_puts(t, " - ");
	print_row_start(t, f, &f->ghosts->first[0]);
	text_puts(t, " + ");
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
		text_puts(t, "/* Does each row from \"first\" to \"end\", of so many bytes, lie "
			"behind the one before? */\n"
			"static inline int stencilc_rows(const void *const *row, "
			"long long first, long long end, long long bytes)\n{\n"
			"\tfor (long long i = first + 1; i < end; i++)\n"
			"\t\tif ((const char *) row[i] < (const char *) row[i - 1] "
			"+ bytes)\n\t\t\treturn 0;\n"
			"\treturn first < end && row[first];\n}\n\n");
}

bool copies_arrays(const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->ghosts && (f->ghosts->has_rows || f->ghosts->layers))
			return true;
	return has_mirrors(s);
}
