/* The value of the iteration before, without a time loop. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	double p = a[0];
	for (int i = 0; i < 40; i++) {
		b[i] = p;
		p = 2 * a[i];
	}
#pragma endscop
}
