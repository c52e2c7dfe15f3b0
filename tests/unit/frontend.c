/* frontend and ir: what programs become, where text alone cannot show it. */
#include "frontend/frontend.h"
#include "frontend/weights.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	struct region *mem;
	struct diags diags;
	FILE *out;
};

static int set_up(void **state)
{
	struct region *r = region_new();
	struct fixture *f = region_new_of(r, struct fixture);

	f->mem = r;
	f->out = tmpfile();
	diags_init(&f->diags, f->out);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	fclose(f->out);
	region_free(f->mem);
	return 0;
}

static const struct program *compile_with(void **state, const char *text,
	const struct define *defines, int n)
{
	struct fixture *f = *state;

	return frontend_stn(f->mem, &f->diags,
		source_of_text(f->mem, "test.stn", text), defines, n);
}

/* The program with the statements "body" over two states of one dimension,
 * a float A and a double D, in a time loop.
 */
static const struct program *compile(void **state, const char *body)
{
	struct fixture *f = *state;
	const struct program *p = compile_with(state, region_printf(f->mem,
		"stencil s { param int T, N; param float a;"
		" state float A[N]; state double D[N]; input int k[N];"
		" def sq(x) = x * x;"
		" iterate t = 0 .. T { D[t+1][j] = sq(a) * k[j] + D[t][j];"
		" %s } }", body), NULL, 0);

	assert_non_null(p);
	assert_null(ir_verify(f->mem, p));
	return p;
}

/* The value of A[t+1][i] = "expression", without the cast to its type. */
static const struct expr *value_of(void **state, const char *expression)
{
	struct fixture *f = *state;
	const struct program *p = compile(state, region_printf(f->mem,
		"A[t+1][i] = %s;", expression));
	const struct expr *e = p->stmt[1]->value;

	assert_int_equal(e->type, TYPE_FLOAT);
	return e->kind == EXPR_CAST ? e->arg[0] : e;
}

static void test_types(void **state)
{
	static const struct {
		const char *expression;
		enum type type;
	} table[] = {
		{ "1", TYPE_INT },
		{ "1.0", TYPE_DOUBLE },
		{ "1.0f", TYPE_FLOAT },
		{ "A[t][i]", TYPE_FLOAT },
		{ "D[t][i]", TYPE_DOUBLE },
		{ "k[i]", TYPE_INT },
		{ "i + t", TYPE_INT },
		{ "2 * A[t][i]", TYPE_FLOAT },
		{ "0.5 * A[t][i]", TYPE_DOUBLE },
		{ "A[t][i] < D[t][i]", TYPE_INT },
		{ "!A[t][i]", TYPE_INT },
		{ "-k[i]", TYPE_INT },
		{ "i > 0 ? 1 : A[t][i]", TYPE_FLOAT },
		{ "i > 0 ? 1 : 2", TYPE_INT },
		{ "sqrt(A[t][i])", TYPE_FLOAT },
		{ "sqrt(D[t][i])", TYPE_DOUBLE },
		{ "sqrt(i)", TYPE_DOUBLE },
		{ "sqrtf(D[t][i])", TYPE_FLOAT },
		{ "fmax(A[t][i], 0.0f)", TYPE_FLOAT },
		{ "fmax(A[t][i], 0.0)", TYPE_DOUBLE },
		{ "fmax(A[t][i], 0)", TYPE_DOUBLE },
		{ "(float) D[t][i] * a", TYPE_FLOAT },
		{ "(int) D[t][i]", TYPE_INT },
		{ "sq(D[t][i])", TYPE_DOUBLE },
		{ "sum (d = 0 .. 2) d", TYPE_INT },
		{ "~k[i] & 3 | 1 << t", TYPE_INT },
		{ "(unsigned char) k[i]", TYPE_INT },
		{ "(short) A[t][i] + 1", TYPE_INT },
		{ "(unsigned) 1 + k[i]", TYPE_UNSIGNED },
		{ "(long) k[i] >> 3", TYPE_LONG },
		{ "k[i] >> (long) 3", TYPE_INT },
		{ "k[i] ^ (unsigned long) 3", TYPE_ULONG },
		{ "(long) k[i] + A[t][i]", TYPE_FLOAT },
		{ "(half) D[t][i] * 2", TYPE_FLOAT },
		{ "(bfloat) k[i] * 2", TYPE_FLOAT },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); ++i)
		if (value_of(state, table[i].expression)->type !=
		    table[i].type)
			fail_msg("%s", table[i].expression);
}

