/* Are all steps computed in rounds that begin with an exchange and have no more steps than
 * halos suffice for?
 */
#include <string.h>

#include "codegen/tree/names.h"
#include "verify/ranks/ranks.h"

static const char exchange[] = "stencilc_exchange";

/* The last loop of "s" in which halos are exchanged, or NULL; "s" may be one. */
static const struct ks *loop_of_exchange(const struct ks *s)
{
	const struct ks *loop = NULL;

	if (!call_in(s, exchange))
		return NULL;
	for (int i = 0; !loop && i < s->n_children; i++)
		loop = loop_of_exchange(s->child[i]);
	return loop ? loop : s->kind == KS_FOR ? s : NULL;
}

static const struct ks *round_in(const struct ks *s)
{
	const struct ks *loop = loop_of_exchange(s);

	return loop ? loop : s;
}

/* The function of the block that "s" calls, or NULL. */
static const struct kx *block_call(const struct ranks *r, const struct ks *s,
	const struct kfunc **block)
{
	static const char *const suffixes[] = { "_device_with_memory", "_device",
		"_with_memory", "" };

	for (int i = 0; i < 4; i++) {
		const char *name = region_printf(r->c->mem, "%s%s",
			r->blocks->block->name, suffixes[i]);
		const struct kx *call = call_in(s, name);

		for (*block = r->unit->first; call && *block; *block =
		     (*block)->next)
			if (!strcmp((*block)->name, name))
				return call;
	}
	return NULL;
}

/* The value with which "s", a block, declares "name", or NULL. */
static const struct kx *declared(const struct ks *s, const char *name)
{
	for (int i = 0; i < s->n_children; i++)
		if (s->child[i]->kind == KS_DECLARE && !strcmp(
		    s->child[i]->name, name))
			return s->child[i]->x[0];
	return NULL;
}

/* Arguments ---------------------------------------------------------------- */

static bool is_call_of(const struct kx *x, const char *name, int number)
{
	int value;

	return x && x->kind == KX_CALL && !strcmp(x->name, name) &&
		int_of(x->arg[1], &value) && value == number;
}

static int place_of(const struct ranks *r, const char *name)
{
	for (int i = 0; i < r->exchange.n_fields; i++)
		if (!strcmp(r->exchange.field[i].field->name, name))
			return i;
	return -1;
}

/* .. without the cast to a type that C++ wants. */
static const struct kx *uncast(const struct kx *x)
{
	return x && x->kind == KX_CAST ? x->arg[0] : x;
}

/* Fields come with halos, all else are the variables of these names. */
static bool are_handed_over(const struct ranks *r, const struct kx *call,
	const struct kfunc *block)
{
	bool good = call->n_args == block->n_params;

	for (int i = 0; good && i < block->n_params; i++) {
		int place = place_of(r, block->param[i].name);
		const struct kx *x = call->arg[i];

		good = place >= 0 ? is_call_of(uncast(x), "stencilc_local", place) :
			is_of_zone(r, x, block, &block->param[i]);
	}
	return good;
}

static bool blocks_are_placed(const struct ranks *r, const struct ks *run)
{
	const struct ks *zones = zones_in(run), *body = zones ? zones : run;
	bool good = !zones == !r->exchange.late;

	for (int k = 0; k < r->exchange.n_dims; k++) {
		const struct block_dim *dim = &r->blocks->dim[k];

		good = good && is_call_of(declared(body, dim->origin->name),
			"stencilc_origin", k) && is_call_of(declared(body,
			dim->extent->name), "stencilc_extent", k) &&
			(!dim->own || (is_call_of(declared(body,
			dim->own->name), "stencilc_own_first", k) &&
			is_call_of(declared(body, dim->own_end->name),
				"stencilc_own_end", k)));
	}
	return good;
}

/* Each result goes to the rank's copy of it. */
static bool results_are_placed(const struct ranks *r, const struct ks *body)
{
	const struct program *p = r->c->prog;
	bool good = true;

	for (int i = 0; good && i < p->n_fields; i++) {
		const char *name = p->field[i]->name;

		good = !p->field[i]->is_result || is_call_of(uncast(declared(
			body, fresh_name(r->c->mem, p, "%s_result", name))),
			"stencilc_local", place_of(r, name));
	}
	return good;
}

/* Rounds ------------------------------------------------------------------- */

static __isl_give isl_set *is_below(const struct ranks *r, const struct kx *x,
	__isl_keep isl_space *space)
{
	if (x->kind != KX_BINARY || x->op != OP_LT)
		return NULL;
	return isl_pw_aff_lt_set(value_of_code(r, space, x->arg[0]),
		value_of_code(r, space, x->arg[1]));
}

static __isl_give isl_pw_aff *time_after(const struct ranks *r,
	__isl_keep isl_space *space)
{
	return isl_pw_aff_add(value_of(r->c, space, r->c->prog->begin),
		number_for(r, space, DONE));
}

/* for (int done = 0; done < steps; done += stencilc_steps(&ranks)) */
static bool loop_is_of_all(struct ranks *r, const struct ks *loop,
	__isl_keep isl_space *space)
{
	isl_set *runs, *all = isl_pw_aff_lt_set(time_after(r, space),
		value_of(r->c, space, r->c->prog->end));
	bool same;

	r->number[DONE].name = loop->name;
	runs = is_below(r, loop->x[1], space);
	same = kx_is_int(loop->x[0], 0) && runs && isl_set_is_equal(runs, all) ==
		isl_bool_true && are_equal(r, value_of_code(r, space,
			loop->x[2]), number_for(r, space, STEPS), NULL);
	isl_set_free(runs);
	isl_set_free(all);
	return same;
}

