#include "tests/mpi-fail.h"

#include <signal.h>

struct mpi_fail mpi_fail;

#define LOCAL(name, is_local) #name,
const char *const mpi_function_name[N_FUNCTIONS] = {
#include "tests/mpi-fail.def"
};
#undef LOCAL
#define LOCAL(name, is_local) is_local,
const int mpi_function_is_local[N_FUNCTIONS] = {
#include "tests/mpi-fail.def"
};
#undef LOCAL

/* Count a call; does it fail? */
static int fails(enum mpi_function f)
{
	int now = ++mpi_fail.calls[f] == mpi_fail.call && f == mpi_fail.function;

	if (now && mpi_fail.how == KILLED)
		raise(SIGKILL);
	return now;
}

/* Make "call", unless it fails instead. */
#define RETURN(name, call) do { \
		const int failed = fails(NAME_##name); \
		const int error = failed && mpi_fail.how == NOT_MADE ? \
			MPI_ERR_OTHER : (call); \
		return failed ? MPI_ERR_OTHER : error; \
	} while (0)

int MPI_Allgather(const void *from, int n, MPI_Datatype type, void *to, int count,
	MPI_Datatype type_to, MPI_Comm comm)
{
	RETURN(Allgather, PMPI_Allgather(from, n, type, to, count, type_to, comm));
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm)
{
	RETURN(Allreduce, PMPI_Allreduce(from, to, n, type, op, comm));
}

int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
	RETURN(Bcast, PMPI_Bcast(data, n, type, root, comm));
}

int MPI_Cart_get(MPI_Comm comm, int n, int *dims, int *periods, int *at)
{
	RETURN(Cart_get, PMPI_Cart_get(comm, n, dims, periods, at));
}

int MPI_Cartdim_get(MPI_Comm comm, int *n)
{
	RETURN(Cartdim_get, PMPI_Cartdim_get(comm, n));
}

/* One that was made and is not handed over is freed again, here and below. */
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
	const int failed = fails(NAME_Comm_dup);
	MPI_Comm own = MPI_COMM_NULL;

	if (failed && mpi_fail.how == NOT_MADE)
		return MPI_ERR_OTHER;
	PMPI_Comm_dup(comm, &own);
	if (failed) {
		PMPI_Comm_free(&own);
		return MPI_ERR_OTHER;
	}
	mpi_fail.comms++;
	*copy = own;
	return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm)
{
	mpi_fail.comms--;
	RETURN(Comm_free, PMPI_Comm_free(comm));
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
	RETURN(Comm_rank, PMPI_Comm_rank(comm, rank));
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
	RETURN(Comm_size, PMPI_Comm_size(comm, size));
}

int MPI_Gatherv(const void *from, int n, MPI_Datatype type, void *to, const int *count,
	const int *place, MPI_Datatype type_to, int root, MPI_Comm comm)
{
	RETURN(Gatherv, PMPI_Gatherv(from, n, type, to, count, place, type_to, root, comm));
}

int MPI_Get_address(const void *at, MPI_Aint *address)
{
	RETURN(Get_address, PMPI_Get_address(at, address));
}

int MPI_Irecv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	RETURN(Irecv, PMPI_Irecv(data, n, type, from, tag, comm, request));
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	int size;

	PMPI_Type_size(type, &size);
	mpi_fail.messages++;
	mpi_fail.bytes += (long)n * size;
	RETURN(Isend, PMPI_Isend(data, n, type, to, tag, comm, request));
}

int MPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
	MPI_Status *status)
{
	RETURN(Recv, PMPI_Recv(data, n, type, from, tag, comm, status));
}

int MPI_Recv_init(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	if (fails(NAME_Recv_init))
		return MPI_ERR_OTHER;
	mpi_fail.requests++;
	return PMPI_Recv_init(data, n, type, from, tag, comm, request);
}

int MPI_Request_free(MPI_Request *request)
{
	const int failed = fails(NAME_Request_free);
	const int error = PMPI_Request_free(request);

	mpi_fail.requests--;
	return failed ? MPI_ERR_OTHER : error;
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	RETURN(Send, PMPI_Send(data, n, type, to, tag, comm));
}

int MPI_Send_init(const void *data, int n, MPI_Datatype type, int to, int tag,
	MPI_Comm comm, MPI_Request *request)
{
	if (fails(NAME_Send_init))
		return MPI_ERR_OTHER;
	mpi_fail.requests++;
	return PMPI_Send_init(data, n, type, to, tag, comm, request);
}

int MPI_Start(MPI_Request *request)
{
	RETURN(Start, PMPI_Start(request));
}

int MPI_Testall(int n, MPI_Request *request, int *all, MPI_Status *status)
{
	RETURN(Testall, PMPI_Testall(n, request, all, status));
}

int MPI_Topo_test(MPI_Comm comm, int *topology)
{
	RETURN(Topo_test, PMPI_Topo_test(comm, topology));
}

int MPI_Type_commit(MPI_Datatype *type)
{
	RETURN(Type_commit, PMPI_Type_commit(type));
}

int MPI_Type_create_struct(int n, const int *lengths, const MPI_Aint *places,
	const MPI_Datatype *types, MPI_Datatype *type)
{
	if (fails(NAME_Type_create_struct))
		return MPI_ERR_OTHER;
	mpi_fail.types++;
	return PMPI_Type_create_struct(n, lengths, places, types, type);
}

int MPI_Type_create_subarray(int n, const int *sizes, const int *parts, const int *starts,
	int order, MPI_Datatype of, MPI_Datatype *type)
{
	if (fails(NAME_Type_create_subarray))
		return MPI_ERR_OTHER;
	mpi_fail.types++;
	return PMPI_Type_create_subarray(n, sizes, parts, starts, order, of, type);
}

int MPI_Type_free(MPI_Datatype *type)
{
	const int failed = fails(NAME_Type_free);
	const int error = PMPI_Type_free(type);

	mpi_fail.types--;
	return failed ? MPI_ERR_OTHER : error;
}

int MPI_Waitall(int n, MPI_Request *request, MPI_Status *status)
{
	RETURN(Waitall, PMPI_Waitall(n, request, status));
}

int MPI_Waitany(int n, MPI_Request *request, int *which, MPI_Status *status)
{
	RETURN(Waitany, PMPI_Waitany(n, request, which, status));
}
