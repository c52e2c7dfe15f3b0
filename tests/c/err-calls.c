/* Functions whose bodies cannot take the place of a call. */
#define N 100

static float a[N], b[N], *p = a;
static int count;

static int depth(int i)
{
	return i > 0 ? depth(i - 1) + 1 : 0;
}

static float first(const float *x)
{
	for (int k = 0; k < 3; k++)
		if (x[k] > 0)
			return x[k];
	return 0;
}

static float counted(float x)
{
	count++;
	return x;
}

static float noted(float *to, float x)
{
	*to = x;
	return 2 * x;
}

static float sum(const float *x, int n)
{
	float s = 0;

	while (n-- > 0)
		s += *x++;
	return s;
}

static float row(float x[N / 2][2], int i)
{
	return x[i][0] + x[i][1];
}

static void swap(float **x)
{
	*x = b;
}

void f(int steps)
{
#pragma scop
	for (int i = 0; i < N; i++)
		a[i] = depth(i);
#pragma endscop
#pragma scop
	for (int i = 3; i < N - 3; i++)
		a[i] = first(&b[i]);
#pragma endscop
#pragma scop
	for (int i = 0; i < N; i++)
		a[i] = counted(b[i]);
#pragma endscop
#pragma scop
	for (int i = 0; i < N; i++)
		a[i] = noted(&b[i], i) + b[i];
#pragma endscop
#pragma scop
	for (int i = 0; i < N - 3; i++)
		a[i] = sum(&b[i], 3);
#pragma endscop
#pragma scop
	for (int i = 0; i < N / 2; i++)
		a[i] = row((void *) b, i);
#pragma endscop
#pragma scop
	for (int i = 0; i < N; i++) {
		a[i] = i;
		swap(&p);
	}
#pragma endscop
}
