/* A JSON description of the generated functions, for programs that call them.
 *
 *	{"name": "heat2d", "target": "cuda", "functions": ["heat2d_device", "heat2d"],
 *	"arguments": [
 *	{"name": "N", "kind": "param", "type": "int"},
 *	{"name": "A", "kind": "state", "type": "float", "copies": 1,
 *	"shape": [["+", "N", 1], 100]}]}
 *
 * A size is a number, the name of an argument, or an operator with operands, with C's meaning.
 */
#include "base/json.h"
#include "codegen/host/harness.h"
#include "ir/components.h"

static void print_extent(struct json *j, const struct expr *e)
{
	int64_t value;

	if (expr_constant(e, &value)) {
		json_int(j, NULL, value);
	} else if (e->kind == EXPR_PARAM && e->param->fixed) {
		json_int(j, NULL, e->param->ivalue);
	} else if (e->kind == EXPR_PARAM) {
		json_string(j, NULL, e->param->name);
	} else {
		json_open(j, NULL, '[');
		json_string(j, NULL, op_info(e->op)->spelling);
		for (int i = 0; i < e->n_args; i++)
			print_extent(j, e->arg[i]);
		json_close(j, ']');
	}
}

static const char *kind_of(const struct program *prog, const struct field *f)
{
	return f->kind == FIELD_INPUT ? "input" : f->kind == FIELD_STATE ?
		"state" : f == prog->steps ? "steps" : f->is_result ?
		"result" : "output";
}

static void print_field(struct json *j, const struct program *prog,
	const struct field *f)
{
	json_string(j, "name", f->name);
	json_string(j, "kind", kind_of(prog, f));
	json_string(j, "type", field_numbers(f) == 1 ? type_name(f->type) :
		f->type == TYPE_FLOAT ? "complex float" : "complex double");
	json_int(j, "copies", field_copies(f));
	json_bool(j, "scalar", f->is_scalar || f == prog->steps);
	json_open(j, "shape", '[');
	for (int d = 0; d < f->n_dims; d++)
		print_extent(j, f->size[d]);
	json_close(j, ']');
}

static void print_param(struct json *j, const struct param *p)
{
	json_string(j, "name", p->name);
	json_string(j, "kind", "param");
	json_string(j, "type", type_name(p->type));
}

void print_signature(struct text *t, const struct target *target,
	const struct kunit *unit)
{
	const struct program *prog = unit->prog;
	struct json j = { .text = t };

	json_open(&j, NULL, '{');
	json_string(&j, "name", prog->name);
	json_string(&j, "target", target->name);
	json_open(&j, "functions", '[');
	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (f->is_exported)
			json_string(&j, NULL, f->name);
	json_close(&j, ']');
	json_line(&j);
	json_open(&j, "arguments", '[');
	for (int i = 0; i < prog->n_args; i++) {
		json_line(&j);
		json_open(&j, NULL, '{');
		if (prog->arg[i].param)
			print_param(&j, prog->arg[i].param);
		else
			print_field(&j, prog, prog->arg[i].field);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	text_puts(t, "\n");
}
