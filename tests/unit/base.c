/* base: regions, text, names, places, messages, files. */
#define _XOPEN_SOURCE 700
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Regions ------------------------------------------------------------------*/

static void note_release(void *object)
{
	char **end = object;

	*(*end)++ = 'x';
}

struct numbered {
	char **end;
	char letter;
};

static void note_letter(void *object)
{
	struct numbered *n = object;

	*(*n->end)++ = n->letter;
}

static void test_region_memory(void **state)
{
	struct region *r = region_new();

	(void) state;
	for (size_t size = 0; size < 40000; size = size * 3 / 2 + 1) {
		char *p = region_alloc(r, size);

		assert_int_equal((uintptr_t) p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; ++i)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
	}
	assert_string_equal(region_strdup(r, "abc"), "abc");
	assert_string_equal(region_strndup(r, "abc", 2), "ab");
	assert_string_equal(region_strndup(r, NULL, 0), "");
	assert_string_equal(region_printf(r, "%d-%s", 7, "x"), "7-x");
	region_free(r);
	region_free(NULL);
}

static void test_region_releases_last_first(void **state)
{
	char order[4] = "", *end = order;
	struct numbered a = { &end, 'a' }, b = { &end, 'b' };
	struct region *r = region_new();

	(void) state;
	region_own(r, &a, note_letter);
	region_own(r, &b, note_letter);
	region_own(r, &end, note_release);
	region_free(r);
	assert_string_equal(order, "xba");
}

/* Text ---------------------------------------------------------------------*/

static void test_text_indents_lines(void **state)
{
	struct text t = { 0 };

	(void) state;
	text_puts(&t, "a {\n");
	++t.indent;
	text_printf(&t, "b = %d;\n\n", 1);
	text_puts(&t, "c");
	text_puts(&t, ";\nd;\n");
	--t.indent;
	text_puts(&t, "}\n");
	assert_string_equal(t.bytes, "a {\n\tb = 1;\n\n\tc;\n\td;\n}\n");
	text_free(&t);
	assert_null(t.bytes);
}

static void test_text_grows(void **state)
{
	struct text t = { 0 };

	(void) state;
	for (int i = 0; i < 1000; ++i)
		text_printf(&t, "%0300d", i);
	assert_int_equal(t.length, 300000);
	assert_int_equal(strlen(t.bytes), 300000);
	text_append(&t, "\0", 1);
	assert_int_equal(t.length, 300001);
	text_free(&t);
}

/* Names --------------------------------------------------------------------*/

static void test_names_are_equal_pointers(void **state)
{
	struct region *r = region_new();
	struct names *n = names_new(r);
	const char *a = names_intern(n, "abc", 3);

	(void) state;
	for (int i = 0; i < 10000; ++i) {
		const char *s = region_printf(r, "n%d", i);

		names_intern(n, s, strlen(s));
	}
	assert_ptr_equal(a, names_intern(n, "abcd", 3));
	assert_ptr_not_equal(a, names_intern(n, "abcd", 4));
	assert_ptr_equal(names_intern(n, "n7", 2), names_intern(n, "n77", 2));
	assert_string_equal(names_intern(n, "", 0), "");
	region_free(r);
}

/* Sources ------------------------------------------------------------------*/

static void check_place(const struct source *src, unsigned at,
	unsigned line, unsigned column)
{
	unsigned l, c;

	source_place(src, at, &l, &c);
	assert_int_equal(l, line);
	assert_int_equal(c, column);
}

static void test_places(void **state)
{
	struct region *r = region_new();
	const struct source *src = source_of_text(r, "x", "ab\n\ncd");

	(void) state;
	check_place(src, 0, 1, 1);
	check_place(src, 2, 1, 3);
	check_place(src, 3, 2, 1);
	check_place(src, 4, 3, 1);
	check_place(src, 6, 3, 3);
	check_place(src, 99, 3, 3);
	region_free(r);
}

/* Messages -----------------------------------------------------------------*/

/* Messages about "text", collected in a temporary file. */
struct report {
	struct region *mem;
	struct diags diags;
	char *printed;
};

static struct report report_about(const char *text)
{
	struct report r = { .mem = region_new() };

	diags_init(&r.diags, tmpfile());
	r.diags.source = text ? source_of_text(r.mem, "f.stn", text) : NULL;
	return r;
}

static const char *printed(struct report *r)
{
	long size = ftell(r->diags.out);

	r->printed = region_alloc(r->mem, (size_t) size + 1);
	rewind(r->diags.out);
	assert_int_equal(fread(r->printed, 1, (size_t) size, r->diags.out),
		size);
	return r->printed;
}

static void end_report(struct report *r)
{
	fclose(r->diags.out);
	region_free(r->mem);
}

static const struct span one = { 4, 5 };

