/* The time model of [PP] 4: one function per formula.  Times in seconds, sizes
 * in points or words as named, L in seconds per byte; "ts" are the tile sizes
 * tS2, tS3, .., "n" of them.
 */
#include "model/model.h"

#include <math.h>

/* (3), (20) N_w = 2 ceil(T/tT) + epsilon, where epsilon is 0 iff
 * 0 < T - floor(T/tT) tT <= tT/2, else 1.
 */
double pp3_wavefronts(double steps, double rows, int wavefronts)
{
	double even = 2 * ceil(steps / rows);
	double rest = steps - floor(steps / rows) * rows;

	if (wavefronts == WAVEFRONTS_EVEN)
		return even;
	return rest > 0 && rest <= rows / 2 ? even : even + 1;
}

/* (4), (21) w_tile = tS1 + tT - 2 */
double pp4_tile_width(double ts1, double tt)
{
	return ts1 + tt - 2;
}

/* (5) w = ceil(S1 / (2 tS1 + tT)) */
double pp5_tiles_per_phase(double s1, double ts1, double tt)
{
	return ceil(s1 / (2 * ts1 + tt));
}

/* (22) w = ceil(S1 / (tS1 + tT)) */
double pp22_tiles_per_phase(double s1, double ts1, double tt)
{
	return ceil(s1 / (ts1 + tt));
}

/* PP-E1: the hexagons of a phase are w_tile + tS apart, W of [CGO]. */
double exact_tiles_per_phase(double s1, double pitch)
{
	return ceil(s1 / pitch);
}

static double product(int n, const double x[])
{
	double all = 1;

	for (int i = 0; i < n; ++i)
		all *= x[i];
	return all;
}

/* (7), (13), (18), (24) m_i = m_o = tS2 tS3 (tS1 + 2 tT) */
double pp7_words(double ts1, double tt, int n, const double ts[])
{
	return product(n, ts) * (ts1 + 2 * tt);
}

/* 4.1.1 2 (tS + tT); (19) 2 (tS1 + tT + 1) (tS2 + tT + 1), and a factor more
 * in 3D.
 */
double pp19_shared_words(double ts1, double tt, int n, const double ts[])
{
	double words = n ? 2 * (ts1 + tt + 1) : 2 * (ts1 + tt);

	for (int i = 0; i < n; ++i)
		words *= ts[i] + tt + 1;
	return words;
}

/* ceil((S2 + tT) / tS2) of (16) */
double pp16_tiles_per_prism(double s, double tt, double ts)
{
	return ceil((s + tt) / ts);
}

/* (23) ceil of the product of (Si + tT) / tSi; PP-E3: product of the ceils. */
double pp23_tiles_per_slab(int n, const double s[], double tt,
	const double ts[], int subslabs)
{
	double all = 1;

	for (int i = 0; i < n; ++i)
		all *= subslabs == SUBSLABS_EACH ?
			pp16_tiles_per_prism(s[i], tt, ts[i]) :
			(s[i] + tt) / ts[i];
	return ceil(all);
}

/* (26) V_tile = tS2 tS3 tT (w_tile + tS1) / 2 */
double pp26_tile_points(double ts1, double tt, int n, const double ts[])
{
	return product(n, ts) * tt * (pp4_tile_width(ts1, tt) + ts1) / 2;
}

/* (8), (14), (25) m' = (m_i + m_o) L + 2 tau_sync */
double pp8_transfer_s(double bytes, double l_s_per_byte, double sync_s)
{
	return bytes * l_s_per_byte + 2 * sync_s;
}

/* (9), (15), (27) c = 2 Citer sum over x = tS1, tS1 + 2, .., w_tile of
 * ceil(x tS2 tS3 / n_V), + tT tau_sync
 */
double pp9_compute_s(double ts1, double tt, int n, const double ts[],
	double lanes, double citer_s, double sync_s)
{
	double turns = 0;

	for (double x = ts1; x <= pp4_tile_width(ts1, tt); x += 2)
		turns += ceil(x * product(n, ts) / lanes);
	return 2 * citer_s * turns + tt * sync_s;
}

/* (9), (15), (27) for any shape, without the barriers: sum over the rows of
 * ceil(points / n_V) Citer, with the Citer of each row's statement.
 */
double pp9_rows_s(int rows, const double points[], const double citer_s[],
	double lanes)
{
	double sum = 0;

	for (int a = 0; a < rows; ++a)
		sum += ceil(points[a] / lanes) * citer_s[a];
	return sum;
}

