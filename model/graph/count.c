/* What a variant computes, moves and stores, counted exactly on the origin tile
 * of the lowest level (2.6 of [MO]).
 */
#include <string.h>

#include "model/graph/tiles.h"

struct child {
	struct chain chain;
	uint64_t set;
	unsigned counted;	/* the kind of count .. */
	struct traffic_of_child traffic;
	struct child *next;
};

enum question {
	ALL_TILES,		/* values that "readers" read of "field" in all
				 * tiles of a group */
	ORIGIN_TILE,		/* the same in the tile at the origin */
	BESIDE_TILES,		/* the same in all tiles, without values
				 * computed there */
};

struct counted {
	struct chain chain;
	uint64_t readers;
	int field;
	enum question question;
	int64_t n;
	struct counted *next;
};

/* Counters --------------------------------------------------------------- */

struct counter *counter_new(struct region *mem, const struct graph *graph,
	const struct graph_machine *machine)
{
	struct counter *c = region_new_of(mem, struct counter);

	c->mem = mem;
	c->pile = pile_new(mem, graph->n_dims);
	c->graph = graph;
	c->machine = machine;
	c->reads = graph->reads ? graph->reads : graph_find_reads(mem, graph);
	c->readers = region_array(mem, uint64_t, graph->n_fields);
	c->after = region_array(mem, uint64_t, graph->n_stencils);
	for (int s = graph->n_stencils - 1; s >= 0; s--) {
		for (int i = 0; i < c->reads[s].n; i++)
			c->readers[c->reads[s].of[i].field] |=
				only_stencil(s);
		c->after[s] = only_stencil(s);
		for (int r = s + 1; r < graph->n_stencils; r++)
			if (graph_depends(graph, r, s))
				c->after[s] |= c->after[r];
	}
	if (machine->swept)
		c->swept = counter_new(mem, graph, machine->swept);
	return c;
}

struct counter *counter_for(struct counter *c, bool swept)
{
	return swept && c->swept ? c->swept : c;
}

int64_t counter_work(const struct counter *c)
{
	return pile_work(c->pile) + (c->swept ? counter_work(c->swept) : 0);
}

const struct graph *counter_graph(const struct counter *c)
{
	return c->graph;
}

const struct graph_machine *counter_machine(const struct counter *c)
{
	return c->machine;
}

/* Evaluations ------------------------------------------------------------ */

/* Do the tiles of the highest level partition the points of surrounding tiles,
 * for each stencil separately?  Then its counts do not depend on tiles of the
 * others.
 */
static bool shares_points(const struct counter *c, const struct chain *chain)
{
	int level = chain->n - 1;

	return chain->n > 1 && chain->n == c->machine->n_levels &&
		(halo_of_level(c, level) != HALO_OF || keeps_frames(c, level));
}

/* The tiles of the group, as far as "s" needs them, or those of the surrounding one if the
 * group partitions its points.
 */
static const struct family *family_with(struct counter *c,
	const struct chain *chain, int s)
{
	struct chain with_points = *chain;

	with_points.n -= shares_points(c, chain);
	return family_of(c, &with_points, only_stencil(s), false);
}

int64_t count_evaluations(struct counter *c, const struct chain *chain, int s)
{
	return layer_of(family_with(c, chain, s), s)->n_points;
}

/* Values ----------------------------------------------------------------- */

/* Put on the pile what the stencils "readers" read of "field"; "all" are their
 * points.
 */
static void add_all_reads(struct counter *c, const struct shape *const *all,
	uint64_t readers, int field)
{
	for (int r = 0; r < c->graph->n_stencils; r++)
		if (has_stencil(readers & c->readers[field], r))
			add_reads(c, r, all[r], field);
}

/* The points of all stencils of "f" in a frame, by stencil; NULL for others. */
static void find_all_points(const struct counter *c, const struct family *f,
	int frame, const struct shape **all)
{
	for (int s = 0; s < c->graph->n_stencils; s++)
		all[s] = NULL;
	for (const struct layer *l = f->top; l; l = l->below)
		all[l->stencil] = l->points[frame];
}

static uint64_t hash_of_counted(const struct counted *key)
{
	uint64_t hash = hash_of_chain(&key->chain);

	hash = hash_number(hash, (int64_t) key->readers);
	return hash_number(hash, 4 * key->field + (int) key->question);
}

static bool same_counted(const struct counted *a, const struct counted *b)
{
	return a->readers == b->readers && a->field == b->field &&
		a->question == b->question && same_chain(&a->chain,
		&b->chain);
}

