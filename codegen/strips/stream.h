/* What the row of strips in the table of forms has. */
#ifndef STENCILC_CODEGEN_STREAM_H
#define STENCILC_CODEGEN_STREAM_H

#include "codegen/tile.h"
#include "schedule/stream.h"

/* The strip of a warp, or of joined ones, its origins known; "full": it needs no
 * guards.
 */
struct ks *stream_strip(struct cursor *c, const struct kx *full);
void stream_describe(struct text *t, const struct place *place, int index);
/* Shared memory for what warps, or lanes, leave for each other in "user", and
 * copy ahead; the bytes of it that are dynamic.
 */
int64_t stream_declare_edges(const struct place *place, struct ks *block,
	const struct ks *user);
/* What comes before all strips of a block that are like "strips". */
void stream_begin(const struct place *place, struct ks *block,
	const struct ks *strips);

#endif
