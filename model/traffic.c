/* The data-traffic model of [SU] 3: bytes through the three stages of the
 * memory hierarchy, one function per formula.  The paper's 7PT-1 has one array;
 * here each array has its own halo and words, and the sums are in bytes where
 * words differ.  "halo" counts both sides together, as in the paper.
 */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* (4) ld = aligned + 2 misaligned */
double su4_loads_per_thread(double aligned, double misaligned)
{
	return aligned + 2 * misaligned;
}

/* Lines for a halo of "halo" words on both sides: 2 if a line holds the halo. */
static double halo_lines(double halo, double line_words)
{
	return 2 * ceil(halo / 2 / line_words);
}

/* Rows of a block of "by" times "bz" rows of points; SU-E1: rows at corners
 * count where a stencil reads them.
 */
static double rows_of(const struct traffic_rows *r, double by, double bz)
{
	return r->any ? by * bz + bz * (double) r->y + by * (double) r->z +
		(double) r->corners : 0;
}

/* (6) Bx By Bz + (Bx Bz + Bx By) halo + (line/sz) By Bz 2;  (16) the same
 * with a column of chunk_z points per thread: words a block reads.  Lines
 * beside the block count where reads reach them, as 7PT-1's do on both sides.
 */
double su6_net_block(const struct traffic_array *a,
	const struct traffic_config *c, double line_bytes)
{
	double by = (double) c->block[1];
	double bz = (double) c->block[2] * (double) c->chunk_z;
	double line_words = line_bytes / a->word_bytes;
	double words = (double) c->block[0] * rows_of(&a->rows, by, bz);

	for (int i = 0; i < 2; ++i)
		words += line_words * rows_of(&a->side[i].rows, by, bz) *
			ceil((double) a->side[i].reach / line_words);
	return words;
}

/* (8) miss = occupancy maxthreads net_B / (threads per block storage/sz)
 * delta, where occupancy maxthreads / threads per block is the blocks of an
 * SM.
 */
double su8_miss_smx(double blocks_per_sm, double net_bytes,
	double storage_bytes, double delta)
{
	return blocks_per_sm * net_bytes / storage_bytes * delta;
}

/* (17) (8) (1 + halo) / (chunk_z + halo) + log2(chunk_z warps per block /
 * (processors per SMX / 32)) eta; SU-A6: the logarithm is at least 0.
 */
double su17_miss_smx(double su8, double halo, double chunk_z, double warps,
	double warps_per_turn, double eta)
{
	return su8 * (1 + halo) / (chunk_z + halo) +
		fmax(0, log2(chunk_z * warps / warps_per_turn)) * eta;
}

/* (13) width_y = By ceil(blocks Bx / Nx) + halo */
double su13_width_y(double by, double blocks, double bx, double nx,
	double halo)
{
	return by * ceil(blocks * bx / nx) + halo;
}

/* (14) height_z = Bz ceil(blocks / (Nx Ny / (Bx By))) + halo; SU-A5: Bz is
 * Bz chunk_z where threads compute columns.
 */
double su14_height_z(double bz, double blocks, double nx, double ny,
	double bx, double by, double halo)
{
	return bz * ceil(blocks / (nx * ny / (bx * by))) + halo;
}

/* (15) miss = net_G sz / L2 epsilon */
double su15_miss_l2(double net_bytes, double l2_bytes, double epsilon)
{
	return net_bytes / l2_bytes * epsilon;
}

/* (18) T (1 + 1/groups) / occupancy efficiency */
double su18_adjusted_s(double s, double groups, double occupancy)
{
	return s * (1 + 1 / groups) / occupancy;
}

struct traffic_kernel traffic_7pt1(int64_t n)
{
	struct traffic_kernel k = { .n = { n, n, n }, .sweeps = 1,
		.n_arrays = 1 };

	k.array[0] = (struct traffic_array) { .word_bytes = 8,
		.aligned_points = 5, .misaligned_points = 2,
		.aligned_columns = 3, .misaligned_columns = 2,
		.aligned_extra = 2, .halo = { 2, 2, 2 },
		.rows = { .any = true, .y = 2, .z = 2 },
		.side = { { 1, { .any = true } }, { 1, { .any = true } } },
		.stores = 1 };
	return k;
}

