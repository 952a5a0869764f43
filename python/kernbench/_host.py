# SPDX-License-Identifier: Apache-2.0
"""The host's interface to a device, for a bench whose host part is Python."""

import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

import numpy
import numpy.typing

from kernbench import _native

# Element types of a device, and those of the arrays that hold them.
_TYPES: dict[str, Any] = {
    "f32": numpy.float32, "f16": numpy.float16, "bf16": numpy.float32, "i32": numpy.int32, "i8": numpy.int8,
    "f8e4m3": numpy.float32, "f8e5m2": numpy.float32, "i4": numpy.int8}
_NAMES = {numpy.dtype(_TYPES[name]): name for name in ("f32", "f16", "i32", "i8")}


class Tensor:
    """A tensor of rows x columns in the memory of a SIP. dtype: f32, f16, bf16, i32, i8, f8e4m3, f8e5m2 or i4."""

    def __init__(self, host: "Host", native: _native.Tensor, shape: tuple[int, int], dtype: str) -> None:
        self.shape, self.dtype = shape, dtype
        self._host, self._native = host, native


class Copy:
    """A copy of a tensor on the host."""

    def __init__(self, host: "Host", number: int, dtype: str) -> None:
        self.dtype = dtype
        self._host, self._number = host, number

    @property
    def values(self) -> numpy.typing.NDArray[Any]:
        """The numbers as an array of rows x columns; those of bf16 and f8 are float32, those of i4 int8.

        They exist after a run with verify=True.
        """
        if self._host.copies is None:
            raise RuntimeError("the numbers of a copy exist after a run with verify=True")
        return self._host.copies[self._number]


class Host:
    """The host of a bench: creates tensors, launches kernels and copies results back, all with messages.

    Copies, launches and frees run one after the other, in the order of the calls; the host continues at once. A host belongs to
    the thread that runs the bench. Every method raises ValueError for what cannot be done, TypeError for an argument of
    another type, and RunFailed when the run fails.
    """

    def __init__(self, native: _native.Host) -> None:
        self._native = native
        self.copies: Optional[Mapping[int, numpy.typing.NDArray[Any]]] = None

    @property
    def cubes(self) -> int:
        """Number of cubes of the SIP."""
        return self._native.cubes()

    @property
    def pes(self) -> int:
        """Number of PEs of a cube."""
        return self._native.pes()

    @property
    def now_ps(self) -> int:
        """Simulated time."""
        return self._native.now_ps()

    def tensor(self, values: Optional[numpy.typing.ArrayLike] = None, *, shape: Optional[tuple[int, int]] = None,
               dtype: Optional[str] = None, policy: str = "row") -> Tensor:
        """Allocates a tensor, maps it on the PEs that may use it, and writes `values` to it if given.

        values: up to two dimensions; a vector is one row. shape: rows and columns, instead of values. dtype: f32, f16, bf16,
        i32, i8, f8e4m3, f8e5m2 or i4; by default that of the array, which must be f32, f16, i32 or i8. Values of bf16 and f8
        are given as float32, and rounded; those of i4 as integers from -8 to 7, in an even number of columns. policy: row,
        column, blocks, replicated (in each cube) or everywhere. The values of a tensor before the first launch or region are
        in memory at once.
        """
        if (values is None) == (shape is None):
            raise ValueError("a tensor needs either values or a shape")
        array = None
        if values is not None:
            dtype = dtype or _name_of(numpy.asarray(values))
            array = _matrix(values, dtype)
            shape = array.shape[0], array.shape[1]
        assert shape is not None
        dtype = dtype or "f32"
        caller = sys._getframe(1)
        native = self._native.tensor(shape[0], shape[1], dtype, policy, array, caller.f_code.co_filename, caller.f_lineno)
        return Tensor(self, native, shape, dtype)

    def read(self, tensor: Tensor) -> Copy:
        """Copies a tensor to the host, from the first of its replicas."""
        return Copy(self, self._native.read(self._own(tensor)), tensor.dtype)

    def free(self, tensor: Tensor) -> None:
        """Unmaps a tensor and frees its memory when all earlier requests are complete."""
        self._native.free(self._own(tensor))

    def launch(self, kernel: str, *arguments: Union[Tensor, int, float], cubes: Optional[int] = None,
               pes: Optional[int] = None) -> None:
        """Runs a kernel on the first `pes` PEs of the first `cubes` cubes, by default on all. See kernels()."""
        native = [self._own(argument) if isinstance(argument, Tensor) else argument for argument in arguments]
        self._native.launch(kernel, native, cubes, pes)

    @contextlib.contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measures the time of the requests in a `with` statement, as a region of the result."""
        self._native.begin_region(name)
        yield
        self._native.end_region()

    def synchronize(self) -> None:
        """Waits until all requests are complete."""
        self._native.synchronize()

    def expect(self, name: str, copy: Copy, values: numpy.typing.ArrayLike, relative: Optional[float] = None,
               absolute: Optional[float] = None) -> None:
        """Compares the numbers x of a copy with `values` e after a run with verify=True: |x - e| <= absolute + relative |e|.

        By default both are 1e-5 for f32, 4e-3 for f16, 3e-2 for bf16, 0.125 for f8e4m3, 0.25 for f8e5m2, and 0 for integers.
        """
        if not isinstance(copy, Copy):
            raise TypeError(f"a Copy of a tensor is needed, not {copy!r}")
        if copy._host is not self:
            raise ValueError("the copy belongs to another run")
        self._native.expect(name, copy._number, copy.dtype, _matrix(values, copy.dtype), relative, absolute)

    def _own(self, tensor: Tensor) -> _native.Tensor:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"a Tensor of this host is needed, not {tensor!r}")
        if tensor._host is not self:
            raise ValueError("the tensor belongs to another run")
        return tensor._native


def _name_of(array: numpy.typing.NDArray[Any]) -> str:
    if array.dtype not in _NAMES:
        raise ValueError(f"an array of {array.dtype} needs a dtype: {', '.join(_TYPES)}")
    return _NAMES[array.dtype]


def _matrix(values: numpy.typing.ArrayLike, dtype: str) -> numpy.typing.NDArray[Any]:
    if dtype not in _TYPES:
        raise ValueError(f"'{dtype}' is not a type of elements: use {', '.join(_TYPES)}")
    given = numpy.asarray(values)
    if given.ndim > 2:
        raise ValueError(f"a tensor has rows and columns; the array has {given.ndim} dimensions")
    matrix = numpy.ascontiguousarray(numpy.atleast_2d(given), dtype=_TYPES[dtype])
    held = numpy.clip(matrix, -8, 7) if dtype == "i4" else matrix
    if matrix.dtype.kind == "i" and not numpy.array_equal(held, numpy.atleast_2d(given)):
        raise ValueError(f"the array has numbers that {dtype} cannot hold")
    return matrix
