# The measures of the steps, from the rows of bench/steps: a line each.

function report(what, value, limit, fine) {
	printf "measure: %s: %s, limit %s, %s\n", what, value, limit,
		fine ? "ok" : "NOT OK"
}

function number(x) {
	return sprintf("%.4g", x)
}

# "now" is no more than the step before.
function no_worse(what, now, before) {
	report(where " (" $3 ") " what, number(now), number(before) " (" last_step ")",
		now <= before * 1.0001)
}

{
	where = $1 " " $2
	if ($1 $2 == last) {
		if ($3 == "c") no_worse("shared load requests", $10, shared)
		if ($3 == "d") no_worse("global load sectors", $7, sectors)
		if ($3 == "e") no_worse("global loads", $5, loads)
		if ($3 == "f") no_worse("shared wavefronts per request", $11, waves)
		if ($3 == "f") no_worse("global loads", $5, loads)
	}
	last = $1 $2
	last_step = $3
	shared = $10
	sectors = $7
	loads = $5
	waves = $11
	if ($3 == "f") {
		report(where " (f) global load efficiency", number($8), "1", $8 >= 0.99995)
		report(where " (f) wavefronts per request", number($11), "1",
			$11 <= 1.00005)
		report(where " (f) global loads per update", number($5),
			number($4 * 1.05) " (exact + reuse and 5 %)", $5 <= $4 * 1.05)
	}
	report(where " (" $3 ") spills, bytes", $16, "0", $16 == 0)
	report(where " (" $3 ") registers times threads", $15 * $17, "65536",
		$15 * $17 <= 65536)
	report(where " (" $3 ") nvcc, s", $20, "15", $20 <= 15)
	report(where " (" $3 ") stencilc, CPU s", $22, "0.5", $22 <= 0.5)
	report(where " (" $3 ") lines", $19, "1500", $19 < 1500)
	if ($3 == "f" && ($1 == "jacobi2d" || $1 == "heat3d"))
		report(where " (f) PTX instructions per update, rows only, " $13,
			number($21), $1 == "heat3d" ? "45" : "14",
			$21 <= ($1 == "heat3d" ? 45 : 14))
	if ($3 == "f" && $1 == "jacobi2d")
		report(where " (f) PTX instructions per update", number($14), "14",
			$14 <= 14 && $13 == "straight")
	if ($3 == "f" && $1 == "heat3d")
		report(where " (f) PTX instructions per update, " $13,
			number($14), "45", $14 <= 45)
}

END {
	n = split(whole, w, " ")
	for (i = 1; i + 3 <= n; i += 4) {
		run = "jacobi2d h=3,w0=7,w1=32, T = " w[i] ", N = M = " w[i + 1]
		report(run ": global loads per update", w[i + 2], "0.53",
			w[i + 2] < 0.53)
		report(run ": global stores per update", w[i + 3], "0.34",
			w[i + 3] < 0.34)
	}
}
