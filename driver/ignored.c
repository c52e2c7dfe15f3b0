/* Options without effect: the strategy has no such choice, or this program no use for it. */
#include "driver/driver.h"

#include <string.h>

/* An option, and the value that describes a strategy without it. */
static const struct {
	const char *name, *without;
} options[TILE_OPTIONS] = {
	[OPTION_STEPS] = { "--steps", NULL },
	[OPTION_SHARED] = { "--shared", "none" },
	[OPTION_SEPARATE] = { "--separate", "no" },
	[OPTION_COPY_OUT] = { "--copy-out", "separate" },
	[OPTION_ALIGN_LOADS] = { "--align-loads", "no" },
	[OPTION_REUSE] = { "--reuse", "none" },
	[OPTION_UNROLL] = { "--unroll", "no" },
	[OPTION_ASYNC] = { "--async", "no" },
	[OPTION_MAPPING] = { "--mapping", "phases" },
	[OPTION_LAUNCH] = { "--launch", "direct" },
	[OPTION_HEX_DIM] = { "--hex-dim", NULL },
	[OPTION_COMPUTE_ONLY] = { "--compute-only", NULL },
	[OPTION_MODEL] = { "--model", "recommended" },
};

/* "--async=yes" */
static const char *spelling(const struct compilation *s, enum tile_option o)
{
	const char *value = s->options.asked[o];

	return region_printf(s->mem, "%s%s%s", options[o].name,
		*value ? "=" : "", value);
}

/* --emit=model serves to choose the strategy, too. */
static bool is_wish(const struct options *all, enum tile_option o)
{
	const char *value = all->asked[o];

	return value && strcmp(value, "auto") != 0 &&
		(o != OPTION_MODEL || all->strategy);
}

static bool is_without(const struct options *all, enum tile_option o)
{
	return options[o].without &&
		!strcmp(all->asked[o], options[o].without);
}

/* The strategy has no such choice, and does something else. */
static void warn_of_choice(struct compilation *s, const struct scop *scop,
	const struct strategy *strategy, enum tile_option o)
{
	bool always = strategy->always >> o & 1;
	struct text others = { 0 };

	if (always != is_without(&s->options, o))
		return;
	if (!always)
		strategies_with(&others, o, s->options.tile.for_cpu);
	diag_plain(&s->diags, W_IGNORED, "%s changes nothing for '%s': "
		"strategy '%s' %s%s", spelling(s, o), scop->prog->name,
		strategy->name, always ? "does it in any case" : others.bytes ?
		"has no such choice; these have: " : "has no such choice",
		others.bytes ? others.bytes : "");
	text_free(&others);
}

/* Does the plan do what was asked for?  "is_bulk": with the value "bulk". */
static bool is_done(const struct plan *p, enum tile_option o, bool is_bulk)
{
	switch (o) {
	case OPTION_SHARED:
		return p->opt.shared;
	case OPTION_COPY_OUT:
		return p->opt.copy_out == COPY_OUT_INTERLEAVED;
	case OPTION_ALIGN_LOADS:
		return p->opt.align_loads;
	case OPTION_REUSE:
		return p->opt.reuse != REUSE_NONE;
	case OPTION_ASYNC:
		return plan_copies_ahead(p, is_bulk);
	case OPTION_MAPPING:
		return plan_has_waves(p);
	default:
		return true;
	}
}

/* The strategy has the choice, but cannot use it here. */
static void warn_of_plans(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n, enum tile_option o)
{
	bool is_bulk = !strcmp(s->options.asked[o], "bulk");
	bool as_yes = false;

	if (n == 0 || is_without(&s->options, o))
		return;
	for (int i = 0; i < n; i++) {
		if (is_done(&plans[i], o, is_bulk))
			return;
		as_yes = as_yes || is_done(&plans[i], o, false);
	}
	diag_plain(&s->diags, W_IGNORED, as_yes ? "%s is --async=yes for "
		"'%s': strategy '%s' copies no whole rows" : "%s changes "
		"nothing for '%s': strategy '%s' finds no use for it, with "
		"these sizes and options", spelling(s, o), scop->prog->name,
		plans->strategy->name);
}

