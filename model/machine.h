/* Machines: what the models know about a GPU or a CPU. */
#ifndef STENCILC_MODEL_MACHINE_H
#define STENCILC_MODEL_MACHINE_H

#include "base/base.h"

/* Another way to write the code is taken, or recommended, if its predicted time
 * is at most this part of the first one's: the model is no more accurate.
 */
#define MODEL_WORTH 0.95

/* machine.c, machines.def, values.def ------------------------------------*/

/* The time of an iteration of a loop body on all lanes of an SM. */
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

/* A level of an abstract machine, 2.5 of Gysi et al., "MODESTO" (ICS 2015), on which a group of
 * stencils is executed tile by tile.  A value of 0 is infinite.
 */
struct machine_level {
	const char *memory;	/* where its groups keep values: "L2" */
	const char *halo;	/* how their tiles get halos: "of", "hp", "hs" */
	int64_t tile[3];	/* innermost dimension first; 0: not tiled */
	double vertical_bytes_per_s, lateral_bytes_per_s, bytes;
	bool splits;		/* a group can have several children */
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
	int n_levels;		/* 0: graphs use the target's levels */
	struct machine_level level[MACHINE_MAX_LEVELS];
	uint64_t given;		/* bit v: value v comes from a document, a
				 * measurement or a file, and is no estimate */
};

/* The built-in machines, in a fixed order, without "host". */
int machine_count(void);
const char *machine_name(int i);
const char *machine_title(int i);
/* The built-in machine called "name", in "r", or NULL. */
const struct machine *machine_find(struct region *r, const char *name);
/* The machine for --arch=NAME|FILE: built in, "host", or a file.  NULL after a
 * diagnostic.
 */
const struct machine *machine_lookup(struct region *r, struct diags *d,
	const char *name);
/* Estimate each value of "m" that "given" lacks, from the others. */
void machine_estimate(struct machine *m);
/* The same for barriers by threads: each takes sync_s. */
void machine_estimate_barriers(struct machine *m);
/* The constants of [SU] where nobody fitted them: the paper's, and 0 for eta. */
void machine_estimate_traffic(struct machine *m);
/* The same for messages: a link of 100 Gbit/s. */
void machine_estimate_network(struct machine *m);
/* Does it have more threads than a core of a CPU? */
bool machine_is_gpu(const struct machine *m);
/* Does an NVIDIA GPU copy to shared memory by cp.async, not through registers? */
bool machine_copies_ahead(const struct machine *m);
/* The name of value "v" in machine files, and its meaning. */
const char *machine_value_name(enum machine_value v);
const char *machine_value_meaning(enum machine_value v);
double machine_value_of(const struct machine *m, enum machine_value v);
bool machine_is_estimate(const struct machine *m, enum machine_value v);
/* Is "v" one of the constants of the traffic model, which may be 0? */
bool machine_is_fitted(enum machine_value v);
/* tau_sync of a block of "threads" threads; 0: of any block. */
double machine_sync_s(const struct machine *m, double threads);
/* "m" as a machine file, with estimates marked; it parses to the same machine. */
void machine_print(struct text *t, const struct machine *m);

/* machine_file.c ---------------------------------------------------------*/

/* The machine described in "src", in "r".  NULL, after a diagnostic for each
 * mistake, if there is one.
 */
const struct machine *machine_parse(struct region *r, struct diags *d,
	const struct source *src);

/* levels.c ---------------------------------------------------------------*/

/* "level2.tile_x = 64": set this value of "m" to the word "value"; NULL, or
 * what is wrong with it.
 */
const char *machine_set_level(struct region *r, struct machine *m,
	const char *name, const char *value);
/* Does "name" belong to a level? */
bool machine_is_level(const char *name);
/* NULL, or what a level lacks. */
const char *machine_check_levels(struct region *r, const struct machine *m);
void machine_print_levels(struct text *t, const struct machine *m);

/* cores.c ----------------------------------------------------------------*/

/* What Linux tells of CPUs. */
#define CPU_FOLDER "/sys/devices/system/cpu"

/* The cores that this process may run on, however many hardware threads they
 * have, by hwloc or the system; "first_cpu" is one of their CPUs.
 */
int64_t cores_allowed(struct region *r, int *first_cpu);
/* The cores of the "allowed" ones among "n" CPUs, by the files in "folder"; one
 * core each where these do not tell.
 */
int64_t cores_of_cpus(const char *folder, const bool *allowed, int n);

/* rates.c ----------------------------------------------------------------*/

/* For one core; 0: not measured here. */
struct core_rates {
	double clock_hz;
	double sums_per_clock, loads_per_clock;		/* counted in vectors */
	double operations_per_clock;	/* .. sums and products, as many of both */
	double roots_per_clock;		/* of floats, in turns with divisions by these */
};

/* Measure this core with vectors of so many floats, for 30 ms. */
void core_measure_rates(int64_t lanes, struct core_rates *rates);

/* measured.c -------------------------------------------------------------*/

struct host_measured {
	const char *path;		/* the file with the measurements */
	struct core_rates rates;
	double bandwidth_bytes_per_s;
};

/* The kept measurements of this machine, where the process has "cores" cores with vectors of
 * "lanes", and the last cache has "cache_bytes": measures, for half a second, and keeps them if
 * there are none.  False if it can neither read nor keep them.
 */
bool host_measured(struct region *r, int64_t cores, int64_t lanes,
	int64_t cache_bytes, struct host_measured *h);

/* host.c -----------------------------------------------------------------*/

/* The machine that this runs on: a core counts as an SM. */
const struct machine *machine_host(struct region *r);

#endif
