/* The shape of a hybrid hexagonal/classical tile: [CGO] 3.3 to 4.2.
 *
 * The height h settles everything but the sizes w, in a profile: in dimension
 * i, the cells of a row, of a plane of values, of a box reach from a constant
 * "from" to w[i] + "to".
 */
#include "model/model.h"

#include <math.h>

#include <string.h>

/* floor(q * n). */
static int64_t floor_times(struct rational q, int64_t n)
{
	return floor_div(q.num * n, q.den);
}

static bool is_same_kind(const struct hex_read *a, const struct hex_read *b)
{
	return a->array == b->array && a->statement == b->statement &&
		a->age == b->age;
}

void hex_add_read(struct hex_shape *s, const struct hex_read *read)
{
	int i = 0;

	while (i < s->n_reads && !is_same_kind(&s->read[i], read))
		++i;
	if (i == s->n_reads) {
		s->read[s->n_reads++] = *read;
		return;
	}
	for (int d = 0; d < s->dims; ++d) {
		s->read[i].lo[d] = smaller(s->read[i].lo[d], read->lo[d]);
		s->read[i].hi[d] = larger(s->read[i].hi[d], read->hi[d]);
	}
}

static bool is_slope(struct rational q)
{
	return q.den > 0 && q.den < 1 << 20 && q.num >= 0 && q.num < 1 << 20;
}

static const char *verify_read(const struct hex_shape *s,
	const struct hex_read *r)
{
	if (r->array < 0 || r->array >= s->n_arrays)
		return "a read of an array that does not exist";
	if (r->statement < 0 || r->statement >= s->statements)
		return "a read by a statement that does not exist";
	if (s->array[r->array].writer >= 0 && r->age < 1)
		return "a read of a value that is not written yet";
	if (r->age >= 1 << 16)
		return "a read of a value written too long ago";
	for (int d = 0; d < s->dims; ++d)
		if (r->lo[d] > r->hi[d])
			return "a read of an empty box";
	return NULL;
}

const char *hex_verify(const struct hex_shape *s)
{
	const char *wrong = NULL;

	if (s->dims < 1 || s->dims > MODEL_MAX_DIMS)
		return "the number of dimensions";
	if (s->statements < 1 || s->statements > MODEL_MAX_STATEMENTS)
		return "the number of statements";
	if (s->n_arrays < 1 || s->n_arrays > MODEL_MAX_ARRAYS)
		return "the number of arrays";
	if (!is_slope(s->delta0))
		return "the slope delta0";
	for (int d = 0; d < s->dims; ++d)
		if (!is_slope(s->delta1[d]))
			return "a slope delta1";
	for (int a = 0; a < s->n_arrays; ++a)
		if (s->array[a].writer >= s->statements ||
		    s->array[a].buffers < 1 || s->array[a].word_bytes < 1)
			return "an array";
	for (int i = 0; i < s->n_reads && !wrong; ++i)
		wrong = verify_read(s, &s->read[i]);
	return wrong;
}

struct hex_shape hex_radius_1(struct region *r, int dims, int word_bytes)
{
	struct hex_shape s = { .dims = dims, .statements = 1, .n_arrays = 1,
		.n_reads = 1 };

	s.delta0 = (struct rational) { 1, 1 };
	s.array[0] = (struct hex_array) { word_bytes, 2, 0, false };
	s.read = region_array(r, struct hex_read, 1);
	s.read[0].age = 1;
	for (int d = 0; d < dims; ++d) {
		s.delta1[d] = (struct rational) { 1, 1 };
		s.read[0].lo[d] = -1;
		s.read[0].hi[d] = 1;
	}
	return s;
}

bool hex_is_radius_1(const struct hex_shape *s)
{
	const struct hex_read *r = s->read;

	if (s->statements != 1 || s->n_arrays != 1 || s->n_reads != 1 ||
	    s->array[0].writer != 0 || s->array[0].buffers != 2 ||
	    r->age != 1 || s->delta0.num != s->delta0.den)
		return false;
	for (int d = 0; d < s->dims; ++d)
		if (s->delta1[d].num != s->delta1[d].den || r->lo[d] != -1 ||
		    r->hi[d] != 1)
			return false;
	return true;
}

