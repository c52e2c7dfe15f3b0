/* What printers share: types and expressions. */
#include <string.h>

#include "codegen/tree/lower.h"
#include "codegen/tree/print.h"

enum { PRECEDENCE_UNARY = 14, PRECEDENCE_SELECT = 3, PRECEDENCE_NONE = 0 };

/* Types ----------------------------------------------------------------- */

static const char *scalar_name(const struct spelling *say, struct ctype type)
{
	static const char *const name[] = {
		[CT_NONE] = "int", [CT_VOID] = "void", [CT_BOOL] = "bool",
		[CT_CHAR] = "char", [CT_LONG] = "long long",
		[CT_SIZE] = "size_t", [CT_DISTANCE] = "ptrdiff_t",
		[CT_ARRIVALS] = "uint64_t", [CT_COMM] = "MPI_Comm",
		[CT_RANKS] = "struct stencilc_ranks",
	};

	switch (type.scalar) {
	case CT_STREAM:
		return say->stream;
	case CT_ERROR:
		return say->error;
	case CT_GRAPH:
		return say->graph;
	case CT_GRAPH_RUN:
		return say->graph_run;
	case CT_CAPTURING:
		return say->capturing;
	case CT_NAMED:
		return type.name;
	case CT_HALF:
	case CT_BFLOAT:
		if (say->bits)
			return say->bits;
		break;
	default:
		break;
	}
	return value_type(type.scalar) < TYPES ?
		type_word(value_type(type.scalar)) : name[type.scalar];
}

void print_type(struct text *t, const struct spelling *say, struct ctype type)
{
	text_printf(t, "%s%s", type.is_const ? "const " : "",
		scalar_name(say, type));
	if (type.lanes == LANES_OF_PROCESSOR)
		text_puts(t, "s");
	else if (type.lanes)
		text_printf(t, "%d", type.lanes);
	text_puts(t, type.pointers ? " " : "");
	for (int i = 0; i < type.pointers; i++)
		text_puts(t, "*");
	text_puts(t, type.is_fixed ? "const" : "");
	text_puts(t, type.is_restrict ? say->restricted : "");
}

/* "float *" needs no space before the name, "int" does. */
void print_declarator(struct text *t, const struct spelling *say,
	struct ctype type, const char *name)
{
	bool bare = type.pointers && !type.is_fixed && !type.is_restrict;

	print_type(t, say, type);
	text_printf(t, "%s%s", bare ? "" : " ", name);
}

/* Expressions ----------------------------------------------------------- */

