#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "codegen/tree/names.h"

const char *fresh_name(struct region *r, const struct program *prog,
	const char *fmt, ...)
{
	struct text t = { 0 };
	const char *name;
	va_list args;

	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	while (program_has_name(prog, t.bytes))
		text_puts(&t, "_");
	name = region_strdup(r, t.bytes);
	text_free(&t);
	return name;
}

/* Could "name" be that of a value, "stem" and a step or a distance: stem0_1, stemm1, stem_m1? */
static bool continues(const char *name, const char *stem)
{
	const char *rest = name + strlen(stem);

	if (strncmp(name, stem, strlen(stem)))
		return false;
	rest += *rest == 'm' && isdigit((unsigned char) rest[1]);
	return *rest == '\0' || *rest == '_' || isdigit((unsigned char) *rest);
}

static bool is_continued(const struct program *prog, const char *stem,
	const char *name)
{
	for (int i = 0; i < prog->n_fields; i++)
		if (strcmp(prog->field[i]->name, name) &&
		    continues(prog->field[i]->name, stem))
			return true;
	return false;
}

const char *value_stem(struct region *r, const struct program *prog,
	const char *name)
{
	const char *stem = name, *end = "_v";

	for (; is_continued(prog, stem, name); end = region_printf(r, "%sv",
	     end))
		stem = region_printf(r, "%s%s", name, end);
	return stem;
}

const char *number_name(struct region *r, const struct program *prog,
	const struct list *list)
{
	return program_declares(prog, list->index) ? fresh_name(r, prog, "%s",
		list->index) : list->index;
}

const char *version_name(struct region *r, const struct program *prog,
	const struct field *field, int version)
{
	if (version == 1)
		return fresh_name(r, prog, "%s_new", field->name);
	if (version == 0)
		return fresh_name(r, prog, "%s_old", field->name);
	return fresh_name(r, prog, "%s_old%d", field->name, 1 - version);
}

const char *shared_name(struct region *r, const struct program *prog,
	const struct field *field)
{
	return fresh_name(r, prog, "%s_tile", field->name);
}

/* The names of a kernel -------------------------------------------------- */

struct naming {
	struct region *mem;
	const struct program *prog;
	const char **given;
	int n_given;
};

/* Each is a member of struct kernel_names. */
enum { MOST_NAMES = sizeof(struct kernel_names) / sizeof(const char *) };

static bool is_given(const struct naming *n, const char *name)
{
	for (int i = 0; i < n->n_given; i++)
		if (!strcmp(n->given[i], name))
			return true;
	return false;
}

/* A name that neither the program nor an earlier call has. */
static const char *give(struct naming *n, const char *fmt, ...)
	BASE_PRINTF(2, 3);

static const char *give(struct naming *n, const char *fmt, ...)
{
	struct text t = { 0 };
	const char *name;
	va_list args;

	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	name = fresh_name(n->mem, n->prog, "%s", t.bytes);
	while (is_given(n, name)) {
		text_puts(&t, "_");
		name = fresh_name(n->mem, n->prog, "%s", t.bytes);
	}
	text_free(&t);
	n->given[n->n_given++] = name;
	return name;
}

static bool is_let(const struct program *prog, const char *name)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (const struct local *l = prog->stmt[i]->locals; l;
		     l = l->next)
			if (!strcmp(l->name, name))
				return true;
	return false;
}

/* Iterators have the names that the first statement with the dimension gives,
 * unless another dimension or a let of another statement has that name.
 */
static const char *dim_name(struct naming *n, int dim)
{
	const struct program *prog = n->prog;
	const char *name = NULL;

	for (int i = 0; i < prog->n_stmts && !name; i++)
		if (dim < prog->stmt[i]->n_dims)
			name = prog->stmt[i]->iterator[dim];
	if (!name || is_let(prog, name) || is_given(n, name))
		return give(n, "%s", name ? name : "x");
	n->given[n->n_given++] = name;
	return name;
}

static int last_dim(const struct program *prog)
{
	int last = 0;

	for (int i = 0; i < prog->n_stmts; i++)
		if (prog->stmt[i]->n_dims > last + 1)
			last = prog->stmt[i]->n_dims - 1;
	return last;
}

