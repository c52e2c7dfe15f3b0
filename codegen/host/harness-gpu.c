/* What the harnesses of files for GPUs share. */
#include <string.h>

#include "codegen/harness-gpu-sized-text.h"
#include "codegen/harness-gpu-text.h"
#include "codegen/host/handles.h"
#include "codegen/host/harness.h"
#include "ir/components.h"

static void declare_data(struct text *t, const struct kunit *unit,
	const struct field *f, const char *name, const char *count)
{
	const char *type = type_word(f->type);

	(void) unit;
	text_printf(t, "\t%s *%s = harness_new<%s>(%s, %d);\n", type, name,
		type, count, f->index);
}

static void compare_data(struct text *t, const struct field *f,
	const char *plain, const char *count)
{
	text_printf(t, "\t\tharness_compare(&harness, \"%s\", %s, %s, %s);\n",
		f->name, f->name, plain, count);
}

/* Time "repeat" runs on device memory; the best one counts. */
static void print_timing(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = field_begins(prog->field[i]);

		if (f && field_is_argument(f))
			text_printf(t, "\t%s *%s = NULL;\n",
				type_word(f->type), main_timed(unit, f));
	}
	text_puts(t, "\n");
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = field_begins(prog->field[i]);

		if (f && field_is_argument(f))
			text_printf(t, "\tharness_to_device(&harness, &%s, "
				"%s, %s);\n", main_timed(unit, f), f->name,
				main_count(unit, f));
	}
	if (unit->handles)
		print_timed_plan(t, unit);
	text_puts(t, "\twhile (harness_starts(&harness, &harness_clock)) {\n"
		"\t\tharness.status =\n\t\t\t");
	if (unit->handles) {
		print_timed_run(t, unit);
	} else {
		text_printf(t, "::%s_device(", prog->name);
		print_arguments_of(t, unit, main_timed);
		text_puts(t, ", 0)");
	}
	text_puts(t, ";\n\t\tharness_stop(&harness, &harness_clock);\n\t}\n");
	if (unit->handles)
		print_timed_end(t, unit);
}

void print_gpu_harness(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	const struct main_style style = {
		.cells = { harness_gpu_text, HARNESS_GPU_LINES },
		.sized = { harness_gpu_sized_text, HARNESS_GPU_SIZED_LINES },
		.rest = { say->harness }, .call = "::",
		.declare = declare_data, .timing = print_timing,
		.compare = compare_data, .free_timed = { say->dropped,
			say->builtin[RT_FREE] },
	};

	if (unit->blocks)
		print_harness_of_ranks(t, unit, &say->harness_of_ranks);
	else
		print_main(t, unit, &style);
}
