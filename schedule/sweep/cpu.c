/* The strategy point of the C target. */
#include "schedule/strategies.h"

/* The strategy point: plain nests, a sweep of the grid for each statement. */
static const char *point_applies(const struct scop *scop)
{
	(void) scop;
	if (!deps_advance(scop->deps))
		return "its dependences do not advance in time";
	return NULL;
}

/* Traffic ----------------------------------------------------------------- */

static bool is_first_of_field(const struct stmt *s, int read)
{
	for (int i = 0; i < read; i++)
		if (s->read[i]->field == s->read[read]->field &&
		    s->read[i]->version == s->read[read]->version)
			return false;
	return true;
}

/* What a sweep of "s" moves: each version that it reads once, and what it
 * writes twice, as the lines are read before they are written.
 */
static double sweep_bytes(const struct stmt *s)
{
	double bytes = 2 * type_size(s->write->field->type);

	for (int i = 0; i < s->n_reads; i++)
		if (is_first_of_field(s, i) &&
		    s->read[i]->field->n_dims == s->n_dims)
			bytes += type_size(s->read[i]->field->type);
	return bytes;
}

static void report(struct text *t, const struct prediction *p, bool json)
{
	const struct cpu_terms *terms = p->detail;
	struct json j = { .text = t };

	if (!json) {
		cpu_report_text(t, p->strategy->name, terms);
		return;
	}
	json_open(&j, NULL, '{');
	cpu_report_json(&j, p->strategy->name, terms);
	json_open(&j, "tile", '{');
	json_close(&j, '}');
	json_close(&j, '}');
	text_puts(t, "\n");
}

static void point_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *o,
	struct prediction *p)
{
	struct cpu_terms *terms = region_new_of(mem, struct cpu_terms);
	struct cpu_problem problem = outlook_cpu_problem(o, scop->prog);

	problem.barriers = scop->k;
	problem.bytes = 0;
	for (int i = 0; i < scop->k; i++)
		problem.bytes += outlook_points(o, scop->prog->stmt[i]) *
			sweep_bytes(scop->prog->stmt[i]);
	*terms = cpu_point_time(&problem, scop->n_dims < 3 ? 1 :
		cpu_row_work((double) o->hull[scop->n_dims - 1] *
			problem.word_bytes));
	p->n_candidates = 1;
	p->candidate = region_array(mem, struct sized, 1);
	p->candidate[0] = (struct sized) { .request = *request,
		.predicted_s = terms->predicted_s, .k = 1 };
	p->sizes = "no tiles";
	p->binding = terms->binding;
	p->report = report;
	p->detail = terms;
}

const struct strategy strategy_cpu_point = {
	.name = "point", .applies = point_applies,
	.predict = point_predict, .plan = blocks_plan_points,
};
