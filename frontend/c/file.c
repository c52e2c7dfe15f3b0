/* The file with calls in place of its regions, and the functions that they
 * call.
 */
#include "frontend/c/border.h"
#include "frontend/c/call.h"
#include "frontend/c/carried.h"
#include "frontend/c/ghost.h"
#include "frontend/c/list.h"
#include "frontend/c/lookup.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int indentation(const struct source *src, unsigned at)
{
	int tabs = 0;

	while (at < src->length && src->text[at] == '\t') {
		at++;
		tabs++;
	}
	return tabs;
}

static unsigned line_of(const struct source *src, unsigned at)
{
	while (at && src->text[at - 1] != '\n')
		at--;
	return at;
}

/* The rest of the region from "start" on, without sources in the first step, which the call has executed. */
static void print_without_sources(struct text *t, const struct stencil *s, unsigned start)
{
	const char *text = s->source->text;
	struct span sources = text_of_sources(s);
	unsigned line = line_of(s->source, sources.start);

	if (line + strspn(text + line, " \t") == sources.start)
		sources.start = line;
	text_append(t, text + start, sources.start - start);
	text_printf(t, "if (%s != stencilc_from) {\n", c_name(s->time));
	text_append(t, text + sources.start, sources.end - sources.start);
	text_puts(t, "\n}");
	text_append(t, text + sources.end, s->region->inside.end - sources.end);
}

/* The loops of the region with "name", which is "value", in place of the text "at". */
static void print_loops_with(struct text *t, const struct stencil *s, const char *name, const char *value,
	struct span at)
{
	const struct span *inside = &s->region->inside;

	text_printf(t, "{\n\tconst long long %s = %s;", name, value);
	text_append(t, s->source->text + inside->start, at.start - inside->start);
	text_puts(t, name);
	if (s->time_loop->past)
		print_without_sources(t, s, at.end);
	else
		text_append(t, s->source->text + at.end, inside->end - at.end);
	text_puts(t, "}\n");
}

/* .. from the step "first" on. */
static void print_loops_from(struct text *t, const struct stencil *s, const char *first)
{
	if (counts_carried(s, s->time_loop))
		print_loop_on(t, s, first);
	else
		print_loops_with(t, s, "stencilc_from", first, s->time_loop->value->at);
}

/* .. for the first round. */
static void print_first_round(struct text *t, const struct stencil *s)
{
	struct poly end = s->round == s->time ? s->time_range.begin : behind_first_round(s);
	const struct poly one = poly_constant(1);
	struct text to = { 0 };

	if (s->time_loop->op == OP_LE)
		poly_add(&end, &one, -1);
	poly_print(&to, &end);
	print_loops_with(t, s, "stencilc_to", to.bytes, s->time_loop->bound->at);
	text_free(&to);
}

/* .. for the last rounds. */
static void print_last_rounds(struct text *t, const struct stencil *s)
{
	struct text first = { 0 };

	poly_print(&first, &s->time_range.end);
	print_loops_from(t, s, first.bytes);
	text_free(&first);
}

/* .. behind all complete rounds */
static void print_rest(struct text *t, const struct stencil *s)
{
	struct text first = { 0 };

	print_end_of_rounds(&first, s);
	print_loops_from(t, s, first.bytes);
	text_free(&first);
}

/* The loops of the region as they are, as what is done otherwise. */
static void print_loops(struct text *t, const struct stencil *s, int indent)
{
	const struct span *inside = &s->region->inside;

	if (s->source->text[inside->start] != '\n')
		text_puts(t, "\n");
	text_append(t, s->source->text + inside->start,
		inside->end - inside->start);
	for (int i = 0; i < indent; i++)
		text_puts(t, "\t");
	text_puts(t, "}");
}

static int indentation_of(const struct stencil *s)
{
	int tabs = indentation(s->source, s->region->at.start);

	return tabs ? tabs : indentation(s->source, line_of(s->source,
		s->time_loop->at.start));
}

/* run_region1() and run_region2(), or run_region1() to run_region3(): the functions of the
 * parts from "p" to "end".
 */
static void print_names(struct text *t, const struct c_program *p,
	const struct c_program *end)
{
	const struct c_program *last = p;
	int n = 1;

	for (; last->next != end; last = last->next)
		n++;
	text_printf(t, "%s()", p->stencil->named.call);
	if (n > 1)
		text_printf(t, " %s %s()", n > 2 ? "to" : "and",
			last->stencil->named.call);
}

static bool looks_up(const struct stencil *s)
{
	const struct c_field *f = s->fields;

	while (f && !f->lookup)
		f = f->next;
	return f;
}

