#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws changes of a system and of a report, and measures whether `kernbench compare` names them.

Usage: tests/cli/compare_bars.py [option...]

  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --changes N           keys of the topology that are drawn and changed, one by one (20)
  --members N           members of reports that are drawn and changed, one by one (100)
  --seed S              of the draws (1)
  --least PERCENT       fail unless so many of each are named

A changed key must stand among the inputs that differ, alone but for the command and its hash. Of a changed member, the
comparison must name that member and no other. Exit code: 0, or 1 if --least is missed.
"""

import argparse
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True  # the tree of sources stays as it is

BENCHES = ("gemm", "softmax", "attention", "all-reduce", "mlp")
KINDS = {"run": ["run", "softmax", "--explain"], "probe": ["probe"], "traffic": ["traffic", "Mesh2D(4,4)", "--loads", "0.3"],
         "serve": ["serve", "--prompt", "8", "--output", "8", "--seconds", "0.002", "--loads", "0.5", "--check", "0"]}


def run(kernbench, *words, check=True):
    done = subprocess.run([kernbench, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if check and done.returncode not in (0, 1):
        sys.exit(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def numbers(tree, path=()):
    """Yields the path of each number of a tree of JSON."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from numbers(value, (*path, key))
    elif isinstance(tree, list):
        for i, value in enumerate(tree):
            yield from numbers(value, (*path, i))
    elif isinstance(tree, (int, float)) and not isinstance(tree, bool):
        yield path


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def dotted(path):
    return re.sub(r"\.\[", "[", ".".join(f"[{key}]" if isinstance(key, int) else key for key in path))


def change_keys(options, folder, rng):
    """Returns how many of the drawn keys are named alone."""
    named = drawn = 0
    while drawn < options.changes:
        bench = rng.choice(BENCHES)
        base = folder / "base.json"
        run(options.kernbench, "run", bench, "--explain", "--json", base)
        spec = json.loads(base.read_text())["data"]["topology"]
        path = rng.choice(sorted(numbers(spec), key=dotted))
        key, value = dotted(path), at(spec, path)
        new = value * rng.choice([2, 0.5]) if isinstance(value, float) else max(1, value * 2)
        other = folder / "other.json"
        done = run(options.kernbench, "run", bench, "--explain", "--set", f"topology.{key}={new}", "--json", other, check=False)
        if done.returncode not in (0, 1) or new == value:
            continue  # the machine cannot be built, or the bench does not fit
        drawn += 1
        text = run(options.kernbench, "compare", base, other, "--rows", "1000").stdout
        inputs = text.split("\nresults")[0]
        keys = re.findall(r"(?m)^  (topology\.\S+)", inputs)
        good = keys == [f"topology.{key}"] or (len(keys) > 0 and all(one.startswith(f"topology.{key}"[:20]) for one in keys) and f"topology.{key}" in keys)
        named += good
        first = re.search(r"by part +A +B +B - A\n  (\S.*?)  ", text)
        print(f"{bench}: {key} {value} -> {new}: {'named' if good else 'NOT NAMED: ' + str(keys)}; first part that differs: "
              f"{first[1] if first else 'none'}", flush=True)
    return named


def change_members(options, folder, rng):
    """Returns how many of the drawn members are named, and no other."""
    named = 0
    bases = {}
    for kind, words in KINDS.items():
        file = folder / f"{kind}.json"
        run(options.kernbench, *words, "--json", file)
        bases[kind] = json.loads(file.read_text())
    for _ in range(options.members):
        kind = rng.choice(sorted(bases))
        report = copy.deepcopy(bases[kind])
        data = report["data"]
        path = rng.choice(sorted(numbers(data), key=str))
        value = at(data, path)
        at(data, path[:-1])[path[-1]] = value + 1 if isinstance(value, int) else value * 1.01 + 1e-6
        other = folder / "member.json"
        other.write_text(json.dumps(report))
        text = run(options.kernbench, "compare", folder / f"{kind}.json", other, "--rows", "1000", check=False)
        verdict = re.search(r"(\S+) of \S+ values differs?\b", text.stdout)
        good = verdict is not None and verdict[1] == "1"
        named += good
        if not good:
            print(f"{kind}: {dotted(path)}: {text.stdout.strip().splitlines()[-1:] or text.stderr.strip().splitlines()[:2]}", flush=True)
    return named


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--members", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float)
    options = parser.parse_args()
    options.kernbench = options.kernbench.resolve()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        keys = change_keys(options, pathlib.Path(folder), rng)
        members = change_members(options, pathlib.Path(folder), rng)
    print(f"{keys} of {options.changes} changed keys are named, {members} of {options.members} changed members are named alone")
    least = (options.least or 0) / 100
    return 1 if keys < least * options.changes or members < least * options.members else 0


if __name__ == "__main__":
    sys.exit(main())
