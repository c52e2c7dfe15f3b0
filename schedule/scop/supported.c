/* Programs that are refused before they are sets. */
#include "schedule/scop/sets.h"

/* A temp has one statement, which computes all of it. */
static void check_temp(struct diags *d, const struct program *prog,
	const struct field *field)
{
	const struct stmt *first = NULL;

	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		if (s->write->field != field)
			continue;
		if (first || s->n_conditions > 0)
			diag(d, E_NOT_YET, s->at, first ?
				"a temp that two statements compute ('%s') is "
				"not implemented yet" :
				"a temp that is computed at some points only "
				"('%s', by 'on') is not implemented yet",
				field->name);
		if (d->errors)
			return;
		first = s;
	}
}

/* Are strides of temps, of which each is computed from what is read with a
 * stride, small enough for sizes to be compared?
 */
static bool strides_fit(struct region *mem, struct diags *d,
	const struct program *prog)
{
	enum { MOST_STRIDE = 1 << 20 };
	int64_t *all = region_array(mem, int64_t, prog->n_fields);

	for (int i = 0; i < prog->n_fields; i++)
		all[i] = 1;
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];
		int64_t *own = &all[s->write->field->index];

		for (int j = 0; j < s->n_reads; j++)
			for (int k = 0; k < s->read[j]->field->n_dims; k++) {
				const struct access *acc = s->read[j];
				int64_t stride = acc->stride[k] *
					(field_is_temp(acc->field) ?
					all[acc->field->index] : 1);

				if (stride > MOST_STRIDE) {
					diag(d, E_TOO_LARGE, acc->at,
						"the strides of temps come to "
						"%lld here: the limit is %d",
						(long long) stride, MOST_STRIDE);
					return false;
				}
				*own = stride > *own ? stride : *own;
			}
	}
	return true;
}

bool program_is_supported(struct region *mem, struct diags *d,
	const struct program *prog)
{
	enum { MOST_STATEMENTS = 512 };
	unsigned errors = d->errors;

	if (prog->n_stmts > MOST_STATEMENTS) {
		diag(d, E_TOO_LARGE, prog->stmt[MOST_STATEMENTS]->at,
			"a program of %d statements is too large: the limit "
			"is %d", prog->n_stmts, MOST_STATEMENTS);
		return false;
	}
	if (!strides_fit(mem, d, prog))
		return false;
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (field_is_temp(field))
			check_temp(d, prog, field);
	}
	return d->errors == errors;
}
