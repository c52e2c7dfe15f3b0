"""The tables of cases."""
from case import LATENCIES
from listing import CLASSES

COUNTS = ["stencil", "machine", "sizes", "registers", "spills", "blocks", "warps", *CLASSES,
          "hot loop", "all launches", "bytes of code", "load to wait"]
TIMES = ["stencil", "machine", "bytes", "bound", "model", "hot loop", "issue",
         "waits for", "waves", "slowest block", "all launches"]
GOALS = ["stencil", "now", "goal", "reach", "missing", "hot loop", "at 900", "more instructions", "spills"]


def row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def table(columns, rows):
    return "\n".join([row(columns), row(["---"] * len(columns)), *map(row, rows)]) + "\n"


def number(x):
    """Three digits."""
    return f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:.0f}"


def at_latencies(values, what=number):
    first, *others = map(what, values)
    return f"{first} ({', '.join(others)})"


def name(case):
    return " ".join([case.name, case.precision, *case.options])


def distances(found):
    """The least one and the median."""
    found = sorted(found)
    return f"{found[0]}, {found[len(found) // 2]}" if found else "-"


def counts(case):
    timed = case.timed
    return [name(case), case.arch, case.chosen(), timed.resources["registers"],
            timed.resources["spills"], timed.places, len(timed.turns.traces),
            *(number(case.per_update[c]) for c in CLASSES),
            number(sum(case.per_update.values())), number(case.all_per_update),
            timed.turns.code_bytes(), distances(timed.turns.distances)]


def waits(idle):
    """What the cycles without an issue wait for most."""
    idle = [(n, why) for why, n in idle.items() if why != "start"]
    every = sum(n for n, _ in idle)
    return ", ".join(f"{why} {100 * n / every:.0f} %" for n, why in sorted(idle)[:-3:-1])


def times(case):
    return [name(case), case.arch, number(case.bytes_per_update),
            f"{number(case.bound)} {case.binding}",
            f"{number(case.predicted)} {case.model.get('binding', '')}".strip(),
            at_latencies(case.hot),
            at_latencies(case.used, percent), waits(case.waits),
            number(case.waves), number(case.timed.slowest), at_latencies(case.launched)]


def percent(part):
    return f"{100 * part:.0f} %"


def missing(goal, now):
    """The part of the goal that is not reached."""
    if goal == "-":
        return "-"
    return percent(1 - now / float(goal)) if now < float(goal) else "reached"


def against(case, goal):
    now, later = case.launched
    return [name(case), number(now), goal.goal, goal.reach, missing(goal.goal, now),
            number(case.hot[0]), percent(later / now - 1),
            number(case.all_per_update / sum(case.per_update.values())),
            case.timed.resources["spills"]]


def rows(case, goal):
    """Those of a case in the three tables; None in that of goals where it has none."""
    return counts(case), times(case), against(case, goal) if goal else None


def report(found):
    low, high = LATENCIES
    aims = [aim for _, _, aim in found if aim]
    text = (table(COUNTS, (counted for counted, _, _ in found))
            + f"\nGStencils/s, at a latency of {low} ({high}) cycles:\n\n"
            + table(TIMES, (timed for _, timed, _ in found)))
    if aims:
        text = "H200, all launches, against the goals:\n\n" + table(GOALS, aims) + "\n" + text
    return text


def rows_of(lines):
    """(place, key) of each row: its table's columns, its stencil, and its machine if there is one."""
    columns = None
    for n, line in enumerate(lines):
        cells = line.split(" | ")
        if not line.startswith("| "):
            columns = None
        elif columns is None:
            columns = line
        elif not line.startswith("| ---"):
            yield n, (columns, *cells[:2 if "| machine |" in columns else 1])


def replace_rows(page, text):
    """The page with the rows that "text", a report, has anew."""
    lines, found = page.split("\n"), text.split("\n")
    new = {key: found[n] for n, key in rows_of(found)}
    for n, key in rows_of(lines):
        lines[n] = new.pop(key, lines[n])
    if new:
        raise ValueError("no row of " + ", ".join(sorted({key[1].lstrip("| ") for key in new})))
    return "\n".join(lines)
