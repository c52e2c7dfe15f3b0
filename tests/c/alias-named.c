/* A parameter with restrict in its name alone, in a function that a macro
 * names; the region decides what a variable is behind it.
 */
#include <stdio.h>

#define KERNEL(name) kernel_##name

int KERNEL(smooth)(int steps, double a[40], double restricted[40])
{
	int t;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (int i = 1; i < 39; i++)
			restricted[i] = a[i-1] + a[i+1];
		for (int i = 1; i < 39; i++)
			a[i] = restricted[i];
	}
#pragma endscop
	return t;
}

int main(void)
{
	double a[60];

	for (int i = 0; i < 60; i++)
		a[i] = i % 5;
	printf("%d\n", kernel_smooth(6, a, a + 20));
	printf("%d\n", kernel_smooth(2, a + 5, a));
	for (int i = 0; i < 60; i++)
		printf("%g\n", a[i]);
	return 0;
}
