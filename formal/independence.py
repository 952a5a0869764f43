# SPDX-License-Identifier: Apache-2.0
"""Checks that payload is only moved, so that a proof at one data bit holds at each width of a packet.

A primitive is elaborated to single-bit gates, and PROPERTIES are checked on them.
"""

import collections
import dataclasses
import json

import primitives
import solver
import tasks

PROPERTIES = {
    "moved_only": "Payload goes only through data inputs of multiplexers and flops: no gate computes with it, and no "
                  "valid, ready, enable, reset or select depends on it.",
    "equal_slices": "Every payload bit goes through the same gates as bit 0, steered by the same signals.",
    "any_width": "Control and every bit are the same circuit at 1 bit and at each width of a packet as at 23 bits.",
}
DATA_INPUTS = {"$_MUX_": ("A", "B")}


class Findings(Exception):
    """What contradicts the argument, one line each."""


class Netlist:
    """The gates of one primitive."""

    def __init__(self, folder, primitive, rtl):
        folder.mkdir(parents=True, exist_ok=True)
        parameters = {"PYLD_W": primitive.width, **primitive.parameters()}
        chparams = " ".join(f"-chparam {name} {value}" for name, value in parameters.items())
        script = folder / "gates.ys"
        script.write_text("\n".join([
            "read_verilog -sv " + " ".join(str(rtl / name) for name in primitives.IRS_FILES),
            f"hierarchy -check -top {primitive.module} {chparams}",
            "proc", "flatten", "opt -nodffe -nosdff", "simplemap", "techmap", "opt_clean", f"write_json {folder}/gates.json"]))
        solver.run_tool(["yosys", "-q", "-s", script])
        module = next(iter(json.loads((folder / "gates.json").read_text())["modules"].values()))
        self.ports = {name: port["bits"] for name, port in module["ports"].items()}
        self.inputs = {bit: (name, i) for name, port in module["ports"].items() if port["direction"] == "input"
                       for i, bit in enumerate(port["bits"])}
        self.driver, self.readers = {}, collections.defaultdict(list)
        for name, cell in module["cells"].items():
            for pin, bits in cell["connections"].items():
                assert len(bits) == 1, "simplemap leaves single bits"
                if cell["port_directions"][pin] == "output":
                    self.driver[bits[0]] = (name, cell)
                else:
                    self.readers[bits[0]].append((name, cell, pin))
        self.names = collections.defaultdict(list)
        for name, net in module["netnames"].items():
            for i, bit in enumerate(net["bits"]):
                self.names[bit].append((name, i, len(net["bits"])))

    @staticmethod
    def is_flop(cell):
        return "DFF" in cell["type"]

    def flop_name(self, bit):
        """(name, index) of the register that drives a bit, by the name that its module gave it."""
        named = [entry for entry in self.names[bit] if entry[0].endswith("_q")] or self.names[bit]
        name, index, _ = max(named, key=lambda entry: (entry[0].count("."), -len(entry[0]), entry[0]))
        return name, index

    def data_pins(self, cell):
        return ("D",) if self.is_flop(cell) else DATA_INPUTS.get(cell["type"], ())

    def payload(self):
        """The bits that payload_i reaches, each with the number of the payload bit. Raises Findings."""
        reached = {bit: i for i, bit in enumerate(self.ports["payload_i"])}
        waiting, wrong = list(reached), []
        while waiting:
            bit = waiting.pop()
            for name, cell, pin in self.readers[bit]:
                if pin not in self.data_pins(cell):
                    wrong.append(f"payload bit {reached[bit]} is an input of {cell['type']} {name}, pin {pin}")
                    continue
                output = cell["connections"]["Q" if self.is_flop(cell) else "Y"][0]
                if output not in reached:
                    reached[output] = reached[bit]
                    waiting.append(output)
                elif reached[output] != reached[bit]:
                    wrong.append(f"payload bits {reached[output]} and {reached[bit]} meet in {cell['type']} {name}")
        for port in ("valid_o", "ready_o"):
            if self.ports[port][0] in reached:
                wrong.append(f"{port} depends on payload bit {reached[self.ports[port][0]]}")
        for i, bit in enumerate(self.ports["payload_o"]):
            if reached.get(bit) != i:
                wrong.append(f"payload_o[{i}] does not come from payload_i[{i}]")
        if wrong:
            raise Findings("; ".join(wrong[:5]))
        return reached

    def text(self, bit, payload, seen):
        """The logic that leads to a bit, down to flops and inputs, as text without payload bit numbers. Flops that it
        names are added to `seen`."""
        if bit in ("0", "1", "x"):
            return bit
        if bit in self.inputs:
            name, index = self.inputs[bit]
            return name if bit in payload else f"{name}[{index}]"
        name, cell = self.driver[bit]
        if self.is_flop(cell):
            seen.add(bit)
            register, index = self.flop_name(bit)
            return register if bit in payload else f"{register}[{index}]"
        pins = sorted(pin for pin in cell["connections"] if pin != "Y")
        return cell["type"] + "(" + ",".join(self.text(cell["connections"][pin][0], payload, seen) for pin in pins) + ")"

    def circuit(self, starts, payload):
        """All logic that leads to the bits `starts`: a line for each of them and for each flop on the way."""
        lines, done, waiting = [], set(), set()
        for bit in starts:
            lines.append("= " + self.text(bit, payload, waiting))
        while waiting - done:
            bit = min(waiting - done, key=str)
            done.add(bit)
            _, cell = self.driver[bit]
            register, index = self.flop_name(bit)
            label = register if bit in payload else f"{register}[{index}]"
            for pin in sorted(cell["connections"]):
                if pin != "Q":
                    lines.append(f"{label} {cell['type']} {pin} = "
                                 + self.text(cell["connections"][pin][0], payload, waiting))
        return lines[:len(starts)] + sorted(lines[len(starts):])


