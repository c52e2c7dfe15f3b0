# Programs against a plain interpreter: sourced after tap.sh.  A program NAME is
# in $tmp/NAME.stn; "// args:" are options of stencilc, "// STRATEGY:"
# those of a strategy, "// run:" arguments.
# Several share a file, to be compiled for the checking emulator in less time;
# as C they are compiled with sanitizers and run by two threads.

# What a GPU runs is CUDA, or HIP for GPU_ARCH, "mi300x", and the GPU HIP_DEVICE,
# "gfx942".
case ${GPU_ARCH-} in
"")
	gpu_suffix=.cu gpu_options= emu_options=
	gpu_headers='cooperative_groups.h cuda_runtime.h cuda/ptx cuda_pipeline.h
		cuda_fp16.h cuda_bf16.h' ;;
*)
	gpu_suffix=.hip.cpp gpu_options="--arch=$GPU_ARCH"
	emu_options=--offload-arch=$HIP_DEVICE
	gpu_headers='hip/hip_runtime.h hip/hip_cooperative_groups.h
		hip/hip_fp16.h' ;;
esac

# Programs are proved, too, unless this is empty.
verify=--verify

# The lines "// KEY: .." at the top of the program at hand, in $given_KEY.
read_headers() {
	given_args= given_stream= given_overlap= given_fuse= given_hex=
	given_block= runs=
	while read -r mark key value; do
		case $mark:$key in
		//:args:) given_args=$value ;;
		//:stream:) given_stream=$value ;;
		//:overlap:) given_overlap=$value ;;
		//:fuse:) given_fuse=$value ;;
		//:hex:) given_hex=$value ;;
		//:block:) given_block=$value ;;
		//:run:) runs="$runs$value
" ;;
		//:*) ;;
		*) break ;;
		esac
	done <"$tmp/$name.stn"
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

# Is the text of file "$1" none that $name has been compiled to already?
is_new() {
	sum=$(cksum <"$1")
	case $sums in
	*"<$sum>"*) return 1 ;;
	esac
	sums="$sums<$sum>"
}

# Do options that were asked for not fit, as a message of KINDS in $tmp/log says?  Where a
# strategy takes too many operations on sets, a line says so, which --summary of
# random-check counts.
are_misfits() {
	kinds=$1
	shift
	if grep -q '\[max-ops\]$' "$tmp/log"; then
		echo "# $name: $* takes more than --max-ops"
		return 0
	fi
	grep -Eq "\[($kinds)\]\$" "$tmp/log"
}

# emit VARIANT OPTION...: the program, its function under a name of its own, in
# $tmp/NAME.VARIANT.cu, unless another variant has the same text; 1 if the
# strategy or a tile does not fit it, 2 if it does not compile.
emit() {
	emitted=$1
	shift
	if ! "$within" 60 "$STENCILC" -q $gpu_options "$@" \
		-o "$tmp/emitted$gpu_suffix" \
		"$tmp/$name.stn" >"$tmp/log" 2>&1 </dev/null; then
		are_misfits 'tile|strategy|too-small|bad-size|false-assumption' \
			"$@" && return 1
		return 2
	fi
	is_new "$tmp/emitted$gpu_suffix" || return 0
	{
		for suffix in '' _device _strerror; do
			echo "#define $name$suffix ${name}_$emitted$suffix"
		done
		echo "namespace ${name}_in_$emitted {"
		cat "$tmp/emitted$gpu_suffix"
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
	set -- "$@" "$tmp/$name.stn" $runs
	unset IFS
	"$top_builddir/tests/interpret" "try_${name}_$compared" "$@" \
		>"$tmp/$name.$compared.try" 2>"$tmp/log"
}

# add VARIANT OF [RUN]: it is compared with what OF says; in RUN, from 1, if that
# is given.
add() {
	[ -f "$tmp/$name.$1.cu" ] || return 0
	cat "$tmp/$name.$1.cu" >>"$tmp/$name.part"
	[ -z "${3-}" ] || echo "	if (run == $3 - 1)" >>"$tmp/$name.calls"
	echo "	wrong += try_${name}_$2(run, \"$name: $1:\", (try_${name}_$2_type *)${name}_in_$1::${name}_$1);" \
		>>"$tmp/$name.calls"
}

# The program for the sizes of run "$1", from 1, tried in that run alone, as all
# are the same to it; 1 if it does not compile.
make_fixed() {
	fixed=$(defines "$(echo "$runs" | sed -n "$1p")")
	emit fixed $fixed
	case $? in
	0) ;;
	1) return 0 ;;
	*) return 1 ;;
	esac
	all_runs=$runs
	runs=$(echo "$all_runs" | sed "$1!s/.*/-/")
	interpret fixed $fixed
	status=$?
	runs=$all_runs
	[ $status -eq 0 ] || return 1
	cat "$tmp/$name.fixed.try" >>"$tmp/$name.part"
	add fixed fixed "$1"
}

