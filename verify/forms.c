/* Proofs of plans: a row per form. */
#include "verify/checker.h"

static const struct form_proof *const forms[] = {
	[FORM_TILES] = &tiles_proof,
	[FORM_STRIPS] = &strips_proof,
	[FORM_GROUPS] = &groups_proof,
	[FORM_PIPELINE] = &pipeline_proof,
	[FORM_ONE_GRID] = &one_grid_proof,
};

const struct form_proof *form_proof(enum form form)
{
	return forms[form];
}