/* Does a part look something up, or carry scalars, so that arrays are filled for it? */
static bool has_arrays(const struct c_program *p, const struct c_program *end)
{
	while (p != end && !looks_up(p->stencil) && !has_carried(p->stencil))
		p = p->next;
	return p != end;
}

static bool goes_around(const struct c_program *p, const struct c_program *end)
{
	while (p != end && !asks_around(p->stencil))
		p = p->next;
	return p != end;
}

/* The arrays of such a part. */
static void print_arrays(struct text *t, const struct stencil *s)
{
	print_lookups(t, s);
	print_carried(t, s);
	print_around(t, s);
}

static void print_arrays_freed(struct text *t, const struct stencil *s)
{
	print_lookups_freed(t, s);
	print_carried_freed(t, s);
}

/* The call, and what else the loops do. */
static void print_effects(struct text *t, const struct stencil *s)
{
	if (leaves_first_round(s))
		print_first_round(t, s);
	print_carried_set(t, s);
	print_first_sources(t, s);
	print_lookups_filled(t, s);
	if (!s->lists)
		print_call(t, s);
	print_arrays_freed(t, s);
	print_again(t, s);
	if (leaves_rest(s)) {
		print_counters(t, s);
		print_rest(t, s);
		return;
	}
	print_moves(t, s);
	if (leaves_steps(s))
		print_last_rounds(t, s);
	else
		print_counters(t, s);
}

/* The calls of the programs of one region, from "p" to "end". */
static void print_replacement(struct text *t, const struct c_program *p,
	const struct c_program *end)
{
	const struct stencil *s = p->stencil;
	struct text lines = { .indent = indentation_of(s) };
	struct c_question q = { 0 };
	const bool prepares = has_arrays(p, end) || goes_around(p, end);
	const struct c_program *first = p;

	for (const struct c_program *part = p; part != end; part = part->next)
		add_questions(&q, part);
	for (const struct c_program *part = p; part != end; part = part->next) {
		ask_for_memory(part->stencil, &q);
		ask_for_carried(part->stencil, &q);
		ask_around(part->stencil, &q);
	}
	text_puts(&lines, "/* stencilc: the loops that were here run in ");
	print_names(&lines, p, end);
	text_puts(&lines, ", below,\n * if these conditions hold. */\n");
	if (s->lists)
		ask_by_call(s, &q);
	if (prepares) {
		text_puts(&lines, "{\n");
		lines.indent++;
	}
	for (const struct c_program *part = p; part != end; part = part->next)
		print_arrays(&lines, part->stencil);
	print_question(&lines, &q);
	lines.indent++;
	for (; p != end; p = p->next)
		print_effects(&lines, p->stencil);
	lines.indent--;
	text_puts(&lines, "} else {\n");
	lines.indent++;
	for (p = first; p != end; p = p->next)
		print_arrays_freed(&lines, p->stencil);
	lines.indent--;
	text_append(t, lines.bytes, lines.length - 1);
	print_loops(t, s, lines.indent);
	if (prepares)
		text_puts(t, " }");
	text_free(&lines);
}

static bool is_in_code(const struct c_program *programs, const char *text)
{
	for (const struct c_program *p = programs; p; p = p->next)
		if (strstr(p->code, text))
			return true;
	return false;
}

/* Headers with templates precede the macros of the file, which might redefine
 * names of their parameters.
 */
static void print_headers(struct text *t, const struct c_program *programs)
{
	static const char *const headers[] = {
		"#include <cooperative_groups.h>\n",
		"#include <cuda_pipeline.h>\n",
	};

	for (int i = 0; i < 2; i++)
		if (is_in_code(programs, headers[i]))
			text_puts(t, headers[i]);
}

const char *restrict_in_cxx(const struct c_file *file)
{
	return file->has_restrict_arrays ? "" : "__restrict__";
}

/* The functions called, which are defined "where" it says. */
static void print_declarations(struct text *t,
	const struct c_program *programs, const char *where)
{
	const char *as = restrict_in_cxx(programs->stencil->file);

	if (has_arrays(programs, NULL))
		text_puts(t, "#include <stdlib.h>\n");
	if (goes_around(programs, NULL))
		text_puts(t, "#include <string.h>\n");
	text_printf(t, "/* Declared by stencilc, defined %s. */\n"
		"#ifdef __cplusplus\n#define restrict%s%s\n"
		"extern \"C\" {\n#endif\n", where, *as ? " " : "", as);
	for (const struct c_program *p = programs; p; p = p->next) {
		print_region_prototype(t, p->stencil);
		text_puts(t, ";\n");
	}
	text_puts(t, "#ifdef __cplusplus\n}\n#endif\n\n");
	print_least(t);
	print_repeats_question(t, programs);
	print_apart(t, programs);
	print_lookups_prologue(t, programs);
	print_rows_function(t, programs);
}

