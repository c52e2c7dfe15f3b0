"""The way of a warp through a kernel: what it issues, one instruction after the other.

Addresses, conditions and counters of loops are computed, as far as they are integers, from
the arguments of the launch and the number of the block; what is loaded, and floating point,
is not.  Where a branch depends on that, the way that calls a function is not taken: it is
the slow path of a root or a division.  Only instructions are executed that a branch, or with
"addresses" an access of memory, depends on: found by liveness, backwards.
"""
from collections import Counter
from itertools import islice

from meaning import Meaning
from values import FIRST, LANES, PLACES, Operand, lanes

FULL = (1 << LANES) - 1
ALL = "all lanes"
ENDS = ("BRA", "EXIT", "BSYNC", "CALL", "RET", "BREAK", "BRX", "JMP", "WARPSYNC")


class Lost(RuntimeError):
    """The way of a warp cannot be told."""


class Kernel:
    """A function of a listing, in blocks, ready to be walked."""

    def __init__(self, body, addresses=False):
        self.body, self.addresses = body, addresses
        self.meanings = [Meaning(i) for i in body]
        self.find_blocks()
        self.find_needed()

    def find_blocks(self):
        starts = {0}
        for n, i in enumerate(self.body):
            if i.target is not None and i.base in ("BRA", "BSSY"):
                starts.add(i.target)
            if i.base in ENDS:
                starts.add(n + 1)
        starts.add(len(self.body))
        self.starts = sorted(n for n in starts if n <= len(self.body))
        self.end = dict(zip(self.starts, self.starts[1:]))
        self.classes = {s: Counter(i.kind for i in self.body[s:e])
                        for s, e in self.end.items()}

    def calls(self, start):
        """Whether the way from "start" calls a function before it branches again."""
        for i in self.body[start:]:
            if i.base == "CALL":
                return True
            if i.base in ENDS:
                return False
        return False

    def successors(self, start):
        last = self.end[start] - 1
        i = self.body[last]
        after = [last + 1] if last + 1 < len(self.body) else []
        if i.base == "BRA" and "DIV" not in i.modifiers:
            certain = i.guard is None and len(i.operands) == 1
            return ([] if certain else after) + ([i.target] if i.target is not None else [])
        if i.base in ("EXIT", "RET") and i.guard is None:
            return []
        return after

    def is_root(self, n):
        i = self.body[n]
        return i.base in ENDS or self.addresses and i.kind in ("global", "shared")

    def roots(self, n):
        m = self.meanings[n]
        used = set(m.guard.uses if m.guard else ())
        for a in m.addresses:
            used |= set(a.uses)
        if self.body[n].base in ("BRA", "BREAK"):
            for o in self.body[n].operands:
                used |= set(Operand(o).uses)
        return used

    def find_needed(self):
        """The instructions that branches, and addresses, depend on."""
        live = {s: set() for s in self.end}
        needed = set()
        changed = True
        while changed:
            changed = False
            for s in reversed(list(self.end)):
                now = set().union(*(live.get(t, set()) for t in self.successors(s)))
                for n in range(self.end[s] - 1, s - 1, -1):
                    m = self.meanings[n]
                    written = {p for p, _ in m.writes}
                    if written & now:
                        needed.add(n)
                        if not m.guard:
                            now -= written
                        now |= set(m.uses) | set(m.guard.uses if m.guard else ())
                    if self.is_root(n):
                        now |= self.roots(n)
                if now != live[s]:
                    live[s], changed = now, True
        special = {n for n, i in enumerate(self.body) if i.base in ("BSSY", "BREAK")
                   or self.addresses and i.kind in ("global", "shared")}
        self.work = {s: [n for n in range(s, e) if n in needed or n in special]
                     for s, e in self.end.items()}


