/* What a launch gives a kernel: arguments, on the stack of the thread that calls it. */
#ifndef STENCILC_EMU_GIVEN_H
#define STENCILC_EMU_GIVEN_H

#include <stddef.h>

namespace stencilc_emu {

/* Copies what a kernel is given, unwatched. */
extern "C" void stencilc_emu_give(void *to, const void *from, size_t bytes);

/* An argument on the stack of the thread that calls the kernel.  Compilers pass a large one by
 * memcpy(), which is watched, and a thread may read its own stack alone.
 */
template <class P> struct given {
	alignas(P) char bytes[sizeof(P)];

	__attribute__((no_sanitize("thread"))) explicit given(const P &p)
	{
		stencilc_emu_give(bytes, &p, sizeof(P));
	}
	__attribute__((no_sanitize("thread"))) operator const P &() const
	{
		return *(const P *) bytes;
	}
};

/* Small ones, and those that have a constructor, go as they are. */
template <class P, bool is_given> struct passed {
	typedef const P &type;
};
template <class P> struct passed<P, true> {
	typedef given<P> type;
};
template <class P> struct argument {
	static const bool is_given = __is_trivially_copyable(P) &&
		sizeof(P) > 16;
	typedef typename passed<P, is_given>::type type;
};
template <class P> __attribute__((always_inline, no_sanitize("thread")))
inline typename argument<P>::type pass(const P &p)
{
	return (typename argument<P>::type) p;
}

}

#endif
