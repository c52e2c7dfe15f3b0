/* The time of ranks, by latency, overhead and bandwidth of their messages: Culler et al.,
 * "LogP" (PPoPP 1993), with the bandwidth of long messages of Alexandrov et al., "LogGP" (SPAA
 * 1995), and the time for gathering cells.
 */
#include "model/network.h"
#include "model/terms.h"

#include <math.h>
#include <string.h>

/* Cells first[d] <= x < end[d] of a field. */
struct box {
	int64_t first[NETWORK_FIELD_DIMS], end[NETWORK_FIELD_DIMS];
};

/* The grid ------------------------------------------------------------------*/

/* The first cell of the rank at "at" along dimension k. */
static int64_t cut_at(const struct network_grid *g,
	const struct network_shape *s, int k, int64_t at)
{
	return g->size[k] * at / s->count[k];
}

/* How many of a neighbour's cells halos on "side" hold, where "more" adds to the slope. */
static int64_t depth(const struct network_grid *g, const struct network_shape *s,
	int k, int side, int more)
{
	return larger(g->slope[k][side] * s->steps + more, 0);
}

static bool is_cut(const struct network_grid *g, const struct network_shape *s, int k)
{
	return s->count[k] > 1 || g->is_around[k];
}

/* Zones beside other ranks are as deep as halos. */
static int64_t edge_of_zone(const struct network_grid *g, const struct network_shape *s,
	int k)
{
	return depth(g, s, k, NETWORK_LOW, g->more[k][NETWORK_LOW]);
}

bool network_has_zones(const struct network_grid *g, const struct network_shape *s, int k)
{
	return s->overlaps > 0 && s->count[k] > 1 && (k == 0 || k > g->n_dims -
		s->overlaps);
}

/* Between zones are as many cells at least, and all is worth it; there are some. */
static bool has_room_for_zones(const struct network_grid *g, const struct network_shape *s)
{
	int zoned = 0;

	for (int k = 0; k < g->n_dims; ++k) {
		int64_t edge = edge_of_zone(g, s, k);
		bool is_late = k == 0 || k > g->n_dims - s->overlaps;

		if (is_late && is_cut(g, s, k) && (s->count[k] == 1 || edge < 1 ||
		    g->size[k] / s->count[k] < 4 * edge))
			return false;
		zoned += network_has_zones(g, s, k);
	}
	return zoned > 0;
}

bool network_has(const struct network_grid *g, const struct network_shape *s)
{
	if (s->overlaps && !has_room_for_zones(g, s))
		return false;
	for (int k = 0; k < g->n_dims; ++k)
		for (int side = 0; side < 2; ++side)
			if (g->size[k] / s->count[k] < (is_cut(g, s, k) ?
			    larger(depth(g, s, k, side, g->more[k][side]), 1) : 1))
				return false;
	return true;
}

/* A rank with as many neighbours as any. */
static void find_busiest(const struct network_grid *g,
	const struct network_shape *s, int64_t *at)
{
	for (int k = 0; k < g->n_dims; ++k) {
		int64_t most = 0, first = s->count[k] > 2 && !g->is_around[k];
		int64_t last = s->count[k] - first;

		at[k] = first;
		for (int64_t x = first; x < last; ++x) {
			int64_t n = cut_at(g, s, k, x + 1) - cut_at(g, s, k, x);

			if (n > most)
				at[k] = x;
			most = larger(most, n);
		}
	}
}

/* The cells of a field of "size" cells that the rank at "at" needs along k, where "more" adds
 * to the slope.
 */
static void reach(const struct network_grid *g, const struct network_shape *s,
	int k, int64_t at, const int *more, int64_t size, int64_t *first,
	int64_t *end)
{
	*first = cut_at(g, s, k, at) - depth(g, s, k, NETWORK_LOW,
		more[NETWORK_LOW]);
	*end = cut_at(g, s, k, at + 1) + depth(g, s, k, NETWORK_HIGH,
		more[NETWORK_HIGH]);
	if (g->is_around[k])
		return;
	*first = larger(*first, 0);
	*end = smaller(*end, size);
}

static void block_of(const struct network_grid *g, const struct network_shape *s,
	const int64_t *at, int64_t *extent)
{
	for (int k = 0; k < g->n_dims; ++k) {
		int64_t first, end;

		reach(g, s, k, at[k], g->more[k], g->size[k], &first, &end);
		extent[k] = end - first;
	}
}

