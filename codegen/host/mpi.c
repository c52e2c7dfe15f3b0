/* The functions of files with --mpi: what a rank does around the block that it computes.  The
 * parts that depend on no program are text, runtime/mpi-*.inc.
 */
#include <string.h>

#include "codegen/host/lists.h"
#include "codegen/host/mpi.h"
#include "codegen/host/reductions.h"

/* Trees -------------------------------------------------------------------- */

static const struct kx *word(const struct mpi *m, const char *s)
{
	return kx_name(m->h.mem, s);
}

static const struct kx *number(const struct mpi *m, int64_t value)
{
	return value == NOT_NEEDED ? word(m, "STENCILC_NOT_NEEDED") :
		kx_int(m->h.mem, value);
}

static void add(const struct mpi *m, struct ks *block, struct ks *s)
{
	ks_add(m->h.mem, block, s);
}

static void add_blank(const struct mpi *m, struct ks *block)
{
	add(m, block, ks_simple(m->h.mem, KS_BLANK));
}

static const char *fresh(const struct mpi *m, const char *s)
{
	return fresh_name(m->h.mem, m->h.prog, "%s", s);
}

/* Lists of ints ------------------------------------------------------------ */

struct list_of {
	int n;
	const struct kx *x[2 * (BLOCKS_MAX_DIMS + IR_MAX_DIMS)];
};

static void put(struct list_of *l, const struct kx *x)
{
	l->x[l->n++] = x;
}

/* "suffix" of a field or of the grid, declared as const. */
static const struct kx *declare_list(const struct mpi *m, struct ks *b,
	const char *name, int n, const struct kx *const *x, bool is_static)
{
	struct ks *s = ks_list(m->h.mem, ctype_const(CT_INT), name, n, x);

	s->is_static = is_static;
	add(m, b, s);
	return word(m, name);
}

static const struct kx *size_of(const struct mpi *m, const struct expr *e)
{
	return host_param(&m->h, e, ctype(CT_NONE));
}

/* Copy after copy, dimension after dimension, low side then high side. */
static const struct kx *declare_need(const struct mpi *m, struct ks *b,
	const struct field *f)
{
	int n = field_copies(f) * BLOCKS_MAX_DIMS * SIDES;
	const struct kx **x = region_array(m->h.mem, const struct kx *, n);
	int (*need)[BLOCKS_MAX_DIMS][SIDES] =
		m->blocks->field[f->index].need;

	for (int i = 0; i < n; i++) {
		int copy = i / (BLOCKS_MAX_DIMS * SIDES);
		int k = i / SIDES % BLOCKS_MAX_DIMS;

		x[i] = number(m, need[copy][k][i % SIDES]);
	}
	return declare_list(m, b, fresh_name(m->h.mem, m->h.prog, "%s_need",
		f->name), n, x, true);
}

static const struct kx *declare_sizes(const struct mpi *m, struct ks *b,
	const struct field *f)
{
	struct list_of l = { 0 };

	for (int d = 0; d < f->n_dims; d++)
		put(&l, size_of(m, f->size[d]));
	return declare_list(m, b, fresh_name(m->h.mem, m->h.prog, "%s_size",
		f->name), l.n, l.x, false);
}

static const struct kx *declare_cuts(const struct mpi *m, struct ks *b,
	const struct field *f)
{
	struct list_of l = { 0 };

	for (int d = 0; d < f->n_dims; d++)
		put(&l, number(m, m->blocks->field[f->index].cut[d]));
	return declare_list(m, b, fresh_name(m->h.mem, m->h.prog, "%s_cut",
		f->name), l.n, l.x, false);
}

/* Sharing out -------------------------------------------------------------- */