/* (10) T_tile = m' + c */
double pp10_tile_s(double transfer_s, double compute_s)
{
	return transfer_s + compute_s;
}

/* (12) T_tile(k) = m' + c + (k - 1) max(m', c) */
double pp12_tiles_s(double transfer_s, double compute_s, double k)
{
	return transfer_s + compute_s + (k - 1) * fmax(transfer_s, compute_s);
}

/* (10), (12) in 1D; (16), (28), (29) (m' + c) n for k = 1, else
 * m' + k max(m', c) n.  PP-E2: m' + c + (k n - 1) max(m', c) for all, which
 * is (12) for n = 1 and (29) wherever c >= m'.
 */
double pp16_prism_s(double transfer_s, double compute_s, double k, double n,
	int dims, int overlap)
{
	if (overlap == OVERLAP_REPAIRED || (dims == 1 && k > 1))
		return pp12_tiles_s(transfer_s, compute_s, k * n);
	if (k > 1)
		return transfer_s + k * fmax(transfer_s, compute_s) * n;
	return pp10_tile_s(transfer_s, compute_s) * n;
}

/* ceil(ceil(w/k) / n_SM), the factor of (2) and (6) */
double pp2_rounds(double tiles_per_phase, double k, double sm_count)
{
	return ceil(ceil(tiles_per_phase / k) / sm_count);
}

/* (6), (17), (30) T_alg = N_w T_sync + N_w T_x(k) rounds */
double pp6_total_s(double wavefronts, double prism_s, double rounds,
	double launch_s)
{
	return wavefronts * launch_s + wavefronts * prism_s * rounds;
}

double fetch_slowdown(double instructions)
{
	enum { INSTRUCTION_BYTES = 16, INSTRUCTION_CACHE = 32768 };
	double bytes = instructions * INSTRUCTION_BYTES;

	return 1 + fmin(fmax(bytes / INSTRUCTION_CACHE - 1, 0), 0.8);
}

double beside_transfers_s(double compute_s, double transfer_s, double by)
{
	return pow(pow(compute_s, by) + pow(transfer_s, by), 1 / by);
}

/* What bounds the time: launches, or idle SMs, if they take more than half of
 * it; else the longer of computing and moving data, and in computing, barriers
 * if they are most of it.
 */
static const char *binding_of(const struct time_terms *t,
	const struct tile_counts *c, double sync_s)
{
	if (t->launch_total_s > t->predicted_s / 2)
		return "launch";
	if (t->utilisation < 0.5)
		return "parallelism";
	if (t->m_prime_s > t->c_s)
		return "memory";
	return c->rows * sync_s > t->c_s / 2 ? "barriers" : "compute";
}

/* The end of a row while "resident" blocks share an SM: a barrier, unless the others' rows take
 * longer.
 */
static double row_end_s(const struct machine *m, const struct tile_counts *c,
	double resident)
{
	double sync_s = machine_sync_s(m, c->threads);

	return c->row_s > 0 ? fmax(c->row_s, sync_s / resident) : sync_s;
}

/* c while "resident" blocks share an SM: with too few points under way, its
 * lanes idle until results arrive.
 */
static double resident_c_s(const struct machine *m,
	const struct tile_counts *c, double resident)
{
	double enough = (double) m->lanes_per_sm * MODEL_POINTS_OF_LANE;
	double busy = c->ready > 0 ?
		fmin(1, resident * c->ready / enough) : 1;

	return c->compute_s / busy + c->rows * row_end_s(m, c, resident);
}

/* The time of a launch of many blocks: that of the SM with the most blocks.  It
 * takes them in turns of k, the last turn being the rest, each by (12): the
 * first copy of a turn overlaps with nothing.  A block that does not compute
 * while it copies takes the sum of both.
 */
static double launch_of_wave_s(const struct machine *m,
	const struct switches *s, int dims, const struct tile_counts *c,
	const struct time_terms *t)
{
	double blocks = ceil(t->w / (double) m->sm_count);
	double k = fmin(t->k, blocks), turns = floor(blocks / k);
	double last = blocks - turns * k, n = c->tiles_per_prism;
	double c_s = resident_c_s(m, c, k);
	double least_s = c->is_serial || c->wait_s > 0 ?
		n * (pp10_tile_s(c->is_serial ? t->m_prime_s : 0,
			resident_c_s(m, c, 1)) + c->wait_s) : 0;
	double sum = turns * fmax(least_s, pp16_prism_s(t->m_prime_s, c_s, k,
		n, dims, s->overlap));

	return last <= 0 ? sum : sum + fmax(least_s, pp16_prism_s(
		t->m_prime_s, c_s, last, n, dims, s->overlap));
}

