#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs commands of the shell side by side: on this machine, or on the nodes of an engine of `kernbench sweep`.

Usage: scripts/spread.py [option...] < COMMANDS

  --kernbench PROGRAM   the program (build/release/cli/kernbench)
  --engine ENGINE       an engine with its settings, such as slurm:partition=main; without it this machine
  --jobs N              commands at a time on this machine (1)
  --work DIR            folder for the files of the engine, which all nodes see (build/spread)

COMMANDS has a command in each line. Prints what each prints, in their order. Exit code: 0 all commands ended with 0, 1 not,
2 wrong usage, or an engine that refuses.

Scripts whose work has independent parts use in_order() of this file.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import children

ROOT = pathlib.Path(__file__).resolve().parent.parent


class EngineError(Exception):
    """The engine did not run the work."""


def add_options(parser):
    """Adds --engine and, for the tasks of an engine, --json to the options of a script."""
    parser.add_argument("--engine")
    parser.add_argument("--json", type=pathlib.Path)


def write_result(options, value):
    """Leaves the result of a task: any value that JSON has."""
    options.json.write_text(json.dumps({"outcome": "pass", "data": value}))


def in_order(parts, compute, options, work, words_of):
    """Yields compute(part) of each part, in their order.

    Runs on options.jobs threads, or as tasks of options.engine. A task is this script with words_of(part) and --json FILE,
    which write_result() gets. work: a folder that all nodes see. Raises EngineError.
    """
    if not options.engine:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            yield from pool.map(compute, parts)
        return
    results = run_tasks([[sys.argv[0], *map(str, words_of(part))] for part in parts], options, work)
    for command, result in zip(parts, results):
        if result["report"]:
            yield json.loads(result["report"])["data"]
        else:
            raise EngineError(f"{command}: {result['message'] or result['outcome']}")


def run_tasks(commands, options, work):
    """Runs commands as tasks of options.engine and returns the results of their ends, in their order."""
    folder = work / "tasks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    keys = [f"{number}.{hashlib.sha256(shlex.join(words).encode()).hexdigest()[:8]}" for number, words in enumerate(commands)]
    (folder / "commands.json").write_text(json.dumps({
        "schema": 1, "kind": "job", "program": sys.executable, "folder": os.getcwd(), "results": str(folder / "results"),
        "targets": [], "points": [{"key": key, "attempt": 1, "command": words} for key, words in zip(keys, commands)]}))
    # The program cancels its tasks when it gets SIGTERM.
    command = [options.kernbench, "job", "run", folder / "commands.json", "--engine", options.engine]
    done = subprocess.run(children.ending_with_this(command, by="TERM"), check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise EngineError(f"kernbench job run ended with {done.returncode}")
    ends = {}
    for line in (folder / "results").read_text().splitlines():
        row = json.loads(line)
        ends[row["key"]] = row
    if missing := [key for key in keys if key not in ends]:
        raise EngineError(f"{len(missing)} of {len(keys)} tasks left no result")
    return [ends[key] for key in keys]


def run_shell(command):
    """Returns the exit code and the end of what a command printed."""
    done = subprocess.run(command, shell=True, check=False, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [done.returncode, done.stdout[-32_000:]]


def main():
    children.end_on_signals()
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1], add_help=False)
    parser.add_argument("--kernbench", type=pathlib.Path, default=ROOT / "build/release/cli/kernbench")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/spread")
    parser.add_argument("--task")
    add_options(parser)
    options = parser.parse_args()
    options.kernbench = options.kernbench.resolve()
    if options.task:
        write_result(options, run_shell(options.task))
        return 0
    commands = [line for line in sys.stdin.read().splitlines() if line.strip()]
    if not commands:
        raise EngineError("there are no commands on standard input")
    failed = 0
    for code, output in in_order(commands, run_shell, options, options.work.resolve(), lambda command: ["--task", command]):
        print(output, end="", flush=True)
        failed += code != 0
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except EngineError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
