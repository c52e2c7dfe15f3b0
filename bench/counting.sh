# What bench/steps, bench/stream and tests/traffic.test share: seconds, and
# differences of counters of the emulator.

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

# strip_problem PROGRAM VALUES OPTION...: set "params", and "base" and "more"
# for run_combinations.  "more" is a launch, or two passes if passes have two
# phases.  It is also what a block stores in each dimension; in the last one, as
# many blocks as end where a sector of VALUES does.  So the edges of a grid
# cancel.  Rows of strips that reach that far before and after the stored ones
# lie far from edges.
strip_problem() {
	program=$1 in_sector=$2
	shift 2
	params=$(grep '^ *param *int' "$program" |
		sed 's/.*int//; s/[; ]//g' | paste -s -d , -)
	more=$("$STENCILC" "$@" --emit=schedule "$program" |
		sed -n 's/^\([TS]\)[0-9]* = floor((*[a-z]*[- 0-9]*)*\/\([0-9]*\))/\1 \2 /p' |
		awk -v in_sector="$in_sector" '
			{ size[NR] = $1 == "T" && /phase 0/ ? 2 * $2 : $2 }
			END {
				one = size[NR]
				while (size[NR] % in_sector)
					size[NR] += one
				for (i = 1; i <= NR; i++)
					print size[i]
			}' | paste -s -d , -)
	rows=$("$STENCILC" "$@" --emit=schedule "$program" |
		sed -n 's/^iterations n = \(-*[0-9]*\) .. \(-*[0-9]*\) .*/\1 \2/p')
	base=$(echo "$more" | awk -F , -v OFS=, -v rows="$rows" '{
		split(rows, n, " ")
		for (i = 2; i < NF; i++) $i = 2 * $i + 20
		if (NF > 2) $2 += n[2] - n[1]
		$NF += 20
		print
	}')
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
