/* A value that doubles with each condition. */
static float a[40], b[40];

void f(int steps, int q)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 39; i++) {
			float s = a[i];
			if (q > 0)
				s += 0;
			if (q > 1)
				s += 1;
			if (q > 2)
				s += 2;
			if (q > 3)
				s += 3;
			if (q > 4)
				s += 4;
			if (q > 5)
				s += 5;
			if (q > 6)
				s += 6;
			if (q > 7)
				s += 7;
			if (q > 8)
				s += 8;
			if (q > 9)
				s += 9;
			if (q > 10)
				s += 10;
			if (q > 11)
				s += 11;
			if (q > 12)
				s += 12;
			if (q > 13)
				s += 13;
			if (q > 14)
				s += 14;
			if (q > 15)
				s += 15;
			if (q > 16)
				s += 16;
			if (q > 17)
				s += 17;
			if (q > 18)
				s += 18;
			if (q > 19)
				s += 19;
			if (q > 20)
				s += 20;
			if (q > 21)
				s += 21;
			if (q > 22)
				s += 22;
			if (q > 23)
				s += 23;
			if (q > 24)
				s += 24;
			if (q > 25)
				s += 25;
			if (q > 26)
				s += 26;
			if (q > 27)
				s += 27;
			if (q > 28)
				s += 28;
			if (q > 29)
				s += 29;
			if (q > 30)
				s += 30;
			if (q > 31)
				s += 31;
			if (q > 32)
				s += 32;
			if (q > 33)
				s += 33;
			if (q > 34)
				s += 34;
			if (q > 35)
				s += 35;
			if (q > 36)
				s += 36;
			if (q > 37)
				s += 37;
			if (q > 38)
				s += 38;
			if (q > 39)
				s += 39;
			b[i] = s;
		}
#pragma endscop
}
