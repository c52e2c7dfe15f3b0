/* Reductions, and the program in the segments into which they divide its steps. */
#include "ir/reduction.h"
#include "ir/waves.h"

const char *reduce_name(enum reduce how)
{
	static const char *const names[] = { "max", "min", "sum" };

	return names[how];
}

static bool has_result(const struct expr *e, const struct field *f)
{
	if (e->kind == EXPR_ELEMENT && e->field == f)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (has_result(e->arg[i], f))
			return true;
	return false;
}

bool result_ends_loop(const struct program *p, const struct field *f)
{
	return p->until && has_result(p->until, f);
}

bool reduction_keeps_order(const struct reduction *r)
{
	return r->how == REDUCE_SUM && !type_is_integer(r->point->value->type);
}

/* A series has an element for each of its values, a scalar only for the newest. */
bool reduction_is_seen(const struct program *p, const struct reduction *r)
{
	return r->is_check || !r->result->is_scalar ||
		result_ends_loop(p, r->result);
}

const struct expr *program_begin(const struct program *p)
{
	return p->segments ? p->segments->whole_begin : p->begin;
}

const struct expr *program_end(const struct program *p)
{
	return p->segments ? p->segments->whole_end : p->end;
}

const struct program *program_whole(struct region *r, const struct program *p)
{
	struct program *whole = region_new_of(r, struct program);

	p = program_written(p);
	*whole = *p;
	whole->begin = program_begin(p);
	whole->end = program_end(p);
	whole->segments = NULL;
	return whole;
}

bool param_is_of_segments(const struct program *p, const struct param *x)
{
	return p->segments && (x == p->segments->first ||
		x == p->segments->end);
}

static int64_t most_steps(const struct program *p)
{
	int64_t least = 0;

	for (int i = 0; i < p->n_reductions; i++) {
		const struct reduction *r = p->reduction[i];

		if (reduction_is_seen(p, r) && (!least || r->every < least))
			least = r->every;
	}
	return least;
}

bool segments_are_at_least(const struct program *p, int64_t steps)
{
	bool one_period = true;

	for (int i = 0; p->segments && i < p->n_reductions; i++)
		one_period = one_period && (!reduction_is_seen(p,
			p->reduction[i]) || p->reduction[i]->every ==
			p->segments->most);
	return !p->segments || p->segments->most == 0 || steps <= (one_period ?
		p->segments->most : 1);
}

static const char *fresh_param(struct region *r, const struct program *p,
	const char *name)
{
	while (program_has_name(p, name))
		name = region_printf(r, "%s_", name);
	return name;
}

static const struct expr *add_param(struct region *r, struct program *p,
	const char *name)
{
	struct param *param = region_new_of(r, struct param);

	param->name = fresh_param(r, p, name);
	param->type = TYPE_INT;
	param->at = p->at;
	p->param[p->n_params++] = param;
	return expr_param(r, param, p->at);
}

const struct program *program_in_segments(struct region *r,
	const struct program *p)
{
	struct segments *s;
	struct program *pieces;

	if (p->n_reductions == 0)
		return p;
	s = region_new_of(r, struct segments);
	pieces = region_new_of(r, struct program);
	*pieces = *p;
	pieces->param = region_array(r, struct param *, p->n_params + 2);
	for (int i = 0; i < p->n_params; i++)
		pieces->param[i] = p->param[i];
	pieces->begin = add_param(r, pieces, "first");
	pieces->end = add_param(r, pieces, "end");
	*s = (struct segments) { pieces->begin->param, pieces->end->param,
		pieces->begin, pieces->end, p->begin, p->end, most_steps(p) };
	pieces->segments = s;
	return pieces;
}

int64_t reduction_first_point(const struct reduction *r, int dim)
{
	const struct stmt *point = r->point;
	int64_t first = INT64_MIN;

	for (int i = 0; i < point->n_reads; i++)
		for (int d = 0; d < point->read[i]->field->n_dims; d++) {
			const struct access *a = point->read[i];
			int64_t x = access_first(a, d, 0);

			if (a->dim[d] == dim && x > first)
				first = x;
		}
	return first;
}
