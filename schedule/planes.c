/* What a walk over the planes of a three-dimensional grid reads again. */
#include "schedule/planes.h"

static bool has_planes(const struct stmt *s, const struct access *acc)
{
	return s->n_dims == 3 && acc->field->n_dims == s->n_dims;
}

int planes_span(const struct stmt *s, int read, int d)
{
	const struct access *first = s->read[read];
	int low = first->offset[d], high = low;

	if (!has_planes(s, first))
		return 0;
	for (int i = read; i < s->n_reads; i++) {
		const struct access *acc = s->read[i];

		if (acc->field != first->field ||
		    acc->version != first->version)
			continue;
		if (!access_is_in_order(acc))
			return 0;
		low = smaller(low, acc->offset[d]);
		high = larger(high, acc->offset[d]);
	}
	return high - low;
}

double planes_again_bytes(const struct stmt *s)
{
	double bytes = 0;

	for (int i = 0; i < s->n_reads; i++)
		if (read_is_first(s, i))
			bytes += planes_span(s, i, 0) *
				type_size(s->read[i]->field->type);
	return bytes;
}

double planes_in_use(const struct stmt *s, double rows, double row_points)
{
	double bytes = 0;

	for (int i = 0; i < s->n_reads; i++)
		if (read_is_first(s, i) && planes_span(s, i, 0) > 0)
			bytes += (1 + planes_span(s, i, 0)) *
				(rows + planes_span(s, i, 1)) * row_points *
				type_size(s->read[i]->field->type);
	return bytes;
}
