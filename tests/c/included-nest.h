for (int i = 1; i < n - 1; i++)
	b[i] = SCALE * (a[i - 1] + a[i + 1]);