static void test_arguments_are_converted(void **state)
{
	const struct expr *e = value_of(state, "pow(A[t][i], 2)");

	assert_int_equal(e->type, TYPE_DOUBLE);
	assert_int_equal(e->arg[0]->kind, EXPR_CAST);
	assert_int_equal(e->arg[1]->kind, EXPR_CAST);
	assert_int_equal(e->arg[1]->type, TYPE_DOUBLE);
}

static void test_sum_is_left_associated(void **state)
{
	const struct expr *e = value_of(state,
		"sum (d = -1 .. 1) A[t][i+d]");

	assert_int_equal(e->op, OP_ADD);
	assert_int_equal(e->arg[1]->access->offset[0], 1);
	assert_int_equal(e->arg[0]->op, OP_ADD);
	assert_int_equal(e->arg[0]->arg[0]->access->offset[0], -1);
	assert_int_equal(e->arg[0]->arg[1]->access->offset[0], 0);
}

static void test_access(void **state)
{
	const struct program *p = compile(state,
		"A[t+1][i] = A[t-2][i-3] + D[t+1][i+4] + A[t-2][i-3];");
	const struct stmt *s = p->stmt[1];

	assert_string_equal(s->name, "S1");
	assert_string_equal(s->iterator[0], "i");
	assert_int_equal(s->write->version, 1);
	assert_int_equal(s->n_reads, 2);
	assert_int_equal(s->read[0]->version, -2);
	assert_int_equal(s->read[0]->dim[0], 0);
	assert_int_equal(s->read[0]->offset[0], -3);
	assert_string_equal(s->read[1]->field->name, "D");
	assert_int_equal(s->read[1]->version, 1);
	assert_int_equal(p->field[0]->depth, 3);
	assert_int_equal(p->field[1]->depth, 1);
	assert_ptr_equal(s->value->arg[0]->kind == EXPR_CAST ? NULL :
		s->value->arg[0]->arg[1]->access, s->read[0]);
}

static void test_arguments_in_order(void **state)
{
	const struct program *p = compile_with(state,
		"stencil s { param int N; input float in[N];"
		" param int K = 3; temp float v[N]; param float a;"
		" output float out[N]; v[i] = a * in[i+K];"
		" out[i] = v[i]; }", NULL, 0);

	assert_non_null(p);
	assert_int_equal(p->n_args, 4);
	assert_string_equal(p->arg[0].param->name, "N");
	assert_string_equal(p->arg[1].field->name, "in");
	assert_string_equal(p->arg[2].param->name, "a");
	assert_string_equal(p->arg[3].field->name, "out");
	assert_false(p->timed);
	assert_int_equal(p->stmt[0]->read[0]->offset[0], 3);
}

static void test_flops(void **state)
{
	static const struct {
		const char *body;
		int flops;
	} table[] = {
		{ "A[t+1][i] = A[t][i];", 0 },
		{ "A[t+1][i] = -1.0f * A[t][i];", 1 },
		{ "A[t+1][i] = -A[t][i];", 1 },
		{ "A[t+1][i] = A[t][i] + (i + 2 * t);", 1 },
		{ "A[t+1][i] = sqrt(A[t][i]) / (A[t][i-1] > 0 ? 2 : 3);",
			2 },
		{ "A[t+1][i] = sq(A[t][i] - A[t][i-1]);", 2 },
		{ "let x = A[t][i] + A[t][i+1]; A[t+1][i] = x * x * x;", 3 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); ++i)
		assert_int_equal(stmt_flops(
			compile(state, table[i].body)->stmt[1]),
			table[i].flops);
}