/* (1) w0 >= max(d0 + {d0 h}, d1 + {d1 h}) - 1: the least whole one. */
int64_t hex_cgo1_min_w0(const struct hex_shape *s, int64_t h)
{
	struct rational d0 = s->delta0, d1 = s->delta1[0];
	int64_t fraction0 = d0.num * h - floor_times(d0, h) * d0.den;
	int64_t fraction1 = d1.num * h - floor_times(d1, h) * d1.den;
	int64_t w0 = larger(ceil_div(d0.num + fraction0, d0.den),
		ceil_div(d1.num + fraction1, d1.den)) - 1;

	return larger(w0, 0);
}

int64_t hex_height(int64_t h)
{
	return 2 * h + 2;
}

int64_t hex_rows(const struct hex_shape *s, int64_t h)
{
	return s->is_skewed ? s->statements * h : hex_height(h);
}

/* W = 2 w0 + 2 + f0 + f1: the distance of tiles in a phase. */
int64_t hex_width(const struct hex_shape *s, const struct hex_tile *t)
{
	return 2 * t->w[0] + 2 + floor_times(s->delta0, t->h) +
		floor_times(s->delta1[0], t->h);
}

/* The range of b in row "a" by (6), (8), (10) and (12), as from .. w0 + to:
 * (10) and (6) bound it from below, (8) and (12) from above.
 */
static struct hex_range row_range(const struct hex_shape *s, int64_t h,
	int64_t a)
{
	struct rational d0 = s->delta0, d1 = s->delta1[0];
	int64_t f0 = floor_times(d0, h), f1 = floor_times(d1, h);
	int64_t by6 = ceil_div(d0.num * (a - 2 * h - 1), d0.den) + f0;
	int64_t by10 = ceil_div(d1.num * (h - a) - (d1.den - 1), d1.den);
	int64_t by8 = floor_div(d1.num * (2 * h + 1 - a), d1.den) + f0;
	int64_t by12 = floor_div(d0.num * (a - h) + d0.den - 1, d0.den) +
		f0 + f1;

	return (struct hex_range) { larger(by6, by10), smaller(by8, by12) };
}

void hex_row_bounds(const struct hex_shape *s, const struct hex_tile *t,
	int64_t a, int64_t *lo, int64_t *hi)
{
	struct hex_range r = row_range(s, t->h, a);

	*lo = r.from;
	*hi = t->w[0] + r.to;
}

int64_t hex_pitch(const struct hex_profile *p, const struct hex_tile *t)
{
	return p->shape->is_skewed ? t->w[0] + p->drift :
		hex_width(p->shape, t);
}

double hex_points(const struct hex_shape *s, const struct hex_tile *t)
{
	double points = s->is_skewed ? (double) hex_rows(s, t->h) *
		(double) t->w[0] : (double) (t->h + 1) *
		(double) hex_width(s, t);

	for (int d = 1; d < s->dims; ++d)
		points *= (double) t->w[d];
	return points;
}

/* Building a profile ------------------------------------------------------*/

/* Row "a": in a classical dimension, and of a skewed rectangle in all,
 * si' = 0 .. w-1 of (17), that is si = -floor(d1 a) .. w - 1 - floor(d1 a).
 */
static void set_row(const struct hex_shape *s, int64_t h, int64_t a,
	struct hex_row *row)
{
	row->statement = (int) (a % s->statements);
	if (!s->is_skewed)
		row->dim[0] = row_range(s, h, a);
	for (int d = s->is_skewed ? 0 : 1; d < s->dims; ++d) {
		int64_t skew = floor_times(s->delta1[d], a);

		row->dim[d] = (struct hex_range) { -skew, -1 - skew };
	}
}

