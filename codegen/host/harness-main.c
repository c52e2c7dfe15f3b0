/* The harness's main(), and other text that the printers of C and CUDA share. */
#include <ctype.h>
#include <string.h>

#include "ir/components.h"
#include "ir/waves.h"
#include "codegen/harness-text.h"
#include "codegen/host/handles.h"
#include "codegen/host/harness.h"
#include "codegen/tree/print.h"

static double default_of_param(const struct kunit *unit,
	const struct param *p)
{
	static const int size[] = { 2000, 2000, 130, 36, 16 };
	const struct program *prog = program_written(unit->prog);
	int dims = unit->scop->n_dims < 4 ? unit->scop->n_dims : 4;

	if (p->type != TYPE_INT)
		return 0.1;
	if (prog->timed && (expr_uses(program_end(prog), p) ||
	    expr_uses(program_begin(prog), p)))
		return 20;
	return size[dims];
}

/* Do "sizes" hold parameters with this value at "pos"? */
static bool can_be(__isl_keep isl_set *sizes, int pos, int value)
{
	isl_set *set = isl_set_fix_si(isl_set_copy(sizes), isl_dim_param,
		(unsigned) pos, value);
	bool empty = isl_set_is_empty(set) != isl_bool_false;

	isl_set_free(set);
	return !empty;
}

/* The value nearest to "wanted" with which the program can run, given the
 * values chosen before in "sizes"; "wanted" if no near value works.
 */
static int possible_value(__isl_keep isl_set *sizes, int pos, int wanted)
{
	enum { NEAR = 512 };

	for (int i = 0; i < NEAR; i++) {
		if (can_be(sizes, pos, wanted + i))
			return wanted + i;
		if (can_be(sizes, pos, wanted - i))
			return wanted - i;
	}
	return wanted;
}

/* A default for "p", added to "sizes". */
static double choose_default(const struct kunit *unit, const struct param *p,
	isl_set **sizes)
{
	double wanted = default_of_param(unit, p);
	int pos, value;

	if (p->type != TYPE_INT)
		return wanted;
	pos = isl_set_find_dim_by_name(*sizes, isl_dim_param, p->name);
	value = possible_value(*sizes, pos, (int) wanted);
	*sizes = isl_set_fix_si(*sizes, isl_dim_param, (unsigned) pos, value);
	return value;
}

/* The tolerance, relative to a value, for programs that round otherwise: far more than the last
 * bits of some tens of steps.
 */
static double default_tolerance(const struct program *prog)
{
	if (!prog->reassociated && !prog->fast_roots)
		return 0;
	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->type == TYPE_FLOAT)
			return 1e-4;
	return 1e-12;
}

/* Tile sizes that are arguments: w0 .. by dimension. */
static int sizes_of_tiles(const struct kunit *unit)
{
	return unit_choice(unit) && !unit->handles ? unit->scop->n_dims : 0;
}

static int print_sizes_arguments(struct text *t, const struct kunit *unit)
{
	int n = sizes_of_tiles(unit);

	if (unit_has_variants(unit)) {
		text_puts(t, "\t\t{ \"tile-variant\", -1, true },\n");
		if (unit_has_width(unit))
			text_printf(t, "\t\t{ \"tile-w%d\", -1, true },\n",
				unit->scop->n_dims - 1);
		if (!unit_has_length(unit))
			return unit_has_width(unit) ? 2 : 1;
		text_puts(t, "\t\t{ \"tile-l\", -1, true },\n"
			"\t\t{ \"tile-warps\", -1, true },\n");
		return 3;
	}
	if (n > 0)
		text_puts(t, "\t\t{ \"tile-h\", -1, true },\n");
	for (int i = 0; i < n; i++)
		text_printf(t, "\t\t{ \"tile-w%d\", -1, true },\n", i);
	return n > 0 ? n + 1 : 0;
}

/* Call NAME_choose() for the machine at hand. */
static void print_choose(struct text *t, const struct kunit *unit,
	const char *machine, const char *result)
{
	text_printf(t, "\tharness.status = %s_choose(%s, ", unit->prog->name,
		machine);
	for (int i = 0; i < unit->prog->n_args; i++)
		if (unit->prog->arg[i].param)
			text_printf(t, "%s, ", unit->prog->arg[i].param->name);
	text_printf(t, "&%s);\n", result);
}