const char *mpi_word(enum type type)
{
	static const char *const word[TYPES] = {
		[TYPE_CHAR] = "MPI_INT8_T", [TYPE_UCHAR] = "MPI_UINT8_T",
		[TYPE_SHORT] = "MPI_INT16_T", [TYPE_USHORT] = "MPI_UINT16_T",
		[TYPE_INT] = "MPI_INT", [TYPE_UNSIGNED] = "MPI_UINT32_T",
		[TYPE_LONG] = "MPI_INT64_T", [TYPE_ULONG] = "MPI_UINT64_T",
		[TYPE_HALF] = "MPI_UINT16_T", [TYPE_BFLOAT] = "MPI_UINT16_T",
		[TYPE_FLOAT] = "MPI_FLOAT", [TYPE_DOUBLE] = "MPI_DOUBLE",
	};

	return word[type];
}

static const char *role_of(const struct mpi *m, const struct field *f)
{
	if (f->kind == FIELD_SERIES)
		return f->is_result ? "STENCILC_ALIKE" : "STENCILC_SERIES";
	return !m->blocks->field[f->index].is_shared_out ? "STENCILC_WHOLE" :
		field_is_result(f) ? "STENCILC_RESULT" : "STENCILC_INPUT";
}

static void add_field(const struct mpi *m, struct ks *b, const struct field *f)
{
	const struct kx *size = declare_sizes(m, b, f);
	const struct kx *cut = declare_cuts(m, b, f);
	const struct kx *need = declare_need(m, b, f);

	add_blank(m, b);
	add(m, b, mpi_statement(m, CALL(m, "stencilc_add_field", word(m, m->ranks),
		word(m, region_printf(m->h.mem, "\"%s\"", f->name)),
		word(m, role_of(m, f)), word(m, mpi_word(f->type)),
		kx_sizeof(m->h.mem, ctype_of(f->type)),
		number(m, field_copies(f)), number(m, f->n_dims), size, cut,
		need)));
}

/* The arguments that must be equal on all ranks. */
const struct kx *mpi_declare_numbers(const struct mpi *m, struct ks *b,
	int *n)
{
	const struct program *prog = m->h.prog;
	const struct kx **x = region_array(m->h.mem, const struct kx *,
		prog->n_params + 1);

	*n = 0;
	for (int i = 0; i < prog->n_params; i++)
		if (!prog->param[i]->fixed && prog->param[i]->type == TYPE_INT &&
		    !param_is_of_segments(prog, prog->param[i]))
			x[(*n)++] = word(m, prog->param[i]->name);
	return *n ? declare_list(m, b, fresh(m, "numbers"), *n, x, false) :
		kx_builtin(m->h.mem, W_NULL, 0);
}

/* .. of a segment.  Its waves are as many as the grid is long. */
static int most_of_segment(const struct mpi *m)
{
	const struct segments *s = m->h.prog->waves ? NULL :
		m->h.prog->segments;

	return s && s->most > 0 && s->most < m->steps.most ? (int) s->most :
		m->steps.most;
}

/* Steps from an exchange to the next: no more than there are. */
static const struct kx *most_steps(const struct mpi *m)
{
	const struct kx *most = number(m, most_of_segment(m));
	const struct kx *steps;

	if (!m->h.prog->timed)
		return number(m, 1);
	if (m->h.prog->waves && m->h.prog->segments)
		return most;
	steps = host_whole_steps(&m->h, ctype(CT_NONE));
	return kx_select(m->h.mem, op(&m->h, OP_LT, steps, most), steps, most);
}

/* The best shape for one number of ranks, or NULL. */
static const struct kx *best_shape(const struct mpi *m, struct ks *b)
{
	struct list_of l = { 0 };

	if (!m->steps.shape[0])
		return kx_builtin(m->h.mem, W_NULL, 0);
	for (int k = 0; k < BLOCKS_MAX_DIMS; k++)
		put(&l, number(m, k < m->blocks->n_dims ? m->steps.shape[k] : 1));
	return declare_list(m, b, fresh(m, "best"), l.n, l.x, true);
}

