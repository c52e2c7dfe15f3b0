/* A program on a block of its grid: indices in computations become indices in the block plus
 * its origin, sizes along cut dimensions become the block's, and what goes around there ends at
 * the halos.
 */
#include <string.h>

#include "ir/cuts.h"
#include "ir/memo.h"
#include "ir/reduction.h"

struct pass {
	struct region *mem, *tmp;
	const struct cuts *cuts;
	struct blocks *blocks;
	struct program *to;
	struct memo **memo;
	struct list **list;		/* from the program's list l: at 2*l
					 * what changes values, at 2*l + 1 what
					 * records them */
	const struct stmt *from;	/* the current statement, .. */
	struct stmt *stmt, **copy;	/* .. its copy, and all copies so far, */
	const struct local **local;	/* .. its lets, in their order */
	const int *cut;			/* by index: the dimension of the grid
					 * that cuts it, or -1; NULL: the
					 * program's own */
};

/* Expressions --------------------------------------------------------------*/

static const struct expr *index_in_grid(struct pass *p, const struct expr *e)
{
	int k = p->cut ? p->cut[e->dim] : e->dim < p->blocks->n_dims ? e->dim :
		-1;

	return k < 0 ? e : expr_binary(p->mem, OP_ADD, e, expr_param(p->mem,
		p->blocks->dim[k].origin, e->at), e->at);
}

static const struct access *access_in(const struct access *const *from,
	const struct access *const *to, int n, const struct access *a)
{
	for (int i = 0; i < n; i++)
		if (from[i] == a)
			return to[i];
	return NULL;
}

static const struct expr *read_of(struct pass *p, const struct expr *e)
{
	struct expr *copy = expr_leaf(p->mem, EXPR_READ, e->type, e->at);

	copy->access = access_in(p->from->read, p->stmt->read,
		p->from->n_reads, e->access);
	return copy;
}

/* Its subscripts stay: along cut dimensions the input has the cells of the block. */
static const struct expr *element_of(struct pass *p, const struct expr *e)
{
	return expr_element(p->mem, p->to->field[e->field->index], e->arg,
		e->access && p->from ? access_in(p->from->element,
			p->stmt->element, p->from->n_elements, e->access) :
			NULL, e->at);
}

static const struct expr *in_block(struct pass *p, const struct expr *e);

static const struct expr *operation_of(struct pass *p, const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS];

	for (int i = 0; i < e->n_args; i++)
		arg[i] = in_block(p, e->arg[i]);
	return e->n_args ? expr_with_args(p->mem, e, arg) : e;
}

/* "e" on the block; an expression shared by two places stays shared. */
static const struct expr *in_block(struct pass *p, const struct expr *e)
{
	struct memo *m = memo_of(p->tmp, p->memo, e);

	if (!m->to)
		m->to = e->kind == EXPR_INDEX ? index_in_grid(p, e) :
			e->kind == EXPR_READ ? read_of(p, e) :
			e->kind == EXPR_LOCAL ? local_copied(p->mem,
				p->from->locals, p->local, e) :
			e->kind == EXPR_ELEMENT ? element_of(p, e) :
			operation_of(p, e);
	return m->to;
}

/* For expressions of another statement or field. */
static void forget(struct pass *p)
{
	p->memo = memo_new(p->tmp);
}

/* Statements ---------------------------------------------------------------*/

static const struct access *access_of(struct pass *p, const struct access *a)
{
	struct access *copy = region_new_of(p->mem, struct access);

	*copy = *a;
	copy->field = p->to->field[a->field->index];
	return copy;
}

static const struct access **accesses_of(struct pass *p,
	const struct access *const *a, int n)
{
	const struct access **copy = region_array(p->mem,
		const struct access *, n + 1);

	for (int i = 0; i < n; i++)
		copy[i] = access_of(p, a[i]);
	return copy;
}

static const struct expr *value_of_local(void *user, const struct expr *e)
{
	return in_block(user, e);
}