/* From step "done" on, as many as there are up to the next exchange. */
static bool round_is_between(struct ranks *r, const struct ks *body,
	__isl_keep isl_space *space)
{
	const struct kx *first = declared(body, r->blocks->first->name);
	const struct kx *end = declared(body, r->blocks->end->name);

	return first && end && are_equal(r, value_of_code(r, space, first),
		time_after(r, space), NULL) && are_equal(r, value_of_code(r,
		space, end), isl_pw_aff_min(isl_pw_aff_add(time_after(r, space),
			number_for(r, space, STEPS)), value_of(r->c, space,
			r->c->prog->end)), NULL);
}

static bool check_loop(struct ranks *r, const struct ks *loop)
{
	isl_space *space = space_of_dims(r->c, 0);
	bool good = loop->kind == KS_FOR && loop_is_of_all(r, loop, space) &&
		round_is_between(r, loop->child[0], space);

	isl_space_free(space);
	return good || refute(r->c, "rounds have not the steps from an exchange "
		"to the next, or not all of them");
}

/* What has happened when execution reaches this place. */
struct so_far {
	int held;			/* fields, in the order of their places */
	bool is_wrong, has_begun, has_inputs, has_halos, computed;
	bool in_zones;			/* of which some has not given back what it
					 * computed */
};

/* stencilc_hold(ranks, place, field) */
static void follow_hold(const struct ranks *r, const struct kx *call,
	struct so_far *f)
{
	const struct kx *field = call->arg[2];

	f->is_wrong = f->is_wrong || !is_call_of(call, "stencilc_hold",
		f->held) || field->kind != KX_NAME ||
		place_of(r, field->name) != f->held;
	f->held++;
}

static void follow_exchange(const struct kx *call, struct so_far *f)
{
	const char *role = call->arg[1]->kind == KX_NAME ? call->arg[1]->name :
		"";

	f->is_wrong = f->is_wrong || !f->has_begun || f->in_zones;
	f->has_inputs = f->has_inputs || !strcmp(role, "STENCILC_INPUT");
	f->has_halos = !strcmp(role, "STENCILC_RESULT");
}

/* Statements in their order; the block is computed if status allows, everything else in any
 * case.
 */
static void follow(const struct ranks *r, const struct ks *s, struct so_far *f)
{
	const struct kfunc *block;
	const struct kx *call;

	if (s->kind == KS_FOR && call_in_value(s->x[1], "stencilc_enter_zone")) {
		f->is_wrong = f->is_wrong || f->in_zones || !is_loop_of_zones(s,
			"stencilc_enter_zone");
		f->in_zones = true;
	}
	if (s->kind == KS_BLOCK || s->kind == KS_FOR) {
		for (int i = 0; i < s->n_children; i++)
			follow(r, s->child[i], f);
		return;
	}
	if (block_call(r, s, &block)) {
		f->is_wrong = f->is_wrong || !f->has_inputs || !f->has_halos;
		f->has_halos = false;
		f->computed = true;
	}
	if (s->kind != KS_EXPRESSION && s->kind != KS_ASSIGN)
		return;
	f->in_zones = f->in_zones && !call_in(s, "stencilc_leave_zones");
	call = call_in(s, "stencilc_hold");
	if (call)
		follow_hold(r, call, f);
	if (call_in(s, "stencilc_begin") || call_in(s, "stencilc_begin_run"))
		f->has_begun = f->held == r->exchange.n_fields;
	call = call_in(s, exchange);
	if (call)
		follow_exchange(call, f);
}

/* Halos are filled before each time that the block is computed; those of inputs before the
 * first time.
 */
static bool come_in_time(const struct ranks *r, const struct ks *body)
{
	struct so_far f = { .has_inputs = true };

	for (int i = 0; i < r->exchange.n_fields; i++)
		f.has_inputs = f.has_inputs && r->exchange.field[i].role !=
			STAYS;
	follow(r, body, &f);
	return f.computed && !f.is_wrong && !f.in_zones;
}

/* The rounds of "run", a function in which halos are exchanged. */
static bool rounds_are_right(struct ranks *r, const struct kfunc *run)
{
	const struct ks *round = round_in(run->body);
	const struct kfunc *block;
	const struct ks *zones = zones_in(round);
	const struct kx *call = block_call(r, zones ? zones : round, &block);

	if (!call || !come_in_time(r, run->body))
		return refute(r->c, "no exchange comes before the steps that "
			"need it");
	if (!are_handed_over(r, call, block) ||
	    !blocks_are_placed(r, run->body) ||
	    !results_are_placed(r, run->body))
		return refute(r->c, "a block is computed with other cells or "
			"sizes than the rank has");
	return !r->c->prog->timed || check_loop(r, round);
}

bool check_rounds(struct ranks *r)
{
	bool any = false;

	for (const struct kfunc *f = r->unit->first; f; f = f->next) {
		if (!call_in(f->body, exchange))
			continue;
		if (!rounds_are_right(r, f))
			return false;
		any = true;
	}
	if (!any)
		return refute(r->c, "no exchange comes before the steps that "
			"need it");
	claim(r->c, "all steps are computed, in rounds that begin with an "
		"exchange and have no more steps than\n  the halos are for; the "
		"last may have fewer");
	return true;
}
