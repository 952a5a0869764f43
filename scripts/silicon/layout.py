# SPDX-License-Identifier: Apache-2.0
"""Places and routes modules of the Verilog-2005 with qflow: Yosys, graywolf, qrouter; magic checks the rules of the layout,
netgen its netlist."""

import pathlib
import re
import shutil

import lef
import pictures
import tools

# The shares of a layout's rows that cells may fill, the first that routes: osu050 has three layers of metal.
DENSITIES = {"osu050": (0.6, 0.55, 0.5)}
IN_CELL = "See error definition in the subcell"  # what magic says of some errors that a cell has by itself
LATCHES = {"MAZE_CLOCK_GATE"}  # units with latches
# Rules whose errors are known: the layouts are measured in spite of them.
KNOWN_RULES = {r"Metal\d area <": "an island of metal between two vias, or at a port that the module does not use"}


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


def failed_routes(log):
    """The number of failed routes in what qrouter printed; None if it did not end."""
    found = re.findall(r"^Final: (?:Failed net routes: (\d+)|No failed routes)", log, re.MULTILINE)
    return int(found[-1] or 0) if found else None


def map_latches(module, library, folder):
    """Replaces the latches of a source, which qflow does not map, by cells of the library."""
    source = folder / "source" / f"{module}.v"
    tools.run("yosys", "-q", "-p", "; ".join([
        f"read_verilog {source}", f"hierarchy -check -top {module}", "proc", "flatten", "opt", "simplemap t:$dlatch",
        # qflow's own names have the pattern of yosys.
        tools.latch_map(library, folder), "rename -enumerate -pattern latch_%", f"write_verilog -noattr {source}"]))


def joined_rows(design):
    """The text of a DEF file whose supplies reach all rows, with a pin each. qflow joins rows by stripes on metal4. Without that
    layer it leaves the posts of the stripes, from metal1 to metal3, to which this adds stripes on metal2."""
    before, supplies, after = re.split(r"(^SPECIALNETS .*?^END SPECIALNETS)", design, flags=re.MULTILINE | re.DOTALL)
    pins = []

    def join(found):
        posts = {}
        for width, x, y in re.findall(r"^  NEW metal2 (\d+) \( (\d+) (\d+) \) \( \* \* \)", found[0], re.MULTILINE):
            posts.setdefault((int(width), int(x)), []).append(int(y))
        for (width, x), rows in posts.items():
            if len(pins) == 0 or pins[-1][0] != found[1]:
                pins.append((found[1], f"- {found[1]} + NET {found[1]}\n  + LAYER metal2 ( -{width // 2} -{width // 2} ) ( {width // 2} "
                                       f"{width // 2} )\n  + PLACED ( {x} {min(rows)} ) N ;\n"))
        return found[0].removesuffix(" ;\n") + "".join(f"  NEW metal2 {width} ( {x} {min(rows)} ) ( * {max(rows)} )\n"
                                                      for (width, x), rows in posts.items() if len(set(rows)) > 1) + " ;\n"

    supplies = re.sub(r"^- (\w+)\n.*?^ ;\n", join, supplies, flags=re.MULTILINE | re.DOTALL)
    before = re.sub(r"^PINS (\d+) ;\n", lambda found: f"PINS {int(found[1]) + len(pins)} ;\n" + "".join(text for _, text in pins), before,
                    flags=re.MULTILINE)
    return before + supplies + after


def errors(design, lines, folder):
    """The boxes of each rule that a layout breaks, by magic. lines: what magic does to load the design."""
    (folder / "why.tcl").write_text(f"lef read {folder}/cells.lef\n{lines}load {design}\ndrc on\nselect top cell\nexpand\ndrc check\n"
                                    'drc catchup\nforeach {why boxes} [drc listall why] { puts stdout "RULE [join $boxes ,] $why" }\nquit\n')
    said = tools.run("sh", "-c", f"cd {folder} && magic -dnull -noconsole why.tcl < /dev/null 2>&1")
    return {rule: {tuple(map(int, box.split())) for box in boxes.split(",")}
            for boxes, rule in re.findall(r"^RULE ([-\d ,]+) (\D.*)$", said, re.MULTILINE)}


