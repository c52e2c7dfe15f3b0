/* What a run of the plain interpreter has. */
#ifndef TESTS_INTERPRETER_H
#define TESTS_INTERPRETER_H

#include "ir/reduction.h"

struct value {
	enum type type;
	int64_t i;		/* of an integer; of 64 bits without a sign: its bits */
	double r;		/* of a real: a value that it has */
};

/* What a field holds: copy c from "oldest" on, cells row by row. */
struct memory {
	const struct field *field;
	int64_t size[IR_MAX_DIMS], cells;
	int copies;
	bool *has_value;	/* of a temp, by cell, in this step */
	union {
		int8_t *i8;
		int16_t *i16;
		int32_t *i;
		int64_t *i64;
		float *f;
		double *d;
		void *any;
	};
};

struct state {
	struct region *mem;
	const struct program *prog;
	struct value *param;	/* as prog->param */
	struct memory *memory;	/* by field.index */
	int64_t begin, steps;
	int64_t done;		/* of these */
	int64_t t;		/* the step, from 0 */
	int64_t x[IR_MAX_DIMS];
	int64_t number;		/* of the point of a list .. */
	struct value own;	/* .. and its value so far */
	bool *leaves_grid;	/* a read has */
};

/* interpret-values.c */
/* End the program: there is no result. */
void give_up(const char *what);
struct value value_int(int64_t i);
/* The value of "type", an integer, that has the last bits of "i". */
struct value value_integer(enum type type, int64_t i);
struct value value_real(enum type type, double r);
struct value value_as(struct value v, enum type type);
bool truth(struct value v);
/* Cell "at" of "m". */
void store(const struct memory *m, int64_t at, struct value v);
struct value load(const struct memory *m, int64_t at);
struct value value_minus(struct value a);
/* Of two values of "type", the shifts aside. */
struct value value_int_binary(enum type type, enum op op, int64_t a, int64_t b);
struct value value_real_binary(enum type type, enum op op, double a, double b);
struct value value_shift(enum op op, struct value a, struct value by);
struct value value_call_float(enum op op, float a, float b, float c);
struct value value_call_double(enum op op, double a, double b, double c);

/* interpret-steps.c: expressions and statements, which read and write the memory of a
 * state.
 */
struct value eval(const struct state *s, const struct expr *e);
/* The cell along dimension "d" that "acc" reads at the index x, in the grid or not. */
int64_t cell_along(const struct access *acc, int d, int64_t x);
/* The coordinate in 0 .. n - 1 that a boundary has in place of "at". */
int64_t mapped(enum boundary_kind kind, int64_t at, int64_t n);
struct value eval_param(const struct state *s, const struct param *p);
/* Set s->x to the cell with this number of "m". */
void go_to_cell(struct state *s, const struct memory *m, int64_t cell);
/* No cell of a temp has a value yet. */
void begin_values(const struct memory *m);
/* Set s->number, and s->x to where "list" has it. */
void go_to_place(struct state *s, const struct list *list, int64_t number);
/* .. or to the cell "corner" of those around the point; false if it has no weight. */
bool go_to_corner(struct state *s, const struct listed *l, int corner);
/* Does "stmt" compute the point at s->x in step s->t: has each read that counts a meaning, and
 * does each condition hold?
 */
bool computes_point(const struct state *s, const struct stmt *stmt);
/* All steps, from the values that the fields have; s->done of them. */
void run_steps(struct state *s);

/* interpret-results.c: what is due of reductions after step s->t; does the loop end? */
bool reduce_step(struct state *s);
/* Has a series too few elements for what is due? */
bool some_series_too_short(const struct state *s);

struct interval {
	int64_t low, high;
};

/* interpret-places.c: values for "f" if it has places of points, some of which statements
 * compute; low > high: it has none.  Give "m" these.
 */
struct interval places_in(const struct state *s, const struct field *f);
void fill_places(const struct state *s, const struct memory *m);
/* Does a list have a point in a cell that no statement computes in each step? */
bool some_out_of_place(struct state *s);

/* interpret-ranges.c */

/* Where "stmt" runs along index "dim", conditions aside: in its grid, where
 * reads at fixed boundaries lie in theirs, and temps have values; low > high where
 * it does not, each as far as these ask for.
 */
struct interval range_of(const struct state *s, const struct stmt *stmt,
	int dim);
/* Is a grid too small for a boundary, where any statement has points, or a step
 * moves the steps that a state keeps?  "divided": each value that conditions on
 * the point choose counts alone, with the points that its own reads leave.  A
 * compiler divides where a value that is not chosen has no meaning, so that
 * it is free to say so where that alone finds it.
 */
bool some_too_small(const struct state *s, bool divided);

#endif
