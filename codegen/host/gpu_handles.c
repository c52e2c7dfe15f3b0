/* Plans in files for GPUs: memory, and a graph for runs that repeat. */
#include "codegen/host/handles.h"

/* Names beside those of plans in C. */
struct graphs {
	struct plans p;
	struct region *mem;
	bool are_kept;			/* the plan keeps a graph */
	const char *graph, *runs, *own_stream;	/* members */
	const char *stream, *captured, *again, *error;	/* variables */
	const struct kfunc *capture;
};

static const struct kx *of_plan(const struct graphs *g, const char *member)
{
	return plans_member(&g->p, g->p.plan, member);
}

static const struct kx *of_made(const struct graphs *g, const char *member)
{
	return kx_address(g->mem, plans_member(&g->p, g->p.made, member));
}

static const struct kx *word(const struct graphs *g, enum builtin word)
{
	return kx_builtin(g->mem, word, 0);
}

static const struct kx *local(const struct graphs *g, const char *variable)
{
	return kx_name(g->mem, variable);
}

static const struct kx *no(const struct graphs *g, const struct kx *x)
{
	return kx_unary(g->mem, OP_NOT, x);
}

static void add(const struct graphs *g, struct ks *b, struct ks *s)
{
	ks_add(g->mem, b, s);
}

static void add_if(const struct graphs *g, struct ks *b, const struct kx *x,
	struct ks *then)
{
	ks_add(g->mem, b, ks_if(g->mem, x, then, NULL));
}

static const struct kx *succeeds(const struct graphs *g, const struct kx *x)
{
	return kx_binary(g->mem, OP_EQ, x, word(g, W_SUCCESS));
}

static const struct kx *fails(const struct graphs *g, const struct kx *x)
{
	return kx_binary(g->mem, OP_NE, x, word(g, W_SUCCESS));
}

static struct ks *return_error(const struct graphs *g, const struct kx *error)
{
	return plans_return(&g->p, kx_cast(g->mem, ctype(CT_INT), error));
}

/* An error that nobody can handle must not surface in the next call. */
static struct ks *forget_error(const struct graphs *g)
{
	return ks_expression(g->mem, KS_EXPRESSION, word(g, RT_LAST_ERROR));
}

/* if (x && FUNCTION(x) fails) .. */
static void release(const struct graphs *g, struct ks *b, const struct kx *x,
	enum builtin function)
{
	add_if(g, b, kx_and(g->mem, x, fails(g, kx_builtin(g->mem, function, 1,
		x))), forget_error(g));
}

static void describe(const struct graphs *g)
{
	struct kstruct *s = g->p.record;
	const char *self = g->p.h->prog->name;

	s->comment = region_printf(g->mem, "What runs of %s_run() share%s",
		self, g->are_kept ? ", and the graph of the last arguments if\n"
		"they come again." : ".");
	if (!g->are_kept)
		return;
	plans_add_member(&g->p, ctype(CT_STREAM), g->own_stream);
	plans_add_member(&g->p, ctype(CT_GRAPH_RUN), g->graph);
	plans_add_member(&g->p, ctype(CT_INT), g->runs);
	plans_add_members(&g->p, BOUNDS);
	plans_add_members(&g->p, FIELDS);
}

static struct kfunc *destroy_function(const struct graphs *g)
{
	struct kfunc *f = plans_destroy(&g->p, "%s_destroy");

	f->comment = "Wait until all runs of the plan have ended.";
	if (g->are_kept) {
		release(g, f->body, of_plan(g, g->graph), RT_DELETE_GRAPH_RUN);
		release(g, f->body, of_plan(g, g->own_stream),
			RT_DELETE_STREAM);
	}
	release(g, f->body, of_plan(g, g->p.kept), RT_FREE);
	add(g, f->body, plans_free(&g->p, local(g, g->p.plan)));
	return f;
}

/* Create what a plan has beside its sizes, up to the first error. */
static void fill_made(const struct graphs *g, struct ks *b)
{
	const struct kx *error = local(g, g->error);
	const struct kx *bytes = local(g, g->p.bytes);

	if (g->p.memory)
		add_if(g, b, kx_binary(g->mem, OP_GT, bytes, kx_int(g->mem,
			0)), ks_assign(g->mem, error, kx_builtin(g->mem,
			RT_ALLOCATE, 2, of_made(g, g->p.kept), bytes)));
	if (g->are_kept)
		add_if(g, b, succeeds(g, error), ks_assign(g->mem, error,
			kx_builtin(g->mem, RT_NEW_STREAM, 2, of_made(g,
			g->own_stream), word(g, W_NON_BLOCKING))));
}

