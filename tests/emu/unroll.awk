# Unrolls the steps of jacobi-hex.cu: a barrier a step and a statement a row,
# as generated code has them.  awk -v H=2 -v W0=3 -v copies=1; copies=2 makes
# a kernel of its own for each of the two phases.

function low(a) { return a - H - 1 > H - a ? a - H - 1 : H - a }

function high(a,  x, y) {
	x = 3 * H + 1 + W0 - a
	y = a + W0 + H
	return x < y ? x : y
}

function unrolled(  a, b) {
	printf "\t\tint k = (int) threadIdx.x + 2 * H + 2;\n"
	for (a = 0; a < 2 * H + 2; a++) {
		printf "\t\tif (t0 + %d >= 0 && t0 + %d < STEPS) {\n", a, a
		printf "\t\t\tint j = j0 + (int) threadIdx.x - %d, p = (t0 + %d) & 1;\n", a, a
		printf "\t\t\tint is_in = j >= 1 && j < M - 1;\n"
		for (b = low(a); b <= high(a); b++) {
			printf "\t\t\tif (threadIdx.y == %d && is_in && first >= %d && first < N - %d) {\n", (b - low(a)) % 4, 1 - b, 1 + b
			printf "\t\t\t\tfloat v = 0.2f * (s[p][%d][k - %d] + s[p][%d][k - %d] +\n", b + 1, a, b, a
			printf "\t\t\t\t\ts[p][%d][k - %d] + s[p][%d][k - %d] + s[p][%d][k - %d]);\n", b + 2, a, b + 1, a + 1, b + 1, a - 1
			printf "\t\t\t\ts[1 - p][%d][k - %d] = v;\n", b + 1, a
			printf "\t\t\t\tA[((size_t) (1 - p) * N + first + %d) * M + j] = v;\n", b
			printf "\t\t\t}\n"
		}
		printf "\t\t\t__syncthreads();\n\t\t}\n"
	}
}

function kernel(name,  i) {
	for (i = 1; i <= kernel_lines; i++) {
		if (lines[i] == "unrolled") {
			unrolled()
			continue
		}
		sub(/hexagons/, name, lines[i])
		print lines[i]
		sub(name "\\(", "hexagons(", lines[i])
	}
}

BEGIN {
	printf "#define H %d\n#define W0 %d\n", H, W0
}

/^__global__/ { in_kernel = 1 }
/\/\* steps/ { skip = 1; lines[++kernel_lines] = "unrolled" }
in_kernel && !skip { lines[++kernel_lines] = $0 }
/\/\* end of steps/ { skip = 0 }
in_kernel && /^}/ {
	in_kernel = 0
	kernel("hexagons")
	if (copies == 2) {
		print ""
		kernel("hexagons_1")
	}
	next
}
!in_kernel {
	if (copies == 2 && /hexagons<<</ && calls++ == 1)
		sub(/hexagons/, "hexagons_1")
	print
}
