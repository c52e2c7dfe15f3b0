/* Plans in emitted files: a caller makes one for many runs.
 *
 *	NAME_create(NAME_plan **, sizes)	allocate their memory
 *	NAME_run(NAME_plan *, bounds, fields)	a run in it
 *	NAME_destroy(NAME_plan *)
 *
 * Bounds are the int parameters that only the bounds of the time loop use; all others are
 * sizes.
 */
#ifndef STENCILC_HANDLES_H
#define STENCILC_HANDLES_H

#include "codegen/host/host.h"

/* What the harness calls. */
struct handles {
	const struct kfunc *create, *run, *destroy;
	const bool *is_bound;		/* by parameter of the program */
};

/* Append the functions to those of h->unit.  "memory" says how many bytes a run needs, or is
 * NULL; "entry" is the run, in memory if it needs some; with a "choice", the run with sizes,
 * which a plan keeps.
 */
struct cpu_choice;
void cpu_handles(const struct host *h, const struct kfunc *check,
	const struct kfunc *memory, const struct kfunc *entry,
	const struct cpu_choice *choice);
void gpu_handles(const struct host *h, const struct kfunc *check,
	const struct kfunc *memory, const struct kfunc *entry);
/* Does a run on a GPU wait for its stream? */
bool unit_waits(const struct kunit *unit);
/* Is it an argument of create() or of run()? */
enum of_plan { SIZES, BOUNDS, FIELDS };
bool is_of_plan(const struct kunit *unit, const struct argument *arg,
	enum of_plan which);

/* handles.c: what processors and GPUs share -------------------------------- */

/* The pieces that functions of a file are made of. */
struct plans {
	const struct host *h;
	const struct kfunc *check, *memory, *entry;
	struct ctype type;		/* NAME_plan * */
	const char *plan, *made, *status, *bytes;	/* variables */
	const char *kept;		/* the member for memory */
	const char *sizes;		/* the member for tile sizes, or NULL */
	struct kstruct *record;
	const struct kstruct *before;	/* the next function; or NULL */
	struct handles *handles;
};

/* The struct holds sizes and memory at first. */
struct plans plans_of(const struct host *h, const struct kfunc *check,
	const struct kfunc *memory, const struct kfunc *entry);
void plans_add_member(const struct plans *p, struct ctype c_type,
	const char *name);
void plans_add_members(const struct plans *p, enum of_plan which);
/* A function with the plan as parameter, and with bounds and fields if it
 * "runs".
 */
struct kfunc *plans_function(const struct plans *p, const char *fmt,
	struct ctype c_type, bool runs);
void plans_add_params(const struct plans *p, struct kfunc *f,
	enum of_plan which);
/* Append it to the unit; the first one brings the struct. */
struct kfunc *plans_append(struct plans *p, struct kfunc *f);

void plans_add(const struct plans *p, struct ks *b, struct ks *s);
struct ks *plans_return(const struct plans *p, const struct kx *x);
struct ks *plans_free(const struct plans *p, const struct kx *pointer);
/* of->member */
const struct kx *plans_member(const struct plans *p, const char *of,
	const char *member);
/* const int N = plan->N, for each size; of->A = A, for each of a kind */
void plans_declare_sizes(const struct plans *p, struct ks *b);
void plans_assign(const struct plans *p, struct ks *b, const char *of,
	enum of_plan which);

/* entry(params, fields, plan->memory, stream), without what is absent */
const struct kx *plans_call(const struct plans *p, const struct kx *stream);

/* Zeros for a plan, or NULL. */
const struct kx *plans_new(const struct plans *p);
/* NAME_create(), with the status of its arguments; .. */
struct kfunc *plans_create(const struct plans *p, const char *comment);
/* .. "made" is declared, and gets its sizes and zeros; there is no plan yet; .. */
void plans_make(const struct plans *p, struct ks *b);
/* .. *plan = x; .. */
struct ks *plans_give(const struct plans *p, const struct kx *plan);
/* .. first, the bounds that it uses: 0, or "last" for the bound of the time. */
void plans_begin_with_bounds(const struct plans *p, struct kfunc *create,
	int last);
/* NAME_destroy(), which accepts NULL. */
struct kfunc *plans_destroy(const struct plans *p, const char *fmt);

/* harness-plans.c: NAME_planned(), which is NAME() by runs of a plan --------- */

struct kfunc *cpu_planned(const struct host *h);
struct kfunc *gpu_planned(const struct host *h);
/* Code for main() that makes, times and destroys a plan. */
void print_timed_plan(struct text *t, const struct kunit *unit);
void print_timed_run(struct text *t, const struct kunit *unit);
/* .. with other names of fields. */
void print_run_of_plan(struct text *t, const struct kunit *unit,
	const char *(*name)(const struct kunit *unit, const struct field *f));
void print_timed_end(struct text *t, const struct kunit *unit);

#endif
