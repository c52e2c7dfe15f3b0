/* A sum over terms that is not set to 0 at each point. */
static double a[40], b[40], w[3];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double s = 0;
		for (int i = 1; i < 39; i++) {
			for (int k = 0; k < 3; k++)
				s += w[k] * a[i + k - 1];
			b[i] = s;
		}
	}
#pragma endscop
}
