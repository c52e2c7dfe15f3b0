/* The text of plans, see handles.h. */
#include "codegen/host/handles.h"

#include <string.h>

#include "codegen/tree/print.h"

/* Bounds of the time -------------------------------------------------------- */

struct search {
	const struct param *param;
	bool found;
};

static void look_at(void *user, const struct expr *e)
{
	struct search *s = user;

	s->found |= expr_uses(e, s->param);
}

static void look_at_statement(struct search *s, const struct stmt *stmt)
{
	stmt_each_expr(stmt, look_at, s);
	stmt_each_boundary_expr(stmt, look_at, s);
	stmt_each_listed_expr(stmt, look_at, s);
}

static void look_at_list(struct search *s, const struct list *l)
{
	look_at(s, l->begin);
	look_at(s, l->end);
	for (int d = 0; d < l->grid->n_dims; d++)
		look_at(s, l->place[d]);
}

/* Does something use "param" but the bounds of the time? */
static bool is_used_elsewhere(const struct program *prog,
	const struct param *param)
{
	struct search s = { param, false };

	for (int i = 0; i < prog->n_fields; i++)
		for (int d = 0; d < prog->field[i]->n_dims; d++)
			look_at(&s, prog->field[i]->size[d]);
	for (int i = 0; i < prog->n_stmts; i++)
		look_at_statement(&s, prog->stmt[i]);
	for (int i = 0; i < prog->n_reductions; i++)
		look_at_statement(&s, prog->reduction[i]->point);
	for (int i = 0; i < prog->n_lists; i++)
		look_at_list(&s, prog->list[i]);
	for (int i = 0; i < prog->n_assumes; i++)
		look_at(&s, prog->assume[i]);
	if (prog->until)
		look_at(&s, prog->until);
	return s.found;
}

static bool is_bound(const struct program *prog, const struct param *p)
{
	return prog->timed && !p->fixed && p->type == TYPE_INT &&
		(expr_uses(program_begin(prog), p) ||
		 expr_uses(program_end(prog), p)) &&
		!is_used_elsewhere(prog, p);
}

const struct handles *handles_new(const struct host *h,
	const struct kfunc *check, bool has_memory)
{
	struct handles *handles = region_new_of(h->mem, struct handles);
	bool *bound = region_array(h->mem, bool, h->prog->n_params + 1);

	for (int i = 0; i < h->prog->n_params; i++)
		bound[i] = is_bound(h->prog, h->prog->param[i]);
	*handles = (struct handles) { .check = host_check_call(h, check),
		.has_memory = has_memory, .has_plans = h->n_plans > 0,
		.is_bound = bound };
	return handles;
}

bool unit_waits(const struct kunit *unit)
{
	return unit->prog->n_lists > 0 || unit->prog->until;
}

/* Names and arguments ------------------------------------------------------- */

/* What is printed, and names that the program has not taken. */
struct plans {
	struct text *t;
	const struct spelling *say;
	const struct kunit *unit;
	const struct handles *handles;
	const char *self, *plan, *made, *memory, *bytes, *most, *status, *error;
	const char *stream, *own_stream, *graph, *captured, *runs, *again;
};

static struct plans plans_of(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	struct region *r = unit->mem;
	const struct program *p = unit->prog;

	return (struct plans) {
		.t = t, .say = say, .unit = unit, .handles = unit->handles,
		.self = p->name, .plan = fresh_name(r, p, "plan"),
		.made = fresh_name(r, p, "made"),
		.memory = fresh_name(r, p, "memory"),
		.bytes = fresh_name(r, p, "bytes"),
		.most = fresh_name(r, p, "most"),
		.status = fresh_name(r, p, "status"),
		.error = fresh_name(r, p, "error"),
		.stream = fresh_name(r, p, "stream"),
		.own_stream = fresh_name(r, p, "own_stream"),
		.graph = fresh_name(r, p, "graph"),
		.captured = fresh_name(r, p, "captured"),
		.runs = fresh_name(r, p, "runs"),
		.again = fresh_name(r, p, "again"),
	};
}

