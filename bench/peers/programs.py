"""Programs that are compiled, run and timed, all in the same surroundings."""
import os
import re
import shlex
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.dirname(HERE)
TOP = os.path.dirname(BENCH)

PEER_FLAGS = ["", "-mprefer-vector-width=512", "-mtune=icelake-server"]


class Failed(Exception):
    """A program that was not made, did not end well, or computed something else."""


def stop_by_signals():
    """Folders are removed then, too."""
    for number in signal.SIGHUP, signal.SIGTERM:
        signal.signal(number, lambda *_: sys.exit(99))


def cores():
    return len(os.sched_getaffinity(0))


def surroundings():
    """A thread for each core, pinned; allocated memory in large pages."""
    env = dict(os.environ)
    env.setdefault("OMP_NUM_THREADS", str(cores()))
    env.setdefault("OMP_PLACES", "cores")
    env.setdefault("OMP_PROC_BIND", "close")
    env.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    return env


def run(command, timeout=600, **env):
    """Its standard output."""
    try:
        done = subprocess.run(command, env={**surroundings(), **env}, timeout=timeout,
                              capture_output=True, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(f"{command[0]}: {error}") from error
    if done.returncode:
        raise Failed(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
    return done.stdout


def rate(command, **env):
    """GStencils/s, as the command prints them."""
    found = re.search(r"([0-9.e+-]+) GStencils/s", run(command, **env))
    if not found:
        raise Failed(f"{command[0]}: no rate")
    return float(found[1])


def compiler():
    return shlex.split(os.environ.get("CC") or "cc")


def base_flags():
    """Of those that are compared with ours: a search adds PEER_FLAGS to them."""
    return shlex.split(os.environ.get("PEER_CFLAGS") or "-O3 -march=native -fopenmp")


def own_flags():
    return shlex.split(os.environ.get("CPU_CFLAGS", "-O3 -march=native -fopenmp"))


def compile_c(source, program, flags, more=()):
    """Values are those of the source, operation by operation; roots set no errno, so
    that those of plain nests are vectors, too."""
    run(compiler() + ["-std=gnu11"] + flags + ["-ffp-contract=off", "-fno-math-errno"] +
        list(more) + [source, "-o", program, "-lm"])
