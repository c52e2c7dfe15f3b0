/* The time of register streaming: strips that overlap, a warp for each, several
 * steps a launch.  The terms are those of N.5D blocking (issue of instructions,
 * arithmetic, shuffles, device memory, L2, the number of blocks), plus the
 * limits with values in registers: latency and launches.
 */
#include "model/model.h"

#include <math.h>

enum { SCHEDULERS = 4, SHUFFLED_LANES = 32, MOST_REGISTERS = 244, L1_CLOCKS = 40,
	REGISTERS_OF_LARGE_FILES = 65536, MOST_REGISTERS_BEFORE = 63 };

/* Executed beside those that are counted in an iteration of three dimensions: addresses of rows, tests
 * which of them to store, the loop itself.  SASS of ten kernels has 24 with one row, 30 to 54 with
 * three and four.
 */
static double instructions_of_planes(const struct strip_shape *s)
{
	return 20 + 4 * s->y;
}

/* The same in two dimensions, of each state: some 12 for addresses and pointers, 4 for the loop and its
 * tests, and moves, of which strips of a warp each have more.  SASS of 16 kernels has 15 to 26 beyond what
 * is counted, of joined warps 6 to 21.  Where pointers are kept it is 11 fewer (fdtd2d).  In one
 * dimension there is no loop.
 */
static double instructions_of_rows(const struct strip_shape *s)
{
	enum { APART = 20, JOINED = 13, POINTERS = 11 };

	return s->walk.iterations <= 1 ? 0 :
		s->states * ((s->warps > s->strips ? JOINED : APART) -
			(s->kept.pointers ? POINTERS : 0));
}

static bool is_wide(const struct strip_shape *s)
{
	return s->work.mix.word_bytes == 8;
}

static bool has_specials(const struct strip_shape *s)
{
	return s->work.mix.special + mix_root_count(&s->work.mix) > 0;
}

/* Only roots and divisions, and all of them approximated? */
static bool has_fast_roots(const struct strip_shape *s)
{
	return s->work.mix.fast_roots && s->work.mix.special == 0;
}

/* Registers during roots and divisions in two dimensions.  IEEE forms, with their branches, are
 * computed one by one; fast ones for all cells of a lane at once, for which the registers of
 * loads of 16 bytes are otherwise enough.
 */
static double registers_of_roots(const struct strip_shape *s)
{
	const struct instruction_mix *mix = &s->work.mix;

	if (!has_specials(s))
		return 0;
	return has_fast_roots(s) ? 9 * fmax(0, s->v * mix->word_bytes / 4.0 -
		4) + (is_wide(s) ? 8 : 0) : 3 * mix->word_bytes;
}

/* Registers of rows beyond those that their words take: ptxas moves shuffles of strips apart and copies
 * up, the more of them the longer a turn is (jacobi2d: 8 kernels of 80 to 128 words, of which those
 * of 120 and 128 spill).
 */
static double registers_of_long_turns(const struct strip_shape *s)
{
	bool apart = s->warps == s->strips;

	return apart && s->kept.addresses ?
		fmax(0, 0.75 * s->kept.words - 74) : 0;
}

/* Points that do not run keep their values, and conditions of cells are kept, most where lanes take cells
 * from shared memory, and for doubles (redblack: 14 kernels of 48 to 104 words).
 */
static double registers_of_conditions(const struct strip_shape *s)
{
	bool many = s->warps > s->strips || is_wide(s);

	return s->kept.conditions ? many ? 32 : 10 : 0;
}

/* 32-bit registers that a thread of one or two dimensions needs to avoid spills by ptxas.  In
 * one dimension only the newest versions exist.  In two, joined warps keep cells beside a
 * lane's own for a shorter time.  Other states, roots and divisions add values under way, as do
 * boundaries that stand in for reads, and inputs beside these from 8 cells and steps of a lane
 * on.
 */
static double registers_of_rows(const struct strip_shape *s)
{
	bool joined = s->warps > s->strips;
	double words = s->kept.words + (joined ? -0.25 : 0.1) *
		s->kept.beside_words;
	double inputs = s->inputs;

	if (s->walk.iterations <= 1)
		return 24 + 0.4 * words + (s->has_boundaries ? 10 : 0) +
			13 * (s->states - 1) + 16 * inputs;
	return 66 + 1.34 * words + 20 * (s->states - 1) +
		registers_of_roots(s) + registers_of_long_turns(s) +
		(s->has_parts ? 27 : 0) +
		registers_of_conditions(s) +
		(s->has_boundaries ? 32 +
			sqrt(inputs) * (44 + 5 * fmax(0, s->b * s->v - 8)) :
			inputs * (20 + 2.5 * fmax(0, s->b * s->v - 32)));
}

