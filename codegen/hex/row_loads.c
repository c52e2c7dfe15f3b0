/* What rows of vectors load, and where its vectors come from. */
#include "codegen/hex/rows.h"

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

static const char *named(const struct rows *r, const char *form,
	const struct line *line)
{
	return fresh_name(mem(r), r->x->h->prog, form, line->name);
}

const struct kx *rows_lanes(const struct rows *r)
{
	return kx_name(mem(r), fresh_name(mem(r), r->x->h->prog, "lanes"));
}

const struct kx *rows_place_at_hand(const struct rows *r)
{
	const struct kx *k = kx_name(mem(r), rows_innermost(r->x));

	if (r->behind)
		return kx_binary(mem(r), OP_SUB, k, rows_lanes(r));
	return r->half == 0 ? k : kx_binary(mem(r), OP_ADD, k, rows_lanes(r));
}

const struct kx *rows_address(const struct rows *r, const struct line *line,
	const struct kx *k, int by)
{
	const struct cpu_hex *x = r->x;

	return kx_address(mem(r), vector_moved(mem(r), line->at, rows_innermost(x),
		k, by - rows_place(x, line->at)));
}

/* .. where k is the vector's at hand */
static const struct kx *address_beside(const struct rows *r,
	const struct line *line, int by)
{
	return rows_address(r, line, rows_place_at_hand(r), by);
}

/* The name of the cells "by" cells away from those at k, where they are loaded once. */
static const char *name_beside(const struct rows *r, const struct line *line,
	int by)
{
	return by == 0 ? line->name : fresh_name(mem(r), r->x->h->prog,
		by < 0 ? "%s_left%d" : "%s_right%d", line->name, by < 0 ? -by : by);
}

const struct kx *rows_neighbour(const struct rows *r, const struct line *line,
	int by)
{
	const struct kx *at = address_beside(r, line, by);
	const struct kx *here = kx_name(mem(r), line->name);

	if (by > 0 && line->loads_right)
		return kx_name(mem(r), name_beside(r, line, by));
	return by < 0 ? rows_builtin(r, kx_builtin(mem(r), B_LEFT_LANES, 4,
			kx_int(mem(r), -by), kx_name(mem(r), named(r,
				"%s_before", line)), here, at)) :
		rows_builtin(r, kx_builtin(mem(r), B_RIGHT_LANES, 4,
			kx_int(mem(r), by), here, kx_name(mem(r), named(r,
				"%s_after", line)), at));
}

const struct kx *rows_cell(const struct rows *r, const struct kx *cell)
{
	const struct line *line = rows_line_of(r, cell);
	int by = rows_place(r->x, cell);

	if (r->by_lines && !r->alone)
		return rows_cell_of_line(r, line, by);
	if (r->behind && line->behind && by == 0)
		return kx_name(mem(r), named(r, "%s_before", line));
	if (r->by_sums && !r->alone && (by != 0 || !line->kept[1]))
		return rows_builtin(r, kx_builtin(mem(r), B_LOAD_LANES, 1,
			address_beside(r, line, by)));
	if (!r->alone && (r->keeps || (line->name && by == 0)))
		return kx_name(mem(r), name_beside(r, line, by));
	if (by != 0 && !r->alone && (line->shifted || (by > 0 &&
	    line->loads_right)))
		return rows_neighbour(r, line, by);
	return rows_builtin(r, kx_builtin(mem(r), B_LOAD_LANES, 1,
		address_beside(r, line, by)));
}

/* The cells from k = "k" on. */
static const struct kx *lanes_from(const struct rows *r,
	const struct line *line, const struct kx *k)
{
	return rows_builtin(r, kx_builtin(mem(r), B_LOAD_LANES, 1, rows_address(r,
		line, k, 0)));
}

void rows_declare(const struct rows *r, struct ks *block, bool is_const,
	const char *name, const struct kx *value)
{
	struct ctype type = vector_type_of(r->x);

	type.is_const = is_const;
	ks_add(mem(r), block, ks_declare(mem(r), type, name, value));
}

