# SPDX-License-Identifier: Apache-2.0
"""The tables of `make silicon`: how results are shown, and how a page with such tables is compared with them."""

import re

import units
import wires


def shown(value):
    return "-" if value is None else f"{value:,.2f}" if isinstance(value, float) and value < 100 else f"{value:,.0f}"


def table(columns, rows, texts=1):
    """A table. rows: a list of values for each row, the first `texts` of them texts."""
    lines = [f"| {' | '.join(columns)} |", "|---" * texts + "|--:" * (len(columns) - texts) + "|"]
    return "\n".join(lines + [f"| {' | '.join([*row[:texts], *map(shown, row[texts:])])} |" for row in rows])


def of_keys(columns, rows):
    """A table of rows by key. columns: {heading: key}, the first a text."""
    return table(columns, [[row[key] for key in columns.values()] for row in rows])


UNITS = {"unit": "unit", "cells": "cells", "flops": "flops", "area, um2": "area_um2", "MHz": "mhz", "setup, ns": "setup_ns",
         "hold, ns": "hold_ns", "recovery, ns": "recovery_ns", "removal, ns": "removal_ns", "leakage, nW": "leakage_nw"}
LAYOUTS = {"unit": "unit", "cells placed": "cells", "area, um2": "area_um2", "wires, mm": "wire_mm", "failed routes": "failed_routes",
           "DRC errors": "drc", "those of cells alone": "drc_of_cells", "LVS errors": "lvs"}
ROUTED = {"unit": "unit", "wires, pF": "wires_pf", "clock buffers": "clock_buffers", "skew, ns": "skew_ns", "MHz": "mhz",
          "setup, ns": "setup_ns", "hold, ns": "hold_ns", "recovery, ns": "recovery_ns", "removal, ns": "removal_ns"}
LINK_POWER = ("link", "idle, pJ a cycle", "a packet, pJ", "off the line, pJ", "full load, mW", "stalled, mW", "constant payload, mW")
ROUTED_POWER = ("link", "idle, pJ a cycle", "clock buffers, pJ a cycle", "a packet, pJ", "off the line, pJ", "full load, mW")
NODE_POWER = ("node", "idle, pJ a cycle", "clock buffers, pJ a cycle", "a hop, pJ", "off the line, pJ", "at rest, mW", "full load, mW",
              "stalled, mW", "constant data, mW", "multicasts, mW", "clock stopped, mW")
NODE_PARTS = {"part": "part", "cells": "cells", "area, um2": "area_um2", "at rest, mW": "rest_mw", "full load, mW": "full_mw",
              "a hop, pJ": "pj_per_hop"}
NETWORK_POWER = {"at rest, W": "rest_w", "clock buffers, W": "clock_buffers_w", "full load of every link, W": "full_w"}
NODE_CASES = ("load-0.0", "load-1.0", "stalled", "constant", "multicast")
LOADS = ("load-0.0", "load-0.1", "load-0.5", "load-1.0")
GATED = ("link", *(f"load {load[5:]}: {what}" for load in LOADS for what in ("mW", "gated, mW")))


def milliwatts(case):
    return case["internal_mw"] + case["switching_mw"] + case["leakage_mw"]


def in_cases(row, cases):
    """Milliwatts in each of these cases; None for one that was not measured."""
    measured = {case["case"]: milliwatts(case) for case in row["cases"]}
    return [measured.get(case) for case in cases]


def link_power(rows):
    return table(LINK_POWER, [[row["unit"], row["idle_pj_per_cycle"], row["pj_per_packet"], row["line_off_pj"],
                               *in_cases(row, ("load-1.0", "stalled", "constant"))] for row in rows])


def routed_power(rows, period):
    return table(ROUTED_POWER, [[row["unit"], row["idle_pj_per_cycle"], row["cases"][0]["clock_buffers_mw"] * period, row["pj_per_packet"],
                                 row["line_off_pj"], *in_cases(row, ("load-1.0",))] for row in rows])


def gated(row, case, gate_mw, period):
    """Milliwatts of a link whose clock runs only while the link holds a packet or is offered one: an estimate."""
    idle = row["idle_pj_per_cycle"] / period
    return milliwatts(case) - idle * (1 - case["busy"]) + gate_mw


def gated_power(rows):
    found = []
    for row in rows:
        cases = {case["case"]: case for case in row["cases"]}
        found.append([row["unit"], *(value for load in LOADS for value in (milliwatts(cases[load]), row["gated_mw"][load]))])
    return table(GATED, found)


