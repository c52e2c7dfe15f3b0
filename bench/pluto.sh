# For bench/cpu: the same nests by Pluto (POLYCC is its polycc), the fastest of
# some tile sizes each.  Pluto 0.11.4 reads affine indices only: the array has a
# version for each step, and only what Pluto wrote says that two are enough.  What
# orders values orders these, too: who overwrites a value has read one that was
# computed from it.

# NAME: the points of a statement, and the value at one.
pluto_nest() {
	case $1 in
	jacobi1d) echo '0.333333 * (a[t][i-1] + a[t][i] + a[t][i+1])' ;;
	jacobi2d)
		echo '0.2 * (a[t][i][j] + a[t][i-1][j] + a[t][i+1][j] +
			a[t][i][j-1] + a[t][i][j+1])' ;;
	heat2d)
		echo '0.125 * (a[t][i-1][j-1] + a[t][i-1][j] + a[t][i-1][j+1] +
			a[t][i][j-1] + a[t][i][j+1] + a[t][i+1][j-1] +
			a[t][i+1][j] + a[t][i+1][j+1])' ;;
	gradient2d)
		echo 'a[t][i][j] + 1 / ROOT(0.0001'
		for at in i-1][j i+1][j i][j-1 i][j+1; do
			echo "+ (a[t][i][j] - a[t][$at]) *
				(a[t][i][j] - a[t][$at])"
		done
		echo ')' ;;
	laplacian3d)
		echo '0.4 * a[t][i][j][k] + 0.1 * (a[t][i-1][j][k] +
			a[t][i+1][j][k] + a[t][i][j-1][k] + a[t][i][j+1][k] +
			a[t][i][j][k-1] + a[t][i][j][k+1])' ;;
	heat3d)
		echo '0.037 * (a[t][i-1][j-1][k-1]'
		for di in -1 +0 +1; do for dj in -1 +0 +1; do
			for dk in -1 +0 +1; do
				[ "$di$dj$dk" = -1-1-1 ] ||
					echo "+ a[t][i$di][j$dj][k$dk]"
			done
		done; done
		echo ')' ;;
	esac
}

pluto_scop() {	# NAME
	if [ $1 = fdtd2d ]; then
		cat <<'END'
  for (t = 0; t < T; t++) {
  for (i = 1; i < N; i++)
  for (j = 0; j < N; j++)
    ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i-1][j]);
  for (i = 0; i < N; i++)
  for (j = 1; j < N; j++)
    ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j-1]);
  for (i = 0; i < N - 1; i++)
  for (j = 0; j < N - 1; j++)
    hz[i][j] = hz[i][j] - 0.7 * (ex[i][j+1] - ex[i][j] + ey[i+1][j] - ey[i][j]);
  }
END
		return
	fi
	echo '  for (t = 0; t < T; t++)'
	at=
	case $1 in *1d) dims=i ;; *2d) dims="i j" ;; *) dims="i j k" ;; esac
	for d in $dims; do
		echo "  for ($d = 1; $d < N - 1; $d++)"
		at="$at[$d]"
	done
	echo "    a[t+1]$at = $(pluto_nest $1 | tr -s '\n\t' '  ');"
}

pluto_source() {	# NAME
	case $1 in
	*1d) cells='(n)' rows= ;;
	*2d) cells='(n) * (n)' rows='[N]' ;;
	*) cells='(n) * (n) * (n)' rows='[N][N]' ;;
	esac
	echo "#define CELLS(n) ((size_t) $cells)"
	echo "#define FIELDS $([ $1 = fdtd2d ] && echo 3 || echo 2)"
	echo "static void run(int T, int N, real *restrict p)"
	echo "{"
	if [ $1 = fdtd2d ]; then
		echo "	real (*restrict ex)[N] = (void *) p;"
		echo "	real (*restrict ey)[N] = (void *) (p + CELLS(N));"
		echo "	real (*restrict hz)[N] = (void *) (p + 2 * CELLS(N));"
	else
		echo "	real (*restrict a)[N]$rows = (void *) p;"
	fi
	echo "#pragma scop"
	pluto_scop $1
	echo "#pragma endscop"
	echo "}"
}

# NAME: tiles to try; the first two dimensions make a diamond.
pluto_tiles() {
	case $1 in
	*1d) echo "64,64 128,128 256,256 512,512 1024,1024 4096,4096" ;;
	*2d) echo "32,32,256 32,32,1024 32,64,1024 64,64,512 64,64,1024" ;;
	*) echo "8,8,8,512 16,16,8,512 16,16,16,128 16,16,16,512 24,24,8,512" ;;
	esac
}

# The option for diamonds, which 0.12 and later make unasked.
pluto_diamonds() {
	"$POLYCC" --help 2>&1 | grep -o -e --partlbtile | head -n 1
}

# Literals of Pluto's C are doubles: C() makes them what the type asks for.
pluto_code() {	# NAME TILES: in pluto.h of the current folder
	pluto_source $1 >pluto.c
	echo "$2" | tr , '\n' >tile.sizes
	timeout 200 "$POLYCC" pluto.c --tile --parallel $(pluto_diamonds) \
		-o out.c >log 2>&1 &&
	sed -n '/^#define CELLS/,$p' out.c |
	sed 's/#pragma ivdep/#pragma GCC ivdep/; /pragma vector always/d
		s/\ba\[\([^]]*\)\]/a[(\1)\&1]/g
		s/\b\([0-9][0-9]*\.[0-9][0-9]*\)\b/C(\1)/g
		s/\([^0-9]\)1 \/ ROOT/\1C(1) \/ ROOT/' >pluto.h
}

# sum_of PROGRAM SIZE: for a few steps.
sum_of() {
	"$1" 7 $(($2 / 4)) 1 sum | tail -n 1
}

# pluto NAME TYPE STEPS SIZE: the program "pluto" of the fastest tiles, which
# are printed; nothing if Pluto has no code for it that computes the same.
pluto() (
	mkdir -p "$tmp/polycc" && cd "$tmp/polycc" || return
	best=0
	for tiles in $(pluto_tiles $1); do
		pluto_code $1 $tiles || continue
		$CC $cflags -DNESTS='"pluto.h"' -I. -DREAL=$2 \
			"$bench/cpu-plain.c" -o one -lm || continue
		[ "$(sum_of ./one $4)" = "$(sum_of "$tmp/plain-$1-$2" $4)" ] ||
			continue
		rate=$(./one $3 $4 2 | awk '{ print $3 }')
		awk "BEGIN { exit !($rate > $best) }" || continue
		best=$rate
		mv one ../pluto
		echo $tiles
	done | tail -n 1
)