static struct hex_range hull(struct hex_range a, struct hex_range b)
{
	return (struct hex_range) { smaller(a.from, b.from),
		larger(a.to, b.to) };
}

static struct hex_range overlap(struct hex_range a, struct hex_range b)
{
	return (struct hex_range) { larger(a.from, b.from),
		smaller(a.to, b.to) };
}

/* The cells that "read" reads in dimension "d" from "row". */
static struct hex_range read_range(const struct hex_read *read,
	const struct hex_row *row, int d)
{
	return (struct hex_range) { row->dim[d].from + read->lo[d],
		row->dim[d].to + read->hi[d] };
}

static void grow_box(struct hex_profile *p, int array,
	const struct hex_range range[])
{
	for (int d = 0; d < p->shape->dims; ++d)
		p->box[array][d] = p->used[array] ?
			hull(p->box[array][d], range[d]) : range[d];
	p->used[array] = true;
}

/* The plane of "array" that row "at" writes; created if necessary.  An array
 * that nothing writes has one plane only, and "at" is 0.
 */
static struct hex_plane *find_plane(struct hex_plane **at_row, int64_t at,
	struct hex_profile *p, int array)
{
	if (!at_row[at]) {
		at_row[at] = &p->plane[p->n_planes++];
		at_row[at]->array = array;
	}
	return at_row[at];
}

static void add_to_plane(struct hex_plane *plane, bool is_new, int dims,
	const struct hex_read *read, const struct hex_row *row)
{
	for (int d = 0; d < dims; ++d) {
		struct hex_range range = read_range(read, row, d);

		plane->read[d] = is_new ? range :
			hull(plane->read[d], range);
	}
}

static int64_t oldest_age(const struct hex_shape *s, int array)
{
	int64_t age = 0;

	for (int i = 0; i < s->n_reads; ++i)
		if (s->read[i].array == array)
			age = larger(age, s->read[i].age);
	return s->array[array].writer < 0 ? 0 : age;
}

/* All reads of "array" from all rows, grouped by the row that wrote the values;
 * that row may lie "oldest" rows below the tile's first.
 */
static void add_planes(struct region *tmp, struct hex_profile *p, int array)
{
	const struct hex_shape *s = p->shape;
	int64_t oldest = oldest_age(s, array);
	struct hex_plane **at_row = region_array(tmp, struct hex_plane *,
		p->n_rows + oldest + 1);

	for (int a = 0; a < p->n_rows; ++a)
		for (int i = 0; i < s->n_reads; ++i) {
			const struct hex_read *read = &s->read[i];
			bool is_new;
			int64_t at;

			if (read->array != array ||
			    read->statement != p->row[a].statement)
				continue;
			at = s->array[array].writer < 0 ? 0 :
				a - read->age + oldest;
			is_new = !at_row[at];
			add_to_plane(find_plane(at_row, at, p, array), is_new,
				s->dims, read, &p->row[a]);
			p->loaded[array] = true;
		}
	for (int a = 0; a < p->n_rows; ++a) {
		struct hex_plane *plane = at_row[a + oldest];

		if (!plane || p->row[a].statement != s->array[array].writer)
			continue;
		plane->computed = true;
		memcpy(plane->own, p->row[a].dim, sizeof(plane->own));
	}
}

/* The values in row "a" of "array" that only this tile reads: all their readers
 * lie in rows of the tile.
 */
static struct hex_kept kept_of(const struct hex_profile *p, int array, int a)
{
	const struct hex_shape *s = p->shape;
	struct hex_kept kept = { 0 };

	memcpy(kept.own, p->row[a].dim, sizeof(kept.own));
	memcpy(kept.dim, p->row[a].dim, sizeof(kept.dim));
	for (int i = 0; i < s->n_reads; ++i) {
		const struct hex_read *read = &s->read[i];

		if (read->array != array)
			continue;
		if (a + read->age >= p->n_rows) {
			kept.any = false;
			return kept;
		}
		kept.any = true;
		for (int d = 0; d < s->dims; ++d) {
			struct hex_range r = p->row[a + read->age].dim[d];

			r.from += read->hi[d];
			r.to += read->lo[d];
			kept.dim[d] = overlap(kept.dim[d], r);
		}
	}
	return kept;
}

