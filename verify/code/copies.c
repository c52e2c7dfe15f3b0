/* The copies of fields in the code of the C target: each that it touches lies in the memory
 * that it requests, or is one of the caller's.
 *
 *	NAME_memory()		the bytes: a sum
 *	NAME_with_memory()	the byte from which each field has its part,
 *				and the call of the run; NAME_with_sizes()
 *				where tile sizes are arguments
 *	NAME_run()		and what it calls: P[copy][i][j]
 *
 * Where rows can be moved apart (codegen/host/cpu_apart.c), this holds for each of the numbers
 * that NAME_apart() returns; the code then calls the functions that copy, too.
 */
#include <string.h>

#include "verify/code/kept.h"
#include "verify/code/memory.h"

/* Copies of a field ------------------------------------------------------- */

static bool never(const struct code *w, __isl_take isl_set *set)
{
	bool none;

	set = isl_set_intersect(set, isl_set_copy(w->at));
	none = isl_set_is_empty(set) == isl_bool_true;
	isl_set_free(set);
	return none;
}

/* The bytes of what the array's first index distinguishes: copies, or rows of
 * the only one.
 */
static struct product bytes_of_first(const struct array *a)
{
	struct product p = { .number = type_size(a->field->type) };

	for (int i = 0; i < a->type->n_extents; i++)
		multiply(&p, a->type->extent[i]);
	return p;
}

/* The cells that tiles on one grid have there beside those of the field. */
static int more_cells(const struct code *w, const struct field *f, int d)
{
	struct grid_numbers g;

	if (!w->c->form->find_grid || f->kind != FIELD_STATE)
		return 0;
	g = w->c->form->find_grid(w->c->plan);
	return d < f->n_dims - 1 ? g.h * g.shift[d] : g.lead;
}

/* Do "n" rows, or cells if the field has no more dimensions, suffice for it? */
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
	return never(w, isl_pw_aff_lt_set(rows, plus(size_of(w, f, 0),
		more_cells(w, f, 0))));
}

/* How many copies fit "part" if they begin so many bytes later. */
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

/* { [] : "f" has cells } */
static __isl_give isl_set *has_cells(struct code *w, const struct field *f)
{
	isl_set *set = NULL;

	for (int d = 0; d < f->n_dims; d++) {
		isl_set *some = isl_pw_aff_nonneg_set(
			isl_pw_aff_add_constant_val(size_of(w, f, d),
				isl_val_negone(w->c->ctx)));

		set = set ? isl_set_intersect(set, some) : some;
	}
	return set;
}

/* Rows are as long as the field's, or longer if "owned"; without cells there are no rows. */
static bool has_room_for_rows(struct code *w, const struct array *a,
	bool owned)
{
	int shift = a->field->n_dims - a->type->n_extents;

	for (int i = 0; i < a->type->n_extents; i++) {
		isl_pw_aff *extent = number_of(w, a->type->extent[i]);
		isl_pw_aff *size = plus(size_of(w, a->field, i + shift), owned ?
			more_cells(w, a->field, i + shift) : 0);
		isl_set *wrong = owned ? isl_pw_aff_lt_set(extent, size) :
			isl_pw_aff_ne_set(extent, size);

		wrong = isl_set_intersect(wrong, has_cells(w, a->field));
		if (!never(w, wrong))
			return refute(w->c, "the rows of '%s' are not as long "
				"as the field's", a->type->name);
	}
	return true;
}

/* The field whose moved array has this name. */
static const struct field *field_apart(const struct kunit *unit,
	const char *name)
{
	static const char *const fmt[] = { "%s_own", "%s_apart" };

	for (int i = 0; i < 2 * unit->prog->n_fields; i++)
		if (!strcmp(fresh_name(unit->mem, unit->prog, fmt[i % 2],
		    unit->prog->field[i / 2]->name), name))
			return unit->prog->field[i / 2];
	return NULL;
}

static const struct field *field_of_argument(const struct kunit *unit,
	const char *name)
{
	for (int i = 0; i < unit->prog->n_fields; i++)
		if (!strcmp(unit->prog->field[i]->name, name))
			return unit->prog->field[i];
	return NULL;
}

