/* The C target: a file with one function that owns the time buffers, in aligned
 * and padded rows, and one that runs all steps in one parallel region.
 */
#include "codegen/host/cpu.h"
#include "codegen/host/lists.h"
#include "ir/components.h"

#include <string.h>

const char *cpu_user_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_user", f->name);
}

bool cpu_is_padded(const struct host *h, const struct field *f)
{
	return f->kind == FIELD_TEMP ? !cpu_has_two_grids(h) :
		f->kind == FIELD_STATE && !cpu_has_two_grids(h) &&
			!cpu_is_in_place(h);
}

/* Memory ---------------------------------------------------------------- */

/* "size" cells rounded up to whole lines of "line" cells, an odd number of
 * lines.
 */
const struct kx *cpu_in_odd_lines(const struct host *h, const struct kx *size,
	int line)
{
	if (size->kind == KX_INT)
		return integer(h, (size->ivalue + line - 1) / (2 * line) *
			(2 * line) + line);
	return op(h, OP_ADD, op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem, size,
		line - 1), integer(h, 2 * line)), integer(h, 2 * line)),
		integer(h, line));
}

/* "size", of dimension "d" of "f", rounded up to an odd number of lines of the cache or, in
 * planes, of rows.  Rows and planes an even number apart share few sets of a cache; those 512
 * cells apart share one.
 */
static const struct kx *padded_extent(const struct host *h,
	const struct field *f, int d, const struct kx *size)
{
	if (d == f->n_dims - 1)
		return cpu_in_odd_lines(h, size, LINE_BYTES / type_size(f->type));
	return d > 0 ? cpu_in_odd_lines(h, size, 1) : size;
}

static bool may_be_empty(const struct field *f)
{
	return f->is_listed || f->kind == FIELD_SERIES;
}

/* Is "size" the size of a grid?  A grid without cells computes nothing. */
static bool is_size_of_grid(const struct host *h, const struct expr *size)
{
	const struct program *prog = h->scop->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		for (int d = 0; !may_be_empty(f) && d < f->n_dims; d++)
			if (expr_same_size(f->size[d], size))
				return true;
	}
	return size->kind == EXPR_INT;
}

/* The size of a dimension; C allows no row of extent 0, as a series of no places would have. */
static const struct kx *size_or_one(const struct host *h,
	const struct field *f, int d)
{
	const struct kx *size = host_param(h, f->size[d], ctype(CT_NONE));

	return d > 0 && may_be_empty(f) && !is_size_of_grid(h, f->size[d]) ?
		kx_max(h->mem, size, integer(h, 1)) : size;
}

const struct kx *cpu_extent(const struct host *h, const struct field *f, int d,
	enum cpu_layout layout)
{
	const struct kx *size = size_or_one(h, f, d);

	if (layout == CPU_OF_FORM)
		return h->run->extent(h, f, d);
	if (layout == CPU_APART)
		return cpu_apart_extent(h, f, d, size);
	return layout == CPU_ODD_LINES ? padded_extent(h, f, d, size) :
		size;
}

enum cpu_layout cpu_layout_of_user(const struct host *h, const struct field *f)
{
	return cpu_may_be_apart(h, f) ? CPU_APART : CPU_DENSE;
}

enum cpu_layout cpu_layout_of_copies(const struct host *h,
	const struct field *f)
{
	if (h->plan && h->run->extent && f->kind == FIELD_STATE)
		return CPU_OF_FORM;
	return cpu_is_padded(h, f) ? CPU_ODD_LINES : cpu_layout_of_user(h, f);
}

/* Tiles have one grid beside those that the caller passes: some state needs more. */
static bool needs_further_grids(const struct host *h)
{
	bool some = false;

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		some = some || (f->kind == FIELD_STATE && !f->is_hidden &&
			h->scop->field[i].buffers > f->passed + 1);
	}
	return some;
}

bool cpu_runs_on_copies(const struct host *h)
{
	bool on_copies = !h->plan || !h->plan->tiles.reduces ||
		program_has_lanes(h->prog) || needs_further_grids(h);

	for (int i = 0; i < h->prog->n_reductions; i++)
		on_copies |= !reduction_is_seen(h->prog, h->prog->reduction[i]);
	return h->prog->segments && on_copies;
}

