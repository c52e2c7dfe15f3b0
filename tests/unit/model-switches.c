/* The switches of the model: their names, and what each changes. */
#include "tests/unit/model.h"

#include <math.h>
#include <string.h>

static void switch_names(void **state)
{
	struct region *r = region_new();
	struct switches s;
	struct text t = { 0 };

	(void) state;
	s = switches_of(r, "recommended");
	assert_string_equal(s.preset, "recommended");
	assert_int_equal(s.pitch, PITCH_EXACT);
	s = switches_of(r, "printed,pitch=exact,delta=0.5");
	assert_string_equal(s.preset, "custom");
	assert_int_equal(s.pitch, PITCH_EXACT);
	assert_int_equal(s.bandwidth, BANDWIDTH_DEVICE);
	same(s.delta, 0.5);
	assert_string_equal(switches_of(r, "printed").preset, "printed");
	assert_non_null(switches_parse(r, "", &s));
	assert_non_null(switches_parse(r, "nice", &s));
	assert_non_null(switches_parse(r, "pitch=nice", &s));
	assert_non_null(switches_parse(r, "pitches=exact", &s));
	assert_non_null(switches_parse(r, "delta=-1", &s));
	assert_non_null(switches_parse(r, "delta=nan", &s));
	assert_non_null(switches_parse(r, "printed,", &s));
	s = switches_of(r, "printed,k=fill,eta=0.25");
	switches_print(&t, &s);
	s = switches_of(r, t.bytes);
	assert_int_equal(s.k, K_FILL);
	assert_int_equal(s.overlap, OVERLAP_PRINTED);
	same(s.eta, 0.25);
	text_free(&t);
	region_free(r);
}

/* Predicted seconds of the tile h=1,w0=7,w1=5,w2=32 under "text". */
static double hex_time(struct region *r, const char *text, int dims,
	int64_t size, double citer_s)
{
	struct switches s = switches_of(r, text);
	struct hex_query q = query_of(r, "gtx980", &s, dims, 103,
		size, citer_s);

	struct hex_result x;

	q.forced.h = 1;
	q.forced.w[0] = 7;
	q.forced.w[1] = 5;
	q.forced.w[2] = 32;
	q.forced.threads[0] = 32;
	q.forced.threads[1] = dims > 1 ? 3 : 1;
	q.work.counts_copies = q.waves = s.code == CODE_EMITTED;
	x = hex_search(r, &q);
	assert_true(x.found);
	return x.terms.predicted_s;
}

/* The terms of 7PT-1 in columns of 64 points. */
static struct traffic_terms traffic_terms(struct region *r, const char *text)
{
	struct switches s = switches_of(r, text);
	struct traffic_kernel k = traffic_7pt1(64);
	struct traffic_config c = { { 32, 4, 1 }, 64 };

	return traffic_predict(machine_find(r, "k20c"), &s, &k, &c);
}

/* The predictions that a setting may change. */
enum { TIMES = 12, TERMS = TIMES + 2 };

static void all_terms(struct region *r, const char *text, double term[TERMS])
{
	struct traffic_terms t = traffic_terms(r, text);

	for (int i = 0; i < TIMES; ++i)
		*term++ = hex_time(r, text, 1 + i / 4, i % 2 ? 20000 : 250,
			i / 2 % 2 ? 3e-8 : 3e-10);
	*term++ = t.predicted_s;
	*term++ = t.v_l2_bytes;
}

static bool differ(const double term[TERMS], const double other[TERMS])
{
	for (int i = 0; i < TERMS; ++i)
		if (fabs(term[i] - other[i]) > 1e-9 * term[i])
			return true;
	return false;
}

/* Each switch can be set alone, to each of its values, and says so; and it
 * changes what is predicted, over either preset, of the paper's code: waves of
 * hexagons have no sub-slabs.
 */
static void every_switch(void **state)
{
	static const struct {
		const char *name, *values;
	} switches[] = {
#define SWITCH(name, printed, recommended, values, meaning) { #name, values },
#define NUMBER(name, printed, recommended, meaning) { #name, "0.125 0.5" },
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
	};
	static const char *const presets[] = { "printed",
		"recommended,code=paper" };
	struct region *r = region_new();

	(void) state;
	for (size_t i = 0; i < 2 * COUNT(switches); ++i) {
		const char *name = switches[i / 2].name;
		const char *value = switches[i / 2].values;
		double term[8][TERMS];
		int n = 0, changes = 0;

		while (*value) {
			int length = (int) strcspn(value, " ");
			const char *text = region_printf(r, "%s,%s=%.*s",
				presets[i % 2], name, length, value);
			struct switches s = switches_of(r, text);
			struct text t = { 0 };

			switches_print(&t, &s);
			assert_non_null(strstr(t.bytes, region_printf(r,
				"%s=%.*s", name, length, value)));
			text_free(&t);
			all_terms(r, text, term[n++]);
			value += length + (value[length] == ' ');
		}
		for (int k = 1; k < n; ++k)
			changes += differ(term[0], term[k]);
		if (changes == 0)
			fail_msg("%s,%s changes nothing", presets[i % 2], name);
	}
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(switch_names),
	cmocka_unit_test(every_switch),
};

const struct subject switch_tests = SUBJECT(tests);
