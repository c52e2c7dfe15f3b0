# The rows of bench/steps as Markdown, a table for each stencil and tile.

function number(x) {
	return x == "-" ? x : sprintf("%.4g", x)
}

$1 " " $2 != last {
	if (last)
		print ""
	last = $1 " " $2
	printf "## %s, `%s`\n\n", $1, $2
	printf "Loads that remain with full reuse, by the model: %s per update. " \
		"Blocks of a launch at the paper's size: %s. %s threads.\n\n",
		number($4), $18, $17
	print "| step | loads | load requests | sectors | efficiency | stores" \
		" | shared requests | wavefronts | barriers | PTX | code" \
		" | registers | spills, B | threads | lines | nvcc, s |"
	print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---" \
		" | --- | --- | --- | --- | --- |"
}

{
	printf "| (%s) | %s | %s | %s | %.1f %% | %s | %s | %s | %s | %s | %s" \
		" | %s | %s | %s | %s | %s |\n", $3, number($5), number($6),
		number($7), 100 * $8, number($9), number($10), number($11),
		number($12), number($14), $13, $15, $16, $17, $19, $20
}

END {
	print ""
}
