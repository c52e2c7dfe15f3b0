/* The code's integers and conditions as quasi-affine functions. */
#include <string.h>

#include "verify/code/lengths.h"

/* Parameters ------------------------------------------------------------ */

static void release(void *value)
{
	isl_pw_aff_free(value);
}

__isl_keep isl_pw_aff *keep_value(struct code *w, __isl_take isl_pw_aff *value)
{
	if (value)
		region_own(w->c->mem, value, release);
	return value;
}

static __isl_give isl_space *space_of(const struct code *w)
{
	return isl_set_get_space(w->at);
}

__isl_give isl_pw_aff *constant(const struct code *w, int64_t i)
{
	return isl_pw_aff_val_on_domain(isl_set_universe(space_of(w)),
		isl_val_int_from_si(w->c->ctx, i));
}

__isl_give isl_pw_aff *new_number(struct code *w, const char *name)
{
	isl_space *space = isl_space_add_dims(space_of(w), isl_dim_param, 1);
	unsigned last = (unsigned) isl_space_dim(space, isl_dim_param) - 1;

	space = isl_space_set_dim_name(space, isl_dim_param, last,
		region_printf(w->c->mem, "%s_%d", name, w->n_numbers++));
	return isl_pw_aff_var_on_domain(isl_local_space_from_space(space),
		isl_dim_param, last);
}

const char *name_of_number(struct code *w, __isl_keep isl_pw_aff *i)
{
	int n = isl_pw_aff_dim(i, isl_dim_param);
	const char *name = n > 0 ? isl_pw_aff_get_dim_name(i, isl_dim_param,
		(unsigned) n - 1) : NULL;

	return name ? region_strdup(w->c->mem, name) : NULL;
}

/* Variables ------------------------------------------------------------- */

const struct variable *variable_called(const struct code *w, const char *name)
{
	const struct variable *v = w->known;

	while (v && strcmp(v->name, name))
		v = v->next;
	return v;
}

struct variable *variable_of(const struct code *w, const struct kx *x)
{
	return x->kind == KX_NAME ? (struct variable *) variable_called(w,
		x->name) : NULL;
}

struct variable *declare_variable(struct code *w, const char *name)
{
	struct variable *v = region_new_of(w->c->mem, struct variable);

	v->name = name;
	v->next = w->known;
	w->known = v;
	return v;
}

static __isl_give isl_pw_aff *number_called(struct code *w, const char *name)
{
	const struct variable *v = variable_called(w, name);

	return v ? isl_pw_aff_copy(v->number) : NULL;
}

/* Arithmetic ------------------------------------------------------------ */

/* Numbers already shown, at this place, to be at least zero. */
struct natural {
	isl_set *at;
	isl_pw_aff *a;
	const struct natural *next;
};

static bool was_natural(const struct code *w, __isl_keep isl_pw_aff *a)
{
	for (const struct natural *n = w->naturals; n; n = n->next)
		if (n->at == w->at &&
		    isl_pw_aff_plain_is_equal(n->a, a) == isl_bool_true)
			return true;
	return false;
}

static void note_natural(struct code *w, __isl_keep isl_pw_aff *a)
{
	struct natural *n = region_new_of(w->c->mem, struct natural);

	*n = (struct natural) { keep_in_checker(w->c, isl_set_copy(w->at)),
		keep_value(w, isl_pw_aff_copy(a)), w->naturals };
	w->naturals = n;
}

static bool is_below_zero(struct code *w, __isl_keep isl_pw_aff *a)
{
	isl_set *below;
	bool some;

	if (was_natural(w, a))
		return false;
	below = isl_set_intersect(isl_pw_aff_lt_set(isl_pw_aff_copy(a),
		constant(w, 0)), isl_set_intersect(isl_set_copy(w->at),
		isl_set_copy(w->ranges)));
	some = isl_set_is_empty(below) != isl_bool_true;
	isl_set_free(below);
	if (!some)
		note_natural(w, a);
	return some;
}

