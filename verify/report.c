/* The certificate and counterexamples. */
#include <string.h>

#include <isl/point.h>

#include "verify/checker.h"

void section(struct checker *c, const char *title)
{
	text_printf(&c->claims, "\n%s\n\n", title);
}

void claim(struct checker *c, const char *fmt, ...)
{
	va_list args;

	text_puts(&c->claims, "- ");
	va_start(args, fmt);
	text_vprintf(&c->claims, fmt, args);
	va_end(args);
	text_puts(&c->claims, "\n");
}

bool refute(struct checker *c, const char *fmt, ...)
{
	va_list args;

	if (c->failure.length)
		return false;
	va_start(args, fmt);
	text_vprintf(&c->failure, fmt, args);
	va_end(args);
	return false;
}

bool checker_end(struct checker *c, struct diags *d, const char *what,
	bool shown)
{
	if (!shown)
		diag_plain(d, E_VERIFY, "%s is wrong: %s; please report this "
			"with the input", what, c->failure.length ?
			c->failure.bytes : "a set could not be computed");
	text_free(&c->claims);
	text_free(&c->sets);
	text_free(&c->formula);
	text_free(&c->failure);
	return shown;
}

void note_formula(struct checker *c, const struct plan *plan,
	const char *formula)
{
	text_free(&c->formula);
	text_printf(&c->formula, "launch %d: %s", (int) (plan - c->plan),
		formula);
}

/* A formula, with its launch, whose set is known to be empty. */
struct shown_formula {
	const char *formula;
	size_t length;
	const struct shown_formula *next;
};

/* The recorded formula describes an empty set. */
static void note_empty(struct checker *c)
{
	c->n_sets++;
	if (c->formula.bytes)
		text_printf(&c->sets, "%d. %s\n", ++c->n_formulas,
			c->formula.bytes);
}

static void keep_formula(struct checker *c)
{
	struct shown_formula *shown = region_new_of(c->mem,
		struct shown_formula);

	*shown = (struct shown_formula) { region_strdup(c->mem,
		c->formula.bytes), c->formula.length, c->shown };
	c->shown = shown;
}

bool is_shown_empty(struct checker *c, __isl_take isl_set *set)
{
	bool empty = isl_set_is_empty(set) == isl_bool_true;

	if (empty)
		note_empty(c);
	if (empty && c->formula.bytes)
		keep_formula(c);
	text_free(&c->formula);
	isl_set_free(set);
	return empty;
}

bool was_shown_empty(struct checker *c, const struct plan *plan,
	const char *formula)
{
	const struct shown_formula *shown = c->shown;

	note_formula(c, plan, formula);
	while (shown && (shown->length != c->formula.length ||
	    strcmp(shown->formula, c->formula.bytes)))
		shown = shown->next;
	if (!shown)
		return false;
	note_empty(c);
	text_free(&c->formula);
	return true;
}

/* Counterexamples ------------------------------------------------------- */

static __isl_give isl_set *bound_params(__isl_take isl_set *set, int most)
{
	for (int i = 0; i < isl_set_dim(set, isl_dim_param); i++) {
		set = isl_set_lower_bound_si(set, isl_dim_param, i, -most);
		set = isl_set_upper_bound_si(set, isl_dim_param, i, most);
	}
	return set;
}

__isl_give isl_point *example_of(struct checker *c, __isl_keep isl_set *set)
{
	static const int most[] = { 8, 32, 256 };
	isl_set *all = isl_set_intersect_params(isl_set_copy(set),
		isl_set_copy(c->context));

	for (size_t i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
		isl_set *small = bound_params(isl_set_copy(all), most[i]);

		if (isl_set_is_empty(small) == isl_bool_false) {
			isl_set_free(all);
			return isl_set_sample_point(small);
		}
		isl_set_free(small);
	}
	if (isl_set_is_empty(all) == isl_bool_false)
		return isl_set_sample_point(all);
	isl_set_free(all);
	return NULL;
}

static int64_t number(__isl_take isl_val *v)
{
	int64_t value = v ? isl_val_get_num_si(v) : 0;

	isl_val_free(v);
	return value;
}

int64_t coordinate_of_point(__isl_keep isl_point *p, int pos)
{
	return number(isl_point_get_coordinate_val(p, isl_dim_set, pos));
}

const char *sizes_of_point(struct checker *c, __isl_keep isl_point *p)
{
	struct text t = { 0 };
	const char *sizes;

	for (int i = 0; i < c->n_params; i++)
		text_printf(&t, "%s%s = %lld", i ? ", " : "",
			c->param[i]->name, (long long) number(
			isl_point_get_coordinate_val(p, isl_dim_param, i)));
	sizes = t.bytes ? region_strdup(c->mem, t.bytes) : "these sizes";
	text_free(&t);
	return sizes;
}

const char *instance_of_point(struct checker *c, const struct statement *s,
	__isl_keep isl_point *p, int pos)
{
	struct text t = { 0 };
	const char *instance;

	text_printf(&t, "%s[step %lld", s->name,
		(long long) coordinate_of_point(p, pos));
	for (int d = 0; d < s->stmt->n_dims; d++)
		text_printf(&t, ", %s = %lld", s->stmt->iterator[d],
			(long long) coordinate_of_point(p, pos + 1 + d));
	text_puts(&t, "]");
	instance = region_strdup(c->mem, t.bytes);
	text_free(&t);
	return instance;
}

/* Dimensions of a formula ------------------------------------------------ */

bool has_dim(dims which, int d)
{
	return which >> d & 1;
}

int count_dims(const struct plan *plan, dims which)
{
	int n = 0;

	for (int d = 0; d < plan->n_dims; d++)
		n += has_dim(which, d);
	return n;
}

void put_dims(struct text *t, const char *name, int n, dims which)
{
	for (int d = 0; d < n; d++)
		if (has_dim(which, d))
			text_printf(t, ", %s%d", name, d);
}
