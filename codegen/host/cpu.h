/* What the files of the C target share. */
#ifndef STENCILC_CODEGEN_CPU_H
#define STENCILC_CODEGEN_CPU_H

#include "codegen/forms.h"
#include "codegen/host/host.h"
#include "codegen/place.h"

enum { LINE_BYTES = 64 };		/* of the caches */

/* How the function runs all steps as C. */
struct cpu_run {
	struct ks *body;	/* declarations before the parallel region */
	struct ks *region, *in, *out;	/* the region itself; copies from the
					 * caller's states to ours, and back */
	const char *failed;	/* was set if a thread got no memory; with two
				 * grids only */
	struct kfunc **functions;	/* functions that it calls, up to NULL;
					 * or NULL */
	bool walks_planes;	/* goes from a cell to the same cell of the next
				 * plane */
};

static inline bool cpu_has_two_grids(const struct host *h)
{
	return h->plan && h->run->has_two_grids;
}

static inline bool cpu_is_in_place(const struct host *h)
{
	return h->plan && h->run->is_in_place && h->run->is_in_place(h->plan);
}

/* Does the code keep "f" in its own memory? */
static inline bool cpu_is_owned(const struct field *f)
{
	return f->kind == FIELD_STATE || f->kind == FIELD_TEMP || f->made_of;
}

/* Does a run in segments work on copies of the caller's arrays, which get the results once all is
 * done?  Hexagons that go on where a value is due, and leave values in series alone, work in the
 * caller's.
 */
bool cpu_runs_on_copies(const struct host *h);
/* Versions of "f" that the run gets from its caller, or finds in the copies. */
int cpu_versions(const struct host *h, const struct field *f);

/* cpu.c ----------------------------------------------------------------- */

/* The copies of "f" in our memory, as many as the code allocates and tells
 * apart there; tiles use the caller's, too.
 */
int cpu_copies(const struct host *h, const struct field *f);
/* Does our memory of "f" have rows of its own layout, not the caller's? */
bool cpu_is_padded(const struct host *h, const struct field *f);
/* The bytes of all copies of "f" in that case. */
const struct kx *cpu_padded_bytes(const struct host *h, const struct field *f);

/* Where the cells of a field lie: as in the caller's arrays; in rows of an odd number of whole
 * lines, in planes of an odd number of rows; or in rows and planes moved apart, see cpu_apart.c.
 * CPU_OF_FORM is as form_run.extent() says.  The caller's: densely, with both parts of complex numbers.
 */
enum cpu_layout { CPU_DENSE, CPU_CALLERS, CPU_ODD_LINES, CPU_APART, CPU_OF_FORM };

/* The extent of "f" in dimension "d", the first index of an array apart. */
const struct kx *cpu_extent(const struct host *h, const struct field *f, int d,
	enum cpu_layout layout);
/* An array of "copies" copies of "f" as a parameter. */
struct kparam cpu_array(const struct host *h, const struct field *f,
	const char *var, int copies, enum cpu_layout layout);
void cpu_add_array(const struct host *h, struct kfunc *to,
	const struct field *f, const char *var, int copies,
	enum cpu_layout layout);
/* The layout of the array that the run gets for the caller's "f". */
enum cpu_layout cpu_layout_of_user(const struct host *h, const struct field *f);
/* "size" cells of "line" a line of the cache, in an odd number of whole lines. */
const struct kx *cpu_in_odd_lines(const struct host *h, const struct kx *size, int line);
/* .. and of our own copies. */
enum cpu_layout cpu_layout_of_copies(const struct host *h,
	const struct field *f);
/* static void NAME_run_SUFFIX(params): a function that the run calls */
struct kfunc *cpu_function(const struct host *h, const char *suffix);
/* A cell of the caller's array of a state. */
const char *cpu_user_name(const struct host *h, const struct field *f);

