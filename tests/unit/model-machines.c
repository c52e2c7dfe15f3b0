/* Machines: the table, files, what is estimated. */
#define _XOPEN_SOURCE 700
#include "tests/unit/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void all_machines(void **state)
{
	struct region *r = region_new();

	(void) state;
	for (int i = 0; i <= machine_count(); ++i) {
		const struct machine *m = i < machine_count() ?
			machine_find(r, machine_name(i)) : machine_host(r);
		const struct machine *back;
		struct text t = { 0 };
		struct diags d;

		for (int v = 0; v < MACHINE_VALUE_COUNT; ++v)
			assert_true(v == MACHINE_shared_reserved_bytes ||
				v == MACHINE_traffic_eta ||
				v == MACHINE_root_set ||
				v == MACHINE_cluster_blocks ||
				machine_value_of(m, (enum machine_value) v) >
				0);
		machine_print(&t, m);
		diags_init(&d, stderr);
		d.source = source_of_text(r, "m", t.bytes);
		back = machine_parse(r, &d, d.source);
		assert_non_null(back);
		for (int v = 0; v < MACHINE_VALUE_COUNT; ++v)
			same(machine_value_of(back, (enum machine_value) v),
				machine_value_of(m, (enum machine_value) v));
		assert_int_equal(back->n_citers, m->n_citers);
		text_free(&t);
	}
	assert_null(machine_find(r, "gtx9800"));
	region_free(r);
}

/* A file of "folder" that tells the CPUs of the core of "cpu". */
static void write_siblings(const char *folder, int cpu, const char *siblings)
{
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/cpu%d", folder, cpu);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/cpu%d/topology", folder, cpu);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/cpu%d/topology/thread_siblings_list",
		folder, cpu);
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "%s\n", siblings);
	fclose(out);
}

static void remove_siblings(const char *folder, int cpu)
{
	static const char *const file[] = {
		"/topology/thread_siblings_list", "/topology", "",
	};
	char path[128];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/cpu%d%s", folder, cpu,
			file[i]);
		assert_int_equal(remove(path), 0);
	}
}

/* Cores of two threads, 0 and 4, 1 and 5, and of three, 2, 3 and 6; of CPU 7
 * nothing is told.
 */
static void cores_of_threads(void **state)
{
	static const char *const siblings[] = {
		"0,4", "1,5", "2-3,6", "2-3,6", "0,4", "1,5", "2-3,6",
	};
	static const struct {
		bool allowed[8];
		int cores;
	} cases[] = {
		{ { 1, 1, 1, 1, 1, 1, 1, 1 }, 4 },
		{ { 1, 1, 1, 0, 0, 0, 0, 0 }, 3 },
		{ { 1, 0, 0, 0, 1, 0, 0, 0 }, 1 },
		{ { 0, 0, 0, 0, 1, 1, 0, 0 }, 2 },
		{ { 0, 0, 0, 1, 0, 0, 1, 0 }, 1 },
		{ { 0, 0, 0, 0, 0, 0, 1, 1 }, 2 },
		{ { 0 }, 0 },
	};
	char folder[] = "/tmp/stencilc-cores.XXXXXX";

	(void) state;
	assert_non_null(mkdtemp(folder));
	for (int cpu = 0; cpu < 7; cpu++)
		write_siblings(folder, cpu, siblings[cpu]);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(cores_of_cpus(folder, cases[i].allowed, 8),
			cases[i].cores);
	for (int cpu = 0; cpu < 7; cpu++)
		remove_siblings(folder, cpu);
	assert_int_equal(rmdir(folder), 0);
}

static void machine_names(void **state)
{
	struct region *r = region_new();
	struct diags d;
	FILE *out = tmpfile();

	(void) state;
	assert_non_null(out);
	diags_init(&d, out);
	assert_string_equal(machine_lookup(r, &d, "h200")->name, "h200");
	assert_string_equal(machine_lookup(r, &d, "host")->name, "host");
	assert_int_equal(d.errors, 0);
	assert_null(machine_lookup(r, &d, "h2000"));
	assert_int_equal(d.errors, 1);
	assert_null(machine_lookup(r, &d, "./no-such-file.arch"));
	assert_int_equal(d.errors, 2);
	fclose(out);
	region_free(r);
}

#define MACHINE_HEAD \
	"sm_count = 2\nlanes_per_sm=64 # as told\n\nclock_hz = 1.5e9\n" \
	"shared_bytes_per_sm = 49152\nshared_bytes_per_block = 49152\n" \
	"registers_per_sm = 65536\nmax_blocks_per_sm = 16\n" \
	"max_threads_per_sm = 2048\nl2_bytes = 1e6\n"

/* What machine_parse says about "text". */
static const char *errors_of(struct region *r, const char *text)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = tmpfile();
	struct diags d;
	const struct machine *m;

	assert_non_null(out);
	diags_init(&d, out);
	d.source = source_of_text(r, "m.arch", text);
	m = machine_parse(r, &d, d.source);
	assert_true(!m == (d.errors > 0));
	size = (size_t) ftell(out);
	buffer = region_alloc(r, size + 1);
	rewind(out);
	assert_int_equal(fread(buffer, 1, size, out), size);
	fclose(out);
	return buffer;
}