void network_block(const struct network_grid *g, const struct network_shape *s,
	int64_t extent[NETWORK_DIMS])
{
	int64_t at[NETWORK_DIMS] = { 0 };

	find_busiest(g, s, at);
	block_of(g, s, at, extent);
	for (int k = 0; k < g->n_dims; ++k)
		if (network_has_zones(g, s, k))
			extent[k] = cut_at(g, s, k, at[k] + 1) - cut_at(g, s, k, at[k]);
}

/* Do messages along dimension c come before those along k? */
static bool come_before(const struct network_shape *s, int c, int k)
{
	return s->overlaps ? c > 0 && (k == 0 || c < k) : c < k;
}

void network_zone(const struct network_grid *g, const struct network_shape *s, int k,
	int64_t extent[NETWORK_DIMS])
{
	int64_t at[NETWORK_DIMS] = { 0 }, block[NETWORK_DIMS];

	find_busiest(g, s, at);
	block_of(g, s, at, block);
	network_block(g, s, extent);
	for (int c = 0; c < g->n_dims; ++c)
		if (come_before(s, c, k))
			extent[c] = block[c];
	extent[k] = 3 * edge_of_zone(g, s, k);
}

/* Messages ------------------------------------------------------------------*/

/* Is another rank on that side?  What goes around within a rank is no message. */
static bool has_neighbour(const struct network_grid *g,
	const struct network_shape *s, const int64_t *at, int k, int side)
{
	return s->count[k] > 1 && (g->is_around[k] || (side == NETWORK_LOW ?
		at[k] > 0 : at[k] + 1 < s->count[k]));
}

/* The cells for the halo on "side" along k: of the rank that receives them or, if "sends", of
 * the neighbour; cells beyond cuts along earlier dimensions are included.
 */
static struct box message_box(const struct network_grid *g,
	const struct network_shape *s, const struct network_field *f, int copy,
	const int64_t *at, int k, int side, bool sends)
{
	struct box b = { { 0 }, { 0 } };

	for (int d = 0; d < f->n_dims; ++d) {
		int c = f->cut[d];
		int64_t cells, edge;

		b.end[d] = f->size[d];
		if (c < 0)
			continue;
		b.first[d] = cut_at(g, s, c, at[c]);
		b.end[d] = at[c] + 1 == s->count[c] ? f->size[d] :
			smaller(cut_at(g, s, c, at[c] + 1), f->size[d]);
		if (come_before(s, c, k)) {
			int64_t own_end = b.end[d];

			reach(g, s, c, at[c], f->need[copy][c], f->size[d],
				&b.first[d], &b.end[d]);
			b.end[d] = larger(b.end[d], own_end);
		}
		if (c != k)
			continue;
		cells = depth(g, s, k, side, f->need[copy][k][side]);
		edge = cut_at(g, s, k, at[k] + ((side == NETWORK_LOW) == sends));
		b.first[d] = side == NETWORK_LOW ? edge - cells : edge;
		b.end[d] = b.first[d] + cells;
		if (!g->is_around[k]) {
			b.first[d] = larger(b.first[d], 0);
			b.end[d] = smaller(b.end[d], f->size[d]);
		}
	}
	return b;
}

/* Add the bytes of "b", and its rows: contiguous pieces of memory, with the last dimensions
 * whole where the block has no more of them.
 */
static void add_box(const struct network_field *f, const struct box *b,
	double *bytes, double *rows)
{
	double cells = 1;

	for (int d = 0; d < f->n_dims; ++d)
		cells *= (double) larger(b->end[d] - b->first[d], 0);
	*bytes += cells * f->cell_bytes;
	if (cells > 0)
		*rows += cells / (double) (b->end[f->n_dims - 1] -
			b->first[f->n_dims - 1]);
}

/* A message along k: what the rank sends to one neighbour and gets from the one on "side". */
static struct network_message message(const struct network_grid *g,
	const struct network_shape *s, const int64_t *at, int k, int side,
	bool sends, bool of_inputs)
{
	struct network_message m = { .is_there = has_neighbour(g, s, at, k,
		sends ? !side : side) };

	for (int i = 0; i < g->n_fields && m.is_there; ++i) {
		const struct network_field *f = &g->field[i];

		for (int copy = 0; f->is_input == of_inputs && copy < f->copies;
		     ++copy) {
			struct box b = message_box(g, s, f, copy, at, k, side,
				sends);

			add_box(f, &b, &m.bytes, &m.rows);
		}
	}
	return m;
}

