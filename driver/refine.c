#include "driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codegen/codegen.h"

extern char **environ;

/* The CUDA compiler ----------------------------------------------------- */

static const char usual_nvcc[] = "/usr/local/cuda/bin/nvcc";

/* nvcc as found on PATH or where the toolkit puts it; NULL: nowhere. */
static const char *find_nvcc(struct region *mem)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t length = strcspn(path, ":");
		const char *nvcc = region_printf(mem, "%.*s/nvcc",
			(int) length, path);

		if (length && access(nvcc, X_OK) == 0)
			return nvcc;
		path += length + (path[length] == ':');
	}
	return access(usual_nvcc, X_OK) == 0 ? usual_nvcc : NULL;
}

/* "-arch=sm_90" for a machine that nvcc may know, or NULL. */
static const char *arch_option(const struct machine *m)
{
	static const struct {
		const char *machine, *option;
	} known[] = {
		{ "v100", "-arch=sm_70" }, { "a100", "-arch=sm_80" },
		{ "rtx4090", "-arch=sm_89" }, { "h100", "-arch=sm_90" },
		{ "h200", "-arch=sm_90" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].machine, m->name))
			return known[i].option;
	return NULL;
}

/* Run "argv" with both outputs in the file "log"; its exit status, or -1. */
static int run(const char *const *argv, const char *log)
{
	posix_spawn_file_actions_t actions;
	int status = 0, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
		O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO,
		STDERR_FILENO);
	error = posix_spawn(&pid, argv[0], &actions, NULL,
		(char *const *) argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct work {
	struct region *mem;
	struct diags *d;
	const char *nvcc, *arch;
	const char *folder, *source, *object, *log;
};

static bool begin_work(struct work *w)
{
	char *folder = region_strdup(w->mem, "/tmp/stencilc-refine.XXXXXX");

	w->nvcc = find_nvcc(w->mem);
	if (!w->nvcc) {
		diag_plain(w->d, E_NVCC, "--refine=ptxas needs nvcc, which is "
			"neither on PATH nor %s", usual_nvcc);
		diag_advice(w->d, "a GPU is not needed; without nvcc the "
			"model's own choice stands: leave out --refine");
		return false;
	}
	if (!mkdtemp(folder)) {
		diag_plain(w->d, E_WRITE, "%s: %s", folder, strerror(errno));
		return false;
	}
	w->folder = folder;
	w->source = region_printf(w->mem, "%s/tile.cu", folder);
	w->object = region_printf(w->mem, "%s/tile.cubin", folder);
	w->log = region_printf(w->mem, "%s/log", folder);
	return true;
}

static void end_work(const struct work *w)
{
	unlink(w->source);
	unlink(w->object);
	unlink(w->log);
	rmdir(w->folder);
}

/* What ptxas reports of the kernels of a file: the maximum of each number. */
struct usage {
	int64_t registers, spilled_bytes;
	int64_t shared_bytes;		/* of a block */
};

static int64_t number_before(const char *line, const char *what)
{
	const char *end = strstr(line, what);
	const char *start = end;

	while (start && start > line && start[-1] >= '0' && start[-1] <= '9')
		start--;
	return start && start < end ? strtoll(start, NULL, 10) : 0;
}

static struct usage usage_of_log(const char *log)
{
	struct usage usage = { 0 };
	char line[512];
	FILE *file = fopen(log, "r");

	while (file && fgets(line, sizeof(line), file)) {
		int64_t registers = number_before(line, " registers");
		int64_t spilled = number_before(line, " bytes spill stores") +
			number_before(line, " bytes spill loads");
		int64_t shared = number_before(line, " bytes smem");

		if (registers > usage.registers)
			usage.registers = registers;
		if (shared > usage.shared_bytes)
			usage.shared_bytes = shared;
		if (spilled > usage.spilled_bytes)
			usage.spilled_bytes = spilled;
	}
	if (file)
		fclose(file);
	return usage;
}

static void complain(const struct work *w)
{
	char line[512] = "";
	FILE *file = fopen(w->log, "r");

	if (file && !fgets(line, sizeof(line), file))
		line[0] = '\0';
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	diag_plain(w->d, E_NVCC, "%s failed: %s", w->nvcc, line);
}

/* Compile the emitted code of "text" with nvcc; false after a diagnostic. */
static bool compile(struct work *w, const struct text *text,
	struct usage *usage)
{
	const char *argv[] = { w->nvcc, "-cubin", "-Xptxas", "-v", "-o",
		w->object, w->source, w->arch, NULL };
	int status;

	if (!file_write(w->d, w->source, text->bytes, text->length))
		return false;
	status = run(argv, w->log);
	if (status > 0 && w->arch) {	/* is the machine too old for this nvcc? */
		w->arch = argv[7] = NULL;
		status = run(argv, w->log);
	}
	if (status != 0) {
		complain(w);
		return false;
	}
	*usage = usage_of_log(w->log);
	return true;
}

/* Candidates ------------------------------------------------------------ */

struct refined {
	struct prediction prediction;
	struct usage usage;
};

static double time_of(const struct refined *r)
{
	return r->prediction.n_candidates ?
		r->prediction.candidate[0].predicted_s : INFINITY;
}

/* Candidates without spills first, then the faster ones. */
static bool is_better(const struct refined *a, const struct refined *b)
{
	bool a_spills = a->usage.spilled_bytes > 0;
	bool b_spills = b->usage.spilled_bytes > 0;

	if (a_spills != b_spills)
		return b_spills;
	return time_of(a) < time_of(b);
}

static bool measure(struct work *w, const struct scop *scop,
	const struct prediction *p, const struct tile_request *request,
	struct refined *r)
{
	const struct target *cuda = &targets[TARGET_CUDA];
	struct outlook *outlook = region_new_of(w->mem, struct outlook);
	struct text text = { 0 };
	struct plan *plans;
	bool done;
	int n;

	plans = strategy_plan(w->d, p->strategy, scop, p->outlook->machine,
		request, &n);
	if (!plans)
		return false;
	target_print(&text, cuda, cuda->unit(w->mem, plans->scop, plans, n,
		false));
	done = compile(w, &text, &r->usage);
	text_free(&text);
	if (!done)
		return false;
	*outlook = *p->outlook;
	outlook->registers_per_thread = r->usage.registers;
	outlook->shared_bytes_per_block = r->usage.shared_bytes;
	r->prediction = strategy_predict(w->mem, p->strategy, scop, request,
		outlook);
	return true;
}

static void print_progress(FILE *progress, const struct prediction *p,
	const struct sized *before, const struct refined *r)
{
	if (!progress)
		return;
	fprintf(progress, "stencilc: %d/%d: %s: %lld registers",
		(int) (before - p->candidate) + 1, p->n_candidates,
		r->prediction.n_candidates ?
		r->prediction.sizes : "no block fits",
		(long long) r->usage.registers);
	if (r->usage.spilled_bytes)
		fprintf(progress, ", %lld bytes spilled: dropped",
			(long long) r->usage.spilled_bytes);
	if (r->prediction.n_candidates)
		fprintf(progress, ", k %lld -> %lld, %.4g s -> %.4g s",
			(long long) before->k,
			(long long) r->prediction.candidate[0].k,
			before->predicted_s, time_of(r));
	fputs("\n", progress);
}

/* Measure candidate "c" of "p" and keep it if it is better; if it limits
 * registers to fit k blocks, try one block more, which fits if the compiler
 * needs fewer registers than the model says.
 */
static bool try_candidate(struct work *w, const struct scop *scop,
	const struct prediction *p, const struct sized *c, FILE *progress,
	struct refined *best)
{
	struct tile_request request = c->request;
	int most = request.k > 0 ? request.k + 1 : request.k;

	for (; request.k <= most; request.k++) {
		struct refined r = { 0 };

		if (!measure(w, scop, p, &request, &r))
			return false;
		print_progress(progress, p, c, &r);
		if (!best->prediction.strategy || is_better(&r, best))
			*best = r;
	}
	return true;
}

bool refine_by_ptxas(struct region *mem, struct diags *d,
	const struct scop *scop, struct prediction *p, FILE *progress)
{
	struct work w = { .mem = mem, .d = d };
	struct refined best = { 0 };
	bool done = true;

	if (!p->n_candidates)
		return true;
	w.arch = arch_option(p->outlook->machine);
	if (!begin_work(&w))
		return false;
	if (progress && !w.arch)
		fprintf(progress, "stencilc: the registers are those of "
			"nvcc's default architecture\n");
	for (int i = 0; done && i < p->n_candidates; i++)
		done = try_candidate(&w, scop, p, &p->candidate[i], progress,
			&best);
	end_work(&w);
	if (done && best.prediction.n_candidates)
		*p = best.prediction;
	return done;
}
