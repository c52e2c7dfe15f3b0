/* The program as sets, derived from its trees. */
#include <string.h>

#include "verify/checker.h"

/* Spaces and texts ------------------------------------------------------ */

static void release(void *set)
{
	isl_set_free(set);
}

int writer_of(const struct program *prog, const struct field *f)
{
	for (int i = 0; i < prog->n_stmts; i++)
		if (prog->stmt[i]->write->field == f)
			return i;
	return -1;
}

__isl_keep isl_set *keep_in_checker(struct checker *c,
	__isl_take isl_set *set)
{
	region_own(c->mem, set, release);
	return set;
}

__isl_give isl_space *space_of_dims(struct checker *c, int n)
{
	isl_space *space = isl_space_set_alloc(c->ctx,
		(unsigned) c->n_params, (unsigned) n);

	for (int i = 0; i < c->n_params; i++)
		space = isl_space_set_dim_name(space, isl_dim_param,
			(unsigned) i, region_printf(c->mem, "p%d", i));
	return space;
}

static int position_of(const struct checker *c, const struct param *param)
{
	for (int i = 0; i < c->n_params; i++)
		if (c->param[i] == param)
			return i;
	return -1;
}

static int position_of_name(const struct checker *c, const char *name)
{
	for (int i = 0; i < c->n_params; i++)
		if (!strcmp(c->param[i]->name, name))
			return i;
	return -1;
}

__isl_give isl_set *adopt(struct checker *c, __isl_keep isl_set *set)
{
	isl_set *own = isl_set_reset_tuple_id(isl_set_copy(set));

	for (int i = 0; i < isl_set_dim(own, isl_dim_param); i++) {
		const char *name = isl_set_get_dim_name(own, isl_dim_param,
			(unsigned) i);

		own = isl_set_set_dim_name(own, isl_dim_param, (unsigned) i,
			region_printf(c->mem, "p%d", name ?
				position_of_name(c, name) : -1));
	}
	return isl_set_align_params(own, space_of_dims(c, 0));
}

/* Expressions ----------------------------------------------------------- */

static __isl_give isl_pw_aff *variable(__isl_keep isl_space *space,
	enum isl_dim_type type, int pos)
{
	return isl_pw_aff_var_on_domain(isl_local_space_from_space(
		isl_space_copy(space)), type, (unsigned) pos);
}

__isl_give isl_pw_aff *coordinate(__isl_keep isl_space *space, int pos)
{
	return variable(space, isl_dim_set, pos);
}

__isl_give isl_pw_aff *plus(__isl_take isl_pw_aff *a, int64_t b)
{
	return isl_pw_aff_add_constant_val(a, isl_val_int_from_si(
		isl_pw_aff_get_ctx(a), b));
}

static __isl_give isl_pw_aff *number(__isl_keep isl_space *space, int64_t n)
{
	return isl_pw_aff_val_on_domain(isl_set_universe(
		isl_space_copy(space)),
		isl_val_int_from_si(isl_space_get_ctx(space), n));
}

static __isl_give isl_pw_aff *value_of_binary(struct checker *c,
	__isl_keep isl_space *space, const struct expr *e)
{
	isl_pw_aff *a = value_of(c, space, e->arg[0]);
	isl_pw_aff *b = value_of(c, space, e->arg[1]);

	switch (e->op) {
	case OP_ADD:
		return isl_pw_aff_add(a, b);
	case OP_SUB:
		return isl_pw_aff_sub(a, b);
	case OP_MUL:
		return isl_pw_aff_mul(a, b);
	case OP_DIV:
		return isl_pw_aff_tdiv_q(a, b);
	default:
		return isl_pw_aff_tdiv_r(a, b);
	}
}

static bool is_arithmetic(enum op op)
{
	return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV ||
		op == OP_MOD;
}