static void test_message_with_note_and_fix(void **state)
{
	struct report r = report_about("one\n\ttwo three\n");

	(void) state;
	diag(&r.diags, E_TYPE, (struct span) { 9, 14 }, "'%s'", "three");
	diag_fixit(&r.diags, (struct span) { 9, 14 }, "four");
	diag_note(&r.diags, (struct span) { 0, 3 }, "there");
	diag_advice(&r.diags, "do");
	assert_string_equal(printed(&r),
		"f.stn:2:6: error: 'three' [wrong-type]\n"
		"    2 | \ttwo three\n"
		"      | \t    ^~~~~\n"
		"      | \t    four\n"
		"f.stn:1:1: note: there\n"
		"    1 | one\n"
		"      | ^~~\n"
		"      = do\n");
	end_report(&r);
}

static void test_message_keeps_the_terminal_sane(void **state)
{
	struct report r = report_about("\x1b[2J\xff \xc3\xa9x\r\n");

	(void) state;
	diag(&r.diags, E_BYTE, (struct span) { 8, 9 }, "here");
	assert_string_equal(printed(&r),
		"f.stn:1:9: error: here [bad-byte]\n"
		"    1 | ?[2J? \xc3\xa9x\n"
		"      |        ^\n");
	end_report(&r);
}

static void test_message_with_odd_places(void **state)
{
	struct report r = report_about("ab\ncd");

	(void) state;
	diag(&r.diags, E_TYPE, (struct span) { 1, 5 }, "two lines");
	diag(&r.diags, E_TYPE, (struct span) { 90, 80 }, "outside");
	assert_string_equal(printed(&r),
		"f.stn:1:2: error: two lines [wrong-type]\n"
		"    1 | ab\n"
		"      |  ^\n"
		"f.stn:2:3: error: outside [wrong-type]\n"
		"    2 | cd\n"
		"      |   ^\n");
	end_report(&r);
}

static void test_warnings(void **state)
{
	struct report r = report_about("0123456789");

	(void) state;
	diag(&r.diags, W_INTEGER_DIVISION, one, "a");
	r.diags.disabled[W_INTEGER_DIVISION] = true;
	diag(&r.diags, W_INTEGER_DIVISION, one, "b");
	diag_note(&r.diags, one, "of b");
	r.diags.disabled[W_INTEGER_DIVISION] = false;
	r.diags.quiet = true;
	diag(&r.diags, W_INTEGER_DIVISION, one, "c");
	r.diags.warnings_are_errors = true;
	diag(&r.diags, W_INTEGER_DIVISION, one, "d");
	assert_int_equal(r.diags.warnings, 1);
	assert_int_equal(r.diags.errors, 1);
	assert_int_equal(r.diags.reported[W_INTEGER_DIVISION], 2);
	assert_string_equal(printed(&r),
		"f.stn:1:5: warning: a [-Winteger-division]\n"
		"    1 | 0123456789\n"
		"      |     ^\n"
		"f.stn:1:5: error: d [-Werror=integer-division]\n"
		"    1 | 0123456789\n"
		"      |     ^\n");
	end_report(&r);
}

static void test_error_limit(void **state)
{
	struct report r = report_about(NULL);
	const char *last;

	(void) state;
	for (unsigned i = 0; i < 20; ++i)
		diag_plain(&r.diags, E_READ, "%u", i);
	assert_false(diag_full(&r.diags));
	for (unsigned i = 20; i < 30; ++i) {
		diag_plain(&r.diags, E_READ, "%u", i);
		diag_advice(&r.diags, "not shown");
		assert_true(diag_full(&r.diags));
	}
	last = strstr(printed(&r), "19 [cannot-read]\n");
	assert_non_null(last);
	assert_string_equal(last, "19 [cannot-read]\n"
		"stencilc: no further errors are shown\n");
	assert_int_equal(r.diags.errors, 30);
	end_report(&r);
}

/* At one place, of one kind: counted, and shown the first time. */
static void test_said_once(void **state)
{
	struct report r = report_about("0123456789");

	(void) state;
	r.diags.says_once = true;
	for (int i = 0; i < 30; ++i) {
		diag(&r.diags, E_OVERFLOW, one, "%d", i);
		diag_note(&r.diags, one, "of %d", i);
	}
	assert_int_equal(r.diags.errors, 30);
	assert_false(diag_full(&r.diags));
	assert_string_equal(printed(&r),
		"f.stn:1:5: error: 0 [overflow]\n"
		"    1 | 0123456789\n"
		"      |     ^\n"
		"f.stn:1:5: note: of 0\n"
		"    1 | 0123456789\n"
		"      |     ^\n");
	end_report(&r);
}

static void test_names_of_messages(void **state)
{
	(void) state;
	for (int i = 0; i < DIAG_COUNT; ++i) {
		assert_int_equal(diag_find(diag_name((enum diag_id) i)), i);
		assert_true(*diag_summary((enum diag_id) i));
	}
	assert_int_equal(diag_find("no-such-message"), DIAG_COUNT);
}