# compile_c VARIANT OPTION...: the program as C in $tmp/NAME.VARIANT.o, unless
# another variant has the same text; 1 if the options do not fit it, 2 if it does
# not compile.
compile_c() {
	object=$name.$1
	renamed=-D$name=${name}_$1
	for suffix in _memory _with_memory _strerror; do
		renamed="$renamed -D$name$suffix=${name}_$1$suffix"
	done
	shift
	if ! "$within" 60 "$STENCILC" -q $verify --target=c "$@" \
		-o "$tmp/$object.c" "$tmp/$name.stn" >"$tmp/log" 2>&1 \
		</dev/null; then
		are_misfits 'tile|strategy' --target=c "$@" && return 1
		return 2
	fi
	is_new "$tmp/$object.c" || return 0
	$CC -std=c11 -O0 -Wall -Wextra -Werror $c_flags $renamed \
		-c "$tmp/$object.c" -o "$tmp/$object.o" >"$tmp/log" 2>&1 ||
		return 2
}

# make_variant STRATEGY COMMAND...: with the options that the program has for
# the strategy or, if the tile of these does not fit it, without.
make_variant() {
	strategy=--strategy=$1
	case $1 in
	stream) given=$given_stream ;;
	overlap) given=$given_overlap ;;
	fuse) given=$given_fuse ;;
	hex) given=$given_hex ;;
	block) given=$given_block ;;
	*) given= ;;
	esac
	shift
	"$@" $strategy $given
	status=$?
	[ $status -eq 1 ] && [ -n "$given" ] &&
		! grep -q '\[strategy\]$' "$tmp/log" || return $status
	"$@" $strategy
}

# in_last_dim COMMAND...: with hexagons in the last of up to three dimensions.
in_last_dim() {
	for dim in 2 1; do
		"$@" --strategy=hex --hex-dim=$dim
		status=$?
		[ $status -eq 1 ] && grep -q '\[tile\]$' "$tmp/log" ||
			return $status
	done
}

# The sizes of the second run, for which sizes of tiles are chosen: the emulator
# takes long for those of large grids.
problem() {
	echo "$runs" | sed -n '2 {
		s/--[a-z]*=-*[0-9]*\.[0-9]*//g
		s/--[a-z]*=-[0-9]*//g
		s/ *$//
		s/^ *--/--problem=/
		s/  *--/,/g
		p
	}'
}

# Is every grid of $name too small for its boundaries?
is_rightly_refused() {
	grep -q '\[too-small\]$' "$tmp/log" &&
		! grep -q '), 0);$' "$tmp/$name.plain.try"
}

