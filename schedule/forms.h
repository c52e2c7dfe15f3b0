/* What the forms of plans have in common: a row per form, which its wing defines. */
#ifndef STENCILC_SCHEDULE_FORMS_H
#define STENCILC_SCHEDULE_FORMS_H

#include "schedule/strategies.h"

struct form_plans {
	/* --emit=schedule, and --emit=tiles: a drawing. */
	void (*print)(struct text *t, const struct plan *plan);
	void (*draw)(struct text *t, const struct plan *plan);
	bool as_one;		/* the first plan says it for all */
	/* Does a plan copy ahead of the computation, "in_bulk" by whole rows? */
	bool (*copies_ahead)(const struct plan *plan, bool in_bulk);
};

extern const struct form_plans tiles_plans, strips_plans, pipeline_plans;

#endif