/* "destroy" everything that was created. */
static const struct kx *made_argument(const void *user, const char *param)
{
	const struct graphs *g = user;

	(void) param;
	return local(g, g->p.made);
}

static struct kfunc *create_function(const struct graphs *g,
	const struct kfunc *destroy)
{
	struct kfunc *f = plans_create(&g->p, "A plan for runs with these sizes "
		"on the device at hand, and its memory; on an error\nthere is "
		"none.");
	const struct kx *error = local(g, g->error);

	if (g->p.memory)
		add(g, f->body, ks_declare(g->mem, ctype_const(CT_SIZE),
			g->p.bytes, kfunc_call(g->mem, g->p.memory, NULL,
			NULL)));
	add(g, f->body, ks_declare(g->mem, ctype(CT_ERROR), g->error, word(g,
		W_SUCCESS)));
	plans_make(&g->p, f->body);
	fill_made(g, f->body);
	add(g, f->body, ks_if(g->mem, succeeds(g, error), plans_give(&g->p,
		local(g, g->p.made)), ks_expression(g->mem, KS_EXPRESSION,
		kfunc_call(g->mem, destroy, made_argument, g))));
	add(g, f->body, return_error(g, error));
	plans_begin_with_bounds(&g->p, f, 0);
	return f;
}

/* The graph of a run on the plan's own stream, or none. */
static void capture_run(const struct graphs *g, struct ks *b)
{
	const struct kx *own = of_plan(g, g->own_stream);
	const struct kx *captured = local(g, g->captured);
	const struct kx *status = local(g, g->p.status);
	const struct kx *graph = of_plan(g, g->graph);
	const struct kx *ends = succeeds(g, kx_builtin(g->mem, RT_END_CAPTURE,
		2, own, kx_address(g->mem, captured)));
	const struct kx *is_none = fails(g, kx_builtin(g->mem, RT_PREPARE_GRAPH,
		3, kx_address(g->mem, graph), captured, kx_int(g->mem, 0)));

	add(g, b, ks_assign(g->mem, status, plans_call(&g->p, own)));
	add_if(g, b, kx_and(g->mem, kx_and(g->mem, ends, no(g, status)),
		is_none), ks_assign(g->mem, graph, word(g, W_NULL)));
	release(g, b, captured, RT_DELETE_GRAPH);
}

static struct kfunc *capture_function(const struct graphs *g)
{
	struct kfunc *f = plans_function(&g->p, "%s_capture", ctype(CT_VOID),
		true);
	struct ks *captures = ks_block(g->mem);

	f->is_static = true;
	f->comment = "Make the graph of a run with these arguments; if that "
		"cannot be, runs go on without.";
	plans_declare_sizes(&g->p, f->body);
	add(g, f->body, ks_declare(g->mem, ctype(CT_GRAPH), g->captured, word(g,
		W_NULL)));
	add(g, f->body, ks_declare(g->mem, ctype(CT_INT), g->p.status, NULL));
	add(g, f->body, ks_simple(g->mem, KS_BLANK));
	capture_run(g, captures);
	add_if(g, f->body, succeeds(g, kx_builtin(g->mem, RT_BEGIN_CAPTURE, 2,
		of_plan(g, g->own_stream), word(g, W_OF_THREAD))), captures);
	add(g, f->body, forget_error(g));
	return f;
}

/* plan->runs > 0, and all bounds and fields equal those of the last run. */
static const struct kx *comes_again(const struct graphs *g)
{
	const struct program *prog = g->p.h->prog;
	const struct kx *again = kx_binary(g->mem, OP_GT, of_plan(g, g->runs),
		kx_int(g->mem, 0));

	for (int i = 0; i < prog->n_args; i++) {
		const char *arg = host_argument(&prog->arg[i]).name;

		if (!is_of_plan(g->p.h->unit, &prog->arg[i], SIZES))
			again = kx_and(g->mem, again, kx_binary(g->mem, OP_EQ,
				of_plan(g, arg), local(g, arg)));
	}
	return again;
}

