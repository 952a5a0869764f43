#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every option of `run` on a bench in Python: it runs, or it is refused with a message that says why."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHES = ROOT / "examples/python/benches"
SMALL = ["--set", "topology.system.sips.count=2", "--set", "topology.sip.cube_mesh.w=2", "--set", "topology.sip.cube_mesh.h=1"]
ADD = [BENCHES / "vector_add.py", *SMALL, "--set", "rows=64"]
SUM = [BENCHES / "all_reduce.py", *SMALL, "--set", "bytes=3200"]
LAYERS = [BENCHES / "transformer.py", *SMALL, "--set", "layers=3", "--set", "hidden=64", "--set", "feed_forward=64"]

# Words of a command, its exit code, an expression that its output has, and a file that names lines of the bench.
OPTIONS = [
    (ADD + ["--addresses", "physical", "--verify"], 0, r"PASS  z: 16,384 elements, 0 wrong"),
    (ADD + ["--addresses", "logical", "--verify"], 0, r"PASS  z: 16,384 elements, 0 wrong"),
    (SUM + ["--addresses", "physical", "--verify"], 0, r"PASS  contracts of 2 calls"),
    (ADD + ["--races"], 0, r"(?s)no races|PASS  races"),
    (ADD + ["--explain"], 0, r"critical path"),
    (ADD + ["--explain", "--html", "page.html"], 0, r"critical path"),
    (ADD + ["--what-if", "pe.clock_ghz*2", "pe.clock_ghz/2"], 0, r"pe\.clock_ghz\*2"),
    (ADD + ["--spread", "3"], 0, r"3 (more )?runs"),
    (ADD + ["--tornado"], 0, r"pe\.clock_ghz"),
    (ADD + ["--trace", "timeline.json"], 0, r"exact", "timeline.json"),
    (ADD + ["--trace", "timeline.json", "--trace-detail", "hops"], 0, r"exact"),
    (ADD + ["--oplog", "log.json"], 0, r"exact", "log.json"),
    (SUM + ["--oplog", "log.json"], 0, r"exact", "log.json"),
    (ADD + ["--export-chakra", "traces"], 0, r"wrote traces of 1 rank, traces\.0\.et first"),
    (SUM + ["--export-chakra", "traces"], 0, r"wrote traces of 2 ranks, traces\.0\.et first"),
    (ADD + ["--reuse"], 0, r"64"),
    (LAYERS + ["--reuse"], 0, r"1 (work )?(was )?simulated|repeated"),
    *((ADD + ["--reuse", *words], 2, rf"{words[0]} and --reuse cannot be combined|--reuse and {words[0]} cannot be combined") for words in (
        ["--verify"], ["--races"], ["--explain"], ["--data", "live"], ["--trace", "t.json"], ["--html", "p.html"], ["--oplog", "l.json"],
        ["--export-chakra", "traces"])),
    (ADD + ["--fidelity", "message", "--explain"], 2, r"--fidelity message moves messages without the flits that --explain, --html and --trace follow"),
    (ADD + ["--fidelity", "message", "--reuse"], 0, r"."),
    (ADD + ["--device", "1"], 0, r"SIP"),
    (ADD + ["--device", "2"], 2, r"device|SIP"),
    (ADD + ["--time-limit-us", "0.1"], 3, r"error: bench 'py-vector-add': simulated time reached 0\.100 us"),
    (ADD + ["--upload", "--verify"], 0, r"PASS  z"),
]


class Options(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-options-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *words):
        done = subprocess.run([os.environ["KERNBENCH"], *map(str, words)], cwd=self.folder, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_run_or_are_refused(self):
        for words, code, said, *files in OPTIONS:
            with self.subTest(" ".join(map(str, words[1 + len(SMALL):]))):
                found, output = self.run_program("run", *words)
                self.assertEqual(found, code, output)
                self.assertRegex(output, said)
                self.assertNotIn("Traceback", output)
                for file in files:  # which names the lines of the file
                    self.assertTrue(re.search(words[0].name + r":\d+", (self.folder / file).read_text()), file)
                    (self.folder / file).unlink()


if __name__ == "__main__":
    unittest.main(verbosity=2)
