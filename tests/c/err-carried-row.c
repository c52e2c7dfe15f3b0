/* The sum of a row that is not set to 0 for the next one. */
static double a[9][40], b[9][40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double s = 0;
		for (int i = 0; i < 9; i++)
			for (int j = 0; j < 40; j++) {
				b[i][j] = s;
				s = a[i][j];
			}
	}
#pragma endscop
}
