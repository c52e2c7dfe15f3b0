/* Strips of register streaming: registers for values that iterations share, as
 * schedule/strips/parts.c finds them.
 */
#include "codegen/strips/strips.h"

static const struct strip_parts *parts_of(const struct strip *p)
{
	return &p->s->parts[p->cursor->stmt->stmt->index];
}

const struct stmt *strip_statement(const struct strip *p, int c)
{
	return p->interior ? p->s->parts[c].of.stmt : program(p)->stmt[c];
}

bool strip_has_parts(const struct strip *p, int c)
{
	return p->interior || !p->s->parts[c].differs;
}

static const char *part_name(const struct strip *p, int stmt, int part)
{
	for (int i = 0; i < stmt; i++)
		part += p->s->parts[i].n;
	return fresh_name(p->mem, program(p), p->s->parts[stmt].operations ?
		"part%d" : "sum%d", part);
}

void strip_declare_parts(const struct strip *p, struct ks *block)
{
	for (int c = 0; c < p->scop->k; c++)
		for (int i = 0; i < p->s->parts[c].n && (p->separated ||
		     strip_has_parts(p, c)); i++) {
			int extent[4] = { p->s->b, p->s->period };
			struct ks *array;
			int n = 2;

			if (p->s->dim.row >= 0)
				extent[n++] = p->s->rows;
			extent[n++] = p->s->cells;
			array = ks_array(p->mem,
				ctype_of(p->s->parts[c].part[i].value->type),
				part_name(p, c, i), n, extent, false, -1);
			array->is_zeroed = true;
			ks_add(p->mem, block, array);
		}
}

/* The register of this step's part number "part", "age" iterations old. */
static const struct kx *part_at(const struct strip *p, int part, int age)
{
	const struct kx *arg[4] = { p->m, strip_turn_of_age(p, age) };
	struct kx *x;
	int n = 2;

	if (p->s->dim.row >= 0)
		arg[n++] = p->r;
	arg[n++] = p->c;
	x = kx_of_kind(p->mem, KX_INDEX, part_name(p,
		p->cursor->stmt->stmt->index, part), n, arg);
	x->type = parts_of(p)->part[part].value->type;
	return x;
}

const struct kx *strip_known_part(const struct binding *binding,
	const struct expr *e)
{
	const struct strip *p = binding->user;
	const struct strip_place *place = stream_find_place(parts_of(p), e);

	if (!place || (p->part && p->part->value == e))
		return NULL;
	return part_at(p, place->part, place->early - p->early);
}

/* Full iterations use parts of earlier ones, even of those that compute cells
 * without parts.  Sums that are begun early come last part first: what goes on with an older one
 * reads it before that is begun anew.
 */
void strip_compute_parts(const struct strip *p, struct ks *block)
{
	const struct strip_parts *parts = parts_of(p);
	struct ks *body = ks_block(p->mem);
	struct strip q = *p;
	struct binding binding;

	if (!parts->n || !(p->separated ||
	    strip_has_parts(p, p->cursor->stmt->stmt->index)))
		return;
	q.interior = true;
	binding = strip_binding(&q);
	for (int i = 0; i < parts->n; i++) {
		int part = parts->operations ? i : parts->n - 1 - i;

		q.part = &parts->part[part];
		q.early = q.part->early;
		ks_add(p->mem, body, ks_assign(p->mem, part_at(p, part, 0),
			kx_of_expr(&binding, q.part->value)));
	}
	ks_add(p->mem, block, strip_over_cells(p, body));
}

static void describe_shared(struct text *t, const struct strip *p, int stmt)
{
	for (int i = 0; i < p->s->parts[stmt].n; i++)
		text_printf(t, "%s[m][u] is a part of %s that other "
			"rows have, too, and that iteration n + u "
			"computed.\n", part_name(p, stmt, i),
			program(p)->stmt[stmt]->write->field->name);
}

static void describe_sums(struct text *t, const struct strip *p, int stmt)
{
	int n = p->s->parts[stmt].n;

	if (n == 0)
		return;
	text_printf(t, "%s[m][u]", part_name(p, stmt, 0));
	if (n > 1)
		text_printf(t, " %s %s[m][u]", n > 2 ? "to" : "and",
			part_name(p, stmt, n - 1));
	text_printf(t, " %s that iteration n + u begins, or goes on with, for "
		"later rows of %s.\n", n > 1 ? "are sums" : "is a sum",
		program(p)->stmt[stmt]->write->field->name);
}

void strip_describe_parts(struct text *t, const struct place *place)
{
	const struct stream *s = place->plan->strips;
	struct strip p = strip_of(place);

	for (int c = 0; c < place->scop->k; c++)
		if (s->parts[c].operations)
			describe_shared(t, &p, c);
		else
			describe_sums(t, &p, c);
}