/* A run on a stream that the caller captures becomes part of the caller's graph. */
static void leave_to_caller(const struct graphs *g, struct ks *b)
{
	const struct kx *captured = local(g, g->captured);
	const struct kx *error = local(g, g->error);

	add(g, b, ks_declare(g->mem, ctype(CT_CAPTURING), g->captured, word(g,
		W_NOT_CAPTURING)));
	add(g, b, ks_declare(g->mem, ctype_const(CT_ERROR), g->error,
		kx_builtin(g->mem, RT_IS_CAPTURING, 2, local(g, g->stream),
			kx_address(g->mem, captured))));
	add(g, b, ks_simple(g->mem, KS_BLANK));
	add_if(g, b, fails(g, error), return_error(g, error));
	add_if(g, b, kx_binary(g->mem, OP_NE, captured, word(g,
		W_NOT_CAPTURING)), plans_return(&g->p, plans_call(&g->p,
		local(g, g->stream))));
}

/* The graph belongs to the last arguments: other arguments have none yet. */
static void remember(const struct graphs *g, struct ks *b)
{
	const struct kx *graph = of_plan(g, g->graph);
	struct ks *forget = ks_block(g->mem);

	release(g, forget, graph, RT_DELETE_GRAPH_RUN);
	add(g, forget, ks_assign(g->mem, graph, word(g, W_NULL)));
	add(g, forget, ks_assign(g->mem, of_plan(g, g->runs), kx_int(g->mem,
		0)));
	add_if(g, b, no(g, local(g, g->again)), forget);
	plans_assign(&g->p, b, g->p.plan, BOUNDS);
	plans_assign(&g->p, b, g->p.plan, FIELDS);
}

/* The second run makes the graph; it and later runs launch it. */
static void launch_graph(const struct graphs *g, struct ks *b)
{
	const struct kx *runs = of_plan(g, g->runs);
	const struct kx *graph = of_plan(g, g->graph);
	const struct kx *two = kx_int(g->mem, 2);
	struct ks *counts = ks_block(g->mem);

	add(g, counts, ks_assign(g->mem, runs, kx_add(g->mem, runs, 1)));
	add_if(g, counts, kx_binary(g->mem, OP_EQ, runs, two), ks_expression(
		g->mem, KS_EXPRESSION, kfunc_call(g->mem, g->capture, NULL,
			NULL)));
	add_if(g, b, kx_binary(g->mem, OP_LT, runs, two), counts);
	add_if(g, b, graph, return_error(g, kx_builtin(g->mem, RT_LAUNCH_GRAPH,
		2, graph, local(g, g->stream))));
}

static struct kfunc *run_function(const struct graphs *g)
{
	struct kfunc *f = plans_function(&g->p, "%s_run", ctype(CT_INT), true);

	kfunc_add_param(g->mem, f, (struct kparam) { .name = g->stream,
		.c_type = ctype(CT_STREAM) });
	f->comment = region_printf(g->mem, "%s_device() in the plan's memory; "
		"a plan has one run at a time%s",
		g->p.h->prog->name, g->are_kept ? ".  From the\nsecond run "
		"with the same arguments on, one launch of a graph does it." :
		".");
	plans_declare_sizes(&g->p, f->body);
	if (g->are_kept) {
		add(g, f->body, ks_declare(g->mem, ctype_const(CT_BOOL),
			g->again, comes_again(g)));
		leave_to_caller(g, f->body);
		remember(g, f->body);
		launch_graph(g, f->body);
	}
	add(g, f->body, plans_return(&g->p, plans_call(&g->p, local(g,
		g->stream))));
	kfunc_mention_unused(g->mem, f);
	return f;
}

void gpu_handles(const struct host *h, const struct kfunc *check,
	const struct kfunc *memory, const struct kfunc *entry)
{
	struct graphs g = {
		.p = plans_of(h, check, memory, entry), .mem = h->mem,
		.are_kept = h->n_plans > 0 && !unit_waits(h->unit),
		.graph = fresh_name(h->mem, h->prog, "graph"),
		.runs = fresh_name(h->mem, h->prog, "runs"),
		.own_stream = fresh_name(h->mem, h->prog, "own_stream"),
		.stream = h->stream, .error = h->error,
		.captured = fresh_name(h->mem, h->prog, "captured"),
		.again = fresh_name(h->mem, h->prog, "again"),
	};
	struct handles *handles = g.p.handles;

	describe(&g);
	handles->destroy = plans_append(&g.p, destroy_function(&g));
	handles->create = plans_append(&g.p, create_function(&g,
		handles->destroy));
	if (g.are_kept)
		g.capture = plans_append(&g.p, capture_function(&g));
	handles->run = plans_append(&g.p, run_function(&g));
}