/* Functions of C, and those of helpers.c. */
static const char *const common_word[N_BUILTINS] = {
	[B_MIN] = "imin(", [B_MAX] = "imax(", [B_FLOOR_DIV] = "floord(",
	[B_WRAP] = "wrap(",
	[B_MODULO] = "stencilc_wrap(", [B_PARITY] = "stencilc_parity(",
	[B_ROW_OF_TURN] = "stencilc_row_of_turn(",
	[B_COLUMN_OF_TURN] = "stencilc_column_of_turn(",
	[B_OVER_ROOT] = "stencilc_rsqrt_", [B_ROOT] = "stencilc_sqrt_",
	[B_INVERSE] = "stencilc_rcp_",
	[B_DEREFERENCE] = "*(", [B_LOAD] = "stencilc_load_",
	[B_STORE] = "stencilc_store_", [B_COPY] = "stencilc_copy_",
	[B_LOAD_LANES] = "load_", [B_KEEP_LANES] = "keep_",
	[B_BESIDE_LANES] = "beside_",
	[B_LAST_LANES] = "last_", [B_LEFT_LANES] = "left_",
	[B_RIGHT_LANES] = "right_", [B_SHIFTED_LANES] = "shifted_",
	[B_JOINT_LANES] = "joint_",
	[B_LEFT_OF_JOINT_LANES] = "left_of_joint_",
	[B_RIGHT_OF_JOINT_LANES] = "right_of_joint_",
	[B_ONE_LANES] = "one_",
	[B_FUSED_SUM_LANES] = "fused_sum_",
	[B_FUSED_DIFFERENCE_LANES] = "fused_difference_",
	[B_ROOT_LANES] = "root_",
	[B_LARGE_ROOT_LANES] = "large_root_",
	[B_DIVIDER_ROOT_LANES] = "divider_root_",
	[B_DIVIDER_LARGE_ROOT_LANES] = "divider_large_root_",
	[B_OVER_ROOT_LANES] = "over_root_",
	[B_TO_LANES] = "to_lanes_",
	[B_FROM_LANES] = "from_lanes_",
	[B_STORE_PART_LANES] = "store_part_", [B_CELLS_TO_LANES] = "cells_to_",
	[B_CELLS_TO_LINE_LANES] = "cells_to_line_",
	[B_STORE_LANES] = "store_", [B_STORE_LAST_LANES] = "store_last_",
	[B_WHOLE_LINES] = "whole_lines(",
	[B_HALF_PAGE_APART] = "half_page_apart(",
	[B_NEW_OR_END] = "harness_memory(",
	[B_NEW] = "malloc(", [B_NEW_ZEROED] = "calloc(",
	[B_NEW_ALIGNED] = "aligned_alloc(",
	[B_NEW_LARGE] = "stencilc_memory(", [B_DELETE] = "free(",
	[B_COPY_BYTES] = "memcpy(",
	[B_JOIN + REDUCE_MAX] = "stencilc_max_",
	[B_JOIN + REDUCE_MIN] = "stencilc_min_",
	[B_JOIN + REDUCE_SUM] = "stencilc_sum_",
	[B_NOTHING + REDUCE_MAX] = "stencilc_least_",
	[B_NOTHING + REDUCE_MIN] = "stencilc_greatest_",
	[B_NOTHING + REDUCE_SUM] = "stencilc_zero_",
	[B_JOIN_LANES + REDUCE_MAX] = "stencilc_max_of_lanes_",
	[B_JOIN_LANES + REDUCE_MIN] = "stencilc_min_of_lanes_",
	[B_JOIN_LANES + REDUCE_SUM] = "stencilc_sum_of_lanes_",
	[B_JOIN_ALL + REDUCE_MAX] = "stencilc_max_of_all_",
	[B_JOIN_ALL + REDUCE_MIN] = "stencilc_min_of_all_",
	[B_JOIN_ALL + REDUCE_SUM] = "stencilc_sum_of_all_",
	[B_JOIN_THREADS + REDUCE_MAX] = "stencilc_max_of_threads_",
	[B_JOIN_THREADS + REDUCE_MIN] = "stencilc_min_of_threads_",
	[B_JOIN_THREADS + REDUCE_SUM] = "stencilc_sum_of_threads_",
	[B_JOIN_HANDED + REDUCE_MAX] = "stencilc_max_of_blocks_",
	[B_JOIN_HANDED + REDUCE_MIN] = "stencilc_min_of_blocks_",
	[B_JOIN_HANDED + REDUCE_SUM] = "stencilc_sum_of_blocks_",
	[B_JOIN_MAGNITUDES] = "stencilc_max_of_magnitudes_",
	[B_HAND_ON] = "stencilc_hand_on_",
	[B_LAST_BLOCK] = "stencilc_is_last_block(",
	[B_DEAL_TILES] = "deal_tiles(", [B_TILES_AHEAD] = "tiles_ahead(",
	[B_FETCH_TO_READ] = "fetch_to_read(",
	[B_FETCH_TO_WRITE] = "fetch_to_write(",
	[B_FETCH_BEHIND] = "fetch_behind(",
	[B_BULK_BEGIN] = "stencilc_begin_arrivals(",
	[B_BULK_EXPECT] = "stencilc_expect_bytes(",
	[B_BULK_COPY] = "stencilc_copy_bytes(",
	[B_BULK_WAIT] = "stencilc_wait_for_bytes(",
	[B_BULK_FENCE] = "stencilc_order_copies(",
#define BOUNDARY(id, word, stands, first, step, cells) \
	[B_STAND_IN + id] = "stencilc_" word "(", \
	[B_ANY_STAND_IN + id] = "harness_" word "(",
#include "ir/boundaries.def"
#undef BOUNDARY
	[B_IS_INSIDE] = "harness_inside(", [B_COPY_OF] = "harness_copied(",
	[W_NULL] = "NULL",
	[W_MAX_GRID_X] = "STENCILC_MAX_GRID_X",
	[W_MAX_GRID_YZ] = "STENCILC_MAX_GRID_YZ",
	[W_ENOUGH_BLOCKS] = "STENCILC_ENOUGH_BLOCKS",
	[W_SHIFTS] = "STENCILC_SHIFTS", [W_HALVES] = "STENCILC_HALVES",
};

