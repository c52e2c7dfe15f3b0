/* What a variant computes, moves and stores, counted exactly on the origin tile
 * of the lowest level (2.6 of [MO]).
 *
 * The tiles of a group are a family of frames: a frame stands for "times"
 * tiles that are equal up to a translation.  Between the bounds of the points
 * that are to be tiled all whole tiles are equal, and others that turn out to
 * be are joined, so there are few frames, and the sums over tiles are exact.  A point set is a union of cuboids.
 *
 * The halo of a group is that of its level.  By computation on the fly a tile
 * holds of each stencil what the tile's part of the outputs needs:
 *
 *	Y_s = B_s + union over the stencils r of the group that read s of
 *		{ y + offset : y in Y_r }
 *
 * which composes T_gs with the inverse of D_g+; B_s is what a tile has of an
 * output of the group.  Tiles of halo exchanges are the cuboids themselves,
 * those of sequential ones shifted by sigma (MO-A2).
 *
 * Y_s does not depend on the stencils of the group before s.  If the value of
 * its first stencil does not leave it, a group has the tiles that it has without
 * that stencil, its "rest", and what the others compute and move is counted
 * there, once for all groups that end alike.
 */
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

struct frame {
	int64_t times;
	bool is_origin;		/* the tile 0 of each level */
	uint64_t hash;		/* of "own", wherever it lies */
	int64_t low[GRAPH_MAX_DIMS];	/* of its points */
	struct shape **own;	/* B_s, by stencil - first */
	struct shape **all;	/* Y_s */
};

struct family {
	struct chain chain;
	int64_t shift[GRAPH_MAX_STENCILS][GRAPH_MAX_DIMS];	/* sigma */
	bool is_bare;		/* without frames, which nobody asked for yet */
	int n, room;
	struct frame *frame;
	struct family *rest;	/* that of the group without its first stencil,
				 * if it has the same frames, or NULL */
	int64_t storage;	/* -1: not yet counted */
	struct family *next;	/* with the same hash */
};

struct child {
	struct chain chain;
	int first, last;
	unsigned counted;	/* what of .. */
	struct traffic_of_child traffic;
	struct child *next;
};

/* What a stencil loads that computes "points" in tiles of the highest level,
 * wherever these lie.
 */
struct loaded {
	int stencil;
	int64_t low[GRAPH_MAX_DIMS];	/* of its points .. */
	int64_t place[GRAPH_MAX_DIMS];	/* .. less that of their tile */
	uint64_t hash;
	const struct shape *points;
	int64_t loads;
	struct loaded *next;
};

/* Where a stencil reads a field, all its accesses together. */
struct reads {
	int field;
	const struct shape *offsets;
};

struct stencil_reads {
	int n;
	struct reads *of;
};

enum { BUCKETS = 4096 };

struct counter {
	struct region *mem;
	const struct graph *graph;
	const struct graph_machine *machine;
	struct stencil_reads *reads;	/* by stencil */
	int last_reader[GRAPH_MAX_STENCILS];	/* n: the caller */
	struct family *family[BUCKETS];
	struct child *child[BUCKETS];
	struct loaded *loaded[BUCKETS];
};

static const int64_t FAR = (int64_t) 1 << 40;

static struct stencil_reads reads_of(struct region *mem,
	const struct graph *graph, int s)
{
	struct stencil_reads reads = { .of = region_array(mem, struct reads,
		graph->stencil[s].n_in + 1) };

	for (int i = 0; i < graph->stencil[s].n_in; i++) {
		int field = graph->stencil[s].in[i].field, k = 0;
		struct pattern at;

		while (k < reads.n && reads.of[k].field != field)
			k++;
		if (k < reads.n)
			continue;
		at = pattern_of_reads(mem, graph, s, field);
		reads.of[reads.n++] = (struct reads) { field,
			shape_of_pattern(mem, graph->n_dims, &at) };
	}
	return reads;
}

struct counter *counter_new(struct region *mem, const struct graph *graph,
	const struct graph_machine *machine)
{
	struct counter *c = region_new_of(mem, struct counter);

	c->mem = mem;
	c->graph = graph;
	c->machine = machine;
	c->reads = region_array(mem, struct stencil_reads, graph->n_stencils);
	for (int s = 0; s < graph->n_stencils; s++) {
		c->reads[s] = reads_of(mem, graph, s);
		c->last_reader[s] = -1;
		for (int r = s + 1; r < graph->n_stencils; r++)
			if (graph_depends(graph, r, s))
				c->last_reader[s] = r;
		if (graph->field[graph->stencil[s].out].is_output)
			c->last_reader[s] = graph->n_stencils;
	}
	return c;
}

const struct graph *counter_graph(const struct counter *c)
{
	return c->graph;
}

const struct graph_machine *counter_machine(const struct counter *c)
{
	return c->machine;
}

/* Is the value of "s" needed beyond the group that ends with "last"? */
static bool leaves(const struct counter *c, int s, int last)
{
	return c->last_reader[s] > last;
}

