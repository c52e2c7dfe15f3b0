/* The small functions that emitted code calls. */
#include "codegen/codegen.h"

bool unit_uses(const struct kunit *unit, const char *name)
{
	for (const struct kfunc *f = unit->first; f; f = f->next)
		if (ks_uses(f->body, name))
			return true;
	return false;
}

enum caller { ANYWHERE, KERNELS, HARNESS };

struct helper {
	const char *name;
	enum caller caller;
	const char *comment;	/* or NULL */
	const char *params, *body;
};

static const struct helper helpers[] = {
	{ "imin", ANYWHERE, NULL, "int a, int b",
		"\treturn a < b ? a : b;\n" },
	{ "imax", ANYWHERE, NULL, "int a, int b",
		"\treturn a > b ? a : b;\n" },
	{ "floord", ANYWHERE, "floor(a / b), b > 0", "int a, int b",
		"\treturn a >= 0 ? a / b : -((b - 1 - a) / b);\n" },
	{ "whole_lines", ANYWHERE, "Rounded up to lines of the cache.",
		"size_t bytes", "\treturn (bytes + 63) / 64 * 64;\n" },
	{ "half_page_apart", ANYWHERE, "How far behind \"own\" memory is half a "
		"page from where \"user\" is in its.",
		"const void *own, const void *user",
		"\treturn (int)(((size_t)user + 2048 - (size_t)own) % 4096);\n" },
	{ "wrap", KERNELS, "x mod n for 0 <= x < 2*n", "int x, int n",
		"\treturn x < n ? x : x - n;\n" },
	{ "stencilc_mirror", KERNELS, "The cell of 0 .. n-1 that a mirror at "
		"both ends has for x.", "int x, int n",
		"\treturn x < 0 ? -x : x < n ? x : n - 1 - (x - (n - 1));\n" },
	{ "stencilc_periodic", KERNELS, "x mod n for -n <= x < 2*n",
		"int x, int n",
		"\treturn x < 0 ? x + n : x < n ? x : x - n;\n" },
	{ "stencilc_parity", KERNELS, "x mod 2", "int x",
		"\treturn x & 1;\n" },
	{ "stencilc_wrap", KERNELS, "x mod n", "int x, int n",
		"\treturn (x % n + n) % n;\n" },
	{ "harness_mirror", HARNESS, "The boundaries of the plain loops.",
		"int x, int n",
		"\twhile (x < 0 || x >= n)\n"
		"\t\tx = x < 0 ? -x : n - 1 - (x - (n - 1));\n"
		"\treturn x;\n" },
	{ "harness_periodic", HARNESS, NULL, "int x, int n",
		"\treturn (x % n + n) % n;\n" },
	{ "harness_clamp", HARNESS, NULL, "int x, int n",
		"\treturn x < 0 ? 0 : x < n ? x : n - 1;\n" },
	{ "harness_inside", HARNESS, NULL, "int x, int n",
		"\treturn 0 <= x && x < n;\n" },
};

/* Loads and stores of "n" cells at an aligned address, in pieces of up to 16
 * bytes; copies of as many.
 */
static void print_vector_helper(struct text *t, const struct kunit *unit,
	const char *prefix, const char *type, int bytes, int n)
{
	const char *load = region_printf(unit->mem, "stencilc_load_%s%d",
		type, n);
	const char *store = region_printf(unit->mem, "stencilc_store_%s%d",
		type, n);
	const char *copy = region_printf(unit->mem, "stencilc_copy_%s%d",
		type, n);
	int piece = n * bytes > 16 ? 16 / bytes : n;

	if (unit_uses(unit, load)) {
		text_printf(t, "%s void %s(%s *to, const %s *from)\n{\n",
			prefix, load, type, type);
		for (int i = 0; i < n; i += piece) {
			text_printf(t, "\tconst %s%d v%d = *(const %s%d *)"
				"(from + %d);\n", type, piece, i, type, piece,
				i);
			for (int j = 0; j < piece; j++)
				text_printf(t, "\tto[%d] = v%d.%c;\n",
					i + j, i, "xyzw"[j]);
		}
		text_puts(t, "}\n\n");
	}
	if (unit_uses(unit, copy))
		text_printf(t, "%s void %s(%s *to, const %s *from)\n{\n"
			"\t*(%s%d *)to = *(const %s%d *)from;\n}\n\n", prefix,
			copy, type, type, type, n, type, n);
	if (unit_uses(unit, store)) {
		text_printf(t, "%s void %s(%s *to, const %s *from)\n{\n",
			prefix, store, type, type);
		for (int i = 0; i < n; i += piece) {
			text_printf(t, "\t*(%s%d *)(to + %d) = make_%s%d(",
				type, piece, i, type, piece);
			for (int j = 0; j < piece; j++)
				text_printf(t, "%sfrom[%d]", j ? ", " : "",
					i + j);
			text_puts(t, ");\n");
		}
		text_puts(t, "}\n\n");
	}
}

