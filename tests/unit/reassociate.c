/* Sums in another order: the trees of some, and the values of many. */
#include "frontend/frontend.h"
#include "ir/ir.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	struct region *mem;
	struct diags diags;
};

static int set_up(void **state)
{
	struct region *r = region_new();
	struct fixture *f = region_new_of(r, struct fixture);

	f->mem = r;
	diags_init(&f->diags, stdout);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	region_free(f->mem);
	return 0;
}

/* The program with one statement: A, D or L of a plane. */
static const struct program *program_of(void **state, const char *statement)
{
	struct fixture *f = *state;
	const char *type = *statement == 'A' ? "float" :
		*statement == 'D' ? "double" : "int";
	const struct program *p = frontend_stn(f->mem, &f->diags,
		source_of_text(f->mem, "test.stn", region_printf(f->mem,
		"stencil s { param int T, N, M; param float w; param double q;"
		" input float k[N][M]; state %s %c[N][M];"
		" state double rest[N][M]; def sq(x) = x * x;"
		" iterate t = 0 .. T { %s rest[t+1][i][j] ="
		" sq(w) * q * k[i][j]; } }", type, *statement, statement)),
		NULL, 0);

	assert_non_null(p);
	return p;
}

static const struct program *reassociated(void **state,
	const struct program *p)
{
	struct fixture *f = *state;
	const struct program *q = ir_reassociate(f->mem, p);

	assert_null(ir_verify(f->mem, q));
	assert_true(q->reassociated);
	assert_false(p->reassociated);
	return q;
}

struct example {
	const char *statement, *becomes;	/* NULL: is left alone */
};

static const struct example examples[] = {
	/* rows that neighbours share */
	{ "A[t+1][i][j] = 0.1f * (A[t][i-1][j-1] + A[t][i-1][j]"
	  " + A[t][i-1][j+1] + A[t][i][j-1] + A[t][i][j] + A[t][i][j+1]"
	  " + A[t][i+1][j-1] + A[t][i+1][j] + A[t][i+1][j+1]);",
	  "0.1f * (A[t][i-1][j-1] + A[t][i-1][j] + A[t][i-1][j+1]"
	  " + (A[t][i][j-1] + A[t][i][j] + A[t][i][j+1])"
	  " + (A[t][i+1][j-1] + A[t][i+1][j] + A[t][i+1][j+1]))" },
	/* weights that are products, a multiple of a row, a parameter */
	{ "D[t+1][i][j] = D[t][i-1][j-1] / 8 + 0.25 * D[t][i-1][j]"
	  " + D[t][i-1][j+1] / 8 + q * D[t][i][j-1] + 2 * q * D[t][i][j]"
	  " - (-q * D[t][i][j+1]) + D[t][i+1][j-1] / 8 + 0.25 * D[t][i+1][j]"
	  " + D[t][i+1][j+1] / 8;",
	  "0.125 * (D[t][i-1][j-1] + D[t][i-1][j+1]) + 0.25 * D[t][i-1][j]"
	  " + (q * (D[t][i][j-1] + D[t][i][j+1]) + 2.0 * q * D[t][i][j])"
	  " + (0.125 * (D[t][i+1][j-1] + D[t][i+1][j+1])"
	  " + 0.25 * D[t][i+1][j])" },
	{ "D[t+1][i][j] = D[t][i-1][j-1] / 8 + 0.25 * D[t][i-1][j]"
	  " + D[t][i-1][j+1] / 8 + 0.25 * D[t][i][j-1] + 0.5 * D[t][i][j]"
	  " - (-0.25 * D[t][i][j+1]) + D[t][i+1][j-1] / 8"
	  " + 0.25 * D[t][i+1][j] + D[t][i+1][j+1] / 8;",
	  "0.125 * D[t][i-1][j-1] + 0.25 * D[t][i-1][j]"
	  " + 0.125 * D[t][i-1][j+1] + 2.0 * (0.125 * D[t][i][j-1]"
	  " + 0.25 * D[t][i][j] + 0.125 * D[t][i][j+1])"
	  " + (0.125 * D[t][i+1][j-1] + 0.25 * D[t][i+1][j]"
	  " + 0.125 * D[t][i+1][j+1])" },
	/* stars share nothing */
	{ "A[t+1][i][j] = 0.2f * (A[t][i][j] + A[t][i-1][j] + A[t][i+1][j]"
	  " + A[t][i][j-1] + A[t][i][j+1]);", NULL },
	{ "A[t+1][i][j] = w * A[t][i][j] + 0.1f * (A[t][i-1][j]"
	  " + A[t][i+1][j] + A[t][i][j-1] + A[t][i][j+1]);", NULL },
	/* integers are as they are */
	{ "L[t+1][i][j] = L[t][i-1][j-1] + L[t][i-1][j] + L[t][i-1][j+1]"
	  " + L[t][i][j-1] + L[t][i][j] + L[t][i][j+1]"
	  " + L[t][i+1][j-1] + L[t][i+1][j] + L[t][i+1][j+1];", NULL },
	{ "L[t+1][i][j] = sq(L[t][i][j] - L[t][i+1][j])"
	  " + sq(L[t][i][j] - L[t][i-1][j]);", NULL },
	/* a weight of a cell's own is none of the sum's */
	{ "A[t+1][i][j] = k[i][j] * A[t][i-1][j] + k[i][j] * A[t][i+1][j];",
	  NULL },
	/* differences that neighbours share, the latest row last */
	{ "A[t+1][i][j] = sqrt(sq(A[t][i][j] - A[t][i+1][j])"
	  " + sq(A[t][i][j] - A[t][i-1][j]) + w);",
	  "sqrt(w + (A[t][i][j] - A[t][i-1][j]) * (A[t][i][j] - A[t][i-1][j])"
	  " + (A[t][i+1][j] - A[t][i][j]) * (A[t][i+1][j] - A[t][i][j]))" },
	{ "A[t+1][i][j] = fabs(A[t][i][j] - A[t][i][j+1]);",
	  "fabs(A[t][i][j+1] - A[t][i][j])" },
	/* no sign is given to a difference that is not squared */
	{ "A[t+1][i][j] = (A[t][i][j] - A[t][i+1][j])"
	  " * (A[t][i][j] - A[t][i-1][j]);", NULL },
};