/* "barrier", or the implicit one of the last loop of "block". */
void cpu_add_barrier(const struct host *h, struct ks *block);
/* One step, statement after statement; all steps, each "step", between the copies. */
struct ks *cpu_time_step(const struct host *h);
void cpu_add_sweeps(const struct host *h, const struct cpu_run *run,
	struct ks *step);

/* A context for the program's arrays, where each step of time is a tile; at no
 * statement yet.
 */
struct place cpu_place(const struct host *h);
struct cursor cpu_cursor(const struct place *place);
/* The instance of c->stmt at the named time and point. */
struct ks *cpu_instance(const struct cursor *c);
/* { [t, x] } as { [x] }, t a parameter; without a time loop it is 0 */
__isl_give isl_set *cpu_at_time(const struct host *h, __isl_take isl_set *set);
/* { params : the current time is a step }. This does not imply that a statement has a point: a
 * grid may be too small for its reads.
 */
__isl_give isl_set *cpu_times(const struct host *h);
/* { S[t, x] : what "s" reads lies in the grid along the last dimension } */
__isl_give isl_set *cpu_inside_along_rows(const struct scop_stmt *s);
/* The current point of "f" in array "var", in copy "copy" if it has several. */
const struct kx *cpu_cell(const struct host *h, const struct field *f,
	const char *var, int copies, const struct kx *copy);
/* "assignments" for each cell of "f", shared out as the statements are: memory
 * belongs to the thread that touches it first.
 */
void cpu_add_copies(const struct host *h, struct ks *block,
	const struct field *f, struct ks *assignments);
/* Mark "region" if it has loops that OMP_RUNTIME shares out: their schedule depends on the
 * number of threads.
 */
void cpu_deal_tiles(const struct host *h, struct ks *region);
/* Nests whose instances may run in any order, for all threads: outer loops are
 * shared out, one thread does what has no loop.  Each thread has its own copy
 * of declared variables.
 */
struct ks *cpu_share_out(const struct host *h, struct ks *s);

/* "s", with vectors for loops that contain no loop. */
struct ks *cpu_vectorise(const struct host *h, struct ks *s);

/* cpu_apart.c ----------------------------------------------------------- */

/* May the code move the rows and planes of "f" apart? */
bool cpu_may_be_apart(const struct host *h, const struct field *f);
/* Does the run have its own array in place of the caller's "f"? */
bool cpu_is_moved(const struct host *h, const struct field *f);
/* The run's parameter that says how far apart. */
const char *cpu_apart_name(const struct host *h);
/* "size" of dimension "d" of "f", moved apart. */
const struct kx *cpu_apart_extent(const struct host *h, const struct field *f,
	int d, const struct kx *size);
/* Functions: NAME_apart(params) says how far apart for these sizes, or NULL;
 * NAME_spread(params, apart, A_apart, A, ..) copies the caller's arrays to those of the run;
 * NAME_gather copies states back.
 */
struct cpu_moves {
	struct kfunc *apart, *spread, *gather;
};

/* The moves of a run that walks along planes, or by segments; NULL for other
 * runs.
 */
const struct cpu_moves *cpu_moves_new(const struct host *h);
/* const int apart = NAME_apart(params), if rows move apart */
void cpu_declare_apart(const struct host *h, struct ks *block,
	const struct cpu_moves *moves);
/* The array, moved apart, with the caller's versions of "f". */
const char *cpu_apart_array(const struct host *h, const struct field *f);

/* cpu_memory.c ---------------------------------------------------------- */

/* Does "run", or its call, need memory for some sizes? */
bool cpu_takes_memory(const struct host *h, const struct kfunc *run);
/* size_t NAME_memory(params): the bytes that a run needs. */
struct kfunc *cpu_memory_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run, const struct cpu_moves *moves);
const char *cpu_memory_name(const struct host *h);
/* The pointer to our copies of "f" in that memory, which the first copies
 * start.
 */
const char *cpu_copies_name(const struct host *h, const struct kfunc *run,
	const struct field *f);
