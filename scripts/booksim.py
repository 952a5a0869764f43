#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the routers of networks of any topology with those of BookSim2, on an 8x8 mesh and torus with equal settings.

Usage: scripts/booksim.py [option...]

  --program PROGRAM     BookSim2 (booksim, from PATH)
  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --bench PROGRAM       measures the speed of the reference alone (build/release/benchmarks/noc_bench, if it is built), and
                        with --rtl that of the RTL alone
  --quick               one seed, short runs, and no measurement of speed
  --rtl                 measures the speed of the verilated RTL, too, which is built first
  --only PART           accepted, latency, loop or speed (repeatable; all)
  --json FILE           writes the figures of all points
  --table FILE          prints the tables of the figures in FILE, as docs/lab/booksim.md has them, and stops

Prints a table for each part. Exit code: 0 all bars are kept, 1 one is not, 2 wrong usage, no such program, or a run that
gives no figures.
"""

import argparse
import json
import math
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
from booksim_tables import mean, place_of, tables_of, text_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("accepted", "latency", "loop", "speed")
SIDE = 8
NODES = SIDE * SIDE
# BookSim2 sends the share 1/NODES of uniform traffic from a node to itself, kernbench none. This many flits of BookSim2
# put the load of one flit of kernbench on the links.
WITH_OWN = NODES / (NODES - 1)
# Cycles that the channel between the last router and the terminal adds in BookSim2: port B has none.
CONSTANT = 1
SEEDS = (1, 2, 3, 4, 5)
SLOTS = (4, 8)
FLITS = (1, 4)
SPEED_SLOTS = 8
LOADS = (0.1, 0.3, 0.9)  # of the saturation that BookSim2 has
LONGER = {0.9: 2}  # times the cycles of the other loads, as latency varies most there
# The settings of all networks: a hop of three cycles without other traffic, a credit loop of six.
COMMON = {
    "use_noc_latency": 0, "routing_delay": 0, "vc_alloc_delay": 1, "sw_alloc_delay": 1, "st_final_delay": 1, "credit_delay": 1,
    "vc_allocator": "piggyback", "sw_allocator": "islip", "speculative": 1, "wait_for_tail_credit": 0, "num_vcs": 2,
    "input_speedup": 2, "injection_rate_uses_flits": 1, "warmup_periods": 1, "max_samples": 4,
    **{f"{name}_thres": 1e6 for name in ("warmup", "acc_warmup", "stopping", "acc_stopping", "latency")},
}
NETWORKS = {
    "torus": {"topology": "torus", "routing_function": "dim_order", "k": SIDE, "n": 2, "traffic": "uniform"},
    "mesh": {"topology": "mesh", "routing_function": "dor", "k": SIDE, "n": 2, "traffic": "uniform"},
    "line": {"topology": "mesh", "routing_function": "dor", "k": 2, "n": 1, "traffic": "neighbor", "num_vcs": 1, "input_speedup": 1},
}
LANES = {"torus": 1, "mesh": 2, "line": 1}  # of each class; the torus has two classes


class RunError(Exception):
    """A program is missing, or a run gave no figures."""


def route_of(src, dst):
    """Yields the hops of dim_order_torus: from, to, virtual channel.

    Like BookSim2: the channel of a ring is 1 if the packet goes up and wraps, or goes down and does not. Ties of half a
    ring, which BookSim2 draws, are split by the places of source and destination.
    """
    at = [src % SIDE, src // SIDE]
    to = [dst % SIDE, dst // SIDE]
    came_up = (at[0] + SIDE // 2 + to[1]) % 2 == 1
    for axis in (0, 1):
        ahead = (to[axis] - at[axis]) % SIDE
        if ahead == 0:
            continue
        tie = (at[axis] + (to[1] if axis == 0 else came_up)) % 2 == 0
        up = tie if 2 * ahead == SIDE else 2 * ahead < SIDE
        vc = int(at[axis] > to[axis])
        came_up = up
        while at[axis] != to[axis]:
            before = at[0] + SIDE * at[1]
            at[axis] = (at[axis] + (1 if up else -1)) % SIDE
            yield before, at[0] + SIDE * at[1], vc


def routes_csv():
    rows = ["src,dst,step,from,to,vc"]
    for src in range(NODES):
        for dst in range(NODES):
            rows += [f"{src},{dst},{step},{a},{b},{vc}" for step, (a, b, vc) in enumerate(route_of(src, dst))]
    return "\n".join(rows) + "\n"


def user_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def numbers(text, name):
    """Returns the figures of a row of BookSim2's statistics, such as 'plat_hist(1,:) = [ 0 3 1 ];'."""
    found = re.search(re.escape(name) + r"\(1,:\) = \[([^\]]*)\]", text)
    if not found:
        raise RunError(f"the statistics of BookSim2 have no row {name}")
    return [float(word) for word in found.group(1).split()]


