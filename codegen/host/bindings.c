/* Modules for Fortran and Python that declare the generated function, as
 * print_header() does for C.
 */
#include <ctype.h>
#include <string.h>

#include "codegen/host/harness.h"
#include "ir/components.h"

/* Names --------------------------------------------------------------------
 *
 * Both languages allow names that C reserves, and Fortran does not distinguish
 * N from n.
 */
struct language {
	bool ignores_case;
	bool starts_with_letter;	/* _x is no name */
	const char *const *taken;
};

static const char *const python_words[] = {
	"and", "as", "assert", "async", "await", "class", "def", "del",
	"elif", "except", "finally", "from", "global", "import", "in", "is",
	"lambda", "nonlocal", "not", "or", "pass", "raise", "try", "with",
	"yield", "False", "None", "True", "ctypes", "numpy", "os", "load",
	"_library", "_array", "_int", "error", NULL,
};

static const char *const fortran_words[] = {
	"c_int", "c_int8_t", "c_int16_t", "c_int64_t", "c_float", "c_double", "c_ptr", "c_char", "mod",
	"c_float_complex", "c_double_complex", NULL,
};

static const struct language python = { false, false, python_words };
static const struct language fortran = { true, true, fortran_words };

static bool equal(const struct language *l, const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (l->ignores_case ? tolower((unsigned char) *a) !=
		    tolower((unsigned char) *b) : *a != *b)
			return false;
	return *a == *b;
}

static const char *arg_name(const struct argument *arg)
{
	return arg->param ? arg->param->name : arg->field->name;
}

static bool is_taken(const struct language *l, const struct program *prog,
	const char *name, int n_before, const char *const *before)
{
	for (int i = 0; l->taken[i]; i++)
		if (equal(l, l->taken[i], name))
			return true;
	for (int i = 0; i < n_before; i++)
		if (equal(l, before[i], name))
			return true;
	return equal(l, prog->name, name);
}

/* "name", or one made from it that the language allows and that no argument
 * before it has.
 */
static const char *free_name(struct region *mem, const struct language *l,
	const struct program *prog, const char *name, int n_before,
	const char *const *before)
{
	const char *free = name;

	if (l->starts_with_letter && *name == '_')
		free = name = region_printf(mem, "x%s", name);
	for (int i = 2; is_taken(l, prog, free, n_before, before); i++)
		free = region_printf(mem, "%s_%d", name, i);
	return free;
}

/* The names of the arguments, in their order. */
static const char **names_of_args(struct region *mem, const struct language *l,
	const struct program *prog)
{
	const char **name = region_array(mem, const char *, prog->n_args + 1);

	for (int i = 0; i < prog->n_args; i++)
		name[i] = free_name(mem, l, prog, arg_name(&prog->arg[i]), i,
			name);
	return name;
}

static void print_extent(struct text *t, const struct language *l,
	const struct program *prog, const char *const *name,
	const struct expr *e);

/* "e" of two operands; quotients and remainders must be C's: Python's / gives a real number,
 * its // and % round down.
 */
static void print_operation(struct text *t, const struct language *l,
	const struct program *prog, const char *const *name,
	const struct expr *e)
{
	bool is_rest = e->op == OP_MOD;
	const char *between = op_info(e->op)->spelling;

	if (l == &python && is_rest) {
		text_puts(t, "(");
		print_extent(t, l, prog, name, e->arg[0]);
		text_puts(t, " - ");
		print_extent(t, l, prog, name, e->arg[1]);
		text_puts(t, " * ");
	}
	if (l == &python && (is_rest || e->op == OP_DIV))
		text_puts(t, "int");
	if (l == &fortran && is_rest)
		text_puts(t, "mod");
	text_puts(t, "(");
	print_extent(t, l, prog, name, e->arg[0]);
	if (l == &fortran && is_rest)
		text_puts(t, ", ");
	else
		text_printf(t, " %s ", is_rest ? "/" : between);
	print_extent(t, l, prog, name, e->arg[1]);
	text_puts(t, l == &python && is_rest ? "))" : ")");
}

