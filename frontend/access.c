/* Subscripts: from A[t-1][i+2] to the cell it names. */
#include "frontend/components.h"
#include "frontend/linear.h"
#include "frontend/reads.h"
#include "frontend/slice.h"

#include <inttypes.h>
#include <string.h>

/* Counting subscripts ------------------------------------------------------*/

/* The first subscript of "e" that mentions the time, or NULL. */
static const struct ast_expr *time_subscript(const struct lower *l,
	const struct ast_expr *e)
{
	const struct ast_expr *s = e->args;

	while (s && !is_step(l, s))
		s = s->next;
	return s;
}

static struct span behind(struct span at)
{
	return (struct span) { at.end, at.end };
}

static bool refuse_missing_time(struct context *c, struct ast_expr *e,
	const struct symbol *s, const char *step)
{
	if (report(c, e, E_TIME_SUBSCRIPT, e->at, "the state '%s' needs the "
			"time as its first subscript", complex_name(s)))
		diag_fixit(c->l->diags, behind(e->name.at), "[%s]", step);
	return false;
}

/* The subscripts of "e", with "first" moved before the others. */
static const char *put_first(const struct lower *l, const struct ast_expr *e,
	const struct ast_expr *first)
{
	const char *text = region_printf(l->mem, "[%s]", quote(l, first->at));

	for (const struct ast_expr *s = e->args; s; s = s->next)
		if (s != first)
			text = region_printf(l->mem, "%s[%s]", text,
				quote(l, s->at));
	return text;
}

/* Report that the time is the subscript "step" of "e", not the first one. */
static bool refuse_order(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct ast_expr *step)
{
	struct span all = { e->name.at.end, e->at.end };

	if (report(c, e, E_TIME_SUBSCRIPT, step->at, "the time is the first "
			"subscript of the state '%s', not a later one",
			s->name))
		diag_fixit(c->l->diags, all, "%s", put_first(c->l, e, step));
	return false;
}

static bool refuse_time(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (report(c, e, E_TIME_SUBSCRIPT, e->args->at,
			"'%s' is %s: it has no time subscript", s->name,
			symbol_what(s)))
		diag_note(c->l->diags, s->at, "'%s' is declared here", s->name);
	return false;
}

static bool refuse_count(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	int n = s->item->dims.n;

	if (!report(c, e, E_SUBSCRIPT_COUNT, e->at, "'%s' takes %d subscript"
			"%s%s, not %d", s->name, n + is_state(s),
			n + is_state(s) == 1 ? "" : "s", is_state(s) ?
			", the time first" : "", e->n_args))
		return false;
	if (s->item->field_kind == FIELD_OUTPUT && e->n_args > n &&
	    time_subscript(c->l, e) == e->args)
		diag_advice(c->l->diags, "an output of each step has one dimension "
			"for the time, as in 'output float rec[T][N]'");
	diag_note(c->l->diags, s->at, "it has %d dimension%s", n,
		n == 1 ? "" : "s");
	return false;
}

/* "step" is what the missing time subscript should have been. */
static bool check_subscripts(struct context *c, struct ast_expr *e,
	const struct symbol *s, const char *step)
{
	int n = s->item->dims.n;
	const struct ast_expr *at = time_subscript(c->l, e);
	bool time = at && at == e->args;

	if (is_state(s) && e->n_args == n + 1 && at && !time)
		return refuse_order(c, e, s, at);
	if (is_state(s) && e->n_args == n && n && !time)
		return refuse_missing_time(c, e, s, step);
	if (!is_state(s) && time && s->item->field_kind != FIELD_INPUT &&
	    (s->item->field_kind != FIELD_OUTPUT || e->n_args == n))
		return refuse_time(c, e, s);
	return e->n_args == n + is_state(s) || refuse_count(c, e, s);
}

/* One subscript ------------------------------------------------------------*/

/* The form of the subscript "e", or NULL after a diagnostic. */
static const struct expr *lower_subscript(struct context *c,
	struct ast_expr *e)
{
	struct context inner = *c;

	inner.inlining = true;
	return lower_expr(&inner, e);
}

static bool refuse_distance(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	const char *t = c->l->time->name;

	if (report(c, e, E_TIME_DISTANCE, e->at,
			"'%s[%s]' is not at a fixed distance from the step "
			"'%s'", s->name, quote(c->l, e->at), t))
		diag_advice(c->l->diags, "a state is read at '%s', '%s-1', "
			"... and written at '%s+1'", t, t, t);
	return false;
}

