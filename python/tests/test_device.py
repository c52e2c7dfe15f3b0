"""CUDA and HIP on the emulator, whose device takes the memory of the host."""
import ctypes

import numpy
import pytest
from conftest import HEAT, SMOOTH, plain_heat

import stencilc


class OnDevice:
    """As an array of CuPy, Numba or PyTorch."""

    def __init__(self, array, stream=None):
        self.array, self.stream = array, stream

    @property
    def __cuda_array_interface__(self):
        return {**self.array.__array_interface__, "version": 3,
                "stream": self.stream}

    def __stencilc_zeros__(self, shape, dtype):
        return OnDevice(numpy.zeros(shape, dtype))


class ByDLPack:
    """An array that has DLPack alone, on CUDA's device."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        capsule = self.array.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype = ctypes.c_void_p
        get.argtypes = [ctypes.py_object, ctypes.c_char_p]
        ctypes.c_int32.from_address(get(capsule, b"dltensor") + 8).value = 2
        return capsule


@pytest.mark.parametrize("target", ["cuda", "hip"])
def test_host_arrays(target, emulator, field):
    f = stencilc.compile(HEAT, target, compiler=emulator)
    f(field_of := field.copy(), T=5)
    assert numpy.array_equal(field_of, plain_heat(field, 5))


@pytest.mark.parametrize("wrap", [OnDevice, ByDLPack])
def test_device_arrays(wrap, emulator, field):
    f = stencilc.compile(HEAT, "cuda", compiler=emulator)
    A = field.copy()
    f(wrap(A), T=5)
    assert numpy.array_equal(A, plain_heat(field, 5))


def test_outputs_are_made_there(emulator):
    f = stencilc.compile(SMOOTH, "cuda", compiler=emulator)
    A = numpy.arange(12, dtype=numpy.float32).reshape(4, 3)
    B = numpy.zeros(6, numpy.float32)
    out = f(OnDevice(A), OnDevice(B), w=0.5, stream=0)
    assert isinstance(out.S, OnDevice)
    assert numpy.array_equal(out.S.array, 0.5 * (A[:-1] + A[1:]))


def test_places_do_not_mix(emulator, field):
    f = stencilc.compile(SMOOTH, "cuda", compiler=emulator)
    A, B = numpy.zeros((2, 1), numpy.float32), numpy.zeros(2, numpy.float32)
    with pytest.raises(TypeError, match="some arrays are on the device"):
        f(OnDevice(A), B, w=1.0)
    with pytest.raises(TypeError, match="the arrays are on a device"):
        stencilc.compile(HEAT)(OnDevice(field), T=1)


def test_other_arrays_of_the_host(field):
    class ByDLPackOfHost:
        def __init__(self, array):
            self.array = array

        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

    A = field.copy()
    f = stencilc.compile(HEAT)
    f(ByDLPackOfHost(A), T=2)
    assert numpy.array_equal(A, plain_heat(field, 2))


def test_torch(field):
    torch = pytest.importorskip("torch")
    A = torch.from_numpy(field.copy())
    stencilc.compile(HEAT)(A, T=2)
    assert numpy.array_equal(A.numpy(), plain_heat(field, 2))
