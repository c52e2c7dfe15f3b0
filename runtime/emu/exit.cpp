/* How a program ends: reports, metrics, and the exit status.
 *
 *	8	the checker found something, or a barrier diverged
 *	9	a runtime error: an illegal launch or address, an assertion
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block.h"

namespace stencilc_emu {

const int status_found = 8, status_runtime = 9;

static void report_leak(const allocation &a)
{
	add({ "leak", a.site, format("%zu bytes of %s memory were never freed",
		a.bytes, a.on_host ? "pinned or managed" : "device") });
}

/* The exit status for what was found so far, or "none". */
static int verdict(int none)
{
	bool found = report_count() > 0;
	bool failed = has_unseen_errors(checking);

	unchecked_errors(checking);
	print_reports();
	return found ? status_found : failed ? status_runtime : none;
}

static void at_end()
{
	if (self)
		return;
	if (checking) {
		each_allocation(report_leak);
		each_stream_leak();
		each_graph_leak();
	}
	if (measuring)
		metrics_print();
	int status = verdict(0);
	if (status) {
		fflush(nullptr);
		_exit(status);
	}
}

static const char *describe(int signal, void *at)
{
	if (signal == SIGABRT)
		return "assertion failed or trap";
	if (signal == SIGFPE)
		return "integer division by zero";
	if (signal == SIGSEGV && is_guard_page(at))
		return "the thread's stack is full (STENCILC_STACK=bytes "
			"sets its size)";
	if (signal == SIGSEGV || signal == SIGBUS)
		return "illegal memory access";
	return "illegal instruction";
}

/* A kernel died.  Nothing can continue, but print what is known. */
static void on_signal(int number, siginfo_t *info, void *)
{
	static bool again;

	signal(number, SIG_DFL);
	if (!self || again)
		return;			/* the host's: the process dies on
					 * return */
	again = true;
	void *at = info->si_addr;
	say(format("error: %s in %s, thread %s of block %s%s",
		describe(number, at), running->name.c_str(),
		thread_name(self->id).c_str(), block_name(now->index).c_str(),
		in_arena(at) && number == SIGSEGV ?
			", outside any allocation" : ""));
	fflush(nullptr);
	_exit(verdict(status_runtime));
}

static void catch_signals()
{
	static const int signals[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT
	};
	static char *alternate = (char *) malloc(1 << 20);
	stack_t st;
	struct sigaction action;

	memset(&st, 0, sizeof st);
	st.ss_sp = alternate;
	st.ss_size = 1 << 20;
	sigaltstack(&st, nullptr);
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_signal;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	for (int s : signals)
		sigaction(s, &action, nullptr);
}

bool is_hip;
unsigned warp_lanes = 32, warp_shift = 5;

/* All files of a program must be for one language and one device. */
static void set_language(int mode, bool first)
{
	bool hip = mode & mode_hip;
	unsigned shift = mode & mode_wide ? 6 : 5;

	if (!first && (hip != is_hip || shift != warp_shift)) {
		say("error: files of CUDA and of HIP, or for warps of 32 and "
			"of 64 threads, are one program");
		_exit(status_runtime);
	}
	is_hip = hip;
	warp_shift = shift;
	warp_lanes = 1u << shift;
}

/* Runs before any variable of the program is initialised. */
void begin_program(int mode)
{
	static bool begun;

	set_language(mode, !begun);
	checking = checking || mode & mode_check;
	measuring = measuring || mode & mode_metrics;
	if (begun)
		return;
	begun = true;
	reserve_arena();
	catch_signals();
	atexit(at_end);
}

}
