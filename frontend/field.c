/* Fields: their sizes and boundaries. */
#include "frontend/lower.h"

#include <inttypes.h>
#include <string.h>

static const int64_t MAX_BYTES = (int64_t) 1 << 62;

/* Sizes --------------------------------------------------------------------*/

static const struct expr *lower_size(struct context *c, struct ast_expr *e)
{
	const struct expr *size = lower_affine(c, e, "a size");
	int64_t value;

	if (!size || !expr_constant(size, &value) || value > 0)
		return size;
	report(c, e, E_SIZE, e->at, "a size of %" PRId64 " is not positive",
		value);
	return NULL;
}

/* Refuse a field whose bytes do not fit 62 bits, as far as is known now. */
static bool check_bytes(struct lower *l, const struct field *f)
{
	int64_t bytes = type_size(f->type), size;

	for (int i = 0; i < f->n_dims; ++i) {
		if (!expr_constant(f->size[i], &size))
			continue;
		if (bytes <= MAX_BYTES / size) {
			bytes *= size;
			continue;
		}
		diag(l->diags, E_SIZE_OVERFLOW, f->at,
			"the field '%s' has more than 2^62 bytes", f->name);
		diag_advice(l->diags, "no machine has the memory for it; are "
			"the sizes right?");
		return false;
	}
	return true;
}

static bool check_dimensions(struct lower *l, const struct symbol *s)
{
	int n = s->item->dims.n;

	if (n && n <= IR_MAX_DIMS)
		return true;
	if (n) {
		diag(l->diags, E_DIMENSIONS, s->at,
			"the field '%s' has %d dimensions; at most %d are "
			"allowed", s->name, n, IR_MAX_DIMS);
		return false;
	}
	diag(l->diags, E_DIMENSIONS, s->at,
		"the field '%s' has no dimension", s->name);
	diag_advice(l->diags, "give its size, as in '%s[N]', or make it a "
		"'param'", s->name);
	return false;
}

static bool lower_sizes(struct lower *l, const struct symbol *s,
	struct field *f)
{
	struct context c = { .l = l };
	bool done = true;

	for (struct ast_expr *e = s->item->dims.first; e; e = e->next) {
		f->size[f->n_dims] = lower_size(&c, e);
		done &= f->size[f->n_dims++] != NULL;
	}
	return done && check_bytes(l, f);
}

static bool check_loop(struct lower *l, const struct symbol *s)
{
	if (s->item->field_kind != FIELD_STATE || l->loop)
		return true;
	diag(l->diags, E_NO_TIME_LOOP, s->at,
		"'%s' is a state, but the program has no time loop", s->name);
	diag_advice(l->diags, "put the statements into "
		"'iterate t = 0 .. T { }'; without time, fields are 'input', "
		"'temp' and 'output'");
	return false;
}

/* In a time loop what a statement computes is a state: a temp one that the
 * caller does not see, an output one that nothing reads.
 */
static enum field_kind kind_of(const struct lower *l, const struct symbol *s)
{
	enum field_kind kind = s->item->field_kind;

	if (kind == FIELD_OUTPUT && is_series(l, s))
		return FIELD_SERIES;
	return l->loop && kind != FIELD_INPUT ? FIELD_STATE : kind;
}

/* A field that is wrong has no ir: what mentions it is silent. */
static void lower_field(struct lower *l, struct symbol *s)
{
	struct program *p = l->program;
	struct field *f = region_new_of(l->mem, struct field);

	f->name = s->name;
	f->kind = kind_of(l, s);
	f->is_listed = f->kind == FIELD_SERIES;
	f->is_hidden = l->loop && s->item->field_kind == FIELD_TEMP;
	f->type = s->item->type;
	f->at = s->at;
	f->depth = f->kind == FIELD_STATE;
	f->index = p->n_fields;
	if (!check_loop(l, s) || !check_dimensions(l, s) ||
	    !lower_sizes(l, s, f))
		return;
	for (int i = 0; i < f->n_dims; ++i)
		f->boundary[i].at = s->at;
	s->field = f;
	p->field[p->n_fields++] = f;
}

void lower_fields(struct lower *l)
{
	struct symbol *s;

	l->program->field = region_array(l->mem, struct field *,
		l->n_symbols + 3 * (size_t) l->n_orders);
	l->program->list = region_array(l->mem, const struct list *,
		l->n_orders);
	for (s = l->first; s && !diag_full(l->diags); s = s->next)
		if (s->kind == SYMBOL_FIELD)
			lower_field(l, s);
}

/* Boundaries ---------------------------------------------------------------*/

