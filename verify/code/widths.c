/* Code for tiles of any of some widths, an argument, beside the code for one of them. */
#include <string.h>

#include "codegen/tree/names.h"
#include "codegen/tree/tree.h"
#include "schedule/choice.h"
#include "verify/checker.h"

/* The argument "name" has this value. */
struct at_width {
	const char *name;
	int64_t value;
	const struct kunit *all, *one;	/* files with it, and without it */
	const char *kernel[2];	/* the kernel of each */
};

/* The number that "x" is, if it is one. */
static bool number_at(const struct at_width *w, const struct kx *x,
	int64_t *number)
{
	int64_t a, b;

	if (x->kind == KX_INT) {
		*number = x->ivalue;
		return !x->name;
	}
	if (x->kind == KX_NAME) {
		*number = w->value;
		return !strcmp(x->name, w->name);
	}
	if (x->kind != KX_BINARY || !number_at(w, x->arg[0], &a) ||
	    !number_at(w, x->arg[1], &b))
		return false;
	switch (x->op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
		return op_on_integers(x->op, a, b, number);
	case OP_DIV:
	case OP_MOD:
		return a >= 0 && b > 0 && op_on_integers(x->op, a, b, number);
	default:
		return false;
	}
}

/* "x" without the numbers that are added to it, whose sum is "number". */
static const struct kx *without_numbers(const struct at_width *w,
	const struct kx *x, int64_t *number)
{
	int64_t n;

	*number = 0;
	while (x->kind == KX_BINARY && (x->op == OP_ADD || x->op == OP_SUB) &&
	       number_at(w, x->arg[1], &n)) {
		*number += x->op == OP_ADD ? n : -n;
		x = x->arg[0];
	}
	return x;
}

/* Do both name their kernel, whose number is that of the variant? */
static bool is_kernel(const struct at_width *w, const struct kx *any,
	const struct kx *one)
{
	return any->kind == KX_NAME && one->kind == KX_NAME &&
		!strcmp(any->name, w->kernel[0]) &&
		!strcmp(one->name, w->kernel[1]);
}

/* Is "any" the expression "one" at that width?  What does not use it must be equal, so that no
 * sum of reals is read in another order.
 */
static bool is_expression(const struct at_width *w, const struct kx *any,
	const struct kx *one)
{
	int64_t a, b;
	const struct kx *rest;

	if (is_kernel(w, any, one))
		return true;
	if (!kx_uses(any, w->name) && !kx_uses(any, w->kernel[0]))
		return kx_same(any, one);
	if (number_at(w, any, &a))
		return number_at(w, one, &b) && a == b;
	rest = without_numbers(w, any, &a);
	if (rest != any)
		return is_expression(w, rest, without_numbers(w, one, &b)) &&
			a == b;
	if (!kx_same_head(any, one))
		return false;
	for (int i = 0; i < any->n_args; i++)
		if (!is_expression(w, any->arg[i], one->arg[i]))
			return false;
	return true;
}

static bool is_statement(const struct at_width *w, const struct ks *any,
	const struct ks *one);

/* The kernel of tiles, which gets the width, too, or another one, which is the same; those that
 * all files have are no functions of the unit.
 */
static bool is_launched(const struct at_width *w, const struct ks *any,
	const struct ks *one)
{
	const struct kfunc *other = unit_function(w->all, any->name);
	const struct kfunc *own = unit_function(w->one, one->name);

	if (strcmp(any->name, w->kernel[0]))
		return !strcmp(any->name, one->name) && any->n_x == one->n_x &&
			!other == !own && (!other || is_statement(w,
				other->body, own->body));
	return !strcmp(one->name, w->kernel[1]) && any->n_x == one->n_x + 1 &&
		any->x[any->n_x - 1]->kind == KX_NAME &&
		!strcmp(any->x[any->n_x - 1]->name, w->name);
}

/* Is "any" the statement "one" at that width? */
static bool is_statement(const struct at_width *w, const struct ks *any,
	const struct ks *one)
{
	bool right = any->kind == one->kind &&
		any->n_children == one->n_children &&
		any->offset == one->offset && !any->further == !one->further &&
		any->is_shared == one->is_shared &&
		ctype_same(any->c_type, one->c_type) && (any->kind ==
		KS_LAUNCH ? is_launched(w, any, one) : any->n_x == one->n_x &&
		same_name(any->name, one->name));

	if (right && any->further)
		right = is_expression(w, any->further, one->further);
	for (int i = 0; right && i < one->n_x; i++)
		right = !any->x[i] == !one->x[i] && (!any->x[i] ||
			is_expression(w, any->x[i], one->x[i]));
	for (int i = 0; right && i < any->n_children; i++)
		right = is_statement(w, any->child[i], one->child[i]);
	return right;
}

