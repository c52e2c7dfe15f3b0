"""What integer instructions compute, for the 32 lanes of a warp.

A value is an int where all lanes have the same, a tuple of 32 where they differ, None where
it is not known: what is loaded, and all that floating point computes.  Numbers are kept
without a sign, in 32 bits; predicates are True and False.
"""
import re
import struct
from operator import eq, ge, gt, le, lt, ne

LANES = 32
LOW = 0xffffffff


def each(f, *values):
    """f of each lane's values; None where one of them is."""
    if all(type(v) is not tuple for v in values):
        return None if None in values else f(*values)
    try:
        got = tuple(map(f, *(v if type(v) is tuple else (v,) * LANES for v in values)))
    except TypeError:
        got = tuple(None if None in lane else f(*lane) for lane in zip(
            *(v if type(v) is tuple else (v,) * LANES for v in values)))
    return got[0] if got.count(got[0]) == LANES else got


def lanes(value):
    return value if type(value) is tuple else (value,) * LANES


def signed(x):
    return x - (1 << 32) if x >> 31 else x


def signed64(x):
    return x - (1 << 64) if x >> 63 else x


def logic(table, a, b, c):
    """LOP3: bit n of "table" is the result for a, b, c = the bits 2, 1, 0 of n."""
    value = 0
    for n in range(8):
        if table >> n & 1:
            value |= (a if n & 4 else ~a) & (b if n & 2 else ~b) & (c if n & 1 else ~c)
    return value & LOW


COMPARE = {"LT": lt, "LE": le, "GT": gt, "GE": ge, "EQ": eq, "NE": ne}
STRICT = {"LE": lt, "GE": gt}
JOIN = {"AND": lambda a, b: a and b, "OR": lambda a, b: a or b, "XOR": ne}


def comparison(i):
    """ISETP: a function of two numbers and two predicates.  The first of these is joined with
    the answer; the other one is the answer for the lower words, where .EX compares the upper
    ones."""
    name = next(m for m in i.modifiers if m in COMPARE)
    join = JOIN[next(m for m in i.modifiers if m in JOIN)]
    sign = 0 if "U32" in i.modifiers else 1 << 31
    answer = COMPARE[name]
    if "EX" not in i.modifiers:
        return lambda a, b, more, _: join(answer(a ^ sign, b ^ sign), more)
    strict = STRICT.get(name, answer)
    return lambda a, b, more, low: join(low if a == b else strict(a ^ sign, b ^ sign), more)


def shift(i, low, by, high):
    """SHF of the 64 bits "high", "low"."""
    wide = "U64" in i.modifiers or "S64" in i.modifiers
    by &= 63 if wide else 31
    both = high << 32 | low
    if "L" in i.modifiers:
        return both << by >> (32 if "HI" in i.modifiers else 0) & LOW
    if wide:
        moved = (signed64(both) if "S64" in i.modifiers else both) >> by
        return moved >> (32 if "HI" in i.modifiers else 0) & LOW
    if "HI" in i.modifiers:
        return (signed(high) if "S32" in i.modifiers else high) >> by & LOW
    return both >> by & LOW


def scaled(i, a, b, upper, by, carry):
    """LEA: 33 bits, the last one the carry."""
    if "HI" in i.modifiers:
        wide = signed(a) if "SX32" in i.modifiers else upper << 32 | a
        a = wide << by >> 32 & LOW
    else:
        a = a << by & LOW
    return a + b + carry


def product(i, a, b, c, carry=0):
    """IMAD: 64 bits; "c" has as many for .WIDE and .HI."""
    if "U32" not in i.modifiers:
        a, b = signed(a), signed(b)
    return a * b + c + carry & (1 << 64) - 1


def half(text):
    """The bits of a 16-bit literal."""
    return struct.unpack("<H", struct.pack("<e", float(text)))[0]


def least(i, a, b, smaller):
    if "U32" not in i.modifiers:
        a, b = signed(a), signed(b)
    return (min(a, b) if smaller else max(a, b)) & LOW


REGISTER = re.compile(r"([-~!|]*)(UR|R|UP|P)(\d+|Z|T)(\|?)((?:\.\w+)*)$")
CONSTANT = re.compile(r"-?c\[0x0\]\[0x([0-9a-f]+)\]$")
# Of the lists of registers that a walk keeps, where the one of a name starts.
FIRST = {"R": 0, "UR": 256, "P": 320, "UP": 328, "local": 336}
PLACES = 4096


class Operand:
    """A source: where its value is, and what is done to it."""

    def __init__(self, text, wide=False):
        self.uses, self.text = (), text
        match = REGISTER.match(text)
        if match:
            sign, name, number, _, _ = match.groups()
            predicate = name in ("P", "UP")
            if number in ("Z", "T"):
                self.value = (lambda w: "!" not in sign) if predicate else \
                    (lambda w: LOW if "~" in sign else 0)
                return
            n = FIRST[name] + int(number)
            self.uses = (n, n + 1) if wide else (n,)
            self.value = self.of_register(n, sign, wide, predicate)
        elif match := CONSTANT.match(text):
            n, negative = int(match.group(1), 16), text[0] == "-"
            self.value = lambda w: each(lambda x: -x & LOW, w.constant(n)) if negative \
                else w.constant(n)
        else:
            try:
                number = int(text, 0) & (LOW if not wide else (1 << 64) - 1)
            except ValueError:
                number = None
            self.value = lambda w: number

    @staticmethod
    def of_register(n, sign, wide, predicate):
        if predicate:
            if "!" in sign:
                return lambda w: each(lambda x: not x, w.registers[n])
            return lambda w: w.registers[n]
        if wide:
            return lambda w: each(lambda low, high: high << 32 | low,
                                  w.registers[n], w.registers[n + 1])
        if "-" in sign:
            return lambda w: each(lambda x: -x & LOW, w.registers[n])
        if "~" in sign:
            return lambda w: each(lambda x: ~x & LOW, w.registers[n])
        return lambda w: w.registers[n]


def destination(text, words=1):
    """Places that a destination takes; none of RZ and PT."""
    match = REGISTER.match(text)
    if not match or match.group(3) in ("Z", "T"):
        return ()
    n = FIRST[match.group(2)] + int(match.group(3))
    return tuple(range(n, n + words))


def is_predicate(text):
    match = REGISTER.match(text)
    return bool(match) and match.group(2) in ("P", "UP")
