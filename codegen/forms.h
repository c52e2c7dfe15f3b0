/* The code of plans of each form: a row per form, which its wing defines. */
#ifndef STENCILC_CODEGEN_FORMS_H
#define STENCILC_CODEGEN_FORMS_H

#include "codegen/place.h"

struct host;
struct cpu_run;

/* Kernels, and the memory on the device that they work in. */
struct form_code {
	/* The tile of a block, its origins known; where "full" holds it has no
	 * guards.
	 */
	struct ks *(*tile)(struct cursor *c, const struct kx *full);
	/* Declare the shared memory of "user"; the bytes of it that are dynamic. */
	int64_t (*declare_memory)(const struct place *p, struct ks *block,
		const struct ks *user);
	/* What comes before all tiles of a block, which are like "tiles"; or NULL */
	void (*begin)(const struct place *p, struct ks *block,
		const struct ks *tiles);
	/* What is done to the kernel "f" when all of it is there; or NULL */
	void (*finish)(const struct place *p, struct kfunc *f);
	/* The tile of a block's turn in a loop over tiles; NULL: that of its
	 * number.
	 */
	const struct kx *(*tile_of_turn)(const struct place *p, int dim);
	/* The origin of a warp of the block with origin "o"; NULL: it has none. */
	const struct kx *(*within_block)(const struct place *p, int dim,
		const struct kx *o);
	bool outermost_first;	/* of a launch, blocks along the outermost
				 * dimension start one after the other, not
				 * along the innermost */
	/* What the kernel of plan "index" does, for its comment. */
	void (*describe)(struct text *t, const struct place *p, int index);
	bool overlaps;		/* tiles compute again what they need */
	/* Blocks that an SM shall have registers for; NULL: as many as the compiler
	 * likes.
	 */
	int (*min_blocks)(const struct plan *plan);
	/* Threads of a warp, whose lanes work together; NULL: they do not. */
	int (*lanes)(const struct plan *plan);
	int least_padded_dims;	/* of fields whose rows are padded */
	bool stores_all;	/* a launch stores all cells of a state */
	/* The version that the copies of "f" count as the last; NULL: the step. */
	const struct kx *(*last_version)(const struct host *h,
		const struct field *f);
};

extern const struct form_code tiles_code, strips_code, groups_code;

/* Runs of all steps as C. */
struct form_run {
	const char *(*describe)(const struct host *h);
	void (*add)(const struct host *h, struct cpu_run *run);
	bool has_two_grids;	/* the caller's and ours, read and written in
				 * turn */
	/* Are the caller's arrays worked in?  NULL: no. */
	bool (*is_in_place)(const struct plan *plan);
	/* May it go from a cell to the same one of the next plane?  NULL: no. */
	bool (*may_walk_planes)(const struct plan *plan);
};

extern const struct form_run tiles_run, groups_run, pipeline_run;
/* forms.c: the rows. */
const struct form_code *form_code(enum form form);
const struct form_run *form_run(enum form form);

/* tiles/tile.c: tiles that the threads of a block execute row by row. */
struct ks *tile_of_block(struct cursor *c, const struct kx *full);
int64_t tile_declare_memory(const struct place *p, struct ks *block,
	const struct ks *user);

#endif
