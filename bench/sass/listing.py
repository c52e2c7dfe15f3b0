"""SASS as nvdisasm prints it: instructions, their control words, what they are.

An instruction of Volta and its successors has 128 bits, 21 of which, from bit 105 on, are
the compiler's orders to the scheduler (Jia and others, arXiv:1804.06826, 2.1):

    bits  meaning
    4     stall: cycles until the warp may issue its next instruction
    1     yield: a hint to go on with another warp
    3     write barrier: counter that is left when the result is there, 7: none
    3     read barrier: counter that is left when the operands were read, 7: none
    6     wait: counters that must be at zero before the instruction issues
    4     reuse: operands that stay in the cache of the register file

A listing written by hand can name them instead: "[WAIT:READ:WRITE:STALL]" before the
instruction, as in "[02:-:1:4] FADD R1, R2, R3 ;": wait for the counters 0 and 2, "-" is
none.
"""
import re

FP32 = """FADD FMUL FFMA FMNMX FSEL FSET FSETP FCHK FADD32I FFMA32I FMUL32I FSWZADD HADD2 HFMA2
HMUL2 MUFU""".split()
FP64 = "DADD DMUL DFMA DSETP DMNMX".split()
GLOBAL = "LDG STG LD ST RED ATOM ATOMG LDGSTS UBLKCP UTMALDG LDL STL".split()
SHARED = "LDS STS LDSM STSM ATOMS SYNCS".split()
CONTROL = """FENCE BRA BRX JMP EXIT BSSY BSYNC BREAK CALL RET BAR WARPSYNC NOP YIELD DEPBAR LDGDEPBAR
MEMBAR ERRBAR CGAERRBAR BMOV BPT CCTL COLLECTIVE ENDCOLLECTIVE VOTE VOTEU NANOSLEEP""".split()
INTEGER = """BMSK BREV FLO IABS IADD3 IDP IMAD IMNMX ISETP LEA LOP3 PLOP3 POPC PRMT SEL SGXT SHF
VIADD VIADDMNMX VIMNMX""".split()
INTEGER += ["U" + name for name in INTEGER]
OTHER = """MOV UMOV S2R S2UR CS2R R2UR LDC ULDC F2F F2I I2F I2FP FRND F2FP P2R R2P
UP2UR UR2UP""".split()
CLASSES = ("fp", "global", "shared", "shuffle", "integer", "control", "other")

# Lanes an SM has for it, a clock: table "Throughput of Native Arithmetic Instructions" of
# NVIDIA's CUDA C++ Programming Guide, compute capability 9.0.  A sub-partition, a quarter
# of an SM, issues a warp to a pipe every (32 * 4 / lanes) cycles.
LANES = {"fma": 128, "imad": 64, "alu": 64, "fp64": 64, "xu": 16}
SPECIAL = "MUFU F2F F2I I2F FRND".split()
MEMORY_PIPE = GLOBAL + SHARED + ["SHFL"]


class Instruction:
    """One line of a listing."""

    def __init__(self, text, address):
        self.address = address
        match = re.match(r"@(!?)(U?P\w+)\s+(.*)", text)
        self.guard = (match.group(2), match.group(1) == "!") if match else None
        # nvdisasm adds what it knows, (*"SpillRefill"*).
        self.text = re.sub(r"\s*\(\*.*\*\)", "", match.group(3) if match else text)
        self.op, _, rest = self.text.partition(" ")
        self.modifiers = self.op.split(".")
        self.base = self.modifiers[0]
        self.operands = [o.strip() for o in rest.split(",")] if rest.strip() else []
        self.stall, self.write, self.read, self.wait, self.reuse = 1, None, None, (), 0
        self.target = None
        self.kind = kind(self)
        self.pipe, self.interval = pipe(self)

    def decode(self, high):
        """The control word, of the upper 64 bits."""
        control = high >> 41
        self.stall = control & 15
        self.write = counter(control >> 5 & 7)
        self.read = counter(control >> 8 & 7)
        self.wait = tuple(n for n in range(6) if control >> 11 + n & 1)
        self.reuse = control >> 17 & 15

    def name_control(self, wait, read, write, stall):
        """The same, as a listing written by hand has it."""
        self.wait = tuple(int(n) for n in wait if n != "-")
        self.read, self.write = (None if n == "-" else int(n) for n in (read, write))
        self.stall = int(stall)

    def words(self):
        """Words of 32 bits that a lane's value has."""
        if "128" in self.modifiers:
            return 4
        if self.kind == "fp":
            return 2 if self.base in FP64 else 1
        return 2 if "64" in self.modifiers or "WIDE" in self.modifiers else 1

    def conflict(self):
        """Cycles that three registers of one bank cost: a bank, of even or of odd
        registers, delivers two of 32 bits a cycle (Jia and others, 3.1)."""
        if self.pipe not in ("fma", "imad", "alu"):
            return 0
        read = [o.lstrip("-|!~") for o in self.operands[1:]]
        numbers = {int(o[1:]) for o in read if re.fullmatch(r"R\d+", o)}
        return int(len(numbers) == 3 and len({n % 2 for n in numbers}) == 1)


