/* Tables by the form of plans; each wing defines its rows. */
#ifndef STENCILC_SCHEDULE_FORMS_H
#define STENCILC_SCHEDULE_FORMS_H

#include "schedule/strategies.h"

/* forms.c: plans as text, and how they use options. */
struct form_plans {
	/* --emit=schedule, and --emit=tiles as a drawing. */
	void (*print)(struct text *t, const struct plan *plan);
	void (*draw)(struct text *t, const struct plan *plan);
	bool as_one;		/* the first plan describes all */
	/* Does a plan copy ahead of the computation, "in_bulk" if by whole
	 * rows?
	 */
	bool (*copies_ahead)(const struct plan *plan, bool in_bulk);
};

extern const struct form_plans tiles_plans, strips_plans, pipeline_plans,
	one_grid_plans;

/* memory.c: what tiles keep and write. */
struct form_memory {
	/* See schedule.h.  NULL: states that are read, if tiles share anything. */
	bool (*is_shared)(const struct plan *plan, const struct field *field);
	/* The only version of a state that a tile knows; NULL: it knows all. */
	int (*version)(const struct plan *plan, const struct field *field);
	/* See schedule.h.  NULL: it writes all that it computes. */
	bool (*writes)(const struct plan *plan, const struct field *field);
	bool (*is_swept)(const struct plan *plan);	/* NULL: never */
	/* Statement "i" as full tiles compute it; NULL: as it is. */
	const struct scop_stmt *(*far)(const struct plan *plan, int i);
	bool boxes_in_grid;	/* the box of any field, where a tile is full */
	bool stores_all;	/* cells that outlive a launch, computed or not */
};

extern const struct form_memory groups_memory, strips_memory;
const struct form_memory *form_memory(const struct plan *plan);
/* Does a tile know the version that "acc" touches? */
bool plan_knows(const struct plan *plan, const struct access *acc);

#endif
