#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/judge_coverage.py on hand-made data: what is absent fails, and what is not measured is named."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = ("irs_half.sv", "irs_lp.sv", "irs_n.sv", "maze_pkg.sv", "pkt_con_if.sv", "topo.sv", "network/maze_array.sv")


def point(file, kind, count=1, line=7):
    values = {"f": f"rtl/{file}", "l": line, "page": f"v_{kind}/x", "o": "o"}
    text = "".join(f"\001{key}\002{value}" for key, value in values.items())
    return f"C '{text}' {count}\n"


def whole():
    """Returns the points that the RTL has, by file and kind."""
    points = {(file, "toggle"): 5 * point(file, "toggle") for file in FILES if file != "maze_pkg.sv"}
    # Its goal is 90 %.
    points["network/maze_array.sv", "toggle"] = 9 * point("network/maze_array.sv", "toggle") + point(
        "network/maze_array.sv", "toggle", count=0)
    for kind in ("line", "branch"):
        points |= {(file, kind): point(file, kind) for file in ("irs_half.sv", "irs_lp.sv")}
    return points


class JudgeCoverage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "rtl/network").mkdir(parents=True)
        for file in FILES:
            (self.folder / "rtl" / file).touch()

    def judge(self, text):
        (self.folder / "merged.dat").write_text("# SystemC::Coverage-3\n" + text)
        return subprocess.run([sys.executable, ROOT / "scripts/judge_coverage.py", "merged.dat"], cwd=self.folder,
                              capture_output=True, text=True)

    def fails(self, text, message):
        run = self.judge(text)
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn(message, run.stdout + run.stderr)
        self.assertNotIn("Traceback", run.stderr)

    def test_whole_data_passes_and_names_what_is_not_measured(self):
        run = self.judge("".join(whole().values()))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("goal of 90 %: rtl/network/maze_array.sv misses 1 toggle points (test_en is 0 outside a scan "
                      "test)", run.stdout)
        self.assertIn("without line, branch points: rtl/topo.sv", run.stdout)

    def test_nothing_fails(self):
        self.fails("", "error: no line point was counted in any file")

    def test_each_absent_kind_of_each_file_fails(self):
        for absent in whole():
            text = "".join(line for key, line in whole().items() if key != absent)
            with self.subTest(absent=absent):
                self.fails(text, f"error: rtl/{absent[0]}: no {absent[1]} point was counted")

    def test_a_kind_that_is_absent_everywhere_fails(self):
        for kind in ("line", "branch", "toggle"):
            text = "".join(line for key, line in whole().items() if key[1] != kind)
            self.fails(text, f"error: no {kind} point was counted in any file")

    def test_a_new_file_without_points_fails(self):
        (self.folder / "rtl/new.sv").touch()
        self.fails("".join(whole().values()), "error: rtl/new.sv: no toggle point was counted")

    def test_a_figure_under_the_goal_fails_and_the_missed_point_is_named(self):
        text = "".join(whole().values()) + point("irs_lp.sv", "branch", count=0, line=12)
        self.fails(text, "error: rtl/irs_lp.sv: branch is under the goal of 95 %")
        self.assertIn("  missed: rtl/irs_lp.sv:12: branch o, v_branch/x", self.judge(text).stdout)

    def test_damaged_data_fails_with_its_line(self):
        for line in ("C 'nothing' 1\n", point("topo.sv", "toggle").replace("' 1", "' many"), "garbage\n"):
            text = "".join(whole().values())
            self.fails(text + line, f"merged.dat:{text.count(chr(10)) + 2}: ")

    def test_points_of_an_unknown_file_fail(self):
        self.fails("".join(whole().values()) + point("../copy/topo.sv", "line"),
                   "error: rtl/../copy/topo.sv: points of a file that is not one of rtl/**/*.sv")

    def test_kinds_that_are_not_judged_are_named(self):
        run = self.judge("".join(whole().values()) + point("topo.sv", "expr"))
        self.assertEqual(run.returncode, 0)
        self.assertIn("not judged: 1 points of kind expr", run.stdout)

    def test_a_figure_under_its_lower_goal_fails(self):
        more = point("network/maze_array.sv", "toggle", count=0)
        self.fails("".join(whole().values()) + more,
                   "error: rtl/network/maze_array.sv: toggle is under the goal of 90 %")

    def test_declarations_that_are_not_needed_fail(self):
        self.fails("".join(whole().values()) + 10 * point("network/maze_array.sv", "toggle"),
                   "error: rtl/network/maze_array.sv: toggle reaches 95 %: remove its lower goal")
        self.fails("".join(whole().values()) + point("topo.sv", "line"),
                   "error: rtl/topo.sv: has line points, but is declared to have none")

    def test_folders_without_rtl_or_data_fail(self):
        (self.folder / "none").mkdir()
        (self.folder / "merged.dat").write_text("")
        for data, rtl, message in (("merged.dat", "none", "error: there is no RTL file in none"),
                                   ("none.dat", "rtl", "error: ")):
            run = subprocess.run([sys.executable, ROOT / "scripts/judge_coverage.py", data, "--rtl", rtl],
                                 cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn(message, run.stderr)
            self.assertNotIn("Traceback", run.stderr)


if __name__ == "__main__":
    unittest.main()
