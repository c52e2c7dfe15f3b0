/* What the emitted code says about the grid and its fields: the lists that the file passes to
 * the functions of runtime/mpi-*.inc.
 */
#include <string.h>

#include "verify/ranks/ranks.h"

/* Calls and lists ---------------------------------------------------------- */

const struct kx *call_in_value(const struct kx *x, const char *name)
{
	const struct kx *found = x->kind == KX_CALL && !strcmp(x->name, name) ?
		x : NULL;

	for (int i = 0; !found && i < x->n_args; i++)
		found = call_in_value(x->arg[i], name);
	return found;
}

const struct kx *call_in(const struct ks *s, const char *name)
{
	const struct kx *found = NULL;

	for (int i = 0; !found && i < s->n_x; i++)
		found = s->x[i] ? call_in_value(s->x[i], name) : NULL;
	for (int i = 0; !found && i < s->n_children; i++)
		found = s->child[i] ? call_in(s->child[i], name) : NULL;
	return found;
}

/* The list of "n" values that "x" names in "body", or NULL. */
static const struct kx *const *list_of(const struct ks *body,
	const struct kx *x, int n)
{
	for (int i = 0; i < body->n_children; i++) {
		const struct ks *s = body->child[i];

		if (s->kind == KS_LIST && x->kind == KX_NAME &&
		    !strcmp(s->name, x->name) && s->n_x == n)
			return s->x;
	}
	return NULL;
}

bool int_of(const struct kx *x, int *value)
{
	if (x->kind == KX_NAME && !strcmp(x->name, "STENCILC_NOT_NEEDED")) {
		*value = NOT_NEEDED;
		return true;
	}
	if (x->kind == KX_UNARY && x->op == OP_NEG && int_of(x->arg[0], value)) {
		*value = -*value;
		return true;
	}
	*value = (int) x->ivalue;
	return x->kind == KX_INT;
}

static bool ints_of(const struct ks *body, const struct kx *x, int n, int *value)
{
	const struct kx *const *list = list_of(body, x, n);
	bool are_ints = list != NULL;

	for (int i = 0; i < n && are_ints; i++)
		are_ints = int_of(list[i], &value[i]);
	return are_ints;
}

/* Values ------------------------------------------------------------------- */

__isl_give isl_pw_aff *number_for(const struct ranks *r,
	__isl_keep isl_space *space, enum number which)
{
	return isl_pw_aff_var_on_domain(isl_local_space_from_space(
		isl_space_copy(space)), isl_dim_param,
		(unsigned) (r->n_sizes + (int) which));
}

static __isl_give isl_pw_aff *parameter(const struct ranks *r,
	__isl_keep isl_space *space, const char *name)
{
	int i = 0;

	while (i < r->n_sizes && strcmp(r->c->param[i]->name, name))
		i++;
	return i == r->n_sizes ? NULL : isl_pw_aff_var_on_domain(
		isl_local_space_from_space(isl_space_copy(space)),
		isl_dim_param, (unsigned) i);
}

static __isl_give isl_pw_aff *value_of_operation(const struct ranks *r,
	__isl_keep isl_space *space, const struct kx *x)
{
	isl_pw_aff *a = value_of_code(r, space, x->arg[0]);
	isl_pw_aff *b = value_of_code(r, space, x->arg[1]);

	if (x->kind == KX_BUILTIN)
		return x->builtin == B_MIN ? isl_pw_aff_min(a, b) :
			isl_pw_aff_max(a, b);
	return x->op == OP_ADD ? isl_pw_aff_add(a, b) : x->op == OP_SUB ?
		isl_pw_aff_sub(a, b) : x->op == OP_DIV ?
		isl_pw_aff_tdiv_q(a, b) : isl_pw_aff_mul(a, b);
}

static bool is_operation(const struct kx *x)
{
	return x->kind == KX_BUILTIN ? x->builtin == B_MIN ||
		x->builtin == B_MAX : x->kind == KX_BINARY &&
		(x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL ||
		 (x->op == OP_DIV && x->arg[1]->kind == KX_INT));
}

__isl_give isl_pw_aff *value_of_code(const struct ranks *r,
	__isl_keep isl_space *space, const struct kx *x)
{
	if (x->kind == KX_INT)
		return isl_pw_aff_val_on_domain(isl_set_universe(
			isl_space_copy(space)), isl_val_int_from_si(
			r->c->ctx, x->ivalue));
	if (x->kind == KX_NAME)
		return strcmp(x->name, r->number[DONE].name) ?
			parameter(r, space, x->name) :
			number_for(r, space, DONE);
	if (x->kind == KX_CALL && !strcmp(x->name, "stencilc_steps"))
		return number_for(r, space, STEPS);
	if (x->kind == KX_UNARY && x->op == OP_NEG)
		return isl_pw_aff_neg(value_of_code(r, space, x->arg[0]));
	return is_operation(x) ? value_of_operation(r, space, x) : NULL;
}