static bool check_past(struct context *c, struct ast_expr *e,
	int64_t distance)
{
	if (distance >= -LOWER_MAX_PAST && distance <= INT16_MAX)
		return true;
	report(c, e, E_TOO_LARGE, e->at,
		"this is %" PRId64 " steps away; at most %d are allowed",
		distance < 0 ? -distance : distance, LOWER_MAX_PAST);
	return false;
}

bool lower_time_subscript(struct context *c, struct ast_expr *e,
	const struct symbol *s, int64_t *distance)
{
	const struct expr *value = lower_subscript(c, e);
	struct linear linear;

	if (!value)
		return false;
	if (find_linear(value, &linear) || linear.time != 1)
		return refuse_distance(c, e, s);
	for (int i = 0; i < IR_MAX_DIMS; ++i)
		if (linear.coefficient[i])
			return refuse_distance(c, e, s);
	*distance = linear.constant;
	return check_past(c, e, *distance);
}

static bool lower_space_subscript(struct context *c, struct ast_expr *e,
	struct access *a, int i)
{
	const struct expr *value = lower_subscript(c, e);

	if (!value)
		return false;
	if (!find_offset(c, value, i, &a->offset[i]))
		return find_index(c, e, value, a, i);
	a->dim[i] = i;
	return true;
}

/* Accesses -----------------------------------------------------------------*/

static bool is_same(const struct access *a, const struct access *b)
{
	int n = a->field->n_dims;

	return a->field == b->field && a->version == b->version &&
		!memcmp(a->dim, b->dim, sizeof(*a->dim) * (size_t) n) &&
		!memcmp(a->stride, b->stride, sizeof(*a->stride) *
			(size_t) n) &&
		!memcmp(a->offset, b->offset, sizeof(*a->offset) *
			(size_t) n) &&
		!memcmp(a->divisor, b->divisor, sizeof(*a->divisor) *
			(size_t) n);
}

static struct read **read_bucket(struct statement *s, const struct access *a)
{
	uint64_t hash = (uint64_t) a->field->index * 31 +
		(uint64_t) a->version;

	for (int i = 0; i < a->field->n_dims; ++i)
		hash = hash * 1000003u + (uint64_t) (a->offset[i] +
			a->stride[i] + a->divisor[i]) * 8 +
			(uint64_t) a->dim[i];
	return &s->bucket[hash % READ_BUCKETS];
}

static void append_read(struct lower *l, struct statement *s,
	const struct access *a)
{
	struct stmt *ir = s->ir;
	const struct access **old = ir->read;

	if (ir->n_reads == s->n_room) {
		s->n_room = s->n_room ? 2 * s->n_room : 8;
		ir->read = region_array(l->mem, const struct access *,
			s->n_room);
		if (old)
			memcpy(ir->read, old,
				sizeof(*old) * (size_t) ir->n_reads);
	}
	ir->read[ir->n_reads++] = a;
}

const struct access *shared_access(struct lower *l, struct statement *s,
	const struct access *a)
{
	struct read **bucket = read_bucket(s, a);
	struct read *read = *bucket;

	while (read && !is_same(read->access, a))
		read = read->in_bucket;
	if (read)
		return read->access;
	read = region_new_of(l->mem, struct read);
	read->access = a;
	read->in_bucket = *bucket;
	*bucket = read;
	append_read(l, s, a);
	return a;
}

static struct access *new_access(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	struct access *a = region_new_of(c->l->mem, struct access);

	a->field = s->field;
	a->iterator = c->statement->ir->iterator;
	a->time_name = c->l->time ? c->l->time->name : NULL;
	a->at = e->at;
	for (int i = 0; i < a->field->n_dims; ++i)
		a->stride[i] = a->divisor[i] = 1;
	return a;
}

static bool lower_subscripts(struct context *c, struct ast_expr *e,
	const struct symbol *s, struct access *a)
{
	struct ast_expr *subscript = e->args;
	int64_t distance = 0;
	bool done = true;

	if (is_state(s)) {
		if (!lower_time_subscript(c, subscript, s, &distance))
			return false;
		a->version = (int) distance;
		subscript = subscript->next;
	} else {
		a->version = s->field->kind == FIELD_STATE;
	}
	for (int i = 0; subscript; ++i, subscript = subscript->next)
		done &= lower_space_subscript(c, subscript, a, i);
	return done;
}

/* A reduction reads after the step, when one more step exists. */
static void deepen(struct field *f, int version, bool reduces)
{
	if (f->kind != FIELD_STATE)
		return;
	if (1 - version > f->passed)
		f->passed = 1 - version;
	if (1 - version + reduces > f->depth)
		f->depth = 1 - version + reduces;
}

