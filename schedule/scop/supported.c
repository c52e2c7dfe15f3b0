/* Programs refused before sets are made. */
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
		if (first || (s->n_conditions > 0 && !prog->waves))
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

/* How much the points of a temp's statement are stretched: the greatest products of strides,
 * and of divisors, along the temps that it and others read.
 */
struct stretch {
	int64_t stride, divisor;
};

static bool refuse_stretch(struct diags *d, const struct access *acc,
	const char *what, int64_t value)
{
	enum { MOST_STRIDE = 1 << 20 };

	if (value > MOST_STRIDE)
		diag(d, E_TOO_LARGE, acc->at, "the %s of temps come to %lld "
			"here: the limit is %d", what, (long long) value,
			MOST_STRIDE);
	return value > MOST_STRIDE;
}

/* "own" combined with what dimension "k" of "acc" adds to the stretch of "of". */
static bool add_stretch(struct diags *d, const struct access *acc, int k,
	struct stretch of, struct stretch *own)
{
	if (acc->divisor[k] != 1 && of.stride != 1) {
		diag(d, E_NOT_YET, acc->at, "the temp '%s', which is computed "
			"from what is read with a stride, is read with a "
			"divisor: this is not implemented yet",
			acc->field->name);
		diag_advice(d, "make it a state, or compute it in a program "
			"of its own");
		return false;
	}
	of.stride *= acc->stride[k];
	of.divisor *= acc->divisor[k];
	own->stride = larger(of.stride, own->stride);
	own->divisor = larger(of.divisor, own->divisor);
	return !refuse_stretch(d, acc, "strides", of.stride) &&
		!refuse_stretch(d, acc, "divisors", of.divisor);
}

/* Are strides and divisors of temps small enough to compare sizes? */
static bool strides_fit(struct region *mem, struct diags *d,
	const struct program *prog)
{
	struct stretch *all = region_array(mem, struct stretch,
		prog->n_fields);

	for (int i = 0; i < prog->n_fields; i++)
		all[i] = (struct stretch) { 1, 1 };
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];
		struct stretch *own = &all[s->write->field->index];

		for (int j = 0; j < s->n_reads; j++)
			for (int k = 0; k < s->read[j]->field->n_dims; k++) {
				const struct access *acc = s->read[j];

				if (!add_stretch(d, acc, k, field_is_temp(
				    acc->field) ? all[acc->field->index] :
				    (struct stretch) { 1, 1 }, own))
					return false;
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