static bool is_bound_argument(const struct kunit *unit,
	const struct argument *arg)
{
	for (int i = 0; i < unit->prog->n_params; i++)
		if (unit->prog->param[i] == arg->param)
			return unit->handles->is_bound[i];
	return false;
}

bool is_of_plan(const struct kunit *unit, const struct argument *arg,
	enum of_plan which)
{
	return arg->field ? which == FIELDS : which ==
		(is_bound_argument(unit, arg) ? BOUNDS : SIZES);
}

static bool is_of(const struct plans *p, const struct argument *arg,
	enum of_plan which)
{
	return is_of_plan(p->unit, arg, which);
}

static const char *name_of(const struct argument *arg)
{
	return arg->param ? arg->param->name : arg->field->name;
}

static struct ctype type_of(const struct argument *arg)
{
	return arg->param ? ctype_of(arg->param->type) :
		ctype_pointer(scalar_of(arg->field->type),
			arg->field->kind == FIELD_INPUT);
}

/* For each argument of a kind: "before", its declaration, "after". */
static void print_declared(const struct plans *p, enum of_plan which,
	const char *before, const char *after)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_args; i++)
		if (is_of(p, &prog->arg[i], which)) {
			text_puts(p->t, before);
			print_declarator(p->t, p->say, type_of(&prog->arg[i]),
				name_of(&prog->arg[i]));
			text_puts(p->t, after);
		}
}

/* The arguments of a call, fields among them if "fields". */
static void print_arguments(const struct plans *p, bool fields)
{
	const struct program *prog = p->unit->prog;
	const char *before = "";

	for (int i = 0; i < prog->n_args; i++)
		if (prog->arg[i].param || fields) {
			text_printf(p->t, "%s%s", before, name_of(
				&prog->arg[i]));
			before = ", ";
		}
}

static void print_head_of_create(const struct plans *p)
{
	text_printf(p->t, "int %s_create(%s_plan **%s", p->self, p->self,
		p->plan);
	print_declared(p, SIZES, ", ", "");
	text_puts(p->t, ")");
}

static void print_head_of_run(const struct plans *p)
{
	text_printf(p->t, "int %s_run(%s_plan *%s", p->self, p->self, p->plan);
	print_declared(p, BOUNDS, ", ", "");
	print_declared(p, FIELDS, ", ", "");
	if (p->say->api)
		text_printf(p->t, ", %s %s", p->say->stream, p->stream);
	text_puts(p->t, ")");
}

/* const int N = plan->N; .. */
static void print_sizes_of_plan(const struct plans *p)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_args; i++)
		if (is_of(p, &prog->arg[i], SIZES)) {
			text_puts(p->t, "\tconst ");
			print_declarator(p->t, p->say, type_of(&prog->arg[i]),
				name_of(&prog->arg[i]));
			text_printf(p->t, " = %s->%s;\n", p->plan,
				name_of(&prog->arg[i]));
		}
}

static void print_assignments(const struct plans *p, const char *to,
	enum of_plan which)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_args; i++)
		if (is_of(p, &prog->arg[i], which))
			text_printf(p->t, "\t%s->%s = %s;\n", to,
				name_of(&prog->arg[i]), name_of(&prog->arg[i]));
}

static void print_check(const struct plans *p)
{
	text_printf(p->t, "\tconst int %s = ", p->status);
	print_kx(p->t, p->say, p->handles->check);
	text_puts(p->t, ";\n");
}

/* What stands for bounds while there are none: as C the last of many steps, for which
 * the most memory is taken.
 */
static void print_bounds(const struct plans *p, bool many)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_args; i++) {
		const struct param *x = prog->arg[i].param;

		if (!is_of(p, &prog->arg[i], BOUNDS))
			continue;
		text_printf(p->t, "\tconst int %s = %s;\n", x->name, many &&
			!expr_uses(program_begin(prog), x) ? "1 << 20" : "0");
	}
}

/* A parameter that nothing uses would be a warning. */
static void print_mentioned(const struct plans *p)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_args; i++)
		if (prog->arg[i].param && !p->handles->has_memory &&
		    !kx_uses(p->handles->check, name_of(&prog->arg[i])))
			text_printf(p->t, "\t(void)%s;\n", name_of(
				&prog->arg[i]));
}

