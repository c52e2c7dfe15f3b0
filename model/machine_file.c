/* Machine files: lines NAME = VALUE, "#" to the end of a line is a comment. */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CITER_LIMIT = 256, NUMBER_LIMIT = 64, NAME_LIMIT = 128 };

enum need { NEEDED, ESTIMATED, FITTED };

static const struct {
	enum need need;
	bool integer;
} kinds[] = {
#define INTEGER_VALUE(name, need, meaning) { need, true },
#define REAL_VALUE(name, need, meaning) { need, false },
#include "model/values.def"
#undef INTEGER_VALUE
#undef REAL_VALUE
};

struct reader {
	struct region *r;
	struct diags *d;
	const struct source *src;
	unsigned at;			/* the next byte */
	struct machine *m;
	struct machine_citer *citers;
	struct span citer_at[CITER_LIMIT];
	struct span value_at[MACHINE_VALUE_COUNT];
};

static bool at_end(const struct reader *f)
{
	return f->at >= f->src->length;
}

static char peek(const struct reader *f)
{
	return at_end(f) ? '\n' : f->src->text[f->at];
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
		c == '+';
}

static void skip_space(struct reader *f)
{
	while (!at_end(f) && is_space(peek(f)))
		++f->at;
}

static void skip_line(struct reader *f)
{
	while (!at_end(f) && peek(f) != '\n')
		++f->at;
	++f->at;
}

static struct span read_word(struct reader *f)
{
	struct span s = { f->at, f->at };

	while (!at_end(f) && is_word(peek(f)))
		s.end = ++f->at;
	return s;
}

static struct span here(const struct reader *f)
{
	return (struct span) { f->at, f->at + !at_end(f) };
}

static int length_of(struct span s)
{
	return (int) (s.end - s.start);
}

static const char *text_of(const struct reader *f, struct span s)
{
	return f->src->text + s.start;
}

/* The number at "s", finite and positive, or 0 if it "may_be_0"; false after a
 * diagnostic.
 */
static bool read_number(struct reader *f, struct span s, bool may_be_0,
	double *number)
{
	char copy[NUMBER_LIMIT];
	char *end;
	int n = length_of(s);

	if (n >= NUMBER_LIMIT) {
		diag(f->d, E_NUMBER, s, "a number of %d characters", n);
		return false;
	}
	memcpy(copy, text_of(f, s), (size_t) n);
	copy[n] = '\0';
	errno = 0;
	*number = strtod(copy, &end);
	if (end == copy || *end) {
		diag(f->d, E_NUMBER, s, "'%s' is not a number", copy);
		return false;
	}
	if (!isfinite(*number)) {
		diag(f->d, E_NOT_FINITE, s, "'%s' is not a finite number",
			copy);
		return false;
	}
	if (*number < 0 || (!(*number > 0) && !may_be_0)) {
		diag(f->d, E_NUMBER, s, may_be_0 ? "'%s' is negative" :
			"'%s' is not positive", copy);
		return false;
	}
	return true;
}

/* Set value "v" to "number", which must be whole where it counts something. */
static void set_value(struct reader *f, enum machine_value v, struct span at,
	double number)
{
	const struct machine_value_slot {
		int64_t *integer;
		double *real;
	} slots[] = {
#define INTEGER_VALUE(name, need, meaning) { &f->m->name, NULL },
#define REAL_VALUE(name, need, meaning) { NULL, &f->m->name },
#include "model/values.def"
#undef INTEGER_VALUE
#undef REAL_VALUE
	};

	if (!kinds[v].integer) {
		*slots[v].real = number;
	} else if (number > 1e15) {
		diag(f->d, E_OVERFLOW, at, "'%s' is more than 1e15",
			machine_value_name(v));
	} else if (number != floor(number)) {
		diag(f->d, E_NUMBER, at, "'%s' counts something; "
			"its value must be whole", machine_value_name(v));
	} else {
		*slots[v].integer = (int64_t) number;
	}
	f->m->given |= (uint64_t) 1 << v;
}

static void report_duplicate(struct reader *f, struct span name,
	struct span first)
{
	diag(f->d, E_REDEFINED, name, "'%.*s' is given twice",
		length_of(name), text_of(f, name));
	diag_note(f->d, first, "first given here");
}

static bool is_named(const struct reader *f, struct span s, const char *name)
{
	return strlen(name) == (size_t) length_of(s) &&
		!memcmp(text_of(f, s), name, strlen(name));
}

/* "citer_s.STENCIL = seconds". */
static void add_citer(struct reader *f, struct span name, double number)
{
	size_t prefix = strlen("citer_s.");
	const char *stencil = region_strndup(f->r, text_of(f, name) + prefix,
		(size_t) length_of(name) - prefix);

	for (int i = 0; i < f->m->n_citers; ++i) {
		if (strcmp(f->citers[i].stencil, stencil))
			continue;
		report_duplicate(f, name, f->citer_at[i]);
		return;
	}
	if (f->m->n_citers == CITER_LIMIT) {
		diag(f->d, E_TOO_LARGE, name, "more than %d stencils",
			CITER_LIMIT);
		return;
	}
	f->citer_at[f->m->n_citers] = name;
	f->citers[f->m->n_citers++] =
		(struct machine_citer) { stencil, number };
}