static const struct kx *share_grid(const struct mpi *m, struct ks *b)
{
	struct list_of size = { 0 }, around = { 0 }, reach = { 0 };
	struct list_of order = { 0 }, carried = { 0 };

	for (int k = 0; k < m->blocks->n_dims; k++) {
		const struct block_dim *dim = &m->blocks->dim[k];

		put(&size, size_of(m, dim->size));
		put(&around, number(m, dim->is_around));
		put(&order, number(m, mpi_order(m, k)));
		put(&carried, number(m, mpi_carried(m, k)));
		for (int side = 0; side < SIDES; side++)
			put(&reach, number(m, mpi_reach(m, k, dim->slope, side)));
		for (int side = 0; side < SIDES; side++)
			put(&reach, number(m, mpi_reach(m, k, dim->more, side)));
	}
	return CALL(m, "stencilc_share_out", word(m, m->ranks),
		word(m, m->comm), number(m, m->blocks->n_dims),
		declare_list(m, b, fresh(m, "size"), size.n, size.x, false),
		declare_list(m, b, fresh(m, "around"), around.n, around.x,
			false),
		declare_list(m, b, fresh(m, "reach"), reach.n, reach.x, false),
		declare_list(m, b, fresh(m, "order"), order.n, order.x, false),
		declare_list(m, b, fresh(m, "carried"), carried.n, carried.x,
			false),
		most_steps(m), number(m, m->steps.part), best_shape(m, b));
}

/* Reductions say where some dimensions are cut. */
static void cut_in_pieces(const struct mpi *m, struct ks *b)
{
	for (int k = 0; k < m->blocks->n_dims; k++)
		if (m->blocks->dim[k].in_pieces)
			add(m, b, mpi_statement(m, CALL(m,
				"stencilc_cut_in_pieces", word(m, m->ranks),
				number(m, k), number(m,
					m->blocks->dim[k].first_piece))));
}

void mpi_return_status_if_any(const struct mpi *m, struct ks *b)
{
	add(m, b, ks_if(m->h.mem, word(m, m->h.status), ks_expression(
		m->h.mem, KS_RETURN, word(m, m->h.status)), NULL));
}

void mpi_add_comm(const struct mpi *m, struct kfunc *f)
{
	kfunc_add_param(m->h.mem, f, (struct kparam) {
		.c_type = ctype(CT_COMM), .name = m->comm });
}

/* static int NAME_share(params, comm, ranks) */
static struct kfunc *share_function(const struct mpi *m)
{
	struct kfunc *f = host_function(&m->h, "%s_share", ctype(CT_INT));
	const struct kx *numbers, *share;
	int n;

	f->is_static = true;
	f->comment = "Decide which rank has which cells, or why none can: the "
		"same on all ranks.";
	host_add_params_of_all(&m->h, f);
	mpi_add_comm(m, f);
	kfunc_add_param(m->h.mem, f, (struct kparam) {
		.c_type = ctype_pointer(CT_RANKS, false), .name = m->ranks });
	numbers = mpi_declare_numbers(m, f->body, &n);
	add(m, f->body, ks_declare(m->h.mem, ctype(CT_INT), m->h.status,
		CALL(m, "stencilc_meet", word(m, m->ranks), word(m, m->comm),
			host_check_call(&m->h, m->check), number(m, n),
			numbers)));
	add_blank(m, f->body);
	mpi_return_status_if_any(m, f->body);
	cut_in_pieces(m, f->body);
	share = share_grid(m, f->body);
	add_blank(m, f->body);
	add(m, f->body, ks_assign(m->h.mem, word(m, m->h.status), share));
	mpi_return_status_if_any(m, f->body);
	if (m->zone)
		add(m, f->body, mpi_statement(m, CALL(m, "stencilc_choose_zones",
			word(m, m->ranks), number(m, m->steps.overlap),
			number(m, m->steps.turns))));
	for (int i = 0; i < m->h.prog->n_fields; i++)
		if (field_is_argument(m->h.prog->field[i]))
			add_field(m, f->body, m->h.prog->field[i]);
	add(m, f->body, ks_expression(m->h.mem, KS_RETURN, number(m, 0)));
	kfunc_mention_unused(m->h.mem, f);
	return f;
}

/* struct stencilc_ranks ranks; int status = NAME_share(params, comm, &ranks); */
static const struct kx *ranks_argument(const void *user, const char *param)
{
	const struct mpi *m = user;

	return strcmp(param, m->ranks) ? NULL : mpi_ranks(m);
}

