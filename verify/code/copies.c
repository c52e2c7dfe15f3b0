/* The copies of fields in the code of the C target: each that it touches lies in
 * the memory that it asks for, or is one of the caller's.
 *
 *	NAME_memory()		the bytes: a sum
 *	NAME_with_memory()	the bytes from which on each field has its own,
 *				and the call of the run
 *	NAME_run()		and what it calls: P[copy][i][j]
 *
 * Bytes are sums of products.  Of these the factors are compared, sizes among
 * them: none is below zero where the function runs.
 */
#include <string.h>

#include "verify/code/code.h"

/* Products --------------------------------------------------------------- */

enum { MOST_FACTORS = 2 * IR_MAX_DIMS };

/* number * factor[0] * factor[1] * .. */
struct product {
	int64_t number;		/* 0: too large, or of too many factors */
	int n;
	const struct kx *factor[MOST_FACTORS];
};

static void multiply_by(struct product *p, int64_t n)
{
	p->number = n > 0 && p->number <= INT64_MAX / n ? p->number * n : 0;
}

static void multiply(struct product *p, const struct kx *x)
{
	while (x->kind == KX_CAST)
		x = x->arg[0];
	if (x->kind == KX_BINARY && x->op == OP_MUL) {
		multiply(p, x->arg[0]);
		multiply(p, x->arg[1]);
	} else if (x->kind == KX_INT) {
		multiply_by(p, x->ivalue);
	} else if (x->kind == KX_SIZEOF) {
		multiply_by(p, ctype_bytes(x->c_type));
	} else if (p->n < MOST_FACTORS) {
		p->factor[p->n++] = x;
	} else {
		p->number = 0;
	}
}

/* How often "one" goes into "all", as far as their factors show; 0: they do not.
 */
static struct product times_in(const struct product *one, struct product all)
{
	if (one->number == 0)
		return (struct product) { .number = 0 };
	for (int i = 0; i < one->n; i++) {
		int j = 0;

		while (j < all.n && !kx_same(one->factor[i], all.factor[j]))
			j++;
		if (j == all.n)
			return (struct product) { .number = 0 };
		all.factor[j] = all.factor[--all.n];
	}
	all.number /= one->number;
	return all;
}

/* Sums ------------------------------------------------------------------- */

/* number + term[0] + term[1] + .. */
struct sum {
	int64_t number;
	int n;
	const struct kx **term;
};

static int count_terms(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_ADD ?
		count_terms(x->arg[0]) + count_terms(x->arg[1]) : 1;
}

static void add_terms(struct sum *s, const struct kx *x)
{
	if (x->kind == KX_BINARY && x->op == OP_ADD) {
		add_terms(s, x->arg[0]);
		add_terms(s, x->arg[1]);
	} else if (x->kind == KX_INT) {
		s->number += x->ivalue;
	} else {
		s->term[s->n++] = x;
	}
}

static struct sum sum_of(struct checker *c, const struct kx *x)
{
	struct sum s = { .term = region_array(c->mem, const struct kx *,
		count_terms(x)) };

	add_terms(&s, x);
	return s;
}

/* Take "part" from "s"; false if a term of it is none of "s". */
static bool subtract(struct sum *s, const struct sum *part)
{
	s->number -= part->number;
	for (int i = 0; i < part->n; i++) {
		int j = 0;

		while (j < s->n && !kx_same(part->term[i], s->term[j]))
			j++;
		if (j == s->n)
			return false;
		s->term[j] = s->term[--s->n];
	}
	return true;
}

/* Parts of the memory ----------------------------------------------------- */

/* What lies from a pointer on up to the next one, or to the end. */
struct part {
	const char *name;
	struct sum bytes;
	bool is_taken;		/* a field has its copies there */
	struct part *next;
};

/* What the file says of its memory, and the call of the run. */
struct layout {
	struct checker *c;
	const struct kfunc *entry;	/* that calls the run */
	const struct kfunc *run;
	const struct kx *call;
	struct part *part;	/* the last one is all that is not of another */
};

static const struct kfunc *function_named(const struct kunit *unit,
	const char *fmt)
{
	const char *name = region_printf(unit->mem, fmt, unit->prog->name);
	const struct kfunc *f = unit->first;

	while (f && strcmp(f->name, name))
		f = f->next;
	return f;
}

/* The value of the last "return" with one, or NULL. */
static const struct kx *result_of(const struct ks *s)
{
	const struct kx *found = s->kind == KS_RETURN && s->n_x ? s->x[0] :
		NULL;

	for (int i = 0; i < s->n_children; i++) {
		const struct kx *inner = result_of(s->child[i]);

		found = inner ? inner : found;
	}
	return found;
}

