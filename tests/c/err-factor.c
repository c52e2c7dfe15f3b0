static float a[100], b[100];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 49; i++)
			b[i] = a[98 - 2 * i];
		for (int i = 1; i < 49; i++)
			a[i] = b[i];
	}
#pragma endscop
}