static bool same_chain(const struct chain *a, const struct chain *b)
{
	for (int l = 0; l < a->n && a->n == b->n; l++)
		if (a->first[l] != b->first[l] || a->last[l] != b->last[l])
			return false;
	return a->n == b->n;
}

static unsigned hash_of(const struct chain *c, int first, int last)
{
	unsigned hash = (unsigned) (first * 67 + last);

	for (int l = 0; l < c->n; l++)
		hash = hash * 4099u + (unsigned) (c->first[l] * 67 +
			c->last[l]);
	return hash % BUCKETS;
}

/* Point sets of groups -------------------------------------------------- */

/* Add to "to" what the stencils first .. last of which "all" holds the points,
 * by stencil - base, read of what "s" computes.
 */
static void add_reads_of(const struct counter *c, struct shape *to,
	struct shape *const *all, int base, int first, int last, int field)
{
	for (int r = first; r <= last; r++)
		for (int i = 0; i < c->reads[r].n; i++)
			if (c->reads[r].of[i].field == field)
				shape_add_sum(c->mem, to, all[r - base],
					c->reads[r].of[i].offsets);
	shape_simplify(to);
}

/* Y of the stencils first .. last, given what is to be computed of those whose
 * values leave the group; both by stencil - base.
 */
static void extend(const struct counter *c, struct shape *const *own,
	struct shape **all, int base, int first, int last)
{
	for (int s = last; s >= first; s--) {
		struct shape *y = shape_new(c->mem, c->graph->n_dims);

		if (leaves(c, s, last))
			shape_add_all(c->mem, y, own[s - base]);
		add_reads_of(c, y, all, base, s + 1, last,
			c->graph->stencil[s].out);
		all[s - base] = y;
	}
}

static enum halo halo_of(const struct counter *c, int level)
{
	return c->machine->level[level].halo;
}

/* Do all levels below that of "chain" find the points of a child as they are
 * in the tiles of its group?  Not where tiles that overlap lie in tiles that
 * do not: the level that does it, or -1.
 */
static int level_that_extends(const struct counter *c, int level)
{
	if (halo_of(c, level) == HALO_OF)
		return -1;
	for (int l = level + 1; l < c->machine->n_levels; l++)
		if (halo_of(c, l) == HALO_OF)
			return l;
	return -1;
}

/* The points of first .. last, a child of a group of "level", as the tiles
 * below it have them, in place of those of the group.
 */
static void find_points(const struct counter *c, struct shape **all, int base,
	int level, int first, int last)
{
	if (level_that_extends(c, level) >= 0)
		extend(c, all, all, base, first, last);
}

/* Tiles ----------------------------------------------------------------- */

/* Tiles of one dimension that are equal: "times" from low, low + tile, .. */
struct run {
	int64_t low, end, times;
	bool has_origin;
};