/* void *const NEXT = (char *)PART + bytes; */
static bool split_memory(struct layout *l, const struct ks *s)
{
	const struct kx *x = s->kind == KS_DECLARE && s->n_x ? s->x[0] : NULL;
	struct part *last = l->part;

	for (int i = 0; i < s->n_children; i++)
		if (!split_memory(l, s->child[i]))
			return false;
	if (!x || !s->c_type.pointers)
		return true;
	if (x->kind != KX_BINARY || x->op != OP_ADD ||
	    x->arg[0]->kind != KX_CAST ||
	    strcmp(x->arg[0]->arg[0]->name, last->name))
		return refute(l->c, "the code points to '%s', and it is not "
			"shown where that is", s->name);
	l->part = region_new_of(l->c->mem, struct part);
	*l->part = (struct part) { s->name, last->bytes, .next = last };
	last->bytes = sum_of(l->c, x->arg[1]);
	return subtract(&l->part->bytes, &last->bytes) || refute(l->c,
		"the memory from '%s' on is not what is asked for it",
		last->name);
}

static struct part *part_named(const struct layout *l, const char *name)
{
	struct part *p = l->part;

	while (p && strcmp(p->name, name))
		p = p->next;
	return p;
}

/* The call of a function that gets arrays. */
static const struct kx *call_in(struct layout *l, const struct kunit *unit,
	const struct ks *s)
{
	const struct kx *x = s->n_x && (s->kind == KS_RETURN ||
		s->kind == KS_EXPRESSION) ? s->x[0] : NULL;

	for (const struct kfunc *f = unit->first; x && x->kind == KX_CALL && f;
	     f = f->next)
		for (int i = 0; !strcmp(f->name, x->name) && i < f->n_params;
		     i++)
			if (f->param[i].is_array) {
				l->run = f;
				return x;
			}
	for (int i = 0; i < s->n_children; i++) {
		x = call_in(l, unit, s->child[i]);
		if (x)
			return x;
	}
	return NULL;
}

/* Without memory of its own the entry calls the run. */
static bool find_layout(struct layout *l, const struct kunit *unit)
{
	const struct kfunc *memory = function_named(unit, "%s_memory");

	l->entry = function_named(unit, memory ? "%s_with_memory" : "%s");
	l->call = l->entry ? call_in(l, unit, l->entry->body) : NULL;
	if (!memory || !l->call)
		return true;
	l->part = region_new_of(l->c->mem, struct part);
	l->part->name = l->entry->param[l->entry->n_params - 1].name;
	l->part->bytes = sum_of(l->c, result_of(memory->body));
	return split_memory(l, l->entry->body);
}

/* Copies of a field ------------------------------------------------------- */

static bool never(const struct code *w, __isl_take isl_set *set)
{
	bool none;

	set = isl_set_intersect(set, isl_set_copy(w->at));
	none = isl_set_is_empty(set) == isl_bool_true;
	isl_set_free(set);
	return none;
}

/* The bytes of what the first index of the array tells apart: copies, or rows
 * of the only one.
 */
static struct product bytes_of_first(const struct array *a)
{
	struct product p = { .number = type_size(a->field->type) };

	for (int i = 0; i < a->type->n_extents; i++)
		multiply(&p, a->type->extent[i]);
	return p;
}

/* Are "n" rows, or cells if the field has no more dimensions, enough for it? */
static bool are_all_rows(struct code *w, const struct field *f,
	const struct product *n)
{
	isl_pw_aff *rows = constant(w, n->number);

	if (n->n > 1) {
		isl_pw_aff_free(rows);
		return false;
	}
	if (n->n == 1)
		rows = isl_pw_aff_mul(rows, number_of(w, n->factor[0]));
	return never(w, isl_pw_aff_lt_set(rows, size_of(w, f, 0)));
}

/* How many copies lie in "part" if they begin so many bytes later. */
static int64_t copies_in(struct code *w, const struct array *a,
	const struct part *part, int64_t later)
{
	struct product one = bytes_of_first(a), all = { .number = 1 };
	struct sum s = part->bytes;

	if (s.n == 1 && s.term[0]->kind == KX_BUILTIN &&
	    s.term[0]->builtin == B_WHOLE_LINES)
		s = sum_of(w->c, s.term[0]->arg[0]);
	if (s.number < later || s.n > 1)
		return 0;
	if (s.n == 0)
		multiply_by(&all, s.number - later);
	else
		multiply(&all, s.term[0]);
	all = times_in(&one, all);
	if (a->type->n_extents < a->field->n_dims)
		return are_all_rows(w, a->field, &all);
	return all.n == 0 ? all.number : 0;
}

