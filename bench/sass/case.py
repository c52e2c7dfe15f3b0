"""One stencil in one precision for one machine: compiled, counted and simulated."""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from math import prod

from kernel import Timed
from launches import launches
from listing import CLASSES, read_listing
from machine import bytes_per_cycle, read_machine

LATENCIES = (600, 900)  # cycles of a load that L1 has not
# As many times the sizes, and a block in the middle is far from all edges.
FAR = 5


def command(name, default):
    return shlex.split(os.environ.get(name) or default)


def nvdisasm():
    """The command: of the environment, the path, or the wheel nvidia-cuda-nvdisasm."""
    wheels = [p for folder in sys.path
              for p in glob.glob(os.path.join(folder, "nvidia", "*", "bin", "nvdisasm"))]
    return command("NVDISASM", shutil.which("nvdisasm") or (wheels or ["nvdisasm"])[0])


def run(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(arguments) + ": " + (done.stderr or done.stdout).strip())
    return done


def in_double(source):
    source = re.sub(r"\bfloat", "double", source)
    return re.sub(r"([0-9.])f([^A-Za-z0-9_])", r"\1\2", source)


def parameters(source):
    names = re.search(r"param\s+int\s+([^;]*);", source).group(1)
    return [name.strip() for name in names.split(",")]


def fields(source):
    """How many arrays the state has."""
    declared = "".join(re.findall(r"(?m)^\s*state\s.*$", source))
    return len(re.findall(r"\w+\s*(?:\[[^\]]*\])+\s*[,;]", declared))