static int compare_numbers(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int64_t floor_of(int64_t a, int64_t b)
{
	return a >= 0 ? a / b : -((b - 1 - a) / b);
}

static int64_t tile_size(const struct counter *c, int level, int d)
{
	return c->machine->level[level].tile[c->graph->n_dims - 1 - d];
}

/* The runs of tiles of "size" between the sorted "bound"s. */
static int runs_between(const int64_t *bound, int n, int64_t size,
	struct run *run)
{
	int n_runs = 0;

	for (int i = 0; i < n; i++) {
		int64_t q = floor_of(bound[i], size), whole, last;

		if (bound[i] != q * size && (i == 0 ||
		    floor_of(bound[i - 1], size) != q ||
		    bound[i - 1] == q * size))
			run[n_runs++] = (struct run) { q * size,
				(q + 1) * size, 1, q == 0 };
		if (i + 1 == n)
			break;
		whole = floor_of(bound[i] + size - 1, size);
		last = floor_of(bound[i + 1], size) - 1;
		if (last >= whole)
			run[n_runs++] = (struct run) { whole * size,
				(whole + 1) * size, last - whole + 1,
				whole <= 0 && 0 <= last };
	}
	return n_runs;
}

/* The runs of dimension "d" that tile the points "set" of first .. last. */
static int find_runs(const struct counter *c, const struct family *f,
	struct shape *const *set, int base, int first, int last, int d,
	struct run **runs)
{
	int level = f->chain.n - 1, n = 0, room = 0, kept = 0;
	int64_t *bound;

	for (int s = first; s <= last; s++)
		room += 2 * set[s - base]->n;
	bound = region_array(c->mem, int64_t, room + 1);
	*runs = region_array(c->mem, struct run, 2 * room + 1);
	if (tile_size(c, level, d) == 0) {
		(*runs)[0] = (struct run) { -FAR, FAR, 1, true };
		return 1;
	}
	for (int s = first; s <= last; s++)
		for (int i = 0; i < set[s - base]->n; i++) {
			const struct cuboid *part = &set[s - base]->cuboid[i];

			bound[n++] = part->low[d] - f->shift[s][d];
			bound[n++] = part->end[d] - f->shift[s][d];
		}
	qsort(bound, (size_t) n, sizeof(*bound), compare_numbers);
	for (int i = 0; i < n; i++)
		if (kept == 0 || bound[kept - 1] != bound[i])
			bound[kept++] = bound[i];
	return runs_between(bound, kept, tile_size(c, level, d), *runs);
}

/* sigma of the level: the outputs' is 0, and what a stencil of the group
 * reads ahead of a tile is computed that much later.
 */
static void add_shifts(const struct counter *c, struct family *f)
{
	int level = f->chain.n - 1;
	int first = f->chain.first[level], last = f->chain.last[level];
	int64_t own[GRAPH_MAX_STENCILS][GRAPH_MAX_DIMS] = { 0 };

	if (halo_of(c, level) != HALO_HS)
		return;
	for (int s = last; s >= first; s--) {
		bool any = leaves(c, s, last);

		for (int r = s + 1; r <= last; r++)
			for (int i = 0; i < c->graph->stencil[r].n_in; i++) {
				const struct graph_read *in =
					&c->graph->stencil[r].in[i];

				if (in->field != c->graph->stencil[s].out)
					continue;
				for (int d = 0; d < c->graph->n_dims; d++) {
					int64_t x = own[r][d] + in->offset[d];

					if (!any || x > own[s][d])
						own[s][d] = x;
				}
				any = true;
			}
	}
	for (int s = first; s <= last; s++)
		for (int d = 0; d < c->graph->n_dims; d++)
			f->shift[s][d] += own[s][d];
}

static void add_frame(const struct counter *c, struct family *f,
	const struct frame *new)
{
	struct frame *old = f->frame;

	if (f->n == f->room) {
		f->room = f->room ? 2 * f->room : 8;
		f->frame = region_array(c->mem, struct frame, f->room);
		if (old)
			memcpy(f->frame, old, sizeof(*old) * (size_t) f->n);
	}
	f->frame[f->n++] = *new;
}

/* What the stencils of the group compute, of which a tile has "own". */
static struct shape **computed(const struct counter *c,
	const struct family *f, struct shape **own)
{
	int level = f->chain.n - 1;
	int first = f->chain.first[level], last = f->chain.last[level];
	struct shape **all;

	if (halo_of(c, level) != HALO_OF)
		return own;
	all = region_array(c->mem, struct shape *, last - first + 1);
	extend(c, own, all, first, first, last);
	return all;
}

/* The least corner of the points of a tile, and what their shapes are beside
 * it, as a number.
 */
static void find_hash(const struct counter *c, struct frame *f, int n)
{
	int n_dims = c->graph->n_dims;

	for (int d = 0; d < n_dims; d++)
		f->low[d] = FAR;
	for (int s = 0; s < n; s++) {
		shape_sort(f->own[s]);
		for (int i = 0; i < f->own[s]->n; i++)
			for (int d = 0; d < n_dims; d++)
				if (f->own[s]->cuboid[i].low[d] < f->low[d])
					f->low[d] = f->own[s]->cuboid[i].low[d];
	}
	for (int s = 0; s < n; s++) {
		f->hash = f->hash * 31 + (uint64_t) f->own[s]->n;
		for (int i = 0; i < f->own[s]->n; i++)
			for (int d = 0; d < n_dims; d++) {
				const struct cuboid *x = &f->own[s]->cuboid[i];

				f->hash = f->hash * 0x100000001b3u + (uint64_t)
					(x->low[d] - f->low[d]);
				f->hash = f->hash * 0x100000001b3u + (uint64_t)
					(x->end[d] - f->low[d]);
			}
	}
}

/* Do the tiles of the levels beyond "level" find the points of "b" as they do
 * those of "a"?
 */
static bool lie_alike(const struct counter *c, int level,
	const struct frame *a, const struct frame *b)
{
	for (int l = level + 1; l < c->machine->n_levels; l++)
		for (int d = 0; d < c->graph->n_dims; d++)
			if (tile_size(c, l, d) != 0 &&
			    (a->low[d] - b->low[d]) % tile_size(c, l, d) != 0)
				return false;
	return true;
}

static bool same_points(const struct counter *c, const struct frame *a,
	const struct frame *b, int n)
{
	for (int s = 0; s < n; s++) {
		if (a->own[s]->n != b->own[s]->n)
			return false;
		for (int i = 0; i < a->own[s]->n; i++)
			for (int d = 0; d < c->graph->n_dims; d++) {
				const struct cuboid *x = &a->own[s]->cuboid[i];
				const struct cuboid *y = &b->own[s]->cuboid[i];

				if (x->low[d] - a->low[d] !=
				    y->low[d] - b->low[d] ||
				    x->end[d] - a->low[d] !=
				    y->end[d] - b->low[d])
					return false;
			}
	}
	return true;
}

/* The tile of the family that has the points of "own" but for a translation,
 * or NULL.
 */
static struct frame *find_alike(const struct counter *c,
	const struct family *f, const struct frame *own)
{
	int level = f->chain.n - 1;
	int n = f->chain.last[level] - f->chain.first[level] + 1;

	for (int i = 0; i < f->n && !own->is_origin; i++)
		if (f->frame[i].hash == own->hash && !f->frame[i].is_origin &&
		    lie_alike(c, level, &f->frame[i], own) &&
		    same_points(c, &f->frame[i], own, n))
			return &f->frame[i];
	return NULL;
}

/* The tile where the runs "at" meet, of which stencils have "own", and as many as
 * it stands for.
 */
static void add_tile(const struct counter *c, struct family *f,
	const struct frame *parent, struct shape **own,
	struct run *const *at)
{
	int level = f->chain.n - 1;
	int n = f->chain.last[level] - f->chain.first[level] + 1;
	struct frame tile = { .times = parent->times,
		.is_origin = parent->is_origin, .own = own }, *alike;

	for (int d = 0; d < c->graph->n_dims; d++) {
		tile.is_origin &= at[d]->has_origin;
		tile.times *= at[d]->times;
	}
	find_hash(c, &tile, n);
	alike = find_alike(c, f, &tile);
	if (alike) {
		alike->times += tile.times;
		return;
	}
	tile.all = computed(c, f, tile.own);
	add_frame(c, f, &tile);
}

/* Is all of a tile of the parent one tile, in which each stencil computes what
 * it does there?
 */
static bool keeps_frames(const struct counter *c, int level)
{
	for (int d = 0; d < c->graph->n_dims; d++)
		if (tile_size(c, level, d) != 0)
			return false;
	return halo_of(c, level) != HALO_OF ||
		halo_of(c, level - 1) == HALO_OF;
}

static bool any_points(struct shape *const *set, int n)
{
	for (int i = 0; i < n; i++)
		if (set[i]->n > 0)
			return true;
	return false;
}

/* "from" where "run" of dimension "d" has it; itself if that is all of it. */
static struct shape *clip_to_run(const struct counter *c, struct shape *from,
	const struct run *run, int64_t shift, int d)
{
	struct cuboid part;
	bool whole = true;

	for (int i = 0; i < from->n; i++)
		whole &= from->cuboid[i].low[d] >= run->low + shift &&
			from->cuboid[i].end[d] <= run->end + shift;
	if (whole)
		return from;
	for (int k = 0; k < c->graph->n_dims; k++) {
		part.low[k] = k == d ? run->low + shift : -FAR;
		part.end[k] = k == d ? run->end + shift : FAR;
	}
	return shape_clip(c->mem, from, &part);
}

/* Cut the points "set" into tiles, dimension "d" and those behind it: slabs of
 * few cuboids, then lines, then tiles.
 */
static void split_dims(const struct counter *c, struct family *f,
	const struct frame *parent, struct shape **set, int d, struct run **at)
{
	int level = f->chain.n - 1, first = f->chain.first[level];
	int last = f->chain.last[level], n;
	struct run *run;

	if (d == c->graph->n_dims) {
		add_tile(c, f, parent, set, at);
		return;
	}
	n = find_runs(c, f, set, first, first, last, d, &run);
	for (int i = 0; i < n; i++) {
		struct shape **part = region_array(c->mem, struct shape *,
			last - first + 1);

		for (int s = first; s <= last; s++)
			part[s - first] = clip_to_run(c, set[s - first],
				&run[i], f->shift[s][d], d);
		at[d] = &run[i];
		if (any_points(part, last - first + 1))
			split_dims(c, f, parent, part, d + 1, at);
	}
}

/* Cut the points that a tile of the parent has into tiles. */
static void split_frame(const struct counter *c, struct family *f,
	const struct frame *parent, int base)
{
	int level = f->chain.n - 1;
	int first = f->chain.first[level], last = f->chain.last[level];
	struct shape **set = region_array(c->mem, struct shape *,
		last - first + 1);
	struct shape *none = shape_new(c->mem, c->graph->n_dims);
	struct run *at[GRAPH_MAX_DIMS] = { 0 };

	for (int s = first; s <= last; s++)
		set[s - first] = halo_of(c, level) != HALO_OF ||
			leaves(c, s, last) ? parent->all[s - base] : none;
	if (keeps_frames(c, level)) {
		struct frame same = { .times = parent->times,
			.is_origin = parent->is_origin, .own = set,
			.all = parent->all + first - base };

		if (any_points(set, last - first + 1))
			add_frame(c, f, &same);
		return;
	}
	split_dims(c, f, parent, set, 0, at);
}

/* The origin tile of the root, all of it. */
static void add_root(const struct counter *c, struct family *f)
{
	int n = c->graph->n_stencils;
	struct shape **own = region_array(c->mem, struct shape *, n);

	for (int s = 0; s < n; s++) {
		struct cuboid tile;

		for (int d = 0; d < c->graph->n_dims; d++) {
			int64_t size = tile_size(c, 0, d);

			tile.low[d] = f->shift[s][d];
			tile.end[d] = tile.low[d] + (size ? size : 1);
		}
		own[s] = shape_new(c->mem, c->graph->n_dims);
		if (halo_of(c, 0) != HALO_OF || leaves(c, s, n - 1))
			shape_add(c->mem, own[s], &tile);
	}
	add_frame(c, f, &(struct frame) { .times = 1, .is_origin = true,
		.own = own, .all = computed(c, f, own) });
}

/* "chain" without the first stencil of its group, which is the first of groups
 * around it, too.
 */
static struct chain rest_of(const struct chain *chain)
{
	struct chain rest = *chain;

	for (int l = 1; l < chain->n; l++)
		rest.first[l] += chain->first[l] ==
			chain->first[chain->n - 1];
	return rest;
}

static struct family *family_of(struct counter *c, const struct chain *chain);

/* The rest of the group of "chain" in "parent", if it has the same tiles. */
static struct family *find_rest(struct counter *c, const struct chain *chain,
	const struct family *parent)
{
	int l = chain->n - 1, first = chain->first[l], last = chain->last[l];
	struct chain rest = rest_of(chain);

	if (first == last || halo_of(c, l) != HALO_OF ||
	    leaves(c, first, last) ||
	    (l > 1 && first == chain->first[l - 1] && !parent->rest))
		return NULL;
	return family_of(c, &rest);
}

/* A copy of the "n" shapes of "others" behind "first". */
static struct shape **put_before(struct region *mem, struct shape *first,
	struct shape *const *others, int n)
{
	struct shape **all = region_array(mem, struct shape *, n + 1);

	all[0] = first;
	memcpy(all + 1, others, sizeof(*all) * (size_t) n);
	return all;
}

/* The frames of f->rest, and what the first stencil computes in them. */
static void extend_rest(const struct counter *c, struct family *f)
{
	int level = f->chain.n - 1;
	int first = f->chain.first[level], last = f->chain.last[level];
	struct shape *none = shape_new(c->mem, c->graph->n_dims);

	for (int i = 0; i < f->rest->n; i++) {
		const struct frame *frame = &f->rest->frame[i];
		struct shape *y = shape_new(c->mem, c->graph->n_dims);

		add_reads_of(c, y, frame->all, first + 1, first + 1, last,
			c->graph->stencil[first].out);
		add_frame(c, f, &(struct frame) { .times = frame->times,
			.is_origin = frame->is_origin,
			.own = put_before(c->mem, none, frame->own,
				last - first),
			.all = put_before(c->mem, y, frame->all,
				last - first) });
	}
}

/* The tiles of the group, cut out of those around it. */
static void find_frames(struct counter *c, struct family *f)
{
	const struct family *parent;
	struct chain outer = f->chain;

	f->is_bare = false;
	if (--outer.n == 0) {
		add_root(c, f);
		return;
	}
	parent = family_of(c, &outer);
	f->rest = find_rest(c, &f->chain, parent);
	if (f->rest)
		extend_rest(c, f);
	for (int i = 0; i < parent->n && !f->rest; i++)
		split_frame(c, f, &parent->frame[i], outer.first[outer.n - 1]);
}

static struct family *bare_family_of(struct counter *c,
	const struct chain *chain)
{
	unsigned hash = hash_of(chain, 0, 0);
	struct chain outer = *chain;
	struct family *f;

	for (f = c->family[hash]; f; f = f->next)
		if (same_chain(&f->chain, chain))
			return f;
	f = region_new_of(c->mem, struct family);
	f->chain = *chain;
	f->storage = -1;
	f->is_bare = true;
	if (--outer.n > 0)
		memcpy(f->shift, bare_family_of(c, &outer)->shift,
			sizeof(f->shift));
	add_shifts(c, f);
	f->next = c->family[hash];
	c->family[hash] = f;
	return f;
}

static struct family *family_of(struct counter *c, const struct chain *chain)
{
	struct family *f = bare_family_of(c, chain);

	if (f->is_bare)
		find_frames(c, f);
	return f;
}

/* Counts ---------------------------------------------------------------- */

/* Do the tiles of the highest level share out the points of those around them,
 * of each stencil by itself?  Then its counts need no tiles of the others.
 */
static bool shares_points(const struct counter *c, const struct chain *chain)
{
	int level = chain->n - 1;

	return chain->n > 1 && chain->n == c->machine->n_levels &&
		(halo_of(c, level) != HALO_OF || keeps_frames(c, level));
}

static const struct family *parent_of(struct counter *c,
	const struct chain *chain)
{
	struct chain outer = *chain;

	outer.n--;
	return family_of(c, &outer);
}

/* The frames that hold what "s", of a group of "f", computes. */
static const struct family *family_with(const struct family *f, int s)
{
	while (f->rest && s > f->chain.first[f->chain.n - 1])
		f = f->rest;
	return f;
}

static struct shape *points_in_frame(const struct family *f, int frame, int s)
{
	return f->frame[frame].all[s - f->chain.first[f->chain.n - 1]];
}

static int64_t count_points(const struct family *f, int s)
{
	int64_t n = 0;

	f = family_with(f, s);
	for (int i = 0; i < f->n; i++)
		n += f->frame[i].times * shape_count(points_in_frame(f, i,
			s));
	return n;
}

int64_t count_evaluations(struct counter *c, const struct chain *chain, int s)
{
	if (shares_points(c, chain))
		return count_points(parent_of(c, chain), s);
	return count_points(family_of(c, chain), s);
}

/* A field of fewer dimensions has one value for all points of the others. */
static void flatten(const struct graph *graph, struct shape *s, int field)
{
	for (int d = 0; d < graph->n_dims; d++)
		if (!(graph->field[field].dims & 1u << d))
			for (int i = 0; i < s->n; i++) {
				s->cuboid[i].low[d] = 0;
				s->cuboid[i].end[d] = 1;
			}
}

static bool is_read(const struct counter *c, int field, int first, int last)
{
	for (int r = first; r <= last; r++)
		for (int i = 0; i < c->reads[r].n; i++)
			if (c->reads[r].of[i].field == field)
				return true;
	return false;
}

/* The values of "field" that first .. last read. */
static struct shape *values_read(const struct counter *c,
	struct shape *const *all, int base, int first, int last, int field)
{
	struct shape *s = shape_new(c->mem, c->graph->n_dims);

	add_reads_of(c, s, all, base, first, last, field);
	flatten(c->graph, s, field);
	return s;
}

static bool is_within(const struct graph *graph, int field, int first,
	int last)
{
	int producer = graph->field[field].producer;

	return first <= producer && producer <= last;
}

static int64_t count_loads(const struct counter *c, struct shape *const *all,
	int base, int first, int last)
{
	int64_t n = 0;

	for (int f = 0; f < c->graph->n_fields; f++)
		if (!is_within(c->graph, f, first, last) &&
		    is_read(c, f, first, last))
			n += shape_count(values_read(c, all, base, first,
				last, f));
	return n;
}

/* O_c of 2.6.4: by computation on the fly what later children and the outside
 * need, which of the last stencil is all, else what is computed.
 */
static int64_t count_stores(const struct counter *c,
	const struct frame *frame, struct shape *const *all,
	const struct chain *p, int first, int last)
{
	int l = p->n - 1, base = p->first[l];
	int64_t n = 0;

	for (int s = first; s <= last; s++) {
		struct shape *o;

		if (!leaves(c, s, last))
			continue;
		if (halo_of(c, l) != HALO_OF || s == last) {
			n += shape_count(all[s - base]);
			continue;
		}
		o = shape_new(c->mem, c->graph->n_dims);
		if (leaves(c, s, p->last[l]))
			shape_add_all(c->mem, o, frame->own[s - base]);
		add_reads_of(c, o, all, base, last + 1, p->last[l],
			c->graph->stencil[s].out);
		n += shape_count(o);
	}
	return n;
}

/* What later children of the group read of what first .. last have not. */
static int64_t count_lateral(const struct counter *c,
	struct shape *const *all, int base, const struct chain *p, int first,
	int last)
{
	int64_t n = 0;

	for (int s = first; s <= last; s++) {
		struct shape *both = shape_new(c->mem, c->graph->n_dims);

		if (!leaves(c, s, last))
			continue;
		add_reads_of(c, both, all, base, last + 1,
			p->last[p->n - 1], c->graph->stencil[s].out);
		for (int i = 0; i < all[s - base]->n; i++)
			shape_add(c->mem, both, &all[s - base]->cuboid[i]);
		n += shape_count(both) - shape_count(all[s - base]);
	}
	return n;
}

/* A copy of the points of a frame of the level "at" as the group of "p" and
 * its children have them.
 */
static struct shape **points_in(const struct counter *c,
	const struct frame *frame, const struct chain *p, int at, int first)
{
	int base = p->first[at], n = p->last[at] - base + 1, l = p->n - 1;
	struct shape **all = region_array(c->mem, struct shape *, n);

	memcpy(all, frame->all, sizeof(*all) * (size_t) n);
	for (int k = at + 1; k <= l; k++)
		if (halo_of(c, k) == HALO_OF && halo_of(c, k - 1) != HALO_OF)
			extend(c, all, all, base, p->first[k], p->last[k]);
	(void) first;
	return all;
}

/* The lateral traffic that is seen at the level "at" of a child of a group that
 * exchanges halos.
 */
static int64_t lateral_at(struct counter *c, const struct chain *p, int at,
	int first, int last)
{
	struct chain outer = *p;
	const struct family *f;
	int64_t n = 0;

	outer.n = at + 1;
	f = family_of(c, &outer);
	for (int i = 0; i < f->n; i++)
		n += f->frame[i].times * count_lateral(c, points_in(c,
			&f->frame[i], p, at, first), p->first[at], p, first,
			last);
	return n;
}

static void find_moved(struct counter *c, const struct family *f,
	struct child *child)
{
	const struct chain *p = &child->chain;
	struct traffic_of_child *t = &child->traffic;
	int base = p->first[p->n - 1], n = p->last[p->n - 1] - base + 1;
	struct shape **all = region_array(c->mem, struct shape *, n);

	for (int i = 0; i < f->n; i++) {
		const struct frame *frame = &f->frame[i];

		memcpy(all, frame->all, sizeof(*all) * (size_t) n);
		find_points(c, all, base, p->n - 1, child->first,
			child->last);
		t->loads += frame->times * count_loads(c, all, base,
			child->first, child->last);
		t->stores += frame->times * count_stores(c, frame, all, p,
			child->first, child->last);
	}
}

/* What crosses sides is counted level by level: of what is seen at one what is
 * not seen at those around it.
 */
static void find_lateral(struct counter *c, struct child *child)
{
	const struct chain *p = &child->chain;
	int64_t below = 0;

	for (int at = 0; at < p->n && halo_of(c, p->n - 1) != HALO_OF; at++) {
		int64_t seen = lateral_at(c, p, at, child->first,
			child->last);

		child->traffic.lateral[at] = seen - below;
		below = seen;
	}
}

/* Tiles that share points --------------------------------------------------- */

static void hash_number(uint64_t *hash, int64_t x)
{
	*hash = (*hash ^ (uint64_t) x) * 0x100000001b3u;
}

/* What is looked for: the points of "s", and where they lie in the tiles of "f". */
static struct loaded loaded_key(const struct counter *c,
	const struct family *f, int s, struct shape *points)
{
	struct loaded key = { .stencil = s, .points = points,
		.hash = (uint64_t) s };
	int level = f->chain.n - 1;

	shape_sort(points);
	for (int d = 0; d < c->graph->n_dims; d++) {
		int64_t size = tile_size(c, level, d);

		key.low[d] = points->n ? points->cuboid[0].low[d] : 0;
		key.place[d] = size ? key.low[d] - f->shift[s][d] -
			floor_of(key.low[d] - f->shift[s][d], size) * size : 0;
		hash_number(&key.hash, key.place[d]);
	}
	for (int i = 0; i < points->n; i++)
		for (int d = 0; d < c->graph->n_dims; d++) {
			hash_number(&key.hash, points->cuboid[i].low[d] -
				key.low[d]);
			hash_number(&key.hash, points->cuboid[i].end[d] -
				key.low[d]);
		}
	return key;
}

static bool same_loaded(const struct counter *c, const struct loaded *a,
	const struct loaded *b)
{
	if (a->hash != b->hash || a->stencil != b->stencil ||
	    a->points->n != b->points->n ||
	    memcmp(a->place, b->place, sizeof(a->place)) != 0)
		return false;
	for (int i = 0; i < a->points->n; i++)
		for (int d = 0; d < c->graph->n_dims; d++) {
			const struct cuboid *x = &a->points->cuboid[i];
			const struct cuboid *y = &b->points->cuboid[i];

			if (x->low[d] - a->low[d] != y->low[d] - b->low[d] ||
			    x->end[d] - a->low[d] != y->end[d] - b->low[d])
				return false;
		}
	return true;
}

/* What "s" loads in all tiles of "f" that have some of the "points". */
static int64_t loads_in_tiles(const struct counter *c, const struct family *f,
	int s, struct shape *points)
{
	struct run *run[GRAPH_MAX_DIMS], *at[GRAPH_MAX_DIMS] = { 0 };
	int n[GRAPH_MAX_DIMS], i[GRAPH_MAX_DIMS] = { 0 }, d;
	int64_t loads = 0;

	for (d = 0; d < c->graph->n_dims; d++) {
		n[d] = find_runs(c, f, &points, s, s, s, d, &run[d]);
		if (n[d] == 0)
			return 0;
	}
	do {
		int64_t times = 1;
		struct shape *own;
		struct cuboid tile;

		for (d = 0; d < c->graph->n_dims; d++) {
			at[d] = &run[d][i[d]];
			times *= at[d]->times;
			tile.low[d] = at[d]->low + f->shift[s][d];
			tile.end[d] = at[d]->end + f->shift[s][d];
		}
		own = shape_clip(c->mem, points, &tile);
		loads += times * count_loads(c, &own, s, s, s);
		for (d = 0; d < c->graph->n_dims && ++i[d] >= n[d]; d++)
			i[d] = 0;
	} while (d < c->graph->n_dims);
	return loads;
}

/* The same, found again wherever the points lie. */
static int64_t loads_of_points(struct counter *c, const struct family *f,
	int s, struct shape *points)
{
	struct loaded key = loaded_key(c, f, s, points), *found;
	struct loaded **bucket = &c->loaded[key.hash % BUCKETS];
	struct region *kept = c->mem;

	for (found = *bucket; found; found = found->next)
		if (same_loaded(c, found, &key))
			return found->loads;
	c->mem = region_new();
	key.loads = loads_in_tiles(c, f, s, points);
	region_free(c->mem);
	c->mem = kept;
	key.next = *bucket;
	*bucket = region_new_of(kept, struct loaded);
	**bucket = key;
	return key.loads;
}

/* The traffic of stencil "s" in tiles that share out points. */
static void find_shared(struct counter *c, const struct chain *chain, int s,
	struct traffic_of_child *t)
{
	const struct family *f = bare_family_of(c, chain);
	const struct family *parent = family_with(parent_of(c, chain), s);

	for (int i = 0; i < parent->n; i++)
		t->loads += parent->frame[i].times * loads_of_points(c, f, s,
			points_in_frame(parent, i, s));
	t->stores = leaves(c, s, s) ? count_points(parent, s) : 0;
}

/* What the origin tile of a group that shares out points keeps. */
static int64_t storage_of_shared(struct counter *c, const struct family *f)
{
	int l = f->chain.n - 1, first = f->chain.first[l];
	int last = f->chain.last[l];
	const struct family *parent = parent_of(c, &f->chain);
	int base = parent->chain.first[l - 1];
	struct shape **own = region_array(c->mem, struct shape *,
		last - first + 1);
	int64_t n = 0;

	for (int i = 0; i < parent->n; i++) {
		if (!parent->frame[i].is_origin)
			continue;
		for (int s = first; s <= last; s++) {
			struct cuboid tile;

			for (int d = 0; d < c->graph->n_dims; d++) {
				int64_t size = tile_size(c, l, d);

				tile.low[d] = size ? f->shift[s][d] : -FAR;
				tile.end[d] = size ? tile.low[d] + size : FAR;
			}
			own[s - first] = shape_clip(c->mem,
				parent->frame[i].all[s - base], &tile);
		}
		for (int k = 0; k < c->graph->n_fields; k++)
			if (is_read(c, k, first, last))
				n += shape_count(values_read(c, own, first,
					first, last, k));
	}
	return n;
}

/* The points that are only counted need not be kept; the families of the group
 * and of those around it must be.
 */
static void find_in_scratch(struct counter *c, struct child *child,
	unsigned wanted)
{
	bool shares = shares_points(c, &child->chain);
	const struct family *f = shares && !(wanted & TRAFFIC_LATERAL) ? NULL :
		family_of(c, &child->chain);
	struct region *kept = c->mem;

	wanted &= ~child->counted;
	child->counted |= wanted;
	if (shares && (wanted & TRAFFIC_MOVED)) {
		find_shared(c, &child->chain, child->first, &child->traffic);
		wanted &= ~(unsigned) TRAFFIC_MOVED;
	}
	c->mem = region_new();
	if (wanted & TRAFFIC_MOVED)
		find_moved(c, f, child);
	if (wanted & TRAFFIC_LATERAL)
		find_lateral(c, child);
	region_free(c->mem);
	c->mem = kept;
}

const struct traffic_of_child *count_traffic(struct counter *c,
	const struct chain *chain, int first, int last, unsigned wanted)
{
	unsigned hash = hash_of(chain, first, last);
	struct child *child;

	if (first > chain->first[chain->n - 1] && !shares_points(c, chain)) {
		const struct family *rest = family_of(c, chain)->rest;

		if (rest)
			return count_traffic(c, &rest->chain, first, last,
				wanted);
	}
	for (child = c->child[hash]; child; child = child->next)
		if (child->first == first && child->last == last &&
		    same_chain(&child->chain, chain))
			break;
	if (!child) {
		child = region_new_of(c->mem, struct child);
		child->chain = *chain;
		child->first = first;
		child->last = last;
		child->next = c->child[hash];
		c->child[hash] = child;
	}
	if (wanted & ~child->counted)
		find_in_scratch(c, child, wanted);
	return &child->traffic;
}

static int64_t find_storage(struct counter *c, const struct family *f)
{
	int l = f->chain.n - 1, first = f->chain.first[l];
	int last = f->chain.last[l];
	int64_t n = 0;

	for (int i = 0; i < f->n; i++)
		for (int k = 0; f->frame[i].is_origin &&
		     k < c->graph->n_fields; k++)
			if (is_read(c, k, first, last))
				n += shape_count(values_read(c,
					f->frame[i].all, first, first, last,
					k));
	return n;
}

int64_t count_storage(struct counter *c, const struct chain *chain)
{
	bool shares = shares_points(c, chain);
	struct family *f = shares ? bare_family_of(c, chain) :
		family_of(c, chain);
	struct region *kept = c->mem;

	if (f->storage >= 0)
		return f->storage;
	if (shares)
		parent_of(c, chain);
	c->mem = region_new();
	f->storage = shares ? storage_of_shared(c, f) : find_storage(c, f);
	region_free(c->mem);
	c->mem = kept;
	return f->storage;
}
