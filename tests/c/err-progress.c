/* Progress is printed every hundredth step. */
int printf(const char *format, ...);

void run(int steps, int n, double (*restrict u)[n], double (*restrict v)[n])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				v[i][j] = 0.5 * (u[i - 1][j] + u[i + 1][j]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				u[i][j] = v[i][j];
		if (t % 100 == 0)
			printf("step %d\n", t);
	}
#pragma endscop
}
