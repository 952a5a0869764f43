# SPDX-License-Identifier: Apache-2.0
"""Draws one-line faults from C++ sources."""

import random
import re

# Operators: a name, the pattern of a place, and its replacement.
OPERATORS = [
    ("negated_condition", re.compile(r"\bif \((?!const|auto|!)(.+)\)(?= |$)"), lambda m: f"if (!({m[1]}))"),
    ("constant_off", re.compile(r"(?<![\w.<\[{'x])([1-9]\d{0,3})(?=[;,) ])(?! ps| ns)"), lambda m: str(int(m[1]) + 1)),
    ("loop_one_short", re.compile(r"(for \(.*; )(\w+) < ([\w.()]+);"), lambda m: f"{m[1]}{m[2]} + 1 < {m[3]};"),
    ("wrong_comparison", re.compile(r" (==|!=|<|>=) (?=\w)"),
     lambda m: {"==": " != ", "!=": " == ", "<": " <= ", ">=": " > "}[m[1]]),
    ("dropped_statement", re.compile(r"^( +)(?!return|const|auto|using|break|continue|case|throw)([\w.>\[\]*+-]+(\(.*\)|"
                                     r"( [|&^+-]?= .+)|\+\+));$"), lambda m: f"{m[1]};"),
    ("swapped_operator", re.compile(r" (&&|\|\||\+|-|&) (?=\w)"),
     lambda m: {"&&": " || ", "||": " && ", "+": " - ", "-": " + ", "&": " | "}[m[1]]),
    ("lost_inversion", re.compile(r"(?<=[\s(])[~!](?=[\w(])"), lambda m: ""),
]


def is_code(line):
    text = line.strip()
    return text and not text.startswith(("//", "#", "///", "*", "static_assert", "template", "namespace", "using")) and \
        not text.endswith("= default;")


def places(path, text):
    """Every place of every operator in a file: (operator, line, broken line)."""
    before = ";"
    for line in text.splitlines():
        code = line.split("//")[0].rstrip()
        starts = before.endswith((";", "{", "}", ":"))  # and does not continue the line before
        before = code or before
        if not is_code(line) or '"' in code or text.count(line + "\n") != 1:
            continue
        for name, pattern, become in OPERATORS:
            if name == "dropped_statement" and not starts:
                continue
            for match in pattern.finditer(code):
                yield name, line, code[:match.start()] + become(match) + code[match.end():]


def draw(root, folders, count, seed):
    """Returns `count` faults as entries of the list, with equal shares of the operators."""
    generator = random.Random(seed)
    files = sorted(path for folder in folders for path in (root / folder).rglob("*.[ch]pp")
                   if path.name != "verilated_maze_dut.cpp")  # part of models, not of a test program
    by_operator = {}
    for path in files:
        for name, line, broken in places(path, path.read_text()):
            by_operator.setdefault(name, []).append((path, line, broken))
    entries = []
    names = sorted(by_operator)
    while len(entries) < count:
        name = names[len(entries) % len(names)]
        path, line, broken = generator.choice(by_operator[name])
        entry = {"id": f"{path.stem.replace('_', '-')}-{seed}-{len(entries) + 1}", "kind": name,
                 "file": str(path.relative_to(root)), "find": line.strip(), "replace": broken.strip()}
        if path.read_text().count(entry["find"]) == 1:
            entries.append(entry)
    return entries
