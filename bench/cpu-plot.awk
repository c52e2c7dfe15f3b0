# The rows of bench/cpu as SVG: for each stencil a bar of plain nests, one of
# ours, and a tick where plain nests in the caches would be.

function bar(y, rate, colour) {
	printf "<rect x=\"170\" y=\"%d\" width=\"%.1f\" height=\"9\" fill=\"%s\"/>\n",
		y, rate * scale, colour
}

function label(x, y, text) {
	printf "<text x=\"%.1f\" y=\"%d\">%s</text>\n", x, y, text
}

BEGIN {
	FS = ","
}

NR > 1 && $6 != "" {
	name[++n] = $1 ", " $2
	plain[n] = $5
	ours[n] = $6
	ratio[n] = $7
	cache[n] = $9
	for (i = 5; i <= 9; i++)
		if ((i < 7 || i == 9) && $i + 0 > most)
			most = $i + 0
}

END {
	if (n == 0)
		exit
	scale = 450 / most
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" " \
		"height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
		26 * n + 40
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	for (i = 1; i <= n; i++) {
		y = 26 * (i - 1) + 10
		label(8, y + 13, name[i])
		bar(y, plain[i], "#999")
		bar(y + 10, ours[i], "#2266aa")
		x = 170 + cache[i] * scale
		printf "<path d=\"M%.1f %dv19\" stroke=\"#cc3311\"/>\n", x, y
		label(176 + (ours[i] > plain[i] ? ours[i] : plain[i]) * scale,
			y + 18, sprintf("%.3g, %.2f times plain", ours[i],
			ratio[i]))
	}
	label(8, 26 * n + 28, "GStencils/s: plain nests grey, ours blue; red: " \
		"plain nests in the caches")
	print "</svg>"
}
