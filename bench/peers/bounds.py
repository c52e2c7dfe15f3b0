"""What memory and arithmetic allow: a triad, and additions and multiplications in registers."""
import os

from plain import compile_nest
from programs import own_flags, rate

# Steps and cells; what one takes, in bytes or operations.
LOOPS = {"triad": (10, 30000000, {"double": 24, "float": 12}, "GB/s"),
         "flops": (10, 10000000, {"double": 32, "float": 32}, "GFLOP/s")}


class Bound:
    def __init__(self, loop, real, folder, runs):
        self.loop, self.real = loop, real
        self.steps, self.n, factor, self.unit = LOOPS[loop]
        self.n //= int(os.environ.get("CPU_SCALE") or 1)
        program = os.path.join(folder, f"{loop}-{real}")
        compile_nest(loop, real, program, own_flags())
        command = [program, str(self.steps), str(self.n)]
        # A program counts its cells, which a loop in registers has few of.
        cells = 1536 if loop == "flops" else self.n
        rates = sorted(rate(command) for _ in range(runs))
        self.rate = rates[len(rates) // 2] * self.n / cells * factor[real]
