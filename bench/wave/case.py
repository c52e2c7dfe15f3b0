"""The programs of bench/wave: what all codes for them start from and compute."""
import os
import re

NAMES = """wave2d2 wave2d4 wave2d8 wave3d2 wave3d4 wave3d8 heat2d5 heat3d7 ricker2d ricker3d
shot2d2 shot2d4 shot2d8 shot3d2 shot3d4 shot3d8""".split()
SIZES = {2: (4000, 96), 3: (300, 96)}
# Second derivatives: the middle, and what is one point away, two, ..
ORDERS = {2: (-2.0, 1.0), 4: (-5 / 2, 4 / 3, -1 / 12),
          8: (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)}
HEAT = 0.1
RECEIVERS = 100     # of a shot


class Wave:
    """One of them, in float: "n" cells along each dimension, "steps" steps."""

    real = "float"

    def __init__(self, name):
        kind, dims, order = re.fullmatch(r"([a-z]+)(\d)d(\d?)", name).groups()
        self.name, self.dims = name, int(dims)
        self.heat, self.source, self.shot = (kind == k for k in ("heat", "ricker", "shot"))
        self.order = int(order) if kind in ("wave", "shot") else 2
        self.radius = self.order // 2
        self.weights = ORDERS[self.order]
        self.versions = 1 if self.heat else 2
        self.n, self.steps = SIZES[self.dims]
        self.n //= int(os.environ.get("CPU_SCALE") or 1)

    def __str__(self):
        return f"{self.name} {self.real} {self.n} {self.steps}"

    def problem(self):
        return ",".join([f"T={self.steps}"] + [f"{p}={self.n}" for p in "NMK"[:self.dims]] +
                        ([f"P=1,R={RECEIVERS}"] if self.shot else []))


def ricker(step):
    """What the source adds to the step after this one."""
    from math import exp
    square = 0.01 * (step - 20) ** 2
    return (1 - 2 * square) * exp(-square)


def at_source(wave):
    """Where the source of a shot is, between cells: one row."""
    import numpy
    return numpy.full((1, wave.dims), wave.n // 2 + 0.25, "f4")


def at_receivers(wave):
    """Its receivers lie along the first dimension."""
    import numpy
    at = numpy.full((RECEIVERS, wave.dims), wave.n // 3 + 0.5, "f4")
    at[:, 0] = [wave.radius + 1.25 + (wave.n - 2 * wave.radius - 4) * r / RECEIVERS
                for r in range(RECEIVERS)]
    return at


def start(wave):
    """Cells of NumPy: the versions, the oldest first, and the velocities."""
    import numpy
    shape = (wave.n,) * wave.dims
    cells = wave.n ** wave.dims
    inner = (slice(wave.radius, -wave.radius),) * wave.dims
    versions = []
    for version in range(wave.versions):
        values = (numpy.arange(version * cells, (version + 1) * cells) % 1013).astype("f4")
        values = (values / numpy.float32(1013)).reshape(shape)
        versions.append(numpy.zeros(shape, "f4"))
        versions[-1][inner] = values[inner]
    velocity = (numpy.arange(cells) % 101).astype("f4") / numpy.float32(101)
    return versions, (numpy.float32(0.05) * (1 + velocity)).reshape(shape)


def report(wave, seconds):
    print(f"{seconds:.6g} s, {1e-9 * wave.n ** wave.dims * wave.steps / seconds:.4g} GStencils/s",
          flush=True)
