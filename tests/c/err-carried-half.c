/* A factor that each iteration halves. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double s = 1;
		for (int i = 0; i < 40; i++) {
			s = s * 0.5;
			b[i] = s * a[i];
		}
	}
#pragma endscop
}
