# SPDX-License-Identifier: Apache-2.0
"""Reads a solver's witness: what was put on the pins in each cycle, and what came of it.

A witness makes a waveform (yosys runs the netlist with it) and a pin-trace, which `kernbench replay` runs on
the verilated RTL.
"""

import json

import primitives
import solver

PINS = ("rst_n", "valid_i", "payload_i", "ready_i")


def read_frames(circuit, output):
    """Returns the witness of `output`: for each cycle a string of 0 and 1, one for each input of the circuit."""
    lines = solver.witness_file(circuit, output).read_text().split("#")[0].split()
    return lines[1:]  # the first line has the flops, which all start at 0: others have inputs of their own


def read_names(circuit):
    """Returns {input: [(name, bit)]} of the circuit's inputs, initial values of flops not included."""
    names = {}
    for line in (circuit.folder / "proof.aim").read_text().splitlines():
        kind, index, bit, name = line.split()
        if kind == "input":
            names.setdefault(int(index), []).append((name, int(bit)))
    return names


def read_pins(circuit, frames):
    """Returns the value of each pin in each cycle, as a list of {name: number}."""
    names = read_names(circuit)
    cycles = []
    for frame in frames:
        pins = dict.fromkeys((*PINS, "pick_i"), 0)
        for index, targets in names.items():
            for name, bit in targets:
                if name in pins:
                    pins[name] |= int(frame[index]) << bit
        cycles.append(pins)
    return cycles


class Simulator:
    """Evaluates the circuit's gates, from its text form."""

    def __init__(self, circuit):
        self.inputs, self.latches, self.outputs, self.ands = solver.read_gates(circuit)

    def run(self, frames):
        """Returns the outputs that are 1, as a list of sets of names, one for each cycle."""
        state = {latch: 0 for latch, _ in self.latches}
        seen = []
        for frame in frames:
            values = {0: 0, 1: 1}
            for literal, bit in zip(self.inputs, frame):
                values[literal], values[literal ^ 1] = int(bit), 1 - int(bit)
            for literal, bit in state.items():
                values[literal], values[literal ^ 1] = bit, 1 - bit
            for gate, left, right in self.ands:
                values[gate] = values[left] & values[right]
                values[gate ^ 1] = 1 - values[gate]
            seen.append({name for name, literal in self.outputs.items() if values[literal]})
            state = {latch: values[following] for latch, following in self.latches}
        return seen


def first_broken(circuit, frames):
    """Returns (cycle, rules) of the first cycle in which the witness breaks any rule; None when it breaks none."""
    for cycle, names in enumerate(Simulator(circuit).run(frames)):
        rules = sorted(name.removeprefix("broken_") for name in names if name.startswith("broken_"))
        if rules:
            return cycle, rules
    return None


def write_waveform(circuit, output, path):
    """Writes the witness of `output` as a VCD file with all signals of the primitive and its contract."""
    frames = read_frames(circuit, output)
    witness = circuit.folder / f"{output}.full.aiw"
    witness.write_text("\n".join(["1", "b0", "0" * len(Simulator(circuit).latches), *frames, "."]) + "\n")
    solver.run_tool(["yosys", "-q", "-p",
                     f"read_rtlil {circuit.folder}/proof.il; "
                     f"sim -clock clk -r {witness} -map {circuit.folder}/proof.aim -vcd {path} -hdlname proof_top"])


def pin_trace(circuit, output, place):
    """Returns the witness as a pin-trace. `place` says where it runs: {"bench": "primitive", "primitive": {...}} or
    {"bench": "topo", "fabric": {...}, "link": (node, port, receiving node)}."""
    frames = read_frames(circuit, output)
    broken = first_broken(circuit, frames)
    node, port, receiver = place.get("link", (0, 0, 0))
    data = {key: place[key] for key in ("bench", "primitive", "fabric") if key in place}
    data["receivers"] = [{"node": receiver, "port": port}]
    data["cycles"] = [
        {"reset": not pins["rst_n"],
         "offers": [{"node": node, "port": port, "packet": hex(pins["payload_i"]), "valid": bool(pins["valid_i"])}],
         "ready": [bool(pins["ready_i"])]}
        for pins in read_pins(circuit, frames)]
    if not data["cycles"][0]["reset"]:  # nothing is judged before the first reset, and a replay begins with one
        data["cycles"].insert(0, {"reset": True, "offers": [], "ready": [False]})
        broken = broken and (broken[0] + 1, broken[1])
    if broken:
        data["fails"] = {"cycle": broken[0], "rule": broken[1][0]}
    return {"schema": 1, "kind": "pin-trace", "outcome": "mismatch" if broken else "pass", "seed": 0,
            "config_hash": "", "revision": "", "command": "make prove", "data": data}


def write_json(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(document, indent=1) + "\n")
    part.replace(path)


def keep(circuit, primitive, rule, folder):
    """Writes the counterexample of a rule to `folder` as a waveform and as pin-traces. Returns their paths as text."""
    output = f"broken_{rule}"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{primitive.name}-{rule}"
    wave = folder / f"{name}.vcd"
    write_waveform(circuit, output, wave)
    files = [wave]
    if not primitive.asynchronous:  # a pin-trace has whole clock cycles
        for place in places(primitive):
            path = folder / f"{name}-{place['bench']}.json"
            write_json(path, pin_trace(circuit, output, place))
            files.append(path)
    return [str(file) for file in files]


def places(primitive):
    """The benches on which a counterexample of a primitive can run: its own, and a link of that depth in TOPO."""
    yield {"bench": "primitive", "primitive": primitive.as_pins()}
    if primitive.module == "IRS_N" and primitive.kind == "lp" and primitive.ro_en and primitive.depth < 4 \
            and primitive.width == primitives.PACKET:
        # Output x[depth] of node 0 in a row of 8 leads to node depth + 1 through depth stages.
        yield {"bench": "topo", "fabric": {"nx": 8, "ny": 2, "flit_bits": 8},
               "link": (0, primitive.depth, primitive.depth + 1)}
