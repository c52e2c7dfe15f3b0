/* Strips of register streaming: pointers to what a period loads, and to what it stores.
 *
 * A period finds them, and each of its iterations moves them on.  In rows of many states they live as
 * long as the strip: a period far from all edges takes over those of the one before, if that was such a
 * period, too.
 *
 *	const float *A_from;
 *	bool goes_on = false;
 *	for (n = ..) {
 *		if (far from all edges) {
 *			if (!goes_on) {
 *				A_from = &A[row][0] + column;
 *				goes_on = true;
 *			}
 *			..
 *		} else {
 *			goes_on = false;
 *			..
 *
 * So no pointer leads out of its array.  Elsewhere (see stream_keeps_pointers) each period declares its own.
 */
#include "codegen/strips/strips.h"

bool strip_keeps_pointers(const struct strip *p)
{
	return p->separated && stream_keeps_pointers(p->s, p->scop);
}

/* The address of the lane's first cell, "ahead" of the position with which the
 * period begins.  At a side of the grid that may be no cell: then from the
 * position's first cell on, which is one.
 */
static const struct kx *first_cell(const struct strip *p,
	const struct field *f, const struct kx *copy, int ahead)
{
	const struct names_of_lanes *names = &p->names->lanes;
	const struct kx *at[IR_MAX_DIMS], *cell, *by;

	for (int d = 0; d < f->n_dims; d++)
		at[d] = d == p->s->dim.stream ?
			kx_add(p->mem, op(p, OP_ADD, named(p,
				p->names->origin[d]), p->n), ahead) :
			p->steady ? integer(p, 0) : named(p,
				d == p->s->dim.lane ? names->first_column :
				names->first_row);
	cell = kx_address(p->mem, global_cell(p->place, f, copy, at));
	if (!p->steady)
		return cell;
	by = named(p, names->first_column);
	if (p->s->dim.row >= 0)
		by = op(p, OP_ADD, op(p, OP_MUL, named(p, names->first_row),
			named(p, strip_pitch_name(p, f))), by);
	return op(p, OP_ADD, cell, by);
}

/* What to say of pointers. */
enum saying { DECLARE_FOUND, DECLARE, FIND };

/* Say it of "pointer" if "user" uses it; "is_const": the code only loads by it. */
static void say(const struct strip *p, struct ks *block, const struct ks *user,
	enum saying what, struct ctype type, const char *pointer,
	const struct kx *at)
{
	if (!ks_uses(user, pointer))
		return;
	ks_add(p->mem, block, what == FIND ? ks_assign(p->mem, named(p,
		pointer), at) : ks_declare(p->mem, type, pointer,
			what == DECLARE ? NULL : at));
}

/* Pointers to what the period loads of "f", and to what it stores. */
static void say_all_of(const struct strip *p, struct ks *block,
	const struct ks *user, enum saying what, const struct field *f)
{
	const struct ctype in = ctype_pointer(scalar_of(f->type), true);
	const struct ctype out = ctype_pointer(scalar_of(f->type), false);
	const struct stream *s = p->s;
	const int writer = is_state(f) ? strip_writer(p, f) : 0;

	if (!is_state(f))
		say(p, block, user, what, in, strip_name(p, f, "from"),
			first_cell(p, f, NULL, 0));
	for (int v = 0; is_state(f) && v < f->depth; v++) {
		say(p, block, user, what, in, strip_pointer_name(p, f, "from",
			v), first_cell(p, f, strip_copy(p, f, false, integer(p,
				v)), s->ahead.rows - stream_lag(s, -v - 1,
					writer)));
		say(p, block, user, what, out, strip_pointer_name(p, f, "to",
			v), first_cell(p, f, strip_copy(p, f, true, integer(p,
				v)), -stream_lag(s, s->b - v - 1, writer)));
	}
}

/* From a row of "f" to the next, and from a position to the next. */
static void declare_steps(const struct strip *p, struct ks *block,
	const struct ks *user, const struct ks *pointers, const struct field *f)
{
	const char *pitch = strip_pitch_name(p, f);
	const char *stride = strip_stride_name(p, f);
	const bool has_stride = p->s->dim.row >= 0 && ks_uses(user, stride);

	if (has_stride || ks_uses(user, pitch) || ks_uses(pointers, pitch))
		ks_add(p->mem, block, ks_declare(p->mem,
			ctype_const(CT_DISTANCE), pitch,
			pitch_of_field(p->place, f)));
	if (has_stride)
		ks_add(p->mem, block, ks_declare(p->mem,
			ctype_const(CT_DISTANCE), stride, op(p, OP_MUL,
				size_of_field(p->place, f, p->s->dim.row),
				named(p, pitch))));
}

static void declare_all(const struct strip *p, struct ks *block,
	const struct ks *user, enum saying what)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *pointers = ks_block(p->mem);

		say_all_of(p, pointers, user, what, f);
		declare_steps(p, block, user, pointers, f);
		ks_add(p->mem, block, pointers);
	}
}

void strip_declare_kept_pointers(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	declare_all(p, block, user, DECLARE);
	ks_add(p->mem, block, ks_declare(p->mem, ctype(CT_BOOL),
		p->names->strips.goes_on, named(p, "false")));
}

static struct ks *set_goes_on(const struct strip *p, const char *value)
{
	return ks_assign(p->mem, named(p, p->names->strips.goes_on), named(p,
		value));
}

void strip_stop_pointers(const struct strip *p, struct ks *block)
{
	ks_add(p->mem, block, set_goes_on(p, "false"));
}

void strip_find_pointers(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	struct ks *found;

	if (!strip_keeps_pointers(p)) {
		declare_all(p, block, user, DECLARE_FOUND);
		return;
	}
	found = p->full ? ks_block(p->mem) : block;
	for (int i = 0; i < program(p)->n_fields; i++)
		say_all_of(p, found, user, FIND, program(p)->field[i]);
	if (!p->full)
		return;
	ks_add(p->mem, found, set_goes_on(p, "true"));
	ks_add(p->mem, block, ks_if(p->mem, kx_unary(p->mem, OP_NOT, named(p,
		p->names->strips.goes_on)), found, NULL));
}
