"""Calls on arrays of NumPy."""
import numpy
import pytest
from conftest import HEAT, SETTLE, SMOOTH, plain_heat

import stencilc


def test_states_change_in_place(field):
    f = stencilc.compile(HEAT)
    A = field.copy()
    assert f(A, T=10) is None
    assert numpy.array_equal(A, plain_heat(field, 10))


def test_positions_and_names(field):
    f = stencilc.compile(HEAT)
    calls = [lambda A: f(3, 33, 40, A), lambda A: f(3, A),
             lambda A: f(A, 3), lambda A: f(T=3, A=A, N=33, M=40),
             lambda A: f(A, T=numpy.int64(3))]
    for call in calls:
        A = field.copy()
        call(A)
        assert numpy.array_equal(A, plain_heat(field, 3))


def test_a_file(tmp_path, field):
    (tmp_path / "heat.stn").write_text(HEAT)
    for path in (tmp_path / "heat.stn", str(tmp_path / "heat.stn")):
        A = field.copy()
        stencilc.compile(path)(A, T=2)
        assert numpy.array_equal(A, plain_heat(field, 2))


def test_outputs_are_made_and_returned():
    f = stencilc.compile(SMOOTH)
    A = numpy.arange(12, dtype=numpy.float32).reshape(4, 3)
    B = numpy.arange(6, dtype=numpy.float32)
    out = f(A, B, w=0.5)
    assert out._fields == ("S", "D")
    assert numpy.array_equal(out.S, 0.5 * (A[:-1] + A[1:]) + B[::2])
    assert numpy.array_equal(out.D, numpy.full((3, 3), 3, numpy.float32))
    S = numpy.empty((3, 3), numpy.float32)
    again = f(A, B, w=0.5, S=S)
    assert again.S is S and numpy.array_equal(S, out.S)
    D = numpy.empty_like(S)
    assert f(3, 3, 0.5, A, B, S, D).D is D
    with pytest.raises(ValueError, match=r"A: the shape is \(4, 3\), not \(3"):
        f(A, B, N=2, w=1.0)


def test_complex_numbers():
    f = stencilc.compile("""stencil turn {
      param int T, N;
      param complex double c;
      input complex float by[N];
      state complex double z[N];
      output complex float seen[T][N];
      iterate t = 0 .. T {
        z[t+1][i] = c * by[i] * z[t][i];
        seen[t][i] = z[t+1][i];
      }
    }""")
    z = numpy.array([1, 2j, 3 - 1j])
    by = numpy.array([1j, 1 + 1j, 2], numpy.complex64)
    expected = z * (by * (0.5 + 2j)) ** 3
    seen = f(by, z, T=3, c_re=0.5, c_im=2)
    assert numpy.allclose(z, expected) and seen.dtype == numpy.complex64
    assert numpy.allclose(seen[-1], expected)
    with pytest.raises(TypeError, match="z: the type is complex64, not"):
        f(by, z.astype(numpy.complex64), T=3, c_re=0.5, c_im=2)


def test_results_are_numbers():
    f = stencilc.compile(SETTLE)
    A = numpy.zeros(20)
    A[10] = 1
    out = f(A, T=1000, eps=1e-3)
    assert out.change < 1e-3 and 0 < out.steps < 1000
    assert out.sums.shape == (200,)


@pytest.mark.parametrize("change, error, text", [
    (dict(A=numpy.zeros((4, 4))), TypeError, "A: the type is float64, not float32"),
    (dict(A=[[1.0]]), TypeError, "A: an array is needed"),
    (dict(A=numpy.zeros((4, 8), numpy.float32)[:, ::2]), ValueError,
     "A: the array is not C-contiguous"),
    (dict(A=numpy.zeros(4, numpy.float32)), ValueError,
     r"A: the array has 1 dimensions, not 2: state float A\[N\]\[M\]"),
    (dict(N=5), ValueError, r"A: the shape is \(4, 4\), not \(5, 4\)"),
    (dict(T=2**40), OverflowError, "T: 1099511627776 is no int of C"),
    (dict(T=1.5), TypeError, "T: an integer is needed"),
    (dict(B=1), TypeError, r"heat\(\) has no argument 'B'; it has T, N, M, A"),
])
def test_wrong_arguments(change, error, text):
    f = stencilc.compile(HEAT)
    arguments = dict(T=1, A=numpy.zeros((4, 4), numpy.float32))
    arguments.update(change)
    with pytest.raises(error, match=text):
        f(**arguments)


def test_what_is_missing():
    f = stencilc.compile(HEAT)
    A = numpy.zeros((4, 4), numpy.float32)
    with pytest.raises(TypeError, match=r"heat\(\) needs T, which no shape"):
        f(A)
    with pytest.raises(TypeError, match=r"heat\(\) needs A"):
        f(T=1)
    with pytest.raises(TypeError, match=r"takes fewer arrays"):
        f(A, A, T=1)
    A.flags.writeable = False
    with pytest.raises(ValueError, match="A: the array is read-only"):
        f(A, T=1)


def test_the_function_refuses():
    f = stencilc.compile(HEAT)
    with pytest.raises(stencilc.RunError, match="heat: a size is too large"):
        f(numpy.zeros((1, 1), numpy.float32), T=2**31 - 1)


def test_what_it_is(field):
    f = stencilc.compile(HEAT, options=["-DT=4"])
    assert repr(f) == "<stencilc c: heat(int N, int M, state float A[N][M])>"
    assert "Run the stencil" in f.__doc__ and "int heat(" in f.code
    A = field.copy()
    f(A)
    assert numpy.array_equal(A, plain_heat(field, 4))
