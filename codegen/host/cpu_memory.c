/* The memory of the C target: the share of copies and of moved arrays, and where in it they
 * lie.
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/reductions.h"
#include "ir/components.h"

/* Our copies and the caller's should not place the cells that a point touches a
 * multiple of a page apart: a store would look like one to the cell loaded
 * next.
 */
enum { PAGE_BYTES = 4096, LINES_BETWEEN = 17 * 64 };

const char *cpu_memory_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "memory");
}

bool cpu_is_half_a_page_off(const struct host *h, const struct field *f)
{
	return cpu_is_in_place(h) && !f->is_hidden && !f->made_of &&
		!cpu_is_padded(h, f) && cpu_layout_of_copies(h, f) != CPU_OF_FORM;
}

/* A temp that stays in the tiles is no array of the run. */
static bool has_copies(const struct kfunc *run, const struct field *f)
{
	for (int i = 0; run && cpu_is_owned(f) && i < run->n_params; i++)
		if (!strcmp(run->param[i].name, f->name))
			return true;
	return false;
}

/* The field whose copies follow those of "f" in memory, or the first such
 * field.
 */
static const struct field *next_with_copies(const struct host *h,
	const struct kfunc *run, const struct field *f)
{
	for (int i = f ? f->index + 1 : 0; i < h->prog->n_fields; i++)
		if (has_copies(run, h->prog->field[i]))
			return h->prog->field[i];
	return NULL;
}

/* The field whose moved array follows that of "f", or the first such field. */
static const struct field *next_apart(const struct host *h,
	const struct field *f)
{
	for (int i = f ? f->index + 1 : 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (cpu_is_moved(h, field))
			return field;
	}
	return NULL;
}

/* The bytes of "copies" copies of "f" in a layout */
static const struct kx *bytes_in(const struct host *h, const struct field *f,
	int copies, enum cpu_layout layout)
{
	const struct kx *cells = NULL;

	for (int d = 0; d < f->n_dims; d++)
		cells = cells ? op(h, OP_MUL, cells, cpu_extent(h, f, d,
			layout)) : kx_cast(h->mem, ctype(CT_SIZE), cpu_extent(h,
				f, d, layout));
	return op(h, OP_MUL, op(h, OP_MUL, cells ? cells : integer(h, 1),
		kx_sizeof(h->mem, ctype_of(f->type))), integer(h, copies));
}

/* From the copies of "f" to those of the next field, or to the end. */
static const struct kx *bytes_of(const struct host *h,
	const struct kfunc *run, const struct field *f)
{
	const struct kx *bytes;

	if (cpu_is_padded(h, f))
		return cpu_padded_bytes(h, f);
	bytes = bytes_in(h, f, cpu_copies(h, f), cpu_layout_of_copies(h, f));
	if (cpu_is_half_a_page_off(h, f))
		bytes = kx_add(h->mem, bytes, PAGE_BYTES);
	return next_with_copies(h, run, f) || next_apart(h, NULL) ||
		h->prog->segments ?
		kx_builtin(h->mem, B_WHOLE_LINES, 1, bytes) : bytes;
}

/* The bytes of the moved array of "f", and a few lines, so that the next one starts elsewhere
 * in a page.
 */
static const struct kx *bytes_apart(const struct host *h,
	const struct field *f)
{
	const struct kx *bytes = bytes_in(h, f, cpu_versions(h, f),
		cpu_layout_of_user(h, f));

	return kx_builtin(h->mem, B_WHOLE_LINES, 1, kx_add(h->mem, bytes,
		LINES_BETWEEN));
}

/* The pointer to the copies of "f"; the first copies start the memory. */
const char *cpu_copies_name(const struct host *h, const struct kfunc *run,
	const struct field *f)
{
	return f == next_with_copies(h, run, NULL) ? cpu_memory_name(h) :
		fresh_name(h->mem, h->prog, "%s_copies", f->name);
}

/* Where ------------------------------------------------------------------ */

