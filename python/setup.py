"""Builds the compiler into the wheel.

The sources are those around this folder.  STENCILC_BINARY names a compiler that is
there already; STENCILC_BUILD a folder to build in, else one is made and removed.
"""
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def version():
    """The version that configure.ac has, as Python wants it."""
    text = (ROOT / "configure.ac").read_text()
    return re.search(r"AC_INIT\(\[stencilc\], \[([^]]*)\]", text).group(1)


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


def static_isl():
    """Arguments of configure that link isl statically, where that can be done."""
    compiler = os.environ.get("CC", "cc").split()
    for name in ("libisl.a", "libgmp.a"):
        found = subprocess.run([*compiler, f"-print-file-name={name}"],
                               capture_output=True, text=True).stdout.strip()
        if not os.path.isabs(found):
            return []
    return ["ISL_CFLAGS=-DISL_IS_STATIC", "ISL_LIBS=-l:libisl.a -l:libgmp.a"]


def build_compiler(folder):
    """The compiler, built in "folder"; nothing that it needs is left outside."""
    if not (ROOT / "configure").exists():
        run("autoreconf", "-fi", cwd=ROOT)
    if not (folder / "Makefile").exists():
        run(ROOT / "configure", "--quiet", "--disable-silent-rules",
            "--without-hwloc",
            "CFLAGS=-O1", *static_isl(), cwd=folder)
    run("make", "-s", f"-j{os.cpu_count() or 1}", "stencilc", cwd=folder)
    return folder / "stencilc"


def compiler():
    """The compiler as a file of its own in a folder that is to be removed."""
    given = os.environ.get("STENCILC_BINARY")
    if given:
        return Path(given), None
    kept = os.environ.get("STENCILC_BUILD")
    if kept:
        os.makedirs(kept, exist_ok=True)
        return build_compiler(Path(kept)), None
    folder = tempfile.mkdtemp(prefix="stencilc-build-")
    return build_compiler(Path(folder)), folder


class BuildWithCompiler(build_py):
    """The modules, with bin/stencilc beside them."""

    def run(self):
        super().run()
        package = Path(self.build_lib) / "stencilc"
        (package / "bin").mkdir(parents=True, exist_ok=True)
        built, folder = compiler()
        shutil.copy2(built, package / "bin" / "stencilc")
        subprocess.run(["strip", str(package / "bin" / "stencilc")])
        if folder:
            shutil.rmtree(folder)


class PlatformWheel(bdist_wheel):
    """A wheel for any Python of one platform."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithProgram(Distribution):
    """It is of a platform: what auditwheel looks at lies where such packages do."""

    def has_ext_modules(self):
        return True


setup(version=version(), distclass=WithProgram,
      cmdclass={"build_py": BuildWithCompiler, "bdist_wheel": PlatformWheel})
