/* The cores that this process may run on: those of its CPUs; a core with
 * several hardware threads has several CPUs.
 */
#define _GNU_SOURCE
#include "model/model.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* The cores in "topology" on which the process may run; 0 if unknown. */
static int64_t count_cores(hwloc_topology_t topology, hwloc_bitmap_t allowed)
{
	hwloc_obj_t core = NULL;
	int64_t n = 0;

	if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS))
		return 0;
	while ((core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE,
		core)))
		n += hwloc_bitmap_intersects(core->cpuset, allowed);
	return n;
}

/* By hwloc; 0 if unknown. */
static int64_t cores_of_hwloc(void)
{
	hwloc_topology_t topology;
	hwloc_bitmap_t allowed;
	int64_t n = 0;

	if (hwloc_topology_init(&topology))
		return 0;
	hwloc_topology_set_all_types_filter(topology,
		HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE,
		HWLOC_TYPE_FILTER_KEEP_ALL);
	allowed = hwloc_bitmap_alloc();
	if (allowed && !hwloc_topology_load(topology))
		n = count_cores(topology, allowed);
	hwloc_bitmap_free(allowed);
	hwloc_topology_destroy(topology);
	return n;
}
#else
static int64_t cores_of_hwloc(void)
{
	return 0;
}
#endif

/* The files of Linux -------------------------------------------------------*/

/* The first CPU in a list such as "0-1,4-5" that is "allowed"; -1: none. */
static int first_allowed(const char *list, const bool *allowed, int n)
{
	char *end;

	for (;; list = end + 1) {
		long first = strtol(list, &end, 10), last = first;

		if (end == list)
			return -1;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (long cpu = first < 0 ? 0 : first; cpu <= last && cpu < n;
		     cpu++)
			if (allowed[cpu])
				return (int) cpu;
		if (*end != ',')
			return -1;
	}
}

/* The allowed CPU that stands for the core of "cpu"; "cpu" itself if unknown. */
static int leader(const char *folder, int cpu, const bool *allowed, int n)
{
	char path[256], list[256];
	FILE *in;
	int first = -1;

	snprintf(path, sizeof(path), "%s/cpu%d/topology/thread_siblings_list",
		folder, cpu);
	in = fopen(path, "r");
	if (in && fgets(list, sizeof(list), in))
		first = first_allowed(list, allowed, n);
	if (in)
		fclose(in);
	return first < 0 ? cpu : first;
}

int64_t cores_of_cpus(const char *folder, const bool *allowed, int n)
{
	int64_t cores = 0;

	for (int cpu = 0; cpu < n; cpu++)
		cores += allowed[cpu] &&
			leader(folder, cpu, allowed, n) == cpu;
	return cores;
}

#ifdef __linux__
/* The CPUs on which the process may run, in an array of "n"; NULL if the system
 * has more.
 */
static bool *find_allowed(struct region *r, int n)
{
	cpu_set_t *set = CPU_ALLOC((size_t) n);
	size_t bytes = CPU_ALLOC_SIZE((size_t) n);
	bool *allowed = NULL;

	if (set && !sched_getaffinity(0, bytes, set)) {
		allowed = region_array(r, bool, n);
		for (int cpu = 0; cpu < n; cpu++)
			allowed[cpu] = CPU_ISSET_S(cpu, bytes, set);
	}
	CPU_FREE(set);
	return allowed;
}

static bool *all_allowed(struct region *r, int *n)
{
	bool *allowed;

	for (*n = 1024; *n < 1 << 20; *n *= 2) {
		allowed = find_allowed(r, *n);
		if (allowed)
			return allowed;
	}
	return NULL;
}
#else
static bool *all_allowed(struct region *r, int *n)
{
	(void) r;
	*n = 0;
	return NULL;
}
#endif

int64_t cores_allowed(struct region *r, int *first_cpu)
{
	int n;
	const bool *allowed = all_allowed(r, &n);
	int64_t cores = cores_of_hwloc();

	*first_cpu = 0;
	while (allowed && *first_cpu < n - 1 && !allowed[*first_cpu])
		++*first_cpu;
	if (cores == 0 && allowed)
		cores = cores_of_cpus(CPU_FOLDER, allowed, n);
	return cores > 0 ? cores : sysconf(_SC_NPROCESSORS_ONLN);
}
