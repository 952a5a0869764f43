# SPDX-License-Identifier: Apache-2.0
"""Types of elements, and the arrays of NumPy that hold them."""

from typing import Any

import numpy
import numpy.typing

Array = numpy.typing.NDArray[Any]

# Element types of a device, and those of the arrays that hold them.
_TYPES: dict[str, Any] = {
    "f32": numpy.float32, "f16": numpy.float16, "bf16": numpy.float32, "i32": numpy.int32, "i8": numpy.int8,
    "f8e4m3": numpy.float32, "f8e5m2": numpy.float32, "i4": numpy.int8}
_NAMES = {numpy.dtype(_TYPES[name]): name for name in ("f32", "f16", "i32", "i8")}


def name_of(array: Array) -> str:
    """Returns the type of elements that an array has."""
    if array.dtype not in _NAMES:
        raise ValueError(f"an array of {array.dtype} needs a dtype: {', '.join(_TYPES)}")
    return _NAMES[array.dtype]


def check_type(dtype: str) -> str:
    """Returns the name of a type of elements. Raises ValueError for another text."""
    if dtype not in _TYPES:
        raise ValueError(f"'{dtype}' is not a type of elements: use {', '.join(_TYPES)}")
    return dtype


def to_matrix(values: numpy.typing.ArrayLike, dtype: str) -> Array:
    """Returns a contiguous matrix whose elements have the type of NumPy that holds `dtype`."""
    check_type(dtype)
    given = numpy.asarray(values)
    if given.ndim > 2:
        raise ValueError(f"a tensor has rows and columns; the array has {given.ndim} dimensions")
    matrix = numpy.ascontiguousarray(numpy.atleast_2d(given), dtype=_TYPES[dtype])
    held = numpy.clip(matrix, -8, 7) if dtype == "i4" else matrix
    if matrix.dtype.kind == "i" and not numpy.array_equal(held, numpy.atleast_2d(given)):
        raise ValueError(f"the array has numbers that {dtype} cannot hold")
    return matrix


def from_bytes(data: bytes, dtype: str, rows: int, columns: int) -> Array:
    """Returns the matrix whose elements are in `data`."""
    return numpy.frombuffer(data, dtype=_TYPES[dtype]).reshape(rows, columns)
