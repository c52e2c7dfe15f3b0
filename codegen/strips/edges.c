/* Strips of register streaming: what neighbours leave for each other in shared
 * memory.  In three dimensions warps leave their outer rows; where warps are
 * joined, lanes leave their outer cells.
 */
#include "codegen/strips/ahead.h"
#include "codegen/strips/clusters.h"

/* What a lane takes of a field from the neighbour before, or after it. */
struct neighbour {
	const char *array;
	const char *from;	/* the neighbour */
	bool before;
	int n;			/* rows or cells */
	int left, taken;	/* the number of the first one, for the
				 * neighbour that leaves it and the one that
				 * takes it */
};

static bool has_rows(const struct strip *p)
{
	return p->s->dim.row >= 0;
}

static struct neighbour side_of(const struct strip *p, const struct field *f,
	bool before)
{
	const struct kernel_names *names = p->names;
	const struct stream *s = p->s;
	struct neighbour side = {
		.before = before,
		.n = before ? stream_taken_before(s, f) :
			stream_taken_after(s, f),
		.left = (before ? s->exchange.last :
			s->exchange.first)[f->index],
	};

	side.taken = before ? -side.n : has_rows(p) ? s->rows : s->cells;
	if (has_rows(p)) {
		side.array = before ? "last_rows" : "first_rows";
		side.from = before ? names->lanes.warp_above :
			names->lanes.warp_below;
	} else {
		side.array = before ? "last_cells" : "first_cells";
		side.from = before ? names->lanes.lane_before :
			names->lanes.lane_after;
	}
	side.array = strip_name(p, f, side.array);
	return side;
}

static bool has_edges(const struct strip *p, const struct field *f)
{
	return is_state(f) && strip_exchanges(p) &&
		stream_taken_before(p->s, f) + stream_taken_after(p->s, f) > 0;
}

/* How many values move at a time: a lane's row, or as many cells as it takes if
 * a vector has that many.
 */
static int moved_at_a_time(const struct strip *p, const struct neighbour *side)
{
	return has_rows(p) ? p->s->cells :
		side->n & (side->n - 1) ? 1 : side->n;
}

/* The part of shared memory of the iteration "age" iterations ago: a turn is a multiple of their
 * number, or they are two.
 */
static const struct kx *part_of_age(const struct strip *p, int age)
{
	int parts = p->s->exchange.parts;

	if (parts == 1)
		return integer(p, 0);
	if (p->s->period % parts)
		return kx_builtin(p->mem, B_PARITY, 1, kx_add(p->mem,
			op(p, OP_ADD, p->n, p->u), age));
	return parts == p->s->period ? strip_turn_of_age(p, age) : op(p, OP_MOD,
		kx_add(p->mem, p->u, (parts - age % parts) % parts),
		integer(p, parts));
}

/* Part and lane are one index where the part is a constant of the unrolled loop: PTX then has a
 * part's place in the offset of a load, not in an addition of its own.
 */
static bool has_one_index(const struct strip *p)
{
	return !has_rows(p) && p->s->period % p->s->exchange.parts == 0;
}

/* A single cell needs no index. */
static bool numbers(const struct strip *p, const struct neighbour *side)
{
	return has_rows(p) || side->n > 1;
}

/* Row, or cell, "i" of "version" in the place "who" of "array", left there "age" iterations ago. */
static const struct kx *edge(const struct strip *p, const struct field *f,
	const struct neighbour *side, const char *array,
	const struct kx *version, int age, const struct kx *who, int i)
{
	const struct kx *part = part_of_age(p, age), *arg[5];
	int n = 0;

	if (!has_one_index(p))
		arg[n++] = part;
	arg[n++] = kx_add(p->mem, version, f->depth - 1);
	arg[n++] = has_one_index(p) ? op(p, OP_ADD, op(p, OP_MUL, part,
		integer(p, p->s->lanes)), who) : who;
	if (numbers(p, side))
		arg[n++] = integer(p, i);
	if (has_rows(p))
		arg[n++] = op(p, OP_MUL, integer(p, p->s->cells),
			named(p, p->names->lanes.thread[0]));
	return kx_address(p->mem, kx_of_kind(p->mem, KX_INDEX, array, n, arg));
}

/* The registers of row, or cell, "i". */
static const struct kx *own(const struct strip *p, const struct field *f,
	const struct kx *version, int age, int i)
{
	return has_rows(p) ?
		strip_cell(p, f, version, age, integer(p, i), integer(p, 0)) :
		strip_cell(p, f, version, age, p->r, integer(p, i));
}

