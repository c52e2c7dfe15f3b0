/* A scalar that one step leaves for the next. */
static double a[40], b[40];

void f(int steps)
{
	double s = 1;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 39; i++)
			b[i] = s * a[i];
		s = 0.5;
	}
#pragma endscop
}
