/* The plain interpreter: values, what operators and functions make of them, and cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/interpret.h"
#include "tests/interpreter.h"

void give_up(const char *what)
{
	fprintf(stderr, "interpret: %s\n", what);
	exit(3);
}

/* Values ---------------------------------------------------------------- */

struct value value_integer(enum type type, int64_t i)
{
	uint64_t u = (uint64_t) i;

	switch (type) {
	case TYPE_CHAR: i = (int8_t) (uint8_t) u; break;
	case TYPE_UCHAR: i = (uint8_t) u; break;
	case TYPE_SHORT: i = (int16_t) (uint16_t) u; break;
	case TYPE_USHORT: i = (uint16_t) u; break;
	case TYPE_INT: i = (int32_t) (uint32_t) u; break;
	case TYPE_UNSIGNED: i = (uint32_t) u; break;
	default: break;
	}
	return (struct value) { .type = type, .i = i };
}

struct value value_int(int64_t i)
{
	return value_integer(TYPE_INT, i);
}

/* The fields' own bits say what a value becomes that is stored with 16. */
struct value value_real(enum type type, double r)
{
	if (type == TYPE_HALF)
		r = test_of_half(test_half((float) r));
	else if (type == TYPE_BFLOAT)
		r = test_of_bfloat(test_bfloat((float) r));
	else if (type == TYPE_FLOAT)
		r = (double) (float) r;
	return (struct value) { .type = type, .r = r };
}

static double real_of(struct value v)
{
	return v.type == TYPE_ULONG ? (double) (uint64_t) v.i :
		type_is_integer(v.type) ? (double) v.i : v.r;
}

struct value value_as(struct value v, enum type type)
{
	if (v.type == type)
		return v;
	if (!type_is_integer(type))
		return v.type == TYPE_LONG && type == TYPE_FLOAT ?
			value_real(type, (double) (float) v.i) :
			v.type == TYPE_ULONG && type == TYPE_FLOAT ?
			value_real(type, (double) (float) (uint64_t) v.i) :
			value_real(type, real_of(v));
	if (type_is_integer(v.type))
		return value_integer(type, v.i);
	return type == TYPE_INT ? value_int((int32_t) v.r) :
		type == TYPE_ULONG ? value_integer(type,
			(int64_t) (uint64_t) v.r) :
		value_integer(type, (int64_t) v.r);
}

bool truth(struct value v)
{
	return type_is_integer(v.type) ? v.i != 0 : v.r != 0;
}

static struct value compare(enum op op, bool less, bool same)
{
	switch (op) {
	case OP_LT: return value_int(less);
	case OP_LE: return value_int(less || same);
	case OP_GT: return value_int(!less && !same);
	case OP_GE: return value_int(!less);
	case OP_EQ: return value_int(same);
	default: return value_int(!same);
	}
}

static int64_t quotient(enum type type, enum op op, int64_t a, int64_t b)
{
	uint64_t u = (uint64_t) a, v = (uint64_t) b;

	if (b == 0)
		give_up("division by zero");
	return type == TYPE_ULONG ? (int64_t) (op == OP_DIV ? u / v : u % v) :
		op == OP_DIV ? a / b : a % b;
}

struct value value_int_binary(enum type type, enum op op, int64_t a, int64_t b)
{
	uint64_t u = (uint64_t) a, v = (uint64_t) b;

	if (op_is_comparison(op))
		return compare(op, type == TYPE_ULONG ? u < v : a < b, a == b);
	switch (op) {
	case OP_MUL: return value_integer(type, (int64_t) (u * v));
	case OP_ADD: return value_integer(type, (int64_t) (u + v));
	case OP_SUB: return value_integer(type, (int64_t) (u - v));
	case OP_BIT_AND: return value_integer(type, a & b);
	case OP_BIT_XOR: return value_integer(type, a ^ b);
	case OP_BIT_OR: return value_integer(type, a | b);
	default: return value_integer(type, quotient(type, op, a, b));
	}
}

struct value value_shift(enum op op, struct value a, struct value by)
{
	if (by.i < 0 || by.i >= 8 * type_size(a.type))
		give_up("a shift of more bits than there are");
	if (op == OP_SHIFT_LEFT)
		return value_integer(a.type, (int64_t) ((uint64_t) a.i << by.i));
	return value_integer(a.type, a.type == TYPE_ULONG ?
		(int64_t) ((uint64_t) a.i >> by.i) : a.i >> by.i);
}

