/* Mistakes of sweeps in waves: mistaken.h. */
#include "tests/mistaken.h"

#include "ir/rewrite.h"
#include "ir/waves.h"
#include "schedule/schedule.h"

const struct program *__real_program_in_waves(struct region *r,
	struct diags *d, const struct program *p,
	const struct sweep_meetings *meetings);
const struct program *__wrap_program_in_waves(struct region *r,
	struct diags *d, const struct program *p,
	const struct sweep_meetings *meetings);

/* The steps of which nothing that is read is asked. */
static bool forgets(const struct access *a)
{
	return is_planted("waves-ask-nothing") ||
		(is_planted("waves-without-the-step-before") &&
		 a->version == 0) ||
		(is_planted("waves-without-their-step") && a->version == 1);
}

static bool meets(const void *user, const struct stmt *s,
	const struct access *a, const struct stmt *w)
{
	const struct sweep_meetings *real = user;

	return !forgets(a) && real->meets(real->user, s, a, w);
}

static void change_statement(struct stmt *s)
{
	if (is_planted("wave-of-each-remainder"))
		s->n_conditions--;
	if (is_planted("wave-reads-beside"))
		((struct access *) s->read[0])->offset[0]++;
	if (is_planted("wave-runs-on"))
		s->condition[s->n_conditions - 2] =
			s->condition[s->n_conditions - 1];
}

static const struct access *same_access(const struct rewrite *w,
	const struct access *a)
{
	(void) w;
	return a;
}

static const struct expr *wave_before(const struct rewrite *w,
	const struct expr *e)
{
	return expr_binary(w->mem, OP_SUB, e, expr_int(w->mem, 1, e->at), e->at);
}

/* The statement, in the wave behind its own. */
static struct stmt *a_wave_later(struct region *r, const struct stmt *s)
{
	struct rewrite later = { .mem = r, .access = same_access,
		.time = wave_before };

	return stmt_rewrite(&later, s);
}

const struct program *__wrap_program_in_waves(struct region *r,
	struct diags *d, const struct program *p,
	const struct sweep_meetings *meetings)
{
	const struct sweep_meetings mistaken = { meets, meetings };
	const struct program *waves = __real_program_in_waves(r, d, p,
		&mistaken);

	if (waves && waves->waves)
		change_statement(waves->stmt[0]);
	if (waves && waves->waves && is_planted("temp-a-wave-later"))
		((struct program *) waves)->stmt[0] = a_wave_later(r,
			waves->stmt[0]);
	return waves;
}
