/* The first statement needs what the second computes in another iteration. */
static float a[100], b[100];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 99; i++) {
			a[i] = b[i-1];
			b[i] = a[i] * 0.5f;
		}
#pragma endscop
}
