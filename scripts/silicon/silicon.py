#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes, times, weighs and lays out the links and the parts of a node in cells of a library.

Usage: scripts/silicon/silicon.py [option...]

  --library NAME   a library of Debian's qflow: osu018, osu035, osu050 (repeatable; all)
  --liberty FILE   another library, a Liberty file, in place of these
  --only TEXT      only units whose name has this text (repeatable)
  --pins DIR       also the power of links, driven by the pins in this folder, which record_pins wrote of power.yaml
  --node DIR       also the power of nodes, driven by the pins in DIR/3x3 and DIR/8x8, which record_pins wrote of node-power.yaml;
                   DIR/plain.v is the network of 3x3 that `kernbench structure network --write-verilog FILE` wrote
  --plain FILE     also the layout of links and node parts, of the network at 8x8 that `kernbench structure network
                   --write-verilog FILE` wrote, with its timing and, with --pins, the power of routed links
  --whole-node     with --node, also the layout of a whole node of 3x3, which takes eight minutes of a core more
  --work DIR       netlists, reports of the tools, pictures and results (build/silicon)
  --jobs N         units at a time (all processors)
  --compare FILE   compare with the tables of a page, to 1 %

Writes DIR/silicon.json, DIR/silicon.md with pictures, and the worst paths as DIR/LIBRARY/UNIT/paths.txt. Exit code: 0 done, 1 a
figure differs, a slack of a link is below 0 at 100 MHz, or a layout has errors, 2 wrong usage or a library that cannot be used,
5 a tool is missing or failed.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import sys
import threading

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import layout  # noqa: E402
import libraries  # noqa: E402
import nodes  # noqa: E402
import pictures  # noqa: E402
import power  # noqa: E402
import routed  # noqa: E402
import tables  # noqa: E402
import tools  # noqa: E402
import units as all_units  # noqa: E402
import wires  # noqa: E402

ROOT = all_units.ROOT


def measure(unit, library, options):
    folder = unit.folder(options.work, library)
    mapped = tools.synthesize(unit, library, folder)
    paths, leakage, _ = tools.time(unit, mapped, library, folder)
    pictures.write_paths(paths, unit.name, folder)
    slack = {check: path[0] for check, path in paths.items()}
    return {"unit": unit.name, "library": library.name, "cells": mapped.cells, "flops": mapped.flops, "area_um2": mapped.area,
            "mhz": tools.megahertz(slack),
            **{f"{check}_ns": slack.get(check) for check in ("setup", "hold", "recovery", "removal")}, "leakage_nw": leakage,
            "critical_path": {"from": paths["flops"][1], "to": paths["flops"][2]} if "flops" in paths else None}


def netlist_of(unit, library, options):
    return power.netlist_of(unit.top, library, unit.folder(options.work, library))


class Progress:
    """Runs tasks side by side and prints a line when one ends."""

    def __init__(self, jobs):
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.lock, self.ended, self.tasks = threading.Lock(), itertools.count(1), 0

    def start(self, what, function, *arguments):
        """Starts a task. what(result): its line. Returns the result's future."""
        self.tasks += 1

        def task():
            result = function(*arguments)
            with self.lock:
                print(f"{next(self.ended):>3} of {self.tasks}  {what(result)}", flush=True)
            return result

        return self.pool.submit(task)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        # After an error, tasks that wait are not started.
        self.pool.shutdown(cancel_futures=kind is not None)


def start_layouts(progress, used, chosen, options):
    """Starts the layouts, the longest first. Returns [(library, unit of the layout, future)]."""
    found = []

    def start(library, unit, source):
        folder = options.work / "layout" / library.name / unit.name.replace(" ", "-")
        future = progress.start(lambda row: f"layout in {library.name} {unit.name}: {tables.shown(row['area_um2'])} um2",
                                lambda: layout.measure(unit, source(), library, folder))
        found.append((library, unit, folder, future))

    wanted = {unit.name: unit for unit in chosen}
    if options.whole_node and all_units.WHOLE_NODE in wanted:
        for library in used:
            if library.name == "osu018":
                start(library, wanted[all_units.WHOLE_NODE], lambda: layout.source_of(options.node / "plain.v", "MAZE_CORE"))
    for library in used if options.plain else []:
        for module, name in all_units.PLAIN.items():
            if name not in wanted or library.name not in libraries.LIBERTY:
                continue
            start(library, all_units.Unit(name, module, {}, [], wanted[name].constraints, wanted[name].clock),
                  lambda module=module: layout.source_of(options.plain, module))
    return found


