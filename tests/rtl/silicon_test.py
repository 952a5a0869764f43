# SPDX-License-Identifier: Apache-2.0
"""One link in the cells of a library: its figures are those of the page, and what cannot be used is named."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/silicon"))
import power  # noqa: E402

PAGE = ROOT / "docs/lab/silicon.md"
LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
NEEDED = ("sta", "yosys", "iverilog", "qflow", "graywolf", "qrouter", "magic", "netgen-lvs")


class Silicon(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def silicon(self, *arguments, environment=None):
        done = subprocess.run([sys.executable, ROOT / "scripts/silicon/silicon.py", "--work", self.folder / "work", *map(str, arguments)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)
        return done.returncode, done.stdout

    def liberty(self, change):
        file = self.folder / "other.lib"
        file.write_text(change(LIBERTY.read_text()))
        return file

    def test_a_link_has_the_figures_of_the_page(self):
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 3", "--compare", PAGE)
        self.assertEqual(code, 0, text)
        self.assertTrue(text.startswith("  1 of 1  osu018 IRS_N lp 3: 27,534 um2, setup 5.55 ns\n"), text)
        self.assertIn("| IRS_N lp 3 | 540 | 144 | 27,534 | 225 | 5.55 | 0.03 | 7.72 | 1.76 | 46.70 |",
                      (self.folder / "work/silicon.md").read_text())

    def test_the_worst_path_has_the_names_of_the_rtl(self):
        self.silicon("--library", "osu018", "--only", "IRS_N lp 1")
        text = (self.folder / "work/osu018/IRS_N-lp-1/paths.txt").read_text()
        self.assertIn("# flops\nStartpoint: g_stage[0].g_lp.u_irs.skid_free_q (", text)

    def test_the_power_of_a_link_is_that_of_the_page(self):
        pins = self.folder / "pins"
        subprocess.run([os.environ["RECORD_PINS"], ROOT / "scripts/silicon/power.yaml", pins], check=True)
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 1", "--pins", pins, "--compare", PAGE)
        self.assertEqual(code, 0, text)
        (link,) = json.loads((self.folder / "work/silicon.json").read_text())["power"]
        self.assertEqual([case["packets_per_cycle"] for case in link["cases"]], [0.0, 0.0989, 0.4843, 0.9905, 0.3906, 0.9905])
        (pins / "load-1.0.pins").unlink()
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 1", "--pins", pins)
        self.assertEqual(code, 5)
        self.assertIn(f"error: {pins} has no load-1.0.pins, which record_pins writes of scripts/silicon/power.yaml\n", text)

    def test_the_layout_of_a_link_is_that_of_the_page(self):
        plain = self.folder / "maze.v"
        subprocess.run([os.environ["KERNBENCH"], "-q", "structure", "network", "--write-verilog", plain], cwd=ROOT, check=True)
        one = ("--library", "osu018", "--only", "IRS_N lp 1")
        code, text = self.silicon(*one, "--plain", plain, "--compare", PAGE)
        self.assertEqual(code, 0, text)
        self.assertIn("| IRS_N lp 1 | 292 | 12,902 | 5.89 | 0 | 0 | 0 |", (self.folder / "work/silicon.md").read_text())
        plain.write_text("")
        code, text = self.silicon(*one, "--plain", plain)
        self.assertEqual(code, 5)
        self.assertIn("error: the Verilog-2005 has no module IRS_N_IRS_DEEP_1\n", text)

    def test_a_line_tells_how_far_a_point_is_off(self):
        self.assertEqual(power.line_of([(0, 1.0), (1, 3.0), (2, 5.0)]), (2.0, 1.0, 0.0))
        slope, start, off = power.line_of([(0, 0.0), (1, 3.0), (2, 0.0)])
        self.assertEqual((slope, start, off), (0.0, 1.0, 2.0))

    def test_a_figure_that_differs_from_the_page_is_named(self):
        page = self.folder / "page.md"
        page.write_text(PAGE.read_text().replace("| 540 | 144 | 27,534 |", "| 540 | 144 | 27,900 |", 1))
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N lp 3", "--compare", page)
        self.assertEqual(code, 1)
        self.assertIn("\nosu018: IRS_N lp 3: area, um2 is 27,534, the page has 27,900\n", text)

    def test_a_slack_below_0_is_named(self):
        # A library in which a flop takes 20 ns longer to set up.
        slow = self.liberty(lambda text: re.sub(r"(setup_rising;\s*rise_constraint\(\w+\) \{.*?values \(\s*\\?\s*)\"[^\"]*\"",
                                                lambda found: found[1] + '"' + ", ".join(["20.0"] * 3) + '"', text, flags=re.DOTALL))
        code, text = self.silicon("--liberty", slow, "--only", "IRS_N half 1")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"\nother: IRS_N half 1: setup slack -\d+\.\d+ ns at 100 MHz\n")

    def test_a_library_without_hold_times_has_dashes(self):
        code, text = self.silicon("--liberty", self.liberty(lambda text: text.replace("hold_rising", "setup_rising")), "--only", "IRS_N lp 1")
        self.assertEqual(code, 0, text)
        self.assertIn("note: other has no hold times; the table has a dash for them\n", text)
        row = next(line for line in (self.folder / "work/silicon.md").read_text().splitlines() if line.startswith("| IRS_N lp 1 "))
        self.assertEqual(row.split(" | ")[6], "-")

    def test_what_cannot_be_used_is_named(self):
        missing = self.folder / "none.lib"
        other = self.liberty(lambda text: "/* a comment\n*/\nmodule x;\n")
        empty = self.folder / "empty.lib"
        empty.write_text("library (empty) {\n}\n")
        for file, says in ((missing, f"{missing}: No such file or directory"),
                           (other, f"{other}:3: not a Liberty file, which begins with 'library (NAME) {{'"),
                           (empty, f"{empty}: no flop, a cell with a group 'ff (...)', so nothing with a clock can be mapped to it")):
            self.assertEqual(self.silicon("--liberty", file), (2, f"error: {says}\n"))
        self.assertEqual(self.silicon("--only", "none such"), (2, "error: no unit has none such in its name\n"))

    def test_a_missing_tool_is_named(self):
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "yosys").symlink_to(shutil.which("yosys"))
        (tools / "berkeley-abc").symlink_to(shutil.which("berkeley-abc"))
        code, text = self.silicon("--library", "osu018", "--only", "IRS_N half 1",
                                  environment=os.environ | {"PATH": f"{tools}"})
        self.assertEqual((code, text), (5, "error: sta is not installed; run scripts/install-deps.sh silicon\n"))


if __name__ == "__main__":
    if not LIBERTY.is_file() or any(shutil.which(tool) is None for tool in NEEDED):
        print("skipped: make silicon installs what this test needs")
        sys.exit(77)
    unittest.main()
