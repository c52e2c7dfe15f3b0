/* Options for the steps of optimization: what each one sets of a tile. */
#include "driver/options.h"

#include <string.h>

bool set_shared(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "none", 0 }, { "box", 1 }, { 0 },
	};
	int chosen;

	p->o->asked[OPTION_SHARED] = value;
	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->tile.opt.shared = chosen;
	return true;
}

bool set_separate(struct parser *p, const char *value)
{
	p->o->asked[OPTION_SEPARATE] = value;
	return choose_bool(p, value, &p->o->tile.opt.separate);
}

bool set_copy_out(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "separate", COPY_OUT_SEPARATE },
		{ "interleaved", COPY_OUT_INTERLEAVED }, { 0 },
	};
	int chosen;

	p->o->asked[OPTION_COPY_OUT] = value;
	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->tile.opt.copy_out = (enum copy_out) chosen;
	return true;
}

bool set_align_loads(struct parser *p, const char *value)
{
	p->o->asked[OPTION_ALIGN_LOADS] = value;
	return choose_bool(p, value, &p->o->tile.opt.align_loads);
}

bool set_reuse(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "none", REUSE_NONE }, { "static", REUSE_STATIC },
		{ "dynamic", REUSE_DYNAMIC }, { 0 },
	};
	int chosen;

	p->o->asked[OPTION_REUSE] = value;
	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->tile.opt.reuse = (enum reuse) chosen;
	return true;
}

bool set_unroll(struct parser *p, const char *value)
{
	p->o->asked[OPTION_UNROLL] = value;
	return choose_bool(p, value, &p->o->tile.opt.unroll);
}

bool set_async(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "no", 0 }, { "yes", 1 }, { "auto", 2 }, { "bulk", 3 }, { 0 },
	};
	int chosen;

	p->o->asked[OPTION_ASYNC] = value;
	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->tile.opt.async = chosen & 1;
	p->o->tile.opt.bulk = chosen == 3;
	p->o->tile.opt.starts = chosen != 0;
	p->o->tile.async_open = chosen == 2;
	return true;
}

bool set_launch(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "auto", LAUNCHES_AUTO }, { "direct", LAUNCHES_DIRECT },
		{ "resident", LAUNCHES_RESIDENT }, { 0 },
	};
	int chosen;

	p->o->asked[OPTION_LAUNCH] = value;
	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->tile.launches = (enum launches) chosen;
	return true;
}

bool set_hex_dim(struct parser *p, const char *value)
{
	p->o->asked[OPTION_HEX_DIM] = value;
	p->o->tile.hex_dim = HEX_DIM_AUTO;
	if (!strcmp(value, "auto"))
		return true;
	if (!parse_int(value, strlen(value), &p->o->tile.hex_dim) ||
	    p->o->tile.hex_dim >= IR_MAX_DIMS)
		return wrong(p, value, "the number of a dimension, "
			"from 0, or auto");
	return true;
}

/* Table 4 of [CGO]: each step adds to the one before, except that (f) replaces
 * the static placement of (e).
 */
bool set_steps(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "a", 'a' }, { "b", 'b' }, { "c", 'c' }, { "d", 'd' },
		{ "e", 'e' }, { "f", 'f' }, { 0 },
	};
	int step;

	p->o->asked[OPTION_STEPS] = value;
	if (!choose(p, value, choices, &step))
		return false;
	p->o->tile.async_open = false;
	p->o->tile.opt = (struct optimizations) {
		.shared = step >= 'b',
		.copy_out = step >= 'c' ? COPY_OUT_INTERLEAVED :
			COPY_OUT_SEPARATE,
		.align_loads = step >= 'd',
		.reuse = step == 'e' ? REUSE_STATIC : step == 'f' ?
			REUSE_DYNAMIC : REUSE_NONE,
		.unroll = true, .separate = true,
		.waves = p->o->tile.opt.waves,
		.async = p->o->tile.opt.async,
		.bulk = p->o->tile.opt.bulk,
		.starts = p->o->tile.opt.async,
	};
	return true;
}

bool set_mapping(struct parser *p, const char *value)
{
	static const struct choice choices[] = {
		{ "phases", 0 }, { "waves", 1 }, { 0 },
	};
	int chosen;

	p->o->asked[OPTION_MAPPING] = value;
	if (!choose(p, value, choices, &chosen))
		return false;
	p->o->tile.opt.waves = chosen;
	return true;
}

bool set_compute_only(struct parser *p, const char *value)
{
	p->o->asked[OPTION_COMPUTE_ONLY] = value;
	p->o->tile.opt.compute_only = true;
	p->o->tile.opt.copy_out = COPY_OUT_SEPARATE;
	return true;
}