struct value value_real_binary(enum type type, enum op op, double a, double b)
{
	switch (op) {
	case OP_LT: return value_int(a < b);
	case OP_LE: return value_int(a <= b);
	case OP_GT: return value_int(a > b);
	case OP_GE: return value_int(a >= b);
	case OP_EQ: return value_int(a == b);
	case OP_NE: return value_int(a != b);
	case OP_MUL: return value_real(type, type == TYPE_FLOAT ?
		(float) a * (float) b : a * b);
	case OP_DIV: return value_real(type, type == TYPE_FLOAT ?
		(float) a / (float) b : a / b);
	case OP_ADD: return value_real(type, type == TYPE_FLOAT ?
		(float) a + (float) b : a + b);
	default: return value_real(type, type == TYPE_FLOAT ?
		(float) a - (float) b : a - b);
	}
}

struct value value_call_float(enum op op, float a, float b, float c)
{
	switch (op) {
#define FUNCTION1(id, name, cost, special) case id: return value_real(TYPE_FLOAT, name##f(a));
#define FUNCTION2(id, name, cost, special) case id: return value_real(TYPE_FLOAT, name##f(a, b));
#define FUNCTION3(id, name, cost, special) case id: return value_real(TYPE_FLOAT, name##f(a, b, c));
#include "ir/ops.def"
	default: return value_real(TYPE_FLOAT, 0);
	}
}

struct value value_call_double(enum op op, double a, double b, double c)
{
	switch (op) {
#define FUNCTION1(id, name, cost, special) case id: return value_real(TYPE_DOUBLE, name(a));
#define FUNCTION2(id, name, cost, special) case id: return value_real(TYPE_DOUBLE, name(a, b));
#define FUNCTION3(id, name, cost, special) case id: return value_real(TYPE_DOUBLE, name(a, b, c));
#include "ir/ops.def"
	default: return value_real(TYPE_DOUBLE, 0);
	}
}

struct value value_minus(struct value a)
{
	return type_is_integer(a.type) ? value_integer(a.type,
		(int64_t) -(uint64_t) a.i) : value_real(a.type, -a.r);
}

/* Memory ---------------------------------------------------------------- */

struct value load(const struct memory *m, int64_t at)
{
	switch (m->field->type) {
	case TYPE_CHAR:
	case TYPE_UCHAR: return value_integer(m->field->type, m->i8[at]);
	case TYPE_SHORT:
	case TYPE_USHORT: return value_integer(m->field->type, m->i16[at]);
	case TYPE_INT:
	case TYPE_UNSIGNED: return value_integer(m->field->type, m->i[at]);
	case TYPE_LONG:
	case TYPE_ULONG: return value_integer(m->field->type, m->i64[at]);
	case TYPE_HALF: return value_real(TYPE_HALF,
		test_of_half((uint16_t) m->i16[at]));
	case TYPE_BFLOAT: return value_real(TYPE_BFLOAT,
		test_of_bfloat((uint16_t) m->i16[at]));
	case TYPE_FLOAT: return value_real(TYPE_FLOAT, m->f[at]);
	default: return value_real(TYPE_DOUBLE, m->d[at]);
	}
}

void store(const struct memory *m, int64_t at, struct value v)
{
	v = value_as(v, m->field->type);
	switch (m->field->type) {
	case TYPE_CHAR:
	case TYPE_UCHAR: m->i8[at] = (int8_t) v.i; break;
	case TYPE_SHORT:
	case TYPE_USHORT: m->i16[at] = (int16_t) v.i; break;
	case TYPE_INT:
	case TYPE_UNSIGNED: m->i[at] = (int32_t) v.i; break;
	case TYPE_LONG:
	case TYPE_ULONG: m->i64[at] = v.i; break;
	case TYPE_HALF: m->i16[at] = (int16_t) test_half(v.r); break;
	case TYPE_BFLOAT: m->i16[at] = (int16_t) test_bfloat(v.r); break;
	case TYPE_FLOAT: m->f[at] = (float) v.r; break;
	default: m->d[at] = v.r; break;
	}
}