/* A size of a field, by the names of the arguments. */
static void print_extent(struct text *t, const struct language *l,
	const struct program *prog, const char *const *name,
	const struct expr *e)
{
	int64_t value;

	if (expr_constant(e, &value)) {
		text_printf(t, "%lld", (long long) value);
	} else if (e->kind == EXPR_PARAM && e->param->fixed) {
		text_printf(t, "%lld", (long long) e->param->ivalue);
	} else if (e->kind == EXPR_PARAM) {
		for (int i = 0; i < prog->n_args; i++)
			if (prog->arg[i].param == e->param)
				text_puts(t, name[i]);
	} else if (e->n_args == 2) {
		print_operation(t, l, prog, name, e);
	} else if (e->n_args == 1) {
		text_printf(t, "(%s", op_info(e->op)->spelling);
		print_extent(t, l, prog, name, e->arg[0]);
		text_puts(t, ")");
	}
}

/* Fortran -----------------------------------------------------------------*/

/* NULL: Fortran has no such type. */
static const char *fortran_type(enum type type)
{
	static const char *const name[TYPES] = {
		[TYPE_CHAR] = "integer(c_int8_t)",
		[TYPE_SHORT] = "integer(c_int16_t)",
		[TYPE_INT] = "integer(c_int)",
		[TYPE_LONG] = "integer(c_int64_t)",
		[TYPE_FLOAT] = "real(c_float)",
		[TYPE_DOUBLE] = "real(c_double)",
	};

	return name[type];
}

static const char *fortran_type_of(const struct field *f)
{
	if (field_numbers(f) > 1)
		return f->type == TYPE_FLOAT ? "complex(c_float_complex)" :
			"complex(c_double_complex)";
	return fortran_type(f->type);
}

/* A(M, N): the first index varies fastest. */
static void print_fortran_field(struct text *t, const struct program *prog,
	const char *const *name, int i)
{
	const struct field *f = prog->arg[i].field;

	text_printf(t, "      %s, intent(%s) :: %s(", fortran_type_of(f),
		f->kind == FIELD_INPUT ? "in" : "inout", name[i]);
	for (int d = f->n_dims - 1; d >= 0; d--) {
		print_extent(t, &fortran, prog, name, f->size[d]);
		text_puts(t, d ? ", " : "");
	}
	if (field_copies(f) > 1)
		text_printf(t, "%s%d", f->n_dims ? ", " : "", field_copies(f));
	else if (!f->n_dims)
		text_puts(t, "1");
	text_puts(t, ")\n");
}

/* The kinds that the interface declares, and those that most programs have. */
static void print_fortran_kinds(struct text *t, const struct program *prog)
{
	static const enum type sized[] = { TYPE_CHAR, TYPE_SHORT, TYPE_LONG };
	static const char *const kind[] = { "c_int8_t", "c_int16_t", "c_int64_t" };

	text_puts(t, "      import :: c_int, c_float, c_double");
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < prog->n_args; i++)
			if (prog->arg[i].field &&
			    prog->arg[i].field->type == sized[k]) {
				text_printf(t, ", %s", kind[k]);
				break;
			}
	if (program_has_lanes(prog))
		text_puts(t, ", c_float_complex, c_double_complex");
	text_puts(t, "\n");
}

static void print_fortran_function(struct text *t, const struct program *prog,
	const char *self, const char *const *name)
{
	text_printf(t, "    integer(c_int) function %s( &\n", self);
	for (int i = 0; i < prog->n_args; i++)
		text_printf(t, "        %s%s &\n", name[i],
			i + 1 < prog->n_args ? "," : "");
	text_printf(t, "        ) bind(c, name=\"%s\")\n", prog->name);
	print_fortran_kinds(t, prog);
	for (int i = 0; i < prog->n_args; i++)
		if (prog->arg[i].param)
			text_printf(t, "      %s, value :: %s\n",
				fortran_type(prog->arg[i].param->type),
				name[i]);
	for (int i = 0; i < prog->n_args; i++)
		if (prog->arg[i].field)
			print_fortran_field(t, prog, name, i);
	text_printf(t, "    end function %s\n\n", self);
}