__isl_give isl_pw_aff *value_of(struct checker *c, __isl_keep isl_space *space,
	const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
		return number(space, e->ivalue);
	case EXPR_PARAM:
		return e->param->fixed ? number(space, e->param->ivalue) :
			variable(space, isl_dim_param,
				position_of(c, e->param));
	case EXPR_INDEX:
		return variable(space, isl_dim_set, 1 + e->dim);
	case EXPR_TIME:
		return isl_pw_aff_add(variable(space, isl_dim_set, 0),
			value_of(c, space, c->prog->begin));
	case EXPR_NUMBER:
		return variable(space, isl_dim_set, (int) isl_space_dim(space,
			isl_dim_set) - 1);
	case EXPR_CAST:
		return value_of(c, space, e->arg[0]);
	case EXPR_UNARY:
		if (e->op == OP_NEG)
			return isl_pw_aff_neg(value_of(c, space, e->arg[0]));
		break;
	case EXPR_BINARY:
		if (is_arithmetic(e->op))
			return value_of_binary(c, space, e);
		break;
	default:
		return NULL;
	}
	return isl_set_indicator_function(where(c, space, e));
}

__isl_give isl_set *where(struct checker *c,
	__isl_keep isl_space *space, const struct expr *e)
{
	isl_pw_aff *a, *b;

	if (e->kind == EXPR_UNARY && e->op == OP_NOT)
		return isl_set_complement(where(c, space, e->arg[0]));
	if (e->kind != EXPR_BINARY || is_arithmetic(e->op))
		return isl_pw_aff_ne_set(value_of(c, space, e),
			number(space, 0));
	if (e->op == OP_AND)
		return isl_set_intersect(where(c, space, e->arg[0]),
			where(c, space, e->arg[1]));
	if (e->op == OP_OR)
		return isl_set_union(where(c, space, e->arg[0]),
			where(c, space, e->arg[1]));
	a = value_of(c, space, e->arg[0]);
	b = value_of(c, space, e->arg[1]);
	switch (e->op) {
	case OP_LT:
		return isl_pw_aff_lt_set(a, b);
	case OP_LE:
		return isl_pw_aff_le_set(a, b);
	case OP_GT:
		return isl_pw_aff_gt_set(a, b);
	case OP_GE:
		return isl_pw_aff_ge_set(a, b);
	case OP_EQ:
		return isl_pw_aff_eq_set(a, b);
	default:
		return isl_pw_aff_ne_set(a, b);
	}
}

__isl_give isl_pw_aff *subscript_of(__isl_take isl_pw_aff *x,
	const struct access *acc, int d)
{
	isl_ctx *ctx = isl_pw_aff_get_ctx(x);

	x = isl_pw_aff_add_constant_val(isl_pw_aff_scale_val(x,
		isl_val_int_from_si(ctx, acc->stride[d])),
		isl_val_int_from_si(ctx, acc->offset[d]));
	return acc->divisor[d] == 1 ? x : isl_pw_aff_floor(
		isl_pw_aff_scale_down_val(x, isl_val_int_from_si(ctx,
			acc->divisor[d])));
}

/* The subscript "d" of "acc" at x[pos]; no x if "pos" is negative. */
static __isl_give isl_pw_aff *subscript(__isl_keep isl_space *space, int pos,
	const struct access *acc, int d)
{
	return subscript_of(pos >= 0 ? variable(space, isl_dim_set, pos) :
		number(space, 0), acc, d);
}

/* { x in space : "acc" at x[pos] is a cell of dimension "d", or lies beyond the other side } */
static __isl_give isl_set *not_beyond(struct checker *c,
	__isl_keep isl_space *space, int pos, const struct access *acc, int d,
	enum side side)
{
	isl_pw_aff *at = subscript(space, pos, acc, d);

	return side == SIDE_LOW ? isl_pw_aff_ge_set(at, number(space, 0)) :
		isl_pw_aff_lt_set(at, value_of(c, space, acc->field->size[d]));
}

/* { x in space : "acc" at x[pos] is a cell of dimension "d" } */
static __isl_give isl_set *in_range(struct checker *c,
	__isl_keep isl_space *space, int pos, const struct access *acc, int d)
{
	return isl_set_intersect(not_beyond(c, space, pos, acc, d, SIDE_LOW),
		not_beyond(c, space, pos, acc, d, SIDE_HIGH));
}