static void copy_locals(struct pass *p)
{
	const struct local *from = p->from->locals;

	p->local = region_array(p->tmp, const struct local *, locals_count(from) + 1);
	p->stmt->locals = locals_copied(p->mem, from, p->local, value_of_local, p);
}

/* Lists of points ---------------------------------------------------------- */

static const struct expr *param_of(struct pass *p, const struct param *param)
{
	return expr_param(p->mem, param, p->to->at);
}

/* The copy of the field "of" that the function makes of "list"; a different list gets a copy of
 * a different name.
 */
static struct field *made_field(struct pass *p, const struct field *of,
	const struct list *list)
{
	struct field *f = p->to->field[of->index];

	if (f->made_of != p->blocks->whole->field[of->index]->made_of) {
		const char *name = region_printf(p->mem, "%s_own", of->name);

		while (program_has_name(p->to, name))
			name = region_printf(p->mem, "%s_", name);
		f = region_new_of(p->mem, struct field);
		*f = *p->to->field[of->index];
		f->name = name;
		f->index = p->to->n_fields;
		p->to->field[p->to->n_fields++] = f;
	}
	f->made_of = list;
	return f;
}

/* The part of "l" that changes values at its points, or the part that records
 * them.
 */
static const struct list *list_of(struct pass *p, const struct list *l,
	bool records)
{
	struct list **list = &p->list[2 * l->number + records];
	struct list *copy;
	struct field *first;

	if (*list)
		return *list;
	*list = copy = region_new_of(p->mem, struct list);
	*copy = *l;
	copy->number = p->to->n_lists;
	p->to->list[p->to->n_lists++] = copy;
	copy->is_of_block = true;
	copy->grid = p->to->field[l->grid->index];
	for (int d = 0; d < l->grid->n_dims; d++)
		copy->place[d] = in_block(p, l->place[d]);
	for (int k = 0; k < p->blocks->n_dims; k++) {
		const struct block_dim *dim = &p->blocks->dim[k];

		copy->origin[k] = param_of(p, dim->origin);
		for (int side = 0; side < SIDES && records; side++)
			copy->own[k][side] = param_of(p, side == SIDE_LOW ?
				dim->own : dim->own_end);
	}
	copy->cells = made_field(p, l->cells, copy);
	first = made_field(p, l->first, copy);
	first->size[0] = expr_binary(p->mem, OP_ADD, copy->grid->size[0],
		expr_int(p->mem, 1, l->at), l->at);
	copy->first = first;
	return copy;
}

/* The conditions of "l", and that the point is the rank's own. */
static void add_conditions(struct pass *p, struct listed *copy,
	const struct listed *l)
{
	copy->condition = region_array(p->mem, const struct expr *,
		l->n_conditions + 2 * p->blocks->n_dims);
	for (int i = 0; i < l->n_conditions; i++)
		copy->condition[i] = in_block(p, l->condition[i]);
	for (int k = 0; k < p->blocks->n_dims; k++) {
		struct expr *index = expr_leaf(p->mem, EXPR_INDEX, TYPE_INT,
			l->at);

		index->dim = k;
		index->spelling = p->from->iterator[k];
		copy->condition[copy->n_conditions++] = expr_binary(p->mem,
			OP_GE, index, param_of(p, p->blocks->dim[k].own),
			l->at);
		copy->condition[copy->n_conditions++] = expr_binary(p->mem,
			OP_LT, index, param_of(p, p->blocks->dim[k].own_end),
			l->at);
	}
}

/* The copy of "l", if a statement copied before lists it, too; else NULL. */
static const struct listed *listed_before(const struct pass *p,
	const struct listed *l)
{
	for (int i = 0; i < p->from->index; i++) {
		const struct stmt *s = p->blocks->whole->stmt[i];

		for (int j = 0; j < s->n_listed; j++)
			if (s->listed[j] == l)
				return p->copy[i]->listed[j];
	}
	return NULL;
}

