# SPDX-License-Identifier: Apache-2.0
"""The modules that `make silicon` maps, times, weighs and lays out."""

import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
STAGES = [RTL / name for name in ("irs_half.sv", "irs_lp.sv", "irs_n.sv")]
PARTS = [RTL / "network" / f"maze_{name}.sv" for name in ("arbiter", "core", "expand", "fork", "queue", "route")]
GATE = RTL / "network/maze_clock_gate.sv"
# TOPO at 8x8 with 8 data bits: links of each depth, and bits of one with its valid and ready.
LINKS = {0: 256, 1: 256, 2: 256, 3: 128}
BITS = 25
NODES = 64
# The parts of a node of 8x8. What they leave of its area is the crossbar.
NODE_PARTS = {"MAZE_QUEUE": 15, "MAZE_FORK": 30, "MAZE_EXPAND": 1, "MAZE_ROUTE X": 14, "MAZE_ROUTE Y": 14, "MAZE_ROUTE A": 2,
              "MAZE_ARBITER 8": 14, "MAZE_ARBITER 15": 1, "IRS_N lp 1": 15}
# The modules of a node. What they leave of it is the crossbar.
NODE_MODULES = ("MAZE_QUEUE", "MAZE_FORK", "MAZE_EXPAND", "MAZE_ROUTE", "MAZE_ARBITER", "IRS_LP")
# Modules of the Verilog-2005 at 8x8 and what they are called in the tables.
PLAIN = {"IRS_N_IRS_DEEP_1": "IRS_N lp 1", "IRS_N_IRS_DEEP_2": "IRS_N lp 2", "IRS_N_IRS_DEEP_3": "IRS_N lp 3", "MAZE_QUEUE": "MAZE_QUEUE",
         "MAZE_FORK": "MAZE_FORK", "MAZE_EXPAND": "MAZE_EXPAND", "MAZE_ROUTE_KIND_0": "MAZE_ROUTE X",
         "MAZE_ROUTE_KIND_1": "MAZE_ROUTE Y", "MAZE_ROUTE_KIND_2": "MAZE_ROUTE A", "MAZE_ARBITER_N_8": "MAZE_ARBITER 8",
         "MAZE_ARBITER_N_15": "MAZE_ARBITER 15", "MAZE_CLOCK_GATE": "MAZE_CLOCK_GATE"}
WHOLE_NODE = "MAZE_CORE 3x3"
ROUTED_NODE = f"{WHOLE_NODE}, routed"
NODE_POWER = (WHOLE_NODE, "MAZE_CORE 8x8")  # the latter in the first library


@dataclasses.dataclass(frozen=True, eq=False)
class Unit:
    """A module with parameters that is mapped and timed by itself."""

    name: str
    top: str
    parameters: dict
    sources: list
    constraints: pathlib.Path = None  # None: those of a part
    clock: str = "clk"                # its port, if it has one

    def folder(self, work, library):
        return work / library.name / self.name.replace(" ", "-")


def units():
    kinds = {"lp": (0, 0, 1), "lp-ro0": (0, 0, 0), "half": (0, 1, 1), "no_ready": (1, 0, 1)}
    for kind, (no_ready, half, ro_en) in kinds.items():
        for depth in (1, 2, 3) if kind != "lp" else (0, 1, 2, 3, 7):
            yield Unit(f"IRS_N {kind} {depth}", "IRS_N",
                       {"PYLD_W": 23, "IRS_DEEP": depth, "TYPE_NO_READY": no_ready, "TYPE_HALF": half, "TYPE_RO_EN": ro_en},
                       STAGES, RTL / "constraints/link.sdc")
    parts = {"MAZE_QUEUE": {}, "MAZE_FORK": {}, "MAZE_EXPAND": {}, "MAZE_ROUTE X": {"KIND": 0}, "MAZE_ROUTE Y": {"KIND": 1},
             "MAZE_ROUTE A": {"KIND": 2}, "MAZE_ARBITER 8": {"N": 8}, "MAZE_ARBITER 15": {"N": 15}}
    for name, parameters in parts.items():
        yield Unit(name, name.split()[0], parameters, PARTS)
    yield Unit("MAZE_CLOCK_GATE", "MAZE_CLOCK_GATE", {}, [GATE], clock="clk_i")
    yield Unit(WHOLE_NODE, "MAZE_CORE", {"NX": 3, "NY": 3}, [*STAGES, *PARTS], RTL / "constraints/node.sdc")
    yield Unit("MAZE_CORE 8x8", "MAZE_CORE", {}, [*STAGES, *PARTS], RTL / "constraints/node.sdc")
