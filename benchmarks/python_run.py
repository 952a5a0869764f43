#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what a run from Python costs beyond the same run from C++, with the topology loaded, in processor time.

    python_run.py PYTHON_PEER

The system is a small one, whose runs take little time: what Python adds does not depend on its size. Both sides take turns,
since the speed of the computer varies less within a round than between rounds. Prints the median over rounds. Exits with 1 if
it is 1 ms or more.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import kernbench

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOPOLOGY = "system: {sips: {count: 1}}\nsip: {cube_mesh: {w: 2, h: 1}}\n"
ROUNDS, RUNS, BAR_MS = 201, 20, 1.0


def processor_ms(work):
    begin = time.process_time()
    for _ in range(RUNS):
        work()
    return (time.process_time() - begin) * 1e3


def host(kb):
    x, y, z = (kb.tensor(shape=(64, 64)) for _ in range(3))
    with kb.measure("vector-add"):
        kb.launch("vector-add", x, y, z)
    kb.read(z)


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(TOPOLOGY)
        file.flush()
        topology = kernbench.load(file.name)
        peer = subprocess.Popen([sys.argv[1], file.name, ROOT / "configs/ccl.yaml"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
        works = {"by name": lambda: topology.run("vector-add", rows=64, columns=64).regions,
                 "host part": lambda: topology.run(host).regions}
        times, differences = [], {name: [] for name in works}
        for turn in range(ROUNDS):
            peer.stdin.write(f"{RUNS}\n")
            peer.stdin.flush()
            cpp = float(peer.stdout.readline())
            for name, work in works.items():
                difference = (processor_ms(work) - cpp) / RUNS
                if turn > 0:  # the first warms up
                    differences[name].append(difference)
            times.append(cpp / RUNS)
        peer.communicate()
    print(f"a run of vector-add from C++: {statistics.median(times):.2f} ms")
    extra = {name: statistics.median(values) for name, values in differences.items()}
    print(f"more from Python, by name: {extra['by name']:.2f} ms (bar: below {BAR_MS:.0f} ms)")
    print(f"more with a host part in Python of 7 calls: {extra['host part']:.2f} ms")
    sys.exit(extra["by name"] >= BAR_MS)


if __name__ == "__main__":
    main()
