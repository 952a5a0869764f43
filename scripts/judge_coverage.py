#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges the code coverage of the RTL in a data file of verilator_coverage.

    scripts/judge_coverage.py MERGED.dat [--rtl FOLDER] [--goal PERCENT]

Prints the figures of every RTL file, the missed points and what is not measured. Fails when a figure
is under the goal, and when points are absent that the RTL must have: without a declaration in NO_POINTS, a file or a kind of points
has not been covered just because none was counted.
"""

import argparse
import collections
import pathlib
import sys

KINDS = ("line", "branch", "toggle")

# Kinds of points that Verilator does not find in a file, and why. docs/lab/code-coverage.md says more.
NO_POINTS = {
    "irs_n.sv": (("line", "branch"), "instances and continuous assignments only"),
    "pkt_con_if.sv": (("line", "branch"), "signals only"),
    "topo.sv": (("line", "branch"), "instances and continuous assignments only"),
    "maze_pkg.sv": (KINDS, "evaluated during elaboration"),
    "network/maze_array.sv": (("line", "branch"), "instances and continuous assignments only"),
    "network/maze_node.sv": (("line", "branch"), "instances and continuous assignments only"),
    "network/maze_route.sv": (("line", "branch"), "continuous assignments only"),
    "network/maze_top.sv": (KINDS, "it has 8x8 nodes, whose toggle counters take too long to compile; "
                                   "`kernbench sim configs/regressions/network.yaml` runs it"),
    "network/pkt_in.sv": (("line", "branch"), "signals only"),
    "network/pkt_out.sv": (("line", "branch"), "signals only"),
}
# Lower goals of single figures: points that no legal use of the network reaches.
GOALS = {
    ("network/maze_array.sv", "toggle"): (90, "test_en is 0 outside a scan test"),
    ("network/maze_clock_gate.sv", "toggle"): (80, "test_en_i is 0 outside a scan test; tests/rtl and a proof drive it"),
    ("network/maze_node.sv", "toggle"): (94, "routing fixes bits of source and target at some ports; 4x3 leaves bits "
                                             "of addresses unused"),
}


def points_of(path):
    """Yields file, kind, hit and a text for every point. Raises ValueError for a damaged line."""
    # A line is C '<key><value>...' count, with \\001 before a key and \\002 before its value.
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if not line.startswith("C "):
            if line.strip() and not line.startswith("#"):
                raise ValueError(f"{path}:{number}: not a line of coverage data: {line[:60]!r}")
            continue
        text, quote, count = line[2:].rpartition("' ")
        values = dict(part.split("\002", 1) for part in text.lstrip("'").split("\001") if "\002" in part)
        if not quote or not count.isdigit() or not {"f", "page"} <= values.keys():
            raise ValueError(f"{path}:{number}: a point without file, kind or count: {line[:60]!r}")
        kind = values["page"].split("/")[0].removeprefix("v_")
        where = f"{values['f']}:{values.get('l', '?')}: {kind} {values.get('o', '')}, {values['page']}"
        yield values["f"], kind, int(count) > 0, where


class Judge:
    def __init__(self, rtl, goal):
        self.rtl = rtl
        self.goal = goal
        self.total = collections.Counter()
        self.hit = collections.Counter()
        self.missed = []    # (file, kind, where)
        self.errors = []

    def count(self, points):
        for file, kind, hit, where in points:
            for key in ((file, kind), ("all", kind)):
                self.total[key] += 1
                self.hit[key] += hit
            if not hit:
                self.missed.append((file, kind, where))

    def lower_goal(self, file, kind):
        """Returns the declared goal of a figure and its reason, or none."""
        return GOALS.get((file.removeprefix(f"{self.rtl}/"), kind))

    def cell(self, file, kind):
        total, hit = self.total[file, kind], self.hit[file, kind]
        if not total:
            return f"{'-':>7} {'':>9}"
        goal = self.goal
        if lower := self.lower_goal(file, kind):
            if 100 * hit >= goal * total:
                self.errors.append(f"{file}: {kind} reaches {goal:g} %: remove its lower goal")
            goal = min(goal, lower[0])
        if 100 * hit < goal * total:
            self.errors.append(f"{file}: {kind} is under the goal of {goal:g} %")
        return f"{100 * hit / total:6.1f}% {f'{hit}/{total}':>9}"

    def row(self, file):
        print(f"{file:<30} " + "  ".join(self.cell(file, kind) for kind in KINDS))

    def check_presence(self, files):
        """Finds what the data should have and does not."""
        for file in files:
            absent = [kind for kind in KINDS if not self.total[str(file), kind]]
            declared = NO_POINTS.get(str(file.relative_to(self.rtl)), ((), ""))[0]
            for kind in absent:
                if kind not in declared:
                    self.errors.append(f"{file}: no {kind} point was counted")
            for kind in set(declared) - set(absent):
                self.errors.append(f"{file}: has {kind} points, but is declared to have none")
        for kind in KINDS:
            if not self.total["all", kind]:
                self.errors.append(f"no {kind} point was counted in any file")
        known = {str(file) for file in files} | {"all"}
        for file in sorted({file for file, _ in self.total} - known):
            self.errors.append(f"{file}: points of a file that is not one of {self.rtl}/**/*.sv")
        for kind in sorted({kind for _, kind in self.total} - set(KINDS)):
            print(f"not judged: {self.total['all', kind]} points of kind {kind}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--rtl", type=pathlib.Path, default=pathlib.Path("rtl"))
    parser.add_argument("--goal", type=float, default=95)
    options = parser.parse_args()

    judge = Judge(options.rtl, options.goal)
    try:
        judge.count(points_of(options.data))
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    sources = sorted(options.rtl.rglob("*.sv"))
    if not sources:
        sys.exit(f"error: there is no RTL file in {options.rtl}")

    print(f"\n{'RTL file':<30} {'line':>17}  {'branch':>17}  {'toggle':>17}")
    for file in sources:
        judge.row(str(file))
    judge.row("all")
    for file, kind, where in judge.missed:
        if not judge.lower_goal(file, kind):
            print("  missed:", where)
    for file, kind in sorted({(file, kind) for file, kind, _ in judge.missed if judge.lower_goal(file, kind)}):
        goal, why = judge.lower_goal(file, kind)
        count = judge.total[file, kind] - judge.hit[file, kind]
        print(f"goal of {goal:g} %: {file} misses {count} {kind} points ({why})")
    for file in sources:
        kinds, why = NO_POINTS.get(str(file.relative_to(options.rtl)), ((), ""))
        without = [kind for kind in kinds if not judge.total[str(file), kind]]
        if without:
            print(f"without {', '.join(without)} points: {file} ({why})")
    judge.check_presence(sources)
    for error in judge.errors:
        print("error:", error)
    return 1 if judge.errors else 0


if __name__ == "__main__":
    sys.exit(main())