def node_power(rows, gates, period):
    """gates: milliwatts of a clock gate by library."""
    return table(NODE_POWER, [[f"{row['library']} {row['unit']}", row["idle_pj_per_cycle"], row["cases"][0]["clock_buffers_mw"] * period,
                               row["pj_per_hop"], row["line_off_pj"], *in_cases(row, NODE_CASES),
                               row["cases"][0]["leakage_mw"] + gates[row["library"]] if row["library"] in gates else None]
                              for row in rows])


def hops(rows, areas):
    """The hop between two nodes at each pitch, and the repeaters of all hops of TOPO at 8x8. areas: of a repeater."""
    columns = ("library", "layer", "ohm/mm", "pF/mm", *(f"{pitch:.0f} mm: {what}" for pitch in wires.PITCHES
                                                       for what in ("setup, ns", "repeaters of TOPO", "their area, mm2")),
               "100 MHz lost at, mm")
    count = sum(number * (depth + 1) for depth, number in units.LINKS.items()) * units.BITS
    found = []
    for row in rows:
        values = [row["ohms_per_mm"], row["pf_per_mm"]]
        for pitch in row["pitches"]:
            repeaters = count * pitch["repeaters"]
            values += [pitch["setup_ns"], repeaters, repeaters * areas[row["library"]] / 1e6]
        found.append([row["library"], row["layer"], *values, row["lost_at_mm"]])
    return table(columns, found, texts=2)


def node_from_parts(mapped, placed):
    """The layout of a node of 8x8 as an estimate: its parts, laid out, and the crossbar as what they leave of the mapped node, with
    the parts' ratio of layout to cells. mapped, placed: areas by unit, um2. None if one is missing."""
    if not units.NODE_PARTS.keys() <= placed.keys() & mapped.keys() or "MAZE_CORE 8x8" not in mapped:
        return None
    parts = {key: sum(count * areas[name] for name, count in units.NODE_PARTS.items())
             for key, areas in (("mapped", mapped), ("placed", placed))}
    crossbar = mapped["MAZE_CORE 8x8"] - parts["mapped"]
    ratio = parts["placed"] / parts["mapped"]
    return {"parts_um2": parts["placed"], "crossbar_um2": crossbar * ratio, "layout_by_cells": ratio,
            "area_um2": parts["placed"] + crossbar * ratio}


def network_power(links, nodes, period):
    """Watts of the whole at 8x8 as an estimate: TOPO of its routed links, MAZE_TOP of TOPO and its nodes, which take what those of
    cells take, times the ratio of the routed node of 3x3 to that of cells. The trees above links and nodes are not in it, nor is a
    link without a stage, which has no cell. links, nodes: rows of one library. {} if one is missing."""
    by_depth = {int(row["unit"][-1]): row for row in links}
    depths = {depth: count for depth, count in units.LINKS.items() if depth}
    if not depths.keys() <= by_depth.keys():
        return {}

    def topo(value):
        return sum(count * value(by_depth[depth]) for depth, count in depths.items())

    def idle(row):
        return row["idle_pj_per_cycle"] / period / 1e3

    def tree(row):
        return row["cases"][0]["clock_buffers_mw"] / 1e3

    found = {"TOPO": {"rest_w": topo(idle), "clock_buffers_w": topo(tree), "full_w": topo(lambda row: in_cases(row, ("load-1.0",))[0] / 1e3)}}
    by_name = {row["unit"]: row for row in nodes}
    cells, routed, whole = (by_name.get(name) for name in (units.WHOLE_NODE, units.ROUTED_NODE, "MAZE_CORE 8x8"))
    if cells and routed and whole:
        found["MAZE_TOP"] = {key: found["TOPO"][key] + units.NODES * value(routed) * idle(whole) / idle(cells)
                             for key, value in (("rest_w", idle), ("clock_buffers_w", tree))} | {"full_w": None}
    return found


def figures(text):
    """The numbers of the tables of a page as {(heading, first cell, column): value}; None for a dash."""
    found, heading, columns = {}, "", ()
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            columns = ()
        elif not columns:
            columns = cells
        else:
            found.update({(heading, cells[0], column): None if cell == "-" else float(cell.replace(",", ""))
                          for column, cell in zip(columns, cells) if re.fullmatch(r"-|-?[\d,.]+", cell)})
    return found


def differences(page, measured):
    """Lines for the figures of a page that differ from the measured ones by more than 1 %, or are missing."""
    stated = figures(page)
    for key, value in figures(measured).items():
        other = stated.get(key)
        if (value is None) != (other is None) or (value is not None and abs(value - other) > max(0.01 * abs(value), 0.011)):
            yield f"{key[0]}: {key[1]}: {key[2]} is {shown(value)}, the page has {shown(other)}"
