/* Rows by lines of the cache that have two vectors each:
 *
 *	for (k = k_lines; k <= k_whole; k += 2 * lanes) {
 *		{ the vectors at k of all rows }
 *		{ the vectors at k + lanes }
 *	}
 *
 * Neighbours of a vector that lie in its own line are loaded.  Those in the line before or behind it
 * are shifted out of "joint", which has half of a vector on either side of the line's end.  A load
 * of them would cross it, and takes as long as two others and a half.
 */
#include "codegen/hex/rows.h"

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

static const char *joint_name(const struct rows *r, const struct line *line)
{
	return fresh_name(mem(r), r->x->h->prog, "%s_joint", line->name);
}

/* Does the joint go on from line to line? */
static bool is_carried(const struct line *line)
{
	return line->low < 0 && line->high > 0;
}

/* Does the vector at hand have neighbours in another line? */
static bool has_joint(const struct rows *r, const struct line *line)
{
	return r->half == 0 ? line->low < 0 : line->high > 0;
}

static const struct kx *loaded(const struct rows *r, enum builtin load,
	const struct kx *at)
{
	return rows_builtin(r, kx_builtin(mem(r), load, 1, at));
}

void rows_declare_joints(const struct rows *r, struct ks *block)
{
	const struct kx *first = kx_binary(mem(r), OP_SUB, kx_name(mem(r),
		rows_name(r->x, "%s_lines")), kx_binary(mem(r), OP_DIV,
			rows_lanes(r), kx_int(mem(r), 2)));

	for (int i = 0; i < r->n_lines; i++)
		if (is_carried(&r->line[i]))
			rows_declare(r, block, false, joint_name(r, &r->line[i]),
				loaded(r, B_LOAD_LANES, rows_address(r,
					&r->line[i], first, 0)));
}

/* .. between the vector at hand and the one before or behind it */
static const struct kx *joint(const struct rows *r, const struct line *line)
{
	const struct kx *k = kx_name(mem(r), rows_innermost(r->x));
	const struct kx *here = kx_name(mem(r), line->name), *next =
		loaded(r, B_LOAD_LANES, rows_address(r, line, r->half == 0 ?
			kx_binary(mem(r), OP_SUB, k, rows_lanes(r)) : kx_binary(
				mem(r), OP_ADD, k, kx_binary(mem(r), OP_MUL,
					kx_int(mem(r), 2), rows_lanes(r))), 0));

	return rows_builtin(r, r->half == 0 ? kx_builtin(mem(r), B_JOINT_LANES,
		2, next, here) : kx_builtin(mem(r), B_JOINT_LANES, 2, here,
			next));
}

static void declare_here(const struct rows *r, struct line *line,
	struct ks *block)
{
	if (line->kept[1])
		return;
	line->kept[1] = true;
	rows_declare(r, block, true, line->name, loaded(r, B_KEEP_LANES,
		rows_address(r, line, rows_place_at_hand(r), 0)));
	if (!has_joint(r, line))
		return;
	if (!is_carried(line))
		rows_declare(r, block, true, joint_name(r, line), joint(r,
			line));
	else if (r->half == 1)
		ks_add(mem(r), block, ks_assign(mem(r), kx_name(mem(r),
			joint_name(r, line)), joint(r, line)));
}

const struct kx *rows_cell_of_line(const struct rows *r, const struct line *line,
	int by)
{
	const struct kx *at = rows_address(r, line, rows_place_at_hand(r), by);
	const struct kx *here = kx_name(mem(r), line->name);
	const struct kx *joint = kx_name(mem(r), joint_name(r, line));

	if (by == 0)
		return line->kept[1] ? here : loaded(r, B_LOAD_LANES, at);
	if ((by < 0) != (r->half == 0))
		return loaded(r, B_LOAD_LANES, at);
	return rows_builtin(r, by < 0 ? kx_builtin(mem(r), B_LEFT_OF_JOINT_LANES,
		4, kx_int(mem(r), -by), joint, here, at) : kx_builtin(mem(r),
			B_RIGHT_OF_JOINT_LANES, 4, kx_int(mem(r), by), here,
			joint, at));
}

/* Declare what several operations of "value" use, unless "block" has it. */
static void declare_cells(const struct rows *r, const struct kx *value,
	struct ks *block)
{
	struct line *line;

	for (int i = 0; i < value->n_args && value->kind != KX_INDEX; i++)
		declare_cells(r, value->arg[i], block);
	if (value->kind != KX_INDEX || !vector_varies(r->x, value))
		return;
	line = rows_line_of(r, value);
	if (has_joint(r, line) || (line->reads > 1 && rows_place(r->x, value)
	    == 0))
		declare_here(r, line, block);
}

/* The vectors of all rows at k + half * lanes. */
static struct ks *vectors(struct rows *r, const struct ks *assign, int half)
{
	struct ks *block = ks_scope(mem(r));

	r->half = half;
	for (int i = 0; i < r->n_lines; i++)
		r->line[i].kept[1] = false;
	for (int i = 0; i < r->n; i++) {
		const struct kx *value = rows_value(r->x, assign->x[1], i);

		declare_cells(r, value, block);
		rows_add_store(r, assign, i, rows_vectors(r, value), block);
	}
	return block;
}

void rows_add_line(struct rows *r, const struct ks *assign, struct ks *block)
{
	ks_add(mem(r), block, vectors(r, assign, 0));
	ks_add(mem(r), block, vectors(r, assign, 1));
}
