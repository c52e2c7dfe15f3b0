# The rows of bench/cpu as Markdown, for doc/performance.md.
BEGIN {
	FS = ","
	print "| stencil | size, steps | plain | ours | ratio | of bandwidth" \
		" | in cache, plain | of it | of arithmetic | generated, s" \
		" | tiles | Pluto | ours over Pluto |"
	print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |" \
		" --- | --- |"
}

NR > 1 && $6 == "" {
	bounds = bounds sprintf("%s%s (%s) %s", bounds ? ", " : "", $1, $2, $5)
}

NR > 1 && $6 != "" {
	printf "| %s, %s | %s, %s | %s | %s | %s | %s | %s | %s | %s | %s | `%s` | %s | %s |\n",
		$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
		$14 == "" ? "-" : $14 ", `" $16 "`", $15 == "" ? "-" : $15
}

END {
	printf "\nGStencils/s; bounds: %s.\n", bounds
}
