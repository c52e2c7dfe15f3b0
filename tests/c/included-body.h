b[i] = c[i] + a[i];
if (b[i] > 3)
	b[i] = 3;
