#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A replay of 1,000,000 nodes over 16 ranks: 98 % computation, 1 % memory traffic, 1 % all-reduces of 1 MiB."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]


class Million(unittest.TestCase):
    def test_it_runs_whole(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([sys.executable, pathlib.Path(__file__).with_name("traces.py"), folder / "t", "16", "1000000"], check=True)
            done = subprocess.run([os.environ["KERNBENCH"], "replay", folder / "t.et", "--set", "topology.system.sips.count=16",
                                   "--json", folder / "report.json", "--trace", folder / "trace.json"],
                                  cwd=ROOT, check=True, capture_output=True, text=True)
            data = json.loads((folder / "report.json").read_text())["data"]
            events = json.loads((folder / "trace.json").read_text())["traceEvents"]
        self.assertIn("\ntimeline: the 900000 shortest of 1000000 nodes are left out\n", done.stdout)
        self.assertEqual(sum(event["ph"] == "X" for event in events), 100_000)
        nodes = {one["kind"]: one["nodes"] for one in data["kinds"]}
        self.assertEqual((nodes["computation"], nodes["load"] + nodes["store"], nodes["collective"]), (980_000, 10_000, 10_000))
        self.assertEqual(data["collectives"][0]["calls"], 625)
        self.assertEqual(data["operations"]["simulated"] + data["operations"]["reused"], 10_000 + 625)


if __name__ == "__main__":
    unittest.main()
