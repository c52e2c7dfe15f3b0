/* What kernels ask of the memory system, counted as a GPU does.  A request is
 * one instruction of one warp.  The lanes of a warp do not run in step here: at
 * each barrier, the n-th executions of the same instruction by the lanes are
 * matched.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "block.h"

namespace stencilc_emu {

bool measuring;

/* One access of one thread. */
struct seen {
	address at;
	uint32_t pc;
	uint16_t bytes;
	bool is_write;
};

/* For one kind: global or shared, loads or stores. */
struct traffic {
	uint64_t requests = 0;
	uint64_t accesses = 0;		/* of threads */
	uint64_t sectors = 0;		/* of 32 bytes */
	uint64_t lines = 0;		/* of 128 bytes */
	uint64_t aligned = 0;		/* requests that begin a line */
	uint64_t used_bytes = 0;	/* of the sectors */
	uint64_t block_sectors = 0;	/* each counted once a block */
	uint64_t group_sectors = 0;	/* each counted once a group of blocks */
	uint64_t wavefronts = 0;
};

/* A set of sectors, with far more insertions than members. */
class footprint {
	std::vector<address> at;
	size_t known = 0;		/* of them in order, each once */

	void settle()
	{
		std::sort(at.begin(), at.end());
		at.erase(std::unique(at.begin(), at.end()), at.end());
		known = at.size();
	}
public:
	void add(const address *a, unsigned n)
	{
		if (at.size() + n > 2 * known + 4096)
			settle();
		at.insert(at.end(), a, a + n);
	}
	size_t size()
	{
		settle();
		return known;
	}
};

/* What the caches of an endless SM and an endless L2 would hold: [is_write] for
 * a block, and for the blocks resident at once, by their numbers.
 */
struct footprints {
	footprint sectors[2];
};
static std::map<uint64_t, footprints> &of_block =
	*new std::map<uint64_t, footprints>();
static std::map<uint64_t, footprints> &of_group =
	*new std::map<uint64_t, footprints>();
static uint64_t group_blocks;

struct counters {
	std::string name;
	uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0;
	traffic global[2], shared[2];	/* [is_write] */
};

static std::vector<counters> &kernels = *new std::vector<counters>();
static std::vector<std::vector<seen>> &logs =
	*new std::vector<std::vector<seen>>(max_block_threads);
static counters *current;

const unsigned sector = 32, line = 128, banks = 32;

static counters *counters_of(const std::string &name)
{
	for (counters &c : kernels)
		if (c.name == name)
			return &c;
	kernels.push_back(counters());
	kernels.back().name = name;
	return &kernels.back();
}

/* Blocks that the device, or STENCILC_RESIDENT, keeps resident at once. */
static uint64_t blocks_at_once(const kernel &k, unsigned threads,
	size_t dynamic_bytes)
{
	const char *s = getenv("STENCILC_RESIDENT");
	uint64_t n = s ? strtoull(s, nullptr, 0) :
		(uint64_t) device_properties().multiProcessorCount *
			resident_blocks(k, threads, dynamic_bytes);

	return n ? n : 1;
}

void metrics_launch(const kernel &k, uint64_t blocks, unsigned threads,
	size_t dynamic_bytes)
{
	if (!measuring)
		return;
	current = counters_of(k.name);
	current->launches++;
	current->blocks += blocks;
	current->threads += blocks * threads;
	group_blocks = blocks_at_once(k, threads, dynamic_bytes);
}

void metrics_access(const void *p, unsigned bytes, bool is_write,
	const void *pc)
{
	logs[self->id].push_back({ (address) p, (uint32_t) (address) pc,
		(uint16_t) bytes, is_write });
}

/* The distinct values of "a[i] / unit" over all accessed bytes, sorted, and
 * their number.
 */
static unsigned different(const std::vector<seen> &request, unsigned unit,
	address units[2 * max_lanes])
{
	unsigned n = 0;

	for (const seen &s : request) {
		units[n++] = s.at / unit;
		if ((s.at + s.bytes - 1) / unit != s.at / unit)
			units[n++] = (s.at + s.bytes - 1) / unit;
	}
	std::sort(units, units + n);
	return std::unique(units, units + n) - units;
}

static bool is_global(address a)
{
	if (in_arena((void *) a))
		return true;
	const variable *v = variable_at(a);
	return v && v->where == space::device;
}

/* A bulk copy is a request of its own, by one thread. */
void metrics_bulk(const void *from, size_t bytes)
{
	std::vector<address> sectors;

	if (!measuring || !is_global((address) from))
		return;
	address first = (address) from, last = first + bytes - 1;
	traffic &t = current->global[false];
	for (address s = first / sector; s <= last / sector; s++)
		sectors.push_back(s);
	t.requests++;
	t.accesses++;
	t.sectors += sectors.size();
	t.lines += last / line - first / line + 1;
	t.aligned += first % line == 0;
	t.used_bytes += bytes;
	of_block[now->number].sectors[false].add(sectors.data(),
		sectors.size());
	of_group[now->number / group_blocks].sectors[false].add(sectors.data(),
		sectors.size());
}