static __isl_give isl_pw_aff *floor_of(struct code *w,
	__isl_take isl_pw_aff *a, int64_t by)
{
	return isl_pw_aff_floor(isl_pw_aff_scale_down_val(a,
		isl_val_int_from_si(w->c->ctx, by)));
}

/* C's a / by and a % by. */
static __isl_give isl_pw_aff *divided(struct code *w,
	__isl_take isl_pw_aff *a, int64_t by, bool rest)
{
	if (a && is_below_zero(w, a))
		return rest ? isl_pw_aff_tdiv_r(a, constant(w, by)) :
			isl_pw_aff_tdiv_q(a, constant(w, by));
	return rest ? isl_pw_aff_mod_val(a, isl_val_int_from_si(w->c->ctx,
		by)) : floor_of(w, a, by);
}

static bool is_constant(__isl_keep isl_pw_aff *a)
{
	return a && isl_pw_aff_is_cst(a) == isl_bool_true;
}

static __isl_give isl_pw_aff *product(__isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b)
{
	if (is_constant(a) || is_constant(b))
		return isl_pw_aff_mul(a, b);
	isl_pw_aff_free(a);
	isl_pw_aff_free(b);
	return NULL;
}

static __isl_give isl_pw_aff *quotient(struct code *w, const struct kx *x)
{
	const struct kx *by = x->arg[1];

	if (by->kind != KX_INT || by->ivalue <= 0)
		return NULL;
	return divided(w, number_of(w, x->arg[0]), by->ivalue,
		x->op == OP_MOD);
}

/* "c" with all the pieces of where it fails. */
static struct condition in_pieces(struct condition c)
{
	if (!c.is_loose)
		return c;
	isl_set_free(c.fails);
	c.fails = isl_set_complement(isl_set_coalesce(isl_set_copy(c.holds)));
	c.is_loose = false;
	return c;
}

/* a where "c" holds, else b. */
static __isl_give isl_pw_aff *select_of(struct condition c,
	__isl_take isl_pw_aff *a, __isl_take isl_pw_aff *b)
{
	if (c.sure) {
		c = in_pieces(c);
	} else {
		isl_pw_aff_free(a);
		isl_pw_aff_free(b);
		a = b = NULL;
	}
	return isl_pw_aff_union_add(isl_pw_aff_intersect_domain(a, c.holds),
		isl_pw_aff_intersect_domain(b, c.fails));
}

/* 1 where a comparison holds, else 0. */
static __isl_give isl_pw_aff *truth_of(struct code *w, const struct kx *x)
{
	return select_of(condition_of(w, x), constant(w, 1), constant(w, 0));
}

static __isl_give isl_pw_aff *binary(struct code *w, const struct kx *x)
{
	isl_pw_aff *begin = begin_of_tile(w, x);

	if (begin)
		return begin;
	switch (x->op) {
	case OP_ADD:
		return isl_pw_aff_add(number_of(w, x->arg[0]),
			number_of(w, x->arg[1]));
	case OP_SUB:
		return isl_pw_aff_sub(number_of(w, x->arg[0]),
			number_of(w, x->arg[1]));
	case OP_MUL:
		return product(number_of(w, x->arg[0]),
			number_of(w, x->arg[1]));
	case OP_DIV:
	case OP_MOD:
		return quotient(w, x);
	default:
		return op_is_of_bits(x->op) ? NULL : truth_of(w, x);
	}
}

/* Builtins -------------------------------------------------------------- */

/* A number 0 <= i < n; the code computes x mod n. */
static __isl_give isl_pw_aff *wrapped(struct code *w,
	__isl_take isl_pw_aff *n)
{
	isl_pw_aff *i = new_number(w, "wrapped");

	w->ranges = isl_set_intersect(w->ranges, isl_pw_aff_ge_set(
		isl_pw_aff_copy(i), constant(w, 0)));
	if (n)
		w->ranges = isl_set_intersect(w->ranges, isl_pw_aff_lt_set(
			isl_pw_aff_copy(i), n));
	return i;
}

