/* Mutations of programs by their grammar, for libFuzzer: texts are cut into
 * tokens, and brackets pair up.  A mutation drops, doubles, exchanges or takes
 * from another input a token, a pair of brackets with its content, or a
 * statement.  One change in four is libFuzzer's own.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
	unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t size_a,
	const uint8_t *b, size_t size_b, uint8_t *out, size_t max,
	unsigned int seed);

enum { MOST_TOKENS = 4096, MOST_BYTES = 1 << 16 };

enum class { WORD, NUMBER, OPEN, CLOSE, SIGN };

struct token {
	size_t start, end;
	enum class class;
	int partner;		/* of a bracket, or -1 */
};

/* A text as tokens. */
struct cut {
	const char *text;
	size_t size;
	int n;
	struct token token[MOST_TOKENS];
};

/* Bytes of a cut, all of one kind: "(", "[", "{", ";" for statements, or the
 * class of a token.
 */
struct piece {
	size_t start, end;
	char kind;
};

static unsigned int next(unsigned int *seed, unsigned int n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return n ? (*seed >> 8) % n : 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char) c) || c == '_';
}

/* The end of the token at "i", which is no space. */
static size_t token_end(const char *s, size_t size, size_t i,
	enum class *class)
{
	bool number = isdigit((unsigned char) s[i]);

	*class = number ? NUMBER : SIGN;
	if (is_word(s[i])) {
		if (!number)
			*class = WORD;
		while (i < size && (is_word(s[i]) || (number && s[i] == '.' &&
		       i + 1 < size && s[i + 1] != '.')))
			i++;
		return i;
	}
	if (strchr("([{", s[i]))
		*class = OPEN;
	else if (strchr(")]}", s[i]))
		*class = CLOSE;
	else if (i + 1 < size && strchr("=|&.", s[i + 1]) &&
		 strchr("=<>!|&.+*-", s[i]))
		return i + 2;
	return i + 1;
}

/* Each bracket that closes belongs to the last open one. */
static void pair_brackets(struct cut *cut)
{
	int open[MOST_TOKENS], n = 0;

	for (int i = 0; i < cut->n; i++) {
		struct token *t = &cut->token[i];

		t->partner = -1;
		if (t->class == OPEN) {
			open[n++] = i;
		} else if (t->class == CLOSE && n > 0) {
			t->partner = open[--n];
			cut->token[t->partner].partner = i;
		}
	}
}

static void cut_text(struct cut *cut, const char *text, size_t size)
{
	cut->text = text;
	cut->size = size;
	cut->n = 0;
	for (size_t i = 0; i < size && cut->n < MOST_TOKENS; ) {
		struct token *t = &cut->token[cut->n];

		if (!text[i] || isspace((unsigned char) text[i])) {
			i++;
			continue;
		}
		t->start = i;
		i = t->end = token_end(text, size, i, &t->class);
		cut->n++;
	}
	pair_brackets(cut);
}

/* Does a statement begin at token "i"? */
static bool begins_statement(const struct cut *cut, int i)
{
	char before = i > 0 ? cut->text[cut->token[i - 1].start] : ';';

	return before == ';' || before == '{' || before == '}';
}

/* The statement that begins at token "i", with what its brackets hold. */
static struct piece statement_at(const struct cut *cut, int i)
{
	struct piece p = { cut->token[i].start, cut->token[i].end, ';' };

	for (; i < cut->n; i++) {
		const struct token *t = &cut->token[i];
		char c = cut->text[t->start];

		if (t->class == CLOSE)
			break;
		if (t->class == OPEN && t->partner > i) {
			i = t->partner;
			t = &cut->token[i];
		}
		p.end = t->end;
		if (c == ';' || c == '{')
			break;
	}
	return p;
}