int cpu_versions(const struct host *h, const struct field *f)
{
	if (f->kind != FIELD_STATE)
		return 1;
	return h->prog->segments && !cpu_runs_on_copies(h) ? f->passed :
		f->depth;
}

int cpu_copies(const struct host *h, const struct field *f)
{
	int n = h->scop->field[f->index].buffers;

	if (cpu_has_two_grids(h))
		return cpu_versions(h, f);
	return cpu_is_in_place(h) && f->kind == FIELD_STATE && !f->is_hidden ?
		n - cpu_versions(h, f) : n;
}

/* The extents after the first index of an array with the dimensions of "f",
 * preceded by the number of copies if "copies" > 1.
 */
static int extents_of(const struct host *h, const struct field *f, int copies,
	enum cpu_layout layout, const struct kx **extent)
{
	int n = 0;

	for (int d = copies > 1 ? 0 : 1; d < f->n_dims; d++)
		extent[n++] = cpu_extent(h, f, d, layout);
	if (layout == CPU_CALLERS && f->n_lanes)
		extent[n++] = integer(h, f->n_lanes);
	return n;
}

struct kparam cpu_array(const struct host *h, const struct field *f,
	const char *var, int copies, enum cpu_layout layout)
{
	struct kparam p = {
		.c_type = { .scalar = scalar_of(f->type),
			.is_const = f->kind == FIELD_INPUT },
		.name = var, .is_array = true,
		.extent = region_array(h->mem, const struct kx *,
			IR_MAX_DIMS + 1),
	};

	p.n_extents = extents_of(h, f, copies, layout, p.extent);
	return p;
}

void cpu_add_array(const struct host *h, struct kfunc *to,
	const struct field *f, const char *var, int copies,
	enum cpu_layout layout)
{
	kfunc_add_param(h->mem, to, cpu_array(h, f, var, copies, layout));
}

struct kfunc *cpu_function(const struct host *h, const char *suffix)
{
	struct kfunc *f = host_function(h, host_run_name(h), ctype(CT_VOID));

	f->name = region_printf(h->mem, "%s_%s", f->name, suffix);
	f->is_static = true;
	host_add_params(h, f);
	if (h->walks_planes)
		kfunc_add_int(h->mem, f, cpu_apart_name(h));
	return f;
}

const struct kx *cpu_padded_bytes(const struct host *h,
	const struct field *f)
{
	int copies = cpu_copies(h, f);
	const struct kx *bytes = op(h, OP_MUL, integer(h, copies),
		kx_sizeof(h->mem, ctype_of(f->type)));

	if (f->n_dims == 0)
		return integer(h, LINE_BYTES * copies);
	for (int d = 0; d < f->n_dims; d++) {
		const struct kx *extent = cpu_extent(h, f, d, CPU_ODD_LINES);

		bytes = op(h, OP_MUL, bytes, extent->kind == KX_INT ? extent :
			kx_cast(h->mem, ctype(CT_SIZE), extent));
	}
	return bytes;
}

/* Loops ----------------------------------------------------------------- */

static bool has_loop(const struct ks *s)
{
	if (s->kind == KS_FOR)
		return true;
	for (int i = 0; i < s->n_children; i++)
		if (has_loop(s->child[i]))
			return true;
	return false;
}

static struct ks *with_directive(const struct host *h,
	struct directive directive, struct ks *s)
{
	struct ks *block = ks_block(h->mem);

	ks_add(h->mem, block, ks_directive(h->mem, directive));
	ks_add(h->mem, block, s);
	return block;
}

struct ks *cpu_vectorise(const struct host *h, struct ks *s)
{
	bool inner = s->kind == KS_FOR && !has_loop(s->child[0]);

	for (int i = 0; i < s->n_children; i++)
		s->child[i] = cpu_vectorise(h, s->child[i]);
	return inner ? with_directive(h,
		(struct directive) { .kind = OMP_SIMD }, s) : s;
}

/* Does "s" hold more than one statement? */
static bool is_several(const struct ks *s)
{
	return s->kind == KS_BLOCK && (s->n_children > 1 ||
		(s->n_children == 1 && is_several(s->child[0])));
}

void cpu_deal_tiles(const struct host *h, struct ks *region)
{
	ks_add(h->mem, region, ks_expression(h->mem, KS_EXPRESSION,
		kx_builtin(h->mem, B_DEAL_TILES, 0)));
}