const char *builtin_word(const struct spelling *say, enum builtin builtin)
{
	return say->builtin[builtin] ? say->builtin[builtin] :
		common_word[builtin];
}

static void print_list(struct text *t, const struct spelling *say,
	const struct kx *x)
{
	for (int i = 0; i < x->n_args; i++) {
		if (i > 0)
			text_puts(t, ", ");
		print_operand(t, say, x->arg[i], PRECEDENCE_NONE);
	}
}

static void print_builtin(struct text *t, const struct spelling *say,
	const struct kx *x)
{
	const char *word = builtin_word(say, x->builtin);
	char end = word[strlen(word) - 1];

	text_puts(t, word);
	if (end == '.')
		text_printf(t, "%c", "xyz"[x->ivalue]);
	if (end == '_') {
		print_type(t, say, x->c_type);
		text_puts(t, "(");
	}
	if (end == '_' || strchr(word, '(')) {
		print_list(t, say, x);
		text_puts(t, ")");
	}
}

static void print_real(struct text *t, const struct kx *x)
{
	if (x->name)
		text_puts(t, x->name);
	else
		ir_print_real(t, x->type, x->rvalue);
}

static bool is_conjunction(const struct kx *x)
{
	return x->kind == KX_BINARY && x->op == OP_AND;
}

static void print_binary(struct text *t, const struct spelling *say,
	const struct kx *x)
{
	int precedence = op_info(x->op)->precedence;
	int left = precedence, right = precedence + 1;

	/* C needs no parentheses around && in ||, but compilers warn without
	 * them.
	 */
	if (x->op == OP_OR && is_conjunction(x->arg[0]))
		left = op_info(OP_AND)->precedence + 1;
	if (x->op == OP_OR && is_conjunction(x->arg[1]))
		right = op_info(OP_AND)->precedence + 1;
	if (x->op == OP_AND && is_conjunction(x->arg[1]))
		right = precedence;
	if (op_is_of_bits(x->op))
		left = right = PRECEDENCE_UNARY;
	print_operand(t, say, x->arg[0], left);
	text_printf(t, " %s ", op_info(x->op)->spelling);
	print_operand(t, say, x->arg[1], right);
}

static void print_subscripts(struct text *t, const struct spelling *say,
	const struct kx *x, int first)
{
	for (int i = first; i < x->n_args; i++) {
		text_puts(t, "[");
		print_operand(t, say, x->arg[i], PRECEDENCE_NONE);
		text_puts(t, "]");
	}
}

static void print_indexed(struct text *t, const struct spelling *say,
	const struct kx *x)
{
	text_puts(t, x->name);
	print_subscripts(t, say, x, 0);
}

/* Fields of constant sizes are arrays; others go through their macro. */
static void print_cell(struct text *t, const struct spelling *say,
	const struct kx *x)
{
	if (x->field && field_is_constant(x->field)) {
		print_indexed(t, say, x);
		return;
	}
	text_printf(t, "%s_AT(", x->name);
	print_list(t, say, x);
	text_puts(t, ")");
}

/* The number of 16 bits that a cast makes or takes; NULL: C has the cast. */
static const char *word_of_16_bits(const struct kx *x)
{
	enum type from = x->arg[0]->type;

	if (x->c_type.pointers || x->n_args > 1)
		return NULL;
	return x->c_type.scalar == CT_HALF ? "stencilc_to_half(" :
		x->c_type.scalar == CT_BFLOAT ? "stencilc_to_bfloat(" :
		from == TYPE_HALF ? "stencilc_of_half(" :
		from == TYPE_BFLOAT ? "stencilc_of_bfloat(" : NULL;
}

static int precedence_of(const struct kx *x)
{
	switch (x->kind) {
	case KX_BINARY:
		return op_info(x->op)->precedence;
	case KX_SELECT:
		return PRECEDENCE_SELECT;
	case KX_CAST:
		return word_of_16_bits(x) ? 100 : PRECEDENCE_UNARY;
	case KX_UNARY:
	case KX_ADDRESS:
		return PRECEDENCE_UNARY;
	case KX_INT:
		return x->ivalue < 0 ? PRECEDENCE_UNARY : 100;
	case KX_REAL:
		return x->rvalue < 0 ? PRECEDENCE_UNARY : 100;
	default:
		return 100;
	}
}

