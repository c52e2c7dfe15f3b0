/* What a core does a clock, measured: additions of vectors, these with products, loads from its
 * first-level cache, and roots with divisions.  A processor's registers may be wider than what it
 * adds and loads at a time: Zen 4 takes two clocks for 512 bits.
 */
#define _POSIX_C_SOURCE 200809L
#include "model/model.h"

#include <math.h>
#include <time.h>

#if defined __GNUC__ && (defined __x86_64__ || defined __aarch64__)

enum { TURNS = 1 << 14, AT_A_TIME = 16, TRIES = 20, WIDEST = 64 };

#define SIXTEEN_TIMES(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) \
	x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15)

/* A function that runs "before" and then TURNS times sixteen copies of "each", an instruction
 * on register n. %0 is the address for loads, %1 a number, %2 one, and %3 the turns left.
 */
#define LOOP(name, before, each, again, after, ...) \
static void name(const char *from) \
{ \
	long number = 1, one = 1, turns = TURNS; \
 \
	__asm__ volatile(before "1:\n\t" SIXTEEN_TIMES(each) again after \
		: "+r" (from), "+r" (number), "+r" (one), "+r" (turns) \
		: : __VA_ARGS__); \
}

/* ADD waits for the one before, and adds two registers: some processors add constants while
 * renaming registers, several in a clock.  ROOT divides the root of a number by the number.
 */
#ifdef __x86_64__
#define REGISTER(n) , "xmm" #n
#define ZERO(n) "xorps %%xmm" #n ", %%xmm" #n "\n\t"
#define ADD(n) "add %2, %1\n\t"
#define SUM_128(n) "addps %%xmm" #n ", %%xmm" #n "\n\t"
#define LOAD_128(n) "movups 16*" #n "(%0), %%xmm" #n "\n\t"
#define BOTH_128(n) SUM_128(n) "mulps %%xmm" #n ", %%xmm" #n "\n\t"
#define ROOT_128(n) "sqrtps (%0), %%xmm" #n "\n\t" \
	"divps (%0), %%xmm" #n "\n\t"
#define SUM_256(n) "vaddps %%ymm" #n ", %%ymm" #n ", %%ymm" #n "\n\t"
#define LOAD_256(n) "vmovups 32*" #n "(%0), %%ymm" #n "\n\t"
#define BOTH_256(n) SUM_256(n) "vmulps %%ymm" #n ", %%ymm" #n ", %%ymm" #n "\n\t"
#define ROOT_256(n) "vsqrtps (%0), %%ymm" #n "\n\t" \
	"vdivps (%0), %%ymm" #n ", %%ymm" #n "\n\t"
#define SUM_512(n) "vaddps %%zmm" #n ", %%zmm" #n ", %%zmm" #n "\n\t"
#define LOAD_512(n) "vmovups 64*" #n "(%0), %%zmm" #n "\n\t"
#define BOTH_512(n) SUM_512(n) "vmulps %%zmm" #n ", %%zmm" #n ", %%zmm" #n "\n\t"
#define ROOT_512(n) "vsqrtps (%0), %%zmm" #n "\n\t" \
	"vdivps (%0), %%zmm" #n ", %%zmm" #n "\n\t"
#define AGAIN "sub $1, %3\n\tjnz 1b\n\t"
#else
#define REGISTER(n) , "v" #n
#define ZERO(n) "movi v" #n ".4s, #0\n\t"
#define ADD(n) "add %1, %1, %2\n\t"
#define SUM_128(n) "fadd v" #n ".4s, v" #n ".4s, v" #n ".4s\n\t"
#define LOAD_128(n) "ldr q" #n ", [%0, #(16*" #n ")]\n\t"
#define BOTH_128(n) SUM_128(n) "fmul v" #n ".4s, v" #n ".4s, v" #n ".4s\n\t"
#define ROOT_128(n) "ldr q" #n ", [%0]\n\tfsqrt v" #n ".4s, v" #n ".4s\n\t" \
	"fdiv v" #n ".4s, v" #n ".4s, v16.4s\n\t"
#define AGAIN "subs %3, %3, #1\n\tb.ne 1b\n\t"
#endif
#define VECTORS "cc", "memory" SIXTEEN_TIMES(REGISTER)