/* C -------------------------------------------------------------------------- */

static void print_struct_of_c(const struct plans *p)
{
	text_printf(p->t, "/* What runs of %s_run() have in common. */\n"
		"struct %s_plan {\n", p->self, p->self);
	print_declared(p, SIZES, "\t", ";\n");
	text_printf(p->t, "\tvoid *%s;\n\tsize_t %s;\n};\n\n", p->memory,
		p->bytes);
}

/* Memory that is too small for these bounds goes. */
static void print_reserve_of_c(const struct plans *p)
{
	text_printf(p->t, "static int %s_reserve(%s_plan *%s, size_t %s)\n{\n"
		"\tif (%s <= %s->%s)\n\t\treturn 0;\n", p->self, p->self,
		p->plan, p->bytes, p->bytes, p->plan, p->bytes);
	text_printf(p->t, "\tfree(%s->%s);\n\t%s->%s = stencilc_memory(%s);\n"
		"\t%s->%s = %s->%s ? %s : 0;\n", p->plan, p->memory, p->plan,
		p->memory, p->bytes, p->plan, p->bytes, p->plan, p->memory,
		p->bytes);
	text_printf(p->t, "\treturn %s->%s ? 0 : %d;\n}\n\n", p->plan,
		p->memory, STATUS_NO_MEMORY);
}

static void print_create_of_c(const struct plans *p)
{
	text_puts(p->t, "/* A plan for runs with these sizes, and its memory; "
		"on an error there is none. */\n");
	print_head_of_create(p);
	text_puts(p->t, "\n{\n");
	print_bounds(p, true);
	print_check(p);
	text_printf(p->t, "\t%s_plan *%s;\n\n\t*%s = NULL;\n", p->self, p->made,
		p->plan);
	print_mentioned(p);
	text_printf(p->t, "\tif (%s)\n\t\treturn %s;\n"
		"\t%s = calloc(1, sizeof(*%s));\n"
		"\tif (!%s)\n\t\treturn %d;\n", p->status, p->status, p->made,
		p->made, p->made, STATUS_NO_MEMORY);
	print_assignments(p, p->made, SIZES);
	if (p->handles->has_memory) {
		text_printf(p->t, "\tif (%s_reserve(%s, %s_memory(", p->self,
			p->made, p->self);
		print_arguments(p, false);
		text_printf(p->t, "))) {\n\t\tfree(%s);\n\t\treturn %d;\n\t}\n",
			p->made, STATUS_NO_MEMORY);
	}
	text_printf(p->t, "\t*%s = %s;\n\treturn 0;\n}\n\n", p->plan, p->made);
}

/* Does an argument have the name of the function? */
static bool is_shadowed(const struct plans *p)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_args; i++)
		if (!strcmp(name_of(&prog->arg[i]), p->self))
			return true;
	return false;
}

/* static int (*const NAME_itself)(types) = NAME; */
static void print_itself(const struct plans *p)
{
	const struct program *prog = p->unit->prog;

	text_printf(p->t, "static int (*const %s_itself)(", p->self);
	for (int i = 0; i < prog->n_args; i++) {
		text_puts(p->t, i ? ", " : "");
		print_type(p->t, p->say, type_of(&prog->arg[i]));
	}
	text_printf(p->t, ") = %s;\n\n", p->self);
}

static void print_run_of_c(const struct plans *p)
{
	text_printf(p->t, "/* %s() in the plan's memory: runs of a plan come "
		"one after the other. */\n", p->self);
	print_head_of_run(p);
	text_puts(p->t, "\n{\n");
	print_sizes_of_plan(p);
	if (p->handles->has_memory) {
		text_printf(p->t, "\tconst int %s = %s_reserve(%s, %s_memory(",
			p->status, p->self, p->plan, p->self);
		print_arguments(p, false);
		text_printf(p->t, "));\n\n\tif (%s)\n\t\treturn %s;\n"
			"\treturn %s_with_memory(", p->status, p->status,
			p->self);
		print_arguments(p, true);
		text_printf(p->t, ", %s->%s);\n}\n\n", p->plan, p->memory);
		return;
	}
	text_printf(p->t, "\n\t(void)%s;\n\treturn %s%s(", p->plan, p->self,
		is_shadowed(p) ? "_itself" : "");
	print_arguments(p, true);
	text_puts(p->t, ");\n}\n\n");
}

