"""One stencil in one precision for one machine: compiled, counted and simulated."""
import json
import os
import re
import shlex
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from math import prod

from issue import SM, steady_cycles
from launches import launches
from listing import CLASSES, read_listing
from loops import Turns, classes, hot_loop, steady_turn
from machine import bytes_per_cycle, makespan, read_machine, resident
from walk import Kernel, Walk

CACHE = 32 << 10    # bytes of the first instruction cache
LATENCIES = (600, 900)
PROFILE = 40000     # blocks of code that a warp goes through to find its hot loop
# As many times the sizes, and a block in the middle is far from all edges.
FAR = 5


def command(name, default):
    return shlex.split(os.environ.get(name) or default)


def run(arguments, folder, **more):
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, **more)
    if done.returncode:
        raise RuntimeError(" ".join(arguments) + ": " + (done.stderr or done.stdout).strip())
    return done


def in_double(source):
    source = source.replace("float", "double")
    return re.sub(r"([0-9.])f([^A-Za-z0-9_])", r"\1\2", source)


@dataclass
class Figures:
    """What is told of a case; a pair has one for each of LATENCIES."""
    name: str
    precision: str
    machine: str
    sizes: str = ""
    strategy: str = ""
    registers: int = 0
    spills: int = 0
    blocks: int = 0
    warps: int = 0
    per_update: dict = field(default_factory=dict)
    code: int = 0
    distances: list = field(default_factory=list)
    busy: list = field(default_factory=list)
    waits: list = field(default_factory=list)
    far: list = field(default_factory=list)
    launched: list = field(default_factory=list)
    all_per_update: float = 0
    fast: float = 0
    bytes_per_update: float = 0
    predicted: float = 0
    binding: str = ""
    bounds: dict = field(default_factory=dict)


