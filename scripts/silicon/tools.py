# SPDX-License-Identifier: Apache-2.0
"""Runs the tools of `make silicon`: Yosys maps a module to the cells of a library, OpenSTA times the result."""

import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import children  # noqa: E402

# Between the typical corner, which is the only one of these libraries, and a slow and a fast chip.
LATE, EARLY = 1.5, 0.6
PERIOD = 10.0  # ns, the 100 MHz of the requirement
OUTPUTS = ("Q", "Y", "YS", "YC")
UNCERTAINTY = {"setup": 0.3, "hold": 0.1}  # ns, as in rtl/constraints/


class ToolFailure(Exception):
    """A tool that is missing or failed; the text is what it printed."""


def need(*names):
    """Fails if one of the tools is not installed, and names all of those."""
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        raise ToolFailure(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed; run scripts/install-deps.sh silicon")


def run(*command, accepted=(0,)):
    """Runs a tool. Returns what it printed."""
    try:
        done = subprocess.run(children.ending_with_this([str(word) for word in command]), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    except FileNotFoundError:
        raise ToolFailure(f"{command[0]} is not installed; run scripts/install-deps.sh silicon") from None
    if done.returncode not in accepted:
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
    clock: str = None  # the port of the clock, if there is one


LATCHES = """module \\$_DLATCH_N_ (input E, D, output Q);
  wire low;
  \\$_NOT_ inverter (.A(E), .Y(low));
  LATCH _TECHMAP_REPLACE_ (.CLK(low), .D(D), .Q(Q));
endmodule
module \\$_DLATCH_P_ (input E, D, output Q);
  LATCH _TECHMAP_REPLACE_ (.CLK(E), .D(D), .Q(Q));
endmodule
"""


def latch_map(library, folder):
    """The command of Yosys that maps latches, which dfflibmap does not, if the library has the one of these libraries."""
    if "LATCH" not in library.areas:
        return ""
    (folder / "latches.v").write_text(LATCHES)
    return f"techmap -map {folder}/latches.v"


def synthesize(unit, library, folder, parts=()):
    """Maps a unit to a library. parts: modules below it that are mapped one by one; their cells have an attribute `part` in
    nets.json, the number in this list."""
    folder.mkdir(parents=True, exist_ok=True)
    chparams = " ".join(f"-chparam {name} {value}" for name, value in unit.parameters.items())
    script = folder / "synth.ys"
    script.write_text(f"""
        read_verilog -sv {" ".join(map(str, unit.sources))}
        hierarchy -check -top {unit.top} {chparams}
        synth {"" if parts else "-flatten"}
        {latch_map(library, folder)}
        dfflibmap -liberty {library.liberty}
        abc -liberty {library.liberty} -D {PERIOD * 1000 / LATE:.0f}
        {"; ".join(f"setattr -set part {at} *{part}*/c:*" for at, part in enumerate(parts))}
        flatten
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
    return mapped_of(module, unit.clock, folder, signals_of(module), float(area[1]) if area else 0.0)


def mapped_of(module, clock, folder, names, area=0.0):
    """The module of mapped.v in a folder, as Yosys describes it."""
    vectors = {}
    for name, port in module["ports"].items():
        vectors.setdefault(re.sub(r"\[\d+\]$", "[*]", name) if len(port["bits"]) == 1 else f"{name}[*]", port["direction"])
    return Mapped(folder / "mapped.v", names, len(module["cells"]), sum(cell["type"].startswith("DFF") for cell in module["cells"].values()),
                  area, [name for name, way in vectors.items() if way == "input" and name != clock],
                  [name for name, way in vectors.items() if way == "output"], clock if clock in vectors else None)


def signals_of(module):
    """The signals of the RTL that cells drive, by the names that the cells have in the netlist."""
    signals = {}
    # The name of a flop goes before other names of its output.
    for name, net in sorted(module["netnames"].items(), key=lambda one: not one[0].endswith("_q")):
        if re.fullmatch(r"_\d+_", name):  # of Yosys
            continue
        for at, bit in enumerate(net["bits"]):
            signals.setdefault(bit, name if len(net["bits"]) == 1 else f"{name}[{at}]")
    return {name: signals[cell["connections"][pin][0]] for name, cell in module["cells"].items() for pin in OUTPUTS
            if pin in cell["connections"] and cell["connections"][pin][0] in signals}


def constraints(mapped, folder):
    """Writes the constraints of a part that has none of its own: those of rtl/constraints/node.sdc for all its ports."""
    file = folder / "part.sdc"
    file.write_text("\n".join([
        f"create_clock -name clk -period {PERIOD}" + (f" [get_ports {mapped.clock}]" if mapped.clock else ""),
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


def time(unit, mapped, library, folder, wires=None):
    """Times a mapped unit. Returns {check: (slack, start, end, text)} of setup, hold, recovery, removal, and of the setup
    between two flops; and the leakage in nW, which no state changes. With `wires`, a SPEF file of its layout, the clock goes
    through the layout's tree, and the third value is its skew in ns at typical delays.
    """
    sdc = unit.constraints or constraints(mapped, folder)
    script = folder / "time.tcl"

    def derate(value):
        return f"set_timing_derate -late {value}\nset_timing_derate -early {value}"

    script.write_text(f"""
        read_liberty {library.liberty}
        read_verilog {mapped.netlist}
        link_design {unit.top}
        read_sdc {sdc}
        {f"set_propagated_clock [get_clocks clk]; read_spef {wires}" if wires else ""}
        puts "== late"
        {derate(LATE)}
        report_checks -path_delay max -digits 3
        puts "== flops"
        if {{[llength [all_registers -clock_pins]] > 0}} {{
          report_checks -path_delay max -from [all_registers -clock_pins] -to [all_registers -data_pins] -digits 3
        }}
        puts "== early"
        {derate(EARLY)}
        report_checks -path_delay min -digits 3
        puts "== power"
        {derate(1.0)}
        report_power
        puts "== skew"
        {"report_clock_skew -setup -digits 3" if wires else ""}
        exit
    """)
    said = run("sta", "-no_splash", "-exit", script)
    errors = re.findall(r"^(?:Error: |Warning: .*spef).*$", said, re.MULTILINE)
    if errors:
        raise ToolFailure(f"{unit.name}: OpenSTA says {errors[0]}")
    _, late, flops, early, power, skew = re.split(r"^== \w+$", said, flags=re.MULTILINE)
    late, early, flops = paths_of(late), paths_of(early), paths_of(flops)
    found = {"setup": late.get("clk"), "hold": early.get("clk") if library.has_hold else None,
             "recovery": late.get("**async_default**"), "removal": early.get("**async_default**"), "flops": flops.get("clk")}
    leakage = re.search(r"^Total +\S+ +\S+ +(\S+)", power, re.MULTILINE)
    skew = re.search(r"^ +\S+ +\S+ +(\d\S*)\n*$", skew, re.MULTILINE)
    return ({check: named(path, mapped.names) for check, path in found.items() if path},
            float(leakage[1]) * 1e9 if leakage else None, float(skew[1]) if skew else None)


def megahertz(slack):
    """The clock of the slowest path between two flops, uncertainty included; None without one."""
    return round(1000 / (PERIOD - slack["flops"]), 1) if "flops" in slack else None


def named(path, names):
    """A path whose cells have the names of the signals of the RTL that they drive, where those drive one."""
    slack, start, end, text = path
    text = re.sub(r"\b\w+(?=/| \()", lambda cell: names.get(cell[0], cell[0]), text)
    return slack, names.get(start, start), names.get(end, end), text
