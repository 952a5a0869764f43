#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants errors in the RTL of the MAZE network, or of networks of any topology; `kernbench sim` has to notice each.

Usage: tests/network_mutants/network_mutants.py [option...]

  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --device noc          networks of any topology (noc.yaml) in place of the MAZE network (mutants.yaml)
  --seed S              what nodes, ports and levels are drawn from (1)
  --each N              mutants of each kind (8); of noc, in each network (1)
  --sizes LIST          sizes of the network, which take turns (4x4,8x3); of noc, its networks (mesh,torus,irregular)
  --only KIND           one kind of the list
  --slice N             N mutants, spread evenly over the list
  --jobs N              mutants at a time (2)
  --work DIR            where models are built (build/network-mutants)
  --list                print the mutants and stop
  --engine E            spread over the nodes of an engine, as scripts/spread.py says
  --plant DIR           put all errors into a copy of rtl/ in DIR, print the kinds with their numbers and stop

All errors are compiled into one model of each size, behind a number that is 0 in the RTL as it is. A run reads the
number, the node, the port and the level from mutant.hex in its folder. With the number 0 the whole regression has to
pass, so the places of the errors are neutral. Exit code: 0 all noticed or listed as equivalent, 1 not, 2 wrong usage
or a list that does not fit the RTL.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import yaml

sys.dont_write_bytecode = True  # the tree of sources stays as it is

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "scripts"), str(ROOT / "tests/network_mutants")]
import noc_device  # noqa: E402
import spread  # noqa: E402

LIST = ROOT / "tests/network_mutants/mutants.yaml"
# A run that takes this many times the processor time of the sound network does not end, and so has noticed. The clock
# is not asked, so that a loaded machine changes no verdict.
CPU_LIMIT = 5
QUICK = ["multicast-few", "resets", "uniform-saturated", "failed-node"]  # suites that notice most


class ListError(Exception):
    """The list of errors does not fit the RTL."""


# place: x, y, port and level; of noc node, port, and VC or bit of a table.
Mutant = collections.namedtuple("Mutant", "name kind number size place")


def read_list(path=LIST):
    data = yaml.safe_load(path.read_text())
    return data["plumbing"], data["kinds"]


def edited(name, text, plumbing, kinds):
    """Returns the text of a file of the RTL with all errors."""
    edits = [(edit, "the plumbing") for edit in plumbing]
    for number, kind in enumerate(kinds, 1):
        for edit in kind.get("edits", ()):
            edits.append(({**edit, "new": edit["new"].replace("@", str(number))}, kind["kind"]))
    for edit, of in edits:
        if edit["file"] != name:
            continue
        if text.count(edit["old"]) != 1:
            raise ListError(f"{of}: {name} has {text.count(edit['old'])} times: {edit['old']}")
        text = text.replace(edit["old"], edit["new"])
    return text


