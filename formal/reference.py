# SPDX-License-Identifier: Apache-2.0
"""Shows that the reference is the RTL: one stage of the compiled C++ reference and the netlist of the stage do the same
in every state and with every input, at one data bit. With independence.py that holds at every width.

The program stage_table prints what the reference does. A state of the netlist is a value of each of its flops. States
with a skid packet and no main packet are left out: the comparison shows that no other state leads to one.
"""

import itertools

import independence
import primitives
import solver
import tasks

MODELS = {
    "irs_model": "One stage of the scalar reference does what the netlist does, in every state and with every input.",
    "topo_model": "One stage of the bit-parallel reference does what the netlist does, in every state and with every input.",
}


class UnknownStage(Exception):
    """A netlist that is not understood: other flops than held() knows, or a cell that Stage does not evaluate."""


INPUTS = ("rst_n", "valid_i", "payload_i", "ready_i")


GATES = {
    "$_NOT_": lambda pins: 1 - pins["A"], "$_BUF_": lambda pins: pins["A"],
    "$_AND_": lambda pins: pins["A"] & pins["B"], "$_OR_": lambda pins: pins["A"] | pins["B"],
    "$_XOR_": lambda pins: pins["A"] ^ pins["B"], "$_MUX_": lambda pins: pins["B"] if pins["S"] else pins["A"],
}


class Stage:
    """The netlist of a stage at one data bit, to be evaluated."""

    def __init__(self, netlist):
        self.netlist = netlist
        self.flops = {}  # name -> cell
        for _, cell in netlist.driver.values():
            if cell["type"] not in (*GATES, "$_DFF_P_", "$_DFF_PN0_", "$_DFF_PN1_"):
                raise UnknownStage(f"a cell {cell['type']}")
            if not netlist.is_flop(cell) and netlist.ports["clk"][0] in sum(cell["connections"].values(), []):
                raise UnknownStage("logic that reads the clock")
            if netlist.is_flop(cell):
                name, index = netlist.flop_name(cell["connections"]["Q"][0])
                self.flops[f"{name}[{index}]" if index else name] = cell

    def reset_value(self, cell):
        """The value in reset; None for a flop without."""
        return {"$_DFF_P_": None, "$_DFF_PN0_": 0, "$_DFF_PN1_": 1}[cell["type"]]

    def in_reset(self, state):
        """The state with the reset values of the flops that have one."""
        values = {name: self.reset_value(cell) for name, cell in self.flops.items()}
        return {name: state[name] if value is None else value for name, value in values.items()}

    def value(self, bit, values):
        if bit in ("0", "1"):
            return int(bit)
        if bit not in values:
            _, cell = self.netlist.driver[bit]
            pins = {pin: self.value(bits[0], values) for pin, bits in cell["connections"].items() if pin != "Y"}
            values[bit] = GATES[cell["type"]](pins)
        return values[bit]

    def step(self, state, inputs):
        """Returns (outputs, next state) of a state {flop: 0 or 1} with inputs {port: 0 or 1}."""
        if not inputs["rst_n"]:
            state = self.in_reset(state)
        values = {self.netlist.ports[name][0]: bit for name, bit in inputs.items()}
        values.update({cell["connections"]["Q"][0]: state[name] for name, cell in self.flops.items()})
        outputs = {name: self.value(self.netlist.ports[name][0], values) for name in ("ready_o", "valid_o", "payload_o")}
        following = {name: self.value(cell["connections"]["D"][0], values) for name, cell in self.flops.items()}
        if not inputs["rst_n"]:
            following = self.in_reset(following)
        return outputs, following


def held(kind, state):
    """The packets that a state of the flops means, oldest first, as text; None for one that no stage is in."""
    if kind == "lp":
        if not state["main_vld_q"] and not state["skid_free_q"]:
            return None
        values = [state["main_pyld_q"]] * state["main_vld_q"] + [state["skid_pyld_q"]] * (1 - state["skid_free_q"])
    else:
        values = [state["pyld_q"]] * state["vld_q"]
    return f"{len(values)} {''.join(map(str, values)) or '-'}"


def compare(kind, ro_en, table, rtl, folder):
    """Returns (evaluations, differences) of the netlist of a stage and the lines of a table of the reference."""
    primitive = primitives.Primitive("IRS_LP" if kind == "lp" else "IRS_HALF", kind, 1, width=1, ro_en=ro_en)
    stage = Stage(independence.Netlist(folder / primitive.name, primitive, rtl))
    missing = {"main_vld_q", "skid_free_q", "main_pyld_q", "skid_pyld_q"} if kind == "lp" else {"vld_q", "pyld_q"}
    if missing - stage.flops.keys() or len(stage.flops) > 8:
        raise UnknownStage(f"the flops {', '.join(sorted(stage.flops))}")
    expected = {}
    for line in table:
        before, inputs, outputs, after = (part.strip() for part in line.split("|"))
        expected[before, inputs] = f"{outputs} | {after}"
    wrong, count, used = [], 0, set()
    for flops in itertools.product((0, 1), repeat=len(stage.flops)):
        state = dict(zip(stage.flops, flops))
        before = held(kind, state)
        if before is None:
            continue
        for bits in itertools.product((0, 1), repeat=len(INPUTS)):
            inputs = dict(zip(INPUTS, bits))
            outputs, following = stage.step(state, inputs)
            after = held(kind, following)
            found = (f"{outputs['ready_o']} {outputs['valid_o']} "
                     f"{outputs['payload_o'] if outputs['valid_o'] else '-'} | {after}")
            key = before, " ".join(map(str, bits))
            count += 1
            used.add(key)
            if expected.get(key) != found:
                wrong.append(f"holding {before}, inputs {key[1]}: netlist {found}, reference {expected.get(key)}")
    wrong += [f"the netlist has no state that holds {before}" for before, _ in sorted(expected.keys() - used)]
    return count, wrong


def check(options, rtl, folder):
    """Compares all kinds of stages of the RTL in the folder `rtl`."""
    lines = solver.run_tool([options.stage_table]).splitlines()
    results = []
    for kind, ro_en, model in (("lp", 1, "irs_model"), ("lp", 0, "irs_model"), ("lp", 1, "topo_model"),
                               ("half", 1, "irs_model"), ("no_ready", 1, "irs_model")):
        prefix = f"{kind} {model} "
        table = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
        try:
            count, wrong = compare(kind, ro_en, table, rtl, folder / "stages")
        except UnknownStage as unknown:
            count, wrong = 0, [f"a stage with {unknown} cannot be compared"]
        module = {"lp": "IRS_LP", "half": "IRS_HALF", "no_ready": "IRS_HALF"}[kind]
        name = f"{module}.{kind}{'' if ro_en else '-ro0'}"
        outcome = ("refuted" if count else "undecided") if wrong else "proven" if table else "vacuous"
        results.append(tasks.Result(f"reference/{name}/{model}", "reference", name, model, outcome, "exhaustive",
                                    note=wrong[0] if wrong else f"{count} states and inputs"))
    return results


def sources(options):
    return tasks.file_text(*sorted((options.root / "maze").glob("*.[ch]pp")), options.formal / "stage_table.cpp")


def tasks_of(options, _rules):
    rtl = tasks.file_text(*(options.rtl / name for name in primitives.IRS_FILES))
    yield tasks.Task("reference", [rtl, sources(options)], lambda: check(options, options.rtl, options.work / "circuits"))
