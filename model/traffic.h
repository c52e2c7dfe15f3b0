/* The data-traffic model, [SU] 3. */
#ifndef STENCILC_MODEL_TRAFFIC_H
#define STENCILC_MODEL_TRAFFIC_H

#include "model/citer.h"
#include "model/machine.h"
#include "model/switches.h"

/* The rows along x that the reads of a block touch: those of its points, "y"
 * and "z" rows more across and above, both sides together, and "corners" more
 * where reads differ in both.
 */
struct traffic_rows {
	bool any;
	int64_t y, z, corners;
};

/* A point's reads and writes of one array in a sweep.  A column is the set of
 * offsets that differ in z only; aligned means x offset 0.  Where a thread
 * computes several points in z, each point loads one value of a column, and the
 * first one "extra" more; where the points lie apart (Bz above 1), what they
 * share is a column.
 */
struct traffic_array {
	int word_bytes;
	int64_t aligned_points, misaligned_points;
	int64_t aligned_columns, misaligned_columns;
	int64_t aligned_extra, misaligned_extra;	/* sum over columns of
							 * z's extent less 1 */
	int64_t halo[3];	/* x, y, z: both sides together */
	struct traffic_rows rows;	/* of all reads */
	struct {
		int64_t reach;		/* words outside the block */
		struct traffic_rows rows;	/* of reads outside it */
	} side[2];		/* before it in x, and after it */
	int64_t stores;		/* per point */
};

struct traffic_kernel {
	int64_t n[3];		/* Nx, Ny, Nz: points, innermost first */
	int64_t sweeps;		/* runs of the kernel: time steps * statements */
	int n_arrays;
	struct traffic_array array[MODEL_MAX_ARRAYS];
	struct instruction_mix mix;	/* of a point */
	int64_t registers_per_thread;	/* 0: unknown */
	int64_t shared_bytes_per_block;	/* 0: none */
	const struct traffic_kernel *next;	/* runs in turn with this one,
						 * in blocks of the same shape */
};

struct traffic_config {
	int64_t block[3];	/* Bx, By, Bz */
	int64_t chunk_z;	/* 1: one point a thread */
};

struct traffic_terms {
	struct {		/* of a launch: */
		double threads, threads_per_block, blocks;
		double blocks_per_sm, blocks_per_group, groups, occupancy;
	} launch;
	double loads_thread, stores_thread;	/* words, all arrays */
	struct {		/* between SMs and L2, in words: */
		double net, miss, loads, stores;
	} l2;
	struct {		/* between L2 and memory, in words: */
		double width_y, height_z, net, miss, loads, stores;
	} memory;
	double v_smx_bytes, v_l2_bytes, v_gm_bytes;
	double smx_s, l2_s, gm_s;	/* a sweep */
	double instructions;	/* of a thread, in emitted code; or 0 */
	double issue_s;		/* of a sweep */
	double sweep_s;		/* (2) */
	double adjusted_s;	/* (18) */
	double predicted_s;	/* all sweeps */
	const char *binding;	/* "smx", "l2", "gm", "issue" or "launch" */
};

struct traffic_result {
	bool found;
	double feasible, within_10_percent;
	int n_candidates;
	struct traffic_candidate {
		struct traffic_config config;
		double k;	/* blocks of an SM */
		double predicted_s;
	} *candidate;
	struct traffic_terms terms;
	const char *why;
};

double su4_loads_per_thread(double aligned, double misaligned);
double su6_net_block(const struct traffic_array *a,
	const struct traffic_config *c, double line_bytes);
double su8_miss_smx(double blocks_per_sm, double net_bytes,
	double storage_bytes, double delta);
double su17_miss_smx(double su8, double halo, double chunk_z, double warps,
	double warps_per_turn, double eta);
double su13_width_y(double by, double blocks, double bx, double nx,
	double halo);
double su14_height_z(double bz, double blocks, double nx, double ny,
	double bx, double by, double halo);
double su15_miss_l2(double net_bytes, double l2_bytes, double epsilon);
double su18_adjusted_s(double s, double groups, double occupancy);

/* The paper's 7PT-1, its only stencil whose formulas survive, "n" cubed. */
struct traffic_kernel traffic_7pt1(int64_t n);
struct traffic_terms traffic_predict(const struct machine *m,
	const struct switches *s, const struct traffic_kernel *k,
	const struct traffic_config *c);
/* The best block and chunk; 0 in "forced" (NULL: all 0) is free.  Only chunk_z
 * 1 unless "zblock".  Volumes and times of kernels that run in turn add up.
 */
struct traffic_result traffic_search(struct region *r,
	const struct machine *m, const struct switches *s,
	const struct traffic_kernel *k, const struct traffic_config *forced,
	bool zblock, int max_candidates);

#endif
