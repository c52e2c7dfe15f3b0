/* Scalars with a mistake each, used several times in steps of two kinds: one
 * message for each mistake.
 */
static float A[2][100], B[100];

void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 49; i++) {
			int k = (_Bool) (2 * i);
			float x = A[t%2][98-2*i], y = x * k;
			float z = B[i] * 3000000000;

			A[(t+1)%2][i] = k * x + x * k + y * z + z * k;
		}
	}
#pragma endscop
}
