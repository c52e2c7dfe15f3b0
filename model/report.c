/* The model's output for people, and the terms of predictions. */
#include "model/terms.h"

#include <math.h>
#include <string.h>

static int skewed_terms(const struct hex_result *r, struct term terms[])
{
	const struct time_terms *t = &r->terms;
	const struct term all[] = {
		{ "n_w", t->n_w, "wavefronts, a launch each" },
		{ "tiles", t->tiles, "on all wavefronts" },
		{ "w", t->w, "blocks of a wavefront, at most" },
		{ "pitch", t->pitch, "distance of tiles on a wavefront" },
		{ "tiles_per_prism", t->tiles_per_prism,
			"tiles a block executes in turn, (16), (23)" },
		{ "rounds", t->rounds,
			"turns of the SMs for a wavefront, of (6), mean" },
		{ "m_i_words", t->m_i_words, "words a tile loads" },
		{ "m_o_words", t->m_o_words, "words a tile stores" },
		{ "l_s_per_byte", t->l_s_per_byte, "L for an SM" },
		{ "m_prime_s", t->m_prime_s, "transfers of a tile, (14)" },
		{ "c_s", t->c_s, "computation of a tile" },
		{ "threads_c_s", t->threads_c_s,
			"the same, dealt to the threads" },
		{ "prism_s", t->prism_s, "k prisms on an SM, (16), (29)" },
		{ "m_tile_bytes", t->m_tile_bytes, "shared memory" },
		{ "citer_s", t->citer_s, "a point on each lane, Citer" },
		{ "launch_s", t->launch_total_s, "all launches" },
		{ "utilisation", t->utilisation, "of the SMs, by tiles" },
		{ "loads_per_point", r->candidate[0].loads_per_point,
			"words" },
	};

	memcpy(terms, all, sizeof(all));
	return sizeof(all) / sizeof(*all);
}

int hex_terms(const struct hex_result *r, struct term terms[])
{
	const struct time_terms *t = &r->terms;
	const struct term all[] = {
		{ "n_w", t->n_w, "launches, (3)" },
		{ "w", t->w, "blocks of a launch, (5)" },
		{ "w_tile", t->w_tile, "points of the widest row, (4)" },
		{ "pitch", t->pitch, "distance of tiles in a phase" },
		{ "tiles_per_prism", t->tiles_per_prism,
			"tiles a block executes in turn, (16), (23)" },
		{ "rounds", t->rounds, "turns of the SMs, of (6)" },
		{ "m_i_words", t->m_i_words, "words a tile loads, (18)" },
		{ "m_o_words", t->m_o_words, "words a tile stores" },
		{ "l_s_per_byte", t->l_s_per_byte, "L for an SM" },
		{ "m_prime_s", t->m_prime_s, "transfers of a tile, (14)" },
		{ "c_s", t->c_s, "computation of a tile, (15)" },
		{ "threads_c_s", t->threads_c_s,
			"the same, dealt to the threads" },
		{ "prism_s", t->prism_s, "k prisms on an SM, (16), (29)" },
		{ "m_tile_bytes", t->m_tile_bytes, "shared memory, (19)" },
		{ "citer_s", t->citer_s, "a point on each lane, Citer" },
		{ "launch_s", t->launch_total_s, "all launches" },
		{ "utilisation", t->utilisation, "of the SMs, by tiles" },
		{ "loads_per_point", r->candidate[0].loads_per_point,
			"words, [CGO] 3.7" },
	};

	if (t->tiles > 0)
		return skewed_terms(r, terms);
	memcpy(terms, all, sizeof(all));
	return sizeof(all) / sizeof(*all);
}

int traffic_terms_of(const struct traffic_terms *t,
	struct term terms[])
{
	const struct term all[] = {
		{"v_smx_bytes", t->v_smx_bytes, "registers to SM, (3)"},
		{"v_l2_bytes", t->v_l2_bytes, "SM to L2, (5)"},
		{"v_gm_bytes", t->v_gm_bytes, "L2 to memory, (9)"},
		{"smx_s", t->smx_s, "a sweep by SM storage"},
		{"l2_s", t->l2_s, "a sweep by L2"},
		{"gm_s", t->gm_s, "a sweep by device memory"},
		{"instructions", t->instructions, "of a thread, estimated"},
		{"issue_s", t->issue_s, "a sweep by their issue"},
		{"groups", t->launch.groups, "groups of blocks, (10)"},
		{"blocks", t->launch.blocks, "blocks of a sweep"},
		{"blocks_per_sm", t->launch.blocks_per_sm, "resident"},
		{"occupancy", t->launch.occupancy,
			"threads resident, of the most"},
		{"loads_thread", t->loads_thread, "words, (4)"},
		{"stores_thread", t->stores_thread, "words"},
		{"net_b", t->l2.net, "words a block reads, (6)"},
		{"miss_smx", t->l2.miss, "capacity misses, (8), (17)"},
		{"width_y", t->memory.width_y, "of a group, (13)"},
		{"height_z", t->memory.height_z, "of a group, (14)"},
		{"net_g", t->memory.net, "words a group reads, (12)"},
		{"miss_l2", t->memory.miss, "capacity misses, (15)"},
		{"sweep_s", t->sweep_s, "the longest of the three, (2)"},
		{"adjusted_s", t->adjusted_s, "with (18)"},
	};

