static float a[100];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 99; i++)
			a[i] = a[i] * two;
#pragma endscop
}