def is_beside(box, others):
    """Tells if a box meets one of the others, grown by its own size: magic marks a sliver of metal on either of its sides."""
    return box in others or any(box[0] < 2 * right - left and box[2] > 2 * left - right and box[1] < 2 * top - low and
                                box[3] > 2 * low - top for left, low, right, top in others)


def why(module, folder):
    """The rules that a layout breaks, as {rule: number of boxes}, without the errors that its cells have by themselves, in their
    places without a wire."""
    text = (folder / f"{module}.def").read_text()
    (folder / "cells.def").write_text(re.sub(r"^DESIGN \S+ ;", "DESIGN cells ;", text.split("\nPINS", 1)[0], flags=re.MULTILINE)
                                      + "\nEND DESIGN\n")
    whole, alone = errors(module, "", folder), errors("cells", "def read cells\n", folder)
    left = {rule: sum(not is_beside(box, alone.get(rule, set()) | alone.get(IN_CELL, set())) for box in boxes)
            for rule, boxes in whole.items() if rule != IN_CELL}
    return {rule: count for rule, count in left.items() if count}


def place_and_route(unit, source, library, folder, density):
    """Lays out a unit in an empty folder. Returns the number of failed routes."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "source").mkdir(parents=True)
    (folder / "source" / f"{unit.top}.v").write_text(source)
    if unit.name in LATCHES:
        map_latches(unit.top, library, folder)
    (folder / "cells.lef").write_text(lef.completed(library.lef, library.wires))
    (folder / "project_vars.sh").write_text(f"set leffile = {folder}/cells.lef\n" + (
        f"set initial_density = {density}\n" if density else ""))

    def qflow(*steps):
        """Runs steps. The checks end the flow with 1 if they find something."""
        return tools.run("sh", "-c", f"cd {folder} && qflow {' '.join(steps)} -T {library.name} {unit.top} 2>&1", accepted=(0, 1))

    log, placed = qflow("synthesize", "place"), folder / f"{unit.top}_unroute.def"
    if "metal4" not in library.wires and placed.is_file():
        placed.write_text(joined_rows(placed.read_text()))
    (folder / "qflow.log").write_text(log + qflow("route", "migrate") + qflow("drc") + qflow("lvs"))
    if not (folder / f"{unit.top}.def").is_file():
        raise tools.ToolFailure(f"{unit.top}: qflow routed nothing, see {folder}/qflow.log")
    routes = failed_routes((folder / "log/route.log").read_text(errors="replace"))
    if routes is None:
        raise tools.ToolFailure(f"{unit.top}: qflow did not end its routes, see {folder}/qflow.log")
    return routes


def measure_at(unit, source, library, folder, density):
    """Lays out a unit with cells on a part of the rows, or as qflow chooses."""
    routes = place_and_route(unit, source, library, folder, density)
    design = folder / f"{unit.top}.def"
    text = design.read_text()
    left, low, right, top = pictures.die_of(text)
    drc = number(r"drc = (\d+)", folder / "log/drc.log", "the errors of the layout")
    rules = why(unit.top, folder) if drc else {}
    return {"unit": unit.name, "technology": library.name, "cells": number(r"^COMPONENTS (\d+)", design, "the number of cells"),
            "area_um2": (right - left) * (top - low), "wire_mm": pictures.wire_length(text) / 1000,
            "failed_routes": routes, "drc": drc if rules else 0, "drc_of_cells": 0 if rules else drc,
            "lvs": number(r"Total errors = (\d+)", folder / "log/lvs.log", "the errors of the netlist"),
            "rules": rules}


def measure(unit, source, library, folder):
    """Lays out a unit, whose Verilog-2005 is `source`, at the first density without an unknown error, or at the last. Returns its
    size, wires, failed routes, and errors of the layout and of its netlist."""
    for density in DENSITIES.get(library.name, (None,)):
        row = measure_at(unit, source, library, folder, density)
        if not any(faults([row])):
            break
    return row


def faults(rows):
    """Lines for the errors of layouts that are not known."""
    for row in rows:
        where = f"layout in {row['technology']}: {row['unit']}: "
        if row["failed_routes"]:
            yield f"{where}{row['failed_routes']} failed routes"
        if row["lvs"]:
            yield f"{where}{row['lvs']} errors of the netlist"
        for rule, count in row["rules"].items():
            if not any(re.match(known, rule) for known in KNOWN_RULES):
                yield f"{where}{count} x {rule}"
