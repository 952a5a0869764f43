#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the stub of kernbench._language, from the signatures that the module itself has."""

import collections
import sys
import types

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Written by python/stubs.py from the signatures of the module.
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union, final, overload

import numpy.typing

_Array = numpy.typing.NDArray[Any]
_Step = Union[str, tuple[str], tuple[str, Any]]

class Abandoned(BaseException): ...
class BadParameter(ValueError): ...

def register_bench(name: str, description: str, parameters: tuple[tuple[str, str, str, bool], ...], function: Callable[[HostContext], Any],
                   /) -> Optional[str]: ...
def signatures() -> list[tuple[str, str, list[tuple[str, str, Optional[str]]], str, str, int]]: ...
'''
# Types of options, by name; the others are whole numbers.
OPTIONS = {"epilogue": "Sequence[_Step]", "plan": "str", "k_begins": "Sequence[int]"}
# Forms of operations whose result depends on the type of a parameter: (type of the parameter, type of the result).
FORMS = {"composite": {"c": (("TensorRef", "None"), ("str", "Tile"))}, "icomposite": {"c": (("TensorRef", "Pending"), ("str", "PendingTile"))},
         "wait": {"pending": (("Pending", "None"), ("PendingTile", "Tile"))}}
OPERATORS = {"Tile": ["__array_ufunc__: None", "def __add__(self, other: Union[Tile, float]) -> Tile: ...", "def __radd__(self, other: float) -> Tile: ...",
             "def __sub__(self, other: Union[Tile, float]) -> Tile: ...", "def __rsub__(self, other: float) -> Tile: ...",
             "def __mul__(self, other: Union[Tile, float]) -> Tile: ...", "def __rmul__(self, other: float) -> Tile: ...",
             "def __truediv__(self, other: Union[Tile, float]) -> Tile: ...", "def __rtruediv__(self, other: float) -> Tile: ...",
             "def __neg__(self) -> Tile: ...", "def __lt__(self, other: Union[Tile, float]) -> Tile: ...",
             "def __le__(self, other: Union[Tile, float]) -> Tile: ...", "def __gt__(self, other: Union[Tile, float]) -> Tile: ...",
             "def __ge__(self, other: Union[Tile, float]) -> Tile: ..."],
             "Cost": ["def __add__(self, other: Cost) -> Cost: ...", "def __radd__(self, other: Cost) -> Cost: ...",
                      "def __mul__(self, factor: float) -> Cost: ...", "def __rmul__(self, factor: float) -> Cost: ..."]}


def stub(module):
    methods = collections.defaultdict(list)
    for kind, name, parameters, result, _, has_options in module.signatures():
        options = ["*"] + [f"{one}: {OPTIONS.get(one, 'int')} = ..." for one in module.COMPOSITE_OPTIONS] if has_options else []
        (varied, forms), = FORMS[name].items() if kind == "Tl" and name in FORMS else (("", ((None, result),)),)
        for its_form, its_result in forms:
            words = ["self"] + [f"{one}: {its_form if one == varied else its_type}" + ("" if default is None else f" = {default}")
                                for one, its_type, default in parameters]
            methods[kind].append(("@overload\n    " if varied else "") + f"def {name}({', '.join(words + options)}) -> {its_result}: ...")
    text = HEAD
    text += f"\nCOMPOSITE_OPTIONS: dict[str, str]\n"
    for name, kind in sorted(vars(module).items()):
        if not isinstance(kind, type) or issubclass(kind, BaseException):
            continue
        lines = [f"@property\n    def {one}(self) -> {attribute_type(name, one)}: ..." for one, value in vars(kind).items()
                 if isinstance(value, types.GetSetDescriptorType)]
        lines += methods[name] + OPERATORS.get(name, [])
        text += f"\n@final\nclass {name}:" + "".join("\n    " + line for line in lines) + ("\n" if lines else " ...\n")
    return text


def attribute_type(kind, name):
    types_by_name = {"type": "str", "shape": "tuple[int, int]", "kind": "str", "grid": "tuple[int, int]", "CostQuery.cubes": "tuple[int, int]"}
    return types_by_name.get(f"{kind}.{name}", types_by_name.get(name, "int"))


if __name__ == "__main__":
    import kernbench._language as language
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(stub(language))