static void begin_with_ranks(const struct mpi *m, struct ks *b)
{
	add(m, b, ks_declare(m->h.mem, ctype(CT_RANKS), m->ranks, NULL));
	add(m, b, ks_declare(m->h.mem, ctype(CT_INT), m->h.status, kfunc_call(
		m->h.mem, m->share, ranks_argument, m)));
	add_blank(m, b);
	mpi_return_status_if_any(m, b);
}

/* Of one field ------------------------------------------------------------- */

/* int NAME_SUFFIX(comm, params, const char *field, ..) */
static struct kfunc *function_of_field(const struct mpi *m, const char *fmt,
	const char *comment)
{
	struct kfunc *f = host_function(&m->h, fmt, ctype(CT_INT));

	f->comment = comment;
	f->is_exported = true;
	mpi_add_comm(m, f);
	host_add_params_of_all(&m->h, f);
	kfunc_add_param(m->h.mem, f, (struct kparam) {
		.c_type = ctype_pointer(CT_CHAR, true),
		.name = fresh(m, "field") });
	begin_with_ranks(m, f->body);
	return f;
}

static struct kfunc *box_function(const struct mpi *m)
{
	struct kfunc *f = function_of_field(m, "%s_mpi_box", "The cells of "
		"\"field\" that the calling rank has: along each dimension d of "
		"it\nfirst[d] <= x < first[d] + extent[d].  An extent of 0: "
		"none.  Collective.");
	const char *const names[] = { fresh(m, "first"), fresh(m, "extent") };

	for (int i = 0; i < 2; i++)
		kfunc_add_param(m->h.mem, f, (struct kparam) {
			.c_type = ctype_pointer(CT_INT, false),
			.name = names[i] });
	add(m, f->body, ks_expression(m->h.mem, KS_RETURN, CALL(m,
		"stencilc_box_of", mpi_ranks(m), word(m, fresh(m, "field")),
		word(m, names[0]), word(m, names[1]))));
	return f;
}

/* Copy between all ranks' own cells and the whole on rank 0. */
static struct kfunc *move_function(const struct mpi *m, bool gathers)
{
	struct kfunc *f = function_of_field(m, gathers ? "%s_mpi_gather" :
		"%s_mpi_scatter", gathers ? "The own cells of all ranks to the "
		"whole of \"field\" that rank 0 has.  Collective." :
		"The whole of \"field\" that rank 0 has to the own cells of all "
		"ranks.  Collective.");
	const char *const whole = fresh(m, "whole"), *const own = fresh(m, "own");
	struct ctype bytes = ctype_pointer(CT_CHAR, false);

	for (int i = 0; i < 2; i++)
		kfunc_add_param(m->h.mem, f, (struct kparam) {
			.c_type = ctype_pointer(CT_VOID, !i),
			.name = gathers == !i ? own : whole });
	add(m, f->body, ks_expression(m->h.mem, KS_RETURN, CALL(m,
		"stencilc_move", mpi_ranks(m), word(m, fresh(m, "field")),
		kx_cast(m->h.mem, bytes, word(m, whole)),
		kx_cast(m->h.mem, bytes, word(m, own)),
		number(m, gathers))));
	return f;
}

/* All steps ---------------------------------------------------------------- */

int mpi_place_of(const struct mpi *m, const struct field *f)
{
	int place = 0;

	for (int i = 0; i < f->index; i++)
		place += field_is_argument(m->h.prog->field[i]);
	return place;
}

const struct kx *mpi_argument_of_block(const void *user, const char *param)
{
	const struct mpi *m = user;

	if (mpi_argument_of_zone(m, param))
		return mpi_argument_of_zone(m, param);
	for (int i = 0; i < m->h.prog->n_fields; i++) {
		const struct field *f = m->h.prog->field[i];
		const struct kx *local;

		if (strcmp(param, f->name))
			continue;
		local = CALL(m, "stencilc_local", mpi_ranks(m),
			number(m, mpi_place_of(m, f)));
		return mpi_is_on_gpu(m) ? kx_cast(m->h.mem, ctype_pointer(
			scalar_of(f->type), false), local) : local;
	}
	return NULL;
}

