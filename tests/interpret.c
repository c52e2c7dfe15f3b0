/* The plain interpreter: runs a program by the letter of doc/language.md, from
 * the trees of ir.h and with nothing of what comes after them.
 *
 *	interpret TRY [-DNAME=VALUE ...] FILE.stn "--N=5 --T=3" ...
 *
 * prints a C++ function called TRY that calls an emitted function with list
 * "run" of these arguments and compares result and fields bit for bit; "-" stands for
 * a list that is not asked for:
 *
 *	typedef int TRY_type(...);
 *	static int TRY(int run, const char *what, TRY_type *f)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "frontend/frontend.h"
#include "ir/components.h"
#include "tests/interpret.h"
#include "tests/interpreter.h"

enum { STATUS_NEGATIVE = -1, STATUS_ASSUMPTION = -4, STATUS_TOO_SMALL = -5,
	STATUS_MISSES = -6, STATUS_PLACE = -7 };

/* A run ----------------------------------------------------------------- */

static struct value given(const struct param *p, const char *args)
{
	char *key, *at;
	struct value v = p->type == TYPE_INT ? value_int(1) :
		value_real(p->type, TEST_REAL);

	if (p->fixed)
		return p->type == TYPE_INT ? value_int(p->ivalue) :
			value_real(p->type, p->rvalue);
	key = malloc(strlen(p->name) + 4);
	sprintf(key, "--%s=", p->name);
	at = strstr(args, key);
	if (at && p->type == TYPE_INT)
		v = value_int(strtol(at + strlen(key), NULL, 10));
	else if (at)
		v = value_real(p->type, strtod(at + strlen(key), NULL));
	free(key);
	return v;
}

static int64_t eval_int(const struct state *s, const struct expr *e)
{
	return value_as(eval(s, e), TYPE_INT).i;
}

/* The status that the arguments lead to; true in "empty" if a field is. */
static int check(const struct state *s, bool *empty)
{
	const struct program *p = s->prog;

	*empty = false;
	for (int i = 0; i < p->n_fields; i++)
		for (int d = 0; d < p->field[i]->n_dims; d++)
			if (s->memory[i].size[d] < 0 && !p->field[i]->made_of)
				return STATUS_NEGATIVE;
			else if (s->memory[i].size[d] == 0)
				*empty |= !p->field[i]->is_listed;
	for (int i = 0; i < p->n_assumes; i++)
		if (!truth(eval(s, p->assume[i])))
			return STATUS_ASSUMPTION;
	return some_series_too_short(s) ? STATUS_MISSES : 0;
}

static struct memory memory_of(const struct state *s, const struct field *f)
{
	struct memory m = { .field = f, .cells = 1 };
	int64_t before;

	m.copies = f->kind == FIELD_STATE ?
		f->depth + (int) (s->steps > 0 ? s->steps : 0) : 1;
	for (int d = 0; d < f->n_dims; d++) {
		m.size[d] = eval_int(s, f->size[d]);
		m.cells *= m.size[d] > 0 ? m.size[d] : 0;
	}
	m.any = region_alloc(s->mem, (size_t) (m.cells * m.copies + 1) *
		(size_t) type_size(f->type));
	if (field_is_temp(f))
		m.has_value = region_array(s->mem, bool, (size_t) m.cells + 1);
	before = f->kind == FIELD_STATE ? (f->depth - f->passed) * m.cells : 0;
	for (int64_t i = 0; i < m.cells * f->passed || (f->kind !=
	     FIELD_STATE && i < m.cells); i++)
		store(&m, before + i, f->type == TYPE_INT ?
			value_int(test_int(f->index, (size_t) i)) :
			type_is_integer(f->type) ? value_integer(f->type,
				test_integer(f->index, (size_t) i)) :
			value_real(f->type, test_real(f->index, (size_t) i)));
	return m;
}

/* Output ---------------------------------------------------------------- */

/* What tests/compare.h fills fields of the type as. */
static const char *type_of_test(enum type type)
{
	return type == TYPE_HALF ? "test_half_bits" : type == TYPE_BFLOAT ?
		"test_bfloat_bits" : type_word(type);
}

static int copies_passed(const struct field *f)
{
	return f->kind == FIELD_STATE ? f->passed : 1;
}