static void print_variant(struct text *t, const struct kunit *unit, int argument)
{
	const bool length = unit_has_length(unit);

	text_printf(t, "\tharness_variant = (int)harness_arguments[%d].value;\n",
		argument);
	if (length)
		text_printf(t, "\tharness_length = "
			"(int)harness_arguments[%d].value;\n\tharness_warps = "
			"(int)harness_arguments[%d].value;\n", argument + 1,
			argument + 2);
	if (unit_has_width(unit)) {
		text_printf(t, "\tharness_width = "
			"(int)harness_arguments[%d].value;\n", argument + 1);
		print_choose(t, unit, "0", "harness_variant, &harness_width");
		text_printf(t, "\tprintf(\"%s: variant %%d, w%d=%%d\\n\", "
			"harness_variant, harness_width);\n\n",
			unit->prog->name, unit->scop->n_dims - 1);
		return;
	}
	print_choose(t, unit, "0", length ? "harness_variant, &harness_length, "
		"&harness_warps" : "harness_variant");
	text_printf(t, length ? "\tprintf(\"%s: variant %%d, l=%%d, %%d warps\\n\", "
		"harness_variant, harness_length, harness_warps);\n\n" :
		"\tprintf(\"%s: variant %%d\\n\", harness_variant);\n\n",
		unit->prog->name);
}

/* The chosen sizes, unless arguments from "first" on give others. */
static void print_sizes(struct text *t, const struct kunit *unit, int first)
{
	const char *name = unit->prog->name;
	int n = sizes_of_tiles(unit);

	if (unit_has_variants(unit))
		print_variant(t, unit, first);
	if (n == 0)
		return;
	print_choose(t, unit, "NULL", "harness_sizes");
	text_printf(t, "\tif (harness_arguments[%d].value >= 0)\n"
		"\t\tharness_sizes.h = (int)harness_arguments[%d].value;\n"
		"\tfor (int i = 0; i < %d; ++i)\n"
		"\t\tif (harness_arguments[%d + i].value >= 0)\n"
		"\t\t\tharness_sizes.w[i] = (int)harness_arguments[%d + i].value;"
		"\n\tprintf(\"%s: tiles h=%%d\", harness_sizes.h);\n"
		"\tfor (int i = 0; i < %d; ++i)\n"
		"\t\tprintf(\",w%%d=%%d\", i, harness_sizes.w[i]);\n"
		"\tprintf(\"\\n\");\n\n", first, first, n, first + 1, first + 1,
		name, n);
}

static int print_argument_table(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;
	isl_set *sizes = isl_set_copy(unit->scop->context);
	int n = 0;

	text_puts(t, "\tstruct harness_argument harness_arguments[] = {\n");
	for (int i = 0; i < prog->n_args; i++) {
		const struct param *p = prog->arg[i].param;

		if (!p)
			continue;
		text_printf(t, "\t\t{ \"%s\", %g, %s },\n", p->name,
			choose_default(unit, p, &sizes),
			p->type == TYPE_INT ? "true" : "false");
		n++;
	}
	n += print_sizes_arguments(t, unit);
	text_printf(t, "\t\t{ \"repeat\", 1, true },\n"
		"\t\t{ \"tolerance\", %g, false },\n\t};\n",
		default_tolerance(prog));
	isl_set_free(sizes);
	return n;
}

void print_cells(struct text *t, const struct kunit *unit,
	const struct field *f, int copies)
{
	text_printf(t, "(size_t)%d", copies * field_numbers(f));
	for (int d = 0; d < f->n_dims; d++) {
		text_puts(t, " * (size_t)(");
		print_size(t, unit, f->size[d]);
		text_puts(t, ")");
	}
}

/* Variables of main() for "f". */
const char *main_count(const struct kunit *unit, const struct field *f)
{
	return fresh_name(unit->mem, unit->prog, "%s_count", f->name);
}

const char *main_timed(const struct kunit *unit, const struct field *f)
{
	return fresh_name(unit->mem, unit->prog, "%s_timed", f->name);
}

const char *main_plain(const struct kunit *unit, const struct field *f)
{
	return fresh_name(unit->mem, unit->prog, "%s_plain_result", f->name);
}

static const char *itself(const struct kunit *unit, const struct field *f)
{
	(void) unit;
	return f->name;
}