/* Requested threads that blocks do not have. */
static void warn_of_threads(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n)
{
	const int *asked = s->options.tile.threads;

	for (int i = 0; i < n; i++)
		for (int d = 0; d < 3; d++) {
			const int *has = plans[i].threads;

			if (asked[d] <= 0 || asked[d] == has[d])
				continue;
			diag_plain(&s->diags, W_IGNORED, "--threads: %d along "
				"%c for '%s' are not taken: a block of "
				"strategy '%s' has %d,%d,%d", asked[d],
				"xyz"[d], scop->prog->name,
				plans->strategy->name, has[0], has[1], has[2]);
			return;
		}
}

static void warn_of_size(struct compilation *s, const struct scop *scop,
	const char *name, int size)
{
	if (size >= 0)
		diag_plain(&s->diags, W_IGNORED, "--tile=%s=%d changes nothing "
			"for '%s': it has %d space dimension%s", name, size,
			scop->prog->name, scop->n_dims, scop->n_dims == 1 ?
			"" : "s");
}

/* Sizes in --tile for dimensions that the program does not have. */
static void warn_of_sizes(struct compilation *s, const struct scop *scop)
{
	const struct tile_request *r = &s->options.tile;
	const int block[3] = { r->bx, r->by, r->bz };

	for (int d = scop->n_dims; d < IR_MAX_DIMS; d++)
		warn_of_size(s, scop, region_printf(s->mem, "w%d", d),
			r->w[d]);
	for (int d = scop->n_dims; d < 3; d++)
		warn_of_size(s, scop, region_printf(s->mem, "b%c", "xyz"[d]),
			block[d]);
}

/* A length along the outermost dimension that no kernel uses, and "why". */
static void warn_of_length(struct compilation *s, const struct scop *scop,
	const char *name, int points, bool is_used, const char *why)
{
	if (points >= 0 && !is_used)
		diag_plain(&s->diags, W_IGNORED, "--tile=%s=%d changes nothing "
			"for '%s': %s", name, points, scop->prog->name, why);
}

/* Lengths of sweeps and slabs where there are none. */
static void warn_of_lengths(struct compilation *s, const struct scop *scop,
	const struct plan *plans, int n)
{
	const struct tile_request *r = &s->options.tile;
	bool swept = n == 0, shared = n == 0;

	for (int i = 0; i < n; i++) {
		swept = swept || plan_is_swept(&plans[i]);
		shared = shared || plans[i].slab.tiles > 0;
	}
	warn_of_length(s, scop, "sweep", r->sweep, swept, "none of its kernels "
		"is swept");
	warn_of_length(s, scop, "slab", r->slab, shared, "no kernels share "
		"slabs, as those of --variant=[[[..],[..]]] do");
}

/* Zones that are computed while halos travel. */
static void warn_of_overlap(struct compilation *s)
{
	int wish = s->options.with.mpi_overlap;

	if (s->mpi.blocks && (wish == OVERLAP_YES || wish == OVERLAP_ALL) &&
	    !most_turns_of_zones(s))
		diag_plain(&s->diags, W_IGNORED, "--mpi-overlap=%s changes nothing "
			"for '%s': it has no time loop, or reduces on a GPU or what "
			"other ranks have, or has fields of several lengths along its "
			"first dimension", wish ==
			OVERLAP_YES ? "yes" : "all", s->mpi.blocks->whole->name);
}

void warn_ignored(struct compilation *s, const struct scop *scop,
	const struct strategy *strategy, const struct plan *plans, int n)
{
	for (int o = 0; o < TILE_OPTIONS; o++) {
		if (!is_wish(&s->options, o))
			continue;
		if (strategy->options >> o & 1)
			warn_of_plans(s, scop, plans, n, o);
		else
			warn_of_choice(s, scop, strategy, o);
	}
	warn_of_threads(s, scop, plans, n);
	warn_of_sizes(s, scop);
	warn_of_lengths(s, scop, plans, n);
	warn_of_overlap(s);
}