struct network_traffic network_traffic_of(const struct network_grid *g,
	const struct network_shape *s, const int64_t *at, bool of_inputs)
{
	struct network_traffic t = { 0 };

	for (int k = 0; k < g->n_dims; ++k)
		for (int side = 0; side < 2; ++side) {
			struct network_message out = message(g, s, at, k, side,
				true, of_inputs);
			struct network_message in = message(g, s, at, k, side,
				false, of_inputs);

			t.sent[k][side] = out;
			t.got[k][side] = in;
			t.messages += out.is_there;
			t.bytes += out.bytes;
			t.received += in.bytes;
			t.rows += out.rows + in.rows;
		}
	return t;
}

/* Time ----------------------------------------------------------------------*/

static double product(const int64_t *x, int n)
{
	double all = 1;

	for (int i = 0; i < n; ++i)
		all *= (double) x[i];
	return all;
}

/* The time for all cores to gather the cells of a message, or to scatter them: at least what
 * memory takes, as the message stays in the caches.  A GPU has one number for all.
 */
static double copy_seconds(const struct machine *m, const struct network_message *x)
{
	double one = x->bytes / m->network_copy_bytes_per_s + x->rows *
		m->network_row_s;

	return machine_is_gpu(m) ? one : fmax(one / (double) m->sm_count,
		x->bytes / m->bandwidth_bytes_per_s);
}

static double transfer_seconds(const struct machine *m, double bytes)
{
	return bytes * (double) m->network_ranks_per_link /
		m->network_bandwidth_bytes_per_s;
}

/* The time along one dimension, where all neighbours do the same: gather and send, side after
 * side, then scatter what arrives, in this order.
 */
static double elapsed(const struct machine *m, const struct network_message *sent,
	const struct network_message *got)
{
	double now = 0, link = 0, arrival[2] = { 0, 0 };

	for (int side = 0; side < 2; ++side)
		now += got[side].is_there * m->network_overhead_s;
	for (int side = 0; side < 2; ++side) {
		now += copy_seconds(m, &sent[side]) + sent[side].is_there *
			m->network_overhead_s;
		link = fmax(link, now) + transfer_seconds(m, fmax(
			sent[side].bytes, got[side].bytes));
		arrival[side] = got[side].is_there * (link +
			m->network_latency_s);
	}
	for (int side = 0; side < 2; ++side)
		now = fmax(now, arrival[side]) + copy_seconds(m, &got[side]);
	return fmax(now, link);
}

/* The extent along dimension c, with "left" steps to go, of all zones along k of the rank at "at".  With
 * k < 0 it is that of the zone at no side, or of the block where there are no zones.
 */
static int64_t extent_in_zones(const struct network_grid *g, const struct network_shape *s,
	const int64_t *at, int64_t left, int c, int k)
{
	int64_t extent[NETWORK_DIMS], edge = edge_of_zone(g, s, c), deep, cells = 0;
	struct network_shape then = *s;

	then.steps = left;
	deep = edge_of_zone(g, &then, c);
	block_of(g, &then, at, extent);
	if (!network_has_zones(g, s, c) || (k >= 0 && come_before(s, c, k)))
		return extent[c];
	if (c != k)
		cells = cut_at(g, s, c, at[c] + 1) - cut_at(g, s, c, at[c]);
	for (int side = 0; side < 2; ++side)
		if (has_neighbour(g, s, at, c, side))
			cells += c == k ? edge + 2 * deep : deep - edge;
	return cells;
}

static double cells_in_zones(const struct network_grid *g, const struct network_shape *s,
	const int64_t *at, int64_t left, int k)
{
	double cells = k < 0 || network_has_zones(g, s, k);

	for (int c = 0; c < g->n_dims; ++c)
		cells *= (double) extent_in_zones(g, s, at, left, c, k);
	return cells;
}

/* The cells that a step works on, on average: all, where steps do not narrow them; else those
 * that are there for the remaining steps before a step, which reads them, and after it, which
 * computes them.
 */
