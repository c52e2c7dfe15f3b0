/* A pointer to elements of another type. */
static double a[40];
static float b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		float *p = (float *) a;
		for (int i = 1; i < 39; i++)
			b[i] = p[i];
	}
#pragma endscop
}
