// The nests of bench/cpu-plain.c in YASK's language, for the kernels that
// bench/cpu times where it is given YASK.  A cell at the boundary keeps its
// value: it lies in the halo, or a condition leaves it alone.

#include "yask_compiler_api.hpp"
using namespace std;
using namespace yask;

namespace {

#define INDICES_1D MAKE_STEP_INDEX(t); MAKE_DOMAIN_INDEX(x)
#define INDICES_2D INDICES_1D; MAKE_DOMAIN_INDEX(y)
#define INDICES_3D INDICES_2D; MAKE_DOMAIN_INDEX(z)

class Jacobi1d : public yc_solution_base {
	INDICES_1D;
	MAKE_VAR(A, t, x);
public:
	Jacobi1d() : yc_solution_base("jacobi1d") { }
	virtual void define() {
		A(t + 1, x) EQUALS
			0.333333 * (A(t, x - 1) + A(t, x) + A(t, x + 1));
	}
};
REGISTER_SOLUTION(Jacobi1d);

class Jacobi2d : public yc_solution_base {
	INDICES_2D;
	MAKE_VAR(A, t, x, y);
public:
	Jacobi2d() : yc_solution_base("jacobi2d") { }
	virtual void define() {
		A(t + 1, x, y) EQUALS 0.2 * (A(t, x, y) + A(t, x - 1, y) +
			A(t, x + 1, y) + A(t, x, y - 1) + A(t, x, y + 1));
	}
};
REGISTER_SOLUTION(Jacobi2d);

class Heat2d : public yc_solution_base {
	INDICES_2D;
	MAKE_VAR(A, t, x, y);
public:
	Heat2d() : yc_solution_base("heat2d") { }
	virtual void define() {
		A(t + 1, x, y) EQUALS 0.125 * (A(t, x - 1, y - 1) +
			A(t, x - 1, y) + A(t, x - 1, y + 1) + A(t, x, y - 1) +
			A(t, x, y + 1) + A(t, x + 1, y - 1) + A(t, x + 1, y) +
			A(t, x + 1, y + 1));
	}
};
REGISTER_SOLUTION(Heat2d);

class Gradient2d : public yc_solution_base {
	INDICES_2D;
	MAKE_VAR(A, t, x, y);
	yc_number_node_ptr square(yc_number_node_ptr v) { return v * v; }
public:
	Gradient2d() : yc_solution_base("gradient2d") { }
	virtual void define() {
		A(t + 1, x, y) EQUALS A(t, x, y) + 1.0 / sqrt(0.0001 +
			square(A(t, x, y) - A(t, x - 1, y)) +
			square(A(t, x, y) - A(t, x + 1, y)) +
			square(A(t, x, y) - A(t, x, y - 1)) +
			square(A(t, x, y) - A(t, x, y + 1)));
	}
};
REGISTER_SOLUTION(Gradient2d);

class Fdtd2d : public yc_solution_base {
	INDICES_2D;
	MAKE_VAR(ex, t, x, y);
	MAKE_VAR(ey, t, x, y);
	MAKE_VAR(hz, t, x, y);
public:
	Fdtd2d() : yc_solution_base("fdtd2d") { }
	virtual void define() {
		auto x0 = first_domain_index(x), y0 = first_domain_index(y);
		auto x1 = last_domain_index(x), y1 = last_domain_index(y);

		ey(t + 1, x, y) EQUALS
			ey(t, x, y) - 0.5 * (hz(t, x, y) - hz(t, x - 1, y))
			IF_DOMAIN x > x0;
		ey(t + 1, x, y) EQUALS ey(t, x, y) IF_DOMAIN x == x0;
		ex(t + 1, x, y) EQUALS
			ex(t, x, y) - 0.5 * (hz(t, x, y) - hz(t, x, y - 1))
			IF_DOMAIN y > y0;
		ex(t + 1, x, y) EQUALS ex(t, x, y) IF_DOMAIN y == y0;
		hz(t + 1, x, y) EQUALS hz(t, x, y) - 0.7 * (
			ex(t + 1, x, y + 1) - ex(t + 1, x, y) +
			ey(t + 1, x + 1, y) - ey(t + 1, x, y))
			IF_DOMAIN x < x1 && y < y1;
		hz(t + 1, x, y) EQUALS hz(t, x, y)
			IF_DOMAIN x == x1 || y == y1;
	}
};
REGISTER_SOLUTION(Fdtd2d);

class Laplacian3d : public yc_solution_base {
	INDICES_3D;
	MAKE_VAR(A, t, x, y, z);
public:
	Laplacian3d() : yc_solution_base("laplacian3d") { }
	virtual void define() {
		A(t + 1, x, y, z) EQUALS 0.4 * A(t, x, y, z) +
			0.1 * (A(t, x - 1, y, z) + A(t, x + 1, y, z) +
			A(t, x, y - 1, z) + A(t, x, y + 1, z) +
			A(t, x, y, z - 1) + A(t, x, y, z + 1));
	}
};
REGISTER_SOLUTION(Laplacian3d);

class Heat3d : public yc_solution_base {
	INDICES_3D;
	MAKE_VAR(A, t, x, y, z);
public:
	Heat3d() : yc_solution_base("heat3d") { }
	virtual void define() {
		yc_number_node_ptr sum;
		for (int i = -1; i <= 1; i++)
			for (int j = -1; j <= 1; j++)
				for (int k = -1; k <= 1; k++)
					sum += A(t, x + i, y + j, z + k);
		A(t + 1, x, y, z) EQUALS 0.037 * sum;
	}
};
REGISTER_SOLUTION(Heat3d);

}
