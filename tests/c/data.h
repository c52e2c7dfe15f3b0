/* Data for the C programs of this folder: fill arrays, print every bit. */
#include <stdio.h>
#include <stdlib.h>

static unsigned data_state = 1;

static float data_next(void)
{
	data_state = data_state * 1103515245u + 12345u;
	return (float) (data_state >> 16 & 1023) / 64.0f - 8.0f;
}

static void fill_float(float *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = data_next();
}

static void fill_double(double *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = data_next();
}

static void print_float(const char *name, const float *a, int n)
{
	for (int i = 0; i < n; i++)
		printf("%s[%d] = %a\n", name, i, a[i]);
}

static void print_double(const char *name, const double *a, int n)
{
	for (int i = 0; i < n; i++)
		printf("%s[%d] = %a\n", name, i, a[i]);
}
