/* The generated functions for programs that call them: a description in JSON.
 *
 *	{"name": "heat2d", "target": "cuda", "functions": ["heat2d_device", "heat2d"],
 *	"arguments": [
 *	{"name": "N", "kind": "param", "type": "int"},
 *	{"name": "A", "kind": "state", "type": "float", "copies": 1,
 *	"shape": [["+", "N", 1], 100]}]}
 *
 * A size is a number, the name of an argument, or an operator with operands, as C means it.
 */
#include "codegen/host/harness.h"

static void print_extent(struct text *t, const struct program *prog,
	const struct expr *e)
{
	int64_t value;

	if (expr_constant(e, &value)) {
		text_printf(t, "%lld", (long long) value);
	} else if (e->kind == EXPR_PARAM && e->param->fixed) {
		text_printf(t, "%lld", (long long) e->param->ivalue);
	} else if (e->kind == EXPR_PARAM) {
		text_printf(t, "\"%s\"", e->param->name);
	} else {
		text_printf(t, "[\"%s\"", op_info(e->op)->spelling);
		for (int i = 0; i < e->n_args; i++) {
			text_puts(t, ", ");
			print_extent(t, prog, e->arg[i]);
		}
		text_puts(t, "]");
	}
}

static const char *kind_of(const struct program *prog, const struct field *f)
{
	return f->kind == FIELD_INPUT ? "input" : f->kind == FIELD_STATE ?
		"state" : f == prog->steps ? "steps" : f->is_result ?
		"result" : "output";
}

static void print_field(struct text *t, const struct program *prog,
	const struct field *f)
{
	text_printf(t, "{\"name\": \"%s\", \"kind\": \"%s\", \"type\": \"%s\", "
		"\"copies\": %d, \"scalar\": %s,\n\"shape\": [", f->name,
		kind_of(prog, f), type_name(f->type), field_copies(f),
		f->is_scalar || f == prog->steps ? "true" : "false");
	for (int d = 0; d < f->n_dims; d++) {
		text_puts(t, d ? ", " : "");
		print_extent(t, prog, f->size[d]);
	}
	text_puts(t, "]}");
}

void print_signature(struct text *t, const struct target *target,
	const struct kunit *unit)
{
	const struct program *prog = unit->prog;
	const char *before = "";

	text_printf(t, "{\"name\": \"%s\", \"target\": \"%s\", \"functions\": [",
		prog->name, target->name);
	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (f->is_exported) {
			text_printf(t, "%s\"%s\"", before, f->name);
			before = ", ";
		}
	text_puts(t, "],\n\"arguments\": [");
	for (int i = 0; i < prog->n_args; i++) {
		const struct argument *arg = &prog->arg[i];

		text_puts(t, i ? ",\n" : "\n");
		if (arg->param)
			text_printf(t, "{\"name\": \"%s\", \"kind\": \"param\", "
				"\"type\": \"%s\"}", arg->param->name,
				type_name(arg->param->type));
		else
			print_field(t, prog, arg->field);
	}
	text_puts(t, "]}\n");
}
