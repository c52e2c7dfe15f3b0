/* A shift by more bits than the value has. */
#define N 100

static int A[N], B[N];

void too_far(void)
{
#pragma scop
	for (int i = 1; i < N - 1; i++)
		B[i] = A[i] << 32;
#pragma endscop
}