static bool is_citer(const struct reader *f, struct span name)
{
	size_t prefix = strlen("citer_s.");

	return (size_t) length_of(name) > prefix &&
		!memcmp(text_of(f, name), "citer_s.", prefix);
}

/* "levelN.NAME = value"; false if the name has another form. */
static bool define_level(struct reader *f, struct span name, struct span at)
{
	const char *text = region_strndup(f->r, text_of(f, name),
		(size_t) length_of(name));
	const char *wrong;

	if (!machine_is_level(text))
		return false;
	wrong = machine_set_level(f->r, f->m, text, region_strndup(f->r,
		text_of(f, at), (size_t) length_of(at)));
	if (wrong)
		diag(f->d, E_NUMBER, at, "'%s': %s", text, wrong);
	return true;
}

static enum machine_value find_value(const struct reader *f, struct span name)
{
	int v = 0;

	while (v < MACHINE_VALUE_COUNT &&
	       !is_named(f, name, machine_value_name((enum machine_value) v)))
		++v;
	return (enum machine_value) v;
}

static void define(struct reader *f, struct span name, struct span at)
{
	enum machine_value v = find_value(f, name);
	double number;

	if (length_of(name) <= NAME_LIMIT && define_level(f, name, at))
		return;
	if (length_of(name) > NAME_LIMIT ||
	    (v == MACHINE_VALUE_COUNT && !is_citer(f, name))) {
		diag(f->d, E_UNDECLARED, name,
			"a machine has no value called '%.*s'",
			smaller(length_of(name), NAME_LIMIT),
			text_of(f, name));
		return;
	}
	if (v < MACHINE_VALUE_COUNT && f->m->given >> v & 1) {
		report_duplicate(f, name, f->value_at[v]);
		return;
	}
	if (v < MACHINE_VALUE_COUNT) {
		f->value_at[v] = name;
		f->m->given |= (uint64_t) 1 << v;
	}
	if (!read_number(f, at, machine_is_fitted(v), &number))
		return;
	if (v < MACHINE_VALUE_COUNT)
		set_value(f, v, at, number);
	else
		add_citer(f, name, number);
}

/* A line: empty, or NAME = VALUE; then perhaps a comment. */
static void read_line(struct reader *f)
{
	struct span name, value;

	skip_space(f);
	if (peek(f) == '\n' || peek(f) == '#')
		return;
	name = read_word(f);
	skip_space(f);
	if (!length_of(name) || peek(f) != '=') {
		diag(f->d, E_SYNTAX, here(f),
			"expected %s", length_of(name) ? "'='" :
			"the name of a value");
		return;
	}
	++f->at;
	skip_space(f);
	value = read_word(f);
	if (!length_of(value)) {
		diag(f->d, E_NUMBER, here(f), "expected a number");
		return;
	}
	skip_space(f);
	if (peek(f) != '\n' && peek(f) != '#') {
		diag(f->d, E_SYNTAX, here(f), "expected the end of the line");
		return;
	}
	define(f, name, value);
}

static void report_missing(struct reader *f)
{
	unsigned length = (unsigned) f->src->length;
	struct span end = { length, length };

	for (int v = 0; v < MACHINE_VALUE_COUNT; ++v) {
		if (kinds[v].need != NEEDED || f->m->given >> v & 1)
			continue;
		diag(f->d, E_UNDECLARED, end, "'%s' is missing: %s",
			machine_value_name((enum machine_value) v),
			machine_value_meaning((enum machine_value) v));
	}
}

/* Contradictory limits would leave the search no space. */
static void check_limits(struct reader *f)
{
	if (f->m->shared_bytes_per_block > f->m->shared_bytes_per_sm)
		diag(f->d, E_NUMBER,
			f->value_at[MACHINE_shared_bytes_per_block],
			"a block may have %lld bytes of shared memory, "
			"but an SM has %lld",
			(long long) f->m->shared_bytes_per_block,
			(long long) f->m->shared_bytes_per_sm);
}

static void check_levels(struct reader *f)
{
	unsigned length = (unsigned) f->src->length;
	const char *wrong = machine_check_levels(f->r, f->m);

	if (wrong)
		diag(f->d, E_UNDECLARED, (struct span) { length, length },
			"%s", wrong);
}

const struct machine *machine_parse(struct region *r, struct diags *d,
	const struct source *src)
{
	struct machine *m = region_new_of(r, struct machine);
	struct reader f = { .r = r, .d = d, .src = src, .m = m };
	unsigned errors = d->errors;

	m->name = src->name;
	m->title = src->name;
	f.citers = region_array(r, struct machine_citer, CITER_LIMIT);
	m->citers = f.citers;
	while (!at_end(&f) && !diag_full(d)) {
		read_line(&f);
		skip_line(&f);
	}
	if (d->errors == errors)
		report_missing(&f);
	if (d->errors == errors)
		check_limits(&f);
	if (d->errors == errors)
		check_levels(&f);
	if (d->errors != errors)
		return NULL;
	machine_estimate(m);
	return m;
}
