# The rows of bench/cpu as Markdown, for doc/performance.md: medians, bests in
# brackets.

function rate(name,    best, setting) {
	if ($column[name] == "")
		return "-"
	best = $column[name "_best"]
	setting = $column[name "_setting"]
	return $column[name] " (" best ")" (setting ? ", `" setting "`" : "")
}

BEGIN {
	FS = ","
	print "| stencil | size, steps | plain | ours | ratio | of bandwidth" \
		" | in cache, plain | of it | of arithmetic | generated, s" \
		" | tiles | Pluto | YASK | ours over the better one |"
	print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |" \
		" --- | --- | --- |"
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
}

NR > 1 && $6 == "" {
	bounds = bounds sprintf("%s%s (%s) %s", bounds ? ", " : "", $1, $2, $5)
}

NR > 1 && $6 != "" {
	plain = $5 " (" $column["plain_best"] ")"
	if ($column["plain_setting"] != "")
		plain = plain ", `" $column["plain_setting"] "`"
	over = $column["over_peers"]
	printf "| %s, %s | %s, %s | %s | %s (%s) | %s | %s | %s | %s | %s | %s | `%s` | %s | %s | %s |\n",
		$1, $2, $3, $4, plain, $6, $column["ours_best"],
		$7, $8, $9, $10, $11, $12, $13, rate("pluto"), rate("yask"),
		over == "" ? "-" : over " (" $column["over_peers_best"] ")"
}

END {
	printf "\nGStencils/s, medians (bests); bounds: %s.\n", bounds
}
