/* The model in emitted files whose tile sizes are arguments: its parts, and the program and the
 * machine as constants.
 */
#include "codegen/tree/choose-sizes-text.h"
#include "codegen/tree/choose-length-text.h"
#include "codegen/tree/choose-variant-text.h"
#include "codegen/tree/print.h"
#include "codegen/tree/tile-sizes-text.h"
#include "schedule/choice.h"

const struct tile_choice *unit_choice(const struct kunit *unit)
{
	return unit->plan ? unit->plan->tiles.choice : NULL;
}

void print_tile_sizes(struct text *t)
{
	for (int i = 0; i < TILE_SIZES_LINES; i++)
		text_printf(t, "%s\n", tile_sizes_text[i]);
}

static void print_slope(struct text *t, struct stencilc_slope s)
{
	text_printf(t, "{ %lld, %lld }", s.num, s.den);
}

static void print_statements(struct text *t, const char *name,
	const struct stencilc_hexagons *x)
{
	text_printf(t, "static const struct stencilc_statement "
		"%s_statements[] = {\n", name);
	for (int i = 0; i < x->statements; i++) {
		const struct stencilc_statement *s = &x->statement[i];

		text_printf(t, "\t{ %.17g, %.17g, %.17g, %.17g, %.17g, %.17g, "
			"%.17g, %.17g, %.17g, %d, %d },\n", s->word_bytes,
			s->operations, s->sums, s->specials, s->loads,
			s->touched_bytes, s->again_bytes, s->row_bytes,
			s->rows_bytes, s->shares, s->loops);
	}
	text_puts(t, "};\n\n");
}

static void print_hexagons(struct text *t, const char *name,
	const struct stencilc_hexagons *x)
{
	text_printf(t, "static const struct stencilc_hexagons %s_hexagons = {\n"
		"\t%d, %d, %d, %d, %d, %d, %d, %d, { ", name, x->dims, x->hex,
		x->around, x->streams, x->columns, x->rows, x->line, x->margin);
	for (int side = 0; side < 2; side++) {
		print_slope(t, x->slope[side]);
		text_puts(t, side ? " }, { " : ", ");
	}
	for (int d = 0; d < x->dims; d++) {
		print_slope(t, x->skew[d]);
		text_puts(t, d + 1 < x->dims ? ", " : " },\n");
	}
	text_printf(t, "\t%.17g, %.17g, %.17g, %d, %s_statements\n};\n\n",
		x->kept_bytes, x->moved_bytes, x->citer_s, x->statements,
		name);
}

static void print_machine(struct text *t, const char *name,
	const struct stencilc_machine *m)
{
	text_printf(t, "static const struct stencilc_machine %s_compiled_for = {\n"
		"\t%.17g, %.17g, %.17g, %.17g, %.17g, %.17g,\n"
		"\t%.17g, %.17g, %.17g, %.17g, %.17g, %.17g, %.17g\n};\n\n",
		name, m->cores, m->clock_hz, m->lanes, m->lanes64,
		m->special_lanes, m->sums_per_clock, m->operations_per_clock,
		m->load_bytes_per_s, m->first_cache_bytes,
		m->own_cache_bytes, m->shared_cache_bytes,
		m->bandwidth_bytes_per_s, m->barrier_s);
}

bool unit_has_variants(const struct kunit *unit)
{
	return unit->plan && unit->plan->tiles.variants;
}

bool unit_has_length(const struct kunit *unit)
{
	return unit_has_variants(unit) && plan_given_dim(unit->plan) >= 0;
}

bool unit_has_width(const struct kunit *unit)
{
	return unit_has_variants(unit) && unit->plan->tiles.variants->has_widths;
}

void print_variants(struct text *t, const struct kunit *unit)
{
	if (!unit_has_variants(unit))
		return;
	for (int i = 0; i < CHOOSE_VARIANT_LINES; i++)
		text_printf(t, "%s\n", choose_variant_text[i]);
	text_puts(t, "\n");
	for (int i = 0; unit_has_length(unit) && i < CHOOSE_LENGTH_LINES; i++)
		text_printf(t, "%s\n", choose_length_text[i]);
	if (unit->harness)
		text_printf(t, "\nstatic int harness_variant = -1%s;\n",
			unit_has_length(unit) ? ", harness_length, harness_warps" :
			unit_has_width(unit) ? ", harness_width" : "");
	text_puts(t, "\n");
}

void print_choice(struct text *t, const struct kunit *unit)
{
	const struct tile_choice *choice = unit_choice(unit);

	if (!choice)
		return;
	print_tile_sizes(t);
	text_puts(t, "\n");
	for (int i = 0; i < CHOOSE_SIZES_LINES; i++)
		text_printf(t, "%s\n", choose_sizes_text[i]);
	text_puts(t, "\n");
	print_statements(t, unit->prog->name, &choice->hexagons);
	print_hexagons(t, unit->prog->name, &choice->hexagons);
	print_machine(t, unit->prog->name, &choice->machine);
	if (unit->harness && !unit->handles)
		text_puts(t, "static struct stencilc_sizes harness_sizes;\n\n");
}
