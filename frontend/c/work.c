/* How much a region does, which a call must be worth: it starts threads, or copies arrays to a device
 * and back.
 */
#include "frontend/c/passes.h"
#include "frontend/c/work.h"

/* Operations of a core in the time that a cell takes to a device and back. */
enum { OPERATIONS_OF_COPY = 8 };

/* Statements that a call must execute to be worth one.  A core does so many in a millisecond or less: in
 * that time threads have started and waited for each other, and a device has its commands.
 */
enum { LEAST = 1000000 };

int least_work(void)
{
	return LEAST;
}

/* A product of sums of variables. */
struct product {
	struct poly factor[C_MAX_DIMS + 1];
	int n;
};

/* The iterations of "loop"; those of the dimension of "size" if others around it count in them. */
static struct poly extent(const struct c_loop *loop, const struct poly *size)
{
	struct poly p;

	return loop_extent(loop, &p) && !loop_of(loop, &p) ? p : *size;
}

/* The points of "u": in each dimension those that its loop has. */
static struct product points_of(const struct c_update *u)
{
	struct product points = { .n = 0 };

	for (int d = 0; d < u->write->n_subs; d++) {
		const struct c_loop *loop = loop_of(u->place.loop,
			&u->write->sub[d]);

		if (loop)
			points.factor[points.n++] = extent(loop,
				&u->write->field->size[d]);
	}
	return points;
}

static bool same_product(const struct product *a, const struct product *b)
{
	int i = 0;

	while (i < a->n && i < b->n && poly_equal(&a->factor[i],
	       &b->factor[i]))
		i++;
	return i == a->n && i == b->n;
}

/* The steps that a call executes. */
static struct poly steps_of(const struct stencil *s)
{
	struct poly steps;

	loop_extent(&s->time_range, &steps);
	return s->of_step ? poly_constant(1) : steps;
}

/* Nothing for 1. */
static void print_factor(struct text *t, const struct poly *p)
{
	int64_t value;

	if (!poly_is_constant(p, &value) || value != 1)
		poly_print_factor(t, p);
}

/* How many statements of the first phase have as many points as "u", none before which has. */
static int count_alike(const struct stencil *s, const struct c_update *u)
{
	const struct product points = points_of(u);
	int n = 0;

	for (const struct c_update *v = s->updates; v; v = v->next) {
		const struct product other = points_of(v);

		if (v->place.phase != s->updates->place.phase ||
		    !same_product(&points, &other))
			continue;
		if (!n && v != u)
			return 0;
		n++;
	}
	return n;
}

void print_work(struct text *t, const struct stencil *s)
{
	const struct poly steps = steps_of(s);
	const char *plus = "";

	for (const struct c_update *u = s->updates; u; u = u->next) {
		int n = count_alike(s, u);
		const struct product points = points_of(u);

		if (!n)
			continue;
		text_printf(t, "%s%d.0", plus, n);
		print_factor(t, &steps);
		for (int i = 0; i < points.n; i++)
			print_factor(t, &points.factor[i]);
		plus = " + ";
	}
}

/* .. in numbers; false: it depends on variables. */
static bool constant_work(const struct stencil *s, double *work)
{
	const struct poly steps = steps_of(s);
	int64_t value, n_steps;

	*work = 0;
	if (!poly_is_constant(&steps, &n_steps))
		return false;
	for (const struct c_update *u = s->updates; u; u = u->next) {
		const struct product points = points_of(u);
		double product = n_steps;

		if (u->place.phase != s->updates->place.phase)
			continue;
		for (int i = 0; i < points.n; i++) {
			if (!poly_is_constant(&points.factor[i], &value))
				return false;
			product *= value;
		}
		*work += product;
	}
	return true;
}

int operations_of(const struct c_expr *e)
{
	return e->kind == CX_CALL ? 10 : e->kind == CX_BINARY ||
		e->kind == CX_UNARY || e->kind == CX_SELECT;
}

static int count_operations(const struct c_expr *e)
{
	int n = e->kind == CX_TEMP ? count_operations(e->temp->value) :
		operations_of(e);

	for (int i = 0; i < e->n_args; i++)
		n += count_operations(e->arg[i]);
	return n;
}

bool copies_for_nothing(const struct stencil *s)
{
	const struct poly steps = steps_of(s);
	int64_t n_steps;
	int operations = 0, fields = 0;

	if (!s->file->on_device || !poly_is_constant(&steps, &n_steps) ||
	    n_steps > 1)
		return false;
	for (const struct c_update *u = s->updates; u; u = u->next)
		operations += is_too_long(u->value) ? OPERATIONS_OF_COPY * 64 :
			count_operations(u->value);
	for (const struct c_field *f = s->fields; f; f = f->next)
		fields += !f->local;
	return operations < OPERATIONS_OF_COPY * fields;
}

void warn_of_loops(const struct stencil *s)
{
	double work;

	if (copies_for_nothing(s))
		diag(s->diags, W_C_LOOPS, s->time_loop->at, "a call for one "
			"step would copy its arrays to the device and back, "
			"which takes longer than these loops: they run as "
			"they are");
	else if (constant_work(s, &work) && work < LEAST)
		diag(s->diags, W_C_LOOPS, s->time_loop->at, "these loops "
			"execute some %.0f statements, in less time than a "
			"call takes: they run as they are", work);
	else
		return;
	diag_advice(s->diags, "to call nevertheless, define STENCILC_LEAST as "
		"0 for the compiler of the emitted file");
}
