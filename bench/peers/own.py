"""What --target=c makes."""
import os
import re
import subprocess
import time

from programs import Failed, TOP, compile_c, own_flags, run
from search import Found


def in_type(text, real):
    """A program in float, or the same in double."""
    if real == "double":
        text = re.sub(r"\bfloat\b", "double", text)
        text = re.sub(r"([0-9])f\b", r"\1", text)
    return text


def generate(source, code, problem, more=()):
    """The C of a program: the seconds that takes, and what was chosen for it."""
    stencilc = os.environ.get("STENCILC") or "stencilc"
    options = (os.environ.get("CPU_OPTIONS") or "").split()
    start = time.monotonic()
    done = subprocess.run([stencilc, "--target=c", *more, *options, "-v", "--problem", problem,
                           source, "-o", code], capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode:
        raise Failed(f"{stencilc}: {done.stderr.strip()[-500:]}")
    chosen = re.search(r"^stencilc: strategy (\w+):.* host; (.*), ", done.stderr, re.M)
    return seconds, " ".join(chosen.groups()) if chosen else ""


class Own:
    """The code for a nest, with what it took and what was chosen."""

    def __init__(self, nest, folder):
        path = os.path.join(folder, nest.name + ".stn")
        with open(os.path.join(TOP, "examples", nest.name + ".stn")) as file:
            text = in_type(file.read(), nest.real)
        with open(path, "w") as file:
            file.write(text)
        code = os.path.join(folder, "ours.c")
        program = os.path.join(folder, f"ours-{nest.name}-{nest.real}")
        self.seconds, self.choice = generate(path, code, nest.problem(), ["--harness"])
        compile_c(code, program, own_flags())
        self.command = [program] + nest.parameters()
        self.found = Found("", self.command + ["--repeat=2", "--no-check"])

    def check(self):
        """The harness compares with plain loops, bit for bit."""
        run(self.command)
