/* A bound that the body of its loop changes. */
static double a[40], b[40];

void f(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n; i++) {
			b[i] = a[i];
			n = 20;
		}
#pragma endscop
}