static void print_plans_of_c(const struct plans *p)
{
	print_struct_of_c(p);
	if (p->handles->has_memory)
		print_reserve_of_c(p);
	else if (is_shadowed(p))
		print_itself(p);
	print_create_of_c(p);
	print_run_of_c(p);
	text_printf(p->t, "void %s_destroy(%s_plan *%s)\n{\n\tif (!%s)\n"
		"\t\treturn;\n\tfree(%s->%s);\n\tfree(%s);\n}\n", p->self,
		p->self, p->plan, p->plan, p->plan, p->memory, p->plan);
}

/* GPUs ----------------------------------------------------------------------- */

/* An error that nobody can mend is not that of the next call. */
static void print_forgotten(const struct plans *p, const char *indent)
{
	text_printf(p->t, "%s%s%sGetLastError();\n", indent, p->say->dropped ?
		p->say->dropped : "", p->say->api);
}

/* if (plan->member && apiFUNCTION(plan->member) fails) .. */
static void print_released(const struct plans *p, const char *indent,
	const char *member, const char *function)
{
	const char *api = p->say->api;

	text_printf(p->t, "%sif (%s->%s && %s%s(%s->%s) != %sSuccess)\n\t",
		indent, p->plan, member, api, function, p->plan, member, api);
	print_forgotten(p, indent);
}

static bool keeps_graphs(const struct plans *p)
{
	return p->handles->has_plans && !unit_waits(p->unit);
}

static void print_struct_of_gpu(const struct plans *p)
{
	const char *api = p->say->api;

	text_printf(p->t, "/* What runs of %s_run() have in common%s */\n"
		"struct %s_plan {\n", p->self, keeps_graphs(p) ?
		", and the graph of the last arguments if\n * they come again."
		"\n" : ".", p->self);
	print_declared(p, SIZES, "\t", ";\n");
	text_printf(p->t, "\tvoid *%s;\n", p->memory);
	if (keeps_graphs(p)) {
		text_printf(p->t, "\t%sStream_t %s;\n\t%sGraphExec_t %s;\n"
			"\tint %s;\n", api, p->own_stream, api, p->graph,
			p->runs);
		print_declared(p, BOUNDS, "\t", ";\n");
		print_declared(p, FIELDS, "\t", ";\n");
	}
	text_puts(p->t, "};\n\n");
}

static void print_destroy_of_gpu(const struct plans *p)
{
	text_printf(p->t, "/* Runs of the plan have ended. */\n"
		"extern \"C\" void %s_destroy(%s_plan *%s)\n{\n\tif (!%s)\n"
		"\t\treturn;\n", p->self, p->self, p->plan, p->plan);
	if (keeps_graphs(p)) {
		print_released(p, "\t", p->graph, "GraphExecDestroy");
		print_released(p, "\t", p->own_stream, "StreamDestroy");
	}
	print_released(p, "\t", p->memory, "Free");
	text_printf(p->t, "\tfree(%s);\n}\n\n", p->plan);
}

