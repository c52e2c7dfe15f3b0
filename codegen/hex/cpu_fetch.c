/* Tiles fetch ahead: a hexagon widens step by step, and the planes that a step is the first one to
 * touch are fetched while the step before it computes.
 */
#include <string.h>

#include "codegen/hex/hex.h"

/* The access of a step, among those of a copy of a field, that goes farthest to one side. */
struct farthest {
	const struct scop_stmt *stmt;	/* NULL: there is none */
	int64_t offset;
	int64_t reach;		/* of it beyond the first row of the step, in
				 * parts of the slope's denominator */
};

static struct rational slope(const struct cpu_hex *x, bool last)
{
	const struct hexagon *hex = &x->plan->tiles.hexagon;

	return last ? hex->delta0 : hex->delta1;
}

static void take_farther(const struct cpu_hex *x, const struct scop_stmt *s,
	const struct access *acc, bool last, struct farthest *most)
{
	struct rational by = slope(x, last);
	int64_t reach = (last ? acc->offset[0] : -acc->offset[0]) * by.den +
		by.num * s->number;

	if (!most->stmt || reach > most->reach)
		*most = (struct farthest) { s, acc->offset[0], reach };
}

/* Is the access, in any of its versions, one of the copy that has version 1 - "back"? */
static bool is_of_copy(const struct cpu_hex *x, const struct access *acc,
	const struct field *f, int back)
{
	int n = f->kind == FIELD_STATE ? cpu_hex_copies(x->h, f) : 1;

	return acc->field == f && (1 - acc->version) % n == back;
}

static struct farthest find_farthest(const struct cpu_hex *x,
	const struct field *f, int back, bool last)
{
	struct farthest most = { NULL, 0, 0 };

	for (int i = 0; i < x->h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &x->h->scop->stmt[i];

		if (s->is_copy)
			continue;
		if (is_of_copy(x, s->stmt->write, f, back))
			take_farther(x, s, s->stmt->write, last, &most);
		for (int j = 0; j < s->stmt->n_reads; j++)
			if (is_of_copy(x, s->stmt->read[j], f, back))
				take_farther(x, s, s->stmt->read[j], last,
					&most);
	}
	return most;
}

/* Tiles have planes of the field, point by point. */
static bool has_planes(const struct cpu_hex *x, const struct field *f)
{
	if (x->plan->tiles.hex_dim != 0 || x->n_dims < 2 ||
	    f->n_dims != x->n_dims || (f->kind != FIELD_STATE &&
	    f->kind != FIELD_INPUT))
		return false;
	for (int d = 0; d < x->n_dims; d++)
		if (plan_goes_around(x->plan, d))
			return false;
	for (int i = 0; i < x->h->scop->n_stmts; i++) {
		const struct stmt *s = x->h->scop->stmt[i].stmt;

		for (int j = 0; !x->h->scop->stmt[i].is_copy && j < s->n_reads;
		     j++)
			if (s->read[j]->field == f &&
			    !access_is_in_order(s->read[j]))
				return false;
	}
	return true;
}

static const struct kx *size_of(const struct cpu_hex *x, const struct field *f,
	int d)
{
	return host_param(x->h, f->size[d], ctype(CT_NONE));
}

/* Smaller arrays stay in a core's own cache. */
static const struct kx *is_large(const struct cpu_hex *x, const struct field *f)
{
	const struct host *h = x->h;

	return op(h, OP_GT, op(h, OP_MUL, host_cells(h, f, ctype(CT_SIZE)),
		kx_sizeof(h->mem, ctype_of(f->type))), integer(h, 1 << 19));
}

static const char *array_name(const struct cpu_hex *x, const struct field *f)
{
	return f->kind == FIELD_STATE ? version_name(x->h->mem, x->h->prog, f,
		1) : f->name;
}

/* fetch_to_write(&array[i][j][low], (high - low + 1) * sizeof(cell), 1, 1); inputs are read.  Another
 * core may have the line, which wrote it in the phase before: fetched to be read it would have to be
 * asked for once more, as each copy of a state is written.
 */
static struct ks *fetch_row(const struct cpu_hex *x, const struct field *f)
{
	const struct host *h = x->h;
	const struct kx *at[IR_MAX_DIMS], *low, *cells;
	int last = x->n_dims - 1;

	low = name(h, x->low[last]);
	for (int d = 0; d < last; d++)
		at[d] = name(h, x->names->point[d]);
	at[last] = kx_max(h->mem, low, integer(h, 0));
	cells = kx_add(h->mem, op(h, OP_SUB, kx_min(h->mem, name(h,
		x->high[last]), kx_add(h->mem, size_of(x, f, last), -1)),
		at[last]), 1);
	return ks_expression(h->mem, KS_EXPRESSION, kx_builtin(h->mem,
		f->kind == FIELD_STATE ? B_FETCH_TO_WRITE : B_FETCH_TO_READ, 4,
		kx_address(h->mem, kx_of_kind(h->mem, KX_INDEX, array_name(x,
			f), x->n_dims, at)), op(h, OP_MUL, cells, kx_sizeof(
			h->mem, ctype_of(f->type))), integer(h, 1), integer(h,
			1)));
}

struct call_of_fetch {
	const struct cpu_hex *x;
	const struct field *field;
	int back;
	bool last;			/* on which side of the hexagon? */
	struct farthest now, next;	/* of this step and the next one */
};

