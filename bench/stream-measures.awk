# The measures of strips, from the rows of bench/stream: a line each.

# A figure that is none, "nan" for what was not counted, is not "ok".
function is_figure(value) {
	return value ~ /^[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/
}

function report(what, value, limit, fine) {
	printf "measure: %s %s %s%s: %s: %s, limit %s, %s\n", $1, $2, \
		$4 == "auto" ? "auto" : $5, $19 ? " " $19 : "", what, value, limit, \
		fine && is_figure(value) ? "ok" : "NOT OK"
}

function number(x) {
	return sprintf("%.4g", x)
}

{
	exchanges = $5 ~ /y=/ || $5 !~ /threads=32,/
	if ($3 != "-")
		report("PTX instructions an update", number($6), $3, $6 <= $3)
	else if (!is_figure($6))
		report("PTX instructions an update", $6, "a figure", 0)
	report("spills, bytes", $13, "128", $13 <= 128)
	report("barriers of an iteration", $10, exchanges, \
		$10 == exchanges)
	if ($4 != "auto" && $15 > 0)
		report("bytes an update", number($14), \
			number($15) " and 10 %", \
			$14 <= 1.1 * $15 && $14 >= 0.9 * $15)
	report("nvcc, s", $16, "30", $16 <= 30)
	report("stencilc, CPU s", $17, "0.5", $17 <= 0.5)
	report("model, ms", $20, "10", $20 != "" && $20 <= 10)
}
