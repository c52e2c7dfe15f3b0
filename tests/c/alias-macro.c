/* Parameters declared by macros, one of which pastes names together. */
#include <stdio.h>

#define SIZE 40
#define ARRAY(name, size) name[size]
#define NAMED(name, kind) name##_##kind[SIZE]

void run(int steps, float ARRAY(a, SIZE), float NAMED(b, new))
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < SIZE - 1; i++)
			b_new[i] = a[i-1] + a[i+1];
		for (int i = 1; i < SIZE - 1; i++)
			a[i] = b_new[i];
	}
#pragma endscop
}

int main(void)
{
	float a[SIZE], b[SIZE];

	for (int i = 0; i < SIZE; i++)
		a[i] = b[i] = (float) (i % 5);
	run(6, a, b);
	run(3, a, a);
	for (int i = 0; i < SIZE; i++)
		printf("%g %g\n", a[i], b[i]);
	return 0;
}
