#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a collective of a system whose cubes are joined by a network on its RTL, and on RTL with an error.

    cosim_test.py --kernbench PROGRAM --work FOLDER
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

SYSTEM = """\
system: {sips: {count: 1}}
sip: {cube_mesh: {w: 2, h: 2}, inter_cube: {noc: 'Mesh2D(2,2)'}, noc: {flit_bits: 8}}
"""
# Flits have head, tail, two addresses of 2 bits, a virtual channel, a number of 7 bits and 8 bits of data.
REGRESSION = "name: built\ndut: noc\nnetwork: {topology: 'Mesh2D(2,2)', slots: 8, flit_bits: 22}\nsuites:\n  - {name: a, cycles: 20}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernbench", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    models = args.work / "models"
    (args.work / "system.yaml").write_text(SYSTEM)
    (args.work / "built.yaml").write_text(REGRESSION)
    wrong = []

    def run(*words):
        return subprocess.run([args.kernbench, *words, "--models", models], capture_output=True, text=True, cwd=args.work)

    def cosim(*words):
        return run("cosim", "--topology", "system.yaml", *words, "--json", "cosim.json", "--html", "cosim.html")

    done = cosim("--workload", "bench:all-reduce", "--workload", "all_to_all", "--bytes", "40")
    report = json.loads((args.work / "cosim.json").read_text())
    if done.returncode != 0 or "rtl equals cycle in every packet" not in done.stdout:
        wrong.append(f"exit {done.returncode}: {done.stdout}{done.stderr}")
    for workload in report["data"]["workloads"]:
        cycle, rtl = (next(run for run in workload["runs"] if run["fabric"] == fabric) for fabric in ("cycle", "rtl"))
        if cycle["packet_hash"] != rtl["packet_hash"] or cycle["result_hash"] != rtl["result_hash"] or cycle["latency"] != rtl["latency"]:
            wrong.append(f"{workload['name']}: the RTL differs from its reference: {cycle} {rtl}")
        checked = {checker["name"]: checker["checks"] for checker in rtl["checkers"]}
        if not {"lockstep", "scoreboard", "rules"} <= checked.keys() or not all(checked.values()):
            wrong.append(f"{workload['name']}: checkers: {checked}")

    # A head that is lost with its credit: the RTL, copied and edited, is built for a regression of the same network.
    sound = next(models.glob("rtl-*"))
    broken = args.work / "broken"
    shutil.copytree(sound, broken)
    queue = (broken / "noc_router.sv").read_text()
    edited = queue.replace("credit_o <= pop;", "credit_o <= pop & ~(pop >> 1);", 1)
    (broken / "noc_router.sv").write_text(edited)
    before = set(models.rglob("*.so"))
    run("sim", "built.yaml", "--filelist", str(broken / "noc_top.f"), "--waves", "off", "--no-structure")
    built = set(models.rglob("*.so")) - before
    if edited == queue or len(built) != 1:
        wrong.append(f"no model of the edited RTL: {built}")
    else:
        done = cosim("--workload", "all_to_all", "--bytes", "40", "--fabric", "rtl", "--model", str(built.pop()))
        lines = [line for line in done.stdout.splitlines() if "of the RTL: lockstep credit" in line]
        if done.returncode != 1 or not lines:
            wrong.append(f"the error passes, exit {done.returncode}: {done.stdout}{done.stderr}")

    for text in wrong:
        print(text)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
