/* A variable that keeps its value from call to call. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 39; i++) {
			static int c = 1;
			b[i] = c * a[i];
		}
#pragma endscop
}
