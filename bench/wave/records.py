#!/usr/bin/env python3
"""A shot by ours and by Devito, from the same sources in the same media:

    records.py FOLDER NAME TYPE SIZE... STEPS

FOLDER has the module NAME.py and its library as stencilc makes them.  For each record, and each
field after the last step, printed: its name, its largest value, the largest difference, and that
over the largest value.
"""
import importlib
import math
import os
import sys

os.environ.setdefault("DEVITO_LANGUAGE", "openmp")
os.environ.setdefault("DEVITO_ARCH", "gcc")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")
sys.dont_write_bytecode = True

import numpy
from devito import NODE, Eq, Function, Grid, Operator, SparseTimeFunction, TimeFunction
from devito.finite_differences import finite_difference

SOURCES, RECEIVERS = 3, 40
# Devito rounds weights of differences to 9 digits, which is more than doubles differ by.
finite_difference._PRECISION = 20


class Shot:
    """What both have: a medium of layers, a sponge, and places between cells."""

    def __init__(self, real, shape, steps):
        self.real = numpy.dtype({"float": "f4", "double": "f8"}[real])
        self.shape, self.steps = shape, steps
        random = numpy.random.default_rng(5)
        depth = numpy.arange(shape[-1])
        layers = numpy.where(depth < shape[-1] // 3, 0.5, numpy.where(
            depth < 2 * shape[-1] // 3, 0.75, 1))
        self.speed = numpy.broadcast_to(layers, shape) * (1 + 0.05 * random.random(shape))
        self.keep = self.sponge(12)
        self.at_sources = self.places(SOURCES, random)
        self.at_receivers = self.places(RECEIVERS, random)
        self.wavelet = numpy.array([[self.ricker(t, 0.06 + 0.01 * s) for s in range(SOURCES)]
                                    for t in range(steps)], self.real)

    def zeros(self, shape):
        return numpy.zeros(shape, self.real)

    def record(self):
        return self.zeros((self.steps, RECEIVERS))

    def places(self, count, random):
        inner = numpy.array([n - 40 for n in self.shape])
        return (20 + inner * random.random((count, len(self.shape)))).astype(self.real)

    def sponge(self, width):
        square = 0
        for d, n in enumerate(self.shape):
            i = numpy.arange(n)
            inside = numpy.maximum(width - numpy.minimum(i, n - 1 - i), 0)
            square = square + (inside**2).reshape([n if e == d else 1
                                                   for e in range(len(self.shape))])
        return numpy.exp(-0.0005 * square).astype(self.real)

    @staticmethod
    def ricker(step, frequency):
        square = (math.pi * frequency * (step - 1.2 / frequency))**2
        return (1 - 2 * square) * math.exp(-square)


class Theirs:
    """What the shots have in common in Devito; points of the grid have a distance of 1, and
    step t of ours is the one that computes its time t + 1."""

    def __init__(self, shot, order):
        self.shot, self.order = shot, order
        self.grid = Grid(shape=shot.shape, extent=tuple(n - 1 for n in shot.shape),
                         dtype=shot.real.type)

    def field(self, name, **more):
        return TimeFunction(name=name, grid=self.grid, space_order=self.order, **more)

    def medium(self, name, values, **more):
        function = Function(name=name, grid=self.grid, space_order=0, **more)
        function.data[:] = values
        return function

    def points(self, name, places):
        points = SparseTimeFunction(name=name, grid=self.grid, npoint=len(places),
                                    nt=self.shot.steps + 2)
        points.coordinates.data[:] = places
        return points

    def sources(self, first, shift=0):
        sources = self.points("s", self.shot.at_sources + self.shot.real.type(shift))
        sources.data[first:first + self.shot.steps] = self.shot.wavelet
        return sources

    def run(self, equations, first, records, fields):
        """The records, and the last values of the fields."""
        end = first + self.shot.steps
        Operator(equations, subs=self.grid.spacing_map | {"dt": 1}).apply(
            time_m=first, time_M=end - 1, dt=1.0)
        return [numpy.array(record.data[first:end]) for record in records] + \
            [numpy.array(field.data[end % field.time_size]) for field in fields]


def acoustic_theirs(shot, c, keep):
    theirs = Theirs(shot, 8)
    p = theirs.field("p", time_order=2)
    v2, k = theirs.medium("v2", c), theirs.medium("k", keep)
    record = theirs.points("r", shot.at_receivers)
    sources = theirs.sources(1)
    steps = [Eq(p.forward, k * (2 * p - k * p.backward + v2 * p.laplace))]
    steps += sources.inject(field=p.forward, expr=sources)
    steps += record.interpolate(expr=p.forward)
    return theirs.run(steps, 1, [record], [p])


def acoustic3d(module, shot):
    v2 = (0.19 * shot.speed**2 / 1.11).astype(shot.real)
    record, p = shot.record(), shot.zeros((2,) + shot.shape)
    module.acoustic3d(shot.steps, *shot.shape, SOURCES, RECEIVERS, *columns(shot.at_sources),
                      shot.wavelet, *columns(shot.at_receivers), v2, shot.keep, p, record)
    return ["shot", "p"], [record, p[1]], acoustic_theirs(shot, v2, shot.keep)


def columns(places):
    return [numpy.ascontiguousarray(column) for column in places.T]


class Solid:
    """Stiffness and lightness where elastic2d has them; the ratio of speeds is 1.7 to 2."""

    def __init__(self, shot):
        p, s = 0.55 * shot.speed / 1.05, 0.3 * shot.speed / 1.05
        density = 0.5 + shot.speed
        self.bx = (1 / density).astype(shot.real)
        self.bz = (0.95 / density).astype(shot.real)
        self.mu = (density * s**2).astype(shot.real)
        self.lam = (density * (p**2 - 2 * s**2)).astype(shot.real)
        self.shear = (0.97 * density * s**2).astype(shot.real)


def elastic2d(module, shot):
    solid = Solid(shot)
    names = ["vx", "vz", "sxx", "szz", "sxz"]
    records = [shot.record() for _ in range(2)]
    fields = [shot.zeros(shot.shape) for _ in names]
    module.elastic2d(shot.steps, *shot.shape, SOURCES, RECEIVERS, *columns(shot.at_sources),
                     shot.wavelet, *columns(shot.at_receivers), solid.bx, solid.bz, solid.lam,
                     solid.mu, solid.shear, shot.keep, *fields, *records)
    return ["shot_x", "shot_z"] + names, records + fields, elastic_theirs(shot, solid)


def elastic_theirs(shot, solid):
    """Devito's own staggered derivatives of 4th order."""
    theirs = Theirs(shot, 4)
    x, z = theirs.grid.dimensions
    vx, vz = theirs.field("vx", staggered=NODE), theirs.field("vz", staggered=(x, z))
    sxx, szz = theirs.field("sxx", staggered=x), theirs.field("szz", staggered=x)
    sxz = theirs.field("sxz", staggered=z)
    bx = theirs.medium("bx", solid.bx, staggered=NODE)
    bz = theirs.medium("bz", solid.bz, staggered=(x, z))
    lam, mu = (theirs.medium(name, value, staggered=x)
               for name, value in (("lam", solid.lam), ("mu", solid.mu)))
    shear = theirs.medium("shear", solid.shear, staggered=z)
    keeps = [theirs.medium(f"k{at}", shot.keep, staggered=staggered)
             for at, staggered in enumerate((NODE, (x, z), x, z))]
    stiff = lam + 2 * mu
    steps = [Eq(vx.forward, keeps[0] * (vx + bx * (sxx.dx + sxz.dy))),
             Eq(vz.forward, keeps[1] * (vz + bz * (sxz.dx + szz.dy)))]
    steps += [Eq(sxx.forward, keeps[2] * (sxx + stiff * vx.forward.dx + lam * vz.forward.dy)),
              Eq(szz.forward, keeps[2] * (szz + stiff * vz.forward.dy + lam * vx.forward.dx)),
              Eq(sxz.forward, keeps[3] * (sxz + shear * (vx.forward.dy + vz.forward.dx)))]
    sources = theirs.sources(0, shift=(0.5, 0))     # from the cells of sxx to the grid's
    steps += sources.inject(field=sxx.forward, expr=sources)
    steps += sources.inject(field=szz.forward, expr=sources)
    records = [theirs.points(name, shot.at_receivers) for name in ("rx", "rz")]
    # Without averages of what is staggered: ours lie between the cells of vz.
    heard = theirs.field("heard", staggered=NODE)
    steps += [Eq(heard.forward, vz[theirs.grid.stepping_dim + 1, x, z])]
    steps += records[0].interpolate(expr=vx.forward) + records[1].interpolate(expr=heard.forward)
    return theirs.run(steps, 0, records, [vx, vz, sxx, szz, sxz])


def main(folder, name, real, *numbers):
    sys.path.insert(0, folder)
    *shape, steps = (int(n) for n in numbers)
    shot = Shot(real, tuple(shape), steps)
    for what, mine, other in zip(*globals()[name](importlib.import_module(name), shot)):
        largest = float(numpy.abs(other).max())
        apart = float(numpy.abs(mine - other).max())
        print(f"{what} {largest:.4g} {apart:.3g} {apart / largest:.2g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
