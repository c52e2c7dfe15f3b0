/* Code for the points of lists, see struct list of ir.h. */
#ifndef STENCILC_CODEGEN_LISTS_H
#define STENCILC_CODEGEN_LISTS_H

#include "codegen/host/host.h"
#include "codegen/place.h"

/* places.c: the points of a list, of which the number at hand has the user's name. */
struct places {
	const struct host *h;
	const struct list *list;
	const struct stmt *stmt;	/* the first that it follows, and .. */
	const struct listed *listed;	/* .. what is done there */
	struct binding binding;		/* numbers and inputs, no step or point */
};

/* "element" is where inputs are. */
struct places places_of(const struct host *h, const struct list *list,
	enum element element);
/* The name of a point's number. */
const char *list_number(const struct host *h, const struct list *list);
/* const int i = si[p]; .., or, of a "corner" of a place between cells,
 * (int)x[p] + corner % 2; ..
 */
void place_declare(const struct places *p, struct ks *block,
	const struct kx *corner);
/* Is the place none at which the statement computes a point? */
const struct kx *place_is_wrong(const struct places *p);
/* Of a list of a block: is the first cell an own one?  NULL if that is not asked.  Does the statement
 * compute the cell that is declared?
 */
const struct kx *place_is_own(const struct places *p);
const struct kx *place_is_computed(const struct places *p);
/* Has the cell around it that is declared a weight? */
const struct kx *place_has_weight(const struct places *p);

/* static int NAME_sort0(params, si, .., at0, at0_first): fill both; STATUS_PLACE for a place
 * at which no statement computes a point
 */
struct kfunc *list_sort(const struct host *h, const struct list *list);
/* static int NAME_places0(params, si, ..): STATUS_PLACE for such a place, or 0 */
struct kfunc *list_check(const struct host *h, const struct list *list);
/* Points of a list as it is sorted, from number "begin" up to "end" of them; the first index
 * is at hand already, as "in_plane" says, others are declared.
 */
struct entries {
	const struct listed *listed;
	const struct kx *begin, *end;
	bool in_plane;
	struct ks *place;		/* more to declare of a point; or NULL */
	const struct kx *where;		/* those that it holds for; NULL: all */
};

/* How many points of the list lie before plane "x" of the grid, or before its end. */
const struct kx *list_before_plane(const struct host *h,
	const struct list *list, const struct kx *x);
/* What is done at these points, "b" being the binding at one: b->own is its value. */
struct ks *list_points(const struct host *h, const struct entries *e,
	const struct binding *b);
/* What is listed of c->stmt from number "begin" up to "end", at the points of a box, low <= x
 * <= high, of which all have been computed; NULL: of the grid, records shared out to threads.
 */
struct ks *lists_of_box(const struct host *h, const struct cursor *c,
	int begin, int end, const char *const *low, const char *const *high);
/* Those of "points", { S[t, x] }, that "l" records, as far as they are one piece, so that
 * loops go over them alone: (*in_loops)[i] says that they see to condition i.
 */
__isl_give isl_set *recorded_points(const struct host *h,
	const struct listed *l, __isl_take isl_set *points, bool **in_loops);
/* snap[..] = value; of a point of which "b" has the value, where conditions on it hold that loops
 * do not see to; "points" at the steps of which all are recorded.
 */
struct ks *record_of_point(const struct host *h, const struct listed *l,
	const struct binding *b, const bool *in_loops);
struct ks *record_of_step(const struct host *h, const struct listed *l,
	const struct binding *b, struct ks *points);
/* { [x] in "set" : low <= x <= high } */
__isl_give isl_set *points_within(__isl_take isl_set *set,
	const char *const *low, const char *const *high);

/* lists_between.c: are there series of what lies between cells?  Then, when all steps have run,
 * what sums them, in the arrays of a run; the kernel that does.
 */
bool lists_have_sums(const struct program *prog);
struct ks *lists_sums(const struct host *h);
struct kfunc *gpu_sums(const struct host *h);

/* Of the launches of kernels that go over a list. */
enum { LIST_BLOCKS = 32, LIST_THREADS = 128 };

/* lists_gpu.c: the numbers of "list" dealt to the threads of such a launch, and the launch,
 * checked.
 */
struct ks *gpu_loop_over_list(const struct host *h, const struct list *list,
	struct ks *body);
void gpu_launch_of_list(const struct host *h, struct ks *b,
	const struct kfunc *kernel);
/* A kernel NAME_places0 that notes where the points of "list" lie; in a run, what
 * sorting needs declared, and all lists sorted, or h->out with h->status, 0 else.
 */
struct kfunc *gpu_places(const struct host *h, const struct list *list);
void gpu_declare_lists(const struct host *h, struct ks *b);
void gpu_sort_lists(const struct host *h, struct ks *b);

#endif
