/* The emulator's counts, from the file that STENCILC_METRICS named:
 *
 *	{"kernels": [{"name": "heat2d_phase0", "launches": 3, ...}, ...]}
 *
 * names and numbers, in any order.
 */
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 256, MOST_VALUES = 64 };

struct metric {
	const char *key;
	double value;
};

struct metric_kernel {
	const char *name;
	int n;
	struct metric *metric;
};

struct metrics {
	int n;
	struct metric_kernel *kernel;
};

/* Reading -----------------------------------------------------------------*/

struct reader {
	struct region *mem;
	const char *at;
};

/* Skip "c", and blanks before it. */
static bool take(struct reader *r, char c)
{
	r->at += strspn(r->at, " \t\r\n");
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

/* A string without escapes, or NULL. */
static const char *take_string(struct reader *r)
{
	size_t n;
	const char *s;

	if (!take(r, '"'))
		return NULL;
	n = strcspn(r->at, "\"\\\n");
	if (r->at[n] != '"')
		return NULL;
	s = region_strndup(r->mem, r->at, n);
	r->at += n + 1;
	return s;
}

static bool take_key(struct reader *r, const char **key)
{
	*key = take_string(r);
	return *key && take(r, ':');
}

static bool take_number(struct reader *r, double *value)
{
	char *end;

	r->at += strspn(r->at, " \t\r\n");
	if (!strchr("0123456789", *r->at))
		return false;
	*value = strtod(r->at, &end);
	r->at = end;
	return isfinite(*value);
}

static bool take_kernel(struct reader *r, struct metric_kernel *k)
{
	const char *key;

	if (!take(r, '{'))
		return false;
	k->metric = region_array(r->mem, struct metric, MOST_VALUES);
	do {
		if (k->n == MOST_VALUES || !take_key(r, &key))
			return false;
		if (!strcmp(key, "name")) {
			k->name = take_string(r);
			if (!k->name)
				return false;
		} else {
			struct metric *metric = &k->metric[k->n++];

			metric->key = key;
			if (!take_number(r, &metric->value))
				return false;
		}
	} while (take(r, ','));
	return k->name && take(r, '}');
}

static bool take_metrics(struct reader *r, struct metrics *list)
{
	const char *key;

	if (!take(r, '{') || !take_key(r, &key) || strcmp(key, "kernels") ||
	    !take(r, '['))
		return false;
	list->kernel = region_array(r->mem, struct metric_kernel, MOST_KERNELS);
	do
		if (list->n == MOST_KERNELS ||
		    !take_kernel(r, &list->kernel[list->n++]))
			return false;
	while (take(r, ','));
	if (!take(r, ']') || !take(r, '}'))
		return false;
	r->at += strspn(r->at, " \t\r\n");
	return !*r->at;
}

const struct metrics *picture_read_metrics(struct region *mem,
	struct diags *d, const struct source *src)
{
	struct metrics *list = region_new_of(mem, struct metrics);
	struct reader r = { mem, src->text };
	unsigned line, column;

	if (take_metrics(&r, list))
		return list;
	source_place(src, (unsigned) (r.at - src->text), &line, &column);
	diag_plain(d, E_METRICS, "%s:%u:%u: this is not a file of metrics of the "
		"emulator", src->name, line, column);
	return NULL;
}

/* Showing -----------------------------------------------------------------*/

static const struct {
	const char *key, *meaning;
} meanings[] = {
	{ "launches", "launches" },
	{ "blocks", "blocks" },
	{ "threads", "threads" },
	{ "barriers", "barriers, once a block" },
	{ "updates", "points updated" },
	{ "global_load_requests", "loads of global memory, by warps" },
	{ "global_load_accesses", "the same, by threads" },
	{ "global_load_sectors", "32-byte sectors that they touch" },
	{ "global_load_efficiency", "part of their bytes that is asked for" },
	{ "global_load_block_sectors", "sectors, each once a block" },
	{ "global_load_group_sectors", "sectors, each once for the blocks "
		"resident at once" },
	{ "global_store_requests", "stores to global memory, by warps" },
	{ "global_store_accesses", "the same, by threads" },
	{ "global_store_sectors", "32-byte sectors that they touch" },
	{ "global_store_block_sectors", "sectors, each once a block" },
	{ "global_store_group_sectors", "sectors, each once for the blocks "
		"resident at once" },
	{ "global_store_efficiency", "part of their bytes that is stored" },
	{ "shared_load_requests", "loads of shared memory, by warps" },
	{ "shared_load_wavefronts", "their passes, one each without bank "
		"conflicts" },
	{ "shared_store_requests", "stores to shared memory, by warps" },
	{ "shared_store_wavefronts", "their passes" },
};

static const struct metric *find(const struct metric_kernel *k,
	const char *key)
{
	for (int i = 0; i < k->n; i++)
		if (!strcmp(k->metric[i].key, key))
			return &k->metric[i];
	return NULL;
}

static void print_value(struct markup *m, const struct metric *metric)
{
	markup_open(m, "td");
	markup_attribute(m, "class", "number");
	if (metric) {
		markup_attribute(m, "data-value", "%.17g", metric->value);
		markup_text(m, "%.*f", metric->value < 1 &&
			metric->value > 0 ? 4 : 0, metric->value);
	}
	markup_close(m);
}

static void print_head(struct markup *m, const char *text)
{
	markup_open(m, "th");
	markup_attribute(m, "scope", "col");
	markup_text(m, "%s", text);
	markup_close(m);
}

void picture_metrics(struct markup *m, const struct metrics *list)
{
	markup_open(m, "table");
	markup_open(m, "thead");
	markup_open(m, "tr");
	print_head(m, "counted");
	for (int i = 0; i < list->n; i++)
		print_head(m, list->kernel[i].name);
	markup_close(m);
	markup_close(m);
	markup_open(m, "tbody");
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
		markup_text(m, "\n");
		markup_open(m, "tr");
		markup_attribute(m, "data-key", "%s", meanings[i].key);
		markup_open(m, "th");
		markup_attribute(m, "scope", "row");
		markup_text(m, "%s", meanings[i].meaning);
		markup_close(m);
		for (int k = 0; k < list->n; k++)
			print_value(m, find(&list->kernel[k],
				meanings[i].key));
		markup_close(m);
	}
	markup_close(m);
	markup_close(m);
}