/* The time of a launch in waves.  Its blocks at the sides of the grid have tiles at a side only:
 * the launch ends when they do.  The others compute meanwhile, but not as much as they could.
 */
static double launch_with_sides_s(double launch_s,
	const struct tile_counts *c)
{
	return beside_transfers_s(launch_s, c->tiles_per_prism * c->side_s,
		BESIDE_LOADS);
}

/* (2) for wavefronts of skewed rectangles, without launches.  As in launch_of_wave_s, which
 * takes together all wavefronts with equally many blocks on the busiest SM; with the paper's
 * code, T_x(k) for each turn of the SMs, as in (6).
 */
static double wavefronts_s(const struct machine *m, const struct switches *s,
	int dims, const struct tile_counts *c, const struct time_terms *t)
{
	double turn = s->code == CODE_EMITTED ? 1 : t->k, sum = 0, before = 0;
	int64_t blocks = (int64_t) turn * m->sm_count;
	int64_t most = wavefronts_most(&c->wavefronts);
	struct time_terms one = *t;

	for (int64_t n = 0; n < most; n += blocks) {
		double seconds;

		one.w = (double) (n + blocks);
		seconds = s->code == CODE_EMITTED ?
			launch_of_wave_s(m, s, dims, c, &one) :
			before + t->prism_s;
		sum += (seconds - before) *
			(double) wavefronts_with(&c->wavefronts, n + 1);
		before = seconds;
	}
	return sum;
}

/* (6) and its parts: N_w, all tiles, mean turns of the SMs. */
static void predict_wavefronts(const struct machine *m,
	const struct switches *s, int dims, const struct tile_counts *c,
	struct time_terms *t)
{
	int64_t blocks = (int64_t) t->k * m->sm_count;
	int64_t most = wavefronts_most(&c->wavefronts);
	double turns = 0;

	t->n_w = (double) wavefronts_count(&c->wavefronts);
	t->tiles = wavefronts_sum(&c->wavefronts);
	for (int64_t n = 0; n < most; n += blocks)
		turns += (double) wavefronts_with(&c->wavefronts, n + 1);
	t->rounds = turns / t->n_w;
	t->launch_total_s = t->n_w * m->launch_s;
	t->predicted_s = t->launch_total_s +
		wavefronts_s(m, s, dims, c, t);
	t->utilisation = t->tiles / (turns * (double) blocks);
}

struct time_terms time_predict(const struct machine *m,
	const struct switches *s, int dims, const struct tile_counts *c,
	double k)
{
	double share = s->bandwidth == BANDWIDTH_SM ? (double) m->sm_count : 1;
	double sync_s = machine_sync_s(m, c->threads);
	struct time_terms t = { .k = k, .w = c->tiles_per_phase,
		.tiles_per_prism = c->tiles_per_prism,
		.m_i_words = c->load_words, .m_o_words = c->store_words,
		.m_tile_bytes = c->shared_bytes, .side_s = c->side_s };

	t.n_w = c->launches > 0 ? c->launches :
		pp3_wavefronts(c->steps, c->rows, s->wavefronts);
	t.l_s_per_byte = share / m->bandwidth_bytes_per_s;
	t.m_prime_s = c->no_transfers ? sync_s :
		pp8_transfer_s(c->load_bytes + c->restart_bytes +
			c->store_bytes, t.l_s_per_byte, sync_s);
	t.c_s = c->compute_s + c->rows * sync_s;
	t.prism_s = pp16_prism_s(t.m_prime_s, t.c_s, k, c->tiles_per_prism,
		dims, s->overlap);
	t.rounds = pp2_rounds(t.w, k, (double) m->sm_count);
	t.launch_total_s = t.n_w * m->launch_s;
	t.predicted_s = pp6_total_s(t.n_w, t.prism_s, t.rounds, m->launch_s);
	if (c->launches > 0)
		t.predicted_s = t.n_w * (launch_with_sides_s(
			launch_of_wave_s(m, s, dims, c, &t), c) + m->launch_s);
	else if (c->row_s > 0)
		t.predicted_s = t.n_w * (launch_of_wave_s(m, s, dims, c, &t) +
			m->launch_s);
	t.utilisation = t.w / (t.rounds * k * (double) m->sm_count);
	if (c->wavefronts.times > 0)
		predict_wavefronts(m, s, dims, c, &t);
	t.binding = binding_of(&t, c, sync_s);
	return t;
}
