/* stencilc-emu-rewrite --mode=N IN OUT: turn preprocessed CUDA into C++.
 *
 *	K<<<grid, block>>>(x);	::stencilc_emu::launch("K", K, grid, block)(x);
 *	__shared__ float s[9];	static float s[9];	and s is listed
 *	extern __shared__ T s[];	extern T s[] at a fixed place
 *	__global__ void k() {}	void k() {}	and k is registered
 *	cudaFree(p);		::stencilc_emu::dropped = cudaFree(p);
 *	asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
 *				y = ::stencilc_emu::rcp_approx_ftz_f32(x);
 *
 * No edit changes a line number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

typedef std::string string;

enum class kind { word, number, text, sign, end };

struct token {
	enum kind kind;
	size_t start, end;
	std::string_view value;		/* of words and signs: in the source */
};

struct edit {
	size_t at, remove;
	string insert;
};


struct unit {
	string source;
	std::vector<token> tokens;
	std::vector<edit> edits;
	string names;				/* see kernels.cpp */
	std::map<string, string> bounds;	/* kernel: threads */
	std::map<string, string> clusters;	/* kernel: blocks along x, y, z */
	std::map<string, int> definitions;
	std::map<string, size_t> templates;	/* number of parameters */
	unsigned entries = 0;
};

/* Split text into tokens.  It is preprocessed: no comments; a line that begins
 * with # is a marker or a pragma.
 */

static bool is_word_start(char c)
{
	return isalpha((unsigned char) c) || c == '_' || c == '$' || c & 0x80;
}

static bool is_word(char c)
{
	return is_word_start(c) || isdigit((unsigned char) c);
}

static size_t skip_line(const string &s, size_t i)
{
	while (i < s.size() && s[i] != '\n')
		i++;
	return i;
}

static size_t skip_quoted(const string &s, size_t i)
{
	char quote = s[i++];

	while (i < s.size() && s[i] != quote && s[i] != '\n')
		i += s[i] == '\\' ? 2 : 1;
	return std::min(i + 1, s.size());
}

/* R"x(...)x", "i" at the quote. */
static size_t skip_raw(const string &s, size_t i)
{
	size_t open = s.find('(', i);

	if (open == string::npos)
		return s.size();
	string close = ")" + s.substr(i + 1, open - i - 1) + "\"";
	size_t end = s.find(close, open);
	return end == string::npos ? s.size() : end + close.size();
}

static size_t skip_number(const string &s, size_t i)
{
	while (i < s.size()) {
		if ((s[i] == '+' || s[i] == '-') && strchr("eEpP", s[i - 1]))
			i++;
		else if (s[i] == '\'' && i + 1 < s.size() &&
		    is_word(s[i + 1]))
			i++;
		else if (is_word(s[i]) || s[i] == '.')
			i++;
		else
			break;
	}
	return i;
}

static bool starts_number(const string &s, size_t i)
{
	return isdigit((unsigned char) s[i]) || (s[i] == '.' &&
		i + 1 < s.size() && isdigit((unsigned char) s[i + 1]));
}

static bool is_raw_prefix(const string &w)
{
	return w == "R" || w == "LR" || w == "uR" || w == "UR" || w == "u8R";
}

static void tokenize(unit &u)
{
	const string &s = u.source;
	bool line_start = true;

	u.tokens.reserve(s.size() / 4);
	for (size_t i = 0, end; i < s.size(); i = end) {
		kind k = kind::sign;
		if (s[i] == '\n')
			line_start = true;
		end = i + 1;
		if (isspace((unsigned char) s[i]))
			continue;
		if (s[i] == '#' && line_start) {
			end = skip_line(s, i);
			continue;
		}
		line_start = false;
		if (is_word_start(s[i])) {
			k = kind::word;
			while (end < s.size() && is_word(s[end]))
				end++;
			if (end < s.size() && s[end] == '"' &&
			    is_raw_prefix(s.substr(i, end - i))) {
				k = kind::text;
				end = skip_raw(s, end);
			}
		} else if (starts_number(s, i)) {
			k = kind::number;
			end = skip_number(s, i + 1);
		} else if (s[i] == '"' || s[i] == '\'') {
			k = kind::text;
			end = skip_quoted(s, i);
		} else if (s[i] == ':' && end < s.size() && s[end] == ':') {
			end++;
		} else if (s[i] == '-' && end < s.size() && s[end] == '>') {
			end++;
		}
		u.tokens.push_back({ k, i, end,
			std::string_view(s).substr(i, end - i) });
	}
	token last = { kind::end, s.size(), s.size(), "" };
	u.tokens.push_back(last);
}

