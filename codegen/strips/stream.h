/* The members of the row of strips in the table of forms. */
#ifndef STENCILC_CODEGEN_STREAM_H
#define STENCILC_CODEGEN_STREAM_H

#include "codegen/tile.h"
#include "schedule/stream.h"

/* The strip of a warp, or of joined warps, whose origins are known; "full": it needs no guards. */
struct ks *stream_strip(struct cursor *c, const struct kx *full);
void stream_describe(struct text *t, const struct place *place, int index);
/* Does the strip lie behind the first one along the streamed dimension? */
const struct kx *stream_is_behind(const struct place *p);
/* Declare shared memory for what warps, or lanes, leave for each other in
 * "user" and copy ahead; returns its dynamic bytes.
 */
int64_t stream_declare_edges(const struct place *place, struct ks *block,
	const struct ks *user);
/* What precedes all strips of a block that are like "strips". */
void stream_begin(const struct place *place, struct ks *block,
	const struct ks *strips);

#endif