/* A neighbour leaves values in its own place, from which others take them; in clusters of blocks it
 * leaves them where the one that takes them is, in its place.
 */
static const char *array_left_in(const struct strip *p,
	const struct neighbour *side)
{
	return stream_is_clustered(p->s) ? strip_taken_by(p, side->array,
		side->before) : side->array;
}

static const struct kx *own_place(const struct strip *p)
{
	return named(p, p->names->lanes.thread[has_rows(p)]);
}

static const struct kx *place_left_in(const struct strip *p,
	const struct neighbour *side)
{
	return stream_is_clustered(p->s) ? strip_place_of(p, side->before) :
		own_place(p);
}

static const struct kx *place_taken_from(const struct strip *p,
	const struct neighbour *side)
{
	return stream_is_clustered(p->s) ? own_place(p) : named(p, side->from);
}

static void leave(const struct strip *p, struct ks *block,
	const struct field *f, const struct neighbour *side,
	const struct kx *version)
{
	int n = moved_at_a_time(p, side);

	for (int i = 0; i < side->n; i += has_rows(p) ? 1 : n)
		ks_add(p->mem, block, strip_leave(p, n,
			edge(p, f, side, array_left_in(p, side), version, 0,
				place_left_in(p, side), i),
			own(p, f, version, p->s->exchange.late[f->index],
				side->left + i)));
}

static void take(const struct strip *p, struct ks *block,
	const struct field *f, const struct neighbour *side,
	const struct kx *version)
{
	const struct exchange *x = &p->s->exchange;
	int n = moved_at_a_time(p, side), age = x->late[f->index] + x->behind;

	for (int i = 0; i < side->n; i += has_rows(p) ? 1 : n)
		ks_add(p->mem, block, strip_take(p, n,
			own(p, f, version, age, side->taken + i),
			edge(p, f, side, side->array, version, x->behind,
				place_taken_from(p, side), i)));
}

static void each_side(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version,
	void (*move)(const struct strip *p, struct ks *block,
		const struct field *f, const struct neighbour *side,
		const struct kx *version))
{
	for (int after = 0; after < 2; after++) {
		struct neighbour side = side_of(p, f, !after);

		move(p, block, f, &side, version);
	}
}

void strip_take_edges(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *older = ks_block(p->mem);
		int newest;

		if (!has_edges(p, f))
			continue;
		newest = p->s->exchange.newest[i];
		for (int v = 1 - f->depth; v < newest; v++)
			each_side(p, older, f, integer(p, v), take);
		if (older->n_children)
			ks_add(p->mem, block, ks_if(p->mem, op(p, OP_EQ, p->m,
				integer(p, 0)), older, NULL));
		each_side(p, block, f, kx_add(p->mem, p->m, newest), take);
	}
}

void strip_leave_edges(const struct strip *p, struct ks *block)
{
	const struct exchange *x = &p->s->exchange;
	bool any = false;

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *body = ks_block(p->mem), *loop;

		if (!has_edges(p, f))
			continue;
		each_side(p, body, f, p->m, leave);
		loop = ks_for(p->mem, p->names->step,
			integer(p, 1 - f->depth), op(p, OP_LT, p->m,
				integer(p, x->versions[i] + 1 - f->depth)),
			integer(p, 1), body);
		loop->unroll = true;
		ks_add(p->mem, block, loop);
		any = true;
	}
	if (any && x->barrier)
		ks_add(p->mem, block, stream_is_clustered(p->s) ?
			strip_arrive(p) : ks_simple(p->mem, KS_BARRIER));
}

void strip_leave_first_edges(struct strip *p, struct ks *block)
{
	const struct kx *n = p->n, *u = p->u;

	if (!strip_exchanges(p))
		return;
	p->n = integer(p, p->s->walk.first - p->s->period);
	p->u = integer(p, p->s->period - p->s->exchange.behind);
	strip_leave_edges(p, block);
	p->n = n;
	p->u = u;
}

/* Declare the shared memory of "side" of "f"; returns its bytes. */
static int64_t declare_side(const struct strip *p, struct ks *block,
	const struct field *f, const struct neighbour *side, int64_t offset)
{
	const struct stream *s = p->s;
	bool one = has_one_index(p);
	int n = 0, extent[5];
	enum type type = type_promoted(f->type);
	int64_t bytes = type_size(type);
	struct ks *array;

	if (!one)
		extent[n++] = s->exchange.parts;
	extent[n++] = s->exchange.versions[f->index];
	extent[n++] = has_rows(p) ? s->warps :
		s->lanes * (one ? s->exchange.parts : 1);
	if (numbers(p, side))
		extent[n++] = side->n;
	if (has_rows(p))
		extent[n++] = s->lanes * s->cells;
	array = ks_add(p->mem, block, ks_array(p->mem,
		ctype_of(type), side->array, n, extent, true,
		offset));
	array->is_aligned = true;
	for (int i = 0; i < n; i++)
		bytes *= extent[i];
	return bytes;
}