/* Walking over tokens. */

static bool is(const unit &u, size_t i, std::string_view value)
{
	return i < u.tokens.size() && u.tokens[i].value == value &&
		u.tokens[i].kind != kind::text;
}

static bool is_word_at(const unit &u, size_t i)
{
	return i < u.tokens.size() && u.tokens[i].kind == kind::word;
}

static bool is_one_of(const unit &u, size_t i, const char *signs)
{
	return i < u.tokens.size() && u.tokens[i].kind == kind::sign &&
		u.tokens[i].value.size() == 1 &&
		strchr(signs, u.tokens[i].value[0]);
}

/* The index of the bracket that closes the one at "i", or the end. */
static size_t closing(const unit &u, size_t i)
{
	int depth = 0;

	for (; i + 1 < u.tokens.size(); i++) {
		if (is_one_of(u, i, "([{"))
			depth++;
		else if (is_one_of(u, i, ")]}") && --depth == 0)
			break;
	}
	return i;
}

/* The index of the bracket that opens the one closed at "i", or 0. */
static size_t opening(const unit &u, size_t i)
{
	int depth = 0;

	for (; i > 0; i--) {
		if (is_one_of(u, i, ")]}"))
			depth++;
		else if (is_one_of(u, i, "([{") && --depth == 0)
			break;
	}
	return i;
}

/* The index of '>' for the '<' of template arguments at "i", or "i". */
static size_t closing_angle(const unit &u, size_t i)
{
	int depth = 0;

	for (size_t j = i; j + 1 < u.tokens.size(); j++) {
		if (is_one_of(u, j, "([{"))
			j = closing(u, j);
		else if (is(u, j, "<"))
			depth++;
		else if (is(u, j, ">") && --depth == 0)
			return j;
		else if (is_one_of(u, j, ";}"))
			break;
	}
	return i;
}

/* The index of '<' for the '>' of template arguments at "i", or "i". */
static size_t opening_angle(const unit &u, size_t i)
{
	int depth = 0;

	for (size_t j = i; j > 0; j--) {
		if (is_one_of(u, j, ")]}"))
			j = opening(u, j);
		else if (is(u, j, ">"))
			depth++;
		else if (is(u, j, "<") && --depth == 0)
			return j;
		else if (is_one_of(u, j, ";{"))
			break;
	}
	return i;
}

static bool takes_parentheses(const unit &u, size_t i)
{
	static const char *const words[] = {
		"__attribute__", "__launch_bounds__", "alignas", "decltype",
		"__declspec", "__maxnreg__", "__cluster_dims__", "asm",
		"__asm__", "__block_size__", "noexcept",
	};

	for (const char *w : words)
		if (is(u, i, w))
			return is(u, i + 1, "(");
	return false;
}

/* The first token of the declaration around "i". */
static size_t declaration_start(const unit &u, size_t i)
{
	while (i > 0 && !is_one_of(u, i - 1, ";{}"))
		i--;
	return i;
}

/* The index of the next "word" before the end of the declaration of "i", or 0. */
static size_t find_word(const unit &u, size_t i, const char *word)
{
	for (size_t j = declaration_start(u, i);
	    j < u.tokens.size() && !is_one_of(u, j, ";{="); j++)
		if (is(u, j, word))
			return j ? j : i;
	return 0;
}

static string text_of(const unit &u, size_t from, size_t to)
{
	string s;

	for (size_t i = from; i < to; i++) {
		if (i > from && u.tokens[i].kind != kind::sign &&
		    u.tokens[i - 1].kind != kind::sign)
			s += " ";
		s += u.source.substr(u.tokens[i].start,
			u.tokens[i].end - u.tokens[i].start);
	}
	return s;
}

static string literal(const string &s)
{
	string q = "\"";

	for (char c : s) {
		if (c == '\n') {
			q += "\\n";
			continue;
		}
		if (c == '"' || c == '\\')
			q += '\\';
		q += c;
	}
	return q + "\"";
}

/* Changing the text. */

static void insert(unit &u, size_t at, const string &text)
{
	u.edits.push_back({ at, 0, text });
}

