/* Code for each form of plan; each wing defines its row. */
#ifndef STENCILC_CODEGEN_FORMS_H
#define STENCILC_CODEGEN_FORMS_H

#include "codegen/place.h"

struct host;
struct cpu_run;

/* The kernels, and the device memory that they work in. */
struct form_code {
	/* Make the tile of a block whose origin is known; where "full" holds it
	 * has no guards.
	 */
	struct ks *(*tile)(struct cursor *c, const struct kx *full);
	/* Declare the shared memory that "user" needs; returns its dynamic
	 * bytes.
	 */
	int64_t (*declare_memory)(const struct place *p, struct ks *block,
		const struct ks *user);
	/* What precedes all tiles of a block that are like "tiles"; or NULL. */
	void (*begin)(const struct place *p, struct ks *block,
		const struct ks *tiles);
	/* Finish the kernel "f" once it is complete; or NULL. */
	void (*finish)(const struct place *p, struct kfunc *f);
	/* The tile for a turn of the block's loop over tiles; NULL: the tile
	 * with that number.
	 */
	const struct kx *(*tile_of_turn)(const struct place *p, int dim);
	/* Is it the turns of "dim" and of the next dimension that tell the tiles of both?  NULL: no. */
	bool (*turns_together)(const struct plan *plan, int dim);
	/* The origin of a warp in the block with origin "o"; NULL: warps have
	 * none.
	 */
	const struct kx *(*within_block)(const struct place *p, int dim,
		const struct kx *o);
	bool outermost_first;	/* blocks start one after the other along the
				 * outermost dimension of a launch, not the
				 * innermost */
	/* Describe the kernel of plan "index", for its comment. */
	void (*describe)(struct text *t, const struct place *p, int index);
	bool overlaps;		/* tiles recompute what they need from others */
	/* How many blocks an SM must have registers for; NULL: the compiler
	 * decides.
	 */
	int (*min_blocks)(const struct plan *plan);
	/* Threads of a warp whose lanes cooperate; NULL: lanes do not. */
	int (*lanes)(const struct plan *plan);
	int least_padded_dims;	/* fields with padded rows */
	bool stores_all;	/* a launch stores all cells of a state */
	/* How many passes a run has, each of which moves a state on by as many copies as it has
	 * versions, whatever the number of its steps; NULL: a step is a pass, which moves it on by
	 * one.
	 */
	const struct kx *(*passes)(const struct host *h);
};

/* By how many copies a pass moves the state "f" on. */
int copies_of_pass(const struct form_code *form, const struct field *f);

extern const struct form_code tiles_code, strips_code, groups_code;

/* All steps as C. */
struct form_run {
	const char *(*describe)(const struct host *h);
	void (*add)(const struct host *h, struct cpu_run *run);
	bool has_two_grids;	/* reads and writes the caller's grid and ours
				 * in turn */
	/* Does the code work in the caller's arrays?  NULL: no. */
	bool (*is_in_place)(const struct plan *plan);
	/* The extent of our own copy of a state in dimension "d"; NULL: as the caller's. */
	const struct kx *(*extent)(const struct host *h, const struct field *f,
		int d);
	/* May it go from a cell to the same cell of the next plane?  NULL: no. */
	bool (*may_walk_planes)(const struct plan *plan);
};

extern const struct form_run tiles_run, groups_run, pipeline_run, one_grid_run;
/* forms.c: the rows. */
const struct form_code *form_code(enum form form);
const struct form_run *form_run(enum form form);

/* tiles/tile.c: tiles that a block's threads execute row by row. */
struct ks *tile_of_block(struct cursor *c, const struct kx *full);
int64_t tile_declare_memory(const struct place *p, struct ks *block,
	const struct ks *user);

#endif
