/* The readings of the formulas, by name. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct switch_info {
	const char *name, *values, *meaning;
	size_t offset;
	int printed, recommended;
} infos[] = {
#define SWITCH(name, printed, recommended, values, meaning) \
	{ #name, values, meaning, offsetof(struct switches, name), printed, \
	  recommended },
#define NUMBER(name, printed, recommended, meaning)
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
};

static const struct number_info {
	const char *name, *meaning;
	size_t offset;
	double printed, recommended;
} numbers[] = {
#define SWITCH(name, printed, recommended, values, meaning)
#define NUMBER(name, printed, recommended, meaning) \
	{ #name, meaning, offsetof(struct switches, name), printed, \
	  recommended },
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
};

enum {
	N_INFOS = sizeof(infos) / sizeof(*infos),
	N_NUMBERS = sizeof(numbers) / sizeof(*numbers),
};

static const char machine_word[] = "machine";

static int *choice(struct switches *s, const struct switch_info *info)
{
	return (int *) (void *) ((char *) s + info->offset);
}

static double *number(struct switches *s, const struct number_info *info)
{
	return (double *) (void *) ((char *) s + info->offset);
}

struct switches switches_printed(void)
{
	struct switches s = { .preset = "printed" };

	for (int i = 0; i < N_INFOS; ++i)
		*choice(&s, &infos[i]) = infos[i].printed;
	for (int i = 0; i < N_NUMBERS; ++i)
		*number(&s, &numbers[i]) = numbers[i].printed;
	return s;
}

struct switches switches_recommended(void)
{
	struct switches s = { .preset = "recommended" };

	for (int i = 0; i < N_INFOS; ++i)
		*choice(&s, &infos[i]) = infos[i].recommended;
	for (int i = 0; i < N_NUMBERS; ++i)
		*number(&s, &numbers[i]) = numbers[i].recommended;
	return s;
}

/* The position of the word "w" of "length" letters in "words", a list separated
 * by blanks; or -1.
 */
static int find_word(const char *words, const char *w, size_t length)
{
	for (int i = 0; *words; ++i) {
		size_t n = strcspn(words, " ");

		if (n == length && !memcmp(words, w, n))
			return i;
		words += n + (words[n] == ' ');
	}
	return -1;
}

static bool is_name(const char *name, const char *w, size_t length)
{
	return strlen(name) == length && !memcmp(name, w, length);
}

static const char *set_number(struct region *r, struct switches *s,
	const struct number_info *info, const char *value, size_t length)
{
	const char *copy = region_strndup(r, value, length);
	char *end;
	double x = strtod(copy, &end);

	if (is_name(machine_word, value, length))
		x = OF_MACHINE;
	else if (end == copy || *end || !isfinite(x) || x < 0)
		return region_printf(r, "'%s' is not a value of '%s': a "
			"number of at least 0 is, or '%s'", copy, info->name,
			machine_word);
	*number(s, info) = x;
	return NULL;
}

/* "name=value", of which the name has "n" letters. */
static const char *set_switch(struct region *r, struct switches *s,
	const char *item, size_t n, size_t length)
{
	const char *value = item + n + 1;
	size_t rest = length - n - 1;

	for (int i = 0; i < N_NUMBERS; ++i)
		if (is_name(numbers[i].name, item, n))
			return set_number(r, s, &numbers[i], value, rest);
	for (int i = 0; i < N_INFOS; ++i) {
		int found;

		if (!is_name(infos[i].name, item, n))
			continue;
		found = find_word(infos[i].values, value, rest);
		if (found < 0)
			return region_printf(r, "'%.*s' is not a value of "
				"'%s'; its values: %s", (int) rest, value,
				infos[i].name, infos[i].values);
		*choice(s, &infos[i]) = found;
		return NULL;
	}
	return region_printf(r, "the model has no switch '%.*s'", (int) n,
		item);
}

static const char *apply(struct region *r, struct switches *s,
	const char *item, size_t length)
{
	const char *equals = memchr(item, '=', length);

	if (is_name("printed", item, length))
		*s = switches_printed();
	else if (is_name("recommended", item, length))
		*s = switches_recommended();
	else if (!equals)
		return region_printf(r, "'%.*s' is neither a preset (printed, "
			"recommended) nor 'switch=value'", (int) length, item);
	else
		return set_switch(r, s, item, (size_t) (equals - item),
			length);
	return NULL;
}

static bool are_equal(struct switches *a, struct switches *b)
{
	for (int i = 0; i < N_INFOS; ++i)
		if (*choice(a, &infos[i]) != *choice(b, &infos[i]))
			return false;
	for (int i = 0; i < N_NUMBERS; ++i)
		if (*number(a, &numbers[i]) < *number(b, &numbers[i]) ||
		    *number(a, &numbers[i]) > *number(b, &numbers[i]))
			return false;
	return true;
}

static void name_preset(struct switches *s)
{
	struct switches printed = switches_printed();
	struct switches recommended = switches_recommended();

	s->preset = are_equal(s, &recommended) ? "recommended" :
		are_equal(s, &printed) ? "printed" : "custom";
}

const char *switches_parse(struct region *r, const char *text,
	struct switches *s)
{
	*s = switches_recommended();
	for (;;) {
		size_t length = strcspn(text, ",");
		const char *wrong = apply(r, s, text, length);

		if (wrong)
			return wrong;
		if (!text[length])
			break;
		text += length + 1;
	}
	name_preset(s);
	return NULL;
}

/* The word number "i" of "words". */
static void print_word(struct text *t, const char *words, int i)
{
	for (; i > 0; --i)
		words = strchr(words, ' ') + 1;
	text_printf(t, "%.*s", (int) strcspn(words, " "), words);
}

static void print_number(struct text *t, const struct number_info *info,
	double value)
{
	if (value < 0)
		text_printf(t, ",%s=%s", info->name, machine_word);
	else
		text_printf(t, ",%s=%g", info->name, value);
}

void switches_print(struct text *t, const struct switches *s)
{
	struct switches copy = *s;

	for (int i = 0; i < N_INFOS; ++i) {
		text_printf(t, "%s%s=", i ? "," : "", infos[i].name);
		print_word(t, infos[i].values, *choice(&copy, &infos[i]));
	}
	for (int i = 0; i < N_NUMBERS; ++i)
		print_number(t, &numbers[i], *number(&copy, &numbers[i]));
}
