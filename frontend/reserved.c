/* Names that a program cannot use, as they mean something else in the C, C++
 * or CUDA file that it becomes.
 */
#include "frontend/lower.h"

#include <string.h>

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

/* What generated code calls or reads, and macros of the headers that it
 * includes.
 */
static const char *const used[] = {
	"BUFSIZ", "EOF", "EXIT_FAILURE", "EXIT_SUCCESS", "FILENAME_MAX",
	"HUGE_VAL", "HUGE_VALF", "INFINITY", "INT_MAX", "INT_MIN",
	"KEEP_ORDER", "L_tmpnam", "MB_CUR_MAX", "NAN", "NULL", "RAND_MAX", "SEEK_CUR", "SEEK_END",
	"SEEK_SET", "TMP_MAX", "argc", "argv", "blockDim", "blockIdx", "dim3",
	"errno", "first_error", "floord", "fprintf", "free", "gridDim",
	"half_page_apart", "harness",
	"imax", "imin", "linux", "malloc", "math_errhandling", "memcmp",
	"memcpy", "printf", "size_t", "stderr", "stdin", "stdout", "strcmp",
	"strlen", "strncmp", "strtod", "threadIdx", "unix", "warpSize",
	"wrap",
};

/* Functions of <stdlib.h>, <string.h>, <stdio.h> and <math.h> that no program
 * can define anew.
 */
static const char *const defined[] = {
	"abort", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2",
	"atanh", "atexit", "atof", "atoi", "atol", "atoll", "bcmp", "bcopy",
	"bsearch", "bzero", "calloc", "cbrt", "clearenv", "clearerr",
	"copysign", "div", "drand48", "drem", "erand48", "erf", "erfc",
	"exit", "exp10", "exp2", "expm1", "fclose", "fdim", "fdopen", "feof",
	"ferror", "fflush", "ffs", "fgetc", "fgets", "fileno", "finite",
	"fma", "fmod", "fopen", "fputc", "fputs", "fread", "frexp", "fscanf",
	"fseek", "ftell", "fwrite", "gamma", "getc", "getchar", "getenv",
	"getline", "gets", "getw", "hypot", "ilogb", "index", "isinf",
	"isnan", "j0", "j1", "jn", "jrand48", "labs", "ldexp", "ldiv",
	"lgamma", "llabs", "lldiv", "llrint", "llround", "log10", "log1p",
	"log2", "logb", "lrand48", "lrint", "lround", "main", "mblen",
	"memchr", "memmove", "memset", "mktemp", "modf", "mrand48", "nan",
	"nearbyint", "norm", "nrand48", "pclose", "perror", "popen",
	"putc", "putchar", "putenv", "puts", "qsort", "rand", "random",
	"realloc", "realpath", "remainder", "remove", "rename", "rewind",
	"rindex", "rint", "round", "rsqrt", "scalb", "scanf", "setbuf",
	"setenv", "setstate", "signgam", "significand", "sincos", "sinh",
	"sinpi", "snprintf", "sprintf", "srand", "srandom", "sscanf",
	"strcat", "strchr", "strcpy", "strdup", "strerror", "strsep",
	"strsignal", "strstr", "strtof", "strtok", "strtol", "strtoul",
	"swab", "system", "tempnam", "tgamma", "tmpfile", "tmpnam", "trunc",
	"ungetc", "unsetenv", "valloc", "vprintf", "y0", "y1", "yn",
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* M_PI, FP_NAN and the like. */
static bool is_macro_of_math(const char *name)
{
	return starts_with(name, "M_") || starts_with(name, "FP_");
}

/* Is it a name that the file for "program" defines? */
static bool is_part_of(const char *name, const char *program)
{
	static const char *const part[] = {
		"_run", "_check", "_device", "_strerror", "_plain", "_memory",
		"_with_memory",
	};

	if (!starts_with(name, program))
		return false;
	name += strlen(program);
	return is_one_of(name, part, COUNT(part)) ||
		starts_with(name, "_hex") || starts_with(name, "_point") ||
		starts_with(name, "_zblock");
}

/* Who has taken "name", NULL if nobody. */
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
	    starts_with(name, "harness_") || starts_with(name, "cuda"))
		return "has a prefix of the generated code";
	if (is_one_of(name, used, COUNT(used)) || is_macro_of_math(name))
		return "is used by the generated code";
	if (naming == NAMES_PROGRAM)
		return is_one_of(name, defined, COUNT(defined)) ?
			"is a function of C" : NULL;
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

	return is_one_of(name, words, COUNT(words)) ||
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
