/* The harness of a file for several ranks: rank 0 has the whole grid, scatters it, and compares
 * the gathered results with the plain loops.
 */
#include "codegen/harness-c-cells-text.h"
#include "codegen/harness-c-sized-text.h"
#include "codegen/harness-c-text.h"
#include "codegen/harness-mpi-all-text.h"
#include "codegen/harness-mpi-same-text.h"
#include "codegen/harness-mpi-text.h"
#include "codegen/host/handles.h"
#include "codegen/host/harness.h"
#include "codegen/host/mpi.h"
#include "codegen/tree/print.h"

static bool is_shared_out(const struct kunit *unit, const struct field *f)
{
	return unit->blocks->field[f->index].is_shared_out;
}

/* Variables of main(): the whole of "f", the plain loops' result, the number of the rank's
 * cells.
 */
static const char *whole_of(const struct kunit *unit, const struct field *f)
{
	return is_shared_out(unit, f) ? fresh_name(unit->mem, unit->prog,
		"%s_whole", f->name) : f->name;
}

static const char *own_count(const struct kunit *unit, const struct field *f)
{
	return is_shared_out(unit, f) ? fresh_name(unit->mem, unit->prog,
		"%s_own_count", f->name) : main_count(unit, f);
}

static const char *own_of(const struct kunit *unit, const struct field *f)
{
	(void) unit;
	return f->name;
}

static const char *plain_of(const struct kunit *unit, const struct field *f)
{
	return field_is_result(f) ? main_plain(unit, f) : whole_of(unit, f);
}

static const char *sizes_of(const struct kunit *unit, const struct field *f)
{
	return fresh_name(unit->mem, unit->prog, "%s_sizes", f->name);
}

/* const int A_sizes[] = { N, M }; */
static void print_sizes(struct text *t, const struct kunit *unit,
	const struct field *f)
{
	text_printf(t, "\tconst int %s[] = { ", sizes_of(unit, f));
	for (int d = 0; d < f->n_dims; d++) {
		text_puts(t, d ? ", " : "");
		print_size(t, unit, f->size[d]);
	}
	text_puts(t, " };\n");
}

/* NAME_mpi_FUNCTION(MPI_COMM_WORLD, params, "f" */
static void print_call_of(struct text *t, const struct kunit *unit,
	const char *function, const struct field *f)
{
	const struct program *prog = unit->prog;

	text_printf(t, "%s_mpi_%s(MPI_COMM_WORLD", prog->name, function);
	for (int i = 0; i < prog->n_args; i++)
		if (prog->arg[i].param)
			text_printf(t, ", %s", prog->arg[i].param->name);
	text_printf(t, ", \"%s\"", f->name);
}

static void print_new(struct text *t, const struct kunit *unit,
	const struct field *f, const char *name, bool is_of_rank_0)
{
	text_printf(t, "\t%s *%s = (%s *)%sharness_new(%s, %d, '%c')%s;\n",
		type_word(f->type), name, type_word(f->type), is_of_rank_0 ?
		"(harness_rank ? NULL : " : "", main_count(unit, f), f->index,
		harness_letter(f->type), is_of_rank_0 ? ")" : "");
}

/* Copy the rank's part of the whole to its own cells. */
static void print_own(struct text *t, const struct kunit *unit,
	const struct field *f)
{
	text_printf(t, "\tconst size_t %s = harness_cells(", own_count(unit, f));
	print_call_of(t, unit, "box", f);
	text_printf(t, ",\n\t\tharness_first, harness_extent), %d, %d, "
		"harness_extent);\n", field_copies(f), f->n_dims);
	text_printf(t, "\t%s *%s = (%s *)harness_new(%s, %d, '%c');\n",
		type_word(f->type), f->name, type_word(f->type),
		own_count(unit, f), f->index, harness_letter(f->type));
	text_puts(t, "\t");
	print_call_of(t, unit, "scatter", f);
	text_printf(t, ", %s, %s);\n", whole_of(unit, f), f->name);
}

