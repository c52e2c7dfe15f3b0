static float a[100], b[100], c[100];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 99; i++)
			b[i] = a[i-1];
		for (int i = 1; i < 99; i++)
			c[i] = b[i];
		for (int i = 1; i < 50; i++)
			b[i] = b[i] + a[i+1];
		for (int i = 1; i < 99; i++)
			a[i] = b[i] + c[i];
	}
#pragma endscop
}
