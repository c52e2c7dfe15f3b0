# The table of rows that launches.awk makes; exit status 1 if something is wrong.

BEGIN {
	FS = "\t"
	print "| program | code | sizes | launches | cycles | of 1000 updates | instructions an update |" \
		" times one thread a point | results |"
	print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
}

$4 != "ok" {
	wrong = 1
	printf "| %s | %s | %s | - | - | - | - | - | %s |\n", $1, $2, $3, $4
	next
}

{
	each = 1000 * $6 / $8
	faster = "-"
	if ($2 == "one thread a point")
		point[$1] = each
	else if (point[$1])
		faster = sprintf("%.2f", point[$1] / each)
	printf "| %s | %s | %s | %d | %.0f | %.3g | %.3g | %s | equal |\n", $1, $2, $3, $5, $6, each,
		$7 / $8, faster
}

END { exit wrong }