/* The same in three dimensions, where values from other lanes and warps live as
 * long as they are used.
 */
static double registers_of_planes(const struct strip_shape *s)
{
	double factor = s->has_boundaries ? 1.5 : 1;
	double others = (s->has_boundaries ? 50 + 6 * fmax(0,
		s->b * s->v - 16) : 40) * s->inputs;
	bool has_steps = s->work.mix.word_bytes == 8 && has_specials(s);
	double steps = has_fast_roots(s) ? 8 : 40;

	return 82 + 1.5 * s->y + factor * (1.2 * s->kept.words +
		s->kept.passing_words) + 10 * (s->states - 1) + others +
		(s->has_parts ? 28 : 0) + (has_steps ? steps : 0);
}

/* With the addresses of copies to shared memory: jacobi2d and heat2d take 4 and 12 registers
 * more than without.  Fitted to 204 kernels of bench/registers, so that they suffice for as
 * many blocks as this puts on an SM.  Rows that share parts take 14 to 40 registers more than
 * their values, 27 on average over six kernels with --reassociate, planes -45 to 28.
 */
double strip_registers(const struct strip_shape *s)
{
	return (s->y > 0 ? registers_of_planes : registers_of_rows)(s) +
		(s->kept.addresses ? 16 * s->states : 0);
}

/* With how many registers a kernel of planes can do that takes "free" where nothing limits it:
 * ptxas orders its operations otherwise.  Of 190 kernels of 5 stencils in blocks of 8, 12 and 16
 * warps those with at most as many as the launch bounds leave spill 20 bytes or less.  Of several states
 * (fdtd3d) some stay.
 */
static double registers_needed(const struct strip_shape *s, double free)
{
	enum { STAY = 6 };
	static const double at[3][2] = { { 175, 124 }, { 219, 165 }, { 262, 244 } };
	int i;

	if (s->y == 0 || s->kept.registers > 0)
		return free;
	free += s->states > 1 ? STAY : 0;
	i = free < at[1][0] ? 0 : 1;
	if (free < at[0][0])
		return free * at[0][1] / at[0][0];
	return at[i][1] + (free - at[i][0]) * (at[i + 1][1] - at[i][1]) /
		(at[i + 1][0] - at[i][0]);
}

/* The limit: ptxas gives a thread 255, or 63 where an SM has fewer than 64 K,
 * and the warps of a scheduler must fit a quarter of an SM's; a little less, as
 * the number is an estimate.
 */
static double most_registers(const struct machine *m,
	const struct strip_shape *s)
{
	double most = m->registers_per_sm < REGISTERS_OF_LARGE_FILES ?
		MOST_REGISTERS_BEFORE : MOST_REGISTERS;
	double warps = SCHEDULERS * ceil((double) s->warps / SCHEDULERS);

	return fmin(most, 0.97 * (double) m->registers_per_sm /
		(s->warp * warps));
}

/* Blocks resident on an SM, or 0.  Each scheduler has a quarter of the
 * registers, for whole warps.
 */
static double resident_blocks(const struct machine *m,
	const struct strip_shape *s, double registers)
{
	double threads = s->warp * (double) s->warps;
	double taken = 8 * ceil(registers / 8) * s->warp;
	double warps = SCHEDULERS * floor((double) m->registers_per_sm /
		(SCHEDULERS * taken));
	double k = floor(warps / s->warps);

	k = fmin(k, floor((double) m->max_threads_per_sm / threads));
	k = fmin(k, (double) m->max_blocks_per_sm);
	if (s->shared_bytes > 0)
		k = fmin(k, floor((double) m->shared_bytes_per_sm /
			(s->shared_bytes + (double) m->shared_reserved_bytes)));
	return k;
}

/* Instructions of a lane in an iteration, by unit. */
static void count_instructions(const struct machine *m,
	const struct strip_shape *s, struct strip_terms *t)
{
	struct instruction_mix mix = mix_on_machine(m, &s->work.mix);
	double cells = s->v * fmax(s->y, 1), rows = fmax(s->y, 1);
	double steps = s->b;
	double shuffles = steps * (rows * s->work.shuffles + s->work.shuffles_beside);

	t->arithmetic = steps * cells * mix.arithmetic;
	t->special = steps * cells * (mix.special + (is_wide(s) ? 0 :
		mix.conversions));
	t->moves = shuffles + steps * s->work.shared_moves;
	t->instructions = t->arithmetic + t->special + shuffles +
		steps * cells * mix.other +
		steps * s->work.shared_accesses +
		steps * rows * s->work.input_loads * 2 +
		rows * (s->work.loads + s->work.stores) + 6;
	t->instructions += s->y > 0 ? instructions_of_planes(s) :
		instructions_of_rows(s);
	t->instructions_per_update = t->instructions / (s->b * cells);
}

