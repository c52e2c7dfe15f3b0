/* What the strategies of hexagons and of skewed rectangles share. */
#ifndef STENCILC_SCHEDULE_HEX_H
#define STENCILC_SCHEDULE_HEX_H

#include "schedule/strategies.h"

/* shape.c: what the models are told --------------------------------------*/

/* What the model needs to know of "scop" for hexagons in dimension "hex", or for
 * skewed rectangles.
 */
struct hex_shape hex_shape_of_scop(const struct scop *scop, int hex,
	bool skewed);
/* What a point of each statement executes, in "q", for the machine and the points
 * of a thread that it says.
 */
void hex_set_citers(struct hex_query *q, const struct scop *scop, int hex);

/* select.c: sizes of hexagonal tiles, by the time model or 3.7 of [CGO] --*/

/* Complete "request", legal so far, for hexagons in the dimension that it names, or
 * for skewed rectangles.  False after a diagnostic.
 */
bool select_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request,
	bool skewed);
/* The "predict" of hexagonal tiling in the dimension that "request" names, and
 * of skewed rectangles.
 */
void select_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *prediction);
void select_predict_skewed(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *prediction);

/* dims.c: the hexagonal dimension ----------------------------------------*/

/* The number i of the size w_i of tiles that "dim" has, and the dimension that
 * w_i is a size of: w0 is that of the hexagons, in dimension "hex", those of
 * the other dimensions follow in order.
 */
int hex_index_of(int dim, int hex);
int hex_dim_of(int index, int hex);
/* The dimension that "request" names, 0 if it names none. */
int hex_named_dim(const struct tile_request *request);
/* Has the program the dimension that "request" names, if it names one?  False
 * after a diagnostic.
 */
bool hex_has_dim(struct diags *d, const struct scop *scop,
	const struct tile_request *request);
/* The same, as strategies have it. */
bool hex_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook);
/* The prediction "p" by "predict", which predicts hexagons in the dimension that
 * its request names: in the one that "request" names, or where it is open in that
 * of the best tile.
 */
typedef void hex_predict_in(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p);
void hex_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	hex_predict_in *predict, struct prediction *p);
/* Let "request" name the dimension that hex_predict takes; 0 if none has a tile.
 * False after a diagnostic: the program has no such dimension.
 */
bool hex_choose_dim(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, hex_predict_in *predict,
	struct tile_request *request);

/* around.c: dimensions that go around ------------------------------------*/

/* The size of each dimension in which a read of a state comes from the other end of
 * the grid, NULL for the others; NULL, or why tiles cannot go around there.
 */
const char *hex_find_around(const struct scop *scop, const struct expr **size);
/* The cone of the dependences if the dimensions with a "size" had no ends, as cells go
 * on from either end to the other.  False if it is not bounded.
 */
bool hex_find_cone(const struct scop *scop, const struct expr *const *size,
	struct cone *cone);

/* threads.c --------------------------------------------------------------*/

/* The threads for "plan", of which scop, steps, n_dims, hex_dim, the hexagon and
 * the widths are known: those of "request", and where it leaves them open those
 * that suit the code.
 */
void hex_threads(struct plan *plan, const struct tile_request *request);

/* place.c ----------------------------------------------------------------*/

/* NULL, or why no tiles in time can serve the program, whatever its dependences;
 * may dimensions go "around"?
 */
const char *hex_serves(const struct scop *scop, bool around);
/* NULL, or why hexagonal tiles that do not go around cannot serve it. */
const char *hex_applies(const struct scop *scop);
/* Has the program the dimensions of the request, and are its sizes not beyond
 * all limits?
 */
bool hex_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r);
/* Is the request possible, with the hexagon in the dimension that it names, for
 * dependences in "cone"?  Sizes left open count as possible.
 */
bool hex_is_legal(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *r);
/* Is no width greater than "most"?  False after a diagnostic. */
bool hex_is_narrow(struct diags *d, const struct tile_request *r, int most);
/* The tiles of "plan", and their shape: "x" in dimension "hex", w[1] .. are the
 * widths in the other dimensions, "skew" is by dimension.
 */
void hex_place(struct plan *plan, const struct hexagon *x, int hex,
	const int *w, const struct rational *skew);
/* A plan of hexagons, or of skewed rectangles, with its threads and boxes. */
struct plan *hex_begin(const struct strategy *strategy,
	const struct scop *scop, const struct tile_request *request,
	bool skewed);
/* The least and the last cell of its boxes along "d"; false if it has none. */
bool hex_box_extent(const struct plan *plan, int d, int *low, int *high);
/* Of skewed rectangles the tiles of a wavefront lie so far apart that none
 * copies what another one writes.
 */
void hex_widen_drift(struct plan *plan);
/* What is full and what is covered; false after a diagnostic. */
bool hex_finish(struct plan *plan, struct diags *d,
	const struct tile_request *request, const struct machine *machine);

#endif
