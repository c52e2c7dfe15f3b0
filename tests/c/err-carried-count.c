/* A counter of some iterations, as data says. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		int c = 0;
		for (int i = 0; i < 40; i++) {
			b[i] = c * a[i];
			if (a[i] > 0)
				c++;
		}
	}
#pragma endscop
}
