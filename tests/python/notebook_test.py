#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A notebook shows reports as the pages of the program, and host parts repeat work and use numbers while they run."""

import html
import os
import re
import subprocess
import unittest

import kernbench
import numpy

from in_a_folder import InAFolder

SMALL = {"system__sips__count": 1, "sip__cube_mesh__w": 2, "sip__cube_mesh__h": 1}
SET = [word for key, value in SMALL.items() for word in ("--set", f"topology.{key.replace('__', '.')}={value}")]


def page_in(shown):
    """The page in the frame that a notebook shows."""
    return html.unescape(re.fullmatch(r'<iframe srcdoc="([^"]*)" title="KernBench" style="[^"]*"></iframe>', shown, re.DOTALL).group(1))


def pictures(page):
    return re.findall(r"<svg.*?</svg>", page, re.DOTALL)


def tables(page):
    return re.findall(r"<table.*?</table>", page, re.DOTALL)


class Pages(InAFolder):
    topology = kernbench.load(**SMALL)

    def program_page(self, *words):
        subprocess.run([os.environ["KERNBENCH"], *words, "--html", "page.html"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        return (self.folder / "page.html").read_text()

    def test_of_an_explained_run_is_that_of_the_program(self):
        mine = page_in(self.topology.run("vector-add", rows=64, explain=True)._repr_html_())
        theirs = self.program_page("run", "vector-add", *SET, "--set", "rows=64", "--explain")
        self.assertGreater(len(pictures(mine)), 1)
        self.assertEqual(pictures(mine), pictures(theirs))
        self.assertEqual(tables(mine), tables(theirs))
        self.assertIn("Critical path", mine.replace("critical path", "Critical path"))

    def test_of_a_run_has_its_tables(self):
        mine = page_in(self.topology.run("vector-add", rows=64)._repr_html_())
        self.assertIn("vector-add", mine)
        self.assertGreater(len(tables(mine)), 1)

    def test_of_other_reports_are_those_of_the_program(self):
        mine = page_in(kernbench.traffic("Mesh2D(4,4)", loads=[0.1, 0.3], cycles=200, warmup=50)._repr_html_())
        theirs = self.program_page("traffic", "Mesh2D(4,4)", "--loads", "0.1,0.3", "--cycles", "200", "--warmup", "50")
        self.assertEqual((pictures(mine), tables(mine)), (pictures(theirs), tables(theirs)))
        self.assertGreater(len(pictures(mine)), 0)

    def test_of_a_report_without_a_page_here_has_its_tables(self):
        report = kernbench.Report({"kind": "proofs", "outcome": "pass", "data": {"proofs": [{"name": "a<b", "seconds": 2}]}})
        self.assertIsNone(report.page())
        shown = report._repr_html_()
        self.assertIn("<h4>proofs</h4>", shown)
        self.assertIn("a&lt;b", shown)


class HostParts(unittest.TestCase):
    topology = kernbench.load(**SMALL)

    def test_repeat_work_of_a_key(self):
        seen = []

        def bench(torch):
            x = torch.tensor(shape=(64, 64))

            def work():
                seen.append(torch.now_ps)
                torch.launch("vector-add", x, x, x)

            for i in range(3):
                torch.repeat("add", i, 3, work)
            with self.assertRaisesRegex(ZeroDivisionError, "^division by zero$"):
                torch.repeat("fails", 0, 1, lambda: 1 / 0)

        self.assertEqual(len(self.topology.run(bench).launches), 3)  # without --reuse all of it runs
        self.assertEqual(len(seen), 3)

    def test_numbers_of_a_copy_exist_while_a_run_with_live_data_goes_on(self):
        found = []

        def bench(torch):
            x = torch.tensor(numpy.full((64, 64), 3, numpy.float32))
            torch.launch("vector-add", x, x, x)
            copy = torch.read(x)
            with self.assertRaisesRegex(RuntimeError, r"^the copy is not complete; torch\.synchronize\(\) waits for it$"):
                copy.values
            torch.synchronize()
            found.append(copy.values)
            return copy

        self.topology.run(bench, live=True)
        self.assertEqual(set(found[0].flat), {6})

        def dead(torch):
            copy = torch.read(torch.tensor(numpy.full((8, 8), 3, numpy.float32)))
            torch.synchronize()
            with self.assertRaisesRegex(RuntimeError, "^the numbers of a copy exist after a run with verify=True, or in one with live data$"):
                copy.values
            return copy

        with self.assertRaisesRegex(RuntimeError, "^the numbers of a copy exist after a run with verify=True$"):
            self.topology.run(dead).returned.values


if __name__ == "__main__":
    unittest.main(verbosity=2)
