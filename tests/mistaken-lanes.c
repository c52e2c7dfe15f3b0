/* Mistakes of what lanes of strips compute, and of which cells: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"

/* The ways through an iteration, as they come in the code. */
enum { INTERIOR, SIDE, END };

static bool loops_over_turns(const struct ks *s)
{
	return s->kind == KS_FOR && !strcmp(s->name, "u") &&
		s->unroll && s->child[0]->n_children > 1;
}

/* Those before the first one that stores have a number as their end. */
static bool loops_over_first_iterations(const struct ks *s)
{
	return s->kind == KS_FOR && s->unroll_by == 1 && !strcmp(s->name, "n") &&
		s->x[1]->arg[1]->kind == KX_INT;
}

static bool loops_over_iterations(const struct ks *s)
{
	return s->kind == KS_FOR && s->unroll_by == 1 && !strcmp(s->name, "n") &&
		!loops_over_first_iterations(s);
}

static struct ks *way(struct kfunc *f, int number)
{
	return statement_where(statement_where(f->body, loops_over_iterations, 0),
		loops_over_turns, number);
}

static bool is_shuffle(const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[1]->kind == KX_BUILTIN &&
		(s->x[1]->builtin == B_FROM_LANE_BEFORE ||
		s->x[1]->builtin == B_FROM_LANE_AFTER);
}

static bool is_choice(const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[1]->kind == KX_SELECT &&
		s->x[1]->arg[1]->kind == KX_NAME;
}

static bool is_computed(const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[0]->kind == KX_INDEX &&
		(s->x[1]->kind == KX_BINARY || is_choice(s));
}

/* A number of 16 bits, which registers have as a float. */
static bool is_rounded(const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[1]->kind == KX_CAST &&
		s->x[1]->arg[0]->kind == KX_CAST;
}

static bool has_computed(const struct ks *s)
{
	bool has = is_computed(s);

	for (int i = 0; !has && i < s->n_children; i++)
		has = has_computed(s->child[i]);
	return has;
}

/* if (condition) registers = .. else registers = .. */
static bool is_asked(const struct ks *s)
{
	return s->kind == KS_IF && s->n_children == 2 && !s->full_at &&
		has_computed(s->child[0]);
}

static bool is_take(const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[0]->kind == KX_INDEX &&
		s->x[1]->kind == KX_INDEX && strstr(s->x[1]->name, "_cells");
}

/* for (c ..) registers = other registers */
static bool loops_over_taken_columns(const struct ks *s)
{
	const struct ks *body = s->kind == KS_FOR ? s->child[0] : NULL;

	if (body && body->kind == KS_BLOCK && body->n_children == 1)
		body = body->child[0];
	return body && body->kind == KS_ASSIGN && body->x[0]->kind == KX_INDEX &&
		body->x[1]->kind == KX_INDEX;
}

/* In "s" is nothing. */
static void drop(struct ks *s)
{
	s->kind = KS_BLANK;
	s->n_x = s->n_children = 0;
}

/* "s" is what it does if its condition holds. */
static void drop_condition(struct ks *s)
{
	*s = *s->child[0];
}

/* Index "i" of the register "x", "by" more. */
static void move_register(struct region *mem, const struct kx *x, int i, int by)
{
	((struct kx *) x)->arg[i] = kx_add(mem, x->arg[i], by);
}

/* A loop goes "by" further. */
static void add_to_end(struct region *mem, const struct ks *loop, int by)
{
	struct kx *goes_on = (struct kx *) loop->x[1];

	goes_on->arg[1] = kx_add(mem, goes_on->arg[1], by);
}

/* Turn "by" iterations earlier of a register, of so many that are kept. */
static void change_turn(struct region *mem, const struct kx *x, int by,
	int period)
{
	((struct kx *) x)->arg[1] = kx_binary(mem, OP_MOD, kx_add(mem,
		x->arg[1], period - by), kx_int(mem, period));
}

static int period_of(struct kfunc *f)
{
	return (int) statement_where(f->body, loops_over_iterations, 0)->
		x[2]->ivalue;
}

/* The first register that is read in "x". */
static const struct kx *register_in(const struct kx *x)
{
	const struct kx *found = x->kind == KX_INDEX && x->n_args > 2 ? x :
		NULL;

	for (int i = 0; !found && i < x->n_args; i++)
		found = register_in(x->arg[i]);
	return found;
}

