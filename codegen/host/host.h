/* What the files share that build the host side of an emitted file: host.c
 * (entries, the unit), checks.c, buffers.c (memory, the run), store.c
 * (results), launch.c (loops over time).
 */
#ifndef STENCILC_CODEGEN_HOST_H
#define STENCILC_CODEGEN_HOST_H

#include "codegen/kernel.h"

/* Return values of emitted functions beside error codes of the CUDA runtime. */
enum {
	STATUS_NEGATIVE = -1, STATUS_TOO_LARGE = -2, STATUS_NO_MEMORY = -3,
	STATUS_ASSUMPTION = -4, STATUS_TOO_SMALL = -5, STATUS_MISSES = -6,
	STATUS_PLACE = -7, STATUS_LANES = -8,
	STATUS_NOT_FINITE = -13, STATUS_SIZES = -14,
};

struct host {
	struct region *mem;
	struct kunit *unit;
	const struct program *prog;
	const struct scop *scop;
	const struct plan *plan;	/* n_plans of them */
	int n_plans;
	int n_kernels;			/* of the plans, or of all variants */
	const struct kernel_names *names;
	const char *error, *status, *out, *stream, *on_device;
	bool has_handles;	/* runs work in memory passed to them, .. */
	const char *memory, *in_place;	/* .. as these expressions say, .. */
	const char *padded;		/* .. and whether arrays have its rows */
	bool writes_last;	/* the last launch writes all results */
	struct kfunc **sort;		/* by list, see list_sort(); for a GPU
					 * gpu_places() */
	struct kfunc **reduce;		/* by reduction */
	struct kfunc *sums;		/* see gpu_sums(), or NULL */
	const struct form_run *run;	/* of the C target, see cpu.h */
	bool walks_planes;	/* its run moves rows apart, see cpu_apart.c */
};

/* Short names for the expressions that fill these files. */
static inline const struct kx *name(const struct host *h, const char *s)
{
	return kx_name(h->mem, s);
}

static inline const struct kx *integer(const struct host *h, int64_t value)
{
	return kx_int(h->mem, value);
}

static inline const struct kx *op(const struct host *h, enum op o,
	const struct kx *a, const struct kx *b)
{
	return kx_binary(h->mem, o, a, b);
}

/* host.c ---------------------------------------------------------------- */

/* "e", of parameters, computed in "c_type"; CT_NONE: without casts. */
const struct kx *host_param(const struct host *h, const struct expr *e,
	struct ctype c_type);

/* end - begin of the time loop, or of one segment; of all segments; of the loop as written, if
 * the time counts waves.
 */
const struct kx *host_steps(const struct host *h, struct ctype c_type);
const struct kx *host_written_steps(const struct host *h, struct ctype c_type);
const struct kx *host_whole_steps(const struct host *h, struct ctype c_type);

/* for (size_t var = first; var < end; var += step) body */
struct ks *host_loop(const struct host *h, const char *var,
	const struct kx *first, const struct kx *end, const struct kx *step,
	struct ks *body);
/* The number of cells of one copy of "field", in "c_type". */
const struct kx *host_cells(const struct host *h, const struct field *field,
	struct ctype c_type);

/* a || b; "a" may be NULL. */
const struct kx *host_either(const struct host *h, const struct kx *a,
	const struct kx *b);

/* { sizes for which there is an instance }; NULL: all */
const struct kx *host_computes_something(const struct host *h);
/* { sizes for which there is no instance }; NULL: none */
const struct kx *host_computes_nothing(const struct host *h);
/* if (condition) return status; nothing for a NULL condition. */
void host_return_if(const struct host *h, struct ks *block,
	const struct kx *condition, int status);

/* CHECK(params), of the whole time range. */
const struct kx *host_check_call(const struct host *h,
	const struct kfunc *check);
/* const int status = CHECK(params); if (status) return status; */
void host_check_first(const struct host *h, struct ks *block,
	const struct kfunc *check);

/* const int var = value; */
void host_declare_int(const struct host *h, struct ks *block, const char *var,
	const struct kx *value);

/* Leave by the function's exit if "call" of the runtime fails. */
struct ks *host_checked(const struct host *h, const struct kx *call);

/* A function without parameters and statements, named by "fmt" of the
 * program's name.
 */
struct kfunc *host_function(const struct host *h, const char *fmt,
	struct ctype c_type);
/* The name of the function for all steps: with handles NAME_run() is the
 * caller's.
 */
const char *host_run_name(const struct host *h);

/* Add the params that are not fixed; with segments' own among them, or without these, which are
 * variables where the code runs all segments.
 */
void host_add_params(const struct host *h, struct kfunc *f);
void host_add_params_of_all(const struct host *h, struct kfunc *f);

/* [const] TYPE * */
/* The parameters of the emitted functions: params and fields in the order
 * declared.
 */
void host_add_arguments(const struct host *h, struct kfunc *f);
struct kparam host_argument(const struct argument *arg);
/* Give components of arguments names in "b". */
void host_declare_parts(const struct host *h, struct ks *b);

/* checks.c -------------------------------------------------------------- */

/* The disjunction of "size OP bound" over all different sizes of fields; NULL
 * if all are constants.
 */
const struct kx *host_some_size(const struct host *h, enum op o,
	int64_t bound);

/* A size is 0, there are no "steps" (may be NULL), or a grid is too small for
 * its boundaries and no statement has a point; NULL if that never happens.
 */
const struct kx *host_nothing_runs(const struct host *h,
	const struct kx *steps);

/* static int NAME_check(params): 0, or why the arguments cannot be used */
struct kfunc *host_check(const struct host *h);

/* buffers.c ------------------------------------------------------------- */

/* How many passes the steps take; the copy of version "version" <= 0 of "f" behind "passes" of them,
 * the last one being 0.
 */
