#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/booksim.py with programs that stand in for BookSim2 and kernbench, and that docs/lab/booksim.md has its tables.

    booksim_test.py --kernbench PROGRAM
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/booksim.py"
sys.path.append(str(SCRIPT.parent))
import booksim  # noqa: E402

# The end of what BookSim2 printed for the 8x8 torus with packets of one flit, and the exit code of every such run.
RECORDED = """Draining remaining packets ...
Time taken is 8054 cycles
====== Overall Traffic Statistics ======
====== Traffic class 0 ======
Packet latency average = 17.2783 (1 samples)
	minimum = 7 (1 samples)
	maximum = 43 (1 samples)
Accepted flit rate average = {accepted} (1 samples)
	minimum = 0.145667 (1 samples)
Hops average = 4.99119 (1 samples)
Total run time 0.541
"""
# Each node sent a packet to itself, which took 8 cycles, and ten to each other one, with a mean of 20 cycles; one in ten took 29.
FAKE_BOOKSIM = f"""#!{sys.executable}
import re, sys
text = open(sys.argv[1]).read()
key = lambda name: re.search(name + r" = (.*);", text).group(1)
slots, flits = int(key("vc_buf_size")), int(key("packet_size"))
accepted = slots / 6 if key("traffic") == "neighbor" else 0.4 + slots / 100 - flits / 50
if "stats_out" in text:
    own = [i // 64 == i % 64 for i in range(4096)]
    rows = {{"pair_sent": [1 if one else 10 for one in own], "pair_plat": [8 if one else 20 for one in own],
            "plat_hist": [64 if i == 8 else 36288 if i == 19 else 4032 if i == 29 else 0 for i in range(1000)]}}
    with open(key("stats_out"), "w") as out:
        for name, values in rows.items():
            out.write(name + "(1,:) = [ " + " ".join(map(str, values)) + " ];\\n")
print({RECORDED!r}.format(accepted=min(1, accepted)))
sys.exit(255)
"""
# Says what BookSim2 says, less the cycle of its last channel, times a factor.
FAKE_KERNBENCH = f"""#!{sys.executable}
import json, os, sys
option = lambda name: sys.argv[sys.argv.index("--" + name) + 1]
slots, flits = int(option("slots")), int(option("bytes"))
line = option("pattern") == "booksim.neighbor"
accepted = slots / 6 if line else (0.4 + slots / 100 - flits / 50) * 63 / 64 * float(os.environ["ACCEPTED"])
row = {{"accepted": round(min(1, accepted), 6), "latency_mean_cycles": 19 * float(os.environ["MEAN"]),
       "latency_p99_cycles": 28 * float(os.environ["P99"])}}
json.dump({{"data": {{"loads": [row]}}}}, open(option("json"), "w"))
"""


def program(folder, name, text):
    file = pathlib.Path(folder) / name
    file.write_text(text)
    file.chmod(0o755)
    return file


