/* Rows of strips that are loaded before they are needed: to shared memory, or to
 * registers.
 */
#ifndef STENCILC_CODEGEN_STRIPS_AHEAD_H
#define STENCILC_CODEGEN_STRIPS_AHEAD_H

#include "codegen/strips/strips.h"

/* strips/ahead.c: rows on their way to shared memory ----------------------*/

/* In bulk: the next positions of all versions that a launch starts with, copied a
 * period ago; what the iteration a period later loads takes their place.
 */
void strip_load_bulk(const struct strip *p, struct ks *block);
/* By lanes: the next positions of all versions, copied a period ago. */
void strip_take_group(const struct strip *p, struct ks *block);
/* The lane's cells from "from" on, or that at "from", go to their place. */
struct ks *strip_copy_cells_ahead(const struct strip *p, const struct field *f,
	int behind, const struct kx *from);
struct ks *strip_copy_cell_ahead(const struct strip *p, const struct field *f,
	int behind, const struct kx *from);
/* Until the copies for iterations beyond the last are there, too: the next strip has
 * their places, and other blocks write next what they read.
 */
struct ks *strip_end_copies(const struct strip *p);
/* The places of the iteration are 0, which those beyond the grid stay. */
void strip_clear_ahead(const struct strip *p, struct ks *block);
/* What was copied since the last one is a group. */
struct ks *strip_end_group(const struct strip *p);
/* "A_ahead[..] is .." */
void strip_describe_ahead(struct text *t, const struct place *place);
/* The shared memory for them, of "f", at "offset" of the dynamic one or -1. */
struct ks *strip_ahead_array(const struct strip *p, const struct field *f,
	int64_t offset);
/* &A_ahead[ty][behind][u][r][4*tx + cell] */
const struct kx *strip_ahead_place(const struct strip *p,
	const struct field *f, int behind, int cell);
/* "body" for each of the iterations of a period. */
struct ks *strip_over_turns(const struct strip *p, struct ks *body);

/* strips/next.c: rows on their way to registers ---------------------------*/

/* The registers for rows of "f", if some are loaded before they are needed. */
void strip_declare_next(const struct strip *p, struct ks *block,
	const struct field *f);
/* The register that a load of this iteration fills: strip_cell, or one of these.
 */
const struct kx *strip_loaded_cell(const struct strip *p,
	const struct field *f, const struct kx *version, const struct kx *row,
	const struct kx *cell);
/* The row that this iteration came to: to where strip_cell finds it. */
struct ks *strip_take_next(const struct strip *p, const struct field *f,
	int behind);
/* Load what the first iterations take. */
struct ks *strip_load_first_rows(const struct strip *p);
/* "A_next is .." */
void strip_describe_next(struct text *t, const struct place *place);

/* strips/bulk.c: the same by whole rows -----------------------------------*/

/* The barriers that rows arrive at. */
void strip_declare_arrivals(const struct strip *p, struct ks *block);
/* Once, where the strip is full first: copies of what the first iterations load. */
void strip_copy_first_rows(const struct strip *p, struct ks *block);
/* Until what was copied for this iteration is there. */
void strip_wait_for_rows(const struct strip *p, struct ks *block);
/* What the iteration a period later loads, when all lanes have loaded what is
 * in its place.
 */
void strip_copy_next_rows(const struct strip *p, struct ks *block);
/* The end of a period. */
struct ks *strip_end_phase(const struct strip *p);

#endif
