/* Data for the C programs of this folder: fill arrays, print every bit. */
#ifndef DATA_H
#define DATA_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* One number for all bits of "size" bytes: FNV-1a. */
static void sum_bytes(const char *name, const void *a, size_t size)
{
	const unsigned char *byte = (const unsigned char *) a;
	unsigned long long sum = 14695981039346656037u;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ byte[i]) * 1099511628211u;
	printf("%s: %llx\n", name, sum);
}

static void sum_float(const char *name, const float *a, int n)
{
	sum_bytes(name, a, (size_t) n * sizeof(float));
}

static void sum_double(const char *name, const double *a, int n)
{
	sum_bytes(name, a, (size_t) n * sizeof(double));
}
#endif
