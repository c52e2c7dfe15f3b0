// A kernel that YASK made of yask/PlainNests.cpp, run as bench/cpu-plain.c runs
// the plain nests: the same cells at the start, the same line on standard
// output.
//
//	yask-run STEPS SIZE REPEAT FILE [OPTION...]
//
// FILE gets the last version of the cells after all runs, unless it is "-".
// OPTIONs are YASK's, of blocks and steps.  With --tune before them nothing is
// timed: what its tuner finds, starting from them, is printed as options.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include "yask_kernel_api.hpp"

typedef REAL real;
using namespace yask;

namespace {

struct grid {
	yk_solution_ptr solution;
	std::vector<yk_var_ptr> vars;
	idx_t n, ring;		// cells along a dimension; how many at an end are fixed
	size_t cells;

	idx_t_vec corner(idx_t t, idx_t at) const
	{
		idx_t_vec v(solution->get_domain_dim_names().size(), at);

		v.insert(v.begin(), t);
		return v;
	}
	void copy_in() const;
	void copy_out(int steps, FILE *file) const;
};

std::vector<real> start(size_t first, size_t count)
{
	std::vector<real> v(count);

	for (size_t i = 0; i < count; i++)
		v[i] = (real) ((first + i) % 1013) / 1013;
	return v;
}

// Of a single variable both versions, as those at the boundary stay.
void grid::copy_in() const
{
	size_t at = 0;

	for (auto &var : vars)
		for (idx_t t = 0; t < 2; t++) {
			auto v = start(at, cells);

			if (t < var->get_alloc_size("t"))
				var->set_elements_in_slice(v.data(), cells,
					corner(t, -ring), corner(t, n - ring - 1));
			if (t == 1 || vars.size() == 1)
				at += cells;
		}
}

void grid::copy_out(int steps, FILE *file) const
{
	std::vector<real> v(cells);

	for (auto &var : vars) {
		var->get_elements_in_slice(v.data(), cells,
			corner(steps, -ring), corner(steps, n - ring - 1));
		fwrite(v.data(), sizeof(real), cells, file);
	}
}

double seconds()
{
	using namespace std::chrono;

	return duration<double>(steady_clock::now().time_since_epoch()).count();
}

void tune(yk_solution_ptr solution)
{
	solution->run_auto_tuner_now(false);
	for (auto &d : solution->get_domain_dim_names())
		printf("-b%s %ld ", d.c_str(),
		       (long) solution->get_block_size(d));
	printf("\n");
}

// Fields of several variables have no ring of cells: conditions make it.
grid prepare(yk_solution_ptr solution, idx_t n, const std::string &options)
{
	grid g = { solution, solution->get_vars(), n, 0, 1 };

	if (g.vars.size() == 1)
		g.ring = 1;
	for (auto &d : solution->get_domain_dim_names()) {
		solution->set_overall_domain_size(d, n - 2 * g.ring);
		g.cells *= (size_t) n;
	}
	const std::string left = solution->apply_command_line_options(options);
	if (left.find_first_not_of(' ') != std::string::npos)
		throw yask_exception("not an option: " + left);
	solution->prepare_solution();
	return g;
}

void run(int argc, char **argv)
{
	const int steps = atoi(argv[1]), repeat = atoi(argv[3]);
	const bool tuned = argc > 5 && !strcmp(argv[5], "--tune");
	std::string options;
	for (int k = tuned ? 6 : 5; k < argc; k++)
		options += std::string(argv[k]) + " ";

	yk_factory factory;
	yk_env::disable_debug_output();
	auto solution = factory.new_solution(factory.new_env());
	const grid g = prepare(solution, atoi(argv[2]), options);
	if (tuned)
		return tune(solution);
	g.copy_in();

	double best = 0;
	for (int k = 0; k < repeat; k++) {
		const double begin = seconds();

		solution->run_solution(k * steps, (k + 1) * steps - 1);
		const double s = seconds() - begin;
		if (k == 0 || s < best)
			best = s;
	}
	printf("%.6g s, %.4g GStencils/s\n", best,
	       1e-9 * (double) g.cells * steps / best);
	if (FILE *file = strcmp(argv[4], "-") ? fopen(argv[4], "wb") : nullptr) {
		g.copy_out(repeat * steps, file);
		fclose(file);
	}
}

}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	try {
		run(argc, argv);
	} catch (yask_exception &e) {
		fprintf(stderr, "yask-run: %s\n", e.get_message());
		return 1;
	}
}