def slice_of(netlist, bit, payload):
    return netlist.circuit([netlist.ports["valid_o"][0], netlist.ports["ready_o"][0],
                            netlist.ports["payload_o"][bit]], payload)


def widths_of(primitive):
    """The widths at which a chain is compared with itself at 23 bits, besides 1. TOPO has those of IRS_LP."""
    return primitives.OTHER_PACKETS if primitive.kind == "lp" and primitive.ro_en else primitives.OTHER_PACKETS[-1:]


def differences(primitive, expected, rtl, folder):
    """How the bits of a primitive differ from the circuit `expected`."""
    netlist = Netlist(folder / primitive.name, primitive, rtl)
    try:
        payload = netlist.payload()
    except Findings as wrong:
        return [f"at {primitive.width} bits: {wrong}"]
    return [f"at {primitive.width} bits, payload bit {bit} is another circuit than at 23 bits"
            for bit in range(primitive.width) if slice_of(netlist, bit, payload) != expected]


def check(primitive, rtl, folder):
    """Returns the results of one primitive."""
    def result(name, outcome, note=""):
        return tasks.Result(f"independence/{primitive.name}/{name}", "independence", primitive.name, name, outcome,
                            "netlist", note=note)

    wide = Netlist(folder / primitive.name, primitive, rtl)
    single = dataclasses.replace(primitive, width=1)
    narrow = Netlist(folder / single.name, single, rtl)
    try:
        payload, narrow_payload = wide.payload(), narrow.payload()
    except Findings as wrong:
        return [result(name, "refuted", str(wrong)) for name in PROPERTIES]
    first = slice_of(wide, 0, payload)
    unequal = [bit for bit in range(primitive.width) if slice_of(wide, bit, payload) != first]
    other = [] if slice_of(narrow, 0, narrow_payload) == first else ["1 bit and 23 bits differ in more than the width"]
    for width in widths_of(primitive):
        other += differences(dataclasses.replace(primitive, width=width), first, rtl, folder)
    return [result("moved_only", "proven", f"{len(payload)} payload signals"),
            result("equal_slices", "refuted" if unequal else "proven",
                   f"payload bit {unequal[0]} differs from bit 0" if unequal else f"{primitive.width} slices"),
            result("any_width", "refuted" if other else "proven", other[0] if other else f"{len(first)} lines of logic")]


def tasks_of(options, _rules):
    kinds = [("lp", 1), ("lp", 0), ("half", 1), ("no_ready", 1)]
    depths = range(1, 3) if options.slice else range(1, 8)
    every = [primitives.Primitive("IRS_N", kind, depth, ro_en=ro_en) for kind, ro_en in kinds for depth in depths]
    sources = tasks.file_text(*(options.rtl / name for name in primitives.IRS_FILES))
    for primitive in every:
        yield tasks.Task(f"independence/{primitive.name}", [sources],
                         lambda p=primitive: check(p, options.rtl, options.work / "circuits" / "gates"))
