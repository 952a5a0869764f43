# SPDX-License-Identifier: Apache-2.0
"""Evaluates the gates of a module for many cases at once: the value of a net is a number with a bit for each case."""

import json

import solver

GATES = {
    "$_BUF_": lambda every, a: a,
    "$_NOT_": lambda every, a: every ^ a,
    "$_AND_": lambda every, a, b: a & b,
    "$_OR_": lambda every, a, b: a | b,
    "$_XOR_": lambda every, a, b: a ^ b,
    "$_MUX_": lambda every, a, b, s: a ^ ((a ^ b) & s),
}
# Flops at the rising edge, with the value in reset.
FLOPS = {"$_DFF_P_": None, "$_DFF_PN0_": 0, "$_DFF_PN1_": 1}


class Netlist:
    """A module as single gates, not simplified, so that every flop and net of its text has a name here."""

    def __init__(self, folder, module, parameters, sources):
        folder.mkdir(parents=True, exist_ok=True)
        chparams = " ".join(f"-chparam {name} {value}" for name, value in parameters.items())
        (folder / "gates.ys").write_text("\n".join([
            "read_verilog -sv " + " ".join(str(source) for source in sources), f"hierarchy -check -top {module} {chparams}",
            "proc", "flatten", "simplemap", "techmap", "simplemap", f"write_json {folder}/gates.json"]))
        solver.run_tool(["yosys", "-q", "-s", folder / "gates.ys"])
        found = next(iter(json.loads((folder / "gates.json").read_text())["modules"].values()))
        self.nets = {name: net["bits"] for name, net in found["netnames"].items()}
        self.flops = {}  # output -> (input, value in reset)
        gates = {}       # output -> (function, inputs)
        for name, cell in found["cells"].items():
            pins = {pin: bits[0] for pin, bits in cell["connections"].items()}
            kind = cell["type"]
            if kind in FLOPS:
                if pins["C"] != self.nets["clk"][0] or pins.get("R", self.nets["rst_n"][0]) != self.nets["rst_n"][0]:
                    raise solver.ToolFailure(f"{module}: flop {name} has another clock or reset")
                self.flops[pins["Q"]] = pins["D"], FLOPS[kind]
            elif kind in GATES:
                gates[pins["Y"]] = GATES[kind], [pins[pin] for pin in "ABS" if pin in pins]
            else:
                raise solver.ToolFailure(f"{module}: a cell {kind} cannot be evaluated")
        # Yosys leaves gates with an unknown input where nothing reads them. To read one all the same is a KeyError.
        self.gates, unknown = [], {"x", "z"}
        for output in in_order(gates):
            if unknown.isdisjoint(gates[output][1]):
                self.gates.append((output, *gates[output]))
            else:
                unknown.add(output)

    def bit(self, name, at=0):
        return self.nets[name][at]

    def evaluate(self, known, every):
        """Returns the values of all nets. known: {net: number} of inputs and flops. every: a 1 for each case."""
        values = {"0": 0, "1": every, **known}
        for output, function, pins in self.gates:
            values[output] = function(every, *[values[pin] for pin in pins])
        return values

    def next_state(self, values):
        return {flop: values[after] for flop, (after, _) in self.flops.items()}

    def reset_state(self, others):
        """The flops in reset, as {net: number} of one case for each bit of `others`, which flops without a reset have."""
        every = (1 << others.bit_length()) - 1
        return {flop: others if value is None else every * value for flop, (_, value) in self.flops.items()}


def in_order(gates):
    """Returns the outputs of gates so that each comes behind those that it reads."""
    order, done, waiting = [], set(), list(gates)
    while waiting:
        output = waiting[-1]
        open_ends = [] if output in done else [pin for pin in gates[output][1] if pin in gates and pin not in done]
        if open_ends:
            waiting += open_ends
            continue
        waiting.pop()
        if output not in done:
            done.add(output)
            order.append(output)
    return order
