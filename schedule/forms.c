/* Plans as text, and what they say of options: a row per form. */
#include "schedule/forms.h"

/* Groups of stages are printed as the tiles that they have. */
static const struct form_plans *const forms[] = {
	[FORM_TILES] = &tiles_plans,
	[FORM_STRIPS] = &strips_plans,
	[FORM_GROUPS] = &tiles_plans,
	[FORM_PIPELINE] = &pipeline_plans,
	[FORM_ONE_GRID] = &one_grid_plans,
};

void schedule_print(struct text *t, const struct plan *plans, int n)
{
	for (int i = 0; i < n; i++)
		if (i == 0 || !forms[plans[i].form]->as_one)
			forms[plans[i].form]->print(t, &plans[i]);
}

void tiles_print(struct text *t, const struct plan *plan)
{
	forms[plan->form]->draw(t, plan);
}

bool plan_copies_ahead(const struct plan *plan, bool in_bulk)
{
	const struct form_plans *form = forms[plan->form];

	return form->copies_ahead && form->copies_ahead(plan, in_bulk);
}
