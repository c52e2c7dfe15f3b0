/* What printers share: statements and functions. */
#include <string.h>

#include "codegen/tree/print.h"

static void print_ks(struct text *t, const struct printer *p,
	const struct ks *s);

enum { LINE_WIDTH = 96, TAB = 4 };

/* Lines ----------------------------------------------------------------- */

/* Lines break best before an operator or after a comma. */
static bool is_good_break(const char *space)
{
	size_t n = strspn(space + 1, "+-*/%&|<>=?:");

	return space[-1] == ',' || space[-1] == ';' ||
		(n > 0 && space[1 + n] == ' ');
}

/* How much of "s" to print on a line of "room" columns: up to the last of the
 * best spaces that fit, those within the fewest brackets.
 */
static size_t piece_length(const char *s, size_t room)
{
	size_t length = strlen(s), best = 0;
	int depth = 0, best_depth = 0;

	if (length <= room)
		return length;
	for (size_t i = 0; i < length && (i <= room || !best); i++) {
		depth += s[i] == '(' || s[i] == '[';
		depth -= s[i] == ')' || s[i] == ']';
		if (s[i] != ' ' || i < room / 3 || !is_good_break(s + i))
			continue;
		if (!best || depth <= best_depth) {
			best = i;
			best_depth = depth;
		}
	}
	return best ? best : length;
}

/* Print "text", broken at spaces where a line would be too long. */
static void print_wrapped(struct text *t, const struct text *text)
{
	const char *line = text->bytes;
	size_t indent = (size_t) t->indent * TAB;
	size_t room = LINE_WIDTH - (indent < LINE_WIDTH / 2 ? indent :
		LINE_WIDTH / 2);
	bool first = true;

	while (*line) {
		size_t n = piece_length(line, first ? room : room - TAB);

		if (!first)
			text_puts(t, "\n\t");
		text_printf(t, "%.*s", (int) n, line);
		text_copy_spans(t, text, (size_t) (line - text->bytes), n);
		line += n;
		line += *line == ' ';
		first = false;
	}
}

static void take_line(struct text *t, struct text *line, const char *end)
{
	text_puts(line, end);
	print_wrapped(t, line);
	text_puts(t, "\n");
	text_free(line);
}

/* Statements ------------------------------------------------------------ */

/* "s", or the only statement of a block. */
static const struct ks *only_child(const struct ks *s)
{
	while (s->kind == KS_BLOCK && s->n_children == 1)
		s = s->child[0];
	return s;
}

static bool is_one_line(const struct ks *s)
{
	s = only_child(s);
	return s->kind == KS_ASSIGN || s->kind == KS_EXPRESSION ||
		s->kind == KS_RETURN || s->kind == KS_GOTO;
}

static void print_children(struct text *t, const struct printer *p,
	const struct ks *s)
{
	if (s->kind != KS_BLOCK) {
		print_ks(t, p, s);
		return;
	}
	for (int i = 0; i < s->n_children; i++)
		print_ks(t, p, s->child[i]);
}

/* "header" with "s" below it, in braces unless it is one line. */
static void print_body(struct text *t, const struct printer *p,
	struct text *header, const struct ks *s)
{
	bool braces = !is_one_line(s);

	take_line(t, header, braces ? " {" : "");
	t->indent++;
	print_children(t, p, only_child(s));
	t->indent--;
	if (braces)
		text_puts(t, "}\n");
}

static void print_for(struct text *t, const struct printer *p,
	const struct ks *s)
{
	struct text line = { 0 };

	if (s->unroll_by > 0)
		text_printf(t, "#pragma unroll %d\n", s->unroll_by);
	if (s->unroll)
		text_puts(t, "#pragma unroll\n");
	text_puts(&line, "for (");
	print_declarator(&line, p->say, s->c_type, s->name);
	text_puts(&line, " = ");
	print_kx(&line, p->say, s->x[0]);
	text_puts(&line, "; ");
	print_kx(&line, p->say, s->x[1]);
	if (kx_is_int(s->x[2], 1)) {
		text_printf(&line, "; ++%s)", s->name);
	} else {
		text_printf(&line, "; %s += ", s->name);
		print_kx(&line, p->say, s->x[2]);
		text_puts(&line, ")");
	}
	print_body(t, p, &line, s->child[0]);
}

static void print_if(struct text *t, const struct printer *p,
	const struct ks *s)
{
	struct text line = { 0 };

	text_puts(&line, "if (");
	print_kx(&line, p->say, s->x[0]);
	text_puts(&line, ")");
	if (s->n_children == 1) {
		print_body(t, p, &line, s->child[0]);
		return;
	}
	take_line(t, &line, " {");
	t->indent++;
	print_children(t, p, only_child(s->child[0]));
	t->indent--;
	text_puts(t, "} else {\n");
	t->indent++;
	print_children(t, p, only_child(s->child[1]));
	t->indent--;
	text_puts(t, "}\n");
}