/* A previous count, or an entry for it and "is_new". */
static struct counted *find_counted(struct counter *c,
	const struct counted *key, bool *is_new)
{
	struct counted **bucket = &c->counted[hash_of_counted(key) % BUCKETS];
	struct counted *found = *bucket;

	while (found && !same_counted(found, key))
		found = found->next;
	*is_new = !found;
	if (!found) {
		found = region_new_of(c->mem, struct counted);
		*found = *key;
		found->next = *bucket;
		*bucket = found;
	}
	return found;
}

static int64_t count_in_frames(struct counter *c, const struct family *f,
	uint64_t readers, int field)
{
	const struct shape *all[GRAPH_MAX_STENCILS];
	int64_t n = 0;

	for (int i = 0; i < f->n; i++) {
		find_all_points(c, f, i, all);
		add_all_reads(c, all, readers, field);
		n += f->frame[i].times * count_values_of(c, field);
	}
	return n;
}

/* How many values of "field" the stencils "readers" of the group read in its
 * tiles, or in the one at the origin.
 */
static int64_t count_values(struct counter *c, const struct chain *chain,
	uint64_t readers, int field, bool at_origin)
{
	struct counted key = { .chain = chain_needed(c, chain, readers),
		.readers = readers, .field = field,
		.question = at_origin ? ORIGIN_TILE : ALL_TILES }, *found;
	const struct family *f;
	bool is_new;

	if (!readers)
		return 0;
	while (key.chain.n > 1 && keeps_frames(c, key.chain.n - 1))
		key.chain.n--;
	f = family_of(c, &key.chain, readers, at_origin);
	if (readers == (c->readers[field] & f->of))
		return values_read(c, layer_that_reads(c, f->top, field),
			field)->n;
	found = find_counted(c, &key, &is_new);
	if (is_new)
		found->n = count_in_frames(c, f, readers, field);
	return found->n;
}

static bool is_within(const struct counter *c, int field, uint64_t set)
{
	int producer = c->graph->field[field].producer;

	return producer >= 0 && has_stencil(set, producer);
}

/* Loads and stores ------------------------------------------------------- */

/* The stored values of "s", a stencil of a child: those that the stencils
 * "later" of the group read, and what a tile has of it if it leaves the group.
 */
static int64_t count_united(struct counter *c, const struct chain *chain,
	int s, uint64_t later)
{
	const struct family *f = family_of(c, chain, only_stencil(s) | later,
		false);
	const struct layer *layer = layer_of(f, s);
	const struct shape *all[GRAPH_MAX_STENCILS];
	int64_t n = 0;

	for (int i = 0; i < f->n; i++) {
		find_all_points(c, f, i, all);
		add_all_reads(c, all, later, c->graph->stencil[s].out);
		pile_add_shape(c->pile, layer->own[i]);
		n += f->frame[i].times * pile_count(c->pile);
	}
	return n;
}

/* O_c of 2.6.4: with computation on the fly, what later children and the
 * outside need; otherwise what is computed.
 */
static int64_t count_stored(struct counter *c, const struct chain *chain,
	int s, uint64_t child)
{
	int l = chain->n - 1, out = c->graph->stencil[s].out;
	uint64_t later = c->readers[out] & chain->set[l] & ~child;

	if (!value_leaves(c, s, child))
		return 0;
	if (halo_of_level(c, l) != HALO_OF || !(c->readers[out] & child))
		return layer_of(family_of(c, chain, only_stencil(s), false),
			s)->n_points;
	if (!value_leaves(c, s, chain->set[l]))
		return count_values(c, chain, later, out, false);
	return count_united(c, chain, s, later);
}

static void find_moved(struct counter *c, struct child *child)
{
	for (int f = 0; f < c->graph->n_fields; f++)
		if (!is_within(c, f, child->set))
			child->traffic.loads += count_values(c, &child->chain,
				c->readers[f] & child->set, f, false);
	for (int s = 0; s < c->graph->n_stencils; s++)
		if (has_stencil(child->set, s))
			child->traffic.stores += count_stored(c,
				&child->chain, s, child->set);
}

/* Do the levels below a group find a child's points unchanged in its tiles?
 * Not where overlapping tiles lie in tiles that do not overlap.
 */
static bool is_extended(const struct counter *c, int level)
{
	if (halo_of_level(c, level) == HALO_OF)
		return false;
	for (int l = level + 1; l < c->machine->n_levels; l++)
		if (halo_of_level(c, l) == HALO_OF)
			return true;
	return false;
}

