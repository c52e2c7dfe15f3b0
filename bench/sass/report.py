"""The tables of cases."""
from case import LATENCIES
from listing import CLASSES

COUNTS = ["stencil", "machine", "sizes", "registers", "spills", "blocks", "warps", *CLASSES,
          "hot loop", "all launches", "bytes of code", "load to wait"]
TIMES = ["stencil", "machine", "bytes", "bound", "model", "hot loop", "issue",
         "waits for", "waves", "slowest block", "all launches"]


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
    return f"{case.name} {case.precision}"


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
            at_latencies(case.used, lambda x: f"{100 * x:.0f} %"), waits(case.waits),
            number(case.waves), number(case.timed.slowest), at_latencies(case.launched)]


def rows(case):
    """Those of a case in the two tables."""
    return counts(case), times(case)


def report(found):
    low, high = LATENCIES
    return (table(COUNTS, (counted for counted, _ in found))
            + f"\nGStencils/s, at a latency of {low} ({high}) cycles:\n\n"
            + table(TIMES, (timed for _, timed in found)))
