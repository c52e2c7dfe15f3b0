"""The stencils of bench/cpu: sizes, and what a point takes."""
import os

NAMES = "jacobi1d jacobi2d heat2d gradient2d fdtd2d laplacian3d heat3d".split()
FLOPS = {"jacobi1d": 3, "jacobi2d": 5, "heat2d": 8, "gradient2d": 15, "fdtd2d": 11,
         "laplacian3d": 8, "heat3d": 27}
BYTES = {"double": 8, "float": 4}
BEYOND_CACHES = {1: (16000000, 96), 2: (4000, 96), 3: (300, 48)}
IN_CACHE = {1: (32000, 4000), 2: (180, 4000), 3: (32, 4000)}


class Nest:
    """One stencil in one type: "n" cells along each dimension, "steps" steps."""

    def __init__(self, name, real):
        self.name, self.real = name, real
        self.dims = int(name[-2])
        self.n, self.steps = BEYOND_CACHES[self.dims]
        self.n //= int(os.environ.get("CPU_SCALE") or 1)

    def __str__(self):
        return f"{self.name} {self.real} {self.n} {self.steps}"

    @property
    def words(self):
        """What a point reads and writes, each field once."""
        return 10 if self.name == "fdtd2d" else 2

    @property
    def bytes(self):
        return self.words * BYTES[self.real]

    @property
    def flops(self):
        return FLOPS[self.name]

    @property
    def cached(self):
        """Cells along a dimension, and steps, of a grid in a second-level cache."""
        return IN_CACHE[self.dims]

    def parameters(self):
        """The options of a program of ours."""
        return [f"--T={self.steps}"] + [f"--{p}={self.n}" for p in "NMK"[:self.dims]]

    def problem(self):
        return ",".join(p.lstrip("-") for p in self.parameters())
