# SPDX-License-Identifier: Apache-2.0
"""The primitives, their parameters, and the contract that each must meet."""

import dataclasses

import yaml

import solver

CONTRACT_FILES = ("irs_contract.sv", "register_contract.sv", "wires_contract.sv")
IRS_FILES = ("irs_half.sv", "irs_lp.sv", "irs_n.sv")
# Bits of a packet of the sign-off configuration, 8x8 nodes with 8 data bits.
PACKET = 23
# Bits of the packets of all other fabrics of wiring.py: 3 + 2 * (address bits of x and y) + data bits.
OTHER_PACKETS = (16, 25, 27, 31, 47)


@dataclasses.dataclass(frozen=True)
class Primitive:
    """A module with parameters. kind: "lp", "half" or "no_ready"."""

    module: str
    kind: str
    depth: int
    width: int = PACKET
    ro_en: int = 1
    asynchronous: bool = False

    @property
    def name(self):
        kind = self.kind + ("" if self.ro_en or self.kind != "lp" else "-ro0")
        return f"{self.module}.{kind}.d{self.depth}.w{self.width}" + (".async" if self.asynchronous else "")

    @property
    def contract(self):
        if self.depth == 0:
            return "wires"
        return "register" if self.kind == "no_ready" else "chain"

    def parameters(self):
        """The parameters of the module besides PYLD_W."""
        if self.module == "IRS_LP":
            return {"RO_EN": self.ro_en}
        if self.module == "IRS_HALF":
            return {"WITH_READY": int(self.kind == "half")}
        # Without ready wins over half: both are set, so that a wrong order of the two shows.
        return {"IRS_DEEP": self.depth, "TYPE_NO_READY": int(self.kind == "no_ready"),
                "TYPE_HALF": int(self.kind != "lp"), "TYPE_RO_EN": self.ro_en}

    def as_pins(self):
        """The primitive as a pin-trace names it."""
        return {"payload_bits": self.width, "depth": self.depth, "kind": self.kind, "ro_en": bool(self.ro_en)}


def primitives(fast=False):
    """Returns all primitives of `make prove`; with `fast` the slice of `make test`."""
    every = []
    for kind in ("lp", "half", "no_ready"):
        every += [Primitive("IRS_N", kind, depth) for depth in range(4)]
    every += [Primitive("IRS_N", "lp", depth, ro_en=0) for depth in range(1, 4)]
    every += [Primitive("IRS_LP", "lp", 1, ro_en=ro_en) for ro_en in (0, 1)]
    every += [Primitive("IRS_HALF", kind, 1) for kind in ("half", "no_ready")]
    if fast:
        return [one for one in every if one.depth < 2 or one.kind == "lp" and one.ro_en]
    every += [Primitive("IRS_N", "lp", 0, width=width) for width in OTHER_PACKETS]
    for kind in ("lp", "half", "no_ready"):
        every += [Primitive("IRS_N", kind, depth, width=1) for depth in range(4, 8)]
        every += [Primitive("IRS_N", kind, depth, width=4, asynchronous=True) for depth in range(4)]
    every += [Primitive("IRS_N", "lp", depth, width=1, ro_en=0) for depth in range(4, 8)]
    return every


def load_properties(formal):
    """Returns (rules, assumptions) of properties.yaml."""
    properties = yaml.safe_load((formal / "properties.yaml").read_text())
    return properties["rules"], properties["assumptions"]


def rules_of(primitive, rules):
    return [rule["name"] for rule in rules if primitive.contract in rule["contracts"]]


def outputs_of(rules):
    """The outputs of the circuit, in order: first those that must never be 1."""
    return [f"{what}_{rule}" for what in ("broken", "seen") for rule in rules]


def top_text(primitive, rules):
    """Returns the module that a proof looks at: the primitive and its contract."""
    outputs = outputs_of(rules)
    contract = {"chain": "irs_contract", "register": "register_contract", "wires": "wires_contract"}[primitive.contract]
    contract_parameters = {"PYLD_W": primitive.width}
    if primitive.depth > 0:
        contract_parameters["DEPTH"] = primitive.depth
    if primitive.contract == "chain":
        contract_parameters["HALF"] = int(primitive.kind == "half")

    def assigned(values):
        return ", ".join(f".{name}({value})" for name, value in values.items())

    return "\n".join([
        "module proof_top (",
        "  input  logic clk, rst_n, valid_i, ready_i, pick_i,",
        f"  input  logic [{primitive.width - 1}:0] payload_i,",
        "  output logic " + ", ".join(outputs),
        ");",
        "  logic ready_o, valid_o;",
        f"  logic [{primitive.width - 1}:0] payload_o;",
        f"  {primitive.module} #({assigned({'PYLD_W': primitive.width, **primitive.parameters()})}) dut (",
        "    .clk, .rst_n, .valid_i, .ready_o, .payload_i, .valid_o, .ready_i, .payload_o);",
        f"  {contract} #({assigned(contract_parameters)}) contract (.*);",
        "endmodule", ""])


def build(primitive, rules, rtl, formal, folder):
    """Elaborates the primitive of the RTL in the folder `rtl` with its contract."""
    folder.mkdir(parents=True, exist_ok=True)
    top = folder / "proof_top.sv"
    top.write_text(top_text(primitive, rules))
    sources = [rtl / name for name in IRS_FILES] + [formal / name for name in CONTRACT_FILES] + [top]
    return solver.build_circuit(folder, sources, outputs_of(rules), primitive.asynchronous)
