# The rows of bench/scale/scale as tables; "machine" has a line for each rank's machine.

BEGIN {
	FS = ","
	title["weak-heat3d"] = "heat3d, 256^3 cells a rank"
	title["slabs-heat3d"] = "heat3d, 256^3 cells a rank, the grid long in the " \
		"first dimension"
	title["weak-zones"] = "heat3d, 256^3 cells a rank, computed while halos travel"
	title["weak-all-zones"] = "heat3d, 256^3 cells a rank, computed while halos travel " \
		"along all dimensions"
	title["weak-waits-512"] = "heat3d, 512^3 cells a rank that waits for halos"
	title["weak-waits-1024"] = "heat3d, 1024^3 cells a rank that waits for halos"
	title["weak-each-step"] = "heat3d, 256^3 cells a rank, an exchange each step"
	title["weak-heat3d-512"] = "heat3d, 512^3 cells a rank"
	title["weak-heat3d-1024"] = "heat3d, 1024^3 cells a rank"
	title["weak-jacobi2d"] = "jacobi2d, 4096^2 cells a rank"
	title["strong"] = "heat3d, 1024^3 cells, all ranks"
	title["strong-each-step"] = "heat3d, 1024^3 cells, an exchange each step"
}

NR == 1 {
	next
}

function steps_of(sizes,    part) {
	split(sizes, part, " ")
	return part[1]
}

{
	each = $2 "," $1
	if (!(each in first)) {
		order[++n] = each
		first[each] = $12 / steps_of($4)
	}
	step = $12 / steps_of($4)
	at[each, $5] = step
	is_strong = $1 ~ /^strong/
	efficiency = first[each] / step / (is_strong ? $5 : 1)
	if ($5 == 1024)
		of_1024[each] = efficiency
	table[each] = table[each] sprintf("| %d | %s | %d | %.3f | %d | %.3g | %.4g | " \
		"%.4g | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", $5, $6, $7, $8, $9,
		$10 / 1e6, 1e3 * $11 / steps_of($4), 1e3 * step, 100 * $13 / $12,
		100 * $14 / $12, 100 * (1 - ($13 + $14) / $12), 100 * efficiency)
	if ($15 != $17 || $16 != $18)
		wrong = wrong sprintf("%s with %d ranks: %s messages, %s bytes, " \
			"by the model %s, %s\n", each, $5, $17, $18, $15, $16)
	worst = worst < off($11, $12) ? off($11, $12) : worst
	all_off += off($11, $12)
	runs++
}

function off(a, b) {
	return a < b ? b / a - 1 : a / b - 1
}

function print_table(machine, kind,    each) {
	each = machine "," kind
	if (!(each in table))
		return
	print "### " machine ": " title[kind]
	print ""
	print "| ranks | shape | steps | redundancy | messages | MB | model, ms | " \
		"simulated, ms | computes | copies | waits | efficiency |"
	print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
	printf "%s\n", table[each]
}

function print_strong(machine,    both, each, i) {
	both = machine ",strong"
	each = machine ",strong-each-step"
	if (!(both in table) || !(each in table))
		return
	print "### " machine ": heat3d, 1024^3 cells, against an exchange each step"
	print ""
	print "| ranks | steps as chosen, ms | an exchange each step, ms | ratio |"
	print "| --- | --- | --- | --- |"
	for (i = 1; i <= 1024; i *= 2)
		if ((both, i) in at && (each, i) in at)
			printf "| %d | %.4g | %.4g | %.2f |\n", i, 1e3 * at[both, i],
				1e3 * at[each, i], at[each, i] / at[both, i]
	print ""
}

function measure(each, least,    percent, comma) {
	if (!(each in of_1024))
		return
	percent = 100 * of_1024[each]
	comma = index(each, ",")
	printf "| %s | %s | %.1f %% | ", title[substr(each, comma + 1)],
		substr(each, 1, comma - 1), percent
	# what is there for comparison alone, nobody wants
	if (each ~ /zones|waits|ethernet/)
		print "| |"
	else
		printf "%d %% | %s |\n", least, (percent < least ? "**not reached**" : "reached")
}

END {
	print "## Weak scaling at 1,024 ranks"
	print ""
	print "| program | ranks are | efficiency | wanted | |"
	print "| --- | --- | --- | --- | --- |"
	for (i = 1; i <= n; i++)
		if (order[i] !~ /strong/)
			measure(order[i], order[i] ~ /jacobi2d/ ? 95 : 90)
	print ""
	all_sent = "all sent the messages and bytes that it says."
	if (wrong)
		all_sent = "these sent something else than it says:\n\n" wrong
	printf "In %d runs the model's time was %.1f %% away from the simulated one on " \
		"average, at most %.1f %%, and\n%s\n\n", runs, 100 * all_off / runs,
		100 * worst, all_sent
	print "## Runs"
	print ""
	m = split("two-cores barbora ethernet", machine, " ")
	k = split("weak-heat3d weak-each-step slabs-heat3d weak-heat3d-512 weak-heat3d-1024 " \
		"weak-waits-512 weak-waits-1024 weak-zones weak-all-zones weak-jacobi2d strong strong-each-step", kind, " ")
	for (i = 1; i <= m; i++) {
		for (j = 1; j <= k; j++)
			print_table(machine[i], kind[j])
		print_strong(machine[i])
	}
}