static void print_vector_helpers(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	for (int n = 2; n <= 8; n *= 2) {
		print_vector_helper(t, unit, prefix, "float", 4, n);
		print_vector_helper(t, unit, prefix, "double", 8, n);
		print_vector_helper(t, unit, prefix, "int", 4, n);
	}
}

/* rsqrtf errs by up to 2 units in the last place and is improved by a step of
 * Newton's; rsqrt ends with such a step, and errs by up to 1.
 */
static void print_root_helpers(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	if (unit_uses(unit, "stencilc_rsqrt_float"))
		text_printf(t, "/* 1 / sqrt(x) */\n"
			"%s float stencilc_rsqrt_float(float x)\n{\n"
			"\tconst float y = rsqrtf(x);\n"
			"\treturn y + y * (0.5f + -0.5f * x * y * y);\n"
			"}\n\n", prefix);
	if (unit_uses(unit, "stencilc_rsqrt_double"))
		text_printf(t, "/* 1 / sqrt(x) */\n"
			"%s double stencilc_rsqrt_double(double x)\n{\n"
			"\treturn rsqrt(x);\n}\n\n", prefix);
}

/* Barriers in shared memory that a row copied in bulk arrives at: one thread says
 * how many bytes to expect, and copies them.
 */
static void print_bulk_helpers(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	if (!unit_uses(unit, BULK_COPY))
		return;
	text_printf(t, "/* A barrier for copies that one thread announces. */\n"
		"%s void stencilc_begin_arrivals(uint64_t *arrived)\n{\n"
		"\tcuda::ptx::mbarrier_init(arrived, 1);\n"
		"\tcuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release,\n"
		"\t\tcuda::ptx::scope_cluster);\n}\n\n", prefix);
	text_printf(t, "/* The next phase of the barrier is for so many bytes. */"
		"\n%s void stencilc_expect_bytes(uint64_t *arrived, "
		"uint32_t bytes)\n{\n"
		"\tcuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release,"
		"\n\t\tcuda::ptx::scope_cta, cuda::ptx::space_shared, arrived, "
		"bytes);\n}\n\n", prefix);
	text_printf(t, "%s void " BULK_COPY "(void *to, const void *from,\n"
		"\tuint32_t bytes, uint64_t *arrived)\n{\n"
		"\tcuda::ptx::cp_async_bulk(cuda::ptx::space_cluster,\n"
		"\t\tcuda::ptx::space_global, to, from, bytes, arrived);\n}\n\n",
		prefix);
	text_printf(t, "/* Wait for the bytes of the phase of this parity. */\n"
		"%s void stencilc_wait_for_bytes(uint64_t *arrived, int parity)"
		"\n{\n"
		"\twhile (!cuda::ptx::mbarrier_try_wait_parity(arrived, parity))"
		"\n\t\t;\n}\n\n", prefix);
	if (unit_uses(unit, BULK_FENCE))
		text_printf(t, "/* Copies in bulk see what was stored before. */"
			"\n%s void " BULK_FENCE "(void)\n{\n"
			"\tcuda::ptx::fence_proxy_async();\n}\n\n", prefix);
}

/* A page of usual size is a fault when it is touched first, and one entry of a
 * cache of few hundred.
 */
static void print_memory_helper(struct text *t, const struct kunit *unit,
	const char *prefix)
{
	if (unit_uses(unit, "stencilc_memory"))
		text_printf(t, "/* Memory from the start of a line of the cache "
			"on, much of it in large pages where\n"
			" * the system offers them.\n */\n"
			"%s void *stencilc_memory(size_t bytes)\n{\n"
			"\tvoid *const memory = aligned_alloc(64, "
			"(bytes + 63) / 64 * 64);\n"
			"#ifdef MADV_HUGEPAGE\n"
			"\tconst size_t before = (4096 - (size_t)memory %% 4096)"
			" %% 4096;\n\n"
			"\tif (memory && bytes >= 8 << 20)\n"
			"\t\tmadvise((char *)memory + before, bytes - before, "
			"MADV_HUGEPAGE);\n"
			"#endif\n"
			"\treturn memory;\n}\n\n", prefix);
}

void print_helpers(struct text *t, const struct kunit *unit,
	const struct helper_prefix *prefix)
{
	const char *const words[] = {
		prefix->anywhere, prefix->kernels, prefix->harness,
	};

	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		const struct helper *h = &helpers[i];

		if (!unit_uses(unit, h->name))
			continue;
		if (h->comment)
			text_printf(t, "/* %s */\n", h->comment);
		text_printf(t, "%s int %s(%s)\n{\n%s}\n\n",
			words[h->caller], h->name, h->params, h->body);
	}
	print_vector_helpers(t, unit, prefix->kernels);
	print_root_helpers(t, unit, prefix->kernels);
	print_bulk_helpers(t, unit, prefix->kernels);
	print_memory_helper(t, unit, prefix->anywhere);
}
