#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks the bench's own C++ in every listed way; a unit test has to notice each.

Usage: tests/sabotage/sabotage.py BUILD [option...]

  --only ID      one sabotage of the list
  --slice N      N of them, spread evenly over the list
  --draw N       no list: N sabotages drawn from the sources, printed as an addition to the list
  --seed S       what --draw draws from (1)
  --jobs N       sabotages at a time (2)
  --work DIR     where objects and programs go (BUILD/sabotage)
  --engine E     spread over the nodes of an engine, as scripts/spread.py says

Only what a sabotage changes is compiled again, with the commands of BUILD, and linked with the rest of the test
program. The sources are not touched. Exit code: 0 all noticed, 1 not, 2 wrong usage or a list that does not fit.
"""

import argparse
import collections
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

import yaml

sys.dont_write_bytecode = True  # the tree of sources stays as it is
import draw  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "scripts"))
import compile_command  # noqa: E402
import spread  # noqa: E402

LIST = ROOT / "tests/sabotage/sabotages.yaml"
# The program that has to notice a fault of a folder. The models that sim_test loads hold the reference of maze/ too,
# so that program cannot judge it.
PROGRAMS = {"maze/": "maze_test", "sim/": "sim_test", "sim/structure/": "structure_test",
            "common/json_places.hpp": "sim_test",
            "model/components/": "model_machine_test", "model/trace/": "model_machine_test",
            "model/transport/": "model_machine_test"}
# These compare with numbers stored from an earlier run: they notice any change, right or wrong.
STORED = "*NeverChange*"
TIME_LIMIT = 300  # seconds; a test program that does not end has noticed


class ListError(Exception):
    """The list of sabotages does not fit the sources."""


class Build:
    """The compile, archive and link commands of a finished CMake build with Ninja."""

    def __init__(self, folder):
        self.folder = folder
        self.deps = collections.defaultdict(set)  # source or header -> objects
        target = ""
        for line in self.ninja("deps").splitlines():
            if not line.startswith(" "):
                target = line.split(":")[0]
            elif not line.strip().startswith("/usr/"):
                self.deps[(folder / line.strip()).resolve()].add(target)

    def ninja(self, tool, *words):
        return subprocess.run(["ninja", "-C", self.folder, "-t", tool, *words], check=True, text=True,
                              capture_output=True).stdout

    def commands(self, program):
        """The compile commands of a program by object, and the command that links it."""
        compiles, link = {}, ""
        for line in self.ninja("commands", program).splitlines():
            words = shlex.split(line)
            if "-c" in words and "-o" in words:
                compiles[words[words.index("-o") + 1]] = words
            elif f" -o tests/" in line and line.rstrip(" &:").endswith(".a") and program in line:
                link = line
        return compiles, link


def program_of(entry):
    """The program of the longest folder that holds the file, or None."""
    folders = [folder for folder in PROGRAMS if entry["file"].startswith(folder)]
    return PROGRAMS[max(folders, key=len)] if folders else None


def occurrences(entry):
    return (ROOT / entry["file"]).read_text().count(entry["find"])


def load():
    """The sabotages of the list. Throws ListError with all that is wrong in it."""
    entries = yaml.safe_load(LIST.read_text())["sabotages"]
    wrong, ids = [], set()
    for entry in entries:
        missing = {"id", "kind", "file", "find", "replace"} - entry.keys()
        unknown = entry.keys() - {"id", "kind", "file", "find", "replace", "survives"}
        name = entry.get("id", "one without an id")
        if missing or unknown:
            wrong.append(f"{name}: keys {', '.join(sorted(missing | unknown))} are missing or unknown")
        elif not program_of(entry) or not (ROOT / entry["file"]).is_file():
            wrong.append(f"{name}: '{entry['file']}' is not a source in {' or '.join(PROGRAMS)}")
        elif occurrences(entry) != 1:
            wrong.append(f"{name}: 'find' occurs {occurrences(entry)} times in {entry['file']}, must occur exactly once")
        if name in ids:
            wrong.append(f"{name}: a second sabotage of this name")
        ids.add(name)
    if wrong:
        raise ListError("\n".join(wrong))
    return entries


def compile_object(words, build, entry, broken, work):
    """Compiles one object with the broken text in place of the file. Returns its path, or the compiler's errors."""
    source = pathlib.Path(words[words.index("-c") + 1])
    text = source.read_text() if source.parent.name == "units" else f'#include "{entry["file"]}"\n'
    unit = work / ("unit_" + re.sub(r"\W", "_", words[words.index("-o") + 1]) + ".cpp")
    unit.write_text(text.replace(f'"{entry["file"]}"', f'"{broken}"'))
    output = unit.with_suffix(".o")
    # The speed of a test does not decide whether it notices a fault.
    command = ["-O1" if word in ("-O2", "-O3") else word for word in compile_command.without_cache(words)]
    command[command.index("-o") + 1] = str(output)
    command[command.index("-c") + 1] = str(unit)
    # Headers of the project are named from its root, so this folder comes first.
    command[1:1] = ["-I", str(work / "tree"), "-w"]
    for flag in ("-MD", "-MT", "-MF"):
        while flag in command:
            at = command.index(flag)
            del command[at:at + (1 if flag == "-MD" else 2)]
    done = subprocess.run(command, cwd=build.folder, text=True, capture_output=True)
    return output, done.stderr if done.returncode else ""


