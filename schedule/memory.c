/* What tiles keep in shared memory, and what they write: a row per form. */
#include "schedule/forms.h"

static const struct form_memory tiles_memory = { 0 };

static const struct form_memory *const forms[] = {
	[FORM_TILES] = &tiles_memory,
	[FORM_STRIPS] = &strips_memory,
	[FORM_GROUPS] = &groups_memory,
	[FORM_PIPELINE] = &tiles_memory,
	[FORM_ONE_GRID] = &tiles_memory,
};

const struct form_memory *form_memory(const struct plan *plan)
{
	return forms[plan->form];
}

bool plan_is_shared(const struct plan *plan, const struct field *field)
{
	if (form_memory(plan)->is_shared)
		return form_memory(plan)->is_shared(plan, field);
	return plan->opt.shared && field->kind == FIELD_STATE &&
		scop_reads(plan->scop, field);
}

const struct field *plan_next_shared(const struct plan *plan,
	const struct field *f)
{
	const struct program *prog = plan->scop->prog;

	for (int i = f ? f->index + 1 : 0; i < prog->n_fields; i++)
		if (plan_is_shared(plan, prog->field[i]))
			return prog->field[i];
	return NULL;
}

int plan_version(const struct plan *plan, const struct field *field)
{
	return form_memory(plan)->version ?
		form_memory(plan)->version(plan, field) : 0;
}

bool plan_knows(const struct plan *plan, const struct access *acc)
{
	return !form_memory(plan)->version || acc->field->kind != FIELD_STATE ||
		acc->version == plan_version(plan, acc->field);
}

bool plan_holds(const struct plan *plan, const struct access *acc)
{
	return plan_is_shared(plan, acc->field) && plan_knows(plan, acc);
}

int plan_copies(const struct plan *plan, const struct field *field)
{
	return form_memory(plan)->version ? 1 :
		plan->scop->field[field->index].buffers;
}

bool plan_writes(const struct plan *plan, const struct field *field)
{
	return !form_memory(plan)->writes ||
		form_memory(plan)->writes(plan, field);
}

bool plan_is_swept(const struct plan *plan)
{
	return form_memory(plan)->is_swept && form_memory(plan)->is_swept(plan);
}
