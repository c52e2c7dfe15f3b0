/* Rows of strips that arrive before they are needed: in shared memory, or in registers. */
#ifndef STENCILC_CODEGEN_STRIPS_AHEAD_H
#define STENCILC_CODEGEN_STRIPS_AHEAD_H

#include "codegen/strips/strips.h"

/* strips/ahead.c: rows on their way to shared memory ---------------------- */

/* In bulk: load the next positions of all versions that a launch starts with, copied a period
 * ago; start the copies for the iteration a period later in their places.
 */
void strip_load_bulk(const struct strip *p, struct ks *block);
/* By lanes: load the next positions of all versions, copied a period ago. */
void strip_take_group(const struct strip *p, struct ks *block);
/* Copy the lane's cells from "from" on, or the one at "from", to their place. */
struct ks *strip_copy_cells_ahead(const struct strip *p, const struct field *f,
	int behind, const struct kx *from);
struct ks *strip_copy_cell_ahead(const struct strip *p, const struct field *f,
	int behind, const struct kx *from);
/* Wait until the copies for iterations beyond the last have arrived, too: the next strip uses
 * their places, and other blocks then overwrite what they read.
 */
struct ks *strip_end_copies(const struct strip *p);
/* Clear the iteration's places; those beyond the grid stay 0. */
void strip_clear_ahead(const struct strip *p, struct ks *block);
/* Make a group of the copies since the last one. */
struct ks *strip_end_group(const struct strip *p);
/* "A_ahead[..] is .." */
void strip_describe_ahead(struct text *t, const struct place *place);
/* The shared memory of "f" for them, at "offset" in the dynamic one or -1. */
struct ks *strip_ahead_array(const struct strip *p, const struct field *f,
	int64_t offset);
/* &A_ahead[ty][behind][u][r][4*tx + cell] */
const struct kx *strip_ahead_place(const struct strip *p,
	const struct field *f, int behind, int cell);
/* "body" for each iteration of a period. */
struct ks *strip_over_turns(const struct strip *p, struct ks *body);

/* strips/next.c: rows on their way to registers ---------------------------*/

/* Declare the registers for rows of "f", if some are loaded before they are
 * needed.
 */
void strip_declare_next(const struct strip *p, struct ks *block,
	const struct field *f);
/* The register that a load in this iteration fills: strip_cell, or one of these. */
const struct kx *strip_loaded_cell(const struct strip *p,
	const struct field *f, const struct kx *version, const struct kx *row,
	const struct kx *cell);
/* Move the row that this iteration has reached to where strip_cell finds it. */
struct ks *strip_take_next(const struct strip *p, const struct field *f,
	int behind);
/* Load what the first iterations need. */
struct ks *strip_load_first_rows(const struct strip *p);
/* "A_next is .." */
void strip_describe_next(struct text *t, const struct place *place);

/* strips/bulk.c: the same by whole rows -----------------------------------*/

/* Declare the barriers at which rows arrive. */
void strip_declare_arrivals(const struct strip *p, struct ks *block);
/* Begin them, before all strips of a block. */
void strip_begin_arrivals(const struct strip *p, struct ks *block,
	const struct ks *strips);
/* Start the copies for the first iterations, once, where the strip first is full. */
void strip_copy_first_rows(const struct strip *p, struct ks *block);
/* Wait for the copies for this iteration. */
void strip_wait_for_rows(const struct strip *p, struct ks *block);
/* Start the copies for the iteration a period later, once all lanes have loaded
 * what is in their place.
 */
void strip_copy_next_rows(const struct strip *p, struct ks *block);
/* Code for the end of a period. */
struct ks *strip_end_phase(const struct strip *p);

#endif
