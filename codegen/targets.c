/* The targets: a row each. */
#include <string.h>

#include "codegen/kernel.h"
#include "codegen/tree/print.h"

const struct target targets[N_TARGETS] = {
	[TARGET_CUDA] = {
		.name = "cuda", .language = "CUDA", .suffix = ".cu",
		.arch = "h200", .copies_ahead = true, .unit = codegen_unit,
		.print = print_cuda, .print_harness = print_cuda_harness,
		.print_end = print_end_of_gpu, .spelling = &spelling_cuda,
	},
	[TARGET_HIP] = {
		.name = "hip", .language = "HIP", .suffix = ".hip.cpp",
		.arch = "mi300x", .has_wide_warps = true,
		.unit = codegen_unit_asking, .print = print_hip,
		.print_harness = print_hip_harness,
		.print_end = print_end_of_gpu, .spelling = &spelling_hip,
	},
	[TARGET_C] = {
		.name = "c", .language = "C", .suffix = ".c",
		.arch = "host", .for_cpu = true, .unit = cpu_unit,
		.print = print_c, .print_harness = print_c_harness,
		.spelling = &spelling_c,
	},
};

/* Append "from" with four columns for each tab that a line starts with; the
 * spans of "t" are those of "from", and move.
 */
static void append_indented(struct text *t, const char *from)
{
	const char *start = from;
	int span = 0;

	while (*from) {
		size_t tabs = strspn(from, "\t");
		size_t length = strcspn(from, "\n");

		text_printf(t, "%*s%.*s\n", (int) (4 * tabs), "",
			(int) (length - tabs), from + tabs);
		span = text_move_spans(t, span,
			(size_t) (from + length - start),
			(long) t->length - 1 - (from + length - start));
		from += length + 1;
	}
}

void target_print(struct text *t, const struct target *target,
	const struct kunit *unit)
{
	struct text all = { .marks = t->marks };

	target->print(&all, unit);
	if (unit->harness) {
		text_puts(&all, "\n");
		target->print_harness(&all, unit);
	}
	if (target->print_end)
		target->print_end(&all, unit);
	append_indented(t, all.bytes);
	text_free(&all);
}

void target_dump(struct text *t, const struct target *target,
	const struct kunit *unit)
{
	kunit_print(t, target->spelling, unit);
}
