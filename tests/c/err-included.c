static float a[100], b[100];

static void f(int n)
{
#define SCALE 0.5f
#include "included-nest.h"
#pragma scop
#include "included-nest.h"
	for (int i = 0; i < n; i++)
		a[i] = a[i] + b[i];
#pragma endscop
}

int main(void)
{
	f(50);
	return 0;
}
