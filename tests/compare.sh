# Programs against a plain interpreter: sourced after tap.sh.  A program NAME is
# in $tmp/NAME.stn; "// args:" are options of stencilc, "// STRATEGY:"
# those of a strategy, "// run:" arguments.
# Several share a file, to be compiled for the checking emulator in less time;
# as C they are compiled with sanitizers and run by two threads.

# The lines "// $1: .." of the program at hand.
header() {
	sed -n "s,^// $1: ,,p" "$tmp/$name.stn"
}

# The arguments of a run as definitions of the int parameters.
defines() {
	for given in $1; do
		case $given in
		*.*) ;;
		*) printf '%s ' "-D${given#--}" ;;
		esac
	done
}

# emit VARIANT OPTION...: the program, its function under a name of its own, in
# $tmp/NAME.VARIANT.cu; 1 if the strategy or a tile does not fit it, 2 if it
# does not compile.
emit() {
	emitted=$1
	shift
	if ! timeout 60 "$STENCILC" -q "$@" -o "$tmp/emitted.cu" \
		"$tmp/$name.stn" >"$tmp/log" 2>&1 </dev/null; then
		grep -Eq '\[(tile|strategy|too-small|bad-size|false-assumption)\]$' "$tmp/log" && return 1
		return 2
	fi
	{
		for suffix in '' _device _strerror; do
			echo "#define $name$suffix ${name}_$emitted$suffix"
		done
		echo "namespace ${name}_in_$emitted {"
		cat "$tmp/emitted.cu"
		echo '}'
		for suffix in '' _device _strerror; do
			echo "#undef $name$suffix"
		done
	} >"$tmp/$name.$emitted.cu"
}

# interpret VARIANT DEFINE...: what the variant is compared with.
interpret() {
	compared=$1
	shift
	IFS='
'
	set -- "$@" "$tmp/$name.stn" $(header run)
	unset IFS
	"$top_builddir/tests/interpret" "try_${name}_$compared" "$@" \
		>"$tmp/$name.$compared.try" 2>"$tmp/log"
}

# add VARIANT OF: it is compared with what OF says.
add() {
	cat "$tmp/$name.$1.cu" >>"$tmp/$name.part"
	echo "	wrong += try_${name}_$2(run, \"$name: $1:\", ${name}_in_$1::${name}_$1);" \
		>>"$tmp/$name.calls"
}

# The program for the sizes of run "$1", from 1; 1 if it does not compile.
make_fixed() {
	fixed=$(defines "$(header run | sed -n "$1p")")
	emit fixed $fixed
	case $? in
	0) ;;
	1) return 0 ;;
	*) return 1 ;;
	esac
	interpret fixed $fixed || return 1
	cat "$tmp/$name.fixed.try" >>"$tmp/$name.part"
	add fixed fixed
}

# compile_c VARIANT OPTION...: the program as C in $tmp/NAME.VARIANT.o; 1 if the
# options do not fit it, 2 if it does not compile.
compile_c() {
	object=$name.$1
	renamed="-D$name=${name}_$1 -D${name}_strerror=${name}_$1_strerror"
	shift
	if ! timeout 60 "$STENCILC" -q --verify --target=c "$@" \
		-o "$tmp/$object.c" "$tmp/$name.stn" >"$tmp/log" 2>&1 \
		</dev/null; then
		grep -Eq '\[(tile|strategy)\]$' "$tmp/log" && return 1
		return 2
	fi
	$CC -std=c11 -O0 -Wall -Wextra -Werror $c_flags $renamed \
		-c "$tmp/$object.c" -o "$tmp/$object.o" >"$tmp/log" 2>&1 ||
		return 2
}

# make_variant STRATEGY COMMAND...: with the options that the program has for
# the strategy or, if they do not fit, without.
make_variant() {
	given=$(header "$1")
	strategy=--strategy=$1
	shift
	"$@" $strategy $given
	status=$?
	[ $status -eq 1 ] && [ -n "$given" ] || return $status
	"$@" $strategy
}

