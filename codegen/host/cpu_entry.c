/* The functions of the C target for users: the memory that all steps take, the
 * run in memory of the caller's, and the run in memory of its own.
 */
#include <string.h>

#include "codegen/host/cpu.h"

/* Cells of our copies and of the caller's that a point touches should not be a
 * multiple of a page apart: a store would look like one to what is loaded next.
 */
enum { PAGE_BYTES = 4096 };

static const char *memory_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "memory");
}

static bool is_apart(const struct host *h, const struct field *f)
{
	return cpu_is_in_place(h) && !f->is_hidden && !cpu_is_padded(h, f);
}

/* A temp that stays in the tiles is no array of the run. */
static bool has_copies(const struct kfunc *run, const struct field *f)
{
	for (int i = 0; run && cpu_is_owned(f) && i < run->n_params; i++)
		if (!strcmp(run->param[i].name, f->name))
			return true;
	return false;
}

/* The field whose copies come after those of "f" in memory, or the first. */
static const struct field *next_with_copies(const struct host *h,
	const struct kfunc *run, const struct field *f)
{
	for (int i = f ? f->index + 1 : 0; i < h->prog->n_fields; i++)
		if (has_copies(run, h->prog->field[i]))
			return h->prog->field[i];
	return NULL;
}

/* From the copies of "f" to those of the next field, or to the end. */
static const struct kx *bytes_of(const struct host *h,
	const struct kfunc *run, const struct field *f)
{
	const struct kx *bytes;

	if (cpu_is_padded(h, f))
		return cpu_padded_bytes(h, f);
	bytes = op(h, OP_MUL, op(h, OP_MUL, host_cells(h, f, ctype(CT_SIZE)),
		kx_sizeof(h->mem, ctype_of(f->type))), integer(h,
		cpu_copies(h, f)));
	if (is_apart(h, f))
		bytes = kx_add(h->mem, bytes, PAGE_BYTES);
	return next_with_copies(h, run, f) ? kx_builtin(h->mem, B_WHOLE_LINES,
		1, bytes) : bytes;
}

/* The pointer to the copies of "f"; the first ones start the memory. */
static const char *copies_name(const struct host *h, const struct kfunc *run,
	const struct field *f)
{
	return f == next_with_copies(h, run, NULL) ? memory_name(h) :
		fresh_name(h->mem, h->prog, "%s_copies", f->name);
}

/* { sizes for which there is no instance }; NULL: none */
static const struct kx *computes_nothing(const struct host *h)
{
	const struct kx *runs = kx_of_set(h->mem,
		isl_set_copy(h->scop->context),
		isl_set_universe(scop_param_space(h->scop)));

	return runs ? kx_unary(h->mem, OP_NOT, runs) : NULL;
}

/* What is wrong with the arguments is returned, or 0 if there is no instance. */
static void add_early_ends(const struct host *h, struct ks *b,
	const struct kfunc *check)
{
	host_check_first(h, b, check);
	host_return_if(h, b, computes_nothing(h), 0);
}

/* The call of the run ----------------------------------------------------- */

static const struct kx *as_array(const struct host *h, const struct field *f)
{
	struct kparam p = cpu_array(h, f, f->name, f->depth, false);
	const struct kx *arg[2 + IR_MAX_DIMS] = { name(h, f->name) };
	struct kx *x;

	if (p.n_extents == 0)
		return arg[0];
	for (int i = 0; i < p.n_extents; i++)
		arg[1 + i] = p.extent[i];
	x = kx_of_kind(h->mem, KX_CAST, NULL, 1 + p.n_extents, arg);
	x->c_type = p.c_type;
	return x;
}

struct call_of_run {
	const struct host *h;
	const struct kfunc *run;
};

/* copies, or (void *)((char *)copies + half_page_apart(copies, f)) */
static const struct kx *copies_of(const struct call_of_run *call,
	const struct field *f)
{
	const struct host *h = call->h;
	const struct kx *copies = name(h, copies_name(h, call->run, f));

	if (!is_apart(h, f))
		return copies;
	return kx_cast(h->mem, ctype_pointer(CT_VOID, false), op(h, OP_ADD,
		kx_cast(h->mem, ctype_pointer(CT_CHAR, false), copies),
		kx_builtin(h->mem, B_HALF_PAGE_APART, 2, copies,
		name(h, f->name))));
}

/* An argument of the run, from those of the entry. */
static const struct kx *argument_of_run(const void *user, const char *param)
{
	const struct call_of_run *call = user;
	const struct host *h = call->h;

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!strcmp(param, cpu_is_owned(f) ? cpu_user_name(h, f) :
		    f->name))
			return as_array(h, f);
		if (!strcmp(param, f->name))
			return copies_of(call, f);
	}
	return NULL;
}

