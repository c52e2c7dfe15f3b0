/* The printers: each is a table of words and a few forms of its own. */
#ifndef STENCILC_PRINT_H
#define STENCILC_PRINT_H

#include "codegen/tree/tree.h"

/* print_kx.c: types and expressions ---------------------------------------*/

/* A target's words. */
/* Lines of text from runtime/. */
struct lines {
	const char *const *line;
	int n;
};

struct spelling {
	/* The text before operands: "f(" or "f(1, "; the axis follows a ".", the type a "_";
	 * constants have no operands.  NULL: as in C.
	 */
	const char *builtin[N_BUILTINS];
	const char *stream, *error, *graph, *graph_run, *capturing;	/* types */
	const char *dropped;	/* before a call whose error is ignored */
	const char *restricted;
	const char *extremes;	/* what the names of fmin and fmax begin with; NULL: nothing */
	const char *shared, *aligned;	/* before arrays */
	const char *runtime;		/* defined together with its types */
	const char *half, *bfloat;	/* classes of 16 bits; NULL: see
					 * numbers.c */
	const char *bits;	/* NULL, or a host type that holds both */
	/* Of targets for GPUs: how the harness times, how its ranks take devices. */
	struct lines harness, harness_of_ranks;
};

struct printer {
	const struct spelling *say;
	const struct kunit *unit;
};

#define TARGET(id, name, ...) extern const struct spelling spelling_##name;
#include "codegen/tree/targets.def"
#undef TARGET

const char *builtin_word(const struct spelling *say, enum builtin builtin);
void print_kx(struct text *t, const struct spelling *say, const struct kx *x);
/* In parentheses if it binds less than "least", a precedence of ir/ops.def. */
void print_operand(struct text *t, const struct spelling *say,
	const struct kx *x, int least);
void print_type(struct text *t, const struct spelling *say, struct ctype type);
/* "T name", "T *name" */
void print_declarator(struct text *t, const struct spelling *say,
	struct ctype type, const char *name);
/* An expression of parameters; fixed ones print as values. */
void print_size(struct text *t, const struct kunit *unit,
	const struct expr *e);

/* print.c: statements and functions ---------------------------------------*/

void print_directive(struct text *t, const struct directive *d);
/* "prefix" precedes the result's type. */
void print_function(struct text *t, const struct printer *p,
	const struct kfunc *f, const char *prefix);
void print_prototype(struct text *t, const struct printer *p,
	const struct kfunc *f);
/* The declarations for callers. */
void print_typedef(struct text *t, const struct kstruct *s);

/* numbers.c ----------------------------------------------------------------*/

/* Does a field, or a computed value, have this type? */
bool unit_has_type(const struct kunit *unit, enum type type);
/* Is it a type of <stdint.h>, or of 16 bits? */
bool unit_has_sized_types(const struct kunit *unit);
/* The types of 16 bits and their conversions, functions with "prefix". */
void print_numbers(struct text *t, const struct spelling *say,
	const struct kunit *unit, const char *prefix);

/* helpers.c ----------------------------------------------------------------*/

/* The prefix of the small functions that emitted code calls depends on their callers: anyone,
 * kernels, the harness.
 */
struct helper_prefix {
	const char *anywhere, *kernels, *harness;
	bool sorts;		/* does qsort() sort lists? */
};

/* "value" as a reduction returns it: zeros lose their sign, a NaN its bits. */
const char *reduce_returned(enum type type);
void print_helpers(struct text *t, const struct kunit *unit,
	const struct helper_prefix *prefix);

/* Defines OMP(..), which has an effect only with OpenMP. */
void print_omp(struct text *t);
/* Functions on fields of "prog" on several ranks that depend on no program. */
void print_mpi(struct text *t, const struct program *prog,
	const char *const *line, int n);
void print_lines(struct text *t, const char *const *line, int n);

/* The codes that NAME_strerror explains, up to "default". */
void print_status_cases(struct text *t, const struct kunit *unit);

/* choice.c -----------------------------------------------------------------*/

/* The data by which the code chooses tile sizes as it runs; NULL: sizes are numbers. */
const struct tile_choice *unit_choice(const struct kunit *unit);
/* Its types for callers; all of it. */
void print_tile_sizes(struct text *t);
void print_choice(struct text *t, const struct kunit *unit);
/* Does a file for GPUs have kernels in several sizes?  The code that chooses
 * among them.
 */
bool unit_has_variants(const struct kunit *unit);
bool unit_has_width(const struct kunit *unit);
/* .. whose kernels take the length of strips. */
bool unit_has_length(const struct kunit *unit);
void print_variants(struct text *t, const struct kunit *unit);

/* dump.c, gpu.c, and a printer for each target ----------------------------*/

/* The tree itself, for --emit=kernel. */
void kunit_print(struct text *t, const struct spelling *say,
	const struct kunit *unit);
/* All of a file but its harness. */
#define TARGET(id, name, ...) \
	void print_##name(struct text *t, const struct kunit *unit);
#include "codegen/tree/targets.def"
#undef TARGET
/* What follows the harness. */
void print_end_of_gpu(struct text *t, const struct kunit *unit);

#endif
