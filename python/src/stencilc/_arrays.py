"""Arrays of many libraries, as addresses; nothing is copied."""
from __future__ import annotations

import ctypes
import sys
from typing import Any, Mapping, NamedTuple, Sequence

import numpy

# NumPy has no type for a bfloat: its bits.
dtypes: dict[str, numpy.dtype[Any]] = {
    "char": numpy.dtype(numpy.int8),
    "unsigned char": numpy.dtype(numpy.uint8),
    "short": numpy.dtype(numpy.int16),
    "unsigned short": numpy.dtype(numpy.uint16),
    "int": numpy.dtype(numpy.intc),
    "unsigned": numpy.dtype(numpy.uint32),
    "long": numpy.dtype(numpy.int64),
    "unsigned long": numpy.dtype(numpy.uint64),
    "half": numpy.dtype(numpy.float16),
    "bfloat": numpy.dtype(numpy.uint16),
    "float": numpy.dtype(numpy.float32),
    "double": numpy.dtype(numpy.float64),
    "complex float": numpy.dtype(numpy.complex64),
    "complex double": numpy.dtype(numpy.complex128)}


class View(NamedTuple):
    """An array's cells, and what keeps them alive."""

    address: int
    shape: tuple[int, ...]
    dtype: numpy.dtype[Any]
    contiguous: bool
    writeable: bool
    on_device: bool
    stream: Any
    owner: Any


def _is_contiguous(shape: Sequence[int], strides: Sequence[int] | None,
                   itemsize: int) -> bool:
    """Row-major, without gaps; strides in bytes, None: it is."""
    if strides is None or 0 in shape:
        return True
    expected = itemsize
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _of_interface(array: Any, interface: Mapping[str, Any],
                  on_device: bool) -> View:
    """Of ``__cuda_array_interface__`` or ``__array_interface__``."""
    address, read_only = interface["data"]
    shape = tuple(interface["shape"])
    dtype = numpy.dtype(interface["typestr"])
    return View(address or 0, shape, dtype, _is_contiguous(
        shape, interface.get("strides"), dtype.itemsize), not read_only,
        on_device, interface.get("stream"), array)


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h (https://github.com/dmlc/dlpack)."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_kinds = {0: "i", 1: "u", 2: "f", 5: "c"}
_devices = {2: "cuda", 3: None, 10: "hip", 11: None, 13: "cuda"}


def _of_dlpack(array: Any) -> View:
    device = array.__dlpack_device__()[0]
    if int(device) == 1:
        return view(numpy.from_dlpack(array), array)
    if _devices.get(int(device)) is None:
        raise TypeError(f"arrays on DLPack's device {int(device)} are not "
                        "served")
    # The consumer's stream: the one that waits for all others.
    capsule = array.__dlpack__(stream=0 if int(device) == 10 else 1)
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object,
                                                  ctypes.c_char_p]
    t = _Tensor.from_address(get(capsule, b"dltensor"))
    shape = tuple(t.shape[i] for i in range(t.ndim))
    dtype = numpy.dtype(f"{_kinds.get(t.code, 'V')}{t.bits // 8}")
    strides = tuple(t.strides[i] * dtype.itemsize for i in range(t.ndim)) \
        if t.strides else None
    return View((t.data or 0) + t.byte_offset, shape, dtype, _is_contiguous(
        shape, strides, dtype.itemsize), not _is_immutable(array), True, None,
        capsule)


def _is_immutable(array: Any) -> bool:
    """Those of JAX are, which DLPack does not say."""
    return type(array).__module__.split(".")[0] in ("jax", "jaxlib")


def view(array: Any, owner: Any = None) -> View:
    """The cells of an array of NumPy, CuPy, PyTorch, JAX, Numba, .."""
    if isinstance(array, numpy.ndarray):
        flags = array.flags
        return View(array.ctypes.data, array.shape, array.dtype,
                    flags.c_contiguous, flags.writeable and
                    not (owner is not None and _is_immutable(owner)),
                    False, None, array)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        return _of_interface(array, interface, True)
    if hasattr(array, "__dlpack__"):
        return _of_dlpack(array)
    interface = getattr(array, "__array_interface__", None)
    if interface is not None:
        return _of_interface(array, interface, False)
    raise TypeError("an array is needed, of NumPy or with "
                    "__cuda_array_interface__ or __dlpack__, not "
                    f"{type(array).__name__}")


def is_array(value: Any) -> bool:
    return isinstance(value, numpy.ndarray) or \
        hasattr(value, "__cuda_array_interface__") or \
        hasattr(value, "__dlpack__") and not isinstance(value, numpy.generic)


def zeros_like_those(model: Any, shape: tuple[int, ...],
                     dtype: numpy.dtype[Any]) -> Any:
    """A new array where "model", on a device, is: of its library."""
    library = type(model).__module__.split(".")[0]
    if library == "torch":
        torch = sys.modules["torch"]
        return torch.zeros(shape, dtype=getattr(torch, dtype.name),
                           device=model.device)
    if library == "cupy":
        return sys.modules["cupy"].zeros(shape, dtype)
    make = getattr(model, "__stencilc_zeros__", None)
    if make is not None:
        return make(shape, dtype)
    raise TypeError("arrays for results cannot be made on the device for "
                    f"{library}: pass them")