/* x below 0: "below"; from n on: "above"; else x. */
static __isl_give isl_pw_aff *in_three(__isl_take isl_pw_aff *x,
	__isl_take isl_pw_aff *n, __isl_take isl_pw_aff *below,
	__isl_take isl_pw_aff *above)
{
	isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(x),
		isl_pw_aff_copy(x));
	isl_set *low = isl_pw_aff_lt_set(isl_pw_aff_copy(x), zero);
	isl_set *high = isl_set_subtract(isl_pw_aff_ge_set(isl_pw_aff_copy(x),
		n), isl_set_copy(low));
	isl_set *rest = isl_set_complement(isl_set_union(isl_set_copy(low),
		isl_set_copy(high)));

	return isl_pw_aff_union_add(isl_pw_aff_intersect_domain(x, rest),
		isl_pw_aff_union_add(isl_pw_aff_intersect_domain(below, low),
		isl_pw_aff_intersect_domain(above, high)));
}

/* The cell of 0 .. n-1 that stands for x. */
static __isl_give isl_pw_aff *stands_for(enum boundary_kind kind,
	__isl_take isl_pw_aff *x, __isl_take isl_pw_aff *n)
{
	isl_pw_aff *below = stand_in(kind, x, n, SIDE_LOW);
	isl_pw_aff *above = stand_in(kind, x, n, SIDE_HIGH);

	return in_three(x, n, below, above);
}

static __isl_give isl_pw_aff *of_two(struct code *w, enum builtin builtin,
	__isl_take isl_pw_aff *a, __isl_take isl_pw_aff *b)
{
	bool both = a && b;
	isl_pw_aff *value = NULL;

	if (builtin == B_MIN)
		return isl_pw_aff_min(a, b);
	if (builtin == B_MAX)
		return isl_pw_aff_max(a, b);
	if (builtin == B_MODULO)
		value = wrapped(w, isl_pw_aff_copy(b));
	else if (both && builtin >= B_STAND_IN && builtin < B_ANY_STAND_IN)
		return stands_for(builtin - B_STAND_IN, a, b);
	isl_pw_aff_free(a);
	isl_pw_aff_free(b);
	return value;
}

/* Is "x" the tile of turn S, S > first ? S - 1 : last? */
static bool is_tile_of_turn(const struct kx *x)
{
	const struct kx *after, *before;

	if (x->kind != KX_SELECT || x->arg[2]->kind != KX_NAME)
		return false;
	after = x->arg[0];
	before = x->arg[1];
	return after->kind == KX_BINARY && after->op == OP_GT &&
		before->kind == KX_BINARY && before->op == OP_SUB &&
		kx_is_int(before->arg[1], 1) &&
		after->arg[0]->kind == KX_NAME &&
		after->arg[1]->kind == KX_NAME &&
		kx_same(after->arg[0], before->arg[0]);
}

/* Without the number by which "turn" counts.  NULL: it has none. */
static __isl_give isl_set *for_all_turns(struct code *w,
	__isl_take isl_set *set, __isl_keep isl_pw_aff *turn)
{
	const char *name = name_of_number(w, turn);
	int place = name ? isl_set_find_dim_by_name(set, isl_dim_param, name) :
		-1;

	return place < 0 ? isl_set_free(set) : isl_set_project_out(set,
		isl_dim_param, (unsigned) place, 1);
}

/* Wherever there is a turn, is there one that is "end"? */
static bool has_turn(struct code *w, __isl_keep isl_pw_aff *turn,
	__isl_keep isl_pw_aff *end)
{
	isl_set *any = for_all_turns(w, isl_set_copy(w->at), turn);
	isl_set *there = for_all_turns(w, isl_set_intersect(isl_set_copy(w->at),
		isl_pw_aff_eq_set(isl_pw_aff_copy(turn), isl_pw_aff_copy(end))),
		turn);
	bool has = any && there && isl_set_is_subset(any, there) ==
		isl_bool_true;

	isl_set_free(any);
	isl_set_free(there);
	return has;
}

