/* Members that are not variables and arrays of their own. */
#define N 100

struct grid { float a[N], b[N]; unsigned low : 3; int n; float *row; };
struct cell { float v, w[2][2]; };
union both { float f[N]; int i[N]; };

static union both u;
static struct cell c[N], *p = c, *q = c;

void f(int steps, struct grid *g, struct grid *h)
{
#pragma scop
	for (int i = 1; i < N; i++)
		u.f[i] = 1;
#pragma endscop
#pragma scop
	for (int i = 1; i < g->low; i++)
		g->b[i] = g->a[i-1];
#pragma endscop
#pragma scop
	for (int i = 1; i < N; i++)
		c[i].w[1][0] = c[i].v;
#pragma endscop
#pragma scop
	for (int i = 1; i < N; i++)
		p[i].v = p->v;
#pragma endscop
#pragma scop
	for (int i = 1; i < N; i++)
		c[i].v = q->v;
#pragma endscop
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < g->n; i++)
			h->row[i] = g->row[i-1];
		float *x = g->row;
		g->row = h->row;
		h->row = x;
	}
#pragma endscop
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N; i++)
			g->b[i] = g->a[i-1];
		struct grid *x = g;
		g = h;
		h = x;
	}
#pragma endscop
#pragma scop
	for (int i = 1; i < N; i++) {
		struct cell one, two;
		one.v = i;
		c[i].v = one.v + two.v;
	}
#pragma endscop
#pragma scop
	g->n = 7;
	for (int i = 1; i < N; i++)
		c[i].v = i;
#pragma endscop
}
