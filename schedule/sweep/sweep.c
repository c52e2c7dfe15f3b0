/* Kernels that sweep the grid, one for each statement of a step: blocks of
 * threads, with a thread for a point or a column of points.  The traffic model
 * predicts their time.
 */
#include <string.h>

#include "schedule/sweep/sweep.h"

/* The traffic of a statement -------------------------------------------- */

/* The model's dimension for dimension "dim" of "n": x is the innermost and,
 * where threads compute columns, z the outermost.
 */
static int model_dim(int dim, int n, bool columns)
{
	int i = n - 1 - dim;

	return columns && dim == 0 && n > 1 ? 2 : i < 3 ? i : 2;
}

/* The offset of "acc" in dimension "dim" of the model, in strides. */
static int64_t offset_in(const struct stmt *s, const struct access *acc,
	int dim, bool columns)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] >= 0 &&
		    model_dim(acc->dim[d], s->n_dims, columns) == dim)
			return floor_div(acc->offset[d], acc->stride[d]);
	return 0;
}

static bool same_column(const struct stmt *s, const struct access *a,
	const struct access *b, bool columns)
{
	return reads_same_values(s, a, b) &&
		offset_in(s, a, 0, columns) == offset_in(s, b, 0, columns) &&
		offset_in(s, a, 1, columns) == offset_in(s, b, 1, columns);
}

/* How many values of a column, read by a thread's points "apart" rows from each
 * other, the later points read again: the values of the first point less 1; -1
 * if "read" is not the first of its column.
 */
static int64_t column_extra(const struct stmt *s, int read, bool columns,
	int64_t apart)
{
	const struct access *acc = s->read[read];
	int64_t own = offset_in(s, acc, 2, columns), low = own, high = own;

	for (int i = 0; i < s->n_reads; i++) {
		int64_t z = offset_in(s, s->read[i], 2, columns);

		if (!same_column(s, s->read[i], acc, columns) ||
		    (z - own) % apart)
			continue;
		if (i < read)
			return -1;
		low = smaller(low, z);
		high = larger(high, z);
	}
	return (high - low) / apart;
}

static void add_column(struct traffic_array *a, bool aligned, int64_t extra)
{
	if (extra < 0)
		return;
	a->aligned_columns += aligned;
	a->misaligned_columns += !aligned;
	*(aligned ? &a->aligned_extra : &a->misaligned_extra) += extra;
}

/* Offsets of some reads in the plane of y and z: how far they reach, and in
 * which quadrants there are reads.
 */
struct plane_reads {
	bool any;
	int64_t low[2], high[2];
	bool corner[2][2];	/* [y > 0][z > 0] */
};

static void add_to_plane(struct plane_reads *p, int64_t y, int64_t z)
{
	int64_t at[2] = { y, z };

	for (int d = 0; d < 2; d++) {
		if (!p->any || at[d] < p->low[d])
			p->low[d] = at[d];
		if (!p->any || at[d] > p->high[d])
			p->high[d] = at[d];
	}
	p->any = true;
	if (y && z)
		p->corner[y > 0][z > 0] = true;
}

/* The rows that a block's reads touch, as if they filled their hull, or only
 * its arms where a quadrant has no read.
 */
static struct traffic_rows rows_of(const struct plane_reads *p)
{
	struct traffic_rows r = { .any = p->any,
		.y = p->high[0] - p->low[0], .z = p->high[1] - p->low[1] };

	for (int y = 0; y < 2; y++)
		for (int z = 0; z < 2; z++)
			if (p->corner[y][z])
				r.corners += (y ? p->high[0] : -p->low[0]) *
					(z ? p->high[1] : -p->low[1]);
	return r;
}

/* The reads of the values that s->read[first] reads. */
static struct traffic_array array_of(const struct stmt *s, int first,
	bool columns, int64_t apart)
{
	const struct access *acc = s->read[first];
	struct traffic_array a = { .word_bytes = read_bytes(s, acc) };
	struct plane_reads all = { 0 }, side[2] = { { 0 } };
	int64_t low[3] = { 0 }, high[3] = { 0 };

	for (int i = first; i < s->n_reads; i++) {
		int64_t at[3];

		if (!reads_same_values(s, s->read[i], acc))
			continue;
		for (int d = 0; d < 3; d++) {
			at[d] = offset_in(s, s->read[i], d, columns);
			low[d] = smaller(low[d], at[d]);
			high[d] = larger(high[d], at[d]);
		}
		a.aligned_points += !at[0];
		a.misaligned_points += at[0] != 0;
		add_column(&a, !at[0], column_extra(s, i, columns, apart));
		add_to_plane(&all, at[1], at[2]);
		if (at[0])
			add_to_plane(&side[at[0] > 0], at[1], at[2]);
	}
	for (int d = 0; d < 3; d++)
		a.halo[d] = high[d] - low[d];
	a.rows = rows_of(&all);
	a.side[0].reach = -low[0];
	a.side[1].reach = high[0];
	for (int i = 0; i < 2; i++)
		a.side[i].rows = rows_of(&side[i]);
	return a;
}

