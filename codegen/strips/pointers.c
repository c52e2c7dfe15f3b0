/* Strips of register streaming: pointers to what a period loads, and to what it stores.
 *
 * In rows they are declared once, before the iterations, and each period moves them on to the next one.
 * Where registers are scarce each period finds them anew.  That is in planes, where compilers then spread
 * copies better, too (heat3d, float: 699 GStencils/s of the hot loop for 618, simulated).  And it is in
 * rows of doubles of several fields (fdtd2d, redblack: 8 and 40 bytes spill otherwise).
 */
#include "codegen/strips/strips.h"

static bool has_wide_fields(const struct program *prog)
{
	bool wide = false;

	for (int i = 0; i < prog->n_fields; i++)
		wide |= type_size(prog->field[i]->type) > 4;
	return prog->n_fields > 1 && wide;
}

bool strip_keeps_pointers(const struct strip *p)
{
	return p->separated && p->s->dim.stream >= 0 && p->s->dim.row < 0 &&
		!has_wide_fields(program(p));
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

/* Declare "pointer" if "user" uses it; "is_const": the code only loads by it. */
static void declare_pointer(const struct strip *p, struct ks *block,
	const struct ks *user, const struct field *f, bool is_const,
	const char *pointer, const struct kx *at)
{
	if (ks_uses(user, pointer))
		ks_add(p->mem, block, ks_declare(p->mem, ctype_pointer(
			scalar_of(f->type), is_const), pointer, at));
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

/* Pointers to what the period loads of "f", and to what it stores. */
static void declare_pointers_to(const struct strip *p, struct ks *block,
	const struct ks *user, const struct field *f)
{
	const struct stream *s = p->s;
	const int writer = is_state(f) ? strip_writer(p, f) : 0;

	if (!is_state(f))
		declare_pointer(p, block, user, f, true, strip_name(p, f,
			"from"), first_cell(p, f, NULL, 0));
	for (int v = 0; is_state(f) && v < f->depth; v++) {
		declare_pointer(p, block, user, f, true,
			strip_pointer_name(p, f, "from", v), first_cell(p, f,
				strip_copy(p, f, false, integer(p, v)),
				s->ahead.rows - stream_lag(s, -v - 1, writer)));
		declare_pointer(p, block, user, f, false,
			strip_pointer_name(p, f, "to", v), first_cell(p, f,
				strip_copy(p, f, true, integer(p, v)),
				-stream_lag(s, s->b - v - 1, writer)));
	}
}

void strip_declare_pointers(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *pointers = ks_block(p->mem);

		declare_pointers_to(p, pointers, user, f);
		declare_steps(p, block, user, pointers, f);
		ks_add(p->mem, block, pointers);
	}
}

/* The pointers of "f" that "user" uses, a period further. */
static void move_pointers_of(const struct strip *p, struct ks *block,
	const struct ks *user, const struct field *f)
{
	const int n = is_state(f) ? 2 * f->depth : 1;

	for (int i = 0; i < n; i++) {
		const char *pointer = is_state(f) ? strip_pointer_name(p, f,
			i % 2 ? "to" : "from", i / 2) : strip_name(p, f, "from");

		if (ks_uses(user, pointer))
			ks_add(p->mem, block, strip_advance(p, f, pointer,
				p->s->period));
	}
}

void strip_move_pointers(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	for (int i = 0; i < program(p)->n_fields; i++)
		move_pointers_of(p, block, user, program(p)->field[i]);
}
