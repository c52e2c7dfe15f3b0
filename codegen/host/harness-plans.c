/* Plans in the harness, see handles.h: what is compared and timed is a run of one. */
#include "codegen/host/handles.h"
#include "codegen/host/harness.h"
#include "codegen/tree/print.h"

/* ", " and the name of each argument of that kind. */
static void print_names(struct text *t, const struct kunit *unit,
	enum of_plan which, const char *(*field)(const struct kunit *unit,
		const struct field *f))
{
	for (int i = 0; i < unit->prog->n_args; i++) {
		const struct argument *arg = &unit->prog->arg[i];

		if (is_of_plan(unit, arg, which))
			text_printf(t, ", %s", arg->param ? arg->param->name :
				field(unit, arg->field));
	}
}

/* NAME_planned ----------------------------------------------------------------- */

static const char *copy_of(const struct kunit *unit, const struct field *f)
{
	return fresh_name(unit->mem, unit->prog, "%s_of_plan", f->name);
}

static void print_head(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	const struct program *prog = unit->prog;

	text_printf(t, "\n/* %s() by a plan%s. */\nstatic int %s_planned(",
		prog->name, say->api ? ", whose last run is that of a graph" :
		", which has run before", prog->name);
	for (int i = 0; i < prog->n_args; i++) {
		const struct argument *arg = &prog->arg[i];

		text_puts(t, i ? ", " : "");
		print_declarator(t, say, arg->param ? ctype_of(
			arg->param->type) : ctype_pointer(scalar_of(
			arg->field->type), arg->field->kind == FIELD_INPUT),
			arg->param ? arg->param->name : arg->field->name);
	}
	text_puts(t, ")\n{\n");
}

static void print_bytes(struct text *t, const struct kunit *unit,
	const struct field *f)
{
	print_cells(t, unit, f, field_copies(f));
	text_printf(t, " * sizeof(%s)", type_name(f->type));
}

/* Fetch what the fields hold to the copies, or what the copies of results hold. */
static void print_copied(struct text *t, const struct kunit *unit,
	const char *api, bool back)
{
	const char *indent = back ? "\t" : "\t\t";

	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = field_begins(unit->prog->field[i]);

		if (!f || !(back ? field_is_result(f) : field_is_argument(f)))
			continue;
		text_printf(t, "%sif (!harness_status)\n%s\tharness_status = "
			"(int)%sMemcpy(%s, %s,\n%s\t\t", indent, indent, api,
			back ? f->name : copy_of(unit, f),
			back ? copy_of(unit, f) : f->name, indent);
		print_bytes(t, unit, f);
		text_printf(t, ",\n%s\t\t%sMemcpy%s);\n", indent, api, back ?
			"DeviceToHost" : "HostToDevice");
	}
}

static void print_allocated(struct text *t, const struct kunit *unit,
	const char *api)
{
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = field_begins(unit->prog->field[i]);

		if (!f || !field_is_argument(f))
			continue;
		text_printf(t, "\tif (!harness_status)\n\t\tharness_status = "
			"(int)%sMalloc((void **)&%s,\n\t\t\t16 + ", api,
			copy_of(unit, f));
		print_bytes(t, unit, f);
		text_puts(t, ");\n");
	}
}

static void print_copies(struct text *t, const struct kunit *unit)
{
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = field_begins(unit->prog->field[i]);

		if (f && field_is_argument(f))
			text_printf(t, "\t%s *%s = NULL;\n", type_name(f->type),
				copy_of(unit, f));
	}
}

static void print_freed(struct text *t, const struct kunit *unit,
	const char *call)
{
	text_printf(t, "\t%s_destroy(harness_plan);\n", unit->prog->name);
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = field_begins(unit->prog->field[i]);

		if (f && field_is_argument(f))
			text_printf(t, "\t%s(%s);\n", call, copy_of(unit, f));
	}
	text_puts(t, "\treturn harness_status;\n}\n");
}