/* Fields of fewer dimensions stay in the caches and do not count. */
static struct traffic_kernel kernel_of_stmt(const struct program *prog,
	const struct stmt *s, const struct outlook *o, bool columns,
	int64_t apart)
{
	struct traffic_kernel k = { .n = { 1, 1, 1 }, .sweeps = o->steps,
		.registers_per_thread = o->registers_per_thread,
		.shared_bytes_per_block = o->shared_bytes_per_block };
	int last = MODEL_MAX_ARRAYS - 1;

	for (int d = 0; d < s->n_dims; d++)
		k.n[model_dim(d, s->n_dims, columns)] *= o->size[s->index][d];
	for (int i = 0; i < s->n_reads && k.n_arrays < last; i++)
		if (read_is_first(s, i) &&
		    s->read[i]->field->n_dims == s->n_dims)
			k.array[k.n_arrays++] = array_of(s, i, columns, apart);
	k.array[k.n_arrays++] = (struct traffic_array) {
		.word_bytes = type_size(s->write->field->type), .stores = 1,
	};
	k.mix = stmt_mix(prog, s);
	return k;
}

/* Predictions ----------------------------------------------------------- */

struct sweep_detail {
	int n_dims;
	struct traffic_result result;
};

static void report(const struct prediction *p, struct text *t,
	struct json *j)
{
	const struct sweep_detail *detail = p->detail;
	const struct outlook *o = p->outlook;

	if (j)
		traffic_report_json(j, p->strategy->name, o->machine,
			&o->switches, detail->n_dims, &detail->result);
	else
		traffic_report_text(t, p->strategy->name, o->machine,
			&o->switches, detail->n_dims, &detail->result);
}

static int64_t forced(int size)
{
	return size > 0 ? size : 0;
}

/* In two dimensions y is the model's z where threads compute columns. */
static bool turns_y(const struct scop *scop, bool columns)
{
	return columns && scop->n_dims == 2;
}

static struct traffic_config forced_config(const struct scop *scop,
	const struct tile_request *r, bool columns)
{
	struct traffic_config c = {
		{ forced(r->bx), forced(r->by), forced(r->bz) },
		forced(r->chunk_z),
	};

	for (int i = 0; i < 3; i++)
		if (c.block[i] == 0)
			c.block[i] = i < scop->n_dims ?
				forced(r->threads[i]) : 1;
	if (turns_y(scop, columns)) {
		c.block[2] = c.block[1];
		c.block[1] = 1;
	}
	if (columns && c.block[2] == 0)
		c.block[2] = 1;
	return c;
}

static struct sized sized_of(const struct tile_request *request,
	const struct traffic_candidate *c)
{
	struct sized sized = { .request = *request,
		.predicted_s = c->predicted_s, .k = (int64_t) c->k };
	struct tile_request *r = &sized.request;
	const int64_t *block = c->config.block;

	r->bx = (int) block[0];
	r->by = (int) block[1];
	r->bz = (int) block[2];
	r->chunk_z = (int) c->config.chunk_z;
	for (int i = 0; i < 3; i++)
		if (r->threads[i] <= 0)
			r->threads[i] = (int) block[i];
	return sized;
}

static const char *sizes_of(struct region *mem, const struct scop *scop,
	const struct tile_request *r, bool columns)
{
	const char *sizes = region_printf(mem, "bx=%d", r->bx);

	if (scop->n_dims > 1)
		sizes = region_printf(mem, "%s by=%d", sizes, r->by);
	if (scop->n_dims > 2)
		sizes = region_printf(mem, "%s bz=%d", sizes, r->bz);
	if (columns)
		sizes = region_printf(mem, "%s chunk_z=%d", sizes,
			r->chunk_z);
	return sizes;
}

static struct traffic_kernel *kernels_of_scop(struct region *mem,
	const struct scop *scop, const struct outlook *o, bool columns,
	int64_t apart)
{
	int n = scop->prog->n_stmts;
	struct traffic_kernel *k = region_array(mem, struct traffic_kernel, n);

	for (int i = 0; i < n; i++) {
		k[i] = kernel_of_stmt(scop->prog, scop->prog->stmt[i], o,
			columns, apart);
		k[i].next = i + 1 < n ? &k[i + 1] : NULL;
	}
	return k;
}

static bool has_empty_block(const struct tile_request *r)
{
	return r->bx == 0 || r->by == 0 || r->bz == 0 || r->chunk_z == 0;
}

void sweep_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	bool columns = p->strategy->sizes & SIZES_COLUMNS;
	struct sweep_detail *detail = region_new_of(mem, struct sweep_detail);
	struct traffic_result *result = &detail->result;
	struct traffic_config config = forced_config(scop, request, columns);
	struct fastest fastest;

	detail->n_dims = scop->n_dims;
	p->detail = detail;
	p->report = report;
	p->why = result->why = "a block has at least one point";
	if (has_empty_block(request))
		return;
	*result = traffic_search(mem, outlook->machine, &outlook->switches,
		kernels_of_scop(mem, scop, outlook, columns,
			columns ? config.block[2] : 1), &config,
		columns, outlook->max_candidates);
	p->why = result->why;
	if (!result->found)
		return;
	fastest_start(&fastest, mem, result->n_candidates,
		sizeof(struct sized), sized_seconds);
	for (int i = 0; i < result->n_candidates; i++) {
		struct traffic_candidate *c = &result->candidate[i];
		struct sized sized;

		if (turns_y(scop, columns)) {
			c->config.block[1] = c->config.block[2];
			c->config.block[2] = 1;
		}
		sized = sized_of(request, c);
		fastest_try(&fastest, &sized);
	}
	result->n_candidates = p->n_candidates = fastest_within(&fastest,
		outlook->within);
	p->candidate = fastest.all;
	p->sizes = sizes_of(mem, scop, &p->candidate[0].request, columns);
	p->binding = result->terms.binding;
}
