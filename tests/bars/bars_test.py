#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the tables of bars.py fail when they should, and that docs/lab/bars.md has each of them."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE))
import bars  # noqa: E402


class Forged:
    """Stands in for the program: answers each command with figures of its own."""

    def __init__(self, answer, small=True):
        self.answer, self.small = answer, small

    def report(self, *words):
        return self.answer([str(word) for word in words])

    def reports(self, commands):
        return [self.report(*words) for words in commands]

    def seconds(self, *words):
        return self.answer([str(word) for word in words])


def spread(median, width=0):
    return {"spread": {"times": [{"least_ps": median - width, "median_ps": median, "most_ps": median}]}}


def rows(table, answer, **how):
    return list(bars.TABLES[table](Forged(answer, **how)))


class Effects(unittest.TestCase):
    def test_a_change_in_the_wrong_direction_counts_only_beyond_the_wider_band(self):
        for before, after, sign, wrong in (((100, 5), (106, 0), 1, True), ((100, 5), (105, 0), 1, False), ((100, 0), (94, 5), -1, True),
                                           ((100, 0), (94, 6), -1, False), ((100, 0), (50, 0), 1, False), ((100, 0), (150, 0), -1, False)):
            self.assertEqual(bars.has_wrong_sign(before, after, sign), wrong, (before, after, sign))

    def test_every_change_has_a_default_and_a_direction(self):
        changes = bars.changes()
        self.assertGreaterEqual(len(changes), 100)
        self.assertIn(("system.request_bytes", 18, -1), changes)
        self.assertIn(("cube.links.router_mesh.bw_gbs", 128.0, -1), changes)
        self.assertIn(("cube.links.router_mesh.bw_gbs", 281.6, 1), changes)

    def test_two_wrong_signs_are_beyond_the_bar(self):
        signs = {f"topology.{key}={value}": sign for key, value, sign in bars.changes()}
        for factor, kept in ((50, False), (0, True), (-50, True)):
            found = rows("effects", lambda words: spread(100 + factor * signs.get(words[-1], 0)))
            self.assertEqual([row.kept for row in found], [kept] * 2, [row.text for row in found])


class OtherTables(unittest.TestCase):
    def test_a_wide_band_is_beyond_the_bar(self):
        self.assertEqual([row.kept for row in rows("bands", lambda words: spread(100, 2))], [True])
        self.assertEqual([row.kept for row in rows("bands", lambda words: spread(100, 3))], [False])

    def test_an_error_of_messages_is_the_worst_of_all_regions(self):
        def answer(words):
            return {"regions": [{"time_ps": 1000}, {"time_ps": 1031 if "message" in words else 1000}]}
        self.assertEqual([(row.text, row.kept) for row in rows("messages", answer)], [("+3.10 %", False)] * 2)
        with self.assertRaisesRegex(bars.RunError, "without regions"):
            rows("messages", lambda words: {"regions": []})

    def test_a_queue_with_other_times_is_beyond_the_bar(self):
        def answer(factor):
            runs = [{"request_ps": {name: 1000 * factor * time for name, time in bars.queue_of(load).items()}}
                    for load in (0.3, 0.5)]
            return lambda words: {"checks": {"steps": [{"simulated_ps": 1000}]}, "runs": runs}
        self.assertEqual([row.kept for row in rows("queue", answer(1.0))], [True, True])
        self.assertEqual([row.kept for row in rows("queue", answer(1.04))], [False, False])

    def test_host_times_beyond_the_bar_are_noticed(self):
        self.assertEqual([row.kept for row in rows("reference", lambda words: 3.1 if "cycle" in words else 1.0)], [False] * 3)
        self.assertEqual([row.kept for row in rows("reference", lambda words: 2.9 if "cycle" in words else 1.0)], [True] * 3)

        def quadratic(words):
            return float(words[words.index("--set") + 3].rpartition("=")[2]) ** 2
        self.assertEqual([row.kept for row in rows("scale", quadratic)], [True, False, False, False])

    def test_a_report_without_a_figure_is_an_error(self):
        with self.assertRaisesRegex(bars.RunError, "without a spread"):
            rows("bands", lambda words: {})


class Program(unittest.TestCase):
    def run_bars(self, *words):
        return subprocess.run([sys.executable, HERE / "bars.py", *words], text=True, capture_output=True)

    def test_wrong_usage_is_refused(self):
        for words, message in ((["none"], "there is no table 'none'"), (["--small", "scale"], "has host times, and no small slice")):
            done = self.run_bars(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)

    def test_a_program_that_fails_or_says_nothing_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            listing = 'if [ "$1" = list ]; then echo "  0  a-bench"; exit 0; fi; '
            for text, message in ((listing + "exit 1", "exit code 1, no report"), (listing + "exit 0", "exit code 0, no report"),
                                  ("exit 0", "lists no bench")):
                program = pathlib.Path(folder) / "kernbench"
                program.write_text(f"#!/bin/sh\n{text}\n")
                program.chmod(0o755)
                done = self.run_bars("--kernbench", program, "bands")
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)

    def test_a_table_without_rows_is_not_kept(self):
        bars.TABLES["empty"] = lambda bench: ()
        self.addCleanup(bars.TABLES.pop, "empty")
        bars.TABLES["empty"].__doc__ = "Nothing."
        self.assertFalse(bars.measure(Forged(None), ["empty"]))

    def test_the_page_has_the_tables_with_their_bars(self):
        text = (bars.ROOT / "docs/lab/bars.md").read_text()
        between = text.partition("<!-- BEGIN: tables -->\n")[2].partition("<!-- END: tables -->")[0]
        self.assertEqual(between, "| table | bar |\n|---|---|\n" + "".join(f"{line}\n" for line in bars.page_lines()))
        measured = text.partition("## Measured\n")[2].partition("\n## ")[0]
        for name in bars.TABLES:
            self.assertIn(f"| `{name}` |", measured)


if __name__ == "__main__":
    unittest.main()
