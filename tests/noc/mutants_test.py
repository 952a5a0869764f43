#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks one rule after the other in the RTL of a network: the regression has to notice each.

    mutants_test.py --kernbench PROGRAM --work FOLDER [--first N]
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
REGRESSION = ROOT / "configs/regressions/noc.yaml"
TOPOLOGY = "BidirectionalTorus1D(4)"
SPREAD = "packets spread over the lanes of a class"
LANES = {SPREAD: 2}  # by rule, where not 1

# File, text and what stands in its place, and the rule that it breaks.
MUTANTS = [
    ("noc_output.sv", "ahead & (~ahead + R'(1)) :", "ask_i[c*R+:R] & (~ask_i[c*R+:R] + R'(1)) :",
     "heads take turns"),
    ("noc_output.sv", "|ready_ahead ? ready_ahead & (~ready_ahead + V'(1)) :", "1'b0 ? '0 :",
     "virtual channels take turns"),
    ("noc_output.sv", "held[j] ? owner_q[j*R+:R] & valid_i :", "1'b0 ? '0 :", "packets are not mixed"),
    ("noc_output.sv", "ready[j] = funded[j] & ", "ready[j] = ", "a flit needs a credit"),
    ("noc_output.sv", " - CountW'(pick[j])", "", "a flit spends a credit"),
    ("noc_output.sv", "CountW'(credit_i[j])", "CountW'(0)", "a credit comes back"),
    ("noc_output.sv", "CountW'(B)", "CountW'(B - 1)", "senders start with all slots"),
    ("noc_router.sv", "credit_o <= pop;", "credit_o <= pop & ~(pop >> 1);", "each slot returns its credit"),
    ("noc_router.sv", "valid[i] & front[i*W + W-1]", "valid[i]", "only heads ask for an output"),
    ("noc_node.sv", "{V{any}} & returned", "returned", "a credit lasts one cycle"),
    ("noc_queue.sv", r"re:\bB - 1\b", "B - 2", "a queue has all slots"),
    ("noc_top.sv", "ch4_flit, ch0_flit})", "ch0_flit, ch4_flit})", "wires join the right ports"),
    ("noc_top_pkg.sv", "12'h64d", "12'h64b", "the tables have the routes"),
    ("noc_output.sv", "open_ahead = open &", "open_ahead = '0 &", SPREAD),
]


def mutate(text, old, new):
    if old.startswith("re:"):
        return re.sub(old[3:], new, text, count=1)
    return text.replace(old, new, 1)


def make_sound(args, lanes):
    """Writes the RTL with so many lanes and its regression, once. Returns both."""
    folder = args.work / f"sound-{lanes}"
    regression = args.work / f"lanes-{lanes}.yaml"
    if not folder.exists():
        subprocess.run([args.kernbench, "topology", "rtl", TOPOLOGY, "--slots", "4", "--lanes", str(lanes), "-o", str(folder)],
                       check=True, stdout=subprocess.DEVNULL)
        regression.write_text(REGRESSION.read_text().replace("slots: 4}", f"slots: 4, lanes: {lanes}}}"))
    return folder, regression


def check_waves(args):
    """Writes the waves of the first mutant. Returns what their set-up lacks, or the cause of its failure."""
    done = subprocess.run(
        [args.kernbench, "sim", str(REGRESSION), "--noc", TOPOLOGY, "--filelist", str(args.work / "mutant-0/noc_top.f"), "--suite",
         "overload", "--models", str(args.work / "models"), "--report", str(args.work / "report"), "--waves", "on-failure"],
        capture_output=True, text=True)
    for text in ("cause:\n    first wrong: BidirectionalTorus1D(4) node 3, B flit in cycle ", "    shrunk to ",
                 "page:      failures/overload-seed1/failure.html\n"):
        if text not in done.stdout:
            return [f"the failure has another cause, without {text!r}:\n{done.stdout}"]
    if "Ways of the packets" not in (args.work / "report/failures/overload-seed1/failure.html").read_text():
        return ["the page has no ways of packets"]
    setup = args.work / "report/waves/overload-seed1.gtkw"
    text = setup.read_text() if setup.exists() else done.stdout + done.stderr
    rows = ("-0->1\n@28\n+{valid} TOP.noc_tb_top.u_noc.ch0_valid\n", "+{flit} TOP.noc_tb_top.u_noc.ch0_flit[35:0]\n",
            "+{credit} TOP.noc_tb_top.u_noc.a_credit_o[3][1:0]\n", "+{flit} TOP.noc_tb_top.u_noc.b_flit_o[3][35:0]\n")
    return [f"the waves have no row {row!r}:\n{text}" for row in rows if row not in text]


