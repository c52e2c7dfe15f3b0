# A row for what a simulator printed of the launches of a program, and the harness of its results:
# case, code, sizes, what is wrong or "ok", launches, cycles, instructions of threads, updates.
# A launch is known by its number; of one that is printed twice the last lines count.

$1 == "kernel_launch_uid" { launch = $3; launches += !(launch in cycles) }
$1 == "gpu_sim_cycle" { cycles[launch] = $3 }
$1 == "gpu_sim_insn" { instructions[launch] = $3 }
/: equal to the plain loops, bit for bit$/ || /: within .* of the plain loops/ { equal = 1 }
/[Ee]rror|ERROR|[Aa]ssert|differs?$/ && !told { told = $0 }

END {
	n = split(problem, size, " ")
	for (updates = i = 1; i <= n; i++) {
		sub(/.*=/, "", size[i])
		updates *= size[i]
	}
	for (launch in cycles) {
		all += cycles[launch]
		executed += instructions[launch]
	}
	what = "ok"
	if (status == 124)
		what = "out of time"
	else if (!equal)
		what = "wrong: " (told ? substr(told, 1, 100) : "no result was compared, status " status)
	else if (status != 0)
		what = "exit status " status
	else if (!all)
		what = "no cycles were told"
	printf "%s\t%s\t%s\t%s\t%d\t%.0f\t%.0f\t%.0f\n", name, code, chosen, what, launches, all,
		executed, updates
}
