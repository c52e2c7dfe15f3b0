/* The harness's main(), as far as targets share it, and what the text of each
 * target calls.
 */
#ifndef STENCILC_HARNESS_H
#define STENCILC_HARNESS_H

#include "codegen/kernel.h"

struct main_style {
	/* Of the harness, after what is shared: how cells are made and compared, of int,
	 * float and double alone, or of all types; the rest.
	 */
	struct main_text {
		const char *const *line;
		int n;
	} cells, sized, rest[3];
	const char *call;		/* what stands before a function */
	/* Statements that declare "name" with new data of "f"; variables that
	 * the timed runs work on; copy to them; run; free.
	 */
	void (*declare)(struct text *t, const struct kunit *unit,
		const struct field *f, const char *name, const char *count);
	void (*timing)(struct text *t, const struct kunit *unit);
	void (*compare)(struct text *t, const struct field *f,
		const char *plain, const char *count);
	const char *free_timed;		/* a function */
	const char *start;		/* what main begins with; or NULL */
	const char *leave;		/* a function of its result; or NULL */
	/* All from data to what is said of them; NULL: with those above. */
	void (*body)(struct text *t, const struct kunit *unit,
		const struct main_style *style);
};

void print_main(struct text *t, const struct kunit *unit,
	const struct main_style *style);
/* The harness of a file for a GPU; "own" is what its language says otherwise, "ranks" with
 * MPI.
 */
void print_gpu_harness(struct text *t, const struct kunit *unit,
	struct main_text own, struct main_text ranks, const char *free_timed);
/* How the harness of C calls the type. */
char harness_letter(enum type type);

/* Of a file with MPI; "own" is of a GPU, or NULL. */
void print_harness_of_ranks(struct text *t, const struct kunit *unit,
	const struct main_text *own);
/* Variables of main for "f": its cells, what the timed runs work on, what the plain loops
 * do.
 */
const char *main_count(const struct kunit *unit, const struct field *f);
const char *main_timed(const struct kunit *unit, const struct field *f);
const char *main_plain(const struct kunit *unit, const struct field *f);
/* Parts of main: the number of cells of "copies" copies; what is said of an error, and of
 * the time.
 */
void print_cells(struct text *t, const struct kunit *unit,
	const struct field *f, int copies);
/* Those of points of lists that "f" has lie where statements compute some. */
void print_places(struct text *t, const struct kunit *unit,
	const struct field *f);
void print_run_error(struct text *t, const struct program *prog,
	const struct main_style *style);
void print_speed(struct text *t, const struct kunit *unit);
/* The arguments of a call, fields by what "name" says. */
void print_arguments_of(struct text *t, const struct kunit *unit,
	const char *(*name)(const struct kunit *unit, const struct field *f));
/* harness.c: has "f" places of points of lists?  Then the statements that they follow run at
 * "first" .. "end" - 1 in all of these dimensions.
 */
bool plain_places(const struct kunit *unit, const struct field *f,
	int64_t *first, const struct kx **end);
/* signature.c: the functions of a file, in JSON. */
void print_signature(struct text *t, const struct target *target,
	const struct kunit *unit);
/* The C header for the functions of a file. */
void print_header(struct text *t, const struct spelling *say,
	const struct kunit *unit);

#endif