static const struct kx *first_step(const struct mpi *m)
{
	return size_of(m, m->h.prog->begin);
}

/* The variable "name", what "function" returns for dimension k, where "user" has it; NULL: in any case. */
static void declare_of_block(const struct mpi *m, struct ks *b, const struct ks *user,
	const char *name, const char *function, int k)
{
	if (!user || ks_uses(user, name))
		host_declare_int(&m->h, b, name, CALL(m, function, mpi_ranks(m),
			number(m, k)));
}

static void declare_block(const struct mpi *m, struct ks *b, const struct ks *user)
{
	for (int k = 0; k < m->blocks->n_dims; k++) {
		const struct block_dim *dim = &m->blocks->dim[k];

		declare_of_block(m, b, user, dim->origin->name, "stencilc_origin", k);
		declare_of_block(m, b, user, dim->extent->name, "stencilc_extent", k);
		if (!dim->own)
			continue;
		declare_of_block(m, b, user, dim->own->name, "stencilc_own_first", k);
		declare_of_block(m, b, user, dim->own_end->name, "stencilc_own_end", k);
	}
}

static const struct kx *steps_of(const struct mpi *m)
{
	return CALL(m, "stencilc_steps", mpi_ranks(m));
}

/* The end of a block that runs up to the next exchange; for the last block, of the remaining
 * steps.
 */
static const struct kx *memory_of_time(const void *user, const char *param)
{
	const struct mpi *m = user;

	return m->blocks->end && !strcmp(param, m->blocks->end->name) ?
		kx_binary(m->h.mem, OP_ADD, mpi_first_of_all(m), steps_of(m)) :
		NULL;
}

static const struct kx *memory_of_rest(const void *user, const char *param)
{
	const struct mpi *m = user;
	const struct kx *steps = host_steps(&m->h, ctype(CT_NONE));

	return m->blocks->end && !strcmp(param, m->blocks->end->name) ?
		kx_binary(m->h.mem, OP_ADD, first_step(m), kx_binary(m->h.mem,
			OP_MOD, steps, steps_of(m))) : NULL;
}

static const struct kx *bytes_of_block(const struct mpi *m)
{
	const struct kx *full, *rest;

	if (!m->block_memory)
		return number(m, 0);
	full = kfunc_call(m->h.mem, m->block_memory, memory_of_time, m);
	if (!m->h.prog->timed || mpi_reduces(m))
		return full;
	rest = kfunc_call(m->h.mem, m->block_memory, memory_of_rest, m);
	return CALL(m, "stencilc_larger", full, rest);
}

void mpi_check_places(const struct mpi *m, struct ks *b)
{
	for (int i = 0; i < m->h.prog->n_lists; i++)
		add(m, b, ks_if(m->h.mem, kx_unary(m->h.mem, OP_NOT, word(m,
			m->h.status)), ks_assign(m->h.mem, word(m,
			m->h.status), host_check_call(&m->h, m->places[i])),
			NULL));
}

static const struct kx *begin_call(const struct mpi *m, const char *bytes)
{
	const struct kx *status = word(m, m->h.status);
	const struct kx *memory = kx_address(m->h.mem, m->plan ? kx_member(
		m->h.mem, word(m, m->plan), m->memory) : word(m, m->memory));

	if (m->plan)
		return CALL(m, "stencilc_begin_run", mpi_ranks(m), status, word(m,
			bytes), memory);
	return !mpi_is_on_gpu(m) ? CALL(m, "stencilc_begin", mpi_ranks(m), status,
		word(m, bytes), memory) : CALL(m, "stencilc_begin", mpi_ranks(m),
		status, word(m, bytes), memory, word(m, m->h.on_device),
		word(m, m->h.stream));
}

/* Can the block's function compute the block, in all its steps, and in how many bytes? */
static struct ks *ask_block(const struct mpi *m, const char *bytes)
{
	struct ks *ask = ks_block(m->h.mem);
	const struct kx *can = CALL(m, "stencilc_computes", mpi_ranks(m));

