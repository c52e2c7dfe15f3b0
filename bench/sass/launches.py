"""What an emitted program launches for given sizes: its own host code, run without a GPU.

Kernels become functions that print their arguments, and the CUDA runtime is launches.h.
"""
import os
import re
import shlex
import subprocess
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
# The first argument of a kernel lies there in the constant bank, on sm_90.
ARGUMENTS = 0x210


@dataclass(frozen=True)
class Launch:
    kernel: str
    grid: tuple
    threads: tuple
    shared: int
    constants: tuple

    def blocks(self):
        return self.grid[0] * self.grid[1] * self.grid[2]

    def warps(self):
        return (self.threads[0] * self.threads[1] * self.threads[2] + 31) // 32


def without_bodies(source):
    """Host code only: functions of the device are dropped, kernels tell their arguments."""
    out = []
    for part in re.split(r"(?m)^(?=static |extern )", source):
        head, _, _ = part.partition("{")
        after = re.split(r"(?m)^}\n", part, maxsplit=1)
        if "__global__" in head:
            head = re.sub(r"__launch_bounds__\([^)]*\)", "", head)
            match = re.search(r"(\w+)\(([^{]*)\)\s*$", head)
            names = [re.search(r"(\w+)\s*$", p).group(1) for p in match.group(2).split(",")]
            out.append(head)
            out.append('{\n\tprintf("%s %s", __func__, launched);\n'
                       + "".join(f"\tput({n});\n" for n in names) + "\tputchar('\\n');\n}\n")
            out.append(after[1] if len(after) > 1 else "")
        elif "__device__" in head and "__host__" not in head:
            out.append(after[1] if len(after) > 1 else "")
        elif "__shared__" in head.partition(";")[0]:
            out.append(part.partition(";")[2])
        else:
            out.append(part)
    text = "".join(out).replace("__restrict__", "__restrict")
    text = re.sub(r"#include <cuda_runtime.h>", '#include "launches.h"', text)
    text = re.sub(r"(?m)^#include [<\"](?:cuda|cooperative).*\n", "", text)
    return re.sub(r"(\w+)<<<(.*?)>>>\(", r"configure(\2), \1(", text, flags=re.S)


def host_program(source, sizes):
    """C++ that prints the launches of the function that works on device memory."""
    match = re.search(r'extern "C" int (\w+_device)\(([^)]*)\)', source)
    arguments = []
    for n, parameter in enumerate(match.group(2).split(",")):
        name = re.search(r"(\w+)\s*$", parameter).group(1)
        if "*" in parameter:
            kind = parameter.rpartition("*")[0].replace("__restrict__", "")
            arguments.append(f"({kind}*)({n + 1}ull << 36)")
        elif "cudaStream_t" in parameter:
            arguments.append("0")
        else:
            arguments.append(str(sizes.get(name, 1)))
    return without_bodies(source) + "\nint main()\n{\n\treturn %s(%s);\n}\n" % (
        match.group(1), ", ".join(arguments))


def constants(arguments):
    """Words of the constant bank that hold arguments, "SIZE:VALUE" each."""
    at, words = ARGUMENTS, []
    for argument in arguments:
        size, value = map(int, argument.split(":"))
        at = (at + size - 1) // size * size
        words.append((at, value & 0xffffffff))
        if size == 8:
            words.append((at + 4, value >> 32))
        at += size
    return tuple(words)


def launches(source, sizes, folder):
    """The launches of a .cu file's text, in order; files are left in "folder"."""
    path = os.path.join(folder, "host.cpp")
    with open(path, "w") as file:
        file.write(host_program(source, sizes))
    compiler = shlex.split(os.environ.get("CXX") or "c++")
    subprocess.run([*compiler, "-w", "-O0", "-I", HERE, "-o", os.path.join(folder, "host"),
                    path], check=True)
    run = subprocess.run([os.path.join(folder, "host")], check=True, capture_output=True,
                         text=True)
    found = []
    for line in run.stdout.splitlines():
        kernel, grid, threads, shared, *arguments = line.split()
        found.append(Launch(kernel, tuple(map(int, grid.split(","))),
                            tuple(map(int, threads.split(","))), int(shared),
                            constants(arguments)))
    return found