/* A piece of "cut" of "kind", or of any if 0; false if none was met. */
static bool find_piece(const struct cut *cut, char kind, unsigned int *seed,
	struct piece *p)
{
	for (int tries = 0; tries < 50 && cut->n > 0; tries++) {
		int i = (int) next(seed, (unsigned int) cut->n);
		const struct token *t = &cut->token[i];

		if (begins_statement(cut, i) && next(seed, 2))
			*p = statement_at(cut, i);
		else if (t->class == OPEN && t->partner > i)
			*p = (struct piece) { t->start,
				cut->token[t->partner].end,
				cut->text[t->start] };
		else
			*p = (struct piece) { t->start, t->end,
				(char) ('0' + t->class) };
		if (!kind || p->kind == kind)
			return true;
	}
	return false;
}

/* "p" of "cut" becomes "n" bytes; the size of what is in "out". */
static size_t replace(const struct cut *cut, const struct piece *p,
	const char *by, size_t n, char *out, size_t max)
{
	size_t rest = cut->size - p->end;

	if (p->start + n + rest > max)
		return 0;
	memcpy(out, cut->text, p->start);
	memcpy(out + p->start, by, n);
	memcpy(out + p->start + n, cut->text + p->end, rest);
	return p->start + n + rest;
}

/* Numbers at and about which something happens. */
static size_t other_number(const struct cut *cut, const struct piece *p,
	unsigned int *seed, char *out, size_t max)
{
	static const char *const numbers[] = { "0", "1", "2", "3", "7", "32",
		"1000", "2147483647", "2147483648", "9223372036854775807",
		"99999999999999999999", "0.5f", "1e308", "1.0", "-1", "0x1" };
	const char *by = numbers[next(seed,
		sizeof(numbers) / sizeof(numbers[0]))];

	return replace(cut, p, by, strlen(by), out, max);
}

static size_t other_sign(const struct cut *cut, const struct piece *p,
	unsigned int *seed, char *out, size_t max)
{
	static const char *const signs[] = { "+", "-", "*", "/", "%", "<",
		"<=", ">", ">=", "==", "!=", "&&", "||", "?", ":", ",", ";",
		"=", "!", "..", "+=" };
	const char *by = signs[next(seed, sizeof(signs) / sizeof(signs[0]))];

	return replace(cut, p, by, strlen(by), out, max);
}

/* "p" twice. */
static size_t twice(const struct cut *cut, const struct piece *p, char *out,
	size_t max)
{
	struct piece after = { p->end, p->end, p->kind };

	return replace(cut, &after, cut->text + p->start, p->end - p->start,
		out, max);
}

/* One change of "cut" by a piece of "from"; 0 if it is none. */
static size_t change(const struct cut *cut, const struct cut *from,
	unsigned int *seed, char *out, size_t max)
{
	struct piece p, q;

	if (!find_piece(cut, 0, seed, &p))
		return 0;
	switch (next(seed, cut == from ? 6 : 2)) {
	case 2:
		return replace(cut, &p, "", 0, out, max);
	case 3:
		return twice(cut, &p, out, max);
	case 4:
		if (p.kind == '0' + NUMBER)
			return other_number(cut, &p, seed, out, max);
		if (p.kind == '0' + SIGN)
			return other_sign(cut, &p, seed, out, max);
		break;
	case 5:
		if (p.kind == ';' && find_piece(from, ';', seed, &q))
			p.end = p.start;
		break;
	}
	if (!find_piece(from, p.kind, seed, &q))
		return 0;
	return replace(cut, &p, from->text + q.start, q.end - q.start, out,
		max);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
	unsigned int seed)
{
	static struct cut cut;
	static char out[MOST_BYTES];
	int changes = 1 + (int) next(&seed, 3);

	if (max > MOST_BYTES)
		max = MOST_BYTES;
	if (next(&seed, 4) == 0)
		return LLVMFuzzerMutate(data, size, max);
	while (changes-- > 0) {
		size_t n;

		cut_text(&cut, (const char *) data, size);
		n = change(&cut, &cut, &seed, out, max);
		if (!n)
			continue;
		memcpy(data, out, n);
		size = n;
	}
	return size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t size_a,
	const uint8_t *b, size_t size_b, uint8_t *out, size_t max,
	unsigned int seed)
{
	static struct cut to, from;

	cut_text(&to, (const char *) a, size_a);
	cut_text(&from, (const char *) b, size_b);
	return change(&to, &from, &seed, (char *) out, max);
}
