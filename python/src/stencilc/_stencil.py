"""What stencilc.compile() returns."""
from __future__ import annotations

import ctypes
import json
import os
import time
from pathlib import Path
from typing import Any, Mapping, NamedTuple, Sequence

from . import _call, _tools


class Report:
    """A page of what the compiler thinks of a program; Jupyter shows it.

    Attributes
    ----------
    html : str
        The page.
    """

    def __init__(self, html: str):
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html)

    def _repr_html_(self) -> str:
        import html

        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" '
                'height="800" style="border: 0"></iframe>')


class Timing(NamedTuple):
    """Sizes of tiles that tune() has tried, and the time that a call took."""

    options: tuple[str, ...]
    seconds: float
    predicted: float


class Stencil:
    """A compiled stencil program; call it with arrays.

    Attributes
    ----------
    name : str
        That of the program.
    target : str
        'c', 'cuda' or 'hip'.
    library : pathlib.Path
        The shared library.
    timings : list of Timing
        What tune() has measured, the fastest first.
    """

    def __init__(self, build: _tools.Build):
        self._build = build
        entry, library = _loaded(build)
        self.target = build.target
        self.library = entry.library
        self._code = entry.code
        self._function = _call.Function(entry.signature, library)
        self.name = self._function.name
        self.timings: list[Timing] = []
        self.__doc__ = f"{self._function}\n\n{type(self).__call__.__doc__}"

    def __call__(self, *args: Any, stream: Any = None, **kwargs: Any) -> Any:
        """Run the stencil.

        Parameters
        ----------
        *args
            Numbers are the parameters that no keyword names, in the order
            declared; arrays likewise are the fields.
        stream : int or stream of CuPy or PyTorch, optional
            Of arrays on a device: where the work is queued.
        **kwargs
            Parameters and fields by name.

        Returns
        -------
        None, array, number or named tuple
            Outputs and results, made where they are not given.  States are
            changed in place.

        Raises
        ------
        TypeError, ValueError
            An argument is missing, or not what the program declares.
        RunError
            The function refuses; the arrays hold what they held.
        """
        return self._function(args, kwargs, stream)

    def __repr__(self) -> str:
        return f"<stencilc {self.target}: {self._function}>"

    @property
    def code(self) -> str:
        """The C, CUDA or HIP that runs."""
        return self._code.read_text()

    def report(self) -> Report:
        """What the compiler thinks: dependences, tiles, the model, the code.

        Returns
        -------
        Report
            Jupyter shows it; ``html`` is the page.
        """
        return Report(self._build.stage("--emit=report"))

    def model(self, candidates: int | None = None) -> dict[str, Any]:
        """What the model predicts.

        Parameters
        ----------
        candidates : int, optional
            How many sizes of tiles to list.

        Returns
        -------
        dict
            The strategy, the sizes, the predicted time and its terms.
        """
        more = [] if candidates is None else [f"--candidates={candidates}"]
        predicted: dict[str, Any] = json.loads(self._build.stage(
            "--emit=model", "--format=json", *more))
        return predicted

    def tune(self, *args: Any, candidates: int = 8, repeat: int = 3,
             stream: Any = None, **kwargs: Any) -> Stencil:
        """Measure the sizes of tiles that the model finds best.

        Parameters
        ----------
        *args, **kwargs
            As of a call; the arrays are left as they are.
        candidates : int
            How many sizes to try.
        repeat : int
            How many runs of each, of which the fastest counts.

        Returns
        -------
        Stencil
            The fastest; its ``timings`` are those of all.
        """
        sizes, _, arrays, device, _ = self._function.prepare(args, kwargs)
        if device:
            raise TypeError("tune() takes arrays of the host")
        problem = _call.problem_of(sizes)
        given = [o for o in self._build.options
                 if not o.startswith("--problem=")]
        model = json.loads(self._with(
            [*given, f"--problem={problem}"]).stage(
                "--emit=model", "--format=json",
                f"--candidates={candidates}"))
        timed = []
        for candidate in model["candidates"]:
            options = (*_options_of(candidate),
                       f"--strategy={model['strategy']}")
            tried = Stencil(self._with([*given, *options]))
            timed.append((Timing(options, tried._time(
                {**sizes, **arrays}, repeat, stream),
                candidate["predicted_s"]), tried))
        timed.sort(key=lambda pair: pair[0].seconds)
        best = timed[0][1]
        best.timings = [timing for timing, _ in timed]
        return best

    def _with(self, options: Sequence[str]) -> _tools.Build:
        b = self._build
        return _tools.Build(b.source, b.path, b.target, options, b.compiler,
                            b.flags)

    def _time(self, given: Mapping[str, Any], repeat: int,
              stream: Any) -> float:
        best = float("inf")
        for _ in range(max(repeat, 1)):
            copies = {name: value.copy() if hasattr(value, "copy") else value
                      for name, value in given.items()}
            start = time.perf_counter()
            self(stream=stream, **copies)
            best = min(best, time.perf_counter() - start)
        return best


def _loaded(build: _tools.Build) -> tuple[_tools.Entry, ctypes.CDLL]:
    """What the cache has; once more if somebody has just replaced it."""
    entry = _tools.built(build)
    try:
        return entry, ctypes.CDLL(str(entry.library))
    except OSError:
        entry = _tools.built(build)
        return entry, ctypes.CDLL(str(entry.library))


def _options_of(candidate: Mapping[str, Any]) -> list[str]:
    """--tile and --threads of a candidate of the model."""
    if "tile" in candidate:
        tile = [f"{name}={value}" for name, value in
                candidate["tile"].items()]
        threads = candidate.get("threads", [1])
        return ["--tile=" + ",".join(tile)] + (
            ["--threads=" + ",".join(map(str, threads))]
            if threads != [1] else [])
    parts = candidate["sizes"].split()
    tile = [p for p in parts if not p.startswith("threads=")]
    return (["--tile=" + ",".join(tile)] if tile else []) + \
        ["--" + p for p in parts if p.startswith("threads=")]
