#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the bars of docs/lab/bars.md that belong to the model: each is a table whose rows keep the bar or not.

Usage: tests/bars/bars.py [option...] [TABLE...]

  TABLE                 tables to measure (all)
  --small               the slice of each table that a test can run; a table of host times has none
  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --jobs N              runs at a time (all processors); host times are always measured alone
  --list                print the tables with their bars, as docs/lab/bars.md has them, and stop

Exit code: 0 all bars are kept, 1 one is not, or a table has no row, 2 wrong usage or a run that does not pass.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

import yaml

sys.dont_write_bytecode = True  # the tree of sources stays as it is

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHANGES = pathlib.Path(__file__).resolve().parent / "changes.yaml"


class RunError(Exception):
    """A run of the program did not pass, or its report lacks a figure."""


class Bench:
    """Runs the program."""

    def __init__(self, program, jobs, small):
        self.program, self.jobs, self.small = program, jobs, small

    def report(self, *words):
        """Returns the data of the report of a command."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "report.json"
            command = [str(self.program), *map(str, words), f"--json={file}"]
            done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
            if done.returncode != 0 or not file.exists():
                raise RunError(f"exit code {done.returncode}{'' if file.exists() else ', no report'}: {' '.join(command)}\n"
                               f"{done.stderr}")
            return json.loads(file.read_text())["data"]

    def reports(self, commands):
        """Returns the data of several commands, run side by side."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(lambda words: self.report(*words), commands))

    def names(self):
        """Returns the names of all benches."""
        listed = subprocess.run([str(self.program), "list"], cwd=ROOT, text=True, capture_output=True).stdout
        names = re.findall(r"^ *\d+  (\S+)", listed, re.MULTILINE)
        if not names:
            raise RunError(f"{self.program} lists no bench")
        return names

    def seconds(self, *words):
        """Returns the user time of a command in seconds."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.report(*words)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


class Row:
    """A measured figure, how it is shown, and whether it keeps the bar."""

    def __init__(self, name, text, kept=True):
        self.name, self.text, self.kept = name, text, kept


def settings(values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def times_of(data):
    """Returns median and width of the first time of a spread, in ps."""
    try:
        time = data["spread"]["times"][0]
        return time["median_ps"], time["most_ps"] - time["least_ps"]
    except (KeyError, IndexError) as missing:
        raise RunError(f"a report without a spread: {missing}") from missing


# One-parameter changes.


def changes():
    """Returns (key, value, sign) of each change; sign +1: a run must not become slower, -1: not faster."""
    listed, defaults = yaml.safe_load(CHANGES.read_text()), yaml.safe_load((ROOT / "configs/topology.yaml").read_text())
    found = []
    for kind, better in (("speeds", 1), ("delays", -1)):
        for key in listed[kind]:
            value = defaults
            for part in key.split("."):
                value = value[part]
            for factor in listed["factors"]:
                changed = value * factor
                changed = round(changed) if isinstance(value, int) else float(f"{changed:.12g}")
                found.append((key, changed, better if factor > 1 else -better))
    return found


def has_wrong_sign(before, after, sign):
    """Returns whether a change goes the wrong way by more than the wider band. Times are (median, width)."""
    return sign * (after[0] - before[0]) > max(before[1], after[1])


def effect_rows(bench):
    """Wrong signs of one-parameter changes beyond the band, at most one for each bench."""
    one = {"topology.system.sips.count": 1}
    four = {"topology.system.sips.count": 4, "topology.sip.cube_mesh.w": 2, "topology.sip.cube_mesh.h": 2}
    workloads = {"gemm": {**one, "m": 1024, "k": 768, "n": 1024}, "collective": four}
    listed = changes()
    if bench.small:
        workloads["gemm"].update(m=128, k=128, n=128)
        listed = listed[::31]
    for name, values in workloads.items():
        spread = ["run", name, "--spread", 3 if bench.small else 9, *settings(values)]
        before, *after = map(times_of, bench.reports(
            [spread] + [[*spread, "--set", f"topology.{key}={value}"] for key, value, _ in listed]))
        wrong = [f"{key}={value} {100 * (time[0] / before[0] - 1):+.1f} %"
                 for (key, value, sign), time in zip(listed, after) if has_wrong_sign(before, time, sign)]
        yield Row(name, f"{len(wrong)} of {len(listed)}" + "".join(f"\n    {text}" for text in wrong), len(wrong) <= 1)


# Bands and errors of the benches.


def band_rows(bench):
    """The band of nine runs of each bench, at most 2 %."""
    names = ["vector-add"] if bench.small else bench.names()
    for name, data in zip(names, bench.reports([["run", name, "--spread", 9] for name in names])):
        median, width = times_of(data)
        yield Row(name, f"{100 * width / median:.2f} %", width <= 0.02 * median)


def message_rows(bench):
    """The error of --fidelity message in the regions of each bench, at most 3 % either way."""
    if bench.small:
        cases = [("all-to-all", {}), ("softmax", {})]
    else:
        cases = [(name, {}) for name in bench.names()]
        for collective in ("all_gather", "reduce_scatter", "broadcast", "scatter", "all_to_all", "gather", "reduce"):
            cases += [("collective", {"collective": collective, "topology.system.sips.count": sips}) for sips in (2, 4)]
        cases += [("gemm", {"m": 2048, "k": 1024, "n": 2048}), ("copy-bandwidth", {"programs": "all"}), ("vector-add", {"rows": 8192})]
    commands = [["run", name, *settings(values)] for name, values in cases]
    exact = bench.reports(commands)
    whole = bench.reports([[*words, "--fidelity", "message"] for words in commands])
    for (name, values), before, after in zip(cases, exact, whole):
        errors = [100.0 * (b["time_ps"] / a["time_ps"] - 1) for a, b in zip(before["regions"], after["regions"], strict=True)]
        if not errors:
            raise RunError(f"{name}: a run without regions")
        worst = max(errors, key=abs)
        yield Row(" ".join([name, *(f"{key.rpartition('.')[2]}={value}" for key, value in values.items())]), f"{worst:+.2f} %",
                  abs(worst) <= 3.0)


# Serving as a queue.


def queue_of(load, arrivals=400_000):
    """Returns mean and percentiles, by their names in reports, of the time in an M/D/1 queue, in services: waits by Lindley's recursion."""
    draw, wait, times = random.Random(1), 0.0, []
    for _ in range(arrivals):
        times.append(wait + 1.0)
        wait = max(0.0, wait + 1.0 - draw.expovariate(load))
    times.sort()
    return {"mean": 1.0 + load / (2.0 * (1.0 - load))} | {
        name: times[math.ceil(share * arrivals) - 1] for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))}


