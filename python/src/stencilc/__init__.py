"""Stencils on NumPy and GPU arrays, with time tiling.

>>> import numpy, stencilc
>>> f = stencilc.compile('''
... stencil blur {
...   param int T, N;
...   state float A[N];
...   iterate t = 0 .. T {
...     A[t+1][i] = 0.5f * A[t][i-1] + 0.5f * A[t][i+1];
...   }
... }
... ''')
>>> A = numpy.array([0, 4, 0, 4, 0], numpy.float32)
>>> f(A, T=1)
>>> A
array([0., 0., 4., 0., 0.], dtype=float32)
"""
from __future__ import annotations

import os
from typing import Mapping, Sequence

from . import _tools
from ._errors import BuildError, CompileError, Error, RunError
from ._stencil import Report, Stencil, Timing
from ._tools import cache_folder, clear_cache

__all__ = ["BuildError", "CompileError", "Error", "Report", "RunError",
           "Stencil", "Timing", "cache_folder", "clear_cache", "compile",
           "explain", "version"]


def compile(source: str | os.PathLike[str], target: str = "c",
            arch: str | os.PathLike[str] | None = None,
            problem: str | Mapping[str, int] | None = None,
            options: Sequence[str] = (), *, compiler: str | None = None,
            flags: Sequence[str] | None = None) -> Stencil:
    """Compile a stencil program to a function on arrays.

    Parameters
    ----------
    source : str or path
        A file, or the text of a program.
    target : {'c', 'cuda', 'hip'}
        What computes: processors, GPUs of NVIDIA, GPUs of AMD.
    arch : str or path, optional
        The machine, or a file of it, that sizes of tiles are computed for.
    problem : dict or str, optional
        Sizes to have in mind, ``{"N": 4096}`` or ``"N=4096"``; others are
        computed right, too.
    options : sequence of str
        Further options of stencilc, such as ``"-DN=4096"``.
    compiler : str, optional
        The C compiler, nvcc, hipcc, or 'emulator'.  Else STENCILC_CC,
        STENCILC_NVCC or STENCILC_HIPCC, or cc, nvcc and hipcc.
    flags : sequence of str, optional
        Its flags, in place of those that are usual.

    Returns
    -------
    Stencil
        Call it with arrays.

    Raises
    ------
    CompileError
        The program is wrong; the text has the place and what to do.
    BuildError
        The compiler for what is written is not there, or fails.
    """
    text, path = _text_of(source)
    every = list(options)
    if isinstance(options, str):
        raise TypeError("options: a sequence of strings is needed, not one")
    if arch is not None:
        every.append(f"--arch={os.fspath(arch)}")
    if problem is not None:
        every.append("--problem=" + (problem if isinstance(problem, str) else
                                     ",".join(f"{n}={v}" for n, v in
                                              problem.items())))
    return Stencil(_tools.Build(text, path, target, every, compiler, flags))


def _text_of(source: str | os.PathLike[str]) -> tuple[str, str | None]:
    """The program's text, and the file that it is in, if any."""
    if isinstance(source, str) and "{" in source:
        return source, None
    path = os.fspath(source)
    with open(path) as file:
        return file.read(), path


def explain(name: str) -> str:
    """The page of a message, by its name: the word in brackets behind it."""
    return _tools.call([f"--explain={name}"])


def version() -> str:
    """That of the compiler."""
    return _tools.call(["--version"]).split()[-1]
