# The rows of bench/steps as Markdown, a table for each stencil and tile.

function number(x) {
	return x == "-" ? x : sprintf("%.4g", x)
}

$1 " " $2 != last {
	if (last)
		print ""
	last = $1 " " $2
	printf "## %s, `%s`\n\n", $1, $2
	printf "A launch at the paper's size has %s blocks, of %s threads.\n\n",
		$18, $17
	print "| step | loads | model | load requests | sectors | efficiency | stores" \
		" | shared requests | wavefronts | barriers | PTX | rows | code" \
		" | registers | spills, B | threads | lines | nvcc, s | stencilc, s |"
	print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---" \
		" | --- | --- | --- | --- | --- | --- |"
}

{
	printf "| (%s) | %s | %s | %s | %s | %.1f %% | %s | %s | %s | %s | %s" \
		" | %s | %s | %s | %s | %s | %s | %s | %s |\n", $3, number($5),
		number($4), number($6), number($7), 100 * $8, number($9),
		number($10), number($11), number($12), number($14),
		number($21), $13, $15, $16, $17, $19, $20, $22
}

END {
	print ""
}
