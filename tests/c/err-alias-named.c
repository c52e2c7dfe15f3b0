/* A parameter with restrict in its name alone, in a function that a macro
 * names.
 */
#define KERNEL(name) kernel_##name

void KERNEL(smooth)(int steps, float a[40], float restricted[40])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 39; i++)
			restricted[i] = a[i-1] + a[i+1];
		for (int i = 1; i < 39; i++)
			a[i] = restricted[i];
	}
#pragma endscop
}