class Compared(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.report = pathlib.Path(self.folder.name) / "report.json"
        program(self.folder.name, "booksim", FAKE_BOOKSIM)
        self.kernbench = program(self.folder.name, "kernbench", FAKE_KERNBENCH)

    def run_script(self, *words, accepted=1.0, mean=1.0, p99=1.0, path=None):
        environment = dict(os.environ, PATH=path or f"{self.folder.name}:{os.environ['PATH']}", ACCEPTED=str(accepted),
                           MEAN=str(mean), P99=str(p99))
        done = subprocess.run([sys.executable, str(SCRIPT), "--kernbench", str(self.kernbench), "--json", str(self.report), *words],
                              env=environment, text=True, capture_output=True)
        return done.returncode, done.stdout, done.stderr

    def failures(self, *words, **factors):
        code, printed, _ = self.run_script("--quick", *words, **factors)
        self.assertEqual(code, 1, printed)
        return [line for line in printed.splitlines() if line.startswith("FAIL")]

    def test_equal_figures_keep_all_bars(self):
        code, printed, said = self.run_script("--quick")
        self.assertEqual(code, 0, printed + said)
        self.assertEqual(printed.splitlines()[-1], "PASS  all bars are kept")
        self.assertIn("| torus | 1 | 4 | 0.4134 | 0.4134 | +0.0 % | 0.0000, 0.0000 |", printed)
        self.assertIn("| torus | 1 | 4 | 0.1 (0.0413) | 19.00 | 19.00 | +0.0 % | 28.00 | 28.00 | +0.0 % |", printed)
        self.assertIn("| 5 | 0.8333 | 0.8333 |", printed)
        figures = json.loads(self.report.read_text())
        self.assertEqual((figures["seeds"], figures["cycles"]), ([1], 6000))
        self.assertEqual({part: len(rows) for part, rows in figures["rows"].items()}, {"accepted": 8, "latency": 24, "loop": 8})
        self.assertEqual(figures["rows"]["latency"][0]["booksim"], [{"mean": 19.0, "p99": 28}])

    def test_what_is_accepted_beyond_the_bar_fails(self):
        found = self.failures("--only", "accepted", accepted=1.041)
        self.assertEqual(len(found), 9)
        self.assertEqual(found[0], "FAIL  accepted: torus, 1 flit, 4 slots: +4.1 %, at most 4.0 %")
        self.assertEqual(found[-1], "FAIL  accepted: 4.1 % on average, at most 1.5 %")

    def test_the_average_has_a_bar_of_its_own(self):
        self.assertEqual(self.failures("--only", "accepted", accepted=0.98), ["FAIL  accepted: 2.0 % on average, at most 1.5 %"])

    def test_latency_beyond_the_bars_fails(self):
        found = self.failures("--only", "latency", mean=1.02, p99=1.06)
        self.assertEqual(found[:4], [
            "FAIL  latency: torus, 1 flit, 4 slots, 0.1 of saturation: p99 +6.0 %, at most 5.0 %",
            "FAIL  latency: torus, 1 flit, 4 slots, 0.3 of saturation: mean +2.0 %, at most 1.5 %",
            "FAIL  latency: torus, 1 flit, 4 slots, 0.3 of saturation: p99 +6.0 %, at most 5.0 %",
            "FAIL  latency: torus, 1 flit, 4 slots, 0.9 of saturation: p99 +6.0 %, at most 5.0 %"])
        self.assertEqual(len(found), 32)

    def test_another_loop_and_a_slow_program_fail(self):
        rows = {"loop": [{"slots": 4, "booksim": 0.66667, "kernbench": 0.6665}],
                "speed": [{"flits": 1, "share": 0.1, "load": 0.05, "booksim": [1000.0], "reference": [24000.0],
                          "kernbench": [9000.0], "rtl": [2400.0]}]}
        self.assertEqual(booksim.tables_of({"rows": rows})[1],
                         ["loop: 4 slots: 0.6665, BookSim2 0.6667",
                          "speed: 1 flit, 0.1 of saturation: reference 24.0 times BookSim2, at least 25",
                          "speed: 1 flit, 0.1 of saturation: rtl 2.4 times BookSim2, at least 2.5"])

    def test_a_missing_program_is_named(self):
        code, printed, said = self.run_script(path="/nothing")
        self.assertEqual((code, printed), (2, ""))
        self.assertEqual(said, "booksim.py: no program 'booksim'; name that of BookSim2 with --program\n")
        self.assertFalse(self.report.exists())

    def test_a_program_without_figures_is_refused(self):
        silent = program(self.folder.name, "silent", f"#!{sys.executable}\nprint('Parse error : Unknown integer field: k')\n")
        code, printed, said = self.run_script("--program", str(silent))
        self.assertEqual((code, printed), (2, ""))
        self.assertIn(f"booksim.py: {silent.resolve()} gave no figures for ['use_noc_latency', '=', '0;',", said)
        self.assertIn("Parse error : Unknown integer field: k", said)
        self.assertFalse(self.report.exists())

    def test_statistics_without_a_packet_are_refused(self):
        nothing = " ".join(["0"] * 4096)
        with self.assertRaisesRegex(booksim.RunError, "^BookSim2 measured no packet$"):
            booksim.latency_of(f"pair_sent(1,:) = [ {nothing} ];\npair_plat(1,:) = [ {nothing} ];\n")
        with self.assertRaisesRegex(booksim.RunError, "^the statistics of BookSim2 have no row pair_sent$"):
            booksim.latency_of("")

    def test_the_shipped_settings_are_those_of_the_page(self):
        page = (ROOT / "docs/lab/booksim.md").read_text()
        for name, value in booksim.COMMON.items():
            if not name.endswith("_thres"):
                self.assertIn(f"`{name} = {value}`", page)

    def test_the_page_has_the_tables_of_the_figures(self):
        page = (ROOT / "docs/lab/booksim.md").read_text()
        figures = json.loads((ROOT / "docs/lab/booksim.json").read_text())
        text, missed = booksim.tables_of(figures)
        self.assertIn(f"<!-- BEGIN: tables -->\n{text}\n<!-- END: tables -->", page)
        for line in missed:
            self.assertIn(line, page)


class Routes(unittest.TestCase):
    def test_of_the_torus_are_shortest_and_end_at_the_destination(self):
        for src in range(booksim.NODES):
            for dst in range(booksim.NODES):
                hops = list(booksim.route_of(src, dst))
                rings = [abs(a - b) for a, b in ((src % 8, dst % 8), (src // 8, dst // 8))]
                self.assertEqual(len(hops), sum(min(ring, 8 - ring) for ring in rings))
                self.assertEqual([hop[0] for hop in hops] + [dst], [src] + [hop[1] for hop in hops])

    def test_take_channel_1_up_over_the_edge_and_down_within(self):
        self.assertEqual(list(booksim.route_of(6, 1)), [(6, 7, 1), (7, 0, 1), (0, 1, 1)])
        self.assertEqual(list(booksim.route_of(1, 6)), [(1, 0, 0), (0, 7, 0), (7, 6, 0)])
        self.assertEqual(list(booksim.route_of(2, 5)), [(2, 3, 0), (3, 4, 0), (4, 5, 0)])
        self.assertEqual(list(booksim.route_of(5, 2)), [(5, 4, 1), (4, 3, 1), (3, 2, 1)])

    def test_load_the_links_alike(self):
        loads = {}
        for src in range(booksim.NODES):
            for dst in range(booksim.NODES):
                for a, b, _ in booksim.route_of(src, dst):
                    loads[a, b] = loads.get((a, b), 0) + 1
        self.assertEqual((len(loads), min(loads.values()), max(loads.values())), (256, 64, 64))

    def test_cannot_deadlock(self):
        with tempfile.TemporaryDirectory() as folder:
            booksim.Kernbench(KERNBENCH, pathlib.Path(folder), 1)
            done = subprocess.run([KERNBENCH, "topology", "zoo", "--spec", f"{folder}/torus.yaml"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("deadlock: none, the dependency graph has no cycle\n", done.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernbench", required=True)
    options, rest = parser.parse_known_args()
    KERNBENCH = options.kernbench
    unittest.main(argv=sys.argv[:1] + rest)