__isl_give isl_set *points_in_time(struct checker *c,
	__isl_keep isl_space *space)
{
	isl_pw_aff *t = variable(space, isl_dim_set, 0);
	isl_pw_aff *steps = isl_pw_aff_sub(value_of(c, space, c->prog->end),
		value_of(c, space, c->prog->begin));
	isl_set *set = isl_pw_aff_ge_set(isl_pw_aff_copy(t),
		number(space, 0));

	return isl_set_intersect(set, isl_pw_aff_lt_set(t, steps));
}

/* Reads ----------------------------------------------------------------- */

bool is_mapped_at(const struct stmt *s, const struct access *acc, int d,
	enum side side)
{
	if (acc->dim[d] < 0 ||
	    acc->field->boundary[d][side].kind == BOUNDARY_FIXED)
		return false;
	return side == SIDE_LOW ? acc->offset[d] < 0 : acc->offset[d] > 0 ||
		access_strides_along(acc, d) || !expr_same_size(acc->field->size[d],
			s->write->field->size[acc->dim[d]]);
}

bool is_mapped_along(const struct stmt *s, const struct access *acc, int d)
{
	return is_mapped_at(s, acc, d, SIDE_LOW) ||
		is_mapped_at(s, acc, d, SIDE_HIGH);
}

__isl_give isl_pw_aff *stand_in(enum boundary_kind kind,
	__isl_keep isl_pw_aff *at, __isl_keep isl_pw_aff *size, enum side side)
{
	bool above = side == SIDE_HIGH;
	const struct boundary_info *b = boundary_info(kind);
	isl_ctx *ctx = isl_pw_aff_get_ctx(at);
	isl_pw_aff *x = isl_pw_aff_copy(at), *n = isl_pw_aff_copy(size);

	if (b->stands == STANDS_OTHER_END)
		return above ? isl_pw_aff_sub(x, n) : isl_pw_aff_add(x, n);
	if (b->stands != STANDS_NEAR) {
		isl_pw_aff_free(x);
		isl_pw_aff_free(n);
		return NULL;
	}
	/* so many cells beyond the edge, then as many from it inwards */
	x = above ? isl_pw_aff_sub(x, isl_pw_aff_copy(n)) :
		isl_pw_aff_add_constant_val(isl_pw_aff_neg(x),
			isl_val_negone(ctx));
	x = isl_pw_aff_add_constant_val(isl_pw_aff_scale_val(x,
		isl_val_int_from_si(ctx, b->step)),
		isl_val_int_from_si(ctx, b->first));
	if (above)
		return isl_pw_aff_sub(isl_pw_aff_add_constant_val(n,
			isl_val_negone(ctx)), x);
	isl_pw_aff_free(n);
	return x;
}

static __isl_give isl_map *add_stand_in(__isl_take isl_map *map,
	const struct access *acc, int d, __isl_keep isl_pw_aff *at,
	__isl_keep isl_pw_aff *size, enum side side)
{
	isl_pw_aff *y = stand_in(acc->field->boundary[d][side].kind, at, size,
		side);
	isl_pw_aff *zero;
	isl_set *outside;

	if (!y)
		return map;
	zero = isl_pw_aff_sub(isl_pw_aff_copy(at), isl_pw_aff_copy(at));
	outside = side == SIDE_HIGH ? isl_pw_aff_ge_set(isl_pw_aff_copy(at),
		isl_pw_aff_copy(size)) :
		isl_pw_aff_lt_set(isl_pw_aff_copy(at),
			isl_pw_aff_copy(zero));
	isl_pw_aff_free(zero);
	return isl_map_union(map, isl_map_from_pw_aff(
		isl_pw_aff_intersect_domain(y, outside)));
}