enum { ALIGNMENT = 128 };	/* of an array, in bytes */

/* Declare the memory for what "user" copies ahead, none if no strip is full;
 * returns its bytes.
 */
static int64_t declare_ahead(const struct strip *p, struct ks *block,
	const struct ks *user, bool dynamic)
{
	int64_t offset = 0;

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *array;

		if (!is_moved(f) || !p->s->ahead.used)
			continue;
		array = strip_ahead_array(p, f, dynamic ? offset : -1);
		if (!ks_uses(user, array->name))
			continue;
		ks_add(p->mem, block, array);
		offset += round_up(stream_ahead_bytes(p->s, f), ALIGNMENT);
	}
	if (p->s->ahead.bulk && ks_uses(user, p->names->strips.arrived))
		strip_declare_arrivals(p, block);
	return offset;
}

/* Does "f" leave cells there?  Then "side" describes them. */
static bool find_side(const struct strip *p, const struct field *f,
	bool before, struct neighbour *side)
{
	if (!has_edges(p, f))
		return false;
	*side = side_of(p, f, before);
	return side->n > 0;
}

bool strip_leaves_edges(const struct strip *p)
{
	bool any = false;

	for (int i = 0; i < program(p)->n_fields; i++)
		any = any || has_edges(p, program(p)->field[i]);
	return any;
}

/* Each of the arrays again, as that of the block that takes what this warp leaves. */
static void declare_far_side(const struct strip *p, struct ks *block,
	const struct field *f, const struct neighbour *side)
{
	struct ks *array;

	declare_side(p, block, f, side, -1);
	array = block->child[block->n_children - 1];
	array->name = array_left_in(p, side);
	array->at = strip_shared_of(p, side->array, side->before);
}

void strip_declare_far_edges(const struct strip *p, struct ks *block)
{
	struct neighbour side;

	for (int i = 0; i < program(p)->n_fields; i++)
		for (int after = 0; after < 2; after++)
			if (find_side(p, program(p)->field[i], !after, &side))
				declare_far_side(p, block,
					program(p)->field[i], &side);
}

int64_t stream_declare_edges(const struct place *place, struct ks *block,
	const struct ks *user)
{
	const struct stream *s = place->plan->strips;
	struct strip p = strip_of(place);
	bool dynamic = stream_shared_bytes(s, place->scop) >
		MOST_STATIC_BYTES;
	int64_t offset = declare_ahead(&p, block, user, dynamic);

	for (int i = 0; i < program(&p)->n_fields; i++)
		for (int after = 0; after < 2; after++) {
			const struct field *f = program(&p)->field[i];
			struct neighbour side;

			if (find_side(&p, f, !after, &side))
				offset += round_up(declare_side(&p, block, f,
					&side, dynamic ? offset : -1),
					ALIGNMENT);
		}
	return dynamic ? offset : 0;
}

/* "A_last_rows[(n + u) % 2][v] are those .." */
static void describe_side(const struct strip *p, struct text *t,
	const struct neighbour *side, int field, bool after)
{
	const struct exchange *x = &p->s->exchange;

	text_printf(t, "%s[%s%s", side->array, has_one_index(p) ? "v][" : "",
		p->s->period % x->parts ? "(n + u)" : "u");
	if (x->parts != p->s->period)
		text_printf(t, " %% %d", x->parts);
	if (has_one_index(p))
		text_printf(t, " * %d + lane]", p->s->lanes);
	else
		text_puts(t, "][v]");
	text_printf(t, stream_is_clustered(p->s) ? " are those that the %s "
		"%s each one left for it in iteration n + u" :
		" are those that each %s left in iteration n + u "
		"for the one %s it", has_rows(p) ? "warp" : "lane",
		after == stream_is_clustered(p->s) ? "after" : "before");
	if (x->late[field])
		text_printf(t, ", where iteration n + u - %d came to",
			x->late[field]);
	text_puts(t, ".\n");
}

void strip_describe_edges(struct text *t, const struct place *place)
{
	struct strip p = strip_of(place);

	for (int i = 0; i < program(&p)->n_fields; i++)
		for (int after = 0; after < 2; after++) {
			struct neighbour side;

			if (find_side(&p, program(&p)->field[i], !after,
				      &side))
				describe_side(&p, t, &side, i, after);
		}
}