static const struct kx *after(const struct host *h, const char *pointer,
	const struct kx *bytes)
{
	return op(h, OP_ADD, kx_cast(h->mem, ctype_pointer(CT_CHAR, false),
		name(h, pointer)), bytes);
}

static void declare_memory(const struct host *h, struct ks *b,
	const char *pointer, const struct kx *value)
{
	ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(CT_VOID, false),
		pointer, value));
}

/* The field whose copies come last. */
static const struct field *last_with_copies(const struct host *h,
	const struct kfunc *run)
{
	const struct field *last = NULL, *f = NULL;

	while ((f = next_with_copies(h, run, f)))
		last = f;
	return last;
}

void cpu_declare_arrays_apart(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	const struct field *last = last_with_copies(h, run);
	const char *before = last ? cpu_copies_name(h, run, last) :
		cpu_memory_name(h);
	const struct kx *bytes = last ? bytes_of(h, run, last) : NULL;

	for (const struct field *f = next_apart(h, NULL); f;
	     f = next_apart(h, f)) {
		declare_memory(h, b, cpu_apart_array(h, f), bytes ? after(h,
			before, bytes) : name(h, before));
		before = cpu_apart_array(h, f);
		bytes = bytes_apart(h, f);
	}
	if (h->prog->segments)
		cpu_declare_values(h, b, after(h, before, bytes));
}

void cpu_declare_values_behind(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	const struct field *last = last_with_copies(h, run);

	cpu_declare_values(h, b, last ? after(h, cpu_copies_name(h, run, last),
		bytes_of(h, run, last)) : name(h, cpu_memory_name(h)));
}

void cpu_declare_copies(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	const struct field *before = next_with_copies(h, run, NULL), *f = before;

	while (f && (f = next_with_copies(h, run, f))) {
		declare_memory(h, b, cpu_copies_name(h, run, f), after(h,
			cpu_copies_name(h, run, before), bytes_of(h, run,
			before)));
		before = f;
	}
}

/* How much ---------------------------------------------------------------- */

bool cpu_takes_memory(const struct host *h, const struct kfunc *run)
{
	return next_with_copies(h, run, NULL) || (run && (next_apart(h, NULL) ||
		h->prog->segments));
}

const struct kx *cpu_plus(const struct host *h, const struct kx *a,
	const struct kx *b)
{
	return a && b ? op(h, OP_ADD, a, b) : a ? a : b;
}

/* copies + (apart ? arrays apart : 0) + what is kept for reductions */
static const struct kx *all_bytes(const struct host *h,
	const struct kfunc *run)
{
	const struct kx *bytes = NULL, *more = NULL;

	for (const struct field *f = next_with_copies(h, run, NULL); f;
	     f = next_with_copies(h, run, f))
		bytes = cpu_plus(h, bytes, bytes_of(h, run, f));
	for (const struct field *f = next_apart(h, NULL); f;
	     f = next_apart(h, f))
		more = cpu_plus(h, more, bytes_apart(h, f));
	if (more && !cpu_runs_on_copies(h) && !program_has_lanes(h->prog))
		more = kx_select(h->mem, name(h, cpu_apart_name(h)), more, integer(h,
		0));
	bytes = cpu_plus(h, bytes, more);
	return h->prog->segments ? cpu_plus(h, bytes, cpu_values_bytes(h)) : bytes;
}

struct kfunc *cpu_memory_entry(const struct host *h, const struct kfunc *check,
	const struct kfunc *run, const struct cpu_moves *moves)
{
	struct kfunc *f = host_function(h, "%s_memory", ctype(CT_SIZE));

	f->comment = region_printf(h->mem, "The bytes that %s_with_memory() "
		"needs; 0 if it needs none.", h->prog->name);
	f->is_exported = true;
	host_add_params_of_all(h, f);
	host_return_if(h, f->body, host_either(h, host_check_call(h, check),
		h->prog->segments ? NULL : host_computes_nothing(h)), 0);
	cpu_declare_apart(h, f->body, moves);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN, all_bytes(h,
		run)));
	kfunc_mention_unused(h->mem, f);
	return f;
}
