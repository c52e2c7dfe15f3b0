/* Copies of states from segment to segment, on a GPU.
 *
 * A segment begins with the copies with which the one before it ends.  So kernels take the number
 * of passes before the segment into account: for a state with n copies, of which a pass moves
 * versions on by c, each of them takes
 *
 *	copy (x + c*passes) mod n where in the first segment it takes copy x mod n
 *
 * of all fields, loads and stores alike.  This permutes the copies, so what is shown for passes = 0
 * holds for each number.  What is left to show is that the host counts the passes of each segment
 * before anything else takes that number.
 */
#include <string.h>

#include "codegen/tree/lower.h"
#include "verify/code/segments.h"

static const char *passes_name(const struct code *w)
{
	return kernel_names_new(w->c->mem, w->c->prog)->memory.passes;
}

bool is_number_of_passes(const struct code *w, const char *name)
{
	return w->c->prog->segments && !strcmp(name, passes_name(w));
}

/* By how many copies a pass moves the state on: a strip stores as many as it has versions. */
static int64_t moved_by_pass(const struct code *w, const struct field *f)
{
	return w->c->form->find_strip ? f->depth : 1;
}

static int64_t copies_of_state(const struct code *w, const struct field *f)
{
	return f->kind == FIELD_STATE ? w->c->plan->scop->field[
		f->index].buffers : 1;
}

/* Expressions of the number ---------------------------------------------------- */

/* The coefficient of "name" in the sum "x"; false if it occurs otherwise. */
static bool coefficient_in(const struct kx *x, const char *name, int64_t *is)
{
	const struct kx *const *arg = x->arg;
	int64_t a, b;

	*is = x->kind == KX_NAME && !strcmp(x->name, name);
	if (*is || !kx_uses(x, name))
		return true;
	if (x->kind != KX_BINARY || !coefficient_in(arg[0], name, &a) ||
	    !coefficient_in(arg[1], name, &b))
		return false;
	*is = x->op == OP_ADD ? a + b : x->op == OP_SUB ? a - b :
		arg[0]->kind == KX_INT ? arg[0]->ivalue * b : 0;
	return x->op == OP_ADD || x->op == OP_SUB || (x->op == OP_MUL &&
		arg[0]->kind == KX_INT);
}

/* (.. + c*passes) mod n, as accesses to the state have it */
static bool turns_copies(const struct code *w, const struct field *f,
	const struct kx *copy)
{
	int64_t c, n = copies_of_state(w, f);

	return copy->kind == KX_BINARY && copy->op == OP_MOD &&
		kx_is_int(copy->arg[1], n) && coefficient_in(copy->arg[0],
			passes_name(w), &c) && c == moved_by_pass(w, f);
}

const struct kx *in_first_segment(const struct code *w, const struct kx *x)
{
	if (x->kind == KX_NAME && is_number_of_passes(w, x->name))
		return kx_int(w->c->mem, 0);
	return x->kind != KX_BINARY ? x : kx_binary(w->c->mem, x->op,
		in_first_segment(w, x->arg[0]), in_first_segment(w, x->arg[1]));
}

/* Kernels ---------------------------------------------------------------------- */

/* The expression for the copy in "x", a cell of a state; NULL if it is none. */
static const struct kx *copy_in(const struct code *w, const struct kx *x)
{
	const struct field *f = x->kind == KX_CELL ? x->field : NULL;

	return f && copies_of_state(w, f) > 1 && x->n_args == f->n_dims + 1 ?
		x->arg[0] : NULL;
}

/* Each cell in "x" lies in a copy that turns, and nothing else depends on the passes. */
static bool cells_turn(const struct code *w, const struct kx *x)
{
	const struct kx *copy = copy_in(w, x);
	bool right = (!copy || turns_copies(w, x->field, copy)) &&
		(x->kind != KX_NAME || !is_number_of_passes(w, x->name));

	for (int i = copy ? 1 : 0; right && i < x->n_args; i++)
		right = cells_turn(w, x->arg[i]);
	return right;
}

static bool all_cells_turn(const struct code *w, const struct ks *s)
{
	bool right = true;

	for (int i = 0; right && i < s->n_x; i++)
		right = cells_turn(w, s->x[i]);
	for (int i = 0; right && i < s->n_children; i++)
		right = all_cells_turn(w, s->child[i]);
	return right;
}

