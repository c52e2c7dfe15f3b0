#!/usr/bin/env python3
"""A program of bench/wave by pystencils:

    pystencils-run.py NAME REPEAT FILE OPTION...

FILE gets the newest cells and what receivers heard, unless it is "-".  OPTIONs: vectors, for intrinsics; stream, for
stores past the caches, into a third array; collapse, for loops that are shared out two deep.
Sources and receivers are NumPy's, between the steps.
"""
import sys
import time

sys.dont_write_bytecode = True

import numpy
import pystencils

from case import HEAT, RECEIVERS, Wave, at_receivers, at_source, report, ricker, start


def kernel(wave, arrays, velocity, options):
    """What computes the array "new" from "now", "old" and the velocities."""
    fields = {name: pystencils.Field.create_from_numpy_array(name, array)
              for name, array in {**arrays, "c": velocity}.items()}
    now = fields["now"]
    lap = wave.dims * wave.weights[0] * now.center
    for k, weight in enumerate(wave.weights[1:], 1):
        for d in range(wave.dims):
            for at in -k, k:
                lap += weight * now[tuple(at if e == d else 0 for e in range(wave.dims))]
    if wave.heat:
        value = now.center + HEAT * lap
    else:
        old = fields["old"] if "old" in fields else fields["new"]
        value = 2 * now.center - old.center + fields["c"].center * lap
    config = pystencils.CreateKernelConfig(
        target=pystencils.Target.CurrentCPU, default_dtype="float32", ghost_layers=wave.radius)
    config.cpu.openmp.enable = True
    if "collapse" in options:
        config.cpu.openmp.collapse = 2
    if "vectors" in options:
        config.cpu.vectorize.enable = True
        config.cpu.vectorize.assume_inner_stride_one = True
        config.cpu.vectorize.use_nontemporal_stores = "stream" in options
        config.cpu.vectorize.assume_aligned = "stream" in options
    made = pystencils.create_kernel(pystencils.Assignment(fields["new"].center, value), config)
    return made.compile()


def aligned(array, ring):
    """The same, each row's first cell inside the ring at the start of a line, rows padded."""
    line = 64 // array.itemsize
    row = -(-(array.shape[-1] + line) // line) * line
    memory = numpy.zeros(array.size // array.shape[-1] * row + 2 * line, array.dtype)
    skip = (-memory.ctypes.data // array.itemsize - ring) % line
    padded = memory[skip:skip + array.size // array.shape[-1] * row]
    padded = padded.reshape(array.shape[:-1] + (row,))[..., :array.shape[-1]]
    padded[...] = array
    return padded


def allocate(wave, options):
    """Arrays in the order of their versions, the one to write last, and velocities."""
    versions, velocity = start(wave)
    count = 3 if "stream" in options and not wave.heat else 2
    versions += [versions[-1] * 0 for _ in range(count - len(versions))]
    return [aligned(v, wave.radius) for v in versions], aligned(velocity, wave.radius)


class Points:
    """Places between cells: indices and weights of the 2^dims cells around each."""

    def __init__(self, places):
        low = numpy.floor(places).astype(int)
        beyond = places - low
        corners = numpy.array(list(numpy.ndindex((2,) * places.shape[1])))
        self.cells = tuple(low[:, None, d] + corners[:, d] for d in range(places.shape[1]))
        self.weights = numpy.prod(numpy.where(corners, beyond[:, None], 1 - beyond[:, None]),
                                  axis=2, dtype="f4")

    def read(self, array):
        return (self.weights * array[self.cells]).sum(axis=1)

    def add(self, array, value):
        numpy.add.at(array, self.cells, self.weights * value)


class Shot:
    """A source, and what receivers heard of it."""

    def __init__(self, wave):
        self.wavelet = numpy.array([ricker(t) for t in range(wave.steps)], "f4")
        self.source, self.receivers = Points(at_source(wave)), Points(at_receivers(wave))
        self.heard = numpy.zeros((wave.steps, RECEIVERS), "f4")

    def do(self, array, step):
        self.source.add(array, self.wavelet[step])
        self.heard[step] = self.receivers.read(array)


def advance(wave, run, arrays, velocity, shot):
    """All steps; the array of the oldest version is written, or a third one."""
    middle = (wave.n // 2,) * wave.dims
    for step in range(wave.steps):
        if len(arrays) == 3:
            old, now, new = arrays
            run(old=old, now=now, new=new, c=velocity)
        elif wave.heat:
            now, new = arrays
            run(now=now, new=new)
        else:
            new, now = arrays
            run(now=now, new=new, c=velocity)
        if wave.source:
            new[middle] += ricker(step)
        if shot:
            shot.do(new, step)
        arrays[:] = [now, new] if len(arrays) == 2 and not wave.heat else \
            [new, now] if wave.heat else [now, new, old]


def main(name, repeat, path, *options):
    wave = Wave(name)
    arrays, velocity = allocate(wave, options)
    names = ["old", "now", "new"] if len(arrays) == 3 else \
        ["now", "new"] if wave.heat else ["new", "now"]
    run = kernel(wave, dict(zip(names, arrays)), velocity, options)
    shot = Shot(wave) if wave.shot else None
    best = None
    for _ in range(int(repeat)):
        begin = time.perf_counter()
        advance(wave, run, arrays, velocity, shot)
        seconds = time.perf_counter() - begin
        best = seconds if best is None else min(best, seconds)
    report(wave, best)
    if path != "-":
        numpy.concatenate([arrays[0 if wave.heat else 1].ravel(),
                           shot.heard.ravel() if shot else []]).astype("f4").tofile(path)


main(*sys.argv[1:])
