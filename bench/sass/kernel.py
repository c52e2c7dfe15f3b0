"""A kernel on a machine: its hot loop, and how long the blocks of a launch take."""
from collections import Counter
from itertools import product
from typing import NamedTuple

from issue import SM, steady_cycles
from loops import Tracer, Turns, hot_loop, instructions, steady_turn, walk
from machine import makespan, resident
from walk import Kernel

START = 40000       # blocks of code that a warp goes through to find its hot loop
FEW = 600           # .. and to tell blocks of a launch apart, where ..
MOST_WALKED = 2000  # .. a layer of it has no more
LEAST_L1 = 8 << 10  # bytes
UNEVEN = 0.98       # of the instructions of a block's longest warp: another has fewer


def some(n):
    """Indices that stand for all of n: the ends, and one of the middle."""
    return range(n) if n <= 5 else (0, 1, n // 2, n - 2, n - 1)


def stand_in(k, n):
    """The one of "some" that stands for index k of n."""
    return k if n <= 5 or k < 2 or k > n - 3 else n // 2


class Part(NamedTuple):
    """Instructions of a warp: in the blocks of code of the hot loop, and elsewhere."""
    fast: int
    careful: int


class Timed:
    """A kernel whose launch "far" has blocks far from all edges; an SM gets "rate" bytes a
    cycle.  Blocks of hexagons are at different places of a launch of their own."""

    def __init__(self, machine, body, resources, far, rate, of_hexagons=False):
        self.machine, self.resources, self.rate = machine, resources, rate
        self.of_hexagons = of_hexagons
        self.kernel = Kernel(body)
        self.tracer = Tracer(Kernel(body, addresses=True))
        self.shared = resources["shared"] + far.shared
        self.places = resident(machine, resources["registers"], self.shared, far.warps())
        self.cycles, self.uneven = {}, {}
        self.find_turns(far)

    def find_turns(self, launch):
        block = self.block_inside(launch)
        warp = launch.warps() // 2
        head = hot_loop(self.kernel, self.way(launch, block, warp).count(START))
        first = 0 if head is None else \
            steady_turn(self.kernel, self.way(launch, block, warp), head)
        self.turns = Turns(self.tracer, launch, block, head, first)

    def way(self, launch, block, warp):
        return walk(self.kernel, launch, block, warp)

    def block_inside(self, launch):
        """A block far from all edges: in the middle, or, of hexagons, the first in y where
        that one does more arithmetic."""
        x, y, z = (n // 2 for n in launch.grid)

        def arithmetic(block):
            found = instructions(self.kernel, self.way(launch, block, launch.warps() // 2)
                                 .count(START))
            return found["fp"] / found.total()
        return max([(x, y, z), (x, 0, z)], key=arithmetic) if self.of_hexagons else (x, y, z)

    def simulate(self, traces, blocks, latency, head=None):
        """The SM after so many resident blocks ran to the end of their traces."""
        l1 = self.machine["l1_bytes_per_sm"] - blocks * self.shared
        sm = SM([traces] * blocks, latency, self.rate, l1=max(l1, LEAST_L1),
                barrier=round(self.machine["sync_s"] * self.machine["clock_hz"]), head=head)
        sm.run()
        return sm

    def turn(self, latency):
        """Cycles of a turn of the hot loop by all blocks of a full SM, the SM after it."""
        sm = self.simulate(self.turns.traces, self.places, latency, self.turns.head)
        self.cycles[latency, self.places] = cycles = self.cycles_of(sm)
        return cycles, sm

    def cycles_of(self, sm):
        """Cycles of a turn; where no loop is hot, of a block."""
        if self.turns.head is not None:
            return max(steady_cycles(sm), self.cycles_of_bytes(sm))
        return max(w.ended for block in sm.blocks for w in block)

    def cycles_of_bytes(self, sm):
        """What the bytes of a turn take by all blocks: what was copied ahead before the few turns
        that are simulated, and stores that nobody waits for, make these seem faster."""
        turns = sum(len(w.marks) for block in sm.blocks for w in block) / len(sm.blocks[0])
        return sm.bytes * len(sm.blocks) / max(turns, 1) / self.rate

    def count_launch(self, launch, blocks):
        """{block: [Part of each warp]}, for "blocks", which stand for all of the launch."""
        warps = launch.warps()
        counted = {}
        for block in set(blocks):
            own = {w: self.count_warp(launch, block, w) for w in some(warps)}
            counted[block] = [own[stand_in(w, warps)] for w in range(warps)]
        return counted

    def count_warp(self, launch, block, warp):
        sizes = {True: 0, False: 0}
        for start, n in self.way(launch, block, warp).count().items():
            sizes[start in self.turns.starts] += n * (self.kernel.end[start] - start)
        return Part(sizes[True], sizes[False])

    def blocks_of(self, launch):
        """The block that stands for it, for each of a launch, in the order of their start.  In
        three dimensions their order is not that of the grid: those stand for each other whose
        warps begin on the same way."""
        x, y, z = launch.grid
        if z == 1 or x * y > MOST_WALKED:
            for block in product(*(range(n) for n in reversed(launch.grid))):
                yield tuple(map(stand_in, block[::-1], launch.grid))
            return
        first, same = {}, {}
        for block in product(range(y), range(x)):
            way = self.first_way(launch, (block[1], block[0], z // 2))
            same[block] = first.setdefault(way, block)
        for k in range(z):
            for block in product(range(y), range(x)):
                yield *same[block][::-1], stand_in(k, z)

    def first_way(self, launch, block):
        """What some warps of a block go through at first."""
        return tuple(frozenset(self.way(launch, block, warp).count(FEW).items())
                     for warp in some(launch.warps()))

    def launch(self, launch, latencies):
        """Instructions of a launch, and its cycles at each latency; "slowest" is the time of
        its slowest block over that of a usual one."""
        blocks = list(self.blocks_of(launch))
        counted = self.count_launch(launch, blocks)
        total = sum(p.fast + p.careful for b in blocks for p in counted[b])
        times = Counter(blocks)
        careful, usual = self.careful_part(launch, counted, times), max(times, key=times.get)
        cycles = []
        for latency in latencies:
            fast, slow = self.pace(latency), self.careful_pace(careful, latency)
            cost = {b: self.uneven_cost(launch, b, parts, latency)
                    or max(p.fast * fast + p.careful * slow for p in parts)
                    for b, parts in counted.items()}
            cycles.append(makespan([cost[b] for b in blocks], int(self.machine["sm_count"]),
                                   self.places, lambda n: self.speed(n, latency)))
            self.slowest = max(cost.values()) / cost[usual]
        return total, cycles

    def careful_part(self, launch, counted, times):
        """Traces of the block that, with those it stands for, executes most outside of the
        blocks of code of the hot loop."""
        block = max(counted, key=lambda b: sum(p.careful for p in counted[b]) * times[b])
        return self.tracer.part(launch, block, [p.fast + p.careful for p in counted[block]])

    # Cycles from an instruction of a warp to its next one, when the SM is full:

    def pace(self, latency):
        return self.cycles[latency, self.places] * len(self.turns.traces) \
            / self.turns.instructions()

    def uneven_cost(self, launch, block, parts, latency):
        """Cycles of a block whose warps share a barrier and have not all as much to do, by its
        own traces; None of others."""
        sizes = [p.fast + p.careful for p in parts]
        most = max(sizes)
        shares = tuple(round(size / most, 2) for size in sizes)
        if min(sizes) > UNEVEN * most or not self.has_barrier():
            return None
        if (latency, shares) not in self.uneven:
            sm = self.simulate(self.tracer.part(launch, block, sizes), self.places, latency)
            warps = [w for block in sm.blocks for w in block]
            self.uneven[latency, shares] = max(w.ended for w in warps) \
                / max(len(w.trace) for w in warps)
        return most * self.uneven[latency, shares]

    def has_barrier(self):
        """Does a turn of the hot loop have one?"""
        return any(order.barrier for order, _ in self.turns.traces[0])

    def careful_pace(self, traces, latency):
        sm = self.simulate(traces, self.places, latency)
        return max(w.ended / len(w.trace) for block in sm.blocks for w in block)

    def speed(self, blocks, latency):
        """How much faster a block is where so many are resident and not all."""
        if blocks in (0, self.places):
            return 1
        if (latency, blocks) not in self.cycles:
            sm = self.simulate(self.turns.traces, blocks, latency, self.turns.head)
            self.cycles[latency, blocks] = self.cycles_of(sm)
        return self.cycles[latency, self.places] / self.cycles[latency, blocks]
