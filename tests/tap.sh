# TAP for shell tests: sourced, not run.  Each test works in $tmp, which is
# removed at the end unless STENCILC_KEEP is set.

tap_n=0
within=$top_builddir/tests/within

tmp=$(mktemp -d "${TMPDIR:-/tmp}/stencilc-test.XXXXXX") || exit 99
if [ -n "${STENCILC_KEEP-}" ]; then
	echo "# files kept in $tmp"
else
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 99' HUP INT TERM
fi

ok() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $*"
}

not_ok() {
	tap_n=$((tap_n + 1))
	echo "not ok $tap_n - $*"
	echo "# of the sample TURN=${TURN:-0}"
}

# skip NAME, REASON
skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

# check NAME COMMAND...: passes when the command succeeds; its output is
# shown otherwise.
check() {
	check_name=$1
	shift
	if "$@" >"$tmp/check.log" 2>&1; then
		ok "$check_name"
	else
		check_status=$?
		not_ok "$check_name"
		echo "# status $check_status: $*"
		note "$tmp/check.log"
	fi
}

# note FILE: its first lines as TAP comments.
note() {
	sed -n '1,40s/^/# /p' "$1"
}

# Does clang compile and link with OpenMP and sanitizers?
has_clang() {
	[ -n "${SANITIZING_CC-}" ]
}

# What C programs are compiled with to be watched.  A pointer that overflows makes a wrong
# address, too: to check for it takes as long as to compile, and is in nightly.
sanitize="-fsanitize=address,undefined"
[ "${SANITIZERS-}" = all ] || sanitize="$sanitize -fno-sanitize=pointer-overflow"

# Compile by clang where that is there: it takes half of gcc's time for what is
# written.  Warnings and optimized code are gcc's in other tests, and all is in
# nightly.
use_clang() {
	has_clang || return 0
	CC=$SANITIZING_CC
	export CC
	emulate_by_clang
}

# The same of programs for the emulator alone, compiled with -O0: an optimizer of clang's
# takes several times as long as one of gcc's.
emulate_by_clang() {
	has_clang || return 0
	CXX="$CLANG++ ${SANITIZING_CC#"$CLANG"}"
	export CXX
}

# Half of the tests that are files: those whose names, "$1", are of odd length.
use_clang_by_turns() {
	[ $((${#1} % 2)) -eq 0 ] || use_clang
}

# What takes long takes turns from commit to commit, as the number TURN says: has the
# N-th thing, "$1", its turn, one in "$2"?  With TURNS=all, as in the nightly test, all have.
has_turn() {
	[ "${TURNS-}" = all ] || [ $((($1 + ${TURN:-0}) % $2)) -eq 0 ]
}

# A test whose file has a turn in every third commit, "$1" (0 to 2) saying in which ones; or where
# it is asked for.  Another digit of TURN than has_turn's: what has a turn in the file does not depend on it.
takes_turns() {
	[ "${ASKED-}" = yes ] || [ "${TURNS-}" = all ] ||
		[ $((($1 + ${TURN:-0} / 64) % 3)) -eq 0 ] || skip_all "another commit's turn"
}

# check_in_turn TITLE COMMAND..: a check that takes turns with the test's other ones.
turns=0
check_in_turn() {
	turns=$((turns + 1))
	! has_turn $turns 3 || check "$@"
}

# A prefix for what waits by spinning, as ranks of MPI do: they share a core, the first or the last of
# those that there are, and yield to each other, not to other tests.
on_one_core() {
	cores=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //')
	[ -n "$cores" ] || return
	[ $(($$ % 2)) -eq 0 ] || cores=${cores##*[-,]}
	echo "taskset -c ${cores%%[-,]*}"
}

# A number for the name "$1".
number_of() {
	printf '%s' "$1" | cksum | sed 's/ .*//'
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

done_testing() {
	echo "1..$tap_n"
	exit 0
}