/* harness_move(&harness, FOLDER, "f", .., first, extent) */
static void print_move(struct text *t, const struct kunit *unit,
	const struct field *f, bool writes)
{
	text_printf(t, "harness_move(&harness, harness_files.%s, \"%s\", %s, %s,\n"
		"\t\t\t%s, %d, %d, %s, harness_first, harness_extent)", writes ?
		"write" : "read", f->name, writes ? "true" : "false", f->name,
		mpi_word(f->type), field_copies(f), f->n_dims, sizes_of(unit,
			f));
}

/* The box that all ranks have together, or that rank 0 alone writes. */
static void print_box_of_all(struct text *t, const struct kunit *unit,
	const struct field *f, bool writes)
{
	text_printf(t, "\t\tharness_all(%s, %d, %s, harness_first, "
		"harness_extent);\n", writes ? "harness_rank == 0" : "true",
		f->n_dims, sizes_of(unit, f));
}

/* Start from files, if there are some; rank 0 gets the whole of each. */
static void print_read(struct text *t, const struct kunit *unit,
	const struct field *f)
{
	if (f->kind != FIELD_INPUT && f->kind != FIELD_STATE)
		return;
	text_puts(t, "\tif (harness_files.read) {\n");
	if (!is_shared_out(unit, f))
		print_box_of_all(t, unit, f, false);
	text_puts(t, "\t\tif (!");
	print_move(t, unit, f, false);
	text_puts(t, ")\n\t\t\treturn harness_leave(1);\n");
	if (is_shared_out(unit, f)) {
		text_puts(t, "\t\t");
		print_call_of(t, unit, "gather", f);
		text_printf(t, ", %s, %s);\n", f->name, whole_of(unit, f));
	}
	if (field_is_result(f))
		text_printf(t, "\t\tif (!harness_rank)\n\t\t\tmemcpy(%s, %s, %s * "
			"sizeof(*%s));\n", plain_of(unit, f), whole_of(unit, f),
			main_count(unit, f), f->name);
	text_puts(t, "\t}\n");
}

/* Inputs, too: a folder holds all that another run starts from. */
static void print_writes(struct text *t, const struct kunit *unit)
{
	text_puts(t, "\tif (harness_files.write && !harness.status) {\n");
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = unit->prog->field[i];

		if (!field_is_argument(f))
			continue;
		if (is_shared_out(unit, f)) {
			text_puts(t, "\t\t");
			print_call_of(t, unit, "box", f);
			text_puts(t, ", harness_first, harness_extent);\n");
		} else {
			print_box_of_all(t, unit, f, true);
		}
		text_puts(t, "\t\tharness.different += !");
		print_move(t, unit, f, true);
		text_puts(t, ";\n");
	}
	text_puts(t, "\t}\n");
}

static void print_fields(struct text *t, const struct kunit *unit)
{
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = unit->prog->field[i];

		if (!field_is_argument(f))
			continue;
		text_printf(t, "\tconst size_t %s = ", main_count(unit, f));
		print_cells(t, unit, f, field_copies(f));
		text_puts(t, ";\n");
		print_sizes(t, unit, f);
		print_new(t, unit, f, whole_of(unit, f), is_shared_out(unit,
			f));
		print_places(t, unit, f);
		if (field_is_result(f))
			print_new(t, unit, f, plain_of(unit, f), true);
		if (is_shared_out(unit, f))
			print_own(t, unit, f);
		print_read(t, unit, f);
		text_printf(t, "\t%s *%s = (%s *)harness_copy(&harness, %s, %s, "
			"'%c');\n", type_word(f->type), main_timed(unit, f),
			type_word(f->type), f->name, own_count(unit, f),
			harness_letter(f->type));
	}
}

static void print_run(struct text *t, const struct kunit *unit,
	const char *(*name)(const struct kunit *unit, const struct field *f))
{
	text_puts(t, "harness.status = ");
	if (unit->handles) {
		print_run_of_plan(t, unit, name);
		text_puts(t, ";\n");
		return;
	}
	text_printf(t, "%s_mpi(", unit->prog->name);
	print_arguments_of(t, unit, name);
	text_puts(t, ", MPI_COMM_WORLD);\n");
}

