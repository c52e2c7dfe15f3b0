# What bench/steps and bench/stream share: seconds, and differences of
# counters of the emulator.

item() {
	echo "$1" | cut -d , -f "$2"
}

product() {
	echo "$1" | awk -F , '{ p = 1; for (i = 1; i <= NF; i++) p *= $i; print p }'
}

# Seconds that a command takes; its output goes to "$1".
seconds() {
	log=$1
	shift
	start=$(date +%s.%N)
	"$@" >"$log" 2>&1 || return
	date +%s.%N | awk -v start="$start" '{ printf "%.2f\n", $1 - start }'
}

# CPU seconds that a command takes.
cpu_seconds() {
	("$@" >/dev/null 2>&1; times) | awk 'NR == 2 {
		for (i = 1; i <= 2; i++) {
			split($i, part, /[ms]/)
			sum += 60 * part[1] + part[2]
		}
		print sum
	}'
}

# Run ./metrics for all combinations of "$base" and "$base" + "$more"; the
# mixed difference of each counter is left in "counts", a line "KEY VALUE".
run_combinations() {
	sizes=$(echo "$params" | tr , ' ')
	n=$(echo "$sizes" | wc -w)
	all=$((1 << n))
	run=0
	: >differences
	while [ $run -lt $all ]; do
		arguments= sign=1 dim=0
		for size in $sizes; do
			value=$(item "$base" $((dim + 1)))
			if [ $((run >> dim & 1)) = 1 ]; then
				value=$((value + $(item "$more" $((dim + 1)))))
			else
				sign=$((-sign))
			fi
			arguments="$arguments --$size=$value"
			dim=$((dim + 1))
		done
		STENCILC_METRICS=metrics.json \
			./metrics $arguments --no-check >metrics.log 2>&1 || return
		sed "s/^/$sign /" metrics.json >>differences
		run=$((run + 1))
	done
	awk '
	/"[a-z_]+": [0-9.]+/ {
		gsub(/[":,{}\]]/, "")
		sum[$2] += $1 * $3
	}
	END { for (key in sum) printf "%s %.10g\n", key, sum[key] }
	' differences >counts
}
