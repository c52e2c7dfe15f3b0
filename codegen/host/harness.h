/* What the targets share of the harness's main(), and the target's own text
 * that it calls.
 */
#ifndef STENCILC_HARNESS_H
#define STENCILC_HARNESS_H

#include "codegen/kernel.h"
#include "codegen/tree/print.h"

enum { HARNESS_PARTS = 5 };

struct main_style {
	/* Text of the harness, after the shared one: how cells are made and compared, for int,
	 * float and double alone or for all types; the rest.
	 */
	struct lines cells, sized, rest[HARNESS_PARTS];
	const char *call;		/* prefix of a function */
	/* Statements that declare "name" with new data of "f"; variables for
	 * the timed runs; a copy to them; a run; frees.
	 */
	void (*declare)(struct text *t, const struct kunit *unit,
		const struct field *f, const char *name, const char *count);
	void (*timing)(struct text *t, const struct kunit *unit);
	void (*compare)(struct text *t, const struct field *f,
		const char *plain, const char *count);
	const char *free_timed[2];	/* a call up to its argument, in two pieces */
	const char *start;		/* statements at the beginning of
					 * main(); or NULL */
	const char *leave;		/* a function to apply to its result; or
					 * NULL */
	/* All of main() from data to messages; NULL: made of the members above. */
	void (*body)(struct text *t, const struct kunit *unit,
		const struct main_style *style);
};

void print_main(struct text *t, const struct kunit *unit,
	const struct main_style *style);
/* What the harness of C calls the type. */
char harness_letter(enum type type);

/* The harness of a file with MPI; "own" is for a GPU, or NULL. */
void print_harness_of_ranks(struct text *t, const struct kunit *unit,
	const struct lines *own);
/* Variables of main() for "f": its cells, the copies for timed runs and for the plain loops. */
const char *main_count(const struct kunit *unit, const struct field *f);
const char *main_timed(const struct kunit *unit, const struct field *f);
const char *main_plain(const struct kunit *unit, const struct field *f);
/* Parts of main(): the number of cells of "copies" copies; the messages about an error and
 * about the time.
 */
void print_cells(struct text *t, const struct kunit *unit,
	const struct field *f, int copies);
/* Let the places of points of lists in "f" lie where statements compute points. */
void print_places(struct text *t, const struct kunit *unit,
	const struct field *f);
void print_run_error(struct text *t, const struct program *prog,
	const struct main_style *style);
void print_speed(struct text *t, const struct kunit *unit);
/* The arguments of a call, fields as "name" prints them. */
void print_arguments_of(struct text *t, const struct kunit *unit,
	const char *(*name)(const struct kunit *unit, const struct field *f));
/* harness.c: does "f" hold places of points of lists?  Then an element is a sum of "n" places, each by its
 * stride, and the statements that the lists follow run at "first" .. "end" - 1: one place for all dimensions
 * in which it is a subscript, or one for each dimension of the cells that it numbers.
 */
struct plain_places {
	int n;				/* 0: it does not */
	struct plain_place {
		int64_t first;
		const struct kx *end, *stride;	/* NULL: 1 */
	} place[IR_MAX_DIMS];
};

struct plain_places plain_places(const struct kunit *unit,
	const struct field *f);
/* signature.c: the functions of a file, in JSON. */
void print_signature(struct text *t, const struct target *target,
	const struct kunit *unit);
/* The C header for the functions of a file. */
void print_header(struct text *t, const struct spelling *say,
	const struct kunit *unit);

#endif
