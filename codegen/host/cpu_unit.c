/* The file of the C target, and the function that runs all steps in one parallel
 * region.
 */
#include "codegen/host/cpu.h"
#include "codegen/host/handles.h"
#include "codegen/host/lists.h"
#include "codegen/host/reductions.h"
#include "codegen/tree/alternatives.h"
#include "codegen/tree/once.h"

/* Copies of the caller's states ----------------------------------------- */

/* Copy versions 1-depth .. 0 to their copies, and version 0 also to the copy of
 * version 1 if that one is scratch: cells that no statement writes are then
 * right there, too.
 */
static void load_state(const struct host *h, struct ks *block,
	const struct field *f)
{
	struct ks *assignments = ks_block(h->mem);
	int n = cpu_copies(h, f);

	for (int v = 1 - f->depth; v <= n - f->depth; v++) {
		int from = (v > 0 ? 0 : v) + f->depth - 1;

		ks_add(h->mem, assignments, ks_assign(h->mem,
			cpu_cell(h, f, f->name, n, integer(h, floor_mod(v, n))),
			cpu_cell(h, f, cpu_user_name(h, f), f->depth,
				integer(h, from))));
	}
	cpu_add_copies(h, block, f, assignments);
}

/* Copy versions steps+1-depth .. steps to the caller's arrays. */
static void store_state(const struct host *h, struct ks *block,
	const struct field *f)
{
	struct ks *assignments = ks_block(h->mem);
	int n = cpu_copies(h, f);

	for (int i = 0; i < f->depth; i++) {
		const struct kx *copy = op(h, OP_MOD, kx_add(h->mem,
			name(h, h->names->steps),
			floor_mod(i + 1 - f->depth, n)),
			integer(h, n));

		ks_add(h->mem, assignments, ks_assign(h->mem, cpu_cell(h, f,
			cpu_user_name(h, f), f->depth, integer(h, i)),
			cpu_cell(h, f, f->name, n, copy)));
	}
	cpu_add_copies(h, block, f, assignments);
}

/* Copy the other grid to the caller's. */
static void store_grid(const struct host *h, struct ks *block,
	const struct field *f)
{
	struct ks *assignments = ks_block(h->mem);

	for (int i = 0; i < f->depth; i++)
		ks_add(h->mem, assignments, ks_assign(h->mem, cpu_cell(h, f,
			cpu_user_name(h, f), f->depth, integer(h, i)),
			cpu_cell(h, f, f->name, f->depth, integer(h, i))));
	cpu_add_copies(h, block, f, assignments);
}

static void each_state(const struct host *h, struct ks *block,
	void (*copy)(const struct host *h, struct ks *block,
		const struct field *f))
{
	for (int i = 0; i < h->prog->n_fields; i++)
		if (h->prog->field[i]->kind == FIELD_STATE &&
		    !h->prog->field[i]->is_hidden)
			copy(h, block, h->prog->field[i]);
}

static void copy_states(const struct host *h, const struct cpu_run *run)
{
	each_state(h, run->in, load_state);
	cpu_add_barrier(h, run->in);
	each_state(h, run->out, store_state);
}

/* The run --------------------------------------------------------------- */

static void add_fields(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		cpu_add_array(h, f, field, field->name, cpu_copies(h, field),
			cpu_layout_of_copies(h, field));
		if (field->kind != FIELD_STATE || field->is_hidden)
			continue;
		cpu_add_array(h, f, field, cpu_user_name(h, field),
			cpu_versions(h, field), cpu_layout_of_user(h, field));
	}
}

/* static void NAME_run(params, float (*A)[N][M'], float (*A_user)[N][M]), and
 * the functions that it calls, up to NULL.
 */
static struct kfunc *run_as(const struct host *h, struct kfunc ***functions,
	bool *walks_planes)
{
	bool two_grids = cpu_has_two_grids(h);
	struct kfunc *f = host_function(h, host_run_name(h),
		ctype(two_grids ? CT_INT : CT_VOID));
	struct cpu_run run = {
		.body = f->body, .region = ks_scope(h->mem),
		.in = ks_block(h->mem), .out = ks_block(h->mem),
		.failed = fresh_name(h->mem, h->prog, "failed"),
	};

	f->is_static = true;
	f->comment = h->run->describe(h);
	host_add_params(h, f);
	if (h->walks_planes)
		kfunc_add_int(h->mem, f, cpu_apart_name(h));
	cpu_add_sizes(h, f);
	add_fields(h, f);
	cpu_add_results(h, f);
	if (h->prog->timed) {
		ks_add(h->mem, f->body, ks_declare(h->mem, ctype_const(CT_INT),
			h->names->steps, host_steps(h, ctype(CT_NONE))));
		if (two_grids)
			ks_add(h->mem, f->body, ks_declare(h->mem,
				ctype(CT_INT), run.failed, integer(h, 0)));
		else
			ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
		if (two_grids)
			each_state(h, run.out, store_grid);
		else if (!cpu_is_in_place(h))
			copy_states(h, &run);
	}
	h->run->add(h, &run);
	*functions = run.functions;
	*walks_planes = run.walks_planes;
	run.region->braces = true;
	ks_add(h->mem, f->body, ks_directive(h->mem,
		(struct directive) { .kind = OMP_PARALLEL }));
	ks_add(h->mem, f->body, run.region);
	if (lists_have_sums(h->prog))
		ks_add(h->mem, f->body, lists_sums(h));
	if (two_grids)
		ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
			kx_select(h->mem, name(h, run.failed), integer(h,
				STATUS_NO_MEMORY), integer(h, 0))));
	kfunc_drop_unused(f);
	return f;
}

/* .. for planes moved apart where the run walks along them, which is known once the code
 * exists.
 */
