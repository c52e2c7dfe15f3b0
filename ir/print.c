/* The program as .stn text, see ir.h. */
#include "base/number.h"
#include "ir/reduction.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	PRECEDENCE_SELECT = 3,
	PRECEDENCE_UNARY = 14,
	PRECEDENCE_PRIMARY = 15,
};

static bool is_exact(enum type type, const char *s, double value)
{
	return type == TYPE_FLOAT ? strtof(s, NULL) == (float) value :
		strtod(s, NULL) == value;
}

void ir_print_real(struct text *t, enum type type, double value)
{
	char s[40];
	int digits = 1;

	do
		snprintf(s, sizeof(s), "%.*g", digits, value);
	while (!is_exact(type, s, value) && ++digits <= 17);
	text_puts(t, s);
	if (!strpbrk(s, ".en"))
		text_puts(t, ".0");
	if (type == TYPE_FLOAT)
		text_puts(t, "f");
}

static int precedence(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY:
	case EXPR_CAST:
		return PRECEDENCE_UNARY;
	case EXPR_BINARY:
		return op_info(e->op)->precedence;
	case EXPR_SELECT:
		return PRECEDENCE_SELECT;
	default:
		return PRECEDENCE_PRIMARY;
	}
}

/* Print "e" as an operand that must bind at least as tightly as "least". */
static void print_operand(struct text *t, const struct expr *e, int least)
{
	bool parentheses = precedence(e) < least;

	if (parentheses)
		text_puts(t, "(");
	ir_print_expr(t, e);
	if (parentheses)
		text_puts(t, ")");
}

static void print_offset(struct text *t, int64_t stride, const char *name,
	int64_t offset)
{
	text_puts(t, "[");
	if (stride != 1)
		text_printf(t, "%" PRId64 "*", stride);
	text_puts(t, name);
	if (offset)
		text_printf(t, "%+" PRId64, offset);
	text_puts(t, "]");
}

/* [(stride*name + offset)/divisor], for a sum that is not negative */
static void print_quotient(struct text *t, int64_t stride, const char *name,
	int64_t offset, int64_t divisor)
{
	int64_t whole = floor_div(offset, divisor);
	int64_t rest = offset - whole * divisor;

	text_puts(t, rest ? "[(" : "[");
	if (stride != 1)
		text_printf(t, "%" PRId64 "*", stride);
	text_puts(t, name);
	if (rest)
		text_printf(t, "+%" PRId64 ")", rest);
	text_printf(t, "/%" PRId64, divisor);
	if (whole)
		text_printf(t, "%+" PRId64, whole);
	text_puts(t, "]");
}

static void print_subscript(struct text *t, const struct access *a, int i)
{
	char number[16];
	const char *name = number;

	if (a->dim[i] < 0) {
		text_printf(t, "[%" PRId64 "]", a->offset[i]);
		return;
	}
	snprintf(number, sizeof(number), "x%d", a->dim[i]);
	if (a->iterator)
		name = a->iterator[a->dim[i]];
	if (a->divisor[i] != 1)
		print_quotient(t, a->stride[i], name, a->offset[i],
			a->divisor[i]);
	else
		print_offset(t, a->stride[i], name, a->offset[i]);
}

static void print_access(struct text *t, const struct access *a)
{
	text_puts(t, a->field->name);
	if (a->field->kind == FIELD_STATE && !a->field->is_hidden)
		print_offset(t, 1, a->time_name ? a->time_name : "t",
			a->version);
	for (int i = 0; i < a->field->n_dims; ++i)
		print_subscript(t, a, i);
}

static void print_call(struct text *t, const struct expr *e)
{
	text_printf(t, "%s(", op_info(e->op)->spelling);
	for (int i = 0; i < e->n_args; ++i) {
		text_puts(t, i ? ", " : "");
		ir_print_expr(t, e->arg[i]);
	}
	text_puts(t, ")");
}

static void print_element(struct text *t, const struct expr *e)
{
	text_puts(t, e->field->name);
	for (int i = 0; i < e->n_args && !e->field->is_scalar; ++i) {
		text_puts(t, "[");
		ir_print_expr(t, e->arg[i]);
		text_puts(t, "]");
	}
}

static void print_binary(struct text *t, const struct expr *e)
{
	const struct op_info *op = op_info(e->op);

	print_operand(t, e->arg[0], op->precedence);
	text_printf(t, " %s ", op->spelling);
	print_operand(t, e->arg[1], op->precedence + 1);
}