struct ks *cpu_share_out(const struct host *h, struct ks *s)
{
	if (!has_loop(s)) {
		struct ks *scope = ks_scope(h->mem);

		scope->braces = is_several(s);
		ks_add(h->mem, scope, s);
		return with_directive(h, (struct directive) {
			.kind = OMP_SINGLE, .nowait = true }, scope);
	}
	if (s->kind == KS_FOR && !has_loop(s->child[0]))
		return with_directive(h, (struct directive) {
			.kind = OMP_FOR_SIMD, .schedule = OMP_STATIC,
			.nowait = true }, s);
	for (int i = 0; i < s->n_children; i++)
		if (s->kind == KS_FOR)
			s->child[i] = cpu_vectorise(h, s->child[i]);
		else if (s->child[i]->kind != KS_DECLARE)
			s->child[i] = cpu_share_out(h, s->child[i]);
	return s->kind == KS_FOR ?
		with_directive(h, (struct directive) {
			.kind = OMP_FOR, .schedule = OMP_STATIC,
			.nowait = true }, s) : s;
}

/* Let the last loop of "block" end with its own barrier, if that loop always
 * runs.
 */
static bool end_with_barrier(struct ks *block)
{
	struct ks *last, *before;

	if (block->kind != KS_BLOCK || block->n_children == 0)
		return false;
	last = block->child[block->n_children - 1];
	if (last->kind != KS_FOR || block->n_children == 1)
		return end_with_barrier(last);
	before = block->child[block->n_children - 2];
	if (before->kind != KS_DIRECTIVE)
		return false;
	before->directive.nowait = false;
	return true;
}

void cpu_add_barrier(const struct host *h, struct ks *block)
{
	if (!end_with_barrier(block))
		ks_add(h->mem, block, ks_directive(h->mem,
			(struct directive) { .kind = OMP_BARRIER }));
}

/* Statements ------------------------------------------------------------ */

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	return global_value(binding->user, acc);
}

struct place cpu_place(const struct host *h)
{
	return (struct place) {
		.mem = h->mem, .unit = h->unit, .scop = h->scop,
		.names = h->names, .arrays = true,
	};
}

struct cursor cpu_cursor(const struct place *place)
{
	return (struct cursor) {
		.mem = place->mem, .place = place,
		.m = kx_name(place->mem, place->names->time),
	};
}

struct ks *cpu_instance(const struct cursor *c)
{
	const struct stmt *s = c->stmt->stmt;
	struct binding binding = binding_by_name(c, read_cell, c);
	struct ks *body = ks_block(c->mem);
	const struct access before = copied(c);
	const struct kx *value;

	if (!c->stmt->is_copy)
		declare_locals(c, &binding, body);
	value = c->stmt->is_copy ? global_value(c, &before) :
		kx_of_expr(&binding, s->value);
	ks_add(c->mem, body, ks_assign(c->mem, cell_of_access(c, s->write,
		false), value));
	return body;
}

static struct ks *instance(void *user)
{
	return cpu_instance(user);
}

__isl_give isl_set *cpu_at_time(const struct host *h, __isl_take isl_set *set)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param);

	set = isl_set_reset_tuple_id(set);
	if (!h->prog->timed) {
		set = isl_set_fix_si(set, isl_dim_set, 0, 0);
		return isl_set_project_out(set, isl_dim_set, 0, 1);
	}
	set = isl_set_move_dims(set, isl_dim_param, n, isl_dim_set, 0, 1);
	return isl_set_set_dim_name(set, isl_dim_param, n, h->names->time);
}

__isl_give isl_set *cpu_times(const struct host *h)
{
	isl_space *space = isl_set_get_space(h->scop->stmt[0].domain);
	isl_set *steps;

	if (!h->prog->timed)
		return isl_set_universe(isl_space_params(space));
	steps = set_within(space, 0, isl_pw_aff_insert_domain(
		scop_steps(h->scop), isl_space_copy(space)));
	isl_space_free(space);
	return isl_set_params(cpu_at_time(h, steps));
}

__isl_give isl_set *cpu_inside_along_rows(const struct scop_stmt *s)
{
	unsigned last = (unsigned) s->stmt->n_dims;
	isl_set *set = isl_set_eliminate(isl_set_copy(s->inside), isl_dim_set,
		0, last);

	return isl_set_drop_constraints_not_involving_dims(set, isl_dim_set,
		last, 1);
}

