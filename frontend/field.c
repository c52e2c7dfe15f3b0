/* Fields and their sizes. */
#include "frontend/beside.h"
#include "frontend/components.h"

#include <inttypes.h>

static const int64_t MAX_BYTES = (int64_t) 1 << 62;

/* Sizes --------------------------------------------------------------------*/

/* At least "least". */
static const struct expr *lower_size(struct context *c, struct ast_expr *e,
	int64_t least)
{
	const struct expr *size = lower_quasi_affine(c, e, "a size");
	int64_t value;

	if (!size || !expr_constant(size, &value) || value >= least)
		return size;
	report(c, e, E_SIZE, e->at, "a size of %" PRId64 " is not positive",
		value);
	return NULL;
}

/* Refuse a field whose known sizes already give more bytes than fit 62 bits. */
static bool check_bytes(struct lower *l, const struct field *f)
{
	int64_t bytes = type_size(f->type), size;

	for (int i = 0; i < f->n_dims; ++i) {
		if (!expr_constant(f->size[i], &size) || size == 0)
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

bool lower_sizes(struct lower *l, const struct symbol *s, struct field *f)
{
	struct context c = { .l = l };
	bool done = true;

	for (struct ast_expr *e = s->item->dims.first; e; e = e->next) {
		f->size[f->n_dims] = lower_size(&c, e, !f->is_result);
		done &= f->size[f->n_dims++] != NULL;
	}
	return done && check_bytes(l, f);
}

static bool check_loop(struct lower *l, const struct symbol *s)
{
	if (s->item->field_kind != FIELD_STATE || l->loop)
		return true;
	diag(l->diags, E_NO_TIME_LOOP, s->at,
		"'%s' is a state, but the program has no time loop",
		complex_name(s));
	diag_advice(l->diags, "put the statements into "
		"'iterate t = 0 .. T { }'; without time, fields are 'input', "
		"'temp' and 'output'");
	return false;
}

/* In a time loop, a computed field is a state: a temp one that the caller does
 * not see, an output one that nothing reads.
 */
static enum field_kind kind_of(const struct lower *l, const struct symbol *s)
{
	enum field_kind kind = s->item->field_kind;

	if (kind == FIELD_OUTPUT && is_series(l, s))
		return FIELD_SERIES;
	return l->loop && kind != FIELD_INPUT ? FIELD_STATE : kind;
}

/* A wrong field has no ir: its uses give no further message. */
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
	f->depth = f->passed = f->kind == FIELD_STATE;
	f->index = p->n_fields;
	if (!check_loop(l, s) || !check_dimensions(l, s) ||
	    !lower_sizes(l, s, f))
		return;
	for (int i = 0; i < SIDES * f->n_dims; ++i)
		f->boundary[i / SIDES][i % SIDES].at = s->at;
	s->field = f;
	p->field[p->n_fields++] = f;
}

void lower_fields(struct lower *l)
{
	struct symbol *s;

	l->program->field = region_array(l->mem, struct field *,
		l->n_symbols + 3 * (size_t) l->n_orders + 1);
	l->program->list = region_array(l->mem, const struct list *,
		l->n_orders);
	for (s = l->first; s && !diag_full(l->diags); s = s->next)
		if (s->kind == SYMBOL_FIELD && !s->components &&
		    (!is_imaginary_part(s) || s->part_of->components->part[0]->field))
			lower_field(l, s);
}
