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
	double specials;	/* of a step: roots, divisions and the like */
	double cache_bytes;	/* of a step, from and to the core's cache */
	double far_bytes;	/* of a step, from the cache that cores share */
	double points;		/* of a step, of all statements */
	double citer_s;		/* measured in the cache; 0: not known */
	int word_bytes;
	double efficiency;	/* of tiles: the part of full speed */
	bool streams;		/* rows that a processor sees come, one after the
				 * other, in three dimensions */
};

struct cpu_terms {
	const struct machine *machine;
	const char *sizes;	/* "h=8 w0=500", or NULL */
	double memory_s, cache_s, compute_s, barrier_s, predicted_s;
	double citer_s;		/* compute_s is by it, cache_s is 0 */
	const char *binding;
};

struct stencilc_times;

/* "m" as choose_hexagons.inc has it, with the model of hexagons that emitted code has, too. */
struct stencilc_machine cpu_cores(const struct machine *m);
/* "times" that it finds on "m"; citer_s as in struct cpu_problem. */
struct cpu_terms cpu_terms_of(const struct machine *m, double citer_s,
	const struct stencilc_times *times);

/* The part of what is used again after "bytes" others that a cache no longer has. */
double cpu_missing_part(double bytes, double cache);
/* What a row of so many bytes takes over what its points do, where rows are not long. */
double cpu_row_work(double bytes);
/* Sweeps of the grid, nothing kept in caches between them; rows take "work" times what
 * their points do.
 */
struct cpu_terms cpu_point_time(const struct cpu_problem *p, double work);
/* Tiles of "tile_bytes" that stay in a core's second-level cache for several
 * steps, and compute "redundancy" points for each of the result.
 */
struct cpu_terms cpu_tile_time(const struct cpu_problem *p, double redundancy,
	double tile_bytes);
/* Tiles that read on beside their work, as hexagons do that go through the grid; rows
 * take "work" times what their points do, of memory too if the problem streams, and
 * threads wait for each other so that all takes "imbalance" times as long.
 */
struct cpu_terms cpu_overlapped_time(const struct cpu_problem *p, double work,
	double imbalance);
void cpu_report_text(struct text *t, const char *strategy,
	const struct cpu_terms *terms);
/* Members of the object that is open. */
void cpu_report_json(struct json *j, const char *strategy,
	const struct cpu_terms *terms);

#endif