/* A run of one segment launches its kernels in the first one alone; reductions follow it. */
static bool kernels_turn(struct code *w)
{
	bool one = w->c->prog->segments->most == 0;

	for (const struct kfunc *f = w->unit->first; f; f = f->next)
		if (f->is_kernel && !all_cells_turn(w, f->body) && !(one &&
		    !f->is_of_lists && !ks_uses(f->body, passes_name(w))))
			return refute(w->c, "'%s' takes copies that do not turn "
				"from segment to segment as others do", f->name);
	return true;
}

/* Counting --------------------------------------------------------------------- */

/* What a walk through the function that has the segments finds, in the order of its text. */
struct count {
	const struct code *w;
	const struct ks *declared, *counted;	/* the number is 0; the number grows */
	const struct ks *around;	/* the innermost loop or condition around that */
	int n_declared, n_counted;
	bool launched_behind, reduced_before;	/* .. it grows */
	bool is_elsewhere;	/* something else depends on it, or has another number */
	bool **results;		/* by field and version: the caller gets it */
};

/* The kernel gets the number, if it asks for one. */
static bool gets_passes(const struct count *c, const struct ks *s,
	const struct kfunc *f)
{
	const char *name = passes_name(c->w);

	for (int i = 0; i < f->n_params; i++)
		if (!strcmp(f->param[i].name, name) && (s->x[3 + i]->kind !=
		    KX_NAME || strcmp(s->x[3 + i]->name, name)))
			return false;
	return true;
}

/* "x" is A + copy * cells: note the version of A that a result is, if it is one. */
static bool note_result(struct count *c, const struct kx *x)
{
	const struct program *p = c->w->c->prog;
	const struct kx *copy = x->kind == KX_BINARY && x->op == OP_ADD &&
		x->arg[1]->kind == KX_BINARY && x->arg[1]->op == OP_MUL ?
		x->arg[1]->arg[0] : NULL;

	for (int i = 0; copy && x->arg[0]->kind == KX_NAME && i < p->n_fields;
	     i++) {
		const struct field *f = p->field[i];
		int64_t n = copies_of_state(c->w, f);

		if (strcmp(x->arg[0]->name, f->name) || n == 1 ||
		    !turns_copies(c->w, f, copy))
			continue;
		for (int v = 0; v < f->passed; v++)
			if (kx_is_int(in_first_segment(c->w, copy), (n - v) % n))
				return c->results[i][v] = true;
	}
	return false;
}

static void find_uses(struct count *c, const struct kx *x)
{
	if (note_result(c, x))
		return;
	if (x->kind == KX_NAME && is_number_of_passes(c->w, x->name))
		c->is_elsewhere = true;
	for (int i = 0; i < x->n_args; i++)
		find_uses(c, x->arg[i]);
}

static void note_launch(struct count *c, const struct ks *s)
{
	const struct kfunc *f = unit_function(c->w->unit, s->name);
	bool reduces = strstr(s->name, "_reduce");
	int number;

	if (f && !gets_passes(c, s, f))
		c->is_elsewhere = true;
	for (int i = 3; f && i < s->n_x; i++)
		if (s->x[i]->kind != KX_NAME)
			find_uses(c, s->x[i]);
	c->launched_behind |= c->counted && kernel_called(c->w, s->name, &number);
	c->reduced_before |= !c->counted && reduces;
}

static bool is_of_passes(const struct count *c, const struct ks *s)
{
	return s->kind == KS_DECLARE ? is_number_of_passes(c->w, s->name) :
		s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
		is_number_of_passes(c->w, s->x[0]->name);
}

static void find_count(struct count *c, const struct ks *s, const struct ks *around)
{
	if (is_of_passes(c, s) && s->kind == KS_DECLARE) {
		c->declared = s;
		c->n_declared++;
	} else if (is_of_passes(c, s)) {
		c->counted = s;
		c->around = around;
		c->n_counted++;
	} else if (s->kind == KS_LAUNCH) {
		note_launch(c, s);
	} else {
		for (int i = 0; i < s->n_x; i++)
			find_uses(c, s->x[i]);
	}
	for (int i = 0; i < s->n_children; i++)
		find_count(c, s->child[i], s->kind == KS_BLOCK ? around : s);
}

