/* An array without copies beside one with copies for odd and even steps, which data decides about. */
static double a[2][40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 39; i++)
			a[(t + 1) % 2][i] = a[t % 2][i - 1];
		for (int i = 1; i < 39; i++)
			if (a[t % 2][i] > 0)
				b[i] = a[(t + 1) % 2][i];
	}
#pragma endscop
}
