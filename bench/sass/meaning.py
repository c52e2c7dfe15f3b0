"""What an instruction computes with integers: its sources, the places it writes."""
import re
import struct

from values import (FIRST, LOW, PLACES, Operand, comparison, destination, each, half,
                    is_predicate, lanes, least, logic, product, scaled, shift, signed)

ADDRESS = re.compile(r"(?:desc\[UR\d+\])?\[([^\]]*)\]")
# A register that was spilled, at R1 and an offset.
SPILLED = re.compile(r"\[R1(?:\+0x([0-9a-f]+))?\]")
ARGUMENT = re.compile(r"c\[0x0\]\[0x([0-9a-f]+)\]$")


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
            words = 1 if is_predicate(operands[0]) else i.words()
            places = list(destination(operands[0], words))
            if i.kind in ("integer", "shuffle", "fp", "control") and len(operands) > 1 \
                    and (is_predicate(operands[0]) or is_predicate(operands[1])):
                places += destination(operands[1])
        self.result(places, *[None] * len(places))
        self.from_ = ()
        self.addresses = [Address(text) for text in
                          ADDRESS.findall(" ".join(operands))] \
            if i.kind in ("global", "shared") else []

    def of_syncs(self, i, operands):
        """Whoever waits goes on in the end: no warp takes the way back."""
        self.of_unknown(i, operands)
        if "PHASECHK" in i.modifiers:
            self.compute = lambda: True

    def of_shfl(self, i, operands):
        """What the first lane hands to all others; other shuffles are not followed."""
        if "IDX" not in i.modifiers or operands[3] != "RZ":
            self.of_unknown(i, operands)
            return
        self.copies(destination(operands[1]), [FirstLane(operands[2])])

    # A quotient of integers begins with the reciprocal of a float.

    def of_iabs(self, i, operands):
        self.of_function(operands, lambda x: abs(signed(x)))

    def of_i2f(self, i, operands):
        of = (lambda x: x) if "U32" in i.modifiers else signed
        self.of_function(operands, lambda x: bits(float(of(x))))

    def of_mufu(self, i, operands):
        if "RCP" not in i.modifiers:
            self.of_unknown(i, operands)
            return
        self.of_function(operands, lambda x: bits(1 / number(x)) if number(x) else None)

    def of_f2i(self, i, operands):
        if i.words() == 1 and "TRUNC" in i.modifiers:
            self.of_function(operands, lambda x: int(number(x)) & LOW)
        else:
            self.of_unknown(i, operands)

    def of_function(self, operands, f):
        """A word of a word."""
        self.sources(Operand(operands[1]))
        self.compute = f
        self.result(destination(operands[0]), None)

    def of_ldl(self, i, operands):
        source = spilled(operands[1], i.words())
        if source:
            self.copies(destination(operands[0], i.words()), map(Place, source))
        else:
            self.of_unknown(i, operands)

    def of_stl(self, i, operands):
        n = i.words()
        source = [Place(p) for p in destination(operands[1], n)] or [Operand("RZ")] * n
        self.copies(spilled(operands[0], n), source)

    def of_ldc(self, i, operands):
        n = i.words()
        if match := ARGUMENT.match(operands[1]):
            at = int(match.group(1), 16)
            self.copies(destination(operands[0], n),
                        (Operand(f"c[0x0][{at + 4 * k:#x}]") for k in range(n)))
        else:
            self.of_constant(operands[0], n, 0 if operands[1].startswith("c[0x4]") else None)

    def copies(self, places, sources):
        """Words go from "sources" to "places"."""
        self.sources(*sources)
        self.writes = tuple((place, None) for place in places)

        def execute(w):
            allowed = True if self.guard is None else self.guard.value(w)
            for place, source in zip(places, self.from_):
                w.write(place, source.value(w), allowed)
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

    of_viadd = of_iadd3

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

    def of_prmt(self, i, operands):
        """Numbers of 16 bits and less are in lower halves; others than these are not followed."""
        if operands[2] != "0x7610":
            self.of_unknown(i, operands)
            return
        self.of_function(operands, lambda x: x & 0xffff)

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

    def of_p2r(self, i, operands, first="P"):
        mask = int(operands[3], 0)
        bits = [(n, Operand(f"{first}{n}")) for n in range(7) if mask >> n & 1]
        self.sources(Operand(operands[2]), *(o for _, o in bits))
        self.compute = lambda x, *v: x & ~mask | sum(b << n for (n, _), b in zip(bits, v))
        self.result(destination(operands[0]), None)

    def of_p2ur(self, i, operands):
        self.of_p2r(i, operands, "UP")

    def of_r2p(self, i, operands, first="P"):
        mask = int(operands[2], 0)
        self.sources(Operand(operands[1]))
        self.compute = lambda x: x
        self.writes = tuple((FIRST[first] + n, lambda x, n=n: bool(x >> n & 1))
                            for n in range(7) if mask >> n & 1)

    def of_r2up(self, i, operands):
        self.of_r2p(i, operands, "UP")

    def of_vote(self, i, operands):
        self.sources(Operand(operands[-1]))
        places = [p for o in operands[:-1] if is_predicate(o) for p in destination(o)]
        how = all if "ALL" in i.modifiers else any
        self.compute = lambda x: x
        self.writes = tuple((p, None) for p in places)

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

    of_s2ur = of_s2r


def bits(x):
    """The word that a float is."""
    return struct.unpack("I", struct.pack("f", x))[0]


def number(word):
    """The float that a word is."""
    return struct.unpack("f", struct.pack("I", word))[0]


def spilled(text, words):
    """Places of a walk for words of local memory; none where R1 is not all of the base."""
    match = SPILLED.match(text)
    first = FIRST["local"] + int(match.group(1) or "0", 16) // 4 if match else 0
    return tuple(range(first, first + words)) if match and first + words < PLACES else ()


class Place:
    """A source that is a place of a walk."""

    def __init__(self, n):
        self.uses, self.value = (n,), lambda w: w.registers[n]


class FirstLane:
    """The value that a source has in the first lane."""

    def __init__(self, text):
        source = Operand(text)
        self.uses, self.value = source.uses, lambda w: lanes(source.value(w))[0]


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
