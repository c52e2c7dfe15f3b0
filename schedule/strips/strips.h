/* What the files of register streaming share: sizes, needs, model. */
#ifndef STENCILC_SCHEDULE_STRIP_H
#define STENCILC_SCHEDULE_STRIP_H

#include "schedule/strategies.h"
#include "schedule/stream.h"

/* Bulk copies move so many bytes, or a multiple, from multiples of it; a lane's copies move at
 * least so many.
 */
enum { BULK_BYTES = 16, LEAST_BYTES = 4 };

/* Lengths that are tried where nothing is said, and the greatest one. */
enum { STRIP_SHORTEST = 4, STRIP_LONGEST = 1 << 13, STRIP_MOST = 1 << 14 };

/* strips/sizes.c: sizes, and why some are impossible ----------------------- */

/* How many versions the deepest state has. */
int strip_deepest(const struct scop *scop);
/* Can strips have the sizes in "request"?  False after a diagnostic. */
bool strip_request_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *request);
/* NULL, or why blocks cannot form the clusters in "request". */
const char *strip_why_no_clusters(const struct scop *scop,
	const struct tile_request *request);
/* The sizes in "request", with defaults for the others. */
struct stream strip_of_request(const struct scop *scop,
	const struct tile_request *request);
/* Let "request" name the sizes of "s". */
void strip_to_request(struct tile_request *request, const struct stream *s);
/* The complete of the strategy: with default sizes. */
bool strip_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request);
/* Set what a strip, or in three dimensions the strips of a block, store. */
int strip_stored(const struct stream *s, int d);

/* Reasons why sizes are impossible, in the order of the tests. */
enum refused { NOT_REFUSED, NO_CLUSTERS, NOT_ALIGNED, NOT_IN_TURN, TOO_NARROW,
	TOO_LOW, READS_TOO_FAR, TOO_MUCH_SHARED, NOT_IN_REGISTERS, TOO_MANY_REGISTERS,
	NO_BLOCK_FITS };

struct refusal {
	enum refused by;
	double need;		/* columns, rows, bytes or registers */
	const char *why;	/* or NULL: ask strip_why */
};

/* Are the sizes of "s" possible on machine "m", ignoring registers? */
struct refusal strip_refuse(const struct scop *scop, const struct stream *s,
	const struct machine *m);
/* They are not, by that: what to say of it. */
const char *strip_why(const struct scop *scop, const struct stream *s,
	const struct machine *m, enum refused by);
/* Do a lane's rows of each state become registers? */
struct refusal strip_refuse_arrays(const struct scop *scop,
	const struct stream *s);
/* Report that they are impossible because of registers; how they are refused then. */
enum refused strip_refused_registers(const struct strip_terms *t);
struct refusal strip_refuse_registers(const struct scop *scop,
	const struct stream *s, const struct machine *m,
	const struct strip_terms *t);

/* strips/lags.c: the iteration of each position ---------------------------*/

static inline bool strip_is_streamed(const struct access *acc)
{
	return acc->field->kind == FIELD_STATE;
}

/* Fill in the dimensions and the lags; false if no lags suit all reads. */
bool strip_find_lags(const struct scop *scop, struct stream *s);
/* Fill in how many positions of a version are kept. */
void strip_find_period(const struct scop *scop, struct stream *s);

/* strips/needs.c: what is computed ----------------------------------------*/

/* Fill in what follows from s->b, and, if missing, what does not. */
void strip_find_schedule(const struct scop *scop, struct stream *s);
/* The same for all other sizes. */
void strip_find_place(const struct scop *scop, struct stream *s);
/* Fill in the iterations again after s->length has changed. */
void strip_find_iterations(const struct scop *scop, struct stream *s);

/* strips/kept.c: what a lane keeps from iteration to iteration -------------*/

/* Registers for a value, at least one. */
int strip_words(enum type type);

/* How the values of a state are used: the greatest age of a read, and the
 * number of ages with reads beside a lane's own cells, and rows; is a read beside both?
 */
struct strip_usage {
	int oldest, beside, rows;
	bool corners;
};

struct strip_usage strip_usage(const struct scop *scop, const struct stream *s,
	const struct field *f);

/* What a lane keeps of a state: cells of rows, rows of a plane, of so many positions. */
struct strip_rows {
	int cells, rows, positions;
};

struct strip_rows strip_kept_rows(const struct stream *s,
	struct strip_usage u, const struct field *f);
/* Parts that a lane keeps for each of its cells, over all positions. */
int strip_parts_kept(const struct strip_parts *parts);
/* Fill in the parts of all statements. */
void strip_choose_parts(const struct scop *scop, struct stream *s);

/* strips/parts.c, strips/count.c: what iterations and cells share ---------*/

/* Does "b" equal "a" for cells "shift" further?  The first read of a tree tells
 * how far; a tree without reads, nothing.
 */
bool strip_is_shift(int n_dims, const struct expr *a, const struct expr *b,
	int64_t shift[]);
/* Fill in the parts of parts->of, given the lags. */
void strip_find_parts(const struct scop *scop, const struct stream *s,
	struct strip_parts *parts);
/* Those of the same statement, were there none: what it reads, as written. */
struct strip_parts strip_without_parts(const struct scop *scop,
	const struct strip_parts *parts);
/* The operations that cells, and iterations, may share. */
struct strip_operations *strip_find_operations(const struct scop *scop,
	const struct stream *s, const struct stmt *stmt,
	const struct strip_parts *parts);
/* The instructions for a cell in them, given a lane's rows and cells. */
struct instruction_mix strip_mix(const struct stream *s,
	const struct strip_operations *all);
/* The instructions for a cell of "s" as written. */
struct instruction_mix strip_mix_as_written(const struct program *prog,
	const struct stmt *s);

/* strips/shape.c: input for the model ------------------------------------ */

/* Does a cell at the other end of the grid stand for one beyond an edge? */
bool strip_is_around(const struct scop *scop);
/* The same, as strip_find_schedule found. */
bool stream_goes_around(const struct stream *s);

/* What shapes of all sizes share, given the lags and parts of "s". */
struct strip_facts;
struct strip_facts *strip_find_facts(const struct scop *scop,
	const struct stream *s);
struct strip_shape strip_shape_of(const struct scop *scop,
	const struct stream *s, struct strip_facts *facts,
	const struct outlook *o);
/* Fill in what follows from s->length and the iterations. */
void strip_set_length(struct strip_shape *shape, const struct stream *s);

/* strips/model.c ----------------------------------------------------------*/

/* The predict of the strategy. */
void strip_predict_sizes(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p);

#endif