static void print_results(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (!field_is_result(f))
			continue;
		text_puts(t, "\t\t");
		if (!is_shared_out(unit, f)) {
			text_printf(t, "harness_compare_ranks(&harness, \"%s\", "
				"%s, %s * sizeof(*%s));\n", f->name, f->name,
				main_count(unit, f), f->name);
			continue;
		}
		print_call_of(t, unit, "gather", f);
		text_printf(t, ", %s, %s);\n", f->name, whole_of(unit, f));
	}
	text_printf(t, "\t\tif (!harness_rank) {\n\t\t\t%s_plain(", prog->name);
	print_arguments_of(t, unit, plain_of);
	text_puts(t, ");\n");
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (field_is_result(f))
			text_printf(t, "\t\t\tharness_compare(&harness, \"%s\", "
				"%s, %s, %s, '%c');\n", f->name, whole_of(unit,
				f), plain_of(unit, f), main_count(unit, f),
				harness_letter(f->type));
	}
	text_printf(t, "\t\t\tharness_say(&harness, \"%s\");\n\t\t}\n",
		prog->name);
}

static void print_frees(struct text *t, const struct kunit *unit)
{
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = unit->prog->field[i];

		if (!field_is_argument(f))
			continue;
		text_printf(t, "\tfree(%s);\n\tfree(%s);\n", main_timed(unit, f),
			f->name);
		if (is_shared_out(unit, f))
			text_printf(t, "\tfree(%s);\n", whole_of(unit, f));
		if (field_is_result(f))
			text_printf(t, "\tfree(%s);\n", plain_of(unit, f));
	}
}

static void print_body(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	text_puts(t, "\tint harness_first[8], harness_extent[8];\n");
	print_fields(t, unit);
	if (unit->handles)
		print_timed_plan(t, unit);
	text_puts(t, "\n\twhile (harness_starts(&harness, &harness_clock)) {\n"
		"\t\tMPI_Barrier(MPI_COMM_WORLD);\n\t\t");
	print_run(t, unit, main_timed);
	text_puts(t, "\t\tharness_stop(&harness, &harness_clock);\n\t}\n"
		"\tif ((harness.check || harness_files.write) && !harness.status)\n"
		"\t\t");
	print_run(t, unit, own_of);
	text_puts(t, "\tif (harness.status) {\n");
	print_run_error(t, unit->prog, style);
	text_puts(t, "\t} else if (harness.check) {\n");
	print_results(t, unit);
	text_puts(t, "\t}\n");
	print_writes(t, unit);
	if (unit->handles)
		print_timed_end(t, unit);
	text_puts(t, "\tif (harness_rank)\n\t\tharness.seconds = 0;\n");
	print_speed(t, unit);
	print_frees(t, unit);
}

/* How main() begins; on a GPU each rank chooses a device here. */
#define START "\tconst int harness_rank = harness_start(&argc, &argv);\n" \
	"\tconst struct harness_files harness_files = " \
		"harness_take_files(&argc, argv);\n\n" \
	"\tharness.silent = harness_rank > 0;\n"

/* Do all ranks have a field whole, a result if "is_result"? */
static bool has_whole(const struct kunit *unit, bool is_result)
{
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = unit->prog->field[i];

		if (field_is_argument(f) && !is_shared_out(unit, f) &&
		    (!is_result || field_is_result(f)))
			return true;
	}
	return false;
}

void print_harness_of_ranks(struct text *t, const struct kunit *unit,
	const struct lines *own)
{
	struct main_style style = {
		.cells = { harness_c_cells_text, HARNESS_C_CELLS_LINES },
		.sized = { harness_c_sized_text, HARNESS_C_SIZED_LINES },
		.rest = { { harness_c_text, HARNESS_C_LINES },
			{ harness_mpi_text, HARNESS_MPI_LINES } }, .call = "",
		.start = START, .leave = "harness_leave", .body = print_body,
	};
	struct lines *rest = &style.rest[2];

	if (has_whole(unit, false))
		*rest++ = (struct lines) { harness_mpi_all_text,
			HARNESS_MPI_ALL_LINES };
	if (has_whole(unit, true))
		*rest++ = (struct lines) { harness_mpi_same_text,
			HARNESS_MPI_SAME_LINES };
	if (own) {
		*rest = *own;
		style.start = START "\tif (!harness_choose_device())\n"
			"\t\tMPI_Abort(MPI_COMM_WORLD, 1);\n";
	}
	print_main(t, unit, &style);
}
