"""The results of programs, compared at full size."""
import os

from programs import Failed, HERE, compile_c, run

# Of the largest value: what another order of the operations may change.
ROUNDING = {"float": 1e-4, "double": 1e-11}


class Reference:
    """The cells after all steps of the plain nests, one nest at a time."""

    def __init__(self, folder):
        self.folder, self.of = folder, None

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, nest, command):
        """What the others are compared with: "command" is, given a file, one that writes
        cells into it."""
        if self.of != str(nest):
            run(command(self.path("reference")))
            self.of = str(nest)

    def program(self, real):
        program = self.path("compare-" + real)
        if not os.path.exists(program):
            compile_c(os.path.join(HERE, "compare.c"), program, ["-O2"], ["-DREAL=" + real])
        return program

    def check(self, nest, command, to_rounding=False):
        """Fails if the cells that such a command writes are others."""
        run(command(self.path("cells")))
        out = run([self.program(nest.real), self.path("reference"), self.path("cells")])
        most, differ = out.split()
        os.remove(self.path("cells"))
        if not float(most) <= (ROUNDING[nest.real] if to_rounding else 0) or (
                int(differ) and not to_rounding):
            raise Failed(f"wrong: {differ} cells differ, by {most} of the largest")
