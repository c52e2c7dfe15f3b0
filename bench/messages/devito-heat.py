#!/usr/bin/env python3
"""The mean of 27 points of N^3 cells by Devito, for ranks: devito-heat.py N STEPS."""
import os
import sys

os.environ.setdefault("DEVITO_LANGUAGE", "C")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")
sys.dont_write_bytecode = True

from devito import Eq, Grid, Operator, TimeFunction

n, steps = map(int, sys.argv[1:])
grid = Grid(shape=(n, n, n))
x, y, z = grid.dimensions
t = grid.stepping_dim
u = TimeFunction(name="u", grid=grid, space_order=2)
near = (-1, 0, 1)
mean = 0.037 * sum(u[t, x + i, y + j, z + k] for i in near for j in near for k in near)
Operator([Eq(u.forward, mean)]).apply(time_M=steps - 1)