static void find_edges(const struct strip_shape *s, struct strip_terms *t)
{
	t->edges.share = strip_guarded_share(s);
	t->edges.guards = strip_guards(s);
	t->edges.side_share = strip_side_share(s);
	t->edges.side_guards = strip_side_guards(s);
}

/* Extra instructions of iterations at an edge, averaged over all iterations. */
static double care_of(const struct strip_terms *t)
{
	return t->edges.share * t->edges.guards + t->edges.side_share *
		t->edges.side_guards;
}

/* Clocks of an SM's units for an iteration of a warp with so many extra
 * instructions at edges.
 */
static void find_clocks(const struct machine *m, const struct strip_shape *s,
	const struct strip_terms *t, double guards,
	double clocks[STRIP_BOUNDS])
{
	double wide = is_wide(s) ? t->arithmetic : s->b * s->v *
		fmax(s->y, 1) * s->work.mix.wide;

	clocks[BOUND_ISSUE] = (t->instructions + guards) * s->warp /
		(double) m->lanes_per_sm;
	clocks[BOUND_ARITHMETIC] = (t->arithmetic - wide) * s->warp /
		(double) m->lanes_per_sm + wide * s->warp /
		(double) m->lanes64_per_sm;
	clocks[BOUND_SPECIAL] = t->special * s->warp /
		(double) m->special_lanes_per_sm;
	clocks[BOUND_SHUFFLES] = t->moves * s->warp / SHUFFLED_LANES;
}

/* "issue", .. */
static const char *strip_bound_name(enum strip_bound bound)
{
	static const char *const name[STRIP_BOUNDS] = {
		"issue", "arithmetic", "special", "shuffles", "barriers", "l2",
		"gm", "launch",
	};

	return name[bound];
}

/* Independent operations on doubles that compilers put one after the other.  Roots and divisions are
 * computed nearly one by one (gradient2d, gradient3d: 4 kernels on an H200 took 1.2 to 1.4 times what two
 * at once would), those of planes most of all.  In planes it matters how many cells a lane has: three in a
 * row of lanes wait longer than four or more (heat3d, box3d1r: 10 kernels).
 */
static double wide_at_once(const struct strip_shape *s)
{
	if (has_specials(s))
		return s->y > 0 ? 1.4 : 1.6;
	if (s->y == 0)
		return 2.6;
	return s->v * s->y > 3 ? 2.1 : 1.8;
}

/* Clocks between instructions of a warp, for each clock that one takes: one, or four for a SIMD
 * of 16 lanes with warps of 64 (AMD, CDNA 2 ISA).  Results arrive after 4.5 clocks, doubles
 * after 8, those among floats with a conversion after 12.5.  Compilers put at most two independent
 * instructions between, however many there are, or a little more; of doubles in rows 2.6
 * (jacobi2d with four cells a lane, 11 kernels on an H200), of doubles among floats one (upwind).
 * They put none in roots and divisions in IEEE form, which are computed one by one, with branches.
 */
static double clocks_between(const struct strip_shape *s)
{
	bool mixed = !is_wide(s) && s->work.mix.wide > 0;
	bool in_a_row = has_specials(s) && !has_fast_roots(s);
	double cells = s->v * fmax(s->y, 1);
	double most = is_wide(s) ? wide_at_once(s) : mixed ? 1 :
		in_a_row ? 0.85 : s->y > 0 ? 2.3 : 2.2;
	double chains = fmin(cells, most);
	double clocks = (mixed ? 8 + 4.5 : is_wide(s) ? 8 : 4.5) / chains;

	return s->warp > 32 ? fmax(1, clocks / 4) : clocks;
}

/* The part of an SM's clocks that "warps" can use. */
static double efficiency(const struct strip_shape *s, double warps)
{
	return fmin(1, warps / (SCHEDULERS * clocks_between(s)));
}

/* Clocks that a warp takes alone for an iteration. */
static double own_clocks(const struct strip_shape *s,
	const struct strip_terms *t)
{
	return t->instructions * clocks_between(s);
}

