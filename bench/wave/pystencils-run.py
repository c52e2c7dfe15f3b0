#!/usr/bin/env python3
"""A program of bench/wave by pystencils:

    pystencils-run.py NAME REPEAT FILE OPTION...

FILE gets the newest cells, unless it is "-".  OPTIONs: vectors, for intrinsics; stream, for
stores past the caches, into a third array; collapse, for loops that are shared out two deep.
"""
import sys
import time

sys.dont_write_bytecode = True

import numpy
import pystencils

from case import HEAT, Wave, report, ricker, start


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


def advance(wave, run, arrays, velocity):
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
        arrays[:] = [now, new] if len(arrays) == 2 and not wave.heat else \
            [new, now] if wave.heat else [now, new, old]


def main(name, repeat, path, *options):
    wave = Wave(name)
    arrays, velocity = allocate(wave, options)
    names = ["old", "now", "new"] if len(arrays) == 3 else \
        ["now", "new"] if wave.heat else ["new", "now"]
    run = kernel(wave, dict(zip(names, arrays)), velocity, options)
    best = None
    for _ in range(int(repeat)):
        begin = time.perf_counter()
        advance(wave, run, arrays, velocity)
        seconds = time.perf_counter() - begin
        best = seconds if best is None else min(best, seconds)
    report(wave, best)
    if path != "-":
        numpy.ascontiguousarray(arrays[0 if wave.heat else 1]).tofile(path)


main(*sys.argv[1:])