static struct kfunc *run_function(struct host *h, struct kfunc ***functions)
{
	struct kfunc *run;
	bool walks_planes;

	h->walks_planes = h->run->may_walk_planes &&
		h->run->may_walk_planes(h->plan);
	run = run_as(h, functions, &walks_planes);
	if (walks_planes == h->walks_planes)
		return run;
	h->walks_planes = walks_planes;
	return run_as(h, functions, &walks_planes);
}

/* The unit -------------------------------------------------------------- */

static void append_moves(struct kunit *unit, const struct cpu_moves *moves)
{
	if (moves->apart)
		unit_append(unit, moves->apart);
	unit_append(unit, moves->spread);
	unit_append(unit, moves->gather);
}

static void note_math(void *user, const struct expr *e)
{
	struct kunit *unit = user;

	if (e->kind != EXPR_CALL)
		return;
	unit->needs_math = true;
	if (e->type == TYPE_FLOAT)
		unit->calls_float[e->op] = true;
	else
		unit->calls_double[e->op] = true;
}

void cpu_note_math_of_reductions(struct kunit *unit, const struct program *p)
{
	for (int i = 0; i < p->n_reductions; i++)
		stmt_each_expr(p->reduction[i]->point, note_math, unit);
	unit->needs_math |= p->n_reductions > 0;
}

/* The functions of sizes that are arguments; NULL: they are not. */
static const struct cpu_choice *append_choice(const struct host *h,
	const struct kfunc *check, const struct kfunc *run,
	const struct cpu_moves *moves, bool takes_memory)
{
	struct cpu_choice *choice = region_new_of(h->mem, struct cpu_choice);

	if (!cpu_has_sizes(h))
		return NULL;
	unit_append(h->unit, cpu_machine_function(h));
	choice->choose = unit_append(h->unit, cpu_choose_function(h, check));
	choice->with_sizes = unit_append(h->unit, cpu_entry_with_sizes(h, check,
		run, moves, takes_memory));
	return choice;
}

/* The functions for users, and what these call beside the run. */
static void append_entries(struct host *h, const struct kfunc *check,
	const struct kfunc *run, unsigned with)
{
	const struct cpu_moves *moves = cpu_moves_new(h);
	const struct kfunc *memory = NULL, *with_memory = NULL, *entry;
	const struct cpu_choice *choice;
	bool takes_memory = cpu_takes_memory(h, run);

	if (moves)
		append_moves(h->unit, moves);
	h->reduce = region_array(h->mem, struct kfunc *, h->prog->n_reductions);
	for (int i = 0; run && i < h->prog->n_reductions; i++)
		if (!reduced_in_tiles(h, i))
			h->reduce[i] = unit_append(h->unit, cpu_reduction(h, i));
	if (takes_memory)
		memory = unit_append(h->unit, cpu_memory_entry(h, check, run,
			moves));
	choice = append_choice(h, check, run, moves, takes_memory);
	if (takes_memory)
		with_memory = unit_append(h->unit, cpu_entry_with_memory(h, check,
			run, moves, choice));
	entry = unit_append(h->unit, cpu_entry(h, check, run, memory, with_memory,
		choice));
	if (with & WITH_HANDLES)
		cpu_handles(h, check, memory, memory ? with_memory : entry,
			choice);
	else if (choice && with & WITH_HARNESS)
		unit_append(h->unit, cpu_entry_sized(h, memory, choice));
}

/* Append "f" with what compilers do not find out. */
static void append_ready(struct kunit *unit, struct kfunc *f)
{
	once_before_loops(unit, unit_append(unit, f));
	compute_alternatives(unit, f);
}

struct kunit *cpu_unit(struct region *r, const struct scop *scop,
	const struct plan *plan, int n_plans, unsigned with)
{
	struct kunit *unit = region_new_of(r, struct kunit);
	const struct program *prog = scop->prog;
	/* A plan may give states more copies. */
	const struct scop *planned = n_plans > 0 ? plan->scop : scop;
	struct host h = {
		.mem = r, .unit = unit, .prog = prog,
		.scop = planned, .plan = plan, .n_plans = n_plans,
		.names = kernel_names_new(r, prog),
		.status = fresh_name(r, prog, "status"),
		.error = fresh_name(r, prog, "error"),
		.run = form_run(n_plans > 0 ? plan->form : FORM_TILES),
		.has_handles = with & WITH_HANDLES,
	};
	struct kfunc *check, *run = NULL;
	struct kfunc **functions = NULL;

	unit->mem = r;
	unit->prog = prog;
	unit->scop = planned;
	unit->plan = plan;
	unit->least_padded_dims = 2;
	unit->last = &unit->first;
	for (int i = 0; i < prog->n_stmts; i++) {
		stmt_each_expr(prog->stmt[i], note_math, unit);
		stmt_each_boundary_expr(prog->stmt[i], note_math, unit);
		stmt_each_listed_expr(prog->stmt[i], note_math, unit);
	}
	cpu_note_math_of_reductions(unit, prog);
	unit->needs_math |= cpu_has_sizes(&h);
	check = unit_append(unit, host_check(&h));
	if (n_plans > 0)
		run = run_function(&h, &functions);
	for (int i = 0; functions && functions[i]; i++)
		append_ready(unit, functions[i]);
	if (run)
		append_ready(unit, run);
	h.sort = region_array(r, struct kfunc *, prog->n_lists);
	for (int i = 0; run && i < prog->n_lists; i++)
		h.sort[i] = unit_append(unit, list_sort(&h, prog->list[i]));
	append_entries(&h, check, run, with);
	if (with & WITH_HARNESS)
		append_harness(unit, host_some_size(&h, OP_EQ, 0));
	if (with & WITH_HARNESS && unit->handles)
		unit_append(unit, cpu_planned(&h));
	return unit;
}
