/* Values that a region leaves in variables, and that something behind it reads: another region, the next iteration of a
 * loop around it, the next call of its function, what a pointer names.
 */
#define N 100

static double a[N], b[N];
static void show(const double *value);

void regions(int steps)
{
	double c = 0.125;

#pragma scop
	for (int t = 0; t < steps; t++) {
		c = 0.25;
		for (int i = 1; i < N - 1; i++)
			b[i] = c * (a[i - 1] + a[i + 1]);
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			b[i] = c * (a[i - 1] + a[i + 1]);
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
}

void frames(int steps, int n)
{
	double c = 0.5;

	for (int frame = 0; frame < n; frame++) {
#pragma scop
		c *= 0.75;
		for (int t = 0; t < steps; t++) {
			for (int i = 1; i < N - 1; i++)
				b[i] = c * (a[i - 1] + a[i + 1]);
			for (int i = 1; i < N - 1; i++)
				a[i] = b[i];
		}
#pragma endscop
	}
}

void again(int steps)
{
	static double c;

#pragma scop
	for (int t = 0; t < steps; t++) {
		c = 0.25;
		for (int i = 1; i < N - 1; i++)
			b[i] = c * (a[i - 1] + a[i + 1]);
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
}

void jumps(int steps, int n)
{
	double c = 0.5;

again:
	if (n-- == 0)
		return;
#pragma scop
	c *= 0.75;
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			b[i] = c * (a[i - 1] + a[i + 1]);
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
	goto again;
}

void named(int steps)
{
	double c = 0.5;
	const double *value = &c;

#pragma scop
	for (int t = 0; t < steps; t++) {
		c = 0.25;
		for (int i = 1; i < N - 1; i++)
			b[i] = c * (a[i - 1] + a[i + 1]);
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
	show(value);
}

/* Some way to the sum reads what the region leaves. */
double some(int steps, int n, const double *w)
{
	double c = 0.5, sum = 0;

#pragma scop
	for (int t = 0; t < steps; t++) {
		c = 0.25;
		for (int i = 1; i < N - 1; i++)
			b[i] = c * (a[i - 1] + a[i + 1]);
		for (int i = 1; i < N - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
	for (int i = 0; i < n; i++) {
		if (w[i] > 0)
			continue;
		c = w[i];
	}
	switch (n) {
	case 0:
		c = 1;
		break;
	case 1:
		sum = 1;
	}
	if (n > 3 && (c = w[3]) > 0)
		sum += 1;
	return sum + c;
}