/* The time of two things that few warps do at once: the longer one, plus up to
 * a fifth where they are equal.
 */
static double overlapped(double a, double b)
{
	return sqrt(hypot(a * a, b * b));
}

/* Clocks of an iteration below which a row loaded p iterations earlier has not arrived, whatever
 * other warps do meanwhile; without rows ahead it is loaded when all else is done.  The first step
 * loads inputs when it uses them, and each further one from L1.
 */
static double wait_clocks(const struct machine *m,
	const struct strip_shape *s, const struct strip_terms *t)
{
	double latency = m->memory_latency_s * m->clock_hz;
	double inputs = s->has_input_rows ? latency + s->b * (double)
		L1_CLOCKS : 0;

	if (s->walk.iterations <= 1)
		return 0;
	return overlapped(inputs, s->p > 0 ? latency / s->p : latency +
		own_clocks(s, t));
}

/* Roots and divisions in IEEE form branch around code for rare values, and lie in as many lines of the
 * cache more.  gradient3d executes 463 and 665 instructions of a plane, three planes a turn, from 28032
 * and 39808 bytes.
 */
static double instructions_around(const struct strip_shape *s,
	const struct strip_terms *t)
{
	enum { OF_EACH = 5 };

	return s->y > 0 && has_specials(s) && !has_fast_roots(s) ?
		OF_EACH * t->special : 0;
}

/* Beyond what a large loop waits for instructions: warps of rows wait for each other nowhere, or once
 * a row.  So they are at different places of a loop, and share less of the cache: from 18 KB on such
 * loops take 1.27 times as long, as 11 kernels of box2d2r and box2d3r did.
 */
static double fetch_factor(const struct strip_shape *s,
	const struct strip_terms *t)
{
	enum { APART = 1156, RAMP = 125 };	/* instructions */
	double turn = (t->instructions + instructions_around(s, t)) *
		s->walk.turn;
	double apart = (turn - APART) / RAMP;
	bool rows = s->y == 0 && s->walk.iterations > 1;

	return fmax(fetch_slowdown(turn), rows ?
		1 + 0.27 * fmin(fmax(apart, 0), 1) : 1);
}

/* Cells loaded for each stored one. */
static double overlap(const struct strip_shape *s)
{
	double all = 1;

	for (int i = 0; i < 3; i++) {
		double stored = i ? s->stored[i] : strip_average(s);

		if (stored > 0)
			all *= (stored + s->halo[i]) / stored;
	}
	return all;
}

/* The unit with the most clocks[]. */
static enum strip_bound busiest_of(const double clocks[STRIP_BOUNDS])
{
	enum strip_bound busiest = BOUND_ISSUE;

	for (int i = BOUND_ISSUE; i <= BOUND_SHUFFLES; i++)
		if (clocks[i] > clocks[busiest])
			busiest = i;
	return busiest;
}

/* Clocks that issue and the memory pipe take together, which moves what shuffles and shared memory do.
 * Warps come to these in bursts, at a row's begin and end, and a scheduler queues few of them: the two
 * overlap the less the nearer their times are, 1.1 times one where they are equal.  Fitted to 52
 * kernels on an H200.
 */
static double issued_and_moved(const struct strip_terms *t,
	const double clocks[STRIP_BOUNDS])
{
	enum { BURSTS = 7 };

	return pow(pow(clocks[BOUND_ISSUE] / t->efficiency, BURSTS) +
		pow(clocks[BOUND_SHUFFLES], BURSTS), 1.0 / BURSTS);
}

/* Clocks that an SM takes for an iteration of each of its warps: those of its
 * busiest unit, or of what its warps issue between latencies.
 */
static double iteration_clocks(const struct machine *m,
	const struct strip_shape *s, const struct strip_terms *t,
	const double clocks[STRIP_BOUNDS])
{
	double least = fetch_factor(s, t) * fmax(clocks[busiest_of(clocks)],
		issued_and_moved(t, clocks));

	return overlapped(least * t->warps_per_sm, wait_clocks(m, s, t));
}

/* A barrier of a block; in a cluster rows also go to other SMs before it, which nothing hides: half a
 * microsecond in ten kernels on an H200 (doc/attempts.md, "Clusters of blocks").
 */
#define TO_OTHER_SM_S 0.5e-6

static double barrier_s(const struct machine *m, const struct strip_shape *s)
{
	return machine_sync_s(m, s->warp * (double) s->warps) +
		(s->work.cluster > 1 ? TO_OTHER_SM_S : 0);
}