static void print_comment(struct text *t, const char *s)
{
	if (!strchr(s, '\n')) {
		text_printf(t, "/* %s */\n", s);
		return;
	}
	for (const char *prefix = "/*"; *s; prefix = " *") {
		size_t n = strcspn(s, "\n");

		text_printf(t, "%s%s%.*s\n", prefix, n ? " " : "", (int) n, s);
		s += n;
		s += *s == '\n';
	}
	text_puts(t, " */\n");
}

/* A pointer to the cells of "field" called "name" ("" in a cast): to arrays if
 * the sizes are constant, so that tools can check each index.
 */
static void print_cells_pointer(struct text *t, const struct printer *p,
	const struct field *field, bool is_const, const char *name)
{
	bool copies = p->unit->scop->field[field->index].buffers > 1;
	const char *qualifier = is_const ? "const " : "";
	int first = copies ? 0 : 1;
	int64_t size;

	if (!field_is_constant(field) || first >= field->n_dims) {
		text_printf(t, "%s%s *%s%s%s", qualifier,
			type_word(field->type), *name ? p->say->restricted : "",
			*name ? " " : "", name);
		return;
	}
	text_printf(t, "%s%s (*%s)", qualifier, type_word(field->type), name);
	for (int d = first; d < field->n_dims; d++) {
		int multiple = d == field->n_dims - 1 ?
			field_row_multiple(p->unit, field) : 1;

		expr_constant(field->size[d], &size);
		size = (size + multiple - 1) / multiple * multiple;
		text_printf(t, "[%lld]", (long long) size);
	}
}

/* float (*restrict A)[N][M] */
static void print_array_param(struct text *t, const struct printer *p,
	const struct kparam *param)
{
	print_type(t, p->say, param->c_type);
	text_printf(t, param->n_extents ? " (*%s%s%s)" : " *%s%s%s",
		param->may_alias ? "" : p->say->restricted,
		param->may_alias ? "" : " ", param->name);
	for (int i = 0; i < param->n_extents; i++) {
		text_puts(t, "[");
		print_kx(t, p->say, param->extent[i]);
		text_puts(t, "]");
	}
}

static void print_param(struct text *t, const struct printer *p,
	const struct kparam *param)
{
	if (param->is_array)
		print_array_param(t, p, param);
	else if (param->cells)
		print_cells_pointer(t, p, param->cells, param->is_const,
			param->name);
	else
		print_declarator(t, p->say, param->c_type, param->name);
}

static void print_scope(struct text *t, const struct printer *p,
	const struct ks *s)
{
	text_puts(t, "{\n");
	t->indent++;
	for (int i = 0; i < s->n_children; i++)
		print_ks(t, p, s->child[i]);
	t->indent--;
	text_puts(t, "}\n");
}

static bool declares(const struct ks *s)
{
	if (s->kind == KS_DECLARE || s->kind == KS_ARRAY ||
	    s->kind == KS_LIST)
		return true;
	if (s->kind != KS_BLOCK || s->scope)
		return false;
	for (int i = 0; i < s->n_children; i++)
		if (declares(s->child[i]))
			return true;
	return false;
}

static void print_block(struct text *t, const struct printer *p,
	const struct ks *s)
{
	bool braces = s->braces;

	for (int i = 0; s->scope && i < s->n_children; i++)
		braces = braces || declares(s->child[i]);
	if (braces)
		print_scope(t, p, s);
	else
		print_children(t, p, s);
}

/* Fields of constant sizes are arrays in the kernel, pointers on the host. */
static void print_arguments(struct text *t, const struct printer *p,
	const struct ks *launch)
{
	for (int i = 3; i < launch->n_x; i++) {
		const struct field *field = launch->x[i]->field;

		text_puts(t, i > 3 ? ", " : "");
		if (field && field_is_constant(field) && field->n_dims +
		    (p->unit->scop->field[field->index].buffers > 1) > 1) {
			text_puts(t, "(");
			print_cells_pointer(t, p, field, false, "");
			text_puts(t, ")");
		}
		print_kx(t, p->say, launch->x[i]);
	}
}

/* name<<<..>>>(..); */
static void print_launch(struct text *t, const struct printer *p,
	const struct ks *s)
{
	struct text line = { 0 };

	text_printf(&line, "%s<<<", s->name);
	for (int i = 0; i < 3; i++) {
		print_kx(&line, p->say, s->x[i]);
		text_puts(&line, ", ");
	}
	text_printf(&line, "%s>>>(", p->unit->stream_name);
	print_arguments(&line, p, s);
	take_line(t, &line, ");");
}

