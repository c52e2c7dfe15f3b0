/* Alternating directions: recurrences along rows and columns. */
#define N 100

static double u[N][N], v[N][N], p[N][N], q[N][N];

void kernel_adi(int tsteps, int n, double a, double b, double c, double d, double f)
{
#pragma scop
	for (int t = 1; t <= tsteps; t++) {
		for (int i = 1; i < n - 1; i++) {
			v[0][i] = 1.0;
			p[i][0] = 0.0;
			q[i][0] = v[0][i];
			for (int j = 1; j < n - 1; j++) {
				p[i][j] = -c / (a * p[i][j-1] + b);
				q[i][j] = (-d * u[j][i-1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i+1]
					- a * q[i][j-1]) / (a * p[i][j-1] + b);
			}
			v[n-1][i] = 1.0;
			for (int j = n - 2; j >= 1; j--)
				v[j][i] = p[i][j] * v[j+1][i] + q[i][j];
		}
	}
#pragma endscop
}
