# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package. The extension module raises them by their names in `kernbench`."""

import re
from collections.abc import Iterable
from typing import NamedTuple


class Error(NamedTuple):
    """An error of an input file. line and column are 0 where the file as a whole is wrong."""

    file: str
    line: int
    column: int
    message: str
    hint: str


class BadInput(ValueError):
    """An unusable input. `errors` has every error of it."""

    def __init__(self, text: str, errors: Iterable[tuple[str, int, int, str, str]] = ()) -> None:
        super().__init__(text)
        self.errors = [Error(*error) for error in errors]


class RunFailed(RuntimeError):
    """A bench that did not end: a kernel failed, all waited for each other, or the time limit was reached."""


class KernelError(RuntimeError):
    """An invalid operation of a kernel. The text has the operation and its line."""


_ERROR = re.compile(r"(?:(?P<file>.+?)(?::(?P<line>\d+):(?P<column>\d+))?: )?error: (?P<message>.*)")


def parse_errors(text: str) -> list[Error]:
    """Returns the errors in a message of the program, which has the form of GCC's: FILE:LINE:COLUMN: error: MESSAGE."""
    errors: list[Error] = []
    for line in text.splitlines():
        if found := _ERROR.fullmatch(line):
            errors.append(Error(found["file"] or "", int(found["line"] or 0), int(found["column"] or 0), found["message"], ""))
        elif line.startswith("  hint: ") and errors:
            errors[-1] = errors[-1]._replace(hint=line.removeprefix("  hint: "))
    return errors