	memcpy(terms, all, sizeof(all));
	return sizeof(all) / sizeof(*all);
}

const char *hex_strategy_of(const struct hex_query *q)
{
	return q->shape->is_skewed ? "skew" : "hex";
}

int thread_dims(int dims)
{
	return smaller(dims, 3);
}

/* Text --------------------------------------------------------------------*/

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

void term_print(struct text *t, const struct term *term)
{
	enum { MOST_DIGITS = 10000000 };	/* of what is counted */
	double value = term->value;

	text_printf(t, "  %-16s ", term->name);
	if (ends_with(term->name, "_s"))
		text_seconds(t, value);
	else if (value == floor(value) && value < MOST_DIGITS)
		text_printf(t, "%.0f", value);
	else
		text_printf(t, "%.4g", value);
	text_printf(t, "\t%s\n", term->meaning);
}

static void print_title(struct text *t, const char *strategy,
	const struct machine *m, const struct switches *s)
{
	text_printf(t, "strategy %s on %s (%s), model %s\n", strategy,
		m->name, m->title, s->preset);
}

/* The tile, and its time or the loads of a point. */
static void print_hex_line(struct text *t, const struct hex_candidate *c,
	int dims, bool by_loads)
{
	text_printf(t, "h=%lld", (long long) c->tile.h);
	for (int d = 0; d < dims; ++d)
		text_printf(t, ",w%d=%lld", d, (long long) c->tile.w[d]);
	text_puts(t, "  threads ");
	for (int i = 0; i < thread_dims(dims); ++i)
		text_printf(t, "%s%lld", i ? "," : "",
			(long long) c->threads[i]);
	text_printf(t, "  k=%lld  ", (long long) c->k);
	if (by_loads)
		text_printf(t, "%.4g loads a point", c->loads_per_point);
	else
		text_seconds(t, c->predicted_s);
	text_puts(t, c->loops ? "  rows as loops\n" : "\n");
}

/* How many tiles have loops, or are left out, because threads have no columns. */
static void say_columnless(struct text *t, const struct hex_query *q,
	const struct hex_result *r)
{
	static const char *const why[] = {
		[HEX_MANY_POINTS] = "a thread would have more than %.0f points",
		[HEX_OTHER_THREADS] = "the threads asked for do not have whole "
			"columns",
	};

	for (int i = 0; i < HEX_COLUMNLESS; ++i) {
		if (!(r->columnless[i] > 0))
			continue;
		if (q->takes_loops)
			text_printf(t, "of %.0f feasible tiles %.0f have rows "
				"as loops: ", r->feasible, r->columnless[i]);
		else
			text_printf(t, "%.0f tiles are left out: ",
				r->columnless[i]);
		text_printf(t, why[i], floor(q->column_points));
		text_puts(t, "\n");
	}
}

/* The boxes to which the loads refer. */
static void print_boxes(struct text *t, const struct hex_query *q)
{
	text_puts(t, "the fewest loads a point, not the least time\n");
	if (q->shape->inner_multiple > 0)
		text_printf(t, "the boxes are not those of [CGO]: rows are "
			"%d words or a multiple, for aligned loads;\n"
			"--model=loads,code=paper has the paper's boxes, and "
			"all tiles\n", q->shape->inner_multiple);
}

/* The names of estimates on which the prediction rests; a constant that follows from nothing
 * known of the machine is a guess.
 */
static void print_estimates(struct text *t, const struct machine *m,
	const enum machine_value used[], int n)
{
	for (int i = 0; i < n; ++i)
		if (machine_is_estimate(m, used[i]))
			text_printf(t, "%s: %s = %.6g\n",
				machine_is_fitted(used[i]) ? "a guess" : "estimated",
				machine_value_name(used[i]),
				machine_value_of(m, used[i]));
}

void hex_dim_print(struct text *t, const struct hex_dim *dim)
{
	text_printf(t, "hexagons in %s: ", dim->name);
	if (!dim->sizes) {
		text_printf(t, "no tile, %s", dim->why);
		return;
	}
	text_printf(t, "%s, ", dim->sizes);
	if (dim->loads_per_point > 0)
		text_printf(t, "%.4g loads a point", dim->loads_per_point);
	else
		text_seconds(t, dim->predicted_s);
	text_puts(t, dim->is_taken ? ", taken" : "");
}