/* The same for points that the tiles below extend. */
static void find_moved_extended(struct counter *c, struct child *child)
{
	const struct family *f = family_of(c, &child->chain, child->set,
		false);
	const struct shape *all[GRAPH_MAX_STENCILS];

	for (int i = 0; i < f->n; i++) {
		int64_t loads = 0, stores = 0;

		find_all_points(c, f, i, all);
		extend_points(c, all, child->set);
		for (int k = 0; k < c->graph->n_fields; k++) {
			if (is_within(c, k, child->set))
				continue;
			add_all_reads(c, all, child->set, k);
			loads += count_values_of(c, k);
		}
		for (int s = 0; s < c->graph->n_stencils; s++)
			if (has_stencil(child->set, s) &&
			    value_leaves(c, s, child->set))
				stores += all[s]->points;
		child->traffic.loads += f->frame[i].times * loads;
		child->traffic.stores += f->frame[i].times * stores;
	}
}

/* The traffic of a stencil in tiles that partition points. */
static void find_shared(struct counter *c, struct child *child)
{
	int s = first_stencil(child->set);
	const struct family *f = bare_family_of(c, &child->chain, child->set,
		false);
	const struct family *parent = family_with(c, &child->chain, s);
	const struct layer *layer = layer_of(parent, s);

	for (int i = 0; i < parent->n; i++)
		child->traffic.loads += parent->frame[i].times *
			loads_of_points(c, f, s, layer->points[i]);
	if (value_leaves(c, s, child->set))
		child->traffic.stores = layer->n_points;
}

/* Lateral traffic -------------------------------------------------------- */

/* What the stencils "later" read that "s" does not compute in a tile, where
 * "all" are the points.
 */
static int64_t read_beside(struct counter *c, const struct shape **all, int s,
	uint64_t later)
{
	add_all_reads(c, all, later, c->graph->stencil[s].out);
	pile_add_shape(c->pile, all[s]);
	return pile_count(c->pile) - all[s]->points;
}

static int64_t beside_in_frames(struct counter *c, const struct chain *chain,
	int s, uint64_t later)
{
	const struct family *f = family_of(c, chain, only_stencil(s) | later,
		false);
	const struct shape *all[GRAPH_MAX_STENCILS];
	int64_t n = 0;

	for (int i = 0; i < f->n; i++) {
		find_all_points(c, f, i, all);
		n += f->frame[i].times * read_beside(c, all, s, later);
	}
	return n;
}

static int64_t beside_in_cells(struct counter *c, const struct cells *cells,
	int s, uint64_t later)
{
	const struct family *f = family_of(c, &cells->around,
		only_stencil(s) | later, false);

	return values_in_cells(c, cells, later, c->graph->stencil[s].out, s) -
		layer_of(f, s)->n_points;
}

/* The same over all tiles of a group. */
static int64_t count_beside(struct counter *c, const struct chain *chain,
	int s, uint64_t later)
{
	struct counted key = { .chain = chain_needed(c, chain,
		only_stencil(s)), .readers = later,
		.field = c->graph->stencil[s].out, .question = BESIDE_TILES };
	struct counted *found;
	struct cells cells;
	bool is_new;

	found = find_counted(c, &key, &is_new);
	if (is_new)
		found->n = find_cells(c, &key.chain, only_stencil(s) | later,
			&cells) ? beside_in_cells(c, &cells, s, later) :
			beside_in_frames(c, &key.chain, s, later);
	return found->n;
}

/* Does a level of "chain" beyond "at" extend the points it finds? */
static bool extends_beyond(const struct counter *c, const struct chain *chain,
	int at)
{
	for (int k = at + 1; k < chain->n; k++)
		if (halo_of_level(c, k) == HALO_OF &&
		    halo_of_level(c, k - 1) != HALO_OF)
			return true;
	return false;
}

/* The stencils of the group outside the child that read what "s" computes. */
static uint64_t later_readers(const struct counter *c,
	const struct child *child, int s)
{
	return c->readers[c->graph->stencil[s].out] & ~child->set &
		child->chain.set[child->chain.n - 1];
}

static int64_t lateral_extended(struct counter *c, const struct child *child,
	const struct chain *outer)
{
	const struct chain *p = &child->chain;
	const struct shape *all[GRAPH_MAX_STENCILS];
	const struct family *f = family_of(c, outer, outer->set[outer->n - 1],
		false);
	int64_t n = 0;

	for (int i = 0; i < f->n; i++) {
		find_all_points(c, f, i, all);
		for (int k = outer->n; k < p->n; k++)
			if (halo_of_level(c, k) == HALO_OF &&
			    halo_of_level(c, k - 1) != HALO_OF)
				extend_points(c, all, p->set[k]);
		for (int s = 0; s < c->graph->n_stencils; s++)
			if (has_stencil(child->set, s))
				n += f->frame[i].times * read_beside(c, all, s,
					later_readers(c, child, s));
	}
	return n;
}

/* The lateral traffic at level "at" of a child of a group that exchanges halos:
 * what later children read and the child lacks.
 */
