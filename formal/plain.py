# SPDX-License-Identifier: Apache-2.0
"""Proves that what `kernbench structure --write-verilog` writes is the RTL of the repository.

A module without interfaces is compared with the module of the RTL that it comes from: Yosys reads both, every flop becomes
an output of what it loads, with its clock, reset and value in reset, and an input of what it holds, and a solver finds the
outputs equal. The modules with interfaces, which Yosys cannot read, are wires: plain_wiring.py compares each of their bits
with the requirement, as the structure check does with the RTL.
"""

import hashlib
import random
import re
import shutil
import time

import network
import plain_wiring
import solver
import tasks
import wiring

RULES = {
    "function": "every module of the Verilog-2005 has the outputs, the flops and the next state of its module of the RTL",
    "bits": "every bit between them, and to the ports, leads where the requirement says",
}
SHAPES = ((8, 8, 8), (3, 2, 1))
WIRES = ("TOPO", "MAZE_NODE", "MAZE_ARRAY", "MAZE_TOP")
SLICE = ("IRS_N", "MAZE_CORE", "MAZE_CLOCK_GATE")  # their parts are in them
# Flops and latches, whose states have names in the RTL. None may be left.
STATE = "t:$dff t:$adff t:$sdff t:$dffe t:$adffe t:$sdffe t:$sdffce t:$aldff t:$dffsr t:$dlatch t:$adlatch t:$sr t:$mem*"


def drawn(rtl):
    """A shape that changes with the RTL."""
    text = tasks.file_text(*network.core_files(rtl), rtl / "topo.sv")
    draw = random.Random(hashlib.sha256(text.encode()).digest())
    nx, ny = draw.choice([(nx, ny) for nx in range(2, 10) for ny in range(2, 10) if nx * ny <= 24])
    return nx, ny, draw.randint(1, 32)


def shapes(options):
    return [SHAPES[1]] if options.slice else [*SHAPES, drawn(options.rtl)]


def write(options, shape, nodes, folder):
    """Writes TOPO, or with `nodes` the network, of a shape. Returns the path of the Verilog-2005, which is missing if the
    structure check found something."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / ("network.v" if nodes else "topo.v")
    solver.run_tool([options.kernbench, "structure", *(["network"] if nodes else []), "--fabric", "x".join(map(str, shape)),
                     "--rtl-dir", options.rtl, "--models", folder / "models", "--write-verilog", file],
                    accepted=(0, 1))
    return file


def modules_of(file):
    """The modules of a file as {name: (name in the RTL, {parameter: value})}."""
    found = re.findall(r"^// \S+, (\w+)(?:: (.*))?\nmodule (\w+)", file.read_text(), re.MULTILINE)
    return {name: (origin, dict(one.split(" = ") for one in settings.split(", ")) if settings else {})
            for origin, settings, name in found}


def differs(plain, module, origin, settings, options, folder):
    """Returns "" if a module equals that of the RTL, else why not."""
    sources = [*network.core_files(options.rtl), options.rtl / "network" / network.GATE_FILE]
    chparams = " ".join(f"-chparam {name} {value}" for name, value in settings.items())
    cut = f"""proc; flatten; opt_clean; dffunmap; techmap -map {options.formal}/latch.v; expose -evert-dff t:$dff t:$adff %u %co1:+[Q]
        opt_clean; select -assert-none {STATE}"""
    script = folder / f"{module}.ys"
    script.write_text(f"""
        read_verilog -sv {" ".join(map(str, sources))}
        hierarchy -check -top {origin} {chparams}
        {cut}
        rename -top gold
        design -stash gold
        read_verilog {plain}
        hierarchy -check -top {module}
        {cut}
        rename -top gate
        design -stash gate
        design -copy-from gold -as gold gold
        design -copy-from gate -as gate gate
        miter -equiv -flatten gold gate miter
        hierarchy -top miter
        techmap; aigmap; opt_clean
        write_aiger {folder}/{module}.aig
    """)
    try:
        solver.run_tool(["yosys", "-q", "-s", script])
    except solver.ToolFailure as failure:
        # Another port, or a flop of another kind, has ports that the other design lacks.
        missing = re.search(r"No matching port in \w+ module was found for \S+?(?=!)", str(failure))
        if missing:
            return missing[0]
        raise
    said = solver.run_tool(["berkeley-abc", "-c", f"read {folder}/{module}.aig; iprove"])
    if "UNSATISFIABLE" in said:
        return ""
    return "an output or a next state is another function" if "SATISFIABLE" in said else f"undecided: {said.strip()}"


def check(options, shape, nodes):
    size = "x".join(map(str, shape))
    top = "TOPO" if not nodes else "MAZE_TOP" if shape == (8, 8, 8) else "MAZE_ARRAY"
    folder = options.work / "plain" / f"{top}-{size}"
    file = write(options, shape, nodes, folder)
    if not file.is_file():
        return [tasks.Result(f"plain/{size}/{top}/bits", "plain", f"{top} {size}", "bits", "refuted", "structure",
                             note="the structure check has findings, so nothing was written")]
    modules = modules_of(file)
    depths = {name: int(settings["IRS_DEEP"]) for name, (origin, settings) in modules.items() if origin == "IRS_N"}
    bits, wrong = plain_wiring.compare(file, top, shape, depths, folder)
    results = [tasks.Result(f"plain/{size}/{top}/bits", "plain", f"{top} {size}", "bits", "refuted" if wrong else "proven", "yosys",
                            note=wrong or f"{bits} bits")]
    for name, (origin, settings) in modules.items():
        if origin in WIRES or (options.slice and origin not in SLICE):
            continue
        start = time.monotonic()
        why = differs(file, name, origin, settings, options, folder)
        results.append(tasks.Result(f"plain/{size}/{top}/{name}", "plain", f"{name} {size}", "function",
                                    "refuted" if why else "proven", "cec", seconds=time.monotonic() - start, note=why))
    shutil.rmtree(folder)
    return results


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = wiring.network_sources(options) + tasks.file_text(
        options.formal / "latch.v", *sorted((options.root / "sim/plain").glob("*.[ch]pp")))
    for shape in shapes(options):
        for nodes in (False, True):
            yield tasks.Task(f"plain/{'x'.join(map(str, shape))}/{'network' if nodes else 'topo'}", [text],
                             lambda s=shape, n=nodes: check(options, s, n), weight=shape[0] * shape[1] * (1.0 if nodes else 0.1))