void print_arguments_of(struct text *t, const struct kunit *unit,
	const char *(*name)(const struct kunit *unit, const struct field *f))
{
	for (int i = 0; i < unit->prog->n_args; i++) {
		const struct argument *arg = &unit->prog->arg[i];
		const struct field *f = arg->field;
		bool is_input = f && f->kind == FIELD_INPUT;

		text_printf(t, "%s%s", i ? ", " : "",
			arg->param ? arg->param->name :
			is_input && name == main_plain ? f->name :
			name(unit, f));
	}
}

/* One of the places "p", the "i"-th that an element of "f" is made of. */
static void print_place(struct text *t, const struct field *f, int i,
	const struct plain_place *p)
{
	bool is_int = f->type == TYPE_INT;

	text_printf(t, "%s%lld + %s(harness_value(harness_i, %d) * ((",
		p->stride ? "(" : "", (long long) p->first, is_int ? "(int)" :
		"", f->index + i);
	print_kx(t, &spelling_c, p->end);
	text_printf(t, ") - %lld))", (long long) p->first + !is_int);
	if (!p->stride)
		return;
	text_puts(t, ") * (");
	print_kx(t, &spelling_c, p->stride);
	text_puts(t, ")");
}

void print_places(struct text *t, const struct kunit *unit,
	const struct field *f)
{
	const struct plain_places places = plain_places(unit, f);

	if (!places.n)
		return;
	text_printf(t, "\tfor (size_t harness_i = 0; harness_i < %s; ++harness_i)\n"
		"\t\t%s[harness_i] = (%s)(", main_count(unit, f), f->name,
		type_word(f->type));
	for (int i = 0; i < places.n; i++) {
		text_puts(t, i ? "\n\t\t\t+ " : "");
		print_place(t, f, i, &places.place[i]);
	}
	text_puts(t, ");\n");
}

static void print_data(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = field_begins(unit->prog->field[i]);

		if (!f || !field_is_argument(f))
			continue;
		text_printf(t, "\tconst size_t %s = ", main_count(unit, f));
		print_cells(t, unit, f, field_copies(f));
		text_puts(t, ";\n");
		style->declare(t, unit, f, f->name, main_count(unit, f));
		print_places(t, unit, f);
		if (field_is_result(f))
			style->declare(t, unit, f, main_plain(unit, f),
				main_count(unit, f));
	}
}

void print_run_error(struct text *t, const struct program *prog,
	const struct main_style *style)
{
	text_printf(t, "%s\t\tfprintf(stderr, \"%s: error %%d: %%s\\n\", "
		"harness.status,\n\t\t\t%s%s_strerror(harness.status));\n",
		style->start ? "\t\tif (!harness.silent)\n\t" : "", prog->name,
		style->call, prog->name);
}

static bool has_size(const struct field *f, const struct expr *size)
{
	for (int d = 0; d < f->n_dims; d++)
		if (expr_same_size(f->size[d], size))
			return true;
	return false;
}

/* Does "s" read or write a field with this size? */
static bool concerns(const struct stmt *s, const struct expr *size)
{
	bool concerned = has_size(s->write->field, size);

	for (int i = 0; i < s->n_reads; i++)
		concerned = concerned || has_size(s->read[i]->field, size);
	return concerned;
}

/* Is some field's size no size of some statement's fields? */
static bool has_foreign_size(const struct program *prog)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->n_fields; j++)
			for (int d = 0; d < prog->field[j]->n_dims; d++)
				if (!concerns(prog->stmt[i],
					prog->field[j]->size[d]))
					return true;
	return false;
}

/* One size of 0 keeps the program from computing any field, even one without that
 * size: say so.
 */
static void print_note_of_empty(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	if (!unit->is_empty || !has_foreign_size(unit->prog))
		return;
	text_puts(t, style->start ? "\tif (!harness.silent && (" : "\tif (");
	print_kx(t, &spelling_c, unit->is_empty);
	text_puts(t, style->start ? ")" : "");
	text_printf(t, ")\n\t\tprintf(\"%s: a size is 0: nothing is computed, "
		"of any field\\n\");\n", unit->prog->name);
}

static void print_return(struct text *t, const struct main_style *style,
	const char *indent, const char *value)
{
	text_printf(t, style->leave ? "%sreturn %s(%s);\n" : "%sreturn %s%s;\n",
		indent, style->leave ? style->leave : "", value);
}

