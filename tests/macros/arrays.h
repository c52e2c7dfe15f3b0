/* Arrays in the manner of benchmarks: macros declare them, and the command
 * line says whether parameters are restrict (WITH_RESTRICT) and whether their
 * sizes are constants or parameters (WITH_SIZES).
 */
#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_RESTRICT
# define ALONE restrict
#else
# define ALONE
#endif
#ifdef WITH_SIZES
# define SIZE(constant, variable) variable
#else
# define SIZE(constant, variable) constant
#endif
#define SPARE 0

#define LINE(name, N, n) name[ALONE SIZE(N, n) + SPARE]
#define PLANE(name, N, M, n, m) \
	name[ALONE SIZE(N, n) + SPARE][SIZE(M, m) + SPARE]
#define BODY(name, N, M, K, n, m, k) \
	name[ALONE SIZE(N, n) + SPARE][SIZE(M, m) + SPARE][SIZE(K, k) + SPARE]

#define NEW_LINE(type, name, N, n) \
	type (*name)[SIZE(N, n) + SPARE] = \
		(type (*)[SIZE(N, n) + SPARE]) malloc(sizeof(*name))
#define NEW_PLANE(type, name, N, M, n, m) \
	type (*name)[SIZE(N, n) + SPARE][SIZE(M, m) + SPARE] = \
		(type (*)[SIZE(N, n) + SPARE][SIZE(M, m) + SPARE]) \
		malloc(sizeof(*name))
#define NEW_BODY(type, name, N, M, K, n, m, k) \
	type (*name)[SIZE(N, n) + SPARE][SIZE(M, m) + SPARE] \
		[SIZE(K, k) + SPARE] = \
		(type (*)[SIZE(N, n) + SPARE][SIZE(M, m) + SPARE] \
		[SIZE(K, k) + SPARE]) malloc(sizeof(*name))

#ifdef SINGLE
# define REAL float
# define VALUE(x) x##f
#else
# define REAL double
# define VALUE(x) x
#endif
