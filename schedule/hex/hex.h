/* What the strategies of hexagons and of skewed rectangles share. */
#ifndef STENCILC_SCHEDULE_HEX_H
#define STENCILC_SCHEDULE_HEX_H

#include "schedule/strategies.h"

/* shape.c: input for the models ------------------------------------------ */

/* What the model needs to know of "scop" for hexagons in dimension "hex", or for skewed
 * rectangles.
 */
struct hex_shape hex_shape_of_scop(const struct scop *scop, int hex,
	bool skewed);
/* The instructions for a point of each statement, in "q", for the machine and points of a
 * thread given there.
 */
void hex_set_citers(struct hex_query *q, const struct scop *scop, int hex);

/* select.c: sizes of hexagonal tiles, by the time model or 3.7 of [CGO] --*/

/* Complete "request", legal so far, for hexagons in the dimension that it names, or for skewed
 * rectangles.  False after a diagnostic.
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

/* The number i of the size w_i of tiles in "dim", and the dimension to which
 * w_i belongs: w0 is that of the hexagons, in dimension "hex", the others
 * follow in order.
 */
int hex_index_of(int dim, int hex);
int hex_dim_of(int index, int hex);
/* The dimension that "request" names, 0 if it names none. */
int hex_named_dim(const struct tile_request *request);
/* Does the program have the dimension that "request" names, if it names one?
 * False after a diagnostic.
 */
bool hex_has_dim(struct diags *d, const struct scop *scop,
	const struct tile_request *request);
/* The same, in the form for strategies. */
bool hex_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook);
/* The prediction "p" by "predict", which predicts hexagons in the dimension that its request
 * names: the one in "request" or, if that is open, the one with the best tile.
 */
typedef void hex_predict_in(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p);
void hex_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	hex_predict_in *predict, struct prediction *p);
/* Let "request" name the dimension that hex_predict takes; 0 if none has a tile.  False after a
 * diagnostic: the program has no such dimension.
 */
bool hex_choose_dim(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, hex_predict_in *predict,
	struct tile_request *request);

/* around.c: dimensions that go around ------------------------------------*/

/* The size of each dimension in which a read of a state wraps to the other end of the grid,
 * NULL for the others; returns NULL, or why tiles cannot go around there.
 */
const char *hex_find_around(const struct scop *scop, const struct expr **size);
/* The cone of the dependences if dimensions with a "size" had no ends, with cells continuing at
 * the other end.  False if it is not bounded.
 */
bool hex_find_cone(const struct scop *scop, const struct expr *const *size,
	struct cone *cone);

/* threads.c --------------------------------------------------------------*/

/* The threads for "plan", whose scop, steps, n_dims, hex_dim, hexagon and widths are known: the
 * requested ones and, where these are open, those that suit the code.
 */
void hex_threads(struct plan *plan, const struct tile_request *request);

/* place.c ----------------------------------------------------------------*/

/* NULL, or why tiles in time cannot serve the program at all, whatever its dependences; may
 * dimensions go "around"?
 */
const char *hex_serves(const struct scop *scop, bool around);
/* NULL, or why hexagonal tiles that do not go around cannot serve it. */
const char *hex_applies(const struct scop *scop);
/* Does the program have the dimensions of the request, with sizes within all
 * limits?
 */
bool hex_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r);
/* Is the request possible, with the hexagon in the dimension that it names, for
 * dependences in "cone"?  Open sizes count as possible.
 */
bool hex_is_legal(struct diags *d, const struct scop *scop,
	const struct cone *cone, const struct tile_request *r);
/* Is no width greater than "most"?  False after a diagnostic. */
bool hex_is_narrow(struct diags *d, const struct tile_request *r, int most);
/* The tiles of "plan", and their shape: "x" in dimension "hex"; w[1] .. are the
 * widths in the other dimensions, "skew" is by dimension.
 */
void hex_place(struct plan *plan, const struct hexagon *x, int hex,
	const int *w, const struct rational *skew);
/* A plan of hexagons, or of skewed rectangles, with threads and boxes. */
struct plan *hex_begin(const struct strategy *strategy,
	const struct scop *scop, const struct tile_request *request,
	bool skewed);
/* The first and last cells of its boxes along "d"; false if it has none. */
bool hex_box_extent(const struct plan *plan, int d, int *low, int *high);
/* Let the tiles of a wavefront of skewed rectangles lie so far apart that none
 * copies what another one writes.
 */
void hex_widen_drift(struct plan *plan);
/* Fill in full tiles and what tiles cover; false after a diagnostic. */
bool hex_finish(struct plan *plan, struct diags *d,
	const struct tile_request *request, const struct machine *machine);

/* joined.c: statements of one row, those from "first" on ------------------ */

/* The part of the loads of statement "i" that those before it do not make. */
double hex_own_loads(const struct program *prog, int first, int i);
/* Does one of them compute other points of the field that statement "i" computes? */
bool hex_is_other_piece(const struct program *prog, int first, int i);

/* rows.c ------------------------------------------------------------------ */

/* Does it consist of sums, products and quotients in its own type, as vectors compute them, "roots": and
 * of roots?
 */
bool hex_is_of_operations(const struct stmt *s, bool roots);
/* The cells that a row of the grid has beside those that are computed, where no boundary stands in
 * for reads.
 */
int hex_margin(const struct scop *scop);

#endif