static void change_shuffles(struct region *mem, struct kfunc *f)
{
	if (is_planted("lane-too-far")) {
		const struct ks *s = statement_where(way(f, INTERIOR), is_shuffle, 0);

		((struct kx *) s->x[1])->arg[1] = kx_int(mem, 2);
	}
	if (is_planted("lane-of-other-side"))
		((struct kx *) statement_where(way(f, SIDE), is_shuffle, 0)->x[1])->
			builtin = B_FROM_LANE_AFTER;
	if (is_planted("other-row-fetched"))
		change_turn(mem, statement_where(way(f, END), is_shuffle, 0)->x[1]->
			arg[0], 1, period_of(f));
	if (is_planted("other-column-fetched"))
		move_register(mem, statement_where(way(f, INTERIOR), is_shuffle, 0)->
			x[1]->arg[0], 2, -1);
	if (is_planted("not-fetched"))
		drop(statement_where(way(f, INTERIOR), is_shuffle, 1));
	if (is_planted("not-fetched-at-a-side"))
		drop(statement_where(way(f, SIDE), is_shuffle, 1));
	if (is_planted("not-fetched-at-an-end"))
		drop(statement_where(way(f, END), is_shuffle, 0));
	/* an iteration later, which is in time for the interior alone */
	if (is_planted("fetched-late")) {
		struct ks *s = statement_where(way(f, INTERIOR), is_shuffle, 1);

		change_turn(mem, s->x[0], 1, period_of(f));
		change_turn(mem, s->x[1]->arg[0], 1, period_of(f));
	}
}

static bool copies_ahead(const struct ks *s)
{
	return s->kind == KS_EXPRESSION && s->x[0]->kind == KX_BUILTIN &&
		s->x[0]->builtin == B_COPY_AHEAD;
}

/* Of the iterations before the first one. */
static bool loops_over_first_copies(const struct ks *s)
{
	return s->kind == KS_FOR && !strcmp(s->name, "u") && s->unroll_by == 1 &&
		s->x[0]->kind == KX_INT && s->x[0]->ivalue == 1;
}

static bool waits_for_copies(const struct ks *s)
{
	return s->kind == KS_EXPRESSION && s->x[0]->kind == KX_BUILTIN &&
		s->x[0]->builtin == B_WAIT_FOR_COPIES;
}

/* Rows on their way to shared memory. */
static void change_copies_ahead(struct region *mem, struct kfunc *f)
{
	static const char *const ways[] = {
		[INTERIOR] = "copied-to-another-place",
		[SIDE] = "copied-to-another-place-at-a-side",
		[END] = "copied-to-another-place-at-an-end",
	};

	for (int i = INTERIOR; i <= END; i++)
		if (is_planted(ways[i])) {
			const struct kx *to = statement_where(way(f, i), copies_ahead,
				0)->x[0]->arg[0]->arg[0];

			((struct kx *) to)->arg[2] = kx_binary(mem, OP_MOD,
				kx_add(mem, to->arg[2], 1),
				kx_int(mem, period_of(f)));
		}
	if (is_planted("copies-not-awaited"))
		move_register(mem, statement_where(way(f, INTERIOR), waits_for_copies,
			0)->x[0], 0, 1);
	if (is_planted("too-few-copied-first"))
		statement_where(f->body, loops_over_first_copies, 0)->x[0] =
			kx_int(mem, 2);
}

/* S > first ? S - 1 : last, times the width of a tile */
static struct kx *tile_of_turn(const struct ks *s)
{
	const struct kx *x = s->kind == KS_DECLARE && s->n_x ? s->x[0] : NULL;

	if (x && x->kind == KX_BINARY && x->op == OP_ADD)
		x = x->arg[0];
	return x && x->kind == KX_BINARY && x->op == OP_MUL &&
		x->arg[0]->kind == KX_SELECT ? (struct kx *) x->arg[0] : NULL;
}

static bool has_tile_of_turn(const struct ks *s)
{
	return tile_of_turn(s) != NULL;
}

static bool loops_over_columns(const struct ks *s)
{
	return s->kind == KS_FOR && !strcmp(s->name, "S1");
}

static void change_tiles(struct region *mem, struct kfunc *f)
{
	struct ks *s;

	if (is_planted("first-turn-left-out")) {
		s = statement_where(f->body, loops_over_columns, 0);
		s->x[0] = kx_add(mem, s->x[0], 1);
	}
	if (is_planted("last-turn-left-out"))
		add_to_end(mem, statement_where(f->body, loops_over_columns, 0), -1);
	if (is_planted("last-tile-left-out")) {
		s = statement_where(f->body, has_tile_of_turn, 0);
		tile_of_turn(s)->arg[2] = tile_of_turn(s)->arg[0]->arg[1];
	}
	if (is_planted("tile-taken-twice")) {
		s = statement_where(f->body, has_tile_of_turn, 0);
		tile_of_turn(s)->arg[1] = tile_of_turn(s)->arg[0]->arg[0];
	}
	if (is_planted("tiles-too-narrow")) {
		s = statement_where(f->body, has_tile_of_turn, 0);
		((struct kx *) s->x[0]->arg[0])->arg[1] = kx_add(mem,
			s->x[0]->arg[0]->arg[1], -8);
	}
}

