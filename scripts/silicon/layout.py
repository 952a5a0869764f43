# SPDX-License-Identifier: Apache-2.0
"""Places and routes modules of the Verilog-2005 with qflow: Yosys, graywolf, qrouter; magic checks the rules of the layout,
netgen its netlist."""

import pathlib
import re

import tools

# Modules of the network at 8x8 and what they are called in the tables. The core of a node does not place in minutes.
MODULES = {"IRS_N_IRS_DEEP_1": "IRS_N lp 1", "IRS_N_IRS_DEEP_2": "IRS_N lp 2", "IRS_N_IRS_DEEP_3": "IRS_N lp 3", "MAZE_QUEUE": "MAZE_QUEUE",
           "MAZE_FORK": "MAZE_FORK", "MAZE_EXPAND": "MAZE_EXPAND", "MAZE_ARBITER_N_8": "MAZE_ARBITER 8", "MAZE_ARBITER_N_15": "MAZE_ARBITER 15"}
TECHNOLOGY = "osu018"


def modules_below(text, name, found=None):
    """The texts of a module and of all below it."""
    found = {} if found is None else found
    module = re.search(rf"^module {name} .*?^endmodule\n", text, re.MULTILINE | re.DOTALL)
    if module is None:
        raise tools.ToolFailure(f"the Verilog-2005 has no module {name}")
    found[name] = module[0]
    for child in re.findall(r"^  (\w+) (?:\\\S+ |\w+) \($", module[0], re.MULTILINE):
        if child not in found:
            modules_below(text, child, found)
    return found


def number(pattern, file, what):
    found = re.findall(pattern, file.read_text(errors="replace"), re.MULTILINE)
    if not found:
        raise tools.ToolFailure(f"{file} does not tell {what}")
    return int(found[-1])


def wire_length(design, units):
    """Micrometres of the routed wires of a DEF file."""
    total = 0
    nets = design.split("\nNETS", 1)[1].split("END NETS", 1)[0]
    for piece in re.findall(r"(?:ROUTED|NEW) \w+ (.*)", nets):
        last = None
        for x, y in re.findall(r"\( (\S+) (\S+)", piece):
            point = tuple(last[at] if value == "*" else int(value) for at, value in enumerate((x, y)))
            total += 0 if last is None else abs(point[0] - last[0]) + abs(point[1] - last[1])
            last = point
    return total / units


def measure(plain, module, folder):
    """Lays a module out. Returns its size, wires, failed routes, and errors of the layout and of its netlist."""
    (folder / "source").mkdir(parents=True, exist_ok=True)
    texts = modules_below(pathlib.Path(plain).read_text(), module)
    (folder / "source" / f"{module}.v").write_text("\n".join(texts.values()))
    said = tools.run("sh", "-c", f"cd {folder} && qflow synthesize place route migrate drc lvs -T {TECHNOLOGY} {module} 2>&1")
    (folder / "qflow.log").write_text(said)
    design = folder / f"{module}.def"
    if not design.is_file():
        raise tools.ToolFailure(f"{module}: qflow routed nothing, see {folder}/qflow.log")
    text = design.read_text()
    units = int(re.search(r"^UNITS DISTANCE MICRONS (\d+)", text, re.MULTILINE)[1])
    left, low, right, top = map(int, re.search(r"^DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", text, re.MULTILINE).groups())
    routes = re.findall(r"^Final: (No|\d+) failed routes", (folder / "log/route.log").read_text(errors="replace"), re.MULTILINE)
    if not routes:
        raise tools.ToolFailure(f"{module}: qflow did not end its routes, see {folder}/qflow.log")
    return {"unit": MODULES[module], "cells": number(r"^COMPONENTS (\d+)", design, "the number of cells"),
            "area_um2": (right - left) * (top - low) / units ** 2, "wire_mm": wire_length(text, units) / 1000,
            "failed_routes": 0 if routes[-1] == "No" else int(routes[-1]),
            "drc": number(r"drc = (\d+)", folder / "log/drc.log", "the errors of the layout"),
            "lvs": number(r"Total errors = (\d+)", folder / "log/lvs.log", "the errors of the netlist")}
