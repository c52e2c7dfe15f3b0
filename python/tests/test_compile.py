"""Errors, the cache, and what the compiler thinks."""
import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from conftest import HEAT, plain_heat

import stencilc


def test_errors_have_place_and_caret():
    with pytest.raises(stencilc.CompileError) as caught:
        stencilc.compile(HEAT.replace("A[t][i-1][j]", "B[t][i-1][j]", 1))
    text = str(caught.value)
    assert text.startswith("heat.stn:8:") and "error:" in text
    assert "^" in text and caught.value.status == 1
    assert caught.value.ids and stencilc.explain(caught.value.ids[0])


def test_wrong_options():
    with pytest.raises(stencilc.CompileError, match="--tile") as caught:
        stencilc.compile(HEAT, options=["--tile=x=1"])
    assert caught.value.status == 2
    with pytest.raises(ValueError, match="none of c, cuda, hip"):
        stencilc.compile(HEAT, "opencl")
    with pytest.raises(TypeError, match="sequence"):
        stencilc.compile(HEAT, options="-q")


def test_no_compiler():
    with pytest.raises(stencilc.BuildError, match="there is no /no/cc"):
        stencilc.compile(HEAT, compiler="/no/cc")


def test_the_compiler_fails():
    with pytest.raises(stencilc.BuildError):
        stencilc.compile(HEAT, flags=["-fno-such-flag"])


def entries(cache):
    return sorted(p.name for p in cache.iterdir() if p.is_dir())


def test_the_cache_knows_what_differs(cache):
    first = stencilc.compile(HEAT)
    before = entries(cache)
    assert stencilc.compile(HEAT).library == first.library
    assert entries(cache) == before
    others = [stencilc.compile(HEAT + "\n"),
              stencilc.compile(HEAT, options=["-DN=33"]),
              stencilc.compile(HEAT, problem={"N": 100}),
              stencilc.compile(HEAT, flags=["-O1", "-fPIC", "-shared"])]
    assert len({f.library for f in others} | {first.library}) == 5
    assert not [name for name in entries(cache) if "building" in name]


def test_used_files_are_looked_at(tmp_path):
    (tmp_path / "part.stn").write_text("const float c = 1.0f;\n")
    (tmp_path / "whole.stn").write_text("""
use "part.stn";
stencil whole {
  param int N;
  output float A[N];
  A[i] = c;
}
""")
    values = []
    for c in ("1.0f", "2.0f"):
        (tmp_path / "part.stn").write_text(f"const float c = {c};\n")
        f = stencilc.compile(tmp_path / "whole.stn")
        values.append(f(N=3)[0])
    assert values == [1, 2]


def test_processes_share_a_cache(tmp_path):
    """Several start at once: one builds, all run."""
    program = ("import sys, numpy, stencilc\n"
               "A = numpy.ones((9, 9), numpy.float32)\n"
               "f = stencilc.compile(sys.stdin.read())\n"
               "f(A, T=3)\n"
               "print(f.library)\n")
    env = {**os.environ, "STENCILC_CACHE": str(tmp_path)}
    started = [subprocess.Popen([sys.executable, "-c", program], text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                env=env) for _ in range(4)]
    for process in started:
        process.stdin.write(HEAT)
        process.stdin.close()
    said = {process.stdout.read() for process in started}
    assert all(process.wait() == 0 for process in started)
    assert len(said) == 1 and len(entries(tmp_path)) == 1


def test_what_the_compiler_thinks(tmp_path):
    f = stencilc.compile(HEAT, problem={"T": 10, "N": 100, "M": 100})
    model = f.model(candidates=3)
    assert len(model["candidates"]) == 3 and model["predicted_s"] > 0
    report = f.report()
    assert report.html.lstrip().lower().startswith("<!doctype html")
    assert report._repr_html_().startswith("<iframe srcdoc=")
    report.save(tmp_path / "heat.html")
    assert (tmp_path / "heat.html").read_text() == report.html


def test_tuning_leaves_the_arrays_and_keeps_the_result(field):
    f = stencilc.compile(HEAT)
    A = field.copy()
    best = f.tune(A, T=6, candidates=3, repeat=1)
    assert numpy.array_equal(A, field)
    assert 1 <= len(best.timings) <= 3
    assert best.timings[0].seconds == min(t.seconds for t in best.timings)
    best(A, T=6)
    assert numpy.array_equal(A, plain_heat(field, 6))


def test_version():
    assert stencilc.version()[0].isdigit()


def test_every_function_has_type_hints():
    folder = Path(stencilc.__file__).parent
    assert (folder / "py.typed").exists()
    bare = []
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            bare += [f"{file.name}: {node.name}({a.arg})" for a in named
                     if a.annotation is None and a.arg != "self"]
            if node.returns is None and node.name != "__init__":
                bare.append(f"{file.name}: {node.name}()")
    assert not bare
