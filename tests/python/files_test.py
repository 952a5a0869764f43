#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program runs benches in files of Python, lists them, and says what is wrong with a file."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHES = ROOT / "examples/python/benches"
SMALL = ["--set", "topology.system.sips.count=1", "--set", "topology.sip.cube_mesh.w=2", "--set", "topology.sip.cube_mesh.h=1"]

HEAD = """import kernbench


@kernbench.kernel
def k(tl, x):
    mine = x.local(tl)
    {body}


@kernbench.bench("mine", "what it does", rows=(64, "rows of x"))
def run(torch, rows):
    x = torch.tensor(shape=(rows, 32))
    torch.launch(k, x)
"""


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-files-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="mine.py"):
        (self.folder / name).write_text(text)
        return name

    def program(self, *words, code=0, environment=None):
        """What the program prints, which has to end with `code`."""
        done = subprocess.run([os.environ["KERNBENCH"], *map(str, words)], cwd=self.folder, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def failure(self, body, *words, code=1):
        """What the program says about a kernel whose body is `body`."""
        return self.program("run", self.write(HEAD.format(body=body)), *SMALL, *words, code=code)


class Runs(Files):
    def test_a_bench_of_a_file_with_its_parameters(self):
        self.write(HEAD.format(body="tl.store(mine, tl.load(mine) + 1.0)"))
        shown = self.program("run", "mine.py", "--set", "rows=128", *SMALL, "--json", "run.json")
        self.assertIn("mine: what it does\nsizes: rows=128\n", shown)
        data = json.loads((self.folder / "run.json").read_text())["data"]
        self.assertEqual((data["bench"], data["parameters"]["rows"], data["launches"][0]["kernel"]), ("mine", "128", "k"))
        self.assertEqual(self.program("run", "mine.py:mine", *SMALL), self.program("run", "mine.py", *SMALL))

    def test_takes_the_time_of_a_shipped_bench(self):
        whole = [*SMALL, "--set", "rows=500", "--set", "columns=96"]
        self.program("run", BENCHES / "vector_add.py", *whole, "--json", "mine.json")
        self.program("run", "vector-add", *whole, "--set", "cubes=2x1", "--set", "pes=8", "--json", "theirs.json")
        mine, theirs = (json.loads((self.folder / name).read_text())["data"] for name in ("mine.json", "theirs.json"))
        for data in (mine, theirs):
            data["launches"][0].pop("kernel"), data.pop("bench"), data.pop("parameters")
        self.assertEqual(mine, theirs)

    def test_every_option_of_run(self):
        words = ["run", BENCHES / "vector_add.py", *SMALL, "--set", "rows=64"]
        self.assertIn("PASS  z: 16384 elements, 0 wrong", self.program(*words, "--verify"))
        self.assertIn("PASS  z: 16384 elements, 0 wrong", self.program(*words, "--verify", "--data", "live", "--upload"))
        self.assertIn("critical path", self.program(*words, "--explain").lower())
        self.program(*words, "--races", "--oplog", "log.json")
        lines = set(re.findall(r'"line":"([^"]*)"', (self.folder / "log.json").read_text()))
        self.assertEqual(lines, {"vector_add.py:12", "vector_add.py:13"})
        self.program(*words, "--trace", "timeline.json", "--html", "page.html", "--fidelity", "flit")
        self.program(*words, "--fidelity", "message")
        self.program(*words, "--what-if", "pe.clock_ghz*2", "--spread", "2")
        self.program("kernel", "record", BENCHES / "vector_add.py", *SMALL, "--cube", "0", "--pe", "1")

    def test_benches_of_a_folder_are_listed_and_run_by_name(self):
        shipped = self.program("list")
        listed = self.program("list", "--bench-dir", BENCHES)
        self.assertIn("py-vector-add        z = x + y, rows over all PEs\n", listed)
        self.assertIn("       rows=1024             rows of each tensor\n", listed)
        self.assertEqual(self.program("list", environment={"KERNBENCH_BENCHES": str(BENCHES)}), listed)
        self.assertNotIn(" py-", shipped)
        words = ["run", "py-all-to-all", *SMALL, "--set", "bytes=256"]
        self.assertEqual(self.program(*words, "--bench-dir", BENCHES), self.program("run", BENCHES / "all_to_all.py", *words[2:]))
        self.assertEqual(self.program("list", BENCHES / "softmax.py").split("\n")[0].split()[1], "py-softmax")

    def test_a_kernel_reads_numbers_with_live_data(self):
        body = 'tl.store(mine, tl.full(mine.rows, 32, 8.0, "f32"))\n    tile = tl.load(mine)\n' \
               '    while mine.rows and tl.read(tl.max(tl.max(tile, "columns"), "rows"))[0, 0] > 1:\n        tile = tile * 0.5'
        self.failure(body, "--data", "live", code=0)
        self.assertIn("tl.read at mine.py:9: the numbers are not computed while kernels run", self.failure(body))

    def test_edited_files_need_no_build(self):
        before = self.failure("tl.store(mine, tl.load(mine) + 1.0)", code=0)
        after = self.failure("tl.store(mine, tl.load(mine) + 1.0 + 1.0)", code=0)
        self.assertNotEqual(before, after)

    def test_a_sweep_of_a_file_runs_again_when_an_imported_file_changes(self):
        self.write("FACTOR = 2.0\n", "factors.py")
        self.write("import factors\n" + HEAD.format(body="tl.store(mine, tl.load(mine) * factors.FACTOR)"))
        self.write('{"command": ["run", "mine.py"], "parameters": {"bench.rows": [32, 64]}, "targets": {"data.end_ps": "min"}}', "plan.yaml")
        self.program("sweep", "plan.yaml", "--output", "a")
        self.assertIn("2 of 2 points are in 'a' already\n", self.program("sweep", "plan.yaml", "--output", "a"))
        self.write("FACTOR = 3.0\n", "factors.py")
        self.assertNotIn("already", self.program("sweep", "plan.yaml", "--output", "a"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