void hex_dims_text(struct text *t, const struct hex_dim *dim, int n)
{
	for (int i = 0; i < n; ++i) {
		hex_dim_print(t, &dim[i]);
		text_puts(t, "\n");
	}
}

/* The prediction with, or without, copies ahead. */
static void print_other_async(struct text *t, bool ahead, double other_s)
{
	text_printf(t, "async=%s; with async=%s ", ahead ? "yes" : "no",
		ahead ? "no" : "yes");
	text_seconds(t, other_s);
	text_puts(t, "\n");
}

void hex_report_text(struct text *t, const struct hex_query *q,
	const struct hex_result *r)
{
	static const enum machine_value used[] = { MACHINE_sync_s,
		MACHINE_launch_s, MACHINE_bandwidth_bytes_per_s };
	struct term terms[MAX_TERMS];
	int n;

	print_title(t, hex_strategy_of(q), q->machine, q->switches);
	if (!r->found) {
		text_printf(t, "no tile: %s\n", r->why);
		return;
	}
	print_hex_line(t, &r->candidate[0], q->shape->dims, r->by_loads);
	if (r->by_loads)
		print_boxes(t, q);
	text_printf(t, "bound by %s; the tile is limited by %s, k by %s\n",
		r->terms.binding, r->constraint, r->terms.k_limit);
	if (r->other_s > 0)
		print_other_async(t, q->async, r->other_s);
	hex_dims_text(t, r->dim, r->n_dims);
	n = hex_terms(r, terms);
	for (int i = 0; i < n; ++i)
		term_print(t, &terms[i]);
	if (q->work.is_estimated)
		text_puts(t, "estimated: citer_s, from the instructions of "
			"a point\n");
	print_estimates(t, q->machine, used, 3);
	say_columnless(t, q, r);
	text_printf(t, "%.0f tiles are feasible, %.0f within 10%%; "
		"the best:\n", r->feasible, r->within_10_percent);
	for (int i = 0; i < r->n_candidates; ++i) {
		text_puts(t, "  ");
		print_hex_line(t, &r->candidate[i], q->shape->dims,
			r->by_loads);
	}
}

static void print_traffic_line(struct text *t,
	const struct traffic_candidate *c)
{
	text_printf(t, "bx=%lld,by=%lld,bz=%lld,chunk_z=%lld  ",
		(long long) c->config.block[0],
		(long long) c->config.block[1],
		(long long) c->config.block[2],
		(long long) c->config.chunk_z);
	text_seconds(t, c->predicted_s);
	text_puts(t, "\n");
}

/* The constants of misses that nobody fitted. */
static void print_guesses(struct text *t, const struct machine *m,
	const struct switches *s)
{
	const struct {
		double of_switch;
		enum machine_value of_machine;
	} constants[] = {
		{ s->delta, MACHINE_traffic_delta },
		{ s->epsilon, MACHINE_traffic_epsilon },
		{ s->eta, MACHINE_traffic_eta },
	};

	for (int i = 0; i < 3; ++i)
		if (constants[i].of_switch < 0)
			print_estimates(t, m, &constants[i].of_machine, 1);
}

void traffic_report_text(struct text *t, const char *strategy,
	const struct machine *m, const struct switches *s, int dims,
	const struct traffic_result *r)
{
	static const enum machine_value used[] = {
		MACHINE_l1_bandwidth_bytes_per_s,
		MACHINE_l2_bandwidth_bytes_per_s,
		MACHINE_bandwidth_bytes_per_s, MACHINE_launch_s };
	struct term terms[MAX_TERMS];
	int n;

	print_title(t, strategy, m, s);
	if (!r->found) {
		text_printf(t, "no block: %s\n", r->why);
		return;
	}
	print_traffic_line(t, &r->candidate[0]);
	text_printf(t, "bound by %s, in %d dimensions\n", r->terms.binding,
		dims);
	n = traffic_terms_of(&r->terms, terms);
	for (int i = 0; i < n; ++i)
		term_print(t, &terms[i]);
	print_estimates(t, m, used, 4);
	print_guesses(t, m, s);
	text_printf(t, "%.0f blocks are feasible, %.0f within 10%%; "
		"the best:\n", r->feasible, r->within_10_percent);
	for (int i = 0; i < r->n_candidates; ++i) {
		text_puts(t, "  ");
		print_traffic_line(t, &r->candidate[i]);
	}
}

/* Strips ------------------------------------------------------------------*/

