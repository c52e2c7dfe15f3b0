/* How far two files of cells are apart, -DREAL=double ..:
 *
 *	compare A B
 *
 * prints the largest difference, as a part of the largest value of A, and how
 * many cells differ at all; a file that ends early is infinitely far.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef REAL real;

enum { CELLS = 1 << 16 };

int main(int argc, char **argv)
{
	static real a[CELLS], b[CELLS];
	FILE *files[2] = { NULL, NULL };
	double most = 0, value = 0;
	size_t count, differ = 0;

	for (int k = 0; k < 2; k++)
		if (argc != 3 || !(files[k] = fopen(argv[k + 1], "rb")))
			return 2;
	do {
		count = fread(a, sizeof(real), CELLS, files[0]);
		if (fread(b, sizeof(real), CELLS, files[1]) != count)
			most = INFINITY;
		for (size_t i = 0; i < count; i++) {
			const double d = fabs((double) a[i] - (double) b[i]);

			differ += memcmp(&a[i], &b[i], sizeof(real)) != 0;
			if (!(d <= most))
				most = d;
			if (fabs((double) a[i]) > value)
				value = fabs((double) a[i]);
		}
	} while (count);
	printf("%g %zu\n", most > 0 ? most / value : 0, differ);
	return 0;
}