/* S > first ? .. : .., the length of a strip or how much later it begins than tiles would */
static struct kx *of_first(const struct ks *s, const char *name)
{
	const struct kx *x = s->kind == KS_DECLARE && s->n_x &&
		!strcmp(s->name, name) ? s->x[0] : NULL;

	if (x && x->kind == KX_BINARY)
		x = x->arg[1];
	return x && x->kind == KX_SELECT ? (struct kx *) x : NULL;
}

static bool is_length_of_strip(const struct ks *s)
{
	return of_first(s, "length");
}

static bool is_begin_of_strip(const struct ks *s)
{
	return of_first(s, "i0");
}

static void change_first_strip(struct region *mem, struct kfunc *f)
{
	struct kx *x;

	if (is_planted("first-strip-as-short")) {
		x = of_first(statement_where(f->body, is_length_of_strip, 0), "length");
		x->arg[2] = x->arg[1];
	}
	if (is_planted("all-strips-as-long")) {
		x = of_first(statement_where(f->body, is_length_of_strip, 0), "length");
		x->arg[1] = x->arg[2];
	}
	if (is_planted("first-strip-of-another-length")) {
		x = of_first(statement_where(f->body, is_length_of_strip, 0), "length");
		x->arg[2] = kx_add(mem, x->arg[2], 1);
	}
	if (is_planted("strips-in-the-first-one")) {
		x = of_first(statement_where(f->body, is_begin_of_strip, 0), "i0");
		x->arg[1] = kx_add(mem, x->arg[1], -1);
	}
}

/* if (n + u >= 3 * step - 4) */
static bool asks_for_begin_of_step(const struct ks *s)
{
	return s->kind == KS_IF && s->x[0]->kind == KX_BINARY &&
		s->x[0]->op == OP_GE && kx_uses(s->x[0], "step");
}

static bool is_begins_inside(const struct ks *s)
{
	return s->kind == KS_DECLARE && !strcmp(s->name, "begins_inside");
}

/* The iterations before the first one that stores. */
static void change_first_iterations(struct region *mem, struct kfunc *f)
{
	struct ks *s;

	if (is_planted("steps-begin-late")) {
		struct kx *begins = (struct kx *) statement_where(statement_where(f->body,
			loops_over_first_iterations, 0),
			asks_for_begin_of_step, 0)->x[0];

		begins->arg[1] = kx_add(mem, begins->arg[1], 1);
	}
	if (is_planted("begins-inside-everywhere")) {
		s = statement_where(f->body, is_begins_inside, 0);
		s->x[0] = kx_binary(mem, OP_GE, kx_name(mem, "t0"),
			kx_int(mem, 0));
	}
	if (is_planted("first-iterations-too-many")) {
		s = statement_where(f->body, loops_over_iterations, 0);
		((struct kx *) s->x[0])->arg[1] = kx_add(mem,
			s->x[0]->arg[1], period_of(f));
		add_to_end(mem, statement_where(f->body,
			loops_over_first_iterations, 0), period_of(f));
	}
	if (is_planted("first-iterations-twice")) {
		s = statement_where(f->body, loops_over_iterations, 0);
		s->x[0] = s->x[0]->arg[2];
	}
}

static void change_guards(struct kfunc *f)
{
	static const char *const ways[] = {
		[INTERIOR] = "rows-not-asked",
		[SIDE] = "rows-not-asked-at-a-side",
		[END] = "rows-not-asked-at-an-end",
	};

	for (int i = INTERIOR; i <= END; i++)
		if (is_planted(ways[i]))
			drop_condition(statement_where(way(f, i), is_asked, 0));
	if (is_planted("cells-not-asked-at-a-side")) {
		struct ks *s = statement_where(way(f, SIDE), is_choice, 0);

		s->x[1] = s->x[1]->arg[1];
	}
	if (is_planted("cells-not-asked-at-an-end")) {
		struct ks *s = statement_where(way(f, END), is_choice, 0);

		s->x[1] = s->x[1]->arg[1];
	}
	if (is_planted("cells-kept-at-an-end")) {
		struct ks *s = statement_where(way(f, END), is_choice, 0);

		s->x[1] = s->x[1]->arg[2];
	}
}

