#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Structural checks of the RTL, with tools that are not Verilator's simulation.

Usage: scripts/check_structure.py [--rtl DIR] [--tb DIR] [--report DIR] [--only TEXT] CHECK

  icarus    Icarus Verilog parses and elaborates the IRS modules
  lint      verilator --lint-only -Wall has nothing to say about the IRS modules and TOPO
  synth     Yosys synthesizes the IRS modules at every depth: exact flop counts, no latch, one clock, no
            signal with two drivers or none, no path that grows with depth or crosses a stage

`kernbench sim` checks the elaborated TOPO of every model that it runs.

--report DIR writes what was measured as DIR/structure-CHECK.json, and synth also as a table in Markdown.
Exit code: 0 all holds, 1 something does not (each finding on a line of its own), 2 wrong usage, or a
report that cannot be written.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import children

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOPO_FILES = [line for line in (ROOT / "rtl/topo.f").read_text().splitlines() if not line.startswith("//")]
IRS_FILES = [name for name in TOPO_FILES if name.startswith("irs_")]
WIDTH = 23
MAX_DEPTH = 6
# Gates on the longest path at any depth. Yosys 0.23 needs 3; one more leaves room for another version's mapping.
MAX_PATH = 4


class ToolFailure(Exception):
    """A tool rejected its input; the text is the tool's output."""


