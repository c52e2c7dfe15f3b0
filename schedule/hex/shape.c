/* Input for the models of hexagons: a program's arrays and reads, and the instructions for a
 * point.
 */
#include "schedule/hex/hex.h"

static struct hex_read read_of_access(const struct scop *scop,
	const struct stmt *s, const struct access *acc, int array, int hex)
{
	struct hex_read read = { .array = array, .statement = s->index };
	int writer = program_writer(scop->prog, acc->field);

	read.age = writer < 0 ? 1 : s->index - writer +
		(int64_t) scop->k * (1 - acc->version);
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] >= 0) {
			int dim = hex_index_of(acc->dim[d], hex);

			read.lo[dim] = read.hi[dim] = acc->offset[d];
		}
	return read;
}

/* States only: other fields are not kept in shared memory. */
struct hex_shape hex_shape_of_scop(const struct scop *scop, int hex,
	bool skewed)
{
	const struct program *prog = scop->prog;
	struct hex_shape shape = { .is_skewed = skewed,
		.dims = scop->n_dims, .statements = scop->k,
		.read = region_array(scop->mem, struct hex_read,
			MODEL_MAX_READS),
	};
	int *array_of = region_array(scop->mem, int, prog->n_fields);
	struct cone cone;

	cone_of_deps(scop->deps, scop->n_dims, &cone);
	shape.delta0 = cone.delta0[hex];
	for (int d = 0; d < scop->n_dims; d++)
		shape.delta1[hex_index_of(d, hex)] = cone.delta1[d];
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
			.writer = program_writer(scop->prog, field),
			.unread = !scop_reads(scop, field),
		};
	}
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		for (int j = 0; j < s->n_reads; j++) {
			int array = array_of[s->read[j]->field->index];
			struct hex_read read;

			if (array < 0 || shape.n_reads == MODEL_MAX_READS)
				continue;
			read = read_of_access(scop, s, s->read[j], array, hex);
			hex_add_read(&shape, &read);
		}
	}
	return shape;
}

/* Instructions ---------------------------------------------------------- */

/* Do "a" and "b" read the same column of cells along dimension "hex"? */
static bool same_column(const struct access *a, const struct access *b,
	int hex)
{
	if (a->field != b->field || a->version != b->version)
		return false;
	for (int d = 0; d < a->field->n_dims; d++)
		if (a->dim[d] != b->dim[d] || a->stride[d] != b->stride[d] ||
		    a->divisor[d] != b->divisor[d] ||
		    (a->dim[d] == hex ? (a->offset[d] - b->offset[d]) %
		     a->stride[d] != 0 : a->offset[d] != b->offset[d]))
			return false;
	return true;
}

/* The cells of the column of s->read[first] that a point reads, or 0 if this is
 * not its first read of it.
 */
static int column_cells(const struct stmt *s, int first, int hex)
{
	const struct access *acc = s->read[first];
	int low = 0, high = 0;

	for (int i = 0; i < s->n_reads; i++) {
		if (!same_column(acc, s->read[i], hex))
			continue;
		if (i < first)
			return 0;
		for (int d = 0; d < acc->field->n_dims; d++) {
			int apart = (s->read[i]->offset[d] - acc->offset[d]) /
				acc->stride[d];

			if (acc->dim[d] != hex)
				continue;
			low = apart < low ? apart : low;
			high = apart > high ? apart : high;
		}
	}
	return high - low + 1;
}

/* Where a thread computes a row of the hexagon, it loads each column once: one
 * value for each point, and the rest for the first one.
 */
static double share_columns(const struct stmt *s, int hex,
	struct instruction_mix *mix)
{
	double shared = 0;

	mix->loads = 0;
	for (int i = 0; i < s->n_reads; i++) {
		int cells = column_cells(s, i, hex);

		mix->loads += cells > 0;
		shared += cells > 0 ? cells - 1 : 0;
	}
	return shared;
}

/* The time of "moves" loads and stores of shared memory on each lane. */
static double moves_s(const struct machine *m, double moves, int word_bytes)
{
	return moves * word_bytes * (double) m->lanes_per_sm *
		(double) m->sm_count / m->smem_bandwidth_bytes_per_s;
}

/* Instructions for a point in a loop over its row, by dimension: to find the cells and their
 * copies, to test whether the value is stored, to continue.  In the PTX of examples 12 in one
 * dimension, 21 to 30 in two, 24 to 51 in three.
 */
enum { LOOP_INSTRUCTIONS = 12 };

/* Citer of a point of "mix" where its row is a loop. */
static double citer_of_loop(const struct hex_query *q,
	const struct program *prog, int n_dims,
	const struct instruction_mix *mix)
{
	double plain = citer_of(q->machine, prog->name, q->switches->preset,
		mix).seconds;
	struct instruction_mix loop = *mix;

	if (q->switches->code != CODE_EMITTED)
		return plain;
	loop.integer += LOOP_INSTRUCTIONS * n_dims;
	return plain + citer_estimate_s(q->machine, &loop) -
		citer_estimate_s(q->machine, mix);
}

/* Inputs, which points read from global memory: boxes in shared memory are of states only. */
static void set_inputs(struct hex_query *q, const struct scop *scop)
{
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_stmts && i < MODEL_MAX_STATEMENTS; i++)
		for (int j = 0; j < prog->stmt[i]->n_reads; j++)
			if (prog->stmt[i]->read[j]->field->kind == FIELD_INPUT)
				q->work.waits[i] = true;
	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_INPUT &&
		    prog->field[i]->n_dims == scop->n_dims)
			q->work.input_bytes += type_size(prog->field[i]->type);
}

/* Where a thread has whole columns of hexagons in the innermost dimension, each
 * lane of a warp has rows of its own.
 */
void hex_set_citers(struct hex_query *q, const struct scop *scop, int hex)
{
	const struct program *prog = scop->prog;
	bool shares = q->switches->code == CODE_EMITTED && scop->n_dims > 1 &&
		!scop->is_guarded;

	if (q->switches->code == CODE_EMITTED && !q->no_transfers)
		set_inputs(q, scop);
	q->across = shares && q->column_points > 0 && scop->n_dims > 1 &&
		hex == scop->n_dims - 1;
	for (int i = 0; i < prog->n_stmts && i < MODEL_MAX_STATEMENTS; i++) {
		struct instruction_mix mix = stmt_mix(prog,
			prog->stmt[i]);
		double shared;
		struct citer citer;

		q->work.loop_citer_s[i] = citer_of_loop(q, prog, scop->n_dims,
			&mix);
		shared = shares ? share_columns(prog->stmt[i], hex, &mix) : 0;
		citer = citer_of(q->machine, prog->name, q->switches->preset,
			&mix);
		q->work.citer_s[i] = citer.seconds;
		q->work.is_estimated = q->work.is_estimated || citer.estimated;
		mix.loads += shared;
		q->work.citer_row_s[i] = citer_of(q->machine, prog->name,
			q->switches->preset, &mix).seconds - citer.seconds;
		if (q->across) {
			q->work.moves_row_s[i] = moves_s(q->machine, shared,
				mix.word_bytes);
			q->work.moves_s[i] = moves_s(q->machine, mix.loads +
				mix.stores - shared, mix.word_bytes);
		}
	}
}
