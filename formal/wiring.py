# SPDX-License-Identifier: Apache-2.0
"""Shows that TOPO is the links of the requirement and nothing else, in every shape, and that a network has its nodes at
the right links and ports.

`kernbench structure` reads the design as Verilator elaborated it, follows every bit of every signal, and
compares with the link map. Here one run is one shape, and one result is one of its rules.
"""

import json
import shutil

import network
import solver
import tasks
from sources import listed

# Rules of sim/structure/finding.hpp and what they say when there is no finding.
RULES = {
    "connection": "every pin of every IRS_N leads where the requirement says, with the bits in order and the depth required; "
                  "every MAZE_CORE has its position, its links and its ports A and B, masked while its node has failed",
    "driver": "every signal has exactly one driver",
    "modport": "every signal of pkt_con_if has the direction of the contract",
    "clock": "one clock, rising edge, no gate in it but one of its own for every MAZE_CORE, closed while its node has failed",
    "reset": "one asynchronous reset reaches every register of the handshake",
    "latch": "no latch and no loop through logic",
    "content": "TOPO and IRS_N contain nothing else; what is around the nodes contains no register",
    "tools": "the design does not depend on VERILATOR, SYNTHESIS, YOSYS or __ICARUS__",
    "unknown": "every construct was understood",
}
SIZES = (2, 3, 8, 9, 16)  # without --all
DATA = 8  # data bits of all shapes
# Shapes with other numbers of data bits, of TOPO and of MAZE_ARRAY. The theorem of docs/developer/proofs.md is about the former.
OTHER_SHAPES, OTHER_DATA = ((2, 3), (3, 2), (8, 8)), (1, 16, 32)
OTHER_NETWORKS = ((2, 3, 1), (3, 2, 16), (2, 3, 32))


def fabrics(options):
    """Returns the fabrics (NX, NY, data bits) whose links are looked at."""
    if options.slice:
        return [(8, 8, DATA), (3, 2, DATA), (2, 3, 16)]
    sizes = range(2, 17) if options.all else SIZES
    return [(nx, ny, DATA) for nx in sizes for ny in sizes] + [(*shape, data) for shape in OTHER_SHAPES for data in OTHER_DATA]


def networks(options):
    """Returns the networks whose nodes and links are looked at. 8x8 with 8 data bits is MAZE_TOP."""
    return [(3, 2, DATA)] if options.slice else [*((nx, ny, DATA) for nx, ny in network.SIZES), *OTHER_NETWORKS]


def links(nx, ny):
    return nx * ny * (nx - 1 + ny - 1)


def findings_of(options, rtl, nx, ny, folder, nodes=False, data=DATA):
    """Returns the findings about a shape, by rule, and the number of links and nodes. `nodes` says to look at them, too."""
    shape = f"{nx}x{ny}x{data}"
    shutil.rmtree(folder, ignore_errors=True)
    solver.run_tool([options.kernbench, "structure", *(["network"] if nodes else []), "--fabric", shape,
                     "--rtl-dir", rtl, "--models", folder], accepted=(0, 1))
    found = list(folder.glob("*/structure.json"))
    if len(found) != 1:
        raise solver.ToolFailure(f"{options.kernbench} structure left no result in {folder}")
    structure = json.loads(found[0].read_text())["data"]
    shutil.rmtree(folder)  # the dump of a large shape is 100 MB
    by_rule = {rule: [] for rule in RULES}
    for finding in structure["findings"]:
        by_rule[finding["rule"]].append(f"{finding['where']}: {finding['message']}")
    return by_rule, structure["links"], structure["nodes"]


def check(options, nx, ny, data, nodes=False):
    shape = f"{nx}x{ny}x{data}"
    name = f"network-{shape}" if nodes else shape
    by_rule, *counts = findings_of(options, options.rtl, nx, ny, options.work / "wiring" / name, nodes, data)
    expected = [links(nx, ny), nx * ny if nodes else 0]
    results = []
    for rule, findings in by_rule.items():
        outcome = "refuted" if findings else "proven" if counts == expected else "vacuous"
        note = findings[0] if findings else f"{counts[0]} links of {expected[0]}"
        if nodes and not findings:
            note += f", {counts[1]} nodes of {expected[1]}"
        module = f"{'MAZE_TOP' if (nx, ny, data) == (8, 8, 8) else 'MAZE_ARRAY'} {shape}" if nodes else f"TOPO {shape}"
        results.append(tasks.Result(f"wiring/{name}/{rule}", "wiring", module, rule, outcome, "structure", note=note))
    return results


def sources(options):
    return tasks.file_text(*sorted([*options.rtl.glob("*.sv"), *options.rtl.glob("*.v")]), options.root / "tb/maze_tb_top.sv",
                           *sorted((options.root / "sim/structure").glob("*.[ch]pp")),
                           options.root / "topology/maze_links.cpp", headers=[options.rtl])


def network_sources(options):
    maze_f = options.rtl / "network/maze.f"
    return sources(options) + tasks.file_text(maze_f, *listed(maze_f), options.root / "tb/network_tb_top.sv",
                                              headers=[options.rtl])


def tasks_of(options, _rules):
    text = sources(options)
    for nx, ny, data in fabrics(options):
        yield tasks.Task(f"wiring/{nx}x{ny}x{data}", [text], lambda x=nx, y=ny, d=data: check(options, x, y, d),
                         weight=links(nx, ny) / 500)
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = network_sources(options)
    for nx, ny, data in networks(options):
        yield tasks.Task(f"wiring/network-{nx}x{ny}x{data}", [text],
                         lambda x=nx, y=ny, d=data: check(options, x, y, d, nodes=True), weight=links(nx, ny) / 200)
