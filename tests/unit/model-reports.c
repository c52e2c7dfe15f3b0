/* Reports have what they promise. */
#include "tests/unit/model.h"

#include <string.h>

static void reports(void **state)
{
	static const char *const keys[] = { "{\"strategy\": \"hex\"",
		"\"arch\": \"gtx980\"", "\"preset\": \"recommended\"",
		"\"tile\": {\"h\": ", "\"w0\": ", "\"w1\": ",
		"\"threads\": [", "\"k\": ", "\"predicted_s\": ",
		"\"terms\": {\"n_w\": ", "\"w\": ", "\"w_tile\": ",
		"\"tiles_per_prism\": ", "\"m_i_words\": ",
		"\"m_o_words\": ", "\"m_prime_s\": ", "\"c_s\": ",
		"\"m_tile_bytes\": ", "\"citer_s\": ", "\"binding\": ",
		"\"feasible\": ", "\"within_10_percent\": ",
		"\"candidates\": [" };
	static const char *const traffic_keys[] = { "\"v_smx_bytes\": ",
		"\"v_l2_bytes\": ", "\"v_gm_bytes\": ", "\"groups\": ",
		"\"blocks\": ", "\"net_b\": ", "\"net_g\": ",
		"\"miss_smx\": ", "\"miss_l2\": ", "\"binding\": \"gm\"",
		"\"bx\": 32", "\"by\": 4", "\"bz\": 1", "\"chunk_z\": 1" };
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 100, 1000, 3e-8);
	struct hex_result x = hex_search(r, &q);
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	const struct machine *m = machine_find(r, "k20c");
	struct traffic_result y = traffic_search(r, m, &s, &k, &c, false, 5);
	struct text t = { 0 };
	struct json j = { .text = &t };

	(void) state;
	json_open(&j, NULL, '{');
	hex_report_json(&j, &q, &x);
	json_close(&j, '}');
	for (size_t i = 0; i < COUNT(keys); ++i)
		if (!strstr(t.bytes, keys[i]))
			fail_msg("no %s in %s", keys[i], t.bytes);
	json_open(&j, NULL, '{');
	traffic_report_json(&j, "point", m, &s, 3, &y);
	for (size_t i = 0; i < COUNT(traffic_keys); ++i)
		if (!strstr(t.bytes, traffic_keys[i]))
			fail_msg("no %s in %s", traffic_keys[i], t.bytes);
	hex_report_text(&t, &q, &x);
	traffic_report_text(&t, "point", m, &s, 3, &y);
	text_free(&t);
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(reports),
};

const struct subject report_tests = SUBJECT(tests);