	if (m->h.prog->timed)
		mpi_declare_all_times(m, ask);
	add(m, ask, ks_assign(m->h.mem, word(m, m->h.status), kfunc_call(
		m->h.mem, m->block_check, NULL, NULL)));
	add(m, ask, m->zone ? mpi_lend_to_zone(m, bytes, bytes_of_block(m)) :
		ks_assign(m->h.mem, word(m, bytes), bytes_of_block(m)));
	return ks_if(m->h.mem, m->zone ? kx_and(m->h.mem, can, kx_unary(
		m->h.mem, OP_NOT, word(m, m->h.status))) : can, ask, NULL);
}

/* .. each zone of it? */
static struct ks *ask_zones(const struct mpi *m, const char *bytes)
{
	struct ks *body = ks_block(m->h.mem), *ask = ask_block(m, bytes);

	declare_block(m, body, ask);
	add_blank(m, body);
	add(m, body, ask);
	return mpi_each_zone(m, "stencilc_has_zone", body);
}

static void begin_run(const struct mpi *m, struct ks *b)
{
	const char *bytes = fresh(m, "bytes");

	if (!m->zone)
		declare_block(m, b, NULL);
	add(m, b, ks_declare(m->h.mem, ctype(CT_SIZE), bytes, number(m, 0)));
	if (!m->plan)
		add(m, b, ks_declare(m->h.mem, ctype_pointer(CT_VOID, false),
			m->memory, NULL));
	add_blank(m, b);
	add(m, b, m->zone ? ask_zones(m, bytes) : ask_block(m, bytes));
	if (!mpi_is_on_gpu(m))
		mpi_check_places(m, b);
	mpi_add_bytes_of_values(m, b, bytes);
	if (!m->plan)
		mpi_keep_copies(m, b);
	for (int i = 0; i < m->h.prog->n_fields; i++) {
		const struct field *f = m->h.prog->field[i];

		if (field_is_argument(f))
			add(m, b, mpi_statement(m, CALL(m, "stencilc_hold",
				mpi_ranks(m), number(m, mpi_place_of(m, f)),
				word(m, f->name))));
	}
	if (mpi_is_on_gpu(m))
		mpi_check_places_of_gpu(m, b);
	add(m, b, ks_assign(m->h.mem, word(m, m->h.status), begin_call(m,
		bytes)));
	mpi_return_status_if_any(m, b);
	if (m->plan && (m->block_memory || mpi_reduces(m)))
		add(m, b, ks_declare(m->h.mem, ctype_pointer(CT_VOID, false),
			m->memory, kx_member(m->h.mem, word(m, m->plan),
				m->memory)));
}

static struct ks *compute_block(const struct mpi *m)
{
	return ks_if(m->h.mem, kx_and(m->h.mem, CALL(m, "stencilc_computes",
		mpi_ranks(m)), kx_unary(m->h.mem, OP_NOT, word(m, m->h.status))),
		ks_assign(m->h.mem, word(m, m->h.status), kfunc_call(m->h.mem,
			m->block, mpi_argument_of_block, m)), NULL);
}

/* Compute zone after zone, those at sides when their halos are there. */
static void compute_zones(const struct mpi *m, struct ks *b)
{
	struct ks *body = ks_block(m->h.mem);

	declare_block(m, body, NULL);
	add_blank(m, body);
	add(m, body, compute_block(m));
	add(m, b, mpi_each_zone(m, "stencilc_enter_zone", body));
	add(m, b, mpi_statement(m, CALL(m, "stencilc_leave_zones", mpi_ranks(m))));
}

/* Fill the halos, then compute the block; report an error at the end. */
static struct ks *one_block(const struct mpi *m)
{
	struct ks *b = ks_block(m->h.mem);

	add(m, b, mpi_statement(m, CALL(m, "stencilc_exchange", mpi_ranks(m),
		word(m, "STENCILC_RESULT"))));
	if (m->zone)
		compute_zones(m, b);
	else
		add(m, b, compute_block(m));
	return b;
}

