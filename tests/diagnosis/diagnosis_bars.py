#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants errors as plain text, one by one, and measures how well `kernbench sim` names their causes.

Usage: tests/diagnosis/diagnosis_bars.py [option...]

  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --work DIR            where copies of rtl/ and models go (build/diagnosis)
  --slice N             N errors, spread evenly over the list
  --only NAME           this error of the list (repeatable)
  --edits               in place of the lists of mutants, the errors of tests/diagnosis/edits.yaml: of other kinds,
                        and also in the second coding of the RTL
  --routers             in place of the lists of mutants, the errors of tests/network_mutants/noc.yaml in networks of
                        routers, at all nodes and ports at once
  --drawn N             in place of the lists, N errors that are drawn: other operators, constants, operands and
                        bits on one line of the RTL each
  --seed S              of what is drawn (1)
  --list                print the names and stop
  --least PERCENT       start again, and fail unless so many of the errors that are noticed have a changed line among
                        the first three of their page

Without --drawn, --edits and --routers the errors are those of tests/mutants/mutants.yaml and
tests/network_mutants/mutants.yaml, the latter at all nodes and ports at once. Each row of DIR/results.jsonl has the rank
of the changed line among those that the program names, the first wrong signal, the packets of the shrunk case and the
seconds from the built model to the page. A run continues where the last one ended.
Exit code: 0, or 1 if --least is missed, no error is noticed, or one of a list does not build, 2 for a list that does not fit the RTL.
"""

import argparse
import collections
import difflib
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True  # the tree of sources stays as it is
sys.path.append(str(ROOT / "tests/network_mutants"))
import noc_device  # noqa: E402

# An edit replaces text of a file that occurs once or, with a position, stands there.
Edit = collections.namedtuple("Edit", "file old new at", defaults=(None,))
# `signals` matches the registers and ports that may be wrong first.
Error = collections.namedtuple("Error", "name kind edits network fabric signals routers", defaults=(".", False))
OTHER = "tests/other_rtl/"
ROUTERS = "configs/regressions/noc.yaml"


class ListError(Exception):
    """The list of errors does not fit the RTL."""


def plain(text):
    """Returns an edit of a network mutant at all places: its conditions hold, and the level is low."""
    here = r"\bm[iocl]?(?:_i)?(?:\[[^\]]+\])?"
    for word, value in ((here + " == @", "1'b1"), (here + " != @", "1'b0"), (r"\b(?:level_i|mut_level)\b", "1'b0")):
        text = re.sub(word, value, text)
    return text


def read_errors():
    errors = []
    for one in yaml.safe_load((ROOT / "tests/mutants/mutants.yaml").read_text())["mutants"]:
        if one.get("survives"):
            continue
        edits = [Edit("rtl/" + edit["file"], edit["find"], edit["replace"]) for edit in one.get("edits", [one])]
        wires = any(edit.file in ("rtl/topo.sv", "rtl/maze_pkg.sv") for edit in edits)
        errors.append(Error(one["id"], one["kind"], edits, False, "4x4" if wires else "5x2"))
    for one in yaml.safe_load((ROOT / "tests/network_mutants/mutants.yaml").read_text())["kinds"]:
        # Others need wires between the modules that tell where the error is.
        places = any(word in edit["new"] for edit in one["edits"] for word in ("mut[", "mut_port", "all_ready_i"))
        if one.get("equivalent") or places:
            continue
        edits = [Edit("rtl/network/" + edit["file"], edit["old"], plain(edit["new"])) for edit in one["edits"]]
        failed = any(word in one["kind"] for word in ("failed", "copy", "copies", "expansion"))
        errors.append(Error(one["kind"].replace(" ", "-"), one["kind"], edits, True, "3x3" if failed else "2x2"))
    return errors


def read_routers():
    """Errors of the modules of a router, in the smallest network that shows them. Those of the wires and tables around
    them are findings of the structure check."""
    networks = {"lanes": "irregular", "shared": "irregular"}
    return [Error(one["kind"].replace(" ", "-"), one["kind"],
                  [Edit("rtl/" + edit["file"], edit["old"], plain(edit["new"])) for edit in one["edits"]],
                  False, networks.get(one.get("needs"), "ring"), routers=True)
            for one in yaml.safe_load(noc_device.LIST.read_text())["kinds"] if "edits" in one]


def read_edits():
    errors = []
    for one in yaml.safe_load((ROOT / "tests/diagnosis/edits.yaml").read_text())["edits"]:
        edits = [Edit(edit["file"], edit["old"], edit["new"]) for edit in one.get("edits", [one])]
        for edit in edits:
            if (ROOT / edit.file).read_text().count(edit.old) != 1:
                raise ListError(f"'{one['name']}' does not fit {edit.file}")
        network = "/network/" in edits[0].file
        fabric = one.get("fabric", "2x2" if network else "6x2" if edits[0].file.startswith(OTHER) else "5x2")
        errors.append(Error(one["name"], one["kind"], edits, network, fabric, one.get("signals", ".")))
    return errors


# Kinds of drawn errors: what is replaced, and by what. The first group is replaced.
SWAPS = {
    "operator": (r" (&&?|\|\|?|\^) ", {"&": "|", "|": "&", "&&": "||", "||": "&&", "^": "&"}),
    "comparison": (r" (==|!=|>=|<|>) ", {"==": "!=", "!=": "==", ">=": ">", "<": "<=", ">": ">="}),
    "constant bit": (r"(1'b[01]|'[01])(?![\w'])", {"1'b0": "1'b1", "1'b1": "1'b0", "'0": "'1", "'1": "'0"}),
    "count": (r"[+-] (?:\w+'\()?([12])\b", {"1": "2", "2": "1"}),
    "sum": (r"\w\)? ([+-]) [\w(]", {"+": "-", "-": "+"}),
    "inversion": (r"(~)[\w(|]", {"~": ""}),
    "reduction": (r"[ (~](\||&)[a-z(]", {"|": "&", "&": "|"}),
    "level": (r"\b(low|high)_\w+", {"low": "high", "high": "low"}),
    "dimension": (r"\b([xy])_\w+", {"x": "y", "y": "x"}),
    "entry": (r"\b(main|skid)_\w+", {"main": "skid", "skid": "main"}),
    "side": (r"\b\w+_(i|o)\b", {"i": "o", "o": "i"}),
    "index": (r"\[([io])\]", {"i": "0", "o": "0"}),
}
FILES = ["irs_lp.sv", "irs_half.sv", "irs_n.sv", "topo.sv", "network/maze_core.sv", "network/maze_queue.sv",
         "network/maze_route.sv", "network/maze_fork.sv", "network/maze_arbiter.sv", "network/maze_expand.sv"]


def draw_errors(count, seed):
    """Returns errors drawn over kind, file and place, in this order, so that no kind or file has most of them."""
    places = collections.defaultdict(lambda: collections.defaultdict(list))
    for file in FILES:
        text = (ROOT / "rtl" / file).read_text()
        begin = text.index(");\n", text.index("\nmodule "))  # behind the ports
        code = re.sub(r"//[^\n]*|\"[^\"\n]*\"|`ifdef.*?`endif|\$error\(.*?\);",
                      lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)
        for kind, (pattern, swaps) in SWAPS.items():
            for found in re.finditer(pattern, code):
                line = code[code.rfind("\n", 0, found.start()) + 1:code.find("\n", found.start())]
                declares = re.match(r"\s*(logic|localparam|genvar|for|import|\$error|if \(.*begin :)", line)
                if found.start() < begin or declares:
                    continue
                places[kind][file].append(Edit("rtl/" + file, found.group(1), swaps[found.group(1)], found.start(1)))
    drawn = random.Random(seed)
    errors, taken = [], set()
    while len(errors) < count:
        kind = drawn.choice(sorted(places))
        file = drawn.choice(sorted(places[kind]))
        edit = drawn.choice(places[kind][file])
        if edit in taken:
            continue
        taken.add(edit)
        line = (ROOT / "rtl" / file).read_text()[:edit.at].count("\n") + 1
        network = file.startswith("network/")
        fabric = "3x3" if file.endswith(("route.sv", "expand.sv")) else "2x2" if network else \
            "4x4" if file == "topo.sv" else "5x2"
        name = f"{kind}-{pathlib.Path(file).stem}-{line}-{edit.at}".replace(" ", "-")
        errors.append(Error(name, kind, [edit], network, fabric))
    return errors


def plant(error, folder, options):
    """Copies the RTL and its second coding, or generates that of a network of routers, with the error. Returns the changed
    lines."""
    shutil.rmtree(folder, ignore_errors=True)
    if error.routers:
        noc_device.generate(options, error.fabric, folder)
        spec = yaml.safe_load((ROOT / ROUTERS).read_text()) | {"network": noc_device.NETWORKS[error.fabric], "full_coverage": False}
        (folder / "noc.yaml").write_text(yaml.safe_dump(spec, sort_keys=False))
    else:
        for part in ("rtl", OTHER):
            shutil.copytree(ROOT / part, folder / part)
    lines = set()
    # From the first line on, so that lines that an edit adds do not move those of another.
    for edit in sorted(error.edits, key=lambda one: (one.file, (folder / one.file).read_text().find(one.old))):
        text = (folder / edit.file).read_text()
        at = text.find(edit.old) if edit.at is None else edit.at
        if edit.at is None and text.count(edit.old) != 1:
            return None
        first = text.rfind("\n", 0, at) + 1  # whole lines
        end = text.find("\n", at + len(edit.old))
        old = text[first:end].splitlines()
        new = (text[first:at] + edit.new + text[at + len(edit.old):end]).splitlines()
        for tag, _, _, begin, behind in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
            if tag != "equal":
                lines |= {(pathlib.Path(edit.file).name, text[:first].count("\n") + 1 + line)
                          for line in range(begin, max(behind, begin + 1))}
        (folder / edit.file).write_text(text[:at] + edit.new + text[at + len(edit.old):])
    return lines


def judge(error, options):
    copy = options.work / "copy"
    lines = plant(error, copy, options)
    if lines is None:
        return {"name": error.name, "kind": error.kind, "outcome": "does not fit"}
    reports = options.work / "reports"
    shutil.rmtree(reports, ignore_errors=True)
    models = options.work / "models"
    other = error.edits[0].file.startswith(OTHER)
    config = "configs/regressions/network.yaml" if error.network else \
        OTHER + "regression.yaml" if other else "configs/regressions/mutants.yaml"
    if error.routers:
        config = copy / "noc.yaml"
    fabric = [] if error.routers else ["--fabric", error.fabric]
    rtl = ["--filelist", copy / "rtl/noc_top.f"] if error.routers else ["--filelist", copy / OTHER / ("network/maze.f" if error.network else "topo.f")] if other else \
        ["--rtl-dir", copy / "rtl"]
    command = [options.kernbench, "sim", config, *fabric, *rtl, "--waves", "off", "--report", reports, "--models", models]
    fail_fast = ["--fail-fast"] if error.network or error.routers else []
    done = subprocess.run([*command, *fail_fast], cwd=ROOT, text=True, capture_output=True)
    built = max((path.stat().st_mtime for path in models.rglob("*")), default=0)
    shutil.rmtree(models, ignore_errors=True)
    row = {"name": error.name, "kind": error.kind, "network": error.network, "other": other, "routers": error.routers,
           "exit_code": done.returncode}
    pages = sorted(reports.glob("failures/*/failure.json"))
    if not pages:
        return {**row, "outcome": "passes" if done.returncode == 0 else "does not build" if done.returncode == 2
                else "no page"}
    # The first failure of traffic is the one whose page a user opens.
    data = json.loads(pages[0].read_text())["data"]
    named = [(pathlib.Path(line["file"]).name, line["line"], max(line["line"], line["last_line"]))
             for line in data["lines"]]
    rank = next((i + 1 for i, (file, first, last) in enumerate(named)
                 if any(file == changed and first <= line <= last for changed, line in lines)), 0)
    shrunk = data["shrunk"]
    first = data["first_wrong"] and data["first_wrong"]["signal"]
    return {**row, "outcome": "page", "rank": rank, "lines": sorted(lines), "named": named[:3],
            "first_wrong": first, "right_signal": bool(first and re.search(error.signals, first)),
            "seconds": round(pages[0].stat().st_mtime - built, 2),
            "packets": shrunk and shrunk["packets"], "page_bytes": (pages[0].parent / "failure.html").stat().st_size}


def summary(rows):
    kinds = collections.defaultdict(list)
    for row in rows:
        design = "network" if row.get("network") else "routers" if row.get("routers") else "TOPO"
        kinds[("second coding, " if row.get("other") else "") + design].append(row)
    for kind, group in kinds.items():
        pages = [row for row in group if row["outcome"] == "page"]
        if not pages:
            continue
        share = lambda chosen: f"{sum(chosen)} of {len(pages)}, {100 * sum(chosen) / len(pages):.0f} %"
        print(f"{kind}: {len(group)} errors, {len(pages)} pages, {sum(row['outcome'] == 'passes' for row in group)} pass")
        print(f"  changed line first: {share([row['rank'] == 1 for row in pages])}")
        print(f"  among the first three: {share([1 <= row['rank'] <= 3 for row in pages])}")
        print(f"  among all lines: {share([row['rank'] >= 1 for row in pages])}")
        print(f"  first wrong signal right: {share([row['right_signal'] for row in pages])}")
        print(f"  at most 30 s to the page: {share([row['seconds'] <= 30 for row in pages])}")
        print(f"  shrunk to at most 10 packets: {share([row['packets'] is not None and row['packets'] <= 10 for row in pages])}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1], add_help=False)
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/diagnosis")
    parser.add_argument("--slice", type=int)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--edits", action="store_true")
    parser.add_argument("--routers", action="store_true")
    parser.add_argument("--drawn", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--least", type=float)
    options = parser.parse_args()
    options.kernbench = options.kernbench.resolve()
    options.work = options.work.resolve()
    errors = read_edits() if options.edits else read_routers() if options.routers else \
        draw_errors(options.drawn, options.seed) if options.drawn else read_errors()
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
    unbuilt = [row["name"] for row in rows if row["outcome"] == "does not build"]
    if unbuilt and not options.drawn:
        print(f"FAIL  {len(unbuilt)} errors of the list do not build: {', '.join(unbuilt)}")
        return 1
    print(f"PASS  {len(rows)} errors")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ListError, noc_device.Broken) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