static double cells_of_step(const struct network_grid *g, const struct network_shape *s,
	const int64_t *at, int k)
{
	double cells = 0, before = 0;

	if (!g->narrows)
		return cells_in_zones(g, s, at, s->steps, k);
	for (int64_t left = 0; left <= s->steps; ++left) {
		double all = cells_in_zones(g, s, at, left, k);

		cells += left ? (before + all) / 2 : 0;
		before = all;
	}
	return cells / (double) s->steps;
}

/* Add "times" exchanges of "h" to the terms. */
static void add_exchanges(struct network_terms *t,
	const struct network_traffic *h, double times)
{
	const struct machine *m = t->machine;

	for (int k = 0; k < NETWORK_DIMS; ++k) {
		double overhead = 0, latency = 0, transfer = 0, copies = 0;

		for (int side = 0; side < 2; ++side) {
			const struct network_message *out = &h->sent[k][side];
			const struct network_message *in = &h->got[k][side];

			overhead += (out->is_there + in->is_there) *
				m->network_overhead_s;
			latency += in->is_there * m->network_latency_s;
			transfer += transfer_seconds(m, fmax(out->bytes,
				in->bytes));
			copies += copy_seconds(m, out) + copy_seconds(m, in);
		}
		t->overhead_s += times * overhead;
		t->latency_s += times * latency;
		t->transfer_s += times * transfer;
		t->copy_s += times * copies;
		t->hidden_s += times * (overhead + latency + transfer + copies -
			elapsed(m, h->sent[k], h->got[k]));
	}
}

/* Blocks that overlap have the rank's own cells along dimensions with zones; zones beside these are
 * computed after them.
 */
static void add_zones(struct network_terms *t, const struct network_grid *g,
	const int64_t *at)
{
	const struct network_shape *s = &t->shape;
	double bytes = 0;

	for (int i = 0; i < g->n_fields; ++i)
		bytes += g->field[i].is_input ? 0 : g->field[i].copies *
			g->field[i].cell_bytes;
	for (int k = 0; k < g->n_dims; ++k) {
		double cells = cells_of_step(g, s, at, k);

		if (!network_has_zones(g, s, k))
			continue;
		t->zone_cells += cells;
		t->zones_s += (double) g->steps * cells * g->zone_cell_s[k];
		/* two thirds of a zone come from the block, a third goes back; read and written */
		t->copy_s += 2 * bytes * cells_in_zones(g, s, at, s->steps, k) *
			t->exchanges / t->machine->bandwidth_bytes_per_s;
	}
	t->step_cells += t->zone_cells;
}

static double begin_seconds(const struct machine *m, int messages)
{
	return machine_is_gpu(m) ? 0 : messages * m->network_overhead_s;
}

/* What messages along dimension k take beside gathering and scattering, up to "computes".  Cores that
 * compute do not begin messages meanwhile; the host of a GPU does.
 */
static double behind_along(const struct network_terms *t, int k, double computes)
{
	const struct network_message *sent = t->halo.sent[k], *got = t->halo.got[k];
	double messages = elapsed(t->machine, sent, got);

	for (int side = 0; side < 2; ++side)
		messages -= copy_seconds(t->machine, &sent[side]) + copy_seconds(
			t->machine, &got[side]) + begin_seconds(t->machine,
			sent[side].is_there + got[side].is_there);
	return t->exchanges * fmax(fmin(messages, computes), 0);
}

/* Messages of a turn travel while the zones of the turn before are computed, the first ones while the
 * block is.
 */
static double behind_seconds(const struct network_terms *t, const struct network_grid *g,
	const int64_t *at, double cell_s)
{
	double steps = (double) smaller(t->shape.steps, g->steps), behind = 0;
	double computes = cell_s * (t->step_cells - t->zone_cells) * steps;

	for (int turn = 1; turn <= g->n_dims; ++turn) {
		int k = turn % g->n_dims;

		if (!network_has_zones(g, &t->shape, k))
			continue;
		behind += behind_along(t, k, computes);
		computes = cells_of_step(g, &t->shape, at, k) * g->zone_cell_s[k] * steps;
	}
	return behind;
}

