# The loop with the most arithmetic on vectors, in assembly of x86-64: how many
# vectors it loads, and how many it stores.
function is_vector(line) { return line ~ /^\tv[a-z0-9]+[ \t].*%[yzx]mm/ }
function is_arithmetic(line) { return line ~ /^\tv(add|sub|mul)p[sd][ \t]/ }
function is_store(line) { return line ~ /\)$/ }

/^\.L[A-Za-z0-9_]+:/ {
	label = substr($1, 1, index($1, ":") - 1)
	arithmetic = loads = stores = 0
	next
}
/^\tj[a-z]+[ \t]/ {
	if ($2 == label && arithmetic > most) {
		most = arithmetic
		result = loads " " stores
	}
	label = ""
	next
}
is_vector($0) {
	sub(/[ \t]*#.*/, "")
	arithmetic += is_arithmetic($0)
	if (is_store($0))
		stores++
	else if (/\(/)
		loads++
}
END { print result }