/* The SMs' time for a launch, with barriers.  Warps that wait for latencies also do so in
 * instructions at edges.
 */
static void find_compute(const struct machine *m, const struct strip_shape *s,
	struct strip_terms *t)
{
	double clocks[STRIP_BOUNDS] = { 0 }, all;
	double barrier = s->work.shared_moves > 0 ? m->clock_hz *
		barrier_s(m, s) : 0;
	double ends = s->edges.has_sides ? t->edges.share * t->edges.guards : 0;
	double turns = strip_turns(m, s, t);

	find_clocks(m, s, t, 0, clocks);
	all = iteration_clocks(m, s, t, clocks);
	t->bound_s[BOUND_BARRIERS] = (s->walk.longer > 0 ? turns : t->waves) *
		s->walk.iterations * barrier / m->clock_hz;
	t->compute_s = t->bound_s[BOUND_BARRIERS] + turns *
		(s->walk.longer > 0 ? s->walk.iterations :
			strip_iterations(s)) * all * (1 + ends / t->instructions) /
		m->clock_hz;
	find_clocks(m, s, t, care_of(t), clocks);
	for (int i = BOUND_ISSUE; i <= BOUND_SHUFFLES; i++)
		t->bound_s[i] = clocks[i] * t->blocks * s->warps *
			strip_iterations(s) / ((double) m->sm_count *
			m->clock_hz);
	t->binding = strip_bound_name(barrier > all ? BOUND_BARRIERS :
		busiest_of(clocks));
}

/* The time of L2 and device memory. */
static void find_transfers(const struct machine *m,
	const struct strip_shape *s, struct strip_terms *t, double cells)
{
	double loaded = t->overlap * s->traffic.load_sectors;
	double loads = s->traffic.load_bytes * (s->walk.iterations +
		s->traffic.beyond) / s->walk.iterations;
	double stores = s->traffic.store_bytes;
	double inputs = s->traffic.input_bytes;

	t->v_l2_bytes = cells * ((loads + inputs) * loaded +
		stores * s->traffic.store_sectors);
	t->v_gm_bytes = cells * (loads * (1 + (t->overlap - 1) / 2) +
		stores + inputs);
	t->bound_s[BOUND_L2] = t->v_l2_bytes / m->l2_bandwidth_bytes_per_s;
	t->bound_s[BOUND_GM] = t->v_gm_bytes / m->bandwidth_bytes_per_s;
	t->bytes_per_update = (loads * loaded + stores *
		s->traffic.store_sectors) / s->b + s->traffic.input_row_bytes *
		loaded;
}

/* The time of all passes, with a launch each or with one for all. */
static void choose_launches(const struct machine *m,
	const struct strip_shape *s, struct strip_terms *t)
{
	double passes = ceil((double) s->steps / s->b);
	bool resident;

	t->direct_s = passes * (t->pass_s + m->launch_s);
	if (t->waves <= 1 && s->work.cluster <= 1)
		t->resident_s = m->launch_s + passes * t->pass_s +
			(passes - 1) * m->grid_sync_s;
	resident = t->resident_s > 0 && (s->launches == LAUNCHES_RESIDENT ||
		(s->launches == LAUNCHES_AUTO &&
		 t->resident_s < MODEL_WORTH * t->direct_s));
	t->launches = resident ? LAUNCHES_RESIDENT : LAUNCHES_DIRECT;
	t->predicted_s = resident ? t->resident_s : t->direct_s;
	t->bound_s[BOUND_LAUNCH] = resident ? m->grid_sync_s : m->launch_s;
}

/* How much longer moving takes than computing, from 0 to half as long again, where it is 1. */
static double is_moving(const struct strip_terms *t, double transfer)
{
	return fmin(fmax(2 * (transfer / t->compute_s - 1), 0), 1);
}

/* Where one block of joined warps has an SM for itself, nothing computes while its warps wait for
 * rows and for each other.  Else copies add up less, as warps that wait for results leave memory its
 * time: those of doubles in rows least; joined warps do so together.  Rows of doubles that are loaded
 * ahead, and take longer to move than to compute, add up less, too (fdtd2d), as do copies of such
 * planes: then some are always on their way (laplacian3d).
 */