static void print_argument_of_check(struct text *t, const struct kunit *unit,
	int i, const char *param)
{
	const struct segments *s = unit->prog->segments;

	text_puts(t, i ? ", " : "");
	if (s && !strcmp(param, s->first->name))
		print_size(t, unit, s->whole_begin);
	else if (s && !strcmp(param, s->end->name))
		print_size(t, unit, s->whole_end);
	else
		text_puts(t, param);
}

/* The function's own check: until it passes, sizes are not fit for allocation. */
static void print_check_of_sizes(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	const char *name = region_printf(unit->mem, "%s_check",
		unit->prog->name);
	const struct kfunc *check = unit->first;

	while (strcmp(check->name, name))
		check = check->next;
	text_printf(t, "\n\tharness.status = %s(", name);
	for (int i = 0; i < check->n_params; i++)
		print_argument_of_check(t, unit, i, check->param[i].name);
	text_puts(t, ");\n\tif (harness.status) {\n");
	print_run_error(t, unit->prog, style);
	print_return(t, style, "\t\t", "1");
	text_puts(t, "\t}\n");
	print_note_of_empty(t, unit, style);
	text_puts(t, "\n");
}

static void print_check(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	const struct program *prog = unit->prog;

	text_printf(t, "\tif (harness.check && !harness.status) {\n"
		"\t\tharness.status = %s%s(", unit->handles ||
		unit_choice(unit) ? "" : style->call, region_printf(unit->mem,
			unit->handles ? "%s_planned" : unit_choice(unit) ?
			"%s_sized" : "%s", prog->name));
	print_arguments_of(t, unit, itself);
	text_printf(t, ");\n\t\tif (!harness.status)\n\t\t\t%s%s_plain(",
		style->call, prog->name);
	print_arguments_of(t, unit, main_plain);
	text_puts(t, ");\n\t}\n");
	text_puts(t, "\tif (harness.status) {\n");
	print_run_error(t, prog, style);
	text_puts(t, "\t} else if (harness.check) {\n");
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = field_begins(prog->field[i]);

		if (f && field_is_result(f))
			style->compare(t, f, main_plain(unit, f),
				main_count(unit, f));
	}
	text_printf(t, "\t\tharness_say(&harness, \"%s\");\n\t}\n",
		prog->name);
}

void print_speed(struct text *t, const struct kunit *unit)
{
	const struct program *prog = program_written(unit->prog);

	text_printf(t, "\tharness_say_time(&harness, \"%s\", 1.0 * ",
		prog->name);
	print_cells(t, unit, prog->stmt[0]->write->field, 1);
	if (prog->timed) {
		text_puts(t, " *\n\t\t((double)(");
		print_size(t, unit, program_end(prog));
		text_puts(t, ") - (");
		print_size(t, unit, program_begin(prog));
		text_puts(t, "))");
	}
	text_puts(t, ");\n");
}

static void print_free(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	for (int i = 0; i < unit->prog->n_fields; i++) {
		const struct field *f = field_begins(unit->prog->field[i]);

		if (!f || !field_is_argument(f))
			continue;
		text_printf(t, "\t%s%s%s);\n\tfree(%s);\n",
			style->free_timed[0], style->free_timed[1],
			main_timed(unit, f), f->name);
		if (field_is_result(f))
			text_printf(t, "\tfree(%s);\n", main_plain(unit, f));
	}
}

static void print_body(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	print_data(t, unit, style);
	style->timing(t, unit);
	print_check(t, unit, style);
	print_speed(t, unit);
	print_free(t, unit, style);
}

static bool names(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at && (at == line || !isalnum((unsigned char) at[-1]));
}

/* Does "line" name a type that the program does not use? */
static bool is_of_no_use(const struct kunit *unit, const char *line)
{
	for (enum type type = 0; type < TYPES; type++)
		if (type != TYPE_INT && type != TYPE_FLOAT &&
		    type != TYPE_DOUBLE && names(line, type_word(type)) &&
		    !unit_has_type(unit, type))
			return true;
	return false;
}

static void print_text(struct text *t, const struct kunit *unit,
	const struct lines *text)
{
	for (int i = 0; i < text->n; i++)
		if (!is_of_no_use(unit, text->line[i]))
			text_printf(t, "%s\n", text->line[i]);
}

