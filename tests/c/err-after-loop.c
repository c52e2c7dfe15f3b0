/* A scalar that a loop before has left, in an array read elsewhere. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double p = 0;
		for (int i = 1; i < 39; i++) {
			p = a[i];
			b[i] = p;
		}
		a[0] = p;
	}
#pragma endscop
}