/* "x" without casts; for (char *)x + half_page_apart(x, ..), "x", which lies so
 * many bytes "later" at most.
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

/* A part of our own memory for each. */
static bool find_own_copies(struct code *w, const struct layout *l,
	struct array *a, const struct kx *start, int64_t later)
{
	struct part *part = start->kind == KX_NAME ?
		part_named(l, start->name) : NULL;

	a->field = part ? field_apart(w->unit, part->name) : NULL;
	if (!a->field)
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

/* float (*psi_im)[N][M][2], which begins with an imaginary part. */
bool has_numbers(struct code *w, struct array *a)
{
	struct kparam *cells;
	int n = a->type->n_extents;

	if (!a->field->n_lanes)
		return true;
	if (n < a->field->n_dims || !kx_is_int(a->type->extent[n - 1],
	    a->field->n_lanes))
		return refute(w->c, "the numbers of a cell of '%s' are not next "
			"to each other", a->type->name);
	cells = region_new_of(w->c->mem, struct kparam);
	*cells = *a->type;
	cells->n_extents--;
	a->type = cells;
	a->is_complex = true;
	return true;
}

/* The array that the run knows by "type" and gets as "x"; the caller's fields
 * have as many copies as versions.
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
	a->copies = field_copies(a->field);
	return has_numbers(w, a) && has_room_for_rows(w, a, false) ? a : NULL;
}

/* What indices are computed from -------------------------------------------- */

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

/* Declarations and loop bounds of followed names. */
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

/* The parameter "p" of a function called with "x". */
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

static bool read_run(struct code *w, struct layout *l,
	const struct call *call)
{
	for (struct part *p = l->part; p; p = p->next)
		p->is_taken = false;
	for (int i = 0; i < call->function->n_params; i++) {
		const struct kparam *p = &call->function->param[i];
		struct variable *v;

		if (!p->is_array)
			continue;
		v = declare_variable(w, p->name);
		v->array = array_of_run(w, l, p, call->x->arg[i]);
		if (!v->array)
			return false;
	}
	return read_function(w, call->function) &&
		(!w->c->form->find_kept || check_nests(w, call->function,
			&l->has_tiles));
}

/* The program's parameters, and the distance of rows. */
static void declare_numbers(struct code *w, const struct layout *l)
{
	struct checker *c = w->c;
	isl_space *space = space_of_dims(c, 0);

	w->known = NULL;
	for (int i = 0; i < c->n_params; i++)
		declare_variable(w, c->param[i]->name)->number = keep_value(w,
			isl_pw_aff_var_on_domain(isl_local_space_from_space(
			isl_space_copy(space)), isl_dim_param, (unsigned) i));
	if (l->apart)
		declare_variable(w, l->apart)->number = keep_value(w,
			constant(w, l->how_far));
	isl_space_free(space);
}

static bool check_layout(struct code *w, struct layout *l)
{
	if (!find_layout(l))
		return false;
	for (const struct call *call = l->call; call; call = call->next) {
		declare_numbers(w, l);
		if (!read_run(w, l, call))
			return false;
	}
	return !w->c->form->find_kept || !l->call || l->has_tiles ||
		refute(w->c, "the code lacks the tiles of a plan");
}

static bool check_layouts(struct code *w, struct layout *l)
{
	bool may_be[MOST_APART + 1] = { false };

	if (!may_be_apart(l, may_be))
		return false;
	for (int i = 0; i <= MOST_APART; i++) {
		l->how_far = i;
		if (may_be[i] && !check_layout(w, l))
			return false;
	}
	return true;
}

bool check_copies(struct checker *c, const struct kunit *unit)
{
	struct layout l = { .c = c, .unit = unit };
	struct code w = {
		.c = c, .unit = unit, .sure = true, .follows_some = true,
		.touch = stays_in_copies, .call = read_called,
	};
	isl_space *space = space_of_dims(c, 0);
	bool right;

	w.at = isl_set_intersect_params(isl_set_universe(isl_space_copy(
		space)), isl_set_copy(c->context));
	w.ranges = isl_set_universe(space);
	right = check_layouts(&w, &l);
	isl_set_free(w.at);
	isl_set_free(w.ranges);
	if (right && l.call) {
		section(c, "Code");
		claim(c, "each copy of a field that it touches lies in the "
			"memory that it asks for, or is the caller's");
		if (c->form->find_kept)
			claim(c, "each tile stores its cells and no other, "
				"reads what it keeps where it has stored it, "
				"and computes where there is an instance");
	}
	return right;
}
