struct grid { float a[100], b[100]; };

void f(int steps, struct grid *g)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 99; i++)
			g->b[i] = g->a[i-1];
#pragma endscop
}