def plant(folder, plumbing, kinds):
    """Copies rtl/ and puts all errors into the copy."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "rtl", folder / "rtl")
    for name in dict.fromkeys(edit["file"] for edit in (*plumbing, *(edit for kind in kinds for edit in kind["edits"]))):
        path = folder / "rtl/network" / name
        path.write_text(edited(name, path.read_text(), plumbing, kinds))


def draw(kinds, options):
    """Draws the mutants of each kind: where they are, and how often."""
    mutants = []
    for number, kind in enumerate(kinds, 1):
        if options.only and kind["kind"] != options.only:
            continue
        rng = random.Random(f"{options.seed} {kind['kind']}")
        taken = set()
        for turn in range(options.each):
            size = options.sizes[turn % len(options.sizes)]
            nx, ny = size
            places = [(x, y, port, level) for x in range(nx) for y in range(ny) for port in ports(kind, nx, ny)
                      for level in ((0, 1) if kind.get("levels") else (0,)) if (size, x, y, port, level) not in taken]
            if not places:
                continue
            place = rng.choice(places)
            taken.add((size, *place))
            name = f"{kind['kind']}-{nx}x{ny}-{place[0]}.{place[1]}" + (f"-p{place[2]}" if kind["ports"] else "") + \
                (f"-{('low', 'high')[place[3]]}" if kind.get("levels") else "")
            mutants.append(Mutant(name, kind, number, size, place))
    return mutants


def ports(kind, nx, ny):
    """The ports that an error of this kind may be at."""
    last = nx + ny - 2
    groups = {"x": range(0, nx - 1), "y": range(nx - 1, last), "user": [last], "none": [0]}
    return [port for group in kind["ports"].split() for port in groups[group]] if kind["ports"] else [0]


def library_of(size, work):
    return work / f"{size[0]}x{size[1]}" / "libnetwork_model.so"


def build(kernbench, size, work):
    """Builds the model of a MAZE network. Returns the words of `kernbench sim` that run it."""
    nx, ny = size
    library = library_of(size, work)
    done = subprocess.run([kernbench, "model", "DEVICE=network", f"NX={nx}", f"NY={ny}",
                           f"NETWORK_DIR={work}/planted/rtl/network", "ASSERT=0", "--output", library.parent], cwd=ROOT, text=True,
                          capture_output=True)
    if done.returncode != 0:
        raise ListError(f"the {nx}x{ny} model does not build:\n{done.stdout}{done.stderr}")
    return words_of_model(size, work)


def words_of_model(size, work):
    return [ROOT / "configs/regressions/network.yaml", "--model", library_of(size, work)]


def name_of(size):
    return size if isinstance(size, str) else f"{size[0]}x{size[1]}"


def simulate(options, size, model, folder, number, place, suites):
    """Runs one model. Returns whether it passed, the first checker that noticed its error, what that said, and the bound
    checkers that noticed it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mutant.hex").write_text(" ".join(f"{value:x}" for value in (number, *place)) + "\n")
    command = [options.kernbench, "sim", *model, "--jobs", "1", "--fail-fast", "--waves", "off"]
    for suite in suites:
        command += ["--suite", suite]
    limit = options.cpu_limit or resource.RLIM_INFINITY
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY)))
    if done.returncode == -signal.SIGXCPU:
        return False, "time", f"no end within {limit} s of processor time", []
    if done.returncode == 0:
        return True, "", "", []
    report = folder / "build/reports/report.json"
    cases = json.loads(report.read_text())["data"]["cases"] if report.exists() else []
    failed = next((case for case in cases if case["outcome"] != "pass"), None)
    if done.returncode != 1 or failed is None:
        raise ListError(f"{name_of(size)}, number {number}: exit code {done.returncode} and no case that failed\n"
                        f"{done.stderr}{done.stdout}")
    seen = failed["failures"] or [{"checker": failed["outcome"], "message": failed["reason"]}]
    also = {found for one in seen for found in re.findall(r"u_checker\.(\w+)", json.dumps(one))}
    return False, seen[0]["checker"], f"{failed.get('name', failed['suite'])}: {seen[0]['message']}", sorted(also)


def judge(options, work, mutant):
    folder = work / "runs" / mutant.name
    model = (noc_device.words if options.device == "noc" else words_of_model)(mutant.size, work)
    for suites in suites_of(options):
        result = simulate(options, mutant.size, model, folder, mutant.number, mutant.place, suites)
        if not result[0]:
            break
    shutil.rmtree(folder, ignore_errors=True)
    return result


def suites_of(options):
    """The suites that run first, and all."""
    return noc_device.QUICK if options.device == "noc" else QUICK, []


