/* What report.c, report_json.c and network.c share: the terms of predictions, for people and
 * for programs.
 */
#ifndef STENCILC_MODEL_TERMS_H
#define STENCILC_MODEL_TERMS_H

#include "model/model.h"

enum { MAX_TERMS = 40 };

/* A term of a prediction: its key, its value, its meaning. */
struct term {
	const char *name;
	double value;
	const char *meaning;
};

/* The terms of a prediction, at most MAX_TERMS; returns their number. */
int hex_terms(const struct hex_result *r, struct term terms[]);
int traffic_terms_of(const struct traffic_terms *t, struct term terms[]);
int strip_terms_of(const struct strip_terms *t, struct term terms[]);
const char *hex_strategy_of(const struct hex_query *q);
const char *launches_name(const struct strip_terms *t);
/* A line "  name value<tab>meaning": times in units of their size, four digits. */
void term_print(struct text *t, const struct term *term);
/* The dimensions of threads for a grid of "dims". */
int thread_dims(int dims);

#endif
