# SPDX-License-Identifier: Apache-2.0
"""Cell libraries: those of Debian's qflow packages, and Liberty files of users."""

import dataclasses
import pathlib
import re

import lef as lef_files

FOLDER = pathlib.Path("/usr/share/qflow/tech")
LIBERTY = {"osu018": "osu018_stdcells.lib", "osu035": "osu035_stdcells.lib", "osu050": "osu05_stdcells.lib"}


class BadLibrary(Exception):
    """A library that cannot be used; the text says why, and what would be right."""


@dataclasses.dataclass(frozen=True, eq=False)
class Library:
    name: str
    liberty: pathlib.Path
    has_hold: bool       # flops have hold times; without them no hold slack is stated
    has_recovery: bool   # flops have recovery and removal times of a reset
    areas: dict          # of the cells, um2
    lef: pathlib.Path    # None if there is none
    wires: dict          # name of a layer: its lef.Layer; empty without the capacitance of edges


def read(path, name=None):
    """Reads a Liberty file, and beside it the LEF file of a qflow technology, which may be missing."""
    path = pathlib.Path(path)
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        raise BadLibrary(f"{path}: {error.strerror}") from None
    code = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
    first = re.search(r"\S", code)
    if first is None or not re.match(r"library\s*\(", code[first.start():]):
        line = 1 + code[:first.start()].count("\n") if first else 1
        raise BadLibrary(f"{path}:{line}: not a Liberty file, which begins with 'library (NAME) {{'")
    check_groups(path, code)
    if not re.search(r"\bff\s*\(", code):
        raise BadLibrary(f"{path}: no flop, a cell with a group 'ff (...)', so nothing with a clock can be mapped to it")
    kinds = set(re.findall(r"timing_type\s*:\s*\"?(\w+)", code))
    lef = path.parent / f"{path.parent.name}_stdcells.lef"
    areas = dict(re.findall(r"\bcell\s*\(\s*\"?(\w+)\"?\s*\)\s*\{[^{}]*?\barea\s*:\s*([\d.]+)", code))
    return Library(name or path.stem, path, "hold_rising" in kinds, {"recovery_rising", "removal_rising"} <= kinds,
                   {cell: float(area) for cell, area in areas.items()},
                   lef if lef.is_file() else None, lef_files.layers_of(lef) if lef.is_file() else {})


def check_groups(path, code):
    """Every group of a Liberty file has both of its braces."""
    depth, last = [], 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|[{}]', code):
        if found[0] == "{":
            depth.append(found.start())
        elif found[0] == "}":
            if not depth:
                raise BadLibrary(f"{path}:{1 + code[:found.start()].count(chr(10))}: a '}}' without a group that it ends")
            depth.pop()
            last = found.end()
    if depth:
        raise BadLibrary(f"{path}:{1 + code[:depth[-1]].count(chr(10))}: the group that begins here is not closed by a '}}'")
    if code[last:].strip():
        line = 1 + code[:last].count("\n") + code[last:len(code) - len(code[last:].lstrip())].count("\n")
        raise BadLibrary(f"{path}:{line}: text behind the library; right is one group 'library (NAME) {{ ... }}'")


def shipped(name):
    path = FOLDER / name / LIBERTY[name]
    if not path.is_file():
        raise BadLibrary(f"{path} is missing: run scripts/install-deps.sh silicon")
    return read(path, name)
