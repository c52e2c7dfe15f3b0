// expect: 0 /^2.0 0.5$/
// A file that names std has all that <cmath> brings.
#include <stdio.h>

int main()
{
	printf("%.1f %.1f\n", std::max(1.0, 2.0), std::beta(1.0, 2.0));
	return 0;
}