static void print_create_of_gpu(const struct plans *p)
{
	const char *api = p->say->api;

	text_puts(p->t, "/* A plan for runs with these sizes on the device at "
		"hand, and its memory; on an error\n * there is none.\n */\n"
		"extern \"C\" ");
	print_head_of_create(p);
	text_puts(p->t, "\n{\n");
	print_bounds(p, false);
	print_check(p);
	if (p->handles->has_memory) {
		text_printf(p->t, "\tconst size_t %s = %s_memory(", p->bytes,
			p->self);
		print_arguments(p, false);
		text_puts(p->t, ");\n");
	}
	text_printf(p->t, "\t%sError_t %s = %sSuccess;\n\t%s_plan *%s;\n\n"
		"\t*%s = NULL;\n", api, p->error, api, p->self, p->made,
		p->plan);
	print_mentioned(p);
	text_printf(p->t, "\tif (%s)\n\t\treturn %s;\n"
		"\t%s = (%s_plan *)calloc(1, sizeof(*%s));\n"
		"\tif (!%s)\n\t\treturn %d;\n", p->status, p->status, p->made,
		p->self, p->made, p->made, STATUS_NO_MEMORY);
	print_assignments(p, p->made, SIZES);
	if (p->handles->has_memory)
		text_printf(p->t, "\tif (%s > 0)\n\t\t%s = %sMalloc(&%s->%s, "
			"%s);\n", p->bytes, p->error, api, p->made, p->memory,
			p->bytes);
	if (keeps_graphs(p))
		text_printf(p->t, "\tif (%s == %sSuccess)\n\t\t%s = "
			"%sStreamCreateWithFlags(&%s->%s,\n\t\t\t"
			"%sStreamNonBlocking);\n", p->error, api, p->error, api,
			p->made, p->own_stream, api);
	text_printf(p->t, "\tif (%s == %sSuccess)\n\t\t*%s = %s;\n\telse\n"
		"\t\t%s_destroy(%s);\n\treturn (int)%s;\n}\n\n", p->error, api,
		p->plan, p->made, p->self, p->made, p->error);
}

/* "stream" and "memory" end the arguments of the call. */
static void print_call_of_gpu(const struct plans *p, const char *stream)
{
	text_printf(p->t, "%s_device%s(", p->self, p->handles->has_memory ?
		"_with_memory" : "");
	print_arguments(p, true);
	if (p->handles->has_memory)
		text_printf(p->t, ", %s->%s", p->plan, p->memory);
	text_printf(p->t, ", %s)", stream);
}

/* A graph that cannot be made is none: runs go on without. */
static void print_capture(const struct plans *p)
{
	const char *api = p->say->api;
	const char *own = region_printf(p->unit->mem, "%s->%s", p->plan,
		p->own_stream);

	text_printf(p->t, "/* Make the graph of a run with these arguments; "
		"if that cannot be, runs go on without. */\nstatic void "
		"%s_capture(%s_plan *%s", p->self, p->self, p->plan);
	print_declared(p, BOUNDS, ", ", "");
	print_declared(p, FIELDS, ", ", "");
	text_puts(p->t, ")\n{\n");
	print_sizes_of_plan(p);
	text_printf(p->t, "\t%sGraph_t %s = NULL;\n\tint %s;\n\n"
		"\tif (%sStreamBeginCapture(%s, "
		"%sStreamCaptureModeThreadLocal) == %sSuccess) {\n\t\t%s = ",
		api, p->captured, p->status, api, own, api, api, p->status);
	print_call_of_gpu(p, own);
	text_printf(p->t, ";\n\t\tif (%sStreamEndCapture(%s, &%s) == %sSuccess "
		"&& !%s &&\n\t\t    %sGraphInstantiateWithFlags(&%s->%s, %s, 0) "
		"!= %sSuccess)\n\t\t\t%s->%s = NULL;\n", api, own,
		p->captured, api, p->status, api, p->plan, p->graph,
		p->captured, api, p->plan, p->graph);
	text_printf(p->t, "\t\tif (%s && %sGraphDestroy(%s) != %sSuccess)\n",
		p->captured, api, p->captured, api);
	print_forgotten(p, "\t\t\t");
	text_puts(p->t, "\t}\n");
	print_forgotten(p, "\t");
	text_puts(p->t, "}\n\n");
}

static void print_same_arguments(const struct plans *p)
{
	const struct program *prog = p->unit->prog;

	for (int i = 0; i < prog->n_args; i++)
		if (!is_of(p, &prog->arg[i], SIZES))
			text_printf(p->t, " &&\n\t\t%s->%s == %s", p->plan,
				name_of(&prog->arg[i]), name_of(&prog->arg[i]));
}

