/* A running sum: each iteration adds to what the one before has left. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double s = 0;
		for (int i = 0; i < 40; i++) {
			s += a[i];
			b[i] = s;
		}
	}
#pragma endscop
}