static bool refuse_reduced(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (report(c, e, E_REDUCTION, e->at, "'%s' is %s, which has no values "
			"when a step is done", s->name, symbol_what(s)))
		diag_advice(c->l->diags, "what is reduced is made of states and "
			"inputs; declare '%s' as a state", s->name);
	return false;
}

static bool is_readable(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	struct diags *d = c->l->diags;

	if (!c->statement && !(c->beyond &&
	    s->item->field_kind == FIELD_INPUT))
		return refuse_place(c, e, s);
	if (c->reduces && s->item->field_kind != FIELD_STATE &&
	    s->item->field_kind != FIELD_INPUT)
		return refuse_reduced(c, e, s);
	if (s->item->field_kind != FIELD_OUTPUT)
		return true;
	if (report(c, e, E_READ_OUTPUT, e->at,
			"'%s' is an output: it is only written", s->name))
		diag_advice(d, "compute the value into a 'temp' and read "
			"that");
	return false;
}

/* Elements of inputs --------------------------------------------------------*/

const struct access *shared_element(struct lower *l, struct stmt *s,
	const struct access *a)
{
	const struct access **old = s->element;

	for (int i = 0; i < s->n_elements; ++i)
		if (is_same(old[i], a))
			return old[i];
	s->element = region_array(l->mem, const struct access *,
		s->n_elements + 1);
	if (old)
		memcpy(s->element, old, sizeof(*old) * (size_t) s->n_elements);
	s->element[s->n_elements++] = a;
	return a;
}

/* Where the indices in the subscripts of "e" must lie; NULL: they always do.  False after a
 * diagnostic.
 */
static bool find_inside(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct expr *const *value,
	const struct access **inside)
{
	struct access *a = new_access(c, e, s);
	struct ast_expr *subscript = e->args;
	bool done = true, leaves;

	*inside = NULL;
	for (int i = 0; subscript; ++i, subscript = subscript->next) {
		a->dim[i] = -1;
		if (expr_any(value[i], expr_is_index))
			done &= find_index(c, subscript, value[i], a, i);
	}
	if (!done)
		return false;
	warn_swapped(c, e, s, a);
	if (!find_leaving(c, e, a, &leaves))
		return false;
	if (leaves)
		*inside = shared_element(c->l, c->statement->ir, a);
	return true;
}

static bool refuse_own_index(struct context *c, struct ast_expr *e)
{
	const struct beyond *b = c->beyond;

	if (!report(c, e, E_BOUNDARY, e->at, "the subscript '%s' has an index "
			"along which the cell lies beyond the grid of '%s'",
			quote(c->l, e->at), b->field->name))
		return false;
	if (b->dim == ALL_DIMS && b->field->n_dims > 1)
		diag_advice(c->l->diags, "the boundary of one dimension, "
			"'boundary %s[0] = ..', reads inputs at the indices of "
			"the others", b->field->name);
	else
		diag_advice(c->l->diags, "an input is read at the time, "
			"parameters and the indices of other dimensions");
	return false;
}

/* Is "e" a read of an input that a boundary's value may contain: at the time, parameters and
 * indices of other dimensions?
 */
static bool check_beyond(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct expr *const *value)
{
	struct access a = { .field = s->field };
	struct ast_expr *subscript = e->args;

	for (int i = 0; subscript; ++i, subscript = subscript->next) {
		if (!expr_any(value[i], expr_is_index))
			continue;
		if (!find_index(c, subscript, value[i], &a, i))
			return false;
		if (c->beyond->dim == ALL_DIMS || c->beyond->dim == a.dim[i])
			return refuse_own_index(c, subscript);
	}
	return true;
}

static const struct expr *refuse_element_reduced(struct context *c,
	struct ast_expr *e)
{
	if (report(c, e, E_NOT_YET, e->at, "'%s' in a reduction, an input read "
			"at a subscript without an index, is not implemented "
			"yet", quote(c->l, e->at)))
		diag_advice(c->l->diags, "read inputs at an index in each "
			"dimension; what is the same for all points is a "
			"'param'");
	return NULL;
}

/* The read "e" of the input "s", if a subscript has no index; "*done" if it is such a read, or
 * wrong.
 */
