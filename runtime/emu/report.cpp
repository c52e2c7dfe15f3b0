/* Collects errors and prints them when the program ends.  One run of addr2line
 * resolves all addresses to lines.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <map>
#include <tuple>

#include <algorithm>

#include "block.h"

namespace stencilc_emu {

typedef std::tuple<std::string, const void *, const void *> key;

struct entry {
	finding what;
	uint64_t times;
};

struct book {
	std::map<key, size_t> index;
	std::vector<entry> entries;
	size_t printed = 0;
	std::map<const void *, std::string> places;
};

static book &reports()
{
	static book *b = new book();
	return *b;
}

std::string format(const char *format, ...)
{
	char text[1000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return text;
}

/* HIP's "hipMalloc" for CUDA's "cudaMalloc", "__all" for "__all_sync". */
std::string spelled(const std::string &text)
{
	std::string s = text;

	if (!is_hip)
		return s;
	for (size_t i = 0; (i = s.find("cuda", i)) != s.npos; i++)
		s.replace(i, 4, "hip");
	for (size_t i = 1; (i = s.find("_sync", i)) != s.npos; i++)
		if (isalpha(s[i - 1]) && !isalpha(s[i + 5]))
			s.erase(i, 5);
	return s;
}

void say(const std::string &text)
{
	fflush(stdout);
	fprintf(stderr, "stencilc-emu: %s\n", spelled(text).c_str());
}

std::string thread_name(unsigned thread)
{
	dim3 t = thread_index(thread, blockDim);

	return format("(%u,%u,%u)", t.x, t.y, t.z);
}

std::string block_name(dim3 b)
{
	return format("(%u,%u,%u)", b.x, b.y, b.z);
}

/* Is this the first such finding?  Otherwise count it. */
bool is_new(const char *kind, const void *pc, const void *other_pc)
{
	auto i = reports().index.find(key(kind, pc, other_pc));

	if (i == reports().index.end())
		return true;
	reports().entries[i->second].times++;
	return false;
}

void add(const finding &f)
{
	if (!is_new(f.kind, f.pc, f.other_pc))
		return;
	reports().index[key(f.kind, f.pc, f.other_pc)] =
		reports().entries.size();
	reports().entries.push_back({ f, 1 });
}

size_t report_count()
{
	return reports().entries.size();
}

static std::string program_path()
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	return n > 0 ? std::string(path, n) : "";
}

static std::string quoted(const std::string &path)
{
	std::string q = "'";

	for (char c : path)
		q += c == '\'' ? std::string("'\\''") : std::string(1, c);
	return q + "'";
}

/* Users did not write the lines of the emulator's own headers. */
static bool is_own(const char *place)
{
	static const char *const own[] = {
		"/device_functions.h:", "/math_functions.h:",
		"/stencilc_emu.h:", "/cuda_runtime_api.h:",
		"/vector_functions.h:", "/cooperative_groups.h:",
		"/hip_runtime.h:",
		"/cuda/ptx:",
	};

	for (const char *o : own)
		if (strstr(place, o))
			return true;
	return strstr(place, "??:") != nullptr;
}

/* Cut " (discriminator 2)" and the end of the line. */
static std::string trimmed(char *line)
{
	line[strcspn(line, "\n")] = 0;
	char *d = strstr(line, " (discriminator");
	if (d)
		*d = 0;
	return line;
}

/* Read addr2line's output about "pcs": for each an address, then a line for
 * each call inlined there, innermost first.
 */
static void read_places(FILE *f, const std::vector<const void *> &pcs)
{
	char line[5000];
	size_t n = 0;
	std::string *place = nullptr;

	while (fgets(line, sizeof line, f)) {
		if (!strncmp(line, "0x", 2) && !strchr(line, ':')) {
			if (n >= pcs.size())
				return;
			place = &reports().places[pcs[n++]];
			continue;
		}
		std::string text = trimmed(line);
		if (place && place->empty() && !is_own(text.c_str()))
			*place = text;
	}
}

static void resolve(const std::vector<const void *> &pcs)
{
	const size_t at_once = 500;
	std::string program = quoted(program_path());

	for (size_t i = 0; i < pcs.size(); i += at_once) {
		std::vector<const void *> some(pcs.begin() + i,
			pcs.begin() + std::min(i + at_once, pcs.size()));
		std::string command = "addr2line -a -i -e " + program;
		for (const void *pc : some)
			command += format(" 0x%zx",
				(address) pc - 1 - load_offset());
		FILE *f = popen((command + " 2>/dev/null").c_str(), "r");
		if (!f)
			return;
		read_places(f, some);
		pclose(f);
	}
}

static void resolve_all()
{
	std::map<const void *, bool> wanted;
	std::vector<const void *> pcs;
	book &b = reports();

	for (size_t i = b.printed; i < b.entries.size(); i++) {
		wanted[b.entries[i].what.pc] = true;
		wanted[b.entries[i].what.other_pc] = true;
	}
	for (const auto &w : wanted)
		if (w.first && !b.places.count(w.first))
			pcs.push_back(w.first);
	if (!pcs.empty())
		resolve(pcs);
}

/* "file:line", or what else is known about "pc".  The compiler may merge calls
 * of one function in two branches; the merged call has no line of its own, but
 * that of the call first met.
 */
static std::string place(const void *pc, int line)
{
	std::string p = pc ? reports().places[pc] : "";

	if (line && p.size() > 2 && !p.compare(p.size() - 2, 2, ":?"))
		p.replace(p.size() - 1, 1, std::to_string(line));
	if (!p.empty() && p.compare(0, 2, "??"))
		return p;
	const symbol *s = pc ? symbol_at((address) pc - 1) : nullptr;
	return s ? "function " + s->name() : "stencilc-emu";
}

static void print(const entry &e)
{
	const finding &f = e.what;

	fprintf(stderr, "%s: error: %s [-%s]", place(f.pc, f.line).c_str(),
		spelled(f.text).c_str(), f.kind);
	if (e.times > 1)
		fprintf(stderr, " (%llu times)", (unsigned long long) e.times);
	fprintf(stderr, "\n");
	if (!f.other_text.empty())
		fprintf(stderr, "%s: note: %s\n",
			place(f.other_pc, f.other_line).c_str(),
			spelled(f.other_text).c_str());
}

void print_reports()
{
	book &b = reports();

	if (b.printed == b.entries.size())
		return;
	fflush(stdout);
	resolve_all();
	for (; b.printed < b.entries.size(); b.printed++)
		print(b.entries[b.printed]);
}

}
