"""The way of a warp through a kernel: what it issues, one instruction after the other.

Addresses, conditions and counters of loops are computed, as far as they are integers, from
the arguments of the launch and the number of the block; what is loaded, and floating point,
is not.  Where a branch depends on that, the way that calls a function is not taken: it is
the slow path of a root or a division.  Only instructions are executed that a branch, or with
"addresses" an access of memory, depends on: found by liveness, backwards.
"""
import re
from collections import Counter
from itertools import islice

from values import (FIRST, LANES, LOW, PLACES, Operand, comparison, destination, each, half,
                    is_predicate, lanes, least, logic, product, scaled, shift)

FULL = (1 << LANES) - 1
ALL = "all lanes"
ENDS = ("BRA", "EXIT", "BSYNC", "CALL", "RET", "BREAK", "BRX", "JMP", "WARPSYNC")
ADDRESS = re.compile(r"(?:desc\[UR\d+\])?\[([^\]]*)\]")
# A register that was spilled, at R1 and an offset.
SPILLED = re.compile(r"\[R1(?:\+0x([0-9a-f]+))?\]")


class Lost(RuntimeError):
    """The way of a warp cannot be told."""


class Meaning:
    """What an instruction reads and writes, and a function that executes it on a walk."""

    def __init__(self, i):
        self.i = i
        self.guard = None
        self.uses, self.writes, self.compute = (), (), None
        self.addresses = ()
        if i.guard:
            self.guard = Operand(("!" if i.guard[1] else "") + i.guard[0])
        base = i.base[1:] if i.base[0] == "U" and i.base != "UBLKCP" else i.base
        getattr(self, "of_" + base.lower(), self.of_unknown)(i, i.operands)

    def sources(self, *operands):
        """Operands for "compute", which gets their values."""
        self.from_ = operands
        self.uses = tuple(u for o in operands for u in o.uses)

    def result(self, places, *parts):
        """"compute" gives one value; each of "parts" takes its own of it to a place."""
        self.writes = tuple(zip(places, parts))

    def execute(self, w):
        allowed = True if self.guard is None else self.guard.value(w)
        if allowed is False:
            return
        values = [o.value(w) for o in self.from_] if self.compute else None
        got = each(self.compute, *values) if self.compute else None
        for place, part in self.writes:
            value = got if part is None else each(part, got)
            w.write(place, value, allowed)

    # Each of_* below fills in one kind of instruction, as
    # NVIDIA's "CUDA Binary Utilities" names them.

    def of_unknown(self, i, operands):
        places = []
        if operands and not operands[0].startswith(("[", "desc", "`", "gdesc")):
            places = list(destination(operands[0], i.words()))
            if i.kind in ("integer", "shuffle", "fp", "control") and len(operands) > 1 \
                    and (is_predicate(operands[0]) or is_predicate(operands[1])):
                places += destination(operands[1], i.words())
        self.result(places, *[None] * len(places))
        self.from_ = ()
        self.addresses = [Address(text) for text in
                          ADDRESS.findall(" ".join(operands))] \
            if i.kind in ("global", "shared") else []

    def of_ldl(self, i, operands):
        source = spilled(operands[1], i.words())
        if source:
            self.move(destination(operands[0], i.words()), source)
        else:
            self.of_unknown(i, operands)

    def of_stl(self, i, operands):
        self.move(spilled(operands[0], i.words()), destination(operands[1], i.words()))

    def move(self, to, source):
        """Registers to where they are spilled, or back; RZ, which is no place, is 0."""
        self.uses = source
        self.writes = tuple((place, None) for place in to)

        def execute(w):
            allowed = True if self.guard is None else self.guard.value(w)
            for place, n in zip(to, source or [None] * len(to)):
                w.write(place, 0 if n is None else w.registers[n], allowed)
        self.execute = execute

    def split(self, operands):
        """Places of the result and of carries, operands, predicates at the end."""
        result, rest, out = destination(operands[0]), operands[1:], ()
        while rest and is_predicate(rest[0]):
            out, rest = out + destination(rest[0]), rest[1:]
        ins = [o for o in rest if is_predicate(o)]
        rest = [o for o in rest if not is_predicate(o)]
        return result, out, [Operand(o) for o in rest], [Operand(o) for o in ins]

    def with_carry(self, result, out):
        places = [(p, lambda x: x & LOW) for p in result]
        self.writes = tuple(places + [(p, lambda x, n=n: x >> 32 > n)
                                      for n, p in enumerate(out)])

    def of_mov(self, i, operands):
        self.sources(Operand(operands[1]))
        self.compute = lambda x: x
        self.result(destination(operands[0]), None)

    of_r2ur = of_mov

    def of_iadd3(self, i, operands):
        result, out, terms, carries = self.split(operands)
        minus = sum("-" == t.text[0] and t.text != "-RZ" for t in terms)
        self.sources(*terms, *(carries if "X" in i.modifiers else ()))
        n = len(terms)
        # A term is negated as ~x + 1, whose 1 counts for the carry.
        self.compute = lambda *v: sum(v[:n]) + (sum(v[n:]) if n < len(v) else 0)
        if minus and out:
            terms = self.from_[:n]
            zeros = [t.text[0] == "-" for t in terms]
            self.compute = lambda *v: sum(v) + sum(
                (1 << 32) for x, z in zip(v, zeros) if z and x == 0)
        self.with_carry(result, out)

    def of_viadd(self, i, operands):
        self.of_iadd3(i, operands)

    def of_imad(self, i, operands):
        result, _, (a, b, c), carries = self.split(operands)
        wide = "WIDE" in i.modifiers or "HI" in i.modifiers
        if wide:
            c = Operand(c.text, wide=True)
        self.sources(a, b, c, *(carries if "X" in i.modifiers else ()))
        self.compute = lambda *v: product(i, *v)
        if "WIDE" in i.modifiers:
            self.result(destination(operands[0], 2), lambda x: x & LOW, lambda x: x >> 32)
        elif "HI" in i.modifiers:
            self.result(result, lambda x: x >> 32)
        else:
            self.result(result, lambda x: x & LOW)

    def of_lea(self, i, operands):
        result, out, values, carries = self.split(operands)
        if len(values) == 3:
            values.insert(2, Operand("RZ"))
        self.sources(*values, *(carries if "X" in i.modifiers else [Operand("!PT")]))
        self.compute = lambda a, b, upper, by, carry: scaled(i, a, b, upper, by, carry)
        self.with_carry(result, out)

    def of_shf(self, i, operands):
        self.sources(*map(Operand, operands[1:4]))
        self.compute = lambda low, by, high: shift(i, low, by, high)
        self.result(destination(operands[0]), None)

    def of_lop3(self, i, operands):
        places = []
        if is_predicate(operands[0]):
            places = [(p, lambda x: x != 0) for p in destination(operands[0])]
            operands = operands[1:]
        table = int(operands[4], 0)
        self.sources(*map(Operand, operands[1:4]))
        self.compute = lambda a, b, c: logic(table, a, b, c)
        self.writes = tuple(places + [(p, None) for p in destination(operands[0])])

    def of_isetp(self, i, operands):
        self.sources(*map(Operand, operands[2:5]),
                     Operand(operands[5] if "EX" in i.modifiers else "PT"))
        self.compute = comparison(i)
        self.result(destination(operands[0]), None)

    def of_plop3(self, i, operands):
        table = int(operands[5], 0)
        self.sources(*map(Operand, operands[2:5]))
        self.compute = lambda a, b, c: bool(table >> (a << 2 | b << 1 | c) & 1)
        self.result(destination(operands[0]), None)

    def of_sel(self, i, operands):
        self.sources(*map(Operand, operands[1:4]))
        self.compute = lambda a, b, first: a if first else b
        self.result(destination(operands[0]), None)

    def of_vimnmx(self, i, operands):
        self.sources(*map(Operand, operands[1:4]))
        self.compute = lambda a, b, smaller: least(i, a, b, smaller)
        self.result(destination(operands[0]), None)

    of_imnmx = of_vimnmx

    def of_viaddmnmx(self, i, operands):
        self.sources(*map(Operand, operands[1:5]))
        self.compute = lambda a, b, c, smaller: least(i, a + b & LOW, c, smaller)
        self.result(destination(operands[0]), None)

    def of_p2r(self, i, operands):
        mask = int(operands[3], 0)
        bits = [(n, Operand(f"P{n}")) for n in range(7) if mask >> n & 1]
        self.sources(Operand(operands[2]), *(o for _, o in bits))
        self.compute = lambda x, *v: x & ~mask | sum(b << n for (n, _), b in zip(bits, v))
        self.result(destination(operands[0]), None)

    def of_r2p(self, i, operands):
        mask = int(operands[2], 0)
        self.sources(Operand(operands[1]))
        self.compute = lambda x: x
        self.writes = tuple((FIRST["P"] + n, lambda x, n=n: bool(x >> n & 1))
                            for n in range(7) if mask >> n & 1)

    def of_vote(self, i, operands):
        self.sources(Operand(operands[-1]))
        places = [p for o in operands[:-1] if is_predicate(o) for p in destination(o)]
        how = all if "ALL" in i.modifiers else any
        self.compute = lambda x: x
        self.writes = tuple((p, None) for p in places)
        plain = self.execute

        def execute(w):
            value = self.from_[0].value(w)
            if type(value) is tuple:
                value = None if None in value else how(
                    v for n, v in enumerate(value) if w.active >> n & 1)
            for place in places:
                w.write(place, value, True)
        self.execute = execute

    of_voteu = of_vote

    def of_cs2r(self, i, operands):
        n = 1 if "32" in i.modifiers else 2
        self.of_constant(operands[0], n, 0 if operands[1] == "SRZ" else None)

    def of_hfma2(self, i, operands):
        number = None
        if operands[1:3] == ["-RZ", "RZ"]:
            number = half(operands[3]) << 16 | half(operands[4])
        self.of_constant(operands[0], 1, number)

    def of_constant(self, place, words, number):
        self.from_ = ()
        self.compute = (lambda: number) if number is not None else None
        places = destination(place, words)
        self.result(places, *[None] * len(places))

    def of_s2r(self, i, operands):
        self.sources(Special(operands[1]))
        self.compute = lambda x: x
        self.result(destination(operands[0]), None)

    def of_ldc(self, i, operands):
        n = i.words()
        match = re.fullmatch(r"c\[0x0\]\[0x([0-9a-f]+)\]", operands[1])
        if not match:
            return self.of_constant(operands[0], n, 0 if operands[1].startswith("c[0x4]")
                                    else None)
        at = int(match.group(1), 16)
        self.sources(*(Operand(f"c[0x0][{at + 4 * k:#x}]") for k in range(n)))
        self.compute = lambda *v: v
        places = destination(operands[0], n)

        def execute(w):
            allowed = True if self.guard is None else self.guard.value(w)
            for place, source in zip(places, self.from_):
                w.write(place, source.value(w), allowed)
        self.execute = execute
        self.writes = tuple((p, None) for p in places)

    def of_s2ur(self, i, operands):
        self.of_s2r(i, operands)