/* Row "number" of the step at hand or, if "steps" is 1, of the next one. */
static const struct kx *row_of_step(const struct cpu_hex *x, int steps,
	int number)
{
	const struct host *h = x->h;

	return kx_add(h->mem, op(h, OP_MUL, integer(h, h->scop->k), name(h,
		x->names->step)), steps * h->scop->k + number);
}

/* The outermost plane that the step touches. */
static const struct kx *plane(const struct call_of_fetch *call, int steps,
	const struct farthest *at)
{
	return kx_add(call->x->h->mem, cpu_hex_side_of_row(call->x, 0,
		row_of_step(call->x, steps, at->stmt->number), call->last),
		at->offset);
}

static const struct kx *argument_of_fetch(const void *user, const char *param)
{
	const struct call_of_fetch *call = user;
	const struct cpu_hex *x = call->x;
	struct region *r = x->h->mem;
	const struct kx *row = row_of_step(x, 1, call->next.stmt->number);

	if (!strcmp(param, x->low[0]))
		return call->last ? kx_add(r, plane(call, 0, &call->now), 1) :
			plane(call, 1, &call->next);
	if (!strcmp(param, x->high[0]))
		return call->last ? plane(call, 1, &call->next) :
			kx_add(r, plane(call, 0, &call->now), -1);
	for (int d = 1; d < x->n_dims; d++) {
		if (!strcmp(param, x->low[d]))
			return cpu_hex_side_of_row(x, d, row, false);
		if (!strcmp(param, x->high[d]))
			return cpu_hex_side_of_row(x, d, row, true);
	}
	if (call->field->kind == FIELD_STATE &&
	    !strcmp(param, array_name(x, call->field)))
		return cpu_hex_array(x, call->field, call->back);
	return NULL;
}

/* Does a side of the hexagon advance beyond what the step at hand touches? */
static bool is_new(const struct call_of_fetch *call)
{
	return call->now.stmt && call->next.stmt && slope(call->x, call->last).num *
		call->x->h->scop->k + call->next.reach > call->now.reach;
}

/* Number "i" of the calls for the field, of which there are two for each of its copies. */
static bool find_call(const struct cpu_hex *x, const struct field *f, int i,
	struct call_of_fetch *call)
{
	int n = f->kind == FIELD_STATE ? cpu_hex_copies(x->h, f) : 1;

	*call = (struct call_of_fetch) { .x = x, .field = f, .back = i / 2,
		.last = i % 2 };
	call->now = find_farthest(x, f, call->back, call->last);
	call->next = find_farthest(x, f, (call->back + 1) % n, call->last);
	return is_new(call);
}

static int count_calls(const struct cpu_hex *x, const struct field *f)
{
	return f->kind == FIELD_STATE ? 2 * cpu_hex_copies(x->h, f) : 2;
}

static bool has_calls(const struct cpu_hex *x, const struct field *f)
{
	struct call_of_fetch call;

	for (int i = 0; i < count_calls(x, f); i++)
		if (find_call(x, f, i, &call))
			return true;
	return false;
}

struct kfunc *cpu_hex_fetch(const struct cpu_hex *x, const struct field *f)
{
	const struct host *h = x->h;
	struct kfunc *fetch = cpu_function(h, region_printf(h->mem, "fetch%d",
		f->index));
	struct ks *body;
	int last = x->n_dims - 1;

	if (!has_planes(x, f) || !has_calls(x, f))
		return NULL;
	fetch->comment = region_printf(h->mem, "Fetch the cells of %s in a box.",
		f->name);
	for (int d = 0; d < x->n_dims; d++) {
		kfunc_add_int(h->mem, fetch, x->low[d]);
		kfunc_add_int(h->mem, fetch, x->high[d]);
	}
	cpu_hex_add_arrays(x, fetch);
	body = fetch_row(x, f);
	for (int d = last - 1; d >= 0; d--)
		body = ks_for(h->mem, x->names->point[d], kx_max(h->mem,
			name(h, x->low[d]), integer(h, 0)), op(h, OP_LE, name(h,
				x->names->point[d]), kx_min(h->mem, name(h,
				x->high[d]), kx_add(h->mem, size_of(x, f, d),
					-1))), integer(h, 1), body);
	ks_add(h->mem, fetch->body, ks_if(h->mem, kx_and(h->mem, is_large(x, f),
		op(h, OP_AND, op(h, OP_GE, name(h, x->high[last]), integer(h,
			0)), op(h, OP_LT, name(h, x->low[last]), size_of(x, f,
				last)))), body, NULL));
	kfunc_drop_unused(fetch);
	return fetch;
}

void cpu_hex_add_fetches(const struct cpu_hex *x,
	const struct boxes_of_tile *boxes, struct ks *calls)
{
	const struct host *h = x->h;
	struct call_of_fetch call;

	for (int k = 0; k < h->prog->n_fields; k++)
		for (int i = 0; boxes->fetch[k] && i < count_calls(x,
		     h->prog->field[k]); i++)
			if (find_call(x, h->prog->field[k], i, &call))
				ks_add(h->mem, calls, ks_expression(h->mem,
					KS_EXPRESSION, kfunc_call(h->mem,
						boxes->fetch[k],
						argument_of_fetch, &call)));
}
