/* Tile sizes as arguments:
 *
 *	NAME_machine(machine)			the machine of --arch
 *	NAME_choose(machine, params, sizes)	the sizes that the model finds fastest
 *	NAME_with_sizes(params, fields, [memory,] sizes)	the run
 */
#include <string.h>

#include "codegen/host/cpu.h"
#include "schedule/choice.h"

static const char *fresh(const struct host *h, const char *s)
{
	return fresh_name(h->mem, h->prog, "%s", s);
}

static struct ctype type_of(const char *name, bool is_const)
{
	return (struct ctype) { .scalar = CT_NAMED, .pointers = 1,
		.is_const = is_const, .name = name };
}

bool cpu_has_sizes(const struct host *h)
{
	return h->plan && h->plan->tiles.choice;
}

const char *cpu_size_name(const struct host *h, int i)
{
	return i < 0 ? fresh(h, "h") : fresh_name(h->mem, h->prog, "w%d", i);
}

void cpu_add_sizes(const struct host *h, struct kfunc *f)
{
	for (int i = -1; cpu_has_sizes(h) && i < h->scop->n_dims; i++)
		kfunc_add_int(h->mem, f, cpu_size_name(h, i));
}

/* What callers pass ------------------------------------------------------------ */

const char *cpu_sizes_name(const struct host *h)
{
	return fresh(h, "sizes");
}

struct ctype cpu_sizes_type(void)
{
	return (struct ctype) { .scalar = CT_NAMED,
		.name = "struct stencilc_sizes" };
}

void cpu_add_sizes_argument(const struct host *h, struct kfunc *f)
{
	kfunc_add_param(h->mem, f, (struct kparam) { .name = cpu_sizes_name(h),
		.c_type = type_of("struct stencilc_sizes", true) });
}

static const struct kx *call(const struct host *h, const char *name, int n,
	const struct kx *const *arg)
{
	return kx_of_kind(h->mem, KX_CALL, name, n, arg);
}

static const char *facts_name(const struct host *h)
{
	return region_printf(h->mem, "%s_hexagons", h->prog->name);
}

/* if (!stencilc_are_possible(&NAME_hexagons, sizes))
 *	return ..;
 * const int h = sizes->h, w0 = stencilc_width(sizes, 0), ..;
 */
void cpu_declare_sizes(const struct host *h, struct ks *b)
{
	const struct kx *sizes = name(h, cpu_sizes_name(h));
	const struct kx *arg[] = { kx_address(h->mem, name(h, facts_name(h))),
		sizes };

	host_return_if(h, b, kx_unary(h->mem, OP_NOT, call(h,
		"stencilc_are_possible", 2, arg)), STATUS_SIZES);
	host_declare_int(h, b, cpu_size_name(h, -1), kx_member(h->mem, sizes,
		"h"));
	for (int i = 0; i < h->scop->n_dims; i++) {
		const struct kx *width[] = { sizes, integer(h, i) };

		host_declare_int(h, b, cpu_size_name(h, i), call(h,
			"stencilc_width", 2, width));
	}
}

/* The problem -------------------------------------------------------------------- */

/* An edge of "s" along "d", in terms of the parameters. */
static const struct kx *edge_of(const struct host *h, const struct scop_stmt *s,
	int d, bool last)
{
	isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));
	isl_pw_aff *edge = last ? isl_set_dim_max(domain, 1 + d) :
		isl_set_dim_min(domain, 1 + d);
	isl_set *defined = isl_pw_aff_domain(isl_pw_aff_copy(edge));

	return kx_of_pw_aff(h->mem, edge, defined);
}

/* imax(1, last - first + 1) */
static const struct kx *points_along(const struct host *h,
	const struct scop_stmt *s, int d)
{
	return kx_max(h->mem, integer(h, 1), kx_add(h->mem, op(h, OP_SUB,
		edge_of(h, s, d, true), edge_of(h, s, d, false)), 1));
}

/* The points of each statement, over all its dimensions or the current one. */
static void find_extents(const struct host *h,
	const struct kx *(*extent)[IR_MAX_DIMS])
{
	for (int i = 0; i < h->scop->n_stmts; i++) {
		const struct scop_stmt *s = &h->scop->stmt[i];

		for (int d = 0; !s->is_copy && d < h->scop->n_dims; d++)
			extent[s->stmt->index][d] = points_along(h, s, d);
	}
}

static const struct kx *product(const struct host *h,
	const struct kx *const *extent)
{
	const struct kx *points = kx_cast(h->mem, ctype(CT_DOUBLE), extent[0]);

	for (int d = 1; d < h->scop->n_dims; d++)
		points = op(h, OP_MUL, points, extent[d]);
	return points;
}

static const struct kx *greatest(const struct host *h,
	const struct kx *(*extent)[IR_MAX_DIMS], int d)
{
	const struct kx *most = extent[0][d];

	for (int i = 1; i < h->prog->n_stmts; i++) {
		bool is_new = true;

		for (int j = 0; j < i && is_new; j++)
			is_new = !kx_same(extent[i][d], extent[j][d]);
		if (is_new)
			most = kx_max(h->mem, most, extent[i][d]);
	}
	return most;
}

static void declare_problem(const struct host *h, struct ks *b,
	const char *points, const char *hull)
{
	const struct kx *(*extent)[IR_MAX_DIMS] = region_alloc(h->mem,
		sizeof(*extent) * (size_t) h->prog->n_stmts);
	const struct kx **all = region_array(h->mem, const struct kx *,
		h->prog->n_stmts + IR_MAX_DIMS);

	find_extents(h, extent);
	for (int i = 0; i < h->prog->n_stmts; i++)
		all[i] = product(h, extent[i]);
	ks_add(h->mem, b, ks_list(h->mem, ctype_const(CT_DOUBLE), points,
		h->prog->n_stmts, all));
	for (int d = 0; d < h->scop->n_dims; d++)
		all[d] = greatest(h, extent, d);
	ks_add(h->mem, b, ks_list(h->mem, ctype_const(CT_INT), hull,
		h->scop->n_dims, all));
}