/* -1.0/560 is computed in double and rounded once. */
static void test_constants_are_rounded_as_in_c(void **state)
{
	const struct program *p = compile_with(state,
		"stencil s { param int N; input float in[N];"
		" const float c[0 .. 1] = { -1.0/560, 1.0f/3 };"
		" output float out[N];"
		" out[i] = c[0] * in[i] + c[1] * in[i+1]; }", NULL, 0);
	const struct expr *e;

	assert_non_null(p);
	e = p->stmt[0]->value->arg[0]->arg[0];
	assert_int_equal(e->op, OP_NEG);
	assert_int_equal(e->type, TYPE_FLOAT);
	assert_true(e->arg[0]->rvalue == (float) (1.0 / 560));
	e = p->stmt[0]->value->arg[1]->arg[0];
	assert_true(e->rvalue == 1.0f / 3);
}

static void test_expr_constant(void **state)
{
	int64_t value = 0;

	assert_true(expr_constant(value_of(state, "7 / -2 * 3 % 4"),
		&value));
	assert_int_equal(value, 7 / -2 * 3 % 4);
	assert_true(expr_constant(value_of(state,
		"(3 > 2 && !0 || 1 / 1 == 2) ? 5 : 1 % 2"), &value));
	assert_int_equal(value, 5);
	assert_false(expr_constant(value_of(state, "N - N"), &value));
	assert_false(expr_constant(value_of(state, "1.0"), &value));
}

static void check_real(enum type type, double value, const char *want)
{
	struct text t = { 0 };

	ir_print_real(&t, type, value);
	assert_string_equal(t.bytes, want);
	text_free(&t);
}

static void test_reals_are_printed_exactly(void **state)
{
	(void) state;
	check_real(TYPE_FLOAT, 0.1f, "0.1f");
	check_real(TYPE_DOUBLE, 0.1, "0.1");
	check_real(TYPE_DOUBLE, 0.1f, "0.10000000149011612");
	check_real(TYPE_FLOAT, 3, "3.0f");
	check_real(TYPE_DOUBLE, 0, "0.0");
	check_real(TYPE_DOUBLE, 1e300, "1e+300");
	check_real(TYPE_FLOAT, 16777216, "16777216.0f");
	check_real(TYPE_DOUBLE, nextafter(1, 2), "1.0000000000000002");
}

static const char *const sized =
	"stencil s { param int T, N; param float a; state float A[N];"
	" iterate t = 0 .. T { A[t+1][i] = a * A[t][i-1]; } }";

