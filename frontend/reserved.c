/* Names that a program cannot use, because they mean something else in the C,
 * C++ or CUDA file made from it.
 */
#include "frontend/lower.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Names of the headers that generated files include, and of the C library:
 * macros, and functions that no file may redefine.  Sorted.
 */
#include "frontend/functions-text.h"
#include "frontend/macros-text.h"

/* Those of C23, C++23 and GNU. */
static const char *const keyword[] = {
	"alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand",
	"bitor", "bool", "break", "case", "catch", "char", "char16_t",
	"char32_t", "char8_t", "class", "co_await", "co_return", "co_yield",
	"compl", "concept", "const", "const_cast", "consteval", "constexpr",
	"constinit", "continue", "decltype", "default", "delete", "do",
	"double", "dynamic_cast", "else", "enum", "explicit", "export",
	"extern", "false", "float", "for", "friend", "goto", "if", "inline",
	"int", "long", "mutable", "namespace", "new", "noexcept", "not",
	"not_eq", "nullptr", "operator", "or", "or_eq", "private",
	"protected", "public", "register", "reinterpret_cast", "requires",
	"restrict", "return", "short", "signed", "sizeof", "static",
	"static_assert", "static_cast", "struct", "switch", "template",
	"this", "thread_local", "throw", "true", "try", "typedef", "typeid",
	"typename", "typeof", "typeof_unqual", "union", "unsigned", "using",
	"virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
};

/* Names that generated code defines, calls or reads. */
static const char *const used[] = {
	"KEEP_ORDER", "NOINLINE", "OMP", "OMP_PRAGMA", "aligned_alloc", "argc", "argv",
	"beside_doubles", "beside_floats", "blockDim", "blockIdx", "cells_to_doubles", "cells_to_floats",
	"cells_to_line_doubles", "cells_to_line_floats",
	"cooperative_groups", "deal_tiles", "dim3", "divider_over_root_floats",
	"divider_root_doubles", "divider_root_floats", "double2",
	"double4", "doubles", "fetch_to_read", "fetch_to_write", "first_error", "float2", "float4", "floats",
	"floord", "fprintf",
	"fputs", "free", "from_lanes_doubles", "from_lanes_floats",
	"fused_difference_doubles", "fused_difference_floats",
	"fused_sum_doubles", "fused_sum_floats", "gridDim", "half_page_apart", "harness", "imax",
	"imin", "int2", "int4", "int64_t", "isatty", "joint_doubles",
	"joint_floats", "keep_doubles",
	"keep_floats", "last_doubles", "last_floats", "left_doubles",
	"left_floats", "left_of_joint_doubles", "left_of_joint_floats", "load_doubles", "load_floats", "madvise", "main",
	"make_double2", "make_double4", "make_float2", "make_float4",
	"make_int2", "make_int4", "malloc", "memcmp", "memcpy",
	"one_doubles", "one_floats", "over_root_floats", "printf", "ptrdiff_t", "right_doubles",
	"right_floats", "right_of_joint_doubles", "right_of_joint_floats", "root_doubles", "root_floats", "rsqrt", "rsqrtf",
	"size_t", "store_doubles", "store_floats", "store_last_doubles",
	"store_last_floats", "store_part_doubles", "store_part_floats",
	"strcmp", "strlen",
	"strncmp", "strtod", "threadIdx", "tiles_ahead", "timespec_get", "to_lanes_doubles",
	"to_lanes_floats", "turn_doubles", "turn_floats", "uint32_t",
	"uint64_t", "warpSize", "whole_lines", "wrap",
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

static int compare_names(const void *name, const void *in_list)
{
	return strcmp(name, *(const char *const *) in_list);
}

/* The same for a list that is sorted. */
static bool is_among(const char *name, const char *const *list, size_t n)
{
	return bsearch(name, list, n, sizeof(*list), compare_names);
}

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* MADV_FREE, and names that POSIX reserves for future macros. */
static bool is_macro(const char *name)
{
	return starts_with(name, "M_") || starts_with(name, "FP_") ||
		is_among(name, macro_text, MACRO_LINES);
}

/* Does the file for "program" define the name? */
static bool is_part_of(const char *name, const char *program)
{
	static const char *const part[] = {
		"_apart", "_capture", "_check", "_create", "_destroy", "_device",
		"_device_with_memory", "_gather", "_itself", "_memory",
		"_own_memory", "_plain", "_plan", "_planned", "_quiet", "_reserve",
		"_spread", "_store", "_strerror", "_sums", "_with_memory",
	};
	static const char *const start[] = {
		"_fuse", "_hex", "_lists", "_places", "_point", "_run", "_skew", "_sort",
		"_steps", "_stream", "_zblock",
	};

	if (!starts_with(name, program))
		return false;
	name += strlen(program);
	for (size_t i = 0; i < COUNT(start); i++)
		if (starts_with(name, start[i]))
			return true;
	return is_one_of(name, part, COUNT(part));
}

/* Who reserves "name"; NULL if nobody does. */
static const char *owner(const struct lower *l, const char *name,
	enum naming naming)
{
	if (is_one_of(name, keyword, COUNT(keyword)))
		return "is a keyword of C or C++";
	if (naming == NAMES_NOTHING)
		return NULL;
	if (starts_with(name, "__") ||
	    (name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z'))
		return "is reserved in C: it starts with an underscore";
	if (starts_with(name, "stencilc_") || starts_with(name, "STENCILC_") ||
	    starts_with(name, "harness_") || starts_with(name, "cuda") ||
	    (starts_with(name, "hip") && isupper((unsigned char) name[3])))
		return "has a prefix of the generated code";
	if (starts_with(name, "omp_"))
		return "is taken by OpenMP";
	if (is_one_of(name, used, COUNT(used)) ||
	    starts_with(name, "compare_places") ||
	    starts_with(name, "order_places") ||
	    starts_with(name, "sort_places") ||
	    starts_with(name, "first_place"))
		return "is used by the generated code";
	if (is_macro(name))
		return "is a macro of a header of C or CUDA";
	if (naming == NAMES_PROGRAM)
		return is_among(name, function_text, FUNCTION_LINES) ?
			"has a meaning in C or CUDA already" : NULL;
	return is_part_of(name, l->ast->name.text) ?
		"is a function of the generated code" : NULL;
}

bool frontend_is_taken(const char *name, const char *program)
{
	static const char *const words[] = {
		"assume", "boundary", "def", "input", "iterate", "let", "on",
		"output", "param", "state", "stencil", "sum", "temp",
	};
	const struct ast ast = { .name.text = program };
	const struct lower l = { .ast = &ast };
	enum op op;
	bool single;

	return is_one_of(name, words, COUNT(words)) || op_find_function(name, &op, &single) ||
		owner(&l, name, NAMES_VARIABLE);
}

bool check_reserved(struct lower *l, struct ast_name name, enum naming naming)
{
	const char *why = owner(l, name.text, naming);

	if (!why)
		return true;
	diag(l->diags, E_RESERVED, name.at, "the name '%s' %s", name.text,
		why);
	diag_advice(l->diags, "choose another name, such as 'my_%s'",
		name.text + strspn(name.text, "_"));
	return false;
}