# S2UR, ULDC and the like are those of the names without U.
Meaning.of_2ur = Meaning.of_mov


def spilled(text, words):
    """Places of a walk for words of local memory; none where R1 is not all of the base."""
    match = SPILLED.match(text)
    first = FIRST["local"] + int(match.group(1) or "0", 16) // 4 if match else 0
    return tuple(range(first, first + words)) if match and first + words < PLACES else ()


class Special:
    """A special register of a warp."""

    def __init__(self, name):
        self.name, self.uses = name, ()

    def value(self, w):
        return w.special(self.name)


class Address:
    """What stands between the brackets of an access."""

    def __init__(self, text):
        self.terms = []
        for part in re.split(r"\+(?!-)|(?=\+-)", text):
            part = part.strip("+ ")
            if part:
                self.terms.append(Operand(re.sub(r"\.(64|U32|X\d+)", "", part),
                                          wide=".64" in part))
        self.uses = tuple(u for t in self.terms for u in t.uses)

    def value(self, w):
        values = [t.value(w) for t in self.terms]
        wide = any(len(t.uses) == 2 for t in self.terms)
        mask = (1 << 64) - 1 if wide else LOW

        def add(*v):
            return sum(v if not wide else (x - (1 << 32) if n and x >> 31 and x <= LOW else x
                                           for n, x in enumerate(v))) & mask
        return each(add, *values) if values else 0


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
            value = tuple(None if m is None else b if m and self.active >> n & 1 else a
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
        guard = True if m.guard is None else m.guard.value(self)
        if guard is None or type(guard) is tuple and None in guard:
            return None
        if type(guard) is tuple:
            return self.active & sum(1 << n for n, g in enumerate(guard) if g)
        return self.active if guard else 0

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
            self.waiting[i.operands[0]][0] &= ~mask
            return n + 1
        if i.base in ("BSYNC", "WARPSYNC"):
            place = self.waiting[i.operands[0] if i.base == "BSYNC" else ALL]
            place[1] |= self.active
            place[2] = n + 1
            return self.go_on(place)
        raise Lost(f"{i.text} is not followed")

    def branch(self, n, i, mask):
        for o in i.operands[:-1]:
            more = Operand(o).value(self)
            if mask is not None:
                mask = None if more is None else mask & sum(
                    1 << k for k, b in enumerate(lanes(more)) if b)
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
