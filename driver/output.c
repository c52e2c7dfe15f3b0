/* Which files are written. */
#include "driver/driver.h"

#include <stdio.h>
#include <string.h>

/* Write "t" to "path", unless some set behind it could not be computed. */
static bool write_text(struct compilation *s, const char *path,
	const struct text *t)
{
	return !quota_failed(s->isl) && file_write(&s->diags, path,
		t->bytes ? t->bytes : "", t->length);
}

/* Write "t", preceded by the file of --certificate.  The output comes last: if
 * it exists, all other files do.
 */
static bool write_result(struct compilation *s, const char *path,
	const struct text *t)
{
	if (s->certificate.length > 0 && s->options.proof.certificate &&
	    !write_text(s, s->options.proof.certificate, &s->certificate))
		return false;
	return write_text(s, path, t);
}

bool print_text(struct compilation *s, struct text *t)
{
	bool done = write_result(s, s->options.output ? s->options.output :
		"-", t);

	text_free(t);
	return done;
}

/* The input's name without folder and suffix, followed by "suffix". */
static const char *default_output(struct compilation *s, const char *suffix)
{
	const char *input = s->options.input;
	const char *name = strrchr(input, '/');
	const char *dot;

	if (!strcmp(input, "-"))
		return "-";
	name = name ? name + 1 : input;
	dot = strrchr(name, '.');
	return region_printf(s->mem, "%.*s%s",
		(int) (dot ? dot - name : (int) strlen(name)), name, suffix);
}

/* "name" quoted for a rule of make: blanks, '#', ':' and wildcards, and in
 * "special" positions others.  A backslash stays, unless it stands before such
 * a character.  Make has no way to quote '=' or ';'.
 */
static void print_make_name(struct text *t, const char *name,
	char special)
{
	for (const char *c = name; *c; c++) {
		size_t backslashes = strspn(c, "\\");
		const char *after = c + backslashes;

		if (*after && (*after == special || strchr(" \t#:*?[", *after))) {
			text_append(t, c, backslashes);
			text_append(t, c, backslashes);
			text_printf(t, "\\%c", *after);
			c = after;
		} else if (*c == '$') {
			text_puts(t, "$$");
		} else {
			text_append(t, c, 1);
		}
	}
}

/* The rule for the output, as gcc writes it: -MT passes make's text unchanged. */
static void print_rule(struct text *t, const struct compilation *s,
	const char *output)
{
	const struct options *o = &s->options;

	if (o->depend.target)
		text_puts(t, o->depend.target);
	else
		print_make_name(t, output, '%');
	text_puts(t, ": ");
	print_make_name(t, o->input, '|');
	for (int i = 0; i < s->n_used; i++) {
		text_puts(t, " ");
		print_make_name(t, s->used[i], '|');
	}
	text_puts(t, "\n");
}

/* The file for the rule. */
static const char *rule_file(struct compilation *s, const char *output)
{
	const struct options *o = &s->options;

	return o->depend.file ? o->depend.file : o->depend.only ? "-" :
		region_printf(s->mem, "%s.d", output);
}

static const char *output_file(struct compilation *s)
{
	return s->options.output ? s->options.output :
		default_output(s, s->options.target->suffix);
}

static bool write_dependencies(struct compilation *s, const char *output)
{
	struct text t = { 0 };
	bool done;

	print_rule(&t, s, output);
	done = write_text(s, rule_file(s, output), &t);
	text_free(&t);
	return done;
}

bool spares_used_files(struct compilation *s)
{
	const struct options *o = &s->options;
	const char *output = o->stage == STAGE_NONE ? output_file(s) : o->output;
	const char *const written[] = { output, o->header,
		o->proof.certificate,
		o->depend.asked ? rule_file(s, output_file(s)) : NULL };

	for (int i = 0; i < s->n_used; i++)
		for (int w = 0; w < (int) (sizeof(written) / sizeof(*written));
		     w++) {
			if (!written[w] || !file_is(s->used[i], written[w]))
				continue;
			diag_plain(&s->diags, E_COMMAND_LINE, "%s, which the "
				"program uses, would be written over; name "
				"another file", written[w]);
			return false;
		}
	return true;
}

bool write_file(struct compilation *s, struct text *t)
{
	const char *output = output_file(s);
	bool done = !s->options.depend.asked ||
		write_dependencies(s, output);

	done = done && write_result(s, output, t);
	text_free(t);
	return done;
}

/* Did stencilc write "path", or is there no such file? */
static bool may_write_host(const char *path)
{
	static const char first[] = "/* Declared by stencilc";
	char found[sizeof(first)] = "";
	FILE *f = fopen(path, "r");

	if (!f)
		return true;
	if (!fgets(found, sizeof(found), f))
		found[0] = 0;
	fclose(f);
	return !strcmp(found, first);
}

const char *host_beside(struct compilation *s)
{
	const char *output = output_file(s), *dot = strrchr(output, '.');
	const char *name = strrchr(output, '/');
	const char *host;

	if (!strcmp(output, "-"))
		return NULL;
	name = name ? name + 1 : output;
	host = region_printf(s->mem, "%.*s-host.c",
		(int) (dot && dot > name ? (size_t) (dot - output) :
		       strlen(output)), output);
	return !file_is(host, s->options.input) && may_write_host(host) ?
		host : NULL;
}

bool write_beside(struct compilation *s, const char *path, struct text *t)
{
	bool done = write_text(s, path, t);

	text_free(t);
	return done;
}

bool write_dependencies_only(struct compilation *s)
{
	return write_dependencies(s, default_output(s, s->options.target->suffix));
}

static bool write_header(struct compilation *s, const struct kunit *unit)
{
	const struct field *lacks = binding_lacks(unit,
		s->options.header);
	struct text t = { 0 };
	bool done;

	if (lacks) {
		diag(&s->diags, E_TYPE, lacks->at, "Fortran has no type like "
			"'%s', that of '%s'", type_name(lacks->type),
			lacks->name);
		diag_advice(&s->diags, "write a header for C, "
			"'--header=FILE.h', and hand over the bits");
		return false;
	}
	print_binding(&t, s->options.target, unit, s->options.header);
	done = write_text(s, s->options.header, &t);
	text_free(&t);
	return done;
}

bool write_output(struct compilation *s, const struct kunit *unit)
{
	struct text t = { 0 };

	if (s->c_code) {
		target_print(s->c_code, s->options.target, unit);
		return true;
	}
	target_print(&t, s->options.target, unit);
	if (!s->options.header || write_header(s, unit))
		return write_file(s, &t);
	text_free(&t);
	return false;
}