static const struct expr *lower_uniform(struct context *c, struct ast_expr *e,
	const struct symbol *s, bool *done)
{
	const struct expr *value[IR_MAX_DIMS];
	const struct access *inside = NULL;
	struct ast_expr *subscript = e->args;
	int n = 0;

	*done = true;
	for (int i = 0; subscript; ++i, subscript = subscript->next)
		if (!(value[i] = lower_subscript(c, subscript)))
			return NULL;
	if (!check_uniform(c, e, value, &n))
		return NULL;
	if (c->beyond)
		return check_beyond(c, e, s, value) ? expr_element(c->l->mem,
			s->field, value, NULL, e->at) : NULL;
	*done = n > 0;
	if (n > 0 && c->reduces)
		return refuse_element_reduced(c, e);
	if (!n || (n < e->n_args && !find_inside(c, e, s, value, &inside)))
		return NULL;
	return expr_element(c->l->mem, s->field, value, inside, e->at);
}

/* Reads ---------------------------------------------------------------------*/

const struct expr *lower_read(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	const struct expr *element;
	struct access *a;
	struct expr *read;
	bool done = false;

	if (!is_readable(c, e, s) || !s->field)
		return NULL;
	if (!check_subscripts(c, e, s, c->l->time ? c->l->time->name : "t"))
		return NULL;
	element = s->item->field_kind == FIELD_INPUT ?
		lower_uniform(c, e, s, &done) : NULL;
	if (done)
		return element;
	if (!c->statement) {
		refuse_place(c, e, s);
		return NULL;
	}
	a = new_access(c, e, s);
	if (!lower_subscripts(c, e, s, a) || !check_read_order(c, e, s, a) ||
	    !check_transposed_read(c, e, s, a))
		return NULL;
	warn_swapped(c, e, s, a);
	deepen(s->field, a->version, c->reduces);
	read = expr_leaf(c->l->mem, EXPR_READ, s->field->type, e->at);
	read->access = shared_access(c->l, c->statement, a);
	return read;
}

/* The left-hand side -------------------------------------------------------*/

static bool refuse_left(struct context *c, struct ast_expr *e, const char *advice)
{
	if (report(c, e, E_LEFT_SUBSCRIPT, e->at,
			"the subscript '%s' on the left is not the name of "
			"an index", quote(c->l, e->at)))
		diag_advice(c->l->diags, "%s", advice);
	return false;
}

/* The name of the index in the subscript "e", as i in [2*i + 1]; NULL: "e" has another form. */
static const struct ast_expr *strided_name(const struct context *c,
	const struct ast_expr *e)
{
	const struct ast_expr *name = NULL;
	const struct symbol *s;

	if (e->kind == AST_NAME) {
		s = find_symbol(c->l, e->name.text);
		return find_binding(c, e->name.text) || (s &&
			s->kind != SYMBOL_UNKNOWN) ? NULL : e;
	}
	if (e->kind != AST_BINARY)
		return NULL;
	for (const struct ast_expr *arg = e->args; arg && !name; arg = arg->next)
		name = strided_name(c, arg);
	return name;
}

static bool refuse_first(struct context *c, struct ast_expr *e,
	const struct linear *x, int dim)
{
	const char *index = c->statement->ir->iterator[dim];
	int64_t stride = x->coefficient[dim];
	int64_t first = floor_mod(x->constant, stride);

	if (!report(c, e, E_LEFT_SUBSCRIPT, e->at, "the subscript '%s' on the "
			"left is not '%" PRId64 "*%s' plus a constant from 0 to "
			"%" PRId64, quote(c->l, e->at), stride, index,
			stride - 1))
		return false;
	diag_advice(c->l->diags, "write '[%" PRId64 "*%s%s]', and shift the reads "
		"on the right instead", stride, index, first ? region_printf(
			c->l->mem, " + %" PRId64, first) : "");
	return false;
}

/* The subscript "e" with a factor, of index "dim", already bound. */
static bool lower_strided(struct context *c, struct ast_expr *e, int dim)
{
	struct context inner = *c;
	const struct expr *value;
	struct linear x;
	struct line *line;

	inner.inlining = true;
	value = lower_expr(&inner, e);
	if (!value)
		return false;
	if (find_linear(value, &x) || x.time || x.coefficient[dim] < 2)
		return refuse_left(c, e, "write the plain name, as in "
			"'[i]', and shift the reads on the right instead");
	for (int i = 0; i < dim; ++i)
		if (x.coefficient[i])
			return refuse_left(c, e, "each dimension needs an "
				"index of its own");
	if (x.coefficient[dim] > LOWER_MAX_STRIDE) {
		report(c, e, E_TOO_LARGE, e->at, "a stride of %" PRId64
			" is too large: the limit is %d", x.coefficient[dim],
			LOWER_MAX_STRIDE);
		return false;
	}
	if (x.constant < 0 || x.constant >= x.coefficient[dim])
		return refuse_first(c, e, &x, dim);
	line = lattice_line(c, dim);
	*line = (struct line) { x.coefficient[dim], x.constant, 0, true, e->at };
	return true;
}

