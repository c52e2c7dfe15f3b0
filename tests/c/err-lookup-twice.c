/* A number that comes out of a table. */
void step(int steps, int n, float u[restrict n], float v[restrict n], const int mat[n], const int kind[9],
	const float ca[7])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			v[i] = u[i - 1] + ca[kind[mat[i]]] * u[i + 1];
		for (int i = 1; i < n - 1; i++)
			u[i] = v[i];
	}
#pragma endscop
}