static void machine_files(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{ "bandwidth_bytes_per_s = 1e11\nciter_s.mine = 3e-8", "" },
		{ "bandwidth_bytes_per_s = 1e11\nsync_512_s = 3e-8", "" },
		{ "", "'bandwidth_bytes_per_s' is missing" },
		{ "bandwidth = 3", "m.arch:11:1: error: a machine has no "
			"value called 'bandwidth'" },
		{ "sm_count = 3", "m.arch:11:1: error: 'sm_count' is given "
			"twice" },
		{ "citer_s.a = 1\nciter_s.a = 2", "m.arch:12:1: error: "
			"'citer_s.a' is given twice" },
		{ "sync_s = 3x", "m.arch:11:10: error: '3x' is not a "
			"number" },
		{ "sync_s = 0", "m.arch:11:10: error: '0' is not positive" },
		{ "sync_s = -1", "m.arch:11:10: error: '-1' is not "
			"positive" },
		{ "sync_s = nan", "m.arch:11:10: error: 'nan' is not a "
			"finite" },
		{ "sync_s = 1e999", "'1e999' is not a finite" },
		{ "sync_s 3", "m.arch:11:8: error: expected '='" },
		{ "sync_s =", "m.arch:11:9: error: expected a number" },
		{ "sync_s = 3 4", "m.arch:11:12: error: expected the end" },
		{ "= 3", "m.arch:11:1: error: expected the name" },
		{ "warp_size = 31.5", "must be whole" },
		{ "warp_size = 1e300", "more than 1e15" },
		{ "citer_s. = 3", "has no value called 'citer_s.'" },
	};

	(void) state;
	for (size_t i = 0; i < COUNT(cases); ++i) {
		struct region *r = region_new();
		const char *got = errors_of(r, region_printf(r, "%s%s",
			MACHINE_HEAD, cases[i].line));

		if (!*cases[i].want)
			assert_string_equal(got, "");
		else if (!strstr(got, cases[i].want))
			fail_msg("'%s': %s", cases[i].line, got);
		region_free(r);
	}
}

/* Whatever stands in a file, it is a machine or there is a message. */
static void machine_noise(void **state)
{
	static const char bytes[] = "=#\n .-e0x\tzn_\r\x80";
	unsigned seed = 3;

	(void) state;
	for (int i = 0; i < 1000; ++i) {
		struct region *r = region_new();
		char *text = region_strdup(r, MACHINE_HEAD
			"bandwidth_bytes_per_s = 1e11\n");
		size_t n = strlen(text);

		for (int j = 0; j < 1 + i % 4; ++j)
			text[next_random(&seed) % n] = bytes[
				next_random(&seed) % (sizeof(bytes) - 1)];
		errors_of(r, text);
		region_free(r);
	}
}

static void estimated_citer(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h100");
	struct instruction_mix mix = { .arithmetic = 5, .loads = 5,
		.stores = 1, .word_bytes = 4 };
	struct citer c = citer_of(m, "unheard_of", "recommended",
		&mix);

	(void) state;
	assert_true(c.estimated);
	near(c.seconds, 6 * 4 / 1.98e9, 1e-9);	/* 6 words, 128 B a clock */
	digits("%.1e", citer_estimate_s(machine_find(r, "gtx980"), &mix),
		"2.1e-08");
	mix.word_bytes = 8;
	near(citer_estimate_s(m, &mix), 6 * 8 / 1.98e9, 1e-9);
	mix.loads = mix.stores = 0;
	near(citer_estimate_s(m, &mix), 5 * 2 / 1.98e9, 1e-9);
	assert_true(machine_is_estimate(m, MACHINE_sync_s));
	assert_false(machine_is_estimate(m, MACHINE_sm_count));
	region_free(r);
}

/* citer_s.STENCIL.PRESET goes before citer_s.STENCIL. */
static void citer_of_a_preset(void **state)
{
	static const struct machine_citer citers[] = {
		{ "heat", 1 }, { "heat2.printed", 2 }, { "heat.printed", 3 },
	};
	struct machine m = { .n_citers = 3, .citers = citers };
	struct instruction_mix none = { 0 };

	(void) state;
	same(citer_of(&m, "heat", "recommended", &none).seconds, 1);
	same(citer_of(&m, "heat", "custom", &none).seconds, 1);
	same(citer_of(&m, "heat", "printed", &none).seconds, 3);
	same(citer_measured_s(&m, "heat"), 1);
	same(citer_measured_s(&m, "heat2"), 0);
}

/* A barrier takes what was measured for as many threads, or for some. */
static void barriers(void **state)
{
	struct machine m = { .clock_hz = 24, .sync_32_s = 2, .sync_256_s = 3 };

	(void) state;
	m.given = (uint64_t) 1 << MACHINE_sync_32_s |
		(uint64_t) 1 << MACHINE_sync_256_s;
	machine_estimate(&m);
	same(machine_sync_s(&m, 0), 1);
	same(machine_sync_s(&m, 31), 2);
	same(machine_sync_s(&m, 32), 2);
	same(machine_sync_s(&m, 33), 1);
	same(machine_sync_s(&m, 200), 3);
	same(machine_sync_s(&m, 256), 3);
	same(machine_sync_s(&m, 1024), 1);
	same(machine_sync_s(&m, 2000), 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(barriers),
	cmocka_unit_test(citer_of_a_preset),
	cmocka_unit_test(all_machines),
	cmocka_unit_test(cores_of_threads),
	cmocka_unit_test(machine_names),
	cmocka_unit_test(machine_files),
	cmocka_unit_test(machine_noise),
	cmocka_unit_test(estimated_citer),
};

const struct subject machine_tests = SUBJECT(tests);