void cpu_declare_segment(const struct host *h, struct ks *b)
{
	const struct segments *s = h->prog->segments;
	const struct kx *first, *end;

	if (!s)
		return;
	first = host_param(h, s->whole_begin, ctype(CT_NONE));
	end = host_param(h, s->whole_end, ctype(CT_NONE));
	if (s->most)
		end = kx_min(h->mem, kx_add(h->mem, first, s->most), end);
	host_declare_int(h, b, s->first->name, first);
	host_declare_int(h, b, s->end->name, end);
}

/* Functions ------------------------------------------------------------------------ */

/* static struct stencilc_machine NAME_compiled_for, a constant printed before all functions. */
struct kfunc *cpu_machine_function(const struct host *h)
{
	struct kfunc *f = host_function(h, "%s_machine", ctype(CT_VOID));
	const char *machine = fresh(h, "machine");
	const struct kx *zero = integer(h, 0);

	f->comment = "The machine that the file was compiled for.";
	f->is_exported = true;
	kfunc_add_param(h->mem, f, (struct kparam) { .name = machine,
		.c_type = type_of("struct stencilc_machine", false) });
	ks_add(h->mem, f->body, ks_assign(h->mem, kx_of_kind(h->mem, KX_INDEX,
		machine, 1, &zero), name(h, region_printf(h->mem,
			"%s_compiled_for", h->prog->name))));
	return f;
}

/* stencilc_chosen(&NAME_hexagons, &NAME_compiled_for, machine, steps, hull, points) */
static const struct kx *call_of_choice(const struct host *h,
	const char *points, const char *hull, const char *machine)
{
	const struct kx *steps = kx_max(h->mem, integer(h, 1), host_steps(h,
		ctype(CT_NONE)));
	const struct kx *arg[] = {
		kx_address(h->mem, name(h, facts_name(h))),
		kx_address(h->mem, name(h, region_printf(h->mem,
			"%s_compiled_for", h->prog->name))),
		name(h, machine), steps, name(h, hull), name(h, points),
	};

	return call(h, "stencilc_chosen", 6, arg);
}

struct kfunc *cpu_choose_function(const struct host *h,
	const struct kfunc *check)
{
	struct kfunc *f = host_function(h, "%s_choose", ctype(CT_INT));
	const char *machine = fresh(h, "machine"), *sizes = cpu_sizes_name(h);
	const char *points = fresh(h, "points"), *hull = fresh(h, "hull");
	const struct kx *zero = integer(h, 0);

	f->comment = "The sizes of tiles that the model finds fastest on the "
		"machine; NULL: on the one that\nthis runs on, as far as it tells.";
	f->is_exported = true;
	kfunc_add_param(h->mem, f, (struct kparam) { .name = machine,
		.c_type = type_of("struct stencilc_machine", true) });
	host_add_params_of_all(h, f);
	kfunc_add_param(h->mem, f, (struct kparam) { .name = sizes,
		.c_type = type_of("struct stencilc_sizes", false) });
	host_check_first(h, f->body, check);
	cpu_declare_segment(h, f->body);
	declare_problem(h, f->body, points, hull);
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, f->body, ks_assign(h->mem, kx_of_kind(h->mem, KX_INDEX,
		sizes, 1, &zero), call_of_choice(h, points, hull, machine)));
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		integer(h, 0)));
	kfunc_mention_unused(h->mem, f);
	return f;
}

struct chosen_argument {
	const struct host *h;
	const struct kx *sizes;		/* their address */
};

static const struct kx *argument_of_chosen(const void *user,
	const char *param)
{
	const struct chosen_argument *c = user;
	const struct host *h = c->h;

	if (!strcmp(param, fresh(h, "machine")))
		return kx_builtin(h->mem, W_NULL, 0);
	return strcmp(param, cpu_sizes_name(h)) ? NULL : c->sizes;
}

static const struct kx *call_with(const struct host *h, const struct kfunc *f,
	const struct kx *sizes)
{
	struct chosen_argument c = { h, sizes };

	return kfunc_call(h->mem, f, argument_of_chosen, &c);
}

const struct kx *cpu_call_choose(const struct host *h,
	const struct cpu_choice *choice, const struct kx *sizes)
{
	return call_with(h, choice->choose, sizes);
}

const struct kx *cpu_call_sized(const struct host *h,
	const struct cpu_choice *choice)
{
	return call_with(h, choice->with_sizes, kx_address(h->mem, name(h,
		"harness_sizes")));
}

/* const int status = NAME_choose(NULL, params, &own_sizes);
 *
 * return status ? status : NAME_with_sizes(.., &own_sizes);
 */
void cpu_add_chosen_run(const struct host *h, struct ks *b,
	const struct cpu_choice *choice)
{
	const struct kx *own = name(h, fresh(h, "own_sizes"));
	const struct kx *status = name(h, h->status);

	ks_add(h->mem, b, ks_declare(h->mem, cpu_sizes_type(), own->name,
		NULL));
	host_declare_int(h, b, h->status, cpu_call_choose(h, choice,
		kx_address(h->mem, own)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, kx_select(h->mem,
		status, status, call_with(h, choice->with_sizes, kx_address(
			h->mem, own)))));
}