const struct kernel_names *kernel_names_new(struct region *r,
	const struct program *prog)
{
	struct kernel_names *n = region_new_of(r, struct kernel_names);
	struct naming g = { .mem = r, .prog = prog,
		.given = region_array(r, const char *, MOST_NAMES) };

	n->mem = r;
	n->prog = prog;
	for (int d = 0; d < IR_MAX_DIMS; d++)
		n->point[d] = dim_name(&g, d);
	n->tt = give(&g, "TT");
	n->tt_first = give(&g, "TT_first");
	n->tt_last = give(&g, "TT_last");
	n->t0 = give(&g, "%s0", prog->timed ? prog->time_name : "t");
	n->step = give(&g, "step");
	n->time = prog->timed ? prog->time_name : give(&g, "t");
	n->memory.copy = give(&g, "copy");
	n->steps = give(&g, "steps");
	n->memory.passes = give(&g, "passes");
	n->version[0] = give(&g, "before");
	n->version[1] = give(&g, "now");
	n->version[2] = give(&g, "next");
	n->phase = give(&g, "phase");
	n->waves.wave = give(&g, "wave");
	n->waves.number = give(&g, "waves");
	n->waves.phi = give(&g, "phi");
	n->waves.phi_first = give(&g, "phi_first");
	n->waves.phi_last = give(&g, "phi_last");
	n->waves.chunks_wanted = give(&g, "chunks_wanted");
	n->waves.phis = give(&g, "phis");
	n->waves.chunk = give(&g, "chunk");
	n->waves.chunk_first = give(&g, "chunk_first");
	n->waves.chunks = give(&g, "chunks");
	n->waves.chunk_tiles = give(&g, "chunk_tiles");
	n->waves.hexagons = give(&g, "hexagons");
	n->memory.place = give(&g, "place");
	n->value = give(&g, "value");
	n->memory.moved = give(&g, "moved");
	n->memory.from = give(&g, "from");
	n->memory.box = give(&g, "box");
	n->strips.iteration = give(&g, "n");
	n->strips.turn = give(&g, "u");
	n->strips.last_iteration = give(&g, "last");
	n->strips.interior = give(&g, "interior");
	n->strips.begins_inside = give(&g, "begins_inside");
	n->strips.goes_on = give(&g, "goes_on");
	n->strips.copied = give(&g, "copied");
	n->lanes.column = give(&g, "c");
	n->lanes.stores = give(&g, "stores");
	n->strips.last_version = give(&g, "last_version");
	n->strips.behind = give(&g, "behind");
	n->lanes.first_column = give(&g, "column");
	n->lanes.row = give(&g, "r");
	n->lanes.first_row = give(&g, "row");
	n->lanes.line = give(&g, "line");
	n->lanes.stored_row = give(&g, "stored_row");
	n->lanes.row_end = give(&g, "stored_row_end");
	n->lanes.stored_column = give(&g, "stored_column");
	n->lanes.column_end = give(&g, "stored_column_end");
	n->lanes.inside = give(&g, "inside");
	n->lanes.touches = give(&g, "touches");
	n->lanes.warp = give(&g, "warp");
	n->lanes.warp_above = give(&g, "warp_above");
	n->lanes.warp_below = give(&g, "warp_below");
	n->lanes.lane_before = give(&g, "lane_before");
	n->lanes.lane_after = give(&g, "lane_after");
	n->strips.arrived = give(&g, "rows_arrived");
	n->strips.parity = give(&g, "parity");
	n->strips.length = give(&g, "length");
	n->strips.warps = give(&g, "warps");
	n->lanes.width = give(&g, "w%d", last_dim(prog));
	n->slabs.slab = give(&g, "slab");
	n->slabs.number = give(&g, "slabs");
	for (int i = 0; i < 3; i++)
		n->lanes.thread[i] = give(&g, "t%c", "xyz"[i]);
	for (int d = 0; d < IR_MAX_DIMS; d++) {
		n->tile[d] = give(&g, "S%d", d);
		n->first[d] = give(&g, "S%d_first", d);
		n->last[d] = give(&g, "S%d_last", d);
		n->origin[d] = give(&g, "%s0", n->point[d]);
		n->local[d] = give(&g, "s%d", d);
		n->cell[d] = give(&g, "c%d", d);
		n->memory.inside[d] = give(&g, "t%s", n->point[d]);
		n->lanes.own[d] = give(&g, "%s_own", n->point[d]);
	}
	return n;
}
