static float a[100], b[100];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 99; i++)
			if (a[i] > 0)
				a[i] = a[i-1];
		for (int i = 1; i < 99; i++) {
			if (a[i] > 0)
				b[i] = 1;
			if (a[i] > 2)
				b[i] = b[i] + 2;
		}
	}
#pragma endscop
}
