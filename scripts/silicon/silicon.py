#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes and times the links and the parts of a node in cells of a library, and weighs the traffic of links.

Usage: scripts/silicon/silicon.py [option...]

  --library NAME   a library of Debian's qflow: osu018, osu035, osu050 (repeatable; all)
  --liberty FILE   another library, a Liberty file, in place of these
  --only TEXT      only units whose name has this text (repeatable)
  --pins DIR       also the power of links, driven by the pins in this folder, which record_pins wrote of power.yaml
  --plain FILE     also the layout of links and node parts, of the network at 8x8 that `kernbench structure network
                   --write-verilog FILE` wrote
  --work DIR       netlists, reports of the tools, and results (build/silicon)
  --jobs N         units at a time (all processors)
  --compare FILE   compare with the tables of a page, to 1 %

Writes DIR/silicon.json and DIR/silicon.md, and the worst paths as DIR/LIBRARY/UNIT/paths.txt. Exit code: 0 done, 1 a figure
differs or a slack of a link is below 0 at 100 MHz, or a layout has errors, 2 wrong usage or a library that cannot be used, 5 a tool is missing or failed.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import re
import sys
import threading

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import layout  # noqa: E402
import libraries  # noqa: E402
import power  # noqa: E402
import tools  # noqa: E402
import wires  # noqa: E402

ROOT = HERE.parents[1]
RTL = ROOT / "rtl"
STAGES = [RTL / name for name in ("irs_half.sv", "irs_lp.sv", "irs_n.sv")]
PARTS = [RTL / "network" / f"maze_{name}.sv" for name in ("arbiter", "core", "expand", "fork", "queue", "route")]
# TOPO at 8x8 with 8 data bits: links of each depth, and bits of one with its valid and ready.
LINKS = {0: 256, 1: 256, 2: 256, 3: 128}
BITS = 25
LAYOUT_COLUMNS = ("unit", "cells placed", "area, um2", "wires, mm", "failed routes", "DRC errors", "LVS errors")
POWER_COLUMNS = ("link", "idle, pJ a cycle", "a packet, pJ", "off the line, pJ", "full load, mW", "stalled, mW",
                 "constant payload, mW")
NODES = 64
WIRE_COLUMNS = ("library", "layer", "ohm/mm", "pF/mm", *(f"{pitch:.0f} mm: {what}" for pitch in wires.PITCHES
                                                        for what in ("setup, ns", "repeaters of TOPO", "their area, mm2")),
                "100 MHz lost at, mm")
COLUMNS = ("unit", "cells", "flops", "area, um2", "MHz", "setup, ns", "hold, ns", "recovery, ns", "removal, ns",
           "leakage, nW")


@dataclasses.dataclass(frozen=True, eq=False)
class Unit:
    """A module with parameters that is mapped and timed by itself."""

    name: str
    top: str
    parameters: dict
    sources: list
    constraints: pathlib.Path = None  # None: those of a part


def units():
    kinds = {"lp": (0, 0, 1), "lp-ro0": (0, 0, 0), "half": (0, 1, 1), "no_ready": (1, 0, 1)}
    for kind, (no_ready, half, ro_en) in kinds.items():
        for depth in (1, 2, 3) if kind != "lp" else (0, 1, 2, 3, 7):
            yield Unit(f"IRS_N {kind} {depth}", "IRS_N",
                       {"PYLD_W": 23, "IRS_DEEP": depth, "TYPE_NO_READY": no_ready, "TYPE_HALF": half, "TYPE_RO_EN": ro_en},
                       STAGES, RTL / "constraints/link.sdc")
    parts = {"MAZE_QUEUE": {}, "MAZE_FORK": {}, "MAZE_EXPAND": {}, "MAZE_ARBITER 8": {"N": 8}, "MAZE_ARBITER 15": {"N": 15}}
    for name, parameters in parts.items():
        yield Unit(name, name.split()[0], parameters, PARTS)
    yield Unit("MAZE_CORE 3x3", "MAZE_CORE", {"NX": 3, "NY": 3}, [*STAGES, *PARTS], RTL / "constraints/node.sdc")
    yield Unit("MAZE_CORE 8x8", "MAZE_CORE", {}, [*STAGES, *PARTS], RTL / "constraints/node.sdc")