def check_structure(args, sound):
    """Swaps two wires and an entry of a table. Returns what the structure check does not say about them."""
    folder = args.work / "wires"
    shutil.copytree(sound, folder)
    for name, old, new in (("noc_top.sv", "ch4_flit, ch0_flit})", "ch0_flit, ch4_flit})"), ("noc_top_pkg.sv", "12'h64d", "12'h64b")):
        text = (folder / name).read_text()
        (folder / name).write_text(text.replace(old, new, 1))
    command = [args.kernbench, "sim", str(REGRESSION), "--noc", TOPOLOGY, "--filelist", str(folder / "noc_top.f"), "--suite",
               "alone", "--models", str(args.work / "models"), "--report", str(args.work / "report"), "--waves", "off"]
    done = subprocess.run(command, capture_output=True, text=True)
    found = [line for line in done.stderr.splitlines() if line.startswith("error: structure: ")]
    place = f"error: structure: {folder}/noc_top.sv"
    wanted = [f"{place}:32: the table of u_node0 sends a packet for node 0 from the local input, VC 1, to 0->3 class 1, "
              "expected the local output class 1",
              f"{place}:47: u_node1.flit_i[0] (0->1) takes u_node2.flit_o[0], expected u_node0.flit_o[0] (and 35 more bits)",
              f"{place}:47: u_node1.flit_i[36] (2->1) takes u_node0.flit_o[0], expected u_node2.flit_o[0] (and 35 more bits)"]
    wrong = [] if found == wanted and done.returncode == 1 else [f"exit {done.returncode}, structure: {found}"]
    data = json.loads((args.work / "report/report.json").read_text())["data"]
    if data["model"]["structure"] != "findings":
        wrong.append(f"the report says about the structure: {data['model']['structure']}")
    done = subprocess.run([*command, "--no-structure"], capture_output=True, text=True)
    if "structure of the RTL: not checked (--no-structure)" not in done.stdout or "structure: " in done.stderr:
        wrong.append(f"--no-structure: {done.stdout}{done.stderr}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernbench", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--first", type=int, default=len(MUTANTS))
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    missed = []
    for number, (name, old, new, rule) in enumerate(MUTANTS[:args.first]):
        folder = args.work / f"mutant-{number}"
        sound, regression = make_sound(args, LANES.get(rule, 1))
        shutil.copytree(sound, folder)
        text = (folder / name).read_text()
        changed = mutate(text, old, new)
        if changed == text:
            missed.append(f"{name}: '{old}' is not in the file")
            continue
        (folder / name).write_text(changed)
        done = subprocess.run(
            [args.kernbench, "sim", str(regression), "--noc", TOPOLOGY, "--filelist", str(folder / "noc_top.f"),
             "--models", str(args.work / "models"), "--report", str(args.work / "report"), "--waves", "off",
             "--fail-fast"], capture_output=True, text=True)
        lines = [line.strip() for line in done.stdout.splitlines() if "reference has" in line or ": vc " in line]
        print(f"exit {done.returncode}  {rule}: {lines[0][:90] if lines else ''}", flush=True)
        if done.returncode not in (1, 3, 4):
            missed.append(f"{name}: {rule}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    missed += check_waves(args)
    missed += check_structure(args, make_sound(args, 1)[0])
    for text in missed:
        print(text)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
