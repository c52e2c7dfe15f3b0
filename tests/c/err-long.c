/* A value that doubles with each assignment. */
static float a[40], b[40];

void f(int steps, int q)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 39; i++) {
			float s = a[i];
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			s = s * s;
			b[i] = s;
		}
#pragma endscop
}
