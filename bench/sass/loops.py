"""Loops of a kernel, and a turn of one as a warp makes it."""
from collections import Counter

from issue import Order, access_cost
from walk import Walk


def bodies(kernel):
    """{start of a loop: starts of all blocks in it}, by branches back (natural loops)."""
    if kernel.loops is None:
        kernel.loops = find_bodies(kernel)
    return kernel.loops


def find_bodies(kernel):
    before = {s: [] for s in kernel.end}
    for s in kernel.end:
        for t in kernel.successors(s):
            if t in before:
                before[t].append(s)
    found = {}
    for s, e in kernel.end.items():
        i = kernel.body[e - 1]
        if i.base != "BRA" or i.target is None or i.target > s:
            continue
        inside, todo = found.setdefault(i.target, {i.target}), [s]
        while todo:
            block = todo.pop()
            if block not in inside:
                inside.add(block)
                todo += before[block]
    return found


def hot_loop(kernel, times):
    """The smallest loop that executes half of all instructions and half of all floating point;
    "times" is how often each block was gone through."""
    every = {s: n * sum(kernel.classes[s].values()) for s, n in times.items()}
    fp = {s: n * kernel.classes[s]["fp"] for s, n in times.items()}
    best = None
    for head, inside in bodies(kernel).items():
        if times[head] > 2 and (best is None or len(inside) < len(best[1])) \
                and all(2 * sum(w.get(s, 0) for s in inside) >= sum(w.values())
                        for w in (every, fp)):
            best = head, inside
    return best[0] if best else None


def classes(kernel, times):
    """Instructions of each class."""
    total = Counter()
    for start, n in times.items():
        for name, count in kernel.classes[start].items():
            total[name] += count * n
    return total


def steady_turn(kernel, walk, head, least=16, most=400):
    """The number of a turn after which the next ones do as much floating point as most of it
    is done by; not one of the first "least" if there are others, as stores wait for the rows
    of the first ones."""
    ways, done = [], 0
    for at in walk.blocks():
        if at == head:
            ways.append(done)
            done = 0
            if len(ways) > most:
                break
        done += kernel.classes[at]["fp"]
    ways = ways[1:]
    weight = Counter()
    for w in ways:
        weight[w] += 1 + w
    best = max(weight, key=weight.get)
    runs = [n for n in range(len(ways) - 6) if all(w == best for w in ways[n:n + 6])]
    late = [n for n in runs if n >= least]
    return (late or runs or [len(ways) // 2])[0]


class Turns:
    """Some turns of a loop by all warps of a block: traces for the simulation, and what a
    turn executes."""

    def __init__(self, kernel, launch, block, head, first, turns=(6, 16), most=16000):
        self.kernel, self.head = kernel, head
        self.orders = [Order(i, n) for n, i in enumerate(kernel.body)]
        self.first, self.least, self.most = first, *turns
        self.traces, self.executed, self.touched = [], Counter(), set()
        self.distances, self.stored = [], 0
        for warp in range(launch.warps()):
            self.follow(Walk(kernel, launch.threads, dict(launch.constants), block, warp,
                             launch.grid), most)

    def follow(self, walk, most):
        trace, visit, starts = [], 0, []
        for at in walk.blocks():
            if at == self.head:
                visit += 1
                starts.append(len(trace))
                made = visit - self.first - 1
                if made > self.most or made > self.least and len(trace) > most:
                    break
            if len(trace) > 4 * most:
                break
            if visit > self.first or self.head is None:
                self.add(trace, walk, at)
        starts = starts[self.first:]
        self.traces.append(trace)
        if len(starts) > 4:
            self.look_at(trace, starts[1], starts[-2], len(starts) - 3)

    def add(self, trace, walk, at):
        body = self.kernel.body
        for n in range(at, self.kernel.end[at]):
            cost = None
            if self.orders[n].memory and n in walk.accesses:
                cost = access_cost(body[n], walk.accesses[n])
            elif self.orders[n].memory:
                cost = 1, ()
            if body[n].base == "STG" and n in walk.accesses:
                cost += (len(walk.accesses[n][0]) * body[n].words() * 4,)
            trace.append((self.orders[n], cost))

    def look_at(self, trace, begin, end, turns):
        """Count so many turns, from "begin" to "end"; all counts are of one."""
        for place in range(begin, end):
            order, cost = trace[place]
            self.executed[order.kind] += 1 / turns
            self.touched.add(order.index // 8)
            if cost and len(cost) > 2:
                self.stored += cost[2] / turns
            if order.is_global and order.write is not None and cost[1]:
                self.distances.append(next(
                    (n for n in range(1, len(trace) - place)
                     if order.write in trace[place + n][0].wait), None))

    def length(self):
        """Instructions of all traces."""
        return sum(map(len, self.traces))

    def instructions(self):
        """Of all warps, in a turn."""
        return sum(self.executed.values())

    def code_bytes(self):
        """Lines of 128 bytes that a turn executes from."""
        return 128 * len(self.touched)