static void print_cast(struct text *t, const struct spelling *say,
	const struct kx *x)
{
	const char *word = word_of_16_bits(x);

	if (word) {
		text_puts(t, word);
		print_operand(t, say, x->arg[0], PRECEDENCE_NONE);
		text_puts(t, ")");
		return;
	}
	text_puts(t, "(");
	print_type(t, say, x->c_type);
	text_puts(t, x->n_args > 1 ? " (*)" : "");
	print_subscripts(t, say, x, 1);
	text_puts(t, ")");
	print_operand(t, say, x->arg[0], PRECEDENCE_UNARY);
}

/* Types without vectors of their own name use integers of the same bytes. */
static void print_sizeof(struct text *t, const struct spelling *say,
	struct ctype type)
{
	if (type.lanes > 0 && !type.pointers && type.scalar != CT_INT &&
	    type.scalar != CT_FLOAT && type.scalar != CT_DOUBLE) {
		text_printf(t, "%d * ", type.lanes);
		type.lanes = 0;
	}
	text_puts(t, "sizeof(");
	print_type(t, say, type);
	text_puts(t, ")");
}

static const char *math_prefix(const struct spelling *say, enum op op)
{
	return op_is_extreme(op) && say->extremes ? say->extremes : "";
}

static void print_bare(struct text *t, const struct spelling *say,
	const struct kx *x)
{
	switch (x->kind) {
	case KX_INT:
		if (x->name)
			text_puts(t, x->name);
		else
			text_printf(t, "%lld", (long long) x->ivalue);
		return;
	case KX_REAL:
		print_real(t, x);
		return;
	case KX_NAME:
		text_puts(t, x->name);
		return;
	case KX_UNARY:
		text_puts(t, op_info(x->op)->spelling);
		print_operand(t, say, x->arg[0], PRECEDENCE_UNARY + 1);
		return;
	case KX_BINARY:
		print_binary(t, say, x);
		return;
	case KX_SELECT:
		print_operand(t, say, x->arg[0], PRECEDENCE_SELECT + 1);
		text_puts(t, " ? ");
		print_operand(t, say, x->arg[1], PRECEDENCE_NONE);
		text_puts(t, " : ");
		print_operand(t, say, x->arg[2], PRECEDENCE_SELECT);
		return;
	case KX_MATH:
		text_printf(t, "%s%s%s(", math_prefix(say, x->op),
			op_info(x->op)->spelling,
			x->type == TYPE_FLOAT ? "f" : "");
		print_list(t, say, x);
		text_puts(t, ")");
		return;
	case KX_BUILTIN:
		print_builtin(t, say, x);
		return;
	case KX_CALL:
		text_printf(t, "%s(", x->name);
		print_list(t, say, x);
		text_puts(t, ")");
		return;
	case KX_CAST:
		print_cast(t, say, x);
		return;
	case KX_INDEX:
		print_indexed(t, say, x);
		return;
	case KX_CELL:
		print_cell(t, say, x);
		return;
	case KX_SIZEOF:
		print_sizeof(t, say, x->c_type);
		return;
	case KX_ADDRESS:
		text_puts(t, "&");
		print_operand(t, say, x->arg[0], PRECEDENCE_UNARY);
		return;
	case KX_MEMBER:
		print_operand(t, say, x->arg[0], PRECEDENCE_UNARY + 1);
		text_printf(t, "->%s", x->name);
		return;
	}
}

void print_operand(struct text *t, const struct spelling *say,
	const struct kx *x, int least)
{
	bool parentheses = precedence_of(x) < least;
	size_t from = t->length;

	if (parentheses)
		text_puts(t, "(");
	print_bare(t, say, x);
	if (parentheses)
		text_puts(t, ")");
	if (x->of && x->of->kind == EXPR_READ)
		text_span(t, from, t->length, x->of);
}

void print_kx(struct text *t, const struct spelling *say, const struct kx *x)
{
	print_operand(t, say, x, PRECEDENCE_NONE);
}

void print_size(struct text *t, const struct kunit *unit,
	const struct expr *e)
{
	struct binding b = { .mem = unit->mem, .prog = unit->prog };

	print_kx(t, &spelling_c, kx_of_expr(&b, e));
}
