/* The tiles of one dimension: cut into as many parts as a line of the cache has
 * cells, the parts side by side, so that neighbours of a point are neighbours in
 * memory of its whole line: all loads are of whole lines.
 *
 *	A[version % 2][row][lane] is point i_begin - around + lane*part + row
 */
#include <string.h>

#include "codegen/cpu.h"

enum { LOW, HIGH };

struct lanes {
	const struct overlap *o;
	const struct host *h;
	const struct pipeline *p;
	const char *row, *lane, *first, *point, *begin;
	const struct stmt *stmt;
};

static const struct kx *cell(const struct lanes *x, const struct field *f,
	const struct kx *version, int64_t offset)
{
	const struct kx *arg[3] = {
		op(x->h, OP_MOD, version, integer(x->h, 2)),
		kx_add(x->h->mem, name(x->h, x->row), offset),
		name(x->h, x->lane),
	};
	struct kx *cell = kx_of_kind(x->h->mem, KX_INDEX, f->name, 3, arg);

	cell->type = f->type;
	return cell;
}

static const struct kx *step(const struct lanes *x)
{
	return name(x->h, x->h->names->step);
}

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	const struct lanes *x = binding->user;

	return cell(x, acc->field, kx_add(x->h->mem, step(x),
		acc->version - 1), acc->offset[0]);
}

static struct ks *loop(const struct lanes *x, const char *var,
	const struct kx *first, const struct kx *end, struct ks *body)
{
	return ks_for(x->h->mem, var, first, op(x->h, OP_LT, name(x->h, var),
		end), integer(x->h, 1), body);
}

static const struct kx *imax_of(const struct lanes *x, const struct kx *a,
	const struct kx *b)
{
	return kx_call(x->h->mem, "imax", 2, a, b);
}

static const struct kx *imin_of(const struct lanes *x, const struct kx *a,
	const struct kx *b)
{
	return kx_call(x->h->mem, "imin", 2, a, b);
}

/* i_begin - around + lane*part: the point of row 0 */
static struct ks *declare_first(const struct lanes *x)
{
	return ks_declare(x->h->mem, "const int", x->first, op(x->h, OP_ADD,
		kx_add(x->h->mem, name(x->h, x->begin), -x->p->before),
		op(x->h, OP_MUL, name(x->h, x->lane),
			integer(x->h, x->p->part))));
}

static const struct kx *size_of(const struct lanes *x)
{
	return host_param(x->h, x->stmt->write->field->size[0], NULL);
}

/* A global cell at first + row */
static const struct kx *global(const struct lanes *x, const char *var)
{
	const struct kx *at = op(x->h, OP_ADD, name(x->h, x->first),
		name(x->h, x->row));

	return kx_of_kind(x->h->mem, KX_INDEX, var, 1, &at);
}

/* for each lane: rows "from" .. "to" that lie in the grid: body */
static struct ks *each_part(const struct lanes *x, int from, int to,
	struct ks *body)
{
	const struct host *h = x->h;
	struct ks *lane = ks_block(h->mem);
	const struct kx *first = name(h, x->first);

	ks_add(h->mem, lane, declare_first(x));
	ks_add(h->mem, lane, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, lane, loop(x, x->row, imax_of(x, integer(h, from),
		kx_unary(h->mem, OP_NEG, first)), imin_of(x, integer(h, to),
		op(h, OP_SUB, size_of(x), first)), body));
	return loop(x, x->lane, integer(h, 0), integer(h, x->p->lanes), lane);
}

static struct ks *load(const struct lanes *x)
{
	const struct field *f = x->stmt->write->field;

	return each_part(x, 0, x->p->extent[0], ks_assign(x->h->mem,
		cell(x, f, integer(x->h, 0), 0),
		global(x, overlap_old_name(x->h, f))));
}

static struct ks *store(const struct lanes *x)
{
	const struct field *f = x->stmt->write->field;

	return each_part(x, x->p->before, x->p->before + x->p->part,
		ks_assign(x->h->mem, global(x, overlap_new_name(x->h, f)),
			cell(x, f, name(x->h, x->o->count), 0)));
}

/* Points "from" .. "to" of the grid keep their value, in each part that holds
 * them.
 */
static struct ks *carry(const struct lanes *x, const struct kx *from,
	const struct kx *to)
{
	const struct host *h = x->h;
	const struct field *f = x->stmt->write->field;
	struct ks *lane = ks_block(h->mem);
	const struct kx *first = name(h, x->first);

	ks_add(h->mem, lane, declare_first(x));
	ks_add(h->mem, lane, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, lane, loop(x, x->row, imax_of(x, op(h, OP_SUB, from,
		first), integer(h, 0)), imin_of(x, op(h, OP_SUB, to, first),
		integer(h, x->p->extent[0])), ks_assign(h->mem, cell(x, f,
		step(x), 0), cell(x, f, kx_add(h->mem, step(x), -1), 0))));
	return loop(x, x->lane, integer(h, 0), integer(h, x->p->lanes), lane);
}