static void print_select(struct text *t, const struct expr *e)
{
	print_operand(t, e->arg[0], PRECEDENCE_SELECT + 1);
	text_puts(t, " ? ");
	ir_print_expr(t, e->arg[1]);
	text_puts(t, " : ");
	print_operand(t, e->arg[2], PRECEDENCE_SELECT);
}

static void print_literal(struct text *t, const struct expr *e)
{
	if (e->spelling)
		text_puts(t, e->spelling);
	else if (e->kind == EXPR_INT)
		text_printf(t, "%" PRId64, e->ivalue);
	else
		ir_print_real(t, e->type, e->rvalue);
}

static void print_index(struct text *t, const struct expr *e)
{
	if (e->spelling)
		text_puts(t, e->spelling);
	else
		text_printf(t, "x%d", e->dim);
}

void ir_print_expr(struct text *t, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
	case EXPR_REAL:
		print_literal(t, e);
		break;
	case EXPR_PARAM:
		text_puts(t, e->param->name);
		break;
	case EXPR_INDEX:
		print_index(t, e);
		break;
	case EXPR_TIME:
		text_puts(t, e->spelling ? e->spelling : "t");
		break;
	case EXPR_READ:
		print_access(t, e->access);
		break;
	case EXPR_LOCAL:
		text_puts(t, e->local->name);
		break;
	case EXPR_NUMBER:
	case EXPR_OWN:
		text_puts(t, e->spelling);
		break;
	case EXPR_UNARY:
		text_puts(t, op_info(e->op)->spelling);
		print_operand(t, e->arg[0], PRECEDENCE_UNARY + 1);
		break;
	case EXPR_CAST:
		text_printf(t, "(%s) ", type_name(e->type));
		print_operand(t, e->arg[0], PRECEDENCE_UNARY);
		break;
	case EXPR_BINARY:
		print_binary(t, e);
		break;
	case EXPR_SELECT:
		print_select(t, e);
		break;
	case EXPR_CALL:
		print_call(t, e);
		break;
	case EXPR_ELEMENT:
		print_element(t, e);
		break;
	case EXPR_COMPLEX:
		break;
	}
}

/* Declarations -------------------------------------------------------------*/

static void print_field(struct text *t, const struct field *f)
{
	static const char *const kinds[] = {
		"state", "input", "output", "temp", "output"
	};

	if (f->made_of)
		return;
	text_printf(t, "%s %s %s", f->is_result ? "result" :
		kinds[f->is_hidden ? FIELD_TEMP : f->kind],
		type_name(f->type),
		f->name);
	for (int i = 0; i < f->n_dims && !f->is_scalar; ++i) {
		text_puts(t, "[");
		ir_print_expr(t, f->size[i]);
		text_puts(t, "]");
	}
	text_puts(t, ";\n");
}

static void print_boundary(struct text *t, const struct boundary *b)
{
	text_puts(t, boundary_info(b->kind)->word);
	if (b->kind != BOUNDARY_VALUE)
		return;
	text_puts(t, "(");
	ir_print_expr(t, b->value);
	text_puts(t, ")");
}

/* For "both" ends, or one. */
static void print_side(struct text *t, const struct field *f, int d,
	enum side side, bool both)
{
	const struct boundary *b = &f->boundary[d][side];

	if (b->kind == BOUNDARY_FIXED)
		return;
	text_printf(t, "boundary %s[%d]%s = ", f->name, d,
		both ? "" : side == SIDE_LOW ? ".low" : ".high");
	print_boundary(t, b);
	text_puts(t, ";\n");
}

static void print_boundaries(struct text *t, const struct field *f)
{
	for (int d = 0; d < f->n_dims; ++d) {
		const struct boundary *b = f->boundary[d];
		bool both = b[SIDE_LOW].kind == b[SIDE_HIGH].kind &&
			b[SIDE_LOW].value == b[SIDE_HIGH].value;

		print_side(t, f, d, SIDE_LOW, both);
		if (!both)
			print_side(t, f, d, SIDE_HIGH, false);
	}
}

static bool any_mentions(int n, const struct expr *const *e,
	const struct param *p)
{
	for (int i = 0; i < n; ++i)
		if (expr_uses(e[i], p))
			return true;
	return false;
}

