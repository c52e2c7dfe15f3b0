void scale(int n, float a[n], float factor);
