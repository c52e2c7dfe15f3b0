# The rows of bench/stream as Markdown.

function number(x) {
	return sprintf("%.4g", x)
}

NR == 1 {
	print "| program | precision | sizes | PTX | arithmetic | shuffles" \
		" | shared | barriers | registers | estimate | spills, B" \
		" | bytes | model | nvcc, s |"
	print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
}

{
	printf "| %s | %s | `%s`%s%s | %s | %s | %s | %s | %s | %s | %s | %s" \
		" | %s | %s | %s |\n", $1, $2, $5, \
		$4 == "auto" ? ", chosen" : "", \
		$19 ? ", `" $19 "`" : "", number($6), number($7), \
		number($8), number($9), $10, $11, $12 ? number($12) : "-", \
		$13, $14 ? number($14) : "-", $15 ? number($15) : "-", $16
}