/* The first call in "x" of a function with "what" in its name. */
static struct kx *call_in(const struct kx *x, const char *what)
{
	struct kx *found = x->kind == KX_CALL && strstr(x->name, what) ?
		(struct kx *) x : NULL;

	for (int i = 0; !found && i < x->n_args; i++)
		found = call_in(x->arg[i], what);
	return found;
}

static struct kx *find_call(const struct ks *s, const char *what)
{
	struct kx *found = NULL;

	for (int i = 0; !found && i < s->n_x; i++)
		found = call_in(s->x[i], what);
	for (int i = 0; !found && i < s->n_children; i++)
		found = find_call(s->child[i], what);
	return found;
}

static struct kx *call(const struct ks *s, const char *what)
{
	struct kx *found = find_call(s, what);

	if (!found)
		exit(99);
	return found;
}

struct kx *find_in(const struct kx *x, bool (*is)(const struct kx *x))
{
	struct kx *found = is(x) ? (struct kx *) x : NULL;

	for (int i = 0; !found && i < x->n_args; i++)
		found = find_in(x->arg[i], is);
	return found;
}

/* The loop before the first plane stored, where no row lies beyond the grid. */
static bool is_before_others(const struct ks *s)
{
	return s->kind == KS_IF && s->x[0]->kind == KX_NAME && !strcmp(s->x[0]->name, "begins_inside");
}

static struct kx *find_of(const struct ks *s, bool (*is)(const struct kx *x))
{
	struct kx *found = NULL;

	if (is_before_others(s))
		return NULL;
	for (int i = 0; !found && i < s->n_x; i++)
		found = find_in(s->x[i], is);
	for (int i = 0; !found && i < s->n_children; i++)
		found = find_of(s->child[i], is);
	return found;
}

/* The first such in what is computed. */
static struct kx *first_with(const struct ks *s,
	bool (*is)(const struct kx *x))
{
	struct kx *found = find_of(s, is);

	if (!found)
		exit(99);
	return found;
}

static bool is_input(const struct kx *x)
{
	return x->kind == KX_CELL && x->field->kind == FIELD_INPUT;
}

static bool is_input_at_nearest(const struct kx *x)
{
	return is_input(x) && x->arg[0]->kind == KX_BUILTIN &&
		x->arg[0]->builtin == B_MIN;
}

static bool is_negation(const struct kx *x)
{
	return x->kind == KX_UNARY && x->op == OP_NEG &&
		x->arg[0]->kind == KX_INDEX;
}

/* at >= 0 ? .. */
static bool asks_for_inside(const struct kx *x)
{
	return x->kind == KX_SELECT && x->arg[0]->kind == KX_BINARY &&
		x->arg[0]->op == OP_GE && kx_is_int(x->arg[0]->arg[1], 0);
}

/* What stands for cells beyond the grid. */
static void change_boundaries(struct region *mem, struct kfunc *f)
{
	struct kx *x;

	if (is_planted("value-of-the-place-before")) {
		x = first_with(f->body, is_input);
		x->arg[0] = kx_max(mem, kx_add(mem, x->arg[0], -1),
			kx_int(mem, 0));
	}
	if (is_planted("value-of-another-place-beyond")) {
		x = first_with(f->body, is_input_at_nearest);
		for (; x; x = find_of(f->body, is_input_at_nearest))
			x->arg[0] = x->arg[0]->arg[0];
	}
	if (is_planted("sign-not-turned")) {
		x = first_with(f->body, is_negation);
		*x = *x->arg[0];
	}
	if (is_planted("asked-for-inside-too-far")) {
		x = (struct kx *) first_with(f->body,
			asks_for_inside)->arg[0];
		x->arg[0] = kx_add(mem, x->arg[0], 1);
	}
}

/* Where points are looked for, and with what their lists are done. */
static void change_lists(struct region *mem, struct kfunc *f)
{
	struct kx *x;

	if (is_planted("plane-not-looked-at")) {
		x = call(f->body, "_quiet");
		x->arg[1] = kx_add(mem, x->arg[1], -1);
	}
	if (is_planted("columns-not-looked-at")) {
		x = call(f->body, "_quiet");
		x->arg[3] = kx_add(mem, x->arg[3], -20);
	}
	if (is_planted("lists-left-out")) {
		x = call(f->body, "_lists");
		*x = *x->arg[0];
	}
	if (is_planted("lists-of-the-next-plane")) {
		x = call(f->body, "_lists");
		x->arg[3] = kx_add(mem, x->arg[3], 1);
	}
	if (is_planted("lists-of-the-next-step")) {
		x = call(f->body, "_lists");
		x->arg[2] = kx_add(mem, x->arg[2], 1);
	}
}

