# SPDX-License-Identifier: Apache-2.0
"""The texts that tools read for a proof: sources, the files that these include, and those that they read at elaboration.

A name in an `include or a $readmemh may lead to a file of the current folder, of the folder of the source, or of a folder
of headers. All that exist count, in this order, so that a file that would be found earlier changes the text. Yosys and
Verilator look in these places; sim/regression/files_read.cpp reads the same.
"""

import os
import pathlib
import re

# A string, a quote of a macro, or a comment.
LEXEMES = re.compile(r'`"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
READS = re.compile(r'(?:`include\b|\$readmem[hb]\b\s*\()\s*(?:"([^"\n]*)"|<([^>\n]*)>)?')


def file_text(path):
    """The bytes of a file, a character each."""
    return pathlib.Path(path).read_bytes().decode("latin-1")


def names_read(text):
    """The names that a source reads, in their order; None for one that only a macro or a variable tells."""
    text = LEXEMES.sub(lambda found: " " if found[0].startswith("/") else found[0], text)
    return [found[1] or found[2] for found in READS.finditer(text)]


def files_read(path, headers=(), seen=None):
    """Yields (name, path) of the files that a source leads to, and (None, path) for one whose name nothing tells."""
    seen = {os.path.realpath(path)} if seen is None else seen
    for name in names_read(file_text(path)):
        if name is None:
            yield None, path
            continue
        for folder in (pathlib.Path("."), pathlib.Path(path).parent, *map(pathlib.Path, headers)):
            found = folder / name
            real = os.path.realpath(found)
            if found.is_file() and real not in seen:
                seen.add(real)
                yield name, found
                yield from files_read(found, headers, seen)


def texts(path, headers=()):
    """Returns name and text of a source, and, unless it is one of the bench, of all that it leads to. The text is another one each time if a name in it
    cannot be told, so that no result is kept by it."""
    found = [f"{pathlib.Path(path).name}\n{file_text(path)}"]
    of_the_bench = pathlib.Path(path).suffix in (".py", ".cpp", ".hpp")
    for name, read in () if of_the_bench else files_read(path, headers):
        found.append(f"unknown {os.urandom(16).hex()}" if name is None else f"{name}\n{file_text(read)}")
    return found


def listed(file_list):
    """The files of a file list of the repository, which has names and -F only."""
    words = [word for line in file_list.read_text().splitlines() if not line.startswith("//") for word in line.split()]
    at, found = iter(words), []
    for word in at:
        found += listed(file_list.parent / next(at)) if word in ("-f", "-F") else [file_list.parent / word]
    return found


def fnv(value, data):
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


LISTS = ("topo.f", "network/maze.f", "noc/noc.f")  # of the RTL of the repository


def rtl_hash(rtl, lists):
    """64-bit FNV-1a of the RTL in the folder `rtl`, as common/hash.hpp has it: of each file of `lists` (the repository's),
    and of what it leads to, the name, a newline and the bytes. Zeros if a name cannot be told, which match no RTL."""
    value, files = 0xcbf29ce484222325, []
    for file_list in lists:
        for path in listed(file_list):
            name = os.path.relpath(path, lists[0].parent)
            if name not in files and (rtl / name).is_file():
                files.append(name)
    for name in files:
        value = fnv(value, name.encode() + b"\n" + (rtl / name).read_bytes())
        for read, path in files_read(rtl / name, [rtl]):
            if read is None:
                return "0" * 16
            value = fnv(value, read.encode("latin-1") + b"\n" + path.read_bytes())
    return f"{value:016x}"