/* first <= S <= last is known, and both are taken: a loop takes all values between them once. */
static bool takes_all_turns(struct code *w, __isl_keep isl_pw_aff *turn,
	__isl_keep isl_pw_aff *first, __isl_keep isl_pw_aff *last)
{
	isl_set *between = isl_set_intersect(isl_pw_aff_ge_set(
		isl_pw_aff_copy(turn), isl_pw_aff_copy(first)),
		isl_pw_aff_le_set(isl_pw_aff_copy(turn),
			isl_pw_aff_copy(last)));
	bool takes = isl_set_is_subset(w->at, between) == isl_bool_true &&
		has_turn(w, turn, first) && has_turn(w, turn, last);

	isl_set_free(between);
	return takes;
}

/* Any of the tiles first .. last. */
static __isl_give isl_pw_aff *any_tile(struct code *w,
	__isl_keep isl_pw_aff *first, __isl_keep isl_pw_aff *last)
{
	isl_pw_aff *tile = new_number(w, "tile");

	w->ranges = isl_set_intersect(w->ranges, isl_set_intersect(
		isl_pw_aff_ge_set(isl_pw_aff_copy(tile),
		isl_pw_aff_copy(first)), isl_pw_aff_le_set(
		isl_pw_aff_copy(tile), isl_pw_aff_copy(last))));
	return tile;
}

/* All turns are taken, so every tile is once, of which "x" is any.  NULL: unknown. */
static __isl_give isl_pw_aff *tile_of_turn(struct code *w,
	const struct kx *x)
{
	isl_pw_aff *turn = number_of(w, x->arg[0]->arg[0]);
	isl_pw_aff *first = number_of(w, x->arg[0]->arg[1]), *tile = NULL;
	isl_pw_aff *last = number_of(w, x->arg[2]);

	if (takes_all_turns(w, turn, first, last))
		tile = any_tile(w, first, last);
	isl_pw_aff_free(turn);
	isl_pw_aff_free(first);
	isl_pw_aff_free(last);
	return tile;
}

/* Turns (y, x), 0 <= y <= last_y and 0 <= x <= last_x, are all taken.  Of as many tiles each has one
 * of its own: lines 0 and 1 have rows last_y and 0; what is left has inner rows, in turn the last
 * column's, the first one's, and all others, line by line.
 */
static __isl_give isl_pw_aff *tile_of_turns(struct code *w, const struct kx *x)
{
	isl_pw_aff *first = constant(w, 0), *last[2], *tile = NULL;
	bool all = true;

	for (int i = 0; i < 2; i++) {
		isl_pw_aff *turn = number_of(w, x->arg[i]);

		last[i] = number_of(w, x->arg[2 + i]);
		all = all && turn && last[i] && takes_all_turns(w, turn, first,
			last[i]);
		isl_pw_aff_free(turn);
	}
	if (all)
		tile = any_tile(w, first, last[x->builtin == B_COLUMN_OF_TURN]);
	isl_pw_aff_free(first);
	isl_pw_aff_free(last[0]);
	isl_pw_aff_free(last[1]);
	return tile;
}

static __isl_give isl_pw_aff *builtin(struct code *w, const struct kx *x)
{
	switch (x->builtin) {
	case B_THREAD:
		return isl_pw_aff_copy(w->thread[x->ivalue]);
	case B_BLOCK:
		return isl_pw_aff_copy(w->block[x->ivalue]);
	case B_CLUSTER_RANK:
		return isl_pw_aff_copy(w->block[3]);
	case B_PARITY:
		return isl_pw_aff_mod_val(number_of(w, x->arg[0]),
			isl_val_int_from_si(w->c->ctx, 2));
	case B_ROW_OF_TURN:
	case B_COLUMN_OF_TURN:
		return tile_of_turns(w, x);
	case B_FLOOR_DIV:
		return x->arg[1]->kind == KX_INT ? floor_of(w,
			number_of(w, x->arg[0]), x->arg[1]->ivalue) : NULL;
	default:
		return x->n_args == 2 ? of_two(w, x->builtin,
			number_of(w, x->arg[0]), number_of(w, x->arg[1])) :
			NULL;
	}
}

