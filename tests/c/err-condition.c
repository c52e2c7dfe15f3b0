static float a[100], b[100];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 98; i++) {
			if (a[i] > 0)
				b[i] = a[i-1];
			b[i+1] = a[i];
		}
		for (int i = 1; i < 99; i++)
			a[i] = b[i];
	}
#pragma endscop
}