/* Only tiles that overlap may still lack memory, for a tile of each thread. */
static void add_call(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	struct call_of_run call = { h, run };
	const struct kx *done = kfunc_call(h->mem, run, argument_of_run,
		&call);

	if (cpu_has_two_grids(h)) {
		ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, done));
		return;
	}
	ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION, done));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, integer(h, 0)));
}

/* The entries ------------------------------------------------------------- */

struct kfunc *cpu_memory_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run)
{
	const struct field *field = next_with_copies(h, run, NULL);
	const struct kx *bytes = NULL;
	struct kfunc *f;

	if (!field)
		return NULL;
	f = host_function(h, "%s_memory", ctype(CT_SIZE));
	f->comment = region_printf(h->mem, "The bytes that %s_with_memory() "
		"needs; 0 if it has nothing to do.", h->prog->name);
	f->is_exported = true;
	for (int i = 0; i < h->prog->n_args; i++)
		if (h->prog->arg[i].param)
			host_add_argument(h, f, &h->prog->arg[i]);
	host_return_if(h, f->body, host_either(h, kfunc_call(h->mem, check,
		NULL, NULL), computes_nothing(h)), 0);
	for (; field; field = next_with_copies(h, run, field))
		bytes = bytes ? op(h, OP_ADD, bytes, bytes_of(h, run, field)) :
			bytes_of(h, run, field);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN, bytes));
	kfunc_mention_unused(h->mem, f);
	return f;
}

static void declare_copies(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	const struct field *before = next_with_copies(h, run, NULL), *f;

	for (; (f = next_with_copies(h, run, before)); before = f)
		ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(CT_VOID,
			false), copies_name(h, run, f), op(h, OP_ADD,
				kx_cast(h->mem, ctype_pointer(CT_CHAR, false),
				name(h, copies_name(h, run, before))),
				bytes_of(h, run, before))));
}

struct kfunc *cpu_entry_with_memory(const struct host *h,
	const struct kfunc *check, const struct kfunc *run)
{
	struct kfunc *f;

	if (!next_with_copies(h, run, NULL))
		return NULL;
	f = host_function(h, "%s_with_memory", ctype(CT_INT));
	f->comment = region_printf(h->mem, "%s() in memory of the caller's: what "
		"it holds is of no use before or\nafter.  Best from the start "
		"of a line of the cache on.", h->prog->name);
	f->is_exported = true;
	host_add_arguments(h, f);
	kfunc_add_param(h->mem, f, (struct kparam) {
		.c_type = ctype_pointer(CT_VOID, false),
		.name = memory_name(h) });
	add_early_ends(h, f->body, check);
	declare_copies(h, f->body, run);
	add_call(h, f->body, run);
	kfunc_mention_unused(h->mem, f);
	return f;
}

/* const size_t bytes = NAME_memory(params);
 * void *const memory = bytes ? stencilc_memory(bytes) : NULL;
 * const int error = bytes && !memory ? no memory :
 *	NAME_with_memory(params, fields, memory);
 *
 * free(memory);
 * return error;
 */
static void add_call_with_memory(const struct host *h, struct ks *b,
	const struct kfunc *memory, const struct kfunc *with_memory)
{
	const struct kx *bytes = name(h, fresh_name(h->mem, h->prog, "bytes"));
	const struct kx *own = name(h, memory_name(h));

	ks_add(h->mem, b, ks_declare(h->mem, ctype_const(CT_SIZE), bytes->name,
		kfunc_call(h->mem, memory, NULL, NULL)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(CT_VOID, false),
		own->name, kx_select(h->mem, bytes, kx_builtin(h->mem,
			B_NEW_LARGE, 1, bytes), kx_builtin(h->mem, W_NULL,
			0))));
	host_declare_int(h, b, h->error, kx_select(h->mem, kx_and(h->mem,
		bytes, kx_unary(h->mem, OP_NOT, own)), integer(h,
		STATUS_NO_MEMORY), kfunc_call(h->mem, with_memory, NULL,
		NULL)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_expression(h->mem, KS_EXPRESSION,
		kx_builtin(h->mem, B_DELETE, 1, own)));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, name(h, h->error)));
}

/* Nothing fails once there is memory: what an error leaves is what was. */
struct kfunc *cpu_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run, const struct kfunc *memory,
	const struct kfunc *with_memory)
{
	struct kfunc *f = host_function(h, "%s", ctype(CT_INT));

	f->is_exported = true;
	host_add_arguments(h, f);
	if (!run)
		ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
			kfunc_call(h->mem, check, NULL, NULL)));
	else if (with_memory)
		add_call_with_memory(h, f->body, memory, with_memory);
	else {
		add_early_ends(h, f->body, check);
		add_call(h, f->body, run);
	}
	kfunc_mention_unused(h->mem, f);
	return f;
}