/* One of two numbers. */
static __isl_give isl_pw_aff *selected(struct code *w, const struct kx *x)
{
	isl_pw_aff *tile = is_tile_of_turn(x) ? tile_of_turn(w, x) : NULL;

	return tile ? tile : select_of(condition_of(w, x->arg[0]),
		number_of(w, x->arg[1]), number_of(w, x->arg[2]));
}

__isl_give isl_pw_aff *number_of(struct code *w, const struct kx *x)
{
	switch (x->kind) {
	case KX_INT:
		return constant(w, x->ivalue);
	case KX_NAME:
		return number_called(w, x->name);
	case KX_UNARY:
		return x->op == OP_NEG ? isl_pw_aff_neg(number_of(w,
			x->arg[0])) : op_is_of_bits(x->op) ? NULL :
			truth_of(w, x);
	case KX_BINARY:
		return binary(w, x);
	case KX_SELECT:
		return selected(w, x);
	case KX_BUILTIN:
		return builtin(w, x);
	case KX_CALL:
		return w->unit->quiet && !strcmp(x->name,
			w->unit->quiet->name) ? constant(w, w->is_quiet) : NULL;
	case KX_CAST:
		return number_of(w, x->arg[0]);
	default:
		return NULL;
	}
}

/* Conditions ------------------------------------------------------------ */

static struct condition unknown(const struct code *w)
{
	return (struct condition) {
		.holds = isl_set_universe(space_of(w)),
		.fails = isl_set_universe(space_of(w)),
	};
}

static struct condition exactly(__isl_take isl_set *holds)
{
	return (struct condition) {
		.holds = holds, .fails = isl_set_complement(isl_set_copy(holds)),
		.sure = true,
	};
}

static struct condition not(struct condition c)
{
	return (struct condition) {
		.holds = c.fails, .fails = c.holds,
		.sure = c.sure && !c.is_loose,
	};
}

static struct condition both(struct condition a, struct condition b)
{
	return (struct condition) {
		.holds = isl_set_intersect(a.holds, b.holds),
		.fails = isl_set_union(a.fails, b.fails),
		.sure = a.sure && b.sure, .is_loose = a.is_loose || b.is_loose,
	};
}

/* Where many alternatives fail, the set has many pieces, and is rarely needed. */
static struct condition either(struct condition a, struct condition b)
{
	enum { MOST_PIECES = 16 };
	bool many = isl_set_n_basic_set(a.fails) *
		isl_set_n_basic_set(b.fails) > MOST_PIECES;
	isl_set *fails = many ? isl_set_universe(isl_set_get_space(a.fails)) :
		isl_set_intersect(isl_set_copy(a.fails),
			isl_set_copy(b.fails));

	isl_set_free(a.fails);
	isl_set_free(b.fails);
	return (struct condition) {
		.holds = isl_set_union(a.holds, b.holds), .fails = fails,
		.sure = a.sure && b.sure,
		.is_loose = many || a.is_loose || b.is_loose,
	};
}

static struct condition compared(struct code *w, enum op op,
	__isl_take isl_pw_aff *a, __isl_take isl_pw_aff *b)
{
	if (!a || !b) {
		isl_pw_aff_free(a);
		isl_pw_aff_free(b);
		return unknown(w);
	}
	switch (op) {
	case OP_LT:
		return exactly(isl_pw_aff_lt_set(a, b));
	case OP_LE:
		return exactly(isl_pw_aff_le_set(a, b));
	case OP_GT:
		return exactly(isl_pw_aff_gt_set(a, b));
	case OP_GE:
		return exactly(isl_pw_aff_ge_set(a, b));
	case OP_EQ:
		return exactly(isl_pw_aff_eq_set(a, b));
	default:
		return exactly(isl_pw_aff_ne_set(a, b));
	}
}

