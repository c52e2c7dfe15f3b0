/* Squares of differences of cells, as lengths of gradients have them.  Two points share each one: of
 * rows computed together compilers find it if both have its cells in the same order, and of a row
 *
 *	(A[k - 1] - A[k])^2	lies one lane before	(A[k] - A[k + 1])^2
 *
 * so that it is shifted out of two adjacent vectors of squares.
 */
#include "codegen/hex/rows.h"

static struct region *mem(const struct rows *r)
{
	return r->x->h->mem;
}

static const struct kx *square_of(const struct rows *r, const struct kx *a,
	const struct kx *b)
{
	const struct kx *difference = kx_binary(mem(r), OP_SUB, a, b);

	return kx_binary(mem(r), OP_MUL, difference, difference);
}

/* The difference of two cells whose square "value" is; NULL: it is none. */
static const struct kx *difference_in(const struct kx *value)
{
	const struct kx *a = value->arg ? value->arg[0] : NULL;

	return value->kind == KX_BINARY && value->op == OP_MUL &&
		a->kind == KX_BINARY && a->op == OP_SUB &&
		a->arg[0]->kind == KX_INDEX && a->arg[1]->kind == KX_INDEX &&
		kx_same(a, value->arg[1]) ? a : NULL;
}

const struct kx *rows_square_in_order(const struct rows *r,
	const struct kx *value)
{
	const struct kx *a = difference_in(value);
	const struct line *first, *second;

	if (r->n < 2 || !a)
		return NULL;
	first = rows_line_of(r, a->arg[0]);
	second = rows_line_of(r, a->arg[1]);
	return first && second && first > second ? square_of(r, a->arg[1],
		a->arg[0]) : NULL;
}

/* The line of two neighbours whose squared difference "value" is, and the place of the left one;
 * NULL: of others.
 */
static struct line *line_of_neighbours(const struct rows *r,
	const struct kx *value, int *left)
{
	const struct kx *a = difference_in(value);
	struct line *line;
	int places[2];

	if (!a)
		return NULL;
	line = rows_line_of(r, a->arg[0]);
	if (!line || line != rows_line_of(r, a->arg[1]))
		return NULL;
	for (int i = 0; i < 2; i++)
		places[i] = rows_place(r->x, a->arg[i]);
	*left = places[0] < places[1] ? places[0] : places[1];
	return places[0] + places[1] == 2 * *left + 1 ? line : NULL;
}

/* How many squares of "value" are those of cells "left" and left + 1 of "line". */
static int count_squares(const struct rows *r, const struct kx *value,
	const struct line *line, int left)
{
	int at, n = 0;

	if (line_of_neighbours(r, value, &at) == line && at == left)
		return 1;
	for (int i = 0; i < value->n_args; i++)
		n += count_squares(r, value->arg[i], line, left);
	return n;
}

/* How often the rows read the cells to the left of those at k. */
static int reads_to_the_left(const struct rows *r, const struct line *line)
{
	int n = 0;

	for (int i = 0; i < r->n_beside; i++)
		n += rows_line_of(r, r->beside[i]) == line &&
			rows_place(r->x, r->beside[i]) < 0;
	return n;
}

void rows_join_squares(struct rows *r, const struct kx *part)
{
	for (int i = 0; i < r->n_lines; i++) {
		struct line *line = &r->line[i];
		int left = 0, right = 0;

		for (int row = 0; row < r->n; row++) {
			const struct kx *value = rows_value(r->x, part, row);

			left += count_squares(r, value, line, -1);
			right += count_squares(r, value, line, 0);
		}
		line->joined = line->shifted && left > 0 && right > 0;
		/* a square reads each of its cells twice */
		line->left_by_square = line->joined &&
			reads_to_the_left(r, line) == 2 * left;
	}
}

static const char *square_name(const struct rows *r, const struct line *line)
{
	return fresh_name(mem(r), r->x->h->prog, "%s_square", line->name);
}

static const char *before_name(const struct rows *r, const struct line *line)
{
	return fresh_name(mem(r), r->x->h->prog, "%s_square_before", line->name);
}

/* .. which are loaded where lanes are not shifted */
static const struct kx *square_to_the_left(const struct rows *r,
	const struct line *line)
{
	const struct kx *k = rows_place_at_hand(r);
	const struct kx *left = rows_builtin(r, kx_builtin(mem(r), B_LOAD_LANES,
		1, rows_address(r, line, k, -1)));
	const struct kx *otherwise = square_of(r, left, kx_name(mem(r),
		line->name));

	return rows_builtin(r, kx_builtin(mem(r), B_SHIFTED_LANES, 3,
		kx_name(mem(r), before_name(r, line)), kx_name(mem(r),
			square_name(r, line)), otherwise));
}

const struct kx *rows_joined_square(const struct rows *r, const struct kx *value)
{
	int left;
	const struct line *line = line_of_neighbours(r, value, &left);

	if (r->alone || !line || !line->joined || left < -1 || left > 0)
		return NULL;
	return left < 0 ? square_to_the_left(r, line) : kx_name(mem(r),
		square_name(r, line));
}

/* A vector whose last lane is the cell "by" cells away from that at "k". */
static const struct kx *last_lane(const struct rows *r, const struct line *line,
	const struct kx *k, int by)
{
	return rows_builtin(r, kx_builtin(mem(r), B_LAST_LANES, 2,
		rows_address(r, line, k, by + 1), kx_int(mem(r), 1)));
}

void rows_declare_first_squares(const struct rows *r, struct ks *block)
{
	const struct kx *first = kx_name(mem(r), rows_name(r->x, "%s_lines"));

	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		if (line->joined)
			rows_declare(r, block, false, before_name(r, line),
				square_of(r, last_lane(r, line, first, -1),
					last_lane(r, line, first, 0)));
	}
}

void rows_declare_squares(const struct rows *r, struct ks *block)
{
	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		if (line->joined)
			rows_declare(r, block, true, square_name(r, line),
				square_of(r, kx_name(mem(r), line->name),
					rows_neighbour(r, line, 1)));
	}
}

void rows_move_squares(const struct rows *r, struct ks *block)
{
	for (int i = 0; i < r->n_lines; i++) {
		const struct line *line = &r->line[i];

		if (line->joined)
			ks_add(mem(r), block, ks_assign(mem(r), kx_name(mem(r),
				before_name(r, line)), kx_name(mem(r),
				square_name(r, line))));
	}
}