/* Replace tokens [from, to) by "text"; lines stay. */
static void replace(unit &u, size_t from, size_t to, const string &text)
{
	for (size_t i = from; i < to; i++) {
		const token &t = u.tokens[i];
		u.edits.push_back({ t.start, t.end - t.start,
			i == from ? text : "" });
	}
}

static string edited(const unit &u)
{
	std::vector<edit> edits = u.edits;
	string out;
	size_t at = 0;

	std::stable_sort(edits.begin(), edits.end(),
		[](const edit &a, const edit &b) { return a.at < b.at; });
	for (const edit &e : edits) {
		if (e.at > at) {
			out.append(u.source, at, e.at - at);
			at = e.at;
		}
		out += e.insert;
		at = std::max(at, e.at + e.remove);
	}
	return out.append(u.source, at, string::npos);
}

/* Variables. */

/* The names that the declaration from "i" on declares; "ends" gets the end of
 * each declarator.  None if it declares a function.
 */
static std::vector<string> declarators(const unit &u, size_t i,
	std::vector<size_t> &ends)
{
	std::vector<string> names;
	string name;

	for (; i + 1 < u.tokens.size(); i++) {
		if (takes_parentheses(u, i)) {
			i = closing(u, i + 1);
		} else if (is_word_at(u, i)) {
			name = u.tokens[i].value;
		} else if (is(u, i, "<")) {
			i = closing_angle(u, i);
		} else if (is(u, i, "(")) {
			return std::vector<string>();
		} else if (is_one_of(u, i, "[=;,{")) {
			names.push_back(name);
			while (is(u, i, "["))
				i = closing(u, i) + 1;
			ends.push_back(i);
			while (!is_one_of(u, i, ",;") &&
			    i + 1 < u.tokens.size())
				i = is_one_of(u, i, "([{") ?
					closing(u, i) + 1 : i + 1;
			if (!is(u, i, ","))
				break;
		} else if (is_one_of(u, i, ")}")) {
			break;
		}
	}
	return names;
}

static void list(unit &u, const char *where, const string &function,
	const std::vector<string> &names)
{
	for (const string &n : names)
		u.names += string(where) + " " + function + " " + n + "\n";
}

/* __device__, __constant__ or __managed__ at "i". */
static void device_word(unit &u, size_t i, const char *where)
{
	std::vector<size_t> ends;

	replace(u, i, i + 1, "");
	if (find_word(u, i, "__shared__") || find_word(u, i, "using") ||
	    (*where == 'd' && find_word(u, i, "__constant__")))
		return;
	list(u, where, "", declarators(u, i + 1, ends));
}

/* "extern __shared__ T s[][9];" at "i", whose declarator of "name" ends before
 * "end", becomes a name for the start of dynamic shared memory:
 *
 *	T (&s)[][9] = *(T (*)[][9]) ::stencilc_emu_dynamic_shared;
 */
static void dynamic_array(unit &u, size_t i, const string &name, size_t end)
{
	size_t first = declaration_start(u, i), at = end;
	string type;

	while (!is(u, at, name.c_str()))
		at--;
	for (size_t j = first; j < at; j++) {
		if (takes_parentheses(u, j))
			j = closing(u, j + 1);
		else if (!is(u, j, "extern") && !is(u, j, "__shared__"))
			type += string(u.tokens[j].value) + " ";
	}
	string shape = text_of(u, at + 1, end);
	replace(u, first, end, type + "(&" + name + ")" + shape + " = *(" +
		type + "(*)" + shape + ") ::stencilc_emu_dynamic_shared");
}

/* "used", because the compiler would replace a variable never stored to by the
 * zeros with which a static variable begins.
 */
static void shared_word(unit &u, size_t i, const string &function)
{
	std::vector<size_t> ends;
	size_t external = find_word(u, i, "extern");
	std::vector<string> names = declarators(u, i + 1, ends);

	if (!external) {
		replace(u, i, i + 1,
			string(find_word(u, i, "static") ? "" : "static ") +
			"__attribute__((used))");
		list(u, "s", function, names);
		return;
	}
	if (names.empty())
		replace(u, i, i + 1, "");
	else
		dynamic_array(u, i, names[0], ends[0]);
}

/* Kernels. */

struct kernel {
	string name;
	size_t body = 0, end = 0;	/* the braces; 0: a declaration */
	size_t open = 0;		/* the parenthesis before its parameters */
	bool is_template = false, is_specialization = false;
	size_t parameters = 0;		/* of the template */
};

