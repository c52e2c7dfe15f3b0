/* The points of lists, see struct list of ir/listed.h. */
#ifndef STENCILC_SCHEDULE_SCOP_LISTS_H
#define STENCILC_SCHEDULE_SCOP_LISTS_H

#include "schedule/scop/scop.h"

/* How many statements does "list" follow? */
int scop_writers_of_list(const struct scop *scop, const struct list *list);
/* { [t, x] : one of them computes x in step t } */
__isl_give isl_set *scop_points_of_list(const struct scop *scop,
	const struct list *list);
/* { [t, x] : in each step one of them computes x }, for any t; for a list of a block: in a step */
__isl_give isl_set *scop_places_of_list(const struct scop *scop,
	const struct list *list);

#endif
