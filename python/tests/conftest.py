import os
import shutil

import numpy
import pytest

import stencilc

HEAT = """
stencil heat {
  param int T, N, M;
  param float c = 0.1f;
  state float A[N][M];

  iterate t = 0 .. T {
    A[t+1][i][j] = A[t][i][j] + c * (A[t][i-1][j] + A[t][i+1][j]
                 + A[t][i][j-1] + A[t][i][j+1] - 4.0f * A[t][i][j]);
  }
}
"""

SMOOTH = """
stencil smooth {
  param int N, M;
  param float w;
  input float A[N+1][M], B[2*M];
  output float S[N][M], D[N][M];

  S[i][j] = w * (A[i][j] + A[i+1][j]) + B[2*j];
  D[i][j] = A[i+1][j] - A[i][j];
}
"""

SETTLE = """
stencil settle {
  param int T, N;
  param double eps;
  state double A[N];
  result double change, sums[T/5];

  iterate t = 0 .. T {
    A[t+1][i] = 0.5 * (A[t][i-1] + A[t][i+1]);
    change = max (i) fabs(A[t+1][i] - A[t][i]) every 5;
    sums = sum (i) A[t+1][i] every 5;
    until change < eps;
  }
}
"""


def plain_heat(A, T, c=numpy.float32(0.1)):
    A = A.copy()
    for _ in range(T):
        old = A.copy()
        A[1:-1, 1:-1] = old[1:-1, 1:-1] + c * (
            old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
            - numpy.float32(4) * old[1:-1, 1:-1])
    return A


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory):
    os.environ["STENCILC_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield stencilc.cache_folder()


@pytest.fixture
def emulator():
    found = os.environ.get("STENCILC_EMU") or shutil.which("stencilc-emu")
    if not found:
        pytest.skip("no stencilc-emu")
    return found


@pytest.fixture
def field():
    return numpy.random.default_rng(7).random((33, 40), numpy.float32)
