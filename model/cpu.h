/* The time of code for the cores of a CPU. */
#ifndef STENCILC_MODEL_CPU_H
#define STENCILC_MODEL_CPU_H

#include "base/json.h"
#include "model/machine.h"
#include "model/tile_sizes.inc"

struct cpu_problem {
	const struct machine *machine;
	double steps;
	double bytes, operations, barriers;	/* of a step */
	double sums;		/* of the operations of a step: additions and
				 * subtractions */
	double specials;	/* in a step: roots, divisions and the like */
	double cache_bytes;	/* in a step, from and to the core's cache */
	double far_bytes;	/* in a step, from the cache that cores share */
	double near_bytes;	/* in a step, between a core's own two caches */
	double points;		/* in a step, of all statements */
	double citer_s;		/* measured in the cache; 0: unknown */
	int word_bytes;
	double efficiency;	/* for tiles: the part of full speed */
	bool streams;		/* rows whose sequence a processor recognises,
				 * in three dimensions */
};

struct cpu_terms {
	const struct machine *machine;
	const char *sizes;	/* "h=8 w0=500", or NULL */
	double memory_s, near_s, cache_s, compute_s, barrier_s, predicted_s;
	double citer_s;		/* compute_s comes from it, cache_s is 0 */
	const char *binding;
};

struct stencilc_times;

/* What memory gives the cores of "m" for stencils, in bytes a second: as much as for a copy, but to
 * cores whose registers hold a line of the cache no more than one in 13 clocks each.  On a Zen 5
 * tiles take as long with 45 GB/s as with 80, sweeps 1.0 to 1.25 times as long.
 */
double cpu_bandwidth(const struct machine *m);
/* Do registers of its cores hold a line of the cache? */
bool cpu_has_line_registers(const struct machine *m);
/* "m" as choose_hexagons.inc, the model of hexagons shared with emitted code, has it. */
struct stencilc_machine cpu_cores(const struct machine *m);
/* "times" on "m"; citer_s as in struct cpu_problem. */
struct cpu_terms cpu_terms_of(const struct machine *m, double citer_s,
	const struct stencilc_times *times);

/* What all cores move from and to memory in a second, if the lines that they write count twice, as
 * they are read first.  A copy, which is told to move two thirds of that, gives the bandwidth.
 */
double cpu_moved_bytes_per_s(const struct machine *m);
/* The part of data used again after "bytes" of other data that a cache has lost by then. */
double cpu_missing_part(double bytes, double cache);
/* The factor by which a row of so many bytes exceeds the time of its points, where rows are
 * short.
 */
double cpu_row_work(double bytes);
/* Sweeps of the grid that keep nothing in caches between them; rows take "work" times as long
 * as their points.
 */
struct cpu_terms cpu_point_time(const struct cpu_problem *p, double work);
/* Tiles of "tile_bytes" that stay in a core's second-level cache for several
 * steps, and compute "redundancy" points for each one of the result.
 */
struct cpu_terms cpu_tile_time(const struct cpu_problem *p, double redundancy,
	double tile_bytes);
/* Tiles that load while they compute, as hexagons do on their way through the grid; rows take
 * "work" times as long as their points, also in memory if the problem streams.  Threads wait
 * for each other, so that everything takes "imbalance" times as long.
 */
struct cpu_terms cpu_overlapped_time(const struct cpu_problem *p, double work,
	double imbalance);
void cpu_report_text(struct text *t, const char *strategy,
	const struct cpu_terms *terms);
/* Print members of the open object. */
void cpu_report_json(struct json *j, const char *strategy,
	const struct cpu_terms *terms);

#endif
