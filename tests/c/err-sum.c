static float a[100], b[100];

float f(int steps)
{
	float sum = 0;
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 99; i++)
			b[i] = a[i-1];
		for (int i = 1; i < 99; i++) {
			sum += b[i];
			a[i] = b[i];
		}
	}
#pragma endscop
	return sum;
}