/* Constants of each function and operator, as C computes them. */
static void test_constants_are_computed(void **state)
{
	static const struct {
		const char *text;
		double value;
	} table[] = {
		{ "sqrt(2.0)", 1.4142135623730951 },
		{ "sqrt(2.0f)", 1.41421354f },
		{ "exp(0.0) + exp(0.0f)", 2 },
		{ "log(1.0) + log(1.0f)", 0 },
		{ "sin(0.0) + sin(0.0f)", 0 },
		{ "cos(0.0) + cos(0.0f)", 2 },
		{ "tan(0.0) + tan(0.0f)", 0 },
		{ "tanh(0.0) + tanh(0.0f)", 0 },
		{ "pow(2, 10) + pow(2.0f, 3.0f)", 1032 },
		{ "fabs(-3) + fabs(-3.5f)", 6.5 },
		{ "fmin(2, 1) + fmin(2.0f, 0.5f)", 1.5 },
		{ "fmax(2, 1) + fmax(2.0f, 0.5f)", 4 },
		{ "fma(0.1, 10, -1) * 18014398509481984.0", 1 },
		{ "fma(2.0f, 3.0f, 0.5f)", 6.5 },
		{ "floor(-1.5) + floor(-1.5f)", -4 },
		{ "cbrt(27.0) + cbrt(8.0f) + hypot(3, 4) + hypot(6.0f, 8.0f)", 20 },
		{ "exp2(3.0) + exp2(2.0f) + log2(8.0) + log2(4.0f) + log10(1000.0)", 20 },
		{ "expm1(0.0) + log1p(0.0f) + erf(0.0) + erfc(0.0f) + cosh(0.0)", 2 },
		{ "asin(0.0) + acos(1.0f) + atan(0.0) + sinh(0.0f) + asinh(0.0)", 0 },
		{ "acosh(1.0) + atanh(0.0f) + atan2(0.0, 1.0) + atan2(0.0f, 1.0f)", 0 },
		{ "fdim(5, 3) + fdim(3.0f, 5.0f) + copysign(2.0, -1) + fmod(7.5f, 2.0f)", 1.5 },
		{ "trunc(-1.5) + round(-1.5f) + round(2.5) + rint(2.5)", 2 },
		{ "ceil(-1.5) + ceil(-1.5f)", -2 },
		{ "1.5 + 2.25f - 1", 2.75 },
		{ "1.5f - 0.25f + 2.0f * 3.0f / 4.0f", 2.75 },
		{ "1.0 / 3.0 * 3.0 - 0.5", 0.5 },
		{ "7 / 2 + 7 % 4 - -7 / 2", 9 },
		{ "(int) 3.75 + (int) -3.75f + (float) 0.1", 0.1f },
		{ "(1.5 < 2) + (2 <= 1.5) + (2.5 > 2) + (2 >= 2.5f)", 2 },
		{ "(1.5 == 1.5f) + (0.1 != 0.1f) + !0.5 + !0.0", 3 },
		{ "(0.5 && 0) + (0.5 || 0) + (0 || 0.0)", 1 },
		{ "(1 < 2) * 4 + (1 == 2) + (2 != 1) + (2 >= 2)", 6 },
		{ "1.5 > 1 ? 2 : 0.5", 2 },
		{ "0.0 ? 2 : 0.5f", 0.5 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); ++i) {
		const struct program *p = compile_with(state, region_printf(
			f->mem, "stencil s { param int T, N;"
			" param double x = %s; state double A[N]; iterate t ="
			" 0 .. T { A[t+1][i] = x * A[t][i]; } }",
			table[i].text), NULL, 0);

		if (!p || p->param[2]->rvalue < table[i].value ||
		    p->param[2]->rvalue > table[i].value)
			fail_msg("%s", table[i].text);
	}
}

/* A correct program, with everything that the invariants are about. */
static struct program *rich_program(void **state)
{
	return (struct program *) compile_with(state,
		"stencil s { param int T, N; param float a;"
		" state float A[N]; input int k[N]; input float e[T+1][N];"
		" boundary A = value(a);"
		" assume N > 2; iterate t = 0 .. T + 1 {"
		" let x = A[t][i] * 2 + t;"
		" on (i > 1) A[t+1][i] = fmax(a, A[t-1][i-1] + x)"
		" + (k[i] % 2 ? 0.5f : -a) + e[t][i-1]; } }", NULL, 0);
}

/* Find in "e" the first expression of this kind. */
static struct expr *find_kind(const struct expr *e, enum expr_kind kind)
{
	if (e->kind == kind)
		return (struct expr *) e;
	for (int i = 0; i < e->n_args; ++i) {
		struct expr *found = find_kind(e->arg[i], kind);

		if (found)
			return found;
	}
	return NULL;
}

