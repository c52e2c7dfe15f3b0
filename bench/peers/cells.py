"""The results of programs, compared at full size."""
import os

from programs import Failed, HERE, compile_c, run

# Of the largest value: what another order of the operations may change.
ROUNDING = {"float": 1e-4, "double": 1e-11}


class Reference:
    """The cells after all steps of the plain nests, one nest at a time.

    Some programs make large differences of small ones (gradient2d): what has other roundings
    is compared with the plain nests with fused multiplications, too, where they can be made.
    """

    def __init__(self, folder):
        self.folder, self.of, self.fused = folder, None, None

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, nest, command, fused=None):
        """What the others are compared with: "command" is, given a file, one that writes
        cells into it; so is "fused"."""
        if self.of != str(nest):
            run(command(self.path("reference")))
            self.of, self.fused = str(nest), fused

    def program(self, real):
        program = self.path("compare-" + real)
        if not os.path.exists(program):
            compile_c(os.path.join(HERE, "compare.c"), program, ["-O2"], ["-DREAL=" + real])
        return program

    def distance(self, nest, reference):
        most, differ = run([self.program(nest.real), self.path(reference),
                            self.path("cells")]).split()
        return float(most), int(differ)

    def check(self, nest, command, to_rounding=False):
        """Fails if the cells that such a command writes are others."""
        run(command(self.path("cells")))
        allowed = ROUNDING[nest.real] if to_rounding else 0
        most, differ = self.distance(nest, "reference")
        if not most <= allowed and to_rounding and self.fused:
            run(self.fused(self.path("fused")))
            most, differ = self.distance(nest, "fused")
        os.remove(self.path("cells"))
        if not most <= allowed or (differ and not to_rounding):
            raise Failed(f"wrong: {differ} cells differ, by {most:g} of the largest")