static const char *word_of(int kind)
{
	return boundary_info((enum boundary_kind) kind)->word;
}

/* "fixed, periodic, mirror, clamp or value(e)" */
static void advise_kinds(struct lower *l)
{
	struct text t = { 0 };

	for (int i = 0; i < BOUNDARY_KINDS; ++i)
		text_printf(&t, "%s%s%s", i == 0 ? "" :
			i < BOUNDARY_KINDS - 1 ? ", " : " or ", word_of(i),
			i == BOUNDARY_VALUE ? "(e)" : "");
	diag_advice(l->diags, "a boundary is %s", t.bytes);
	text_free(&t);
}

static bool refuse_boundary(struct lower *l, const struct ast_item *item)
{
	const char *similar = NULL;

	for (int i = 0; i < BOUNDARY_KINDS; ++i)
		similar = more_similar(item->boundary.text, similar,
			word_of(i));
	diag(l->diags, E_BOUNDARY, item->boundary.at,
		"there is no boundary '%s'", item->boundary.text);
	if (similar)
		diag_fixit(l->diags, item->boundary.at, "%s", similar);
	else
		advise_kinds(l);
	return false;
}

static bool find_kind(struct lower *l, const struct ast_item *item,
	enum boundary_kind *kind)
{
	bool has_value = item->value;

	for (int i = 0; i < BOUNDARY_KINDS; ++i) {
		if (strcmp(item->boundary.text, word_of(i)))
			continue;
		*kind = (enum boundary_kind) i;
		if (has_value == (*kind == BOUNDARY_VALUE))
			return true;
		diag(l->diags, E_BOUNDARY, item->boundary.at, has_value ?
			"the boundary '%s' takes no value" :
			"the boundary '%s' needs its value, as in 'value(0)'",
			word_of(i));
		return false;
	}
	return refuse_boundary(l, item);
}

static struct symbol *find_field(struct context *c, struct ast_name name)
{
	struct symbol *s = find_symbol(c->l, name.text);

	if (!s || s->kind == SYMBOL_UNKNOWN) {
		report_undeclared(c, name, USED_AS_FIELD);
		return NULL;
	}
	if (s->kind == SYMBOL_FIELD)
		return s->field ? s : NULL;
	diag(c->l->diags, E_KIND, name.at,
		"'%s' is %s: only a field has a boundary", name.text,
		symbol_what(s));
	diag_note(c->l->diags, s->at, "it is declared here");
	return NULL;
}

/* The dimension meant, -1 for all of them. */
static bool find_dimension(struct context *c, const struct ast_item *item,
	const struct field *f, int64_t *dim)
{
	*dim = -1;
	if (!item->dims.n)
		return true;
	if (!lower_int(c, item->dims.first, "a dimension", dim))
		return false;
	if (*dim >= 0 && *dim < f->n_dims)
		return true;
	diag(c->l->diags, E_BOUNDARY, item->dims.first->at,
		"'%s' has no dimension %" PRId64 "; its last is %d", f->name,
		*dim, f->n_dims - 1);
	return false;
}

/* A boundary of one dimension stands above that of the whole field. */
static void set_boundary(struct lower *l, struct symbol *s, int dim,
	const struct boundary *b)
{
	struct span *seen = dim < 0 ? &s->boundary_at[IR_MAX_DIMS] :
		&s->boundary_at[dim];

	if (seen->end) {
		diag(l->diags, E_REDEFINED, b->at,
			"this boundary is given twice");
		diag_note(l->diags, *seen, "it is given here");
		return;
	}
	*seen = b->at;
	for (int i = 0; i < s->field->n_dims; ++i)
		if (i == dim || (dim < 0 && !s->boundary_at[i].end))
			s->field->boundary[i] = *b;
}

static void lower_boundary(struct lower *l, const struct ast_item *item)
{
	struct context c = { .l = l, .timed = l->time, .in_boundary = true };
	struct symbol *s = find_field(&c, item->name);
	struct boundary b = { .at = item->at };
	int64_t dim;

	if (!s || !find_kind(l, item, &b.kind) ||
	    !find_dimension(&c, item, s->field, &dim))
		return;
	if (item->value) {
		b.value = lower_expr(&c, item->value);
		if (!b.value)
			return;
		b.value = convert(&c, s->field->type, b.value);
	}
	set_boundary(l, s, (int) dim, &b);
}

void lower_boundaries(struct lower *l)
{
	const struct ast_item *item = l->ast->items;

	for (; item && !diag_full(l->diags); item = item->next)
		if (item->kind == AST_BOUNDARY)
			lower_boundary(l, item);
}