static const struct listed *listed_of(struct pass *p, const struct listed *l)
{
	const struct listed *shared = listed_before(p, l);
	struct listed *copy;

	if (shared)
		return shared;
	copy = region_new_of(p->mem, struct listed);
	*copy = *l;
	if (l->list)
		copy->list = list_of(p, l->list, l->series);
	else
		add_conditions(p, copy, l);
	copy->value = in_block(p, l->value);
	copy->addend = l->addend ? in_block(p, l->addend) : NULL;
	copy->weight = l->weight ? in_block(p, l->weight) : NULL;
	copy->corner = l->corner ? in_block(p, l->corner) : NULL;
	if (!l->series)
		return copy;
	copy->series = p->to->field[l->series->index];
	for (int d = 0; d < l->series->n_dims; d++)
		copy->subscript[d] = in_block(p, l->subscript[d]);
	if (l->corners)
		copy->corners = made_field(p, l->corners, copy->list);
	return copy;
}

static struct stmt *stmt_of(struct pass *p, const struct stmt *s)
{
	struct stmt *copy = region_new_of(p->mem, struct stmt);

	forget(p);
	*copy = *s;
	p->from = s;
	p->stmt = copy;
	copy->write = access_of(p, s->write);
	copy->read = accesses_of(p, s->read, s->n_reads);
	copy->element = accesses_of(p, s->element, s->n_elements);
	copy_locals(p);
	copy->value = in_block(p, s->value);
	copy->written = s->written ? in_block(p, s->written) : NULL;
	copy->condition = region_array(p->mem, const struct expr *,
		s->n_conditions + 1);
	for (int i = 0; i < s->n_conditions; i++)
		copy->condition[i] = in_block(p, s->condition[i]);
	copy->listed = region_array(p->mem, const struct listed *,
		s->n_listed + 1);
	for (int i = 0; i < s->n_listed; i++)
		copy->listed[i] = listed_of(p, s->listed[i]);
	p->from = p->stmt = NULL;
	return copy;
}

/* Fields -------------------------------------------------------------------*/

static const struct expr *size_of(struct pass *p, const struct field *f, int d)
{
	int k = p->cuts->cut[f->index][d];
	int64_t more = p->cuts->more[f->index][d];
	const struct expr *extent;

	if (k < 0)
		return f->size[d];
	extent = expr_param(p->mem, p->blocks->dim[k].extent, f->at);
	return !more ? extent : expr_binary(p->mem, more < 0 ? OP_SUB : OP_ADD,
		extent, expr_int(p->mem, more < 0 ? -more : more, f->at), f->at);
}

static void boundary_of(struct pass *p, const struct field *f, int d, int side)
{
	struct boundary *b = &p->to->field[f->index]->boundary[d][side];
	int k = p->cuts->cut[f->index][d];

	if (k >= 0 && p->blocks->dim[k].is_around && field_goes_around(f, d))
		b->kind = BOUNDARY_FIXED;
	forget(p);
	p->cut = p->cuts->cut[f->index];
	if (b->value)
		b->value = in_block(p, b->value);
	p->cut = NULL;
}

static void copy_fields(struct pass *p, const struct program *from)
{
	p->to->field = region_array(p->mem, struct field *, from->n_fields +
		2 * from->n_lists);
	for (int i = 0; i < from->n_fields; i++) {
		p->to->field[i] = region_new_of(p->mem, struct field);
		*p->to->field[i] = *from->field[i];
		p->to->field[i]->is_of_ranks = from->field[i]->is_result;
		if (from->n_reductions > 0 && !from->field[i]->is_hidden)
			p->to->field[i]->passed = from->field[i]->depth;
		for (int d = 0; d < from->field[i]->n_dims; d++)
			p->to->field[i]->size[d] = size_of(p, from->field[i],
				d);
	}
	for (int i = 0; i < from->n_fields; i++)
		for (int d = 0; d < from->field[i]->n_dims * SIDES; d++)
			boundary_of(p, from->field[i], d / SIDES, d % SIDES);
}

/* Parameters --------------------------------------------------------------- */