void print_main(struct text *t, const struct kunit *unit,
	const struct main_style *style)
{
	const struct program *prog = unit->prog;
	int n;

	for (int i = 0; i < HARNESS_LINES; i++)
		text_printf(t, "%s\n", harness_text[i]);
	print_text(t, unit, unit_has_sized_types(unit) ? &style->sized :
		&style->cells);
	for (int part = 0; part < HARNESS_PARTS; part++)
		print_text(t, unit, &style->rest[part]);
	text_puts(t, "\nint main(int argc, char **argv)\n{\n");
	n = print_argument_table(t, unit);
	text_printf(t, "\tstruct harness harness = harness_none();\n"
		"\tstruct harness_clock harness_clock;\n%s\n"
		"\tif (!harness_read_all(&harness, argc, argv, "
		"harness_arguments, %d))\n", style->start ? style->start : "",
		n + 2);
	print_return(t, style, "\t\t", "2");
	text_puts(t, "\n");
	n = 0;
	for (int i = 0; i < prog->n_args; i++) {
		const struct param *p = prog->arg[i].param;

		if (p)
			text_printf(t, "\tconst %s %s = (%s)"
				"harness_arguments[%d].value;\n",
				type_word(p->type), p->name,
				type_word(p->type), n++);
	}
	print_check_of_sizes(t, unit, style);
	print_sizes(t, unit, n);
	if (style->body)
		style->body(t, unit, style);
	else
		print_body(t, unit, style);
	print_return(t, style, "\t", "harness.status || harness.different ? 1 : 0");
	text_puts(t, "}\n");
}

/* The header ------------------------------------------------------------ */

static bool exports_type(const struct kunit *unit, enum scalar scalar)
{
	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (f->is_exported && ctype_is(f->c_type, scalar))
			return true;
	return false;
}

static void print_purpose(struct text *t, const struct kstruct *s)
{
	text_printf(t, "/* %s */\n", s->purpose);
	print_typedef(t, s);
}

/* Name the arguments with complex numbers, whose types do not show it. */
static void print_complex(struct text *t, const struct kunit *unit)
{
	const char *names = "";

	for (int i = 0; i < unit->prog->n_args; i++) {
		const struct field *f = unit->prog->arg[i].field;

		if (f && field_numbers(f) > 1)
			names = region_printf(unit->mem, "%s%s%s", names, *names ?
				", " : "", f->name);
	}
	if (*names)
		text_printf(t, "/* Complex numbers, each a real and an imaginary part "
			"as C's _Complex and C++'s\n * std::complex have them: "
			"%s.\n */\n", names);
}

void print_header(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	struct spelling plain = *say;
	const struct printer p = { &plain, unit };
	struct text guard = { 0 };

	plain.bits = "uint16_t";
	for (const char *s = unit->prog->name; *s; s++)
		text_printf(&guard, "%c", toupper((unsigned char) *s));
	text_printf(t, "/* %s: generated by stencilc. */\n", unit->prog->name);
	text_printf(t, "#ifndef %s_H\n#define %s_H\n\n", guard.bytes,
		guard.bytes);
	text_puts(t, unit->blocks ? "#include <mpi.h>\n\n" : "");
	if (exports_type(unit, CT_SIZE))
		text_puts(t, "#include <stddef.h>\n\n");
	if (unit_has_sized_types(unit))
		text_puts(t, "#include <stdint.h>\n\n");
	text_puts(t, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
	print_complex(t, unit);
	if (unit_choice(unit)) {
		print_tile_sizes(t);
		text_puts(t, "\n");
	}
	for (const struct kfunc *f = unit->first; f; f = f->next) {
		bool device = f->is_exported && f->n_params > 0 &&
			ctype_is(f->param[f->n_params - 1].c_type, CT_STREAM);

		if (f->before)
			print_purpose(t, f->before);
		if (!f->is_exported)
			continue;
		if (device)
			text_printf(t, "#ifdef %s\n", say->runtime);
		print_prototype(t, &p, f);
		if (device)
			text_puts(t, "#endif\n");
	}
	text_printf(t, "const char *%s_strerror(int code);\n\n",
		unit->prog->name);
	text_puts(t, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
	text_free(&guard);
}