static void add_kept(struct hex_profile *p, int array)
{
	for (int a = 0; a < p->n_rows; ++a) {
		if (p->row[a].statement != p->shape->array[array].writer)
			continue;
		p->kept[p->n_kept++] = kept_of(p, array, a);
		if (!p->shape->array[array].unread)
			grow_box(p, array, p->row[a].dim);
	}
}

static int max_planes(const struct hex_shape *s, int n_rows)
{
	int64_t n = 0;

	for (int a = 0; a < s->n_arrays; ++a)
		n += n_rows + oldest_age(s, a) + 1;
	return (int) n;
}

/* The least drift with which no tile of a wavefront copies what another one
 * writes: the tile before it ends at -drift - 1, the one after begins at w +
 * drift - f1.
 */
static int64_t drift_of(const struct hex_profile *p)
{
	const struct hex_shape *s = p->shape;
	int64_t drift = ceil_div(s->delta1[0].num * p->n_rows,
		s->delta1[0].den);

	for (int a = 0; a < s->n_arrays; ++a)
		if (p->used[a])
			drift = larger(drift, larger(-p->box[a][0].from,
				p->box[a][0].to + p->f1 + 1));
	return drift;
}

/* How many cells more than w[0] rows have. */
static void count_cells(struct hex_profile *p)
{
	p->widest = INT64_MIN;
	for (int a = 0; a < p->n_rows; ++a) {
		struct hex_range r = p->row[a].dim[0];
		int i = p->row[a].statement;

		p->widest = larger(p->widest, r.to - r.from + 1);
		p->of[i].rows += 1;
		p->of[i].cells += r.to - r.from + 1;
	}
}

const struct hex_profile *hex_profile_new(struct region *r,
	const struct hex_shape *s, int64_t h)
{
	struct hex_profile *p = region_new_of(r, struct hex_profile);

	p->shape = s;
	p->h = h;
	p->n_rows = (int) hex_rows(s, h);
	p->f0 = s->is_skewed ? 0 : floor_times(s->delta0, h);
	p->f1 = floor_times(s->delta1[0], s->is_skewed ? p->n_rows - 1 : h);
	p->min_w0 = s->is_skewed ? 1 : hex_cgo1_min_w0(s, h);
	p->row = region_array(r, struct hex_row, p->n_rows);
	for (int a = 0; a < p->n_rows; ++a)
		set_row(s, h, a, &p->row[a]);
	count_cells(p);
	p->plane = region_array(r, struct hex_plane,
		max_planes(s, p->n_rows));
	p->kept = region_array(r, struct hex_kept, p->n_rows * s->n_arrays);
	for (int a = 0; a < s->n_arrays; ++a) {
		add_planes(r, p, a);
		add_kept(p, a);
	}
	for (int i = 0; i < p->n_planes; ++i)
		grow_box(p, p->plane[i].array, p->plane[i].read);
	if (s->is_skewed)
		p->drift = drift_of(p);
	return p;
}

struct hex_profiles {
	struct region *r;
	struct made {
		const struct hex_profile *profile;
		struct made *next;
	} *made;
};

struct hex_profiles *hex_profiles_new(struct region *r)
{
	struct hex_profiles *made = region_new_of(r, struct hex_profiles);

	made->r = r;
	return made;
}

const struct hex_profile *hex_profile_of(struct hex_profiles *made,
	const struct hex_shape *s, int64_t h)
{
	struct made *m = made->made;

	while (m && (m->profile->shape != s || m->profile->h != h))
		m = m->next;
	if (m)
		return m->profile;
	m = region_new_of(made->r, struct made);
	m->profile = hex_profile_new(made->r, s, h);
	m->next = made->made;
	made->made = m;
	return m->profile;
}