/* Bytes of "request", counting each once. */
static unsigned distinct_bytes(std::vector<seen> request)
{
	address end = 0;
	unsigned n = 0;

	std::sort(request.begin(), request.end(),
		[](const seen &a, const seen &b) { return a.at < b.at; });
	for (const seen &s : request) {
		address from = std::max(s.at, end);
		address to = s.at + s.bytes;
		if (to > from)
			n += to - from;
		end = std::max(end, to);
	}
	return n;
}

static void count_global(traffic &t, const std::vector<seen> &request)
{
	bool is_write = request[0].is_write;
	address first = request[0].at;
	address units[2 * max_lanes];

	for (const seen &s : request)
		first = std::min(first, s.at);
	t.lines += different(request, line, units);
	unsigned n = different(request, sector, units);
	t.sectors += n;
	of_block[now->number].sectors[is_write].add(units, n);
	of_group[now->number / group_blocks].sectors[is_write].add(units, n);
	t.aligned += first % line == 0;
	t.used_bytes += distinct_bytes(request);
}

/* Passes for lanes [from, to) of a request: lanes that access different words
 * of the same bank take turns.
 */
static unsigned passes(const std::vector<seen> &request, size_t from,
	size_t to, address base)
{
	std::vector<address> words;
	unsigned wanted[banks] = { 0 }, most = 0;

	for (size_t i = from; i < to; i++)
		for (address a = request[i].at / 4;
		    a <= (request[i].at + request[i].bytes - 1) / 4; a++)
			words.push_back(a - base / 4);
	std::sort(words.begin(), words.end());
	words.erase(std::unique(words.begin(), words.end()), words.end());
	for (address w : words)
		most = std::max(most, ++wanted[w % banks]);
	return most;
}

/* Accesses of 8 bytes a lane are served by half warps, of 16 bytes by quarters. */
static void count_shared(traffic &t, const std::vector<seen> &request,
	address base)
{
	size_t together = request[0].bytes <= 4 ? warp_lanes :
		4 * warp_lanes / request[0].bytes;

	for (size_t i = 0; i < request.size(); i += together)
		t.wavefronts += passes(request, i,
			std::min(i + together, request.size()), base);
}

/* The start of the shared memory that contains "a", or 0. */
static address shared_base(address a)
{
	address d = (address) stencilc_emu_dynamic_shared;

	if (a - d < max_dynamic_bytes)
		return d;
	if (rank_at(a) >= 0) {
		address own = own_address(a);
		return own ? a - (own - shared_base(own)) : 0;
	}
	const variable *v = variable_at(a);
	return v && v->where == space::shared ? v->start : 0;
}

static void count(const std::vector<seen> &request)
{
	const seen &s = request[0];
	address base = shared_base(s.at);

	if (!base && !is_global(s.at))
		return;
	traffic &t = base ? current->shared[s.is_write] :
		current->global[s.is_write];
	t.requests++;
	t.accesses += request.size();
	if (base)
		count_shared(t, request, base);
	else
		count_global(t, request);
}

/* Have all lanes executed the same instructions? */
static bool in_step(size_t first, size_t last)
{
	for (size_t i = first + 1; i < last; i++) {
		if (logs[i].size() != logs[first].size())
			return false;
		for (size_t k = 0; k < logs[i].size(); k++)
			if (logs[i][k].pc != logs[first][k].pc)
				return false;
	}
	return true;
}

static void count_in_step(size_t first, size_t last)
{
	std::vector<seen> request;

	for (size_t k = 0; k < logs[first].size(); k++) {
		request.clear();
		for (size_t i = first; i < last; i++)
			request.push_back(logs[i][k]);
		count(request);
	}
}

/* For diverged lanes: match the n-th execution of each instruction. */
static void count_apart(size_t first, size_t last)
{
	std::unordered_map<uint64_t, std::vector<seen>> requests;
	std::unordered_map<uint32_t, uint32_t> times;

	for (size_t i = first; i < last; i++) {
		times.clear();
		for (const seen &s : logs[i])
			requests[(uint64_t) s.pc << 32 | times[s.pc]++]
				.push_back(s);
	}
	for (const auto &r : requests)
		count(r.second);
}

/* Called when an interval of the current block has ended. */
void metrics_interval(bool is_barrier)
{
	if (!measuring)
		return;
	current->barriers += is_barrier;
	size_t n = now->threads.size();
	for (size_t first = 0; first < n; first += warp_lanes) {
		size_t last = std::min(first + warp_lanes, n);
		if (in_step(first, last))
			count_in_step(first, last);
		else
			count_apart(first, last);
		for (size_t i = first; i < last; i++)
			logs[i].clear();
	}
}

/* Called when the current block has ended. */
void metrics_block()
{
	if (!measuring)
		return;
	for (int is_write = 0; is_write < 2; is_write++)
		current->global[is_write].block_sectors +=
			of_block[now->number].sectors[is_write].size();
	of_block.erase(now->number);
}