static void print_fortran(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;
	const char **name = names_of_args(unit->mem, &fortran, prog);
	const char *self = *prog->name == '_' ?
		region_printf(unit->mem, "x%s", prog->name) : prog->name;

	text_printf(t, "! %s: generated by stencilc.\n", prog->name);
	text_printf(t, "!\n! %s returns 0, or an error whose text is "
		"%s_message(error).\n! Indices stand in Fortran's order: the "
		"last one of the program is the first\n! here; the copies of "
		"a state, oldest first, are the last.\n", self, self);
	text_printf(t, "module %s_stencil\n"
		"  use, intrinsic :: iso_c_binding\n  implicit none\n\n"
		"  interface\n", self);
	print_fortran_function(t, prog, self, name);
	text_printf(t, "    type(c_ptr) function %s_strerror(error) "
		"bind(c, &\n        name=\"%s_strerror\")\n"
		"      import :: c_int, c_ptr\n"
		"      integer(c_int), value :: error\n"
		"    end function %s_strerror\n  end interface\n\n", self,
		prog->name, self);
	text_printf(t, "contains\n\n  function %s_message(error) "
		"result(message)\n"
		"    integer(c_int), intent(in) :: error\n"
		"    character(len=:), allocatable :: message\n"
		"    character(kind=c_char), pointer :: letter(:)\n"
		"    integer :: i\n\n"
		"    call c_f_pointer(%s_strerror(error), letter, [1000])\n"
		"    message = ''\n    do i = 1, size(letter)\n"
		"      if (letter(i) == c_null_char) exit\n"
		"      message = message // letter(i)\n    end do\n"
		"  end function %s_message\n\nend module %s_stencil\n", self,
		self, self, self);
}

/* Python ------------------------------------------------------------------*/

static const char *ctypes_name(enum type type)
{
	switch (type) {
	case TYPE_INT:
		return "_int";
	case TYPE_FLOAT:
		return "ctypes.c_float";
	default:
		return "ctypes.c_double";
	}
}

/* NumPy has no type for the upper half of a float: arrays hold its bits. */
static const char *numpy_name(enum type type)
{
	static const char *const name[TYPES] = {
		[TYPE_CHAR] = "numpy.int8", [TYPE_UCHAR] = "numpy.uint8",
		[TYPE_SHORT] = "numpy.int16", [TYPE_USHORT] = "numpy.uint16",
		[TYPE_INT] = "numpy.intc", [TYPE_UNSIGNED] = "numpy.uint32",
		[TYPE_LONG] = "numpy.int64", [TYPE_ULONG] = "numpy.uint64",
		[TYPE_HALF] = "numpy.float16", [TYPE_BFLOAT] = "numpy.uint16",
		[TYPE_FLOAT] = "numpy.float32", [TYPE_DOUBLE] = "numpy.float64",
	};

	return name[type];
}

static void print_python_head(struct text *t, const char *self)
{
	text_printf(t, "\"\"\"%s: generated by stencilc.\n\n"
		"    import %s\n"
		"    %s.load(\"./lib%s.so\")   # else the one beside this "
		"file\n\n"
		"Arrays are those of NumPy: C-contiguous, of the type and the "
		"shape that the\nprogram declares; the copies of a state, "
		"oldest first, are the first dimension.\n\"\"\"\n"
		"import ctypes\nimport os\n\nimport numpy\n\n"
		"_library = None\n\n\n", self, self, self, self);
	text_printf(t, "def load(path=None):\n"
		"    \"\"\"Load the shared library made of what stencilc "
		"wrote.\"\"\"\n"
		"    global _library\n"
		"    if path is None:\n"
		"        path = os.path.join(os.path.dirname("
		"os.path.abspath(__file__)),\n"
		"                            \"lib%s.so\")\n"
		"    _library = ctypes.CDLL(os.path.abspath(path))\n"
		"    _library.%s_strerror.restype = ctypes.c_char_p\n"
		"    _library.%s_strerror.argtypes = [ctypes.c_int]\n\n\n",
		self, self, self);
	text_puts(t, "def _int(value):\n"
		"    \"\"\"A C int; ctypes itself cuts off what does not "
		"fit.\"\"\"\n"
		"    if not -2**31 <= value < 2**31:\n"
		"        raise OverflowError(f\"{value} is no int of C\")\n"
		"    return ctypes.c_int(value)\n\n\n");
	text_puts(t, "def _array(name, array, dtype, shape, written):\n"
		"    \"\"\"The address of \"array\", if it is what the "
		"function takes.\"\"\"\n"
		"    if not isinstance(array, numpy.ndarray):\n"
		"        raise TypeError(f\"{name}: a NumPy array is "
		"needed, not \"\n"
		"                        f\"{type(array).__name__}\")\n"
		"    if array.dtype != dtype:\n"
		"        raise TypeError(f\"{name}: the type is "
		"{array.dtype}, not \"\n"
		"                        f\"{numpy.dtype(dtype)}\")\n"
		"    if array.shape != shape:\n"
		"        raise ValueError(f\"{name}: the shape is "
		"{array.shape}, not {shape}\")\n"
		"    if not array.flags.c_contiguous:\n"
		"        raise ValueError(f\"{name}: the array is not "
		"C-contiguous\")\n"
		"    if written and not array.flags.writeable:\n"
		"        raise ValueError(f\"{name}: the array is read-only\")\n"
		"    return array.ctypes.data_as(ctypes.c_void_p)\n\n\n");
}

