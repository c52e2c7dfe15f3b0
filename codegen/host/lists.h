/* Code for the points of lists, see struct list of ir.h. */
#ifndef STENCILC_CODEGEN_LISTS_H
#define STENCILC_CODEGEN_LISTS_H

#include "codegen/host/host.h"
#include "codegen/place.h"

/* places.c: the points of a list; the current number has the user's name. */
struct places {
	const struct host *h;
	const struct list *list;
	const struct stmt *stmt;	/* the first that it follows, and .. */
	const struct listed *listed;	/* .. the things done there */
	struct binding binding;		/* numbers and inputs, without step or
					 * point */
};

/* "element" says where inputs are. */
struct places places_of(const struct host *h, const struct list *list,
	enum element element);
/* The name of a point's number. */
const char *list_number(const struct host *h, const struct list *list);
/* const int i = si[p]; .., or, for a "corner" of a place between cells,
 * (int)x[p] + corner % 2; ..
 */
void place_declare(const struct places *p, struct ks *block,
	const struct kx *corner);
/* Is the place one at which no statement computes a point? */
const struct kx *place_is_wrong(const struct places *p);
/* .. or the declared cell around it, of a place for which this does not hold?  NULL: no. */
const struct kx *corner_is_wrong(const struct places *p);
/* For a list of a block: is the first cell the rank's own?  NULL if that does not matter.  Does
 * the statement compute the declared cell?
 */
const struct kx *place_is_own(const struct places *p);
const struct kx *place_is_computed(const struct places *p);
/* Does the declared cell around the place have a weight? */
const struct kx *place_has_weight(const struct places *p);

/* For kernels over a list. */
struct place list_place(const struct host *h);

/* static int NAME_sort0(params, si, .., at0, at0_first): fill both arrays; STATUS_PLACE for a
 * place at which no statement computes a point
 */
struct kfunc *list_sort(const struct host *h, const struct list *list);
/* static int NAME_places0(params, si, ..): STATUS_PLACE for such a place, or 0 */
struct kfunc *list_check(const struct host *h, const struct list *list);
/* The points of a sorted list, from number "begin" up to "end"; "in_plane" says that the first
 * index is declared already; the others are declared here.
 */
struct entries {
	const struct listed *listed;
	const struct scop_stmt *stmt;	/* whose points they are */
	const struct kx *begin, *end;
	bool in_plane;
	struct ks *place;		/* further declarations for a point; or
					 * NULL */
	const struct kx *where;		/* condition on points to handle; NULL:
					 * all */
};

/* How many points of the list lie before plane "x" of the grid, or before its end. */
const struct kx *list_before_plane(const struct host *h,
	const struct list *list, const struct kx *x);
/* What the list does at these points, where "b" is the binding at one point: b->own is its
 * value.
 */
struct ks *list_points(const struct host *h, const struct entries *e,
	const struct binding *b);
/* Do what the lists of c->stmt say, from number "begin" up to "end", at the points of a box,
 * low <= x <= high, all of them computed; NULL: at the points of the grid, with records shared
 * out to threads.
 */
struct ks *lists_of_box(const struct host *h, const struct cursor *c,
	int begin, int end, const char *const *low, const char *const *high);
/* The points of "points", { S[t, x] }, that "l" records, as far as they form one piece, so that
 * loops run over them alone: (*in_loops)[i] says that the loops ensure condition i.
 */
__isl_give isl_set *recorded_points(const struct host *h,
	const struct listed *l, __isl_take isl_set *points, bool **in_loops);
/* snap[..] = value; for a point whose value "b" has, under the conditions that loops do not
 * ensure; "points" at steps that record all points.
 */
struct ks *record_of_point(const struct host *h, const struct listed *l,
	const struct binding *b, const bool *in_loops);
struct ks *record_of_step(const struct host *h, const struct listed *l,
	const struct binding *b, struct ks *points);
/* { [x] in "set" : low <= x <= high }; NULL: any x */
__isl_give isl_set *points_within(__isl_take isl_set *set,
	const char *const *low, const char *const *high);

/* lists_between.c: do series record what lies between cells?  Then the code that sums them, in
 * the arrays of a run, when all steps have run; its kernel.
 */
bool lists_have_sums(const struct program *prog);
struct ks *lists_sums(const struct host *h);
struct kfunc *gpu_sums(const struct host *h);

/* Parameters of launches of kernels over a list. */
enum { LIST_BLOCKS = 32, LIST_THREADS = 128 };

/* lists_gpu.c: deal the numbers of "list" to the threads of such a launch; the launch, checked. */
struct ks *gpu_loop_over_list(const struct host *h, const struct list *list,
	struct ks *body);
void gpu_launch_of_list(const struct host *h, struct ks *b,
	const struct kfunc *kernel);
/* A kernel NAME_places0 that records where the points of "list" lie; for a run, the
 * declarations that sorting needs, and code that sorts all lists and jumps to h->out with
 * h->status, 0 on success.
 */
struct kfunc *gpu_places(const struct host *h, const struct list *list);
void gpu_declare_lists(const struct host *h, struct ks *b);
void gpu_sort_lists(const struct host *h, struct ks *b);

#endif
