/* Machines: what the models know of a GPU or a CPU. */
#ifndef STENCILC_MODEL_MACHINE_H
#define STENCILC_MODEL_MACHINE_H

#include "base/base.h"

/* Another way to write the code is taken, or recommended, if it is predicted to
 * take no more than this part of the time: the model is not better than that.
 */
#define MODEL_WORTH 0.95

/* machine.c, machines.def, values.def ------------------------------------*/

/* The time of one iteration of a loop body on all lanes of an SM. */
struct machine_citer {
	const char *stencil;
	double seconds;
};

/* One constant per numeric value of a machine, in the order of values.def. */
enum machine_value {
#define INTEGER_VALUE(name, need, meaning) MACHINE_##name,
#define REAL_VALUE(name, need, meaning) MACHINE_##name,
#include "model/values.def"
#undef INTEGER_VALUE
#undef REAL_VALUE
	MACHINE_VALUE_COUNT
};

/* A level of an abstract machine, 2.5 of Gysi et al., "MODESTO" (ICS 2015): what
 * a group of stencils is executed on tile by tile.  A value of 0 is infinite.
 */
struct machine_level {
	const char *memory;	/* where its groups keep values: "L2" */
	const char *halo;	/* how their tiles get halos: "of", "hp", "hs" */
	int64_t tile[3];	/* innermost dimension first; 0: not tiled */
	double vertical_bytes_per_s, lateral_bytes_per_s, bytes;
	bool splits;		/* a group may have several children */
};

enum { MACHINE_MAX_LEVELS = 6 };

struct machine {
	const char *name;	/* "gtx980" */
	const char *title;	/* "NVIDIA GeForce GTX 980" */
#define INTEGER_VALUE(name, need, meaning) int64_t name;
#define REAL_VALUE(name, need, meaning) double name;
#include "model/values.def"
#undef INTEGER_VALUE
#undef REAL_VALUE
	int n_citers;
	const struct machine_citer *citers;
	int n_levels;		/* 0: graphs have those of their target */
	struct machine_level level[MACHINE_MAX_LEVELS];
	uint64_t given;		/* bit v: value v comes from a document, a
				 * measurement or a file; else an estimate */
};

/* The machines built in, in a fixed order; "host" is not among them. */
int machine_count(void);
const char *machine_name(int i);
const char *machine_title(int i);
/* The built-in machine called "name", in "r", or NULL. */
const struct machine *machine_find(struct region *r, const char *name);
/* What --arch=NAME|FILE means: a built-in machine, "host", or a file.
 * NULL after a diagnostic.
 */
const struct machine *machine_lookup(struct region *r, struct diags *d,
	const char *name);
/* Give each value of "m" that "given" lacks an estimate, from the others. */
void machine_estimate(struct machine *m);
/* The same of barriers by threads: each is taken to be as any, sync_s. */
void machine_estimate_barriers(struct machine *m);
/* The constants of [SU] where none was fitted: the paper's, and 0 for eta. */
void machine_estimate_traffic(struct machine *m);
/* The same of messages: those of a link of 100 Gbit/s. */
void machine_estimate_network(struct machine *m);
/* Has it more threads than a core of a CPU? */
bool machine_is_gpu(const struct machine *m);
/* Does a GPU of NVIDIA's copy to shared memory by cp.async, not by registers? */
bool machine_copies_ahead(const struct machine *m);
/* The name of value "v", as it stands in a machine file, and its meaning. */
const char *machine_value_name(enum machine_value v);
const char *machine_value_meaning(enum machine_value v);
double machine_value_of(const struct machine *m, enum machine_value v);
bool machine_is_estimate(const struct machine *m, enum machine_value v);
/* Is "v" one of the constants of the traffic model, which may be 0? */
bool machine_is_fitted(enum machine_value v);
/* tau_sync of a block of "threads" threads; 0: of any. */
double machine_sync_s(const struct machine *m, double threads);
/* "m" as a machine file, estimates marked; parses to the same machine. */
void machine_print(struct text *t, const struct machine *m);

/* machine_file.c ---------------------------------------------------------*/

/* The machine that "src" describes, in "r".  NULL, after a diagnostic at each
 * mistake, if it describes none.
 */
const struct machine *machine_parse(struct region *r, struct diags *d,
	const struct source *src);

/* levels.c ---------------------------------------------------------------*/

/* "level2.tile_x = 64": set this of "m" to the word "value"; NULL, or what is
 * wrong with it.
 */
const char *machine_set_level(struct region *r, struct machine *m,
	const char *name, const char *value);
/* Is "name" one of a level? */
bool machine_is_level(const char *name);
/* NULL, or what a level lacks. */
const char *machine_check_levels(struct region *r, const struct machine *m);
void machine_print_levels(struct text *t, const struct machine *m);

/* cores.c ----------------------------------------------------------------*/

/* What Linux tells of CPUs. */
#define CPU_FOLDER "/sys/devices/system/cpu"

/* The cores that this process may run on, whatever hardware threads they have,
 * as hwloc tells, or the system; "first_cpu" is one of their CPUs.
 */
int64_t cores_allowed(struct region *r, int *first_cpu);
/* The cores that those of "n" CPUs belong to which are "allowed", by the files
 * in "folder"; one each where these do not tell.
 */
int64_t cores_of_cpus(const char *folder, const bool *allowed, int n);

/* rates.c ----------------------------------------------------------------*/

/* Of a core; 0: not measured here. */
struct core_rates {
	double clock_hz;
	double sums_per_clock, loads_per_clock;		/* of vectors */
};

/* Measure this core with vectors of so many floats, in 10 ms. */
void core_measure_rates(int64_t lanes, struct core_rates *rates);

/* measured.c -------------------------------------------------------------*/

struct host_measured {
	const char *path;		/* the file that keeps them */
	struct core_rates rates;
	double bandwidth_bytes_per_s;
};

/* What is kept of this machine, of which the process has "cores" with vectors of "lanes"
 * and whose last cache has "cache_bytes": measured, in half a second, and kept if that
 * was not done.  False if it can neither be read nor kept.
 */
bool host_measured(struct region *r, int64_t cores, int64_t lanes,
	int64_t cache_bytes, struct host_measured *h);

/* host.c -----------------------------------------------------------------*/

/* The machine that this runs on: a core counts as an SM. */
const struct machine *machine_host(struct region *r);

#endif