/* Counting ----------------------------------------------------------------*/

/* Cells of "r" for size "w"; none if it is empty. */
static double extent(struct hex_range r, int64_t w)
{
	int64_t n = w + r.to - r.from + 1;

	return n > 0 ? (double) n : 0;
}

int64_t hex_widest_row(const struct hex_profile *p, const struct hex_tile *t)
{
	return larger(t->w[0] + p->widest, 0);
}

double hex_row_points(const struct hex_profile *p, const struct hex_tile *t,
	int a)
{
	double points = 1;

	for (int d = 0; d < p->shape->dims; ++d)
		points *= extent(p->row[a].dim[d], t->w[d]);
	return points;
}

/* The columns that the boxes of all arrays share. */
static double common_columns(const struct hex_profile *p, int64_t w)
{
	int last = p->shape->dims - 1, multiple = p->shape->inner_multiple;
	struct hex_range all = { 0, 0 };
	bool any = false;
	double columns;

	for (int a = 0; a < p->shape->n_arrays; ++a) {
		struct hex_range r = p->box[a][last];

		if (!p->used[a])
			continue;
		all.from = any && all.from < r.from ? all.from : r.from;
		all.to = any && all.to > r.to ? all.to : r.to;
		any = true;
	}
	columns = extent(all, w);
	return ceil(columns / multiple) * multiple;
}

void hex_box(const struct hex_profile *p, const struct hex_tile *t, int array,
	double extents[])
{
	int last = p->shape->dims - 1;

	for (int d = 0; d < p->shape->dims; ++d)
		extents[d] = p->used[array] ?
			extent(p->box[array][d], t->w[d]) : 0;
	if (p->shape->inner_multiple > 0 && p->used[array])
		extents[last] = common_columns(p, t->w[last]);
}

/* The greatest divisor of "width" that is at most "most".  Most widths are only a few times
 * larger: try the least cofactors first.
 */
static int64_t greatest_divisor(int64_t width, int64_t most)
{
	int64_t factor, n;

	if (width <= most)
		return width;
	for (factor = ceil_div(width, most); factor < most; ++factor)
		if (width % factor == 0)
			return width / factor;
	for (n = smaller(most, width / factor); width % n != 0; --n)
		continue;
	return n;
}

/* The threads of the warps that "points" fill, or of part of one. */
static int64_t whole_warps(int64_t points)
{
	enum { WARP = 32 };
	int64_t n = points < WARP ? points : points - points % WARP;

	return smaller(n, MODEL_COLUMN_THREADS);
}

int64_t hex_narrowest_row(const struct hex_shape *s, const struct hex_tile *t)
{
	return s->is_skewed ? t->w[0] : t->w[0] + 1;
}

void hex_column_threads(const struct hex_tile *t, int dims, int64_t narrowest,
	const int64_t forced[3], int64_t threads[3])
{
	int64_t left = MODEL_COLUMN_THREADS;

	for (int i = 0; i < 3; ++i) {
		threads[i] = dims == 1 && i == 0 ? whole_warps(narrowest) :
			i < dims - 1 ?
			greatest_divisor(t->w[dims - 1 - i], left) : 1;
		if (forced[i] > 0)
			threads[i] = forced[i];
		left = left / threads[i] > 1 ? left / threads[i] : 1;
	}
}

static double box_cells(const struct hex_profile *p, const struct hex_tile *t,
	int array, bool reuse)
{
	int dims = p->shape->dims;
	double extents[MODEL_MAX_DIMS];
	double cells = p->shape->array[array].buffers;

	hex_box(p, t, array, extents);
	if (reuse && dims > 1 && extents[dims - 1] > (double) t->w[dims - 1])
		extents[dims - 1] = (double) t->w[dims - 1];
	for (int d = 0; d < dims; ++d)
		cells *= extents[d];
	return cells;
}