/* Break invariant "which" of "p"; false if there are no more. */
static bool break_program(struct program *p, int which)
{
	struct stmt *s = p->stmt[0];
	struct access *write = (struct access *) s->write;
	struct access *read = (struct access *) s->read[0];
	struct field *field = p->field[0], *input = p->field[1];
	static const struct param other = { .type = TYPE_DOUBLE };
	static const struct access unlisted;
	static const struct local none;
	const struct expr *value = s->locals->value;

	switch (which) {
	case 0: read->field = NULL; return true;
	case 1: find_kind(s->value, EXPR_BINARY)->n_args = 1; return true;
	case 2: read->version = 2; return true;
	case 3: field->depth = 1; return true;
	case 4: read->dim[0] = 3; return true;
	case 5: find_kind(value, EXPR_INT)->ivalue = -1; return true;
	case 6: find_kind(s->value, EXPR_REAL)->rvalue = NAN; return true;
	case 7: find_kind(s->value, EXPR_PARAM)->param = &other; return true;
	case 8: find_kind(s->condition[0], EXPR_INDEX)->dim = 1; return true;
	case 9: p->timed = false; return true;
	case 10: find_kind(s->value, EXPR_READ)->access = &unlisted;
		return true;
	case 11: find_kind(value, EXPR_READ)->type = TYPE_INT; return true;
	case 12: find_kind(s->value, EXPR_LOCAL)->local = &none; return true;
	case 13: find_kind(s->value, EXPR_SELECT)->type = TYPE_INT;
		return true;
	case 14: find_kind(s->value, EXPR_CALL)->type = TYPE_DOUBLE;
		return true;
	case 15: write->field = input; return true;
	case 16: write->version = 0; return true;
	case 17: s->n_dims = 2; return true;
	case 18: write->offset[0] = 1; return true;
	case 19: field->type = TYPE_DOUBLE; return true;
	case 20: field->index = 1; return true;
	case 21: field->n_dims = 9; return true;
	case 22: field->depth = 0; return true;
	case 23: find_kind(field->boundary[0][SIDE_LOW].value, EXPR_PARAM)->type =
		TYPE_DOUBLE; return true;
	case 24: ((struct expr *) p->end)->n_args = 1; return true;
	case 25: ((struct expr *) p->assume[0])->type = TYPE_FLOAT;
		return true;
	case 26: find_kind(s->value, EXPR_SELECT)->n_args = 2; return true;
	case 27: ((struct access *) s->read[s->n_reads - 1])->version = -1;
		return true;
	case 28: ((struct expr *) find_kind(s->value, EXPR_SELECT)->arg[0])
		->arg[1] = find_kind(s->value, EXPR_REAL); return true;
	case 29: find_kind(s->value, EXPR_ELEMENT)->access = &unlisted;
		return true;
	case 30: ((struct access *) s->element[0])->dim[1] = 2; return true;
	case 31: ((struct expr *) find_kind(s->value, EXPR_ELEMENT)->arg[0])
		->kind = EXPR_LOCAL; return true;
	case 32: ((struct expr *) find_kind(s->value, EXPR_BINARY)->arg[0])
		->type = TYPE_HALF; return true;
	case 33: find_kind(s->value, EXPR_BINARY)->op = OP_BIT_AND; return true;
	default: return false;
	}
}

static void test_broken_programs_are_noticed(void **state)
{
	struct fixture *f = *state;
	struct program *p = rich_program(state);

	assert_non_null(p);
	assert_null(ir_verify(f->mem, p));
	for (int i = 0; break_program(p, i); ++i) {
		if (!ir_verify(f->mem, p))
			fail_msg("break %d", i);
		p = rich_program(state);
	}
}

static void test_defines(void **state)
{
	const struct define defines[] = { { "N", "0x40" }, { "a", "1e-1f" } };
	const struct program *p = compile_with(state, sized, defines, 2);

	assert_non_null(p);
	assert_false(p->param[0]->fixed);
	assert_true(p->param[1]->fixed);
	assert_int_equal(p->param[1]->ivalue, 64);
	assert_true(p->param[2]->rvalue == 0.1f);
	assert_int_equal(p->n_args, 2);
}

static void test_defines_are_refused(void **state)
{
	static const struct define wrong[] = {
		{ "M", "3" }, { "A", "3" }, { "N", "3.5" }, { "N", "" },
		{ "N", "4294967296" }, { "a", "x" }, { "a", "inf" },
		{ "", "3" },
	};
	struct fixture *f = *state;
	unsigned n = sizeof(wrong) / sizeof(*wrong);

	for (unsigned i = 0; i < n; ++i)
		assert_null(compile_with(state, sized, &wrong[i], 1));
	assert_int_equal(f->diags.reported[E_DEFINE], n);
	assert_int_equal(f->diags.errors, n);
}

