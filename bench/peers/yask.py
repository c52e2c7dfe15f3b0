"""The plain nests by YASK: kernels that were made of yask/PlainNests.cpp.

YASK is its folder.  The kernel of a stencil is lib/libyask_kernel.NAME-BYTES.ARCH.so, BYTES
being those of a number: jacobi2d-4 is jacobi2d in float.
"""
import glob
import os
import shlex

from nests import BYTES
from programs import HERE, run
from search import Found, say

# Blocks without and with steps; the first ones are where its tuner begins.
SETTINGS = {
    1: ["--tune -bx 32768", "-bx 65536", "-bt 48 -bx 16384", "-bt 96 -bx 16384",
        "-bt 96 -bx 32768", "-bt 96 -bx 65536", "-bt 96 -bx 131072", "-bt 48 -bx 131072"],
    2: ["--tune -b 128", "--tune -bt 8 -b 256", "-bx 64 -by 1024", "-bt 12 -bx 128 -by 512",
        "-bt 16 -bx 256 -by 512", "-bt 24 -bx 512 -by 512", "-bt 24 -bx 512 -by 1024",
        "-bt 24 -bx 1024 -by 512", "-bt 24 -bx 1024 -by 1024", "-bt 48 -bx 512 -by 512"],
    3: ["--tune -b 64", "--tune -bt 4 -b 64", "-bx 16 -by 16 -bz 304",
        "-bt 4 -bx 48 -by 48 -bz 304", "-bt 4 -bx 64 -by 64 -bz 304",
        "-bt 8 -bx 64 -by 304 -bz 304", "-bt 8 -bx 104 -by 104 -bz 304",
        "-bt 8 -bx 152 -by 64 -bz 304 -mbx 8", "-bt 8 -bx 152 -by 64 -bz 304 -mbx 16"],
}


class Yask:
    name = "yask"

    def __init__(self, folder, reference, yask):
        self.folder, self.reference, self.yask = folder, reference, yask

    def key(self):
        return "yask"

    def settings(self, nest):
        if self.kernels(nest):
            return SETTINGS[nest.dims]
        say(f"  yask: there is no kernel of {nest.name}-{BYTES[nest.real]}")
        return []

    def kernels(self, nest):
        return glob.glob(os.path.join(self.yask, "lib", "libyask_kernel."
                                      f"{nest.name}-{BYTES[nest.real]}.*.so"))

    def program(self, nest):
        program = os.path.join(self.folder, f"yask-{nest.name}-{nest.real}")
        if not os.path.exists(program):
            folder, library = os.path.split(self.kernels(nest)[0])
            run(shlex.split(os.environ.get("CXX") or "c++") +
                ["-std=c++17", "-O2", "-DREAL=" + nest.real,
                 "-I" + os.path.join(self.yask, "include"), os.path.join(HERE, "yask-run.cpp"),
                 "-o", program, "-fopenmp", "-L" + folder, "-l" + library[3:-3],
                 "-Wl,-rpath=" + os.path.abspath(folder)])
        return program

    def make(self, nest, setting):
        """Its tuner's blocks are a setting of their own."""
        command = [self.program(nest), str(nest.steps), str(nest.n), "2", "-"]
        if setting.startswith("--tune"):
            blocks = run(command + setting.split()).strip()
            steps = setting.split()[1:3] if "-bt" in setting else []
            setting = " ".join(steps + blocks.split())
        return Found(setting, command + setting.split())

    def identity(self, found):
        return found.setting

    def check(self, nest, found):
        self.reference.check(nest, lambda path: found.command[:3] + ["1", path] +
                             found.setting.split(), to_rounding=True)
