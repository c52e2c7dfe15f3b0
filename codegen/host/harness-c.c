/* How the harness of a C file differs from others. */
#include <string.h>

#include "codegen/harness-c-cells-text.h"
#include "codegen/harness-c-sized-text.h"
#include "codegen/harness-c-text.h"
#include "codegen/host/handles.h"
#include "codegen/host/harness.h"
#include "codegen/tree/print.h"
#include "ir/components.h"

/* Is there a function that takes memory from the caller? */
static bool takes_memory(const struct kunit *unit)
{
	const char *name = region_printf(unit->mem, "%s_with_memory",
		unit->prog->name);

	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (f->is_exported && !strcmp(f->name, name))
			return true;
	return false;
}

char harness_letter(enum type type)
{
	static const char letter[TYPES] = {
		[TYPE_CHAR] = 'c', [TYPE_UCHAR] = 'C', [TYPE_SHORT] = 's',
		[TYPE_USHORT] = 'S', [TYPE_INT] = 'i', [TYPE_UNSIGNED] = 'I',
		[TYPE_LONG] = 'l', [TYPE_ULONG] = 'L', [TYPE_HALF] = 'h',
		[TYPE_BFLOAT] = 'b', [TYPE_FLOAT] = 'f', [TYPE_DOUBLE] = 'd',
	};

	return letter[type];
}

static void declare_data(struct text *t, const struct kunit *unit,
	const struct field *f, const char *name, const char *count)
{
	(void) unit;
	text_printf(t, "\t%s *%s = harness_new(%s, %d, '%c');\n",
		type_word(f->type), name, count, f->index, harness_letter(f->type));
}

static void compare_data(struct text *t, const struct field *f,
	const char *plain, const char *count)
{
	text_printf(t, "\t\tharness_compare(&harness, \"%s\", %s, %s, %s, "
		"'%c');\n", f->name, f->name, plain, count, harness_letter(f->type));
}

/* Does a variable of main() hide the function? */
static bool is_hidden(const struct program *prog)
{
	for (int i = 0; i < prog->n_params; i++)
		if (!strcmp(prog->param[i]->name, prog->name))
			return true;
	for (int i = 0; i < prog->n_fields; i++)
		if (!strcmp(prog->field[i]->name, prog->name) ||
		    (prog->field[i]->whole &&
		     !strcmp(prog->field[i]->whole->name, prog->name)))
			return true;
	return false;
}

/* A prefix for functions that a variable of main() may hide. */
static const char *call_prefix(const struct program *prog)
{
	return is_hidden(prog) ? "call_" : "";
}

static const char *name_of(const struct param *p)
{
	return p->name;
}

static const char *type_of(const struct param *p)
{
	return type_word(p->type);
}

static void print_params(struct text *t, const struct program *prog,
	const char *(*word)(const struct param *p), const char *none)
{
	const char *comma = "";

	for (int i = 0; i < prog->n_args; i++) {
		if (!prog->arg[i].param)
			continue;
		text_printf(t, "%s%s", comma, word(prog->arg[i].param));
		comma = ", ";
	}
	text_puts(t, *comma ? "" : none);
}

/* Memory for all runs: allocating it is not timed. */
static void print_memory(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;

	text_printf(t, "\tconst size_t harness_bytes = harness.repeat > 0 ? "
		"%s%s_memory(", call_prefix(prog), prog->name);
	print_params(t, prog, name_of, "");
	text_puts(t, ") : 0;\n"
		"\tvoid *const harness_memory = harness_bytes ?\n"
		"\t\tstencilc_memory(harness_bytes) : NULL;\n\n"
		"\tif (harness_bytes && !harness_memory)\n"
		"\t\tharness.status = -3;\n");
}

/* Time "repeat" runs on copies of the fields; the best one counts. */
static void print_timing(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;
	bool has_sizes = unit_choice(unit) != NULL;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = field_begins(prog->field[i]);

		if (!f || !field_is_argument(f))
			continue;
		text_printf(t, "\t%s *%s = harness_copy(&harness, %s, %s, "
			"'%c');\n", type_word(f->type), main_timed(unit, f),
			f->name, main_count(unit, f), harness_letter(f->type));
	}
	if (unit->handles) {
		print_timed_plan(t, unit);
		text_puts(t, "\twhile (harness_starts(&harness, "
			"&harness_clock)) {\n\t\tharness.status = ");
		print_timed_run(t, unit);
		text_puts(t, ";\n\t\tharness_stop(&harness, &harness_clock);"
			"\n\t}\n");
		print_timed_end(t, unit);
		return;
	}
	if (takes_memory(unit))
		print_memory(t, unit);
	text_puts(t, "\n\twhile (harness_starts(&harness, &harness_clock)) {"
		"\n\t\tharness.status = ");
	text_printf(t, "%s%s%s(", has_sizes ? "" : call_prefix(prog), prog->name,
		has_sizes ? "_with_sizes" : takes_memory(unit) ?
		"_with_memory" : "");
	print_arguments_of(t, unit, main_timed);
	text_printf(t, "%s%s);\n\t\tharness_stop(&harness, &harness_clock);"
		"\n\t}\n%s", takes_memory(unit) ? ", harness_memory" : "",
		has_sizes ? ", &harness_sizes" : "", takes_memory(unit) ?
		"\tfree(harness_memory);\n" : "");
}

static void print_types(struct text *t, const struct program *prog)
{
	for (int i = 0; i < prog->n_args; i++) {
		const struct field *f = prog->arg[i].field;

		text_printf(t, "%s%s%s%s", i ? ", " : "",
			f && f->kind == FIELD_INPUT ? "const " : "",
			type_word(f ? f->type : prog->arg[i].param->type),
			f ? " *" : "");
	}
}

static void print_memory_pointers(struct text *t, const struct program *prog)
{
	text_printf(t, "static int (*const call_%s_with_memory)(", prog->name);
	print_types(t, prog);
	text_printf(t, ", void *) = %s_with_memory;\n"
		"static size_t (*const call_%s_memory)(", prog->name,
		prog->name);
	print_params(t, prog, type_of, "void");
	text_printf(t, ") = %s_memory;\n", prog->name);
}

/* Function names that nothing hides. */
static void print_pointers(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;

	if (takes_memory(unit) && !unit->handles)
		print_memory_pointers(t, prog);
	if (!unit->handles) {
		text_printf(t, "static int (*const call_%s)(", prog->name);
		print_types(t, prog);
		text_printf(t, ") = %s;\n", prog->name);
	}
	text_printf(t, "static void (*const call_%s_plain)(", prog->name);
	print_types(t, prog);
	text_printf(t, ") = %s_plain;\nstatic const char *(*const "
		"call_%s_strerror)(int) = %s_strerror;\n\n", prog->name,
		prog->name, prog->name);
}

static const struct main_style style = {
	.cells = { harness_c_cells_text, HARNESS_C_CELLS_LINES },
	.sized = { harness_c_sized_text, HARNESS_C_SIZED_LINES },
	.rest = { { harness_c_text, HARNESS_C_LINES } }, .call = "",
	.declare = declare_data, .timing = print_timing,
	.compare = compare_data, .free_timed = { "", "free(" },
};

void print_c_harness(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	struct main_style own = style;

	(void) say;
	if (unit->blocks) {
		print_harness_of_ranks(t, unit, NULL);
		return;
	}
	if (is_hidden(unit->prog)) {
		print_pointers(t, unit);
		own.call = call_prefix(unit->prog);
	}
	print_main(t, unit, &own);
}
