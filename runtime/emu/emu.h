/* The emulator's own interface, file by file.
 *
 * A launch runs block after block on one thread of the machine.  Within a block
 * each CUDA thread is a fiber; it runs until it waits (at a barrier, for its
 * warp, for the grid) or ends.  Checker and metrics observe it through the few
 * calls at the end of this file.
 */
#ifndef EMU_H
#define EMU_H

#include <stdint.h>

#include <functional>
#include <string>
#include <vector>

#include "stencilc_emu.h"

namespace stencilc_emu {

typedef uintptr_t address;

/* Threads of a warp, 32 or a HIP device's 64, and of which power of 2 that is. */
const unsigned max_lanes = 64;
extern unsigned warp_lanes, warp_shift;
typedef uint64_t lane_set;
/* exit.cpp: is this an HIP program? */
extern bool is_hip;
const unsigned max_block_threads = 1024;

/* device.cpp: the emulated GPU. */
const cudaDeviceProp &device_properties();
const size_t max_dynamic_bytes = 227 * 1024;
int resident_blocks(const struct kernel &k, int threads, size_t dynamic_bytes);

/* order.cpp: STENCILC_ORDER. */
void order_threads(std::vector<unsigned> &order, unsigned n);
class block_order {
	uint64_t n, step, start;
	std::vector<uint32_t> shuffled;
public:
	explicit block_order(uint64_t n);
	uint64_t operator[](uint64_t i) const;
};

/* symbols.cpp: names and sizes of functions and variables. */
struct symbol {
	address start;
	size_t bytes;
	const char *mangled;
	bool is_function;
	std::string name() const;	/* demangled */
};
const symbol *symbol_at(address a);
const std::vector<symbol> &all_symbols();
address load_offset();
bool is_program_text(address a);
bool is_program_constant(address a);
bool data_segment(address &start, address &end);
address text_segment();			/* where it starts, or 0 */

/* kernels.cpp: kernels and device variables of the program. */
enum class space { global, shared, device, constant };
struct variable {
	address start;
	size_t bytes;
	space where;
	std::string name;
	std::string function;		/* of a shared one, or "" */
	bool is_of_kernel;		/* the function */
};
struct kernel {
	std::string name;
	unsigned max_threads = max_block_threads;
	size_t max_dynamic = 0;		/* shared bytes that a launch may
					 * request */
	dim3 cluster;			/* blocks of one along each axis */
	unpacked_call call = nullptr;
	std::vector<variable> shared;	/* limits for its blocks */
	size_t static_bytes = 0;
	bool resolved = false;
};
const unsigned max_cluster_blocks = 8;
inline unsigned cluster_blocks(const kernel &k)
{
	return k.cluster.x * k.cluster.y * k.cluster.z;
}
inline bool has_clusters(const kernel &k)
{
	return cluster_blocks(k) > 1;
}
kernel &kernel_at(const void *entry, const char *name);
const std::vector<variable> &variables();
const variable *variable_at(address a);

/* exit.cpp: called for each translation unit before its variables live. */
const int mode_check = 1, mode_metrics = 2, mode_hip = 4, mode_wide = 8;
void begin_program(int mode);

/* memory.cpp: device memory is one reserved range, so that a comparison tells
 * whether an address is device memory, and a shift finds its shadow.
 */
struct allocation {
	address start;
	size_t bytes;
	const void *site;		/* place of the call that made it */
	bool on_host;			/* pinned or managed */
	bool is_managed;
};
extern "C" address stencilc_emu_arena_start;
extern "C" size_t stencilc_emu_arena_bytes;
inline bool in_arena(const void *p)
{
	return (address) p - stencilc_emu_arena_start <
		stencilc_emu_arena_bytes;
}
void reserve_arena();
const allocation *allocation_at(address a);	/* live */
const allocation *freed_at(address a);		/* the last one at this address */
const allocation *allocation_before(address a);	/* live */
void each_allocation(void (*f)(const allocation &));

/* error.cpp: the error state, and STENCILC_FAIL. */
cudaError_t result(const char *call, const void *site, cudaError_t e);
bool must_fail(const char *call, const void *site);
void unseen_error(const std::string &what, const void *site, cudaError_t e,
	const std::string &why);
void unchecked_errors(bool check);
bool has_unseen_errors(bool check);
const char *error_text(cudaError_t e);

/* stream.cpp */
bool is_stream(cudaStream_t stream);
bool stream_blocks(cudaStream_t stream);	/* has the legacy one wait? */
void each_stream_leak();

/* graph.cpp: what captured streams record. */
typedef std::function<cudaError_t()> piece;
bool is_captured(cudaStream_t stream);
/* Do "p" now, unless the capture of "stream" records it. */
cudaError_t give(cudaStream_t stream, const char *call, const void *site,
	const piece &p);
/* The effect of a call that waits, or of one that waits for "stream". */
cudaError_t capture_forbids(const char *call, const void *site);
cudaError_t capture_forbids(const char *call, const void *site,
	cudaStream_t stream);
void each_graph_leak();

/* block.cpp: threads of the block that runs. */
struct thread;
extern struct thread *self;		/* NULL: the host is running */
extern const kernel *running;
unsigned current_thread();
dim3 current_block();
dim3 thread_index(unsigned thread, dim3 block);
dim3 block_index(uint64_t block, dim3 grid);
size_t dynamic_bytes();			/* of the launch */
void launch_blocks(const kernel &k, const request &r, void (*body)(void *),
	void *closure);

/* report.cpp: messages, each once, resolved and printed at the end. */
struct finding {
	const char *kind;
	const void *pc;			/* return address; NULL: unknown */
	std::string text;
	const void *other_pc = nullptr;
	std::string other_text = "";
	int line = 0;			/* of the calls; 0: as the debug .. */
	int other_line = 0;		/* .. information says */
};
bool is_new(const char *kind, const void *pc, const void *other_pc);
void add(const finding &f);
void print_reports();
size_t report_count();
std::string format(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
std::string thread_name(unsigned thread);
std::string block_name(dim3 index);
void say(const std::string &text);
/* "text", with CUDA's names replaced by those of the program's language. */
std::string spelled(const std::string &text);

/* check.cpp */
extern bool checking;
void check_start();
void check_launch(uint64_t blocks);
void check_block(uint64_t block);
void check_interval();
void check_warp(unsigned warp, lane_set lanes);
void check_block_saved(std::vector<char> &state);
void check_block_restored(const std::vector<char> &state, uint64_t block);
void check_grid_phase();
void check_allocated(const allocation &a, bool initialised);
void check_freed(const allocation &a);
void check_host_write(void *to, size_t bytes);
void check_copy(void *to, const void *from, size_t bytes, const void *site,
	const char *call);
void check_async_issue(void *to, size_t bytes, const void *from,
	size_t read_bytes, const void *pc);
void check_async_done(void *to, size_t bytes, const void *from,
	size_t read_bytes, const void *pc);
void check_atomic(void *p, size_t bytes, const void *pc);

/* metrics.cpp */
extern bool measuring;
void metrics_launch(const kernel &k, uint64_t blocks, unsigned threads,
	size_t dynamic_bytes);
void metrics_launch_end();
void metrics_block();
void metrics_interval(bool is_barrier);
void metrics_access(const void *p, unsigned bytes, bool is_write,
	const void *pc);
void metrics_bulk(const void *from, size_t bytes);
void metrics_print();

}

#endif