static void print_values(const struct state *s)
{
	const char *comma = "";

	for (int i = 0; i < s->prog->n_args; i++, comma = ", ") {
		const struct argument *a = &s->prog->arg[i];
		struct value v;

		if (a->field) {
			printf("%s(%s *) %c%d", comma,
				type_of_test(a->field->type),
				s->prog->field[a->field->index] == a->field ?
				'F' : 'W', a->field->index);
			continue;
		}
		v = eval_param(s, a->param);
		if (v.type == TYPE_INT)
			printf("%s%d", comma, (int) v.i);
		else
			printf("%s%a%s", comma, v.r,
				v.type == TYPE_FLOAT ? "f" : "");
	}
}

static size_t bytes_passed(const struct memory *m)
{
	return (size_t) (m->cells * copies_passed(m->field)) *
		(size_t) type_size(m->field->type);
}

/* The sum of what the caller of "m" has after "done" steps. */
static unsigned long long sum_of(const struct memory *m, int64_t done)
{
	const struct field *f = m->field;
	const char *at = (const char *) m->any;

	if (f->kind == FIELD_STATE)
		at += (size_t) ((done + f->depth - f->passed) * m->cells) *
			(size_t) type_size(f->type);
	return test_sum(at, bytes_passed(m));
}

/* Copy between field "i" and the numbers of its lane in W. */
static void print_lane(const struct state *s, int i, bool back)
{
	const struct field *f = s->prog->field[i];
	size_t size = (size_t) type_size(f->type);
	size_t n = bytes_passed(&s->memory[i]) / size;

	printf("\t\tfor (size_t k = 0; k < %zu; k++)\n\t\t\tmemcpy(", n);
	if (back)
		printf("(char *) F%d + k * %zu, ", i, size);
	printf("(char *) W%d + ((%d * %zu + k) * %d + %d) * %zu, ",
		f->whole->index, f->part, n, f->n_lanes, f->lane, size);
	if (!back)
		printf("(char *) F%d + k * %zu, ", i, size);
	printf("%zu);\n", size);
}

/* Components stand one after the other in what the function gets, W. */
static void print_joined(const struct state *s, bool back)
{
	for (int i = 0; i < s->prog->n_fields; i++) {
		const struct field *f = s->prog->field[i];
		size_t bytes = bytes_passed(&s->memory[i]);
		int whole = f->whole ? f->whole->index : 0;

		if (!f->whole)
			continue;
		if (field_begins(f) && !back)
			printf("\t\tvoid *W%d = malloc(%zu);\n", whole,
				128 * bytes);
		if (f->n_lanes)
			print_lane(s, i, back);
		else if (back)
			printf("\t\tmemcpy(F%d, (char *) W%d + %zu, %zu);\n", i,
				whole, (size_t) f->part * bytes, bytes);
		else
			printf("\t\tmemcpy((char *) W%d + %zu, F%d, %zu);\n",
				whole, (size_t) f->part * bytes, i, bytes);
	}
	for (int i = 0; i < s->prog->n_fields && back; i++)
		if (s->prog->field[i]->whole &&
		    field_begins(s->prog->field[i]))
			printf("\t\tfree(W%d);\n", i);
}

/* Call f and compare with what the fields hold in the end, or, where it "may
 * refuse", with what they held "before".
 */
static void print_run(const struct state *s, const char *args, int status,
	bool may_refuse, const unsigned long long *before)
{
	for (int i = 0; i < s->prog->n_fields; i++) {
		const struct field *f = s->prog->field[i];

		struct interval in = places_in(s, f);

		if (!field_is_argument(f))
			continue;
		printf("\t\tvoid *F%d = test_field<%s>(%d, %lld);\n", i,
			type_of_test(f->type), i,
			(long long) s->memory[i].cells * copies_passed(f));
		if (in.low <= in.high)
			printf("\t\ttest_places((%s *) F%d, %d, %lld, %d, %d);\n",
				type_of_test(f->type), i, i, (long long) s->memory[i].cells,
				(int) in.low, (int) in.high);
	}
	print_joined(s, false);
	printf("\t\tint status = f(");
	print_values(s);
	printf(");%s\n", s->steps <= 0 ? " /* no step */" : "");
	print_joined(s, true);
	printf("\t\tbool refused = %s && status == %d;\n\n",
		may_refuse ? "true" : "false", STATUS_TOO_SMALL);
	printf("\t\twrong += test_status(what, \"%s\", status, "
		"refused ? %d : %d);\n", args, STATUS_TOO_SMALL, status);
	for (int i = 0; i < s->prog->n_fields; i++) {
		const struct memory *m = &s->memory[i];

		if (!field_is_argument(m->field))
			continue;
		printf("\t\twrong += test_same(what, \"%s\", \"%s\", F%d, "
			"%zu, refused ? 0x%llxu : 0x%llxu);\n", args,
			m->field->name, i, bytes_passed(m), before[i],
			status ? before[i] : sum_of(m, s->done));
	}
	printf("\t}\n");
}