/* { [.., x at "pos", ..] -> [y] } in "space" */
static __isl_give isl_map *read_along(struct checker *c,
	__isl_take isl_space *space, const struct stmt *s,
	const struct access *acc, int d, int pos)
{
	isl_pw_aff *at = subscript(space, pos, acc, d);
	isl_pw_aff *size = value_of(c, space, acc->field->size[d]);
	isl_set *grid = in_range(c, space, pos, acc, d);
	isl_map *map = isl_map_from_pw_aff(isl_pw_aff_intersect_domain(
		isl_pw_aff_copy(at), grid));

	for (int side = 0; side < SIDES; side++)
		if (is_mapped_at(s, acc, d, side))
			map = add_stand_in(map, acc, d, at, size, side);
	isl_pw_aff_free(at);
	isl_pw_aff_free(size);
	isl_space_free(space);
	return map;
}

__isl_give isl_map *reads_along(struct checker *c, const struct stmt *s,
	const struct access *acc, int d)
{
	isl_space *space = space_of_dims(c, 1);
	isl_set *points = isl_set_universe(isl_space_copy(space));

	if (acc->dim[d] >= 0) {
		isl_set_free(points);
		points = in_range(c, space, 0, s->write, acc->dim[d]);
	}
	return isl_map_intersect_domain(read_along(c, space, s, acc, d,
		acc->dim[d] >= 0 ? 0 : -1), points);
}

bool take_int(__isl_take isl_val *v, int64_t *value)
{
	bool is_int = v && isl_val_is_int(v) == isl_bool_true;

	if (is_int)
		*value = isl_val_get_num_si(v);
	isl_val_free(v);
	return is_int;
}

bool reach_along(struct checker *c, const struct stmt *s,
	const struct access *acc, int d, int64_t *low, int64_t *high)
{
	isl_set *reach;
	bool bounded;

	if (acc->dim[d] < 0)
		return false;
	*low = *high = acc->offset[d];
	if (!is_mapped_along(s, acc, d) && !access_strides_along(acc, d))
		return true;
	reach = isl_map_deltas(isl_map_intersect_params(
		reads_along(c, s, acc, d), isl_set_copy(c->context)));
	reach = isl_set_project_out(reach, isl_dim_param, 0,
		(unsigned) c->n_params);
	bounded = isl_set_is_empty(reach) == isl_bool_true ||
		(take_int(isl_set_dim_min_val(isl_set_copy(reach), 0), low) &&
		take_int(isl_set_dim_max_val(isl_set_copy(reach), 0), high));
	isl_set_free(reach);
	return bounded;
}

__isl_give isl_map *read_relation(struct checker *c, const struct statement *s,
	const struct access *acc)
{
	isl_space *space = space_of_dims(c, 1 + s->stmt->n_dims);
	bool timed = acc->field->kind == FIELD_STATE;
	isl_map *map = NULL;

	if (timed)
		map = isl_map_from_pw_aff(isl_pw_aff_add(variable(space,
			isl_dim_set, 0), number(space, acc->version)));
	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_map *along = read_along(c, isl_space_copy(space), s->stmt,
			acc, d, acc->dim[d] >= 0 ? 1 + acc->dim[d] : -1);

		map = map ? isl_map_flat_range_product(map, along) : along;
	}
	isl_space_free(space);
	return isl_map_intersect_domain(map, isl_set_copy(s->domain));
}

/* Instances ------------------------------------------------------------- */

static bool must_be_inside(const struct access *acc, int d, enum side side,
	bool mapped)
{
	return !mapped ||
		acc->field->boundary[d][side].kind == BOUNDARY_FIXED;
}

/* Does a read of "s" before read "i" require the same of its points? */
static bool was_asked(const struct stmt *s, int i, int d, enum side side,
	bool mapped)
{
	const struct access *acc = stmt_asked(s, i);

	for (int j = i - 1; j >= 0; j--) {
		const struct access *other = stmt_asked(s, j);

		for (int k = 0; k < other->field->n_dims; k++)
			if (access_same_along(other, k, acc, d) &&
			    must_be_inside(other, k, side, mapped) &&
			    expr_same_size(other->field->size[k],
				acc->field->size[d]))
				return true;
	}
	return false;
}

