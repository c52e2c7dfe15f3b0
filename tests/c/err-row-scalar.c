/* A value of a row that no point of the row is near. */
static double a[9][40], b[9][40];

void f(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 9; i++) {
			double p = a[i - 1][0];
			for (int j = 0; j < 40; j++)
				b[i][j] = p;
		}
		for (int i = 1; i < 9; i++)
			for (int j = 0; j < 40; j++)
				a[i][j] = b[i][j];
	}
#pragma endscop
}