/* Files --------------------------------------------------------------------*/

/* A folder of its own, the current one. */
static int enter_folder(void **state)
{
	char path[] = "/tmp/stencilc-unit.XXXXXX";

	(void) state;
	return mkdtemp(path) && !chdir(path) ? 0 : -1;
}

static int leave_folder(void **state)
{
	(void) state;
	return system("rm -rf \"$(pwd -P)\"") ? -1 : chdir("/");
}

static void check_content(const char *path, const char *want)
{
	struct report r = report_about(NULL);
	const struct source *src = source_read(r.mem, &r.diags, path);

	assert_non_null(src);
	assert_string_equal(src->text, want);
	assert_string_equal(src->name, path);
	end_report(&r);
}

/* file_write of "path" fails with this message. */
static void check_refused(const char *path, const char *message)
{
	struct report r = report_about(NULL);

	assert_false(file_write(&r.diags, path, "new", 3));
	assert_int_equal(r.diags.reported[E_WRITE], 1);
	assert_string_equal(printed(&r), message);
	end_report(&r);
}

static void check_written(const char *path, const char *bytes)
{
	struct report r = report_about(NULL);

	assert_true(file_write(&r.diags, path, bytes, strlen(bytes)));
	assert_string_equal(printed(&r), "");
	end_report(&r);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode;
}

static void test_file_is_written(void **state)
{
	(void) state;
	umask(022);
	check_written("a", "one");
	check_content("a", "one");
	assert_int_equal(mode_of("a") & 0777, 0644);
	assert_int_equal(chmod("a", 0755), 0);
	check_written("a", "");
	check_content("a", "");
	assert_int_equal(mode_of("a") & 0777, 0755);
	check_written("/dev/null", "x");
}

static void test_file_through_a_link(void **state)
{
	(void) state;
	check_written("target", "old");
	assert_int_equal(symlink("target", "link"), 0);
	check_written("link", "new");
	check_content("target", "new");
	assert_true(S_ISLNK(mode_of("link")));
}

static void test_file_is_refused(void **state)
{
	(void) state;
	assert_int_equal(mkdir("folder", 0755), 0);
	check_refused("folder", "stencilc: error: cannot write 'folder': "
		"it is a folder [cannot-write]\n");
	check_refused("none/a", "stencilc: error: cannot write 'none/a': "
		"No such file or directory [cannot-write]\n");
	check_refused("", "stencilc: error: cannot write '': "
		"the name is empty [cannot-write]\n");
	if (!access("/dev/full", W_OK))
		check_refused("/dev/full", "stencilc: error: cannot write "
			"'/dev/full': No space left on device "
			"[cannot-write]\n");
}

static void test_nothing_is_left_behind(void **state)
{
	(void) state;
	check_written("b", "x");
	assert_int_equal(system("test -z \"$(find . -name 'b.*')\""), 0);
}

static void test_source_is_refused(void **state)
{
	struct report r = report_about(NULL);

	(void) state;
	assert_null(source_read(r.mem, &r.diags, "missing.stn"));
	assert_null(source_read(r.mem, &r.diags, "."));
	assert_int_equal(r.diags.reported[E_READ], 2);
	assert_string_equal(printed(&r),
		"stencilc: error: cannot read 'missing.stn': "
		"No such file or directory [cannot-read]\n"
		"stencilc: error: cannot read '.': it is a folder "
		"[cannot-read]\n");
	end_report(&r);
}

/* Numbers -------------------------------------------------------------------*/

static void test_divisors(void **state)
{
	(void) state;
	assert_int_equal(greatest_common_divisor(12, 18), 6);
	assert_int_equal(greatest_common_divisor(-12, 18), 6);
	assert_int_equal(greatest_common_divisor(0, -5), 5);
	assert_int_equal(greatest_common_divisor(7, 0), 7);
	assert_int_equal(least_common_multiple(4, 6), 12);
	assert_int_equal(least_common_multiple(1, 7), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_region_memory),
		cmocka_unit_test(test_region_releases_last_first),
		cmocka_unit_test(test_text_indents_lines),
		cmocka_unit_test(test_text_grows),
		cmocka_unit_test(test_names_are_equal_pointers),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_message_with_note_and_fix),
		cmocka_unit_test(test_message_keeps_the_terminal_sane),
		cmocka_unit_test(test_message_with_odd_places),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_error_limit),
		cmocka_unit_test(test_said_once),
		cmocka_unit_test(test_names_of_messages),
		cmocka_unit_test(test_file_is_written),
		cmocka_unit_test(test_file_through_a_link),
		cmocka_unit_test(test_file_is_refused),
		cmocka_unit_test(test_nothing_is_left_behind),
		cmocka_unit_test(test_source_is_refused),
		cmocka_unit_test(test_divisors),
	};

	return cmocka_run_group_tests_name("base", tests, enter_folder,
		leave_folder);
}
