# SPDX-License-Identifier: Apache-2.0
"""Places and routes modules of the Verilog-2005 with qflow: Yosys, graywolf, qrouter; magic checks the rules of the layout,
netgen its netlist."""

import pathlib
import re

import libraries
import pictures
import tools

# The share of a layout's rows that cells fill, where more does not route: osu050 has three layers of metal.
DENSITY = {"osu050": 0.6}
# Errors that are known: the layouts are measured in spite of them.
KNOWN_RULES = {
    r"Metal\d area <": "an island of metal between two vias, or at a port that the module does not use",
    r"Metal1 width < 3": "two thirds of the least width where the router ends its wires in osu050; the cause is not known",
}
KNOWN_LVS = {"osu050"}  # nets in pieces, as above


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


def source_of(plain, module):
    """The Verilog-2005 of a module of a file, and of all below it."""
    return "\n".join(modules_below(pathlib.Path(plain).read_text(), module).values())


def number(pattern, file, what):
    found = re.findall(pattern, file.read_text(errors="replace"), re.MULTILINE)
    if not found:
        raise tools.ToolFailure(f"{file} does not tell {what}")
    return int(found[-1])


def wire_length(design, units):
    """Micrometres of the routed wires of a DEF file."""
    return sum(abs(one[0] - other[0]) + abs(one[1] - other[1]) for _, one, other in pictures.segments_of(design)) / units


def why(technology, module, folder):
    """The rules that a layout breaks, as {rule: number of boxes}, by magic."""
    (folder / "why.tcl").write_text(f"lef read {libraries.FOLDER}/{technology}/{technology}_stdcells.lef\nload {module}\ndrc on\n"
                                    "select top cell\nexpand\ndrc check\ndrc catchup\n"
                                    'foreach {why boxes} [drc listall why] { puts stdout "RULE [llength $boxes] $why" }\nquit\n')
    said = tools.run("sh", "-c", f"cd {folder} && magic -dnull -noconsole why.tcl < /dev/null 2>&1")
    return {rule: int(count) for count, rule in re.findall(r"^RULE (\d+) (.*)$", said, re.MULTILINE)}


def measure(name, source, module, technology, folder):
    """Lays out a module, whose Verilog-2005 is `source`. Returns its size, wires, failed routes, and errors of the layout and of
    its netlist."""
    (folder / "source").mkdir(parents=True, exist_ok=True)
    (folder / "source" / f"{module}.v").write_text(source)
    (folder / "project_vars.sh").write_text(f"set initial_density = {DENSITY[technology]}\n" if technology in DENSITY else "")

    def qflow(*steps):
        """Runs steps. The checks end the flow with 1 if they find something."""
        return tools.run("sh", "-c", f"cd {folder} && qflow {' '.join(steps)} -T {technology} {module} 2>&1", accepted=(0, 1))

    (folder / "qflow.log").write_text(qflow("synthesize", "place", "route", "migrate") + qflow("drc") + qflow("lvs"))
    design = folder / f"{module}.def"
    if not design.is_file():
        raise tools.ToolFailure(f"{module}: qflow routed nothing, see {folder}/qflow.log")
    text = design.read_text()
    units = int(re.search(r"^UNITS DISTANCE MICRONS (\d+)", text, re.MULTILINE)[1])
    left, low, right, top = map(int, re.search(r"^DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", text, re.MULTILINE).groups())
    routes = re.findall(r"^Final: (No|\d+) failed routes", (folder / "log/route.log").read_text(errors="replace"), re.MULTILINE)
    if not routes:
        raise tools.ToolFailure(f"{module}: qflow did not end its routes, see {folder}/qflow.log")
    drc = number(r"drc = (\d+)", folder / "log/drc.log", "the errors of the layout")
    return {"unit": name, "technology": technology, "cells": number(r"^COMPONENTS (\d+)", design, "the number of cells"),
            "area_um2": (right - left) * (top - low) / units ** 2, "wire_mm": wire_length(text, units) / 1000,
            "failed_routes": 0 if routes[-1] == "No" else int(routes[-1]), "drc": drc,
            "lvs": number(r"Total errors = (\d+)", folder / "log/lvs.log", "the errors of the netlist"),
            "rules": why(technology, module, folder) if drc else {}}


def faults(rows):
    """Lines for the errors of layouts that are not known."""
    for row in rows:
        where = f"layout in {row['technology']}: {row['unit']}: "
        if row["failed_routes"]:
            yield f"{where}{row['failed_routes']} failed routes"
        if row["lvs"] and row["technology"] not in KNOWN_LVS:
            yield f"{where}{row['lvs']} errors of the netlist"
        for rule, count in row["rules"].items():
            if not any(re.match(known, rule) for known in KNOWN_RULES):
                yield f"{where}{count} x {rule}"
