"""The plain nests by Pluto: POLYCC is its polycc.

Pluto reads affine indices only: the array has a version for each step, and only what Pluto
wrote says that two are enough.  What orders values orders these, too: who overwrites a value
has read one that was computed from it.
"""
import os
import re
import subprocess

from programs import Failed, PEER_FLAGS, base_flags, compile_c, run
from plain import SOURCE
from search import Found, compiler_version

HEAT3D = " + ".join(f"a[t][i{i}][j{j}][k{k}]" for i in ("-1", "+0", "+1")
                    for j in ("-1", "+0", "+1") for k in ("-1", "+0", "+1"))
GRADIENT = "".join(f" + (a[t][i][j] - a[t][{at}]) * (a[t][i][j] - a[t][{at}])"
                   for at in ("i-1][j", "i+1][j", "i][j-1", "i][j+1"))
VALUES = {
    "jacobi1d": "0.333333 * (a[t][i-1] + a[t][i] + a[t][i+1])",
    "jacobi2d": """0.2 * (a[t][i][j] + a[t][i-1][j] + a[t][i+1][j] +
        a[t][i][j-1] + a[t][i][j+1])""",
    "heat2d": """0.125 * (a[t][i-1][j-1] + a[t][i-1][j] + a[t][i-1][j+1] + a[t][i][j-1] +
        a[t][i][j+1] + a[t][i+1][j-1] + a[t][i+1][j] + a[t][i+1][j+1])""",
    "gradient2d": f"a[t][i][j] + 1 / ROOT(0.0001{GRADIENT})",
    "laplacian3d": """0.4 * a[t][i][j][k] + 0.1 * (a[t][i-1][j][k] + a[t][i+1][j][k] +
        a[t][i][j-1][k] + a[t][i][j+1][k] + a[t][i][j][k-1] + a[t][i][j][k+1])""",
    "heat3d": f"0.037 * ({HEAT3D})",
}
FDTD = """  for (t = 0; t < T; t++) {
  for (i = 1; i < N; i++)
  for (j = 0; j < N; j++)
    ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i-1][j]);
  for (i = 0; i < N; i++)
  for (j = 1; j < N; j++)
    ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j-1]);
  for (i = 0; i < N - 1; i++)
  for (j = 0; j < N - 1; j++)
    hz[i][j] = hz[i][j] - 0.7 * (ex[i][j+1] - ex[i][j] + ey[i+1][j] - ey[i][j]);
  }
"""

# The first two dimensions make a diamond.
TILES = {1: "64,64 128,128 256,256 512,512 1024,1024 4096,4096",
         2: "32,32,256 32,32,1024 32,64,1024 64,64,512 64,64,1024",
         3: "8,8,8,512 16,16,8,512 16,16,16,128 16,16,16,512 24,24,8,512"}


def loops(nest):
    """The nest between Pluto's pragmas."""
    if nest.name == "fdtd2d":
        return FDTD
    text, at = "  for (t = 0; t < T; t++)\n", ""
    for d in "ijk"[:nest.dims]:
        text += f"  for ({d} = 1; {d} < N - 1; {d}++)\n"
        at += f"[{d}]"
    return text + f"    a[t+1]{at} = {' '.join(VALUES[nest.name].split())};\n"


def arrays(nest):
    if nest.name == "fdtd2d":
        return "".join(f"\treal (*restrict {name})[N] = (void *) (p + {k} * CELLS(N));\n"
                       for k, name in enumerate(("ex", "ey", "hz")))
    return f"\treal (*restrict a)[N]{'[N]' * (nest.dims - 1)} = (void *) p;\n"


def source(nest):
    return (f"#define CELLS(n) ((size_t) {' * '.join(['(n)'] * nest.dims)})\n"
            f"#define FIELDS {3 if nest.name == 'fdtd2d' else 2}\n"
            "static void run(int T, int N, real *restrict p)\n{\n" + arrays(nest) +
            "#pragma scop\n" + loops(nest) + "#pragma endscop\n}\n")


def header(text):
    """Pluto's C as the nests of bench/cpu-plain.c: literals, which are doubles, become what
    the type asks for by C()."""
    text = text[text.index("#define CELLS"):]
    text = text.replace("#pragma ivdep", "#pragma GCC ivdep")
    text = re.sub(r".*pragma vector always.*\n", "", text)
    text = re.sub(r"\ba\[([^]]*)\]", r"a[(\1)&1]", text)
    text = re.sub(r"\b(\d+\.\d+)\b", r"C(\1)", text)
    return re.sub(r"([^0-9])1 / ROOT", r"\1C(1) / ROOT", text)


class Pluto:
    name = "pluto"

    def __init__(self, folder, reference, polycc):
        self.folder, self.reference = folder, reference
        self.polycc = os.path.abspath(polycc) if os.sep in polycc else polycc

    def key(self):
        version = subprocess.run([self.polycc, "--version"], capture_output=True, text=True)
        version = re.search(r"[0-9]+\.[0-9.]+[-0-9a-z]*", version.stdout + version.stderr)
        return (f"pluto {version[0] if version else self.polycc}, {compiler_version()}, "
                f"{' '.join(base_flags())}")

    def settings(self, nest):
        return [f"{tiles} {flags}".strip() for tiles in TILES[nest.dims].split()
                for flags in PEER_FLAGS]

    def diamonds(self):
        """The option for diamonds, which 0.12 and later make unasked."""
        told = subprocess.run([self.polycc, "--help"], capture_output=True, text=True)
        return ["--partlbtile"] if "--partlbtile" in told.stdout + told.stderr else []

    def transform(self, nest, tiles):
        """A folder with its code for these tiles, as nests.h."""
        folder = os.path.join(self.folder, f"pluto-{nest.name}-{tiles}")
        if os.path.exists(os.path.join(folder, "nests.h")):
            return folder
        os.makedirs(folder, exist_ok=True)
        for name, text in ("nests.c", source(nest)), ("tile.sizes", tiles.replace(",", "\n")):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text + "\n")
        done = subprocess.run([self.polycc, "nests.c", "--tile", "--parallel"] +
                              self.diamonds() + ["-o", "out.c"], cwd=folder, timeout=200,
                              capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"polycc: {done.stderr.strip()[-500:]}")
        with open(os.path.join(folder, "out.c")) as file:
            text = header(file.read())
        with open(os.path.join(folder, "nests.h"), "w") as file:
            file.write(text)
        return folder

    def make(self, nest, setting):
        tiles, *flags = setting.split()
        folder = self.transform(nest, tiles)
        program = os.path.join(folder, "-".join([nest.real] + flags))
        compile_c(SOURCE, program, base_flags() + flags,
                  ['-DNESTS="nests.h"', "-I" + folder, "-DREAL=" + nest.real])
        return Found(setting, [program, str(nest.steps), str(nest.n), "2"])

    def identity(self, found):
        with open(found.command[0], "rb") as file:
            return file.read()

    def check(self, nest, found):
        self.reference.check(nest, lambda path: found.command[:3] + ["1", path])
