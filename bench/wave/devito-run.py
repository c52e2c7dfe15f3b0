#!/usr/bin/env python3
"""A program of bench/wave by Devito:

    devito-run.py NAME REPEAT FILE OPTIMIZATION [BLOCK=SIZE...]

FILE gets the newest cells and what receivers heard, unless it is "-".  OPTIMIZATION is Devito's (advanced), and after a
colon an option of it that is set.  Without blocks its tuner is asked, and what it finds is
printed, "whole" if there is nothing to tune; nothing is timed then.
"""
import os
import sys
import time

os.environ.setdefault("DEVITO_LANGUAGE", "openmp")
os.environ.setdefault("DEVITO_ARCH", "gcc")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")
sys.dont_write_bytecode = True

import numpy
from devito import Eq, Function, Grid, Operator, SparseTimeFunction, TimeFunction

from case import HEAT, Wave, at_receivers, at_source, report, ricker, start


def equations(wave, grid):
    """The field, what computes it, and what is heard; points of the grid have a distance of 1."""
    p = TimeFunction(name="p", grid=grid, space_order=wave.order,
                     time_order=1 if wave.heat else 2)
    if wave.heat:
        return p, [Eq(p.forward, p + HEAT * p.laplace)], None
    c = Function(name="c", grid=grid, space_order=0)
    inner = (slice(wave.radius, -wave.radius),) * wave.dims
    c.data[:] = start(wave)[1][inner]
    steps = [Eq(p.forward, 2 * p - p.backward + c * p.laplace)]
    if wave.source or wave.shot:
        steps += source(wave, grid, p)
    heard = points(wave, grid, "r", at_receivers(wave)) if wave.shot else None
    return p, steps + (heard.interpolate(expr=p.forward) if wave.shot else []), heard


def points(wave, grid, name, places):
    """The grid starts inside the ring of cells that stay."""
    series = SparseTimeFunction(name=name, grid=grid, npoint=len(places), nt=wave.steps + 2)
    series.coordinates.data[:] = places - numpy.float32(wave.radius)
    return series


def source(wave, grid, p):
    """Ricker's wavelet at the point of the middle, or beside it; time starts at step 1."""
    s = points(wave, grid, "s", at_source(wave) if wave.shot else
               numpy.full((1, wave.dims), wave.n // 2, "f4"))
    s.data[1:wave.steps + 1, 0] = [ricker(t) for t in range(wave.steps)]
    return s.inject(field=p.forward, expr=s)


def fill(wave, p):
    inner = (slice(wave.radius, -wave.radius),) * wave.dims
    p.data_with_halo[:] = 0
    for k, version in enumerate(start(wave)[0]):
        p.data[k] = version[inner]


def optimization(text):
    name, _, option = text.partition(":")
    return (name, {option: True}) if option else name


def tune(operator, times):
    """Its tuner starts from the cells that are there, and keeps what it found."""
    operator.apply(autotune="aggressive", **times)
    tuned = operator._state["autotuning"][-1].get("tuned", {})
    sizes = [f"{name}={size}" for name, size in tuned.items() if name != "nthreads"]
    print(" ".join(sizes or ["whole"]))


def main(name, repeat, path, how, *blocks):
    wave = Wave(name)
    shape = (wave.n - 2 * wave.radius,) * wave.dims
    grid = Grid(shape=shape, extent=tuple(n - 1 for n in shape), dtype=numpy.float32)
    p, steps, heard = equations(wave, grid)
    operator = Operator(steps, opt=optimization(how), subs=grid.spacing_map | {"dt": 1})
    first = 0 if wave.heat else 1
    times = {"time_m": first, "time_M": first + wave.steps - 1, "dt": 1.0}
    fill(wave, p)
    if not blocks:
        return tune(operator, times)
    sizes = {block.split("=")[0]: int(block.split("=")[1]) for block in blocks if "=" in block}
    best = None
    for _ in range(int(repeat)):
        begin = time.perf_counter()
        operator.apply(**times, **sizes)
        seconds = time.perf_counter() - begin
        best = seconds if best is None else min(best, seconds)
    report(wave, best)
    if path != "-":
        cells = numpy.zeros((wave.n,) * wave.dims, "f4")
        inner = (slice(wave.radius, -wave.radius),) * wave.dims
        cells[inner] = p.data[(first + wave.steps) % p.time_size]
        record = heard.data[1:wave.steps + 1] if wave.shot else []
        numpy.concatenate([cells.ravel(), numpy.ravel(record)]).astype("f4").tofile(path)
    return None


main(*sys.argv[1:])
