static float a[100], b[100];

void f(int steps)
{
	int t = 0;
#pragma scop
	while (t < steps) {
		for (int i = 1; i < 99; i++)
			b[i] = a[i-1];
		t++;
	}
#pragma endscop
}
