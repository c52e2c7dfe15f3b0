/* What the files that follow values of strips share.  They execute the code of a strip for all
 * lanes of a block at once, with its loops over steps, rows, columns and the turns of a period unrolled.  A
 * register has the name of the cell that it holds, relative to its lane and to the iteration:
 *
 *	cell (f, version, a, r, c): version t0 + version of f at position
 *	o + n + a of the streamed dimension, r rows after the first of the
 *	lane, c columns after its first
 *
 * or, for an input, that cell of it.  A named register holds its value in each lane and
 * iteration in which a cell that the strip stores depends on it; elsewhere it may hold
 * anything. verify/strips/strips.c finds which cells those are.
 */
#ifndef STENCILC_VERIFY_LANES_H
#define STENCILC_VERIFY_LANES_H

#include "verify/code/code.h"
#include "verify/code/going.h"

/* Numbers ----------------------------------------------------------------- */

enum { ALONG, ROW, COLUMN, N_AXES };	/* of a strip, see struct strip_numbers */

/* Symbols that stay constant while a period is executed. */
enum symbol {
	ITERATION, LANE, WARP, FIRST_STEP, PASS,
	ORIGIN, N_SYMBOLS = ORIGIN + N_AXES
};

/* number + by[0]*symbol 0 + .. */
struct line {
	int64_t number;
	int by[N_SYMBOLS];
};

/* A cell of global memory, with the copy that the code selects. */
struct spot {
	const struct field *field;
	const struct kx *copy;	/* NULL: there is one */
	struct line at[N_AXES];	/* by axis */
};

/* A variable of the code that is not an array. */
struct named {
	const char *name;
	enum {
		LINE,
		AROUND,		/* a line modulo a size of the grid */
		SPOT,		/* a pointer to it */
		OTHER,
	} kind;
	struct line line;
	struct spot spot;
	const struct kx *is;	/* its declared value, if it never changes */
	bool is_stride;		/* of a type for numbers of cells: the distance
				 * along a dimension of a field */
	const struct field *stride_of;
	int stride_dim;
	bool is_free;		/* a pointer that gets its value later */
	int depth;		/* number of branches and loops around it */
	unsigned written;	/* how many changes of registers came before it */
	const struct local *same;	/* the let that it was shown to be */
	const struct named *next;
};

/* Registers --------------------------------------------------------------- */

struct computed;

struct held {
	enum {
		UNKNOWN,
		ZERO,		/* at the start of a strip */
		CELL,
		FETCHED,	/* a cell, except in lanes whose warp has no
				 * such neighbour */
		PART,		/* the value of an expression */
	} kind;
	const struct field *field;	/* of a cell */
	int version;		/* of a cell; of a part the step */
	int at[N_AXES];		/* of a part, the iteration */
	int lanes;		/* distance to the neighbour that it is fetched
				 * from */
	const struct computed *part;
	bool left, taken;	/* written in shared memory since the last
				 * barrier */
	unsigned stamp;
};

/* A register, or a variable, from which an expression was computed. */
struct leaf {
	struct held held;
	bool is_line;
	struct line line;
};

/* The value of "x" when its registers, and variables, were "leaf". */
struct computed {
	const struct kx *x;
	int n;
	struct leaf *leaf;
};

struct registers;

struct change {
	struct held *of, was;
};

/* A condition under which the code reaches its place. */
struct way {
	const struct kx *condition;
	bool holds;
	bool is_of_all;		/* all threads take the same way */
	bool is_loop;		/* the condition of the loop over iterations */
	const struct way *before;
};

/* A cell that is computed, loaded or stored, and when. */
struct point {
	enum {
		COMPUTED, LOADED,
		STORED,		/* which cell; .. */
		LEFT,		/* .. which version */
		REACHED,	/* which way */
		ELSEWHERE,
	} what;
	const struct stmt *stmt;	/* COMPUTED, .. */
	int step;			/* .. by this step, or -1 */
	struct held cell;
	int width;		/* columns from there on */
	int axis;		/* STORED: the stored version */
	bool is_of_column;	/* COMPUTED: in this column of a lane */
};

struct answer;