def counter(n):
    return None if n == 7 else n


def is_move(i):
    """Integer and half instructions that the compiler writes for a move."""
    return i.base == "IMAD" and ("MOV" in i.modifiers or "U32" in i.modifiers
                                 and i.operands[1:3] == ["RZ", "RZ"]) \
        or i.base == "HFMA2" and "RZ" in i.operands[1]


KINDS = {base: name for name, bases in (
    ("fp", FP32 + FP64), ("global", GLOBAL), ("shared", SHARED), ("shuffle", ["SHFL"]),
    ("integer", INTEGER), ("control", CONTROL), ("other", OTHER)) for base in bases}


def kind(i):
    """The class of an instruction, one of CLASSES."""
    if i.base not in KINDS:
        raise ValueError(f"unknown instruction {i.base} at {i.address:#x}")
    return "other" if is_move(i) else KINDS[i.base]


def pipe(i):
    """The pipe that executes it, and cycles from an issue to it to the next."""
    if i.base in MEMORY_PIPE:
        name = "memory"
    elif i.base in SPECIAL:
        name = "xu"
    elif i.base in FP64:
        name = "fp64"
    elif i.base in ("FADD", "FMUL", "FFMA", "HFMA2", "HADD2"):
        name = "fma"
    elif i.base == "IMAD":
        name = "imad"
    elif i.kind == "control" or i.base in ("LDC", "S2R", "CS2R"):
        return None, 0
    elif i.base.startswith("U") or i.base in ("R2UR", "S2UR"):
        return "uniform", 2
    else:
        name = "alu"
    return name, 128 // LANES[name] if name in LANES else 0


HAND = re.compile(r"\s*\[([-\d]+):([-\d]):([-\d]):(\d+)\]\s+(.*?)\s*;")
CODE = re.compile(r"\s*/\*([0-9a-f]+)\*/\s+(.*?)\s*;\s*/\* 0x[0-9a-f]+ \*/")
MORE = re.compile(r"\s*/\* 0x([0-9a-f]{16}) \*/\s*$")
LABEL = re.compile(r"(\.L_\w+|\$[\w$.]+):\s*$")
SECTION = re.compile(r"\s*\.section\s+\.text\.(\w+)")


def read_listing(text):
    """Functions of a listing: {name: [instruction]}.  Branches have the index of their
    target as "target", calls None."""
    functions, labels, body, name = {}, {}, None, None
    for line in text.split("\n"):
        if section := SECTION.match(line):
            name = section.group(1)
            body, labels = functions.setdefault(name, []), {}
        elif line.lstrip().startswith(".section"):
            body = None
        elif body is None:
            continue
        elif label := LABEL.match(line):
            labels[label.group(1)] = len(body)
            functions[name, "labels"] = labels
        elif code := CODE.match(line):
            body.append(Instruction(code.group(2), int(code.group(1), 16)))
        elif (more := MORE.match(line)) and body:
            body[-1].decode(int(more.group(1), 16))
        elif hand := HAND.match(line):
            body.append(Instruction(hand.group(5), 16 * len(body)))
            body[-1].name_control(*hand.groups()[:4])
    found = {key: body for key, body in functions.items() if isinstance(key, str)}
    for name, body in found.items():
        find_targets(body, functions.get((name, "labels"), {}))
    return found


def find_targets(body, labels):
    for i in body:
        match = re.search(r"`\(([^)]+)\)", i.operands[-1]) if i.operands else None
        if match and i.base in ("BRA", "BSSY", "CALL"):
            i.target = labels.get(match.group(1))