static void test_nul_bytes_are_no_end(void **state)
{
	struct fixture *f = *state;
	struct source src = { .name = "nul.stn",
		.text = "stencil s { }\0x", .length = 15 };

	assert_null(frontend_stn(f->mem, &f->diags, &src, NULL, 0));
	assert_int_equal(f->diags.reported[E_BYTE], 1);
}

/* Weights of differences --------------------------------------------------- */

static void expect_weights(int n, int begin, int end, int half,
	const int (*expected)[2])
{
	struct weight w[WEIGHTS_MOST];

	assert_true(weights_find(n, begin, end, half, w));
	for (int i = 0; i <= end - begin; ++i) {
		assert_int_equal(w[i].above, expected[i][0]);
		assert_int_equal(w[i].below, expected[i][1]);
	}
}

/* Those that books have. */
static void test_weights(void **state)
{
	static const int second[][2] = {
		{ -1, 560 }, { 8, 315 }, { -1, 5 }, { 8, 5 }, { -205, 72 },
		{ 8, 5 }, { -1, 5 }, { 8, 315 }, { -1, 560 },
	};
	static const int half[][2] = {
		{ 1, 24 }, { -9, 8 }, { 9, 8 }, { -1, 24 },
	};
	static const int low[][2] = { { 2, 1 }, { -5, 1 }, { 4, 1 }, { -1, 1 } };
	static const int middle[][2] = {
		{ -1, 16 }, { 9, 16 }, { 9, 16 }, { -1, 16 },
	};
	static const int fourth[][2] = {
		{ 1, 1 }, { -4, 1 }, { 6, 1 }, { -4, 1 }, { 1, 1 },
	};

	(void) state;
	expect_weights(2, -4, 4, 0, second);
	expect_weights(1, -1, 2, 1, half);
	expect_weights(1, -2, 1, -1, half);
	expect_weights(2, 0, 3, 0, low);
	expect_weights(0, -1, 2, 1, middle);
	expect_weights(4, -2, 2, 0, fourth);
}

/* "w", rounded once to "type", is within half a unit of its last bit. */
static void expect_rounded(struct weight w, enum type type)
{
	double rounded = weights_round(w, type), unit;
	long double exact = (long double) w.above / (long double) w.below;
	int exponent;

	frexp(rounded, &exponent);
	unit = ldexp(1, exponent - (type == TYPE_FLOAT ? 24 : 53));
	assert_true(fabsl((long double) rounded - exact) <=
		0.501L * (long double) unit);
	if (type == TYPE_FLOAT)
		assert_true(rounded == (double) (float) rounded);
}

/* All that the library asks for fit, and are rounded well. */
static void test_weights_are_rounded_once(void **state)
{
	struct weight w[WEIGHTS_MOST];

	(void) state;
	for (int n = 0; n <= 8; ++n) {
		for (int p = 1; p <= 16; ++p) {
			int last = n + p - 1, h = p / 2 + n / 2;

			assert_true(weights_find(n, 0, last, 0, w));
			for (int i = 0; i <= last; ++i) {
				expect_rounded(w[i], TYPE_FLOAT);
				expect_rounded(w[i], TYPE_DOUBLE);
			}
			assert_true(weights_find(n, -last, 0, 0, w));
			assert_true(weights_find(n, 1 - h - p % 2, h, 1, w));
			h = (n + 1) / 2 + p / 2;
			assert_true(weights_find(n, -h, h, 0, w));
		}
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_types),
		TEST(test_arguments_are_converted),
		TEST(test_sum_is_left_associated),
		TEST(test_access),
		TEST(test_arguments_in_order),
		TEST(test_flops),
		TEST(test_constants_are_rounded_as_in_c),
		TEST(test_expr_constant),
		TEST(test_reals_are_printed_exactly),
		TEST(test_constants_are_computed),
		TEST(test_broken_programs_are_noticed),
		TEST(test_defines),
		TEST(test_defines_are_refused),
		TEST(test_nul_bytes_are_no_end),
		TEST(test_weights),
		TEST(test_weights_are_rounded_once),
	};

	return cmocka_run_group_tests_name("frontend", tests, NULL, NULL);
}