static void test_examples(void **state)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct example *x = &examples[i];
		const struct program *p = program_of(state, x->statement);
		const struct stmt *s = reassociated(state, p)->stmt[0];
		struct text t = { 0 };

		if (!x->becomes) {
			assert_null(s->written);
			assert_ptr_equal(s->value, p->stmt[0]->value);
			continue;
		}
		assert_ptr_equal(s->written, p->stmt[0]->value);
		ir_print_expr(&t, s->value);
		assert_string_equal(t.bytes, x->becomes);
		text_free(&t);
	}
}

/* Some number for each cell of each step. */
static double value_of_cell(const struct access *a)
{
	double x = 1 + a->version;

	for (int d = 0; d < a->field->n_dims; d++)
		x = sin(3 * x + (double) a->offset[d]);
	return x;
}

static double value_of(const struct expr *e)
{
	double a = e->n_args > 0 ? value_of(e->arg[0]) : 0;
	double b = e->n_args > 1 ? value_of(e->arg[1]) : 0;

	switch (e->kind) {
	case EXPR_INT: return (double) e->ivalue;
	case EXPR_REAL: return e->rvalue;
	case EXPR_PARAM: return 0.75;
	case EXPR_READ: return value_of_cell(e->access);
	case EXPR_UNARY: return -a;
	case EXPR_CALL: return fabs(a);
	default: break;
	}
	switch (e->op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	default: return a / b;
	}
}

/* A sum of cells around the point, its weights a few numbers, signs and
 * parameters.
 */
static const char *some_sum(struct region *mem, int reach, unsigned kinds)
{
	static const char *const weight[] = {
		"", "0.5 * ", "q * ", "-2 * ", "0.3 * q * ", "0.25 * ",
	};
	static const int symmetric[] = { 2, 1, 0, 1, 2 };
	struct text t = { 0 };
	const char *sum;

	for (int i = -reach; i <= reach; i++)
		for (int j = -reach; j <= reach; j++) {
			int class = symmetric[i + 2] * 3 + symmetric[j + 2];
			unsigned k = rand() % 8 ?
				(unsigned) class % kinds :
				(unsigned) rand() % kinds;

			if (rand() % 10 == 0)
				continue;
			text_printf(&t, "%s%s%sD[t][i%+d][j%+d]%s",
				t.length ? rand() % 5 ? " + " : " - " : "",
				rand() % 9 ? "(" : "(0.1 * ", weight[k], i, j,
				rand() % 9 ? ")" : " / 4)");
		}
	sum = region_printf(mem, "D[t+1][i][j] = %s%s;",
		t.length ? t.bytes : "D[t][i][j]",
		rand() % 3 ? "" : " + fabs(D[t][i-1][j] - D[t][i][j])");
	text_free(&t);
	return sum;
}

static void test_values_are_the_same(void **state)
{
	struct fixture *f = *state;
	int changed = 0;

	srand(12);
	for (int i = 0; i < 400; i++) {
		const struct program *p = program_of(state, some_sum(f->mem,
			1 + i % 2, 1 + (unsigned) i % 6));
		const struct stmt *s = reassociated(state, p)->stmt[0];
		double was = value_of(p->stmt[0]->value);

		assert_true(fabs(value_of(s->value) - was) < 1e-12);
		changed += s->written != NULL;
	}
	assert_in_range(changed, 200, 399);
}

/* What came out goes in again and stays as it is. */
static void test_twice_is_once(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct program *p = reassociated(state, program_of(state,
			examples[i].statement));
		struct text once = { 0 }, twice = { 0 };

		ir_print(&once, p);
		ir_print(&twice, ir_reassociate(f->mem, p));
		assert_string_equal(once.bytes, twice.bytes);
		text_free(&once);
		text_free(&twice);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_examples),
		TEST(test_values_are_the_same),
		TEST(test_twice_is_once),
	};

	return cmocka_run_group_tests_name("reassociate", tests, NULL, NULL);
}