/* A prediction in the making. */
struct sweep {
	const struct machine *m;
	const struct switches *s;
	const struct traffic_kernel *k;
	const struct traffic_config *c;
	struct traffic_terms t;
};

/* Loads of "a" by one thread: (4), and for z-blocked code 3 c + 2 aligned and 2
 * c misaligned for 7PT-1.
 */
static double thread_loads(const struct traffic_array *a, double chunk)
{
	double aligned = (double) a->aligned_points;
	double misaligned = (double) a->misaligned_points;

	if (chunk > 1) {
		aligned = (double) a->aligned_columns * chunk +
			(double) a->aligned_extra;
		misaligned = (double) a->misaligned_columns * chunk +
			(double) a->misaligned_extra;
	}
	return su4_loads_per_thread(aligned, misaligned);
}

static bool is_loaded(const struct traffic_array *a)
{
	return a->aligned_points + a->misaligned_points > 0;
}

/* The points in dimension "d" of the blocks that cover the grid. */
static double covered(const struct sweep *w, int d)
{
	double points = (double) w->c->block[d] *
		(d == 2 ? (double) w->c->chunk_z : 1);

	return points * ceil((double) w->k->n[d] / points);
}

/* Blocks of so many threads on an SM, within all its limits. */
static double resident_blocks(const struct machine *m,
	const struct traffic_kernel *k, double threads)
{
	double registers = threads * (double) k->registers_per_thread;
	double shared = (double) k->shared_bytes_per_block;
	double blocks = fmin((double) m->max_blocks_per_sm,
		floor((double) m->max_threads_per_sm / threads));

	if (registers > 0)
		blocks = fmin(blocks,
			floor((double) m->registers_per_sm / registers));
	if (shared > 0)
		blocks = fmin(blocks, floor((double) m->shared_bytes_per_sm /
			(shared + (double) m->shared_reserved_bytes)));
	return blocks;
}

/* Threads, blocks, and how many of them an SM and a group hold, (10).  In a
 * grid that blocks fill, "threads" is the paper's NxNyNz / chunk_z.
 */
static void set_blocks(struct sweep *w)
{
	const struct machine *m = w->m;
	struct traffic_terms *t = &w->t;
	double chunk = (double) w->c->chunk_z;

	t->launch.threads = (double) w->k->n[0] * (double) w->k->n[1] *
		ceil((double) w->k->n[2] / chunk);
	t->launch.threads_per_block = 1;
	t->launch.blocks = 1;
	for (int d = 0; d < 3; ++d) {
		double b = (double) w->c->block[d];

		t->launch.threads_per_block *= b;
		t->launch.blocks *= covered(w, d) / (d == 2 ? b * chunk : b);
	}
	t->launch.blocks_per_sm =
		resident_blocks(m, w->k, t->launch.threads_per_block);
	t->launch.occupancy = t->launch.blocks_per_sm *
			      t->launch.threads_per_block /
			      (double) m->max_threads_per_sm;
	t->launch.blocks_per_group =
		t->launch.blocks_per_sm * (double) m->sm_count;
	if (w->s->clamp == CLAMP_YES)
		t->launch.blocks_per_group =
			fmin(t->launch.blocks_per_group, t->launch.blocks);
	t->launch.groups = ceil(t->launch.blocks / t->launch.blocks_per_group);
}

/* (3) V_SMX = threads (ld_T + st_T) sz */
static void set_smx(struct sweep *w)
{
	double chunk = (double) w->c->chunk_z;
	double bytes = 0;

	for (int i = 0; i < w->k->n_arrays; ++i) {
		const struct traffic_array *a = &w->k->array[i];
		double loads = thread_loads(a, chunk);
		double stores = (double) a->stores * chunk;

		w->t.loads_thread += loads;
		w->t.stores_thread += stores;
		bytes += (loads + stores) * a->word_bytes;
	}
	w->t.v_smx_bytes = w->t.launch.threads * bytes;
	w->t.smx_s = w->t.v_smx_bytes / w->m->l1_bandwidth_bytes_per_s;
}

