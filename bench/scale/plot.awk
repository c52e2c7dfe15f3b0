# Weak scaling, of the rows of bench/scale/scale, as SVG: efficiency over ranks.

BEGIN {
	FS = ","
	split("#2266aa #cc3311 #228833 #aa7700 #7733aa #008888 #aa3377 #555555 #66aa22 #333399",
		colour, " ")
	for (i = 0; i <= 4; i++)
		grid = grid sprintf("<path d=\"M60 %dh480\" stroke=\"#ddd\"/>\n" \
			"<text x=\"20\" y=\"%d\">%d %%</text>\n", y_of(25 * i),
			y_of(25 * i) + 4, 25 * i)
	for (i = 0; i <= 10; i += 2)
		grid = grid sprintf("<text x=\"%d\" y=\"345\" text-anchor=\"middle\">" \
			"%d</text>\n", x_of(2 ^ i), 2 ^ i)
}

function x_of(ranks) {
	return 60 + 48 * log(ranks) / log(2)
}

function y_of(percent) {
	return 325 - 3 * percent
}

NR > 1 && $1 !~ /^strong/ {
	each = $2 ", " $1
	split($4, part, " ")
	step = $12 / part[1]
	if (!(each in first)) {
		name[++n] = each
		first[each] = step
	}
	line[each] = line[each] sprintf("%s%.1f %.1f", (line[each] ? "L" : "M"),
		x_of($5), y_of(100 * first[each] / step))
	last[each] = 100 * first[each] / step
}

END {
	print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"380\" " \
		"font-family=\"sans-serif\" font-size=\"12\">"
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	printf "%s", grid
	for (i = 1; i <= n; i++) {
		printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\"%s stroke-width=\"2\"/>\n",
			line[name[i]], colour[i],
			(name[i] ~ /^barbora/ ? " stroke-dasharray=\"6 3\"" : "")
		printf "<text x=\"570\" y=\"%d\" fill=\"%s\">%s: %.0f %%</text>\n",
			20 + 18 * i, colour[i], name[i], last[name[i]]
	}
	print "<text x=\"60\" y=\"368\">weak scaling: efficiency over ranks, simulated; " \
		"dashed: barbora</text>"
	print "</svg>"
}