def latency_of(statistics):
    """Returns mean and 99th percentile of the packets that a node sends to another one."""
    sent, means = numbers(statistics, "pair_sent"), numbers(statistics, "pair_plat")
    others = [i for i in range(len(sent)) if i // NODES != i % NODES]
    count = sum(sent[i] for i in others)
    if count == 0:
        raise RunError("BookSim2 measured no packet")
    mean = sum(sent[i] * means[i] for i in others if sent[i]) / count
    # Packets to itself are all faster than 99 % of the others.
    rank = sum(sent) - count + math.ceil(0.99 * count)
    seen = 0
    for cycles, packets in enumerate(numbers(statistics, "plat_hist")):
        seen += packets
        if seen >= rank:
            return {"mean": mean, "p99": cycles}
    raise RunError("the histogram of BookSim2 lacks packets")


class BookSim:
    """Runs BookSim2 with a configuration."""

    name = "BookSim2"

    def __init__(self, program, folder, period):
        self.program, self.folder, self.period = program, folder, period

    def run(self, network, kind, load, slots, flits, seed, longer=1, pairs=False):
        settings = {**COMMON, **NETWORKS[network], "sim_type": kind, "vc_buf_size": slots, "packet_size": flits,
                    "injection_rate": float(load), "sample_period": self.period * longer, "seed": seed}
        statistics = self.folder / "statistics.m"
        statistics.unlink(missing_ok=True)
        if pairs:
            settings |= {"pair_stats": 1, "stats_out": str(statistics)}
        config = self.folder / "booksim.cfg"
        config.write_text("".join(f"{name} = {value};\n" for name, value in settings.items()))
        before = user_seconds()
        done = subprocess.run([self.program, str(config)], cwd=self.folder, text=True, capture_output=True)
        seconds = user_seconds() - before
        # The exit code of a run that ended well is that of a failure.
        cycles = re.search(r"^Time taken is (\d+) cycles", done.stdout, re.MULTILINE)
        accepted = re.findall(r"^Accepted flit rate average = (\S+)", done.stdout, re.MULTILINE)
        if not cycles or not accepted:
            raise RunError(f"{self.program} gave no figures for {config.read_text().split()}:\n{done.stdout[-500:]}{done.stderr[-500:]}")
        found = {"accepted": float(accepted[-1]), "cycles_per_second": int(cycles.group(1)) / max(seconds, 1e-3)}
        return {**found, **latency_of(statistics.read_text())} if pairs else found

    def accepted(self, network, slots, flits, seed):
        return self.run(network, "throughput", 1, slots, flits, seed)["accepted"] / WITH_OWN

    def latency(self, network, load, slots, flits, seed, longer):
        found = self.run(network, "latency", load * WITH_OWN, slots, flits, seed, longer, pairs=True)
        return {"mean": found["mean"] - CONSTANT, "p99": found["p99"] - CONSTANT}

    def loop(self, slots):
        return self.run("line", "throughput", 1, slots, 1, 1)["accepted"]

    def speed(self, load, slots, flits, seed):
        return self.run("torus", "latency", load * WITH_OWN, slots, flits, seed)["cycles_per_second"]


class Alone:
    """Runs the reference of the routers alone, or with a folder of models their verilated RTL."""

    def __init__(self, program, torus, cycles, models=None):
        self.program, self.torus, self.cycles = program, torus, cycles
        self.model = [ROOT, models] if models else []

    def speed(self, load, slots, flits, seed):
        words = [self.program, self.torus, LANES["torus"], slots, flits, f"{load:.6f}", self.cycles, seed, *self.model]
        done = subprocess.run([str(word) for word in words], text=True, capture_output=True)
        if done.returncode != 0:
            raise RunError(f"exit code {done.returncode}: {' '.join(map(str, words))}\n{done.stderr}")
        return float(done.stdout)


class Kernbench:
    """Runs kernbench traffic over the reference of the routers, or over their RTL."""

    def __init__(self, program, folder, cycles, fabric="cycle"):
        self.program, self.folder, self.cycles, self.fabric = program, folder, cycles, fabric
        (folder / "routes.csv").write_text(routes_csv())
        self.torus = folder / "torus.yaml"
        self.torus.write_text(f"topology: {{kind: BidirectionalTorus2D, nx: {SIDE}, ny: {SIDE}}}\nroutes: routes.csv\n")

    def run(self, network, load, slots, flits, seed, longer=1):
        cycles = self.cycles * longer
        topology = {"torus": ["--spec", str(self.torus)], "mesh": [f"Mesh2D({SIDE},{SIDE})"], "line": ["BidirectionalLine(2)"]}
        report = self.folder / "kernbench.json"
        report.unlink(missing_ok=True)
        pattern = "booksim.neighbor" if network == "line" else "uniform_random"
        command = [self.program, "traffic", *topology[network], "--fabric", self.fabric, "--pattern", pattern,
                   "--lanes", LANES[network], "--slots", slots, "--stages", 1, "--packet-bits", 8, "--bytes", flits,
                   "--packet-flits", flits, "--loads", f"{load:.6f}", "--warmup", cycles // 3, "--cycles", cycles,
                   "--seed", seed, "--json", report]
        before = user_seconds()
        done = subprocess.run([str(word) for word in command], cwd=self.folder, text=True, capture_output=True)
        seconds = user_seconds() - before
        if done.returncode != 0 or not report.exists():
            raise RunError(f"exit code {done.returncode}: {' '.join(map(str, command))}\n{done.stdout[-500:]}{done.stderr[-500:]}")
        row = json.loads(report.read_text())["data"]["loads"][0]
        return {"accepted": row["accepted"], "mean": row["latency_mean_cycles"], "p99": row["latency_p99_cycles"],
                "cycles_per_second": (cycles // 3 + cycles) / max(seconds, 1e-3)}

    def accepted(self, network, slots, flits, seed):
        return self.run(network, 1, slots, flits, seed)["accepted"]

    def latency(self, network, load, slots, flits, seed, longer):
        found = self.run(network, load, slots, flits, seed, longer)
        return {"mean": found["mean"], "p99": found["p99"]}

    def loop(self, slots):
        return self.run("line", 1, slots, 1, 1)["accepted"]

    def speed(self, load, slots, flits, seed):
        return self.run("torus", load, slots, flits, seed)["cycles_per_second"]


def points():
    return [(network, flits, slots) for network in ("torus", "mesh") for flits in FLITS for slots in SLOTS]


def saturations(theirs, seeds, wanted):
    """Returns what BookSim2 accepts at overload, by point and seed."""
    return {point: [theirs.accepted(point[0], point[2], point[1], seed) for seed in seeds] for point in wanted}


def measure(parts, theirs, ours, others, seeds, report):
    """Measures parts. Returns the rows of each. `others` have their speed measured, too."""
    rows = {}
    accepted = saturations(theirs, seeds, points() if {"accepted", "latency"} & set(parts) else
                           [point for point in points() if "speed" in parts and point[0] == "torus" and point[2] == SPEED_SLOTS])
    if "accepted" in parts:
        rows["accepted"] = []
        for (network, flits, slots), values in accepted.items():
            row = {"network": network, "flits": flits, "slots": slots, "booksim": values}
            report(f"accepted: {place_of(row)}")
            rows["accepted"].append({**row, "kernbench": [ours.accepted(network, slots, flits, seed) for seed in seeds]})
    if "latency" in parts:
        rows["latency"] = []
        for (network, flits, slots), values in accepted.items():
            for share in LOADS:
                load = share * mean(values)
                row = {"network": network, "flits": flits, "slots": slots, "share": share, "load": load}
                report(f"latency: {place_of(row)}")
                rows["latency"].append({
                    **row,
                    **{name: [side.latency(network, load, slots, flits, seed, LONGER.get(share, 1)) for seed in seeds]
                       for name, side in (("booksim", theirs), ("kernbench", ours))}})
    if "loop" in parts:
        report("loop")
        rows["loop"] = [{"slots": slots, "booksim": theirs.loop(slots), "kernbench": ours.loop(slots)} for slots in range(1, 9)]
    if "speed" in parts:
        rows["speed"] = []
        for flits in FLITS:
            for share in LOADS:
                row = {"flits": flits, "share": share, "load": share * mean(accepted["torus", flits, SPEED_SLOTS])}
                report(f"speed: {place_of(row)}")
                sides = {"booksim": theirs, "kernbench": ours, **others}
                found = {name: [] for name in sides}
                for seed in seeds:
                    for name, side in sides.items():
                        found[name].append(side.speed(row["load"], SPEED_SLOTS, flits, seed))
                rows["speed"].append({**row, **found})
    return rows


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n", 1)[1])
    parser.add_argument("--program", default="booksim")
    parser.add_argument("--kernbench", default=str(ROOT / "build/release/cli/kernbench"))
    parser.add_argument("--bench", default=str(ROOT / "build/release/benchmarks/noc_bench"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rtl", action="store_true")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    if options.table:
        print(tables_of(json.loads(options.table.read_text()))[0])
        return 0
    programs = {}
    for name, option, what in ((options.program, "--program", "BookSim2"), (options.kernbench, "--kernbench", "kernbench")):
        programs[option] = shutil.which(name)
        if not programs[option]:
            print(f"booksim.py: no program '{name}'; name that of {what} with {option}", file=sys.stderr)
            return 2
    parts = options.only or [part for part in PARTS if part != "speed" or not options.quick]
    period = 2000 if options.quick else 5000
    seeds = SEEDS[:1] if options.quick else SEEDS
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        theirs = BookSim(str(pathlib.Path(programs["--program"]).resolve()), work, period)
        program = str(pathlib.Path(programs["--kernbench"]).resolve())
        ours = Kernbench(program, work, 3 * period)
        others = {}
        if "speed" in parts and shutil.which(options.bench):
            others["reference"] = Alone(options.bench, ours.torus, 10 * period)
            if options.rtl:
                others["rtl"] = Alone(options.bench, ours.torus, 10 * period, work / "models")
        if "speed" in parts and options.rtl:
            others["lockstep"] = Kernbench(program, work, 3 * period, "rtl")
        try:
            for name in {"rtl", "lockstep"} & set(others):
                others[name].speed(0.05, SPEED_SLOTS, 1, 1)  # builds the model
            rows = measure(parts, theirs, ours, others, seeds, lambda text: print(text, file=sys.stderr, flush=True))
        except (RunError, OSError) as error:
            print(f"booksim.py: {error}", file=sys.stderr)
            return 2
    figures = {"seeds": list(seeds), "cycles": 3 * period, "rows": rows}
    if options.json:
        options.json.write_text(text_of(figures))
    text, missed = tables_of(figures)
    print(text)
    for line in missed:
        print(f"FAIL  {line}")
    if not missed:
        print("PASS  all bars are kept")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
