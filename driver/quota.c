#include "driver/driver.h"

#include <isl/options.h>
#include <isl/val.h>

bool quota_failed(const isl_ctx *ctx)
{
	return ctx && isl_ctx_last_error((isl_ctx *) ctx) != isl_error_none;
}

static bool is_moot(const void *ctx)
{
	return quota_failed(ctx);
}

isl_ctx *quota_begin(struct diags *d, unsigned long max)
{
	isl_ctx *ctx;

	numbers_begin();
	ctx = isl_ctx_alloc();
	if (!ctx)
		out_of_memory();
	isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
	isl_ctx_set_max_operations(ctx, max);
	d->is_moot = is_moot;
	d->moot = ctx;
	return ctx;
}

/* Is the quota used up?  The last error may be a consequence. */
static bool is_used_up(isl_ctx *ctx)
{
	isl_val *v = isl_val_one(ctx);

	isl_val_free(v);
	return !v && isl_ctx_last_error(ctx) == isl_error_quota;
}

void quota_report(struct diags *d, isl_ctx *ctx)
{
	const char *file = isl_ctx_last_error_file(ctx);

	d->is_moot = NULL;
	if (isl_ctx_last_error(ctx) == isl_error_alloc)
		out_of_memory();
	if (is_used_up(ctx))
		diag_plain(d, E_QUOTA, "the program takes more than %lu "
			"operations on sets; '--max-ops=N' allows more, "
			"smaller tiles or '--strategy=point' take fewer",
			isl_ctx_get_max_operations(ctx));
	else
		diag_plain(d, E_INTERNAL, "%s (%s:%d); please report this "
			"with the input", isl_ctx_last_error_msg(ctx),
			file ? file : "?", isl_ctx_last_error_line(ctx));
}