/* The value of a switch, or the machine's. */
static double constant(double of_switch, double of_machine)
{
	return of_switch < 0 ? of_machine : of_switch;
}

/* (8), or (17) where columns exceed the storage of an SM. */
static double miss_smx(const struct sweep *w, double net_bytes)
{
	double storage = (double) w->m->l1_bytes_per_sm;
	double chunk = (double) w->c->chunk_z;
	double miss = su8_miss_smx(w->t.launch.blocks_per_sm, net_bytes,
		storage, constant(w->s->delta, w->m->traffic_delta));
	double halo = 0;

	if (chunk <= 1 || w->t.launch.blocks_per_sm * net_bytes <= storage)
		return miss;
	for (int i = 0; i < w->k->n_arrays; ++i)
		halo = fmax(halo, (double) w->k->array[i].halo[2]);
	return su17_miss_smx(miss, halo, chunk,
		ceil(w->t.launch.threads_per_block / (double) w->m->warp_size),
		(double) w->m->lanes_per_sm / (double) w->m->warp_size,
		constant(w->s->eta, w->m->traffic_eta));
}

/* (5) V_L2 = blocks (ld_B + st_B) sz;  (7) ld_B = net_B (1 + miss) */
static void set_l2(struct sweep *w)
{
	double net_bytes = 0, store_bytes = 0;
	double points = w->t.launch.threads_per_block * (double) w->c->chunk_z;

	for (int i = 0; i < w->k->n_arrays; ++i) {
		const struct traffic_array *a = &w->k->array[i];
		double net = is_loaded(a) ? su6_net_block(a, w->c,
			(double) w->m->l1_line_bytes) : 0;
		double stores = points * (double) a->stores;

		w->t.l2.net += net;
		w->t.l2.stores += stores;
		net_bytes += net * a->word_bytes;
		store_bytes += stores * a->word_bytes;
	}
	w->t.l2.miss = miss_smx(w, net_bytes);
	w->t.l2.loads = w->t.l2.net * (1 + w->t.l2.miss);
	w->t.v_l2_bytes = w->t.launch.blocks *
		(net_bytes * (1 + w->t.l2.miss) + store_bytes);
	w->t.l2_s = w->t.v_l2_bytes / w->m->l2_bandwidth_bytes_per_s;
}

/* Does L2 hold the planes that both a group of blocks and the next one read, so that they are
 * loaded once?  The L2 of the paper's GPUs held part of a plane.  As counted for emitted code
 * on an H200, whose memory moves only what a sweep cannot avoid.
 */
static bool l2_keeps_planes(const struct sweep *w,
	const struct traffic_array *a)
{
	double planes = (double) a->halo[2] + (double) w->c->block[2] *
		(double) w->c->chunk_z;
	double plane = covered(w, 0) * covered(w, 1) * a->word_bytes *
		w->k->n_arrays;

	return w->s->code == CODE_EMITTED &&
		planes * plane <= (double) w->m->l2_bytes / 2;
}

static double points_of_group(const struct sweep *w)
{
	return w->t.launch.blocks_per_group * w->t.launch.threads_per_block *
		(double) w->c->chunk_z;
}

/* (12) net_G = (Nx + line/sz 2) width_y height_z, of one array, where the
 * blocks of a group make less than a row, their Bx instead of Nx.  SU-A4: no
 * wider than the grid if "clamp", and in y if there is no dimension y.  SU-E2:
 * (13) and (14) count blocks, so Nx and Ny there are what blocks cover.
 */
