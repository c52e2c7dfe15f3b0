"""Calls heat2d from Python and compares with NumPy.

    stencilc --target=c --header=heat2d.py -o heat2d.c ../heat2d.stn
    cc -O2 -ffp-contract=off -shared -fPIC heat2d.c -o libheat2d.so -lm
    python3 heat2d-main.py
"""
import sys

import numpy

import heat2d

T, N, M = 10, 40, 70
A = numpy.random.default_rng(1).random((N, M), dtype=numpy.float32)
old = A.copy()
heat2d.heat2d(T, N, M, A)
for t in range(T):
    new = old.copy()
    total = old[:-2, :-2] + old[:-2, 1:-1]
    for part in (old[:-2, 2:], old[1:-1, :-2], old[1:-1, 2:],
                 old[2:, :-2], old[2:, 1:-1], old[2:, 2:]):
        total = total + part
    new[1:-1, 1:-1] = numpy.float32(0.125) * total
    old = new
if not numpy.array_equal(A, old):
    sys.exit("the result differs from the plain loops")
print("equal to the plain loops")

for wrong in (A[:, ::2], A.astype(numpy.float64), A[1:], A.tolist()):
    try:
        heat2d.heat2d(T, N, M, wrong)
        sys.exit("an array that does not fit was taken")
    except (TypeError, ValueError) as error:
        print("refused:", error)
try:
    heat2d.heat2d(2**32 + 1, N, M, A)
    sys.exit("a number of steps that is no int was taken")
except OverflowError as error:
    print("refused:", error)