/* The number of template arguments or parameters between "<" at "i" and its
 * ">".
 */
static size_t count_arguments(const unit &u, size_t i)
{
	size_t end = closing_angle(u, i), n = end > i + 1;

	for (size_t j = i + 1; j < end; j++) {
		if (is_one_of(u, j, "([{"))
			j = closing(u, j);
		else if (is(u, j, "<"))
			j = closing_angle(u, j);
		else if (is(u, j, ","))
			n++;
	}
	return n;
}

static void read_template(const unit &u, size_t i, kernel &k)
{
	for (size_t j = declaration_start(u, i); j < i; j++) {
		if (!is(u, j, "template"))
			continue;
		k.is_template = true;
		k.parameters = count_arguments(u, j + 1);
		k.is_specialization = k.parameters == 0;
	}
}

/* Read the declaration whose __global__ is at "i". */
static kernel read_kernel(const unit &u, size_t i)
{
	kernel k;
	size_t j = i + 1;

	read_template(u, i, k);
	for (; j + 1 < u.tokens.size() && !is(u, j, "("); j++) {
		if (takes_parentheses(u, j))
			j = closing(u, j + 1);
		else if (is(u, j, "<"))
			j = closing_angle(u, j);
		else if (is_word_at(u, j))
			k.name = u.tokens[j].value;
		else if (is_one_of(u, j, ";{}"))
			return k;
	}
	k.open = j;
	j = closing(u, j) + 1;
	while (takes_parentheses(u, j))
		j = closing(u, j + 1) + 1;
	if (is(u, j, "{")) {
		k.body = j;
		k.end = closing(u, j);
	}
	return k;
}

/* The first argument of __launch_bounds__ at "i". */
static string first_argument(const unit &u, size_t i)
{
	size_t end = closing(u, i + 1), j = i + 2;

	for (; j < end && !is(u, j, ","); j++)
		if (is_one_of(u, j, "([{"))
			j = closing(u, j);
		else if (is(u, j, "<"))
			j = closing_angle(u, j);
	return text_of(u, i + 2, std::min(j, end));
}

/* Where the declaration around "i" has the attribute "word"; or 0. */
static size_t attribute_of(const unit &u, size_t i, const char *word)
{
	for (size_t j = declaration_start(u, i); j + 1 < u.tokens.size() &&
	    !is_one_of(u, j, ";{"); j++)
		if (is(u, j, word))
			return j;
	return 0;
}

static string bound_of(const unit &u, size_t i)
{
	size_t at = attribute_of(u, i, "__launch_bounds__");

	return at ? first_argument(u, at) : "";
}

/* "2, 1, 1" */
static string cluster_of(const unit &u, size_t i)
{
	size_t at = attribute_of(u, i, "__cluster_dims__");

	return at ? text_of(u, at + 2, closing(u, at + 1)) : "";
}

/* Collect, before the first edit, names, bounds and templates. */
static void survey(unit &u)
{
	for (size_t i = 0; i < u.tokens.size(); i++) {
		if (!is(u, i, "__global__"))
			continue;
		kernel k = read_kernel(u, i);
		string bound = bound_of(u, i), cluster = cluster_of(u, i);
		if (k.is_template && !k.is_specialization)
			u.templates[k.name] = k.parameters;
		if (k.body)
			u.definitions[k.name]++;
		if (!bound.empty() && !k.is_template)
			u.bounds[k.name] = bound;
		if (!cluster.empty() && !k.is_template)
			u.clusters[k.name] = cluster;
	}
}

/* "k", or of several kernels of that name the one with these parameters */
static string chosen(const unit &u, const kernel &k, bool is_alone)
{
	return is_alone ? k.name : "static_cast<void (*)" + text_of(u, k.open,
		closing(u, k.open) + 1) + ">(" + k.name + ")";
}

