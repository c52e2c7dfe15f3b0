/* Error codes, the last error, errors that nobody checked, injected errors. */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"

namespace stencilc_emu {

static cudaError_t last_error;
static const char *last_call;

/* An error that a program could have seen and did not check. */
struct unseen {
	std::string what;
	const void *site;
	cudaError_t error;
	std::string why;
	bool is_launch;
};
/* Never destroyed: read when everything else is gone. */
static std::vector<unseen> &unseen_errors = *new std::vector<unseen>();

cudaError_t result(const char *call, const void *, cudaError_t e)
{
	if (e != cudaSuccess) {
		last_error = e;
		last_call = call;
	}
	return e;
}

/* A failed launch: it has no result to check. */
void unseen_error(const std::string &what, const void *site, cudaError_t e,
	const std::string &why)
{
	unseen_errors.push_back({ what, site, e, why, true });
}

/* The program dropped the result of a call.  It may still ask for it. */
void result_sink::operator=(cudaError_t e) const
{
	if (e != cudaSuccess && e != cudaErrorNotReady)
		unseen_errors.push_back({ last_call ? last_call :
			"a runtime call", SITE, e, "", false });
}

static bool is_worth_telling(const unseen &u, bool check)
{
	return u.is_launch || check;
}

/* At the end, report what nobody checked: illegal launches always, dropped
 * results when checking.
 */
void unchecked_errors(bool check)
{
	for (const unseen &u : unseen_errors) {
		if (!is_worth_telling(u, check))
			continue;
		finding f = { u.is_launch ? "launch" : "unchecked-error",
			u.site, "" };
		f.text = format("%s failed and nobody asked: %s%s%s",
			u.what.c_str(),
			error_text(u.error), u.why.empty() ? "" : ": ",
			u.why.c_str());
		add(f);
	}
}

bool has_unseen_errors(bool check)
{
	for (const unseen &u : unseen_errors)
		if (is_worth_telling(u, check))
			return true;
	return false;
}

const char *error_text(cudaError_t e)
{
	switch (e) {
#define ERROR(name, number, text) case number: return text;
#include "stencilc_emu_errors.def"
#undef ERROR
	}
	return "unrecognized error code";
}

/* STENCILC_FAIL=n: the n-th call that can fail does. */
bool must_fail(const char *call, const void *site)
{
	static const char *setting = getenv("STENCILC_FAIL");
	static unsigned long at = setting ? strtoul(setting, nullptr, 0) : 0;
	static unsigned long calls;

	if (!at || ++calls != at)
		return false;
	say(format("note: call %lu, %s, fails (STENCILC_FAIL)", calls, call));
	(void) site;
	return true;
}

}

using namespace stencilc_emu;

cudaError_t cudaGetLastError(void)
{
	cudaError_t e = last_error;

	last_error = cudaSuccess;
	unseen_errors.clear();
	return e;
}

cudaError_t cudaPeekAtLastError(void)
{
	unseen_errors.clear();
	return last_error;
}

const char *cudaGetErrorName(cudaError_t e)
{
	switch (e) {
#define ERROR(name, number, text) \
	case number: return is_hip ? "hip" #name : "cuda" #name;
#include "stencilc_emu_errors.def"
#undef ERROR
	}
	return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t e)
{
	return error_text(e);
}
