"""What whole launches are to reach (goals.txt)."""
import os
from typing import NamedTuple

ARCH = "h200"
PRECISIONS = "float", "double"


class Goal(NamedTuple):
    """GStencils/s as written: a goal, and what the bounds leave room for."""
    goal: str
    reach: str


def read_goals():
    """{(stencil, options): {precision: Goal}}, in the order of the file."""
    found = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "goals.txt")) as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, options, *figures = line.split()
            found[name, "" if options == "-" else options] = {
                p: Goal(figures[n], figures[2 + n]) for n, p in enumerate(PRECISIONS)}
    return found


def goal_of(name, options, precision, arch):
    """None where there is none."""
    return read_goals().get((name, " ".join(options)), {}).get(precision) if arch == ARCH else None


def with_options():
    """(stencil, precision, ARCH, options) of goals of options."""
    return [(name, precision, ARCH, options.split()) for (name, options), by in
            read_goals().items() if options for precision in by]