double hex_shared_bytes(const struct hex_profile *p, const struct hex_tile *t)
{
	double bytes = 0;

	for (int a = 0; a < p->shape->n_arrays; ++a)
		if (p->used[a])
			bytes += box_cells(p, t, a, false) *
				p->shape->array[a].word_bytes;
	return bytes;
}

/* Values of "plane" that the tile loads: those of the reads' hull that it does
 * not compute and, with reuse, that the previous tile along the last dimension,
 * with the same hull "w" cells earlier, does not have.
 */
static double plane_loads(const struct hex_plane *plane, int dims,
	const struct hex_tile *t, bool reuse)
{
	double loads = 1, computed = plane->computed;

	for (int d = 0; d < dims; ++d) {
		int64_t from = plane->read[d].from;
		int64_t to = t->w[d] + plane->read[d].to;
		int64_t own_to = t->w[d] + plane->own[d].to;

		if (reuse && dims > 1 && d == dims - 1)
			from = larger(from, to - t->w[d] + 1);
		loads *= (double) larger(to - from + 1, 0);
		computed *= (double) larger(smaller(to, own_to) -
			larger(from, plane->own[d].from) + 1, 0);
	}
	return loads - computed;
}

/* Words, or bytes, that the tile loads, over all arrays. */
static double sum_loads(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads, bool bytes)
{
	const struct hex_shape *s = p->shape;
	bool reuse = loads == HEX_LOADS_EXACT_REUSE ||
		loads == HEX_LOADS_BOX_REUSE;
	bool box = loads == HEX_LOADS_BOX || loads == HEX_LOADS_BOX_REUSE;
	double sum = 0;

	for (int a = 0; box && a < s->n_arrays; ++a)
		if (p->loaded[a])
			sum += box_cells(p, t, a, reuse) *
				(bytes ? s->array[a].word_bytes : 1);
	for (int i = 0; !box && i < p->n_planes; ++i)
		sum += plane_loads(&p->plane[i], s->dims, t, reuse) * (bytes ?
			s->array[p->plane[i].array].word_bytes : 1);
	return sum;
}

double hex_load_words(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads)
{
	return sum_loads(p, t, loads, false);
}

double hex_load_bytes(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads)
{
	return sum_loads(p, t, loads, true);
}

/* Values of a row that leave the tile.  With reuse, the next tile along the
 * last dimension finds them in shared memory.
 */
static double kept_stores(const struct hex_kept *kept, int dims,
	const struct hex_tile *t, bool reuse, bool all)
{
	double points = 1, inside = kept->any && !all;

	for (int d = 0; d < dims; ++d) {
		double own = extent(kept->own[d], t->w[d]);

		points *= own;
		inside *= reuse && dims > 1 && d == dims - 1 ? own :
			extent(kept->dim[d], t->w[d]);
	}
	return points - inside;
}

/* "kept" lists the arrays one after the other, each with its writer's rows. */
static double sum_stores(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads, enum hex_stores stores, bool bytes)
{
	const struct hex_shape *s = p->shape;
	bool reuse = loads == HEX_LOADS_EXACT_REUSE ||
		loads == HEX_LOADS_BOX_REUSE;
	int rows = p->n_rows / s->statements;
	int next = 0;
	double sum = 0;

	for (int a = 0; a < s->n_arrays; ++a)
		for (int i = 0; s->array[a].writer >= 0 && i < rows; ++i)
			sum += kept_stores(&p->kept[next++], s->dims, t,
				reuse, stores == HEX_STORES_ALL) *
				(bytes ? s->array[a].word_bytes : 1);
	return sum;
}

double hex_store_words(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads, enum hex_stores stores)
{
	return sum_stores(p, t, loads, stores, false);
}

double hex_store_bytes(const struct hex_profile *p, const struct hex_tile *t,
	enum hex_loads loads, enum hex_stores stores)
{
	return sum_stores(p, t, loads, stores, true);
}