def routed_units(progress, layouts, options):
    """Times the layouts, and weighs those of links and of a whole node."""
    def one(library, unit, folder):
        row, netlist = routed.measure(unit, library, folder, folder / "timing")
        wires_file, weighed = folder / "timing/wires.spef", None
        if unit.name.startswith("IRS_N") and options.pins:
            weighed = power.measure(netlist, unit.name, int(unit.name[-1]), options.pins, folder / "power", wires_file)
        elif unit.name == all_units.WHOLE_NODE:
            weighed = nodes.measure(netlist, all_units.ROUTED_NODE, options.node / "3x3", folder / "power", wires_file)
        return row, weighed

    return [progress.start(lambda row, name=f"{library.name} {unit.name}": f"wires of {name}: {tables.shown(row[0]['wires_pf'])} pF", one,
                           library, unit, folder)
            for library, unit, folder, future in layouts if library.wires and future.result() and not unit.name.startswith("MAZE_ROUTE")]


def sums(rows):
    """Area of the whole at 8x8: TOPO of its links, MAZE_TOP of TOPO and its nodes with a gate each. Wires have none."""
    area = {row["unit"]: row["area_um2"] for row in rows}
    links = {depth: area.get(f"IRS_N lp {depth}") for depth in all_units.LINKS}
    if None in links.values():
        return {}
    topo = sum(count * links[depth] for depth, count in all_units.LINKS.items())
    found = {"TOPO": topo}
    if {"MAZE_CORE 8x8", "MAZE_CLOCK_GATE"} <= area.keys():
        found["MAZE_TOP"] = topo + all_units.NODES * (area["MAZE_CORE 8x8"] + area["MAZE_CLOCK_GATE"])
    return found


