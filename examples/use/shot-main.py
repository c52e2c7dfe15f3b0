"""A shot over a layered medium, by acoustic3d: shot-main.c in Python.

    stencilc --target=c --header=acoustic3d.py -o acoustic3d.c ../acoustic3d.stn
    cc -O3 -march=native -fopenmp -shared -fPIC acoustic3d.c -o libacoustic3d.so -lm
    python3 shot-main.py

shot-main.py [N M K [STEPS]] writes shot.bin, the traces, and a picture: shot.png where there is
matplotlib, else shot.pgm.
"""
import math
import sys
import time

import numpy

import acoustic3d

DISTANCE = 10       # of cells, in metres
FASTEST = 3000      # of the layers, in m/s
FREQUENCY = 12      # of the wavelets' peak, in Hz
SOURCES, RECEIVERS = 2, 96
f4 = numpy.float32


def speeds(n, m, k):
    """In m/s: three layers, the lower border of the second one sinks along x."""
    i, depth = numpy.ogrid[:n, :k]
    layers = numpy.where(3 * depth < k, 1500, numpy.where(
        20 * depth < 11 * k + 3 * k * i // n, 2200, FASTEST))
    return numpy.repeat(layers[:, None, :], m, axis=1)


def sponge(shape, width):
    """What each cell keeps of a wave in a step."""
    edges = [numpy.minimum(numpy.arange(n), numpy.arange(n)[::-1]) for n in shape]
    x, y, z = numpy.ix_(*(numpy.maximum(width - edge, 0) for edge in edges))
    keep = [math.exp(-0.0001 * d) for d in range(3 * width**2 + 1)]
    return numpy.array(keep, f4)[x * x + y * y + z * z]


def ricker(seconds):
    a = math.pi * FREQUENCY * seconds
    return (1 - 2 * a * a) * math.exp(-a * a)


def wavelets(steps, dt):
    """Of two guns, the second weaker and a little late."""
    v = 1500 * dt / DISTANCE
    return numpy.array([[v * v * strength * ricker(t * dt - (1.2 / FREQUENCY + late))
                         for strength, late in ((1, 0), (0.4, 0.004))]
                        for t in range(steps)], f4)


def shoot(n, m, k, steps):
    """The record, the seconds of a step and those that it all took."""
    width = min(min(n, m, k) // 4, 20)
    dt = 0.999 * math.sqrt(0.2) * DISTANCE / FASTEST
    v = speeds(n, m, k) * (dt / DISTANCE)
    line = f4(n - 2 * width) - 2
    record = numpy.zeros((steps, RECEIVERS), f4)
    arguments = {
        "sx": numpy.full(SOURCES, f4(0.5) * f4(n) + f4(0.3), f4),
        "sy": f4(0.5) * f4(m) + f4(1.25) * numpy.arange(SOURCES, dtype=f4),
        "sz": numpy.full(SOURCES, f4(width) + f4(1.6), f4),
        "wavelet": wavelets(steps, dt),
        "rx": f4(width) + f4(0.5) + line * numpy.arange(RECEIVERS, dtype=f4) / f4(RECEIVERS),
        "ry": numpy.full(RECEIVERS, f4(0.5) * f4(m) + f4(3.7), f4),
        "rz": numpy.full(RECEIVERS, f4(width) + f4(2.4), f4),
        "v2": (v * v).astype(f4),
        "keep": sponge((n, m, k), width),
        "p": numpy.zeros((2, n, m, k), f4),     # two instants of silence
        "shot": record,
    }
    start = time.perf_counter()
    acoustic3d.acoustic3d(steps, n, m, k, SOURCES, RECEIVERS, **arguments)
    return record, dt, time.perf_counter() - start


def draw(record, dt):
    """Waves that come later are weaker, as they have spread: the gain is the time.  Grey is
    none, what is above a tenth of the largest value is black or white."""
    gained = record * (numpy.arange(len(record)) * dt)[:, None]
    part = numpy.clip(10 * gained / max(numpy.abs(gained).max(), 1e-30), -1, 1)
    try:
        import matplotlib
    except ImportError:
        return write_pgm(part)
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.figure(figsize=(4, 4.5))
    pyplot.imshow(part, cmap="gray", vmin=-1, vmax=1, aspect="auto",
                  extent=(0, RECEIVERS, len(record) * dt, 0))
    pyplot.xlabel("receiver")
    pyplot.ylabel("seconds")
    pyplot.tight_layout()
    pyplot.savefig("shot.png", dpi=100)
    return "shot.png"


def write_pgm(part):
    """Four pixels a receiver, one for two steps."""
    pixels = numpy.repeat((127.5 + 127.5 * part).astype("u1"), 4, axis=1)
    pixels = pixels[:len(pixels) // 2 * 2:2]
    with open("shot.pgm", "wb") as file:
        file.write(b"P5 %d %d 255\n" % pixels.shape[::-1] + pixels.tobytes())
    return "shot.pgm"


def main():
    sizes = [160, 80, 110, 600]
    given = [int(a) for a in sys.argv[1:]]
    sizes[:len(given)] = given
    if len(sizes) > 4 or min(sizes[:3]) < 40 or sizes[3] < 2:
        sys.exit("usage: shot-main.py [N M K [STEPS]], from 40 cells on")
    record, dt, seconds = shoot(*sizes)
    n, m, k, steps = sizes
    print(f"{n} x {m} x {k} cells of {DISTANCE} m, {steps} steps of {1e3 * dt:.3f} ms, "
          f"{SOURCES} sources, {RECEIVERS} receivers")
    print(f"{seconds:.2f} s, {1e-9 * n * m * k * steps / seconds:.3g} GPoints/s")
    numpy.ascontiguousarray(record.T).tofile("shot.bin")
    print("written: shot.bin,", draw(record, dt))


main()
