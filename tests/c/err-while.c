static float a[100], b[100];

/* The counter is no last statement, so that what is behind it sees it advanced. */
void early(int steps)
{
	int t = 0;
#pragma scop
	while (t < steps) {
		t++;
		for (int i = 1; i < 99; i++)
			b[i] = a[i - 1] * t;
	}
#pragma endscop
}

/* Nothing counts. */
void endless(float eps)
{
	float change = 1;
#pragma scop
	while (change > eps) {
		change = 0;
		for (int i = 1; i < 99; i++)
			b[i] = a[i - 1];
	}
#pragma endscop
}

/* Two ways out. */
void twice(int steps, float eps)
{
	int t = 0;
	float change = 1;
#pragma scop
	while (t < steps && change > eps) {
		change = 0;
		for (int i = 1; i < 99; i++) {
			float d = a[i - 1] - b[i];
			b[i] = a[i - 1];
			change = d > change ? d : change;
		}
		if (change > 100)
			break;
		t++;
	}
#pragma endscop
}

/* An element decides whether there is a first step. */
void element(int steps, float eps)
{
	int t = 0;
	float change = 1;
#pragma scop
	while (t < steps && change > eps && b[0] > 1) {
		change = 0;
		for (int i = 1; i < 99; i++) {
			float d = a[i - 1] - b[i];
			b[i] = a[i - 1];
			change = d > change ? d : change;
		}
		t++;
	}
#pragma endscop
}

/* Each step is a call of its own. */
void calls(int steps, float u[][100])
{
	int t = 0;
#pragma scop
	while (t < steps) {
		for (int i = 1; i < 99; i++)
			u[t + 1][i] = u[t][i - 1];
		t++;
	}
#pragma endscop
}

/* The first point is computed in any case. */
void points(int steps, int n, float *restrict u, float *restrict v)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		int i = 1;

		do {
			v[i] = u[i - 1] + u[i + 1];
			i++;
		} while (i < n - 1);
		for (int k = 1; k < n - 1; k++)
			u[k] = v[k];
	}
#pragma endscop
}