static __isl_give isl_set *read_inside(struct checker *c,
	__isl_keep isl_space *space, const struct stmt *s, int i, bool mapped)
{
	const struct access *acc = stmt_asked(s, i);
	isl_set *set = isl_set_universe(isl_space_copy(space));

	for (int d = 0; d < acc->field->n_dims; d++)
		for (int side = 0; side < SIDES && acc->dim[d] >= 0; side++)
			if (must_be_inside(acc, d, side, mapped) &&
			    !was_asked(s, i, d, side, mapped))
				set = isl_set_intersect(set, not_beyond(c,
					space, 1 + acc->dim[d], acc, d, side));
	return set;
}

/* { [x] : the reads of "s" along "dim" that need it lie in their grids } */
static __isl_give isl_set *inside_along(struct checker *c,
	__isl_keep isl_space *space, const struct stmt *s, int dim)
{
	isl_set *set = isl_set_universe(isl_space_copy(space));

	for (int i = 0; i < stmt_n_asked(s); i++) {
		const struct access *acc = stmt_asked(s, i);

		for (int k = 0; k < SIDES * acc->field->n_dims; k++)
			if (acc->dim[k / SIDES] == dim && must_be_inside(acc,
			    k / SIDES, (enum side) (k % SIDES), true))
				set = isl_set_intersect(set, not_beyond(c,
					space, 0, acc, k / SIDES, (enum side)
					(k % SIDES)));
	}
	return set;
}

__isl_give isl_set *cells_read_along(struct checker *c, const struct stmt *s,
	const struct access *acc, int d)
{
	isl_space *space = space_of_dims(c, 1);
	isl_map *reads = reads_along(c, s, acc, d);
	isl_map *inside = isl_map_intersect_domain(isl_map_copy(reads),
		inside_along(c, space, s, acc->dim[d]));
	isl_set *some = isl_map_params(isl_map_copy(inside));

	isl_space_free(space);
	return isl_map_range(isl_map_union(inside, isl_map_subtract(reads,
		isl_map_intersect_params(isl_map_copy(reads), some))));
}

__isl_give isl_set *element_inside(struct checker *c,
	__isl_keep isl_space *space, const struct access *acc)
{
	isl_set *set = isl_set_universe(isl_space_copy(space));

	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] >= 0)
			set = isl_set_intersect(set, in_range(c, space,
				1 + acc->dim[d], acc, d));
	return set;
}

__isl_give isl_set *grid_points(struct checker *c,
	__isl_keep isl_space *space, const struct stmt *s)
{
	isl_set *set = points_in_time(c, space);

	for (int d = 0; d < s->n_dims; d++)
		set = isl_set_intersect(set, in_range(c, space, 1 + d,
			s->write, d));
	return set;
}

__isl_give isl_set *points_inside(struct checker *c, const struct stmt *s,
	bool mapped)
{
	isl_space *space = space_of_dims(c, 1 + s->n_dims);
	isl_set *set = grid_points(c, space, s);

	for (int i = 0; i < stmt_n_asked(s); i++)
		set = isl_set_intersect(set, read_inside(c, space, s, i,
			mapped));
	isl_space_free(space);
	return fewer_pieces(set);
}

/* { [t, x] : "acc" of "s" reads a cell of a temp that no earlier statement
 * computes }
 */
static __isl_give isl_set *reads_nothing(struct checker *c,
	const struct stmt *s, const struct access *acc)
{
	struct statement reader = { .stmt = s,
		.domain = points_inside(c, s, true) };
	isl_map *reads = read_relation(c, &reader, acc);

	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].stmt->write->field == acc->field)
			reads = isl_map_subtract_range(reads, isl_map_range(
				read_relation(c, &c->stmt[i],
					c->stmt[i].stmt->write)));
	isl_set_free(reader.domain);
	return isl_map_domain(reads);
}

