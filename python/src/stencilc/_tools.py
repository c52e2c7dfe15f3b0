"""The programs that are called, and the cache of what they build."""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence

from ._errors import BuildError, CompileError

if TYPE_CHECKING:
    import subprocess

#: Of what is built; raised when it changes.
LAYOUT = 1

_suffixes = {"c": ".c", "cuda": ".cu", "hip": ".hip.cpp"}
_flags = {
    "c": ("-O3", "-march=native", "-fopenmp", "-std=gnu11",
          "-ffp-contract=off", "-fPIC", "-shared"),
    "cuda": ("-O3", "-arch=native", "-shared", "-Xcompiler", "-fPIC"),
    "hip": ("-O3", "-shared", "-fPIC"),
    "emulator": ("--shared", "-O2"),
}


def stencilc() -> str:
    """The compiler: STENCILC, the wheel's own, or that of PATH."""
    own = Path(__file__).with_name("bin") / "stencilc"
    named = os.environ.get("STENCILC")
    if named:
        return named
    if own.exists():
        return str(own)
    found = shutil.which("stencilc")
    if not found:
        raise BuildError("there is no stencilc: not in the package, not in "
                         "PATH; STENCILC may name one")
    return found


def run(command: Sequence[str],
        **options: Any) -> subprocess.CompletedProcess[str]:
    """The command's result, its output as text."""
    import subprocess

    return subprocess.run(list(command), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, **options)


def call(arguments: Sequence[str], **options: Any) -> str:
    """What stencilc prints; CompileError with what it says otherwise."""
    done = run([stencilc(), *arguments], **options)
    if done.returncode:
        ids = re.findall(r" \[-?W?([a-z][a-z-]*)\]$", done.stderr, re.MULTILINE)
        raise CompileError(done.stderr.rstrip() or "stencilc ended with status "
                           f"{done.returncode}", done.returncode, tuple(ids))
    return done.stdout


def backend(target: str, compiler: str | None) -> tuple[str, str]:
    """The compiler for what is written, and which set of flags it takes."""
    if target not in _suffixes:
        raise ValueError(f"target: '{target}' is none of c, cuda, hip")
    if compiler is None:
        variable, usual = {"c": ("STENCILC_CC", "cc"),
                           "cuda": ("STENCILC_NVCC", "nvcc"),
                           "hip": ("STENCILC_HIPCC", "hipcc")}[target]
        compiler = os.environ.get(variable) or usual
    if compiler == "emulator":
        if target == "c":
            raise ValueError("compiler: the emulator is for cuda and hip")
        compiler = os.environ.get("STENCILC_EMU") or "stencilc-emu"
    found = shutil.which(compiler)
    if not found:
        raise BuildError(f"there is no {compiler}, which compiles what "
                         f"target='{target}' writes; compiler= or "
                         "STENCILC_CC, STENCILC_NVCC, STENCILC_HIPCC may name "
                         "one, and compiler='emulator' needs no GPU")
    kind = "emulator" if "stencilc-emu" in os.path.basename(found) else target
    return found, kind


# The cache ------------------------------------------------------------------


def cache_folder() -> Path:
    """STENCILC_CACHE, or stencilc in the user's folder for caches."""
    named = os.environ.get("STENCILC_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or
                Path.home() / ".cache") / "stencilc"


def clear_cache() -> None:
    """Remove all that has been built."""
    shutil.rmtree(cache_folder(), ignore_errors=True)


def _file_identity(path: str) -> list[Any]:
    """Which file it is, and which version of it."""
    real = os.path.realpath(path)
    status = os.stat(real)
    return [real, status.st_size, status.st_mtime_ns]


