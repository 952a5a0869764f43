# SPDX-License-Identifier: Apache-2.0
"""Runs a proof_top in Icarus Verilog, a second reader of the sources, and writes its waveform.

A counterexample of the node is replayed this way: the sources themselves, not Yosys's gates, break the rule in the same
cycle.
"""

import re

import solver
import witness

FLOP = r"_q(\[\d+\])?$"  # a register, or a word of a memory
BENCH = """
module bench;
  logic clk = 0;
  logic [{bits}:0] pins;
  wire [{last}:0] outputs;
  logic [{bits}:0] cycles [0:{count}];
  proof_top proof_top (.clk, {ports});
  {joins}
  initial begin
    {dump}
    {initial}
    $readmemb("{file}", cycles);
    for (int i = 0; i <= {count}; i++) begin
      pins = cycles[i];
      #1 $display("%b", outputs);
      #4 clk = 1;
      #5 clk = 0;
    end
    $finish;
  end
endmodule
"""


def run(circuit, sources, pins, cycles, macros=None, joins=(), initial=(), wave=None):
    """Returns the outputs of proof_top that are 1, as a list of sets of names, one for each cycle.

    pins: {input: width}, without the clock. cycles: of each cycle the bits of the pins, in their order, each from its
    lowest bit. joins: as build_circuit has them. initial: pairs (flop of proof_top, value). wave: the VCD file to write.
    """
    names = sorted(circuit.outputs)
    stimuli, bench, program = (circuit.folder / name for name in ("cycles.txt", "bench.sv", "bench.vvp"))
    stimuli.write_text("\n".join("".join(str(bit) for bit in reversed(cycle)) for cycle in cycles) + "\n")
    at, ports = 0, []
    for name, width in pins.items():
        ports.append(f".{name}(pins[{at}+:{width}])")
        at += width
    ports += [f".{name}(outputs[{i}])" for i, name in enumerate(names)]
    bench.write_text(BENCH.format(
        bits=at - 1, last=len(names) - 1, count=len(cycles) - 1, ports=", ".join(ports), file=stimuli,
        joins="\n  ".join(f"assign proof_top.{outer} = proof_top.{inner};" for outer, inner in joins),
        initial="\n    ".join(f"proof_top.{flop} = {value};" for flop, value in initial),
        dump=f'$dumpfile("{wave}"); $dumpvars(0, proof_top);' if wave else ""))
    defines = [f"-D{name}={value}" for name, value in (macros or {}).items()]
    solver.run_tool(["iverilog", "-g2012", *defines, "-s", "bench", "-o", program, *sources, bench])
    lines = [line for line in solver.run_tool(["vvp", "-n", program]).splitlines() if re.fullmatch("[01xz]+", line)]
    if len(lines) != len(cycles) or re.search("[xz]", "".join(lines)):
        raise solver.ToolFailure(f"{program} gave {len(lines)} of {len(cycles)} cycles, or outputs that are neither 0 nor 1")
    return [{name for name, bit in zip(names, reversed(line)) if bit == "1"} for line in lines]


def pins_of(circuit):
    """The inputs of proof_top without the clock, as {name: width}."""
    pins = {}
    for name, bit in (one for targets in witness.read_names(circuit).values() for one in targets):
        pins[name] = max(pins.get(name, 0), bit + 1)
    return {name: pins[name] for name in sorted(pins) if name != "clk"}


def initial_flops(circuit, frame):
    """The values that a witness chose for flops without an initial value, as pairs (bit of a register, value). Registers
    that Yosys took out, because nothing but their initial value would show, begin with 0."""
    for line in (circuit.folder / "registers.txt").read_text().splitlines():
        yield line.removeprefix("proof_top/"), "'0"
    registers = {}
    for line in (circuit.folder / "proof.aim").read_text().splitlines():
        kind, index, bit, name = line.split()
        if kind == "init" and re.search(FLOP, name):
            registers.setdefault(name, {})[int(bit)] = frame[int(index)]
    for name, bits in registers.items():
        for bit, value in sorted(bits.items()):
            yield name if len(bits) == 1 and not bit else f"{name}[{bit}]", f"1'b{value}"


def counterexample(circuit, output, sources, macros, joins=(), wave=None):
    """Replays the witness of `output`. Returns the cycle in which Icarus Verilog sees it 1; None when it does not."""
    frames = witness.read_frames(circuit, output)
    pins, names = pins_of(circuit), witness.read_names(circuit)
    cycles = []
    for frame in frames:
        values = {pin: frame[index] for index, targets in names.items() for pin in targets}
        cycles.append([values.get((name, bit), "0") for name, width in pins.items() for bit in range(width)])
    words = [(inner, "'0") for _, inner in joins if inner.endswith("]") and re.search(FLOP, inner)]
    seen = run(circuit, sources, pins, cycles, macros, joins, [*words, *initial_flops(circuit, frames[0])], wave)
    return next((cycle for cycle, outputs in enumerate(seen) if output in outputs), None)