/* Rows are as long as the field's, or longer if "owned". */
static bool has_room_for_rows(struct code *w, const struct array *a,
	bool owned)
{
	int shift = a->field->n_dims - a->type->n_extents;

	for (int i = 0; i < a->type->n_extents; i++) {
		isl_pw_aff *extent = number_of(w, a->type->extent[i]);
		isl_pw_aff *size = size_of(w, a->field, i + shift);
		isl_set *wrong = owned ? isl_pw_aff_lt_set(extent, size) :
			isl_pw_aff_ne_set(extent, size);

		if (!never(w, wrong))
			return refute(w->c, "the rows of '%s' are not as long "
				"as the field's", a->type->name);
	}
	return true;
}

static const struct field *field_of_argument(const struct kunit *unit,
	const char *name)
{
	for (int i = 0; i < unit->prog->n_fields; i++)
		if (!strcmp(unit->prog->field[i]->name, name))
			return unit->prog->field[i];
	return NULL;
}

/* "x" without casts; of (char *)x + half_page_apart(x, ..) "x", so many bytes
 * "later" at most.
 */
static const struct kx *start_of(const struct kx *x, int64_t *later)
{
	*later = 0;
	while (x->kind == KX_CAST)
		x = x->arg[0];
	if (x->kind != KX_BINARY || x->op != OP_ADD ||
	    x->arg[1]->kind != KX_BUILTIN ||
	    x->arg[1]->builtin != B_HALF_PAGE_APART)
		return x;
	*later = 4095;
	x = x->arg[0];
	return x->kind == KX_CAST ? x->arg[0] : x;
}

/* Of our own memory, a part for each. */
static bool find_own_copies(struct code *w, const struct layout *l,
	struct array *a, const struct kx *start, int64_t later)
{
	struct part *part = start->kind == KX_NAME ?
		part_named(l, start->name) : NULL;

	a->field = field_of_argument(w->unit, a->type->name);
	if (!a->field || !part || part->is_taken)
		return refute(w->c, "the code has '%s' in memory, and it is "
			"not shown where", a->type->name);
	part->is_taken = true;
	a->copies = copies_in(w, a, part, later);
	if (a->copies < 1)
		return refute(w->c, "the memory that is asked for '%s' holds "
			"no copy of it", a->field->name);
	return has_room_for_rows(w, a, true);
}

/* The array that the run knows by "type" and is given as "x"; of the caller's
 * fields there are as many copies as they have versions.
 */
static const struct array *array_of_run(struct code *w, const struct layout *l,
	const struct kparam *type, const struct kx *x)
{
	struct array *a = region_new_of(w->c->mem, struct array);
	int64_t later;
	const struct kx *start = start_of(x, &later);

	a->type = type;
	a->field = start->kind == KX_NAME && !part_named(l, start->name) ?
		field_of_argument(w->unit, start->name) : NULL;
	if (!a->field)
		return find_own_copies(w, l, a, start, later) ? a : NULL;
	a->copies = a->field->depth > 1 ? a->field->depth : 1;
	return has_room_for_rows(w, a, false) ? a : NULL;
}

/* What the indices are computed of ---------------------------------------- */

bool is_followed(const struct code *w, const char *name)
{
	const struct followed *f = w->followed;

	while (f && strcmp(f->name, name))
		f = f->next;
	return f;
}

bool depends_on_followed(const struct code *w, const struct kx *x)
{
	for (const struct followed *f = w->followed; f; f = f->next)
		if (kx_uses(x, f->name))
			return true;
	return false;
}

static void follow(struct code *w, const struct kx *x)
{
	if (x->kind == KX_NAME && !is_followed(w, x->name)) {
		struct followed *f = region_new_of(w->c->mem,
			struct followed);

		*f = (struct followed) { x->name, w->followed };
		w->followed = f;
	}
	for (int i = 0; i < x->n_args; i++)
		follow(w, x->arg[i]);
}

static void follow_indices(struct code *w, const struct kx *x)
{
	if (x->kind == KX_INDEX && has_copies(variable_called(w, x->name)))
		follow(w, x->arg[0]);
	for (int i = 0; i < x->n_args; i++)
		follow_indices(w, x->arg[i]);
}

static void follow_all_indices(struct code *w, const struct ks *s)
{
	for (int i = 0; i < s->n_x; i++)
		follow_indices(w, s->x[i]);
	for (int i = 0; i < s->n_children; i++)
		follow_all_indices(w, s->child[i]);
}

