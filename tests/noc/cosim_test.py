#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a collective of systems whose cubes, and whose SIPs, are joined by a network on its RTL, and on RTL with an error.

    cosim_test.py --kernbench PROGRAM --work FOLDER
"""

import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys

SYSTEM = """\
system: {sips: {count: 1}}
sip: {cube_mesh: {w: 2, h: 2}, inter_cube: {noc: 'Mesh2D(2,2)'}, noc: {flit_bits: 8}}
"""
# Three such SIPs on a ring.
SIPS = SYSTEM.replace("{count: 1}", "{count: 3}, inter_sip: {noc: 'BidirectionalTorus1D(3)'}, noc: {flit_bits: 64}")
# Flits have head, tail, two addresses of 2 bits, a virtual channel, a number of 7 bits and 8 bits of data.
REGRESSION = "name: built\ndut: noc\nnetwork: {topology: 'Mesh2D(2,2)', slots: 8, flit_bits: 22}\nsuites:\n  - {name: a, cycles: 20}\n"
BINS = {"route", "crosspoint", "full", "bubble", "no_credit", "ready", "turn", "packet", "all_credits"}


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

    def cosim(*words, topology="system.yaml"):
        return run("cosim", "--topology", topology, *words, "--json", "cosim.json", "--html", "cosim.html")

    def check_replay(words, code, verdict, text):
        done = subprocess.run(words, capture_output=True, text=True, cwd=args.work)
        if done.returncode != code or not done.stdout.rstrip().splitlines()[-1].startswith(verdict + "  ") or text not in done.stdout:
            wrong.append(f"{words}: exit {done.returncode}: {done.stdout}{done.stderr}")

    done = cosim("--workload", "bench:all-reduce", "--workload", "all_to_all", "--bytes", "40")
    report = json.loads((args.work / "cosim.json").read_text())
    if done.returncode != 0 or "rtl equals cycle in every flit" not in done.stdout:
        wrong.append(f"exit {done.returncode}: {done.stdout}{done.stderr}")
    for workload in report["data"]["workloads"]:
        cycle, rtl = (next(run for run in workload["runs"] if run["fabric"] == fabric) for fabric in ("cycle", "rtl"))
        if cycle["packet_hash"] != rtl["packet_hash"] or cycle["result_hash"] != rtl["result_hash"] or cycle["latency"] != rtl["latency"]:
            wrong.append(f"{workload['name']}: the RTL differs from its reference: {cycle} {rtl}")
        checked = {checker["name"]: checker["checks"] for checker in rtl["checkers"]}
        if not {"lockstep", "scoreboard", "rules"} <= checked.keys() or not all(checked.values()):
            wrong.append(f"{workload['name']}: checkers: {checked}")

    groups = {group["name"]: group for group in report["data"]["coverage"]["groups"]}
    if groups.keys() != BINS or groups["route"]["hit"] < 12 or "functional coverage of the RTL: " not in done.stdout:
        wrong.append(f"coverage: {groups}")

    # The network between SIPs, too.
    (args.work / "sips.yaml").write_text(SIPS)
    done = cosim("--workload", "bench:all-reduce", "--set", "bytes=256", topology="sips.yaml")
    report = json.loads((args.work / "cosim.json").read_text())
    runs = {run["fabric"]: run for run in report["data"]["workloads"][0]["runs"]}
    between = {fabric: run["between_sips"] for fabric, run in runs.items()}
    if done.returncode != 0 or len({run["result_hash"] for run in runs.values()}) != 1 or "between SIPs: BidirectionalTorus1D(3)" not in done.stdout:
        wrong.append(f"exit {done.returncode}: {done.stdout}{done.stderr}")
    for member in ("transfers", "flits", "flit_hash", "cycles", "channels"):
        if between["cycle"][member] != between["rtl"][member] or not between["rtl"][member]:
            wrong.append(f"between SIPs, {member}: {between['cycle'][member]}, {between['rtl'][member]} over the RTL")
    for member in ("transfers", "flits"):
        if between["analytic"][member] != between["rtl"][member]:
            wrong.append(f"between SIPs, {member}: {between['analytic'][member]} by the estimate, {between['rtl'][member]} over the RTL")
    if not all(checker["checks"] for checker in between["rtl"]["checkers"]) or between["rtl"]["model_hash"] == runs["rtl"]["model_hash"]:
        wrong.append(f"between SIPs: {between['rtl']}")
    names = {group["name"] for group in report["data"]["coverage"]["groups"]}
    if names != BINS | {"between SIPs: " + name for name in BINS}:
        wrong.append(f"coverage: {names}")

    # Faults in the network between SIPs, and in that of a SIP.
    for fault, place, topology in (("between_sips:credit_lost", "between SIPs: ", "sips.yaml"), ("credit_lost", "", "system.yaml")):
        done = cosim("--workload", "bench:all-reduce", "--set", "bytes=256", "--fabric", "rtl", "--fault", fault, topology=topology)
        report = json.loads((args.work / "cosim.json").read_text())
        seen = report["data"]["workloads"][0]["runs"][0]
        seen = seen["between_sips"] if place else seen
        reason = report["data"]["workloads"][0]["reason"]
        if done.returncode != 1 or not reason.startswith(place + "edge ") or f" of the RTL: lockstep credit: {seen['fault']['place']}: credits 0b" not in reason:
            wrong.append(f"{fault}: exit {done.returncode}: {reason}: {seen['fault']}: {done.stdout}{done.stderr}")
            continue
        replay = [args.kernbench, "replay", "build/reports/cosim-1.json", "--models", models, "--waves", "off"]
        check_replay(replay, 1, "SAME FAILURE", f"now       {reason.removeprefix(place)}")

    # A head that is lost with its credit: the RTL, copied and edited, is built for a regression of the same network.
    sound = next(models.glob("rtl-Mesh2D*"))
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
        model = str(built.pop())
        done = cosim("--workload", "all_to_all", "--bytes", "40", "--fabric", "rtl", "--model", model)
        lines = [line for line in done.stdout.splitlines() if "of the RTL: lockstep credit" in line]
        if done.returncode != 1 or not lines:
            wrong.append(f"the error passes, exit {done.returncode}: {done.stdout}{done.stderr}")
        commands = [line.split(": ", 2)[2] for line in done.stdout.splitlines() if "reproduce the failure with waves: " in line]
        check_replay(shlex.split(commands[0]), 1, "SAME FAILURE", lines[0].strip().split(": ", 1)[1])
        setup = args.work / "build/reports/waves/replay.gtkw"
        if "u_noc.ch0_valid" not in setup.read_text() or not setup.with_suffix(".fst").exists():
            wrong.append(f"waves: {setup.read_text()}")
        replay = [args.kernbench, "replay", "build/reports/cosim-1.json", "--models", models, "--waves", "off"]
        check_replay([*replay, "--filelist", broken / "noc_top.f"], 1, "SAME FAILURE", "      first wrong: Mesh2D(2,2) ")
        if not (args.work / "build/reports/failures/replay/failure.html").exists():
            wrong.append("the replay leaves no page")
        check_replay(replay, 0, "PASS", "no failure")

    for text in wrong:
        print(text)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
