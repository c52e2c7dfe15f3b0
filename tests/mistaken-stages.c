/* Mistakes of the code of fused stages, for GPUs and as C: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"

/* Where the whole tile is asked, full is all of it. */
static bool asks(const struct ks *s)
{
	return s->kind == KS_IF && !s->full_at;
}

static bool ends_with(const char *name, const char *end)
{
	size_t n = name ? strlen(name) : 0, m = strlen(end);

	return n >= m && !strcmp(name + n - m, end);
}

static bool is_in_tile(const struct kx *x)
{
	return x->kind == KX_INDEX && ends_with(x->name, "_tile");
}

static bool is_old_in_registers(const struct kx *x)
{
	return x->kind == KX_INDEX && ends_with(x->name, "_planes") &&
		!kx_is_int(x->arg[0], 0);
}

/* Conditions ---------------------------------------------------------------- */

/* The last "size >= .." in "x", perhaps of a multiple of the size. */
static struct kx *least_size_in(const struct kx *x, const char *size)
{
	struct kx *found = x->kind == KX_BINARY && x->op == OP_GE &&
		kx_uses(x->arg[0], size) ? (struct kx *) x : NULL;

	for (int i = 0; i < x->n_args; i++) {
		struct kx *inner = least_size_in(x->arg[i], size);

		found = inner ? inner : found;
	}
	return found;
}

static struct kx *least_size(const struct ks *s, const char *size)
{
	struct kx *found = asks(s) ? least_size_in(s->x[0], size) : NULL;

	for (int i = 0; i < s->n_children; i++) {
		struct kx *inner = least_size(s->child[i], size);

		found = inner ? inner : found;
	}
	return found;
}

static void let_hold(struct region *mem, struct kx *comparison)
{
	comparison->arg[0] = kx_int(mem, 1);
	comparison->arg[1] = kx_int(mem, 0);
}

/* Loops --------------------------------------------------------------------- */

static bool keeps(const struct ks *s)
{
	bool any = s->kind == KS_ASSIGN && is_in_tile(s->x[0]);

	for (int i = 0; !any && i < s->n_children; i++)
		any = keeps(s->child[i]);
	return any;
}

static bool has_tile_loop(const struct ks *s)
{
	bool any = s->kind == KS_FOR && s->name[0] == 'S';

	for (int i = 0; !any && i < s->n_children; i++)
		any = has_tile_loop(s->child[i]);
	return any;
}

/* The first loop over points, or threads' points, of what the tile keeps. */
static struct ks *first_loop(struct ks *s)
{
	struct ks *found = s->kind == KS_FOR && s->name[0] != 'S' &&
		!has_tile_loop(s) && keeps(s) ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = first_loop(s->child[i]);
	return found;
}

/* What is stored and read --------------------------------------------------- */

/* The last read that "is" it: of a tile that may lie at an end. */
static struct kx *last_read(const struct ks *s,
	bool (*is)(const struct kx *x))
{
	struct kx *found = NULL;

	if (s->kind == KS_ASSIGN || s->kind == KS_DECLARE)
		found = s->n_x ? find_in(s->x[s->n_x - 1], is) : NULL;
	for (int i = s->n_children - 1; !found && i >= 0; i--)
		found = last_read(s->child[i], is);
	return found;
}

static bool is_in_turn(const struct kx *x)
{
	return is_in_tile(x) && x->arg[0]->kind == KX_BINARY &&
		x->arg[0]->op == OP_MOD;
}

static struct ks *full_branch(struct ks *s)
{
	struct ks *found = s->kind == KS_IF && s->full_at ? s->child[0] : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = full_branch(s->child[i]);
	return found;
}

static struct ks *first_store(struct ks *s)
{
	struct ks *found = s->kind == KS_ASSIGN && s->x[0]->field ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = first_store(s->child[i]);
	return found;
}

/* Order ---------------------------------------------------------------------- */

static void find_barriers(struct ks *s, struct ks **first, struct ks **last)
{
	if (s->kind == KS_BARRIER) {
		*first = *first ? *first : s;
		*last = s;
	}
	for (int i = 0; i < s->n_children; i++)
		find_barriers(s->child[i], first, last);
}