/* What names that are followed are declared, or run from and to. */
static void follow_declared(struct code *w, const struct ks *s)
{
	if ((s->kind == KS_DECLARE || s->kind == KS_FOR) &&
	    is_followed(w, s->name))
		for (int i = 0; i < s->n_x; i++)
			follow(w, s->x[i]);
	for (int i = 0; i < s->n_children; i++)
		follow_declared(w, s->child[i]);
}

static void find_followed(struct code *w, const struct ks *s)
{
	const struct followed *before;

	w->followed = NULL;
	follow_all_indices(w, s);
	do {
		before = w->followed;
		follow_declared(w, s);
	} while (w->followed != before);
}

/* Functions --------------------------------------------------------------- */

static bool read_function(struct code *w, const struct kfunc *f)
{
	const struct followed *followed = w->followed;
	bool right = true, some = false;

	for (const struct variable *v = w->known; v; v = v->next)
		some = some || has_copies(v);
	find_followed(w, f->body);
	if (some)
		right = read_statement(w, f->body);
	w->followed = followed;
	return right;
}

/* Are the last extents of "a", after so many, those of "type"? */
static bool ends_alike(const struct array *a, int after,
	const struct kparam *type)
{
	if (a->type->n_extents - after != type->n_extents)
		return false;
	for (int i = 0; i < type->n_extents; i++)
		if (!kx_same(a->type->extent[after + i], type->extent[i]))
			return false;
	return true;
}

/* Is "x", if it is or lies in an array, one of this type? */
static bool fits(struct code *w, const struct kx *x, const struct kparam *type)
{
	const struct variable *v = x->kind == KX_NAME || x->kind == KX_INDEX ?
		variable_called(w, x->name) : NULL;

	if (x->kind == KX_SELECT)
		return fits(w, x->arg[1], type) && fits(w, x->arg[2], type);
	return !v || !v->array || ends_alike(v->array, x->n_args, type) ||
		refute(w->c, "the code hands on '%s' as an array of another "
			"shape", v->name);
}

/* The parameter "p" of a function that is called with "x". */
static bool bind_parameter(struct code *w, const struct kparam *p,
	const struct kx *x, struct variable *to)
{
	const struct variable *v = variable_of(w, x);

	to->name = p->name;
	if (p->is_array) {
		to->array = v ? v->array : NULL;
		return fits(w, x, p);
	}
	if (ctype_is(p->c_type, CT_INT)) {
		isl_pw_aff *value = number_of(w, x);

		to->number = keep_value(w, value ? value :
			new_number(w, p->name));
	}
	return true;
}

static bool read_called(struct code *w, const struct kx *x,
	const struct kfunc *f)
{
	const struct variable *known = w->known, *own = NULL;
	bool right = true;

	for (int i = 0; right && i < f->n_params; i++) {
		struct variable *v = region_new_of(w->c->mem, struct variable);

		right = bind_parameter(w, &f->param[i], x->arg[i], v);
		v->next = own;
		own = v;
	}
	w->known = own;
	right = right && read_function(w, f);
	w->known = known;
	return right;
}

static bool read_run(struct code *w, const struct layout *l)
{
	for (int i = 0; i < l->run->n_params; i++) {
		const struct kparam *p = &l->run->param[i];
		struct variable *v;

		if (!p->is_array)
			continue;
		v = declare_variable(w, p->name);
		v->array = array_of_run(w, l, p, l->call->arg[i]);
		if (!v->array)
			return false;
	}
	return read_function(w, l->run);
}

bool check_copies(struct checker *c, const struct kunit *unit)
{
	struct layout l = { .c = c };
	struct code w = {
		.c = c, .unit = unit, .sure = true, .follows_some = true,
		.touch = stays_in_copies, .call = read_called,
	};
	isl_space *space = space_of_dims(c, 0);
	bool right;

	w.at = isl_set_intersect_params(isl_set_universe(isl_space_copy(
		space)), isl_set_copy(c->context));
	w.ranges = isl_set_universe(isl_space_copy(space));
	for (int i = 0; i < c->n_params; i++)
		declare_variable(&w, c->param[i]->name)->number = keep_value(
			&w, isl_pw_aff_var_on_domain(isl_local_space_from_space(
			isl_space_copy(space)), isl_dim_param, (unsigned) i));
	isl_space_free(space);
	right = find_layout(&l, unit) && (!l.run || read_run(&w, &l));
	isl_set_free(w.at);
	isl_set_free(w.ranges);
	if (right && l.run) {
		section(c, "Code");
		claim(c, "each copy of a field that it touches lies in the "
			"memory that it asks for, or is the caller's");
	}
	return right;
}
