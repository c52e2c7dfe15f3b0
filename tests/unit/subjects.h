/* A program of unit tests with a file for each subject. */
#ifndef STENCILC_TESTS_UNIT_SUBJECTS_H
#define STENCILC_TESTS_UNIT_SUBJECTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

struct subject {
	const struct CMUnitTest *test;
	size_t n;
};

#define SUBJECT(tests) { (tests), COUNT(tests) }

/* The tests of all "n" subjects as one group: a stream of TAP has one plan. */
int subjects_run(const struct subject *const subject[], size_t n);

#endif
