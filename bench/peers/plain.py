"""The plain nests of bench/cpu-plain.c, with the best of some sets of flags."""
import os

from programs import BENCH, PEER_FLAGS, base_flags, compile_c
from search import Found, compiler_version

SOURCE = os.path.join(BENCH, "cpu-plain.c")


def compile_nest(name, real, program, flags, more=()):
    compile_c(SOURCE, program, flags, ["-DSTENCIL_" + name, "-DREAL=" + real, *more])


class Plain:
    name = "plain"

    def __init__(self, folder, reference):
        self.folder, self.reference = folder, reference

    def key(self):
        return f"plain, {compiler_version()}, {' '.join(base_flags())}"

    def settings(self, nest):
        return PEER_FLAGS

    def make(self, nest, flags):
        program = os.path.join(self.folder, f"plain-{nest.name}-{nest.real}{flags}")
        compile_nest(nest.name, nest.real, program, base_flags() + flags.split())
        return Found(flags, [program, str(nest.steps), str(nest.n), "2"])

    def identity(self, found):
        """What runs: other flags may make the same program."""
        with open(found.command[0], "rb") as file:
            return file.read()

    def check(self, nest, found):
        """Plain nests are what others are compared with."""
        sizes = [str(nest.steps), str(nest.n), "1"]

        def fused(path):
            program = found.command[0] + "-fused"
            compile_nest(nest.name, nest.real, program,
                         base_flags() + found.setting.split(), ["-ffp-contract=fast"])
            return [program] + sizes + [path]

        self.reference.make(nest, lambda path: found.command[:1] + sizes + [path], fused)