/* Rewrite __global__ at "i"; returns where the body is. */
static kernel global_word(unit &u, size_t i)
{
	kernel k = read_kernel(u, i);
	const bool is_alone = u.definitions[k.name] == 1;
	string cluster = cluster_of(u, i);

	replace(u, i, i + 1, "");
	if (is_alone && u.clusters.count(k.name))
		cluster = u.clusters[k.name];
	if (!k.body || k.is_template || (!is_alone && cluster.empty()))
		return k;
	string bound = is_alone && u.bounds.count(k.name) ? u.bounds[k.name] :
		bound_of(u, i);
	insert(u, u.tokens[k.end].end, " static ::stencilc_emu::kernel_entry "
		"stencilc_emu_entry_" + std::to_string(u.entries++) + "(" +
		literal(k.name) + ", " + chosen(u, k, is_alone) + ", " +
		(bound.empty() ? "0" : bound) + (cluster.empty() ? "" :
		", dim3(" + cluster + ")") + ");");
	return k;
}

/* Launches. */

static bool adjoins(const unit &u, size_t i)
{
	return u.tokens[i].end == u.tokens[i + 1].start;
}

/* Does "<<<" or ">>>" begin at "i"?  Macros may put a blank in it. */
static bool is_triple(const unit &u, size_t i, const char *sign)
{
	return is(u, i, sign) && is(u, i + 1, sign) && is(u, i + 2, sign) &&
		(adjoins(u, i) || adjoins(u, i + 1));
}

/* Where the expression begins that ends before "i" and names a kernel. */
static size_t kernel_start(const unit &u, size_t i)
{
	size_t j = i - 1;

	if (is(u, j, ">") && opening_angle(u, j) != j)
		j = opening_angle(u, j) - 1;
	while (is_one_of(u, j, ")]")) {
		j = opening(u, j);
		if (j > 0 && (is_word_at(u, j - 1) ||
		    is_one_of(u, j - 1, ")]")))
			j--;
	}
	while (j >= 2 && is_word_at(u, j) && (is(u, j - 1, "::") ||
	    is(u, j - 1, ".") || is(u, j - 1, "->"))) {
		if (is(u, j - 2, ">"))
			j = opening_angle(u, j - 2) - 1;
		else if (is_word_at(u, j - 2))
			j -= 2;
		else
			return j - 1;	/* ::k */
	}
	return j;
}

/* The index of the ">>>" for the "<<<" at "i", or 0. */
static size_t find_close(const unit &u, size_t i)
{
	for (size_t j = i + 3; j + 2 < u.tokens.size(); j++) {
		if (is_one_of(u, j, "([{")) {
			j = closing(u, j);
		} else if (is_one_of(u, j, ";}")) {
			break;
		} else if (is_triple(u, j, ">") && is(u, j + 3, "(")) {
			return j;
		}
	}
	return 0;
}

/* Is what is launched before "i" a template without all its arguments? */
static bool is_to_be_deduced(const unit &u, size_t i)
{
	size_t name = i - 1, given = 0;

	if (is(u, name, ">")) {
		size_t open = opening_angle(u, name);
		given = count_arguments(u, open);
		name = open - 1;
	}
	auto t = u.templates.find(string(u.tokens[name].value));
	return t != u.templates.end() && given < t->second;
}

static bool launch_at(unit &u, size_t i)
{
	if (i == 0 || !is_triple(u, i, "<") || is(u, i - 1, "operator"))
		return false;
	size_t close = find_close(u, i), start = kernel_start(u, i);
	if (!close)
		return false;
	string name = text_of(u, start, i);
	size_t at = u.tokens[start].start;

	if (is_to_be_deduced(u, i)) {
		insert(u, at, "::stencilc_emu::launch_deduced(" +
			literal(name) + ", [&](auto... stencilc_emu_a) { ");
		replace(u, i, i + 3, "(stencilc_emu_a...); }, ");
	} else {
		insert(u, at, "::stencilc_emu::launch(" + literal(name) +
			", ");
		replace(u, i, i + 3, ", ");
	}
	replace(u, close, close + 3, ")");
	return true;
}

/* Ignored results. */

static bool returns_error(std::string_view name)
{
	static const std::set<std::string_view> calls = {
#define CALL(name) #name,
#include "calls.def"
#undef CALL
	};

	return calls.count(name);
}

static bool begins_statement(const unit &u, size_t i)
{
	if (i == 0)
		return false;
	if (is(u, i - 1, "::"))
		i--;
	if (is_one_of(u, i - 1, ";{}") || is(u, i - 1, "else") ||
	    is(u, i - 1, "do"))
		return true;
	if (!is(u, i - 1, ")"))
		return false;
	size_t open = opening(u, i - 1);
	return open > 0 && (is(u, open - 1, "if") || is(u, open - 1, "for") ||
		is(u, open - 1, "while"));
}

