#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants errors as plain text, one by one, and measures how well `kernbench sim` names their causes.

Usage: tests/diagnosis/diagnosis_bars.py [option...]

  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --work DIR            where copies of rtl/ and models go (build/diagnosis)
  --slice N             N errors, spread evenly over the list
  --only NAME           this error of the list (repeatable)
  --list                print the names and stop
  --least PERCENT       start again, and fail unless so many of the errors that are noticed have a changed line among
                        the first three of their page

The errors are those of tests/mutants/mutants.yaml and tests/network_mutants/mutants.yaml, the latter at all nodes and
ports at once. Each row of DIR/results.jsonl has the rank of the changed line among those that the program names, the
packets of the shrunk case and the seconds from the failure to its page. A run continues where the last one ended.
Exit code: 0, or 1 if --least is missed or no error is noticed, 2 for a list that does not fit the RTL.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True  # the tree of sources stays as it is

Error = collections.namedtuple("Error", "name kind edits network fabric")


class ListError(Exception):
    """The list of errors does not fit the RTL."""


def plain(text):
    """Returns an edit of a network mutant at all places: its conditions hold, and the level is low."""
    for word, value in ((r"\bm[io]?(?:_i)? == @", "1'b1"), (r"\bm[io]?(?:_i)? != @", "1'b0"),
                        (r"\b(?:level_i|mut_level)\b", "1'b0")):
        text = re.sub(word, value, text)
    return text


def read_errors():
    errors = []
    for one in yaml.safe_load((ROOT / "tests/mutants/mutants.yaml").read_text())["mutants"]:
        if one.get("survives"):
            continue
        edits = [(edit["file"], edit["find"], edit["replace"]) for edit in one.get("edits", [one])]
        wires = any(file in ("topo.sv", "maze_pkg.sv") for file, _, _ in edits)
        errors.append(Error(one["id"], one["kind"], edits, False, "4x4" if wires else "5x2"))
    for one in yaml.safe_load((ROOT / "tests/network_mutants/mutants.yaml").read_text())["kinds"]:
        # Others need wires between the modules that tell where the error is.
        places = any(word in edit["new"] for edit in one["edits"] for word in ("mut[", "mut_port", "all_ready_i"))
        if one.get("equivalent") or places:
            continue
        edits = [("network/" + edit["file"], edit["old"], plain(edit["new"])) for edit in one["edits"]]
        failed = any(word in one["kind"] for word in ("failed", "copy", "copies", "expansion"))
        errors.append(Error(one["kind"].replace(" ", "-"), one["kind"], edits, True, "3x3" if failed else "2x2"))
    return errors


def plant(error, folder):
    """Copies rtl/ with the error. Returns the changed lines."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "rtl", folder)
    lines = set()
    for file, old, new in error.edits:
        text = (folder / file).read_text()
        if text.count(old) != 1:
            return None
        same = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        lines.add((pathlib.Path(file).name, text[:text.index(old) + same].count("\n") + 1))
        (folder / file).write_text(text.replace(old, new))
    return lines


def judge(error, options):
    rtl = options.work / "rtl"
    lines = plant(error, rtl)
    if lines is None:
        return {"name": error.name, "kind": error.kind, "outcome": "does not fit"}
    reports = options.work / "reports"
    shutil.rmtree(reports, ignore_errors=True)
    config = "network" if error.network else "mutants"
    command = [options.kernbench, "sim", f"configs/regressions/{config}.yaml", "--fabric", error.fabric, "--rtl-dir", rtl,
               "--waves", "off", "--report", reports, "--models", options.work / "models"]
    done = subprocess.run([*command, *(["--fail-fast"] if error.network else [])], cwd=ROOT, text=True, capture_output=True)
    shutil.rmtree(options.work / "models", ignore_errors=True)
    row = {"name": error.name, "kind": error.kind, "network": error.network, "exit_code": done.returncode}
    pages = sorted(reports.glob("failures/*/failure.json"))
    if not pages:
        return {**row, "outcome": "passes" if done.returncode == 0 else "no page"}
    # The first failure of traffic is the one whose page a user opens.
    data = json.loads(pages[0].read_text())["data"]
    named = [(pathlib.Path(line["file"]).name, line["line"]) for line in data["lines"]]
    rank = next((i + 1 for i, line in enumerate(named) if line in lines), 0)
    shrunk = data["shrunk"]
    return {**row, "outcome": "page", "rank": rank, "lines": sorted(lines), "named": named[:3],
            "first_wrong": data["first_wrong"] and data["first_wrong"]["signal"],
            "packets": shrunk and shrunk["packets"], "page_bytes": (pages[0].parent / "failure.html").stat().st_size}


def summary(rows):
    for kind, group in (("TOPO", [row for row in rows if not row.get("network")]),
                        ("network", [row for row in rows if row.get("network")])):
        pages = [row for row in group if row["outcome"] == "page"]
        if not pages:
            continue
        share = lambda chosen: f"{sum(chosen)} of {len(pages)}, {100 * sum(chosen) / len(pages):.0f} %"
        print(f"{kind}: {len(group)} errors, {len(pages)} pages, {sum(row['outcome'] == 'passes' for row in group)} pass")
        print(f"  changed line first: {share([row['rank'] == 1 for row in pages])}")
        print(f"  among the first three: {share([1 <= row['rank'] <= 3 for row in pages])}")
        print(f"  first wrong signal named: {share([bool(row['first_wrong']) for row in pages])}")
        print(f"  shrunk to at most 10 packets: {share([row['packets'] is not None and row['packets'] <= 10 for row in pages])}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1], add_help=False)
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/diagnosis")
    parser.add_argument("--slice", type=int)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--least", type=float)
    options = parser.parse_args()
    options.kernbench = options.kernbench.resolve()
    options.work = options.work.resolve()
    errors = read_errors()
    for name in options.only:
        if name not in [error.name for error in errors]:
            raise ListError(f"no error is called '{name}'")
    if options.only:
        errors = [error for error in errors if error.name in options.only]
    if options.slice:
        errors = [errors[i * len(errors) // options.slice] for i in range(options.slice)]
    if options.list:
        print("\n".join(error.name for error in errors))
        return 0
    options.work.mkdir(parents=True, exist_ok=True)
    results = options.work / "results.jsonl"
    known = {}
    if results.exists() and options.least is None:
        known = {row["name"]: row for row in map(json.loads, results.read_text().splitlines())}
    rows = []
    with results.open("a" if options.least is None else "w") as out:
        for error in errors:
            row = known.get(error.name)
            if row is None:
                row = judge(error, options)
                out.write(json.dumps(row) + "\n")
                out.flush()
            rows.append(row)
            print(f"{row.get('rank', '-'):>2}  {error.name:<40} {row['outcome']}, first wrong "
                  f"{row.get('first_wrong')}, {row.get('packets')} packets, named {row.get('named')}", flush=True)
    summary(rows)
    noticed = [row for row in rows if row.get("exit_code") != 0]
    named = sum(1 <= row.get("rank", 0) <= 3 for row in noticed)
    if not noticed or (options.least is not None and 100 * named < options.least * len(noticed)):
        print(f"FAIL  the changed line is among the first three for {named} of {len(noticed)} errors that were noticed")
        return 1
    print(f"PASS  {len(rows)} errors")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ListError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
