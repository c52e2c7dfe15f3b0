/* Kernels in several sizes:
 *
 *	NAME_choose(multiprocessors, params, &variant)	the one that suits the device and
 *							the grid, by the model
 *	NAME_run0(), NAME_run1(), ..		all steps by one variant
 *	NAME_run()				by the chosen one
 *
 * Of strips the length and the warps of a block are arguments of the kernels, of hexagons it is
 * how wide tiles are, and NAME_choose() says them, too.
 */
#include <string.h>

#include "codegen/host/variants.h"

static const char *fresh(const struct host *h, const char *s)
{
	return fresh_name(h->mem, h->prog, "%s", s);
}

const struct tile_variants *host_variants(const struct host *h)
{
	return h->unit->plan ? h->unit->plan->tiles.variants : NULL;
}

/* if (multiprocessors <= 0) ask the current device */
static struct ks *ask_device(const struct host *h, const char *multiprocessors)
{
	const char *device = fresh(h, "device");
	struct ks *b = ks_scope(h->mem);
	const struct kx *error = name(h, h->error);

	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), device,
		integer(h, 0)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_ERROR), h->error,
		kx_builtin(h->mem, RT_DEVICE, 1, kx_address(h->mem, name(h,
			device)))));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_EQ, error, kx_builtin(h->mem,
		W_SUCCESS, 0)), ks_assign(h->mem, error, kx_builtin(h->mem,
		RT_ASK_DEVICE, 3, kx_address(h->mem, name(h, multiprocessors)),
		kx_builtin(h->mem, W_MULTIPROCESSORS, 0), name(h, device))),
		NULL));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_NE, error, kx_builtin(h->mem,
		W_SUCCESS, 0)), ks_expression(h->mem, KS_RETURN, kx_cast(
		h->mem, ctype(CT_INT), error)), NULL));
	return ks_if(h->mem, op(h, OP_LE, name(h, multiprocessors), integer(h,
		0)), b, NULL);
}

/* Are the length of strips, and the warps of their blocks, arguments of kernels? */
static bool has_length(const struct host *h)
{
	return plan_given_dim(host_variants(h)->plans[0]) >= 0;
}

static bool has_width(const struct host *h)
{
	return host_variants(h)->has_widths;
}

static void declare_table(const struct host *h, struct ks *b,
	const char *table, const char *sizes)
{
	const struct tile_variants *v = host_variants(h);
	int n = v->n_rows * v->width;
	const struct kx **x = region_array(h->mem, const struct kx *, n +
		v->n_params);
	struct ks *list;

	for (int i = 0; i < n; i++)
		x[i] = integer(h, v->row[i]);
	list = ks_list(h->mem, ctype_const(CT_INT), table, n, x);
	list->is_static = true;
	ks_add(h->mem, b, ks_comment(h->mem, "Of each row: multiprocessors, "
		"sizes, %sthe variant that is the fastest there%s.",
		has_length(h) || has_width(h) ? "" : "and ", has_length(h) ?
		",\nthe blocks of a launch for each multiprocessor, and "
		"the warps of a block" : has_width(h) ?
		",\nand how wide its tiles are" : ""));
	ks_add(h->mem, b, list);
	for (int i = 0; i < v->n_params; i++)
		x[i] = name(h, v->param[i]->name);
	ks_add(h->mem, b, ks_list(h->mem, ctype_const(CT_INT), sizes,
		v->n_params, x));
}

static const struct kx *as_long(const struct host *h, const struct kx *x)
{
	return kx_cast(h->mem, ctype(CT_LONG), x);
}

static const struct kx *dereferenced(const struct host *h, const char *pointer)
{
	return kx_builtin(h->mem, B_DEREFERENCE, 1, name(h, pointer));
}

/* last - first + 1 */
static const struct kx *extent(const struct host *h, const struct kx *first,
	const struct kx *last)
{
	return kx_add(h->mem, op(h, OP_SUB, as_long(h, last), first), 1);
}

/* Tiles of "plan" in all dimensions but the given one. */
static const struct kx *other_tiles(const struct host *h,
	const struct plan *plan)
{
	const struct kx *n = integer(h, 1);

	for (int d = 0; d < plan->n_dims; d++)
		if (!plan_is_given(plan, d))
			n = op(h, OP_MUL, n, extent(h, tile_of_edge(h->mem,
				plan, h->names, integer(h, 0), d, false),
				tile_of_edge(h->mem, plan, h->names,
				integer(h, 0), d, true)));
	return n;
}

/* What NAME_choose() returns beside the variant. */
static const char *chosen_warps(const struct host *h)
{
	return fresh(h, "block_warps");
}

