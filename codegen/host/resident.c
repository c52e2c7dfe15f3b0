/* One launch for all passes: blocks that wait for each other must all be
 * resident.  Whether they can be depends on the device, the size of the grid,
 * and the registers that the compiler gave the kernel.
 */
#include "codegen/host/host.h"

/* What the emitted code asks the device. */
struct residency {
	const char *device, *cooperative, *multiprocessors, *blocks;
};

static struct residency names_of(const struct host *h)
{
	return (struct residency) {
		.device = fresh_name(h->mem, h->prog, "device"),
		.cooperative = fresh_name(h->mem, h->prog, "cooperative"),
		.multiprocessors = fresh_name(h->mem, h->prog,
			"multiprocessors"),
		.blocks = fresh_name(h->mem, h->prog, "blocks"),
	};
}

static void declare(const struct host *h, struct ks *block, const char *var,
	const struct kx *value)
{
	ks_add(h->mem, block, ks_declare(h->mem, ctype(CT_INT), var, value));
}

static const struct kx *address(const struct host *h, const char *var)
{
	return kx_address(h->mem, name(h, var));
}

static void ask_attribute(const struct host *h, struct ks *block,
	const struct residency *r, const char *var, enum builtin attribute)
{
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem,
		RT_ASK_DEVICE, 3, address(h, var),
		kx_builtin(h->mem, attribute, 0), name(h, r->device))));
}

static const struct kx *threads_of_block(const struct host *h,
	const struct kfunc *kernel)
{
	if (h->plan->tiles.warps.least == 0)
		return integer(h, kernel->max_threads);
	return op(h, OP_MUL, name(h, h->names->strips.warps), integer(h,
		kernel->max_threads / plan_most_warps(h->plan)));
}

static void ask_device(const struct host *h, struct ks *block,
	const struct residency *r, const struct kfunc *kernel)
{
	declare(h, block, r->device, integer(h, 0));
	declare(h, block, r->cooperative, integer(h, 0));
	declare(h, block, r->multiprocessors, integer(h, 0));
	declare(h, block, r->blocks, integer(h, 0));
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem, RT_DEVICE,
		1, address(h, r->device))));
	ask_attribute(h, block, r, r->cooperative,
		W_COOPERATIVE);
	ask_attribute(h, block, r, r->multiprocessors,
		W_MULTIPROCESSORS);
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem,
		RT_BLOCKS_THAT_FIT, 4,
		address(h, r->blocks), name(h, kernel->name),
		threads_of_block(h, kernel),
		integer(h, kernel->dynamic_bytes))));
}

/* The product, which may exceed an int. */
static const struct kx *product(const struct host *h, int n,
	const struct kx *const *factor)
{
	const struct kx *all = kx_cast(h->mem, ctype(CT_LONG), factor[0]);

	for (int i = 1; i < n; i++)
		all = op(h, OP_MUL, all, factor[i]);
	return all;
}

static const struct kx *is_resident(const struct host *h,
	const struct residency *r, const struct kx *grid)
{
	const struct kx *most[2] = {
		name(h, r->blocks), name(h, r->multiprocessors),
	};

	return kx_and(h->mem, name(h, r->cooperative), op(h, OP_LE,
		product(h, grid->n_args, grid->arg), product(h, 2, most)));
}

/* The launch of all passes, given that of one. */
static struct ks *launch_all(const struct host *h, const struct kfunc *kernel,
	struct ks *launch)
{
	struct ks *block = ks_block(h->mem);

	declare(h, block, h->names->tt_first, integer(h, 0));
	declare(h, block, h->names->tt_last, op(h, OP_DIV, kx_add(h->mem,
		name(h, h->names->steps), -1),
		integer(h, h->plan->time_pitch)));
	for (int i = 0; i < kernel->n_params; i++)
		launch->x[3 + i] = name(h, kernel->param[i].name);
	launch->addresses = fresh_name(h->mem, h->prog, "arguments");
	ks_add(h->mem, block, launch);
	return block;
}

struct ks *host_resident(const struct host *h, const struct kfunc *kernel,
	struct ks *direct)
{
	struct ks *block = ks_block(h->mem);
	struct ks *launch = host_launch(h, h->plan, 0, kernel);
	struct residency r = names_of(h);

	ask_device(h, block, &r, kernel);
	ks_add(h->mem, block, ks_if(h->mem, is_resident(h, &r, launch->x[0]),
		launch_all(h, kernel, launch), direct));
	return block;
}
