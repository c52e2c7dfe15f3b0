"""Loops of a kernel, and turns of one as the warps of a block make them."""
from collections import Counter

from issue import Order, access_cost
from walk import Walk


def walk(kernel, launch, block, warp):
    return Walk(kernel, launch.threads, dict(launch.constants), block, warp, launch.grid)


def bodies(kernel):
    """{start of a loop: starts of all blocks in it}, by branches back (natural loops)."""
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
    "times" is how often each block was gone through.  None where there is none."""
    every = {s: n * kernel.classes[s].total() for s, n in times.items()}
    fp = {s: n * kernel.classes[s]["fp"] for s, n in times.items()}

    def is_half(inside):
        return all(2 * sum(w.get(s, 0) for s in inside) >= sum(w.values()) for w in (every, fp))

    hot = [(len(inside), head) for head, inside in bodies(kernel).items()
           if times[head] > 2 and is_half(inside)]
    return min(hot)[1] if hot else None


def instructions(kernel, times):
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


class Tracer:
    """Makes traces of warps: what they issue, with what each access of memory costs."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.orders = [Order(i, n) for n, i in enumerate(kernel.body)]

    def issued(self, walk, at):
        """What a warp that goes through the block at "at" issues."""
        for n in range(at, self.kernel.end[at]):
            order = self.orders[n]
            yield order, access_cost(self.kernel.body[n], walk.accesses.get(n)) \
                if order.memory else None

    def part(self, launch, block, sizes, most=6000):
        """Traces of a part in the middle of what the warps of a block issue, "sizes" of each:
        "most" of the one with most, the same share of others."""
        traces = []
        for warp, size in enumerate(sizes):
            share = most * size // max(sizes)
            w, trace, skip = walk(self.kernel, launch, block, warp), [], (size - share) // 2
            for at in w.blocks():
                if skip > 0:
                    skip -= self.kernel.end[at] - at
                else:
                    trace += self.issued(w, at)
                if len(trace) > share:
                    break
            traces.append(trace)
        return traces


class Turns:
    """Some turns of a loop by all warps of a block: traces, and what a turn executes.

    After "first" turns "least" are made, and more until a warp issues "enough" instructions in
    "many" turns, or "most".  Without a loop, where "head" is None, all of a warp is one turn.
    """

    def __init__(self, tracer, launch, block, head, first, least=6, many=16, enough=1000,
                 most=16000):
        self.tracer, self.head, self.first = tracer, head, first
        self.least, self.many, self.enough, self.most = least, many, enough, most
        self.traces, self.executed, self.pipes = [], Counter(), Counter()
        self.starts, self.touched, self.distances, self.stored = set(), set(), [], 0
        for warp in range(launch.warps()):
            self.follow(walk(tracer.kernel, launch, block, warp))

    def follow(self, walk):
        trace, made, begins = [], -1, [0] if self.head is None else []
        for at in walk.blocks():
            if at == self.head:
                made += 1
                if made >= self.first:
                    begins.append(len(trace))
                if len(begins) > self.many and len(trace) > self.enough or \
                        len(trace) > 4 * self.most or \
                        len(begins) > self.least and len(trace) > self.most:
                    break
            if begins:
                trace += self.tracer.issued(walk, at)
                self.starts.add(at)
        self.traces.append(trace)
        if self.head is None:
            self.look_at(trace, 0, len(trace), 1)
        elif len(begins) > 3:
            self.look_at(trace, begins[1], begins[-2], len(begins) - 3)

    def look_at(self, trace, begin, end, turns):
        """Count so many turns, from "begin" to "end"; all counts are of one."""
        for place in range(begin, end):
            order, cost = trace[place]
            instruction = self.tracer.kernel.body[order.index]
            self.executed[order.kind] += 1 / turns
            self.touched.add(instruction.address // 128)
            if cost:
                self.pipes["memory pipe"] += cost.passes / turns
                self.stored += cost.stored / turns
            else:
                self.pipes[instruction.pipe] += instruction.interval / 4 / turns
            if order.is_global and order.write is not None and cost.sectors:
                self.distances += [n for n in range(1, len(trace) - place)
                                   if order.write in trace[place + n][0].wait][:1]

    def instructions(self):
        """Of all warps, in a turn."""
        return self.executed.total()

    def code_bytes(self):
        """Lines of 128 bytes that a turn executes from."""
        return 128 * len(self.touched)
