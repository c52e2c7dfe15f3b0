"""An SM of Volta's successors, simulated: four sub-partitions that issue in order.

Each cycle a sub-partition issues an instruction of one of its warps: of the one it issued
last if that is ready, else of the youngest that is (Huerta and others, arXiv:2503.20481, 5.1).
A warp is ready when the stall count of its last instruction is over, the counters it waits for
are at zero, the pipe is free and the queue to the memory pipe has room.

Latencies are cycles from the issue to the release of the counter; the doc has the sources.
"""
from collections import Counter, deque
from typing import NamedTuple

SHARED, SHUFFLE, L1, SPECIAL, CONSTANT = 29, 23, 38, 20, 30
QUEUE = 5           # instructions that wait for the memory pipe in a sub-partition
ADDRESSES = 4       # cycles that a sub-partition takes for the addresses of a warp
OPERANDS = 10       # until the memory pipe has read its operands
SECTOR = 32
UNTIL_HEAVY = {"fma": ("lite", "heavy"), "imad": ("heavy",)}


class Order:
    """An instruction as the simulation sees it."""
    __slots__ = ("stall", "wait", "write", "read", "pipes", "interval", "memory", "latency",
                 "is_global", "stores", "copies", "commits", "leaves", "barrier", "arrives",
                 "awaits", "conflict", "kind", "index")

    def __init__(self, i, index):
        self.index, self.kind = index, i.kind
        self.stall, self.wait, self.write, self.read = i.stall, i.wait, i.write, i.read
        self.memory = i.pipe == "memory"
        self.pipes = () if i.pipe is None or self.memory else \
            UNTIL_HEAVY.get(i.pipe, (i.pipe,))
        # The two halves of the fma pipe take a warp every other cycle each.
        self.interval = 2 if i.pipe == "fma" else i.interval
        self.latency = SHARED if i.kind == "shared" else SHUFFLE if i.kind == "shuffle" \
            else SPECIAL if i.pipe == "xu" else CONSTANT
        self.is_global = i.kind == "global"
        self.stores = i.base in ("STG", "ST", "STS", "RED")
        self.copies = i.base == "LDGSTS"
        self.commits = i.base == "LDGDEPBAR"
        self.leaves = int(i.operands[1], 0) if i.base == "DEPBAR" and len(i.operands) > 1 \
            else None
        self.barrier = i.base == "BAR" and "SYNC" in i.modifiers
        self.arrives = i.base == "SYNCS" and "A1T0" in i.modifiers
        self.awaits = i.base == "SYNCS" and "PHASECHK" in i.modifiers
        self.conflict = i.conflict() if not i.reuse else 0


def bank_passes(addresses, words):
    """Passes of shared memory, 32 banks of 4 bytes: lanes that need different words of a
    bank take turns; of 8 (16) bytes a half (a quarter) of the warp goes at a time."""
    passes, step = 0, 32 // words
    for first in range(0, len(addresses), step):
        banks = {}
        for a in addresses[first:first + step]:
            for word in range(a >> 2, (a >> 2) + words):
                banks.setdefault(word & 31, set()).add(word)
        passes += max(map(len, banks.values()), default=0)
    return passes


class Cost(NamedTuple):
    """Of an access: passes through the memory pipe, sectors of device memory that it touches
    (None where one is not known), bytes stored there, and addresses of barriers in shared
    memory."""
    passes: int
    sectors: list
    stored: int
    barriers: tuple = ()