/* Does the word "name" stand in "code"? */
static bool has_word(const char *code, const char *name)
{
	size_t n = strlen(name);

	for (const char *c = strstr(code, name); c; c = strstr(c + 1, name))
		if ((c == code || (!isalnum((unsigned char) c[-1]) &&
		     c[-1] != '_')) && !isalnum((unsigned char) c[n]) &&
		    c[n] != '_')
			return true;
	return false;
}

/* Macros of the file whose names generated code uses end before that code. */
static void end_macros(struct text *t, const struct c_program *p)
{
	for (const struct c_macro *m = p->stencil->file->macros; m;
	     m = m->next)
		if (strncmp(m->name, "STENCILC_", 9) != 0 &&
		    has_word(p->code, m->name))
			text_printf(t, "#undef %s\n", m->name);
}

/* Prints "#define name program_name", or "#undef name". */
static void rename_word(struct text *t, const char *program, const char *name,
	int n)
{
	if (program)
		text_printf(t, "#define %.*s %s_%.*s\n", n, name, program, n,
			name);
	else
		text_printf(t, "#undef %.*s\n", n, name);
}

#define HELPER_PREFIX "stencilc_"

/* Does "code" contain the "n" characters at "c", a helper's, earlier, too? */
static bool is_repeated(const char *code, const char *c, size_t n)
{
	const char *same = strstr(code, HELPER_PREFIX);

	while (same < c && strncmp(same, c, n) != 0)
		same = strstr(same + 1, HELPER_PREFIX);
	return same < c;
}

/* Functions "stencilc_*" that the code defines and calls. */
static void rename_functions(struct text *t, const char *program,
	const char *code)
{
	static const char letters[] = "_0123456789"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	for (const char *c = strstr(code, HELPER_PREFIX); c;
	     c = strstr(c + 1, HELPER_PREFIX)) {
		size_t n = strspn(c, letters);

		if (c[n] == '(' && !is_repeated(code, c, n + 1))
			rename_word(t, program, c, (int) n);
	}
}

/* Functions for lists of points: first_place3 for those of grids of two dimensions. */
static void rename_lists(struct text *t, const char *program, const char *code)
{
	static const char *const stems[] = {
		"compare_places", "first_place", "first_places", "order_places",
		"sort_places",
	};
	char name[32];

	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		for (int n = 1; n <= IR_MAX_DIMS + 1; n++) {
			int length = snprintf(name, sizeof(name), "%s%d",
				stems[i], n);

			if (has_word(code, name))
				rename_word(t, program, name, length);
		}
}

/* Rename helpers of generated code to names that neither the file nor the code
 * of other regions has.
 */
static void rename_helpers(struct text *t, const char *program,
	const char *code)
{
	static const char *const helpers[] = {
		"imin", "imax", "floord", "wrap", "deal_tiles",
		"tiles_ahead", "fetch_to_read", "fetch_to_write",
		"first_error",
		"half_page_apart", "whole_lines", "floats", "doubles",
		"load_floats", "load_doubles", "keep_floats", "keep_doubles",
		"last_floats", "last_doubles", "cells_to_floats",
		"cells_to_doubles", "store_floats", "store_doubles",
		"store_part_floats", "store_part_doubles", "store_last_floats",
		"store_last_doubles", "root_floats", "root_doubles",
		"over_root_floats", "divider_root_floats",
		"divider_root_doubles", "divider_over_root_floats",
		"one_floats", "one_doubles", "turn_floats", "turn_doubles",
		"to_lanes_floats", "to_lanes_doubles", "from_lanes_floats",
		"from_lanes_doubles",
		"cells_to_line_floats", "cells_to_line_doubles",
	};

	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (has_word(code, helpers[i]))
			rename_word(t, program, helpers[i],
				(int) strlen(helpers[i]));
	rename_lists(t, program, code);
	rename_functions(t, program, code);
}

/* Shared memory of dynamic size, which a file declares once under one name. */
static void rename_shared(struct text *t, const char *program,
	const struct c_program *all, const struct c_program *p)
{
	static const char name[] = "stencilc_shared";
	int n = 0;

	for (; all; all = all->next)
		n += has_word(all->code, name);
	if (n > 1 && has_word(p->code, name))
		rename_word(t, program, name, (int) strlen(name));
}

static bool has_longs(const struct stencil *s, bool long_long)
{
	const struct c_field *f = s->fields;

	while (f && ((f->decl->type != C_LONG && f->decl->type != C_ULONG) ||
	       c_is_long_long(f->decl) != long_long))
		f = f->next;
	return f;
}