# make_part NAME RUN VARIANT...: the program with the options that it gives or,
# if they do not fit, without; with each VARIANT, a strategy that may apply, or
# "c", overlapping tiles where they apply, "c_hex", "c_fuse" or "c_point"; for the sizes of
# RUN if that is not 0.  1 after a failure, which is in $tmp/log.
make_part() {
	name=$1
	fixed_run=$2
	shift 2
	: >"$tmp/$name.part"
	: >"$tmp/$name.calls"
	interpret plain || return 1
	emit asked --verify $(header args)
	case $? in
	0) add asked plain ;;
	1) emit chosen && add chosen plain || return 1 ;;
	*) return 1 ;;
	esac
	for variant; do
		case $variant in
		c) make_variant overlap compile_c c ;;
		c_hex) make_variant hex compile_c c_hex ;;
		c_fuse) make_variant fuse compile_c c_fuse ;;
		c_point) compile_c c_point --strategy=point ;;
		*) make_variant "$variant" emit "$variant" &&
			add "$variant" plain ;;
		esac
		status=$?
		if [ $status -eq 1 ] && [ "$variant" = c ]; then
			compile_c c
			status=$?
		fi
		[ $status -ne 2 ] || return 1
	done
	cat "$tmp/$name.plain.try" >>"$tmp/$name.part"
	[ "$fixed_run" -eq 0 ] || make_fixed "$fixed_run" || return 1
	{
		cat "$tmp/$name.part"
		echo "static int try_$name(int run)"
		echo '{'
		echo '	int wrong = 0;'
		cat "$tmp/$name.calls"
		echo '	return wrong;'
		echo '}'
	} >"$tmp/$name.done"
}

# A main that runs NAME with list RUN, for the programs "$@".
print_main() {
	echo 'int main(int argc, char **argv)'
	echo '{'
	for name; do
		echo "	if (!strcmp(argv[1], \"$name\"))"
		echo "		return try_$name(atoi(argv[2])) != 0;"
	done
	echo '	return argc != 3 ? 99 : 98;'
	echo '}'
}

# Programs "$@" in a file, compiled; grids of any shape may be asked for.
build() {
	{
		echo '#include "tests/shapes.h"'
		echo '#include <cooperative_groups.h>'
		echo '#include <cuda_runtime.h>'
		echo '#include <cuda_pipeline.h>'
		echo '#include "tests/compare.h"'
		for name; do
			cat "$tmp/$name.done"
		done
		print_main "$@"
	} >"$tmp/batch.cu"
	"$STENCILC_EMU" --check -O0 -I "$top_srcdir" "$tmp/batch.cu" \
		-o "$tmp/batch" >"$tmp/log" 2>&1
}

c_flags="-ffp-contract=off -fsanitize=address,undefined
	-fno-sanitize-recover=all $OPENMP_CFLAGS"

# The variants of $name that are C.
c_variants() {
	for variant in c c_hex c_fuse c_point; do
		[ ! -f "$tmp/$name.$variant.o" ] || echo $variant
	done
}

# The same as C.
build_c() {
	{
		echo '#include "tests/compare.h"'
		for name; do
			cat "$tmp/$name.plain.try"
			for variant in $(c_variants); do
				echo "extern \"C\" try_${name}_plain_type ${name}_$variant;"
			done
			echo "static int try_$name(int run)"
			echo '{'
			echo '	int wrong = 0;'
			for variant in $(c_variants); do
				echo "	wrong += try_${name}_plain(run, \"$name: $variant:\", ${name}_$variant);"
			done
			echo '	return wrong;'
			echo '}'
		done
		print_main "$@"
	} >"$tmp/batch.cpp"
	for name; do
		for variant in $(c_variants); do
			set -- "$@" "$tmp/$name.$variant.o"
		done
		shift
	done
	$CXX -std=c++17 $c_flags -I "$top_srcdir" "$tmp/batch.cpp" "$@" \
		-o "$tmp/batch-c" -lm >"$tmp/log" 2>&1
}

# All runs of $name; the first that fails leaves its output.
run_all() {
	order=forward
	for run in 0 1 2; do
		env STENCILC_ORDER=$order timeout 100 "$tmp/batch" "$name" \
			$run >"$tmp/log" 2>&1 </dev/null || {
			echo "STENCILC_ORDER=$order run $run" >>"$tmp/log"
			return 1
		}
		case $order in
		forward) order='reverse BLOCKS=1' ;;
		*) order="random:$run BLOCKS=$((1 + ${#name} % 4)) GRID=2" ;;
		esac
	done
}

run_all_c() {
	for run in 0 1 2; do
		OMP_NUM_THREADS=2 timeout 100 "$tmp/batch-c" "$name" $run \
			>"$tmp/log" 2>&1 </dev/null || return
	done
}

# failed WHAT: with what $tmp/log says.
failed() {
	not_ok "$*"
	note "$tmp/log"
}

# Compile and run the programs "$@".
check_batch() {
	[ $# -gt 0 ] || return
	if build "$@"; then
		for name; do
			if run_all; then ok "$name"; else failed "$name"; fi
		done
	else
		failed "$* compile for the emulator"
	fi
	for name; do
		[ -z "$(c_variants)" ] || set -- "$@" "$name"
		shift
	done
	[ $# -gt 0 ] || return
	if build_c "$@"; then
		for name; do
			if run_all_c; then
				ok "$name as C"
			else
				failed "$name as C"
			fi
		done
	else
		failed "$* compile as C"
	fi
}
