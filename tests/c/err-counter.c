/* A loop that counts in its body, too. */
static double a[40], b[40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 39; i++) {
			b[i] = a[i];
			i++;
		}
#pragma endscop
}