bool mixes_longs(const struct stencil *s)
{
	return has_longs(s, true) && has_longs(s, false);
}

/* C lets no pointer to long lead to a long long: these types lead to both. */
static void print_longs(struct text *t, const struct c_program *p)
{
	const char *name = p->stencil->named.program;

	text_printf(t, "#ifdef __GNUC__\n"
		"typedef long long __attribute__((__may_alias__)) %s_int64;\n"
		"typedef unsigned long long __attribute__((__may_alias__)) "
		"%s_uint64;\n#else\n"
		"typedef long long %s_int64;\n"
		"typedef unsigned long long %s_uint64;\n#endif\n", name, name,
		name, name);
}

/* The program's code; int64_t is what C's arrays are of, where that is another type. */
static void print_program(struct text *t, const struct c_program *p)
{
	static const char word[] = "int64_t";
	const char *name = p->stencil->named.program;
	const char *code = p->code, *next;
	bool mixes = mixes_longs(p->stencil);

	if (mixes)
		print_longs(t, p);
	if (!has_longs(p->stencil, true)) {
		text_append(t, code, strlen(code));
		return;
	}
	while ((next = strstr(code, word))) {
		bool has_sign = next == p->code || next[-1] != 'u';

		text_append(t, code, (size_t) (next - code) - !has_sign);
		if (mixes)
			text_printf(t, "%s_%sint64", name, has_sign ? "" : "u");
		else
			text_puts(t, has_sign ? "long long" :
				"unsigned long long");
		code = next + strlen(word);
	}
	text_append(t, code, strlen(code));
}

/* Options of the code, if it has some, are not the file's: "what" is "push" or "pop". */
static void print_options(struct text *t, const struct c_program *p,
	const char *what)
{
	if (strstr(p->code, "#pragma GCC "))
		text_printf(t, "#if defined __GNUC__ && !defined __clang__\n"
			"#pragma GCC %s_options\n#endif\n", what);
}

static void print_code(struct text *t, const struct c_program *all,
	const struct c_program *p)
{
	text_puts(t, "\n");
	print_options(t, p, "push");
	end_macros(t, p);
	rename_helpers(t, p->stencil->named.program, p->code);
	rename_shared(t, p->stencil->named.program, all, p);
	print_program(t, p);
	rename_shared(t, NULL, all, p);
	rename_helpers(t, NULL, p->code);
	print_options(t, p, "pop");
}

/* The first program behind those of the region of "p". */
static const struct c_program *end_of_region(const struct c_program *p)
{
	const struct c_region *whole = p->stencil->region->whole;

	p = p->next;
	while (p && whole && p->stencil->region->whole == whole)
		p = p->next;
	return p;
}

/* The file with calls in place of its regions. */
static void print_replaced(struct text *t, const struct source *src,
	const struct c_program *programs)
{
	unsigned at = 0;

	for (const struct c_program *p = programs, *end; p; p = end) {
		const struct c_region *region = p->stencil->region;

		end = end_of_region(p);
		text_append(t, src->text + at, region->at.start - at);
		print_replacement(t, p, end);
		at = region->at.end;
	}
	text_append(t, src->text + at, src->length - at);
}

/* The code of the programs, and the functions that call it. */
static void print_functions(struct text *t, const struct c_program *programs)
{
	const struct c_program *p;

	for (p = programs; p; p = p->next)
		print_code(t, programs, p);
	text_puts(t, "\n/* What to do when a call fails; the third argument "
		"says why. */\n#ifndef STENCILC_ON_ERROR\n#include <stdio.h>\n"
		"#define STENCILC_ON_ERROR(function, status, text) \\\n"
		"\t(fprintf(stderr, \"%s: %s\\n\", function, text), "
		"abort())\n#endif\n");
	for (p = programs; p; p = p->next)
		print_definition(t, p->stencil);
}

void cfront_print(struct text *t, const struct source *src,
	const struct c_program *programs)
{
	print_headers(t, programs);
	print_declarations(t, programs, "at the end of this file");
	print_replaced(t, src, programs);
	print_functions(t, programs);
}

void cfront_print_host(struct text *t, const struct source *src,
	const struct c_program *programs)
{
	print_declarations(t, programs, "in a file of their own");
	print_replaced(t, src, programs);
}

void cfront_print_apart(struct text *t, const struct source *src,
	const struct c_program *programs)
{
	text_printf(t, "/* The regions of %s. */\n", src->name);
	print_headers(t, programs);
	text_puts(t, "#include <math.h>\n#include <stdlib.h>\n");
	print_functions(t, programs);
}