/* Are its cells to the left shifted out of the vector before? */
static bool shifts_left(const struct line *line)
{
	return line->low < 0 && !line->left_by_square;
}

void rows_declare_first(const struct rows *r, struct ks *block)
{
	const struct kx *first = kx_name(mem(r), rows_name(r->x, "%s_lines"));

	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		if (!line->shifted)
			continue;
		if (line->behind && !shifts_left(line))
			rows_declare(r, block, false, named(r, "%s_before",
				line), NULL);
		if (shifts_left(line))
			rows_declare(r, block, false, named(r, "%s_before",
				line), rows_builtin(r, kx_builtin(mem(r),
					B_LAST_LANES, 2, rows_address(r, line,
						first, 0), kx_int(mem(r),
						-line->low))));
		if (line->high > 0)
			rows_declare(r, block, false, line->name, lanes_from(r,
				line, first));
	}
}

/* Is it the place of an earlier one of the cells beside the point? */
static bool is_loaded(const struct rows *r, int n, const struct line *line,
	int by)
{
	for (int i = 0; i < n; i++)
		if (rows_line_of(r, r->beside[i]) == line &&
		    rows_place(r->x, r->beside[i]) == by)
			return true;
	return false;
}

/* Declare the neighbours to the right that are loaded. */
static void declare_right(const struct rows *r, struct ks *block)
{
	for (int i = 0; i < r->n_beside; i++) {
		const struct line *line = rows_line_of(r, r->beside[i]);
		int by = rows_place(r->x, r->beside[i]);

		if (by > 0 && line->loads_right &&
		    !is_loaded(r, i, line, by))
			rows_declare(r, block, true, name_beside(r, line, by),
				rows_builtin(r, kx_builtin(mem(r),
					B_BESIDE_LANES, 1, address_beside(r,
						line, by))));
	}
}

static const struct kx *kept(const struct rows *r, const struct line *line, int by)
{
	return rows_builtin(r, kx_builtin(mem(r), B_KEEP_LANES, 1,
		address_beside(r, line, by)));
}

void rows_declare_loads(const struct rows *r, struct ks *block)
{
	const struct kx *k = kx_name(mem(r), rows_innermost(r->x));

	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		if (line->shifted && line->high > 0)
			rows_declare(r, block, true, named(r, "%s_after", line),
				lanes_from(r, line, kx_binary(mem(r), OP_ADD, k,
					rows_lanes(r))));
		else if (line->shifted || line->reads > 1)
			rows_declare(r, block, true, line->name, kept(r, line,
				0));
	}
	declare_right(r, block);
}

void rows_add_moves(const struct rows *r, struct ks *block)
{
	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];
		const struct kx *here = line->name ? kx_name(mem(r),
			line->name) : NULL;

		if (!line->shifted)
			continue;
		if (line->behind || shifts_left(line))
			ks_add(mem(r), block, ks_assign(mem(r), kx_name(mem(r),
				named(r, "%s_before", line)), here));
		if (line->high > 0)
			ks_add(mem(r), block, ks_assign(mem(r), here,
				kx_name(mem(r), named(r, "%s_after", line))));
	}
}

/* .. the cells that "value" reads, unless the block has them. */
void rows_declare_kept(const struct rows *r, const struct kx *value,
	struct ks *block)
{
	struct line *line;
	int by;

	for (int i = 0; i < value->n_args && value->kind != KX_INDEX; i++)
		rows_declare_kept(r, value->arg[i], block);
	if (value->kind != KX_INDEX || !vector_varies(r->x, value))
		return;
	line = rows_line_of(r, value);
	by = rows_place(r->x, value);
	if (line->kept[by + 1])
		return;
	line->kept[by + 1] = true;
	rows_declare(r, block, true, name_beside(r, line, by), kept(r, line, by));
}
