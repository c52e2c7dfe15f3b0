"""A call: which value is which argument, and what the sizes are."""
from __future__ import annotations

import ctypes
import math
import numbers
from typing import Any, Callable, Mapping, Union

import numpy

from . import _arrays
from ._errors import RunError

_c_types = {"int": ctypes.c_int, "float": ctypes.c_float,
            "double": ctypes.c_double}

# A size: a number, the name of a parameter, or an operator and its operands.
Extent = Union[int, str, "list[Any]"]


def _quotient(a: int, b: int) -> int:
    """As C divides: rounded to zero."""
    if b == 0:
        raise ValueError("a size is a quotient by 0")
    return a // b if (a < 0) == (b < 0) or a % b == 0 else -(-a // b)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Number)


def _params_of(extent: Extent) -> set[str]:
    if isinstance(extent, str):
        return {extent}
    if isinstance(extent, list):
        return set().union(*[_params_of(part) for part in extent[1:]])
    return set()


def _code(extent: Extent) -> str:
    """Python that computes a size of "s", the parameters by name."""
    if isinstance(extent, int):
        return str(extent)
    if isinstance(extent, str):
        return f"s[{extent!r}]"
    op, parts = extent[0], [_code(part) for part in extent[1:]]
    if len(parts) == 1:
        return f"({op}{parts[0]})"
    a, b = parts
    return f"quotient({a}, {b})" if op == "/" else \
        f"({a} - {b} * quotient({a}, {b}))" if op == "%" else f"({a} {op} {b})"


def _value(extent: Extent, sizes: Mapping[str, Any]) -> int:
    """A size, of those of the parameters."""
    return int(eval(_code(extent), {"quotient": _quotient}, {"s": sizes}))


def _written(extent: Extent) -> str:
    if not isinstance(extent, list):
        return str(extent)
    parts = [_written(part) if not isinstance(part, list) else
             f"({_written(part)})" for part in extent[1:]]
    return f" {extent[0]} ".join(parts) if len(parts) > 1 else \
        f"{extent[0]}{parts[0]}"


class Argument:
    """A parameter or a field of the function."""

    def __init__(self, described: Mapping[str, Any]):
        self.name: str = described["name"]
        self.kind: str = described["kind"]
        self.type: str = described["type"]
        self.is_param = self.kind == "param"
        self.is_result = self.kind in ("output", "result", "steps")
        self.is_written = self.kind not in ("param", "input")
        self.is_scalar: bool = described.get("scalar", False)
        self.dtype = _arrays.dtypes[self.type]
        copies = described.get("copies", 1)
        self.extents: list[Extent] = ([copies] if copies > 1 else []) + \
            described.get("shape", [])
        self.shape_of: Callable[[Mapping[str, Any]], tuple[int, ...]] = eval(
            f"lambda s: ({''.join(_code(e) + ', ' for e in self.extents)})",
            {"quotient": _quotient})

    def shape(self, sizes: Mapping[str, Any]) -> tuple[int, ...]:
        return self.shape_of(sizes)

    def __str__(self) -> str:
        if self.is_param:
            return f"{self.type} {self.name}"
        return f"{self.kind} {self.type} {self.name}" + \
            "".join(f"[{_written(e)}]" for e in self.extents)


def _solve(extent: Extent, unknown: str, wanted: int,
           sizes: Mapping[str, Any]) -> int | None:
    """The one value of "unknown" for which the extent is "wanted", if that is found."""
    if isinstance(extent, str):
        return wanted
    known = {**sizes, unknown: 0}
    zero = _value(extent, known)
    known[unknown] = 1
    slope = _value(extent, known) - zero
    if slope == 0 or (wanted - zero) % slope:
        return None
    found = (wanted - zero) // slope
    alike = [n for n in (found - 1, found, found + 1)
             if _value(extent, {**known, unknown: n}) == wanted]
    return found if alike == [found] else None  # N/2 + 1 has two