__isl_give isl_set *instances_of(struct checker *c, const struct stmt *s)
{
	isl_space *space = space_of_dims(c, 1 + s->n_dims);
	isl_set *set = points_inside(c, s, true);

	for (int i = 0; i < s->n_conditions; i++)
		set = isl_set_intersect(set, where(c, space,
			s->condition[i]));
	for (int i = 0; i < s->n_reads; i++)
		if (field_is_temp(s->read[i]->field))
			set = isl_set_subtract(set, reads_nothing(c, s,
				s->read[i]));
	isl_space_free(space);
	return fewer_pieces(set);
}

/* The context ----------------------------------------------------------- */

/* { params : nevertheless, some point of "s" would read beyond the grid } */
static __isl_give isl_set *still_outside(struct checker *c,
	const struct stmt *s, const struct access *acc, int d)
{
	isl_set *cells = cells_read_along(c, s, acc, d);
	isl_space *space = space_of_dims(c, 1);

	cells = isl_set_intersect(cells, points_beyond(c, space, 0, 0,
		acc->field->size[d]));
	isl_space_free(space);
	return isl_set_params(cells);
}

/* { the segment lies in the user's time range } */
static __isl_give isl_set *in_whole_range(struct checker *c,
	__isl_keep isl_space *space)
{
	const struct segments *s = c->prog->segments;

	return isl_set_intersect(isl_pw_aff_le_set(value_of(c, space,
		s->whole_begin), value_of(c, space, s->from)),
		isl_pw_aff_le_set(value_of(c, space, s->to), value_of(c, space,
			s->whole_end)));
}

/* The function runs if sizes are positive, assumptions hold, there is a step,
 * and boundaries go around at most once.
 */
static __isl_give isl_set *find_context(struct checker *c)
{
	isl_space *space = space_of_dims(c, 1);
	isl_set *set = points_in_time(c, space);

	for (int i = 0; i < c->prog->n_assumes; i++)
		set = isl_set_intersect(set, where(c, space,
			c->prog->assume[i]));
	for (int i = 0; i < c->prog->n_fields; i++)
		for (int d = 0; !c->prog->field[i]->is_listed &&
		     d < c->prog->field[i]->n_dims; d++)
			set = isl_set_intersect(set, isl_pw_aff_pos_set(
				value_of(c, space,
					c->prog->field[i]->size[d])));
	if (c->prog->segments)
		set = isl_set_intersect(set, in_whole_range(c, space));
	if (c->prog->waves)
		set = isl_set_intersect(set, has_written_steps(c, space));
	isl_space_free(space);
	set = isl_set_params(set);
	for (int i = 0; i < c->prog->n_stmts; i++)
		for (int j = 0; j < c->prog->stmt[i]->n_reads; j++) {
			const struct stmt *s = c->prog->stmt[i];
			const struct access *acc = s->read[j];

			for (int d = 0; d < acc->field->n_dims; d++)
				if (is_mapped_along(s, acc, d))
					set = isl_set_subtract(set,
						still_outside(c, s, acc, d));
		}
	return fewer_pieces(without_misses(c, set));
}

static void find_params(struct checker *c)
{
	const struct program *prog = c->prog;

	c->param = region_array(c->mem, const struct param *,
		prog->n_params + 1);
	for (int i = 0; i < prog->n_params; i++)
		if (prog->param[i]->type == TYPE_INT && !prog->param[i]->fixed)
			c->param[c->n_params++] = prog->param[i];
}

void find_parameters(struct checker *c)
{
	find_params(c);
	c->context = keep_in_checker(c, find_context(c));
}

__isl_give isl_set *points_beyond(struct checker *c,
	__isl_keep isl_space *space, int pos, int64_t offset,
	const struct expr *size)
{
	isl_pw_aff *at = plus(coordinate(space, pos), offset);
	isl_set *above = isl_pw_aff_ge_set(isl_pw_aff_copy(at),
		value_of(c, space, size));

	return isl_set_union(above, isl_pw_aff_nonneg_set(
		plus(isl_pw_aff_neg(at), -1)));
}
