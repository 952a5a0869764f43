#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every example runs and draws its figure."""

import os
import re
import subprocess
import sys
import unittest

import kernbench

from in_a_folder import ROOT, InAFolder

EXAMPLES = ROOT / "examples/python"


class Examples(InAFolder):
    def draw(self, name):
        """Runs an example, and returns the words and the number of drawn curves in its figure."""
        subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], cwd=self.folder, check=True)
        figure = (self.folder / f"{name}.svg").read_text()
        # Matplotlib draws words as shapes, and keeps them in comments.
        return re.findall(r"<!-- (.*?) -->", figure), len(re.findall(r'<g id="line2d_', figure))

    def test_are_all_run_here(self):
        self.assertEqual(sorted(path.stem for path in EXAMPLES.glob("*.py")), ["clock_sweep", "host_roofline", "load_latency"])
        for path in EXAMPLES.glob("*.py"):
            self.assertLess(len(path.read_text().splitlines()), 60, path.name)

    def test_a_sweep_and_its_plot(self):
        words, curves = self.draw("clock_sweep")
        for text in ("clock of the PEs (GHz)", "time of gemm (us)", "512 rows", "1024 rows"):
            self.assertIn(text, words)
        rows = kernbench.read_sweep(self.folder / "clock_sweep.db")
        self.assertEqual((len(rows), set(rows["outcome"])), (12, {"pass"}))
        self.assertGreater(curves, 2)

    def test_a_sweep_and_its_plot_in_the_ten_lines_of_the_page(self):
        page = (ROOT / "docs/python.md").read_text()
        code = next(block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "kernbench.sweep(" in block)
        self.assertLessEqual(len([line for line in code.splitlines() if line]), 10)
        subprocess.run([sys.executable, "-c", code], cwd=self.folder, check=True)
        rows = kernbench.read_sweep(self.folder / "clocks.db")
        self.assertEqual((list(rows["topology.pe.clock_ghz"]), set(rows["outcome"])), ([0.5, 1, 1.5, 2], {"pass"}))
        self.assertGreater((self.folder / "clocks.svg").stat().st_size, 5000)

    def test_a_host_part_and_a_source_of_the_page(self):
        page = (ROOT / "docs/python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(blocks), 6)
        for block in blocks:
            if "@kernbench.bench" in block:
                (self.folder / "page.py").write_text(block)
                checks = ["--verify"] if "expect" in block else []
                subprocess.run([os.environ["KERNBENCH"], "run", "page.py", *checks], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
                continue
            subprocess.run([sys.executable, "-c", block], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def test_a_roofline(self):
        words, curves = self.draw("host_roofline")
        for text in ("multiply-adds per byte of HBM traffic", "GMAC/s", "1024 x 8 x 1024", "4096 x 4096 x 4096"):
            self.assertIn(text, words)
        self.assertGreater(curves, 7)

    def test_latency_over_load(self):
        words, curves = self.draw("load_latency")
        for text in ("load (packets per node and cycle)", "mean latency (cycles)", "Mesh2D(8,8)", "FlattenedButterfly(8,8)", "analytic", "cycle"):
            self.assertIn(text, words)
        self.assertGreater(curves, 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
