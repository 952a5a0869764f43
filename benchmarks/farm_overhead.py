#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times an engine whose nodes have nothing to compute: points that sleep.

Usage: python3 tests/farm/slurm_cluster.py -- benchmarks/farm_overhead.py [KERNBENCH]

Prints the time that tasks of 60 and of 10 seconds take on four nodes beyond that of their points, start included.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNBENCH = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/cli/kernbench"
NODES = 4
WORK = """#!/bin/sh
sleep "$1"
echo '{"outcome": "pass"}' >"${2#--json=}"
"""


def overhead(folder, chunk_s, points, point_s):
    """Returns the share of time that is not work."""
    (folder / "job.json").write_text(json.dumps({
        "schema": 1, "kind": "job", "program": str(folder / "work"), "folder": str(folder), "results": str(folder / f"{chunk_s}-{points}"),
        "targets": [], "points": [{"key": str(i), "attempt": 1, "command": [str(point_s)]} for i in range(points)]}))
    start = time.monotonic()
    subprocess.run([KERNBENCH, "job", "run", folder / "job.json", f"--engine=slurm:chunk-seconds={chunk_s}"], check=True)
    return (time.monotonic() - start) / (points * point_s / NODES) - 1


with tempfile.TemporaryDirectory(prefix="kernbench-overhead-") as name:
    work = pathlib.Path(name) / "work"
    work.write_text(WORK)
    work.chmod(0o755)
    for chunk, points, point in ((60, 880, 2), (60, 480, 2), (10, 480, 0.5)):
        print(f"tasks of {chunk} s: {100 * overhead(work.parent, chunk, points, point):.1f} % over {points * point:g} s of work on {NODES} nodes",
              flush=True)
