/* The targets: a row each. */
#include <string.h>

#include "codegen/kernel.h"
#include "codegen/tree/print.h"

const struct target targets[N_TARGETS] = {
#define TARGET(id, called, in, ends, machine, ...) \
	[TARGET_##id] = { \
		.name = #called, .language = in, .suffix = ends, \
		.arch = machine, .print = print_##called, \
		.spelling = &spelling_##called, __VA_ARGS__ \
	},
#include "codegen/tree/targets.def"
#undef TARGET
};

const char target_names[] =
#define TARGET(id, name, ...) "|" #name
#include "codegen/tree/targets.def"
#undef TARGET
	;

const char target_suffixes[] =
#define TARGET(id, name, language, suffix, ...) " " suffix " of " language ","
#include "codegen/tree/targets.def"
#undef TARGET
	;

const char target_machines[] = "the machine to compute sizes for\nby default"
#define TARGET(id, name, language, suffix, arch, ...) \
	", for " language " " arch
#include "codegen/tree/targets.def"
#undef TARGET
	;

/* Append "from" with four columns for each leading tab; move the spans of
 * "from" to "t".
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
		target->print_harness(&all, target->spelling, unit);
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