def queue_rows(bench):
    """Mean and percentiles of requests of one token, served one at a time, against M/D/1: within 3 %, 10 % at a load of 0.9."""
    loads = (0.3, 0.5) if bench.small else (0.3, 0.5, 0.7, 0.9)
    data = bench.report("serve", "--set", "topology.system.sips.count=1", "--prompt", 1, "--output", 1, "--max-batch", 1, "--loads",
                        ",".join(map(str, loads)), "--seconds", 5 if bench.small else 20)
    service = data["checks"]["steps"][0]["simulated_ps"]
    for load, run in zip(loads, data["runs"], strict=True):
        off = {name: 100.0 * (run["request_ps"][name] / service / time - 1) for name, time in queue_of(load).items()}
        yield Row(f"load {load}", ", ".join(f"{name} {error:+.1f} %" for name, error in off.items()),
                  max(map(abs, off.values())) <= (10.0 if load == 0.9 else 3.0))


# Host times.


def reference_rows(bench):
    """User time of a run with the reference of a loaded MAZE over that with the analytic one, at most 3."""
    words = ["run", "--topology", "configs/topology-maze-8x8.yaml"]
    transformer = {"prompt": 8, "decode": 1, "layers": 1}
    for name, values in {"gemm": {}, "all-to-all": {}, "transformer": transformer}.items():
        run = [*words, name, *settings(values)]
        pairs = [(bench.seconds(*run, "--fabric", "cycle"), bench.seconds(*run, "--fabric", "analytic")) for _ in range(3)]
        ratio = min(cycle for cycle, _ in pairs) / min(analytic for _, analytic in pairs)
        yield Row(name, f"{ratio:.2f}", ratio <= 3.0)


def scale_rows(bench):
    """User time of an all-reduce of 4 KiB by messages over 16 SIPs and more: at most n log n."""
    first = None
    for sips in (16, 32, 64, 128):
        seconds = bench.seconds("run", "all-reduce", "--set", "bytes=4096", "--set", f"topology.system.sips.count={sips}",
                                "--fidelity", "message")
        share = seconds / (sips * math.log2(sips))
        first = first or share
        yield Row(f"{sips} SIPs", f"{seconds:.1f} s, {share / first:.2f} of n log n", share <= first)


TABLES = {"effects": effect_rows, "bands": band_rows, "messages": message_rows, "queue": queue_rows, "reference": reference_rows,
          "scale": scale_rows}
HOST_TIMES = ("reference", "scale")


def page_lines():
    """The lines of docs/lab/bars.md for the tables."""
    return [f"| `{name}` | {rows.__doc__.rstrip('.')} |" for name, rows in TABLES.items()]


def measure(bench, names):
    """Prints the tables and returns whether all bars are kept."""
    kept = True
    for name in names:
        print(f"{name}: {TABLES[name].__doc__}", flush=True)
        rows = 0
        for row in TABLES[name](bench):
            print(f"  {row.name:<44} {'' if row.kept else 'BEYOND THE BAR  '}{row.text}", flush=True)
            rows, kept = rows + 1, kept and row.kept
        if rows == 0:
            print("  error: no row")
            kept = False
    return kept


def main(words):
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1], add_help=False)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(words)
    if options.list:
        print("\n".join(page_lines()))
        return 0
    for name in options.tables:
        if name not in TABLES:
            parser.error(f"there is no table '{name}', but {', '.join(TABLES)}")
        if options.small and name in HOST_TIMES:
            parser.error(f"the table '{name}' has host times, and no small slice")
    names = options.tables or [name for name in TABLES if not (options.small and name in HOST_TIMES)]
    try:
        return 0 if measure(Bench(options.kernbench.resolve(), options.jobs, options.small), names) else 1
    except (RunError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