static const struct kx *of_row(const struct host *h, const char *row, int i)
{
	const struct kx *at = integer(h, i);

	return kx_of_kind(h->mem, KX_INDEX, row, 1, &at);
}

/* The warps of row "row", or of the harness if variant "v" has so many. */
static const struct kx *warps_of_row(const struct host *h, int v,
	const char *row)
{
	const struct plan *plan = host_variants(h)->plans[v];
	const struct kx *warps = of_row(h, row, 2);
	const struct kx *own = name(h, "harness_warps");

	if (!h->unit->harness)
		return warps;
	return kx_max(h->mem, kx_min(h->mem, kx_select(h->mem, op(h, OP_GT, own,
		integer(h, 0)), own, warps), integer(h, plan_most_warps(
		plan))), integer(h, plan->tiles.warps.least));
}

/* if (*variant == v) the warps, and the length that follows from the blocks of each
 * multiprocessor
 */
static struct ks *choose_length(const struct host *h, int v, const char *row,
	const char *multiprocessors, const char *variant)
{
	const struct plan *plan = host_variants(h)->plans[v];
	int d = plan_given_dim(plan);
	struct ks *b = ks_block(h->mem);
	const struct kx *arg[] = {
		extent(h, edge_of_plan(h->mem, plan, d, false), edge_of_plan(
			h->mem, plan, d, true)),
		other_tiles(h, plan),
		op(h, OP_MUL, as_long(h, of_row(h, row, 1)), name(h,
			multiprocessors)),
		integer(h, plan->tiles.given[d].least),
		integer(h, plan->tiles.given[d].step),
	};

	if (h->unit->harness) {
		const struct kx *own = name(h, "harness_length");
		const struct kx *is_own = op(h, OP_GT, own, integer(h, 0));

		arg[0] = kx_select(h->mem, is_own, own, arg[0]);
		arg[2] = kx_select(h->mem, is_own, integer(h, 1), arg[2]);
	}
	host_declare_int(h, b, h->names->strips.warps, warps_of_row(h, v, row));
	ks_add(h->mem, b, ks_assign(h->mem, dereferenced(h, chosen_warps(h)),
		name(h, h->names->strips.warps)));
	ks_add(h->mem, b, ks_assign(h->mem, dereferenced(h,
		h->names->strips.length), kx_of_kind(h->mem, KX_CALL,
		"stencilc_length", 5, arg)));
	return ks_if(h->mem, op(h, OP_EQ, dereferenced(h, variant), integer(h,
		v)), b, NULL);
}

/* The width of row "row", or of the harness; of those that variant "v" has the one below. */
static struct ks *choose_width(const struct host *h, int v, const char *row,
	const char *variant)
{
	const struct plan *plan = host_variants(h)->plans[v];
	const struct tile_widths *widths = plan->tiles.widths;
	const int only = plan_other_width(plan);
	const struct kx *own = name(h, "harness_width"), *width;
	const struct kx *step = integer(h, widths ? tile_width_step(widths) : only);

	width = kx_select(h->mem, op(h, OP_GT, own, integer(h, 0)), own,
		of_row(h, row, 1));
	width = kx_max(h->mem, kx_min(h->mem, op(h, OP_MUL, op(h, OP_DIV, width,
		step), step), integer(h, only)), integer(h, widths ?
		widths->width[0] : only));
	return ks_if(h->mem, op(h, OP_EQ, dereferenced(h, variant), integer(h,
		v)), ks_assign(h->mem, dereferenced(h, h->names->lanes.width),
		width), NULL);
}

static void choose_widths(const struct host *h, struct ks *b,
	const char *row, const char *variant)
{
	if (!h->unit->harness)
		ks_add(h->mem, b, ks_assign(h->mem, dereferenced(h,
			h->names->lanes.width), of_row(h, row, 1)));
	for (int v = 0; h->unit->harness && v < host_variants(h)->n; v++)
		ks_add(h->mem, b, choose_width(h, v, row, variant));
}

