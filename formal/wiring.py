# SPDX-License-Identifier: Apache-2.0
"""Shows that TOPO is the links of the requirement and nothing else, in every shape, and that a network has its nodes at
the right links and ports.

`kernbench sim --structure-only` reads the design as Verilator elaborated it, follows every bit of every signal, and
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
    "unknown": "every construct was understood",
}
SIZES = (2, 3, 8, 9, 16)


def shapes(options):
    if options.slice:
        return [(8, 8), (3, 2)]
    sizes = range(2, 17) if options.all else SIZES
    return [(nx, ny) for nx in sizes for ny in sizes]


def links(nx, ny):
    return nx * ny * (nx - 1 + ny - 1)


def findings_of(options, rtl, nx, ny, folder, nodes=False):
    """Returns the findings about a shape, by rule, and the number of links and nodes. `nodes` says to look at them, too."""
    shape = f"{nx}x{ny}x8"
    shutil.rmtree(folder, ignore_errors=True)
    solver.run_tool([options.kernbench, "sim", *(["--network"] if nodes else []), "--structure-only", "--fabric", shape,
                     "--rtl-dir", rtl, "--models", folder], accepted=(0, 1))
    found = list(folder.glob("*/structure.json"))
    if len(found) != 1:
        raise solver.ToolFailure(f"{options.kernbench} sim --structure-only left no result in {folder}")
    data = json.loads(found[0].read_text())["data"]
    shutil.rmtree(folder)  # the dump of a large shape is 100 MB
    by_rule = {rule: [] for rule in RULES}
    for finding in data["findings"]:
        by_rule[finding["rule"]].append(f"{finding['where']}: {finding['message']}")
    return by_rule, data["links"], data["nodes"]


def check(options, nx, ny, nodes=False):
    shape = f"{nx}x{ny}x8"
    name = f"network-{shape}" if nodes else shape
    by_rule, *counts = findings_of(options, options.rtl, nx, ny, options.work / "wiring" / name, nodes)
    expected = [links(nx, ny), nx * ny if nodes else 0]
    results = []
    for rule, findings in by_rule.items():
        outcome = "refuted" if findings else "proven" if counts == expected else "vacuous"
        note = findings[0] if findings else f"{counts[0]} links of {expected[0]}"
        if nodes and not findings:
            note += f", {counts[1]} nodes of {expected[1]}"
        module = f"{'MAZE_TOP' if (nx, ny) == (8, 8) else 'MAZE_ARRAY'} {shape}" if nodes else f"TOPO {shape}"
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
    for nx, ny in shapes(options):
        yield tasks.Task(f"wiring/{nx}x{ny}x8", [text], lambda x=nx, y=ny: check(options, x, y),
                         weight=links(nx, ny) / 500)
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = network_sources(options)
    # 8x8 is MAZE_TOP.
    for nx, ny in ((3, 2),) if options.slice else network.SIZES:
        yield tasks.Task(f"wiring/network-{nx}x{ny}x8", [text], lambda x=nx, y=ny: check(options, x, y, nodes=True),
                         weight=links(nx, ny) / 200)
