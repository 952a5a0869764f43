#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signs off networks from their topology alone: RTL, model, reference, coverage.

    sign_off_test.py --kernbench PROGRAM --work FOLDER TOPOLOGY...
    sign_off_test.py --kernbench PROGRAM --work FOLDER --drawn 50 --seed 7

Each network has to pass configs/regressions/noc.yaml, and to hit all of its bins, or --least of them: on the irregular
ones undirected traffic does not meet all rare bins of arbiters.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
REGRESSION = ROOT / "configs/regressions/noc.yaml"


def drawn_graph(rng, most):
    """Returns an irregular network whose links lead both ways, each node with at most 7 of them."""
    nodes = rng.randint(4, most)
    links = {(i, rng.randrange(i)) for i in range(1, nodes)}
    for _ in range(rng.randint(0, nodes)):
        a, b = rng.sample(range(nodes), 2)
        links.add((max(a, b), min(a, b)))
    degree = [sum(n in link for link in links) for n in range(nodes)]
    kept = []
    for a, b in sorted(links):
        if max(degree[a], degree[b]) > 7 and (a, b) != min((x, y) for x, y in links if x == a):
            degree[a] -= 1
            degree[b] -= 1
        else:
            kept.append((a, b))
    edges = ",".join(f"{a}->{b},{b}->{a}" for a, b in kept)
    return f"CustomTopology({nodes},{edges})"


def sign_off(args, topology, number):
    """Runs the regression on a topology. Returns what is wrong, or an empty text."""
    report = args.work / f"report-{number}"
    started = time.time()
    done = subprocess.run(
        [args.kernbench, "sim", str(REGRESSION), "--noc", topology, "--models", str(args.work / "models"),
         "--report", str(report), "--waves", "off", *args.more], capture_output=True, text=True)
    seconds = time.time() - started
    last = (done.stdout + done.stderr).strip().splitlines()
    print(f"{seconds:7.1f} s  {topology[:70]:<70}  {last[-1] if last else ''}", flush=True)
    if done.returncode not in (0, 1):
        return done.stdout + done.stderr
    data = json.loads((report / "report.json").read_text())["data"]
    failed = [case["suite"] for case in data["cases"] if case["outcome"] != "pass"]
    if failed not in ([], ["coverage goals"]):
        return done.stdout + done.stderr
    coverage = data["coverage"]
    if coverage["total"] == 0 or coverage["hit"] < coverage["total"] * args.least / 100:
        return f"{topology}: {coverage['hit']} of {coverage['total']} bins were hit, fewer than {args.least} %"
    if data["totals"]["links_delivered"] != data["totals"]["links"]:
        return f"{topology}: a link carried nothing"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernbench", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--most", type=int, default=64, help="nodes of a drawn graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=100, help="bins in %% that have to be hit")
    parser.add_argument("topologies", nargs="*")
    parser.add_argument("--more", nargs="*", default=[], help="options of kernbench sim")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    rng = random.Random(args.seed)
    networks = args.topologies + [drawn_graph(rng, args.most) for _ in range(args.drawn)]
    if not networks:
        sys.exit("no network to sign off")
    wrong = [text for text in (sign_off(args, one, i) for i, one in enumerate(networks)) if text]
    for text in wrong:
        print(text)
    print(f"{len(networks) - len(wrong)} of {len(networks)} networks signed off")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