bool are_equal(struct ranks *r, __isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b, __isl_keep isl_set *context)
{
	isl_set *differ = isl_set_params(isl_pw_aff_ne_set(a, b));

	if (context)
		differ = isl_set_intersect(differ, isl_set_copy(context));
	return is_shown_empty(r->c, differ);
}

/* The grid ----------------------------------------------------------------- */

static void set_dim(struct exchange *x, int k, int around, const int *reach)
{
	x->dim[k].is_around = around;
	for (int side = 0; side < SIDES; side++) {
		x->dim[k].slope[side] = reach[side];
		x->dim[k].more[side] = reach[SIDES + side];
	}
}

/* stencilc_cut_in_pieces(ranks, k, first), before the grid is shared out */
static bool read_pieces(struct exchange *x, const struct ks *body)
{
	bool good = true;

	for (int i = 0; i < body->n_children; i++) {
		const struct kx *call = call_in(body->child[i],
			"stencilc_cut_in_pieces");
		int k;

		if (call_in(body->child[i], "stencilc_share_out"))
			break;
		if (!call)
			continue;
		good = good && int_of(call->arg[1], &k) && k >= 0 &&
			k < x->n_dims && int_of(call->arg[2],
				&x->dim[k].first_piece);
		if (good)
			x->dim[k].in_pieces = true;
	}
	return good;
}

/* stencilc_choose_zones(ranks, part, turns), if zones there are */
static bool read_zones(struct exchange *x, const struct ks *body)
{
	const struct kx *call = call_in(body, "stencilc_choose_zones");

	x->late = 0;
	return !call || (call->n_args == 3 && int_of(call->arg[2], &x->late) &&
		x->late > 0 && x->late <= x->n_dims);
}

/* stencilc_share_out(ranks, comm, n_dims, size, around, reach, order, carried, ..) */
static bool read_grid(struct ranks *r, const struct ks *body)
{
	const struct kx *call = call_in(body, "stencilc_share_out");
	struct exchange *x = &r->exchange;
	int around[BLOCKS_MAX_DIMS], reach[2 * SIDES * BLOCKS_MAX_DIMS];
	const struct kx *const *size;

	if (!int_of(call->arg[2], &x->n_dims) || x->n_dims < 1 ||
	    x->n_dims > BLOCKS_MAX_DIMS || x->n_dims != r->blocks->n_dims)
		return false;
	size = list_of(body, call->arg[3], x->n_dims);
	if (!size || !ints_of(body, call->arg[4], x->n_dims, around) ||
	    !ints_of(body, call->arg[5], 2 * SIDES * x->n_dims, reach) ||
	    !ints_of(body, call->arg[6], x->n_dims, x->order) ||
	    !ints_of(body, call->arg[7], x->n_dims, x->carried))
		return false;
	for (int k = 0; k < x->n_dims; k++) {
		x->dim[k].size = size[k];
		set_dim(x, k, around[k], reach + 2 * SIDES * k);
	}
	return read_zones(x, body) && read_pieces(x, body);
}

/* Fields ------------------------------------------------------------------- */

/* The field of the program whose name is the literal "x". */
static const struct field *field_named(const struct program *prog,
	const struct kx *x)
{
	for (int i = 0; x->kind == KX_NAME && i < prog->n_fields; i++) {
		const char *name = prog->field[i]->name;

		if (field_is_argument(prog->field[i]) &&
		    strlen(x->name) == strlen(name) + 2 &&
		    !strncmp(x->name + 1, name, strlen(name)))
			return prog->field[i];
	}
	return NULL;
}

static bool read_role(struct shared_field *f, const struct kx *x)
{
	static const char *const names[] = { [ALL_HAVE_IT] = "STENCILC_WHOLE",
		[ALL_WRITE_IT] = "STENCILC_SERIES",
		[ALL_WRITE_ALIKE] = "STENCILC_ALIKE", [STAYS] = "STENCILC_INPUT", [CHANGES] = "STENCILC_RESULT" };

	for (int i = 0; x->kind == KX_NAME && i <= CHANGES; i++)
		if (!strcmp(names[i], x->name)) {
			f->role = i;
			return true;
		}
	return false;
}