# make_part NAME RUN VARIANT...: the program with the options that it gives or,
# if they do not fit, without; for the sizes of RUN if that is not 0.  A VARIANT is a
# strategy that may apply, or "c", overlapping tiles where they apply, else as
# stencilc chooses.  "c_point", "c_hex", "c_fuse" and "c_block" name a strategy,
# "c_hex_last" hexagons in the last dimension.  1 after a failure, which is in
# $tmp/log; 2 if no size makes a grid for its boundaries, and stencilc says so.
make_part() {
	name=$1
	fixed_run=$2
	shift 2
	sums=
	: >"$tmp/$name.part"
	: >"$tmp/$name.calls"
	read_headers
	interpret plain || return 1
	emit asked $verify $given_args
	case $? in
	0) add asked plain ;;
	1)
		emit chosen $(problem) || { is_rightly_refused &&
			return 2; } || return 1
		add chosen plain ;;
	*) return 1 ;;
	esac
	for variant; do
		case $variant in
		c) make_variant overlap compile_c c ;;
		c_hex) make_variant hex compile_c c_hex ;;
		c_hex_last) in_last_dim compile_c c_hex_last ;;
		c_fuse) make_variant fuse compile_c c_fuse ;;
		c_block) make_variant block compile_c c_block ;;
		c_point) compile_c c_point --strategy=point ;;
		skew) make_variant skew emit skew $verify $(problem) &&
			add skew plain ;;
		*) make_variant "$variant" emit "$variant" &&
			add "$variant" plain ;;
		esac
		status=$?
		case $status:$variant:$* in
		*c_point*) ;;
		1:c:*)
			compile_c c
			status=$? ;;
		esac
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
		printf '#include <%s>\n' $gpu_headers
		echo '#include "tests/compare.h"'
		for name; do
			cat "$tmp/$name.done"
		done
		print_main "$@"
	} >"$tmp/batch$gpu_suffix"
	"$STENCILC_EMU" --check $emu_options -O0 -g0 -I "$top_srcdir" \
		"$tmp/batch$gpu_suffix" -o "$tmp/batch" >"$tmp/log" 2>&1
}

# What makes pointers overflow makes addresses wrong, too: to check for it takes
# as long as all else.
c_flags="-ffp-contract=off -fsanitize=address,bounds,alignment,shift
	-fsanitize=signed-integer-overflow,integer-divide-by-zero
	-fsanitize=float-cast-overflow,vla-bound,unreachable,return
	-fno-sanitize-recover=all $OPENMP_CFLAGS"

# The variants of $name that are C.
c_variants() {
	for variant in c c_hex c_hex_last c_fuse c_point c_block; do
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
		env STENCILC_ORDER=$order "$within" 100 "$tmp/batch" "$name" \
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

# What memory holds before anything is written is no number: a value computed of it
# would differ.
asan_options=max_malloc_fill_size=1073741824:malloc_fill_byte=255

run_all_c() {
	for run in 0 1 2; do
		OMP_NUM_THREADS=2 ASAN_OPTIONS=$asan_options "$within" 100 "$tmp/batch-c" "$name" $run \
			>"$tmp/log" 2>&1 </dev/null || return
	done
}

# failed WHAT: with what $tmp/log says.
failed() {
	not_ok "$*"
	note "$tmp/log"
}

# Compile and run the programs "$@"; if they do not compile together each is
# tried alone.
check_emulated() {
	if build "$@"; then
		for name; do
			if run_all; then ok "$name"; else failed "$name"; fi
		done
	elif [ $# -eq 1 ]; then
		failed "$1 compiles for the emulator"
	else
		for alone; do
			check_emulated "$alone"
		done
	fi
}

# The same as C.
check_c() {
	if build_c "$@"; then
		for name; do
			if run_all_c; then
				ok "$name as C"
			else
				failed "$name as C"
			fi
		done
	elif [ $# -eq 1 ]; then
		failed "$1 compiles as C"
	else
		for alone; do
			check_c "$alone"
		done
	fi
}

check_batch() {
	[ $# -gt 0 ] || return
	check_emulated "$@"
	for name; do
		[ -z "$(c_variants)" ] || set -- "$@" "$name"
		shift
	done
	[ $# -eq 0 ] || check_c "$@"
}
