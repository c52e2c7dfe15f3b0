/* The time of a grid that ranks share: what each rank computes between exchanges of halos, and
 * what it sends.  The messages are those of runtime/mpi-halos.inc: along one dimension after
 * the other, to both sides at once; while one message travels, the next is gathered, or another
 * one scattered.
 */
#ifndef STENCILC_MODEL_NETWORK_H
#define STENCILC_MODEL_NETWORK_H

#include "base/json.h"
#include "model/machine.h"

enum { NETWORK_DIMS = 3, NETWORK_FIELD_DIMS = 8 };
enum { NETWORK_LOW, NETWORK_HIGH };

/* A field that ranks share.  Dimension d lies along dimension cut[d] of the grid, or along none
 * that is cut: -1.  For h steps a rank needs slope*h + need[copy][k][side] cells of its
 * neighbour, if that is positive.
 */
struct network_field {
	double cell_bytes;
	int copies, n_dims;
	int64_t size[NETWORK_FIELD_DIMS];
	int cut[NETWORK_FIELD_DIMS];
	int (*need)[NETWORK_DIMS][2];
	bool is_input;		/* exchanged once only */
};

struct network_grid {
	int n_dims;		/* that are cut */
	int64_t size[NETWORK_DIMS];
	bool is_around[NETWORK_DIMS];
	int slope[NETWORK_DIMS][2], more[NETWORK_DIMS][2];
	bool narrows;		/* steps compute only what is needed, not the
				 * whole block */
	int64_t steps;		/* of the program */
	double zone_cell_s[NETWORK_DIMS];	/* the time of a cell and step in
				 * zones at sides, which are smaller than blocks */
	int n_fields;
	struct network_field *field;
};

/* How ranks share the grid. */
struct network_shape {
	int64_t count[NETWORK_DIMS];	/* ranks along each dimension */
	int64_t steps;		/* from an exchange to the next */
	int overlaps;		/* in how many of the last turns messages travel
				 * while blocks are computed: those along dimension
				 * 0, then the last one, then the one before.  Halos
				 * are as deep on both sides then, see
				 * runtime/mpi-zones.inc */
};

/* A message, or none. */
struct network_message {
	bool is_there;
	double bytes, rows;	/* contiguous pieces */
};

/* What a rank sends and receives in an exchange. */
struct network_traffic {
	double messages, bytes;	/* sent */
	double received;	/* bytes */
	double rows;		/* in both directions */
	/* By dimension, and the side of the halo that the message fills. */
	struct network_message sent[NETWORK_DIMS][2], got[NETWORK_DIMS][2];
};

struct network_terms {
	const struct machine *machine;
	struct network_shape shape;
	double ranks, own_cells, block_cells, exchanges;
	double zone_cells;	/* of zones at sides, with their halos; 0: none */
	bool narrows;		/* do steps compute only what is needed? */
	double step_cells;	/* cells that a step computes, on average */
	double redundancy;	/* .. for each of the rank's own */
	struct network_traffic halo;	/* of the rank with the most cells and
					 * neighbours */
	double compute_s;	/* of all steps, .. */
	double zones_s;		/* .. of zones at sides */
	double overhead_s, latency_s, transfer_s, copy_s;	/* of all exchanges, .. */
	double hidden_s;	/* .. and how much of it overlaps with other
				 * parts, or .. */
	double behind_s;	/* .. with cells that are computed */
	double call_s;		/* own cells to the block and back */
	double all_messages, all_bytes;	/* of all ranks in all exchanges */
	double predicted_s;
};

/* Do all ranks of "shape" have cells, and halos that reach no further than the next rank? */
bool network_has(const struct network_grid *g, const struct network_shape *shape);
/* The extents of the largest block, with its halos; without those along which it overlaps. */
void network_block(const struct network_grid *g, const struct network_shape *shape,
	int64_t extent[NETWORK_DIMS]);
/* Are there zones along dimension k? */
bool network_has_zones(const struct network_grid *g, const struct network_shape *shape, int k);
/* The extents of one beside another rank, with its halos. */
void network_zone(const struct network_grid *g, const struct network_shape *shape, int k,
	int64_t extent[NETWORK_DIMS]);
/* What the rank at "at" exchanges of inputs, or of the other fields. */
struct network_traffic network_traffic_of(const struct network_grid *g,
	const struct network_shape *shape, const int64_t *at, bool of_inputs);
/* The terms where a cell takes "cell_s" a step on "m"; network_count() adds all_messages and
 * all_bytes.
 */
struct network_terms network_predict(const struct machine *m,
	const struct network_grid *g, const struct network_shape *shape,
	double cell_s);
/* Add up what all ranks send. */
void network_count(struct network_terms *t, const struct network_grid *g);
/* The "most" fastest shapes of "ranks" ranks with the steps of "like", the fastest first, where all cells take
 * as long whatever the shape; how many there are: 0 if no shape gives all ranks cells.
 */
enum { NETWORK_SHAPES = 8 };
int network_choose_shapes(const struct machine *m, const struct network_grid *g,
	int64_t ranks, double cell_s, const struct network_shape *like, int most,
	struct network_shape *shape);
void network_report_text(struct text *t, const struct network_terms *terms);
/* Print members of the open object. */
void network_report_json(struct json *j, const struct network_terms *terms);

#endif