static void dropped_at(unit &u, size_t i)
{
	if (!is(u, i + 1, "(") || !returns_error(u.tokens[i].value) ||
	    !begins_statement(u, i) || !is(u, closing(u, i + 1) + 1, ";"))
		return;
	size_t start = is(u, i - 1, "::") ? i - 1 : i;
	insert(u, u.tokens[start].start, "::stencilc_emu::dropped = ");
}

/* Inline PTX with a single instruction that has a function here, and a name as
 * result.
 */

/* rcp_approx_ftz_f32 of "rcp.approx.ftz.f32 %0, %1;", or "". */
static string approximation(const string &text)
{
	static const std::set<string> known = {
		"rcp.approx.ftz.f32", "rsqrt.approx.ftz.f32",
		"sqrt.approx.ftz.f32", "rcp.approx.ftz.f64",
		"rsqrt.approx.ftz.f64",
	};
	size_t space = text.find(' ');

	if (space == string::npos || text.substr(space) != " %0, %1;\"" ||
	    !known.count(text.substr(1, space - 1)))
		return "";
	string name = text.substr(1, space - 1);
	std::replace(name.begin(), name.end(), '.', '_');
	return name;
}

/* The token after asm( TEXT : "=f"(y) : "f"(x) ); at "i"; TEXT is its text. */
static void asm_at(unit &u, size_t i)
{
	string name = approximation(string(u.tokens[i].value));
	size_t y = i + 3, end = closing(u, y), x = end + 3;

	if (name.empty() || !is(u, i + 1, ":") || !is(u, y, "(") ||
	    !is(u, end + 1, ":") || !is(u, x, "(") ||
	    !is(u, closing(u, x) + 1, ")"))
		return;
	replace(u, i - 2, y + 1, "");
	replace(u, end, x, " = ::stencilc_emu::" + name);
	replace(u, closing(u, x) + 1, closing(u, x) + 2, "");
}

static void rewrite(unit &u)
{
	kernel k;

	for (size_t i = 0; i < u.tokens.size(); i++) {
		if (is(u, i, "__global__"))
			k = global_word(u, i);
		else if (is(u, i, "__device__") || is(u, i, "__managed__"))
			device_word(u, i, "d");
		else if (is(u, i, "__constant__"))
			device_word(u, i, "c");
		else if (is(u, i, "__shared__"))
			shared_word(u, i, i > k.body && i < k.end ?
				k.name : "");
		else if (is(u, i, "__grid_constant__"))
			replace(u, i, i + 1, "");
		else if (is(u, i, "__launch_bounds__") ||
		    is(u, i, "__maxnreg__") || is(u, i, "__cluster_dims__") ||
		    is(u, i, "__block_size__"))
			replace(u, i, closing(u, i + 1) + 1, "");
		else if (is(u, i, "asm") && is(u, i + 1, "("))
			asm_at(u, i + 2);
		else if (is_one_of(u, i, "<") && launch_at(u, i))
			i += 2;
		else if (is_word_at(u, i))
			dropped_at(u, i);
	}
}

/* The description of this translation unit for the runtime. */
static string epilogue(const unit &u, int mode)
{
	return "\n# 1 \"<stencilc-emu>\"\n"
		"extern \"C\" void stencilc_emu_unit(const char *, int);\n"
		"namespace { __attribute__((constructor(101)))\n"
		"void stencilc_emu_this_unit()\n"
		"{ stencilc_emu_unit(" + literal(u.names) + ", " +
		std::to_string(mode) + "); } }\n";
}

int main(int argc, char **argv)
{
	unit u;

	if (argc != 4 || strncmp(argv[1], "--mode=", 7)) {
		fprintf(stderr, "usage: %s --mode=N IN OUT\n", argv[0]);
		return 2;
	}
	std::ifstream in(argv[2], std::ios::binary);
	u.source.assign(std::istreambuf_iterator<char>(in),
		std::istreambuf_iterator<char>());
	if (!in) {
		perror(argv[2]);
		return 4;
	}
	tokenize(u);
	survey(u);
	rewrite(u);
	std::ofstream out(argv[3], std::ios::binary);
	out << edited(u) << epilogue(u, atoi(argv[1] + 7));
	out.close();
	if (!out) {
		perror(argv[3]);
		return 4;
	}
	return 0;
}