/* The row that is next; its variant, and what follows from its blocks. */
static void choose_by_table(const struct host *h, struct ks *b,
	const char *multiprocessors, const char *variant)
{
	const struct tile_variants *v = host_variants(h);
	const char *table = fresh(h, "chosen"), *sizes = fresh(h, "sizes");
	const char *row = fresh(h, "row");
	const struct kx *zero = integer(h, 0), *found = of_row(h, row, 0);
	const struct kx *own = name(h, "harness_variant");
	const struct kx *arg[] = {
		name(h, table), integer(h, v->n_rows), integer(h, v->width),
		name(h, sizes), integer(h, v->n_params),
		name(h, multiprocessors),
	};

	declare_table(h, b, table, sizes);
	ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(CT_INT, true), row,
		kx_of_kind(h->mem, KX_CALL, "stencilc_variant", 6, arg)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_assign(h->mem, dereferenced(h, variant),
		h->unit->harness ? kx_select(h->mem, kx_and(h->mem, op(h, OP_GE,
			own, zero), op(h, OP_LT, own, integer(h, v->n))), own,
			found) : found));
	for (int i = 0; has_length(h) && i < v->n; i++)
		ks_add(h->mem, b, choose_length(h, i, row, multiprocessors,
			variant));
	if (has_width(h))
		choose_widths(h, b, row, variant);
}

static void add_result(const struct host *h, struct kfunc *f, const char *var)
{
	kfunc_add_param(h->mem, f, (struct kparam) { .name = var,
		.c_type = ctype_pointer(CT_INT, false) });
}

struct kfunc *host_choose_variant(const struct host *h,
	const struct kfunc *check)
{
	struct kfunc *f = host_function(h, "%s_choose", ctype(CT_INT));
	const char *variant = fresh(h, "variant");
	const char *multiprocessors = fresh(h, "multiprocessors");

	f->comment = region_printf(h->mem, "The variant, 0 to %d%s,\nfor so many "
		"multiprocessors, 0: those of the device at hand, and these "
		"sizes.", host_variants(h)->n - 1, has_length(h) ? ", how long "
		"its strips are, and how many warps a block has" :
		has_width(h) ? ", and how wide its tiles are" : "");
	f->is_exported = true;
	kfunc_add_int(h->mem, f, multiprocessors);
	host_add_params_of_all(h, f);
	add_result(h, f, variant);
	if (has_length(h)) {
		add_result(h, f, h->names->strips.length);
		add_result(h, f, chosen_warps(h));
	}
	if (has_width(h))
		add_result(h, f, h->names->lanes.width);
	host_check_first(h, f->body, check);
	ks_add(h->mem, f->body, ask_device(h, multiprocessors));
	choose_by_table(h, f->body, multiprocessors, variant);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		integer(h, 0)));
	kfunc_mention_unused(h->mem, f);
	return f;
}

static const struct kx *argument_of_choose(const void *user, const char *param)
{
	const struct host *h = user;

	if (!strcmp(param, fresh(h, "multiprocessors")))
		return integer(h, 0);
	if (!strcmp(param, chosen_warps(h)))
		param = h->names->strips.warps;
	else if (strcmp(param, fresh(h, "variant")) &&
	    strcmp(param, h->names->strips.length) &&
	    strcmp(param, h->names->lanes.width))
		return NULL;
	return kx_address(h->mem, name(h, param));
}

struct kfunc *host_run_variant(const struct host *h,
	const struct kfunc *choose, struct kfunc *const *run)
{
	struct kfunc *f = host_function(h, host_run_name(h), ctype(CT_INT));
	const struct kx *variant = name(h, fresh(h, "variant"));
	int n = host_variants(h)->n;

	f->is_static = true;
	f->comment = "All steps, by the kernels of the variant chosen.";
	host_add_run_params(h, f);
	host_add_memory_params(h, f);
	ks_add(h->mem, f->body, ks_declare(h->mem, ctype(CT_INT), variant->name,
		integer(h, 0)));
	if (has_length(h)) {
		ks_add(h->mem, f->body, ks_declare(h->mem, ctype(CT_INT),
			h->names->strips.length, integer(h, 0)));
		ks_add(h->mem, f->body, ks_declare(h->mem, ctype(CT_INT),
			h->names->strips.warps, integer(h, 0)));
	}
	if (has_width(h))
		ks_add(h->mem, f->body, ks_declare(h->mem, ctype(CT_INT),
			h->names->lanes.width, integer(h, 0)));
	host_declare_int(h, f->body, h->status, kfunc_call(h->mem, choose,
		argument_of_choose, h));
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, f->body, ks_if(h->mem, name(h, h->status),
		ks_expression(h->mem, KS_RETURN, name(h, h->status)), NULL));
	for (int v = 1; v < n; v++)
		ks_add(h->mem, f->body, ks_if(h->mem, op(h, OP_EQ, variant,
			integer(h, v)), ks_expression(h->mem, KS_RETURN,
				kfunc_call(h->mem, run[v], NULL, NULL)),
				NULL));
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		kfunc_call(h->mem, run[0], NULL, NULL)));
	kfunc_drop_unused(f);
	return f;
}
