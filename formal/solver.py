# SPDX-License-Identifier: Apache-2.0
"""Turns a primitive and its contract into a circuit of and-gates, and asks a solver about its outputs.

Yosys elaborates the SystemVerilog and writes AIGER; berkeley-abc proves or refutes outputs of it. An output is
1 in a cycle in which a rule is broken. "Proven" means that it is 0 in every cycle that any inputs and any
initial state of the flops without an initial value can lead to.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from children import ending_with_this  # noqa: E402

# Cycles that the bounded search for a counterexample looks at before the proof starts.
SEARCH = 12
# Cycles within which every rule must be seen to have something to decide.
COVER = 60
# Latches and flops at the falling edge: a circuit whose steps are clock cycles cannot express them.
NOT_CLOCKED = "t:$_DLATCH_*_ t:$_DFF_N_ t:$_DFF_N??_ t:$_SR_*_"


class ToolFailure(Exception):
    """A tool that could not do its work; the text is what it printed."""


def run_tool(command, accepted=(0,)):
    """Runs a command and returns what it printed. Raises ToolFailure unless its exit code is accepted."""
    try:
        done = subprocess.run(ending_with_this(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False)
    except FileNotFoundError:
        raise ToolFailure(f"{command[0]} is not installed; run scripts/install-deps.sh prove") from None
    except OSError as error:
        raise ToolFailure(f"{command[0]} cannot be started: {error.strerror}") from None
    if done.returncode not in accepted:
        raise ToolFailure(f"{command[0]} failed with {done.returncode}:\n{done.stdout.strip()}")
    return done.stdout


@dataclasses.dataclass(frozen=True)
class Circuit:
    """A primitive with its contract in a folder: proof.aig, proof.aag (the same as text), proof.aim (names of inputs
    and flops), proof.il (the netlist before it became gates) and registers.txt (all *_q without a reset)."""

    folder: pathlib.Path
    outputs: dict  # name -> position in the AIGER files


def build_circuit(folder, sources, outputs, asynchronous=False, defines=None, connections=()):
    """Elaborates proof_top, whose output ports are `outputs` (names), from `sources` (paths) into `folder`.

    defines: {macro: value} of the sources. connections: pairs (signal of proof_top without a driver, signal inside an
    instance), because Yosys 0.23 takes a hierarchical name for a new signal.

    asynchronous: a step is a moment, and clock and reset are inputs like the others. Otherwise a step is a clock
    cycle, and reset acts at its beginning without waiting for the clock.
    """
    folder.mkdir(parents=True, exist_ok=True)
    macros = " ".join(f"-D{name}={value}" for name, value in (defines or {}).items())
    joins = "; ".join(f"connect -nomap -nounset -set {outer} {inner}" for outer, inner in connections)
    elaborate = f"hierarchy -check -top proof_top; proc; flatten; memory_collect; memory_map; {joins}" if joins else "prep -top proof_top -flatten"
    script = f"""
        read_verilog -sv {macros} {" ".join(str(source) for source in sources)}
        {elaborate}
        select -write {folder}/registers.txt w:*_q t:$adff %co1:+[Q] %d
        opt -full
        {"clk2fflogic" if asynchronous else "async2sync"}
        opt_clean
        write_rtlil {folder}/proof.il
        opt -full
        techmap
        opt -full
        dffunmap
        {"" if asynchronous else f"select -assert-none {NOT_CLOCKED}"}
        aigmap
        opt_clean
        write_aiger -zinit -ascii -symbols -map {folder}/proof.aim {folder}/proof.aag
        write_aiger -zinit {folder}/proof.aig
    """
    (folder / "proof.ys").write_text(script)
    run_tool(["yosys", "-q", folder / "proof.ys"])
    # Yosys puts the outputs in an order of its own, so their names count.
    found = {name: int(index) for index, name in
             re.findall(r"^o(\d+) (\w+)$", (folder / "proof.aag").read_text(), re.MULTILINE)}
    if not asynchronous and reads_clock(folder):
        raise ToolFailure(f"{folder}: logic reads the clock")
    if set(found) != set(outputs):
        raise ToolFailure(f"{folder}: the outputs are {', '.join(sorted(found))}, not {', '.join(sorted(outputs))}")
    return Circuit(folder, found)


def read_gates(circuit):
    """Returns (inputs, [(flop, next)], {output: literal}, [(gate, left, right)]) of a circuit, as literals of AIGER."""
    lines = (circuit.folder / "proof.aag").read_text().splitlines()
    _, inputs, flops, outputs, gates = (int(number) for number in lines[0].split()[1:6])
    rows = [[int(number) for number in line.split()] for line in lines[1:1 + inputs + flops + outputs + gates]]
    ends = inputs, inputs + flops, inputs + flops + outputs
    return ([row[0] for row in rows[:ends[0]]], [tuple(row[:2]) for row in rows[ends[0]:ends[1]]],
            {name: rows[ends[1] + index][0] for name, index in circuit.outputs.items()}, rows[ends[2]:])


def reads_clock(folder):
    """Whether anything but flops reads the clock, whose value a step of one cycle does not say."""
    text = (folder / "proof.aag").read_text()
    clock = re.search(r"^i(\d+) clk$", text, re.MULTILINE)
    if not clock:
        return False
    lines = text.splitlines()
    _, inputs, latches, outputs, ands = (int(number) for number in lines[0].split()[1:6])
    literal = int(lines[1 + int(clock[1])])
    used = " ".join(lines[1 + inputs:1 + inputs + latches + outputs + ands]).split()
    return str(literal) in used or str(literal ^ 1) in used


@dataclasses.dataclass
class Answer:
    """What the solver found out about one output."""

    outcome: str  # "never" or "reached" (the output is 1), or "undecided"
    frames: int   # the cycle in which it is 1, from 0; else the frames that were looked at
    seconds: float
    engine: str   # "bmc" or "pdr"


def abc(circuit, commands):
    return run_tool(["berkeley-abc", "-c", f"read_aiger {circuit.folder}/proof.aig; {commands}"])


def asserted(said):
    found = re.search(r"was asserted in frame (\d+)", said)
    return int(found[1]) if found else None


def witness_file(circuit, output):
    """The file in which reach() and prove_never() leave the inputs that make `output` 1."""
    return circuit.folder / f"{output}.aiw"


def reach(circuit, output, frames=COVER, limit=60):
    """Looks for the shortest way to make `output` 1, at most `frames` cycles long, for `limit` seconds."""
    start = time.monotonic()
    said = abc(circuit, f"cone -s -O {circuit.outputs[output]}; bmc3 -F {frames} -T {limit}; "
                        f"write_cex -a {witness_file(circuit, output)}")
    frame = asserted(said)
    if frame is not None:
        return Answer("reached", frame, time.monotonic() - start, "bmc")
    return Answer("undecided", frames, time.monotonic() - start, "bmc")


def prove_never(circuit, output, limit=60):
    """Proves that `output` is never 1, or finds inputs that make it 1, within `limit` seconds."""
    start = time.monotonic()
    short = reach(circuit, output, SEARCH, limit)
    if short.outcome == "reached":
        return short
    # The cone is simplified (scorr, dc2) only where no witness is needed: the witness names the inputs by position.
    cone = f"cone -s -O {circuit.outputs[output]}"
    said = abc(circuit, f"{cone}; scleanup; scorr; dc2; pdr -T {limit}")
    seconds = time.monotonic() - start
    if "Property proved" in said or "was proved" in said:
        frames = re.search(r"Invariant F\[(\d+)\]", said)
        return Answer("never", int(frames[1]) if frames else 0, seconds, "pdr")
    if asserted(said) is not None:
        longer = reach(circuit, output, asserted(said) + 1, limit)
        return longer if longer.outcome == "reached" else Answer("undecided", longer.frames, seconds, "pdr")
    frames = re.findall(r"frame (\d+)", said)
    return Answer("undecided", int(frames[-1]) if frames else SEARCH, seconds, "pdr")