/* The caller gets each version of each state that it passes. */
static bool has_all_results(const struct count *c)
{
	const struct program *p = c->w->c->prog;

	for (int i = 0; i < p->n_fields; i++)
		for (int v = 0; v < p->field[i]->passed; v++)
			if (copies_of_state(c->w, p->field[i]) > 1 &&
			    !p->field[i]->is_hidden &&
			    !c->results[i][v])
				return false;
	return true;
}

/* steps, or the strips' passes that they take */
static __isl_give isl_pw_aff *passes_of(struct code *w, __isl_take isl_pw_aff *steps)
{
	return isl_pw_aff_ceil(isl_pw_aff_scale_down_val(steps,
		isl_val_int_from_si(w->c->ctx, w->c->form->find_strip ?
			w->c->plan->time_pitch : 1)));
}

/* In a segment that has steps the number grows by its passes, up to what n copies return after. */
static bool grows_by_passes(struct code *w, const struct ks *counted)
{
	const struct segments *s = w->c->prog->segments;
	const char *steps = kernel_names_new(w->c->mem, w->c->prog)->steps;
	isl_pw_aff *before = new_number(w, passes_name(w)), *grown, *by;
	isl_set *wrong, *runs;

	declare_variable(w, passes_name(w))->number = keep_value(w,
		isl_pw_aff_copy(before));
	by = isl_pw_aff_sub(value_in_code(w, s->to), value_in_code(w, s->from));
	declare_variable(w, steps)->number = keep_value(w, isl_pw_aff_copy(by));
	runs = isl_set_intersect(isl_pw_aff_pos_set(isl_pw_aff_copy(by)),
		isl_pw_aff_nonneg_set(before));
	grown = number_of(w, counted->x[1]);
	if (!grown)
		return isl_pw_aff_free(by), isl_set_free(runs), false;
	wrong = isl_pw_aff_lt_set(isl_pw_aff_copy(grown), constant(w, 0));
	by = isl_pw_aff_sub(isl_pw_aff_sub(grown, isl_pw_aff_copy(
		variable_called(w, passes_name(w))->number)), passes_of(w, by));
	for (int i = 0; i < w->c->prog->n_fields; i++) {
		const struct field *f = w->c->prog->field[i];
		isl_pw_aff *moved = isl_pw_aff_scale_val(isl_pw_aff_copy(by),
			isl_val_int_from_si(w->c->ctx, (long) moved_by_pass(w,
				f)));

		wrong = isl_set_union(wrong, isl_pw_aff_ne_set(isl_pw_aff_mod_val(
			moved, isl_val_int_from_si(w->c->ctx, (long)
			copies_of_state(w, f))), constant(w, 0)));
	}
	isl_pw_aff_free(by);
	return never(w, isl_set_intersect(wrong, runs));
}

static bool some_state_has_copies(const struct code *w)
{
	bool some = false;

	for (int i = 0; i < w->c->prog->n_fields; i++)
		some = some || copies_of_state(w, w->c->prog->field[i]) > 1;
	return some;
}

bool passes_are_counted(struct code *w, const struct ks *body,
	const struct ks *loop)
{
	const struct program *p = w->c->prog;
	struct count c = { .w = w, .results = region_array(w->c->mem, bool *,
		p->n_fields) };

	if (!some_state_has_copies(w))
		return true;
	for (int i = 0; i < p->n_fields; i++)
		c.results[i] = region_array(w->c->mem, bool, p->field[i]->passed);
	find_count(&c, body, NULL);
	if (c.n_declared != 1 || !kx_is_int(c.declared->x[0], 0) ||
	    c.n_counted != 1 || c.around != loop || c.launched_behind ||
	    c.reduced_before || c.is_elsewhere || !grows_by_passes(w, c.counted))
		return refute(w->c, "segments do not begin with the copies with "
			"which those before them end");
	return kernels_turn(w) && (has_all_results(&c) || refute(w->c, "the "
		"caller does not get the last versions of all states"));
}
