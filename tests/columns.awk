# Of the loops with "operations" on vectors, in assembly of x86-64, that with the fewest
# loads: how many vectors it loads, how many it stores, and how many operations multiply,
# or multiply and add.  A loop is what lies between a label and the next jump, back to it.
function is_vector(line) { return line ~ /^\tv[a-z0-9]+[ \t].*%[yzx]mm/ }
function multiplies(line) { return line ~ /^\tv(mul|fn?m(add|sub)[123]*)p[sd][ \t]/ }
function is_arithmetic(line) {
	return line ~ /^\tv(add|sub)p[sd][ \t]/ || multiplies(line)
}
function is_store(line) { return line ~ /\)$/ }

/^\.L[A-Za-z0-9_]+:/ {
	label = substr($1, 1, index($1, ":") - 1)
	arithmetic_at[label] = arithmetic
	loads_at[label] = loads
	stores_at[label] = stores
	products_at[label] = products
	next
}
/^\tj[a-z]+[ \t]/ {
	if ($2 in loads_at &&
	    arithmetic - arithmetic_at[$2] == operations &&
	    (least == "" || loads - loads_at[$2] < least)) {
		least = loads - loads_at[$2]
		result = least " " stores - stores_at[$2] " " \
			products - products_at[$2]
	}
	split("", loads_at)
	next
}
is_vector($0) {
	sub(/[ \t]*#.*/, "")
	arithmetic += is_arithmetic($0)
	products += multiplies($0)
	if (is_store($0))
		stores++
	else if (/\(/)
		loads++
}
END { print result }
