#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signs off networks from their topology alone: RTL, model, reference, coverage.

    sign_off_test.py --kernbench PROGRAM --work FOLDER TOPOLOGY...
    sign_off_test.py --kernbench PROGRAM --work FOLDER --drawn 50 --seed 7 [--part 2/10]

Each network has to pass configs/regressions/noc.yaml, and to hit all of its bins, or --least of them: on the irregular
ones undirected traffic does not meet all rare bins of arbiters.
"""

import argparse
import json
import pathlib
import random
import resource
import subprocess
import sys
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
REGRESSION = ROOT / "configs/regressions/noc.yaml"


def drawn_graph(rng, most, links_to):
    """Returns an irregular network whose links lead both ways: at most 14 of them at a node, and 512 channels in all."""
    nodes = round(4 * (most / 4) ** rng.random())
    links = {(i, rng.randrange(i)) for i in range(1, nodes)}
    for _ in range(rng.randint(0, nodes * links_to)):
        a, b = rng.sample(range(nodes), 2)
        links.add((max(a, b), min(a, b)))
    degree = [sum(n in link for link in links) for n in range(nodes)]
    kept = []
    for a, b in sorted(links):
        is_tree = (a, b) == min((x, y) for x, y in links if x == a)
        if not is_tree and (max(degree[a], degree[b]) > 14 or len(kept) + nodes > 256):
            degree[a] -= 1
            degree[b] -= 1
        else:
            kept.append((a, b))
    edges = ",".join(f"{a}->{b},{b}->{a}" for a, b in kept)
    return f"CustomTopology({nodes},{edges})"


def star():
    """Returns a network whose node 0 leads to its upper destinations by its first output."""
    edges = [(0, n) for n in range(1, 15)] + [(2, n) for n in range(15, 23)] + [(1, n) for n in range(23, 36)]
    return "CustomTopology(36," + ",".join(f"{a}->{b},{b}->{a}" for a, b in edges) + ")"


def drawn_network(rng, args):
    """Returns a drawn graph with drawn sizes, as keys of a regression: at most 64 virtual channels of inputs at a node."""
    links_to = rng.choice((1, 1, 2, 3))
    return {"topology": drawn_graph(rng, args.most, links_to), "lanes": rng.randint(1, args.lanes), "slots": rng.choice((1, 2, 4, 8)),
            "stages": rng.choice((0, 1, 1, 3))}


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def kernbench(args, network, report, *more):
    """Runs the regression on a network. Returns the ended program and its seconds of processor time."""
    regression = args.work / "regression.yaml"
    spec = yaml.safe_load(REGRESSION.read_text())
    spec["network"].update(network)
    regression.write_text(yaml.safe_dump(spec, sort_keys=False))
    before = cpu_seconds()
    done = subprocess.run(
        [args.kernbench, "sim", str(regression), "--models", str(args.work / "models"), "--report", str(report), "--waves", "off",
         *(["--jobs", args.jobs] if args.jobs != "0" else []), *more, *args.more], capture_output=True, text=True)
    return done, cpu_seconds() - before


def sign_off(args, network, number):
    """Runs the regression on a network. Returns what is wrong, or an empty text."""
    report = args.work / f"report-{number}"
    topology = network["topology"]
    if args.figures:  # the model alone, before the runs
        built, model = kernbench(args, network, report, "--suite", "uniform", "--cycles", "1")
        if built.returncode not in (0, 1):
            return built.stdout + built.stderr
    started = time.time()
    done, cpu = kernbench(args, network, report)
    seconds = time.time() - started
    last = (done.stdout + done.stderr).strip().splitlines()
    figures = f"{model:6.1f} s CPU to a model, {cpu:.1f} s to run  " if args.figures else ""
    sizes = " ".join(f"{key} {value}" for key, value in network.items() if key != "topology")
    print(f"{seconds:7.1f} s  {figures}{topology[:50]:<50} {topology.count('->')} channels {sizes}  {last[-1] if last else ''}", flush=True)
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
    parser.add_argument("--star", action="store_true", help="a network of 36 nodes around one with 14 neighbours")
    parser.add_argument("--most", type=int, default=64, help="nodes of a drawn graph")
    parser.add_argument("--lanes", type=int, default=1, help="virtual channels of a drawn graph, at most")
    parser.add_argument("--jobs", default="0", help="cases at a time; 0: one for each core")
    parser.add_argument("--figures", action="store_true", help="measure the processor time of the model alone, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="I/N: every Nth network from the Ith")
    parser.add_argument("--least", type=float, default=100, help="bins in %% that have to be hit")
    parser.add_argument("topologies", nargs="*")
    parser.add_argument("--more", nargs="*", default=[], help="options of kernbench sim")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    rng = random.Random(args.seed)
    networks = [{"topology": one} for one in args.topologies + [star()] * args.star] + [drawn_network(rng, args) for _ in range(args.drawn)]
    first, parts = map(int, args.part.split("/"))
    networks = networks[first - 1::parts]
    if not networks:
        sys.exit("no network to sign off")
    wrong = [text for text in (sign_off(args, one, i) for i, one in enumerate(networks)) if text]
    for text in wrong:
        print(text)
    print(f"{len(networks) - len(wrong)} of {len(networks)} networks signed off")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
