/* The sizes that users can give, see sizes.def. */
#include <stddef.h>
#include <string.h>

#include "schedule/strategies.h"

static const struct {
	const char *name;
	size_t member;
	unsigned kind;
} sizes[] = {
#define SIZE(name, member, kind, help) \
	{ #name, offsetof(struct tile_request, member), SIZES_##kind },
#include "schedule/sizes.def"
#undef SIZE
};

enum { N_SIZES = sizeof(sizes) / sizeof(*sizes) };

static int *size_of(const struct tile_request *r, int i)
{
	return (int *) ((char *) r + sizes[i].member);
}

int *size_called(struct tile_request *r, const char *name, size_t length)
{
	for (int i = 0; i < N_SIZES; i++)
		if (strlen(sizes[i].name) == length &&
		    !memcmp(sizes[i].name, name, length))
			return size_of(r, i);
	return NULL;
}

const char *sizes_listed(struct region *mem)
{
	const char *all = sizes[0].name;

	for (int i = 1; i < N_SIZES; i++) {
		bool left_out = sizes[i].name[0] == 'w' &&
			sizes[i].name[1] > '2';

		if (!left_out)
			all = region_printf(mem, "%s, %s", all,
				strcmp(sizes[i].name, "w2") ? sizes[i].name :
				"..");
	}
	return all;
}

void sizes_leave_open(struct tile_request *r)
{
	for (int i = 0; i < N_SIZES; i++)
		*size_of(r, i) = -1;
	for (int i = 0; i < 3; i++)
		r->threads[i] = -1;
}

static bool names_threads(const struct tile_request *r)
{
	return r->threads[0] >= 0 || r->threads[1] >= 0 || r->threads[2] >= 0;
}

bool tile_request_is_open(const struct tile_request *r)
{
	bool open = !r->variant && !names_threads(r);

	for (int i = 0; i < N_SIZES; i++)
		open = open && *size_of(r, i) < 0;
	return open;
}

/* Is it a size of a dimension that the program does not have? */
static bool is_beyond(int i, int n_dims)
{
	const size_t w = offsetof(struct tile_request, w);

	return sizes[i].member >= w + sizeof(int) * (size_t) n_dims &&
		sizes[i].member < w + sizeof(int) * IR_MAX_DIMS;
}

/* Only some variants of a graph have sweeps and slabs, and blocks form clusters by request alone. */
bool strategy_has_all(const struct strategy *s, const struct tile_request *r,
	int n_dims)
{
	const unsigned needed = s->sizes & ~(SIZES_GROUPS | SIZES_CLUSTERS);
	bool all = !(s->options & WITH(HEX_DIM)) || r->hex_dim >= 0;

	for (int i = 0; i < N_SIZES; i++)
		all = all && (!(needed & sizes[i].kind) ||
			is_beyond(i, n_dims) || *size_of(r, i) >= 0);
	for (int i = 0; i < 3 && (s->sizes & SIZES_THREADS); i++)
		all = all && r->threads[i] > 0;
	if (s->sizes & SIZES_STRIPS)
		all = all && r->launches != LAUNCHES_AUTO;
	return all && (r->variant || !(s->sizes & SIZES_GROUPS));
}

/* Columns of one point are what blocks have in any case. */
static bool is_foreign(const struct strategy *s, const struct tile_request *r,
	int i)
{
	int least = sizes[i].kind == SIZES_COLUMNS &&
		(s->sizes & SIZES_BLOCKS) ? 2 : 0;

	return *size_of(r, i) >= least && !(s->sizes & sizes[i].kind);
}

const char *strategy_foreign(const struct strategy *s,
	const struct tile_request *r)
{
	if (names_threads(r) && !(s->sizes & SIZES_THREADS))
		return "threads";
	for (int i = 0; i < N_SIZES; i++)
		if (is_foreign(s, r, i))
			return sizes[i].name;
	return NULL;
}

bool size_is_possible(struct diags *d, const char *name, int size, int least,
	int most)
{
	if (size_is_between(size, least, most))
		return true;
	diag_plain(d, E_TILE, "%s = %d: it is at least %d and at most %d",
		name, size, least, most);
	return false;
}