def access_cost(i, found):
    """The cost of an instruction that accesses the addresses "found": those of its lanes, for
    each of its operands in brackets."""
    passes, sectors, stored = 1, [], 0
    words = i.words()
    if i.base == "SYNCS":
        barriers = tuple({a for addresses in found or () for a in addresses})
        return Cost(max(1, len(barriers)), sectors, stored, barriers)
    for n, addresses in enumerate(found or ()):
        known = [a for a in addresses if a is not None]
        if i.kind == "shared" or i.base == "LDGSTS" and n == 0:
            passes = max(passes, bank_passes(known, words))
        elif known:
            sectors = sorted({(a + 4 * k) // SECTOR for a in known for k in range(words)})
            lines = len({s // 4 for s in sectors})
            passes = max(passes, lines, (len(known) * words + 31) // 32)
        elif addresses:
            sectors = [None] * ((len(addresses) * words * 4 + SECTOR - 1) // SECTOR)
            passes = max(passes, words)
        if i.base == "STG":
            stored = len(addresses) * words * 4
    return Cost(passes, sectors, stored)


class Cache:
    """Sectors that an SM has loaded last."""

    def __init__(self, size):
        self.size, self.held = size, {}

    def misses(self, slot, sectors, fill):
        missed = 0
        for s in sectors:
            key = (slot, s)
            if s is not None and key in self.held:
                del self.held[key]
                self.held[key] = None
            else:
                missed += 1
                if fill and s is not None:
                    self.held[key] = None
                    if len(self.held) > self.size:
                        del self.held[next(iter(self.held))]
        return missed


class Mark(NamedTuple):
    """A warp begins a turn of the loop."""
    cycle: int
    issued: int     # by all warps until then
    at: int         # instructions of this warp until then


def arrivers(warps):
    """{address of a barrier in shared memory: the warps that arrive there}."""
    found = {}
    for warp in warps:
        for order, cost in warp.trace:
            for place in cost.barriers if order.arrives else ():
                if warp not in found.setdefault(place, []):
                    found[place].append(warp)
    return found


class Warp:
    def __init__(self, slot, trace, start):
        self.slot, self.trace, self.at, self.ready = slot, trace, 0, start
        self.counters = [[] for _ in range(6)]
        self.copied, self.stopped, self.done, self.ended = 0, False, False, 0
        self.marks, self.why = [], "start"
        self.arrivals, self.awaits = [], None

    def turn(self, what):
        """What a turn takes of a number of its marks."""
        return (what(self.marks[-1]) - what(self.marks[0])) / (len(self.marks) - 1)

    def earliest(self, sub, now):
        """The first cycle in which its next instruction may issue, and what it waits for."""
        order = self.trace[self.at][0]
        when, why = self.ready, self.why
        for n in order.wait:
            released = self.counters[n]
            if released:
                last, kind = max(released)
                if last <= now:
                    released.clear()
                elif last > when:
                    when, why = last, kind
        if order.leaves is not None:
            times = sorted(self.counters[0])
            if len(times) > order.leaves:
                last = times[-1 - order.leaves][0]
                if last > when:
                    when, why = last, "global"
        free = sub.room() if order.memory else min(
            (sub.free[p] for p in order.pipes), default=0)
        if free > when:
            when, why = free, "queue" if order.memory else "pipe"
        return when, why


class Sub:
    """A sub-partition."""

    def __init__(self):
        self.warps, self.last, self.next, self.since = [], None, 0, 0
        self.free = dict.fromkeys(("lite", "heavy", "alu", "fp64", "xu", "uniform"), 0)
        self.addresses, self.queue = 0, deque()

    def room(self):
        """When the queue to the memory pipe takes another instruction."""
        return self.queue[-QUEUE] if len(self.queue) >= QUEUE else 0


class SM:
    """Traces of the warps of each resident block, (order, cost) each; "marks" of a warp are
    the cycles in which it issued the instruction "head".

    "bytes_per_cycle" is what the SM gets of device memory and L2, "latency" that of a load
    that L1 has not, "l1" the bytes of L1, "barrier" the cycles of a barrier.
    """

    def __init__(self, blocks, latency, bytes_per_cycle, l1=128 << 10, barrier=24, head=None,
                 stagger=101):
        self.latency, self.rate, self.barrier = latency, bytes_per_cycle, barrier
        self.head = head
        self.subs = [Sub() for _ in range(4)]
        self.port, self.device, self.bytes = 0, 0, 0
        self.cache = Cache(l1 // SECTOR)
        self.blocks, self.arrivers = [], []
        self.issued, self.idle = 0, Counter()
        n = 0
        for slot, traces in enumerate(blocks):
            self.blocks.append([])
            for trace in traces:
                warp = Warp(slot, trace, slot * stagger + len(self.blocks[-1]) * 2)
                if not trace:
                    continue
                self.blocks[-1].append(warp)
                self.subs[n % 4].warps.append(warp)
                n += 1
            self.arrivers.append(arrivers(self.blocks[-1]))

    def run(self):
        """Cycles until the last warp issued its last instruction."""
        now = 0
        while True:
            times = [sub.next for sub in self.subs if sub.next is not None]
            if not times:
                return now
            now = min(times)
            for sub in self.subs:
                if sub.next is not None and sub.next <= now:
                    self.step(sub, now)

    def step(self, sub, now):
        soonest, why, chosen = None, None, None
        order = sub.warps[::-1]
        if sub.last:
            order.insert(0, sub.last)
        for warp in order:
            if warp.done or warp.stopped or warp.awaits:
                continue
            when, reason = warp.earliest(sub, now)
            if when <= now:
                chosen = warp
                break
            if soonest is None or when < soonest:
                soonest, why = when, reason
        if chosen:
            self.issue(sub, chosen, now)
            sub.next = now + 1
            self.issued += 1
            return
        sub.next = soonest
        if soonest is not None:
            self.idle[why] += soonest - now
        sub.since = now

    def issue(self, sub, warp, now):
        order, cost = warp.trace[warp.at]
        if order.index == self.head:
            warp.marks.append(Mark(now, self.issued, warp.at))
        sub.last = warp
        warp.ready, warp.why = now + max(1, order.stall) + order.conflict, "stall"
        for place in order.pipes[:1]:
            place = min(order.pipes, key=sub.free.get)
            sub.free[place] = max(now, sub.free[place]) + order.interval
        if order.memory:
            self.access(sub, warp, order, cost, now)
        elif order.commits:
            if order.write is not None:
                warp.counters[order.write].append((warp.copied, "global"))
        else:
            if order.write is not None:
                warp.counters[order.write].append((now + order.latency, order.kind))
            if order.read is not None:
                warp.counters[order.read].append((now + OPERANDS, order.kind))
        warp.at += 1
        if warp.at == len(warp.trace):
            warp.done, warp.ended = True, now
            self.arrive(warp, now)
            self.wake(warp, now)
        elif order.barrier:
            warp.stopped = True
            self.arrive(warp, now)

    def access(self, sub, warp, order, cost, now):
        passes, sectors = cost.passes, cost.sectors
        begin = max(now, sub.addresses, self.port)
        sub.addresses = begin + ADDRESSES
        self.port = begin + passes
        while sub.queue and sub.queue[0] <= now:
            sub.queue.popleft()
        sub.queue.append(begin)
        end = begin + passes - 1
        if order.is_global and sectors:
            missed = len(sectors) if order.stores else \
                self.cache.misses(warp.slot, sectors, not order.copies)
            if missed:
                self.bytes += missed * SECTOR
                self.device = max(self.device, begin) + missed * SECTOR / self.rate
                end = self.device + self.latency
            else:
                end += L1
        else:
            end += order.latency
        if order.awaits:
            warp.awaits = order, cost, end
            self.go_on(warp, now)
            return
        if order.arrives:
            warp.arrivals.append(end)
            self.wake(warp, now)
        if order.copies:
            warp.copied = max(warp.copied, end)
        if order.write is not None:
            warp.counters[order.write].append((end, order.kind))
        if order.read is not None:
            warp.counters[order.read].append((begin + passes - 1 + OPERANDS, order.kind))

    def go_on(self, warp, now):
        """Where a warp waits for a phase of a barrier in shared memory: it goes on once all that
        arrive there have done so as often as itself.  It then learns of it, as of a load."""
        order, cost, end = warp.awaits
        times = len(warp.arrivals)
        others = [w for b in cost.barriers for w in self.arrivers[warp.slot].get(b, ())]
        if times and any(len(w.arrivals) < times and not w.done for w in others):
            return False
        done = max((w.arrivals[times - 1] + SHARED for w in others
                    if 0 < times <= len(w.arrivals)), default=end)
        warp.awaits = None
        if order.write is not None:
            warp.counters[order.write].append((max(end, done), "barrier"))
        return True

    def wake(self, warp, now):
        """A warp arrived at a barrier in shared memory, or ended."""
        for w in self.blocks[warp.slot]:
            if w.awaits and self.go_on(w, now):
                self.issue_again(now)

    def issue_again(self, now):
        """Sub-partitions look for a warp in the next cycle; one without any lost time so far."""
        for sub in self.subs:
            if sub.next is None and sub.warps:
                self.idle["barrier"] += now + 1 - sub.since
                sub.next = now + 1
            elif sub.next is not None:
                sub.next = min(sub.next, now + 1)

    def arrive(self, warp, now):
        """A warp of a block stops at a barrier, or ends; the last one lets all go on."""
        block = self.blocks[warp.slot]
        if any(w.stopped for w in block) and all(w.stopped or w.done for w in block):
            for w in block:
                if w.stopped:
                    w.stopped, w.why = False, "barrier"
                    w.ready = max(w.ready, now + self.barrier)
            self.issue_again(now)


def steady_cycles(sm):
    """Cycles of a turn of the loop by all warps while all are in it: from when the last one has
    made a turn to when the first one has made its last."""
    warps = [w for block in sm.blocks for w in block if len(w.marks) > 2]
    if not warps:
        return None
    begin, end = max(w.marks[1] for w in warps), min(w.marks[-1] for w in warps)
    if end.cycle <= begin.cycle:
        return sum(w.turn(lambda m: m.cycle) for w in warps) / len(warps)
    turns = (end.issued - begin.issued) / sum(w.turn(lambda m: m.at) for w in warps)
    return (end.cycle - begin.cycle) / turns