static void leave_out_waits(struct ks *s)
{
	if (s->kind == KS_EXPRESSION && s->x[0]->kind == KX_BUILTIN &&
	    s->x[0]->builtin == B_WAIT_FOR_COPIES) {
		s->kind = KS_BLOCK;
		s->n_x = 0;
	}
	for (int i = 0; i < s->n_children; i++)
		leave_out_waits(s->child[i]);
}

static void leave_out_barrier(struct ks *body, bool is_last)
{
	struct ks *first = NULL, *last = NULL;

	find_barriers(body, &first, &last);
	(is_last ? last : first)->kind = KS_BLOCK;
}

/* Exchange the first and the last stage of the first tile. */
static bool exchange_stages(struct ks *s)
{
	struct ks **first = NULL, **last = NULL, *stage;

	for (int i = 0; s->kind == KS_BLOCK && i < s->n_children; i++)
		if (keeps(s->child[i])) {
			first = first ? first : &s->child[i];
			last = &s->child[i];
		}
	if (first != last && !has_tile_loop(s)) {
		stage = *first;
		*first = *last;
		*last = stage;
		return true;
	}
	for (int i = 0; i < s->n_children; i++)
		if (exchange_stages(s->child[i]))
			return true;
	return false;
}

static void add(struct region *mem, const struct kx **x, int64_t n)
{
	*x = kx_add(mem, *x, n);
}

/* (16 - i) * (16 - i) at i = 0 */
static bool is_square_of_16(const struct kx *x)
{
	return kx_is_int(x, 256);
}

static struct kx *first_assigned(const struct ks *s,
	bool (*is)(const struct kx *x))
{
	struct kx *found = NULL;

	for (int i = 0; !found && s->kind == KS_ASSIGN && i < s->n_x; i++)
		found = find_in(s->x[i], is);
	for (int i = 0; !found && i < s->n_children; i++)
		found = first_assigned(s->child[i], is);
	return found;
}

void change_stages(struct region *mem, struct kfunc *f)
{
	static const char *const mistake[] = { "planes-without-input",
		"rows-without-input", "columns-without-input" };
	static const char *const size[] = { "N", "M", "K" };

	for (int d = 0; d < 3; d++)
		if (is_planted(mistake[d]))
			let_hold(mem, least_size(f->body, size[d]));
	if (is_planted("stage-goes-too-far"))
		add(mem, &((struct kx *) first_loop(f->body)->x[1])->arg[1], 1);
	if (is_planted("stage-ends-early"))
		add(mem, &((struct kx *) first_loop(f->body)->x[1])->arg[1],
			-1);
	if (is_planted("stage-reads-beside")) {
		struct kx *x = last_read(f->body, is_in_tile);

		add(mem, &x->arg[x->n_args - 1], -1);
	}
	if (is_planted("plane-out-of-turn")) {
		struct kx *x = (struct kx *) last_read(f->body,
			is_in_turn)->arg[0];

		add(mem, &x->arg[0], 1);
	}
	if (is_planted("plane-too-young"))
		add(mem, &last_read(f->body, is_old_in_registers)->arg[0], -1);
	if (is_planted("first-barrier-left-out"))
		leave_out_barrier(f->body, false);
	if (is_planted("last-barrier-left-out"))
		leave_out_barrier(f->body, true);
	if (is_planted("fused-copies-awaited-late"))
		leave_out_waits(f->body);
	if (is_planted("stage-before-its-input"))
		exchange_stages(f->body);
	if (is_planted("number-at-an-edge-off"))
		first_assigned(f->body, is_square_of_16)->ivalue++;
	if (is_planted("full-tile-leaves-out")) {
		struct ks *s = first_store(full_branch(f->body));

		s->kind = KS_BLOCK;
		s->n_x = 0;
	}
	if (is_planted("full-tile-ends-early"))
		add(mem, &((struct kx *) first_loop(full_branch(
			f->body))->x[1])->arg[1], -1);
}
