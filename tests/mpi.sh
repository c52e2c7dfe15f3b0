# Files with --mpi, built and run on communicators of several sizes: sourced behind tap.sh.

if ! command -v mpicc >/dev/null 2>&1 || ! command -v mpirun >/dev/null 2>&1; then
	skip_all "there is no mpicc and mpirun (Debian: libopenmpi-dev, openmpi-bin)"
fi
cd "$tmp" || exit 99
# Open MPI need not look for a network.
OMP_NUM_THREADS=1 OMPI_MCA_pml=ob1; export OMP_NUM_THREADS OMPI_MCA_pml
run="$(on_one_core) mpirun --allow-run-as-root --oversubscribe"
flags="-std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off"
once=--repeat=0

use_compiler() {
	OMPI_CC=${CC%% *}; export OMPI_CC
}
use_compiler

# Every third program has its turn: the $n-th of those that have.
asked=0 n=$((${TURN:-0} / 3 % 6))
is_next() {
	asked=$((asked + 1))
	has_turn $asked 3 || [ "${MPI-}" = all ] || return
	n=$((n + 1))
}

# How the $n-th program is compiled: every third one by gcc, which sees more as it
# optimizes, and every other one proved; MPI=all, as in the nightly test: all.
plain_cc=$OMPI_CC plain_flags=$flags quick_cc=$OMPI_CC
! has_clang || quick_cc=$CLANG
use_compiler_by_turns() {
	OMPI_CC=$plain_cc flags=$plain_flags
	case ${MPI-}:$((n % 3)) in
	all:* | *:1) ;;
	*) OMPI_CC=$quick_cc flags="$flags -O0" ;;
	esac
	verify=--verify
	[ "${MPI-}" = all ] || [ $((n % 2)) = 1 ] || verify=
}

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

# Numbers of ranks for the $1-th program, by turns, as each takes its time; 0 is the function
# of one process.
some_ranks() {
	case $(($1 % 3)) in
	0) echo 0,3,8 ;;
	1) echo 1,2,6 ;;
	2) echo 0,4,8 ;;
	esac
}

# The same, or with MPI=all (nightly) more of them for each program.
ranks_of() {
	if [ "${MPI-}" = all ]; then
		echo 0,1,2,3,4,6,8
	else
		some_ranks $1
	fi
}

# equal NAME ARGUMENTS..: the runs for all sets of arguments on all of $sizes, in Cartesian
# communicators, too, if $cartesian is 1, are equal to the plain loops.
equal() {
	program=$1 expected=0
	shift
	for argument; do
		[ "$argument" != -- ] || expected=$((expected + 1))
	done
	expected=$((expected * (1 + ${cartesian:-0}) * $(echo $sizes | tr , '\n' | wc -l)))
	$run -n ${sizes##*,} ./$program $sizes "$@" >$program.out 2>&1 &&
	[ "$(grep -c 'equal to the plain loops' $program.out)" = "$expected" ] ||
	{ cat $program.out; false; }
}