/* for (int done = 0; done < steps; done += ranks.steps) .. */
static struct ks *all_blocks(const struct mpi *m)
{
	struct ks *body = ks_block(m->h.mem);
	const struct kx *done = word(m, fresh(m, mpi_reduces(m) ?
		"done_of_segment" : "done"));
	const struct kx *steps = host_steps(&m->h, ctype(CT_NONE));
	const struct kx *now = op(&m->h, OP_ADD, first_step(m), done);

	mpi_declare_times(m, body, now, op(&m->h, OP_ADD, now, kx_builtin(m->h.mem,
		B_MIN, 2, steps_of(m), op(&m->h, OP_SUB, steps, done))));
	add_blank(m, body);
	add(m, body, one_block(m));
	return ks_for(m->h.mem, done->name, number(m, 0), op(&m->h, OP_LT, done,
		steps), steps_of(m), body);
}

static bool has_shared_inputs(const struct mpi *m)
{
	for (int i = 0; i < m->h.prog->n_fields; i++)
		if (m->h.prog->field[i]->kind == FIELD_INPUT &&
		    m->blocks->field[i].is_shared_out)
			return true;
	return false;
}

void mpi_add_steps(const struct mpi *m, struct ks *b)
{
	const struct kx *status = word(m, m->h.status);

	if (mpi_reduces(m))
		mpi_return_without_steps(m, b);
	begin_run(m, b);
	if (has_shared_inputs(m))
		add(m, b, mpi_statement(m, CALL(m, "stencilc_exchange", mpi_ranks(m),
			word(m, "STENCILC_INPUT"))));
	if (mpi_reduces(m))
		mpi_add_segments(m, b, all_blocks(m));
	else
		add(m, b, m->h.prog->timed ? all_blocks(m) : one_block(m));
	add(m, b, ks_expression(m->h.mem, KS_RETURN, m->plan ? CALL(m,
		"stencilc_end_run", mpi_ranks(m), status) : CALL(m, "stencilc_end",
		mpi_ranks(m), status, word(m, m->memory))));
}

/* int NAME_mpi(params, fields, comm); on a GPU NAME_on_ranks(.., on_device, stream) */
static struct kfunc *run_function(const struct mpi *m)
{
	struct kfunc *f = host_function(&m->h, mpi_is_on_gpu(m) ? "%s_on_ranks" :
		"%s_mpi", ctype(CT_INT));
	struct ks *b = f->body;

	f->comment = mpi_is_on_gpu(m) ? "All steps on all ranks, for callers on "
		"the host and on the device." :
		region_printf(m->h.mem, "All steps on all ranks: each "
		"passes its own cells, those of %s_mpi_box(), row after row.\n"
		"Collective; the result is the same on all ranks, and on an error "
		"the fields hold what\nthey held.", m->h.prog->name);
	f->is_exported = !mpi_is_on_gpu(m);
	f->is_static = mpi_is_on_gpu(m);
	host_add_arguments(&m->h, f);
	mpi_add_comm(m, f);
	if (mpi_is_on_gpu(m))
		mpi_add_device_params(m, f);
	begin_with_ranks(m, b);
	mpi_add_steps(m, b);
	return f;
}

/* The unit ----------------------------------------------------------------- */

void mpi_add_functions(struct mpi *m)
{
	const struct program *prog = m->h.prog;
	struct kunit *unit = m->h.unit;

	m->check = unit_append(unit, host_check(&m->h));
	m->places = region_array(m->h.mem, const struct kfunc *,
		prog->n_lists + 1);
	for (int i = 0; i < prog->n_lists; i++)
		m->places[i] = unit_append(unit, list_check(&m->h,
			prog->list[i]));
	m->share = unit_append(unit, share_function(m));
	unit_append(unit, box_function(m));
	unit_append(unit, move_function(m, false));
	unit_append(unit, move_function(m, true));
	if (mpi_reduces(m))
		mpi_add_reductions(m);
	m->run = unit_append(unit, run_function(m));
}
