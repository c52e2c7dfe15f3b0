/* Mistakes of formulas: mistaken.h. */
#include "tests/mistaken.h"

#include "schedule/schedule.h"
#include "schedule/scop/sets.h"

bool __real_cone_of_deps(const struct deps *deps, int n_dims,
	struct cone *cone);
bool __wrap_cone_of_deps(const struct deps *deps, int n_dims,
	struct cone *cone);

static void lessen(struct rational *r, int64_t by)
{
	r->num -= by * r->den;
	if (r->num < 0)
		r->num = 0;
}

bool __wrap_cone_of_deps(const struct deps *deps, int n_dims,
	struct cone *cone)
{
	bool bounded = __real_cone_of_deps(deps, n_dims, cone);
	int last = n_dims - 1;

	if (is_planted("delta0-too-small"))
		lessen(&cone->delta0[0], 1);
	if (is_planted("delta1-too-small"))
		lessen(&cone->delta1[0], 1);
	if (is_planted("half-the-slopes"))
		cone->delta0[0].den *= 2, cone->delta1[0].den *= 2;
	if (is_planted("no-skew"))
		cone->delta1[last] = (struct rational) { 0, 1 };
	if (is_planted("skew-too-small"))
		lessen(&cone->delta1[last], 1);
	if (is_planted("slopes-exchanged")) {
		struct rational r = cone->delta0[0];

		cone->delta0[0] = cone->delta1[0];
		cone->delta1[0] = r;
	}
	return bounded;
}

bool __real_hex_find_cone(const struct scop *scop,
	const struct expr *const *size, struct cone *cone);
bool __wrap_hex_find_cone(const struct scop *scop,
	const struct expr *const *size, struct cone *cone);

bool __wrap_hex_find_cone(const struct scop *scop,
	const struct expr *const *size, struct cone *cone)
{
	bool bounded = __real_hex_find_cone(scop, size, cone);
	int last = scop->n_dims - 1;

	if (is_planted("slopes-too-small-around"))
		lessen(&cone->delta0[0], 1), lessen(&cone->delta1[0], 1);
	if (is_planted("lead-too-small"))
		cone->delta0[last].den++;
	return bounded;
}

struct deps *__real_deps_compute(const struct scop *scop);
struct deps *__wrap_deps_compute(const struct scop *scop);

struct deps *__wrap_deps_compute(const struct scop *scop)
{
	struct deps *deps = __real_deps_compute(scop);

	if (is_planted("anti-forgotten"))
		deps->distance = keep_set(scop->mem, isl_set_lower_bound_si(
			isl_set_copy(deps->distance), isl_dim_set, 0, 1));
	if (is_planted("distance-forgotten"))
		deps->distance = keep_set(scop->mem, isl_set_upper_bound_si(
			isl_set_copy(deps->distance), isl_dim_set, 1, 0));
	return deps;
}

struct outcome __real_outcome_through(const struct scop *scop,
	const struct field *field);
struct outcome __wrap_outcome_through(const struct scop *scop,
	const struct field *field);

struct outcome __wrap_outcome_through(const struct scop *scop,
	const struct field *field)
{
	struct outcome o = __real_outcome_through(scop, field);

	if (is_planted("anti-forgotten"))
		o.advances = o.bounded = true;
	return o;
}

int __wrap_hexagon_least_width(struct rational delta0, struct rational delta1,
	int h);
int __real_hexagon_least_width(struct rational delta0, struct rational delta1,
	int h);

int __wrap_hexagon_least_width(struct rational delta0, struct rational delta1,
	int h)
{
	return is_planted("w0-below-its-bound") ? 0 :
		__real_hexagon_least_width(delta0, delta1, h);
}

struct hexagon __real_hexagon_make(struct rational delta0,
	struct rational delta1, int h, int w0);
struct hexagon __wrap_hexagon_make(struct rational delta0,
	struct rational delta1, int h, int w0);

struct hexagon __wrap_hexagon_make(struct rational delta0,
	struct rational delta1, int h, int w0)
{
	struct hexagon x = __real_hexagon_make(delta0, delta1, h, w0);

	if (is_planted("pitch-less-one"))
		x.pitch--;
	if (is_planted("pitch-and-one"))
		x.pitch++;
	if (is_planted("height-less"))
		x.height -= 2;
	if (is_planted("f0-is-f1"))
		x.f0 = x.f1;
	if (is_planted("f1-is-0"))
		x.f1 = 0;
	return x;
}

int __real_hexagon_s_shift(const struct hexagon *x, int phase);
int __wrap_hexagon_s_shift(const struct hexagon *x, int phase);

int __wrap_hexagon_s_shift(const struct hexagon *x, int phase)
{
	if (is_planted("printed-phase-0") && phase == 0)
		return x->f1 + x->w0 + 1;
	if (is_planted("shift-of-phase-0"))
		return phase == 0 ? x->w0 + 1 : 0;
	return __real_hexagon_s_shift(x, phase);
}

int __real_hexagon_tau_shift(const struct hexagon *x, int phase);
int __wrap_hexagon_tau_shift(const struct hexagon *x, int phase);

int __wrap_hexagon_tau_shift(const struct hexagon *x, int phase)
{
	if (is_planted("no-time-shift"))
		return 0;
	if (is_planted("printed-phase-1") && phase == 1)
		return x->h + 1;
	return __real_hexagon_tau_shift(x, phase);
}

bool __real_access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);
bool __wrap_access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high);

bool __wrap_access_reach(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high)
{
	bool bounded = __real_access_reach(scop, s, acc, d, low, high);

	if (is_planted("mirror-forgotten"))
		*low = *high = 0;
	return bounded;
}

__isl_give isl_set *__real_set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound);
__isl_give isl_set *__wrap_set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound);

__isl_give isl_set *__wrap_set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound)
{
	if (is_planted("a-step-less") && pos == 0)
		bound = isl_pw_aff_add_constant_val(bound, isl_val_negone(
			isl_space_get_ctx(space)));
	if (is_planted("a-step-more") && pos == 0)
		bound = isl_pw_aff_add_constant_val(bound, isl_val_one(
			isl_space_get_ctx(space)));
	return __real_set_within(space, pos, bound);
}

__isl_give isl_set *__real_tile_last(const struct plan *plan,
	const struct scop_stmt *s);
__isl_give isl_set *__wrap_tile_last(const struct plan *plan,
	const struct scop_stmt *s);

__isl_give isl_set *__wrap_tile_last(const struct plan *plan,
	const struct scop_stmt *s)
{
	isl_set *last = __real_tile_last(plan, s);

	if (is_planted("last-value-not-stored"))
		last = isl_set_upper_bound_si(last, isl_dim_set, 0,
			plan->rows / plan->scop->k - 2);
	return last;
}

__isl_give isl_set *__real_tile_stored(const struct plan *plan,
	const struct scop_stmt *s);
__isl_give isl_set *__wrap_tile_stored(const struct plan *plan,
	const struct scop_stmt *s);

__isl_give isl_set *__wrap_tile_stored(const struct plan *plan,
	const struct scop_stmt *s)
{
	isl_set *stored = __real_tile_stored(plan, s);

	if (is_planted("rim-not-stored"))
		stored = isl_set_subtract(stored, isl_set_fix_si(
			isl_set_copy(stored), isl_dim_set, 0, 0));
	if (is_planted("result-not-stored"))
		stored = isl_set_subtract(stored, isl_set_fix_si(isl_set_copy(
			stored), isl_dim_set, 0, plan->rows /
				plan->scop->k - 1));
	return stored;
}
