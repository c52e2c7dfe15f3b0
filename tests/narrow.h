/* Emitted CUDA with an int of 16 bits, which stops the program where it would
 * overflow: a grid of 2^15 cells then asks of the arithmetic of indices what
 * one of 2^31 cells asks of it otherwise.  What is wider than int stays as wide,
 * and so does what it meets.
 *
 *	EMITTED		the file, with its main
 */
#include <cuda_runtime.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <unistd.h>

template <class T> constexpr bool fits_int = std::is_integral<T>::value &&
	sizeof(T) <= sizeof(int);
template <class T> using is_number = std::enable_if_t<
	std::is_arithmetic<T>::value>;
template <class T> using is_enum = std::enable_if_t<std::is_enum<T>::value>;
template <class T> using is_discrete = std::enable_if_t<
	std::is_integral<T>::value || std::is_enum<T>::value>;

struct narrow {
	int value;

	static int overflow(long long value)
	{
		fprintf(stderr, "narrow: %lld does not fit\n", value);
		abort();
	}

	narrow() = default;
	template <class T, class = is_discrete<T>> constexpr narrow(T v) :
		value((long long)v >= -32768 && (long long)v <= 32767 ?
			(int)v : overflow((long long)v)) {}
	explicit narrow(double v) : narrow((long long)v) {}
	constexpr operator int() const { return value; }
	int *operator&() { return &value; }	/* of what a call answers */
	template <class T, class = is_enum<T>, class = void>
	explicit constexpr operator T() const { return (T)value; }

	narrow operator-() const { return -value; }
	narrow &operator++() { return *this = value + 1; }
	int operator++(int) { ++*this; return value - 1; }
	template <class T> narrow &operator+=(T b) { return *this = *this + b; }
	template <class T> narrow &operator-=(T b) { return *this = *this - b; }
};

/* The type in which a narrow and a T are computed, and that of the result. */
template <class T> using computed = std::conditional_t<fits_int<T>, long long, T>;
template <class T> using result = std::conditional_t<fits_int<T>, narrow, T>;
#define NARROW(op)                                                            \
	inline narrow operator op(narrow a, narrow b)                         \
	{                                                                     \
		return (long long)a.value op b.value;                         \
	}                                                                     \
	template <class T, class = is_number<T>>                              \
	result<T> operator op(narrow a, T b)                                  \
	{                                                                     \
		return (computed<T>)a.value op (computed<T>)b;                \
	}                                                                     \
	template <class T, class = is_number<T>>                              \
	result<T> operator op(T a, narrow b)                                  \
	{                                                                     \
		return (computed<T>)a op (computed<T>)b.value;                \
	}
NARROW(+)
NARROW(-)
NARROW(*)
NARROW(/)
#undef NARROW

#define STENCILC_MAX_GRID_X 32767
#define STENCILC_MAX_GRID_YZ 32767
#define int narrow
#define main narrow_main
#include EMITTED
#undef main
#undef int

int main(int argc, char **argv)
{
	return narrow_main(argc, argv);
}