/* A cooperative launch takes its arguments from variables. */
static void print_cooperative_launch(struct text *t, const struct printer *p,
	const struct ks *s)
{
	struct text line = { 0 };

	text_printf(&line, "void *%s[] = { ", s->addresses);
	for (int i = 3; i < s->n_x; i++)
		text_printf(&line, "%s(void *)&%s", i > 3 ? ", " : "",
			s->x[i]->name);
	take_line(t, &line, " };");
	text_printf(&line, "if ((%s = %s%s, ", p->unit->error_name,
		builtin_word(p->say, RT_LAUNCH_TOGETHER), s->name);
	print_kx(&line, p->say, s->x[0]);
	text_puts(&line, ", ");
	print_kx(&line, p->say, s->x[1]);
	text_printf(&line, ", %s, ", s->addresses);
	print_kx(&line, p->say, s->x[2]);
	text_printf(&line, ", %s", p->unit->stream_name);
	text_printf(&line, ")) != %s", builtin_word(p->say, W_SUCCESS));
	take_line(t, &line, ")");
	text_printf(t, "\tgoto %s;\n", p->unit->out_name);
}

void print_directive(struct text *t, const struct directive *d)
{
	static const char *const name[] = {
		[OMP_PARALLEL] = "parallel", [OMP_FOR] = "for",
		[OMP_SIMD] = "simd", [OMP_FOR_SIMD] = "for simd",
		[OMP_SINGLE] = "single", [OMP_BARRIER] = "barrier",
		[OMP_ATOMIC_WRITE] = "atomic write",
		[OMP_DONE] = "ordered depend(source)",
	};

	if (d->kind == OMP_SIMD_LINE) {
		text_printf(t, "STENCILC_SIMD(%d)", d->lanes);
		return;
	}
	if (d->kind == OMP_AFTER) {
		text_printf(t, "ordered depend(sink: %s - 1, %s)", d->after[0],
			d->after[1]);
		return;
	}
	text_puts(t, name[d->kind]);
	if (d->ordered)
		text_printf(t, " ordered(%d)", d->ordered);
	if (d->lanes)
		text_printf(t, " simdlen(%d)", d->lanes);
	if (d->schedule == OMP_STATIC)
		text_puts(t, " schedule(static)");
	if (d->schedule == OMP_IN_TURN)
		text_puts(t, " schedule(static, 1)");
	if (d->collapse > 1)
		text_printf(t, " collapse(%d)", d->collapse);
	if (d->schedule == OMP_RUNTIME)
		text_puts(t, " schedule(runtime)");
	if (d->nowait)
		text_puts(t, " nowait");
}

static void print_extents(struct text *t, const struct ks *s, int first)
{
	for (int i = first; i < s->n_x; i++)
		text_printf(t, "[%lld]", (long long) s->x[i]->ivalue);
}

static void print_list_of(struct text *line, const struct printer *p,
	const struct ks *s)
{
	text_puts(line, s->is_static ? "static " : "");
	print_declarator(line, p->say, s->c_type, s->name);
	text_puts(line, "[] = { ");
	for (int i = 0; i < s->n_x; i++) {
		text_puts(line, i ? ", " : "");
		print_kx(line, p->say, s->x[i]);
	}
}

static void print_array(struct text *t, const struct printer *p,
	const struct ks *s)
{
	if (s->offset < 0 && !s->at) {
		text_printf(t, "%s%s", s->is_shared ? p->say->shared : "",
			s->is_aligned ? p->say->aligned : "");
		print_declarator(t, p->say, s->c_type, s->name);
		print_extents(t, s, 0);
		return;
	}
	print_type(t, p->say, s->c_type);
	text_printf(t, " (*const %s)", s->name);
	print_extents(t, s, 1);
	if (s->at) {
		text_puts(t, " = ");
		print_kx(t, p->say, s->at);
		return;
	}
	text_puts(t, " = (");
	print_type(t, p->say, s->c_type);
	text_puts(t, " (*)");
	print_extents(t, s, 1);
	text_puts(t, ")(stencilc_shared");
	if (s->offset > 0 || !s->further)
		text_printf(t, " + %lld", (long long) s->offset);
	if (s->further) {
		text_puts(t, " + ");
		print_operand(t, p->say, s->further,
			op_info(OP_ADD)->precedence + 1);
	}
	text_puts(t, ")");
}

/* Record which expression of the program the value of "s" computes. */
static void note_value(struct text *t, const struct ks *s)
{
	const struct kx *value = s->n_x ? s->x[s->n_x - 1] : NULL;

	if ((s->kind == KS_DECLARE || s->kind == KS_ASSIGN) && value &&
	    value->of)
		text_mark(t, value->of);
}

/* A call of the run-time library whose result the code ignores. */
static bool drops_error(const struct kx *x)
{
	return x->kind == KX_BUILTIN && x->builtin >= RT_NEW &&
		x->builtin <= RT_LAUNCH_TOGETHER;
}