static bool check_index(struct context *c, struct ast_expr *e)
{
	const struct symbol *s;

	if (e->kind != AST_NAME)
		return refuse_left(c, e, "write the plain name, as in "
			"'[i]', and shift the reads on the right instead");
	for (const struct binding *b = c->bindings; b; b = b->outer)
		if (b->name == e->name.text)
			return refuse_left(c, e, "each dimension needs an "
				"index of its own");
	s = find_symbol(c->l, e->name.text);
	if (!s || s->kind == SYMBOL_UNKNOWN)
		return check_reserved(c->l, e->name, NAMES_VARIABLE);
	if (report(c, e, E_LEFT_SUBSCRIPT, e->at, "'%s' is %s, so it cannot "
			"name an index", s->name, symbol_what(s)))
		diag_note(c->l->diags, s->at, "it is declared here");
	return false;
}

/* The next index of the statement, called "name". */
static int add_index(struct context *c, const char *name, struct span at)
{
	struct stmt *ir = c->statement->ir;
	struct binding *b = region_new_of(c->l->mem, struct binding);

	b->name = name;
	b->at = at;
	b->kind = BIND_INDEX;
	b->dim = ir->n_dims;
	b->outer = c->bindings;
	c->bindings = c->statement->indices = b;
	ir->iterator[ir->n_dims++] = name;
	return b->dim;
}

static bool bind_index(struct context *c, struct ast_expr *e)
{
	const struct ast_expr *name = strided_name(c, e);
	int dim;

	if (!check_index(c, name ? (struct ast_expr *) name : e))
		return false;
	dim = add_index(c, name->name.text, name->at);
	return name == e || lower_strided(c, e, dim);
}

/* The subscript "e" of the left-hand side "element", which is a slice. */
static bool bind_slice(struct context *c, const struct ast_expr *element,
	struct ast_expr *e)
{
	const struct expr *at = lower_subscript(c, e);

	if (!at)
		return false;
	if (at->type != TYPE_INT || expr_not_affine(at, true))
		return refuse_left(c, e, "a row or plane of its own is a sum of "
			"int parameters and numbers, as in '[N/2 + 1]'");
	c->statement->slice[c->statement->ir->n_dims] = at;
	add_index(c, slice_index(c->l, element, c->statement->ir->n_dims), e->at);
	c->bindings->used = true;
	return true;
}

static bool refuse_step(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	const char *t = c->l->time->name;

	if (report(c, e, E_WRITE_STEP, e->at,
			"a statement writes the next step, '%s[%s+1]', not "
			"'%s[%s]'", s->name, t, s->name, quote(c->l, e->at)))
		diag_fixit(c->l->diags, e->at, "%s+1", t);
	return false;
}

static bool check_step(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	const struct expr *value = lower_subscript(c, e);
	struct linear linear;

	if (!value)
		return false;
	if (find_linear(value, &linear) || linear.time != 1 ||
	    linear.constant != 1)
		return refuse_step(c, e, s);
	return true;
}

static bool is_writable(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (s->item->field_kind != FIELD_INPUT)
		return true;
	if (report(c, e, E_WRITE_INPUT, e->at,
			"'%s' is an input: it is only read", s->name))
		diag_note(c->l->diags, s->at, "it is declared here; what is "
			"computed is a 'state', 'temp' or 'output'");
	return false;
}

bool lower_write(struct context *c, struct ast_expr *e, struct symbol *s)
{
	struct ast_expr *subscript = e->args;
	const char *t = c->l->time ? c->l->time->name : "t";
	struct access *a;
	bool done = true;

	s->used = true;
	if (!is_writable(c, e, s) || !s->field)
		return false;
	if (!check_subscripts(c, e, s,
			region_printf(c->l->mem, "%s+1", t)))
		return false;
	if (is_state(s)) {
		done = check_step(c, subscript, s);
		subscript = subscript->next;
	}
	for (; subscript; subscript = subscript->next)
		done &= is_slice(c->l, subscript) ? bind_slice(c, e, subscript) :
			bind_index(c, subscript);
	a = new_access(c, e, s);
	a->version = s->field->kind == FIELD_STATE;
	for (int i = 0; i < s->field->n_dims; ++i)
		a->dim[i] = i;
	c->statement->ir->write = a;
	return done;
}
