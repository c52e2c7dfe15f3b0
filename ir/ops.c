/* Operators and functions, see expr.h. */
#include "ir/expr.h"

#include <string.h>

const struct op_info *op_info(enum op op)
{
	static const struct op_info infos[] = {
#define OP(id, arity, spelling, precedence, cost) { arity, spelling, precedence, cost, 0 },
#define FUNCTION1(id, name, cost, special) { 1, #name, 0, cost, special },
#define FUNCTION2(id, name, cost, special) { 2, #name, 0, cost, special },
#define FUNCTION3(id, name, cost, special) { 3, #name, 0, cost, special },
#include "ir/ops.def"
	};

	return &infos[op];
}

const char op_functions[] = ""
#define FUNCTION1(id, name, cost, special) " " #name
#define FUNCTION2(id, name, cost, special) " " #name
#define FUNCTION3(id, name, cost, special) " " #name
#include "ir/ops.def"
	;

/* Is "name" the function "known", or C's spelling of it for float? */
static bool is_spelling(const char *name, const char *known, bool *single)
{
	size_t length = strlen(known);

	*single = !strncmp(name, known, length) && !strcmp(name + length, "f");
	return *single || !strcmp(name, known);
}

bool op_find_function(const char *name, enum op *op, bool *single)
{
	for (int i = 0; i < OP_COUNT; i++) {
		const struct op_info *info = op_info((enum op) i);

		if (info->precedence || !is_spelling(name, info->spelling, single))
			continue;
		*op = (enum op) i;
		return true;
	}
	return false;
}

bool op_is_short_function(enum op op)
{
	return !op_info(op)->precedence && !op_info(op)->special;
}

bool op_is_extreme(enum op op)
{
	return op == OP_FMIN || op == OP_FMAX;
}

bool op_is_comparison(enum op op)
{
	return op == OP_NOT || (op >= OP_LT && op <= OP_OR);
}

bool op_is_shift(enum op op)
{
	return op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT;
}

bool op_is_of_bits(enum op op)
{
	return op_is_shift(op) || op == OP_BIT_NOT || op == OP_BIT_AND ||
		op == OP_BIT_XOR || op == OP_BIT_OR;
}