static double net_group(struct sweep *w, const struct traffic_array *a)
{
	const int64_t *n = w->k->n, *b = w->c->block;
	double line_words = (double) w->m->l2_line_bytes / a->word_bytes;
	double bz = (double) b[2] * (double) w->c->chunk_z;
	double width = su13_width_y((double) b[1], w->t.launch.blocks_per_group,
		(double) b[0], covered(w, 0), (double) a->halo[1]);
	double height = su14_height_z(bz, w->t.launch.blocks_per_group,
		covered(w, 0), covered(w, 1), (double) b[0], (double) b[1],
		(double) a->halo[2]);

	if (l2_keeps_planes(w, a))
		return points_of_group(w);
	if (w->s->clamp == CLAMP_YES) {
		width = fmin(width, (double) n[1] + (double) a->halo[1]);
		height = fmin(height, (double) n[2] + (double) a->halo[2]);
	}
	if (n[1] == 1)
		width = (double) b[1];
	w->t.memory.width_y = fmax(w->t.memory.width_y, width);
	w->t.memory.height_z = fmax(w->t.memory.height_z, height);
	return (fmin((double) n[0],
			w->t.launch.blocks_per_group * (double) b[0]) +
		       line_words *
			       halo_lines((double) a->halo[0], line_words)) *
	       width * height;
}

/* (9) V_GM = groups (ld_G + st_G) sz;  (11) ld_G = net_G (1 + miss) */
static void set_gm(struct sweep *w)
{
	double net_bytes = 0, store_bytes = 0;
	double points = w->t.launch.threads_per_block * (double) w->c->chunk_z;

	for (int i = 0; i < w->k->n_arrays; ++i) {
		const struct traffic_array *a = &w->k->array[i];
		double net = is_loaded(a) ? net_group(w, a) : 0;

		w->t.memory.net += net;
		net_bytes += net * a->word_bytes;
		store_bytes += w->t.launch.blocks_per_group * points *
			(double) a->stores * a->word_bytes;
	}
	w->t.memory.miss = su15_miss_l2(net_bytes, (double) w->m->l2_bytes,
		constant(w->s->epsilon, w->m->traffic_epsilon));
	w->t.memory.loads = w->t.memory.net * (1 + w->t.memory.miss);
	w->t.memory.stores = w->t.launch.blocks_per_group * w->t.l2.stores;
	w->t.v_gm_bytes = w->t.launch.groups *
		(net_bytes * (1 + w->t.memory.miss) + store_bytes);
	w->t.gm_s = w->t.v_gm_bytes / w->m->bandwidth_bytes_per_s;
}

/* Instructions of a thread, as many as nvcc generates for the emitted code, and the time to
 * issue them.  They serve its points; each load and store, with a third of its address; and the
 * questions where the thread is, and whether all of it lies in the grid.  Code of all points that
 * is larger than the instruction cache waits (box3d3r, box3d4r).
 */
static void set_issue(struct sweep *w)
{
	enum { OF_THREAD = 120 };
	const struct machine *m = w->m;
	struct instruction_mix mix = mix_on_machine(m, &w->k->mix);
	double lanes = (double) m->lanes_per_sm, computed = mix.arithmetic *
		(mix.word_bytes == 8 ? lanes / (double) m->lanes64_per_sm : 1);
	double special = mix.special * lanes / (double) m->special_lanes_per_sm;
	double of_point = fmax(mix.arithmetic + mix.special + mix.other,
		fmax(computed, special));

	w->t.instructions = OF_THREAD + (double) w->c->chunk_z * of_point +
		4. / 3 * (w->t.loads_thread + w->t.stores_thread);
	w->t.issue_s = w->t.launch.threads * w->t.instructions *
		fetch_slowdown(w->t.instructions) /
		(lanes * (double) m->sm_count * m->clock_hz);
}

/* (2) T = max(V_GM / BW_GM, V_L2 / BW_L2, V_SMX / BW_SMX), and the level that
 * gives the maximum; for emitted code also the time of its instructions.
 */
static void set_time(struct sweep *w)
{
	struct traffic_terms *t = &w->t;
	double launch = w->s->launch == LAUNCH_YES ? w->m->launch_s : 0;
	double s;

	t->sweep_s = fmax(t->gm_s, fmax(t->l2_s, t->smx_s));
	t->binding = t->gm_s >= t->sweep_s ? "gm" :
		t->l2_s >= t->sweep_s ? "l2" : "smx";
	if (t->issue_s > t->sweep_s)
		t->binding = "issue";
	if (t->issue_s > 0)
		t->sweep_s = beside_transfers_s(t->issue_s, t->sweep_s,
			BESIDE_LOADS);
	t->adjusted_s = su18_adjusted_s(
		t->sweep_s, t->launch.groups, t->launch.occupancy);
	s = w->s->imbalance == IMBALANCE_YES ? t->adjusted_s : t->sweep_s;
	if (launch > s)
		t->binding = "launch";
	t->predicted_s = (double) w->k->sweeps * (s + launch);
}