class Case:
    def __init__(self, source, name, precision, arch, sizes, options, folder):
        self.name, self.precision, self.arch = name, precision, arch
        self.options, self.folder = options, folder
        names = re.search(r"param\s+int\s+([^;]*);", source).group(1)
        self.sizes = dict(zip([n.strip() for n in names.split(",")], sizes))
        self.program = in_double(source) if precision == "double" else source
        self.fields = len(re.findall(r"\w+\s*(?:\[[^\]]*\])+\s*[,;]", "".join(
            re.findall(r"(?m)^\s*state\s.*$", source))))
        self.bytes = 8 if precision == "double" else 4
        self.figures = Figures(name, precision, arch)

    def stencilc(self, *more):
        problem = ",".join(f"{n}={v}" for n, v in self.sizes.items())
        return run([*command("STENCILC", "stencilc"), f"--arch={self.arch}",
                    f"--problem={problem}", *self.options, *more, "x.stn"], self.folder)

    def compile(self):
        with open(os.path.join(self.folder, "x.stn"), "w") as file:
            file.write(self.program)
        self.stencilc("-q", "-o", "x.cu")
        with open(os.path.join(self.folder, "x.cu")) as file:
            self.source = file.read()
        self.model = json.loads(self.stencilc("-q", "--emit=model", "--format=json").stdout)
        self.machine = read_machine(run([*command("STENCILC", "stencilc"),
                                         f"--arch={self.arch}", "--print-arch"],
                                        self.folder).stdout)
        log = run([*command("NVCC", "nvcc"), "-O3", "-arch=sm_90", "-Xptxas", "-v", "-cubin",
                   "-o", "x.cubin", "x.cu"], self.folder).stderr
        self.resources = dict(re.findall(
            r"Compiling entry function '(\w+)'.*?\n((?:.*\n)*?.*Used .*)", log))
        self.listing = read_listing(run([*command("NVDISASM", "nvdisasm"), "-c", "-hex",
                                         "x.cubin"], self.folder).stdout)

    def chosen(self):
        """Sizes and threads that the model took."""
        if "sizes" in self.model:
            return self.model["sizes"]
        tile = " ".join(f"{n}={v}" for n, v in self.model["tile"].items())
        return tile + " threads=" + ",".join(map(str, self.model["threads"]))

    def updates_of_turn(self, turns):
        """Updates that a turn of the hot loop of a block is good for: of strips, whose launch
        takes "b" steps, b for each cell stored; of hexagons, those of a tile."""
        chosen = dict(re.findall(r"(\w+)=(\d+)", self.chosen()))
        if "b" in chosen:
            return int(chosen["b"]) * turns.stored / self.bytes / self.fields
        tile = self.stencilc("-q", "--emit=tiles").stdout
        points = int(re.search(r"(\d+) points of the hexagon", tile).group(1))
        return points * prod(int(v) for n, v in chosen.items() if re.fullmatch("w[12]", n))

    def body_of(self, launch):
        return next((mangled, body) for mangled, body in self.listing.items()
                    if re.match(rf"_Z\d+{launch.kernel}[A-Z]?", mangled)
                    or mangled == launch.kernel)

    def middle(self, found):
        """The launch in the middle, of the kernel that is launched most."""
        kernel = Counter(l.kernel for l in found).most_common(1)[0][0]
        mine = [l for l in found if l.kernel == kernel]
        return mine[len(mine) // 2]

    def examine(self):
        self.compile()
        f = self.figures
        f.strategy, f.sizes = self.model["strategy"], self.chosen()
        far = launches(self.source, {n: v if n == "T" else FAR * v
                                     for n, v in self.sizes.items()}, self.folder)
        launch = self.middle(far)
        mangled, body = self.body_of(launch)
        self.kernel, self.addressed = Kernel(body), Kernel(body, addresses=True)
        self.resources_of(mangled, launch)
        self.rate = bytes_per_cycle(self.machine, self.part_of_memory())
        self.fast = self.turns_of(launch, self.block_inside(launch))
        self.hot_loop_figures(self.fast)
        self.launched_figures(launches(self.source, self.sizes, self.folder))
        self.model_figures()
        return f

    def resources_of(self, mangled, launch):
        f = self.figures
        text = self.resources[mangled]
        number = lambda what: int((re.search(what, text) or [0, 0])[1])
        f.registers = number(r"Used (\d+) registers")
        f.spills = number(r"(\d+) bytes spill stores")
        self.shared = number(r"(\d+) bytes smem") + launch.shared
        f.warps = launch.warps()
        f.blocks = resident(self.machine, f.registers, self.shared, prod(launch.threads))

    def part_of_memory(self):
        terms = self.model["terms"]
        if terms.get("v_l2_bytes"):
            return min(1, terms["v_gm_bytes"] / terms["v_l2_bytes"])
        return 1

    def walk(self, launch, block, warp, kernel=None):
        return Walk(kernel or self.kernel, launch.threads, dict(launch.constants), block, warp,
                    launch.grid)

    def block_inside(self, launch):
        """A block far from all edges: in the middle, or, as hexagons of a launch are at
        different places of their own, the first in y."""
        x, y, z = (n // 2 for n in launch.grid)
        def arithmetic(block):
            found = classes(self.kernel, self.walk(launch, block, launch.warps() // 2)
                            .count(most=PROFILE))
            return found["fp"] / found.total()
        return max([(x, y, z), (x, 0, z)], key=arithmetic)

    def turns_of(self, launch, block):
        """The hot loop of a block, or None where there is none."""
        warp = launch.warps() // 2
        head = hot_loop(self.kernel, self.walk(launch, block, warp).count(most=PROFILE))
        if head is None:
            return None
        first = steady_turn(self.kernel, self.walk(launch, block, warp), head)
        return Turns(self.addressed, launch, block, head, first)

    def run(self, turns, blocks, latency):
        """An SM after so many resident blocks ran to the end of their traces."""
        l1 = self.machine["l1_bytes_per_sm"] - blocks * self.shared
        sm = SM([turns.traces] * blocks, latency, self.rate, l1=max(l1, 8 << 10),
                barrier=round(self.machine["sync_s"] * self.machine["clock_hz"]),
                head=turns.head)
        sm.now = sm.run()
        return sm

    def hot_loop_figures(self, turns):
        f = self.figures
        updates = self.updates_of_turn(turns)
        f.per_update = {c: 32 * turns.executed[c] / updates for c in CLASSES}
        f.code = turns.code_bytes()
        f.distances = sorted(d for d in turns.distances if d is not None)
        self.cycles = {}
        for latency in LATENCIES:
            sm = self.run(turns, f.blocks, latency)
            cycles = steady_cycles(sm)
            self.cycles[latency, f.blocks] = cycles
            f.far.append(self.rate_of(updates * f.blocks / cycles))
            f.busy.append(turns.instructions() * f.blocks / cycles / 4)
            total = sum(sm.idle.values()) + sm.issued
            f.waits.append({why: n / total for why, n in sm.idle.items()})
        made = sum(len(w.marks) for block in sm.blocks for w in block) / f.warps
        f.bytes_per_update = sm.bytes / made / updates

    def rate_of(self, per_cycle):
        """Gigaupdates a second of all SMs."""
        return per_cycle * self.machine["sm_count"] * self.machine["clock_hz"] / 1e9

    # What is launched: blocks of each kind are counted, and dealt to the SMs.

    @staticmethod
    def some(n):
        """Indices that stand for all of n, each with the number of those it stands for."""
        if n <= 5:
            return {k: 1 for k in range(n)}
        return {0: 1, 1: 1, n // 2: n - 4, n - 2: 1, n - 1: 1}

    def count_blocks(self, launch, kernel):
        """{block: counts of its warps}, for blocks that stand for all."""
        warps = self.some(launch.warps())
        counted = {}
        for block in product(*(self.some(n) for n in launch.grid)):
            total = Counter()
            for warp, alike in warps.items():
                for start, n in self.walk(launch, block, warp, kernel).count().items():
                    total[start] += n * alike
            counted[block] = total
        return counted

    def stand_in(self, launch, block):
        """The block that stands for another one."""
        def one(k, n):
            return k if n <= 5 or k < 2 or k > n - 3 else n // 2
        return tuple(one(k, n) for k, n in zip(block, launch.grid))

    def launched_figures(self, found):
        f = self.figures
        f.launched = [0 for _ in LATENCIES]
        total, in_fast, all_of_it, moved = 0, 0, 0, 0
        for launch, times in self.kinds(found):
            body = self.body_of(launch)[1]
            kernel = self.kernel if body is self.kernel.body else Kernel(body)
            counted = self.count_blocks(launch, kernel)
            instructions = {b: sum(classes(kernel, c).values()) for b, c in counted.items()}
            order = list(product(*(range(n) for n in reversed(launch.grid))))
            blocks = [self.stand_in(launch, b[::-1]) for b in order]
            counts = Counter(blocks)
            total += times * sum(instructions[b] * n for b, n in counts.items())
            if kernel is not self.kernel:
                continue
            groups = self.groups(launch, counted, instructions, counts)
            for n, latency in enumerate(LATENCIES):
                cycles = self.cycles_of_launch(launch, blocks, instructions, groups, latency)
                f.launched[n] += times * (cycles / self.machine["clock_hz"]
                                          + self.machine["launch_s"])
            fast = self.fast.head
            in_fast += times * sum(n for b, n in counts.items() if groups[b][0] == fast)
            all_of_it += times * len(blocks)
        updates = prod(self.sizes.values())
        f.all_per_update = 32 * total / updates
        f.fast = in_fast / max(all_of_it, 1)
        f.launched = [updates / s / 1e9 for s in f.launched]

    def kinds(self, found):
        """Launches that stand for all, and for how many each: of those with one grid one in
        the middle, and the last where its blocks go another way (the steps that are left);
        of rarer grids their blocks count as blocks of these."""
        groups = {}
        for launch in found:
            groups.setdefault((launch.kernel, launch.grid), []).append(launch)
        main = Counter(l.kernel for l in found).most_common(1)[0][0]
        largest = max((g for (k, _), g in groups.items() if k == main), key=len)
        rare = sum(len(g) * g[0].blocks() for (k, _), g in groups.items()
                   if k == main and g is not largest)
        n = len(largest)
        same = n + rare / largest[0].blocks()
        if self.middle_block(largest[-1]) != self.middle_block(largest[n // 2]):
            same -= 1
            yield largest[-1], 1
        if same:
            yield largest[n // 2], same
        for (kernel, _), group in groups.items():
            if kernel != main:
                yield group[0], len(group)

    def middle_block(self, launch):
        block = tuple(n // 2 for n in launch.grid)
        return self.walk(launch, block, launch.warps() // 2).count()

    def groups(self, launch, counted, instructions, counts):
        """{block: (start of its hot loop, turns of its warps together)}."""
        heads = {b: hot_loop(self.kernel, c) for b, c in counted.items()}
        return {b: (heads[b], instructions[b]) for b in counted}

    def cycles_of_launch(self, launch, blocks, instructions, groups, latency):
        """Cycles of a launch: each block takes as long as its instructions at the pace of the
        loop where its warps are most of the time."""
        places = self.figures.blocks
        weight = Counter()
        for b in blocks:
            weight[groups[b][0], b] += instructions[b]
        pace = {}
        for (head, b), _ in weight.most_common():
            if head not in pace:
                pace[head] = self.pace(launch, b, head, latency)
        cycles = [instructions[b] * pace[groups[b][0]] for b in blocks]
        return makespan(cycles, int(self.machine["sm_count"]), places,
                        lambda n: self.speed(n, latency))

    def pace(self, launch, block, head, latency):
        """Cycles for an instruction of a block in that loop, when the SM is full."""
        places = self.figures.blocks
        if head == self.fast.head:
            return self.cycles[latency, places] / self.fast.instructions()
        if (head, "pace", latency) not in self.cycles:
            if (head, "turns") not in self.cycles:
                self.cycles[head, "turns"] = Turns(self.addressed, launch, block, head, 16,
                                                   turns=(0, 1 << 30), most=8000)
            turns = self.cycles[head, "turns"]
            if not turns.length():
                turns = self.fast
            sm = self.run(turns, places, latency)
            self.cycles[head, "pace", latency] = sm.now / turns.length()
        return self.cycles[head, "pace", latency]

    def speed(self, blocks, latency):
        """How much faster a block is where so many are resident and not all."""
        places = self.figures.blocks
        if blocks in (0, places):
            return 1
        key = latency, blocks
        if key not in self.cycles:
            known = {1, (places + 1) // 2, places} if places > 3 else range(1, places + 1)
            if blocks in known:
                self.cycles[key] = steady_cycles(self.run(self.fast, blocks, latency))
            else:
                below = max(n for n in known if n < blocks)
                above = min(n for n in known if n > blocks)
                low = self.cycles[latency, places] / self.speed(below, latency)
                high = self.cycles[latency, places] / self.speed(above, latency)
                self.cycles[key] = low + (high - low) * (blocks - below) / (above - below)
        return self.cycles[latency, places] / self.cycles[key]

    def model_figures(self):
        f = self.figures
        updates = prod(self.sizes.values())
        f.predicted = updates / self.model["predicted_s"] / 1e9
        f.binding = self.model.get("binding", "")
        terms = self.model["terms"]
        for name in ("issue", "arithmetic", "shuffles", "l2", "gm"):
            above = terms.get("above_" + name)
            if above:
                f.bounds[name] = f.predicted * above
