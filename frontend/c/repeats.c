/* What a call computes again: C computes a scalar once for all statements that use it, as the density of
 * a fluid for its nine directions; in the program each statement has its own loops, and computes it
 * there.  Cores and vectors make up for that, or the loops run as they are.
 */
#include "frontend/c/passes.h"
#include "frontend/c/work.h"

/* Operations, counted once for each scalar. */
struct tally {
	struct region *mem;
	struct counted {
		const struct c_temp *temp;
		struct counted *next;
	} *counted;
	double operations;
};

/* The scalar's value that "t" is, perhaps with choices made. */
static const struct c_temp *original(const struct c_temp *t)
{
	return t->copy_of ? t->copy_of : t;
}

/* Was "t" counted before?  From here on it is. */
static bool is_counted(struct tally *tally, const struct c_temp *t)
{
	struct counted *c = tally->counted;

	while (c && c->temp != original(t))
		c = c->next;
	if (c)
		return true;
	c = region_new_of(tally->mem, struct counted);
	c->temp = original(t);
	c->next = tally->counted;
	tally->counted = c;
	return false;
}

static void count(struct tally *tally, const struct c_expr *e)
{
	if (e->kind == CX_TEMP && !is_counted(tally, e->temp))
		count(tally, e->temp->value);
	tally->operations += operations_of(e);
	for (int i = 0; i < e->n_args; i++)
		count(tally, e->arg[i]);
}

static double operations_alone(const struct stencil *s, const struct c_update *u)
{
	struct tally tally = { .mem = s->mem };

	count(&tally, u->value);
	return tally.operations;
}

/* Does no other statement of the first phase compute more for the field of "u"?  Choices on indices make
 * several statements of one, most of which have few points.
 */
static bool computes_most(const struct stencil *s, const struct c_update *u)
{
	const double own = operations_alone(s, u);
	bool is_before = true;

	if (u->place.phase != s->updates->place.phase)
		return false;
	for (const struct c_update *v = s->updates; v; v = v->next) {
		double other;

		is_before = is_before && v != u;
		if (v == u || v->write->field != u->write->field ||
		    v->place.phase != u->place.phase)
			continue;
		other = operations_alone(s, v);
		if (other > own || (is_before && other >= own))
			return false;
	}
	return true;
}

/* How many operations a call executes for each one of C's. */
static double repeats_of(const struct stencil *s)
{
	struct tally tally = { .mem = s->mem };
	double alone = 0;

	for (const struct c_update *u = s->updates; u; u = u->next)
		if (computes_most(s, u)) {
			count(&tally, u->value);
			alone += operations_alone(s, u);
		}
	return tally.operations > 0 ? alone / tally.operations : 1;
}

/* The bytes of a number in the loops, where these have no vectors as they are about parts of elements;
 * or 0.
 */
static int bytes_of_part(const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->part.of && f->is_written)
			return type_size(c_stored_type(f->decl->type));
	return 0;
}

/* .. in the code of "p", which may compute for several statements at once. */
static double repeats_in(const struct c_program *p)
{
	return repeats_of(p->stencil) / p->shares;
}

bool asks_about_repeats(const struct c_program *p)
{
	/* Tiles and threads make up for less. */
	return !p->stencil->file->on_device && repeats_in(p) > 2;
}

void print_repeats(struct text *t, const struct c_program *p)
{
	const double repeats = repeats_in(p);
	const int bytes = bytes_of_part(p->stencil);

	text_printf(t, bytes ? "STENCILC_REPEATS(%.1f, STENCILC_VECTOR / %d)" :
		"STENCILC_REPEATS(%.1f, 4)", repeats, bytes);
}

void print_repeats_macros(struct text *t)
{
	text_puts(t, "/* A call computes values again in each statement that uses them, so \"times\" "
		"as much as the loops.\n * Do threads make up for that, with vectors of so many \"lanes\"? */\n"
		"#ifdef _OPENMP\n#include <omp.h>\n#define STENCILC_THREADS omp_get_max_threads()\n"
		"#else\n#define STENCILC_THREADS 1\n#endif\n"
		"#ifdef __AVX512F__\n#define STENCILC_VECTOR 64\n#elif defined(__AVX__)\n"
		"#define STENCILC_VECTOR 32\n#else\n#define STENCILC_VECTOR 16\n#endif\n"
		"#define STENCILC_REPEATS(times, lanes) (!STENCILC_LEAST || "
		"3 * (times) <= STENCILC_THREADS * (lanes))\n\n");
}