struct traffic_terms traffic_predict(const struct machine *m,
	const struct switches *s, const struct traffic_kernel *k,
	const struct traffic_config *c)
{
	struct sweep w = { .m = m, .s = s, .k = k, .c = c };

	set_blocks(&w);
	set_smx(&w);
	set_l2(&w);
	set_gm(&w);
	if (s->code == CODE_EMITTED)
		set_issue(&w);
	set_time(&w);
	return w.t;
}

static void add_terms(struct traffic_terms *sum,
	const struct traffic_terms *t)
{
	if (t->sweep_s > sum->sweep_s)
		sum->binding = t->binding;
	sum->launch.blocks_per_sm =
		fmin(sum->launch.blocks_per_sm, t->launch.blocks_per_sm);
	sum->launch.occupancy =
		fmin(sum->launch.occupancy, t->launch.occupancy);
	sum->loads_thread += t->loads_thread;
	sum->stores_thread += t->stores_thread;
	sum->l2.net += t->l2.net;
	sum->memory.net += t->memory.net;
	sum->v_smx_bytes += t->v_smx_bytes;
	sum->v_l2_bytes += t->v_l2_bytes;
	sum->v_gm_bytes += t->v_gm_bytes;
	sum->smx_s += t->smx_s;
	sum->l2_s += t->l2_s;
	sum->gm_s += t->gm_s;
	sum->sweep_s += t->sweep_s;
	sum->adjusted_s += t->adjusted_s;
	sum->predicted_s += t->predicted_s;
}

/* The sum over kernels that run in turn; what is no volume, time or limit comes
 * from the first one.
 */
static struct traffic_terms predict_all(const struct machine *m,
	const struct switches *s, const struct traffic_kernel *k,
	const struct traffic_config *c)
{
	struct traffic_terms sum = traffic_predict(m, s, k, c);

	for (k = k->next; k; k = k->next) {
		struct traffic_terms t = traffic_predict(m, s, k, c);

		add_terms(&sum, &t);
	}
	return sum;
}

/* The search --------------------------------------------------------------*/

enum { MAX_CHUNK = 256, MAX_BLOCK_Z = 64, CONFIGS = 4096 };

struct walk {
	const struct machine *m;
	const struct switches *s;
	const struct traffic_kernel *k;
	const struct traffic_config *forced;
	bool zblock;
	bool narrow;		/* for emitted code, see FEWEST_THREADS */
	struct traffic_candidate *hit;
	int n_hits;
};

/* The blocks and columns that were fastest for the emitted code, for all stencils
 * (doc/attempts.md has the times).  A grid may be too small for them.
 */
enum { FEWEST_THREADS = 128, USUAL_THREADS = 256, WIDEST_PLANAR = 64,
	LEAST_CHUNK = 4, USUAL_CHUNK = 8 };

static void try_config(struct walk *w, const struct traffic_config *c)
{
	struct traffic_terms t;
	double threads = (double) c->block[0] * (double) c->block[1] *
		(double) c->block[2];

	if (threads > (double) w->m->max_threads_per_block ||
	    w->n_hits == CONFIGS || (w->narrow && (threads <
		FEWEST_THREADS || threads > USUAL_THREADS)))
		return;
	t = predict_all(w->m, w->s, w->k, c);
	if (t.launch.blocks_per_sm < 1)
		return;
	w->hit[w->n_hits++] = (struct traffic_candidate) { *c,
		t.launch.blocks_per_sm, t.predicted_s };
}

/* The sizes of a configuration: Bx, By, Bz, chunk_z of unknown "u". */
static int64_t first_size(const struct walk *w, int u)
{
	if (u == 3)
		return !w->zblock ? 1 : w->narrow ? LEAST_CHUNK : 2;
	return u ? 1 : w->m->warp_size;
}