def _machine() -> list[str]:
    """What "native" stands for."""
    lines = []
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith(("model name", "flags", "Features")):
                lines.append(line)
            elif line == "\n":
                break
    return [platform.machine(), *lines]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Build:
    """What makes a library: everything that the key of the cache is made of."""

    def __init__(self, source: str, path: str | None, target: str,
                 options: Sequence[str], compiler: str | None,
                 flags: Sequence[str] | None):
        self.source = source
        self.path = path
        self.target = target
        self.options = tuple(options)
        self.compiler, kind = backend(target, compiler)
        self.emulated = kind == "emulator"
        self.flags = tuple(_flags[kind] if flags is None else flags)

    def key(self) -> str:
        arch = [o[7:] for o in self.options if o.startswith("--arch=")]
        what = [LAYOUT, self.source, self.target, self.options, self.flags,
                os.path.dirname(os.path.abspath(self.path)) if self.path
                else None, _machine(), _file_identity(stencilc()),
                _file_identity(self.compiler),
                [_digest(Path(a).read_bytes()) for a in arch
                 if os.path.isfile(a)]]
        return _digest(json.dumps(what).encode())[:40]

    def arguments(self) -> list[str]:
        """Those of stencilc, but what is written."""
        return [f"--target={self.target}", *self.options]

    def file(self, folder: Path) -> str:
        """The program as a file that messages name."""
        if self.path:
            return self.path
        named = re.search(r"\bstencil\s+(\w+)", self.source)
        name = (named.group(1) if named else "program") + ".stn"
        (folder / name).write_text(self.source)
        return name

    def stage(self, *more: str) -> str:
        """What stencilc prints of the program with these options."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="stencilc-") as folder:
            name = self.file(Path(folder))
            return call([*self.arguments(), *more, "-o", "-", name],
                        cwd=None if self.path else folder)

    def _build_in(self, folder: Path) -> None:
        name = self.file(folder)
        written = "stencil" + _suffixes[self.target]
        call([*self.arguments(), "-q", "-o", str(folder / written),
              f"--header={folder / 'signature.json'}", "-MD", "-MF",
              str(folder / "depends"), name],
             cwd=None if self.path else folder)
        # A process that has loaded one made of other files loads this one, too.
        library = f"stencil-{_digest((folder / written).read_bytes())[:16]}.so"
        done = run([self.compiler, *self.flags, written, "-o", library,
                    *(["-lm"] if self.target == "c" else [])], cwd=folder)
        if done.returncode:
            raise BuildError((done.stderr or done.stdout).rstrip())
        (folder / "entry.json").write_text(json.dumps({
            "library": library, "code": written, "used": [
                [file, _digest(Path(file).read_bytes())]
                for file in self._used(folder)]}))

    def _used(self, folder: Path) -> list[str]:
        """The files that the program uses, but itself."""
        text = (folder / "depends").read_text().replace("\\\n", " ")
        names = re.findall(r"((?:\\.|[^\s\\])+)", text.split(":", 1)[1])
        names = [re.sub(r"\\(.)", r"\1", n).replace("$$", "$") for n in names]
        base = os.getcwd() if self.path else str(folder)
        names = [os.path.join(base, n) for n in names]
        own = os.path.realpath(os.path.join(base, self.path or ""))
        return [n for n in names if os.path.realpath(n) != own and
                os.path.isfile(n) and not n.startswith(str(folder))]


class Entry:
    """What the cache has of a build."""

    def __init__(self, folder: Path):
        about = json.loads((folder / "entry.json").read_text())
        self.library: Path = folder / about["library"]
        self.code: Path = folder / about["code"]
        self.signature = json.loads((folder / "signature.json").read_text())
        self.is_whole = self.library.exists() and all(
            _digest(Path(file).read_bytes()) == digest
            for file, digest in about["used"])


def _entry(folder: Path) -> Entry | None:
    """What is there, if it is made of files that are as they were."""
    try:
        entry = Entry(folder)
    except (OSError, ValueError, KeyError):
        return None
    return entry if entry.is_whole else None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One process at a time."""
    import fcntl

    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def built(build: Build) -> Entry:
    """The library, built if the cache does not have it.

    It becomes visible as a whole, by one rename: a process that is stopped, or
    another at the same time, leaves none that is half done.
    """
    import tempfile

    cache = cache_folder()
    place = cache / build.key()
    entry = _entry(place)
    if entry:
        return entry
    cache.mkdir(parents=True, exist_ok=True)
    with _locked(cache / (place.name + ".lock")):
        entry = _entry(place)
        if entry:
            return entry
        folder = Path(tempfile.mkdtemp(prefix="building-", dir=cache))
        try:
            build._build_in(folder)
            if place.exists():
                os.rename(place, folder / "stale")
            os.rename(folder, place)
            shutil.rmtree(place / "stale", ignore_errors=True)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return Entry(place)
