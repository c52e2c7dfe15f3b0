"""The programs of bench/wave: ours, by Devito, and by pystencils."""
import os
import subprocess
import sys
import time

from own import generate
from programs import BENCH, compile_c, own_flags, run
from search import Found

WAVE = os.path.join(BENCH, "wave")
sys.path.insert(0, WAVE)

from case import RECEIVERS


class OwnWave:
    """The code for one, with what it took and what was chosen; "source" is a way to write the
    same wave other than its file."""

    def __init__(self, wave, folder, source=None):
        code = os.path.join(folder, wave.name + ".c")
        self.source = source or os.path.join(WAVE, wave.name + ".stn")
        self.program = os.path.join(folder, "ours-" + wave.name)
        self.seconds, self.choice = generate(self.source, code, wave.problem())
        with open(code) as file:
            memory = ["-DMEMORY"] if wave.name + "_with_memory" in file.read() else []
        start = time.monotonic()
        compile_c(os.path.join(WAVE, "main.c"), self.program, own_flags(), [
            f'-DCODE="{code}"', "-DNAME=" + wave.name, f"-DDIMS={wave.dims}",
            f"-DRADIUS={wave.radius}", f"-DVERSIONS={wave.versions}"] + memory +
            ([f"-DRECEIVERS={RECEIVERS}"] if wave.shot else []))
        self.compile_seconds = time.monotonic() - start
        self.sizes = [str(wave.steps), str(wave.n)]
        self.found = Found("", [self.program] + self.sizes + ["2", "-"])
        self.check(wave, folder)

    def check(self, wave, folder):
        """The harness compares with plain loops, bit for bit, at full size."""
        code, program = (os.path.join(folder, "checked" + end) for end in (".c", ""))
        generate(self.source, code, wave.problem(), ["--harness"])
        compile_c(code, program, own_flags())
        run([program] + ["--" + size for size in wave.problem().split(",")])

    def writing(self, path):
        return [self.program] + self.sizes + ["1", path]


class Scripted:
    """A tool that a script of bench/wave uses, run by "python"."""

    def __init__(self, reference, python):
        self.reference, self.python = reference, python
        self.version = self.ask(f"import {self.name}; print({self.name}.__version__)")

    def ask(self, text):
        done = subprocess.run([self.python, "-c", text], capture_output=True, text=True)
        return done.stdout.strip().split("\n")[-1] if done.returncode == 0 else None

    def key(self):
        return f"{self.name} {self.version}"

    def command(self, wave, repeat, path, setting):
        return [self.python, os.path.join(WAVE, self.name + "-run.py"), wave.name, str(repeat),
                path] + setting.split()

    def make(self, wave, setting):
        return Found(setting, self.command(wave, 2, "-", setting))

    def identity(self, found):
        return found.setting

    def check(self, wave, found):
        self.reference.check(wave, lambda path: self.command(wave, 1, path, found.setting),
                             to_rounding=True)


class Devito(Scripted):
    """Its tuner's blocks are part of a setting."""

    name = "devito"

    def settings(self, wave):
        return ["advanced", "advanced:blockinner"]

    def make(self, wave, setting):
        if len(setting.split()) == 1:
            setting += " " + run(self.command(wave, 1, "-", setting)).strip().split("\n")[-1]
        return super().make(wave, setting)


class Pystencils(Scripted):
    name = "pystencils"

    def settings(self, wave):
        return ["plain", "vectors", "vectors stream"]
