/* A counter of iterations. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		int c = 0;
		for (int i = 0; i < 40; i++) {
			b[i] = c * a[i];
			c++;
		}
	}
#pragma endscop
}
