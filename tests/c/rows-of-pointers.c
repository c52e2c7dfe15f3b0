/* Linear subscripts with rows of a length that loops do not have: that they stay in them is asked
 * as the program runs, and loops that do not run as they are.
 */
#include "data.h"

#define CELLS 600

static float first[CELLS], second[CELLS];

static void padded(int steps, int n, int m, int pitch, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				b[i * pitch + j] = 0.25f * (a[(i - 1) * pitch + j] + a[(i + 1) * pitch + j]
					+ a[i * pitch + j - 1] + a[i * pitch + j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				a[i * pitch + j] = b[i * pitch + j];
	}
#pragma endscop
}

static void solid(int steps, int n, int m, int l, int rows, int columns, const float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < m; j++)
				for (int k = 2; k <= l; k++)
					b[(i * rows + j) * columns + k] = b[(i * rows + j) * columns + k]
						+ 0.5f * a[((i - 1) * rows + j) * columns + k - 2];
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 4; steps++) {
		for (int pitch = 16; pitch < 24; pitch++) {
			fill_float(first, CELLS);
			fill_float(second, CELLS);
			padded(steps, 11, 20, pitch, first, second);
			sum_float("first", first, CELLS);
			sum_float("second", second, CELLS);
		}
		for (int rows = 3; rows < 6; rows++)
			for (int columns = 6; columns < 9; columns++) {
				fill_float(first, CELLS);
				fill_float(second, CELLS);
				solid(steps, 5, 4, 7, rows, columns, first, second);
				sum_float("second", second, CELLS);
			}
	}
	return 0;
}