class Walk:
    """A warp that goes through a kernel."""

    def __init__(self, kernel, threads, constants, block, warp, grid):
        self.kernel = kernel
        self.constants = constants
        self.block, self.warp = block, warp
        self.registers = [0] * PLACES
        self.registers[FIRST["P"]:FIRST["local"]] = [False] * 16
        first = 32 * warp
        x, y, z = threads
        lanes_here = range(first, first + LANES)
        self.active = sum(1 << n for n, t in enumerate(lanes_here) if t < x * y * z)
        self.names = {"SR_TID.X": tuple(t % x for t in lanes_here),
                      "SR_TID.Y": tuple(t // x % y for t in lanes_here),
                      "SR_TID.Z": tuple(t // (x * y) for t in lanes_here),
                      "SR_LANEID": tuple(range(LANES)), "SR_CgaCtaId": 0}
        for n, axis in enumerate("XYZ"):
            self.names[f"SR_CTAID.{axis}"] = block[n]
        self.fixed = dict(zip((0, 4, 8, 0xc, 0x10, 0x14), (*threads, *grid)))
        # Lanes to come, lanes that are there, where they go on: for each BSSY, and WARPSYNC.
        self.waiting = {ALL: [self.active, 0, None]}
        self.others = []
        self.accesses = {}

    def special(self, name):
        value = self.names.get(name)
        if type(value) is tuple and value.count(value[0]) == LANES:
            return value[0]
        return value

    def constant(self, at):
        return self.constants.get(at, self.fixed.get(at, 0))

    def write(self, place, value, allowed):
        if allowed is not True or self.active != FULL:
            old, new, may = lanes(self.registers[place]), lanes(value), lanes(allowed)
            value = tuple(a if not self.active >> n & 1 else None if m is None else b if m else a
                          for n, (a, b, m) in enumerate(zip(old, new, may)))
            if value.count(value[0]) == LANES:
                value = value[0]
        self.registers[place] = value

    def count(self, most=None):
        """How often it goes through each block, of the first "most" at least: {start: times}."""
        return Counter(islice(self.blocks(), most))

    def through(self, at):
        """Go through the block that starts at "at"; the start of the next one."""
        for n in self.kernel.work[at]:
            self.execute(n)
        last = self.kernel.end[at] - 1
        return self.after(last, self.kernel.body[last])

    def blocks(self):
        """Starts of the blocks that the warp goes through; what a block accesses stands
        in "accesses" meanwhile."""
        at = 0
        while at is not None:
            self.accesses.clear()
            after = self.through(at)
            yield at
            at = after

    def execute(self, n):
        i, m = self.kernel.body[n], self.kernel.meanings[n]
        if i.base == "BSSY":
            self.waiting[i.operands[0]] = [self.active, 0, None]
        elif i.base not in ENDS:
            if self.kernel.addresses and i.kind in ("global", "shared"):
                self.access(n, i, m)
            m.execute(self)

    def allowed(self, m):
        """Lanes that execute an instruction."""
        return self.where(True if m.guard is None else m.guard.value(self))

    def where(self, holds):
        """The active lanes of which a condition holds, None where one's is not known."""
        known = [(n, h) for n, h in enumerate(lanes(holds)) if self.active >> n & 1]
        if any(h is None for _, h in known):
            return None
        return sum(1 << n for n, h in known if h)

    def access(self, n, i, m):
        mask = self.allowed(m)
        if mask is None:
            mask = self.active
        found = []
        for a in m.addresses:
            value = lanes(a.value(self))
            found.append([value[k] for k in range(LANES) if mask >> k & 1])
        self.accesses[n] = found

    def after(self, n, i):
        """Where the warp goes on after the last instruction of a block."""
        m = self.kernel.meanings[n]
        if i.base not in ENDS or i.base == "BRA" and "DIV" in i.modifiers:
            return n + 1 if n + 1 < len(self.kernel.body) else None
        mask = self.allowed(m)
        if i.base == "BRA":
            return self.branch(n, i, mask)
        if mask is None:
            raise Lost(f"{i.text} depends on data")
        if i.base == "EXIT":
            return self.leave(n, mask)
        if i.base == "BREAK":
            mask = self.narrowed(i, mask)
            if mask is None:
                raise Lost(f"{i.text} depends on data")
            self.waiting[i.operands[-1]][0] &= ~mask
            return n + 1
        if i.base in ("BSYNC", "WARPSYNC"):
            place = self.waiting[i.operands[0] if i.base == "BSYNC" else ALL]
            place[1] |= self.active
            place[2] = n + 1
            return self.go_on(place)
        raise Lost(f"{i.text} is not followed")

    def narrowed(self, i, mask):
        """Of "mask", the lanes for which the conditions among the operands hold."""
        for o in i.operands[:-1]:
            more = self.where(Operand(o).value(self))
            mask = None if mask is None or more is None else mask & more
        return mask

    def branch(self, n, i, mask):
        mask = self.narrowed(i, mask)
        if mask is None:
            here, there = self.kernel.calls(n + 1), self.kernel.calls(i.target)
            if here == there:
                raise Lost(f"{i.text} at {i.address:#x} depends on data")
            mask = self.active if here else 0
        if mask == 0:
            return n + 1
        if mask == self.active:
            return i.target
        self.others.append((i.target, mask))
        self.active &= ~mask
        return n + 1

    def leave(self, n, mask):
        for place in self.waiting.values():
            place[0] &= ~mask
        self.active &= ~mask
        return n + 1 if self.active else self.resume()

    def go_on(self, place):
        """After BSYNC: all lanes are there, or others go first."""
        if place[1] & place[0] == place[0]:
            self.active = place[1]
            place[1] = 0
            return place[2]
        return self.resume()

    def resume(self):
        if self.others:
            at, self.active = self.others.pop()
            return at
        for place in self.waiting.values():
            if place[1] and place[1] & place[0] == place[0]:
                return self.go_on(place)
        return None