/* { [b, x] : x in set, rows*b <= x1 < rows*(b + 1) } */
static __isl_give isl_set *in_blocks(__isl_take isl_set *set, int rows)
{
	enum { BLOCK = 0, ROW = 2 };
	isl_constraint *begin, *end;

	set = isl_set_insert_dims(isl_set_reset_tuple_id(set), isl_dim_set,
		BLOCK, 1);
	begin = isl_constraint_alloc_inequality(isl_local_space_from_space(
		isl_set_get_space(set)));
	begin = isl_constraint_set_coefficient_si(begin, isl_dim_set, ROW, 1);
	begin = isl_constraint_set_coefficient_si(begin, isl_dim_set, BLOCK,
		-rows);
	end = isl_constraint_alloc_inequality(isl_local_space_from_space(
		isl_set_get_space(set)));
	end = isl_constraint_set_coefficient_si(end, isl_dim_set, ROW, -1);
	end = isl_constraint_set_coefficient_si(end, isl_dim_set, BLOCK, rows);
	end = isl_constraint_set_constant_si(end, rows - 1);
	return isl_set_add_constraint(isl_set_add_constraint(set, begin), end);
}

/* Give each thread the same planes of all blocks: share out the loops inside those over
 * "block".
 */
static struct ks *share_out_of_blocks(const struct host *h, struct ks *s,
	const char *block)
{
	if (s->kind == KS_FOR && strcmp(s->name, block) != 0)
		return cpu_share_out(h, s);
	for (int i = 0; i < s->n_children; i++)
		s->child[i] = share_out_of_blocks(h, s->child[i], block);
	return s;
}

static bool is_in_blocks(const struct host *h, const struct cursor *c)
{
	return h->plan->block_rows > 0 && c->stmt->stmt->n_dims == 3 &&
		!c->mapped && !c->stmt->is_copy;
}

/* Where the bounds of "set" leave room for points.  Of points at every eleventh place
 * there may be none: loops find that out, while to say it in full takes hundreds of
 * conditions, and isl minutes.
 */
static __isl_give isl_set *where_it_has_points(__isl_keep isl_set *set)
{
	return isl_set_remove_unknown_divs(isl_set_params(isl_set_copy(set)));
}

/* The loops of "nest" over "set", for each block of rows of all planes that has points. */
static struct ks *loops_in_blocks(const struct host *h,
	const struct loop_nest *nest, __isl_take isl_set *set)
{
	const char *block = fresh_name(h->mem, h->prog, "%s_block",
		nest->iterator[1]);
	const char *iterator[] = { block, nest->iterator[0],
		nest->iterator[1], nest->iterator[2] };
	struct loop_nest blocked = *nest;

	blocked.n_dims += 1;
	blocked.iterator = iterator;
	set = in_blocks(set, h->plan->block_rows);
	return share_out_of_blocks(h, loops_of_set(&blocked, set,
		where_it_has_points(set)), block);
}

/* Loops over the instances "set" of c->stmt at the current time, if there are any. */
static void add_nests(const struct host *h, struct cursor *c,
	struct ks *block, __isl_take isl_set *set, bool mapped)
{
	const char *first[IR_MAX_DIMS] = { NULL };
	struct loop_nest nest = {
		.mem = h->mem, .n_dims = c->stmt->stmt->n_dims,
		.iterator = h->names->point, .first = first,
		.body = instance, .user = c,
	};
	const struct kx *guard;
	struct ks *nests;
	isl_set *known;

	if (isl_set_is_empty(set) != isl_bool_false) {
		isl_set_free(set);
		return;
	}
	c->mapped = mapped;
	set = cpu_at_time(h, set);
	known = isl_set_intersect(cpu_times(h), isl_set_copy(h->scop->context));
	guard = kx_of_set(h->mem, set_coalesce(isl_set_intersect(
		where_it_has_points(set), isl_set_copy(known))), known);
	nests = is_in_blocks(h, c) ? loops_in_blocks(h, &nest, set) :
		cpu_share_out(h, loops_of_set(&nest, set,
			where_it_has_points(set)));
	if (mapped)
		ks_add(h->mem, block, ks_comment(h->mem,
			"Points that read across the boundary."));
	ks_add(h->mem, block, guard ? ks_if(h->mem, guard, nests, NULL) :
		nests);
}

