/* Tile sizes that a request leaves open. */
#include "schedule/schedule.h"

static int writer_of(const struct scop *scop, const struct field *field)
{
	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (scop->prog->stmt[i]->write->field == field)
			return i;
	return -1;
}

/* The dimensions in the model's order: the hexagonal one first. */
static int model_dim(int dim, int hex)
{
	return dim == hex ? 0 : dim < hex ? dim + 1 : dim;
}

static struct hex_read read_of_access(const struct scop *scop,
	const struct stmt *s, const struct access *acc, int array, int hex)
{
	struct hex_read read = { .array = array, .statement = s->index };
	int writer = writer_of(scop, acc->field);

	read.age = writer < 0 ? 1 : s->index - writer +
		(int64_t) scop->k * (1 - acc->version);
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] >= 0) {
			int dim = model_dim(acc->dim[d], hex);

			read.lo[dim] = read.hi[dim] = acc->offset[d];
		}
	return read;
}

/* States only: other fields are not kept in shared memory. */
struct hex_shape hex_shape_of_scop(const struct scop *scop,
	const struct cone *cone, int hex)
{
	const struct program *prog = scop->prog;
	struct hex_shape shape = {
		.dims = scop->n_dims, .statements = scop->k,
		.delta0 = cone->delta0[hex],
		.read = region_array(scop->mem, struct hex_read,
			MODEL_MAX_READS),
	};
	int *array_of = region_array(scop->mem, int, prog->n_fields);

	for (int d = 0; d < scop->n_dims; d++)
		shape.delta1[model_dim(d, hex)] = cone->delta1[d];
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		array_of[i] = -1;
		if (field->kind != FIELD_STATE ||
		    shape.n_arrays == MODEL_MAX_ARRAYS)
			continue;
		array_of[i] = shape.n_arrays;
		shape.array[shape.n_arrays++] = (struct hex_array) {
			.word_bytes = type_size(field->type),
			.buffers = scop->field[i].buffers,
			.writer = writer_of(scop, field),
		};
	}
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		for (int j = 0; j < s->n_reads; j++) {
			int array = array_of[s->read[j]->field->index];
			struct hex_read read;

			if (array < 0)
				continue;
			read = read_of_access(scop, s, s->read[j], array, hex);
			hex_add_read(&shape, &read);
		}
	}
	return shape;
}

bool select_hex_sizes(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *request, int hex,
	int *h, int *w)
{
	struct hex_shape shape = hex_shape_of_scop(scop, cone, hex);
	struct switches switches = switches_recommended();
	struct hex_query query = hex_query_of(machine_find(scop->mem, "h200"), &switches,
		&shape);
	struct hex_result result;
	bool forced = request->h >= 0;

	for (int i = 0; i < scop->n_dims; i++) {
		query.w[i] = request->w[i];
		forced = forced && request->w[i] >= 0;
		w[i] = request->w[i];
	}
	*h = request->h;
	if (forced)
		return true;
	query.h = request->h;
	query.shared_limit_bytes = (double) request->shared_bytes;
	result = hex_select(scop->mem, &query);
	if (!result.found) {
		diag_plain(d, E_TILE, "no tile fits: %s", result.why);
		return false;
	}
	*h = (int) result.candidate[0].tile.h;
	for (int i = 0; i < scop->n_dims; i++)
		w[i] = (int) result.candidate[0].tile.w[i];
	return true;
}
