/* The model's output for programs. */
#include "base/json.h"
#include "model/terms.h"

static void print_terms(struct json *j, const struct term terms[], int n)
{
	json_open(j, "terms", '{');
	for (int i = 0; i < n; ++i)
		json_real(j, terms[i].name, terms[i].value);
	json_close(j, '}');
	json_line(j);
}

static void begin(struct json *j, const char *strategy,
	const struct machine *m, const struct switches *s)
{
	json_string(j, "strategy", strategy);
	json_string(j, "arch", m->name);
	json_string(j, "preset", s->preset);
	json_line(j);
}

static void print_nothing(struct json *j, const char *why)
{
	json_int(j, "feasible", 0);
	json_int(j, "within_10_percent", 0);
	json_open(j, "candidates", '[');
	json_close(j, ']');
	json_string(j, "why", why);
}

static void print_threads(struct json *j, const int64_t threads[], int n)
{
	json_open(j, "threads", '[');
	for (int i = 0; i < n; ++i)
		json_int(j, NULL, threads[i]);
	json_close(j, ']');
}

static void print_hex_point(struct json *j, const struct hex_candidate *c,
	int dims)
{
	char name[16];

	json_open(j, "tile", '{');
	json_int(j, "h", c->tile.h);
	for (int d = 0; d < dims; ++d) {
		snprintf(name, sizeof(name), "w%d", d);
		json_int(j, name, c->tile.w[d]);
	}
	json_close(j, '}');
	print_threads(j, c->threads, thread_dims(dims));
	json_int(j, "k", c->k);
	json_real(j, "predicted_s", c->predicted_s);
}

static const char *boxes_of(const struct hex_query *q)
{
	return q->shape->inner_multiple > 0 ? "aligned" : "paper";
}

/* Which tiles' rows are loops, or which tiles are left out, and why; nothing if
 * there are none.
 */
static void print_columnless(struct json *j, const struct hex_query *q,
	const struct hex_result *r)
{
	if (q->column_points <= 0)
		return;
	json_open(j, q->takes_loops ? "loops" : "left_out", '{');
	json_real(j, "points", r->columnless[HEX_MANY_POINTS]);
	json_real(j, "threads", r->columnless[HEX_OTHER_THREADS]);
	json_close(j, '}');
}

static void begin_candidates(struct json *j, double feasible, double within)
{
	json_real(j, "feasible", feasible);
	json_real(j, "within_10_percent", within);
	json_line(j);
	json_open(j, "candidates", '[');
}

static void begin_candidate(struct json *j)
{
	json_line(j);
	json_open(j, NULL, '{');
}

static void print_hex_candidate(struct json *j, const struct hex_candidate *c,
	int dims, bool by_loads)
{
	begin_candidate(j);
	print_hex_point(j, c, dims);
	json_real(j, "m_tile_bytes", c->shared_bytes);
	if (c->loops)
		json_string(j, "rows", "loops");
	if (by_loads)
		json_real(j, "loads_per_point", c->loads_per_point);
	json_close(j, '}');
}

void hex_dims_json(struct json *j, const struct hex_dim *dim, int n)
{
	if (!n)
		return;
	json_line(j);
	json_open(j, "hex_dims", '[');
	for (int i = 0; i < n; ++i) {
		begin_candidate(j);
		json_int(j, "hex_dim", dim[i].dim);
		if (dim[i].sizes) {
			json_string(j, "sizes", dim[i].sizes);
			json_real(j, "predicted_s", dim[i].predicted_s);
		} else {
			json_string(j, "why", dim[i].why);
		}
		json_bool(j, "taken", dim[i].is_taken);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void hex_report_json(struct json *j, const struct hex_query *q,
	const struct hex_result *r)
{
	struct term terms[MAX_TERMS];

	begin(j, hex_strategy_of(q), q->machine, q->switches);
	if (!r->found) {
		print_nothing(j, r->why);
		return;
	}
	print_hex_point(j, &r->candidate[0], q->shape->dims);
	json_line(j);
	print_terms(j, terms, hex_terms(r, terms));
	json_bool(j, "async", q->async);
	if (r->other_s > 0)
		json_real(j, "other_async_s", r->other_s);
	if (r->by_loads)
		json_string(j, "boxes", boxes_of(q));
	json_bool(j, "citer_estimated", q->work.is_estimated);
	json_line(j);
	json_string(j, "binding", r->terms.binding);
	json_string(j, "constraint", r->constraint);
	print_columnless(j, q, r);
	begin_candidates(j, r->feasible, r->within_10_percent);
	for (int i = 0; i < r->n_candidates; ++i)
		print_hex_candidate(j, &r->candidate[i], q->shape->dims,
			r->by_loads);
	json_close(j, ']');
	hex_dims_json(j, r->dim, r->n_dims);
}

static void print_traffic_point(struct json *j,
	const struct traffic_candidate *c, int dims)
{
	const int64_t *b = c->config.block;

	json_open(j, "tile", '{');
	json_int(j, "bx", b[0]);
	json_int(j, "by", b[1]);
	json_int(j, "bz", b[2]);
	json_int(j, "chunk_z", c->config.chunk_z);
	json_close(j, '}');
	print_threads(j, b, thread_dims(dims));
	json_real(j, "k", c->k);
	json_real(j, "predicted_s", c->predicted_s);
}

void traffic_report_json(struct json *j, const char *strategy,
	const struct machine *m, const struct switches *s, int dims,
	const struct traffic_result *r)
{
	struct term terms[MAX_TERMS];

	begin(j, strategy, m, s);
	if (!r->found) {
		print_nothing(j, r->why);
		return;
	}
	print_traffic_point(j, &r->candidate[0], dims);
	json_line(j);
	print_terms(j, terms, traffic_terms_of(&r->terms, terms));
	json_string(j, "binding", r->terms.binding);
	begin_candidates(j, r->feasible, r->within_10_percent);
	for (int i = 0; i < r->n_candidates; ++i) {
		begin_candidate(j);
		print_traffic_point(j, &r->candidate[i], dims);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void print_strip_point(struct json *j, const struct strip_candidate *c)
{
	json_string(j, "sizes", c->sizes);
	json_real(j, "predicted_s", c->predicted_s);
}

void strip_report_json(struct json *j, const struct machine *m,
	const struct switches *s, const struct strip_terms *terms_of,
	const struct strip_copies *copies,
	const struct strip_candidate *candidate, int n)
{
	struct term terms[MAX_TERMS];

	begin(j, "stream", m, s);
	print_strip_point(j, &candidate[0]);
	json_line(j);
	print_terms(j, terms, strip_terms_of(terms_of, terms));
	json_bool(j, "async", copies->ahead);
	if (copies->other_s > 0)
		json_real(j, "other_async_s", copies->other_s);
	json_string(j, "launch", launches_name(terms_of));
	json_string(j, "binding", terms_of->binding);
	json_open(j, "candidates", '[');
	for (int i = 0; i < n; ++i) {
		begin_candidate(j);
		print_strip_point(j, &candidate[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}