class Layout:
    """Where a call of certain arguments has what the function takes.

    Of the values that a call gives, "params" are (argument, name, value or -1, value and
    dimension of an array that tell it, type), "fields" are (argument, value or -1, type,
    shape, is it written?), "results" (argument, is it returned as a number?).
    """

    def __init__(self, params: list[Any], fields: list[Any],
                 results: list[tuple[int, bool]], n: int):
        self.params = params
        self.fields = fields
        self.results = results
        self.n = n


class Function:
    """The functions of a library, called with arrays."""

    def __init__(self, signature: Mapping[str, Any], library: ctypes.CDLL):
        self.name: str = signature["name"]
        self.arguments = [Argument(a) for a in signature["arguments"]]
        self.params = [a for a in self.arguments if a.is_param]
        self.fields = [a for a in self.arguments if not a.is_param]
        self.results = [a for a in self.fields if a.is_result]
        self._needed = [a for a in self.fields if not a.is_result]
        self._by_name = {a.name: a for a in self.arguments}
        self._layouts: dict[Any, Layout | None] = {}
        self._host = self._function(library, self.name, False)
        self._device = self._function(library, self.name + "_device", True) \
            if self.name + "_device" in signature["functions"] else None
        self._text = getattr(library, self.name + "_strerror")
        self._text.restype, self._text.argtypes = ctypes.c_char_p, [
            ctypes.c_int]
        if len(self.results) > 1:
            from collections import namedtuple

            names = [a.name for a in self.results]
            tuple_of: Callable[..., Any] = namedtuple(  # type: ignore[misc]
                self.name, names, rename=True)
            self._tuple = tuple_of

    def _function(self, library: ctypes.CDLL, name: str,
                  has_stream: bool) -> Callable[..., int]:
        f: Any = getattr(library, name)
        f.restype = ctypes.c_int
        f.argtypes = [_c_types[a.type] if a.is_param else ctypes.c_void_p
                      for a in self.arguments] + \
            ([ctypes.c_void_p] if has_stream else [])
        call: Callable[..., int] = f
        return call

    # Which is which --------------------------------------------------------

    def _sorted(self, args: tuple[Any, ...],
                kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Values by name: numbers are parameters and arrays fields, in their order."""
        given = {}
        for name, value in kwargs.items():
            if name not in self._by_name:
                raise TypeError(f"{self.name}() has no argument '{name}'; it "
                                f"has {', '.join(self._by_name)}")
            given[name] = value
        arrays = [v for v in args if not _is_number(v)]
        open_fields = [a for a in self.fields if a.name not in given]
        if len(arrays) < len(open_fields):
            open_fields = [a for a in self._needed if a.name not in given]
        fields = iter(open_fields)
        params = iter([a for a in self.params if a.name not in given])
        for value in args:
            argument = next(params if _is_number(value) else fields, None)
            if argument is None:
                kind = "numbers" if _is_number(value) else "arrays"
                raise TypeError(f"{self.name}() takes fewer {kind}: {self}")
            given[argument.name] = value
        return given

    def _view(self, argument: Argument, array: Any) -> _arrays.View:
        try:
            v = _arrays.view(array)
        except TypeError as error:
            raise TypeError(f"{argument.name}: {error}") from None
        if v.dtype != argument.dtype:
            raise TypeError(f"{argument.name}: the type is {v.dtype}, not "
                            f"{argument.dtype}")
        if not v.contiguous:
            raise ValueError(f"{argument.name}: the array is not C-contiguous")
        if argument.is_written and not v.writeable:
            raise ValueError(f"{argument.name}: the array is read-only")
        if len(v.shape) != len(argument.extents) and not (
                argument.is_scalar and v.shape == ()):
            raise ValueError(f"{argument.name}: the array has "
                             f"{len(v.shape)} dimensions, not "
                             f"{len(argument.extents)}: {argument}")
        return v

    # Sizes -----------------------------------------------------------------

    def _numbers(self, given: Mapping[str, Any]) -> dict[str, Any]:
        sizes: dict[str, Any] = {}
        for a in self.params:
            if a.name not in given:
                continue
            value = given[a.name]
            if a.type != "int":
                sizes[a.name] = float(value)
                continue
            try:
                sizes[a.name] = value.__index__()
            except AttributeError:
                raise TypeError(f"{a.name}: an integer is needed, not "
                                f"{type(value).__name__}") from None
            if not -2**31 <= sizes[a.name] < 2**31:
                raise OverflowError(f"{a.name}: {value} is no int of C")
        return sizes

    def _find_sizes(self, sizes: dict[str, Any],
                    views: Mapping[str, _arrays.View]) -> None:
        """Parameters that are not given, from shapes."""
        missing = {a.name for a in self.params} - sizes.keys()
        found = True
        while missing and found:
            found = False
            for a in self.fields:
                if a.name not in views:
                    continue
                for extent, wanted in zip(a.extents, views[a.name].shape):
                    unknown = _params_of(extent) - sizes.keys()
                    if len(unknown) != 1:
                        continue
                    name = unknown.pop()
                    value = _solve(extent, name, wanted, sizes)
                    if value is not None:
                        sizes[name] = value
                        missing.discard(name)
                        found = True
        if missing:
            names = [a.name for a in self.params if a.name in missing]
            raise TypeError(f"{self.name}() needs {', '.join(names)}, which "
                            "no shape tells")

    # The call --------------------------------------------------------------

    def _new(self, argument: Argument, sizes: Mapping[str, Any],
             model: Any) -> Any:
        shape = argument.shape(sizes)
        if any(extent < 0 for extent in shape):
            raise ValueError(f"{argument.name}: a size is negative: {shape}")
        if model is None:
            return numpy.zeros(shape, argument.dtype)
        return _arrays.zeros_like_those(model, shape, argument.dtype)

    def _on_device(self, views: Mapping[str, _arrays.View]) -> bool:
        places = {v.on_device for v in views.values()}
        if len(places) > 1:
            raise TypeError("some arrays are on the device, others are not")
        if places == {True} and not self._device:
            raise TypeError("the arrays are on a device; target='c' computes "
                            "on the host")
        return places == {True}

    def prepare(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> \
            tuple[dict[str, Any], dict[str, _arrays.View], dict[str, Any],
                  bool, set[str]]:
        """Sizes and arrays by name, those made here among them."""
        given = self._sorted(args, kwargs)
        views: dict[str, _arrays.View] = {}
        arrays: dict[str, Any] = {}
        for a in self.fields:
            if a.name in given and given[a.name] is not None:
                arrays[a.name] = given[a.name]
                views[a.name] = self._view(a, given[a.name])
            elif not a.is_result:
                raise TypeError(f"{self.name}() needs {a.name}: {a}")
        sizes = self._numbers(given)
        if len(sizes) < len(self.params):
            self._find_sizes(sizes, views)
        device = self._on_device(views)
        model = next(iter(arrays.values())) if device else None
        made = set()
        for a in self.results:
            if a.name not in views:
                arrays[a.name] = self._new(a, sizes, model)
                views[a.name] = self._view(a, arrays[a.name])
                made.add(a.name)
        for a in self.fields:
            shape = views[a.name].shape
            if shape != a.shape(sizes) and not (a.is_scalar and shape == ()):
                raise ValueError(f"{a.name}: the shape is {shape}, not "
                                 f"{a.shape(sizes)}: {a}")
        return sizes, views, arrays, device, made

    def _lay_out(self, args: tuple[Any, ...],
                 kwargs: Mapping[str, Any]) -> Layout | None:
        """Of calls with such arguments; None: they are not all plain."""
        values = [*args, *kwargs.values()]
        where: dict[str, int] = {}
        for name, value in self._sorted(args, kwargs).items():
            where[name] = next(i for i, v in enumerate(values) if v is value
                               and i not in where.values())
        told: dict[str, tuple[int, int]] = {}
        for a in self.fields:
            if a.name not in where and a.is_result:
                continue
            if a.name not in where or \
               values[where[a.name]].__class__ is not numpy.ndarray:
                return None
            for dim, extent in enumerate(a.extents):
                if isinstance(extent, str):
                    told.setdefault(extent, (where[a.name], dim))
        if any(a.name not in where and a.name not in told
               for a in self.params):
            return None
        index = {a.name: i for i, a in enumerate(self.arguments)}
        return Layout([(index[a.name], a.name, where.get(a.name, -1),
                        *told.get(a.name, (0, 0)),
                        int if a.type == "int" else float)
                       for a in self.params],
                      [(index[a.name], where.get(a.name, -1), a.dtype,
                        a.shape_of, a.is_written) for a in self.fields],
                      [(index[a.name], a.is_scalar and a.name not in where)
                       for a in self.results], len(self.arguments))

    def _values_of(self, layout: Layout, values: list[Any]) -> \
            tuple[list[Any], dict[int, Any]] | None:
        """What the function takes, and its arrays; None if the call is wrong, or odd."""
        taken: list[Any] = [0] * layout.n
        sizes: dict[str, Any] = {}
        arrays: dict[int, Any] = {}
        for index, name, at, array, dim, kind in layout.params:
            value = values[at] if at >= 0 else values[array].shape[dim]
            if value.__class__ is not kind or kind is int and not \
               -0x80000000 <= value < 0x80000000:
                return None
            taken[index] = sizes[name] = value
        for index, at, dtype, shape_of, is_written in layout.fields:
            shape = shape_of(sizes)
            if at < 0:
                array = numpy.zeros(shape, dtype)
            else:
                array = values[at]
                flags = array.flags
                if array.shape != shape or array.dtype != dtype or \
                   not flags.c_contiguous or \
                   is_written and not flags.writeable:
                    return None
            arrays[index] = array
            taken[index] = array.__array_interface__["data"][0]
        return taken, arrays

    def __call__(self, args: tuple[Any, ...], kwargs: Mapping[str, Any],
                 stream: Any) -> Any:
        """Calls with arrays of NumPy for all fields are short of time."""
        key = (*map(type, args), *kwargs, *map(type, kwargs.values()))
        if key not in self._layouts:
            self._layouts[key] = self._lay_out(args, kwargs)
        layout = self._layouts[key]
        ready = None
        if layout is not None:
            try:
                ready = self._values_of(layout, [*args, *kwargs.values()])
            except (IndexError, ValueError):
                pass
        if layout is None or ready is None:
            return self._call_any(args, kwargs, stream)
        code = self._host(*ready[0])
        if code:
            self._fail(code)
        if not self.results:
            return None
        given = [ready[1][index].reshape(())[()] if is_number else
                 ready[1][index] for index, is_number in layout.results]
        return given[0] if len(given) == 1 else self._tuple(*given)

    def _fail(self, code: int) -> None:
        raise RunError(f"{self.name}: {self._text(code).decode()}", code)

    def _call_any(self, args: tuple[Any, ...], kwargs: Mapping[str, Any],
                  stream: Any) -> Any:
        sizes, views, arrays, device, made = self.prepare(args, kwargs)
        values = [sizes[a.name] if a.is_param else views[a.name].address
                  for a in self.arguments]
        if device and self._device:
            code = self._device(*values, _stream_of(stream, views))
        else:
            code = self._host(*values)
        if code:
            self._fail(code)
        return self._returned(arrays, made, device)

    def _returned(self, arrays: Mapping[str, Any], made: set[str],
                  device: bool) -> Any:
        values = [arrays[a.name].reshape(())[()] if a.is_scalar and
                  a.name in made and not device else arrays[a.name]
                  for a in self.results]
        return None if not values else values[0] if len(values) == 1 else \
            self._tuple(*values)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(str(a) for a in self.arguments)})"


def _stream_of(stream: Any, views: Mapping[str, _arrays.View]) -> int:
    """A stream of CuPy, PyTorch, or a number; else what the arrays say."""
    for name in ("cuda_stream", "ptr", "handle"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    if stream is None:
        for v in views.values():
            if v.stream is not None:
                stream = v.stream
    return int(stream or 0)


def problem_of(sizes: Mapping[str, Any]) -> str:
    """--problem for these sizes."""
    return ",".join(f"{name}={value}" for name, value in sizes.items()
                    if isinstance(value, int) and not
                    isinstance(value, bool) and math.isfinite(value))