static void run(struct state *s, int n, const char *args)
{
	const struct program *p = s->prog;
	unsigned long long *before;
	bool empty, idle, may_refuse, leaves_grid = false;
	int status;

	s->param = region_array(s->mem, struct value, p->n_params + 1);
	for (int i = 0; i < p->n_params; i++)
		s->param[i] = given(p->param[i], args);
	s->begin = p->timed ? eval_int(s, p->begin) : 0;
	s->done = 0;
	s->leaves_grid = &leaves_grid;
	s->steps = p->timed ? eval_int(s, p->end) - s->begin : 1;
	s->memory = region_array(s->mem, struct memory, p->n_fields + 1);
	for (int i = 0; i < p->n_fields; i++)
		s->memory[i] = memory_of(s, p->field[i]);
	for (int i = 0; i < p->n_fields; i++)
		fill_places(s, &s->memory[i]);
	before = region_array(s->mem, unsigned long long, p->n_fields + 1);
	for (int i = 0; i < p->n_fields; i++)
		if (field_is_argument(p->field[i]))
			before[i] = sum_of(&s->memory[i], 0);
	status = check(s, &empty);
	idle = empty || s->steps <= 0;
	may_refuse = !status && !idle && some_too_small(s, true);
	if (may_refuse && some_too_small(s, false))
		status = STATUS_TOO_SMALL;
	if (!status && !idle && some_out_of_place(s))
		status = STATUS_PLACE;
	if (!status && !idle)
		run_steps(s);
	if (leaves_grid)
		status = STATUS_TOO_SMALL;
	printf("\tif (run == %d) {\n", n);
	if (!status && p->steps)
		store(&s->memory[p->steps->index], 0, value_int(s->done));
	print_run(s, args, status, may_refuse, before);
}

static void print_types(const struct program *p)
{
	for (int i = 0; i < p->n_args; i++) {
		const struct argument *a = &p->arg[i];

		printf(i ? ", " : "");
		if (a->param)
			printf("%s", type_name(a->param->type));
		else
			printf("%s%s *", a->field->kind == FIELD_INPUT ?
				"const " : "", type_of_test(a->field->type));
	}
}

static const struct program *read_program(struct region *mem,
	const char *file, char **defines, int n)
{
	struct define *define = region_array(mem, struct define, n + 1);
	const struct source *src;
	struct diags d;

	for (int i = 0; i < n; i++) {
		char *name = region_strdup(mem, defines[i] + 2);
		char *equals = strchr(name, '=');

		if (!equals)
			give_up("-D without a value");
		*equals = '\0';
		define[i] = (struct define) { name, equals + 1 };
	}
	diags_init(&d, stderr);
	d.quiet = true;
	src = source_read(mem, &d, file);
	return src ? frontend_stn(mem, &d, src, define, n) : NULL;
}

int main(int argc, char **argv)
{
	struct state s = { .mem = region_new() };
	int file = 2;

	while (file < argc && !strncmp(argv[file], "-D", 2))
		file++;
	if (file >= argc)
		give_up("usage: interpret TRY [-DNAME=VALUE] FILE.stn RUN|-...");
	s.prog = read_program(s.mem, argv[file], argv + 2, file - 2);
	if (!s.prog)
		return 1;
	printf("typedef int %s_type(", argv[1]);
	print_types(s.prog);
	printf(");\n\nstatic int %s(int run, const char *what, %s_type *f)\n",
		argv[1], argv[1]);
	printf("{\n\tint wrong = 0;\n\n");
	for (int i = file + 1; i < argc; i++)
		if (strcmp(argv[i], "-"))
			run(&s, i - file - 1, argv[i]);
	printf("\treturn wrong;\n}\n\n");
	region_free(s.mem);
	return 0;
}