static bool field_mentions(const struct field *f, const struct param *p)
{
	for (int i = 0; i < f->n_dims; ++i)
		for (int side = 0; side < SIDES; ++side)
			if (f->boundary[i][side].value &&
			    expr_uses(f->boundary[i][side].value, p))
				return true;
	return any_mentions(f->n_dims, f->size, p);
}

static bool listed_mentions(const struct listed *l, const struct param *p)
{
	const struct list *list = l->list;

	return expr_uses(l->value, p) ||
		any_mentions(l->n_conditions, l->condition, p) ||
		(list && (expr_uses(list->begin, p) || expr_uses(list->end,
			p) || any_mentions(list->grid->n_dims, list->place,
			p))) || (l->series && any_mentions(l->series->n_dims, l->subscript, p));
}

static bool stmt_mentions(const struct stmt *s, const struct param *p)
{
	for (const struct local *l = s->locals; l; l = l->next)
		if (expr_uses(l->value, p))
			return true;
	for (int i = 0; i < s->n_listed; ++i)
		if (listed_mentions(s->listed[i], p))
			return true;
	return expr_uses(s->value, p) ||
		any_mentions(s->n_conditions, s->condition, p);
}

/* Does the program still contain "x"?  A fixed parameter may have become part
 * of a number.
 */
static bool is_left(const struct program *p, const struct param *x)
{
	if (!x->fixed || any_mentions(p->n_assumes, p->assume, x))
		return true;
	if (p->timed && (expr_uses(p->begin, x) || expr_uses(p->end, x)))
		return true;
	for (int i = 0; i < p->n_fields; ++i)
		if (field_mentions(p->field[i], x))
			return true;
	for (int i = 0; i < p->n_stmts; ++i)
		if (stmt_mentions(p->stmt[i], x))
			return true;
	for (int i = 0; i < p->n_reductions; ++i)
		if (stmt_mentions(p->reduction[i]->point, x))
			return true;
	return p->until && expr_uses(p->until, x);
}

static void print_param(struct text *t, const struct program *program,
	const struct param *p)
{
	double magnitude = p->rvalue < 0 ? -p->rvalue : p->rvalue;

	if (!is_left(program, p))
		return;
	text_printf(t, "param %s %s", type_name(p->type), p->name);
	if (p->fixed && p->type == TYPE_INT) {
		text_printf(t, " = %" PRId64, p->ivalue);
	} else if (p->fixed) {
		text_puts(t, p->rvalue < 0 ? " = -" : " = ");
		ir_print_real(t, p->type, magnitude);
	}
	text_puts(t, ";\n");
}

/* Parameters and fields in the order declared. */
static void print_declarations(struct text *t, const struct program *p)
{
	int param = 0, field = 0;

	while (param < p->n_params || field < p->n_fields) {
		if (field == p->n_fields ||
		    (param < p->n_params && p->param[param]->at.start <=
		     p->field[field]->at.start))
			print_param(t, p, p->param[param++]);
		else if (p->field[field] != p->steps)
			print_field(t, p->field[field++]);
		else
			field++;
	}
	for (int i = 0; i < p->n_fields; ++i)
		print_boundaries(t, p->field[i]);
}

/* Statements ---------------------------------------------------------------*/

static bool has_local(const struct stmt *s, const char *name)
{
	for (const struct local *l = s->locals; l; l = l->next)
		if (!strcmp(l->name, name))
			return true;
	return false;
}

/* Does a statement before "s" use the let "l", too?  Reductions come after statements. */
static bool is_printed(const struct program *p, const struct stmt *s,
	const struct local *l)
{
	for (int i = 0; i < s->index; ++i)
		if (has_local(i < p->n_stmts ? p->stmt[i] :
		    p->reduction[i - p->n_stmts]->point, l->name))
			return true;
	return false;
}

static void print_subscripts(struct text *t, int n,
	const struct expr *const *subscript)
{
	for (int i = 0; i < n; ++i) {
		text_puts(t, "[");
		ir_print_expr(t, subscript[i]);
		text_puts(t, "]");
	}
}

/* [si[p]][sj[p]], or (x[p], y[p]) */
static void print_place(struct text *t, int n, const struct list *list)
{
	if (!list->is_between) {
		print_subscripts(t, n, list->place);
		return;
	}
	for (int i = 0; i < n; ++i) {
		text_puts(t, i ? ", " : "(");
		ir_print_expr(t, list->place[i]);
	}
	text_puts(t, ")");
}

