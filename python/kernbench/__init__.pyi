# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from typing import Any, Iterable, NamedTuple, Optional, Union

import pandas

class Error(NamedTuple):
    file: str
    line: int
    column: int
    message: str
    hint: str

class BadInput(ValueError):
    errors: list[Error]
    def __init__(self, text: str, errors: Iterable[tuple[str, int, int, str, str]] = ...) -> None: ...

class RunFailed(RuntimeError): ...

class Result:
    end_ps: int
    operations: int
    flit_hops: int
    regions: pandas.DataFrame
    wrong: list[str]

_Value = Union[str, int, float, bool]
_Path = Union[str, PathLike[str]]

class Topology:
    warnings: list[str]
    def __init__(self, file: _Path, settings: Optional[dict[str, _Value]] = ...) -> None: ...
    @property
    def nodes(self) -> pandas.DataFrame: ...
    @property
    def edges(self) -> pandas.DataFrame: ...
    def probe(self, sizes: Iterable[int] = ..., jobs: Optional[int] = ...) -> pandas.DataFrame: ...
    def run(
        self,
        bench: str,
        device: int = ...,
        verify: bool = ...,
        ccl: Optional[_Path] = ...,
        time_limit_us: float = ...,
        **parameters: _Value,
    ) -> Result: ...

def load(file: Optional[_Path] = ..., **settings: _Value) -> Topology: ...
def benches() -> dict[str, dict[str, str]]: ...
def read_report(file: _Path) -> dict[str, Any]: ...
def sweep(plan: _Path, out: Optional[_Path] = ..., *options: str) -> pandas.DataFrame: ...
def read_sweep(database: _Path) -> pandas.DataFrame: ...
