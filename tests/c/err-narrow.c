/* A scalar of a type that does not have all values of int. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 39; i++) {
			_Bool c = 7 * i;
			b[i] = c * a[i];
		}
#pragma endscop
}
