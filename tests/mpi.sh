# Files with --mpi, built and run on communicators of several sizes: sourced behind tap.sh.

if ! command -v mpicc >/dev/null 2>&1 || ! command -v mpirun >/dev/null 2>&1; then
	skip_all "there is no mpicc and mpirun (Debian: libopenmpi-dev, openmpi-bin)"
fi
cd "$tmp" || exit 99
OMP_NUM_THREADS=1; export OMP_NUM_THREADS
run="mpirun --allow-run-as-root --oversubscribe"
flags="-std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off"
once=--repeat=0

use_compiler() {
	OMPI_CC=${CC%% *}; export OMPI_CC
}
use_compiler

# emit NAME FILE [options of stencilc]
suffix=.c
emit() {
	name=$1 file=$2
	shift 2
	"$STENCILC" --mpi --harness "$@" "$file" -o $name$suffix
}

# NAME.c with its main() as a function, see mpi-main.c.
harness_of_ranks() {
	sed 's/MPI_COMM_WORLD/ranks/g
		s/^ *MPI_Init(argc, argv);/(void)argc, (void)argv;/
		s/^ *MPI_Finalize();//
		s/= \([a-z0-9_]*\)_mpi(\(.*\), ranks);/= alone ? \1(\2) : \1_mpi(\2, ranks);/
		s/^int main(/static int harness_main(/' $1$suffix >$1-ranks$suffix
}

# Of NAME.c a program that runs its harness on communicators of several sizes.
link_harness() {
	name=$1
	harness_of_ranks $name &&
	mpicc $flags -DCARTESIAN=${cartesian:-0} \
		-DPROGRAM="\"$name-ranks.c\"" -I. "$top_srcdir/tests/mpi-main.c" \
		-o $name -lm
}

build() {
	emit "$@" && link_harness $1
}

# equal RUNS NAME ARGUMENTS..: all of so many runs are equal to the plain loops.
equal() {
	expected=$1 program=$2
	shift 2
	$run -n 8 ./$program $sizes "$@" >$program.out 2>&1 &&
	[ "$(grep -c 'equal to the plain loops' $program.out)" = "$expected" ] ||
	{ cat $program.out; false; }
}