static void print_ks(struct text *t, const struct printer *p,
	const struct ks *s)
{
	struct text_marks notes = { .mem = t->marks ? t->marks->mem : NULL };
	struct text line = { .marks = t->marks ? &notes : NULL };

	note_value(t, s);

	switch (s->kind) {
	case KS_BLOCK:
		print_block(t, p, s);
		return;
	case KS_DECLARE:
		print_declarator(&line, p->say, s->c_type, s->name);
		if (s->n_x) {
			text_puts(&line, " = ");
			print_kx(&line, p->say, s->x[0]);
		}
		take_line(t, &line, ";");
		return;
	case KS_ARRAY:
		print_array(&line, p, s);
		take_line(t, &line, s->is_zeroed ? " = {};" : ";");
		return;
	case KS_LIST:
		print_list_of(&line, p, s);
		take_line(t, &line, " };");
		return;
	case KS_ASSIGN:
		print_kx(&line, p->say, s->x[0]);
		text_puts(&line, " = ");
		print_kx(&line, p->say, s->x[1]);
		take_line(t, &line, ";");
		return;
	case KS_FOR:
		print_for(t, p, s);
		return;
	case KS_IF:
		print_if(t, p, s);
		return;
	case KS_BARRIER:
		text_printf(t, "%s);\n", builtin_word(p->say, B_BLOCK_BARRIER));
		return;
	case KS_EXPRESSION:
		text_puts(&line, drops_error(s->x[0]) ? p->say->dropped : "");
		print_kx(&line, p->say, s->x[0]);
		take_line(t, &line, ";");
		return;
	case KS_CHECKED:
		text_printf(&line, "if ((%s = ", p->unit->error_name);
		print_kx(&line, p->say, s->x[0]);
		text_printf(&line, ") != %s", builtin_word(p->say, W_SUCCESS));
		take_line(t, &line, ")");
		text_printf(t, "\tgoto %s;\n", p->unit->out_name);
		return;
	case KS_LAUNCH:
		(s->addresses ? print_cooperative_launch : print_launch)(t,
			p, s);
		return;
	case KS_RETURN:
		text_puts(&line, s->n_x ? "return " : "return");
		if (s->n_x)
			print_kx(&line, p->say, s->x[0]);
		take_line(t, &line, ";");
		return;
	case KS_GOTO:
		text_printf(t, "goto %s;\n", s->name);
		return;
	case KS_DIRECTIVE:
		text_puts(t, "OMP(");
		print_directive(t, &s->directive);
		text_puts(t, ")\n");
		return;
	case KS_COMMENT:
		print_comment(t, s->name);
		return;
	case KS_BLANK:
		text_puts(t, "\n");
		return;
	case KS_LABEL:
		t->indent--;
		text_printf(t, "%s:\n", s->name);
		t->indent++;
		return;
	}
}

/* Lines of "prefix" before its last one are whole. */
static void print_signature(struct text *t, const struct printer *p,
	const struct kfunc *f, const char *prefix, const char *end)
{
	struct text line = { 0 };
	const char *next;

	while ((next = strchr(prefix, '\n')) && next[1]) {
		text_printf(t, "%.*s\n", (int) (next - prefix), prefix);
		prefix = next + 1;
	}
	text_puts(&line, prefix);
	print_declarator(&line, p->say, f->c_type, f->name);
	text_puts(&line, "(");
	for (int i = 0; i < f->n_params; i++) {
		text_puts(&line, i ? ", " : "");
		print_param(&line, p, &f->param[i]);
	}
	text_puts(&line, f->n_params ? ")" : "void)");
	take_line(t, &line, end);
}

void print_prototype(struct text *t, const struct printer *p,
	const struct kfunc *f)
{
	print_signature(t, p, f, "", ";");
}

void print_typedef(struct text *t, const struct kstruct *s)
{
	text_printf(t, "typedef struct %s %s;\n", s->name, s->name);
}

static void print_struct(struct text *t, const struct printer *p,
	const struct kstruct *s)
{
	print_typedef(t, s);
	text_puts(t, "\n");
	print_comment(t, s->comment);
	text_printf(t, "struct %s {\n", s->name);
	t->indent++;
	for (int i = 0; i < s->n_members; i++) {
		print_param(t, p, &s->member[i]);
		text_puts(t, ";\n");
	}
	t->indent--;
	text_puts(t, "};\n\n");
}

void print_function(struct text *t, const struct printer *p,
	const struct kfunc *f, const char *prefix)
{
	if (f->before)
		print_struct(t, p, f->before);
	if (f->comment)
		print_comment(t, f->comment);
	print_signature(t, p, f, prefix, "");
	text_puts(t, "{\n");
	t->indent++;
	print_children(t, p, f->body);
	t->indent--;
	text_puts(t, "}\n\n");
}
