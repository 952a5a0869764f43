#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Injects every fault of configs/regressions/noc-faults.yaml into the RTL of its network: each has to be caught. The
bits of the report are those of any number of jobs and machines.

    faults_test.py --kernbench PROGRAM --work FOLDER
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
REGRESSION = ROOT / "configs/regressions/noc-faults.yaml"
CHECKERS = {"lockstep", "scoreboard", "rules", "watchdog"}


def run(args, report, *more):
    """Runs the regression, or some of it. Returns the process and its report."""
    done = subprocess.run(
        [args.kernbench, "sim", str(REGRESSION), "--models", str(args.work / "models"), "--report", str(args.work / report),
         "--waves", "off", *more], capture_output=True, text=True, env=args.environment)
    path = args.work / report / "report.json"
    return done, json.loads(path.read_text()) if path.exists() else None


def two_machines(args):
    """Returns the environment in which two machines stand in for those that ssh reaches, and writes their engine."""
    (args.work / "state").mkdir(exist_ok=True)
    (args.work / "bin").mkdir(exist_ok=True)
    ssh = args.work / "bin/ssh"
    ssh.unlink(missing_ok=True)
    ssh.symlink_to(ROOT / "tests/farm/ssh_stand_in.py")
    engine = (ROOT / "configs/engines/ssh.yaml").read_text()
    (args.work / "ssh.yaml").write_text(engine + "poll_s: 0.2\nlate_files_s: 0.5\n")
    return {**os.environ, "PATH": f"{args.work}/bin:{os.environ['PATH']}", "SSH_STAND_IN": str(args.work / "state"),
            "KERNBENCH_HOSTS": "hostA hostB"}


def same_bits(report):
    """Returns what does not depend on this machine, or on how the cases were run."""
    return [{key: case.get(key) for key in ("name", "seed", "outcome", "output_hash", "fault", "failures", "checkers")}
            for case in report["data"]["cases"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernbench", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    args = parser.parse_args()
    shutil.rmtree(args.work / "all", ignore_errors=True)
    args.work.mkdir(parents=True, exist_ok=True)
    args.work = args.work.resolve()
    args.environment = two_machines(args)
    wrong = []
    done, report = run(args, "all", "--jobs", "1")
    if done.returncode != 0 or "every injected fault was found" not in done.stdout:
        sys.exit(done.stdout + done.stderr)
    alone = {tuple(case["fault"]["caught_by"]) for case in report["data"]["cases"] if case.get("fault")}
    if not {(one,) for one in CHECKERS} <= alone:
        wrong.append(f"some checker is never the only one to notice a fault: {sorted(alone)}")
    if any(case["fault"]["link"] is not None or not case["fault"]["place"]
           for case in report["data"]["cases"] if case.get("fault")):
        wrong.append("a fault has no place, or a link of a MAZE")
    _, two = run(args, "two", "--jobs", "2")
    if same_bits(two) != same_bits(report):
        wrong.append("two jobs give other bits than one")
    done, farm = run(args, "farm", "--engine", str(args.work / "ssh.yaml"))
    if done.returncode != 0 or same_bits(farm) != same_bits(report):
        wrong.append(f"two machines give other bits than one:\n{done.stdout}{done.stderr}")
    done, _ = run(args, "one", "--fault", "receiver_dead", "--suite", "dead_receivers")
    if "PASS  2 cases: the injected fault was found, " not in done.stdout:
        wrong.append(done.stdout + done.stderr)
    # RTL that was generated, and edited by hand since, is neither run nor replaced.
    top = next((args.work / "models").glob("rtl-*/noc_top.sv"))
    text = top.read_text()
    top.write_text(text + "// mine\n")
    done, _ = run(args, "edited", "--suite", "links")
    if done.returncode != 2 or done.stderr != f"error: {top} was edited by hand; name another folder, or delete it\n":
        wrong.append(f"edited by hand: exit {done.returncode}\n{done.stdout}{done.stderr}")
    if top.read_text() != text + "// mine\n":
        wrong.append("a file that was edited by hand was replaced")
    top.write_text(text)
    # A regression that expects another checker fails.
    text = REGRESSION.read_text().replace("caught_by: [lockstep], missed_by: [rules]", "caught_by: [rules]")
    (args.work / "other.yaml").write_text(text)
    done = subprocess.run(
        [args.kernbench, "sim", str(args.work / "other.yaml"), "--suite", "lost_credits", "--models", str(args.work / "models"),
         "--report", str(args.work / "other"), "--waves", "off"], capture_output=True, text=True)
    if done.returncode != 1 or "rules did not notice the fault" not in done.stdout:
        wrong.append(done.stdout + done.stderr)
    for one in wrong:
        print(one)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
