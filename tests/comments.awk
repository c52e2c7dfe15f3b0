# The comments of a file as prose for prose.awk, in the lines where they stand: each
# comment a list's item, all else empty.
#
#	awk -f comments.awk FILE >PROSE
#
# Files of C, C++, JavaScript and .stn have /* */ and //, all others lines that begin
# with #.  What a comment has behind a tab is code, as there.

# Length of the literal that "s" begins with.
function literal(s,    quote, i, c) {
	quote = substr(s, 1, 1)
	for (i = 2; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\\")
			i++
		else if (c == quote)
			return i
	}
	return length(s)
}

# The comment on the rest "s" of a line, which is in one if "inside".
function comment(s,    text, at) {
	text = ""
	while (s != "") {
		if (inside) {
			at = index(s, "*/")
			text = text (at ? substr(s, 1, at - 1) : s)
			if (!at)
				return text
			inside = 0
			s = substr(s, at + 2)
			continue
		}
		if (!match(s, /["']|\/\*|\/\//))
			return text
		s = substr(s, RSTART)
		if (s ~ /^\/\//)
			return text "- " substr(s, 3)
		if (s ~ /^\/\*/) {
			inside = 1
			text = text "- "
			s = substr(s, 3)
		} else {
			s = substr(s, literal(s) + 1)
		}
	}
	return text
}

FNR == 1 {
	marks = FILENAME ~ /\.(test|sh|awk|mk|py)$/
	had_mark = 0
}
marks {
	line = $0
	if (!sub(/^[ \t]*#( |$)/, "", line)) {
		had_mark = 0
		print ""
		next
	}
	print (had_mark || line ~ /^\t/ ? "" : "- ") line
	had_mark = line != ""
	next
}
{
	was_inside = inside
	line = $0
	if (inside && line !~ /^[ \t]*\*\//)
		sub(/^[ \t]*\* ?/, "", line)
	line = comment(line)
	if (!was_inside && !inside && line !~ /[A-Za-z]/)
		line = ""
	sub(/ *-----*$/, "", line)
	gsub(/ [^A-Za-z. ]+ /, " ", line)
	print line
}