static void add_statement(const struct host *h, struct ks *block,
	const struct scop_stmt *s)
{
	struct place place = cpu_place(h);
	struct cursor c = cpu_cursor(&place);
	isl_set *domain = isl_set_copy(s->domain);
	isl_set *inside = isl_set_copy(s->inside);

	c.stmt = s;
	if (!s->is_mapped) {
		isl_set_free(inside);
		add_nests(h, &c, block, domain, false);
		return;
	}
	add_nests(h, &c, block, isl_set_intersect(isl_set_copy(domain),
		isl_set_copy(inside)), false);
	add_nests(h, &c, block, set_coalesce(isl_set_subtract(domain,
		inside)), true);
}

/* One thread does what the lists do at their points. */
static void add_single(const struct host *h, struct ks *row,
	const struct cursor *c, int begin, int end)
{
	struct ks *lists = ks_scope(h->mem);

	lists->braces = true;
	ks_add(h->mem, lists, lists_of_box(h, c, begin, end, NULL, NULL));
	ks_add(h->mem, row, ks_directive(h->mem, (struct directive) {
		.kind = OMP_SINGLE }));
	ks_add(h->mem, row, lists);
}

/* What is listed for "s", in order. */
static void add_lists(const struct host *h, struct ks *row,
	const struct scop_stmt *s)
{
	struct place place = cpu_place(h);
	struct cursor c = cpu_cursor(&place);
	int n = s->is_copy ? 0 : s->stmt->n_listed, end;
	struct ks *record;

	c.stmt = s;
	for (int i = 0; i < n; i = end) {
		for (end = i; end < n && s->stmt->listed[end]->list;)
			end++;
		if (end > i) {
			add_single(h, row, &c, i, end);
			continue;
		}
		end = i + 1;
		record = lists_of_box(h, &c, i, end, NULL, NULL);
		if (record->n_children == 0)
			continue;
		ks_add(h->mem, row, record);
		cpu_add_barrier(h, row);
	}
}

/* Statements of equal tau run in any order, with a barrier after each tau. */
struct ks *cpu_time_step(const struct host *h)
{
	const struct scop *scop = h->scop;
	struct ks *step = ks_block(h->mem);

	for (int number = 0; number < scop->k; number++) {
		struct ks *row = ks_block(h->mem);

		for (int i = scop->n_stmts - 1; i >= 0; i--)
			if (scop->stmt[i].number == number &&
			    !scop_is_idle(scop, &scop->stmt[i]))
				add_statement(h, row, &scop->stmt[i]);
		if (row->n_children)
			cpu_add_barrier(h, row);
		for (int i = 0; i < scop->n_stmts; i++)
			if (scop->stmt[i].number == number)
				add_lists(h, row, &scop->stmt[i]);
		ks_add(h->mem, step, row);
	}
	return step;
}

/* Copies between the caller's memory and ours --------------------------- */

const struct kx *cpu_cell(const struct host *h, const struct field *f,
	const char *var, int copies, const struct kx *copy)
{
	const struct kx *arg[1 + IR_MAX_DIMS];
	int n = 0;

	if (copies > 1)
		arg[n++] = copy;
	for (int d = 0; d < f->n_dims; d++)
		arg[n++] = name(h, h->names->point[d]);
	if (n == 0)
		arg[n++] = integer(h, 0);
	return kx_of_kind(h->mem, KX_INDEX, var, n, arg);
}

void cpu_add_copies(const struct host *h, struct ks *block,
	const struct field *f, struct ks *assignments)
{
	struct ks *s = assignments;

	for (int d = f->n_dims - 1; d >= 0; d--)
		s = ks_for(h->mem, h->names->point[d], integer(h, 0),
			op(h, OP_LT, name(h, h->names->point[d]),
				host_param(h, f->size[d], ctype(CT_NONE))),
			integer(h, 1), s);
	ks_add(h->mem, block, cpu_share_out(h, s));
}

void cpu_add_sweeps(const struct host *h, const struct cpu_run *run,
	struct ks *step)
{
	const char *t = h->names->time;

	if (!h->prog->timed) {
		ks_add(h->mem, run->region, step);
		return;
	}
	ks_add(h->mem, run->region, run->in);
	ks_add(h->mem, run->region, ks_for(h->mem, t, integer(h, 0),
		op(h, OP_LT, name(h, t), name(h, h->names->steps)),
		integer(h, 1), step));
	ks_add(h->mem, run->region, run->out);
}