static void print_created(struct text *t, const struct kunit *unit,
	const char *status)
{
	text_printf(t, "%s_create(&harness_plan", unit->prog->name);
	print_names(t, unit, SIZES, NULL);
	text_printf(t, ")%s", status);
}

/* Three runs of the same arguments: the second makes a graph. */
static void print_planned_of_gpu(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	const char *api = say->api;

	print_allocated(t, unit, api);
	text_puts(t, "\tfor (int harness_i = 0; harness_i < 3; ++harness_i) "
		"{\n");
	print_copied(t, unit, api, false);
	text_printf(t, "\t\tif (!harness_status)\n\t\t\tharness_status = "
		"%s_run(harness_plan", unit->prog->name);
	print_names(t, unit, BOUNDS, NULL);
	print_names(t, unit, FIELDS, copy_of);
	text_printf(t, ", 0);\n\t}\n\tif (!harness_status)\n"
		"\t\tharness_status = (int)%sDeviceSynchronize();\n", api);
	print_copied(t, unit, api, true);
	print_freed(t, unit, region_printf(unit->mem, "%sFree", api));
}

/* On copies, then on the arrays themselves. */
static void print_planned_of_c(struct text *t, const struct kunit *unit)
{
	const char *self = unit->prog->name;

	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = field_begins(unit->prog->field[i]);

		if (!f || !field_is_argument(f))
			continue;
		text_printf(t, "\tif (!harness_status &&\n\t    !(%s = "
			"harness_copied(%s,\n\t\t\t", copy_of(unit, f), f->name);
		print_bytes(t, unit, f);
		text_puts(t, ")))\n\t\tharness_status = -3;\n");
	}
	text_printf(t, "\tif (!harness_status)\n\t\tharness_status = %s_run("
		"harness_plan", self);
	print_names(t, unit, BOUNDS, NULL);
	print_names(t, unit, FIELDS, copy_of);
	text_printf(t, ");\n\tif (!harness_status)\n\t\tharness_status = "
		"%s_run(harness_plan", self);
	for (int i = 0; i < unit->prog->n_args; i++) {
		const struct argument *arg = &unit->prog->arg[i];

		if (is_of_plan(unit, arg, BOUNDS))
			text_printf(t, ", %s", arg->param->name);
	}
	for (int i = 0; i < unit->prog->n_args; i++)
		if (unit->prog->arg[i].field)
			text_printf(t, ", %s", unit->prog->arg[i].field->name);
	text_puts(t, ");\n");
	print_freed(t, unit, "free");
}

void print_planned(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	const char *self = unit->prog->name;

	if (!say->api)
		text_puts(t, "\nstatic void *harness_copied(const void *from, "
			"size_t bytes)\n{\n\tvoid *const copy = malloc(bytes + "
			"1);\n\n\tif (copy && bytes > 0)\n\t\tmemcpy(copy, "
			"from, bytes);\n\treturn copy;\n}\n");
	print_head(t, say, unit);
	text_printf(t, "\t%s_plan *harness_plan = NULL;\n", self);
	print_copies(t, unit);
	text_puts(t, "\tint harness_status = ");
	print_created(t, unit, ";\n\n");
	if (say->api)
		print_planned_of_gpu(t, say, unit);
	else
		print_planned_of_c(t, unit);
}

/* In main ------------------------------------------------------------------------ */

void print_timed_plan(struct text *t, const struct kunit *unit)
{
	text_printf(t, "\t%s_plan *harness_plan = NULL;\n\n"
		"\tif (harness.repeat > 0 && !harness.status)\n"
		"\t\tharness.status = ", unit->prog->name);
	print_created(t, unit, ";\n");
}

void print_timed_run(struct text *t, const struct kunit *unit,
	const char *call, const char *end)
{
	text_printf(t, "%s%s_run(harness_plan", call, unit->prog->name);
	print_names(t, unit, BOUNDS, NULL);
	print_names(t, unit, FIELDS, main_timed);
	text_printf(t, "%s)", end);
}

void print_timed_end(struct text *t, const struct kunit *unit)
{
	text_printf(t, "\t%s_destroy(harness_plan);\n", unit->prog->name);
}
