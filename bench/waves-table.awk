# The rows of bench/waves as Markdown, for doc/performance.md: medians, bests in
# brackets.

function rate(name) {
	if ($column[name] == "")
		return "-"
	return $column[name] " (" $column[name "_best"] "), `" \
		$column[name "_setting"] "`"
}

BEGIN {
	FS = ","
	print "| program | size, steps | ours | tiles | Devito | pystencils" \
		" | ours over the better one |"
	print "| --- | --- | --- | --- | --- | --- | --- |"
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}

{
	over = $column["over_peers"]
	printf "| %s | %s, %s | %s (%s) | `%s` | %s | %s | %s |\n", $1, $3, $4,
		$column["ours"], $column["ours_best"], $column["choice"],
		rate("devito"), rate("pystencils"),
		over == "" ? "-" : over " (" $column["over_peers_best"] ")"
}

END {
	print "\nGStencils/s in float, medians (bests)."
}