LOOP(add_in_a_row, "", ADD, AGAIN, "", "cc")
LOOP(sum_128, SIXTEEN_TIMES(ZERO), SUM_128, AGAIN, "", VECTORS)
LOOP(both_128, SIXTEEN_TIMES(ZERO), BOTH_128, AGAIN, "", VECTORS)
LOOP(load_128, "", LOAD_128, AGAIN, "", VECTORS)
#ifdef __x86_64__
LOOP(root_128, "", ROOT_128, AGAIN, "", VECTORS)
#define UPPER_ZERO "vzeroupper\n\t"
LOOP(sum_256, UPPER_ZERO SIXTEEN_TIMES(ZERO), SUM_256, AGAIN, UPPER_ZERO,
	VECTORS)
LOOP(both_256, UPPER_ZERO SIXTEEN_TIMES(ZERO), BOTH_256, AGAIN, UPPER_ZERO,
	VECTORS)
LOOP(load_256, "", LOAD_256, AGAIN, UPPER_ZERO, VECTORS)
LOOP(root_256, "", ROOT_256, AGAIN, UPPER_ZERO, VECTORS)
LOOP(sum_512, UPPER_ZERO SIXTEEN_TIMES(ZERO), SUM_512, AGAIN, UPPER_ZERO,
	VECTORS)
LOOP(both_512, UPPER_ZERO SIXTEEN_TIMES(ZERO), BOTH_512, AGAIN, UPPER_ZERO,
	VECTORS)
LOOP(load_512, "", LOAD_512, AGAIN, UPPER_ZERO, VECTORS)
LOOP(root_512, "", ROOT_512, AGAIN, UPPER_ZERO, VECTORS)
#else
LOOP(root_128, "ldr q16, [%0]\n\t", ROOT_128, AGAIN, "", VECTORS, "v16")
#endif

/* The loops of vectors of some length. */
struct loops {
	void (*sum)(const char *from), (*both)(const char *from);
	void (*load)(const char *from), (*root)(const char *from);
};

static struct loops loops_of(int64_t lanes)
{
#ifdef __x86_64__
	if (lanes == 16)
		return (struct loops) { sum_512, both_512, load_512, root_512 };
	if (lanes == 8)
		return (struct loops) { sum_256, both_256, load_256, root_256 };
#else
	(void) lanes;
#endif
	return (struct loops) { sum_128, both_128, load_128, root_128 };
}

static double thread_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The seconds that an instruction of "loop" takes; "from" is what it loads. */
static double seconds_from(void loop(const char *from), const void *from)
{
	double least = HUGE_VAL;

	for (int i = 0; i < TRIES; i++) {
		double start = thread_seconds();

		loop(from);
		least = fmin(least, thread_seconds() - start);
	}
	return least / TURNS / AT_A_TIME;
}

static double seconds_of(void loop(const char *from))
{
	static _Alignas(WIDEST) const char loaded[AT_A_TIME * WIDEST];

	return seconds_from(loop, loaded);
}

/* .. a root and a division of numbers whose roots are no numbers of few bits. */
static double seconds_of_roots(void loop(const char *from))
{
	_Alignas(WIDEST) float number[WIDEST / sizeof(float)];

	for (size_t i = 0; i < WIDEST / sizeof(float); i++)
		number[i] = 1.7F;
	return seconds_from(loop, number);
}

/* How many of "loop" run a clock: processors have whole units, some of them every other clock. */
static double rate_of(void loop(const char *from), double clock_s)
{
	return round(2 * clock_s / seconds_of(loop)) / 2;
}

void core_measure_rates(int64_t lanes, struct core_rates *rates)
{
	const struct loops of = loops_of(lanes);
	double clock_s = seconds_of(add_in_a_row);

	rates->clock_hz = 1 / clock_s;
	rates->sums_per_clock = rate_of(of.sum, clock_s);
	rates->loads_per_clock = rate_of(of.load, clock_s);
	rates->operations_per_clock = 2 * rate_of(of.both, clock_s);
	rates->roots_per_clock = 2 * (double) lanes * clock_s /
		seconds_of_roots(of.root);
}

#else

void core_measure_rates(int64_t lanes, struct core_rates *rates)
{
	(void) lanes;
	*rates = (struct core_rates) { 0 };
}

#endif
