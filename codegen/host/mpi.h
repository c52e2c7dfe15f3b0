/* What the files share that generate the functions of files with --mpi. */
#ifndef STENCILC_CODEGEN_MPI_H
#define STENCILC_CODEGEN_MPI_H

#include "codegen/host/host.h"

struct mpi {
	struct host h;			/* of the whole program; first, see mpi_reduce.c */
	const struct blocks *blocks;
	struct exchange_steps steps;
	const struct kfunc *check, *share, *run;
	const struct kfunc **places;	/* by list, see list_check() */
	const struct kfunc *block, *block_check, *block_memory;	/* or NULL */
	const struct kfunc *of_host, *of_device;	/* GPU: functions for one
							 * process */
	const char *ranks, *comm, *memory;	/* variables */
	const char *plan;		/* that has the ranks and the memory; or NULL */
	const char *zone;		/* variable: of those that are computed while halos
					 * travel; or NULL */
};

/* mpi.c: add the functions of all targets, up to m->run. */
void mpi_add_functions(struct mpi *m);
/* .. the steps of a function in which all ranks have met; the numbers by which they do. */
void mpi_add_steps(const struct mpi *m, struct ks *b);
const struct kx *mpi_declare_numbers(const struct mpi *m, struct ks *b, int *n);
void mpi_return_status_if_any(const struct mpi *m, struct ks *b);

/* mpi_handles.c: plans of ranks. */
void mpi_add_plans(struct mpi *m);

/* mpi_calls.c: CALL(m, "stencilc_..", ..): a call of a function of runtime/mpi-*.inc; as a statement; &ranks, where
 * that is a variable of the function.
 */
const struct kx *mpi_call(const struct mpi *m, const char *function, int n,
	const struct kx *const *arg);
#define CALL(m, function, ...) mpi_call((m), (function), \
	(int) (sizeof((const struct kx *[]) { __VA_ARGS__ }) / \
		sizeof(const struct kx *)), \
	(const struct kx *[]) { __VA_ARGS__ })
struct ks *mpi_statement(const struct mpi *m, const struct kx *x);
const struct kx *mpi_ranks(const struct mpi *m);

/* Does a dimension that is cut go around? */
bool mpi_goes_around(const struct mpi *m);

/* Set the status, 0 so far, to what is wrong with places of points; of those that callers have on a GPU
 * or the host.
 */
void mpi_check_places(const struct mpi *m, struct ks *b);
void mpi_check_places_of_gpu(const struct mpi *m, struct ks *b);

/* The number of a field among those that ranks know. */
int mpi_place_of(const struct mpi *m, const struct field *f);

/* The last parameter of a function: the communicator. */
void mpi_add_comm(const struct mpi *m, struct kfunc *f);

/* An argument of the block's function that is a field, as the rank has it; else NULL. */
const struct kx *mpi_argument_of_block(const void *m, const char *param);

/* Does the file compute on a GPU? */
static inline bool mpi_is_on_gpu(const struct mpi *m)
{
	return m->of_device != NULL;
}

/* Does the program reduce? */
static inline bool mpi_reduces(const struct mpi *m)
{
	return m->h.prog->n_reductions > 0;
}

/* mpi_reduce.c: the functions for it; in m->run the memory that
 * they take, copies of states that they read beside the caller's, and all segments, "rounds"
 * being the steps of one.
 */
void mpi_add_reductions(struct mpi *m);
void mpi_add_bytes_of_values(const struct mpi *m, struct ks *b,
	const char *bytes);
void mpi_return_without_steps(const struct mpi *m, struct ks *b);
void mpi_keep_copies(const struct mpi *m, struct ks *b);
void mpi_add_segments(const struct mpi *m, struct ks *b, struct ks *rounds);

/* mpi_block.c: the functions of the block are the file's own; those that nothing calls are gone. */
void mpi_adopt_block(struct mpi *m);
/* The first step of all segments, or the first wave; the time range of a block, which may be all steps at once. */
const struct kx *mpi_first_of_all(const struct mpi *m);
void mpi_declare_times(const struct mpi *m, struct ks *b,
	const struct kx *first, const struct kx *end);
void mpi_declare_all_times(const struct mpi *m, struct ks *b);

/* mpi_plain.c: the functions of one process, up to NULL, once m->run is there. */
struct kfunc **mpi_plain(struct mpi *m);
/* return CHECK(..), or the result of "block" on the whole grid. */
void mpi_return_block(const struct mpi *m, struct kfunc *f,
	const struct kfunc *block);

/* mpi_zones.c: how far a step reaches along dimension k, or what halos have beside that: where there are
 * zones along it halos are as deep on both sides.
 */
int mpi_reach(const struct mpi *m, int k, const int *reach, int side);
/* Along which dimension messages go in this turn, with which dimensions' halos.  With zones dimension 0 is
 * the last.
 */
int mpi_order(const struct mpi *m, int turn);
int mpi_carried(const struct mpi *m, int turn);
/* "body" for each zone, which function "next" puts at hand. */
struct ks *mpi_each_zone(const struct mpi *m, const char *next, struct ks *body);
/* Argument "param" of the block's function if it is the zone's, else NULL. */
const struct kx *mpi_argument_of_zone(const struct mpi *m, const char *param);
/* The variable "bytes", of all zones so far, has room for "more" bytes of the zone at hand. */
struct ks *mpi_lend_to_zone(const struct mpi *m, const char *bytes, const struct kx *more);

/* mpi_gpu.c: parameters of m->run beside those for all targets. */
void mpi_add_device_params(const struct mpi *m, struct kfunc *f);
/* The functions of ranks for callers, and those for one process, up to NULL. */
struct kfunc **mpi_of_gpu(const struct mpi *m);

/* What MPI calls the type. */
const char *mpi_word(enum type type);

#endif
