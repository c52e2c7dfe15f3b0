/* The levels of abstract machines in machine files: levelN.NAME = VALUE. */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, HALO, COUNT, REAL, FLAG };

static const struct part {
	const char *name;
	enum kind kind;
	size_t offset;
} parts[] = {
	{ "memory", TEXT, offsetof(struct machine_level, memory) },
	{ "halo", HALO, offsetof(struct machine_level, halo) },
	{ "tile_x", COUNT, offsetof(struct machine_level, tile[0]) },
	{ "tile_y", COUNT, offsetof(struct machine_level, tile[1]) },
	{ "tile_z", COUNT, offsetof(struct machine_level, tile[2]) },
	{ "vertical_bytes_per_s", REAL,
	  offsetof(struct machine_level, vertical_bytes_per_s) },
	{ "lateral_bytes_per_s", REAL,
	  offsetof(struct machine_level, lateral_bytes_per_s) },
	{ "bytes", REAL, offsetof(struct machine_level, bytes) },
	{ "splits", FLAG, offsetof(struct machine_level, splits) },
};

enum { N_PARTS = sizeof(parts) / sizeof(*parts) };

bool machine_is_level(const char *name)
{
	return !strncmp(name, "level", 5) && name[5] >= '1' &&
		name[5] <= '0' + MACHINE_MAX_LEVELS && name[6] == '.';
}

static const char *set_number(void *to, enum kind kind, const char *value)
{
	char *end;
	double number;

	errno = 0;
	number = strtod(value, &end);
	if (end == value || *end || errno || !isfinite(number) || number < 0)
		return "it is a number, at least 0";
	if (kind == REAL) {
		*(double *) to = number;
		return NULL;
	}
	if (number != floor(number) || number > (kind == FLAG ? 1 : 1e9))
		return kind == FLAG ? "it is 0 or 1" :
			"it is a whole number, at most 1e9";
	if (kind == FLAG)
		*(bool *) to = number > 0;
	else
		*(int64_t *) to = (int64_t) number;
	return NULL;
}

const char *machine_set_level(struct region *r, struct machine *m,
	const char *name, const char *value)
{
	int n = name[5] - '0', i = 0;
	void *to;

	while (i < N_PARTS && strcmp(parts[i].name, name + 7) != 0)
		i++;
	if (i == N_PARTS)
		return "a level has no such value";
	m->n_levels = larger(m->n_levels, n);
	to = (char *) &m->level[n - 1] + parts[i].offset;
	if (parts[i].kind > HALO)
		return set_number(to, parts[i].kind, value);
	if (parts[i].kind == HALO && strcmp(value, "of") != 0 &&
	    strcmp(value, "hp") != 0 && strcmp(value, "hs") != 0)
		return "it is of, hp or hs";
	*(const char **) to = region_strdup(r, value);
	return NULL;
}

const char *machine_check_levels(struct region *r, const struct machine *m)
{
	for (int l = 0; l < m->n_levels; l++)
		if (!m->level[l].memory || !m->level[l].halo)
			return region_printf(r, "level%d.%s is missing", l + 1,
				m->level[l].memory ? "halo" : "memory");
	if (m->n_levels == 1)
		return "there is one level only";
	return NULL;
}

void machine_print_levels(struct text *t, const struct machine *m)
{
	for (int l = 0; l < m->n_levels; l++)
		for (int i = 0; i < N_PARTS; i++) {
			const char *at = (const char *) &m->level[l] +
				parts[i].offset;

			text_printf(t, "level%d.%s = ", l + 1, parts[i].name);
			if (parts[i].kind <= HALO)
				text_puts(t, *(const char *const *) at);
			else if (parts[i].kind == COUNT)
				text_printf(t, "%lld", (long long)
					*(const int64_t *) at);
			else if (parts[i].kind == REAL)
				text_printf(t, "%.17g", *(const double *) at);
			else
				text_printf(t, "%d", *(const bool *) at);
			text_puts(t, "\n");
		}
}