/* The parameters of "one", then the width. */
static bool has_params(const struct at_width *w, const struct kfunc *any,
	const struct kfunc *one)
{
	const struct kparam *last = &any->param[any->n_params - 1];

	if (any->n_params != one->n_params + 1 || strcmp(last->name, w->name) ||
	    !ctype_same(last->c_type, ctype(CT_INT)))
		return false;
	for (int i = 0; i < one->n_params; i++)
		if (strcmp(any->param[i].name, one->param[i].name) ||
		    !ctype_same(any->param[i].c_type, one->param[i].c_type))
			return false;
	return true;
}

static bool is_function(const struct at_width *w, const struct kfunc *any,
	const struct kfunc *one)
{
	return has_params(w, any, one) &&
		any->max_threads >= one->max_threads &&
		any->dynamic_bytes == one->dynamic_bytes &&
		is_statement(w, any->body, one->body);
}

static bool launches(const struct ks *s, const char *kernel)
{
	bool any = s->kind == KS_LAUNCH && !strcmp(s->name, kernel);

	for (int i = 0; !any && i < s->n_children; i++)
		any = launches(s->child[i], kernel);
	return any;
}

/* Who launches "kernel"?  NULL: nobody, or several. */
static const struct kfunc *run_of(const struct kunit *unit, const char *kernel)
{
	const struct kfunc *run = NULL;

	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (launches(f->body, kernel)) {
			if (run)
				return NULL;
			run = f;
		}
	return run;
}

/* Is variant "v" what the file without the argument is, at that width? */
static bool is_variant(struct checker *c, const struct at_width *w, int v)
{
	const struct kfunc *kernel = unit_function(w->all, w->kernel[0]);
	const struct kfunc *run = run_of(w->all, w->kernel[0]);
	const struct kfunc *own = unit_function(w->one, w->kernel[1]);
	const struct kfunc *own_run = run_of(w->one, w->kernel[1]);

	if (!kernel || !run || !own || !own_run)
		return refute(c, "the kernel of variant %d is missing", v);
	if (!is_function(w, kernel, own))
		return refute(c, "the kernel of variant %d with %s = %lld is not "
			"the one for tiles of that width", v, w->name,
			(long long) w->value);
	return is_function(w, run, own_run) || refute(c, "variant %d with "
		"%s = %lld is not launched as tiles of that width are", v,
		w->name, (long long) w->value);
}

/* What is chosen ------------------------------------------------------------ */

/* If it is an argument at all. */
static bool may_have_width(const struct plan *plan, int64_t width)
{
	const struct tile_widths *w = plan->tiles.widths;

	for (int i = 0; w && i < w->n; i++)
		if (w->width[i] == width)
			return true;
	return !w;
}

static bool are_rows(struct checker *c, const struct tile_variants *v,
	const struct ks *list)
{
	if (list->n_x != v->n_rows * v->width)
		return refute(c, "the table of variants has another size");
	for (int i = v->n_params + 1; i < list->n_x; i += v->width) {
		int64_t variant = list->x[i]->ivalue;
		int64_t width = list->x[i + 1]->ivalue;

		if (variant < 0 || variant >= v->n ||
		    !may_have_width(v->plans[variant], width))
			return refute(c, "variant %lld gets tiles of width %lld, "
				"which its kernel may not have",
				(long long) variant, (long long) width);
	}
	return true;
}

static bool are_tables(struct checker *c, const struct tile_variants *v,
	const struct ks *s, int *n)
{
	bool right = true;

	if (s->kind == KS_LIST && s->is_static) {
		++*n;
		return are_rows(c, v, s);
	}
	for (int i = 0; right && i < s->n_children; i++)
		right = are_tables(c, v, s->child[i], n);
	return right;
}

bool check_chosen_widths(struct checker *c, const struct tile_variants *variants,
	const struct kunit *all)
{
	const struct kfunc *choose = unit_function(all, region_printf(c->mem,
		"%s_choose", c->prog->name));
	int n = 0;

	if (!choose || !are_tables(c, variants, choose->body, &n))
		return choose ? false : refute(c, "nothing chooses a width");
	if (n != 1)
		return refute(c, "there is no table of variants");
	section(c, "Widths");
	claim(c, "each variant gets only widths of tiles for which it was shown");
	return true;
}

bool check_width(struct checker *c, const struct tile_variants *variants,
	const struct plan *plan, const struct kunit *all,
	const struct kunit *one)
{
	const char *kernel = region_printf(c->mem, "%s_%s", c->prog->name,
		plan->strategy->name);
	struct at_width w = {
		.name = kernel_names_new(c->mem, c->prog)->lanes.width,
		.value = plan->tiles.width[plan->n_dims - 1],
		.all = all, .one = one,
	};
	int v = 0;

	while (v < variants->n && variants->plans[v]->tiles.widths !=
	       plan->tiles.widths)
		v++;
	w.kernel[0] = region_printf(c->mem, "%s%d", kernel, v);
	w.kernel[1] = region_printf(c->mem, "%s0", kernel);
	if (!is_variant(c, &w, v))
		return false;
	claim(c, "variant %d of the file with %s = %lld is the code above", v,
		w.name, (long long) w.value);
	return true;
}