static bool read_needs(struct ranks *r, struct shared_field *f,
	const struct ks *body, const struct kx *x)
{
	int n = field_copies(f->field) * BLOCKS_MAX_DIMS * SIDES;

	f->need = region_alloc(r->c->mem, sizeof(*f->need) *
		(size_t) field_copies(f->field));
	return ints_of(body, x, n, &f->need[0][0][0]);
}

/* stencilc_add_field(ranks, name, role, type, bytes, copies, n_dims, size, cut, need) */
static bool read_field(struct ranks *r, const struct ks *body,
	const struct kx *call)
{
	struct exchange *x = &r->exchange;
	struct shared_field *f = &x->field[x->n_fields++];
	const struct kx *const *size;
	int copies, n_dims;

	f->field = field_named(r->c->prog, call->arg[1]);
	if (!f->field || !read_role(f, call->arg[2]) ||
	    !int_of(call->arg[5], &copies) || !int_of(call->arg[6], &n_dims) ||
	    copies != field_copies(f->field) || n_dims != f->field->n_dims)
		return false;
	x->of[f->field->index] = f;
	size = list_of(body, call->arg[7], n_dims);
	for (int d = 0; size && d < n_dims; d++)
		f->size[d] = size[d];
	return size && ints_of(body, call->arg[8], n_dims, f->cut) &&
		read_needs(r, f, body, call->arg[9]);
}

static bool read_fields(struct ranks *r, const struct ks *body)
{
	const struct program *prog = r->c->prog;
	struct exchange *x = &r->exchange;

	x->field = region_array(r->c->mem, struct shared_field, prog->n_fields);
	x->of = region_array(r->c->mem, const struct shared_field *,
		prog->n_fields);
	for (int i = 0; i < body->n_children; i++) {
		const struct kx *call = call_in(body->child[i],
			"stencilc_add_field");

		if (call && (x->n_fields == prog->n_fields ||
		    !read_field(r, body, call)))
			return refute(r->c, "what is said of field %d is not "
				"understood", x->n_fields);
	}
	for (int i = 0; i < prog->n_fields; i++)
		if (field_is_argument(prog->field[i]) && !x->of[i])
			return refute(r->c, "nothing is said of '%s'",
				prog->field[i]->name);
	return true;
}

static bool is_written_by_all(const struct shared_field *f)
{
	return f->role == ALL_WRITE_IT || f->role == ALL_WRITE_ALIKE;
}

/* Inputs are had by all or shared out, series written by all, what is reduced alike, other
 * results shared out.
 */
static bool suits_role(const struct shared_field *f)
{
	bool is_series = f->field->kind == FIELD_SERIES;

	return is_written_by_all(f) == is_series && (f->role ==
		ALL_WRITE_ALIKE) == f->field->is_result && (f->role == CHANGES) ==
		(field_is_result(f->field) && !is_series);
}

/* Sizes are the program's; a field shared by ranks is cut once along each cut dimension of the
 * grid, a series along none.
 */
static bool check_field(struct ranks *r, const struct shared_field *f)
{
	isl_space *space = space_of_dims(r->c, 0);
	int seen[BLOCKS_MAX_DIMS] = { 0 };
	bool good = true;

	for (int d = 0; d < f->field->n_dims; d++) {
		good = good && f->cut[d] < r->exchange.n_dims && are_equal(r,
			value_of_code(r, space, f->size[d]), value_of(r->c,
				space, f->field->size[d]), r->c->context);
		if (good && f->cut[d] >= 0)
			seen[f->cut[d]]++;
	}
	isl_space_free(space);
	for (int k = 0; k < r->exchange.n_dims && f->role != ALL_HAVE_IT; k++)
		good = good && seen[k] == !is_written_by_all(f);
	return (good && suits_role(f)) || refute(r->c, "'%s' is not shared out as it lies in the "
		"grid", f->field->name);
}

/* The block of statements that shares out the grid, or NULL. */
static const struct ks *shares_out(const struct kunit *unit)
{
	const struct kfunc *f = unit->first;
	const struct ks *body;

	while (f && !call_in(f->body, "stencilc_share_out"))
		f = f->next;
	if (!f)
		return NULL;
	body = f->body;
	/* behind statements for parameters that it does not use */
	while (body->child[body->n_children - 1]->kind == KS_BLOCK)
		body = body->child[body->n_children - 1];
	return body;
}

bool read_exchange(struct ranks *r)
{
	const struct ks *body = shares_out(r->unit);

	if (!body || !read_grid(r, body))
		return refute(r->c, "how the grid is shared out is not "
			"understood");
	if (!read_fields(r, body))
		return false;
	for (int i = 0; i < r->exchange.n_fields; i++)
		if (!check_field(r, &r->exchange.field[i]))
			return false;
	return true;
}
