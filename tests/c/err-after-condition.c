/* A scalar that has a value in one of two cases. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 39; i++) {
			double p;
			if (i > 5)
				p = a[i];
			b[i] = p;
		}
#pragma endscop
}
