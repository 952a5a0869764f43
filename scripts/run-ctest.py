#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ctest and says what the tests took.

Usage: scripts/run-ctest.py BUILD JOBS [ctest option...]

Prints ctest's output, then a table of groups with their test cases and seconds, the ten slowest tests, and ctest's
summary again as the last line. Exit code: that of ctest, or 1 if no test ran or a program ran no case.
"""

import collections
import json
import pathlib
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def run(build, jobs, options):
    """Returns ctest's exit code and its summary line."""
    command = ["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "--parallel", jobs,
               "--output-junit", build.resolve() / "reports/ctest.xml", *options]
    summary = ""
    # A shell without job control lets what it starts in the background ignore SIGINT, which tests send to programs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True) as ctest:
        for line in ctest.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            if "tests passed" in line:
                summary = line.strip()
    return ctest.returncode, summary


def cases_of(build, program):
    """The cases that a GoogleTest program ran, one where a ctest is not a whole program, and those that it skipped."""
    report = build / "reports/cases" / f"{program}.xml"
    if not report.exists():
        return 1, []
    root = ElementTree.parse(report).getroot()
    skipped = [f"{case.get('classname')}.{case.get('name')}" for case in root.iter("testcase")
               if case.get("result") == "skipped" or case.get("status") == "notrun"]
    return int(root.get("tests")) - len(skipped), skipped


def groups_of(build):
    """The first label of each test."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    groups = {}
    for test in json.loads(listed)["tests"]:
        labels = [entry["value"] for entry in test.get("properties", []) if entry["name"] == "LABELS"]
        groups[test["name"]] = labels[0][0] if labels else "other"
    return groups


def print_figures(build):
    """Prints the figures. Returns what was not tested: programs without a case."""
    group_of = groups_of(build)
    tests, idle, skipped = [], [], []
    for case in ElementTree.parse(build / "reports/ctest.xml").getroot().iter("testcase"):
        name = case.get("name")
        cases, left_out = cases_of(build, name)
        tests.append((float(case.get("time")), name, group_of[name], cases))
        skipped += left_out
        if cases == 0:
            idle.append(name)
    groups = collections.defaultdict(lambda: [0, 0, 0.0])
    for seconds, _, group, cases in tests:
        for row in (groups[group], groups["all"]):
            row[0] += 1
            row[1] += cases
            row[2] += seconds
    print(f"\n{'group':<12} {'ctests':>7} {'cases':>7} {'seconds':>8}")
    for group, (count, cases, seconds) in sorted(groups.items(), key=lambda item: item[1][2]):
        print(f"{group:<12} {count:>7} {cases:>7} {seconds:>8.1f}")
    print("\nThe ten slowest:")
    for seconds, name, _, _ in sorted(tests, reverse=True)[:10]:
        print(f"{seconds:>8.1f} s  {name}")
    if skipped:
        print(f"\nnot tested, {len(skipped)} cases skipped: {', '.join(skipped)}")
    return idle


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build = pathlib.Path(sys.argv[1])
    (build / "reports/cases").mkdir(parents=True, exist_ok=True)
    code, summary = run(build, sys.argv[2], sys.argv[3:])
    idle = print_figures(build)
    for name in idle:
        print(f"FAIL  {name} ran no case")
    print(f"\n{summary or 'FAIL  no test ran'}")
    return code or (1 if idle or not summary else 0)


if __name__ == "__main__":
    sys.exit(main())