def run_tool(command):
    try:
        done = subprocess.run(children.ending_with_this(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
    except FileNotFoundError:
        raise ToolFailure(f"{command[0]} is not installed") from None
    except OSError as error:
        raise ToolFailure(f"{command[0]} cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        raise ToolFailure(f"{command[0]} failed with {done.returncode}:\n{done.stdout.strip()}")
    return done.stdout


def waivers(folder):
    """Waiver files belong to every Verilator run."""
    return sorted(folder.glob("*.vlt"))


# --- icarus and lint -------------------------------------------------------------------------------


def check_icarus(args):
    sources = [args.rtl / name for name in IRS_FILES]
    findings = []
    for top in ("IRS_HALF", "IRS_LP", "IRS_N"):
        said = run_tool(["iverilog", "-g2012", "-Wall", "-t", "null", "-s", top, *sources])
        findings += [f"{top}: {line}" for line in said.splitlines()]
    return findings, {"tops": ["IRS_HALF", "IRS_LP", "IRS_N"]}


def check_lint(args):
    # Module names are fixed by users' code and in capitals; file names are not.
    # A small torus, on which NX and NY differ and every depth occurs; `make lint` takes 8x8.
    lint = ["verilator", "--lint-only", "--language", "1800-2017", "-Wall", "-Wno-DECLFILENAME", "-DKB_NX=8", "-DKB_NY=3"]
    irs = [args.rtl / name for name in IRS_FILES]
    runs = {"IRS_HALF": irs[:1], "IRS_LP": irs[1:2], "IRS_N": irs,
            # The interfaces of TOPO alone are undriven; the bench's top drives them.
            "maze_tb_top": [*(args.rtl / name for name in TOPO_FILES), args.tb / "maze_tb_top.sv"]}
    findings = []
    for top, sources in runs.items():
        try:
            said = run_tool([*lint, "--top-module", top, *waivers(args.rtl), *sources])
        except ToolFailure as failure:
            said = str(failure)
            if not any(line.startswith("%") for line in said.splitlines()):  # it failed without a word about the RTL
                findings.append(f"{top}: {said}")
        findings += [f"{top}: {line}" for line in said.splitlines() if line.startswith("%")]
    return findings, {"tops": list(runs)}


# --- synth -----------------------------------------------------------------------------------------


def flops_of(stage):
    """Returns the number of flops of one stage.

    lp       two entries of WIDTH payload bits; "main entry occupied" (0 in reset), "skid entry free" (1 in reset)
    half     one entry of WIDTH payload bits; "occupied". Its ready is the inverse of that flop.
    no_ready the same flops: without ready only the logic around them goes
    """
    return {"lp": 2 * WIDTH + 2, "half": WIDTH + 1, "no_ready": WIDTH + 1}[stage]


def configurations():
    """Yields (name, top, parameters, stage kind, depth) of every synthesized configuration."""
    for value in (0, 1):
        yield f"IRS_LP RO_EN={value}", "IRS_LP", {"RO_EN": value}, "lp", 1
        yield (f"IRS_HALF WITH_READY={value}", "IRS_HALF", {"WITH_READY": value},
               "half" if value else "no_ready", 1)
    kinds = {"lp, RO_EN=1": ("lp", 0, 0, 1), "lp, RO_EN=0": ("lp", 0, 0, 0),
             "half": ("half", 0, 1, 1), "no ready": ("no_ready", 1, 0, 1)}
    for kind, (stage, no_ready, half, ro_en) in kinds.items():
        for depth in range(MAX_DEPTH + 1):
            yield (f"IRS_N {kind}, depth {depth}", "IRS_N",
                   {"IRS_DEEP": depth, "TYPE_NO_READY": no_ready, "TYPE_HALF": half, "TYPE_RO_EN": ro_en},
                   stage, depth)


def synthesize(sources, top, parameters, folder):
    """Runs Yosys; returns the flattened netlist in gates and the longest path in gates."""
    chparams = " ".join(f"-chparam {name} {value}" for name, value in {"PYLD_W": WIDTH, **parameters}.items())
    script = folder / "synth.ys"
    script.write_text("\n".join([
        "read_verilog -sv " + " ".join(str(source) for source in sources),
        f"hierarchy -check -top {top} {chparams}",
        "proc",
        "flatten",
        # Before optimisation, which silently resolves undriven and doubly driven wires.
        "check -assert",
        "synth -run coarse:",
        "check -assert",
        f"tee -o {folder}/ltp.txt ltp -noff",
        f"write_json {folder}/netlist.json",
    ]))
    run_tool(["yosys", "-q", "-s", script])
    modules = json.loads((folder / "netlist.json").read_text())["modules"]
    assert len(modules) == 1, "flattened"
    length = re.search(r"length=(\d+)", (folder / "ltp.txt").read_text())
    if not length:
        raise ToolFailure("yosys printed no longest path")
    return next(iter(modules.values())), int(length.group(1))


# Yosys's cell names: $_DFFE_PN0P_ is a flop with enable on the (P)ositive edge, with a reset active low (N) to 0.
FLOP = re.compile(r"\$_(S|AL)?DFFC?E?_([PN])")
GATE = re.compile(r"\$_(BUF|NOT|AND|NAND|OR|NOR|XOR|XNOR|ANDNOT|ORNOT|MUX|NMUX|AOI3|OAI3|AOI4|OAI4)_$")


def cross_paths(module):
    """Returns the (input, output) port pairs joined by gates or wires only."""
    drivers = {}
    for cell in module["cells"].values():
        if FLOP.match(cell["type"]):
            continue
        ins = [bit for port, bits in cell["connections"].items() if cell["port_directions"][port] == "input"
               for bit in bits]
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                for bit in bits:
                    drivers[bit] = ins
    inputs = {bit: name for name, port in module["ports"].items() if port["direction"] == "input"
              for bit in port["bits"]}
    paths = set()
    for name, port in module["ports"].items():
        if port["direction"] != "output":
            continue
        todo, done = list(port["bits"]), set()
        while todo:
            bit = todo.pop()
            if bit in done:
                continue
            done.add(bit)
            if bit in inputs:
                paths.add((inputs[bit], name))
            todo += drivers.get(bit, [])
    return paths


def check_netlist(module, stage, depth, path):
    """Returns the findings of one synthesized configuration, and its figures."""
    missing = [name for name in ("clk", "rst_n") if name not in module["ports"]]
    if missing:
        return [f"there is no port {name}" for name in missing], {}
    findings = []
    clk, rst_n = module["ports"]["clk"]["bits"], module["ports"]["rst_n"]["bits"]
    flops = with_reset = gates = 0
    for name, cell in module["cells"].items():
        if GATE.match(cell["type"]):
            gates += 1
            continue
        flop = FLOP.match(cell["type"])
        if not flop:
            findings.append(f"{name} ({cell['type']}) is neither a gate nor a flop")
            continue
        flops += 1
        if cell["connections"]["C"] != clk or flop.group(2) != "P":
            findings.append(f"flop {name} ({cell['type']}) is not on the rising edge of clk")
        if "R" in cell["connections"]:
            with_reset += 1
            # Not $_SDFF, whose reset is synchronous.
            if cell["connections"]["R"] != rst_n or not re.match(r"\$_DFFE?_PN", cell["type"]):
                findings.append(f"flop {name} ({cell['type']}) is not reset by rst_n, asynchronously, active low")
    if flops != depth * flops_of(stage):
        findings.append(f"{flops} flops instead of {depth * flops_of(stage)}"
                        f" ({depth} x {flops_of(stage)} for this kind of stage)")
    reset_bits = depth * (2 if stage == "lp" else 1)
    if with_reset != reset_bits:
        findings.append(f"{with_reset} flops with reset instead of {reset_bits}")
    if path > (MAX_PATH if depth else 0):
        findings.append(f"longest path of {path} gates, at most {MAX_PATH if depth else 0} expected")
    wanted = set() if depth else {("valid_i", "valid_o"), ("payload_i", "payload_o"), ("ready_i", "ready_o")}
    paths = cross_paths(module)
    findings += [f"combinational path from {a} to {b}" for a, b in sorted(paths - wanted)]
    findings += [f"no wire from {a} to {b}" for a, b in sorted(wanted - paths)]
    return findings, {"flops": flops, "flops_with_reset": with_reset, "gates": gates, "longest_path": path}


def check_synth(args):
    sources = [args.rtl / name for name in IRS_FILES]
    findings, rows, first = [], [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name, top, parameters, stage, depth in configurations():
            if args.only not in name:
                continue
            try:
                module, path = synthesize(sources, top, parameters, pathlib.Path(folder))
            except ToolFailure as failure:
                findings.append(f"{name}: {failure}")
                continue
            found, figures = check_netlist(module, stage, depth, path)
            findings += [f"{name}: {finding}" for finding in found]
            if not figures:
                continue
            rows.append({"configuration": name, "depth": depth, **figures})
            if top == "IRS_N" and depth:
                kind = name.rsplit(",", 1)[0]
                if path != first.setdefault(kind, path):
                    findings.append(f"{name}: longest path of {path} gates, {first[kind]} at depth 1:"
                                    " it depends on the depth")
    if not rows and not findings:
        findings.append(f"no configuration has '{args.only}' in its name")
    if args.report and rows:
        table = ["| configuration | flops | of them reset | gates | longest path (gates) |", "|---|--:|--:|--:|--:|"]
        table += [f"| {row['configuration']} | {row['flops']} | {row['flops_with_reset']} | {row['gates']}"
                  f" | {row['longest_path']} |" for row in rows]
        args.report.mkdir(parents=True, exist_ok=True)
        (args.report / "structure-synth.md").write_text("\n".join(table) + "\n")
    return findings, {"width": WIDTH, "configurations": rows}


CHECKS = {"icarus": check_icarus, "lint": check_lint, "synth": check_synth}


def main():
    children.end_on_signals(sys.exit)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rtl", type=pathlib.Path, default=ROOT / "rtl", help="folder with the files of rtl/")
    parser.add_argument("--tb", type=pathlib.Path, default=ROOT / "tb", help="folder with maze_tb_top.sv")
    parser.add_argument("--report", type=pathlib.Path, help="folder for the figures")
    parser.add_argument("--only", default="", metavar="TEXT", help="synth: the configurations with TEXT in their name")
    parser.add_argument("check", choices=CHECKS)
    args = parser.parse_args()
    try:
        findings, figures = CHECKS[args.check](args)
    except ToolFailure as failure:
        findings, figures = [str(failure)], {}
    for finding in findings:
        print(f"{args.check}: {finding}")
    if args.report and figures:
        args.report.mkdir(parents=True, exist_ok=True)
        (args.report / f"structure-{args.check}.json").write_text(
            json.dumps({"findings": findings, **figures}, indent=2) + "\n")
    print(f"{args.check}: {len(findings)} findings" if findings else f"{args.check}: holds")
    return 1 if findings else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # pylint: disable=broad-except
        # Users have no use for a traceback: it is about this script, not about their RTL.
        print(f"check_structure.py: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
