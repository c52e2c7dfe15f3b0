/* The code of plans: a row per form. */
#include "codegen/forms.h"

static const struct form_code *const codes[] = {
	[FORM_TILES] = &tiles_code,
	[FORM_STRIPS] = &strips_code,
	[FORM_GROUPS] = &groups_code,
};

const struct form_code *form_code(enum form form)
{
	return codes[form];
}

int copies_of_pass(const struct form_code *form, const struct field *f)
{
	return form->passes ? f->depth : 1;
}

static const struct form_run *const runs[] = {
	[FORM_TILES] = &tiles_run,
	[FORM_GROUPS] = &groups_run,
	[FORM_PIPELINE] = &pipeline_run,
	[FORM_ONE_GRID] = &one_grid_run,
};

const struct form_run *form_run(enum form form)
{
	return runs[form];
}