/* What a call copies: all own cells to the block, results back; read and written. */
static double call_bytes(const struct network_grid *g, double ranks)
{
	double bytes = 0;

	for (int i = 0; i < g->n_fields; ++i) {
		const struct network_field *f = &g->field[i];

		bytes += product(f->size, f->n_dims) * f->copies *
			f->cell_bytes * (f->is_input ? 2 : 4);
	}
	return bytes / ranks;
}

struct network_terms network_predict(const struct machine *m,
	const struct network_grid *g, const struct network_shape *s,
	double cell_s)
{
	struct network_terms t = { .machine = m, .shape = *s, .ranks = 1,
		.narrows = g->narrows };
	int64_t at[NETWORK_DIMS] = { 0 }, extent[NETWORK_DIMS];
	struct network_traffic inputs;

	t.own_cells = 1;
	find_busiest(g, s, at);
	block_of(g, s, at, extent);
	for (int k = 0; k < g->n_dims; ++k) {
		t.ranks *= (double) s->count[k];
		t.own_cells *= (double) (cut_at(g, s, k, at[k] + 1) -
			cut_at(g, s, k, at[k]));
	}
	t.block_cells = product(extent, g->n_dims);
	t.exchanges = ceil((double) g->steps / (double) s->steps);
	t.step_cells = cells_of_step(g, s, at, -1);
	t.compute_s = (double) g->steps * t.step_cells * cell_s;
	if (s->overlaps)
		add_zones(&t, g, at);
	t.compute_s += t.zones_s;
	t.redundancy = t.step_cells / t.own_cells;
	t.halo = network_traffic_of(g, s, at, false);
	inputs = network_traffic_of(g, s, at, true);
	if (s->overlaps)
		t.behind_s = behind_seconds(&t, g, at, cell_s);
	add_exchanges(&t, &t.halo, t.exchanges);
	if (inputs.bytes > 0)
		add_exchanges(&t, &inputs, 1);
	t.call_s = call_bytes(g, t.ranks) / m->bandwidth_bytes_per_s;
	t.predicted_s = t.compute_s + t.overhead_s + t.latency_s + t.transfer_s +
		t.copy_s - t.hidden_s - t.behind_s + t.call_s;
	return t;
}

void network_count(struct network_terms *t, const struct network_grid *g)
{
	const struct network_shape *s = &t->shape;
	int64_t at[NETWORK_DIMS] = { 0 };

	t->all_messages = t->all_bytes = 0;
	for (int64_t rank = 0; rank < (int64_t) t->ranks; ++rank) {
		struct network_traffic halo, inputs;
		int64_t rest = rank;

		for (int k = g->n_dims - 1; k >= 0; --k) {
			at[k] = rest % s->count[k];
			rest /= s->count[k];
		}
		halo = network_traffic_of(g, s, at, false);
		inputs = network_traffic_of(g, s, at, true);
		t->all_messages += t->exchanges * halo.messages;
		t->all_bytes += t->exchanges * halo.bytes;
		if (inputs.bytes > 0) {
			t->all_messages += inputs.messages;
			t->all_bytes += inputs.bytes;
		}
	}
}

/* Put "s" in its place among the "n" fastest so far, by time; no more than "most" stay: their number. */
static int insert_shape(struct network_shape *shape, double *seconds, int n, int most,
	const struct network_shape *s, double all_s)
{
	int at = n;

	while (at > 0 && seconds[at - 1] > all_s)
		at--;
	if (at == most)
		return n;
	n = n < most ? n + 1 : most;
	for (int i = n - 1; i > at; --i) {
		shape[i] = shape[i - 1];
		seconds[i] = seconds[i - 1];
	}
	shape[at] = *s;
	seconds[at] = all_s;
	return n;
}

int network_choose_shapes(const struct machine *m, const struct network_grid *g,
	int64_t ranks, double cell_s, const struct network_shape *like, int most,
	struct network_shape *shape)
{
	double seconds[NETWORK_SHAPES];
	int n = 0;

	for (int64_t a = ranks; a > 0; --a) {
		if (ranks % a)
			continue;
		for (int64_t b = ranks / a; b > 0; --b) {
			struct network_shape s = { { a, b, ranks / a / b },
				like->steps, like->overlaps };

			if (ranks / a % b || (g->n_dims < 2 && b > 1) ||
			    (g->n_dims < 3 && s.count[2] > 1) ||
			    !network_has(g, &s))
				continue;
			n = insert_shape(shape, seconds, n, most, &s,
				network_predict(m, g, &s, cell_s).predicted_s);
		}
	}
	return n;
}