/* The graph is that of other arguments. */
static void print_forget(const struct plans *p)
{
	text_printf(p->t, "\tif (!%s) {\n", p->again);
	print_released(p, "\t\t", p->graph, "GraphExecDestroy");
	text_printf(p->t, "\t\t%s->%s = NULL;\n\t\t%s->%s = 0;\n\t}\n",
		p->plan, p->graph, p->plan, p->runs);
	print_assignments(p, p->plan, BOUNDS);
	print_assignments(p, p->plan, FIELDS);
}

/* A run on a stream that the caller captures becomes part of the caller's graph. */
static void print_run_with_graph(const struct plans *p)
{
	const char *api = p->say->api;

	text_printf(p->t, "\tconst bool %s = %s->%s > 0", p->again, p->plan,
		p->runs);
	print_same_arguments(p);
	text_printf(p->t, ";\n\t%sStreamCaptureStatus %s = "
		"%sStreamCaptureStatusNone;\n\t%sError_t %s;\n\n"
		"\tif ((%s = %sStreamIsCapturing(%s, &%s)) != %sSuccess)\n"
		"\t\treturn (int)%s;\n\tif (%s != %sStreamCaptureStatusNone)\n"
		"\t\treturn ", api, p->captured, api, api, p->error, p->error,
		api, p->stream, p->captured, api, p->error, p->captured, api);
	print_call_of_gpu(p, p->stream);
	text_puts(p->t, ";\n");
	print_forget(p);
	text_printf(p->t, "\tif (%s->%s < 2 && ++%s->%s == 2)\n\t\t%s_capture("
		"%s", p->plan, p->runs, p->plan, p->runs, p->self, p->plan);
	for (enum of_plan which = BOUNDS; which <= FIELDS; which++)
		for (int i = 0; i < p->unit->prog->n_args; i++)
			if (is_of(p, &p->unit->prog->arg[i], which))
				text_printf(p->t, ", %s", name_of(
					&p->unit->prog->arg[i]));
	text_printf(p->t, ");\n\tif (%s->%s)\n\t\treturn (int)%sGraphLaunch("
		"%s->%s, %s);\n", p->plan, p->graph, api, p->plan, p->graph,
		p->stream);
}

static void print_run_of_gpu(const struct plans *p)
{
	text_printf(p->t, "/* %s_device() in the plan's memory: runs of a plan "
		"come one after the other%s */\nextern \"C\" ", p->self,
		keeps_graphs(p) ? ".  From the\n * second run with the same "
		"arguments on, one launch of a graph does it.\n" : ".");
	print_head_of_run(p);
	text_puts(p->t, "\n{\n");
	print_sizes_of_plan(p);
	if (keeps_graphs(p))
		print_run_with_graph(p);
	text_puts(p->t, "\treturn ");
	print_call_of_gpu(p, p->stream);
	text_puts(p->t, ";\n}\n");
}

static void print_plans_of_gpu(const struct plans *p)
{
	print_struct_of_gpu(p);
	print_destroy_of_gpu(p);
	print_create_of_gpu(p);
	if (keeps_graphs(p))
		print_capture(p);
	print_run_of_gpu(p);
}

/* Both ----------------------------------------------------------------------- */

void print_handles(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	const struct plans p = plans_of(t, say, unit);

	text_printf(t, "typedef struct %s_plan %s_plan;\n\n", p.self, p.self);
	if (say->api)
		print_plans_of_gpu(&p);
	else
		print_plans_of_c(&p);
	if (unit->harness)
		print_planned(t, say, unit);
}

void print_handles_declared(struct text *t, const struct spelling *say,
	const struct kunit *unit)
{
	const struct plans p = plans_of(t, say, unit);

	text_printf(t, "/* A plan has the memory of runs with these sizes, one "
		"after the other. */\ntypedef struct %s_plan %s_plan;\n",
		p.self, p.self);
	print_head_of_create(&p);
	text_puts(t, ";\n");
	if (say->api)
		text_printf(t, "#ifdef %s\n", say->runtime);
	print_head_of_run(&p);
	text_puts(t, say->api ? ";\n#endif\n" : ";\n");
	text_printf(t, "void %s_destroy(%s_plan *%s);\n\n", p.self, p.self,
		p.plan);
}