def run(options, used, chosen):
    """Measures everything. Returns the results by kind, and the pictures."""
    found = {"units": {}, "hops": [], "power": [], "nodes": [], "node_parts": [], "gates": {}, "layout": [], "routed": [], "routed_power": []}
    with Progress(options.jobs) as progress:
        def line(row):
            return (f"{row['library']} {row['unit']}: {tables.shown(row['area_um2'])} um2, setup {tables.shown(row['setup_ns'])} ns")

        pairs = [(library, unit) for library in used for unit in chosen]
        layouts = start_layouts(progress, used, [unit for unit in chosen if unit.name == all_units.WHOLE_NODE], options)
        # The longest first; the results are in the order of the units.
        waiting = {pair: progress.start(line, measure, pair[1], pair[0], options)
                   for pair in sorted(pairs, key=lambda pair: "CORE" not in pair[1].name)}
        layouts += start_layouts(progress, used, [unit for unit in chosen if unit.name != all_units.WHOLE_NODE], options)
        found["units"] = {library.name: [waiting[library, unit].result() for unit in chosen] for library in used}
        by_name = {unit.name: unit for unit in chosen}
        hops = [progress.start(lambda row: f"wires between nodes: 100 MHz up to {row['lost_at_mm']} mm" if row else "no wires between nodes",
                               wires.measure, library, options.work / library.name / "hop") for library in ([] if options.only else used)]
        weighed = [progress.start(lambda row: f"power of {row['library']} {row['unit']}: {tables.shown(row['pj_per_packet'])} pJ a packet",
                                  power.measure, netlist_of(unit, library, options), unit.name, unit.parameters["IRS_DEEP"], options.pins,
                                  unit.folder(options.work, library) / "power")
                   for library in used for unit in chosen if options.pins and unit.name.startswith("IRS_N lp")
                   and unit.parameters["IRS_DEEP"] in (1, 2, 3)]
        passed = [progress.start(lambda row: f"power of {row['library']} {row['unit']}: {tables.shown(row['pj_per_hop'])} pJ a hop",
                                 nodes.measure, netlist_of(by_name[name], library, options), name, options.node / name[-3:],
                                 by_name[name].folder(options.work, library) / "power")
                  for library in used for name in all_units.NODE_POWER if options.node and name in by_name
                  and (name == all_units.WHOLE_NODE or library is used[0])]
        parts = [progress.start(lambda rows, library=library: f"power of the parts of {library.name} {all_units.WHOLE_NODE}", nodes.measure_parts,
                                by_name[all_units.WHOLE_NODE], library, options.node / "3x3",
                                by_name[all_units.WHOLE_NODE].folder(options.work, library) / "parts")
                 for library in used[:1] if options.node and all_units.WHOLE_NODE in by_name]
        if "MAZE_CLOCK_GATE" in by_name:
            gate = by_name["MAZE_CLOCK_GATE"]
            found["gates"] = {library.name: power.of_gate(netlist_of(gate, library, options), gate.folder(options.work, library))
                              for library in used}
        timed = [future.result() for future in routed_units(progress, layouts, options)]
        found["layout"] = [future.result() for *_, future in layouts]
        found["routed"] = [row for row, _ in timed]
        found["routed_power"] = [row for _, row in timed if row and "pj_per_packet" in row]
        found["hops"], found["power"], found["nodes"] = (
            [row for row in (future.result() for future in futures) if row] for futures in (hops, weighed, passed))
        found["node_parts"] = [row for future in parts for row in future.result()]
        found["nodes"] += [row for _, row in timed if row and "pj_per_hop" in row]
    images = [("Critical paths", [(f"{library.name} {unit.name}", unit.folder(options.work, library) / "path.svg")
                                  for library in used for unit in chosen]), ("Critical paths of layouts", []), ("Layouts", [])]
    for library, unit, folder, _ in layouts:
        pictures.write_layout(folder / f"{unit.top}.def", library, unit.name, folder / "layout.svg")
        images[1][1].append((f"{library.name} {unit.name}", folder / "timing/path.svg"))
        images[2][1].append((f"{library.name} {unit.name}", folder / "layout.svg"))
    for row in found["routed_power"]:
        if row["library"] in found["gates"]:
            row["gated_mw"] = {case["case"]: tables.gated(row, case, found["gates"][row["library"]], tools.PERIOD) for case in row["cases"]}
    found["network_power_w"] = {library.name: tables.network_power(*([row for row in found[kind] if row["library"] == library.name]
                                                                     for kind in ("routed_power", "nodes")), tools.PERIOD)
                                for library in used}
    found["area_um2"] = {name: sums(rows) for name, rows in found["units"].items()}
    mapped = {row["unit"]: row["area_um2"] for row in found["units"].get("osu018", [])}
    found["node_from_parts"] = tables.node_from_parts(
        mapped, {row["unit"]: row["area_um2"] for row in found["layout"] if row["technology"] == "osu018"})
    return found, images