/* Output -------------------------------------------------------------------- */

enum { NETWORK_TERMS = 22 };

static void terms_of(const struct network_terms *t,
	struct term terms[NETWORK_TERMS])
{
	const struct term all[NETWORK_TERMS] = {
		{ "own_cells", t->own_cells, "of a rank" },
		{ "block_cells", t->block_cells, "with its halos" },
		{ "step_cells", t->step_cells, "on which a step works, on average" },
		{ "zone_cells", t->zone_cells, "of these in zones beside other ranks" },
		{ "redundancy", t->redundancy, "of step_cells for each own one" },
		{ "exchanges", t->exchanges, "of halos" },
		{ "messages", t->halo.messages, "that a rank sends in one" },
		{ "bytes", t->halo.bytes, "that it sends in one" },
		{ "rows", t->halo.rows, "of cells in them, and in what it gets" },
		{ "compute_s", t->compute_s, "all steps, halos too" },
		{ "compute_own_s", t->compute_s / t->redundancy,
			"of these the own cells" },
		{ "zones_s", t->zones_s, "of compute_s the zones beside other ranks" },
		{ "overhead_s", t->overhead_s, "what ranks do for each message" },
		{ "latency_s", t->latency_s, "messages on their way" },
		{ "transfer_s", t->transfer_s, "their bytes over the link" },
		{ "copy_s", t->copy_s, "cells gathered and scattered" },
		{ "hidden_s", t->hidden_s, "of these four beside each other" },
		{ "behind_s", t->behind_s, "of these four while cells are computed" },
		{ "call_s", t->call_s, "own cells to the block and back, once" },
		{ "all_messages", t->all_messages, "of all ranks, all exchanges" },
		{ "all_bytes", t->all_bytes, "of all ranks, all exchanges" },
		{ "predicted_s", t->predicted_s, "all" },
	};

	memcpy(terms, all, sizeof(all));
}

static void print_shape(struct text *t, const struct network_terms *terms)
{
	const int64_t *n = terms->shape.count;

	text_printf(t, "%.0f ranks on %s, %lld x %lld x %lld, %lld steps from an "
		"exchange to the next%s: predicted ", terms->ranks,
		terms->machine->name, (long long) n[0], (long long) n[1],
		(long long) n[2], (long long) terms->shape.steps,
		terms->shape.overlaps > 1 ? ", computed while halos travel along "
		"several dimensions" : terms->shape.overlaps ?
		", computed while halos travel" : "");
	text_seconds(t, terms->predicted_s);
	text_puts(t, "\n");
}

void network_report_text(struct text *t, const struct network_terms *terms)
{
	static const enum machine_value used[] = { MACHINE_network_latency_s,
		MACHINE_network_overhead_s,
		MACHINE_network_bandwidth_bytes_per_s,
		MACHINE_network_copy_bytes_per_s, MACHINE_network_row_s };
	const struct machine *m = terms->machine;
	struct term term[NETWORK_TERMS];

	print_shape(t, terms);
	terms_of(terms, term);
	for (int i = 0; i < NETWORK_TERMS - 1; ++i)
		term_print(t, &term[i]);
	for (int i = 0; i < (int) (sizeof(used) / sizeof(*used)); ++i)
		if (machine_is_estimate(m, used[i]))
			text_printf(t, "estimated: %s = %.6g\n",
				machine_value_name(used[i]),
				machine_value_of(m, used[i]));
}

void network_report_json(struct json *j, const struct network_terms *terms)
{
	struct term term[NETWORK_TERMS];

	json_int(j, "ranks", (int64_t) terms->ranks);
	json_int(j, "steps", terms->shape.steps);
	json_bool(j, "overlaps", terms->shape.overlaps > 0);
	json_bool(j, "narrows", terms->narrows);
	json_open(j, "shape", '[');
	for (int k = 0; k < NETWORK_DIMS; ++k)
		json_int(j, NULL, terms->shape.count[k]);
	json_close(j, ']');
	terms_of(terms, term);
	for (int i = 0; i < NETWORK_TERMS; ++i)
		json_real(j, term[i].name, term[i].value);
}
