/* The interface between compiled programs and the runtime: launches and kernel
 * registration.  The rewriter (rewrite.cpp) turns
 *
 *	K<<<grid, block, bytes, stream>>>(x, y);
 *
 * into
 *
 *	::stencilc_emu::launch("K", K, grid, block, bytes, stream)(x, y);
 */
#ifndef STENCILC_EMU_H
#define STENCILC_EMU_H

#include "cuda_runtime_api.h"
#include "stencilc_emu_given.h"

/* How often the program has allocated memory through the runtime. */
extern "C" unsigned long stencilc_emu_allocations(void);

/* The address of each block's dynamic shared memory. */
extern "C" char stencilc_emu_dynamic_shared[];

namespace stencilc_emu {

/* One launch: what to run and over which grid. */
struct request {
	const char *name;		/* as written; NULL: unknown */
	const void *kernel;		/* its address; identifies it */
	dim3 grid;
	dim3 block;
	size_t dynamic_bytes;		/* dynamic shared memory */
	cudaStream_t stream;
	bool cooperative;
};

/* Run "body(closure)" once for each thread of the grid of "r". */
cudaError_t run(const request &r, void (*body)(void *), void *closure);

/* Like run(), for a launch that returns nothing: an error waits for
 * cudaGetLastError().
 */
void run_unasked(const request &r, void (*body)(void *), void *closure);

/* Does a capture record the launch?  Then each launch of its graph runs "closure", which drop()
 * deletes.
 */
bool is_taken_down(const request &r);
cudaError_t take_down(const request &r, void (*body)(void *), void *closure,
	void (*drop)(void *), bool is_asked);

/* The same for a function object. */
template <class F> struct taken {
	__attribute__((no_sanitize("thread"))) static void invoke(void *f)
	{
		(*(F *) f)();
	}
	static void drop(void *f)
	{
		delete (F *) f;
	}
};
template <class F> cudaError_t take_down_of(const request &r, const F &f,
	bool is_asked)
{
	return take_down(r, &taken<F>::invoke, new F(f), &taken<F>::drop,
		is_asked);
}

/* How cudaLaunchKernel calls a kernel of which it knows only the address. */
typedef void (*unpacked_call)(const void *kernel, void **arguments);

/* Record that "kernel" is a kernel; "max_threads" is its launch bound or 0, "cluster" the blocks of
 * a cluster along each axis.
 */
void register_kernel(const char *name, const void *kernel,
	unpacked_call call, unsigned max_threads, dim3 cluster);

/* Stores the arguments of a launch until it has run. */
template <class... P> class launcher {
	void (*kernel)(P...);
	request r;
public:
	launcher(void (*kernel)(P...), const request &r)
		: kernel(kernel), r(r) {}

	__attribute__((always_inline)) void operator()(P... p) const
	{
		void (*k)(P...) = kernel;
		auto call = [&]() __attribute__((no_sanitize("thread")))
		{
			k((const P &) pass<P>(p)...);
		};
		if (__builtin_expect(is_taken_down(r), 0)) {
			take_down_of(r, [k, p...]()
				__attribute__((no_sanitize("thread")))
			{
				k((const P &) pass<P>(p)...);
			}, false);
			return;
		}
		run_unasked(r, &invoke<decltype(call)>, &call);
	}

	template <class F> __attribute__((no_sanitize("thread")))
	static void invoke(void *f)
	{
		(*(F *) f)();
	}
};

/* A launch of a template with arguments to be deduced: "f" calls it. */
template <class F> class deducing_launcher {
	F f;
	request r;
public:
	deducing_launcher(F f, const request &r) : f(f), r(r) {}

	template <class... A> __attribute__((always_inline))
	void operator()(A... a) const
	{
		const F &g = f;
		auto call = [&]() __attribute__((no_sanitize("thread")))
		{
			g((const A &) pass<A>(a)...);
		};
		if (__builtin_expect(is_taken_down(r), 0)) {
			F kept = f;
			take_down_of(r, [kept, a...]()
				__attribute__((no_sanitize("thread")))
			{
				kept((const A &) pass<A>(a)...);
			}, false);
			return;
		}
		run_unasked(r, &invoke<decltype(call)>, &call);
	}

	template <class C> __attribute__((no_sanitize("thread")))
	static void invoke(void *c)
	{
		(*(C *) c)();
	}
};

template <class... P>
launcher<P...> launch(const char *name, void (*kernel)(P...), dim3 grid,
	dim3 block, size_t bytes = 0, cudaStream_t stream = 0)
{
	return launcher<P...>(kernel, request { name, (const void *) kernel,
		grid, block, bytes, stream, false });
}

template <class F>
deducing_launcher<F> launch_deduced(const char *name, F f, dim3 grid,
	dim3 block, size_t bytes = 0, cudaStream_t stream = 0)
{
	return deducing_launcher<F>(f, request { name, (const void *) name,
		grid, block, bytes, stream, false });
}

template <size_t... I> struct indices {};

template <size_t N, size_t... I>
struct make_indices : make_indices<N - 1, N - 1, I...> {};

template <size_t... I> struct make_indices<0, I...> {
	typedef indices<I...> type;
};

template <class T> struct plain { typedef T type; };
template <class T> struct plain<T &> { typedef T type; };
template <class T> struct plain<const T> { typedef T type; };

template <class... P, size_t... I> __attribute__((no_sanitize("thread")))
inline void call_unpacked(void (*k)(P...), void **a, indices<I...>)
{
	(void) a;
	k((const P &) pass<typename plain<P>::type>(
		*(typename plain<P>::type *) a[I])...);
}

/* Keeps the arguments' values: their sources may be gone. */
template <class... P, size_t... I>
cudaError_t take_down_unpacked(void (*k)(P...), void **a, const request &r,
	indices<I...>)
{
	auto keep = [&](P... p)
	{
		return take_down_of(r, [k, p...]()
			__attribute__((no_sanitize("thread")))
		{
			k((const P &) pass<P>(p)...);
		}, true);
	};
	(void) a;
	return keep(*(typename plain<P>::type *) a[I]...);
}

template <class... P> STENCILC_EMU_INLINE
cudaError_t launch_unpacked(void (*kernel)(P...),
	void **arguments, const request &r)
{
	void (*k)(P...) = kernel;
	void **a = arguments;
	auto call = [&]() __attribute__((no_sanitize("thread")))
	{
		call_unpacked(k, a,
			typename make_indices<sizeof...(P)>::type());
	};
	if (__builtin_expect(is_taken_down(r), 0))
		return take_down_unpacked(k, a, r,
			typename make_indices<sizeof...(P)>::type());
	return run(r, &launcher<>::invoke<decltype(call)>, &call);
}

/* The launch of a kernel whose type was cast away. */
cudaError_t launch_registered(const void *kernel, void **arguments,
	const request &r);

/* The rewriter declares one after the definition of each kernel. */
template <class... P> struct kernel_entry {
	kernel_entry(const char *name, void (*kernel)(P...),
		unsigned max_threads = 0, dim3 cluster = dim3())
	{
		register_kernel(name, (const void *) kernel, &call,
			max_threads, cluster);
	}
	__attribute__((no_sanitize("thread")))
	static void call(const void *kernel, void **arguments)
	{
		call_unpacked((void (*)(P...)) kernel, arguments,
			typename make_indices<sizeof...(P)>::type());
	}
};

/* Takes the result of a runtime call that a program ignores: the rewriter
 * writes "::stencilc_emu::dropped = cudaFree(p);".
 */
struct result_sink {
	void operator=(cudaError_t e) const;
};
static const result_sink dropped = {};

}