def markdown(found, used):
    texts = []
    for library, rows in found["units"].items():
        texts += [f"### {library}", tables.of_keys(tables.UNITS, rows)]
    whole = found["area_um2"]
    if all(whole.values()):
        texts += ["### Whole networks of 8x8", tables.table(("library", "TOPO, mm2", "MAZE_TOP, mm2"), [
            [library, *(area[name] / 1e6 if name in area else None for name in ("TOPO", "MAZE_TOP"))] for library, area in whole.items()])]
    if found["hops"]:
        texts += ["### Wires between nodes", tables.hops(found["hops"], {library.name: library.areas[wires.REPEATER] for library in used
                                                                         if wires.REPEATER in library.areas})]
    for library in used:
        rows = [row for row in found["power"] if row["library"] == library.name]
        if rows:
            texts += [f"### Power of links, {library.name}", tables.link_power(rows)]
    if found["nodes"]:
        texts += ["### Power of nodes", tables.node_power(found["nodes"], found["gates"], tools.PERIOD)]
    if found["node_parts"]:
        texts += [f"### Power of the parts of a node, {used[0].name}", tables.of_keys(tables.NODE_PARTS, found["node_parts"])]
    watts = [[f"{library} {name}", *(row[key] for key in tables.NETWORK_POWER.values())]
             for library, whole in found["network_power_w"].items() for name, row in whole.items()]
    if watts:
        texts += ["### Power of whole networks of 8x8", tables.table(("network", *tables.NETWORK_POWER), watts)]
    for library in used:
        rows = [row for row in found["layout"] if row["technology"] == library.name]
        if rows:
            texts += [f"### Layout in {library.name}", tables.of_keys(tables.LAYOUTS, rows)]
    if found["node_from_parts"]:
        texts += ["### A node of 8x8 from its parts, osu018", tables.table(("what", "area, um2"), [
            [name, found["node_from_parts"][key]] for name, key in (("parts, laid out", "parts_um2"), ("crossbar, estimate", "crossbar_um2"),
                                                                   ("node, estimate", "area_um2"))])]
    for library in used:
        timed, weighed = ([row for row in found[kind] if row["library"] == library.name] for kind in ("routed", "routed_power"))
        if timed:
            texts += [f"### Timing of layouts, {library.name}", tables.of_keys(tables.ROUTED, timed)]
        if weighed:
            texts += [f"### Power of routed links, {library.name}", tables.routed_power(weighed, tools.PERIOD)]
            if library.name in found["gates"]:
                texts += [f"### Routed links with a gated clock, {library.name}", tables.gated_power(weighed)]
    return "\n\n".join(texts) + "\n"


def parse(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"), add_help=False)
    parser.add_argument("--library", action="append", choices=sorted(libraries.LIBERTY), default=[])
    parser.add_argument("--liberty", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--pins", type=pathlib.Path)
    parser.add_argument("--node", type=pathlib.Path)
    parser.add_argument("--plain", type=pathlib.Path)
    parser.add_argument("--whole-node", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/silicon")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--compare", type=pathlib.Path)
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        print(__doc__.strip())
        sys.exit(0)
    if options.whole_node and not options.node:
        raise libraries.BadLibrary("--whole-node needs --node DIR")
    options.work = options.work.resolve()
    return options


def main():
    options = parse(sys.argv[1:])
    chosen = [unit for unit in all_units.units() if not options.only or any(text in unit.name for text in options.only)]
    if not chosen:
        raise libraries.BadLibrary(f"no unit has {' or '.join(options.only)} in its name")
    page = options.compare.read_text() if options.compare else None
    used = [libraries.read(options.liberty)] if options.liberty else [
        libraries.shipped(name) for name in options.library or libraries.LIBERTY]
    tools.need("yosys", "berkeley-abc", "sta", *(["iverilog", "vvp"] if options.pins or options.node else []),
               *(["qflow", "graywolf", "qrouter", "magic", "netgen-lvs"] if options.plain or options.whole_node else []))
    notes = [f"note: {library.name} has no {what}" for library in used
             for has, what in ((library.has_hold, "hold times; the table has a dash for them"),
                               (library.has_recovery, "recovery and removal times; the table has a dash for them"),
                               (library.wires, "LEF file with the capacitance of wires' edges; wires are not timed"),
                               ("LATCH" in library.areas, "cell LATCH; the clock gate is left out")) if not has]
    if not all("LATCH" in library.areas for library in used):
        chosen = [unit for unit in chosen if unit.name != "MAZE_CLOCK_GATE"]
    for note in notes:
        print(note, flush=True)
    found, images = run(options, used, chosen)
    text = markdown(found, used)
    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "silicon.md").write_text("".join(f"{note}\n\n" for note in notes) + text + pictures.markdown(options.work, images))
    rows = [row for rows in found["units"].values() for row in rows]
    (options.work / "silicon.json").write_text(json.dumps(
        {"derates": {"late": tools.LATE, "early": tools.EARLY}, "period_ns": tools.PERIOD, **found, "units": rows}, indent=1) + "\n")
    wrong = list(tables.differences(page, text)) if page is not None else []
    wrong += layout.faults(found["layout"])
    wrong += [f"{row['library']}: {row['unit']}{where}: {key[:-3]} slack {row[key]} ns at 100 MHz"
              for where, part in (("", rows), (" with its wires", found["routed"])) for row in part
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