/* around + (count - step)*slope */
static const struct kx *reach(const struct lanes *x, int side)
{
	const struct kx *left = op(x->h, OP_SUB, name(x->h, x->o->count),
		step(x));

	return kx_add(x->h->mem, op(x->h, OP_MUL, integer(x->h,
		x->p->slope[0][side]), left),
		x->p->around[x->stmt->index][0][side]);
}

static void add_carries(const struct lanes *x, struct ks *block)
{
	const struct host *h = x->h;
	int64_t first = overlap_first_point(x->o, x->stmt, 0);
	const struct kx *end = overlap_end_point(x->o, x->stmt, 0);
	const struct kx *begin = name(h, x->begin);

	if (first > 0)
		ks_add(h->mem, block, ks_if(h->mem, op(h, OP_LT, begin,
			integer(h, first + x->p->before)), carry(x,
			integer(h, 0), integer(h, first)), NULL));
	if (overlap_ends_early(x->o, x->stmt, 0))
		ks_add(h->mem, block, ks_if(h->mem, op(h, OP_GT, kx_add(
			h->mem, begin, x->p->width[0] - x->p->before +
			x->p->extent[0] - x->p->part), end),
			carry(x, end, size_of(x)), NULL));
}

static struct ks *compute(struct lanes *x)
{
	const struct host *h = x->h;
	const struct stmt *s = x->stmt;
	struct ks *block = ks_block(h->mem), *body = ks_block(h->mem);
	struct ks *row = ks_block(h->mem), *simd;
	struct binding binding = { .mem = h->mem, .prog = h->prog,
		.read = read_cell, .user = x,
		.time = name(h, h->names->time),
		.point = { name(h, x->point) } };

	for (const struct local *l = s->locals; l; l = l->next)
		ks_add(h->mem, body, ks_declare(h->mem, region_printf(h->mem,
			"const %s", type_name(l->value->type)), l->name,
			kx_of_expr(&binding, l->value)));
	ks_add(h->mem, body, ks_assign(h->mem, cell(x, s->write->field,
		step(x), 0), kx_of_expr(&binding, s->value)));
	if (ks_uses(body, x->point)) {
		struct ks *at = ks_block(h->mem);

		ks_add(h->mem, at, ks_declare(h->mem, "const int", x->point,
			op(h, OP_ADD, op(h, OP_ADD, kx_add(h->mem, name(h,
			x->begin), -x->p->before), op(h, OP_MUL, name(h,
			x->lane), integer(h, x->p->part))),
			name(h, x->row))));
		ks_add(h->mem, at, body);
		body = at;
	}
	simd = cpu_directive(h, region_printf(h->mem, "simd simdlen(%d)",
		x->p->lanes));
	ks_add(h->mem, row, simd);
	ks_add(h->mem, row, loop(x, x->lane, integer(h, 0), integer(h,
		x->p->lanes), body));
	ks_add(h->mem, block, loop(x, x->row, op(h, OP_SUB, integer(h,
		x->p->before), reach(x, LOW)), op(h, OP_ADD, integer(h,
		x->p->before + x->p->part), reach(x, HIGH)), row));
	add_carries(x, block);
	return block;
}

struct ks *lanes_tile(const struct overlap *o)
{
	const struct host *h = o->h;
	struct lanes x = { .o = o, .h = h, .p = o->p,
		.row = fresh_name(h->mem, h->prog, "row"),
		.lane = fresh_name(h->mem, h->prog, "lane"),
		.first = fresh_name(h->mem, h->prog, "first"),
		.point = h->names->point[0], .begin = o->begin[0] };
	struct ks *block = ks_block(h->mem), *steps = ks_block(h->mem);
	struct ks *stages = ks_block(h->mem);

	for (int i = 0; i < h->prog->n_stmts; i++) {
		x.stmt = h->prog->stmt[i];
		ks_add(h->mem, block, load(&x));
		ks_add(h->mem, stages, compute(&x));
	}
	if (ks_uses(stages, h->names->time))
		ks_add(h->mem, steps, ks_declare(h->mem, "const int",
			h->names->time, kx_add(h->mem, op(h, OP_ADD,
			name(h, o->t0), step(&x)), -1)));
	ks_add(h->mem, steps, stages);
	ks_add(h->mem, block, ks_for(h->mem, h->names->step, integer(h, 1),
		op(h, OP_LE, step(&x), name(h, o->count)), integer(h, 1),
		steps));
	for (int i = 0; i < h->prog->n_stmts; i++) {
		x.stmt = h->prog->stmt[i];
		ks_add(h->mem, block, store(&x));
	}
	return block;
}