/* a <= floor(e/l) is a*l <= e, for the value e of "of". */
static struct condition compared_to_lengths(struct code *w, const struct kx *x,
	__isl_keep isl_pw_aff *of)
{
	isl_pw_aff *a = times_length(w, x->arg[0]);

	if (x->op == OP_LT)
		a = isl_pw_aff_add(a, isl_pw_aff_copy(w->any.tile->length));
	else if (x->op != OP_LE)
		a = isl_pw_aff_free(a);
	return compared(w, OP_LE, a, isl_pw_aff_copy(of));
}

/* a <= min(b, c) is a <= b and a <= c. */
static struct condition comparison(struct code *w, const struct kx *x)
{
	const struct kx *last = x->arg[1];
	const struct variable *v = last->kind == KX_NAME ?
		variable_called(w, last->name) : NULL;
	bool least = x->op == OP_LT || x->op == OP_LE;
	bool greatest = x->op == OP_GT || x->op == OP_GE;

	if (v && v->kind == LENGTHS)
		return compared_to_lengths(w, x, v->of[0]);
	if (last->kind == KX_BUILTIN && ((least && last->builtin == B_MIN) ||
	    (greatest && last->builtin == B_MAX)))
		return both(compared(w, x->op, number_of(w, x->arg[0]),
			number_of(w, last->arg[0])), compared(w, x->op,
			number_of(w, x->arg[0]), number_of(w, last->arg[1])));
	if (v && ((least && v->kind == LEAST) ||
	    (greatest && v->kind == GREATEST)))
		return both(compared(w, x->op, number_of(w, x->arg[0]),
			isl_pw_aff_copy(v->of[0])), compared(w, x->op,
			number_of(w, x->arg[0]), isl_pw_aff_copy(v->of[1])));
	return compared(w, x->op, number_of(w, x->arg[0]),
		number_of(w, last));
}

/* Do all threads of a warp take the same way?  "c" does not depend on the lane. */
static bool is_uniform(struct code *w, struct condition c)
{
	const char *lane = name_of_number(w, w->thread[0]);
	int pos = lane ? isl_set_find_dim_by_name(c.holds, isl_dim_param,
		lane) : -1;

	return pos < 0 || isl_set_involves_dims(c.holds, isl_dim_param,
		(unsigned) pos, 1) == isl_bool_false;
}

/* "x" holds for all threads asked; if not, perhaps for this one. */
static struct condition vote(struct code *w, const struct kx *x)
{
	struct condition c = condition_of(w, x);

	if (c.sure && w->thread[0] && is_uniform(w, c))
		return c;
	isl_set_free(c.fails);
	c.fails = isl_set_universe(space_of(w));
	c.sure = false;
	return c;
}

static struct condition nonzero(struct code *w, const struct kx *x)
{
	isl_pw_aff *value = number_of(w, x);

	return value ? exactly(isl_pw_aff_ne_set(value, constant(w, 0))) :
		unknown(w);
}

/* The vote whose result a variable has, or NULL. */
static const struct kx *vote_called(const struct code *w, const struct kx *x)
{
	const struct variable *v = x->kind == KX_NAME ?
		variable_called(w, x->name) : NULL;

	return v && v->is && v->is->kind == KX_BUILTIN &&
		v->is->builtin == B_ALL_LANES ? v->is : NULL;
}

struct condition condition_of(struct code *w, const struct kx *x)
{
	const struct kx *called = vote_called(w, x);

	if (called)
		return condition_of(w, called);
	if (x->kind == KX_UNARY && x->op == OP_NOT)
		return not(condition_of(w, x->arg[0]));
	if (x->kind == KX_BINARY && x->op == OP_AND)
		return both(condition_of(w, x->arg[0]),
			condition_of(w, x->arg[1]));
	if (x->kind == KX_BINARY && x->op == OP_OR)
		return either(condition_of(w, x->arg[0]),
			condition_of(w, x->arg[1]));
	if (x->kind == KX_BINARY && op_is_comparison(x->op))
		return comparison(w, x);
	if (x->kind == KX_BUILTIN && x->builtin == B_ALL_LANES)
		return vote(w, x->arg[0]);
	return nonzero(w, x);
}