static const struct param *new_param(struct pass *p, const char *suffix,
	const char *of)
{
	struct param *param = region_new_of(p->mem, struct param);
	const char *name = region_printf(p->mem, "%s_%s", of, suffix);

	while (program_has_name(p->to, name))
		name = region_printf(p->mem, "%s_", name);
	param->name = name;
	param->type = TYPE_INT;
	param->at = p->to->at;
	p->to->param[p->to->n_params++] = param;
	p->to->arg[p->to->n_args++] = (struct argument) { .param = param };
	return param;
}

struct param_use {
	const struct param *param;
	bool is_used;
};

static void look_for_param(void *user, const struct expr *e)
{
	struct param_use *u = user;

	u->is_used |= e->kind == EXPR_PARAM && e->param == u->param;
}

static bool is_used(const struct program *p, const struct param *param)
{
	struct param_use u = { param, false };

	for (int i = 0; i < p->n_fields; i++)
		for (int d = 0; d < p->field[i]->n_dims; d++)
			u.is_used |= expr_uses(p->field[i]->size[d], param);
	for (int i = 0; i < p->n_stmts; i++) {
		stmt_each_expr(p->stmt[i], look_for_param, &u);
		stmt_each_listed_expr(p->stmt[i], look_for_param, &u);
		stmt_each_boundary_expr(p->stmt[i], look_for_param, &u);
		for (int j = 0; j < p->stmt[i]->n_conditions; j++)
			u.is_used |= expr_uses(p->stmt[i]->condition[j], param);
	}
	for (int i = 0; i < p->n_assumes; i++)
		u.is_used |= expr_uses(p->assume[i], param);
	return u.is_used;
}

/* Drop parameters that only sizes of the whole grid, or the bounds of time, used. */
static void drop_unused(struct program *p)
{
	int n = p->n_params, n_args = p->n_args;

	p->n_params = p->n_args = 0;
	for (int i = 0; i < n; i++)
		if (is_used(p, p->param[i]))
			p->param[p->n_params++] = p->param[i];
	for (int i = 0; i < n_args; i++)
		if (p->arg[i].field || is_used(p, p->arg[i].param))
			p->arg[p->n_args++] = p->arg[i];
}

static bool has_series(const struct program *p)
{
	for (int i = 0; i < p->n_stmts; i++)
		if (stmt_records(p->stmt[i]))
			return true;
	return false;
}

static void add_params(struct pass *p)
{
	struct blocks *b = p->blocks;
	const struct program *from = b->whole;
	struct program *to = p->to;
	int more = 4 * b->n_dims + 4;

	to->param = region_array(p->mem, struct param *, from->n_params + more);
	to->arg = region_array(p->mem, struct argument, from->n_args + more);
	for (int i = 0; i < from->n_params; i++)
		to->param[i] = from->param[i];
	for (int i = 0; i < from->n_args; i++)
		to->arg[i] = from->arg[i];
	for (int k = 0; k < b->n_dims; k++) {
		const char *index = from->stmt[0]->iterator[k];

		b->dim[k].origin = new_param(p, "origin", index);
		b->dim[k].extent = new_param(p, "extent", index);
		if (!has_series(from) && !from->timed)
			continue;
		b->dim[k].own = new_param(p, "own", index);
		b->dim[k].own_end = new_param(p, "own_end", index);
	}
	if (!from->timed)
		return;
	b->first = new_param(p, "first", from->time_name);
	b->end = new_param(p, "end", from->time_name);
	to->begin = expr_param(p->mem, b->first, from->at);
	to->end = expr_param(p->mem, b->end, from->at);
}

/* What is reduced is up to the ranks: results are none of the block's arguments. */
static void drop_reductions(struct program *to)
{
	int n = to->n_args;

	to->n_reductions = 0;
	to->until = NULL;
	to->steps = NULL;
	to->segments = NULL;
	to->n_args = 0;
	for (int i = 0; i < n; i++)
		if (!to->arg[i].field || !to->arg[i].field->is_result)
			to->arg[to->n_args++] = to->arg[i];
}

