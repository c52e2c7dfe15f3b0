/* static in the brackets of parameters, by a macro: C++ does not have it. */
#include "data.h"

#define LINE(name, n) name[restrict static n]

static void run(int steps, float LINE(a, 50), float LINE(b, 50))
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 49; i++)
			b[i] = a[i-1] + a[i+1];
		for (int i = 1; i < 49; i++)
			a[i] = b[i];
	}
#pragma endscop
}

int main(void)
{
	float a[50], b[50];

	fill_float(a, 50);
	fill_float(b, 50);
	run(4, a, b);
	print_float("a", a, 50);
	print_float("b", b, 50);
	return 0;
}
