static float a[100], b[100];

float f(int steps)
{
	float s;
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 99; i++) {
			s = a[i-1] + a[i+1];
			b[i] = s * s;
		}
		for (int i = 1; i < 99; i++)
			a[i] = b[i];
	}
#pragma endscop
	return s;
}
