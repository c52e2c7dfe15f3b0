/* How models describe their results, as text and as JSON. */
#ifndef STENCILC_MODEL_REPORT_H
#define STENCILC_MODEL_REPORT_H

#include "base/json.h"
#include "model/query.h"
#include "model/strips.h"
#include "model/traffic.h"

/* The best tile with its hexagons in one of the dimensions. */
struct hex_dim {
	int dim;
	const char *name;
	bool is_taken;
	const char *sizes;		/* "h=3 w0=7 w1=64", or NULL .. */
	const char *why;		/* .. why there is none */
	double predicted_s;
	double loads_per_point;		/* if loads are minimised, else 0 */
};

/* "hexagons in i: h=3 w0=7 w1=64, 1.2 ms, taken", without a line's end */
void hex_dim_print(struct text *t, const struct hex_dim *dim);
/* The result for each of "n" dimensions; as a member of an object, preceded by
 * a comma.  Nothing if "n" is 0.
 */
void hex_dims_text(struct text *t, const struct hex_dim *dim, int n);
void hex_dims_json(struct json *j, const struct hex_dim *dim, int n);
/* As text; as members of the open object. */
void hex_report_text(struct text *t, const struct hex_query *q,
	const struct hex_result *result);
void hex_report_json(struct json *j, const struct hex_query *q,
	const struct hex_result *result);
void strip_report_text(struct text *t, const struct machine *m,
	const struct switches *s, const struct strip_terms *terms,
	const struct strip_copies *copies,
	const struct strip_candidate *candidate, int n);
void strip_report_json(struct json *j, const struct machine *m,
	const struct switches *s, const struct strip_terms *terms,
	const struct strip_copies *copies,
	const struct strip_candidate *candidate, int n);
void traffic_report_text(struct text *t, const char *strategy,
	const struct machine *m, const struct switches *s, int dims,
	const struct traffic_result *result);
void traffic_report_json(struct json *j, const char *strategy,
	const struct machine *m, const struct switches *s, int dims,
	const struct traffic_result *result);

#endif