def processor_time():
    """Returns the seconds of processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


CHECKERS = ("lockstep", "scoreboard", "latency", "watchdog", "assertions", "rtl_assertions", "time")


def summary(results, seconds):
    rows = {}
    for mutant, passed, checker, *_ in results:
        row = rows.setdefault(mutant.kind["kind"], collections.Counter())
        row["mutants"] += 1
        row["survived" if passed else checker if checker in CHECKERS else "other"] += 1
    columns = ("mutants", *CHECKERS, "other", "survived")
    rows["all"] = sum(rows.values(), collections.Counter())
    print("\n" + f"{'kind':<34}" + "".join(f" {column:>14}" for column in columns))
    for kind, row in rows.items():
        print(f"{kind:<34}" + "".join(f" {row[column]:>14}" for column in columns))
    print(f"{seconds:.0f} s")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1], add_help=False)
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--device", choices=("network", "noc"), default="network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int)
    parser.add_argument("--sizes")
    parser.add_argument("--only")
    parser.add_argument("--slice", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--plant", type=pathlib.Path)
    parser.add_argument("--task")  # name of the mutant that a task of an engine judges
    parser.add_argument("--cpu-limit", type=int)  # seconds of a run in such a task
    spread.add_options(parser)
    options = parser.parse_args()
    is_noc = options.device == "noc"
    options.each = options.each or (noc_device.EACH if is_noc else 8)
    names = (options.sizes or (noc_device.DEFAULT_SIZES if is_noc else "4x4,8x3")).split(",")
    options.sizes = names if is_noc else [tuple(int(side) for side in size.split("x")) for size in names]
    options.kernbench = options.kernbench.resolve()
    work = (options.work or ROOT / f"build/{options.device}-mutants").resolve()
    start = time.monotonic()
    plumbing, kinds = read_list(noc_device.LIST if is_noc else LIST)
    if options.plant:
        plant(options.plant, plumbing, kinds)
        print("\n".join(f"{number} {kind['kind']}" for number, kind in enumerate(kinds, 1)))
        return 0
    mutants = [Mutant(*one) for one in noc_device.draw(kinds, options, work)] if is_noc else draw(kinds, options)
    if options.task:
        spread.write_result(options, judge(options, work, next(one for one in mutants if one.name == options.task)))
        return 0
    if options.slice:
        mutants = [mutants[i * len(mutants) // options.slice] for i in range(options.slice)]
    if not mutants:
        raise ListError(f"no kind is called '{options.only}'")
    if options.list:
        print("\n".join(mutant.name for mutant in mutants))
        return 0
    if not is_noc:
        plant(work / "planted", plumbing, kinds)
    sizes = sorted({mutant.size for mutant in mutants})
    longest = 0
    for size in sizes:
        model = noc_device.build(options, size, work, plumbing, kinds, lambda name, text: edited(name, text, plumbing, kinds)) \
            if is_noc else build(options.kernbench, size, work)
        before = processor_time()
        for suites in suites_of(options):  # both, or each error would seem noticed by the suites that fail anyway
            passed, _, why, _ = simulate(options, size, model, work / "runs/none", 0, (0, 0, 0) if is_noc else (0, 0, 0, 0), suites)
            if not passed:
                print(f"the {name_of(size)} network fails without an error: {why}")
                return 1
        longest = max(longest, processor_time() - before)
    options.cpu_limit = CPU_LIMIT * math.ceil(longest)
    results = []

    def words_of(mutant):
        return ["--task", mutant.name, "--cpu-limit", options.cpu_limit, "--seed", options.seed, "--each", options.each,
                "--work", work, "--kernbench", options.kernbench, "--device", options.device, "--sizes",
                ",".join(map(name_of, options.sizes))]

    judged = spread.in_order(mutants, lambda mutant: judge(options, work, mutant), options, work, words_of)
    bound = set()
    for mutant, (passed, checker, why, also) in zip(mutants, judged):
        bound.update(also)
        known = passed and mutant.kind.get("equivalent")
        print(f"{'EQUIVALENT' if known else 'SURVIVED' if passed else 'killed':<10} {mutant.name:<44} {why[:100]}", flush=True)
        results.append((mutant, passed, checker, why))
    summary(results, time.monotonic() - start)
    silent = []
    if is_noc:
        silent = sorted(noc_device.bound_checkers() - bound)
        print(f"bound checkers: {', '.join(sorted(bound))}" + (f"; silent: {', '.join(silent)}" if silent else ""))
        silent = [] if options.only or options.slice else silent  # a few errors do not wake all
    for kind in {mutant.kind["kind"]: mutant.kind for mutant, passed, *_ in results if passed}.values():
        print(f"{kind['kind']}: {kind.get('equivalent', 'not noticed')}")
    survived = [mutant for mutant, passed, *_ in results if passed and not mutant.kind.get("equivalent")]
    print(f"{'FAIL' if survived or silent else 'PASS'}  {len(results) - len(survived)} of {len(results)} mutants noticed or equivalent")
    return 1 if survived or silent else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ListError, noc_device.Broken, spread.EngineError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