static int64_t lateral_at(struct counter *c, const struct child *child,
	int at)
{
	struct chain outer = child->chain;
	int64_t n = 0;

	outer.n = at + 1;
	if (extends_beyond(c, &child->chain, at))
		return lateral_extended(c, child, &outer);
	for (int s = 0; s < c->graph->n_stencils; s++) {
		uint64_t later = later_readers(c, child, s);

		if (has_stencil(child->set, s) && later)
			n += count_beside(c, &outer, s, later);
	}
	return n;
}

/* Does level "at" count lateral traffic?  For whole tiles alone, it does where
 * tiles partition the points of surrounding ones: each value is read by as many
 * tiles as its readers lie in, minus those where there are fewer.
 */
static bool has_lateral(const struct counter *c, const struct chain *chain,
	int at)
{
	return !c->whole || (halo_of_level(c, at) != HALO_OF && at > 0 &&
		!extends_beyond(c, chain, at - 1));
}

/* What crosses sides is counted level by level: what appears at one level,
 * minus what appears at the surrounding ones.
 */
static void find_lateral(struct counter *c, struct child *child,
	unsigned wanted)
{
	if (halo_of_level(c, child->chain.n - 1) == HALO_OF)
		return;
	for (int at = 0; at < child->chain.n; at++)
		if ((wanted & TRAFFIC_LATERAL << at) &&
		    has_lateral(c, &child->chain, at))
			child->traffic.lateral[at] = lateral_at(c, child, at) -
				(at > 0 ? lateral_at(c, child, at - 1) : 0);
}

/* Traffic and storage ---------------------------------------------------- */

static void find_traffic(struct counter *c, struct child *child,
	unsigned wanted)
{
	wanted &= ~child->counted;
	child->counted |= wanted;
	if (wanted & TRAFFIC_MOVED) {
		if (shares_points(c, &child->chain))
			find_shared(c, child);
		else if (is_extended(c, child->chain.n - 1))
			find_moved_extended(c, child);
		else
			find_moved(c, child);
	}
	find_lateral(c, child, wanted);
}

struct traffic_of_child count_traffic(struct counter *c,
	const struct chain *asked, uint64_t set, unsigned wanted)
{
	struct chain chain = chain_needed(c, asked, set);
	uint64_t hash = hash_number(hash_of_chain(&chain), (int64_t) set);
	struct child *child = c->child[hash % BUCKETS];

	while (child && (child->set != set ||
			!same_chain(&child->chain, &chain)))
		child = child->next;
	if (!child) {
		child = region_new_of(c->mem, struct child);
		*child = (struct child) { .chain = chain, .set = set,
			.next = c->child[hash % BUCKETS] };
		c->child[hash % BUCKETS] = child;
	}
	if (wanted & ~child->counted)
		find_traffic(c, child, wanted);
	return child->traffic;
}

/* The dimension along which the tiles of "level" follow each other; -1 if they do not, or along
 * several.
 */
static int find_sequence(const struct counter *c, int level)
{
	int found = -1;

	for (int d = 0; d < c->graph->n_dims; d++) {
		if (tile_size(c, level, d) == 0)
			continue;
		if (found >= 0)
			return -1;
		found = d;
	}
	return halo_of_level(c, level) == HALO_HS ? found : -1;
}

/* What remains to be read of "field" at the origin tile, among tiles that
 * follow each other along dimension "d": from the first to the last value that
 * tile reads, or computes for others.
 */
static int64_t count_kept(struct counter *c, const struct chain *chain,
	int field, int d)
{
	uint64_t set = chain->set[chain->n - 1];
	uint64_t readers = c->readers[field] & set;
	int producer = c->graph->field[field].producer;
	const struct shape *all[GRAPH_MAX_STENCILS];
	const struct family *f;
	int64_t n = 0;

	if (!readers)
		return 0;
	if (is_within(c, field, set))
		readers |= only_stencil(producer);
	f = family_of(c, chain, readers, true);
	for (int i = 0; i < f->n; i++) {
		find_all_points(c, f, i, all);
		add_all_reads(c, all, readers, field);
		if (is_within(c, field, set))
			pile_add_shape(c->pile, all[producer]);
		pile_flatten(c->pile, c->graph->field[field].dims);
		n += f->frame[i].times * pile_count_lines(c->pile,
			pile_take(c->pile, c->mem), d);
	}
	return n;
}

int64_t count_storage(struct counter *c, const struct chain *chain)
{
	uint64_t set = chain->set[chain->n - 1];
	struct family *f = bare_family_of(c, chain, set, true);
	int d = find_sequence(c, chain->n - 1);

	if (f->has_storage)
		return f->storage;
	for (int k = 0; k < c->graph->n_fields; k++)
		f->storage += d >= 0 ? count_kept(c, chain, k, d) :
			count_values(c, chain, c->readers[k] & set, k, true);
	f->has_storage = true;
	return f->storage;
}