static double beside(const struct strip_shape *s, bool alone, double more)
{
	bool wide_rows = is_wide(s) && s->y == 0;
	bool wide_planes = is_wide(s) && s->y > 0;
	bool joined = s->y == 0 && s->warps > s->strips;

	if (!s->kept.addresses)
		return wide_rows && s->p > 0 ? BESIDE_ROWS + more *
			(BESIDE_ROWS_WIDE - BESIDE_ROWS) : BESIDE_ROWS;
	if (joined && alone)
		return BESIDE_COPIES_ALONE;
	if (wide_rows)
		return joined ? BESIDE_COPIES_JOINED_WIDE : BESIDE_COPIES_WIDE;
	if (wide_planes)
		return BESIDE_PLANES_WIDE + more * (BESIDE_PLANES_MOVED -
			BESIDE_PLANES_WIDE);
	return s->y > 0 ? BESIDE_PLANES : joined ? BESIDE_COPIES_JOINED :
		BESIDE_COPIES;
}

/* A pass takes as long as its longer part, or a little more. */
static void find_time(const struct machine *m, const struct strip_shape *s,
	struct strip_terms *t)
{
	static const enum strip_bound other[] = { BOUND_GM, BOUND_L2 };

	double transfer = 0;

	for (int i = 0; i < 2; i++) {
		double seconds = t->bound_s[other[i]];

		if (seconds > fmax(t->compute_s, transfer))
			t->binding = strip_bound_name(other[i]);
		transfer = fmax(transfer, seconds);
	}
	t->pass_s = beside_transfers_s(t->compute_s, transfer, beside(s,
		t->warps_per_sm <= s->warps, is_moving(t, transfer)));
	choose_launches(m, s, t);
	if (t->bound_s[BOUND_LAUNCH] > t->pass_s)
		t->binding = strip_bound_name(BOUND_LAUNCH);
}

/* What the launch bounds leave a thread, "k" blocks on an SM. */
static double registers_left(const struct machine *m,
	const struct strip_shape *s, double k)
{
	double threads = k * s->warp * (double) s->warps;

	return 8 * floor((double) m->registers_per_sm / threads / 8);
}

/* What no length of strips changes; false if a block does not fit an SM. */
static bool find_common(const struct machine *m, const struct strip_shape *s,
	struct strip_terms *t)
{
	double free = s->kept.registers > 0 ? s->kept.registers :
		strip_registers(s);

	*t = (struct strip_terms) { .registers = registers_needed(s, free) };
	t->k = resident_blocks(m, s, t->registers);
	if ((s->kept.registers <= 0 && t->registers > most_registers(m, s)) ||
	    t->k < 1)
		return false;
	t->registers = fmin(free, fmax(t->registers,
		registers_left(m, s, t->k)));
	count_instructions(m, s, t);
	return true;
}

static double cells_of(const struct strip_shape *s)
{
	double cells = 1;

	for (int i = 0; i < 3; i++)
		if (s->stored[i] > 0)
			cells *= (double) s->n[i];
	return cells;
}

struct strip_terms strip_least(const struct machine *m,
	const struct strip_shape *longest)
{
	const struct strip_shape *s = longest;
	double clocks[STRIP_BOUNDS] = { 0 }, columns;
	struct strip_terms t;

	if (!find_common(m, s, &t))
		return t;
	t.blocks = strip_blocks(s);
	t.overlap = overlap(s);
	t.warps_per_sm = t.k * s->warps;
	t.efficiency = efficiency(s, t.warps_per_sm);
	columns = t.blocks / strips_along(s, 0);
	find_clocks(m, s, &t, 0, clocks);
	t.compute_s = columns * (double) s->n[0] / strip_places(m, s, t.k) *
		iteration_clocks(m, s, &t, clocks) / m->clock_hz;
	find_transfers(m, s, &t, cells_of(s));
	t.predicted_s = ceil((double) s->steps / s->b) * beside_transfers_s(
		t.compute_s, fmax(t.bound_s[BOUND_GM], t.bound_s[BOUND_L2]),
		beside(s, false, 1));
	return t;
}

struct strip_terms strip_predict(const struct machine *m,
	const struct strip_shape *s)
{
	struct strip_terms t;

	if (!find_common(m, s, &t))
		return t;
	t.blocks = strip_blocks(s);
	t.overlap = overlap(s);
	find_edges(s, &t);
	t.waves = ceil(t.blocks / strip_places(m, s, t.k));
	t.warps_per_sm = s->warps * fmin(t.k,
		ceil(t.blocks / (double) m->sm_count));
	t.efficiency = efficiency(s, t.warps_per_sm);
	find_compute(m, s, &t);
	find_transfers(m, s, &t, cells_of(s));
	find_time(m, s, &t);
	return t;
}
