/* What the files of fuse's model share: fuse/model.c, fuse/machine.c,
 * fuse/slabs.c.
 */
#ifndef STENCILC_SCHEDULE_FUSE_H
#define STENCILC_SCHEDULE_FUSE_H

#include "model/graph/graph.h"
#include "schedule/groups.h"
#include "schedule/strategies.h"

/* fuse/model.c -----------------------------------------------------------*/

/* Levels of variants: the program, the groups of kernels that run slab by slab, and a kernel
 * for each group.
 */
enum { FUSE_SLABS = 2, FUSE_LEVELS = 3 };
extern const char fuse_too_deep[];

void fuse_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p);
bool fuse_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook);
/* The variant "text" of at most "n_levels" levels, with the machine's levels
 * telling where sweeps are possible; NULL, and why.
 */
struct variant *fuse_variant(const struct scop *scop, const struct machine *m,
	int n_levels, const char *text, const char **why);

/* A program, and requirements on its variants. */
struct fusion {
	struct region *mem;
	const struct scop *scop;
	struct graph *graph;	/* of its stages */
	const struct tile_request *request;
	const struct outlook *outlook;
};

/* The tiles of the kernels, innermost dimension first. */
struct tiles {
	int64_t block[GRAPH_MAX_DIMS];
	int64_t sweep;		/* of swept kernels, in the outermost dimension:
				 * its planes */
	int64_t slab;		/* of kernels that share slabs; 0: none do */
};

/* fuse/machine.c: machines, tiles and variants ----------------------------*/

/* Bytes of the widest value that a statement computes. */
int fuse_word_bytes(const struct scop *scop);
/* Open sizes get those of "shape", one of the shapes to try, and 64 planes for a sweep, or what
 * the machine's own levels say.  Without a given length, sweeps are as long as requested
 * blocks.  There are no slabs.
 */
struct tiles fuse_tiles(const struct fusion *f, const int64_t *shape);
/* Points of the statements whose values the caller gets, innermost dimension
 * first.
 */
void fuse_domain(const struct fusion *f, int64_t *domain);
/* The machine for groups with these tiles, with a level for slabs if there are some, and with
 * swept levels if groups may be swept.
 */
struct graph_machine fuse_machine(const struct fusion *f,
	const struct tiles *t);
/* The depth of variants in the model: with a level for slabs if there are some. */
int fuse_levels(const struct machine *m, bool for_cpu);
/* Does "v" have groups that are swept, or groups that are not? */
bool fuse_has_groups(const struct variant *v, bool swept);
/* Are all groups swept, as the machine's levels say?  "v" with all groups
 * swept.
 */
bool fuse_sweeps_all(const struct fusion *f);
struct variant *fuse_swept(struct region *mem, const struct variant *v);
/* The variant asked for, on a machine of "n_levels": without a level for slabs if no kernels
 * share them, however deep it nests.
 */
const struct variant *fuse_asked(const struct fusion *f, int n_levels);
/* Do kernels of "v", a variant for "n_levels", share slabs? */
bool fuse_has_slabs(const struct variant *v, int n_levels);
/* The time of a step of "v" on "m", and whether it fits. */
struct scored fuse_score(const struct fusion *f, const struct graph_machine *m,
	const struct variant *v);

/* The blocks' sizes of "v": where all groups are swept, their length is a sweep's. */
void fuse_set_block(struct tile_request *r, const struct scop *scop,
	const struct variant *v, const struct tiles *t);

/* Of the groups of a variant, the most. */
struct fuse_tile {
	int64_t beyond[GRAPH_MAX_DIMS];	/* points that a block computes or keeps
					 * beyond its own, innermost dimension
					 * first */
	int words;	/* of planes in registers, for a point of each thread */
};

/* fuse/fuse.c: of the variant of "request"; false: it is none. */
bool fuse_beyond(const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, struct fuse_tile *tile);

/* fuse/fit.c: blocks for GPUs -----------------------------------------------*/

/* May sizes of blocks follow from their threads? */
bool fuse_may_fit(const struct fusion *f);
/* In place of candidates of other sizes those of the best of their variants in blocks that fit
 * their threads; false: there are none.
 */
bool fuse_fit(const struct fusion *f, struct fastest *fastest);

/* fuse/slabs.c: kernels that share slabs -----------------------------------*/

/* Set the length of slabs: the requested one, or the best for the requested variant, if its
 * kernels share some.  False if the requested one is not a multiple of "unit" points, whole
 * tiles.  A search with slabs has no sweeps.
 */
bool fuse_set_slab(const struct fusion *f, struct tiles *t, int64_t *unit);
/* Put into "t" the variant "flat", for the "levels" of a machine without slabs, with its
 * kernels sharing the best slabs: its time is that of "flat", scaled by what slabs gain on the
 * machine "with_slabs".
 */
struct scored fuse_share_slabs(const struct fusion *f,
	const struct scored *flat, int levels, struct tiles *t,
	struct graph_machine *with_slabs);

/* slab_order.c -----------------------------------------------------------*/

/* Let the "n" plans run in slabs of "points"; writer[i] is the plan that stores
 * what statement i computes, or NULL.  False after a diagnostic.
 */
bool slab_place(struct diags *d, struct plan *plans, int n, int points,
	const struct plan *const *writer);

#endif