const struct kx *host_passes(const struct host *h);
const struct kx *host_copy_after(const struct host *h, const struct field *f,
	const struct kx *passes, int version);
/* A buffer of the run's own, a variable, which the run frees at its end.  With handles it is
 * the next part of the run's memory.
 */
void host_new_buffer(const struct host *h, struct ks *block,
	const char *buffer, enum scalar scalar, const struct kx *bytes);
/* .. and takes so many bytes of it. */
const struct kx *host_part(const struct host *h, const struct kx *bytes);
void host_free_buffer(const struct host *h, struct ks *block,
	const char *buffer);

/* static int NAME_run(params, const float *A_in, float *A_out, .., stream): all
 * steps by "kernels", one for each plan, and by "store", NULL if there is none.
 */
struct kfunc *host_run(const struct host *h, struct kfunc *const *kernels,
	struct kfunc **store);

/* arrays.c: those of the caller ------------------------------------------- */

/* The arrays from which the run reads a field and to which it writes it, its parameters; the one
 * of both that kernels may use.
 */
const char *host_in_name(const struct host *h, const struct field *f);
const char *host_out_name(const struct host *h, const struct field *f);
const char *host_callers_name(const struct host *h, const struct field *f);
/* The rows of a copy. */
const struct kx *host_rows(const struct host *h, const struct field *f);
/* Are rows of our copies padded?  Variables for the bytes of a row, and those from a row to the
 * next in the caller's memory and in ours.
 */
bool host_is_padded(const struct host *h, const struct field *f);
const char *host_row_name(const struct host *h, const struct field *f);
const char *host_step_name(const struct host *h, const struct field *f);
const char *host_pitch_name(const struct host *h, const struct field *f);
/* May kernels use the caller's array where it is? */
bool host_is_in_place(const struct host *h, const struct field *f);
/* .. to write it?  Only statements do, and it has one copy. */
bool host_is_written_in_place(const struct host *h, const struct field *f);
/* It lies on the device, laid out as our own. */
const struct kx *host_may_be_in_place(const struct host *h,
	const struct field *f);
/* Does one launch, the last one, write all results, each an output?  Nothing that fails comes
 * after it.
 */
bool host_writes_last(const struct host *h, struct kfunc *const *kernels);

/* gpu_memory.c ---------------------------------------------------------- */

/* int NAME_pitch(params, size_t *..): from row to row of padded arrays */
struct kfunc *gpu_pitch(const struct host *h, const struct kfunc *check);
/* size_t NAME_memory(params): the bytes of all buffers */
struct kfunc *gpu_memory(const struct host *h, const struct kfunc *check,
	struct kfunc *const *kernels);
/* "run" in memory that it allocates and frees. */
struct kfunc *gpu_own_memory(const struct host *h, const struct kfunc *memory,
	const struct kfunc *run);
/* buffers.c: to NAME_pitch() a pointer for each array, and what it gets. */
void host_add_pitches(const struct host *h, struct kfunc *f);
/* Declare what "work" needs to know of the sizes of fields; the bytes of all buffers. */
void host_declare_sizes(const struct host *h, struct ks *block,
	const struct ks *work, struct kfunc *const *kernels);
const struct kx *host_buffers_bytes(const struct host *h,
	struct kfunc *const *kernels);
/* The parameters of a run, except its memory. */
void host_add_run_params(const struct host *h, struct kfunc *f);
/* .. and that, where there are plans. */
void host_add_memory_params(const struct host *h, struct kfunc *f);

/* store.c --------------------------------------------------------------- */

/* Copy "from" to copy "copy" of the caller's field, "to". */
struct result {
	const struct field *field;
	int copy;
	const struct kx *from, *to;
};

/* A kernel that stores all "n" results, and its launch. */
struct kfunc *host_store(const struct host *h, const struct result *result,
	int n);
struct ks *host_launch_store(const struct host *h, const struct kfunc *store,
	const struct result *result, int n);

/* launch.c -------------------------------------------------------------- */

/* How many wavefronts diagonal tiles form up to the time "last":
 *
 *	last + floor((last point + shift + last*drift) / (pitch - drift)) + 1
 */
const struct kx *host_wavefronts(const struct host *h, const struct kx *last);

/* The launch of phase "phase" of one T. */
struct ks *host_launch(const struct host *h, const struct plan *plan,
	int phase, const struct kfunc *kernel);
/* What precedes launches: sorting lists of points.  All launches of all steps, or of a segment. */
void host_begin_launches(const struct host *h, struct ks *block,
	struct kfunc *const *kernels);
void host_launches(const struct host *h, struct ks *block,
	struct kfunc *const *kernels);

/* resident.c ------------------------------------------------------------ */

/* All T by one launch of "kernel" if its blocks can be resident together, else
 * "direct".
 */
struct ks *host_resident(const struct host *h, const struct kfunc *kernel,
	struct ks *direct);

/* lanes.c --------------------------------------------------------------- */

/* Leave with STATUS_LANES if the device's warps do not have unit->lanes threads. */
struct ks *host_ask_lanes(const struct host *h);

/* slabs.c ----------------------------------------------------------------*/

/* How many of the "n" plans from "plans" on run slab by slab with the first; 1 if it runs
 * alone.
 */
int plans_of_slab(const struct plan *plans, int n);
/* "body" for each slab of these plans, in a block with a scope. */
struct ks *slab_loop(const struct host *h, const struct plan *plans, int n,
	struct ks *body);
/* tile_of_edge() for a plan that runs in slabs, clipped to the current one. */
const struct kx *tile_to_launch(struct region *r, const struct plan *plan,
	const struct kernel_names *names, const struct kx *phase, int dim,
	bool last);

#endif