/* Statements in waves ask whether the step is one of the segment. */
static void add_segment(const struct program *from, struct program *to)
{
	if (!from->waves || !from->segments)
		return;
	to->arg[to->n_args++] = (struct argument) { .param = from->segments->first };
	to->arg[to->n_args++] = (struct argument) { .param = from->segments->end };
}

/* Times and extents are parameters whether something uses them or not. */
static void finish_params(struct pass *p)
{
	struct program *to = p->to;
	struct param **param = to->param;
	struct argument *arg = to->arg;
	int n = to->n_params - p->blocks->whole->n_params;
	struct param **last = param + p->blocks->whole->n_params;
	struct argument *last_arg = arg + p->blocks->whole->n_args;

	to->n_params -= n;
	to->n_args -= n;
	drop_unused(to);
	memmove(param + to->n_params, last, sizeof(*last) * (size_t) n);
	memmove(arg + to->n_args, last_arg, sizeof(*last_arg) * (size_t) n);
	to->n_params += n;
	to->n_args += n;
	for (int i = 0; i < to->n_fields; i++) {
		struct argument *a = arg;

		while (a < arg + to->n_args && (!a->field || a->field->index != i))
			a++;
		if (a < arg + to->n_args)
			a->field = to->field[i];
	}
}

/* All ---------------------------------------------------------------------- */

static bool is_of_cell(const struct expr *e)
{
	return expr_is_read(e) || e->kind == EXPR_LOCAL || e->kind == EXPR_OWN;
}

/* Refuse integer division by a value of a cell, which may be 0 at the ends of halos. */
static void look_for_division(void *user, const struct expr *e)
{
	const struct expr **found = user;

	if (e->kind == EXPR_BINARY && type_is_integer(e->type) &&
	    (e->op == OP_DIV || e->op == OP_MOD) &&
	    expr_any(e->arg[1], is_of_cell))
		*found = e;
}

/* Report what ranks do not support; false if there is nothing of the kind. */
static bool refused(struct diags *d, const struct program *p)
{
	const struct expr *division = NULL;

	for (int i = 0; i < p->n_stmts; i++) {
		stmt_each_expr(p->stmt[i], look_for_division, &division);
		stmt_each_listed_expr(p->stmt[i], look_for_division, &division);
	}
	if (division)
		diag(d, E_MPI, division->at, "an int is divided by what a cell "
			"has, which is 0 where ranks compute cells that nobody "
			"needs; the program can be compiled without --mpi");
	return division;
}

static void set_dims(struct pass *p)
{
	for (int k = 0; k < p->cuts->n_dims; k++) {
		p->blocks->dim[k].size = p->cuts->dim[k].size;
		p->blocks->dim[k].is_around = p->cuts->dim[k].is_around;
		p->blocks->dim[k].more_cells = p->cuts->dim[k].most;
		p->blocks->dim[k].in_pieces = p->cuts->dim[k].in_pieces;
		p->blocks->dim[k].first_piece = p->cuts->dim[k].first_piece;
	}
}

/* A field with all cut dimensions, each once, is shared out. */
static void set_fields(struct pass *p)
{
	struct blocks *b = p->blocks;

	b->field = region_array(p->mem, struct block_field, b->whole->n_fields);
	for (int i = 0; i < b->whole->n_fields; i++) {
		int n = 0;
		unsigned cut = 0;

		for (int d = 0; d < b->whole->field[i]->n_dims; d++) {
			int k = b->field[i].cut[d] = p->cuts->cut[i][d];

			n += k >= 0;
			cut |= k >= 0 ? 1u << k : 0;
		}
		b->field[i].is_shared_out = n == b->n_dims &&
			cut == (1u << n) - 1;
	}
}

static void widen_to(struct block_dim *dim, int cells)
{
	if (dim->more[SIDE_HIGH] < cells - dim->slope[SIDE_HIGH])
		dim->more[SIDE_HIGH] = cells - dim->slope[SIDE_HIGH];
}

/* A field with fewer cells than the grid has as many fewer in the block: the rank's own cells
 * and the halos that it needs still lie there.
 */