/* The bounds of a launch, and how far the prediction is above them. */
static const char *const bound_key[STRIP_BOUNDS][2] = {
	{ "issue_s", "above_issue" }, { "arithmetic_s", "above_arithmetic" },
	{ "special_s", "above_special" }, { "shuffles_s", "above_shuffles" },
	{ "barriers_s", "above_barriers" }, { "l2_s", "above_l2" },
	{ "gm_s", "above_gm" }, { "launch_s", "above_launch" },
};

static const char *const bound_meaning[STRIP_BOUNDS] = {
	"a launch, were there nothing but its instructions to issue",
	".. but arithmetic", ".. but divisions, roots and the like",
	".. but shuffles and shared memory", ".. but barriers",
	"a launch by L2", "a launch by device memory",
	"added to each pass: a launch, or a barrier of the grid",
};

int strip_terms_of(const struct strip_terms *t, struct term terms[])
{
	const struct term all[] = {
		{ "registers", t->registers, "of a thread, estimated" },
		{ "k", t->k, "blocks resident on an SM" },
		{ "blocks", t->blocks, "of a launch" },
		{ "waves", t->waves, "turns of the SMs" },
		{ "warps_per_sm", t->warps_per_sm, "resident" },
		{ "efficiency", t->efficiency, "clocks in which they issue" },
		{ "overlap", t->overlap, "cells loaded for each stored" },
		{ "instructions", t->instructions,
			"of a lane in an iteration" },
		{ "per_update", t->instructions_per_update,
			"instructions of a cell and step, overlap aside" },
		{ "ends", t->edges.share, "iterations at an end of the grid, or of "
			"fewer steps, of all" },
		{ "guards", t->edges.guards, "instructions that such a one has more" },
		{ "sides", t->edges.side_share, "iterations at a side alone" },
		{ "side_guards", t->edges.side_guards, "instructions that such a one "
			"has more" },
		{ "arithmetic", t->arithmetic, "of an iteration" },
		{ "special", t->special, "divisions, roots and the like" },
		{ "moves", t->moves, "shuffles, words of shared memory" },
		{ "bytes_per_update", t->bytes_per_update,
			"loaded and stored, of a cell and step" },
		{ "v_l2_bytes", t->v_l2_bytes, "SM to L2, a launch" },
		{ "v_gm_bytes", t->v_gm_bytes, "L2 to memory, a launch" },
		{ "compute_s", t->compute_s, "a launch by the SMs, latencies "
			"and turns included" },
		{ "direct_s", t->direct_s, "all steps, each pass a launch" },
		{ "resident_s", t->resident_s, "all passes one launch; 0: "
			"blocks are not resident" },
	};
	int n = sizeof(all) / sizeof(*all);

	memcpy(terms, all, sizeof(all));
	for (int i = 0; i < STRIP_BOUNDS; i++)
		if (t->bound_s[i] > 0)
			terms[n++] = (struct term) { bound_key[i][0],
				t->bound_s[i], bound_meaning[i] };
	for (int i = 0; i < STRIP_BOUNDS; i++)
		if (t->bound_s[i] > 0)
			terms[n++] = (struct term) { bound_key[i][1],
				(t->pass_s + t->bound_s[BOUND_LAUNCH]) /
				t->bound_s[i], "the prediction over that "
				"bound" };
	return n;
}

const char *launches_name(const struct strip_terms *t)
{
	return t->launches == LAUNCHES_RESIDENT ? "resident" : "direct";
}

static void print_strip_line(struct text *t, const struct strip_candidate *c)
{
	text_printf(t, "%s  ", c->sizes);
	text_seconds(t, c->predicted_s);
	text_puts(t, "\n");
}

void strip_report_text(struct text *t, const struct machine *m,
	const struct switches *s, const struct strip_terms *terms_of,
	const struct strip_copies *copies,
	const struct strip_candidate *candidate, int n)
{
	static const enum machine_value used[] = {
		MACHINE_l2_bandwidth_bytes_per_s,
		MACHINE_bandwidth_bytes_per_s, MACHINE_launch_s,
		MACHINE_grid_sync_s };
	struct term terms[MAX_TERMS];
	int n_terms = strip_terms_of(terms_of, terms);

	print_title(t, "stream", m, s);
	print_strip_line(t, &candidate[0]);
	text_printf(t, "bound by %s, launches: %s\n", terms_of->binding,
		launches_name(terms_of));
	if (copies->other_s > 0)
		print_other_async(t, copies->ahead, copies->other_s);
	for (int i = 0; i < n_terms; ++i)
		term_print(t, &terms[i]);
	print_estimates(t, m, used, 4);
	text_puts(t, "the best:\n");
	for (int i = 0; i < n; ++i) {
		text_puts(t, "  ");
		print_strip_line(t, &candidate[i]);
	}
}
