/* The order of threads and blocks: STENCILC_ORDER=forward|reverse|random:SEED.
 * A program without races gives the same result in every order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <numeric>
#include <utility>

#include "emu.h"

namespace stencilc_emu {

enum class direction { forward, reverse, random };

struct setting {
	direction way;
	uint64_t state;
};

static setting read_setting()
{
	const char *s = getenv("STENCILC_ORDER");

	if (!s || !*s || !strcmp(s, "forward"))
		return { direction::forward, 0 };
	if (!strcmp(s, "reverse"))
		return { direction::reverse, 0 };
	if (!strncmp(s, "random", 6) && (!s[6] || s[6] == ':'))
		return { direction::random,
			s[6] ? strtoull(s + 7, nullptr, 0) : 1 };
	fprintf(stderr, "stencilc-emu: STENCILC_ORDER is '%s', not "
		"'forward', 'reverse' or 'random:SEED'\n", s);
	_exit(2);
}

static setting &order()
{
	static setting s = read_setting();
	return s;
}

/* splitmix64 */
static uint64_t random_word()
{
	uint64_t z = order().state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

template <class T> static void shuffle(std::vector<T> &v)
{
	for (size_t i = v.size(); i > 1; i--)
		std::swap(v[i - 1], v[random_word() % i]);
}

/* The order of the block's "n" threads in a barrier interval.  "order" holds
 * that of the previous interval, so that only a random order takes work.
 */
void order_threads(std::vector<unsigned> &threads, unsigned n)
{
	if (threads.size() != n) {
		threads.resize(n);
		for (unsigned i = 0; i < n; i++)
			threads[i] = order().way == direction::reverse ?
				n - 1 - i : i;
	}
	if (order().way == direction::random)
		shuffle(threads);
}

const uint64_t shuffle_limit = 1 << 20;

/* More than "shuffle_limit" blocks are taken in steps of a number without a
 * common divisor.
 */
block_order::block_order(uint64_t n) : n(n), step(1), start(0)
{
	if (order().way == direction::reverse) {
		step = n - 1;
		start = n - 1;
	}
	if (order().way != direction::random || n < 2)
		return;
	if (n <= shuffle_limit) {
		shuffled.resize(n);
		std::iota(shuffled.begin(), shuffled.end(), 0);
		shuffle(shuffled);
		return;
	}
	start = random_word() % n;
	do {
		step = random_word() % n;
	} while (std::gcd(step, n) != 1);
}

uint64_t block_order::operator[](uint64_t i) const
{
	if (!shuffled.empty())
		return shuffled[i];
	return (uint64_t) ((start + (unsigned __int128) i * step) % n);
}

}