static void widen_halos(const struct cuts *c, struct blocks *b)
{
	for (int i = 0; i < b->whole->n_fields; i++) {
		const struct field *f = b->whole->field[i];

		for (int d = 0; d < f->n_dims; d++) {
			int k = c->cut[i][d], fewer = (int) -c->more[i][d];

			if (k < 0 || fewer <= 0)
				continue;
			widen_to(&b->dim[k], fewer);
			for (int copy = 0; copy < field_copies(f); copy++)
				widen_to(&b->dim[k], b->dim[k].slope[SIDE_HIGH] +
					b->field[i].need[copy][k][SIDE_HIGH] +
					fewer);
		}
	}
}

/* The points of its statements that a step needs, if it needs any. */
static void set_needed(struct pass *p, struct stmt *const *stmt)
{
	struct blocks *b = p->blocks;

	for (int i = 0; i < b->whole->n_stmts && b->whole->timed; i++) {
		struct needed_points *needed = region_new_of(p->mem,
			struct needed_points);
		bool is_known = true;

		*needed = (struct needed_points) { b->n_dims, b->dim,
			b->point[i] };
		for (int j = 0; j < b->n_dims * SIDES; j++)
			is_known = is_known && needed->more[j / SIDES][j %
				SIDES] != NOT_NEEDED;
		stmt[i]->needed = is_known ? needed : NULL;
	}
}

static void build(struct pass *p)
{
	struct program *to = region_new_of(p->mem, struct program);
	const struct program *from = p->blocks->whole;
	struct stmt **stmt;

	*to = *from;
	p->to = to;
	p->blocks->block = to;
	to->name = region_printf(p->mem, "%s_block", from->name);
	set_dims(p);
	set_fields(p);
	add_params(p);
	to->is_within = true;
	copy_fields(p, from);
	to->n_lists = 0;
	to->list = region_array(p->mem, const struct list *,
		2 * from->n_lists + 1);
	p->list = region_array(p->tmp, struct list *, 2 * from->n_lists + 1);
	p->copy = stmt = region_array(p->mem, struct stmt *, from->n_stmts);
	for (int i = 0; i < from->n_stmts; i++)
		stmt[i] = stmt_of(p, from->stmt[i]);
	to->stmt = stmt;
	blocks_assume(p->mem, p->blocks, to);
	finish_params(p);
	drop_reductions(to);
	add_segment(from, to);
	blocks_find_halos(p->mem, p->blocks);
	set_needed(p, stmt);
	widen_halos(p->cuts, p->blocks);
}

struct blocks *blocks_new(struct region *r, struct diags *d, const struct program *p)
{
	struct region *tmp = region_new();
	struct cuts cuts = { 0 };
	struct blocks *b = region_new_of(r, struct blocks);
	struct pass pass = { .mem = r, .tmp = tmp, .cuts = &cuts, .blocks = b };

	pass.memo = memo_new(tmp);
	b->whole = p;
	if (refused(d, p)) {
		region_free(tmp);
		return NULL;
	}
	cuts_find(tmp, p, &cuts);
	b->n_dims = cuts.n_dims;
	if (b->n_dims > 0) {
		build(&pass);
	} else {
		diag(d, E_MPI, cuts.why.at, "ranks cannot share out dimension 0: "
			"%s; the program can be compiled without --mpi",
			cuts.why.what);
		b = NULL;
	}
	region_free(tmp);
	return b;
}

static void make_alike(int *both)
{
	both[SIDE_LOW] = both[SIDE_HIGH] = both[SIDE_LOW] > both[SIDE_HIGH] ?
		both[SIDE_LOW] : both[SIDE_HIGH];
}

bool blocks_is_late(int k, int n_dims, int turns)
{
	return turns > 0 && (k == 0 || k > n_dims - turns);
}

void blocks_make_alike(struct blocks *b, int turns)
{
	for (int k = 0; k < b->n_dims; k++) {
		if (!blocks_is_late(k, b->n_dims, turns))
			continue;
		make_alike(b->dim[k].slope);
		make_alike(b->dim[k].more);
	}
}