static bool is_kept(const char *name)
{
	return !strncmp(name, "once", 4);
}

/* once0[r] = once0[r + 3] */
static bool moves_kept(const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[0]->kind == KX_INDEX &&
		is_kept(s->x[0]->name) && s->x[1]->kind == KX_INDEX;
}

/* once0[r] = sinf(.. i ..) */
static bool computes_kept(const struct ks *s)
{
	return s->kind == KS_ASSIGN && s->x[0]->kind == KX_INDEX &&
		is_kept(s->x[0]->name) && s->x[1]->kind != KX_INDEX;
}

static bool computes_before_loop(const struct ks *s)
{
	return s->kind == KS_DECLARE && is_kept(s->name);
}

static bool is_place_or_time(const struct kx *x)
{
	return x->kind == KX_NAME && (!strcmp(x->name, "i") ||
		!strcmp(x->name, "j") || !strcmp(x->name, "t"));
}

/* "x", a value, is that of the place, or step, before. */
static void move_back(struct region *mem, const struct kx *x)
{
	struct kx *at = find_in(x, is_place_or_time), *own;

	if (!at)
		exit(99);
	own = kx_name(mem, at->name);
	*at = *kx_add(mem, own, -1);
}

/* What does not change from cell to cell, of language/factors_of_rows. */
static void change_kept(struct region *mem, struct kfunc *f)
{
	enum { OF_STEPS, OF_COLUMNS = 2, OF_ROWS = 6 };
	struct kx *from;

	if (is_planted("kept-of-the-step-before"))
		move_back(mem, statement_where(f->body, computes_kept, OF_STEPS)->
			x[1]);
	if (is_planted("kept-of-the-column-before"))
		move_back(mem, statement_where(f->body, computes_kept, OF_COLUMNS +
			1)->x[1]);
	if (is_planted("kept-of-the-row-before"))
		move_back(mem, statement_where(f->body, computes_kept, OF_ROWS)->
			x[1]);
	if (is_planted("kept-a-row-too-long")) {
		from = (struct kx *) statement_where(f->body, moves_kept, 0)->x[1];
		from->arg[0] = kx_add(mem, from->arg[0], -1);
	}
	if (is_planted("row-before-for-a-row"))
		move_back(mem, statement_where(f->body, computes_before_loop, 0)->
			x[0]);
}

void change_lanes(struct region *mem, struct kfunc *f)
{
	change_kept(mem, f);
	change_lists(mem, f);
	change_boundaries(mem, f);
	change_shuffles(mem, f);
	change_copies_ahead(mem, f);
	change_guards(f);
	change_tiles(mem, f);
	change_first_strip(mem, f);
	change_first_iterations(mem, f);
	if (is_planted("another-period")) {
		struct ks *loop = statement_where(f->body, loops_over_iterations, 0);

		loop->x[2] = kx_add(mem, loop->x[2], 1);
	}
	if (is_planted("older-row-read"))
		change_turn(mem, register_in(statement_where(way(f, INTERIOR),
			is_computed, 0)->x[1]), 1, period_of(f));
	if (is_planted("step-before-read"))
		move_register(mem, register_in(statement_where(way(f, INTERIOR),
			is_computed, 0)->x[1]), 0, 1);
	if (is_planted("number-not-rounded")) {
		struct ks *s = statement_where(way(f, INTERIOR), is_rounded, 0);

		s->x[1] = s->x[1]->arg[0]->arg[0];
	}
	/* what comes of it is replaced by a neighbour's */
	if (is_planted("column-too-many-taken")) {
		struct ks *loop = statement_where(way(f, INTERIOR),
			loops_over_taken_columns, 0);

		add_to_end(mem, loop, 1);
	}
	/* NAME[version][part * lanes + lane] */
	if (is_planted("other-part-taken")) {
		const struct ks *s = statement_where(way(f, SIDE), is_take, 0);
		const struct kx *part = s->x[1]->arg[1]->arg[0];

		((struct kx *) part)->arg[0] = kx_add(mem, part->arg[0], 1);
	}
	if (is_planted("part-begins-late")) {
		const struct ks *s = statement_where(way(f, INTERIOR), is_take, 0);
		const struct kx *at = s->x[1]->arg[1];

		((struct kx *) at)->arg[0] = kx_add(mem, at->arg[0], 1);
	}
	if (is_planted("own-edge-taken")) {
		const struct ks *s = statement_where(way(f, INTERIOR), is_take, 0);
		const struct kx *at = s->x[1]->arg[1];

		((struct kx *) at)->arg[1] = kx_name(mem, "tx");
	}
}