static void print_python_field(struct text *t, const struct program *prog,
	const char *const *name, int i)
{
	const struct field *f = prog->arg[i].field;

	text_printf(t, "        _array(\"%s\", %s, %s, (", name[i], name[i],
		field_numbers(f) == 1 ? numpy_name(f->type) :
		f->type == TYPE_FLOAT ? "numpy.complex64" : "numpy.complex128");
	if (field_copies(f) > 1)
		text_printf(t, "%d, ", field_copies(f));
	for (int d = 0; d < f->n_dims; d++) {
		print_extent(t, &python, prog, name, f->size[d]);
		text_puts(t, ", ");
	}
	text_printf(t, "), %s),\n", f->kind == FIELD_INPUT ? "False" :
		"True");
}

/* Is the program's name unusable for a Python function? */
static bool is_word(const char *name)
{
	for (int i = 0; python_words[i]; i++)
		if (!strcmp(python_words[i], name))
			return true;
	return false;
}

static void print_python(struct text *t, const struct kunit *unit)
{
	const struct program *prog = unit->prog;
	const char **name = names_of_args(unit->mem, &python, prog);
	const char *self = prog->name;

	print_python_head(t, self);
	text_printf(t, "def %s%s(", self, is_word(self) ? "_" : "");
	for (int i = 0; i < prog->n_args; i++)
		text_printf(t, "%s%s", i ? ", " : "", name[i]);
	text_printf(t, "):\n    \"\"\"Run the stencil on the arrays.  On an "
		"error they hold what they held.\"\"\"\n"
		"    if _library is None:\n        load()\n"
		"    error = _library.%s(\n", self);
	for (int i = 0; i < prog->n_args; i++)
		if (prog->arg[i].param)
			text_printf(t, "        %s(%s),\n", ctypes_name(
				prog->arg[i].param->type), name[i]);
		else
			print_python_field(t, prog, name, i);
	text_printf(t, "    )\n    if error:\n"
		"        raise RuntimeError(_library.%s_strerror(error)"
		".decode())\n", self);
}

static bool ends_in(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n > m && !strcmp(path + n - m, suffix);
}

static bool is_fortran(const char *path)
{
	return ends_in(path, ".f90") || ends_in(path, ".F90");
}

const struct field *binding_lacks(const struct kunit *unit, const char *path)
{
	const struct program *prog = unit->prog;

	for (int i = 0; i < prog->n_args && is_fortran(path); i++)
		if (prog->arg[i].field &&
		    !fortran_type(prog->arg[i].field->type))
			return prog->arg[i].field;
	return NULL;
}

void print_binding(struct text *t, const struct target *target,
	const struct kunit *unit, const char *path)
{
	if (is_fortran(path))
		print_fortran(t, unit);
	else if (ends_in(path, ".py"))
		print_python(t, unit);
	else if (ends_in(path, ".json"))
		print_signature(t, target, unit);
	else
		print_header(t, target->spelling, unit);
}