def measure(unit, library, work):
    folder = work / library.name / unit.name.replace(" ", "-")
    mapped = tools.synthesize(unit, library, folder)
    paths, leakage = tools.time(unit, mapped, library, folder)
    (folder / "paths.txt").write_text("\n\n".join(f"# {check}\n{path[3]}" for check, path in paths.items()) + "\n")
    slack = {check: path[0] for check, path in paths.items()}
    return {"unit": unit.name, "library": library.name, "cells": mapped.cells, "flops": mapped.flops, "area_um2": mapped.area,
            # The period that the slowest path between two flops needs, uncertainty included.
            "mhz": round(1000 / (tools.PERIOD - slack["flops"]), 1) if "flops" in slack else None,
            "setup_ns": slack.get("setup"), "hold_ns": slack.get("hold"), "recovery_ns": slack.get("recovery"),
            "removal_ns": slack.get("removal"), "leakage_nw": leakage,
            "critical_path": {"from": paths["flops"][1], "to": paths["flops"][2]} if "flops" in paths else None}


def links_with_power(used, chosen):
    """The links whose power is measured: chains of IRS_LP with the depths that TOPO at 8x8 has."""
    return [(library, unit) for library in used for unit in chosen
            if unit.name.startswith("IRS_N lp") and unit.parameters["IRS_DEEP"] in (1, 2, 3)]


def weigh(library, unit, options):
    folder = options.work / library.name / unit.name.replace(" ", "-")
    return power.measure(unit, library, unit.parameters["IRS_DEEP"], options.pins, folder / "power")


def sums(rows):
    """Area of the whole at 8x8: TOPO of its links, MAZE_TOP of TOPO and its nodes. Wires have none."""
    area = {row["unit"]: row["area_um2"] for row in rows}
    links = {depth: area.get(f"IRS_N lp {depth}") for depth in LINKS}
    if None in links.values():
        return {}
    topo = sum(count * links[depth] for depth, count in LINKS.items())
    found = {"TOPO": topo}
    if "MAZE_CORE 8x8" in area:
        found["MAZE_TOP"] = topo + NODES * area["MAZE_CORE 8x8"]
    return found


def wire_table(rows, areas):
    """The hop between two nodes at each pitch, and the repeaters of all hops of TOPO at 8x8. areas: of a repeater."""
    lines = [f"| {' | '.join(WIRE_COLUMNS)} |", "|---|---" + "|--:" * (len(WIRE_COLUMNS) - 2) + "|"]
    hops = sum(count * (depth + 1) for depth, count in LINKS.items()) * BITS
    for row in rows:
        values = [row["ohms_per_mm"], row["pf_per_mm"]]
        for pitch in row["pitches"]:
            repeaters = hops * pitch["repeaters"]
            values += [pitch["setup_ns"], repeaters, repeaters * areas[row["library"]] / 1e6]
        lines.append(f"| {row['library']} | {row['layer']} | {' | '.join(map(shown, [*values, row['lost_at_mm']]))} |")
    return "\n".join(lines)


def layout_table(rows):
    lines = [f"| {' | '.join(LAYOUT_COLUMNS)} |", "|---" + "|--:" * (len(LAYOUT_COLUMNS) - 1) + "|"]
    for row in rows:
        lines.append(f"| {' | '.join([row['unit'], *(shown(value) for key, value in row.items() if key != 'unit')])} |")
    return "\n".join(lines)


def power_table(rows):
    lines = [f"| {' | '.join(POWER_COLUMNS)} |", "|---" + "|--:" * (len(POWER_COLUMNS) - 1) + "|"]
    for row in rows:
        milliwatts = {case["case"]: case["internal_mw"] + case["switching_mw"] + case["leakage_mw"] for case in row["cases"]}
        values = [row["idle_pj_per_cycle"], row["pj_per_packet"], row["line_off_pj"],
                  *(milliwatts[case] for case in ("load-1.0", "stalled", "constant"))]
        lines.append(f"| {row['unit']} | {' | '.join(map(shown, values))} |")
    return "\n".join(lines)


def shown(value):
    return "-" if value is None else f"{value:,.2f}" if isinstance(value, float) and value < 100 else f"{value:,.0f}"


def table(rows):
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" + "|--:" * (len(COLUMNS) - 1) + "|"]
    for row in rows:
        values = [row[key] for key in ("cells", "flops", "area_um2", "mhz", "setup_ns", "hold_ns", "recovery_ns", "removal_ns",
                                  "leakage_nw")]
        lines.append(f"| {row['unit']} | {' | '.join(map(shown, values))} |")
    return "\n".join(lines)


