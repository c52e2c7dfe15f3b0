/* How many coefficients are there? */
void step(int steps, int n, float u[restrict n], float v[restrict n], const int *mat, const float *ca)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			v[i] = u[i - 1] + ca[mat[i]] * u[i + 1];
		for (int i = 1; i < n - 1; i++)
			u[i] = v[i];
	}
#pragma endscop
}
