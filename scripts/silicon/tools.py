# SPDX-License-Identifier: Apache-2.0
"""Runs the tools of `make silicon`: Yosys maps a module to the cells of a library, OpenSTA times the result."""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import children  # noqa: E402

# Between the typical corner, which is the only one of these libraries, and a slow and a fast chip.
LATE, EARLY = 1.5, 0.6
PERIOD = 10.0  # ns, the 100 MHz of the requirement
UNCERTAINTY = {"setup": 0.3, "hold": 0.1}  # ns, as in rtl/constraints/


class ToolFailure(Exception):
    """A tool that is missing or failed; the text is what it printed."""


def run(*command):
    try:
        done = subprocess.run(children.ending_with_this([str(word) for word in command]), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    except FileNotFoundError:
        raise ToolFailure(f"{command[0]} is not installed; run scripts/install-deps.sh silicon") from None
    if done.returncode != 0:
        raise ToolFailure(f"{command[0]} failed with {done.returncode}:\n{done.stdout.strip()}")
    return done.stdout


@dataclasses.dataclass
class Mapped:
    """A module in the cells of a library."""

    netlist: pathlib.Path
    names: dict  # name of a cell: the signal of the RTL that it drives
    cells: int
    flops: int
    area: float  # um2
    inputs: list  # names of the ports but for the clock
    outputs: list


def synthesize(unit, library, folder):
    """Maps a unit to a library."""
    folder.mkdir(parents=True, exist_ok=True)
    chparams = " ".join(f"-chparam {name} {value}" for name, value in unit.parameters.items())
    script = folder / "synth.ys"
    script.write_text(f"""
        read_verilog -sv {" ".join(map(str, unit.sources))}
        hierarchy -check -top {unit.top} {chparams}
        synth -flatten
        dfflibmap -liberty {library.liberty}
        abc -liberty {library.liberty} -D {PERIOD * 1000 / LATE:.0f}
        setundef -zero
        splitnets
        opt_clean
        rename -top {unit.top}
        rename -enumerate
        write_json {folder}/mapped.json
        opt_clean -purge
        tee -o {folder}/stat.txt stat -liberty {library.liberty}
        write_verilog -noattr {folder}/mapped.v
        splitnets -ports
        write_verilog -noattr {folder}/nets.v
        write_json {folder}/nets.json
    """)
    run("yosys", "-q", "-s", script)
    module = json.loads((folder / "mapped.json").read_text())["modules"][unit.top]
    unmapped = {cell["type"] for cell in module["cells"].values() if cell["type"].startswith("$")}
    if unmapped:
        raise ToolFailure(f"{unit.name}: {library.name} has no cell for {', '.join(sorted(unmapped))}")
    area = re.search(r"Chip area for .*: ([\d.]+)", (folder / "stat.txt").read_text())
    ports = [(name, port["direction"], len(port["bits"])) for name, port in module["ports"].items()]
    return Mapped(folder / "mapped.v", signals_of(module), len(module["cells"]),
                  sum(cell["type"].startswith("DFF") for cell in module["cells"].values()),
                  float(area[1]) if area else 0.0,
                  [name if bits == 1 else f"{name}[*]" for name, way, bits in ports if way == "input" and name != "clk"],
                  [name if bits == 1 else f"{name}[*]" for name, way, bits in ports if way == "output"])


def signals_of(module):
    """The signals of the RTL that cells drive, by the names that the cells have in the netlist."""
    signals = {}
    # The name of a flop goes before other names of its output.
    for name, net in sorted(module["netnames"].items(), key=lambda one: not one[0].endswith("_q")):
        if re.fullmatch(r"_\d+_", name):  # of Yosys
            continue
        for at, bit in enumerate(net["bits"]):
            signals.setdefault(bit, name if len(net["bits"]) == 1 else f"{name}[{at}]")
    outputs = ("Q", "Y", "YS", "YC")
    return {name: signals[cell["connections"][pin][0]] for name, cell in module["cells"].items() for pin in outputs
            if pin in cell["connections"] and cell["connections"][pin][0] in signals}


def constraints(mapped, folder):
    """Writes the constraints of a part that has none of its own: those of rtl/constraints/node.sdc for all its ports."""
    file = folder / "part.sdc"
    file.write_text("\n".join([
        f"create_clock -name clk -period {PERIOD} [get_ports clk]",
        *(f"set_clock_uncertainty -{edge} {value} [get_clocks clk]" for edge, value in UNCERTAINTY.items()),
        f"set_input_delay 2.0 -clock clk [get_ports {{{' '.join(mapped.inputs)}}}]",
        f"set_output_delay 2.0 -clock clk [get_ports {{{' '.join(mapped.outputs)}}}]", ""]))
    return file


def paths_of(said):
    """The paths of a report of OpenSTA as {group: (slack, start, end, text)}, the worst of each group."""
    found = {}
    for block in re.split(r"(?=^Startpoint: )", said, flags=re.MULTILINE)[1:]:
        group = re.search(r"^Path Group: (\S+)", block, re.MULTILINE)
        slack = re.search(r"(-?[\d.]+)\s+slack \(", block)
        start, end = (re.search(rf"^{key}: (\S+)", block, re.MULTILINE)[1] for key in ("Startpoint", "Endpoint"))
        if group and slack:
            found.setdefault(group[1], (float(slack[1]), start, end, block.strip()))
    return found


def time(unit, mapped, library, folder):
    """Times a mapped unit. Returns {check: (slack, start, end, text)} of setup, hold, recovery, removal, and of the setup
    between two flops; and the leakage in nW, which no state changes.
    """
    sdc = unit.constraints or constraints(mapped, folder)
    script = folder / "time.tcl"
    script.write_text(f"""
        read_liberty {library.liberty}
        read_verilog {mapped.netlist}
        link_design {unit.top}
        read_sdc {sdc}
        set_timing_derate -late {LATE}
        set_timing_derate -early {EARLY}
        puts "== late"
        report_checks -path_delay max -digits 3
        puts "== early"
        report_checks -path_delay min -digits 3
        puts "== flops"
        if {{[llength [all_registers -clock_pins]] > 0}} {{
          report_checks -path_delay max -from [all_registers -clock_pins] -to [all_registers -data_pins] -digits 3
        }}
        puts "== power"
        report_power
        exit
    """)
    said = run("sta", "-no_splash", "-exit", script)
    errors = re.findall(r"^Error: .*$", said, re.MULTILINE)
    if errors:
        raise ToolFailure(f"{unit.name}: OpenSTA says {errors[0]}")
    _, late, early, flops, power = re.split(r"^== \w+$", said, flags=re.MULTILINE)
    late, early, flops = paths_of(late), paths_of(early), paths_of(flops)
    found = {"setup": late.get("clk"), "hold": early.get("clk") if library.has_hold else None,
             "recovery": late.get("**async_default**"), "removal": early.get("**async_default**"), "flops": flops.get("clk")}
    leakage = re.search(r"^Total +\S+ +\S+ +(\S+)", power, re.MULTILINE)
    return ({check: named(path, mapped.names) for check, path in found.items() if path},
            float(leakage[1]) * 1e9 if leakage else None)


def named(path, names):
    """A path whose cells have the names of the signals of the RTL that they drive, where those drive one."""
    slack, start, end, text = path
    text = re.sub(r"\b_\d+_(?=/| \()", lambda cell: names.get(cell[0], cell[0]), text)
    return slack, names.get(start, start), names.get(end, end), text