static int64_t last_size(const struct walk *w, int u)
{
	int64_t n = w->k->n[u == 3 ? 2 : u];
	int64_t most = u == 3 ? !w->zblock ? 1 : w->narrow ? USUAL_CHUNK :
		MAX_CHUNK : u == 2 ? w->narrow ? 1 : MAX_BLOCK_Z :
		u == 0 && w->narrow && w->k->n[1] > 1 ? WIDEST_PLANAR :
		w->m->max_threads_per_block;

	return smaller(n, most);
}

static void walk_configs(struct walk *w, struct traffic_config c, int u)
{
	int64_t *size, forced;

	if (u == 4) {
		try_config(w, &c);
		return;
	}
	size = u == 3 ? &c.chunk_z : &c.block[u];
	forced = u == 3 ? w->forced->chunk_z : w->forced->block[u];
	if (forced > 0) {
		*size = forced;
		walk_configs(w, c, u + 1);
		return;
	}
	*size = first_size(w, u);
	do {
		walk_configs(w, c, u + 1);
		*size *= 2;
	} while (*size <= last_size(w, u));
}

static double threads_of(const struct traffic_config *c)
{
	return (double) c->block[0] * (double) c->block[1] *
		(double) c->block[2];
}

/* The least time first, then more threads, then the wider block. */
static int compare(const void *x, const void *y)
{
	const struct traffic_candidate *a = x, *b = y;
	double more = threads_of(&b->config) - threads_of(&a->config);

	if (a->predicted_s < b->predicted_s || a->predicted_s > b->predicted_s)
		return a->predicted_s < b->predicted_s ? -1 : 1;
	if (more < 0 || more > 0)
		return more < 0 ? -1 : 1;
	for (int d = 0; d < 3; ++d)
		if (a->config.block[d] != b->config.block[d])
			return a->config.block[d] > b->config.block[d] ? -1 :
				1;
	return a->config.chunk_z < b->config.chunk_z ? -1 :
		a->config.chunk_z > b->config.chunk_z;
}

static bool has_forced_threads(const struct traffic_config *c)
{
	return c->block[0] > 0 && c->block[1] > 0 && c->block[2] > 0;
}

static void walk_all(struct walk *w, bool narrow)
{
	w->narrow = narrow;
	walk_configs(w, (struct traffic_config) { { 1, 1, 1 }, 1 }, 0);
}

/* Of equal times the longest column, whose points share what is computed once. */
static int compare_narrow(const void *x, const void *y)
{
	const struct traffic_candidate *a = x, *b = y;
	bool other_time = a->predicted_s < b->predicted_s ||
		a->predicted_s > b->predicted_s;

	if (other_time || a->config.chunk_z == b->config.chunk_z)
		return compare(x, y);
	return a->config.chunk_z > b->config.chunk_z ? -1 : 1;
}

struct traffic_result traffic_search(struct region *r,
	const struct machine *m, const struct switches *s,
	const struct traffic_kernel *k, const struct traffic_config *forced,
	bool zblock, int max_candidates)
{
	static const struct traffic_config free_choice = { { 0 }, 0 };
	struct walk w = { .m = m, .s = s, .k = k, .zblock = zblock,
		.forced = forced ? forced : &free_choice };
	struct traffic_result result = { .found = true };

	w.hit = region_array(r, struct traffic_candidate, CONFIGS);
	walk_all(&w, s->code == CODE_EMITTED &&
		!has_forced_threads(w.forced));
	if (!w.n_hits && w.narrow)
		walk_all(&w, false);
	if (!w.n_hits)
		return (struct traffic_result) { .why =
			"no block fits the threads and registers of an SM" };
	qsort(w.hit, (size_t) w.n_hits, sizeof(*w.hit), w.narrow ?
		compare_narrow : compare);
	result.feasible = w.n_hits;
	for (int i = 0; i < w.n_hits; ++i)
		result.within_10_percent +=
			w.hit[i].predicted_s <= 1.1 * w.hit[0].predicted_s;
	result.candidate = w.hit;
	result.n_candidates = smaller(w.n_hits, larger(max_candidates, 1));
	result.terms = predict_all(m, s, k, &w.hit[0].config);
	return result;
}