/* Do our copies of "f" lie half a page off the caller's array? */
bool cpu_is_half_a_page_off(const struct host *h, const struct field *f);
/* Declare the pointers to all copies but the first; the pointers to arrays
 * moved apart.
 */
void cpu_declare_copies(const struct host *h, struct ks *b,
	const struct kfunc *run);
void cpu_declare_arrays_apart(const struct host *h, struct ks *b,
	const struct kfunc *run);
/* a + b, bytes of which NULL is 0 */
const struct kx *cpu_plus(const struct host *h, const struct kx *a,
	const struct kx *b);
/* The pointers to what is kept for reductions, behind the copies. */
void cpu_declare_values_behind(const struct host *h, struct ks *b,
	const struct kfunc *run);

/* cpu_sizes.c ----------------------------------------------------------- */

/* Functions of a file whose tile sizes are arguments: NAME_choose(), and the run with sizes. */
struct cpu_choice {
	const struct kfunc *choose, *with_sizes;
};

bool cpu_has_sizes(const struct host *h);
/* h, or -1; w0, ..: parameters of the run and of the functions it calls. */
const char *cpu_size_name(const struct host *h, int i);
void cpu_add_sizes(const struct host *h, struct kfunc *f);
/* struct stencilc_sizes; the parameter of NAME_with_sizes(), and its members as the run has
 * them.
 */
struct ctype cpu_sizes_type(void);
const char *cpu_sizes_name(const struct host *h);
void cpu_add_sizes_argument(const struct host *h, struct kfunc *f);
void cpu_declare_sizes(const struct host *h, struct ks *b);
/* The bounds of the first segment, if there are segments: all but the last one are alike. */
void cpu_declare_segment(const struct host *h, struct ks *b);
struct kfunc *cpu_machine_function(const struct host *h);
struct kfunc *cpu_choose_function(const struct host *h,
	const struct kfunc *check);
/* NAME_choose() for the machine at hand; the run with the sizes of the harness. */
const struct kx *cpu_call_choose(const struct host *h,
	const struct cpu_choice *choice, const struct kx *sizes);
const struct kx *cpu_call_sized(const struct host *h,
	const struct cpu_choice *choice);
/* Return the result of the run with the chosen sizes. */
void cpu_add_chosen_run(const struct host *h, struct ks *b,
	const struct cpu_choice *choice);

/* cpu_entry.c ----------------------------------------------------------- */

/* The functions for users; "run" does all steps, or is NULL if there is nothing
 * to compute.  "choice" is NULL unless sizes are arguments.
 */
struct kfunc *cpu_entry_with_sizes(const struct host *h,
	const struct kfunc *check, const struct kfunc *run,
	const struct cpu_moves *moves, bool takes_memory);
struct kfunc *cpu_entry_with_memory(const struct host *h,
	const struct kfunc *check, const struct kfunc *run,
	const struct cpu_moves *moves, const struct cpu_choice *choice);
/* static int NAME_sized(): NAME() with the sizes of the harness, which calls it. */
struct kfunc *cpu_entry_sized(const struct host *h, const struct kfunc *memory,
	const struct cpu_choice *choice);
struct kfunc *cpu_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run, const struct kfunc *memory,
	const struct kfunc *with_memory, const struct cpu_choice *choice);

/* The run's own array for parameter "param", a field's name; or NULL. */
const struct kx *cpu_own_argument(const struct host *h, const char *param);
/* Call the run on arrays of its own. */
const struct kx *cpu_call_own(const struct host *h, const struct kfunc *run);

/* cpu_unit.c: the functions of <math.h> that reductions call. */
void cpu_note_math_of_reductions(struct kunit *unit, const struct program *p);

/* sums.c ---------------------------------------------------------------- */

/* Add up the longest sum of each of the values of "rows" rows, which differ
 * only in the row, in "block", a few terms of each at a time, and use it in
 * value[row].  False if the sum is short: nothing changes.
 */
bool sums_side_by_side(struct region *r, const struct program *prog,
	struct ks *block, const struct kx **value, int rows);

#endif
