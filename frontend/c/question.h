/* What the emitted file tests before it calls a region's function. */
#ifndef STENCILC_QUESTION_H
#define STENCILC_QUESTION_H

#include "frontend/c/stencil.h"

/* Conditions that must hold, each once; elsewhere the loops run as they are.  There must be work, too. */
struct c_question {
	struct c_asked {
		const char *text;	/* in C */
		isl_set *params;	/* .. of which it holds; NULL: not known */
		struct c_asked *next;
	} *asked;
	const char *work;	/* what the loops execute; NULL: nothing yet */
};

/* Add the conditions of "p". */
void add_questions(struct c_question *q, const struct c_program *p);
/* Ask "text" as well, unless that has been asked. */
void ask_question(const struct stencil *s, struct c_question *q, struct text *text);
/* "a", in parentheses where others follow it behind "&&". */
void print_asked(struct text *t, const struct c_asked *a);
/* "if (.. && ..) {" */
void print_question(struct text *t, const struct c_question *q);
/* The work from which on it calls. */
void print_least(struct text *t);
/* Is the stencil of one of "programs" such? */
bool some_stencil(const struct c_program *programs,
	bool (*is)(const struct stencil *s));
/* What it tests with, if one of "programs" needs it. */
void print_repeats_question(struct text *t, const struct c_program *programs);
void print_apart(struct text *t, const struct c_program *programs);
/* A number, in parentheses if it is negative. */
void print_literal(struct text *t, const struct c_expr *e);
/* The first element of the field. */
void print_address(struct text *t, const struct stencil *s,
	const struct c_field *f);
/* Check that the file can tell whether pointers point into one array; false after a diagnostic. */
bool aliases_are_told(struct stencil *s);
bool asks_about_pointers(const struct stencil *s);
/* It asks about pointers, and another part moves some. */
void refuse_moves(struct stencil *s);

#endif