struct lanes {
	struct code *w;		/* for questions: it has no variables of its own
				 * .. */
	const struct variable *parameters;	/* .. but these */
	struct strip_numbers s;
	const struct kernel_names *names;
	const struct named *known;
	const struct registers *arrays;
	struct {
		struct change *change;
		int n, capacity, branches;
	} log;			/* changes of registers in branches */
	unsigned stamp, written;
	const struct way *way;
	int depth;
	struct {		/* over iterations; of those that store nothing: */
		bool is_in;
		const struct held *begun;	/* what registers hold behind
						 * them; NULL: there are none */
		int64_t end;	/* the first iteration there */
		int64_t now;	/* the first iteration of all, .. */
		bool is_known;	/* .. or, of these, the current one */
		struct going going;	/* of pointers */
	} loop;
	bool is_trial;		/* computed values are assumed to be right */
	struct {
		bool are_apart;	/* each has a strip of its own */
		bool have_begun;	/* those of all blocks of a cluster */
		bool arrived;	/* at its barrier, and have not waited */
	} warps;
	bool is_aligned;	/* strips begin at multiples of a lane's cells */
	isl_pw_aff *symbol[N_SYMBOLS], *x[N_AXES], *t, *m, *u, *column;
	isl_pw_aff *length;	/* of a strip */
	isl_set *range;		/* 0 <= u < period, .. */
	const struct answer *answers;
};

/* lines.c: numbers -------------------------------------------------------- */

const struct named *scalar_called(const struct lanes *l, const char *name);
struct named *declare_scalar(struct lanes *l, const char *name);
/* The line of "at" cells from where the lane and the iteration are, along
 * "axis".
 */
struct line line_along(const struct lanes *l, int axis, int64_t at);
/* "x" as a line; for x mod size only if "around" is not NULL. */
bool line_of(const struct lanes *l, const struct kx *x, struct line *line,
	bool *around);
bool number_in_code(const struct lanes *l, const struct kx *x, int64_t *n);
/* Does the condition depend on numbers alone?  Then does it hold? */
bool is_fixed_condition(const struct lanes *l, const struct kx *x, bool *holds);
/* Do they differ by a number? */
bool lines_are_apart(const struct line *a, const struct line *b, int64_t *by);
/* t0 + step */
struct line line_of_time(int64_t step);
bool has_threads(const struct line *line);
/* Does "x" ask, for all lanes, whether lists have a point in a box? */
bool asks_for_points(const struct lanes *l, const struct kx *x);
/* Is the condition the same for all threads, or for all of a warp? */
bool is_of_all_threads(const struct lanes *l, const struct kx *x);
/* All threads, at least of a warp, are at this place. */
bool all_go_one_way(const struct lanes *l);
int dim_of_axis(const struct lanes *l, int axis);
int axis_of_dim(const struct lanes *l, int d);

/* asked.c, reads.c: questions about sets --------------------------------------------- */

/* At this place, "p" is no instance of its statement; or, if not "runs", it is one; shown to be empty. */
bool never_differs(struct lanes *l, const struct point *p, bool runs);
/* At this place, "p" is an instance at which the condition holds, or fails; shown to be empty. */
bool never_comes_to(struct lanes *l, const struct point *p,
	const struct expr *condition, bool truth);
/* At this place, the cell of "p" lies in the grid; shown to be empty. */
bool is_never_in_grid(struct lanes *l, const struct point *p);
/* The ways that all threads take do not lead here. */
bool comes_nowhere(struct lanes *l);
/* No lane comes here with its column. */
bool is_never_there(struct lanes *l, const struct point *p);
/* Wherever the code is, the cell of "p" is one of the strip's own, of the
 * version that belongs to the copy.
 */
bool stores_right(struct lanes *l, const struct point *p,
	const struct kx *copy);
/* The copy holds this loaded version; -1: none. */
int version_loaded(struct lanes *l, const struct field *f,
	const struct kx *copy);
/* A lane has a neighbour in its warp where the last condition fails. */
bool has_neighbour_otherwise(struct lanes *l, int lanes);
bool is_after_last_step(struct lanes *l, int64_t step);
/* Is "x" the size of all states in dimension "d"? */
bool is_size(struct lanes *l, const struct kx *x, int d);
/* .. the program's time at "p"? */
bool is_time(struct lanes *l, const struct point *p, const struct kx *x);

/* listed.c: lists of points --------------------------------------------------- */

/* Did the code ask whether lists have points at "p", with the answer that they
 * have none?
 */
bool has_no_listed(struct lanes *l, const struct point *p);

/* same.c: values ------------------------------------------------------------- */

/* Is "x" the value of statement p->stmt at "p"? */
bool is_value_of(struct lanes *l, const struct point *p, const struct kx *x);
/* What "x" is computed from. */
const struct computed *part_of(struct lanes *l, const struct kx *x);
bool same_part(const struct held *a, const struct held *b);
/* In iteration "n", the content of a register that holds "h" in any iteration. */
struct held at_iteration(struct lanes *l, struct held h, int n);

/* moves.c ------------------------------------------------------------------- */

/* Where the pointer "x" points. */
bool spot_of(struct lanes *l, const struct kx *x, struct spot *spot);
/* Loads and stores of vectors; copies ahead to shared memory. */
bool move_cells(struct lanes *l, const struct kx *x);
bool copy_cells_ahead(struct lanes *l, const struct kx *x);
bool assign(struct lanes *l, const struct ks *s);

#endif
