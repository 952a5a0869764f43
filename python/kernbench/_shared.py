# SPDX-License-Identifier: Apache-2.0
"""Globals that the programs of a kernel share: they run at the same time, so none may change what another reads."""

import dis
import functools
import os
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_MOST = 1000  # elements; of a longer container only a change of its length is noticed
_MOST_BYTES = 4096  # of an array of NumPy


class Use(NamedTuple):
    """A global that code reads or assigns, and the line."""

    name: str
    line: int
    assigned: bool


@functools.lru_cache(maxsize=None)
def uses_of(code: types.CodeType) -> tuple[Use, ...]:
    """Returns the uses of globals in code, also in functions inside it."""
    found, line = [], code.co_firstlineno
    for one in dis.get_instructions(code):
        line = one.starts_line or line
        if one.opname in ("STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_GLOBAL"):
            found.append(Use(str(one.argval), line, one.opname != "LOAD_GLOBAL"))
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found += uses_of(inner)
    return tuple(found)


class Shared(NamedTuple):
    """An object that can change, by its global name and the place that reads it, and what it was at the launch."""

    name: str
    place: str
    value: Any
    before: Any


def watched(function: Callable[..., None], label: str) -> Callable[..., None]:
    """Returns a function that calls `function`, and raises TypeError if a global that it reads has changed since now."""
    folder = os.path.dirname(function.__code__.co_filename)
    objects = [Shared(name, place, value, _content(value)) for name, place, value in _objects(function, folder, set())]
    if not objects:
        return function

    @functools.wraps(function)
    def call(*arguments: Any) -> None:
        function(*arguments)
        for one in objects:
            if not _same(one.before, _content(one.value)):
                raise TypeError(f"{one.place}: the global {type(one.value).__name__} '{one.name}', which {label} reads, has changed since "
                                "the launch, and programs that run at the same time share it; use local variables, a tensor, or "
                                "functools.cache for values that all programs compute alike")

    return call


def _objects(function: Callable[..., Any], folder: str, seen: set[int]) -> Iterator[tuple[str, str, Any]]:
    """Returns (name, place, object) of the globals that can change, of a function and of those that it calls in its folder.

    Libraries may have caches.
    """
    function = getattr(function, "function", function)  # a kernel
    if not isinstance(function, types.FunctionType) or id(function) in seen or not function.__code__.co_filename.startswith(folder):
        return
    seen.add(id(function))
    for use in uses_of(function.__code__):
        value = function.__globals__.get(use.name)
        if value is None or id(value) in seen:
            continue
        if isinstance(value, types.FunctionType) or hasattr(value, "function"):
            yield from _objects(value, folder, seen)
        elif isinstance(value, type):
            for member in vars(value).values():
                yield from _objects(member, folder, seen)
        elif _content(value) is not None:
            seen.add(id(value))
            yield use.name, f"{function.__code__.co_filename}:{use.line}", value


def _content(value: Any) -> Any:
    """Returns what can change in an object: its elements or attributes. None for one that cannot."""
    if isinstance(value, dict):
        return (len(value), *value.keys(), *value.values()) if len(value) <= _MOST else (len(value),)
    if isinstance(value, (list, set)):
        return (len(value), *value) if len(value) <= _MOST else (len(value),)
    if isinstance(value, bytearray):
        return (bytes(value),)
    if type(value).__module__ == "numpy" and hasattr(value, "tobytes") and hasattr(value, "setflags"):
        return (value.tobytes(),) if value.nbytes <= _MOST_BYTES and value.flags.writeable else None
    if isinstance(value, (types.ModuleType, type)) or callable(value) or not hasattr(value, "__dict__"):
        return None
    return _content(vars(value))


def _same(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    """Returns true for the same objects, and for equal numbers and bytes."""
    simple = (int, float, str, bytes)
    return len(before) == len(after) and all(
        a is b or (type(a) is type(b) and isinstance(a, simple) and a == b) for a, b in zip(before, after))
