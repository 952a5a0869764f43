#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws questions of architects, and measures whether `kernbench sweep` with `kind: search` answers them.

Usage: tests/farm/search_bars.py [option...]

  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --work DIR            where plans and databases go (build/search)
  --questions N         questions (12); every third is one of serve
  --points N            points of each grid, about (200)
  --most N              points that a search runs in full at most (60)
  --seed S              of the questions (1)
  --jobs N              processes (2)
  --least PERCENT       fail unless so many questions have the best point of their grid

A question has three or four parameters, a target that is known before a run or not, and one to three constraints. The
limits are quantiles of the values of the whole grid, which runs first; some cannot be satisfied. Each line says
whether the search found the best point, by how much it missed it, and how many points ran in full. A run continues
where the last one ended. Exit code: 0, or 1 if --least is missed or an answer breaks a constraint.
"""

import argparse
import csv
import json
import pathlib
import random
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True  # the tree of sources stays as it is

MACHINE = {
    "topology.pe.clock_ghz": [0.6, 0.8, 1, 1.2, 1.5, 1.8, 2, 2.5],
    "topology.cube.memory_map.hbm_total_bw_gbs": [256, 512, 1024, 1536, 2048, 4096],
    "topology.sip.cube_mesh.w": [1, 2, 4],
    "topology.sip.cube_mesh.h": [1, 2, 4],
    "topology.cube.links.router_mesh.bw_gbs": [64, 128, 256, 512],
    "topology.cube.hbm_ctrl.attrs.overhead_ns": [4, 16, 64],
}
BENCHES = {
    "gemm": {"bench.m": [64, 128, 256], "bench.n": [64, 128, 256], "bench.k": [64, 256, 512]},
    "softmax": {"bench.rows": [64, 128, 256, 512], "bench.columns": [64, 256, 1024]},
    "attention": {"bench.block_q": [32, 64, 128], "bench.block_k": [32, 64, 128]},
    "mlp": {"bench.hidden": [128, 256]},
}
SIZES = {"gemm": [], "softmax": [], "mlp": [], "attention": ["--set", "queries=256", "--set", "keys=256"]}
SERVE = {"max-batch": [1, 2, 4, 8], "bench.page": [8, 16, 32, 64]}
COSTS = ("topology.sip.cube_mesh.w * topology.sip.cube_mesh.h * (1 + topology.pe.clock_ghz ^ 2 + 0.001 * "
         "topology.cube.memory_map.hbm_total_bw_gbs + 0.002 * topology.cube.links.router_mesh.bw_gbs)")
RUN_TARGETS = {"time": "data.end_ps / 1e6", "hops": "data.flit_hops", "cost": COSTS}
SERVE_TARGETS = {"first": "data.runs[0].first_token_ps.p90 / 1e9", "whole": "data.runs[0].request_ps.p50 / 1e9",
                 "cost": COSTS}


def draw_parameters(rng, own, points):
    """Returns values of parameters, whose combinations are about as many as `points`."""
    pool = {**MACHINE, **own}
    names = rng.sample(sorted(own), min(len(own), rng.randint(0, 2)))
    names += rng.sample(sorted(MACHINE), 5 - len(names))
    chosen, count = {}, 1
    for name in names:
        most = min(len(pool[name]), max(1, points // count))
        if most < 2:
            break
        values = sorted(rng.sample(pool[name], rng.randint(2, most)))
        chosen[name] = values
        count *= len(values)
    return chosen


def draw_question(rng, number, points):
    """Returns a plan without its constraints, and how its search estimates points."""
    if number % 3 == 2:
        command = ["serve", "--prompt", "8", "--output", "8", "--seconds", "0.002", "--rate", "3000", "--check", "0",
                   "--jobs", "1"]
        targets, own, screen = SERVE_TARGETS, SERVE, "{bench.layers: 1}"
    else:
        bench = rng.choice(sorted(BENCHES))
        command = ["run", bench, *SIZES[bench]]
        targets, own, screen = RUN_TARGETS, BENCHES[bench], "{fidelity: message}"
    while True:
        parameters = draw_parameters(rng, own, points)
        count = 1
        for values in parameters.values():
            count *= len(values)
        if 0.7 * points <= count <= 1.2 * points:
            break
    return {"command": command, "targets": targets, "parameters": parameters, "screen": screen,
            "goal": rng.choice(sorted(targets)), "most": rng.random() < 0.15}


def plan_text(question, constraints, sample):
    lines = [f"command: {json.dumps(question['command'])}", "parameters:"]
    lines += [f"  {name}: {json.dumps(values)}" for name, values in question["parameters"].items()]
    if constraints:
        lines.append(f"constraints: {json.dumps(constraints)}")
    if sample:
        lines.append(f"sample: {sample}")
    lines.append("targets:")
    for name, of in question["targets"].items():
        goal = ("max" if question["most"] else "min") if name == question["goal"] else "none"
        lines.append(f"  {name}: {{of: {json.dumps(of)}, goal: {goal}}}")
    return "\n".join(lines) + "\n"


def sweep(options, name, text):
    """Runs a plan, and returns its rows."""
    plan = options.work / f"{name}.yaml"
    plan.write_text(text)
    database = options.work / f"{name}.db"
    done = subprocess.run([options.kernbench, "sweep", plan, "--jobs", str(options.jobs), "-o", database],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{plan}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    with open(database.with_suffix(".csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file)), done.stdout


def draw_constraints(rng, question, rows):
    """Returns one to three limits on the targets, which are quantiles of their values."""
    constraints = []
    names = [name for name in sorted(question["targets"]) if rng.random() < 0.7 or name != question["goal"]]
    for name in rng.sample(names, min(len(names), rng.randint(1, 3))):
        values = sorted(float(row[name]) for row in rows)
        share = rng.choice([0.15, 0.3, 0.5, 0.7, 0.9, -1])
        limit = 0.5 * values[0] if share < 0 else values[int(share * (len(values) - 1))]
        if share < 0 and rng.random() < 0.5:
            limit = values[len(values) // 2]
        is_upper = share < 0 or rng.random() < 0.8
        constraints.append((name, "<=" if is_upper else ">=", limit))
    return constraints


def satisfies(row, constraints):
    return all((float(row[name]) <= limit) if sign == "<=" else (float(row[name]) >= limit)
               for name, sign, limit in constraints)


def ask(options, rng, number):
    """Asks one question. Returns whether the answer is the best one, the loss in percent, and the points in full."""
    question = draw_question(rng, number, options.points)
    rows, _ = sweep(options, f"{options.seed}-{number}-grid", plan_text(question, [], ""))
    rows = [row for row in rows if row["outcome"] == "pass" and all(row[name] for name in question["targets"])]
    constraints = draw_constraints(rng, question, rows)
    texts = [f"{name} {sign} {limit!r}" for name, sign, limit in constraints]
    sample = f"{{kind: search, points: {options.most}, screen: {question['screen']}}}"
    found, text = sweep(options, f"{options.seed}-{number}-search", plan_text(question, texts, sample))
    sign = -1 if question["most"] else 1
    goal = question["goal"]
    allowed = [sign * float(row[goal]) for row in rows if satisfies(row, constraints)]
    answers = [sign * float(row[goal]) for row in found if row["outcome"] == "pass" and satisfies(row, constraints)]
    says_none = "no point satisfies" in text
    if allowed and answers:
        loss = 100 * (min(answers) - min(allowed)) / abs(min(allowed))
    else:
        loss = 0 if not allowed and says_none else float("inf")
    print(f"{number}: {' '.join(question['command'][:2])} {len(rows)} points, {'most' if sign < 0 else 'least'} {goal}, "
          f"{len(constraints)} constraints, {len(allowed)} allowed: {len(found)} in full, {loss:.2f} % off"
          f"{', ended by its limit' if 'ended by' in text else ''}", flush=True)
    return loss, len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/search")
    parser.add_argument("--questions", type=int, default=12)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    results = [ask(options, random.Random(f"{options.seed} {number}"), number) for number in range(options.questions)]
    best = sum(loss < 1e-9 for loss, _ in results)
    print(f"{best} of {len(results)} are the best point, the worst {max(loss for loss, _ in results):.2f} % off; "
          f"{statistics.median(full for _, full in results):g} points in full (median)")
    if not results or (options.least is not None and 100 * best < options.least * len(results)):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