@dataclass
class Case:
    name: str
    precision: str
    arch: str
    source: str     # of stencilc
    sizes: dict     # of each parameter
    options: list   # of stencilc
    folder: str     # for its files

    def stencilc(self, *more):
        return run([*command("STENCILC", "stencilc"), f"--arch={self.arch}", *self.options,
                    "--problem=" + ",".join(f"{n}={v}" for n, v in self.sizes.items()),
                    "-q", *more], self.folder).stdout

    def examine(self):
        self.compile()
        self.updates = prod(self.sizes.values())
        self.predicted = self.updates / self.model["predicted_s"] / 1e9
        self.find_kernels()
        self.turns_figures()
        self.launch_figures()
        return self

    def compile(self):
        double = self.precision == "double"
        with open(os.path.join(self.folder, "x.stn"), "w") as file:
            file.write(in_double(self.source) if double else self.source)
        self.stencilc("-o", "x.cu", "x.stn")
        with open(os.path.join(self.folder, "x.cu")) as file:
            self.emitted = file.read()
        self.model = json.loads(self.stencilc("--emit=model", "--format=json", "x.stn"))
        self.machine = read_machine(self.stencilc("--print-arch"))
        log = run([*command("NVCC", "nvcc"), "-O3", "-arch=sm_90", "-Xptxas", "-v", "-cubin",
                   "-o", "x.cubin", "x.cu"], self.folder).stderr
        self.ptxas = dict(re.findall(
            r"Compiling entry function '(\w+)'.*?\n((?:.*\n)*?.*Used .*)", log))
        self.listing = read_listing(run([*nvdisasm(), "-c", "-hex", "x.cubin"],
                                        self.folder).stdout)

    def chosen(self):
        """Sizes and threads that the model took."""
        if "sizes" in self.model:
            return self.model["sizes"]
        tile = " ".join(f"{n}={v}" for n, v in self.model["tile"].items())
        return tile + " threads=" + ",".join(map(str, self.model["threads"]))

    def find_kernels(self):
        """The kernels and their launches; of those with a hot loop, the one with most blocks."""
        far = {n: v if n == parameters(self.source)[0] else FAR * v
               for n, v in self.sizes.items()}
        self.launches = self.by_kernel(self.sizes)
        self.kernels = {}
        for name, found in self.by_kernel(far).items():
            mangled, body = next((m, b) for m, b in self.listing.items()
                                 if re.match(rf"_Z\d+{name}[A-Z]?", m) or m == name)
            self.kernels[name] = Timed(self.machine, body, self.resources(mangled),
                                       found[len(found) // 2], self.rate(),
                                       self.model["strategy"] == "hex")
        loops = [name for name, kernel in self.kernels.items() if kernel.turns.head is not None]
        if not loops:
            raise RuntimeError("no hot loop")
        self.main = max(loops, key=lambda name: sum(l.blocks() for l in self.launches[name]))
        self.timed = self.kernels[self.main]

    def by_kernel(self, sizes):
        found = {}
        for launch in launches(self.emitted, sizes, self.folder):
            found.setdefault(launch.kernel, []).append(launch)
        return found

    def resources(self, mangled):
        def number(what):
            return int((re.search(what, self.ptxas[mangled]) or [0, 0])[1])
        return {"registers": number(r"Used (\d+) registers"),
                "spills": number(r"(\d+) bytes spill stores"),
                "shared": number(r"(\d+) bytes smem")}

    def rate(self):
        """Bytes that an SM gets a cycle; the model tells the part of its loads and stores
        that go on from L2 to device memory."""
        terms, part = self.model["terms"], 1
        if terms.get("v_l2_bytes"):
            part = min(1, terms["v_gm_bytes"] / terms["v_l2_bytes"])
        return bytes_per_cycle(self.machine, part)

    def updates_of_turn(self):
        """Updates that a turn of the hot loop of a block is good for: of strips, whose launch
        takes "b" steps, b for each cell stored; of hexagons, those of a tile."""
        chosen = dict(re.findall(r"(\w+)=(\d+)", self.chosen()))
        if "b" in chosen:
            word = 8 if self.precision == "double" else 4
            return int(chosen["b"]) * self.timed.turns.stored / word / fields(self.source)
        tile = self.stencilc("--emit=tiles", "x.stn")
        points = int(re.search(r"(\d+) points of the hexagon", tile).group(1))
        return points * prod(int(v) for n, v in chosen.items() if re.fullmatch("w[12]", n))

    def rate_of(self, cycles):
        """Gigaupdates a second of all SMs, for cycles of an update on one."""
        return self.machine["sm_count"] * self.machine["clock_hz"] / cycles / 1e9

    def turns_figures(self):
        """Of the hot loop: instructions an update, updates a second, what was waited for."""
        turns, places = self.timed.turns, self.timed.places
        updates = self.updates_of_turn()
        if not updates:
            raise RuntimeError("the hot loop stores nothing")
        self.per_update = {c: 32 * turns.executed[c] / updates for c in CLASSES}
        self.hot, self.used, self.waits = [], [], Counter()
        for latency in LATENCIES:
            cycles, sm = self.timed.turn(latency)
            self.hot.append(self.rate_of(cycles / updates / places))
            self.used.append(turns.instructions() * places / cycles / 4)
            self.waits.update(sm.idle)
        made = sum(len(w.marks) for block in sm.blocks for w in block) / len(sm.blocks[0])
        self.bytes_per_update = sm.bytes / made / updates
        least = {pipe: n / updates for pipe, n in turns.pipes.items() if n}
        least["issue"] = turns.instructions() / 4 / updates
        least["bytes"] = self.bytes_per_update / self.timed.rate
        self.binding = max(least, key=least.get)
        self.bound = self.rate_of(least[self.binding])

    def launch_figures(self):
        """Of all launches: a kernel's one in the middle stands for the others, by blocks."""
        total, seconds = 0, [0] * len(LATENCIES)
        for name, found in self.launches.items():
            launch, timed = found[len(found) // 2], self.kernels[name]
            if timed is not self.timed:
                for latency in LATENCIES:
                    timed.turn(latency)
            alike = sum(l.blocks() for l in found) / launch.blocks()
            executed, cycles = timed.launch(launch, LATENCIES)
            total += alike * executed
            for n, c in enumerate(cycles):
                seconds[n] += alike * c / self.machine["clock_hz"] \
                    + len(found) * self.machine["launch_s"]
        launch = self.launches[self.main][len(self.launches[self.main]) // 2]
        self.waves = launch.blocks() / self.timed.places / self.machine["sm_count"]
        self.all_per_update = 32 * total / self.updates
        self.launched = [self.updates / s / 1e9 for s in seconds]
