/* What pointers walk over depends on data, or on what changes later. */
void sometimes(int steps, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		float *p = b + 1;

		for (int i = 1; i < 39; i++)
			if (a[i] > 0)
				*p++ = a[i];
	}
#pragma endscop
}

void changed(int steps, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		int k = 3;
		float *p = b + k;

		k = 7;
		for (int i = 1; i < 39; i++)
			p[i] = a[i + k];
	}
#pragma endscop
}

void counted(int steps, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		int i = 3;
		float *p = b + i;

		for (i = 5; i < 39; i++)
			p[2 - i] = a[i];
	}
#pragma endscop
}

void both(int steps, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		float *p = a;

		for (int i = 1; i < 39; i++)
			b[i] = i > 3 ? *p++ : 0;
	}
#pragma endscop
}