template <class... P>
STENCILC_EMU_INLINE cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid,
	dim3 block, void **arguments, size_t bytes = 0,
	cudaStream_t stream = 0)
{
	return stencilc_emu::launch_unpacked(kernel, arguments,
		stencilc_emu::request { 0, (const void *) kernel, grid,
			block, bytes, stream, false });
}

template <class... P>
STENCILC_EMU_INLINE cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...),
	dim3 grid, dim3 block, void **arguments, size_t bytes = 0,
	cudaStream_t stream = 0)
{
	return stencilc_emu::launch_unpacked(kernel, arguments,
		stencilc_emu::request { 0, (const void *) kernel, grid,
			block, bytes, stream, true });
}

STENCILC_EMU_INLINE cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
	void **arguments, size_t bytes = 0, cudaStream_t stream = 0)
{
	return stencilc_emu::launch_registered(kernel, arguments,
		stencilc_emu::request { 0, kernel, grid, block, bytes, stream,
			false });
}

STENCILC_EMU_INLINE cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid,
	dim3 block, void **arguments, size_t bytes = 0,
	cudaStream_t stream = 0)
{
	return stencilc_emu::launch_registered(kernel, arguments,
		stencilc_emu::request { 0, kernel, grid, block, bytes, stream,
			true });
}

#endif
