/* An unsigned difference that wraps below 0. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (unsigned i = 1; i < 39; i++)
			if (i - 5 < 10)
				b[i] = a[i];
#pragma endscop
}