def link_program(link, build, objects, work, program):
    """Links the program with the objects that were compiled again. Returns its path."""
    output = work / program
    words = []
    for word in shlex.split(link.replace("&&", "").strip(": ")):
        if word in objects:
            word = str(objects[word])
        elif word.endswith(".a") and not word.startswith("/"):
            members = [name for name in objects if name.startswith(word.rsplit("/", 1)[0] + "/CMakeFiles/"
                                                                   + pathlib.Path(word).stem[3:] + ".dir/")]
            if members:
                archive = work / pathlib.Path(word).name
                shutil.copy(build.folder / word, archive)
                for name in members:
                    replaced = work / pathlib.Path(name).name
                    shutil.copy(objects[name], replaced)
                    subprocess.run(["ar", "r", archive, replaced], check=True, capture_output=True)
                word = str(archive)
        words.append(word)
    words[words.index("-o") + 1] = str(output)
    subprocess.run(words, cwd=build.folder, check=True, capture_output=True, text=True)
    return output


class BrokenProgram(Exception):
    """A test program that does not run its tests."""


def first_failure(program):
    """The first test that fails, or None when all pass. A program that ends without a failed test has noticed nothing,
    unless a signal ended it."""
    try:
        run = subprocess.run([program, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter=-{STORED}"], text=True,
                             errors="replace", capture_output=True, timeout=TIME_LIMIT, cwd=program.parent)
    except subprocess.TimeoutExpired:
        return f"does not end in {TIME_LIMIT} s"
    if run.returncode == 0:
        return None
    failed = re.search(r"\[  FAILED  \] ([\w/.]+)", run.stdout)
    if failed:
        return failed.group(1)
    if run.returncode > 0:
        raise BrokenProgram(f"{program.name} ends with {run.returncode} and no failed test")
    return f"ends with {run.returncode}"


def judge(entry, build, folder):
    """Returns the fate of a sabotage (noticed, SURVIVED or BROKEN), and the test or the reason."""
    work = folder / entry["id"]
    shutil.rmtree(work, ignore_errors=True)
    broken = work / "tree" / entry["file"]
    broken.parent.mkdir(parents=True)
    broken.write_text((ROOT / entry["file"]).read_text().replace(entry["find"], entry["replace"]))
    program = program_of(entry)
    compiles, link = build.commands(program)
    objects = {}
    for name in sorted(build.deps[(ROOT / entry["file"]).resolve()] & compiles.keys()):
        objects[name], errors = compile_object(compiles[name], build, entry, broken, work)
        if errors:
            return "BROKEN", errors.strip().splitlines()[0]
    if not objects:
        return "BROKEN", f"no object of {program} is made of {entry['file']}"
    try:
        noticed = first_failure(link_program(link, build, objects, work, program))
    except BrokenProgram as error:
        return "BROKEN", str(error)
    shutil.rmtree(work)
    return ("noticed", noticed) if noticed else ("SURVIVED", entry.get("survives", ""))


def run(entries, build, options):
    """Judges every sabotage. Returns the number of those that are not as the list says."""
    wrong = 0

    def one(entry):
        start = time.monotonic()
        return [*judge(entry, build, options.work), time.monotonic() - start]

    def words_of(entry):
        drawn = ["--draw", options.draw, "--seed", options.seed] if options.draw else []
        return [options.build, "--work", options.work, "--only", entry["id"], *drawn]

    if options.json:
        spread.write_result(options, one(entries[0]))
        return 0
    judged = spread.in_order(entries, one, options, options.work, words_of)
    for entry, (fate, why, seconds) in zip(entries, judged):
        wrong += fate != ("SURVIVED" if "survives" in entry else "noticed")
        print(f"{entry['id']:<34} {entry['kind']:<18} {seconds:5.1f} s  {fate}  {why}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1].split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only")
    parser.add_argument("--slice", type=int)
    parser.add_argument("--draw", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path)
    spread.add_options(parser)
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.kernbench = options.build / "cli/kernbench"
    options.work = (options.work or options.build / "sabotage").resolve()
    if options.draw:
        entries = draw.draw(ROOT, ["maze", "sim"], options.draw, options.seed)
        print(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=110))
        if options.only is None and options.slice is None:
            return 0
    else:
        entries = load()
    if options.only:
        entries = [entry for entry in entries if entry["id"] == options.only]
    if options.slice:
        entries = [entries[i * len(entries) // options.slice] for i in range(options.slice)]
    if not entries:
        raise ListError("no such sabotage is in the list")
    wrong = run(entries, Build(options.build), options)
    print(f"{len(entries)} sabotages, {wrong} not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ListError, spread.EngineError, subprocess.CalledProcessError) as error:
        print(f"error: {getattr(error, 'stderr', None) or error}", file=sys.stderr)
        sys.exit(2)
