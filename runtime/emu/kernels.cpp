/* Kernels and device variables, as listed by the rewriter. */
#include <string.h>

#include <algorithm>
#include <map>

#include "emu.h"

namespace stencilc_emu {

/* The rewriter's entry for a variable: "s f name", "d name". */
struct declared {
	space where;
	std::string function;		/* of a shared one the kernel, or "" */
};

struct registry {
	std::multimap<std::string, declared> names;
	std::map<const void *, kernel> kernels;
	std::vector<variable> found;
	bool searched = false;
};

static registry &all()
{
	static registry *r = new registry();
	return *r;
}

static std::string word(const char *&s)
{
	std::string w;

	while (*s && *s != ' ' && *s != '\n')
		w += *s++;
	if (*s == ' ')
		s++;
	return w;
}

/* The name in "k(float*)" or "void n::k<int>(int)": "k". */
static std::string base_name(const std::string &demangled)
{
	size_t end = demangled.size(), depth = 0;

	for (size_t i = 0; i < demangled.size(); i++) {
		char c = demangled[i];
		if (c == '<') {
			if (!depth++)
				end = i;
		} else if (c == '>') {
			depth--;
		} else if (!depth && c == '(') {
			end = std::min(end, i);
			break;
		} else if (!depth && (c == ' ' || c == ':')) {
			end = demangled.size();
		}
	}
	size_t start = demangled.find_last_of(" :", end ? end - 1 : 0);
	start = start == std::string::npos ? 0 : start + 1;
	return demangled.substr(start, end - start);
}

/* "f(int)::s" is variable "s" of function "f"; "n::c" is variable "c". */
static void split(const std::string &full, std::string &function,
	std::string &name)
{
	size_t at = full.rfind("::");

	name = at == std::string::npos ? full : full.substr(at + 2);
	std::string scope = at == std::string::npos ? "" : full.substr(0, at);
	function = scope.find('(') == std::string::npos &&
		scope.find('<') == std::string::npos ? "" : scope;
	if (function.empty() && at != std::string::npos)
		function = scope;
}

/* The entry for "name" in "function", of a kernel if there is one. */
static const declared *entry_of(const std::string &function,
	const std::string &name)
{
	const auto range = all().names.equal_range(name);
	const std::string base = base_name(function);
	const declared *found = nullptr;

	for (auto i = range.first; i != range.second; ++i) {
		const declared &d = i->second;
		if (d.where == space::shared ? !d.function.empty() &&
		    d.function != base : function.find('(') !=
		    std::string::npos)
			continue;
		if (!found || (found->function.empty() && !d.function.empty()))
			found = &d;
	}
	return found;
}

static void match(const symbol &s)
{
	std::string function, name;

	split(s.name(), function, name);
	if (const declared *d = entry_of(function, name))
		all().found.push_back({ s.start, s.bytes, d->where, name,
			d->where == space::shared ? function : "",
			!d->function.empty() });
}

/* Tables of classes, and guards of variables. */
static bool is_made(const symbol &s)
{
	return !strncmp(s.mangled, "_ZT", 3) || !strncmp(s.mangled, "_ZG", 3);
}

const std::vector<variable> &variables()
{
	registry &r = all();

	if (!r.searched) {
		r.searched = true;
		if (!r.names.empty())
			for (const symbol &s : all_symbols())
				if (!s.is_function && !is_made(s))
					match(s);
	}
	return r.found;
}

const variable *variable_at(address a)
{
	const std::vector<variable> &v = variables();
	auto i = std::upper_bound(v.begin(), v.end(), a,
		[](address a, const variable &v) { return a < v.start; });

	if (i == v.begin())
		return nullptr;
	--i;
	return a - i->start < i->bytes ? &*i : nullptr;
}

/* The shared variables of "k": its own, and those of functions that are not
 * kernels, which it may call.
 */
static void resolve(kernel &k, const void *entry)
{
	const symbol *s = symbol_at((address) entry);
	const std::string full = s && s->is_function ? s->name() : "";
	const std::string base = base_name(full);

	k.resolved = true;
	for (const variable &v : variables()) {
		if (v.where != space::shared)
			continue;
		bool own = v.function == full ||
			(!s && base_name(v.function) == k.name) ||
			v.function == base;
		if (own)
			k.static_bytes += v.bytes;
		if (own || !v.is_of_kernel)
			k.shared.push_back(v);
	}
	size_t most = device_properties().sharedMemPerBlock;
	k.max_dynamic = most > k.static_bytes ? most - k.static_bytes : 0;
}

/* Readers write "k" for "k<float, 3>" and "n::k". */
kernel &kernel_at(const void *entry, const char *name)
{
	kernel &k = all().kernels[entry];

	if (k.name.empty() && name)
		k.name = name;
	if (k.name.empty()) {
		const symbol *s = symbol_at((address) entry);
		k.name = s ? base_name(s->name()) : "kernel";
	}
	if (!k.resolved)
		resolve(k, entry);
	return k;
}

void register_kernel(const char *name, const void *entry, unpacked_call call,
	unsigned max_threads, dim3 cluster)
{
	kernel &k = all().kernels[entry];

	k.name = name;
	k.call = call;
	k.cluster = cluster;
	if (max_threads)
		k.max_threads = max_threads;
}

static void add_names(const char *names)
{
	all().searched = false;
	all().found.clear();
	while (*names) {
		std::string where = word(names);
		std::string function = word(names);
		std::string name = word(names);
		space s = where == "s" ? space::shared :
			where == "d" ? space::device : space::constant;
		all().names.insert({ name, { s, function } });
		if (*names == '\n')
			names++;
	}
}

}

/* Each translation unit calls it before its variables are initialised. */
extern "C" void stencilc_emu_unit(const char *names, int mode)
{
	stencilc_emu::add_names(names);
	stencilc_emu::begin_program(mode);
}
