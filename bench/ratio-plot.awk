# The ratios over the better of other tools in the tables of doc/performance.md, as
# doc/pictures/ratios.svg: a bar a row, floats behind doubles, a line at 1.
#
#	awk -f bench/ratio-plot.awk doc/performance.md >doc/pictures/ratios.svg

function bar(y, height, ratio, colour) {
	printf "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
		left, y, ratio * scale, height, colour
}

function text(x, y, anchor, words) {
	printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y,
		anchor, words
}

# Row "name" of the table at hand: ratio "a", or "a / b" in double and float.
function row(name, a, b) {
	n++
	label[n] = name
	first[n] = a
	second[n] = b
	of_table[n] = table
}

# The column of the ratios, medians if there are bests as well.
/^\|.*over the better/ {
	inside = 1
	table++
	split($0, cell, / *\| */)
	for (column = 2; cell[column] !~ /^over the better/; column++)
		;
	next
}
!/^\|/ { inside = 0 }
/^\| *-/ { next }

inside {
	split($0, cell, / *\| */)
	name = cell[2]
	count = split(cell[column], ratio, " / ")
	if (name ~ / \/ /) {		# waves in 2D, order 2 / 4 / 8
		split(name, part, /, order /)
		orders = split(part[2], order, " / ")
		for (i = 1; i <= orders; i++)
			row(part[1] ", order " order[i], ratio[i], "")
	} else if (cell[column] ~ /,/) {	# one figure in 2D, one in 3D
		split(cell[column], ratio, ", ")
		sub(/,.*/, "", name)
		row(name ", 2D", ratio[1], "")
		row(name ", 3D", ratio[2], "")
	} else
		row(name, ratio[1], count > 1 ? ratio[2] : "")
}

END {
	left = 300
	scale = 110
	step = 17
	split("stencils, Zen 3|stencils, Xeon|stencils, Zen 4|stencils, Zen 4, later|" \
		"waves, Zen 3|shots, Xeon|shots, Zen 4|waves, Zen 4", title, "|")
	height = 40 + (n + 2 * table) * step
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"%d\" ",
		height
	print "font-family=\"sans-serif\" font-size=\"12\">"
	print "<title>C by stencilc over the better of other tools</title>"
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	y = 20
	for (i = 1; i <= n; i++) {
		if (of_table[i] != of_table[i - 1]) {
			y += step
			printf "<g font-weight=\"bold\">"
			text(left - 8, y, "end", title[of_table[i]])
			print "</g>"
			y += 6
		}
		if (second[i] != "") {
			bar(y + 1, 6, first[i], "#4477aa")
			bar(y + 8, 6, second[i], "#66ccee")
			end = first[i] > second[i] ? first[i] : second[i]
			words = first[i] " / " second[i]
		} else {
			bar(y + 2, 11, first[i], "#66ccee")
			end = first[i]
			words = first[i]
		}
		text(left - 8, y + 12, "end", label[i])
		text(left + end * scale + 6, y + 12, "start", words)
		y += step
	}
	printf "<path d=\"M%d 22V%d\" stroke=\"#aa3377\" stroke-dasharray=\"4 3\"/>\n",
		left + scale, y + 4
	text(left + scale, 16, "middle", "as fast as the better of other tools")
	bar(y + 12, 8, 0.1, "#4477aa")
	text(left + 16, y + 20, "start", "double")
	printf "<g transform=\"translate(80 0)\">"
	bar(y + 12, 8, 0.1, "#66ccee")
	text(left + 16, y + 20, "start", "float")
	print "</g>"
	print "</svg>"
}