void metrics_launch_end()
{
	if (!measuring)
		return;
	for (auto &group : of_group)
		for (int is_write = 0; is_write < 2; is_write++)
			current->global[is_write].group_sectors +=
				group.second.sectors[is_write].size();
	of_group.clear();
}

static double efficiency(const traffic &t)
{
	return t.sectors ? (double) t.used_bytes / (sector * t.sectors) : 1;
}

/* Points updated: as the user says, or as stored. */
static uint64_t updates(const counters &c)
{
	const char *s = getenv("STENCILC_UPDATES");

	return s ? strtoull(s, nullptr, 0) : c.global[1].accesses;
}

static void json_number(FILE *f, const char *key, uint64_t n)
{
	fprintf(f, ",\n   \"%s\": %llu", key, (unsigned long long) n);
}

static void json_global(FILE *f, const char *kind, const traffic &t)
{
	std::string key = std::string("global_") + kind;

	json_number(f, (key + "_requests").c_str(), t.requests);
	json_number(f, (key + "_accesses").c_str(), t.accesses);
	json_number(f, (key + "_sectors").c_str(), t.sectors);
	json_number(f, (key + "_bytes").c_str(), t.sectors * sector);
	json_number(f, (key + "_used_bytes").c_str(), t.used_bytes);
	json_number(f, (key + "_block_sectors").c_str(), t.block_sectors);
	json_number(f, (key + "_group_sectors").c_str(), t.group_sectors);
	json_number(f, (key + "_lines").c_str(), t.lines);
	json_number(f, (key + "_aligned").c_str(), t.aligned);
	fprintf(f, ",\n   \"%s_efficiency\": %.4f", key.c_str(),
		efficiency(t));
}

static void json_shared(FILE *f, const char *kind, const traffic &t)
{
	std::string key = std::string("shared_") + kind;

	json_number(f, (key + "_requests").c_str(), t.requests);
	json_number(f, (key + "_accesses").c_str(), t.accesses);
	json_number(f, (key + "_wavefronts").c_str(), t.wavefronts);
}

static void json_kernel(FILE *f, const counters &c)
{
	fprintf(f, "  {\"name\": \"%s\"", c.name.c_str());
	json_number(f, "launches", c.launches);
	json_number(f, "blocks", c.blocks);
	json_number(f, "threads", c.threads);
	json_number(f, "barriers", c.barriers);
	json_number(f, "updates", updates(c));
	json_global(f, "load", c.global[0]);
	json_global(f, "store", c.global[1]);
	json_shared(f, "load", c.shared[0]);
	json_shared(f, "store", c.shared[1]);
	fprintf(f, "}");
}

static void print_json(const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "w") : stdout;

	if (!f) {
		say(format("error: cannot write the metrics to '%s'", path));
		return;
	}
	fprintf(f, "{\"kernels\": [\n");
	for (const counters &c : kernels) {
		json_kernel(f, c);
		fprintf(f, "%s\n", &c == &kernels.back() ? "" : ",");
	}
	fprintf(f, "]}\n");
	if (f == stdout ? fflush(f) : fclose(f))
		say(format("error: cannot write the metrics to '%s'", path));
}

static void print_row(const char *what, const traffic &t, bool is_global,
	uint64_t updates)
{
	fprintf(stderr, "    %-13s %12llu", what,
		(unsigned long long) t.requests);
	if (is_global)
		fprintf(stderr, " %12llu %11.1f%% %11.1f%%",
			(unsigned long long) t.sectors, 100 * efficiency(t),
			t.requests ? 100.0 * t.aligned / t.requests : 100);
	else
		fprintf(stderr, " %12llu %12.2f %12s",
			(unsigned long long) t.wavefronts, t.requests ?
			(double) t.wavefronts / t.requests : 1, "");
	fprintf(stderr, " %12.3f\n", updates ?
		(double) t.accesses / updates : 0);
}

static void print_table(const counters &c)
{
	uint64_t n = updates(c);

	fprintf(stderr, "%s: %llu launches, %llu blocks, %llu threads, "
		"%llu barriers, %llu updates\n", c.name.c_str(),
		(unsigned long long) c.launches,
		(unsigned long long) c.blocks, (unsigned long long) c.threads,
		(unsigned long long) c.barriers, (unsigned long long) n);
	fprintf(stderr, "    %-13s %12s %12s %12s %12s %12s\n", "",
		"requests", "sectors", "efficiency", "aligned", "per update");
	print_row("global load", c.global[0], true, n);
	print_row("global store", c.global[1], true, n);
	fprintf(stderr, "    %-13s %12s %12s %12s %12s %12s\n", "",
		"requests", "wavefronts", "per request", "", "per update");
	print_row("shared load", c.shared[0], false, n);
	print_row("shared store", c.shared[1], false, n);
}

/* To the file that STENCILC_METRICS names, else as a table. */
void metrics_print()
{
	const char *path = getenv("STENCILC_METRICS");

	fflush(stdout);
	if (path && *path) {
		print_json(path);
		return;
	}
	for (const counters &c : kernels)
		print_table(c);
}

}