/* on (condition) snap[t / 10][i][j] = value; */
static void print_record(struct text *t, const struct listed *l)
{
	for (int i = 0; i < l->n_conditions; ++i) {
		text_puts(t, "on (");
		ir_print_expr(t, l->condition[i]);
		text_puts(t, ") ");
	}
	text_puts(t, l->series->name);
	print_subscripts(t, l->series->n_dims, l->subscript);
	text_puts(t, " = ");
	ir_print_expr(t, l->value);
	text_puts(t, ";\n");
}

/* at p = 0 .. P { u[t+1][si[p]][sj[p]] = value; } */
static void print_listed(struct text *t, const struct program *p,
	const struct stmt *s, const struct listed *l)
{
	text_printf(t, "at %s = ", l->list->index);
	ir_print_expr(t, l->list->begin);
	text_puts(t, " .. ");
	ir_print_expr(t, l->list->end);
	text_puts(t, " { ");
	if (l->series) {
		text_puts(t, l->series->name);
		print_subscripts(t, l->series->n_dims, l->subscript);
	} else {
		text_printf(t, "%s[%s+1]", s->write->field->name,
			p->time_name);
		print_place(t, s->n_dims, l->list);
	}
	text_puts(t, l->addend ? " += " : " = ");
	ir_print_expr(t, l->addend ? l->addend : l->value);
	text_puts(t, "; }\n");
}

static void print_lets(struct text *t, const struct program *p,
	const struct stmt *s)
{
	for (const struct local *l = s->locals; l; l = l->next) {
		if (is_printed(p, s, l))
			continue;
		text_printf(t, "let %s = ", l->name);
		ir_print_expr(t, l->value);
		text_puts(t, ";\n");
	}
}

static void print_conditions(struct text *t, const struct stmt *s)
{
	for (int i = 0; i < s->n_conditions; ++i) {
		text_puts(t, "on (");
		ir_print_expr(t, s->condition[i]);
		text_puts(t, ") ");
	}
}

static void print_reduction(struct text *t, const struct program *p, int i)
{
	const struct reduction *r = p->reduction[i];
	struct stmt point = *r->point;

	point.index = p->n_stmts + i;
	print_lets(t, p, &point);
	print_conditions(t, &point);
	text_printf(t, "%s = %s (", r->result->name, reduce_name(r->how));
	for (int d = 0; d < point.n_dims; d++)
		text_printf(t, "%s%s", d ? ", " : "", point.iterator[d]);
	text_puts(t, ") ");
	print_operand(t, point.value, PRECEDENCE_UNARY + 1);
	text_printf(t, " every %" PRId64 ";\n", r->every);
}

static void print_stmt(struct text *t, const struct program *p,
	const struct stmt *s)
{
	print_lets(t, p, s);
	print_conditions(t, s);
	text_puts(t, s->sweeps ? "sweep " : "");
	print_access(t, s->write);
	text_puts(t, " = ");
	ir_print_expr(t, s->value);
	text_puts(t, ";\n");
	/* What several statements list is printed behind the last of them. */
	for (int i = 0; i < s->n_listed; ++i) {
		if (program_lists_later(p, s->index, s->listed[i]))
			continue;
		if (s->listed[i]->list)
			print_listed(t, p, s, s->listed[i]);
		else
			print_record(t, s->listed[i]);
	}
}

static void open_time_loop(struct text *t, const struct program *p)
{
	text_printf(t, "iterate %s = ", p->time_name);
	ir_print_expr(t, p->begin);
	text_puts(t, " .. ");
	ir_print_expr(t, p->end);
	text_puts(t, " {\n");
	++t->indent;
}

static void close_brace(struct text *t)
{
	--t->indent;
	text_puts(t, "}\n");
}

void ir_print(struct text *t, const struct program *p)
{
	text_printf(t, "stencil %s {\n", p->name);
	++t->indent;
	print_declarations(t, p);
	for (int i = 0; i < p->n_assumes; ++i) {
		text_puts(t, "assume ");
		ir_print_expr(t, p->assume[i]);
		text_puts(t, ";\n");
	}
	if (p->timed)
		open_time_loop(t, p);
	for (int i = 0; i < p->n_stmts; ++i)
		print_stmt(t, p, p->stmt[i]);
	for (int i = 0; i < p->n_reductions; ++i)
		print_reduction(t, p, i);
	if (p->until) {
		text_puts(t, "until ");
		ir_print_expr(t, p->until);
		text_puts(t, ";\n");
	}
	if (p->timed)
		close_brace(t);
	close_brace(t);
}