def markdown(results, hops, powers, layouts, used):
    texts = []
    for library, rows in results.items():
        texts += [f"### {library}", table(rows)]
    whole = {library: sums(rows) for library, rows in results.items()}
    if all(whole.values()):
        texts += ["### Whole networks of 8x8", "\n".join(
            ["| library | TOPO, mm2 | MAZE_TOP, mm2 |", "|---|--:|--:|",
             *(f"| {library} | {' | '.join(shown(area[name] / 1e6 if name in area else None) for name in ('TOPO', 'MAZE_TOP'))} |"
               for library, area in whole.items())])]
    if hops:
        texts += ["### Wires between nodes", wire_table(hops, {library.name: library.areas[wires.REPEATER] for library in used
                                                                if wires.REPEATER in library.areas})]
    for library in used:
        rows = [row for row in powers if row["library"] == library.name]
        if rows:
            texts += [f"### Power of links, {library.name}", power_table(rows)]
    if layouts:
        texts += [f"### Layout in {layout.TECHNOLOGY}", layout_table(layouts)]
    return "\n\n".join(texts) + "\n"


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


def parse(arguments):
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--library", action="append", choices=sorted(libraries.LIBERTY), default=[])
    parser.add_argument("--liberty", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--pins", type=pathlib.Path)
    parser.add_argument("--plain", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/silicon")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compare", type=pathlib.Path)
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        print(__doc__.strip())
        sys.exit(0)
    return options


def main():
    options = parse(sys.argv[1:])
    chosen = [unit for unit in units() if not options.only or any(text in unit.name for text in options.only)]
    if not chosen:
        raise libraries.BadLibrary(f"no unit has {' or '.join(options.only)} in its name")
    page = options.compare.read_text() if options.compare else None
    used = [libraries.read(options.liberty)] if options.liberty else [
        libraries.shipped(name) for name in options.library or libraries.LIBERTY]
    for library in used:
        for has, what in ((library.has_hold, "hold times; the table has a dash for them"),
                          (library.has_recovery, "recovery and removal times; the table has a dash for them"),
                          (library.wires, "LEF file with the capacitance of wires' edges; wires are not timed")):
            if not has:
                print(f"note: {library.name} has no {what}", flush=True)
    pairs = [(library, unit) for library in used for unit in chosen]
    progress, lock = itertools.count(1), threading.Lock()

    def one(library, unit):
        row = measure(unit, library, options.work)
        with lock:
            print(f"{next(progress):>3} of {len(pairs)}  {library.name} {unit.name}: {shown(row['area_um2'])} um2, "
                  f"setup {shown(row['setup_ns'])} ns", flush=True)
        return row

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # The longest first; the results are in the order of the units.
        waiting = {pair: pool.submit(one, *pair) for pair in sorted(pairs, key=lambda pair: "CORE" not in pair[1].name)}
        results = {library.name: [waiting[library, unit].result() for unit in chosen] for library in used}
        hops = list(filter(None, pool.map(lambda library: wires.measure(library, options.work / library.name / "hop"),
                                          [] if options.only else used)))
        powers = list(pool.map(lambda pair: weigh(*pair, options), links_with_power(used, chosen) if options.pins else []))
        placed = [module for module, name in layout.MODULES.items() if options.plain and any(unit.name == name for unit in chosen)]
        layouts = list(pool.map(lambda module: layout.measure(options.plain, module, options.work / "layout" / module), placed))
    text = markdown(results, hops, powers, layouts, used)
    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "silicon.md").write_text(text)
    (options.work / "silicon.json").write_text(json.dumps(
        {"derates": {"late": tools.LATE, "early": tools.EARLY}, "period_ns": tools.PERIOD,
         "units": [row for rows in results.values() for row in rows],
         "area_um2": {name: sums(rows) for name, rows in results.items()}, "hops": hops, "power": powers, "layout": layouts}, indent=1) + "\n")
    wrong = list(differences(page, text)) if page is not None else []
    wrong += [f"layout: {row['unit']}: {key} is {row[key]}" for row in layouts for key in ("failed_routes", "drc", "lvs") if row[key]]
    for rows in results.values():
        wrong += [f"{row['library']}: {row['unit']}: {key[:-3]} slack {row[key]} ns at 100 MHz" for row in rows
                  for key in ("setup_ns", "hold_ns", "recovery_ns", "removal_ns")
                  if row["unit"].startswith("IRS_N") and row[key] is not None and row[key] < 0]
    print("\n".join(wrong) if wrong else f"report  {options.work / 'silicon.md'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (libraries.BadLibrary, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
    except tools.ToolFailure as failure:
        sys.stderr.write(f"error: {failure}\n")
        sys.exit(5)
